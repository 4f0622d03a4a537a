//! Experiment files: TOML, read with line and column in every complaint.

use std::path::Path;

use serde::Deserialize;
use toml::{Table, Value};

use super::config::{Request, Sweep, SweepMode};
use crate::tournament::Mode;

/// The keys of an experiment file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExperimentFile {
    question: Option<String>,
    game: String,
    #[serde(default)]
    seats: Vec<usize>,
    agents: Vec<String>,
    #[serde(default)]
    play: Mode,
    #[serde(default = "default_games")]
    games: u64,
    #[serde(default = "default_seed")]
    seed: u64,
    #[serde(default = "default_margin")]
    margin: f64,
    #[serde(default)]
    by: By,
    #[serde(default)]
    per_game: bool,
    #[serde(default)]
    rules: Table,
    #[serde(default)]
    sweep: Table,
}

/// One tally or several.
#[derive(Deserialize)]
#[serde(untagged)]
enum By {
    One(String),
    Several(Vec<String>),
}

impl Default for By {
    fn default() -> By {
        By::Several(Vec::new())
    }
}

fn default_games() -> u64 {
    10_000
}
fn default_seed() -> u64 {
    1
}
fn default_margin() -> f64 {
    0.02
}

/// A file that could not be read as an experiment.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// Not there, or not readable.
    #[error("cannot read the experiment {path}: {error}")]
    Read {
        /// The file.
        path: String,
        /// Why.
        error: std::io::Error,
    },
    /// Not TOML, or not the keys of an experiment.
    #[error("{path}, line {line}, column {column}: {message}")]
    Parse {
        /// The file.
        path: String,
        /// From 1.
        line: usize,
        /// From 1, in characters.
        column: usize,
        /// What is wrong.
        message: String,
    },
}

/// Reads an experiment file.
///
/// # Errors
/// [`FileError`]; what it asks for is checked by [`super::Config::new`].
pub fn read(path: &Path) -> Result<Request, FileError> {
    let shown = path.display().to_string();
    let text =
        std::fs::read_to_string(path).map_err(|error| FileError::Read { path: shown.clone(), error })?;
    parse(&shown, &text)
}

fn parse(path: &str, text: &str) -> Result<Request, FileError> {
    let at = |offset: usize, message: &str| {
        let before = &text[..offset.min(text.len())];
        let line = 1 + before.matches('\n').count();
        let column = 1 + before.rsplit('\n').next().unwrap_or_default().chars().count();
        FileError::Parse { path: path.to_owned(), line, column, message: message.trim().replace('\n', " ") }
    };
    let mut file: ExperimentFile = toml::from_str(text)
        .map_err(|error| at(error.span().map_or(0, |span| span.start), error.message()))?;
    // Where a key stands, for complaints that serde cannot place.
    let place = |key: &str| text.find(key).unwrap_or(0);
    let mode = match file.sweep.remove("mode") {
        None => SweepMode::Grid,
        Some(Value::String(mode)) if mode == "grid" => SweepMode::Grid,
        Some(Value::String(mode)) if mode == "zip" => SweepMode::Zip,
        Some(other) => {
            let message = format!("the mode of a sweep cannot be {other}: expected \"grid\" or \"zip\"");
            return Err(at(place("mode"), &message));
        }
    };
    let mut switches = Vec::new();
    for (key, values) in file.sweep {
        match values {
            Value::Array(values) => switches.push((key, values)),
            other => {
                let message = format!("the sweep of `{key}` is {other}: expected a list of values");
                return Err(at(place(&key), &message));
            }
        }
    }
    Ok(Request {
        question: file.question,
        game: file.game,
        seats: file.seats,
        agents: file.agents,
        mode: file.play,
        games: file.games,
        seed: file.seed,
        margin: file.margin,
        rules: file.rules,
        sweep: Sweep { switches, mode },
        by: match file.by {
            By::One(tally) => vec![tally],
            By::Several(tallies) => tallies,
        },
        per_game: file.per_game,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complaints_name_line_and_column() {
        let error = parse("x.toml", "game = \"pig\"\nagents = [\"random\"]\ngaems = 5\n").unwrap_err();
        assert!(error.to_string().starts_with("x.toml, line 3, column 1: "), "{error}");
        let error = parse("x.toml", "game = \"pig\nagents = []").unwrap_err();
        assert!(error.to_string().starts_with("x.toml, line 1, column "), "{error}");
    }

    #[test]
    fn defaults_are_filled_in() {
        let request = parse("x", "game = \"pig\"\nagents = [\"random\"]\nby = \"busts\"").unwrap();
        assert_eq!((request.games, request.seed, request.margin), (10_000, 1, 0.02));
        assert_eq!((request.mode, request.by), (Mode::RoundRobin, vec!["busts".to_owned()]));
    }
}
