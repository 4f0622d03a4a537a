//! Two-seat games of constant sum with hidden information, by the sequence form: a linear program for each seat
//! (Koller, Megiddo & von Stengel 1996; von Stengel 1996). Choices made at once are one after the other, the
//! second unseen.
//!
//! A *sequence* is all that a seat has done on the way to somewhere; it is numbered, 0 being nothing. A seat's
//! *plan* is the probability that it does a whole sequence, as far as that is up to the seat.

use std::collections::{BTreeMap, HashMap, HashSet};

use microlp::{ComparisonOp, OptimizationDirection, Problem};

use super::{Against, Choice, SolveError, policy_of};
use crate::agents::Agent;
use crate::game::{Game, Heuristics, Seat, Turn};

/// Events after which a game counts as too long.
const LONGEST: usize = 200;
/// Sequences of both seats together that the linear program is asked to bear.
const MOST_SEQUENCES: usize = 20_000;

/// What a seat knows when it chooses.
struct InfoSet<G: Game> {
    seat: Seat,
    /// Different states that look alike to the seat, in the order in which they were met.
    states: Vec<G::State>,
    actions: Vec<G::Action>,
    /// The sequence that led here.
    parent: usize,
    /// The sequence that the first action makes; the others follow.
    first: usize,
}

/// An end: with which sequences it is reached, how likely by luck, and what it pays.
struct Leaf {
    sequences: [usize; 2],
    odds: f64,
    payoffs: [f64; 2],
}

/// A game as sequences and ends.
struct SequenceForm<G: Game> {
    sets: Vec<InfoSet<G>>,
    leaves: Vec<Leaf>,
    /// Number of sequences of each seat.
    sequences: [usize; 2],
}

struct Walk<'g, G: Game> {
    game: &'g G,
    limit: usize,
    nodes: usize,
    index: HashMap<(Seat, u128, usize), usize>,
    seen: HashSet<(usize, G::State)>,
    form: SequenceForm<G>,
}

/// A place on the walk.
#[derive(Clone, Copy)]
struct Place {
    sequences: [usize; 2],
    odds: f64,
    depth: usize,
}

impl<G: Game> Walk<'_, G> {
    fn count(&mut self, place: Place) -> Result<(), SolveError> {
        self.nodes += 1;
        if self.nodes > self.limit {
            return Err(SolveError::TooLarge { limit: self.limit });
        }
        if place.depth > LONGEST {
            return Err(SolveError::TooLong { limit: LONGEST });
        }
        Ok(())
    }

    fn walk(&mut self, state: &G::State, place: Place) -> Result<(), SolveError> {
        self.count(place)?;
        let game = self.game;
        match game.turn(state) {
            Turn::Over => {
                if let Some(outcome) = game.outcome(state) {
                    let payoffs = [0, 1].map(|seat| outcome.payoff(Seat::new(seat)));
                    let Place { sequences, odds, .. } = place;
                    self.form.leaves.push(Leaf { sequences, odds, payoffs });
                }
                Ok(())
            }
            Turn::Chance(_) => {
                let mut outcomes = Vec::new();
                game.chance(state, &mut outcomes);
                for (outcome, probability) in outcomes {
                    let mut after = state.clone();
                    game.apply(&mut after, outcome);
                    let odds = place.odds * probability;
                    self.walk(&after, Place { odds, depth: place.depth + 1, ..place })?;
                }
                Ok(())
            }
            Turn::Decision(seat) => self.choose(state, &[seat], &mut Vec::new(), false, place),
            Turn::Simultaneous(seats) => {
                let seats: Vec<Seat> = seats.iter().collect();
                self.choose(state, &seats, &mut Vec::new(), true, place)
            }
        }
    }

    /// The rest of `seats` choose one after the other; `joint` holds what the others chose.
    fn choose(
        &mut self,
        state: &G::State,
        seats: &[Seat],
        joint: &mut Vec<G::Action>,
        together: bool,
        place: Place,
    ) -> Result<(), SolveError> {
        self.count(place)?;
        let depth = place.depth + 1;
        let Some((&seat, rest)) = seats.split_first() else {
            let mut after = state.clone();
            match (together, &joint[..]) {
                (false, &[action]) => self.game.apply(&mut after, action),
                _ => self.game.apply_together(&mut after, joint),
            }
            return self.walk(&after, Place { depth, ..place });
        };
        let set = self.set(state, seat, place)?;
        for number in 0..self.form.sets[set].actions.len() {
            joint.push(self.form.sets[set].actions[number]);
            let mut sequences = place.sequences;
            sequences[seat.index()] = self.form.sets[set].first + number;
            self.choose(state, rest, joint, together, Place { sequences, depth, ..place })?;
            joint.pop();
        }
        Ok(())
    }

    /// The number of the information set of a state.
    fn set(&mut self, state: &G::State, seat: Seat, place: Place) -> Result<usize, SolveError> {
        let parent = place.sequences[seat.index()];
        let mut actions = Vec::new();
        self.game.actions(state, seat, &mut actions);
        // A state need not say what was done on the way to it; who did it remembers.
        let key = (seat, self.game.information_key(state, seat), parent);
        let next = self.form.sets.len();
        let set = *self.index.entry(key).or_insert(next);
        if set == next {
            let first = self.form.sequences[seat.index()];
            self.form.sequences[seat.index()] += actions.len();
            self.form.sets.push(InfoSet { seat, states: Vec::new(), actions, parent, first });
        } else if self.form.sets[set].actions != actions {
            return Err(SolveError::Inconsistent { seat });
        }
        if self.seen.insert((set, state.clone())) {
            self.form.sets[set].states.push(state.clone());
        }
        Ok(set)
    }
}

impl<G: Game> SequenceForm<G> {
    fn new(game: &G, limit: usize) -> Result<SequenceForm<G>, SolveError> {
        let form = SequenceForm { sets: Vec::new(), leaves: Vec::new(), sequences: [1, 1] };
        let (index, seen) = (HashMap::new(), HashSet::new());
        let mut walk = Walk { game, limit, nodes: 0, index, seen, form };
        walk.walk(&game.initial(), Place { sequences: [0, 0], odds: 1.0, depth: 0 })?;
        Ok(walk.form)
    }

    fn has_constant_sum(&self) -> bool {
        let sum = |leaf: &Leaf| leaf.payoffs[0] + leaf.payoffs[1];
        let first = self.leaves.first().map_or(0.0, sum);
        self.leaves.iter().all(|leaf| (sum(leaf) - first).abs() <= 1e-9 * (1.0 + first.abs()))
    }

    fn sets_of(&self, seat: usize) -> impl DoubleEndedIterator<Item = &InfoSet<G>> {
        self.sets.iter().filter(move |set| set.seat.index() == seat)
    }

    /// The plan of `seat` that gets most against the best answer, as a behaviour: for each information set of
    /// the game the probability of each action (all alike where the seat's own play never comes, and for the
    /// other seat).
    fn program(&self, seat: usize) -> Result<Vec<Vec<f64>>, SolveError> {
        let other = 1 - seat;
        let trouble = |error: microlp::Error| SolveError::Program { reason: error.to_string() };
        let mut program = Problem::new(OptimizationDirection::Maximize);
        let plan: Vec<_> = (0..self.sequences[seat]).map(|_| program.add_var(0.0, (0.0, 1.0))).collect();
        let free = (f64::NEG_INFINITY, f64::INFINITY);
        let value = program.add_var(1.0, free);
        // What the other's information sets are worth to `seat`, weighted by how likely they are.
        let worth: BTreeMap<usize, _> =
            self.sets_of(other).map(|set| (set.first, program.add_var(0.0, free))).collect();
        program.add_constraint([(plan[0], 1.0)], ComparisonOp::Eq, 1.0);
        for set in self.sets_of(seat) {
            let mut line = vec![(plan[set.parent], -1.0)];
            line.extend((0..set.actions.len()).map(|number| (plan[set.first + number], 1.0)));
            program.add_constraint(line, ComparisonOp::Eq, 0.0);
        }
        let mut payoffs: BTreeMap<(usize, usize), f64> = BTreeMap::new();
        for leaf in &self.leaves {
            *payoffs.entry((leaf.sequences[other], leaf.sequences[seat])).or_default() +=
                leaf.odds * leaf.payoffs[seat];
        }
        // The other takes of its actions the one that leaves least: each is an upper bound.
        let mut bounds: Vec<Vec<_>> = vec![Vec::new(); self.sequences[other]];
        bounds[0].push((value, 1.0));
        for set in self.sets_of(other) {
            let own = worth[&set.first];
            (0..set.actions.len()).for_each(|number| bounds[set.first + number].push((own, 1.0)));
            bounds[set.parent].push((own, -1.0));
        }
        for (&(theirs, ours), &payoff) in &payoffs {
            bounds[theirs].push((plan[ours], -payoff));
        }
        for line in bounds {
            program.add_constraint(line, ComparisonOp::Le, 0.0);
        }
        let outcome = program.solve().map_err(trouble)?;
        let solution = outcome
            .into_solution()
            .map_err(|_| SolveError::Program { reason: "it has no solution".into() })?;
        let behaviour = |set: &InfoSet<G>| {
            let even = vec![1.0 / set.actions.len() as f64; set.actions.len()];
            // The variables are this seat's.
            if set.seat.index() != seat {
                return even;
            }
            let weight = |number: usize| {
                let weight = solution.var_value(plan[set.first + number]).clamp(0.0, 1.0);
                // What the method leaves of a sequence that is not played.
                if weight < 1e-11 { 0.0 } else { weight }
            };
            let weights: Vec<f64> = (0..set.actions.len()).map(weight).collect();
            let sum: f64 = weights.iter().sum();
            if sum > 0.0 { weights.into_iter().map(|weight| weight / sum).collect() } else { even }
        };
        Ok(self.sets.iter().map(behaviour).collect())
    }

    /// How likely each sequence of a seat is by its own choices.
    fn realise(&self, seat: usize, behaviour: &[Vec<f64>]) -> Vec<f64> {
        let mut plan = vec![0.0; self.sequences[seat]];
        plan[0] = 1.0;
        // A set stands after those that lead to it.
        for (set, weights) in self.sets.iter().zip(behaviour) {
            if set.seat.index() == seat {
                for (number, weight) in weights.iter().enumerate() {
                    plan[set.first + number] = plan[set.parent] * weight;
                }
            }
        }
        plan
    }

    /// What each seat gets when the seats play these plans.
    fn values(&self, plans: [&[f64]; 2]) -> [f64; 2] {
        [0, 1].map(|seat| {
            let worth = |leaf: &Leaf| {
                leaf.odds * plans[0][leaf.sequences[0]] * plans[1][leaf.sequences[1]] * leaf.payoffs[seat]
            };
            self.leaves.iter().map(worth).sum()
        })
    }

    /// What `seat` gets by the best answer to the other's plan.
    fn best_answer(&self, seat: usize, other_plan: &[f64]) -> f64 {
        let mut worth = vec![0.0; self.sequences[seat]];
        for leaf in &self.leaves {
            worth[leaf.sequences[seat]] +=
                leaf.odds * other_plan[leaf.sequences[1 - seat]] * leaf.payoffs[seat];
        }
        for set in self.sets_of(seat).rev() {
            let actions = &worth[set.first..set.first + set.actions.len()];
            let best = actions.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            worth[set.parent] += best;
        }
        worth[0]
    }
}

/// A solved game with hidden information.
pub struct HiddenSolution<G: Heuristics> {
    form: SequenceForm<G>,
    /// For each information set the probability of each action.
    behaviour: Vec<Vec<f64>>,
    plans: [Vec<f64>; 2],
    values: [f64; 2],
}

/// Solves a two-seat game of constant sum, hidden information or not.
///
/// # Errors
/// [`SolveError`] beyond `limit` nodes of the tree of all courses, and where the game is of another kind.
pub fn solve_hidden<G: Heuristics>(game: &G, limit: usize) -> Result<HiddenSolution<G>, SolveError> {
    if game.seats() != 2 {
        return Err(SolveError::Hidden);
    }
    let form = SequenceForm::new(game, limit)?;
    if !form.has_constant_sum() {
        return Err(SolveError::Hidden);
    }
    let unknowns = form.sequences[0] + form.sequences[1];
    if unknowns > MOST_SEQUENCES {
        let reason = format!("it has {unknowns} unknowns, and {MOST_SEQUENCES} are the most");
        return Err(SolveError::Program { reason });
    }
    let both = [form.program(0)?, form.program(1)?];
    let own = |(at, set): (usize, &InfoSet<G>)| both[set.seat.index()][at].clone();
    let behaviour: Vec<Vec<f64>> = form.sets.iter().enumerate().map(own).collect();
    let plans = [0, 1].map(|seat| form.realise(seat, &behaviour));
    let values = form.values([&plans[0], &plans[1]]);
    Ok(HiddenSolution { form, behaviour, plans, values })
}

impl<G: Heuristics> HiddenSolution<G> {
    /// What each seat gets when both play best.
    pub fn values(&self) -> &[f64; 2] {
        &self.values
    }

    /// Different things that a seat may know when it chooses.
    pub fn information_sets(&self) -> usize {
        self.form.sets.len()
    }

    /// Ways in which the game can go.
    pub fn courses(&self) -> usize {
        self.form.leaves.len()
    }

    /// How much a best answer gains against the policy found here, mean over the seats: nothing but rounding.
    pub fn exploitability(&self) -> f64 {
        self.gain([&self.plans[0], &self.plans[1]], self.values)
    }

    fn gain(&self, plans: [&[f64]; 2], values: [f64; 2]) -> f64 {
        let gain = |seat: usize| self.form.best_answer(seat, plans[1 - seat]) - values[seat];
        (gain(0) + gain(1)) / 2.0
    }

    /// How both play; where several states look alike, the first that was met stands for all.
    pub fn choices(&self) -> impl Iterator<Item = Choice<'_, G>> {
        self.form.sets.iter().zip(&self.behaviour).map(|(set, weights)| {
            let actions = set.actions.iter().copied().zip(weights.iter().copied()).collect();
            Choice { state: &set.states[0], seat: set.seat, actions, value: None }
        })
    }

    /// Evaluates an agent exactly by its policy; `name` is for messages.
    ///
    /// # Errors
    /// [`SolveError`] if the agent does not tell its policy, or if that depends on what the seat cannot see.
    pub fn against(&self, game: &G, agent: &mut dyn Agent<G>, name: &str) -> Result<Against, SolveError> {
        let mut theirs = vec![Vec::new(); self.form.sets.len()];
        for seat in Seat::all(2) {
            agent.begin(game, seat);
            for (set, weights) in self.form.sets.iter().zip(&mut theirs) {
                if set.seat != seat {
                    continue;
                }
                *weights = policy_of(game, agent, name, &set.states[0], seat, &set.actions)?;
                for state in &set.states[1..] {
                    if policy_of(game, agent, name, state, seat, &set.actions)? != *weights {
                        return Err(SolveError::Sampled { agent: name.to_owned() });
                    }
                }
            }
        }
        let plans = [0, 1].map(|seat| self.form.realise(seat, &theirs));
        let agent = self.form.values([&plans[0], &plans[1]]).to_vec();
        let optimal = [[&self.plans[0], &plans[1]], [&plans[0], &self.plans[1]]]
            .into_iter()
            .enumerate()
            .map(|(seat, [first, second])| self.form.values([first, second])[seat])
            .collect();
        let answer = (0..2).map(|seat| self.form.best_answer(seat, &plans[1 - seat])).collect();
        let exploitability = Some(self.gain([&plans[0], &plans[1]], self.values));
        Ok(Against { agent, optimal, answer, exploitability })
    }
}
