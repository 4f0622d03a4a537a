//! A one-move searcher guided by the value beats random play; the value and its helpers keep their promises.

use dhow::game::{Game, Heuristics, Seat, Turn};
use dhow::games::alhambra::Alhambra;
use dhow::games::alhambra::state::{Action, Phase, State};
use dhow::games::alhambra::tiles::Building;
use dhow::streams::Stream;

use crate::{begun, game, lay_out, legal, purses, random_game};

fn value(game: &Alhambra, state: &State, seat: Seat) -> f64 {
    let mut out = [0.0; 6];
    game.value(state, &mut out[..game.seats()]);
    out[seat.index()]
}

/// What a state is worth at the end of the move: the next luck of the same turn averaged, sub-decisions
/// taken at their best.
fn worth(game: &Alhambra, state: &State, seat: Seat, turn: u32, luck: bool, looked: &mut u32) -> f64 {
    *looked += 1;
    match game.turn(state) {
        Turn::Chance(_) if luck && game.turn_id(state) == turn => {
            let mut outcomes = Vec::new();
            game.chance(state, &mut outcomes);
            outcomes
                .into_iter()
                .map(|(action, odds)| {
                    let mut next = *state;
                    game.apply(&mut next, action);
                    odds * worth(game, &next, seat, turn, false, looked)
                })
                .sum()
        }
        Turn::Decision(mover) if mover == seat && game.in_compound(state) => {
            let mut actions = Vec::new();
            game.actions(state, mover, &mut actions);
            let next = |action| {
                let mut next = *state;
                game.apply(&mut next, action);
                worth(game, &next, seat, turn, luck, looked)
            };
            actions.into_iter().map(next).fold(f64::NEG_INFINITY, f64::max)
        }
        _ => value(game, state, seat),
    }
}

fn greedy(game: &Alhambra, state: &State, seat: Seat, most: &mut u32) -> Action {
    let mut actions = Vec::new();
    game.actions(state, seat, &mut actions);
    let (mut best, mut chosen, mut looked) = (f64::NEG_INFINITY, actions[0], 0);
    for action in actions {
        let mut next = *state;
        game.apply(&mut next, action);
        let worth = worth(game, &next, seat, game.turn_id(state), true, &mut looked);
        if worth > best {
            (best, chosen) = (worth, action);
        }
    }
    *most = looked.max(*most);
    chosen
}

#[test]
fn greedy_beats_random() {
    const GAMES: usize = 40;
    let game = game(2, |_| {});
    let (mut wins, mut most, mut turns) = (0.0, 0, 0);
    for number in 0..GAMES {
        let (mut luck, mut choice) =
            (Stream::from_seed(number as u64), Stream::from_seed(1000 + number as u64));
        let (mut state, mut buffer) = (game.initial(), Vec::new());
        let greedy_seat = Seat::new(number % 2);
        let outcome = loop {
            let action = match game.turn(&state) {
                Turn::Over => break game.outcome(&state).unwrap(),
                Turn::Chance(_) => game.sample_chance(&state, luck.word()),
                Turn::Decision(seat) if seat == greedy_seat => greedy(&game, &state, seat, &mut most),
                Turn::Decision(seat) => game.random_action(&state, seat, &mut choice, &mut buffer),
                Turn::Simultaneous(_) => unreachable!(),
            };
            game.apply(&mut state, action);
        };
        wins += outcome.win_share(greedy_seat);
        turns += game.turns(&state);
    }
    assert!(wins >= 0.975 * GAMES as f64, "{wins} of {GAMES}");
    assert!(most <= 2000, "{most} states for one decision");
    assert!(turns > 0);
}

#[test]
fn values_are_chances_everywhere() {
    for seats in 2..=6 {
        let game = game(seats, |rules| rules.hole_connectivity = if seats == 5 { 8 } else { 4 });
        let mut turn = (0, 0);
        random_game(&game, 90 + seats as u64, |state, _| {
            let mut out = [0.0; 6];
            game.value(state, &mut out[..seats]);
            assert!(out.iter().all(|value| (0.0..=1.0).contains(value)), "{out:?}");
            assert!((out.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            if let Some(outcome) = game.outcome(state) {
                assert!(Seat::all(seats).all(|seat| out[seat.index()] == outcome.payoff(seat)));
            }
            // The number of a turn never falls, and changes when somebody else moves.
            assert!(game.turn_id(state) >= turn.0);
            assert!(state.turn == turn.1 || game.turn_id(state) > turn.0);
            turn = (game.turn_id(state), state.turn);
            if game.in_compound(state) {
                assert!(matches!(game.turn(state), Turn::Decision(_)));
            }
        });
    }
}

#[test]
fn the_value_sees_what_matters() {
    let game = game(3, |_| {});
    let state = begun(&game, 4);
    let base = value(&game, &state, Seat::new(0));
    let better = |change: &dyn Fn(&mut State)| {
        let mut next = state;
        change(&mut next);
        value(&game, &next, Seat::new(0)) > base
    };
    assert!(better(&|next| next.scores[0] += 5));
    assert!(better(&|next| lay_out(next, 0, &[(40, 1, 0)])), "a garden");
    assert!(better(&|next| next.reserves[0] = crate::tiles(&[40])), "a garden in reserve");
    assert!(better(&|next| next.hands[0][1] = next.hands[0][1].with(9)), "money");
    assert!(better(&|next| next.sultan.owned[0][Building::Tower as usize] = 1), "a sultan card");
    assert!(better(&|next| next.phase = Phase::Main { extra: true }), "an action due");
    assert!(!better(&|next| next.scores[2] += 5));
    // Walls: the same tile count and types, one chain longer.
    let (mut long, mut short) = (state, state);
    lay_out(&mut long, 0, &[(49, 1, 0), (38, 2, 0)]);
    lay_out(&mut short, 0, &[(49, 1, 0), (38, 0, 1)]);
    assert!(value(&game, &long, Seat::new(0)) > value(&game, &short, Seat::new(0)));
    // Exact money beats the same sum that does not pay.
    let (mut exact, mut rough) = (state, state);
    for next in [&mut exact, &mut rough] {
        next.hands[0] = Default::default();
        next.yard = [None; 4];
        next.yard[2] = Some(dhow::games::alhambra::tiles::Tile::new(40));
    }
    exact.hands[0] = purses([&[], &[], &[6, 4], &[]]);
    rough.hands[0] = purses([&[], &[6, 4], &[], &[]]);
    assert!(value(&game, &exact, Seat::new(0)) > value(&game, &rough, Seat::new(0)));
}

#[test]
fn pruning_keeps_the_best_of_each_kind() {
    let game = game(3, |_| {});
    let mut state = begun(&game, 5);
    state.yard = [None; 4];
    state.yard[0] = Some(dhow::games::alhambra::tiles::Tile::new(21));
    state.hands[0] = purses([&[7, 5, 2, 2], &[], &[], &[8, 9]]);
    state.sultan.open[3][0] = 1;
    state.display = crate::cards(&[
        (dhow::games::alhambra::state::Currency::Denar, 1),
        (dhow::games::alhambra::state::Currency::Ducat, 2),
        (dhow::games::alhambra::state::Currency::Florin, 3),
        (dhow::games::alhambra::state::Currency::Florin, 9),
    ]);
    let all = legal(&game, &state);
    let mut actions = Vec::new();
    game.actions(&state, Seat::new(0), &mut actions);
    game.prune(&state, &mut actions);
    let kept: Vec<String> = actions.iter().map(Action::to_string).collect();
    assert!(all.len() > kept.len());
    assert_eq!(
        kept,
        [
            "take florin 9",
            "take denar 1 + ducat 2",
            "take denar 1 + florin 3",
            "take ducat 2 + florin 3",
            "buy denar 5+2+2",
            "buy denar 7+2",
            "buy denar 7+5",
            "sultan florin pavilion 8",
        ]
    );
    let mut priors = Vec::new();
    game.prior(&state, Seat::new(0), &actions, &mut priors);
    assert!(priors.len() == actions.len() && priors.iter().all(|&prior| prior > 0.0));
    assert!(priors[4] > priors[6]);
}

#[test]
fn search_keys_leave_out_what_cannot_matter() {
    let game = game(3, |_| {});
    let state = begun(&game, 6);
    let mut same = state;
    same.counters[1].redesigns = 9;
    same.turn += 12;
    same.start = Seat::new(2);
    assert_eq!(game.search_key(&state), game.search_key(&same));
    let mut other = state;
    other.scores[1] += 1;
    assert_ne!(game.search_key(&state), game.search_key(&other));
    let (mut late, mut later) = (state, state);
    late.turn = 950;
    later.turn = 951;
    assert_ne!(game.search_key(&late), game.search_key(&later));
}
