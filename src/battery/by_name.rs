//! The battery for a match that is named by plain data. Compiled here once for all games, so that whoever
//! checks by name (the command line, the tests) compiles it no second time.

use super::{Failure, Options, Report, check};
use crate::games::Catalogued;
use crate::games::registry::{self, Setup, SetupError, Visitor};
use crate::games::switches::{show_value, table_of};

/// What a check of one match gave.
#[derive(Clone, PartialEq, Debug)]
pub struct Checked {
    /// The switches that are not as published, as they are typed, or `default rules`.
    pub rules: String,
    /// What was checked, or what broke and the command that shows it.
    pub found: Result<Report, (Box<Failure>, String)>,
}

/// Checks the match that `setup` names.
///
/// # Errors
/// [`SetupError`] if there is no such match.
pub fn check_by_name(setup: &Setup, options: &Options) -> Result<Checked, SetupError> {
    registry::visit(setup, Check(options))
}

struct Check<'a>(&'a Options);

impl Visitor for Check<'_> {
    type Output = Checked;
    fn visit<G: Catalogued>(self, game: G) -> Checked {
        let defaults = table_of(&G::default_rules(game.seats()));
        let rules = table_of(game.rules());
        let changed: Vec<String> = rules
            .iter()
            .filter(|(key, value)| defaults.get(*key) != Some(value))
            .map(|(key, value)| format!("{key}={}", show_value(value)))
            .collect();
        let found = check(&game, self.0).map_err(|failure| {
            let command = failure.command(&game);
            (failure, command)
        });
        Checked { rules: if changed.is_empty() { "default rules".into() } else { changed.join(" ") }, found }
    }
}
