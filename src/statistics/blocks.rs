//! Games of one block share a deal and are not independent: the block is the sampling unit.

use serde::{Deserialize, Serialize};

use super::interval::{Interval, wilson};
use crate::game::SHARE_UNITS;

/// Below so many blocks their variance says too little to be used.
pub(super) const FEW_BLOCKS: u64 = 30;

/// Sums over blocks of (seatings, win share), from which the share and its interval follow. All integers:
/// the order of adding does not matter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Clusters {
    blocks: u64,
    seatings: u64,
    units: u64,
    units_squared: u128,
    units_seatings: u128,
    seatings_squared: u128,
}

impl Clusters {
    /// Adds a block in which somebody sat `seatings` times and won `units` units of share in all.
    /// A block without a seating does not count.
    #[inline]
    pub fn add_block(&mut self, seatings: u64, units: u64) {
        self.blocks += (seatings > 0) as u64;
        self.seatings += seatings;
        self.units += units;
        self.units_squared += units as u128 * units as u128;
        self.units_seatings += units as u128 * seatings as u128;
        self.seatings_squared += seatings as u128 * seatings as u128;
    }

    /// Adds `blocks` blocks, in each of which somebody sat `seatings` times, at least once: the units won in all
    /// of them, and the sum of the squares of what was won in each.
    pub fn add_blocks(&mut self, blocks: u64, seatings: u64, units: u64, units_squared: u64) {
        self.blocks += blocks;
        self.seatings += blocks * seatings;
        self.units += units;
        self.units_squared += units_squared as u128;
        self.units_seatings += units as u128 * seatings as u128;
        self.seatings_squared += blocks as u128 * (seatings as u128 * seatings as u128);
    }

    /// Adds all blocks of another.
    pub fn merge(&mut self, other: &Clusters) {
        self.blocks += other.blocks;
        self.seatings += other.seatings;
        self.units += other.units;
        self.units_squared += other.units_squared;
        self.units_seatings += other.units_seatings;
        self.seatings_squared += other.seatings_squared;
    }

    /// How many blocks had a seating.
    pub fn blocks(&self) -> u64 {
        self.blocks
    }

    /// How many seatings.
    pub fn seatings(&self) -> u64 {
        self.seatings
    }

    /// Mean win share, `None` without a seating.
    pub fn share(&self) -> Option<f64> {
        (self.seatings > 0).then(|| self.units as f64 / (SHARE_UNITS as f64 * self.seatings as f64))
    }

    /// The number of independent games that would say as much: N / deff with deff = m s² / (p (1 - p)), m
    /// the mean seatings a block, s² the variance of block means (of the ratio estimator's residuals where
    /// blocks differ in size), with two pseudo-blocks added, one all won and one all lost. The number of
    /// blocks where these are few or the share is 0 or 1; never below 1.
    pub fn effective(&self) -> f64 {
        let blocks = self.blocks as f64;
        let Some(p) = self.share() else { return 1.0 };
        if self.blocks < FEW_BLOCKS || p <= 0.0 || p >= 1.0 {
            return blocks.max(1.0);
        }
        let unit = SHARE_UNITS as f64;
        let m = self.seatings as f64 / blocks;
        // Sum over blocks of (units/60 - p seatings)², in exact integers until the last step.
        let squares = self.units_squared as f64 / (unit * unit) - 2.0 * p * self.units_seatings as f64 / unit
            + p * p * self.seatings_squared as f64;
        let pseudo = m * m * ((1.0 - p) * (1.0 - p) + p * p);
        let variance = (squares.max(0.0) + pseudo) / (m * m) / (blocks + 1.0);
        (blocks * p * (1.0 - p) / variance).max(1.0)
    }

    /// How many times the games needed for the same certainty if all were independent.
    pub fn design_effect(&self) -> f64 {
        self.seatings as f64 / self.effective()
    }

    /// The block-aware Wilson interval of the share, `None` without a seating.
    pub fn interval(&self, z: f64) -> Option<Interval> {
        self.share().map(|share| wilson(share, self.effective(), z))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNIT: u64 = SHARE_UNITS as u64;

    fn of(blocks: impl IntoIterator<Item = (u64, u64)>) -> Clusters {
        let mut clusters = Clusters::default();
        blocks.into_iter().for_each(|(seatings, wins)| clusters.add_block(seatings, wins * UNIT));
        clusters
    }

    #[test]
    fn independent_games_count_in_full() {
        // 1,000 blocks of one game, half of them won: s² = p(1-p) up to the pseudo-blocks.
        let clusters = of((0..1_000).map(|block| (1, block % 2)));
        assert!((clusters.design_effect() - 1.0).abs() < 0.002, "{}", clusters.design_effect());
    }

    #[test]
    fn games_that_repeat_their_block_count_once() {
        let clusters = of((0..1_000).map(|block| (4, 4 * (block % 2))));
        assert!((clusters.design_effect() - 4.0).abs() < 0.01, "{}", clusters.design_effect());
    }

    #[test]
    fn blocks_that_cancel_are_worth_more_and_the_width_stays_positive() {
        let clusters = of((0..1_000).map(|_| (2, 1)));
        assert!(clusters.effective() > 2_000.0);
        let interval = clusters.interval(1.96).unwrap();
        assert!(interval.low < 0.5 && 0.5 < interval.high);
    }

    #[test]
    fn limits_are_finite() {
        assert_eq!(Clusters::default().interval(1.96), None);
        let perfect = of((0..100).map(|_| (1, 1)));
        assert!((perfect.interval(1.959_963_985).unwrap().low - 0.96301).abs() < 5e-6);
        let one = of([(1, 0)]);
        assert_eq!(one.effective(), 1.0);
        assert!(one.interval(1.96).unwrap().high > 0.5);
    }

    #[test]
    fn merging_equals_adding() {
        let all = of((0..50).map(|block| (1 + block % 3, block % 2)));
        let mut halves = of((0..20).map(|block| (1 + block % 3, block % 2)));
        halves.merge(&of((20..50).map(|block| (1 + block % 3, block % 2))));
        assert_eq!(all, halves);
    }

    #[test]
    fn many_blocks_of_a_size_at_once() {
        let units = [0, 30, 60, 60, 120, 90];
        let mut one_by_one = Clusters::default();
        units.iter().for_each(|&units| one_by_one.add_block(2, units));
        let mut at_once = Clusters::default();
        at_once.add_blocks(6, 2, units.iter().sum(), units.iter().map(|units| units * units).sum());
        assert_eq!(one_by_one, at_once);
    }
}
