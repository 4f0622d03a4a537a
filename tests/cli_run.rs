//! `dhow tournament` and `dhow run` as a user runs them.

use std::fs;
use std::path::Path;
use std::process::Command;

use assert_cmd::Command as Dhow;
use predicates::prelude::*;

fn dhow() -> Dhow {
    Dhow::cargo_bin("dhow").unwrap()
}

/// One line on standard error that holds each of `parts`, exit code 2, no panic.
fn refused(args: &[&str], parts: &[&str]) {
    let output = dhow().args(args).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{args:?}: {stderr}");
    assert_eq!(stderr.lines().count(), 1, "{args:?}: {stderr}");
    assert!(output.stdout.is_empty(), "{args:?}");
    for part in parts {
        assert!(stderr.contains(part), "{args:?}: `{part}` is not in: {stderr}");
    }
    assert!(!stderr.contains("panicked"), "{stderr}");
}

#[test]
fn bad_input_is_one_line_and_exit_code_2() {
    refused(&["tournament", "pigg", "--agents", "random"], &["no game `pigg`", "did you mean `pig`?"]);
    refused(&["tournament", "pig", "--agents", "randm"], &["no agent `randm`", "did you mean `random`?"]);
    refused(&["tournament", "pig", "--agents", "threshold:hld=3"], &["did you mean `hold`?"]);
    refused(&["tournament", "pig", "--agents", "threshold:hold=x"], &["expected a whole number from"]);
    refused(&["tournament", "tic-tac-toe", "--agents", "threshold"], &["no roll-or-stop decision"]);
    refused(&["tournament", "pig", "--agents", "human"], &["dhow play"]);
    refused(&["tournament", "pig", "--agents", "random,random"], &["named twice"]);
    refused(&["tournament", "pig", "--agents", "random", "--rule", "tarjet=5"], &["did you mean `target`?"]);
    refused(&["tournament", "pig", "--agents", "random", "--rule", "target=none"], &["whole number from"]);
    refused(&["tournament", "pig", "--agents", "random", "--rule", "target"], &["key=value"]);
    refused(&["tournament", "pig", "--agents", "random", "--seats", "9"], &["2 to 6 players, not 9"]);
    refused(&["tournament", "pig", "--agents", "random", "--seats", "two"], &["write 2, 2,3 or 2..4"]);
    refused(&["tournament", "pig", "--agents", "random", "--games", "0"], &["0 games"]);
    refused(&["tournament", "pig", "--agents", "random", "--games", "many"], &["no whole number"]);
    refused(&["tournament", "pig", "--agents", "random", "--seed", "x1"], &["no whole number"]);
    refused(&["tournament", "pig", "--agents", "random", "--threads", "0"], &["expected 1 to 1024"]);
    refused(&["tournament", "pig", "--agents", "random", "--margin", "2"], &["margin 2 is out of range"]);
    refused(&["tournament", "pig", "--agents", "random", "--by", "bust"], &["did you mean `busts`?"]);
    let none = ["tournament", "tic-tac-toe", "--agents", "random", "--by", "x"];
    refused(&none, &["tic-tac-toe has no tally `x`: it has none at all"]);
    refused(&["tournament", "pig", "--agents", "random", "--per-game"], &["--out"]);
    refused(&["tournament", "pig"], &["--agents"]);
    let many: Vec<String> = (1..=24).map(|hold| format!("threshold:hold={hold}")).collect();
    let many = many.join(",");
    for command in ["tournament", "play"] {
        let more = if command == "play" { ["--line-up", "1"] } else { ["--games", "1"] };
        refused(
            &[&[command, "pig", "--seats", "6", "--agents", &many], &more[..]].concat(),
            &["134596 line-ups at 6 seats", "at most 65536", "fewer agents, fewer seats", "--play self"],
        );
    }
    refused(&["tournment"], &["tournment"]);
    let seas = |rules: &[&str], parts: &[&str]| {
        let rules = rules.iter().flat_map(|rule| ["--rule", rule]);
        let args: Vec<&str> =
            ["tournament", "six-sided-seas", "--agents", "random"].into_iter().chain(rules).collect();
        refused(&args, parts);
    };
    seas(&["starting_coins=12"], &["starting_coins", "2 whole numbers"]);
    seas(&["starting_coins=12,22"], &["22", "below plunder_win_at"]);
    seas(&["starting_coins=12,many"], &["starting_coins", "12,many"]);
    seas(&["plunder_requirement=pair_sum_8"], &["did you mean `pair_sum_7`?"]);
    seas(&["hp_dice=released", "hp_dice=reserved"], &["set twice"]);
}

/// The answer on the terminal and the tables, byte for byte: reviewed once, frozen since.
#[test]
fn golden_answer_and_tables_of_tic_tac_toe() {
    let dir = tempfile::tempdir().unwrap();
    let output = dhow()
        .args(["tournament", "tic-tac-toe", "--agents", "random,greedy", "--games", "1000", "--out"])
        .arg(dir.path())
        .output()
        .unwrap();
    let mut found = String::from_utf8(output.stdout).unwrap();
    for name in ["agents", "seats", "pairs", "endings", "lengths", "sweep"] {
        let text = fs::read_to_string(dir.path().join(format!("{name}.csv"))).unwrap();
        found.push_str(&format!("\n== {name}.csv\n{}", text.replace("\r\n", "\n")));
    }
    insta::with_settings!({ snapshot_path => "golden", prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("tournament_tic_tac_toe", found);
    });
}

#[test]
fn broken_experiment_files_are_named_with_line_and_column() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("x.toml");
    let path = file.to_str().unwrap();
    refused(&["run", path], &["cannot read the experiment", "x.toml"]);
    for (text, parts) in [
        ("game = \"pig\nagents = []", vec!["line 1, column"]),
        ("game = \"pig\"\nagents = [\"random\"]\ngaems = 5\n", vec!["line 3, column 1", "gaems"]),
        ("game = \"pig\"\nagents = [\"random\"]\n[sweep]\ntarget = 50\n", vec!["line 4", "list of values"]),
        ("game = \"pig\"\nagents = [\"random\"]\n[sweep]\nmode = \"both\"\n", vec!["\"grid\" or \"zip\""]),
        ("game = \"pig\"\nagents = [\"random\"]\n[rules]\ntarget = 0\n", vec!["target", "whole number"]),
        ("game = \"pog\"\nagents = [\"random\"]\n", vec!["x.toml", "did you mean `pig`?"]),
    ] {
        fs::write(&file, text).unwrap();
        refused(&["run", path], &parts);
    }
}

#[test]
fn random_tic_tac_toe_gives_the_known_odds() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    dhow()
        .args(["tournament", "tic-tac-toe", "--agents", "random", "--games", "200_000", "--quiet", "--out"])
        .arg(&out)
        .assert()
        .success();
    let rows = table(&out.join("seats.csv"));
    for (seat, wins) in [(0, 737.0 / 1260.0), (1, 121.0 / 420.0)] {
        let games: f64 = rows[seat]["games"].parse().unwrap();
        let found: f64 = rows[seat]["wins"].parse().unwrap();
        let ties: f64 = rows[seat]["ties"].parse().unwrap();
        for (count, odds) in [(found, wins), (ties, 8.0 / 63.0)] {
            let error = (odds * (1.0 - odds) / games).sqrt();
            assert!(
                (count / games - odds).abs() < 2.0 * error,
                "seat {seat}: {count} of {games}, odds {odds}"
            );
        }
        let share = wins + 4.0 / 63.0;
        let (low, high): (f64, f64) =
            (rows[seat]["low"].parse().unwrap(), rows[seat]["high"].parse().unwrap());
        assert!(low < share && share < high, "{low} {share} {high}");
    }
}

fn table(path: &Path) -> Vec<std::collections::BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_path(path).unwrap();
    reader.deserialize().map(Result::unwrap).collect()
}

/// Every file of a folder but those outside the promise.
fn promised(folder: &Path) -> std::collections::BTreeMap<String, Vec<u8>> {
    let mut files = std::collections::BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let mut bytes = fs::read(entry.path()).unwrap();
        if ["times.csv", "report.html"].contains(&name.as_str()) {
            continue;
        }
        if name == "manifest.json" {
            let manifest: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
            bytes = manifest["result"].to_string().into_bytes();
        }
        files.insert(name, bytes);
    }
    files
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let dir = tempfile::tempdir().unwrap();
    let run = |threads: &str| {
        let out = dir.path().join(threads);
        dhow()
            .args(["tournament", "pig", "--agents", "random,greedy,threshold", "--seats", "2..4"])
            .args(["--games", "500", "--per-game", "--by", "busts", "--threads", threads, "--out"])
            .arg(&out)
            .assert()
            .success();
        promised(&out)
    };
    let one = run("1");
    assert!(one.contains_key("games.csv") && one.contains_key("groups.csv"), "{:?}", one.keys());
    for threads in ["2", "7"] {
        let other = run(threads);
        for (name, bytes) in &one {
            assert!(*bytes == other[name], "{name} differs with {threads} threads");
        }
    }
}

#[test]
fn a_run_is_reproduced_or_refused() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("question.toml");
    fs::write(&file, "game = \"pig\"\nagents = [\"random\"]\ngames = 100\n[sweep]\ntarget = [20, 30]\n")
        .unwrap();
    let out = dir.path().join("out");
    let run = |extra: &[&str]| {
        let mut command = dhow();
        command.arg("run").arg(&file).arg("--out").arg(&out).args(extra);
        command
    };
    run(&[]).assert().success().stderr(predicate::str::contains("Written to"));
    run(&[]).assert().success().stderr(predicate::str::contains("reproduced, byte for byte"));
    // Another configuration is refused, and says what differs.
    run(&["--games", "200"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("another configuration (games: 100 there, 200 asked)"));
    // A file that was changed is named and left alone.
    let seats = out.join("seats.csv");
    let mut text = fs::read_to_string(&seats).unwrap();
    text.push_str("extra\r\n");
    fs::write(&seats, &text).unwrap();
    run(&[]).assert().code(1).stderr(predicate::str::contains(
        "does not reproduce; not the same (left alone, --force replaces all): seats.csv",
    ));
    assert_eq!(fs::read_to_string(&seats).unwrap(), text);
    run(&["--force"]).assert().success();
    run(&[]).assert().success().stderr(predicate::str::contains("reproduced"));
    // Files that are no run are never touched.
    let other = dir.path().join("other");
    fs::create_dir(&other).unwrap();
    fs::write(other.join("thesis.txt"), "mine").unwrap();
    dhow()
        .arg("run")
        .arg(&file)
        .arg("--out")
        .arg(&other)
        .assert()
        .code(2)
        .stderr(predicate::str::contains("no run of dhow"));
    assert_eq!(fs::read_dir(&other).unwrap().count(), 1);
}

#[test]
fn folders_that_cannot_be_written_are_one_line() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    fs::write(&file, "x").unwrap();
    let at = |path: &Path| path.to_str().unwrap().to_owned();
    refused(&["tournament", "pig", "--agents", "random", "--out", &at(&file)], &["not a folder"]);
    refused(&["tournament", "pig", "--agents", "random", "--out", &at(&file.join("x"))], &["cannot write"]);
    refused(&["tournament", "pig", "--agents", "random", "--out", "/proc/dhow"], &["cannot write"]);
}

/// A disk that runs full, by way of a limit on the size of files.
#[cfg(unix)]
#[test]
fn a_full_disk_is_one_line_and_keeps_what_was_written() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let dhow = assert_cmd::cargo::cargo_bin("dhow");
    let script = format!(
        "trap '' XFSZ; ulimit -f 8; exec '{}' tournament pig --agents random --games 2000 --per-game --out '{}'",
        dhow.display(),
        out.display()
    );
    let output = Command::new("bash").args(["-c", &script]).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    assert!(stderr.contains("cannot write") && !stderr.contains("panicked"), "{stderr}");
    assert!(fs::metadata(out.join("games.csv.part")).unwrap().len() > 0);
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_keeps_whole_blocks_and_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let child = Command::new(assert_cmd::cargo::cargo_bin("dhow"))
        .args(["tournament", "pig", "--agents", "random", "--games", "1e12", "--out"])
        .arg(&out)
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(1_500));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{stderr}");
    let first = stderr.lines().next();
    assert_eq!(first, Some("stopping after the games under way; Ctrl-C again ends at once"), "{stderr}");
    assert!(
        stderr.contains("Interrupted: whole blocks were kept. To go on: dhow tournament")
            && stderr.contains("--resume"),
        "{stderr}"
    );
    let manifest: serde_json::Value =
        serde_json::from_slice(&fs::read(out.join("manifest.json")).unwrap()).unwrap();
    assert_eq!(manifest["result"]["partial"], true);
    let games = manifest["result"]["line_ups"][0]["games"].as_u64().unwrap();
    assert!(games > 0 && games.is_multiple_of(2));
}

#[test]
fn a_dry_run_plays_nothing_and_writes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    dhow()
        .args(["tournament", "pig", "--agents", "random", "--sweep", "target=20/30", "--games", "1e9"])
        .args(["--dry-run", "--out"])
        .arg(&out)
        .assert()
        .success()
        .stdout(predicate::str::contains("2 line-ups, 2,000,000,000 games, about"));
    assert!(!out.exists());
}

#[test]
fn json_holds_the_same_tables() {
    let output = dhow()
        .args(["tournament", "pig", "--agents", "random,greedy", "--games", "100", "--json"])
        .output()
        .unwrap();
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(value["tables"]["agents"].as_array().unwrap().len(), 2);
    assert_eq!(value["tables"]["agents"][0]["seatings"], 100);
}

#[test]
fn every_csv_has_its_header_and_starts_with_arm_game_seats() {
    let dir = tempfile::tempdir().unwrap();
    dhow()
        .args([
            "tournament",
            "pig",
            "--agents",
            "random",
            "--games",
            "10",
            "--per-game",
            "--by",
            "busts",
            "--out",
        ])
        .arg(dir.path())
        .assert()
        .success();
    let readme = fs::read_to_string("README.md").unwrap();
    for entry in fs::read_dir(dir.path()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|end| end == "csv") {
            let header = fs::read_to_string(&path).unwrap().lines().next().unwrap().to_owned();
            assert!(header.starts_with("arm,game,seats"), "{path:?}");
            let name = path.file_name().unwrap().to_str().unwrap();
            assert!(readme.contains(&format!("`{name}`")), "README does not explain {name}");
            for column in header.split(',') {
                assert!(
                    readme.contains(&format!("`{column}`"))
                        || column == "busts"
                        || column.starts_with("seat_"),
                    "README does not explain the column {column} of {name}"
                );
            }
        }
    }
}

/// A value that the game or an agent refuses is named by its place, as what is no TOML is.
#[test]
fn values_that_are_refused_are_named_with_line_and_column() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("x.toml");
    let path = file.to_str().unwrap();
    let at = |place: &str, text: &str, part: &str| {
        fs::write(&file, text).unwrap();
        refused(&["run", path], &[&format!("x.toml, line {place}: "), part]);
    };
    let pig = |place: &str, lines: &str, part: &str| {
        at(place, &format!("game = \"pig\"\nagents = [\"random\"]\n{lines}\n"), part);
    };
    at("2, column 8", "# What?\ngame = \"pog\"\nagents = [\"random\"]\n", "did you mean `pig`?");
    let agents = |list: &str| format!("game = \"pig\"\nagents = [\n  \"random\",\n  {list},\n]\n");
    at("4, column 3", &agents("\"gredy\""), "did you mean `greedy`?");
    at("4, column 3", &agents("\"threshold:hld=3\""), "did you mean `hold`?");
    at("4, column 3", &agents("\"threshold:margin=4\""), "no limit to keep a margin to");
    at("4, column 3", &agents("\"human\""), "dhow play");
    at("4, column 13", &agents("\"greedy\", \"greedy\""), "agent greedy is named twice");
    at("2, column 10", "game = \"pig\"\nagents = []\n", "no agent was named");
    pig("3, column 9", "seats = 9", "2 to 6 players, not 9");
    pig("4, column 3", "seats = [2,\n  9]", "2 to 6 players, not 9");
    pig("3, column 13", "seats = [2, 2]", "named twice");
    pig("3, column 9", "games = 0", "0 games were asked for");
    pig("3, column 10", "margin = 2", "margin 2 is out of range");
    pig("3, column 6", "by = \"bust\"", "did you mean `busts`?");
    pig("4, column 8", "by = [\"busts\",\n       \"bust\"]", "did you mean `busts`?");
    // Rules, however their table is written; an unknown one by its name, another by its value.
    pig("4, column 1", "[rules]\ntarjet = 5", "did you mean `target`?");
    pig("4, column 10", "[rules]\ntarget = 0", "`target` cannot be `0`");
    pig("3, column 16", "rules.target = 0", "`target` cannot be `0`");
    pig("3, column 34", "rules = { turn_cap = 9, target = 0 }", "`target` cannot be `0`");
    pig("5, column 10", "[sweep]\ntarget = [20,\n         0]", "`target` cannot be `0`");
    pig("4, column 1", "[sweep]\ntarjet = [20, 30]", "did you mean `target`?");
    pig("4, column 15", "[sweep]\ntarget = [20, 20]", "names 20 twice");
    pig("4, column 10", "[sweep]\ntarget = []", "has no values");
    pig("5, column 1", "rules.target = 5\n[sweep]\ntarget = [20, 30]", "both held fixed and swept");
    pig("6, column 12", "[sweep]\nmode = \"zip\"\ntarget = [20, 30]\nturn_cap = [9]", "equal length");
    // What `forbid` makes of the first agent is its own fault.
    pig("4, column 10", "seats = 2\nforbid = [\"rol\"]", "did you mean `roll`?");
    at(
        "2, column 11",
        "game = \"pig\"\nagents = [\"gredy\"]\nforbid = [\"roll\"]\n",
        "did you mean `greedy`?",
    );
    // Each fault at its own place, though the second agent is wrong too.
    let forbidden = "game = \"pig\"\nagents = [\"random\", \"gredy\"]\nforbid = [\"roll\", \"roll\"]\n";
    at("3, column 10", forbidden, "names roll twice");
    at("3, column 8", "game = \"pig\"\nforbid = [\"roll\"]\nagents=[]\n", "no agent was named");
    // A byte order mark takes no column.
    at("1, column 8", "\u{feff}game = \"pog\"\nagents = [\"random\"]\n", "did you mean `pig`?");
    // Switches that do not go together: the one of which the message speaks, or the only one that was set.
    let seas = |place: &str, lines: &str, part: &str| {
        at(place, &format!("game = \"six-sided-seas\"\nagents = [\"random\"]\n{lines}\n"), part);
    };
    seas("4, column 18", "[rules]\nstarting_coins = [12, 22]", "below plunder_win_at");
    seas("5, column 18", "[rules]\nplunder_gain = 3\nstarting_coins = [12, 22]", "cannot be 22");
    // Neither the 1 that a coin must have at least nor the switch that it must lie below is to blame.
    seas("5, column 18", "[rules]\njackpot_gain = 1\nstarting_coins = [12, 22]", "from 1 to 21");
    seas("5, column 19", "[rules]\nplunder_win_at = 22\nresurrect_coins = 30", "rect_coins cannot be 30");
    let wind = "game = \"sultans-of-wind\"\nagents = [\"random\"]\n[rules]\ncloud_set = \"none.csv\"\n";
    at("4, column 13", wind, "none.csv");
    // What is solved for, and when it ends.
    let fair = |switch: &str| format!("[sweep]\ntarget = [20, 30]\n[fair]\nswitch = \"{switch}\"");
    pig("6, column 10", &fair("tarjet"), "did you mean `target`?");
    pig("4, column 10", &fair("target").replace(", 30", ""), "at least two values");
    pig("3, column 8", &format!("stop = \"settled\"\n{}", fair("target")), "leave out stop");
    let meeting = "game = \"pig\"\nagents = [\"random\", \"greedy\"]\nstop = \"settled\"\n";
    at("3, column 8", meeting, "play = \"self\"");
    // What the command line says is not the file's fault.
    fs::write(&file, "game = \"pig\"\nagents = [\"random\"]\ngames = 5\n").unwrap();
    refused(&["run", path, "--games", "0"], &["x.toml: 0 games were asked for"]);
}

/// The built-in cloud tiles with the patterns of two of them exchanged.
fn cloud_file(first: usize, second: usize) -> String {
    let built_in = include_str!("../src/games/sultans_of_wind/clouds.csv");
    let mut lines: Vec<String> = built_in.lines().map(str::to_owned).collect();
    let pattern = |line: &str| line.split_once(',').unwrap().1.to_owned();
    let (one, other) = (pattern(&lines[1 + first]), pattern(&lines[1 + second]));
    lines[1 + first] = format!("{first},{other}");
    lines[1 + second] = format!("{second},{one}");
    lines.join("\n")
}

/// A run whose switch names a file: when the file changes or goes, no result changes in silence.
#[test]
fn a_file_that_a_switch_names_cannot_change_a_run_unseen() {
    let dir = tempfile::tempdir().unwrap();
    let (file, out) = (dir.path().join("clouds.csv"), dir.path().join("out"));
    let rule = format!("cloud_set={}", file.display());
    let tournament = || {
        let mut command = dhow();
        command.args([
            "tournament",
            "sultans-of-wind",
            "--agents",
            "greedy",
            "--games",
            "2",
            "--rule",
            &rule,
        ]);
        command.arg("--out").arg(&out);
        command
    };
    let replayed = || {
        let output = dhow().args(["play", "--trace", "-", "--from"]).arg(&out).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    fs::write(&file, cloud_file(0, 1)).unwrap();
    tournament().assert().success().stderr(predicate::str::contains("Written to"));
    tournament().assert().success().stderr(predicate::str::contains("reproduced, byte for byte"));
    let game = replayed();
    let other =
        "a run with another configuration (the file that a switch of arm 1, 2 seats, names has changed)";
    fs::write(&file, cloud_file(2, 3)).unwrap();
    tournament().assert().code(2).stderr(predicate::str::contains(other));
    assert_eq!(replayed(), game);
    fs::remove_file(&file).unwrap();
    tournament().assert().code(2).stderr(predicate::str::contains("clouds.csv"));
    assert_eq!(replayed(), game);

    // A manifest without the patterns is refused: the file is no stand-in for them.
    fs::write(&file, cloud_file(0, 1)).unwrap();
    let path = out.join("manifest.json");
    let mut manifest: serde_json::Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    manifest["result"]["config"]["arms"][0].as_object_mut().unwrap().remove("data").unwrap();
    fs::write(&path, manifest.to_string()).unwrap();
    refused(&["play", "--quiet", "--from", out.to_str().unwrap()], &["`data`", "are missing"]);
}

/// A configuration holds what its switches loaded: once it is made, the file plays no part.
#[test]
fn a_configuration_is_played_without_the_files_that_it_loaded() {
    use dhow::experiment::{Config, Request, run, trial};
    use dhow::tournament::{Runner, Silent, Verify};
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("clouds.csv");
    let played = |config: &Config| {
        let stop = std::sync::atomic::AtomicBool::new(false);
        let runner = Runner::new(1, &stop, Verify::default()).unwrap();
        let results = run(config, &runner, &mut Silent).unwrap();
        format!("{:?}", results.arms[0].line_ups[0].played.tally)
    };
    let config = |patterns: Option<(usize, usize)>| {
        let mut request = Request {
            game: "sultans-of-wind".into(),
            agents: vec!["greedy".into()],
            games: 2,
            margin: 0.02,
            ..Request::default()
        };
        if let Some((first, second)) = patterns {
            fs::write(&file, cloud_file(first, second)).unwrap();
            request.rules.insert("cloud_set".into(), file.to_str().unwrap().into());
        }
        Config::new(&request).unwrap()
    };
    // Other patterns give another run, or the rest would say nothing.
    let (first, second) = (config(Some((0, 1))), config(Some((2, 3))));
    let expected = played(&second);
    assert_ne!(played(&first), expected);
    assert_ne!(played(&config(None)), expected);
    fs::remove_file(&file).unwrap();
    assert_eq!(played(&second), expected);
    trial(&second, 1).unwrap();
}

#[test]
fn a_plan_says_how_many_games_a_question_needs() {
    let output =
        dhow().args(["plan", "pig", "--agent", "random", "--trial", "20", "--json"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let plans: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    // The design effect of the trial only ever adds games.
    let games = plans[0]["needs"][0]["games"].as_u64().unwrap();
    assert!(games >= 19_623, "{plans}");
    let refused = dhow().args(["plan", "pig", "--margin", "2"]).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--margin 2 is out of range"));
}

#[test]
fn what_nobody_can_wait_for_is_refused() {
    refused(&["plan", "pig", "--effect", "1e-300"], &["--effect 1e-300", "wait for", "at least 1e-6"]);
    refused(&["plan", "pig", "--margin", "1e-7"], &["--margin 1e-7", "at least 1e-6"]);
    refused(&["plan", "pig", "--arms", "18446744073709551615"], &["expected 1 to 1,000,000"]);
    refused(&["plan", "pig", "--arms", "0"], &["0 arms were asked for; expected 1 to"]);
    refused(&["check", "pig", "--games", "1e19"], &["10000000000000000000 games", "at most 1e15"]);
    refused(&["check", "pig", "--random-rules", "1e19"], &["random settings", "at most 1e15"]);
    let far = ["plan", "pig", "--agent", "random", "--trial", "20", "--effect", "1e-6", "--arms", "1e6"];
    dhow().args(far).assert().success().stdout(
        predicate::str::contains("more than anybody can wait for")
            .and(predicate::str::contains("years").not()),
    );
}
