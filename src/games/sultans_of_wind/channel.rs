//! The wind tiles of a player: sets of tiles, the sliding channel, arrangements, and the order of play.

use serde::{Deserialize, Serialize};

use crate::game::Seat;

/// A set of wind tiles, which are called by their strength, 1 to 8. Serialised as a list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(into = "Vec<u8>", try_from = "Vec<u8>")]
pub struct Tiles(u8);

impl Tiles {
    /// No tile.
    pub const NONE: Tiles = Tiles(0);
    /// All eight.
    pub const ALL: Tiles = Tiles(u8::MAX);

    /// One tile.
    #[inline]
    pub const fn of(tile: u8) -> Tiles {
        debug_assert!(tile >= 1 && tile <= 8);
        Tiles(1 << (tile - 1))
    }

    /// The set with a tile added.
    #[must_use]
    #[inline]
    pub const fn with(self, tile: u8) -> Tiles {
        Tiles(self.0 | Tiles::of(tile).0)
    }

    /// The set with a tile taken out.
    #[must_use]
    #[inline]
    pub const fn without(self, tile: u8) -> Tiles {
        Tiles(self.0 & !Tiles::of(tile).0)
    }

    /// The tiles of this set that are not in `other`.
    #[must_use]
    #[inline]
    pub const fn minus(self, other: Tiles) -> Tiles {
        Tiles(self.0 & !other.0)
    }

    /// Whether a tile is in the set.
    #[inline]
    pub const fn contains(self, tile: u8) -> bool {
        self.0 & Tiles::of(tile).0 != 0
    }

    /// How many tiles.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there are none.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The `index`-th weakest tile; `index` is below [`Tiles::len`].
    #[inline]
    pub fn nth(self, index: usize) -> u8 {
        let mut left = self.0;
        for _ in 0..index {
            left &= left - 1;
        }
        left.trailing_zeros() as u8 + 1
    }

    /// The tiles from weak to strong.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = u8> {
        (1..=8).filter(move |&tile| self.contains(tile))
    }

    /// Their strengths together.
    #[inline]
    pub fn total(self) -> u32 {
        self.iter().map(u32::from).sum()
    }
}

impl FromIterator<u8> for Tiles {
    fn from_iter<I: IntoIterator<Item = u8>>(tiles: I) -> Tiles {
        tiles.into_iter().fold(Tiles::NONE, Tiles::with)
    }
}

impl From<Tiles> for Vec<u8> {
    fn from(tiles: Tiles) -> Vec<u8> {
        tiles.iter().collect()
    }
}

impl TryFrom<Vec<u8>> for Tiles {
    type Error = String;
    fn try_from(tiles: Vec<u8>) -> Result<Tiles, String> {
        match tiles.iter().find(|tile| !(1..=8).contains(*tile)) {
            Some(tile) => Err(format!("{tile} is no wind tile; they go from 1 to 8")),
            None => Ok(tiles.into_iter().collect()),
        }
    }
}

/// The visible part of a wind channel, leftmost slot first; zeros before it has been filled.
pub type Visible = [u8; 4];

/// Pushes `tile` in at the left; the tile in the last slot slides behind the screen.
#[inline]
pub fn slide(visible: &mut Visible, tile: u8) {
    *visible = [tile, visible[0], visible[1], visible[2]];
}

/// How many ways there are to fill the visible part.
pub const ARRANGEMENTS: usize = 8 * 7 * 6 * 5;

/// The `index`-th of the [`ARRANGEMENTS`], in ascending order.
#[inline]
pub fn arrangement(index: usize) -> Visible {
    let mut left = Tiles::ALL;
    [index / 210, index / 30 % 7, index / 5 % 6, index % 5].map(|at| {
        let tile = left.nth(at);
        left = left.without(tile);
        tile
    })
}

/// The `index`-th of the six pairs out of four tiles, in ascending order.
#[inline]
pub fn pair(tiles: Tiles, index: usize) -> (u8, u8) {
    const PAIRS: [(usize, usize); 6] = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
    let (first, second) = PAIRS[index];
    (tiles.nth(first), tiles.nth(second))
}

/// The order of play of a round: the higher total first; equal totals in clockwise order, beginning with
/// whoever has the Favor (Gameplay, 1). Entries past `seats` are seat 0.
#[inline]
pub fn order_of_play(totals: &[u32], favor: Seat) -> [Seat; 4] {
    let seats = totals.len();
    let mut order = [Seat::new(0); 4];
    // Clockwise from the Favor, then a stable insertion by total.
    for turn in 0..seats {
        let seat = (favor.index() + turn) % seats;
        let mut at = turn;
        while at > 0 && totals[order[at - 1].index()] < totals[seat] {
            order[at] = order[at - 1];
            at -= 1;
        }
        order[at] = Seat::new(seat);
    }
    order
}
