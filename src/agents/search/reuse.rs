//! Keeping the part of a tree that is still true: the subtree of the position that was reached.
//!
//! The old tree is searched below the action that was chosen for a node whose position *equals* the new
//! one, luck and the others' actions included; whatever it was that happened in between. A position that
//! is not found starts a new tree: nothing stale is ever used. Subtrees below simultaneous nodes are dropped.

use super::arena::{Arena, Kind, Link, MANY, Target};
use super::tree::Tree;
use crate::game::Heuristics;

/// At most so many positions are looked at.
const MOST: usize = 2_000;

impl<G: Heuristics> Tree<G> {
    /// Makes the node of `state`, if the tree below `chosen` has one, the root. Gives whether it did.
    pub(super) fn keep(&mut self, game: &G, chosen: G::Action, state: &G::State) -> bool {
        let Some(node) = self.find(game, chosen, state) else {
            return false;
        };
        let mut spare = self.spare.take().unwrap_or_else(Arena::empty);
        copy_below(&self.arena, node, &mut spare);
        std::mem::swap(&mut self.arena, &mut spare);
        self.spare = Some(spare);
        self.kept = self.arena.nodes[0].visits as u64;
        self.visits = self.kept;
        true
    }

    fn find(&self, game: &G, chosen: G::Action, wanted: &G::State) -> Option<u32> {
        self.arena.nodes.first().filter(|root| root.kind == Kind::Decision)?;
        let mut queue = std::collections::VecDeque::new();
        let slot = self.arena.actions_of(0).iter().position(|&action| action == chosen)?;
        if let Target::Node(next) = self.arena.edges_of(0)[slot].link.target() {
            let mut state = self.root_state.clone()?;
            game.apply(&mut state, chosen);
            queue.push_back((next, state));
        }
        let mut seen = 0;
        while let Some((node, state)) = queue.pop_front() {
            let head = self.arena.nodes[node as usize];
            if head.kind == Kind::Decision && state == *wanted {
                return Some(node);
            }
            if head.kind == Kind::Together {
                continue;
            }
            for (edge, &action) in self.arena.edges_of(node).iter().zip(self.arena.actions_of(node)) {
                if let (Target::Node(next), true) = (edge.link.target(), seen < MOST) {
                    seen += 1;
                    let mut state = state.clone();
                    game.apply(&mut state, action);
                    queue.push_back((next, state));
                }
            }
        }
        None
    }
}

/// Copies `node` and what is below it into `out`, `node` first.
fn copy_below<A: Copy + PartialEq + std::hash::Hash>(arena: &Arena<A>, node: u32, out: &mut Arena<A>) {
    out.clear();
    out.mixing = arena.mixing;
    out.proofs.extend_from_slice(&arena.proofs);
    let copy_node = |node: u32, out: &mut Arena<A>| {
        let copy = out.copy_node(arena, node);
        let head = &arena.nodes[node as usize];
        if head.kind == Kind::Seen && head.len >= MANY {
            out.index(copy);
        }
        copy
    };
    copy_node(node, out);
    let mut at = 0;
    while at < out.nodes.len() {
        let head = out.nodes[at];
        for edge in head.first..head.first + head.len {
            let Target::Node(child) = out.edges[edge as usize].link.target() else {
                continue;
            };
            let link = match arena.nodes[child as usize].kind {
                Kind::Together => Link::NEW,
                _ => Link::node(copy_node(child, out)),
            };
            out.edges[edge as usize].link = link;
        }
        at += 1;
    }
}
