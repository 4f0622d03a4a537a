//! Finish orders, counted: who sat where, in which order they came in, and how often, by group of blocks.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::groups::{GROUPS, group_of};
use crate::game::MAX_SEATS;

/// One way a game can go: the player in each seat and the rank of each seat (1 is best, equal ranks tie).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Finish {
    /// Player by seat.
    pub players: [u16; MAX_SEATS],
    /// Rank by seat.
    pub ranks: [u8; MAX_SEATS],
}

/// Distinct finishes over all groups beyond which groups are halved.
const MAX_CELLS: usize = 1 << 20;
/// Groups are not halved below this number.
const FEWEST_GROUPS: usize = 32;

/// Counts of finishes, all integers: adding and merging in any order gives the same. Memory is bounded by the
/// number of different finishes, not by the number of games: where they are many, groups of blocks are joined
/// two by two.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Finishes {
    players: usize,
    seats: usize,
    groups: Vec<BTreeMap<Finish, u64>>,
    /// Distinct finishes, summed over the groups.
    cells: usize,
}

impl Finishes {
    /// Empty counts for `players` players, numbered from 0, at a table of `seats` seats.
    pub fn new(players: usize, seats: usize) -> Finishes {
        Finishes { players, seats: seats.min(MAX_SEATS), groups: vec![BTreeMap::new(); GROUPS], cells: 0 }
    }

    /// Counts a game of block `block`: the player and the rank of each seat.
    ///
    /// # Panics
    /// If a player's number is not below the number of players, or seats are missing.
    pub fn add_game(&mut self, block: u64, players: &[usize], ranks: &[u8]) {
        self.add_games(block, players, ranks, 1);
    }

    /// Counts `games` games of one block that went alike.
    ///
    /// # Panics
    /// As [`Finishes::add_game`].
    pub fn add_games(&mut self, block: u64, players: &[usize], ranks: &[u8], games: u64) {
        let mut finish = Finish { players: [0; MAX_SEATS], ranks: [0; MAX_SEATS] };
        for seat in 0..self.seats {
            assert!(players[seat] < self.players, "player {} of {}", players[seat], self.players);
            finish.players[seat] = players[seat] as u16;
            finish.ranks[seat] = ranks[seat];
        }
        let group = group_of(block, self.groups.len());
        let cells = &mut self.groups[group];
        let known = cells.len();
        *cells.entry(finish).or_default() += games;
        self.cells += cells.len() - known;
        self.bound();
    }

    /// Adds everything of another count of the same players and seats.
    pub fn merge(&mut self, other: &Finishes) {
        while self.groups.len() > other.groups.len() {
            self.halve();
        }
        let groups = self.groups.len();
        for (at, theirs) in other.groups.iter().enumerate() {
            let own = &mut self.groups[at % groups];
            for (finish, games) in theirs {
                *own.entry(*finish).or_default() += games;
            }
        }
        self.count();
        self.bound();
    }

    // How many groups are left is a function of what was counted, not of the order: the largest number at
    // which the distinct finishes are few enough.
    fn bound(&mut self) {
        while self.groups.len() > FEWEST_GROUPS && self.cells > MAX_CELLS {
            self.halve();
        }
    }

    fn count(&mut self) {
        self.cells = self.groups.iter().map(BTreeMap::len).sum();
    }

    fn halve(&mut self) {
        let half = self.groups.len() / 2;
        let upper = self.groups.split_off(half);
        for (own, theirs) in self.groups.iter_mut().zip(upper) {
            for (finish, games) in theirs {
                *own.entry(finish).or_default() += games;
            }
        }
        self.count();
    }

    /// Number of players.
    pub fn players(&self) -> usize {
        self.players
    }

    /// Seats at the table.
    pub fn seats(&self) -> usize {
        self.seats
    }

    /// Games counted.
    pub fn games(&self) -> u64 {
        self.groups.iter().flat_map(BTreeMap::values).sum()
    }

    /// The groups that have a game.
    pub(super) fn groups(&self) -> impl Iterator<Item = &BTreeMap<Finish, u64>> {
        self.groups.iter().filter(|group| !group.is_empty())
    }

    /// Counts over all groups.
    pub(super) fn totals(&self) -> BTreeMap<Finish, u64> {
        let mut totals = BTreeMap::new();
        for (finish, games) in self.groups.iter().flatten() {
            *totals.entry(*finish).or_default() += games;
        }
        totals
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merging_in_any_order_is_the_same() {
        let game =
            |block: u64| ([(block % 3) as usize, ((block + 1) % 3) as usize], [1 + (block % 2) as u8, 1]);
        let of = |blocks: std::ops::Range<u64>| {
            let mut counts = Finishes::new(3, 2);
            for block in blocks {
                let (players, ranks) = game(block);
                counts.add_game(block, &players, &ranks);
            }
            counts
        };
        let all = of(0..1_000);
        assert_eq!(all.games(), 1_000);
        let (mut forward, mut backward) = (of(0..300), of(300..1_000));
        forward.merge(&of(300..1_000));
        backward.merge(&of(0..300));
        assert_eq!(all, forward);
        assert_eq!(all, backward);
    }

    #[test]
    fn many_different_finishes_join_groups_and_lose_nothing() {
        // 90 players, 90 · 89 pairs: 2,050,560 different finishes in 256 groups.
        let mut counts = Finishes::new(90, 2);
        for block in 0..256u64 {
            for one in 0..90 {
                for other in (0..90).filter(|&other| other != one) {
                    counts.add_game(block, &[one, other], &[1, 2]);
                }
            }
        }
        assert_eq!(counts.games(), 256 * 90 * 89);
        assert_eq!(counts.groups().count(), 128);
    }
}
