//! Runs that are broken off and taken up again, and runs in shards: the same bytes as in one go, whatever
//! the number of threads, shards and interruptions.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use assert_cmd::Command;
use dhow::experiment::{self, Config, Context, Fair, Observer, Request, Stop, Sweep, SweepMode};
use dhow::report::checkpoint::CHECKPOINT;
use dhow::report::folder::{Kept, Plan, RunFolder};
use dhow::report::manifest::RunPart;
use dhow::report::merge::Shards;
use dhow::streams::Stream;
use dhow::tournament::{Event, Listener, Mode, Runner, Shard, Verify};
use tempfile::TempDir;

const TALLIES: [&str; 0] = [];

/// Three arms of Pig, a row for each game.
fn config() -> Config {
    let values = [20, 25, 30].map(toml::Value::Integer).to_vec();
    Config::new(&Request {
        game: "pig".into(),
        agents: vec!["random".into(), "threshold:hold=8".into()],
        games: 700,
        seed: 11,
        margin: 0.02,
        sweep: Sweep { switches: vec![("target".into(), values)], mode: SweepMode::Grid },
        per_game: true,
        ..Request::default()
    })
    .unwrap()
}

/// Writes what it hears to a folder, and asks for a stop after some batches.
struct Keeper<'a> {
    folder: RunFolder,
    context: Option<Context>,
    batches_left: usize,
    stop: &'a AtomicBool,
}

impl Observer for Keeper<'_> {
    fn enter(&mut self, context: &Context) -> io::Result<()> {
        self.context = Some(context.clone());
        Ok(())
    }
}

impl Listener for Keeper<'_> {
    fn hear(&mut self, event: Event<'_>) -> io::Result<()> {
        if let Event::Batch { blocks, part, records } = event {
            self.folder.add_batch(self.context.as_ref().unwrap(), blocks, part, records)?;
            self.batches_left = self.batches_left.saturating_sub(1);
            if self.batches_left == 0 {
                self.stop.store(true, Ordering::Relaxed);
            }
        }
        Ok(())
    }
}

/// How a sitting ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    /// In good order: tables and manifest of what there is.
    Stopped,
    /// As by a kill: nothing more is written.
    Killed,
}

/// One sitting of at most `batches` batches; whether the run is complete then.
fn sit(
    path: &Path,
    config: &Config,
    shard: Shard,
    threads: usize,
    batches: usize,
    end: End,
) -> (bool, Option<Kept>) {
    let plan = Plan { resume: true, shard, ..Plan::default() };
    let mut folder = RunFolder::open(path, config, &TALLIES, &plan).unwrap();
    let sitting = folder.sitting();
    let stop = AtomicBool::new(false);
    let runner = Runner::new(threads, &stop, Verify::Sample).unwrap();
    let mut keeper = Keeper { folder, context: None, batches_left: batches, stop: &stop };
    let results = experiment::resume(config, sitting, &runner, &mut keeper).unwrap();
    if results.partial && end == End::Killed {
        return (false, None);
    }
    let kept = keeper.folder.finish(&results, RunPart::default()).unwrap();
    (!results.partial, Some(kept))
}

/// Every file of a folder that is inside the promise of same bytes.
fn promised(path: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(path).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let bytes = fs::read(path.join(&name)).unwrap();
        match name.as_str() {
            "times.csv" | "report.html" | CHECKPOINT => {}
            "manifest.json" => {
                let manifest: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
                files.insert(name, manifest["result"].to_string().into_bytes());
            }
            _ => {
                files.insert(name, bytes);
            }
        }
    }
    files
}

fn in_one_go(config: &Config) -> BTreeMap<String, Vec<u8>> {
    let folder = TempDir::new().unwrap();
    assert!(sit(folder.path(), config, Shard::default(), 2, usize::MAX, End::Stopped).0);
    assert!(!folder.path().join(CHECKPOINT).exists(), "a complete run needs no checkpoint");
    promised(folder.path())
}

fn same(left: &BTreeMap<String, Vec<u8>>, right: &BTreeMap<String, Vec<u8>>, what: &str) {
    assert_eq!(left.keys().collect::<Vec<_>>(), right.keys().collect::<Vec<_>>(), "{what}");
    for (name, bytes) in left {
        assert!(bytes == &right[name], "{what}: {name} differs");
    }
}

/// Cuts some bytes off a file, as a kill in the middle of writing does.
fn tear(path: &Path, stream: &mut Stream) {
    if let Ok(about) = fs::metadata(path) {
        let keep = about.len() - stream.below(60.min(about.len() as usize)) as u64;
        fs::OpenOptions::new().write(true).open(path).unwrap().set_len(keep).unwrap();
    }
}

/// Plays a shard to its end in many sittings, with kills, stops and torn files at random points.
fn with_interruptions(path: &Path, config: &Config, shard: Shard, threads: usize, stream: &mut Stream) {
    for _ in 0..40 {
        let end = if stream.below(3) == 0 { End::Stopped } else { End::Killed };
        let batches = 1 + stream.below(4);
        if sit(path, config, shard, threads, batches, end).0 {
            return;
        }
        if end == End::Killed && stream.below(2) == 0 {
            tear(&path.join(CHECKPOINT), stream);
            tear(&path.join("games.csv.part"), stream);
        }
    }
    // However unlucky the tearing, an unbroken sitting ends it.
    assert!(sit(path, config, shard, threads, usize::MAX, End::Stopped).0);
}

#[test]
fn threads_shards_and_interruptions_do_not_change_a_byte() {
    let config = config();
    let whole = in_one_go(&config);
    let seed = rand::random_seed();
    let mut stream = Stream::from_seed(seed);
    for threads in [1, 2, 7] {
        for of in [1, 3] {
            let home = TempDir::new().unwrap();
            let what = format!("{threads} threads, {of} shards, seed {seed}");
            let mut folders: Vec<PathBuf> = Vec::new();
            for index in 1..=of {
                let path = home.path().join(format!("part{index}"));
                with_interruptions(&path, &config, Shard::new(index, of).unwrap(), threads, &mut stream);
                folders.push(path);
            }
            if of == 1 {
                same(&whole, &promised(&folders[0]), &what);
                continue;
            }
            folders.reverse();
            let out = home.path().join("all");
            let mut folder = RunFolder::open(&out, &config, &TALLIES, &Plan::default()).unwrap();
            let results = Shards::read(&folders).unwrap().fold(Some(&mut folder)).unwrap();
            assert_eq!(folder.finish(&results, RunPart::default()).unwrap(), Kept::Written);
            same(&whole, &promised(&out), &what);
        }
    }
}

/// Arms that end when they are settled, and a fair setting with its fresh measurement: both depend on what
/// earlier sittings gave.
#[test]
fn settled_and_fair_runs_go_on_to_the_same_bytes() {
    let values = [20, 25, 30].map(toml::Value::Integer).to_vec();
    let settled = Config::new(&Request {
        game: "pig".into(),
        agents: vec!["random".into(), "threshold:hold=8".into()],
        mode: Mode::SelfPlay,
        games: 4_000,
        seed: 5,
        margin: 0.1,
        sweep: Sweep { switches: vec![("target".into(), values)], mode: SweepMode::Grid },
        per_game: true,
        stop: Stop::Settled,
        ..Request::default()
    })
    .unwrap();
    let coins = |second: i64| toml::Value::Array(vec![12.into(), second.into()]);
    let fair = Config::new(&Request {
        game: "six-sided-seas".into(),
        agents: vec!["random".into()],
        games: 400,
        seed: 5,
        margin: 0.02,
        sweep: Sweep {
            switches: vec![("starting_coins".into(), [7, 12, 17].map(coins).to_vec())],
            mode: SweepMode::Grid,
        },
        fair: Some(Fair { switch: "starting_coins".into() }),
        ..Request::default()
    })
    .unwrap();
    let seed = rand::random_seed();
    let mut stream = Stream::from_seed(seed);
    for (name, config) in [("settled", &settled), ("fair", &fair)] {
        let whole = in_one_go(config);
        for threads in [1, 2, 7] {
            let home = TempDir::new().unwrap();
            with_interruptions(home.path(), config, Shard::default(), threads, &mut stream);
            same(&whole, &promised(home.path()), &format!("{name}, {threads} threads, seed {seed}"));
        }
    }
}

mod rand {
    /// A seed that differs from run to run; it is printed when a test fails.
    pub fn random_seed() -> u64 {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
        now.as_nanos() as u64
    }
}

#[test]
fn shards_that_do_not_fit_together_are_refused_by_name() {
    let config = config();
    let home = TempDir::new().unwrap();
    let play = |name: &str, config: &Config, index, of, batches| {
        let path = home.path().join(name);
        sit(&path, config, Shard::new(index, of).unwrap(), 2, batches, End::Stopped);
        path
    };
    let [first, second, third] = [1, 2, 3].map(|at| play(&format!("s{at}"), &config, at, 3, usize::MAX));
    let message = |folders: &[&PathBuf]| {
        let folders: Vec<PathBuf> = folders.iter().map(|&folder| folder.clone()).collect();
        match Shards::read(&folders) {
            Ok(_) => "accepted".to_owned(),
            Err(error) => error.to_string(),
        }
    };
    assert_eq!(message(&[&third, &first, &second]), "accepted");
    let gap = message(&[&first, &third]);
    assert!(gap.contains("blocks 116 to 232 are missing"), "{gap}");
    let end = message(&[&first, &second]);
    assert!(end.contains("blocks 233 to 349 are missing"), "{end}");
    let overlap = message(&[&first, &second, &second, &third]);
    assert!(overlap.contains("are in both") && overlap.contains("s2"), "{overlap}");
    let half = play("half", &config, 1, 2, usize::MAX);
    let overlap = message(&[&half, &second, &third]);
    assert!(overlap.contains("are in both") && overlap.contains("half"), "{overlap}");
    let other = Config { seed: 12, ..config.clone() };
    let other = play("other", &other, 2, 3, usize::MAX);
    let mismatch = message(&[&first, &other, &third]);
    assert!(mismatch.contains("another run") && mismatch.contains("seed: 11 there, 12"), "{mismatch}");
    let torn = play("torn", &config, 2, 3, 1);
    let message = message(&[&first, &torn, &third]);
    assert!(message.contains("torn") && message.contains("--resume"), "{message}");
}

/// Of two runs into one folder the second is refused and disturbs nothing.
#[cfg(unix)]
#[test]
fn a_folder_takes_one_run_at_a_time() {
    let config = config();
    let home = TempDir::new().unwrap();
    let open = |plan: &Plan| RunFolder::open(home.path(), &config, &TALLIES, plan);
    let first = open(&Plan::default()).unwrap();
    let before = fs::read_dir(home.path()).unwrap().count();
    for (force, resume) in [(false, false), (true, false), (false, true)] {
        let error = open(&Plan { force, resume, ..Plan::default() }).err().unwrap().to_string();
        assert!(error.contains("is being written by another dhow"), "{error}");
    }
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), before);
    drop(first);
    same(
        &in_one_go(&config),
        &{
            assert!(sit(home.path(), &config, Shard::default(), 2, usize::MAX, End::Stopped).0);
            promised(home.path())
        },
        "after a lock",
    );
    // A run that is held against what stands there writes nothing, and leaves the folder to others.
    let _held = open(&Plan::default()).unwrap();
    assert!(open(&Plan::default()).is_ok());
}

#[test]
fn shards_that_were_changed_are_refused_by_name() {
    let config = config();
    let home = TempDir::new().unwrap();
    let folders = [1, 2].map(|at| {
        let path = home.path().join(format!("s{at}"));
        sit(&path, &config, Shard::new(at, 2).unwrap(), 2, usize::MAX, End::Stopped);
        path
    });
    let message = || Shards::read(&folders).map_or_else(|error| error.to_string(), |_| "accepted".to_owned());
    assert_eq!(message(), "accepted");
    let rows = folders[1].join("games.csv");
    let sound = fs::read(&rows).unwrap();
    let mut altered = sound.clone();
    let digit = altered.iter().rposition(u8::is_ascii_digit).unwrap();
    altered[digit] = if altered[digit] == b'1' { b'2' } else { b'1' };
    for (bytes, expected) in [
        (&altered[..], "s2/games.csv is not what the manifest"),
        (&[&sound[..], b"extra\r\n"].concat(), "s2/games.csv is not what the manifest"),
        (&sound[..sound.len() - 1], "s2/games.csv is shorter than its checkpoint says"),
        (b"", "s2/games.csv is shorter than its checkpoint says"),
    ] {
        fs::write(&rows, bytes).unwrap();
        assert!(message().contains(expected), "{}", message());
    }
    fs::write(&rows, &sound).unwrap();
    assert_eq!(message(), "accepted");
}

fn dhow(folder: &Path, arguments: &[&str]) -> std::process::Output {
    Command::cargo_bin("dhow").unwrap().current_dir(folder).args(arguments).output().unwrap()
}

const RUN: [&str; 8] = ["tournament", "pig", "--agents", "random", "--rule", "target=30", "--out", "there"];

#[test]
fn a_killed_run_goes_on_to_the_same_bytes() {
    let home = TempDir::new().unwrap();
    let games = ["--games", "60000", "--per-game", "--quiet"];
    let whole = dhow(home.path(), &[&RUN[..7], &["whole"], &games].concat());
    assert!(whole.status.success());
    let binary = assert_cmd::cargo::cargo_bin("dhow");
    let mut child = std::process::Command::new(binary)
        .current_dir(home.path())
        .args(RUN)
        .args(games)
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    // Killed as soon as something was kept.
    let checkpoint = home.path().join("there").join(CHECKPOINT);
    while fs::metadata(&checkpoint).map_or(0, |about| about.len()) < 1_000
        && child.try_wait().unwrap().is_none()
    {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let manifest = fs::read_to_string(home.path().join("there/manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    if manifest["result"]["partial"] == true {
        assert_eq!(manifest["run"]["resume"], format!("dhow {} {} --resume", RUN.join(" "), games.join(" ")));
        let other = dhow(home.path(), &[&RUN[..], &["--games", "50", "--per-game", "--resume"]].concat());
        let message = String::from_utf8(other.stderr).unwrap();
        assert_eq!(other.status.code(), Some(2));
        assert!(message.contains("games: 60000 there, 50 asked"), "{message}");
    }
    let resumed = dhow(home.path(), &[&RUN[..], &games, &["--resume"]].concat());
    assert!(resumed.status.success(), "{}", String::from_utf8_lossy(&resumed.stderr));
    same(&promised(&home.path().join("whole")), &promised(&home.path().join("there")), "after a kill");
    let again = dhow(home.path(), &[&RUN[..], &games, &["--resume"]].concat());
    assert!(again.status.success());
    assert!(String::from_utf8_lossy(&again.stderr).contains("nothing is left to play"));
}

#[test]
fn shards_merge_on_the_command_line() {
    let home = TempDir::new().unwrap();
    let games = ["--games", "900", "--quiet"];
    assert!(dhow(home.path(), &[&RUN[..7], &["whole"], &games].concat()).status.success());
    for shard in ["1", "2"] {
        let name = format!("part{shard}");
        let shard = format!("{shard}/2");
        let output = dhow(home.path(), &[&RUN[..7], &[&name], &games, &["--shard", &shard]].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let merged = dhow(home.path(), &["merge", "part2", "part1", "--out", "whole"]);
    assert!(merged.status.success(), "{}", String::from_utf8_lossy(&merged.stderr));
    assert!(String::from_utf8_lossy(&merged.stderr).contains("reproduced, byte for byte"));
    // A shard is never replaced by the whole, however it is spelled.
    let kept = promised(&home.path().join("part1"));
    for out in ["part1", "./part2/../part1"] {
        let over = dhow(home.path(), &["merge", "part1", "part2", "--out", out, "--force"]);
        let message = String::from_utf8(over.stderr).unwrap();
        assert_eq!(over.status.code(), Some(2), "{message}");
        assert!(message.contains("is the shard part1") && message.lines().count() == 1, "{message}");
    }
    same(&kept, &promised(&home.path().join("part1")), "a shard that was named as --out");
    let alone = dhow(home.path(), &["merge", "part2", "--out", "alone"]);
    assert_eq!(alone.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&alone.stderr).contains("are missing"));
    let bare = dhow(home.path(), &["tournament", "pig", "--agents", "random", "--resume"]);
    assert_eq!(bare.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&bare.stderr).contains("--resume needs --out DIR"));
}
