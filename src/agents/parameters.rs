//! An agent's parameters: what each may be, and the values that were set.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;

use crate::text::whole_number;

/// What a parameter may be.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Domain {
    /// A whole number, least and greatest.
    Whole(i64, i64),
    /// A real number, least and greatest.
    Real(f64, f64),
    /// One of these words.
    Choice(&'static [&'static str]),
    /// `true` or `false`.
    Flag,
}

impl fmt::Display for Domain {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Domain::Whole(low, high) => write!(out, "a whole number from {low} to {high}"),
            Domain::Real(low, high) => write!(out, "a number from {low} to {high}"),
            Domain::Choice(words) => write!(out, "one of {}", words.join(", ")),
            Domain::Flag => write!(out, "true or false"),
        }
    }
}

impl Domain {
    /// Reads a value; `None` if it is outside the domain.
    pub fn read(self, text: &str) -> Option<Value> {
        match self {
            Domain::Whole(low, high) => {
                let number = whole_number(text).and_then(|number| i64::try_from(number).ok())?;
                (low..=high).contains(&number).then_some(Value::Whole(number))
            }
            Domain::Real(low, high) => {
                let number: f64 = text.parse().ok()?;
                // Adding zero turns -0 into 0, which is the same parameter.
                (low..=high).contains(&number).then_some(Value::Real(number + 0.0))
            }
            Domain::Choice(words) => words.iter().find(|&&word| word == text).map(|word| Value::Choice(word)),
            Domain::Flag => text.parse().ok().map(Value::Flag),
        }
    }
}

/// A parameter of an agent.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Its name.
    pub key: &'static str,
    /// What it may be.
    pub domain: Domain,
    /// What holds when it is not set: a value, or words where that depends on the game.
    pub default: &'static str,
    /// One line of meaning.
    pub meaning: &'static str,
}

/// What a parameter was set to.
#[derive(Clone, Copy, Debug)]
pub enum Value {
    /// A whole number.
    Whole(i64),
    /// A real number, never NaN.
    Real(f64),
    /// A word.
    Choice(&'static str),
    /// Yes or no.
    Flag(bool),
}

impl Value {
    fn rank(self) -> (u8, i64, f64, &'static str) {
        match self {
            Value::Whole(number) => (0, number, 0.0, ""),
            Value::Real(number) => (1, 0, number, ""),
            Value::Choice(word) => (2, 0, 0.0, word),
            Value::Flag(flag) => (3, flag as i64, 0.0, ""),
        }
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Value) -> Ordering {
        let (left, right) = (self.rank(), other.rank());
        (left.0, left.1)
            .cmp(&(right.0, right.1))
            .then_with(|| left.2.total_cmp(&right.2))
            .then_with(|| left.3.cmp(right.3))
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Value {}

impl fmt::Display for Value {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Whole(number) => write!(out, "{number}"),
            Value::Real(number) => write!(out, "{number}"),
            Value::Choice(word) => write!(out, "{word}"),
            Value::Flag(flag) => write!(out, "{flag}"),
        }
    }
}

/// The parameters that were set, by key. The others have their defaults.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Parameters(BTreeMap<&'static str, Value>);

impl Parameters {
    /// Whether `key` was set.
    pub fn has(&self, key: &str) -> bool {
        self.0.contains_key(key)
    }

    /// Sets `key`; gives what it was before.
    pub fn set(&mut self, key: &'static str, value: Value) -> Option<Value> {
        self.0.insert(key, value)
    }

    /// Leaves `key` to its default.
    pub fn unset(&mut self, key: &str) {
        self.0.remove(key);
    }

    /// The parameters that were set, by key.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, Value)> {
        self.0.iter().map(|(&key, &value)| (key, value))
    }

    /// What was set for `key`, or the default that `known` names for it; `None` if that depends on the game.
    pub fn get(&self, known: &[Parameter], key: &str) -> Option<Value> {
        let parameter = known.iter().find(|parameter| parameter.key == key)?;
        self.0.get(key).copied().or_else(|| parameter.domain.read(parameter.default))
    }
}

/// Parameters together with what the agent knows of them: reads values with their defaults.
#[derive(Clone, Copy, Debug)]
pub struct Settings<'a> {
    /// All parameters of the agent.
    pub known: &'static [Parameter],
    /// Those that were set.
    pub set: &'a Parameters,
}

/// The readers panic on a key that the agent does not have or that is of another kind: a slip in the code
/// of that agent, which the test that builds every agent finds.
impl Settings<'_> {
    fn value(&self, key: &str) -> Value {
        let value = self.set.get(self.known, key);
        value.unwrap_or_else(|| panic!("parameter {key} has no value"))
    }

    /// A whole number.
    pub fn whole(&self, key: &str) -> i64 {
        match self.value(key) {
            Value::Whole(number) => number,
            other => panic!("parameter {key} is {other:?}"),
        }
    }

    /// A real number.
    pub fn real(&self, key: &str) -> f64 {
        match self.value(key) {
            Value::Real(number) => number,
            other => panic!("parameter {key} is {other:?}"),
        }
    }

    /// A word.
    pub fn choice(&self, key: &str) -> &'static str {
        match self.value(key) {
            Value::Choice(word) => word,
            other => panic!("parameter {key} is {other:?}"),
        }
    }

    /// Yes or no.
    pub fn flag(&self, key: &str) -> bool {
        match self.value(key) {
            Value::Flag(flag) => flag,
            other => panic!("parameter {key} is {other:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn domains_read_what_they_hold_and_nothing_else() {
        let whole = Domain::Whole(0, 100);
        assert_eq!(whole.read("1e2"), Some(Value::Whole(100)));
        assert_eq!(whole.read("101"), None);
        let real = Domain::Real(0.0, 2.0);
        assert_eq!(real.read("0.70").unwrap().to_string(), "0.7");
        assert_eq!(real.read("-0").unwrap(), real.read("0").unwrap());
        for odd in ["NaN", "inf", "-1", "2.5", "x", ""] {
            assert_eq!(real.read(odd), None, "{odd}");
        }
        let choice = Domain::Choice(&["ucb", "regret"]);
        assert_eq!(choice.read("ucb"), Some(Value::Choice("ucb")));
        assert_eq!(choice.read("UCB"), None);
        assert_eq!(Domain::Flag.read("true"), Some(Value::Flag(true)));
        assert_eq!(Domain::Flag.read("yes"), None);
    }

    #[test]
    fn defaults_hold_until_something_is_set() {
        const KNOWN: &[Parameter] =
            &[Parameter { key: "iterations", domain: Domain::Whole(1, 10), default: "5", meaning: "" }];
        let mut parameters = Parameters::default();
        assert_eq!(Settings { known: KNOWN, set: &parameters }.whole("iterations"), 5);
        parameters.set("iterations", Value::Whole(7));
        assert_eq!(Settings { known: KNOWN, set: &parameters }.whole("iterations"), 7);
    }
}
