//! `dhow run`: an experiment file, from the question to the tables; and what `dhow tournament` shares with it.

use std::fmt;
use std::io::{self, IsTerminal, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use dhow::experiment::{self, Config, Context, Observer, Results, Stop};
use dhow::games::Catalogued;
use dhow::games::registry::Visitor;
use dhow::report::folder::{self, Kept, Plan, RunFolder};
use dhow::report::manifest::RunPart;
use dhow::report::{json, table, terminal};
use dhow::text::count;
use dhow::tournament::{Event, Listener, RunError, Runner, Shard, Verify};
use indicatif::{
    HumanDuration, HumanFloatCount, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle,
};

use super::common::{RunArgs, number, print};
use super::{Answer, Ending, Failure};

/// Arguments of `dhow run`.
#[derive(clap::Args)]
pub struct Args {
    /// The experiment file (TOML)
    experiment: PathBuf,
    /// Writes the tables to this folder (default: results/ and the file's name)
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Games per arm and line-up, instead of the file's
    #[arg(long, value_parser = number)]
    games: Option<u64>,
    /// Master seed, instead of the file's
    #[arg(long, value_parser = number)]
    seed: Option<u64>,
    /// Writes games.csv, one row per game and seat
    #[arg(long)]
    per_game: bool,
    #[command(flatten)]
    run: RunArgs,
}

/// Runs the command.
pub fn run(args: Args) -> Answer {
    let file = experiment::read(&args.experiment)?;
    let mut request = file.request.clone();
    if let Some(games) = args.games {
        request.games = games;
    }
    if let Some(seed) = args.seed {
        request.seed = seed;
    }
    request.per_game |= args.per_game;
    let config = file.config(&request)?;
    let name = args.experiment.file_stem().unwrap_or_default();
    let out = args.out.unwrap_or_else(|| Path::new("results").join(name));
    execute(&config, Some(&out), &args.run)
}

/// Set by the first Ctrl-C.
static STOP: AtomicBool = AtomicBool::new(false);

/// Plays a configuration, prints the answer, writes the folder.
pub fn execute(config: &Config, out: Option<&Path>, args: &RunArgs) -> Answer {
    if args.dry_run {
        return describe(config, args);
    }
    for agent in config.clocked() {
        eprintln!("Note: {agent} decides by the clock: what comes out cannot be reproduced.");
    }
    let shard = match &args.shard {
        Some(text) => super::shard::read(text, |name| std::env::var(name).ok())?,
        None => Shard::default(),
    };
    if config.stop == Stop::Settled && args.shard.is_some() {
        return Err(Failure::new(
            "stop = \"settled\" looks at all blocks in their order: it cannot be played with --shard",
        ));
    }
    let Some(out) = out else {
        if args.resume || args.shard.is_some() {
            let flag = if args.resume { "--resume" } else { "--shard" };
            return Err(Failure::new(format!("{flag} needs --out DIR, where the run keeps what it played")));
        }
        return play(config, None, args);
    };
    if args.resume && is_complete(config, shard, out)? {
        eprintln!("{}: the run is complete, nothing is left to play.", out.display());
        return Ok(Ending::Done);
    }
    let command = Some(resuming_command());
    let plan = Plan { force: args.force, resume: args.resume, shard, command };
    let folder = RunFolder::open(out, config, tallies(config)?, &plan)?;
    play(config, Some((folder, out)), args)
}

/// Whether a folder holds the whole of this run.
fn is_complete(config: &Config, shard: Shard, out: &Path) -> Result<bool, Failure> {
    if !out.join("manifest.json").is_file() {
        return Ok(false);
    }
    let there = folder::read(out)?.result;
    Ok(!there.partial && there.config == *config && there.shard == shard)
}

fn play(config: &Config, folder: Option<(RunFolder, &Path)>, args: &RunArgs) -> Answer {
    // The first Ctrl-C ends the run at a batch and keeps what there is; the second ends at once.
    let bar = bar(config, args.quiet);
    let shown = bar.clone();
    ctrlc::set_handler(move || {
        if STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        say_stopping(&shown);
    })?;
    let verify = if args.verify_all() { Verify::All } else { Verify::Sample };
    let runner = Runner::new(args.threads.unwrap_or(0), &STOP, verify)?;
    let started = Instant::now();
    let (mut folder, out) = match folder {
        Some((folder, out)) => (Some(folder), Some(out)),
        None => (None, None),
    };
    let sitting = folder.as_mut().map(RunFolder::sitting).unwrap_or_default();
    let mut screen = Screen { bar, folder, context: None };
    let results =
        experiment::resume(config, sitting, &runner, &mut screen).map_err(|error| match (&error, out) {
            (experiment::RunFailure::Run(RunError::Io(error)), Some(out)) => {
                Failure::new(format!("cannot write results to {}: {error}", out.display()))
            }
            _ => Failure::new(error),
        })?;
    screen.bar.finish_and_clear();
    let folder = screen.folder.take().zip(out);
    let resume = folder.is_some().then(resuming_command);
    let sheet =
        Sheet { command: command_line(), resume, threads: runner.threads(), started, json: args.json };
    conclude(&results, folder, &sheet)
}

/// How a run was carried out.
pub struct Sheet {
    /// The command as typed.
    pub command: String,
    /// The command that goes on with it, where it can go on.
    pub resume: Option<String>,
    /// Threads used.
    pub threads: usize,
    /// When it began.
    pub started: Instant,
    /// Whether the answer is JSON.
    pub json: bool,
}

/// Prints the answer and writes the folder.
pub fn conclude(results: &Results, folder: Option<(RunFolder, &Path)>, sheet: &Sheet) -> Answer {
    // The answer is printed before the folder is written: a full disk does not swallow it.
    show(results, sheet.json)?;
    let mut ending = match results.faulty_blocks() {
        0 => Ending::Done,
        _ => Ending::Faulty,
    };
    let mut goes_on = false;
    if let Some((folder, out)) = folder {
        let run = RunPart {
            commit: option_env!("DHOW_COMMIT").map(str::to_owned),
            command: sheet.command.clone(),
            resume: sheet.resume.clone().filter(|_| results.partial),
            threads: sheet.threads,
            seconds: sheet.started.elapsed().as_secs_f64(),
        };
        match folder.finish(results, run)? {
            Kept::Written => {
                goes_on = true;
                eprintln!("Written to {}.", out.display());
            }
            Kept::Reproduced => eprintln!("{}: reproduced, byte for byte.", out.display()),
            Kept::Differs(files) => {
                eprintln!(
                    "{}: does not reproduce; not the same (left alone, --force replaces all): {}",
                    out.display(),
                    files.join(", ")
                );
                ending = Ending::Faulty;
            }
            Kept::NotCompared => eprintln!("{}: not compared, left alone.", out.display()),
        }
    }
    if results.partial {
        match &sheet.resume {
            Some(command) if goes_on => eprintln!("Interrupted: whole blocks were kept. To go on: {command}"),
            _ => eprintln!("Interrupted: whole blocks were kept. To begin anew: {}", sheet.command),
        }
        ending = Ending::Interrupted;
    }
    Ok(ending)
}

/// The command that goes on with this run.
fn resuming_command() -> String {
    let command = command_line();
    let words: Vec<&str> =
        command.split(' ').filter(|word| !["--force", "--resume"].contains(word)).collect();
    format!("{} --resume", words.join(" "))
}

/// The command as typed, without the folder of the binary, fit for a shell.
pub fn command_line() -> String {
    let plain = |character: char| character.is_alphanumeric() || "-_=.,:/+@%".contains(character);
    let quote = |word: std::borrow::Cow<str>| match word.chars().all(plain) && !word.is_empty() {
        true => word.into_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    };
    let words = std::env::args_os().skip(1).map(|word| quote(word.to_string_lossy()));
    std::iter::once("dhow".to_owned()).chain(words).collect::<Vec<_>>().join(" ")
}

/// The answer, in words or as JSON.
fn show(results: &Results, as_json: bool) -> Result<(), Failure> {
    let text = match as_json {
        true => {
            let value = serde_json::json!({
                "config": results.config,
                "partial": results.partial,
                "tables": json::tables(&table::tables(results)),
            });
            format!("{value:#}\n")
        }
        false => terminal::summary(results).trim_start_matches('\n').to_owned(),
    };
    print(&text)
}

/// What a dry run prints: arms, games, estimated time.
fn describe(config: &Config, args: &RunArgs) -> Answer {
    let trials = experiment::trial(config, args.threads.unwrap_or(0))?;
    let mut out = String::new();
    let mut total = std::time::Duration::ZERO;
    let mut games = 0u64;
    let most = if config.stop == Stop::Settled { "at most " } else { "" };
    for trial in &trials {
        let arm = config.arms.iter().find(|arm| (arm.arm, arm.seats) == (trial.arm, trial.seats));
        let value = |key: &String| arm.map(|arm| arm.swept_value(key)).unwrap_or_default();
        let swept: String = config.sweep.iter().map(|key| format!("  {key}={}", value(key))).collect();
        out.push_str(&format!(
            "arm {}  {} seats{swept}  {}  {most}{} game{}\n",
            trial.arm,
            trial.seats,
            trial.line_up,
            terminal::grouped(trial.games),
            if trial.games == 1 { "" } else { "s" }
        ));
        total += trial.time;
        games = games.saturating_add(trial.games);
    }
    out.push_str(&format!(
        "{}, {most}{} game{}, about {} (from a short trial that counts for nothing)\n",
        count(trials.len() as u64, "line-up"),
        terminal::grouped(games),
        if games == 1 { "" } else { "s" },
        HumanDuration(total)
    ));
    print(&out)?;
    Ok(Ending::Done)
}

/// The tallies of a configuration's game, for the head of games.csv.
pub fn tallies(config: &Config) -> Result<&'static [&'static str], Failure> {
    struct Names;
    impl Visitor for Names {
        type Output = &'static [&'static str];
        fn visit<G: Catalogued>(self, game: G) -> Self::Output {
            game.tally_names()
        }
    }
    let arm = config.arms.first().ok_or_else(|| Failure::new("there is nothing to play"))?;
    Ok(arm.visit(&config.game, Names)?)
}

/// The progress bar and the writer of per-game rows.
struct Screen {
    bar: ProgressBar,
    folder: Option<RunFolder>,
    context: Option<Context>,
}

/// The progress bar, on a terminal only.
fn bar(config: &Config, quiet: bool) -> ProgressBar {
    let target = match quiet || !io::stderr().is_terminal() {
        true => ProgressDrawTarget::hidden(),
        false => ProgressDrawTarget::stderr(),
    };
    let bar = ProgressBar::with_draw_target(None, target);
    let style = "{msg} {wide_bar} {human_pos}/{human_len} games{pace}";
    let style = ProgressStyle::with_template(style).expect("the template is fixed").with_key("pace", pace);
    bar.set_style(style);
    bar.set_message(config.game.clone());
    bar
}

/// How fast it goes and how long it takes; nothing before the first batch has told.
fn pace(state: &ProgressState, out: &mut dyn fmt::Write) {
    let per_second = state.per_sec();
    if per_second > 0.0 {
        // Who writes into memory takes every word.
        let _ = write!(out, "  {}/s  {:#} left", HumanFloatCount(per_second), HumanDuration(state.eta()));
    }
}

/// What the first Ctrl-C says, above the bar where there is one.
pub fn say_stopping(bar: &ProgressBar) {
    bar.suspend(|| {
        let _ = writeln!(io::stderr(), "stopping after the games under way; Ctrl-C again ends at once");
    });
}

impl Observer for Screen {
    fn enter(&mut self, context: &Context) -> io::Result<()> {
        self.bar.set_message(match context.fresh {
            true => format!("fresh deals, {} seats", context.seats),
            false => format!("arm {}, {} seats", context.arm, context.seats),
        });
        self.context = Some(context.clone());
        Ok(())
    }
}

impl Listener for Screen {
    fn hear(&mut self, event: Event<'_>) -> io::Result<()> {
        match event {
            Event::Begin { games, done } => {
                self.bar.set_length(games);
                self.bar.reset();
                self.bar.set_position(done);
                // What an earlier sitting played says nothing about the pace of this one.
                self.bar.tick();
                self.bar.reset_eta();
            }
            Event::Batch { blocks, part, records } => {
                self.bar.inc(part.games());
                if let (Some(folder), Some(context)) = (&mut self.folder, &self.context) {
                    folder.add_batch(context, blocks, part, records)?;
                }
            }
            Event::Fault(fault) => {
                self.bar.println(format!("block {} broke off: {}", fault.block, fault.message));
            }
            Event::End => {}
        }
        Ok(())
    }
}
