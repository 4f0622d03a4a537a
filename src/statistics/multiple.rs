//! Many questions at once: p-values adjusted for their number.
//!
//! Holm for claims (the chance of any false one stays below the level), Benjamini-Hochberg for screens (the
//! expected part of false ones among the findings does).

/// Order of the p-values, ascending; equal ones in their given order.
fn ascending(p_values: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&left, &right| p_values[left].total_cmp(&p_values[right]));
    order
}

/// The step-down method of Holm (1979): adjusted p-values in the given order. Those at or below a level can
/// be claimed at that level, all together.
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut adjusted = vec![1.0; p_values.len()];
    let mut most = 0.0f64;
    for (rank, &at) in ascending(p_values).iter().enumerate() {
        most = most.max(p_values[at] * (p_values.len() - rank) as f64).min(1.0);
        adjusted[at] = most;
    }
    adjusted
}

/// The step-up method of Benjamini and Hochberg (1995): adjusted p-values (q-values) in the given order.
pub fn benjamini_hochberg(p_values: &[f64]) -> Vec<f64> {
    let mut adjusted = vec![1.0; p_values.len()];
    let mut least = 1.0f64;
    for (rank, &at) in ascending(p_values).iter().enumerate().rev() {
        least = least.min(p_values[at] * p_values.len() as f64 / (rank + 1) as f64);
        adjusted[at] = least;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The fifteen p-values of the example in Benjamini and Hochberg (1995).
    const PUBLISHED: [f64; 15] = [
        0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719,
        0.6528, 0.7590, 1.0,
    ];

    #[test]
    fn the_published_example() {
        let found = |adjusted: Vec<f64>| adjusted.iter().filter(|&&p| p <= 0.05).count();
        assert_eq!(found(benjamini_hochberg(&PUBLISHED)), 4);
        assert_eq!(found(holm(&PUBLISHED)), 3);
        let holm = holm(&PUBLISHED);
        for (at, expected) in [(0, 0.0015), (1, 0.0056), (2, 0.0247), (3, 0.114)] {
            assert!((holm[at] - expected).abs() < 1e-12);
        }
    }

    #[test]
    fn order_does_not_matter_and_steps_never_fall() {
        assert_eq!(holm(&[0.04, 0.01, 0.03]), [0.06, 0.03, 0.06]);
        let adjusted = benjamini_hochberg(&[0.04, 0.01, 0.03]);
        assert!((adjusted[0] - 0.04).abs() < 1e-15 && (adjusted[1] - 0.03).abs() < 1e-15);
        assert!((adjusted[2] - 0.04).abs() < 1e-15);
        assert!(holm(&[]).is_empty() && benjamini_hochberg(&[]).is_empty());
    }

    proptest! {
        #[test]
        fn adjusted_values_lie_between_raw_and_one(p in proptest::collection::vec(0.0..=1.0f64, 0..12)) {
            for ((raw, holm), screened) in p.iter().zip(holm(&p)).zip(benjamini_hochberg(&p)) {
                prop_assert!(*raw <= screened + 1e-15 && screened <= holm + 1e-15 && holm <= 1.0);
            }
        }
    }
}
