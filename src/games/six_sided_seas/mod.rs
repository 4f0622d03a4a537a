//! *Six-Sided Seas*: roll dice one at a time without passing the coin limit, man the ship with them, and
//! win by plunder, by exploration or by sinking all rivals. Two to four players.
//!
//! - [`rules`]: the switches and the rulings S-01 to S-27.
//! - [`state`]: a position, its written form, a builder. On it stand [`dice`] (multisets of faces),
//!   [`ship`] (spaces, actions, what fits where) and [`action`] (decisions and their text).
//! - [`engine`]: the rules in motion, helped by `options` (legal actions), `turns` (how turns begin and
//!   end, rolls, islands) and `effects` (what activated actions do).

pub mod action;
pub mod dice;
mod effects;
pub mod engine;
mod options;
pub mod rules;
pub mod ship;
pub mod state;
mod turns;

pub use action::Action;
pub use dice::Dice;
pub use engine::SixSidedSeas;
pub use rules::Rules;
pub use ship::{Move, Slot};
pub use state::{Ending, Pending, Phase, PositionError, State, StateBuilder, Tally};
