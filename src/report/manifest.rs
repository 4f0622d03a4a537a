//! `manifest.json`: what was run, what came out in short, and how to run it again.
//!
//! `result` is inside the promise of same bytes; `run` is not.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::experiment::{ArmResult, Config, Results};
use crate::tournament::Shard;

/// The file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// The same bytes for the same question.
    pub result: ResultPart,
    /// How it was run this time.
    pub run: RunPart,
}

/// Inside the promise of same bytes.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ResultPart {
    /// Version of dhow.
    pub dhow: String,
    /// The full configuration after defaults.
    pub config: Config,
    /// Which part of the blocks was played, where it is not the whole.
    #[serde(default, skip_serializing_if = "Shard::is_whole")]
    pub shard: Shard,
    /// Whether the run was stopped before its end.
    pub partial: bool,
    /// Agents that decide by the clock: with them, nothing here is promised to come out again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_reproducible: Vec<String>,
    /// Counts of each line-up.
    pub line_ups: Vec<LineUpCounts>,
    /// Counts of what was measured again on fresh deals; arm 0 is a setting that the sweep does not have.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fresh: Vec<LineUpCounts>,
    /// Games that broke off, the first hundred of each line-up.
    pub faults: Vec<FaultEntry>,
    /// SHA-256 of each CSV file that is inside the promise.
    pub files: BTreeMap<String, String>,
}

/// Outside the promise.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct RunPart {
    /// The commit dhow was built from, where known.
    pub commit: Option<String>,
    /// The command as typed.
    pub command: String,
    /// While the run is not done: the command that goes on with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resume: Option<String>,
    /// Threads used.
    pub threads: usize,
    /// Seconds from start to end.
    pub seconds: f64,
}

/// Counts of one line-up in one arm.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LineUpCounts {
    /// The arm.
    pub arm: usize,
    /// Number of seats.
    pub seats: usize,
    /// In words.
    pub line_up: String,
    /// Games in whole blocks.
    pub games: u64,
    /// Whole blocks.
    pub blocks: u64,
    /// Games without a sole winner, those at the cap apart.
    pub draws: u64,
    /// Games at the cap.
    pub caps: u64,
    /// Blocks left out because a game of theirs broke off.
    pub faulty_blocks: u64,
    /// How often each agent sat in each seat.
    pub seatings: BTreeMap<String, Vec<u64>>,
}

/// A game that broke off.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct FaultEntry {
    /// The arm.
    pub arm: usize,
    /// Number of seats.
    pub seats: usize,
    /// Number of the line-up within the arm, from 1.
    pub line_up: usize,
    /// Whether it was measured again, on fresh deals.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fresh: bool,
    /// Its block.
    pub block: u64,
    /// Which game of the block.
    pub rotation: usize,
    /// What happened.
    pub message: String,
    /// The command that shows it.
    pub command: String,
}

impl Manifest {
    /// Reads the manifest of a run's folder.
    ///
    /// # Errors
    /// In words: there is none, or it is not as dhow writes it.
    pub fn read(folder: &Path) -> Result<Manifest, String> {
        let path = folder.join("manifest.json");
        let text = std::fs::read_to_string(&path)
            .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        serde_json::from_str(&text).map_err(|error| format!("{} is no manifest: {error}", path.display()))
    }
}

impl ResultPart {
    /// The manifest's first part, from results and the hashes of their files.
    pub fn new(results: &Results, files: BTreeMap<String, String>) -> ResultPart {
        let counts = |arm: &ArmResult| -> Vec<LineUpCounts> {
            let line_ups = arm.line_ups.iter().map(|line_up| {
                let tally = &line_up.played.tally;
                let seats = |at: usize| tally.agent_seats[at].iter().map(|cell| cell.seatings()).collect();
                LineUpCounts {
                    arm: arm.arm.arm,
                    seats: arm.arm.seats,
                    line_up: line_up.name.clone(),
                    games: tally.games,
                    blocks: tally.blocks,
                    draws: tally.draws,
                    caps: tally.capped,
                    faulty_blocks: tally.faulty_blocks,
                    seatings: line_up
                        .agents
                        .iter()
                        .cloned()
                        .enumerate()
                        .map(|(at, agent)| (agent, seats(at)))
                        .collect(),
                }
            });
            line_ups.collect()
        };
        let faults = results.faults().map(|at| FaultEntry {
            arm: at.arm.arm.arm,
            seats: at.arm.arm.seats,
            line_up: at.line_up.number,
            fresh: at.fresh,
            block: at.fault.block,
            rotation: at.fault.rotation,
            message: at.fault.message.clone(),
            command: at.command(&results.config),
        });
        ResultPart {
            dhow: env!("CARGO_PKG_VERSION").to_owned(),
            config: results.config.clone(),
            shard: results.shard,
            partial: results.partial,
            not_reproducible: results.config.clocked(),
            line_ups: results.arms.iter().flat_map(counts).collect(),
            fresh: results.fresh_arms().flat_map(counts).collect(),
            faults: faults.collect(),
            files,
        }
    }
}
