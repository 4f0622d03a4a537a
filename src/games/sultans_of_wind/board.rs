//! The board as bits: cells, sets of cells, squares, the maze, and the flood that finds what a pawn reaches.
//!
//! A row takes 16 bits, of which 12 are used, so four rows fill a word and the board three. The four spare
//! columns stop a shift to the side from running into the next row.

use std::fmt::{self, Debug, Display};
use std::ops::{BitAnd, BitOr, Not};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::game::ParseActionError;

/// Cells along a side of the board.
pub const SIDE: usize = 12;
/// Squares (of three by three cells) on the board, numbered from 0 in reading order.
pub const SQUARES: usize = 16;

/// A cell. Its text is column and row, as on a chessboard read from the top: `a1` is the top left corner,
/// `l1` the top right, `a12` the bottom left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Cell(u8);

impl Cell {
    /// Stands where there is no carpet; no cell of the board.
    pub const OFF: Cell = Cell(u8::MAX);

    /// The cell in `row` and `column`, each 0 to 11.
    #[inline]
    pub const fn at(row: usize, column: usize) -> Cell {
        debug_assert!(row < SIDE && column < SIDE);
        Cell((row << 4 | column) as u8)
    }

    /// Row from 0, the top one.
    #[inline]
    pub const fn row(self) -> usize {
        self.0 as usize >> 4
    }

    /// Column from 0, the left one.
    #[inline]
    pub const fn column(self) -> usize {
        self.0 as usize & 15
    }

    /// Whether it is a cell of the board.
    #[inline]
    pub const fn on_board(self) -> bool {
        self.row() < SIDE && self.column() < SIDE
    }

    /// The square that holds it.
    #[inline]
    pub const fn square(self) -> usize {
        self.row() / 3 * 4 + self.column() / 3
    }

    /// Its place inside its square, 0 to 8 in reading order.
    #[inline]
    pub const fn place(self) -> usize {
        self.row() % 3 * 3 + self.column() % 3
    }

    /// The cell at `place` of `square`.
    #[inline]
    pub const fn in_square(square: usize, place: usize) -> Cell {
        Cell::at(square / 4 * 3 + place / 3, square % 4 * 3 + place % 3)
    }

    /// All cells in reading order.
    pub fn all() -> impl Iterator<Item = Cell> {
        (0..SIDE).flat_map(|row| (0..SIDE).map(move |column| Cell::at(row, column)))
    }
}

impl Display for Cell {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.on_board() {
            return out.write_str("-");
        }
        write!(out, "{}{}", (b'a' + self.column() as u8) as char, self.row() + 1)
    }
}

impl Debug for Cell {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(self, out)
    }
}

impl FromStr for Cell {
    type Err = ParseActionError;
    fn from_str(text: &str) -> Result<Cell, ParseActionError> {
        let unknown = || ParseActionError::new(text, "a cell from a1 (top left) to l12 (bottom right)");
        let (&letter, digits) = text.as_bytes().split_first().ok_or_else(unknown)?;
        let column = letter.to_ascii_lowercase().wrapping_sub(b'a') as usize;
        let digits = std::str::from_utf8(digits).map_err(|_| unknown())?;
        match digits.parse::<usize>() {
            Ok(row @ 1..=SIDE) if column < SIDE && digits.as_bytes()[0].is_ascii_digit() => {
                Ok(Cell::at(row - 1, column))
            }
            _ => Err(unknown()),
        }
    }
}

impl From<Cell> for String {
    fn from(cell: Cell) -> String {
        cell.to_string()
    }
}

impl TryFrom<String> for Cell {
    type Error = ParseActionError;
    fn try_from(text: String) -> Result<Cell, ParseActionError> {
        if text == "-" { Ok(Cell::OFF) } else { text.parse() }
    }
}

/// A set of cells.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Cells([u64; 3]);

impl Cells {
    /// No cell.
    pub const EMPTY: Cells = Cells([0; 3]);
    /// Every cell of the board.
    pub const BOARD: Cells = Cells([0x0fff_0fff_0fff_0fff; 3]);

    /// One cell, or none for [`Cell::OFF`].
    #[inline]
    pub fn of(cell: Cell) -> Cells {
        // A table is quicker than a shift into one of three words.
        static TABLE: [Cells; 256] = {
            let mut table = [Cells::EMPTY; 256];
            let mut cell = 0;
            while cell < 192 {
                table[cell].0[cell >> 6] = 1 << (cell & 63);
                cell += 1;
            }
            table
        };
        TABLE[cell.0 as usize]
    }

    /// The nine cells of a square.
    #[inline]
    pub fn of_square(square: usize) -> Cells {
        static TABLE: [Cells; SQUARES] = {
            let mut table = [Cells::EMPTY; SQUARES];
            let mut square = 0;
            while square < SQUARES {
                let mut place = 0;
                while place < 9 {
                    let cell = Cell::in_square(square, place).0;
                    table[square].0[cell as usize >> 6] |= 1 << (cell & 63);
                    place += 1;
                }
                square += 1;
            }
            table
        };
        TABLE[square]
    }

    /// The set with `cell` added, unless that is [`Cell::OFF`].
    #[must_use]
    #[inline]
    pub fn with(self, cell: Cell) -> Cells {
        self | Cells::of(cell)
    }

    /// Whether `cell` (of the board) is in the set.
    #[inline]
    pub fn contains(self, cell: Cell) -> bool {
        self.0[cell.0 as usize >> 6] >> (cell.0 & 63) & 1 == 1
    }

    /// The words mixed to one, to look sets up by.
    #[inline]
    pub fn mixed(self) -> u64 {
        let [top, middle, bottom] = self.0;
        let mixed =
            (top ^ middle.rotate_left(21) ^ bottom.rotate_left(42)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ mixed >> 32
    }

    /// How many cells.
    #[inline]
    pub fn len(self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether there are none.
    #[inline]
    pub fn is_empty(self) -> bool {
        // Not a comparison of arrays, which goes through memory.
        self.0[0] | self.0[1] | self.0[2] == 0
    }

    /// Whether two sets hold the same cells: `==` for the innermost loops, without a way through memory.
    #[inline]
    pub fn same(self, other: Cells) -> bool {
        let [a, b, c] = self.0;
        let [d, e, f] = other.0;
        (a ^ d) | (b ^ e) | (c ^ f) == 0
    }

    /// The cells of this set that are not in `other`.
    #[must_use]
    #[inline]
    pub fn minus(self, other: Cells) -> Cells {
        Cells([self.0[0] & !other.0[0], self.0[1] & !other.0[1], self.0[2] & !other.0[2]])
    }

    /// The `index`-th cell in reading order; `index` is below [`Cells::len`].
    #[inline]
    pub fn nth(self, mut index: usize) -> Cell {
        for (at, mut word) in self.0.into_iter().enumerate() {
            let count = word.count_ones() as usize;
            if index < count {
                for _ in 0..index {
                    word &= word - 1;
                }
                return Cell((at << 6) as u8 | word.trailing_zeros() as u8);
            }
            index -= count;
        }
        unreachable!("the set has fewer cells")
    }

    /// The cells in reading order.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Cell> {
        (0..3).flat_map(move |at| {
            let mut word = self.0[at];
            std::iter::from_fn(move || {
                (word != 0).then(|| {
                    let bit = word.trailing_zeros();
                    word &= word - 1;
                    Cell((at << 6) as u8 | bit as u8)
                })
            })
        })
    }

    /// The set and all cells one step away from it, some of them in the spare columns: to be cut to the
    /// board by whoever asks.
    #[inline]
    pub fn grown(self) -> Cells {
        let [top, middle, bottom] = self.0;
        let within = |word: u64| word | word << 1 | word >> 1 | word << 16 | word >> 16;
        Cells([
            within(top) | middle << 48,
            within(middle) | top >> 48 | bottom << 48,
            within(bottom) | middle >> 48,
        ])
    }

    /// The cells one orthogonal step away from `cell`.
    pub fn beside(cell: Cell) -> Cells {
        let one = Cells::of(cell);
        (one.grown() & Cells::BOARD).minus(one)
    }

    /// The up to eight cells around `cell`.
    pub fn around(cell: Cell) -> Cells {
        let near = |a: usize, b: usize| a.abs_diff(b) <= 1;
        Cell::all()
            .filter(|other| near(other.row(), cell.row()) && near(other.column(), cell.column()))
            .filter(|&other| other != cell)
            .collect()
    }

    /// The cells at a distance of one or two orthogonal steps from `cell`, whatever lies between.
    #[inline]
    pub fn within_two(cell: Cell) -> Cells {
        let one = Cells::of(cell);
        ((one.grown() & Cells::BOARD).grown() & Cells::BOARD).minus(one)
    }

    /// The cells that a pawn on `start` reaches by one to `steps` orthogonal steps through `open` cells;
    /// `start` itself is not among them.
    #[inline]
    pub fn reach(start: Cell, open: Cells, steps: usize) -> Cells {
        let origin = Cells::of(start);
        let passable = open | origin;
        let mut reached = origin;
        for _ in 0..steps {
            let next = reached.grown() & passable;
            if next.same(reached) {
                break;
            }
            reached = next;
        }
        reached.minus(origin)
    }
}

impl BitAnd for Cells {
    type Output = Cells;
    #[inline]
    fn bitand(self, other: Cells) -> Cells {
        Cells([self.0[0] & other.0[0], self.0[1] & other.0[1], self.0[2] & other.0[2]])
    }
}

impl BitOr for Cells {
    type Output = Cells;
    #[inline]
    fn bitor(self, other: Cells) -> Cells {
        Cells([self.0[0] | other.0[0], self.0[1] | other.0[1], self.0[2] | other.0[2]])
    }
}

impl Not for Cells {
    type Output = Cells;
    /// The other cells of the board.
    #[inline]
    fn not(self) -> Cells {
        Cells::BOARD.minus(self)
    }
}

impl FromIterator<Cell> for Cells {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> Cells {
        cells.into_iter().fold(Cells::EMPTY, Cells::with)
    }
}

/// Where a place of a square goes when the square is turned clockwise by `quarters` quarter turns.
#[inline]
pub const fn turned_place(place: usize, quarters: usize) -> usize {
    const ONCE: [u8; 9] = [2, 5, 8, 1, 4, 7, 0, 3, 6];
    let mut place = place;
    let mut left = quarters % 4;
    while left > 0 {
        place = ONCE[place] as usize;
        left -= 1;
    }
    place
}

/// A set of places (bit i is place i) after `quarters` clockwise quarter turns.
pub const fn turned_places(places: u16, quarters: usize) -> u16 {
    let mut turned = 0;
    let mut place = 0;
    while place < 9 {
        turned |= (places >> place & 1) << turned_place(place, quarters);
        place += 1;
    }
    turned
}

/// What lies on a square: a palace, a cloud tile with its turning, or nothing yet.
///
/// Text form: `palace`, `empty`, or tile and degrees clockwise, such as `7:90`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Square(u8);

impl Square {
    /// A palace: nine free cells that never move.
    pub const PALACE: Square = Square(48);
    /// No tile has been laid here yet.
    pub const EMPTY: Square = Square(49);
    /// How many different values there are.
    pub const COUNT: usize = 50;

    /// Cloud tile `tile` (0 to 11), turned clockwise by `quarters` (0 to 3).
    #[inline]
    pub const fn cloud(tile: u8, quarters: u8) -> Square {
        debug_assert!(tile < 12 && quarters < 4);
        Square(tile << 2 | quarters)
    }

    /// Tile and quarter turns, if it is a cloud tile.
    #[inline]
    pub const fn tile(self) -> Option<(u8, u8)> {
        if self.0 < 48 { Some((self.0 >> 2, self.0 & 3)) } else { None }
    }

    /// Index for tables.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl From<Square> for String {
    fn from(square: Square) -> String {
        match square.tile() {
            Some((tile, quarters)) => format!("{tile}:{}", quarters as u32 * 90),
            None if square == Square::PALACE => "palace".into(),
            None => "empty".into(),
        }
    }
}

impl TryFrom<String> for Square {
    type Error = ParseActionError;
    fn try_from(text: String) -> Result<Square, ParseActionError> {
        let unknown = || ParseActionError::new(&text, "`palace`, `empty` or a cloud tile such as `7:90`");
        match text.as_str() {
            "palace" => return Ok(Square::PALACE),
            "empty" => return Ok(Square::EMPTY),
            _ => {}
        }
        let (tile, degrees) = text.split_once(':').ok_or_else(unknown)?;
        let tile = tile.parse::<u8>().ok().filter(|&tile| tile < 12).ok_or_else(unknown)?;
        Ok(Square::cloud(tile, quarters_of(degrees).ok_or_else(unknown)?))
    }
}

/// Reads degrees as quarter turns.
pub fn quarters_of(degrees: &str) -> Option<u8> {
    ["0", "90", "180", "270"].iter().position(|known| *known == degrees).map(|at| at as u8)
}

/// The free places of each possible square, spread out to rows of 16 bits: a table to draw a maze from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MazeTable([u64; Square::COUNT]);

impl MazeTable {
    /// From the blocked places of the twelve tiles.
    pub fn new(blocked: &[u16; 12]) -> MazeTable {
        let spread = |places: u16| {
            let places = places as u64;
            places & 7 | (places >> 3 & 7) << 16 | (places >> 6 & 7) << 32
        };
        let mut table = [0; Square::COUNT];
        for (tile, &blocked) in blocked.iter().enumerate() {
            for quarters in 0..4 {
                let free = !turned_places(blocked, quarters) & 0o777;
                table[Square::cloud(tile as u8, quarters as u8).index()] = spread(free);
            }
        }
        table[Square::PALACE.index()] = spread(0o777);
        MazeTable(table)
    }

    /// The free cells of a board.
    #[inline]
    pub fn free(&self, squares: &[Square; SQUARES]) -> Cells {
        // Three rows of cells are one row of squares: 48 bits.
        let band =
            |first: usize| (0..4).fold(0, |band, at| band | self.0[squares[first + at].index()] << (3 * at));
        let [first, second, third, fourth] = [band(0), band(4), band(8), band(12)];
        Cells([first | second << 48, second >> 16 | third << 32, third >> 32 | fourth << 16])
    }
}
