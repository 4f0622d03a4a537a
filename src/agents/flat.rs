//! `flat`: flat Monte Carlo with sequential halving (Karnin, Koren & Somekh 2013): playouts after each
//! action, the better half of the actions goes on to the next round. No tree: the rival that `mcts` must beat.
//!
//! What it would play with which probability is not known exactly, so there is no [`Agent::policy`].

use super::parameters::Settings;
use super::registry::Entry;
use super::search::arena::Payoffs;
use super::search::options::{self, Playout};
use super::search::playout::Playouts;
use super::{Agent, Explanation};
use crate::game::{Game, Heuristics, MAX_SEATS, Seat, Turn};
use crate::streams::Stream;

/// What [`super::registry`] shows.
pub const ENTRY: Entry = Entry {
    name: "flat",
    summary: "playouts after each action; the better half goes on to the next round",
    parameters: &[options::ITERATIONS, options::PLAYOUT, options::CUT, options::DEPTH, options::PRUNE],
};

/// All that is a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Config {
    /// Playouts of a decision, exactly.
    pub iterations: u64,
    /// The playout.
    pub playout: Playout,
    /// Whether dominated actions are dropped.
    pub prune: bool,
}

impl Config {
    /// Of resolved parameters.
    pub fn from_settings(settings: Settings<'_>) -> Config {
        Config {
            iterations: settings.whole("iterations") as u64,
            playout: Playout::from_settings(settings),
            prune: settings.flag("prune"),
        }
    }
}

/// An action, how often it was tried, and what everybody got in sum.
#[derive(Clone, Copy, Debug)]
pub struct Arm<A> {
    /// The action.
    pub action: A,
    /// Playouts after it.
    pub visits: u64,
    /// Payoffs of all seats, summed.
    pub sums: Payoffs,
}

impl<A> Arm<A> {
    /// Mean payoff of a seat; below everything before the first playout.
    pub fn mean(&self, seat: Seat) -> f64 {
        if self.visits == 0 { f64::NEG_INFINITY } else { self.sums[seat.index()] / self.visits as f64 }
    }
}

/// A flat searcher.
pub struct Flat<G: Game> {
    config: Config,
    arms: Vec<Arm<G::Action>>,
    playouts: Playouts<G>,
    actions: Vec<G::Action>,
    others: Vec<G::Action>,
    joint: Vec<G::Action>,
}

impl<G: Heuristics> Flat<G> {
    /// One that searches as `config` says.
    pub fn new(config: Config) -> Flat<G> {
        let playouts = Playouts::new(config.playout);
        let (actions, others, joint) = (Vec::new(), Vec::new(), Vec::new());
        Flat { config, arms: Vec::new(), playouts, actions, others, joint }
    }

    /// The actions of the last search, the best first; those that were dropped follow in the order in which
    /// they were better.
    pub fn arms(&self) -> &[Arm<G::Action>] {
        &self.arms
    }

    fn list(&mut self, game: &G, state: &G::State, seat: Seat) {
        game.actions(state, seat, &mut self.actions);
        if self.config.prune && matches!(game.turn(state), Turn::Decision(_)) {
            game.prune(state, &mut self.actions);
            if self.actions.is_empty() {
                game.actions(state, seat, &mut self.actions);
            }
        }
    }

    /// Spends the budget on `actions`.
    fn search(&mut self, game: &G, state: &G::State, seat: Seat, stream: &mut Stream) {
        let arm = |&action: &G::Action| Arm { action, visits: 0, sums: [0.0; MAX_SEATS] };
        self.arms.clear();
        self.arms.extend(self.actions.iter().map(arm));
        stream.shuffle(&mut self.arms);
        let mut scratch = state.clone();
        let mut left = self.config.iterations;
        let mut going = self.arms.len();
        while left > 0 {
            // Rounds still to come, this one included; the last one has two arms and spends what is left.
            let rounds = going.next_power_of_two().trailing_zeros().max(1) as u64;
            let share = left / rounds;
            let share = if share < going as u64 { left.min(going as u64) } else { share };
            for turn in 0..share {
                let at = (turn % going as u64) as usize;
                self.playout(game, state, &mut scratch, seat, at, stream);
            }
            left -= share;
            // Stable: equal arms keep their random order.
            insertion_sort(&mut self.arms[..going], seat);
            going = going.div_ceil(2).max(2).min(going);
        }
    }

    fn playout(
        &mut self,
        game: &G,
        state: &G::State,
        scratch: &mut G::State,
        seat: Seat,
        at: usize,
        stream: &mut Stream,
    ) {
        scratch.clone_from(state);
        if game.has_hidden() {
            game.resample_hidden(scratch, seat, stream);
        }
        let before = self.playouts.turn_before(game, scratch);
        let action = self.arms[at].action;
        match game.turn(scratch) {
            Turn::Simultaneous(seats) => {
                self.joint.clear();
                for other in seats.iter() {
                    let choice = match other == seat {
                        true => action,
                        false => game.random_action(scratch, other, stream, &mut self.others),
                    };
                    self.joint.push(choice);
                }
                game.apply_together(scratch, &self.joint);
            }
            _ => game.apply(scratch, action),
        }
        let payoffs = self.playouts.run(game, scratch, before, stream);
        let arm = &mut self.arms[at];
        arm.visits += 1;
        for (sum, payoff) in arm.sums.iter_mut().zip(payoffs) {
            *sum += payoff;
        }
    }
}

/// Sorts by mean, the best first, without allocation.
fn insertion_sort<A>(arms: &mut [Arm<A>], seat: Seat) {
    for end in 1..arms.len() {
        let mut at = end;
        while at > 0 && arms[at - 1].mean(seat) < arms[at].mean(seat) {
            arms.swap(at - 1, at);
            at -= 1;
        }
    }
}

impl<G: Heuristics> Agent<G> for Flat<G> {
    fn choose(&mut self, game: &G, state: &G::State, seat: Seat, stream: &mut Stream) -> G::Action {
        self.list(game, state, seat);
        if let [only] = self.actions[..] {
            return only;
        }
        self.search(game, state, seat, stream);
        self.arms[0].action
    }

    fn explain(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
        luck: &mut Stream,
    ) -> Option<Explanation<G::Action>> {
        self.list(game, state, seat);
        self.search(game, state, seat, luck);
        let tried = || self.arms.iter().filter(|arm| arm.visits > 0);
        let mut remarks = vec![format!("{} playouts with luck of their own", self.config.iterations)];
        remarks.extend(tried().map(|arm| {
            let means: Vec<String> =
                Seat::all(game.seats()).map(|seat| format!("{:.3}", arm.mean(seat))).collect();
            format!("{}: {} playouts, mean of each seat {}", arm.action, arm.visits, means.join(" / "))
        }));
        let options = tried().map(|arm| (arm.action, arm.mean(seat))).collect();
        Some(Explanation { measure: "mean payoff of playouts, longest in the race first", options, remarks })
    }
}
