//! How many games a question needs.

use super::interval::{quantile, simultaneous_z};

/// A number of games, rounded up; the largest number where it would be beyond all counting.
fn games(number: f64) -> u64 {
    // A hair less, lest a whole number grow by one through rounding.
    (number - 1e-9).ceil().max(1.0) as u64
}

/// Games needed to see that a win share differs by `effect` from the fair share 1/`seats`, two-sided at level
/// `alpha` with power `power`: (z(1-α/2) + z(power))² p (1-p) / effect², times the design effect `deff`
/// (1 where games are independent). `effect` more than 0.
pub fn games_for_effect(seats: usize, effect: f64, alpha: f64, power: f64, deff: f64) -> u64 {
    let p = 1.0 / seats as f64;
    let z = quantile(1.0 - alpha / 2.0) + quantile(power);
    games(z * z * p * (1.0 - p) / (effect * effect) * deff)
}

/// Games needed of *each* of two configurations to see that a win share near 1/`seats` differs by `effect`
/// between them: twice as many as against a fixed value. With common deals `deff` may be below 1.
pub fn games_for_comparison(seats: usize, effect: f64, alpha: f64, power: f64, deff: f64) -> u64 {
    let p = 1.0 / seats as f64;
    let z = quantile(1.0 - alpha / 2.0) + quantile(power);
    games(2.0 * z * z * p * (1.0 - p) / (effect * effect) * deff)
}

/// Games after which the interval of a win share near `share` reaches `half_width` to each side, at
/// confidence `confidence`: z² p (1-p) / h², times the design effect.
pub fn games_for_half_width(share: f64, half_width: f64, confidence: f64, deff: f64) -> u64 {
    let z = simultaneous_z(confidence, 1);
    games(z * z * share * (1.0 - share) / (half_width * half_width) * deff)
}

/// Games after which [`judge`](super::judge) will find a table *balanced* with probability `power`, if the
/// seat farthest from its fair share is really off by `offset`: two one-sided tests (Schuirmann 1987) at the
/// simultaneous z, (z(1-α/2n) + z(β))² p (1-p) / (margin - |offset|)². `None` where the offset is not inside
/// the margin. With an offset of 0 both edges can be missed, and β is halved.
pub fn games_for_verdict(
    seats: usize,
    margin: f64,
    offset: f64,
    confidence: f64,
    power: f64,
    deff: f64,
) -> Option<u64> {
    let room = margin - offset.abs();
    if !(room > 0.0 && seats >= 2) {
        return None;
    }
    let p = 1.0 / seats as f64;
    // With two seats the second share says nothing new; with more, every seat may miss.
    let chances = if seats == 2 { 1.0 } else { seats as f64 } * if offset == 0.0 { 2.0 } else { 1.0 };
    let z = simultaneous_z(confidence, seats) + quantile(1.0 - (1.0 - power) / chances);
    Some(games(z * z * p * (1.0 - p) / (room * room) * deff))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_tables_figures() {
        let one_point = |seats| games_for_effect(seats, 0.01, 0.05, 0.8, 1.0);
        assert_eq!([2, 3, 4].map(one_point), [19_623, 17_442, 14_717]);
        assert_eq!(games_for_half_width(0.5, 0.01, 0.95, 1.0), 9_604);
        assert_eq!(games_for_half_width(0.25, 0.01, 0.95, 1.0), 7_203);
    }

    #[test]
    fn comparing_costs_twice_and_shared_deals_save() {
        assert_eq!(games_for_comparison(2, 0.01, 0.05, 0.8, 1.0), 39_245);
        assert_eq!(games_for_effect(2, 0.01, 0.05, 0.8, 0.5), 9_812);
    }

    /// Fair coin, margin 2 points: (2.2414 + 1.2816)² · 0.25 / 0.0004 = 7,757.
    #[test]
    fn a_verdict_needs_more_than_its_half_width() {
        let fair = games_for_verdict(2, 0.02, 0.0, 0.95, 0.8, 1.0).unwrap();
        assert!((7_750..7_765).contains(&fair), "{fair}");
        assert!(games_for_verdict(2, 0.02, 0.01, 0.95, 0.8, 1.0).unwrap() > fair);
        assert_eq!(games_for_verdict(2, 0.02, 0.02, 0.95, 0.8, 1.0), None);
        assert_eq!(games_for_verdict(2, 0.02, f64::NAN, 0.95, 0.8, 1.0), None);
    }

    proptest! {
        #[test]
        fn smaller_effects_need_more(seats in 2usize..=6, effect in 0.001..0.2f64) {
            let games = |effect| games_for_effect(seats, effect, 0.05, 0.8, 1.0);
            prop_assert!(games(effect) >= games(effect * 1.5));
        }
    }
}
