//! A chunk of blocks, played and counted by one thread.
//!
//! Blocks are played in stretches: the guard against panics and the sums over games are set up once for a few
//! blocks, since a short game takes less time than either.

use std::cell::Cell;
use std::ops::Range;

use super::game_loop::{Clocked, GameKey, GameRecord, MAX_TALLIES, Players, play_into, play_watched};
use super::line_up::LineUp;
use super::part::{Fault, Part};
use super::pooled::Block;
use super::runner::{Job, Verify, quietly};
use super::tally::Lengths;
use super::watch::{WATCHED_GAMES, Watched, Watcher};
use crate::agents::registry::AgentError;
use crate::game::{Heuristics, MAX_SEATS};
use crate::statistics::Finishes;

/// One block in so many has its moves checked and timed, unless all are.
const VERIFY_EVERY: u64 = 1_000;
/// Games of a stretch, over all line-ups, or one block where that has more. Enough to make light of what is done
/// once a stretch, and few enough for their records to stay in the nearest cache.
const STRETCH_GAMES: u64 = 32;

/// What one chunk of blocks gave.
pub(super) struct Chunk {
    /// What was counted.
    pub part: Part,
    /// One record for each game in order of blocks, where they are wanted.
    pub records: Vec<GameRecord>,
}

/// Plays `blocks` with the line-ups of a job that are active.
///
/// # Errors
/// If an agent cannot be built.
pub(super) fn play_chunk<G: Heuristics>(
    game: &G,
    job: &Job<'_>,
    verify: Verify,
    active: &[bool],
    blocks: Range<u64>,
) -> Result<Chunk, AgentError> {
    let per_block = job.games_per_block();
    let most = (STRETCH_GAMES / (per_block * job.line_ups.len().max(1) as u64)).max(1);
    let watched_blocks = WATCHED_GAMES.div_ceil(per_block);
    let numbers = (0..job.line_ups.len()).filter(|&number| active[number]);
    let tables = numbers.map(|number| Table::new(game, job, number, most as usize));
    let mut tables = tables.collect::<Result<Vec<_>, _>>()?;
    let mut chunk = Chunk { part: Part::new(game, job), records: Vec::new() };
    let mut watcher = Watcher::new(game.seats());
    let mut pool = Block::new(job.agents.len());
    let mut at = blocks.start;
    while at < blocks.end {
        // A block that is looked at more closely is a stretch by itself.
        let (sampled, watched) = (at.is_multiple_of(VERIFY_EVERY), at < watched_blocks);
        let end = match sampled || watched {
            true => at + 1,
            false => (at + most).min(at.next_multiple_of(VERIFY_EVERY)).min(blocks.end),
        };
        for table in &mut tables {
            if sampled || watched {
                let verify = sampled || verify == Verify::All;
                table.play_closely(at, verify, sampled, watched.then_some(&mut watcher), &mut chunk.part)?;
            } else {
                let verify = verify == Verify::All;
                table.play(at..end, &mut chunk.part, |players, key, record| {
                    play_into(game, players, key, verify, None, record)
                })?;
            }
        }
        if chunk.part.pooled.is_some() || job.records {
            for block in at..end {
                let games = tables.iter().flat_map(|table| table.games_of(block));
                if let Some(pooled) = &mut chunk.part.pooled {
                    pooled.add_block(job.line_ups, games.clone(), &mut pool);
                }
                if job.records {
                    chunk.records.extend(games);
                }
            }
        }
        at = end;
    }
    for table in tables {
        table.lengths.hand_over(&mut chunk.part.line_ups[table.number].tally);
    }
    Ok(chunk)
}

/// A line-up at play.
struct Table<'a, G: Heuristics> {
    game: &'a G,
    job: &'a Job<'a>,
    /// Its place among the line-ups of the job.
    number: usize,
    line_up: &'a LineUp,
    players: Players<G>,
    /// The key of each game of a block.
    keys: Vec<GameKey>,
    /// The first block of the stretch, the records of its games, and the blocks that broke off.
    start: u64,
    games: Vec<GameRecord>,
    broken: Vec<u64>,
    lengths: Lengths,
    /// How many tallies the game has.
    tallies: usize,
}

impl<'a, G: Heuristics> Table<'a, G> {
    /// For stretches of so many blocks at most.
    fn new(game: &'a G, job: &'a Job<'a>, number: usize, most: usize) -> Result<Table<'a, G>, AgentError> {
        let line_up = &job.line_ups[number];
        let record = GameRecord { line_up: number as u16, ..GameRecord::default() };
        let per_block = line_up.games_per_block();
        Ok(Table {
            game,
            job,
            number,
            line_up,
            players: players(job, line_up)?,
            keys: (0..per_block).map(|rotation| job.key(line_up, 0, rotation)).collect(),
            start: 0,
            games: vec![record; most * per_block],
            broken: Vec::new(),
            lengths: Lengths::new(),
            tallies: game.tally_names().len().min(MAX_TALLIES),
        })
    }

    /// The records of a block of the stretch, none if a game of it broke off.
    fn games_of(&self, block: u64) -> &[GameRecord] {
        if self.broken.contains(&block) {
            return &[];
        }
        let at = (block - self.start) as usize * self.keys.len();
        &self.games[at..at + self.keys.len()]
    }

    /// Plays a stretch, game by game with `play`, and counts it. A game that breaks off leaves out its block; the
    /// stretch goes on behind it.
    fn play(
        &mut self,
        blocks: Range<u64>,
        part: &mut Part,
        mut play: impl FnMut(&mut Players<G>, &GameKey, &mut GameRecord) -> Result<(), String>,
    ) -> Result<(), AgentError> {
        let per_block = self.keys.len();
        self.start = blocks.start;
        self.broken.clear();
        let mut from = blocks.start;
        while from < blocks.end {
            let place = Cell::new((from, 0));
            let fault = quietly(|| {
                let first = (from - self.start) as usize * per_block;
                let records = self.games[first..].chunks_exact_mut(per_block);
                for (block, records) in (from..blocks.end).zip(records) {
                    for ((rotation, key), record) in self.keys.iter_mut().enumerate().zip(records) {
                        place.set((block, rotation));
                        // Most line-ups sit alike in every block, and then a key need not be made anew.
                        match self.line_up.seats_alike() {
                            true => key.block = block,
                            false => *key = self.job.key(self.line_up, block, rotation),
                        }
                        play(&mut self.players, key, record)?;
                    }
                }
                Ok(())
            });
            let (block, rotation) = place.get();
            self.count(from..if fault.is_ok() { blocks.end } else { block }, part);
            let Err(message) = fault else { break };
            let played = &mut part.line_ups[self.number];
            played.tally.faulty_blocks += 1;
            played.faults.push(Fault { block, rotation, message });
            part.asked.add_block(self.number, block, self.line_up.seats(), &[]);
            self.broken.push(block);
            // Whatever state the agents are in, they are not to be trusted any more.
            self.players = players(self.job, self.line_up)?;
            from = block + 1;
        }
        Ok(())
    }

    /// Plays one block with its moves checked and timed, or watched.
    fn play_closely(
        &mut self,
        block: u64,
        verify: bool,
        timed: bool,
        mut watcher: Option<&mut Watcher>,
        part: &mut Part,
    ) -> Result<(), AgentError> {
        let (game, number) = (self.game, self.number);
        let mut clocks = timed.then(|| vec![Clocked::default(); self.line_up.seats()]);
        let mut seen = Watched::default();
        self.play(block..block + 1, part, |players, key, record| {
            let clocks = clocks.as_deref_mut();
            let Some(watcher) = &mut watcher else {
                return play_into(game, players, key, verify, clocks, record);
            };
            watcher.begin();
            *record = play_watched(game, players, key, verify, clocks, *watcher)?;
            record.line_up = number as u16;
            watcher.finish(record, game.seats(), &mut seen);
            Ok(())
        })?;
        if !self.broken.is_empty() {
            // A value that broke off may have left its memo half made anew.
            watcher.into_iter().for_each(|watcher| *watcher = Watcher::new(game.seats()));
        } else {
            let played = &mut part.line_ups[self.number];
            played.watched.merge(&seen);
            if let Some(clocks) = clocks {
                played.timing.add(&played.tally, &clocks);
            }
        }
        Ok(())
    }

    /// Counts blocks of the stretch that were played to the end.
    fn count(&mut self, blocks: Range<u64>, part: &mut Part) {
        let per_block = self.keys.len();
        let at = |block: u64| (block - self.start) as usize * per_block;
        let games = &self.games[at(blocks.start)..at(blocks.end)];
        let tally = &mut part.line_ups[self.number].tally;
        tally.add_blocks(games, per_block, self.tallies);
        for game in games {
            self.lengths.add(game.turns, tally);
        }
        if let Some(finishes) = &mut part.finishes {
            add_finishes(finishes, self.line_up, games);
        }
        if part.asked.is_any() {
            for (block, games) in blocks.zip(games.chunks_exact(per_block)) {
                part.asked.add_block(self.number, block, self.line_up.seats(), games);
            }
        }
    }
}

fn players<G: Heuristics>(job: &Job<'_>, line_up: &LineUp) -> Result<Players<G>, AgentError> {
    Players::new(line_up.roles.iter().map(|&agent| &job.agents[agent]))
}

/// Counts who came in before whom in some games.
fn add_finishes(finishes: &mut Finishes, line_up: &LineUp, games: &[GameRecord]) {
    let seats = line_up.seats();
    let (mut players, mut ranks) = ([0; MAX_SEATS], [0; MAX_SEATS]);
    for game in games {
        for (at, seat) in game.seats[..seats].iter().enumerate() {
            (players[at], ranks[at]) = (line_up.roles[seat.role as usize], seat.rank);
        }
        finishes.add_game(game.block, &players[..seats], &ranks[..seats]);
    }
}
