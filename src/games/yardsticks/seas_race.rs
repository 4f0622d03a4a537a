//! Seas race: the roll phase of Six-Sided Seas alone. Roll dice one after another while their total is at
//! most the limit; stopping gains a point for each die, the limit exactly (a jackpot) one more, passing it
//! (overboard) nothing. Whoever first has 20 points wins.
//!
//! Known exactly for a limit of 12: a turn that stops at a total of 8 or more goes overboard with probability
//! .0423, meets the limit with .1023, and stands at 9.163831 on average, overboard counted as 0.

use std::fmt::{self, Display};
use std::ops::RangeInclusive;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::race::{CUT_OFF, Pace, TARGET, TURN_CAP, die, standing};
use crate::game::{
    Game, Heuristics, Ink, Luck, MAX_SEATS, Narrate, Outcome, ParseActionError, Push, PushKind, Seat,
    SeatSet, Source, Turn,
};
use crate::games::Catalogued;
use crate::games::switches::{Kind, RuleError, Ruling, Switch};
use crate::streams::{Stream, below};

/// The race for two to six players.
#[derive(Clone, Copy, Debug)]
pub struct SeasRace {
    rules: Rules,
    seats: usize,
}

/// The switches of the race.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// Total that must not be passed, 1 to 60.
    pub limit: u16,
    /// Points that win, 1 to 1000.
    pub target: u16,
    /// Turns, of all players together, after which the game is cut off, 1 to 60,000.
    pub turn_cap: u16,
}

/// A position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    /// Points of each seat; 0 for seats nobody sits in.
    pub scores: [u16; MAX_SEATS],
    /// How often each seat went overboard.
    pub overboards: [u16; MAX_SEATS],
    /// How often each seat met the limit exactly.
    pub jackpots: [u16; MAX_SEATS],
    /// Dice rolled in this turn.
    pub dice: u16,
    /// What they add to.
    pub total: u16,
    /// Number of the turn under way, from 1.
    pub turn: u16,
    /// Whose turn it is; when somebody has won, the winner.
    pub mover: Seat,
    /// What happens next.
    pub phase: Phase,
}

/// What happens next; serialised as `choose`, `roll`, `won` or `capped`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// The player on turn rolls or stops.
    Choose,
    /// A die is thrown; the first of a turn without being asked for.
    Roll,
    /// The player on turn has points enough.
    Won,
    /// The last turn allowed is over.
    Capped,
}

/// An action or what the die shows; written `roll`, `stop`, `die 4`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// Throws another die.
    Roll,
    /// Takes a point for each die and passes.
    Stop,
    /// The die shows 1 to 6.
    Die(u8),
}

impl Display for Action {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Roll => out.write_str("roll"),
            Action::Stop => out.write_str("stop"),
            Action::Die(face) => write!(out, "die {face}"),
        }
    }
}

impl FromStr for Action {
    type Err = ParseActionError;
    fn from_str(text: &str) -> Result<Action, ParseActionError> {
        let unknown = || ParseActionError::new(text, "`roll`, `stop`, or `die 1` to `die 6`");
        match text.trim() {
            "roll" => Ok(Action::Roll),
            "stop" => Ok(Action::Stop),
            other => die(other).map(Action::Die).ok_or_else(unknown),
        }
    }
}

impl SeasRace {
    /// The dice of the turn are enough to win: nothing is left but to stop.
    fn reached(&self, state: &State) -> bool {
        state.scores[state.mover.index()] + state.dice >= self.rules.target
    }

    /// Ends the turn with a gain.
    fn end(&self, state: &mut State, gain: u16) {
        let score = &mut state.scores[state.mover.index()];
        *score += gain;
        let won = *score >= self.rules.target;
        (state.dice, state.total) = (0, 0);
        if won {
            state.phase = Phase::Won;
        } else if state.turn == self.rules.turn_cap {
            state.phase = Phase::Capped;
        } else {
            state.turn += 1;
            state.mover = state.mover.next(self.seats);
            state.phase = Phase::Roll;
        }
    }
}

impl Game for SeasRace {
    type State = State;
    type Action = Action;

    fn seats(&self) -> usize {
        self.seats
    }
    fn luck(&self) -> &'static [Luck] {
        const { &[Luck::per_seat("dice")] }
    }
    fn action_kinds(&self) -> &'static [&'static str] {
        &["roll", "stop"]
    }
    fn endings(&self) -> &'static [&'static str] {
        &["target", "cap"]
    }
    fn step_limit(&self) -> u32 {
        self.rules.turn_cap as u32 * self.rules.limit as u32
    }
    fn initial(&self) -> State {
        let none = [0; MAX_SEATS];
        State {
            scores: none,
            overboards: none,
            jackpots: none,
            dice: 0,
            total: 0,
            turn: 1,
            mover: Seat::new(0),
            phase: Phase::Roll,
        }
    }
    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match state.phase {
            Phase::Choose => Turn::Decision(state.mover),
            Phase::Roll => Turn::Chance(Source::of(0, state.mover)),
            Phase::Won | Phase::Capped => Turn::Over,
        }
    }
    fn actions(&self, state: &State, _seat: Seat, out: &mut Vec<Action>) {
        out.clear();
        if !self.reached(state) {
            out.push(Action::Roll);
        }
        out.push(Action::Stop);
    }
    fn chance(&self, _state: &State, out: &mut Vec<(Action, f64)>) {
        out.clear();
        out.extend((1..=6).map(|face| (Action::Die(face), 1.0 / 6.0)));
    }
    #[inline]
    fn sample_chance(&self, _state: &State, word: u64) -> Action {
        Action::Die(1 + below(word, 6) as u8)
    }
    fn apply(&self, state: &mut State, action: Action) {
        let mover = state.mover.index();
        match action {
            Action::Roll => state.phase = Phase::Roll,
            Action::Stop => self.end(state, state.dice),
            Action::Die(face) => {
                state.dice += 1;
                state.total += face as u16;
                match state.total.cmp(&self.rules.limit) {
                    std::cmp::Ordering::Less => state.phase = Phase::Choose,
                    std::cmp::Ordering::Equal => {
                        state.jackpots[mover] += 1;
                        self.end(state, state.dice + 1);
                    }
                    std::cmp::Ordering::Greater => {
                        state.overboards[mover] += 1;
                        self.end(state, 0);
                    }
                }
            }
        }
    }
    fn outcome(&self, state: &State) -> Option<Outcome> {
        let (ending, winners) = match state.phase {
            Phase::Won => ("target", SeatSet::default().with(state.mover)),
            Phase::Capped => ("cap", SeatSet::all(self.seats)),
            Phase::Choose | Phase::Roll => return None,
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
        if self.reached(state) || stream.below(2) == 1 { Action::Stop } else { Action::Roll }
    }
    fn tally_names(&self) -> &'static [&'static str] {
        &["overboards", "jackpots"]
    }
    fn tally(&self, state: &State, seat: Seat, out: &mut [i64]) {
        out[0] = state.overboards[seat.index()] as i64;
        out[1] = state.jackpots[seat.index()] as i64;
    }
}

/// A turn that stops at 8 of 12 brings about two and a half points, with a variance of a third a point.
const PACE: Pace = Pace { tempo: 1.4, width: 0.5, spread: 0.55 };

impl Heuristics for SeasRace {
    /// A logistic of the points still needed; a turn under way counts as if it were stopped now.
    fn value(&self, state: &State, out: &mut [f64]) {
        let out = &mut out[..self.seats];
        if let Some(outcome) = self.outcome(state) {
            for (value, result) in out.iter_mut().zip(outcome.results()) {
                *value = result.payoff;
            }
            return;
        }
        let mover = state.mover.index();
        if self.reached(state) && state.phase == Phase::Choose {
            out.fill(0.0);
            out[mover] = 1.0;
            return;
        }
        for (need, &score) in out.iter_mut().zip(&state.scores) {
            *need = (self.rules.target - score) as f64;
        }
        out[mover] -= state.dice as f64;
        let begins = if state.dice == 0 { mover } else { state.mover.next(self.seats).index() };
        PACE.shares(out, begins);
    }
    fn turn_id(&self, state: &State) -> u32 {
        state.turn as u32 + matches!(state.phase, Phase::Won | Phase::Capped) as u32
    }
    /// Leaves out what is only counted, and the count of turns while the cap is more than 1,000 turns away.
    fn search_key(&self, state: &State) -> u128 {
        let mut future = *state;
        (future.overboards, future.jackpots) = ([0; MAX_SEATS], [0; MAX_SEATS]);
        if self.rules.turn_cap - state.turn > 1000 {
            future.turn = 0;
        }
        crate::game::state_key(&future)
    }
    fn push_kind(&self) -> PushKind {
        PushKind::Limited
    }
    fn push(&self, state: &State) -> Option<Push<Action>> {
        let open = state.phase == Phase::Choose && !self.reached(state);
        let (total, limit) = (state.total as u32, Some(self.rules.limit as u32));
        open.then_some(Push { roll: Action::Roll, stop: Action::Stop, total, limit })
    }
}

fn dice_in_words(count: u16) -> String {
    if count == 1 { "1 die".into() } else { format!("{count} dice") }
}

impl Narrate for SeasRace {
    fn draw(&self, state: &State, ink: Ink) -> String {
        let Rules { limit, target, .. } = self.rules;
        let under_way = matches!(state.phase, Phase::Choose | Phase::Roll)
            .then(|| format!("{} adding to {} of {limit}", dice_in_words(state.dice), state.total));
        standing(self.seats, &state.scores, target, state.mover, under_way, ink)
    }
    fn tell(&self, before: &State, seat: Option<Seat>, action: Action, after: &State) -> String {
        let seat = seat.unwrap_or(before.mover);
        let score = after.scores[seat.index()];
        let end = match after.phase {
            Phase::Capped => CUT_OFF,
            Phase::Won => " That wins.",
            _ => "",
        };
        let limit = self.rules.limit;
        match action {
            Action::Roll => format!("Seat {seat} rolls another die."),
            Action::Stop => {
                format!("Seat {seat} stops with {}: score {score}.{end}", dice_in_words(before.dice))
            }
            Action::Die(face) => {
                let (dice, total) = (dice_in_words(before.dice + 1), before.total + face as u16);
                if total > limit {
                    format!("The die shows {face}: {total} passes {limit}, seat {seat} goes overboard.{end}")
                } else if total == limit {
                    format!("The die shows {face}: a jackpot with {dice}, score {score}.{end}")
                } else {
                    format!("The die shows {face}: {dice} add to {total}.")
                }
            }
        }
    }
    /// The least totals at which best play stops, by number of dice, at a few standings.
    fn picture(&self, best: &dyn Fn(&State) -> Option<Action>) -> Option<String> {
        let Rules { limit, target, .. } = self.rules;
        let (half, near) = (target / 2, target.saturating_sub(4));
        let standings = [(0, 0), (half, half), (near, near), (half, 0), (0, half), (near, 0), (0, near)];
        let stops_at = |(own, other): (u16, u16), dice: u16| {
            let mut state = self.initial();
            state.scores[..self.seats].fill(other);
            (state.scores[0], state.dice, state.phase) = (own, dice, Phase::Choose);
            let at = |total: u16| {
                let mut state = state;
                state.total = total;
                best(&state)
            };
            (dice..limit).find(|&total| at(total) == Some(Action::Stop))
        };
        let mut lines = vec![
            "least total at which to stop, by number of dice (down) and score against the \
                              others' (across)"
                .to_owned(),
        ];
        let heads = standings.map(|(own, other)| format!("{:>8}", format!("{own}:{other}")));
        lines.push("    ".to_owned() + &heads.concat());
        for dice in 1..limit.min(20) {
            let cells = standings.map(|standing| {
                let total = stops_at(standing, dice).map_or("-".to_owned(), |total| total.to_string());
                format!("{total:>8}")
            });
            lines.push(format!("{dice:>4}{}", cells.concat()));
        }
        Some(lines.join("\n"))
    }
    fn describe(&self, state: &State, seat: Seat, action: Action) -> String {
        match action {
            Action::Roll => {
                let left = self.rules.limit - state.total;
                format!("throw another die; more than {left} goes overboard, {left} is the jackpot")
            }
            Action::Stop => {
                let score = state.scores[seat.index()] + state.dice;
                format!("take {}: {score} of {}", dice_in_words(state.dice), self.rules.target)
            }
            Action::Die(face) => format!("the die shows {face}"),
        }
    }
}

impl Catalogued for SeasRace {
    type Rules = Rules;
    const NAME: &'static str = "seas-race";
    const SUMMARY: &'static str = "the roll phase of Six-Sided Seas alone: a point for each die, first to 20";
    const SEATS: RangeInclusive<usize> = 2..=6;
    const YARDSTICK: bool = true;

    fn switches() -> &'static [Switch] {
        const {
            &[
                Switch { key: "limit", kind: Kind::Int(1, 60), meaning: "total that must not be passed" },
                TARGET,
                TURN_CAP,
            ]
        }
    }
    fn rulings() -> &'static [Ruling] {
        const {
            &[
                Ruling {
                    id: "SR-01",
                    key: None,
                    question: "Does a turn run out of dice?",
                    readings: &["no", "yes, at the 14 of Six-Sided Seas"],
                    reason: "The race asks when to stop; at limits up to 14 the supply cannot matter anyway.",
                },
                Ruling {
                    id: "SR-02",
                    key: None,
                    question: "May a player whose dice are enough to win roll on?",
                    readings: &["no", "yes"],
                    reason: "As in Pig: rolling on can only lose.",
                },
            ]
        }
    }
    fn default_rules(_seats: usize) -> Rules {
        Rules { limit: 12, target: 20, turn_cap: 10_000 }
    }
    fn new(rules: Rules, seats: usize) -> Result<SeasRace, RuleError> {
        Ok(SeasRace { rules, seats })
    }
    fn rules(&self) -> &Rules {
        &self.rules
    }
}

#[cfg(test)]
mod tests {
    use super::super::race::play;
    use super::*;

    fn race(limit: u16, target: u16, seats: usize) -> SeasRace {
        SeasRace::new(Rules { limit, target, turn_cap: 9 }, seats).unwrap()
    }

    #[test]
    fn stopping_gains_a_point_for_each_die() {
        let state = play(&race(12, 20, 2), "die 6, roll, die 1, roll, die 2, stop");
        assert_eq!((state.scores[0], state.dice, state.total, state.mover), (3, 0, 0, Seat::new(1)));
        assert_eq!(state.phase, Phase::Roll);
    }

    #[test]
    fn the_limit_gains_one_more_and_passing_it_nothing() {
        let state = play(&race(12, 20, 2), "die 6, roll, die 6, die 5, roll, die 6, roll, die 2");
        assert_eq!((state.scores[..2].to_vec(), state.jackpots[0], state.overboards[1]), (vec![3, 0], 1, 1));
    }

    #[test]
    fn enough_dice_win_when_they_are_taken_or_meet_the_limit() {
        let game = race(12, 3, 2);
        let state = play(&game, "die 1, roll, die 1, roll, die 1");
        assert!(game.check_action(&state, Seat::new(0), Action::Roll).is_err());
        let won = play(&game, "die 1, roll, die 1, roll, die 1, stop");
        assert_eq!(game.outcome(&won).unwrap().win_share(Seat::new(0)), 1.0);
        let jackpot = play(&game, "die 6, roll, die 6");
        assert_eq!(game.outcome(&jackpot).unwrap().ending(), "target");
    }

    /// Mean total (overboard 0), probability of overboard and of the jackpot, of one turn that stops at
    /// `stop`, by the engine's own steps.
    fn turn_of(game: &SeasRace, state: &State, stop: u16) -> [f64; 3] {
        let mut outcomes = Vec::new();
        game.chance(state, &mut outcomes);
        let mut sums = [0.0; 3];
        for &(face, probability) in &outcomes {
            let mut after = *state;
            game.apply(&mut after, face);
            let turn = if after.jackpots[0] == 1 {
                [game.rules.limit as f64, 0.0, 1.0]
            } else if after.overboards[0] == 1 {
                [0.0, 1.0, 0.0]
            } else if after.total >= stop {
                [after.total as f64, 0.0, 0.0]
            } else {
                game.apply(&mut after, Action::Roll);
                turn_of(game, &after, stop)
            };
            for (sum, part) in sums.iter_mut().zip(turn) {
                *sum += probability * part;
            }
        }
        sums
    }

    #[test]
    fn a_turn_that_stops_at_8_of_12() {
        let game = race(12, 1000, 2);
        let [value, overboard, jackpot] = turn_of(&game, &game.initial(), 8);
        assert!((value - 9.163831).abs() < 5e-7, "{value}");
        assert!((overboard - 0.0423).abs() < 5e-5, "{overboard}");
        assert!((jackpot - 0.1023).abs() < 5e-5, "{jackpot}");
        // No other threshold stands higher on average.
        for stop in (1..=12).filter(|&stop| stop != 8) {
            assert!(turn_of(&game, &game.initial(), stop)[0] < value);
        }
    }
}
