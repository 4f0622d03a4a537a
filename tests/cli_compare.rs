//! `dhow compare` and `dhow regret` as a user runs them.

use std::process::Output;

use assert_cmd::Command as Dhow;
use serde_json::Value;

fn compare(args: &[&str]) -> Output {
    Dhow::cargo_bin("dhow").unwrap().arg("compare").args(args).output().unwrap()
}

fn json(args: &[&str], code: i32) -> Value {
    let output = compare(&[args, &["--json"]].concat());
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{args:?}: {out} {err}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn stronger_not_stronger_and_undecided_have_their_exit_codes() {
    let stronger = json(&["tic-tac-toe", "greedy", "random"], 0);
    assert_eq!(stronger["verdict"], "stronger");
    assert!(stronger["llr"].as_f64().unwrap() >= stronger["llr_high"].as_f64().unwrap());
    let weaker = json(&["tic-tac-toe", "random", "greedy"], 3);
    assert_eq!(weaker["verdict"], "not stronger");
    assert!(weaker["llr"].as_f64().unwrap() <= weaker["llr_low"].as_f64().unwrap());
    assert!(weaker["elo"].as_f64().unwrap() < 0.0);
    let short = json(&["tic-tac-toe", "random", "random", "--max-games", "301"], 4);
    assert_eq!(short["verdict"], "undecided");
    // Rounded up to whole pairs.
    assert_eq!(short["games"], 302);
    // An agent that draws no lots, against itself: every pair cancels, and that is soon clear.
    let same = json(&["pig", "threshold:hold=20", "threshold:hold=20"], 3);
    assert_eq!((&same["wins"], &same["losses"]), (&Value::from(128), &Value::from(128)));
}

/// The end of the test and all of its numbers, for any number of threads.
#[test]
fn the_same_for_any_number_of_threads() {
    for args in [
        &["pig", "threshold:hold=20", "threshold:hold=14", "--elo1", "20"][..],
        &["pig", "threshold:hold=20", "threshold:hold=12", "--seats", "4", "--elo1", "20"],
        &["tic-tac-toe", "greedy", "random", "--model", "normalised"],
    ] {
        let run = |threads| compare(&[args, &["--json", "--threads", threads]].concat());
        let one = run("1");
        assert!(matches!(one.status.code(), Some(0 | 3)), "{args:?}");
        let found: Value = serde_json::from_slice(&one.stdout).unwrap();
        // It ended at a checkpoint.
        let blocks = found["games"].as_u64().unwrap() / found["games_per_block"].as_u64().unwrap();
        assert_eq!(blocks % 64, 0, "{args:?}: {blocks}");
        for threads in ["2", "7"] {
            let other = run(threads);
            assert_eq!(one.stdout, other.stdout, "{args:?}, {threads} threads");
            assert_eq!(one.status.code(), other.status.code());
        }
    }
}

#[test]
fn the_text_says_what_is_needed_to_believe_and_repeat_it() {
    let output = compare(&["pig", "threshold:hold=20", "random", "--seats", "3", "--rule", "target=50"]);
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).unwrap();
    let first = text.lines().next().unwrap();
    assert!(first.starts_with("stronger: threshold:hold=20"), "{text}");
    for part in [
        "game      pig, 3 seats, target=50",
        &format!("version   dhow {}, seed 1", env!("CARGO_PKG_VERSION")),
        "B         random (in 2 seats)",
        "logistic Elo [0, 10], errors at most [α = 0.05, β = 0.05]",
        "bounds [-2.94, 2.94]",
        "of 3 games each, A in every seat once",
        "fair: 33.3 %",
        "LOS       more than 99.9 %",
        "command   dhow compare pig threshold:hold=20 random --seats 3 --rule target=50",
    ] {
        assert!(text.contains(part), "`{part}` is not in:\n{text}");
    }
    let pairs = compare(&["tic-tac-toe", "greedy", "random"]);
    assert!(String::from_utf8(pairs.stdout).unwrap().contains("with 0, ½, 1, 1½, 2 points for A"));
}

#[test]
fn bad_input_is_one_line_and_exit_code_2() {
    for (args, part) in [
        (&["pigg", "random", "greedy"][..], "did you mean `pig`?"),
        (&["pig", "randm", "random"], "did you mean `random`?"),
        (&["pig", "random", "human"], "dhow play"),
        (&["pig", "random", "threshold", "--elo0", "10"], "the hypotheses must be in order"),
        (&["pig", "random", "threshold", "--elo1", "nan"], "out of range"),
        (
            &["pig", "random", "threshold", "--elo0", "-5000"],
            "an Elo of -5000 is out of range: expected -1000 to 1000",
        ),
        (&["pig", "random", "threshold", "--elo0", "-1e308"], "an Elo of -1e308 is out of range"),
        (&["pig", "random", "threshold", "--alpha", "0"], "alpha = 0 is out of range"),
        (&["pig", "random", "threshold", "--max-games", "0"], "0 games were asked for"),
        (&["pig", "random", "threshold", "--seats", "2,3"], "this command takes one"),
        (&["pig", "random", "threshold", "--rule", "tarjet=5"], "did you mean `target`?"),
        (&["pig", "random"], "<B>"),
    ] {
        let output = compare(args);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {stderr}");
        assert_eq!(stderr.lines().count(), 1, "{args:?}: {stderr}");
        assert!(stderr.contains(part), "{args:?}: `{part}` is not in: {stderr}");
        assert!(output.stdout.is_empty());
    }
}

fn regret(args: &[&str]) -> Output {
    Dhow::cargo_bin("dhow").unwrap().arg("regret").args(args).output().unwrap()
}

#[test]
fn what_choices_give_away() {
    let args = ["tic-tac-toe", "mcts:iterations=10", "--games", "20", "--every", "2"];
    let told = regret(&args);
    assert!(told.status.success());
    let text = String::from_utf8(told.stdout).unwrap();
    assert!(
        text.contains("mcts:iterations=10 gives away 0.") && text.contains("mcts:iterations=1000"),
        "{text}"
    );
    let json: Value = serde_json::from_slice(&regret(&[&args[..], &["--json"]].concat()).stdout).unwrap();
    assert!(json["regret"].as_f64().unwrap() > 0.0 && json["positions"].as_u64().unwrap() > 20, "{json}");
    for (args, expected) in [
        (&["tic-tac-toe", "random"][..], "no budget"),
        (&["tic-tac-toe", "random", "mtcs"], "did you mean `mcts`?"),
        (&["tic-tac-to", "mcts"], "did you mean `tic-tac-toe`?"),
        (&["tic-tac-toe", "mcts", "--games", "0"], "--games cannot be 0: expected 1 to"),
        (&["rock-paper-scissors", "mcts:iterations=5", "greedy"], "no position was judged"),
    ] {
        let output = regret(args);
        let line = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {line}");
        assert!(line.lines().count() == 1 && line.contains(expected), "{args:?}: {line}");
    }
}
