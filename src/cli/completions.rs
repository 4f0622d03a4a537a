//! `dhow completions`: a script for the shell.

use clap::CommandFactory;
use clap_complete::Shell;

use super::{Answer, Cli, terminal};

#[derive(clap::Args)]
pub struct Args {
    /// The shell
    shell: Shell,
}

pub fn run(args: Args) -> Answer {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "dhow", &mut script);
    terminal::show(&String::from_utf8_lossy(&script))
}
