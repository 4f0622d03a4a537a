//! Plays every arm and line-up of a configuration, in order.

use std::io;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::config::{Arm, Config, ConfigError};
use crate::agents::registry::Spec;
use crate::game::Heuristics;
use crate::games::Catalogued;
use crate::games::registry::Visitor;
use crate::tournament::{Fault, Job, LineUp, Listener, Played, Pooled, RunError, Runner, Silent, line_ups};

/// What is being played, for those who listen.
#[derive(Clone, Debug)]
pub struct Context {
    /// The arm's number, from 1.
    pub arm: usize,
    /// Name of the game.
    pub game: String,
    /// Number of seats.
    pub seats: usize,
    /// The line-ups: in words, and the agent of each role.
    pub line_ups: Vec<(String, Vec<String>)>,
    /// The game's endings.
    pub endings: &'static [&'static str],
    /// The game's tallies.
    pub tallies: &'static [&'static str],
}

/// A listener that is also told what is being played.
pub trait Observer: Listener {
    /// An arm begins.
    ///
    /// # Errors
    /// As for [`Listener::hear`].
    fn enter(&mut self, context: &Context) -> io::Result<()>;
}

impl Observer for Silent {
    fn enter(&mut self, _context: &Context) -> io::Result<()> {
        Ok(())
    }
}

/// What one line-up gave.
#[derive(Clone, Debug)]
pub struct LineUpResult {
    /// The line-up in words.
    pub name: String,
    /// Its agents, numbered as in the tally.
    pub agents: Vec<String>,
    /// Whether one agent sits in all seats.
    pub self_play: bool,
    /// Its number within the arm, from 1.
    pub number: usize,
    /// What was counted.
    pub played: Played,
}

/// What one arm gave.
#[derive(Clone, Debug)]
pub struct ArmResult {
    /// The arm.
    pub arm: Arm,
    /// The game's endings.
    pub endings: &'static [&'static str],
    /// The game's tallies.
    pub tallies: &'static [&'static str],
    /// Its line-ups, in order.
    pub line_ups: Vec<LineUpResult>,
    /// Agents over all line-ups, where there are several; numbered as in the configuration.
    pub pooled: Option<Pooled>,
    /// Whether it was stopped before its end.
    pub stopped: bool,
}

/// What a run gave.
#[derive(Clone, Debug)]
pub struct Results {
    /// What was asked.
    pub config: Config,
    /// What came out, arm by arm.
    pub arms: Vec<ArmResult>,
    /// Whether it was stopped before its end.
    pub partial: bool,
}

impl Results {
    /// All faults with the arm and line-up they belong to.
    pub fn faults(&self) -> impl Iterator<Item = (&ArmResult, &LineUpResult, &Fault)> {
        self.arms.iter().flat_map(|arm| {
            let line_ups = arm.line_ups.iter();
            line_ups
                .flat_map(move |line_up| line_up.played.faults.iter().map(move |fault| (arm, line_up, fault)))
        })
    }

    /// Blocks left out because a game broke off.
    pub fn faulty_blocks(&self) -> u64 {
        let line_ups = self.arms.iter().flat_map(|arm| &arm.line_ups);
        line_ups.map(|line_up| line_up.played.tally.faulty_blocks).sum()
    }
}

/// Plays everything that `config` asks for. Setting the runner's stop flag ends it early; what was played is
/// in the results all the same.
///
/// # Errors
/// [`RunError`], or a configuration that was read from elsewhere and does not hold.
pub fn run(config: &Config, runner: &Runner<'_>, observer: &mut dyn Observer) -> Result<Results, RunFailure> {
    let specs = config.specs().map_err(ConfigError::from)?;
    let mut results = Results { config: config.clone(), arms: Vec::new(), partial: false };
    for arm in &config.arms {
        let play = PlayArm { config, arm, specs: &specs, runner, observer: &mut *observer };
        let played = arm.visit(&config.game, play).map_err(ConfigError::from)??;
        results.partial = played.stopped;
        results.arms.push(played);
        if results.partial {
            break;
        }
    }
    Ok(results)
}

/// A run that failed.
#[derive(Debug, thiserror::Error)]
pub enum RunFailure {
    /// The configuration does not hold.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The run could not go on.
    #[error(transparent)]
    Run(#[from] RunError),
}

struct PlayArm<'a> {
    config: &'a Config,
    arm: &'a Arm,
    specs: &'a [Spec],
    runner: &'a Runner<'a>,
    observer: &'a mut dyn Observer,
}

/// The job of an arm.
fn job_of<'a>(config: &Config, agents: &'a [Spec], line_ups: &'a [LineUp], by: &'a [usize]) -> Job<'a> {
    Job { line_ups, agents, games: config.games, seed: config.seed, phase: 0, by, records: config.per_game }
}

/// The line-ups of a configuration at a game's table.
fn line_ups_of<G: Heuristics>(game: &G, config: &Config) -> Vec<LineUp> {
    let own_luck = game.luck().iter().any(|luck| luck.per_seat);
    line_ups(config.agents.len(), game.seats(), config.play, own_luck)
}

/// Indices of the tallies to group by.
fn by_of<G: Heuristics>(game: &G, config: &Config) -> Vec<usize> {
    let index = |name: &String| game.tally_names().iter().position(|tally| tally == name);
    config.by.iter().filter_map(index).collect()
}

impl Visitor for PlayArm<'_> {
    type Output = Result<ArmResult, RunError>;
    fn visit<G: Catalogued>(self, game: G) -> Self::Output {
        let by = by_of(&game, self.config);
        let line_ups = line_ups_of(&game, self.config);
        let agent = |&agent: &usize| self.config.agents[agent].clone();
        let in_words =
            |line_up: &LineUp| (line_up.name(&self.config.agents), line_up.roles.iter().map(agent).collect());
        self.observer.enter(&Context {
            arm: self.arm.arm,
            game: G::NAME.to_owned(),
            seats: game.seats(),
            line_ups: line_ups.iter().map(in_words).collect(),
            endings: game.endings(),
            tallies: game.tally_names(),
        })?;
        let job = job_of(self.config, self.specs, &line_ups, &by);
        let played = self.runner.run(&game, &job, &mut *self.observer)?;
        let result = |(number, (line_up, played)): (usize, (&LineUp, Played))| LineUpResult {
            name: line_up.name(&self.config.agents),
            agents: line_up.agents().iter().map(agent).collect(),
            self_play: line_up.is_self_play(),
            number: number + 1,
            played,
        };
        Ok(ArmResult {
            arm: self.arm.clone(),
            endings: game.endings(),
            tallies: game.tally_names(),
            line_ups: line_ups.iter().zip(played.line_ups).enumerate().map(result).collect(),
            pooled: played.pooled,
            stopped: played.stopped,
        })
    }
}

/// One line-up as a dry run describes it.
#[derive(Clone, PartialEq, Debug)]
pub struct Trial {
    /// The arm's number.
    pub arm: usize,
    /// Number of seats.
    pub seats: usize,
    /// The line-up in words.
    pub line_up: String,
    /// Games that would be played, in whole blocks.
    pub games: u64,
    /// Time they would take, from a short trial.
    pub time: Duration,
}

/// Describes what a run would play. Each line-up of the first arm of a seat count is tried for a moment, and
/// the other arms are taken to be as fast.
///
/// # Errors
/// As for [`run`].
pub fn trial(config: &Config, threads: usize) -> Result<Vec<Trial>, RunFailure> {
    let specs = config.specs().map_err(ConfigError::from)?;
    let mut trials: Vec<Trial> = Vec::new();
    for arm in &config.arms {
        let known: Vec<Trial> = trials.iter().filter(|trial| trial.seats == arm.seats).cloned().collect();
        let try_arm = TryArm { config, arm, specs: &specs, known: &known, threads };
        trials.extend(arm.visit(&config.game, try_arm).map_err(ConfigError::from)??);
    }
    Ok(trials)
}

struct TryArm<'a> {
    config: &'a Config,
    arm: &'a Arm,
    specs: &'a [Spec],
    known: &'a [Trial],
    threads: usize,
}

impl Visitor for TryArm<'_> {
    type Output = Result<Vec<Trial>, RunError>;
    fn visit<G: Catalogued>(self, game: G) -> Self::Output {
        let stop = AtomicBool::new(false);
        let runner = Runner::new(self.threads, &stop, Default::default())?;
        let mut trials = Vec::new();
        for line_up in &line_ups_of(&game, self.config) {
            let name = line_up.name(&self.config.agents);
            let by = by_of(&game, self.config);
            let one = std::slice::from_ref(line_up);
            let mut job = Job { records: false, ..job_of(self.config, self.specs, one, &by) };
            let games = job.blocks() * job.games_per_block();
            let known = self.known.iter().find(|trial| trial.line_up == name);
            let time = match known {
                Some(trial) => trial.time,
                None => {
                    // Twice as many games each time, until a tenth of a second says enough.
                    job.games = self.threads.max(1) as u64;
                    loop {
                        let started = Instant::now();
                        runner.run(&game, &job, &mut Silent)?;
                        let spent = started.elapsed();
                        if spent > Duration::from_millis(100) || job.games >= games {
                            break spent.mul_f64(games as f64 / job.games as f64);
                        }
                        job.games *= 2;
                    }
                }
            };
            trials.push(Trial { arm: self.arm.arm, seats: self.arm.seats, line_up: name, games, time });
        }
        Ok(trials)
    }
}
