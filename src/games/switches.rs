//! Rule switches: what can be set, within which range, and which question of a rulebook it answers.

use serde::Serialize;
use toml::{Table, Value};

use super::Catalogued;
use crate::streams::Stream;
use crate::text::whole_number;

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

/// The candidate that `text` most likely means, if any comes near: by a few wrong letters, or because `text`
/// is one of its words or the beginning of one or of the whole. Case does not count, nor what joins words.
pub fn closest<'a>(text: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let plain = |text: &str| text.trim().to_lowercase().replace(['_', ' '], "-");
    let text = plain(text);
    let length = text.chars().count();
    let allowed = match length {
        0 => return None,
        1..=4 => 1.min(length - 1),
        5..=8 => 2,
        // Nobody mistypes a name at such a length.
        64.. => return None,
        more => more / 3,
    };
    // From the best on: the distance, and for words the length of the whole.
    let rank = |candidate: &str| {
        let candidate = plain(candidate);
        let distance = strsim::damerau_levenshtein(&text, &candidate);
        let begins_word = |(at, _): (usize, &str)| {
            let ends = candidate[at + text.len()..].chars().next().is_none_or(|next| next == '-');
            (at == 0 || candidate[..at].ends_with('-')) && (ends || length >= 3)
        };
        if distance <= allowed {
            Some((0, distance))
        } else {
            let joined = |text: &str| text.replace('-', "");
            let found = candidate.match_indices(text.as_str()).any(begins_word)
                || length >= 3 && joined(&candidate).starts_with(&joined(&text));
            found.then_some((1, candidate.len()))
        }
    };
    let ranked = candidates.into_iter().filter_map(|candidate| Some((rank(candidate)?, candidate)));
    ranked.min_by_key(|&(rank, _)| rank).map(|(_, candidate)| candidate.to_owned())
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
        let int = |text: &str| whole_number(text.trim())?.try_into().ok().map(Value::Integer);
        match *self {
            Kind::Bool => text.parse().ok().map(Value::Boolean),
            Kind::Int(..) => int(text),
            Kind::Choice(_) | Kind::Path => Some(Value::String(text.to_owned())),
            Kind::WordOrList(word, ..) if text.trim() == word => Some(Value::String(word.to_owned())),
            Kind::PerSeat(..) | Kind::List(..) | Kind::WordOrList(..) => {
                let text = text.trim();
                let inner = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
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
        Value::Array(items) => {
            let show = |item: &Value| match item {
                Value::Array(_) => format!("[{}]", show_value(item)),
                item => show_value(item),
            };
            items.iter().map(show).collect::<Vec<_>>().join(",")
        }
        other => other.to_string(),
    }
}

/// A value that was refused: with its quotes and brackets where they are what is wrong.
fn show_refused(kind: Kind, value: &Value) -> String {
    match (kind, value) {
        (Kind::Choice(_) | Kind::Path | Kind::WordOrList(..), Value::String(text)) => text.clone(),
        (Kind::PerSeat(..) | Kind::List(..) | Kind::WordOrList(..), Value::Array(items))
            if items.iter().all(Value::is_integer) =>
        {
            show_value(value)
        }
        _ => value.to_string(),
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

/// The match of a record that holds what its switches loaded (see [`Catalogued::restore`]), if they did.
///
/// # Errors
/// As [`build`], and where `data` is not as it should be.
pub fn restore<G: Catalogued>(
    overrides: &Table,
    seats: usize,
    data: Option<&serde_json::Value>,
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
            return Err(refuse(switch, show_refused(switch.kind, value), Some(seats)));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_near_is_found_and_nothing_else() {
        let games = ["six-sided-seas", "sultans-of-wind", "tic-tac-toe", "pig", "kuhn-poker"];
        for (text, expected) in [
            ("seas", "six-sided-seas"),
            ("wind", "sultans-of-wind"),
            ("Sultan", "sultans-of-wind"),
            ("six_sided_seas", "six-sided-seas"),
            ("sided seas", "six-sided-seas"),
            ("six-sidd-sea", "six-sided-seas"),
            ("tictactoe", "tic-tac-toe"),
            ("tictac", "tic-tac-toe"),
            ("sixsided", "six-sided-seas"),
            ("PIG", "pig"),
            ("pigg", "pig"),
            ("of", "sultans-of-wind"),
        ] {
            assert_eq!(closest(text, games).as_deref(), Some(expected), "{text}");
        }
        for text in ["dog", "chess", "", " ", "p", "s", "si", "eas", "\u{1f3b2}", &"pig".repeat(10_000)] {
            assert_eq!(closest(text, games), None, "{text}");
        }
        assert_eq!(closest("saets", ["games", "seats", "seed"]).as_deref(), Some("seats"));
    }

    #[test]
    fn typed_values_are_read_strictly() {
        assert_eq!(Kind::Int(0, 1_000).parse("1e2"), Some(Value::Integer(100)));
        assert_eq!(Kind::Int(0, 1_000).parse("1_0"), Some(Value::Integer(10)));
        for odd in ["+10", "__1__0__", "1e40", "ten", ""] {
            assert_eq!(Kind::Int(0, 1_000).parse(odd), None, "{odd}");
        }
        let pair = Some(Value::Array(vec![Value::Integer(12), Value::Integer(13)]));
        for list in ["12,13", "[12,13]", " [ 12, 13 ] "] {
            assert_eq!(Kind::PerSeat(0, 50).parse(list), pair, "{list}");
        }
        for odd in ["[[[12,13", "[12,13", "12,13]", "[[12,13]]", "12,,13", "[]"] {
            assert_eq!(Kind::PerSeat(0, 50).parse(odd), None, "{odd}");
        }
    }

    #[test]
    fn refused_values_show_what_is_wrong_with_them() {
        let value = |text: &str| toml::from_str::<Table>(&format!("x = {text}")).unwrap()["x"].clone();
        for (kind, text, shown) in [
            (Kind::Int(0, 1), "[50]", "[50]"),
            (Kind::Int(0, 1), "\"50\"", "\"50\""),
            (Kind::Choice(&["a"]), "\"b\"", "b"),
            (Kind::PerSeat(0, 1), "[5, 6]", "5,6"),
            (Kind::PerSeat(0, 1), "[[5, 6]]", "[[5, 6]]"),
        ] {
            assert_eq!(show_refused(kind, &value(text)), shown);
        }
        assert_eq!(show_value(&value("[[50], [60, 70]]")), "[50],[60,70]");
    }
}
