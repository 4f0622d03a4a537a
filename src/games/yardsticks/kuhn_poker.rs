//! Kuhn poker (Kuhn 1950): hidden cards. Three cards, two players, one bet.
//!
//! Jack, queen and king; each player antes one chip and gets one card. In turn a player passes or bets one
//! chip; the answer to a bet is to pass (fold) or to bet (call). Without a fold the higher card takes all.
//!
//! Known exactly: the value for the first player is -1/18 chips. At equilibrium the first player bets the
//! jack with some probability a from 0 to 1/3 and the king with 3a, never bets the queen, and calls with the
//! queen with probability a + 1/3; the second bets the jack 1/3 of the time after a pass, always bets or
//! calls with the king, never bets the queen, and calls with it 1/3 of the time. 30 games.

use std::fmt::{self, Display};
use std::ops::RangeInclusive;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::NoSwitches;
use crate::game::{
    Game, Heuristics, Ink, Luck, Narrate, Outcome, ParseActionError, Seat, Source, Turn, state_key,
};
use crate::games::Catalogued;
use crate::games::switches::{RuleError, Switch};
use crate::streams::{Stream, below};

/// Three cards, two players, one bet.
#[derive(Clone, Copy, Debug)]
pub struct KuhnPoker {
    rules: NoSwitches,
}

/// A card; serialised and written `jack`, `queen`, `king`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Card {
    /// The lowest.
    Jack,
    /// Between the two.
    Queen,
    /// The highest.
    King,
}

const DECK: [Card; 3] = [Card::Jack, Card::Queen, Card::King];

impl Display for Card {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(["jack", "queen", "king"][*self as usize])
    }
}

/// Everything that was chosen so far; serialised as `start`, `pass-bet`, ...
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Line {
    /// Nothing.
    Start,
    /// Seat 0 passed.
    Pass,
    /// Seat 0 bet.
    Bet,
    /// Seat 0 passed and seat 1 bet.
    PassBet,
    /// Nobody bet: the cards are shown for the antes.
    PassPass,
    /// Seat 0 bet, seat 1 folded.
    BetPass,
    /// The bet of seat 0 was called.
    BetBet,
    /// Seat 0 folded.
    PassBetPass,
    /// The bet of seat 1 was called.
    PassBetBet,
}

/// A position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    /// The card of each seat, once it is dealt.
    pub cards: [Option<Card>; 2],
    /// What was chosen so far.
    pub line: Line,
}

/// An action or a dealt card; written `pass`, `bet`, `deal king`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// No bet, or a fold after a bet.
    Pass,
    /// One chip more, or a call after a bet.
    Bet,
    /// The card that the next seat gets.
    Deal(Card),
}

impl Display for Action {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Pass => out.write_str("pass"),
            Action::Bet => out.write_str("bet"),
            Action::Deal(card) => write!(out, "deal {card}"),
        }
    }
}

impl FromStr for Action {
    type Err = ParseActionError;
    fn from_str(text: &str) -> Result<Action, ParseActionError> {
        match text.trim() {
            "pass" => Ok(Action::Pass),
            "bet" => Ok(Action::Bet),
            "deal jack" => Ok(Action::Deal(Card::Jack)),
            "deal queen" => Ok(Action::Deal(Card::Queen)),
            "deal king" => Ok(Action::Deal(Card::King)),
            _ => Err(ParseActionError::new(text, "`pass`, `bet`, or `deal jack`, `deal queen`, `deal king`")),
        }
    }
}

impl State {
    /// The cards that `hand` leaves in the deck.
    fn left(hand: Option<Card>) -> impl Iterator<Item = Card> {
        DECK.into_iter().filter(move |card| Some(*card) != hand)
    }

    /// Seat 0's chips at the end, and whether the cards were shown.
    fn result(&self) -> Option<(i32, bool)> {
        let showdown = |stake: i32| (if self.cards[0] > self.cards[1] { stake } else { -stake }, true);
        match self.line {
            Line::Start | Line::Pass | Line::Bet | Line::PassBet => None,
            Line::PassPass => Some(showdown(1)),
            Line::BetBet | Line::PassBetBet => Some(showdown(2)),
            Line::BetPass => Some((1, false)),
            Line::PassBetPass => Some((-1, false)),
        }
    }

    /// Whether `observer` does not see the other's card.
    fn hides(&self, observer: Seat) -> bool {
        let shown = self.result().is_some_and(|(_, shown)| shown);
        self.cards[1 - observer.index()].is_some() && !shown
    }
}

impl Game for KuhnPoker {
    type State = State;
    type Action = Action;

    fn seats(&self) -> usize {
        2
    }
    fn luck(&self) -> &'static [Luck] {
        const { &[Luck::shared("deck")] }
    }
    fn action_kinds(&self) -> &'static [&'static str] {
        &["pass", "bet"]
    }
    fn endings(&self) -> &'static [&'static str] {
        &["showdown", "fold"]
    }
    fn step_limit(&self) -> u32 {
        3
    }
    fn initial(&self) -> State {
        State { cards: [None, None], line: Line::Start }
    }
    fn turn(&self, state: &State) -> Turn {
        match state.line {
            Line::Start if state.cards[1].is_none() => Turn::Chance(Source::shared(0)),
            Line::Start | Line::PassBet => Turn::Decision(Seat::new(0)),
            Line::Pass | Line::Bet => Turn::Decision(Seat::new(1)),
            _ => Turn::Over,
        }
    }
    fn actions(&self, _state: &State, _seat: Seat, out: &mut Vec<Action>) {
        out.clear();
        out.extend([Action::Pass, Action::Bet]);
    }
    fn chance(&self, state: &State, out: &mut Vec<(Action, f64)>) {
        out.clear();
        let probability = if state.cards[0].is_none() { 1.0 / 3.0 } else { 0.5 };
        out.extend(State::left(state.cards[0]).map(|card| (Action::Deal(card), probability)));
    }
    fn sample_chance(&self, state: &State, word: u64) -> Action {
        let card = match state.cards[0] {
            None => below(word, 3),
            Some(taken) => {
                let place = below(word, 2);
                place + (place >= taken as u64) as u64
            }
        };
        Action::Deal(DECK[card as usize])
    }
    fn apply(&self, state: &mut State, action: Action) {
        state.line = match (action, state.line) {
            (Action::Deal(card), line) => {
                let seat = state.cards[0].is_some() as usize;
                state.cards[seat] = Some(card);
                line
            }
            (Action::Pass, Line::Start) => Line::Pass,
            (Action::Bet, Line::Start) => Line::Bet,
            (Action::Pass, Line::Pass) => Line::PassPass,
            (Action::Bet, Line::Pass) => Line::PassBet,
            (Action::Pass, Line::Bet) => Line::BetPass,
            (Action::Bet, Line::Bet) => Line::BetBet,
            (Action::Pass, _) => Line::PassBetPass,
            (Action::Bet, _) => Line::PassBetBet,
        };
    }
    fn outcome(&self, state: &State) -> Option<Outcome> {
        let (chips, shown) = state.result()?;
        let ending = if shown { "showdown" } else { "fold" };
        let payoff = chips as f64;
        Some(Outcome::from_scores(ending, &[chips, -chips]).with_payoffs(&[payoff, -payoff]))
    }
    fn payoff_limit(&self) -> f64 {
        2.0
    }
    fn turns(&self, state: &State) -> u32 {
        match state.line {
            Line::Start => 0,
            Line::Pass | Line::Bet => 1,
            Line::PassBet | Line::PassPass | Line::BetPass | Line::BetBet => 2,
            Line::PassBetPass | Line::PassBetBet => 3,
        }
    }
    fn has_hidden(&self) -> bool {
        true
    }
    /// The other's card, as long as it was not shown, becomes any card but the observer's own. Nothing is
    /// inferred from the bets.
    fn resample_hidden(&self, state: &mut State, observer: Seat, stream: &mut Stream) {
        if !state.hides(observer) {
            return;
        }
        let own = state.cards[observer.index()];
        let choices = if own.is_some() { 2 } else { 3 };
        state.cards[1 - observer.index()] = State::left(own).nth(stream.below(choices));
    }
    fn information_key(&self, state: &State, seat: Seat) -> u128 {
        let hides = state.hides(seat);
        let mut seen = *state;
        if hides {
            seen.cards[1 - seat.index()] = None;
        }
        state_key(&(seen, hides))
    }
    fn random_action(
        &self,
        _state: &State,
        _seat: Seat,
        stream: &mut Stream,
        _buffer: &mut Vec<Action>,
    ) -> Action {
        [Action::Pass, Action::Bet][stream.below(2)]
    }
}

impl Heuristics for KuhnPoker {
    /// The stake (one and a half chips while a bet waits for its answer) times the chance of the better card,
    /// each card judged by itself. Before the deal, the exact value of the game.
    fn value(&self, state: &State, out: &mut [f64]) {
        let strength = |seat: usize| state.cards[seat].map_or(0.0, |card| card as u8 as f64 - 1.0);
        let chips = match (state.result(), state.cards) {
            (Some((chips, _)), _) => chips as f64,
            (None, [None, None]) => -1.0 / 18.0,
            (None, _) => {
                let stake = if matches!(state.line, Line::Bet | Line::PassBet) { 1.5 } else { 1.0 };
                stake * (strength(0) - strength(1)) / 2.0
            }
        };
        out[0] = chips;
        out[1] = -chips;
    }
    fn turn_id(&self, state: &State) -> u32 {
        self.turns(state)
    }
}

impl KuhnPoker {
    /// The table with the cards as they are given in words.
    fn draw_with(state: &State, ink: Ink, cards: [String; 2]) -> String {
        let stake = |seat: usize| match (state.line, seat) {
            (Line::Bet | Line::BetPass, 0) | (Line::PassBet | Line::PassBetPass, 1) => 2,
            (Line::BetBet | Line::PassBetBet, _) => 2,
            _ => 1,
        };
        let line = |seat: Seat| {
            let (name, card) = (ink.seat(seat, &format!("Seat {seat}")), &cards[seat.index()]);
            format!("{name}: {card}, {} in the pot", stake(seat.index()))
        };
        Seat::all(2).map(line).collect::<Vec<_>>().join("\n")
    }

    fn card_in_words(card: Option<Card>) -> String {
        card.map_or("no card yet".to_owned(), |card| card.to_string())
    }
}

impl Narrate for KuhnPoker {
    fn draw(&self, state: &State, ink: Ink) -> String {
        KuhnPoker::draw_with(state, ink, state.cards.map(KuhnPoker::card_in_words))
    }
    fn draw_seen(&self, state: &State, viewer: Seat, ink: Ink) -> Option<String> {
        let mut cards = state.cards.map(KuhnPoker::card_in_words);
        if state.hides(viewer) {
            cards[1 - viewer.index()] = "a hidden card".into();
        }
        Some(KuhnPoker::draw_with(state, ink, cards))
    }
    fn tell_seen(
        &self,
        before: &State,
        seat: Option<Seat>,
        action: Action,
        after: &State,
        viewer: Seat,
    ) -> Option<String> {
        let dealt_to = Seat::new(before.cards[0].is_some() as usize);
        if matches!(action, Action::Deal(_)) && dealt_to != viewer {
            return Some(format!("Seat {dealt_to} is dealt a card."));
        }
        Some(self.tell(before, seat, action, after))
    }
    fn tell(&self, before: &State, seat: Option<Seat>, action: Action, after: &State) -> String {
        let faced = matches!(before.line, Line::Bet | Line::PassBet);
        let seat = seat.unwrap_or(Seat::new(before.cards[0].is_some() as usize));
        let deed = match (action, faced) {
            (Action::Deal(card), _) => format!("Seat {seat} is dealt the {card}"),
            (Action::Pass, false) => format!("Seat {seat} passes"),
            (Action::Bet, false) => format!("Seat {seat} bets a chip"),
            (Action::Pass, true) => format!("Seat {seat} folds"),
            (Action::Bet, true) => format!("Seat {seat} calls"),
        };
        let Some((chips, shown)) = after.result() else { return deed + "." };
        let winner = Seat::new((chips < 0) as usize);
        let how = match (shown, after.cards[winner.index()]) {
            (true, Some(card)) => format!(" with the {card}"),
            _ => String::new(),
        };
        let chips = if chips.abs() == 1 { "1 chip" } else { "2 chips" };
        format!("{deed}: seat {winner} wins {chips}{how}.")
    }
    fn describe(&self, state: &State, _seat: Seat, action: Action) -> String {
        let faced = matches!(state.line, Line::Bet | Line::PassBet);
        match (action, faced) {
            (Action::Deal(card), _) => format!("deal the {card}"),
            (Action::Pass, false) => "do not bet".into(),
            (Action::Bet, false) => "bet one chip".into(),
            (Action::Pass, true) => "fold, and lose the ante".into(),
            (Action::Bet, true) => "call: the higher card wins two chips".into(),
        }
    }
}

impl Catalogued for KuhnPoker {
    type Rules = NoSwitches;
    const NAME: &'static str = "kuhn-poker";
    const SUMMARY: &'static str = "three cards, one bet: the smallest poker";
    const SEATS: RangeInclusive<usize> = 2..=2;
    const YARDSTICK: bool = true;

    fn switches() -> &'static [Switch] {
        &[]
    }
    fn default_rules(_seats: usize) -> NoSwitches {
        NoSwitches {}
    }
    fn new(rules: NoSwitches, _seats: usize) -> Result<KuhnPoker, RuleError> {
        Ok(KuhnPoker { rules })
    }
    fn rules(&self) -> &NoSwitches {
        &self.rules
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: KuhnPoker = KuhnPoker { rules: NoSwitches {} };

    /// Seat 0's expected chips when `bets(seat, card, line)` is the probability of a bet.
    fn expected(state: &State, bets: &dyn Fn(Seat, Card, Line) -> f64) -> f64 {
        let after = |action| {
            let mut after = *state;
            GAME.apply(&mut after, action);
            expected(&after, bets)
        };
        match GAME.turn(state) {
            Turn::Chance(_) => {
                let mut cards = Vec::new();
                GAME.chance(state, &mut cards);
                cards.iter().map(|&(card, probability)| probability * after(card)).sum()
            }
            Turn::Decision(seat) => {
                let bet = bets(seat, state.cards[seat.index()].unwrap(), state.line);
                bet * after(Action::Bet) + (1.0 - bet) * after(Action::Pass)
            }
            _ => GAME.outcome(state).unwrap().payoff(Seat::new(0)),
        }
    }

    fn equilibrium(a: f64) -> impl Fn(Seat, Card, Line) -> f64 {
        move |_seat, card, line| match (line, card) {
            (Line::Start, Card::Jack) => a,
            (Line::Start, Card::Queen) => 0.0,
            (Line::Start, Card::King) => 3.0 * a,
            (Line::PassBet, Card::Queen) => a + 1.0 / 3.0,
            (Line::Pass, Card::Jack) => 1.0 / 3.0,
            (Line::Pass, Card::Queen) => 0.0,
            (Line::Bet, Card::Queen) => 1.0 / 3.0,
            (_, Card::Jack) => 0.0,
            (_, Card::King) => 1.0,
            (_, Card::Queen) => unreachable!("every other line is an end"),
        }
    }

    /// -1/18 at equilibrium, and none of the 64 pure answers of either side does better against it: so
    /// this is the value of the game that the engine plays, and the engine plays Kuhn's game.
    #[test]
    fn the_value_is_minus_one_eighteenth() {
        for a in [0.0, 0.2, 1.0 / 3.0] {
            let fair = equilibrium(a);
            let start = GAME.initial();
            assert!((expected(&start, &fair) + 1.0 / 18.0).abs() < 1e-12);
            for deviator in Seat::all(2) {
                let best = (0..64_u32).map(|pure| {
                    let bets = |seat: Seat, card: Card, line: Line| {
                        if seat != deviator {
                            return fair(seat, card, line);
                        }
                        let second = matches!(line, Line::Bet | Line::PassBet) as u32;
                        (pure >> (2 * card as u32 + second) & 1) as f64
                    };
                    expected(&start, &bets) * if deviator.index() == 0 { 1.0 } else { -1.0 }
                });
                let value = if deviator.index() == 0 { -1.0 / 18.0 } else { 1.0 / 18.0 };
                assert!((best.fold(f64::MIN, f64::max) - value).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn what_a_seat_sees() {
        let state = |first, second, line| State { cards: [Some(first), Some(second)], line };
        let open = state(Card::Queen, Card::King, Line::Start);
        let other = state(Card::Queen, Card::Jack, Line::Start);
        let key = |state: &State, seat| GAME.information_key(state, Seat::new(seat));
        assert_eq!(key(&open, 0), key(&other, 0));
        assert_ne!(key(&open, 1), key(&other, 1));
        // A fold shows nothing, a showdown everything.
        let folded = [Card::King, Card::Jack].map(|card| key(&state(Card::Queen, card, Line::BetPass), 0));
        assert_eq!(folded[0], folded[1]);
        let shown = [Card::King, Card::Jack].map(|card| key(&state(Card::Queen, card, Line::BetBet), 0));
        assert_ne!(shown[0], shown[1]);
        // Before and after the other's deal differ, though neither shows a card.
        let dealt = State { cards: [Some(Card::Queen), None], line: Line::Start };
        assert_ne!(key(&dealt, 0), key(&open, 0));
    }

    #[test]
    fn the_hidden_card_is_uniform_over_those_left() {
        let mut stream = Stream::from_seed(1);
        let mut counts = [0_u32; 3];
        for _ in 0..6000 {
            let mut state = State { cards: [Some(Card::Queen), Some(Card::King)], line: Line::PassBet };
            GAME.resample_hidden(&mut state, Seat::new(0), &mut stream);
            assert_eq!(state.cards[0], Some(Card::Queen));
            counts[state.cards[1].unwrap() as usize] += 1;
        }
        assert_eq!(counts[1], 0);
        assert!(counts[0].abs_diff(3000) < 200, "{counts:?}");
    }
}
