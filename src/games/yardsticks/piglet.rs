//! Piglet (Neller & Presser 2004): Pig with a coin. Throw it as often as you like; heads brings a point, tails
//! costs what the turn has brought; whoever first banks 10 points wins.
//!
//! Published, for two players and a target of 2 (points banked, the other's points, points of the turn): the
//! player to throw wins with probability 4/7 at 0, 0, 0; 5/7 at 0, 0, 1; 2/5 at 0, 1, 0; 3/5 at 0, 1, 1; 4/5 at
//! 1, 0, 0; 2/3 at 1, 1, 0.

use std::fmt::{self, Display};
use std::ops::RangeInclusive;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::race::{CUT_OFF, Pace, TARGET, TURN_CAP, picture, standing};
use crate::game::{
    Game, Heuristics, Ink, Luck, MAX_SEATS, Narrate, Outcome, ParseActionError, Push, PushKind, RandomPlay,
    Seat, SeatSet, Source, Turn,
};
use crate::games::Catalogued;
use crate::games::switches::{RuleError, Ruling, Switch};
use crate::streams::Stream;

/// Piglet for two to six players.
#[derive(Clone, Copy, Debug)]
pub struct Piglet {
    rules: Rules,
    seats: usize,
}

/// The switches of Piglet.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// Points that must be banked to win, 1 to 1000.
    pub target: u16,
    /// Turns, of all players together, after which the game is cut off, 1 to 60,000.
    pub turn_cap: u16,
}

/// A position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    /// Banked points of each seat; 0 for seats nobody sits in.
    pub scores: [u16; MAX_SEATS],
    /// How often each seat has thrown tails.
    pub busts: [u16; MAX_SEATS],
    /// Points of the turn under way, not yet banked.
    pub total: u16,
    /// Number of the turn under way, from 1.
    pub turn: u16,
    /// Whose turn it is; when somebody has won, the winner.
    pub mover: Seat,
    /// What happens next.
    pub phase: Phase,
}

/// What happens next; serialised as `choose`, `flip`, `won` or `capped`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// The player on turn flips or holds.
    Choose,
    /// The coin is thrown.
    Flip,
    /// The player on turn has banked enough.
    Won,
    /// The last turn allowed is over.
    Capped,
}

/// An action or what the coin shows; written `flip`, `hold`, `heads`, `tails`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// Throws the coin.
    Flip,
    /// Banks the points of the turn and passes.
    Hold,
    /// A point.
    Heads,
    /// The turn is over and has brought nothing.
    Tails,
}

const WORDS: [(Action, &str); 4] =
    [(Action::Flip, "flip"), (Action::Hold, "hold"), (Action::Heads, "heads"), (Action::Tails, "tails")];

impl Display for Action {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(WORDS[*self as usize].1)
    }
}

impl FromStr for Action {
    type Err = ParseActionError;
    fn from_str(text: &str) -> Result<Action, ParseActionError> {
        let found = WORDS.iter().find(|(_, word)| *word == text.trim());
        let unknown = || ParseActionError::new(text, "`flip`, `hold`, `heads` or `tails`");
        found.map(|&(action, _)| action).ok_or_else(unknown)
    }
}

impl Piglet {
    /// The points of the turn are enough to win: nothing is left but to bank them.
    fn reached(&self, state: &State) -> bool {
        state.scores[state.mover.index()] + state.total >= self.rules.target
    }

    fn pass(&self, state: &mut State) {
        state.total = 0;
        if state.turn == self.rules.turn_cap {
            state.phase = Phase::Capped;
        } else {
            state.turn += 1;
            state.mover = state.mover.next(self.seats);
            state.phase = Phase::Choose;
        }
    }
}

impl Game for Piglet {
    type State = State;
    type Action = Action;
    const RANDOM_PLAY: RandomPlay = RandomPlay::Turns;

    fn seats(&self) -> usize {
        self.seats
    }
    fn luck(&self) -> &'static [Luck] {
        const { &[Luck::per_seat("coin")] }
    }
    fn action_kinds(&self) -> &'static [&'static str] {
        &["flip", "hold"]
    }
    fn endings(&self) -> &'static [&'static str] {
        &["target", "cap"]
    }
    fn step_limit(&self) -> u32 {
        self.rules.turn_cap as u32 * (self.rules.target as u32 + 1)
    }
    fn initial(&self) -> State {
        let (scores, busts) = ([0; MAX_SEATS], [0; MAX_SEATS]);
        State { scores, busts, total: 0, turn: 1, mover: Seat::new(0), phase: Phase::Choose }
    }
    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match state.phase {
            Phase::Choose => Turn::Decision(state.mover),
            Phase::Flip => Turn::Chance(Source::of(0, state.mover)),
            Phase::Won | Phase::Capped => Turn::Over,
        }
    }
    fn actions(&self, state: &State, _seat: Seat, out: &mut Vec<Action>) {
        out.clear();
        if !self.reached(state) {
            out.push(Action::Flip);
        }
        out.push(Action::Hold);
    }
    fn chance(&self, _state: &State, out: &mut Vec<(Action, f64)>) {
        out.clear();
        out.extend([(Action::Heads, 0.5), (Action::Tails, 0.5)]);
    }
    #[inline]
    fn sample_chance(&self, _state: &State, word: u64) -> Action {
        if word >> 63 == 0 { Action::Heads } else { Action::Tails }
    }
    fn apply(&self, state: &mut State, action: Action) {
        let mover = state.mover.index();
        match action {
            Action::Flip => state.phase = Phase::Flip,
            Action::Heads => {
                state.total += 1;
                state.phase = Phase::Choose;
            }
            Action::Tails => {
                state.busts[mover] += 1;
                self.pass(state);
            }
            Action::Hold => {
                let won = self.reached(state);
                state.scores[mover] += state.total;
                if won {
                    state.total = 0;
                    state.phase = Phase::Won;
                } else {
                    self.pass(state);
                }
            }
        }
    }
    fn outcome(&self, state: &State) -> Option<Outcome> {
        let (ending, winners) = match state.phase {
            Phase::Won => ("target", SeatSet::default().with(state.mover)),
            Phase::Capped => ("cap", SeatSet::all(self.seats)),
            Phase::Choose | Phase::Flip => return None,
        };
        Some(Outcome::winners(ending, winners, &state.scores.map(i32::from)[..self.seats]))
    }
    fn payoff_limit(&self) -> f64 {
        1.0
    }
    fn turns(&self, state: &State) -> u32 {
        state.turn as u32
    }
    fn random_action(
        &self,
        state: &State,
        _seat: Seat,
        stream: &mut Stream,
        _buffer: &mut Vec<Action>,
    ) -> Action {
        if self.reached(state) || stream.below(2) == 1 { Action::Hold } else { Action::Flip }
    }
    fn tally_names(&self) -> &'static [&'static str] {
        &["busts"]
    }
    fn tally(&self, state: &State, seat: Seat, out: &mut [i64]) {
        out[0] = state.busts[seat.index()] as i64;
    }
}

/// Pig's pace, scaled: a good turn brings half a point, with a variance of three halves a point gained.
const PACE: Pace = Pace { tempo: 0.35, width: 0.4, spread: 0.9 };

impl Heuristics for Piglet {
    /// A logistic of the points still needed; a turn under way counts as if it were banked now.
    fn value(&self, state: &State, out: &mut [f64]) {
        let out = &mut out[..self.seats];
        if let Some(outcome) = self.outcome(state) {
            for (value, result) in out.iter_mut().zip(outcome.results()) {
                *value = result.payoff;
            }
            return;
        }
        let mover = state.mover.index();
        if self.reached(state) {
            out.fill(0.0);
            out[mover] = 1.0;
            return;
        }
        for (need, &score) in out.iter_mut().zip(&state.scores) {
            *need = (self.rules.target - score) as f64;
        }
        out[mover] -= state.total as f64;
        let begins = if state.total == 0 { mover } else { state.mover.next(self.seats).index() };
        PACE.shares(out, begins);
    }
    fn turn_id(&self, state: &State) -> u32 {
        state.turn as u32 + matches!(state.phase, Phase::Won | Phase::Capped) as u32
    }
    /// Leaves out the busts, and the count of turns while the cap is more than 1,000 turns away.
    fn search_key(&self, state: &State) -> u128 {
        let mut future = *state;
        future.busts = [0; MAX_SEATS];
        if self.rules.turn_cap - state.turn > 1000 {
            future.turn = 0;
        }
        crate::game::state_key(&future)
    }
    fn push_kind(&self) -> PushKind {
        PushKind::Open
    }
    fn push(&self, state: &State) -> Option<Push<Action>> {
        let open = state.phase == Phase::Choose && !self.reached(state);
        let total = state.total as u32;
        open.then_some(Push { roll: Action::Flip, stop: Action::Hold, total, limit: None })
    }
}

impl Narrate for Piglet {
    fn draw(&self, state: &State, ink: Ink) -> String {
        let under_way =
            matches!(state.phase, Phase::Choose | Phase::Flip).then(|| format!("turn total {}", state.total));
        standing(self.seats, &state.scores, self.rules.target, state.mover, under_way, ink)
    }
    fn tell(&self, before: &State, seat: Option<Seat>, action: Action, after: &State) -> String {
        let seat = seat.unwrap_or(before.mover);
        let score = after.scores[seat.index()];
        let cap = match after.phase {
            Phase::Capped => CUT_OFF,
            _ => "",
        };
        match action {
            Action::Flip => format!("Seat {seat} flips the coin."),
            Action::Heads => format!("Heads: turn total {}.", after.total),
            Action::Tails => format!("Tails: seat {seat} loses {} from the turn.{cap}", before.total),
            Action::Hold if after.phase == Phase::Won => {
                format!("Seat {seat} holds, banks {} and wins with {score}.", before.total)
            }
            Action::Hold => format!("Seat {seat} holds and banks {}: score {score}.{cap}", before.total),
        }
    }
    /// The least totals at which best play holds. Scores that cannot come up show `-`.
    fn picture(&self, best: &dyn Fn(&State) -> Option<Action>) -> Option<String> {
        let target = self.rules.target;
        let holds_at = |own: u16, other: u16| {
            let mut state = self.initial();
            state.scores[..self.seats].fill(other);
            state.scores[0] = own;
            let at = |total: u16| {
                let mut state = state;
                state.total = total;
                best(&state)
            };
            (1..=target - own).find(|&total| at(total) == Some(Action::Hold))
        };
        Some(picture(target, "least turn total at which to hold", holds_at))
    }
    fn describe(&self, state: &State, seat: Seat, action: Action) -> String {
        match action {
            Action::Flip => format!("throw the coin; tails loses the {} of this turn", state.total),
            Action::Hold => {
                let score = state.scores[seat.index()] + state.total;
                format!("bank {}: {score} of {}", state.total, self.rules.target)
            }
            Action::Heads | Action::Tails => format!("the coin shows {action}"),
        }
    }
}

impl Catalogued for Piglet {
    type Rules = Rules;
    const NAME: &'static str = "piglet";
    const SUMMARY: &'static str = "Pig with a coin: heads brings a point, tails loses the turn; first to 10";
    const SEATS: RangeInclusive<usize> = 2..=6;
    const YARDSTICK: bool = true;

    fn switches() -> &'static [Switch] {
        const { &[TARGET, TURN_CAP] }
    }
    fn rulings() -> &'static [Ruling] {
        const {
            &[Ruling {
                id: "PL-01",
                key: None,
                question: "May a player hold before the first throw, or throw on with enough to win?",
                readings: &["hold at any time, but with enough to win nothing else", "neither", "both"],
                reason: "As in Pig: the analysis offers both choices throughout; throwing on can only lose.",
            }]
        }
    }
    fn default_rules(_seats: usize) -> Rules {
        Rules { target: 10, turn_cap: 10_000 }
    }
    fn new(rules: Rules, seats: usize) -> Result<Piglet, RuleError> {
        Ok(Piglet { rules, seats })
    }
    fn rules(&self) -> &Rules {
        &self.rules
    }
}

#[cfg(test)]
mod tests {
    use super::super::race::play;
    use super::*;

    fn piglet(target: u16, turn_cap: u16, seats: usize) -> Piglet {
        Piglet::new(Rules { target, turn_cap }, seats).unwrap()
    }

    #[test]
    fn heads_adds_tails_loses_hold_banks() {
        let game = piglet(10, 9, 3);
        let state = play(&game, "flip, heads, flip, heads, hold, flip, heads, flip, tails");
        assert_eq!((state.scores[..3].to_vec(), state.total, state.turn), (vec![2, 0, 0], 0, 3));
        assert_eq!((state.mover, state.busts[1]), (Seat::new(2), 1));
    }

    #[test]
    fn the_target_is_banked() {
        let game = piglet(2, 9, 2);
        let mut state = play(&game, "flip, heads, flip, heads");
        assert!(game.check_action(&state, Seat::new(0), Action::Flip).is_err());
        assert!(game.push(&state).is_none());
        game.apply(&mut state, Action::Hold);
        assert_eq!(game.outcome(&state).unwrap().win_share(Seat::new(0)), 1.0);
    }

    #[test]
    fn the_cap_is_shared_by_all() {
        let state = play(&piglet(5, 2, 2), "hold, flip, tails");
        assert!(piglet(5, 2, 2).outcome(&state).unwrap().capped());
    }
}
