//! A map in words of eight rows of eight cells: what is kept of it from one step to the next.
//!
//! Maps are asked about far more often than they change, and whether a small one ([`super::patch`],
//! [`super::outline`]) allows something is told from these words alone.

use super::state::{Cell, TileSet};
use super::tiles::{TABLE, TILES, Tile};

/// A map in words. They say something only of a map of at most eight by eight cells; how far it reaches is right
/// for every map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Drawing {
    /// The tiles drawn.
    set: TileSet,
    /// Cells by 8 row + column from the fountain on, round the word: an end of a row is the beginning of the
    /// next, so no two cells of a map of eight by eight share a bit, wherever the fountain lies in it.
    tiles: u64,
    /// Those with a wall to the north, east, south, west.
    walls: [u64; 4],
    /// Columns to the west of the fountain and to the east of it, rows to the north of it and to the south.
    reach: [u8; 4],
}

impl Drawing {
    /// The fountain alone.
    pub const EMPTY: Drawing = Drawing { set: TileSet(0), tiles: 1, walls: [0; 4], reach: [0; 4] };

    /// Draws tiles at their cells.
    pub fn of(set: TileSet, cell: impl Fn(Tile) -> Cell) -> Drawing {
        let mut drawing = Drawing::EMPTY;
        set.iter().for_each(|tile| drawing.put(tile, cell(tile)));
        drawing
    }

    /// The tiles drawn.
    #[inline]
    pub fn set(&self) -> TileSet {
        self.set
    }

    /// Draws one more tile.
    #[inline]
    pub fn put(&mut self, tile: Tile, cell: Cell) {
        let (bit, walled) = (bit(cell), &WALLED[tile.index()]);
        self.set.insert(tile);
        self.tiles |= bit;
        self.walls.iter_mut().zip(walled).for_each(|(walls, walled)| *walls |= bit & walled);
        let as_far = |so_far: u8, steps: i8| so_far.max(steps.max(0) as u8);
        let [west, east, north, south] = self.reach;
        self.reach =
            [as_far(west, -cell.x), as_far(east, cell.x), as_far(north, -cell.y), as_far(south, cell.y)];
    }

    /// Takes away a tile that is drawn at this cell. False, and nothing done, if the map is too large for the words
    /// to tell what is left.
    #[inline]
    #[must_use]
    pub fn take(&mut self, tile: Tile, cell: Cell) -> bool {
        if !self.is_within(8, 8) {
            return false;
        }
        let bit = bit(cell);
        self.set.remove(tile);
        self.tiles &= !bit;
        self.walls.iter_mut().for_each(|walls| *walls &= !bit);
        // Cells of all rows in one, of all columns in one (bits 0, 8, 16 and so on).
        let halves = self.tiles | self.tiles >> 32;
        let quarters = halves | halves >> 16;
        let columns = (quarters | quarters >> 8) & 0xff;
        // With the westernmost column first, no row ends in the byte of another.
        let turned = self.tiles.rotate_left(self.reach[0] as u32);
        let pairs = turned | turned >> 4;
        let fours = pairs | pairs >> 2;
        let rows = (fours | fours >> 1) & 0x0101_0101_0101_0101;
        let rows = rows.wrapping_mul(0x0102_0408_1020_4080) >> 56;
        let [west, east, north, south] = self.reach;
        let ([west, east], [north, south]) = (reach(columns, west, east), reach(rows, north, south));
        self.reach = [west, east, north, south];
        true
    }

    /// Draws a tile in the place of one that is drawn at this cell: the map reaches as far as before.
    #[inline]
    pub fn exchange(&mut self, old: Tile, new: Tile, cell: Cell) {
        let (bit, walled) = (bit(cell), &WALLED[new.index()]);
        self.set.remove(old);
        self.set.insert(new);
        self.walls.iter_mut().zip(walled).for_each(|(walls, walled)| *walls = *walls & !bit | bit & walled);
    }

    /// Whether the map has at most so many columns and rows.
    #[inline]
    pub fn is_within(&self, columns: u8, rows: u8) -> bool {
        let [west, east, north, south] = self.reach;
        west + east < columns && north + south < rows
    }

    /// Whether two maps have the same tiles, look alike on every cell, and are small enough to tell.
    #[inline]
    pub fn is_like(&self, other: &Drawing) -> bool {
        let mut differ = (self.set.0 ^ other.set.0) | (self.tiles ^ other.tiles);
        for side in 0..4 {
            differ |= self.walls[side] ^ other.walls[side];
        }
        let far = |drawing: &Drawing| u32::from_le_bytes(drawing.reach);
        differ | u64::from(far(self) ^ far(other)) == 0 && self.is_within(8, 8)
    }

    /// Column and row of the fountain, with the north-western corner of the map in this row and column.
    #[inline]
    pub fn fountain(&self, corner: u32) -> (u32, u32) {
        (self.reach[0] as u32 + corner, self.reach[2] as u32 + corner)
    }

    /// Occupied cells and those with a wall to the north, east, south, west, with the north-western corner of
    /// the map in this row and column.
    #[inline]
    pub fn moved(&self, corner: u32) -> (u64, [u64; 4]) {
        let (column, row) = self.fountain(corner);
        let moved = |cells: u64| cells.rotate_left(8 * row + column);
        let [north, east, south, west] = self.walls;
        (moved(self.tiles), [moved(north), moved(east), moved(south), moved(west)])
    }
}

/// How far lines reach before and after the fountain's, of which those before it end at bit 7: within so many.
#[inline]
fn reach(lines: u64, before: u8, after: u8) -> [u8; 2] {
    let first = (lines >> (8 - before) << (8 - before) | 1 << 8).trailing_zeros();
    let last = (lines & ((2 << after) - 1)).ilog2();
    [8 - first as u8, last as u8]
}

/// The bit of a cell, see [`Drawing`].
#[inline]
fn bit(cell: Cell) -> u64 {
    1u64.rotate_left((8 * cell.y as i32 + cell.x as i32) as u32)
}

/// For each pattern of walls and each side, all ones if it is walled: no shift of single bits for every tile.
pub(super) const WALLS: [[u64; 4]; 16] = {
    let (mut table, mut walls) = ([[0; 4]; 16], 0);
    while walls < table.len() {
        let mut side = 0;
        while side < 4 {
            table[walls][side] = 0u64.wrapping_sub((walls >> side & 1) as u64);
            side += 1;
        }
        walls += 1;
    }
    table
};

/// The same for each tile.
const WALLED: [[u64; 4]; TILES] = {
    let (mut table, mut at) = ([[0; 4]; TILES], 0);
    while at < TILES {
        table[at] = WALLS[TABLE[at].walls as usize];
        at += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Seat, Turn};
    use crate::games::Catalogued;
    use crate::games::alhambra::Alhambra;
    use crate::games::alhambra::state::Action;
    use crate::streams::Stream;

    /// After every step of some random games, some with maps that outgrow the words; and also in a state that was
    /// written and read in between, where nothing is drawn at first.
    #[test]
    fn what_is_kept_is_what_would_be_drawn_anew() {
        let (mut small, mut large) = (0, 0);
        for seed in 0..8 {
            let game = Alhambra::new(Alhambra::default_rules(2), 2).unwrap();
            let (mut luck, mut choice) = (Stream::from_seed(seed), Stream::from_seed(700 + seed));
            let (mut state, mut buffer) = (game.initial(), Vec::new());
            let mut read = state;
            for step in 0.. {
                let action = match game.turn(&state) {
                    Turn::Over => break,
                    Turn::Chance(_) => game.sample_chance(&state, luck.word()),
                    Turn::Decision(seat) => {
                        // In every other game most tiles go as far east as they may.
                        game.actions(&state, seat, &mut buffer);
                        let east = buffer.iter().filter_map(|&action| match action {
                            Action::Place(_, cell) | Action::Add(_, cell) => Some((cell.x, action)),
                            _ => None,
                        });
                        match east.max() {
                            Some((_, action)) if seed % 2 == 1 && choice.below(8) > 0 => action,
                            _ => game.random_action(&state, seat, &mut choice, &mut buffer),
                        }
                    }
                    Turn::Simultaneous(_) => unreachable!(),
                };
                game.apply(&mut state, action);
                game.apply(&mut read, action);
                assert_eq!(read, state);
                for seat in Seat::all(2) {
                    let map = game.map(&state, seat);
                    let anew = Drawing::of(map.tiles, |tile| state.cells.of(tile));
                    assert_eq!([map.drawing(), game.map(&read, seat).drawing()], [anew; 2]);
                    let is_small = anew.is_within(8, 8);
                    assert_eq!(map.is_drawn_as(&anew), is_small);
                    (small, large) = (small + u32::from(is_small), large + u32::from(!is_small));
                }
                if step % 100 == 99 {
                    read = serde_json::from_str(&serde_json::to_string(&state).unwrap()).unwrap();
                }
            }
        }
        assert!(small > 1000 && large > 0, "{small} small, {large} large");
    }
}
