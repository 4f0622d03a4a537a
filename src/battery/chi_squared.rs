//! Chi-squared: how likely a deviation of counts from what was expected would be by chance.

use statrs::function::gamma::gamma_ur;

/// Cells with fewer expected hits than this are poured together.
const LEAST_EXPECTED: f64 = 10.0;

/// The probability that chi-squared with `freedom` degrees of freedom is at least `statistic`.
pub fn p_value(statistic: f64, freedom: usize) -> f64 {
    if freedom == 0 || statistic <= 0.0 {
        return 1.0;
    }
    gamma_ur(freedom as f64 / 2.0, statistic / 2.0)
}

/// Pearson's test of `counts` against `probabilities` that add to 1. Rare cells are poured together first;
/// with fewer than two cells left there is nothing to test, and the answer is 1.
pub fn goodness_of_fit(counts: &[u64], probabilities: impl IntoIterator<Item = f64>) -> f64 {
    let total = counts.iter().sum::<u64>() as f64;
    let (mut statistic, mut cells) = (0.0, 0);
    let (mut rare_count, mut rare_expected) = (0.0, 0.0);
    let mut cell = |count: f64, expected: f64| {
        statistic += (count - expected).powi(2) / expected;
        cells += 1;
    };
    for (&count, probability) in counts.iter().zip(probabilities) {
        let expected = total * probability;
        if expected >= LEAST_EXPECTED {
            cell(count as f64, expected);
        } else {
            rare_count += count as f64;
            rare_expected += expected;
        }
    }
    if rare_expected >= LEAST_EXPECTED {
        cell(rare_count, rare_expected);
    }
    p_value(statistic, usize::saturating_sub(cells, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against printed tables of the distribution.
    #[test]
    fn tail_probabilities() {
        for (statistic, freedom, p) in
            [(3.841, 1, 0.05), (6.635, 1, 0.01), (11.070, 5, 0.05), (20.515, 5, 0.001), (18.307, 10, 0.05)]
        {
            assert!((p_value(statistic, freedom) / p - 1.0).abs() < 2e-3, "{statistic} {freedom}");
        }
        // Two degrees of freedom: exactly exp(-x / 2).
        assert!((p_value(40.0, 2) / (-20.0_f64).exp() - 1.0).abs() < 1e-9);
        assert_eq!((p_value(0.0, 5), p_value(7.0, 0)), (1.0, 1.0));
    }

    #[test]
    fn a_loaded_die_stands_out_and_a_fair_one_does_not() {
        let sixth = [1.0 / 6.0; 6];
        assert!(goodness_of_fit(&[100, 104, 97, 92, 108, 99], sixth) > 0.5);
        assert!(goodness_of_fit(&[190, 200, 210, 190, 205, 405], sixth) < 1e-6);
    }

    #[test]
    fn rare_cells_are_poured_together() {
        // Expected 0.5 each alone, 50 together: a hundred cells, of which one took everything.
        let mut counts = [0; 101];
        (counts[0], counts[100]) = (50, 950);
        let probabilities = || (0..101).map(|cell| if cell == 100 { 0.95 } else { 0.0005 });
        assert!(goodness_of_fit(&counts, probabilities()) > 0.9);
        counts[0] = 150;
        counts[100] = 850;
        assert!(goodness_of_fit(&counts, probabilities()) < 1e-6);
    }
}
