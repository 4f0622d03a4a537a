//! Exact values where a game is small enough: what each seat gets when all play best, how they play then, and
//! what the best answer to an agent gets.
//!
//! [`solve`] works on games in which everything is public: backward induction over all states, with luck
//! averaged, loops iterated until they stand still, and joint choices of two seats solved as matrix games.
//! Two seats need a constant sum of payoffs for joint choices to have a value. With three or more seats each
//! takes what is best for itself (max^n, Luckhardt & Irani 1986; the first among equals): a subgame-perfect
//! equilibrium, and perhaps one of many. [`solve_hidden`] works on two-seat games of constant sum with hidden
//! information, by the sequence form (Koller, Megiddo & von Stengel 1996).
//!
//! ```
//! use dhow::games::Catalogued;
//! use dhow::games::yardsticks::piglet::{Piglet, Rules};
//! use dhow::solve::{DEFAULT_LIMIT, solve};
//!
//! let game = Piglet::new(Rules { target: 2, turn_cap: 10_000 }, 2)?;
//! let solution = solve(&game, DEFAULT_LIMIT)?;
//! assert!((solution.values()[0] - 4.0 / 7.0).abs() < 1e-9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod backup;
mod by_name;
mod graph;
pub mod hidden;
pub mod matrix;

use crate::agents::Agent;
use crate::game::{Heuristics, Seat};
use backup::{Conduct, Plan, best_plan, values};
pub use by_name::{Found, Row, SolveByNameError, Wanted, solve_by_name};
use graph::{Graph, Kind};
pub use hidden::{HiddenSolution, solve_hidden};

/// States after which a game counts as too large, unless something else is asked.
pub const DEFAULT_LIMIT: usize = 5_000_000;

/// A game that cannot be solved, or an agent that cannot be evaluated.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum SolveError {
    /// Too many states.
    #[error("the game is too large to be solved: {limit} states were seen, and there are more")]
    TooLarge {
        /// States after which was given up.
        limit: usize,
    },
    /// Joint choices without a value.
    #[error(
        "choices made at once have an exact value only between two seats whose payoffs have a constant sum"
    )]
    Together,
    /// Hidden information without a value.
    #[error("hidden information can be solved only between two seats whose payoffs have a constant sum")]
    Hidden,
    /// Hidden information that is not hidden after all.
    #[error("seat {seat} has different actions in states that it should not be able to tell apart")]
    Inconsistent {
        /// Which seat.
        seat: Seat,
    },
    /// A game of hidden information that goes on too long.
    #[error("the game is too large to be solved: it can last more than {limit} events")]
    TooLong {
        /// Events after which was given up.
        limit: usize,
    },
    /// Values that do not settle.
    #[error("the values do not settle: they still move by {moved:e} a round")]
    Unsettled {
        /// The greatest change in the last round.
        moved: f64,
    },
    /// The linear program was not solved.
    #[error("the linear program was not solved: {reason}")]
    Program {
        /// What the solver said.
        reason: String,
    },
    /// An agent that does not say what it would do.
    #[error("agent {agent} cannot say with which probability it takes each action")]
    NoPolicy {
        /// Its name.
        agent: String,
    },
    /// An agent whose policy is none.
    #[error("agent {agent} gives no probabilities of legal actions that add to 1")]
    BadPolicy {
        /// Its name.
        agent: String,
    },
    /// An agent whose choice depends on a sample of what it cannot see.
    #[error(
        "agent {agent} chooses by the sample of hidden information that it is shown: nothing exact is known of it"
    )]
    Sampled {
        /// Its name.
        agent: String,
    },
}

/// One row of a policy: a state and what is done there.
pub struct Choice<'s, G: Heuristics> {
    /// The state.
    pub state: &'s G::State,
    /// Who chooses.
    pub seat: Seat,
    /// Each action with its probability, in the game's order.
    pub actions: Vec<(G::Action, f64)>,
    /// What `seat` gets from here, where that is known by itself.
    pub value: Option<f64>,
}

/// A solved game in which everything is public.
pub struct Solution<G: Heuristics> {
    graph: Graph<G>,
    parts: Vec<Vec<u32>>,
    values: Vec<f64>,
    plan: Plan,
    residual: f64,
    loops: usize,
    start: Vec<f64>,
}

/// Solves a game in which everything is public.
///
/// # Errors
/// [`SolveError`] beyond `limit` states, or where the game has no exact value of this kind.
pub fn solve<G: Heuristics>(game: &G, limit: usize) -> Result<Solution<G>, SolveError> {
    if game.has_hidden() {
        return Err(SolveError::Hidden);
    }
    let graph = Graph::explore(game, limit)?;
    let parts = graph.parts();
    // Loops begin with what play without end is worth at most tables: an even share.
    let ends = (0..graph.states.len()).filter(|&node| graph.kinds[node] == Kind::Over);
    let (mut count, mut start) = (0.0, vec![0.0; graph.seats]);
    for node in ends {
        count += 1.0;
        start.iter_mut().zip(&graph.payoffs[node * graph.seats..]).for_each(|(sum, payoff)| *sum += payoff);
    }
    let even = start.iter().sum::<f64>() / (count * graph.seats as f64);
    start.fill(if even.is_finite() { even } else { 0.0 });
    let conduct = vec![Conduct::Best; graph.seats];
    let backup = values(&graph, &parts, &conduct, &start)?;
    let plan = best_plan(&graph, &backup.values);
    let (values, residual, loops) = (backup.values, backup.residual, backup.loops);
    Ok(Solution { graph, parts, values, plan, residual, loops, start })
}

/// What comes of an agent, exactly.
#[derive(Clone, PartialEq, Debug)]
pub struct Against {
    /// What each seat gets when the agent plays in all seats.
    pub agent: Vec<f64>,
    /// What each seat gets by best play of the game, the agent in all others.
    pub optimal: Vec<f64>,
    /// What each seat gets by the best answer, the agent in all others.
    pub answer: Vec<f64>,
    /// For two seats of constant sum, how much the best answer gains over the value of the game, mean over
    /// the seats.
    pub exploitability: Option<f64>,
}

impl<G: Heuristics> Solution<G> {
    /// What each seat gets when all play best.
    pub fn values(&self) -> &[f64] {
        &self.values[..self.graph.seats]
    }

    /// Different states.
    pub fn states(&self) -> usize {
        self.graph.states.len()
    }

    /// Parts of the game that can come back to where they were.
    pub fn loops(&self) -> usize {
        self.loops
    }

    /// The greatest change of a value in the last round of iteration; 0 without loops.
    pub fn residual(&self) -> f64 {
        self.residual
    }

    /// Whether two seats play for a constant sum, so that the values are those of the game and not only of one
    /// equilibrium.
    pub fn is_constant_sum(&self) -> bool {
        self.graph.constant_sum().is_some()
    }

    /// What each seat gets from a state on.
    pub fn value_of(&self, game: &G, state: &G::State) -> Option<&[f64]> {
        let node = *self.graph.index.get(&game.search_key(state))? as usize;
        Some(&self.values[node * self.graph.seats..][..self.graph.seats])
    }

    /// The best action of whoever decides alone in a state, if it can come up.
    pub fn best(&self, game: &G, state: &G::State) -> Option<G::Action> {
        let node = *self.graph.index.get(&game.search_key(state))? as usize;
        let Kind::Decision(seat) = self.graph.kinds[node] else { return None };
        let place = self.plan.at(&self.graph, node, seat).iter().position(|&weight| weight == 1.0)?;
        let mut actions = Vec::new();
        game.actions(&self.graph.states[node], seat, &mut actions);
        actions.get(place).copied()
    }

    /// How everybody plays, in the order in which states come up, nearest to the start first.
    pub fn choices<'s>(&'s self, game: &'s G) -> impl Iterator<Item = Choice<'s, G>> {
        (0..self.graph.states.len()).flat_map(move |node| {
            let state = &self.graph.states[node];
            self.graph.choosers(node).into_iter().map(move |(seat, _)| {
                let mut actions = Vec::new();
                game.actions(state, seat, &mut actions);
                let weights = self.plan.at(&self.graph, node, seat).iter().copied();
                let actions = actions.into_iter().zip(weights).collect();
                let value = Some(self.values[node * self.graph.seats + seat.index()]);
                Choice { state, seat, actions, value }
            })
        })
    }

    /// Evaluates an agent exactly by its policy; `name` is for messages.
    ///
    /// # Errors
    /// [`SolveError`] if the agent does not tell its policy.
    pub fn against(&self, game: &G, agent: &mut dyn Agent<G>, name: &str) -> Result<Against, SolveError> {
        let theirs = self.plan_of(game, agent, name)?;
        let seats = self.graph.seats;
        let run = |conduct: &[Conduct<'_>]| values(&self.graph, &self.parts, conduct, &self.start);
        let agent = run(&vec![Conduct::Fixed(&theirs); seats])?.values[..seats].to_vec();
        let (mut optimal, mut answer) = (Vec::new(), Vec::new());
        for seat in 0..seats {
            let mut conduct = vec![Conduct::Fixed(&theirs); seats];
            conduct[seat] = Conduct::Fixed(&self.plan);
            optimal.push(run(&conduct)?.values[seat]);
            conduct[seat] = Conduct::Best;
            answer.push(run(&conduct)?.values[seat]);
        }
        let gains = || answer.iter().zip(self.values()).map(|(answer, value)| answer - value).sum::<f64>();
        let exploitability = self.is_constant_sum().then(|| gains() / seats as f64);
        Ok(Against { agent, optimal, answer, exploitability })
    }

    /// How much a best answer gains over the value of the game against the policy found here, mean over the
    /// seats: nothing but rounding. For two seats of constant sum.
    ///
    /// # Errors
    /// [`SolveError::Unsettled`] where a loop does not converge.
    pub fn exploitability(&self) -> Result<Option<f64>, SolveError> {
        if !self.is_constant_sum() {
            return Ok(None);
        }
        let mut gain = 0.0;
        for seat in 0..2 {
            let mut conduct = [Conduct::Fixed(&self.plan); 2];
            conduct[seat] = Conduct::Best;
            gain += values(&self.graph, &self.parts, &conduct, &self.start)?.values[seat] - self.values[seat];
        }
        Ok(Some(gain / 2.0))
    }

    fn plan_of(&self, game: &G, agent: &mut dyn Agent<G>, name: &str) -> Result<Plan, SolveError> {
        let mut plan = Plan::empty(&self.graph);
        let mut actions = Vec::new();
        for seat in Seat::all(self.graph.seats) {
            agent.begin(game, seat);
            for node in 0..self.graph.states.len() {
                if !self.graph.choosers(node).iter().any(|(chooser, _)| *chooser == seat) {
                    continue;
                }
                let state = &self.graph.states[node];
                game.actions(state, seat, &mut actions);
                let weights = policy_of(game, agent, name, state, seat, &actions)?;
                plan.at_mut(&self.graph, node, seat).copy_from_slice(&weights);
            }
        }
        Ok(plan)
    }
}

/// An agent's probabilities in the order of `actions`.
fn policy_of<G: Heuristics>(
    game: &G,
    agent: &mut dyn Agent<G>,
    name: &str,
    state: &G::State,
    seat: Seat,
    actions: &[G::Action],
) -> Result<Vec<f64>, SolveError> {
    let policy = agent.policy(game, state, seat);
    let policy = policy.ok_or_else(|| SolveError::NoPolicy { agent: name.to_owned() })?;
    let mut weights = vec![0.0; actions.len()];
    let mut sum = 0.0;
    for (action, probability) in policy {
        let place = actions.iter().position(|other| *other == action);
        match place {
            Some(place) if (0.0..=1.0 + 1e-9).contains(&probability) => weights[place] += probability,
            _ => return Err(SolveError::BadPolicy { agent: name.to_owned() }),
        }
        sum += probability;
    }
    if (sum - 1.0).abs() > 1e-9 {
        return Err(SolveError::BadPolicy { agent: name.to_owned() });
    }
    Ok(weights)
}
