//! Small symmetric systems: Cholesky's factorisation, solutions and inverses. A fit here has at most a few
//! dozen parameters.

/// A square matrix by rows.
pub(super) type Matrix = Vec<Vec<f64>>;

/// A matrix of zeros.
pub(super) fn zeros(size: usize) -> Matrix {
    vec![vec![0.0; size]; size]
}

/// The lower factor L of a symmetric positive definite matrix, A = L Lᵀ. `None` if a pivot is not clearly
/// positive beside the diagonal of its row.
pub(super) fn cholesky(matrix: &Matrix) -> Option<Matrix> {
    let size = matrix.len();
    let mut lower = zeros(size);
    for row in 0..size {
        for column in 0..=row {
            let inner: f64 = (0..column).map(|k| lower[row][k] * lower[column][k]).sum();
            let rest = matrix[row][column] - inner;
            lower[row][column] = if row != column {
                rest / lower[column][column]
            } else if rest > 1e-12 * matrix[row][row] {
                rest.sqrt()
            } else {
                return None;
            };
        }
    }
    Some(lower)
}

/// Solves A x = b from the factor of A.
pub(super) fn solve(lower: &Matrix, right: &[f64]) -> Vec<f64> {
    let size = lower.len();
    let mut x = right.to_vec();
    for row in 0..size {
        let inner: f64 = (0..row).map(|k| lower[row][k] * x[k]).sum();
        x[row] = (x[row] - inner) / lower[row][row];
    }
    for row in (0..size).rev() {
        let inner: f64 = (row + 1..size).map(|k| lower[k][row] * x[k]).sum();
        x[row] = (x[row] - inner) / lower[row][row];
    }
    x
}

/// The inverse of A from its factor.
pub(super) fn inverse(lower: &Matrix) -> Matrix {
    let unit = |at: usize| (0..lower.len()).map(move |row| (row == at) as u8 as f64).collect::<Vec<_>>();
    (0..lower.len()).map(|at| solve(lower, &unit(at))).collect()
}

/// A B.
pub(super) fn product(left: &Matrix, right: &Matrix) -> Matrix {
    let size = left.len();
    let mut out = zeros(size);
    for (row, sums) in left.iter().zip(&mut out) {
        for (factor, other) in row.iter().zip(right) {
            sums.iter_mut().zip(other).for_each(|(sum, value)| *sum += factor * value);
        }
    }
    out
}

/// Adds weight · x xᵀ.
pub(super) fn add_outer(matrix: &mut Matrix, x: &[f64], weight: f64) {
    for (row, &left) in matrix.iter_mut().zip(x) {
        if left != 0.0 {
            row.iter_mut().zip(x).for_each(|(cell, &right)| *cell += weight * left * right);
        }
    }
}

/// xᵀ A x.
pub(super) fn quadratic(matrix: &Matrix, x: &[f64]) -> f64 {
    let row = |row: &Vec<f64>| row.iter().zip(x).map(|(cell, x)| cell * x).sum::<f64>();
    matrix.iter().zip(x).map(|(cells, x)| x * row(cells)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverts() {
        let matrix = vec![vec![4.0, 2.0, 0.5], vec![2.0, 3.0, -1.0], vec![0.5, -1.0, 2.0]];
        let lower = cholesky(&matrix).unwrap();
        let unit = product(&matrix, &inverse(&lower));
        for (row, cells) in unit.iter().enumerate() {
            for (column, cell) in cells.iter().enumerate() {
                assert!((cell - (row == column) as u8 as f64).abs() < 1e-12);
            }
        }
        assert!((quadratic(&matrix, &[1.0, -1.0, 2.0]) - 17.0).abs() < 1e-12);
    }

    #[test]
    fn singular_matrices_are_told() {
        assert_eq!(cholesky(&vec![vec![1.0, 1.0], vec![1.0, 1.0]]), None);
        assert_eq!(cholesky(&vec![vec![0.0]]), None);
    }
}
