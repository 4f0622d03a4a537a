//! `dhow replay`: a trace held against the rules.

use std::fs::File;
use std::io::{self, BufRead, BufReader};

use dhow::text::{and_list, count};
use dhow::trace;

use super::{Answer, Ending, Failure, terminal};

#[derive(clap::Args)]
pub struct Args {
    /// A file that `dhow play --trace` wrote (- for standard input)
    trace: String,
}

pub fn run(args: Args) -> Answer {
    let name = &args.trace;
    let input: Box<dyn BufRead> = match name.as_str() {
        "-" => Box::new(io::stdin().lock()),
        path => {
            let file =
                File::open(path).map_err(|error| Failure::new(format!("cannot read {path}: {error}")))?;
            Box::new(BufReader::new(file))
        }
    };
    match trace::replay(input) {
        Ok(found) => {
            let winners: Vec<String> = found.winners.iter().map(|seat| format!("seat {seat}")).collect();
            let who = if winners.len() == 1 { "wins" } else { "share the first place" };
            let line = format!(
                "{name}: {} of {} hold against the rules ({}, {} of luck); ended by `{}`, {} {who}",
                count(found.steps, "step"),
                found.game,
                count(found.decisions, "decision"),
                count(found.chances, "event"),
                found.ending,
                and_list(&winners),
            );
            terminal::show(&format!("{line}\n"))
        }
        Err(error) if error.is_broken() => {
            let Failure(line) = Failure::new(format!("{name}: {error}"));
            eprintln!("dhow: {line}");
            Ok(Ending::Faulty)
        }
        Err(error) => Err(Failure::new(format!("{name}: {error}"))),
    }
}
