//! `dhow play`, `replay`, `games`, `agents` and `completions` as a user runs them, and traces held against
//! the rules.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use assert_cmd::cargo::CommandCargoExt;
use dhow::game::{Ink, Seat, Turn};
use dhow::games::Catalogued;
use dhow::games::registry::{self, ENTRIES, Setup, Visitor};
use dhow::games::switches::show_value;
use dhow::streams::Stream;
use dhow::trace::{ReplayError, replay};
use serde_json::Value;
use tempfile::TempDir;

fn dhow(args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("dhow").unwrap();
    command.args(args).env_remove("NO_COLOR").env("RUST_BACKTRACE", "1").stdin(Stdio::null());
    command
}

fn run(args: &[&str]) -> Output {
    dhow(args).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// What a command that must succeed prints.
#[track_caller]
fn printed(args: &[&str]) -> String {
    let output = run(args);
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    assert_eq!(text(&output.stderr), "", "{args:?}");
    text(&output.stdout)
}

/// The one line on standard error of a command that must fail with `code`.
#[track_caller]
fn refused(args: &[&str], code: i32) -> String {
    let output = run(args);
    let line = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {line}");
    assert_eq!(line.lines().count(), 1, "{args:?}: {line}");
    assert!(line.starts_with("dhow: "), "{args:?}: {line}");
    for word in ["panicked", "backtrace", "RUST_"] {
        assert!(!line.contains(word), "{args:?}: {line}");
    }
    line
}

/// What a person sees who types `typed`.
fn typed(args: &[&str], typed: &str) -> Output {
    let mut command = assert_cmd::Command::cargo_bin("dhow").unwrap();
    command.args(args).write_stdin(typed).output().unwrap()
}

/// Compares with a file of tests/golden; INSTA_UPDATE=always writes it.
fn golden(name: &str, found: &str) {
    insta::with_settings!({
        snapshot_path => "golden",
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        insta::assert_snapshot!(name, found.replace(env!("CARGO_PKG_VERSION"), "VERSION"));
    });
}

/// A trace in a folder that lives as long as the first value.
fn traced(args: &[&str]) -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("game.jsonl");
    let mut all = vec!["play"];
    all.extend(args);
    all.extend(["--quiet", "--trace", path.to_str().unwrap()]);
    printed(&all);
    (folder, path)
}

fn trace_of(args: &[&str]) -> String {
    fs::read_to_string(traced(args).1).unwrap()
}

fn line_of(error: &ReplayError) -> u64 {
    match error {
        ReplayError::Unreadable { line, .. }
        | ReplayError::Cut { line, .. }
        | ReplayError::Broken { line, .. } => *line,
        ReplayError::Io(_) => 0,
    }
}

#[test]
fn golden_texts() {
    golden("games_tic_tac_toe", &printed(&["games", "tic-tac-toe"]));
    golden("games_rock_paper_scissors", &printed(&["games", "rock-paper-scissors"]));
    golden("agents", &printed(&["agents"]));
    golden("agents_threshold", &printed(&["agents", "threshold"]));
    let game = ["play", "tic-tac-toe", "--agents", "random,greedy", "--explain"];
    golden("told_tic_tac_toe", &printed(&game));
    golden("trace_tic_tac_toe", &trace_of(&["tic-tac-toe", "--agents", "random,greedy"]));
    golden("trace_kuhn_poker", &trace_of(&["kuhn-poker", "--agents", "random"]));
    golden("trace_rock_paper_scissors", &trace_of(&["rock-paper-scissors", "--agents", "random"]));
    // Random players: a better judgement of positions must not change the file.
    let seas = printed(&["play", "six-sided-seas", "--agents", "random"]);
    golden("told_six_sided_seas", &seas.split_inclusive('\n').take(80).collect::<String>());
    let seas = trace_of(&["six-sided-seas", "--agents", "random"]);
    golden("trace_six_sided_seas", &seas.split_inclusive('\n').take(12).collect::<String>());
    let hidden = typed(&["play", "kuhn-poker", "--agents", "human,random"], "?\nbet\nbet\n");
    golden("human_kuhn_poker", &text(&hidden.stdout));
}

#[test]
fn games_and_agents_as_json() {
    let games: Value = serde_json::from_str(&printed(&["games", "--json"])).unwrap();
    assert_eq!(games.as_array().unwrap().len(), ENTRIES.len());
    for entry in ENTRIES {
        let game: Value = serde_json::from_str(&printed(&["games", entry.name, "--json"])).unwrap();
        assert_eq!(game["name"], entry.name);
        assert_eq!(game["switches"].as_array().unwrap().len(), (entry.switches)().len());
        let told = printed(&["games", entry.name]);
        assert!(told.lines().all(|line| line.chars().count() <= 80), "{told}");
        for switch in (entry.switches)() {
            assert!(told.contains(&format!("\n  {}: ", switch.key)), "{}", switch.key);
        }
        for ruling in (entry.rulings)() {
            assert!(told.contains(&format!("\n  {}: ", ruling.id)), "{}", ruling.id);
        }
    }
    let agents: Value = serde_json::from_str(&printed(&["agents", "--json"])).unwrap();
    assert!(agents["agents"].as_array().unwrap().iter().any(|agent| agent["name"] == "greedy"));
    let agent: Value = serde_json::from_str(&printed(&["agents", "threshold", "--json"])).unwrap();
    assert_eq!(agent["parameters"][0]["key"], "margin");
    let profile: Value = serde_json::from_str(&printed(&["agents", "rule-of-thumb", "--json"])).unwrap();
    assert_eq!(profile["agent"], "threshold:margin=4");
    // The text form of an agent and the path of a profile show what stands behind them.
    assert_eq!(printed(&["agents", "threshold:margin=4"]), printed(&["agents", "threshold"]));
    let file = printed(&["agents", "agents/rule-of-thumb.toml"]);
    assert_eq!(
        file.replacen("agents/rule-of-thumb.toml", "rule-of-thumb", 1),
        printed(&["agents", "rule-of-thumb"])
    );
    printed(&["play", "pig", "--quiet", "--rule", "target=1e2", "--agents", "threshold:hold=2e1"]);
}

#[test]
fn completions_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(printed(&["completions", shell]).contains("tournament"), "{shell}");
    }
    assert!(refused(&["completions", "bsh"], 2).contains("bsh"));
}

#[test]
fn bad_input_is_one_clear_line() {
    let cases: &[(&[&str], &str)] = &[
        (&[], "no command is given: games, agents, tournament,"),
        (&["play"], "GAME"),
        (&["play", "tic-tac-to"], "did you mean `tic-tac-toe`?"),
        (&["play", "chess"], "no game `chess`"),
        (&["games", "pigg"], "did you mean `pig`?"),
        (&["agents", "gredy"], "did you mean `greedy`?"),
        (&["play", "pig", "--agents", "rndom"], "did you mean `random`?"),
        (&["play", "pig", "--agents", "threshold:hld=3"], "did you mean `hold`?"),
        (&["play", "pig", "--agents", "threshold:hold=x"], "expected a whole number from 0 to 100000"),
        (&["play", "pig", "--agents", "threshold:margin=3"], "use hold"),
        (&["play", "tic-tac-toe", "--agents", "threshold"], "no roll-or-stop decision"),
        (&["play", "pig", "--agents", "nowhere/none.toml"], "cannot read the agent profile"),
        (&["play", "rock-paper-scissors", "--rule", "scisors=3"], "did you mean `scissors`?"),
        (&["play", "rock-paper-scissors", "--rule", "rock=0"], "expected a whole number from 1 to 1000"),
        (&["play", "rock-paper-scissors", "--rule", "rock"], "key=value"),
        (&["play", "rock-paper-scissors", "--rule", "rock=1", "--rule", "rock=2"], "set twice"),
        (
            &["play", "pig", "--agents", "random,random,random", "--seats", "2"],
            "3 agents are named for 2 seats",
        ),
        (&["play", "tic-tac-toe", "--agents", "random,random,random"], "3 agents are named for 2 seats"),
        (&["play", "pig", "--seats", "9"], "pig is for 2 to 6 players, not 9"),
        (&["play", "pig", "--seats", "2,3"], "takes one"),
        (&["play", "pig", "--seats", "two"], "no number of seats"),
        (&["play", "pig", "--seed", "soon"], "no whole number"),
        (&["play", "pig", "--rotation", "7"], "rotations 0 to 1, not 7"),
        (&["play", "pig", "--agents", "random,greedy", "--line-up", "3"], "1 (random + greedy)"),
        (&["play", "pig", "--from", "x"], "cannot be used with"),
        (&["play", "--from", "nowhere"], "cannot read nowhere/manifest.json"),
        (&["play", "--arm", "1", "pig"], "--from"),
        (&["play", "pig", "--agents", "human,random", "--quiet"], "leave out --quiet"),
        (&["play", "pig", "--agents", "human,random", "--trace", "-"], "leave out --trace -"),
        (&["play", "kuhn-poker", "--agents", "human,human"], "only one seat can be human"),
        (&["play", "pig", "--trace", "nowhere/x.jsonl"], "cannot write the trace nowhere/x.jsonl"),
        (&["play", "pig", "--trace", "/"], "cannot write the trace /"),
        (&["replay", "nowhere.jsonl"], "cannot read nowhere.jsonl"),
        (&["replay", "."], "cannot be read"),
        (&["replay"], "TRACE"),
        (&["plai", "pig"], "unrecognized subcommand 'plai' (did you mean `replay` or `plan` or `play`?)\n"),
        (&["foo"], "there is no command `foo`; `dhow --help` lists them\n"),
        (&["tornament", "pig"], "(did you mean `tournament`?)\n"),
        (&["play", "pig", "--sed", "1"], "(did you mean `--seed`?)\n"),
        (&["play", "pig", "--seed", "-1"], "`-1` is out of range: expected a whole number from 0"),
        (&["play", "pig", "--seed", "+1"], "`+1` is no whole number"),
        (&["tournament", "pig", "--agents", "random", "--games", "-5"], "`-5` is out of range"),
        (
            &["tournament", "pig", "--agents", "random", "--margin", "2%"],
            "write 0.02 for 2 percentage points",
        ),
        (&["play", "pig", "--rule", "target=__1__0__"], "cannot be `__1__0__`"),
        (&["play", "six-sided"], "did you mean `six-sided-seas`?"),
        (&["play", "pig", "--agents", "RANDOM"], "did you mean `random`?"),
        (&["agents", "threshold:mrgin=4"], "did you mean `margin`?"),
        (&["agents", "no/such.toml"], "cannot read the agent profile no/such.toml"),
        (&["replay", "two  spaces.jsonl"], "cannot read two  spaces.jsonl"),
    ];
    for (args, expected) in cases {
        let line = refused(args, 2);
        assert!(line.contains(expected), "{args:?}: {line}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_one_clear_line() {
    assert!(
        refused(&["play", "pig", "--trace", "/dev/full"], 2).contains("cannot write the trace /dev/full")
    );
    for args in
        [&["play", "pig"][..], &["games"], &["games", "pig"], &["agents"], &["--help"], &["--version"]]
    {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = dhow(args).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let line = text(&output.stderr);
        assert!(line.contains("cannot write to standard output") && line.lines().count() == 1, "{line}");
    }
}

/// More is written than a pipe holds, and read is one line.
#[test]
fn a_reader_who_leaves_is_no_error() {
    let args = ["play", "rock-paper-scissors", "--agents", "random", "--rule", "rounds=1000"];
    let folder = TempDir::new().unwrap();
    let trace = folder.path().join("game.jsonl");
    for with_trace in [false, true] {
        let mut command = dhow(&args);
        if with_trace {
            command.args(["--trace", trace.to_str().unwrap()]);
        }
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(line.starts_with("rock-paper-scissors"));
        assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(0), ""));
    }
    // The record is whole although nobody listened to the end.
    printed(&["replay", trace.to_str().unwrap()]);
}

#[test]
fn nothing_is_coloured_into_a_pipe() {
    for game in ENTRIES {
        let told = printed(&["play", game.name, "--agents", "random"]);
        assert!(!told.contains('\u{1b}'), "{}", game.name);
    }
}

#[test]
fn the_heading_names_what_differs_from_the_default() {
    let told = printed(&["play", "rock-paper-scissors", "--rule", "rock=7", "--seed", "1e3"]);
    assert!(told.contains("seed 1000\n") && told.contains("rule rock = 7 (by default 25)\n"), "{told}");
    assert!(!told.contains("rule paper"), "{told}");
    let three = printed(&["play", "pig", "--agents", "random,greedy,random"]);
    assert!(three.contains("3 seats, seed 1\n") && three.contains("seat 2: greedy\n"), "{three}");
    let quiet = printed(&["play", "pig", "--quiet"]);
    assert!(quiet.starts_with("The game ends by ") && quiet.lines().count() == 4, "{quiet}");
}

/// Every game, at every number of seats, by default and under random rules: its trace holds, every cut of it
/// is found, and so is everything that is altered, in the very line.
#[test]
fn traces_of_every_game_hold_and_alterations_are_found() {
    let seed = 20_240_517;
    let mut stream = Stream::from_seed(seed);
    for entry in ENTRIES {
        for seats in entry.seats() {
            for round in 0..2 {
                let mut args = vec![entry.name.to_owned(), "--seats".into(), seats.to_string()];
                args.extend(["--agents".into(), "random".into(), "--seed".into(), round.to_string()]);
                if round > 0 {
                    for (key, value) in (entry.random_overrides)(seats, &mut stream) {
                        args.extend(["--rule".into(), format!("{key}={}", show_value(&value))]);
                    }
                }
                let args: Vec<&str> = args.iter().map(String::as_str).collect();
                let trace = trace_of(&args);
                let verified = replay(trace.as_bytes()).unwrap_or_else(|error| panic!("{args:?}: {error}"));
                assert_eq!((verified.game.as_str(), verified.seats), (entry.name, seats));
                if round == 0 && seats == *entry.seats().start() {
                    find_alterations(&trace, &mut stream);
                }
            }
        }
    }
}

/// Alters lines of a sound trace, each in every way, and checks that each is named.
fn find_alterations(trace: &str, stream: &mut Stream) {
    let lines: Vec<&str> = trace.lines().collect();
    let with = |at: usize, line: &str| {
        let mut lines = lines.clone();
        lines[at] = line;
        lines.join("\n") + "\n"
    };
    // All lines of a short trace; of a long one some of the first, and the last: whoever finds an alteration
    // late has read everything before it.
    let mut chosen: Vec<usize> = (1..lines.len().min(60)).collect();
    stream.shuffle(&mut chosen);
    chosen.truncate(12);
    chosen.extend([0, lines.len() - 1]);
    for at in chosen {
        let few = if at < 60 { 3 } else { 1 };
        let line: Value = serde_json::from_str(lines[at]).unwrap();
        let mut altered = Vec::new();
        for (key, value) in line.as_object().unwrap() {
            // These say who played with which words, not what happened.
            if ["kind", "dhow", "game", "agents", "seed", "phase", "block", "rotation"]
                .contains(&key.as_str())
            {
                continue;
            }
            if key == "rules" || key == "seats" && line["kind"] == "start" || key == "data" {
                continue;
            }
            let mut leaves = Vec::new();
            collect_leaves(value, format!("/{key}"), &mut leaves);
            stream.shuffle(&mut leaves);
            for leaf in leaves.iter().take(few) {
                let mut other = line.clone();
                let place = other.pointer_mut(leaf).unwrap();
                *place = match place {
                    Value::Number(number) if number.is_f64() => Value::from(number.as_f64().unwrap() + 1e-6),
                    Value::Number(number) => Value::from(number.as_i64().unwrap() + 1),
                    Value::Bool(value) => Value::from(!*value),
                    Value::String(text) => Value::from(format!("{text}!")),
                    _ => Value::from("something"),
                };
                altered.push((leaf.clone(), other));
            }
        }
        for (leaf, other) in altered {
            let error = replay(with(at, &other.to_string()).as_bytes()).unwrap_err();
            assert_eq!(line_of(&error), at as u64 + 1, "{leaf}: {error}\n{}", lines[at]);
            let number = line.pointer(&leaf).is_some_and(Value::is_number);
            assert!(error.is_broken() || number, "{leaf}: {error}");
        }
        if at > 0 {
            let mut less = lines.clone();
            less.remove(at);
            let error = replay((less.join("\n") + "\n").as_bytes()).unwrap_err();
            assert!(line_of(&error) >= at as u64, "{error}");
        }
    }
    // Cut anywhere: after whole lines, and in the middle of lines.
    for round in 0..6 {
        let most = if round == 0 { trace.len() } else { trace.len().min(50_000) };
        let cut = stream.below(most - 1);
        let cut = (0..=cut).rev().find(|&at| trace.is_char_boundary(at)).unwrap();
        let error = replay(&trace.as_bytes()[..cut]).unwrap_err();
        let expected = trace[..cut].lines().count() as u64;
        assert!(matches!(error, ReplayError::Cut { line, .. } if line == expected), "{cut}: {error}");
    }
}

fn collect_leaves(value: &Value, path: String, out: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                collect_leaves(value, format!("{path}/{}", key.replace('~', "~0").replace('/', "~1")), out);
            }
        }
        Value::Array(list) => {
            for (at, value) in list.iter().enumerate() {
                collect_leaves(value, format!("{path}/{at}"), out);
            }
        }
        _ => out.push(path),
    }
}

#[test]
fn every_cut_of_a_trace_is_found() {
    let trace = trace_of(&["tic-tac-toe", "--agents", "random"]);
    for cut in 0..trace.len() - 1 {
        let error = replay(&trace.as_bytes()[..cut]).unwrap_err();
        assert!(matches!(error, ReplayError::Cut { .. }), "{cut}: {error}");
    }
    // Only the last line end is missing.
    replay(trace.trim_end().as_bytes()).unwrap();
    replay(format!("{trace}\n\n").as_bytes()).unwrap();
    let error = replay(format!("{trace}{{}}\n").as_bytes()).unwrap_err();
    assert!(error.is_broken() && error.to_string().contains("nothing may follow"), "{error}");
}

/// A trace after one replacement in its text, as `dhow replay` answers it.
#[track_caller]
fn answer(trace: &str, from: &str, to: &str, code: i32) -> String {
    assert!(trace.contains(from), "{trace}");
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("altered.jsonl");
    fs::write(&path, trace.replacen(from, to, 1)).unwrap();
    refused(&["replay", path.to_str().unwrap()], code)
}

#[test]
fn replay_says_what_was_found_and_what_was_expected() {
    let (_folder, path) = traced(&["tic-tac-toe", "--agents", "random,greedy"]);
    let path = path.to_str().unwrap();
    let told = printed(&["replay", path]);
    assert!(told.starts_with(&format!("{path}: 6 steps of tic-tac-toe hold against the rules")), "{told}");
    assert_eq!(told.lines().count(), 1);

    let trace = fs::read_to_string(path).unwrap();
    let line = answer(&trace, r#""state":{"marks":[1,16]}"#, r#""state":{"marks":[1,32]}"#, 1);
    assert!(line.contains("line 3 breaks the rules: the state after `5`: state.marks[1] is 32"), "{line}");
    assert!(line.contains("16 by the rules"), "{line}");
    let line = answer(&trace, r#""action":"5""#, r#""action":"1""#, 1);
    assert!(line.contains("line 3") && line.contains("do not allow `1`; expected `2`, `3`"), "{line}");
    let line = answer(&trace, r#"["2","3""#, r#"["3""#, 1);
    assert!(
        line.contains("line 3") && line.contains("action 1 of seat 2 is `3` in the trace, `2`"),
        "{line}"
    );
    let line = answer(&trace, r#""seat":2"#, r#""seat":1"#, 1);
    assert!(line.contains("seat 2 decides by the rules, seat 1 in the trace"), "{line}");
    let line = answer(&trace, r#""rank":2"#, r#""rank":1"#, 1);
    assert!(line.contains("line 8") && line.contains("outcome.results[0].rank is 1"), "{line}");
    let line = answer(&trace, r#""marks":[0,0]"#, r#""marks":[0,4]"#, 1);
    assert!(line.contains("line 1") && line.contains("the first state"), "{line}");

    let luck = trace_of(&["pig", "--agents", "random"]);
    let line = answer(&luck, "0.16666666666666666", "0.2", 1);
    assert!(line.contains("is 0.2 in the trace, 0.16666666666666666 by the rules"), "{line}");
    let line = answer(&luck, r#""luck":"die","seat":1"#, r#""luck":"die","seat":2"#, 1);
    assert!(line.contains("`die` of seat 2 in the trace, `die` of seat 1 by the rules"), "{line}");

    for (from, to, expected) in [
        ("tic-tac-toe", "tic-tac-to", "did you mean `tic-tac-toe`?"),
        (r#""seats":2"#, r#""seats":3"#, "2 agents for 3 seats"),
        (r#""rules":{}"#, r#""rules":{"size":4}"#, "no rule `size`"),
        (r#""rules":{}"#, r#""data":1,"rules":{}"#, "loads no data"),
        (r#""kind":"start""#, r#""kind":"begin""#, "line 1 is no line of a trace"),
        (r#""kind":"decision""#, r#""kind":"sneeze""#, "line 2 is no line of a trace"),
        (r#""action":"5","#, "", "missing field `action`"),
        (r#""seed":1,"#, "", "line 1 is no line of a trace: missing field `seed`"),
        ("{", "", "line 1 is no line of a trace"),
        ("\"kind\"", "\u{0}", "line 1 is no line of a trace"),
    ] {
        let line = answer(&trace, from, to, 2);
        assert!(line.contains(expected), "{from} -> {to}: {line}");
    }
    let cut = &trace[..trace.len() / 2];
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("cut.jsonl");
    fs::write(&path, cut).unwrap();
    let line = refused(&["replay", path.to_str().unwrap()], 2);
    let last = cut.lines().count();
    assert!(line.contains(&format!("the trace is cut: it ends in line {last}")), "{line}");
}

/// Every key is there, of its type, and no other.
#[test]
fn the_reader_of_traces_is_strict() {
    /// A change of one line of a trace.
    type Change = fn(&mut serde_json::Map<String, Value>);
    fn altered(trace: &str, kind: &str, change: Change) -> (u64, ReplayError) {
        let mut lines: Vec<String> = trace.lines().map(str::to_owned).collect();
        let of_kind = format!("{{\"kind\":\"{kind}\"");
        let at = lines.iter().position(|line| line.starts_with(&of_kind)).unwrap();
        let mut line: Value = serde_json::from_str(&lines[at]).unwrap();
        change(line.as_object_mut().unwrap());
        lines[at] = line.to_string();
        (at as u64 + 1, replay((lines.join("\n") + "\n").as_bytes()).unwrap_err())
    }
    #[track_caller]
    fn refuses(trace: &str, kind: &str, expected: &str, change: Change) {
        let (line, error) = altered(trace, kind, change);
        let unreadable = matches!(error, ReplayError::Unreadable { line: found, .. } if found == line);
        assert!(unreadable && error.to_string().contains(expected), "{error}");
    }
    let pig = trace_of(&["pig", "--agents", "random"]);
    let throws = trace_of(&["rock-paper-scissors", "--agents", "random"]);
    for key in ["dhow", "game", "rules", "seats", "agents", "seed", "phase", "block", "rotation", "state"] {
        let line = pig.lines().next().unwrap();
        let mut start: Value = serde_json::from_str(line).unwrap();
        for null in [false, true] {
            match null {
                true => drop(start.as_object_mut().unwrap().insert(key.into(), Value::Null)),
                false => drop(start.as_object_mut().unwrap().remove(key)),
            }
            if null && key == "state" {
                continue;
            }
            let error = replay(pig.replacen(line, &start.to_string(), 1).as_bytes()).unwrap_err();
            assert!(matches!(error, ReplayError::Unreadable { line: 1, .. }), "{key}: {error}");
            assert!(null || error.to_string().contains(&format!("missing field `{key}`")), "{error}");
        }
    }
    refuses(&pig, "start", "rules.target is missing", |line| line["rules"] = serde_json::json!({}));
    refuses(&pig, "start", "rules.turn_cap is missing", |line| {
        line["rules"].as_object_mut().unwrap().remove("turn_cap");
    });
    refuses(&pig, "start", "rule `target` cannot be null", |line| line["rules"]["target"] = Value::Null);
    refuses(&pig, "start", "no rule `size`", |line| line["rules"]["size"] = 4.into());
    refuses(&pig, "start", "\"9.9.9\" wrote it", |line| line["dhow"] = "9.9.9".into());
    refuses(&pig, "start", "expected u64", |line| line["seed"] = "1".into());
    refuses(&pig, "start", "expected u64", |line| line["block"] = (-1).into());
    refuses(&pig, "start", "expected u32", |line| line["phase"] = 0.5.into());
    refuses(&pig, "start", "expected usize", |line| line["rotation"] = true.into());
    refuses(&pig, "start", "agent of seat 2 has no name", |line| line["agents"][1] = " ".into());
    refuses(&pig, "start", "no data", |line| drop(line.insert("data".into(), Value::Null)));
    refuses(&pig, "chance", "expected usize", |line| line["source"]["seat"] = Value::Null);
    refuses(&pig, "chance", "unknown field `more`", |line| line["source"]["more"] = 1.into());
    for (trace, kind) in
        [(&pig, "start"), (&pig, "chance"), (&pig, "decision"), (&throws, "simultaneous"), (&pig, "end")]
    {
        refuses(trace, kind, "unknown field `more`", |line| drop(line.insert("more".into(), 1.into())));
    }
    let end = altered(&pig, "end", |line| line["outcome"]["more"] = 1.into()).1;
    assert!(end.is_broken() && end.to_string().contains("outcome.more"), "{end}");

    let wind = trace_of(&["sultans-of-wind", "--agents", "random"]);
    refuses(&wind, "start", "are missing", |line| drop(line.remove("data")));
    refuses(&wind, "start", "(did you mean `built-in`?)", |line| {
        line["rules"]["cloud_set"] = "built-inx".into()
    });
    refuses(&wind, "start", "not the built-in ones", |line| {
        let data = line["data"].as_array_mut().unwrap();
        data.swap(0, 1);
    });

    // A gap is no end, and a line that stops before others is no cut.
    let mut lines: Vec<&str> = pig.lines().collect();
    lines.insert(3, " ");
    let error = replay(lines.join("\n").as_bytes()).unwrap_err();
    assert_eq!(error.to_string(), "line 4 is no line of a trace: it is empty");
    let error = replay((lines[..3].join("\n") + "\n\n \n").as_bytes()).unwrap_err();
    assert!(matches!(error, ReplayError::Cut { line: 3, .. }), "{error}");
    lines[3] = "{\"kind\":";
    let error = replay(lines.join("\n").as_bytes()).unwrap_err();
    assert!(matches!(error, ReplayError::Unreadable { line: 4, .. }), "{error}");
}

/// What a switch loaded from a file stands in the trace: the file may be gone.
#[test]
fn a_trace_needs_no_file_beside_it() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("clouds.csv");
    // The built-in tiles with the patterns of the first two exchanged.
    let built_in = include_str!("../src/games/sultans_of_wind/clouds.csv");
    let mut lines: Vec<String> = built_in.lines().map(str::to_owned).collect();
    lines.swap(1, 2);
    lines[1] = lines[1].replacen("1,", "0,", 1);
    lines[2] = lines[2].replacen("0,", "1,", 1);
    fs::write(&file, lines.join("\n")).unwrap();
    let rule = format!("cloud_set={}", file.display());
    let trace = trace_of(&["sultans-of-wind", "--agents", "random", "--rule", &rule]);
    let data: Value = serde_json::from_str::<Value>(trace.lines().next().unwrap()).unwrap()["data"].clone();
    fs::remove_file(&file).unwrap();
    replay(trace.as_bytes()).unwrap();
    // The data counts: with the built-in tiles the boards come out otherwise.
    let plain = trace_of(&["sultans-of-wind", "--agents", "random"]);
    let other = serde_json::from_str::<Value>(plain.lines().next().unwrap()).unwrap()["data"].clone();
    assert_ne!(data, other);
    let (data, other) = (data.to_string(), other.to_string());
    assert!(replay(trace.replacen(&data, &other, 1).as_bytes()).unwrap_err().is_broken());
    let line = answer(&trace, "\"data\":[[\"", "\"data\":[[\"#", 2);
    assert!(line.contains("tile 0: row0 is") && line.contains("expected three cells"), "{line}");
}

#[test]
fn replay_reads_standard_input() {
    let trace = printed(&["play", "pig", "--trace", "-"]);
    let output = typed(&["replay", "-"], &trace);
    assert!(output.status.success());
    assert!(text(&output.stdout).starts_with("-: "), "{}", text(&output.stdout));
}

#[test]
fn a_person_plays_leaves_or_runs_out_of_words() {
    let args = ["play", "tic-tac-toe", "--agents", "human,random"];
    let played = typed(&args, "1\n2\n3\n4\n5\n6\n7\n8\n9\n");
    assert!(played.status.success());
    assert!(text(&played.stdout).contains("--- end ---"), "{}", text(&played.stdout));
    for words in ["q\n", "5\nq\n", ""] {
        let left = typed(&args, words);
        assert_eq!(left.status.code(), Some(0));
        assert_eq!(text(&left.stderr), "");
        assert!(text(&left.stdout).ends_with("Seat 1 left; the game is not over.\n"));
    }
    // What a person chose stands in the trace, and what was begun and left is a cut one.
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("left.jsonl");
    let path = path.to_str().unwrap();
    typed(&["play", "tic-tac-toe", "--agents", "human,random", "--trace", path], "5\nq\n");
    let trace = fs::read_to_string(path).unwrap();
    assert!(trace.contains(r#""agents":["human","random"]"#) && trace.contains(r#""action":"5""#), "{trace}");
    assert!(refused(&["replay", path], 2).contains("the trace is cut: it ends in line 3"));
}

#[test]
fn a_person_never_sees_what_others_hide() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("hidden.jsonl");
    let path = path.to_str().unwrap();
    for seed in 0..12 {
        let seed = seed.to_string();
        for (agents, seat) in [("human,random", 0), ("random,human", 1)] {
            let args =
                ["play", "kuhn-poker", "--agents", agents, "--seed", &seed, "--explain", "--trace", path];
            let output = typed(&args, "?\nq\n");
            let trace = fs::read_to_string(path).unwrap();
            let last: Value = serde_json::from_str(trace.lines().last().unwrap()).unwrap();
            let own = last["state"]["cards"][seat].as_str().unwrap().to_owned();
            let told = text(&output.stdout);
            for card in ["jack", "queen", "king"] {
                assert_eq!(told.contains(card), card == own, "{card}, own {own}:\n{told}");
            }
        }
    }
}

/// What a viewer sees is the same for all states that the viewer cannot tell apart, in every game.
#[test]
fn views_depend_on_what_a_seat_knows_alone() {
    struct Look;
    impl Visitor for Look {
        type Output = ();
        fn visit<G: Catalogued>(self, game: G) {
            let (mut luck, mut choice, mut buffer) = (Stream::from_seed(1), Stream::from_seed(2), Vec::new());
            // Where nothing is hidden there is little to see.
            let (games, steps) = if game.has_hidden() { (20, u32::MAX) } else { (1, 50) };
            for _ in 0..games {
                let mut state = game.initial();
                for _ in 0..steps {
                    for viewer in Seat::all(game.seats()) {
                        let seen = game.draw_seen(&state, viewer, Ink::Plain);
                        assert!(seen.is_some(), "{} shows nothing", G::NAME);
                        let mut sample = state.clone();
                        game.resample_hidden(&mut sample, viewer, &mut luck);
                        assert_eq!(game.draw_seen(&sample, viewer, Ink::Plain), seen, "{}", G::NAME);
                    }
                    match game.turn(&state) {
                        Turn::Chance(_) => {
                            let outcome = game.sample_chance(&state, luck.word());
                            game.apply(&mut state, outcome);
                        }
                        Turn::Decision(seat) => {
                            let action = game.random_action(&state, seat, &mut choice, &mut buffer);
                            game.apply(&mut state, action);
                        }
                        Turn::Simultaneous(seats) => {
                            let mut pick = |seat| game.random_action(&state, seat, &mut choice, &mut buffer);
                            let joint: Vec<G::Action> = seats.iter().map(&mut pick).collect();
                            game.apply_together(&mut state, &joint);
                        }
                        Turn::Over => break,
                    }
                }
            }
        }
    }
    for entry in ENTRIES {
        let setup =
            Setup { game: entry.name.into(), seats: *entry.seats().start(), rules: toml::Table::new() };
        registry::visit(&setup, Look).unwrap();
    }
}

/// The game of a row of games.csv, told again: same scores, same decisions.
fn same_game(rows: &[&csv::StringRecord], told: &str, head: &csv::StringRecord) {
    let column = |name: &str| head.iter().position(|column| column == name).unwrap();
    let decisions: u32 = rows.iter().map(|row| row[column("decisions")].parse::<u32>().unwrap()).sum();
    assert!(told.contains(&format!("after {decisions} decision")), "{rows:?}\n{told}");
    for row in rows {
        let line = told.lines().find(|line| line.starts_with(&format!("{} ", &row[column("seat")]))).unwrap();
        let words: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(words[1], &row[column("agent")], "{told}");
        assert_eq!(words[2], &row[column("rank")], "{told}");
        assert_eq!(words[3], &row[column("score")], "{told}");
    }
}

fn games_csv(folder: &Path) -> (csv::StringRecord, Vec<csv::StringRecord>) {
    let mut reader = csv::Reader::from_path(folder.join("games.csv")).unwrap();
    let head = reader.headers().unwrap().clone();
    (head, reader.records().map(Result::unwrap).collect())
}

#[test]
fn any_game_of_a_run_is_told_again() {
    let folder = TempDir::new().unwrap();
    for (name, args) in [
        ("meeting", vec!["pig", "--agents", "random,greedy,threshold", "--seats", "2", "--games", "8"]),
        (
            "many",
            vec![
                "pig",
                "--agents",
                "random,threshold:hold=9,threshold:hold=20,threshold:hold=15",
                "--seats",
                "4",
                "--games",
                "8",
            ],
        ),
        ("few", vec!["pig", "--agents", "random,threshold", "--seats", "3", "--games", "6"]),
        (
            "self",
            vec!["pig", "--agents", "random,threshold", "--play", "self", "--seats", "3", "--games", "6"],
        ),
        ("hidden", vec!["kuhn-poker", "--agents", "random,greedy", "--games", "20"]),
        (
            "secret",
            vec![
                "rock-paper-scissors",
                "--agents",
                "random",
                "--games",
                "5",
                "--sweep",
                "rock=1/2",
                "--sweep",
                "rounds=9",
            ],
        ),
    ] {
        let out = folder.path().join(name);
        let out = out.to_str().unwrap();
        let mut all = vec!["tournament"];
        all.extend(&args);
        all.extend(["--seed", "7", "--per-game", "--quiet", "--out", out]);
        assert!(run(&all).status.success(), "{all:?}: {}", text(&run(&all).stderr));
        let (head, rows) = games_csv(Path::new(out));
        let column = |name: &str| head.iter().position(|column| column == name).unwrap();
        let id = |row: &csv::StringRecord| {
            ["arm", "line_up", "block", "rotation"].map(|name| row[column(name)].to_owned())
        };
        let mut games: Vec<[String; 4]> = rows.iter().map(id).collect();
        games.dedup();
        for game in &games {
            let [arm, line_up, block, rotation] = game;
            let told = printed(&[
                "play",
                "--from",
                out,
                "--arm",
                arm,
                "--line-up",
                line_up,
                "--block",
                block,
                "--rotation",
                rotation,
                "--quiet",
            ]);
            let rows: Vec<_> = rows.iter().filter(|row| id(row) == *game).collect();
            same_game(&rows, &told, &head);
        }
        // And without the folder, from the same arguments.
        if name == "self" {
            let told = printed(&[
                "play",
                "pig",
                "--agents",
                "random,threshold",
                "--play",
                "self",
                "--seats",
                "3",
                "--seed",
                "7",
                "--line-up",
                "2",
                "--block",
                "1",
                "--rotation",
                "2",
                "--quiet",
            ]);
            let wanted = ["1", "threshold:hold=20", "1", "2"].map(str::to_owned);
            same_game(&rows.iter().filter(|row| id(row) == wanted).collect::<Vec<_>>(), &told, &head);
        }
    }
    let run = folder.path().join("meeting");
    let run = run.to_str().unwrap();
    for (args, expected) in [
        (["--arm", "2"], "no arm 2"),
        (["--block", "4"], "blocks 0 to 3, not 4"),
        (["--line-up", "random"], "1 (random + greedy)"),
        (["--seats", "3"], "no arm 1 for 3 seats"),
    ] {
        let line = refused(&["play", "--from", run, args[0], args[1]], 2);
        assert!(line.contains(expected), "{line}");
    }
    fs::write(folder.path().join("meeting/manifest.json"), "{\n  \"result\": 3\n}").unwrap();
    assert!(refused(&["play", "--from", run], 2).contains("is no manifest"));
}
