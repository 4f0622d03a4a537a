//! Play on until it is settled: looks at the verdict of each line-up at fixed numbers of blocks.
//!
//! Blocks are fed in their order, and a line-up can only end at a look, the places of which are the same for
//! every run. The result is therefore the same for any number of threads and batches, and for a run that was
//! broken off and resumed.

use std::ops::Range;

use super::asked::Units;
use super::runner::Job;
use crate::game::SHARE_UNITS;
use crate::statistics::{CONFIDENCE, Interval, Settling, Verdict};

/// Blocks before the first look, and between looks at least.
const LEAST: u64 = 256;

/// The number of blocks at the look after that at `blocks`: 256 more, or a sixteenth where that is more, so
/// that a fast game is not held up by its looks and plays a sixteenth too much at most.
fn next_look(blocks: u64) -> u64 {
    blocks + (blocks / 16 / LEAST * LEAST).max(LEAST)
}

/// How a line-up stands that was played until it was settled.
#[derive(Clone, PartialEq, Debug)]
pub struct Settled {
    /// The verdict: not settled if the games allowed were too few.
    pub verdict: Verdict,
    /// The confidence sequence of each seat: together they hold whenever the run stops.
    pub intervals: Vec<Interval>,
}

/// Watches the line-ups of a job; where no verdict is asked for, it lets everything be played.
pub(super) struct Looks {
    line_ups: Vec<Watched>,
    /// Whether each line-up goes on.
    pub active: Vec<bool>,
}

struct Watched {
    settling: Settling,
    seats: usize,
    /// Units in a whole block.
    whole: f64,
    fed: u64,
    look: u64,
}

impl Looks {
    pub(super) fn new(job: &Job<'_>) -> Looks {
        let watched = |margin: f64| {
            let line_ups = job.line_ups.iter().map(|line_up| Watched {
                settling: Settling::new(line_up.seats(), margin, CONFIDENCE),
                seats: line_up.seats(),
                whole: (line_up.games_per_block() as u32 * SHARE_UNITS) as f64,
                fed: 0,
                look: next_look(0),
            });
            line_ups.collect()
        };
        Looks { line_ups: job.ask.settle.map_or(Vec::new(), watched), active: vec![true; job.line_ups.len()] }
    }

    /// Takes the blocks that follow, by line-up.
    pub(super) fn feed(&mut self, units: &[Vec<Units>]) {
        for ((watched, active), blocks) in self.line_ups.iter_mut().zip(&mut self.active).zip(units) {
            for block in blocks {
                // A block that broke off does not count, but keeps its place.
                if block.iter().any(|&units| units > 0) {
                    let whole = watched.whole;
                    let shares = block[..watched.seats].iter().map(|&units| units as f64 / whole);
                    watched.settling.add_block(shares);
                }
                watched.fed += 1;
                if watched.fed == watched.look {
                    *active &= watched.settling.verdict() == Verdict::NotSettled(None);
                    watched.look = next_look(watched.look);
                }
            }
        }
    }

    /// Whether anything is left to play.
    pub(super) fn goes_on(&self) -> bool {
        self.active.iter().any(|&active| active)
    }

    /// The part of `blocks` up to the next look; a job begins at block `start`.
    pub(super) fn cut(&self, start: u64, blocks: Range<u64>) -> u64 {
        if self.line_ups.is_empty() {
            return blocks.end;
        }
        let mut look = next_look(0);
        while start + look <= blocks.start {
            look = next_look(look);
        }
        blocks.end.min(start + look)
    }

    /// How each line-up stands, where that was asked.
    pub(super) fn standing(&self) -> Vec<Settled> {
        let line_ups = self.line_ups.iter();
        let standing = |watched: &Watched| Settled {
            verdict: watched.settling.verdict(),
            intervals: watched.settling.intervals().collect(),
        };
        line_ups.map(standing).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_stand_at_fixed_places_and_grow_apart() {
        let mut looks = vec![next_look(0)];
        while looks[looks.len() - 1] < 100_000 {
            looks.push(next_look(looks[looks.len() - 1]));
        }
        assert_eq!(looks[..4], [256, 512, 768, 1_024]);
        assert!(looks.windows(2).all(|pair| pair[1] > pair[0] && pair[1] - pair[0] <= 256.max(pair[0] / 16)));
        assert!(looks.len() < 100, "{}", looks.len());
    }
}
