//! Who plays. One file an agent; they know games only through the traits of [`crate::game`].
//!
//! [`registry`] turns text (`greedy`, `threshold:margin=4`, a profile) into an agent.

pub mod expectimax;
pub mod flat;
pub mod greedy;
pub mod human;
pub mod matrix;
pub mod mcts;
pub mod parameters;
pub mod random;
pub mod ranking;
pub mod registry;
pub mod restricted;
pub mod search;
pub mod threshold;
pub mod two_turn;

use crate::game::{Game, Seat};
use crate::streams::Stream;

/// A player of one game. Built anew or reset by [`Agent::begin`] for each game, dropped after a fault.
pub trait Agent<G: Game>: Send {
    /// A new game begins: forget everything about the last one.
    fn begin(&mut self, _game: &G, _seat: Seat) {}

    /// Chooses one of the legal actions of `seat`, which decides (perhaps among others) in `state`. All
    /// randomness comes from `stream`, the agent's own.
    fn choose(&mut self, game: &G, state: &G::State, seat: Seat, stream: &mut Stream) -> G::Action;

    /// Whether every choice is [`Game::random_action`] with the agent's stream. Where all players are of that
    /// kind, the game loop asks the game itself: no call through a pointer at every decision.
    fn is_uniform(&self) -> bool {
        false
    }

    /// The exact probability with which [`Agent::choose`] takes each action in `state`, over all streams; `None`
    /// where the agent cannot say (it samples, or what it does depends on more than the state). For exact
    /// evaluation ([`crate::solve`]).
    ///
    /// Every action with a probability above 0 is listed once, and they add to 1 but for rounding. The answer
    /// depends on the match, the state and the seat alone, not on what was asked or played before, and is the
    /// same for states with the same future ([`crate::game::Heuristics::search_key`]). At a joint choice it is
    /// the seat's own mix, whatever the others do. Where something is hidden, `state` is what `choose` would be
    /// handed: a sample of what the seat may know.
    fn policy(&mut self, _game: &G, _state: &G::State, _seat: Seat) -> Option<Vec<(G::Action, f64)>> {
        None
    }

    /// Why it would choose what it chooses, in numbers, where the agent can say. An agent that samples does so by
    /// `luck`, which is never the game's or the agent's own stream: asking changes no game.
    fn explain(
        &mut self,
        _game: &G,
        _state: &G::State,
        _seat: Seat,
        _luck: &mut Stream,
    ) -> Option<Explanation<G::Action>> {
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

impl<A> Explanation<A> {
    /// Whether the numbers are payoffs, as their name says: what is gained or lost by another action is then
    /// their difference.
    pub fn in_payoffs(&self) -> bool {
        self.measure.contains("payoff")
    }
}
