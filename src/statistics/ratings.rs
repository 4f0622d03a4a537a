//! Joint ratings of players from full finish orders, seats taken into account.
//!
//! The Plackett-Luce model (Luce 1959, Plackett 1975) with ties of any size after Davidson (1970), as in
//! Firth, Kosmidis and Turner ("Davidson-Luce model for multi-item choice with ties", 2019): places are taken
//! one after another, and a set S of those that are left takes the next with probability in proportion to
//! δ_|S| (Π α_i)^(1/|S|), δ_1 = 1. A player's strength in a seat is α = exp(θ_player + σ_seat). With two seats
//! this is the Bradley-Terry-Davidson model with the seat as home advantage.
//!
//! The log-likelihood is concave in (θ, σ, ln δ); Newton's method finds its maximum. Covariance is the block
//! sandwich H⁻¹ (Σ u uᵀ) H⁻¹ over groups of blocks: games that share a deal are not independent.

use std::collections::BTreeMap;

use super::blocks::FEW_BLOCKS;
use super::elo::ELO_PER_LOG;
use super::finishes::{Finish, Finishes};
use super::linear::{Matrix, add_outer, cholesky, inverse, product, quadratic, solve, zeros};

/// A log-strength this far out means that the maximum lies at infinity.
const FAR: f64 = 12.0;

/// A difference of two ratings.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Difference {
    /// In Elo, first less second.
    pub elo: f64,
    /// Its standard error.
    pub error: f64,
}

/// Ratings of all players.
#[derive(Clone, PartialEq, Debug)]
pub struct Ratings {
    /// Elo of each player; their mean is 0. Only differences mean something.
    pub players: Vec<f64>,
    /// Elo that a seat is worth; their mean is 0.
    pub seats: Vec<f64>,
    /// δ for ties of two, three, ...; 0 where no tie of that size was seen.
    pub ties: Vec<f64>,
    /// Whether half a pseudo-win and half a pseudo-loss against a ghost of strength 0 were added for each
    /// player and seat, because without them some rating would be infinite.
    pub ghosts: bool,
    /// Games that were rated.
    pub games: u64,
    /// Groups of blocks that the errors come from.
    pub groups: usize,
    /// Log-likelihood at the maximum, without ghosts' games.
    pub log_likelihood: f64,
    covariance: Matrix,
    /// What the model itself says of the errors, where ghosts were needed: blocks that all went the same way
    /// say nothing of how far they might have gone another.
    model: Option<Matrix>,
}

impl Ratings {
    /// Player `one` less player `other`, with the standard error sqrt(V_ii + V_jj - 2 V_ij); where ghosts were
    /// needed, the larger of the blocks' and the model's.
    ///
    /// # Panics
    /// If there is no such player.
    pub fn difference(&self, one: usize, other: usize) -> Difference {
        let mut contrast = vec![0.0; self.covariance.len()];
        contrast[one] += 1.0;
        contrast[other] -= 1.0;
        Difference { elo: self.players[one] - self.players[other], error: self.error(&contrast) }
    }

    /// What seat `one` is worth more than seat `other`, in Elo.
    ///
    /// # Panics
    /// If there is no such seat.
    pub fn seat_difference(&self, one: usize, other: usize) -> Difference {
        let mut contrast = vec![0.0; self.covariance.len()];
        contrast[self.players.len() + one] += 1.0;
        contrast[self.players.len() + other] -= 1.0;
        Difference { elo: self.seats[one] - self.seats[other], error: self.error(&contrast) }
    }

    /// The standard error of a contrast, in Elo: from the blocks, or from the model where that is larger.
    fn error(&self, contrast: &[f64]) -> f64 {
        let of_model = self.model.as_ref().map_or(0.0, |model| quadratic(model, contrast));
        ELO_PER_LOG * quadratic(&self.covariance, contrast).max(of_model).sqrt()
    }

    /// Players from the strongest down; equal ones by number.
    pub fn ladder(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.players.len()).collect();
        order.sort_by(|&left, &right| {
            self.players[right].total_cmp(&self.players[left]).then(left.cmp(&right))
        });
        order
    }
}

/// Rates all players. `None` without a game.
pub fn rate(finishes: &Finishes) -> Option<Ratings> {
    let totals = finishes.totals();
    if totals.is_empty() || finishes.players() == 0 {
        return None;
    }
    let mut fit = Fit::new(finishes, &totals);
    let connected = |edges: Vec<Vec<bool>>| strongly_connected(&edges);
    let possible = connected(edges(&totals, finishes.seats(), finishes.players(), |finish, seat| {
        finish.players[seat] as usize
    })) && connected(edges(&totals, finishes.seats(), finishes.seats(), |_, seat| seat));
    if !(possible && fit.maximise()) {
        fit = Fit { ghosts: true, ..Fit::new(finishes, &totals) };
        if !fit.maximise() {
            return None;
        }
    }
    fit.ratings(finishes, &totals)
}

/// Who came in before whom (a tie counts both ways), for players or for seats.
fn edges(
    totals: &BTreeMap<Finish, u64>,
    seats: usize,
    size: usize,
    of: impl Fn(&Finish, usize) -> usize,
) -> Vec<Vec<bool>> {
    let mut edges = vec![vec![false; size]; size];
    for finish in totals.keys() {
        for one in 0..seats {
            for other in 0..seats {
                edges[of(finish, one)][of(finish, other)] |= finish.ranks[one] <= finish.ranks[other];
            }
        }
    }
    edges
}

/// Whether every node is reached from the first, forwards and backwards.
fn strongly_connected(edges: &[Vec<bool>]) -> bool {
    let reaches_all = |edge: &dyn Fn(usize, usize) -> bool| {
        let mut seen = vec![false; edges.len()];
        let mut open = vec![0];
        seen[0] = true;
        while let Some(node) = open.pop() {
            for (next, seen) in seen.iter_mut().enumerate() {
                if !*seen && edge(node, next) {
                    *seen = true;
                    open.push(next);
                }
            }
        }
        seen.into_iter().all(|seen| seen)
    };
    reaches_all(&|from, to| edges[from][to]) && reaches_all(&|from, to| edges[to][from])
}

/// One stage of a game: those left, and how many of them (the first in the list) take the next place.
struct Stage {
    left: Vec<usize>,
    taking: usize,
}

/// The stages of a finish, seats by rank; the last place needs no choice.
fn stages(finish: &Finish, seats: usize) -> Vec<Stage> {
    let mut order: Vec<usize> = (0..seats).collect();
    order.sort_by_key(|&seat| (finish.ranks[seat], seat));
    let mut stages = Vec::new();
    while order.len() > 1 {
        let best = finish.ranks[order[0]];
        let taking = order.iter().take_while(|&&seat| finish.ranks[seat] == best).count();
        stages.push(Stage { left: order.clone(), taking });
        order.drain(..taking);
    }
    stages
}

/// Parameters: θ by player, σ by seat, ln δ by size of tie that was seen.
struct Fit {
    players: usize,
    seats: usize,
    /// Sizes of ties that were seen, ascending.
    ties: Vec<usize>,
    cells: Vec<(Finish, f64)>,
    ghosts: bool,
    at: Vec<f64>,
}

/// Value, gradient and negative Hessian of the penalised log-likelihood.
struct Point {
    value: f64,
    gradient: Vec<f64>,
    information: Matrix,
}

impl Fit {
    fn new(finishes: &Finishes, totals: &BTreeMap<Finish, u64>) -> Fit {
        let (players, seats) = (finishes.players(), finishes.seats());
        let mut ties: Vec<usize> = totals
            .keys()
            .flat_map(|finish| stages(finish, seats))
            .map(|stage| stage.taking)
            .filter(|&taking| taking > 1)
            .collect();
        ties.sort_unstable();
        ties.dedup();
        let cells = totals.iter().map(|(finish, &games)| (*finish, games as f64)).collect();
        let at = vec![0.0; players + seats + ties.len()];
        Fit { players, seats, ties, cells, ghosts: false, at }
    }

    /// What a set of seats taking a place together adds to its log-weight: (parameter, factor).
    fn features(&self, finish: &Finish, set: impl Iterator<Item = usize> + Clone) -> Vec<(usize, f64)> {
        let size = set.clone().count();
        let part = 1.0 / size as f64;
        let mut features = Vec::with_capacity(2 * size + 1);
        for seat in set {
            features.push((finish.players[seat] as usize, part));
            features.push((self.players + seat, part));
        }
        if let Ok(tie) = self.ties.binary_search(&size) {
            features.push((self.players + self.seats + tie, 1.0));
        }
        features
    }

    /// Log-likelihood of one finish; its gradient is added to `gradient`, and `weight` times its negative
    /// Hessian to `information`.
    fn finish(
        &self,
        finish: &Finish,
        at: &[f64],
        gradient: &mut [f64],
        mut information: Option<(&mut Matrix, f64)>,
    ) -> f64 {
        let mut value = 0.0;
        let mut mean = vec![0.0; at.len()];
        for Stage { left, taking } in stages(finish, self.seats) {
            let sets: Vec<Vec<(usize, f64)>> = (1u32..1 << left.len())
                .filter(|set| set.count_ones() == 1 || self.ties.contains(&(set.count_ones() as usize)))
                .map(|set| {
                    let members = left.iter().enumerate().filter(move |(bit, _)| set >> bit & 1 == 1);
                    self.features(finish, members.map(|(_, &seat)| seat))
                })
                .collect();
            let log = |features: &[(usize, f64)]| features.iter().map(|&(at_, by)| at[at_] * by).sum::<f64>();
            let logs: Vec<f64> = sets.iter().map(|set| log(set)).collect();
            let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let weights: Vec<f64> = logs.iter().map(|log| libm::exp(log - most)).collect();
            let sum: f64 = weights.iter().sum();
            let taken = self.features(finish, left[..taking].iter().copied());
            value += log(&taken) - most - libm::log(sum);
            taken.iter().for_each(|&(index, by)| gradient[index] += by);
            mean.fill(0.0);
            for (set, weight) in sets.iter().zip(&weights) {
                let p = weight / sum;
                for &(index, by) in set {
                    mean[index] += p * by;
                    if let Some((information, games)) = &mut information {
                        for &(other, factor) in set {
                            information[index][other] += *games * p * by * factor;
                        }
                    }
                }
            }
            gradient.iter_mut().zip(&mean).for_each(|(gradient, mean)| *gradient -= mean);
            if let Some((information, games)) = &mut information {
                add_outer(information, &mean, -*games);
            }
        }
        value
    }

    fn point(&self, at: &[f64]) -> Point {
        let size = at.len();
        let (mut value, mut gradient, mut information) = (0.0, vec![0.0; size], zeros(size));
        let mut own = vec![0.0; size];
        for (finish, games) in &self.cells {
            own.fill(0.0);
            value += games * self.finish(finish, at, &mut own, Some((&mut information, *games)));
            gradient.iter_mut().zip(&own).for_each(|(sum, own)| *sum += games * own);
        }
        if self.ghosts {
            // Half a win and half a loss against strength 0: ½ x - ln(1 + e^x), for each parameter.
            for (index, &x) in at.iter().enumerate() {
                let p = 1.0 / (1.0 + libm::exp(-x));
                value += 0.5 * x.abs() - x.abs() - libm::log1p(libm::exp(-x.abs()));
                gradient[index] += 0.5 - p;
                information[index][index] += p * (1.0 - p);
            }
        }
        // Only differences are determined: the sums of θ and of σ are pinned to 0, as firmly as the games hold
        // the rest, so that the matrix keeps its condition whatever their number.
        let pin = self.cells.iter().map(|(_, games)| games).sum::<f64>();
        for range in [0..self.players, self.players..self.players + self.seats] {
            let sum: f64 = at[range.clone()].iter().sum();
            value -= 0.5 * pin * sum * sum;
            for row in range.clone() {
                gradient[row] -= pin * sum;
                range.clone().for_each(|column| information[row][column] += pin);
            }
        }
        Point { value, gradient, information }
    }

    /// Newton's method with halved steps. False if there is no finite maximum.
    fn maximise(&mut self) -> bool {
        let mut point = self.point(&self.at);
        for _ in 0..100 {
            let Some(lower) = cholesky(&point.information) else { return false };
            let step = solve(&lower, &point.gradient);
            let gain: f64 = step.iter().zip(&point.gradient).map(|(step, gradient)| step * gradient).sum();
            let longest = step.iter().fold(0.0f64, |longest, step| longest.max(step.abs()));
            if longest < 1e-9 {
                return true;
            }
            let mut part = 1.0f64.min(4.0 / longest);
            let mut moved = false;
            for _ in 0..40 {
                let next: Vec<f64> = self.at.iter().zip(&step).map(|(at, step)| at + part * step).collect();
                let there = self.point(&next);
                // The value is a large sum: near the maximum a full step may change it by rounding alone.
                if there.value >= point.value + 1e-4 * part * gain - 1e-12 * point.value.abs() {
                    (self.at, point, moved) = (next, there, true);
                    break;
                }
                part /= 2.0;
            }
            if !moved {
                return longest < 1e-6;
            }
            if !self.ghosts && self.at.iter().any(|x| x.abs() > FAR) {
                return false;
            }
        }
        false
    }

    fn ratings(&self, finishes: &Finishes, totals: &BTreeMap<Finish, u64>) -> Option<Ratings> {
        let point = self.point(&self.at);
        let bread = inverse(&cholesky(&point.information)?);
        let (mut scores, mut log_likelihood) = (BTreeMap::new(), 0.0);
        for (finish, &games) in totals {
            let mut score = vec![0.0; self.at.len()];
            log_likelihood += games as f64 * self.finish(finish, &self.at, &mut score, None);
            scores.insert(*finish, score);
        }
        let groups = finishes.groups().count();
        let covariance = if (groups as u64) < FEW_BLOCKS {
            // Too few for a sandwich: as if each block were one game.
            let games_per_block = finishes.games() as f64 / groups as f64;
            bread.iter().map(|row| row.iter().map(|cell| cell * games_per_block).collect()).collect()
        } else {
            let mut meat = zeros(self.at.len());
            for group in finishes.groups() {
                let mut sum = vec![0.0; self.at.len()];
                for (finish, &games) in group {
                    sum.iter_mut().zip(&scores[finish]).for_each(|(sum, score)| *sum += games as f64 * score);
                }
                add_outer(&mut meat, &sum, groups as f64 / (groups as f64 - 1.0));
            }
            product(&product(&bread, &meat), &bread)
        };
        let centred = |range: std::ops::Range<usize>| {
            let mean = self.at[range.clone()].iter().sum::<f64>() / range.len() as f64;
            self.at[range].iter().map(|x| (x - mean) * ELO_PER_LOG).collect()
        };
        let mut ties = vec![0.0; self.ties.last().map_or(0, |most| most - 1)];
        for (size, log) in self.ties.iter().zip(&self.at[self.players + self.seats..]) {
            ties[size - 2] = libm::exp(*log);
        }
        Some(Ratings {
            players: centred(0..self.players),
            seats: centred(self.players..self.players + self.seats),
            ties,
            ghosts: self.ghosts,
            games: finishes.games(),
            groups,
            log_likelihood,
            covariance,
            model: self.ghosts.then_some(bread),
        })
    }
}

#[cfg(test)]
#[path = "ratings_tests.rs"]
mod tests;
