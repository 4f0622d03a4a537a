//! How fast Sultans of Wind is: the flood against a plain breadth-first search, random play, greedy games.

use std::collections::VecDeque;
use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use dhow::agents::Agent;
use dhow::agents::greedy::Greedy;
use dhow::game::{Game, Heuristics, Seat, Turn};
use dhow::games::Catalogued;
use dhow::games::sultans_of_wind::board::{Cell, Cells};
use dhow::games::sultans_of_wind::{Action, State, SultansOfWind};
use dhow::streams::{Deal, Stream, agent_stream};

fn game(seats: usize) -> SultansOfWind {
    SultansOfWind::new(SultansOfWind::default_rules(seats), seats).expect("the published rules")
}

/// One game; `choose` decides for everybody. Gives the last state and the number of steps.
fn play(game: &SultansOfWind, block: u64, mut choose: impl FnMut(&State, Seat) -> Action) -> (State, u64) {
    let mut deal = Deal::new(1, 0, block, 0, game.seats());
    let mut state = game.initial();
    let mut steps = 0;
    loop {
        steps += 1;
        match game.turn(&state) {
            Turn::Over => return (state, steps),
            Turn::Chance(source) => {
                let action = game.sample_chance(&state, deal.word(source));
                game.apply(&mut state, action);
            }
            Turn::Decision(seat) => {
                let action = choose(&state, seat);
                game.apply(&mut state, action);
            }
            Turn::Simultaneous(seats) => {
                let mut joint = [Action::Pass; 4];
                for seat in seats.iter() {
                    joint[seat.index()] = choose(&state, seat);
                }
                game.apply_together(&mut state, &joint[..seats.len()]);
            }
        }
    }
}

/// Carpets of random games and the cells they may enter.
fn positions() -> Vec<(Cell, Cells)> {
    let game = game(2);
    let mut found = Vec::new();
    for block in 0..64 {
        let (mut stream, mut buffer) = (agent_stream(1, 0, block, 0, Seat::new(0)), Vec::new());
        let (state, _) =
            play(&game, block, |state, seat| game.random_action(state, seat, &mut stream, &mut buffer));
        let open = game.free(&state.squares).minus(state.occupied());
        found.extend(state.carpets_of(Seat::new(0)).iter().map(|&carpet| (carpet, open)));
    }
    found
}

/// The textbook way: a queue over cells.
fn breadth_first(start: Cell, open: &[[bool; 12]; 12], steps: u32, out: &mut Vec<Cell>) {
    let mut far = [[u32::MAX; 12]; 12];
    let mut queue = VecDeque::with_capacity(144);
    far[start.row()][start.column()] = 0;
    queue.push_back(start);
    while let Some(cell) = queue.pop_front() {
        let so_far = far[cell.row()][cell.column()];
        if so_far == steps {
            continue;
        }
        for (rows, columns) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
            let (row, column) = (cell.row() as i32 + rows, cell.column() as i32 + columns);
            if (0..12).contains(&row) && (0..12).contains(&column) {
                let (row, column) = (row as usize, column as usize);
                if open[row][column] && far[row][column] == u32::MAX {
                    far[row][column] = so_far + 1;
                    queue.push_back(Cell::at(row, column));
                    out.push(Cell::at(row, column));
                }
            }
        }
    }
}

fn flood(criterion: &mut Criterion) {
    let positions = positions();
    let mut group = criterion.benchmark_group("all destinations of a 12-step move");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("flood", |bencher| {
        bencher.iter(|| {
            for &(start, open) in &positions {
                black_box(Cells::reach(black_box(start), black_box(open), 12));
            }
        });
    });
    let grids: Vec<(Cell, [[bool; 12]; 12])> = positions
        .iter()
        .map(|&(start, open)| {
            let row = |row: usize| std::array::from_fn(|column| open.contains(Cell::at(row, column)));
            (start, std::array::from_fn(row))
        })
        .collect();
    let mut out = Vec::new();
    group.bench_function("breadth-first search", |bencher| {
        bencher.iter(|| {
            for (start, open) in &grids {
                out.clear();
                breadth_first(black_box(*start), black_box(open), 12, &mut out);
                black_box(&out);
            }
        });
    });
    group.finish();
}

fn random_play(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("random play, steps");
    for seats in 2..=4 {
        let game = game(seats);
        let mut run = |block: u64| {
            let (mut stream, mut buffer) = (Stream::from_seed(block), Vec::new());
            play(&game, block, |state, seat| game.random_action(state, seat, &mut stream, &mut buffer)).1
        };
        let steps: u64 = (0..8).map(&mut run).sum();
        group.throughput(Throughput::Elements(steps));
        group.bench_function(format!("{seats} players"), |bencher| {
            bencher.iter(|| (0..8).map(&mut run).sum::<u64>());
        });
    }
    group.finish();
}

fn greedy_games(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("greedy games");
    group.sample_size(10);
    for seats in 2..=4 {
        let game = game(seats);
        let mut run = |block: u64| {
            let mut agent = Greedy::new();
            let mut stream = Stream::from_seed(block);
            play(&game, block, |state, seat| agent.choose(&game, state, seat, &mut stream)).1
        };
        group.throughput(Throughput::Elements(16));
        group.bench_function(format!("{seats} players"), |bencher| {
            bencher.iter(|| (0..16).map(&mut run).sum::<u64>());
        });
    }
    group.finish();
}

fn judgement(criterion: &mut Criterion) {
    let game = game(2);
    let (state, _) = play(&game, 1, {
        let (mut stream, mut buffer) = (Stream::from_seed(1), Vec::new());
        let game = &game;
        move |state, seat| game.random_action(state, seat, &mut stream, &mut buffer)
    });
    let mut state = state;
    state.hand = Default::default();
    state.phase = dhow::games::sultans_of_wind::state::Phase::Choice;
    let mut out = [0.0; 2];
    criterion.bench_function("value, maze known", |bencher| {
        bencher.iter(|| game.value(black_box(&state), &mut out));
    });
    let (mut menu, mut weights) = (Vec::new(), Vec::new());
    game.actions(&state, Seat::new(0), &mut menu);
    criterion.bench_function("prior of the choice of two tiles", |bencher| {
        bencher.iter(|| game.prior(black_box(&state), Seat::new(0), &menu, &mut weights));
    });
}

criterion_group!(benches, flood, random_play, greedy_games, judgement);
criterion_main!(benches);
