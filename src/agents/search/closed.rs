//! Iterations with everything in sight: links from node to node, a child for each outcome of luck, joint
//! choices as cells. Exact values are backed up ([`super::proof`]).

use super::arena::{Cell, Kind, Link, Target};
use super::options::Mixing;
use super::playout;
use super::regret::pick;
use super::select;
use super::tree::{Leaf, NONE, Step, Tree, cell_key};
use crate::game::{Heuristics, Turn};
use crate::streams::Stream;

impl<G: Heuristics> Tree<G> {
    /// One iteration from `state`, which is the root's and is played on.
    pub(super) fn closed_iteration(&mut self, game: &G, state: &mut G::State, stream: &mut Stream) {
        self.path.clear();
        let mut node = 0;
        let payoffs = loop {
            let head = &self.arena.nodes[node as usize];
            let (link, met, before) = match head.kind {
                Kind::Decision => {
                    let slot = select::ucb(&self.arena, &mut self.numbers, head, &self.bounds, &self.options);
                    let at = (head.first + slot) as usize;
                    let (edge, action) = (&self.arena.edges[at], self.arena.actions[at]);
                    let (link, met) = (edge.link, edge.visits);
                    self.path.push(Step { node, slot, cell: NONE, mixed: false });
                    let before = match link.target() {
                        Target::New => self.playouts.turn_before(game, state),
                        _ => 0,
                    };
                    game.apply(state, action);
                    (link, met, before)
                }
                Kind::Chance | Kind::Seen => {
                    let slot = self.luck(game, state, node, stream);
                    let edge = &self.arena.edges_of(node)[slot as usize];
                    let (link, met, outcome) = (edge.link, edge.visits, self.arena.action(node, slot));
                    self.path.push(Step { node, slot, cell: NONE, mixed: false });
                    let before = match link.target() {
                        Target::New => self.playouts.turn_before(game, state),
                        _ => 0,
                    };
                    game.apply(state, outcome);
                    (link, met, before)
                }
                Kind::Together => {
                    let before = self.playouts.turn_before(game, state);
                    let cell = self.choose_together(node, head.together as u32, stream);
                    game.apply_together(state, &self.joint);
                    let cell = &self.arena.cells[cell as usize];
                    (cell.link, cell.visits, before)
                }
            };
            match link.target() {
                Target::Node(next) => node = next,
                Target::Proven(index) => break self.arena.proofs[index as usize],
                Target::New => {
                    if met > 0
                        && let Some(next) = self.expand(game, state, stream)
                    {
                        let step = self.path[self.path.len() - 1];
                        *self.link(step) = Link::node(next);
                        node = next;
                        continue;
                    }
                    let leaf = self.leaf(game, state, before, stream);
                    self.back_up(&leaf.payoffs);
                    if leaf.exact && self.options.solver {
                        self.prove(game, leaf.payoffs);
                    }
                    return;
                }
            }
        };
        self.back_up(&payoffs);
    }

    fn leaf(&mut self, game: &G, state: &mut G::State, before: u32, stream: &mut Stream) -> Leaf {
        match game.turn(state) {
            Turn::Over => Leaf { payoffs: playout::payoffs(game, state), exact: true },
            _ => Leaf { payoffs: self.playouts.run(game, state, before, stream), exact: false },
        }
    }

    /// Draws an outcome at a node of luck.
    fn luck(&mut self, game: &G, state: &G::State, node: u32, stream: &mut Stream) -> u32 {
        match self.arena.nodes[node as usize].kind {
            Kind::Chance => pick(self.arena.edges_of(node).iter().map(|edge| edge.sum), stream.unit()),
            _ => {
                let outcome = game.sample_chance(state, stream.word());
                self.arena.slot_of(node, outcome)
            }
        }
    }

    /// Everybody's choice at the `count` menus from `node` on, into `joint`; gives the cell.
    fn choose_together(&mut self, node: u32, count: u32, stream: &mut Stream) -> u32 {
        self.joint.clear();
        self.slots.clear();
        let mixed = self.options.mixing == Mixing::Regret;
        for menu in node..node + count {
            let slot = if mixed {
                self.draw(menu, stream)
            } else {
                let head = self.arena.nodes[menu as usize];
                select::ucb(&self.arena, &mut self.numbers, &head, &self.bounds, &self.options)
            };
            self.joint.push(self.arena.action(menu, slot));
            self.slots.push(slot);
        }
        let key = cell_key(node, &self.slots);
        let cell = match self.arena.table.get(&key) {
            Some(&cell) => cell,
            None => {
                let cell = self.arena.cells.len() as u32;
                self.arena.cells.push(Cell { sums: Default::default(), visits: 0, link: Link::NEW });
                self.arena.table.insert(key, cell);
                cell
            }
        };
        for (menu, &slot) in (node..).zip(&self.slots) {
            self.path.push(Step { node: menu, slot, cell, mixed });
        }
        cell
    }
}
