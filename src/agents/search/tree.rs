//! One search tree: its parts, how nodes are made, and what a finished iteration writes into it.
//!
//! Iterations are of two kinds: `closed` follows links from node to node and has a child for each
//! outcome of luck; `keyed` finds nodes by key (information sets, or histories of actions alone).

use super::arena::{Arena, Kind, Link, Payoffs};
use super::options::{Mixing, Options};
use super::playout::Playouts;
use super::regret;
use super::select::{Bounds, Numbers};
use crate::game::{Game, Heuristics, MAX_SEATS, Seat, Turn};
use crate::streams::Stream;

/// No cell, no seat, no menu.
pub(super) const NONE: u32 = u32::MAX;

/// One choice on the way from the root to a leaf.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub node: u32,
    pub slot: u32,
    /// The joint choice that this was part of, else [`NONE`].
    pub cell: u32,
    /// Whether regret matching chose.
    pub mixed: bool,
}

/// What a new leaf turned out to be.
pub(super) struct Leaf {
    pub payoffs: Payoffs,
    /// Whether that is exact: the game is over there.
    pub exact: bool,
}

/// A tree and the buffers of its iterations.
pub struct Tree<G: Game> {
    pub(super) options: Options,
    pub(super) arena: Arena<G::Action>,
    pub(super) bounds: Bounds,
    pub(super) numbers: Numbers,
    pub(super) playouts: Playouts<G>,
    pub(super) path: Vec<Step>,
    pub(super) joint: Vec<G::Action>,
    pub(super) actions: Vec<G::Action>,
    pub(super) slots: Vec<u32>,
    priors: Vec<f32>,
    ranked: Vec<(f64, G::Action)>,
    outcomes: Vec<(G::Action, f64)>,
    parts: Vec<f64>,
    estimates: Vec<f64>,
    /// The deciding seat's own menu at the root.
    pub(super) own: u32,
    /// For each of its slots, the payoffs of all seats summed over this decision's iterations.
    pub(super) root_sums: Vec<(u32, Payoffs)>,
    /// Iterations of this tree, those that were kept from an earlier decision included.
    pub(super) visits: u64,
    /// Of which kept.
    pub(super) kept: u64,
    /// The position at the root of the search before, for [`super::reuse`].
    pub(super) root_state: Option<G::State>,
    pub(super) spare: Option<Arena<G::Action>>,
}

impl<G: Heuristics> Tree<G> {
    /// An empty tree.
    pub fn new(options: Options) -> Tree<G> {
        Tree {
            options,
            arena: Arena::empty(),
            bounds: Bounds::default(),
            numbers: Numbers::default(),
            playouts: Playouts::new(options.playout),
            path: Vec::new(),
            joint: Vec::new(),
            actions: Vec::new(),
            slots: Vec::new(),
            priors: Vec::new(),
            ranked: Vec::new(),
            outcomes: Vec::new(),
            parts: Vec::new(),
            estimates: Vec::new(),
            own: NONE,
            root_sums: Vec::new(),
            visits: 0,
            kept: 0,
            root_state: None,
            spare: None,
        }
    }

    /// Forgets everything but keeps the room.
    pub fn clear(&mut self) {
        self.arena.clear();
        self.bounds = Bounds::default();
        self.own = NONE;
        self.visits = 0;
        self.kept = 0;
    }

    /// Bytes that the tree takes.
    pub fn bytes(&self) -> usize {
        self.arena.bytes()
    }

    /// Nodes of the tree.
    pub fn nodes(&self) -> usize {
        self.arena.nodes.len()
    }

    /// Makes the node (or menus) of `state`; `None` when the game is over there, or the tree is full.
    pub(super) fn expand(&mut self, game: &G, state: &G::State, stream: &mut Stream) -> Option<u32> {
        if self.arena.is_full() {
            return None;
        }
        match game.turn(state) {
            Turn::Decision(seat) => Some(self.add_menu(game, state, seat, Kind::Decision, 0, stream)),
            Turn::Simultaneous(seats) => {
                let mut left = seats.len() as u8;
                let first = self.arena.nodes.len() as u32;
                for seat in seats.iter() {
                    self.add_menu(game, state, seat, Kind::Together, left, stream);
                    left -= 1;
                }
                Some(first)
            }
            Turn::Chance(_) => Some(self.add_luck(game, state)),
            Turn::Over => None,
        }
    }

    /// Makes one seat's menu, in random order or, where priors are used, the most promising first.
    pub(super) fn add_menu(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
        kind: Kind,
        together: u8,
        stream: &mut Stream,
    ) -> u32 {
        game.actions(state, seat, &mut self.actions);
        if self.options.prune && kind == Kind::Decision {
            game.prune(state, &mut self.actions);
            if self.actions.is_empty() {
                game.actions(state, seat, &mut self.actions);
            }
        }
        if self.options.mixing == Mixing::Regret && (kind == Kind::Together || game.has_hidden()) {
            self.arena.mix();
        }
        let node = self.arena.push_node(kind, seat.index() as u8, together);
        if self.weigh(game, state, seat, kind == Kind::Together) {
            // Weights as f64: which order the sort leaves to equals depends on whether an entry is larger than a
            // word, and this one always is.
            self.ranked.clear();
            self.ranked
                .extend(self.priors.iter().map(|&weight| weight as f64).zip(self.actions.iter().copied()));
            stream.shuffle(&mut self.ranked);
            self.ranked.sort_unstable_by(|left, right| right.0.total_cmp(&left.0));
            for &(weight, action) in &self.ranked {
                self.arena.push_edge(action, 0.0);
                self.arena.weigh(weight as f32);
            }
        } else {
            stream.shuffle(&mut self.actions);
            for &action in &self.actions {
                self.arena.push_edge(action, 0.0);
            }
        }
        node
    }

    /// Fills `priors` with weights that add to 1, if they are of any use; gives whether they are.
    fn weigh(&mut self, game: &G, state: &G::State, seat: Seat, together: bool) -> bool {
        let mixed = together && self.options.mixing == Mixing::Regret;
        if self.options.bias == 0.0 && self.options.widening == 0.0 && !mixed {
            return false;
        }
        game.prior(state, seat, &self.actions, &mut self.priors);
        let sum: f32 = self.priors.iter().sum();
        if sum > 0.0 {
            self.priors.iter_mut().for_each(|weight| *weight /= sum);
        }
        sum > 0.0
    }

    fn add_luck(&mut self, game: &G, state: &G::State) -> u32 {
        /// Beyond it, outcomes are sampled and only those that were met become edges.
        const MOST_OUTCOMES: usize = 64;
        game.chance(state, &mut self.outcomes);
        if self.outcomes.len() > MOST_OUTCOMES {
            return self.arena.push_node(Kind::Seen, 0, 0);
        }
        let node = self.arena.push_node(Kind::Chance, 0, 0);
        for &(outcome, probability) in &self.outcomes {
            self.arena.push_edge(outcome, probability);
        }
        node
    }

    /// Picks a slot of a menu where others choose in secret.
    pub(super) fn draw(&mut self, node: u32, stream: &mut Stream) -> u32 {
        regret::draw(&mut self.arena, node, stream, &mut self.parts)
    }

    /// Writes the payoffs of an iteration to every choice on its path.
    #[inline]
    pub(super) fn back_up(&mut self, payoffs: &Payoffs) {
        self.bounds.see(payoffs);
        self.visits += 1;
        let mut at = 0;
        while at < self.path.len() {
            let step = self.path[at];
            if step.cell != NONE || step.mixed {
                at += self.back_up_mixed(at, payoffs);
                continue;
            }
            self.count(step, payoffs);
            at += 1;
        }
        if let Some(step) = self.path.iter().find(|step| step.node == self.own) {
            let (visits, sums) = &mut self.root_sums[step.slot as usize];
            *visits += 1;
            for (sum, payoff) in sums.iter_mut().zip(payoffs) {
                *sum += payoff;
            }
        }
    }

    #[inline]
    fn count(&mut self, step: Step, payoffs: &Payoffs) {
        let head = &mut self.arena.nodes[step.node as usize];
        head.visits += 1;
        let edge = &mut self.arena.edges[(head.first + step.slot) as usize];
        edge.visits += 1;
        edge.root = (1.0 / edge.visits as f64).sqrt();
        if head.kind != Kind::Chance {
            edge.sum += payoffs[head.seat as usize];
        }
    }

    /// The steps of one joint choice, or one step of regret matching; gives how many they were.
    fn back_up_mixed(&mut self, at: usize, payoffs: &Payoffs) -> usize {
        let cell = self.path[at].cell;
        let together = match cell {
            NONE => 1,
            _ => self.arena.nodes[self.path[at].node as usize].together as usize,
        };
        for place in 0..together {
            let step = self.path[at + place];
            if step.mixed {
                self.learn(at, together, place, payoffs);
            }
        }
        for place in 0..together {
            self.count(self.path[at + place], payoffs);
        }
        if cell != NONE {
            let cell = &mut self.arena.cells[cell as usize];
            cell.visits += 1;
            for (sum, payoff) in cell.sums.iter_mut().zip(payoffs) {
                *sum += payoff;
            }
        }
        together
    }

    fn learn(&mut self, at: usize, together: usize, place: usize, payoffs: &Payoffs) {
        let step = self.path[at + place];
        let (first, seat) = (self.path[at].node, self.arena.nodes[step.node as usize].seat as usize);
        let mut slots = [0; MAX_SEATS];
        for (slot, step) in slots.iter_mut().zip(&self.path[at..at + together]) {
            *slot = step.slot;
        }
        let with_cells = step.cell != NONE;
        let baseline = |arena: &Arena<G::Action>, slot: usize| {
            let mut slots = slots;
            slots[place] = slot as u32;
            let key = cell_key(first, &slots[..together]);
            match arena.table.get(&key).filter(|_| with_cells).map(|&cell| arena.cells[cell as usize]) {
                Some(cell) if cell.visits > 0 => cell.sums[seat] / cell.visits as f64,
                _ => arena.edges_of(step.node)[slot].mean(),
            }
        };
        let (arena, parts, estimates) = (&mut self.arena, &mut self.parts, &mut self.estimates);
        regret::learn(arena, step.node, step.slot, payoffs[seat], baseline, parts, estimates);
    }

    /// The link of a step.
    pub(super) fn link(&mut self, step: Step) -> &mut Link {
        match step.cell {
            NONE => {
                let first = self.arena.nodes[step.node as usize].first;
                &mut self.arena.edges[(first + step.slot) as usize].link
            }
            cell => &mut self.arena.cells[cell as usize].link,
        }
    }
}

/// The key of a joint choice: the first menu's node and everybody's slot.
pub(super) fn cell_key(first: u32, slots: &[u32]) -> u128 {
    slots.iter().fold(first as u128, |key, &slot| key << 16 | (slot & 0xffff) as u128)
}
