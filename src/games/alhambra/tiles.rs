//! The 54 building tiles: types, prices and walls, read from `tiles.csv` when the crate is compiled.
//!
//! A table that is cut short, misspelt or out of balance does not compile.

use std::fmt::{self, Display};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::game::ParseActionError;

/// How many building tiles there are.
pub const TILES: usize = 54;

/// A type of building, in the order of the scoring table (cheapest majority first).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Building {
    /// Blue, 7 tiles.
    Pavilion,
    /// Red, 7 tiles.
    Seraglio,
    /// Brown, 9 tiles.
    Arcades,
    /// White, 9 tiles.
    Chambers,
    /// Green, 11 tiles.
    Garden,
    /// Purple, 11 tiles.
    Tower,
}

impl Building {
    /// All types in order.
    pub const ALL: [Building; 6] = [
        Building::Pavilion,
        Building::Seraglio,
        Building::Arcades,
        Building::Chambers,
        Building::Garden,
        Building::Tower,
    ];

    /// The name that people type.
    pub const fn name(self) -> &'static str {
        ["pavilion", "seraglio", "arcades", "chambers", "garden", "tower"][self as usize]
    }

    /// The face of the sultan die that lies on the other side (sheet, table of opposite symbols).
    pub const fn opposite(self) -> Building {
        use Building::{Arcades, Chambers, Garden, Pavilion, Seraglio, Tower};
        [Tower, Chambers, Garden, Seraglio, Arcades, Pavilion][self as usize]
    }

    /// All tiles of the type, bit i for tile i.
    #[inline]
    pub const fn tiles(self) -> u64 {
        OF_TYPE[self as usize]
    }
}

impl Display for Building {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.name())
    }
}

impl FromStr for Building {
    type Err = ParseActionError;
    fn from_str(text: &str) -> Result<Building, ParseActionError> {
        Building::ALL
            .into_iter()
            .find(|building| building.name() == text)
            .ok_or_else(|| ParseActionError::new(text, "a type of building, such as `garden`"))
    }
}

/// A side of a tile, as a bit of a wall mask. Tiles are never turned.
pub const NORTH: u8 = 1;
/// See [`NORTH`].
pub const EAST: u8 = 2;
/// See [`NORTH`].
pub const SOUTH: u8 = 4;
/// See [`NORTH`].
pub const WEST: u8 = 8;

/// What is printed on a tile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Printed {
    /// Its type.
    pub building: Building,
    /// Its price, 2 to 13.
    pub price: u8,
    /// Its walled sides.
    pub walls: u8,
}

/// A tile, by its number in `tiles.csv` (0 to 53).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Tile(u8);

impl Tile {
    /// The tile of a number, 0 to 53.
    #[inline]
    pub const fn new(number: usize) -> Tile {
        debug_assert!(number < TILES);
        Tile(number as u8)
    }

    /// Its number.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Its type.
    #[inline]
    pub const fn building(self) -> Building {
        TABLE[self.0 as usize].building
    }

    /// Its price.
    #[inline]
    pub const fn price(self) -> u8 {
        PRICES[self.0 as usize]
    }

    /// Its walled sides: [`NORTH`], [`EAST`], [`SOUTH`], [`WEST`].
    #[inline]
    pub const fn walls(self) -> u8 {
        WALLS[self.0 as usize]
    }
}

impl Display for Tile {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

impl From<Tile> for u8 {
    fn from(tile: Tile) -> u8 {
        tile.0
    }
}

impl TryFrom<u8> for Tile {
    type Error = String;
    fn try_from(number: u8) -> Result<Tile, String> {
        if (number as usize) < TILES { Ok(Tile(number)) } else { Err(format!("there is no tile {number}")) }
    }
}

impl FromStr for Tile {
    type Err = ParseActionError;
    fn from_str(text: &str) -> Result<Tile, ParseActionError> {
        let tile = text.parse::<u8>().ok().and_then(|number| Tile::try_from(number).ok());
        tile.ok_or_else(|| ParseActionError::new(text, "the number of a tile, 0 to 53"))
    }
}

/// The table, in order of numbers.
pub const TABLE: [Printed; TILES] = read(include_str!("tiles.csv").as_bytes());

/// Prices and walls alone, for every number that a byte can have: nothing is checked where they are looked up.
const PRICES: [u8; 256] = {
    let (mut prices, mut at) = ([0; 256], 0);
    while at < TILES {
        prices[at] = TABLE[at].price;
        at += 1;
    }
    prices
};

/// See [`PRICES`].
const WALLS: [u8; 256] = {
    let (mut walls, mut at) = ([0; 256], 0);
    while at < TILES {
        walls[at] = TABLE[at].walls;
        at += 1;
    }
    walls
};

const OF_TYPE: [u64; 6] = {
    let mut sets = [0; 6];
    let mut at = 0;
    while at < TILES {
        sets[TABLE[at].building as usize] |= 1 << at;
        at += 1;
    }
    sets
};

/// Reads `id,type,cost,wall_north,wall_east,wall_south,wall_west` lines after one header line.
const fn read(text: &[u8]) -> [Printed; TILES] {
    let mut table = [Printed { building: Building::Pavilion, price: 0, walls: 0 }; TILES];
    let mut at = end_of(text, 0, b'\n') + 1;
    let mut row = 0;
    while row < TILES {
        let (id, next) = number(text, at, b',');
        assert!(id == row, "tiles.csv: numbers must ascend from 0");
        let end = end_of(text, next, b',');
        table[row].building = building(text, next, end);
        let (price, next) = number(text, end + 1, b',');
        table[row].price = price as u8;
        let (north, next) = number(text, next, b',');
        let (east, next) = number(text, next, b',');
        let (south, next) = number(text, next, b',');
        let (west, next) = number(text, next, b'\n');
        assert!(north < 2 && east < 2 && south < 2 && west < 2, "tiles.csv: a wall is 0 or 1");
        table[row].walls = (north | east << 1 | south << 2 | west << 3) as u8;
        at = next;
        row += 1;
    }
    assert!(at >= text.len(), "tiles.csv: too many lines");
    check(&table);
    table
}

/// The sums that the published set of tiles has: a slip in one wall or price breaks one of them.
const fn check(table: &[Printed; TILES]) {
    let (mut of_type, mut of_side, mut of_shape) = ([0; 6], [0; 4], [0; 16]);
    let (mut price, mut at) = (0, 0);
    while at < TILES {
        let tile = &table[at];
        of_type[tile.building as usize] += 1;
        of_shape[tile.walls as usize] += 1;
        price += tile.price as usize;
        let mut side = 0;
        while side < 4 {
            of_side[side] += (tile.walls >> side & 1) as usize;
            side += 1;
        }
        at += 1;
    }
    assert!(matches!(of_type, [7, 7, 9, 9, 11, 11]), "tiles.csv: tiles of a type");
    assert!(price == 421, "tiles.csv: sum of prices");
    assert!(matches!(of_side, [20, 20, 20, 20]), "tiles.csv: walls of a direction");
    // 10 without a wall; each single wall 4 times, each corner 5 times, each row of three walls twice,
    // opposite walls alone and closed tiles never.
    assert!(
        matches!(of_shape, [10, 4, 4, 5, 4, 0, 5, 2, 4, 5, 0, 2, 5, 2, 2, 0]),
        "tiles.csv: tiles of a shape"
    );
}

const fn end_of(text: &[u8], from: usize, mark: u8) -> usize {
    let mut at = from;
    while at < text.len() && text[at] != mark {
        at += 1;
    }
    at
}

const fn number(text: &[u8], from: usize, mark: u8) -> (usize, usize) {
    let end = end_of(text, from, mark);
    assert!(end > from && end - from < 3, "tiles.csv: a number of one or two digits");
    let (mut value, mut at) = (0, from);
    while at < end {
        assert!(text[at].is_ascii_digit(), "tiles.csv: a digit");
        value = 10 * value + (text[at] - b'0') as usize;
        at += 1;
    }
    (value, end + 1)
}

const fn building(text: &[u8], from: usize, end: usize) -> Building {
    let mut which = 0;
    while which < 6 {
        let name = Building::ALL[which].name().as_bytes();
        let mut same = 0;
        while same < name.len() && from + same < end && name[same] == text[from + same] {
            same += 1;
        }
        if same == name.len() && from + same == end {
            return Building::ALL[which];
        }
        which += 1;
    }
    panic!("tiles.csv: a type of building")
}
