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

#[cfg(test)]
mod tests {
    use super::*;

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
