//! The method `turn`: the rest of the own turn by dynamic programming, judged where the next turn begins.
//!
//! 1. The part in which luck is pushed is listed whole ([`super::trunk`]): in *Six-Sided Seas* all multisets of
//!    dice that can still be rolled.
//! 2. What lies behind each gate (a stopping pool) is searched ([`super::rest`]) at growing widths, gates in
//!    order of the probability of reaching them, until everything is exact or the budget of nodes is spent. A
//!    pass that the budget breaks off leaves the gates that it did not finish at the width before.
//! 3. Values flow back to the root, and the best action is taken, the first of equals.
//!
//! # What a later decision takes over
//!
//! One memory serves all gates, and all later decisions of the same turn: it holds, by search key, values
//! and the width at which they were found. It is dropped when a game begins and when the turn is another one.
//! So a choice depends on the position, the parameters and the agent's own earlier positions of this turn,
//! and on nothing else: no clock, no random number, no other agent. [`Planner::plan`] asked again for the position
//! it has just planned answers from that plan; a plan *beside the game* uses a memory of its own.

use super::rest::Rest;
use super::table::EXACT;
use super::trunk::{Edge, Kind, Trunk};
use crate::agents::Explanation;
use crate::agents::ranking::best_first;
use crate::game::{Game, Heuristics, Seat, Turn};

/// Values nearer than this are equal: sums over chance round differently on equal moves.
const TIE: f64 = 1e-12;

/// Widths of the passes over the gates.
const WIDTHS: [u16; 6] = [1, 2, 4, 8, 16, EXACT];

/// Plans turns.
pub struct Planner<G: Game> {
    /// Most states whose options are looked at for one decision; `None` is no limit.
    budget: Option<u64>,
    rest: Rest<G>,
    trunk: Trunk<G>,
    gates: Vec<u32>,
    /// The turn that the memory is of.
    turn_id: Option<u32>,
    /// The position that the plan in `trunk` is of.
    root: Option<G::State>,
    spent: u64,
}

impl<G: Heuristics> Planner<G> {
    /// One with a budget of nodes a decision (at least 1), or without limit.
    pub fn new(budget: Option<u64>) -> Planner<G> {
        Planner {
            budget,
            rest: Rest::new(),
            trunk: Trunk::new(),
            gates: Vec::new(),
            turn_id: None,
            root: None,
            spent: 0,
        }
    }

    /// Forgets everything.
    pub fn forget(&mut self) {
        self.turn_id = None;
        self.root = None;
    }

    /// Plans for `state`, a decision.
    pub fn plan(&mut self, game: &G, state: &G::State) {
        if self.root.as_ref() == Some(state) {
            return;
        }
        let turn_id = game.turn_id(state);
        if self.turn_id != Some(turn_id) {
            self.turn_id = Some(turn_id);
            self.rest.begin(game, state);
        }
        // Half of the budget may go into listing; what the list leaves is searched.
        let budget = self.budget.unwrap_or(u64::MAX);
        self.trunk.build(game, &self.rest, state, budget / 2);
        self.rest.budget = budget.saturating_sub(self.trunk.expanded);
        let left = self.rest.budget;
        self.search_gates(game);
        self.trunk.induce();
        self.spent = self.trunk.expanded + left - self.rest.budget;
        self.root = Some(state.clone());
    }

    fn search_gates(&mut self, game: &G) {
        let Trunk { items, .. } = &mut self.trunk;
        self.gates.clear();
        for (index, item) in items.iter_mut().enumerate() {
            if item.kind == Kind::Gate {
                item.values = self.rest.value(game, &item.state);
                item.exact = false;
                self.gates.push(index as u32);
            }
        }
        self.gates.sort_unstable_by(|&left, &right| {
            let reach = |index: u32| items[index as usize].reach;
            reach(right).total_cmp(&reach(left)).then(left.cmp(&right))
        });
        let widths = if self.budget.is_some() { &WIDTHS[..] } else { &[EXACT] };
        self.rest.broken = false;
        for &width in widths {
            for &gate in &self.gates {
                let item = &mut items[gate as usize];
                if item.exact {
                    continue;
                }
                let found = self.rest.search(game, &item.state, width, 0);
                if self.rest.broken {
                    return;
                }
                (item.values, item.exact) = (found.values, found.exact);
            }
        }
    }

    /// The planned action of `seat`.
    pub fn action(&self, seat: Seat) -> G::Action {
        self.trunk.best_step(0, seat.index(), TIE).action
    }

    /// States whose options were looked at for the last plan.
    pub fn spent(&self) -> u64 {
        self.spent
    }

    /// Whether nothing was left out of the last plan.
    pub fn exact(&self) -> bool {
        self.trunk.items[0].exact
    }

    /// The options of the planned position and what `seat` may expect of each, in the game's order.
    pub fn options(&self, seat: Seat) -> impl Iterator<Item = (G::Action, f64)> {
        let value = move |edge: &Edge<G::Action>| self.trunk.items[edge.to as usize].values[seat.index()];
        self.trunk.steps(0).iter().map(move |edge| (edge.action, value(edge)))
    }

    /// The plan in numbers.
    pub fn explain(&self, game: &G, state: &G::State, seat: Seat) -> Explanation<G::Action> {
        let mut options: Vec<_> = self.options(seat).collect();
        best_first(&mut options, |option| option.1);
        let mut remarks = Vec::new();
        if let Some(push) = game.push(state) {
            let limit = push.limit.map(|limit| format!(" of {limit}")).unwrap_or_default();
            let of = |action| options.iter().find(|option| option.0 == action).map(|option| option.1);
            if let (Some(roll), Some(stop)) = (of(push.roll), of(push.stop)) {
                remarks.push(format!(
                    "total {}{limit}: rolling on is worth {roll:.4}, stopping {stop:.4}",
                    push.total
                ));
            }
            for (what, once) in [("with one more roll", true), ("rolling on as planned", false)] {
                let odds = self.odds(game, seat, push.roll, once);
                let named = odds.iter().filter(|(_, odds)| *odds > 0.0);
                let named: Vec<_> =
                    named.map(|(name, odds)| format!("{name} {:.1} %", 100.0 * odds)).collect();
                if !named.is_empty() {
                    remarks.push(format!("{what}: {}", named.join(", ")));
                }
            }
        }
        let how =
            if self.exact() { "exact to the end of the turn" } else { "cut short by the budget of nodes" };
        remarks.push(format!("{} nodes looked at; {how}", self.spent));
        Explanation { measure: "estimated payoff when the turn is over", options, remarks }
    }

    /// How likely each of the game's tallies of `seat` has grown when luck is no longer pushed, if `first` is
    /// done now and then the plan is followed, or luck is pushed only this `once`.
    fn odds(&self, game: &G, seat: Seat, first: G::Action, once: bool) -> Vec<(&'static str, f64)> {
        let names = game.tally_names();
        let items = &self.trunk.items;
        let count = |index: usize| {
            let mut counts = vec![0; names.len()];
            game.tally(&items[index].state, seat, &mut counts);
            counts
        };
        let before = count(0);
        let mut odds = vec![0.0; names.len()];
        let mut flow = vec![0.0; items.len()];
        for &index in &self.trunk.order {
            let index = index as usize;
            let here = if index == 0 { 1.0 } else { flow[index] };
            if here == 0.0 {
                continue;
            }
            match items[index].kind {
                Kind::Leaf | Kind::Gate => {
                    for ((odds, now), before) in odds.iter_mut().zip(count(index)).zip(&before) {
                        *odds += if now > *before { here } else { 0.0 };
                    }
                }
                Kind::Chance => {
                    for edge in self.trunk.steps(index) {
                        flow[edge.to as usize] += here * edge.probability;
                    }
                }
                Kind::Decision(mover) => {
                    let state = &items[index].state;
                    let wanted = match game.push(state) {
                        _ if index == 0 => Some(first),
                        Some(push) if once => Some(push.stop),
                        _ => None,
                    };
                    let step =
                        self.trunk.steps(index).iter().copied().find(|edge| Some(edge.action) == wanted);
                    let step = step.unwrap_or_else(|| self.trunk.best_step(index, mover as usize, TIE));
                    flow[step.to as usize] += here;
                }
            }
        }
        names.iter().copied().zip(odds).collect()
    }

    /// Whether the position can be planned: one seat decides.
    pub fn can_plan(game: &G, state: &G::State) -> bool {
        matches!(game.turn(state), Turn::Decision(_))
    }
}
