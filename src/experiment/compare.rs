//! Is A stronger than B? A sequential test over blocks, looked at at fixed checkpoints.
//!
//! The games of a block are one deal with every rotation: two seats play a pair with the seats changed; at
//! larger tables A sits in every seat once, against copies of B in all the others. The test looks at the
//! contiguous prefix of blocks after every 64th, so that its end is the same for any number of threads, and
//! whatever was played beyond counts for nothing.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use toml::Table;

use super::config::ConfigError;
use super::run::RunFailure;
use crate::agents::registry::{AgentError, Spec};
use crate::game::SHARE_UNITS;
use crate::games::Catalogued;
use crate::games::registry::{self, Setup, Visitor};
use crate::statistics::{BlockScores, Decision, Sprt};
use crate::tournament::{Event, Fault, GameRecord, Job, Listener, MAX_GAMES, Mode, Runner, Shard, line_ups};

/// Blocks from one look at the test to the next.
pub const CHECKPOINT: u64 = 64;

/// Faults kept with all details.
const MAX_FAULTS: usize = 100;

/// What is to be compared, and how.
#[derive(Clone, PartialEq, Debug)]
pub struct CompareRequest {
    /// The game with its seats and switches.
    pub setup: Setup,
    /// A and B in text form.
    pub agents: [String; 2],
    /// The test.
    pub sprt: Sprt,
    /// Games after which it is given up, rounded up to whole blocks; 0 is refused.
    pub max_games: u64,
    /// Master seed.
    pub seed: u64,
}

/// What came of a comparison, from the blocks up to the checkpoint that ended it. Points of view: A's.
#[derive(Clone, PartialEq, Debug)]
pub struct Comparison {
    /// A and B in resolved text form.
    pub agents: [String; 2],
    /// Number of seats.
    pub seats: usize,
    /// Switches that were set.
    pub rules: Table,
    /// The test.
    pub sprt: Sprt,
    /// Master seed.
    pub seed: u64,
    /// A's scores by block.
    pub scores: BlockScores,
    /// Games A won alone.
    pub wins: u64,
    /// Games in which A shared the first place.
    pub ties: u64,
    /// All other games.
    pub losses: u64,
    /// Games that ended at the cap (counted above, too).
    pub capped: u64,
    /// The log-likelihood ratio.
    pub llr: Option<f64>,
    /// What the test says.
    pub decision: Decision,
    /// Blocks left out because a game of theirs broke off.
    pub faulty_blocks: u64,
    /// The games that broke off, the first hundred.
    pub faults: Vec<Fault>,
    /// Whether it was interrupted before the test or the maximum ended it.
    pub interrupted: bool,
}

impl Comparison {
    /// Games counted.
    pub fn games(&self) -> u64 {
        self.wins + self.ties + self.losses
    }
}

/// Where a running comparison stands, at a checkpoint.
#[derive(Clone, Copy, Debug)]
pub struct Standing<'a> {
    /// A's scores so far.
    pub scores: &'a BlockScores,
    /// The log-likelihood ratio.
    pub llr: Option<f64>,
    /// Games that will be played at most.
    pub max_games: u64,
}

/// Plays A against B until the test decides, `max_games` are played or `stop` (the runner's flag) is set. It
/// sets the flag itself when the test has decided.
///
/// # Errors
/// An unknown game or agent, rules that are refused, 0 games, or a runner that cannot go on.
pub fn compare(
    request: &CompareRequest,
    runner: &Runner<'_>,
    stop: &AtomicBool,
    look: &mut dyn FnMut(Standing<'_>),
) -> Result<Comparison, RunFailure> {
    let refuse = |message: String| Err(RunFailure::Config(ConfigError::Value(message)));
    match request.max_games {
        0 => return refuse("0 games were asked for; expected at least 1".into()),
        1..=MAX_GAMES => {}
        games => return refuse(format!("{games} games are more than anybody can wait for: at most 1e15")),
    }
    let specs = [&request.agents[0], &request.agents[1]].map(|text| Spec::parse(text));
    let specs: Vec<Spec> = specs.into_iter().collect::<Result<_, AgentError>>().map_err(ConfigError::from)?;
    let play = Play { request, specs, runner, stop, look };
    registry::visit(&request.setup, play).map_err(ConfigError::from)?
}

struct Play<'a> {
    request: &'a CompareRequest,
    specs: Vec<Spec>,
    runner: &'a Runner<'a>,
    stop: &'a AtomicBool,
    look: &'a mut dyn FnMut(Standing<'_>),
}

impl Visitor for Play<'_> {
    type Output = Result<Comparison, RunFailure>;
    fn visit<G: Catalogued>(self, game: G) -> Self::Output {
        let request = self.request;
        let resolved: Result<Vec<Spec>, AgentError> =
            self.specs.iter().map(|spec| spec.resolve(&game, G::NAME)).collect();
        let specs = resolved.map_err(ConfigError::from)?;
        // Against copies of B alone; the line-up of B against copies of A is another question.
        let mut line_ups = line_ups(2, game.seats(), Mode::RoundRobin, false);
        line_ups.truncate(1);
        let job = Job {
            line_ups: &line_ups,
            agents: &specs,
            games: request.max_games,
            seed: request.seed,
            phase: 0,
            by: &[],
            records: true,
            shard: Shard::default(),
            ask: Default::default(),
        };
        let comparison = Comparison {
            agents: [specs[0].to_string(), specs[1].to_string()],
            seats: game.seats(),
            rules: request.setup.rules.clone(),
            sprt: request.sprt,
            seed: request.seed,
            scores: BlockScores::new(game.seats(), job.games_per_block() as usize),
            wins: 0,
            ties: 0,
            losses: 0,
            capped: 0,
            llr: Some(0.0),
            decision: Decision::Continue,
            faulty_blocks: 0,
            faults: Vec::new(),
            interrupted: false,
        };
        let max_games = job.blocks() * job.games_per_block();
        let (stop, look) = (self.stop, self.look);
        let mut test =
            Test { comparison, next: CHECKPOINT, end: None, heard_faults: 0, max_games, stop, look };
        let played = self.runner.run(&game, &job, &mut test)?;
        Ok(test.finish(played.stopped, job.blocks()))
    }
}

/// Folds blocks in order and looks at every checkpoint.
struct Test<'a> {
    comparison: Comparison,
    /// The next checkpoint: all blocks below it are looked at together.
    next: u64,
    /// The checkpoint at which the test decided.
    end: Option<u64>,
    heard_faults: u64,
    max_games: u64,
    stop: &'a AtomicBool,
    look: &'a mut dyn FnMut(Standing<'_>),
}

impl Test<'_> {
    fn check(&mut self) {
        let found = &mut self.comparison;
        found.llr = found.sprt.llr(&found.scores);
        found.decision = found.sprt.decide(found.llr);
        (self.look)(Standing { scores: &found.scores, llr: found.llr, max_games: self.max_games });
    }

    fn add_block(&mut self, games: &[GameRecord]) {
        let found = &mut self.comparison;
        let mut units = 0;
        for game in games {
            found.capped += game.capped as u64;
            // A is role 0; a seat beyond the table has no share.
            let seat = game.seats[..found.seats].iter().find(|seat| seat.role == 0);
            let share = seat.map_or(0, |seat| seat.share_units as u32);
            units += share;
            match share {
                SHARE_UNITS => found.wins += 1,
                0 => found.losses += 1,
                _ => found.ties += 1,
            }
        }
        found.scores.add(units, 1);
    }

    fn finish(mut self, stopped: bool, blocks: u64) -> Comparison {
        let end = match self.end {
            Some(end) => Some(end),
            None if !stopped => Some(blocks),
            None => None,
        };
        if self.end.is_none() {
            self.check();
        }
        let mut found = self.comparison;
        // Blocks that were not to be looked at any more are not to be told of either.
        if let Some(end) = end {
            found.faults.retain(|fault| fault.block < end);
            found.faulty_blocks = end - found.scores.blocks();
        } else {
            found.faulty_blocks = self.heard_faults;
            found.interrupted = true;
            found.decision = Decision::Continue;
        }
        found
    }
}

impl Listener for Test<'_> {
    fn hear(&mut self, event: Event<'_>) -> io::Result<()> {
        match event {
            Event::Batch { records, .. } => {
                for games in records.chunk_by(|one, other| one.block == other.block) {
                    while self.end.is_none() && games[0].block >= self.next {
                        self.check();
                        if self.comparison.decision != Decision::Continue {
                            self.end = Some(self.next);
                            self.stop.store(true, Ordering::Relaxed);
                        }
                        self.next += CHECKPOINT;
                    }
                    if self.end.is_some() {
                        break;
                    }
                    self.add_block(games);
                }
            }
            Event::Fault(fault) => {
                self.heard_faults += 1;
                if self.comparison.faults.len() < MAX_FAULTS {
                    self.comparison.faults.push(fault.clone());
                }
            }
            Event::Begin { .. } | Event::End => {}
        }
        Ok(())
    }
}
