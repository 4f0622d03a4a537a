//! Writes a trace, a line a step.

use std::io::{self, Write};

use serde::Serialize;

use super::{OutcomeRecord, SourceRecord, Step, texts};
use crate::game::{Outcome, Seat};
use crate::games::Catalogued;
use crate::streams::Phase;

/// What the first line says besides the rules: who plays, on which luck.
#[derive(Clone, PartialEq, Debug)]
pub struct Header {
    /// Agents in text form, one for each seat.
    pub agents: Vec<String>,
    /// The master seed.
    pub seed: u64,
    /// Phase of the run.
    pub phase: Phase,
    /// Number of the deal.
    pub block: u64,
    /// Number of the game within its block.
    pub rotation: usize,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Line<'a, R, S> {
    Start {
        dhow: &'static str,
        game: &'static str,
        rules: &'a R,
        #[serde(skip_serializing_if = "Option::is_none")]
        data: Option<serde_json::Value>,
        seats: usize,
        agents: &'a [String],
        seed: u64,
        phase: Phase,
        block: u64,
        rotation: usize,
        state: &'a S,
    },
    Chance {
        source: SourceRecord,
        distribution: Vec<(String, f64)>,
        action: String,
        state: &'a S,
    },
    Decision {
        seat: usize,
        actions: Vec<String>,
        action: String,
        state: &'a S,
    },
    Simultaneous {
        seats: Vec<usize>,
        actions: Vec<Vec<String>>,
        joint: Vec<String>,
        state: &'a S,
    },
    End {
        outcome: OutcomeRecord,
    },
}

/// Writes a trace. Each line is handed on whole, so that what stands in a file is always whole lines.
pub struct Writer<W> {
    out: W,
}

impl<W: Write> Writer<W> {
    /// Begins a trace with its `start` line.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn start<G: Catalogued>(
        out: W,
        game: &G,
        header: &Header,
        state: &G::State,
    ) -> io::Result<Writer<W>> {
        let mut writer = Writer { out };
        writer.line(&Line::Start {
            dhow: env!("CARGO_PKG_VERSION"),
            game: G::NAME,
            rules: game.rules(),
            data: game.loaded_data(),
            seats: game.seats(),
            agents: &header.agents,
            seed: header.seed,
            phase: header.phase,
            block: header.block,
            rotation: header.rotation,
            state,
        })?;
        Ok(writer)
    }

    /// Writes a step that led from `before` to `after`.
    ///
    /// # Errors
    /// Those of the output.
    pub fn step<G: Catalogued>(
        &mut self,
        game: &G,
        before: &G::State,
        step: &Step<G::Action>,
        after: &G::State,
    ) -> io::Result<()> {
        let legal = |seat: Seat| {
            let mut actions = Vec::new();
            game.actions(before, seat, &mut actions);
            texts(&actions)
        };
        let line: Line<'_, G::Rules, G::State> = match step {
            &Step::Chance(source, action) => {
                let mut outcomes = Vec::new();
                game.chance(before, &mut outcomes);
                Line::Chance {
                    source: SourceRecord::of(game, source),
                    distribution: outcomes.iter().map(|(action, p)| (action.to_string(), *p)).collect(),
                    action: action.to_string(),
                    state: after,
                }
            }
            &Step::Decision(seat, action) => Line::Decision {
                seat: seat.number(),
                actions: legal(seat),
                action: action.to_string(),
                state: after,
            },
            Step::Simultaneous(seats, joint) => Line::Simultaneous {
                seats: seats.iter().map(Seat::number).collect(),
                actions: seats.iter().map(legal).collect(),
                joint: texts(joint),
                state: after,
            },
        };
        self.line(&line)
    }

    /// Ends the trace.
    ///
    /// # Errors
    /// Those of the output.
    pub fn end(&mut self, outcome: &Outcome) -> io::Result<()> {
        let line: Line<'_, (), ()> = Line::End { outcome: OutcomeRecord::of(outcome) };
        self.line(&line)?;
        self.out.flush()
    }

    fn line<L: Serialize>(&mut self, line: &L) -> io::Result<()> {
        let mut bytes = serde_json::to_vec(line)?;
        bytes.push(b'\n');
        self.out.write_all(&bytes)
    }
}
