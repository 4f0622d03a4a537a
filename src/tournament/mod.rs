//! Many games: line-ups and blocks, the parallel runner, its events, and what is counted.

mod asked;
mod chunk;
mod events;
mod game_loop;
mod line_up;
mod part;
mod pooled;
mod runner;
mod settling;
mod shard;
mod tally;
mod watch;

pub use asked::{Ask, Asked, Units};
pub use events::{Event, Listener, Silent};
pub use game_loop::{
    Clocked, GameKey, GameRecord, MAX_TALLIES, Players, SeatRecord, hidden_stream, play_game, play_into,
    play_watched,
};
pub use line_up::{LineUp, MAX_LINE_UPS, Mode, count_line_ups, line_ups};
pub use part::{Fault, Part, Played};
pub use pooled::Pooled;
pub use runner::{ArmPlayed, Begun, Job, MAX_GAMES, RunError, Runner, Verify, quietly};
pub use settling::Settled;
pub use shard::{Shard, ShardError};
pub use tally::{AgentCell, Groups, PairCell, Tally, Timing};
pub use watch::{WATCHED_GAMES, Watch, Watched, Watcher};
