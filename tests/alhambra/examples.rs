//! The worked examples: scoring (S), map (W), other rules (O), the module (P).

use dhow::game::{Game, Seat, Turn};
use dhow::games::alhambra::Alhambra;
use dhow::games::alhambra::map::{Board, Frame, LARGE, SMALL};
use dhow::games::alhambra::money::{each_payment, each_take};
use dhow::games::alhambra::rules::{
    ClosedRing, EndTrigger, MarkTime, OfferOrder, PaymentSets, Rules, StartTie,
};
use dhow::games::alhambra::scoring::{majority, places};
use dhow::games::alhambra::state::{Cell, Currency, Ending, FewCards, Phase, Pile, Purse, State, TileSet};
use dhow::games::alhambra::tiles::{Building, Tile};

use crate::{begun, cards, game, lay_out, legal, play, purses, tiles};
use Building::{Arcades, Chambers, Garden, Pavilion, Seraglio, Tower};
use Currency::{Denar, Dirham, Ducat, Florin};

fn points(scoring: usize, building: Building, counts: &[u8]) -> Vec<u16> {
    majority(counts, places(scoring - 1, building))[..counts.len()].to_vec()
}

#[test]
fn s1_two_share_the_only_paid_place() {
    assert_eq!(points(1, Garden, &[2, 2, 1]), [2, 2, 0]);
}

#[test]
fn s2_three_players_through_three_scorings() {
    let gains = |scoring| {
        let (pavilions, arcades) =
            (points(scoring, Pavilion, &[2, 1, 1]), points(scoring, Arcades, &[1, 0, 2]));
        [0, 1, 2].map(|at| pavilions[at] + arcades[at])
    };
    assert_eq!(gains(1), [1, 0, 3]);
    assert_eq!(gains(2), [11, 0, 10]);
    assert_eq!(gains(3), [26, 4, 22]);
    assert_eq!([0, 1, 2].map(|at| gains(1)[at] + gains(2)[at] + gains(3)[at]), [38, 4, 35]);
}

#[test]
fn s3_two_share_first_and_second_place() {
    assert_eq!(points(3, Tower, &[3, 3, 1]), [17, 17, 6]);
}

#[test]
fn s4_three_share_the_third_place() {
    assert_eq!(points(3, Tower, &[5, 4, 2, 2, 2]), [21, 13, 2, 2, 2]);
}

#[test]
fn s5_four_share_everything() {
    assert_eq!(points(3, Tower, &[3, 3, 3, 3]), [10, 10, 10, 10]);
}

#[test]
fn s6_three_share_two_places() {
    assert_eq!(points(2, Tower, &[2, 2, 2]), [6, 6, 6]);
}

#[test]
fn s7_two_share_the_second_place() {
    assert_eq!(points(2, Tower, &[3, 2, 2]), [13, 3, 3]);
}

#[test]
fn s8_places_that_nobody_takes_are_not_paid() {
    assert_eq!(points(3, Seraglio, &[0, 1, 0]), [0, 17, 0]);
}

#[test]
fn s9_dirk_takes_part_in_ranks_and_ties() {
    assert_eq!(points(2, Chambers, &[3, 2, 3]), [7, 0, 7]);
    // And so he does in the engine: chambers 23 to 30, all with the side to the fountain open.
    let game = game(2, |_| {});
    let mut state = begun(&game, 1);
    state.dirk = tiles(&[25, 26, 27]);
    lay_out(&mut state, 0, &[(30, 1, 0), (31, 0, 1), (28, 0, -1)]);
    lay_out(&mut state, 1, &[(29, 1, 0), (24, -1, 0)]);
    state.bag.remove(Tile::new(0));
    let mut bare = state;
    bare.dirk = TileSet::default();
    for (mut state, expected) in [(state, [7, 0]), (bare, [11, 4])] {
        state.scoring_cards = 1;
        state.scorings = 1;
        state.display = cards(&[(Denar, 1), (Denar, 2), (Denar, 3)]);
        state.phase = Phase::Money;
        state.piles = [Pile { money: 0, sultan: 0, scoring: 1 }; 5];
        play(&game, &mut state, &["scoring card"]);
        state.piles = [Pile { money: 1, sultan: 0, scoring: 0 }; 5];
        let card = game.sample_chance(&state, 0);
        game.apply(&mut state, card);
        let walls = [0, 1].map(|seat| game.longest_wall(&state, Seat::new(seat)));
        assert_eq!([0, 1].map(|seat| state.scores[seat] - walls[seat] as u16), expected);
    }
}

/// The map of the examples, with real tiles.
const W_MAP: [(usize, i8, i8); 6] =
    [(4, 0, -1), (19, -1, 0), (11, -2, 0), (29, -2, 1), (48, -2, 2), (12, -1, 2)];

/// Seat 1 about to act, with that map and a reserve.
fn w_state(game: &Alhambra, reserve: &[usize]) -> State {
    let mut state = begun(game, 3);
    state.yard = [None; 4];
    state.display = FewCards::NONE;
    lay_out(&mut state, 0, &W_MAP);
    state.reserves[0] = tiles(reserve);
    state
}

fn wall(game: &Alhambra, state: &State) -> u32 {
    game.longest_wall(state, Seat::new(0))
}

/// Plays a redesign of seat 1 and hands the turn back to it.
#[track_caller]
fn redesign(game: &Alhambra, state: &mut State, text: &str) {
    assert!(legal(game, state).contains(&text.to_owned()), "{text} in {:?}", legal(game, state));
    let before = *state;
    play(game, state, &[text]);
    let after = *state;
    *state = before;
    state.cells = after.cells;
    state.alhambras = after.alhambras;
    state.reserves = after.reserves;
}

#[test]
fn w0_the_map_can_be_built_in_the_order_given() {
    let game = game(3, |_| {});
    let mut state = begun(&game, 3);
    state.reserves[0] = W_MAP.iter().map(|&(tile, ..)| Tile::new(tile)).collect();
    for (tile, x, y) in W_MAP {
        redesign(&game, &mut state, &format!("add {tile} at {x},{y}"));
    }
}

#[test]
fn w1_longest_wall() {
    let game = game(3, |_| {});
    assert_eq!(wall(&game, &w_state(&game, &[])), 3);
}

#[test]
fn w2_single_placements() {
    let game = game(3, |_| {});
    // Without a wall: 6. To the north: 38. To the south: 28.
    let state = w_state(&game, &[6, 38, 28]);
    let actions = legal(&game, &state);
    let offered = |text: &str| actions.contains(&text.to_owned());
    for illegal in ["add 6 at 0,1", "add 38 at -1,-1", "add 28 at 0,-2", "add 38 at 0,-2", "add 6 at 2,-1"] {
        assert!(!offered(illegal), "{illegal}");
    }
    for allowed in ["add 28 at -1,-1", "add 6 at -2,3", "add 38 at 1,0", "add 38 at 1,-1"] {
        assert!(offered(allowed), "{allowed}");
    }
}

#[test]
fn w3_removals() {
    let game = game(3, |_| {});
    let removals: Vec<String> = legal(&game, &w_state(&game, &[]));
    assert_eq!(removals, ["remove 4", "remove 12"]);
}

#[test]
fn w4_walls_grow_and_vanish_with_redesigns() {
    let game = game(3, |_| {});
    let mut state = w_state(&game, &[28, 3, 42, 7, 6]);
    redesign(&game, &mut state, "add 28 at -1,-1");
    assert_eq!(wall(&game, &state), 3);
    redesign(&game, &mut state, "exchange 11 for 3");
    assert_eq!(wall(&game, &state), 4);
    redesign(&game, &mut state, "add 42 at -2,-1");
    assert_eq!(wall(&game, &state), 3);
    redesign(&game, &mut state, "add 7 at -2,3");
    assert_eq!(wall(&game, &state), 7);
    assert!(!legal(&game, &state).contains(&"exchange 28 for 6".to_owned()));
    assert!(state.reserves[0].contains(Tile::new(11)) && state.reserves[0].contains(Tile::new(6)));
}

const RING: [(usize, i8, i8); 8] =
    [(4, 0, -1), (8, 1, -1), (5, 1, 0), (2, 1, 1), (12, 0, 1), (1, -1, 1), (11, -1, 0), (3, -1, -1)];

#[test]
fn w5_a_closed_ring() {
    for (closed_ring, connectivity, expected) in [
        (ClosedRing::Full, 4, 12),
        (ClosedRing::MinusOne, 4, 11),
        (ClosedRing::Full, 8, 12),
        (ClosedRing::MinusOne, 8, 11),
    ] {
        let game = game(3, |rules| {
            rules.closed_ring = closed_ring;
            rules.hole_connectivity = connectivity;
        });
        let mut state = begun(&game, 3);
        state.yard = [None; 4];
        state.display = FewCards::NONE;
        state.reserves[0] = RING.iter().map(|&(tile, ..)| Tile::new(tile)).collect();
        for (at, (tile, x, y)) in RING.into_iter().enumerate() {
            redesign(&game, &mut state, &format!("add {tile} at {x},{y}"));
            // An open chain never loses a segment: tile by tile each end of it grows.
            assert_eq!(wall(&game, &state), [1, 3, 4, 6, 7, 9, 10, expected][at]);
        }
        state.reserves[0] = TileSet::ALL.iter().filter(|&tile| !state.alhambras[0].contains(tile)).collect();
        assert!(legal(&game, &state).iter().all(|text| !text.starts_with("add")));
    }
}

/// O1, and its variants: equal hands go by seat or by lot.
#[test]
fn o1_start_player() {
    let deal = |rules: fn(&mut Rules), hands: [[&[u8]; 4]; 3]| {
        let game = game(3, rules);
        let mut state = begun(&game, 1);
        state.turn = 0;
        state.display = FewCards::NONE;
        state.deck = [Purse::full(3); 4];
        state.piles = [Pile::default(); 5];
        state.piles[4].money = 108;
        for (seat, hand) in hands.into_iter().enumerate() {
            state.hands[seat] = purses(hand);
        }
        state.phase = Phase::StartMoney { seat: Seat::new(2) };
        play(&game, &mut state, &["card denar 9"]);
        (game, state)
    };
    let (_, state) = deal(
        |_| {},
        [[&[1, 2], &[3, 7], &[9], &[]], [&[8, 9], &[1, 8], &[], &[]], [&[], &[1, 5, 9], &[], &[]]],
    );
    assert_eq!((state.start, state.phase), (Seat::new(2), Phase::StartDisplay));
    // A: 4 cards worth 24, B: 4 worth 22, C: 4 worth 24.
    let (_, state) = deal(
        |_| {},
        [[&[9], &[1, 5, 9], &[], &[]], [&[8], &[1, 5, 8], &[], &[]], [&[], &[1, 5, 9], &[], &[]]],
    );
    assert_eq!(state.start, Seat::new(1));
    let tied: [[&[u8]; 4]; 3] =
        [[&[9], &[1, 5, 9], &[8], &[]], [&[9], &[1, 5, 9], &[], &[]], [&[], &[1, 5, 9], &[], &[]]];
    let (_, state) = deal(|_| {}, tied);
    assert_eq!(state.start, Seat::new(1));
    let (game, mut state) = deal(|rules| rules.start_tie = StartTie::Random, tied);
    assert_eq!(state.phase, Phase::StartPlayer);
    let mut odds = Vec::new();
    game.chance(&state, &mut odds);
    let odds: Vec<(String, f64)> =
        odds.into_iter().map(|(action, odds)| (action.to_string(), odds)).collect();
    assert_eq!(odds, [("start 2".to_owned(), 0.5), ("start 3".to_owned(), 0.5)]);
    assert_eq!([0, 1 << 63].map(|word| game.sample_chance(&state, word).to_string()), ["start 2", "start 3"]);
    play(&game, &mut state, &["start 3"]);
    assert_eq!((state.start, state.active, state.phase), (Seat::new(2), Seat::new(2), Phase::StartDisplay));
}

fn takes(list: &[(Currency, u8)]) -> Vec<String> {
    let mut found = Vec::new();
    each_take(cards(list), |cards| found.push(cards.to_string()));
    found
}

#[test]
fn o2_what_may_be_taken() {
    let different = takes(&[(Denar, 1), (Denar, 2), (Dirham, 2), (Ducat, 7)]);
    assert_eq!(
        different,
        [
            "denar 1",
            "denar 2",
            "dirham 2",
            "ducat 7",
            "denar 1 + denar 2",
            "denar 1 + dirham 2",
            "denar 2 + dirham 2",
            "denar 1 + denar 2 + dirham 2",
        ]
    );
    let equal = takes(&[(Denar, 1), (Denar, 2), (Denar, 2), (Ducat, 7)]);
    assert_eq!(
        equal,
        [
            "denar 1",
            "denar 2",
            "ducat 7",
            "denar 1 + denar 2",
            "denar 2 + denar 2",
            "denar 1 + denar 2 + denar 2",
        ]
    );
    assert_eq!(takes(&[(Denar, 1), (Denar, 1), (Denar, 1), (Florin, 2)]).len(), 7);
    assert_eq!(
        takes(&[(Denar, 4), (Denar, 1), (Denar, 5), (Florin, 2)]),
        ["denar 1", "denar 4", "denar 5", "florin 2", "denar 1 + denar 4", "denar 1 + florin 2"]
    );
}

fn payments(sets: PaymentSets, values: &[u8], price: u8) -> Vec<String> {
    let mut found = Vec::new();
    let purse: Purse = values.iter().copied().collect();
    each_payment(sets, purse, price, &mut |cards: Purse| found.push(cards.to_string()));
    found.sort();
    found
}

#[test]
fn o3_payments() {
    assert_eq!(payments(PaymentSets::Minimal, &[7, 5, 2, 2], 9), ["5+2+2", "7+2", "7+5"]);
    assert_eq!(
        payments(PaymentSets::Any, &[7, 5, 2, 2], 9),
        ["5+2+2", "7+2", "7+2+2", "7+5", "7+5+2", "7+5+2+2"]
    );
    // The checked entry refuses what is not offered.
    let minimal = game(3, |_| {});
    let mut state = begun(&minimal, 1);
    state.yard[0] = Some(Tile::new(21));
    state.hands[0] = purses([&[7, 5, 2, 2], &[], &[], &[]]);
    let extra = "buy denar 7+2+2".parse().unwrap();
    assert!(minimal.play(&mut state, Seat::new(0), extra).is_err());
    let any = game(3, |rules| rules.payment_sets = PaymentSets::Any);
    assert!(any.play(&mut state, Seat::new(0), extra).is_ok());
    assert_eq!(state.counters[0].exact_payments, 0);
    assert_eq!(state.phase, Phase::Place);
    assert_eq!(state.hands[0], purses([&[5], &[], &[], &[]]));
    assert_eq!(state.discards, purses([&[7, 2, 2], &[], &[], &[]]));
}

#[test]
fn o4_tiles_won_by_money_at_the_end() {
    let game = game(3, |_| {});
    let mut state = begun(&game, 1);
    state.bag = TileSet::default();
    state.yard = [None, Some(Tile::new(6)), Some(Tile::new(13)), Some(Tile::new(21))];
    state.hands[0] = purses([&[], &[], &[9], &[4]]);
    state.hands[1] = purses([&[9], &[], &[4, 5], &[]]);
    state.hands[2] = purses([&[], &[], &[2], &[3]]);
    state.display = cards(&[(Denar, 1), (Denar, 1), (Denar, 1), (Denar, 5)]);
    state.piles = [Pile { money: 3, sultan: 0, scoring: 0 }; 5];
    play(&game, &mut state, &["take denar 5"]);
    let card = game.sample_chance(&state, 1 << 40);
    game.apply(&mut state, card);
    // The last slot is florin: seat 1 has 4 of it, seat 3 has 3. Ducat is tied, dirham nobody has.
    assert_eq!(state.ending, Some(Ending::Tiles));
    assert_eq!(state.winners, [None, None, None, Some(Seat::new(0))]);
    assert_eq!(game.turn(&state), Turn::Decision(Seat::new(0)));
    assert!(!legal(&game, &state).contains(&"dirk 21".to_owned()));
    play(&game, &mut state, &["place 21 at 1,0"]);
    assert_eq!(game.turn(&state), Turn::Over);
    assert_eq!(state.yard, [None, Some(Tile::new(6)), Some(Tile::new(13)), None]);
    assert_eq!((state.scores[0], state.scores[1], state.scores[2]), (18, 0, 0));
    assert_eq!(game.outcome(&state).unwrap().ending(), "tiles");
}

/// Two slots and two tiles: play goes on with an empty bag until a purchase.
#[test]
fn o5_the_bag_runs_out() {
    let trigger = |end_trigger| {
        game(3, |rules| {
            rules.sultan = false;
            rules.end_trigger = end_trigger;
        })
    };
    let normal = trigger(EndTrigger::CannotRefill);
    let mut state = begun(&normal, 1);
    state.bag = tiles(&[10, 20]);
    state.yard = [Some(Tile::new(0)), Some(Tile::new(7)), Some(Tile::new(40)), Some(Tile::new(41))];
    state.hands[0] = purses([&[2], &[3], &[], &[]]);
    state.hands[1] = purses([&[], &[], &[9, 9], &[]]);
    let first = ["buy denar 2", "buy dirham 3"];
    play(&normal, &mut state, &first);
    assert_eq!(state.phase, Phase::Main { extra: true });
    assert_eq!(state.counters[0].exact_payments, 2);
    let taken = legal(&normal, &state)[0].clone();
    play(&normal, &mut state, &[&taken, "reserve 0", "reserve 7"]);
    let mut early = state;
    let finish = |game: &Alhambra, state: &mut State| {
        while state.phase == Phase::Money {
            let card = game.sample_chance(state, 1 << 63);
            game.apply(state, card);
        }
        play(game, state, &["tile 20", "tile 10"]);
    };
    finish(&normal, &mut state);
    assert_eq!(state.yard[..2], [Some(Tile::new(20)), Some(Tile::new(10))]);
    assert_eq!((state.ending, state.phase), (None, Phase::Main { extra: false }));
    assert_eq!((state.active, state.turn), (Seat::new(1), 2));
    play(&normal, &mut state, &["buy ducat 9+9", "reserve 40"]);
    assert_eq!(state.ending, Some(Ending::Tiles));
    // The other reading ends the game at once.
    finish(&trigger(EndTrigger::BagEmpty), &mut early);
    assert_eq!(early.ending, Some(Ending::Tiles));
}

/// Seat 1 about to act, with nothing open.
fn p_state(game: &Alhambra) -> State {
    let mut state = begun(game, 5);
    state.hands = Default::default();
    state.display = cards(&[(Denar, 1), (Denar, 2), (Florin, 9), (Florin, 8)]);
    state
}

#[test]
fn p1_a_card_is_revealed_and_a_scoring_waits_for_the_display() {
    let game = game(3, |_| {});
    let mut state = p_state(&game);
    state.piles[0] = Pile { money: 4, sultan: 2, scoring: 1 };
    lay_out(&mut state, 1, &[(30, 1, 0)]);
    state.yard[2] = None;
    play(&game, &mut state, &["take denar 1 + denar 2", "sultan card denar"]);
    assert_eq!(state.phase, Phase::Reveal { currency: Denar });
    play(&game, &mut state, &["die garden", "card denar 5", "scoring card"]);
    assert_eq!((state.scores[1], state.scorings, state.scoring_cards), (0, 0, 1));
    assert_eq!(state.phase, Phase::Money);
    play(&game, &mut state, &["card denar 3"]);
    assert_eq!((state.scores[1], state.scorings), (4, 1));
    assert_eq!(state.phase, Phase::Yard);
    assert_eq!(state.sultan.open[Denar as usize][Garden as usize], 1);
    assert_eq!(state.sultan.open.iter().flatten().sum::<u8>(), 1);
    assert_eq!(state.display, cards(&[(Denar, 3), (Denar, 5), (Florin, 8), (Florin, 9)]));
    assert_eq!(state.piles[0], Pile { money: 2, sultan: 1, scoring: 0 });
    assert_eq!(state.sultan.deck, [1, 2, 2, 2]);
}

#[test]
fn p2_a_card_is_bought() {
    for sets in [PaymentSets::Minimal, PaymentSets::Any] {
        let game = game(3, |rules| rules.payment_sets = sets);
        let mut state = p_state(&game);
        state.sultan.open[Ducat as usize][Garden as usize] = 1;
        state.hands[0] = purses([&[], &[], &[4, 3, 2], &[]]);
        let offered = legal(&game, &state).contains(&"sultan ducat garden 4+3+2".to_owned());
        assert_eq!(offered, sets == PaymentSets::Any);
        let mut too_much = state;
        play(&game, &mut state, &["sultan ducat garden 4+3", "keep"]);
        assert_eq!(state.phase, Phase::Main { extra: true });
        assert_eq!(state.sultan.owned[0][Garden as usize], 1);
        assert_eq!(state.sultan.open, [[0; 6]; 4]);
        assert_eq!((state.counters[0].sultan_bought, state.counters[0].exact_payments), (1, 1));
        assert_eq!(state.discards, purses([&[], &[], &[4, 3], &[]]));
        if sets == PaymentSets::Any {
            play(&game, &mut too_much, &["sultan ducat garden 4+3+2", "keep"]);
            assert_eq!((too_much.active, too_much.turn), (Seat::new(1), 2));
            assert_eq!(too_much.counters[0].exact_payments, 0);
        }
    }
}

#[test]
fn p3_a_second_roll() {
    let game = game(3, |_| {});
    let mut state = p_state(&game);
    state.sultan.open[Ducat as usize][Garden as usize] = 1;
    state.hands[0] = purses([&[], &[], &[4, 3, 2], &[]]);
    play(&game, &mut state, &["sultan ducat garden 4+3"]);
    assert_eq!(legal(&game, &state), ["keep", "roll"]);
    play(&game, &mut state, &["roll", "die seraglio"]);
    assert_eq!(legal(&game, &state), ["mark seraglio", "mark chambers"]);
    play(&game, &mut state, &["mark chambers"]);
    assert_eq!(state.sultan.owned[0], [0, 0, 0, 1, 0, 0]);
    assert_eq!(state.phase, Phase::Main { extra: true });
}

/// Seat 3 of four has just moved and the yard is filled.
fn p4_state(game: &Alhambra) -> State {
    let mut state = p_state(game);
    state.active = Seat::new(2);
    state.asked_first = Seat::new(3);
    state.bag = tiles(&[15, 16, 32, 33, 34, 40, 41, 51, 52, 6]);
    state.yard = [Some(Tile::new(0)), None, Some(Tile::new(1)), Some(Tile::new(2))];
    state.phase = Phase::Yard;
    state
}

#[test]
fn p4_order_of_offers() {
    let game = game(4, |_| {});
    let mut state = p4_state(&game);
    for seat in [0, 1, 2] {
        state.sultan.owned[seat][Garden as usize] = 1;
    }
    play(&game, &mut state, &["tile 40"]);
    assert_eq!(game.turn(&state), Turn::Decision(Seat::new(0)));
    assert_eq!(legal(&game, &state), ["claim", "decline"]);
    play(&game, &mut state, &["decline"]);
    assert_eq!(game.turn(&state), Turn::Decision(Seat::new(1)));
    play(&game, &mut state, &["claim"]);
    assert_eq!(state.phase, Phase::Claimed { tile: Tile::new(40), seat: Seat::new(1) });
    assert!(!legal(&game, &state).contains(&"dirk 40".to_owned()));
    play(&game, &mut state, &["place 40 at 0,1"]);
    assert_eq!(state.sultan.owned[1], [0; 6]);
    assert_eq!((state.sultan.owned[0][4], state.sultan.owned[2][4]), (1, 1));
    assert_eq!((state.phase, state.yard[1]), (Phase::Yard, None));
    play(&game, &mut state, &["tile 15"]);
    assert_eq!(state.yard[1], Some(Tile::new(15)));
    assert_eq!((state.phase, state.active), (Phase::Main { extra: false }, Seat::new(3)));
    assert_eq!(state.counters[1].sultan_used, 1);
}

#[test]
fn p4_after_a_claim_the_order_restarts_or_continues() {
    for (order, next) in [(OfferOrder::Restart, 0), (OfferOrder::Continue, 2)] {
        let game = game(4, |rules| rules.sultan_offer_order = order);
        let mut state = p4_state(&game);
        for seat in [0, 1, 2] {
            state.sultan.owned[seat][Garden as usize] = 2;
        }
        play(&game, &mut state, &["tile 40", "decline", "claim", "reserve 40", "tile 41"]);
        assert_eq!(game.turn(&state), Turn::Decision(Seat::new(next)), "{order:?}");
        // Once round the table: the claimer comes last.
        play(&game, &mut state, &["decline", "decline", "decline"]);
        assert_eq!(state.yard[1], Some(Tile::new(41)));
    }
}

#[test]
fn p5_several_cards_for_one_slot() {
    for limit in [0, 1, 2] {
        let game = game(4, |rules| rules.sultan_max_uses_per_refill = limit);
        let mut state = p4_state(&game);
        state.sultan.owned[3][Tower as usize] = 2;
        play(&game, &mut state, &["tile 51", "claim", "reserve 51", "tile 52"]);
        if limit == 1 {
            assert_eq!(state.yard[1], Some(Tile::new(52)));
            assert_eq!(state.sultan.uses, [0; 6], "counted anew in the next refill");
            continue;
        }
        play(&game, &mut state, &["claim", "place 52 at 0,-1", "tile 6"]);
        assert_eq!(state.yard[1], Some(Tile::new(6)));
        assert_eq!(state.bag.len(), 7);
        assert_eq!((state.reserves[3], state.alhambras[3]), (tiles(&[51]), tiles(&[52])));
    }
}

#[test]
fn p6_the_last_tile_is_claimed() {
    let game = game(4, |_| {});
    let mut state = p4_state(&game);
    state.bag = tiles(&[51]);
    state.sultan.owned[3][Tower as usize] = 1;
    play(&game, &mut state, &["tile 51", "claim", "place 51 at 0,1"]);
    assert_eq!((state.yard[1], state.bag, state.ending), (None, TileSet::default(), Some(Ending::Tiles)));
    assert_eq!(state.phase, Phase::Over);
    assert_eq!(state.scores[3], 21);
}

#[test]
fn p7_dirks_tiles_cannot_be_claimed() {
    let game = game(2, |_| {});
    let mut state = p_state(&game);
    state.asked_first = Seat::new(1);
    state.bag = tiles(&[32, 33, 34, 35, 36, 37, 40, 41]);
    state.yard[1] = None;
    state.dirk = TileSet::default();
    state.sultan.owned[1][Garden as usize] = 1;
    state.piles[0] = Pile { money: 2, sultan: 0, scoring: 1 };
    play(&game, &mut state, &["take florin 9", "scoring card", "card denar 3"]);
    for (left, tile) in [(6, 32), (5, 33), (4, 34), (3, 35), (2, 36), (1, 37)] {
        assert_eq!(state.phase, Phase::DirkTile { left });
        play(&game, &mut state, &[&format!("tile {tile}")]);
    }
    assert_eq!(state.dirk.len(), 6);
    assert_eq!(state.phase, Phase::Yard);
    play(&game, &mut state, &["tile 41"]);
    assert_eq!(game.turn(&state), Turn::Decision(Seat::new(1)));
    play(&game, &mut state, &["claim", "dirk 41"]);
    assert_eq!(state.dirk.len(), 7);
}

#[test]
fn p8_opposite_faces() {
    let pairs = [(Pavilion, Tower), (Arcades, Garden), (Seraglio, Chambers)];
    for (one, other) in pairs {
        assert_eq!((one.opposite(), other.opposite()), (other, one));
    }
    for building in Building::ALL {
        assert_ne!(building.opposite(), building);
        assert_eq!(building.opposite().opposite(), building);
    }
}

#[test]
fn marks_settled_at_the_end_of_the_turn_go_in_order_of_purchase() {
    let game = game(3, |rules| rules.sultan_mark_time = MarkTime::EndOfTurn);
    let mut state = p_state(&game);
    state.sultan.open[Ducat as usize] = [1, 0, 0, 0, 1, 0];
    state.hands[0] = purses([&[], &[], &[4, 3, 9], &[]]);
    state.bought = tiles(&[5]);
    play(&game, &mut state, &["sultan ducat garden 4+3"]);
    assert_eq!(state.phase, Phase::Main { extra: true });
    assert_eq!(state.sultan.owned[0], [0; 6]);
    play(&game, &mut state, &["sultan ducat pavilion 9"]);
    assert!(matches!(state.phase, Phase::Mark { mark: Garden, extra: false, .. }));
    play(&game, &mut state, &["keep", "roll", "die tower", "mark pavilion"]);
    assert_eq!(state.sultan.owned[0], [1, 0, 0, 0, 1, 0]);
    assert_eq!(state.phase, Phase::Place);
}

#[test]
fn a_mark_may_be_turned_where_the_switch_allows() {
    let game = game(3, |rules| {
        rules.sultan_flip_without_roll = true;
        rules.sultan_rerolls = 0;
    });
    let mut state = p_state(&game);
    state.sultan.open[Ducat as usize][Garden as usize] = 1;
    state.hands[0] = purses([&[], &[], &[4, 3, 2], &[]]);
    play(&game, &mut state, &["sultan ducat garden 4+3"]);
    assert_eq!(legal(&game, &state), ["keep", "flip"]);
    play(&game, &mut state, &["flip"]);
    assert_eq!(state.sultan.owned[0][Arcades as usize], 1);
}

#[test]
fn fresh_cards_wait_a_turn_where_the_switch_says_so() {
    for same_turn in [true, false] {
        let game = game(3, |rules| {
            rules.sultan_same_turn_use = same_turn;
            rules.sultan_rerolls = 0;
        });
        let mut state = p_state(&game);
        state.yard[1] = None;
        state.bag = tiles(&[40, 41, 6]);
        state.sultan.open[Ducat as usize][Garden as usize] = 1;
        state.hands[0] = purses([&[], &[], &[9], &[]]);
        let mut older = state;
        older.sultan.owned[0][Garden as usize] = 1;
        play(&game, &mut state, &["sultan ducat garden 9", "tile 40"]);
        assert_eq!(matches!(state.phase, Phase::Offer { .. }), same_turn);
        assert_eq!(state.sultan.fresh, [0; 6], "only kept while it matters");
        play(&game, &mut older, &["sultan ducat garden 9", "tile 40", "claim", "reserve 40", "tile 41"]);
        assert_eq!(matches!(older.phase, Phase::Offer { .. }), same_turn);
    }
}

#[test]
fn nothing_to_do_is_a_pass() {
    let game = game(3, |_| {});
    let mut state = p_state(&game);
    state.display = FewCards::NONE;
    state.deck = Default::default();
    state.piles = Default::default();
    assert_eq!(legal(&game, &state), ["pass"]);
    // Neither deck nor discards: the display stays short.
    play(&game, &mut state, &["pass"]);
    assert_eq!((state.turn, state.phase, state.display), (2, Phase::Main { extra: false }, FewCards::NONE));
    // Discards are shuffled when a card is needed and none is left.
    state.discards = purses([&[5], &[], &[], &[1]]);
    play(&game, &mut state, &["pass", "card florin 1", "card denar 5"]);
    assert_eq!((state.turn, state.display), (3, cards(&[(Denar, 5), (Florin, 1)])));
}

#[test]
fn the_extra_action_may_be_declined_where_the_switch_allows() {
    for allowed in [false, true] {
        let game = game(3, |rules| rules.allow_decline_extra_action = allowed);
        let mut state = p_state(&game);
        assert!(!legal(&game, &state).contains(&"pass".to_owned()));
        state.phase = Phase::Main { extra: true };
        assert_eq!(legal(&game, &state).contains(&"pass".to_owned()), allowed);
    }
}

/// However long the map grows in one direction: every question is answered.
#[test]
fn all_54_tiles_in_one_row() {
    let game = game(2, |_| {});
    for (right, down) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
        let placed: Vec<(usize, i8, i8)> =
            (0..54).map(|tile| (tile, right * (tile as i8 + 1), down * (tile as i8 + 1))).collect();
        let mut state = begun(&game, 1);
        state.yard = [None; 4];
        state.reserves = Default::default();
        lay_out(&mut state, 0, &placed);
        state.bag = TileSet::default();
        let bare = placed.iter().map(|&(_, x, y)| (Cell::new(x, y), 0));
        let frame = Frame::around(bare.clone().map(|(cell, _)| cell));
        assert!(frame.rows() <= LARGE && (right == 0 || frame.rows() <= SMALL));
        let board = Board::<LARGE>::draw(frame, bare);
        let mut cells = Vec::new();
        board.sites(false).for_each(&board, 0, |cell| cells.push(cell));
        // Both ends, and both sides of all 55 cells.
        assert_eq!(cells.len(), 2 + 2 * 55);
        assert!(
            cells.contains(&Cell::new(55 * right, 55 * down)) && cells.contains(&Cell::new(-right, -down))
        );
        assert!(cells.iter().all(|&cell| board.fits(cell, 0, false)));
        for at in 1..=54 {
            assert_eq!(board.may_remove(Cell::new(right * at, down * at), false), at == 54);
        }
        assert_eq!(board.outline(false).open, 2 + 2 * 55);
        // And in a state, with the real walls.
        let mut out = Vec::new();
        game.actions(&state, Seat::new(0), &mut out);
        assert!(game.longest_wall(&state, Seat::new(0)) > 0);
        let text = dhow::game::Narrate::draw(&game, &state, dhow::game::Ink::Plain);
        assert!(text.lines().all(|line| line.chars().count() <= 100));
        let json = serde_json::to_string(&state).unwrap();
        assert_eq!(serde_json::from_str::<State>(&json).unwrap(), state);
    }
}

#[test]
fn a_real_row_is_legal_to_its_end() {
    let game = game(3, |_| {});
    // Tiles without a wall to the east or west.
    let open: Vec<usize> = (0..54).filter(|&tile| Tile::new(tile).walls() & 0b1010 == 0).collect();
    assert_eq!(open.len(), 18);
    let mut state = begun(&game, 1);
    state.reserves[0] = tiles(&open);
    for (at, tile) in open.iter().enumerate() {
        redesign(&game, &mut state, &format!("add {tile} at {},0", at + 1));
    }
    assert_eq!(state.alhambras[0].len(), 18);
}

#[test]
fn the_cap_ends_the_game_after_the_whole_routine() {
    let game = game(3, |rules| rules.max_turns = 2);
    let mut state = p_state(&game);
    state.turn = 2;
    state.hands[0] = purses([&[9], &[], &[], &[]]);
    state.yard = [6, 7, 13, 21].map(|tile| Some(Tile::new(tile)));
    state.piles[0] = Pile { money: 3, sultan: 0, scoring: 0 };
    play(&game, &mut state, &["take florin 9"]);
    let card = game.sample_chance(&state, 0);
    game.apply(&mut state, card);
    assert_eq!(state.ending, Some(Ending::Cap));
    play(&game, &mut state, &["reserve 6"]);
    let outcome = loop {
        if let Some(outcome) = game.outcome(&state) {
            break outcome;
        }
        let text = legal(&game, &state)[0].clone();
        play(&game, &mut state, &[&text]);
    };
    assert!(outcome.capped());
}
