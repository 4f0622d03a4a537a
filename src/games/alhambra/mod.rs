//! Alhambra with the Power of the Sultan (Queen Games, 2003 and 2008): two to six players buy buildings in
//! four currencies and lay them out around a fountain; majorities of each type and the longest wall score
//! three times. Two players are joined by Dirk, who only owns tiles.
//!
//! [`rules`] holds every switch and every ruling, [`state`] what a position is made of, [`engine`] what may
//! happen; [`map`], [`money`], [`market`], [`sultan`] and [`scoring`] are its parts, a field of the rules
//! each.

mod drawing;
pub mod engine;
pub mod heuristics;
pub mod map;
pub mod market;
pub mod money;
pub mod narrate;
mod numbered;
pub mod outline;
pub mod patch;
pub mod random;
pub mod rules;
pub mod scoring;
pub mod state;
pub mod sultan;
pub mod tiles;

use std::ops::RangeInclusive;

use crate::games::Catalogued;
use crate::games::switches::{RuleError, Ruling, Switch};
use rules::Rules;

/// The rules of one match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Alhambra {
    rules: Rules,
    seats: usize,
}

impl Catalogued for Alhambra {
    type Rules = Rules;
    const NAME: &'static str = "alhambra";
    const SUMMARY: &'static str =
        "buildings for exact money, majorities and long walls, with the Power of the Sultan";
    const SEATS: RangeInclusive<usize> = 2..=6;
    const YARDSTICK: bool = false;

    fn switches() -> &'static [Switch] {
        rules::SWITCHES
    }
    fn rulings() -> &'static [Ruling] {
        rules::RULINGS
    }
    fn default_rules(_seats: usize) -> Rules {
        Rules::default()
    }
    fn new(rules: Rules, seats: usize) -> Result<Alhambra, RuleError> {
        if !Alhambra::SEATS.contains(&seats) {
            return Err(RuleError::Seats { game: Alhambra::NAME, seats, expected: "2 to 6".into() });
        }
        rules.validate()?;
        Ok(Alhambra { rules, seats })
    }
    fn rules(&self) -> &Rules {
        &self.rules
    }
}
