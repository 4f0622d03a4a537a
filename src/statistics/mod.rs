//! Statistics of games: pure functions that know no game and no agent. One file an idea.
//!
//! Win shares are counted in whole units of 1/[`crate::game::SHARE_UNITS`], so that every sum here is exact
//! and results do not depend on the order in which games finish.
//!
//! - How much: [`wilson`], [`Clusters`], [`judge`] (the verdict on a table), [`games_for_effect`] and its like.
//! - While it runs: [`BetaBinomial`], [`Betting`], [`Settling`] (looked at as often as one likes), [`Sprt`].
//! - Who is stronger: [`BlockScores`], [`Pentanomial`] (two players), [`rate`] (all of them, from [`Finishes`]).
//! - What to change: [`HandicapArm`], [`fair_handicap`].
//! - What it is like: [`GameShape`], [`Shapes`], [`lengths`].
//! - Many questions at once: [`holm`], [`benjamini_hochberg`].

mod balance;
mod blocks;
mod elo;
mod finishes;
mod groups;
mod handicap;
mod interval;
mod lengths;
mod linear;
mod multiple;
mod pairs;
mod ratings;
mod sample_size;
mod scores;
mod sequences;
mod settle;
mod shape;
mod sprt;

pub use balance::{Verdict, judge};
pub use blocks::Clusters;
pub use elo::{ELO_PER_LOG, Estimate, elo_of_share, share_of_elo};
pub use finishes::{Finish, Finishes};
pub use handicap::{FairHandicap, HandicapArm, HandicapError, SeatSetting, fair_handicap};
pub use interval::{Interval, effective_of, quantile, score_test, simultaneous_z, wilson};
pub use lengths::{Lengths, lengths, percentile};
pub use multiple::{benjamini_hochberg, holm};
pub use pairs::Pentanomial;
pub use ratings::{Difference, Ratings, rate};
pub use sample_size::{games_for_comparison, games_for_effect, games_for_half_width, games_for_verdict};
pub use scores::{BlockScores, NORMALISED_ELO_PER_SIGMA};
pub use sequences::{BATCH, BetaBinomial, Betting, beta_binomial};
pub use settle::Settling;
pub use shape::{GameShape, Shapes, Snowball};
pub use sprt::{Decision, Model, Sprt, SprtError};

/// The confidence of every interval: 95 %.
pub const CONFIDENCE: f64 = 0.95;
