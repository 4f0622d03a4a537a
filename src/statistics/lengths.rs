//! Percentiles of a histogram.

use std::collections::BTreeMap;

/// The smallest value with at least the part `part` (0 to 1) of all counts at or below it (nearest rank);
/// `None` where nothing was counted.
pub fn percentile(histogram: &BTreeMap<u32, u64>, part: f64) -> Option<u32> {
    let total: u64 = histogram.values().sum();
    let wanted = ((part.clamp(0.0, 1.0) * total as f64).ceil() as u64).max(1);
    let mut seen = 0;
    for (&value, &count) in histogram {
        seen += count;
        if seen >= wanted {
            return Some(value);
        }
    }
    histogram.keys().next_back().copied().filter(|_| total > 0)
}

/// Median, 5th and 95th percentile of game lengths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lengths {
    /// 5 % are at most so long.
    pub p5: u32,
    /// Half are at most so long.
    pub median: u32,
    /// 95 % are at most so long.
    pub p95: u32,
}

/// The lengths of a histogram, `None` if it is empty.
pub fn lengths(histogram: &BTreeMap<u32, u64>) -> Option<Lengths> {
    let at = |part| percentile(histogram, part);
    Some(Lengths { p5: at(0.05)?, median: at(0.5)?, p95: at(0.95)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_rank() {
        let even: BTreeMap<u32, u64> = (1..=100).map(|length| (length, 3)).collect();
        assert_eq!(lengths(&even), Some(Lengths { p5: 5, median: 50, p95: 95 }));
        assert_eq!((percentile(&even, 0.0), percentile(&even, 1.0)), (Some(1), Some(100)));
        let one = BTreeMap::from([(7, 1)]);
        assert_eq!(lengths(&one), Some(Lengths { p5: 7, median: 7, p95: 7 }));
        assert_eq!(lengths(&BTreeMap::new()), None);
        assert_eq!(lengths(&BTreeMap::from([(3, 0)])), None);
    }
}
