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
    let mut points = [0; MAX_PARTIES];
    // Always as many parties, so that all are compared at once: who is not there has no tile.
    let mut all = [0; MAX_PARTIES];
    all[..counts.len()].copy_from_slice(counts);
    for (points, own) in points.iter_mut().zip(all) {
        if own > 0 {
            let ahead: u8 = all.map(|count| u8::from(count > own)).iter().sum();
            let tied: u8 = all.map(|count| u8::from(count == own)).iter().sum();
            let taken = |place: u8| place >= ahead && place < ahead + tied;
            let pot: u16 =
                [0, 1, 2].map(|place| if taken(place) { places[place as usize] } else { 0 }).iter().sum();
            *points = pot / tied as u16;
        }
    }
    points
}

impl Alhambra {
    /// The tiles of a seat's Alhambra, for questions about the map.
    #[inline]
    pub fn map<'a>(&self, state: &'a State, seat: Seat) -> Map<'a> {
        Map { tiles: state.alhambras[seat.index()], cells: &state.cells }
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
