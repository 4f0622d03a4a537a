//! `random`: every legal action with the same probability.

use super::Agent;
use super::registry::Entry;
use crate::game::{Game, Seat};
use crate::streams::Stream;

/// What [`super::registry`] shows.
pub const ENTRY: Entry =
    Entry { name: "random", summary: "every legal action with the same probability", parameters: &[] };

/// Plays uniformly at random.
pub struct Random<G: Game> {
    buffer: Vec<G::Action>,
}

impl<G: Game> Random<G> {
    /// A new one; all are alike.
    pub fn new() -> Random<G> {
        Random { buffer: Vec::new() }
    }
}

impl<G: Game> Default for Random<G> {
    fn default() -> Random<G> {
        Random::new()
    }
}

impl<G: Game> Agent<G> for Random<G> {
    #[inline]
    fn choose(&mut self, game: &G, state: &G::State, seat: Seat, stream: &mut Stream) -> G::Action {
        game.random_action(state, seat, stream, &mut self.buffer)
    }

    fn is_uniform(&self) -> bool {
        true
    }

    fn policy(&mut self, game: &G, state: &G::State, seat: Seat) -> Option<Vec<(G::Action, f64)>> {
        game.actions(state, seat, &mut self.buffer);
        let probability = 1.0 / self.buffer.len() as f64;
        Some(self.buffer.iter().map(|&action| (action, probability)).collect())
    }
}
