//! Who plays. One file an agent; they know games only through the traits of [`crate::game`].
//!
//! [`registry`] turns text (`greedy`, `threshold:margin=4`, a profile) into an agent.

pub mod flat;
pub mod greedy;
pub mod human;
pub mod mcts;
pub mod parameters;
pub mod random;
pub mod registry;
pub mod search;
pub mod threshold;

use crate::game::{Game, Seat};
use crate::streams::Stream;

/// A player of one game. Built anew or reset by [`Agent::begin`] for each game, dropped after a fault.
pub trait Agent<G: Game>: Send {
    /// A new game begins: forget everything about the last one.
    fn begin(&mut self, _game: &G, _seat: Seat) {}

    /// Chooses one of the legal actions of `seat`, which decides (perhaps among others) in `state`. All
    /// randomness comes from `stream`, the agent's own.
    fn choose(&mut self, game: &G, state: &G::State, seat: Seat, stream: &mut Stream) -> G::Action;

    /// The probability of each action that [`Agent::choose`] might take, where the agent can say: for exact
    /// evaluation. Probabilities are positive and add to 1.
    fn policy(&mut self, _game: &G, _state: &G::State, _seat: Seat) -> Option<Vec<(G::Action, f64)>> {
        None
    }

    /// Why it would choose what it chooses, in numbers, where the agent can say.
    fn explain(&mut self, _game: &G, _state: &G::State, _seat: Seat) -> Option<Explanation<G::Action>> {
        None
    }
}

/// An agent's reasons: what it expects of each action, best first.
#[derive(Clone, PartialEq, Debug)]
pub struct Explanation<A> {
    /// What the numbers are, for people ("estimated win share after the move").
    pub measure: &'static str,
    /// Actions and their numbers, best first.
    pub options: Vec<(A, f64)>,
    /// Further remarks, a line each.
    pub remarks: Vec<String>,
}
