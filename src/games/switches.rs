//! Rule switches: what can be set, within which range, and which question of a rulebook it answers.

use serde::Serialize;
use toml::{Table, Value};

use super::Catalogued;
use crate::streams::Stream;

/// One rule switch. Its default is the field's value in [`Catalogued::default_rules`].
#[derive(Clone, Copy, Debug)]
pub struct Switch {
    /// The field's name.
    pub key: &'static str,
    /// What it may be.
    pub kind: Kind,
    /// One line of meaning.
    pub meaning: &'static str,
}

/// The values a switch may take. In JSON: the kind's name with its bounds, such as `{"int": [1, 6]}`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// `true` or `false`.
    Bool,
    /// A whole number from the first to the second.
    Int(i64, i64),
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A whole number for each seat, from the first to the second.
    PerSeat(i64, i64),
    /// A list of that many whole numbers, from the second to the third.
    List(usize, i64, i64),
    /// A word, or a list of that many whole numbers from the third to the fourth.
    WordOrList(&'static str, usize, i64, i64),
    /// `built-in` or the path of a file.
    Path,
}

/// An open question of a rulebook, and how it was decided.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Ruling {
    /// Stable name, such as `S-05`.
    pub id: &'static str,
    /// The switch that holds the answer, if it can be switched.
    pub key: Option<&'static str>,
    /// What the rulebook leaves open.
    pub question: &'static str,
    /// The possible answers, the default first.
    pub readings: &'static [&'static str],
    /// Why the default is the default.
    pub reason: &'static str,
}

/// A rule setting that was refused.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum RuleError {
    /// No switch of that name.
    #[error("{game} has no rule `{key}`{}; `dhow games {game}` lists them", nearest(.near))]
    Unknown {
        /// The game.
        game: &'static str,
        /// What was asked.
        key: String,
        /// The nearest existing name.
        near: Option<String>,
    },
    /// A value outside the switch's range.
    #[error("rule `{key}` cannot be `{value}`: expected {expected}{}", nearest(.near))]
    Value {
        /// The switch.
        key: String,
        /// What was given.
        value: String,
        /// What it may be.
        expected: String,
        /// The nearest allowed word.
        near: Option<String>,
    },
    /// Not so many players.
    #[error("{game} is for {expected} players, not {seats}")]
    Seats {
        /// The game.
        game: &'static str,
        /// What was asked.
        seats: usize,
        /// The possible numbers.
        expected: String,
    },
    /// Switches that do not go together, or data that is not as it should be.
    #[error("{0}")]
    Conflict(String),
}

fn nearest(near: &Option<String>) -> String {
    near.as_ref().map(|name| format!(" (did you mean `{name}`?)")).unwrap_or_default()
}

/// The candidate that looks most like `text`, if any comes near.
pub fn closest<'a>(text: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    candidates
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(text, candidate), candidate))
        .filter(|&(distance, candidate)| distance <= 2.max(candidate.len().min(text.len()) / 3))
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate.to_owned())
}

impl Kind {
    /// The values in words, for error messages and `dhow games NAME`.
    pub fn expected(&self, seats: Option<usize>) -> String {
        match *self {
            Kind::Bool => "true or false".into(),
            Kind::Int(low, high) => format!("a whole number from {low} to {high}"),
            Kind::Choice(words) => format!("one of {}", words.join(", ")),
            Kind::PerSeat(low, high) => match seats {
                Some(seats) => format!("{seats} whole numbers from {low} to {high}, one for each seat"),
                None => format!("a whole number from {low} to {high} for each seat"),
            },
            Kind::List(count, low, high) => format!("{count} whole numbers from {low} to {high}"),
            Kind::WordOrList(word, count, low, high) => {
                format!("{word} or {count} whole numbers from {low} to {high}")
            }
            Kind::Path => "built-in or the path of a file".into(),
        }
    }

    /// Reads a value as typed on the command line (lists separated by commas).
    fn parse(&self, text: &str) -> Option<Value> {
        let int = |text: &str| text.trim().replace('_', "").parse::<i64>().ok().map(Value::Integer);
        match *self {
            Kind::Bool => text.parse().ok().map(Value::Boolean),
            Kind::Int(..) => int(text),
            Kind::Choice(_) | Kind::Path => Some(Value::String(text.to_owned())),
            Kind::WordOrList(word, ..) if text.trim() == word => Some(Value::String(word.to_owned())),
            Kind::PerSeat(..) | Kind::List(..) | Kind::WordOrList(..) => {
                let inner = text.trim().trim_start_matches('[').trim_end_matches(']');
                inner.split(',').map(int).collect::<Option<Vec<_>>>().map(Value::Array)
            }
        }
    }

    /// Whether a value is allowed.
    fn allows(&self, value: &Value, seats: usize) -> bool {
        let within = |value: &Value, low, high| {
            value.as_integer().is_some_and(|number| (low..=high).contains(&number))
        };
        let all_within = |count: usize, low, high| {
            value
                .as_array()
                .is_some_and(|list| list.len() == count && list.iter().all(|v| within(v, low, high)))
        };
        match *self {
            Kind::Bool => value.is_bool(),
            Kind::Int(low, high) => within(value, low, high),
            Kind::Choice(words) => value.as_str().is_some_and(|word| words.contains(&word)),
            Kind::PerSeat(low, high) => all_within(seats, low, high),
            Kind::List(count, low, high) => all_within(count, low, high),
            Kind::WordOrList(word, count, low, high) => {
                value.as_str() == Some(word) || all_within(count, low, high)
            }
            Kind::Path => value.is_str(),
        }
    }

    /// A random allowed value (`built-in` for paths, the word where there is one).
    fn random(&self, seats: usize, stream: &mut Stream) -> Value {
        fn int(stream: &mut Stream, low: i64, high: i64) -> Value {
            Value::Integer(low + stream.below((high - low + 1) as usize) as i64)
        }
        match *self {
            Kind::Bool => Value::Boolean(stream.below(2) == 1),
            Kind::Int(low, high) => int(stream, low, high),
            Kind::Choice(words) => Value::String(words[stream.below(words.len())].to_owned()),
            Kind::PerSeat(low, high) => Value::Array((0..seats).map(|_| int(stream, low, high)).collect()),
            Kind::List(count, low, high) => {
                Value::Array((0..count).map(|_| int(stream, low, high)).collect())
            }
            Kind::WordOrList(word, ..) => Value::String(word.to_owned()),
            Kind::Path => Value::String("built-in".into()),
        }
    }
}

/// A value of a switch as it is typed and shown: lists joined by commas.
pub fn show_value(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(show_value).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

fn find<G: Catalogued>(key: &str) -> Result<&'static Switch, RuleError> {
    G::switches().iter().find(|switch| switch.key == key).ok_or_else(|| RuleError::Unknown {
        game: G::NAME,
        key: key.to_owned(),
        near: closest(key, G::switches().iter().map(|switch| switch.key)),
    })
}

fn refuse(switch: &Switch, value: String, seats: Option<usize>) -> RuleError {
    let near = match switch.kind {
        Kind::Choice(words) => closest(&value, words.iter().copied()),
        _ => None,
    };
    RuleError::Value { key: switch.key.into(), value, expected: switch.kind.expected(seats), near }
}

/// Reads one value as typed for the switch `key`.
///
/// # Errors
/// [`RuleError`] if there is no such switch or the text is not of its kind.
pub fn parse_value<G: Catalogued>(key: &str, text: &str) -> Result<Value, RuleError> {
    let switch = find::<G>(key)?;
    switch.kind.parse(text).ok_or_else(|| refuse(switch, text.to_owned(), None))
}

/// The rules of a game as a table of switches.
pub fn table_of<R: Serialize>(rules: &R) -> Table {
    Table::try_from(rules).expect("rules are plain data")
}

/// A match with the default rules, changed by `overrides`.
///
/// # Errors
/// [`RuleError`] for a wrong number of seats, an unknown switch, a value out of range, or switches that
/// do not go together.
pub fn build<G: Catalogued>(overrides: &Table, seats: usize) -> Result<G, RuleError> {
    G::new(rules_with::<G>(overrides, seats)?, seats)
}

/// The match of a record that holds what its switches loaded (see [`Catalogued::restore`]).
///
/// # Errors
/// As [`build`], and where `data` is not as it should be.
pub fn restore<G: Catalogued>(
    overrides: &Table,
    seats: usize,
    data: &serde_json::Value,
) -> Result<G, RuleError> {
    G::restore(rules_with::<G>(overrides, seats)?, seats, data)
}

fn rules_with<G: Catalogued>(overrides: &Table, seats: usize) -> Result<G::Rules, RuleError> {
    if !G::SEATS.contains(&seats) {
        let (low, high) = (G::SEATS.start(), G::SEATS.end());
        let expected = if low == high { low.to_string() } else { format!("{low} to {high}") };
        return Err(RuleError::Seats { game: G::NAME, seats, expected });
    }
    let mut table = table_of(&G::default_rules(seats));
    for (key, value) in overrides {
        let switch = find::<G>(key)?;
        if !switch.kind.allows(value, seats) {
            return Err(refuse(switch, show_value(value), Some(seats)));
        }
        table.insert(key.clone(), value.clone());
    }
    table.try_into().map_err(|error: toml::de::Error| RuleError::Conflict(error.message().into()))
}

/// Random valid settings: each switch keeps its default half of the time; settings that do not go
/// together are drawn again.
pub fn random_overrides<G: Catalogued>(seats: usize, stream: &mut Stream) -> Table {
    loop {
        let mut table = Table::new();
        for switch in G::switches() {
            if stream.below(2) == 1 {
                table.insert(switch.key.into(), switch.kind.random(seats, stream));
            }
        }
        if build::<G>(&table, seats).is_ok() {
            return table;
        }
    }
}
