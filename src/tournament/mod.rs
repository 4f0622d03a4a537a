//! Many games: line-ups and blocks, the parallel runner, its events, and what is counted.

mod events;
mod game_loop;
mod line_up;
mod runner;
mod tally;

pub use events::{Event, Listener, Silent};
pub use game_loop::{
    Clocked, GameKey, GameRecord, MAX_TALLIES, Players, SeatRecord, hidden_stream, play_game,
};
pub use line_up::{LineUp, Mode, line_ups};
pub use runner::{ArmPlayed, Fault, Job, MAX_GAMES, Played, RunError, Runner, Verify, quietly};
pub use tally::{AgentCell, Groups, PairCell, Pooled, Tally, Timing};
