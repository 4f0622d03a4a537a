//! Experiment files: TOML, read with line and column in every complaint.

use std::collections::BTreeMap;
use std::path::Path;

use toml::{Spanned, Value};

use super::config::{Config, ConfigError, Request, Stop, Sweep, SweepMode};
use super::fair::Fair;
use super::place::{Place, Refusal};
use crate::games::switches::closest;
use crate::text::one_line;
use crate::tournament::Mode;

/// The keys of an experiment file.
const KEYS: [&str; 15] = [
    "question", "game", "seats", "agents", "play", "games", "seed", "margin", "by", "per_game", "rules",
    "sweep", "fair", "stop", "forbid",
];

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
    /// Not TOML, not the keys of an experiment, or not their values.
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
    /// A value, or values together, of which the file says nothing in one place.
    #[error("{path}: {message}")]
    Value {
        /// The file.
        path: String,
        /// What is wrong.
        message: String,
    },
}

/// An experiment file.
#[derive(Clone, Debug)]
pub struct File {
    /// What it asks.
    pub request: Request,
    path: String,
    text: String,
    /// Its agents before `forbid` is added to the first.
    agents: Vec<String>,
}

/// Reads an experiment file.
///
/// # Errors
/// [`FileError`]; what it asks for is checked by [`File::config`].
pub fn read(path: &Path) -> Result<File, FileError> {
    let shown = path.display().to_string();
    let text =
        std::fs::read_to_string(path).map_err(|error| FileError::Read { path: shown.clone(), error })?;
    parse(&shown, &text)
}

impl File {
    /// The configuration of a request: that of the file, of which the command line may have replaced something.
    ///
    /// # Errors
    /// As [`Config::resolve`], with line and column where the file says what is refused.
    pub fn config(&self, request: &Request) -> Result<Config, FileError> {
        Config::resolve(request).map_err(|refusal| {
            let place = refusal.place.clone().map(|place| self.as_written(place, &refusal.error, request));
            let replaced = |place: &Place| place.path == ["games"] && request.games != self.request.games;
            let offset = place.filter(|place| !replaced(place)).and_then(|place| place.find(&self.text));
            let (path, message) = (self.path.clone(), one_line(&refusal.error.to_string()));
            match offset {
                Some(offset) => at(&path, &self.text, offset, &message),
                None => FileError::Value { path, message },
            }
        })
    }

    /// What stands in the file for a place of the request: what the first agents are refused for may be `forbid`.
    fn as_written(&self, place: Place, error: &ConfigError, request: &Request) -> Place {
        let blames_agent = |place: &Place| place.path == ["agents"] && place.item.is_some();
        if !blames_agent(&place) || self.agents == request.agents {
            return place;
        }
        let unrestricted = Request { agents: self.agents.clone(), ..request.clone() };
        match Config::resolve(&unrestricted) {
            // Another agent may be at fault as well, of which the message does not speak.
            Err(Refusal { place: Some(same), error: other })
                if blames_agent(&same) && (same == place || *other == *error) =>
            {
                same
            }
            _ => Place::of(&["forbid"]),
        }
    }
}

/// A complaint about what begins at byte `offset`.
fn at(path: &str, text: &str, offset: usize, message: &str) -> FileError {
    // A byte order mark takes no column.
    let before = text[..text.floor_char_boundary(offset)].trim_start_matches('\u{feff}');
    let line = 1 + before.matches('\n').count();
    let column = 1 + before.rsplit('\n').next().unwrap_or_default().chars().count();
    FileError::Parse { path: path.to_owned(), line, column, message: one_line(message) }
}

fn parse(path: &str, text: &str) -> Result<File, FileError> {
    let at = |offset: usize, message: &str| at(path, text, offset, message);
    let place = |place: Place, message: &str| at(place.find(text).unwrap_or(0), message);
    let mut file: BTreeMap<Spanned<String>, Spanned<Value>> = toml::from_str(text).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start);
        at(start, &too_large(text, start).unwrap_or_else(|| error.message().to_owned()))
    })?;
    for key in file.keys() {
        let name = key.get_ref().as_str();
        if !KEYS.contains(&name) {
            let near = closest(name, KEYS).map(|near| format!(" (did you mean `{near}`?)"));
            let message = format!(
                "there is no key `{name}`{}; the keys are {}",
                near.unwrap_or_default(),
                KEYS.join(", ")
            );
            return Err(at(key.span().start, &message));
        }
    }
    // Takes the value of a key and reads it; what it should be is said where it is something else.
    fn take<T>(
        file: &mut BTreeMap<Spanned<String>, Spanned<Value>>,
        key: &str,
        expected: &str,
        read: impl FnOnce(&Value) -> Option<T>,
    ) -> Result<Option<T>, (usize, String)> {
        let Some(value) = file.remove(key) else { return Ok(None) };
        match read(value.get_ref()) {
            Some(found) => Ok(Some(found)),
            None => {
                let message = format!("`{key}` cannot be {}: expected {expected}", value.get_ref());
                Err((value.span().start, message))
            }
        }
    }
    macro_rules! take {
        ($key:literal, $expected:expr, $read:expr) => {
            take(&mut file, $key, $expected, $read).map_err(|(offset, message)| at(offset, &message))?
        };
    }
    let missing = |key: &str, example: &str| at(0, &format!("the key `{key}` is missing: {example}"));
    let number = "a whole number that is not negative, such as 10_000";
    let words = |value: &Value| match value {
        Value::Array(items) => items.iter().map(word).collect(),
        _ => None,
    };

    let question = take!("question", "a text in quotes", word).map(|question| one_line(&question));
    let game = take!("game", "the name of a game in quotes", word)
        .ok_or_else(|| missing("game", "it names what is played"))?;
    let seats = take!("seats", "a number of seats, such as 2, or a list of them, such as [2, 3]", |value| {
        let one = |value: &Value| whole(value)?.try_into().ok();
        match value {
            Value::Array(items) if !items.is_empty() => items.iter().map(one).collect(),
            value => one(value).map(|count| vec![count]),
        }
    });
    let agents = take!("agents", "a list of agents, such as [\"random\", \"greedy\"]", words)
        .ok_or_else(|| missing("agents", "it lists who plays"))?;
    let mode = take!("play", "\"self\" or \"round-robin\"", |value| match value.as_str()? {
        "self" => Some(Mode::SelfPlay),
        "round-robin" => Some(Mode::RoundRobin),
        _ => None,
    });
    let games = take!("games", number, whole);
    let seed = take!("seed", number, whole);
    let margin = take!("margin", "a share of one, such as 0.02 for two percentage points", |value| {
        value.as_float().or_else(|| value.as_integer().map(|number| number as f64))
    });
    let by = take!("by", "the name of a tally in quotes, or a list of such names", |value| {
        word(value).map(|one| vec![one]).or_else(|| words(value))
    });
    let per_game = take!("per_game", "true or false", Value::as_bool);
    let rules = take!("rules", "a table of rule switches", |value| value.as_table().cloned());
    let sweep = take!("sweep", "a table of rule switches", |value| value.as_table().cloned());

    let fair = take!("fair", "a table with the key `switch`", |value| value.as_table().cloned());
    let fair =
        fair.map(|table| read_fair(&table)).transpose().map_err(|(at, message)| place(at, &message))?;
    let stop = take!("stop", "\"settled\" or \"games\"", |value| match value.as_str()? {
        "settled" => Some(Stop::Settled),
        "games" => Some(Stop::Games),
        _ => None,
    });

    let forbid = take!("forbid", "a list of kinds of action, such as [\"roll\"]", words);
    let written = agents.clone();
    let mut agents = agents;
    if let Some(kinds) = forbid {
        if kinds.is_empty() {
            return Err(place(Place::of(&["forbid"]), "`forbid` names no kind of action"));
        }
        let Some(first) = agents.first_mut() else {
            return Err(place(Place::of(&["agents"]), "no agent was named; `forbid` is for the first"));
        };
        let unrestricted = first.clone();
        *first += &format!(":forbid={}", kinds.join("+"));
        // Alone it meets itself unrestricted: the difference is what the forbidden thing is worth.
        if agents.len() == 1 && mode != Some(Mode::SelfPlay) {
            agents.push(unrestricted);
        }
    }

    let mut sweep = sweep.unwrap_or_default();
    let sweep_mode = match sweep.remove("mode") {
        None => SweepMode::Grid,
        Some(Value::String(mode)) if mode == "grid" => SweepMode::Grid,
        Some(Value::String(mode)) if mode == "zip" => SweepMode::Zip,
        Some(other) => {
            let message = format!("the mode of a sweep cannot be {other}: expected \"grid\" or \"zip\"");
            return Err(place(Place::of(&["sweep", "mode"]), &message));
        }
    };
    let mut switches = Vec::new();
    for (key, values) in sweep {
        match values {
            Value::Array(values) => switches.push((key, values)),
            other => {
                let message = format!("the sweep of `{key}` is {other}: expected a list of values");
                return Err(place(Place::of(&["sweep", &key]).name(), &message));
            }
        }
    }
    let request = Request {
        question,
        game,
        seats: seats.unwrap_or_default(),
        agents,
        mode: mode.unwrap_or_default(),
        games: games.unwrap_or(10_000),
        seed: seed.unwrap_or(1),
        margin: margin.unwrap_or(0.02),
        rules: rules.unwrap_or_default(),
        sweep: Sweep { switches, mode: sweep_mode },
        by: by.unwrap_or_default(),
        per_game: per_game.unwrap_or(false),
        fair,
        stop: stop.unwrap_or_default(),
    };
    Ok(File { request, path: path.to_owned(), text: text.to_owned(), agents: written })
}

/// What is wrong where a whole number that TOML cannot hold stands at `start`.
fn too_large(text: &str, start: usize) -> Option<String> {
    let most =
        |key: Option<&str>| if key == Some("games") { "1e15".to_owned() } else { i64::MAX.to_string() };
    crate::text::too_large(text, start, most)
}

/// Reads the table `[fair]`.
fn read_fair(table: &toml::Table) -> Result<Fair, (Place, String)> {
    if let Some(key) = table.keys().find(|key| *key != "switch") {
        let message = format!("[fair] has no key `{key}`; its only key is `switch`");
        return Err((Place::of(&["fair", key]).name(), message));
    }
    let switch = table.get("switch").and_then(word).ok_or_else(|| {
        let message = "[fair] needs the name of a swept rule: switch = \"starting_coins\"".to_owned();
        (Place::of(&["fair", "switch"]), message)
    })?;
    Ok(Fair { switch })
}

fn word(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

/// A number that is whole and not negative: `10_000`, or `1e4`, which is a fraction to TOML.
fn whole(value: &Value) -> Option<u64> {
    /// Up to here a fraction says every whole number exactly.
    const EXACT: f64 = (1_u64 << 53) as f64;
    match *value {
        Value::Integer(number) => number.try_into().ok(),
        Value::Float(number) if number.fract() == 0.0 && (0.0..=EXACT).contains(&number) => {
            Some(number as u64)
        }
        _ => None,
    }
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
        let request = parse("x", "game = \"pig\"\nagents = [\"random\"]\nby = \"busts\"").unwrap().request;
        assert_eq!((request.games, request.seed, request.margin), (10_000, 1, 0.02));
        assert_eq!((request.mode, request.by), (Mode::RoundRobin, vec!["busts".to_owned()]));
    }

    #[test]
    fn complaints_speak_of_keys_and_values() {
        let sound = "game = \"pig\"\nagents = [\"random\"]\n";
        for (line, column, expected) in [
            ("games = -1", 9, "`games` cannot be -1: expected a whole number that is not negative"),
            ("games = 1.5", 9, "`games` cannot be 1.5"),
            ("seed = \"x\"", 8, "`seed` cannot be \"x\""),
            ("seats = [2, \"3\"]", 9, "expected a number of seats, such as 2, or a list"),
            ("seats = []", 9, "`seats` cannot be []: expected a number of seats"),
            (
                "games = 99999999999999999999",
                9,
                "`games` cannot be 99999999999999999999: expected a whole number up to 1e15",
            ),
            (
                "seed = 99999999999999999999",
                8,
                "`seed` cannot be 99999999999999999999: expected a whole number up to 9",
            ),
            (
                "sweep.target = [1, -99999999999999999999]",
                20,
                "`sweep.target` cannot be -99999999999999999999: expected",
            ),
            ("by = 3", 6, "`by` cannot be 3: expected the name of a tally in quotes, or a list"),
            ("margin = \"2%\"", 10, "such as 0.02 for two percentage points"),
            ("play = \"solo\"", 8, "expected \"self\" or \"round-robin\""),
            ("per_game = 1", 12, "expected true or false"),
            ("rules = 1", 9, "expected a table"),
            ("saets = 2", 1, "no key `saets` (did you mean `seats`?)"),
            ("[sweep]\ntarget = 5", 0, "the sweep of `target` is 5: expected a list of values"),
        ] {
            let error =
                parse("x.toml", &format!("{sound}{line}\n")).err().unwrap_or_else(|| panic!("{line}"));
            let error = error.to_string();
            let place = match column {
                0 => "x.toml, line 4, column 1: ".to_owned(),
                column => format!("x.toml, line 3, column {column}: "),
            };
            assert!(error.starts_with(&place) && error.contains(expected), "{error}");
        }
        let error = parse("x.toml", "game = \"pig\"\n").unwrap_err().to_string();
        assert!(error.contains("the key `agents` is missing"), "{error}");
    }

    #[test]
    fn one_number_of_seats_and_powers_of_ten_will_do() {
        let request =
            parse("x", "game = \"pig\"\nagents = [\"random\"]\nseats = 2\ngames = 1e6").unwrap().request;
        assert_eq!((request.seats, request.games), (vec![2], 1_000_000));
    }

    #[test]
    fn a_question_cannot_steer_the_terminal() {
        let text = "question = \"Is\\u001b[31m it\\n fair?\"\ngame = \"pig\"\nagents = [\"random\"]";
        assert_eq!(parse("x", text).unwrap().request.question.as_deref(), Some("Is[31m it fair?"));
    }
}
