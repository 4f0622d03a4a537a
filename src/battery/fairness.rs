//! Fairness: what luck and random agents really gave, pooled over many games and held against what was
//! declared.

use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::hash::{Hash, Hasher};

use super::chi_squared::{goodness_of_fit, p_value};
use crate::game::{GameAction, state_key};

/// Below this probability the counts are a suspicion; twice running, a fault.
const SUSPICIOUS: f64 = 1e-6;
/// Equal parts of 0..1 into which the probability transform of an event falls.
const PLACES: usize = 60;
/// Distributions that are counted one by one, and the longest of them.
const MOST_NODES: usize = 4096;
const LONGEST: usize = 256;

/// Counts of one check.
pub(super) struct Fairness<A> {
    /// By kind of luck: where within 0..1 the events fell, after the probability transform.
    places: BTreeMap<u8, [u64; PLACES]>,
    /// By distribution: how often each outcome came.
    nodes: BTreeMap<u128, Node<A>>,
    /// By length of the list of actions: how often a random agent took each place of it.
    lists: BTreeMap<usize, Vec<u64>>,
    /// By action: how often a random agent took it, how often it should have, and the variance of that.
    actions: BTreeMap<A, Lot>,
}

struct Node<A> {
    distribution: Vec<(A, f64)>,
    counts: Vec<u64>,
}

/// A distribution as something to hash.
struct Bits<'a, A>(&'a [(A, f64)]);

impl<A: Hash> Hash for Bits<'_, A> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        for (action, probability) in self.0 {
            action.hash(hasher);
            probability.to_bits().hash(hasher);
        }
    }
}

#[derive(Clone, Copy, Default)]
struct Lot {
    found: f64,
    expected: f64,
    variance: f64,
}

/// Counts that look wrong.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Suspect<A> {
    pub what: Counted<A>,
    pub p: f64,
    /// What was expected and what was found.
    pub words: String,
}

/// Which counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Counted<A> {
    Place(u8),
    Node(u128),
    List(usize),
    Action(A),
}

impl<A> Counted<A> {
    /// Whether it is about luck rather than about the random agent.
    pub fn is_luck(&self) -> bool {
        matches!(self, Counted::Place(_) | Counted::Node(_))
    }
}

impl<A> Default for Fairness<A> {
    fn default() -> Fairness<A> {
        Fairness {
            places: BTreeMap::new(),
            nodes: BTreeMap::new(),
            lists: BTreeMap::new(),
            actions: BTreeMap::new(),
        }
    }
}

impl<A: GameAction> Fairness<A> {
    /// An event of luck gave the `index`-th outcome of its distribution. `unit` is uniform in 0..1 and
    /// spreads the event over the outcome's share of that interval.
    pub fn luck(&mut self, kind: u8, distribution: &[(A, f64)], index: usize, unit: f64) {
        let before: f64 = distribution[..index].iter().map(|(_, probability)| probability).sum();
        let place = ((before + unit * distribution[index].1) * PLACES as f64) as usize;
        self.places.entry(kind).or_insert([0; PLACES])[place.min(PLACES - 1)] += 1;
        if distribution.len() > LONGEST {
            return;
        }
        let key = state_key(&Bits(distribution));
        if self.nodes.len() >= MOST_NODES && !self.nodes.contains_key(&key) {
            return;
        }
        let node = self.nodes.entry(key).or_insert_with(|| Node {
            distribution: distribution.to_vec(),
            counts: vec![0; distribution.len()],
        });
        node.counts[index] += 1;
    }

    /// A random agent took the `index`-th of `length` actions.
    pub fn choice(&mut self, length: usize, index: usize) {
        if (2..=LONGEST).contains(&length) {
            self.lists.entry(length).or_insert_with(|| vec![0; length])[index] += 1;
        }
    }

    /// A random agent chose `taken.len()` times among `actions`.
    pub fn choices(&mut self, actions: &[A], taken: &[A]) {
        if actions.len() < 2 {
            return;
        }
        let chance = 1.0 / actions.len() as f64;
        let draws = taken.len() as f64;
        for &action in actions {
            let lot = self.actions.entry(action).or_default();
            lot.expected += draws * chance;
            lot.variance += draws * chance * (1.0 - chance);
        }
        for action in taken {
            self.actions.entry(*action).or_default().found += 1.0;
        }
    }

    /// How many tests the counts allow: first about luck, then about the random agent.
    pub fn tests(&self) -> (u64, u64) {
        ((self.places.len() + self.nodes.len()) as u64, (self.lists.len() + self.actions.len()) as u64)
    }

    /// Everything that would come about less than once in a million checks.
    pub fn suspects(&self) -> Vec<Suspect<A>> {
        let mut suspects = Vec::new();
        let mut judge = |what, p, words: &dyn Fn() -> String| {
            if p < SUSPICIOUS {
                suspects.push(Suspect { what, p, words: words() });
            }
        };
        for (&kind, counts) in &self.places {
            let p = goodness_of_fit(counts, [1.0 / PLACES as f64; PLACES]);
            judge(Counted::Place(kind), p, &|| {
                format!(
                    "luck of kind {kind} should fall evenly on the {PLACES} equal parts of its cumulative \
                     distributions, and fell {}",
                    list(counts)
                )
            });
        }
        for (&key, node) in &self.nodes {
            let p = goodness_of_fit(&node.counts, node.distribution.iter().map(|&(_, chance)| chance));
            judge(Counted::Node(key), p, &|| {
                let total = node.counts.iter().sum::<u64>() as f64;
                let cells =
                    node.distribution.iter().zip(&node.counts).take(12).map(|((action, chance), n)| {
                        format!("`{action}` {:.1} times and came {n} times", total * chance)
                    });
                format!("expected {}", cells.collect::<Vec<_>>().join(", "))
            });
        }
        for (&length, counts) in &self.lists {
            let p = goodness_of_fit(counts, (0..length).map(|_| 1.0 / length as f64));
            judge(Counted::List(length), p, &|| {
                format!(
                    "each place of a list of {length} actions should be taken alike; found {}",
                    list(counts)
                )
            });
        }
        for (&action, lot) in &self.actions {
            // The normal approximation is good enough only where there was much to choose.
            let spread = (lot.found - lot.expected).powi(2);
            let p = if lot.variance < 100.0 { 1.0 } else { p_value(spread / lot.variance, 1) };
            judge(Counted::Action(action), p, &|| {
                format!("`{action}` should be taken {:.1} times and was taken {}", lot.expected, lot.found)
            });
        }
        suspects
    }
}

fn list(counts: &[u64]) -> String {
    counts.iter().map(u64::to_string).collect::<Vec<_>>().join(" ")
}

impl<A: GameAction> Display for Suspect<A> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} (p = {:.1e})", self.words, self.p)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::yardsticks::pig::Action;
    use crate::streams::Stream;

    const COIN: [(Action, f64); 2] = [(Action::Roll, 0.5), (Action::Hold, 0.5)];

    fn suspected(fill: impl Fn(&mut Fairness<Action>, &mut Stream)) -> Vec<Counted<Action>> {
        let (mut fairness, mut stream) = (Fairness::default(), Stream::from_seed(4));
        for _ in 0..20_000 {
            fill(&mut fairness, &mut stream);
        }
        fairness.suspects().into_iter().map(|suspect| suspect.what).collect()
    }

    #[test]
    fn fair_draws_are_not_suspected() {
        let found = suspected(|fairness, stream| {
            let index = stream.below(2);
            fairness.luck(0, &COIN, index, stream.unit());
            fairness.choice(2, stream.below(2));
            fairness.choices(&[Action::Roll, Action::Hold], &[COIN[index].0]);
        });
        assert_eq!(found, []);
    }

    #[test]
    fn a_loaded_coin_is_suspected_by_its_places_and_its_distribution() {
        let found = suspected(|fairness, stream| {
            let index = (stream.unit() < 0.55) as usize;
            fairness.luck(3, &COIN, index, stream.unit());
        });
        assert!(matches!(found[..], [Counted::Place(3), Counted::Node(_)]), "{found:?}");
        assert!(found.iter().all(Counted::is_luck));
    }

    /// Luck whose distribution is never twice the same shows in its places alone.
    #[test]
    fn loaded_luck_is_suspected_however_the_distribution_changes() {
        let found = suspected(|fairness, stream| {
            let chance = 0.3 + 0.4 * stream.unit();
            let coin = [(Action::Roll, chance), (Action::Hold, 1.0 - chance)];
            let index = (stream.unit() > chance + 0.04) as usize;
            fairness.luck(0, &coin, index, stream.unit());
        });
        assert_eq!(found, [Counted::Place(0)]);
    }

    #[test]
    fn an_action_that_is_preferred_wherever_it_stands_is_suspected() {
        let die = |face| Action::Die(face);
        let found = suspected(|fairness, stream| {
            let mut list = [die(1), die(2), die(3), die(4)];
            stream.shuffle(&mut list);
            let index = stream.below(4);
            // Once in twenty, a 4 in place of whatever was drawn.
            let index = match stream.below(20) {
                0 => list.iter().position(|&face| face == die(4)).unwrap(),
                _ => index,
            };
            fairness.choice(4, index);
            fairness.choices(&list, &[list[index]]);
        });
        assert!(found.contains(&Counted::Action(die(4))) && !found.contains(&Counted::List(4)), "{found:?}");
    }
}
