//! How fast the tree search is: iterations a second in each game, and how the cost of an iteration and the
//! memory grow with the budget.
//!
//! Throughput is in iterations. The table of growth goes to standard error before the benches.

use std::hint::black_box;
use std::time::Instant;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use dhow::agents::mcts::{Config, ENTRY};
use dhow::agents::parameters::{Parameters, Settings};
use dhow::agents::search::Search;
use dhow::game::{Game, Seat, Turn};
use dhow::games::Catalogued;
use dhow::games::alhambra::Alhambra;
use dhow::games::six_sided_seas::SixSidedSeas;
use dhow::games::sultans_of_wind::SultansOfWind;
use dhow::games::yardsticks::connect_four::ConnectFour;
use dhow::games::yardsticks::pig::Pig;
use dhow::streams::{Deal, Stream};

/// A search with parameters in their text form.
fn search<G: Catalogued>(text: &str) -> Search<G> {
    let mut set = Parameters::default();
    for part in text.split(':') {
        let (key, value) = part.split_once('=').expect("key=value");
        let parameter = ENTRY.parameters.iter().find(|parameter| parameter.key == key).expect("a parameter");
        set.set(parameter.key, parameter.domain.read(value).expect("a value"));
    }
    let config = Config::from_settings(Settings { known: ENTRY.parameters, set: &set });
    Search::new(config.options, config.budget, config.trees, false)
}

/// The position after so many decisions of a random game, at a decision with several actions.
fn midgame<G: Game>(game: &G, decisions: u32) -> (G::State, Seat) {
    let (mut deal, mut stream) = (Deal::new(1, 0, 0, 0, game.seats()), Stream::from_seed(1));
    let (mut state, mut buffer, mut count) = (game.initial(), Vec::new(), 0);
    loop {
        match game.turn(&state) {
            Turn::Over => panic!("the game ended before"),
            Turn::Chance(source) => {
                let outcome = game.sample_chance(&state, deal.word(source));
                game.apply(&mut state, outcome);
            }
            Turn::Decision(seat) => {
                game.actions(&state, seat, &mut buffer);
                if count >= decisions && buffer.len() > 1 {
                    return (state, seat);
                }
                count += 1;
                let action = game.random_action(&state, seat, &mut stream, &mut buffer);
                game.apply(&mut state, action);
            }
            Turn::Simultaneous(seats) => {
                let mut joint = Vec::new();
                for seat in seats.iter() {
                    joint.push(game.random_action(&state, seat, &mut stream, &mut buffer));
                }
                count += 1;
                game.apply_together(&mut state, &joint);
            }
        }
    }
}

fn game<G: Catalogued>() -> G {
    G::new(G::default_rules(2), 2).expect("the default rules")
}

/// One decision of `budget` iterations, again and again.
fn iterations<G: Catalogued>(criterion: &mut Criterion, decisions: u32, budget: u64, way: &str) {
    let game = game::<G>();
    let (state, seat) = midgame(&game, decisions);
    let mut search = search::<G>(&format!("iterations={budget}:{way}"));
    let mut stream = Stream::from_seed(1);
    let mut group = criterion.benchmark_group("mcts, iterations");
    group.throughput(Throughput::Elements(budget)).sample_size(10);
    group.bench_function(format!("{}, {way}, {budget}", G::NAME), |bencher| {
        bencher.iter(|| {
            search.run(&game, black_box(&state), seat, &mut stream);
            assert_eq!(search.visits().0, budget);
        });
    });
}

/// Time that this thread has had a core, as Linux counts it; elsewhere the time of day. A shared machine then
/// spoils less.
fn busy(since: Instant) -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split(' ').next().and_then(|number| number.parse().ok());
    nanoseconds.unwrap_or_else(|| since.elapsed().as_nanos() as f64)
}

fn growth<G: Catalogued>(decisions: u32, way: &str) {
    let game = game::<G>();
    let (state, seat) = midgame(&game, decisions);
    for power in 2..=6 {
        let budget = 10_u64.pow(power);
        let mut search = search::<G>(&format!("iterations={budget}:{way}"));
        let mut stream = Stream::from_seed(1);
        let runs = (100_000 / budget).max(1);
        search.run(&game, &state, seat, &mut stream);
        let clock = Instant::now();
        let started = busy(clock);
        for _ in 0..runs {
            search.run(&game, &state, seat, &mut stream);
        }
        let each = (busy(clock) - started) / (runs * budget) as f64;
        let (nodes, bytes) = search.size();
        eprintln!(
            "{:16} {way}: 1e{power} iterations, {each:6.0} ns each; {nodes} nodes, {:.0} bytes each, {:.0} an iteration",
            G::NAME,
            bytes as f64 / nodes as f64,
            bytes as f64 / budget as f64,
        );
    }
}

fn all(criterion: &mut Criterion) {
    growth::<ConnectFour>(0, "cut=game");
    growth::<Pig>(5, "cut=turn");
    growth::<SixSidedSeas>(60, "cut=turn");
    growth::<SultansOfWind>(12, "cut=turn");
    growth::<Alhambra>(20, "cut=turn");
    iterations::<ConnectFour>(criterion, 0, 100_000, "cut=game:exploration=1");
    iterations::<Pig>(criterion, 5, 10_000, "cut=turn");
    iterations::<SixSidedSeas>(criterion, 60, 10_000, "cut=turn");
    iterations::<SultansOfWind>(criterion, 12, 10_000, "cut=turn");
    iterations::<Alhambra>(criterion, 20, 10_000, "cut=turn");
}

criterion_group!(benches, all);
criterion_main!(benches);
