//! The rest of a turn, depth first: every decision, and luck averaged exactly, down to the turn's end.
//!
//! A *width* limits how many actions of each decision are followed, the best by [`Heuristics::value_planned`] first:
//! 1 is a greedy descent, more a beam, [`EXACT`] no limit. Whoever decides takes what is best for itself,
//! so a defender inside somebody's turn defends. A state whose whole tree was seen without leaving an action
//! out is exact whatever the width was, and is never searched again.

use super::table::{EXACT, Table, Values, take_level};
use crate::game::{Game, Heuristics, MAX_SEATS, Turn};

/// Deeper than any turn of our games; a game whose turns could go round in circles is cut off here.
const DEEPEST: usize = 400;

/// The searcher: its memory and a buffer for each level.
pub struct Rest<G: Game> {
    /// What is known of the states of this turn.
    pub table: Table,
    /// States whose options may still be looked at.
    pub budget: u64,
    /// Set when the budget ran out: what came back is then worthless.
    pub broken: bool,
    turn_id: u32,
    seats: usize,
    actions: Vec<Vec<G::Action>>,
    chances: Vec<Vec<(G::Action, f64)>>,
    ranks: Vec<Vec<(f64, u32)>>,
}

impl<G: Heuristics> Default for Rest<G> {
    fn default() -> Rest<G> {
        Rest::new()
    }
}

/// What a search found.
#[derive(Clone, Copy)]
pub struct Found {
    /// The payoffs that may be expected.
    pub values: Values,
    /// Whether no action was left out.
    pub exact: bool,
}

impl<G: Heuristics> Rest<G> {
    /// A new one.
    pub fn new() -> Rest<G> {
        Rest {
            table: Table::default(),
            budget: 0,
            broken: false,
            turn_id: 0,
            seats: 0,
            actions: Vec::new(),
            chances: Vec::new(),
            ranks: Vec::new(),
        }
    }

    /// Forgets all states; the next searches are of the turn of `state`.
    pub fn begin(&mut self, game: &G, state: &G::State) {
        self.seats = game.seats();
        self.turn_id = game.turn_id(state);
        self.table.clear(self.seats);
    }

    /// Whether a state belongs to the turn that is searched.
    pub fn in_turn(&self, game: &G, state: &G::State) -> bool {
        game.turn_id(state) == self.turn_id
    }

    /// How the game judges a state for a planner, or the payoffs if it is over.
    pub fn value(&self, game: &G, state: &G::State) -> Values {
        let mut values = [0.0; MAX_SEATS];
        match game.outcome(state) {
            Some(outcome) => {
                for (value, result) in values.iter_mut().zip(outcome.results()) {
                    *value = result.payoff;
                }
            }
            None => game.value_planned(state, &mut values[..self.seats]),
        }
        values
    }

    /// Searches a state as far as the turn goes. Where the budget runs out it sets [`Rest::broken`].
    pub fn search(&mut self, game: &G, state: &G::State, width: u16, level: usize) -> Found {
        if !self.in_turn(game, state) {
            return Found { values: self.value(game, state), exact: true };
        }
        let turn = game.turn(state);
        if matches!(turn, Turn::Over | Turn::Simultaneous(_)) {
            return Found { values: self.value(game, state), exact: true };
        }
        if level == DEEPEST {
            return Found { values: self.value(game, state), exact: false };
        }
        let (place, known) = self.table.place(game.search_key(state));
        if known >= width {
            return Found { values: self.table.values(place), exact: known == EXACT };
        }
        if self.budget == 0 {
            self.broken = true;
            return Found { values: [0.0; MAX_SEATS], exact: false };
        }
        self.budget -= 1;
        let found = match turn {
            Turn::Chance(_) => self.average(game, state, width, level),
            Turn::Decision(mover) => self.best(game, state, mover.index(), width, level),
            Turn::Simultaneous(_) | Turn::Over => unreachable!("it was dealt with"),
        };
        if !self.broken {
            self.table.keep(place, if found.exact { EXACT } else { width }, &found.values);
        }
        found
    }

    fn average(&mut self, game: &G, state: &G::State, width: u16, level: usize) -> Found {
        let mut outcomes = take_level(&mut self.chances, level);
        game.chance(state, &mut outcomes);
        let mut sum = Found { values: [0.0; MAX_SEATS], exact: true };
        for &(outcome, probability) in &outcomes {
            let mut child = state.clone();
            game.apply(&mut child, outcome);
            let found = self.search(game, &child, width, level + 1);
            if self.broken {
                break;
            }
            sum.exact &= found.exact;
            for (sum, value) in sum.values.iter_mut().zip(found.values) {
                *sum += probability * value;
            }
        }
        self.chances[level] = outcomes;
        sum
    }

    fn best(&mut self, game: &G, state: &G::State, mover: usize, width: u16, level: usize) -> Found {
        let mut actions = take_level(&mut self.actions, level);
        let Turn::Decision(seat) = game.turn(state) else { unreachable!("it is a decision") };
        game.actions(state, seat, &mut actions);
        game.prune(state, &mut actions);
        let mut best = Found { values: [f64::NEG_INFINITY; MAX_SEATS], exact: true };
        let follow = |rest: &mut Self, action: G::Action, best: &mut Found| {
            let mut child = state.clone();
            game.apply(&mut child, action);
            let found = rest.search(game, &child, width, level + 1);
            best.exact &= found.exact;
            if found.values[mover] > best.values[mover] {
                best.values = found.values;
            }
            rest.broken
        };
        if actions.len() <= width as usize {
            for &action in &actions {
                if follow(self, action, &mut best) {
                    break;
                }
            }
        } else {
            let mut ranks = take_level(&mut self.ranks, level);
            ranks.clear();
            for (place, &action) in actions.iter().enumerate() {
                let mut child = state.clone();
                game.apply(&mut child, action);
                ranks.push((self.value(game, &child)[mover], place as u32));
            }
            ranks.sort_unstable_by(|left, right| right.0.total_cmp(&left.0).then(left.1.cmp(&right.1)));
            for &(_, place) in &ranks[..width as usize] {
                if follow(self, actions[place as usize], &mut best) {
                    break;
                }
            }
            best.exact = false;
            self.ranks[level] = ranks;
        }
        self.actions[level] = actions;
        best
    }
}
