//! What can be done or happen in *Six-Sided Seas*, and how it is typed.

use std::fmt::{self, Display};
use std::str::FromStr;

use super::ship::{Move, Slot};
use crate::game::{ParseActionError, Seat};

/// One small decision, or a die.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// Roll phase: roll a die. `roll`
    Roll,
    /// Roll phase: go on to the Order phase. `stop`
    Stop,
    /// Overboard: accept it. `accept`
    AcceptOverboard,
    /// Overboard: put a pool die into Evade. `evade 5`
    EvadePlace(u8),
    /// Overboard: no more Evade dice; the turn ends. `evade done`
    EvadeDone,
    /// Jackpot: more coins. `jackpot coin`
    JackpotCoin,
    /// Jackpot: one more die. `jackpot die`
    JackpotDie,
    /// Bump Isle. `bump 5`, or `bump 5 aft` for a die on the ship
    Bump {
        /// Its face now.
        die: u8,
        /// Where it lies on the ship; in the pool if nothing is said.
        on: Option<Slot>,
    },
    /// Lucky Reef. `reef 5`, or `reef 5 aft`
    Reef {
        /// Its face now.
        die: u8,
        /// Where it lies on the ship; in the pool if nothing is said.
        on: Option<Slot>,
    },
    /// Mitosis Cove. `mitosis 5`
    Mitosis(u8),
    /// Noodles. `noodles 5`, or `noodles 5 aft`
    Noodles {
        /// Its face now.
        die: u8,
        /// Where it lies on the ship; in the pool if nothing is said.
        on: Option<Slot>,
    },
    /// Order phase: put a pool die on the ship. `place 5 aft`
    Place {
        /// Where.
        slot: Slot,
        /// Its face.
        die: u8,
    },
    /// Order phase: activate a filled action. `activate fore`
    Activate(Move),
    /// Order phase: take the held die into the pool. `unhold`
    Unhold,
    /// Order phase (S-04): give up a die on the own ship. `remove 5 aft`
    Remove {
        /// Where it lies.
        slot: Slot,
        /// Its face.
        die: u8,
    },
    /// Order phase: end the turn. `end`
    End,
    /// A cannon's target. `target 2`
    Target(Seat),
    /// Send Explorer: the island. `claim 3`
    ClaimIsland(u8),
    /// Main Cannon: the space to block. `block explorer 3`, `block m1 empty`
    BlockSpace {
        /// Where.
        slot: Slot,
        /// The face of the die that leaves; 0 is an empty space.
        die: u8,
    },
    /// Main Cannon (S-16): block nothing. `block none`
    BlockNone,
    /// The defender gives up an Evade die. `discard 5`
    RemoveEvade(u8),
    /// Send Grog: the player. `grog 2`
    GrogTarget(Seat),
    /// Luck: a die shows this. `die 4`
    Die(u8),
}

impl Display for Action {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let on_ship = |out: &mut fmt::Formatter<'_>, word: &str, die: u8, on: Option<Slot>| match on {
            Some(slot) => write!(out, "{word} {die} {slot}"),
            None => write!(out, "{word} {die}"),
        };
        match *self {
            Action::Roll => out.write_str("roll"),
            Action::Stop => out.write_str("stop"),
            Action::AcceptOverboard => out.write_str("accept"),
            Action::EvadePlace(die) => write!(out, "evade {die}"),
            Action::EvadeDone => out.write_str("evade done"),
            Action::JackpotCoin => out.write_str("jackpot coin"),
            Action::JackpotDie => out.write_str("jackpot die"),
            Action::Bump { die, on } => on_ship(out, "bump", die, on),
            Action::Reef { die, on } => on_ship(out, "reef", die, on),
            Action::Mitosis(die) => write!(out, "mitosis {die}"),
            Action::Noodles { die, on } => on_ship(out, "noodles", die, on),
            Action::Place { slot, die } => write!(out, "place {die} {slot}"),
            Action::Activate(action) => write!(out, "activate {action}"),
            Action::Unhold => out.write_str("unhold"),
            Action::Remove { slot, die } => write!(out, "remove {die} {slot}"),
            Action::End => out.write_str("end"),
            Action::Target(seat) => write!(out, "target {seat}"),
            Action::ClaimIsland(island) => write!(out, "claim {island}"),
            Action::BlockSpace { slot, die: 0 } => write!(out, "block {slot} empty"),
            Action::BlockSpace { slot, die } => write!(out, "block {slot} {die}"),
            Action::BlockNone => out.write_str("block none"),
            Action::RemoveEvade(die) => write!(out, "discard {die}"),
            Action::GrogTarget(seat) => write!(out, "grog {seat}"),
            Action::Die(face) => write!(out, "die {face}"),
        }
    }
}

const EXPECTED: &str = "roll, stop, accept, evade 5, evade done, jackpot coin, jackpot die, bump 5, reef 5, mitosis 5, \
     noodles 5, place 5 aft, activate fore, unhold, remove 5 aft, end, target 2, claim 3, block explorer 3, \
     block m1 empty, block none, discard 5, grog 2 or die 4";

impl FromStr for Action {
    type Err = ParseActionError;
    fn from_str(text: &str) -> Result<Action, ParseActionError> {
        let fail = || ParseActionError::new(text, EXPECTED);
        let face = |word: &str| match word.parse::<u8>() {
            Ok(face @ 1..=6) => Ok(face),
            _ => Err(fail()),
        };
        let seat = |word: &str| match word.parse::<usize>() {
            Ok(number @ 1..=4) => Ok(Seat::new(number - 1)),
            _ => Err(fail()),
        };
        let slot = |word: &str| word.parse::<Slot>().map_err(|_| fail());
        let words: Vec<&str> = text.split_whitespace().collect();
        Ok(match *words.as_slice() {
            ["roll"] => Action::Roll,
            ["stop"] => Action::Stop,
            ["accept"] => Action::AcceptOverboard,
            ["evade", "done"] => Action::EvadeDone,
            ["evade", die] => Action::EvadePlace(face(die)?),
            ["jackpot", "coin"] => Action::JackpotCoin,
            ["jackpot", "die"] => Action::JackpotDie,
            ["bump", die] => Action::Bump { die: face(die)?, on: None },
            ["bump", die, on] => Action::Bump { die: face(die)?, on: Some(slot(on)?) },
            ["reef", die] => Action::Reef { die: face(die)?, on: None },
            ["reef", die, on] => Action::Reef { die: face(die)?, on: Some(slot(on)?) },
            ["mitosis", die] => Action::Mitosis(face(die)?),
            ["noodles", die] => Action::Noodles { die: face(die)?, on: None },
            ["noodles", die, on] => Action::Noodles { die: face(die)?, on: Some(slot(on)?) },
            ["place", die, on] => Action::Place { slot: slot(on)?, die: face(die)? },
            ["activate", action] => Action::Activate(action.parse().map_err(|_| fail())?),
            ["unhold"] => Action::Unhold,
            ["remove", die, on] => Action::Remove { slot: slot(on)?, die: face(die)? },
            ["end"] => Action::End,
            ["target", who] => Action::Target(seat(who)?),
            ["claim", island] => Action::ClaimIsland(face(island)?),
            ["block", "none"] => Action::BlockNone,
            ["block", on, "empty"] => Action::BlockSpace { slot: slot(on)?, die: 0 },
            ["block", on, die] => Action::BlockSpace { slot: slot(on)?, die: face(die)? },
            ["discard", die] => Action::RemoveEvade(face(die)?),
            ["grog", who] => Action::GrogTarget(seat(who)?),
            ["die", die] => Action::Die(face(die)?),
            _ => return Err(fail()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_every_action_parses_back() {
        let seats = || Seat::all(4);
        let on = || std::iter::once(None).chain(Slot::ALL.into_iter().map(Some));
        let mut all = vec![
            Action::Roll,
            Action::Stop,
            Action::AcceptOverboard,
            Action::EvadeDone,
            Action::JackpotCoin,
            Action::JackpotDie,
            Action::Unhold,
            Action::End,
            Action::BlockNone,
        ];
        all.extend(Move::ALL.map(Action::Activate));
        all.extend(seats().map(Action::Target));
        all.extend(seats().map(Action::GrogTarget));
        for die in 1..=6 {
            all.extend([Action::EvadePlace(die), Action::Mitosis(die), Action::ClaimIsland(die)]);
            all.extend([Action::RemoveEvade(die), Action::Die(die)]);
            all.extend(on().map(|on| Action::Bump { die, on }));
            all.extend(on().map(|on| Action::Reef { die, on }));
            all.extend(on().map(|on| Action::Noodles { die, on }));
        }
        for slot in Slot::ALL {
            all.extend((1..=6).map(|die| Action::Place { slot, die }));
            all.extend((1..=6).map(|die| Action::Remove { slot, die }));
            all.extend((0..=6).map(|die| Action::BlockSpace { slot, die }));
        }
        let count = all.len();
        let mut texts = std::collections::BTreeSet::new();
        for action in all {
            let text = action.to_string();
            assert_eq!(text.parse::<Action>(), Ok(action), "{text}");
            assert_eq!(text, text.to_lowercase());
            texts.insert(text);
        }
        assert_eq!(texts.len(), count);
    }

    #[test]
    fn nonsense_is_refused_in_one_line() {
        for text in
            ["", "place 7 aft", "place 5", "target 0", "target 5", "block 3", "die x", "claim 0", "roll 3"]
        {
            let error = text.parse::<Action>().unwrap_err();
            assert!(!error.to_string().contains('\n'), "{error}");
        }
    }
}
