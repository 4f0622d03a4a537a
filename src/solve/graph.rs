//! All states that can come up, as a graph: states with the same future ([`Heuristics::search_key`]) are one
//! node.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::SolveError;
use crate::game::{Heuristics, MAX_SEATS, Seat, SeatSet, Turn};

/// What happens at a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// The game is over.
    Over,
    /// One seat chooses an edge.
    Decision(Seat),
    /// Luck chooses an edge.
    Chance,
    /// Several seats choose together: edges in the order of counting, the first seat's action being the most
    /// significant digit. The numbers of their actions stand from this place on in [`Graph::counts`].
    Together(SeatSet, u32),
}

/// The graph. Node 0 is the start; nodes are numbered in the order in which a breadth-first walk meets them,
/// so a path to a state with a small number is short.
pub struct Graph<G: Heuristics> {
    pub(super) seats: usize,
    pub(super) states: Vec<G::State>,
    pub(super) kinds: Vec<Kind>,
    /// Edges of node i: `to[first[i]..first[i + 1]]`.
    pub(super) first: Vec<u32>,
    pub(super) to: Vec<u32>,
    /// Probability of each edge of chance nodes, 0 elsewhere.
    pub(super) odds: Vec<f64>,
    pub(super) counts: Vec<u16>,
    /// Payoffs of each seat where the game is over, 0 elsewhere.
    pub(super) payoffs: Vec<f64>,
    pub(super) index: HashMap<u128, u32>,
}

impl<G: Heuristics> Graph<G> {
    /// Walks through the whole game.
    ///
    /// # Errors
    /// [`SolveError::TooLarge`] beyond `limit` states.
    pub(super) fn explore(game: &G, limit: usize) -> Result<Graph<G>, SolveError> {
        let mut graph = Graph {
            seats: game.seats(),
            states: Vec::new(),
            kinds: Vec::new(),
            first: vec![0],
            to: Vec::new(),
            odds: Vec::new(),
            counts: Vec::new(),
            payoffs: Vec::new(),
            index: HashMap::new(),
        };
        let limit = limit.min(u32::MAX as usize / 2);
        graph.node(game, game.initial());
        let (mut actions, mut outcomes) = (Vec::new(), Vec::new());
        let mut at = 0;
        while at < graph.states.len() {
            // So many edges a state are more than any game here has.
            if graph.states.len() > limit || graph.to.len() > 64 * limit {
                return Err(SolveError::TooLarge { limit });
            }
            let state = graph.states[at].clone();
            match game.turn(&state) {
                Turn::Over => {
                    graph.kinds.push(Kind::Over);
                    let payoffs = &mut graph.payoffs[at * graph.seats..];
                    if let Some(outcome) = game.outcome(&state) {
                        payoffs.iter_mut().zip(outcome.results()).for_each(|(slot, r)| *slot = r.payoff);
                    }
                }
                Turn::Chance(_) => {
                    graph.kinds.push(Kind::Chance);
                    game.chance(&state, &mut outcomes);
                    for &(outcome, probability) in &outcomes {
                        let mut after = state.clone();
                        game.apply(&mut after, outcome);
                        graph.edge(game, after, probability);
                    }
                }
                Turn::Decision(seat) => {
                    graph.kinds.push(Kind::Decision(seat));
                    game.actions(&state, seat, &mut actions);
                    for &action in &actions {
                        let mut after = state.clone();
                        game.apply(&mut after, action);
                        graph.edge(game, after, 0.0);
                    }
                }
                Turn::Simultaneous(seats) => {
                    graph.kinds.push(Kind::Together(seats, graph.counts.len() as u32));
                    let mut lists = Vec::new();
                    for seat in seats.iter() {
                        game.actions(&state, seat, &mut actions);
                        graph.counts.push(actions.len() as u16);
                        lists.push(actions.clone());
                    }
                    for joint in joints(&lists) {
                        let mut after = state.clone();
                        game.apply_together(&mut after, &joint);
                        graph.edge(game, after, 0.0);
                    }
                }
            }
            graph.first.push(graph.to.len() as u32);
            at += 1;
        }
        Ok(graph)
    }

    fn node(&mut self, game: &G, state: G::State) -> u32 {
        let next = self.states.len() as u32;
        match self.index.entry(game.search_key(&state)) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(empty) => {
                empty.insert(next);
                self.states.push(state);
                self.payoffs.resize(self.payoffs.len() + self.seats, 0.0);
                next
            }
        }
    }

    fn edge(&mut self, game: &G, after: G::State, probability: f64) {
        let to = self.node(game, after);
        self.to.push(to);
        self.odds.push(probability);
    }

    /// Numbers of the edges of a node.
    pub(super) fn edges(&self, node: usize) -> std::ops::Range<usize> {
        self.first[node] as usize..self.first[node + 1] as usize
    }

    /// Who chooses at a node and how many actions each has.
    pub(super) fn choosers(&self, node: usize) -> Vec<(Seat, usize)> {
        match self.kinds[node] {
            Kind::Over | Kind::Chance => Vec::new(),
            Kind::Decision(seat) => vec![(seat, self.edges(node).len())],
            Kind::Together(seats, place) => {
                let counts = self.counts[place as usize..].iter().map(|&count| count as usize);
                seats.iter().zip(counts).collect()
            }
        }
    }

    /// The sum that the payoffs of two seats always have, if they have one.
    pub(super) fn constant_sum(&self) -> Option<f64> {
        let over = |&node: &usize| self.kinds[node] == Kind::Over;
        let mut sums = (0..self.states.len()).filter(over).map(|node| {
            let payoffs = &self.payoffs[node * self.seats..][..self.seats];
            payoffs.iter().sum::<f64>()
        });
        let first = sums.next()?;
        (self.seats == 2 && sums.all(|sum| (sum - first).abs() <= 1e-9 * (1.0 + first.abs())))
            .then_some(first)
    }

    /// Whether several seats ever choose at once.
    pub(super) fn has_together(&self) -> bool {
        !self.counts.is_empty()
    }

    /// The strongly connected parts, each after those it leads to, its nodes from the last to the first
    /// (Tarjan 1972).
    pub(super) fn parts(&self) -> Vec<Vec<u32>> {
        const NEW: u32 = u32::MAX;
        let nodes = self.states.len();
        let (mut order, mut low) = (vec![NEW; nodes], vec![0_u32; nodes]);
        let mut on_stack = vec![false; nodes];
        let (mut stack, mut parts, mut met) = (Vec::new(), Vec::new(), 0);
        // Nodes on the way down, each with its next edge.
        let mut path: Vec<(u32, u32)> = vec![(0, self.first[0])];
        while let Some(&mut (node, ref mut edge)) = path.last_mut() {
            let at = node as usize;
            if order[at] == NEW {
                (order[at], low[at]) = (met, met);
                met += 1;
                stack.push(node);
                on_stack[at] = true;
            }
            if *edge < self.first[at + 1] {
                let next = self.to[*edge as usize] as usize;
                *edge += 1;
                if order[next] == NEW {
                    path.push((next as u32, self.first[next]));
                } else if on_stack[next] {
                    low[at] = low[at].min(order[next]);
                }
                continue;
            }
            path.pop();
            if let Some(&(above, _)) = path.last() {
                low[above as usize] = low[above as usize].min(low[at]);
            }
            if low[at] == order[at] {
                let from = stack.iter().rposition(|&other| other == node).unwrap_or(0);
                let mut part = stack.split_off(from);
                part.iter().for_each(|&member| on_stack[member as usize] = false);
                part.sort_unstable_by(|one, other| other.cmp(one));
                parts.push(part);
            }
        }
        parts
    }
}

/// Every joint choice, the first list's element varying slowest.
pub(super) fn joints<A: Copy>(lists: &[Vec<A>]) -> Vec<Vec<A>> {
    let mut joints = vec![Vec::with_capacity(MAX_SEATS)];
    for list in lists {
        let longer = |joint: &Vec<A>| {
            let joint = joint.clone();
            list.iter().map(move |&action| [joint.as_slice(), &[action]].concat())
        };
        joints = joints.iter().flat_map(longer).collect();
    }
    joints
}
