//! Tells a game in words and boards, by the [`Narrate`](crate::game::Narrate) trait.

use std::io::{self, Write};

use crate::agents::Explanation;
use crate::game::{Ink, Outcome, Seat, SeatSet, Turn};
use crate::games::Catalogued;
use crate::games::switches::{show_value, table_of};
use crate::text::{and_list, columns, count};
use crate::trace::Step;

/// An agent's reasons show so many options.
const REASONS: usize = 5;

/// What stands above a told game.
#[derive(Clone, PartialEq, Debug)]
pub struct Heading {
    /// Agents in text form, one for each seat.
    pub agents: Vec<String>,
    /// Which game, in words ("seed 1").
    pub game: String,
}

/// How much is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Detail {
    /// Every step.
    Whole,
    /// How the game ended.
    End,
    /// Nothing.
    Nothing,
}

/// Writes the tale of one game.
pub struct Teller<G: Catalogued, W> {
    out: W,
    ink: Ink,
    heading: Heading,
    detail: Detail,
    /// The one person at a table where something is hidden: nothing else may be shown.
    viewer: Option<Seat>,
    turn_id: Option<u32>,
    turns: u32,
    decisions: u32,
    drawn: Option<G::State>,
}

impl<G: Catalogued, W: Write> Teller<G, W> {
    /// A teller that writes to `out`. With a `viewer`, only what that seat may see is told until the game
    /// is over.
    pub fn new(out: W, ink: Ink, heading: Heading, detail: Detail, viewer: Option<Seat>) -> Teller<G, W> {
        Teller { out, ink, heading, detail, viewer, turn_id: None, turns: 0, decisions: 0, drawn: None }
    }

    /// Where it writes.
    pub fn out(&mut self) -> &mut W {
        &mut self.out
    }

    /// Says what is played, by whom, under which rules.
    ///
    /// # Errors
    /// Those of the output; so for the other methods.
    pub fn start(&mut self, game: &G) -> io::Result<()> {
        if self.detail != Detail::Whole {
            return Ok(());
        }
        writeln!(self.out, "{}: {}", G::NAME, G::SUMMARY)?;
        writeln!(self.out, "{}, {}", count(game.seats() as u64, "seat"), self.heading.game)?;
        for seat in Seat::all(game.seats()) {
            let name = self.ink.seat(seat, &format!("seat {seat}"));
            writeln!(self.out, "  {name}: {}", self.heading.agents[seat.index()])?;
        }
        let defaults = table_of(&G::default_rules(game.seats()));
        let rules = table_of(game.rules());
        for (key, value) in rules.iter().filter(|(key, value)| defaults.get(*key) != Some(value)) {
            let default = defaults.get(key).map(show_value).unwrap_or_default();
            writeln!(self.out, "  rule {key} = {} (by default {default})", show_value(value))?;
        }
        Ok(())
    }

    /// Tells a step, with the board before it where a turn begins.
    ///
    /// # Errors
    /// Those of the output.
    pub fn step(
        &mut self,
        game: &G,
        before: &G::State,
        step: &Step<G::Action>,
        after: &G::State,
        reasons: &[(Seat, Explanation<G::Action>)],
    ) -> io::Result<()> {
        self.decisions += step.decisions();
        if self.detail != Detail::Whole {
            return Ok(());
        }
        self.turn(game, before)?;
        match step {
            &Step::Chance(source, action) => self.told(game, before, source.seat, action, after)?,
            &Step::Decision(seat, action) => self.told(game, before, Some(seat), action, after)?,
            Step::Simultaneous(seats, joint) => {
                for (seat, &action) in seats.iter().zip(joint) {
                    self.told(game, before, Some(seat), action, after)?;
                }
            }
        }
        // The reasons of others speak of what only they can see.
        let reasons = if self.viewer.is_some() { &[] } else { reasons };
        reasons.iter().try_for_each(|(seat, reason)| self.reason(*seat, reason))
    }

    /// Shows the position to a person who is about to choose, unless it was the last thing shown.
    ///
    /// # Errors
    /// Those of the output.
    pub fn position(&mut self, game: &G, state: &G::State) -> io::Result<()> {
        self.turn(game, state)?;
        if self.drawn.as_ref() != Some(state) {
            writeln!(self.out)?;
            self.board(game, state)?;
        }
        Ok(())
    }

    /// Shows the last position and says who won, in words and as a table.
    ///
    /// # Errors
    /// Those of the output.
    pub fn end(&mut self, game: &G, state: &G::State, outcome: &Outcome) -> io::Result<()> {
        if self.detail == Detail::Whole {
            writeln!(self.out, "\n--- end ---")?;
            writeln!(self.out, "{}", game.draw(state, self.ink).trim_end())?;
        }
        if self.detail != Detail::Nothing {
            self.outcome(game, state, outcome)?;
        }
        self.out.flush()
    }

    fn outcome(&mut self, game: &G, state: &G::State, outcome: &Outcome) -> io::Result<()> {
        let first: SeatSet =
            Seat::all(game.seats()).filter(|seat| outcome.results()[seat.index()].rank == 1).collect();
        let names: Vec<String> =
            first.iter().map(|seat| format!("seat {seat} ({})", self.heading.agents[seat.index()])).collect();
        let who = match names.len() {
            1 => format!("{} wins", names[0]),
            _ => format!("{} share the first place", and_list(&names)),
        };
        let how = if outcome.capped() {
            "is cut off (`cap`)".into()
        } else {
            format!("ends by `{}`", outcome.ending())
        };
        let decisions = count(self.decisions as u64, "decision");
        writeln!(self.out, "The game {how} after {decisions}: {who}.")?;
        let paid = Seat::all(game.seats()).any(|seat| outcome.payoff(seat) != outcome.win_share(seat));
        let mut head = vec!["seat", "agent", "place", "score", "win share"];
        head.extend(paid.then_some("payoff"));
        head.extend(game.tally_names());
        let mut rows = vec![head.into_iter().map(str::to_owned).collect::<Vec<_>>()];
        let mut tally = vec![0; game.tally_names().len()];
        for seat in Seat::all(game.seats()) {
            let result = outcome.results()[seat.index()];
            let mut row = vec![
                seat.to_string(),
                self.heading.agents[seat.index()].clone(),
                result.rank.to_string(),
                result.score.to_string(),
                short(outcome.win_share(seat)),
            ];
            row.extend(paid.then(|| short(result.payoff)));
            game.tally(state, seat, &mut tally);
            row.extend(tally.iter().map(i64::to_string));
            rows.push(row);
        }
        columns(&rows).iter().try_for_each(|line| writeln!(self.out, "{line}"))
    }

    /// A heading and the board, where a player's turn begins. Luck of the whole table belongs to no turn:
    /// the heading waits until a seat is concerned.
    fn turn(&mut self, game: &G, state: &G::State) -> io::Result<()> {
        let id = game.turn_id(state);
        if self.turn_id == Some(id) {
            return Ok(());
        }
        let seats = match game.turn(state) {
            Turn::Decision(seat) => SeatSet::default().with(seat),
            Turn::Simultaneous(seats) => seats,
            Turn::Chance(source) => source.seat.into_iter().collect(),
            Turn::Over => SeatSet::default(),
        };
        if seats.is_empty() {
            return Ok(());
        }
        self.turn_id = Some(id);
        self.turns += 1;
        let names: Vec<String> = seats.iter().map(|seat| self.ink.seat(seat, &seat.to_string())).collect();
        let noun = if names.len() == 1 { "seat" } else { "seats" };
        writeln!(self.out, "\n--- turn {}, {noun} {} ---", self.turns, and_list(&names))?;
        self.board(game, state)
    }

    fn board(&mut self, game: &G, state: &G::State) -> io::Result<()> {
        let board = match self.viewer {
            Some(viewer) => game.draw_seen(state, viewer, self.ink),
            None => Some(game.draw(state, self.ink)),
        };
        self.drawn = Some(state.clone());
        board.map_or(Ok(()), |board| writeln!(self.out, "{}", board.trim_end()))
    }

    fn told(
        &mut self,
        game: &G,
        before: &G::State,
        seat: Option<Seat>,
        action: G::Action,
        after: &G::State,
    ) -> io::Result<()> {
        let line = match self.viewer {
            Some(viewer) => game.tell_seen(before, seat, action, after, viewer),
            None => Some(game.tell(before, seat, action, after)),
        };
        line.map_or(Ok(()), |line| writeln!(self.out, "{}", line.trim_end()))
    }

    fn reason<A: ToString>(&mut self, seat: Seat, reason: &Explanation<A>) -> io::Result<()> {
        let shown = reason.options.iter().take(REASONS);
        let mut parts: Vec<String> =
            shown.map(|(action, number)| format!("{} {}", action.to_string(), short(*number))).collect();
        if reason.options.len() > REASONS {
            parts.push(format!("{} more", reason.options.len() - REASONS));
        }
        writeln!(self.out, "    why (seat {seat}, {}): {}", reason.measure, parts.join("; "))?;
        reason.remarks.iter().try_for_each(|remark| writeln!(self.out, "    why: {remark}"))
    }
}

/// At most four decimals, without trailing zeros.
fn short(number: f64) -> String {
    let text = format!("{number:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".into() } else { text.to_owned() }
}
