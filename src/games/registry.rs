//! Name to game: the one place where a game is added.
//!
//! Types are erased here, once per match: a game is named by plain data ([`Setup`]), and whoever wants to
//! work on it hands in a [`Visitor`], which is called with the game's own type.

use std::ops::RangeInclusive;

use toml::{Table, Value};

use super::Catalogued;
use super::switches::{self, RuleError, Ruling, Switch, closest};
use crate::streams::Stream;

/// Which match: a game, a number of seats, the switches that differ from the default.
#[derive(Clone, PartialEq, Debug)]
pub struct Setup {
    /// Name in the registry.
    pub game: String,
    /// Number of seats.
    pub seats: usize,
    /// Switches that are set.
    pub rules: Table,
}

/// Work to be done on a game of any type.
pub trait Visitor {
    /// What the work gives.
    type Output;
    /// Does it.
    fn visit<G: Catalogued>(self, game: G) -> Self::Output;
}

/// A match that could not be set up.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum SetupError {
    /// No game of that name.
    #[error("there is no game `{name}`{}; `dhow games` lists them",
        near.as_ref().map(|near| format!(" (did you mean `{near}`?)")).unwrap_or_default())]
    Game {
        /// What was asked.
        name: String,
        /// The nearest name.
        near: Option<String>,
    },
    /// Its rules were refused.
    #[error(transparent)]
    Rules(#[from] RuleError),
}

/// What is known of a game without setting it up.
#[derive(Clone, Copy)]
pub struct Entry {
    /// [`Catalogued::NAME`]
    pub name: &'static str,
    /// [`Catalogued::SUMMARY`]
    pub summary: &'static str,
    lowest: usize,
    highest: usize,
    /// [`Catalogued::YARDSTICK`]
    pub yardstick: bool,
    /// [`Catalogued::switches`]
    pub switches: fn() -> &'static [Switch],
    /// [`Catalogued::rulings`]
    pub rulings: fn() -> &'static [Ruling],
    /// [`switches::parse_value`]
    pub parse_value: fn(&str, &str) -> Result<Value, RuleError>,
    /// [`switches::random_overrides`]
    pub random_overrides: fn(usize, &mut Stream) -> Table,
    defaults: fn(usize) -> Table,
}

impl Entry {
    const fn of<G: Catalogued>() -> Entry {
        Entry {
            name: G::NAME,
            summary: G::SUMMARY,
            lowest: *G::SEATS.start(),
            highest: *G::SEATS.end(),
            yardstick: G::YARDSTICK,
            switches: G::switches,
            rulings: G::rulings,
            parse_value: switches::parse_value::<G>,
            random_overrides: switches::random_overrides::<G>,
            defaults: |seats| switches::table_of(&G::default_rules(seats)),
        }
    }

    /// The possible numbers of seats.
    pub fn seats(&self) -> RangeInclusive<usize> {
        self.lowest..=self.highest
    }

    /// All switches with their defaults for a number of seats.
    pub fn defaults(&self, seats: usize) -> Table {
        (self.defaults)(seats)
    }
}

macro_rules! catalogue {
    ($($game:ty),+ $(,)?) => {
        /// Every game, published ones first.
        pub static ENTRIES: &[Entry] = &[$(Entry::of::<$game>()),+];

        /// Sets a match up and lets `visitor` work on it.
        ///
        /// # Errors
        /// [`SetupError`] if there is no such game or its rules are refused.
        pub fn visit<V: Visitor>(setup: &Setup, visitor: V) -> Result<V::Output, SetupError> {
            $(if setup.game == <$game>::NAME {
                let game = switches::build::<$game>(&setup.rules, setup.seats)?;
                return Ok(visitor.visit(game));
            })+
            Err(unknown(&setup.game))
        }

        /// Sets the match of a record up from the record alone: `data` is what its switches loaded, if
        /// they did.
        ///
        /// # Errors
        /// [`SetupError`] if there is no such game, or its rules or the data are refused.
        pub fn restore<V: Visitor>(
            setup: &Setup,
            data: Option<&serde_json::Value>,
            visitor: V,
        ) -> Result<V::Output, SetupError> {
            $(if setup.game == <$game>::NAME {
                let game = switches::restore::<$game>(&setup.rules, setup.seats, data)?;
                return Ok(visitor.visit(game));
            })+
            Err(unknown(&setup.game))
        }
    };
}

catalogue![
    super::six_sided_seas::SixSidedSeas,
    super::sultans_of_wind::SultansOfWind,
    super::alhambra::Alhambra,
    super::yardsticks::tic_tac_toe::TicTacToe,
    super::yardsticks::pig::Pig,
    super::yardsticks::kuhn_poker::KuhnPoker,
    super::yardsticks::rock_paper_scissors::RockPaperScissors,
    super::yardsticks::piglet::Piglet,
    super::yardsticks::seas_race::SeasRace,
    super::yardsticks::connect_four::ConnectFour,
    super::yardsticks::goofspiel::Goofspiel,
    super::yardsticks::tree::Tree,
];

fn unknown(name: &str) -> SetupError {
    let near = closest(name, ENTRIES.iter().map(|entry| entry.name));
    SetupError::Game { name: name.to_owned(), near }
}

/// The entry of a name.
///
/// # Errors
/// [`SetupError::Game`] with the nearest name.
pub fn entry(name: &str) -> Result<&'static Entry, SetupError> {
    ENTRIES.iter().find(|entry| entry.name == name).ok_or_else(|| unknown(name))
}
