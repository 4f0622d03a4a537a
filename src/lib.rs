//! dhow.
pub mod agents;
pub mod game;
pub mod games;
pub mod streams;
