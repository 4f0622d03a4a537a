//! A position of Sultans of Wind and the actions: plain data and their text forms.
//!
//! Serialised, a state reads like this: cells are texts such as `c5` (column, row from the top), squares of
//! the board stand in reading order (`palace`, or cloud tile and degrees clockwise such as `7:90`), wind
//! tiles are called by their strength, seats count from 0, and lists per seat have four entries of which
//! only the first are used. The tiles behind a screen are those that are neither visible, in hand nor being
//! resolved.

use std::fmt::{self, Display};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::board::{Cell, Cells, SQUARES, Square, quarters_of};
use super::channel::{Tiles, Visible};
use crate::game::{ParseActionError, Seat};

/// The most players.
pub const MAX_PLAYERS: usize = 4;

/// What happens next.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Luck lays a cloud tile on the first empty square.
    Cloud,
    /// Luck turns the cloud tile that was laid last.
    Facing,
    /// The channels are filled: the visible four of each player.
    Arrangement,
    /// Luck decides who gets the Favor among the highest visible totals.
    FavorTie,
    /// The player with the Favor places the djinn.
    Djinn,
    /// All choose two tiles in secret.
    Choice,
    /// The player in turn says which of the two comes first.
    First,
    /// The player in turn resolves a tile.
    Action,
    /// The player in turn may take a tile from behind the screen as a free action.
    Wish,
    /// The game is over.
    Over,
}

/// What is counted for one player; it has no influence on the game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Counts {
    /// Wishes the djinn granted.
    pub wishes: u16,
    /// Of those, wishes granted by a free action.
    pub chained: u16,
    /// Free actions taken.
    pub free_actions: u16,
    /// Times the player moved or called the djinn.
    pub djinn_moves: u16,
    /// Tiles played without effect.
    pub passes: u16,
}

/// A position.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    /// What lies on each square, in reading order.
    pub squares: [Square; SQUARES],
    /// Per seat, the cells of the carpets in ascending order, `-` ([`Cell::OFF`]) for those not in play.
    pub carpets: [[Cell; 3]; MAX_PLAYERS],
    /// Where the djinn stands, once it has been placed.
    pub djinn: Option<Cell>,
    /// Who has the Favor, once it has been given.
    pub favor: Option<Seat>,
    /// Who got it first.
    pub first_favor: Option<Seat>,
    /// Per seat, the visible part of the wind channel, leftmost first; zeros before it is filled.
    pub visible: [Visible; MAX_PLAYERS],
    /// Per seat, chosen tiles that are still to be played this round.
    pub hand: [Tiles; MAX_PLAYERS],
    /// The tile that the player in turn resolves, or 0.
    pub resolving: u8,
    /// Order of play of this round.
    pub order: [Seat; MAX_PLAYERS],
    /// Place of the player in turn in that order.
    pub position: u8,
    /// Free actions since the last tile from the hand.
    pub free_actions: u8,
    /// Round, from 1.
    pub round: u16,
    /// What happens next.
    pub phase: Phase,
    /// Who has won.
    pub winner: Option<Seat>,
    /// Counted per seat.
    pub counts: [Counts; MAX_PLAYERS],
}

impl State {
    /// The player in turn, in the phases of a turn.
    #[inline]
    pub fn active(&self) -> Seat {
        self.order[self.position as usize]
    }

    /// The tiles behind a player's screen.
    #[inline]
    pub fn hidden(&self, seat: Seat) -> Tiles {
        let visible = self.visible[seat.index()];
        let mut hidden = Tiles::ALL.minus(self.hand[seat.index()]);
        for tile in visible {
            if tile != 0 {
                hidden = hidden.without(tile);
            }
        }
        if self.resolving != 0 && self.active() == seat { hidden.without(self.resolving) } else { hidden }
    }

    /// The cells of a player's carpets.
    #[inline]
    pub fn carpets_of(&self, seat: Seat) -> &[Cell] {
        let carpets = &self.carpets[seat.index()];
        let count = if carpets[2].on_board() { 3 } else { 2 };
        if carpets[0].on_board() { &carpets[..count] } else { &[] }
    }

    /// The cells with a carpet or the djinn.
    #[inline]
    pub fn occupied(&self) -> Cells {
        let carpets = self.carpets.as_flattened().iter();
        carpets.fold(self.djinn.map_or(Cells::EMPTY, Cells::of), |all, &carpet| all.with(carpet))
    }

    /// Which of up to three `targets` are held by a pawn that is not one of `seat`'s carpets (bit i: the
    /// i-th).
    #[inline]
    pub fn blocked(&self, seat: Seat, targets: &[Cell; 3]) -> u8 {
        let held = |pawn: Cell| {
            let on = |at: usize| u8::from(pawn == targets[at]) << at;
            on(0) | on(1) | on(2)
        };
        let mut blocked = self.djinn.map_or(0, held);
        for (owner, carpets) in self.carpets.iter().enumerate() {
            let [a, b, c] = carpets.map(held);
            blocked |= if owner == seat.index() { 0 } else { a | b | c };
        }
        blocked
    }
}

/// Puts three cells in ascending order.
#[inline]
pub fn sort_cells(cells: &mut [Cell; 3]) {
    let [a, b, c] = *cells;
    let (a, b) = (a.min(b), a.max(b));
    let (b, c) = (b.min(c), b.max(c));
    *cells = [a.min(b), a.max(b), c];
}

/// A decision, or an outcome of luck.
///
/// | Text | Meaning |
/// |---|---|
/// | `cloud 7` | luck lays cloud tile 7 (numbered as in the cloud file) |
/// | `facing 90` | luck turns it so many degrees clockwise |
/// | `show 8 5 3 1` | fills the visible part of the channel, leftmost first |
/// | `favor 2` | luck gives the Favor to seat 2 |
/// | `choose 5 7` | takes two tiles in hand |
/// | `first 7` | plays tile 7 first |
/// | `move c5 e7` | moves a carpet (tiles 1, 3, 5, 7) |
/// | `swap 6 7` | swaps two cloud tiles; squares are numbered from 1 in reading order |
/// | `turn 6 90` | turns a cloud tile so many degrees clockwise |
/// | `djinn e7` | puts the djinn there (set-up, tiles 6 and 8) |
/// | `pass` | does nothing with the tile |
/// | `wish 4` | takes tile 4 from behind the screen as a free action |
/// | `no wish` | takes none |
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// Luck lays this cloud tile on the first empty square.
    Cloud(u8),
    /// Luck turns the tile laid last by so many clockwise quarter turns.
    Facing(u8),
    /// The visible part of a channel, leftmost first.
    Show(Visible),
    /// Luck gives the Favor to this seat.
    Favor(Seat),
    /// Takes two tiles in hand, the weaker named first.
    Choose(u8, u8),
    /// Which of the two comes first.
    First(u8),
    /// Moves a carpet.
    Move {
        /// Where it stands.
        from: Cell,
        /// Where it goes.
        to: Cell,
    },
    /// Swaps the cloud tiles of two squares, the lower number first.
    Swap(u8, u8),
    /// Turns a cloud tile.
    Turn {
        /// Its square, from 0.
        square: u8,
        /// Clockwise quarter turns, 1 to 3.
        quarters: u8,
    },
    /// Puts or moves the djinn there.
    Djinn(Cell),
    /// Does nothing with the tile.
    Pass,
    /// Takes this tile as a free action.
    Wish(u8),
    /// Lets the wish go.
    NoWish,
}

impl Display for Action {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Action::Cloud(tile) => write!(out, "cloud {tile}"),
            Action::Facing(quarters) => write!(out, "facing {}", quarters as u32 * 90),
            Action::Show([a, b, c, d]) => write!(out, "show {a} {b} {c} {d}"),
            Action::Favor(seat) => write!(out, "favor {seat}"),
            Action::Choose(first, second) => write!(out, "choose {first} {second}"),
            Action::First(tile) => write!(out, "first {tile}"),
            Action::Move { from, to } => write!(out, "move {from} {to}"),
            Action::Swap(first, second) => write!(out, "swap {} {}", first + 1, second + 1),
            Action::Turn { square, quarters } => {
                write!(out, "turn {} {}", square + 1, quarters as u32 * 90)
            }
            Action::Djinn(cell) => write!(out, "djinn {cell}"),
            Action::Pass => out.write_str("pass"),
            Action::Wish(tile) => write!(out, "wish {tile}"),
            Action::NoWish => out.write_str("no wish"),
        }
    }
}

impl FromStr for Action {
    type Err = ParseActionError;

    fn from_str(text: &str) -> Result<Action, ParseActionError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let (&verb, rest) = words.split_first().unwrap_or((&"", &[]));
        let expected = |form: &str| ParseActionError::new(text, form);
        let number = |word: &str, low: u8, high: u8, form: &str| {
            let number = word.parse::<u8>().ok().filter(|number| (low..=high).contains(number));
            number.ok_or_else(|| expected(form))
        };
        let tile = |word: &str, form: &str| number(word, 1, 8, form);
        let square = |word: &str, form: &str| Ok(number(word, 1, SQUARES as u8, form)? - 1);
        match (verb, rest) {
            ("cloud", [tile]) => Ok(Action::Cloud(number(tile, 0, 11, "`cloud 7`: tiles 0 to 11")?)),
            ("facing", [degrees]) => {
                let form = "`facing 90`: 0, 90, 180 or 270 degrees";
                Ok(Action::Facing(quarters_of(degrees).ok_or_else(|| expected(form))?))
            }
            ("show", [a, b, c, d]) => {
                let mut visible = [0; 4];
                for (slot, word) in visible.iter_mut().zip([a, b, c, d]) {
                    *slot = tile(word, "`show 8 5 3 1`: four tiles from 1 to 8")?;
                }
                Ok(Action::Show(visible))
            }
            ("favor", [seat]) => {
                let seat = number(seat, 1, MAX_PLAYERS as u8, "`favor 2`: a seat from 1 to 4")?;
                Ok(Action::Favor(Seat::new(seat as usize - 1)))
            }
            ("choose", [first, second]) => {
                let form = "`choose 5 7`: two tiles from 1 to 8";
                let (first, second) = (tile(first, form)?, tile(second, form)?);
                Ok(Action::Choose(first.min(second), first.max(second)))
            }
            ("first", [which]) => Ok(Action::First(tile(which, "`first 7`: a tile from 1 to 8")?)),
            ("move", [from, to]) => Ok(Action::Move { from: from.parse()?, to: to.parse()? }),
            ("swap", [first, second]) => {
                let form = "`swap 6 7`: two squares from 1 to 16";
                let (first, second) = (square(first, form)?, square(second, form)?);
                Ok(Action::Swap(first.min(second), first.max(second)))
            }
            ("turn", [which, degrees]) => {
                let form = "`turn 6 90`: a square from 1 to 16 and 90, 180 or 270 degrees clockwise";
                let square = square(which, form)?;
                let quarters = quarters_of(degrees).filter(|&quarters| quarters > 0);
                Ok(Action::Turn { square, quarters: quarters.ok_or_else(|| expected(form))? })
            }
            ("djinn", [cell]) => Ok(Action::Djinn(cell.parse()?)),
            ("pass", []) => Ok(Action::Pass),
            ("wish", [which]) => Ok(Action::Wish(tile(which, "`wish 4`: a tile from 1 to 8")?)),
            ("no", ["wish"]) => Ok(Action::NoWish),
            _ => Err(expected(
                "`move c5 e7`, `swap 6 7`, `turn 6 90`, `djinn e7`, `pass`, `choose 5 7`, `first 7`, `wish 4`, \
                 `no wish`, `show 8 5 3 1` (or luck: `cloud 7`, `facing 90`, `favor 2`)",
            )),
        }
    }
}
