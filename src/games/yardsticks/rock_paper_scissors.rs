//! Rock-paper-scissors with stakes: simultaneous choices. The winner of a round takes from the loser what a
//! win with that throw pays.
//!
//! Known exactly: with stakes r, p and s for a win with rock, paper and scissors, the equilibrium throws rock,
//! paper and scissors in proportion s : r : p, and the game is worth 0. The published stakes 25, 50 and 100
//! give (4/7, 1/7, 2/7).

use std::fmt::{self, Display};
use std::ops::RangeInclusive;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::game::{Game, Heuristics, Ink, Luck, Narrate, Outcome, ParseActionError, Seat, SeatSet, Turn};
use crate::games::Catalogued;
use crate::games::switches::{Kind, RuleError, Switch};
use crate::streams::Stream;

/// Rock-paper-scissors, played for points.
#[derive(Clone, Copy, Debug)]
pub struct RockPaperScissors {
    rules: Rules,
}

/// The switches: what a win with each throw pays, and how often is thrown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// Points for a win with rock, 1 to 1000.
    pub rock: u16,
    /// Points for a win with paper, 1 to 1000.
    pub paper: u16,
    /// Points for a win with scissors, 1 to 1000.
    pub scissors: u16,
    /// Rounds in a game, 1 to 1000.
    pub rounds: u16,
}

/// A position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    /// Points that seat 0 has won from seat 1; negative when seat 1 is ahead.
    pub lead: i32,
    /// Rounds played.
    pub round: u16,
}

/// A throw; written `rock`, `paper`, `scissors`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Throw {
    /// Beats scissors.
    Rock,
    /// Beats rock.
    Paper,
    /// Beats paper.
    Scissors,
}

const THROWS: [Throw; 3] = [Throw::Rock, Throw::Paper, Throw::Scissors];

impl Throw {
    /// Whether it beats the other throw.
    pub fn beats(self, other: Throw) -> bool {
        self as u8 == (other as u8 + 1) % 3
    }
}

impl Display for Throw {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(["rock", "paper", "scissors"][*self as usize])
    }
}

impl FromStr for Throw {
    type Err = ParseActionError;
    fn from_str(text: &str) -> Result<Throw, ParseActionError> {
        let found = THROWS.into_iter().find(|throw| throw.to_string() == text.trim());
        found.ok_or_else(|| ParseActionError::new(text, "`rock`, `paper` or `scissors`"))
    }
}

impl RockPaperScissors {
    fn stake(&self, throw: Throw) -> i32 {
        let Rules { rock, paper, scissors, .. } = self.rules;
        [rock, paper, scissors][throw as usize] as i32
    }
}

impl Game for RockPaperScissors {
    type State = State;
    type Action = Throw;

    fn seats(&self) -> usize {
        2
    }
    fn luck(&self) -> &'static [Luck] {
        &[]
    }
    fn action_kinds(&self) -> &'static [&'static str] {
        &["rock", "paper", "scissors"]
    }
    fn endings(&self) -> &'static [&'static str] {
        &["points", "level"]
    }
    fn step_limit(&self) -> u32 {
        2 * self.rules.rounds as u32
    }
    fn initial(&self) -> State {
        State { lead: 0, round: 0 }
    }
    fn turn(&self, state: &State) -> Turn {
        if state.round == self.rules.rounds { Turn::Over } else { Turn::Simultaneous(SeatSet::all(2)) }
    }
    fn actions(&self, _state: &State, _seat: Seat, out: &mut Vec<Throw>) {
        out.clear();
        out.extend(THROWS);
    }
    fn chance(&self, _state: &State, out: &mut Vec<(Throw, f64)>) {
        out.clear();
    }
    fn apply(&self, _state: &mut State, _action: Throw) {
        unreachable!("both throw at once: see apply_together")
    }
    fn apply_together(&self, state: &mut State, actions: &[Throw]) {
        let (first, second) = (actions[0], actions[1]);
        state.round += 1;
        if first.beats(second) {
            state.lead += self.stake(first);
        } else if second.beats(first) {
            state.lead -= self.stake(second);
        }
    }
    fn outcome(&self, state: &State) -> Option<Outcome> {
        let ending = if state.lead == 0 { "level" } else { "points" };
        let points = state.lead as f64;
        (state.round == self.rules.rounds).then(|| {
            Outcome::from_scores(ending, &[state.lead, -state.lead]).with_payoffs(&[points, -points])
        })
    }
    fn turns(&self, state: &State) -> u32 {
        state.round as u32
    }
    fn random_action(
        &self,
        _state: &State,
        _seat: Seat,
        stream: &mut Stream,
        _buffer: &mut Vec<Throw>,
    ) -> Throw {
        THROWS[stream.below(3)]
    }
}

impl Heuristics for RockPaperScissors {
    /// Points won so far: exact when both go on at equilibrium, where a round is worth nothing.
    fn value(&self, state: &State, out: &mut [f64]) {
        out[0] = state.lead as f64;
        out[1] = -out[0];
    }
    fn turn_id(&self, state: &State) -> u32 {
        state.round as u32
    }
    /// The equilibrium of a round.
    fn prior(&self, _state: &State, _seat: Seat, actions: &[Throw], out: &mut Vec<f32>) {
        let Rules { rock, paper, scissors, .. } = self.rules;
        let sum = (rock + paper + scissors) as f32;
        out.clear();
        out.extend(actions.iter().map(|&throw| [scissors, rock, paper][throw as usize] as f32 / sum));
    }
}

impl Narrate for RockPaperScissors {
    fn draw(&self, state: &State, ink: Ink) -> String {
        let seat = |index: usize| ink.seat(Seat::new(index), &format!("Seat {}", Seat::new(index)));
        let lead = match state.lead {
            0 => "level".to_owned(),
            lead => format!("{} leads by {}", seat((lead < 0) as usize), lead.abs()),
        };
        format!("{} of {} rounds played, {lead}", state.round, self.rules.rounds)
    }
    fn tell(&self, before: &State, seat: Option<Seat>, action: Throw, after: &State) -> String {
        let won = after.lead - before.lead;
        let (won, name) = match seat {
            Some(seat) if seat.index() == 1 => (-won, "Seat 2".to_owned()),
            Some(seat) => (won, format!("Seat {seat}")),
            None => (won, "Somebody".to_owned()),
        };
        let result = match won {
            0 => "nobody pays".to_owned(),
            1.. => format!("wins {won}"),
            _ => format!("pays {}", -won),
        };
        format!("{name} shows {action}: {result}.")
    }
    fn describe(&self, _state: &State, _seat: Seat, action: Throw) -> String {
        let beaten = THROWS.into_iter().find(|other| action.beats(*other)).expect("a throw beats one");
        format!("beats {beaten} for {} points", self.stake(action))
    }
}

impl Catalogued for RockPaperScissors {
    type Rules = Rules;
    const NAME: &'static str = "rock-paper-scissors";
    const SUMMARY: &'static str = "both throw at once; what a win pays depends on the throw";
    const SEATS: RangeInclusive<usize> = 2..=2;
    const YARDSTICK: bool = true;

    fn switches() -> &'static [Switch] {
        const STAKE: Kind = Kind::Int(1, 1000);
        const {
            &[
                Switch { key: "rock", kind: STAKE, meaning: "points that a win with rock pays" },
                Switch { key: "paper", kind: STAKE, meaning: "points that a win with paper pays" },
                Switch { key: "scissors", kind: STAKE, meaning: "points that a win with scissors pays" },
                Switch { key: "rounds", kind: Kind::Int(1, 1000), meaning: "rounds in a game" },
            ]
        }
    }
    fn default_rules(_seats: usize) -> Rules {
        Rules { rock: 25, paper: 50, scissors: 100, rounds: 1 }
    }
    fn new(rules: Rules, _seats: usize) -> Result<RockPaperScissors, RuleError> {
        Ok(RockPaperScissors { rules })
    }
    fn rules(&self) -> &Rules {
        &self.rules
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standard() -> RockPaperScissors {
        RockPaperScissors::new(RockPaperScissors::default_rules(2), 2).unwrap()
    }

    fn payoff(first: Throw, second: Throw) -> f64 {
        let game = standard();
        let mut state = game.initial();
        game.play_together(&mut state, &[first, second]).unwrap();
        let outcome = game.outcome(&state).unwrap();
        assert_eq!(outcome.payoff(Seat::new(0)), -outcome.payoff(Seat::new(1)));
        outcome.payoff(Seat::new(0))
    }

    #[test]
    fn the_winning_throw_sets_the_stake() {
        let table = THROWS.map(|first| THROWS.map(|second| payoff(first, second)));
        assert_eq!(table, [[0.0, -50.0, 25.0], [50.0, 0.0, -100.0], [-25.0, 100.0, 0.0]]);
    }

    #[test]
    fn the_equilibrium_is_worth_nothing_against_any_throw() {
        let game = standard();
        let mut mix = Vec::new();
        game.prior(&game.initial(), Seat::new(0), &THROWS, &mut mix);
        for (weight, exact) in mix.iter().zip([4.0 / 7.0, 1.0 / 7.0, 2.0 / 7.0]) {
            assert!((weight - exact).abs() < 1e-6);
        }
        for answer in THROWS {
            let exact = [4.0, 1.0, 2.0].map(|weight| weight / 7.0);
            let worth: f64 = THROWS.iter().zip(exact).map(|(&t, weight)| weight * payoff(t, answer)).sum();
            assert!(worth.abs() < 1e-12);
        }
    }

    #[test]
    fn a_draw_is_shared() {
        let game = standard();
        let mut state = game.initial();
        game.play_together(&mut state, &[Throw::Rock, Throw::Rock]).unwrap();
        let outcome = game.outcome(&state).unwrap();
        assert_eq!((outcome.ending(), outcome.win_share(Seat::new(1))), ("level", 0.5));
        assert_eq!(outcome.payoff(Seat::new(0)), 0.0);
    }

    #[test]
    fn points_add_up_over_rounds() {
        let rules = Rules { rounds: 3, ..RockPaperScissors::default_rules(2) };
        let game = RockPaperScissors::new(rules, 2).unwrap();
        let mut state = game.initial();
        for throws in [[Throw::Paper, Throw::Rock], [Throw::Scissors, Throw::Rock], [Throw::Rock; 2]] {
            assert!(game.outcome(&state).is_none());
            game.play_together(&mut state, &throws).unwrap();
        }
        assert_eq!(game.outcome(&state).unwrap().payoff(Seat::new(0)), 25.0);
    }
}
