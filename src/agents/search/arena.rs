//! The arena: nodes and edges of a search tree in two flat vectors, children of a node side by side.
//!
//! Nothing is freed during a search, and [`Arena::clear`] keeps the room, so that a search of the same size
//! allocates nothing. A node takes 20 bytes, an edge 24 bytes and its action, each of its own vector; a cell of a
//! simultaneous node 64 bytes and its entry in the table.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::ops::Range;

use crate::game::MAX_SEATS;

/// A payoff for each seat; those beyond the table are 0.
pub type Payoffs = [f64; MAX_SEATS];

/// A tree stops growing (and is searched on as it is) when it has so many edges.
const MAX_EDGES: usize = 1 << 25;

/// Where an edge leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Link(u32);

/// A [`Link`] taken apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// No node yet.
    New,
    /// A node.
    Node(u32),
    /// A subtree whose value is known exactly: an index into [`Arena::proofs`].
    Proven(u32),
}

impl Link {
    /// To no node yet.
    pub const NEW: Link = Link(Link::PROVEN - 1);
    const PROVEN: u32 = 1 << 31;

    /// To a node.
    #[inline]
    pub fn node(index: u32) -> Link {
        Link(index)
    }

    /// To a proven value.
    pub fn proven(index: u32) -> Link {
        Link(index | Link::PROVEN)
    }

    /// Whether it is proven.
    #[inline]
    pub fn is_proven(self) -> bool {
        self.0 & Link::PROVEN != 0
    }

    /// Where it leads.
    #[inline]
    pub fn target(self) -> Target {
        match self {
            Link::NEW => Target::New,
            Link(index) if index & Link::PROVEN != 0 => Target::Proven(index & !Link::PROVEN),
            Link(index) => Target::Node(index),
        }
    }
}

/// What happens at a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The node's seat decides.
    Decision,
    /// The node is one seat's menu among several that choose at once; theirs are the nodes next to it.
    Together,
    /// Luck, all of whose outcomes are edges; their `sum` holds the probability.
    Chance,
    /// Luck with too many outcomes: edges are those that were seen.
    Seen,
}

/// A menu of one seat, or luck.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// Index of its first edge.
    pub first: u32,
    /// How many edges.
    pub len: u32,
    /// How often an edge of it was taken.
    pub visits: u32,
    /// What happens here.
    pub kind: Kind,
    /// Who decides (the owner of nothing at luck: 0).
    pub seat: u8,
    /// For [`Kind::Together`]: how many menus stand here, this one and those after it.
    pub together: u8,
}

impl Node {
    /// Where its edges stand.
    #[inline]
    pub fn range(&self) -> Range<usize> {
        self.first as usize..(self.first + self.len) as usize
    }
}

/// What came of an action (or outcome) at a node. The action itself and its weight stand beside it, in vectors of
/// their own: choosing looks at all edges, but at one action.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// Sum of the payoffs to the node's seat; for [`Kind::Chance`] the probability.
    pub sum: f64,
    /// The root of 1 / visits, 0 when never taken: what choosing needs of them.
    pub root: f64,
    /// How often it was taken.
    pub visits: u32,
    /// Where it leads.
    pub link: Link,
}

impl Edge {
    /// Never taken.
    fn new(sum: f64) -> Edge {
        Edge { sum, root: 0.0, visits: 0, link: Link::NEW }
    }

    /// Mean payoff to the node's seat; 0 when never taken.
    pub fn mean(&self) -> f64 {
        if self.visits == 0 { 0.0 } else { self.sum / self.visits as f64 }
    }
}

/// Regret matching at an edge.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mix {
    /// Regret so far, at least 0.
    pub regret: f64,
    /// Weighted sum of the strategies played.
    pub strategy: f64,
}

/// A joint choice at a simultaneous node.
#[derive(Clone, Copy, Debug)]
pub struct Cell {
    /// Sums of payoffs, a seat each.
    pub sums: Payoffs,
    /// How often it was met.
    pub visits: u32,
    /// Where it leads.
    pub link: Link,
}

/// Keys are mixed here, since some are packed fields. The table is only looked up, never walked.
#[derive(Clone, Copy, Default, Debug)]
pub struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ byte as u64).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    fn write_u128(&mut self, key: u128) {
        let mixed = (key as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (key >> 64) as u64;
        let mixed = (mixed ^ mixed >> 32).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        self.0 = mixed ^ mixed >> 29;
    }
    fn finish(&self) -> u64 {
        self.0
    }
}

/// A table from 128-bit keys to indices.
pub type Table = HashMap<u128, u32, BuildHasherDefault<KeyHasher>>;

/// Nodes, edges and what hangs on them.
#[derive(Debug)]
pub struct Arena<A> {
    /// Nodes; the first is the root (the first menu of it).
    pub nodes: Vec<Node>,
    /// For how many edges each node has room. Seldom asked, so not in the nodes: 16 bytes each, they lie in one line
    /// of a cache each (4 % of the time of a large search).
    rooms: Vec<u32>,
    /// Edges; those of a node are neighbours.
    pub edges: Vec<Edge>,
    /// The action of each edge.
    pub actions: Vec<A>,
    /// Weight of each edge before any search, adding to 1 over a node; empty as long as none was asked for.
    weights: Vec<f32>,
    /// Beside each edge, once regret matching is in use; else empty.
    pub mixes: Vec<Mix>,
    /// Exact values, shared by many edges.
    pub proofs: Vec<Payoffs>,
    /// Joint choices.
    pub cells: Vec<Cell>,
    /// Finds a cell by node and choices, a slot by node and action where there are many, or a node by its key.
    pub table: Table,
    /// Whether `mixes` is kept.
    pub mixing: bool,
}

impl<A: Copy + PartialEq> Arena<A> {
    /// One without nodes.
    pub fn empty() -> Arena<A> {
        Arena {
            nodes: Vec::new(),
            rooms: Vec::new(),
            edges: Vec::new(),
            actions: Vec::new(),
            weights: Vec::new(),
            mixes: Vec::new(),
            proofs: Vec::new(),
            cells: Vec::new(),
            table: Table::default(),
            mixing: false,
        }
    }

    /// Empties it and keeps the room.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.rooms.clear();
        self.edges.clear();
        self.actions.clear();
        self.weights.clear();
        self.mixes.clear();
        self.proofs.clear();
        self.cells.clear();
        self.table.clear();
        self.mixing = false;
    }

    /// Keeps `mixes` from now on. Not before somebody chooses in secret: where nobody does, they would be two
    /// fifths of the tree, and a large tree is as slow as its memory.
    pub fn mix(&mut self) {
        if !self.mixing {
            self.mixing = true;
            self.mixes.resize(self.edges.len(), Mix::default());
        }
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        fn size<T>(vector: &[T]) -> usize {
            std::mem::size_of_val(vector)
        }
        let table = self.table.len() * std::mem::size_of::<(u128, u32)>();
        let edges = size(&self.edges) + size(&self.actions) + size(&self.weights);
        size(&self.nodes) + size(&self.rooms) + edges + size(&self.mixes) + size(&self.cells) + table
    }

    /// Whether no more nodes may be added.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.edges.len() >= MAX_EDGES
    }

    /// The edges of a node.
    #[inline]
    pub fn edges_of(&self, node: u32) -> &[Edge] {
        &self.edges[self.nodes[node as usize].range()]
    }

    /// The actions of a node, a slot each.
    #[inline]
    pub fn actions_of(&self, node: u32) -> &[A] {
        &self.actions[self.nodes[node as usize].range()]
    }

    /// The action of an edge.
    #[inline]
    pub fn action(&self, node: u32, slot: u32) -> A {
        self.actions[(self.nodes[node as usize].first + slot) as usize]
    }

    /// The weights of a node's edges; none if none was ever asked for: they then are all 0.
    pub fn weights_of(&self, head: &Node) -> &[f32] {
        if self.weights.is_empty() { &[] } else { &self.weights[head.range()] }
    }

    /// Sets the weight of the newest edge.
    pub fn weigh(&mut self, weight: f32) {
        self.weights.resize(self.edges.len(), 0.0);
        *self.weights.last_mut().expect("an edge was pushed") = weight;
    }

    /// Adds a node; its edges are then pushed by [`Arena::push_edge`].
    pub fn push_node(&mut self, kind: Kind, seat: u8, together: u8) -> u32 {
        let first = self.edges.len() as u32;
        self.nodes.push(Node { first, len: 0, visits: 0, kind, seat, together });
        self.rooms.push(0);
        self.nodes.len() as u32 - 1
    }

    /// Adds an edge to the newest node.
    #[inline]
    pub fn push_edge(&mut self, action: A, sum: f64) {
        self.edges.push(Edge::new(sum));
        self.actions.push(action);
        if !self.weights.is_empty() {
            self.weights.push(0.0);
        }
        if self.mixing {
            self.mixes.push(Mix::default());
        }
        let head = self.nodes.last_mut().expect("a node was pushed");
        head.len += 1;
        *self.rooms.last_mut().expect("a node was pushed") += 1;
    }

    /// Adds a copy of a node of another tree, and of its edges.
    pub fn copy_node(&mut self, other: &Arena<A>, node: u32) -> u32 {
        let (mut head, room) = (other.nodes[node as usize], other.rooms[node as usize]);
        let range = head.first as usize..(head.first + room) as usize;
        head.first = self.edges.len() as u32;
        self.nodes.push(head);
        self.rooms.push(room);
        self.edges.extend_from_slice(&other.edges[range.clone()]);
        self.actions.extend_from_slice(&other.actions[range.clone()]);
        if !other.weights.is_empty() {
            self.weights.extend_from_slice(&other.weights[range.clone()]);
        }
        if other.mixing {
            self.mixes.extend_from_slice(&other.mixes[range]);
        }
        self.nodes.len() as u32 - 1
    }

    /// The index of an exact value, which is added unless it is among the first few.
    pub fn proof(&mut self, value: Payoffs) -> u32 {
        const FEW: usize = 8;
        match self.proofs.iter().take(FEW).position(|known| *known == value) {
            Some(index) => index as u32,
            None => {
                self.proofs.push(value);
                self.proofs.len() as u32 - 1
            }
        }
    }
}

impl<A: Copy + PartialEq + Hash> Arena<A> {
    /// The slot of `action` at a node whose edges grow, which is added if it is new. Room doubles when it is
    /// used up, so a node's edges may move; slots stay.
    pub fn slot_of(&mut self, node: u32, action: A) -> u32 {
        if let Some(slot) = self.find_slot(node, action) {
            return slot;
        }
        let Node { first, len, .. } = self.nodes[node as usize];
        if len == self.rooms[node as usize] {
            let (first, len) = (first as usize, len as usize);
            let moved = self.edges.len();
            let room = (2 * len).max(4);
            self.edges.extend_from_within(first..first + len);
            self.edges.resize(moved + room, Edge::new(0.0));
            self.actions.extend_from_within(first..first + len);
            self.actions.resize(moved + room, action);
            if !self.weights.is_empty() {
                self.weights.extend_from_within(first..first + len);
                self.weights.resize(moved + room, 0.0);
            }
            if self.mixing {
                self.mixes.extend_from_within(first..first + len);
                self.mixes.resize(moved + room, Mix::default());
            }
            self.nodes[node as usize].first = moved as u32;
            self.rooms[node as usize] = room as u32;
        }
        let head = &mut self.nodes[node as usize];
        let at = (head.first + head.len) as usize;
        head.len += 1;
        self.edges[at] = Edge::new(0.0);
        self.actions[at] = action;
        if self.mixing {
            self.mixes[at] = Mix::default();
        }
        match len + 1 {
            MANY => self.index(node),
            more if more > MANY => _ = self.table.entry(slot_key(node, &action)).or_insert(len),
            _ => {}
        }
        len
    }

    /// A node of luck may have thousands of edges: from the [`MANY`]th on they are found by the table.
    fn find_slot(&self, node: u32, action: A) -> Option<u32> {
        let actions = self.actions_of(node);
        if actions.len() >= MANY as usize {
            let slot = *self.table.get(&slot_key(node, &action))?;
            if actions[slot as usize] == action {
                return Some(slot);
            }
            // Two actions of one hash: the later one is not in the table.
        }
        actions.iter().position(|&other| other == action).map(|slot| slot as u32)
    }

    /// Enters a menu that is found by `key` from now on, and its edges by their actions.
    pub(super) fn enter(&mut self, key: u128, menu: u32) {
        self.table.insert(key, menu);
        if self.nodes[menu as usize].len >= MANY {
            self.index(menu);
        }
    }

    /// Enters all edges of a node into the table.
    pub(super) fn index(&mut self, node: u32) {
        let Node { first, len, .. } = self.nodes[node as usize];
        for slot in 0..len {
            let action = self.actions[(first + slot) as usize];
            self.table.entry(slot_key(node, &action)).or_insert(slot);
        }
    }
}

/// From so many edges on, those of a node whose edges grow are found by the table.
pub(super) const MANY: u32 = 16;

/// The key of an edge. The highest bit tells it from those of joint choices.
fn slot_key<A: Hash>(node: u32, action: &A) -> u128 {
    let mut hasher = siphasher::sip::SipHasher13::new();
    action.hash(&mut hasher);
    1 << 127 | (node as u128) << 64 | hasher.finish() as u128
}
