//! A number for each seat: max^n. Whoever decides takes what is best for itself, the first of equals.

use super::plies::{Ahead, Bound, Kept, Plies, WHOLE};
use super::table::{Values, take_level};
use crate::game::{Heuristics, MAX_SEATS, Seat, Turn};

impl<G: Heuristics> Plies<G> {
    /// What `state` is worth to each seat and whether the horizon was reached everywhere.
    pub(super) fn vector(&mut self, game: &G, state: &G::State, mut ahead: Ahead) -> (Values, bool) {
        let turn = game.turn(state);
        if let Some(stopped) = self.stop(game, state, &mut ahead, turn) {
            return stopped;
        }
        let key = Plies::key(game, state, ahead);
        if let Some(kept) = self.table.get(&key)
            && (kept.left == WHOLE || kept.left == ahead.left)
        {
            return (kept.values, kept.left == WHOLE);
        }
        let inner = Ahead { level: ahead.level + 1, ..ahead };
        let (values, whole) = match turn {
            Turn::Chance(_) => self.average(game, state, inner),
            Turn::Decision(mover) => self.best(game, state, mover, inner),
            Turn::Simultaneous(seats) => {
                let me = Seat::new(self.me);
                let mover = if seats.contains(me) { Some(me) } else { seats.iter().next() };
                self.best(game, state, mover.expect("somebody chooses"), inner)
            }
            Turn::Over => unreachable!("it was dealt with"),
        };
        if !self.broken {
            let left = if whole { WHOLE } else { ahead.left };
            self.table.insert(key, Kept { left, bound: Bound::Exact, values });
        }
        (values, whole)
    }

    fn best(&mut self, game: &G, state: &G::State, mover: Seat, inner: Ahead) -> (Values, bool) {
        let mut actions = take_level(&mut self.actions, inner.level);
        if mover.index() != self.me && matches!(game.turn(state), Turn::Simultaneous(_)) {
            actions.clear();
            let action = self.likeliest(game, state, mover);
            actions.push(action);
        } else {
            game.actions(state, mover, &mut actions);
            game.prune(state, &mut actions);
            self.order(game, state, mover, &mut actions);
        }
        let (mut best, mut whole) = ([f64::NEG_INFINITY; MAX_SEATS], true);
        for &action in &actions {
            let mut child = state.clone();
            self.apply(game, &mut child, mover, action);
            let (values, reached) = self.vector(game, &child, inner);
            if self.broken {
                break;
            }
            whole &= reached;
            if values[mover.index()] > best[mover.index()] {
                best = values;
            }
        }
        self.actions[inner.level] = actions;
        (best, whole)
    }

    fn average(&mut self, game: &G, state: &G::State, inner: Ahead) -> (Values, bool) {
        let mut outcomes = take_level(&mut self.chances, inner.level);
        game.chance(state, &mut outcomes);
        let (mut sum, mut whole) = ([0.0; MAX_SEATS], true);
        for &(outcome, probability) in &outcomes {
            let mut child = state.clone();
            game.apply(&mut child, outcome);
            let (values, reached) = self.vector(game, &child, inner);
            if self.broken {
                break;
            }
            whole &= reached;
            for (sum, value) in sum.iter_mut().zip(values) {
                *sum += probability * value;
            }
        }
        self.chances[inner.level] = outcomes;
        (sum, whole)
    }
}
