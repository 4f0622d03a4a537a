//! Game trees written as text: the format, reading and checking it. See [`TreeFile`].

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display};
use std::str::FromStr;

use serde::de::{Error as _, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::game::{MAX_SEATS, ParseActionError};
use crate::text::one_line;

/// Nodes, ends included, in a tree.
pub const MAX_NODES: usize = 5_000;
/// Events from the start to any end.
pub const MAX_DEPTH: u32 = 100;
/// Letters in the name of an action.
pub const MAX_LETTERS: usize = 16;
/// The greatest payoff, and with a minus the least.
const MAX_PAYOFF: f64 = 1e9;

/// What an action or an outcome of luck is called: 1 to 16 letters, digits, `-`, `_` and `.`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Word([u8; MAX_LETTERS]);

impl Word {
    fn text(&self) -> &str {
        let end = self.0.iter().position(|&byte| byte == 0).unwrap_or(MAX_LETTERS);
        // Only ASCII is let in.
        std::str::from_utf8(&self.0[..end]).unwrap_or_default()
    }
}

impl Display for Word {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.text())
    }
}

impl FromStr for Word {
    type Err = ParseActionError;
    fn from_str(text: &str) -> Result<Word, ParseActionError> {
        let word = text.trim();
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
        if !(1..=MAX_LETTERS).contains(&word.len()) || !word.bytes().all(plain) {
            return Err(ParseActionError::new(text, "1 to 16 letters, digits, `-`, `_` or `.`"));
        }
        let mut letters = [0; MAX_LETTERS];
        letters[..word.len()].copy_from_slice(word.as_bytes());
        Ok(Word(letters))
    }
}

/// A game tree as it is written.
///
/// ```toml
/// seats = 2
/// start = "coin"
///
/// [node.coin]                        # luck; weights need not add to 1, and are equal where left out
/// chance = { heads = "call", tails = "blind" }
/// weights = { heads = 1, tails = 2 }
/// seen_by = [1]                      # who learns what happened here (left out: all)
///
/// [node.call]                        # a decision of seat 1; a list of payoffs, one a seat, ends the game
/// seat = 1
/// actions = { left = [1, 0], right = "both" }
/// estimate = [0.9, 0.1]              # what a searcher is told of this node (left out: uniform play's mean)
///
/// [node.both]                        # seats 1 and 2 choose at once: a word each, every combination
/// seats = [1, 2]
/// choices = { "up in" = [1, 0], "up out" = [0, 1], "down in" = [0, 1], "down out" = [1, 0] }
///
/// [node.blind]                       # decisions that a seat cannot tell apart offer it the same actions
/// seat = 1
/// actions = { left = [0, 1], right = [1, 0] }
/// ```
///
/// Every node but the start follows exactly one other. Who cannot tell nodes apart follows from what was seen
/// on the way: a seat remembers all that it saw, its own choices included, and that something happened where
/// it saw nothing; and it knows whether it is asked now, and whether the game is over. Seats are counted from 1.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TreeFile {
    /// Number of seats, 2 to 6.
    pub seats: usize,
    /// The name of the first node.
    pub start: String,
    /// The nodes by name.
    pub node: BTreeMap<String, NodeText>,
}

/// A node as it is written: exactly one of `chance`, `actions` and `choices`.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NodeText {
    /// Luck: what each outcome leads to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chance: Option<BTreeMap<String, Goal>>,
    /// How likely each outcome is, compared with the others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weights: Option<BTreeMap<String, f64>>,
    /// Who decides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seat: Option<usize>,
    /// What each of its actions leads to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actions: Option<BTreeMap<String, Goal>>,
    /// Who choose at once, ascending.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seats: Option<Vec<usize>>,
    /// What each joint choice, a word for each of `seats`, leads to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choices: Option<BTreeMap<String, Goal>>,
    /// Who learns what happened here, besides whoever chose it; left out: all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seen_by: Option<Vec<usize>>,
    /// What a searcher is told of the payoffs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<Vec<f64>>,
}

/// What follows.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(untagged)]
pub enum Goal {
    /// A node by name.
    Node(String),
    /// The end, with a payoff for each seat.
    End(Vec<f64>),
}

impl<'de> Deserialize<'de> for Goal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Goal, D::Error> {
        struct GoalVisitor;
        impl<'de> Visitor<'de> for GoalVisitor {
            type Value = Goal;
            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("the name of a node or a list of payoffs")
            }
            fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<Goal, E> {
                Ok(Goal::Node(name.to_owned()))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Goal, A::Error> {
                let mut payoffs = Vec::new();
                while let Some(payoff) = list.next_element()? {
                    if payoffs.len() == MAX_SEATS {
                        return Err(A::Error::custom("a list of payoffs is longer than any table"));
                    }
                    payoffs.push(payoff);
                }
                Ok(Goal::End(payoffs))
            }
        }
        deserializer.deserialize_any(GoalVisitor)
    }
}

/// A tree that is not as it should be.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TreeError {
    /// It cannot be read.
    #[error("cannot read the tree file {path}: {reason}")]
    Unreadable {
        /// The path as given.
        path: String,
        /// What the system said.
        reason: String,
    },
    /// It is no table of this form, or the tree as a whole is wrong.
    #[error("tree file: {0}")]
    Form(String),
    /// A node is wrong.
    #[error("tree file, node `{node}`: {reason}")]
    Node {
        /// Its name.
        node: String,
        /// What is wrong.
        reason: String,
    },
}

impl TreeFile {
    /// Reads a file; the tree itself is checked by [`super::tree::Tree::new_from`].
    ///
    /// # Errors
    /// [`TreeError`] if it cannot be read or is no table of this form.
    pub fn load(path: &str) -> Result<TreeFile, TreeError> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| TreeError::Unreadable { path: path.to_owned(), reason: error.to_string() })?;
        TreeFile::parse(&text)
    }

    /// Reads a text: see [`TreeFile::load`].
    ///
    /// # Errors
    /// [`TreeError::Form`] with the line and what is wrong with it.
    pub fn parse(text: &str) -> Result<TreeFile, TreeError> {
        toml::from_str(text).map_err(|error| {
            let line = error.span().map(|span| 1 + text[..span.start].matches('\n').count());
            let place = line.map(|line| format!("line {line}: ")).unwrap_or_default();
            TreeError::Form(format!("{place}{}", one_line(error.message())))
        })
    }

    /// The built-in tree: seat 1 sees a coin and either asks seat 2 to name it, or dares it to a choice at
    /// once, which pays by what the coin shows. Further seats watch.
    pub fn built_in(seats: usize) -> TreeFile {
        let end = |points: i32| {
            let mut payoffs = vec![0.0; seats];
            (payoffs[0], payoffs[1]) = (points as f64, -points as f64);
            Goal::End(payoffs)
        };
        let to = |name: &str| Goal::Node(name.to_owned());
        let map = |goals: Vec<(&str, Goal)>| {
            Some(goals.into_iter().map(|(word, goal)| (word.to_owned(), goal)).collect())
        };
        let mut node = BTreeMap::new();
        let coin = map(vec![("heads", to("heads")), ("tails", to("tails"))]);
        node.insert("coin".into(), NodeText { chance: coin, seen_by: Some(vec![1]), ..NodeText::default() });
        for (side, dares) in [("heads", [3, -1, -1, 0]), ("tails", [-1, 1, 1, -2])] {
            let (asked, dared) = (format!("{side}-asked"), format!("{side}-dared"));
            let actions = map(vec![("ask", to(&asked)), ("dare", to(&dared))]);
            node.insert(side.into(), NodeText { seat: Some(1), actions, ..NodeText::default() });
            let guess = |said: &'static str| (said, end(if said == side { -1 } else { 1 }));
            let actions = map(vec![guess("heads"), guess("tails")]);
            node.insert(asked, NodeText { seat: Some(2), actions, ..NodeText::default() });
            let words = ["up in", "up out", "down in", "down out"];
            let choices = map(words.into_iter().zip(dares.map(end)).collect());
            node.insert(dared, NodeText { seats: Some(vec![1, 2]), choices, ..NodeText::default() });
        }
        TreeFile { seats, start: "coin".into(), node }
    }
}

/// What happens at a node, checked.
pub(super) enum Step {
    /// Luck, with probabilities.
    Chance(Vec<f64>),
    /// These seats choose (one: alone). For each its words in order; the joint choices are in the order of
    /// counting with the first seat's word as the most significant digit.
    Choice(Vec<(usize, Vec<Word>)>),
}

/// A node of the file, checked by itself: what happens, each outcome's word (none for joint choices), and what
/// follows.
pub(super) struct Checked<'f> {
    pub step: Step,
    pub words: Vec<Word>,
    pub goals: Vec<&'f Goal>,
}

/// Checks one node by itself.
pub(super) fn check_node(text: &NodeText, seats: usize) -> Result<Checked<'_>, String> {
    let seat_there = |seat: usize| match seat {
        _ if (1..=seats).contains(&seat) => Ok(seat - 1),
        _ => Err(format!("there is no seat {seat} among {seats}")),
    };
    for list in [&text.seen_by, &text.seats].into_iter().flatten() {
        list.iter().try_for_each(|&seat| seat_there(seat).map(|_| ()))?;
        if !list.is_sorted_by(|one, next| one < next) {
            return Err("seats are listed ascending, each once".into());
        }
    }
    if let Some(estimate) = &text.estimate {
        check_payoffs(estimate, seats)?;
    }
    let word = |text: &String| text.parse::<Word>().map_err(|error| error.to_string());
    match (text, &text.chance, &text.actions, &text.choices) {
        (NodeText { seat: None, seats: None, .. }, Some(outcomes), None, None) => {
            let words = outcomes.keys().map(word).collect::<Result<Vec<_>, _>>()?;
            let probabilities = probabilities(outcomes, text.weights.as_ref())?;
            Ok(Checked { step: Step::Chance(probabilities), words, goals: outcomes.values().collect() })
        }
        (_, Some(_), None, None) => Err("luck is nobody's choice: `chance` goes without a seat".into()),
        (NodeText { weights: Some(_), .. }, ..) => Err("`weights` belong to `chance`".into()),
        (NodeText { seat: Some(seat), seats: None, .. }, None, Some(actions), None) => {
            let seat = seat_there(*seat)?;
            let words = actions.keys().map(word).collect::<Result<Vec<_>, _>>()?;
            if words.is_empty() {
                return Err("there is nothing to choose".into());
            }
            let step = Step::Choice(vec![(seat, words.clone())]);
            Ok(Checked { step, words, goals: actions.values().collect() })
        }
        (NodeText { seat: None, seats: Some(choosers), .. }, None, None, Some(choices)) => {
            together(choosers, choices)
        }
        (_, None, Some(_), None) => Err("`actions` need one `seat`".into()),
        (_, None, None, Some(_)) => Err("`choices` need a list of `seats`".into()),
        _ => Err("expected exactly one of `chance`, `actions` and `choices`".into()),
    }
}

fn probabilities(
    outcomes: &BTreeMap<String, Goal>,
    weights: Option<&BTreeMap<String, f64>>,
) -> Result<Vec<f64>, String> {
    if outcomes.is_empty() {
        return Err("luck has no outcome".into());
    }
    let Some(weights) = weights else {
        return Ok(vec![1.0 / outcomes.len() as f64; outcomes.len()]);
    };
    if !weights.keys().eq(outcomes.keys()) {
        return Err("`weights` and `chance` do not name the same outcomes".into());
    }
    let bad = weights.iter().find(|(_, weight)| !(1e-9..=1e9).contains(*weight));
    if let Some((outcome, weight)) = bad {
        return Err(format!("the weight of `{outcome}` is {weight}: expected a number from 1e-9 to 1e9"));
    }
    let sum: f64 = weights.values().sum();
    Ok(weights.values().map(|weight| weight / sum).collect())
}

fn together<'f>(choosers: &[usize], choices: &'f BTreeMap<String, Goal>) -> Result<Checked<'f>, String> {
    if choosers.len() < 2 {
        return Err("`choices` need two seats or more: one alone has `seat` and `actions`".into());
    }
    let mut joints = BTreeMap::new();
    for (text, goal) in choices {
        let joint =
            text.split_whitespace().map(|word| word.parse().map_err(|e: ParseActionError| e.to_string()));
        let joint = joint.collect::<Result<Vec<Word>, _>>()?;
        if joint.len() != choosers.len() {
            return Err(format!("`{text}` has {} words for {} seats", joint.len(), choosers.len()));
        }
        if joints.insert(joint, goal).is_some() {
            return Err(format!("`{text}` is there twice"));
        }
    }
    let words_of = |place: usize| joints.keys().map(|joint| joint[place]).collect::<BTreeSet<Word>>();
    let lists: Vec<Vec<Word>> =
        (0..choosers.len()).map(|place| words_of(place).into_iter().collect()).collect();
    let product: usize = lists.iter().map(Vec::len).product();
    if product != joints.len() || product == 0 {
        return Err(format!("{} joint choices are there, and {product} are possible", joints.len()));
    }
    let step = Step::Choice(choosers.iter().map(|seat| seat - 1).zip(lists).collect());
    Ok(Checked { step, words: Vec::new(), goals: joints.into_values().collect() })
}

/// Checks a list of payoffs.
pub(super) fn check_payoffs(payoffs: &[f64], seats: usize) -> Result<(), String> {
    if payoffs.len() != seats {
        return Err(format!("{} payoffs for {seats} seats", payoffs.len()));
    }
    match payoffs.iter().find(|payoff| !(payoff.abs() <= MAX_PAYOFF)) {
        Some(payoff) => Err(format!("the payoff {payoff} is not within -1e9 to 1e9")),
        None => Ok(()),
    }
}
