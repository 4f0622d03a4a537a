//! A battery of properties that every game passes: as tests, and as a fuzzer on any switches.
//!
//! [`check`] plays whole games from seeds and holds every state on the way to the list in [`Property`]. It
//! knows no rule: rules are tested by vectors, exact values and [`perft`] counts beside each game.
//!
//! ```
//! use dhow::battery::{Options, check};
//! use dhow::games::Catalogued;
//! use dhow::games::yardsticks::pig::Pig;
//!
//! let game = Pig::new(Pig::default_rules(2), 2)?;
//! let report = check(&game, &Options { games: 5, seed: 1 }).expect("Pig is sound");
//! assert_eq!(report.games, 5);
//! # Ok::<(), dhow::games::switches::RuleError>(())
//! ```

mod by_name;
pub mod chi_squared;
mod drive;
mod fairness;
mod hidden;
mod inspector;
pub mod perft;
mod position;
mod property;

use std::fmt::{self, Display};
use std::panic::{AssertUnwindSafe, catch_unwind};

pub use by_name::{Checked, check_by_name};
pub use property::Property;

use crate::games::Catalogued;
use crate::games::switches;
use fairness::{Counted, Fairness};
use inspector::{Inspector, Shared, gather};

/// How much to check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Number of games, all with the rules of the match that is given.
    pub games: u64,
    /// Game i is played from seed + i, and from nothing else.
    pub seed: u64,
}

/// What was checked, when nothing broke.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// Games played (each twice).
    pub games: u64,
    /// Events: decisions, joint choices, outcomes of luck.
    pub steps: u64,
    /// Chance nodes among them.
    pub chance_nodes: u64,
    /// States that were held to every property; all others were held to the cheap ones.
    pub states: u64,
    /// The most decisions in one game.
    pub longest: u32,
    /// How often the games ended in each declared way.
    pub endings: Vec<(&'static str, u64)>,
    checks: Vec<u64>,
}

impl Report {
    fn new(endings: &[&'static str]) -> Report {
        Report {
            games: 0,
            steps: 0,
            chance_nodes: 0,
            states: 0,
            longest: 0,
            endings: endings.iter().map(|&ending| (ending, 0)).collect(),
            checks: vec![0; Property::ALL.len()],
        }
    }

    /// How often a property was put to the test.
    pub fn checks(&self, property: Property) -> u64 {
        self.checks[property as usize]
    }

    fn count(&mut self, property: Property, times: u64) {
        self.checks[property as usize] += times;
    }
}

/// A property that does not hold, and where that shows.
#[derive(Clone, PartialEq, Debug)]
pub struct Failure {
    /// Which property.
    pub property: Property,
    /// With this seed ...
    pub seed: u64,
    /// ... and so many games, [`check`] finds it again.
    pub games: u64,
    /// Number of events before it, in the last of those games.
    pub step: u32,
    /// The state there, as JSON; empty when it is no single state's fault.
    pub state: String,
    /// The action or outcome in question.
    pub action: Option<String>,
    /// What was expected and what was found.
    pub message: String,
}

impl Failure {
    /// The command that shows it again.
    pub fn command<G: Catalogued>(&self, game: &G) -> String {
        let seats = game.seats();
        let defaults = switches::table_of(&G::default_rules(seats));
        let rules = switches::table_of(game.rules());
        let changed = rules.iter().filter(|(key, value)| defaults.get(*key) != Some(value));
        let rules: String =
            changed.map(|(key, value)| format!(" --rule {key}={}", switches::show_value(value))).collect();
        format!("dhow check {} --seats {seats}{rules} --seed {} --games {}", G::NAME, self.seed, self.games)
    }
}

impl Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.property, self.message)?;
        if !self.state.is_empty() {
            write!(out, "; step {} of seed {}", self.step, self.seed.wrapping_add(self.games - 1))?;
            if let Some(action) = &self.action {
                write!(out, ", `{action}`")?;
            }
            write!(out, ", state {}", self.state)?;
        }
        Ok(())
    }
}

impl std::error::Error for Failure {}

/// What an inspection found broken; [`check`] makes a [`Failure`] of it.
#[derive(Debug)]
struct Fault {
    property: Property,
    message: String,
    action: Option<String>,
    /// Step and state, where it is not the present one.
    place: Option<(u32, String)>,
    /// An earlier game of the check is part of the evidence.
    earlier: bool,
}

impl Fault {
    fn new(property: Property, message: String) -> Box<Fault> {
        Box::new(Fault { property, message, action: None, place: None, earlier: false })
    }

    fn at<S: serde::Serialize + fmt::Debug>(mut self: Box<Fault>, step: u32, state: &S) -> Box<Fault> {
        self.place.get_or_insert_with(|| (step, in_text(state)));
        self
    }

    fn with(mut self: Box<Fault>, action: impl Display) -> Box<Fault> {
        self.action = Some(action.to_string());
        self
    }
}

/// Demands a condition of a property, and counts that it was put to the test.
macro_rules! demand {
    ($report:expr, $property:ident, $condition:expr, $($message:tt)+) => {{
        $report.count($crate::battery::Property::$property, 1);
        if !$condition {
            return Err($crate::battery::Fault::new(
                $crate::battery::Property::$property,
                format!($($message)+),
            ));
        }
    }};
}
use demand;

/// A state as JSON, or as Rust shows it where even that is broken.
fn in_text<S: serde::Serialize + fmt::Debug>(state: &S) -> String {
    let json = catch_unwind(AssertUnwindSafe(|| serde_json::to_string(state).ok()));
    json.ok().flatten().unwrap_or_else(|| format!("{state:?}"))
}

fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message").to_owned()
}

/// Plays `options.games` games and holds every state to all of [`Property`].
///
/// The same game and options always give the same answer. A panic inside the game is caught and is a failure;
/// the process's panic hook speaks before, so whoever wants no word of it sets a quiet one.
///
/// # Errors
/// The first [`Failure`].
pub fn check<G: Catalogued>(game: &G, options: &Options) -> Result<Report, Box<Failure>> {
    let mut shared = Shared::new(Report::new(game.endings()));
    for number in 0..options.games {
        let seed = options.seed.wrapping_add(number);
        let mut inspector = match catch_unwind(AssertUnwindSafe(|| Inspector::new(game, seed, number == 0))) {
            Ok(inspector) => inspector,
            Err(panic) => {
                let message = format!("setting up the game panics: {}", panic_message(&*panic));
                let property = Property::NoPanic;
                let (step, state, action) = (0, String::new(), None);
                return Err(Box::new(Failure { property, seed, games: 1, step, state, action, message }));
            }
        };
        let run = || inspector.run(&mut shared);
        let fault = match catch_unwind(AssertUnwindSafe(run)) {
            Ok(Ok(())) => continue,
            Ok(Err(fault)) => fault,
            Err(panic) => Fault::new(Property::NoPanic, format!("panic: {}", panic_message(&*panic))),
        };
        return Err(Box::new(inspector.failure(*fault, options.seed, number)));
    }
    verdict(game, options, &mut shared)?;
    Ok(shared.report)
}

/// Judges what luck and random agents gave in all games together; what looks wrong is judged again on fresh
/// draws, so that a false alarm is a matter of one in 10^12 per test.
fn verdict<G: Catalogued>(game: &G, options: &Options, shared: &mut Shared<G>) -> Result<(), Box<Failure>> {
    let (luck, choice) = shared.fairness.tests();
    shared.report.count(Property::FairLuck, luck);
    shared.report.count(Property::RandomUniform, choice);
    let suspects = shared.fairness.suspects();
    if suspects.is_empty() {
        return Ok(());
    }
    let mut fresh = Fairness::default();
    for number in 0..options.games {
        gather(game, options.seed.wrapping_add(number), &mut fresh);
    }
    let confirmed = fresh.suspects();
    let Some(first) = suspects.iter().find(|one| confirmed.iter().any(|two| two.what == one.what)) else {
        return Ok(());
    };
    let property = if first.what.is_luck() { Property::FairLuck } else { Property::RandomUniform };
    let action = match first.what {
        Counted::Action(action) => Some(action.to_string()),
        _ => None,
    };
    let message = format!("{first}, and as bad on fresh draws");
    let Options { games, seed } = *options;
    Err(Box::new(Failure { property, seed, games, step: 0, state: String::new(), action, message }))
}
