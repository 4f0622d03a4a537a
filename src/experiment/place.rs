//! What in an experiment file a complaint is about, and where that stands in the text.

use toml::Value;
use toml::de::DeTable;

use super::config::{ConfigError, Request};
use crate::games::registry::SetupError;
use crate::games::switches::RuleError;

/// A key of an experiment file, or one item of its list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The key, below the tables that it stands in: `["sweep", "target"]`.
    pub path: Vec<String>,
    /// Which item of its list, from 0.
    pub item: Option<usize>,
    /// Whether it is about the key's name rather than its value.
    pub name: bool,
}

/// A question that cannot be put so, and what in it is to blame.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[error("{error}")]
pub struct Refusal {
    /// What is wrong.
    pub error: Box<ConfigError>,
    /// Where, if one key is to blame.
    pub place: Option<Place>,
}

impl Place {
    /// The value of a key.
    pub fn of(path: &[&str]) -> Place {
        Place { path: path.iter().map(|&step| step.to_owned()).collect(), item: None, name: false }
    }

    /// One item of its list, from 0.
    pub fn item(self, at: usize) -> Place {
        Place { item: Some(at), ..self }
    }

    /// The key itself.
    pub fn name(self) -> Place {
        Place { name: true, ..self }
    }

    /// Where it begins in the text of a file, in bytes. What is missing there, such as an item where a single
    /// value will do, stands where the innermost thing stands that is not; `None` if nothing of it is there.
    pub fn find(&self, text: &str) -> Option<usize> {
        let root = DeTable::parse(text).ok()?;
        let mut table = Some(root.get_ref());
        let mut found = None;
        for step in &self.path {
            let Some((key, value)) =
                table.and_then(|table| table.iter().find(|(key, _)| key.get_ref() == step))
            else {
                return found;
            };
            let item = self.item.and_then(|at| value.get_ref().as_array()?.get(at));
            found = Some(if self.name { key.span().start } else { item.unwrap_or(value).span().start });
            table = value.get_ref().as_table();
        }
        found
    }

    /// Says what is wrong there.
    pub(super) fn refuse(self, error: impl Into<ConfigError>) -> Refusal {
        Refusal { error: Box::new(error.into()), place: Some(self) }
    }

    /// Says what is wrong there, in words.
    pub(super) fn say(self, message: String) -> Refusal {
        self.refuse(ConfigError::Value(message))
    }

    /// The value that a switch has in the setting of this number, from 0.
    fn of_switch(request: &Request, key: &str, setting: &toml::Table) -> Place {
        match request.sweep.switches.iter().find(|(swept, _)| swept == key) {
            Some((_, values)) => {
                let place = Place::of(&["sweep", key]);
                match values.iter().position(|value| setting.get(key) == Some(value)) {
                    Some(at) => place.item(at),
                    None => place,
                }
            }
            None => Place::of(&["rules", key]),
        }
    }

    /// What is to blame that a match cannot be set up with number `seats` of the seats asked for and this setting
    /// of the swept switches.
    pub(super) fn of_setup(
        request: &Request,
        error: &SetupError,
        seats: usize,
        setting: &toml::Table,
    ) -> Option<Place> {
        let switch = |key: &str| Place::of_switch(request, key, setting);
        let rules = match error {
            SetupError::Game { .. } => return Some(Place::of(&["game"])),
            SetupError::Rules(rules) => rules,
        };
        Some(match rules {
            RuleError::Seats { .. } => Place::of(&["seats"]).item(seats),
            // Not in a list of values, but the key is what is wrong.
            RuleError::Unknown { key, .. } => Place { item: None, ..switch(key).name() },
            RuleError::Value { key, .. } => switch(key),
            RuleError::Conflict(message) => {
                let set: Vec<(&String, &Value)> = request.rules.iter().chain(setting).collect();
                // What a message is about comes first in it: limits and other switches come after.
                let first = |words: &dyn Fn(&String, &Value) -> Vec<String>| {
                    let mentioned = set.iter().filter_map(|&(key, value)| {
                        let all = words(key, value);
                        Some((all.iter().filter_map(|word| mention(message, word)).min()?, key))
                    });
                    mentioned.min().map(|(_, key)| key)
                };
                let only = set.first().filter(|_| set.len() == 1).map(|&(key, _)| key);
                let named = first(&|key, _| vec![key.clone()]);
                switch(named.or_else(|| first(&|_, value| scalars(value))).or(only)?)
            }
        })
    }
}

/// Where a message first has a word, or the path of a file, in bytes.
fn mention(message: &str, word: &str) -> Option<usize> {
    let part = |character: char| character.is_alphanumeric() || character == '_';
    let whole = |at: usize| !message[..at].ends_with(part) && !message[at + word.len()..].starts_with(part);
    message.match_indices(word).map(|(at, _)| at).find(|&at| !word.is_empty() && whole(at))
}

/// The words and numbers of a value.
fn scalars(value: &Value) -> Vec<String> {
    match value {
        Value::Array(items) => items.iter().flat_map(scalars).collect(),
        Value::String(text) => vec![text.clone()],
        other => vec![other.to_string()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "game = \"pig\"\nagents = [\n  \"random\",\n  \"greedy\",\n]\nseats = 2\n\
        rules.turn_cap = 5\n[sweep]\ntarget = [20,\n  30]\n[fair]\nswitch = \"target\"\n";

    #[test]
    fn keys_items_and_tables_are_found() {
        let line = |place: Place| place.find(TEXT).map(|at| 1 + TEXT[..at].matches('\n').count());
        assert_eq!(line(Place::of(&["game"])), Some(1));
        assert_eq!(line(Place::of(&["agents"])), Some(2));
        assert_eq!(line(Place::of(&["agents"]).item(1)), Some(4));
        // A single number is its only item.
        assert_eq!(line(Place::of(&["seats"]).item(0)), Some(6));
        assert_eq!(line(Place::of(&["rules", "turn_cap"])), Some(7));
        assert_eq!(line(Place::of(&["sweep", "target"]).item(1)), Some(10));
        assert_eq!(line(Place::of(&["fair", "switch"]).name()), Some(12));
        // What is not there stands where its table stands, if that does.
        assert_eq!(line(Place::of(&["fair", "other"])), Some(11));
        assert_eq!(line(Place::of(&["margin"])), None);
        let target = Place::of(&["sweep", "target"]).name().find(TEXT).unwrap();
        assert!(TEXT[target..].starts_with("target"));
    }

    #[test]
    fn words_of_a_message() {
        assert_eq!(mention("starting_hp cannot be 0: expected 0 to 5", "0"), Some(22));
        assert_eq!(mention("`a` and b", "a"), Some(1));
        for (message, word) in [("starting_hp cannot be 10", "0"), ("starting_hp", "hp"), ("a", "")] {
            assert_eq!(mention(message, word), None);
        }
    }
}
