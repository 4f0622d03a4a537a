//! Restricted play: an agent that is forbidden some kinds of action (`greedy:forbid=swap+turn`). Against the
//! agent that may do everything, its loss is the worth of the forbidden thing (Jaffe et al. 2012).
//!
//! What is forbidden is taken out of the agent's options unless nothing else is legal. The agent inside is
//! asked first, and knows nothing of it: where it looks ahead, it counts on being allowed everything. If its
//! choice is forbidden, the choice is made among the allowed actions in this order: by its own mix
//! ([`Agent::policy`], in proportion), by its own figures ([`Agent::explain`], the best), by those of
//! `greedy`. An agent that plays uniformly at random does so among the allowed actions.

use super::greedy::Greedy;
use super::{Agent, Explanation};
use crate::game::{Game, Heuristics, Seat};
use crate::streams::Stream;

/// An agent and what it must not do.
pub struct Restricted<G: Game> {
    inner: Box<dyn Agent<G>>,
    /// Names of kinds, as in [`Game::action_kinds`].
    forbid: Vec<String>,
    stand_in: Greedy<G>,
    legal: Vec<G::Action>,
    allowed: Vec<G::Action>,
}

impl<G: Heuristics> Restricted<G> {
    /// Forbids `inner` the kinds named.
    pub fn new(inner: Box<dyn Agent<G>>, forbid: &[String]) -> Restricted<G> {
        Restricted {
            inner,
            forbid: forbid.to_vec(),
            stand_in: Greedy::new(),
            legal: Vec::new(),
            allowed: Vec::new(),
        }
    }

    /// Fills `allowed`; says whether something legal is forbidden and something else is not.
    fn restrict(&mut self, game: &G, state: &G::State, seat: Seat) -> bool {
        game.actions(state, seat, &mut self.legal);
        let kinds = game.action_kinds();
        let forbidden = |action: G::Action| {
            let kind = game.kind_of(action).and_then(|kind| kinds.get(kind));
            kind.is_some_and(|kind| self.forbid.iter().any(|name| name == kind))
        };
        self.allowed.clear();
        self.allowed.extend(self.legal.iter().copied().filter(|&action| !forbidden(action)));
        !self.allowed.is_empty() && self.allowed.len() < self.legal.len()
    }

    /// The inner agent's mix over the allowed actions, adding to 1; `None` if it cannot say or takes none.
    fn mix(&mut self, game: &G, state: &G::State, seat: Seat) -> Option<Vec<(G::Action, f64)>> {
        let mut mix = self.inner.policy(game, state, seat)?;
        mix.retain(|(action, probability)| *probability > 0.0 && self.allowed.contains(action));
        let sum: f64 = mix.iter().map(|(_, probability)| probability).sum();
        mix.iter_mut().for_each(|(_, probability)| *probability /= sum);
        (sum > 0.0).then_some(mix)
    }

    /// The best allowed action by the inner agent's figures, or by those of `greedy`.
    fn best(&mut self, game: &G, state: &G::State, seat: Seat) -> G::Action {
        let told = |explanation: Option<Explanation<G::Action>>, allowed: &[G::Action]| {
            let options = explanation.map_or(Vec::new(), |explanation| explanation.options);
            options.into_iter().map(|(action, _)| action).find(|action| allowed.contains(action))
        };
        // The same figures whenever it is asked: what is chosen here must follow from the state.
        let mut luck = Stream::from_seed(0);
        told(self.inner.explain(game, state, seat, &mut luck), &self.allowed)
            .or_else(|| told(self.stand_in.explain(game, state, seat, &mut luck), &self.allowed))
            .unwrap_or(self.allowed[0])
    }
}

impl<G: Heuristics> Agent<G> for Restricted<G> {
    fn begin(&mut self, game: &G, seat: Seat) {
        self.inner.begin(game, seat);
    }

    fn choose(&mut self, game: &G, state: &G::State, seat: Seat, stream: &mut Stream) -> G::Action {
        if !self.restrict(game, state, seat) {
            return self.inner.choose(game, state, seat, stream);
        }
        if let [only] = self.allowed[..] {
            return only;
        }
        if self.inner.is_uniform() {
            return self.allowed[stream.below(self.allowed.len())];
        }
        let choice = self.inner.choose(game, state, seat, stream);
        if self.allowed.contains(&choice) {
            return choice;
        }
        let Some(mix) = self.mix(game, state, seat) else { return self.best(game, state, seat) };
        let mut left = stream.unit();
        for &(action, probability) in &mix {
            left -= probability;
            if left < 0.0 {
                return action;
            }
        }
        mix[mix.len() - 1].0
    }

    fn policy(&mut self, game: &G, state: &G::State, seat: Seat) -> Option<Vec<(G::Action, f64)>> {
        if !self.restrict(game, state, seat) {
            return self.inner.policy(game, state, seat);
        }
        if let [only] = self.allowed[..] {
            return Some(vec![(only, 1.0)]);
        }
        // An agent that cannot say how it mixes cannot say how it mixes what is left.
        self.inner.policy(game, state, seat)?;
        match self.mix(game, state, seat) {
            Some(mix) => Some(mix),
            None => Some(vec![(self.best(game, state, seat), 1.0)]),
        }
    }

    fn explain(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
        luck: &mut Stream,
    ) -> Option<Explanation<G::Action>> {
        let restricted = self.restrict(game, state, seat);
        let mut explanation = self.inner.explain(game, state, seat, luck)?;
        if restricted {
            explanation.options.retain(|(action, _)| self.allowed.contains(action));
            explanation.remarks.push(format!("forbidden: {}", self.forbid.join(", ")));
        }
        Some(explanation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::random::Random;
    use crate::game::Turn;
    use crate::games::Catalogued;
    use crate::games::yardsticks::pig::Pig;

    /// Plays Pig with both seats restricted and gives each choice, with whether there was another.
    fn choices(agent: Box<dyn Agent<Pig>>, forbid: &str) -> Vec<(String, bool)> {
        let game = Pig::new(Pig::default_rules(2), 2).unwrap();
        let mut agent = Restricted::new(agent, &[forbid.to_owned()]);
        let (mut luck, mut own) = (Stream::from_seed(3), Stream::from_seed(4));
        let (mut state, mut legal, mut found) = (game.initial(), Vec::new(), Vec::new());
        for _ in 0..300 {
            let action = match game.turn(&state) {
                Turn::Over => break,
                Turn::Chance(_) => game.sample_chance(&state, luck.word()),
                Turn::Decision(seat) => {
                    let action = agent.choose(&game, &state, seat, &mut own);
                    game.actions(&state, seat, &mut legal);
                    found.push((action.to_string(), legal.len() > 1));
                    action
                }
                Turn::Simultaneous(_) => unreachable!("nobody chooses in secret in Pig"),
            };
            game.apply(&mut state, action);
        }
        found
    }

    #[test]
    fn what_is_forbidden_is_not_done_where_there_is_a_choice() {
        for (forbidden, other) in [("roll", "hold"), ("hold", "roll")] {
            for found in
                [choices(Box::new(Random::new()), forbidden), choices(Box::new(Greedy::new()), forbidden)]
            {
                assert!(found.iter().any(|(_, free)| *free), "{found:?}");
                assert!(found.iter().all(|(action, free)| !free || action == other), "{found:?}");
            }
        }
    }

    #[test]
    fn the_mix_over_what_is_left_adds_to_one() {
        let game = Pig::new(Pig::default_rules(2), 2).unwrap();
        let mut agent = Restricted::<Pig>::new(Box::new(Greedy::new()), &["hold".to_owned()]);
        let state = game.initial();
        let Turn::Decision(seat) = game.turn(&state) else { panic!("somebody decides first") };
        let mix = agent.policy(&game, &state, seat).unwrap();
        assert!((mix.iter().map(|(_, p)| p).sum::<f64>() - 1.0).abs() < 1e-12);
        assert!(mix.iter().all(|(action, _)| action.to_string() == "roll"), "{mix:?}");
    }
}
