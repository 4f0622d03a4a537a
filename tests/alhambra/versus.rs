//! The engine and its slow twin side by side: same turn, same legal actions, same odds, same state, same
//! outcome, at every step of random games with every switch and any number of players.

use std::collections::{BTreeMap, BTreeSet};

use dhow::game::{Game, Seat, Turn};
use dhow::games::Catalogued;
use dhow::games::alhambra::Alhambra;
use dhow::games::alhambra::rules::{
    ClosedRing, EndTrigger, MarkTime, OfferOrder, PaymentSets, ReplenishOrder, Rules, StartTie,
};
use dhow::games::alhambra::state::{Action, Card, Currency, Ending, Purse, Purses, State, TileSet};
use dhow::games::alhambra::tiles::{Building, Tile};
use dhow::games::switches::{build, random_overrides};
use dhow::streams::Stream;

use crate::game;
use crate::twin::Twin;

fn to_move(game: &Alhambra, state: &State) -> String {
    match game.turn(state) {
        Turn::Over => "over".into(),
        Turn::Chance(source) => game.luck()[source.kind as usize].name.into(),
        Turn::Decision(seat) => format!("seat {}", seat.index()),
        Turn::Simultaneous(_) => unreachable!(),
    }
}

/// The engine's state in the words of the twin.
fn seen(game: &Alhambra, state: &State) -> Vec<String> {
    let numbers = |set: TileSet| set.iter().map(Tile::index).collect::<BTreeSet<_>>();
    let values = |purses: &Purses| {
        let of = |currency: Currency| {
            let values = Vec::from(purses[currency as usize]);
            values.into_iter().map(move |value| (currency as usize, value))
        };
        Currency::ALL.into_iter().flat_map(of).collect::<Vec<_>>()
    };
    let display: Vec<(usize, u8)> =
        state.display.iter().map(|card: Card| (card.currency() as usize, card.value())).collect();
    let piles: Vec<[u8; 3]> = state
        .piles
        .iter()
        .map(|pile| [pile.money, pile.sultan, pile.scoring])
        .filter(|pile| *pile != [0; 3])
        .collect();
    let repeated = |counts: &[u8]| {
        let of = |(at, &count): (usize, &u8)| std::iter::repeat_n(at, count as usize);
        counts.iter().enumerate().flat_map(of).collect::<Vec<_>>()
    };
    let open: Vec<(usize, usize)> = (0..4)
        .flat_map(|currency| {
            repeated(&state.sultan.open[currency]).into_iter().map(move |mark| (currency, mark))
        })
        .collect();
    let unsettled: Vec<usize> =
        Vec::from(state.sultan.unsettled).into_iter().map(|mark: Building| mark as usize).collect();
    let ending = state.ending.map(|ending| if ending == Ending::Cap { "cap" } else { "tiles" });
    let seats = game.seats();
    let mut all = vec![
        format!("turn {} of {}, started by {}", state.turn, state.active.index(), state.start.index()),
        format!(
            "yard {:?} won {:?} bag {:?}",
            state.yard.map(|tile| tile.map(Tile::index)),
            state.winners.map(|seat| seat.map(Seat::index)),
            numbers(state.bag)
        ),
        format!("bought {:?} dirk {:?}", numbers(state.bought), numbers(state.dirk)),
        format!("display {display:?} deck {:?} discards {:?}", values(&state.deck), values(&state.discards)),
        format!("piles {piles:?} scorings {}", state.scorings),
        format!("sultan deck {:?} open {open:?} unsettled {unsettled:?}", repeated(&state.sultan.deck)),
        format!("uses {:?} ending {ending:?}", &state.sultan.uses[..seats]),
    ];
    for seat in 0..seats {
        let cells: Vec<(Tile, i8, i8)> = state.cells.into();
        let placed: Vec<(usize, i8, i8)> = cells
            .into_iter()
            .filter(|placed| state.alhambras[seat].contains(placed.0))
            .map(|(tile, x, y)| (tile.index(), x, y))
            .collect();
        let own = &state.counters[seat];
        all.push(format!(
            "seat {seat}: {} points, hand {:?}, map {placed:?}, reserve {:?}, cards {:?}, counts {:?}",
            state.scores[seat],
            values(&state.hands[seat]),
            numbers(state.reserves[seat]),
            repeated(&state.sultan.owned[seat]),
            [
                own.exact_payments as u16,
                own.tiles_bought as u16,
                own.sultan_bought as u16,
                own.sultan_used as u16,
                own.redesigns
            ],
        ));
    }
    all
}

/// How a player who only wants to see the rules at work chooses.
fn pick(actions: &[Action], stream: &mut Stream, eager: bool) -> Action {
    let wanted: Vec<Action> = actions
        .iter()
        .copied()
        .filter(|action| {
            matches!(
                action,
                Action::Buy(..) | Action::BuySultan(..) | Action::Claim | Action::Place(..) | Action::Roll
            )
        })
        .collect();
    let sultan: Vec<Action> =
        wanted.iter().copied().filter(|action| matches!(action, Action::BuySultan(..))).collect();
    let list = match stream.below(if eager { 4 } else { 12 }) {
        0 if !sultan.is_empty() => &sultan[..],
        0..3 if !wanted.is_empty() => &wanted[..],
        _ => actions,
    };
    list[stream.below(list.len())]
}

/// One game; gives which switches' effects were met.
fn side_by_side(game: &Alhambra, seed: u64, met: &mut BTreeMap<&'static str, u32>) {
    let (mut luck, mut choice) = (Stream::from_seed(seed), Stream::from_seed(seed + 500_000));
    let (mut state, mut twin) = (game.initial(), Twin::new(game.rules(), game.seats()));
    let (mut actions, mut odds) = (Vec::new(), Vec::new());
    let eager = !seed.is_multiple_of(3);
    for step in 0.. {
        let context = || format!("step {step} of seed {seed}, {} seats, {:?}", game.seats(), game.rules());
        assert_eq!(to_move(game, &state), twin.to_move(), "{}", context());
        assert_eq!(seen(game, &state), twin.seen(), "{}", context());
        assert_eq!(game.turns(&state), state.turn as u32);
        assert_eq!(game.outcome(&state).is_some(), twin.outcome().is_some(), "{}", context());
        let action = match game.turn(&state) {
            Turn::Over => break,
            Turn::Chance(_) => {
                game.chance(&state, &mut odds);
                let theirs = twin.chance();
                assert_eq!(odds.len(), theirs.len(), "{}", context());
                for (action, share) in &odds {
                    let other = theirs.get(&action.to_string()).copied().unwrap_or(0.0);
                    assert!((share - other).abs() < 1e-12, "{action}: {share} {other}, {}", context());
                }
                game.sample_chance(&state, luck.word())
            }
            Turn::Decision(seat) => {
                game.actions(&state, seat, &mut actions);
                let ours: BTreeSet<String> = actions.iter().map(Action::to_string).collect();
                assert_eq!(ours.len(), actions.len(), "an action twice, {}", context());
                assert_eq!(ours, twin.actions(), "{}", context());
                *met.entry(match state.phase {
                    dhow::games::alhambra::state::Phase::Offer { .. } => "offer",
                    dhow::games::alhambra::state::Phase::FinalOffer { .. } => "final offer",
                    dhow::games::alhambra::state::Phase::Won { .. } => "won",
                    dhow::games::alhambra::state::Phase::Mark { rolled: true, .. } => "second roll",
                    _ => "other",
                })
                .or_insert(0) += 1;
                pick(&actions, &mut choice, eager)
            }
            Turn::Simultaneous(_) => unreachable!(),
        };
        game.apply(&mut state, action);
        twin.apply(&action.to_string());
    }
    let outcome = game.outcome(&state).expect("an outcome at the end");
    let (ending, scores, ranks) = twin.outcome().expect("an outcome at the end");
    assert_eq!(outcome.ending(), ending);
    for (seat, result) in outcome.results().iter().enumerate() {
        assert_eq!((result.score as usize, result.rank as usize), (scores[seat], ranks[seat]));
        assert_eq!(game.longest_wall(&state, Seat::new(seat)) as usize, twin.wall(seat));
    }
    *met.entry(outcome.ending()).or_insert(0) += 1;
}

#[test]
fn published_rules() {
    let mut met = BTreeMap::new();
    for seats in 2..=6 {
        for seed in 0..2 {
            side_by_side(&game(seats, |_| {}), 10 * seats as u64 + seed, &mut met);
        }
    }
    for event in ["offer", "won", "second roll", "tiles"] {
        assert!(met.contains_key(event), "{event} was never met: {met:?}");
    }
}

/// One game for every value of every switch that is not its default.
#[test]
fn each_switch_by_itself() {
    type Change = fn(&mut Rules);
    let changes: &[Change] = &[
        |rules| rules.start_tie = StartTie::Random,
        |rules| rules.extra_action = false,
        |rules| rules.allow_decline_extra_action = true,
        |rules| rules.payment_sets = PaymentSets::Any,
        |rules| rules.hole_connectivity = 8,
        |rules| (rules.sultan, rules.replenish_order) = (false, ReplenishOrder::MoneyTilesScore),
        |rules| rules.closed_ring = ClosedRing::MinusOne,
        |rules| rules.end_trigger = EndTrigger::BagEmpty,
        |rules| rules.dirk_gets_final_tiles = true,
        |rules| rules.max_turns = 40,
        |rules| rules.sultan = false,
        |rules| (rules.sultan_currencies, rules.sultan_piles) = ([5, 0, 4, 3], [4, 4, 0, 4, 0]),
        |rules| rules.sultan_price = 4,
        |rules| rules.sultan_mark_time = MarkTime::EndOfTurn,
        |rules| rules.sultan_rerolls = 0,
        |rules| rules.sultan_rerolls = 3,
        |rules| rules.sultan_flip_without_roll = true,
        |rules| rules.sultan_offer_order = OfferOrder::Continue,
        |rules| rules.sultan_same_turn_use = false,
        |rules| rules.sultan_final_distribution = true,
        |rules| rules.sultan_max_uses_per_refill = 1,
    ];
    let mut met = BTreeMap::new();
    for (at, &change) in changes.iter().enumerate() {
        side_by_side(&game(2 + at % 5, change), 200 + at as u64, &mut met);
    }
    assert!(met.contains_key("cap"));
}

#[test]
fn random_rules() {
    let mut met = BTreeMap::new();
    for seed in 0..30 {
        let mut stream = Stream::from_seed(3000 + seed);
        let seats = 2 + seed as usize % 5;
        let mut overrides = random_overrides::<Alhambra>(seats, &mut stream);
        if stream.below(2) == 0 {
            overrides.insert("sultan".into(), toml::Value::Boolean(true));
            overrides.insert("replenish_order".into(), "money_score_tiles".into());
        }
        if stream.below(3) == 0 {
            overrides.insert("max_turns".into(), toml::Value::Integer(10 + stream.below(150) as i64));
        }
        side_by_side(&build(&overrides, seats).unwrap(), 900 + seed, &mut met);
    }
    for event in ["offer", "final offer", "won", "second roll", "cap", "tiles"] {
        assert!(met.contains_key(event), "{event} was never met: {met:?}");
    }
}

/// Counting payments for random play agrees with listing them.
#[test]
fn payments_counted_and_listed() {
    use dhow::games::alhambra::money::{count_payments, each_payment};
    let mut stream = Stream::from_seed(11);
    for _ in 0..4000 {
        let purse: Purse =
            (1..=9u8).flat_map(|value| vec![value; stream.below(3) * stream.below(2)]).collect();
        let price = 1 + stream.below(16) as u8;
        for sets in [PaymentSets::Minimal, PaymentSets::Any] {
            let mut count = 0;
            each_payment(sets, purse, price, &mut |_| count += 1);
            assert_eq!(count_payments(sets, purse, price), count, "{purse} for {price}");
        }
    }
}
