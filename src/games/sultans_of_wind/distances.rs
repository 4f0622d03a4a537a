//! Distance maps over the maze, flooded whole layers at a time and kept as planes of bits.
//!
//! A step onto a free cell costs 1, a step onto a clouded one [`CLOUD_COST`]: about what it takes to have
//! the cloud swapped or turned away or to fly over it, so that the map stays sensible in a closed maze.

use std::cell::RefCell;

use super::board::{Cell, Cells};

/// What a clouded cell costs.
pub const CLOUD_COST: usize = 4;
const PLANES: usize = 6;
/// The greatest distance that is told apart.
pub const FARTHEST: u32 = (1 << PLANES) - 1;

/// How far each cell is from the nearest source: bit k of the distance lies in plane k.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Distances([Cells; PLANES]);

impl Distances {
    /// Floods from `sources` over the whole board, whose free cells are `free`. The way is counted towards
    /// a source: what is entered is paid, the start is not.
    pub fn new(free: Cells, sources: Cells) -> Distances {
        let mut planes = [Cells::EMPTY; PLANES];
        let mut seen = sources;
        let mut fresh = sources & free;
        // Clouded cells found at a distance d go on at d + CLOUD_COST.
        let mut waiting = [Cells::EMPTY; CLOUD_COST];
        waiting[0] = sources.minus(free);
        for distance in 1..FARTHEST as usize {
            let slot = &mut waiting[distance % CLOUD_COST];
            let next = ((fresh | *slot).grown() & Cells::BOARD).minus(seen);
            *slot = next.minus(free);
            fresh = next & free;
            seen = seen | next;
            for (bit, plane) in planes.iter_mut().enumerate() {
                if distance >> bit & 1 == 1 {
                    *plane = *plane | next;
                }
            }
            if seen.same(Cells::BOARD) {
                break;
            }
        }
        for plane in &mut planes {
            *plane = *plane | !seen;
        }
        Distances(planes)
    }

    /// The distance of a cell.
    #[inline]
    pub fn of(&self, cell: Cell) -> u32 {
        (0..PLANES).fold(0, |sum, bit| sum | u32::from(self.0[bit].contains(cell)) << bit)
    }
}

const SLOTS: usize = 1024;

/// One remembered map and what it was made of.
#[derive(Clone, Copy)]
struct Entry {
    free: Cells,
    sources: Cells,
    map: Distances,
}

thread_local! {
    /// Remembered maps. A map depends on maze and sources alone and both are compared, so this can save
    /// time but not change a result.
    static MEMORY: RefCell<Vec<Entry>> = const { RefCell::new(Vec::new()) };
}

/// Asks the map of a maze and its sources, made anew only if it is not remembered.
pub fn with_distances<T>(free: Cells, sources: Cells, ask: impl FnOnce(&Distances) -> T) -> T {
    MEMORY.with_borrow_mut(|memory| {
        if memory.is_empty() {
            let nothing =
                Entry { free: Cells::EMPTY, sources: Cells::EMPTY, map: Distances([!Cells::EMPTY; PLANES]) };
            memory.resize(SLOTS, nothing);
        }
        let entry = &mut memory[(free.mixed() ^ sources.mixed().rotate_left(17)) as usize % SLOTS];
        if !entry.free.same(free) || !entry.sources.same(sources) {
            *entry = Entry { free, sources, map: Distances::new(free, sources) };
        }
        ask(&entry.map)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::streams::Stream;

    /// Dijkstra's algorithm, plainly.
    fn slow(free: Cells, sources: Cells) -> Vec<u32> {
        let cells: Vec<Cell> = Cell::all().collect();
        let mut best: Vec<u32> =
            cells.iter().map(|&cell| if sources.contains(cell) { 0 } else { 999 }).collect();
        loop {
            let before = best.clone();
            for (at, &cell) in cells.iter().enumerate() {
                for (other, &next) in cells.iter().enumerate() {
                    if cell.row().abs_diff(next.row()) + cell.column().abs_diff(next.column()) == 1 {
                        let cost = if free.contains(next) { 1 } else { CLOUD_COST as u32 };
                        best[at] = best[at].min(best[other] + cost);
                    }
                }
            }
            if best == before {
                return best.into_iter().map(|distance| distance.min(FARTHEST)).collect();
            }
        }
    }

    #[test]
    fn maps_equal_the_plain_shortest_ways() {
        let mut stream = Stream::from_seed(1);
        for _ in 0..40 {
            let openness = 1 + stream.below(4);
            let free: Cells = Cell::all().filter(|_| stream.below(5) < openness).collect();
            let sources: Cells =
                (0..1 + stream.below(3)).map(|_| Cell::at(stream.below(12), stream.below(12))).collect();
            let map = Distances::new(free, sources);
            let found: Vec<u32> = Cell::all().map(|cell| map.of(cell)).collect();
            assert_eq!(found, slow(free, sources));
            let asked = with_distances(free, sources, |map| *map);
            assert_eq!(asked, map);
            assert_eq!(with_distances(free, sources, |map| *map), map);
        }
    }
}
