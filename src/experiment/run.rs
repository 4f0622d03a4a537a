//! Plays every arm and line-up of a configuration, in order.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::config::{Arm, Config, ConfigError, Stop};
use super::fair::{self, FairQuestion, FairResult, fair_questions, handicaps};
use crate::agents::registry::Spec;
use crate::game::Heuristics;
use crate::games::Catalogued;
use crate::games::registry::Visitor;
use crate::statistics::Finishes;
use crate::tournament::{
    ArmPlayed, Ask, Asked, Begun, Fault, Job, LineUp, Listener, Part, Played, Pooled, RunError, Runner,
    Settled, Shard, Silent, line_ups,
};

/// What is being played, for those who listen.
#[derive(Clone, Debug)]
pub struct Context {
    /// Index into the configuration's arms; those measured again on fresh deals are counted on.
    pub index: usize,
    /// Whether the deals are fresh ones.
    pub fresh: bool,
    /// The arm's number, from 1; 0 for a setting that the sweep does not have.
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
    /// How it stands, where it was played until its verdict was settled.
    pub settled: Option<Settled>,
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
    /// Who came in before whom, where agents met; numbered as in the configuration.
    pub finishes: Option<Finishes>,
    /// What was counted beyond the tables.
    pub asked: Asked,
    /// Whether it was stopped before its end.
    pub stopped: bool,
}

/// What a run gave.
#[derive(Clone, Debug)]
pub struct Results {
    /// What was asked.
    pub config: Config,
    /// Which part of the blocks was played.
    pub shard: Shard,
    /// What came out, arm by arm.
    pub arms: Vec<ArmResult>,
    /// The fair settings, where the run is whole and solves for them.
    pub fair: Vec<FairResult>,
    /// Whether it was stopped before its end.
    pub partial: bool,
}

/// What is played in one sitting: a shard, from where an earlier sitting left it.
#[derive(Clone, Debug, Default)]
pub struct Sitting {
    /// Which part of the blocks.
    pub shard: Shard,
    /// Where the arms stand that were begun, by index.
    pub begun: BTreeMap<usize, Begun>,
}

/// Where a game broke off.
pub struct FaultAt<'a> {
    /// The arm.
    pub arm: &'a ArmResult,
    /// Its line-up.
    pub line_up: &'a LineUpResult,
    /// Whether it was measured again, on fresh deals.
    pub fresh: bool,
    /// The game and what happened.
    pub fault: &'a Fault,
}

impl FaultAt<'_> {
    /// The command that plays the game again.
    pub fn command(&self, config: &Config) -> String {
        let FaultAt { arm, line_up, fault, .. } = self;
        if self.fresh {
            // One agent in all seats, whatever else the run played.
            config.fresh_command(&arm.arm, &line_up.agents[0], fault.block, fault.rotation)
        } else {
            config.play_command(&arm.arm, line_up.number, fault.block, fault.rotation)
        }
    }
}

impl Results {
    /// All faults with the arm and line-up they belong to, those of fresh deals last.
    pub fn faults(&self) -> impl Iterator<Item = FaultAt<'_>> {
        let swept = self.arms.iter().map(|arm| (arm, false));
        swept.chain(self.fresh_arms().map(|arm| (arm, true))).flat_map(|(arm, fresh)| {
            arm.line_ups.iter().flat_map(move |line_up| {
                line_up.played.faults.iter().map(move |fault| FaultAt { arm, line_up, fresh, fault })
            })
        })
    }

    /// Arms that were measured again on fresh deals.
    pub fn fresh_arms(&self) -> impl Iterator<Item = &ArmResult> {
        self.fair.iter().filter_map(|fair| fair.fresh.as_ref()?.as_ref().ok())
    }

    /// Blocks left out because a game broke off.
    pub fn faulty_blocks(&self) -> u64 {
        let line_ups = self.arms.iter().chain(self.fresh_arms()).flat_map(|arm| &arm.line_ups);
        line_ups.map(|line_up| line_up.played.tally.faulty_blocks).sum()
    }
}

/// Plays everything that `config` asks for. Setting the runner's stop flag ends it early; what was played is
/// in the results all the same.
///
/// # Errors
/// [`RunError`], or a configuration that was read from elsewhere and does not hold.
pub fn run(config: &Config, runner: &Runner<'_>, observer: &mut dyn Observer) -> Result<Results, RunFailure> {
    resume(config, Sitting::default(), runner, observer)
}

/// Plays a part of what `config` asks for, or goes on where an earlier sitting ended: the results are those
/// of a run in one go.
///
/// # Errors
/// As for [`run`].
pub fn resume(
    config: &Config,
    sitting: Sitting,
    runner: &Runner<'_>,
    observer: &mut dyn Observer,
) -> Result<Results, RunFailure> {
    let specs = config.specs().map_err(ConfigError::from)?;
    let shard = sitting.shard;
    let mut results =
        Results { config: config.clone(), shard, arms: Vec::new(), fair: Vec::new(), partial: false };
    let mut begun = sitting.begun;
    for (index, arm) in config.arms.iter().enumerate() {
        let table = Table { config, index, arm, specs: &specs, shard };
        let begun = begun.remove(&index);
        let play = PlayArm { table, only: None, begun, runner, observer: &mut *observer };
        let played = arm.visit(&config.game, play).map_err(ConfigError::from)??;
        results.partial = played.stopped;
        results.arms.push(played);
        if results.partial {
            break;
        }
    }
    measure_fair(&mut results, &mut begun, runner, observer)?;
    Ok(results)
}

/// Solves for the fair settings that a whole run asks for, and measures them again on fresh deals. A shard
/// cannot: that is left to those who merge the shards. `begun` is where these measurements stand, by index.
///
/// # Errors
/// As for [`run`].
pub fn measure_fair(
    results: &mut Results,
    begun: &mut BTreeMap<usize, Begun>,
    runner: &Runner<'_>,
    observer: &mut dyn Observer,
) -> Result<(), RunFailure> {
    if results.partial || !results.shard.is_whole() {
        return Ok(());
    }
    let config = &results.config;
    let Some(solved) = &config.fair else { return Ok(()) };
    let specs = config.specs().map_err(ConfigError::from)?;
    for (number, question) in fair_questions(config).into_iter().enumerate() {
        let fit = fair::fit(&question, &results.arms);
        let mut fresh = None;
        if let (Ok(fit), Some(&first)) = (&fit, question.arms.first()) {
            let arm = fair::best_arm(config, &solved.switch, &config.arms[first], fit);
            let index = config.arms.len() + number;
            let table = Table { config, index, arm: &arm, specs: &specs, shard: Shard::default() };
            let only = Some(question.agent);
            let play = PlayArm { table, only, begun: begun.remove(&index), runner, observer: &mut *observer };
            fresh = Some(match arm.visit(&config.game, play) {
                Ok(played) => Ok(played?),
                Err(refused) => Err(refused.into()),
            });
        }
        results.partial = matches!(&fresh, Some(Ok(arm)) if arm.stopped);
        results.fair.push(FairResult { question, fit, fresh });
        if results.partial {
            break;
        }
    }
    Ok(())
}

/// How many blocks each fresh measurement of a configuration may have, in the order of [`fair_questions`].
///
/// # Errors
/// A configuration that was read from elsewhere and does not hold.
pub fn fresh_blocks(config: &Config) -> Result<Vec<u64>, ConfigError> {
    let blocks = blocks(config)?;
    let first = |question: &FairQuestion| question.arms.first().map_or(0, |&arm| blocks[arm]);
    Ok(fair_questions(config).iter().map(first).collect())
}

/// How many blocks each arm of a configuration has.
///
/// # Errors
/// A configuration that was read from elsewhere and does not hold.
pub fn blocks(config: &Config) -> Result<Vec<u64>, ConfigError> {
    let specs = config.specs()?;
    let count = |(index, arm): (usize, &Arm)| {
        let table = Table { config, index, arm, specs: &specs, shard: Shard::default() };
        Ok(arm.visit(&config.game, CountBlocks(table))?)
    };
    config.arms.iter().enumerate().map(count).collect()
}

/// The results of a whole run from what the blocks of its arms gave, one part for each arm.
///
/// # Errors
/// A configuration that was read from elsewhere and does not hold.
pub fn assemble(config: &Config, parts: Vec<Part>) -> Result<Results, ConfigError> {
    let specs = config.specs()?;
    let shard = Shard::default();
    let arms = config.arms.iter().zip(parts).enumerate().map(|(index, (arm, part))| {
        let table = Table { config, index, arm, specs: &specs, shard };
        Ok(arm.visit(&config.game, Assemble(table, part))?)
    });
    let arms = arms.collect::<Result<_, ConfigError>>()?;
    Ok(Results { config: config.clone(), shard, arms, fair: Vec::new(), partial: false })
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

/// One arm of a configuration.
#[derive(Clone, Copy)]
struct Table<'a> {
    config: &'a Config,
    index: usize,
    arm: &'a Arm,
    specs: &'a [Spec],
    shard: Shard,
}

impl Table<'_> {
    /// The job of the arm.
    fn job<'a>(&'a self, line_ups: &'a [LineUp], by: &'a [usize], handicaps: &'a [i64]) -> Job<'a> {
        Job {
            line_ups,
            agents: self.specs,
            games: self.config.games,
            seed: self.config.seed,
            phase: 0,
            by,
            records: self.config.per_game,
            shard: self.shard,
            ask: Ask { handicaps, settle: (self.config.stop == Stop::Settled).then_some(self.config.margin) },
        }
    }

    /// The line-ups at a game's table.
    fn line_ups<G: Heuristics>(&self, game: &G) -> Vec<LineUp> {
        let own_luck = game.luck().iter().any(|luck| luck.per_seat);
        line_ups(self.config.agents.len(), game.seats(), self.config.play, own_luck)
    }

    /// Indices of the tallies to group by.
    fn by<G: Heuristics>(&self, game: &G) -> Vec<usize> {
        let index = |name: &String| game.tally_names().iter().position(|tally| tally == name);
        self.config.by.iter().filter_map(index).collect()
    }

    /// The handicap of each seat, where the run solves for a fair one.
    fn handicaps(&self) -> Vec<i64> {
        let fair = self.config.fair.as_ref();
        fair.and_then(|fair| handicaps(self.arm, &fair.switch)).unwrap_or_default()
    }

    fn agent(&self, agent: usize) -> String {
        self.config.agents[agent].clone()
    }

    fn result<G: Heuristics>(&self, game: &G, line_ups: &[LineUp], played: ArmPlayed) -> ArmResult {
        let ArmPlayed { part, stopped, settled } = played;
        let mut settled = settled.into_iter();
        let result = |(number, (line_up, played)): (usize, (&LineUp, Played))| LineUpResult {
            name: line_up.name(&self.config.agents),
            agents: line_up.agents().iter().map(|&agent| self.agent(agent)).collect(),
            self_play: line_up.is_self_play(),
            number: number + 1,
            played,
            settled: settled.next(),
        };
        ArmResult {
            arm: self.arm.clone(),
            endings: game.endings(),
            tallies: game.tally_names(),
            line_ups: line_ups.iter().zip(part.line_ups).enumerate().map(result).collect(),
            pooled: part.pooled,
            finishes: part.finishes,
            asked: part.asked,
            stopped,
        }
    }
}

struct PlayArm<'a> {
    table: Table<'a>,
    /// On fresh deals: this agent alone, in all seats.
    only: Option<usize>,
    begun: Option<Begun>,
    runner: &'a Runner<'a>,
    observer: &'a mut dyn Observer,
}

impl Visitor for PlayArm<'_> {
    type Output = Result<ArmResult, RunError>;
    fn visit<G: Catalogued>(self, game: G) -> Self::Output {
        let PlayArm { table, only, begun, runner, observer } = self;
        let by = table.by(&game);
        let mut line_ups = table.line_ups(&game);
        line_ups.retain(|line_up| only.is_none_or(|agent| line_up.roles.iter().all(|&role| role == agent)));
        let in_words = |line_up: &LineUp| {
            let roles = line_up.roles.iter().map(|&agent| table.agent(agent)).collect();
            (line_up.name(&table.config.agents), roles)
        };
        observer.enter(&Context {
            index: table.index,
            fresh: only.is_some(),
            arm: table.arm.arm,
            game: G::NAME.to_owned(),
            seats: game.seats(),
            line_ups: line_ups.iter().map(in_words).collect(),
            endings: game.endings(),
            tallies: game.tally_names(),
        })?;
        let handicaps = table.handicaps();
        let mut job = table.job(&line_ups, &by, &handicaps);
        if only.is_some() {
            // A row a game would be taken for one of the run; there is nothing left to fit.
            job = Job { phase: 1, records: false, ask: Ask::default(), ..job };
        }
        let played = runner.resume(&game, &job, begun, &mut *observer)?;
        Ok(table.result(&game, &line_ups, played))
    }
}

struct CountBlocks<'a>(Table<'a>);

impl Visitor for CountBlocks<'_> {
    type Output = u64;
    fn visit<G: Catalogued>(self, game: G) -> u64 {
        let line_ups = self.0.line_ups(&game);
        self.0.job(&line_ups, &[], &[]).blocks()
    }
}

struct Assemble<'a>(Table<'a>, Part);

impl Visitor for Assemble<'_> {
    type Output = ArmResult;
    fn visit<G: Catalogued>(self, game: G) -> ArmResult {
        let Assemble(table, part) = self;
        let line_ups = table.line_ups(&game);
        table.result(&game, &line_ups, ArmPlayed { part, stopped: false, settled: Vec::new() })
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
        let table = Table { config, index: 0, arm, specs: &specs, shard: Shard::default() };
        let try_arm = TryArm { table, known: &known, threads };
        trials.extend(arm.visit(&config.game, try_arm).map_err(ConfigError::from)??);
    }
    Ok(trials)
}

struct TryArm<'a> {
    table: Table<'a>,
    known: &'a [Trial],
    threads: usize,
}

impl Visitor for TryArm<'_> {
    type Output = Result<Vec<Trial>, RunError>;
    fn visit<G: Catalogued>(self, game: G) -> Self::Output {
        let stop = AtomicBool::new(false);
        let runner = Runner::new(self.threads, &stop, Default::default())?;
        let mut trials = Vec::new();
        let table = self.table;
        let by = table.by(&game);
        for line_up in &table.line_ups(&game) {
            let name = line_up.name(&table.config.agents);
            let one = std::slice::from_ref(line_up);
            let mut job = Job { records: false, ask: Ask::default(), ..table.job(one, &by, &[]) };
            let games = job.blocks() * job.games_per_block();
            let known = self.known.iter().find(|trial| trial.line_up == name);
            let time = match known {
                Some(trial) => trial.time,
                None => {
                    // Twice as many games each time, until a tenth of a second says enough. Whole blocks are played.
                    job.games = (runner.threads() * job.games_per_block() as usize) as u64;
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
            trials.push(Trial { arm: table.arm.arm, seats: table.arm.seats, line_up: name, games, time });
        }
        Ok(trials)
    }
}
