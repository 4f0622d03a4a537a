//! The first games of a line-up are looked at more closely: whether games repeat each other move for move, and
//! who leads when. So many games say enough, and the others stay as fast as they are.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

use serde::{Deserialize, Serialize};
use siphasher::sip::SipHasher13;

use super::game_loop::GameRecord;
use crate::game::{Heuristics, MAX_SEATS, Memo};
use crate::statistics::{GameShape, Shapes};

/// So many games of a line-up are watched, rounded up to whole blocks.
pub const WATCHED_GAMES: u64 = 1_000;

/// Told of every event of a game.
pub trait Watch<G: Heuristics> {
    /// Something happened: what was done (several choices at a simultaneous node), and the state after it.
    fn event(&mut self, game: &G, actions: &[G::Action], after: &G::State);
}

/// Does not look.
pub struct Unwatched;

impl<G: Heuristics> Watch<G> for Unwatched {
    #[inline]
    fn event(&mut self, _game: &G, _actions: &[G::Action], _after: &G::State) {}
}

/// What was seen over many games.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Watched {
    /// How often each game was played, by the hash of all its events.
    pub games: BTreeMap<u64, u64>,
    /// Who led when, by the game's own estimate at the end of each turn.
    pub shapes: Shapes,
}

impl Watched {
    /// Adds what was seen in others.
    pub fn merge(&mut self, other: &Watched) {
        for (&game, &times) in &other.games {
            *self.games.entry(game).or_default() += times;
        }
        self.shapes.merge(&other.shapes);
    }

    /// Games that were watched.
    pub fn count(&self) -> u64 {
        self.games.values().sum()
    }
}

/// Looks at one game after the other.
pub struct Watcher {
    hash: SipHasher13,
    shape: GameShape,
    turn: Option<u32>,
    /// From turn to turn little changes of what a value is made of: halves what watching a game of Alhambra takes.
    memo: Memo,
}

impl Watcher {
    /// For tables of so many seats.
    pub fn new(seats: usize) -> Watcher {
        Watcher { hash: SipHasher13::new(), shape: GameShape::new(seats), turn: None, memo: Memo::default() }
    }

    /// A new game begins.
    pub fn begin(&mut self) {
        self.hash = SipHasher13::new();
        self.shape.begin();
        self.turn = None;
    }

    /// The game is over.
    pub fn finish(&self, record: &GameRecord, seats: usize, seen: &mut Watched) {
        *seen.games.entry(self.hash.finish()).or_default() += 1;
        let units: [u32; MAX_SEATS] = std::array::from_fn(|seat| record.seats[seat].share_units as u32);
        self.shape.finish(&units[..seats], &mut seen.shapes);
    }
}

impl<G: Heuristics> Watch<G> for Watcher {
    fn event(&mut self, game: &G, actions: &[G::Action], after: &G::State) {
        actions.hash(&mut self.hash);
        // One estimate a turn: in the middle of a turn it mostly says who is moving.
        let turn = game.turn_id(after);
        if self.turn.is_some_and(|last| last != turn) {
            let mut values = [0.0; MAX_SEATS];
            game.value_near(after, &mut self.memo, &mut values[..game.seats()]);
            self.shape.observe(&values[..game.seats()]);
        }
        self.turn = Some(turn);
    }
}
