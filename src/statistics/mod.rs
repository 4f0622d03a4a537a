//! Statistics of games: pure functions that know no game and no agent. One file an idea.
//!
//! Win shares are counted in whole units of 1/[`crate::game::SHARE_UNITS`], so that every sum here is exact
//! and results do not depend on the order in which games finish.

mod balance;
mod blocks;
mod interval;

pub use balance::{Verdict, judge};
pub use blocks::Clusters;
pub use interval::{Interval, quantile, simultaneous_z, wilson};

/// The confidence of every interval: 95 %.
pub const CONFIDENCE: f64 = 0.95;
