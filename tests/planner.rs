//! The turn planner against known answers: the optimal policy of Pig, evaluated exactly, and its own exact
//! form in Six-Sided Seas.

use dhow::agents::expectimax::turn::Planner;
use dhow::agents::registry::Spec;
use dhow::game::{Game, Seat, Turn};
use dhow::games::Catalogued;
use dhow::games::six_sided_seas::{Phase, SixSidedSeas, State};
use dhow::games::yardsticks::pig;
use dhow::streams::Stream;

/// Whether to roll, by own score, other score and turn total.
type Rolls = Vec<Vec<Vec<bool>>>;

/// Two-player Pig to some number of points, by value iteration.
struct Solver {
    target: usize,
}

impl Solver {
    /// For all scores, what a turn brings its player: `ended(i, j)` is what it is worth to them to have ended it
    /// with score `i`. `choose` is given (i, j, total, worth of rolling, worth of holding).
    fn turn(
        &self,
        i: usize,
        j: usize,
        ended: impl Fn(usize, usize) -> f64,
        mut choose: impl FnMut(usize, f64, f64) -> bool,
    ) -> f64 {
        let most = self.target - i;
        let mut worth = vec![1.0; most + 6];
        for total in (0..most).rev() {
            let hold = ended(i + total, j);
            let roll = (ended(i, j) + (2..=6).map(|face| worth[total + face]).sum::<f64>()) / 6.0;
            worth[total] = if choose(total, roll, hold) { roll } else { hold };
        }
        worth[0]
    }

    /// The winning chances of who begins a turn, both playing best, and the best policy.
    fn solve(&self) -> (Vec<Vec<f64>>, Rolls) {
        let n = self.target;
        let mut win = vec![vec![0.5; n]; n];
        let mut rolls = vec![vec![vec![false; n]; n]; n];
        loop {
            let mut change = 0.0f64;
            for i in (0..n).rev() {
                for j in (0..n).rev() {
                    let row = &mut rolls[i][j];
                    let value = self.turn(
                        i,
                        j,
                        |i, j| 1.0 - win[j][i],
                        |total, roll, hold| {
                            row[total] = roll > hold;
                            roll > hold
                        },
                    );
                    change = change.max((value - win[i][j]).abs());
                    win[i][j] = value;
                }
            }
            if change < 1e-12 {
                return (win, rolls);
            }
        }
    }

    /// The winning chance of `ours` at 0 to 0, moving first and moving second.
    fn duel(&self, ours: &Rolls, theirs: &Rolls) -> [f64; 2] {
        let n = self.target;
        // Our winning chance where we begin a turn (own score first), and theirs where they do.
        let mut win = [vec![vec![0.5; n]; n], vec![vec![0.5; n]; n]];
        loop {
            let mut change = 0.0f64;
            for i in (0..n).rev() {
                for j in (0..n).rev() {
                    for (side, rolls) in [ours, theirs].into_iter().enumerate() {
                        let other = &win[1 - side];
                        let value =
                            self.turn(i, j, |i, j| 1.0 - other[j][i], |total, _, _| rolls[i][j][total]);
                        change = change.max((value - win[side][i][j]).abs());
                        win[side][i][j] = value;
                    }
                }
            }
            if change < 1e-12 {
                return [win[0][0][0], 1.0 - win[1][0][0]];
            }
        }
    }

    /// The policy of an agent, asked in every position.
    fn policy(&self, agent: &str) -> Rolls {
        let n = self.target;
        let rules = pig::Rules { target: n as u16, turn_cap: 60_000 };
        let game = pig::Pig::new(rules, 2).unwrap();
        let mut agent = Spec::parse(agent).unwrap().resolve(&game, "pig").unwrap().build().unwrap();
        let mut rolls = vec![vec![vec![false; n]; n]; n];
        for (i, rows) in rolls.iter_mut().enumerate() {
            for (j, row) in rows.iter_mut().enumerate() {
                for (total, roll) in row.iter_mut().enumerate().take(n - i) {
                    let mut state = game.initial();
                    state.scores[..2].copy_from_slice(&[i as u16, j as u16]);
                    state.total = total as u16;
                    let policy = agent.policy(&game, &state, Seat::new(0)).unwrap();
                    assert_eq!(policy.len(), 1);
                    *roll = policy[0].0 == pig::Action::Roll;
                }
            }
        }
        rolls
    }
}

fn planner_against_best(target: usize) -> f64 {
    let solver = Solver { target };
    let (win, best) = solver.solve();
    let fair = solver.duel(&best, &best);
    assert!((fair[0] - win[0][0]).abs() < 1e-9 && (fair[0] + fair[1] - 1.0).abs() < 1e-9);
    let [first, second] = solver.duel(&solver.policy("expectimax"), &best);
    let mean = (first + second) / 2.0;
    println!("Pig to {target}: {first:.6} moving first, {second:.6} second, {mean:.6} in all");
    assert!(mean <= 0.5 + 1e-9, "better than best");
    mean
}

#[test]
fn the_planner_holds_its_own_in_short_pig() {
    assert!(planner_against_best(30) >= 0.49);
}

#[test]
#[ignore = "a minute"]
fn the_planner_holds_its_own_in_pig_to_100() {
    let (win, best) = Solver { target: 100 }.solve();
    // Neller & Presser 2004.
    assert!((win[0][0] - 0.530593).abs() < 1e-6);
    let mut hold: Rolls = vec![vec![vec![false; 100]; 100]; 100];
    hold.iter_mut().flatten().for_each(|row| row[..20].fill(true));
    let against = Solver { target: 100 }.duel(&best, &hold);
    assert!((against[0] - 0.571498).abs() < 1e-6 && (against[1] - 0.508342).abs() < 1e-6, "{against:?}");
    assert!(planner_against_best(100) >= 0.49);
}

/// Decisions with something to choose, from games of the fast planner against itself.
fn positions(game: &SixSidedSeas, most: usize, wanted: impl Fn(&State) -> bool) -> Vec<(State, Seat)> {
    let (mut planner, mut found, mut actions) = (Planner::new(Some(200)), Vec::new(), Vec::new());
    for seed in 0.. {
        let mut luck = Stream::from_seed(seed);
        let mut state = game.initial();
        planner.forget();
        loop {
            let action = match game.turn(&state) {
                Turn::Over => break,
                Turn::Chance(_) => game.sample_chance(&state, luck.word()),
                Turn::Decision(seat) => {
                    game.actions(&state, seat, &mut actions);
                    if actions.len() > 1 && wanted(&state) && luck.below(8) == 0 {
                        found.push((state, seat));
                        if found.len() == most {
                            return found;
                        }
                    }
                    planner.plan(game, &state);
                    planner.action(seat)
                }
                Turn::Simultaneous(_) => unreachable!(),
            };
            game.apply(&mut state, action);
        }
    }
    unreachable!()
}

/// Prints what budgets lose against the plan without limit, on positions where that one can be had.
fn regrets(what: &str, count: usize, wanted: impl Fn(&State) -> bool) {
    let game = SixSidedSeas::new(SixSidedSeas::default_rules(2), 2).unwrap();
    let found = positions(&game, count, wanted);
    let budgets = [50, 200, 500, 1_000, 2_000, 10_000, 50_000];
    let mut lost = vec![Vec::new(); budgets.len()];
    let mut whole = vec![0; budgets.len()];
    let mut sizes = Vec::new();
    let mut exact = Planner::new(None);
    for (state, seat) in &found {
        exact.forget();
        exact.plan(&game, state);
        assert!(exact.exact());
        sizes.push(exact.spent());
        let truth: Vec<_> = exact.options(*seat).collect();
        let best = truth.iter().map(|option| option.1).fold(f64::NEG_INFINITY, f64::max);
        for (place, &budget) in budgets.iter().enumerate() {
            let mut planner = Planner::new(Some(budget));
            planner.plan(&game, state);
            let action = planner.action(*seat);
            let value = truth.iter().find(|option| option.0 == action).unwrap().1;
            lost[place].push(best - value);
            whole[place] += planner.exact() as usize;
        }
    }
    sizes.sort_unstable();
    let of = |list: &[u64], part: usize| list[list.len() * part / 100];
    println!(
        "{what}: {count} positions; exact plans look at {} nodes (median), {} (95 %), {} (most)",
        of(&sizes, 50),
        of(&sizes, 95),
        sizes[sizes.len() - 1]
    );
    for (place, &budget) in budgets.iter().enumerate() {
        let list = &lost[place];
        let mean = list.iter().sum::<f64>() / list.len() as f64;
        let most = list.iter().copied().fold(0.0, f64::max);
        let same = list.iter().filter(|&&loss| loss < 1e-9).count();
        println!(
            "  {budget:>6} nodes: mean loss {mean:.6}, most {most:.4}; best action in {same}, exact in {}",
            whole[place]
        );
        assert!(list.iter().all(|&loss| loss > -1e-9));
    }
    // More nodes must not lose more, and the default must lose next to nothing.
    let mean = |place: usize| lost[place].iter().sum::<f64>() / count as f64;
    assert!(mean(budgets.len() - 1) <= mean(0));
    assert!(mean(budgets.len() - 1) < 0.001);
}

#[test]
#[ignore = "a measurement of some minutes; run it in release with --nocapture"]
fn what_a_budget_loses() {
    regrets("Order phase, pools of up to 4 dice", 500, |state| {
        state.phase() == Phase::Order && state.pool().len() <= 4
    });
}
