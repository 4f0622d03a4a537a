//! What the race games share: an estimate of who is ahead, from the points that each seat still needs; the switches
//! that all of them have; how a die is read and how the standing is drawn.

use crate::game::{Ink, MAX_SEATS, Seat};
use crate::games::switches::{Kind, Switch};

/// The switch for the points that win.
pub(super) const TARGET: Switch =
    Switch { key: "target", kind: Kind::Int(1, 1000), meaning: "points that win" };

/// The switch that bounds a game.
pub(super) const TURN_CAP: Switch = Switch {
    key: "turn_cap",
    kind: Kind::Int(1, 60_000),
    meaning: "turns of all players together after which the game is cut off and shared",
};

/// What is told of the turn at which the cap is met.
pub(super) const CUT_OFF: &str = " That was the last turn: the game is cut off.";

/// Reads `die 1` to `die 6`.
pub(super) fn die(text: &str) -> Option<u8> {
    text.strip_prefix("die ")?.parse().ok().filter(|face| (1..=6).contains(face))
}

/// A line for each of `seats`: who is on turn, the points, and for the mover what the turn has brought so far.
pub(super) fn standing(
    seats: usize,
    scores: &[u16; MAX_SEATS],
    target: u16,
    mover: Seat,
    under_way: Option<String>,
    ink: Ink,
) -> String {
    let line = |seat: Seat| {
        let (mark, turn) = match (seat == mover, &under_way) {
            (true, Some(turn)) => (">", format!(", {turn}")),
            (true, None) => (">", String::new()),
            _ => (" ", String::new()),
        };
        let name = ink.seat(seat, &format!("Seat {seat}"));
        format!("{mark} {name}: {} of {target}{turn}", scores[seat.index()])
    };
    Seat::all(seats).map(line).collect::<Vec<_>>().join("\n")
}

/// exp(x) for x <= 0 within 1 % where it matters, by multiplication alone: the same bits on every machine.
fn exp(x: f64) -> f64 {
    let mut power = 1.0 + x.max(-1024.0) / 1024.0;
    for _ in 0..10 {
        power *= power;
    }
    power
}

/// How a race is judged: win shares fall off as a logistic of the points still needed, whose width grows with
/// the square root of the way to go.
pub(super) struct Pace {
    /// Points that being about to begin a turn is worth.
    pub tempo: f64,
    /// Width of the logistic at the finish, in points.
    pub width: f64,
    /// How it grows with the square root of the mean of the points needed.
    pub spread: f64,
}

impl Pace {
    /// Turns points needed, in `out`, into win shares; `begins` is the seat that begins the next turn.
    pub fn shares(&self, out: &mut [f64], begins: usize) {
        let mean = out.iter().sum::<f64>() / out.len() as f64;
        let width = self.width + self.spread * mean.max(0.0).sqrt();
        out[begins] -= self.tempo;
        let least = out.iter().copied().fold(f64::INFINITY, f64::min);
        let mut sum = 0.0;
        for value in out.iter_mut() {
            *value = exp((least - *value) / width);
            sum += *value;
        }
        for value in out.iter_mut() {
            *value /= sum;
        }
    }
}

/// A table of where best play holds: a row for each score of the other seats (all the same), a column for each
/// own score, in steps so that at most 20 fit. `holds_at` gives the least total of a turn at which to hold.
pub(super) fn picture(target: u16, what: &str, holds_at: impl Fn(u16, u16) -> Option<u16>) -> String {
    let step = target.div_ceil(20).max(1);
    let scores = || (0..target).step_by(step as usize);
    let mut lines = vec![format!("{what}, by own score (across) and the others' score (down)")];
    let cell = |text: String| format!("{text:>4}");
    lines.push(cell(String::new()) + &scores().map(|own| cell(own.to_string())).collect::<String>());
    for other in scores() {
        let row =
            scores().map(|own| cell(holds_at(own, other).map_or("-".into(), |total| total.to_string())));
        lines.push(cell(other.to_string()) + &row.collect::<String>());
    }
    lines.join("\n")
}

/// Plays actions and what chance shows, as they are written and separated by commas, from the beginning.
#[cfg(test)]
pub(super) fn play<G: crate::game::Game>(game: &G, actions: &str) -> G::State {
    use crate::game::Turn;
    let mut state = game.initial();
    for text in actions.split(", ") {
        let action = text.parse().ok().unwrap();
        match game.turn(&state) {
            Turn::Chance(_) => game.play_chance(&mut state, action).unwrap(),
            Turn::Decision(seat) => game.play(&mut state, seat, action).unwrap(),
            _ => panic!("{text}: the game is over"),
        }
    }
    state
}
