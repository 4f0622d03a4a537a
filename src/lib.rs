//! dhow: a laboratory for tabletop games.
//!
//! It answers two kinds of question by self-play: *is this game fair, and what would make it fair?* and
//! *which way of playing is stronger, and by how much?* Rules are engines without a screen behind one trait,
//! players are agents behind another, and a parallel runner writes win rates that are the same bytes for
//! any number of threads.
//!
//! # Three examples
//!
//! A tournament of two agents, counted in code:
//!
//! ```
//! use dhow::experiment::{self, Config, Request};
//! use dhow::tournament::{Runner, Silent, Verify};
//! use std::sync::atomic::AtomicBool;
//!
//! let request = Request {
//!     game: "tic-tac-toe".into(),
//!     agents: vec!["random".into(), "greedy".into()],
//!     games: 200,
//!     seed: 1,
//!     margin: 0.02,
//!     ..Request::default()
//! };
//! let config = Config::new(&request)?;
//! let stop = AtomicBool::new(false);
//! let runner = Runner::new(2, &stop, Verify::All)?;
//! let results = experiment::run(&config, &runner, &mut Silent)?;
//! let tally = &results.arms[0].line_ups[0].played.tally;
//! assert_eq!(tally.games, 200);
//! assert!(tally.agent_total(1).wins > tally.agent_total(0).wins);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A game by name, with a rule switched, and its legal actions:
//!
//! ```
//! use dhow::game::Turn;
//! use dhow::games::Catalogued;
//! use dhow::games::registry::{self, Setup, Visitor};
//!
//! struct CountActions;
//! impl Visitor for CountActions {
//!     type Output = usize;
//!     fn visit<G: Catalogued>(self, game: G) -> usize {
//!         let (state, mut actions) = (game.initial(), Vec::new());
//!         if let Turn::Decision(seat) = game.turn(&state) {
//!             game.actions(&state, seat, &mut actions);
//!         }
//!         actions.len()
//!     }
//! }
//!
//! let rules = toml::toml! { target = 50 };
//! let setup = Setup { game: "pig".into(), seats: 2, rules };
//! assert!(registry::visit(&setup, CountActions)? >= 1);
//! # Ok::<(), registry::SetupError>(())
//! ```
//!
//! A verdict from counts alone:
//!
//! ```
//! use dhow::game::SHARE_UNITS;
//! use dhow::statistics::{CONFIDENCE, Clusters, Verdict, judge};
//!
//! let mut seats = [Clusters::default(); 2];
//! for game in 0..20_000u64 {
//!     let winner = (game % 20 >= 11) as usize; // seat 1 wins eleven of twenty
//!     seats[winner].add_block(1, SHARE_UNITS as u64);
//!     seats[1 - winner].add_block(1, 0);
//! }
//! assert_eq!(judge(&seats, 0.02, CONFIDENCE), Some(Verdict::Unbalanced));
//! ```
//!
//! # The map
//!
//! Imports run one way, from the top of this list to its bottom.
//!
//! - [`game`]: the traits and their vocabulary. Read it first.
//! - [`streams`]: where every random number comes from.
//! - [`games`]: the rules engines, one folder a game, and the registry. Nothing outside knows a rule.
//! - [`agents`]: who plays, one file an agent, and the registry of their text forms.
//! - [`solve`]: exact values of small games, and of agents in them.
//! - [`tournament`]: line-ups and blocks, the parallel runner, what is counted.
//! - [`experiment`]: experiment files, arms, runs.
//! - [`statistics`]: pure functions that know no game.
//! - [`report`]: csv, json, terminal, manifest: one file a format.
//! - [`battery`]: the properties that every game must have.
//! - [`play`]: one game told step by step. [`trace`]: recorded, and held against the rules.
//! - [`text`]: small helpers for text that people read.
//!
//! There are no feature flags. The library prints nothing: the command line stands in the binary.

pub mod agents;
pub mod battery;
pub mod experiment;
pub mod game;
pub mod games;
pub mod play;
pub mod report;
pub mod solve;
pub mod statistics;
pub mod streams;
pub mod text;
pub mod tournament;
pub mod trace;
