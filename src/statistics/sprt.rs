//! Sequential tests between two hypotheses on a player's strength, on block scores.
//!
//! The generalised sequential probability ratio test (GSPRT) of Michel van den Bergh as fishtest and
//! fastchess use it: the log-likelihood ratio of the two most likely score distributions that have the
//! hypothetical means (or normalised means), against the bounds of Wald (1945). Nothing is supposed about the
//! shape of the scores: the family is the empirical distribution tilted, so that two seats (pentanomial) and
//! n seats (block scores against 1/n) are the same computation.

use std::fmt;

use super::elo::share_of_elo;
use super::scores::{BlockScores, NORMALISED_ELO_PER_SIGMA};
use crate::game::SHARE_UNITS;

/// What an empty cell counts for: keeps every hypothesis possible.
const EMPTY_CELL: f64 = 1e-3;

/// In which unit the hypotheses are stated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Model {
    /// Elo of the win share (logistic).
    #[default]
    Logistic,
    /// Distance from the fair share in standard deviations of a game, on the Elo scale.
    Normalised,
}

impl fmt::Display for Model {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(match self {
            Model::Logistic => "logistic",
            Model::Normalised => "normalised",
        })
    }
}

/// Where a test stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// Between the bounds: play on.
    Continue,
    /// At or below the lower bound: not stronger by as much as the upper hypothesis says.
    AcceptH0,
    /// At or above the upper bound: stronger.
    AcceptH1,
}

/// A test that cannot be.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum SprtError {
    /// The hypotheses are not in order.
    #[error("the hypotheses must be in order: elo0 = {elo0} is not below elo1 = {elo1}")]
    Order {
        /// Lower hypothesis.
        elo0: f64,
        /// Upper hypothesis.
        elo1: f64,
    },
    /// A hypothesis beyond what can be tested.
    #[error("an Elo of {} is out of range: expected -1000 to 1000", short(*.0))]
    Elo(f64),
    /// An error rate out of range.
    #[error("{name} = {value} is out of range: expected more than 0 and less than 0.5")]
    Rate {
        /// Which.
        name: &'static str,
        /// Its value.
        value: f64,
    },
}

/// A sequential test of H0 (the Elo is `elo0`) against H1 (it is `elo1`).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    model: Model,
    alpha: f64,
    beta: f64,
}

/// A number as it is, or in powers of ten where that would fill the line.
fn short(number: f64) -> String {
    if number.abs() < 1e15 { number.to_string() } else { format!("{number:e}") }
}

impl Sprt {
    /// A test that accepts H1 wrongly at most at rate `alpha` and H0 wrongly at most at rate `beta` (to
    /// Wald's approximation, and large numbers of blocks).
    ///
    /// # Errors
    /// [`SprtError`] where `elo0 >= elo1`, an Elo lies beyond ±1,000, or a rate outside (0, 0.5).
    pub fn new(elo0: f64, elo1: f64, model: Model, alpha: f64, beta: f64) -> Result<Sprt, SprtError> {
        for elo in [elo0, elo1] {
            if !(-1000.0..=1000.0).contains(&elo) {
                return Err(SprtError::Elo(elo));
            }
        }
        if elo0 >= elo1 {
            return Err(SprtError::Order { elo0, elo1 });
        }
        for (name, value) in [("alpha", alpha), ("beta", beta)] {
            if !(value > 0.0 && value < 0.5) {
                return Err(SprtError::Rate { name, value });
            }
        }
        Ok(Sprt { elo0, elo1, model, alpha, beta })
    }

    /// The two hypotheses.
    pub fn hypotheses(&self) -> (f64, f64) {
        (self.elo0, self.elo1)
    }

    /// The error rates α and β.
    pub fn errors(&self) -> (f64, f64) {
        (self.alpha, self.beta)
    }

    /// The unit of the hypotheses.
    pub fn model(&self) -> Model {
        self.model
    }

    /// The bounds of Wald (1945): ln(β/(1-α)) and ln((1-β)/α).
    pub fn bounds(&self) -> (f64, f64) {
        (libm::log(self.beta / (1.0 - self.alpha)), libm::log((1.0 - self.beta) / self.alpha))
    }

    /// The log-likelihood ratio of H1 to H0, N Σ p̂ ln(p¹/p⁰); 0 without a block. `None` where a hypothesis
    /// cannot be met by any distribution over these scores (a normalised Elo far out, few blocks).
    pub fn llr(&self, scores: &BlockScores) -> Option<f64> {
        if scores.blocks() == 0 {
            return Some(0.0);
        }
        let cells = cells(scores);
        let total: f64 = cells.iter().map(|cell| cell.1).sum();
        let observed: Vec<(f64, f64)> = cells.iter().map(|&(score, count)| (score, count / total)).collect();
        let likely = |elo: f64| match self.model {
            Model::Logistic => with_mean(&observed, share_of_elo(elo, scores.seats())),
            Model::Normalised => {
                let games = scores.games_per_block() as f64;
                let t = elo / NORMALISED_ELO_PER_SIGMA * games.sqrt();
                with_t_value(&observed, scores.fair(), t)
            }
        };
        let (null, other) = (likely(self.elo0)?, likely(self.elo1)?);
        let sum: f64 = observed
            .iter()
            .zip(null.iter().zip(&other))
            .map(|(&(_, p), (&p0, &p1))| p * libm::log(p1 / p0))
            .sum();
        Some(total * sum).filter(|llr| llr.is_finite())
    }

    /// What a log-likelihood ratio says.
    pub fn decide(&self, llr: Option<f64>) -> Decision {
        let (low, high) = self.bounds();
        match llr {
            Some(llr) if llr <= low => Decision::AcceptH0,
            Some(llr) if llr >= high => Decision::AcceptH1,
            _ => Decision::Continue,
        }
    }
}

/// Scores with their counts, ascending. Pairs at two seats have their five cells, other blocks those seen and
/// the two ends; an empty one counts a little.
fn cells(scores: &BlockScores) -> Vec<(f64, f64)> {
    let most = scores.most();
    let mut units: Vec<u32> = match (scores.seats(), scores.games_per_block()) {
        (2, 2) => (0..=4).map(|quarter| quarter * SHARE_UNITS / 2).collect(),
        _ => vec![0, most],
    };
    let mut counts: std::collections::BTreeMap<u32, f64> =
        units.drain(..).map(|units| (units, EMPTY_CELL)).collect();
    for (units, blocks) in scores.counts() {
        counts.insert(units, blocks as f64);
    }
    counts.into_iter().map(|(units, count)| (units as f64 / most as f64, count)).collect()
}

/// The root θ of Σ p a/(1 + θ a) = 0 with all 1 + θ a positive (van den Bergh's secular equation), `None`
/// if the values do not lie on both sides of 0. By bisection: the sum falls in θ.
fn secular(values: &[(f64, f64)]) -> Option<f64> {
    let least = values.iter().map(|value| value.0).fold(f64::INFINITY, f64::min);
    let most = values.iter().map(|value| value.0).fold(f64::NEG_INFINITY, f64::max);
    if !(least < 0.0 && most > 0.0) {
        return None;
    }
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    for _ in 0..200 {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            break;
        }
        let sum: f64 = values.iter().map(|&(a, p)| p * a / (1.0 + middle * a)).sum();
        match sum > 0.0 {
            true => low = middle,
            false => high = middle,
        }
    }
    Some(low + (high - low) / 2.0)
}

/// Probabilities of the most likely distribution with mean `mean`: p̂/(1 + θ (a - mean)).
fn with_mean(observed: &[(f64, f64)], mean: f64) -> Option<Vec<f64>> {
    let values: Vec<(f64, f64)> = observed.iter().map(|&(a, p)| (a - mean, p)).collect();
    let theta = secular(&values)?;
    Some(values.iter().map(|&(a, p)| p / (1.0 + theta * a)).collect())
}

/// Probabilities of the most likely distribution with (mean - `fair`)/σ = `t`, by iterating the linearised
/// condition (van den Bergh, "Comments on normalized Elo", proposition 4.1).
fn with_t_value(observed: &[(f64, f64)], fair: f64, t: f64) -> Option<Vec<f64>> {
    let mut likely = vec![1.0 / observed.len() as f64; observed.len()];
    for _ in 0..100 {
        let mean: f64 = observed.iter().zip(&likely).map(|(cell, p)| cell.0 * p).sum();
        let variance: f64 =
            observed.iter().zip(&likely).map(|(cell, p)| (cell.0 - mean) * (cell.0 - mean) * p).sum();
        let sigma = variance.sqrt();
        if sigma <= 0.0 {
            return None;
        }
        let value = |a: f64| {
            let distance = (mean - a) / sigma;
            a - fair - t * sigma * (1.0 + distance * distance) / 2.0
        };
        let values: Vec<(f64, f64)> = observed.iter().map(|&(a, p)| (value(a), p)).collect();
        let theta = secular(&values)?;
        let next: Vec<f64> = values.iter().map(|&(a, p)| p / (1.0 + theta * a)).collect();
        let change = likely.iter().zip(&next).map(|(old, new)| (old - new).abs()).fold(0.0, f64::max);
        likely = next;
        if change < 1e-12 {
            break;
        }
    }
    Some(likely)
}

#[cfg(test)]
mod tests {
    use super::super::elo::elo_of_share;
    use super::super::pairs::Pentanomial;
    use super::*;
    use proptest::prelude::*;

    fn llr(model: Model, elo0: f64, elo1: f64, scores: &BlockScores) -> f64 {
        Sprt::new(elo0, elo1, model, 0.05, 0.05).unwrap().llr(scores).unwrap()
    }

    /// [13, 37, 50, 25, 3] with [0, 4] in normalised Elo: -0.549; and -0.538 in the logistic model, with the
    /// upper hypothesis turned into the win share ½ + t σ̂ (2.7 logistic Elo).
    #[test]
    fn worked_ratios() {
        let scores = Pentanomial([13, 37, 50, 25, 3]).scores();
        let normalised = llr(Model::Normalised, 0.0, 4.0, &scores);
        assert!((normalised + 0.549).abs() < 0.0005, "{normalised}");
        let t = 4.0 / NORMALISED_ELO_PER_SIGMA * 2f64.sqrt();
        let share = 0.5 + t * scores.variance().unwrap().sqrt();
        let logistic = llr(Model::Logistic, 0.0, elo_of_share(share, 2).unwrap(), &scores);
        assert!((logistic + 0.538).abs() < 0.0005, "{logistic}");
    }

    /// Ratios that fastchess tests itself against, to their two decimals: pairs, and games for themselves.
    #[test]
    fn published_ratios() {
        let pairs = |model, elos: [f64; 2], counts: [u64; 5], expected: f64| {
            let found = llr(model, elos[0], elos[1], &Pentanomial(counts).scores());
            assert!((found - expected).abs() < 0.0051, "{found} {expected}");
        };
        pairs(Model::Normalised, [0.0, 2.0], [365, 16_618, 36_229, 16_974, 390], 2.25);
        pairs(Model::Normalised, [-1.75, 0.25], [127, 4_883, 10_712, 5_150, 104], 3.01);
        pairs(Model::Logistic, [0.5, 2.5], [223, 9_863, 21_279, 10_037, 246], -3.07);
        pairs(Model::Logistic, [0.0, 2.0], [871, 26_175, 55_983, 26_678, 821], -4.98);
        let games = |model, elos: [f64; 2], counts: [u64; 3], expected: f64| {
            let mut scores = BlockScores::new(2, 1);
            counts.iter().zip([0, 30, 60]).for_each(|(&count, units)| scores.add(units, count));
            let found = llr(model, elos[0], elos[1], &scores);
            assert!((found - expected).abs() < 0.0051, "{found} {expected}");
        };
        games(Model::Normalised, [0.0, 2.0], [36_027, 68_692, 36_433], 0.92);
        games(Model::Normalised, [-1.75, 0.25], [10_650, 20_431, 10_871], 2.30);
        games(Model::Logistic, [0.5, 2.5], [21_184, 40_708, 21_404], -1.57);
        games(Model::Logistic, [0.0, 2.0], [57_030, 106_593, 57_433], -2.59);
    }

    #[test]
    fn bounds_of_wald() {
        let (low, high) = Sprt::new(0.0, 5.0, Model::Logistic, 0.05, 0.05).unwrap().bounds();
        assert!((high - 2.944_438_979).abs() < 1e-8 && (low + 2.944_438_979).abs() < 1e-8);
    }

    #[test]
    fn a_test_that_cannot_be_is_refused() {
        let new = |elo0, elo1, alpha, beta| Sprt::new(elo0, elo1, Model::Logistic, alpha, beta);
        assert!(matches!(new(5.0, 5.0, 0.05, 0.05), Err(SprtError::Order { .. })));
        assert!(matches!(new(0.0, f64::NAN, 0.05, 0.05), Err(SprtError::Elo(_))));
        assert!(matches!(new(0.0, f64::INFINITY, 0.05, 0.05), Err(SprtError::Elo(_))));
        assert!(matches!(new(0.0, 5.0, 0.0, 0.05), Err(SprtError::Rate { name: "alpha", .. })));
        assert!(matches!(new(0.0, 5.0, 0.05, f64::NAN), Err(SprtError::Rate { name: "beta", .. })));
    }

    #[test]
    fn perfect_scores_and_single_blocks_give_finite_ratios() {
        for model in [Model::Logistic, Model::Normalised] {
            for counts in [[0, 0, 0, 0, 1], [1, 0, 0, 0, 0], [0, 0, 0, 0, 100_000], [0, 0, 500, 0, 0]] {
                let scores = Pentanomial(counts).scores();
                let test = Sprt::new(0.0, 10.0, model, 0.05, 0.05).unwrap();
                assert!(test.llr(&scores).is_none_or(f64::is_finite), "{model} {counts:?}");
            }
            let won = llr(model, 0.0, 10.0, &Pentanomial([0, 0, 0, 0, 1_000]).scores());
            let lost = llr(model, 0.0, 10.0, &Pentanomial([1_000, 0, 0, 0, 0]).scores());
            assert!(won > 1.0 && lost < -1.0, "{model} {won} {lost}");
        }
        assert_eq!(llr(Model::Logistic, 0.0, 10.0, &BlockScores::new(2, 2)), 0.0);
    }

    /// With two scores only, the most likely distribution with a given mean has no freedom: the ratio is that
    /// of two binomials, N (p ln(p1/p0) + q ln(q1/q0)).
    #[test]
    fn the_binomial_case_is_exact() {
        let mut scores = BlockScores::new(4, 1);
        scores.add(0, 70);
        scores.add(60, 30);
        let (p0, p1) = (share_of_elo(0.0, 4), share_of_elo(50.0, 4));
        let expected = 30.0 * (p1 / p0).ln() + 70.0 * ((1.0 - p1) / (1.0 - p0)).ln();
        assert!((llr(Model::Logistic, 0.0, 50.0, &scores) - expected).abs() < 1e-9);
    }

    /// Near the hypotheses the ratio is close to the normal approximation
    /// (s1 - s0)(2 μ - s0 - s1) N / (2 σ²), also at a table of four.
    #[test]
    fn four_seats_agree_with_the_normal_approximation() {
        let mut scores = BlockScores::new(4, 4);
        for (units, blocks) in [(0, 2_500), (30, 400), (60, 4_300), (120, 2_000), (180, 300), (240, 30)] {
            scores.add(units, blocks);
        }
        let (mean, variance) = (scores.mean().unwrap(), scores.variance().unwrap());
        let (s0, s1) = (share_of_elo(0.0, 4), share_of_elo(10.0, 4));
        let normal = (s1 - s0) * (2.0 * mean - s0 - s1) * scores.blocks() as f64 / (2.0 * variance);
        let found = llr(Model::Logistic, 0.0, 10.0, &scores);
        assert!((found - normal).abs() < 0.05 * normal.abs(), "{found} {normal}");
    }

    proptest! {
        /// Exchanging the players and the hypotheses turns the ratio round.
        #[test]
        fn antisymmetric(counts in proptest::array::uniform5(0u64..400), elo in 1.0..30.0f64) {
            prop_assume!(counts.iter().sum::<u64>() > 0);
            for model in [Model::Logistic, Model::Normalised] {
                let (here, there) = (Pentanomial(counts), Pentanomial(counts).reversed());
                let test = |elo0, elo1| Sprt::new(elo0, elo1, model, 0.05, 0.05).unwrap();
                let one = test(0.0, elo).llr(&here.scores());
                let other = test(-elo, 0.0).llr(&there.scores());
                if let (Some(one), Some(other)) = (one, other) {
                    prop_assert!((one + other).abs() < 1e-6 * (1.0 + one.abs()), "{one} {other}");
                }
            }
        }
    }
}
