//! `dhow play`.

use super::Answer;

#[derive(clap::Args)]
pub struct Args {}

pub fn run(_args: Args) -> Answer {
    todo!()
}
