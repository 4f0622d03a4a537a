//! The traits that a game implements, and their vocabulary: [`Game`], [`Heuristics`], [`Narrate`],
//! [`Seat`], [`Turn`], [`Outcome`]. Read this first: everything else in dhow is written against it.
//!
//! A [`Game`] holds the rules of one match (switches, number of seats) and never changes; a state is
//! plain data. Whoever plays a game asks [`Game::turn`] what happens next and applies one action after
//! another until the turn is [`Turn::Over`].
//!
//! # A whole game
//!
//! *Countdown*: eight counters lie on the table; in turn a player throws a coin and takes one counter, or two
//! if the coin allows it. Whoever takes the last counter wins.
//!
//! ```
//! use dhow::game::{Game, Luck, Outcome, ParseActionError, Seat, Source, Turn};
//! use dhow::streams::Stream;
//! use serde::{Deserialize, Serialize};
//!
//! struct Countdown;
//!
//! #[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
//! struct State { counters: u8, to_move: Seat, coin: Option<u8> }
//!
//! #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
//! enum Action { Coin(u8), Take(u8) }
//!
//! impl std::fmt::Display for Action {
//!     fn fmt(&self, out: &mut std::fmt::Formatter) -> std::fmt::Result {
//!         match self {
//!             Action::Coin(most) => write!(out, "coin {most}"),
//!             Action::Take(count) => write!(out, "take {count}"),
//!         }
//!     }
//! }
//!
//! impl std::str::FromStr for Action {
//!     type Err = ParseActionError;
//!     fn from_str(text: &str) -> Result<Action, ParseActionError> {
//!         let unknown = || ParseActionError::new(text, "`coin 1`, `coin 2`, `take 1` or `take 2`");
//!         let (word, number) = text.split_once(' ').ok_or_else(unknown)?;
//!         let number = number.parse().map_err(|_| unknown())?;
//!         match word {
//!             "coin" => Ok(Action::Coin(number)),
//!             "take" => Ok(Action::Take(number)),
//!             _ => Err(unknown()),
//!         }
//!     }
//! }
//!
//! impl Game for Countdown {
//!     type State = State;
//!     type Action = Action;
//!     fn seats(&self) -> usize { 2 }
//!     fn luck(&self) -> &'static [Luck] { const { &[Luck::per_seat("coin")] } }
//!     fn endings(&self) -> &'static [&'static str] { &["last counter"] }
//!     fn step_limit(&self) -> u32 { 8 }
//!     fn initial(&self) -> State { State { counters: 8, to_move: Seat::new(0), coin: None } }
//!     fn turn(&self, state: &State) -> Turn {
//!         match (state.counters, state.coin) {
//!             (0, _) => Turn::Over,
//!             (_, None) => Turn::Chance(Source::of(0, state.to_move)),
//!             (_, Some(_)) => Turn::Decision(state.to_move),
//!         }
//!     }
//!     fn chance(&self, _: &State, out: &mut Vec<(Action, f64)>) {
//!         out.clear();
//!         out.extend([(Action::Coin(1), 0.5), (Action::Coin(2), 0.5)]);
//!     }
//!     fn actions(&self, state: &State, _: Seat, out: &mut Vec<Action>) {
//!         out.clear();
//!         out.extend((1..=state.coin.unwrap().min(state.counters)).map(Action::Take));
//!     }
//!     fn apply(&self, state: &mut State, action: Action) {
//!         match action {
//!             Action::Coin(most) => state.coin = Some(most),
//!             Action::Take(count) => {
//!                 state.counters -= count;
//!                 state.coin = None;
//!                 // The winner keeps the move: the state then says who took the last counter.
//!                 if state.counters > 0 { state.to_move = state.to_move.next(2); }
//!             }
//!         }
//!     }
//!     fn outcome(&self, state: &State) -> Option<Outcome> {
//!         (state.counters == 0).then(|| Outcome::winner("last counter", state.to_move, &[0, 0]))
//!     }
//!     fn turns(&self, state: &State) -> u32 { 8 - state.counters as u32 }
//! }
//!
//! // One random game.
//! let (game, mut luck, mut choice) = (Countdown, Stream::from_seed(1), Stream::from_seed(2));
//! let (mut state, mut buffer) = (game.initial(), Vec::new());
//! loop {
//!     let action = match game.turn(&state) {
//!         Turn::Over => break,
//!         Turn::Chance(_) => game.sample_chance(&state, luck.word()),
//!         Turn::Decision(seat) => game.random_action(&state, seat, &mut choice, &mut buffer),
//!         Turn::Simultaneous(_) => unreachable!("nobody chooses in secret in this game"),
//!     };
//!     game.apply(&mut state, action);
//! }
//! let outcome = game.outcome(&state).unwrap();
//! assert_eq!((0..2).map(|seat| outcome.win_share(Seat::new(seat))).sum::<f64>(), 1.0);
//! ```

use std::any::Any;
use std::fmt::{self, Debug, Display};
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::streams::{Deal, Stream, unit};

/// The most seats that any game has.
pub const MAX_SEATS: usize = 6;

/// Win shares are counted in units of 1/60: 60 is the least common multiple of 1 to 6, so every equal
/// share among up to [`MAX_SEATS`] winners is a whole number, and sums of shares are exact.
pub const SHARE_UNITS: u32 = 60;

/// A place at the table, counted from 0 in play order. It is *shown* counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seat(u8);

impl Seat {
    /// The seat with index `index`, 0 to [`MAX_SEATS`] - 1.
    #[inline]
    pub const fn new(index: usize) -> Seat {
        debug_assert!(index < MAX_SEATS);
        Seat(index as u8)
    }

    /// Index from 0, for tables.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Number from 1, for people.
    pub const fn number(self) -> usize {
        self.0 as usize + 1
    }

    /// The next seat in play order.
    #[inline]
    pub const fn next(self, seats: usize) -> Seat {
        let next = self.0 as usize + 1;
        Seat(if next == seats { 0 } else { next as u8 })
    }

    /// All seats of a table, in order.
    pub fn all(seats: usize) -> impl DoubleEndedIterator<Item = Seat> + ExactSizeIterator + Clone {
        (0..seats).map(Seat::new)
    }
}

impl Display for Seat {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.number())
    }
}

/// A set of seats.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SeatSet(u8);

impl SeatSet {
    /// Seats 0 to `seats` - 1.
    pub const fn all(seats: usize) -> SeatSet {
        SeatSet(((1u16 << seats) - 1) as u8)
    }

    /// The set with `seat` added.
    #[must_use]
    pub const fn with(self, seat: Seat) -> SeatSet {
        SeatSet(self.0 | 1 << seat.0)
    }

    /// The set with `seat` taken out.
    #[must_use]
    pub const fn without(self, seat: Seat) -> SeatSet {
        SeatSet(self.0 & !(1 << seat.0))
    }

    /// Whether `seat` is in the set.
    pub const fn contains(self, seat: Seat) -> bool {
        self.0 >> seat.0 & 1 == 1
    }

    /// How many seats.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there are none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The seats in ascending order.
    pub fn iter(self) -> impl Iterator<Item = Seat> {
        Seat::all(MAX_SEATS).filter(move |&seat| self.contains(seat))
    }
}

impl FromIterator<Seat> for SeatSet {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> SeatSet {
        seats.into_iter().fold(SeatSet::default(), SeatSet::with)
    }
}

/// A kind of luck in a game, as a physical thing: each player's dice, a deck, the set-up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Luck {
    /// What it is, for people.
    pub name: &'static str,
    /// Whether each seat has its own (its dice) or the table shares one (a deck, a bag).
    pub per_seat: bool,
}

impl Luck {
    /// Luck that belongs to a seat.
    pub const fn per_seat(name: &'static str) -> Luck {
        Luck { name, per_seat: true }
    }

    /// Luck that the table shares.
    pub const fn shared(name: &'static str) -> Luck {
        Luck { name, per_seat: false }
    }
}

/// The source of one chance event: the `kind`-th entry of [`Game::luck`], and whose it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Source {
    /// Index into [`Game::luck`].
    pub kind: u8,
    /// The owner, exactly when that entry is per seat.
    pub seat: Option<Seat>,
}

impl Source {
    /// Shared luck.
    pub const fn shared(kind: u8) -> Source {
        Source { kind, seat: None }
    }

    /// A seat's own luck.
    #[inline]
    pub const fn of(kind: u8, seat: Seat) -> Source {
        Source { kind, seat: Some(seat) }
    }
}

/// How the loop of random games plays a game, see [`Game::RANDOM_PLAY`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RandomPlay {
    /// Choice by choice ([`Game::apply_random`]).
    Choices,
    /// Turn by turn ([`Game::random_turn`]), where a seat most often decides several times in a row.
    Turns,
    /// Turn by turn, and each of the first two seats by code of its own: for turns of a few instructions.
    ShortTurns,
}

/// What happens next in a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// One seat chooses among [`Game::actions`].
    Decision(Seat),
    /// These seats choose at once, each on the same state; [`Game::apply_together`] takes their choices.
    Simultaneous(SeatSet),
    /// Luck decides: [`Game::chance`].
    Chance(Source),
    /// The game is over: [`Game::outcome`] is there.
    Over,
}

/// What an action must be: small, ordered, hashable, with a text form that parses back to it.
pub trait GameAction:
    Copy + Ord + Hash + Debug + Display + FromStr<Err = ParseActionError> + Send + Sync + 'static
{
}

impl<A> GameAction for A where
    A: Copy + Ord + Hash + Debug + Display + FromStr<Err = ParseActionError> + Send + Sync + 'static
{
}

/// Text that is no action.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{text}` is no action here; expected {expected}")]
pub struct ParseActionError {
    /// What was read.
    pub text: String,
    /// What would have been understood.
    pub expected: String,
}

impl ParseActionError {
    /// An error that shows `text` and says what was `expected`.
    pub fn new(text: &str, expected: impl Into<String>) -> ParseActionError {
        ParseActionError { text: text.to_owned(), expected: expected.into() }
    }
}

/// An action that the rules do not allow, refused by a checked entry.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{action}` is not allowed: {reason}")]
pub struct IllegalAction {
    /// The action in text form.
    pub action: String,
    /// Why it was refused.
    pub reason: String,
}

/// The rules of one match: switches, number of seats, tables computed from them.
///
/// Immutable and shared by all threads. The lists that are filled through `&mut Vec` are cleared first;
/// a buffer that is used again makes them free of allocation.
pub trait Game: Send + Sync + 'static {
    /// Plain data that says everything about a position: no generator, no count of random events, no
    /// pointer to the rules. All traits are derived.
    type State: Clone + Eq + Hash + Debug + Serialize + DeserializeOwned + Send + Sync + 'static;
    /// One small decision, or one outcome of luck. Compound moves are several actions.
    type Action: GameAction;

    /// How the loop of random games plays this game: as measured, whatever is fastest. The games are the same.
    const RANDOM_PLAY: RandomPlay = RandomPlay::Choices;

    /// Number of seats, 1 to [`MAX_SEATS`].
    fn seats(&self) -> usize;

    /// The sources of luck, at most [`crate::streams::MAX_SOURCES`]; [`Source::kind`] is an index into it.
    fn luck(&self) -> &'static [Luck];

    /// Every way in which a game can end, as [`Outcome::ending`] names them. An ending named `cap` is a
    /// game that was cut off.
    fn endings(&self) -> &'static [&'static str];

    /// No game has more decisions than this, in all seats together, forced ones included.
    fn step_limit(&self) -> u32;

    /// The state before the first event of a match.
    fn initial(&self) -> Self::State;

    /// What happens next.
    fn turn(&self, state: &Self::State) -> Turn;

    /// Fills `out` with every legal action of `seat`, each once, in a fixed order. `seat` must be one of
    /// those to choose in `state`.
    fn actions(&self, state: &Self::State, seat: Seat, out: &mut Vec<Self::Action>);

    /// Fills `out` with every possible outcome of the chance node `state` and its exact probability
    /// (positive, adding to 1).
    fn chance(&self, state: &Self::State, out: &mut Vec<(Self::Action, f64)>);

    /// The outcome that a uniform word picks: the inverse of the cumulative distribution in the order of
    /// [`Game::chance`]. Override for speed.
    fn sample_chance(&self, state: &Self::State, word: u64) -> Self::Action {
        let mut outcomes = Vec::new();
        self.chance(state, &mut outcomes);
        let target = unit(word);
        let mut sum = 0.0;
        for &(action, probability) in &outcomes {
            sum += probability;
            if target < sum {
                return action;
            }
        }
        outcomes.last().expect("a chance node has an outcome").0
    }

    /// Plays an action of the seat to decide, or an outcome of luck. It must be legal: nothing is checked.
    fn apply(&self, state: &mut Self::State, action: Self::Action);

    /// Plays the choices of a simultaneous node, one for each of its seats, in ascending order of seats.
    fn apply_together(&self, _state: &mut Self::State, _actions: &[Self::Action]) {
        unreachable!("this game has no simultaneous node")
    }

    /// The result, exactly when the turn is [`Turn::Over`].
    fn outcome(&self, state: &Self::State) -> Option<Outcome>;

    /// No seat's payoff is ever greater than this: a searcher that finds it looks no further. A game whose
    /// payoffs are the win shares says 1.
    fn payoff_limit(&self) -> f64 {
        f64::INFINITY
    }

    /// How many turns (rounds, where the game counts rounds) have been begun.
    fn turns(&self, state: &Self::State) -> u32;

    /// Whether anything is hidden from anybody, outside simultaneous choices.
    fn has_hidden(&self) -> bool {
        false
    }

    /// Replaces what `observer` cannot see by a sample of what it might be. The result depends on the
    /// observer's information set and the stream alone.
    fn resample_hidden(&self, _state: &mut Self::State, _observer: Seat, _stream: &mut Stream) {}

    /// Equal for two states exactly when `seat` cannot tell them apart (up to collisions of 128 bits).
    fn information_key(&self, state: &Self::State, _seat: Seat) -> u128 {
        state_key(state)
    }

    /// A uniformly random legal action. Override for speed.
    fn random_action(
        &self,
        state: &Self::State,
        seat: Seat,
        stream: &mut Stream,
        buffer: &mut Vec<Self::Action>,
    ) -> Self::Action {
        self.actions(state, seat, buffer);
        buffer[stream.below(buffer.len())]
    }

    /// Plays a uniformly random legal action: [`Game::random_action`], then [`Game::apply`]. Override for speed
    /// where a game that has just made its choice knows more than one that is handed it.
    #[inline]
    fn apply_random(
        &self,
        state: &mut Self::State,
        seat: Seat,
        stream: &mut Stream,
        buffer: &mut Vec<Self::Action>,
    ) {
        let action = self.random_action(state, seat, stream, buffer);
        self.apply(state, action);
    }

    /// Plays on at random as long as `seat` decides, which it does in this state: [`Game::apply_random`], then the
    /// luck that follows ([`Deal::word`]), again and again. Gives the number of decisions, by default at most
    /// [`Game::step_limit`] + 1. Override for speed where a turn is no more than a few numbers.
    #[inline]
    fn random_turn(
        &self,
        state: &mut Self::State,
        seat: Seat,
        stream: &mut Stream,
        deal: &mut Deal,
        buffer: &mut Vec<Self::Action>,
    ) -> u32 {
        let mut made = 0;
        loop {
            self.apply_random(state, seat, stream, buffer);
            made += 1;
            let mut turn = self.turn(state);
            while let Turn::Chance(source) = turn {
                let outcome = self.sample_chance(state, deal.word_of(self.luck(), source));
                self.apply(state, outcome);
                turn = self.turn(state);
            }
            if turn != Turn::Decision(seat) || made > self.step_limit() {
                return made;
            }
        }
    }

    /// Names of what [`Game::tally`] counts, each a column of the per-game table.
    fn tally_names(&self) -> &'static [&'static str] {
        &[]
    }

    /// Fills `out`, one integer for each of [`Game::tally_names`], for one seat. Read when a game is over.
    fn tally(&self, _state: &Self::State, _seat: Seat, _out: &mut [i64]) {}

    /// The kinds of action that a seat can be forbidden in restricted play ([`crate::agents::restricted`]), at
    /// most words of 31 bytes: every action that a seat may choose is of one of them. Empty: of no kind.
    fn action_kinds(&self) -> &'static [&'static str] {
        &[]
    }

    /// The kind of an action, an index into [`Game::action_kinds`]; `None` if it is of none. By default the
    /// kind is the first word of the action's text form.
    fn kind_of(&self, action: Self::Action) -> Option<usize> {
        let mut word = FirstWord::default();
        // The writer refuses everything after the first word: that is no error.
        let _ = fmt::Write::write_fmt(&mut word, format_args!("{action}"));
        let word = &word.bytes[..word.length];
        self.action_kinds().iter().position(|kind| kind.as_bytes() == word)
    }

    /// Checks that `seat` may choose `action` in `state`.
    ///
    /// # Errors
    /// [`IllegalAction`], saying why not.
    fn check_action(
        &self,
        state: &Self::State,
        seat: Seat,
        action: Self::Action,
    ) -> Result<(), IllegalAction> {
        let refuse = |reason: String| Err(IllegalAction { action: action.to_string(), reason });
        match self.turn(state) {
            Turn::Over => return refuse("the game is over".into()),
            Turn::Chance(_) => return refuse("luck decides now".into()),
            Turn::Decision(mover) if mover != seat => {
                return refuse(format!("seat {mover} decides now, not seat {seat}"));
            }
            Turn::Simultaneous(seats) if !seats.contains(seat) => {
                return refuse(format!("seat {seat} does not choose now"));
            }
            _ => {}
        }
        let mut legal = Vec::new();
        self.actions(state, seat, &mut legal);
        if legal.contains(&action) {
            return Ok(());
        }
        refuse(format!("the rules offer {}", some_of(legal.iter())))
    }

    /// The checked entry: plays `action` if `seat` may, and leaves the state alone otherwise.
    ///
    /// # Errors
    /// [`IllegalAction`], also at a simultaneous node (see [`Game::play_together`]).
    fn play(&self, state: &mut Self::State, seat: Seat, action: Self::Action) -> Result<(), IllegalAction> {
        self.check_action(state, seat, action)?;
        if let Turn::Simultaneous(_) = self.turn(state) {
            return Err(IllegalAction {
                action: action.to_string(),
                reason: "several seats choose together now".into(),
            });
        }
        self.apply(state, action);
        Ok(())
    }

    /// The checked entry for simultaneous nodes: one action for each choosing seat, ascending.
    ///
    /// # Errors
    /// [`IllegalAction`] for the first choice that is not allowed; the state is then unchanged.
    fn play_together(&self, state: &mut Self::State, actions: &[Self::Action]) -> Result<(), IllegalAction> {
        let joint = || actions.iter().map(|a| a.to_string()).collect::<Vec<_>>().join(" + ");
        let Turn::Simultaneous(seats) = self.turn(state) else {
            return Err(IllegalAction { action: joint(), reason: "nobody chooses in secret now".into() });
        };
        if seats.len() != actions.len() {
            let reason = format!("{} seats choose now, not {}", seats.len(), actions.len());
            return Err(IllegalAction { action: joint(), reason });
        }
        for (seat, &action) in seats.iter().zip(actions) {
            self.check_action(state, seat, action)?;
        }
        self.apply_together(state, actions);
        Ok(())
    }

    /// The checked entry for luck: plays an outcome that is possible.
    ///
    /// # Errors
    /// [`IllegalAction`] if the state is no chance node or the outcome cannot happen.
    fn play_chance(&self, state: &mut Self::State, action: Self::Action) -> Result<(), IllegalAction> {
        let refuse = |reason: String| Err(IllegalAction { action: action.to_string(), reason });
        if !matches!(self.turn(state), Turn::Chance(_)) {
            return refuse("luck has nothing to decide now".into());
        }
        let mut possible = Vec::new();
        self.chance(state, &mut possible);
        if !possible.iter().any(|&(outcome, probability)| outcome == action && probability > 0.0) {
            let outcomes = some_of(possible.iter().map(|(outcome, _)| outcome));
            return refuse(format!("luck can only give {outcomes}"));
        }
        self.apply(state, action);
        Ok(())
    }
}

/// Takes the first word of what is written, and no memory for it.
#[derive(Default)]
struct FirstWord {
    bytes: [u8; 32],
    length: usize,
}

impl fmt::Write for FirstWord {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            if byte == b' ' || self.length == self.bytes.len() {
                return Err(fmt::Error);
            }
            self.bytes[self.length] = byte;
            self.length += 1;
        }
        Ok(())
    }
}

/// Up to eight of the items in words, and how many more there are.
pub(crate) fn some_of<A: Display>(items: impl ExactSizeIterator<Item = A>) -> String {
    const SHOWN: usize = 8;
    let more = items.len().saturating_sub(SHOWN);
    let shown: Vec<String> = items.take(SHOWN).map(|item| format!("`{item}`")).collect();
    match more {
        0 => shown.join(", "),
        _ => format!("{} and {more} more", shown.join(", ")),
    }
}

/// What a searcher may ask of a game: judgement and structure, no rule.
pub trait Heuristics: Game {
    /// Fills `out` with the estimated payoff of each seat (0 to 1, adding to 1, where the payoff is the win
    /// share). Defined in every state, also in the middle of compound moves and when the game is over.
    fn value(&self, state: &Self::State, out: &mut [f64]);

    /// The same value, bit for bit, for a searcher that asks about many states that are much alike: `memo` is
    /// its own and goes with it from one state to the next. Override where that saves time.
    fn value_near(&self, state: &Self::State, _memo: &mut Memo, out: &mut [f64]) {
        self.value(state, out);
    }

    /// An outcome of luck that [`Game::chance`] lists in `state` before `outcome` and that comes to the same: after
    /// both the value is the same, bit for bit, luck does not go on, and no sub-decision of a move is pending. A
    /// searcher that averages over luck judges the first of them alone. Override where that saves time.
    #[inline]
    fn twin(&self, _state: &Self::State, _outcome: Self::Action) -> Option<Self::Action> {
        None
    }

    /// The value for a searcher that plans a turn to its end and judges where the next one begins. Override where
    /// that needs other weights than judging move by move does.
    fn value_planned(&self, state: &Self::State, out: &mut [f64]) {
        self.value(state, out);
    }

    /// Changes when a player's turn ends: searchers cut there.
    fn turn_id(&self, state: &Self::State) -> u32;

    /// Whether sub-decisions of one move are pending.
    fn in_compound(&self, _state: &Self::State) -> bool {
        false
    }

    /// Equal for states with the same future; leaves out what cannot change it.
    fn search_key(&self, state: &Self::State) -> u128 {
        state_key(state)
    }

    /// Drops dominated actions, for search only.
    fn prune(&self, _state: &Self::State, _actions: &mut Vec<Self::Action>) {}

    /// Fills `out` with a weight (at least 0) for each action: how promising it looks before any search.
    /// Defined at simultaneous nodes too.
    fn prior(&self, _state: &Self::State, _seat: Seat, actions: &[Self::Action], out: &mut Vec<f32>) {
        out.clear();
        out.resize(actions.len(), 1.0);
    }

    /// What kind of roll-or-stop decision the game has.
    fn push_kind(&self) -> PushKind {
        PushKind::None
    }

    /// At a roll-or-stop decision, the two actions and where the player stands; `None` elsewhere.
    fn push(&self, _state: &Self::State) -> Option<Push<Self::Action>> {
        None
    }

    /// Whether `state` belongs to the part of a turn in which luck is pushed: turn planners list that part
    /// whole. Override where decisions other than roll-or-stop belong to it.
    fn pushing(&self, state: &Self::State) -> bool {
        matches!(self.turn(state), Turn::Chance(_)) || self.push(state).is_some()
    }
}

/// What a game keeps from one judgement to the next ([`Heuristics::value_near`]): empty at first, then of
/// whatever type the game likes.
#[derive(Default)]
pub struct Memo(Option<Box<dyn Any + Send>>);

impl Memo {
    /// What is kept, made anew if there is nothing yet or something of another game.
    #[inline]
    pub fn of<T: Default + Send + 'static>(&mut self) -> &mut T {
        if !self.0.as_deref().is_some_and(|kept| kept.is::<T>()) {
            self.0 = Some(Box::new(T::default()));
        }
        self.0.as_deref_mut().and_then(|kept| kept.downcast_mut()).expect("it was put there")
    }
}

/// Whether a game has roll-or-stop decisions, and whether a limit can be seen at them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PushKind {
    /// There is no such decision.
    None,
    /// The player may go on as long as they like; a single throw ends it (Pig).
    Open,
    /// A total must not pass a limit (Six-Sided Seas).
    Limited,
}

/// A roll-or-stop decision of a push-your-luck game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Push<A> {
    /// Goes on.
    pub roll: A,
    /// Takes what there is.
    pub stop: A,
    /// What the turn has brought so far.
    pub total: u32,
    /// The total that must not be passed, if there is one.
    pub limit: Option<u32>,
}

/// How much a text may be coloured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ink {
    /// Plain characters.
    Plain,
    /// ANSI colours; the text must stay readable without them.
    Colour,
}

impl Ink {
    /// `text` in the colour of a seat, or as it is.
    pub fn seat(self, seat: Seat, text: &str) -> String {
        use anstyle::AnsiColor::{Blue, Cyan, Green, Magenta, Red, Yellow};
        if self == Ink::Plain {
            return text.to_owned();
        }
        let colour = [Red, Blue, Green, Yellow, Magenta, Cyan][seat.index()];
        let style = colour.on_default();
        format!("{style}{text}{style:#}")
    }
}

/// A game told in words and boards, for `dhow play`.
pub trait Narrate: Game {
    /// The whole position in lines of text, at most 100 characters wide.
    fn draw(&self, state: &Self::State, ink: Ink) -> String;

    /// One line that tells an action or an outcome of luck and what came of it, so that a person with the
    /// rulebook can check it. `seat` is the deciding seat, or the owner of per-seat luck.
    fn tell(
        &self,
        before: &Self::State,
        seat: Option<Seat>,
        action: Self::Action,
        after: &Self::State,
    ) -> String;

    /// What an action would do, for a menu.
    fn describe(&self, state: &Self::State, seat: Seat, action: Self::Action) -> String;

    /// Best play of a solved game as a picture in text, at most 100 characters wide, where the game has one
    /// (when to hold, say). `best` gives the best action in a state that can come up.
    fn picture(&self, _best: &dyn Fn(&Self::State) -> Option<Self::Action>) -> Option<String> {
        None
    }

    /// [`Narrate::draw`] with the eyes of `viewer`, for a person at the table: the same for all states that
    /// `viewer` cannot tell apart. A game with hidden information overrides it; until it does, nothing is
    /// shown rather than too much.
    fn draw_seen(&self, state: &Self::State, _viewer: Seat, ink: Ink) -> Option<String> {
        (!self.has_hidden()).then(|| self.draw(state, ink))
    }

    /// [`Narrate::tell`] with the eyes of `viewer`; `None` where that seat learns nothing of the event.
    /// Overridden together with [`Narrate::draw_seen`].
    fn tell_seen(
        &self,
        before: &Self::State,
        seat: Option<Seat>,
        action: Self::Action,
        after: &Self::State,
        _viewer: Seat,
    ) -> Option<String> {
        (!self.has_hidden()).then(|| self.tell(before, seat, action, after))
    }
}

/// What one seat got.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct SeatResult {
    /// What agents maximise; by default the win share.
    pub payoff: f64,
    /// Win share in units of 1/[`SHARE_UNITS`].
    pub share_units: u32,
    /// Place, 1 is best; equal places are ties.
    pub rank: u8,
    /// The game's own score.
    pub score: i32,
}

/// The result of a game. Win shares add to 1; those of rank 1 share equally.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Outcome {
    ending: &'static str,
    seats: u8,
    results: [SeatResult; MAX_SEATS],
}

impl Outcome {
    /// From a rank (1 is best) and a score for each seat.
    pub fn from_ranks(ending: &'static str, ranks: &[u8], scores: &[i32]) -> Outcome {
        assert_eq!(ranks.len(), scores.len());
        let winners = ranks.iter().filter(|&&rank| rank == 1).count() as u32;
        let mut results = [SeatResult::default(); MAX_SEATS];
        for (result, (&rank, &score)) in results.iter_mut().zip(ranks.iter().zip(scores)) {
            let share_units = if rank == 1 { SHARE_UNITS / winners } else { 0 };
            let payoff = share_units as f64 / SHARE_UNITS as f64;
            *result = SeatResult { payoff, share_units, rank, score };
        }
        Outcome { ending, seats: ranks.len() as u8, results }
    }

    /// One winner; everybody else has rank 2.
    pub fn winner(ending: &'static str, winner: Seat, scores: &[i32]) -> Outcome {
        Outcome::winners(ending, SeatSet::default().with(winner), scores)
    }

    /// Several who share the first place; everybody else has the rank after them.
    pub fn winners(ending: &'static str, winners: SeatSet, scores: &[i32]) -> Outcome {
        let mut ranks = [0; MAX_SEATS];
        for seat in Seat::all(scores.len()) {
            ranks[seat.index()] = if winners.contains(seat) { 1 } else { 1 + winners.len() as u8 };
        }
        Outcome::from_ranks(ending, &ranks[..scores.len()], scores)
    }

    /// Ranks by score, the highest first; equal scores are ties.
    pub fn from_scores(ending: &'static str, scores: &[i32]) -> Outcome {
        let mut ranks = [0; MAX_SEATS];
        for (rank, score) in ranks.iter_mut().zip(scores) {
            *rank = 1 + scores.iter().filter(|other| *other > score).count() as u8;
        }
        Outcome::from_ranks(ending, &ranks[..scores.len()], scores)
    }

    /// The same result with payoffs that are not the win shares (chips, points).
    #[must_use]
    pub fn with_payoffs(mut self, payoffs: &[f64]) -> Outcome {
        for (result, &payoff) in self.results.iter_mut().zip(payoffs) {
            result.payoff = payoff;
        }
        self
    }

    /// How it ended, one of [`Game::endings`].
    pub fn ending(&self) -> &'static str {
        self.ending
    }

    /// Whether the game was cut off by its cap.
    pub fn capped(&self) -> bool {
        self.ending == "cap"
    }

    /// What each seat got, in order of seats.
    pub fn results(&self) -> &[SeatResult] {
        &self.results[..self.seats as usize]
    }

    /// 1 for a sole winner, 1/k for each of k who tie for the first place, 0 for the others.
    pub fn win_share(&self, seat: Seat) -> f64 {
        self.results()[seat.index()].share_units as f64 / SHARE_UNITS as f64
    }

    /// What agents maximise.
    pub fn payoff(&self, seat: Seat) -> f64 {
        self.results()[seat.index()].payoff
    }
}

/// A 128-bit hash of a state that is the same in every process and release: SipHash-2-4 with a fixed key.
pub fn state_key<S: Hash>(state: &S) -> u128 {
    use siphasher::sip128::{Hasher128, SipHasher24};
    let mut hasher = PortableHasher(SipHasher24::new_with_keys(0x6468_6f77, 0x7374_6174));
    state.hash(&mut hasher);
    hasher.0.finish128().as_u128()
}

/// Feeds integers in little-endian order and `usize` as 64 bits, so that keys do not depend on the machine.
struct PortableHasher(siphasher::sip128::SipHasher24);

impl Hasher for PortableHasher {
    fn write(&mut self, bytes: &[u8]) {
        self.0.write(bytes);
    }
    fn write_u16(&mut self, i: u16) {
        self.0.write(&i.to_le_bytes());
    }
    fn write_u32(&mut self, i: u32) {
        self.0.write(&i.to_le_bytes());
    }
    fn write_u64(&mut self, i: u64) {
        self.0.write(&i.to_le_bytes());
    }
    fn write_u128(&mut self, i: u128) {
        self.0.write(&i.to_le_bytes());
    }
    fn write_usize(&mut self, i: usize) {
        self.write_u64(i as u64);
    }
    fn finish(&self) -> u64 {
        self.0.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_ties_add_to_one() {
        for seats in 1..=MAX_SEATS {
            for tied in 1..=seats {
                let outcome = Outcome::winners("x", SeatSet::all(tied), &[7; MAX_SEATS][..seats]);
                let sum: u32 = outcome.results().iter().map(|result| result.share_units).sum();
                assert_eq!(sum, SHARE_UNITS);
            }
        }
    }

    #[test]
    fn ranks_by_score_count_those_ahead() {
        let outcome = Outcome::from_scores("points", &[5, 9, 5, 1]);
        let ranks: Vec<u8> = outcome.results().iter().map(|result| result.rank).collect();
        assert_eq!(ranks, [2, 1, 2, 4]);
        assert_eq!(outcome.win_share(Seat::new(1)), 1.0);
    }

    #[test]
    fn seats_are_shown_from_one() {
        assert_eq!(Seat::new(0).to_string(), "1");
        assert_eq!(Seat::new(3).next(4), Seat::new(0));
        let set = SeatSet::all(4).without(Seat::new(2));
        assert_eq!(set.iter().map(Seat::index).collect::<Vec<_>>(), [0, 1, 3]);
    }

    /// Frozen: transposition tables and information sets must not change between releases.
    #[test]
    fn state_keys_are_frozen() {
        assert_eq!(
            format!("{:032x}", state_key(&(1u8, 2u32, [3usize, 4].as_slice()))),
            "0425884c52d42f18a3c2cbcd021b1139"
        );
    }
}
