//! `expectimax`: exact averages over luck, the best action at every decision.
//!
//! Two methods. [`turn`] plans the rest of the own turn and is meant for games in which luck is pushed;
//! [`plies`] looks a number of turns ahead and plays everything else. What they share: [`table`], the memory
//! by search key. [`rest`] and [`trunk`] are the two halves of a planned turn.
//!
//! A simultaneous choice is no tree. At one, `turn` takes the best `prior` (as greedy does), and `plies` the best
//! answer to what the others' `prior` likes best; a clever opponent can exploit both. The agent `matrix` is
//! made for such games.
//!
//! Hidden information: an agent is handed a sample of what it cannot see, and this one plans on that sample
//! as if it were the truth.

pub mod plies;
pub mod rest;
pub mod scalar;
pub mod table;
pub mod trunk;
pub mod turn;
pub mod vector;

use super::greedy::Greedy;
use super::parameters::{Domain, Parameter, Parameters, Settings, Value};
use super::registry::Entry;
use super::{Agent, Explanation};
use crate::game::{Game, Heuristics, PushKind, Seat};
use crate::streams::Stream;
use plies::Plies;
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
            meaning: "method turn: no limit of nodes (a turn in Six-Sided Seas can take millions)",
        },
        Parameter {
            key: "depth",
            domain: Domain::Whole(1, 100),
            default: "2",
            meaning: "method plies: turns ahead, the own one included, as far as the nodes go",
        },
        Parameter {
            key: "paranoid",
            domain: Domain::Flag,
            default: "false",
            meaning: "method plies, more than two seats: all others play against this one",
        },
    ],
};

/// Fills in what depends on the game: `push` is how luck is pushed in it.
///
/// # Errors
/// A message, if a parameter does not go with the method.
pub(super) fn resolve(parameters: &mut Parameters, push: PushKind) -> Result<(), String> {
    let auto = if push == PushKind::None { "plies" } else { "turn" };
    let method = match parameters.get(ENTRY.parameters, "method") {
        Some(Value::Choice(method)) if method != "auto" => method,
        _ => auto,
    };
    parameters.set("method", Value::Choice(method));
    let others: &[&str] = if method == "turn" { &["depth", "paranoid"] } else { &["exact"] };
    match others.iter().find(|key| parameters.has(key)) {
        Some(key) => Err(format!("agent expectimax: method {method} has no parameter `{key}`")),
        None => Ok(()),
    }
}

/// The agent.
pub struct Expectimax<G: Game> {
    method: Method<G>,
    actions: Vec<G::Action>,
}

enum Method<G: Game> {
    Turn {
        planner: Box<Planner<G>>,
        /// Plans beside the game, see [`turn`].
        beside: Box<Planner<G>>,
        simultaneous: Greedy<G>,
    },
    Plies(Plies<G>),
}

impl<G: Heuristics> Expectimax<G> {
    /// One with the parameters of a resolved spec.
    pub fn from_settings(settings: Settings<'_>) -> Expectimax<G> {
        let nodes = settings.whole("nodes") as u64;
        let method = if settings.choice("method") == "turn" {
            let budget = (!settings.flag("exact")).then_some(nodes);
            Method::Turn {
                planner: Box::new(Planner::new(budget)),
                beside: Box::new(Planner::new(budget)),
                simultaneous: Greedy::new(),
            }
        } else {
            Method::Plies(Plies::new(settings.whole("depth") as u32, nodes, settings.flag("paranoid")))
        };
        Expectimax { method, actions: Vec::new() }
    }
}

impl<G: Heuristics> Agent<G> for Expectimax<G> {
    fn begin(&mut self, _game: &G, _seat: Seat) {
        if let Method::Turn { planner, beside, .. } = &mut self.method {
            planner.forget();
            beside.forget();
        }
    }

    fn choose(&mut self, game: &G, state: &G::State, seat: Seat, stream: &mut Stream) -> G::Action {
        game.actions(state, seat, &mut self.actions);
        if let [only] = self.actions[..] {
            return only;
        }
        match &mut self.method {
            Method::Turn { planner, .. } if Planner::can_plan(game, state) => {
                planner.plan(game, state);
                planner.action(seat)
            }
            Method::Turn { simultaneous, .. } => simultaneous.choose(game, state, seat, stream),
            Method::Plies(plies) => {
                plies.search(game, state, seat, false);
                plies.action()
            }
        }
    }

    /// One action for certain, also among equals. Asked about any position: `turn` plans beside the game.
    fn policy(&mut self, game: &G, state: &G::State, seat: Seat) -> Option<Vec<(G::Action, f64)>> {
        let action = match &mut self.method {
            Method::Turn { beside, .. } if Planner::can_plan(game, state) => {
                beside.forget();
                beside.plan(game, state);
                beside.action(seat)
            }
            Method::Turn { simultaneous, .. } => return simultaneous.policy(game, state, seat),
            Method::Plies(plies) => {
                plies.search(game, state, seat, false);
                plies.action()
            }
        };
        Some(vec![(action, 1.0)])
    }

    fn explain(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
        luck: &mut Stream,
    ) -> Option<Explanation<G::Action>> {
        Some(match &mut self.method {
            Method::Turn { planner, .. } if Planner::can_plan(game, state) => {
                planner.plan(game, state);
                planner.explain(game, state, seat)
            }
            Method::Turn { simultaneous, .. } => return simultaneous.explain(game, state, seat, luck),
            Method::Plies(plies) => {
                plies.search(game, state, seat, true);
                plies.explain()
            }
        })
    }
}

#[cfg(test)]
mod tests;
