//! Two seats: pairs of games with seats changed, as a pentanomial.

use super::scores::BlockScores;
use crate::game::SHARE_UNITS;

/// How many pairs brought 0, ¼, ½, ¾ and all of their two games. Seen by the first player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    /// The scores of these pairs; mean, Elo, normalised Elo and likelihood of superiority follow from them.
    pub fn scores(&self) -> BlockScores {
        let mut scores = BlockScores::new(2, 2);
        for (quarter, &pairs) in self.0.iter().enumerate() {
            scores.add(quarter as u32 * SHARE_UNITS / 2, pairs);
        }
        scores
    }

    /// The counts of a histogram of pairs. `None` if it is not one of pairs of games at two seats, or if a
    /// game gave something else than a win, a loss or half.
    pub fn of(scores: &BlockScores) -> Option<Pentanomial> {
        if (scores.seats(), scores.games_per_block()) != (2, 2) {
            return None;
        }
        let mut counts = [0; 5];
        for (units, pairs) in scores.counts() {
            if units % (SHARE_UNITS / 2) != 0 {
                return None;
            }
            counts[(units / (SHARE_UNITS / 2)) as usize] += pairs;
        }
        Some(Pentanomial(counts))
    }

    /// The same pairs seen by the other player.
    pub fn reversed(&self) -> Pentanomial {
        let mut counts = self.0;
        counts.reverse();
        Pentanomial(counts)
    }

    /// How many pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::super::interval::quantile;
    use super::*;
    use proptest::prelude::*;

    /// The worked example of the testing tools' manuals: Elo -168.40 ± 73.37, normalised -170.08 ± 62.16.
    #[test]
    fn worked_pentanomial() {
        let scores = Pentanomial([30, 6, 18, 0, 6]).scores();
        let z = quantile(0.975);
        let elo = scores.elo(z);
        assert!((elo.value.unwrap() + 168.40).abs() < 0.005, "{elo:?}");
        assert!((elo.error().unwrap() - 73.37).abs() < 0.005, "{elo:?}");
        let normalised = scores.normalised_elo(z);
        assert!((normalised.value.unwrap() + 170.08).abs() < 0.005, "{normalised:?}");
        assert!((normalised.error().unwrap() - 62.16).abs() < 0.005, "{normalised:?}");
    }

    /// Pairs that cancel tell more than the same games unpaired: error bars must not ignore the pairing.
    #[test]
    fn pairing_is_in_the_error() {
        let cancelling = Pentanomial([0, 10, 80, 10, 0]).scores();
        let repeating = Pentanomial([40, 5, 10, 5, 40]).scores();
        assert!(cancelling.elo(1.96).error().unwrap() * 2.0 < repeating.elo(1.96).error().unwrap());
    }

    #[test]
    fn counts_come_back() {
        let counts = Pentanomial([1, 2, 3, 4, 5]);
        assert_eq!(Pentanomial::of(&counts.scores()), Some(counts));
        assert_eq!(Pentanomial::of(&BlockScores::new(3, 3)), None);
        let mut third = BlockScores::new(2, 2);
        third.add(20, 1);
        assert_eq!(Pentanomial::of(&third), None);
    }

    proptest! {
        #[test]
        fn symmetric_finite_and_around_the_estimate(counts in proptest::array::uniform5(0u64..1_000)) {
            let (here, there) = (Pentanomial(counts), Pentanomial(counts).reversed());
            let (one, other) = (here.scores(), there.scores());
            let (elo, reversed) = (one.elo(1.96), other.elo(1.96));
            prop_assert_eq!(elo.value.is_some(), reversed.value.is_some());
            if let (Some(elo), Some(reversed)) = (elo.value, reversed.value) {
                prop_assert!((elo + reversed).abs() < 1e-6);
            }
            if let (Some(low), Some(reversed)) = (elo.low, reversed.high) {
                prop_assert!((low + reversed).abs() < 1e-6);
            }
            if let (Some(value), Some(low)) = (elo.value, elo.low) {
                prop_assert!(low.is_finite() && low <= value);
            }
            if let (Some(value), Some(high)) = (elo.value, elo.high) {
                prop_assert!(high.is_finite() && high >= value);
            }
            let sum = one.superiority() + other.superiority();
            prop_assert!((sum - 1.0).abs() < 1e-9);
        }
    }
}
