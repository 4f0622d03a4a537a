//! The part of a turn in which luck is pushed, as a graph: what can come of rolling on, and where it leads.
//!
//! From the position at hand all states are listed, each once by its search key, as long as
//! [`Heuristics::pushing`] says that luck is being pushed. Where that ends stands a *gate*: the rest of the
//! turn behind it is searched by [`super::rest`]. A state of the next turn is a *leaf*.

use super::rest::Rest;
use super::table::{Places, Values};
use crate::game::{Game, Heuristics, MAX_SEATS, Turn};

/// What happens in a state of the graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Judged as it stands: the turn or the game is over, or there were too many states.
    Leaf,
    /// The turn goes on, but luck is no longer pushed.
    Gate,
    /// Luck decides.
    Chance,
    /// This seat decides.
    Decision(u8),
}

/// A state of the graph.
pub struct Item<G: Game> {
    /// The position.
    pub state: G::State,
    /// What happens in it.
    pub kind: Kind,
    /// Its edges in [`Trunk::edges`].
    pub edges: std::ops::Range<usize>,
    /// What is expected of it.
    pub values: Values,
    /// Whether [`Item::values`] is what a search without limits would find.
    pub exact: bool,
    /// The probability of coming here if all decisions lead here (more than 1 where several ways do).
    pub reach: f64,
}

/// A step from one state to the next.
#[derive(Clone, Copy)]
pub struct Edge<A> {
    /// The action or outcome.
    pub action: A,
    /// Its probability; 1 for a decision.
    pub probability: f64,
    /// Index of the state.
    pub to: u32,
}

/// The graph. The root is item 0.
pub struct Trunk<G: Game> {
    /// All states, in the order in which they were found.
    pub items: Vec<Item<G>>,
    /// All steps, those of a state together.
    pub edges: Vec<Edge<G::Action>>,
    /// Items in an order in which every step leads forward.
    pub order: Vec<u32>,
    /// States whose options were looked at.
    pub expanded: u64,
    places: Places,
    waiting: Vec<u32>,
    actions: Vec<G::Action>,
    chances: Vec<(G::Action, f64)>,
}

impl<G: Heuristics> Trunk<G> {
    /// An empty one.
    pub fn new() -> Trunk<G> {
        Trunk {
            items: Vec::new(),
            edges: Vec::new(),
            order: Vec::new(),
            expanded: 0,
            places: Places::default(),
            waiting: Vec::new(),
            actions: Vec::new(),
            chances: Vec::new(),
        }
    }

    /// Builds the graph from `root`, a decision; looks at the options of at most `most` states (at least one).
    pub fn build(&mut self, game: &G, rest: &Rest<G>, root: &G::State, most: u64) {
        self.items.clear();
        self.edges.clear();
        self.places.clear();
        self.expanded = 0;
        self.add(game, rest, root.clone());
        // The root is looked into whatever it is.
        self.items[0].kind = kind(game, root);
        let mut next = 0;
        while next < self.items.len() {
            if matches!(self.items[next].kind, Kind::Chance | Kind::Decision(_)) {
                if self.expanded < most.max(1) {
                    self.expanded += 1;
                    self.expand(game, rest, next);
                } else {
                    self.judge(game, rest, next, false);
                }
            }
            next += 1;
        }
        self.sort(game, rest);
    }

    fn judge(&mut self, game: &G, rest: &Rest<G>, index: usize, exact: bool) {
        let item = &mut self.items[index];
        item.kind = Kind::Leaf;
        item.values = rest.value(game, &item.state);
        item.exact = exact;
    }

    fn expand(&mut self, game: &G, rest: &Rest<G>, index: usize) {
        let state = self.items[index].state.clone();
        let first = self.edges.len();
        match game.turn(&state) {
            Turn::Chance(_) => {
                let mut outcomes = std::mem::take(&mut self.chances);
                game.chance(&state, &mut outcomes);
                for &(action, probability) in &outcomes {
                    self.step(game, rest, &state, action, probability);
                }
                self.chances = outcomes;
            }
            Turn::Decision(seat) => {
                let mut actions = std::mem::take(&mut self.actions);
                game.actions(&state, seat, &mut actions);
                game.prune(&state, &mut actions);
                for &action in &actions {
                    self.step(game, rest, &state, action, 1.0);
                }
                self.actions = actions;
            }
            Turn::Simultaneous(_) | Turn::Over => unreachable!("it has no steps"),
        }
        self.items[index].edges = first..self.edges.len();
    }

    fn step(&mut self, game: &G, rest: &Rest<G>, state: &G::State, action: G::Action, probability: f64) {
        let mut child = state.clone();
        game.apply(&mut child, action);
        let to = self.add(game, rest, child);
        self.edges.push(Edge { action, probability, to });
    }

    fn add(&mut self, game: &G, rest: &Rest<G>, state: G::State) -> u32 {
        let next = self.items.len() as u32;
        let inside = rest.in_turn(game, &state);
        if inside {
            let place = *self.places.entry(game.search_key(&state)).or_insert(next);
            if place != next {
                return place;
            }
        }
        let kind = match kind(game, &state) {
            _ if !inside => Kind::Leaf,
            Kind::Chance | Kind::Decision(_) if !game.pushing(&state) => Kind::Gate,
            kind => kind,
        };
        let (values, reach) = ([0.0; MAX_SEATS], 0.0);
        self.items.push(Item { state, kind, edges: 0..0, values, exact: true, reach });
        if kind == Kind::Leaf {
            self.judge(game, rest, next as usize, true);
        }
        next
    }

    /// Puts the items in order (Kahn 1962) and finds how likely each is reached. What lies on a circle is
    /// judged as it stands.
    fn sort(&mut self, game: &G, rest: &Rest<G>) {
        self.order.clear();
        self.waiting.clear();
        self.waiting.resize(self.items.len(), 0);
        for edge in &self.edges {
            self.waiting[edge.to as usize] += 1;
        }
        self.items[0].reach = 1.0;
        // A circle may lead back to the root; it comes first all the same.
        self.waiting[0] = 0;
        self.order.push(0);
        let mut next = 0;
        while next < self.order.len() {
            let index = self.order[next] as usize;
            let reach = self.items[index].reach;
            for edge in &self.edges[self.items[index].edges.clone()] {
                let to = edge.to as usize;
                if to == 0 {
                    continue;
                }
                self.items[to].reach += reach * edge.probability;
                self.waiting[to] -= 1;
                if self.waiting[to] == 0 {
                    self.order.push(edge.to);
                }
            }
            next += 1;
        }
        for index in 0..self.items.len() {
            if self.waiting[index] > 0 {
                self.judge(game, rest, index, false);
            }
        }
    }

    /// Works out what each state is worth from what it leads to, last first. Gates must have their values.
    pub fn induce(&mut self) {
        for place in (0..self.order.len()).rev() {
            let index = self.order[place] as usize;
            let (kind, edges) = (self.items[index].kind, self.items[index].edges.clone());
            let mut values;
            let mut exact = true;
            match kind {
                Kind::Leaf | Kind::Gate => continue,
                Kind::Chance => {
                    values = [0.0; MAX_SEATS];
                    for edge in &self.edges[edges] {
                        let item = &self.items[edge.to as usize];
                        exact &= item.exact;
                        for (sum, value) in values.iter_mut().zip(item.values) {
                            *sum += edge.probability * value;
                        }
                    }
                }
                Kind::Decision(mover) => {
                    values = [f64::NEG_INFINITY; MAX_SEATS];
                    for edge in &self.edges[edges] {
                        let item = &self.items[edge.to as usize];
                        exact &= item.exact;
                        if item.values[mover as usize] > values[mover as usize] {
                            values = item.values;
                        }
                    }
                }
            }
            self.items[index].values = values;
            self.items[index].exact = exact;
        }
    }

    /// The steps of an item.
    pub fn steps(&self, index: usize) -> &[Edge<G::Action>] {
        &self.edges[self.items[index].edges.clone()]
    }

    /// The best step of a decision, the first of equals; nearer than `tie` is equal.
    pub fn best_step(&self, index: usize, mover: usize, tie: f64) -> Edge<G::Action> {
        let steps = self.steps(index);
        let mut best = steps[0];
        for &step in &steps[1..] {
            let worth = |edge: Edge<G::Action>| self.items[edge.to as usize].values[mover];
            if worth(step) > worth(best) + tie {
                best = step;
            }
        }
        best
    }
}

impl<G: Heuristics> Default for Trunk<G> {
    fn default() -> Trunk<G> {
        Trunk::new()
    }
}

/// What happens in a state of this turn, whether luck is pushed or not.
fn kind<G: Game>(game: &G, state: &G::State) -> Kind {
    match game.turn(state) {
        Turn::Chance(_) => Kind::Chance,
        Turn::Decision(seat) => Kind::Decision(seat.index() as u8),
        Turn::Simultaneous(_) | Turn::Over => Kind::Leaf,
    }
}
