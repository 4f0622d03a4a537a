//! One number a state: alpha-beta at decisions, Star1 at chance nodes (Ballard 1983).
//!
//! The number is what the searching seat gets; everybody else wants it low. A window (`low`, `high`) says
//! which numbers still matter: outside it a bound is enough. At a chance node the window of an outcome follows
//! from what the others can bring at best and at worst, which is known where payoffs lie between 0 and 1.

use super::plies::{Ahead, Bound, Kept, Plies, WHOLE};
use super::table::take_level;
use crate::game::{Heuristics, MAX_SEATS, Seat, Turn};

impl<G: Heuristics> Plies<G> {
    /// What `state` is worth and whether the horizon was reached wherever it mattered.
    pub(super) fn scalar(
        &mut self,
        game: &G,
        state: &G::State,
        mut ahead: Ahead,
        mut low: f64,
        mut high: f64,
    ) -> (f64, bool) {
        let turn = game.turn(state);
        if let Some((values, whole)) = self.stop(game, state, &mut ahead, turn) {
            return (values[self.me], whole);
        }
        let key = Plies::key(game, state, ahead);
        if let Some(kept) = self.table.get(&key)
            && (kept.left == WHOLE || kept.left == ahead.left)
        {
            let (value, whole) = (kept.values[0], kept.left == WHOLE);
            match kept.bound {
                Bound::Exact => return (value, whole),
                Bound::AtLeast if value >= high => return (value, whole),
                Bound::AtMost if value <= low => return (value, whole),
                Bound::AtLeast => low = low.max(value),
                Bound::AtMost => high = high.min(value),
            }
        }
        let inner = Ahead { level: ahead.level + 1, ..ahead };
        let (value, whole) = match turn {
            Turn::Chance(_) => self.star1(game, state, inner, low, high),
            Turn::Decision(mover) => self.alpha_beta(game, state, mover, inner, low, high),
            Turn::Simultaneous(seats) => {
                let me = Seat::new(self.me);
                let mover = if seats.contains(me) { Some(me) } else { seats.iter().next() };
                self.alpha_beta(game, state, mover.expect("somebody chooses"), inner, low, high)
            }
            Turn::Over => unreachable!("it was dealt with"),
        };
        if !self.broken {
            let bound = match value {
                value if value <= low => Bound::AtMost,
                value if value >= high => Bound::AtLeast,
                _ => Bound::Exact,
            };
            let left = if whole { WHOLE } else { ahead.left };
            let mut values = [0.0; MAX_SEATS];
            values[0] = value;
            self.table.insert(key, Kept { left, bound, values });
        }
        (value, whole)
    }

    fn alpha_beta(
        &mut self,
        game: &G,
        state: &G::State,
        mover: Seat,
        inner: Ahead,
        mut low: f64,
        mut high: f64,
    ) -> (f64, bool) {
        let ours = mover.index() == self.me;
        let mut actions = take_level(&mut self.actions, inner.level);
        if !ours && matches!(game.turn(state), Turn::Simultaneous(_)) {
            // Nobody chooses against us here: all do what looks best to them.
            actions.clear();
            let action = self.likeliest(game, state, mover);
            actions.push(action);
        } else {
            game.actions(state, mover, &mut actions);
            game.prune(state, &mut actions);
            self.order(game, state, mover, &mut actions);
        }
        let mut best = if ours { f64::NEG_INFINITY } else { f64::INFINITY };
        let mut whole = true;
        for &action in &actions {
            let mut child = state.clone();
            self.apply(game, &mut child, mover, action);
            let (value, reached) = self.scalar(game, &child, inner, low, high);
            if self.broken {
                break;
            }
            whole &= reached;
            if ours {
                best = best.max(value);
                low = low.max(best);
            } else {
                best = best.min(value);
                high = high.min(best);
            }
            if low >= high {
                break;
            }
        }
        self.actions[inner.level] = actions;
        (best, whole)
    }

    fn star1(&mut self, game: &G, state: &G::State, inner: Ahead, low: f64, high: f64) -> (f64, bool) {
        let (least, most) = if self.bounded { (0.0, 1.0) } else { (f64::NEG_INFINITY, f64::INFINITY) };
        let mut outcomes = take_level(&mut self.chances, inner.level);
        game.chance(state, &mut outcomes);
        let (mut sum, mut rest, mut whole) = (0.0, 1.0, true);
        for &(outcome, probability) in &outcomes {
            rest = f64::max(rest - probability, 0.0);
            let (mut from, mut to) = (f64::NEG_INFINITY, f64::INFINITY);
            if self.bounded {
                from = (low - sum - most * rest) / probability;
                to = (high - sum - least * rest) / probability;
            }
            let mut child = state.clone();
            game.apply(&mut child, outcome);
            let (value, reached) = self.scalar(game, &child, inner, from, to);
            if self.broken {
                break;
            }
            whole &= reached;
            sum += probability * value;
            if self.bounded && value <= from && rest > 0.0 {
                sum += most * rest;
                break;
            }
            if self.bounded && value >= to && rest > 0.0 {
                sum += least * rest;
                break;
            }
        }
        self.chances[inner.level] = outcomes;
        (sum, whole)
    }
}
