//! The Elo scale: win shares as rating differences and back, and estimates that may be open at an end.

use std::fmt;

/// Elo points for one unit of log-strength: 400 / ln 10.
pub const ELO_PER_LOG: f64 = 400.0 / std::f64::consts::LN_10;

/// How much stronger (in Elo) a player is than each of the `seats - 1` equal others of its table, when it
/// expects the win share `share`: 400 log10(share (n - 1) / (1 - share)). With two seats the usual logistic
/// Elo, -400 log10(1/share - 1). `None` at 0 and 1, where it would be infinite.
pub fn elo_of_share(share: f64, seats: usize) -> Option<f64> {
    let rest = 1.0 - share;
    let others = seats.saturating_sub(1) as f64;
    (share > 0.0 && rest > 0.0 && others > 0.0).then(|| 400.0 * libm::log10(share * others / rest))
}

/// The win share of a player `elo` points stronger than each of the `seats - 1` others, by Luce's choice
/// axiom: e / (e + n - 1) with e = 10^(elo/400).
pub fn share_of_elo(elo: f64, seats: usize) -> f64 {
    let others = seats.saturating_sub(1) as f64;
    1.0 / (1.0 + others * libm::exp(-elo / ELO_PER_LOG))
}

/// A number with an interval. What cannot be bounded is `None`: nothing here is ever infinite or NaN.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Estimate {
    /// The best guess.
    pub value: Option<f64>,
    /// Lower end.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
}

impl Estimate {
    /// Half the width of the interval, where both ends are known.
    pub fn error(&self) -> Option<f64> {
        Some((self.high? - self.low?) / 2.0)
    }
}

/// `+12.3 ± 4.5`, `at least +570.0`, `at most -570.0`, `+612.0 (at least +431.0)`, `unknown`.
impl fmt::Display for Estimate {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bound = match (self.low, self.high) {
            (Some(low), None) => Some(format!("at least {low:+.1}")),
            (None, Some(high)) => Some(format!("at most {high:+.1}")),
            _ => None,
        };
        let text = match (self.value, self.error(), bound) {
            (Some(value), Some(error), _) => format!("{value:+.1} ± {error:.1}"),
            (Some(value), None, Some(bound)) => format!("{value:+.1} ({bound})"),
            (Some(value), None, None) => format!("{value:+.1}"),
            (None, _, Some(bound)) => bound,
            (None, ..) => "unknown".to_owned(),
        };
        out.pad(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_scale_at_two_seats() {
        assert!((elo_of_share(0.75, 2).unwrap() - 190.848_501_887_865).abs() < 1e-9);
        assert!((elo_of_share(0.25, 2).unwrap() + 190.848_501_887_865).abs() < 1e-9);
        assert_eq!(elo_of_share(0.5, 2), Some(0.0));
        assert_eq!((elo_of_share(0.0, 2), elo_of_share(1.0, 2)), (None, None));
    }

    #[test]
    fn shares_and_elo_are_inverse_at_any_table() {
        for seats in 2..=6 {
            assert!(elo_of_share(1.0 / seats as f64, seats).unwrap().abs() < 1e-10);
            for elo in [-700.0, -30.0, 0.0, 5.0, 400.0] {
                let back = elo_of_share(share_of_elo(elo, seats), seats).unwrap();
                assert!((back - elo).abs() < 1e-8, "{seats} {elo} {back}");
            }
        }
        // Ten to one against each of three others.
        assert!((share_of_elo(400.0, 4) - 10.0 / 13.0).abs() < 1e-12);
    }

    /// An independent implementation of the Elo expectation.
    #[test]
    fn agrees_with_skillratings() {
        use skillratings::elo::{EloRating, expected_score};
        for difference in [-350.0, -12.5, 0.0, 80.0, 600.0] {
            let (one, other) = (EloRating { rating: 1500.0 + difference }, EloRating { rating: 1500.0 });
            let (expected, _) = expected_score(&one, &other);
            assert!((share_of_elo(difference, 2) - expected).abs() < 1e-12);
        }
    }

    #[test]
    fn estimates_in_words() {
        let of = |value, low, high| Estimate { value, low, high }.to_string();
        assert_eq!(of(Some(12.34), Some(10.0), Some(15.0)), "+12.3 ± 2.5");
        assert_eq!(of(None, Some(570.0), None), "at least +570.0");
        assert_eq!(of(None, None, Some(-570.0)), "at most -570.0");
        assert_eq!(of(Some(612.0), Some(431.0), None), "+612.0 (at least +431.0)");
        assert_eq!(of(None, None, None), "unknown");
    }
}
