//! One-shot games in normal form: exact for two seats with a constant sum, regret matching otherwise.

/// Entries nearer than this are equal: sums over chance round differently on equal payoffs.
const NEAR: f64 = 1e-9;

/// A game in normal form: what each player gets for each joint choice.
///
/// Joint choices are numbered like the digits of a number: the last player's choice runs fastest.
#[derive(Clone, PartialEq, Debug)]
pub struct NormalForm {
    sizes: Vec<usize>,
    payoffs: Vec<f64>,
}

/// A mix for each player, and what each player gets from it.
#[derive(Clone, PartialEq, Debug)]
pub struct Solution {
    /// For each player, the probability of each choice.
    pub mixes: Vec<Vec<f64>>,
    /// For each player, the expected payoff.
    pub values: Vec<f64>,
    /// Whether the mixes are an equilibrium up to rounding.
    pub exact: bool,
}

impl NormalForm {
    /// A game in which all payoffs are 0; `sizes` says how many choices (at least one) each player has.
    pub fn new(sizes: Vec<usize>) -> NormalForm {
        let cells: usize = sizes.iter().product();
        NormalForm { payoffs: vec![0.0; cells * sizes.len()], sizes }
    }

    /// How many joint choices there are.
    pub fn cells(&self) -> usize {
        self.sizes.iter().product()
    }

    /// Fills `out` with the choice of each player in a joint choice.
    pub fn joint(&self, cell: usize, out: &mut Vec<usize>) {
        out.clear();
        out.resize(self.sizes.len(), 0);
        let mut rest = cell;
        for (choice, size) in out.iter_mut().zip(&self.sizes).rev() {
            *choice = rest % size;
            rest /= size;
        }
    }

    /// What each player gets for a joint choice.
    pub fn payoffs(&self, cell: usize) -> &[f64] {
        &self.payoffs[cell * self.sizes.len()..][..self.sizes.len()]
    }

    /// The same, to be set.
    pub fn payoffs_mut(&mut self, cell: usize) -> &mut [f64] {
        let players = self.sizes.len();
        &mut self.payoffs[cell * players..][..players]
    }

    /// Whether what one of two players wins the other loses, up to a constant.
    fn has_constant_sum(&self) -> bool {
        let sums = (0..self.cells()).map(|cell| self.payoffs(cell).iter().sum::<f64>());
        let low = sums.clone().fold(f64::INFINITY, f64::min);
        let high = sums.fold(f64::NEG_INFINITY, f64::max);
        let scale = self.payoffs.iter().fold(1.0, |scale: f64, payoff| scale.max(payoff.abs()));
        high - low <= NEAR * scale
    }

    /// Solves the game: by the simplex method if there are two players and the sum is constant, by `rounds`
    /// of regret matching if not.
    pub fn solve(&self, rounds: u32) -> Solution {
        if self.sizes.len() == 2
            && self.has_constant_sum()
            && let Some(solution) = self.simplex()
        {
            return solution;
        }
        self.regret_matching(rounds)
    }

    /// The expected payoffs of mixes.
    fn worth(&self, mixes: &[Vec<f64>]) -> Vec<f64> {
        let mut values = vec![0.0; self.sizes.len()];
        let mut joint = Vec::new();
        for cell in 0..self.cells() {
            self.joint(cell, &mut joint);
            let probability: f64 = mixes.iter().zip(&joint).map(|(mix, &choice)| mix[choice]).product();
            for (value, payoff) in values.iter_mut().zip(self.payoffs(cell)) {
                *value += probability * payoff;
            }
        }
        values
    }

    /// An equilibrium of a two-player game with a constant sum; `None` as for [`zero_sum`].
    fn simplex(&self) -> Option<Solution> {
        let [_, columns] = self.sizes[..] else { return None };
        let first: Vec<f64> = (0..self.cells()).map(|cell| self.payoffs(cell)[0]).collect();
        let solved = zero_sum(&first, columns)?;
        let mixes = vec![solved.rows, solved.columns];
        let values = self.worth(&mixes);
        Some(Solution { mixes, values, exact: true })
    }

    /// The average mixes of `rounds` rounds of regret matching (Hart & Mas-Colell 2000) in the form of
    /// Tammelin (2014): regrets do not fall below 0, later rounds weigh more, and the players take turns. With
    /// two players and a constant sum it converges to an equilibrium; with more, to nothing in particular.
    pub fn regret_matching(&self, rounds: u32) -> Solution {
        let players = self.sizes.len();
        let mut mixes: Vec<Vec<f64>> = self.sizes.iter().map(|&size| vec![1.0 / size as f64; size]).collect();
        let mut regrets: Vec<Vec<f64>> = self.sizes.iter().map(|&size| vec![0.0; size]).collect();
        let mut sums = regrets.clone();
        let mut worth: Vec<f64> = Vec::new();
        let mut joints = vec![0; self.cells() * players];
        let mut joint = Vec::new();
        for (cell, choices) in joints.chunks_exact_mut(players).enumerate() {
            self.joint(cell, &mut joint);
            choices.copy_from_slice(&joint);
        }
        for round in 1..=rounds {
            for player in 0..players {
                worth.clear();
                worth.resize(self.sizes[player], 0.0);
                for (cell, joint) in joints.chunks_exact(players).enumerate() {
                    let others = (0..players).filter(|&other| other != player);
                    let probability: f64 = others.map(|other| mixes[other][joint[other]]).product();
                    worth[joint[player]] += probability * self.payoffs(cell)[player];
                }
                let mean: f64 = worth.iter().zip(&mixes[player]).map(|(worth, share)| worth * share).sum();
                for (regret, worth) in regrets[player].iter_mut().zip(&worth) {
                    *regret = (*regret + worth - mean).max(0.0);
                }
                mixes[player].copy_from_slice(&regrets[player]);
                normalise(&mut mixes[player]);
                for (sum, share) in sums[player].iter_mut().zip(&mixes[player]) {
                    *sum += f64::from(round) * share;
                }
            }
        }
        sums.iter_mut().for_each(|sum| normalise(sum));
        let values = self.worth(&sums);
        Solution { mixes: sums, values, exact: false }
    }
}

/// An equilibrium of a two-player game in which one wins what the other loses.
#[derive(Clone, PartialEq, Debug)]
pub struct ZeroSum {
    /// What the row player gets when both play well.
    pub value: f64,
    /// Probability of each row.
    pub rows: Vec<f64>,
    /// Probability of each column.
    pub columns: Vec<f64>,
}

/// Solves the game in which the row player, who wants the greater, gets `payoffs[row * columns + column]`, by
/// the simplex method on von Neumann's linear program (Dantzig 1951): with all entries of the matrix A made
/// positive, the column player maximises the sum of y with A y <= 1, y >= 0; the multipliers of the rows are
/// the row player's mix. Bland's rule for both choices of a pivot, so that it ends and always ends alike.
/// Payoffs are finite; there is at least one row and one column. `None` if rounding keeps it from ending,
/// which no test has ever seen.
pub fn zero_sum(payoffs: &[f64], columns: usize) -> Option<ZeroSum> {
    let rows = payoffs.len() / columns;
    let low = payoffs.iter().copied().fold(f64::INFINITY, f64::min);
    let span = payoffs.iter().copied().fold(f64::NEG_INFINITY, f64::max) - low;
    // Scaled to 1..2: the tolerances below then mean the same for points and for win shares.
    let scale = if span > NEAR { 1.0 / span } else { 1.0 };
    // Tableau: a row for each choice of the row player, then the objective; a column for each variable (choices
    // of the column player, then slacks), then the right-hand side.
    let width = columns + rows + 1;
    let mut tableau = vec![vec![0.0; width]; rows + 1];
    for (row, line) in tableau[..rows].iter_mut().enumerate() {
        for (column, cell) in line[..columns].iter_mut().enumerate() {
            *cell = 1.0 + (payoffs[row * columns + column] - low) * scale;
        }
        line[columns + row] = 1.0;
        line[width - 1] = 1.0;
    }
    tableau[rows][..columns].fill(-1.0);
    let mut basis: Vec<usize> = (columns..columns + rows).collect();
    let most_pivots = 50 * (rows + columns) * (rows + columns);
    for _ in 0..most_pivots {
        let Some(entering) = (0..width - 1).find(|&column| tableau[rows][column] < -1e-11) else {
            return Some(read_tableau(&tableau, &basis, columns, low, scale));
        };
        let mut leaving: Option<(f64, usize, usize)> = None;
        for (row, line) in tableau[..rows].iter().enumerate() {
            if line[entering] > 1e-11 {
                let ratio = line[width - 1] / line[entering];
                let better = leaving.is_none_or(|(least, variable, _)| {
                    ratio < least - 1e-13 || (ratio <= least + 1e-13 && basis[row] < variable)
                });
                if better {
                    leaving = Some((ratio, basis[row], row));
                }
            }
        }
        let (_, _, row) = leaving?;
        pivot(&mut tableau, row, entering);
        basis[row] = entering;
    }
    None
}

/// Mixes and value from a final tableau.
fn read_tableau(tableau: &[Vec<f64>], basis: &[usize], columns: usize, low: f64, scale: f64) -> ZeroSum {
    let rows = basis.len();
    let objective = &tableau[rows];
    let mut second = vec![0.0; columns];
    for (row, &variable) in basis.iter().enumerate() {
        if variable < columns {
            second[variable] = tableau[row][columns + rows].max(0.0);
        }
    }
    let mut first: Vec<f64> = objective[columns..columns + rows].iter().map(|x| x.max(0.0)).collect();
    normalise(&mut first);
    normalise(&mut second);
    let value = (1.0 / objective[columns + rows] - 1.0) / scale + low;
    ZeroSum { value, rows: first, columns: second }
}

/// Makes weights add to 1; equal shares if there are none.
pub fn normalise(weights: &mut [f64]) {
    let sum: f64 = weights.iter().sum();
    let equal = 1.0 / weights.len() as f64;
    weights.iter_mut().for_each(|weight| *weight = if sum > 0.0 { *weight / sum } else { equal });
}

/// Brings `column` into the basis in `row`.
fn pivot(tableau: &mut [Vec<f64>], row: usize, column: usize) {
    let head = tableau[row][column];
    tableau[row].iter_mut().for_each(|cell| *cell /= head);
    let line = tableau[row].clone();
    for (other, cells) in tableau.iter_mut().enumerate() {
        let factor = cells[column];
        if other != row && factor != 0.0 {
            cells.iter_mut().zip(&line).for_each(|(cell, head)| *cell -= factor * head);
            // What is 0 by construction must not linger as a rounding error and be chosen as a pivot.
            cells[column] = 0.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::streams::Stream;

    fn zero_sum(rows: &[&[f64]]) -> NormalForm {
        let mut game = NormalForm::new(vec![rows.len(), rows[0].len()]);
        for (row, line) in rows.iter().enumerate() {
            for (column, &payoff) in line.iter().enumerate() {
                game.payoffs_mut(row * line.len() + column).copy_from_slice(&[payoff, -payoff]);
            }
        }
        game
    }

    /// What the best answers to the mixes gain together: 0 exactly at an equilibrium.
    fn exploitability(game: &NormalForm, solution: &Solution) -> f64 {
        let pure = |player: usize, choice: usize| {
            let mut mixes = solution.mixes.clone();
            mixes[player].fill(0.0);
            mixes[player][choice] = 1.0;
            game.worth(&mixes)[player]
        };
        let gain = |player: usize| {
            let answers = (0..game.sizes[player]).map(|choice| pure(player, choice));
            answers.fold(f64::NEG_INFINITY, f64::max) - solution.values[player]
        };
        gain(0) + gain(1)
    }

    fn random_game(stream: &mut Stream, coarse: bool) -> NormalForm {
        let (rows, columns) = (1 + stream.below(8), 1 + stream.below(8));
        let mut game = NormalForm::new(vec![rows, columns]);
        for cell in 0..game.cells() {
            // Few different payoffs make ties and degenerate corners.
            let payoff = if coarse { stream.below(3) as f64 } else { stream.unit() };
            game.payoffs_mut(cell).copy_from_slice(&[payoff, 1.0 - payoff]);
        }
        game
    }

    #[test]
    fn known_games() {
        let stakes = zero_sum(&[&[0.0, -50.0, 25.0], &[50.0, 0.0, -100.0], &[-25.0, 100.0, 0.0]]).solve(1);
        for mix in &stakes.mixes {
            for (found, exact) in mix.iter().zip([4.0 / 7.0, 1.0 / 7.0, 2.0 / 7.0]) {
                assert!((found - exact).abs() < 1e-12, "{mix:?}");
            }
        }
        // Two by two without a saddle: (d - c) / (a - b - c + d) for the first row.
        let two = zero_sum(&[&[3.0, -1.0], &[-2.0, 1.0]]).solve(1);
        assert!((two.mixes[0][0] - 3.0 / 7.0).abs() < 1e-12);
        assert!((two.mixes[1][0] - 2.0 / 7.0).abs() < 1e-12);
        assert!((two.values[0] - 1.0 / 7.0).abs() < 1e-12);
        // A saddle is played purely.
        let saddle = zero_sum(&[&[1.0, 2.0], &[0.0, 5.0]]).solve(1);
        assert_eq!(saddle.mixes, [[1.0, 0.0], [1.0, 0.0]]);
        // Nothing to choose, nothing to win.
        assert_eq!(zero_sum(&[&[7.0]]).solve(1).values, [7.0, -7.0]);
    }

    /// The value of a small game by brute force: an equilibrium with equally many choices on both sides
    /// exists (Shapley & Snow 1950); here every mix of the first player on a grid gives a lower bound.
    #[test]
    fn no_mix_on_a_grid_beats_the_value() {
        let mut stream = Stream::from_seed(3);
        for _ in 0..200 {
            let mut game = NormalForm::new(vec![3, 4]);
            for cell in 0..12 {
                let payoff = stream.unit();
                game.payoffs_mut(cell).copy_from_slice(&[payoff, -payoff]);
            }
            let value = game.solve(1).values[0];
            let mut best = f64::NEG_INFINITY;
            for first in 0..=40 {
                for second in 0..=40 - first {
                    let mix = [first, second, 40 - first - second].map(|part| f64::from(part) / 40.0);
                    let against =
                        |column: usize| (0..3).map(|row| mix[row] * game.payoffs(row * 4 + column)[0]).sum();
                    best = (0..4).map(against).fold(f64::INFINITY, f64::min).max(best);
                }
            }
            assert!(best <= value + 1e-12 && value < best + 0.03, "{value} against {best}");
        }
    }

    #[test]
    fn nobody_gains_by_leaving_the_solution() {
        let mut stream = Stream::from_seed(4);
        for number in 0..2_000 {
            let game = random_game(&mut stream, number % 2 == 0);
            let solution = game.solve(1);
            assert!(solution.exact);
            assert!(exploitability(&game, &solution) < 1e-9, "{game:?} {solution:?}");
            for mix in &solution.mixes {
                assert!((mix.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn regret_matching_agrees_with_the_linear_program() {
        let mut stream = Stream::from_seed(5);
        for number in 0..50 {
            let game = random_game(&mut stream, number % 2 == 0);
            let (exact, found) = (game.solve(1), game.regret_matching(2_000));
            assert!((exact.values[0] - found.values[0]).abs() < 0.005, "{exact:?} {found:?}");
            assert!(exploitability(&game, &found) < 0.005);
            assert!(!found.exact);
        }
    }

    #[test]
    fn three_players_find_what_is_best_for_each() {
        // Each has one choice that is better whatever the others do: the second.
        let mut game = NormalForm::new(vec![2, 2, 2]);
        let mut joint = Vec::new();
        for cell in 0..game.cells() {
            game.joint(cell, &mut joint);
            let seconds = joint.iter().sum::<usize>() as f64;
            for (player, &choice) in joint.iter().enumerate() {
                game.payoffs_mut(cell)[player] = (player + 1) as f64 * choice as f64 - 0.1 * seconds;
            }
        }
        let solution = game.solve(500);
        for mix in &solution.mixes {
            assert!(mix[1] > 0.999, "{mix:?}");
        }
        assert!(!solution.exact);
    }

    #[test]
    fn joint_choices_count_like_digits() {
        let game = NormalForm::new(vec![2, 3]);
        let mut joint = Vec::new();
        let all: Vec<Vec<usize>> = (0..game.cells())
            .map(|cell| {
                game.joint(cell, &mut joint);
                joint.clone()
            })
            .collect();
        assert_eq!(all, [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]]);
    }
}
