//! The games, one folder each, with the same file names inside. Nothing outside this folder knows a rule.
//!
//! A game is added by implementing [`Catalogued`] and naming its type once in [`registry`].

pub mod alhambra;
pub mod registry;
pub mod six_sided_seas;
pub mod sultans_of_wind;
pub mod switches;
pub mod yardsticks;

use std::fmt::Debug;
use std::ops::RangeInclusive;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::game::{Game, Heuristics, Narrate};
use switches::{RuleError, Ruling, Switch};

/// A game that stands in the registry: playable, told in words, with its rule switches.
pub trait Catalogued: Game + Heuristics + Narrate + Sized {
    /// The switches as fields: serde, unknown fields refused.
    type Rules: Clone + PartialEq + Debug + Serialize + DeserializeOwned + Send + Sync;

    /// The name people type.
    const NAME: &'static str;
    /// One line.
    const SUMMARY: &'static str;
    /// How many can play.
    const SEATS: RangeInclusive<usize>;
    /// Whether it is a small game with known answers rather than a published one under study.
    const YARDSTICK: bool;

    /// Every switch, in the order in which `dhow games NAME` prints them.
    fn switches() -> &'static [Switch];

    /// Every open question of the rulebook and how it was decided.
    fn rulings() -> &'static [Ruling] {
        &[]
    }

    /// The published game, as ruled, for a number of seats.
    fn default_rules(seats: usize) -> Self::Rules;

    /// A match. `seats` lies in [`Catalogued::SEATS`].
    ///
    /// # Errors
    /// [`RuleError`] where switches do not go together.
    fn new(rules: Self::Rules, seats: usize) -> Result<Self, RuleError>;

    /// The switches of this match.
    fn rules(&self) -> &Self::Rules;

    /// Data that a switch loaded from elsewhere and that a record must hold to be complete.
    fn loaded_data(&self) -> Option<serde_json::Value> {
        None
    }

    /// The match of a record that holds [`Catalogued::loaded_data`], if there is any. A game whose switches
    /// can name a file overrides it: `data` then takes the place of the file, so that a record needs nothing
    /// beside it.
    ///
    /// # Errors
    /// [`RuleError`] where `data` is missing, not as it should be, or not what the rules load.
    fn restore(
        rules: Self::Rules,
        seats: usize,
        data: Option<&serde_json::Value>,
    ) -> Result<Self, RuleError> {
        let game = Self::new(rules, seats)?;
        match (game.loaded_data(), data) {
            (None, None) => Ok(game),
            (Some(loaded), Some(data)) if loaded == *data => Ok(game),
            (Some(_), _) => Err(RuleError::Conflict("the data is not what the rules load".into())),
            (None, Some(_)) => {
                Err(RuleError::Conflict(format!("{} loads no data from elsewhere", Self::NAME)))
            }
        }
    }
}
