//! `dhow check`: the battery of properties, as a fuzzer, on any switches.

use dhow::battery::{self, Checked, Options, Property};
use dhow::games::Catalogued;
use dhow::games::registry::{self, Setup, Visitor};
use dhow::streams::{Purpose, Stream, key};
use dhow::tournament::MAX_GAMES;
use rayon::prelude::*;

use super::common::{GameArgs, number, print};
use super::{Answer, Ending, Failure};

/// Arguments of `dhow check`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Games for each number of seats and each setting of the rules
    #[arg(long, value_parser = number, default_value = "100")]
    games: u64,
    /// Checks so many random settings of the rules as well (those set with --rule stay)
    #[arg(long, value_name = "N", value_parser = number, default_value = "0")]
    random_rules: u64,
    /// Base seed (default: a random one, which is printed)
    #[arg(long, value_parser = number)]
    seed: Option<u64>,
    /// Lists every property with how often it was put to the test
    #[arg(long)]
    list: bool,
}

/// What came out of one match, in words; an error if something broke.
fn told(seats: usize, checked: Checked, list: bool) -> Result<String, String> {
    let rules = checked.rules;
    let report = checked.found.map_err(|(failure, command)| {
        format!("{seats} seats, {rules}: BROKEN\n  {failure}\n  {command}\n")
    })?;
    let endings: Vec<String> = report
        .endings
        .iter()
        .filter(|(_, games)| *games > 0)
        .map(|(ending, games)| format!("{ending} {games}"))
        .collect();
    let mut text = format!(
        "{seats} seats, {rules}: {} games, {} steps, {} states in full; endings {}\n",
        report.games,
        report.steps,
        report.states,
        endings.join(", ")
    );
    if list {
        for &property in Property::ALL {
            let (name, times) = (property.name(), report.checks(property));
            text.push_str(&format!("  {name:<28} {times:>10}  {}\n", property.meaning()));
        }
    }
    Ok(text)
}

/// Runs the command.
pub fn run(args: Args) -> Answer {
    if args.games == 0 {
        return Err(Failure::new("0 games were asked for; expected at least 1"));
    }
    for (what, count) in [("games", args.games), ("random settings", args.random_rules)] {
        if count > MAX_GAMES {
            return Err(Failure::new(format!(
                "{count} {what} are more than anybody can wait for: at most 1e15"
            )));
        }
    }
    let entry = args.game.entry()?;
    let seed = match args.seed {
        Some(seed) => seed,
        None => rand::TryRng::try_next_u64(&mut rand::rngs::SysRng)?,
    };
    let mut setups = args.game.setups()?;
    for setup in &setups {
        registry::visit(setup, Exists)?;
    }
    for fixed in setups.clone() {
        for number in 0..args.random_rules {
            let place = number << 8 | fixed.seats as u64;
            let mut stream = Stream::new(key(seed, 0, 0, Purpose::Check, place));
            // What --rule holds fixed may not go with everything: draw until it does.
            let rules = (0..1_000).find_map(|_| {
                let mut rules = (entry.random_overrides)(fixed.seats, &mut stream);
                rules.extend(fixed.rules.clone());
                let setup = Setup { rules, ..fixed.clone() };
                registry::visit(&setup, Exists).is_ok().then_some(setup)
            });
            setups.push(
                rules.ok_or_else(|| Failure::new("no random setting goes with the rules that are set"))?,
            );
        }
    }
    let options = Options { games: args.games, seed };
    // What breaks is told by the report; the panic itself would only repeat it.
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let answers: Vec<_> = setups.par_iter().map(|setup| battery::check_by_name(setup, &options)).collect();
    std::panic::set_hook(usual);
    let mut out = String::new();
    let mut broken = 0;
    for (setup, answer) in setups.iter().zip(answers) {
        match told(setup.seats, answer?, args.list) {
            Ok(text) => out.push_str(&text),
            Err(text) => {
                broken += 1;
                out.push_str(&text);
            }
        }
    }
    out.push_str(&match broken {
        0 => format!("{}: nothing broke (seed {seed})\n", entry.name),
        _ => format!("{}: {broken} of {} settings broke (seed {seed})\n", entry.name, setups.len()),
    });
    print(&out)?;
    Ok(if broken == 0 { Ending::Done } else { Ending::Faulty })
}

/// Whether a match can be set up at all.
struct Exists;

impl Visitor for Exists {
    type Output = ();
    fn visit<G: Catalogued>(self, _game: G) {}
}
