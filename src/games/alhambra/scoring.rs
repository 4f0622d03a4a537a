//! Points: majorities of each type, and the longest external wall.

use super::Alhambra;
use super::map::{Map, longest_wall};
use super::rules::ClosedRing;
use super::state::State;
use super::tiles::Building;
use crate::game::{MAX_SEATS, Seat};

/// Everybody who can hold a majority: up to six seats, or two and Dirk.
pub const MAX_PARTIES: usize = MAX_SEATS + 1;

/// Points of the first, second and third place in a type of building at a scoring, 0 to 2.
///
/// The first scoring pays one place with 1 to 6, each later one a place more: what the last place gets
/// stays the same, and the places before it get 7 more each time a place is added (score card).
pub const fn places(scoring: usize, building: Building) -> [u16; 3] {
    let base = building as u16 + 1;
    match scoring {
        0 => [base, 0, 0],
        1 => [base + 7, base, 0],
        _ => [base + 15, base + 7, base],
    }
}

/// The points of each party for one type, from its number of tiles.
///
/// Those who tie add up the places that they take and share them, rounded down; who has none takes no
/// place.
pub fn majority(counts: &[u8], places: [u16; 3]) -> [u16; MAX_PARTIES] {
    // What the first so many places are paid.
    let paid = [0, places[0], places[0] + places[1], places[0] + places[1] + places[2]];
    let mut parties = [0; 8];
    parties[..counts.len()].copy_from_slice(counts);
    let mut points = [0; MAX_PARTIES];
    for (points, &own) in points.iter_mut().zip(counts) {
        if own > 0 {
            let (ahead, tied) = ahead_and_tied(parties, own);
            *points = (paid[(ahead + tied).min(3)] - paid[ahead.min(3)]) / tied as u16;
        }
    }
    points
}

/// How many parties have more than `own` tiles, how many as many: none has more than 100. Whoever is not there has
/// none, and `own` is not 0.
#[inline]
pub(super) fn ahead_and_tied(counts: [u8; 8], own: u8) -> (usize, usize) {
    const EACH: u64 = 0x0101_0101_0101_0101;
    // All counts at once, a byte each, of which the highest bit says whether it reaches so many.
    let reach = |least: u8| {
        let bits = u64::from_le_bytes(counts) + (0x80 - least as u64) * EACH;
        ((bits >> 7 & EACH).wrapping_mul(EACH) >> 56) as usize
    };
    let ahead = reach(own + 1);
    (ahead, reach(own) - ahead)
}

impl Alhambra {
    /// The tiles of a seat's Alhambra, for questions about the map.
    #[inline]
    pub fn map<'a>(&self, state: &'a State, seat: Seat) -> Map<'a> {
        Map { tiles: state.alhambras[seat.index()], cells: &state.cells, seat: seat.index() }
    }

    /// Segments of a seat's longest external wall (base game, scoring).
    pub fn longest_wall(&self, state: &State, seat: Seat) -> u32 {
        longest_wall(self.map(state, seat), self.corners(), self.rules.closed_ring == ClosedRing::MinusOne)
    }

    /// Holds scoring 0, 1 or 2.
    pub(super) fn score(&self, state: &mut State, scoring: usize) {
        for building in Building::ALL {
            let mut counts = [0; MAX_PARTIES];
            for seat in Seat::all(self.seats) {
                counts[seat.index()] = state.alhambras[seat.index()].of(building) as u8;
            }
            let mut parties = self.seats;
            if self.with_dirk() {
                counts[parties] = state.dirk.of(building) as u8;
                parties += 1;
            }
            let points = majority(&counts[..parties], places(scoring, building));
            for seat in Seat::all(self.seats) {
                state.scores[seat.index()] += points[seat.index()];
            }
        }
        for seat in Seat::all(self.seats) {
            state.scores[seat.index()] += self.longest_wall(state, seat) as u16;
        }
        state.scorings = scoring as u8 + 1;
    }
}
