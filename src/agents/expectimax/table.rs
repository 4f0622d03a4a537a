//! Memory of a search: values of all seats by [`Heuristics::search_key`](crate::game::Heuristics::search_key).
//!
//! Keys are 128 bits of a good hash already, so the map takes their low half as it is. Nothing ever walks
//! over the map: no order of it can reach a result.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::game::MAX_SEATS;

/// A payoff for each seat.
pub type Values = [f64; MAX_SEATS];

/// Hands the low half of a 128-bit key on.
#[derive(Default)]
pub struct LowHalf(u64);

impl Hasher for LowHalf {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ byte as u64;
        }
    }
    fn write_u128(&mut self, key: u128) {
        self.0 = key as u64;
    }
}

/// A map from search keys to places in a list.
pub type Places = HashMap<u128, u32, BuildHasherDefault<LowHalf>>;

/// How wide a state was searched when every action of the whole tree below it was looked at.
pub const EXACT: u16 = u16::MAX;

/// Values by search key, and how wide the search was that found them.
#[derive(Default)]
pub struct Table {
    places: Places,
    /// Width of the search; 0 while it is under way or where it was broken off.
    widths: Vec<u16>,
    /// `seats` numbers a state.
    values: Vec<f64>,
    seats: usize,
}

impl Table {
    /// Forgets everything, for a game of so many seats. Keeps its memory.
    pub fn clear(&mut self, seats: usize) {
        self.places.clear();
        self.widths.clear();
        self.values.clear();
        self.seats = seats;
    }

    /// The place of a state, made if need be, and the width of the search that it holds (0: none).
    pub fn place(&mut self, key: u128) -> (u32, u16) {
        let next = self.widths.len() as u32;
        let place = *self.places.entry(key).or_insert(next);
        if place == next {
            self.widths.push(0);
            self.values.resize(self.values.len() + self.seats, 0.0);
        }
        (place, self.widths[place as usize])
    }

    /// What was found for a place.
    pub fn values(&self, place: u32) -> Values {
        let mut values = [0.0; MAX_SEATS];
        let first = place as usize * self.seats;
        values[..self.seats].copy_from_slice(&self.values[first..first + self.seats]);
        values
    }

    /// Keeps what was found.
    pub fn keep(&mut self, place: u32, width: u16, values: &Values) {
        let first = place as usize * self.seats;
        self.values[first..first + self.seats].copy_from_slice(&values[..self.seats]);
        self.widths[place as usize] = width;
    }
}

/// Takes the buffer of a level out of a list of buffers, to be put back after use.
pub fn take_level<T>(buffers: &mut Vec<Vec<T>>, level: usize) -> Vec<T> {
    if buffers.len() <= level {
        buffers.resize_with(level + 1, Vec::new);
    }
    std::mem::take(&mut buffers[level])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_found_again() {
        let mut table = Table::default();
        table.clear(2);
        let (place, width) = table.place(7 << 64 | 5);
        assert_eq!(width, 0);
        table.keep(place, EXACT, &[0.25, 0.75, 0.0, 0.0, 0.0, 0.0]);
        // The same low half, another key.
        assert_eq!(table.place(8 << 64 | 5).1, 0);
        assert_eq!(table.place(7 << 64 | 5), (place, EXACT));
        assert_eq!(table.values(place)[..2], [0.25, 0.75]);
        table.clear(2);
        assert_eq!((table.place(7 << 64 | 5).1, table.widths.len()), (0, 1));
    }
}
