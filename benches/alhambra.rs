//! How fast Alhambra with the Power of the Sultan is: random and greedy games of four, the longest wall of a
//! map of 20 tiles. Steps and points are asserted: a change of the rules cannot pass for one of speed.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use dhow::agents::Agent;
use dhow::agents::greedy::Greedy;
use dhow::game::{Game, Seat, Turn};
use dhow::games::Catalogued;
use dhow::games::alhambra::Alhambra;
use dhow::games::alhambra::map::each_place;
use dhow::games::alhambra::state::{Action, Cell, Cells, State};
use dhow::games::alhambra::tiles::Tile;
use dhow::streams::Stream;

/// Four players with the module.
fn game() -> Alhambra {
    Alhambra::new(Alhambra::default_rules(4), 4).expect("the published rules")
}

/// So many games; `choose` decides for everybody. Gives the number of steps.
fn play(games: u64, mut choose: impl FnMut(&Alhambra, &State, Seat, &mut Stream) -> Action) -> u64 {
    let game = game();
    let mut steps = 0;
    for seed in 0..games {
        let (mut luck, mut choice) = (Stream::from_seed(seed), Stream::from_seed(seed + 1_000_000));
        let mut state = game.initial();
        loop {
            let action = match game.turn(&state) {
                Turn::Over => break,
                Turn::Chance(_) => game.sample_chance(&state, luck.word()),
                Turn::Decision(seat) => choose(&game, &state, seat, &mut choice),
                Turn::Simultaneous(_) => unreachable!("nobody chooses in secret"),
            };
            game.apply(&mut state, action);
            steps += 1;
        }
    }
    steps
}

fn playouts(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("alhambra/4 players");
    group.warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(3)).sample_size(20);
    const RANDOM_STEPS: u64 = 58_113;
    group.throughput(Throughput::Elements(RANDOM_STEPS));
    group.bench_function("steps of 100 random games", |bench| {
        let mut buffer = Vec::new();
        bench.iter(|| {
            let steps =
                play(100, |game, state, seat, stream| game.random_action(state, seat, stream, &mut buffer));
            assert_eq!(black_box(steps), RANDOM_STEPS);
        });
    });
    group.throughput(Throughput::Elements(5));
    group.sample_size(10);
    group.bench_function("greedy games", |bench| {
        let mut agent = Greedy::new();
        bench.iter(|| {
            let steps = play(5, |game, state, seat, stream| agent.choose(game, state, seat, stream));
            assert_eq!(black_box(steps), 2_331);
        });
    });
}

/// Random maps of 20 tiles for the first seat.
fn maps(game: &Alhambra, count: usize) -> Vec<State> {
    let (mut stream, mut found) = (Stream::from_seed(1), Vec::new());
    while found.len() < count {
        let mut state = game.initial();
        let mut placed: Vec<(Tile, i8, i8)> = Vec::new();
        let mut tiles: Vec<Tile> = state.bag.iter().collect();
        while placed.len() < 20 && !tiles.is_empty() {
            let tile = tiles.swap_remove(stream.below(tiles.len()));
            let mut cells: Vec<Cell> = Vec::new();
            each_place(game.map(&state, Seat::new(0)), false, tile, |cell| cells.push(cell));
            if !cells.is_empty() {
                let cell = cells[stream.below(cells.len())];
                placed.push((tile, cell.x, cell.y));
                state.alhambras[0].insert(tile);
                state.cells = Cells::try_from(placed.clone()).expect("cells within reach");
            }
        }
        if placed.len() == 20 {
            found.push(state);
        }
    }
    found
}

fn wall(criterion: &mut Criterion) {
    let game = game();
    let maps = maps(&game, 64);
    let sum = || maps.iter().map(|state| game.longest_wall(state, Seat::new(0))).sum::<u32>();
    let expected = sum();
    assert!(expected > 64 * 4, "walls worth a look");
    let mut group = criterion.benchmark_group("alhambra/wall");
    group.throughput(Throughput::Elements(64));
    group.bench_function("20 tiles", |bench| {
        bench.iter(|| assert_eq!(black_box(sum()), expected));
    });
}

criterion_group!(benches, playouts, wall);
criterion_main!(benches);
