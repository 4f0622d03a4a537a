//! Small games with known answers: they calibrate agents, statistics and clocks. One file a game.

pub mod kuhn_poker;
pub mod pig;
pub mod rock_paper_scissors;
pub mod tic_tac_toe;

use serde::{Deserialize, Serialize};

/// The rules of a game without switches.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoSwitches {}
