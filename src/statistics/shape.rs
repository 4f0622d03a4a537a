//! The shape of a game: who leads when, and is it over early? From value estimates after each move.
//!
//! An estimate gives every seat a number, larger is better; whose estimate it is has to be told beside every
//! result. Measures after Browne (2008, drama, decisiveness, lead change) in the form stated at each. Sums are
//! integers (billionths), so that merging in any order gives the same.

use serde::{Deserialize, Serialize};

use crate::game::{MAX_SEATS, SHARE_UNITS};

/// Fractions of the game at which [`Snowball`] looks: 0.1, 0.2, ..., 0.9.
const TENTHS: usize = 9;
const BILLION: f64 = 1e9;

/// The estimates of one game while it is played. Used for game after game, it allocates no more.
#[derive(Clone, Debug)]
pub struct GameShape {
    seats: usize,
    values: Vec<f64>,
    leaders: Vec<Option<u8>>,
    lead_changes: u64,
    last_leader: Option<u8>,
}

impl GameShape {
    /// For tables of `seats` seats.
    pub fn new(seats: usize) -> GameShape {
        let seats = seats.clamp(1, MAX_SEATS);
        GameShape { seats, values: Vec::new(), leaders: Vec::new(), lead_changes: 0, last_leader: None }
    }

    /// Begins the next game.
    pub fn begin(&mut self) {
        self.values.clear();
        self.leaders.clear();
        self.lead_changes = 0;
        self.last_leader = None;
    }

    /// Notes the estimate of each seat after a move. The leader is the seat with the largest; where several
    /// share it, the leader so far if it is among them, and nobody otherwise. What is not a number counts as
    /// 0, and so does a seat that is missing.
    pub fn observe(&mut self, values: &[f64]) {
        let start = self.values.len();
        let finite = values.iter().take(self.seats).map(|&value| if value.is_finite() { value } else { 0.0 });
        self.values.extend(finite);
        self.values.resize(start + self.seats, 0.0);
        let values = &self.values[start..];
        let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut leading = (0..values.len()).filter(|&seat| values[seat] == best).map(|seat| seat as u8);
        let leader = match (leading.next(), leading.next()) {
            (Some(leader), None) => Some(leader),
            (Some(_), Some(_)) => self.last_leader.filter(|&seat| values[seat as usize] == best),
            _ => None,
        };
        if let Some(leader) = leader {
            self.lead_changes += self.last_leader.is_some_and(|last| last != leader) as u64;
            self.last_leader = Some(leader);
        }
        self.leaders.push(leader);
    }

    /// Counts the game: units of win share of each seat.
    pub fn finish(&self, units: &[u32], shapes: &mut Shapes) {
        let moves = self.leaders.len();
        if moves == 0 {
            return;
        }
        shapes.games += 1;
        shapes.moves += moves as u64;
        shapes.lead_changes += self.lead_changes;
        let winner = units.iter().take(self.seats).position(|&units| units == SHARE_UNITS);
        let Some(winner) = winner else { return };
        shapes.decided += 1;
        let (mut behind, mut worst, mut last) = (0.0, f64::NEG_INFINITY, 0);
        for (at, values) in self.values.chunks_exact(self.seats).enumerate() {
            let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            behind += best - values[winner];
            let others = values.iter().enumerate().filter(|&(seat, _)| seat != winner);
            worst = others.map(|(_, &value)| value).fold(worst, f64::max);
            if values[winner] < best {
                last = at + 1;
            }
        }
        shapes.drama += billionths(behind / moves as f64);
        shapes.decisiveness += billionths(if self.seats > 1 { worst } else { 0.0 });
        shapes.last_behind += billionths(last as f64 / moves as f64);
        shapes.last_behind_moves += last as u64;
        for (tenth, snowball) in shapes.snowball.iter_mut().enumerate() {
            // The first move at or after this part of the game.
            let at = (moves * (tenth + 1)).div_ceil(TENTHS + 1).max(1) - 1;
            if let Some(leader) = self.leaders[at] {
                snowball.0 += 1;
                snowball.1 += (leader as usize == winner) as u64;
            }
        }
    }
}

fn billionths(number: f64) -> i128 {
    (number * BILLION).round() as i128
}

/// Sums over many games.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Shapes {
    games: u64,
    decided: u64,
    moves: u64,
    lead_changes: u64,
    drama: i128,
    decisiveness: i128,
    last_behind: i128,
    last_behind_moves: u64,
    snowball: [(u64, u64); TENTHS],
}

/// How often who leads after a part of the game goes on to win.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Snowball {
    /// The part of the game that was over, 0.1 to 0.9.
    pub part: f64,
    /// Games with a sole winner in which somebody led then.
    pub games: u64,
    /// Those that the leader won.
    pub won: u64,
}

impl Shapes {
    /// Adds all games of another.
    pub fn merge(&mut self, other: &Shapes) {
        self.games += other.games;
        self.decided += other.decided;
        self.moves += other.moves;
        self.lead_changes += other.lead_changes;
        self.drama += other.drama;
        self.decisiveness += other.decisiveness;
        self.last_behind += other.last_behind;
        self.last_behind_moves += other.last_behind_moves;
        for (own, theirs) in self.snowball.iter_mut().zip(&other.snowball) {
            own.0 += theirs.0;
            own.1 += theirs.1;
        }
    }

    /// Games counted.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Those with a sole winner, over which all but the lead changes are taken.
    pub fn decided(&self) -> u64 {
        self.decided
    }

    /// Lead changes a game.
    pub fn lead_changes(&self) -> Option<f64> {
        (self.games > 0).then(|| self.lead_changes as f64 / self.games as f64)
    }

    /// Lead changes a move.
    pub fn lead_changes_per_move(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.lead_changes as f64 / self.moves as f64)
    }

    /// Drama: how far the later winner was behind the best, mean over the moves of a game.
    pub fn drama(&self) -> Option<f64> {
        self.mean(self.drama)
    }

    /// Decisiveness: the highest estimate that any player had who did not win. Near 1 (for estimates of win
    /// shares) games are thrown away or stolen; near 1/n nobody but the winner was ever close.
    pub fn decisiveness(&self) -> Option<f64> {
        self.mean(self.decisiveness)
    }

    /// The part of the game after which the winner was never behind again, 0 where it never was.
    pub fn last_behind(&self) -> Option<f64> {
        self.mean(self.last_behind)
    }

    /// The number of the last move after which the winner was behind.
    pub fn last_move_behind(&self) -> Option<f64> {
        (self.decided > 0).then(|| self.last_behind_moves as f64 / self.decided as f64)
    }

    /// How often the leader after each tenth of the game wins.
    pub fn snowball(&self) -> [Snowball; TENTHS] {
        std::array::from_fn(|tenth| {
            let (games, won) = self.snowball[tenth];
            Snowball { part: (tenth + 1) as f64 / (TENTHS + 1) as f64, games, won }
        })
    }

    fn mean(&self, sum: i128) -> Option<f64> {
        (self.decided > 0).then(|| sum as f64 / BILLION / self.decided as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(values: &[[f64; 2]], units: [u32; 2]) -> Shapes {
        let (mut shape, mut shapes) = (GameShape::new(2), Shapes::default());
        shape.begin();
        values.iter().for_each(|values| shape.observe(values));
        shape.finish(&units, &mut shapes);
        shapes
    }

    /// Seat 1 leads, is overtaken, and wins in the end.
    const TURNED: [[f64; 2]; 5] = [[0.5, 0.5], [0.6, 0.4], [0.3, 0.7], [0.5, 0.5], [0.8, 0.2]];

    #[test]
    fn a_game_by_hand() {
        let shapes = game(&TURNED, [60, 0]);
        let near = |found: Option<f64>, expected: f64| assert!((found.unwrap() - expected).abs() < 1e-9);
        // Nobody; 1; 2; 2 (stays in a tie); 1: two changes.
        near(shapes.lead_changes(), 2.0);
        near(shapes.lead_changes_per_move(), 0.4);
        near(shapes.drama(), 0.4 / 5.0);
        near(shapes.decisiveness(), 0.7);
        near(shapes.last_behind(), 3.0 / 5.0);
        near(shapes.last_move_behind(), 3.0);
        let snowball = shapes.snowball();
        // After 0.1 and 0.2 (the first move) nobody leads; after 0.5 (the third) seat 2; after 0.9 seat 1.
        assert_eq!((snowball[0].games, snowball[1].games), (0, 0));
        assert_eq!((snowball[3].games, snowball[3].won), (1, 1));
        assert_eq!((snowball[4].games, snowball[4].won), (1, 0));
        assert_eq!((snowball[8].games, snowball[8].won), (1, 1));
        assert_eq!(snowball[4].part, 0.5);
    }

    #[test]
    fn games_without_a_sole_winner_count_for_lead_changes_alone() {
        let shapes = game(&TURNED, [30, 30]);
        assert_eq!((shapes.games(), shapes.decided()), (1, 0));
        assert_eq!(shapes.lead_changes(), Some(2.0));
        assert_eq!((shapes.drama(), shapes.decisiveness(), shapes.last_behind()), (None, None, None));
    }

    #[test]
    fn limits() {
        assert_eq!(Shapes::default().lead_changes(), None);
        let nothing = game(&[], [60, 0]);
        assert_eq!(nothing, Shapes::default());
        let walkover = game(&[[0.9, 0.1]], [60, 0]);
        assert_eq!((walkover.drama(), walkover.last_behind()), (Some(0.0), Some(0.0)));
        let short = game(&[[f64::NAN, f64::NAN]], [60, 0]);
        assert!(short.drama().unwrap().is_finite());
    }

    #[test]
    fn merging_in_any_order_is_the_same() {
        let (one, other) = (game(&TURNED, [60, 0]), game(&TURNED[1..], [0, 60]));
        let (mut forward, mut backward) = (one.clone(), other.clone());
        forward.merge(&other);
        backward.merge(&one);
        assert_eq!(forward, backward);
        assert_eq!(forward.games(), 2);
    }
}
