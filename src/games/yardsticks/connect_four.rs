//! Connect Four: decisions alone, too many to enumerate. Stones fall down a column; four in a row, upright,
//! level or aslant, win.
//!
//! Known exactly on 7 columns and 6 rows: the first player wins, and only by beginning in the middle (Allen
//! 1988, Allis 1988). The number of ways to play n moves is 7, 49, 343, 2,401, 16,807, 117,649, 823,536,
//! 5,673,234 for n = 1 to 8. On 4 x 4 the game is a draw.

use std::fmt::{self, Display};
use std::ops::RangeInclusive;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::game::{Game, Heuristics, Ink, Luck, Narrate, Outcome, ParseActionError, Seat, SeatSet, Turn};
use crate::games::Catalogued;
use crate::games::switches::{Kind, RuleError, Switch};
use crate::streams::Stream;

/// Connect Four on a board of up to 8 x 8.
#[derive(Clone, Copy, Debug)]
pub struct ConnectFour {
    rules: Rules,
    /// Squares of the board.
    board: u64,
    /// The top square of each column.
    top: u64,
}

/// The switches: the size of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// Columns, 1 to 8.
    pub columns: u8,
    /// Rows, 1 to 8.
    pub rows: u8,
}

/// A position. Bit 8 c + r of a mask is the square in column c and row r, counted from 0 from the bottom left.
///
/// The stones are told by whose move it is, not by seat: a loop that plays on then needs no index.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    /// Stones of the player to move.
    pub mover: u64,
    /// Stones of the other, who moved last.
    pub waiter: u64,
    /// Stones on the board; seat 0 moves when they are even in number.
    pub moves: u8,
}

/// Drops a stone into a column, 0 to 7; shown as 1 to 8.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Drop(pub u8);

impl Display for Drop {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.0 + 1)
    }
}

impl FromStr for Drop {
    type Err = ParseActionError;
    fn from_str(text: &str) -> Result<Drop, ParseActionError> {
        match text.trim().parse::<u8>() {
            Ok(column @ 1..=8) => Ok(Drop(column - 1)),
            _ => Err(ParseActionError::new(text, "a column from 1 to 8")),
        }
    }
}

/// Where an upright line of four or one that slants upwards can begin: the lower five rows of each column.
const LOWER: u64 = 0x1f1f_1f1f_1f1f_1f1f;
/// Where one that slants downwards can begin: the upper five rows.
const UPPER: u64 = 0xf8f8_f8f8_f8f8_f8f8;
/// The four directions: how far the next square of a line is, and where a line can begin.
const DIRECTIONS: [(u32, u64); 4] = [(1, LOWER), (8, u64::MAX), (9, LOWER), (7, UPPER)];

/// Whether four stand in a row. Lines that a shift would carry from one column into the next are cut off by
/// the mask of beginnings.
#[inline]
fn has_line(stones: u64) -> bool {
    let lines = |(shift, begin): (u32, u64)| {
        let pairs = stones & stones >> shift;
        pairs & pairs >> (2 * shift) & begin
    };
    lines(DIRECTIONS[0]) | lines(DIRECTIONS[1]) | lines(DIRECTIONS[2]) | lines(DIRECTIONS[3]) != 0
}

impl ConnectFour {
    fn is_full(&self, state: &State) -> bool {
        state.moves == self.rules.columns * self.rules.rows
    }

    /// Whether a column has room.
    #[inline]
    fn is_open(&self, state: &State, column: u8) -> bool {
        (state.mover | state.waiter) & self.top & 0xff << (8 * column) == 0
    }

    /// The square on which a stone comes to rest.
    #[inline]
    fn landing(state: &State, column: u8) -> u64 {
        let filled = state.mover | state.waiter;
        (filled + (1 << (8 * column))) & !filled
    }

    /// How a side stands: over all lines of four that the other has not entered, one for each stone, and
    /// eight more for a line with three.
    fn prospects(&self, own: u64, other: u64) -> f64 {
        let free = self.board & !other;
        let mut sum = 0;
        for (shift, begin) in DIRECTIONS {
            let at = |stones: u64, step: u32| stones >> (step * shift);
            let open = free & at(free, 1) & at(free, 2) & at(free, 3) & begin;
            let stones = [0, 1, 2, 3].map(|step| at(own, step) & open);
            sum += stones.iter().map(|mask| mask.count_ones()).sum::<u32>();
            let pair = (stones[0] & stones[1], stones[2] & stones[3]);
            let threes = pair.0 & (stones[2] | stones[3]) | pair.1 & (stones[0] | stones[1]);
            sum += 8 * threes.count_ones();
        }
        sum as f64
    }
}

impl State {
    #[inline]
    fn seat(&self) -> Seat {
        Seat::new((self.moves & 1) as usize)
    }

    /// The stones of each seat.
    pub fn stones(&self) -> [u64; 2] {
        if self.moves & 1 == 0 { [self.mover, self.waiter] } else { [self.waiter, self.mover] }
    }
}

impl Game for ConnectFour {
    type State = State;
    type Action = Drop;

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
        self.rules.columns as u32 * self.rules.rows as u32
    }
    fn initial(&self) -> State {
        State { mover: 0, waiter: 0, moves: 0 }
    }
    #[inline]
    fn turn(&self, state: &State) -> Turn {
        // Only the last to move can have a line.
        if has_line(state.waiter) || self.is_full(state) { Turn::Over } else { Turn::Decision(state.seat()) }
    }
    #[inline]
    fn actions(&self, state: &State, _seat: Seat, out: &mut Vec<Drop>) {
        out.clear();
        out.extend((0..self.rules.columns).filter(|&column| self.is_open(state, column)).map(Drop));
    }
    fn chance(&self, _state: &State, out: &mut Vec<(Drop, f64)>) {
        out.clear();
    }
    #[inline]
    fn apply(&self, state: &mut State, action: Drop) {
        let stone = ConnectFour::landing(state, action.0);
        *state = State { mover: state.waiter, waiter: state.mover | stone, moves: state.moves + 1 };
    }
    fn outcome(&self, state: &State) -> Option<Outcome> {
        if has_line(state.waiter) {
            Some(Outcome::winner("line", state.seat().next(2), &[0, 0]))
        } else if self.is_full(state) {
            Some(Outcome::winners("full", SeatSet::all(2), &[0, 0]))
        } else {
            None
        }
    }
    fn payoff_limit(&self) -> f64 {
        1.0
    }
    fn turns(&self, state: &State) -> u32 {
        state.moves as u32
    }
    /// A column by rejection: full ones are rare, and testing one costs less than listing all. What is left of
    /// the word below the first digit to the base of the columns gives the next; after four full columns the
    /// open ones are counted.
    // Always: the loop of random games names it twice, too often for the compiler to inline it of itself (2 %).
    #[inline(always)]
    fn random_action(&self, state: &State, seat: Seat, stream: &mut Stream, buffer: &mut Vec<Drop>) -> Drop {
        let mut word = stream.word();
        for _ in 0..4 {
            let product = word as u128 * self.rules.columns as u128;
            let column = (product >> 64) as u8;
            if self.is_open(state, column) {
                return Drop(column);
            }
            word = product as u64;
        }
        self.actions(state, seat, buffer);
        buffer[stream.below(buffer.len())]
    }
}

impl Heuristics for ConnectFour {
    /// Each side's share of the prospects: lines of four that are still possible, weighted by stones in them.
    fn value(&self, state: &State, out: &mut [f64]) {
        if let Some(outcome) = self.outcome(state) {
            out[0] = outcome.payoff(Seat::new(0));
        } else {
            let [first, second] = state.stones();
            let (first, second) = (self.prospects(first, second) + 4.0, self.prospects(second, first) + 4.0);
            out[0] = first / (first + second);
        }
        out[1] = 1.0 - out[0];
    }
    fn turn_id(&self, state: &State) -> u32 {
        state.moves as u32
    }
    /// The masks tell all, and that in 128 bits.
    fn search_key(&self, state: &State) -> u128 {
        let [first, second] = state.stones();
        (first as u128) << 64 | second as u128
    }
    /// The nearer to the middle, the more lines pass: one more for each step from the edge.
    fn prior(&self, _state: &State, _seat: Seat, actions: &[Drop], out: &mut Vec<f32>) {
        let last = self.rules.columns - 1;
        out.clear();
        out.extend(actions.iter().map(|drop| 1.0 + drop.0.min(last - drop.0) as f32));
    }
}

impl Narrate for ConnectFour {
    fn draw(&self, state: &State, ink: Ink) -> String {
        let stones = state.stones();
        let cell = |row: u8, column: u8| {
            let owner = Seat::all(2).find(|seat| stones[seat.index()] >> (8 * column + row) & 1 == 1);
            owner.map_or(".".to_owned(), |seat| ink.seat(seat, ["X", "O"][seat.index()]))
        };
        let columns = || 0..self.rules.columns;
        let line = |row: u8| columns().map(|column| " ".to_owned() + &cell(row, column)).collect::<String>();
        let mut lines: Vec<String> = (0..self.rules.rows).rev().map(line).collect();
        lines.push(columns().map(|column| format!(" {}", column + 1)).collect());
        lines.join("\n")
    }
    fn tell(&self, before: &State, seat: Option<Seat>, action: Drop, after: &State) -> String {
        let seat = seat.unwrap_or(before.seat());
        let end = match (has_line(after.waiter), self.is_full(after)) {
            (true, _) => ": four in a row",
            (false, true) => ": the board is full",
            (false, false) => "",
        };
        format!("Seat {seat} drops a stone into column {action}{end}.")
    }
    fn describe(&self, state: &State, _seat: Seat, action: Drop) -> String {
        let row = ConnectFour::landing(state, action.0).trailing_zeros() % 8 + 1;
        format!("drop a stone into column {action}, to row {row}")
    }
}

impl Catalogued for ConnectFour {
    type Rules = Rules;
    const NAME: &'static str = "connect-four";
    const SUMMARY: &'static str = "four in a row with stones that fall down their column";
    const SEATS: RangeInclusive<usize> = 2..=2;
    const YARDSTICK: bool = true;

    fn switches() -> &'static [Switch] {
        const {
            &[
                Switch { key: "columns", kind: Kind::Int(1, 8), meaning: "columns of the board" },
                Switch { key: "rows", kind: Kind::Int(1, 8), meaning: "rows of the board" },
            ]
        }
    }
    fn default_rules(_seats: usize) -> Rules {
        Rules { columns: 7, rows: 6 }
    }
    fn new(rules: Rules, _seats: usize) -> Result<ConnectFour, RuleError> {
        let each = |square: u64| (0..rules.columns).fold(0, |mask, column| mask | square << (8 * column));
        Ok(ConnectFour { rules, board: each(0xff >> (8 - rules.rows)), top: each(1 << (rules.rows - 1)) })
    }
    fn rules(&self) -> &Rules {
        &self.rules
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::perft::perft;

    fn board(columns: u8, rows: u8) -> ConnectFour {
        ConnectFour::new(Rules { columns, rows }, 2).unwrap()
    }

    fn play(game: &ConnectFour, columns: &str) -> State {
        let mut state = game.initial();
        for column in columns.split(' ') {
            let seat = state.seat();
            game.play(&mut state, seat, column.parse().unwrap()).unwrap();
        }
        state
    }

    #[test]
    fn counts_of_the_ways_to_play() {
        let game = board(7, 6);
        let start = game.initial();
        let counts: Vec<u64> = (1..=7).map(|depth| perft(&game, &start, depth)).collect();
        assert_eq!(counts, [7, 49, 343, 2_401, 16_807, 117_649, 823_536]);
    }

    /// Games that are over drop out of the published counts; `perft` counts them once more.
    #[test]
    fn counts_beyond_the_first_wins() {
        fn count(game: &ConnectFour, state: &State, depth: u32) -> u64 {
            if depth == 0 {
                return 1;
            }
            if game.turn(state) == Turn::Over {
                return 0;
            }
            let mut actions = Vec::new();
            game.actions(state, state.seat(), &mut actions);
            let after = |&drop: &Drop| {
                let mut after = *state;
                game.apply(&mut after, drop);
                count(game, &after, depth - 1)
            };
            actions.iter().map(after).sum()
        }
        let game = board(7, 6);
        assert_eq!(count(&game, &game.initial(), 8), 5_673_234);
    }

    /// Every line of four on every size of board, and no other four squares in a row of bits.
    #[test]
    fn lines_are_the_lines_of_the_board() {
        for (columns, rows) in [(8_i32, 8_i32), (7, 6), (4, 8), (8, 4)] {
            let inside = |c: i32, r: i32| (0..columns).contains(&c) && (0..rows).contains(&r);
            let mut lines = std::collections::BTreeSet::new();
            for c in 0..columns {
                for r in 0..rows {
                    for (dc, dr) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                        let cells = [0, 1, 2, 3].map(|step| (c + step * dc, r + step * dr));
                        if cells.iter().all(|&(c, r)| inside(c, r)) {
                            lines.insert(cells.iter().fold(0_u64, |mask, (c, r)| mask | 1 << (8 * c + r)));
                        }
                    }
                }
            }
            let shifts = [1, 7, 8, 9];
            let game = board(columns as u8, rows as u8);
            for start in 0..64 {
                for shift in shifts {
                    let squares = [0, 1, 2, 3].map(|step| start + step * shift);
                    if squares[3] < 64 {
                        let mask = squares.iter().fold(0_u64, |mask, square| mask | 1 << square);
                        if mask & !game.board == 0 {
                            assert_eq!(has_line(mask), lines.contains(&mask), "{mask:016x}");
                        }
                    }
                }
            }
            assert!(lines.iter().all(|&line| has_line(line)));
            if (columns, rows) == (7, 6) {
                assert_eq!(lines.len(), 69);
            }
        }
    }

    #[test]
    fn four_in_a_row_win_and_a_full_column_is_closed() {
        let game = board(7, 6);
        let won = play(&game, "1 2 1 2 1 2 1");
        let outcome = game.outcome(&won).unwrap();
        assert_eq!((outcome.ending(), outcome.win_share(Seat::new(0))), ("line", 1.0));
        let second = play(&game, "1 2 1 2 3 2 4 2");
        assert_eq!(game.outcome(&second).unwrap().win_share(Seat::new(1)), 1.0);
        let full = play(&game, "1 1 1 1 1 1");
        assert!(game.check_action(&full, Seat::new(0), Drop(0)).is_err());
        assert!(game.check_action(&full, Seat::new(0), Drop(1)).is_ok());
    }

    #[test]
    fn a_board_without_room_for_four_is_a_draw() {
        let game = board(3, 3);
        let state = play(&game, "1 1 1 2 2 2 3 3 3");
        let outcome = game.outcome(&state).unwrap();
        assert_eq!((outcome.ending(), outcome.win_share(Seat::new(1))), ("full", 0.5));
    }

    /// With one column open among eight, rejection gives up and the list answers.
    #[test]
    fn the_last_open_column_is_found() {
        let game = board(8, 1);
        let state = play(&game, "1 2 4 3 5 6 8");
        let (mut stream, mut buffer) = (Stream::from_seed(1), Vec::new());
        for _ in 0..100 {
            assert_eq!(game.random_action(&state, Seat::new(1), &mut stream, &mut buffer), Drop(6));
        }
    }

    #[test]
    fn prospects_count_stones_in_open_lines() {
        let game = board(4, 4);
        // One stone in the corner lies in three lines.
        assert_eq!(game.prospects(1, 0), 3.0);
        // Three of a column: a stone each in its level line, two in a slanting one, and the column.
        assert_eq!(game.prospects(0b111, 0), 3.0 + 3.0 + 8.0 + 1.0);
        assert_eq!(game.prospects(0b111, 0b1000), 3.0 + 1.0);
    }
}
