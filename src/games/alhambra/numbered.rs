//! A uniformly random main action on a map too large for [`super::random`]: the one that would be picked from the
//! list, by its number in it, without the list.
//!
//! One main decision in fifty of a random game is of this kind. Its list took as long as seven other decisions, what
//! stands here takes half of that: 3 % of the game are saved.

use super::Alhambra;
use super::money::{count_payments, each_take, refused_takes};
use super::patch::{Patch, Word};
use super::random::{kinds, nth, nth_found, nth_payment};
use super::state::{Action, Currency, State};
use super::tiles::Building;
use crate::streams::Stream;

impl Alhambra {
    /// What [`Alhambra::pick_from_list`] picks in [`super::state::Phase::Main`], if there is anything but to pass; `None`
    /// if the list is needed.
    #[inline(never)]
    pub(super) fn pick_main_action(&self, state: &State, stream: &mut Stream) -> Option<Action> {
        let (seat, sets) = (state.active.index(), self.rules.payment_sets);
        let (own, reserve, hand) = (state.alhambras[seat], state.reserves[seat], &state.hands[seat]);
        let patch = Patch::<u128>::of(self.map(state, state.active))?;
        let sets_of_cards = (1u64 << (4 * ((1 << state.display.len()) - 1))) - 1;
        let takes = (!refused_takes(state.display) >> 4 & sets_of_cards & 0x1111_1111_1111_1111).count();
        let (mut tiles, mut cards, mut laying) = ([0; 4], [0; 4], [0; 2]);
        for slot in 0..4 {
            tiles[slot] = state.yard[slot].map_or(0, |tile| count_payments(sets, hand[slot], tile.price()));
            if state.sultan.open[slot] != [0; 6] {
                cards[slot] = count_payments(sets, hand[slot], self.rules.sultan_price);
            }
        }
        let marks = |slot: usize| kinds(state.sultan.open[slot]);
        for tile in reserve.iter() {
            let (free, taken) = patch.sites(tile.walls());
            laying = [laying[0] + free.count(), laying[1] + taken.count()];
        }
        let removable = patch.ways().removable_tiles(self.map(state, state.active));
        let bought =
            tiles.iter().sum::<usize>() + (0..4).map(|slot| cards[slot] * marks(slot)).sum::<usize>();
        let all = takes + bought + laying[0] + removable.len() as usize + laying[1];
        if all == 0 {
            return None;
        }
        // In the order of the list.
        let mut at = stream.below(all);
        if at < takes {
            return nth_found(at, |found| each_take(state.display, found)).map(Action::Take);
        }
        at -= takes;
        for slot in Currency::ALL {
            let (purse, count) = (hand[slot as usize], tiles[slot as usize]);
            if at < count {
                let price = state.yard[slot as usize]?.price();
                let cards = nth_payment(sets, purse, price, at)?;
                return Some(Action::Buy(slot, cards));
            }
            at -= count;
        }
        for currency in Currency::ALL {
            let (purse, count) = (hand[currency as usize], cards[currency as usize]);
            let all = count * marks(currency as usize);
            if at < all {
                let open = &state.sultan.open[currency as usize];
                let mut marks = Building::ALL.into_iter().filter(|&mark| open[mark as usize] > 0);
                let (mark, price) = (marks.nth(at / count)?, self.rules.sultan_price);
                let cards = nth_payment(sets, purse, price, at % count)?;
                return Some(Action::BuySultan(currency, mark, cards));
            }
            at -= all;
        }
        for tile in reserve.iter() {
            let (free, _) = patch.sites(tile.walls());
            if at < free.count() {
                return Some(Action::Add(tile, patch.nth_cell(free, at)));
            }
            at -= free.count();
        }
        if at < removable.len() as usize {
            return Some(Action::Remove(nth(removable, at)));
        }
        at -= removable.len() as usize;
        for old in own.iter() {
            let cell = patch.ways().bit(state.cells.of(old));
            for new in reserve.iter() {
                if patch.sites(new.walls()).1 & cell != 0 {
                    if at == 0 {
                        return Some(Action::Exchange { old, new });
                    }
                    at -= 1;
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Turn};
    use crate::games::Catalogued;
    use crate::games::alhambra::random::draw_place;
    use crate::games::alhambra::rules::{PaymentSets, Rules};
    use crate::games::alhambra::state::{Phase, TileSet};

    /// At every decision of some random games, on maps of all sizes: the same action as from the list, for the same word.
    #[test]
    fn an_action_by_number_is_that_of_the_list() {
        let (mut main, mut placed) = (0, 0);
        for (seed, seats) in [(0, 2), (1, 2), (2, 2), (3, 3), (4, 4), (5, 6)] {
            let payment_sets = if seed % 2 == 0 { PaymentSets::Minimal } else { PaymentSets::Any };
            let rules = Rules { payment_sets, ..Alhambra::default_rules(seats) };
            let game = Alhambra::new(rules, seats).unwrap();
            let (mut luck, mut choice) = (Stream::from_seed(seed), Stream::from_seed(300 + seed));
            let (mut state, mut buffer) = (game.initial(), Vec::new());
            loop {
                let action = match game.turn(&state) {
                    Turn::Over => break,
                    Turn::Chance(_) => game.sample_chance(&state, luck.word()),
                    Turn::Decision(seat) => {
                        let mut stream = choice.clone();
                        let tiles = match state.phase {
                            Phase::Place => state.bought,
                            Phase::Claimed { tile, .. } => TileSet::from_iter([tile]),
                            _ => TileSet::default(),
                        };
                        let by_number = match Patch::<u128>::of(game.map(&state, seat)) {
                            Some(_) if matches!(state.phase, Phase::Main { .. }) => {
                                game.pick_main_action(&state, &mut stream)
                            }
                            Some(patch) if !tiles.is_empty() => {
                                draw_place(&patch, tiles, game.with_dirk(), &mut stream)
                            }
                            _ => None,
                        };
                        let listed = game.pick_from_list(&state, seat, &mut choice, &mut buffer);
                        if let Some(action) = by_number {
                            assert_eq!(action, listed);
                            assert!(stream == choice);
                            main += u32::from(tiles.is_empty());
                            placed += u32::from(!tiles.is_empty());
                        }
                        listed
                    }
                    Turn::Simultaneous(_) => unreachable!(),
                };
                game.apply(&mut state, action);
            }
        }
        assert!(main > 1000 && placed > 100, "{main} main, {placed} placed");
    }
}
