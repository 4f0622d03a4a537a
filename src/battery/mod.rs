//! A battery of properties.
pub mod perft;
