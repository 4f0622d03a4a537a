//! One game, from the first event to its record.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::agents::Agent;
use crate::agents::registry::{AgentError, Spec};
use crate::game::{Game, Heuristics, MAX_SEATS, Seat, Turn};
use crate::streams::{Deal, Phase, Purpose, Stream, agent_stream, key};

/// How many tallies of a game are recorded.
pub const MAX_TALLIES: usize = 12;

/// What one seat got and did in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SeatRecord {
    /// Its role in the line-up.
    pub role: u8,
    /// Win share in units of 1/60.
    pub share_units: u8,
    /// Place, 1 is best.
    pub rank: u8,
    /// The game's own score.
    pub score: i32,
    /// How often it decided.
    pub decisions: u32,
    /// The game's tallies.
    pub tallies: [i32; MAX_TALLIES],
}

/// The record of one game, of fixed size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameRecord {
    /// Number of its block.
    pub block: u64,
    /// Index of its line-up in the job.
    pub line_up: u16,
    /// Which game of the block.
    pub rotation: u16,
    /// Index into the game's list of endings.
    pub ending: u8,
    /// Whether the ending is a cut-off.
    pub capped: bool,
    /// Turns begun.
    pub turns: u32,
    /// One record for each seat; those beyond the table are empty.
    pub seats: [SeatRecord; MAX_SEATS],
}

/// Which game of a run: the deal, the rotation, and who sits where.
#[derive(Clone, Copy, Debug)]
pub struct GameKey {
    /// Master seed.
    pub seed: u64,
    /// 0 for the run, 1 for a re-measurement.
    pub phase: Phase,
    /// The block: one deal.
    pub block: u64,
    /// Which game of the block.
    pub rotation: usize,
    /// By how many seats per-seat luck is handed on.
    pub luck_rotation: usize,
    /// The role in each seat.
    pub seating: [usize; MAX_SEATS],
}

/// The agents of a line-up, one for each role, used for game after game.
pub struct Players<G: Game> {
    agents: Vec<Box<dyn Agent<G>>>,
    joint: Vec<G::Action>,
}

impl<G: Heuristics> Players<G> {
    /// Builds an agent for each role.
    ///
    /// # Errors
    /// If an agent cannot play in a tournament.
    pub fn new<'a>(roles: impl IntoIterator<Item = &'a Spec>) -> Result<Players<G>, AgentError> {
        let agents = roles.into_iter().map(Spec::build).collect::<Result<_, _>>()?;
        Ok(Players { agents, joint: Vec::new() })
    }

    /// Takes agents as they are, one for each role.
    pub fn of(agents: Vec<Box<dyn Agent<G>>>) -> Players<G> {
        Players { agents, joint: Vec::new() }
    }
}

/// Time spent deciding, for one role.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Clocked {
    /// Decisions that were timed.
    pub decisions: u64,
    /// Time they took in all.
    pub time: Duration,
}

/// The luck and the choices of one game as the players meet them.
struct Table<'a, G: Game> {
    game: &'a G,
    players: &'a mut Players<G>,
    key: &'a GameKey,
    streams: [Stream; MAX_SEATS],
    hidden: Option<[Stream; MAX_SEATS]>,
    record: GameRecord,
    decisions: u32,
    verify: bool,
    clock: Option<&'a mut [Clocked]>,
}

/// Plays one game. With `verify`, every choice is checked against the rules; with `clock` (an entry for each
/// role), every choice is timed.
///
/// # Errors
/// What went wrong, in words: an illegal move, or more decisions than the game allows.
pub fn play_game<G: Heuristics>(
    game: &G,
    players: &mut Players<G>,
    key: &GameKey,
    verify: bool,
    clock: Option<&mut [Clocked]>,
) -> Result<GameRecord, String> {
    let seats = game.seats();
    let mut deal = Deal::new(key.seed, key.phase, key.block, key.luck_rotation, seats);
    let at = |index: usize| Seat::new(index.min(seats - 1));
    let stream = |index| agent_stream(key.seed, key.phase, key.block, key.rotation, at(index));
    for seat in Seat::all(seats) {
        players.agents[key.seating[seat.index()]].begin(game, seat);
    }
    let record = GameRecord {
        block: key.block,
        line_up: 0,
        rotation: key.rotation as u16,
        ending: 0,
        capped: false,
        turns: 0,
        seats: [SeatRecord::default(); MAX_SEATS],
    };
    let hidden = game.has_hidden().then(|| std::array::from_fn(|index| hidden_stream(key, at(index))));
    let streams = std::array::from_fn(stream);
    let mut table = Table { game, players, key, streams, hidden, record, decisions: 0, verify, clock };
    let limit = game.step_limit();
    let mut state = game.initial();
    loop {
        match game.turn(&state) {
            Turn::Decision(seat) => {
                let action = table.choose(&state, seat)?;
                game.apply(&mut state, action);
            }
            Turn::Chance(source) => {
                let outcome = game.sample_chance(&state, deal.word(source));
                game.apply(&mut state, outcome);
            }
            Turn::Simultaneous(choosing) => {
                let mut joint = std::mem::take(&mut table.players.joint);
                joint.clear();
                for seat in choosing.iter() {
                    joint.push(table.choose(&state, seat)?);
                }
                game.apply_together(&mut state, &joint);
                table.players.joint = joint;
            }
            Turn::Over => break,
        }
        if table.decisions > limit {
            return Err(format!("more than {limit} decisions: the game does not end"));
        }
    }
    table.finish(&state)
}

/// The stream that a seat's view of hidden things is sampled from.
pub fn hidden_stream(game: &GameKey, seat: Seat) -> Stream {
    let index = (game.rotation as u64) << 8 | seat.index() as u64;
    Stream::new(key(game.seed, game.phase, game.block, Purpose::Hidden, index))
}

impl<G: Heuristics> Table<'_, G> {
    #[inline]
    fn choose(&mut self, state: &G::State, seat: Seat) -> Result<G::Action, String> {
        let at = seat.index();
        let role = self.key.seating[at];
        let agent = &mut self.players.agents[role];
        let stream = &mut self.streams[at];
        let started = self.clock.is_some().then(Instant::now);
        let action = match &mut self.hidden {
            None => agent.choose(self.game, state, seat, stream),
            Some(views) => {
                // An agent gets a sample of its information set, never the truth.
                let mut view = state.clone();
                self.game.resample_hidden(&mut view, seat, &mut views[at]);
                agent.choose(self.game, &view, seat, stream)
            }
        };
        if let (Some(started), Some(clock)) = (started, &mut self.clock) {
            clock[role].decisions += 1;
            clock[role].time += started.elapsed();
        }
        self.decisions += 1;
        self.record.seats[at].decisions += 1;
        if self.verify {
            self.game.check_action(state, seat, action).map_err(|illegal| {
                format!("seat {seat} made an illegal move in turn {}: {illegal}", self.game.turns(state))
            })?;
        }
        Ok(action)
    }

    fn finish(mut self, state: &G::State) -> Result<GameRecord, String> {
        let outcome = self.game.outcome(state).ok_or("the game is over, but has no outcome")?;
        let ending = self.game.endings().iter().position(|&ending| ending == outcome.ending());
        self.record.ending = ending.ok_or_else(|| format!("unlisted ending `{}`", outcome.ending()))? as u8;
        self.record.capped = outcome.capped();
        self.record.turns = self.game.turns(state);
        let tallies = self.game.tally_names().len().min(MAX_TALLIES);
        let mut counts = [0i64; MAX_TALLIES];
        for (at, result) in outcome.results().iter().enumerate() {
            let seat = &mut self.record.seats[at];
            seat.role = self.key.seating[at] as u8;
            seat.share_units = result.share_units as u8;
            seat.rank = result.rank;
            seat.score = result.score;
            if tallies > 0 {
                self.game.tally(state, Seat::new(at), &mut counts[..tallies]);
                for (kept, count) in seat.tallies.iter_mut().zip(counts) {
                    *kept = count.clamp(i32::MIN as i64, i32::MAX as i64) as i32;
                }
            }
        }
        Ok(self.record)
    }
}
