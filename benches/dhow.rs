//! Timings of every game: whole games (by seats too), the pieces of a step, the runner against the same games played
//! one by one, Pig and Connect Four against loops written by hand. One thread unless said.
//!
//! Every bench asserts what it played, so that a change of the rules or of the agents cannot pass for a
//! change of speed.

mod by_hand;

use std::hint::black_box;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use dhow::agents::registry::Spec;
use dhow::game::{MAX_SEATS, Turn};
use dhow::games::Catalogued;
use dhow::games::registry::{self, Setup, Visitor};
use dhow::streams::{Deal, Stream};
use dhow::tournament::{
    Begun, GameKey, GameRecord, Job, LineUp, Mode, Part, Players, Runner, Shard, Silent, Verify,
    WATCHED_GAMES, line_ups, play_into,
};
use toml::Table;

fn visit<V: Visitor>(game: &str, seats: usize, visitor: V) -> V::Output {
    let setup = Setup { game: game.into(), seats, rules: Table::new() };
    registry::visit(&setup, visitor).expect("a registered game")
}

fn group<'c>(criterion: &'c mut Criterion, name: &str, elements: u64) -> BenchmarkGroup<'c, WallTime> {
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Elements(elements));
    group
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_millis(700))
        .sample_size(10);
    group
}

/// What was played: games, decisions, turns.
type Count = (u64, u64, u64);

/// Plays games one by one, without runner or records.
fn play<G: Catalogued>(game: &G, players: &mut Players<G>, keys: impl Iterator<Item = GameKey>) -> Count {
    let mut record = GameRecord::default();
    keys.fold((0, 0, 0), |(games, decisions, turns), key| {
        play_into(game, players, &key, false, None, &mut record).expect("a sound game");
        let decided: u64 = record.seats.iter().map(|seat| seat.decisions as u64).sum();
        (games + 1, decisions + decided, turns + record.turns as u64)
    })
}

/// Games by an agent in all seats; `expected` is what they come to.
struct Playouts<'c> {
    criterion: &'c mut Criterion,
    agent: &'c str,
    games: u64,
    expected: Count,
}

impl Visitor for Playouts<'_> {
    type Output = ();
    fn visit<G: Catalogued>(self, game: G) {
        let seats = game.seats();
        let spec = Spec::parse(self.agent).expect("an agent");
        let roles = std::iter::repeat_n(&spec, seats);
        let mut players = Players::<G>::new(roles).expect("agents that play alone");
        let keys = (0..self.games).map(|block| GameKey {
            seed: 1,
            phase: 0,
            block,
            rotation: 0,
            luck_rotation: 0,
            seating: std::array::from_fn(|seat| seat.min(seats - 1)),
        });
        let name = format!("playouts/{}/{seats}", G::NAME);
        group(self.criterion, &name, self.games).bench_function(self.agent, |bench| {
            bench.iter(|| assert_eq!(black_box(play(&game, &mut players, keys.clone())), self.expected));
        });
    }
}

/// The games for the clock and what they come to, a line each: game, seats, agent, games, decisions, turns.
const COUNTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/counts.csv");

fn playouts(criterion: &mut Criterion) {
    let counts = std::fs::read_to_string(COUNTS).expect("the table of counts");
    for line in counts.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let [game, seats, agent, games, decisions, turns] = cells[..] else { panic!("six cells: {line}") };
        let number = |text: &str| text.parse().unwrap_or_else(|_| panic!("{text} is no number: {line}"));
        let (seats, expected) = (number(seats) as usize, (number(games), number(decisions), number(turns)));
        visit(game, seats, Playouts { criterion, agent, games: expected.0, expected });
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
        visit(game, 2, Raw(criterion));
    }
}

/// The pieces of a step, over the states of random games.
struct Steps<'c>(&'c mut Criterion);

/// States of a step: those of simultaneous nodes are left out of `apply`, which takes the choices together.
struct Positions<G: Catalogued> {
    decisions: Vec<(G::State, dhow::game::Seat, G::Action)>,
    chances: Vec<G::State>,
}

/// A few random games, cut off at some hundred decisions.
fn positions<G: Catalogued>(game: &G) -> Positions<G> {
    let (mut stream, mut actions) = (Stream::from_seed(1), Vec::new());
    let mut found = Positions { decisions: Vec::new(), chances: Vec::new() };
    for block in 0.. {
        if found.decisions.len() > 1_000 {
            break;
        }
        let mut deal = Deal::new(1, 0, block, 0, game.seats());
        let mut state = game.initial();
        loop {
            match game.turn(&state) {
                Turn::Decision(seat) => {
                    let action = game.random_action(&state, seat, &mut stream, &mut actions);
                    found.decisions.push((state.clone(), seat, action));
                    game.apply(&mut state, action);
                }
                Turn::Chance(source) => {
                    found.chances.push(state.clone());
                    let outcome = game.sample_chance(&state, deal.word(source));
                    game.apply(&mut state, outcome);
                }
                Turn::Simultaneous(seats) => {
                    let choices =
                        seats.iter().map(|seat| game.random_action(&state, seat, &mut stream, &mut actions));
                    let choices: Vec<G::Action> = choices.collect();
                    game.apply_together(&mut state, &choices);
                }
                Turn::Over => break,
            }
        }
        if block > 10_000 {
            break;
        }
    }
    found
}

impl Visitor for Steps<'_> {
    type Output = ();
    fn visit<G: Catalogued>(self, game: G) {
        let Positions { decisions, chances } = positions(&game);
        let (mut stream, mut actions) = (Stream::from_seed(2), Vec::new());
        let name = format!("steps/{}/{}", G::NAME, game.seats());
        let mut group = group(self.0, &name, decisions.len() as u64);
        group.warm_up_time(Duration::from_millis(100)).measurement_time(Duration::from_millis(250));
        if !decisions.is_empty() {
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
            group.bench_function("legal actions", |bench| {
                let mut count = || {
                    decisions.iter().fold(0, |sum, (state, seat, _)| {
                        game.actions(state, *seat, &mut actions);
                        sum + black_box(&actions).len()
                    })
                };
                let expected = count();
                bench.iter(|| assert_eq!(count(), expected));
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
        }
        if !chances.is_empty() {
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
}

fn steps(criterion: &mut Criterion) {
    for entry in registry::ENTRIES {
        visit(entry.name, *entry.seats().start(), Steps(criterion));
    }
}

/// The runner on one and on two threads, and the very same games played one by one. The first thousand games of a
/// line-up are left out: they are watched, which takes an estimate of every turn, and a run has many more.
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
            games: WATCHED_GAMES + self.games,
            seed: 1,
            phase: 0,
            by: &[],
            records: false,
            shard: Shard::default(),
            ask: Default::default(),
        };
        let line_up: &LineUp = &line_ups[0];
        let watched = WATCHED_GAMES.div_ceil(job.games_per_block());
        let roles = line_up.roles.iter().map(|&agent| &agents[agent]);
        let mut players = Players::<G>::new(roles).expect("agents that play alone");
        let mut raw = || {
            let rotations = |block| (0..line_up.games_per_block()).map(move |at| (block, at));
            let games = (watched..job.blocks()).flat_map(rotations);
            play(&game, &mut players, games.map(|(block, at)| job.key(line_up, block, at)))
        };
        let expected = raw();
        let name = format!("runner/{}/{}", G::NAME, self.agent);
        let mut group = group(self.criterion, &name, expected.0);
        group.bench_function("raw", |bench| bench.iter(|| assert_eq!(raw(), expected)));
        let stop = AtomicBool::new(false);
        for threads in [1, 2] {
            let runner = Runner::new(threads, &stop, Verify::Sample).expect("threads");
            group.bench_function(format!("{threads} threads"), |bench| {
                bench.iter(|| {
                    let begun = Begun { next: watched, part: Part::new(&game, &job) };
                    let played = runner.resume(&game, &job, Some(begun), &mut Silent).expect("a sound run");
                    let tally = &played.part.line_ups[0].tally;
                    let turns = tally.lengths.iter().map(|(&turns, &games)| turns as u64 * games).sum();
                    assert_eq!((tally.games, tally.agent_total(0).decisions, turns), expected);
                });
            });
        }
    }
}

fn runner(criterion: &mut Criterion) {
    for entry in registry::ENTRIES {
        for agent in ["random", "greedy"] {
            // About a tenth of a second each.
            let games = match (entry.name, agent) {
                ("six-sided-seas", "random") => 5_000,
                ("six-sided-seas", _) => 600,
                ("sultans-of-wind", "random") => 1_500,
                ("sultans-of-wind", _) => 10,
                ("alhambra", "random") => 400,
                ("alhambra", _) => 4,
                ("pig", "random") => 80_000,
                (_, "random") => 300_000,
                _ => 20_000,
            };
            visit(entry.name, 2, Tournament { criterion, agent, games });
        }
    }
}

/// Pig through the generic loop against loops that know nothing but Pig.
struct AgainstByHand<'c>(&'c mut Criterion);

impl Visitor for AgainstByHand<'_> {
    type Output = ();
    fn visit<G: Catalogued>(self, game: G) {
        const GAMES: u64 = 20_000;
        let spec = Spec::parse("random").expect("an agent");
        let mut players = Players::<G>::new([&spec, &spec]).expect("agents that play alone");
        let seating = [0, 1, 1, 1, 1, 1];
        const { assert!(MAX_SEATS == 6) };
        let keys = (0..GAMES).map(|block| GameKey {
            seed: 1,
            phase: 0,
            block,
            rotation: 0,
            luck_rotation: 0,
            seating,
        });
        fn all(play: impl Fn(u64, u64) -> by_hand::Played) -> Count {
            (0..GAMES).map(|block| play(1, block)).fold((0, 0, 0), |sum, game| {
                (sum.0 + 1, sum.1 + game.decisions as u64, sum.2 + game.turns as u64)
            })
        }
        let branches = || all(by_hand::pig_with_branches);
        let seat_by_seat = || all(by_hand::pig_seat_by_seat);
        // The loops by hand play the very games of the generic one.
        let expected = play(&game, &mut players, keys.clone());
        assert_eq!((branches(), seat_by_seat()), (expected, expected));
        let both = |block| (by_hand::pig_with_branches(1, block), by_hand::pig_seat_by_seat(1, block));
        assert!((0..100).map(both).all(|(one, other)| one == other));
        let mut group = group(self.0, "by hand/pig", GAMES);
        group.measurement_time(Duration::from_secs(2)).sample_size(20);
        group.bench_function("generic", |bench| {
            bench.iter(|| assert_eq!(play(&game, &mut players, keys.clone()), expected));
        });
        group.bench_function("with branches", |bench| bench.iter(|| assert_eq!(branches(), expected)));
        group.bench_function("seat by seat", |bench| bench.iter(|| assert_eq!(seat_by_seat(), expected)));
        let selects = || (0..GAMES).map(|block| by_hand::pig_with_selects(1, block) as u64).sum::<u64>();
        let turns = selects();
        // Other words of the streams, the same game: the mean length is that of the others.
        let (mean, other) = (turns as f64 / GAMES as f64, expected.2 as f64 / GAMES as f64);
        assert!((mean / other - 1.0).abs() < 0.02, "{mean} against {other} turns");
        group.bench_function("with selects", |bench| bench.iter(|| assert_eq!(selects(), turns)));
    }
}

/// Connect Four by the game's own steps against a loop that knows nothing else, on the same words of one stream.
struct FourByHand<'c>(&'c mut Criterion);

impl Visitor for FourByHand<'_> {
    type Output = ();
    fn visit<G: Catalogued>(self, game: G) {
        const GAMES: u64 = 20_000;
        let mut buffer = Vec::new();
        let mut generic = || {
            let mut stream = Stream::from_seed(1);
            let mut moves = 0;
            for _ in 0..GAMES {
                let mut state = game.initial();
                while let Turn::Decision(seat) = game.turn(&state) {
                    let action = game.random_action(&state, seat, &mut stream, &mut buffer);
                    game.apply(&mut state, action);
                    moves += 1;
                }
            }
            moves
        };
        let by_hand = || {
            let mut stream = Stream::from_seed(1);
            (0..GAMES).map(|_| by_hand::connect_four(&mut stream).0 as u64).sum::<u64>()
        };
        let expected = generic();
        assert_eq!(by_hand(), expected);
        let mut group = group(self.0, "by hand/connect-four", GAMES);
        group.measurement_time(Duration::from_secs(2)).sample_size(20);
        group.bench_function("generic", |bench| bench.iter(|| assert_eq!(generic(), expected)));
        group.bench_function("by hand", |bench| bench.iter(|| assert_eq!(by_hand(), expected)));
    }
}

fn against_by_hand(criterion: &mut Criterion) {
    visit("pig", 2, AgainstByHand(criterion));
    visit("connect-four", 2, FourByHand(criterion));
}

/// What a game costs with so many seats: whole games, their mean length on standard error.
struct Seats<'c> {
    criterion: &'c mut Criterion,
    agent: &'c str,
    games: u64,
}

impl Visitor for Seats<'_> {
    type Output = ();
    fn visit<G: Catalogued>(self, game: G) {
        let seats = game.seats();
        let spec = Spec::parse(self.agent).expect("an agent");
        let mut players =
            Players::<G>::new(std::iter::repeat_n(&spec, seats)).expect("agents that play alone");
        let keys = (0..self.games).map(|block| GameKey {
            seed: 1,
            phase: 0,
            block,
            rotation: 0,
            luck_rotation: 0,
            seating: std::array::from_fn(|seat| seat.min(seats - 1)),
        });
        let expected = play(&game, &mut players, keys.clone());
        let each = |sum: u64| sum as f64 / expected.0 as f64;
        let name = format!("seats/{}/{}", G::NAME, self.agent);
        eprintln!("{name}/{seats}: {:.0} decisions, {:.0} turns a game", each(expected.1), each(expected.2));
        let mut group = group(self.criterion, &name, self.games);
        group.measurement_time(Duration::from_millis(500));
        group.bench_function(seats.to_string(), |bench| {
            bench.iter(|| assert_eq!(play(&game, &mut players, keys.clone()), expected));
        });
    }
}

fn seats(criterion: &mut Criterion) {
    for (game, most, random, greedy) in
        [("six-sided-seas", 4, 300, 10), ("sultans-of-wind", 4, 30, 1), ("alhambra", 6, 30, 1)]
    {
        for seats in 2..=most {
            visit(game, seats, Seats { criterion, agent: "random", games: random });
            visit(game, seats, Seats { criterion, agent: "greedy", games: greedy });
        }
    }
}

criterion_group!(benches, raw, against_by_hand, playouts, steps, runner, seats);
criterion_main!(benches);
