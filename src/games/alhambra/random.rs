//! A uniformly random legal action, without listing all of them.
//!
//! An action is drawn from a larger set whose size is plain to see and thrown back until it is legal, so
//! every legal one is equally likely. The larger set: every set of cards of the display; for everything on
//! sale, every set of cards of its currency; every tile of the map to be removed. What could be met in
//! several ways counts in the first of them alone. Tiles to be laid or exchanged are counted exactly, on a
//! patch ([`super::patch`]).

use super::Alhambra;
use super::money::{count_payments, each_payment, refused_takes};
use super::patch::{Patch, Word};
use super::rules::PaymentSets;
use super::state::{Action, Currency, Phase, Purse, State, TileSet};
use super::tiles::{Building, Tile};
use crate::game::{Game, Seat};
use crate::streams::Stream;

/// After so many draws the legal actions are listed after all: there may be none to meet.
const DRAWS: u32 = 100;

/// Of purses with more cards the payments are counted: most sets of cards would be thrown back.
const FEW: u32 = 5;

/// How many sets of cards there are to draw from for what is on sale in one currency: all of the purse, or only
/// those that may pay; none if the whole purse does not suffice.
#[derive(Clone, Copy, Default)]
struct Offer {
    /// For the tile of the yard.
    tile: usize,
    /// For each open sultan card.
    sultan: usize,
    /// Different open sultan cards.
    marks: usize,
}

impl Offer {
    #[inline]
    fn all(self) -> usize {
        self.tile + self.sultan * self.marks
    }
}

impl Alhambra {
    /// See the file; `None` if the list is needed. Not for [`Phase::Main`].
    pub(super) fn draw_action(&self, state: &State, seat: Seat, stream: &mut Stream) -> Option<Action> {
        let dirk = self.with_dirk();
        match state.phase {
            Phase::Offer { .. } | Phase::FinalOffer { .. } => {
                Some([Action::Claim, Action::Decline][stream.below(2)])
            }
            _ if self.corners() => None,
            Phase::Place => self.draw_destination(state, seat, state.bought, dirk, stream),
            Phase::Claimed { tile, .. } | Phase::FinalClaimed { tile, .. } => {
                self.draw_destination(state, seat, TileSet::from_iter([tile]), dirk, stream)
            }
            _ => None,
        }
    }

    /// A random action in [`Phase::Main`], where most decisions are made: apart from the others, so that nothing is asked
    /// about those, which saved 1 % of a random game.
    #[inline(never)]
    pub(super) fn random_main_action(
        &self,
        state: &State,
        extra: bool,
        stream: &mut Stream,
        buffer: &mut Vec<Action>,
    ) -> Action {
        let may_pass = extra && self.rules.allow_decline_extra_action;
        if !self.corners()
            && !may_pass
            && let Some(action) = self.draw_main_action(state, stream)
        {
            return action;
        }
        self.pick_from_list(state, state.active, stream, buffer)
    }

    /// Everything on sale to the active seat, by currency.
    #[inline]
    fn offers(&self, state: &State) -> [Offer; 4] {
        let hand = &state.hands[state.active.index()];
        let mut offers = [Offer::default(); 4];
        // Asked once: often no sultan card is open at all.
        let cards = state.sultan.open.as_flattened() != [0; 24];
        for (currency, offer) in offers.iter_mut().enumerate() {
            let purse = hand[currency];
            let tile = state.yard[currency].map_or(0, |tile| self.sets(purse, tile.price(), true));
            *offer = Offer { tile, sultan: 0, marks: 0 };
            if cards {
                offer.marks = kinds(state.sultan.open[currency]);
                offer.sultan = self.sets(purse, self.rules.sultan_price, offer.marks > 0);
            }
        }
        offers
    }

    /// Sets of cards to draw from for a price: without a branch on whether the purse suffices, as good as drawn.
    /// Only large purses ask whether there is anything at that price.
    #[inline]
    fn sets(&self, purse: Purse, price: u8, on_sale: bool) -> usize {
        let cards = purse.len();
        if cards > FEW {
            return if on_sale { count_payments(self.rules.payment_sets, purse, price) } else { 0 };
        }
        usize::from(purse.total() >= price as u32) << cards
    }

    /// The set of cards with a number below [`Alhambra::sets`], if it may pay.
    #[inline(always)]
    fn payment(&self, purse: Purse, price: u8, number: usize) -> Option<Purse> {
        let sets = self.rules.payment_sets;
        if purse.len() > FEW {
            return nth_payment(sets, purse, price, number);
        }
        few_may_pay(sets, purse, price, number).then(|| pick(purse, number as u32))
    }

    /// The purchase of a number below the sum of all `offers`, if its cards may pay. In the order of currencies,
    /// the tile of the yard before the sultan cards.
    #[inline]
    fn purchase(&self, state: &State, offers: &[Offer; 4], number: usize) -> Option<Action> {
        let (mut slot, mut skipped, mut end) = (0, 0, 0);
        for offer in &offers[..3] {
            end += offer.all();
            // No loop that ends here: when it would cannot be foreseen, which cost 2 % of a random game.
            if number >= end {
                (slot, skipped) = (slot + 1, end);
            }
        }
        let (offer, currency, at) = (offers[slot], Currency::ALL[slot], number - skipped);
        let purse = state.hands[state.active.index()][slot];
        if at < offer.tile {
            let cards = self.payment(purse, state.yard[slot]?.price(), at)?;
            return Some(Action::Buy(currency, cards));
        }
        let at = at - offer.tile;
        let open = &state.sultan.open[slot];
        let mut marks = Building::ALL.into_iter().filter(|&mark| open[mark as usize] > 0);
        let mark = marks.nth(at / offer.sultan)?;
        let cards = self.payment(purse, self.rules.sultan_price, at % offer.sultan)?;
        Some(Action::BuySultan(currency, mark, cards))
    }

    /// See the file; `None` if the list is needed.
    #[inline(always)]
    fn draw_main_action(&self, state: &State, stream: &mut Stream) -> Option<Action> {
        let seat = state.active;
        let (own, reserve) = (state.alhambras[seat.index()], state.reserves[seat.index()]);
        let Some(patch) = Patch::<u64>::of(self.map(state, seat)) else {
            return self.pick_main_action(state, stream);
        };
        let fits = patch.fits();
        let laying: usize = reserve.iter().map(|tile| ones(fits.sites(tile.walls()))).sum();
        let takes = (1 << state.display.len()) - 1;
        // The draws below `takes` that are thrown back.
        let no_takes = refused_takes(state.display) >> 4 & ((1 << (4 * takes)) - 1);
        let offers = self.offers(state);
        let purchases: usize = offers.iter().map(|offer| offer.all()).sum();
        let tiles = own.len() as usize;
        let all = takes + laying + purchases + tiles;
        if all == 0 {
            return None;
        }
        for _ in 0..DRAWS {
            let mut at = stream.below(all);
            // One branch that nobody can foresee, not two: whether it is a take, and whether it is allowed.
            // No draw from the 16th on is a take.
            if no_takes >> (4 * at.min(15)) & 1 == 1 {
                continue;
            }
            if at < takes {
                return Some(Action::Take(state.display.named(at as u32 + 1)));
            }
            at -= takes;
            if at < laying {
                let mut tiles = reserve.0;
                loop {
                    let tile = Tile::new(tiles.trailing_zeros() as usize);
                    let sites = fits.sites(tile.walls());
                    let count = ones(sites);
                    if at >= count {
                        (at, tiles) = (at - count, tiles & (tiles - 1));
                        continue;
                    }
                    let adds = ones(sites & fits.free());
                    if at < adds {
                        return Some(Action::Add(tile, patch.nth_cell(sites & fits.free(), at)));
                    }
                    let cell = patch.nth_cell(sites & !fits.free(), at - adds);
                    let old = own.iter().find(|&old| state.cells.of(old) == cell)?;
                    return Some(Action::Exchange { old, new: tile });
                }
            }
            at -= laying;
            if at < tiles {
                let tile = nth(own, at);
                if patch.ways().may_remove(state.cells.of(tile)) {
                    return Some(Action::Remove(tile));
                }
                continue;
            }
            if let Some(purchase) = self.purchase(state, &offers, at - tiles) {
                return Some(purchase);
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
        let map = self.map(state, seat);
        match Patch::<u64>::of(map) {
            Some(patch) => draw_place(&patch, tiles, dirk, stream),
            None => draw_place(&Patch::<u128>::of(map)?, tiles, dirk, stream),
        }
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

/// Where one of these tiles goes, everything counted.
#[inline(always)]
pub(super) fn draw_place<W: Word>(
    patch: &Patch<W>,
    tiles: TileSet,
    dirk: bool,
    stream: &mut Stream,
) -> Option<Action> {
    let elsewhere = 1 + usize::from(dirk);
    let count = |tile: Tile| patch.sites(tile.walls()).0.count() + elsewhere;
    let mut at = stream.below(tiles.iter().map(count).sum());
    for tile in tiles.iter() {
        let (free, _) = patch.sites(tile.walls());
        let places = free.count();
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

/// What `each` finds n-th, from 0.
pub(super) fn nth_found<T>(n: usize, each: impl FnOnce(&mut dyn FnMut(T))) -> Option<T> {
    let (mut nth, mut count) = (None, 0);
    each(&mut |found| {
        if count == n {
            nth = Some(found);
        }
        count += 1;
    });
    nth
}

/// How many of these counts, none above 127, are not 0.
#[inline]
pub(super) fn kinds(counts: [u8; 6]) -> usize {
    let [a, b, c, d, e, f] = counts;
    let all = u64::from_le_bytes([a, b, c, d, e, f, 0, 0]);
    // The highest bit of each byte that is not 0, added up in the highest byte.
    let some = (all + 0x7f7f_7f7f_7f7f) >> 7 & 0x0101_0101_0101;
    (some.wrapping_mul(0x0101_0101_0101_0101) >> 56) as usize
}

/// Whether the cards of a purse of few that the bits of `set` name, the highest value first, may pay a price, and of
/// equal cards those named come first. Without a branch on which they are: four sets of five are thrown back, and building
/// each of them first took 5 % more of a random game.
#[inline]
fn few_may_pay(sets: PaymentSets, purse: Purse, price: u8, set: usize) -> bool {
    let (values, mask) = (purse.few_values(), NAMED[set % NAMED.len()]);
    let named = values & mask;
    let lowest = named >> ((31 - (named | 1).leading_zeros()) & !3);
    let pairs = (named & 0xf0f0f) + (named >> 4 & 0x0f0f);
    let total = (pairs.wrapping_mul(0x10101) >> 16) & 0xff;
    // Cards that are not named before one that is: 0 if both are equal.
    let differ = (values ^ values >> 4) | !(mask >> 4 & !mask);
    let skips = differ.wrapping_sub(0x11111) & !differ & 0x88888;
    // Below 0 if too little, and if too much.
    let short = total.wrapping_sub(price as u32);
    let over = if sets == PaymentSets::Any { 0 } else { lowest.wrapping_sub(short).wrapping_sub(1) };
    skips | (short | over) & 1 << 31 == 0
}

/// The n-th set of cards of a purse that may pay a price, from 0.
#[inline(never)]
pub(super) fn nth_payment(sets: PaymentSets, purse: Purse, price: u8, n: usize) -> Option<Purse> {
    nth_found(n, |mut found| each_payment(sets, purse, price, &mut found))
}

/// Four ones for each bit of a number.
const NAMED: [u32; 1 << FEW] = {
    let (mut table, mut set) = ([0; 1 << FEW], 0);
    while set < table.len() {
        let mut at = 0;
        while at < FEW {
            table[set] |= ((set as u32 >> at & 1) * 0xf) << (4 * at);
            at += 1;
        }
        set += 1;
    }
    table
};

/// The cards of a purse that the bits of `set` name, the highest value first; of equal cards, those named must come
/// first.
#[inline(never)]
fn pick(purse: Purse, mut set: u32) -> Purse {
    let (mut left, mut picked) = (purse.bits(), 0);
    while set != 0 {
        let place = (31 - left.leading_zeros()) & !1;
        let copies = left >> place & 3;
        left &= (1 << place) - 1;
        picked |= (set & ((1 << copies) - 1)).trailing_ones() << place;
        set >>= copies;
    }
    Purse::from_bits(picked)
}

/// The n-th tile of a set, from 0, which must have more than n.
#[inline]
pub(super) fn nth(set: TileSet, n: usize) -> Tile {
    Tile::new(nth_bit(set.0, n))
}

/// How many bits are set.
#[inline]
pub(super) fn ones(word: u64) -> usize {
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
    use super::super::money::may_pay;
    use super::*;

    /// Every set of every purse of up to five cards, at every price.
    #[test]
    fn few_cards_pay_as_any_cards_do() {
        let purses = (0..1 << 18).map(Purse::from_bits).filter(|purse| purse.len() <= FEW);
        for (at, purse) in purses.enumerate() {
            let values: Vec<u8> = purse.values().collect();
            for set in 0..1usize << values.len() {
                let named = |at: usize| set >> at & 1 == 1;
                let skips =
                    (1..values.len()).any(|at| values[at] == values[at - 1] && named(at) && !named(at - 1));
                let cards: Purse = (0..values.len()).filter(|&at| named(at)).map(|at| values[at]).collect();
                let price = 2 + (at % 12) as u8;
                for sets in [PaymentSets::Minimal, PaymentSets::Any] {
                    let pays = !skips && may_pay(sets, cards, price);
                    assert_eq!(few_may_pay(sets, purse, price, set), pays, "{purse}: {cards} for {price}");
                }
                assert!(skips || pick(purse, set as u32) == cards);
            }
        }
    }

    #[test]
    fn kinds_are_the_counts_above_none() {
        let mut stream = Stream::from_seed(2);
        for _ in 0..2000 {
            let counts: [u8; 6] = std::array::from_fn(|_| [0, 0, 1, 20, 127][stream.below(5)]);
            assert_eq!(kinds(counts), counts.iter().filter(|&&count| count > 0).count());
        }
    }

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
