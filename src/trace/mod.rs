//! Traces: one game as JSON lines, written by a [`Writer`] and held against the rules by [`replay`].
//!
//! An outsider can referee a game from its trace alone. Each line is an object with a `kind`:
//!
//! | kind | fields besides `state` |
//! |------|------------------------|
//! | `start` | `dhow` (version), `game`, `rules` (every switch), `data` (what switches loaded, if they did), `seats`, `agents` (one for each seat), `seed`, `phase`, `block`, `rotation` |
//! | `chance` | `source` (`luck`, and `seat` where it is per seat), `distribution` (a list of [action, probability]), `action` |
//! | `decision` | `seat`, `actions` (all legal ones), `action` |
//! | `simultaneous` | `seats`, `actions` (a list for each of them), `joint` (the choice of each) |
//! | `end` | `outcome`: `ending`, and for each seat `seat`, `win_share`, `payoff`, `rank`, `score`; no `state` |
//!
//! `state` is the state after the step (in `start`, the first one). Actions are in their text form. Seats
//! count from 1 everywhere except inside `state`, where they count from 0. A reader takes no other key, and
//! does without none of these.

mod replay;
mod writer;

pub use replay::{ReplayError, Verified, replay};
pub use writer::{Header, Writer};

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize};

use crate::game::{Game, Outcome, Seat, SeatSet, Source};

/// What happened in one step of a game.
#[derive(Clone, PartialEq, Debug)]
pub enum Step<A> {
    /// Luck gave this.
    Chance(Source, A),
    /// A seat chose this.
    Decision(Seat, A),
    /// These seats chose at once, one action each, ascending.
    Simultaneous(SeatSet, Vec<A>),
}

impl<A> Step<A> {
    /// How many choices of agents the step holds.
    pub fn decisions(&self) -> u32 {
        match self {
            Step::Chance(..) => 0,
            Step::Decision(..) => 1,
            Step::Simultaneous(_, actions) => actions.len() as u32,
        }
    }
}

/// A source of luck by name.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SourceRecord {
    luck: Cow<'static, str>,
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    seat: Option<usize>,
}

/// A key that may be left out, but is no `null` where it stands.
fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(input: D) -> Result<Option<T>, D::Error> {
    T::deserialize(input).map(Some)
}

impl SourceRecord {
    fn of<G: Game>(game: &G, source: Source) -> SourceRecord {
        let luck = Cow::Borrowed(game.luck()[source.kind as usize].name);
        SourceRecord { luck, seat: source.seat.map(Seat::number) }
    }
}

/// An outcome as it stands in a trace.
#[derive(Clone, PartialEq, Debug, Serialize)]
struct OutcomeRecord {
    ending: &'static str,
    results: Vec<SeatRecord>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
struct SeatRecord {
    seat: usize,
    win_share: f64,
    payoff: f64,
    rank: u8,
    score: i32,
}

impl OutcomeRecord {
    fn of(outcome: &Outcome) -> OutcomeRecord {
        let result = |seat: Seat| {
            let result = outcome.results()[seat.index()];
            SeatRecord {
                seat: seat.number(),
                win_share: outcome.win_share(seat),
                payoff: result.payoff,
                rank: result.rank,
                score: result.score,
            }
        };
        let results = Seat::all(outcome.results().len()).map(result).collect();
        OutcomeRecord { ending: outcome.ending(), results }
    }
}

fn texts<A: ToString>(actions: &[A]) -> Vec<String> {
    actions.iter().map(A::to_string).collect()
}
