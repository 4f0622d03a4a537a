//! Best first: the one sort of the agents, compiled once and not anew for every list of every game.

use std::cmp::Ordering;

/// Sorts by falling worth. Equal worth keeps its order, so that ties go by the order of the rules; NaN is ordered
/// as [`f64::total_cmp`] has it. `worth` is asked once an item.
pub fn best_first<T>(items: &mut [T], worth: impl FnMut(&T) -> f64) {
    let mut order: Vec<(f64, usize)> = items.iter().map(worth).zip(0..).collect();
    falling(&mut order);
    for place in 0..items.len() {
        // What stood at the source may have been moved on by an earlier swap.
        let mut source = order[place].1;
        while source < place {
            source = order[source].1;
        }
        items.swap(place, source);
    }
}

fn falling(order: &mut [(f64, usize)]) {
    let compare = |left: &(f64, usize), right: &(f64, usize)| -> Ordering {
        right.0.total_cmp(&left.0).then(left.1.cmp(&right.1))
    };
    order.sort_unstable_by(compare);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn equals_a_stable_sort(worth in prop::collection::vec(0u8..6, 0..40)) {
            let mut items: Vec<(u8, usize)> = worth.into_iter().zip(0..).collect();
            let mut expected = items.clone();
            expected.sort_by_key(|item| std::cmp::Reverse(item.0));
            best_first(&mut items, |item| f64::from(item.0));
            prop_assert_eq!(items, expected);
        }
    }
}
