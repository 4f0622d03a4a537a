//! A game that is a small tree: decisions, luck, secret choices, ends; nodes may look alike to their mover.

use std::fmt::{self, Display};
use std::str::FromStr;

use dhow::game::{Game, Heuristics, Luck, MAX_SEATS, Outcome, ParseActionError, Seat, SeatSet, Source, Turn};
use dhow::streams::Stream;
use serde::{Deserialize, Serialize};

/// A node; children are indices.
#[derive(Clone, Debug)]
pub enum Shape {
    /// The seat picks a child.
    Decide(usize, Vec<usize>),
    /// Luck picks one.
    Chance(Vec<(f64, usize)>),
    /// Seats 0 and 1 pick at once: rows of children.
    Together(Vec<Vec<usize>>),
    /// Payoffs.
    End(Vec<f64>),
}

/// The tree; node 0 is the root.
#[derive(Clone, Debug)]
pub struct TreeGame {
    pub seats: usize,
    pub nodes: Vec<Shape>,
    /// Nodes with the same look (other than 0) cannot be told apart by anybody; empty: everything is open.
    pub looks: Vec<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    pub at: usize,
    pub steps: u32,
}

/// Picks the n-th child, row or column.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Pick(pub u8);

impl Display for Pick {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "pick {}", self.0)
    }
}

impl FromStr for Pick {
    type Err = ParseActionError;
    fn from_str(text: &str) -> Result<Pick, ParseActionError> {
        let number = text.strip_prefix("pick ").and_then(|number| number.parse().ok());
        number.map(Pick).ok_or_else(|| ParseActionError::new(text, "`pick n`"))
    }
}

impl TreeGame {
    pub fn open(seats: usize, nodes: Vec<Shape>) -> TreeGame {
        TreeGame { seats, nodes, looks: Vec::new() }
    }

    /// A random tree of decisions and luck, with payoffs in [low, high).
    pub fn random(seats: usize, depth: u32, low: f64, high: f64, stream: &mut Stream) -> TreeGame {
        let mut game = TreeGame::open(seats, Vec::new());
        game.grow(depth, true, low, high, stream);
        game
    }

    /// The same tree for two players of whom one wins what the other loses: payoffs add to `sum`.
    pub fn constant_sum(mut self, sum: f64) -> TreeGame {
        for node in &mut self.nodes {
            if let Shape::End(payoffs) = node {
                payoffs[1] = sum - payoffs[0];
            }
        }
        self
    }

    fn grow(&mut self, depth: u32, root: bool, low: f64, high: f64, stream: &mut Stream) -> usize {
        let at = self.nodes.len();
        let payoffs = (0..self.seats).map(|_| low + (high - low) * stream.unit()).collect();
        self.nodes.push(Shape::End(payoffs));
        if depth == 0 || (!root && stream.below(5) == 0) {
            return at;
        }
        let children = 2 + stream.below(2);
        let children: Vec<usize> =
            (0..children).map(|_| self.grow(depth - 1, false, low, high, stream)).collect();
        self.nodes[at] = if !root && stream.below(3) == 0 {
            let odds: Vec<f64> = children.iter().map(|_| 0.1 + stream.unit()).collect();
            let sum: f64 = odds.iter().sum();
            Shape::Chance(odds.iter().map(|odds| odds / sum).zip(children).collect())
        } else {
            Shape::Decide(stream.below(self.seats), children)
        };
        at
    }

    /// Everybody's payoff under best play (max^n), by brute force; no simultaneous nodes.
    pub fn solve(&self, at: usize) -> Vec<f64> {
        match &self.nodes[at] {
            Shape::End(payoffs) => payoffs.clone(),
            Shape::Decide(seat, children) => {
                let values = children.iter().map(|&child| self.solve(child));
                values.max_by(|left, right| left[*seat].total_cmp(&right[*seat])).expect("a child")
            }
            Shape::Chance(children) => {
                let mut sum = vec![0.0; self.seats];
                for (odds, child) in children {
                    for (sum, value) in sum.iter_mut().zip(self.solve(*child)) {
                        *sum += odds * value;
                    }
                }
                sum
            }
            Shape::Together(_) => unreachable!("not solved here"),
        }
    }

    /// Whether luck has a part in it.
    pub fn has_luck(&self) -> bool {
        self.nodes.iter().any(|node| matches!(node, Shape::Chance(_)))
    }

    /// A place to start: node `at`.
    pub fn state(&self, at: usize) -> State {
        State { at, steps: 0 }
    }
}

impl Game for TreeGame {
    type State = State;
    type Action = Pick;

    fn seats(&self) -> usize {
        self.seats
    }
    fn luck(&self) -> &'static [Luck] {
        const { &[Luck::shared("luck")] }
    }
    fn endings(&self) -> &'static [&'static str] {
        &["end"]
    }
    fn step_limit(&self) -> u32 {
        100
    }
    fn initial(&self) -> State {
        self.state(0)
    }
    fn turn(&self, state: &State) -> Turn {
        match &self.nodes[state.at] {
            Shape::Decide(seat, _) => Turn::Decision(Seat::new(*seat)),
            Shape::Chance(_) => Turn::Chance(Source::shared(0)),
            Shape::Together(_) => Turn::Simultaneous(SeatSet::all(2)),
            Shape::End(_) => Turn::Over,
        }
    }
    fn actions(&self, state: &State, seat: Seat, out: &mut Vec<Pick>) {
        let count = match &self.nodes[state.at] {
            Shape::Decide(_, children) => children.len(),
            Shape::Together(rows) => [rows.len(), rows[0].len()][seat.index()],
            _ => unreachable!("nobody decides"),
        };
        out.clear();
        out.extend((0..count as u8).map(Pick));
    }
    fn chance(&self, state: &State, out: &mut Vec<(Pick, f64)>) {
        let Shape::Chance(children) = &self.nodes[state.at] else { unreachable!("no luck here") };
        out.clear();
        out.extend(children.iter().enumerate().map(|(at, &(odds, _))| (Pick(at as u8), odds)));
    }
    fn apply(&self, state: &mut State, action: Pick) {
        state.at = match &self.nodes[state.at] {
            Shape::Decide(_, children) => children[action.0 as usize],
            Shape::Chance(children) => children[action.0 as usize].1,
            _ => unreachable!("not alone"),
        };
        state.steps += 1;
    }
    fn apply_together(&self, state: &mut State, actions: &[Pick]) {
        let Shape::Together(rows) = &self.nodes[state.at] else { unreachable!("not together") };
        state.at = rows[actions[0].0 as usize][actions[1].0 as usize];
        state.steps += 1;
    }
    fn outcome(&self, state: &State) -> Option<Outcome> {
        let Shape::End(payoffs) = &self.nodes[state.at] else { return None };
        let scores = [0; MAX_SEATS];
        Some(Outcome::winners("end", SeatSet::all(self.seats), &scores[..self.seats]).with_payoffs(payoffs))
    }
    fn turns(&self, state: &State) -> u32 {
        state.steps
    }
    fn has_hidden(&self) -> bool {
        !self.looks.is_empty()
    }
    fn resample_hidden(&self, state: &mut State, _observer: Seat, stream: &mut Stream) {
        let look = self.looks[state.at];
        if look != 0 {
            let alike: Vec<usize> = (0..self.nodes.len()).filter(|&at| self.looks[at] == look).collect();
            state.at = alike[stream.below(alike.len())];
        }
    }
    fn information_key(&self, state: &State, _seat: Seat) -> u128 {
        match self.looks.get(state.at) {
            Some(&look) if look != 0 => look as u128,
            _ => 1000 + state.at as u128,
        }
    }
}

impl Heuristics for TreeGame {
    /// Knows nothing.
    fn value(&self, state: &State, out: &mut [f64]) {
        match self.outcome(state) {
            Some(outcome) => out.iter_mut().zip(outcome.results()).for_each(|(out, got)| *out = got.payoff),
            None => out.fill(0.5),
        }
    }
    fn turn_id(&self, state: &State) -> u32 {
        state.steps
    }
}
