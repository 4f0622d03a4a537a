//! dhow.
pub mod agents;
pub mod battery;
pub mod experiment;
pub mod game;
pub mod games;
pub mod play;
pub mod report;
pub mod statistics;
pub mod streams;
pub mod text;
pub mod tournament;
pub mod trace;
