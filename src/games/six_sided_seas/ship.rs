//! A ship: its spaces ([`Slot`]), its actions ([`Move`]), the dice on it, and which dice fit where.

use std::fmt::{self, Display};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::dice::Dice;
use super::rules::{PlunderDice, Rules};
use crate::game::ParseActionError;

/// A class of interchangeable spaces. The two spaces of the Main Cannon differ; the spaces of every other
/// action do not.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Slot {
    /// Aft Cannon: one 5 or 6.
    Aft,
    /// Fore Cannon: one 3 or 4.
    Fore,
    /// Main Cannon, the space for a 4, 5 or 6.
    M1,
    /// Main Cannon, the space for any die.
    M2,
    /// Send Grog: two dice of 1 to 3.
    Grog,
    /// Send Explorer: three consecutive faces.
    Explorer,
    /// Double Time: two equal even dice.
    DoubleTime,
    /// Plunder: see [`PlunderDice`].
    Plunder,
    /// Hold: any one die.
    Hold,
    /// Evade: up to three different dice.
    Evade,
}

/// How many classes of spaces a ship has.
pub const SLOTS: usize = 10;

impl Slot {
    /// All, in order.
    pub const ALL: [Slot; SLOTS] = [
        Slot::Aft,
        Slot::Fore,
        Slot::M1,
        Slot::M2,
        Slot::Grog,
        Slot::Explorer,
        Slot::DoubleTime,
        Slot::Plunder,
        Slot::Hold,
        Slot::Evade,
    ];

    /// The word that is typed.
    pub const fn name(self) -> &'static str {
        ["aft", "fore", "m1", "m2", "grog", "explorer", "double-time", "plunder", "hold", "evade"]
            [self.index()]
    }

    /// Place in [`Slot::ALL`].
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// How many spaces it has. (Plunder has three where it asks for three dice.)
    #[inline]
    pub fn spaces(self, rules: &Rules) -> u8 {
        match self {
            Slot::Plunder => rules.plunder_spaces(),
            _ => self.most_spaces(),
        }
    }

    /// How many spaces it can have under any rules.
    #[inline]
    pub const fn most_spaces(self) -> u8 {
        [1, 1, 1, 1, 2, 3, 2, 3, 1, 3][self.index()]
    }

    /// The action that it belongs to; Hold and Evade are not activated.
    pub const fn action(self) -> Option<Move> {
        match self {
            Slot::Aft => Some(Move::Aft),
            Slot::Fore => Some(Move::Fore),
            Slot::M1 | Slot::M2 => Some(Move::Main),
            Slot::Grog => Some(Move::Grog),
            Slot::Explorer => Some(Move::Explorer),
            Slot::DoubleTime => Some(Move::DoubleTime),
            Slot::Plunder => Some(Move::Plunder),
            Slot::Hold | Slot::Evade => None,
        }
    }
}

impl Display for Slot {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

impl FromStr for Slot {
    type Err = ParseActionError;
    fn from_str(text: &str) -> Result<Slot, ParseActionError> {
        Slot::ALL.into_iter().find(|slot| slot.name() == text).ok_or_else(|| {
            ParseActionError::new(text, format!("one of {}", Slot::ALL.map(Slot::name).join(", ")))
        })
    }
}

/// An action of the ship that can be activated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Move {
    /// Aft Cannon.
    Aft,
    /// Fore Cannon.
    Fore,
    /// Main Cannon.
    Main,
    /// Send Grog.
    Grog,
    /// Send Explorer.
    Explorer,
    /// Double Time.
    DoubleTime,
    /// Plunder.
    Plunder,
}

impl Move {
    /// All, in order.
    pub const ALL: [Move; 7] =
        [Move::Aft, Move::Fore, Move::Main, Move::Grog, Move::Explorer, Move::DoubleTime, Move::Plunder];

    /// The word that is typed.
    pub const fn name(self) -> &'static str {
        ["aft", "fore", "main", "grog", "explorer", "double-time", "plunder"][self as usize]
    }

    /// Its spaces.
    pub const fn slots(self) -> &'static [Slot] {
        match self {
            Move::Aft => &[Slot::Aft],
            Move::Fore => &[Slot::Fore],
            Move::Main => &[Slot::M1, Slot::M2],
            Move::Grog => &[Slot::Grog],
            Move::Explorer => &[Slot::Explorer],
            Move::DoubleTime => &[Slot::DoubleTime],
            Move::Plunder => &[Slot::Plunder],
        }
    }

    /// The first of them, looked up: [`Move::slots`] branches on the action.
    #[inline]
    const fn slot(self) -> Slot {
        [Slot::Aft, Slot::Fore, Slot::M1, Slot::Grog, Slot::Explorer, Slot::DoubleTime, Slot::Plunder]
            [self as usize]
    }

    /// Whether it shoots.
    #[inline]
    pub const fn is_cannon(self) -> bool {
        matches!(self, Move::Aft | Move::Fore | Move::Main)
    }
}

impl Display for Move {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

impl FromStr for Move {
    type Err = ParseActionError;
    fn from_str(text: &str) -> Result<Move, ParseActionError> {
        Move::ALL.into_iter().find(|action| action.name() == text).ok_or_else(|| {
            ParseActionError::new(text, format!("one of {}", Move::ALL.map(Move::name).join(", ")))
        })
    }
}

/// The dice on one ship, in one word.
///
/// Each slot has a lane of six bits, one for each face that lies there. Only Send Grog, Double Time and
/// Plunder can hold equal dice, and a slot with equal dice holds nothing else; so four more bits say how
/// many dice a lane does not show.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Ship(u64);

/// Bits of a lane.
pub const LANE: u32 = 6;
/// Bit 0 of every lane.
pub const LANES: u64 = 0x0041_0410_4104_1041;
/// All lanes.
const DICE: u64 = (1 << (LANE * SLOTS as u32)) - 1;

/// Where the count of unseen dice of a slot lies, and how many bits it has.
const EXTRA_SHIFT: [u8; SLOTS] = [0, 0, 0, 0, 60, 0, 61, 62, 0, 0];
const EXTRA_MASK: [u8; SLOTS] = [0, 0, 0, 0, 1, 0, 1, 3, 0, 0];

/// The faces of a mask, ascending, and how many: up to three, with as many more of the lowest as stated.
static DICE_OF: [[([u8; 3], i8); 64]; 4] = {
    let (mut table, mut equal) = ([[([0; 3], 0); 64]; 4], 0);
    while equal < 4 {
        let mut mask = 0;
        while mask < 64 {
            let (dice, count) = &mut table[equal][mask];
            let (mut again, mut face) = (equal, 1);
            while face <= 6 && *count < 3 {
                if mask >> (face - 1) & 1 == 1 {
                    dice[*count as usize] = face as u8;
                    *count += 1;
                }
                if *count == 0 || again == 0 {
                    face += 1;
                } else {
                    again -= 1;
                }
            }
            mask += 1;
        }
        equal += 1;
    }
    table
};

/// What an equal die adds to the word, by [`Ship::bit`]: what is placed next waits for this, and one look is sooner
/// there than two.
static EXTRA_OF_BIT: [u64; 64] = {
    let (mut extra, mut bit) = ([0; 64], 0);
    while bit < SLOTS * LANE as usize {
        extra[bit] = 1 << EXTRA_SHIFT[bit / LANE as usize];
        bit += 1;
    }
    extra
};

impl Ship {
    /// All of it in one word.
    #[inline]
    pub(super) const fn word(self) -> u64 {
        self.0
    }

    /// The lanes alone.
    #[inline]
    pub const fn lanes(self) -> u64 {
        self.0 & DICE
    }

    /// The faces in a slot, as a mask: bit f - 1 is face f.
    #[inline]
    pub const fn faces(self, slot: Slot) -> u8 {
        (self.0 >> (LANE * slot as u32)) as u8 & 63
    }

    /// Equal dice in a slot beyond the first.
    #[inline]
    pub const fn extra(self, slot: Slot) -> u8 {
        (self.0 >> EXTRA_SHIFT[slot.index()]) as u8 & EXTRA_MASK[slot.index()]
    }

    /// What [`Fits`] looks a slot up by: faces and unseen dice.
    #[inline]
    pub(super) const fn filling(self, slot: Slot) -> usize {
        (self.faces(slot) | self.extra(slot) << LANE) as usize
    }

    /// How many dice are in a slot.
    #[inline]
    pub const fn count(self, slot: Slot) -> u8 {
        self.faces(slot).count_ones() as u8 + self.extra(slot)
    }

    /// How many dice are on the ship.
    pub const fn len(self) -> u8 {
        let extra = self.extra(Slot::Grog) + self.extra(Slot::DoubleTime) + self.extra(Slot::Plunder);
        self.lanes().count_ones() as u8 + extra
    }

    /// Whether there is no die on it.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The dice in a slot.
    pub fn dice(self, slot: Slot) -> Dice {
        let mask = self.faces(slot);
        let mut dice: Dice = (1..=6).filter(|face| mask >> (face - 1) & 1 == 1).collect();
        (0..self.extra(slot)).for_each(|_| dice.add(mask.trailing_zeros() as u8 + 1));
        dice
    }

    /// The face of the only die in a slot of one space, 0 if it is empty.
    #[inline]
    pub const fn single(self, slot: Slot) -> u8 {
        match self.faces(slot) {
            0 => 0,
            mask => mask.trailing_zeros() as u8 + 1,
        }
    }

    /// The bit of a face in a slot.
    #[inline]
    pub(super) const fn bit(slot: Slot, face: u8) -> usize {
        (LANE * slot as u32 + face as u32 - 1) as usize
    }

    /// Puts a die where it fits.
    #[inline]
    pub const fn add(&mut self, slot: Slot, face: u8) {
        self.add_bit(Ship::bit(slot, face));
    }

    /// [`Ship::add`] by [`Ship::bit`].
    #[inline]
    pub(super) const fn add_bit(&mut self, bit: usize) {
        let again = self.0 >> bit & 1;
        self.0 = (self.0 | 1 << bit) + (again.wrapping_neg() & EXTRA_OF_BIT[bit]);
    }

    /// Takes away a die that is there.
    #[inline]
    pub const fn remove(&mut self, slot: Slot, face: u8) {
        if self.extra(slot) > 0 {
            self.0 -= 1 << EXTRA_SHIFT[slot.index()];
        } else {
            self.0 &= !(1 << (LANE * slot as u32 + face as u32 - 1));
        }
    }

    /// Empties a slot.
    #[inline]
    pub const fn clear(&mut self, slot: Slot) {
        let extra = (EXTRA_MASK[slot.index()] as u64) << EXTRA_SHIFT[slot.index()];
        self.0 &= !(63 << (LANE * slot as u32) | extra);
    }

    /// Empties the spaces of an action that is full: its dice, ascending, and how many they are. One way for all actions,
    /// without a branch on which one it is: a random player's choice cannot be predicted.
    #[inline]
    pub(super) fn take(&mut self, action: Move) -> ([u8; 3], i8) {
        let slot = action.slot();
        // The spaces of the Main Cannon are two slots; two equal dice there are seen in both.
        let second = if action == Move::Main { self.faces(Slot::M2) } else { 0 };
        let equal = self.extra(slot) + (self.faces(slot) == second) as u8;
        let taken = DICE_OF[equal as usize & 3][(self.faces(slot) | second) as usize];
        self.clear(slot);
        self.0 &= !((second as u64) << (LANE * Slot::M2 as u32));
        taken
    }

    /// Fills an empty slot with dice that can lie there together under some rules.
    ///
    /// # Errors
    /// Says in words why they cannot.
    pub fn fill(&mut self, slot: Slot, dice: Dice) -> Result<(), String> {
        let (count, kinds) = (dice.len(), dice.faces().count_ones() as u8);
        let equal_allowed = EXTRA_MASK[slot.index()] > 0;
        if count > slot.most_spaces() {
            return Err(format!("{slot} has no room for {count} dice"));
        }
        if kinds != count && !(equal_allowed && kinds == 1) {
            return Err(format!("{slot} cannot hold {dice} together"));
        }
        dice.iter().for_each(|face| self.add(slot, face));
        Ok(())
    }
}

/// Blocked spaces of one ship: how many of each slot, by owner of the blocking die.
///
/// Sixteen bits an owner; a slot of one space has one bit, the others two. No space is blocked twice, so
/// the four parts add up without carrying from slot to slot.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Blocks(u64);

const BLOCK_SHIFT: [u8; SLOTS] = [0, 1, 2, 3, 5, 7, 9, 11, 4, 13];
const BLOCK_MASK: [u8; SLOTS] = [1, 1, 1, 1, 3, 3, 3, 3, 1, 3];

impl Blocks {
    /// All of it in one word.
    #[inline]
    pub(super) const fn word(self) -> u64 {
        self.0
    }

    /// Whether nothing is blocked.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Blocking dice of one owner (an index) in a slot.
    #[inline]
    pub const fn of(self, owner: usize, slot: Slot) -> u8 {
        (self.0 >> (16 * owner as u32 + BLOCK_SHIFT[slot.index()] as u32)) as u8 & BLOCK_MASK[slot.index()]
    }

    /// Blocked spaces of a slot.
    #[inline]
    pub const fn count(self, slot: Slot) -> u8 {
        let (low, high) = (self.0 + (self.0 >> 16), (self.0 >> 32) + (self.0 >> 48));
        ((low + high) as u16 >> BLOCK_SHIFT[slot.index()]) as u8 & BLOCK_MASK[slot.index()]
    }

    /// Blocking dice of one owner on the whole ship.
    pub fn owned(self, owner: usize) -> u8 {
        Slot::ALL.into_iter().map(|slot| self.of(owner, slot)).sum()
    }

    /// Blocks a free space.
    #[inline]
    pub const fn add(&mut self, owner: usize, slot: Slot) {
        self.0 += 1 << (16 * owner as u32 + BLOCK_SHIFT[slot.index()] as u32);
    }

    /// Lifts all blocks of one owner.
    pub const fn lift(&mut self, owner: usize) {
        self.0 &= !(0xffff << (16 * owner as u32));
    }
}

/// Which dice fit where, under given rules: a die fits if the dice of the action with it are part of a
/// complete filling.
#[derive(Clone, Debug)]
pub struct Fits {
    /// For each slot, by faces and unseen dice: a mask of the faces that may be added; bit 6 says that the
    /// slot is full (and the action can be activated).
    table: [[u8; 256]; SLOTS],
    /// The same for [`MANY`] by faces alone, in place: lanes of a [`Ship`], and above them a bit for each full action.
    lanes: [[u64; 64]; MANY.len()],
    /// What equal dice change in these, by all four bits of unseen dice at once (one look instead of a longer index
    /// for each slot): what stays, and what is full.
    unseen: [(u64, u64); 16],
    spaces: [u8; SLOTS],
}

/// The slot holds a complete filling.
const FULL: u8 = 64;
/// Slots of several spaces. All but Evade are actions; these are numbered alike in [`Move`] and here.
const MANY: [Slot; 5] = [Slot::Grog, Slot::Explorer, Slot::DoubleTime, Slot::Plunder, Slot::Evade];
/// Bit 0 of the lanes of slots of one space, which hold no more than one bit.
const SINGLE: u64 = LANES & ((1 << (LANE * 4)) - 1) | 1 << (LANE * Slot::Hold as u32);
/// Those of them that are actions, as far as one bit an action.
const SINGLE_ACTIONS: u64 = LANES & ((1 << (LANE * 3)) - 1);
/// Moves bits 5, 11 and 17 to 15, 16 and 17.
const GATHER: u64 = 1 << 10 | 1 << 5 | 1;
/// What fits into them when they are empty.
const SINGLE_OPEN: u64 = 0b11_0000
    | 0b00_1100 << LANE
    | 0b11_1000 << (LANE * Slot::M1 as u32)
    | 63 << (LANE * Slot::M2 as u32)
    | 63 << (LANE * Slot::Hold as u32);

/// Every complete filling of a slot.
fn fillings(slot: Slot, rules: &Rules) -> Vec<Vec<u8>> {
    let singles = |low: u8, high: u8| (low..=high).map(|face| vec![face]).collect();
    let pairs = |good: &dyn Fn(u8, u8) -> bool| -> Vec<Vec<u8>> {
        let all = (1..=6).flat_map(|low| (low..=6).map(move |high| (low, high)));
        all.filter(|&(low, high)| good(low, high)).map(|(low, high)| vec![low, high]).collect()
    };
    match slot {
        Slot::Aft => singles(5, 6),
        Slot::Fore => singles(3, 4),
        Slot::M1 => singles(4, 6),
        Slot::M2 | Slot::Hold => singles(1, 6),
        Slot::Grog => pairs(&|_, high| high <= 3),
        Slot::Explorer => (1..=4).map(|low| vec![low, low + 1, low + 2]).collect(),
        Slot::DoubleTime => pairs(&|low, high| low == high && low % 2 == 0),
        Slot::Plunder => match rules.plunder_requirement {
            PlunderDice::PairEqualOdd => pairs(&|low, high| low == high && low % 2 == 1),
            PlunderDice::PairEqualAny => pairs(&|low, high| low == high),
            PlunderDice::PairSum7 => pairs(&|low, high| low + high == 7),
            PlunderDice::TwoOf12 => pairs(&|_, high| high <= 2),
            PlunderDice::TwoOf56 => pairs(&|low, _| low >= 5),
            PlunderDice::PairSumGe9 => pairs(&|low, high| low + high >= 9),
            PlunderDice::TripleEqual => (1..=6).map(|face| vec![face; 3]).collect(),
        },
        Slot::Evade => {
            let triples = (0..64u8).filter(|mask| mask.count_ones() == 3);
            triples.map(|mask| (1..=6).filter(|face| mask >> (face - 1) & 1 == 1).collect()).collect()
        }
    }
}

/// Whether all of `part` is in `whole`.
fn within(part: Dice, whole: Dice) -> bool {
    (1..=6).all(|face| part.count(face) <= whole.count(face))
}

impl Fits {
    /// The tables of a set of rules.
    pub fn new(rules: &Rules) -> Fits {
        let mut table = [[0; 256]; SLOTS];
        for slot in Slot::ALL {
            let complete: Vec<Dice> = fillings(slot, rules).iter().map(|faces| Dice::of(faces)).collect();
            // Every filling that can be reached from the empty slot.
            let mut open = vec![Ship::default()];
            while let Some(ship) = open.pop() {
                let held = ship.dice(slot);
                let mut entry = if complete.contains(&held) { FULL } else { 0 };
                for face in 1..=6 {
                    let mut more = held;
                    more.add(face);
                    if complete.iter().any(|&filling| within(more, filling)) {
                        entry |= 1 << (face - 1);
                        let mut next = ship;
                        next.add(slot, face);
                        open.push(next);
                    }
                }
                table[slot.index()][ship.filling(slot)] = entry;
            }
        }
        let full_bit = |at: usize| 1u64 << (LANE as usize * SLOTS + at);
        let mut lanes = [[0; 64]; MANY.len()];
        // Equal dice fill a slot, or leave it as open as the first of them did.
        let mut unseen = [(u64::MAX, 0); 16];
        for (at, (lanes, slot)) in lanes.iter_mut().zip(MANY).enumerate() {
            let entries = &table[slot.index()];
            for (lane, &entry) in lanes.iter_mut().zip(entries) {
                *lane = ((entry & 63) as u64) << (LANE * slot as u32);
                if entry & FULL != 0 && slot != Slot::Evade {
                    *lane |= full_bit(at);
                }
            }
            for (bits, (stays, full)) in unseen.iter_mut().enumerate() {
                let extra = Ship((bits as u64) << (LANE * SLOTS as u32)).extra(slot) as usize;
                if extra > 0 && (0..6).any(|face| entries[1 << face | extra << LANE] & FULL != 0) {
                    *stays &= !(63 << (LANE * slot as u32));
                    *full |= full_bit(at);
                }
            }
        }
        Fits { table, lanes, unseen, spaces: Slot::ALL.map(|slot| slot.spaces(rules)) }
    }

    /// How many spaces a slot has.
    #[inline]
    pub const fn spaces(&self, slot: Slot) -> u8 {
        self.spaces[slot.index()]
    }

    /// The faces that may be put into a slot as if nothing were blocked: bit f - 1 is face f.
    #[inline]
    pub const fn faces(&self, ship: Ship, slot: Slot) -> u8 {
        self.table[slot.index()][ship.filling(slot)] & 63
    }

    /// Whether a slot holds a complete filling.
    #[inline]
    pub const fn full(&self, ship: Ship, slot: Slot) -> bool {
        self.table[slot.index()][ship.filling(slot)] & FULL != 0
    }

    /// Whether dice may lie in a slot under these rules.
    pub fn possible(&self, slot: Slot, dice: Dice) -> bool {
        let mut ship = Ship::default();
        dice.iter().all(|face| {
            let fits = self.faces(ship, slot) >> (face - 1) & 1 == 1;
            if fits {
                ship.add(slot, face);
            }
            fits
        })
    }

    /// What the tables of [`MANY`] say together: open lanes, and the bits of full actions above.
    #[inline(always)]
    fn many(&self, ship: Ship) -> u64 {
        let [grog, explorer, double_time, plunder, evade] =
            std::array::from_fn(|at| self.lanes[at][ship.faces(MANY[at]) as usize]);
        let (stays, equal) = self.unseen[(ship.0 >> (LANE * SLOTS as u32)) as usize];
        (grog | double_time | plunder) & stays | equal | (explorer | evade)
    }

    /// The slots of one space that are taken, by the top bit of their lanes.
    #[inline(always)]
    fn taken(ship: Ship) -> u64 {
        // A lane of one space holds at most one bit: adding 31 sets its top bit exactly when it is taken.
        ((ship.0 & (SINGLE * 63)) + SINGLE * 31) & (SINGLE * 32)
    }

    /// All faces that may be placed, in the lanes of a [`Ship`]; bits above the lanes say nothing.
    #[inline(always)]
    pub fn open(&self, ship: Ship, blocks: Blocks) -> u64 {
        let taken = Fits::taken(ship);
        let mut open = self.many(ship) | SINGLE_OPEN & !((taken << 1) - (taken >> 5));
        if !blocks.is_empty() {
            for slot in Slot::ALL {
                if ship.count(slot) + blocks.count(slot) >= self.spaces(slot) {
                    open &= !(63 << (LANE * slot as u32));
                }
            }
        }
        open
    }

    /// The actions that are full, as a mask by [`Move`].
    #[inline(always)]
    pub fn full_actions(&self, ship: Ship) -> u8 {
        // The Main Cannon is full where both its spaces are; a product brings the three bits together.
        let taken = Fits::taken(ship);
        let filled = taken & (taken >> LANE | !(1 << (LANE * Slot::M1 as u32 + 5)));
        let singles = ((filled & (SINGLE_ACTIONS * 32)) * GATHER) >> 15 & 7;
        (singles | self.many(ship) >> (LANE * SLOTS as u32) << Move::Grog as u32) as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(slot: Slot, held: &[u8], rules: &Rules) -> Vec<u8> {
        let mut ship = Ship::default();
        ship.fill(slot, Dice::of(held)).unwrap();
        let mask = Fits::new(rules).faces(ship, slot);
        (1..=6).filter(|face| mask >> (face - 1) & 1 == 1).collect()
    }

    #[test]
    fn an_explorer_takes_what_can_still_become_three_in_a_row() {
        let rules = Rules::published(2);
        assert_eq!(fits(Slot::Explorer, &[2, 4], &rules), [3]);
        assert_eq!(fits(Slot::Explorer, &[3], &rules), [1, 2, 4, 5]);
        assert_eq!(fits(Slot::Explorer, &[1, 2, 3], &rules), [] as [u8; 0]);
    }

    #[test]
    fn plunder_follows_its_reading() {
        let mut rules = Rules::published(2);
        assert_eq!(fits(Slot::Plunder, &[3], &rules), [3]);
        assert_eq!(fits(Slot::Plunder, &[], &rules), [1, 3, 5]);
        rules.plunder_requirement = PlunderDice::PairSum7;
        assert_eq!(fits(Slot::Plunder, &[3], &rules), [4]);
        rules.plunder_requirement = PlunderDice::TripleEqual;
        assert_eq!(fits(Slot::Plunder, &[3, 3], &rules), [3]);
        rules.plunder_requirement = PlunderDice::PairSumGe9;
        assert_eq!(fits(Slot::Plunder, &[4], &rules), [5, 6]);
        assert_eq!(fits(Slot::Plunder, &[], &rules), [3, 4, 5, 6]);
        rules.plunder_requirement = PlunderDice::TwoOf12;
        assert_eq!(fits(Slot::Plunder, &[2], &rules), [1, 2]);
    }

    /// Calls `look` with many ships that play can build, under each reading of Plunder.
    fn ships(mut look: impl FnMut(&Fits, Ship)) {
        let mut stream = crate::streams::Stream::from_seed(1);
        for reading in [
            PlunderDice::PairEqualOdd,
            PlunderDice::PairEqualAny,
            PlunderDice::PairSum7,
            PlunderDice::TwoOf12,
            PlunderDice::TwoOf56,
            PlunderDice::PairSumGe9,
            PlunderDice::TripleEqual,
        ] {
            let mut rules = Rules::published(2);
            rules.plunder_requirement = reading;
            let fits = Fits::new(&rules);
            for _ in 0..1000 {
                let mut ship = Ship::default();
                for _ in 0..stream.below(60) {
                    let slot = Slot::ALL[stream.below(SLOTS)];
                    let mask = fits.faces(ship, slot);
                    let face = stream.below(6) as u8 + 1;
                    if mask >> (face - 1) & 1 == 1 {
                        ship.add(slot, face);
                    }
                }
                look(&fits, ship);
            }
        }
    }

    /// The packed tables against the plain ones.
    #[test]
    fn all_slots_at_once_are_the_slots_one_by_one() {
        ships(|fits, ship| {
            let (open, full) = (fits.open(ship, Blocks::default()), fits.full_actions(ship));
            for slot in Slot::ALL {
                assert_eq!(
                    (open >> (LANE * slot as u32)) as u8 & 63,
                    fits.faces(ship, slot),
                    "{slot} {ship:?}"
                );
            }
            for action in Move::ALL {
                let ready = action.slots().iter().all(|&slot| fits.full(ship, slot));
                assert_eq!(full >> action as u8 & 1 == 1, ready, "{action} {ship:?}");
            }
        });
    }

    #[test]
    fn what_is_taken_from_a_full_action_is_what_lay_there() {
        let mut seen = [0; Move::ALL.len()];
        ships(|fits, ship| {
            for action in Move::ALL {
                assert_eq!(action.slot(), action.slots()[0]);
                if fits.full_actions(ship) >> action as u8 & 1 == 0 {
                    continue;
                }
                let mut lying: Vec<u8> =
                    action.slots().iter().flat_map(|&slot| ship.dice(slot).iter()).collect();
                lying.sort_unstable();
                let mut rest = ship;
                let (dice, count) = rest.take(action);
                assert_eq!(&dice[..count as usize], lying, "{action} {ship:?}");
                assert_eq!(dice[count as usize..], [0; 3][count as usize..]);
                let mut cleared = ship;
                action.slots().iter().for_each(|&slot| cleared.clear(slot));
                assert_eq!(rest, cleared, "{action} {ship:?}");
                seen[action as usize] += 1;
            }
        });
        assert!(seen.iter().all(|&count| count > 100), "{seen:?}");
    }

    #[test]
    fn a_ship_gives_back_what_was_put_on_it() {
        let mut ship = Ship::default();
        for (slot, faces) in [
            (Slot::Aft, &[5][..]),
            (Slot::M2, &[1]),
            (Slot::Grog, &[2, 2]),
            (Slot::Explorer, &[3, 4, 5]),
            (Slot::DoubleTime, &[6, 6]),
            (Slot::Plunder, &[1, 1, 1]),
            (Slot::Evade, &[1, 6]),
        ] {
            ship.fill(slot, Dice::of(faces)).unwrap();
            assert_eq!(ship.dice(slot), Dice::of(faces));
            assert_eq!(ship.count(slot) as usize, faces.len());
        }
        assert_eq!(ship.len(), 14);
        ship.remove(Slot::Plunder, 1);
        assert_eq!(ship.dice(Slot::Plunder), Dice::of(&[1, 1]));
        ship.clear(Slot::DoubleTime);
        ship.clear(Slot::Grog);
        assert_eq!(ship.len(), 9);
        assert!(ship.fill(Slot::Evade, Dice::of(&[2, 2])).is_err());
        assert!(ship.fill(Slot::Hold, Dice::of(&[2, 3])).is_err());
    }

    #[test]
    fn blocks_are_counted_by_owner_and_together() {
        let mut blocks = Blocks::default();
        blocks.add(1, Slot::Explorer);
        blocks.add(2, Slot::Explorer);
        blocks.add(3, Slot::Explorer);
        blocks.add(1, Slot::Hold);
        assert_eq!(
            (blocks.count(Slot::Explorer), blocks.count(Slot::Hold), blocks.count(Slot::Evade)),
            (3, 1, 0)
        );
        assert_eq!((blocks.of(1, Slot::Explorer), blocks.owned(1)), (1, 2));
        blocks.lift(1);
        assert_eq!((blocks.count(Slot::Explorer), blocks.count(Slot::Hold)), (2, 0));
    }
}
