//! A toy game with everything in it (hidden cards, secret bids, coins, decisions) that can be broken in one
//! place at a time, by a rule switch.

use std::fmt::{self, Display};
use std::hash::{Hash, Hasher};
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use dhow::game::{
    Game, Heuristics, IllegalAction, Ink, Luck, Narrate, Outcome, ParseActionError, Push, PushKind,
    RandomPlay, Seat, SeatSet, Source, Turn, state_key,
};
use dhow::games::Catalogued;
use dhow::games::switches::{Kind, RuleError, Switch};
use dhow::streams::{Deal, Stream, unit};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

macro_rules! faults {
    ($($fault:ident $word:literal,)+) => {
        /// What is broken.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
        pub enum Fault { $(#[serde(rename = $word)] $fault,)+ }

        impl Fault {
            pub const ALL: &'static [Fault] = &[$(Fault::$fault),+];
        }
    };
}

faults! {
    None "built-in",
    BiasedSampling "biased-sampling",
    SamplingBackwards "sampling-backwards",
    SamplingScrambled "sampling-scrambled",
    OutcomeTwice "outcome-twice",
    ChanceShort "chance-short",
    ChanceZero "chance-zero",
    UndeclaredOwner "undeclared-owner",
    LuckForever "luck-forever",
    ActionTwice "action-twice",
    NothingLegal "nothing-legal",
    OrderMoves "order-moves",
    BufferKept "buffer-kept",
    Panics "panics",
    LegalRefused "legal-refused",
    IllegalAccepted "illegal-accepted",
    RefusalMoves "refusal-moves",
    RefusalSilent "refusal-silent",
    AloneAccepted "alone-accepted",
    RandomSkewed "random-skewed",
    RandomUnlisted "random-unlisted",
    RandomAtOnce "random-at-once",
    RandomTurn "random-turn",
    ClonesShare "clones-share",
    PastMoves "past-moves",
    StartAlternates "start-alternates",
    Endless "endless",
    EndingUnlisted "ending-unlisted",
    OutcomeEarly "outcome-early",
    NobodyWins "nobody-wins",
    PayoffNan "payoff-nan",
    TallyEmpty "tally-empty",
    TurnsFall "turns-fall",
    JsonForgets "json-forgets",
    TextShared "text-shared",
    TextLies "text-lies",
    ValueNan "value-nan",
    ValueNoShare "value-no-share",
    ValueOfTheEnd "value-of-the-end",
    TwinGoesOn "twin-goes-on",
    PriorShort "prior-short",
    PruneAll "prune-all",
    KeyMoves "key-moves",
    PushIllegal "push-illegal",
    SampleIsTruth "sample-is-truth",
    SampleMovesOwn "sample-moves-own",
    SampleAvoidsTruth "sample-avoids-truth",
    KeySeesAll "key-sees-all",
    SecretDecides "secret-decides",
    OpenSampled "open-sampled",
    BoardWide "board-wide",
    TellEmpty "tell-empty",
    RulesForgotten "rules-forgotten",
    TallyName "tally-name",
}

/// The game.
pub struct Toy {
    rules: Rules,
    seats: usize,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    pub fault: Fault,
    pub counters: u8,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    /// A card for each seat, 0 to 3, hidden from the others until the game is over.
    pub cards: Vec<u8>,
    pub bidden: bool,
    pub counters: Counters,
    pub coin: Option<u8>,
    pub mover: Seat,
}

/// A number of counters. A handle other than 0 stands for a fault: 1 is serialised wrongly, 2 hashes the
/// global `SEASON` too, from 3 on the number is in the global `SHELF`, where clones share it.
#[derive(Clone, Debug)]
pub struct Counters {
    own: u8,
    handle: usize,
}

static SEASON: AtomicUsize = AtomicUsize::new(0);
static SHELF: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static CALLS: AtomicUsize = AtomicUsize::new(0);

impl Counters {
    fn get(&self) -> u8 {
        if self.handle >= 3 { SHELF.lock().unwrap()[self.handle - 3] } else { self.own }
    }
    fn set(&mut self, number: u8) {
        self.own = number;
        if self.handle >= 3 {
            SHELF.lock().unwrap()[self.handle - 3] = number;
        }
    }
}

impl PartialEq for Counters {
    fn eq(&self, other: &Counters) -> bool {
        self.get() == other.get()
    }
}

impl Eq for Counters {}

impl Hash for Counters {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.get().hash(hasher);
        if self.handle == 2 {
            SEASON.load(Relaxed).hash(hasher);
        }
    }
}

impl Serialize for Counters {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (if self.handle == 1 { 1 } else { self.get() }, self.handle).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Counters {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Counters, D::Error> {
        let (own, handle) = Deserialize::deserialize(deserializer)?;
        Ok(Counters { own, handle })
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    Card(u8),
    Bid(u8),
    Coin(u8),
    Take(u8),
    /// Written like `take 1`.
    Double,
    /// Written so that it does not read back.
    Mumble,
}

impl Display for Action {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Card(value) => write!(out, "card {value}"),
            Action::Bid(value) => write!(out, "bid {value}"),
            Action::Coin(value) => write!(out, "coin {value}"),
            Action::Take(number) => write!(out, "take {number}"),
            Action::Double => write!(out, "take 1"),
            Action::Mumble => write!(out, "card 0"),
        }
    }
}

impl FromStr for Action {
    type Err = ParseActionError;
    fn from_str(text: &str) -> Result<Action, ParseActionError> {
        let unknown = || ParseActionError::new(text, "`card`, `bid`, `coin` or `take` and a number");
        let (word, number) = text.split_once(' ').ok_or_else(unknown)?;
        let number = number.parse().map_err(|_| unknown())?;
        match word {
            "card" => Ok(Action::Card(number)),
            "bid" => Ok(Action::Bid(number)),
            "coin" => Ok(Action::Coin(number)),
            "take" => Ok(Action::Take(number)),
            _ => Err(unknown()),
        }
    }
}

impl Toy {
    pub fn with(fault: Fault, seats: usize) -> Toy {
        let rules = Rules { fault, ..Toy::default_rules(seats) };
        Toy::new(rules, seats).unwrap()
    }

    fn has(&self, fault: Fault) -> bool {
        self.rules.fault == fault
    }

    fn over(&self, state: &State) -> bool {
        state.counters.get() == 0
    }
}

impl Game for Toy {
    type State = State;
    type Action = Action;
    const RANDOM_PLAY: RandomPlay = RandomPlay::Turns;

    fn seats(&self) -> usize {
        self.seats
    }
    fn luck(&self) -> &'static [Luck] {
        const { &[Luck::shared("cards"), Luck::per_seat("coin")] }
    }
    fn endings(&self) -> &'static [&'static str] {
        &["last counter"]
    }
    fn step_limit(&self) -> u32 {
        (self.seats + self.rules.counters as usize + self.seats) as u32
    }
    fn initial(&self) -> State {
        let handle = match self.rules.fault {
            Fault::JsonForgets => 1,
            Fault::PastMoves => 2,
            Fault::ClonesShare => {
                let mut shelf = SHELF.lock().unwrap();
                shelf.push(self.rules.counters);
                2 + shelf.len()
            }
            _ => 0,
        };
        let calls = if self.has(Fault::StartAlternates) { CALLS.fetch_add(1, Relaxed) } else { 0 };
        State {
            cards: Vec::new(),
            bidden: false,
            counters: Counters { own: self.rules.counters, handle },
            coin: None,
            mover: Seat::new(calls % 2),
        }
    }
    fn turn(&self, state: &State) -> Turn {
        if self.over(state) {
            Turn::Over
        } else if state.cards.len() < self.seats {
            Turn::Chance(Source::shared(0))
        } else if !state.bidden {
            Turn::Simultaneous(SeatSet::all(self.seats))
        } else if state.coin.is_none() {
            let seat = if self.has(Fault::UndeclaredOwner) { None } else { Some(state.mover) };
            Turn::Chance(Source { kind: 1, seat })
        } else {
            Turn::Decision(state.mover)
        }
    }
    fn actions(&self, state: &State, seat: Seat, out: &mut Vec<Action>) {
        if !self.has(Fault::BufferKept) {
            out.clear();
        }
        let Some(coin) = state.coin else {
            out.extend([0, 1, 2].map(Action::Bid));
            return;
        };
        let left = state.counters.get();
        out.extend((1..=coin.min(left)).map(Action::Take));
        match self.rules.fault {
            Fault::ActionTwice if coin == 3 => out.push(Action::Take(1)),
            Fault::NothingLegal if left == 1 => out.clear(),
            Fault::OrderMoves if CALLS.fetch_add(1, Relaxed).is_multiple_of(2) => out.reverse(),
            Fault::Endless => out.push(Action::Take(0)),
            Fault::TextShared => out.push(Action::Double),
            Fault::TextLies if left == 2 => out.push(Action::Mumble),
            Fault::SecretDecides if state.cards[seat.next(self.seats).index()] == 2 => {
                out.push(Action::Take(4))
            }
            _ => {}
        }
    }
    fn chance(&self, state: &State, out: &mut Vec<(Action, f64)>) {
        out.clear();
        if state.cards.len() < self.seats {
            out.extend(
                [0.1, 0.2, 0.3, 0.4].iter().zip(0..).map(|(&chance, value)| (Action::Card(value), chance)),
            );
            return;
        }
        out.extend([1, 2, 3].map(|value| (Action::Coin(value), 1.0 / 3.0)));
        match self.rules.fault {
            Fault::OutcomeTwice => {
                out[2].1 /= 2.0;
                out.push(out[2]);
            }
            Fault::ChanceShort => out[1].1 = 0.25,
            Fault::ChanceZero => out.push((Action::Coin(4), 0.0)),
            _ => {}
        }
    }
    fn sample_chance(&self, state: &State, word: u64) -> Action {
        let mut outcomes = Vec::new();
        self.chance(state, &mut outcomes);
        let target = match self.rules.fault {
            Fault::BiasedSampling => unit(word).powf(1.1),
            Fault::SamplingScrambled => unit(word.swap_bytes()),
            _ => unit(word),
        };
        if self.has(Fault::SamplingBackwards) {
            outcomes.reverse();
        }
        let mut sum = 0.0;
        let within = outcomes.iter().find(|(_, chance)| {
            sum += chance;
            target < sum
        });
        within.unwrap_or(&outcomes[outcomes.len() - 1]).0
    }
    fn apply(&self, state: &mut State, action: Action) {
        match action {
            Action::Card(value) => state.cards.push(value),
            Action::Bid(_) | Action::Mumble => {}
            Action::Coin(value) => {
                state.coin = Some(value).filter(|_| !self.has(Fault::LuckForever));
            }
            Action::Take(_) | Action::Double => {
                let number = if let Action::Take(number) = action { number } else { 1 };
                let left = state.counters.get();
                assert!(!(self.has(Fault::Panics) && left == 2 && number == 2), "planted");
                state.counters.set(left.saturating_sub(number));
                state.coin = None;
                if !self.over(state) {
                    state.mover = state.mover.next(self.seats);
                }
            }
        }
    }
    fn apply_together(&self, state: &mut State, actions: &[Action]) {
        state.bidden = true;
        let high = actions.iter().filter(|&&action| action == Action::Bid(2)).count() as u8;
        state.counters.set(state.counters.get() + high);
    }
    fn outcome(&self, state: &State) -> Option<Outcome> {
        let early = self.has(Fault::OutcomeEarly) && state.counters.get() == 1 && state.coin.is_some();
        if !self.over(state) && !early {
            return None;
        }
        let scores: Vec<i32> = (0..self.seats).map(|seat| state.cards[seat] as i32).collect();
        let outcome = Outcome::winner("last counter", state.mover, &scores);
        Some(match self.rules.fault {
            Fault::EndingUnlisted if state.cards[0] == 1 => Outcome::winner("luck", state.mover, &scores),
            Fault::NobodyWins => Outcome::from_ranks("last counter", &[2, 2, 2][..self.seats], &scores),
            Fault::PayoffNan => outcome.with_payoffs(&[f64::NAN, 0.0, 0.0][..self.seats]),
            _ => outcome,
        })
    }
    fn turns(&self, state: &State) -> u32 {
        let left = state.counters.get() as u32;
        let taken = (self.rules.counters as usize + self.seats) as u32 - left;
        match self.rules.fault {
            Fault::TurnsFall => left,
            _ if state.bidden => taken,
            _ => 0,
        }
    }
    fn has_hidden(&self) -> bool {
        !self.has(Fault::OpenSampled)
    }
    fn resample_hidden(&self, state: &mut State, observer: Seat, stream: &mut Stream) {
        if self.over(state) || self.has(Fault::SampleIsTruth) {
            return;
        }
        for seat in 0..state.cards.len() {
            if seat == observer.index() && !self.has(Fault::SampleMovesOwn) {
                continue;
            }
            state.cards[seat] = match self.rules.fault {
                Fault::SampleAvoidsTruth => (state.cards[seat] + 1 + stream.below(3) as u8) % 4,
                _ => stream.below(4) as u8,
            };
        }
    }
    fn information_key(&self, state: &State, seat: Seat) -> u128 {
        let mut seen = state.clone();
        let open = self.over(state) || self.has(Fault::KeySeesAll) || self.has(Fault::OpenSampled);
        for (other, card) in seen.cards.iter_mut().enumerate() {
            if other != seat.index() && !open {
                *card = 9;
            }
        }
        state_key(&seen)
    }
    fn random_action(
        &self,
        state: &State,
        seat: Seat,
        stream: &mut Stream,
        buffer: &mut Vec<Action>,
    ) -> Action {
        self.actions(state, seat, buffer);
        match self.rules.fault {
            Fault::RandomSkewed => buffer[(stream.unit().powf(1.3) * buffer.len() as f64) as usize],
            Fault::RandomUnlisted if stream.below(20) == 0 => Action::Take(4),
            _ => buffer[stream.below(buffer.len())],
        }
    }
    fn apply_random(&self, state: &mut State, seat: Seat, stream: &mut Stream, buffer: &mut Vec<Action>) {
        if self.has(Fault::RandomAtOnce) {
            stream.word();
        }
        let action = self.random_action(state, seat, stream, buffer);
        self.apply(state, action);
    }
    fn random_turn(
        &self,
        state: &mut State,
        seat: Seat,
        stream: &mut Stream,
        deal: &mut Deal,
        buffer: &mut Vec<Action>,
    ) -> u32 {
        let mut made = 0;
        while self.turn(state) == Turn::Decision(seat) {
            self.apply_random(state, seat, stream, buffer);
            made += 1;
            while let Turn::Chance(source) = self.turn(state) {
                let outcome = self.sample_chance(state, deal.word(source));
                self.apply(state, outcome);
            }
        }
        made + u32::from(self.has(Fault::RandomTurn))
    }
    fn tally_names(&self) -> &'static [&'static str] {
        if self.has(Fault::TallyName) { &["The Card"] } else { &["card"] }
    }
    fn tally(&self, state: &State, seat: Seat, out: &mut [i64]) {
        if !self.has(Fault::TallyEmpty) {
            out[0] = state.cards[seat.index()] as i64;
        }
    }
    fn check_action(&self, state: &State, seat: Seat, action: Action) -> Result<(), IllegalAction> {
        let mut legal = Vec::new();
        match self.turn(state) {
            Turn::Decision(mover) if mover == seat => self.actions(state, seat, &mut legal),
            Turn::Simultaneous(_) => self.actions(state, seat, &mut legal),
            _ => {}
        }
        let listed = match self.rules.fault {
            Fault::LegalRefused => legal.contains(&action) && action != Action::Take(3),
            Fault::IllegalAccepted if matches!(action, Action::Take(_)) => !legal.is_empty(),
            _ => legal.contains(&action),
        };
        let reason = if self.has(Fault::RefusalSilent) { "" } else { "not listed" };
        let refusal = || IllegalAction { action: action.to_string(), reason: reason.into() };
        if listed { Ok(()) } else { Err(refusal()) }
    }
    fn play(&self, state: &mut State, seat: Seat, action: Action) -> Result<(), IllegalAction> {
        if let Err(refusal) = self.check_action(state, seat, action) {
            if self.has(Fault::RefusalMoves) {
                state.coin = Some(1);
            }
            return Err(refusal);
        }
        if let (Turn::Simultaneous(_), false) = (self.turn(state), self.has(Fault::AloneAccepted)) {
            return Err(IllegalAction { action: action.to_string(), reason: "all bid at once".into() });
        }
        self.apply(state, action);
        Ok(())
    }
}

impl Heuristics for Toy {
    fn value(&self, state: &State, out: &mut [f64]) {
        out.fill(1.0 / self.seats as f64);
        if self.over(state) && !self.has(Fault::ValueOfTheEnd) {
            out.fill(0.0);
            out[state.mover.index()] = 1.0;
        }
        match self.rules.fault {
            Fault::ValueNan if state.counters.get() == 1 => out[0] = 0.0 / out[0].floor(),
            Fault::ValueNoShare if state.counters.get() == 1 => out[0] += 0.1,
            _ => {}
        }
    }
    fn twin(&self, _state: &State, outcome: Action) -> Option<Action> {
        (self.has(Fault::TwinGoesOn) && outcome == Action::Card(1)).then_some(Action::Card(0))
    }
    fn turn_id(&self, state: &State) -> u32 {
        self.turns(state)
    }
    fn search_key(&self, state: &State) -> u128 {
        let calls = if self.has(Fault::KeyMoves) { CALLS.fetch_add(1, Relaxed) } else { 0 };
        state_key(&(state, calls))
    }
    fn prune(&self, _state: &State, actions: &mut Vec<Action>) {
        let kept = if self.has(Fault::PruneAll) { 0 } else { 1 };
        actions.truncate(kept);
    }
    fn prior(&self, _state: &State, _seat: Seat, actions: &[Action], out: &mut Vec<f32>) {
        out.clear();
        out.resize(actions.len() - self.has(Fault::PriorShort) as usize, 0.5);
    }
    fn push_kind(&self) -> PushKind {
        PushKind::Limited
    }
    fn push(&self, state: &State) -> Option<Push<Action>> {
        let both = state.coin.is_some_and(|coin| coin >= 2) && state.counters.get() >= 2;
        let stop = if self.has(Fault::PushIllegal) { Action::Take(3) } else { Action::Take(1) };
        both.then_some(Push { roll: Action::Take(2), stop, total: 0, limit: Some(2) })
    }
}

impl Narrate for Toy {
    fn draw(&self, state: &State, ink: Ink) -> String {
        if ink == Ink::Colour {
            SEASON.fetch_add(self.has(Fault::PastMoves) as usize, Relaxed);
        }
        let width = if self.has(Fault::BoardWide) { 101 } else { 100 };
        format!("{:>width$}", state.counters.get())
    }
    fn tell(&self, _before: &State, _seat: Option<Seat>, action: Action, _after: &State) -> String {
        if self.has(Fault::TellEmpty) { String::new() } else { format!("{action}!") }
    }
    fn describe(&self, _state: &State, _seat: Seat, action: Action) -> String {
        action.to_string()
    }
}

impl Catalogued for Toy {
    type Rules = Rules;
    const NAME: &'static str = "toy";
    const SUMMARY: &'static str = "a toy that can be broken";
    const SEATS: RangeInclusive<usize> = 2..=3;
    const YARDSTICK: bool = true;

    fn switches() -> &'static [Switch] {
        const {
            &[
                // A path, since random settings keep those: the toy then has the one fault it was given.
                Switch { key: "fault", kind: Kind::Path, meaning: "what is broken" },
                Switch { key: "counters", kind: Kind::Int(3, 9), meaning: "counters on the table" },
            ]
        }
    }
    fn default_rules(_seats: usize) -> Rules {
        Rules { fault: Fault::None, counters: 8 }
    }
    fn new(mut rules: Rules, seats: usize) -> Result<Toy, RuleError> {
        if rules.fault == Fault::RulesForgotten {
            rules.counters = rules.counters.min(4);
        }
        Ok(Toy { rules, seats })
    }
    fn rules(&self) -> &Rules {
        &self.rules
    }
}
