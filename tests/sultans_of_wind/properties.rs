//! What holds in every game, on random boards and under random rules.

use std::collections::{BTreeSet, VecDeque};

use dhow::game::{Game, Heuristics, Seat, Turn};
use dhow::games::sultans_of_wind::board::{Cell, Cells};
use dhow::games::sultans_of_wind::channel::{ARRANGEMENTS, Tiles, arrangement, order_of_play, pair, slide};
use dhow::games::sultans_of_wind::ending::Targets;
use dhow::games::sultans_of_wind::state::Phase;
use dhow::games::sultans_of_wind::{Action, State, SultansOfWind};
use dhow::games::switches::{build, random_overrides};
use dhow::streams::Stream;
use proptest::prelude::*;
use toml::Value;

use crate::common::*;

/// Plays on at random for some decisions; `look` sees every state.
fn wander(game: &SultansOfWind, seed: u64, steps: u32, mut look: impl FnMut(&State)) -> State {
    let (mut state, mut stream, mut buffer) = (game.initial(), Stream::from_seed(seed), Vec::new());
    for _ in 0..steps {
        look(&state);
        match game.turn(&state) {
            Turn::Over => break,
            Turn::Chance(_) => {
                let action = game.sample_chance(&state, stream.word());
                game.apply(&mut state, action);
            }
            Turn::Decision(seat) => {
                let action = game.random_action(&state, seat, &mut stream, &mut buffer);
                game.apply(&mut state, action);
            }
            Turn::Simultaneous(seats) => {
                let joint: Vec<Action> = seats
                    .iter()
                    .map(|seat| game.random_action(&state, seat, &mut stream, &mut buffer))
                    .collect();
                game.apply_together(&mut state, &joint);
            }
        }
    }
    state
}

fn random_game(seed: u64) -> SultansOfWind {
    let mut stream = Stream::from_seed(seed);
    let seats = 2 + stream.below(3);
    let rules = random_overrides::<SultansOfWind>(seats, &mut stream);
    build(&rules, seats).unwrap()
}

fn breadth_first(start: Cell, open: &BTreeSet<Cell>, steps: usize) -> BTreeSet<Cell> {
    let mut found = BTreeSet::from([start]);
    let mut queue = VecDeque::from([(start, 0)]);
    while let Some((cell, far)) = queue.pop_front() {
        if far == steps {
            continue;
        }
        let (row, column) = (cell.row(), cell.column());
        let mut next = Vec::new();
        if row > 0 {
            next.push(Cell::at(row - 1, column))
        }
        if row < 11 {
            next.push(Cell::at(row + 1, column))
        }
        if column > 0 {
            next.push(Cell::at(row, column - 1))
        }
        if column < 11 {
            next.push(Cell::at(row, column + 1))
        }
        for cell in next {
            if open.contains(&cell) && found.insert(cell) {
                queue.push_back((cell, far + 1));
            }
        }
    }
    found.remove(&start);
    found
}

fn cell() -> impl Strategy<Value = Cell> {
    (0..12usize, 0..12usize).prop_map(|(row, column)| Cell::at(row, column))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_flood_equals_a_breadth_first_search(
        start in cell(),
        open in prop::collection::vec(prop::bool::weighted(0.7), 144),
        steps in 0..14usize,
    ) {
        let open: BTreeSet<Cell> = Cell::all().zip(open).filter(|&(_, open)| open).map(|(cell, _)| cell).collect();
        let mut passable: Cells = open.iter().copied().collect();
        prop_assert_eq!(passable.iter().collect::<BTreeSet<_>>(), open.clone());
        let found = Cells::reach(start, passable, steps);
        prop_assert_eq!(found.iter().collect::<BTreeSet<_>>(), breadth_first(start, &open, steps));
        // Whether the start itself is open makes no difference.
        passable = passable.with(start);
        prop_assert_eq!(Cells::reach(start, passable, steps), found);
        prop_assert_eq!(found.len(), found.iter().count());
        for (index, cell) in found.iter().enumerate() {
            prop_assert_eq!(found.nth(index), cell);
        }
        prop_assert_eq!(found.is_empty(), found.iter().next().is_none());
        prop_assert_eq!((!found).iter().collect::<BTreeSet<_>>(), Cell::all().filter(|&c| !found.contains(c)).collect::<BTreeSet<_>>());
    }

    #[test]
    fn neighbourhoods_are_as_on_paper(cell in cell()) {
        let steps = |other: Cell| cell.row().abs_diff(other.row()) + cell.column().abs_diff(other.column());
        let king = |other: Cell| cell.row().abs_diff(other.row()).max(cell.column().abs_diff(other.column()));
        let those = |near: &dyn Fn(Cell) -> bool| Cell::all().filter(|&other| near(other)).collect::<Vec<_>>();
        prop_assert_eq!(Cells::beside(cell).iter().collect::<Vec<_>>(), those(&|other| steps(other) == 1));
        prop_assert_eq!(Cells::within_two(cell).iter().collect::<Vec<_>>(), those(&|other| (1..=2).contains(&steps(other))));
        prop_assert_eq!(Cells::around(cell).iter().collect::<Vec<_>>(), those(&|other| king(other) == 1));
        prop_assert_eq!(Cells::of_square(cell.square()).iter().collect::<Vec<_>>(), those(&|other| other.square() == cell.square()));
        prop_assert_eq!(Cell::in_square(cell.square(), cell.place()), cell);
    }

    #[test]
    fn the_end_test_equals_all_assignments(
        goals in prop::collection::btree_set(cell(), 2..=3),
        carpets in prop::collection::btree_set(0..9usize, 2..=3),
        blocked in 0..8u8,
        diagonal: bool,
    ) {
        let goals: Vec<Cell> = goals.into_iter().collect();
        // Carpets on and around the first goals.
        let near: Vec<Cell> = goals.iter().flat_map(|&goal| Cells::around(goal).with(goal).iter().collect::<Vec<_>>()).collect();
        let carpets: Vec<Cell> = carpets.into_iter().map(|at| near[at * 5 % near.len()]).collect::<BTreeSet<_>>().into_iter().collect();
        let fits = |carpet: Cell, at: usize| {
            let (rows, columns) = (carpet.row().abs_diff(goals[at].row()), carpet.column().abs_diff(goals[at].column()));
            let beside = if diagonal { rows.max(columns) == 1 } else { rows + columns == 1 };
            rows + columns == 0 || blocked >> at & 1 == 1 && beside
        };
        // Every way to give each carpet a target or none (the number past the last).
        let mut most = 0;
        for choice in 0..(goals.len() + 1).pow(carpets.len() as u32) {
            let given: Vec<usize> = (0..carpets.len()).map(|at| choice / (goals.len() + 1).pow(at as u32) % (goals.len() + 1)).collect();
            let matched: Vec<usize> = given.iter().copied().filter(|&target| target < goals.len()).collect();
            let different = matched.iter().collect::<BTreeSet<_>>().len() == matched.len();
            let fit = given.iter().zip(&carpets).all(|(&target, &carpet)| target == goals.len() || fits(carpet, target));
            if different && fit {
                most = most.max(matched.len());
            }
        }
        let targets = Targets::new(&goals, diagonal);
        prop_assert_eq!(targets.won(&carpets, || blocked), most == carpets.len());
        let matching = targets.matching(&carpets, || blocked);
        prop_assert_eq!(matching.carpets.count_ones() as usize, most);
        prop_assert_eq!(matching.targets.count_ones() as usize, most);
    }

    #[test]
    fn tiles_and_channels(index in 0..ARRANGEMENTS, other in 0..ARRANGEMENTS, which in 0..6usize, tile in 1..=8u8) {
        let visible = arrangement(index);
        let shown: Tiles = visible.into_iter().collect();
        prop_assert_eq!(shown.len(), 4);
        prop_assert_eq!(index.cmp(&other), visible.cmp(&arrangement(other)));
        let hidden = Tiles::ALL.minus(shown);
        prop_assert_eq!(hidden.total() + shown.total(), 36);
        let (first, second) = pair(hidden, which);
        prop_assert!(first < second && hidden.contains(first) && hidden.contains(second));
        let mut channel = visible;
        slide(&mut channel, tile);
        prop_assert_eq!(channel, [tile, visible[0], visible[1], visible[2]]);
        prop_assert_eq!(shown.with(tile).without(tile).contains(tile), false);
        prop_assert_eq!(Tiles::of(tile).nth(0), tile);
    }

    #[test]
    fn order_of_play_is_by_total_then_clockwise(totals in prop::collection::vec(3..7u32, 2..=4), favor in 0..4usize) {
        let seats = totals.len();
        let favor = favor % seats;
        let mut expected: Vec<usize> = (0..seats).collect();
        expected.sort_by_key(|&seat| (std::cmp::Reverse(totals[seat]), (seat + seats - favor) % seats));
        let order = order_of_play(&totals, seat(favor));
        prop_assert_eq!(order[..seats].iter().map(|seat| seat.index()).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn states_keep_their_shape(seed: u64) {
        let game = random_game(seed);
        wander(&game, seed, 160, |state| {
            let free = game.free(&state.squares);
            let mut pawns = BTreeSet::new();
            for seat in Seat::all(game.seats()) {
                assert_eq!(state.carpets_of(seat).len(), if game.seats() == 2 { 3 } else { 2 });
                for &carpet in state.carpets_of(seat) {
                    assert!(pawns.insert(carpet), "two pawns on {carpet}");
                    let laid = state.squares[carpet.square()] != dhow::games::sultans_of_wind::board::Square::EMPTY;
                    assert!(!laid || free.contains(carpet), "a carpet in the clouds on {carpet}");
                }
                let visible = state.visible[seat.index()];
                if state.phase == Phase::Choice {
                    assert_eq!(state.hidden(seat).len(), 4);
                }
                if visible[0] != 0 {
                    let shown: Tiles = visible.into_iter().collect();
                    let behind = state.hidden(seat);
                    let hand = state.hand[seat.index()];
                    let resolving = usize::from(state.resolving != 0 && state.active() == seat);
                    assert_eq!(shown.len() + behind.len() + hand.len() + resolving, 8);
                }
            }
            if let Some(djinn) = state.djinn {
                assert!(pawns.insert(djinn), "the djinn on a carpet");
            }
            assert_eq!(state.occupied().iter().collect::<BTreeSet<_>>(), pawns);
            let text = serde_json::to_string(state).unwrap();
            assert_eq!(serde_json::from_str::<State>(&text).unwrap(), *state);
        });
    }

    #[test]
    fn turning_four_times_and_swapping_twice_change_nothing(seed: u64, rounds in 20..120u32) {
        let game = random_game(seed);
        let start = wander(&game, seed, rounds, |_| {});
        let mut state = start.clone();
        if !matches!(state.phase, Phase::Choice | Phase::First | Phase::Action | Phase::Wish) {
            return Ok(());
        }
        // As a bare board: nobody may win on the way.
        let position = |state: &State| (state.squares, state.carpets, state.djinn);
        let before = position(&state);
        let mut play = |tile: u8, action: Action| {
            state.phase = Phase::Action;
            state.resolving = tile;
            game.apply(&mut state, action);
            position(&state)
        };
        for square in (0..16u8).filter(|&square| !game.is_palace(square.into())) {
            for _ in 0..3 {
                play(4, Action::Turn { square, quarters: 1 });
            }
            prop_assert_eq!(play(4, Action::Turn { square, quarters: 1 }), before);
            let once = play(4, Action::Turn { square, quarters: 1 });
            play(4, Action::Turn { square, quarters: 3 });
            play(4, Action::Turn { square, quarters: 2 });
            prop_assert_eq!(play(4, Action::Turn { square, quarters: 3 }), once);
            prop_assert_eq!(play(4, Action::Turn { square, quarters: 3 }), before);
        }
        for &(first, second) in game.swaps() {
            play(2, Action::Swap(first, second));
            prop_assert_eq!(play(2, Action::Swap(first, second)), before);
        }
    }

    /// What the others choose is neither in a seat's options nor in its judgement, and the joint choice is
    /// the same in whichever order it was made.
    #[test]
    fn secret_choices_are_blind(seed: u64, which in prop::collection::vec(0..6usize, 4), others in prop::collection::vec(0..6usize, 4)) {
        let game = random_game(seed);
        let mut choices = Vec::new();
        wander(&game, seed, 90, |state| {
            if let Turn::Simultaneous(_) = game.turn(state) {
                choices.push(state.clone());
            }
        });
        for state in &choices {
            let before = state.clone();
            let menus: Vec<Vec<Action>> = Seat::all(game.seats()).map(|seat| actions(&game, state, seat)).collect();
            let joint = |indices: &[usize]| -> Vec<Action> {
                menus.iter().zip(indices).map(|(menu, &index)| menu[index * menu.len() / 6]).collect()
            };
            let (mut one, mut other) = (state.clone(), state.clone());
            game.play_together(&mut one, &joint(&which)).unwrap();
            let mut mixed = others.clone();
            mixed[0] = which[0];
            game.play_together(&mut other, &joint(&mixed)).unwrap();
            // Seat 0 chose the same both times: what it holds or shows is the same, whatever others did.
            prop_assert_eq!(one.hand[0], other.hand[0]);
            prop_assert_eq!(one.visible[0], other.visible[0]);
            // Nothing of a choice is in the state that is asked, and asking leaves no trace in it.
            for seat in Seat::all(game.seats()) {
                prop_assert_eq!(&actions(&game, state, seat), &menus[seat.index()]);
                let mut weights = Vec::new();
                game.prior(state, seat, &menus[seat.index()], &mut weights);
                prop_assert_eq!(weights.len(), menus[seat.index()].len());
                prop_assert!(weights.iter().all(|weight| *weight > 0.0 && weight.is_finite()));
            }
            prop_assert_eq!(state, &before);
        }
    }

    #[test]
    fn turn_ids_change_when_turns_end(seed: u64) {
        let game = random_game(seed);
        let mut last: Option<(u32, Turn, Phase)> = None;
        wander(&game, seed, 160, |state| {
            let now = (game.turn_id(state), game.turn(state), state.phase);
            if let Some((id, turn, phase)) = last {
                assert!(now.0 >= id);
                if let (Turn::Decision(before), Turn::Decision(after)) = (turn, now.1)
                    && before != after
                {
                    assert!(now.0 > id, "{phase:?}");
                }
                assert!(phase != Phase::Choice || now.0 > id);
            }
            // A tile has been named and not yet played.
            if game.in_compound(state) {
                assert_eq!(state.phase, Phase::Action);
            }
            if matches!(last, Some((_, _, Phase::First))) {
                assert!(game.in_compound(state));
            }
            last = Some(now);
        });
    }
}

#[test]
fn search_keys_leave_out_what_is_only_counted() {
    let game = game(2, &[("round_cap", Value::Integer(50))]);
    let mut state = board_l0(&game, 7);
    let key = game.search_key(&state);
    state.counts[1].wishes = 3;
    state.first_favor = Some(seat(1));
    state.round = 29;
    assert_eq!(game.search_key(&state), key);
    state.round = 30;
    assert_ne!(game.search_key(&state), key);
    state.round = 1;
    state.djinn = Some(at((3, 4)));
    assert_ne!(game.search_key(&state), key);
}

#[test]
fn a_state_is_small() {
    assert!(size_of::<State>() <= 200, "{}", size_of::<State>());
    assert!(size_of::<Action>() <= 8);
}

/// The checked entries refuse what is not possible, and leave the state alone.
#[test]
fn the_checked_entries_refuse() {
    let game = game(2, &[]);
    let mut state = board_l0(&game, 1);
    let before = state.clone();
    for action in
        [Action::Swap(1, 2), step((2, 0), (2, 0)), step((2, 0), (8, 0)), Action::NoWish, Action::First(1)]
    {
        assert!(game.play(&mut state, seat(0), action).is_err());
    }
    assert!(game.play(&mut state, seat(1), Action::Pass).is_err());
    assert!(game.play_chance(&mut state, Action::Cloud(1)).is_err());
    assert!(game.play_together(&mut state, &[Action::Pass, Action::Pass]).is_err());
    assert_eq!(state, before);
}

/// A carpet beside two blocked targets counts for one of them, the first; the other stays open.
#[test]
fn a_carpet_beside_two_targets_takes_one() {
    let cell = dhow::games::sultans_of_wind::board::Cell::at;
    let targets = Targets::new(&[cell(0, 0), cell(1, 1)], false);
    let found = targets.matching(&[cell(0, 1), cell(9, 9)], || 0b11);
    assert_eq!((found.carpets, found.targets), (0b01, 0b01));
    // The second carpet needs that one: the first makes way.
    let found = targets.matching(&[cell(0, 1), cell(0, 0)], || 0b10);
    assert_eq!((found.carpets, found.targets), (0b11, 0b11));
}
