//! Exact values on their way up (Winands, Björnsson & Saito 2008, with a payoff for each seat).
//!
//! An edge to the end of a game is exact. A decision is exact as soon as one of its edges is exact and pays
//! the most that anybody can get, or when all its edges are; luck is exact when all its outcomes are. What
//! is exact is never searched again, nor overwritten. Simultaneous nodes are not proven.

use super::arena::{Kind, Link, Node, Payoffs, Target};
use super::tree::{Step, Tree};
use crate::game::{Heuristics, MAX_SEATS};

impl<G: Heuristics> Tree<G> {
    /// The last step of the path leads to the exact `value`: marks it, and whatever follows from it.
    pub(super) fn prove(&mut self, game: &G, value: Payoffs) {
        let mut proof = self.arena.proof(value);
        for at in (0..self.path.len()).rev() {
            let step = self.path[at];
            self.mark(step, proof);
            match self.node_value(game, step.node) {
                Some(value) => proof = self.arena.proof(value),
                None => return,
            }
        }
    }

    fn mark(&mut self, step: Step, proof: u32) {
        *self.link(step) = Link::proven(proof);
        let head = &self.arena.nodes[step.node as usize];
        if head.kind == Kind::Decision {
            let value = self.arena.proofs[proof as usize][head.seat as usize];
            let edge = &mut self.arena.edges[(head.first + step.slot) as usize];
            edge.sum = value * edge.visits as f64;
        }
    }

    fn proven(&self, node: u32) -> impl Iterator<Item = (f64, Payoffs)> {
        self.arena.edges_of(node).iter().filter_map(|edge| match edge.link.target() {
            Target::Proven(index) => Some((edge.sum, self.arena.proofs[index as usize])),
            _ => None,
        })
    }

    /// The exact value of a node, if its edges settle it.
    fn node_value(&self, game: &G, node: u32) -> Option<Payoffs> {
        let Node { kind, seat, .. } = self.arena.nodes[node as usize];
        let open = || self.arena.edges_of(node).iter().any(|edge| !edge.link.is_proven());
        match kind {
            Kind::Decision => {
                let seat = seat as usize;
                let best = self.proven(node).map(|(_, value)| value[seat]).fold(f64::NEG_INFINITY, f64::max);
                if best < game.payoff_limit() && open() {
                    return None;
                }
                // Actions that are equally good for the chooser may differ for others: any is as likely.
                let equals = || self.proven(node).filter(move |(_, value)| value[seat] == best);
                Some(mean(equals().map(|(_, value)| (1.0, value)), equals().count() as f64))
            }
            Kind::Chance if !open() => Some(mean(self.proven(node), 1.0)),
            _ => None,
        }
    }
}

/// The weighted sum of values, divided by `whole`.
fn mean(values: impl Iterator<Item = (f64, Payoffs)>, whole: f64) -> Payoffs {
    let mut sums = [0.0; MAX_SEATS];
    for (weight, value) in values {
        for (sum, payoff) in sums.iter_mut().zip(value) {
            *sum += weight * payoff;
        }
    }
    sums.map(|sum| sum / whole)
}
