//! The tile map of one Alhambra: which cells are open to a tile, what may be removed or exchanged, how long
//! the longest external wall is.
//!
//! A [`Board`] is a picture of a map in rows of bits, made for one question and thrown away. Its frame is
//! the map's own bounding box and two empty cells around it, so a map has no fixed edge. All cells of a row
//! are tested at once: a tile fits on an empty cell whose occupied neighbours all show the same kind of
//! side (walled or open), at least one of them open, and filling which encloses nothing. For the last, the
//! ring of eight cells around it is looked at: filling a cell of a map without holes makes a hole exactly
//! if occupied and empty change more than twice around the ring. (Connected by corners too,
//! `hole_connectivity` = 8, empty cells need a search instead.)

use super::drawing::Drawing;
use super::outline::small_outline;
use super::patch::{Patch, Ways};
use super::state::{Cell, Cells, TileSet};
use super::tiles::{EAST, NORTH, SOUTH, Tile, WEST};

/// A map as it stands in a state: tiles and where they lie. The fountain is understood.
#[derive(Clone, Copy)]
pub struct Map<'a> {
    /// The tiles of the map.
    pub tiles: TileSet,
    /// Where they lie.
    pub cells: &'a Cells,
    /// Whose map it is.
    pub seat: usize,
}

impl<'a> Map<'a> {
    /// The map in words.
    #[inline]
    pub(super) fn drawing(self) -> Drawing {
        self.cells.drawing(self.seat, self.tiles)
    }

    /// Whether this is the drawing of the map and tells everything about it.
    #[inline]
    pub(super) fn is_drawn_as(self, drawing: &Drawing) -> bool {
        self.cells.is_drawn_as(self.seat, self.tiles, drawing)
    }

    /// Every tile's cell and walls, the fountain left out.
    #[inline]
    fn placed(self) -> impl Iterator<Item = (Cell, u8)> + Clone + 'a {
        let cells = self.cells;
        self.tiles.iter().map(move |tile| (cells.of(tile), tile.walls()))
    }
}

/// The smallest box around a map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frame {
    left: i8,
    top: i8,
    bottom: i8,
}

impl Frame {
    /// The box around the fountain and these cells.
    #[inline]
    pub fn around(cells: impl Iterator<Item = Cell>) -> Frame {
        let start = Frame { left: 0, top: 0, bottom: 0 };
        cells.fold(start, |frame, cell| Frame {
            left: frame.left.min(cell.x),
            top: frame.top.min(cell.y),
            bottom: frame.bottom.max(cell.y),
        })
    }

    /// The box around a map.
    #[inline]
    pub fn of(map: Map<'_>) -> Frame {
        Frame::around(map.placed().map(|(cell, _)| cell))
    }

    /// Rows of a board with this frame, the empty ones around it included.
    #[inline]
    pub const fn rows(self) -> usize {
        (self.bottom - self.top) as usize + 1 + 2 * MARGIN as usize
    }
}

/// Empty cells around the map in every direction.
const MARGIN: i8 = 2;

/// Rows of a board that suffices for nearly all maps.
pub const SMALL: usize = 16;
/// Rows of a board that suffices for every map: 54 tiles, the fountain and the margins make 59.
pub const LARGE: usize = 64;

/// The sides in the order of the wall bits.
const SIDES: [u8; 4] = [NORTH, EAST, SOUTH, WEST];

/// Steps in the order of the wall bits, as (column, row).
const STEPS: [(isize, isize); 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];

/// Whether filling the middle of nine cells (bit 3 r + c) leaves at most one empty stretch in the ring
/// around it: exactly two changes between occupied and empty.
const RING_CLOSES_NOTHING: [bool; 512] = {
    // The ring in order, by bit in the block of nine.
    const AROUND: [usize; 8] = [0, 1, 2, 5, 8, 7, 6, 3];
    let mut table = [false; 512];
    let mut block = 0;
    while block < 512 {
        let (mut changes, mut at) = (0, 0);
        while at < 8 {
            changes += (block >> AROUND[at] ^ block >> AROUND[(at + 1) % 8]) & 1;
            at += 1;
        }
        table[block] = changes == 2;
        block += 1;
    }
    table
};

/// A map in rows of bits. Row 0 is the northernmost, bit 0 the westernmost column.
#[derive(Clone, Debug)]
pub struct Board<const R: usize> {
    left: i8,
    top: i8,
    rows: usize,
    /// Occupied cells.
    tiles: [u64; R],
    /// Occupied cells with a wall to the north, east, south, west.
    walls: [[u64; R]; 4],
}

/// The cells of a board that are open to tiles.
#[derive(Clone, Debug)]
pub struct Sites<const R: usize> {
    rows: usize,
    /// Empty cells next to an open side, to fill which encloses nothing.
    free: [u64; R],
    /// Cells whose neighbour to the north, east, south, west shows a wall.
    walled: [[u64; R]; 4],
    /// Cells whose neighbour there shows an open side.
    open: [[u64; R]; 4],
}

impl<const R: usize> Board<R> {
    /// The board of a map; its frame must have at most `R` rows.
    #[inline]
    pub fn of(map: Map<'_>, frame: Frame) -> Board<R> {
        Board::draw(frame, map.placed())
    }

    /// The board of any tiles within a frame.
    #[inline]
    pub fn draw(frame: Frame, placed: impl Iterator<Item = (Cell, u8)>) -> Board<R> {
        let mut board = Board {
            left: frame.left - MARGIN,
            top: frame.top - MARGIN,
            rows: frame.rows(),
            tiles: [0; R],
            walls: [[0; R]; 4],
        };
        board.put(Cell::default(), 0);
        placed.for_each(|(cell, walls)| board.put(cell, walls));
        board
    }

    #[inline]
    fn put(&mut self, cell: Cell, walls: u8) {
        let (column, row) = self.spot(cell);
        self.tiles[row] |= 1 << column;
        for (side, rows) in self.walls.iter_mut().enumerate() {
            rows[row] |= u64::from(walls >> side & 1) << column;
        }
    }

    /// Column and row of a cell within the frame.
    #[inline]
    fn spot(&self, cell: Cell) -> (usize, usize) {
        ((cell.x - self.left) as usize, (cell.y - self.top) as usize)
    }

    fn cell(&self, column: usize, row: usize) -> Cell {
        Cell::new(self.left + column as i8, self.top + row as i8)
    }

    #[inline]
    fn occupied(&self, column: usize, row: usize) -> bool {
        self.tiles[row] >> column & 1 == 1
    }

    #[inline]
    fn walled(&self, side: usize, column: usize, row: usize) -> bool {
        self.walls[side][row] >> column & 1 == 1
    }

    /// The sides on which a cell has a tile beside it, and which of those tiles show it a wall.
    #[inline]
    fn around(&self, column: usize, row: usize) -> (u8, u8) {
        let mut beside = 0;
        let mut walled = 0;
        for (side, (right, down)) in STEPS.into_iter().enumerate() {
            let (column, row) = (column.wrapping_add_signed(right), row.wrapping_add_signed(down));
            beside |= u8::from(self.occupied(column, row)) << side;
            walled |= u8::from(self.walled(side ^ 2, column, row)) << side;
        }
        (beside, walled)
    }

    /// Whether a tile with these walls may be laid on a cell: within one step of the map, or it is not.
    pub fn fits(&self, cell: Cell, walls: u8, corners: bool) -> bool {
        let (column, row) =
            ((cell.x as isize - self.left as isize) as usize, (cell.y as isize - self.top as isize) as usize);
        // A cell beside the map lies inside the outermost margin.
        if column == 0 || row == 0 || column >= 63 || row >= self.rows - 1 || self.occupied(column, row) {
            return false;
        }
        let (beside, walled) = self.around(column, row);
        (walls ^ walled) & beside == 0 && beside & !walled != 0 && self.closes_nothing(column, row, corners)
    }

    /// Whether an empty cell can be filled without enclosing another.
    #[inline]
    fn closes_nothing(&self, column: usize, row: usize, corners: bool) -> bool {
        if corners {
            let mut filled = self.tiles;
            filled[row] |= 1 << column;
            return !has_hole(&filled, self.rows);
        }
        let three = |row: usize| (self.tiles[row] >> (column - 1) & 7) as usize;
        RING_CLOSES_NOTHING[three(row - 1) | three(row) << 3 | three(row + 1) << 6]
    }

    /// All cells that are open to tiles.
    pub fn sites(&self, corners: bool) -> Sites<R> {
        let mut sites = Sites { rows: self.rows, free: [0; R], walled: [[0; R]; 4], open: [[0; R]; 4] };
        for row in 1..self.rows - 1 {
            let (above, here, below) = (self.tiles[row - 1], self.tiles[row], self.tiles[row + 1]);
            // A neighbour to the north faces the cell with its southern side, and so on round.
            let facing = [
                self.walls[2][row - 1],
                self.walls[3][row] >> 1,
                self.walls[0][row + 1],
                self.walls[1][row] << 1,
            ];
            let beside = [above, here >> 1, below, here << 1];
            let mut reachable = 0;
            for side in 0..4 {
                sites.walled[side][row] = facing[side];
                sites.open[side][row] = beside[side] & !facing[side];
                reachable |= sites.open[side][row];
            }
            reachable &= !here;
            if reachable == 0 {
                continue;
            }
            sites.free[row] = if corners {
                bits(reachable)
                    .filter(|&column| self.closes_nothing(column, row, true))
                    .fold(0, |free, column| free | 1 << column)
            } else {
                reachable & one_stretch(above, here, below)
            };
        }
        sites
    }

    /// The sides on which the tile on a cell has another beside it. It may be exchanged for one with the same walls
    /// there.
    #[inline]
    pub fn joined(&self, cell: Cell) -> u8 {
        let (column, row) = self.spot(cell);
        self.around(column, row).0
    }

    /// Whether the tile on a cell may be taken away: no hole, and everything else stays on the path.
    pub fn may_remove(&self, cell: Cell, corners: bool) -> bool {
        let (column, row) = self.spot(cell);
        let (beside, walled) = self.around(column, row);
        let mut rest = self.tiles;
        rest[row] &= !(1 << column);
        let opens = if corners { !has_hole(&rest, self.rows) } else { beside != 0b1111 };
        opens && self.neighbours_meet(&rest, column, row, beside & !walled)
    }

    /// Whether those of the four neighbours of a cell that `sides` names can walk to each other over
    /// `tiles`: then so can everything that was reached through the cell.
    fn neighbours_meet(&self, tiles: &[u64; R], column: usize, row: usize, sides: u8) -> bool {
        let mut to_meet = [0; R];
        let mut reached = [0; R];
        for side in (0..4).filter(|side| sides >> side & 1 == 1) {
            let (column, row) = step(column, row, side);
            to_meet[row] |= 1 << column;
            reached = [0; R];
            reached[row] = 1 << column;
        }
        loop {
            if (row - 1..=row + 1).all(|row| to_meet[row] & !reached[row] == 0) {
                return true;
            }
            let mut grown = false;
            for row in 1..self.rows - 1 {
                let here = tiles[row];
                if here == 0 {
                    continue;
                }
                // Facing sides are alike, so it is enough to look at the side that is left.
                let from_above = reached[row - 1] & !self.walls[2][row - 1];
                let from_below = reached[row + 1] & !self.walls[0][row + 1];
                let mut now = reached[row] | ((from_above | from_below) & here);
                loop {
                    let east = (now & !self.walls[1][row]) << 1;
                    let west = (now & !self.walls[3][row]) >> 1;
                    let next = now | ((east | west) & here);
                    if next == now {
                        break;
                    }
                    now = next;
                }
                grown |= now != reached[row];
                reached[row] = now;
            }
            if !grown {
                return false;
            }
        }
    }

    /// Number of segments of the longest external wall, and of open sides to the outside.
    ///
    /// A walk around the map, keeping it on the right hand, meets every external side once; a wall is a
    /// stretch of walled sides on that walk. `minus_one` takes one segment from a wall that closes.
    pub fn outline(&self, minus_one: bool) -> Outline {
        let row = MARGIN as usize;
        let column = self.tiles[row].trailing_zeros() as usize;
        let start = (column, row, 0);
        let (mut at, mut sides, mut open) = (start, 0, 0);
        // Lengths of the stretch before the first gap, of the present one, of the longest.
        let (mut first, mut present, mut longest) = (None, 0, 0);
        loop {
            let (column, row, side) = at;
            sides += 1;
            if self.walled(side, column, row) {
                present += 1;
            } else {
                open += 1;
                first.get_or_insert(present);
                longest = longest.max(present);
                present = 0;
            }
            let ahead = step(column, row, (side + 1) % 4);
            let across = step(ahead.0, ahead.1, side);
            at = if self.occupied(across.0, across.1) {
                (across.0, across.1, (side + 3) % 4)
            } else if self.occupied(ahead.0, ahead.1) {
                (ahead.0, ahead.1, side)
            } else {
                (column, row, (side + 1) % 4)
            };
            if at == start {
                break;
            }
        }
        let wall = match first {
            None => sides - u32::from(minus_one),
            Some(first) => longest.max(present + first),
        };
        Outline { wall, open }
    }

    /// The longest external wall where holes may be: the largest set of segments that hang together.
    ///
    /// A set closes if every corner that it touches has two of its segments.
    pub fn longest_by_search(&self, minus_one: bool) -> u32 {
        let mut segments: Vec<[(usize, usize); 2]> = Vec::new();
        for row in 0..self.rows {
            for column in bits(self.tiles[row]) {
                for (side, ends) in SEGMENT_ENDS.iter().enumerate() {
                    let (c, r) = step(column, row, side);
                    if self.walled(side, column, row) && !self.occupied(c, r) {
                        segments.push(ends.map(|(right, down)| (column + right, row + down)));
                    }
                }
            }
        }
        let mut longest = 0;
        while let Some(first) = segments.pop() {
            let mut chain = vec![first];
            let mut next = 0;
            while next < chain.len() {
                let ends = chain[next];
                let mut at = 0;
                while at < segments.len() {
                    if segments[at].iter().any(|corner| ends.contains(corner)) {
                        chain.push(segments.swap_remove(at));
                    } else {
                        at += 1;
                    }
                }
                next += 1;
            }
            let touching = |corner: &(usize, usize)| chain.iter().flatten().filter(|c| *c == corner).count();
            let closed = chain.iter().flatten().all(|corner| touching(corner) == 2);
            longest = longest.max(chain.len() as u32 - u32::from(minus_one && closed));
        }
        longest
    }
}

/// Corners of a cell at the two ends of each side, as (column, row) of the corner to its north-west.
const SEGMENT_ENDS: [[(usize, usize); 2]; 4] =
    [[(0, 0), (1, 0)], [(1, 0), (1, 1)], [(0, 1), (1, 1)], [(0, 0), (0, 1)]];

/// What lies around a map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outline {
    /// Segments of the longest external wall.
    pub wall: u32,
    /// External sides without a wall.
    pub open: u32,
}

impl<const R: usize> Sites<R> {
    /// The cells of a row on which a tile with these walls may be laid.
    #[inline]
    fn row(&self, row: usize, walls: u8) -> u64 {
        let mut clash = 0;
        for (at, side) in SIDES.into_iter().enumerate() {
            clash |= if walls & side != 0 { self.open[at][row] } else { self.walled[at][row] };
        }
        self.free[row] & !clash
    }

    /// Calls `found` for every cell on which a tile with these walls may be laid, row by row from the
    /// north-west.
    #[inline]
    pub fn for_each(&self, board: &Board<R>, walls: u8, mut found: impl FnMut(Cell)) {
        for row in 1..self.rows - 1 {
            if self.free[row] != 0 {
                bits(self.row(row, walls)).for_each(|column| found(board.cell(column, row)));
            }
        }
    }
}

#[inline]
fn step(column: usize, row: usize, side: usize) -> (usize, usize) {
    let (right, down) = STEPS[side];
    (column.wrapping_add_signed(right), row.wrapping_add_signed(down))
}

/// The places of the bits of a word, ascending.
#[inline]
fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if word == 0 {
            return None;
        }
        let place = word.trailing_zeros() as usize;
        word &= word - 1;
        Some(place)
    })
}

/// The cells of a row with exactly one occupied stretch in the ring around them.
#[inline]
fn one_stretch(above: u64, here: u64, below: u64) -> u64 {
    let ring = [above << 1, above, above >> 1, here >> 1, below >> 1, below, below << 1, here << 1];
    let (mut once, mut more) = (0, 0);
    for at in 0..8 {
        let begins = !ring[at] & ring[(at + 1) % 8];
        more |= once & begins;
        once |= begins;
    }
    once & !more
}

/// Whether an empty cell has no way over empty cells, corners included, to the outside.
fn has_hole<const R: usize>(tiles: &[u64; R], rows: usize) -> bool {
    let mut outside = [0; R];
    outside[0] = u64::MAX;
    loop {
        let mut grown = false;
        for row in 0..rows {
            let above = if row == 0 { u64::MAX } else { outside[row - 1] };
            let below = if row + 1 == rows { u64::MAX } else { outside[row + 1] };
            let mut now = outside[row];
            loop {
                let beside = now | above | below;
                let next = (beside | beside << 1 | beside >> 1) & !tiles[row];
                if next == now {
                    break;
                }
                now = next;
            }
            grown |= now != outside[row];
            outside[row] = now;
        }
        if !grown {
            return (0..rows).any(|row| outside[row] | tiles[row] != u64::MAX);
        }
    }
}

/// Answers a question about a map with a board of the size that it needs.
macro_rules! on_board {
    ($map:expr, |$board:ident| $answer:expr) => {{
        let map: $crate::games::alhambra::map::Map<'_> = $map;
        let frame = $crate::games::alhambra::map::Frame::of(map);
        if frame.rows() <= $crate::games::alhambra::map::SMALL {
            let $board = $crate::games::alhambra::map::Board::<{ $crate::games::alhambra::map::SMALL }>::of(
                map, frame,
            );
            $answer
        } else {
            let $board = $crate::games::alhambra::map::Board::<{ $crate::games::alhambra::map::LARGE }>::of(
                map, frame,
            );
            $answer
        }
    }};
}
pub(super) use on_board;

/// The longest external wall of a map.
pub fn longest_wall(map: Map<'_>, corners: bool, minus_one: bool) -> u32 {
    if corners {
        on_board!(map, |board| board.longest_by_search(minus_one))
    } else {
        outline(map, minus_one).wall
    }
}

/// Walls and open sides around a map without holes. `minus_one` takes one segment from a wall that closes.
#[inline]
pub fn outline(map: Map<'_>, minus_one: bool) -> Outline {
    match small_outline(map, minus_one) {
        Some(outline) => outline,
        None => on_board!(map, |board| board.outline(minus_one)),
    }
}

/// Calls `found` for every cell of a map on which a tile may be laid, row by row from the north-west.
#[inline]
pub fn each_place(map: Map<'_>, corners: bool, tile: Tile, found: impl FnMut(Cell)) {
    // A small map is looked at in one word, which gives the cells in the same order.
    if let (false, Some(patch)) = (corners, Patch::<u64>::of(map)) {
        return patch.each_place(tile.walls(), found);
    }
    on_board!(map, |board| board.sites(corners).for_each(&board, tile.walls(), found));
}

/// The tiles of a map that may be taken away.
#[inline]
pub fn removable(map: Map<'_>, corners: bool) -> TileSet {
    match Ways::<u64>::of(map) {
        Some(ways) if !corners => ways.removable_tiles(map),
        _ => on_board!(map, |board| map
            .tiles
            .iter()
            .filter(|&tile| board.may_remove(map.cells.of(tile), corners))
            .collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::streams::Stream;
    use std::collections::BTreeMap;

    type Plain = BTreeMap<(i32, i32), u8>;

    fn board(map: &Plain) -> Board<LARGE> {
        let cells = map.iter().map(|(&(x, y), &walls)| (Cell::new(x as i8, y as i8), walls));
        let without_fountain = cells.filter(|(cell, _)| *cell != Cell::default());
        Board::draw(Frame::around(without_fountain.clone().map(|(cell, _)| cell)), without_fountain)
    }

    fn neighbours((x, y): (i32, i32)) -> [(i32, i32); 4] {
        [(x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)]
    }

    /// Flood fill from far outside.
    fn has_hole_by_flood(map: &Plain, corners: bool) -> bool {
        let bound = |get: fn(&(i32, i32)) -> i32| {
            let low = map.keys().map(get).min().unwrap() - 2;
            let high = map.keys().map(get).max().unwrap() + 2;
            (low, high)
        };
        let ((left, right), (top, bottom)) = (bound(|cell| cell.0), bound(|cell| cell.1));
        let mut seen = vec![(left, top)];
        let mut next = 0;
        while next < seen.len() {
            let (x, y) = seen[next];
            next += 1;
            for dy in -1..=1 {
                for dx in -1..=1i32 {
                    let cell = (x + dx, y + dy);
                    let inside = (left..=right).contains(&cell.0) && (top..=bottom).contains(&cell.1);
                    let near = corners || dx.abs() + dy == 1 || dx.abs() - dy == 1;
                    if inside && near && !map.contains_key(&cell) && !seen.contains(&cell) {
                        seen.push(cell);
                    }
                }
            }
        }
        let all = ((right - left + 1) * (bottom - top + 1)) as usize;
        seen.len() + map.len() < all
    }

    fn connected_by_flood(map: &Plain) -> bool {
        let mut seen = vec![(0, 0)];
        let mut next = 0;
        while next < seen.len() {
            let cell = seen[next];
            next += 1;
            for (side, other) in neighbours(cell).into_iter().enumerate() {
                if map.contains_key(&other) && map[&cell] >> side & 1 == 0 && !seen.contains(&other) {
                    seen.push(other);
                }
            }
        }
        seen.len() == map.len()
    }

    fn sides_match(map: &Plain) -> bool {
        map.iter().all(|(&cell, &walls)| {
            neighbours(cell).into_iter().enumerate().all(|(side, other)| {
                map.get(&other).is_none_or(|theirs| walls >> side & 1 == theirs >> (side ^ 2) & 1)
            })
        })
    }

    fn legal(map: &Plain, corners: bool) -> bool {
        sides_match(map) && connected_by_flood(map) && !has_hole_by_flood(map, corners)
    }

    /// The longest chain by trying every start and every direction.
    fn wall_by_all_chains(map: &Plain) -> usize {
        type Corner = (i32, i32);
        let mut segments: Vec<[Corner; 2]> = Vec::new();
        for (&(x, y), &walls) in map {
            let ends = [
                [(x, y), (x + 1, y)],
                [(x + 1, y), (x + 1, y + 1)],
                [(x + 1, y + 1), (x, y + 1)],
                [(x, y + 1), (x, y)],
            ];
            for (side, ends) in ends.into_iter().enumerate() {
                if walls >> side & 1 == 1 && !map.contains_key(&neighbours((x, y))[side]) {
                    segments.push(ends);
                }
            }
        }
        fn longest_from(corner: (i32, i32), segments: &[[(i32, i32); 2]], used: &mut Vec<bool>) -> usize {
            let mut best = 0;
            for at in 0..segments.len() {
                if !used[at] && segments[at].contains(&corner) {
                    let [from, to] = segments[at];
                    used[at] = true;
                    best = best.max(1 + longest_from(if from == corner { to } else { from }, segments, used));
                    used[at] = false;
                }
            }
            best
        }
        let mut used = vec![false; segments.len()];
        let starts: Vec<Corner> = segments.iter().flatten().copied().collect();
        starts.into_iter().map(|corner| longest_from(corner, &segments, &mut used)).max().unwrap_or(0)
    }

    const SHAPES: [u8; 13] = [0, 1, 2, 4, 8, 3, 6, 12, 9, 7, 11, 13, 14];

    /// A random map of up to `size` tiles, checked globally at each step.
    fn random_map(stream: &mut Stream, size: usize, corners: bool, walled: bool) -> Plain {
        let mut map = Plain::from([((0, 0), 0)]);
        for _ in 0..20 * size {
            let cells: Vec<_> = map.keys().copied().collect();
            let cell = neighbours(cells[stream.below(cells.len())])[stream.below(4)];
            let shape = SHAPES[stream.below(if walled { SHAPES.len() } else { 1 })];
            if map.len() > size || map.contains_key(&cell) {
                continue;
            }
            let mut next = map.clone();
            next.insert(cell, shape);
            if legal(&next, corners) {
                map = next;
            }
        }
        map
    }

    fn compare(map: &Plain, corners: bool, stream: &mut Stream) {
        let board = board(map);
        let sites = board.sites(corners);
        for &shape in &SHAPES {
            let mut places = Vec::new();
            sites.for_each(&board, shape, |cell| places.push((cell.x as i32, cell.y as i32)));
            places.sort();
            let mut expected = Vec::new();
            for x in -12..=12 {
                for y in -12..=12 {
                    let mut next = map.clone();
                    let fits = !map.contains_key(&(x, y))
                        && neighbours((x, y)).iter().any(|cell| map.contains_key(cell))
                        && next.insert((x, y), shape).is_none()
                        && legal(&next, corners);
                    let cell = Cell::new(x as i8, y as i8);
                    assert_eq!(board.fits(cell, shape, corners), fits, "{map:?} {cell} {shape}");
                    if fits {
                        expected.push((x, y));
                    }
                }
            }
            assert_eq!(places, expected, "{map:?} {shape}");
        }
        for (&(x, y), &walls) in map {
            if (x, y) == (0, 0) {
                continue;
            }
            let cell = Cell::new(x as i8, y as i8);
            let mut next = map.clone();
            next.remove(&(x, y));
            assert_eq!(board.may_remove(cell, corners), legal(&next, corners), "{map:?} {cell}");
            let shape = SHAPES[stream.below(SHAPES.len())];
            next.insert((x, y), shape);
            let may_exchange = (walls ^ shape) & board.joined(cell) == 0;
            assert_eq!(may_exchange, legal(&next, corners), "{map:?} {cell} {shape}");
        }
    }

    #[test]
    fn local_tests_equal_global_flood_fills() {
        let mut stream = Stream::from_seed(1);
        for (round, walled) in [(6, true), (2, false)] {
            for size in [2, 5, 9, 14] {
                for _ in 0..round {
                    let map = random_map(&mut stream, size, false, walled);
                    compare(&map, false, &mut stream);
                }
            }
        }
    }

    /// A tile that two ways round reach at the same moment, from above and from below.
    #[test]
    fn two_ways_round_that_meet_are_one() {
        let map = Plain::from([
            ((-3, -2), 13),
            ((-3, -1), 13),
            ((-2, -3), 8),
            ((-2, -2), 2),
            ((-2, -1), 4),
            ((-1, -3), 1),
            ((-1, -2), 8),
            ((-1, -1), 2),
            ((-1, 0), 12),
            ((0, -4), 11),
            ((0, -3), 4),
            ((0, -2), 3),
            ((0, -1), 8),
            ((0, 0), 0),
            ((0, 1), 12),
            ((1, -3), 3),
            ((1, -2), 8),
            ((1, -1), 4),
            ((1, 0), 7),
            ((1, 1), 7),
            ((2, -2), 4),
            ((2, -1), 7),
        ]);
        let mut next = map.clone();
        next.remove(&(-1, -3));
        assert!(legal(&map, false) && legal(&next, false));
        assert!(board(&map).may_remove(Cell::new(-1, -3), false));
    }

    /// Larger maps, in which a way round leads past walls on both sides of a tile.
    #[test]
    fn removals_from_larger_maps_equal_global_flood_fills() {
        let (mut stream, mut apart) = (Stream::from_seed(4), 0);
        for _ in 0..400 {
            let map = random_map(&mut stream, 24, false, true);
            let board = board(&map);
            for &(x, y) in map.keys().filter(|&&cell| cell != (0, 0)) {
                let mut next = map.clone();
                next.remove(&(x, y));
                let removable = legal(&next, false);
                apart += usize::from(!removable && !has_hole_by_flood(&next, false));
                assert_eq!(
                    board.may_remove(Cell::new(x as i8, y as i8), false),
                    removable,
                    "{map:?} {x} {y}"
                );
            }
        }
        assert!(apart > 1000, "{apart}");
    }

    #[test]
    fn searches_over_corners_equal_global_flood_fills() {
        let mut stream = Stream::from_seed(2);
        for (round, walled) in [(3, true), (3, false)] {
            for size in [4, 9, 14] {
                for _ in 0..round {
                    let map = random_map(&mut stream, size, true, walled);
                    compare(&map, true, &mut stream);
                }
            }
        }
    }

    #[test]
    fn wall_by_walk_equals_a_search_over_all_chains() {
        let mut stream = Stream::from_seed(3);
        for _ in 0..300 {
            let size = 3 + stream.below(20);
            let map = random_map(&mut stream, size, false, true);
            let (board, expected) = (board(&map), wall_by_all_chains(&map));
            assert_eq!(board.outline(false).wall as usize, expected, "{map:?}");
            assert_eq!(board.longest_by_search(false) as usize, expected, "{map:?}");
            let sides =
                map.keys().flat_map(|&cell| neighbours(cell).into_iter().enumerate().map(move |s| (cell, s)));
            let open =
                sides.filter(|(cell, (side, other))| !map.contains_key(other) && map[cell] >> side & 1 == 0);
            assert_eq!(board.outline(false).open as usize, open.count());
        }
    }
}
