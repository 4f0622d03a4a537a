//! Regret matching at a menu whose chooser does not know what the others choose (Hart & Mas-Colell 2000;
//! in tree search: Tak, Lanctot & Winands 2014), with regrets kept at or above 0 and the strategy of the
//! t-th visit weighted by t in the average (Tammelin 2014).
//!
//! The payoff of each action not taken is estimated by a baseline: the mean of the joint choice with that
//! action in place of the one taken, or the action's own mean where that was never met. The action taken is
//! corrected by importance, which keeps the estimate unbiased whatever the baseline (Schmid and others 2019).

use super::arena::{Arena, Mix};
use crate::streams::Stream;

/// The most that is explored at random.
const MOST_EXPLORED: f64 = 0.5;

/// Share of visits that explore: sqrt(n / t) for n actions at visit t. It vanishes, so that exploration
/// spoils neither the average nor, in the long run, the payoffs that others see.
fn explored(actions: usize, visits: u32) -> f64 {
    (actions as f64 / (visits as f64 + 1.0)).sqrt().min(MOST_EXPLORED)
}

/// Fills `out` with the strategy of a menu's regrets, in proportion to the priors (or even) without regret.
fn strategy(weights: &[f32], mixes: &[Mix], out: &mut Vec<f64>) {
    out.clear();
    out.extend(mixes.iter().map(|mix| mix.regret));
    let mut sum: f64 = out.iter().sum();
    if sum <= 0.0 && !weights.is_empty() {
        out.clear();
        out.extend(weights.iter().map(|&weight| weight as f64));
        sum = out.iter().sum();
    }
    if sum <= 0.0 {
        out.fill(1.0);
        sum = out.len() as f64;
    }
    out.iter_mut().for_each(|part| *part /= sum);
}

/// Draws a slot of `node`; adds the strategy to the average.
pub fn draw<A: Copy + PartialEq>(
    arena: &mut Arena<A>,
    node: u32,
    stream: &mut Stream,
    buffer: &mut Vec<f64>,
) -> u32 {
    let head = arena.nodes[node as usize];
    let range = head.range();
    strategy(arena.weights_of(&head), &arena.mixes[range.clone()], buffer);
    let age = head.visits as f64 + 1.0;
    for (mix, part) in arena.mixes[range].iter_mut().zip(buffer.iter()) {
        mix.strategy += age * part;
    }
    let explored = explored(buffer.len(), head.visits);
    pick(buffer.iter().map(|part| (1.0 - explored) * part + explored / buffer.len() as f64), stream.unit())
}

/// The first index at which the running sum of `parts` exceeds `target`; the last one if rounding eats it.
pub fn pick(parts: impl Iterator<Item = f64>, target: f64) -> u32 {
    let (mut sum, mut last) = (0.0, 0);
    for (at, part) in parts.enumerate() {
        sum += part;
        if part > 0.0 {
            last = at as u32;
        }
        if target < sum {
            return at as u32;
        }
    }
    last
}

/// Takes in that `slot` brought `payoff`. `baseline` gives what each slot would have brought. To be called
/// before the visit is counted.
pub fn learn<A: Copy + PartialEq>(
    arena: &mut Arena<A>,
    node: u32,
    slot: u32,
    payoff: f64,
    baseline: impl Fn(&Arena<A>, usize) -> f64,
    buffer: &mut Vec<f64>,
    estimates: &mut Vec<f64>,
) {
    let head = arena.nodes[node as usize];
    let range = head.range();
    strategy(arena.weights_of(&head), &arena.mixes[range.clone()], buffer);
    let explored = explored(buffer.len(), head.visits);
    estimates.clear();
    estimates.extend((0..buffer.len()).map(|at| baseline(arena, at)));
    let taken = slot as usize;
    let probability = (1.0 - explored) * buffer[taken] + explored / buffer.len() as f64;
    estimates[taken] += (payoff - estimates[taken]) / probability;
    let mean: f64 = buffer.iter().zip(estimates.iter()).map(|(part, estimate)| part * estimate).sum();
    for (mix, estimate) in arena.mixes[range].iter_mut().zip(estimates.iter()) {
        mix.regret = (mix.regret + estimate - mean).max(0.0);
    }
}
