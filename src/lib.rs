//! dhow.
pub mod game;
pub mod games;
pub mod streams;
