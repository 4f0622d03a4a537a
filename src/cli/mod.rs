//! The subcommands, a file each, and what they share: arguments, errors, exit codes.

mod agents;
mod check;
mod common;
mod compare;
mod completions;
mod games;
mod merge;
mod plan;
mod play;
mod regret;
mod replay;
mod report;
mod run;
mod shard;
mod solve;
mod terminal;
mod tournament;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use dhow::games::switches::closest;
use dhow::text::one_line;

/// A laboratory for tabletop games: is my game fair, and which way of playing is stronger?
#[derive(Parser)]
#[command(name = "dhow", version, max_term_width = 100, disable_help_subcommand = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// What can be played; a game's seats, switches, luck and rulings
    Games(games::Args),
    /// What can play; an agent's parameters
    Agents(agents::Args),
    /// Agents against each other with rotation over the seats, or one agent playing itself
    Tournament(tournament::Args),
    /// Is A stronger than B? A sequential test that stops as soon as it knows
    Compare(compare::Args),
    /// A balance question from an experiment file: sweeps, verdicts, csv
    Run(run::Args),
    /// Folds the shards of a run (`--shard`) to the same bytes as the run in one go
    Merge(merge::Args),
    /// The page report.html of a run again, from its tables
    Report(report::Args),
    /// How many games a question needs, and how long they take
    Plan(plan::Args),
    /// One game told in words and boards
    Play(play::Args),
    /// Holds every step of a trace against the rules
    Replay(replay::Args),
    /// The battery of properties, as a fuzzer, on any switches
    Check(check::Args),
    /// Exact values and best play of a small game; what comes of an agent
    Solve(solve::Args),
    /// How much an agent's choices give away, judged by a deeper search: bias or noise?
    Regret(regret::Args),
    /// Completions for a shell
    Completions(completions::Args),
}

/// How a command ended, as the exit code says it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// 0: done.
    Done,
    /// 1: done, with faulty games, a failed check or a result that does not reproduce.
    Faulty,
    /// 3: a comparison found the first agent not stronger.
    NotStronger,
    /// 4: a comparison was undecided at its maximum of games.
    Undecided,
    /// 130: interrupted.
    Interrupted,
}

/// Bad use: one line on standard error, exit code 2.
#[derive(Debug)]
pub struct Failure(String);

impl Failure {
    /// A failure that says `message`, folded into one line.
    pub fn new(message: impl std::fmt::Display) -> Failure {
        Failure(one_line(&message.to_string()))
    }
}

/// Every error of the library is bad use once it reaches the command line.
impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Failure {
        Failure::new(error)
    }
}

/// What a command gives.
pub type Answer = Result<Ending, Failure>;

/// Clap's complaint, which is several lines, as one: what was wrong, and in brackets what is near.
fn told(complaint: &str) -> String {
    let mut told = String::new();
    for line in complaint.lines().map(str::trim) {
        if line.starts_with("Usage:") || line.starts_with("For more information") {
            break;
        }
        match line.strip_prefix("tip: ") {
            // Other tips tell how to pass what looks like an option as a value: nothing here takes one.
            Some(tip) => {
                if let Some((_, near)) = tip.split_once(" exists: ").or_else(|| tip.split_once(" exist: ")) {
                    let near = near.replace('\'', "`").replace(", ", " or ");
                    told += &format!(" (did you mean {near}?)");
                }
            }
            None if !line.is_empty() => told += &format!(" {line}"),
            None => {}
        }
    }
    one_line(told.trim_start().trim_start_matches("error: "))
}

/// A command that does not exist and is near to none by clap's measure: what ours finds, and where all are listed.
fn unknown_command(error: &clap::Error) -> String {
    let told = told(&error.render().to_string());
    let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand) else { return told };
    if told.contains("did you mean") {
        return told;
    }
    let command = Cli::command();
    let near = closest(name, command.get_subcommands().map(clap::Command::get_name));
    let near = near.map(|near| format!(" (did you mean `{near}`?)")).unwrap_or_default();
    one_line(&format!("there is no command `{name}`{near}; `dhow --help` lists them"))
}

/// Parses the arguments, runs the command, and turns its ending into an exit code.
pub fn main() -> ExitCode {
    // A negative number is handed to the reader of its option, which says what it expected.
    let negative = |arg: clap::Arg| {
        let takes = arg.get_action().takes_values() && !arg.is_positional();
        arg.allow_negative_numbers(takes)
    };
    let command = Cli::command().mut_subcommands(|command| command.mut_args(negative));
    let parsed = command.try_get_matches().and_then(|matches| Cli::from_arg_matches(&matches));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() => {
            let told = match error.kind() {
                // Clap would print its whole help here.
                ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
                    let command = Cli::command();
                    let names: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
                    format!("no command is given: {} (`dhow --help` explains them)", names.join(", "))
                }
                ErrorKind::InvalidSubcommand => unknown_command(&error),
                _ => told(&error.render().to_string()),
            };
            eprintln!("dhow: {told}");
            return ExitCode::from(2);
        }
        Err(help) => {
            // A closed pipe is no reason to complain about help; a full disk is.
            return match help.print().and_then(|()| io::stdout().flush()) {
                Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                    eprintln!("dhow: cannot write to standard output: {error}");
                    ExitCode::from(2)
                }
                _ => ExitCode::SUCCESS,
            };
        }
    };
    let answer = match cli.command {
        Command::Games(args) => games::run(args),
        Command::Agents(args) => agents::run(args),
        Command::Tournament(args) => tournament::run(args),
        Command::Compare(args) => compare::run(args),
        Command::Run(args) => run::run(args),
        Command::Merge(args) => merge::run(args),
        Command::Report(args) => report::run(args),
        Command::Plan(args) => plan::run(args),
        Command::Play(args) => play::run(args),
        Command::Replay(args) => replay::run(args),
        Command::Check(args) => check::run(args),
        Command::Solve(args) => solve::run(args),
        Command::Regret(args) => regret::run(args),
        Command::Completions(args) => completions::run(args),
    };
    match answer {
        Ok(Ending::Done) => ExitCode::SUCCESS,
        Ok(Ending::Faulty) => ExitCode::from(1),
        Ok(Ending::NotStronger) => ExitCode::from(3),
        Ok(Ending::Undecided) => ExitCode::from(4),
        Ok(Ending::Interrupted) => ExitCode::from(130),
        Err(Failure(message)) => {
            eprintln!("dhow: {message}");
            ExitCode::from(2)
        }
    }
}
