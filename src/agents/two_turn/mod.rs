//! `two-turn`: a search over turns under luck. The own turn is enumerated ([`plan`]), what follows each way to
//! play it is sampled from the true odds and played out to the end of the replies ([`reply`]), and
//! [`Heuristics::value`] judges there.
//!
//! Samples are spent by sequential halving (Karnin, Koren & Somekh 2013): each round samples the plans that
//! are left equally often and drops the worse half. All plans meet the same luck: sample k gives every source
//! the same words whatever the plan, drawn from the agent's own stream, so that differences between plans are
//! not drowned by it.
//!
//! At a simultaneous choice, where no turn can be enumerated, it draws in proportion to
//! [`Heuristics::prior`].

pub mod plan;
pub mod reply;

use self::plan::{Plan, plans};
use self::reply::{Replies, Until};
use super::parameters::{Domain, Parameter, Settings};
use super::ranking::best_first;
use super::registry::Entry;
use super::{Agent, Explanation};
use crate::game::{Game, Heuristics, Seat, Turn};
use crate::streams::{Deal, Stream};

/// What [`super::registry`] shows.
pub const ENTRY: Entry = Entry {
    name: "two-turn",
    summary: "enumerates its turn, samples what follows to the end of the replies, takes the best average value",
    parameters: &[
        Parameter {
            key: "width",
            domain: Domain::Whole(1, 1_000),
            default: "12",
            meaning: "positions kept at each decision of the own turn, and ways to play it that are sampled",
        },
        Parameter {
            key: "samples",
            domain: Domain::Whole(1, 1_000_000),
            default: "24",
            meaning: "samples for each way to play the turn, on average; better ways get more",
        },
        Parameter {
            key: "until",
            domain: Domain::Choice(Until::WORDS),
            default: "own",
            meaning: "how far a sample goes: to the end of the next turn, to the own next turn, or to its end",
        },
        Parameter {
            key: "nodes",
            domain: Domain::Whole(1, 1_000_000_000),
            default: "1000000",
            meaning: "positions looked at for one decision; the sample that passes it is the last",
        },
    ],
};

/// How the search is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Limits {
    width: usize,
    samples: u32,
    until: Until,
    nodes: u64,
}

/// A way to play the turn under trial.
struct Candidate<G: Game> {
    plan: Plan<G>,
    sum: f64,
    samples: u32,
}

impl<G: Game> Candidate<G> {
    /// What it brings by the samples so far, or as it stands if there are none.
    fn mean(&self) -> f64 {
        if self.samples == 0 { self.plan.worth } else { self.sum / f64::from(self.samples) }
    }
}

/// A searcher over turns.
pub struct TwoTurn<G: Game> {
    limits: Limits,
    actions: Vec<G::Action>,
    priors: Vec<f32>,
    replies: Replies<G>,
}

impl<G: Heuristics> TwoTurn<G> {
    /// One with these parameters.
    pub fn new(settings: Settings<'_>) -> TwoTurn<G> {
        let limits = Limits {
            width: settings.whole("width") as usize,
            samples: settings.whole("samples") as u32,
            until: Until::read(settings.choice("until")),
            nodes: settings.whole("nodes") as u64,
        };
        TwoTurn { limits, actions: Vec::new(), priors: Vec::new(), replies: Replies::new() }
    }

    /// The plans for the turn that `seat` decides in `state`, best first, those that were sampled longest
    /// before the others. `seed` makes the luck of the samples.
    fn search(&mut self, game: &G, state: &G::State, seat: Seat, seed: u64) -> Vec<Candidate<G>> {
        let Limits { width, samples, until, mut nodes } = self.limits;
        let plans = plans(game, state, seat, width, &mut nodes);
        let mut all: Vec<Candidate<G>> =
            plans.into_iter().map(|plan| Candidate { plan, sum: 0.0, samples: 0 }).collect();
        let last = game.turns(state) + until.turns(game.seats());
        let rounds = all.len().next_power_of_two().trailing_zeros().max(1);
        let total = u64::from(samples) * all.len() as u64;
        let (mut alive, mut sample) = (all.len(), 0);
        while alive > 1 && nodes > 0 {
            // Only the first action is played now; the rest of the turn is planned again.
            if all[1..alive].iter().all(|other| other.plan.first == all[0].plan.first) {
                break;
            }
            let share = (total / u64::from(rounds) / alive as u64).max(1);
            for _ in 0..share {
                for candidate in &mut all[..alive] {
                    let mut deal = Deal::new(seed, 0, sample, 0, game.seats());
                    let end = &candidate.plan.end;
                    candidate.sum += self.replies.play(game, end, last, seat, &mut deal, &mut nodes);
                    candidate.samples += 1;
                }
                sample += 1;
                if nodes == 0 {
                    break;
                }
            }
            best_first(&mut all[..alive], |candidate| candidate.mean());
            alive = alive.div_ceil(2);
        }
        all
    }

    /// The mix at a simultaneous choice.
    fn mix(&mut self, game: &G, state: &G::State, seat: Seat) -> Vec<(G::Action, f64)> {
        game.actions(state, seat, &mut self.actions);
        game.prior(state, seat, &self.actions, &mut self.priors);
        let sum: f64 = self.priors.iter().map(|&weight| f64::from(weight)).sum();
        let equal = 1.0 / self.actions.len() as f64;
        let weighed = self.actions.iter().zip(&self.priors);
        weighed
            .map(|(&action, &weight)| (action, if sum > 0.0 { f64::from(weight) / sum } else { equal }))
            .filter(|&(_, probability)| probability > 0.0)
            .collect()
    }
}

impl<G: Heuristics> Agent<G> for TwoTurn<G> {
    fn choose(&mut self, game: &G, state: &G::State, seat: Seat, stream: &mut Stream) -> G::Action {
        game.actions(state, seat, &mut self.actions);
        if let [only] = self.actions[..] {
            return only;
        }
        if !matches!(game.turn(state), Turn::Simultaneous(_)) {
            return self.search(game, state, seat, stream.word())[0].plan.first;
        }
        let mix = self.mix(game, state, seat);
        let (target, mut sum) = (stream.unit(), 0.0);
        for &(action, probability) in &mix {
            sum += probability;
            if target < sum {
                return action;
            }
        }
        mix[mix.len() - 1].0
    }

    /// Known where it does not depend on the samples.
    fn policy(&mut self, game: &G, state: &G::State, seat: Seat) -> Option<Vec<(G::Action, f64)>> {
        game.actions(state, seat, &mut self.actions);
        match (&self.actions[..], game.turn(state)) {
            (&[only], _) => Some(vec![(only, 1.0)]),
            (_, Turn::Simultaneous(_)) => Some(self.mix(game, state, seat)),
            _ => None,
        }
    }

    fn explain(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
        luck: &mut Stream,
    ) -> Option<Explanation<G::Action>> {
        if let Turn::Simultaneous(_) = game.turn(state) {
            let mut options = self.mix(game, state, seat);
            best_first(&mut options, |option| option.1);
            return Some(Explanation {
                measure: "probability in the mix",
                options,
                remarks: vec!["in proportion to the weights before any search".into()],
            });
        }
        let found = self.search(game, state, seat, luck.word());
        let mut options: Vec<(G::Action, f64)> = Vec::new();
        let mut remarks = Vec::new();
        for candidate in &found {
            if options.iter().all(|&(action, _)| action != candidate.plan.first) {
                options.push((candidate.plan.first, candidate.mean()));
                let (first, samples) = (candidate.plan.first, candidate.samples);
                remarks.push(format!("{first}: {samples} samples, {:.4} as it stands", candidate.plan.worth));
            }
        }
        Some(Explanation { measure: "average payoff at the end of the replies", options, remarks })
    }
}
