//! `greedy`: looks to the end of the move that it is about to make, and takes what looks best there.
//!
//! Sub-decisions of a compound move are searched (each seat taking what is best for itself), luck inside the
//! turn that follows at once is averaged exactly, and [`Heuristics::value`] judges the rest. At a
//! simultaneous node, where there is nothing to look ahead to, it takes the best [`Heuristics::prior`].

use super::ranking::best_first;
use super::registry::Entry;
use super::{Agent, Explanation};
use crate::game::{Game, Heuristics, MAX_SEATS, Memo, Seat, Turn};
use crate::streams::Stream;

/// What [`super::registry`] shows.
pub const ENTRY: Entry = Entry {
    name: "greedy",
    summary: "looks to the end of its move, averages the luck that follows at once, takes the best value",
    parameters: &[],
};

/// At most so many states are looked at for one decision; beyond it, states are judged as they stand.
pub const STATE_BUDGET: u32 = 2_000;

/// Scores nearer than this are a tie. Sums over chance round differently on equal moves.
const TIE: f64 = 1e-12;

/// A one-move searcher.
pub struct Greedy<G: Game> {
    actions: Vec<G::Action>,
    priors: Vec<f32>,
    scores: Vec<f64>,
    search: Search<G>,
}

impl<G: Heuristics> Greedy<G> {
    /// A new one; all are alike.
    pub fn new() -> Greedy<G> {
        Greedy {
            actions: Vec::new(),
            priors: Vec::new(),
            scores: Vec::new(),
            search: Search {
                budget: 0,
                seat: Seat::new(0),
                memo: Memo::default(),
                actions: Vec::new(),
                chances: Vec::new(),
            },
        }
    }

    /// Fills `actions` and `scores` for a decision with at least two options.
    fn score_all(&mut self, game: &G, state: &G::State, seat: Seat) {
        self.scores.clear();
        if let Turn::Simultaneous(_) = game.turn(state) {
            game.prior(state, seat, &self.actions, &mut self.priors);
            self.scores.extend(self.priors.iter().map(|&prior| prior as f64));
            return;
        }
        self.search.budget = STATE_BUDGET;
        self.search.seat = seat;
        for &action in &self.actions {
            let mut child = state.clone();
            game.apply(&mut child, action);
            let score = self.search.worth(game, &child, game.turn_id(state), 0, true);
            self.scores.push(score);
        }
    }

    fn best(&self) -> f64 {
        self.scores.iter().copied().fold(f64::NEG_INFINITY, f64::max)
    }
}

impl<G: Heuristics> Default for Greedy<G> {
    fn default() -> Greedy<G> {
        Greedy::new()
    }
}

impl<G: Heuristics> Agent<G> for Greedy<G> {
    fn choose(&mut self, game: &G, state: &G::State, seat: Seat, stream: &mut Stream) -> G::Action {
        game.actions(state, seat, &mut self.actions);
        if let [only] = self.actions[..] {
            return only;
        }
        self.score_all(game, state, seat);
        let least = self.best() - TIE;
        let tied = self.scores.iter().filter(|&&score| score >= least).count();
        let pick = if tied == 1 { 0 } else { stream.below(tied) };
        let mut ties = self.actions.iter().zip(&self.scores).filter(|&(_, &score)| score >= least);
        *ties.nth(pick).expect("the best action ties with itself").0
    }

    fn policy(&mut self, game: &G, state: &G::State, seat: Seat) -> Option<Vec<(G::Action, f64)>> {
        game.actions(state, seat, &mut self.actions);
        self.score_all(game, state, seat);
        let least = self.best() - TIE;
        let scored = self.actions.iter().zip(&self.scores);
        let best: Vec<G::Action> =
            scored.filter(|&(_, &score)| score >= least).map(|(&action, _)| action).collect();
        let probability = 1.0 / best.len() as f64;
        Some(best.into_iter().map(|action| (action, probability)).collect())
    }

    fn explain(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
        _luck: &mut Stream,
    ) -> Option<Explanation<G::Action>> {
        game.actions(state, seat, &mut self.actions);
        self.score_all(game, state, seat);
        let mut options: Vec<_> = self.actions.iter().copied().zip(self.scores.iter().copied()).collect();
        best_first(&mut options, |option| option.1);
        let measure = match game.turn(state) {
            Turn::Simultaneous(_) => "weight before any search",
            _ => "estimated payoff after the move",
        };
        Some(Explanation { measure, options, remarks: Vec::new() })
    }
}

/// The look-ahead, with a buffer for each level of it.
struct Search<G: Game> {
    budget: u32,
    seat: Seat,
    memo: Memo,
    actions: Vec<Vec<G::Action>>,
    chances: Vec<Vec<(G::Action, f64)>>,
}

impl<G: Heuristics> Search<G> {
    /// The payoff that the searching seat may expect of `state`; `average` is whether the next chance node
    /// is still to be averaged (the first one is; what comes after it is left to the value).
    fn worth(&mut self, game: &G, state: &G::State, turn_id: u32, level: usize, average: bool) -> f64 {
        if self.budget == 0 {
            return self.value(game, state, self.seat);
        }
        self.budget -= 1;
        match game.turn(state) {
            Turn::Over => game.outcome(state).expect("the game is over").payoff(self.seat),
            Turn::Chance(_) if average && game.turn_id(state) == turn_id => {
                let mut outcomes = take_level(&mut self.chances, level);
                game.chance(state, &mut outcomes);
                let mut sum = 0.0;
                for at in 0..outcomes.len() {
                    let (outcome, probability) = outcomes[at];
                    let twin = game.twin(state, outcome);
                    let judged = |twin| outcomes[..at].iter().find(|&&(earlier, _)| earlier == twin);
                    let worth = match twin.and_then(judged) {
                        Some(&(_, worth)) => {
                            // Counted like a state that is looked at: the budget goes as far with twins as without.
                            self.budget = self.budget.saturating_sub(1);
                            worth
                        }
                        None => {
                            let mut child = state.clone();
                            game.apply(&mut child, outcome);
                            self.worth(game, &child, turn_id, level + 1, false)
                        }
                    };
                    sum += probability * worth;
                    // For its twins to come; its probability is not asked for again.
                    outcomes[at].1 = worth;
                }
                self.chances[level] = outcomes;
                sum
            }
            Turn::Decision(mover) if game.in_compound(state) => {
                let mut actions = take_level(&mut self.actions, level);
                game.actions(state, mover, &mut actions);
                // Whoever decides takes what is best for itself; only then is it seen what that leaves us.
                let (mut best, mut ours) = (f64::NEG_INFINITY, 0.0);
                for &action in &actions {
                    let mut child = state.clone();
                    game.apply(&mut child, action);
                    let worth = self.worth(game, &child, turn_id, level + 1, average);
                    let theirs = if mover == self.seat { worth } else { self.value(game, &child, mover) };
                    if theirs > best {
                        (best, ours) = (theirs, worth);
                    }
                }
                self.actions[level] = actions;
                ours
            }
            _ => self.value(game, state, self.seat),
        }
    }

    fn value(&mut self, game: &G, state: &G::State, seat: Seat) -> f64 {
        let mut values = [0.0; MAX_SEATS];
        game.value_near(state, &mut self.memo, &mut values[..game.seats()]);
        values[seat.index()]
    }
}

/// Takes the buffer of a level, to be put back after use.
fn take_level<T>(buffers: &mut Vec<Vec<T>>, level: usize) -> Vec<T> {
    if buffers.len() <= level {
        buffers.resize_with(level + 1, Vec::new);
    }
    std::mem::take(&mut buffers[level])
}
