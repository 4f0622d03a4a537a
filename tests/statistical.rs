//! Heavier statistical checks (`cargo test -- --ignored`): figures of independent programs, exact
//! odds on many games, memory that does not grow.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use dhow::experiment::{self, Config, Request, Results};
use dhow::tournament::{Runner, Silent, Verify};

fn run(game: &str, agent: &str, seats: usize, games: u64) -> Results {
    let request = Request {
        game: game.into(),
        seats: vec![seats],
        agents: vec![agent.into()],
        games,
        seed: 2,
        margin: 0.02,
        ..Request::default()
    };
    let config = Config::new(&request).unwrap();
    let stop = AtomicBool::new(false);
    let runner = Runner::new(2, &stop, Verify::Sample).unwrap();
    experiment::run(&config, &runner, &mut Silent).unwrap()
}

/// What an independent program measured of random play in Six-Sided Seas, 3,000 games each.
struct Measured {
    seats: usize,
    turns: f64,
    decisions: f64,
    /// Sink, plunder, exploration, in per cent.
    endings: [f64; 3],
    /// By seat, in per cent.
    wins: &'static [f64],
}

const MEASURED: [Measured; 3] = [
    Measured { seats: 2, turns: 130.2, decisions: 899.0, endings: [28.6, 62.9, 8.5], wins: &[47.3, 52.7] },
    Measured {
        seats: 3,
        turns: 189.3,
        decisions: 1289.0,
        endings: [12.7, 81.5, 5.8],
        wins: &[26.8, 38.4, 34.7],
    },
    Measured {
        seats: 4,
        turns: 246.6,
        decisions: 1669.0,
        endings: [6.3, 88.8, 4.9],
        wins: &[22.3, 21.7, 27.3, 28.7],
    },
];

#[test]
#[ignore = "heavy: 120,000 games"]
fn random_play_of_six_sided_seas_agrees_with_an_independent_program() {
    for Measured { seats, turns, decisions, endings, wins } in MEASURED {
        let results = run("six-sided-seas", "random", seats, 40_000);
        let tally = &results.arms[0].line_ups[0].played.tally;
        let games = tally.games as f64;
        // The error of 3,000 games and of ours; four of them is one chance in 16,000 for each figure.
        let near = |name: &str, found: f64, expected: f64, deviation: f64| {
            let error = deviation * (1.0 / 3_000.0 + 1.0 / games).sqrt();
            assert!(
                (found - expected).abs() < 4.0 * error,
                "{seats} players, {name}: {found}, measured {expected} with error {error}"
            );
        };
        let mean = tally.mean_turns().unwrap();
        let spread: f64 =
            tally.lengths.iter().map(|(&turns, &n)| (turns as f64 - mean).powi(2) * n as f64).sum();
        let deviation = (spread / games).sqrt();
        near("turns", mean, turns, deviation);
        let all: f64 = tally.agent_seats[0].iter().map(|cell| cell.decisions as f64).sum::<f64>() / games;
        near("decisions", all, decisions, deviation * decisions / turns);
        for (at, expected) in endings.iter().enumerate() {
            let share = tally.endings[at] as f64 / games;
            near("ending", share * 100.0, *expected, 100.0 * (share * (1.0 - share)).sqrt());
        }
        for (seat, expected) in wins.iter().enumerate() {
            let share = tally.seat_totals[seat].share().unwrap();
            near("wins", share * 100.0, *expected, 100.0 * (share * (1.0 - share)).sqrt());
        }
    }
}

#[test]
#[ignore = "heavy: four million games"]
fn random_tic_tac_toe_gives_the_exact_odds() {
    let results = run("tic-tac-toe", "random", 2, 4_000_000);
    let tally = &results.arms[0].line_ups[0].played.tally;
    let games = tally.games as f64;
    let seats = &tally.agent_seats[0];
    for (found, odds) in
        [(seats[0].wins, 737.0 / 1260.0), (seats[1].wins, 121.0 / 420.0), (tally.draws, 8.0 / 63.0)]
    {
        let error = (odds * (1.0 - odds) / games).sqrt();
        assert!((found as f64 / games - odds).abs() < 4.0 * error, "{found} of {games}, odds {odds}");
    }
}

/// Fair intervals: in a game that is fair by symmetry, 95 % intervals of many runs hold the fair share in
/// about 95 % of them (binomial: 380 of 400, standard deviation 4.4).
#[test]
#[ignore = "heavy: 400 runs"]
fn intervals_cover_the_truth_as_often_as_they_say() {
    let stop = AtomicBool::new(false);
    let runner = Runner::new(2, &stop, Verify::Sample).unwrap();
    let mut covered = 0;
    for seed in 0..400 {
        let request = Request {
            game: "rock-paper-scissors".into(),
            agents: vec!["random".into()],
            games: 400,
            seed,
            margin: 0.02,
            ..Request::default()
        };
        let config = Config::new(&request).unwrap();
        let results = experiment::run(&config, &runner, &mut Silent).unwrap();
        let seat = results.arms[0].line_ups[0].played.tally.seat_totals[0];
        let interval = seat.interval(dhow::statistics::simultaneous_z(0.95, 1)).unwrap();
        covered += (interval.low <= 0.5 && 0.5 <= interval.high) as u32;
    }
    assert!((362..=398).contains(&covered), "{covered} of 400");
}

/// Peak memory of a run, in KiB, as the system counts it.
#[cfg(target_os = "linux")]
fn peak_memory(games: &str) -> u64 {
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin("dhow"))
        .args(["tournament", "six-sided-seas", "--agents", "random", "--threads", "2", "--games", games])
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    while child.try_wait().unwrap().is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let fields: BTreeMap<&str, &str> = text.lines().filter_map(|line| line.split_once(':')).collect();
        if let Some(found) = fields.get("VmHWM").and_then(|text| text.split_whitespace().next()) {
            peak = peak.max(found.parse().unwrap());
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert!(child.wait().unwrap().success());
    peak
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "heavy: 440,000 games"]
fn memory_does_not_grow_with_the_games() {
    let (few, many) = (peak_memory("40000"), peak_memory("400000"));
    assert!(many < 64 * 1024, "{many} KiB");
    assert!(many < few + 8 * 1024, "{few} KiB, then {many} KiB");
}
