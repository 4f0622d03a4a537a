//! Small games with known answers: they calibrate agents, statistics and clocks. One file a game.

pub mod connect_four;
pub mod goofspiel;
pub mod kuhn_poker;
pub mod pig;
pub mod piglet;
mod race;
pub mod rock_paper_scissors;
pub mod seas_race;
pub mod tic_tac_toe;
pub mod tree;
mod tree_file;

use serde::{Deserialize, Serialize};

/// The rules of a game without switches.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoSwitches {}
