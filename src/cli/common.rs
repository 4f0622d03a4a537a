//! Arguments that several commands share, and how they are read.

use std::io::Write;

use dhow::games::registry::{self, Entry, Setup};
use dhow::text::whole_number;
use dhow::tournament::Mode;
use toml::Table;

use super::Failure;

/// Reads a whole number that may be written 1_000_000 or 1e6.
pub fn number(text: &str) -> Result<u64, String> {
    match whole_number(text) {
        Some(number) => number
            .try_into()
            .map_err(|_| format!("`{text}` is out of range: expected a whole number from 0 to {}", u64::MAX)),
        None => Err(format!("`{text}` is no whole number (write 10000, 10_000 or 1e4)")),
    }
}

/// Reads a share of one, such as 0.02.
pub fn share(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| {
        let percent: Option<f64> = text.strip_suffix('%').and_then(|text| text.trim().parse().ok());
        let percent = percent.filter(|percent| percent.is_finite()).unwrap_or(2.0);
        format!("`{text}` is no share of one (write {} for {percent} percentage points)", percent / 100.0)
    })
}

/// Reads `2`, `2,3` or `2..6` (both ends included).
pub fn seats(text: &str) -> Result<SeatCounts, String> {
    let expected = || format!("`{text}` is no number of seats (write 2, 2,3 or 2..4)");
    let one = |text: &str| match whole_number(text.trim()) {
        Some(count @ 0..=1_000) => Ok(count as usize),
        _ => Err(expected()),
    };
    let mut counts = Vec::new();
    for part in text.split(',') {
        match part.split_once("..") {
            Some((low, high)) => {
                let (low, high) = (one(low)?, one(high.trim_start_matches('='))?);
                // No game has so many; a range must not fill the memory before its game says so.
                counts.extend(low..=high.min(low.saturating_add(100)));
            }
            None => counts.push(one(part)?),
        }
    }
    counts.sort_unstable();
    counts.dedup();
    if counts.is_empty() { Err(expected()) } else { Ok(SeatCounts(counts)) }
}

/// Numbers of seats, ascending, each once.
#[derive(Clone, Debug)]
pub struct SeatCounts(pub Vec<usize>);

/// Prints to standard output; a reader who has seen enough is no error.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Failure::new(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Reads `key=value`.
pub fn assignment(text: &str) -> Result<(String, String), String> {
    let (key, value) =
        text.split_once('=').ok_or_else(|| format!("`{text}` should have the form key=value"))?;
    Ok((key.trim().to_owned(), value.trim().to_owned()))
}

/// Whether agents meet each other.
#[derive(clap::ValueEnum, Clone, Copy, Debug)]
pub enum Play {
    /// Each agent in all seats
    #[value(name = "self")]
    SelfPlay,
    /// Agents against each other
    RoundRobin,
}

impl From<Play> for Mode {
    fn from(play: Play) -> Mode {
        match play {
            Play::SelfPlay => Mode::SelfPlay,
            Play::RoundRobin => Mode::RoundRobin,
        }
    }
}

/// How a run is carried out; nothing here changes a result.
#[derive(clap::Args, Clone, Debug)]
pub struct RunArgs {
    /// Threads (default: one for each core)
    #[arg(long, value_parser = threads)]
    pub threads: Option<usize>,
    /// Prints the tables as JSON
    #[arg(long)]
    pub json: bool,
    /// No progress bar
    #[arg(long)]
    pub quiet: bool,
    /// Prints arms, games and an estimate of the time, and plays nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Which moves are checked against the rules: those of one block in 1,000, or all
    #[arg(long, value_enum, default_value = "sample")]
    pub verify: Checked,
    /// Replaces what stands in the folder
    #[arg(long)]
    pub force: bool,
    /// Goes on with the run that was broken off in the folder, to the same bytes as in one go
    #[arg(long, conflicts_with = "force")]
    pub resume: bool,
    /// Plays the I-th of N parts (I/N from 1/N); `auto` takes the number from a Slurm or Kubernetes job
    #[arg(long, value_name = "I/N")]
    pub shard: Option<String>,
}

impl RunArgs {
    /// Whether every move is checked.
    pub fn verify_all(&self) -> bool {
        matches!(self.verify, Checked::All)
    }
}

/// Which moves are checked.
#[derive(clap::ValueEnum, Clone, Copy, Debug)]
pub enum Checked {
    /// Those of one block in 1,000
    Sample,
    /// All
    All,
}

/// Reads a number of threads.
pub fn threads(text: &str) -> Result<usize, String> {
    match number(text)? {
        count @ 1..=1024 => Ok(count as usize),
        other => Err(format!("{other} threads: expected 1 to 1024")),
    }
}

/// Which game, seats and switches.
#[derive(clap::Args, Clone, Debug)]
pub struct GameArgs {
    /// The game (`dhow games` lists them)
    pub game: String,
    /// Number of seats: 2, or 2,3, or 2..4 (default: the game's fewest)
    #[arg(long, value_parser = seats)]
    pub seats: Option<SeatCounts>,
    /// Sets a rule switch, lists separated by commas; may be repeated
    #[arg(long = "rule", value_name = "KEY=VALUE", value_parser = assignment)]
    pub rules: Vec<(String, String)>,
}

impl GameArgs {
    /// The game's entry in the registry.
    pub fn entry(&self) -> Result<&'static Entry, Failure> {
        Ok(registry::entry(&self.game)?)
    }

    /// The switches that were set.
    pub fn rules(&self) -> Result<Table, Failure> {
        rules_table(self.entry()?, &self.rules)
    }

    /// The numbers of seats asked for, or the game's fewest.
    pub fn seat_counts(&self) -> Result<Vec<usize>, Failure> {
        let fewest = *self.entry()?.seats().start();
        Ok(self.seats.as_ref().map_or(vec![fewest], |counts| counts.0.clone()))
    }

    /// A match for each number of seats.
    pub fn setups(&self) -> Result<Vec<Setup>, Failure> {
        let rules = self.rules()?;
        let setup = |seats| Setup { game: self.game.clone(), seats, rules: rules.clone() };
        Ok(self.seat_counts()?.into_iter().map(setup).collect())
    }

    /// The one match, for commands that play a single table.
    pub fn setup(&self) -> Result<Setup, Failure> {
        let mut setups = self.setups()?;
        match setups.len() {
            1 => Ok(setups.remove(0)),
            count => Err(Failure::new(format!("--seats names {count} numbers; this command takes one"))),
        }
    }
}

/// Reads switches as typed.
pub fn rules_table(entry: &Entry, rules: &[(String, String)]) -> Result<Table, Failure> {
    let mut table = Table::new();
    for (key, value) in rules {
        if table.insert(key.clone(), (entry.parse_value)(key, value)?).is_some() {
            return Err(Failure::new(format!("rule `{key}` is set twice")));
        }
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_may_be_written_three_ways() {
        for text in ["1000000", "1_000_000", "1e6"] {
            assert_eq!(number(text), Ok(1_000_000));
        }
        for text in ["", "1.5", "-3", "+3", "__1__0__", "many", "1e40", "1e20"] {
            assert!(number(text).is_err(), "{text}");
        }
    }

    #[test]
    fn shares_are_told_as_such() {
        assert_eq!(share("0.02"), Ok(0.02));
        assert!(share("5%").unwrap_err().contains("write 0.05 for 5 percentage points"));
        for text in ["", "two", "nan", "inf", "x%"] {
            assert!(share(text).unwrap_err().contains("write 0.02 for 2 percentage points"), "{text}");
        }
    }

    #[test]
    fn seats_may_be_lists_and_ranges() {
        assert_eq!(seats("2").unwrap().0, [2]);
        assert_eq!(seats("3,2").unwrap().0, [2, 3]);
        assert_eq!(seats("2..4").unwrap().0, [2, 3, 4]);
        for text in ["", "two", "4..2", "2..", "+2", "2..1e9"] {
            assert!(seats(text).is_err(), "{text}");
        }
    }
}
