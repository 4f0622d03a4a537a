//! One game, step by step, for somebody who watches: `dhow play`.
//!
//! The same game as the tournament plays under the same [`GameKey`]: same luck, same agents' streams. Every step
//! goes through the checked entries of [`Game`].

mod teller;

pub use teller::{Detail, Heading, Teller};

use crate::agents::{Agent, Explanation};
use crate::game::{Game, Outcome, Seat, Turn};
use crate::streams::{Deal, Stream, agent_stream};
use crate::tournament::{GameKey, hidden_stream};
use crate::trace::Step;

/// Who plays a role.
pub enum Player<G: Game> {
    /// An agent.
    Agent(Box<dyn Agent<G>>),
    /// A person, asked through [`Table::ask`].
    Person,
}

/// Who watches a game, and asks the persons at the table.
pub trait Table<G: Game> {
    /// What may go wrong there.
    type Error;

    /// The game begins.
    ///
    /// # Errors
    /// Any; the game then stops. So for the other methods.
    fn start(&mut self, game: &G, state: &G::State) -> Result<(), Self::Error>;

    /// A person must choose; `None` when they leave. `sample` is `state` with what the person cannot see
    /// drawn anew (the same where nothing is hidden).
    ///
    /// # Errors
    /// See [`Table::start`].
    fn ask(
        &mut self,
        game: &G,
        state: &G::State,
        sample: &G::State,
        seat: Seat,
    ) -> Result<Option<G::Action>, Self::Error>;

    /// A step was made. `reasons` are those of the agents that chose in it, if they were asked.
    ///
    /// # Errors
    /// See [`Table::start`].
    fn step(
        &mut self,
        game: &G,
        before: &G::State,
        step: &Step<G::Action>,
        after: &G::State,
        reasons: &[(Seat, Explanation<G::Action>)],
    ) -> Result<(), Self::Error>;

    /// The game is over.
    ///
    /// # Errors
    /// See [`Table::start`].
    fn end(&mut self, game: &G, state: &G::State, outcome: &Outcome) -> Result<(), Self::Error>;
}

/// Why a game did not come to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop<E> {
    /// A person left.
    Left(Seat),
    /// An agent or the game broke the rules.
    Fault(String),
    /// The table could not go on.
    Table(E),
}

impl<E> From<E> for Stop<E> {
    fn from(error: E) -> Stop<E> {
        Stop::Table(error)
    }
}

/// The players of one game and what they draw from.
struct Chooser<'a, G: Game> {
    game: &'a G,
    key: &'a GameKey,
    players: &'a mut [Player<G>],
    streams: Vec<Stream>,
    hidden: Vec<Stream>,
    explain: bool,
    reasons: Vec<(Seat, Explanation<G::Action>)>,
}

impl<G: Game> Chooser<'_, G> {
    fn choose<T: Table<G>>(
        &mut self,
        table: &mut T,
        state: &G::State,
        seat: Seat,
    ) -> Result<G::Action, Stop<T::Error>> {
        let mut sample = state.clone();
        if self.game.has_hidden() {
            self.game.resample_hidden(&mut sample, seat, &mut self.hidden[seat.index()]);
        }
        let action = match &mut self.players[self.key.seating[seat.index()]] {
            Player::Person => table.ask(self.game, state, &sample, seat)?.ok_or(Stop::Left(seat))?,
            Player::Agent(agent) => {
                let action = agent.choose(self.game, &sample, seat, &mut self.streams[seat.index()]);
                let mut luck = Stream::from_seed(0);
                let reason =
                    if self.explain { agent.explain(self.game, &sample, seat, &mut luck) } else { None };
                self.reasons.extend(reason.map(|reason| (seat, reason)));
                action
            }
        };
        match self.game.check_action(state, seat, action) {
            Ok(()) => Ok(action),
            Err(error) => Err(Stop::Fault(format!("seat {seat}: {error}"))),
        }
    }
}

/// Plays a whole game in the sight of `table`, `players` being one for each role of the key's seating. With
/// `explain`, agents are asked for their reasons.
///
/// # Errors
/// [`Stop`] if the game does not come to its end.
pub fn play<G: Game, T: Table<G>>(
    game: &G,
    key: &GameKey,
    players: &mut [Player<G>],
    explain: bool,
    table: &mut T,
) -> Result<Outcome, Stop<T::Error>> {
    let seats = game.seats();
    for seat in Seat::all(seats) {
        if let Player::Agent(agent) = &mut players[key.seating[seat.index()]] {
            agent.begin(game, seat);
        }
    }
    let own = |seat| agent_stream(key.seed, key.phase, key.block, key.rotation, seat);
    let mut chooser = Chooser {
        game,
        key,
        players,
        streams: Seat::all(seats).map(own).collect(),
        hidden: Seat::all(seats).map(|seat| hidden_stream(key, seat)).collect(),
        explain,
        reasons: Vec::new(),
    };
    let mut deal = Deal::new(key.seed, key.phase, key.block, key.luck_rotation, seats);
    let mut state = game.initial();
    let mut decisions = 0;
    table.start(game, &state)?;
    loop {
        let before = state.clone();
        chooser.reasons.clear();
        let (step, played) = match game.turn(&before) {
            Turn::Over => break,
            Turn::Chance(source) => {
                let action = game.sample_chance(&before, deal.word(source));
                (Step::Chance(source, action), game.play_chance(&mut state, action))
            }
            Turn::Decision(seat) => {
                let action = chooser.choose(table, &before, seat)?;
                (Step::Decision(seat, action), game.play(&mut state, seat, action))
            }
            Turn::Simultaneous(choosing) => {
                let mut joint = Vec::new();
                for seat in choosing.iter() {
                    joint.push(chooser.choose(table, &before, seat)?);
                }
                let played = game.play_together(&mut state, &joint);
                (Step::Simultaneous(choosing, joint), played)
            }
        };
        played.map_err(|error| Stop::Fault(error.to_string()))?;
        decisions += step.decisions();
        if decisions > game.step_limit() {
            return Err(Stop::Fault(format!("the game did not end within {decisions} decisions")));
        }
        table.step(game, &before, &step, &state, &chooser.reasons)?;
    }
    let outcome =
        game.outcome(&state).ok_or_else(|| Stop::Fault("a game that is over has no outcome".into()))?;
    table.end(game, &state, &outcome)?;
    Ok(outcome)
}
