//! What a job counts beyond the tables, where it is asked to: integers by block, so that shards, resumed runs
//! and any number of threads give the same.

use serde::{Deserialize, Serialize};

use super::game_loop::GameRecord;
use super::runner::Job;
use crate::game::MAX_SEATS;
use crate::statistics::HandicapArm;

/// What is asked for.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Ask<'a> {
    /// The handicap of each seat, for a fit over the arms of a sweep; empty: not asked.
    pub handicaps: &'a [i64],
    /// Play each line-up until its verdict against this margin is settled, the job's games at most.
    pub settle: Option<f64>,
}

/// Units of win share of each seat in one block; all 0 if a game of it broke off.
pub type Units = [u16; MAX_SEATS];

/// What was counted.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Asked {
    /// By line-up; empty if not asked.
    pub handicaps: Vec<HandicapArm>,
    /// By line-up: its blocks in order, up to where it was settled; empty if not asked. The runner hands
    /// them on batch by batch and keeps none.
    pub units: Vec<Vec<Units>>,
}

impl Asked {
    /// An empty one.
    pub fn new(job: &Job<'_>) -> Asked {
        let line_ups = job.line_ups.len();
        Asked {
            handicaps: match job.ask.handicaps {
                [] => Vec::new(),
                handicaps => vec![HandicapArm::new(handicaps); line_ups],
            },
            units: job.ask.settle.map_or(Vec::new(), |_| vec![Vec::new(); line_ups]),
        }
    }

    /// Whether anything is asked for.
    pub(super) fn is_any(&self) -> bool {
        !(self.handicaps.is_empty() && self.units.is_empty())
    }

    /// Counts a block of a line-up at a table of `seats`; without games if it broke off.
    pub fn add_block(&mut self, line_up: usize, block: u64, seats: usize, games: &[GameRecord]) {
        if !self.is_any() {
            return;
        }
        let mut units: Units = [0; MAX_SEATS];
        for game in games {
            for (sum, seat) in units.iter_mut().zip(&game.seats[..seats]) {
                *sum += seat.share_units as u16;
            }
        }
        if let (Some(arm), false) = (self.handicaps.get_mut(line_up), games.is_empty()) {
            arm.add_block(block, games.len() as u64, &units.map(u64::from)[..seats]);
        }
        if let Some(blocks) = self.units.get_mut(line_up) {
            blocks.push(units);
        }
    }

    /// Adds the blocks that come after its own.
    pub fn merge(&mut self, later: &Asked) {
        self.handicaps.iter_mut().zip(&later.handicaps).for_each(|(own, theirs)| own.merge(theirs));
        self.units.iter_mut().zip(&later.units).for_each(|(own, theirs)| own.extend_from_slice(theirs));
    }

    /// Lets the blocks go that have been looked at: memory must not grow with the games.
    pub fn forget_units(&mut self) {
        self.units.iter_mut().for_each(Vec::clear);
    }
}
