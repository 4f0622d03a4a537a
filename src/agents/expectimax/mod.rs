//! `expectimax`: exact averages over luck, the best action at every decision.
//!
//! Two methods. [`turn`] plans the rest of the own turn and is meant for games in which luck is pushed;
//! [`plies`] looks a number of turns ahead and plays everything else. What they share: [`table`], the memory
//! by search key. [`rest`] and [`trunk`] are the two halves of a planned turn.
//!
//! A simultaneous choice is no tree: both methods answer it against what the others' `prior` likes best,
//! which a clever opponent can exploit. The agent `matrix` is made for such games.
//!
//! Hidden information: an agent is handed a sample of what it cannot see, and this one plans on that sample
//! as if it were the truth.

pub mod rest;
pub mod table;
pub mod trunk;
pub mod turn;

use super::greedy::Greedy;
use super::parameters::{Domain, Parameter, Settings};
use super::registry::Entry;
use super::{Agent, Explanation};
use crate::game::{Game, Heuristics, Seat};
use crate::streams::Stream;
use turn::Planner;

/// What [`super::registry`] shows.
pub const ENTRY: Entry = Entry {
    name: "expectimax",
    summary: "averages luck exactly: plans the rest of its turn, or looks some turns ahead",
    parameters: &[
        Parameter {
            key: "method",
            domain: Domain::Choice(&["auto", "turn", "plies"]),
            default: "turn where luck is pushed, else plies",
            meaning: "turn: the rest of the own turn; plies: some turns ahead",
        },
        Parameter {
            key: "nodes",
            domain: Domain::Whole(1, 1_000_000_000),
            default: "50000",
            meaning: "most states whose options are looked at for one decision",
        },
        Parameter {
            key: "exact",
            domain: Domain::Flag,
            default: "false",
            meaning: "method turn: no limit of nodes",
        },
    ],
};

/// The agent.
pub struct Expectimax<G: Game> {
    planner: Planner<G>,
    /// Plans beside the game, see [`turn`].
    beside: Planner<G>,
    simultaneous: Greedy<G>,
    actions: Vec<G::Action>,
}

impl<G: Heuristics> Expectimax<G> {
    /// One with the parameters of a resolved spec.
    pub fn from_settings(settings: Settings<'_>) -> Expectimax<G> {
        let budget = (!settings.flag("exact")).then(|| settings.whole("nodes") as u64);
        Expectimax {
            planner: Planner::new(budget),
            beside: Planner::new(budget),
            simultaneous: Greedy::new(),
            actions: Vec::new(),
        }
    }
}

impl<G: Heuristics> Agent<G> for Expectimax<G> {
    fn begin(&mut self, _game: &G, _seat: Seat) {
        self.planner.forget();
        self.beside.forget();
    }

    fn choose(&mut self, game: &G, state: &G::State, seat: Seat, stream: &mut Stream) -> G::Action {
        if !Planner::can_plan(game, state) {
            return self.simultaneous.choose(game, state, seat, stream);
        }
        game.actions(state, seat, &mut self.actions);
        if let [only] = self.actions[..] {
            return only;
        }
        self.planner.plan(game, state);
        self.planner.action(seat)
    }

    /// Asked about any position: plans beside the game, unless it is the one that was planned last.
    fn policy(&mut self, game: &G, state: &G::State, seat: Seat) -> Option<Vec<(G::Action, f64)>> {
        if !Planner::can_plan(game, state) {
            return self.simultaneous.policy(game, state, seat);
        }
        self.beside.forget();
        self.beside.plan(game, state);
        Some(vec![(self.beside.action(seat), 1.0)])
    }

    fn explain(&mut self, game: &G, state: &G::State, seat: Seat) -> Option<Explanation<G::Action>> {
        if !Planner::can_plan(game, state) {
            return self.simultaneous.explain(game, state, seat);
        }
        self.planner.plan(game, state);
        Some(self.planner.explain(game, state, seat))
    }
}
