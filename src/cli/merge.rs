//! `dhow merge`: shards of one run, folded to the same bytes as the run in one go.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use dhow::experiment;
use dhow::report::folder::{Plan, RunFolder};
use dhow::report::merge::Shards;
use dhow::tournament::{Runner, Silent, Verify};

use super::run::{Sheet, command_line, conclude, tallies};
use super::{Answer, Failure};

/// Arguments of `dhow merge`.
#[derive(clap::Args)]
pub struct Args {
    /// Folders of all shards of one run, in any order
    #[arg(required = true, num_args = 1.., value_name = "DIR")]
    folders: Vec<PathBuf>,
    /// Writes the whole run to this folder
    #[arg(long, value_name = "DIR", required = true)]
    out: PathBuf,
    /// Prints the tables as JSON
    #[arg(long)]
    json: bool,
    /// Replaces what stands in the folder
    #[arg(long)]
    force: bool,
}

/// Runs the command.
pub fn run(args: Args) -> Answer {
    let started = Instant::now();
    // Replacing a shard by the whole would lose it, --force or not; a folder that is not there yet is none.
    if let Ok(out) = args.out.canonicalize()
        && let Some(shard) =
            args.folders.iter().find(|shard| shard.canonicalize().is_ok_and(|path| path == out))
    {
        return Err(Failure::new(format!(
            "--out {} is the shard {}: merging would overwrite it; name another folder",
            args.out.display(),
            shard.display()
        )));
    }
    let shards = Shards::read(&args.folders)?;
    let config = shards.config.clone();
    let plan = Plan { force: args.force, ..Plan::default() };
    let mut folder = RunFolder::open(&args.out, &config, tallies(&config)?, &plan)?;
    let mut results = shards.fold(Some(&mut folder))?;
    // A fair setting follows from all shards together: its fresh measurement is played here.
    let stop = AtomicBool::new(false);
    let runner = Runner::new(0, &stop, Verify::Sample)?;
    experiment::measure_fair(&mut results, &mut BTreeMap::new(), &runner, &mut Silent)?;
    let sheet =
        Sheet { command: command_line(), resume: None, threads: runner.threads(), started, json: args.json };
    conclude(&results, Some((folder, &args.out)), &sheet)
}
