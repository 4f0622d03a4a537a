//! dhow.
pub mod battery;
pub mod game;
pub mod games;
pub mod streams;
