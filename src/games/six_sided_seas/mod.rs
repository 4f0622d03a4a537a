//! *Six-Sided Seas*: roll dice one at a time without passing the coin limit, man the ship with them, and
//! win by plunder, by exploration or by sinking all rivals. Two to four players.
//!
//! - [`rules`]: the switches and the rulings S-01 to S-27.
//! - [`state`]: a position, its written form, a builder. On it stand [`dice`] (multisets of faces),
//!   [`ship`] (spaces, actions, what fits where) and [`action`] (decisions and their text).
//! - [`engine`]: the rules in motion, helped by `options` (legal actions), `turns` (how turns begin and
//!   end, rolls, islands) and `effects` (what activated actions do).
//! - `heuristics` (the structure of a turn, for searchers) and `value` (how good a position looks).
//! - `narrate`: the game in words and boards.

pub mod action;
pub mod dice;
mod effects;
pub mod engine;
mod heuristics;
mod narrate;
mod options;
pub mod rules;
pub mod ship;
pub mod state;
mod turns;
mod value;

pub use action::Action;
pub use dice::Dice;
pub use engine::SixSidedSeas;
pub use rules::Rules;
pub use ship::{Move, Slot};
pub use state::{Ending, Pending, Phase, PositionError, State, StateBuilder, Tally};

use std::ops::RangeInclusive;

use crate::games::Catalogued;
use crate::games::switches::{RuleError, Ruling, Switch};

impl Catalogued for SixSidedSeas {
    type Rules = Rules;
    const NAME: &'static str = "six-sided-seas";
    const SUMMARY: &'static str =
        "push your luck for a crew of dice, then plunder, explore or sink your rivals";
    const SEATS: RangeInclusive<usize> = 2..=4;
    const YARDSTICK: bool = false;

    fn switches() -> &'static [Switch] {
        rules::SWITCHES
    }
    fn rulings() -> &'static [Ruling] {
        rules::RULINGS
    }
    fn default_rules(seats: usize) -> Rules {
        Rules::published(seats)
    }
    fn new(rules: Rules, seats: usize) -> Result<SixSidedSeas, RuleError> {
        SixSidedSeas::with_rules(rules, seats)
    }
    fn rules(&self) -> &Rules {
        &self.rules
    }
}
