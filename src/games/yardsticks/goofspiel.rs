//! Goofspiel (the game of pure strategy; Ross 1971): simultaneous choices that add up. Every player holds the
//! cards 1 to n. A prize of 1 to n points is turned up, all bid a card at once, the highest card takes the
//! prize; if the highest cards are equal nobody does. Most points win.
//!
//! Known exactly: between two players the game is even, by symmetry. Against an opponent who bids at random
//! nothing earns more points than bidding the prize's own number (Ross 1971), which is worth, in points of
//! difference, the sum over prizes k of k (2 k - 1 - n) / n.

use std::fmt::{self, Display};
use std::ops::RangeInclusive;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::game::{
    Game, Heuristics, Ink, Luck, MAX_SEATS, Narrate, Outcome, ParseActionError, Seat, SeatSet, Source, Turn,
};
use crate::games::Catalogued;
use crate::games::switches::{Kind, RuleError, Ruling, Switch};
use crate::streams::{Stream, below};

/// Goofspiel for two to six players.
#[derive(Clone, Copy, Debug)]
pub struct Goofspiel {
    rules: Rules,
    seats: usize,
}

/// The switches.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// Cards of each player, and prizes: 1 to 13.
    pub cards: u8,
    /// In which order the prizes come.
    pub prizes: Order,
    /// What agents maximise.
    pub payoff: Payoff,
}

/// In which order the prizes come; `random`, `ascending` or `descending`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// Each is drawn from those left.
    Random,
    /// The least first.
    Ascending,
    /// The greatest first.
    Descending,
}

/// What agents maximise; `win` or `points`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Payoff {
    /// The win share.
    Win,
    /// Own points less the mean of the others': adds to 0.
    Points,
}

/// A position. Bit k of a mask stands for the card, or the prize, of k points.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    /// The cards of each seat; 0 for seats nobody sits in.
    pub hands: [u16; MAX_SEATS],
    /// The prizes still to be turned up.
    pub prizes: u16,
    /// The prize that lies open.
    pub prize: Option<u8>,
    /// Points of each seat.
    pub points: [u8; MAX_SEATS],
}

/// A bid, or a prize turned up; written `bid 4`, `prize 4`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// Bids a card.
    Bid(u8),
    /// A prize is turned up.
    Prize(u8),
}

impl Display for Action {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Bid(card) => write!(out, "bid {card}"),
            Action::Prize(prize) => write!(out, "prize {prize}"),
        }
    }
}

impl FromStr for Action {
    type Err = ParseActionError;
    fn from_str(text: &str) -> Result<Action, ParseActionError> {
        let number = |text: &str| text.parse().ok().filter(|number| (1..=13).contains(number));
        let found = match text.trim().split_once(' ') {
            Some(("bid", card)) => number(card).map(Action::Bid),
            Some(("prize", prize)) => number(prize).map(Action::Prize),
            _ => None,
        };
        found.ok_or_else(|| ParseActionError::new(text, "`bid 1` to `bid 13`, or `prize 1` to `prize 13`"))
    }
}

/// The numbers of a mask, ascending.
fn numbers(mask: u16) -> impl Iterator<Item = u8> {
    (1..=13).filter(move |number| mask >> number & 1 == 1)
}

/// The `place`-th number of a mask, from 0.
fn nth(mut mask: u16, place: usize) -> u8 {
    for _ in 0..place {
        mask &= mask - 1;
    }
    mask.trailing_zeros() as u8
}

fn in_words(mask: u16) -> String {
    let words: Vec<String> = numbers(mask).map(|number| number.to_string()).collect();
    if words.is_empty() { "none".into() } else { words.join(" ") }
}

impl Goofspiel {
    /// Turns the next prize up where their order is fixed.
    fn turn_up(&self, state: &mut State) {
        if state.prizes == 0 {
            return;
        }
        let next = match self.rules.prizes {
            Order::Random => return,
            Order::Ascending => state.prizes.trailing_zeros() as u8,
            Order::Descending => state.prizes.ilog2() as u8,
        };
        state.prizes &= !(1 << next);
        state.prize = Some(next);
    }

    fn payoffs(&self, points: &[u8]) -> [f64; MAX_SEATS] {
        let sum: f64 = points.iter().map(|&own| own as f64).sum();
        let others = (self.seats - 1) as f64;
        let mut payoffs = [0.0; MAX_SEATS];
        for (payoff, &own) in payoffs.iter_mut().zip(points) {
            *payoff = own as f64 - (sum - own as f64) / others;
        }
        payoffs
    }
}

impl Game for Goofspiel {
    type State = State;
    type Action = Action;

    fn seats(&self) -> usize {
        self.seats
    }
    fn luck(&self) -> &'static [Luck] {
        const { &[Luck::shared("prizes")] }
    }
    fn endings(&self) -> &'static [&'static str] {
        &["points", "level"]
    }
    fn step_limit(&self) -> u32 {
        self.rules.cards as u32 * self.seats as u32
    }
    fn initial(&self) -> State {
        let all = (2 << self.rules.cards) - 2;
        let mut hands = [0; MAX_SEATS];
        hands[..self.seats].fill(all);
        let mut state = State { hands, prizes: all, prize: None, points: [0; MAX_SEATS] };
        self.turn_up(&mut state);
        state
    }
    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match state.prize {
            Some(_) => Turn::Simultaneous(SeatSet::all(self.seats)),
            None if state.prizes == 0 => Turn::Over,
            None => Turn::Chance(Source::shared(0)),
        }
    }
    fn actions(&self, state: &State, seat: Seat, out: &mut Vec<Action>) {
        out.clear();
        out.extend(numbers(state.hands[seat.index()]).map(Action::Bid));
    }
    fn chance(&self, state: &State, out: &mut Vec<(Action, f64)>) {
        out.clear();
        let probability = 1.0 / state.prizes.count_ones() as f64;
        out.extend(numbers(state.prizes).map(|prize| (Action::Prize(prize), probability)));
    }
    fn sample_chance(&self, state: &State, word: u64) -> Action {
        let place = below(word, state.prizes.count_ones() as u64);
        Action::Prize(nth(state.prizes, place as usize))
    }
    /// # Panics
    /// For a bid: all bid at once.
    fn apply(&self, state: &mut State, action: Action) {
        match action {
            Action::Prize(prize) => {
                state.prizes &= !(1 << prize);
                state.prize = Some(prize);
            }
            Action::Bid(_) => unreachable!("all bid at once: see apply_together"),
        }
    }
    fn apply_together(&self, state: &mut State, actions: &[Action]) {
        let card = |action: &Action| match action {
            Action::Bid(card) => *card,
            Action::Prize(_) => unreachable!("no seat turns up a prize"),
        };
        let best = actions.iter().map(card).max().unwrap_or(0);
        let mut bidders = actions.iter().enumerate().filter(|(_, action)| card(action) == best);
        if let (Some((winner, _)), None) = (bidders.next(), bidders.next()) {
            state.points[winner] += state.prize.unwrap_or(0);
        }
        for (hand, action) in state.hands.iter_mut().zip(actions) {
            *hand &= !(1 << card(action));
        }
        state.prize = None;
        self.turn_up(state);
    }
    fn outcome(&self, state: &State) -> Option<Outcome> {
        if self.turn(state) != Turn::Over {
            return None;
        }
        let points = &state.points[..self.seats];
        let scores = state.points.map(i32::from);
        let best = points.iter().max();
        let shared = points.iter().filter(|own| Some(*own) == best).count() > 1;
        let ending = if shared { "level" } else { "points" };
        let outcome = Outcome::from_scores(ending, &scores[..self.seats]);
        Some(match self.rules.payoff {
            Payoff::Win => outcome,
            Payoff::Points => outcome.with_payoffs(&self.payoffs(points)[..self.seats]),
        })
    }
    fn turns(&self, state: &State) -> u32 {
        self.rules.cards as u32 - state.prizes.count_ones()
    }
    fn random_action(
        &self,
        state: &State,
        seat: Seat,
        stream: &mut Stream,
        _buffer: &mut Vec<Action>,
    ) -> Action {
        let hand = state.hands[seat.index()];
        Action::Bid(nth(hand, stream.below(hand.count_ones() as usize)))
    }
}

impl Heuristics for Goofspiel {
    /// The points so far: as they are where points are the payoff; otherwise each seat's part of all points,
    /// the prizes to come being shared out evenly.
    fn value(&self, state: &State, out: &mut [f64]) {
        let out = &mut out[..self.seats];
        let points = &state.points[..self.seats];
        match (self.outcome(state), self.rules.payoff) {
            (Some(outcome), _) => {
                for (value, result) in out.iter_mut().zip(outcome.results()) {
                    *value = result.payoff;
                }
            }
            (None, Payoff::Points) => out.copy_from_slice(&self.payoffs(points)[..self.seats]),
            (None, Payoff::Win) => {
                let open: u32 = numbers(state.prizes).chain(state.prize).map(u32::from).sum();
                let part = open as f64 / self.seats as f64;
                let sum: f64 = points.iter().map(|&own| own as f64 + part).sum();
                for (value, &own) in out.iter_mut().zip(points) {
                    *value = (own as f64 + part) / sum;
                }
            }
        }
    }
    fn turn_id(&self, state: &State) -> u32 {
        self.turns(state) + (self.turn(state) == Turn::Over) as u32
    }
    /// Near the prize's own number, the best answer to random bids.
    fn prior(&self, state: &State, _seat: Seat, actions: &[Action], out: &mut Vec<f32>) {
        out.clear();
        out.extend(actions.iter().map(|action| match (action, state.prize) {
            (Action::Bid(card), Some(prize)) => 1.0 / (1.0 + card.abs_diff(prize) as f32),
            _ => 1.0,
        }));
    }
}

impl Narrate for Goofspiel {
    fn draw(&self, state: &State, ink: Ink) -> String {
        let open = state.prize.map_or("none".to_owned(), |prize| prize.to_string());
        let mut lines = vec![format!("prize {open}; to come: {}", in_words(state.prizes))];
        for seat in Seat::all(self.seats) {
            let (points, hand) = (state.points[seat.index()], in_words(state.hands[seat.index()]));
            lines.push(format!("{}: points {points}, cards {hand}", ink.seat(seat, &format!("Seat {seat}"))));
        }
        lines.join("\n")
    }
    fn tell(&self, before: &State, seat: Option<Seat>, action: Action, after: &State) -> String {
        match (action, seat) {
            (Action::Prize(prize), _) => format!("The prize is {prize}."),
            (Action::Bid(card), None) => format!("A bid of {card}."),
            (Action::Bid(card), Some(seat)) => {
                let gain = after.points[seat.index()] - before.points[seat.index()];
                let gains = if gain > 0 { format!(" and takes the prize of {gain}") } else { String::new() };
                format!("Seat {seat} bids {card}{gains}.")
            }
        }
    }
    fn describe(&self, state: &State, _seat: Seat, action: Action) -> String {
        match (action, state.prize) {
            (Action::Bid(card), Some(prize)) => format!("bid the {card} for the prize of {prize}"),
            (Action::Bid(card), None) => format!("bid the {card}"),
            (Action::Prize(prize), _) => format!("turn up the prize of {prize}"),
        }
    }
}

impl Catalogued for Goofspiel {
    type Rules = Rules;
    const NAME: &'static str = "goofspiel";
    const SUMMARY: &'static str = "bid your cards for prizes, all at once; most points win";
    const SEATS: RangeInclusive<usize> = 2..=6;
    const YARDSTICK: bool = true;

    fn switches() -> &'static [Switch] {
        const {
            &[
                Switch {
                    key: "cards",
                    kind: Kind::Int(1, 13),
                    meaning: "cards of each player, and prizes, numbered from 1",
                },
                Switch {
                    key: "prizes",
                    kind: Kind::Choice(&["random", "ascending", "descending"]),
                    meaning: "the order in which the prizes are turned up",
                },
                Switch {
                    key: "payoff",
                    kind: Kind::Choice(&["win", "points"]),
                    meaning: "what agents maximise: the win share, or own points less the others' mean",
                },
            ]
        }
    }
    fn rulings() -> &'static [Ruling] {
        const {
            &[Ruling {
                id: "G-01",
                key: None,
                question: "Who gets a prize for which the highest bids are equal?",
                readings: &["nobody", "those who bid it, in parts", "it is added to the next prize"],
                reason: "Between two players the first two come to the same difference; it needs no fractions.",
            }]
        }
    }
    fn default_rules(_seats: usize) -> Rules {
        Rules { cards: 13, prizes: Order::Random, payoff: Payoff::Win }
    }
    fn new(rules: Rules, seats: usize) -> Result<Goofspiel, RuleError> {
        Ok(Goofspiel { rules, seats })
    }
    fn rules(&self) -> &Rules {
        &self.rules
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn goofspiel(cards: u8, prizes: Order, payoff: Payoff, seats: usize) -> Goofspiel {
        Goofspiel::new(Rules { cards, prizes, payoff }, seats).unwrap()
    }

    fn bid(game: &Goofspiel, state: &mut State, cards: &[u8]) {
        let bids: Vec<Action> = cards.iter().copied().map(Action::Bid).collect();
        game.play_together(state, &bids).unwrap();
    }

    #[test]
    fn the_highest_bid_takes_the_prize_and_equal_ones_nothing() {
        let game = goofspiel(3, Order::Descending, Payoff::Win, 3);
        let mut state = game.initial();
        assert_eq!(state.prize, Some(3));
        bid(&game, &mut state, &[1, 2, 3]);
        assert_eq!((state.points[..3].to_vec(), state.prize), (vec![0, 0, 3], Some(2)));
        bid(&game, &mut state, &[3, 3, 1]);
        assert_eq!(state.points[..3], [0, 0, 3]);
        assert!(game.check_action(&state, Seat::new(0), Action::Bid(3)).is_err());
        bid(&game, &mut state, &[2, 1, 2]);
        let outcome = game.outcome(&state).unwrap();
        assert_eq!((outcome.ending(), outcome.win_share(Seat::new(2))), ("points", 1.0));
    }

    #[test]
    fn points_are_paid_against_the_mean_of_the_others() {
        let game = goofspiel(2, Order::Ascending, Payoff::Points, 3);
        let mut state = game.initial();
        bid(&game, &mut state, &[2, 1, 1]);
        bid(&game, &mut state, &[1, 2, 2]);
        let outcome = game.outcome(&state).unwrap();
        assert_eq!(Seat::all(3).map(|seat| outcome.payoff(seat)).collect::<Vec<_>>(), [1.0, -0.5, -0.5]);
    }

    #[test]
    fn random_prizes_are_drawn_from_those_left() {
        let game = goofspiel(4, Order::Random, Payoff::Win, 2);
        let mut state = game.initial();
        game.play_chance(&mut state, Action::Prize(3)).unwrap();
        bid(&game, &mut state, &[4, 4]);
        let mut outcomes = Vec::new();
        game.chance(&state, &mut outcomes);
        let third = 1.0 / 3.0;
        assert_eq!(outcomes, [1, 2, 4].map(|prize| (Action::Prize(prize), third)));
        assert!(game.play_chance(&mut state, Action::Prize(3)).is_err());
        assert_eq!(nth(0b10110, 2), 4);
    }

    #[test]
    fn nobody_ahead_is_a_draw() {
        let game = goofspiel(1, Order::Random, Payoff::Win, 2);
        let mut state = game.initial();
        game.play_chance(&mut state, Action::Prize(1)).unwrap();
        bid(&game, &mut state, &[1, 1]);
        let outcome = game.outcome(&state).unwrap();
        assert_eq!((outcome.ending(), outcome.win_share(Seat::new(0))), ("level", 0.5));
    }
}
