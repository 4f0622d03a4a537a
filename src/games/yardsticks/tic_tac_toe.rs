//! Tic-tac-toe: decisions alone. 255,168 games, 5,478 positions; random play wins 737/1260 for the first
//! player and draws 8/63 (exact counts, by enumeration).

use std::fmt::{self, Display};
use std::ops::RangeInclusive;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::NoSwitches;
use crate::game::{Game, Heuristics, Ink, Luck, Narrate, Outcome, ParseActionError, Seat, SeatSet, Turn};
use crate::games::Catalogued;
use crate::games::switches::{RuleError, Switch};

/// Three in a row on nine squares, numbered 1 to 9 in reading order.
#[derive(Clone, Copy, Debug)]
pub struct TicTacToe {
    rules: NoSwitches,
}

/// A position. Bit i of a mask is square i + 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    /// Squares of seat 0 (X) and seat 1 (O), as masks.
    pub marks: [u16; 2],
}

/// Marks a square, 0 to 8; shown as 1 to 9.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Mark(pub u8);

impl Display for Mark {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.0 + 1)
    }
}

impl FromStr for Mark {
    type Err = ParseActionError;
    fn from_str(text: &str) -> Result<Mark, ParseActionError> {
        match text.trim().parse::<u8>() {
            Ok(square @ 1..=9) => Ok(Mark(square - 1)),
            _ => Err(ParseActionError::new(text, "a square from 1 to 9")),
        }
    }
}

const LINES: [u16; 8] = [
    0b000_000_111,
    0b000_111_000,
    0b111_000_000,
    0b001_001_001,
    0b010_010_010,
    0b100_100_100,
    0b100_010_001,
    0b001_010_100,
];
const FULL: u16 = 0b111_111_111;

fn has_line(marks: u16) -> bool {
    LINES.iter().any(|line| marks & line == *line)
}

impl State {
    fn filled(&self) -> u16 {
        self.marks[0] | self.marks[1]
    }

    fn mover(&self) -> Seat {
        Seat::new(self.filled().count_ones() as usize % 2)
    }
}

impl Game for TicTacToe {
    type State = State;
    type Action = Mark;

    fn seats(&self) -> usize {
        2
    }
    fn luck(&self) -> &'static [Luck] {
        &[]
    }
    fn endings(&self) -> &'static [&'static str] {
        &["line", "full"]
    }
    fn step_limit(&self) -> u32 {
        9
    }
    fn initial(&self) -> State {
        State { marks: [0, 0] }
    }
    fn turn(&self, state: &State) -> Turn {
        // Only the last to move can have a line.
        let last = state.marks[1 - state.mover().index()];
        if has_line(last) || state.filled() == FULL { Turn::Over } else { Turn::Decision(state.mover()) }
    }
    fn actions(&self, state: &State, _seat: Seat, out: &mut Vec<Mark>) {
        out.clear();
        out.extend((0..9).filter(|square| state.filled() >> square & 1 == 0).map(Mark));
    }
    fn chance(&self, _state: &State, out: &mut Vec<(Mark, f64)>) {
        out.clear();
    }
    fn apply(&self, state: &mut State, action: Mark) {
        let mover = state.mover();
        state.marks[mover.index()] |= 1 << action.0;
    }
    fn outcome(&self, state: &State) -> Option<Outcome> {
        let scores = [0, 0];
        let line = |seat: usize| has_line(state.marks[seat]);
        match (line(0), line(1)) {
            (true, _) => Some(Outcome::winner("line", Seat::new(0), &scores)),
            (_, true) => Some(Outcome::winner("line", Seat::new(1), &scores)),
            _ if state.filled() == FULL => Some(Outcome::winners("full", SeatSet::all(2), &scores)),
            _ => None,
        }
    }
    fn payoff_limit(&self) -> f64 {
        1.0
    }
    fn turns(&self, state: &State) -> u32 {
        state.filled().count_ones()
    }
}

impl Heuristics for TicTacToe {
    /// Lines still open to each side, weighted by marks on them.
    fn value(&self, state: &State, out: &mut [f64]) {
        if let Some(outcome) = self.outcome(state) {
            out[0] = outcome.payoff(Seat::new(0));
        } else {
            let open = |own: u16, other: u16| -> f64 {
                let lines = LINES.iter().filter(|line| *line & other == 0);
                lines.map(|line| [1.0, 3.0, 9.0, 27.0][(line & own).count_ones() as usize]).sum()
            };
            let first = open(state.marks[0], state.marks[1]) + 1.0;
            let second = open(state.marks[1], state.marks[0]) + 1.0;
            out[0] = first / (first + second);
        }
        out[1] = 1.0 - out[0];
    }
    fn turn_id(&self, state: &State) -> u32 {
        self.turns(state)
    }
}

impl Narrate for TicTacToe {
    fn draw(&self, state: &State, ink: Ink) -> String {
        let cell = |square: usize| {
            let owner = Seat::all(2).find(|seat| state.marks[seat.index()] >> square & 1 == 1);
            owner.map_or((square + 1).to_string(), |seat| ink.seat(seat, ["X", "O"][seat.index()]))
        };
        let row = |row: usize| format!(" {} {} {}", cell(row), cell(row + 1), cell(row + 2));
        [0, 3, 6].map(row).join("\n")
    }
    fn tell(&self, _before: &State, seat: Option<Seat>, action: Mark, after: &State) -> String {
        let seat = seat.expect("there is no luck in this game");
        let line = if has_line(after.marks[seat.index()]) { ": three in a row" } else { "" };
        format!("Seat {seat} marks square {action}{line}.")
    }
    fn describe(&self, _state: &State, _seat: Seat, action: Mark) -> String {
        format!("mark square {action}")
    }
}

impl Catalogued for TicTacToe {
    type Rules = NoSwitches;
    const NAME: &'static str = "tic-tac-toe";
    const SUMMARY: &'static str = "three in a row on nine squares";
    const SEATS: RangeInclusive<usize> = 2..=2;
    const YARDSTICK: bool = true;

    fn switches() -> &'static [Switch] {
        &[]
    }
    fn default_rules(_seats: usize) -> NoSwitches {
        NoSwitches {}
    }
    fn new(rules: NoSwitches, _seats: usize) -> Result<TicTacToe, RuleError> {
        Ok(TicTacToe { rules })
    }
    fn rules(&self) -> &NoSwitches {
        &self.rules
    }
}
