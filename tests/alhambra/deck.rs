//! The deck drawn lazily follows the law of a deck shuffled in advance.

use std::collections::BTreeMap;

use dhow::game::{Game, Turn};
use dhow::games::alhambra::Alhambra;
use dhow::games::alhambra::state::{Action, FewCards, Phase, Pile, Purse, State};
use dhow::games::alhambra::tiles::Building;
use dhow::streams::Stream;

use crate::{begun, game, purses};

/// Makes room, so that the next event is a card again.
fn clear(state: &mut State) {
    state.display = FewCards::NONE;
    if state.piles.iter().any(|pile| !pile.is_empty()) {
        state.phase = Phase::Money;
    }
}

/// A state whose deck is small: five piles with few cards each.
fn small(game: &Alhambra) -> State {
    let mut state = begun(game, 1);
    let pile = |money, sultan, scoring| Pile { money, sultan, scoring };
    state.piles = [pile(1, 1, 0), pile(1, 0, 1), pile(1, 1, 0), pile(1, 0, 1), pile(1, 0, 0)];
    state.deck = purses([&[4, 4], &[9], &[1], &[2]]);
    state.sultan.deck = [1, 0, 1, 0];
    state.hands = Default::default();
    clear(&mut state);
    state
}

/// Every order in which the lazy deck can come, with its probability.
fn lazy_orders(
    game: &Alhambra,
    state: &State,
    so_far: &mut Vec<String>,
    odds: f64,
    out: &mut BTreeMap<String, f64>,
) {
    if state.piles.iter().all(|pile| pile.is_empty()) {
        *out.entry(so_far.join(" ")).or_default() += odds;
        return;
    }
    let mut outcomes = Vec::new();
    game.chance(state, &mut outcomes);
    for (action, probability) in outcomes {
        let mut next = *state;
        game.apply(&mut next, action);
        if let Phase::Reveal { .. } = next.phase {
            game.apply(&mut next, Action::Die(Building::Garden));
        }
        clear(&mut next);
        so_far.push(action.to_string().replace("card", "").replace(' ', ""));
        lazy_orders(game, &next, so_far, odds * probability, out);
        so_far.pop();
    }
}

/// Calls `found` with every order of a list.
fn permutations<T: Clone>(items: &mut Vec<T>, from: usize, found: &mut dyn FnMut(&[T])) {
    if from == items.len() {
        return found(items);
    }
    for at in from..items.len() {
        items.swap(from, at);
        permutations(items, from + 1, found);
        items.swap(from, at);
    }
}

/// Shuffled decks, all of them: orders of money cards, of sultan cards, of each pile.
#[test]
fn lazy_draws_follow_exactly_the_law_of_all_shuffled_decks() {
    let game = game(3, |_| {});
    let mut lazy = BTreeMap::new();
    lazy_orders(&game, &small(&game), &mut Vec::new(), 1.0, &mut lazy);

    let mut physical: BTreeMap<String, u32> = BTreeMap::new();
    let mut decks = 0;
    let mut money = ["denar4", "denar4", "dirham9", "ducat1", "florin2"].map(String::from).to_vec();
    permutations(&mut money, 0, &mut |money| {
        let money = money.to_vec();
        let mut sultans = ["sultandenar", "sultanducat"].map(String::from).to_vec();
        permutations(&mut sultans, 0, &mut |sultans| {
            let scoring = || "scoring".to_owned();
            let mut piles = [
                vec![money[0].clone(), sultans[0].clone()],
                vec![money[1].clone(), scoring()],
                vec![money[2].clone(), sultans[1].clone()],
                vec![money[3].clone(), scoring()],
                vec![money[4].clone()],
            ];
            for shuffle in 0..16 {
                for (at, pile) in piles.iter_mut().enumerate() {
                    pile.sort();
                    if at < 4 && shuffle >> at & 1 == 1 {
                        pile.swap(0, 1);
                    }
                }
                *physical.entry(piles.concat().join(" ")).or_default() += 1;
                decks += 1;
            }
        });
    });
    assert_eq!(lazy.len(), physical.len());
    for (order, count) in physical {
        let expected = count as f64 / decks as f64;
        assert!((lazy[&order] - expected).abs() < 1e-12, "{order}: {} for {expected}", lazy[&order]);
    }
}

/// Where scoring and sultan cards lie in a whole deck, and which money cards come first.
#[test]
fn positions_in_a_whole_deck_follow_the_law_of_shuffled_decks() {
    const DECKS: usize = 3000;
    let game = game(4, |_| {});
    let mut luck = Stream::from_seed(8);
    let start = begun(&game, 8);
    let money: u32 = start.deck.iter().map(|purse| purse.len()).sum();
    let piles = start.piles;
    for (at, pile) in piles.iter().enumerate() {
        let (from, to) = (at as u32 * money / 5, (at as u32 + 1) * money / 5);
        assert_eq!(
            *pile,
            Pile { money: (to - from) as u8, sultan: [3, 2, 3, 0, 0][at], scoring: [0, 1, 0, 1, 0][at] }
        );
    }
    // Each deck as a list of kinds: 0 scoring, 1 to 4 sultan cards, 5 low and 6 high money.
    let kind = |action: Action| match action {
        Action::ScoringCard => 0,
        Action::SultanCard(currency) => 1 + currency as usize,
        Action::Card(card) => 5 + usize::from(card.value() > 6),
        _ => unreachable!("no card"),
    };
    let lazy = |luck: &mut Stream| {
        let (mut state, mut list) = (start, Vec::new());
        state.hands = Default::default();
        clear(&mut state);
        while state.piles.iter().any(|pile| !pile.is_empty()) {
            assert!(matches!(game.turn(&state), Turn::Chance(_)));
            let action = game.sample_chance(&state, luck.word());
            list.push(kind(action));
            game.apply(&mut state, action);
            if let Phase::Reveal { .. } = state.phase {
                game.apply(&mut state, Action::Die(Building::Garden));
            }
            clear(&mut state);
        }
        list
    };
    let high = |purse: Purse| purse.values().filter(|&value| value > 6).count();
    let high: usize = start.deck.iter().map(|&purse| high(purse)).sum();
    let physical = |luck: &mut Stream| {
        let mut cards: Vec<usize> = (0..money as usize).map(|at| 5 + usize::from(at < high)).collect();
        let mut sultans = vec![1, 1, 2, 2, 3, 3, 4, 4];
        luck.shuffle(&mut cards);
        luck.shuffle(&mut sultans);
        let mut list = Vec::new();
        for pile in piles {
            let mut shuffled: Vec<usize> = cards.drain(..pile.money as usize).collect();
            shuffled.extend(sultans.drain(..pile.sultan as usize));
            shuffled.extend(std::iter::repeat_n(0, pile.scoring as usize));
            luck.shuffle(&mut shuffled);
            list.extend(shuffled);
        }
        list
    };
    // Statistics of a deck, each with few values.
    let statistics = |deck: &[usize]| -> Vec<usize> {
        let places = |test: fn(usize) -> bool| {
            deck.iter().enumerate().filter(move |&(_, &kind)| test(kind)).map(|(at, _)| at)
        };
        let scorings: Vec<usize> = places(|kind| kind == 0).collect();
        let sultans: Vec<usize> = places(|kind| (1..5).contains(&kind)).collect();
        vec![
            scorings[0] / 3,
            scorings[1] / 3,
            sultans[0],
            sultans[4] / 3,
            sultans[7] / 3,
            sultans.iter().filter(|&&at| at < scorings[0]).count(),
            deck[sultans[0]] * 5 + deck[sultans[5]],
            deck[..8].iter().filter(|&&kind| kind == 6).count(),
            (deck[0] + 7 * deck[scorings[0] + 1]) + 49 * usize::from(deck.last() == Some(&6)),
        ]
    };
    let mut counts: Vec<BTreeMap<usize, [f64; 2]>> = vec![BTreeMap::new(); 9];
    for _ in 0..DECKS {
        for (side, deck) in [lazy(&mut luck), physical(&mut luck)].into_iter().enumerate() {
            assert_eq!(deck.len(), money as usize + 10);
            for (counts, value) in counts.iter_mut().zip(statistics(&deck)) {
                counts.entry(value).or_default()[side] += 1.0;
            }
        }
    }
    for (statistic, counts) in counts.iter().enumerate() {
        // Chi-squared of two samples of one size: mean k - 1, variance 2 (k - 1); seeds are fixed.
        let (mut chi, mut cells) = (0.0, -1.0);
        for [lazy, physical] in counts.values().filter(|pair| pair[0] + pair[1] >= 10.0) {
            chi += (lazy - physical) * (lazy - physical) / (lazy + physical);
            cells += 1.0;
        }
        let bound = cells + 4.5 * f64::sqrt(2.0 * cells);
        assert!(chi < bound, "statistic {statistic}: {chi} of {cells}");
    }
}

/// A reshuffled deck is one pile of what was paid.
#[test]
fn discards_come_back_as_one_pile() {
    let game = game(3, |_| {});
    let mut state = small(&game);
    state.piles = Default::default();
    state.piles[4].money = 1;
    state.deck = purses([&[], &[], &[], &[2]]);
    state.sultan.deck = [0; 4];
    state.discards = purses([&[1, 1, 3], &[7], &[], &[]]);
    let last = game.sample_chance(&state, 77);
    assert_eq!(last.to_string(), "card florin 2");
    game.apply(&mut state, last);
    assert_eq!(state.discards, purses([&[], &[], &[], &[]]));
    let mut odds = Vec::new();
    game.chance(&state, &mut odds);
    let odds: Vec<(String, f64)> =
        odds.into_iter().map(|(action, odds)| (action.to_string(), odds)).collect();
    assert_eq!(
        odds,
        [
            ("card denar 1".to_owned(), 0.5),
            ("card denar 3".to_owned(), 0.25),
            ("card dirham 7".to_owned(), 0.25)
        ]
    );
}
