//! `dhow report`: the page of a run again, from its tables.

use std::path::PathBuf;

use dhow::report::book::Book;
use dhow::report::html::{REPORT, page};

use super::{Answer, Ending, Failure};

/// Arguments of `dhow report`.
#[derive(clap::Args)]
pub struct Args {
    /// The folder of a run
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// Runs the command.
pub fn run(args: Args) -> Answer {
    let book = Book::read(&args.folder)?;
    let path = args.folder.join(REPORT);
    let part = args.folder.join(format!("{REPORT}.part"));
    std::fs::write(&part, page(&book))
        .and_then(|()| std::fs::rename(&part, &path))
        .map_err(|error| Failure::new(format!("cannot write {}: {error}", path.display())))?;
    eprintln!("Written to {}.", path.display());
    Ok(Ending::Done)
}
