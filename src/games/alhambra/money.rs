//! Money: what may be taken from the display, which cards may pay, and the next card of the deck.

use super::Alhambra;
use super::rules::PaymentSets;
use super::state::{Action, CARDS, Card, Currency, FewCards, Phase, Pile, Purse, State};
use super::tiles::Building;
use crate::game::{Seat, SeatSet};
use crate::streams::below;

/// Cards taken together are worth at most this.
const TAKE_LIMIT: u8 = 5;

/// Calls `found` for every set of cards that may be taken, each once: single cards, then larger sets.
#[inline]
pub fn each_take(display: FewCards, mut found: impl FnMut(FewCards)) {
    let (mut low, mut count) = ([(FewCards::NONE, 0); 4], 0);
    let mut last = FewCards::NONE;
    for card in display.iter() {
        let single = FewCards::NONE.with(card);
        if single != last {
            found(single);
        }
        last = single;
        if card.value() < TAKE_LIMIT {
            low[count] = (single, card.value());
            count += 1;
        }
    }
    if count < 2 {
        return;
    }
    // Only low cards go together, and of equal cards those that come first are taken first.
    for set in 3u32..1 << count {
        if set.is_power_of_two() {
            continue;
        }
        let (mut cards, mut total, mut canonical) = (FewCards::NONE, 0, true);
        for at in 0..count {
            if set >> at & 1 == 1 {
                total += low[at].1;
                cards = low[at].0.iter().fold(cards, FewCards::with);
            } else if at + 1 < count && low[at + 1] == low[at] && set >> (at + 1) & 1 == 1 {
                canonical = false;
            }
        }
        if canonical && total <= TAKE_LIMIT {
            found(cards);
        }
    }
}

/// The sets of cards of the display that may not be taken: bit 4 i for the set that the bits of i name by place. Of
/// equal cards, those named come first, so no set stands for another. All at once and without a branch: random
/// games, which ask for most of them, are 6 % faster than when they looked at one set after the other.
#[inline]
pub(super) fn refused_takes(display: FewCards) -> u64 {
    // Sets that name the second, third, fourth card but not the one before it.
    const SKIPPING: [u64; 3] = [four_apart(0x4444), four_apart(0x3030), four_apart(0x0f00)];
    // The totals of all sets at once, four bits each, of which the highest says that it is above the limit.
    let totals = display.shares(&SHARES).into_iter().fold(ROOM, |totals, share| totals + share);
    let mut refused = totals >> 3 | 1;
    for (at, skipping) in SKIPPING.into_iter().enumerate() {
        refused |= if display.same(at, at + 1) { skipping } else { 0 };
    }
    refused & four_apart(0xffff)
}

/// What is added to every total, so that the limit and one more make 8.
const ROOM: u64 = (7 - TAKE_LIMIT as u64) * four_apart(0xffff);

/// What each card adds by its place to the totals of the sets that name the place; the last row of the table is no card.
/// Alone any card may be taken, and in a set of two, three or four from 5, 4 or 3 on none: more than that is not
/// counted, for which no total has room.
const SHARES: [[u64; 4]; 256] = {
    let mut table = [[0; 4]; 256];
    let mut card = 0;
    while card < CARDS {
        let (value, mut set) = ((card % 9) as u64 + 1, 0u64);
        while set < 16 {
            let (most, mut place) = ([0, 0, 5, 4, 3][set.count_ones() as usize], 0);
            let counted = if value < most { value } else { most };
            while place < 4 {
                table[card][place] += ((set >> place & 1) * counted) << (4 * set);
                place += 1;
            }
            set += 1;
        }
        card += 1;
    }
    table
};

/// Every bit of a number of sixteen bits, four places apart.
const fn four_apart(bits: u64) -> u64 {
    let (mut apart, mut at) = (0, 0);
    while at < 16 {
        apart |= (bits >> at & 1) << (4 * at);
        at += 1;
    }
    apart
}

/// Whether these cards may pay a price.
#[inline]
pub fn may_pay(sets: PaymentSets, cards: Purse, price: u8) -> bool {
    let total = cards.total();
    let superfluous = total - cards.lowest().unwrap_or(0) as u32 >= price as u32;
    // Both are asked in any case: of cards drawn at random neither can be foreseen.
    (total >= price as u32) & (sets == PaymentSets::Any || !superfluous)
}

/// How many sets of cards of a purse may pay a price.
pub fn count_payments(sets: PaymentSets, purse: Purse, price: u8) -> usize {
    let mut count = 0;
    each_payment(sets, purse, price, &mut |_| count += 1);
    count
}

/// Calls `found` for every set of cards of a purse that may pay a price, each once.
#[inline]
pub fn each_payment(sets: PaymentSets, purse: Purse, price: u8, found: &mut impl FnMut(Purse)) {
    match sets {
        PaymentSets::Minimal => {
            let total = purse.total();
            if total >= price as u32 {
                minimal(purse.bits(), total, price as u32, 0, found);
            }
        }
        PaymentSets::Any => any(purse.bits(), purse.total(), price as u32, 0, found),
    }
}

/// Sets without a superfluous card: with cards picked from the highest value down, the price is reached by
/// the last card and by none before. `left` are the cards that may still be picked, worth `rest`; `due` is
/// what is still to be paid.
fn minimal(left: u32, rest: u32, due: u32, picked: u32, found: &mut impl FnMut(Purse)) {
    if rest < due {
        return;
    }
    // The highest value left, and its unit in the bit pattern.
    let place = (31 - left.leading_zeros()) / 2;
    let (value, unit) = (place + 1, 1 << (2 * place));
    let copies = left >> (2 * place) & 3;
    let (left, rest) = (left & (unit - 1), rest - copies * value);
    minimal(left, rest, due, picked, found);
    let (mut due, mut picked) = (due, picked);
    for _ in 0..copies {
        picked += unit;
        if due <= value {
            found(Purse::from_bits(picked));
            return;
        }
        due -= value;
        minimal(left, rest, due, picked, found);
    }
}

/// Every set that suffices.
fn any(left: u32, rest: u32, due: u32, picked: u32, found: &mut impl FnMut(Purse)) {
    if rest < due {
        return;
    }
    if left == 0 {
        found(Purse::from_bits(picked));
        return;
    }
    let place = (31 - left.leading_zeros()) / 2;
    let (value, unit) = (place + 1, 1 << (2 * place));
    let copies = left >> (2 * place) & 3;
    let (left, rest) = (left & (unit - 1), rest - copies * value);
    for count in 0..=copies {
        any(left, rest, due.saturating_sub(count * value), picked + count * unit, found);
    }
}

impl Alhambra {
    /// Takes, purchases of tiles and of sultan cards.
    pub(super) fn money_actions(&self, state: &State, out: &mut Vec<Action>) {
        each_take(state.display, |cards| out.push(Action::Take(cards)));
        let hand = &state.hands[state.active.index()];
        for slot in Currency::ALL {
            if let Some(tile) = state.yard[slot as usize] {
                let mut found = |cards| out.push(Action::Buy(slot, cards));
                each_payment(self.rules.payment_sets, hand[slot as usize], tile.price(), &mut found);
            }
        }
        for currency in Currency::ALL {
            for mark in Building::ALL {
                if state.sultan.open[currency as usize][mark as usize] > 0 {
                    let mut found = |cards| out.push(Action::BuySultan(currency, mark, cards));
                    let (sets, price) = (self.rules.payment_sets, self.rules.sultan_price);
                    each_payment(sets, hand[currency as usize], price, &mut found);
                }
            }
        }
    }

    /// Moves the cards of a payment to the discards; whether it was exact.
    pub(super) fn pay(&self, state: &mut State, currency: Currency, cards: Purse, price: u8) -> bool {
        let seat = state.active.index();
        let hand = &mut state.hands[seat][currency as usize];
        *hand = hand.less(cards);
        let discards = &mut state.discards[currency as usize];
        *discards = discards.and(cards);
        let exact = cards.total() == price as u32;
        state.counters[seat].exact_payments += u8::from(exact);
        exact
    }

    /// Moves cards from the display to the active hand.
    pub(super) fn take(&self, state: &mut State, cards: FewCards) {
        state.display = state.display.without(cards);
        for card in cards.iter() {
            self.give(state, state.active, card);
        }
    }

    /// Puts a card into a hand.
    #[inline]
    pub(super) fn give(&self, state: &mut State, seat: Seat, card: Card) {
        let purse = &mut state.hands[seat.index()][card.currency() as usize];
        *purse = purse.with(card.value());
    }

    /// The pile from which the next card comes, if any card is left.
    #[inline]
    pub(super) fn top_pile(&self, state: &State) -> Option<usize> {
        (0..5).find(|&pile| !state.piles[pile].is_empty())
    }

    /// Divides the deck into five piles and shuffles the scoring and sultan cards in.
    pub(super) fn make_piles(&self, state: &mut State) {
        let cards = state.piles[4].money as usize;
        for pile in 0..5 {
            let money = (pile + 1) * cards / 5 - pile * cards / 5;
            let sultan = if self.rules.sultan { self.rules.sultan_piles[pile] } else { 0 };
            state.piles[pile] = Pile { money: money as u8, sultan, scoring: u8::from(pile % 2 == 1) };
        }
        if self.rules.sultan {
            state.sultan.deck = self.rules.sultan_currencies;
        }
    }

    /// Shuffles the discards into a new deck.
    pub(super) fn reshuffle(&self, state: &mut State) {
        let mut cards = 0;
        for (deck, discards) in state.deck.iter_mut().zip(&mut state.discards) {
            *deck = std::mem::take(discards);
            cards += deck.len();
        }
        state.piles[4].money = cards as u8;
    }

    /// The odds of the next card of the deck, as whole numbers over the product of three counts: cards of
    /// the top pile, money cards of the deck, sultan cards of the deck.
    ///
    /// Every place in a pile is alike for all its cards, so the next card is of a kind with the share that
    /// the kind has in the top pile; which money card or sultan card it is, every unseen one is alike,
    /// whatever pile it may lie in.
    // Always inline: what it looks up in the deck is looked up for the card again.
    #[inline(always)]
    fn odds(&self, state: &State) -> Odds {
        let pile = self.top_pile(state).map_or(Pile::default(), |pile| state.piles[pile]);
        let money: u32 = state.deck.iter().map(|purse| purse.len()).sum();
        let sultan: u32 = state.sultan.deck.iter().map(|&count| count as u32).sum();
        // A kind that is used up has no share in the pile: 1 keeps the product from vanishing.
        let (money, sultan) = (money.max(1), sultan.max(1));
        Odds {
            scoring: pile.scoring as u32 * money * sultan,
            each_sultan: pile.sultan as u32 * money,
            each_money: pile.money as u32 * sultan,
            whole: pile.len() as u32 * money * sultan,
        }
    }

    /// The distribution of the next card: scoring card, sultan cards, money cards.
    pub(super) fn money_chance(&self, state: &State, out: &mut Vec<(Action, f64)>) {
        let odds = self.odds(state);
        let share = |count: u32| count as f64 / odds.whole as f64;
        if odds.scoring > 0 {
            out.push((Action::ScoringCard, share(odds.scoring)));
        }
        if odds.each_sultan > 0 {
            for currency in Currency::ALL {
                let count = state.sultan.deck[currency as usize] as u32;
                if count > 0 {
                    out.push((Action::SultanCard(currency), share(count * odds.each_sultan)));
                }
            }
        }
        if odds.each_money > 0 {
            for currency in Currency::ALL {
                for value in 1..=9 {
                    let count = state.deck[currency as usize].count(value) as u32;
                    if count > 0 {
                        let card = Card::new(currency, value);
                        out.push((Action::Card(card), share(count * odds.each_money)));
                    }
                }
            }
        }
    }

    /// The card that a word picks, in the order of [`Alhambra::money_chance`].
    pub(super) fn sample_money(&self, state: &State, word: u64) -> Action {
        let odds = self.odds(state);
        let mut at = below(word, odds.whole as u64) as u32;
        if at < odds.scoring {
            return Action::ScoringCard;
        }
        at -= odds.scoring;
        if odds.each_sultan > 0 {
            for currency in Currency::ALL {
                let width = state.sultan.deck[currency as usize] as u32 * odds.each_sultan;
                if at < width {
                    return Action::SultanCard(currency);
                }
                at -= width;
            }
        }
        let index = at / odds.each_money;
        // Purses and values are all gone through: where to stop cannot be foreseen, which cost two mispredictions.
        let (mut currency, mut skipped, mut cards) = (0, 0, 0);
        for purse in &state.deck[..3] {
            cards += purse.len();
            if index >= cards {
                (currency, skipped) = (currency + 1, cards);
            }
        }
        let value = state.deck[currency].nth(index - skipped);
        Action::Card(Card::new(Currency::ALL[currency], value))
    }

    /// Takes a money card off the deck.
    pub(super) fn draw(&self, state: &mut State, card: Card) {
        let purse = &mut state.deck[card.currency() as usize];
        *purse = purse.without(card.value());
        if let Some(pile) = self.top_pile(state) {
            state.piles[pile].money -= 1;
        }
    }

    /// After a card of starting money: the same seat again, the next one, or the end of the deal.
    pub(super) fn after_starting_card(&self, state: &mut State, seat: Seat) {
        let total: u32 = state.hands[seat.index()].iter().map(|purse| purse.total()).sum();
        if total < STARTING_MONEY {
            return;
        }
        if seat.index() + 1 < self.seats {
            state.phase = Phase::StartMoney { seat: seat.next(self.seats) };
        } else {
            self.choose_start(state);
        }
    }

    /// Fewest cards, then lowest total.
    fn start_key(&self, state: &State, seat: Seat) -> (u32, u32) {
        let hand = &state.hands[seat.index()];
        (hand.iter().map(|purse| purse.len()).sum(), hand.iter().map(|purse| purse.total()).sum())
    }

    /// Those whose hand gives them the first turn.
    pub(super) fn first_by_cards(&self, state: &State) -> SeatSet {
        let best = Seat::all(self.seats).map(|seat| self.start_key(state, seat)).min();
        Seat::all(self.seats).filter(|&seat| Some(self.start_key(state, seat)) == best).collect()
    }
}

/// See [`Alhambra::odds`]: the shares of the scoring card, of each sultan card and of each money card.
struct Odds {
    scoring: u32,
    each_sultan: u32,
    each_money: u32,
    whole: u32,
}

/// Each player is dealt cards until they are worth at least this.
const STARTING_MONEY: u32 = 20;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::streams::Stream;

    /// Displays of up to four cards, low ones and equal ones often.
    #[test]
    fn takes_that_are_not_refused_are_those_of_the_list() {
        let mut stream = Stream::from_seed(1);
        for _ in 0..20_000 {
            let (cards, values) = (stream.below(5), 1 + stream.below(9));
            let card = |stream: &mut Stream| {
                Card::new(Currency::ALL[stream.below(4) * stream.below(2)], 1 + stream.below(values) as u8)
            };
            let display: FewCards = (0..cards).map(|_| card(&mut stream)).collect();
            let refused = refused_takes(display);
            let sets = (1..1 << cards).filter(|set| refused >> (4 * set) & 1 == 0);
            let mut named: Vec<FewCards> = sets.map(|set| display.named(set)).collect();
            let mut listed = Vec::new();
            each_take(display, |cards| listed.push(cards));
            named.sort();
            listed.sort();
            assert_eq!(named, listed, "{display}");
            for &taken in &listed {
                let left: Vec<Card> = display.without(taken).into();
                let mut all: Vec<Card> = taken.into();
                all.extend(left);
                all.sort();
                assert_eq!(all, Vec::from(display));
            }
        }
    }

    #[test]
    fn the_nth_card_is_the_nth_of_the_list() {
        let mut stream = Stream::from_seed(2);
        for _ in 0..2000 {
            let purse = Purse::from_bits(stream.below(1 << 18) as u32);
            let values = Vec::<u8>::from(purse);
            assert_eq!(values.len() as u32, purse.len());
            assert_eq!(values.iter().map(|&value| value as u32).sum::<u32>(), purse.total());
            for (n, &value) in values.iter().enumerate() {
                assert_eq!(purse.nth(n as u32), value);
            }
        }
    }
}
