//! CSV after RFC 4180: a header even when there are no rows, `.` decimals, an empty field for unknown.

use std::io::{self, Write};

use csv::{Terminator, WriterBuilder};

use super::table::Table;
use crate::experiment::Context;
use crate::game::SHARE_UNITS;
use crate::tournament::GameRecord;

fn writer<W: Write>(out: W) -> csv::Writer<W> {
    WriterBuilder::new().terminator(Terminator::CRLF).from_writer(out)
}

/// A table as the bytes of its file.
pub fn bytes(table: &Table) -> Vec<u8> {
    let mut out = writer(Vec::new());
    let rows = table.rows.iter().map(|row| row.iter().map(ToString::to_string).collect());
    for row in std::iter::once(table.header.clone()).chain(rows) {
        out.write_record(&row).expect("a vector takes every byte");
    }
    out.into_inner().expect("a vector takes every byte")
}

/// Writes `games.csv`, one row per game and seat, as the games come in.
pub struct GamesWriter<W: Write> {
    out: csv::Writer<W>,
    tallies: usize,
}

impl<W: Write> GamesWriter<W> {
    /// Writes the header for a game with these tallies.
    ///
    /// # Errors
    /// As the output gives.
    pub fn new(out: W, tallies: &[&str]) -> io::Result<GamesWriter<W>> {
        let mut out = writer(out);
        let head = [
            "arm", "game", "seats", "line_up", "block", "rotation", "seat", "agent", "share", "rank", "score",
        ];
        out.write_record(head.iter().chain(tallies).chain(&["ending", "turns", "decisions"]))?;
        Ok(GamesWriter { out, tallies: tallies.len() })
    }

    /// Writes the rows of some games.
    ///
    /// # Errors
    /// As the output gives.
    pub fn write(&mut self, context: &Context, records: &[GameRecord]) -> io::Result<()> {
        for game in records {
            let (line_up, agent_of_role) = &context.line_ups[game.line_up as usize];
            for (at, seat) in game.seats[..context.seats].iter().enumerate() {
                let mut row = vec![
                    context.arm.to_string(),
                    context.game.clone(),
                    context.seats.to_string(),
                    line_up.clone(),
                    game.block.to_string(),
                    game.rotation.to_string(),
                    (at + 1).to_string(),
                    agent_of_role[seat.role as usize].clone(),
                    format!("{:.6}", seat.share_units as f64 / SHARE_UNITS as f64),
                    seat.rank.to_string(),
                    seat.score.to_string(),
                ];
                row.extend(seat.tallies[..self.tallies].iter().map(ToString::to_string));
                row.push(context.endings[game.ending as usize].to_owned());
                row.push(game.turns.to_string());
                row.push(seat.decisions.to_string());
                self.out.write_record(&row)?;
            }
        }
        Ok(())
    }

    /// Writes what is still held back and gives the output again.
    ///
    /// # Errors
    /// As the output gives.
    pub fn finish(self) -> io::Result<W> {
        self.out.into_inner().map_err(|error| io::Error::other(error.to_string()))
    }
}
