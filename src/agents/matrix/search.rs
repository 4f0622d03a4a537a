//! What follows a choice, searched: a beam over the rest of the mover's turn, the replies of those who move
//! next, luck averaged exactly, simultaneous choices solved as matrix games.
//!
//! Each seat maximises its own value (max^n, Luckhardt & Irani 1986). The budget is a number of positions,
//! handed down and divided among what is compared, so that alternatives are searched equally deep; a turn
//! that belongs to the first time around the table is always played to its end, with a beam of one if there
//! is no budget left, since a position before a reply must not be compared with one after it.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

use super::solve::{NormalForm, Solution};
use crate::agents::ranking::best_first;
use crate::game::{Game, Heuristics, MAX_SEATS, Seat, SeatSet, Turn};

/// What each seat may expect.
pub type Worth = [f64; MAX_SEATS];

/// A turn with more decisions than this is judged as it stands then.
const MOST_DECISIONS: usize = 24;

/// However the budget is divided, no search looks at more positions than this many budgets.
const CEILING: u64 = 8;

/// How far to look.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Positions a decision.
    pub nodes: u64,
    /// Positions kept at each step of a turn, and ends of a turn that are searched on.
    pub width: usize,
    /// A seat with more choices than this at a simultaneous node is not searched.
    pub choices: usize,
    /// Joint choices looked at.
    pub cells: usize,
    /// Simultaneous choices looked through.
    pub depth: u32,
    /// Turns looked through after a decision or a simultaneous choice.
    pub turns: u32,
    /// Rounds of regret matching.
    pub rounds: u32,
}

/// A searcher with its buffers.
pub struct Search<G: Game> {
    limits: Limits,
    own: Seat,
    spent: u64,
    spare_actions: Vec<Vec<G::Action>>,
    spare_children: Vec<Vec<Child<G::Action>>>,
    priors: Vec<f32>,
}

/// Where a search stands.
#[derive(Clone, Copy)]
struct At {
    /// Positions that may still be looked at.
    budget: u64,
    /// Simultaneous choices still to be looked through.
    depth: u32,
    /// Turns looked through.
    turns: u32,
    /// Whether to stop when the budget does not reach, rather than play a turn to its end.
    strict: bool,
}

/// A position one action on.
#[derive(Clone, Copy)]
struct Child<A> {
    parent: u32,
    action: A,
    /// What the mover thinks of it.
    worth: f64,
    /// Whether the mover's turn is over there.
    ends: bool,
}

/// A way to play a turn: its first action and the position at its end.
struct End<G: Game> {
    first: G::Action,
    worth: f64,
    state: G::State,
}

/// A searched action of a decision and what the mover may expect of it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Scored<A> {
    /// The action.
    pub action: A,
    /// What each seat may expect.
    pub worth: Worth,
}

/// A simultaneous choice as a matrix game.
pub struct Solved<A> {
    /// Who chooses, ascending.
    pub seats: Vec<Seat>,
    /// What each of them may choose, as far as it was looked at.
    pub options: Vec<Vec<A>>,
    /// The mixes.
    pub solution: Solution,
    /// What each seat at the table may expect.
    pub worth: Worth,
}

impl<G: Heuristics> Search<G> {
    /// A searcher that looks so far.
    pub fn new(limits: Limits) -> Search<G> {
        Search {
            limits,
            own: Seat::new(0),
            spent: 0,
            spare_actions: Vec::new(),
            spare_children: Vec::new(),
            priors: Vec::new(),
        }
    }

    /// How many positions the last search looked at.
    pub fn spent(&self) -> u64 {
        self.spent
    }

    /// Searches a decision of `seat`: the actions that were searched to the end of the replies, best first.
    /// There is at least one.
    pub fn decision(&mut self, game: &G, state: &G::State, seat: Seat) -> Vec<Scored<G::Action>> {
        (self.spent, self.own) = (0, seat);
        let depth = self.limits.depth - 1;
        let at = At { budget: self.limits.nodes, depth, turns: 0, strict: false };
        let mut best: Vec<Scored<G::Action>> = Vec::new();
        self.each_end(game, state, seat, at, |first, worth| {
            match best.iter_mut().find(|scored| scored.action == first) {
                Some(scored) if scored.worth[seat.index()] >= worth[seat.index()] => {}
                Some(scored) => scored.worth = worth,
                None => best.push(Scored { action: first, worth }),
            }
        });
        best_first(&mut best, |scored| scored.worth[seat.index()]);
        best
    }

    /// Searches a simultaneous choice of `seats` for `seat`, one of them.
    pub fn choice(&mut self, game: &G, state: &G::State, seats: SeatSet, seat: Seat) -> Solved<G::Action> {
        (self.spent, self.own) = (0, seat);
        let at = At { budget: self.limits.nodes, depth: self.limits.depth, turns: 0, strict: false };
        self.matrix(game, state, seats, at)
    }

    /// The actions of a seat that look best before any search, at most `most`, best first if there are more.
    pub fn candidates(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
        most: usize,
    ) -> Vec<(G::Action, f32)> {
        let mut actions = Vec::new();
        game.actions(state, seat, &mut actions);
        game.prior(state, seat, &actions, &mut self.priors);
        let mut weighed: Vec<(G::Action, f32)> =
            actions.into_iter().zip(self.priors.iter().copied()).collect();
        keep_best(&mut weighed, most);
        weighed
    }

    fn value(&self, game: &G, state: &G::State) -> Worth {
        let mut worth = [0.0; MAX_SEATS];
        game.value(state, &mut worth[..game.seats()]);
        worth
    }

    /// What each seat may expect of `state`.
    fn worth(&mut self, game: &G, state: &G::State, at: At) -> Worth {
        let tired = self.spent > CEILING * self.limits.nodes;
        match game.turn(state) {
            Turn::Over => {
                let mut worth = [0.0; MAX_SEATS];
                let outcome = game.outcome(state).expect("the game is over");
                for (worth, result) in worth.iter_mut().zip(outcome.results()) {
                    *worth = result.payoff;
                }
                worth
            }
            Turn::Simultaneous(seats) if at.depth > 0 && !tired => {
                let choosers: Vec<Seat> = seats.iter().collect();
                let counts = self.counts(game, state, &choosers);
                // With less than two choices each there would be nothing to mix.
                let least: u64 = counts.iter().map(|&count| count.min(2) as u64).product();
                if least > at.budget {
                    self.value(game, state)
                } else {
                    self.matrix(game, state, seats, at).worth
                }
            }
            Turn::Chance(_) if !tired => self.average(game, state, at),
            Turn::Decision(seat) if at.turns < self.limits.turns && !tired => {
                let mut best: Option<Worth> = None;
                self.each_end(game, state, seat, at, |_, worth| {
                    if best.is_none_or(|best| worth[seat.index()] > best[seat.index()]) {
                        best = Some(worth);
                    }
                });
                best.unwrap_or_else(|| self.value(game, state))
            }
            _ => self.value(game, state),
        }
    }

    /// The exact average over luck, as far as the budget reaches.
    fn average(&mut self, game: &G, state: &G::State, at: At) -> Worth {
        let mut outcomes = Vec::new();
        game.chance(state, &mut outcomes);
        if outcomes.len() as u64 > at.budget {
            return self.value(game, state);
        }
        let mut sum = [0.0; MAX_SEATS];
        for &(outcome, probability) in &outcomes {
            let mut child = state.clone();
            game.apply(&mut child, outcome);
            self.spent += 1;
            let budget = at.budget / outcomes.len() as u64;
            let worth = self.worth(game, &child, At { budget, strict: true, ..at });
            sum.iter_mut().zip(worth).for_each(|(sum, worth)| *sum += probability * worth);
        }
        sum
    }

    /// How many choices each of the seats has.
    fn counts(&mut self, game: &G, state: &G::State, seats: &[Seat]) -> Vec<usize> {
        let mut actions = self.spare_actions.pop().unwrap_or_default();
        let count = |&seat: &Seat| {
            game.actions(state, seat, &mut actions);
            actions.len()
        };
        let counts = seats.iter().map(count).collect();
        self.spare_actions.push(actions);
        counts
    }

    /// Lowers the numbers of choices to at most `most` joint choices. Whoever has most gives way, the
    /// searching seat last.
    fn reduce(&self, seats: &[Seat], counts: &mut [usize], most: usize) {
        while counts.iter().product::<usize>() > most {
            let rank = |at: &usize| (counts[*at], seats[*at] != self.own);
            match (0..counts.len()).max_by_key(rank) {
                Some(at) if counts[at] > 1 => counts[at] -= 1,
                _ => break,
            }
        }
    }

    /// A simultaneous choice: every joint choice searched, then solved.
    fn matrix(&mut self, game: &G, state: &G::State, seats: SeatSet, at: At) -> Solved<G::Action> {
        let seats: Vec<Seat> = seats.iter().collect();
        let mut counts = self.counts(game, state, &seats);
        counts.iter_mut().for_each(|count| *count = (*count).min(self.limits.choices));
        let mut weighed: Vec<Vec<(G::Action, f32)>> = Vec::new();
        for (&seat, &count) in seats.iter().zip(&counts) {
            weighed.push(self.candidates(game, state, seat, count));
        }
        let at = At { depth: at.depth - 1, turns: 0, ..at };
        // What must be played to judge one joint choice at all: so many are looked at as the budget can pay.
        let firsts: Vec<G::Action> = weighed.iter().map(|choices| choices[0].0).collect();
        let before = self.spent;
        self.joint_worth(game, state, &firsts, At { budget: 0, ..at });
        let affordable = (at.budget / (self.spent - before)).clamp(1, self.limits.cells as u64);
        self.reduce(&seats, &mut counts, affordable as usize);
        for (choices, &count) in weighed.iter_mut().zip(&counts) {
            keep_best(choices, count);
        }
        let plain = |choices: Vec<(G::Action, f32)>| choices.into_iter().map(|(action, _)| action).collect();
        let options: Vec<Vec<G::Action>> = weighed.into_iter().map(plain).collect();
        let mut form = NormalForm::new(counts);
        let at = At { budget: at.budget / form.cells() as u64, ..at };
        let (mut joint, mut actions, mut worths) = (Vec::new(), Vec::new(), Vec::new());
        for cell in 0..form.cells() {
            form.joint(cell, &mut joint);
            actions.clear();
            actions.extend(options.iter().zip(&joint).map(|(options, &choice)| options[choice]));
            let worth = self.joint_worth(game, state, &actions, at);
            for (payoff, seat) in form.payoffs_mut(cell).iter_mut().zip(&seats) {
                *payoff = worth[seat.index()];
            }
            worths.push(worth);
        }
        let solution = form.solve(self.limits.rounds);
        let mut worth = [0.0; MAX_SEATS];
        for (cell, found) in worths.iter().enumerate() {
            form.joint(cell, &mut joint);
            let chances = solution.mixes.iter().zip(&joint).map(|(mix, &choice)| mix[choice]);
            let probability: f64 = chances.product();
            worth.iter_mut().zip(found).for_each(|(sum, worth)| *sum += probability * worth);
        }
        Solved { seats, options, solution, worth }
    }

    /// What each seat may expect after a joint choice.
    fn joint_worth(&mut self, game: &G, state: &G::State, actions: &[G::Action], at: At) -> Worth {
        let mut child = state.clone();
        game.apply_together(&mut child, actions);
        self.spent += 1;
        self.worth(game, &child, at)
    }

    /// Enumerates the turn of `mover` from `state` and calls `found` with the first action of each way to
    /// play it that was searched on, and with what each seat may expect of it. Calls nothing if the budget
    /// does not reach and need not.
    fn each_end(
        &mut self,
        game: &G,
        state: &G::State,
        mover: Seat,
        at: At,
        mut found: impl FnMut(G::Action, Worth),
    ) {
        let before = self.spent;
        let Some((ends, descent)) = self.ends(game, state, mover, at) else { return };
        let left = at.budget.saturating_sub(self.spent - before);
        let turns = at.turns + 1;
        let goes_on = |end: &End<G>| match game.turn(&end.state) {
            Turn::Over => false,
            Turn::Simultaneous(_) => at.depth > 0,
            Turn::Chance(_) => true,
            Turn::Decision(_) => turns < self.limits.turns,
        };
        let most = (left / descent.max(1)).clamp(1, self.limits.width as u64);
        let searched = (ends.iter().filter(|end| goes_on(end)).count() as u64).min(most);
        let searches: Vec<bool> = ends
            .iter()
            .scan(0, |count, end| {
                let goes_on = goes_on(end);
                *count += u64::from(goes_on);
                Some(!goes_on || *count <= most)
            })
            .collect();
        let strict = at.strict || turns as usize >= game.seats();
        let on = At { budget: left / searched.max(1), turns, strict, ..at };
        for (end, _) in ends.iter().zip(searches).filter(|(_, searched)| *searched) {
            found(end.first, self.worth(game, &end.state, on));
        }
    }

    /// The best ends of a turn, best first (as the mover sees them), and what a beam of one would cost.
    fn ends(&mut self, game: &G, state: &G::State, mover: Seat, at: At) -> Option<(Vec<End<G>>, u64)> {
        let before = self.spent;
        let turn_id = game.turn_id(state);
        // What is not spent here is left for the replies.
        let share = if at.turns + 1 < self.limits.turns { at.budget / 2 } else { at.budget };
        let mut actions = self.spare_actions.pop().unwrap_or_default();
        let mut children = self.spare_children.pop().unwrap_or_default();
        let mut frontier: Vec<(Option<G::Action>, G::State)> = vec![(None, state.clone())];
        let mut ends: Vec<End<G>> = Vec::new();
        let (mut seen_ends, mut descent) = (Seen::default(), 0);
        for step in 0..MOST_DECISIONS {
            children.clear();
            for (parent, (_, position)) in frontier.iter().enumerate() {
                game.actions(position, mover, &mut actions);
                game.prune(position, &mut actions);
                if step == 0 && at.strict && actions.len() as u64 > at.budget {
                    self.spare_actions.push(actions);
                    self.spare_children.push(children);
                    return None;
                }
                for &action in &actions {
                    let mut child = position.clone();
                    game.apply(&mut child, action);
                    self.spent += 1;
                    let worth = self.value(game, &child)[mover.index()];
                    let same = game.turn(&child) == Turn::Decision(mover) && game.turn_id(&child) == turn_id;
                    let ends = !same || step + 1 == MOST_DECISIONS;
                    children.push(Child { parent: parent as u32, action, worth, ends });
                }
            }
            let branching = (children.len() / frontier.len()).max(1) as u64;
            descent += branching;
            best_first(&mut children, |child| child.worth);
            let make = |child: &Child<G::Action>| {
                let (first, position) = &frontier[child.parent as usize];
                let mut after = position.clone();
                game.apply(&mut after, child.action);
                (first.unwrap_or(child.action), after)
            };
            let mut kept = 0;
            for child in children.iter().filter(|child| child.ends) {
                if kept == self.limits.width {
                    break;
                }
                let (first, state) = make(child);
                if seen_ends.insert(game.search_key(&state)) {
                    ends.push(End { first, worth: child.worth, state });
                    kept += 1;
                }
            }
            let left = share.saturating_sub(self.spent - before);
            let most = (left / (2 * branching)).clamp(1, self.limits.width as u64) as usize;
            let (mut next, mut seen) = (Vec::new(), Seen::default());
            for child in children.iter().filter(|child| !child.ends) {
                if next.len() == most {
                    break;
                }
                let (first, state) = make(child);
                if seen.insert(game.search_key(&state)) {
                    next.push((Some(first), state));
                }
            }
            frontier = next;
            if frontier.is_empty() {
                break;
            }
        }
        self.spare_actions.push(actions);
        self.spare_children.push(children);
        best_first(&mut ends, |end| end.worth);
        Some((ends, descent))
    }
}

/// Keeps the `most` with the greatest weights; leaves the order alone if there are no more.
fn keep_best<A>(weighed: &mut Vec<(A, f32)>, most: usize) {
    if weighed.len() > most {
        best_first(weighed, |&(_, weight)| f64::from(weight));
        weighed.truncate(most);
    }
}

/// Keys that were met. They are hashes already, and only membership is ever asked.
type Seen = HashSet<u128, BuildHasherDefault<Low>>;

/// Takes the low half of a key as its hash.
#[derive(Default)]
struct Low(u64);

impl Hasher for Low {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0 << 8 | u64::from(byte);
        }
    }
    fn write_u128(&mut self, key: u128) {
        self.0 = key as u64;
    }
    fn finish(&self) -> u64 {
        self.0
    }
}
