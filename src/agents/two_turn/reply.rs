//! What may follow a turn: one sample of the luck, and everybody playing what looks best at once.

use super::plan::value_of;
use crate::game::{Game, Heuristics, Seat, Turn};
use crate::streams::Deal;

/// More decisions than this are not played in one sample: the state is judged as it stands then.
const MOST_DECISIONS: usize = 200;

/// How far a sample is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Until {
    /// The end of the next turn.
    Next,
    /// The beginning of the own next turn.
    Own,
    /// The end of the own next turn.
    AfterOwn,
}

impl Until {
    /// The words that people type, in the order of the variants.
    pub const WORDS: &[&str] = &["next", "own", "after-own"];

    /// Reads one of [`Until::WORDS`].
    pub fn read(word: &str) -> Until {
        match word {
            "next" => Until::Next,
            "after-own" => Until::AfterOwn,
            _ => Until::Own,
        }
    }

    /// The turn at which to stop, counted from the present one.
    pub fn turns(self, seats: usize) -> u32 {
        match self {
            Until::Next => 2,
            Until::Own => seats as u32,
            Until::AfterOwn => seats as u32 + 1,
        }
    }
}

/// Plays samples.
pub struct Replies<G: Game> {
    actions: Vec<G::Action>,
}

impl<G: Heuristics> Default for Replies<G> {
    fn default() -> Replies<G> {
        Replies::new()
    }
}

impl<G: Heuristics> Replies<G> {
    /// A new one; all are alike.
    pub fn new() -> Replies<G> {
        Replies { actions: Vec::new() }
    }

    /// Plays on from `end` with the luck of `deal` to the first decision in turn `last` ([`Game::turns`]), to a
    /// simultaneous choice or the end of the game, and says what `seat` may expect there. `nodes` is lowered
    /// by the positions looked at.
    pub fn play(
        &mut self,
        game: &G,
        end: &G::State,
        last: u32,
        seat: Seat,
        deal: &mut Deal,
        nodes: &mut u64,
    ) -> f64 {
        let mut state = end.clone();
        let mut decisions = 0;
        loop {
            match game.turn(&state) {
                Turn::Over => {
                    return game.outcome(&state).expect("the game is over").payoff(seat);
                }
                Turn::Chance(source) => {
                    let outcome = game.sample_chance(&state, deal.word(source));
                    game.apply(&mut state, outcome);
                }
                Turn::Decision(mover) if game.turns(&state) < last && decisions < MOST_DECISIONS => {
                    decisions += 1;
                    let action = self.best(game, &state, mover, nodes);
                    game.apply(&mut state, action);
                }
                _ => return value_of(game, &state, seat),
            }
        }
    }

    /// The action after which `mover` stands best.
    fn best(&mut self, game: &G, state: &G::State, mover: Seat, nodes: &mut u64) -> G::Action {
        game.actions(state, mover, &mut self.actions);
        game.prune(state, &mut self.actions);
        let mut best = (f64::NEG_INFINITY, self.actions[0]);
        if self.actions.len() > 1 {
            *nodes = nodes.saturating_sub(self.actions.len() as u64);
            for &action in &self.actions {
                let mut after = state.clone();
                game.apply(&mut after, action);
                let worth = value_of(game, &after, mover);
                if worth > best.0 {
                    best = (worth, action);
                }
            }
        }
        best.1
    }
}
