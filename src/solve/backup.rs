//! Values from the end of the game backwards: once through where no state comes back, in rounds where states
//! do (value iteration, Bellman 1957; part by part, so that only loops are repeated).

use super::SolveError;
use super::graph::{Graph, Kind};
use super::matrix::solve_matrix;
use crate::game::{Heuristics, MAX_SEATS, Seat};

/// Rounds within one loop after which it counts as not converging.
const MOST_ROUNDS: u32 = 1_000_000;
/// A round that changes no value by more has converged.
pub(super) const STILL: f64 = 1e-13;
/// Actions whose values are nearer than this are alike: the first is taken. Rounding makes equal ones differ.
const TIE: f64 = 1e-11;

/// How every seat plays at every node: probabilities of actions.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Plan {
    /// At decisions, the probability of each edge.
    pub edges: Vec<f64>,
    /// At joint choices, for each seat the probability of each of its actions; where the lists of a node begin.
    pub mixes: Vec<f64>,
    pub begins: Vec<u32>,
}

impl Plan {
    pub fn empty<G: Heuristics>(graph: &Graph<G>) -> Plan {
        let mut begins = Vec::new();
        let mut length = 0;
        if graph.has_together() {
            for node in 0..graph.states.len() {
                begins.push(length);
                if let Kind::Together(..) = graph.kinds[node] {
                    length += graph.choosers(node).iter().map(|&(_, count)| count as u32).sum::<u32>();
                }
            }
        }
        Plan { edges: vec![0.0; graph.to.len()], mixes: vec![0.0; length as usize], begins }
    }

    /// The probabilities of a seat's actions at a node where it chooses.
    pub fn at<G: Heuristics>(&self, graph: &Graph<G>, node: usize, seat: Seat) -> &[f64] {
        let (range, together) = self.range(graph, node, seat);
        if together { &self.mixes[range] } else { &self.edges[range] }
    }

    pub fn at_mut<G: Heuristics>(&mut self, graph: &Graph<G>, node: usize, seat: Seat) -> &mut [f64] {
        let (range, together) = self.range(graph, node, seat);
        if together { &mut self.mixes[range] } else { &mut self.edges[range] }
    }

    fn range<G: Heuristics>(
        &self,
        graph: &Graph<G>,
        node: usize,
        seat: Seat,
    ) -> (std::ops::Range<usize>, bool) {
        if !matches!(graph.kinds[node], Kind::Together(..)) {
            return (graph.edges(node), false);
        }
        let mut begin = self.begins[node] as usize;
        for (chooser, count) in graph.choosers(node) {
            if chooser == seat {
                return (begin..begin + count, true);
            }
            begin += count;
        }
        (begin..begin, true)
    }
}

/// How a seat plays while values are computed.
#[derive(Clone, Copy)]
pub(super) enum Conduct<'p> {
    /// The best for itself.
    Best,
    /// As written.
    Fixed(&'p Plan),
}

/// Values of every node, and how they came about.
pub(super) struct Backup {
    /// Payoff of each seat at each node.
    pub values: Vec<f64>,
    /// The greatest change in the last round of any loop; 0 where nothing loops.
    pub residual: f64,
    /// Parts that loop.
    pub loops: usize,
}

/// Computes values when each seat plays as `conduct` says.
///
/// # Errors
/// [`SolveError::Unsettled`] where a loop does not converge, and [`SolveError::Together`] where several choose
/// for the best at once outside a zero-sum game of two.
pub(super) fn values<G: Heuristics>(
    graph: &Graph<G>,
    parts: &[Vec<u32>],
    conduct: &[Conduct<'_>],
    start: &[f64],
) -> Result<Backup, SolveError> {
    let seats = graph.seats;
    let mut backup = Backup { values: graph.payoffs.clone(), residual: 0.0, loops: 0 };
    if conduct.iter().filter(|conduct| matches!(conduct, Conduct::Best)).count() > 1
        && graph.has_together()
        && graph.constant_sum().is_none()
    {
        return Err(SolveError::Together);
    }
    let mut fresh = [0.0; MAX_SEATS];
    for part in parts {
        let first = part[0] as usize;
        let looping = part.len() > 1 || graph.to[graph.edges(first)].contains(&part[0]);
        if !looping {
            one(graph, first, &backup.values, conduct, &mut fresh[..seats]);
            backup.values[first * seats..][..seats].copy_from_slice(&fresh[..seats]);
            continue;
        }
        backup.loops += 1;
        for &node in part {
            backup.values[node as usize * seats..][..seats].copy_from_slice(start);
        }
        let mut round = 0;
        loop {
            let mut moved = 0.0_f64;
            for &node in part {
                one(graph, node as usize, &backup.values, conduct, &mut fresh[..seats]);
                for (old, &new) in backup.values[node as usize * seats..].iter_mut().zip(&fresh[..seats]) {
                    moved = moved.max((new - *old).abs());
                    *old = new;
                }
            }
            round += 1;
            let scale = 1.0 + start.iter().fold(0.0_f64, |most, payoff| most.max(payoff.abs()));
            if moved <= STILL * scale {
                backup.residual = backup.residual.max(moved);
                break;
            }
            if round == MOST_ROUNDS {
                return Err(SolveError::Unsettled { moved });
            }
        }
    }
    Ok(backup)
}

/// The values of one node from those it leads to.
fn one<G: Heuristics>(
    graph: &Graph<G>,
    node: usize,
    values: &[f64],
    conduct: &[Conduct<'_>],
    out: &mut [f64],
) {
    let seats = graph.seats;
    let edges = graph.edges(node);
    let of = |edge: usize| &values[graph.to[edge] as usize * seats..][..seats];
    let mean = |weights: &[f64], out: &mut [f64]| {
        out.fill(0.0);
        for (edge, &weight) in edges.clone().zip(weights) {
            if weight != 0.0 {
                out.iter_mut().zip(of(edge)).for_each(|(sum, value)| *sum += weight * value);
            }
        }
    };
    match graph.kinds[node] {
        Kind::Over => out.copy_from_slice(&graph.payoffs[node * seats..][..seats]),
        Kind::Chance => mean(&graph.odds[edges.clone()], out),
        Kind::Decision(seat) => match conduct[seat.index()] {
            Conduct::Fixed(plan) => mean(&plan.edges[edges.clone()], out),
            Conduct::Best => out.copy_from_slice(of(best_edge(graph, node, values, seat))),
        },
        Kind::Together(..) => {
            let choosers = graph.choosers(node);
            let best: Vec<Seat> = choosers
                .iter()
                .map(|&(seat, _)| seat)
                .filter(|seat| matches!(conduct[seat.index()], Conduct::Best))
                .collect();
            if let [one, _] = best[..] {
                // Two seats whose payoffs have a constant sum, as `values` has checked.
                let matrix: Vec<f64> = edges.clone().map(|edge| of(edge)[one.index()]).collect();
                let solution = solve_matrix(&matrix, choosers[1].1);
                let joint = product(&[&solution.rows, &solution.columns]);
                mean(&joint, out);
                return;
            }
            let answer = best.first().map(|&seat| (seat, best_reply(graph, node, values, conduct, seat)));
            let mixes: Vec<Vec<f64>> = choosers
                .iter()
                .map(|&(seat, count)| match (conduct[seat.index()], answer) {
                    (Conduct::Fixed(plan), _) => plan.at(graph, node, seat).to_vec(),
                    (Conduct::Best, Some((_, reply))) => pure(count, reply),
                    (Conduct::Best, None) => pure(count, 0),
                })
                .collect();
            let mixes: Vec<&[f64]> = mixes.iter().map(Vec::as_slice).collect();
            mean(&product(&mixes), out);
        }
    }
}

fn pure(count: usize, chosen: usize) -> Vec<f64> {
    let mut mix = vec![0.0; count];
    mix[chosen] = 1.0;
    mix
}

/// Probabilities of joint choices from those of each seat, the first varying slowest.
fn product(mixes: &[&[f64]]) -> Vec<f64> {
    mixes.iter().fold(vec![1.0], |joint, mix| {
        joint.iter().flat_map(|&sofar| mix.iter().map(move |&weight| sofar * weight)).collect()
    })
}

fn best_edge<G: Heuristics>(graph: &Graph<G>, node: usize, values: &[f64], seat: Seat) -> usize {
    let of = |edge: usize| values[graph.to[edge] as usize * graph.seats + seat.index()];
    let edges = graph.edges(node);
    edges.clone().fold(edges.start, |best, edge| if of(edge) > of(best) + TIE { edge } else { best })
}

/// The action of `seat` that is best against the mixes of the others at a joint choice.
fn best_reply<G: Heuristics>(
    graph: &Graph<G>,
    node: usize,
    values: &[f64],
    conduct: &[Conduct<'_>],
    seat: Seat,
) -> usize {
    let choosers = graph.choosers(node);
    let count = choosers.iter().find(|(chooser, _)| *chooser == seat).map_or(1, |(_, count)| *count);
    let worth = |reply: usize| {
        let mixes: Vec<Vec<f64>> = choosers
            .iter()
            .map(|&(other, actions)| match conduct[other.index()] {
                Conduct::Fixed(plan) if other != seat => plan.at(graph, node, other).to_vec(),
                _ => pure(actions, if other == seat { reply } else { 0 }),
            })
            .collect();
        let mixes: Vec<&[f64]> = mixes.iter().map(Vec::as_slice).collect();
        let weights = product(&mixes);
        let edges = graph.edges(node).zip(weights);
        edges.map(|(edge, w)| w * values[graph.to[edge] as usize * graph.seats + seat.index()]).sum::<f64>()
    };
    let mut best = (worth(0), 0);
    for reply in 1..count {
        let found = worth(reply);
        if found > best.0 + TIE {
            best = (found, reply);
        }
    }
    best.1
}

/// How all play for the best, given the values of best play.
pub(super) fn best_plan<G: Heuristics>(graph: &Graph<G>, values: &[f64]) -> Plan {
    let mut plan = Plan::empty(graph);
    for node in 0..graph.states.len() {
        match graph.kinds[node] {
            Kind::Over | Kind::Chance => {}
            Kind::Decision(seat) => {
                let best = best_edge(graph, node, values, seat);
                plan.edges[best] = 1.0;
            }
            Kind::Together(..) => {
                let choosers = graph.choosers(node);
                if let [(one, _), (other, columns)] = choosers[..] {
                    let value = |edge: usize| values[graph.to[edge] as usize * graph.seats + one.index()];
                    let matrix: Vec<f64> = graph.edges(node).map(value).collect();
                    let solution = solve_matrix(&matrix, columns);
                    plan.at_mut(graph, node, one).copy_from_slice(&solution.rows);
                    plan.at_mut(graph, node, other).copy_from_slice(&solution.columns);
                }
            }
        }
    }
    plan
}
