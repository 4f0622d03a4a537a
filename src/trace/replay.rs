//! Holds a trace against the rules, line by line, and names the first that breaks them.

use std::io::{BufRead, Read};

use serde::Deserialize;
use serde_json::Value;

use super::{OutcomeRecord, SourceRecord, present, texts};
use crate::game::{GameAction, Seat, Turn};
use crate::games::Catalogued;
use crate::games::registry::{self, Setup, Visitor};
use crate::streams::Phase;

/// No line of a trace is longer: a file without line ends must not fill the memory.
const LONGEST_LINE: u64 = 64 << 20;

/// Reading a decimal fraction may miss its last bit.
const PRECISION: f64 = 1e-12;

/// A trace that was found sound.
#[derive(Clone, PartialEq, Debug)]
pub struct Verified {
    /// The game's name.
    pub game: String,
    /// Number of seats.
    pub seats: usize,
    /// Steps between `start` and `end`.
    pub steps: u64,
    /// Choices of agents among them.
    pub decisions: u64,
    /// Events of luck among them.
    pub chances: u64,
    /// How the game ended.
    pub ending: &'static str,
    /// Those who share the first place, numbered from 1.
    pub winners: Vec<usize>,
}

/// Why a trace was refused.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// It could not be read.
    #[error("cannot be read: {0}")]
    Io(#[from] std::io::Error),
    /// A line is no line of a trace.
    #[error("line {line} is no line of a trace: {reason}")]
    Unreadable {
        /// Number of the line, from 1.
        line: u64,
        /// What is wrong.
        reason: String,
    },
    /// It stops before the game is over.
    #[error("the trace is cut: it ends in line {line}, before the game is over ({expected})")]
    Cut {
        /// The last line there is (0 for an empty file).
        line: u64,
        /// What should have followed.
        expected: String,
    },
    /// A line does not follow from the rules and the lines before it.
    #[error("line {line} breaks the rules: {reason}")]
    Broken {
        /// Number of the line, from 1.
        line: u64,
        /// What was found, and what was expected.
        reason: String,
    },
}

impl ReplayError {
    /// Whether the trace could be read and is against the rules (rather than no whole trace at all).
    pub fn is_broken(&self) -> bool {
        matches!(self, ReplayError::Broken { .. })
    }
}

#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
enum Line {
    Start(Start),
    Chance { source: SourceRecord, distribution: Vec<(String, f64)>, action: String, state: Value },
    Decision { seat: usize, actions: Vec<String>, action: String, state: Value },
    Simultaneous { seats: Vec<usize>, actions: Vec<Vec<String>>, joint: Vec<String>, state: Value },
    End { outcome: Value },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Start {
    dhow: String,
    game: String,
    rules: serde_json::Map<String, Value>,
    #[serde(default, deserialize_with = "present")]
    data: Option<Value>,
    seats: usize,
    agents: Vec<String>,
    // Which luck it was: nothing of it can be wrong by the rules, but all of it must be there.
    #[serde(rename = "seed")]
    _seed: u64,
    #[serde(rename = "phase")]
    _phase: Phase,
    #[serde(rename = "block")]
    _block: u64,
    #[serde(rename = "rotation")]
    _rotation: usize,
    state: Value,
}

impl Line {
    fn kind(&self) -> &'static str {
        match self {
            Line::Start(_) => "start",
            Line::Chance { .. } => "chance",
            Line::Decision { .. } => "decision",
            Line::Simultaneous { .. } => "simultaneous",
            Line::End { .. } => "end",
        }
    }
}

/// Holds every line of a trace against the rules: the first state, whose turn it is, the list of actions or
/// the distribution, the action, the state after it, the outcome, and that nothing is missing. The trace
/// alone is enough: rules, and the data that they loaded, stand in its first line.
///
/// # Errors
/// [`ReplayError`] for the first line that is wrong.
pub fn replay(mut input: impl BufRead) -> Result<Verified, ReplayError> {
    hold(&mut input)
}

// One reader for all callers: the referee is compiled here, once a game.
fn hold(input: &mut dyn BufRead) -> Result<Verified, ReplayError> {
    let mut lines = Lines { input, number: 0 };
    let expected = "expected a line of kind `start`";
    let start = match lines.next()? {
        None => return Err(ReplayError::Cut { line: 0, expected: expected.into() }),
        Some(Line::Start(start)) => start,
        Some(other) => return Err(lines.unreadable(format!("{expected}, found `{}`", other.kind()))),
    };
    if start.dhow != env!("CARGO_PKG_VERSION") {
        let reason = format!("dhow {:?} wrote it, this is {}", start.dhow, env!("CARGO_PKG_VERSION"));
        return Err(lines.unreadable(reason));
    }
    let mut rules = toml::Table::new();
    for (key, value) in &start.rules {
        let value = toml::Value::try_from(value)
            .map_err(|error| lines.unreadable(format!("rule `{key}` cannot be {value}: {error}")))?;
        rules.insert(key.clone(), value);
    }
    if start.agents.len() != start.seats {
        let reason = format!("it names {} agents for {} seats", start.agents.len(), start.seats);
        return Err(lines.unreadable(reason));
    }
    if let Some(at) = start.agents.iter().position(|name| name.trim().is_empty()) {
        return Err(lines.unreadable(format!("the agent of seat {} has no name", at + 1)));
    }
    let setup = Setup { game: start.game.clone(), seats: start.seats, rules };
    let data = start.data.clone();
    let answer = registry::restore(&setup, data.as_ref(), Referee { lines, start });
    answer.unwrap_or_else(|error| Err(ReplayError::Unreadable { line: 1, reason: error.to_string() }))
}

/// The lines of a trace, counted.
struct Lines<'r> {
    input: &'r mut dyn BufRead,
    number: u64,
}

impl Lines<'_> {
    fn next(&mut self) -> Result<Option<Line>, ReplayError> {
        let Some(text) = self.next_text()? else { return Ok(None) };
        if text.trim().is_empty() {
            // Line ends after the last line are no lines of their own.
            let empty = self.unreadable("it is empty".into());
            let last = self.number - 1;
            while let Some(text) = self.next_text()? {
                if !text.trim().is_empty() {
                    return Err(empty);
                }
            }
            self.number = last;
            return Ok(None);
        }
        match serde_json::from_str(&text) {
            Ok(line) => Ok(Some(line)),
            Err(error) if error.is_eof() && !text.ends_with('\n') => {
                Err(ReplayError::Cut { line: self.number, expected: "this line stops in the middle".into() })
            }
            // Its own line number counts from this line.
            Err(error) => {
                let text = error.to_string();
                let reason = text.rsplit_once(" at line ").map_or(text.as_str(), |(reason, _)| reason);
                let at =
                    if error.column() > 0 { format!(" (column {})", error.column()) } else { String::new() };
                Err(self.unreadable(format!("{reason}{at}")))
            }
        }
    }

    fn next_text(&mut self) -> Result<Option<String>, ReplayError> {
        let mut bytes = Vec::new();
        let read = (&mut self.input).take(LONGEST_LINE).read_until(b'\n', &mut bytes)?;
        if read == 0 {
            return Ok(None);
        }
        self.number += 1;
        if read as u64 == LONGEST_LINE {
            return Err(self.unreadable("it is longer than 64 MiB".into()));
        }
        String::from_utf8(bytes).map(Some).map_err(|_| self.unreadable("it is no text (UTF-8)".into()))
    }

    fn unreadable(&self, reason: String) -> ReplayError {
        ReplayError::Unreadable { line: self.number, reason }
    }

    fn broken(&self, reason: String) -> ReplayError {
        ReplayError::Broken { line: self.number, reason }
    }
}

struct Referee<'r> {
    lines: Lines<'r>,
    start: Start,
}

impl Visitor for Referee<'_> {
    type Output = Result<Verified, ReplayError>;

    fn visit<G: Catalogued>(mut self, game: G) -> Self::Output {
        let rules = Value::Object(std::mem::take(&mut self.start.rules));
        if let Some((path, found, expected)) = difference(&rules, &as_json(game.rules()), "rules") {
            let reason = format!("{path} is {found} in the trace, {expected} in the match");
            return Err(self.lines.unreadable(reason));
        }
        if game.loaded_data() != self.start.data {
            return Err(self.lines.broken("`data` is not what the rules load".into()));
        }
        let mut state = game.initial();
        self.same_state(&state, &self.start.state, "the first state")?;
        let (mut steps, mut decisions, mut chances) = (0, 0, 0);
        loop {
            let turn = game.turn(&state);
            let Some(line) = self.lines.next()? else {
                return Err(ReplayError::Cut { line: self.lines.number, expected: expected(turn) });
            };
            if let (Turn::Over, Line::End { outcome }) = (turn, &line) {
                return self.end(&game, &state, outcome, [steps, decisions, chances]);
            }
            steps += 1;
            match (turn, line) {
                (
                    Turn::Chance(source),
                    Line::Chance { source: found, distribution, action, state: after },
                ) => {
                    chances += 1;
                    let source = SourceRecord::of(&game, source);
                    if found != source {
                        return Err(self.differs("the luck", show_source(&found), show_source(&source)));
                    }
                    let mut outcomes = Vec::new();
                    game.chance(&state, &mut outcomes);
                    self.same_distribution(&outcomes, &distribution)?;
                    let possible: Vec<G::Action> = outcomes.iter().map(|&(action, _)| action).collect();
                    let action = self.listed(&possible, &action, "luck cannot give")?;
                    game.apply(&mut state, action);
                    self.same_state(&state, &after, &format!("the state after `{action}`"))?;
                }
                (Turn::Decision(seat), Line::Decision { seat: found, actions, action, state: after }) => {
                    decisions += 1;
                    if found != seat.number() {
                        let reason = format!("seat {seat} decides by the rules, seat {found} in the trace");
                        return Err(self.lines.broken(reason));
                    }
                    let legal = self.same_actions(&game, &state, seat, &actions)?;
                    let action = self.listed(&legal, &action, "the rules do not allow")?;
                    game.apply(&mut state, action);
                    self.same_state(&state, &after, &format!("the state after `{action}`"))?;
                }
                (
                    Turn::Simultaneous(seats),
                    Line::Simultaneous { seats: found, actions, joint, state: after },
                ) => {
                    let numbers: Vec<usize> = seats.iter().map(Seat::number).collect();
                    decisions += numbers.len() as u64;
                    if found != numbers {
                        return Err(self.differs("`seats`", format!("{found:?}"), format!("{numbers:?}")));
                    }
                    if actions.len() != numbers.len() || joint.len() != numbers.len() {
                        let reason = format!("{} seats choose, with a list and a choice each", numbers.len());
                        return Err(self.lines.broken(reason));
                    }
                    let mut chosen = Vec::new();
                    for (seat, (actions, action)) in seats.iter().zip(actions.iter().zip(&joint)) {
                        let legal = self.same_actions(&game, &state, seat, actions)?;
                        chosen.push(self.listed(&legal, action, "the rules do not allow")?);
                    }
                    game.apply_together(&mut state, &chosen);
                    let what = format!("the state after `{}`", texts(&chosen).join("` and `"));
                    self.same_state(&state, &after, &what)?;
                }
                (turn, line) => {
                    let reason = format!("{}, found `{}`", expected(turn), line.kind());
                    return Err(self.lines.broken(reason));
                }
            }
        }
    }
}

impl Referee<'_> {
    fn end<G: Catalogued>(
        &mut self,
        game: &G,
        state: &G::State,
        found: &Value,
        [steps, decisions, chances]: [u64; 3],
    ) -> Result<Verified, ReplayError> {
        let outcome = game.outcome(state).expect("the turn is over");
        let record = OutcomeRecord::of(&outcome);
        if let Some((path, found, expected)) = difference(found, &as_json(&record), "outcome") {
            return Err(self.differs(&path, found, expected));
        }
        while let Some(text) = self.lines.next_text()? {
            if !text.trim().is_empty() {
                return Err(self.lines.broken("nothing may follow the line of kind `end`".into()));
            }
        }
        let first = outcome.results().iter().zip(1..).filter(|(result, _)| result.rank == 1);
        Ok(Verified {
            game: G::NAME.to_owned(),
            seats: game.seats(),
            steps,
            decisions,
            chances,
            ending: outcome.ending(),
            winners: first.map(|(_, number)| number).collect(),
        })
    }

    fn differs(&self, what: &str, found: String, expected: String) -> ReplayError {
        self.lines.broken(format!("{what} is {found} in the trace, {expected} by the rules"))
    }

    fn same_state<S: serde::Serialize>(
        &self,
        expected: &S,
        found: &Value,
        what: &str,
    ) -> Result<(), ReplayError> {
        match difference(found, &as_json(expected), "state") {
            None => Ok(()),
            Some((path, found, expected)) => Err(self.differs(&format!("{what}: {path}"), found, expected)),
        }
    }

    fn same_actions<G: Catalogued>(
        &self,
        game: &G,
        state: &G::State,
        seat: Seat,
        found: &[String],
    ) -> Result<Vec<G::Action>, ReplayError> {
        let mut legal = Vec::new();
        game.actions(state, seat, &mut legal);
        self.same_list(&texts(&legal), found, &format!("action {{}} of seat {seat}"))?;
        Ok(legal)
    }

    /// `name` says what an item is, with `{}` for its number.
    fn same_list(&self, expected: &[String], found: &[String], name: &str) -> Result<(), ReplayError> {
        let quoted = |list: &[String], at: usize| {
            list.get(at).map_or("missing".to_owned(), |text| format!("`{text}`"))
        };
        let longest = expected.len().max(found.len());
        match (0..longest).find(|&at| expected.get(at) != found.get(at)) {
            None => Ok(()),
            Some(at) => {
                let name = name.replace("{}", &(at + 1).to_string());
                Err(self.differs(&name, quoted(found, at), quoted(expected, at)))
            }
        }
    }

    fn same_distribution<A: GameAction>(
        &self,
        expected: &[(A, f64)],
        found: &[(String, f64)],
    ) -> Result<(), ReplayError> {
        let found_texts: Vec<String> = found.iter().map(|(text, _)| text.clone()).collect();
        let expected_texts: Vec<String> = expected.iter().map(|(action, _)| action.to_string()).collect();
        self.same_list(&expected_texts, &found_texts, "outcome {} of the distribution")?;
        for (&(action, expected), &(_, found)) in expected.iter().zip(found) {
            // Written so that a probability that is no number differs too.
            let same = (expected - found).abs() <= PRECISION;
            if !same {
                let what = format!("the probability of `{action}`");
                return Err(self.differs(&what, found.to_string(), expected.to_string()));
            }
        }
        Ok(())
    }

    fn listed<A: GameAction>(&self, list: &[A], text: &str, refusal: &str) -> Result<A, ReplayError> {
        let action = text.parse::<A>().ok().filter(|action| list.contains(action));
        action.ok_or_else(|| {
            let reason = format!("{refusal} `{text}`; expected {}", crate::game::some_of(list.iter()));
            self.lines.broken(reason)
        })
    }
}

/// What should come, in words.
fn expected(turn: Turn) -> String {
    match turn {
        Turn::Over => "the game is over: expected `end`".into(),
        Turn::Chance(_) => "luck decides: expected `chance`".into(),
        Turn::Decision(seat) => format!("seat {seat} decides: expected `decision`"),
        Turn::Simultaneous(_) => "several seats choose at once: expected `simultaneous`".into(),
    }
}

fn show_source(source: &SourceRecord) -> String {
    match source.seat {
        Some(seat) => format!("`{}` of seat {seat}", source.luck),
        None => format!("`{}`", source.luck),
    }
}

/// By way of text, so that both sides of a comparison have gone the same way.
fn as_json<S: serde::Serialize>(data: &S) -> Value {
    let text = serde_json::to_string(data).expect("plain data");
    serde_json::from_str(&text).expect("what was just written")
}

/// The first place where two values differ: its path, what was found, what was expected.
fn difference(found: &Value, expected: &Value, path: &str) -> Option<(String, String, String)> {
    match (found, expected) {
        (Value::Object(left), Value::Object(right)) => {
            let keys = right.keys().chain(left.keys().filter(|key| !right.contains_key(*key)));
            keys.map(|key| (format!("{path}.{key}"), left.get(key), right.get(key)))
                .find_map(|(path, left, right)| difference_of(left, right, &path))
        }
        (Value::Array(left), Value::Array(right)) => (0..left.len().max(right.len()))
            .find_map(|at| difference_of(left.get(at), right.get(at), &format!("{path}[{at}]"))),
        (Value::Number(left), Value::Number(right)) if left.is_f64() || right.is_f64() => {
            let near = (left.as_f64()? - right.as_f64()?).abs() <= PRECISION;
            (!near).then(|| (path.to_owned(), left.to_string(), right.to_string()))
        }
        _ => (found != expected).then(|| (path.to_owned(), brief(found), brief(expected))),
    }
}

fn difference_of(
    found: Option<&Value>,
    expected: Option<&Value>,
    path: &str,
) -> Option<(String, String, String)> {
    let missing = || "missing".to_owned();
    match (found, expected) {
        (Some(found), Some(expected)) => difference(found, expected, path),
        (None, None) => None,
        (found, expected) => {
            Some((path.to_owned(), found.map_or_else(missing, brief), expected.map_or_else(missing, brief)))
        }
    }
}

/// A value as text, cut to a length that fits into a message.
fn brief(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(60) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_first_difference_is_named_by_its_path() {
        let expected = json!({"a": [1, 2], "b": {"c": "x"}});
        assert_eq!(difference(&expected, &expected, "state"), None);
        let other = json!({"a": [1, 3], "b": {"c": "x"}});
        let found = difference(&other, &expected, "state").unwrap();
        assert_eq!(found, ("state.a[1]".into(), "3".into(), "2".into()));
        let longer = json!({"a": [1, 2, 4], "b": {"c": "x"}});
        let found = difference(&longer, &expected, "state").unwrap();
        assert_eq!(found, ("state.a[2]".into(), "4".into(), "missing".into()));
        let more = json!({"a": [1, 2], "b": {"c": "x"}, "d": 1});
        assert_eq!(difference(&more, &expected, "state").unwrap().0, "state.d");
        let less = json!({"a": [1, 2]});
        assert_eq!(difference(&less, &expected, "state").unwrap().0, "state.b");
    }

    #[test]
    fn fractions_may_miss_their_last_bit_and_no_more() {
        assert_eq!(difference(&json!(0.3), &json!(0.1 + 0.2), "x"), None);
        assert!(difference(&json!(0.3), &json!(0.301), "x").is_some());
        assert_eq!(difference(&json!(1), &json!(1.0), "x"), None);
    }

    #[test]
    fn an_empty_file_is_cut() {
        assert!(matches!(replay(&b""[..]), Err(ReplayError::Cut { line: 0, .. })));
    }

    #[test]
    fn garbage_is_unreadable() {
        for garbage in ["hello\n", "[1]\n", "{}\n", "{\"kind\":\"sneeze\"}\n"] {
            let error = replay(garbage.as_bytes()).unwrap_err();
            assert!(matches!(error, ReplayError::Unreadable { line: 1, .. }), "{garbage}: {error}");
        }
        let error = replay(&[0xff, 0xfe, b'\n'][..]).unwrap_err();
        assert!(error.to_string().contains("UTF-8"), "{error}");
    }
}
