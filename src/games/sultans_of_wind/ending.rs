//! The race: which cells a player's carpets have to reach, and whether they stand there.

use super::board::{Cell, Cells};
use crate::game::Seat;

/// The targets of one player: starting spaces of the opposite palace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Targets {
    cells: [Cell; 3],
    count: u8,
    /// The cells from which a blocked target counts as reached.
    beside: [Cells; 3],
    /// The targets and all cells beside them.
    near: Cells,
}

/// Which carpets are matched to which targets. Both are counted from 0 in their own order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Matching {
    /// Bit i: carpet i is matched.
    pub carpets: u8,
    /// Bit i: target i is matched.
    pub targets: u8,
}

impl Targets {
    /// Two or three targets; a blocked one is reached from beside it, also diagonally if `diagonal`.
    pub fn new(cells: &[Cell], diagonal: bool) -> Targets {
        let mut targets = Targets {
            cells: [Cell::OFF; 3],
            count: cells.len() as u8,
            beside: [Cells::EMPTY; 3],
            near: cells.iter().copied().collect(),
        };
        for (at, &cell) in cells.iter().enumerate() {
            targets.cells[at] = cell;
            targets.beside[at] = if diagonal { Cells::around(cell) } else { Cells::beside(cell) };
            targets.near = targets.near | targets.beside[at];
        }
        targets
    }

    /// The target cells.
    pub fn cells(&self) -> &[Cell] {
        &self.cells[..self.count as usize]
    }

    /// The target cells, [`Cell::OFF`] in place of a third that is not there.
    #[inline]
    pub fn slots(&self) -> &[Cell; 3] {
        &self.cells
    }

    /// The cells that count as target `at`: itself, and those beside it while it is `blocked` by a pawn
    /// that is not the player's.
    #[inline]
    pub fn goal(&self, at: usize, blocked: bool) -> Cells {
        let beside = if blocked { self.beside[at] } else { Cells::EMPTY };
        beside.with(self.cells[at])
    }

    /// A largest matching of carpets to targets: the first found, giving each carpet in turn its lowest
    /// target before leaving it out. `blocked` gives the targets that are blocked (bit i: target i); it is
    /// asked only where it matters.
    #[inline]
    pub fn matching(&self, carpets: &[Cell], blocked: impl FnOnce() -> u8) -> Matching {
        if !carpets.iter().any(|&carpet| self.near.contains(carpet)) {
            return Matching::default();
        }
        let blocked = blocked();
        let mut reached = [0; 3];
        for at in 0..self.count as usize {
            let goal = self.goal(at, blocked >> at & 1 == 1);
            for (mask, &carpet) in reached.iter_mut().zip(carpets) {
                *mask |= u8::from(goal.contains(carpet)) << at;
            }
        }
        best(&reached, carpets.len(), 0, Matching::default())
    }

    /// Whether every carpet is matched to a target of its own (End of Game).
    #[inline]
    pub fn won(&self, carpets: &[Cell], blocked: impl FnOnce() -> u8) -> bool {
        // Most positions fail here.
        carpets.iter().all(|&carpet| self.near.contains(carpet))
            && self.matching(carpets, blocked).carpets.count_ones() as usize == carpets.len()
    }
}

/// Extends `so_far` by the carpets from `at` on.
fn best(reached: &[u8; 3], carpets: usize, at: usize, so_far: Matching) -> Matching {
    if at == carpets {
        return so_far;
    }
    let mut found = best(reached, carpets, at + 1, so_far);
    for target in (0..3).rev().map(|target| 1 << target) {
        if reached[at] & target != 0 && so_far.targets & target == 0 {
            let with = Matching { carpets: so_far.carpets | 1 << at, targets: so_far.targets | target };
            let with = best(reached, carpets, at + 1, with);
            if with.carpets.count_ones() >= found.carpets.count_ones() {
                found = with;
            }
        }
    }
    found
}

/// The seats in the order in which they are looked at for a win: the active one first, then clockwise.
pub fn clockwise_from(active: Seat, seats: usize) -> impl Iterator<Item = Seat> {
    (0..seats).map(move |step| Seat::new((active.index() + step) % seats))
}
