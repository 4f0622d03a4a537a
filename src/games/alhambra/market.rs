//! The routine that ends a turn: money display, scoring, Dirk's tiles, yard, the next turn or the end of
//! the game. Each function goes on until luck or a player has to decide.

use super::Alhambra;
use super::rules::{EndTrigger, ReplenishOrder, StartTie};
use super::state::{Ending, Phase, State};
use super::tiles::Tile;
use crate::game::Seat;

/// Tiles that Dirk gets at set-up and after the first scoring.
const DIRK_TILES: u32 = 6;

impl Alhambra {
    fn tiles_first(&self) -> bool {
        self.rules.replenish_order == ReplenishOrder::MoneyTilesScore
    }

    /// The first turn goes by the cards of the starting money.
    pub(super) fn choose_start(&self, state: &mut State) {
        let first = self.first_by_cards(state);
        if first.len() > 1 && self.rules.start_tie == StartTie::Random {
            state.phase = Phase::StartPlayer;
        } else {
            self.start_with(state, first.iter().next().unwrap_or(Seat::new(0)));
        }
    }

    /// Fixes the start player; the display is dealt next.
    pub(super) fn start_with(&self, state: &mut State, seat: Seat) {
        state.start = seat;
        state.active = seat;
        state.phase = Phase::StartDisplay;
    }

    /// Begins a turn.
    pub(super) fn begin_turn(&self, state: &mut State, seat: Seat) {
        state.active = seat;
        state.turn += 1;
        state.asked_first = seat.next(self.seats);
        state.sultan.fresh = [0; 6];
        state.sultan.uses = [0; 6];
        state.phase = Phase::Main { extra: false };
    }

    /// After an action: another one if it is due, else the chain is over.
    pub(super) fn go_on(&self, state: &mut State, extra: bool) {
        if extra {
            state.phase = Phase::Main { extra: true };
        } else {
            self.end_chain(state);
        }
    }

    /// The chain is over: marks still to be settled, tiles to be laid, then the routine.
    pub(super) fn end_chain(&self, state: &mut State) {
        if state.sultan.unsettled.is_empty() || !self.settle_next(state, false) {
            self.place_bought(state);
        }
    }

    /// Lays the tiles bought this turn; after the last one the routine begins.
    #[inline]
    pub(super) fn place_bought(&self, state: &mut State) {
        if state.bought.is_empty() {
            self.fill_display(state);
        } else {
            state.phase = Phase::Place;
        }
    }

    /// Step 1: the money display.
    #[inline]
    pub(super) fn fill_display(&self, state: &mut State) {
        if !state.display.is_full() {
            if self.top_pile(state).is_none() {
                self.reshuffle(state);
            }
            if self.top_pile(state).is_some() {
                state.phase = Phase::Money;
                return;
            }
        }
        if self.tiles_first() { self.fill_yard(state) } else { self.hold_scorings(state) }
    }

    /// Step 2: scorings that are due, and Dirk's tiles after each.
    #[inline]
    pub(super) fn hold_scorings(&self, state: &mut State) {
        while state.scoring_cards > state.scorings {
            if self.hold_scoring(state) {
                return;
            }
        }
        if self.tiles_first() { self.finish_turn(state) } else { self.fill_yard(state) }
    }

    /// The next scoring; whether Dirk draws tiles after it.
    // A function of its own, so that the many turns without one save no registers for it: 1 % of a random game.
    #[inline(never)]
    fn hold_scoring(&self, state: &mut State) -> bool {
        let scoring = state.scorings as usize;
        self.score(state, scoring);
        if self.with_dirk() {
            let bag = state.bag.len();
            let left = if scoring == 0 { bag.min(DIRK_TILES) } else { bag / 3 };
            if left > 0 {
                state.phase = Phase::DirkTile { left: left as u8 };
                return true;
            }
        }
        false
    }

    /// Step 3: the first empty slot of the yard, or the end of the step.
    #[inline]
    pub(super) fn fill_yard(&self, state: &mut State) {
        if state.yard.iter().any(Option::is_none) {
            if !state.bag.is_empty() {
                state.phase = Phase::Yard;
                return;
            }
            state.ending = Some(Ending::Tiles);
        }
        if self.tiles_first() { self.hold_scorings(state) } else { self.finish_turn(state) }
    }

    /// Puts a tile on the first empty slot.
    pub(super) fn lay_on_yard(&self, state: &mut State, tile: Tile) {
        if let Some(slot) = state.yard.iter_mut().find(|slot| slot.is_none()) {
            *slot = Some(tile);
        }
    }

    /// Step 4: the next turn, or the end of the game.
    fn finish_turn(&self, state: &mut State) {
        if self.rules.end_trigger == EndTrigger::BagEmpty && state.bag.is_empty() {
            state.ending = Some(Ending::Tiles);
        }
        if state.ending.is_none() && state.turn >= self.rules.max_turns {
            state.ending = Some(Ending::Cap);
        }
        if state.ending.is_none() {
            self.begin_turn(state, state.active.next(self.seats));
        } else if self.rules.sultan && self.rules.sultan_final_distribution {
            state.sultan.uses = [0; 6];
            state.asked_first = state.active.next(self.seats);
            self.offer_final(state, 0);
        } else {
            self.distribute(state);
        }
    }

    /// Every tile left on the yard goes to whoever holds most of its currency, alone.
    pub(super) fn distribute(&self, state: &mut State) {
        for slot in 0..4 {
            if state.yard[slot].is_some() {
                let total = |seat: &Seat| state.hands[seat.index()][slot].total();
                let most = Seat::all(self.seats).map(|seat| total(&seat)).max().unwrap_or(0);
                let mut first = Seat::all(self.seats).filter(|seat| total(seat) == most);
                // Where nobody has any, all share the most.
                state.winners[slot] = match (first.next(), first.next()) {
                    (Some(winner), None) => Some(winner),
                    _ => None,
                };
            }
        }
        self.lay_won(state);
    }

    /// The next seat with a won tile lays it; after the last one comes the last scoring.
    pub(super) fn lay_won(&self, state: &mut State) {
        let first = state.active.next(self.seats);
        let in_order = (0..self.seats).map(|ahead| Seat::new((first.index() + ahead) % self.seats));
        match in_order.into_iter().find(|&seat| state.winners.contains(&Some(seat))) {
            Some(seat) => state.phase = Phase::Won { seat },
            None => {
                self.score(state, 2);
                state.phase = Phase::Over;
            }
        }
    }
}
