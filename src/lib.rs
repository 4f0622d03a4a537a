//! dhow.
pub mod agents;
pub mod experiment;
pub mod game;
pub mod games;
pub mod report;
pub mod statistics;
pub mod streams;
pub mod tournament;
