//! The patterns of the twelve cloud tiles: the built-in set, and reading another from a file.

use serde::{Deserialize, Serialize};

use super::board::turned_places;

/// How many cloud tiles there are.
pub const CLOUDS: usize = 12;
/// Blocked cells of each.
pub const BLOCKED: u32 = 5;

/// The built-in set.
const BUILT_IN: &str = include_str!("clouds.csv");
/// The columns of a cloud file.
const COLUMNS: [&str; 10] = [
    "tile_id",
    "row0",
    "row1",
    "row2",
    "blocked_mask",
    "free_mask",
    "shape",
    "sides_of_main_component",
    "joins_opposite_sides",
    "distinct_orientations",
];

/// One cloud tile as printed, unturned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cloud {
    /// Blocked places: bit 3 * row + column.
    pub blocked: u16,
    /// After how many quarter turns it looks as before: 1, 2 or 4.
    pub orientations: u8,
}

/// The twelve tiles.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CloudSet {
    tiles: [Cloud; CLOUDS],
}

/// A tile as one line of a cloud file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Row {
    tile_id: usize,
    row0: String,
    row1: String,
    row2: String,
    blocked_mask: u16,
    free_mask: u16,
    shape: String,
    sides_of_main_component: String,
    joins_opposite_sides: u8,
    distinct_orientations: u8,
}

/// A cloud file that is not as it should be.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CloudError {
    /// It cannot be read.
    #[error("cannot read the cloud file {path}: {reason}")]
    Unreadable {
        /// The path as given.
        path: String,
        /// What the system said.
        reason: String,
    },
    /// It is no table of the right columns.
    #[error("cloud file: {0}")]
    Table(String),
    /// A tile is wrong.
    #[error("cloud file, tile {tile}: {reason}")]
    Tile {
        /// Its number in the file, from 0.
        tile: usize,
        /// What is wrong.
        reason: String,
    },
}

impl Cloud {
    fn new(blocked: u16) -> Cloud {
        let orientations = [1, 2].into_iter().find(|&quarters| turned_places(blocked, quarters) == blocked);
        Cloud { blocked, orientations: orientations.unwrap_or(4) as u8 }
    }

    /// Reads three rows of `#` and `.`, five cells being blocked.
    fn read<T: AsRef<str>>(rows: &[T; 3]) -> Result<Cloud, String> {
        let mut blocked = 0_u16;
        for (number, row) in rows.iter().map(T::as_ref).enumerate() {
            if row.chars().count() != 3 {
                return Err(format!("row{number} is `{row}`, expected three cells"));
            }
            for (place, cell) in row.chars().enumerate() {
                match cell {
                    '#' => blocked |= 1 << (3 * number + place),
                    '.' => {}
                    other => return Err(format!("`{other}` in row{number} is neither `#` nor `.`")),
                }
            }
        }
        if blocked.count_ones() != BLOCKED {
            return Err(format!("{} cells are blocked, expected {BLOCKED}", blocked.count_ones()));
        }
        Ok(Cloud::new(blocked))
    }

    fn free(self) -> u16 {
        !self.blocked & 0o777
    }

    /// The largest set of free places that hang together; among equals the one first met in reading order.
    fn main_component(self) -> u16 {
        self.components().into_iter().rev().max_by_key(|component| component.count_ones()).unwrap_or(0)
    }

    /// The sets of free places that hang together, in reading order.
    fn components(self) -> Vec<u16> {
        let mut left = self.free();
        let mut components = Vec::new();
        while left != 0 {
            let mut component = left & left.wrapping_neg();
            loop {
                let sideways = (component & 0o333) << 1 | (component & 0o666) >> 1;
                let grown = (component | sideways | component << 3 | component >> 3) & left;
                if grown == component {
                    break;
                }
                component = grown;
            }
            left &= !component;
            components.push(component);
        }
        components
    }

    /// The sides of the tile that a set of places touches, in the order north, east, south, west.
    fn sides(places: u16) -> String {
        let sides = [('N', 0o007), ('E', 0o444), ('S', 0o700), ('W', 0o111)];
        sides.into_iter().filter(|(_, side)| places & side != 0).map(|(name, _)| name).collect()
    }

    fn joins_opposite_sides(self) -> bool {
        self.components().into_iter().map(Cloud::sides).any(|sides| {
            let touches = |side| sides.contains(side);
            touches('N') && touches('S') || touches('E') && touches('W')
        })
    }

    /// The three printed rows, `#` blocked and `.` free.
    fn rows(self, quarters: usize) -> [String; 3] {
        let blocked = turned_places(self.blocked, quarters);
        [0, 1, 2]
            .map(|row| (0..3).map(|at| if blocked >> (3 * row + at) & 1 == 1 { '#' } else { '.' }).collect())
    }
}

impl CloudSet {
    /// The set beside the engine: the eleven patterns (up to turning) in which a free passage joins two
    /// opposite sides, and the two-by-two corner.
    ///
    /// # Panics
    /// Never: the file is part of the program and a test reads it.
    pub fn built_in() -> CloudSet {
        CloudSet::parse(BUILT_IN).expect("the built-in clouds are as they should be")
    }

    /// Reads and checks a cloud file: twelve tiles 0 to 11 of nine cells, five of them blocked, with the
    /// columns of the built-in file, whose derived values must agree with the pattern.
    ///
    /// # Errors
    /// [`CloudError`] with the tile and what is wrong with it.
    pub fn load(path: &str) -> Result<CloudSet, CloudError> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| CloudError::Unreadable { path: path.to_owned(), reason: error.to_string() })?;
        CloudSet::parse(&text)
    }

    /// Reads and checks the text of a cloud file: see [`CloudSet::load`].
    ///
    /// # Errors
    /// [`CloudError`] with the tile and what is wrong with it.
    pub fn parse(text: &str) -> Result<CloudSet, CloudError> {
        let table = |error: csv::Error| CloudError::Table(error.to_string());
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let header = reader.headers().map_err(table)?;
        if header != COLUMNS.as_slice() {
            let found = header.iter().collect::<Vec<_>>().join(",");
            let expected = COLUMNS.join(",");
            return Err(CloudError::Table(format!("the columns are `{found}`, expected `{expected}`")));
        }
        let rows: Vec<Row> = reader.deserialize().collect::<Result<_, _>>().map_err(table)?;
        if rows.len() != CLOUDS {
            return Err(CloudError::Table(format!("it has {} tiles, expected {CLOUDS}", rows.len())));
        }
        let mut tiles = [Cloud { blocked: 0, orientations: 4 }; CLOUDS];
        for (at, row) in rows.iter().enumerate() {
            let wrong = |reason| CloudError::Tile { tile: at, reason };
            tiles[at] = row.cloud(at).map_err(wrong)?;
        }
        Ok(CloudSet { tiles })
    }

    /// The tiles.
    pub fn tiles(&self) -> &[Cloud; CLOUDS] {
        &self.tiles
    }

    /// The blocked places of each tile, unturned.
    pub fn blocked(&self) -> [u16; CLOUDS] {
        self.tiles.map(|cloud| cloud.blocked)
    }

    /// The three rows of a tile after some clockwise quarter turns, `#` blocked and `.` free.
    pub fn rows(&self, tile: u8, quarters: u8) -> [String; 3] {
        self.tiles[tile as usize].rows(quarters as usize)
    }

    /// Reads the patterns of a manifest or trace again: see [`CloudSet::to_json`].
    ///
    /// # Errors
    /// [`CloudError`] with the tile and what is wrong with it.
    pub fn from_json(data: &serde_json::Value) -> Result<CloudSet, CloudError> {
        let rows: Vec<[String; 3]> =
            Deserialize::deserialize(data).map_err(|error| CloudError::Table(error.to_string()))?;
        if rows.len() != CLOUDS {
            return Err(CloudError::Table(format!("it has {} tiles, expected {CLOUDS}", rows.len())));
        }
        let mut tiles = [Cloud { blocked: 0, orientations: 4 }; CLOUDS];
        for (tile, rows) in rows.iter().enumerate() {
            tiles[tile] = Cloud::read(rows).map_err(|reason| CloudError::Tile { tile, reason })?;
        }
        Ok(CloudSet { tiles })
    }

    /// The patterns for manifests and traces: a list of twelve lists of three rows.
    pub fn to_json(&self) -> serde_json::Value {
        self.tiles
            .iter()
            .map(|cloud| cloud.rows(0))
            .collect::<Vec<_>>()
            .into_iter()
            .map(serde_json::Value::from_iter)
            .collect()
    }
}

impl Row {
    /// The tile of this line, which stands `at` that place of the file.
    fn cloud(&self, at: usize) -> Result<Cloud, String> {
        if self.tile_id != at {
            return Err(format!("its tile_id is {}", self.tile_id));
        }
        let cloud = Cloud::read(&[&self.row0, &self.row1, &self.row2])?;
        let derived = |name: &str, found: &dyn ToString, computed: &dyn ToString| {
            let (found, computed) = (found.to_string(), computed.to_string());
            let differs = || format!("{name} is {found}, but the rows say {computed}");
            if found == computed { Ok(()) } else { Err(differs()) }
        };
        derived("blocked_mask", &self.blocked_mask, &cloud.blocked)?;
        derived("free_mask", &self.free_mask, &cloud.free())?;
        let sides = Cloud::sides(cloud.main_component());
        derived("sides_of_main_component", &self.sides_of_main_component, &sides)?;
        derived("joins_opposite_sides", &self.joins_opposite_sides, &u8::from(cloud.joins_opposite_sides()))?;
        derived("distinct_orientations", &self.distinct_orientations, &cloud.orientations)?;
        Ok(cloud)
    }
}
