//! The parallel runner: blocks in batches over threads, folded in block order.
//!
//! Results are the same bytes for any number of threads: a block's games depend on the seed and the block's
//! number alone, counts are integers, and records are handed on in block order. The clock decides only how
//! many blocks go into a batch.

use std::cell::Cell;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rayon::ThreadPool;
use rayon::prelude::*;

use super::asked::Ask;
use super::chunk::{Chunk, play_chunk};
use super::events::{Event, Listener};
use super::game_loop::GameKey;
use super::line_up::LineUp;
use super::part::Part;
use super::settling::{Looks, Settled};
use super::shard::Shard;
use crate::agents::registry::{AgentError, Spec};
use crate::game::Heuristics;
use crate::streams::Phase;

/// A batch should take about this long.
const BATCH_TIME: Duration = Duration::from_secs(1);
/// Chunks a batch is cut into for each thread, so that threads finish together.
const CHUNKS_PER_THREAD: u64 = 32;
/// A chunk should take at least about this long, which is far more than setting one up takes.
const CHUNK_TIME: Duration = Duration::from_millis(1);
/// Games of a batch when each leaves a record: bounds the memory.
const MAX_RECORDS: u64 = 20_000;
/// Blocks in one batch at most.
const MAX_BATCH: u64 = 1 << 22;
/// Which moves are held against the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Verify {
    /// Those of one block in 1,000.
    #[default]
    Sample,
    /// All.
    All,
}

/// More games than anybody can wait for, and few enough that no count overflows.
pub const MAX_GAMES: u64 = 1_000_000_000_000_000;

/// The line-ups of one arm, to be played on the same deals.
#[derive(Clone, Debug)]
pub struct Job<'a> {
    /// Who sits where, at most [`MAX_LINE_UPS`](super::MAX_LINE_UPS). All have the same number of games a block.
    pub line_ups: &'a [LineUp],
    /// All agents; the line-ups' roles are indices into it.
    pub agents: &'a [Spec],
    /// Games to play for each line-up, rounded up to whole blocks; at most [`MAX_GAMES`].
    pub games: u64,
    /// Master seed.
    pub seed: u64,
    /// 0, or 1 for fresh deals.
    pub phase: Phase,
    /// Tallies to group by.
    pub by: &'a [usize],
    /// Whether the listener wants a record of each game.
    pub records: bool,
    /// Which part of the blocks is to be played.
    pub shard: Shard,
    /// What is counted beyond the tables.
    pub ask: Ask<'a>,
}

impl Job<'_> {
    /// Games a block has, for each line-up.
    pub fn games_per_block(&self) -> u64 {
        self.line_ups.first().map_or(1, LineUp::games_per_block) as u64
    }

    /// Whole blocks of the arm, over all shards.
    pub fn blocks(&self) -> u64 {
        self.games.div_ceil(self.games_per_block())
    }

    /// The blocks to play: those of the shard.
    pub fn range(&self) -> Range<u64> {
        self.shard.of(self.blocks())
    }

    /// The key of one game of a line-up.
    pub fn key(&self, line_up: &LineUp, block: u64, rotation: usize) -> GameKey {
        GameKey {
            seed: self.seed,
            phase: self.phase,
            block,
            rotation,
            luck_rotation: line_up.luck_rotation(rotation),
            seating: line_up.seating(self.seed, self.phase, block, rotation),
        }
    }
}

/// What came of a job.
#[derive(Clone, Debug)]
pub struct ArmPlayed {
    /// What was counted.
    pub part: Part,
    /// Whether it was stopped before its end; whole blocks are kept.
    pub stopped: bool,
    /// How each line-up stands, where the job plays until that is settled.
    pub settled: Vec<Settled>,
}

/// Where a job stands that was begun before: what its blocks up to `next` gave.
#[derive(Clone, Debug)]
pub struct Begun {
    /// The first block that was not played.
    pub next: u64,
    /// What was counted.
    pub part: Part,
}

/// A run that could not go on.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// An agent could not be built.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// A listener failed.
    #[error("cannot write results: {0}")]
    Io(#[from] std::io::Error),
    /// No threads were to be had.
    #[error("cannot start threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// Plays jobs on a pool of threads until told to stop.
pub struct Runner<'a> {
    pool: ThreadPool,
    stop: &'a AtomicBool,
    verify: Verify,
}

impl<'a> Runner<'a> {
    /// A runner with so many threads (0: as many as there are cores); setting `stop` ends it at a batch.
    ///
    /// # Errors
    /// If the threads cannot be started.
    pub fn new(threads: usize, stop: &'a AtomicBool, verify: Verify) -> Result<Runner<'a>, RunError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        Ok(Runner { pool, stop, verify })
    }

    /// How many threads it has.
    pub fn threads(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// Plays a job.
    ///
    /// # Errors
    /// If an agent cannot be built or the listener fails.
    pub fn run<G: Heuristics>(
        &self,
        game: &G,
        job: &Job<'_>,
        listener: &mut dyn Listener,
    ) -> Result<ArmPlayed, RunError> {
        self.resume(game, job, None, listener)
    }

    /// Plays a job from where it was left, with the same result as in one go.
    ///
    /// # Errors
    /// As for [`Runner::run`].
    pub fn resume<G: Heuristics>(
        &self,
        game: &G,
        job: &Job<'_>,
        begun: Option<Begun>,
        listener: &mut dyn Listener,
    ) -> Result<ArmPlayed, RunError> {
        let Range { start, end: last } = job.range();
        let line_ups = job.line_ups.len() as u64;
        let (mut at, mut all) = match begun {
            Some(begun) => (begun.next, begun.part),
            None => (start, Part::new(game, job)),
        };
        let mut watch = Looks::new(job);
        watch.feed(&all.asked.units);
        all.asked.forget_units();
        let mut stopped = false;
        let games = |blocks: u64| blocks.saturating_mul(job.games_per_block()).saturating_mul(line_ups);
        listener.hear(Event::Begin { games: games(last - start), done: games(at - start) })?;
        let threads = self.threads() as u64;
        // Blocks of a batch, and how many one thread has played in a second.
        let (mut size, mut speed) = (threads, 0.0);
        while at < last && watch.goes_on() {
            if self.stop.load(Ordering::Relaxed) {
                stopped = true;
                break;
            }
            let started = Instant::now();
            let end = watch.cut(start, at..(at + size).min(last));
            let long_enough = (speed * CHUNK_TIME.as_secs_f64()) as u64;
            let chunk = (end - at).div_ceil(threads * CHUNKS_PER_THREAD).max(long_enough);
            let chunk = chunk.min((end - at).div_ceil(threads));
            let ranges: Vec<Range<u64>> = (0..(end - at).div_ceil(chunk))
                .map(|i| at + i * chunk..end.min(at + (i + 1) * chunk))
                .collect();
            let active = &watch.active[..];
            let chunks: Vec<Result<Chunk, AgentError>> = self.pool.install(|| {
                ranges
                    .into_par_iter()
                    // Left to itself rayon hands out several at a time, and one thread then waits for the other.
                    .with_max_len(1)
                    .map(|range| play_chunk(game, job, self.verify, active, range))
                    .collect()
            });
            let (mut batch, mut records) = (Part::new(game, job), Vec::new());
            for chunk in chunks {
                let mut chunk = chunk?;
                chunk.part.faults().try_for_each(|fault| listener.hear(Event::Fault(fault)))?;
                batch.merge(&chunk.part);
                records.append(&mut chunk.records);
            }
            listener.hear(Event::Batch { blocks: at..end, part: &batch, records: &records })?;
            all.merge(&batch);
            watch.feed(&batch.asked.units);
            all.asked.forget_units();
            let spent = started.elapsed().as_secs_f64().max(1e-6);
            let next = (end - at) as f64 * (BATCH_TIME.as_secs_f64() / spent).min(8.0);
            speed = (end - at) as f64 / spent / threads as f64;
            let most = match job.records {
                true => (MAX_RECORDS / (job.games_per_block() * line_ups.max(1))).max(1),
                false => MAX_BATCH,
            };
            size = (next as u64).clamp(1, most);
            at = end;
        }
        listener.hear(Event::End)?;
        Ok(ArmPlayed { part: all, stopped, settled: watch.standing() })
    }
}

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Runs `work` and turns a panic inside it into its message, without a word on standard error.
///
/// # Errors
/// Those of `work`, and its panic.
pub fn quietly<T>(work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !QUIET.get() {
                usual(info);
            }
        }));
    });
    QUIET.set(true);
    let caught = catch_unwind(AssertUnwindSafe(work));
    QUIET.set(false);
    caught.unwrap_or_else(|payload| {
        let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
        Err(format!("panic: {}", text.unwrap_or_else(|| "without a message".into())))
    })
}
