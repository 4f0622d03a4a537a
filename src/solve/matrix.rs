//! Zero-sum matrix games, exactly: the simplex method on the column player's linear program (Dantzig 1951),
//! with Bland's rule, so that it always ends.

/// The solution of a matrix game.
#[derive(Clone, PartialEq, Debug)]
pub struct MatrixSolution {
    /// What the row player gets when both play well.
    pub value: f64,
    /// Probability of each row.
    pub rows: Vec<f64>,
    /// Probability of each column.
    pub columns: Vec<f64>,
}

/// Numbers nearer to 0 than this are taken for it, after payoffs were scaled to 1..2.
const ZERO: f64 = 1e-12;

/// Solves the game in which the row player, who chooses the greater, gets `payoffs[row * columns + column]`.
///
/// A saddle point in pure choices is found first and taken as it is. Payoffs are finite; there is at least one
/// row and one column.
pub fn solve_matrix(payoffs: &[f64], columns: usize) -> MatrixSolution {
    let rows = payoffs.len() / columns;
    if let Some(solution) = saddle_point(payoffs, rows, columns) {
        return solution;
    }
    let least = payoffs.iter().copied().fold(f64::INFINITY, f64::min);
    let range = payoffs.iter().copied().fold(f64::NEG_INFINITY, f64::max) - least;
    // The column player's program: maximise the sum of y >= 0 under A y <= 1, A scaled to 1..2. Each line of
    // the table is a constraint with its slack; the last line holds what a unit of each variable still brings.
    let width = columns + rows + 1;
    let mut table = vec![0.0; (rows + 1) * width];
    for row in 0..rows {
        for column in 0..columns {
            table[row * width + column] = 1.0 + (payoffs[row * columns + column] - least) / range;
        }
        table[row * width + columns + row] = 1.0;
        table[row * width + width - 1] = 1.0;
    }
    table[rows * width..rows * width + columns].fill(1.0);
    let mut basis: Vec<usize> = (columns..columns + rows).collect();
    while let Some(enter) = (0..width - 1).find(|&variable| table[rows * width + variable] > ZERO) {
        // The least ratio; among equal ones the least variable (Bland).
        let mut leave: Option<(f64, usize)> = None;
        for row in 0..rows {
            let pivot = table[row * width + enter];
            if pivot > ZERO {
                let ratio = table[row * width + width - 1] / pivot;
                let better = leave.is_none_or(|(least, best)| {
                    ratio < least - ZERO || ratio <= least + ZERO && basis[row] < basis[best]
                });
                if better {
                    leave = Some((ratio, row));
                }
            }
        }
        // All entries of A are positive, so no variable can grow for ever.
        let Some((_, leave)) = leave else { break };
        let pivot = table[leave * width + enter];
        table[leave * width..(leave + 1) * width].iter_mut().for_each(|entry| *entry /= pivot);
        let pivot_row = table[leave * width..(leave + 1) * width].to_vec();
        for row in (0..=rows).filter(|&row| row != leave) {
            let factor = table[row * width + enter];
            if factor != 0.0 {
                let line = &mut table[row * width..(row + 1) * width];
                line.iter_mut().zip(&pivot_row).for_each(|(entry, pivot)| *entry -= factor * pivot);
            }
        }
        basis[leave] = enter;
    }
    let sum = -table[rows * width + width - 1];
    let scale = |weight: f64| (weight / sum).max(0.0);
    let mut column_mix = vec![0.0; columns];
    for (row, &variable) in basis.iter().enumerate() {
        if variable < columns {
            column_mix[variable] = scale(table[row * width + width - 1]);
        }
    }
    // The row player's mix is the dual solution: the prices of the slacks.
    let mut row_mix: Vec<f64> = (0..rows).map(|row| scale(-table[rows * width + columns + row])).collect();
    normalise(&mut row_mix);
    normalise(&mut column_mix);
    MatrixSolution { value: (1.0 / sum - 1.0) * range + least, rows: row_mix, columns: column_mix }
}

fn normalise(mix: &mut [f64]) {
    let sum: f64 = mix.iter().sum();
    mix.iter_mut().for_each(|weight| *weight /= sum);
}

fn saddle_point(payoffs: &[f64], rows: usize, columns: usize) -> Option<MatrixSolution> {
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
    Some(MatrixSolution { value, rows: pure(rows, row), columns: pure(columns, column) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::streams::Stream;

    /// Neither side can do better than the value against the other's mix.
    fn assert_equilibrium(payoffs: &[f64], columns: usize) -> MatrixSolution {
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
