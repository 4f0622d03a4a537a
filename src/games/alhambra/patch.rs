//! A small map in one word: eight by eight cells, so that all of them are tested at once.
//!
//! Nearly every map of a random game fits (six by six tiles and an empty cell around them). Larger ones, and
//! holes by corners, are left to [`super::map::Board`], which answers the same questions.

use super::map::Map;
use super::state::Cell;

/// A map of at most six by six cells. Bit 8 row + column; row 0 and column 0 are empty, and so are those
/// behind the map, so that no shift carries a tile over an edge.
#[derive(Clone, Copy, Debug)]
pub struct Patch {
    left: i8,
    top: i8,
    fountain: u64,
    tiles: u64,
    /// Cells with a tile to the north, east, south, west that shows a wall.
    walled: [u64; 4],
    /// Cells with a tile there that shows an open side.
    open: [u64; 4],
    /// Empty cells beside an open side, to fill which encloses nothing.
    free: u64,
}

impl Patch {
    /// The picture of a map, if it is small enough.
    #[inline]
    pub fn of(map: Map<'_>) -> Option<Patch> {
        let (mut left, mut right, mut top, mut bottom) = (0i8, 0i8, 0i8, 0i8);
        for tile in map.tiles.iter() {
            let cell = map.cells.of(tile);
            (left, right) = (left.min(cell.x), right.max(cell.x));
            (top, bottom) = (top.min(cell.y), bottom.max(cell.y));
        }
        if right - left > 5 || bottom - top > 5 {
            return None;
        }
        let place = |cell: Cell| 8 * (cell.y - top + 1) as u32 + (cell.x - left + 1) as u32;
        let fountain = 1 << place(Cell::new(0, 0));
        let (mut tiles, mut walls) = (fountain, [0u64; 4]);
        for tile in map.tiles.iter() {
            let (place, sides) = (place(map.cells.of(tile)), tile.walls() as u64);
            tiles |= 1 << place;
            for (side, walls) in walls.iter_mut().enumerate() {
                *walls |= (sides >> side & 1) << place;
            }
        }
        // A neighbour to the north faces a cell with its southern side, and so on round.
        let beside = [tiles << 8, tiles >> 1, tiles >> 8, tiles << 1];
        let walled = [walls[2] << 8, walls[3] >> 1, walls[0] >> 8, walls[1] << 1];
        let open = [0, 1, 2, 3].map(|side| beside[side] & !walled[side]);
        let ring =
            [tiles << 9, beside[0], tiles << 7, beside[1], tiles >> 9, beside[2], tiles >> 7, beside[3]];
        let (mut once, mut more) = (0, 0);
        for at in 0..8 {
            let begins = !ring[at] & ring[(at + 1) % 8];
            more |= once & begins;
            once |= begins;
        }
        let free = (open[0] | open[1] | open[2] | open[3]) & !tiles & once & !more;
        Some(Patch { left: left - 1, top: top - 1, fountain, tiles, walled, open, free })
    }

    /// The cell of a bit.
    #[inline]
    pub const fn cell(&self, place: usize) -> Cell {
        Cell::new(self.left + (place & 7) as i8, self.top + (place >> 3) as i8)
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
        (self.free & !clash, self.tiles & !self.fountain & !clash)
    }

    /// Whether the tile on a cell of the map may be taken away.
    #[inline]
    pub fn may_remove(&self, cell: Cell) -> bool {
        let tile = 1u64 << (8 * (cell.y - self.top) as u32 + (cell.x - self.left) as u32);
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
        let mut reached = self.fountain;
        loop {
            // A cell is reached from the north if the tile there is reached and shows it an open side.
            let next = reached
                | tiles
                    & (reached << 8 & self.open[0]
                        | reached >> 1 & self.open[1]
                        | reached >> 8 & self.open[2]
                        | reached << 1 & self.open[3]);
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
        (0..64).filter(|place| word >> place & 1 == 1).map(|place| patch.cell(place)).collect()
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
                    assert_eq!(cells(&patch, free), expected);
                    let mut expected: Vec<Cell> = map
                        .tiles
                        .iter()
                        .filter(|tile| board.may_exchange(state.cells.of(*tile), tile.walls(), walls))
                        .map(|tile| state.cells.of(tile))
                        .collect();
                    expected.sort_by_key(|cell| (cell.y, cell.x));
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
