//! Which action to try next: upper confidence bounds (Kocsis & Szepesvari 2006), with progressive bias,
//! progressive widening (Chaslot and others 2008) and proven values.
//!
//! The bound of an action is mean + exploration * range * sqrt(ln N / n): payoffs need not lie between 0 and
//! 1, exploration is measured in units of the range of payoffs seen so far by that seat.

use std::hint::select_unpredictable;

use super::arena::{Arena, Edge, Node, Payoffs};
use super::options::Options;
use crate::game::MAX_SEATS;

/// The least and the greatest payoff of each seat so far.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    low: Payoffs,
    high: Payoffs,
    /// How far apart they are; 1 before anything was seen.
    ranges: Payoffs,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds {
            low: [f64::INFINITY; MAX_SEATS],
            high: [f64::NEG_INFINITY; MAX_SEATS],
            ranges: [1.0; MAX_SEATS],
        }
    }
}

impl Bounds {
    /// Takes in the payoffs of an iteration.
    #[inline]
    pub fn see(&mut self, payoffs: &Payoffs) {
        let new = |at: usize| !(self.low[at] <= payoffs[at] && payoffs[at] <= self.high[at]);
        if (0..MAX_SEATS).fold(false, |any, at| any | new(at)) {
            self.widen(payoffs);
        }
    }

    #[cold]
    fn widen(&mut self, payoffs: &Payoffs) {
        for (at, payoff) in payoffs.iter().enumerate() {
            self.low[at] = self.low[at].min(*payoff);
            self.high[at] = self.high[at].max(*payoff);
            let range = self.high[at] - self.low[at];
            self.ranges[at] = if range >= 0.0 { range } else { 1.0 };
        }
    }

    /// How far apart they are.
    #[inline]
    fn range(&self, seat: usize) -> f64 {
        self.ranges[seat]
    }

    fn at(&self, seat: usize, part: f64) -> f64 {
        if self.high[seat] >= self.low[seat] { self.low[seat] + part * self.range(seat) } else { part }
    }
}

/// How many of a node's actions are considered: ceil((N + 1)^widening) + 1 of them.
#[inline]
fn considered(node: &Node, options: &Options) -> u32 {
    if options.widening == 0.0 {
        return node.len;
    }
    let wide = libm::pow(node.visits as f64 + 1.0, options.widening);
    node.len.min(libm::ceil(wide) as u32 + 1)
}

/// What bounds need of whole numbers: looks into tables are faster than reckoning, and a node asks for one number
/// after the next.
#[derive(Clone, Debug, Default)]
pub struct Numbers {
    /// Natural logarithms, 1 taken for 0.
    logs: Vec<f64>,
    /// Their roots.
    roots: Vec<f64>,
}

impl Numbers {
    /// Beyond it the tables would take more memory than they are worth: only the first nodes are visited so often.
    /// Half as many cost 3 % at 100,000 iterations.
    const MOST: usize = 1 << 17;

    /// The logarithm of `number`, 1 taken for 0.
    fn log(&mut self, number: u32) -> f64 {
        self.logs.get(number as usize).copied().unwrap_or_else(|| self.make(number as usize))
    }

    /// The root of [`Numbers::log`].
    #[inline]
    fn root(&mut self, number: u32) -> f64 {
        match self.roots.get(number as usize) {
            Some(&root) => root,
            None => self.make(number as usize).sqrt(),
        }
    }

    #[cold]
    fn make(&mut self, number: usize) -> f64 {
        let log = |number: usize| libm::log(number.max(1) as f64);
        if number < Numbers::MOST {
            let known = self.logs.len();
            self.logs.extend((known..=number).map(log));
            self.roots.extend(self.logs[known..].iter().map(|log| log.sqrt()));
        }
        log(number)
    }
}

/// The slot of the greatest bound, where that is beyond doubt. `explore` is exploration * range * sqrt(ln N), `low` the
/// least payoff.
///
/// Seven divisions and seven roots, each time anew, were most of what a choice cost. The roots kept at the edges stand
/// in for both, up to the last digits; where these might decide, [`exactly`] does. That took a quarter off the time of
/// 100,000 iterations of Connect Four, where every fifteenth choice is in doubt (mostly equal edges).
#[inline(always)]
fn leader(edges: &[Edge], explore: f64, low: f64) -> Option<u32> {
    let (mut best, mut second, mut at) = (f64::NEG_INFINITY, f64::NEG_INFINITY, 0);
    for (slot, edge) in edges.iter().enumerate() {
        // A proven value needs no exploration.
        let explore = if edge.link.is_proven() { 0.0 } else { explore };
        let score = (edge.sum * edge.root + explore) * edge.root;
        // Which action is best changes from visit to visit, so that a branch on it is guessed wrongly: without
        // branches all takes a seventh less time.
        at = select_unpredictable(score > best, slot as u32, at);
        let lesser = if score < best { score } else { best };
        second = if lesser > second { lesser } else { second };
        best = if score > best { score } else { best };
    }
    // Neither way of reckoning errs by more than 20 roundings of |mean| + exploration, which are at most this much:
    // no mean is below `low`.
    let size = best - 2.0 * low.min(0.0);
    (best - second > 64.0 * f64::EPSILON * size).then_some(at)
}

/// The slot to try next at a decision of `node`. Edges stand in the order in which they are to be tried.
#[inline(always)]
pub fn ucb<A: Copy + PartialEq>(
    arena: &Arena<A>,
    numbers: &mut Numbers,
    node: &Node,
    bounds: &Bounds,
    options: &Options,
) -> u32 {
    if options.untried.is_none() && options.widening == 0.0 && options.bias == 0.0 {
        // Every visit so far tried the next untried edge.
        if node.visits < node.len {
            return node.visits;
        }
        let explore = options.exploration * bounds.range(node.seat as usize) * numbers.root(node.visits);
        if let Some(slot) = leader(&arena.edges[node.range()], explore, bounds.low[node.seat as usize]) {
            return slot;
        }
    }
    exactly(arena, numbers, node, bounds, options)
}

/// [`ucb`] for all options, and where two bounds are as good as equal.
#[inline(never)]
fn exactly<A: Copy + PartialEq>(
    arena: &Arena<A>,
    numbers: &mut Numbers,
    node: &Node,
    bounds: &Bounds,
    options: &Options,
) -> u32 {
    let most = considered(node, options);
    // Every visit so far tried the next untried edge, unless actions are judged untried.
    if options.untried.is_none() && options.widening == 0.0 && node.visits < most {
        return node.visits;
    }
    let edges = &arena.edges[node.first as usize..(node.first + most) as usize];
    let weights = arena.weights_of(node);
    let seat = node.seat as usize;
    let range = bounds.range(seat);
    let explore = options.exploration * range;
    let weight = explore * explore * numbers.log(node.visits);
    let mut best = (f64::NEG_INFINITY, 0);
    let bias = options.bias * range;
    let untried = options.untried.map_or(f64::INFINITY, |part| bounds.at(seat, part));
    for (slot, edge) in edges.iter().enumerate() {
        let prior = weights.get(slot).map_or(0.0, |&weight| weight as f64);
        let score = if edge.visits == 0 {
            // As if tried once with that result: its bound grows too, so that it is tried some day.
            untried + weight.sqrt() + bias * prior
        } else {
            let part = 1.0 / edge.visits as f64;
            let more = (weight * part).sqrt() + bias * prior / (edge.visits + 1) as f64;
            edge.sum * part + if edge.link.is_proven() { 0.0 } else { more }
        };
        if score > best.0 {
            best = (score, slot);
        }
    }
    best.1 as u32
}

/// Like [`ucb`], among some slots only: where not every action of the node is legal now.
pub fn ucb_among<A: Copy + PartialEq>(
    arena: &Arena<A>,
    node: u32,
    slots: &[u32],
    bounds: &Bounds,
    options: &Options,
) -> u32 {
    let head = &arena.nodes[node as usize];
    let (seat, weights, edges) = (head.seat as usize, arena.weights_of(head), arena.edges_of(node));
    let met: u32 = slots.iter().map(|&slot| edges[slot as usize].visits).sum();
    let range = bounds.range(seat);
    let explore = options.exploration * range;
    let weight = explore * explore * libm::log(met.max(1) as f64);
    let untried = options.untried.map_or(f64::INFINITY, |part| bounds.at(seat, part));
    let mut best = (f64::NEG_INFINITY, slots[0]);
    for &slot in slots {
        let edge = &edges[slot as usize];
        let prior = weights.get(slot as usize).map_or(0.0, |&weight| weight as f64);
        let bias = options.bias * range * prior / (edge.visits + 1) as f64;
        let score = match edge.visits {
            0 => untried + weight.sqrt() + bias,
            visits => edge.mean() + (weight / visits as f64).sqrt() + bias,
        };
        if score > best.0 {
            best = (score, slot);
        }
    }
    best.1
}
