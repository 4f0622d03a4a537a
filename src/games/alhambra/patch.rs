//! A small map in one word, so that all of its cells are tested at once: eight by eight cells in 64 bits, eleven by
//! eleven in 128.
//!
//! Nearly every map of a random game fits into the smaller (six by six tiles and an empty cell around them), and
//! what is left into the larger (nine by nine tiles). Still larger ones, and holes by corners, are left to
//! [`super::map::Board`], which answers the same questions.

use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

use super::drawing::{Drawing, WALLS};
use super::map::Map;
use super::random::nth_bit;
use super::state::{Cell, TileSet};

/// Cells by bit, row after row.
pub(super) trait Word:
    Copy
    + Eq
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// Cells in a row.
    const ROW: u32;
    /// No cell.
    const NONE: Self;
    /// The cell in the north-western corner.
    const CORNER: Self;

    /// All cells or none, from all ones or none.
    fn spread(mask: u64) -> Self;

    /// The first of these cells, if there is one.
    fn first(self) -> Self;

    /// How many cells.
    fn count(self) -> usize;

    /// The n-th of these cells, from 0, in the order in which random games count them. The fountain is in this column
    /// and row.
    fn nth(self, n: usize, column: u32, row: u32) -> Cell;
}

impl Word for u64 {
    const ROW: u32 = 8;
    const NONE: u64 = 0;
    const CORNER: u64 = 1;

    #[inline]
    fn first(self) -> u64 {
        self & self.wrapping_neg()
    }

    #[inline]
    fn spread(mask: u64) -> u64 {
        mask
    }

    #[inline]
    fn count(self) -> usize {
        self.count_ones() as usize
    }

    /// The order is that of the fountain's column and row, those after them, and at last those before them.
    #[inline]
    fn nth(self, n: usize, column: u32, row: u32) -> Cell {
        // The fountain's cell becomes bit 0, and what leaves a row to the west comes back in the east.
        let rows = self.rotate_right(8 * row);
        let kept = (0xff >> column) * FIRST_COLUMN;
        let turned = (rows >> column & kept) | (rows << (8 - column) & !kept);
        let place = nth_bit(turned, n) as u32;
        let from_fountain = |at: u32, fountain: u32| (((at + fountain) & 7) as i8) - fountain as i8;
        Cell::new(from_fountain(place & 7, column), from_fountain(place >> 3, row))
    }
}

impl Word for u128 {
    const ROW: u32 = 11;
    const NONE: u128 = 0;
    const CORNER: u128 = 1;

    #[inline]
    fn first(self) -> u128 {
        self & self.wrapping_neg()
    }

    #[inline]
    fn spread(mask: u64) -> u128 {
        (mask as u128) << 64 | mask as u128
    }

    #[inline]
    fn count(self) -> usize {
        self.count_ones() as usize
    }

    /// Row by row from the north-west, as in the list of actions.
    #[inline]
    fn nth(self, n: usize, column: u32, row: u32) -> Cell {
        let low = (self as u64).count_ones() as usize;
        let place =
            if n < low { nth_bit(self as u64, n) } else { 64 + nth_bit((self >> 64) as u64, n - low) };
        let (here, down) = (place as u32 % Self::ROW, place as u32 / Self::ROW);
        Cell::new(here as i8 - column as i8, down as i8 - row as i8)
    }
}

/// A map with an empty column after the last, so that no neighbour lies round a corner of the word (seven by eight
/// cells in the smaller): which tile stands beside which. Bit [`Word::ROW`] row + column.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ways<W> {
    /// Column and row of the fountain.
    column: u32,
    row: u32,
    /// Cells with a tile, the fountain left out.
    laid: W,
    /// Cells with a tile to the north, east, south, west.
    beside: [W; 4],
    /// Cells with a tile there that shows a wall.
    walled: [W; 4],
}

impl Ways<u64> {
    /// Those of a map, if it is small enough.
    #[inline]
    pub fn of(map: Map<'_>) -> Option<Ways<u64>> {
        let drawing = map.drawing();
        drawing.is_within(7, 8).then(|| Ways::within(&drawing, 0).0)
    }

    /// Those of a drawing with its north-western corner in this row and column, and all its cells.
    #[inline]
    fn within(drawing: &Drawing, corner: u32) -> (Ways<u64>, u64) {
        let (tiles, walls) = drawing.moved(corner);
        (Ways::drawn(tiles, walls, drawing.fountain(corner)), tiles)
    }
}

impl Ways<u128> {
    /// Those of a map with an empty cell around it, if it is small enough, and all its cells.
    fn of(map: Map<'_>) -> Option<(Ways<u128>, u128)> {
        let drawing = map.drawing();
        if !drawing.is_within(9, 9) {
            return None;
        }
        let fountain = drawing.fountain(1);
        // Halves of the words: cells, and those with a wall on each side.
        let mut halves = [[0u64; 5]; 2];
        let mut put = |cell: Cell, walls: u8| {
            let place = place::<u128>(cell, fountain);
            let (half, bit) = (&mut halves[place as usize / 64 % 2], 1 << (place % 64));
            half[0] |= bit;
            for (half, walled) in half[1..].iter_mut().zip(WALLS[walls as usize % WALLS.len()]) {
                *half |= bit & walled;
            }
        };
        put(Cell::default(), 0);
        map.tiles.iter().for_each(|tile| put(map.cells.of(tile), tile.walls()));
        let word = |at: usize| (halves[1][at] as u128) << 64 | halves[0][at] as u128;
        Some((Ways::drawn(word(0), [word(1), word(2), word(3), word(4)], fountain), word(0)))
    }
}

/// The place of a cell in a word, the fountain being in this column and row.
#[inline]
fn place<W: Word>(cell: Cell, (column, row): (u32, u32)) -> u32 {
    (W::ROW as i32 * (cell.y as i32 + row as i32) + cell.x as i32 + column as i32) as u32
}

impl<W: Word> Ways<W> {
    /// Those of these cells, of which some have walls to the north, east, south, west.
    #[inline]
    fn drawn(tiles: W, walls: [W; 4], (column, row): (u32, u32)) -> Ways<W> {
        let laid = tiles & !(W::CORNER << (W::ROW * row + column));
        // A cell with a neighbour to the north lies south of it, and sees its southern side; and so on round.
        let beside = [tiles << W::ROW, tiles >> 1, tiles >> W::ROW, tiles << 1];
        let walled = [walls[2] << W::ROW, walls[3] >> 1, walls[0] >> W::ROW, walls[1] << 1];
        Ways { column, row, laid, beside, walled }
    }

    /// The bit of a cell.
    #[inline]
    pub fn bit(&self, cell: Cell) -> W {
        W::CORNER << place::<W>(cell, (self.column, self.row))
    }

    /// Cells with a neighbour on each side that shows an open side.
    #[inline]
    fn open(&self) -> [W; 4] {
        let open = |side: usize| self.beside[side] & !self.walled[side];
        // Written out: of an array's `map` compilers make a call.
        [open(0), open(1), open(2), open(3)]
    }

    /// Whether the tile on a cell of the map may be taken away.
    #[inline]
    pub fn may_remove(&self, cell: Cell) -> bool {
        let tile = self.bit(cell);
        let count = |sides: &[W; 4]| sides.iter().filter(|&&cells| cells & tile != W::NONE).count();
        let (beside, walled) = (count(&self.beside), count(&self.walled));
        if beside == 4 {
            return false;
        }
        // A tile with a single open neighbour leads nowhere else.
        beside - walled == 1 || self.walk_reaches(self.laid & !tile)
    }

    /// Whether the fountain reaches all of `laid` on foot.
    // Always inline: called, it would have every small map written to memory.
    #[inline(always)]
    fn walk_reaches(&self, laid: W) -> bool {
        let open = self.open();
        let fountain = self.bit(Cell::default());
        let (tiles, mut reached) = (laid | fountain, fountain);
        loop {
            // A cell is reached from the north if the tile there is reached and shows it an open side.
            let [north, east, south, west] = neighbours(reached, open);
            let next = reached | ((north | east | south | west) & tiles);
            if next == reached {
                return reached == tiles;
            }
            reached = next;
        }
    }

    /// The cells whose tiles may be taken away: all at once, but for those on a way round that is longer than a square.
    fn removable(&self) -> W {
        let tiles = self.laid | self.bit(Cell::default());
        let open = self.open();
        let open = [open[0] & tiles, open[1] & tiles, open[2] & tiles, open[3] & tiles];
        let row = W::ROW;
        // Whether a way leads from the neighbour on this side to the next one, clockwise, by the cell between them.
        let squares = [
            open[1] << row & open[0] >> 1,
            open[2] >> 1 & open[1] >> row,
            open[3] >> row & open[2] << 1,
            open[0] << 1 & open[3] << row,
        ];
        // Neighbours that no such way leads on from: more than one, and the tile is needed or the way round is longer.
        let (mut once, mut more) = (W::NONE, W::NONE);
        for side in 0..4 {
            let ends = open[side] & !(open[(side + 1) % 4] & squares[side]);
            more = more | (once & ends);
            once = once | ends;
        }
        let [north, east, south, west] = self.beside;
        let outer = self.laid & !(north & east & south & west);
        // Tiles on ways round, and between them: dead ends are cut off until there is none.
        let mut round = tiles;
        loop {
            let (mut once, mut more) = (W::NONE, W::NONE);
            for beside in neighbours(round, open) {
                more = more | (once & beside);
                once = once | beside;
            }
            if round & more == round {
                break;
            }
            round = round & more;
        }
        // Whoever stands at the beginning of a dead end is needed for it.
        let ends = neighbours(!round, open);
        let mut unsure = outer & more & round & !(ends[0] | ends[1] | ends[2] | ends[3]);
        let mut removable = outer & !more;
        while unsure != W::NONE {
            let tile = unsure.first();
            if self.walk_reaches(self.laid & !tile) {
                removable = removable | tile;
            }
            unsure = unsure & !tile;
        }
        removable
    }

    /// Those of the map's tiles that may be taken away.
    pub fn removable_tiles(&self, map: Map<'_>) -> TileSet {
        let removable = self.removable();
        map.tiles.iter().filter(|&tile| self.bit(map.cells.of(tile)) & removable != W::NONE).collect()
    }
}

/// Cells whose neighbour to the north, east, south, west is among these cells; `open` says where one shows an open side.
#[inline]
fn neighbours<W: Word>(cells: W, open: [W; 4]) -> [W; 4] {
    [cells << W::ROW & open[0], cells >> 1 & open[1], cells >> W::ROW & open[2], cells << 1 & open[3]]
}

/// A map with an empty cell around it, at most six by six tiles in the smaller word and nine by nine in the larger.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patch<W> {
    ways: Ways<W>,
    /// Empty cells beside an open side, to fill which encloses nothing.
    free: W,
}

const FIRST_COLUMN: u64 = 0x0101_0101_0101_0101;

impl Patch<u64> {
    /// The picture of a map, if it is small enough.
    // Always inline: handed back through memory it costs 2 % of a random game.
    #[inline(always)]
    pub fn of(map: Map<'_>) -> Option<Patch<u64>> {
        // Not copied, which took 0.7 % of a random game.
        let anew;
        let drawing = match map.cells.drawn(map.seat, map.tiles) {
            Some(drawing) => drawing,
            None => {
                anew = map.drawing();
                &anew
            }
        };
        if !drawing.is_within(6, 6) {
            return None;
        }
        let (ways, tiles) = Ways::within(drawing, 1);
        Some(Patch::drawn(ways, tiles))
    }
}

impl Patch<u128> {
    /// The picture of a map, if it is small enough.
    pub fn of(map: Map<'_>) -> Option<Patch<u128>> {
        Ways::<u128>::of(map).map(|(ways, tiles)| Patch::drawn(ways, tiles))
    }
}

impl<W: Word> Patch<W> {
    #[inline(always)]
    fn drawn(ways: Ways<W>, tiles: W) -> Patch<W> {
        let row = W::ROW;
        // Tiles without another to the west, north, east, south of them.
        let first = [tiles << 1, tiles << row, tiles >> 1, tiles >> row].map(|beside| tiles & !beside);
        // Where a stretch of tiles in the ring around a cell begins, clockwise: to the north or north-east, to the east or
        // south-east and so on, never at both. (All eight places one by one took 1 % more of a random game.)
        let begins = [
            first[0] << row | first[0] << (row - 1),
            first[1] >> 1 | first[1] >> (row + 1),
            first[2] >> row | first[2] >> (row - 1),
            first[3] << 1 | first[3] << (row + 1),
        ];
        let (before, after) = (begins[0] | begins[1], begins[2] | begins[3]);
        let more = begins[0] & begins[1] | begins[2] & begins[3] | before & after;
        let open = ways.open();
        let free = (open[0] | open[1] | open[2] | open[3]) & !tiles & (before | after) & !more;
        Patch { ways, free }
    }

    /// The n-th cell of a word, from 0: see [`Word::nth`].
    #[inline]
    pub fn nth_cell(&self, word: W, n: usize) -> Cell {
        word.nth(n, self.ways.column, self.ways.row)
    }

    /// Cells on which a tile with these walls may be laid, and cells of tiles that it may take the place of.
    #[inline]
    pub fn sites(&self, walls: u8) -> (W, W) {
        let mut clash = W::NONE;
        for (side, &own) in WALLS[walls as usize % WALLS.len()].iter().enumerate() {
            // Neighbours that show a wall where the tile has none, or the other way round.
            clash = clash | (self.ways.walled[side] ^ (self.ways.beside[side] & W::spread(own)));
        }
        (self.free & !clash, self.ways.laid & !clash)
    }

    /// [`Patch::sites`] for several tiles: two looks into tables for each, which saved 2 % of a random game.
    #[inline]
    pub fn fits(&self) -> Fits<W> {
        let (walled, open) = (&self.ways.walled, self.ways.open());
        let clashes = |one: usize, other: usize| {
            let (walled, open) = ([walled[one], walled[other]], [open[one], open[other]]);
            [walled[0] | walled[1], open[0] | walled[1], walled[0] | open[1], open[0] | open[1]]
        };
        Fits { free: self.free, all: self.free | self.ways.laid, clashes: [clashes(0, 1), clashes(2, 3)] }
    }

    /// Which tile stands beside which.
    #[inline]
    pub fn ways(&self) -> &Ways<W> {
        &self.ways
    }
}

/// The cells of a map on which tiles may be laid or exchanged, by their walls.
pub(super) struct Fits<W> {
    /// Empty cells that may be filled, and those of tiles.
    free: W,
    all: W,
    /// By walls to the north and east, and by walls to the south and west: cells with a neighbour there that shows a wall
    /// where a tile with these has none, or the other way round.
    clashes: [[W; 4]; 2],
}

impl<W: Word> Fits<W> {
    /// Cells on which a tile with these walls may be laid, and cells of tiles that it may take the place of; both in one,
    /// as no cell is among both.
    #[inline]
    pub fn sites(&self, walls: u8) -> W {
        let [north_east, south_west] = &self.clashes;
        let clash = north_east[walls as usize % 4] | south_west[walls as usize / 4 % 4];
        self.all & !clash
    }

    /// Those of the cells that are empty.
    #[inline]
    pub fn free(&self) -> W {
        self.free
    }
}

impl Patch<u64> {
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Turn};
    use crate::games::Catalogued;
    use crate::games::alhambra::Alhambra;
    use crate::games::alhambra::map::{Board, Frame, LARGE};
    use crate::games::alhambra::state::Action;
    use crate::streams::Stream;

    fn cells<W: Word>(patch: &Patch<W>, word: W) -> Vec<Cell> {
        let mut cells: Vec<Cell> = (0..word.count()).map(|n| patch.nth_cell(word, n)).collect();
        cells.sort();
        cells
    }

    /// A patch, and the board of the same map.
    fn compare<W: Word>(patch: &Patch<W>, map: Map<'_>, board: &Board<LARGE>) {
        let (sites, fits) = (board.sites(false), patch.fits());
        for walls in 0..15 {
            let (free, taken) = patch.sites(walls);
            assert!(fits.sites(walls) == free | taken && fits.free() & fits.sites(walls) == free);
            let mut expected = Vec::new();
            sites.for_each(board, walls, |cell| expected.push(cell));
            expected.sort();
            assert_eq!(cells(patch, free), expected);
            let mut expected: Vec<Cell> = map
                .tiles
                .iter()
                .filter(|tile| (tile.walls() ^ walls) & board.joined(map.cells.of(*tile)) == 0)
                .map(|tile| map.cells.of(tile))
                .collect();
            expected.sort();
            assert_eq!(cells(patch, taken), expected);
        }
        compare_removable(patch.ways(), map, board);
    }

    fn compare_removable<W: Word>(ways: &Ways<W>, map: Map<'_>, board: &Board<LARGE>) {
        let removable = ways.removable_tiles(map);
        for tile in map.tiles.iter() {
            let cell = map.cells.of(tile);
            assert_eq!(ways.may_remove(cell), board.may_remove(cell, false));
            assert_eq!(removable.contains(tile), board.may_remove(cell, false));
        }
    }

    /// Every map of some random games: the same answers as the board's.
    #[test]
    fn a_patch_answers_like_a_board() {
        let (mut small, mut middle, mut large) = (0, 0, 0);
        for seed in 0..8 {
            let game = Alhambra::new(Alhambra::default_rules(2), 2).unwrap();
            let (mut luck, mut choice) = (Stream::from_seed(seed), Stream::from_seed(100 + seed));
            let (mut state, mut buffer) = (game.initial(), Vec::new());
            loop {
                let action = match game.turn(&state) {
                    Turn::Over => break,
                    Turn::Chance(_) => game.sample_chance(&state, luck.word()),
                    Turn::Decision(seat) => {
                        // In every other game many tiles go as far east as they may.
                        game.actions(&state, seat, &mut buffer);
                        let east = buffer.iter().filter_map(|&action| match action {
                            Action::Place(_, cell) | Action::Add(_, cell) => Some((cell.x, action)),
                            _ => None,
                        });
                        match east.max() {
                            Some((_, action)) if seed % 2 == 1 && choice.below(4) == 0 => action,
                            _ => game.pick_from_list(&state, seat, &mut choice, &mut buffer),
                        }
                    }
                    Turn::Simultaneous(_) => unreachable!(),
                };
                game.apply(&mut state, action);
                let map = game.map(&state, state.active);
                let board = Board::<LARGE>::of(map, Frame::of(map));
                if let Some(ways) = Ways::<u64>::of(map) {
                    compare_removable(&ways, map, &board);
                }
                let all: Vec<Cell> = map.tiles.iter().map(|tile| state.cells.of(tile)).collect();
                let spread = |get: fn(&Cell) -> i8| {
                    all.iter().map(get).max().unwrap_or(0).max(0)
                        - all.iter().map(get).min().unwrap_or(0).min(0)
                };
                let spread = spread(|cell| cell.x).max(spread(|cell| cell.y));
                let (patch, wide) = (Patch::<u64>::of(map), Patch::<u128>::of(map));
                assert_eq!((patch.is_some(), wide.is_some()), (spread <= 5, spread <= 8));
                match (&patch, &wide) {
                    (Some(_), _) => small += 1,
                    (None, Some(_)) => middle += 1,
                    (None, None) => large += 1,
                }
                patch.inspect(|patch| compare(patch, map, &board));
                wide.inspect(|patch| compare(patch, map, &board));
            }
        }
        assert!(small > 500 && middle > 100 && large > 0, "{small} small, {middle} middle, {large} large");
    }
}
