//! What some blocks of a job gave: the unit that is counted, checkpointed and merged.

use serde::{Deserialize, Serialize};

use super::asked::Asked;
use super::pooled::Pooled;
use super::runner::Job;
use super::tally::{Tally, Timing};
use super::watch::Watched;
use crate::game::Game;
use crate::statistics::Finishes;

/// Faults kept with all details; more are only counted.
const MAX_FAULTS: usize = 100;

/// A game that broke off. Its whole block is left out of every rate.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Fault {
    /// Its block.
    pub block: u64,
    /// Which game of the block.
    pub rotation: usize,
    /// What happened.
    pub message: String,
}

/// What came of one line-up.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Played {
    /// What was counted.
    pub tally: Tally,
    /// Time per decision.
    pub timing: Timing,
    /// Games that broke off, the first hundred.
    pub faults: Vec<Fault>,
    /// What a closer look at the first games showed.
    pub watched: Watched,
}

/// What some blocks of a job gave.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Part {
    /// By line-up.
    pub line_ups: Vec<Played>,
    /// Over all line-ups, where there are several.
    pub pooled: Option<Pooled>,
    /// Who came in before whom, where agents met.
    pub finishes: Option<Finishes>,
    /// What was counted beyond the tables.
    pub asked: Asked,
}

impl Part {
    /// An empty one.
    pub fn new<G: Game>(game: &G, job: &Job<'_>) -> Part {
        let empty = |line_up| Played {
            tally: Tally::new(line_up, game.endings().len(), job.by),
            timing: Timing::default(),
            faults: Vec::new(),
            watched: Watched::default(),
        };
        Part {
            line_ups: job.line_ups.iter().map(empty).collect(),
            pooled: (job.line_ups.len() > 1).then(|| Pooled::new(job.agents.len(), game.seats())),
            finishes: job
                .line_ups
                .iter()
                .any(|line_up| !line_up.is_self_play())
                .then(|| Finishes::new(job.agents.len(), game.seats())),
            asked: Asked::new(job),
        }
    }

    /// Adds the blocks that come after its own.
    pub fn merge(&mut self, later: &Part) {
        for (own, theirs) in self.line_ups.iter_mut().zip(&later.line_ups) {
            own.tally.merge(&theirs.tally);
            own.timing.merge(&theirs.timing);
            own.watched.merge(&theirs.watched);
            let room = MAX_FAULTS.saturating_sub(own.faults.len());
            own.faults.extend(theirs.faults.iter().take(room).cloned());
        }
        if let (Some(own), Some(theirs)) = (&mut self.pooled, &later.pooled) {
            own.merge(theirs);
        }
        if let (Some(own), Some(theirs)) = (&mut self.finishes, &later.finishes) {
            own.merge(theirs);
        }
        self.asked.merge(&later.asked);
    }

    /// Games counted, over all line-ups.
    pub fn games(&self) -> u64 {
        self.line_ups.iter().map(|played| played.tally.games).sum()
    }

    /// Games that broke off.
    pub fn faults(&self) -> impl Iterator<Item = &Fault> {
        self.line_ups.iter().flat_map(|played| &played.faults)
    }
}
