//! dhow.
pub mod agents;
pub mod game;
pub mod games;
pub mod play;
pub mod streams;
pub mod text;
pub mod trace;
