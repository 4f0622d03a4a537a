//! A small map in one word: eight by eight cells, so that all of them are tested at once.
//!
//! Nearly every map of a random game fits (six by six tiles and an empty cell around them). Larger ones, and
//! holes by corners, are left to [`super::map::Board`], which answers the same questions.
//!
//! Columns and rows are counted modulo eight, so that a map can be written down before it is known how far
//! it reaches to the west and north: what leaves the word on one side comes back on the other.

use super::map::Map;
use super::state::Cell;

/// A map of at most six by six cells. Bit 8 row + column, both modulo eight.
#[derive(Clone, Copy, Debug)]
pub struct Patch {
    /// The westernmost column and the northernmost row, an empty one each.
    left: i8,
    top: i8,
    tiles: u64,
    /// Cells with a tile to the north, east, south, west that shows a wall.
    walled: [u64; 4],
    /// Cells with a tile there that shows an open side.
    open: [u64; 4],
    /// Empty cells beside an open side, to fill which encloses nothing.
    free: u64,
}

/// The fountain, at 0,0.
const FOUNTAIN: u64 = 1;
const FIRST_COLUMN: u64 = 0x0101_0101_0101_0101;

/// The cells one step to the east of those of a word.
#[inline]
const fn east(word: u64) -> u64 {
    (word & !(FIRST_COLUMN << 7)) << 1 | (word >> 7 & FIRST_COLUMN)
}

/// The cells one step to the west.
#[inline]
const fn west(word: u64) -> u64 {
    (word >> 1 & !(FIRST_COLUMN << 7)) | (word & FIRST_COLUMN) << 7
}

/// The cells one step to the south.
#[inline]
const fn south(word: u64) -> u64 {
    word.rotate_left(8)
}

/// The cells one step to the north.
#[inline]
const fn north(word: u64) -> u64 {
    word.rotate_right(8)
}

#[inline]
const fn place(cell: Cell) -> u32 {
    8 * (cell.y as u32 & 7) + (cell.x as u32 & 7)
}

impl Patch {
    /// The picture of a map, if it is small enough.
    #[inline]
    pub fn of(map: Map<'_>) -> Option<Patch> {
        let (mut left, mut right, mut top, mut bottom) = (0i8, 0i8, 0i8, 0i8);
        let (mut tiles, mut walls) = (FOUNTAIN, [0u64; 4]);
        for tile in map.tiles.iter() {
            let cell = map.cells.of(tile);
            (left, right) = (left.min(cell.x), right.max(cell.x));
            (top, bottom) = (top.min(cell.y), bottom.max(cell.y));
            let (place, sides) = (place(cell), tile.walls() as u64);
            tiles |= 1 << place;
            for (side, walls) in walls.iter_mut().enumerate() {
                *walls |= (sides >> side & 1) << place;
            }
        }
        if right - left > 5 || bottom - top > 5 {
            return None;
        }
        // A cell with a neighbour to the north lies south of it, and sees its southern side; and so on round.
        let (easterly, westerly) = (east(tiles), west(tiles));
        let beside = [south(tiles), westerly, north(tiles), easterly];
        let walled = [south(walls[2]), west(walls[3]), north(walls[0]), east(walls[1])];
        let open = [0, 1, 2, 3].map(|side| beside[side] & !walled[side]);
        // Tiles to the north-west, north, north-east, east and so on.
        let ring = [
            south(easterly),
            beside[0],
            south(westerly),
            beside[1],
            north(westerly),
            beside[2],
            north(easterly),
            beside[3],
        ];
        let (mut once, mut more) = (0, 0);
        for at in 0..8 {
            let begins = !ring[at] & ring[(at + 1) % 8];
            more |= once & begins;
            once |= begins;
        }
        let free = (open[0] | open[1] | open[2] | open[3]) & !tiles & once & !more;
        Some(Patch { left: left - 1, top: top - 1, tiles, walled, open, free })
    }

    /// The cell of a bit.
    #[inline]
    pub const fn cell(&self, place: usize) -> Cell {
        let (column, row) = ((place & 7) as i8, (place >> 3) as i8);
        Cell::new(self.left + ((column - self.left) & 7), self.top + ((row - self.top) & 7))
    }

    /// Cells on which a tile with these walls may be laid, and cells of tiles that it may take the place of.
    #[inline]
    pub fn sites(&self, walls: u8) -> (u64, u64) {
        let mut clash = 0;
        for side in 0..4 {
            // All ones if the side is walled.
            let wall = 0u64.wrapping_sub((walls >> side & 1) as u64);
            clash |= (self.open[side] & wall) | (self.walled[side] & !wall);
        }
        (self.free & !clash, self.tiles & !FOUNTAIN & !clash)
    }

    /// Whether the tile on a cell of the map may be taken away.
    #[inline]
    pub fn may_remove(&self, cell: Cell) -> bool {
        let tile = 1u64 << place(cell);
        let count = |sides: &[u64; 4]| sides.iter().filter(|&&cells| cells & tile != 0).count();
        let (open, walled) = (count(&self.open), count(&self.walled));
        if open + walled == 4 {
            return false;
        }
        // A tile with a single open neighbour leads nowhere else.
        open == 1 || self.walk_reaches(self.tiles & !tile)
    }

    /// Whether the fountain reaches all of `tiles` on foot.
    fn walk_reaches(&self, tiles: u64) -> bool {
        let mut reached = FOUNTAIN;
        loop {
            // A cell is reached from the north if the tile there is reached and shows it an open side.
            let spread = (south(reached) & self.open[0])
                | (west(reached) & self.open[1])
                | (north(reached) & self.open[2])
                | (east(reached) & self.open[3]);
            let next = reached | (spread & tiles);
            if next == reached {
                return reached == tiles;
            }
            reached = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Turn};
    use crate::games::Catalogued;
    use crate::games::alhambra::Alhambra;
    use crate::games::alhambra::map::{Board, Frame, LARGE};
    use crate::streams::Stream;

    fn cells(patch: &Patch, word: u64) -> Vec<Cell> {
        let mut cells: Vec<Cell> =
            (0..64).filter(|place| word >> place & 1 == 1).map(|place| patch.cell(place)).collect();
        cells.sort();
        cells
    }

    /// Every map of some random games: the same answers as the board's.
    #[test]
    fn a_patch_answers_like_a_board() {
        let (mut small, mut large) = (0, 0);
        for seed in 0..6 {
            let game = Alhambra::new(Alhambra::default_rules(2), 2).unwrap();
            let (mut luck, mut choice) = (Stream::from_seed(seed), Stream::from_seed(100 + seed));
            let (mut state, mut buffer) = (game.initial(), Vec::new());
            loop {
                let action = match game.turn(&state) {
                    Turn::Over => break,
                    Turn::Chance(_) => game.sample_chance(&state, luck.word()),
                    Turn::Decision(seat) => game.pick_from_list(&state, seat, &mut choice, &mut buffer),
                    Turn::Simultaneous(_) => unreachable!(),
                };
                game.apply(&mut state, action);
                let map = game.map(&state, state.active);
                let board = Board::<LARGE>::of(map, Frame::of(map));
                let all: Vec<Cell> = map.tiles.iter().map(|tile| state.cells.of(tile)).collect();
                let spread = |get: fn(&Cell) -> i8| {
                    all.iter().map(get).max().unwrap_or(0).max(0)
                        - all.iter().map(get).min().unwrap_or(0).min(0)
                };
                let Some(patch) = Patch::of(map) else {
                    large += 1;
                    assert!(spread(|cell| cell.x) > 5 || spread(|cell| cell.y) > 5);
                    continue;
                };
                small += 1;
                assert!(spread(|cell| cell.x) <= 5 && spread(|cell| cell.y) <= 5);
                let sites = board.sites(false);
                for walls in 0..15 {
                    let (free, taken) = patch.sites(walls);
                    let mut expected = Vec::new();
                    sites.for_each(&board, walls, |cell| expected.push(cell));
                    expected.sort();
                    assert_eq!(cells(&patch, free), expected);
                    let mut expected: Vec<Cell> = map
                        .tiles
                        .iter()
                        .filter(|tile| board.may_exchange(state.cells.of(*tile), tile.walls(), walls))
                        .map(|tile| state.cells.of(tile))
                        .collect();
                    expected.sort();
                    assert_eq!(cells(&patch, taken), expected);
                }
                for &cell in &all {
                    assert_eq!(patch.may_remove(cell), board.may_remove(cell, false));
                }
            }
        }
        assert!(small > 500 && large > 0, "{small} small, {large} large");
    }
}
