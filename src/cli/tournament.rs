//! `dhow tournament`: agents against each other, or one playing itself.

use std::path::PathBuf;

use dhow::experiment::{Config, Request, Stop, Sweep, SweepMode};
use dhow::tournament::Mode;

use super::common::{GameArgs, RunArgs, assignment, number};
use super::{Answer, Failure, common};

/// Arguments of `dhow tournament`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Agents, separated by commas; one alone plays itself
    #[arg(long, value_delimiter = ',', required = true)]
    agents: Vec<String>,
    /// Whether agents meet each other or each plays itself
    #[arg(long, value_enum, default_value = "round-robin")]
    play: common::Play,
    /// Games per line-up and arm, rounded up to whole blocks
    #[arg(long, value_parser = number, default_value = "10000")]
    games: u64,
    /// Master seed
    #[arg(long, value_parser = number, default_value = "1")]
    seed: u64,
    /// Varies a rule switch: key=v1/v2/v3; may be repeated (every combination is played)
    #[arg(long, value_name = "KEY=V1/V2", value_parser = assignment)]
    sweep: Vec<(String, String)>,
    /// What counts as balanced: fair share plus or minus this
    #[arg(long, value_parser = common::share, default_value = "0.02")]
    margin: f64,
    /// Tallies to group win rates by, separated by commas
    #[arg(long, value_delimiter = ',')]
    by: Vec<String>,
    /// Writes games.csv, one row per game and seat (with --out)
    #[arg(long)]
    per_game: bool,
    /// Writes the tables to this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    run: RunArgs,
}

/// Runs the command.
pub fn run(args: Args) -> Answer {
    let entry = args.game.entry()?;
    let mut switches = Vec::new();
    for (key, values) in &args.sweep {
        let values: Result<Vec<_>, _> =
            values.split('/').map(|value| (entry.parse_value)(key, value)).collect();
        switches.push((key.clone(), values?));
    }
    if args.per_game && args.out.is_none() {
        return Err(Failure::new("--per-game needs --out DIR to write games.csv to"));
    }
    let config = Config::new(&Request {
        question: None,
        game: args.game.game.clone(),
        seats: args.game.seat_counts()?,
        agents: args.agents,
        mode: Mode::from(args.play),
        games: args.games,
        seed: args.seed,
        margin: args.margin,
        rules: args.game.rules()?,
        sweep: Sweep { switches, mode: SweepMode::Grid },
        by: args.by,
        per_game: args.per_game,
        fair: None,
        stop: Stop::Games,
    })?;
    super::run::execute(&config, args.out.as_deref(), &args.run)
}
