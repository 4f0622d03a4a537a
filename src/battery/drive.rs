//! Driving a game from a seed alone: the luck of a deal, and players of several tempers, since random play
//! sees only the middle of a game.

use std::hash::{Hash, Hasher};

use crate::game::{Heuristics, Seat, Source};
use crate::streams::{Deal, Phase, Purpose, Stream, key};

/// Decisions after which stubborn and eager players lose interest.
const PATIENCE: u32 = 2_000;

/// Plays one game.
pub(super) struct Driver {
    luck: Deal,
    choice: Stream,
    temper: Temper,
    decided: u32,
}

#[derive(Clone, Copy)]
enum Temper {
    /// Any action.
    Random,
    /// Mostly the action that ranks first in an order drawn for this game: goes to extremes.
    Stubborn { order: u64, patience: u32 },
    /// Mostly the action after which the value is highest: wins.
    Eager,
}

/// A choice, and whether [`crate::game::Game::random_action`] made it.
pub(super) struct Choice<A> {
    pub action: A,
    pub random: bool,
}

impl Driver {
    /// The game of a seed.
    pub fn new(seed: u64, phase: Phase, seats: usize) -> Driver {
        let mut choice = Stream::new(key(seed, phase, 0, Purpose::Check, 1));
        let temper = match choice.below(16) {
            0..=10 => Temper::Random,
            11..=13 => {
                let patience = if choice.below(8) == 0 { u32::MAX } else { PATIENCE };
                Temper::Stubborn { order: choice.word(), patience }
            }
            _ => Temper::Eager,
        };
        Driver { luck: Deal::new(seed, phase, 0, 0, seats), choice, temper, decided: 0 }
    }

    /// The next word of a source of luck.
    pub fn word(&mut self, source: Source) -> u64 {
        self.luck.word(source)
    }

    /// What `seat` does, alone or at a simultaneous node.
    pub fn choose<G: Heuristics>(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
        alone: bool,
        buffer: &mut Vec<G::Action>,
    ) -> Choice<G::Action> {
        self.decided += 1;
        let picked = match self.temper {
            Temper::Stubborn { order, patience } if self.decided < patience && self.choice.below(8) > 0 => {
                game.actions(state, seat, buffer);
                buffer.iter().copied().max_by_key(|action| quick_key(&(order, action)))
            }
            Temper::Eager if alone && self.decided < PATIENCE && self.choice.below(4) > 0 => {
                game.actions(state, seat, buffer);
                let worth = |action: &G::Action| {
                    let mut after = state.clone();
                    let mut values = [0.0; crate::game::MAX_SEATS];
                    game.apply(&mut after, *action);
                    game.value(&after, &mut values[..game.seats()]);
                    values[seat.index()]
                };
                buffer
                    .iter()
                    .copied()
                    .map(|action| (worth(&action), action))
                    .max_by(|a, b| a.0.total_cmp(&b.0))
                    .map(|best| best.1)
            }
            _ => None,
        };
        match picked {
            Some(action) => Choice { action, random: false },
            None => {
                let action = game.random_action(state, seat, &mut self.choice, buffer);
                Choice { action, random: true }
            }
        }
    }
}

/// A hash that costs little, for states and actions of one process: multiply and rotate.
pub(super) fn quick_key<T: Hash>(value: &T) -> u64 {
    let mut hasher = QuickHasher(0);
    value.hash(&mut hasher);
    hasher.finish()
}

struct QuickHasher(u64);

impl Hasher for QuickHasher {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }
    fn write_u8(&mut self, i: u8) {
        self.write_u64(i as u64);
    }
    fn write_u16(&mut self, i: u16) {
        self.write_u64(i as u64);
    }
    fn write_u32(&mut self, i: u32) {
        self.write_u64(i as u64);
    }
    fn write_u64(&mut self, i: u64) {
        // Odd and without pattern: the fraction of the golden ratio.
        self.0 = (self.0.rotate_left(23) ^ i).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    fn write_usize(&mut self, i: usize) {
        self.write_u64(i as u64);
    }
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }
}
