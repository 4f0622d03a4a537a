//! `threshold`: a rule of thumb at roll-or-stop decisions, greedy everywhere else.

use super::greedy::Greedy;
use super::parameters::{Domain, Parameter, Settings};
use super::registry::Entry;
use super::{Agent, Explanation};
use crate::game::{Game, Heuristics, Push, Seat};
use crate::streams::Stream;

/// What [`super::registry`] shows.
pub const ENTRY: Entry = Entry {
    name: "threshold",
    summary: "a rule of thumb at roll-or-stop decisions, greedy everywhere else",
    parameters: &[
        Parameter {
            key: "margin",
            domain: Domain::Whole(0, 1_000),
            default: "4 where a limit exists",
            meaning: "rolls while the total is at least this far below the limit",
        },
        Parameter {
            key: "hold",
            domain: Domain::Whole(0, 100_000),
            default: "20 where none exists",
            meaning: "rolls until the total is at least this (instead of margin)",
        },
    ],
};

/// When to go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    /// Roll while the total is at least so far below the limit.
    Margin(u32),
    /// Roll until the total is at least this.
    Hold(u32),
}

impl Rule {
    /// The rule of resolved parameters: `hold` if it is set, else `margin`.
    pub fn from_settings(settings: Settings<'_>) -> Rule {
        if settings.set.has("hold") {
            Rule::Hold(settings.whole("hold") as u32)
        } else {
            Rule::Margin(settings.whole("margin") as u32)
        }
    }

    fn action<A>(self, push: Push<A>) -> A {
        let go_on = match (self, push.limit) {
            (Rule::Margin(margin), Some(limit)) => push.total + margin <= limit,
            (Rule::Margin(_), None) => false,
            (Rule::Hold(target), _) => push.total < target,
        };
        if go_on { push.roll } else { push.stop }
    }
}

/// Greedy with a fixed rule for pushing luck.
pub struct Threshold<G: Game> {
    rule: Rule,
    greedy: Greedy<G>,
}

impl<G: Heuristics> Threshold<G> {
    /// One that follows `rule`.
    pub fn new(rule: Rule) -> Threshold<G> {
        Threshold { rule, greedy: Greedy::new() }
    }
}

impl<G: Heuristics> Agent<G> for Threshold<G> {
    fn choose(&mut self, game: &G, state: &G::State, seat: Seat, stream: &mut Stream) -> G::Action {
        match game.push(state) {
            Some(push) => self.rule.action(push),
            None => self.greedy.choose(game, state, seat, stream),
        }
    }

    fn policy(&mut self, game: &G, state: &G::State, seat: Seat) -> Option<Vec<(G::Action, f64)>> {
        match game.push(state) {
            Some(push) => Some(vec![(self.rule.action(push), 1.0)]),
            None => self.greedy.policy(game, state, seat),
        }
    }

    fn explain(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
        luck: &mut Stream,
    ) -> Option<Explanation<G::Action>> {
        let Some(push) = game.push(state) else {
            return self.greedy.explain(game, state, seat, luck);
        };
        let rule = match self.rule {
            Rule::Margin(margin) => format!("rolls while at least {margin} below the limit"),
            Rule::Hold(target) => format!("rolls until the total is {target}"),
        };
        let limit = push.limit.map(|limit| format!(" of {limit}")).unwrap_or_default();
        Some(Explanation {
            measure: "rule of thumb",
            options: vec![(self.rule.action(push), 1.0)],
            remarks: vec![format!("total {}{limit}: {rule}", push.total)],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn push(total: u32, limit: Option<u32>) -> Push<char> {
        Push { roll: 'r', stop: 's', total, limit }
    }

    #[test]
    fn margin_rolls_while_at_least_so_far_below() {
        assert_eq!(Rule::Margin(4).action(push(8, Some(12))), 'r');
        assert_eq!(Rule::Margin(4).action(push(9, Some(12))), 's');
    }

    #[test]
    fn hold_rolls_until_the_total_is_reached() {
        assert_eq!(Rule::Hold(20).action(push(19, None)), 'r');
        assert_eq!(Rule::Hold(20).action(push(20, None)), 's');
    }
}
