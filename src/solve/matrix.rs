//! Zero-sum matrix games: pure choices where they are enough, the linear program of [`zero_sum`] otherwise.

use crate::agents::matrix::solve::{NormalForm, ZeroSum, zero_sum};

/// Rounds of regret matching, should rounding ever keep the linear program from ending.
const ROUNDS: u32 = 1_000_000;

/// Solves the game in which the row player, who chooses the greater, gets `payoffs[row * columns + column]`.
///
/// A saddle point in pure choices is found first and taken as it is. Payoffs are finite; there is at least one
/// row and one column.
pub fn solve_matrix(payoffs: &[f64], columns: usize) -> ZeroSum {
    let rows = payoffs.len() / columns;
    saddle_point(payoffs, rows, columns)
        .or_else(|| zero_sum(payoffs, columns))
        .unwrap_or_else(|| by_regret_matching(payoffs, rows, columns))
}

/// Near the equilibrium; what is missing shows as exploitability.
fn by_regret_matching(payoffs: &[f64], rows: usize, columns: usize) -> ZeroSum {
    let mut game = NormalForm::new(vec![rows, columns]);
    for (cell, &payoff) in payoffs.iter().enumerate() {
        game.payoffs_mut(cell).copy_from_slice(&[payoff, -payoff]);
    }
    let mut found = game.regret_matching(ROUNDS);
    let columns = found.mixes.pop().unwrap_or_default();
    let rows = found.mixes.pop().unwrap_or_default();
    ZeroSum { value: found.values[0], rows, columns }
}

fn saddle_point(payoffs: &[f64], rows: usize, columns: usize) -> Option<ZeroSum> {
    let entry = |row: usize, column: usize| payoffs[row * columns + column];
    let worst = |row: usize| (0..columns).map(|column| entry(row, column)).fold(f64::INFINITY, f64::min);
    let best = |column: usize| (0..rows).map(|row| entry(row, column)).fold(f64::NEG_INFINITY, f64::max);
    let row = (0..rows).reduce(|chosen, row| if worst(row) > worst(chosen) { row } else { chosen })?;
    let value = worst(row);
    let column = (0..columns).find(|&column| entry(row, column) == value && best(column) <= value)?;
    let pure = |count: usize, chosen: usize| {
        let mut mix = vec![0.0; count];
        mix[chosen] = 1.0;
        mix
    };
    Some(ZeroSum { value, rows: pure(rows, row), columns: pure(columns, column) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::streams::Stream;

    /// Neither side can do better than the value against the other's mix.
    fn assert_equilibrium(payoffs: &[f64], columns: usize) -> ZeroSum {
        let solution = solve_matrix(payoffs, columns);
        let rows = payoffs.len() / columns;
        let scale = payoffs.iter().fold(1.0_f64, |most, payoff| most.max(payoff.abs()));
        for mix in [&solution.rows, &solution.columns] {
            assert!(mix.iter().all(|&weight| weight >= 0.0));
            assert!((mix.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }
        for row in 0..rows {
            let worth: f64 = (0..columns).map(|c| payoffs[row * columns + c] * solution.columns[c]).sum();
            assert!(worth <= solution.value + 1e-9 * scale, "{payoffs:?}: {solution:?}");
        }
        for column in 0..columns {
            let worth: f64 = (0..rows).map(|r| payoffs[r * columns + column] * solution.rows[r]).sum();
            assert!(worth >= solution.value - 1e-9 * scale, "{payoffs:?}: {solution:?}");
        }
        solution
    }

    #[test]
    fn rock_paper_scissors_with_stakes() {
        let payoffs = [0.0, -50.0, 25.0, 50.0, 0.0, -100.0, -25.0, 100.0, 0.0];
        let solution = assert_equilibrium(&payoffs, 3);
        assert!(solution.value.abs() < 1e-12);
        for (weight, exact) in solution.rows.iter().zip([4.0 / 7.0, 1.0 / 7.0, 2.0 / 7.0]) {
            assert!((weight - exact).abs() < 1e-12, "{solution:?}");
        }
    }

    #[test]
    fn a_saddle_point_is_pure() {
        let solution = assert_equilibrium(&[3.0, 5.0, 1.0, 2.0], 2);
        assert_eq!(
            (solution.value, &solution.rows[..], &solution.columns[..]),
            (3.0, &[1.0, 0.0][..], &[1.0, 0.0][..])
        );
        assert_eq!(solve_matrix(&[7.0], 1).value, 7.0);
        assert_eq!(solve_matrix(&[2.0; 6], 3).value, 2.0);
    }

    #[test]
    fn regret_matching_would_come_near() {
        let payoffs = [0.0, -50.0, 25.0, 50.0, 0.0, -100.0, -25.0, 100.0, 0.0];
        let found = by_regret_matching(&payoffs, 3, 3);
        assert!(found.value.abs() < 1e-2, "{found:?}");
        for (weight, exact) in found.rows.iter().zip([4.0 / 7.0, 1.0 / 7.0, 2.0 / 7.0]) {
            assert!((weight - exact).abs() < 1e-3, "{found:?}");
        }
    }

    #[test]
    fn random_games_of_all_shapes_are_solved() {
        let mut stream = Stream::from_seed(1);
        for number in 0..2000 {
            let (rows, columns) = (1 + stream.below(8), 1 + stream.below(8));
            // Whole numbers of a small range make ties, the degenerate case.
            let span = if number % 2 == 0 { 4 } else { 1_000_000 };
            let payoffs: Vec<f64> =
                (0..rows * columns).map(|_| stream.below(span) as f64 - span as f64 / 2.0).collect();
            assert_equilibrium(&payoffs, columns);
        }
    }
}
