//! A small map in one word: eight by eight cells, so that all of them are tested at once.
//!
//! Nearly every map of a random game fits (six by six tiles and an empty cell around them). Larger ones, and
//! holes by corners, are left to [`super::map::Board`], which answers the same questions.

use super::drawing::{Drawing, WALLS};
use super::map::Map;
use super::random::nth_bit;
use super::state::Cell;

/// A map of at most seven by eight cells: which tile stands beside which. The column after the last is empty, so
/// that no neighbour lies round a corner of the word. Bit 8 row + column.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ways {
    /// Column and row of the fountain.
    column: u32,
    row: u32,
    /// Cells with a tile, the fountain left out.
    laid: u64,
    /// Cells with a tile to the north, east, south, west.
    beside: [u64; 4],
    /// Cells with a tile there that shows a wall.
    walled: [u64; 4],
}

impl Ways {
    /// Those of a map, if it is small enough.
    #[inline]
    pub fn of(map: Map<'_>) -> Option<Ways> {
        let drawing = map.drawing();
        drawing.is_within(7, 8).then(|| Ways::within(&drawing, 0).0)
    }

    /// Those of a drawing with its north-western corner in this row and column, and all its cells.
    #[inline]
    fn within(drawing: &Drawing, corner: u32) -> (Ways, u64) {
        let (tiles, walls) = drawing.moved(corner);
        let (column, row) = drawing.fountain(corner);
        let laid = tiles & !(1 << (8 * row + column));
        // A cell with a neighbour to the north lies south of it, and sees its southern side; and so on round.
        let beside = [tiles << 8, tiles >> 1, tiles >> 8, tiles << 1];
        let walled = [walls[2] << 8, walls[3] >> 1, walls[0] >> 8, walls[1] << 1];
        (Ways { column, row, laid, beside, walled }, tiles)
    }

    /// The bit of a cell.
    #[inline]
    fn bit(&self, cell: Cell) -> u64 {
        1 << (8 * (cell.y as i32 + self.row as i32) + cell.x as i32 + self.column as i32)
    }

    /// Cells with a neighbour on each side that shows an open side.
    #[inline]
    fn open(&self) -> [u64; 4] {
        let open = |side: usize| self.beside[side] & !self.walled[side];
        // Written out: of an array's `map` compilers make a call.
        [open(0), open(1), open(2), open(3)]
    }

    /// Whether the tile on a cell of the map may be taken away.
    #[inline]
    pub fn may_remove(&self, cell: Cell) -> bool {
        let tile = self.bit(cell);
        let count = |sides: &[u64; 4]| sides.iter().filter(|&&cells| cells & tile != 0).count();
        let (beside, walled) = (count(&self.beside), count(&self.walled));
        if beside == 4 {
            return false;
        }
        // A tile with a single open neighbour leads nowhere else.
        beside - walled == 1 || self.walk_reaches(self.laid & !tile)
    }

    /// Whether the fountain reaches all of `laid` on foot.
    fn walk_reaches(&self, laid: u64) -> bool {
        let open = self.open();
        let fountain = self.bit(Cell::default());
        let (tiles, mut reached) = (laid | fountain, fountain);
        loop {
            // A cell is reached from the north if the tile there is reached and shows it an open side.
            let spread = (reached << 8 & open[0])
                | (reached >> 1 & open[1])
                | (reached >> 8 & open[2])
                | (reached << 1 & open[3]);
            let next = reached | (spread & tiles);
            if next == reached {
                return reached == tiles;
            }
            reached = next;
        }
    }
}

/// A map of at most six by six cells with an empty one around it.
#[derive(Clone, Copy, Debug)]
pub struct Patch {
    ways: Ways,
    /// Empty cells beside an open side, to fill which encloses nothing.
    free: u64,
}

const FIRST_COLUMN: u64 = 0x0101_0101_0101_0101;

impl Patch {
    /// The picture of a map, if it is small enough.
    // Always inline: handed back through memory it costs 2 % of a random game.
    #[inline(always)]
    pub fn of(map: Map<'_>) -> Option<Patch> {
        let drawing = map.drawing();
        if !drawing.is_within(6, 6) {
            return None;
        }
        let (ways, tiles) = Ways::within(&drawing, 1);
        let [north, east, south, west] = ways.beside;
        // Tiles to the north-west, north, north-east, east and so on.
        let ring = [tiles << 9, north, tiles << 7, east, tiles >> 9, south, tiles >> 7, west];
        let (mut once, mut more) = (0, 0);
        for at in 0..8 {
            let begins = !ring[at] & ring[(at + 1) % 8];
            more |= once & begins;
            once |= begins;
        }
        let open = ways.open();
        let free = (open[0] | open[1] | open[2] | open[3]) & !tiles & once & !more;
        Some(Patch { ways, free })
    }

    /// The n-th cell of a word, from 0. The order is that of the fountain's column and row, those after them,
    /// and at last those before them.
    #[inline]
    pub fn nth_cell(&self, word: u64, n: usize) -> Cell {
        // The fountain's cell becomes bit 0, and what leaves a row to the west comes back in the east.
        let Ways { column, row, .. } = self.ways;
        let rows = word.rotate_right(8 * row);
        let kept = (0xff >> column) * FIRST_COLUMN;
        let turned = (rows >> column & kept) | (rows << (8 - column) & !kept);
        let place = nth_bit(turned, n) as u32;
        let from_fountain = |at: u32, fountain: u32| (((at + fountain) & 7) as i8) - fountain as i8;
        Cell::new(from_fountain(place & 7, column), from_fountain(place >> 3, row))
    }

    /// Cells on which a tile with these walls may be laid, and cells of tiles that it may take the place of.
    #[inline]
    pub fn sites(&self, walls: u8) -> (u64, u64) {
        let mut clash = 0;
        for (side, own) in WALLS[walls as usize % WALLS.len()].iter().enumerate() {
            // Neighbours that show a wall where the tile has none, or the other way round.
            clash |= self.ways.walled[side] ^ (self.ways.beside[side] & own);
        }
        (self.free & !clash, self.ways.laid & !clash)
    }

    /// Calls `found` for every cell on which a tile with these walls may be laid, row by row from the
    /// north-west.
    #[inline]
    pub fn each_place(&self, walls: u8, mut found: impl FnMut(Cell)) {
        let (mut free, _) = self.sites(walls);
        while free != 0 {
            let place = free.trailing_zeros() as i8;
            found(Cell::new((place & 7) - self.ways.column as i8, (place >> 3) - self.ways.row as i8));
            free &= free - 1;
        }
    }

    /// Whether the tile on a cell of the map may be taken away.
    #[inline]
    pub fn may_remove(&self, cell: Cell) -> bool {
        self.ways.may_remove(cell)
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
        let mut cells: Vec<Cell> = (0..word.count_ones() as usize).map(|n| patch.nth_cell(word, n)).collect();
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
                if let Some(ways) = Ways::of(map) {
                    for cell in map.tiles.iter().map(|tile| state.cells.of(tile)) {
                        assert_eq!(ways.may_remove(cell), board.may_remove(cell, false));
                    }
                }
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
                        .filter(|tile| (tile.walls() ^ walls) & board.joined(state.cells.of(*tile)) == 0)
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
