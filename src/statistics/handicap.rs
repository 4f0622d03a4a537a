//! Which handicap makes a table fair? A fit over the arms of a sweep that share their deals.
//!
//! In each arm every seat gets a handicap (coins, say), a whole number. The model is a multinomial logit:
//! p_s = softmax(a_s + b_s · handicap_s) over the seats, fitted to win shares (quasi-likelihood; Papke and
//! Wooldridge 1996). The fair setting has p_s = 1/n for all; its interval is that of the delta method. Arms
//! share deals, so the covariance is the sandwich over groups of blocks, each with the games of all arms.

use serde::{Deserialize, Serialize};

use super::blocks::FEW_BLOCKS;
use super::groups::{GROUPS, group_of};
use super::interval::simultaneous_z;
use super::linear::{Matrix, add_outer, cholesky, inverse, product, quadratic, solve, zeros};
use crate::game::{MAX_SEATS, SHARE_UNITS};

/// A log-odds this far out means that some seat wins (or loses) everything in all arms that tell.
const FAR: f64 = 40.0;
/// A slope must be so many standard errors from 0 before anything is divided by it.
const CLEAR_SLOPE: f64 = 3.0;
/// A slope below this is rounding: arms that came out alike have no error either.
const LEAST_SLOPE: f64 = 1e-6;

/// What one arm of the sweep gave: integers by group of blocks, so that the order of adding does not matter.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct HandicapArm {
    handicaps: Vec<i64>,
    groups: Vec<(u64, [u64; MAX_SEATS])>,
}

impl HandicapArm {
    /// An empty arm with the handicap of each seat.
    pub fn new(handicaps: &[i64]) -> HandicapArm {
        let handicaps: Vec<i64> = handicaps.iter().copied().take(MAX_SEATS).collect();
        HandicapArm { handicaps, groups: vec![(0, [0; MAX_SEATS]); GROUPS] }
    }

    /// Adds the games of block `block`: how many, and the units of win share of each seat. Arms that played
    /// the same deals must number their blocks alike.
    pub fn add_block(&mut self, block: u64, games: u64, units: &[u64]) {
        let (all, sums) = &mut self.groups[group_of(block, GROUPS)];
        *all += games;
        sums.iter_mut().zip(units).take(self.handicaps.len()).for_each(|(sum, units)| *sum += units);
    }

    /// Adds all blocks of another part of the same arm.
    pub fn merge(&mut self, other: &HandicapArm) {
        for (own, theirs) in self.groups.iter_mut().zip(&other.groups) {
            own.0 += theirs.0;
            own.1.iter_mut().zip(theirs.1).for_each(|(own, theirs)| *own += theirs);
        }
    }

    /// The handicap of each seat.
    pub fn handicaps(&self) -> &[i64] {
        &self.handicaps
    }

    fn games(&self) -> f64 {
        self.groups.iter().map(|group| group.0).sum::<u64>() as f64
    }

    fn wins(&self, seat: usize) -> f64 {
        self.groups.iter().map(|group| group.1[seat]).sum::<u64>() as f64 / SHARE_UNITS as f64
    }
}

/// A sweep that does not tell.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum HandicapError {
    /// Too little to fit.
    #[error("a fit needs at least two arms with games, at the same number of seats (2 or more)")]
    TooFewArms,
    /// The design leaves parameters open, or some seat wins everything.
    #[error(
        "the sweep does not determine the fit: vary the seats' handicaps apart, and around the fair point"
    )]
    Undetermined,
    /// A slope that may well be zero.
    #[error("seat {}'s handicap has no clear effect (slope {slope:.4} ± {error:.4})", .seat + 1)]
    NoEffect {
        /// Which seat, from 0.
        seat: usize,
        /// Log-odds per unit.
        slope: f64,
        /// Its standard error.
        error: f64,
    },
}

/// The solution for one seat.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SeatSetting {
    /// The handicap at which shares are equal, not rounded; as given for a seat that was not varied.
    pub exact: f64,
    /// Its standard error, 0 for a seat that was not varied.
    pub error: f64,
    /// The lower end of its interval, joint over the seats that were varied.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The best whole number.
    pub integer: i64,
    /// The win share that the fit expects at the whole numbers.
    pub share: f64,
}

/// The setting that makes a table fair.
#[derive(Clone, PartialEq, Debug)]
pub struct FairHandicap {
    /// By seat.
    pub seats: Vec<SeatSetting>,
    /// The largest distance of a share from 1/n at the whole numbers.
    pub unfairness: f64,
    /// Its standard error.
    pub unfairness_error: f64,
    /// Whether the solution lies outside what was played.
    pub extrapolated: bool,
    /// The largest distance of a fitted share from what an arm gave: how well the model fits.
    pub misfit: f64,
}

/// The logit model of a sweep. Parameters: a_s for seats after the first, then b_s for the varied seats.
struct Sweep<'a> {
    arms: Vec<&'a HandicapArm>,
    seats: usize,
    varied: Vec<usize>,
    centre: Vec<f64>,
}

impl Sweep<'_> {
    fn size(&self) -> usize {
        self.seats - 1 + self.varied.len()
    }

    fn slope(&self, seat: usize) -> Option<usize> {
        self.varied.iter().position(|&varied| varied == seat).map(|at| self.seats - 1 + at)
    }

    /// The derivative of a seat's log-weight.
    fn features(&self, handicaps: &[f64], seat: usize) -> Vec<f64> {
        let mut features = vec![0.0; self.size()];
        if seat > 0 {
            features[seat - 1] = 1.0;
        }
        if let Some(slope) = self.slope(seat) {
            features[slope] = handicaps[seat] - self.centre[seat];
        }
        features
    }

    /// Shares at some handicaps, with each seat's features.
    fn shares(&self, at: &[f64], handicaps: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
        let features: Vec<Vec<f64>> = (0..self.seats).map(|seat| self.features(handicaps, seat)).collect();
        let logs: Vec<f64> = features.iter().map(|row| dot(row, at)).collect();
        let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weights: Vec<f64> = logs.iter().map(|log| libm::exp(log - most)).collect();
        let sum: f64 = weights.iter().sum();
        (weights.into_iter().map(|weight| weight / sum).collect(), features)
    }

    fn point(&self, at: &[f64]) -> (f64, Vec<f64>, Matrix) {
        let (mut value, mut gradient, mut information) = (0.0, vec![0.0; self.size()], zeros(self.size()));
        for arm in &self.arms {
            let (shares, features) = self.shares(at, &as_floats(&arm.handicaps));
            let games = arm.games();
            let mut mean = vec![0.0; self.size()];
            for seat in 0..self.seats {
                let wins = arm.wins(seat);
                if wins > 0.0 {
                    value += wins * libm::log(shares[seat].max(f64::MIN_POSITIVE));
                }
                for (index, feature) in features[seat].iter().enumerate() {
                    gradient[index] += (wins - games * shares[seat]) * feature;
                    mean[index] += shares[seat] * feature;
                }
                add_outer(&mut information, &features[seat], games * shares[seat]);
            }
            add_outer(&mut information, &mean, -games);
        }
        (value, gradient, information)
    }

    /// The maximum of the quasi-likelihood by Newton's method, and the sandwich covariance.
    fn fit(&self) -> Option<(Vec<f64>, Matrix)> {
        let mut at = vec![0.0; self.size()];
        let (mut value, mut gradient, mut information) = self.point(&at);
        for _ in 0..100 {
            let step = solve(&cholesky(&information)?, &gradient);
            let longest = step.iter().fold(0.0f64, |longest, step| longest.max(step.abs()));
            if longest < 1e-10 {
                return Some((at.clone(), self.sandwich(&at, &information)?));
            }
            let mut part = 1.0;
            loop {
                let next: Vec<f64> = at.iter().zip(&step).map(|(at, step)| at + part * step).collect();
                let there = self.point(&next);
                // Near the maximum of a large sum a full step may change it by rounding alone.
                if there.0 >= value - 1e-12 * value.abs() {
                    at = next;
                    (value, gradient, information) = there;
                    break;
                }
                part /= 2.0;
                if part < 1e-9 {
                    return None;
                }
            }
            let far = |arm: &&HandicapArm| {
                let handicaps = as_floats(&arm.handicaps);
                (0..self.seats).any(|seat| dot(&self.features(&handicaps, seat), &at).abs() > FAR)
            };
            if self.arms.iter().any(far) {
                return None;
            }
        }
        None
    }

    fn sandwich(&self, at: &[f64], information: &Matrix) -> Option<Matrix> {
        let bread = inverse(&cholesky(information)?);
        let fitted: Vec<_> =
            self.arms.iter().map(|arm| self.shares(at, &as_floats(&arm.handicaps))).collect();
        let mut meat = zeros(self.size());
        let mut groups = 0u64;
        for group in 0..GROUPS {
            let mut score = vec![0.0; self.size()];
            let mut games = 0;
            for (arm, (shares, features)) in self.arms.iter().zip(&fitted) {
                let (played, units) = &arm.groups[group];
                games += played;
                for seat in 0..self.seats {
                    let rest = units[seat] as f64 / SHARE_UNITS as f64 - *played as f64 * shares[seat];
                    score.iter_mut().zip(&features[seat]).for_each(|(sum, feature)| *sum += rest * feature);
                }
            }
            groups += (games > 0) as u64;
            add_outer(&mut meat, &score, 1.0);
        }
        if groups < FEW_BLOCKS {
            // Too few for a sandwich: as if each deal were one game in all.
            let games: f64 = self.arms.iter().map(|arm| arm.games()).sum();
            let scale = games / groups as f64;
            return Some(bread.iter().map(|row| row.iter().map(|cell| cell * scale).collect()).collect());
        }
        let correction = groups as f64 / (groups as f64 - 1.0);
        meat.iter_mut().flatten().for_each(|cell| *cell *= correction);
        Some(product(&product(&bread, &meat), &bread))
    }
}

fn dot(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).map(|(left, right)| left * right).sum()
}

fn as_floats(numbers: &[i64]) -> Vec<f64> {
    numbers.iter().map(|&number| number as f64).collect()
}

/// Fits the arms of a sweep and solves for the setting in which every seat wins its fair share.
///
/// Seats whose handicap the sweep never varied keep it, and set the standard for the others (if there are
/// several, their mean: what they differ by among themselves no other seat's handicap can mend). If all were
/// varied, the first seat keeps that of the first arm. Intervals have joint confidence `confidence`.
///
/// # Errors
/// [`HandicapError`] where the arms are too few, do not determine the fit, or a handicap has no clear effect.
pub fn fair_handicap(arms: &[HandicapArm], confidence: f64) -> Result<FairHandicap, HandicapError> {
    let arms: Vec<&HandicapArm> = arms.iter().filter(|arm| arm.games() > 0.0).collect();
    let Some(first) = arms.first() else { return Err(HandicapError::TooFewArms) };
    let seats = first.handicaps.len();
    if arms.len() < 2 || seats < 2 || arms.iter().any(|arm| arm.handicaps.len() != seats) {
        return Err(HandicapError::TooFewArms);
    }
    let varies = |&seat: &usize| arms.iter().any(|arm| arm.handicaps[seat] != first.handicaps[seat]);
    let varied: Vec<usize> = (0..seats).filter(varies).collect();
    let mean = |seat| arms.iter().map(|arm| arm.handicaps[seat] as f64).sum::<f64>() / arms.len() as f64;
    let sweep = Sweep { seats, varied: varied.clone(), centre: (0..seats).map(mean).collect(), arms };
    let (at, covariance) = sweep.fit().ok_or(HandicapError::Undetermined)?;
    let start = as_floats(&sweep.arms[0].handicaps);
    let mut standard: Vec<usize> = (0..seats).filter(|seat| !varied.contains(seat)).collect();
    if standard.is_empty() {
        standard.push(0);
    }
    // The log-weight that all shall have, as a combination of the parameters.
    let mut target = vec![0.0; sweep.size()];
    for &seat in &standard {
        let features = sweep.features(&start, seat);
        target.iter_mut().zip(features).for_each(|(sum, feature)| *sum += feature / standard.len() as f64);
    }
    let solved: Vec<usize> = varied.into_iter().filter(|seat| !standard.contains(seat)).collect();
    let z = simultaneous_z(confidence, solved.len());
    let mut exact = start.clone();
    let mut errors = vec![0.0; seats];
    let mut extrapolated = false;
    for &seat in &solved {
        let Some(slope) = sweep.slope(seat) else { continue };
        let (b, error) = (at[slope], covariance[slope][slope].max(0.0).sqrt());
        let clear = b.abs() > CLEAR_SLOPE * error + LEAST_SLOPE;
        if !clear {
            return Err(HandicapError::NoEffect { seat, slope: b, error });
        }
        let intercept = if seat > 0 { at[seat - 1] } else { 0.0 };
        let distance = (dot(&target, &at) - intercept) / b;
        exact[seat] = sweep.centre[seat] + distance;
        // Delta method: the derivative of (target - a) / b.
        let mut gradient: Vec<f64> = target.iter().map(|part| part / b).collect();
        if seat > 0 {
            gradient[seat - 1] -= 1.0 / b;
        }
        gradient[slope] -= distance / b;
        errors[seat] = quadratic(&covariance, &gradient).max(0.0).sqrt();
        let played = sweep.arms.iter().map(|arm| arm.handicaps[seat] as f64);
        let (least, most) = played.fold((f64::MAX, f64::MIN), |(least, most), x| (least.min(x), most.max(x)));
        extrapolated |= exact[seat] < least || exact[seat] > most;
    }
    let (integers, shares) = best_integers(&sweep, &at, &start, &exact, &solved);
    let fair = 1.0 / seats as f64;
    let worst = (0..seats).fold(0, |worst, seat| {
        if (shares[seat] - fair).abs() > (shares[worst] - fair).abs() + 1e-12 { seat } else { worst }
    });
    let (_, features) = sweep.shares(&at, &as_floats(&integers));
    let gradient: Vec<f64> = (0..sweep.size())
        .map(|index| {
            let mean: f64 = (0..seats).map(|seat| shares[seat] * features[seat][index]).sum();
            shares[worst] * (features[worst][index] - mean)
        })
        .collect();
    let misfit = sweep.arms.iter().flat_map(|arm| {
        let (shares, _) = sweep.shares(&at, &as_floats(&arm.handicaps));
        (0..seats).map(move |seat| (shares[seat] - arm.wins(seat) / arm.games()).abs()).collect::<Vec<_>>()
    });
    let misfit = misfit.fold(0.0, f64::max);
    let setting = |seat: usize| SeatSetting {
        exact: exact[seat],
        error: errors[seat],
        low: exact[seat] - z * errors[seat],
        high: exact[seat] + z * errors[seat],
        integer: integers[seat],
        share: shares[seat],
    };
    Ok(FairHandicap {
        seats: (0..seats).map(setting).collect(),
        unfairness: (shares[worst] - fair).abs(),
        unfairness_error: quadratic(&covariance, &gradient).max(0.0).sqrt(),
        extrapolated,
        misfit,
    })
}

/// The whole numbers near the exact solution whose shares are nearest to fair, and those shares.
fn best_integers(
    sweep: &Sweep<'_>,
    at: &[f64],
    start: &[f64],
    exact: &[f64],
    solved: &[usize],
) -> (Vec<i64>, Vec<f64>) {
    let fair = 1.0 / sweep.seats as f64;
    let mut best: Option<(f64, Vec<i64>, Vec<f64>)> = None;
    // Four candidates for each solved seat, counted through in base 4.
    for code in 0..4usize.pow(solved.len() as u32) {
        let mut candidate: Vec<i64> = start.iter().map(|&handicap| handicap as i64).collect();
        for (place, &seat) in solved.iter().enumerate() {
            candidate[seat] = exact[seat].floor() as i64 - 1 + (code >> (2 * place) & 3) as i64;
        }
        let (shares, _) = sweep.shares(at, &as_floats(&candidate));
        let unfairness = shares.iter().map(|share| (share - fair).abs()).fold(0.0, f64::max);
        if best.as_ref().is_none_or(|(least, ..)| unfairness < *least) {
            best = Some((unfairness, candidate, shares));
        }
    }
    let (_, integers, shares) = best.unwrap_or_default();
    (integers, shares)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::streams::Stream;

    fn softmax(logs: &[f64]) -> Vec<f64> {
        let sum: f64 = logs.iter().map(|log| log.exp()).sum();
        logs.iter().map(|log| log.exp() / sum).collect()
    }

    /// Arms whose counts are those the model expects, to the rounding of a unit.
    fn exact_arms(a: &[f64], b: &[f64], settings: &[&[i64]]) -> Vec<HandicapArm> {
        let arm = |handicaps: &&[i64]| {
            let logs: Vec<f64> =
                (0..a.len()).map(|seat| a[seat] + b[seat] * handicaps[seat] as f64).collect();
            let mut arm = HandicapArm::new(handicaps);
            for block in 0..256 {
                let units: Vec<u64> =
                    softmax(&logs).iter().map(|share| (share * 1e6 * 60.0).round() as u64).collect();
                arm.add_block(block, 1_000_000, &units);
            }
            arm
        };
        settings.iter().map(arm).collect()
    }

    #[test]
    fn two_seats_by_hand() {
        // logit p2 = -0.63 + 0.3 coins: fair at 2.1 coins, best at 2.
        let settings: Vec<[i64; 2]> = (0..=4).map(|coins| [0, coins]).collect();
        let settings: Vec<&[i64]> = settings.iter().map(|setting| &setting[..]).collect();
        let found = fair_handicap(&exact_arms(&[0.0, -0.63], &[0.0, 0.3], &settings), 0.95).unwrap();
        assert!((found.seats[1].exact - 2.1).abs() < 1e-5, "{found:?}");
        assert_eq!((found.seats[0].integer, found.seats[1].integer), (0, 2));
        assert_eq!(found.seats[0].error, 0.0);
        let share = 1.0 / (1.0 + (0.03f64).exp());
        assert!(
            (found.seats[1].share - share).abs() < 1e-6 && (found.unfairness - (0.5 - share)).abs() < 1e-6
        );
        assert!(!found.extrapolated && found.misfit < 1e-5);
    }

    #[test]
    fn four_seats_and_a_point_outside_what_was_played() {
        let (a, b) = ([0.0, -0.2, -0.4, -0.9], [0.1, 0.2, 0.25, 0.3]);
        let settings: [&[i64]; 6] =
            [&[5, 0, 0, 0], &[5, 1, 0, 2], &[5, 2, 1, 1], &[5, 0, 2, 2], &[5, 2, 2, 0], &[5, 1, 1, 1]];
        let found = fair_handicap(&exact_arms(&a, &b, &settings), 0.95).unwrap();
        // Seat 1 keeps its five: log-weight 0.5 for all.
        for (seat, expected) in [(1, 3.5), (2, 3.6), (3, 1.4 / 0.3)] {
            assert!((found.seats[seat].exact - expected).abs() < 1e-4, "{found:?}");
        }
        assert_eq!(found.seats[0].integer, 5);
        assert!(found.extrapolated);
        // No whole numbers nearby are fairer.
        for code in 0..27 {
            let near = [0, 4 + code / 9 - 1, 4 + code / 3 % 3 - 1, 5 + code % 3 - 1].map(|x| x as f64);
            let logs: Vec<f64> =
                (0..4).map(|seat| if seat == 0 { 0.5 } else { a[seat] + b[seat] * near[seat] }).collect();
            let unfairness = softmax(&logs).iter().map(|p| (p - 0.25).abs()).fold(0.0, f64::max);
            assert!(found.unfairness <= unfairness + 1e-6, "{found:?} {near:?}");
        }
    }

    /// Simulated blocks; with common deals, luck of the deal is in every arm.
    fn simulated(blocks: u64, slope: f64, seed: u64) -> Vec<HandicapArm> {
        let mut arms: Vec<HandicapArm> = (0..5).map(|coins| HandicapArm::new(&[0, coins])).collect();
        let mut stream = Stream::from_seed(seed);
        for block in 0..blocks {
            let luck = stream.unit();
            for (coins, arm) in arms.iter_mut().enumerate() {
                let p = 1.0 / (1.0 + (0.63 - slope * coins as f64).exp());
                let won = if luck < p { 60 } else { 0 };
                arm.add_block(block, 1, &[60 - won, won]);
            }
        }
        arms
    }

    #[test]
    fn intervals_hold_the_truth_and_shrink() {
        let few = fair_handicap(&simulated(2_000, 0.3, 5), 0.95).unwrap().seats[1];
        let many = fair_handicap(&simulated(50_000, 0.3, 6), 0.95).unwrap().seats[1];
        for found in [few, many] {
            assert!(found.low < 2.1 && 2.1 < found.high, "{found:?}");
        }
        let ratio = few.error / many.error;
        assert!((3.5..7.0).contains(&ratio), "{ratio}");
    }

    /// With common deals all arms move together: the level is less certain than from as many independent
    /// games, and errors that ignored it would be too small.
    #[test]
    fn covariance_across_arms_is_in_the_error() {
        let shared = fair_handicap(&simulated(20_000, 0.3, 7), 0.95).unwrap().seats[1];
        let mut apart = simulated(20_000, 0.3, 8);
        for (at, arm) in apart.iter_mut().enumerate() {
            *arm = simulated(20_000, 0.3, 100 + at as u64)[at].clone();
        }
        let apart = fair_handicap(&apart, 0.95).unwrap().seats[1];
        assert!(shared.error > 1.4 * apart.error, "{} {}", shared.error, apart.error);
    }

    #[test]
    fn sweeps_that_do_not_tell_are_refused() {
        assert_eq!(fair_handicap(&[], 0.95), Err(HandicapError::TooFewArms));
        let one = exact_arms(&[0.0, 0.1], &[0.0, 0.2], &[&[0, 1]]);
        assert_eq!(fair_handicap(&one, 0.95), Err(HandicapError::TooFewArms));
        let flat = simulated(2_000, 0.0, 9);
        assert!(matches!(fair_handicap(&flat, 0.95), Err(HandicapError::NoEffect { seat: 1, .. })));
        // One seat wins all in every arm.
        let mut won: Vec<HandicapArm> = (0..3).map(|coins| HandicapArm::new(&[0, coins])).collect();
        won.iter_mut().for_each(|arm| (0..100).for_each(|block| arm.add_block(block, 1, &[0, 60])));
        assert_eq!(fair_handicap(&won, 0.95), Err(HandicapError::Undetermined));
        // One block: nothing is clear.
        let mut single: Vec<HandicapArm> = (0..2).map(|coins| HandicapArm::new(&[0, coins])).collect();
        single.iter_mut().for_each(|arm| arm.add_block(0, 2, &[60, 60]));
        assert!(fair_handicap(&single, 0.95).is_err());
    }

    #[test]
    fn merging_is_adding() {
        let whole = simulated(1_000, 0.3, 11);
        let mut halves: Vec<HandicapArm> = (0..5).map(|coins| HandicapArm::new(&[0, coins])).collect();
        halves.iter_mut().zip(&whole).for_each(|(half, arm)| half.merge(arm));
        assert_eq!(whole, halves);
    }
}
