//! Many comparisons at once: which of them can be claimed together, and which shares stand out.

use super::terminal::percent;
use crate::statistics::{CONFIDENCE, benjamini_hochberg, holm, score_test};

/// Two agents that were in the same games.
pub struct Meeting {
    /// Whose score it is.
    pub one: String,
    /// Its rival.
    pub other: String,
    /// How often it was placed before the rival, a tie counted half.
    pub score: f64,
    /// The number of independent games that say as much.
    pub trials: f64,
}

/// Who is stronger than whom, claimed all together by Holm's method: with 95 % certainty not one is wrong.
pub fn held(meetings: &[Meeting]) -> String {
    let p_values: Vec<f64> =
        meetings.iter().map(|meeting| score_test(meeting.score, 0.5, meeting.trials)).collect();
    let adjusted = holm(&p_values);
    let (shown, open): (Vec<_>, Vec<_>) =
        meetings.iter().zip(adjusted).partition(|(_, p)| *p <= 1.0 - CONFIDENCE);
    let claim = |meeting: &Meeting| {
        let ahead = meeting.score > 0.5;
        let (better, worse) = match ahead {
            true => (&meeting.one, &meeting.other),
            false => (&meeting.other, &meeting.one),
        };
        format!("{better} over {worse} ({})", percent(meeting.score.max(1.0 - meeting.score)))
    };
    let head = match shown.len() {
        0 => "No difference can be claimed together with all others (Holm, 95 %)".to_owned(),
        _ => {
            let claims: Vec<String> = shown.iter().map(|(meeting, _)| claim(meeting)).collect();
            format!("Shown, all together (Holm, 95 %): {}", claims.join("; "))
        }
    };
    let rest: Vec<String> =
        open.iter().map(|(meeting, _)| format!("{} and {}", meeting.one, meeting.other)).collect();
    match rest.is_empty() {
        true => format!("{head}."),
        false => format!("{head}. Not told apart: {}.", rest.join("; ")),
    }
}

/// How many of these shares differ from an even one, by Benjamini and Hochberg's method: of those named, at most
/// one in twenty is expected to be chance.
pub fn screened(p_values: &[f64]) -> String {
    let found = benjamini_hochberg(p_values).into_iter().filter(|&q| q <= 1.0 - CONFIDENCE).count();
    format!(
        "{found} of the {} shares below differ from a fair one by more than chance explains (Benjamini-Hochberg, \
         5 %).",
        p_values.len()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meeting(one: &str, other: &str, score: f64, trials: f64) -> Meeting {
        Meeting { one: one.into(), other: other.into(), score, trials }
    }

    #[test]
    fn what_holds_together_and_what_does_not() {
        // p = .00006, .0455 and .55: alone the second would pass at 5 %, beside two others it does not.
        let meetings =
            [meeting("a", "b", 0.70, 100.0), meeting("a", "c", 0.40, 100.0), meeting("b", "c", 0.53, 100.0)];
        assert_eq!(
            held(&meetings),
            "Shown, all together (Holm, 95 %): a over b (70.0 %). Not told apart: a and c; b and c."
        );
        assert!(held(&meetings[1..2]).starts_with("Shown, all together (Holm, 95 %): c over a (60.0 %)."));
        assert!(held(&meetings[2..]).starts_with("No difference"));
    }

    #[test]
    fn a_screen_counts_what_stands_out() {
        assert!(screened(&[0.001, 0.02, 0.5, 0.9]).starts_with("2 of the 4 shares"));
    }
}
