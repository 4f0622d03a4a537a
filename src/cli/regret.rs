//! `dhow regret`: how much an agent's choices give away, judged by a deeper search.

use dhow::experiment::{Regret, RegretRequest, regret};
use dhow::report::terminal::{grouped, percent};
use dhow::statistics::{CONFIDENCE, simultaneous_z};
use serde_json::json;

use super::common::{GameArgs, number, print, threads};
use super::{Answer, Ending, Failure};

/// Games beyond which nobody waits for a search at every few moves.
const MOST_GAMES: u64 = 10_000_000;

/// Arguments of `dhow regret`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// The agent that is judged; it plays itself
    agent: String,
    /// Who judges (default: the same agent with 100 times the budget)
    reference: Option<String>,
    /// Number of games
    #[arg(long, value_parser = number, default_value = "40")]
    games: u64,
    /// One real choice in so many is judged
    #[arg(long, value_parser = number, default_value = "10")]
    every: u64,
    /// Master seed
    #[arg(long, value_parser = number, default_value = "1")]
    seed: u64,
    /// Threads (default: one for each core)
    #[arg(long, value_parser = threads)]
    threads: Option<usize>,
    /// Prints the result as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: Args) -> Answer {
    for (name, value, most) in [("--games", args.games, MOST_GAMES), ("--every", args.every, u64::MAX)] {
        if !(1..=most).contains(&value) {
            return Err(Failure::new(format!("{name} cannot be {value}: expected 1 to {most}")));
        }
    }
    let found = regret(&RegretRequest {
        setup: args.game.setup()?,
        agent: args.agent,
        reference: args.reference,
        games: args.games,
        every: args.every,
        seed: args.seed,
        threads: args.threads.unwrap_or(0),
    })?;
    print(&match args.json {
        true => format!("{:#}\n", as_json(&args.game.game, &found)),
        false => in_words(&found),
    })?;
    Ok(Ending::Done)
}

fn in_words(found: &Regret) -> String {
    let error = match found.error.is_finite() {
        true => format!(", give or take {:.4}", simultaneous_z(CONFIDENCE, 1) * found.error),
        false => String::new(),
    };
    let (positions, games) = (grouped(found.positions), grouped(found.different));
    let same = match found.games - found.different {
        0 => String::new(),
        some => {
            format!("{} games went move for move like an earlier one and were left out.\n", grouped(some))
        }
    };
    let unjudged = match found.unjudged {
        0 => String::new(),
        some => format!("{} more positions could not be judged.\n", grouped(some)),
    };
    format!(
        "{} gives away {:.4} of payoff a choice{error} (95 %), judged by {}.\n\
         It chooses as that search does in {} of {positions} positions of {games} games, and as itself, with other \
         luck, in {}; that search, with other luck, chooses as itself in {}.\n{unjudged}{same}",
        found.agent,
        found.regret,
        found.reference,
        percent(found.agreed),
        percent(found.repeated),
        percent(found.settled),
    )
}

fn as_json(game: &str, found: &Regret) -> serde_json::Value {
    json!({
        "game": game,
        "seats": found.seats,
        "dhow": env!("CARGO_PKG_VERSION"),
        "agent": found.agent,
        "reference": found.reference,
        "measure": found.measure,
        "games": found.games,
        "different_games": found.different,
        "positions": found.positions,
        "unjudged": found.unjudged,
        "regret": found.regret,
        "standard_error": found.error.is_finite().then_some(found.error),
        "agreed": found.agreed,
        "repeated": found.repeated,
        "settled": found.settled,
    })
}
