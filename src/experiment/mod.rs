//! Balance questions: an experiment file becomes arms, arms are played, results come back in one value.

mod compare;
mod config;
mod fair;
mod file;
mod place;
mod regret;
mod run;

pub use compare::{CHECKPOINT, CompareRequest, Comparison, Standing, compare};
pub use config::{Arm, Config, ConfigError, Request, Stop, Sweep, SweepMode, check_line_ups};
pub use fair::{Fair, FairQuestion, FairResult, fair_questions, handicaps};
pub use file::{File, FileError, read};
pub use place::{Place, Refusal};
pub use regret::{DEEPER, Regret, RegretError, RegretRequest, regret};
pub use run::{
    ArmResult, Context, LineUpResult, Observer, Results, RunFailure, Sitting, Trial, assemble, blocks,
    fresh_blocks, measure_fair, resume, run, trial,
};
