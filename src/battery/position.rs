//! One state held to every property: copies, JSON, keys, lists, chance, texts, judgement, words.

use std::collections::BTreeSet;
use std::fmt;

use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::inspector::{Checked, Inspector, Shared, check_sample};
use super::{Fault, Property, Report, demand};
use crate::game::{Ink, PushKind, Seat, SeatSet, Source, Turn, state_key};
use crate::games::Catalogued;

/// Actions of one list that are tried, edges of one distribution that are sampled, events that a clone is
/// played on for.
const TRIED: usize = 24;
const EDGES: usize = 16;
const WANDER: usize = 6;
/// Actions kept for trying them elsewhere.
const POOL: usize = 256;
/// Widest line of a drawn board.
const WIDTH: usize = 100;

impl<G: Catalogued> Inspector<'_, G> {
    /// Everything about the present state.
    pub fn inspect(&mut self, turn: Turn, shared: &mut Shared<G>) -> Checked {
        let report = &mut shared.report;
        self.check_clones(report)?;
        self.check_json(report)?;
        self.check_judgement(turn, report)?;
        self.check_board(report)?;
        match turn {
            Turn::Over => {}
            Turn::Decision(seat) => self.check_list(seat, true, shared)?,
            Turn::Simultaneous(seats) => {
                for seat in seats.iter() {
                    self.check_list(seat, false, shared)?;
                }
                self.check_joint(seats, &mut shared.report)?;
            }
            Turn::Chance(source) => self.check_chance(source, report)?,
        }
        self.action = None;
        self.check_hidden(turn, shared)
    }

    /// Plays on at random for a few events.
    fn wander(&mut self, state: &mut G::State, report: &mut Report) -> Checked {
        for _ in 0..WANDER {
            self.wanderer = Some(state.clone());
            self.check_playable(state, report)?;
            match self.game.turn(state) {
                Turn::Over => break,
                Turn::Chance(_) => {
                    let outcome = self.game.sample_chance(state, self.stream.word());
                    self.action = Some(outcome);
                    self.game.apply(state, outcome);
                }
                Turn::Decision(seat) => {
                    let action = self.game.random_action(state, seat, &mut self.stream, &mut self.scratch);
                    self.action = Some(action);
                    self.game.apply(state, action);
                }
                Turn::Simultaneous(seats) => {
                    let draw =
                        |seat| self.game.random_action(state, seat, &mut self.stream, &mut self.scratch);
                    let joint: Vec<G::Action> = seats.iter().map(draw).collect();
                    self.game.apply_together(state, &joint);
                }
            }
            self.action = None;
        }
        self.wanderer = None;
        Ok(())
    }

    fn check_clones(&mut self, report: &mut Report) -> Checked {
        let key = state_key(&self.state);
        let original = self.state.clone();
        let mut copy = original.clone();
        demand!(report, Clones, copy == original, "a clone is not equal to its original");
        self.wander(&mut copy, report)?;
        let still = state_key(&original) == key && original == self.state;
        demand!(report, Clones, still, "playing on with a clone changed the original");
        let (copy, mut original) = (original.clone(), original);
        self.wander(&mut original, report)?;
        let still = state_key(&copy) == key && copy == self.state;
        demand!(report, Clones, still, "playing on with the original changed its clone");
        Ok(())
    }

    fn check_json(&mut self, report: &mut Report) -> Checked {
        let broken = |error: serde_json::Error| Fault::new(Property::Serde, error.to_string());
        let json = serde_json::to_string(&self.state).map_err(broken)?;
        let back: G::State = serde_json::from_str(&json)
            .map_err(|error| Fault::new(Property::Serde, format!("{json} does not read back: {error}")))?;
        demand!(report, Serde, back == self.state, "{json} reads back as {back:?}");
        let same = state_key(&back) == state_key(&self.state);
        demand!(report, Serde, same, "{json} reads back as an equal state with another hash");
        let twice = serde_json::to_string(&back).map_err(broken)?;
        demand!(report, Serde, twice == json, "the state read back from {json} is written {twice}");
        let tree = serde_json::to_value(&self.state).map_err(broken)?;
        let from_tree = serde_json::from_value::<G::State>(tree).map_err(broken)?;
        demand!(report, Serde, from_tree == self.state, "through a tree {json} becomes {from_tree:?}");
        if json.starts_with('{') {
            let Fields(fields) = serde_json::from_str(&json).map_err(broken)?;
            let expected = self.fields.get_or_insert_with(|| fields.clone());
            demand!(report, Serde, fields == *expected, "fields {fields:?} after fields {expected:?}");
        }
        let keys = self.game.search_key(&back) == self.game.search_key(&self.state);
        demand!(report, Keys, keys, "an equal state has another key for search");
        for seat in Seat::all(self.game.seats()) {
            let key = self.game.information_key(&self.state, seat);
            let same = self.game.information_key(&back, seat) == key;
            demand!(report, Keys, same, "an equal state has another key of information for seat {seat}");
            if !self.game.has_hidden() && self.before != self.state {
                let apart = self.game.information_key(&self.before, seat) != key;
                demand!(report, Keys, apart, "seat {seat} cannot tell this state from the one before");
            }
        }
        Ok(())
    }

    fn check_judgement(&mut self, turn: Turn, report: &mut Report) -> Checked {
        let game = self.game;
        let asked = |state: &G::State| (game.turn_id(state), game.in_compound(state));
        let copy = self.state.clone();
        demand!(report, Keys, asked(&copy) == asked(&self.state), "equal states are in different turns");
        let Some(push) = game.push(&self.state) else { return Ok(()) };
        demand!(
            report,
            Push,
            game.push_kind() != PushKind::None,
            "{push:?} in a game without such decisions"
        );
        let Turn::Decision(seat) = turn else {
            return Err(Fault::new(Property::Push, format!("{push:?} where nobody decides alone")));
        };
        game.actions(&self.state, seat, &mut self.scratch);
        let legal = self.scratch.contains(&push.roll) && self.scratch.contains(&push.stop);
        let fits = legal && push.roll != push.stop;
        demand!(report, Push, fits, "{push:?} does not name two of the legal actions");
        let limited = game.push_kind() == PushKind::Limited;
        demand!(
            report,
            Push,
            push.limit.is_some() == limited,
            "{push:?} in a game of {:?}",
            game.push_kind()
        );
        Ok(())
    }

    fn check_board(&mut self, report: &mut Report) -> Checked {
        let plain = self.game.draw(&self.state, Ink::Plain);
        demand!(report, Narration, !plain.trim().is_empty(), "the board is empty");
        let widest = plain.lines().map(|line| line.chars().count()).max().unwrap_or(0);
        demand!(report, Narration, widest <= WIDTH, "the board is {widest} characters wide:\n{plain}");
        let control = plain.chars().any(|c| c.is_control() && c != '\n');
        demand!(report, Narration, !control, "the plain board holds control characters: {plain:?}");
        let coloured = self.game.draw(&self.state, Ink::Colour);
        demand!(report, Narration, !coloured.trim().is_empty(), "the coloured board is empty");
        Ok(())
    }

    /// What was told of the step just made.
    pub fn check_telling(&mut self, turn: Turn, report: &mut Report) -> Checked {
        let told = |seat: Option<Seat>, action| self.game.tell(&self.before, seat, action, &self.state);
        let lines: Vec<String> = match (turn, self.action) {
            (Turn::Chance(source), Some(action)) => vec![told(source.seat, action)],
            (Turn::Decision(seat), Some(action)) => vec![told(Some(seat), action)],
            (Turn::Simultaneous(seats), _) => {
                seats.iter().zip(&self.joint).map(|(seat, &action)| told(Some(seat), action)).collect()
            }
            _ => Vec::new(),
        };
        for line in lines {
            demand!(report, Narration, is_line(&line), "the step is told {line:?}");
        }
        Ok(())
    }

    /// The list of one seat that is to choose.
    fn check_list(&mut self, seat: Seat, alone: bool, shared: &mut Shared<G>) -> Checked {
        let (game, report) = (self.game, &mut shared.report);
        game.actions(&self.state, seat, &mut self.actions);
        let distinct: BTreeSet<G::Action> = self.actions.iter().copied().collect();
        demand!(
            report,
            NoDuplicates,
            distinct.len() == self.actions.len(),
            "listed twice: {:?}",
            self.actions
        );
        if self.pool.len() < POOL {
            self.pool.extend(&distinct);
        }
        // A buffer that is not empty, and longer than the list.
        let mut again = self.pool.iter().copied().chain(self.actions.iter().rev().copied()).collect();
        game.actions(&self.state, seat, &mut again);
        demand!(report, StableLists, again == self.actions, "{:?}, and then {again:?}", self.actions);

        // Long lists are read whole at one state in four.
        let whole = self.stream.below(4) == 0 || self.actions.len() <= TRIED;
        let read = if whole { self.actions.len() } else { TRIED };
        let mut texts = BTreeSet::new();
        let start = self.stream.below(self.actions.len());
        for index in 0..read {
            let action = self.actions[(start + index) % self.actions.len()];
            self.action = Some(action);
            check_text(action, report)?;
            let unique = texts.insert(action.to_string());
            demand!(report, Text, unique, "two actions are written `{action}`");
        }
        for index in 0..self.actions.len().min(TRIED) {
            let action = self.actions[(start + index) % self.actions.len()];
            self.action = Some(action);
            let answer = game.check_action(&self.state, seat, action);
            demand!(report, Legal, answer.is_ok(), "a listed action is refused: {answer:?}");
            if alone {
                let mut after = self.state.clone();
                game.apply(&mut after, action);
                let mut played = self.state.clone();
                let answer = game.play(&mut played, seat, action);
                let same = answer.is_ok() && played == after;
                demand!(report, Legal, same, "applied {after:?}, played {played:?} ({answer:?})");
                self.check_playable(&after, report)?;
            }
            if index < 4 {
                let words = game.describe(&self.state, seat, action);
                demand!(report, Narration, is_line(&words), "the action is described {words:?}");
            }
        }
        self.action = None;

        let mut weights = vec![f32::NAN; self.actions.len() + 3];
        game.prior(&self.state, seat, &self.actions, &mut weights);
        let sound = weights.len() == self.actions.len()
            && weights.iter().all(|weight| weight.is_finite() && *weight >= 0.0);
        demand!(report, Prior, sound, "weights {weights:?} for {:?}", self.actions);
        if alone {
            let mut kept = self.actions.clone();
            game.prune(&self.state, &mut kept);
            let subset: BTreeSet<G::Action> = kept.iter().copied().collect();
            let sound = !kept.is_empty() && subset.len() == kept.len() && subset.is_subset(&distinct);
            demand!(report, Prune, sound, "{:?} is pruned to {kept:?}", self.actions);
        }
        self.check_draws(seat, shared)
    }

    /// That the game can go on from a state ahead.
    fn check_playable(&mut self, after: &G::State, report: &mut Report) -> Checked {
        let turn = self.game.turn(after);
        let stuck = match turn {
            Turn::Over => false,
            Turn::Decision(seat) => {
                self.game.actions(after, seat, &mut self.scratch);
                self.scratch.is_empty()
            }
            Turn::Simultaneous(seats) => seats.is_empty(),
            Turn::Chance(_) => {
                let mut outcomes = Vec::new();
                self.game.chance(after, &mut outcomes);
                outcomes.is_empty()
            }
        };
        demand!(report, SomethingLegal, !stuck, "nothing can happen in {after:?}");
        let ending = self.game.outcome(after).map(|outcome| outcome.ending());
        let fits = ending.is_some() == (turn == Turn::Over);
        demand!(report, Outcome, fits, "in {after:?} the turn is {turn:?} and the ending {ending:?}");
        Ok(())
    }

    fn check_joint(&mut self, seats: SeatSet, report: &mut Report) -> Checked {
        for _ in 0..4 {
            let mut joint = Vec::new();
            for seat in seats.iter() {
                self.game.actions(&self.state, seat, &mut self.scratch);
                joint.push(self.scratch[self.stream.below(self.scratch.len())]);
            }
            self.action = joint.first().copied();
            let mut after = self.state.clone();
            self.game.apply_together(&mut after, &joint);
            let mut played = self.state.clone();
            let answer = self.game.play_together(&mut played, &joint);
            let same = answer.is_ok() && played == after;
            demand!(report, Together, same, "applied {after:?}, played {played:?} ({answer:?})");
            self.check_playable(&after, report)?;
            let mut alone = self.state.clone();
            for (seat, &action) in seats.iter().zip(&joint) {
                let answer = self.game.play(&mut alone, seat, action);
                let refused = answer.is_err() && alone == self.state;
                demand!(
                    report,
                    Together,
                    refused,
                    "seat {seat} may play `{action}` before the others choose"
                );
            }
            joint.pop();
            let answer = self.game.play_together(&mut alone, &joint);
            let refused = answer.is_err() && alone == self.state;
            demand!(report, Together, refused, "a joint choice with one part missing is accepted");
        }
        Ok(())
    }

    fn check_chance(&mut self, _source: Source, report: &mut Report) -> Checked {
        let game = self.game;
        game.chance(&self.state, &mut self.outcomes);
        let mut again: Vec<(G::Action, f64)> =
            self.outcomes.iter().rev().chain(&self.outcomes).copied().collect();
        game.chance(&self.state, &mut again);
        demand!(report, StableLists, again == self.outcomes, "{:?}, and then {again:?}", self.outcomes);
        let distinct: BTreeSet<G::Action> = self.outcomes.iter().map(|(outcome, _)| *outcome).collect();
        let once = distinct.len() == self.outcomes.len();
        demand!(report, NoDuplicates, once, "listed twice: {:?}", self.outcomes);
        let positive =
            self.outcomes.iter().all(|&(_, probability)| probability > 0.0 && probability.is_finite());
        demand!(report, Probabilities, positive, "not all positive: {:?}", self.outcomes);
        let sum: f64 = self.outcomes.iter().map(|(_, probability)| probability).sum();
        let whole = (sum - 1.0).abs() < 1e-9;
        demand!(report, Probabilities, whole, "they add to {sum}: {:?}", self.outcomes);
        if self.pool.len() < POOL {
            self.pool.extend(&distinct);
        }
        let mut texts = BTreeSet::new();
        for &(outcome, _) in &self.outcomes {
            self.action = Some(outcome);
            check_text(outcome, report)?;
            demand!(report, Text, texts.insert(outcome.to_string()), "two outcomes are written `{outcome}`");
        }
        self.action = None;
        self.check_edges(report)?;
        let start = self.stream.below(self.outcomes.len());
        for index in 0..self.outcomes.len().min(TRIED) {
            let outcome = self.outcomes[(start + index) % self.outcomes.len()].0;
            self.action = Some(outcome);
            let mut after = self.state.clone();
            game.apply(&mut after, outcome);
            let mut played = self.state.clone();
            let answer = game.play_chance(&mut played, outcome);
            let same = answer.is_ok() && played == after;
            demand!(report, Legal, same, "applied {after:?}, played {played:?} ({answer:?})");
            self.check_playable(&after, report)?;
        }
        Ok(())
    }

    /// Words at both ends, in the middle of each outcome's part, and just below and above its upper edge.
    fn check_edges(&mut self, report: &mut Report) -> Checked {
        const SCALE: f64 = 18_446_744_073_709_551_616.0;
        let sample = |word: u64| (word, self.game.sample_chance(&self.state, word));
        let (word, first) = sample(0);
        demand!(
            report,
            Sampling,
            first == self.outcomes[0].0,
            "the word {word} gives `{first}`, not the first"
        );
        let (word, last) = sample(u64::MAX);
        let expected = self.outcomes[self.outcomes.len() - 1].0;
        demand!(report, Sampling, last == expected, "the word {word} gives `{last}`, not the last");
        let skip = self.stream.below(self.outcomes.len().saturating_sub(EDGES) + 1);
        let mut below = 0.0;
        for (index, &(_, probability)) in self.outcomes.iter().enumerate() {
            let edge = below + probability;
            if (skip..skip + EDGES).contains(&index) {
                // Twice the tolerance away: only the right side is right there.
                let step = 2.0 / (1_u64 << 40) as f64;
                for target in [below + probability / 2.0, edge - step, edge + step] {
                    if (0.0..1.0).contains(&target) {
                        let (word, outcome) = sample((target * SCALE) as u64);
                        check_sample(&self.outcomes, word, outcome, report)
                            .map_err(|fault| fault.with(outcome))?;
                    }
                }
            }
            below = edge;
        }
        Ok(())
    }
}

fn check_text<A: crate::game::GameAction>(action: A, report: &mut Report) -> Checked {
    let text = action.to_string();
    demand!(report, Text, is_line(&text) && text.trim() == text, "{action:?} is written {text:?}");
    let back = text.parse::<A>();
    demand!(
        report,
        Text,
        back.as_ref() == Ok(&action),
        "{action:?} is written `{text}` and read as {back:?}"
    );
    Ok(())
}

/// One line with something in it.
fn is_line(text: &str) -> bool {
    !text.trim().is_empty() && !text.contains(['\n', '\r'])
}

/// The names of the fields of a JSON object, in order.
struct Fields(Vec<String>);

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Fields, D::Error> {
        struct Names;
        impl<'de> Visitor<'de> for Names {
            type Value = Fields;
            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("an object")
            }
            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Fields, M::Error> {
                let mut names = Vec::new();
                while let Some(name) = map.next_key()? {
                    map.next_value::<IgnoredAny>()?;
                    names.push(name);
                }
                Ok(Fields(names))
            }
        }
        deserializer.deserialize_map(Names)
    }
}
