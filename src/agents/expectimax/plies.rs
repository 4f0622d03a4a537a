//! The method `plies`: expectiminimax (Michie 1966) a number of turns ahead, luck averaged exactly.
//!
//! `depth` counts *turns* as [`Heuristics::turn_id`] does: 1 looks to the end of the turn at hand, 2 to the end
//! of the next. Inside that horizon it deepens by decisions, one more in each pass (sub-decisions of a compound
//! move are free), until a pass reaches the horizon everywhere or the budget of nodes is spent; the last
//! whole pass counts. In the first pass each option of the root has an equal share of the budget, and what
//! goes beyond its share is judged as it stands: so every search ends, whatever the game.
//!
//! With two seats, or `paranoid` (all others play against this one), one number a state is enough and branches
//! that cannot matter are cut ([`super::scalar`]); two-player games are taken to be constant-sum. Otherwise
//! every seat takes what is best for itself ([`super::vector`], max^n: Luckhardt & Irani 1986).
//!
//! At a simultaneous node the searching seat tries its options against the actions that the others' `prior` likes
//! best. The table is emptied for each decision: a choice depends on the position alone.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use super::table::{LowHalf, Values, take_level};
use crate::agents::Explanation;
use crate::agents::ranking::best_first;
use crate::game::{Game, Heuristics, MAX_SEATS, Seat, Turn};

/// Values nearer than this are equal.
const TIE: f64 = 1e-12;

/// More decisions ahead than this are never looked at.
const DEEPEST: u32 = 200;

/// `left` of a state that was searched to the horizon.
pub(super) const WHOLE: u32 = u32::MAX;

/// How a stored number stands to the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

/// What the table keeps of a state.
#[derive(Clone, Copy)]
pub(super) struct Kept {
    /// Decisions that were looked ahead; [`WHOLE`] if that reached the horizon.
    pub left: u32,
    pub bound: Bound,
    pub values: Values,
}

/// How far a search may still go.
#[derive(Clone, Copy)]
pub(super) struct Ahead {
    /// Decisions.
    pub left: u32,
    /// Turns, the one at hand included.
    pub turns: u32,
    /// The turn at hand.
    pub turn_id: u32,
    /// Level of the buffers.
    pub level: usize,
}

/// The searcher.
pub struct Plies<G: Game> {
    depth: u32,
    budget: u64,
    paranoid: bool,
    pub(super) me: usize,
    seats: usize,
    pub(super) nodes: u64,
    pub(super) most: u64,
    /// The first pass judges what is beyond the budget as it stands; later ones break off.
    first: bool,
    pub(super) broken: bool,
    /// Whether payoffs lie between 0 and 1, so far as was seen.
    pub(super) bounded: bool,
    pub(super) table: HashMap<u128, Kept, BuildHasherDefault<LowHalf>>,
    pub(super) actions: Vec<Vec<G::Action>>,
    pub(super) chances: Vec<Vec<(G::Action, f64)>>,
    joint: Vec<G::Action>,
    priors: Vec<f32>,
    scores: Vec<(G::Action, f64)>,
    passes: u32,
}

impl<G: Heuristics> Plies<G> {
    /// One that looks `depth` turns ahead (at least 1) and at `budget` states (at least 1).
    pub fn new(depth: u32, budget: u64, paranoid: bool) -> Plies<G> {
        Plies {
            depth,
            budget,
            paranoid,
            me: 0,
            seats: 0,
            nodes: 0,
            most: 0,
            first: true,
            broken: false,
            bounded: true,
            table: HashMap::default(),
            actions: Vec::new(),
            chances: Vec::new(),
            joint: Vec::new(),
            priors: Vec::new(),
            scores: Vec::new(),
            passes: 0,
        }
    }

    /// Searches for `seat`, which has something to choose. With `all`, every option gets its own number;
    /// without, those that are worse than the best may get a bound.
    pub fn search(&mut self, game: &G, state: &G::State, seat: Seat, all: bool) {
        (self.me, self.seats) = (seat.index(), game.seats());
        self.bounded = true;
        while !self.deepen(game, state, seat, all) {}
    }

    /// All passes; `false` if a payoff outside 0 to 1 was met, and everything has to be done again.
    fn deepen(&mut self, game: &G, state: &G::State, seat: Seat, all: bool) -> bool {
        self.table.clear();
        self.nodes = 0;
        self.passes = 0;
        let bounded = self.bounded;
        let mut options = take_level(&mut self.actions, 0);
        game.actions(state, seat, &mut options);
        game.prune(state, &mut options);
        self.order(game, state, seat, &mut options);
        let mut found: Vec<(G::Action, f64)> = Vec::with_capacity(options.len());
        for left in 0..DEEPEST {
            if left == 1 {
                // What the first pass judged for want of budget must not pass for searched.
                self.table.clear();
            }
            self.first = left == 0;
            self.broken = false;
            found.clear();
            let mut whole = true;
            let mut best = f64::NEG_INFINITY;
            for (place, &action) in options.iter().enumerate() {
                // Shares of the budget in the first pass.
                let share = (self.budget as u128 * (place as u128 + 1) / options.len() as u128) as u64;
                self.most = if self.first { share.max(1) } else { self.budget };
                let mut child = state.clone();
                self.apply(game, &mut child, seat, action);
                let turn_id = game.turn_id(state);
                let ahead = Ahead { left, turns: self.depth, turn_id, level: 1 };
                let low = if all { f64::NEG_INFINITY } else { best };
                let (value, reached) = self.worth(game, &child, ahead, low);
                if self.broken {
                    break;
                }
                whole &= reached;
                best = best.max(value);
                found.push((action, value));
            }
            if bounded && !self.bounded {
                self.actions[0] = options;
                return false;
            }
            if self.broken {
                break;
            }
            self.passes += 1;
            self.scores.clone_from(&found);
            if whole || self.nodes >= self.budget {
                break;
            }
            // The best first: the others are then cut soonest. Equal ones keep the order of their priors.
            let value = |action: &G::Action| found.iter().find(|option| option.0 == *action).map(|o| o.1);
            best_first(&mut options, |option| value(option).unwrap_or(0.0));
        }
        self.actions[0] = options;
        true
    }

    fn worth(&mut self, game: &G, child: &G::State, ahead: Ahead, low: f64) -> (f64, bool) {
        if self.seats <= 2 || self.paranoid {
            self.scalar(game, child, ahead, low, f64::INFINITY)
        } else {
            let (values, whole) = self.vector(game, child, ahead);
            (values[self.me], whole)
        }
    }

    /// The best action found, the first of equals in the order of search.
    pub fn action(&self) -> G::Action {
        let mut best = self.scores[0];
        for &option in &self.scores[1..] {
            if option.1 > best.1 + TIE {
                best = option;
            }
        }
        best.0
    }

    /// Reasons, after a search for `all` options.
    pub fn explain(&self) -> Explanation<G::Action> {
        let mut options = self.scores.clone();
        best_first(&mut options, |option| option.1);
        let remark = format!("{} nodes looked at in {} passes", self.nodes, self.passes);
        Explanation { measure: "estimated payoff by search", options, remarks: vec![remark] }
    }

    /// Plays an action of `seat`; at a simultaneous node together with what the others' priors like best.
    pub(super) fn apply(&mut self, game: &G, state: &mut G::State, seat: Seat, action: G::Action) {
        let Turn::Simultaneous(seats) = game.turn(state) else {
            return game.apply(state, action);
        };
        let mut joint = std::mem::take(&mut self.joint);
        joint.clear();
        for other in seats.iter() {
            joint.push(if other == seat { action } else { self.likeliest(game, state, other) });
        }
        game.apply_together(state, &joint);
        self.joint = joint;
    }

    /// What `seat` does by its prior, the first of equals.
    pub(super) fn likeliest(&mut self, game: &G, state: &G::State, seat: Seat) -> G::Action {
        let mut actions = Vec::new();
        game.actions(state, seat, &mut actions);
        game.prior(state, seat, &actions, &mut self.priors);
        let mut best = 0;
        for place in 1..actions.len() {
            if self.priors[place] > self.priors[best] {
                best = place;
            }
        }
        actions[best]
    }

    /// Sorts actions by prior, the most promising first.
    pub(super) fn order(&mut self, game: &G, state: &G::State, seat: Seat, actions: &mut [G::Action]) {
        game.prior(state, seat, actions, &mut self.priors);
        let mut ranked: Vec<(f32, G::Action)> =
            self.priors.iter().copied().zip(actions.iter().copied()).collect();
        best_first(&mut ranked, |&(prior, _)| f64::from(prior));
        for (place, (_, action)) in actions.iter_mut().zip(ranked) {
            *place = action;
        }
    }

    /// Where a search stops: the payoffs of a game that is over, the values at the horizon and where decisions
    /// or the budget run out. With them, whether the horizon was reached. `None`: go on.
    pub(super) fn stop(
        &mut self,
        game: &G,
        state: &G::State,
        ahead: &mut Ahead,
        turn: Turn,
    ) -> Option<(Values, bool)> {
        if turn == Turn::Over {
            let outcome = game.outcome(state).expect("the game is over");
            let mut values = [0.0; MAX_SEATS];
            for (value, result) in values.iter_mut().zip(outcome.results()) {
                *value = result.payoff;
            }
            return Some((self.seen(values), true));
        }
        let turn_id = game.turn_id(state);
        if turn_id != ahead.turn_id {
            ahead.turn_id = turn_id;
            ahead.turns -= 1;
        }
        if ahead.turns == 0 {
            return Some((self.judged(game, state), true));
        }
        let free = matches!(turn, Turn::Chance(_)) || game.in_compound(state);
        if ahead.left == 0 && !free {
            return Some((self.judged(game, state), false));
        }
        if self.nodes >= self.most {
            self.broken |= !self.first;
            return Some((self.judged(game, state), false));
        }
        if !free {
            ahead.left -= 1;
        }
        self.nodes += 1;
        None
    }

    fn judged(&mut self, game: &G, state: &G::State) -> Values {
        let mut values = [0.0; MAX_SEATS];
        game.value(state, &mut values[..self.seats]);
        self.seen(values)
    }

    /// Bounds hold only while all payoffs lie between 0 and 1.
    fn seen(&mut self, values: Values) -> Values {
        if self.bounded && !(-TIE..=1.0 + TIE).contains(&values[self.me]) {
            self.bounded = false;
            self.broken = true;
        }
        values
    }

    /// The table's key: what is below a state depends on the turns left.
    pub(super) fn key(game: &G, state: &G::State, ahead: Ahead) -> u128 {
        let turns = ahead.turns as u128;
        game.search_key(state) ^ (turns.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835))
    }
}
