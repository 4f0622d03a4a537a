//! Monte Carlo tree search: what [`super::mcts`] and [`super::flat`] are made of. One idea a file.
//!
//! [`options`]: parameters. [`arena`]: nodes and edges. `select` and `regret`: which action to try.
//! [`playout`]: from a leaf to payoffs. [`tree`]: a tree; `closed` and `keyed`: its two kinds of
//! iteration; `proof`: exact values; `reuse`: what the next decision keeps. [`Search`], here, spends a
//! budget on one decision and sums up the root.

pub mod arena;
mod closed;
mod keyed;
pub mod options;
pub mod playout;
mod proof;
mod regret;
mod reuse;
mod select;
pub mod tree;

use std::time::Instant;

use arena::{Kind, Payoffs, Target};
use options::{Budget, Mixing, Options};
use regret::pick;
use tree::Tree;

use crate::game::{Game, Heuristics, MAX_SEATS, Seat, Turn};
use crate::streams::Stream;

/// What a search found out about one action at the root.
#[derive(Clone, Copy, Debug)]
pub struct Line<A> {
    /// The action.
    pub action: A,
    /// How often it was tried, kept visits included.
    pub visits: u64,
    /// Mean payoff of the deciding seat.
    pub mean: f64,
    /// Mean payoffs of all seats over this decision's own iterations.
    pub means: Payoffs,
    /// Whether `mean` is exact.
    pub proven: bool,
    /// Share of the average strategy, where regret matching chose; else 0.
    pub strategy: f64,
    fresh: u64,
}

/// Searches one seat's decisions.
pub struct Search<G: Game> {
    options: Options,
    budget: Budget,
    reuse: bool,
    trees: Vec<Tree<G>>,
    lines: Vec<Line<G::Action>>,
    chosen: Option<G::Action>,
    mixed: bool,
}

impl<G: Heuristics> Search<G> {
    /// A search over `trees` trees, grown one after another.
    pub fn new(options: Options, budget: Budget, trees: usize, reuse: bool) -> Search<G> {
        let trees = (0..trees).map(|_| Tree::new(options)).collect();
        Search { options, budget, reuse, trees, lines: Vec::new(), chosen: None, mixed: false }
    }

    /// Forgets everything; keeps the room.
    pub fn clear(&mut self) {
        self.chosen = None;
        self.trees.iter_mut().for_each(Tree::clear);
    }

    /// Says which action was chosen after the last search: what the next one may keep lies below it.
    pub fn chose(&mut self, action: G::Action) {
        self.chosen = Some(action);
    }

    /// What the last search found, in the order in which the game lists the actions.
    pub fn lines(&self) -> &[Line<G::Action>] {
        &self.lines
    }

    /// Whether the last search was of a choice to be drawn from the average strategy.
    pub fn mixed(&self) -> bool {
        self.mixed
    }

    /// Iterations at the root: all, and how many of them were kept from the decision before.
    pub fn visits(&self) -> (u64, u64) {
        let sum = |count: fn(&Tree<G>) -> u64| self.trees.iter().map(count).sum();
        (sum(|tree| tree.visits), sum(|tree| tree.kept))
    }

    /// Nodes, and bytes that they and their edges take.
    pub fn size(&self) -> (usize, usize) {
        (self.trees.iter().map(Tree::nodes).sum(), self.trees.iter().map(Tree::bytes).sum())
    }

    /// Spends the budget on the decision of `seat` in `state`. `state` is not changed; where something is
    /// hidden, it is a sample of what `seat` knows.
    pub fn run(&mut self, game: &G, state: &G::State, seat: Seat, stream: &mut Stream) {
        let keyed = game.has_hidden() || self.options.open_loop;
        let chosen = self.chosen.take();
        let started = Instant::now();
        let trees = self.trees.len() as u64;
        for at in 0..self.trees.len() {
            let tree = &mut self.trees[at];
            let kept = !keyed && self.reuse && chosen.is_some_and(|chosen| tree.keep(game, chosen, state));
            if !kept {
                tree.clear();
            }
            let share = match self.budget {
                Budget::Iterations(count) => {
                    Budget::Iterations(count / trees + u64::from((at as u64) < count % trees))
                }
                Budget::Time(time) => Budget::Time(time * (at as u32 + 1) / trees as u32),
            };
            if share == Budget::Iterations(0) {
                tree.clear();
                continue;
            }
            tree.begin(game, state, seat, kept, keyed, stream);
            tree.grow(game, state, seat, keyed, share, started, stream);
            if self.reuse && !keyed {
                match &mut tree.root_state {
                    Some(kept) => kept.clone_from(state),
                    empty => *empty = Some(state.clone()),
                }
            }
        }
        let secret = match game.turn(state) {
            Turn::Simultaneous(seats) => seats.len() > 1 || game.has_hidden(),
            _ => game.has_hidden(),
        };
        self.mixed = secret && self.options.mixing == Mixing::Regret;
        self.sum_up(game, state, seat);
    }

    /// Sums up the root over all trees.
    fn sum_up(&mut self, game: &G, state: &G::State, seat: Seat) {
        let first = &mut self.trees[0];
        game.actions(state, seat, &mut first.actions);
        self.lines.clear();
        for &action in &first.actions {
            let line = Line {
                action,
                visits: 0,
                mean: 0.0,
                means: [0.0; MAX_SEATS],
                proven: false,
                strategy: 0.0,
                fresh: 0,
            };
            self.lines.push(line);
        }
        for tree in self.trees.iter().filter(|tree| tree.own != tree::NONE) {
            let head = tree.arena.nodes[tree.own as usize];
            for (slot, edge) in tree.arena.edges_of(tree.own).iter().enumerate() {
                // In an open loop a menu also holds what is not legal at the root.
                let action = tree.arena.action(tree.own, slot as u32);
                let Some(line) = self.lines.iter_mut().find(|line| line.action == action) else {
                    continue;
                };
                line.visits += edge.visits as u64;
                line.mean += edge.sum;
                if self.mixed {
                    line.strategy += tree.arena.mixes[head.first as usize + slot].strategy;
                }
                let (fresh, sums) = tree.root_sums[slot];
                line.fresh += fresh as u64;
                for (mean, sum) in line.means.iter_mut().zip(sums) {
                    *mean += sum;
                }
            }
        }
        let strategies: f64 = self.lines.iter().map(|line| line.strategy).sum();
        for line in &mut self.lines {
            line.mean /= line.visits.max(1) as f64;
            line.means = line.means.map(|sum| sum / line.fresh.max(1) as f64);
            line.strategy /= strategies.max(f64::MIN_POSITIVE);
        }
        // One tree's proof is as good as all.
        for tree in self.trees.iter().filter(|tree| tree.own != tree::NONE) {
            let edges = tree.arena.edges_of(tree.own).iter().zip(tree.arena.actions_of(tree.own));
            for (edge, &action) in edges {
                if let Target::Proven(proof) = edge.link.target()
                    && let Some(line) = self.lines.iter_mut().find(|line| line.action == action)
                {
                    line.means = tree.arena.proofs[proof as usize];
                    (line.mean, line.proven) = (line.means[seat.index()], true);
                }
            }
        }
    }

    /// The action that the last search recommends: the most visited or, with `by_value`, the best mean of those
    /// that are exact or were tried a tenth as often as the most visited (a mean of few visits is noise). With
    /// regret matching it is drawn from the average strategy.
    pub fn recommend(&self, by_value: bool, stream: &mut Stream) -> G::Action {
        let lines = &self.lines;
        if self.mixed && lines.iter().any(|line| line.strategy > 0.0) {
            return lines[pick(lines.iter().map(|line| line.strategy), stream.unit()) as usize].action;
        }
        let known = lines.iter().filter(|line| line.visits > 0);
        let most = known
            .clone()
            .max_by(|left, right| left.visits.cmp(&right.visits).then(left.mean.total_cmp(&right.mean)));
        let Some(most) = most else {
            return lines[0].action;
        };
        let trusted = known.filter(|line| line.proven || 10 * line.visits >= most.visits);
        let best = trusted.max_by(|left, right| left.mean.total_cmp(&right.mean)).unwrap_or(most);
        // Visits say nothing against an exact value, which may have come late.
        let trust_value = by_value || most.proven || (best.proven && best.mean > most.mean);
        if trust_value { best.action } else { most.action }
    }
}

impl<G: Heuristics> Tree<G> {
    /// Prepares the root.
    fn begin(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
        kept: bool,
        keyed: bool,
        stream: &mut Stream,
    ) {
        self.own = 0;
        if keyed {
            // The kind of the menu decides whether it is pruned.
            let kind = match game.turn(state) {
                Turn::Simultaneous(seats) if seats.len() > 1 => Kind::Together,
                _ => Kind::Decision,
            };
            let key = self.menu_key(game, state, seat, 0);
            self.own = self.add_menu(game, state, seat, kind, 0, stream);
            self.arena.enter(key, self.own);
        } else {
            if !kept {
                self.expand(game, state, stream).expect("somebody decides at the root");
            }
            if let Turn::Simultaneous(seats) = game.turn(state) {
                self.own = seats.iter().position(|other| other == seat).unwrap_or(0) as u32;
            }
        }
        let slots = self.arena.nodes[self.own as usize].len as usize;
        self.root_sums.clear();
        self.root_sums.resize(slots, (0, [0.0; MAX_SEATS]));
    }

    #[expect(clippy::too_many_arguments, reason = "what a search needs")]
    fn grow(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
        keyed: bool,
        budget: Budget,
        started: Instant,
        stream: &mut Stream,
    ) {
        let mut scratch = state.clone();
        let mut sample = game.has_hidden().then(|| state.clone());
        let mut done = 0;
        loop {
            let over = match budget {
                Budget::Iterations(count) => done == count,
                Budget::Time(time) => done > 0 && started.elapsed() >= time,
            };
            if over {
                return;
            }
            match &mut sample {
                None => scratch.clone_from(state),
                Some(sample) if self.options.public => {
                    // The searching seat's own eyes first: a budget of one is then spent on its own menu.
                    let observer = (seat.index() as u64 + done) % game.seats() as u64;
                    game.resample_hidden(sample, Seat::new(observer as usize), stream);
                    scratch.clone_from(sample);
                }
                Some(_) => {
                    scratch.clone_from(state);
                    game.resample_hidden(&mut scratch, seat, stream);
                }
            }
            if keyed {
                self.keyed_iteration(game, &mut scratch, stream);
            } else {
                self.closed_iteration(game, &mut scratch, stream);
            }
            done += 1;
        }
    }
}
