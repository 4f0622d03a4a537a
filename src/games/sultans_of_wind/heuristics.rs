//! Judgement for searchers: how far each player has to go, what the tiles at hand are worth, and which
//! pairs and arrangements look promising.

use std::cell::RefCell;

use super::SultansOfWind;
use super::board::{Cells, Square};
use super::channel::{Tiles, Visible};
use super::distances::with_distances;
use super::state::{Action, Phase, State};
use crate::game::{Game, Heuristics, Seat, state_key};

/// What a tile that can be played at once is worth, in steps; index is strength - 1.
const WORTH: [f64; 8] = [1.5, 1.5, 1.5, 2.0, 3.0, 0.4, 4.5, 0.4];
/// How much of it counts when the tile is to be played this turn, lies behind the screen, or lies in a
/// visible slot (it comes back after one or two rounds).
const AT_HAND: f64 = 0.8;
const BEHIND_SCREEN: f64 = 0.35;
const IN_SLOT: [f64; 4] = [0.1, 0.1, 0.2, 0.2];
/// A carpet that is not home costs this on top of its way, so that arriving pays even if the next carpet's
/// way grows.
const NOT_HOME: f64 = 3.0;
/// The Favor, in steps.
const FAVOR: f64 = 0.4;
/// A wish that is to be taken.
const WISH: f64 = 2.5;
/// A carpet of one's own from which the djinn's tile is near, but not on it.
const NEAR_DJINN: f64 = 0.3;
/// How near.
const NEAR: usize = 6;
/// How much of the worst harm done to another player counts when a tile's promise is judged.
const HARM: f64 = 0.35;
/// Steps that are added before comparing players: far from the end small differences matter little.
const SOFTNESS: f64 = 8.0;

impl SultansOfWind {
    /// The way that a player's carpets have before them, in steps over the maze as it stands.
    pub(super) fn way(&self, state: &State, seat: Seat, free: Cells) -> f64 {
        let targets = self.targets(seat);
        let carpets = state.carpets_of(seat);
        let blocked = state.blocked(seat, targets.slots());
        let matching = targets.matching(carpets, || blocked);
        let missing = carpets.len() - matching.carpets.count_ones() as usize;
        if missing == 0 {
            return 0.0;
        }
        let open = (0..targets.cells().len()).filter(|at| matching.targets >> at & 1 == 0);
        let sources =
            open.fold(Cells::EMPTY, |sources, at| sources | targets.goal(at, blocked >> at & 1 == 1));
        with_distances(free, sources, |map| {
            let travelling = carpets.iter().enumerate().filter(|(at, _)| matching.carpets >> at & 1 == 0);
            travelling.map(|(_, &carpet)| NOT_HOME + f64::from(map.of(carpet))).sum()
        })
    }

    /// What the tiles of a player are worth, in steps.
    fn tempo(&self, state: &State, seat: Seat) -> f64 {
        let worth = |tile: u8| WORTH[tile as usize - 1];
        let visible = state.visible[seat.index()];
        if visible[0] == 0 {
            return 0.0;
        }
        let mut tempo: f64 = visible.iter().zip(IN_SLOT).map(|(&tile, part)| part * worth(tile)).sum();
        tempo += BEHIND_SCREEN * state.hidden(seat).iter().map(worth).sum::<f64>();
        tempo += AT_HAND * state.hand[seat.index()].iter().map(worth).sum::<f64>();
        if state.active() == seat {
            if state.resolving != 0 {
                tempo += AT_HAND * worth(state.resolving);
            }
            if state.phase == Phase::Wish {
                tempo += WISH;
            }
        }
        tempo
    }

    /// Whether a player's carpet may meet the djinn soon.
    fn near_djinn(&self, state: &State, seat: Seat) -> bool {
        state.djinn.is_some_and(|djinn| {
            state.carpets_of(seat).iter().any(|carpet| {
                let steps = carpet.row().abs_diff(djinn.row()) + carpet.column().abs_diff(djinn.column());
                steps <= NEAR && carpet.square() != djinn.square()
            })
        })
    }

    /// Everything a player has before them, in steps: at least 0.
    fn to_go(&self, state: &State, seat: Seat, free: Cells) -> f64 {
        let mut steps = self.way(state, seat, free) - self.tempo(state, seat);
        if state.favor == Some(seat) {
            steps -= FAVOR;
        }
        if self.near_djinn(state, seat) {
            steps -= NEAR_DJINN;
        }
        (steps + TEMPO_BOUND).max(0.0)
    }

    /// What an effect brings its player: steps saved, and a part of what it costs the others.
    fn gain(&self, before: &[f64; 4], state: &State, action: Action, wish: bool) -> f64 {
        let seat = state.active();
        let free = self.free(&state.squares);
        let mut gain = before[seat.index()] - self.way(state, seat, free) + if wish { WISH } else { 0.0 };
        // A carpet's movement is nothing to the others (but for a blocked target).
        if matches!(action, Action::Swap(..) | Action::Turn { .. }) {
            let harm = Seat::all(self.seats)
                .filter(|&other| other != seat)
                .map(|other| self.way(state, other, free) - before[other.index()])
                .fold(0.0, f64::max);
            gain += HARM * harm;
        }
        gain
    }

    /// The best that `tile` can do now for `seat`, who must be the active one of `state`: what it brings,
    /// and the state after it (without the channel). `None` if nothing is better than passing.
    fn best_of(&self, state: &State, tile: u8, ways: &[f64; 4], buffer: &mut Vec<Action>) -> (f64, State) {
        let seat = state.active();
        let mut before = state.clone();
        before.resolving = tile;
        before.phase = Phase::Action;
        self.actions(&before, seat, buffer);
        let mut best = (0.0, state.clone());
        for &action in buffer.iter() {
            let mut after = before.clone();
            let wish = self.effect(&mut after, action);
            let gain = self.gain(ways, &after, action, wish);
            if gain > best.0 {
                best = (gain, after);
            }
        }
        best.1.resolving = 0;
        best
    }

    /// What each pair of hidden tiles promises, in steps: the better order of the two, each played as well
    /// as it can be by itself, less what their absence costs later.
    fn pair_promise(&self, state: &State, seat: Seat, pairs: &[Action], scratch: &mut Scratch) {
        let mut now = state.clone();
        now.order[0] = seat;
        now.position = 0;
        let ways = |state: &State| {
            let free = self.free(&state.squares);
            let mut ways = [0.0; 4];
            for other in Seat::all(self.seats) {
                ways[other.index()] = self.way(state, other, free);
            }
            ways
        };
        let start = ways(&now);
        let tiles = state.hidden(seat);
        let mut best = [[0.0_f64; 8]; 8];
        for first in tiles.iter() {
            let (gain, after) = self.best_of(&now, first, &start, &mut scratch.effects);
            let between = ways(&after);
            // Two changes of the maze are judged in one order only: it is the dearest thing to look at.
            for second in tiles.iter().filter(|&second| second != first && (first, second) != (2, 4)) {
                let (more, _) = self.best_of(&after, second, &between, &mut scratch.effects);
                best[first as usize - 1][second as usize - 1] = gain + more;
            }
        }
        scratch.promises.extend(pairs.iter().map(|pair| match *pair {
            Action::Choose(a, b) => {
                let (a, b) = (a as usize - 1, b as usize - 1);
                best[a][b].max(best[b][a]) - BEHIND_SCREEN * (WORTH[a] + WORTH[b])
            }
            _ => 0.0,
        }));
    }
}

/// Lists that are needed for a moment and kept, so that a prior is free of allocation.
#[derive(Default)]
struct Scratch {
    promises: Vec<f64>,
    effects: Vec<Action>,
}

thread_local! {
    /// Emptied before each use, so that nothing of one prior reaches another.
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// No player's tempo is above this.
const TEMPO_BOUND: f64 = 12.0;

/// How much better than others an arrangement looks, in steps: strong tiles behind the screen, the next
/// best in the slots that come back first, and a little for the total that may win the Favor.
fn arrangement_promise(visible: Visible) -> f64 {
    let worth = |tile: u8| WORTH[tile as usize - 1];
    let hidden = Tiles::ALL.minus(visible.into_iter().collect());
    let waiting: f64 =
        visible.iter().zip([0.25, 0.3, 0.55, 0.6]).map(|(&tile, part)| part * worth(tile)).sum();
    let total: u8 = visible.iter().sum();
    hidden.iter().map(worth).sum::<f64>() + waiting + 0.05 * f64::from(total)
}

/// Turns promises into weights: 1 for the best, less for the others.
fn weights(promises: &[f64], out: &mut Vec<f32>) {
    let best = promises.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    out.clear();
    out.extend(promises.iter().map(|promise| {
        let behind = 1.0 + (best - promise);
        (1.0 / (behind * behind)) as f32
    }));
}

impl Heuristics for SultansOfWind {
    /// Compares how far everybody has to go; a player's share falls with the fourth power of it.
    fn value(&self, state: &State, out: &mut [f64]) {
        if let Some(outcome) = self.outcome(state) {
            for (share, result) in out.iter_mut().zip(outcome.results()) {
                *share = result.payoff;
            }
            return;
        }
        if state.squares.contains(&Square::EMPTY) {
            out.fill(1.0 / self.seats as f64);
            return;
        }
        let free = self.free(&state.squares);
        let mut sum = 0.0;
        for (seat, share) in Seat::all(self.seats).zip(out.iter_mut()) {
            let pace = 1.0 / (SOFTNESS + self.to_go(state, seat, free));
            *share = pace * pace * pace * pace;
            sum += *share;
        }
        for share in out {
            *share /= sum;
        }
    }

    fn turn_id(&self, state: &State) -> u32 {
        let part = match state.phase {
            Phase::Cloud | Phase::Facing => return 0,
            Phase::Arrangement => {
                let filled = state.visible.iter().filter(|visible| visible[0] != 0).count();
                return 1 + filled as u32;
            }
            Phase::FavorTie | Phase::Djinn => return 6,
            Phase::Choice => 0,
            _ => 1 + u32::from(state.position),
        };
        u32::from(state.round) * 8 + part
    }

    /// Between saying which tile comes next and playing it.
    fn in_compound(&self, state: &State) -> bool {
        state.phase == Phase::Action
            && (state.free_actions > 0 || !state.hand[state.active().index()].is_empty())
    }

    /// Leaves out what is only counted, and the round while the cap is far.
    fn search_key(&self, state: &State) -> u128 {
        const HORIZON: u16 = 20;
        let mut state = state.clone();
        state.counts = Default::default();
        state.first_favor = None;
        if state.round + HORIZON < self.rules.round_cap {
            state.round = 0;
        }
        state_key(&state)
    }

    fn prior(&self, state: &State, seat: Seat, actions: &[Action], out: &mut Vec<f32>) {
        let mut scratch = SCRATCH.take();
        scratch.promises.clear();
        match state.phase {
            Phase::Choice => self.pair_promise(state, seat, actions, &mut scratch),
            Phase::Arrangement => scratch.promises.extend(actions.iter().map(|action| match *action {
                Action::Show(visible) => arrangement_promise(visible),
                _ => 0.0,
            })),
            Phase::Action => {
                let free = self.free(&state.squares);
                let start = self.way(state, seat, free);
                scratch.promises.extend(actions.iter().map(|&action| {
                    let mut after = state.clone();
                    let wish = self.effect(&mut after, action);
                    let free = self.free(&after.squares);
                    start - self.way(&after, seat, free) + if wish { WISH } else { 0.0 }
                }));
            }
            // Nothing to prefer: equal promises are equal weights.
            _ => scratch.promises.resize(actions.len(), 0.0),
        }
        weights(&scratch.promises, out);
        SCRATCH.replace(scratch);
    }
}
