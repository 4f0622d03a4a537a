//! What an experiment file can ask beyond tables: `[fair]`, `stop = "settled"`, `forbid`; as a user runs it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Output;

use assert_cmd::Command;
use dhow::agents::registry::Spec;
use dhow::game::Turn;
use dhow::games::Catalogued;
use dhow::games::registry::{self, ENTRIES, Setup, Visitor};
use dhow::streams::Stream;
use tempfile::TempDir;

fn dhow(folder: &Path, arguments: &[&str]) -> Output {
    Command::cargo_bin("dhow").unwrap().current_dir(folder).args(arguments).output().unwrap()
}

/// Runs an experiment in `home` and gives what it printed.
fn run(home: &TempDir, text: &str, arguments: &[&str]) -> String {
    fs::write(home.path().join("x.toml"), text).unwrap();
    let output = dhow(home.path(), &[&["run", "x.toml", "--quiet"], arguments].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn refused(text: &str, arguments: &[&str], parts: &[&str]) {
    let home = TempDir::new().unwrap();
    fs::write(home.path().join("x.toml"), text).unwrap();
    let output = dhow(home.path(), &[&["run", "x.toml"], arguments].concat());
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{text}: {stderr}");
    assert_eq!(stderr.lines().count(), 1, "{text}: {stderr}");
    assert!(output.stdout.is_empty() && !stderr.contains("panicked"), "{text}: {stderr}");
    for part in parts {
        assert!(stderr.contains(part), "{text}: `{part}` is not in: {stderr}");
    }
}

fn rows(path: &Path) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_path(path).unwrap();
    reader.deserialize().map(Result::unwrap).collect()
}

fn number(row: &BTreeMap<String, String>, column: &str) -> f64 {
    row[column].parse().unwrap_or_else(|_| panic!("{column} is `{}`", row[column]))
}

/// Every CSV file of a folder but the one outside the promise.
fn tables(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let named = files.map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), path));
    let promised = named.filter(|(name, _)| name.ends_with(".csv") && name != "times.csv");
    promised.map(|(name, path)| (name, fs::read(path).unwrap())).collect()
}

const FAIR: &str = "game = \"six-sided-seas\"\nagents = [\"random\"]\nplay = \"self\"\ngames = 1_000\n\
    [sweep]\nstarting_coins = [[12, 7], [12, 10], [12, 13], [12, 16]]\n[fair]\nswitch = \"starting_coins\"\n";

/// A game on fresh deals can be told again: the winners of all of them give the share that was measured.
#[test]
fn a_game_on_fresh_deals_is_told_again() {
    let home = TempDir::new().unwrap();
    run(&home, &FAIR.replace("1_000", "100").replace("\"random\"", "\"greedy\""), &["--out", "out"]);
    let fair = rows(&home.path().join("out/fair.csv"));
    let coins = format!("starting_coins=12,{}", fair[1]["best_setting"]);
    let mut won = 0u8;
    for (block, rotation) in (0..50).flat_map(|block| [(block, "0"), (block, "1")]) {
        let block = block.to_string();
        let game = ["play", "six-sided-seas", "--agents", "greedy", "--play", "self", "--rule", &coins];
        let which = ["--fresh", "--block", &block, "--rotation", rotation, "--quiet"];
        let output = dhow(home.path(), &[&game[..], &which].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        won += u8::from(String::from_utf8(output.stdout).unwrap().contains("seat 2 (greedy) wins"));
    }
    assert_eq!(f64::from(won) / 100.0, number(&fair[1], "remeasured_share"));
}

#[test]
fn a_fair_setting_is_solved_for_and_measured_again() {
    let home = TempDir::new().unwrap();
    let told = run(&home, FAIR, &["--threads", "2", "--out", "whole"]);
    let fair = rows(&home.path().join("whole/fair.csv"));
    assert_eq!(fair.len(), 2);
    let (first, second) = (&fair[0], &fair[1]);
    assert_eq!((first["best_setting"].as_str(), first["low"].as_str()), ("12", ""));
    let (exact, low, high) = (number(second, "fair_handicap"), number(second, "low"), number(second, "high"));
    assert!(7.0 < low && low < exact && exact < high && high < 19.0, "{second:?}");
    assert!((number(second, "best_setting") - exact).abs() <= 1.0, "{second:?}");
    let shares: f64 = fair.iter().map(|row| number(row, "remeasured_share")).sum();
    assert!((shares - 1.0).abs() < 1e-5);
    assert_eq!(number(second, "remeasured_games"), 1_000.0);
    // The fresh deals agree with the fit, within four standard errors of a thousand games at two a block.
    let distance = number(second, "remeasured_share") - number(second, "expected_share");
    assert!(distance.abs() < 4.0 * 0.5 / 500f64.sqrt(), "{second:?}");
    assert!(number(second, "remaining") < 5.0, "{second:?}");
    let words = &first["words"];
    for part in
        ["random, 2 seats: give seat 2 ", "best fit ", "very likely between", "fresh measurement of 1,000"]
    {
        assert!(words.contains(part), "{words}");
    }
    assert!(second["words"].is_empty());
    assert!(told.contains(words.as_str()), "{told}");
    let page = fs::read_to_string(home.path().join("whole/report.html")).unwrap();
    assert!(page.contains("What would make it fair") && page.contains("give seat 2"));
    // An arm of the sweep measured again on the same deals would give the same share to the last digit.
    let sweep = rows(&home.path().join("whole/sweep.csv"));
    if let Some(arm) = sweep.iter().find(|arm| arm["arm"] == second["arm"]) {
        assert_ne!(arm["seat_2"], second["remeasured_share"]);
    }

    let whole = tables(&home.path().join("whole"));
    for threads in ["1", "7"] {
        run(&home, FAIR, &["--threads", threads, "--out", threads]);
        assert_eq!(whole, tables(&home.path().join(threads)), "{threads} threads");
    }
    for shard in ["1/2", "2/2"] {
        run(&home, FAIR, &["--shard", shard, "--out", &shard[..1].replace('1', "a").replace('2', "b")]);
    }
    assert!(rows(&home.path().join("a/fair.csv")).is_empty(), "a shard cannot know the winner");
    let merged = dhow(home.path(), &["merge", "b", "a", "--out", "whole"]);
    let said = String::from_utf8_lossy(&merged.stderr);
    assert!(merged.status.success() && said.contains("reproduced, byte for byte"), "{said}");
}

/// A coin is worth some twelve points to `greedy`, so that no whole number of coins comes within two: terminal and
/// page both say that the best one is not fair.
#[test]
fn the_best_of_bad_settings_is_not_called_fair() {
    let home = TempDir::new().unwrap();
    let greedy = FAIR.replace("\"random\"", "\"greedy\"").replace("[12, 7], [12, 10], ", "[12, 12], ");
    let greedy = greedy.replace("[12, 16]", "[12, 14]").replace("1_000", "2_000\nseed = 3");
    let told = run(&home, &greedy, &["--out", "out"]);
    let fair = rows(&home.path().join("out/fair.csv"));
    let left = number(&fair[0], "remaining");
    assert!(left > 3.0, "{fair:?}");
    let caution = "no whole number keeps everybody within your limit";
    let page = fs::read_to_string(home.path().join("out/report.html")).unwrap();
    assert!(told.contains(caution) && page.contains(caution), "{told}");
    let points = format!("(at worst {left:.1}");
    assert!(told.contains(&points), "{points}: {told}");
    // With a limit that one coin more or less cannot miss there is nothing to take back.
    let wide = greedy.replace("[sweep]", "margin = 0.12\n[sweep]");
    assert!(!run(&home, &wide, &["--out", "wide"]).contains(caution));
}

#[test]
fn a_handicap_without_effect_is_said_to_have_none() {
    // Twenty games a setting cannot tell what a coin is worth.
    let home = TempDir::new().unwrap();
    let text = FAIR.replace("[[12, 7], [12, 10], [12, 13], [12, 16]]", "[[12, 12], [12, 13]]");
    let told = run(&home, &text.replace("1_000", "20"), &["--out", "few"]);
    let fair = rows(&home.path().join("few/fair.csv"));
    assert_eq!(fair.len(), 1);
    assert!(fair[0]["words"].contains("no fair setting can be given"), "{fair:?}");
    assert!(fair[0]["fair_handicap"].is_empty() && told.contains("no fair setting can be given"));
}

const SETTLED: &str = "game = \"tic-tac-toe\"\nagents = [\"random\", \"greedy\"]\nplay = \"self\"\n\
    games = 20_000\nmargin = 0.05\nstop = \"settled\"\n";

#[test]
fn each_line_up_ends_when_it_is_settled() {
    let home = TempDir::new().unwrap();
    let told = run(&home, SETTLED, &["--threads", "2", "--out", "two"]);
    let sweep = rows(&home.path().join("two/sweep.csv"));
    // Random play gives the first seat 64.8 %: far outside, and soon seen.
    let random = &sweep[0];
    assert_eq!((random["line_up"].as_str(), random["verdict"].as_str()), ("random", "unbalanced"));
    let games = number(random, "games");
    assert!((256.0..2_000.0).contains(&games) && games % 256.0 == 0.0, "{games}");
    let truth = 737.0 / 1260.0 + 4.0 / 63.0;
    let (low, high) = (number(random, "seat_1_low"), number(random, "seat_1_high"));
    assert!(low > 0.55 && low < truth && truth < high, "{low} {high}");
    // The other line-up went on by itself or not: it has a verdict of its own.
    assert!(number(&sweep[1], "games") <= 20_000.0);
    assert!(told.contains("confidence sequences, which hold whenever a run stops"), "{told}");
    let seats = rows(&home.path().join("two/seats.csv"));
    assert_eq!(
        (seats[0]["low"].as_str(), seats[0]["games"].as_str()),
        (&*random["seat_1_low"], &*random["games"])
    );
    let page = fs::read_to_string(home.path().join("two/report.html")).unwrap();
    assert!(page.contains("until its verdict was settled"));
    let whole = tables(&home.path().join("two"));
    for threads in ["1", "7"] {
        run(&home, SETTLED, &["--threads", threads, "--out", threads]);
        assert_eq!(whole, tables(&home.path().join(threads)), "{threads} threads");
    }
}

#[test]
fn the_maximum_ends_what_is_not_settled() {
    let home = TempDir::new().unwrap();
    let text = SETTLED.replace("20_000", "300").replace("0.05", "0.148");
    let told = run(&home, &text.replace("\"random\", \"greedy\"", "\"random\""), &["--out", "out"]);
    let sweep = rows(&home.path().join("out/sweep.csv"));
    assert_eq!((number(&sweep[0], "games"), sweep[0]["verdict"].as_str()), (300.0, "not settled"));
    assert!(told.contains("not settled by the 300 games allowed"), "{told}");
}

#[test]
fn the_worth_of_a_forbidden_action() {
    let home = TempDir::new().unwrap();
    let text = "game = \"pig\"\nagents = [\"threshold:hold=15\"]\nforbid = [\"hold\"]\ngames = 200\n";
    run(&home, text, &["--threads", "1", "--out", "1"]);
    let agents = rows(&home.path().join("1/agents.csv"));
    let names: Vec<&str> = agents.iter().map(|row| row["agent"].as_str()).collect();
    assert_eq!(names, ["threshold:hold=15:forbid=hold", "threshold:hold=15"]);
    // Whoever may never hold has to throw 100 points in one turn.
    assert!(number(&agents[0], "win_share") < 0.1, "{agents:?}");
    let whole = tables(&home.path().join("1"));
    for threads in ["2", "7"] {
        run(&home, text, &["--threads", threads, "--out", threads]);
        assert_eq!(whole, tables(&home.path().join(threads)), "{threads} threads");
    }
    let same = text
        .replace("forbid = [\"hold\"]\n", "")
        .replace("[\"threshold:hold=15\"]", "[\"threshold:hold=15:forbid=hold\", \"threshold:hold=15\"]");
    run(&home, &same, &["--out", "text"]);
    assert_eq!(whole, tables(&home.path().join("text")));
}

#[test]
fn questions_that_cannot_be_put_are_one_line_and_exit_code_2() {
    let fair = |from: &str, to: &str, parts: &[&str]| refused(&FAIR.replace(from, to), &[], parts);
    fair("switch = \"starting_coins\"", "switch = \"starting_coin\"", &["did you mean `starting_coins`?"]);
    fair("switch = ", "swich = ", &["[fair] has no key `swich`", "line 8, column 1: "]);
    fair(
        "switch = \"starting_coins\"",
        "switch = 3",
        &["[fair] needs the name of a swept rule", "line 8, column 10: "],
    );
    fair("[[12, 7], [12, 10], [12, 13], [12, 16]]", "[[12, 7]]", &["at least two values"]);
    fair(
        "starting_coins = [[12, 7], [12, 10], [12, 13], [12, 16]]\n[fair]\nswitch = \"starting_coins\"",
        "hp_dice = [\"released\", \"reserved\"]\n[fair]\nswitch = \"hp_dice\"",
        &["`hp_dice` is released", "whole number"],
    );
    fair("\"random\"]\nplay = \"self\"", "\"random\", \"greedy\"]", &["[fair]", "play = \"self\""]);
    fair("games = 1_000", "games = 1_000\nstop = \"settled\"", &["leave out stop"]);
    refused(SETTLED, &["--shard", "1/2", "--out", "x"], &["stop = \"settled\"", "--shard"]);
    refused(&SETTLED.replace("\"settled\"", "\"soon\""), &[], &["`stop` cannot be \"soon\"", "\"settled\""]);
    refused(&SETTLED.replace("play = \"self\"\n", ""), &[], &["stop = \"settled\"", "play = \"self\""]);
    let forbid = |list: &str| format!("game = \"pig\"\nagents = [\"random\"]\nforbid = {list}\n");
    refused(&forbid("[\"rol\"]"), &[], &["did you mean `roll`?", "roll, hold"]);
    refused(&forbid("[]"), &[], &["names no kind of action"]);
    refused(&forbid("\"roll\""), &[], &["`forbid` cannot be \"roll\"", "a list of kinds"]);
    refused(&forbid("[\"roll\"]").replace("pig", "tic-tac-toe"), &[], &["cannot be forbidden `roll`"]);
    refused(&forbid("[\"roll\"]").replace("random", "random:forbid=hold"), &[], &["twice"]);
}

/// Plays games of every kind with random choices and holds what a restricted agent does against what it may.
struct Watch(u64);

impl Visitor for Watch {
    type Output = ();
    fn visit<G: Catalogued>(self, game: G) {
        let kinds = game.action_kinds();
        let (mut luck, mut choice) = (Stream::from_seed(self.0), Stream::from_seed(self.0 + 1));
        for (at, &kind) in kinds.iter().enumerate() {
            let agent = ["random", "greedy"][at % 2];
            let spec = Spec::parse(&format!("{agent}:forbid={kind}")).unwrap();
            let mut agent = spec.resolve(&game, G::NAME).unwrap().build_for::<G>().unwrap();
            let (mut state, mut legal, mut joint) = (game.initial(), Vec::new(), Vec::new());
            let mut choose = |state: &G::State, seat, legal: &mut Vec<G::Action>| {
                game.actions(state, seat, legal);
                assert!(legal.iter().all(|&action| game.kind_of(action).is_some()), "{} {legal:?}", G::NAME);
                let action = agent.choose(&game, state, seat, &mut choice);
                assert!(legal.contains(&action), "{} {action}", G::NAME);
                let forced = legal.iter().all(|&action| game.kind_of(action) == Some(at));
                assert!(forced || game.kind_of(action) != Some(at), "{} {kind} {action}", G::NAME);
                action
            };
            for _ in 0..150 {
                match game.turn(&state) {
                    Turn::Over => break,
                    Turn::Chance(_) => {
                        let outcome = game.sample_chance(&state, luck.word());
                        game.apply(&mut state, outcome);
                    }
                    Turn::Decision(seat) => {
                        let action = choose(&state, seat, &mut legal);
                        game.apply(&mut state, action);
                    }
                    Turn::Simultaneous(seats) => {
                        joint.clear();
                        joint.extend(seats.iter().map(|seat| choose(&state, seat, &mut legal)));
                        game.apply_together(&mut state, &joint);
                    }
                }
            }
        }
    }
}

#[test]
fn no_game_lets_a_restricted_agent_do_what_is_forbidden() {
    for entry in ENTRIES {
        for seats in [*entry.seats().start(), *entry.seats().end()] {
            let setup = Setup { game: entry.name.to_owned(), seats, rules: toml::Table::new() };
            registry::visit(&setup, Watch(seats as u64)).unwrap();
        }
    }
}
