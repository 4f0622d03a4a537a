//! Play on until it is settled: the three verdicts by confidence sequence, at any time.

use super::balance::Verdict;
use super::interval::Interval;
use super::sequences::{BATCH, Betting};

/// One confidence sequence a seat at joint confidence, fed block by block; a run may look at its verdict
/// after every block and stop as soon as there is one, without any price for having looked.
#[derive(Clone, Debug)]
pub struct Settling {
    seats: Vec<Betting>,
    margin: f64,
}

impl Settling {
    /// For `seats` seats against the fair share 1/n ± `margin` at joint confidence `confidence` (Bonferroni).
    pub fn new(seats: usize, margin: f64, confidence: f64) -> Settling {
        // With two seats the second share is one less the first: a single question.
        let questions = if seats == 2 { 1.0 } else { seats as f64 };
        let alpha = (1.0 - confidence) / questions;
        Settling { seats: vec![Betting::new(alpha, BATCH); seats], margin }
    }

    /// Adds a block, which must come in block order: the mean win share of each seat in it, in [0, 1].
    pub fn add_block(&mut self, shares: impl IntoIterator<Item = f64>) {
        self.seats.iter_mut().zip(shares).for_each(|(seat, share)| seat.add_block(share));
    }

    /// The interval of each seat, good at all times at once.
    pub fn intervals(&self) -> impl Iterator<Item = Interval> + '_ {
        self.seats.iter().map(Betting::interval)
    }

    /// The verdict so far. Once balanced or unbalanced it stays so.
    pub fn verdict(&self) -> Verdict {
        let fair = 1.0 / self.seats.len() as f64;
        let (low, high) = (fair - self.margin, fair + self.margin);
        if self.intervals().any(|interval| interval.outside(low, high)) {
            Verdict::Unbalanced
        } else if !self.seats.is_empty() && self.intervals().all(|interval| interval.within(low, high)) {
            Verdict::Balanced
        } else {
            Verdict::NotSettled(None)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::streams::Stream;

    /// Blocks of two games between equal players whose first seat wins at rate `p`, until settled.
    fn settle(p: f64, seed: u128) -> (Verdict, u32) {
        let (mut settling, mut stream) = (Settling::new(2, 0.05, 0.95), Stream::new(seed));
        for block in 0..200_000 {
            let mut won = || (stream.unit() < p) as u8 as f64;
            let share = (won() + won()) / 2.0;
            settling.add_block([share, 1.0 - share]);
            if settling.verdict() != Verdict::NotSettled(None) {
                return (settling.verdict(), block);
            }
        }
        (settling.verdict(), u32::MAX)
    }

    #[test]
    fn stops_with_the_right_verdict_and_sooner_where_it_is_clear() {
        let (fair, blocks) = settle(0.5, 1);
        assert_eq!(fair, Verdict::Balanced);
        assert!(blocks < 20_000, "{blocks}");
        let (biased, sooner) = settle(0.7, 2);
        assert_eq!(biased, Verdict::Unbalanced);
        assert!(sooner < blocks, "{sooner} {blocks}");
    }

    #[test]
    fn nothing_played_settles_nothing() {
        assert_eq!(Settling::new(4, 0.02, 0.95).verdict(), Verdict::NotSettled(None));
        assert_eq!(Settling::new(0, 0.02, 0.95).verdict(), Verdict::NotSettled(None));
    }
}
