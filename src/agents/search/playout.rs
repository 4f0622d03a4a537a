//! From a leaf of the search to a payoff for each seat: playouts, and where they stop.

use super::arena::Payoffs;
use super::options::{Cut, Player, Playout};
use crate::agents::Agent;
use crate::agents::greedy::Greedy;
use crate::game::{Game, Heuristics, MAX_SEATS, Turn};
use crate::streams::Stream;

/// Plays on from leaves. Holds buffers, so that a playout allocates nothing.
pub struct Playouts<G: Game> {
    how: Playout,
    greedy: Greedy<G>,
    actions: Vec<G::Action>,
    joint: Vec<G::Action>,
}

impl<G: Heuristics> Playouts<G> {
    /// Playouts of one kind.
    pub fn new(how: Playout) -> Playouts<G> {
        Playouts { how, greedy: Greedy::new(), actions: Vec::new(), joint: Vec::new() }
    }

    /// The turn that a leaf's predecessor belongs to, where that matters: see [`Playouts::run`].
    #[inline]
    pub fn turn_before(&self, game: &G, state: &G::State) -> u32 {
        if self.how.cut == Cut::Turn { game.turn_id(state) } else { 0 }
    }

    /// Plays on from `state` and gives everybody's payoff: the outcome's at the end of a game, the value's
    /// where the playout is cut. `before` is [`Playouts::turn_before`] of the state before the last action:
    /// a leaf in which a new turn begins is judged at once.
    #[inline]
    pub fn run(&mut self, game: &G, state: &mut G::State, before: u32, stream: &mut Stream) -> Payoffs {
        match self.how {
            Playout { player: Player::Random, cut: Cut::Game } => self.random_to_the_end(game, state, stream),
            _ => self.run_any(game, state, before, stream),
        }
    }

    /// Random players to the end of the game: a loop of its own, in which nothing is asked but the game, and with
    /// one place where an action is applied.
    fn random_to_the_end(&mut self, game: &G, state: &mut G::State, stream: &mut Stream) -> Payoffs {
        loop {
            let action = match game.turn(state) {
                Turn::Decision(seat) => game.random_action(state, seat, stream, &mut self.actions),
                Turn::Chance(_) => game.sample_chance(state, stream.word()),
                Turn::Simultaneous(seats) => {
                    self.joint.clear();
                    for seat in seats.iter() {
                        self.joint.push(game.random_action(state, seat, stream, &mut self.actions));
                    }
                    game.apply_together(state, &self.joint);
                    continue;
                }
                Turn::Over => return payoffs(game, state),
            };
            game.apply(state, action);
        }
    }

    fn run_any(&mut self, game: &G, state: &mut G::State, before: u32, stream: &mut Stream) -> Payoffs {
        let mut steps = 0;
        loop {
            let stop = match self.how.cut {
                Cut::Game => false,
                Cut::Turn => game.turn_id(state) != before,
                Cut::Depth(most) => steps == most,
            };
            if stop {
                return value(game, state);
            }
            steps += 1;
            match game.turn(state) {
                Turn::Decision(seat) => {
                    let action = match self.how.player {
                        Player::Random => game.random_action(state, seat, stream, &mut self.actions),
                        Player::Greedy => self.greedy.choose(game, state, seat, stream),
                    };
                    game.apply(state, action);
                }
                Turn::Chance(_) => {
                    let outcome = game.sample_chance(state, stream.word());
                    game.apply(state, outcome);
                }
                Turn::Simultaneous(seats) => {
                    self.joint.clear();
                    for seat in seats.iter() {
                        let action = match self.how.player {
                            Player::Random => game.random_action(state, seat, stream, &mut self.actions),
                            Player::Greedy => self.greedy.choose(game, state, seat, stream),
                        };
                        self.joint.push(action);
                    }
                    game.apply_together(state, &self.joint);
                }
                Turn::Over => return payoffs(game, state),
            }
        }
    }
}

/// What everybody got: `state` must be over.
pub fn payoffs<G: Game>(game: &G, state: &G::State) -> Payoffs {
    let outcome = game.outcome(state).expect("a game that is over has an outcome");
    let mut payoffs = [0.0; MAX_SEATS];
    for (payoff, result) in payoffs.iter_mut().zip(outcome.results()) {
        *payoff = result.payoff;
    }
    payoffs
}

/// The game's own estimate; exact where the game is over.
pub fn value<G: Heuristics>(game: &G, state: &G::State) -> Payoffs {
    if let Turn::Over = game.turn(state) {
        return payoffs(game, state);
    }
    let mut values = [0.0; MAX_SEATS];
    game.value(state, &mut values[..game.seats()]);
    values
}
