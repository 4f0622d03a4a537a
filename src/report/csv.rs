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
    out: W,
    tallies: usize,
    bytes: u64,
}

impl<W: Write> GamesWriter<W> {
    /// Writes the header for a game with these tallies.
    ///
    /// # Errors
    /// As the output gives.
    pub fn new(out: W, tallies: &[&str]) -> io::Result<GamesWriter<W>> {
        let head = [
            "arm", "game", "seats", "line_up", "block", "rotation", "seat", "agent", "share", "rank", "score",
        ];
        let mut games = GamesWriter::go_on(out, tallies, 0);
        let mut rows = writer(Vec::new());
        rows.write_record(head.iter().chain(tallies).chain(&["ending", "turns", "decisions"]))?;
        games.raw(&rows.into_inner().expect("a vector takes every byte"))?;
        Ok(games)
    }

    /// Goes on after `bytes` bytes that an earlier sitting wrote.
    pub fn go_on(out: W, tallies: &[&str], bytes: u64) -> GamesWriter<W> {
        GamesWriter { out, tallies: tallies.len(), bytes }
    }

    /// Writes the rows of some games.
    ///
    /// # Errors
    /// As the output gives.
    pub fn write(&mut self, context: &Context, records: &[GameRecord]) -> io::Result<()> {
        let mut rows = writer(Vec::new());
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
                rows.write_record(&row)?;
            }
        }
        self.raw(&rows.into_inner().expect("a vector takes every byte"))
    }

    /// Writes rows as they are.
    ///
    /// # Errors
    /// As the output gives.
    pub fn raw(&mut self, rows: &[u8]) -> io::Result<()> {
        self.out.write_all(rows)?;
        self.bytes += rows.len() as u64;
        Ok(())
    }

    /// Hands on what is held back, and says how many bytes the file has.
    ///
    /// # Errors
    /// As the output gives.
    pub fn flush(&mut self) -> io::Result<u64> {
        self.out.flush()?;
        Ok(self.bytes)
    }

    /// The output again.
    pub fn finish(self) -> W {
        self.out
    }
}
