//! A game of Sultans of Wind in words and boards.
//!
//! The board is drawn cell by cell: `.` free, `#` cloud, a capital letter for a carpet (`A` is seat 1's), the
//! small letter for a space that this seat's carpets have to reach, `@` for the djinn. Squares are numbered
//! in the frame, columns have letters and rows numbers, as in the text of actions.

use std::fmt::Write;

use super::SultansOfWind;
use super::board::{Cell, Cells, SIDE, SQUARES, Square};
use super::channel::Tiles;
use super::rules::palace_squares;
use super::state::{Action, Phase, State};
use crate::game::{Game, Ink, Narrate, Outcome, Seat, Turn};

/// The letter of a player's carpets.
fn letter(seat: Seat) -> char {
    (b'A' + seat.index() as u8) as char
}

/// What a tile is called.
const fn name(tile: u8) -> &'static str {
    match tile {
        1 => "Move 3",
        2 => "Changing Clouds",
        3 => "Move Through 2",
        4 => "Turbulence",
        5 => "Move 6",
        6 => "Call Djinn",
        7 => "Move 12",
        8 => "Move Djinn 4",
        _ => "no tile",
    }
}

fn list(tiles: impl IntoIterator<Item = u8>) -> String {
    let words: Vec<String> = tiles.into_iter().map(|tile| tile.to_string()).collect();
    if words.is_empty() { "nothing".into() } else { words.join(" ") }
}

impl SultansOfWind {
    /// One character for a cell.
    fn glyph(&self, state: &State, cell: Cell, ink: Ink) -> String {
        for seat in Seat::all(self.seats) {
            if state.carpets_of(seat).contains(&cell) {
                return ink.seat(seat, &letter(seat).to_string());
            }
        }
        if state.djinn == Some(cell) {
            return "@".into();
        }
        if let Some(seat) = Seat::all(self.seats).find(|&seat| self.targets(seat).cells().contains(&cell)) {
            return ink.seat(seat, &letter(seat).to_ascii_lowercase().to_string());
        }
        let free = self.free(&state.squares).contains(cell);
        let laid = state.squares[cell.square()] != Square::EMPTY;
        match (laid, free) {
            (false, _) => " ".into(),
            (true, true) => ".".into(),
            (true, false) => "#".into(),
        }
    }

    /// The board, with square numbers in the frame.
    fn draw_board(&self, state: &State, ink: Ink) -> Vec<String> {
        let mut lines = vec!["      a b c    d e f    g h i    j k l".to_owned()];
        for row in 0..SIDE {
            if row % 3 == 0 {
                lines.push(frame(Some(row / 3 * 4)));
            }
            let mut line = format!("{:>3} ", row + 1);
            for column in 0..SIDE {
                line += if column % 3 == 0 { "| " } else { "" };
                line += &self.glyph(state, Cell::at(row, column), ink);
                line += if column % 3 == 2 { "  " } else { " " };
            }
            lines.push(line + "|");
        }
        lines.push(frame(None));
        lines
    }

    /// Everything about one player in a line.
    fn draw_player(&self, state: &State, seat: Seat, ink: Ink) -> String {
        let who = ink.seat(seat, &format!("Seat {seat} {}", letter(seat)));
        let visible = state.visible[seat.index()];
        if visible[0] == 0 {
            return format!("{who}  channel not filled yet");
        }
        let mut line =
            format!("{who}  channel {} | screen {}", list(visible), list(state.hidden(seat).iter()));
        let hand = state.hand[seat.index()];
        if !hand.is_empty() {
            let _ = write!(line, " | in hand {}", list(hand.iter()));
        }
        if state.resolving != 0 && state.active() == seat {
            let _ = write!(line, " | plays {} ({})", state.resolving, name(state.resolving));
        }
        let _ =
            write!(line, " | home {} of {}", self.carpets_home(state, seat), state.carpets_of(seat).len());
        if state.favor == Some(seat) {
            line += " | Favor";
        }
        line
    }

    /// Where the round stands.
    fn draw_round(&self, state: &State) -> String {
        let next = match state.phase {
            Phase::Cloud | Phase::Facing => "the clouds are being laid".to_owned(),
            Phase::Arrangement => "the wind channels are being filled".to_owned(),
            Phase::FavorTie => "luck decides who gets the Favor".to_owned(),
            Phase::Djinn => "the player with the Favor places the djinn".to_owned(),
            Phase::Choice => "all choose two tiles in secret".to_owned(),
            Phase::Over => match self.outcome(state).as_ref().map(Outcome::ending) {
                Some("race") => format!("seat {} has won the race", winner(state)),
                _ => "the game is cut off, a draw".to_owned(),
            },
            Phase::First | Phase::Action | Phase::Wish => {
                let order = state.order[..self.seats].iter().map(|seat| seat.to_string());
                format!(
                    "order of play {}; seat {}'s turn",
                    order.collect::<Vec<_>>().join(", "),
                    state.active()
                )
            }
        };
        format!("Round {}: {next}", state.round)
    }

    /// The tile on a square and how it faces, such as `square 6 (cloud tile 3)`.
    fn square(&self, state: &State, square: u8) -> String {
        match state.squares[square as usize].tile() {
            Some((tile, _)) => format!("square {} (cloud tile {tile})", square + 1),
            None => format!("square {}", square + 1),
        }
    }

    /// How far a carpet or the djinn goes, by the shortest way that the tile allows.
    fn way_in_words(&self, state: &State, from: Cell, to: Cell) -> String {
        let straight = from.row().abs_diff(to.row()) + from.column().abs_diff(to.column());
        let open = self.free(&state.squares).minus(state.occupied());
        let walked = (1..SIDE * SIDE).find(|&steps| Cells::reach(from, open, steps).contains(to));
        let steps = if state.resolving == 3 { straight } else { walked.unwrap_or(straight) };
        format!("from {from} to {to} ({steps} step{})", if steps == 1 { "" } else { "s" })
    }

    /// What an action is, as an order.
    fn order(&self, state: &State, action: Action) -> String {
        match action {
            Action::Cloud(tile) => {
                let square = state.squares.iter().position(|&square| square == Square::EMPTY).unwrap_or(0);
                format!("lay cloud tile {tile} on square {}", square + 1)
            }
            Action::Facing(quarters) => format!("turn it {} degrees clockwise", quarters as u32 * 90),
            Action::Show(visible) => {
                let hidden = Tiles::ALL.minus(visible.into_iter().collect());
                let total: u8 = visible.iter().sum();
                format!(
                    "show {} (total {total}), with {} behind the screen",
                    list(visible),
                    list(hidden.iter())
                )
            }
            Action::Favor(seat) => format!("give the Favor to seat {seat}"),
            Action::Choose(first, second) => {
                let total = first + second;
                format!("choose {first} ({}) and {second} ({}), total {total}", name(first), name(second))
            }
            Action::First(tile) => format!("play {tile} ({}) first", name(tile)),
            Action::Move { from, to } => format!("move the carpet {}", self.way_in_words(state, from, to)),
            Action::Swap(first, second) => {
                format!("swap {} and {}", self.square(state, first), self.square(state, second))
            }
            Action::Turn { square, quarters } => {
                format!("turn {} by {} degrees clockwise", self.square(state, square), quarters as u32 * 90)
            }
            Action::Djinn(to) => match (state.resolving, state.djinn) {
                (6, _) => format!("call the djinn to {to}"),
                (_, Some(from)) => format!("move the djinn {}", self.way_in_words(state, from, to)),
                _ => format!("place the djinn on {to}"),
            },
            Action::Pass => "pass".into(),
            Action::Wish(tile) => format!("take {tile} ({}) as a free action", name(tile)),
            Action::NoWish => "let the wish go".into(),
        }
    }

    /// What came of an action besides itself.
    fn consequences(&self, before: &State, action: Action, after: &State) -> String {
        let mut text = String::new();
        for seat in Seat::all(self.seats) {
            let (old, new) = (before.carpets_of(seat), after.carpets_of(seat));
            let carried = matches!(action, Action::Swap(..) | Action::Turn { .. }) && old != new;
            if carried {
                let cells: Vec<String> = new.iter().map(Cell::to_string).collect();
                let _ = write!(text, "; seat {seat}'s carpets ride to {}", cells.join(", "));
            }
        }
        if let (Action::Swap(..) | Action::Turn { .. }, Some(djinn)) = (action, after.djinn)
            && before.djinn != after.djinn
        {
            let _ = write!(text, "; the djinn rides to {djinn}");
        }
        if let Some(seat) = after.favor.filter(|_| before.favor != after.favor) {
            let _ = write!(text, "; seat {seat} has the Favor");
        }
        if after.phase == Phase::Wish {
            text += "; the djinn grants a wish";
        }
        if before.phase == Phase::Choice {
            let order: Vec<String> = after.order[..self.seats].iter().map(Seat::to_string).collect();
            let _ = write!(text, "; order of play {}", order.join(", "));
        }
        if after.phase == Phase::Over {
            match after.winner {
                Some(seat) => {
                    let _ = write!(text, "; all carpets of seat {seat} are home: the race is won");
                }
                None => text += "; the last round is over: a draw",
            }
        }
        text
    }
}

fn winner(state: &State) -> String {
    state.winner.map_or("nobody".into(), |seat| seat.to_string())
}

/// A line of the frame, with the numbers of the squares below it.
fn frame(first: Option<usize>) -> String {
    (0..4).fold("    ".to_owned(), |line, at| {
        let number = first.map(|first| first + at + 1).filter(|&number| number <= SQUARES);
        line + &format!("+{:-<8}", number.map(|number| number.to_string()).unwrap_or_default())
    }) + "+"
}

impl Narrate for SultansOfWind {
    fn draw(&self, state: &State, ink: Ink) -> String {
        let mut lines = vec![self.draw_round(state)];
        lines.extend(self.draw_board(state, ink));
        lines.push(
            "    . free  # cloud  A B C D carpets of seats 1 to 4  a b c d their targets  @ djinn".into(),
        );
        let palaces = palace_squares(self.rules.palace_layout).map(|square| (square + 1).to_string());
        lines.push(format!("    palaces: squares {}", palaces.join(", ")));
        lines.extend(Seat::all(self.seats).map(|seat| self.draw_player(state, seat, ink)));
        lines.join("\n")
    }

    fn tell(&self, before: &State, seat: Option<Seat>, action: Action, after: &State) -> String {
        let who = match seat {
            Some(seat) => format!("Seat {seat}"),
            None => "Luck".into(),
        };
        let order = self.order(before, action);
        let (verb, rest) = order.split_at(order.find(' ').unwrap_or(order.len()));
        let done = format!("{verb}{}{rest}", if verb.ends_with('s') { "es" } else { "s" });
        // What came of a joint choice is told once.
        let joint = matches!(self.turn(before), Turn::Simultaneous(_));
        let last = !joint || seat == Some(Seat::new(self.seats - 1));
        let came = if last { self.consequences(before, action, after) } else { String::new() };
        match before.phase {
            Phase::Action => {
                let tile = before.resolving;
                let free = if before.free_actions > 0 { " as a free action" } else { "" };
                format!("{who} plays {tile} ({}){free}: {done}{came}.", name(tile))
            }
            _ => format!("{who} {done}{came}."),
        }
    }

    fn describe(&self, state: &State, seat: Seat, action: Action) -> String {
        let mut after = state.clone();
        let wish = match (state.phase, action) {
            (Phase::Action, Action::Move { .. } | Action::Djinn(_)) => {
                debug_assert_eq!(state.active(), seat);
                self.effect(&mut after, action) && state.free_actions < self.chain
            }
            _ => false,
        };
        self.order(state, action) + if wish { ", which grants a wish" } else { "" }
    }
}
