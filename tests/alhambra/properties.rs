//! What holds in every state of random games, with random rules and any number of players.

use std::collections::BTreeMap;

use dhow::game::{Game, MAX_SEATS, Seat, Turn};
use dhow::games::Catalogued;
use dhow::games::alhambra::Alhambra;
use dhow::games::alhambra::scoring::{majority, places};
use dhow::games::alhambra::state::{Action, Card, Currency, FewCards, Marks, Phase, Purse, State, TileSet};
use dhow::games::alhambra::tiles::{Building, TABLE};
use dhow::games::switches::{build, random_overrides};
use dhow::streams::Stream;
use proptest::prelude::*;

use crate::{begun, game, purses, random_game, tiles};

/// The sums of the table (also checked when it is compiled).
#[test]
fn the_table_of_tiles_has_its_sums() {
    let count = |test: &dyn Fn(&dhow::games::alhambra::tiles::Printed) -> bool| {
        TABLE.iter().filter(|t| test(t)).count()
    };
    let types = Building::ALL.map(|building| count(&|tile| tile.building == building));
    assert_eq!(types, [7, 7, 9, 9, 11, 11]);
    assert_eq!(Building::ALL.map(|building| building.tiles().count_ones()), [7, 7, 9, 9, 11, 11]);
    assert_eq!([1, 2, 4, 8].map(|side| count(&|tile| tile.walls & side != 0)), [20; 4]);
    assert_eq!([1, 2, 4, 8].map(|side| count(&|tile| tile.walls == side)), [4; 4]);
    assert_eq!([3, 6, 12, 9].map(|corner| count(&|tile| tile.walls == corner)), [5; 4]);
    assert_eq!([14, 13, 11, 7].map(|three| count(&|tile| tile.walls == three)), [2; 4]);
    assert_eq!(count(&|tile| tile.walls == 0), 10);
    assert_eq!(TABLE.iter().map(|tile| tile.price as u32).sum::<u32>(), 421);
    // No two tiles are alike, so a number is a tile's name and nothing more.
    let mut kinds: Vec<_> = TABLE.iter().map(|tile| (tile.building, tile.price, tile.walls)).collect();
    kinds.sort();
    kinds.dedup();
    assert_eq!(kinds.len(), 54);
    // The file is a table that anybody can read.
    let first = include_str!("../../src/games/alhambra/tiles.csv").lines().nth(1).unwrap();
    assert_eq!(first, "0,pavilion,2,1,1,0,1");
    assert_eq!((TABLE[0].building, TABLE[0].price, TABLE[0].walls), (Building::Pavilion, 2, 0b1011));
}

/// Money, tiles and sultan cards: each is somewhere, and nothing is anywhere twice.
fn check_conservation(game: &Alhambra, state: &State) {
    let copies = if game.seats() == 2 { 2 } else { 3 };
    for currency in Currency::ALL {
        let mut all: Vec<u8> = Vec::new();
        for hand in &state.hands {
            all.extend(hand[currency as usize].values());
        }
        all.extend(state.deck[currency as usize].values());
        all.extend(state.discards[currency as usize].values());
        all.extend(state.display.iter().filter(|card| card.currency() == currency).map(Card::value));
        all.sort();
        let expected: Vec<u8> = (1..=9).flat_map(|value| [value; 3].into_iter().take(copies)).collect();
        assert_eq!(all, expected);
    }
    let unseen: u32 = state.deck.iter().map(|purse| purse.len()).sum();
    assert_eq!(unseen, state.piles.iter().map(|pile| pile.money as u32).sum::<u32>());

    let mut all: Vec<_> = state.bag.iter().chain(state.bought.iter()).chain(state.dirk.iter()).collect();
    all.extend(state.yard.iter().flatten());
    for seat in 0..MAX_SEATS {
        all.extend(state.alhambras[seat].iter().chain(state.reserves[seat].iter()));
    }
    if let Phase::Offer { tile, .. } | Phase::Claimed { tile, .. } | Phase::FinalClaimed { tile, .. } =
        state.phase
    {
        all.push(tile);
    }
    all.sort();
    assert_eq!(all, TileSet::ALL.iter().collect::<Vec<_>>());

    if state.turn > 0 {
        let sultan = &state.sultan;
        let sum = |cards: &[[u8; 6]]| cards.iter().flatten().map(|&count| count as u32).sum::<u32>();
        let mut cards = sultan.deck.iter().map(|&count| count as u32).sum::<u32>();
        assert_eq!(cards, state.piles.iter().map(|pile| pile.sultan as u32).sum::<u32>());
        cards += sum(&sultan.open) + sum(&sultan.owned) + Vec::from(sultan.unsettled).len() as u32;
        cards += state.counters.iter().map(|own| own.sultan_used as u32).sum::<u32>();
        cards += u32::from(matches!(
            state.phase,
            Phase::Reveal { .. } | Phase::Mark { .. } | Phase::MarkRoll { .. }
        ));
        let rules = game.rules();
        let all: u8 = if rules.sultan { rules.sultan_currencies.iter().sum() } else { 0 };
        assert_eq!(cards, all as u32);
    }
}

/// Starting hands are worth 20 to 28 (base game, set-up).
fn check_starting_hands(state: &State, seats: usize) {
    if state.phase == Phase::StartDisplay {
        for hand in &state.hands[..seats] {
            let total: u32 = hand.iter().map(|purse| purse.total()).sum();
            assert!((20..=28).contains(&total));
        }
    }
}

/// The word in the middle of each outcome's interval picks that outcome, and so do words near the ends.
fn check_sampling(game: &Alhambra, state: &State) {
    let mut outcomes = Vec::new();
    game.chance(state, &mut outcomes);
    let mut sum = 0.0;
    for (action, probability) in outcomes {
        assert!(probability > 0.0);
        for part in [0.001, 0.5, 0.999] {
            let word = ((sum + part * probability) * 2f64.powi(64)) as u64;
            assert_eq!(game.sample_chance(state, word), action);
        }
        sum += probability;
    }
    assert!((sum - 1.0).abs() < 1e-12);
}

fn check_game(game: &Alhambra, seed: u64) {
    let (mut last_turn, mut decisions, mut count) = (0, 0u32, 0);
    let end = random_game(game, seed, |state, action| {
        count += 1;
        check_conservation(game, state);
        check_starting_hands(state, game.seats());
        assert!(game.turns(state) == last_turn || game.turns(state) == last_turn + 1);
        last_turn = game.turns(state);
        let Some(action) = action else { return };
        assert_eq!(action.to_string().parse::<Action>().unwrap(), action);
        match game.turn(state) {
            Turn::Decision(seat) => {
                decisions += 1;
                assert!(game.check_action(state, seat, action).is_ok());
            }
            Turn::Chance(source) => {
                assert!((source.kind as usize) < game.luck().len() && source.seat.is_none());
                if count % 4 == 0 {
                    check_sampling(game, state);
                }
            }
            _ => unreachable!(),
        }
        if count % 9 == 0 {
            let json = serde_json::to_string(state).unwrap();
            assert_eq!(serde_json::from_str::<State>(&json).unwrap(), *state);
        }
    });
    assert!(decisions <= game.step_limit());
    let outcome = game.outcome(&end).unwrap();
    assert!(game.endings().contains(&outcome.ending()));
    let mut tally = vec![0; game.tally_names().len()];
    let mut orders = Vec::new();
    for seat in Seat::all(game.seats()) {
        game.tally(&end, seat, &mut tally);
        orders.push(tally[0]);
        assert_eq!(tally[7], end.alhambras[seat.index()].len() as i64);
        assert!(tally[2] >= tally[3]);
    }
    orders.sort();
    assert_eq!(orders, (1..=game.seats() as i64).collect::<Vec<_>>());
}

#[test]
fn random_games_with_the_published_rules() {
    for seats in 2..=6 {
        check_game(&game(seats, |_| {}), 40 + seats as u64);
        check_game(&game(seats, |rules| rules.sultan = false), 50 + seats as u64);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 14, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_games_with_random_rules(seed in any::<u32>(), seats in 2usize..=6) {
        let mut stream = Stream::from_seed(seed as u64);
        let mut overrides = random_overrides::<Alhambra>(seats, &mut stream);
        if stream.below(2) == 1 {
            overrides.insert("max_turns".into(), toml::Value::Integer(20 + stream.below(200) as i64));
        }
        check_game(&build(&overrides, seats).unwrap(), seed as u64);
    }
}

/// For every way to spread up to eleven tiles over four parties: no more is paid than the table holds, the
/// places taken are paid in full up to rounding, and a party with more never gets less.
#[test]
fn points_of_a_type_never_exceed_the_table() {
    for scoring in 0..3 {
        for building in Building::ALL {
            let table = places(scoring, building);
            for code in 0..12u32.pow(4) {
                let counts = [0, 1, 2, 3].map(|at| (code / 12u32.pow(at) % 12) as u8);
                if counts.iter().sum::<u8>() > 11 {
                    continue;
                }
                let points = majority(&counts, table);
                let sum: u16 = points.iter().sum();
                assert!(sum <= table.iter().sum());
                let takers = counts.iter().filter(|&&count| count > 0).count();
                let due: u16 = table.iter().take(takers).sum();
                assert!(sum <= due && sum + 3 >= due, "{counts:?} {points:?}");
                for one in 0..4 {
                    assert!(counts[one] > 0 || points[one] == 0);
                    assert!((0..4).all(|other| counts[one] < counts[other] || points[one] >= points[other]));
                }
            }
        }
    }
}

/// The score card as printed.
#[test]
fn the_table_of_points() {
    let printed = [
        [[1, 0, 0], [8, 1, 0], [16, 8, 1]],
        [[2, 0, 0], [9, 2, 0], [17, 9, 2]],
        [[3, 0, 0], [10, 3, 0], [18, 10, 3]],
        [[4, 0, 0], [11, 4, 0], [19, 11, 4]],
        [[5, 0, 0], [12, 5, 0], [20, 12, 5]],
        [[6, 0, 0], [13, 6, 0], [21, 13, 6]],
    ];
    for building in Building::ALL {
        assert_eq!([0, 1, 2].map(|scoring| places(scoring, building)), printed[building as usize]);
    }
}

/// Drawing a random action without the list gives every legal one equally often.
#[test]
fn random_actions_are_uniform() {
    const DRAWS: usize = 6000;
    for seats in [2, 4] {
        let game = game(seats, |_| {});
        let mut states: Vec<State> = Vec::new();
        let mut seen = BTreeMap::new();
        for seed in 0..6 {
            let mut at = 0;
            random_game(&game, 70 + seed, |state, _| {
                at += 1;
                let kind = match state.phase {
                    Phase::Main { extra } => usize::from(extra),
                    // Several tiles to lay: where one cannot go, the draw passes on to the next.
                    Phase::Place if state.bought.len() > 1 => 5,
                    Phase::Place => 2,
                    Phase::Claimed { .. } => 3,
                    Phase::Won { .. } => 4,
                    _ => return,
                };
                let count = seen.entry(kind).or_insert(0);
                if *count < 4 && (at % 7 == 0 || kind == 5) {
                    *count += 1;
                    states.push(*state);
                }
            });
        }
        assert!(states.len() >= 12 && seen[&5] >= 2, "{seen:?}");
        let mut stream = Stream::from_seed(3);
        for state in states {
            let Turn::Decision(seat) = game.turn(&state) else { unreachable!() };
            let mut list = Vec::new();
            game.actions(&state, seat, &mut list);
            let mut counts = BTreeMap::new();
            let mut buffer = Vec::new();
            for _ in 0..DRAWS {
                *counts.entry(game.random_action(&state, seat, &mut stream, &mut buffer)).or_insert(0) += 1;
            }
            let expected = DRAWS as f64 / list.len() as f64;
            let chi: f64 = list
                .iter()
                .map(|action| (counts.remove(action).unwrap_or(0) as f64 - expected).powi(2) / expected)
                .sum();
            assert!(counts.is_empty(), "not offered: {counts:?}");
            let freedom = list.len() as f64 - 1.0;
            assert!(chi <= freedom + 5.0 * f64::sqrt(2.0 * freedom) + 1e-9, "{chi} of {freedom} in {list:?}");
        }
    }
}

#[test]
fn purses_count_and_sum() {
    let mut stream = Stream::from_seed(6);
    for _ in 0..2000 {
        let counts = [(); 9].map(|()| stream.below(4) as u8);
        let values: Vec<u8> =
            (1..=9).flat_map(|value| vec![value; counts[value as usize - 1] as usize]).collect();
        let purse: Purse = values.iter().copied().collect();
        assert_eq!(purse.len() as usize, values.len());
        assert_eq!(purse.total(), values.iter().map(|&value| value as u32).sum::<u32>());
        assert_eq!(Vec::from(purse), values);
        assert!((1..=9).all(|value| purse.count(value) == counts[value as usize - 1]));
        assert_eq!(purse.is_empty(), values.is_empty());
        let fewer: Purse = values.iter().copied().filter(|_| stream.below(2) == 0).collect();
        assert!(purse.holds(fewer));
        assert_eq!(purse.holds(fewer) && fewer.holds(purse), purse == fewer);
        assert_eq!(purse.less(fewer).and(fewer), purse);
    }
    assert!(Purse::try_from(vec![3, 3, 3, 3]).is_err() && Purse::try_from(vec![0]).is_err());
    assert!(Purse::try_from(vec![10]).is_err() && Purse::try_from(vec![9, 1, 9, 9]).is_ok());
}

#[test]
fn few_cards_stay_in_order() {
    let mut stream = Stream::from_seed(7);
    for _ in 0..2000 {
        let mut list: Vec<Card> = (0..stream.below(5))
            .map(|_| Card::new(Currency::ALL[stream.below(4)], 1 + stream.below(9) as u8))
            .collect();
        let cards: FewCards = list.iter().copied().collect();
        let part: Vec<Card> = list.iter().copied().filter(|_| stream.below(2) == 0).collect();
        let mut rest = list.clone();
        for card in &part {
            rest.remove(rest.iter().position(|other| other == card).unwrap());
        }
        assert_eq!(cards.without(part.into_iter().collect()), rest.into_iter().collect());
        list.sort();
        assert_eq!(Vec::from(cards), list);
        assert_eq!(
            (cards.len(), cards.is_empty(), cards.is_full()),
            (list.len(), list.is_empty(), list.len() == 4)
        );
    }
}

#[test]
fn marks_come_out_in_the_order_in_which_they_went_in() {
    let mut stream = Stream::from_seed(8);
    for _ in 0..200 {
        let list: Vec<Building> = (0..stream.below(21)).map(|_| Building::ALL[stream.below(6)]).collect();
        let mut marks = Marks::try_from(list.clone()).unwrap();
        assert_eq!(Vec::from(marks), list);
        assert_eq!(marks.is_empty(), list.is_empty());
        assert_eq!(marks.pop(), list.first().copied());
        assert_eq!(Vec::from(marks), list.get(1..).unwrap_or_default());
    }
    assert!(Marks::try_from(vec![Building::Tower; 21]).is_err());
}

/// Text that is no action is refused in words, never by a panic.
#[test]
fn strange_texts_are_refused() {
    let strange = [
        "",
        "buy",
        "buy denar",
        "buy denar 4+",
        "buy denar 4+3+3+3+3",
        "buy euro 4",
        "take",
        "take denar 10",
        "take denar 1 + denar 1 + denar 1 + denar 1 + denar 1",
        "place 54 at 0,1",
        "place 3 at 0",
        "place 3",
        "reserve -1",
        "dirk x",
        "exchange 3",
        "exchange 3 by 4",
        "sultan denar 7",
        "sultan denar garden",
        "start 0",
        "start 7",
        "start x",
        "die",
        "mark stable",
        "card denar 0",
        "tile 99",
        "pass now",
        "keep 1",
        "place 3 at 300,0",
        "sultan card euro",
        "scoring",
        "flip flop",
    ];
    for text in strange {
        let error = text.parse::<Action>().unwrap_err();
        assert_eq!(error.text, text);
    }
    for text in ["  pass ", "take denar 1+denar 2", "buy denar 3+4", "exchange 3  for  4"] {
        assert!(text.parse::<Action>().is_ok(), "{text}");
    }
    proptest!(|(text in "\\PC{0,30}")| { let _ = text.parse::<Action>(); });
}

#[test]
fn broken_states_are_refused() {
    let game = game(2, |_| {});
    let state = begun(&game, 2);
    let good = serde_json::to_value(state).unwrap();
    assert!(serde_json::from_value::<State>(good.clone()).is_ok());
    let broken = [
        ("bag", serde_json::json!([54])),
        ("bag", serde_json::json!([1, 1])),
        (
            "display",
            serde_json::json!([["denar", 1], ["denar", 1], ["denar", 1], ["denar", 1], ["denar", 1]]),
        ),
        ("display", serde_json::json!([["denar", 0]])),
        ("deck", serde_json::json!([[1, 1, 1, 1], [], [], []])),
        ("cells", serde_json::json!([[3, 99, 0]])),
    ];
    for (key, value) in broken {
        let mut bad = good.clone();
        bad[key] = value;
        assert!(serde_json::from_value::<State>(bad).is_err(), "{key}");
    }
}

#[test]
fn rules_that_do_not_go_together_are_refused() {
    let refused = |change: fn(&mut dhow::games::alhambra::rules::Rules)| {
        let mut rules = Alhambra::default_rules(3);
        change(&mut rules);
        Alhambra::new(rules, 3).unwrap_err().to_string()
    };
    use dhow::games::alhambra::rules::ReplenishOrder;
    let text = refused(|rules| rules.replenish_order = ReplenishOrder::MoneyTilesScore);
    assert!(text.contains("replenish_order") && text.contains("sultan"));
    assert!(refused(|rules| rules.sultan_currencies = [2, 2, 2, 1]).contains("sums"));
    assert!(refused(|rules| rules.sultan_piles = [3, 2, 3, 0, 1]).contains("sums"));
    assert!(refused(|rules| rules.hole_connectivity = 6).contains("4 or 8"));
    assert!(refused(|rules| rules.max_turns = 0).contains("max_turns"));
    assert!(refused(|rules| rules.max_turns = 10_001).contains("max_turns"));
    assert!(refused(|rules| rules.sultan_price = 0).contains("sultan_price"));
    assert!(refused(|rules| rules.sultan_price = 16).contains("sultan_price"));
    assert!(refused(|rules| rules.sultan_rerolls = 6).contains("sultan_rerolls"));
    assert!(refused(|rules| rules.sultan_max_uses_per_refill = 9).contains("uses"));
    assert!(
        refused(|rules| (rules.sultan_currencies, rules.sultan_piles) = ([6, 2, 0, 0], [4, 4, 0, 0, 0]))
            .contains("up to")
    );
    assert!(
        refused(|rules| (rules.sultan_currencies, rules.sultan_piles) = ([3, 2, 0, 0], [5, 0, 0, 0, 0]))
            .contains("up to")
    );
    let mut edge = Alhambra::default_rules(6);
    edge.sultan_currencies = [5; 4];
    edge.sultan_piles = [4; 5];
    edge.sultan_price = 15;
    edge.sultan_rerolls = 5;
    edge.sultan_max_uses_per_refill = 8;
    edge.max_turns = 10_000;
    assert!(Alhambra::new(edge.clone(), 6).is_ok());
    assert!(Alhambra::new(edge.clone(), 7).is_err() && Alhambra::new(edge, 1).is_err());
    // Every switch is a field, and every field a switch.
    let table = dhow::games::switches::table_of(&Alhambra::default_rules(2));
    let mut keys: Vec<&str> = Alhambra::switches().iter().map(|switch| switch.key).collect();
    assert!(table.keys().all(|key| keys.contains(&key.as_str())) && table.len() == keys.len());
    assert!(Alhambra::rulings().iter().all(|ruling| ruling.key.is_none_or(|key| table.contains_key(key))));
    keys.dedup();
    assert_eq!(keys.len(), 21);
}

/// 1000 turns, 54 + 20 purchases, 20 marks of 7 decisions, 54 tiles to lay, and 58 offers to four seats and
/// the laying.
#[test]
fn the_bound_on_decisions() {
    assert_eq!(game(4, |_| {}).step_limit(), 1000 + 74 + 140 + 54 + 58 * 5);
    assert_eq!(game(2, |rules| rules.max_turns = 7).step_limit(), 7 + 74 + 140 + 54 + 58 * 3);
}

/// The tallies of a state made by hand.
#[test]
fn tallies() {
    let game = game(3, |_| {});
    let mut state = begun(&game, 1);
    state.start = Seat::new(1);
    crate::lay_out(&mut state, 0, &[(4, 0, -1), (19, -1, 0)]);
    state.reserves[0] = tiles(&[9]);
    state.hands[0] = purses([&[], &[], &[], &[]]);
    state.counters[0].sultan_bought = 2;
    state.counters[0].sultan_used = 1;
    state.counters[0].exact_payments = 5;
    state.counters[0].redesigns = 6;
    state.counters[0].tiles_bought = 3;
    state.counters[2].sultan_bought = 1;
    let tally = |state: &State, seat| {
        let mut out = [0; 10];
        game.tally(state, Seat::new(seat), &mut out);
        out
    };
    assert_eq!(tally(&state, 0), [3, 1, 2, 1, 5, 6, 3, 2, 1, 1]);
    assert_eq!(tally(&state, 1)[..3], [1, 0, 0]);
    assert_eq!(tally(&state, 2)[..3], [2, 0, 1]);
    state.counters[1].sultan_bought = 2;
    assert_eq!(tally(&state, 0)[1], 0);
}
