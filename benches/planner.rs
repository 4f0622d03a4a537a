//! What a decision of the turn planner takes in Six-Sided Seas, one thread.
//!
//! First it plays whole games, and prints how long decisions with something to choose took (median and 95th
//! percentile), at the published coin limits and where all limits are 21: later decisions of a turn, which
//! find most of it in memory, are told apart from those that come after a die. Then criterion times a plan from
//! nothing at fixed positions; each asserts how many nodes it looked at.

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use dhow::agents::expectimax::turn::Planner;
use dhow::game::{Game, Seat, Turn};
use dhow::games::Catalogued;
use dhow::games::six_sided_seas::{SixSidedSeas, State, StateBuilder};
use dhow::streams::Stream;

fn game(coins: Option<u8>) -> SixSidedSeas {
    let mut rules = SixSidedSeas::default_rules(2);
    if let Some(coins) = coins {
        rules.starting_coins = vec![coins; 2];
    }
    SixSidedSeas::new(rules, 2).expect("sound rules")
}

/// Plays games and shows quantiles of the time of a decision.
fn quantiles(what: &str, game: &SixSidedSeas, nodes: u64, games: u64) {
    let mut planner = Planner::new(Some(nodes));
    let (mut after_die, mut later, mut actions) = (Vec::new(), Vec::new(), Vec::new());
    for seed in 0..games {
        let mut luck = Stream::from_seed(seed);
        let mut state = game.initial();
        let mut fresh = true;
        planner.forget();
        loop {
            let action = match game.turn(&state) {
                Turn::Over => break,
                Turn::Chance(_) => {
                    fresh = true;
                    game.sample_chance(&state, luck.word())
                }
                Turn::Decision(seat) => {
                    game.actions(&state, seat, &mut actions);
                    if actions.len() == 1 {
                        actions[0]
                    } else {
                        let start = Instant::now();
                        planner.plan(game, &state);
                        let action = planner.action(seat);
                        let times = if fresh { &mut after_die } else { &mut later };
                        times.push(start.elapsed());
                        fresh = false;
                        action
                    }
                }
                Turn::Simultaneous(_) => unreachable!("nobody chooses in secret in this game"),
            };
            game.apply(&mut state, action);
        }
    }
    let mut all = [after_die.clone(), later.clone()].concat();
    for (name, times) in [("all", &mut all), ("after a die", &mut after_die), ("later", &mut later)] {
        times.sort_unstable();
        let mean = times.iter().sum::<Duration>() / times.len() as u32;
        println!(
            "{what}, {nodes} nodes, {name}: {} decisions, median {:.2?}, 95 % {:.2?}, mean {mean:.2?}",
            times.len(),
            times[times.len() / 2],
            times[times.len() * 95 / 100],
        );
    }
}

/// A captain in the middle of a game, after the first die.
fn position(game: &SixSidedSeas, coins: u8) -> State {
    use dhow::games::six_sided_seas::Slot;
    let (a, b) = (Seat::new(0), Seat::new(1));
    StateBuilder::new(game.rules(), 2)
        .coin(a, coins)
        .dice(a, Slot::Explorer, &[2, 3])
        .dice(a, Slot::Plunder, &[3])
        .dice(a, Slot::Evade, &[4])
        .dice(b, Slot::Evade, &[1, 5])
        .dice(b, Slot::M1, &[4])
        .island(4, a)
        .hp(b, 9)
        .pool(&[3])
        .build()
        .expect("a sound position")
}

fn plans(criterion: &mut Criterion) {
    quantiles("published coins", &game(None), 50_000, 2);
    quantiles("limits of 21", &game(Some(21)), 50_000, 4);
    let game = game(None);
    let mut group = criterion.benchmark_group("plan/six-sided-seas");
    group.warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(2)).sample_size(10);
    for (coins, nodes) in [(12, 500), (12, 50_000), (21, 50_000)] {
        let state = position(&game, coins);
        let mut planner = Planner::new(Some(nodes));
        planner.plan(&game, &state);
        let spent = planner.spent();
        assert!(spent > nodes / 4 && spent <= nodes);
        group.bench_function(format!("limit {coins}, {nodes} nodes"), |bench| {
            bench.iter(|| {
                planner.forget();
                planner.plan(&game, black_box(&state));
                assert_eq!(planner.spent(), spent);
            });
        });
    }
    group.finish();
}

criterion_group!(benches, plans);
criterion_main!(benches);
