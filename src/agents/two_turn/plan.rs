//! The ways to play one's own turn: a beam over its decisions, to where luck, another seat or the next turn
//! takes over.

use std::collections::BTreeSet;

use crate::agents::ranking::best_first;
use crate::game::{Game, Heuristics, MAX_SEATS, Seat, Turn};

/// A turn with more decisions than this is cut there.
const MOST_DECISIONS: usize = 24;

/// A way to play the rest of a turn.
pub struct Plan<G: Game> {
    /// The first action of it.
    pub first: G::Action,
    /// Where it ends.
    pub end: G::State,
    /// What the mover's payoff is there by [`Heuristics::value`].
    pub worth: f64,
}

/// A position one action on.
struct Child<A> {
    parent: usize,
    action: A,
    worth: f64,
    ends: bool,
}

/// What a seat may expect of a state as it stands.
pub fn value_of<G: Heuristics>(game: &G, state: &G::State, seat: Seat) -> f64 {
    let mut values = [0.0; MAX_SEATS];
    game.value(state, &mut values[..game.seats()]);
    values[seat.index()]
}

/// The best `width` ways to play the turn that `seat` is to decide in `state`, best first. At each decision
/// the best `width` positions are kept, each once ([`Heuristics::search_key`]). `nodes` is how many positions
/// may be looked at; it is lowered. Once it is used up one position is kept at each decision, so that every
/// plan is complete. There is at least one.
pub fn plans<G: Heuristics>(
    game: &G,
    state: &G::State,
    seat: Seat,
    width: usize,
    nodes: &mut u64,
) -> Vec<Plan<G>> {
    let turn_id = game.turn_id(state);
    let mut actions = Vec::new();
    let mut frontier: Vec<(Option<G::Action>, G::State)> = vec![(None, state.clone())];
    let mut plans: Vec<Plan<G>> = Vec::new();
    let mut seen_ends = BTreeSet::new();
    for step in 0..MOST_DECISIONS {
        let mut children: Vec<Child<G::Action>> = Vec::new();
        for (parent, (_, position)) in frontier.iter().enumerate() {
            game.actions(position, seat, &mut actions);
            game.prune(position, &mut actions);
            *nodes = nodes.saturating_sub(actions.len() as u64);
            for &action in &actions {
                let mut child = position.clone();
                game.apply(&mut child, action);
                let goes_on = game.turn(&child) == Turn::Decision(seat) && game.turn_id(&child) == turn_id;
                let ends = !goes_on || step + 1 == MOST_DECISIONS;
                children.push(Child { parent, action, worth: value_of(game, &child, seat), ends });
            }
        }
        best_first(&mut children, |child| child.worth);
        let make = |child: &Child<G::Action>| {
            let (first, position) = &frontier[child.parent];
            let mut after = position.clone();
            game.apply(&mut after, child.action);
            (first.unwrap_or(child.action), after)
        };
        let mut kept = 0;
        for child in children.iter().filter(|child| child.ends) {
            if kept == width {
                break;
            }
            let (first, end) = make(child);
            if seen_ends.insert(game.search_key(&end)) {
                plans.push(Plan { first, end, worth: child.worth });
                kept += 1;
            }
        }
        let branching = (children.len() / frontier.len()).max(1) as u64;
        let most = (*nodes / (2 * branching)).clamp(1, width as u64) as usize;
        let (mut next, mut seen) = (Vec::new(), BTreeSet::new());
        for child in children.iter().filter(|child| !child.ends) {
            if next.len() == most {
                break;
            }
            let (first, after) = make(child);
            if seen.insert(game.search_key(&after)) {
                next.push((Some(first), after));
            }
        }
        frontier = next;
        if frontier.is_empty() {
            break;
        }
    }
    best_first(&mut plans, |plan| plan.worth);
    plans.truncate(width);
    plans
}
