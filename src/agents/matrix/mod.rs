//! `matrix`: a simultaneous choice as a matrix game over searched continuations, solved and played as a mix.
//!
//! Two seats whose payoffs have a constant sum are solved exactly ([`solve`]); otherwise the mix comes from
//! regret matching, which promises nothing with more than two players. [`search`] says what a joint choice
//! is worth. Everywhere else the agent takes the best of the same search. A deterministic agent could be
//! read and exploited at a simultaneous choice; this one draws from its mix, with its own stream.
//!
//! With more joint choices than the budget can play out (1,296 pairs of tiles in Sultans of Wind for four)
//! each seat keeps those with the best [`Heuristics::prior`], the agent's own seat giving way last. A seat with
//! very many choices (the arrangement in Sultans of Wind) is not searched: the agent then draws from the best
//! by prior, in proportion to it.

pub mod search;
pub mod solve;

use self::search::{Limits, Search};
use super::parameters::{Domain, Parameter, Settings};
use super::ranking::best_first;
use super::registry::Entry;
use super::{Agent, Explanation};
use crate::game::{Game, Heuristics, Seat, Turn};
use crate::streams::Stream;

/// What [`super::registry`] shows.
pub const ENTRY: Entry = Entry {
    name: "matrix",
    summary: "solves a simultaneous choice as a matrix game over searched turns, plays the mix; beam search elsewhere",
    parameters: &[
        Parameter {
            key: "nodes",
            domain: Domain::Whole(1, 1_000_000_000),
            default: "20000",
            meaning: "positions looked at for one decision (more where a reply must still be played out)",
        },
        Parameter {
            key: "width",
            domain: Domain::Whole(1, 1_000),
            default: "8",
            meaning: "positions kept at each step of a turn, and ends of a turn searched on",
        },
        Parameter {
            key: "choices",
            domain: Domain::Whole(1, 1_000),
            default: "16",
            meaning: "with more choices than this at a simultaneous node, draws from the best by prior, unsearched",
        },
        Parameter {
            key: "cells",
            domain: Domain::Whole(1, 100_000),
            default: "256",
            meaning: "joint choices looked at, as far as nodes goes; each seat then keeps its best by prior",
        },
        Parameter {
            key: "depth",
            domain: Domain::Whole(1, 20),
            default: "1",
            meaning: "simultaneous choices looked through, the first included",
        },
        Parameter {
            key: "turns",
            domain: Domain::Whole(1, 100),
            default: "8",
            meaning: "turns looked through after a decision or a simultaneous choice, as far as nodes goes",
        },
        Parameter {
            key: "rounds",
            domain: Domain::Whole(1, 1_000_000),
            default: "1000",
            meaning: "rounds of regret matching, where the game cannot be solved exactly",
        },
    ],
};

/// Less than this is no part of a mix: rounding.
const NEGLIGIBLE: f64 = 1e-9;

/// A searcher that plays mixes.
pub struct Matrix<G: Game> {
    limits: Limits,
    actions: Vec<G::Action>,
    search: Search<G>,
}

/// A mix, and what the searcher thinks of it.
struct Mix<A> {
    options: Vec<(A, f64)>,
    remarks: Vec<String>,
}

impl<G: Heuristics> Matrix<G> {
    /// One with these parameters.
    pub fn new(settings: Settings<'_>) -> Matrix<G> {
        let limits = Limits {
            nodes: settings.whole("nodes") as u64,
            width: settings.whole("width") as usize,
            choices: settings.whole("choices") as usize,
            cells: settings.whole("cells") as usize,
            depth: settings.whole("depth") as u32,
            turns: settings.whole("turns") as u32,
            rounds: settings.whole("rounds") as u32,
        };
        Matrix { limits, actions: Vec::new(), search: Search::new(limits) }
    }

    /// How many positions the last search looked at.
    pub fn spent(&self) -> u64 {
        self.search.spent()
    }

    /// What to play at a simultaneous choice of at least two actions.
    fn mix(&mut self, game: &G, state: &G::State, seat: Seat) -> Mix<G::Action> {
        let Turn::Simultaneous(seats) = game.turn(state) else {
            return Mix { options: Vec::new(), remarks: Vec::new() };
        };
        game.actions(state, seat, &mut self.actions);
        let count = self.actions.len();
        if count > self.limits.choices {
            let candidates = self.search.candidates(game, state, seat, self.limits.choices);
            let weights: Vec<f64> = candidates.iter().map(|&(_, weight)| f64::from(weight)).collect();
            let actions = candidates.into_iter().map(|(action, _)| action);
            let remark = format!("{count} choices: drawn from the best before any search");
            return Mix { options: proportions(actions, weights), remarks: vec![remark] };
        }
        let solved = self.search.choice(game, state, seats, seat);
        let own = solved.seats.iter().position(|&chooser| chooser == seat).unwrap_or(0);
        let method = if solved.solution.exact { "linear program" } else { "regret matching" };
        let cells: usize = solved.options.iter().map(Vec::len).product();
        let remark = format!(
            "worth {:.4}; {cells} joint choices over {} positions, by {method}",
            solved.worth[seat.index()],
            self.search.spent()
        );
        let options = proportions(solved.options[own].iter().copied(), solved.solution.mixes[own].clone());
        Mix { options, remarks: vec![remark] }
    }
}

/// Actions and their part of the mix, without those that have next to none.
fn proportions<A>(actions: impl Iterator<Item = A>, mut weights: Vec<f64>) -> Vec<(A, f64)> {
    solve::normalise(&mut weights);
    weights.iter_mut().filter(|weight| **weight < NEGLIGIBLE).for_each(|weight| *weight = 0.0);
    solve::normalise(&mut weights);
    actions.zip(weights).filter(|&(_, weight)| weight > 0.0).collect()
}

impl<G: Heuristics> Agent<G> for Matrix<G> {
    fn choose(&mut self, game: &G, state: &G::State, seat: Seat, stream: &mut Stream) -> G::Action {
        game.actions(state, seat, &mut self.actions);
        if let [only] = self.actions[..] {
            return only;
        }
        if !matches!(game.turn(state), Turn::Simultaneous(_)) {
            return self.search.decision(game, state, seat)[0].action;
        }
        let mix = self.mix(game, state, seat).options;
        let (target, mut sum) = (stream.unit(), 0.0);
        for &(action, probability) in &mix {
            sum += probability;
            if target < sum {
                return action;
            }
        }
        mix[mix.len() - 1].0
    }

    fn policy(&mut self, game: &G, state: &G::State, seat: Seat) -> Option<Vec<(G::Action, f64)>> {
        game.actions(state, seat, &mut self.actions);
        Some(match (&self.actions[..], game.turn(state)) {
            (&[only], _) => vec![(only, 1.0)],
            (_, Turn::Simultaneous(_)) => self.mix(game, state, seat).options,
            _ => vec![(self.search.decision(game, state, seat)[0].action, 1.0)],
        })
    }

    fn explain(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
        _luck: &mut Stream,
    ) -> Option<Explanation<G::Action>> {
        if let Turn::Simultaneous(_) = game.turn(state) {
            let Mix { mut options, remarks } = self.mix(game, state, seat);
            best_first(&mut options, |option| option.1);
            return Some(Explanation { measure: "probability in the mix", options, remarks });
        }
        let scored = self.search.decision(game, state, seat);
        let options = scored.iter().map(|scored| (scored.action, scored.worth[seat.index()])).collect();
        let remarks = vec![format!("{} positions", self.search.spent())];
        Some(Explanation { measure: "estimated payoff after the replies", options, remarks })
    }
}
