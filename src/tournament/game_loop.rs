//! One game, from the first event to its record.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::watch::{Unwatched, Watch};
use crate::agents::Agent;
use crate::agents::registry::{AgentError, Spec};
use crate::game::{Game, Heuristics, MAX_SEATS, Seat, Turn};
use crate::streams::{Deal, Phase, Root, Stream};

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
    /// Whether all of them play uniformly at random.
    uniform: bool,
    /// Choices of a simultaneous node.
    joint: Vec<G::Action>,
    /// For [`Game::random_action`].
    buffer: Vec<G::Action>,
}

impl<G: Heuristics> Players<G> {
    /// Builds an agent for each role.
    ///
    /// # Errors
    /// If an agent cannot play in a tournament.
    pub fn new<'a>(roles: impl IntoIterator<Item = &'a Spec>) -> Result<Players<G>, AgentError> {
        roles.into_iter().map(Spec::build).collect::<Result<_, _>>().map(Players::of)
    }

    /// Takes agents as they are, one for each role.
    pub fn of(agents: Vec<Box<dyn Agent<G>>>) -> Players<G> {
        let uniform = agents.iter().all(|agent| agent.is_uniform());
        Players { agents, uniform, joint: Vec::new(), buffer: Vec::new() }
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

/// The players of one game as its events meet them.
struct Table<'a, G: Game> {
    game: &'a G,
    players: &'a mut Players<G>,
    key: &'a GameKey,
    root: Root,
    streams: [Stream; MAX_SEATS],
    hidden: Option<[Stream; MAX_SEATS]>,
    decisions: [u32; MAX_SEATS],
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
    let uniform = players.uniform && !verify && clock.is_none();
    let mut table = Table::new(game, players, key, verify, clock);
    // Loops of their own, so that the one of random players is a single piece of code without a call.
    match uniform {
        true => table.play::<AtRandom>(&mut Unwatched),
        false => table.play::<Agents>(&mut Unwatched),
    }
}

/// Plays the same game as [`play_game`], and tells `watch` of every event.
///
/// # Errors
/// As for [`play_game`].
pub fn play_watched<G: Heuristics>(
    game: &G,
    players: &mut Players<G>,
    key: &GameKey,
    verify: bool,
    clock: Option<&mut [Clocked]>,
    watch: &mut impl Watch<G>,
) -> Result<GameRecord, String> {
    Table::new(game, players, key, verify, clock).play::<Agents>(watch)
}

/// The stream that a seat's view of hidden things is sampled from.
pub fn hidden_stream(game: &GameKey, seat: Seat) -> Stream {
    Root::new(game.seed, game.phase, game.block).hidden(game.rotation, seat)
}

/// Who makes the decisions of a game.
trait Choosing<G: Heuristics> {
    /// The choice of a seat.
    fn choose(table: &mut Table<G>, state: &G::State, seat: Seat) -> Result<G::Action, String>;

    /// Lets a seat choose alone and plays what it chose.
    #[inline]
    fn decide(
        table: &mut Table<G>,
        state: &mut G::State,
        seat: Seat,
        watch: &mut impl Watch<G>,
    ) -> Result<(), String> {
        let action = Self::choose(table, state, seat)?;
        table.game.apply(state, action);
        watch.event(table.game, &[action], state);
        Ok(())
    }
}

/// The agents of the line-up.
struct Agents;

impl<G: Heuristics> Choosing<G> for Agents {
    #[inline]
    fn choose(table: &mut Table<G>, state: &G::State, seat: Seat) -> Result<G::Action, String> {
        table.choose(state, seat)
    }
}

/// Random players, whom nobody watches. What they do not know changes nothing: all states that a seat cannot tell
/// apart have the same actions.
struct AtRandom;

impl<G: Heuristics> Choosing<G> for AtRandom {
    #[inline]
    fn choose(table: &mut Table<G>, state: &G::State, seat: Seat) -> Result<G::Action, String> {
        let at = seat.index();
        table.decisions[at] += 1;
        Ok(table.game.random_action(state, seat, &mut table.streams[at], &mut table.players.buffer))
    }

    #[inline]
    fn decide(
        table: &mut Table<G>,
        state: &mut G::State,
        seat: Seat,
        _: &mut impl Watch<G>,
    ) -> Result<(), String> {
        let at = seat.index();
        table.decisions[at] += 1;
        table.game.apply_random(state, seat, &mut table.streams[at], &mut table.players.buffer);
        Ok(())
    }
}

impl<'a, G: Heuristics> Table<'a, G> {
    fn new(
        game: &'a G,
        players: &'a mut Players<G>,
        key: &'a GameKey,
        verify: bool,
        clock: Option<&'a mut [Clocked]>,
    ) -> Table<'a, G> {
        let seats = game.seats();
        for seat in Seat::all(seats) {
            players.agents[key.seating[seat.index()]].begin(game, seat);
        }
        let root = Root::new(key.seed, key.phase, key.block);
        let streams = root.for_seats(seats, |root, seat| root.agent(key.rotation, seat));
        let hidden =
            game.has_hidden().then(|| root.for_seats(seats, |root, seat| root.hidden(key.rotation, seat)));
        Table { game, players, key, root, streams, hidden, decisions: [0; MAX_SEATS], verify, clock }
    }

    /// Plays from the first event to the last; `C` makes every decision.
    #[inline]
    fn play<C: Choosing<G>>(&mut self, watch: &mut impl Watch<G>) -> Result<GameRecord, String> {
        let game = self.game;
        let mut deal = Deal::of(self.root, self.key.luck_rotation, game.seats());
        let limit = game.step_limit();
        let mut decisions = 0;
        let mut state = game.initial();
        loop {
            match game.turn(&state) {
                Turn::Decision(seat) => {
                    C::decide(self, &mut state, seat, watch)?;
                    decisions += 1;
                }
                Turn::Chance(source) => {
                    let outcome = game.sample_chance(&state, deal.word(source));
                    game.apply(&mut state, outcome);
                    watch.event(game, &[outcome], &state);
                }
                Turn::Simultaneous(choosing) => {
                    let mut joint = std::mem::take(&mut self.players.joint);
                    joint.clear();
                    for seat in choosing.iter() {
                        joint.push(C::choose(self, &state, seat)?);
                        decisions += 1;
                    }
                    game.apply_together(&mut state, &joint);
                    watch.event(game, &joint, &state);
                    self.players.joint = joint;
                }
                Turn::Over => break,
            }
            if decisions > limit {
                return Err(format!("more than {limit} decisions: the game does not end"));
            }
        }
        self.record(&state)
    }

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
        self.decisions[at] += 1;
        if self.verify {
            self.game.check_action(state, seat, action).map_err(|illegal| {
                format!("seat {seat} made an illegal move in turn {}: {illegal}", self.game.turns(state))
            })?;
        }
        Ok(action)
    }

    fn record(&self, state: &G::State) -> Result<GameRecord, String> {
        let (game, key) = (self.game, self.key);
        let outcome = game.outcome(state).ok_or("the game is over, but has no outcome")?;
        let ending = game.endings().iter().position(|&ending| ending == outcome.ending());
        let ending = ending.ok_or_else(|| format!("unlisted ending `{}`", outcome.ending()))? as u8;
        let mut record = GameRecord {
            block: key.block,
            line_up: 0,
            rotation: key.rotation as u16,
            ending,
            capped: outcome.capped(),
            turns: game.turns(state),
            seats: [SeatRecord::default(); MAX_SEATS],
        };
        let tallies = game.tally_names().len().min(MAX_TALLIES);
        let mut counts = [0i64; MAX_TALLIES];
        for (at, result) in outcome.results().iter().enumerate() {
            let seat = &mut record.seats[at];
            seat.role = key.seating[at] as u8;
            seat.share_units = result.share_units as u8;
            seat.rank = result.rank;
            seat.score = result.score;
            seat.decisions = self.decisions[at];
            if tallies > 0 {
                game.tally(state, Seat::new(at), &mut counts[..tallies]);
                for (kept, count) in seat.tallies.iter_mut().zip(counts) {
                    *kept = count.clamp(i32::MIN as i64, i32::MAX as i64) as i32;
                }
            }
        }
        Ok(record)
    }
}
