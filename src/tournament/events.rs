//! What the runner tells those who listen: the progress bar, the tables, the writers. It prints nothing.

use std::ops::Range;

use super::game_loop::GameRecord;
use super::part::{Fault, Part};

/// Something that happened in a run.
#[derive(Clone, Debug)]
pub enum Event<'a> {
    /// A line-up begins; so many games will be played.
    Begin {
        /// Games to play, those of an earlier sitting included.
        games: u64,
        /// Games that an earlier sitting played.
        done: u64,
    },
    /// A batch of whole blocks is done and counted, in block order.
    Batch {
        /// Its blocks.
        blocks: Range<u64>,
        /// What they gave.
        part: &'a Part,
        /// Per-game records in block order, empty unless asked for.
        records: &'a [GameRecord],
    },
    /// A game broke off.
    Fault(&'a Fault),
    /// The line-up is done, or was stopped.
    End,
}

/// Who listens.
pub trait Listener {
    /// Hears an event.
    ///
    /// # Errors
    /// A listener that cannot go on (a full disk) ends the run after this batch.
    fn hear(&mut self, event: Event<'_>) -> std::io::Result<()>;
}

/// Hears nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Listener for Silent {
    fn hear(&mut self, _event: Event<'_>) -> std::io::Result<()> {
        Ok(())
    }
}
