//! `dhow compare`: is A stronger than B? A sequential test, a verdict, and a text that can be pasted.

use std::fmt::Write;
use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicBool, Ordering};

use dhow::experiment::{CompareRequest, Comparison, Standing, compare};
use dhow::games::switches::show_value;
use dhow::report::terminal::{grouped, percent};
use dhow::statistics::{CONFIDENCE, Decision, Model, Pentanomial, Sprt, simultaneous_z};
use dhow::text::count;
use dhow::tournament::{Runner, Verify};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::json;

use super::common::{Checked, GameArgs, number, print, threads};
use super::run::{command_line, say_stopping};
use super::{Answer, Ending};

/// Arguments of `dhow compare`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// The agent that may be stronger
    #[arg(value_name = "A")]
    first: String,
    /// The agent it is held against; at more than two seats it fills all the others
    #[arg(value_name = "B")]
    second: String,
    /// "Not stronger": A's Elo above B is this
    #[arg(long, default_value = "0")]
    elo0: f64,
    /// "Stronger": A's Elo above B is this
    #[arg(long, default_value = "10")]
    elo1: f64,
    /// How often "stronger" may be wrong where elo0 holds
    #[arg(long, default_value = "0.05")]
    alpha: f64,
    /// How often "not stronger" may be wrong where elo1 holds
    #[arg(long, default_value = "0.05")]
    beta: f64,
    /// In which Elo the hypotheses are stated
    #[arg(long, value_enum, default_value = "logistic")]
    model: Elo,
    /// Games after which the question is given up
    #[arg(long, value_parser = number, default_value = "1_000_000")]
    max_games: u64,
    /// Master seed
    #[arg(long, value_parser = number, default_value = "1")]
    seed: u64,
    /// Threads (default: one for each core)
    #[arg(long, value_parser = threads)]
    threads: Option<usize>,
    /// Prints the result as JSON
    #[arg(long)]
    json: bool,
    /// No progress bar
    #[arg(long)]
    quiet: bool,
    /// Which moves are checked against the rules: those of one block in 1,000, or all
    #[arg(long, value_enum, default_value = "sample")]
    verify: Checked,
}

/// In which Elo hypotheses are stated.
#[derive(clap::ValueEnum, Clone, Copy, Debug)]
enum Elo {
    /// Of the win share
    Logistic,
    /// Of the win share in standard deviations of a game
    Normalised,
}

/// Tells the runner to stop: by the test itself, or by Ctrl-C.
static STOP: AtomicBool = AtomicBool::new(false);
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Runs the command.
pub fn run(args: Args) -> Answer {
    let model = match args.model {
        Elo::Logistic => Model::Logistic,
        Elo::Normalised => Model::Normalised,
    };
    let request = CompareRequest {
        setup: args.game.setup()?,
        agents: [args.first, args.second],
        sprt: Sprt::new(args.elo0, args.elo1, model, args.alpha, args.beta)?,
        max_games: args.max_games,
        seed: args.seed,
    };
    let bar = bar(args.quiet, &request.sprt);
    let shown = bar.clone();
    ctrlc::set_handler(move || {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        STOP.store(true, Ordering::Relaxed);
        say_stopping(&shown);
    })?;
    let verify = if matches!(args.verify, Checked::All) { Verify::All } else { Verify::Sample };
    let runner = Runner::new(args.threads.unwrap_or(0), &STOP, verify)?;
    let found = compare(&request, &runner, &STOP, &mut |standing| live(&bar, &request.sprt, standing))?;
    bar.finish_and_clear();
    let text = match args.json {
        true => format!("{:#}\n", as_json(&args.game.game, &found)),
        false => format!("{}\n\n{}", verdict(&found), block(&args.game.game, &found)),
    };
    print(&text)?;
    for fault in found.faults.iter().take(5) {
        eprintln!("block {}, rotation {} broke off: {}", fault.block, fault.rotation, fault.message);
    }
    Ok(if found.interrupted {
        eprintln!("Interrupted: whole blocks were kept. To begin anew: {}", command_line());
        Ending::Interrupted
    } else if found.faulty_blocks > 0 {
        Ending::Faulty
    } else {
        match found.decision {
            Decision::AcceptH1 => Ending::Done,
            Decision::AcceptH0 => Ending::NotStronger,
            Decision::Continue => Ending::Undecided,
        }
    })
}

/// The live line on standard error, on a terminal only.
fn bar(quiet: bool, sprt: &Sprt) -> ProgressBar {
    let target = match quiet || !io::stderr().is_terminal() {
        true => ProgressDrawTarget::hidden(),
        false => ProgressDrawTarget::stderr(),
    };
    let bar = ProgressBar::with_draw_target(None, target);
    let style = "{msg}  {human_pos} of at most {human_len} games  {per_sec}";
    bar.set_style(ProgressStyle::with_template(style).expect("the template is fixed"));
    let (low, high) = sprt.bounds();
    bar.set_message(format!("LLR 0.00 [{low:.2}, {high:.2}]"));
    bar
}

fn live(bar: &ProgressBar, sprt: &Sprt, standing: Standing<'_>) {
    let (low, high) = sprt.bounds();
    let elo = standing.scores.elo(simultaneous_z(CONFIDENCE, 1));
    let llr = standing.llr.map_or("-".to_owned(), |llr| format!("{llr:.2}"));
    bar.set_length(standing.max_games);
    bar.set_position(standing.scores.blocks() * standing.scores.games_per_block() as u64);
    bar.set_message(format!("LLR {llr} [{low:.2}, {high:.2}]  Elo {elo}"));
}

/// The answer in one sentence.
fn verdict(found: &Comparison) -> String {
    let [a, b] = &found.agents;
    let (elo0, elo1) = found.sprt.hypotheses();
    let games = count_of(found.games());
    let at_least = |elo: f64| if elo == 0.0 { String::new() } else { format!(" by more than {elo} Elo") };
    match found.decision {
        Decision::AcceptH1 => format!("stronger: {a} is stronger than {b}{} ({games}).", at_least(elo0)),
        Decision::AcceptH0 => {
            format!("not stronger: {a} is not {elo1} Elo stronger than {b} ({games}).")
        }
        Decision::Continue if found.interrupted => {
            format!("undecided: interrupted after {games} of {a} against {b}.")
        }
        Decision::Continue => {
            format!("undecided: {games} do not tell whether {a} is {elo1} Elo stronger than {b}.")
        }
    }
}

fn count_of(games: u64) -> String {
    format!("{} {}", grouped(games), if games == 1 { "game" } else { "games" })
}

/// The switches that were set.
fn rules(found: &Comparison) -> String {
    let set = found.rules.iter().map(|(key, value)| format!("{key}={}", show_value(value)));
    let set: Vec<String> = set.collect();
    if set.is_empty() { "rules by default".to_owned() } else { set.join(" ") }
}

/// What can be pasted: everything that is needed to believe it, and to repeat it.
fn block(game: &str, found: &Comparison) -> String {
    let scores = &found.scores;
    let z = simultaneous_z(CONFIDENCE, 1);
    let (elo0, elo1) = found.sprt.hypotheses();
    let (low, high) = found.sprt.bounds();
    let mut out = String::new();
    let mut line = |name: &str, text: String| {
        let _ = writeln!(out, "{name:<9} {text}");
    };
    line("game", format!("{game}, {} seats, {}", found.seats, rules(found)));
    line("version", format!("dhow {}, seed {}", env!("CARGO_PKG_VERSION"), found.seed));
    line("A", found.agents[0].clone());
    let others = if found.seats > 2 { format!(" (in {} seats)", found.seats - 1) } else { String::new() };
    line("B", format!("{}{others}", found.agents[1]));
    line(
        "test",
        format!(
            "GSPRT, {} Elo [{elo0}, {elo1}], errors at most [α = {}, β = {}]",
            found.sprt.model(),
            found.sprt.errors().0,
            found.sprt.errors().1
        ),
    );
    let llr = found.llr.map_or("unknown".to_owned(), |llr| format!("{llr:.2}"));
    line("LLR", format!("{llr}, bounds [{low:.2}, {high:.2}]"));
    let counts = [found.wins, found.ties, found.losses].map(grouped);
    line(
        "games",
        format!("{}: A won {}, tied {}, lost {}", grouped(found.games()), counts[0], counts[1], counts[2]),
    );
    match Pentanomial::of(scores) {
        Some(Pentanomial(pairs)) => {
            let pairs = pairs.map(grouped).join(", ");
            line("pairs", format!("[{pairs}] with 0, ½, 1, 1½, 2 points for A"));
        }
        None => {
            let games = scores.games_per_block();
            line(
                "blocks",
                format!("{} of {games} games each, A in every seat once", grouped(scores.blocks())),
            );
        }
    }
    if found.capped > 0 {
        line("caps", format!("{} ended at the cap", count_of(found.capped)));
    }
    if found.faulty_blocks > 0 {
        line("faults", format!("{} left out because a game broke off", count(found.faulty_blocks, "block")));
    }
    let fair = percent(scores.fair());
    line("share", format!("{} (fair: {fair})", scores.mean().map_or("unknown".to_owned(), percent)));
    line("Elo", format!("{} (95 %), normalised {}", scores.elo(z), scores.normalised_elo(z)));
    line("LOS", likely(scores.superiority()));
    line("command", command_line());
    out
}

/// A likelihood that never claims certainty.
fn likely(likelihood: f64) -> String {
    match likelihood * 100.0 {
        sure if sure > 99.9 => "more than 99.9 %".to_owned(),
        sure if sure < 0.1 => "less than 0.1 %".to_owned(),
        sure => format!("{sure:.1} %"),
    }
}

fn as_json(game: &str, found: &Comparison) -> serde_json::Value {
    let scores = &found.scores;
    let z = simultaneous_z(CONFIDENCE, 1);
    let (elo, normalised) = (scores.elo(z), scores.normalised_elo(z));
    let (elo0, elo1) = found.sprt.hypotheses();
    let (low, high) = found.sprt.bounds();
    json!({
        "verdict": match found.decision {
            Decision::AcceptH1 => "stronger",
            Decision::AcceptH0 => "not stronger",
            Decision::Continue => "undecided",
        },
        "interrupted": found.interrupted,
        "game": game,
        "seats": found.seats,
        "rules": found.rules,
        "dhow": env!("CARGO_PKG_VERSION"),
        "seed": found.seed,
        "a": found.agents[0],
        "b": found.agents[1],
        "model": found.sprt.model().to_string(),
        "elo0": elo0,
        "elo1": elo1,
        "alpha": found.sprt.errors().0,
        "beta": found.sprt.errors().1,
        "llr": found.llr,
        "llr_low": low,
        "llr_high": high,
        "games": found.games(),
        "wins": found.wins,
        "ties": found.ties,
        "losses": found.losses,
        "capped": found.capped,
        "faulty_blocks": found.faulty_blocks,
        "games_per_block": scores.games_per_block(),
        "blocks_by_score": scores.counts().map(|(units, blocks)| json!({
            "score": units as f64 / dhow::game::SHARE_UNITS as f64,
            "blocks": blocks,
        })).collect::<Vec<_>>(),
        "win_share": scores.mean(),
        "elo": elo.value,
        "elo_low": elo.low,
        "elo_high": elo.high,
        "normalised_elo": normalised.value,
        "normalised_elo_low": normalised.low,
        "normalised_elo_high": normalised.high,
        "los": scores.superiority(),
    })
}
