//! Scores of one player by block, as a histogram: mean, Elo, normalised Elo, likelihood of superiority.
//!
//! A block is one deal with every rotation of the players over the seats; its score is the player's mean win
//! share over the block's games. Two seats: the block is a pair of games, and the histogram a pentanomial.

use std::collections::BTreeMap;

use statrs::distribution::{ContinuousCDF, Normal};

use super::blocks::FEW_BLOCKS;
use super::elo::{ELO_PER_LOG, Estimate, elo_of_share};
use super::interval::wilson;
use crate::game::SHARE_UNITS;

/// Normalised Elo for a mean of one standard deviation (of a single game) above the fair share: 800 / ln 10,
/// so that near equality without draws it is the same as logistic Elo (van den Bergh, "Normalized Elo").
pub const NORMALISED_ELO_PER_SIGMA: f64 = 2.0 * ELO_PER_LOG;

/// How many blocks gave which score. Integers: the order of adding does not matter, and memory is bounded by
/// the number of different scores.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BlockScores {
    seats: usize,
    games: usize,
    counts: BTreeMap<u32, u64>,
}

impl BlockScores {
    /// An empty histogram for a table of `seats` and blocks of `games` games (both at least 1).
    pub fn new(seats: usize, games: usize) -> BlockScores {
        BlockScores { seats: seats.max(1), games: games.max(1), counts: BTreeMap::new() }
    }

    /// Counts `blocks` blocks in which the player won `units` units of win share in all; more than the block
    /// holds counts as all of it.
    pub fn add(&mut self, units: u32, blocks: u64) {
        if blocks > 0 {
            *self.counts.entry(units.min(self.most())).or_default() += blocks;
        }
    }

    /// Adds all blocks of another histogram of the same kind.
    pub fn merge(&mut self, other: &BlockScores) {
        other.counts.iter().for_each(|(&units, &blocks)| self.add(units, blocks));
    }

    /// Units of a block that is won altogether.
    pub fn most(&self) -> u32 {
        SHARE_UNITS * self.games as u32
    }

    /// Seats at the table.
    pub fn seats(&self) -> usize {
        self.seats
    }

    /// Games of a block.
    pub fn games_per_block(&self) -> usize {
        self.games
    }

    /// The fair share, 1/n.
    pub fn fair(&self) -> f64 {
        1.0 / self.seats as f64
    }

    /// Blocks counted.
    pub fn blocks(&self) -> u64 {
        self.counts.values().sum()
    }

    /// Units of a score with the number of its blocks, ascending.
    pub fn counts(&self) -> impl Iterator<Item = (u32, u64)> + '_ {
        self.counts.iter().map(|(&units, &blocks)| (units, blocks))
    }

    /// Mean win share, `None` without a block.
    pub fn mean(&self) -> Option<f64> {
        let units: u128 = self.counts().map(|(units, blocks)| units as u128 * blocks as u128).sum();
        let all = self.most() as f64 * self.blocks() as f64;
        (all > 0.0).then(|| units as f64 / all)
    }

    /// Variance of the scores (divisor N), `None` without a block.
    pub fn variance(&self) -> Option<f64> {
        let mean = self.mean()?;
        let square = |(units, blocks)| {
            let distance = units as f64 / self.most() as f64 - mean;
            blocks as f64 * distance * distance
        };
        Some(self.counts().map(square).sum::<f64>() / self.blocks() as f64)
    }

    /// Elo against each of the others, with the interval that reaches `z` standard errors to both sides: the
    /// ends are the Elo of μ ± z σ/√N (pairing is in σ). With fewer than 30 blocks, or blocks that are all
    /// alike, the ends are those of Wilson's interval for so many independent trials as there are blocks.
    /// A perfect score has only a bound, the exact one (Clopper and Pearson 1934): p^N = Φ(-z).
    pub fn elo(&self, z: f64) -> Estimate {
        let (Some(mean), Some(variance)) = (self.mean(), self.variance()) else {
            return Estimate::default();
        };
        let blocks = self.blocks() as f64;
        let elo = |share: f64| elo_of_share(share, self.seats);
        if mean <= 0.0 || mean >= 1.0 {
            let tail = Normal::standard().cdf(-z);
            let bound = libm::exp(libm::log(tail) / blocks);
            return match mean > 0.5 {
                true => Estimate { value: None, low: elo(bound), high: None },
                false => Estimate { value: None, low: None, high: elo(1.0 - bound) },
            };
        }
        let (low, high) = if self.blocks() < FEW_BLOCKS || variance <= 0.0 {
            let interval = wilson(mean, blocks, z);
            (interval.low, interval.high)
        } else {
            let half = z * (variance / blocks).sqrt();
            (mean - half, mean + half)
        };
        Estimate { value: elo(mean), low: elo(low), high: elo(high) }
    }

    /// Normalised Elo, (μ - 1/n) / (σ √m) · 800/ln 10 with m games a block, and its interval of `z` standard
    /// errors. Unknown where all blocks are alike.
    pub fn normalised_elo(&self, z: f64) -> Estimate {
        let (Some(mean), Some(variance)) = (self.mean(), self.variance()) else {
            return Estimate::default();
        };
        let distance = mean - self.fair();
        if variance <= 0.0 {
            let value = (distance.abs() < 1e-12).then_some(0.0);
            return Estimate { value, low: None, high: None };
        }
        let scale = NORMALISED_ELO_PER_SIGMA / (self.games as f64).sqrt();
        let value = distance / variance.sqrt() * scale;
        let half = z / (self.blocks() as f64).sqrt() * scale;
        Estimate { value: Some(value), low: Some(value - half), high: Some(value + half) }
    }

    /// Likelihood of superiority, Φ((μ - 1/n) √N / σ): how sure it is that the player wins more than its
    /// share. Where all N blocks are alike, the posterior of a uniform prior: 1 - n^-(N+1) or
    /// (1 - 1/n)^(N+1). ½ without a block.
    pub fn superiority(&self) -> f64 {
        let (Some(mean), Some(variance)) = (self.mean(), self.variance()) else { return 0.5 };
        let (fair, blocks) = (self.fair(), self.blocks() as f64);
        let distance = mean - fair;
        if distance.abs() < 1e-12 {
            0.5
        } else if variance > 0.0 {
            Normal::standard().cdf(distance * (blocks / variance).sqrt())
        } else if distance > 0.0 {
            1.0 - libm::pow(fair, blocks + 1.0)
        } else {
            libm::pow(1.0 - fair, blocks + 1.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(seats: usize, games: usize, counts: &[(u32, u64)]) -> BlockScores {
        let mut scores = BlockScores::new(seats, games);
        counts.iter().for_each(|&(units, blocks)| scores.add(units, blocks));
        scores
    }

    #[test]
    fn a_perfect_score_is_not_infinite() {
        // 100 of 100 independent games: p >= 0.025^(1/100) = 0.9638.
        let won = of(2, 1, &[(60, 100)]);
        let elo = won.elo(1.959_963_984_540_054);
        assert!((elo.low.unwrap() - elo_of_share(0.963_782_1, 2).unwrap()).abs() < 0.01, "{elo:?}");
        assert_eq!(elo.to_string(), "at least +570.0");
        let lost = of(2, 1, &[(0, 100)]).elo(1.959_963_984_540_054);
        assert_eq!(lost.to_string(), "at most -570.0");
        assert_eq!(won.normalised_elo(1.96), Estimate::default());
        assert!(won.superiority() > 0.999);
    }

    #[test]
    fn limits_are_finite() {
        for seats in 2..=6 {
            let most = 60 * seats as u32;
            for counts in [
                vec![],
                vec![(0, 1)],
                vec![(most, 1)],
                vec![(60, 1)],
                vec![(60, 500)],
                vec![(0, 1), (most, 1_000_000)],
            ] {
                let scores = of(seats, seats, &counts);
                let (elo, normalised) = (scores.elo(1.96), scores.normalised_elo(1.96));
                for number in
                    [elo.value, elo.low, elo.high, normalised.value, normalised.low, normalised.high]
                {
                    assert!(number.is_none_or(f64::is_finite), "{seats} {counts:?}");
                }
                assert!((0.0..=1.0).contains(&scores.superiority()));
            }
        }
    }

    #[test]
    fn blocks_that_cancel_still_have_a_width() {
        let elo = of(2, 2, &[(60, 1_000)]).elo(1.96);
        assert_eq!(elo.value, Some(0.0));
        assert!(elo.error().unwrap() > 1.0);
    }

    #[test]
    fn equal_players_at_any_table_have_no_elo_between_them() {
        // One game in four blocks of each kind won: the mean is 1/n.
        let scores = of(4, 4, &[(0, 25), (60, 50), (120, 25)]);
        assert!(scores.elo(1.96).value.unwrap().abs() < 1e-9);
        assert_eq!(scores.superiority(), 0.5);
    }
}
