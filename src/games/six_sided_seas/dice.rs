//! A multiset of dice faces in one word: pools, and dice as they are shown.

use std::fmt::{self, Display};

use serde::{Deserialize, Serialize};

/// Faces 1 to 6 with their counts (at most 127 each); serialised as the sorted list of faces.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(into = "Vec<u8>", try_from = "Vec<u8>")]
pub struct Dice(u64);

/// Bit 0 of each of the six eight-bit lanes; lane f - 1 counts face f.
const ONES: u64 = 0x0000_0101_0101_0101;

impl Dice {
    /// No dice.
    pub const NONE: Dice = Dice(0);

    /// All of them in one word.
    #[inline]
    pub(super) const fn word(self) -> u64 {
        self.0
    }

    /// Dice with these faces (each 1 to 6).
    pub fn of(faces: &[u8]) -> Dice {
        let mut dice = Dice::NONE;
        faces.iter().for_each(|&face| dice.add(face));
        dice
    }

    /// How many show `face` (1 to 6).
    #[inline]
    pub const fn count(self, face: u8) -> u8 {
        (self.0 >> (8 * (face - 1))) as u8
    }

    /// How many there are.
    #[inline]
    pub const fn len(self) -> u8 {
        (self.0.wrapping_mul(0x0101_0101_0101_0101) >> 56) as u8
    }

    /// Whether there are none.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The sum of the faces (below 256).
    #[inline]
    pub const fn total(self) -> u8 {
        // Lane k of the multiplier meets lane 7 - k in the top byte: face f has lane f - 1 and weight f.
        (self.0.wrapping_mul(0x0102_0304_0506_0000) >> 56) as u8
    }

    /// The faces that are there, as a mask: bit f - 1 is face f.
    #[inline]
    pub const fn faces(self) -> u8 {
        // No lane passes 127, so adding 127 carries into the lane's top bit exactly when it is not 0.
        let some = ((self.0 + ONES * 0x7f) >> 7) & ONES;
        (some.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
    }

    /// Puts a die in.
    #[inline]
    pub const fn add(&mut self, face: u8) {
        self.0 += 1 << (8 * (face - 1));
    }

    /// Takes a die out, which must be there.
    #[inline]
    pub const fn remove(&mut self, face: u8) {
        debug_assert!(self.count(face) > 0);
        self.0 -= 1 << (8 * (face - 1));
    }

    /// Each die's face, ascending.
    pub fn iter(self) -> impl Iterator<Item = u8> {
        (1..=6).flat_map(move |face| std::iter::repeat_n(face, self.count(face) as usize))
    }
}

impl FromIterator<u8> for Dice {
    fn from_iter<I: IntoIterator<Item = u8>>(faces: I) -> Dice {
        let mut dice = Dice::NONE;
        faces.into_iter().for_each(|face| dice.add(face));
        dice
    }
}

impl From<Dice> for Vec<u8> {
    fn from(dice: Dice) -> Vec<u8> {
        dice.iter().collect()
    }
}

impl TryFrom<Vec<u8>> for Dice {
    type Error = String;
    fn try_from(faces: Vec<u8>) -> Result<Dice, String> {
        if faces.len() > 127 {
            return Err("a pool holds at most 127 dice".into());
        }
        match faces.iter().find(|face| !(1..=6).contains(*face)) {
            Some(face) => Err(format!("a die shows 1 to 6, not {face}")),
            None => Ok(Dice::of(&faces)),
        }
    }
}

/// `4 5 5`, or `-` for none.
impl Display for Dice {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return out.write_str("-");
        }
        for (at, face) in self.iter().enumerate() {
            write!(out, "{}{face}", if at > 0 { " " } else { "" })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn packed_sums_are_those_of_the_list(faces in proptest::collection::vec(1u8..=6, 0..40)) {
            let dice = Dice::of(&faces);
            let mut sorted = faces.clone();
            sorted.sort_unstable();
            prop_assert_eq!(dice.iter().collect::<Vec<_>>(), sorted);
            prop_assert_eq!(dice.len() as usize, faces.len());
            prop_assert_eq!(dice.total(), faces.iter().sum::<u8>());
            let mask = faces.iter().fold(0, |mask, face| mask | 1 << (face - 1));
            prop_assert_eq!(dice.faces(), mask);
        }
    }
}
