//! Confidence intervals for a proportion.

use statrs::distribution::{ContinuousCDF, Normal};

/// A confidence interval, both ends in [0, 1].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Interval {
    /// Whether the whole interval lies in `low..=high`.
    pub fn within(&self, low: f64, high: f64) -> bool {
        low <= self.low && self.high <= high
    }

    /// Whether the whole interval lies outside `low..=high`.
    pub fn outside(&self, low: f64, high: f64) -> bool {
        self.high < low || self.low > high
    }
}

/// Quantile of the standard normal distribution, `probability` in (0, 1).
pub fn quantile(probability: f64) -> f64 {
    Normal::standard().inverse_cdf(probability)
}

/// The z of a two-sided interval when `count` intervals are stated at once at joint confidence `confidence`
/// (Bonferroni): the quantile at 1 - alpha/(2 count).
pub fn simultaneous_z(confidence: f64, count: usize) -> f64 {
    quantile(1.0 - (1.0 - confidence) / (2.0 * count.max(1) as f64))
}

/// The score interval of Wilson (1927) for a proportion `p` of `n` independent trials, `n` > 0, clamped to
/// [0, 1].
pub fn wilson(p: f64, n: f64, z: f64) -> Interval {
    let z2 = z * z;
    let middle = p + z2 / (2.0 * n);
    let half = z * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
    let scale = 1.0 + z2 / n;
    // The interval always holds p; rounding alone could leave it outside at 0 and 1.
    Interval { low: ((middle - half) / scale).clamp(0.0, p), high: ((middle + half) / scale).clamp(p, 1.0) }
}

/// How many independent trials stand behind a Wilson interval: the `n` with which [`wilson`] gives back an
/// interval as long as `interval` around `p`. `None` if no number does (an interval of length 0 or 1).
pub fn effective_of(p: f64, interval: Interval, z: f64) -> Option<f64> {
    // With k = z²/n the half-width h obeys (h² - 1/4) k² + (2h² - p(1-p)) k + h² = 0.
    let half = (interval.high - interval.low) / 2.0;
    let (a, b, c) = (half * half - 0.25, 2.0 * half * half - p * (1.0 - p), half * half);
    if half <= 0.0 || a >= 0.0 {
        return None;
    }
    // a < 0 < c: just one root is positive.
    let k = (-b - (b * b - 4.0 * a * c).max(0.0).sqrt()) / (2.0 * a);
    (k > 0.0).then(|| z * z / k)
}

/// The two-sided p-value of the score test that belongs to the Wilson interval: how often a share of `null`
/// would show itself as far off as `p` in `n` independent trials.
pub fn score_test(p: f64, null: f64, n: f64) -> f64 {
    let z = (p - null).abs() / (null * (1.0 - null) / n).sqrt();
    2.0 * Normal::standard().cdf(-z)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_tells_its_trials() {
        for (p, n) in [(0.5, 40.0), (0.1, 100.0), (0.0, 30.0), (1.0, 12.0), (0.655, 1_830.5)] {
            let found = effective_of(p, wilson(p, n, 1.96), 1.96).unwrap();
            assert!((found / n - 1.0).abs() < 1e-9, "{p} {n}: {found}");
        }
        assert_eq!(effective_of(0.5, Interval { low: 0.5, high: 0.5 }, 1.96), None);
        assert_eq!(effective_of(0.5, Interval { low: 0.0, high: 1.0 }, 1.96), None);
    }

    /// A share is refused at the level at which the interval no longer holds it.
    #[test]
    fn the_score_test_is_the_other_face_of_the_interval() {
        let (p, n) = (0.62, 150.0);
        let z = quantile(0.975);
        for end in [wilson(p, n, z).low, wilson(p, n, z).high] {
            assert!((score_test(p, end, n) - 0.05).abs() < 1e-9);
        }
        assert_eq!(score_test(0.5, 0.5, 10.0), 1.0);
    }

    #[test]
    fn wilson_of_published_counts() {
        let ten = wilson(0.1, 100.0, 1.959_963_985);
        assert!((ten.low - 0.05523).abs() < 5e-6 && (ten.high - 0.17437).abs() < 5e-6, "{ten:?}");
        let all = wilson(1.0, 100.0, 1.959_963_985);
        assert!((all.low - 0.96301).abs() < 5e-6 && all.high == 1.0, "{all:?}");
    }

    #[test]
    fn wilson_is_symmetric_and_never_empty() {
        for wins in 0..=20 {
            let (p, q) = (wins as f64 / 20.0, 1.0 - wins as f64 / 20.0);
            let (left, right) = (wilson(p, 20.0, 1.96), wilson(q, 20.0, 1.96));
            assert!((left.low - (1.0 - right.high)).abs() < 1e-12);
            assert!(left.low < left.high && left.low <= p && p <= left.high);
        }
    }

    #[test]
    fn quantiles_of_the_tables() {
        assert!((quantile(0.975) - 1.959_963_984_540_054).abs() < 1e-9);
        assert!((simultaneous_z(0.95, 1) - quantile(0.975)).abs() < 1e-15);
        assert!((simultaneous_z(0.95, 2) - 2.241_402_727_604_945).abs() < 1e-9);
    }
}
