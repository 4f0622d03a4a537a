//! What writing takes: the rows of `games.csv`, the tables of a run, and its page.
//!
//! The run is Pig at three targets between two agents; throughput is in games written, tables and pages are whole.

use std::hint::black_box;
use std::io;
use std::sync::atomic::AtomicBool;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use dhow::experiment::{self, Config, Context, Observer, Request, Results, Sweep, SweepMode};
use dhow::report::book::Book;
use dhow::report::csv::{self, GamesWriter};
use dhow::report::{html, table};
use dhow::tournament::{Event, GameRecord, Listener, Runner, Verify};

/// Games of an arm.
const GAMES: u64 = 2_000;

/// Keeps the games of a run, arm by arm.
#[derive(Default)]
struct Kept(Vec<(Context, Vec<GameRecord>)>);

impl Observer for Kept {
    fn enter(&mut self, context: &Context) -> io::Result<()> {
        self.0.push((context.clone(), Vec::new()));
        Ok(())
    }
}

impl Listener for Kept {
    fn hear(&mut self, event: Event<'_>) -> io::Result<()> {
        if let (Event::Batch { records, .. }, Some((_, kept))) = (event, self.0.last_mut()) {
            kept.extend_from_slice(records);
        }
        Ok(())
    }
}

fn played() -> (Results, Kept) {
    let values = [20, 25, 30].map(toml::Value::Integer).to_vec();
    let request = Request {
        game: "pig".into(),
        agents: vec!["random".into(), "threshold:hold=8".into()],
        games: GAMES,
        seed: 1,
        margin: 0.02,
        sweep: Sweep { switches: vec![("target".into(), values)], mode: SweepMode::Grid },
        per_game: true,
        ..Request::default()
    };
    let config = Config::new(&request).expect("a sound request");
    let (stop, mut kept) = (AtomicBool::new(false), Kept::default());
    let runner = Runner::new(1, &stop, Verify::Sample).expect("threads");
    (experiment::run(&config, &runner, &mut kept).expect("a sound run"), kept)
}

fn writing(criterion: &mut Criterion) {
    let (results, kept) = played();
    let games: usize = kept.0.iter().map(|(_, games)| games.len()).sum();
    assert_eq!(games as u64, 3 * GAMES);
    let mut group = criterion.benchmark_group("writing");
    group.sample_size(10);
    group.throughput(Throughput::Elements(games as u64));
    let rows = || {
        let mut writer = GamesWriter::new(Vec::new(), &["busts"]).expect("a vector takes every byte");
        for (context, games) in &kept.0 {
            writer.write(context, games).expect("a vector takes every byte");
        }
        writer.finish()
    };
    let lines = rows().iter().filter(|&&byte| byte == b'\n').count();
    assert_eq!(lines, 1 + 2 * games, "a head, and a row for each game and seat");
    group.bench_function("games.csv", |bench| bench.iter(|| black_box(rows())));
    group.throughput(Throughput::Elements(1));
    let tables = || table::tables(&results).iter().map(|table| csv::bytes(table).len()).sum::<usize>();
    let bytes = tables();
    group.bench_function("tables", |bench| bench.iter(|| assert_eq!(tables(), bytes)));
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/results/starting-coins");
    let book = Book::read(folder.as_ref()).expect("a committed run");
    let page = html::page(&book);
    assert!(page.contains("Which seat is better off?"));
    group.bench_function("report.html", |bench| {
        bench.iter(|| assert_eq!(html::page(&book).len(), page.len()))
    });
    group.finish();
}

criterion_group!(benches, writing);
criterion_main!(benches);
