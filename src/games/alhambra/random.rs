//! A uniformly random legal action, without listing all of them.
//!
//! An action is drawn from a larger set whose size is plain to see and thrown back until it is legal, so
//! every legal one is equally likely. The larger set: every set of cards of the display; for everything on
//! sale, every set of cards of its currency; every tile of the map to be removed. What could be met in
//! several ways counts in the first of them alone. Tiles to be laid or exchanged are counted exactly, on a
//! [`Patch`].

use super::Alhambra;
use super::money::{count_payments, each_payment, may_pay, may_take};
use super::patch::Patch;
use super::state::{Action, Currency, FewCards, Phase, Purse, State, TileSet};
use super::tiles::{Building, Tile};
use crate::game::{Game, Seat};
use crate::streams::Stream;

/// After so many draws the legal actions are listed after all: there may be none to meet.
const DRAWS: u32 = 100;

/// Of purses with more cards the payments are counted: most sets of cards would be thrown back.
const FEW: u32 = 5;

/// Something on sale to the active seat.
#[derive(Clone, Copy)]
struct Offer {
    currency: Currency,
    mark: Option<Building>,
    price: u8,
    /// Sets of cards to draw from: all of them, or only those that may pay. Small, since room for all offers is
    /// made for every decision.
    sets: u32,
}

impl Offer {
    const NONE: Offer = Offer { currency: Currency::Denar, mark: None, price: 0, sets: 0 };
}

impl Alhambra {
    /// See the file; `None` if the list is needed.
    pub(super) fn draw_action(&self, state: &State, seat: Seat, stream: &mut Stream) -> Option<Action> {
        let dirk = self.with_dirk();
        match state.phase {
            _ if self.corners() => None,
            Phase::Main { extra } if !(extra && self.rules.allow_decline_extra_action) => {
                self.draw_main_action(state, stream)
            }
            Phase::Place => self.draw_destination(state, seat, state.bought, dirk, stream),
            Phase::Claimed { tile, .. } | Phase::FinalClaimed { tile, .. } => {
                self.draw_destination(state, seat, TileSet::from_iter([tile]), dirk, stream)
            }
            _ => None,
        }
    }

    /// Everything that the active seat could pay, in order; gives how many and all their sets of cards.
    #[inline]
    fn offers(&self, state: &State, offers: &mut [Offer; 28]) -> (usize, usize) {
        let (mut count, mut all) = (0, 0);
        let hand = &state.hands[state.active.index()];
        for currency in Currency::ALL {
            let purse = hand[currency as usize];
            let total = purse.total();
            let mut add = |mark, price: u8| {
                if total >= price as u32 {
                    let cards = purse.len();
                    let sets = if cards <= FEW {
                        1 << cards
                    } else {
                        count_payments(self.rules.payment_sets, purse, price) as u32
                    };
                    offers[count] = Offer { currency, mark, price, sets };
                    count += 1;
                    all += sets as usize;
                }
            };
            if let Some(tile) = state.yard[currency as usize] {
                add(None, tile.price());
            }
            if total >= self.rules.sultan_price as u32 && state.sultan.open[currency as usize] != [0; 6] {
                for mark in Building::ALL {
                    if state.sultan.open[currency as usize][mark as usize] > 0 {
                        add(Some(mark), self.rules.sultan_price);
                    }
                }
            }
        }
        (count, all)
    }

    /// The set of cards with a number below [`Offer::sets`], if it may pay.
    fn payment(&self, state: &State, offer: Offer, number: usize) -> Option<Purse> {
        let purse = state.hands[state.active.index()][offer.currency as usize];
        let sets = self.rules.payment_sets;
        if purse.len() <= FEW {
            let picked = pick(purse, number as u32)?;
            return may_pay(sets, picked, offer.price).then_some(picked);
        }
        let (mut chosen, mut count) = (None, 0);
        each_payment(sets, purse, offer.price, &mut |cards| {
            if count == number {
                chosen = Some(cards);
            }
            count += 1;
        });
        chosen
    }

    fn draw_main_action(&self, state: &State, stream: &mut Stream) -> Option<Action> {
        let seat = state.active;
        let (own, reserve) = (state.alhambras[seat.index()], state.reserves[seat.index()]);
        let patch = Patch::of(self.map(state, seat))?;
        let mut laying = 0;
        for tile in reserve.iter() {
            let (free, taken) = patch.sites(tile.walls());
            laying += ones(free | taken);
        }
        let takes = (1 << state.display.len()) - 1;
        let mut offers = [Offer::NONE; 28];
        let (offered, purchases) = self.offers(state, &mut offers);
        let tiles = own.len() as usize;
        let all = takes + laying + purchases + tiles;
        if all == 0 {
            return None;
        }
        for _ in 0..DRAWS {
            let mut at = stream.below(all);
            if at < takes {
                match drawn_take(state.display, at as u32 + 1) {
                    Some(cards) => return Some(Action::Take(cards)),
                    None => continue,
                }
            }
            at -= takes;
            if at < laying {
                for tile in reserve.iter() {
                    let (free, taken) = patch.sites(tile.walls());
                    let (adds, exchanges) = (ones(free), ones(taken));
                    if at < adds {
                        return Some(Action::Add(tile, patch.nth_cell(free, at)));
                    }
                    at -= adds;
                    if at < exchanges {
                        let cell = patch.nth_cell(taken, at);
                        let old = own.iter().find(|&old| state.cells.of(old) == cell)?;
                        return Some(Action::Exchange { old, new: tile });
                    }
                    at -= exchanges;
                }
            }
            at -= laying;
            if at < tiles {
                let tile = nth(own, at);
                if patch.may_remove(state.cells.of(tile)) {
                    return Some(Action::Remove(tile));
                }
                continue;
            }
            at -= tiles;
            for offer in &offers[..offered] {
                if at >= offer.sets as usize {
                    at -= offer.sets as usize;
                    continue;
                }
                if let Some(cards) = self.payment(state, *offer, at) {
                    return Some(match offer.mark {
                        None => Action::Buy(offer.currency, cards),
                        Some(mark) => Action::BuySultan(offer.currency, mark, cards),
                    });
                }
                break;
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
        let patch = Patch::of(self.map(state, seat))?;
        let elsewhere = 1 + usize::from(dirk);
        let count = |tile: Tile| ones(patch.sites(tile.walls()).0) + elsewhere;
        let mut at = stream.below(tiles.iter().map(count).sum());
        for tile in tiles.iter() {
            let (free, _) = patch.sites(tile.walls());
            let places = ones(free);
            if at < places {
                return Some(Action::Place(tile, patch.nth_cell(free, at)));
            }
            at -= places;
            if at < elsewhere {
                return Some(if at == 0 { Action::Reserve(tile) } else { Action::Dirk(tile) });
            }
            at -= elsewhere;
        }
        None
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

/// The cards of the display that the bits of `set` name, if they may be taken. Of equal cards, those named
/// come first.
#[inline]
fn drawn_take(display: FewCards, set: u32) -> Option<FewCards> {
    display.named(set).filter(|&cards| may_take(cards))
}

/// The cards of a purse that the bits of `set` name, the highest value first. Of equal cards, those named
/// come first, or it is none of the sets.
#[inline]
fn pick(purse: Purse, mut set: u32) -> Option<Purse> {
    let (mut left, mut picked) = (purse.bits(), 0);
    while left != 0 {
        let place = (31 - left.leading_zeros()) / 2;
        let copies = left >> (2 * place) & 3;
        left &= (1 << (2 * place)) - 1;
        let named = set & ((1 << copies) - 1);
        set >>= copies;
        // Ones from below: 0, 1, 11, 111.
        if named & (named + 1) != 0 {
            return None;
        }
        picked |= named.count_ones() << (2 * place);
    }
    Some(Purse::from_bits(picked))
}

/// The n-th tile of a set, from 0, which must have more than n.
#[inline]
pub(super) fn nth(set: TileSet, n: usize) -> Tile {
    Tile::new(nth_bit(set.0, n))
}

/// How many bits are set.
#[inline]
fn ones(word: u64) -> usize {
    word.count_ones() as usize
}

/// The place of the n-th bit of a word, from 0, which must have more than n: without a loop, whose length
/// nobody could foresee.
#[inline]
pub(super) fn nth_bit(word: u64, n: usize) -> usize {
    const LOW: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    // Bits in each byte, and in all bytes up to it.
    let pairs = word - (word >> 1 & 0x5555_5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let bytes = (fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    let up_to = bytes.wrapping_mul(LOW);
    // Bytes all of whose bits come before the n-th.
    let before = ((((n as u64 * LOW) | HIGH) - up_to) & HIGH) >> 7;
    let byte = (before.wrapping_mul(LOW) >> 56) as usize;
    let skipped = (up_to << 8 >> (8 * byte)) as u8 as usize;
    8 * byte + NTH_BIT[(word >> (8 * byte)) as u8 as usize][n - skipped] as usize
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
