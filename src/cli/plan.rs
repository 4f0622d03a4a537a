//! `dhow plan`: how many games a question needs, and how long they take.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use dhow::experiment::{self, Config, Request, Sweep};
use dhow::report::terminal::{grouped, trimmed};
use dhow::statistics::{
    CONFIDENCE, games_for_comparison, games_for_effect, games_for_half_width, games_for_verdict,
};
use dhow::text::columns;
use dhow::tournament::{Mode, Runner, Silent, Verify};
use indicatif::HumanDuration;
use serde_json::{Value, json};

use super::common::{GameArgs, number, print, share, threads};
use super::{Answer, Ending, Failure, terminal};

/// How often a real effect is to be seen.
const POWER: f64 = 0.8;
/// Games of the trial that measures time and design effect.
const TRIAL: u64 = 200;
/// The least difference that is planned for: to see it takes some 1e12 games.
const LEAST: f64 = 1e-6;
/// The most settings.
const MOST_ARMS: u64 = 1_000_000;
/// A thousand years, in seconds.
const TOO_LONG: f64 = 1e3 * 365.25 * 86_400.0;

/// Arguments of `dhow plan`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Who plays itself in the trial
    #[arg(long, default_value = "greedy")]
    agent: String,
    /// A difference from the fair share worth seeing, as a share of one
    #[arg(long, value_parser = share, default_value = "0.01")]
    effect: f64,
    /// What counts as balanced: fair share plus or minus this
    #[arg(long, value_parser = share, default_value = "0.02")]
    margin: f64,
    /// How many settings are compared
    #[arg(long, value_parser = number, default_value = "1")]
    arms: u64,
    /// Games of the trial
    #[arg(long, value_parser = number, default_value_t = TRIAL)]
    trial: u64,
    /// Threads (default: one for each core)
    #[arg(long, value_parser = threads)]
    threads: Option<usize>,
    /// Prints JSON
    #[arg(long)]
    json: bool,
}

/// One question and the games it needs, for each arm.
struct Need {
    question: String,
    games: Option<u64>,
}

/// Runs the command.
pub fn run(args: Args) -> Answer {
    for (name, value) in [("--effect", args.effect), ("--margin", args.margin)] {
        if !(value > 0.0 && value < 1.0) {
            return Err(Failure::new(format!(
                "{name} {value} is out of range: expected more than 0, less than 1"
            )));
        }
        if value < LEAST {
            return Err(Failure::new(format!(
                "{name} {value:e} would take more games than anybody can wait for: expected at least {LEAST:e}"
            )));
        }
    }
    if !(1..=MOST_ARMS).contains(&args.arms) {
        return Err(Failure::new(format!(
            "{} arms were asked for; expected 1 to {}",
            args.arms,
            grouped(MOST_ARMS)
        )));
    }
    let (mut text, mut all) = (String::new(), Vec::new());
    for seats in args.game.seat_counts()? {
        let config = Config::new(&Request {
            game: args.game.game.clone(),
            seats: vec![seats],
            agents: vec![args.agent.clone()],
            mode: Mode::SelfPlay,
            games: args.trial,
            seed: 1,
            margin: args.margin,
            rules: args.game.rules()?,
            sweep: Sweep::default(),
            ..Request::default()
        })?;
        let stop = AtomicBool::new(false);
        let runner = Runner::new(args.threads.unwrap_or(0), &stop, Verify::Sample)?;
        let started = Instant::now();
        let results = experiment::run(&config, &runner, &mut Silent)?;
        let tally = &results.arms[0].line_ups[0].played.tally;
        let seconds = started.elapsed().as_secs_f64() / tally.games.max(1) as f64;
        // A trial is too short to promise that shared deals help: it may only warn that they cost.
        let measured = tally
            .seat_totals
            .iter()
            .filter(|seat| seat.seatings() > 0)
            .map(|seat| seat.design_effect())
            .fold(1.0, f64::max);
        let needs = needs(seats, &args, measured);
        text += &format!(
            "{}, {seats} seats, {} in all of them; trial of {}: {} a game, design effect {measured:.2}\n",
            args.game.game,
            config.agents[0],
            dhow::text::count(tally.games, "game"),
            time(seconds)
        );
        let rows: Vec<Vec<String>> = needs
            .iter()
            .map(|need| {
                let games = need.games.map_or("cannot be".into(), grouped);
                let long = need
                    .games
                    .map_or(String::new(), |games| time(seconds * games.saturating_mul(args.arms) as f64));
                vec![format!("  {}", need.question), games, long]
            })
            .collect();
        let head = vec![
            "  to".to_owned(),
            "games an arm".into(),
            format!("time for {}", dhow::text::count(args.arms, "arm")),
        ];
        text += &(columns(&[vec![head], rows].concat()).join("\n") + "\n\n");
        all.push(json!({
            "game": args.game.game,
            "seats": seats,
            "agent": config.agents[0],
            "trial_games": tally.games,
            "seconds_per_game": seconds,
            "design_effect": measured,
            "needs": needs.iter().map(|need| json!({ "to": need.question, "games": need.games })).collect::<Vec<Value>>(),
        }));
    }
    if args.json {
        return terminal::show_json(&Value::Array(all));
    }
    print(&(text.trim_end().to_owned() + "\n"))?;
    Ok(Ending::Done)
}

fn needs(seats: usize, args: &Args, deff: f64) -> Vec<Need> {
    let (effect, alpha) = (args.effect, 1.0 - CONFIDENCE);
    let fair = 1.0 / seats as f64;
    let points = |share: f64| format!("{} points", trimmed(share * 100.0));
    let mut needs = vec![
        Need {
            question: format!("see that a seat is off its fair share by {}", points(effect)),
            games: Some(games_for_effect(seats, effect, alpha, POWER, deff)),
        },
        Need {
            question: format!("know a seat's share to within {}", points(effect)),
            games: Some(games_for_half_width(fair, effect, CONFIDENCE, deff)),
        },
        Need {
            question: format!("show that a fair setting is balanced within {}", points(args.margin)),
            games: games_for_verdict(seats, args.margin, 0.0, CONFIDENCE, POWER, deff),
        },
    ];
    if args.arms > 1 {
        needs.push(Need {
            question: format!("see a difference of {} between two settings", points(effect)),
            games: Some(games_for_comparison(seats, effect, alpha, POWER, deff)),
        });
    }
    needs
}

fn time(seconds: f64) -> String {
    match seconds {
        short if short < 1e-3 => format!("{:.0} microseconds", short * 1e6),
        short if short < 1.0 => format!("{:.1} milliseconds", short * 1e3),
        long if long < TOO_LONG => HumanDuration(std::time::Duration::from_secs_f64(long)).to_string(),
        _ => "more than anybody can wait for".to_owned(),
    }
}
