//! `dhow solve` as a user runs it.

use std::process::{Command, Output, Stdio};

use assert_cmd::cargo::CommandCargoExt;
use serde_json::Value;

fn run(args: &[&str]) -> Output {
    let mut command = Command::cargo_bin("dhow").unwrap();
    command.arg("solve").args(args).stdin(Stdio::null()).output().unwrap()
}

#[track_caller]
fn printed(args: &[&str]) -> String {
    let output = run(args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty());
    String::from_utf8(output.stdout).unwrap()
}

#[track_caller]
fn refused(args: &[&str]) -> String {
    let output = run(args);
    let line = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{args:?}: {line}");
    assert_eq!(line.lines().count(), 1, "{line}");
    assert!(line.starts_with("dhow: ") && !line.contains("panicked"), "{line}");
    line
}

#[test]
fn a_small_game_in_words() {
    let text = printed(&["piglet", "--rule", "target=2", "--against", "threshold:hold=1"]);
    assert!(text.starts_with("piglet, 2 seats: value iteration in "), "{text}");
    for part in [
        "\n1     0.571429\n2     0.428571\n",
        "against threshold:hold=1 in all other seats\n",
        "exploitability 0.0",
        "least turn total at which to hold",
        "best play, nearest to the start first\n",
    ] {
        assert!(text.contains(part), "{part:?} is missing in:\n{text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
}

#[test]
fn the_same_numbers_in_json() {
    let text = printed(&["rock-paper-scissors", "--json", "--against", "random", "--against", "greedy"]);
    let value: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((value["seats"].as_u64(), value["states"].as_u64()), (Some(2), Some(8)));
    let mix = value["policy"][0]["actions"].as_array().unwrap();
    assert_eq!(mix[0][0], "rock");
    assert!((mix[0][1].as_f64().unwrap() - 4.0 / 7.0).abs() < 1e-9);
    let against = value["against"].as_array().unwrap();
    assert_eq!((&against[0]["agent"], &against[1]["agent"]), (&"random".into(), &"greedy".into()));
    assert!((against[0]["exploitability"].as_f64().unwrap() - 25.0).abs() < 1e-9);
    // Greedy always throws rock, the heaviest: paper takes 50.
    assert!((against[1]["exploitability"].as_f64().unwrap() - 50.0).abs() < 1e-9);
}

/// A policy of hidden cards never shows the other's card.
#[test]
fn hidden_cards_stay_hidden() {
    let text = printed(&["kuhn-poker", "--rows", "12"]);
    assert!(text.contains("linear program") && text.contains("-0.055556"), "{text}");
    assert_eq!(text.matches("a hidden card").count(), 12, "{text}");
    let json: Value = serde_json::from_str(&printed(&["kuhn-poker", "--json"])).unwrap();
    assert!(json["policy"][0]["state"].is_null());
}

#[test]
fn what_cannot_be_done_is_said() {
    for (args, expected) in [
        (&["connect-four", "--states", "5000"][..], "5000 states were seen"),
        (&["six-sided-seas", "--states", "1e3"], "too large"),
        (&["goofspiel", "--rule", "cards=2", "--seats", "3"], "two seats"),
        (&["kuhn-poker", "--against", "greedy"], "agent greedy chooses by the sample"),
        (&["tic-tac-toe", "--against", "threshold"], "agent threshold cannot play tic-tac-toe"),
        (&["tic-tac-toe", "--against", "human"], "human"),
        (&["tictactoe"], "did you mean `tic-tac-toe`?"),
        (&["pig", "--seats", "2,3"], "takes one"),
        (&["tree", "--rule", "tree=nowhere/x.toml"], "cannot read the tree file nowhere/x.toml"),
    ] {
        let line = refused(args);
        assert!(line.contains(expected), "{args:?}: {line}");
    }
}
