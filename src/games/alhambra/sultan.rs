//! The Power of the Sultan: settling the mark of a bought card, and offering drawn tiles to those who own a
//! card with their type.

use super::Alhambra;
use super::rules::{MarkTime, OfferOrder};
use super::state::{Action, Currency, Phase, State};
use super::tiles::{Building, Tile};
use crate::game::{MAX_SEATS, Seat};

impl Alhambra {
    /// The active seat has paid for an open card.
    pub(super) fn lay_out(&self, state: &mut State, currency: Currency, mark: Building, extra: bool) {
        state.sultan.open[currency as usize][mark as usize] -= 1;
        state.counters[state.active.index()].sultan_bought += 1;
        state.sultan.unsettled.push(mark);
        if self.rules.sultan_mark_time == MarkTime::EndOfTurn && extra {
            state.phase = Phase::Main { extra };
        } else if !self.settle_next(state, extra) {
            if extra { state.phase = Phase::Main { extra } } else { self.place_bought(state) }
        }
    }

    /// Goes on to the next mark to be settled; false if there is none that leaves a choice.
    pub(super) fn settle_next(&self, state: &mut State, extra: bool) -> bool {
        while let Some(mark) = state.sultan.unsettled.pop() {
            if self.rules.sultan_rerolls > 0 || self.rules.sultan_flip_without_roll {
                let rolls = self.rules.sultan_rerolls;
                state.phase = Phase::Mark { mark, rolled: false, rolls, extra };
                return true;
            }
            self.own(state, mark);
        }
        false
    }

    /// The mark of a bought card stays as it is.
    pub(super) fn settle(&self, state: &mut State, mark: Building, extra: bool) {
        self.own(state, mark);
        self.go_on(state, extra);
    }

    fn own(&self, state: &mut State, mark: Building) {
        state.sultan.owned[state.active.index()][mark as usize] += 1;
        if !self.rules.sultan_same_turn_use {
            state.sultan.fresh[mark as usize] += 1;
        }
    }

    /// What the buyer may do with the mark.
    pub(super) fn mark_actions(&self, mark: Building, rolled: bool, rolls: u8, out: &mut Vec<Action>) {
        if rolled {
            let (first, second) = (mark.min(mark.opposite()), mark.max(mark.opposite()));
            out.extend([Action::Mark(first), Action::Mark(second)]);
        } else {
            out.push(Action::Keep);
            if self.rules.sultan_flip_without_roll {
                out.push(Action::Flip);
            }
        }
        if rolls > 0 {
            out.push(Action::Roll);
        }
    }

    /// The first seat, from the `asked`-th on in the order in which they are asked, that may claim a tile of a type.
    fn next_owner(&self, state: &State, asked: usize, building: Building) -> Option<Seat> {
        let sultan = &state.sultan;
        let limit = match self.rules.sultan_max_uses_per_refill {
            0 => u8::MAX,
            limit => limit,
        };
        // All seats at once, a bit each: which of them own a card cannot be foreseen, and cost two mispredictions a tile.
        let mut owners = 0;
        for seat in 0..MAX_SEATS {
            let owned = sultan.owned[seat][building as usize];
            let fresh = if seat == state.active.index() { sultan.fresh[building as usize] } else { 0 };
            owners |= u32::from((owned > fresh) & (sultan.uses[seat] < limit)) << seat;
        }
        let first = state.asked_first.index();
        let in_order = (owners | owners << self.seats) >> first & ((1 << self.seats) - 1);
        let left = in_order >> asked << asked;
        (left != 0).then(|| Seat::new((first + left.trailing_zeros() as usize) % self.seats))
    }

    /// How many have been asked once `seat` has been.
    fn asked_until(&self, state: &State, seat: Seat) -> usize {
        (seat.index() + self.seats - state.asked_first.index()) % self.seats + 1
    }

    /// Offers a drawn tile from the `asked`-th seat on; if nobody is left it lies on the yard.
    pub(super) fn offer(&self, state: &mut State, tile: Tile, asked: usize) {
        match self.next_owner(state, asked, tile.building()) {
            Some(seat) => state.phase = Phase::Offer { tile, seat },
            None => {
                self.lay_on_yard(state, tile);
                self.fill_yard(state);
            }
        }
    }

    /// A seat does not want the tile.
    pub(super) fn decline(&self, state: &mut State, tile: Tile, seat: Seat) {
        let asked = self.asked_until(state, seat);
        self.offer(state, tile, asked);
    }

    /// A seat uses a card for a tile.
    pub(super) fn use_card(&self, state: &mut State, seat: Seat, building: Building) {
        state.sultan.owned[seat.index()][building as usize] -= 1;
        state.sultan.uses[seat.index()] += 1;
        state.counters[seat.index()].sultan_used += 1;
        if self.rules.sultan_offer_order == OfferOrder::Continue {
            state.asked_first = seat.next(self.seats);
        }
    }

    /// End of the game: offers the tiles of the yard from a slot on, then lets the majorities decide.
    pub(super) fn offer_final(&self, state: &mut State, slot: usize) {
        self.offer_final_from(state, slot, 0);
    }

    fn offer_final_from(&self, state: &mut State, slot: usize, asked: usize) {
        let mut asked = asked;
        for slot in slot..4 {
            if let Some(tile) = state.yard[slot]
                && let Some(seat) = self.next_owner(state, asked, tile.building())
            {
                state.phase = Phase::FinalOffer { slot: Currency::ALL[slot], seat };
                return;
            }
            asked = 0;
        }
        self.distribute(state);
    }

    /// A seat does not want the tile of a slot.
    pub(super) fn decline_final(&self, state: &mut State, slot: Currency, seat: Seat) {
        let asked = self.asked_until(state, seat);
        self.offer_final_from(state, slot as usize, asked);
    }
}
