//! What the statistics promise, by simulation (`cargo test --test coverage -- --ignored`): how often
//! intervals hold the truth, and how often tests err.

use dhow::game::SHARE_UNITS;
use dhow::statistics::{
    BATCH, BetaBinomial, Betting, BlockScores, Clusters, Decision, Finishes, HandicapArm, Model, Sprt,
    fair_handicap, quantile, rate, share_of_elo,
};
use dhow::streams::Stream;

/// At most so many misses in `runs` at rate `rate` are believed to be chance (four standard errors).
fn chance(runs: u32, rate: f64) -> u32 {
    let runs = runs as f64;
    (runs * rate + 4.0 * (runs * rate * (1.0 - rate)).sqrt()).ceil() as u32
}

#[test]
#[ignore = "heavy: simulation"]
fn block_intervals_hold_the_truth() {
    // Pairs that share most of their luck: the two games go alike three times of four.
    let (runs, z) = (2_000, quantile(0.975));
    for (p, blocks) in [(0.5, 200), (0.27, 1_000), (0.9, 100)] {
        let mut misses = 0;
        for run in 0..runs {
            let mut stream = Stream::from_seed(run as u64);
            let mut clusters = Clusters::default();
            for _ in 0..blocks {
                let mut won = || (stream.unit() < p) as u64;
                let first = won();
                let second = won();
                let alike = stream.unit() < 0.75;
                clusters.add_block(2, (first + if alike { first } else { second }) * SHARE_UNITS as u64);
            }
            let interval = clusters.interval(z).unwrap();
            misses += !(interval.low <= p && p <= interval.high) as u32;
        }
        assert!(misses <= chance(runs, 0.05), "{p} {blocks}: {misses} of {runs}");
        assert!(misses >= runs / 100, "far too wide: {p} {blocks}: {misses} of {runs}");
    }
}

/// Looked at after every single game, an ordinary interval would miss in more than a third of the runs.
#[test]
#[ignore = "heavy: simulation"]
fn confidence_sequences_hold_the_truth_at_all_times() {
    let (runs, games) = (400, 5_000u64);
    for p in [0.5, 0.1] {
        let (mut mixture, mut betting, mut wilson) = (0, 0, 0);
        for run in 0..runs {
            let mut stream = Stream::from_seed(run as u64);
            let (mut first, mut second) = (BetaBinomial::new(0.05), Betting::new(0.05, BATCH));
            let (mut wins, mut left) = (0, false);
            for game in 1..=games {
                let won = stream.unit() < p;
                wins += won as u64;
                second.add_block(won as u8 as f64);
                if game % 10 == 0 {
                    first.look(wins, game);
                    let once = dhow::statistics::wilson(wins as f64 / game as f64, game as f64, 1.96);
                    left |= !(once.low <= p && p <= once.high);
                }
            }
            let misses =
                |interval: dhow::statistics::Interval| !(interval.low <= p && p <= interval.high) as u32;
            mixture += misses(first.interval());
            betting += misses(second.interval());
            wilson += left as u32;
        }
        assert!(mixture <= chance(runs, 0.05), "{p}: mixture {mixture} of {runs}");
        assert!(betting <= chance(runs, 0.05), "{p}: betting {betting} of {runs}");
        assert!(wilson > runs / 5, "{p}: wilson {wilson} of {runs}");
    }
}

/// The widths that are told of [`BATCH`].
#[test]
#[ignore = "heavy: simulation"]
fn widths_of_betting_by_batch() {
    let mut halves = Vec::new();
    for batch in [1, 8, 64] {
        for blocks in [1_024, 16_384] {
            let mut half = 0.0;
            for run in 0..20 {
                let mut stream = Stream::from_seed(run);
                let mut sequence = Betting::new(0.05, batch);
                (0..blocks).for_each(|_| sequence.add_block((stream.unit() < 0.5) as u8 as f64));
                half += (sequence.interval().high - sequence.interval().low) / 2.0 / 20.0;
            }
            println!("batch {batch}, {blocks} blocks: half-width {half:.4}");
            halves.push(half);
        }
    }
    for (found, told) in halves.iter().zip([0.060, 0.019, 0.045, 0.013, 0.172, 0.016]) {
        assert!((found - told).abs() < 0.0006, "{halves:?}");
    }
}

/// Runs a test on blocks drawn from `block`, with looks at every 64th; `None` at 200,000 blocks.
fn run_test(test: &Sprt, seats: usize, block: impl Fn(&mut Stream) -> u32, seed: u64) -> Option<Decision> {
    let (mut stream, mut scores) = (Stream::from_seed(seed), BlockScores::new(seats, seats));
    for _ in 0..200_000 / 64 {
        (0..64).for_each(|_| scores.add(block(&mut stream), 1));
        let decision = test.decide(test.llr(&scores));
        if decision != Decision::Continue {
            return Some(decision);
        }
    }
    None
}

/// At the hypotheses themselves the errors stay near their rates, at two seats and at four.
#[test]
#[ignore = "heavy: simulation"]
fn sequential_tests_err_as_seldom_as_they_say() {
    let runs = 400;
    for (seats, model) in [(2, Model::Logistic), (4, Model::Logistic)] {
        let test = Sprt::new(0.0, 40.0, model, 0.05, 0.05).unwrap();
        for (elo, wrong) in [(0.0, Decision::AcceptH1), (40.0, Decision::AcceptH0)] {
            let p = share_of_elo(elo, seats);
            // Every game of a block for itself: a binomial number of wins.
            let block =
                |stream: &mut Stream| (0..seats).filter(|_| stream.unit() < p).count() as u32 * SHARE_UNITS;
            let mut errors = 0;
            for run in 0..runs {
                let decision = run_test(&test, seats, block, run as u64 + 1).expect("decided long before");
                errors += (decision == wrong) as u32;
            }
            assert!(errors <= chance(runs, 0.05), "{seats} seats, Elo {elo}: {errors} of {runs}");
        }
    }
}

#[test]
#[ignore = "heavy: simulation"]
fn differences_of_ratings_hold_the_truth() {
    let (runs, truth) = (300, 80.0);
    let mut misses = 0;
    for run in 0..runs {
        let mut stream = Stream::from_seed(run as u64);
        let mut finishes = Finishes::new(3, 2);
        for block in 0..600u64 {
            for (one, other, elo) in [(0, 1, truth), (1, 2, 50.0), (0, 2, truth + 50.0)] {
                // Both games of a pair share their luck half of the time.
                let luck = stream.unit();
                for seats in [[one, other], [other, one]] {
                    let draw = if stream.unit() < 0.5 { luck } else { stream.unit() };
                    let first = draw < share_of_elo(elo, 2);
                    let ranks = if first == (seats[0] == one) { [1, 2] } else { [2, 1] };
                    finishes.add_game(block, &seats, &ranks);
                }
            }
        }
        let found = rate(&finishes).unwrap().difference(0, 1);
        misses += ((found.elo - truth).abs() > 1.96 * found.error) as u32;
    }
    assert!(misses <= chance(runs, 0.05), "{misses} of {runs}");
    assert!(misses > 0, "far too wide");
}

#[test]
#[ignore = "heavy: simulation"]
fn fair_handicaps_hold_the_truth() {
    let runs = 400;
    let mut misses = 0;
    for run in 0..runs {
        let mut stream = Stream::from_seed(run as u64);
        let mut arms: Vec<HandicapArm> = (0..5).map(|coins| HandicapArm::new(&[0, coins])).collect();
        for block in 0..2_000 {
            let luck = stream.unit();
            for (coins, arm) in arms.iter_mut().enumerate() {
                let p = 1.0 / (1.0 + (0.63 - 0.3 * coins as f64).exp());
                let draw = if stream.unit() < 0.7 { luck } else { stream.unit() };
                let won = if draw < p { 60 } else { 0 };
                arm.add_block(block, 1, &[60 - won, won]);
            }
        }
        let found = fair_handicap(&arms, 0.95).unwrap().seats[1];
        misses += !(found.low <= 2.1 && 2.1 <= found.high) as u32;
    }
    assert!(misses <= chance(runs, 0.05), "{misses} of {runs}");
    assert!(misses > 2, "far too wide");
}
