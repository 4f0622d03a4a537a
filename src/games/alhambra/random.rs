//! A uniformly random legal action, without listing all of them.
//!
//! An action is drawn from a larger set whose size is plain to see and thrown back until it is legal, so
//! every legal one is equally likely. What can be counted quickly (cards to take, payments) is counted;
//! for the map the larger set is every tile of the reserve on every side of every tile, and a cell that
//! could be met from several sides counts from the first of them alone.

use super::Alhambra;
use super::map::{Neighbourhood, on_board};
use super::money::{count_payments, each_payment, each_take};
use super::state::{Action, Cell, Currency, FewCards, Phase, State, TileSet};
use super::tiles::{Building, Tile};
use crate::game::{Game, Seat};
use crate::streams::Stream;

/// After so many draws the legal actions are listed after all: there may be none to meet.
const DRAWS: u32 = 100;

impl Alhambra {
    /// See the file; `None` if the list is needed.
    pub(super) fn draw_action(&self, state: &State, seat: Seat, stream: &mut Stream) -> Option<Action> {
        match state.phase {
            _ if self.corners() => None,
            Phase::Main { extra } if !(extra && self.rules.allow_decline_extra_action) => {
                self.draw_main_action(state, stream)
            }
            Phase::Place => {
                let tiles = state.bought;
                let dirk = self.with_dirk();
                self.draw_destination(state, seat, tiles, dirk, stream)
            }
            Phase::Claimed { tile, .. } | Phase::FinalClaimed { tile, .. } => {
                let dirk = self.with_dirk();
                self.draw_destination(state, seat, TileSet::from_iter([tile]), dirk, stream)
            }
            _ => None,
        }
    }

    /// How many purchases may be made.
    #[inline]
    fn count_purchases(&self, state: &State) -> usize {
        let (sets, hand) = (self.rules.payment_sets, &state.hands[state.active.index()]);
        let mut count = 0;
        for (slot, &purse) in hand.iter().enumerate() {
            if let Some(tile) = state.yard[slot] {
                count += count_payments(sets, purse, tile.price());
            }
            let open = &state.sultan.open[slot];
            if *open != [0; 6] {
                let kinds = open.iter().filter(|&&cards| cards > 0).count();
                count += kinds * count_payments(sets, purse, self.rules.sultan_price);
            }
        }
        count
    }

    /// The purchase with a number below [`Alhambra::count_purchases`].
    fn purchase(&self, state: &State, number: usize) -> Option<Action> {
        let (sets, hand) = (self.rules.payment_sets, &state.hands[state.active.index()]);
        let (mut chosen, mut count) = (None, 0);
        for currency in Currency::ALL {
            let purse = hand[currency as usize];
            let mut note = |action| {
                if count == number {
                    chosen = Some(action);
                }
                count += 1;
            };
            if let Some(tile) = state.yard[currency as usize] {
                let mut found = |cards| note(Action::Buy(currency, cards));
                each_payment(sets, purse, tile.price(), &mut found);
            }
            for mark in Building::ALL {
                if state.sultan.open[currency as usize][mark as usize] > 0 {
                    let mut found = |cards| note(Action::BuySultan(currency, mark, cards));
                    each_payment(sets, purse, self.rules.sultan_price, &mut found);
                }
            }
        }
        chosen
    }

    fn draw_main_action(&self, state: &State, stream: &mut Stream) -> Option<Action> {
        let seat = state.active;
        let (own, reserve) = (state.alhambras[seat.index()], state.reserves[seat.index()]);
        let (mut sets, mut takes) = ([FewCards::NONE; 15], 0);
        each_take(state.display, |cards| {
            sets[takes] = cards;
            takes += 1;
        });
        let purchases = self.count_purchases(state);
        let (tiles, spare) = (own.len() as usize, reserve.len() as usize);
        let (exchanges, sides) = (tiles * spare, 4 * (tiles + 1) * spare);
        let all = takes + purchases + tiles + exchanges + sides;
        if all == 0 {
            return None;
        }
        for _ in 0..DRAWS {
            let mut at = stream.below(all);
            if at < sides {
                let tile = nth(reserve, stream.below(spare));
                match self.site(state, seat, own, tile, stream.below(4 * (tiles + 1))) {
                    Some(cell) => return Some(Action::Add(tile, cell)),
                    None => continue,
                }
            }
            at -= sides;
            if at < takes {
                return Some(Action::Take(sets[at]));
            }
            at -= takes;
            if at < purchases {
                return self.purchase(state, at);
            }
            at -= purchases;
            if at < tiles {
                let tile = nth(own, at);
                if self.may_remove(state, seat, tile) {
                    return Some(Action::Remove(tile));
                }
                continue;
            }
            let (old, new) = (nth(own, stream.below(tiles)), nth(reserve, stream.below(spare)));
            let around = Neighbourhood::of(self.map(state, seat), state.cells.of(old));
            if (old.walls() ^ new.walls()) & around.beside() == 0 {
                return Some(Action::Exchange { old, new });
            }
        }
        None
    }

    fn draw_destination(
        &self,
        state: &State,
        seat: Seat,
        tiles: TileSet,
        dirk: bool,
        stream: &mut Stream,
    ) -> Option<Action> {
        let own = state.alhambras[seat.index()];
        let count = tiles.len() as usize;
        let sides = 4 * (own.len() as usize + 1);
        let fixed = 1 + usize::from(dirk);
        for _ in 0..DRAWS {
            let tile = nth(tiles, stream.below(count));
            let at = stream.below(sides + fixed);
            if at == sides {
                return Some(Action::Reserve(tile));
            }
            if at > sides {
                return Some(Action::Dirk(tile));
            }
            if let Some(cell) = self.site(state, seat, own, tile, at) {
                return Some(Action::Place(tile, cell));
            }
        }
        None
    }

    /// The cell beyond one side of one tile (4 x tile + side; the fountain comes last), if `tile` may be
    /// laid there and no earlier side of that cell has an open neighbour.
    #[inline]
    fn site(&self, state: &State, seat: Seat, own: TileSet, tile: Tile, at: usize) -> Option<Cell> {
        let (which, side) = (at / 4, at % 4);
        let (from, walls) = if which < own.len() as usize {
            let neighbour = nth(own, which);
            (state.cells.of(neighbour), neighbour.walls())
        } else {
            (Cell::default(), 0)
        };
        if (walls >> side | tile.walls() >> (side ^ 2)) & 1 == 1 {
            return None;
        }
        let cell = from.beside(side);
        let around = Neighbourhood::of(self.map(state, seat), cell);
        let first = around.open_sides().trailing_zeros() as usize == side ^ 2;
        (first && around.fits(tile.walls())).then_some(cell)
    }

    fn may_remove(&self, state: &State, seat: Seat, tile: Tile) -> bool {
        let cell = state.cells.of(tile);
        let around = Neighbourhood::of(self.map(state, seat), cell);
        if around.beside() == 0b1111 {
            return false;
        }
        around.open_sides().count_ones() == 1
            || on_board!(self.map(state, seat), |board| board.may_remove(cell, false))
    }

    /// The list, and one of it.
    pub(super) fn pick_from_list(
        &self,
        state: &State,
        seat: Seat,
        stream: &mut Stream,
        buffer: &mut Vec<Action>,
    ) -> Action {
        self.actions(state, seat, buffer);
        buffer[stream.below(buffer.len())]
    }
}

/// The n-th tile of a set, from 0, which must have more than n: without a loop, whose length nobody could
/// foresee.
#[inline]
pub(super) fn nth(set: TileSet, n: usize) -> Tile {
    const LOW: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    // Members in each byte, and in all bytes up to it.
    let pairs = set.0 - (set.0 >> 1 & 0x5555_5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let bytes = (fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    let up_to = bytes.wrapping_mul(LOW);
    // Bytes all of whose members come before the n-th.
    let before = ((n as u64 * LOW | HIGH) - up_to & HIGH) >> 7;
    let byte = (before.wrapping_mul(LOW) >> 56) as usize;
    let skipped = (up_to << 8 >> (8 * byte)) as u8 as usize;
    let within = NTH_BIT[(set.0 >> (8 * byte)) as u8 as usize][n - skipped];
    Tile::new(8 * byte + within as usize)
}

/// The place of the n-th bit of each byte.
const NTH_BIT: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut n) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte][n] = bit;
                n += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nth_tile_is_the_nth_of_the_list() {
        let mut stream = Stream::from_seed(1);
        for _ in 0..2000 {
            let set = TileSet(stream.word() & stream.word() & TileSet::ALL.0);
            for (n, tile) in set.iter().enumerate() {
                assert_eq!(nth(set, n), tile);
            }
        }
        assert!(TileSet::ALL.iter().enumerate().all(|(n, tile)| nth(TileSet::ALL, n) == tile));
    }
}
