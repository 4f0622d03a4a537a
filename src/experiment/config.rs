//! The full configuration of a run: what was asked, with every default filled in.
//!
//! Two runs with equal configurations give equal results. Threads, folders and file names stand elsewhere.

use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use super::fair::Fair;
use super::place::{Place, Refusal};
use crate::agents::registry::{AgentError, Spec};
use crate::games::Catalogued;
use crate::games::registry::{self, Setup, SetupError, Visitor};
use crate::games::switches::{closest, show_value, table_of};
use crate::tournament::{MAX_GAMES, MAX_LINE_UPS, Mode, count_line_ups};

/// A question as a user puts it.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// In words.
    pub question: Option<String>,
    /// Name of the game.
    pub game: String,
    /// Numbers of seats; empty: the game's fewest.
    pub seats: Vec<usize>,
    /// Agents in text form.
    pub agents: Vec<String>,
    /// Whether agents meet each other.
    pub mode: Mode,
    /// Games per arm and line-up; 0 is refused.
    pub games: u64,
    /// Master seed.
    pub seed: u64,
    /// What counts as balanced: fair share plus or minus this.
    pub margin: f64,
    /// Switches that hold in every arm.
    pub rules: Table,
    /// Switches that vary.
    pub sweep: Sweep,
    /// Tallies to group by.
    pub by: Vec<String>,
    /// Whether each game leaves a row.
    pub per_game: bool,
    /// What to solve for.
    pub fair: Option<Fair>,
    /// When an arm is done.
    pub stop: Stop,
}

/// When an arm is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stop {
    /// After the games that were asked for.
    #[default]
    Games,
    /// As soon as the verdict of each line-up is settled, after the games that were asked for at the latest.
    Settled,
}

impl Stop {
    /// Whether the number of games is fixed beforehand.
    pub fn is_fixed(&self) -> bool {
        *self == Stop::Games
    }
}

/// The switches that vary, and how they are combined.
#[derive(Clone, Debug, Default)]
pub struct Sweep {
    /// Each switch with its values.
    pub switches: Vec<(String, Vec<Value>)>,
    /// How several switches go together.
    pub mode: SweepMode,
}

/// How several swept switches go together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SweepMode {
    /// Every combination.
    #[default]
    Grid,
    /// First with first, second with second: lists of equal length.
    Zip,
}

/// One setting of the swept switches at one number of seats.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Arm {
    /// Number of the setting, from 1. Arms of different seat counts with the same setting share it.
    pub arm: usize,
    /// Number of seats.
    pub seats: usize,
    /// The swept switches and their values.
    pub swept: Table,
    /// Every switch.
    pub rules: Table,
    /// Data that a switch loaded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<serde_json::Value>,
}

/// The full configuration after defaults: what a manifest holds.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Config {
    /// The question in words.
    pub question: Option<String>,
    /// Name of the game.
    pub game: String,
    /// Agents in resolved text form.
    pub agents: Vec<String>,
    /// Whether agents meet each other.
    pub play: Mode,
    /// Games per arm and line-up, before rounding up to whole blocks.
    pub games: u64,
    /// Master seed.
    pub seed: u64,
    /// What counts as balanced.
    pub margin: f64,
    /// Names of the swept switches, in order.
    pub sweep: Vec<String>,
    /// Tallies to group by.
    pub by: Vec<String>,
    /// Whether each game leaves a row.
    pub per_game: bool,
    /// What to solve for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fair: Option<Fair>,
    /// When an arm is done.
    #[serde(default, skip_serializing_if = "Stop::is_fixed")]
    pub stop: Stop,
    /// All arms.
    pub arms: Vec<Arm>,
}

/// A question that cannot be put so.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum ConfigError {
    /// The game or its rules.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// An agent.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// Anything else, in words.
    #[error("{0}")]
    Value(String),
}

impl Arm {
    /// The value of a swept switch, as it is typed.
    pub fn swept_value(&self, key: &str) -> String {
        self.swept.get(key).map(show_value).unwrap_or_default()
    }

    /// The match to be played.
    pub fn setup(&self, game: &str) -> Setup {
        Setup { game: game.to_owned(), seats: self.seats, rules: self.rules.clone() }
    }

    /// Sets the match up from the arm alone and lets `visitor` work on it: data that a switch loaded comes
    /// from [`Arm::data`], so that a file which has changed or is gone changes nothing.
    ///
    /// # Errors
    /// As for [`registry::restore`].
    pub fn visit<V: Visitor>(&self, game: &str, visitor: V) -> Result<V::Output, SetupError> {
        registry::restore(&self.setup(game), self.data.as_ref(), visitor)
    }
}

/// What a game says of one arm.
struct Resolved {
    rules: Table,
    data: Option<serde_json::Value>,
    agents: Vec<Spec>,
    tallies: &'static [&'static str],
}

struct Resolve<'a>(&'a [Spec]);

impl Visitor for Resolve<'_> {
    /// What is refused is an agent, by its number from 0.
    type Output = Result<Resolved, (usize, AgentError)>;
    fn visit<G: Catalogued>(self, game: G) -> Self::Output {
        let resolve = |(at, spec): (usize, &Spec)| spec.resolve(&game, G::NAME).map_err(|error| (at, error));
        Ok(Resolved {
            rules: table_of(game.rules()),
            data: game.loaded_data(),
            agents: self.0.iter().enumerate().map(resolve).collect::<Result<_, _>>()?,
            tallies: game.tally_names(),
        })
    }
}

impl Config {
    /// Fills in every default and checks everything that can be checked before a game is played.
    ///
    /// # Errors
    /// [`ConfigError`] for unknown names, values out of range, or a request without agents or games.
    pub fn new(request: &Request) -> Result<Config, ConfigError> {
        Config::resolve(request).map_err(|refusal| *refusal.error)
    }

    /// The same, for a request that stands in a file.
    ///
    /// # Errors
    /// As [`Config::new`], with the key that is to blame.
    pub fn resolve(request: &Request) -> Result<Config, Refusal> {
        let key = |key: &str| Place::of(&[key]);
        let entry = registry::entry(&request.game).map_err(|error| key("game").refuse(error))?;
        if request.games == 0 {
            return Err(key("games").say("0 games were asked for; expected at least 1".into()));
        }
        if request.games > MAX_GAMES {
            let message = format!("{} games are more than anybody can wait for: at most 1e15", request.games);
            return Err(key("games").say(message));
        }
        if !(request.margin > 0.0 && request.margin < 1.0) {
            return Err(key("margin").say(format!(
                "margin {} is out of range: expected more than 0 and less than 1",
                request.margin
            )));
        }
        if request.agents.is_empty() {
            return Err(key("agents").say("no agent was named; `dhow agents` lists them".into()));
        }
        let agent = |at: usize| key("agents").item(at);
        let mut specs = Vec::new();
        for (at, text) in request.agents.iter().enumerate() {
            specs.push(Spec::parse(text).map_err(|error| agent(at).refuse(error))?);
        }
        let seats = match request.seats.is_empty() {
            true => vec![*entry.seats().start()],
            false => request.seats.clone(),
        };
        if let Some(at) = (1..seats.len()).find(|&at| seats[..at].contains(&seats[at])) {
            return Err(key("seats").item(at).say(format!("number of seats {} is named twice", seats[at])));
        }
        if let Some(at) = (1..request.by.len()).find(|&at| request.by[..at].contains(&request.by[at])) {
            return Err(key("by").item(at).say(format!("tally {} is named twice", request.by[at])));
        }
        let settings = request.sweep.settings(request.rules.keys())?;
        let (mut arms, mut agents) = (Vec::new(), Vec::new());
        for (number, swept) in settings.iter().enumerate() {
            for (nth, &seats) in seats.iter().enumerate() {
                let mut rules = request.rules.clone();
                rules.extend(swept.clone());
                let setup = Setup { game: request.game.clone(), seats, rules };
                let resolved = registry::visit(&setup, Resolve(&specs))
                    .map_err(|error| Refusal {
                        place: Place::of_setup(request, &error, nth, swept),
                        error: Box::new(error.into()),
                    })?
                    .map_err(|(at, error)| agent(at).refuse(error))?;
                for (at, tally) in request.by.iter().enumerate() {
                    check_tally(&request.game, tally, resolved.tallies)
                        .map_err(|message| key("by").item(at).say(message))?;
                }
                agents = resolved.agents;
                let (rules, data) = (resolved.rules, resolved.data);
                arms.push(Arm { arm: number + 1, seats, swept: swept.clone(), rules, data });
            }
        }
        let agents: Vec<String> = agents.iter().map(Spec::to_string).collect();
        for (at, name) in agents.iter().enumerate() {
            if agents[..at].contains(name) {
                let message = format!("agent {name} is named twice; one agent alone plays itself");
                return Err(agent(at).say(message));
            }
        }
        if let Some(at) = specs.iter().position(Spec::is_human) {
            return Err(agent(at).say("agent human can only take a seat in `dhow play`".into()));
        }
        let config = Config {
            question: request.question.clone(),
            game: request.game.clone(),
            agents,
            play: request.mode,
            games: request.games,
            seed: request.seed,
            margin: request.margin,
            sweep: request.sweep.switches.iter().map(|(key, _)| key.clone()).collect(),
            by: request.by.clone(),
            per_game: request.per_game,
            fair: request.fair.clone(),
            stop: request.stop,
            arms,
        };
        for &seats in &seats {
            check_line_ups(config.agents.len(), seats, config.play)
                .map_err(|error| key("agents").refuse(error))?;
        }
        config.check_kind()?;
        Ok(config)
    }

    /// Makes sure that what is asked beyond the tables goes together.
    fn check_kind(&self) -> Result<(), Refusal> {
        if !self.stop.is_fixed() {
            let refuse = |message: &str| Err(Place::of(&["stop"]).say(message.to_owned()));
            if self.play != Mode::SelfPlay && self.agents.len() > 1 {
                return refuse(
                    "stop = \"settled\" waits for the verdict on the seats, which needs play = \"self\"",
                );
            }
            if self.fair.is_some() {
                return refuse("[fair] needs a fixed number of games: leave out stop = \"settled\"");
            }
        }
        self.fair.as_ref().map_or(Ok(()), |fair| fair.check(self))
    }

    /// The command that plays one game again; `line_up` is its number within the arm, from 1.
    pub fn play_command(&self, arm: &Arm, line_up: usize, block: u64, rotation: usize) -> String {
        let play = match self.play {
            Mode::SelfPlay => " --play self",
            Mode::RoundRobin => "",
        };
        let who = format!("--agents {}{play} --line-up {line_up}", self.agents.join(","));
        self.command(arm, &who, block, rotation)
    }

    /// The command that plays one game again of those on fresh deals, in which `agent` played itself.
    pub fn fresh_command(&self, arm: &Arm, agent: &str, block: u64, rotation: usize) -> String {
        self.command(arm, &format!("--agents {agent} --play self --fresh"), block, rotation)
    }

    fn command(&self, arm: &Arm, who: &str, block: u64, rotation: usize) -> String {
        let defaults = registry::entry(&self.game).map(|entry| entry.defaults(arm.seats)).unwrap_or_default();
        let changed = arm.rules.iter().filter(|(key, value)| defaults.get(*key) != Some(value));
        let rules: String =
            changed.map(|(key, value)| format!(" --rule {key}={}", show_value(value))).collect();
        format!(
            "dhow play {} --seats {} {who} --seed {}{rules} --block {block} --rotation {rotation}",
            self.game, arm.seats, self.seed
        )
    }

    /// The agents that decide by the clock, whose games do not come out the same again.
    pub fn clocked(&self) -> Vec<String> {
        let by_clock = |text: &&String| Spec::parse(text).is_ok_and(|spec| !spec.is_reproducible());
        self.agents.iter().filter(by_clock).cloned().collect()
    }

    /// The agents as they are built.
    ///
    /// # Errors
    /// If the text of a configuration that was read from elsewhere names no agent.
    pub fn specs(&self) -> Result<Vec<Spec>, AgentError> {
        self.agents.iter().map(|text| Spec::parse(text)).collect()
    }
}

/// Makes sure that the agents have no more line-ups at a table of `seats` than can be told apart.
///
/// # Errors
/// [`ConfigError::Value`]: how many there are, how many there may be, and what makes them fewer.
pub fn check_line_ups(agents: usize, seats: usize, mode: Mode) -> Result<(), ConfigError> {
    let count = count_line_ups(agents, seats, mode);
    if count <= MAX_LINE_UPS as u128 {
        return Ok(());
    }
    let fewer =
        if mode == Mode::SelfPlay { "" } else { ", fewer seats, or each agent playing itself (--play self)" };
    Err(ConfigError::Value(format!(
        "{agents} agents have {count} line-ups at {seats} seats: at most {MAX_LINE_UPS} can be played; fewer agents{fewer} \
         would do"
    )))
}

/// Makes sure that a game has a tally.
fn check_tally(game: &str, tally: &str, all: &[&str]) -> Result<(), String> {
    if all.contains(&tally) {
        return Ok(());
    }
    if all.is_empty() {
        return Err(format!("{game} has no tally `{tally}`: it has none at all"));
    }
    let near = closest(tally, all.iter().copied());
    let near = near.map(|near| format!(" (did you mean `{near}`?)")).unwrap_or_default();
    Err(format!("{game} has no tally `{tally}`{near}; expected one of: {}", all.join(", ")))
}

impl Sweep {
    /// All settings, the first switch varying slowest; one empty setting if nothing is swept.
    fn settings<'a>(&self, fixed: impl Iterator<Item = &'a String>) -> Result<Vec<Table>, Refusal> {
        let fixed: Vec<&String> = fixed.collect();
        let switch = |key: &str| Place::of(&["sweep", key]);
        for (at, (key, values)) in self.switches.iter().enumerate() {
            if fixed.contains(&key) {
                return Err(switch(key).name().say(format!("rule `{key}` is both held fixed and swept")));
            }
            if self.switches[..at].iter().any(|(other, _)| other == key) {
                return Err(switch(key).name().say(format!("rule `{key}` is swept twice")));
            }
            if let Some(value) = (1..values.len()).find(|&at| values[..at].contains(&values[at]))
                && self.mode == SweepMode::Grid
            {
                let message = format!("the sweep of `{key}` names {} twice", show_value(&values[value]));
                return Err(switch(key).item(value).say(message));
            }
            if values.is_empty() {
                return Err(switch(key).say(format!("the sweep of `{key}` has no values")));
            }
        }
        let mut settings = vec![Table::new()];
        match self.mode {
            SweepMode::Grid => {
                for (key, values) in &self.switches {
                    let with = |setting: &Table, value: &Value| {
                        let mut setting = setting.clone();
                        setting.insert(key.clone(), value.clone());
                        setting
                    };
                    settings = settings
                        .iter()
                        .flat_map(|setting| values.iter().map(move |value| with(setting, value)))
                        .collect();
                }
            }
            SweepMode::Zip => {
                let Some((first, values)) = self.switches.first() else { return Ok(settings) };
                settings = vec![Table::new(); values.len()];
                for (key, other) in &self.switches {
                    if other.len() != values.len() {
                        return Err(switch(key).say(format!(
                            "a zipped sweep needs lists of equal length: `{first}` has {}, `{key}` has {}",
                            values.len(),
                            other.len()
                        )));
                    }
                    for (setting, value) in settings.iter_mut().zip(other) {
                        setting.insert(key.clone(), value.clone());
                    }
                }
            }
        }
        Ok(settings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sweep(mode: SweepMode, lists: &[(&str, &[i64])]) -> Sweep {
        let value = |values: &[i64]| values.iter().map(|&v| Value::Integer(v)).collect();
        Sweep { mode, switches: lists.iter().map(|(key, v)| (key.to_string(), value(v))).collect() }
    }

    #[test]
    fn a_grid_has_every_combination_and_a_zip_goes_in_step() {
        let grid = sweep(SweepMode::Grid, &[("a", &[1, 2]), ("b", &[3, 4, 5])]);
        let settings = grid.settings([].iter()).unwrap();
        assert_eq!(settings.len(), 6);
        assert_eq!((settings[1]["a"].as_integer(), settings[1]["b"].as_integer()), (Some(1), Some(4)));
        let zip = sweep(SweepMode::Zip, &[("a", &[1, 2]), ("b", &[3, 4])]);
        assert_eq!(zip.settings([].iter()).unwrap().len(), 2);
        let uneven = sweep(SweepMode::Zip, &[("a", &[1, 2]), ("b", &[3])]);
        assert!(uneven.settings([].iter()).unwrap_err().to_string().contains("equal length"));
    }

    #[test]
    fn nothing_swept_is_one_setting() {
        assert_eq!(Sweep::default().settings([].iter()).unwrap(), [Table::new()]);
    }

    #[test]
    fn a_switch_cannot_be_fixed_and_swept() {
        let fixed = ["a".to_owned()];
        let error = sweep(SweepMode::Grid, &[("a", &[1])]).settings(fixed.iter()).unwrap_err();
        assert!(error.to_string().contains("both held fixed and swept"));
    }
}
