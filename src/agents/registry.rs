//! Text to agent: names, parameters with their ranges, and profiles.
//!
//! An agent's file says what it is ([`Entry`]); this one knows them all. The text form is
//! `name[:key=value]...`, where the name is that of an agent, that of a built-in profile or the path of a
//! profile file; parameters after a profile override its own. Every agent takes `forbid=kind+kind`
//! ([`super::restricted`]). A [`Spec`] is the resolved form: it shows every parameter that was set, and two
//! specs that differ in anything are different agents.

use std::any::Any;
use std::fmt;

use serde::Deserialize;

use super::parameters::{Domain, Parameter, Parameters, Settings, Value};
use super::restricted::Restricted;
use super::{Agent, expectimax, flat, greedy, human, matrix, mcts, random, threshold, two_turn};
use crate::game::{Heuristics, PushKind};
use crate::games::Catalogued;
use crate::games::registry::{self, Setup, Visitor};
use crate::games::switches::closest;
use crate::text::too_large;

/// What is known of an agent without building it.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The name people type.
    pub name: &'static str,
    /// One line.
    pub summary: &'static str,
    /// Its parameters.
    pub parameters: &'static [Parameter],
}

/// Every agent.
pub const ENTRIES: &[Entry] = &[
    random::ENTRY,
    greedy::ENTRY,
    threshold::ENTRY,
    expectimax::ENTRY,
    mcts::ENTRY,
    flat::ENTRY,
    matrix::ENTRY,
    two_turn::ENTRY,
    human::ENTRY,
];

/// Built-in profiles: name and text.
pub const PROFILES: &[(&str, &str)] = &[
    ("rule-of-thumb", include_str!("../../agents/rule-of-thumb.toml")),
    ("djinn", include_str!("../../agents/djinn.toml")),
    ("djinn-fast", include_str!("../../agents/djinn-fast.toml")),
    ("vizier", include_str!("../../agents/vizier.toml")),
    ("vizier-fast", include_str!("../../agents/vizier-fast.toml")),
    ("captain", include_str!("../../agents/captain.toml")),
    ("captain-fast", include_str!("../../agents/captain-fast.toml")),
];

/// An agent that could not be made.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct AgentError(String);

/// An agent by name and parameters.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Spec {
    name: &'static str,
    parameters: Parameters,
    /// Kinds of action that it must not take where anything else is legal, in alphabetical order.
    forbid: Vec<String>,
}

impl fmt::Display for Spec {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.name)?;
        self.parameters.iter().try_for_each(|(key, value)| write!(out, ":{key}={value}"))?;
        if self.forbid.is_empty() { Ok(()) } else { write!(out, ":{FORBID}={}", self.forbid.join("+")) }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Profile {
    agent: String,
    #[serde(default)]
    parameters: toml::Table,
}

/// The entry of a name.
///
/// # Errors
/// With the nearest name.
pub fn entry(name: &str) -> Result<&'static Entry, AgentError> {
    ENTRIES.iter().find(|entry| entry.name == name).ok_or_else(|| {
        let names = ENTRIES.iter().map(|entry| entry.name).chain(PROFILES.iter().map(|&(name, _)| name));
        let near = closest(name, names).map(|near| format!(" (did you mean `{near}`?)"));
        AgentError(format!(
            "there is no agent `{name}`{}; `dhow agents` lists them",
            near.unwrap_or_default()
        ))
    })
}

/// The parameter of every agent, profiles included, that names the kinds of action it must not take.
const FORBID: &str = "forbid";

/// Parameters of which an agent takes one: of both, none; typed after a profile's name, one replaces the other.
const EXCLUSIVE: &[[&str; 2]] = &[["iterations", "milliseconds"], ["margin", "hold"]];

impl Spec {
    /// Whether a text names a profile file rather than an agent.
    pub fn is_path(text: &str) -> bool {
        let (name, _) = Spec::split(text);
        name.ends_with(".toml") || name.contains('/')
    }

    /// The name of an agent or a profile, or the path of one, and the parameters that follow it.
    pub fn split(text: &str) -> (&str, Vec<&str>) {
        let (mut name, mut parameters) = (text, Vec::new());
        // From the end, for a path may have colons of its own.
        while let Some((before, last)) = name.rsplit_once(':')
            && !last.contains('/')
            && (last.contains('=') || !before.contains('/'))
            && !last.ends_with(".toml")
        {
            name = before;
            parameters.insert(0, last);
        }
        (name.trim(), parameters)
    }

    /// Reads the text form.
    ///
    /// # Errors
    /// [`AgentError`] for an unknown name or parameter, a value out of range, or a broken profile.
    pub fn parse(text: &str) -> Result<Spec, AgentError> {
        let text = text.trim();
        let Some((agent, kinds)) = text.rsplit_once(&format!(":{FORBID}=")) else {
            return Spec::parse_unrestricted(text);
        };
        if agent.contains(&format!(":{FORBID}=")) {
            return Err(AgentError(format!("agent {text}: `{FORBID}` is set twice")));
        }
        // Further parameters may follow.
        let (kinds, rest) = kinds.split_once(':').map_or((kinds, ""), |(kinds, rest)| (kinds, rest));
        let agent = if rest.is_empty() { agent.to_owned() } else { format!("{agent}:{rest}") };
        let mut spec = Spec::parse_unrestricted(&agent)?;
        spec.forbid(kinds.split('+').map(|kind| kind.trim().to_owned()).collect())?;
        Ok(spec)
    }

    /// Forbids the agent these kinds of action.
    fn forbid(&mut self, mut kinds: Vec<String>) -> Result<(), AgentError> {
        let name = self.name;
        if self.is_human() {
            return Err(AgentError("nobody can forbid agent human anything".into()));
        }
        if kinds.iter().any(String::is_empty) {
            return Err(AgentError(format!(
                "agent {name}: `{FORBID}` names kinds of action: {FORBID}=roll+stop"
            )));
        }
        kinds.sort_unstable();
        if let Some(twice) = kinds.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(AgentError(format!("agent {name}: `{FORBID}` names {} twice", twice[0])));
        }
        self.forbid = kinds;
        Ok(())
    }

    fn parse_unrestricted(text: &str) -> Result<Spec, AgentError> {
        let (name, parameters) = Spec::split(text);
        let profile = if Spec::is_path(name) {
            let read = std::fs::read_to_string(name);
            Some(read.map_err(|error| AgentError(format!("cannot read the agent profile {name}: {error}")))?)
        } else {
            PROFILES.iter().find(|(profile, _)| *profile == name).map(|(_, text)| (*text).to_owned())
        };
        let mut profile = match profile {
            Some(profile) => Spec::from_profile(name, &profile)?,
            None => Spec::bare(entry(name)?),
        };
        // What is typed is read by itself, so that a parameter may stand once there and once in the profile.
        let entry = entry(profile.name)?;
        let mut typed = Spec::bare(entry);
        for part in parameters {
            let (key, value) = part.split_once('=').ok_or_else(|| {
                AgentError(format!("agent `{text}`: `{part}` should have the form key=value"))
            })?;
            typed.set(entry, key.trim(), value.trim())?;
        }
        for (key, _) in typed.parameters.iter() {
            for pair in EXCLUSIVE.iter().filter(|pair| pair.contains(&key)) {
                pair.iter().for_each(|other| profile.parameters.unset(other));
            }
        }
        for (key, value) in typed.parameters.iter() {
            profile.parameters.set(key, value);
        }
        Ok(profile)
    }

    /// An agent with nothing set.
    fn bare(entry: &Entry) -> Spec {
        Spec { name: entry.name, parameters: Parameters::default(), forbid: Vec::new() }
    }

    fn from_profile(name: &str, text: &str) -> Result<Spec, AgentError> {
        let profile: Profile = toml::from_str(text).map_err(|error| {
            let line = error.span().map(|span| 1 + text[..span.start].matches('\n').count());
            let place = line.map(|line| format!(", line {line}")).unwrap_or_default();
            let most = |_: Option<&str>| i64::MAX.to_string();
            let large = error.span().and_then(|span| too_large(text, span.start, most));
            let what = large.as_deref().unwrap_or(error.message());
            AgentError(format!("agent profile {name}{place}: {what}"))
        })?;
        let of_file = |error: AgentError| AgentError(format!("agent profile {name}: {error}"));
        let agent = profile.agent.as_str();
        let Some(entry) = ENTRIES.iter().find(|entry| entry.name == agent) else {
            let names = ENTRIES.iter().map(|entry| entry.name);
            let near = match closest(agent, names.clone()) {
                _ if PROFILES.iter().any(|&(profile, _)| profile == agent) => ", another profile".into(),
                near => near.map(|near| format!(" (did you mean `{near}`?)")).unwrap_or_default(),
            };
            let all = names.collect::<Vec<_>>().join(", ");
            return Err(of_file(AgentError(format!("`agent` is `{agent}`{near}: expected one of {all}"))));
        };
        let mut spec = Spec::bare(entry);
        for (key, value) in &profile.parameters {
            // A word stands in quotes in a profile, but not in the text form.
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            spec.set(entry, key, &text).map_err(of_file)?;
        }
        Ok(spec)
    }

    fn set(&mut self, entry: &Entry, key: &str, value: &str) -> Result<(), AgentError> {
        let name = entry.name;
        let Some(parameter) = entry.parameters.iter().find(|parameter| parameter.key == key) else {
            let near = closest(key, entry.parameters.iter().map(|parameter| parameter.key));
            let near = near.map(|near| format!(" (did you mean `{near}`?)")).unwrap_or_default();
            return Err(AgentError(format!(
                "agent {name} has no parameter `{key}`{near}; `dhow agents {name}` lists them"
            )));
        };
        match parameter.domain.read(value) {
            Some(value) if self.parameters.set(parameter.key, value).is_some() => {
                Err(AgentError(format!("agent {name}: `{key}` is set twice")))
            }
            Some(_) => Ok(()),
            None => Err(AgentError(format!(
                "agent {name}: `{key}` cannot be `{value}`: expected {}",
                parameter.domain
            ))),
        }
    }

    /// The name of the agent.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Whether this is a person at the terminal.
    pub fn is_human(&self) -> bool {
        self.name == "human"
    }

    /// The same agent with `times` its budget of iterations, nodes or samples (at most what it takes); `None` if it
    /// has none, or goes by the clock.
    pub fn deeper(&self, times: i64) -> Option<Spec> {
        let known = entry(self.name).ok()?.parameters;
        let budget = known.iter().find(|known| ["iterations", "nodes", "samples"].contains(&known.key))?;
        let (Domain::Whole(_, most), Some(Value::Whole(now)), true) =
            (budget.domain, self.parameters.get(known, budget.key), self.is_reproducible())
        else {
            return None;
        };
        let mut spec = self.clone();
        spec.parameters.set(budget.key, Value::Whole(now.saturating_mul(times).min(most)));
        Some(spec)
    }

    /// Whether it plays the same in every run: its choices do not depend on the clock.
    pub fn is_reproducible(&self) -> bool {
        !self.parameters.has("milliseconds")
    }

    /// The form that holds for a game: defaults that depend on it filled in.
    ///
    /// # Errors
    /// [`AgentError`] if the game has nothing for the agent to do, or parameters exclude each other.
    pub fn resolve<G: Heuristics>(&self, game: &G, game_name: &str) -> Result<Spec, AgentError> {
        let mut spec = self.clone();
        if let Some([one, other]) =
            EXCLUSIVE.iter().find(|pair| pair.iter().all(|key| self.parameters.has(key)))
        {
            return Err(AgentError(format!("agent {} takes {one} or {other}, not both", self.name)));
        }
        for kind in &self.forbid {
            let kinds = game.action_kinds();
            if !kinds.contains(&kind.as_str()) {
                let near = closest(kind, kinds.iter().copied());
                let near = near.map(|near| format!(" (did you mean `{near}`?)")).unwrap_or_default();
                let all = if kinds.is_empty() { "none".to_owned() } else { kinds.join(", ") };
                let name = self.name;
                return Err(AgentError(format!(
                    "agent {name} cannot be forbidden `{kind}`{near}: the kinds of action of {game_name} are {all}"
                )));
            }
        }
        if self.name == "threshold" {
            let kind = game.push_kind();
            let has = |key| self.parameters.has(key);
            match kind {
                PushKind::None => {
                    return Err(AgentError(format!(
                        "agent threshold cannot play {game_name}: it has no roll-or-stop decision"
                    )));
                }
                PushKind::Open if has("margin") => {
                    return Err(AgentError(format!(
                        "agent threshold: {game_name} has no limit to keep a margin to; use hold"
                    )));
                }
                PushKind::Open if !has("hold") => spec.parameters.set("hold", Value::Whole(20)),
                PushKind::Limited if !has("margin") && !has("hold") => {
                    spec.parameters.set("margin", Value::Whole(4))
                }
                _ => None,
            };
        }
        if self.name == "expectimax" {
            expectimax::resolve(&mut spec.parameters, game.push_kind()).map_err(AgentError)?;
        }
        Ok(spec)
    }

    /// Builds the agent for a game of the registry, as [`Spec::build`] does. All agents of these games are
    /// compiled here, once: a caller in another crate (the command line, the tests) compiles none of them again.
    ///
    /// # Errors
    /// As for [`Spec::build`], and if the registry has no such game.
    pub fn build_for<G: Catalogued>(&self) -> Result<Box<dyn Agent<G>>, AgentError> {
        let built = self.build_by_name(G::NAME, *G::SEATS.start())?;
        let other = || AgentError(format!("the registry has another game of the name {}", G::NAME));
        built.downcast().map(|agent| *agent).map_err(|_| other())
    }

    // Not generic, so that it is compiled in this crate alone: a generic caller would take everything that the
    // visit needs with it into its own crate.
    #[inline(never)]
    fn build_by_name(&self, game: &str, seats: usize) -> Result<Box<dyn Any>, AgentError> {
        let setup = Setup { game: game.to_owned(), seats, rules: toml::Table::new() };
        registry::visit(&setup, Build(self)).map_err(|error| AgentError(error.to_string()))?
    }

    /// Builds the agent. `self` must have been resolved for a game of this kind.
    ///
    /// # Errors
    /// [`AgentError`] for `human`, who plays in `dhow play` alone.
    pub fn build<G: Heuristics>(&self) -> Result<Box<dyn Agent<G>>, AgentError> {
        let settings = Settings { known: entry(self.name)?.parameters, set: &self.parameters };
        let agent: Box<dyn Agent<G>> = match self.name {
            "random" => Box::new(random::Random::<G>::new()),
            "greedy" => Box::new(greedy::Greedy::<G>::new()),
            "expectimax" => Box::new(expectimax::Expectimax::<G>::from_settings(settings)),
            "flat" => Box::new(flat::Flat::<G>::new(flat::Config::from_settings(settings))),
            "mcts" => Box::new(mcts::Mcts::<G>::new(mcts::Config::from_settings(settings))),
            "threshold" => Box::new(threshold::Threshold::<G>::new(threshold::Rule::from_settings(settings))),
            "matrix" => Box::new(matrix::Matrix::<G>::new(settings)),
            "two-turn" => Box::new(two_turn::TwoTurn::<G>::new(settings)),
            _ => return Err(AgentError("agent human can only take a seat in `dhow play`".into())),
        };
        Ok(match self.forbid[..] {
            [] => agent,
            _ => Box::new(Restricted::new(agent, &self.forbid)),
        })
    }
}

/// Builds an agent for whatever game it is shown; a box of the agent, whose type the caller knows.
struct Build<'a>(&'a Spec);

impl Visitor for Build<'_> {
    type Output = Result<Box<dyn Any>, AgentError>;
    fn visit<G: Catalogued>(self, _game: G) -> Self::Output {
        self.0.build::<G>().map(|agent| Box::new(agent) as Box<dyn Any>)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_forms_read_back() {
        for text in [
            "random",
            "greedy",
            "threshold:margin=4",
            "threshold:hold=25",
            "expectimax:method=turn:nodes=7",
            "greedy:forbid=a+b",
        ] {
            assert_eq!(Spec::parse(text).unwrap().to_string(), text);
        }
        let of_profile = Spec::parse("rule-of-thumb:forbid=roll").unwrap();
        assert_eq!(Spec::parse(&of_profile.to_string()).unwrap(), of_profile);
        assert_eq!(
            Spec::parse("threshold:forbid=b+a:hold=3").unwrap().to_string(),
            "threshold:hold=3:forbid=a+b"
        );
        assert_eq!(Spec::parse("threshold:hold=1e2").unwrap().to_string(), "threshold:hold=100");
        assert_eq!(Spec::parse("threshold:hold=1_0").unwrap().to_string(), "threshold:hold=10");
    }

    #[test]
    fn built_in_profiles_are_sound() {
        for (name, _) in PROFILES {
            Spec::parse(name).unwrap();
        }
    }

    #[test]
    fn parameters_after_a_profile_override_its_own() {
        let shown = |text: &str| Spec::parse(text).unwrap().to_string();
        assert_eq!(shown("captain:nodes=5"), "expectimax:method=turn:nodes=5");
        assert_eq!(shown("captain:forbid=roll"), "expectimax:method=turn:nodes=10000:forbid=roll");
        assert_eq!(shown("captain:forbid=roll:nodes=5"), "expectimax:method=turn:nodes=5:forbid=roll");
        // Of two that exclude each other the one that is typed stays.
        assert!(shown("rule-of-thumb:hold=20").ends_with(":hold=20"), "{}", shown("rule-of-thumb:hold=20"));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("odd:name.toml");
        let path = path.to_str().unwrap();
        std::fs::write(path, "agent = \"threshold\"\nparameters = { hold = 8 }").unwrap();
        assert_eq!(shown(path), "threshold:hold=8");
        assert_eq!(shown(&format!("{path}:hold=9")), "threshold:hold=9");
        std::fs::write(path, "agent = \"mcts\"\nparameters = { iterations = 8 }").unwrap();
        assert_eq!(shown(&format!("{path}:milliseconds=9")), "mcts:milliseconds=9");
        let message = |text: &str| Spec::parse(text).unwrap_err().to_string();
        std::fs::write(path, "agent = \"mcts\"\n[parameters]\niterations = 99999999999999999999").unwrap();
        let large = ", line 3: `iterations` cannot be 99999999999999999999: expected a whole number up to";
        assert!(message(path).contains(large), "{}", message(path));
        assert!(
            message("captain:nods=5")
                .contains("agent expectimax has no parameter `nods` (did you mean `nodes`?)")
        );
        assert!(message("captain:nodes=5:nodes=6").contains("set twice"));
        assert!(message("captain:nodes").contains("key=value"));
        for (agent, expected) in [
            ("captain", "`captain`, another profile: expected one of random"),
            ("gredy", "did you mean `greedy`?"),
        ] {
            std::fs::write(path, format!("agent = \"{agent}\"")).unwrap();
            assert!(
                message(path).contains("odd:name.toml") && message(path).contains(expected),
                "{}",
                message(path)
            );
        }
    }

    #[test]
    fn errors_name_what_is_near() {
        let message = |text: &str| Spec::parse(text).unwrap_err().to_string();
        assert!(message("gredy").contains("did you mean `greedy`?"));
        assert!(message("threshold:margn=4").contains("did you mean `margin`?"));
        assert!(message("threshold:margin=x").contains("expected a whole number from 0 to 1000"));
        for odd in ["+10", "__1__0__", "-1", "1e9", "1e99"] {
            assert!(message(&format!("threshold:margin={odd}")).contains("expected a whole number"), "{odd}");
        }
        assert!(message("human:forbid=roll").contains("human"));
        assert!(message("random:forbid=").contains("forbid=roll+stop"));
        assert!(message("random:forbid=a+a").contains("twice"));
        assert!(message("RANDOM").contains("did you mean `random`?"));
        assert!(message("threshold:margin").contains("key=value"));
        assert!(message("threshold:margin=1:margin=2").contains("set twice"));
        assert!(message("nowhere/none.toml").contains("cannot read"));
    }
}
