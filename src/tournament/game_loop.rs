//! One game, from the first event to its record.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::watch::{Unwatched, Watch};
use crate::agents::Agent;
use crate::agents::registry::{AgentError, Spec};
use crate::game::{Game, Heuristics, MAX_SEATS, RandomPlay, Seat, Turn};
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
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
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
    /// The luck of the game under way: large, and used again for the next one.
    deal: Deal,
    /// Seed and phase of the last game, and what the roots of its run have in common.
    run: (u64, Phase, Root),
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
        let run = (0, 0, Root::of_run(0, 0));
        Players { agents, uniform, joint: Vec::new(), buffer: Vec::new(), deal: Deal::blank(), run }
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
    let mut record = GameRecord::default();
    play_into(game, players, key, verify, clock, &mut record).map(|()| record)
}

/// [`play_game`] into a record that is there already: a new one, or that of another game at a table of as many
/// seats. A record is large, and a small game takes less time than to move it twice.
///
/// # Errors
/// As for [`play_game`].
#[inline]
pub fn play_into<G: Heuristics>(
    game: &G,
    players: &mut Players<G>,
    key: &GameKey,
    verify: bool,
    clock: Option<&mut [Clocked]>,
    record: &mut GameRecord,
) -> Result<(), String> {
    match players.uniform && !verify && clock.is_none() {
        true => play_at_random(game, players, key, record),
        false => Table::new(game, players, key, verify, clock).play(&mut Unwatched, record),
    }
}

/// Plays a game of random players, the very one that [`Table::play`] plays: a loop of its own, without a call
/// through a pointer, and with what it needs in locals.
///
/// What a player does not know changes nothing: all states that a seat cannot tell apart have the same actions.
fn play_at_random<G: Heuristics>(
    game: &G,
    players: &mut Players<G>,
    key: &GameKey,
    record: &mut GameRecord,
) -> Result<(), String> {
    let (seats, limit) = (game.seats(), game.step_limit());
    let Players { deal, joint, buffer, run, .. } = players;
    if (run.0, run.1) != (key.seed, key.phase) {
        *run = (key.seed, key.phase, Root::of_run(key.seed, key.phase));
    }
    let root = run.2.of_block(key.block);
    let mut streams = std::array::from_fn(|_| Stream::blank());
    root.agents(key.rotation, seats, &mut streams);
    deal.begin(root, key.luck_rotation, seats);
    deal.make_all(game.luck());
    // How often each seat may still decide. Counted down, each by itself: one instruction, and its zero is the
    // check that a game ends at all; that all of them together kept to the limit is seen in the end.
    let mut left = [limit.saturating_add(1); MAX_SEATS];
    let mut state = game.initial();
    let mut on_turn = OnTurn::new(&streams);
    let mut turn = game.turn(&state);
    loop {
        match turn {
            Turn::Decision(seat) => {
                let at = seat.index();
                let goes_on = match (G::RANDOM_PLAY, at) {
                    (RandomPlay::Choices, _) => {
                        on_turn.pass_to(at, &mut streams);
                        left[at] -= 1;
                        game.apply_random(&mut state, seat, &mut on_turn.stream, buffer);
                        left[at] > 0
                    }
                    (RandomPlay::Turns, _) => {
                        on_turn.pass_to(at, &mut streams);
                        play_turn(game, &mut state, at, &mut on_turn.stream, deal, buffer, &mut left)
                    }
                    // Stream, score and dice of a seat that is known stand at fixed places: after a branch that was
                    // guessed wrongly nothing is looked up. Pig plays 13 % more games.
                    (RandomPlay::ShortTurns, 0) => {
                        play_turn(game, &mut state, 0, &mut streams[0], deal, buffer, &mut left)
                    }
                    (RandomPlay::ShortTurns, 1) => {
                        play_turn(game, &mut state, 1, &mut streams[1], deal, buffer, &mut left)
                    }
                    (RandomPlay::ShortTurns, _) => {
                        play_turn(game, &mut state, at, &mut streams[at], deal, buffer, &mut left)
                    }
                };
                if !goes_on {
                    return Err(endless(limit));
                }
            }
            Turn::Simultaneous(choosing) => {
                joint.clear();
                for seat in choosing.iter() {
                    let at = seat.index();
                    left[at] -= 1;
                    if left[at] == 0 {
                        return Err(endless(limit));
                    }
                    let stream = match G::RANDOM_PLAY {
                        // Whose streams stay where they are.
                        RandomPlay::ShortTurns => &mut streams[at],
                        RandomPlay::Choices | RandomPlay::Turns => {
                            on_turn.pass_to(at, &mut streams);
                            &mut on_turn.stream
                        }
                    };
                    joint.push(game.random_action(&state, seat, stream, buffer));
                }
                game.apply_together(&mut state, joint);
            }
            Turn::Over => break,
            // Luck before the first decision.
            Turn::Chance(_) => {}
        }
        turn = game.turn(&state);
        // A loop of its own for luck, behind the decision: where a game's steps say what comes next (a choice to
        // roll is followed by the die), nothing asks for it again.
        while let Turn::Chance(source) = turn {
            let outcome = game.sample_chance(&state, deal.word_of(game.luck(), source));
            game.apply(&mut state, outcome);
            turn = game.turn(&state);
        }
    }
    let decisions = left.map(|left| limit.saturating_add(1) - left);
    if decisions.iter().map(|&count| count as u64).sum::<u64>() > limit as u64 {
        return Err(endless(limit));
    }
    note(game, key, &state, &decisions, record)
}

/// Plays on as long as one seat is on turn. False if it has decided more often than it may.
#[inline(always)]
fn play_turn<G: Heuristics>(
    game: &G,
    state: &mut G::State,
    at: usize,
    stream: &mut Stream,
    deal: &mut Deal,
    buffer: &mut Vec<G::Action>,
    left: &mut [u32; MAX_SEATS],
) -> bool {
    let made = game.random_turn(state, Seat::new(at), stream, deal, buffer);
    let goes_on = made < left[at];
    left[at] = left[at].wrapping_sub(made);
    goes_on
}

/// The streams of two seats, taken out of those of all: of the one that decides and of the one that decided before
/// it, which most often is the next as well.
///
/// Nearly every game hangs on the branches that are taken on random words, and half of them are guessed wrongly.
/// Here the next word of whoever follows lies at a fixed place; looked up by seat, it would be waited for after each
/// of those guesses, until the game's own steps have said who follows.
struct OnTurn {
    seat: usize,
    stream: Stream,
    other: usize,
    waiting: Stream,
}

impl OnTurn {
    #[inline(always)]
    fn new(streams: &[Stream; MAX_SEATS]) -> OnTurn {
        OnTurn { seat: 0, stream: streams[0].clone(), other: 1, waiting: streams[1].clone() }
    }

    /// Makes `stream` that of `seat`.
    #[inline(always)]
    fn pass_to(&mut self, seat: usize, streams: &mut [Stream; MAX_SEATS]) {
        if seat == self.seat {
            return;
        }
        if seat != self.other {
            streams[self.other] = std::mem::replace(&mut self.waiting, streams[seat].clone());
            self.other = seat;
        }
        std::mem::swap(&mut self.stream, &mut self.waiting);
        std::mem::swap(&mut self.seat, &mut self.other);
    }
}

#[cold]
fn endless(limit: u32) -> String {
    format!("more than {limit} decisions: the game does not end")
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
    let mut record = GameRecord::default();
    Table::new(game, players, key, verify, clock).play(watch, &mut record).map(|()| record)
}

/// The stream that a seat's view of hidden things is sampled from.
pub fn hidden_stream(game: &GameKey, seat: Seat) -> Stream {
    Root::new(game.seed, game.phase, game.block).hidden(game.rotation, seat)
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

    /// Plays from the first event to the last.
    fn play(&mut self, watch: &mut impl Watch<G>, record: &mut GameRecord) -> Result<(), String> {
        let game = self.game;
        self.players.deal.begin(self.root, self.key.luck_rotation, game.seats());
        let limit = game.step_limit();
        let mut decisions = 0;
        let mut state = game.initial();
        loop {
            match game.turn(&state) {
                Turn::Decision(seat) => {
                    let action = self.choose(&state, seat)?;
                    game.apply(&mut state, action);
                    watch.event(game, &[action], &state);
                    decisions += 1;
                }
                Turn::Chance(source) => {
                    let outcome = game.sample_chance(&state, self.players.deal.word(source));
                    game.apply(&mut state, outcome);
                    watch.event(game, &[outcome], &state);
                }
                Turn::Simultaneous(choosing) => {
                    let mut joint = std::mem::take(&mut self.players.joint);
                    joint.clear();
                    for seat in choosing.iter() {
                        joint.push(self.choose(&state, seat)?);
                        decisions += 1;
                    }
                    game.apply_together(&mut state, &joint);
                    watch.event(game, &joint, &state);
                    self.players.joint = joint;
                }
                Turn::Over => break,
            }
            if decisions > limit {
                return Err(endless(limit));
            }
        }
        note(game, self.key, &state, &self.decisions, record)
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
}

/// Fills in the record of a game that is over.
fn note<G: Game>(
    game: &G,
    key: &GameKey,
    state: &G::State,
    decisions: &[u32; MAX_SEATS],
    record: &mut GameRecord,
) -> Result<(), String> {
    // By reference: moving it and the streams of the seats took 15 ns a game.
    let outcome = game.outcome(state);
    let outcome = outcome.as_ref().ok_or("the game is over, but has no outcome")?;
    let ending = game.endings().iter().position(|&ending| ending == outcome.ending());
    let ending = ending.ok_or_else(|| format!("unlisted ending `{}`", outcome.ending()))? as u8;
    record.block = key.block;
    record.rotation = key.rotation as u16;
    record.ending = ending;
    record.capped = outcome.capped();
    record.turns = game.turns(state);
    let tallies = game.tally_names().len().min(MAX_TALLIES);
    let mut counts = [0i64; MAX_TALLIES];
    for (at, result) in outcome.results().iter().enumerate() {
        let seat = &mut record.seats[at];
        seat.role = key.seating[at] as u8;
        seat.share_units = result.share_units as u8;
        seat.rank = result.rank;
        seat.score = result.score;
        seat.decisions = decisions[at];
        if tallies > 0 {
            game.tally(state, Seat::new(at), &mut counts[..tallies]);
            for (kept, count) in seat.tallies.iter_mut().zip(counts) {
                *kept = count.clamp(i32::MIN as i64, i32::MAX as i64) as i32;
            }
        }
    }
    Ok(())
}
