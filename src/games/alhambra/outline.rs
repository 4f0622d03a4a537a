//! The outline of a small map in one word a side: all its external walls are followed at the same time.
//!
//! Nearly every map fits (seven columns, eight rows). [`super::map::Board::outline`] walks around the others
//! and gives the same answer.

use super::map::{Map, Outline};

const COLUMNS: u8 = 7;
const ROWS: u8 = 8;

/// The cells one step to the north, east, south or west of those of a word (bit 8 row + column). The eighth
/// column stays empty, so that nothing steps into another row.
#[inline(always)]
const fn step(word: u64, side: usize) -> u64 {
    match side % 4 {
        0 => word >> 8,
        1 => word << 1,
        2 => word << 8,
        _ => word >> 1,
    }
}

/// One step to a side and one to the side after it, in a single shift; what leaves a row comes to lie in the
/// eighth column.
#[inline(always)]
const fn diagonal(word: u64, side: usize) -> u64 {
    match side % 4 {
        0 => word >> 7,
        1 => word << 9,
        2 => word << 7,
        _ => word >> 9,
    }
}

/// Walls of one side whose segment before them, clockwise round the map, is among `before`. `turns_left` are
/// the tiles at whose end of the side before this one the outline turns left.
#[inline(always)]
fn followers(before: &[u64; 4], turns_left: &[u64; 4], walls: &[u64; 4], side: usize) -> u64 {
    let (behind, beyond) = ((side + 3) % 4, (side + 1) % 4);
    let straight = step(before[side], side + 1);
    let right_turn = before[behind] & !turns_left[behind];
    let left_turn = diagonal(before[beyond], side + 1);
    (straight | right_turn | left_turn) & walls[side]
}

/// What the outline of a small map depends on: its cells and those with a wall on each side, from the
/// north-western corner on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Shape {
    tiles: u64,
    walls: [u64; 4],
}

impl Shape {
    #[inline]
    fn of(map: Map<'_>) -> Option<Shape> {
        let drawing = map.drawing();
        if !drawing.is_within(COLUMNS, ROWS) {
            return None;
        }
        let (tiles, walls) = drawing.moved(0);
        Some(Shape { tiles, walls })
    }

    /// See [`small_outline`].
    fn outline(self, minus_one: bool) -> Outline {
        let Shape { tiles, mut walls } = self;
        let (mut segments, mut open) = (0, 0);
        for (side, walls) in walls.iter_mut().enumerate() {
            let external = tiles & !step(tiles, side + 2);
            open += (external & !*walls).count_ones();
            *walls &= external;
            segments += walls.count_ones();
        }
        if open == 0 {
            return Outline { wall: segments - u32::from(minus_one), open };
        }
        // Clockwise round the map: tiles with a tile diagonally ahead of the side, where the outline turns left.
        let turns_left = [diagonal(tiles, 2), diagonal(tiles, 3), diagonal(tiles, 0), diagonal(tiles, 1)];
        // Every wall gives up its first segment until none is left.
        let (mut left_over, mut wall) = (walls, 0);
        while left_over[0] | left_over[1] | left_over[2] | left_over[3] != 0 {
            wall += 1;
            // Written out: compilers do not always unroll a loop over sides, and every shift depends on the side.
            left_over = [
                followers(&left_over, &turns_left, &walls, 0),
                followers(&left_over, &turns_left, &walls, 1),
                followers(&left_over, &turns_left, &walls, 2),
                followers(&left_over, &turns_left, &walls, 3),
            ];
        }
        Outline { wall, open }
    }
}

/// Number of segments of the longest external wall and of open sides, if the map is small enough.
/// `minus_one` takes one segment from a wall that closes.
#[inline]
pub fn small_outline(map: Map<'_>, minus_one: bool) -> Option<Outline> {
    Shape::of(map).map(|shape| shape.outline(minus_one))
}

/// How many outlines are kept.
const KEPT: usize = 128;

/// Outlines of small maps that were asked for before: the maps of one search come again and again.
pub(super) struct Outlines([(Shape, Outline); KEPT]);

impl Default for Outlines {
    fn default() -> Outlines {
        Outlines([(Shape::default(), Outline { wall: 0, open: 0 }); KEPT])
    }
}

impl Outlines {
    /// The outline of a map, if it is small enough. `minus_one` must be the same for all maps.
    #[inline]
    pub fn of(&mut self, map: Map<'_>, minus_one: bool) -> Option<Outline> {
        let shape = Shape::of(map)?;
        let Shape { tiles, walls: [north, east, south, west] } = shape;
        let mixed = tiles
            ^ north.rotate_left(13)
            ^ east.rotate_left(26)
            ^ south.rotate_left(39)
            ^ west.rotate_left(52);
        let kept = &mut self.0[(mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 57) as usize % KEPT];
        if kept.0 != shape {
            *kept = (shape, shape.outline(minus_one));
        }
        Some(kept.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Turn};
    use crate::games::Catalogued;
    use crate::games::alhambra::Alhambra;
    use crate::games::alhambra::map::{Board, Frame, LARGE};
    use crate::games::alhambra::state::{Cell, Cells, TileSet};
    use crate::games::alhambra::tiles::{TABLE, Tile};
    use crate::streams::Stream;

    fn walk(map: Map<'_>, minus_one: bool) -> Outline {
        Board::<LARGE>::of(map, Frame::of(map)).outline(minus_one)
    }

    /// A map with one tile of each of these wall patterns at those cells.
    fn laid(placed: &[(u8, Cell)]) -> (TileSet, Cells) {
        let (mut tiles, mut cells) = (TileSet::default(), Cells::default());
        for &(walls, cell) in placed {
            let fits = |tile: &Tile| tile.walls() == walls && !tiles.contains(*tile);
            let tile = (0..TABLE.len()).map(Tile::new).find(fits).expect("a tile with these walls");
            cells.lay(0, tiles, tile, cell);
            tiles.insert(tile);
        }
        (tiles, cells)
    }

    /// Every map of some random games: the same as a walk around it.
    #[test]
    fn all_walls_at_once_are_as_long_as_on_a_walk() {
        let (mut small, mut large, mut longest) = (0, 0, 0);
        for seed in 0..8 {
            let seats = 2 + seed as usize % 2;
            let game = Alhambra::new(Alhambra::default_rules(seats), seats).unwrap();
            let (mut luck, mut choice) = (Stream::from_seed(seed), Stream::from_seed(200 + seed));
            let (mut state, mut buffer) = (game.initial(), Vec::new());
            loop {
                let action = match game.turn(&state) {
                    Turn::Over => break,
                    Turn::Chance(_) => game.sample_chance(&state, luck.word()),
                    Turn::Decision(seat) => game.random_action(&state, seat, &mut choice, &mut buffer),
                    Turn::Simultaneous(_) => unreachable!(),
                };
                game.apply(&mut state, action);
                let map = game.map(&state, state.active);
                let Some(outline) = small_outline(map, false) else {
                    large += 1;
                    continue;
                };
                small += 1;
                longest = longest.max(outline.wall);
                assert_eq!(outline, walk(map, false));
                assert_eq!(small_outline(map, true), Some(walk(map, true)));
            }
        }
        assert!(small > 1000 && large > 0 && longest >= 6, "{small} small, {large} large, {longest} long");
    }

    #[test]
    fn a_ring_has_no_end() {
        let beside = [(0, -1), (1, 0), (0, 1), (-1, 0)];
        let arms: Vec<(u8, Cell)> =
            (0..4).map(|side| (15 & !(1 << (side ^ 2)), Cell::new(beside[side].0, beside[side].1))).collect();
        let (tiles, cells) = laid(&arms);
        let map = Map { tiles, cells: &cells, seat: 0 };
        assert_eq!(small_outline(map, false), Some(Outline { wall: 12, open: 0 }));
        assert_eq!(small_outline(map, true), Some(Outline { wall: 11, open: 0 }));
        assert_eq!([walk(map, false).wall, walk(map, true).wall], [12, 11]);
        // With an arm less there are two ends, and nothing is taken off.
        let (tiles, cells) = laid(&arms[1..]);
        let map = Map { tiles, cells: &cells, seat: 0 };
        assert_eq!(small_outline(map, true), Some(Outline { wall: 9, open: 1 }));
    }

    #[test]
    fn seven_columns_and_eight_rows_are_small() {
        for (dx, dy, fits) in [(1, 0, 6), (-1, 0, 6), (0, 1, 7), (0, -1, 7)] {
            for length in 1..=8 {
                // One wall at the far end.
                let placed: Vec<(u8, Cell)> =
                    (1..=length).map(|n| (u8::from(n == length), Cell::new(n * dx, n * dy))).collect();
                let (tiles, cells) = laid(&placed);
                let map = Map { tiles, cells: &cells, seat: 0 };
                let outline = small_outline(map, false);
                assert_eq!(outline.is_some(), length <= fits);
                assert_eq!(outline.unwrap_or_else(|| walk(map, false)), walk(map, false));
            }
        }
    }
}
