//! Timings: raw playouts, single steps, the runner against the raw rate. One thread unless said.
//!
//! Every bench asserts what it played, so that a change of the rules or of the agents cannot pass for a
//! change of speed.

use std::hint::black_box;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use dhow::agents::registry::Spec;
use dhow::game::Turn;
use dhow::games::Catalogued;
use dhow::games::registry::{self, Setup, Visitor};
use dhow::streams::Stream;
use dhow::tournament::{GameKey, Job, Mode, Players, Runner, Silent, Verify, line_ups, play_game};
use toml::Table;

fn setup(game: &str, seats: usize) -> Setup {
    Setup { game: game.into(), seats, rules: Table::new() }
}

fn group<'c>(
    criterion: &'c mut Criterion,
    name: &str,
    elements: u64,
) -> criterion::BenchmarkGroup<'c, criterion::measurement::WallTime> {
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Elements(elements));
    group.warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(3)).sample_size(20);
    group
}

/// Games by an agent in all seats, without runner or records.
struct Playouts<'c> {
    criterion: &'c mut Criterion,
    agent: &'static str,
    games: u64,
}

impl Visitor for Playouts<'_> {
    type Output = ();
    fn visit<G: Catalogued>(self, game: G) {
        let seats = game.seats();
        let spec = Spec::parse(self.agent).expect("an agent");
        let mut players =
            Players::<G>::new(std::iter::repeat_n(&spec, seats)).expect("agents that play alone");
        let mut play = || {
            (0..self.games)
                .map(|block| {
                    let seating = std::array::from_fn(|seat| seat.min(seats - 1));
                    let key = GameKey { seed: 1, phase: 0, block, rotation: 0, luck_rotation: 0, seating };
                    play_game(&game, &mut players, &key, false, None).expect("a sound game").turns as u64
                })
                .sum::<u64>()
        };
        let turns = play();
        let name = format!("playouts/{}/{seats}", G::NAME);
        group(self.criterion, &name, self.games).bench_function(self.agent, |bench| {
            bench.iter(|| assert_eq!(black_box(play()), turns));
        });
    }
}

fn playouts(criterion: &mut Criterion) {
    for (game, seats, agent, games) in [
        ("pig", 2, "random", 2_000),
        ("tic-tac-toe", 2, "random", 10_000),
        ("six-sided-seas", 2, "random", 200),
        ("six-sided-seas", 3, "random", 100),
        ("six-sided-seas", 4, "random", 100),
        ("six-sided-seas", 2, "greedy", 50),
        ("six-sided-seas", 4, "greedy", 20),
    ] {
        registry::visit(&setup(game, seats), Playouts { criterion, agent, games })
            .expect("a registered game");
    }
}

/// Random games by the game's own steps and one stream: neither agents nor deals.
struct Raw<'c>(&'c mut Criterion);

impl Visitor for Raw<'_> {
    type Output = ();
    fn visit<G: Catalogued>(self, game: G) {
        const GAMES: u64 = 10_000;
        let mut buffer = Vec::new();
        let mut play = || {
            let mut stream = Stream::from_seed(1);
            let mut steps = 0_u64;
            for _ in 0..GAMES {
                let mut state = game.initial();
                loop {
                    let action = match game.turn(&state) {
                        Turn::Decision(seat) => game.random_action(&state, seat, &mut stream, &mut buffer),
                        Turn::Chance(_) => game.sample_chance(&state, stream.word()),
                        Turn::Simultaneous(_) | Turn::Over => break,
                    };
                    game.apply(&mut state, action);
                    steps += 1;
                }
            }
            steps
        };
        let steps = play();
        group(self.0, &format!("raw/{}", G::NAME), GAMES).bench_function("random", |bench| {
            bench.iter(|| assert_eq!(black_box(play()), steps));
        });
    }
}

fn raw(criterion: &mut Criterion) {
    for game in ["connect-four", "pig", "tic-tac-toe"] {
        registry::visit(&setup(game, 2), Raw(criterion)).expect("a registered game");
    }
}

/// The pieces of a step, over the states of random games.
struct Steps<'c>(&'c mut Criterion);

impl Visitor for Steps<'_> {
    type Output = ();
    fn visit<G: Catalogued>(self, game: G) {
        let (mut stream, mut actions) = (Stream::from_seed(1), Vec::new());
        let mut decisions = Vec::new();
        let mut chances = Vec::new();
        for _ in 0..5 {
            let mut state = game.initial();
            loop {
                let action = match game.turn(&state) {
                    Turn::Decision(seat) => {
                        let action = game.random_action(&state, seat, &mut stream, &mut actions);
                        decisions.push((state.clone(), seat, action));
                        action
                    }
                    Turn::Chance(_) => {
                        chances.push(state.clone());
                        game.sample_chance(&state, stream.word())
                    }
                    Turn::Simultaneous(_) | Turn::Over => break,
                };
                game.apply(&mut state, action);
            }
        }
        let name = format!("steps/{}", G::NAME);
        let mut group = group(self.0, &name, decisions.len() as u64);
        group.bench_function("clone", |bench| {
            bench.iter(|| decisions.iter().for_each(|(state, ..)| drop(black_box(state.clone()))));
        });
        group.bench_function("clone and apply", |bench| {
            bench.iter(|| {
                for (state, _, action) in &decisions {
                    let mut state = state.clone();
                    game.apply(&mut state, *action);
                    black_box(&state);
                }
            });
        });
        group.bench_function("actions", |bench| {
            bench.iter(|| {
                for (state, seat, _) in &decisions {
                    game.actions(state, *seat, &mut actions);
                    black_box(&actions);
                }
            });
        });
        group.bench_function("random action", |bench| {
            bench.iter(|| {
                for (state, seat, _) in &decisions {
                    black_box(game.random_action(state, *seat, &mut stream, &mut actions));
                }
            });
        });
        group.bench_function("value", |bench| {
            let mut values = vec![0.0; game.seats()];
            bench.iter(|| {
                for (state, ..) in &decisions {
                    game.value(state, &mut values);
                    black_box(&values);
                }
            });
        });
        group.throughput(Throughput::Elements(chances.len() as u64));
        group.bench_function("sample chance", |bench| {
            bench.iter(|| {
                for state in &chances {
                    black_box(game.sample_chance(state, stream.word()));
                }
            });
        });
    }
}

fn steps(criterion: &mut Criterion) {
    registry::visit(&setup("six-sided-seas", 2), Steps(criterion)).expect("a registered game");
}

/// The runner on one and on two threads; its rate is to be held against the raw playouts above.
struct Tournament<'c> {
    criterion: &'c mut Criterion,
    agent: &'static str,
    games: u64,
}

impl Visitor for Tournament<'_> {
    type Output = ();
    fn visit<G: Catalogued>(self, game: G) {
        let agents = [Spec::parse(self.agent).expect("an agent")];
        let own_luck = game.luck().iter().any(|luck| luck.per_seat);
        let line_ups = line_ups(1, game.seats(), Mode::SelfPlay, own_luck);
        let job = Job {
            line_ups: &line_ups,
            agents: &agents,
            games: self.games,
            seed: 1,
            phase: 0,
            by: &[],
            records: false,
        };
        let stop = AtomicBool::new(false);
        let name = format!("runner/{}/{}", G::NAME, self.agent);
        let mut group = group(self.criterion, &name, self.games);
        group.sample_size(10);
        for threads in [1, 2] {
            let runner = Runner::new(threads, &stop, Verify::Sample).expect("threads");
            group.bench_function(format!("{threads} threads"), |bench| {
                bench.iter(|| {
                    let played = runner.run(&game, &job, &mut Silent).expect("a sound run");
                    assert_eq!(played.line_ups[0].tally.games, self.games);
                });
            });
        }
    }
}

fn runner(criterion: &mut Criterion) {
    for (game, agent, games) in [
        ("pig", "random", 200_000),
        ("tic-tac-toe", "random", 1_000_000),
        ("six-sided-seas", "random", 10_000),
        ("six-sided-seas", "greedy", 1_000),
    ] {
        registry::visit(&setup(game, 2), Tournament { criterion, agent, games }).expect("a registered game");
    }
}

criterion_group!(benches, raw, playouts, steps, runner);
criterion_main!(benches);
