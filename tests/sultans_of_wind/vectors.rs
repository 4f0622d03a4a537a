//! The test vectors of the specification, by number, on both layouts where they apply.

use std::collections::BTreeSet;

use dhow::game::{Game, Seat, Turn};
use dhow::games::sultans_of_wind::channel::{Tiles, order_of_play};
use dhow::games::sultans_of_wind::state::Phase;
use dhow::games::sultans_of_wind::{Action, State};
use toml::Value;

use crate::common::*;

fn pinwheel() -> (&'static str, Value) {
    ("palace_layout", word("pinwheel"))
}

#[test]
fn vector_01_legal_actions_on_board_l0() {
    let game = game(2, &[]);
    let rows = [
        ".....#.##...",
        ".....#..#...",
        "...####.#...",
        "..##.#....##",
        "#.....#.#...",
        "############",
        "..#.........",
        "#.###..#####",
        "#.#########.",
        "............",
        "...######...",
        "...#.#.##...",
    ];
    assert_eq!(picture(&game, &board_l0(&game, 1)), rows);
    for (tile, count) in [(1, 32), (5, 47), (7, 55), (3, 22), (2, 17), (4, 37), (6, 66), (8, 14)] {
        assert_eq!(legal(&game, &board_l0(&game, tile)).len(), count, "tile {tile}");
    }
    let cloud_only = crate::common::game(2, &[("call_djinn_on_palace", Value::Boolean(false))]);
    assert_eq!(legal(&cloud_only, &board_l0(&cloud_only, 6)).len(), 48);
    assert!(!legal(&game, &board_l0(&game, 6)).contains(&Action::Pass));
    assert!(legal(&game, &board_l0(&game, 8)).contains(&Action::Pass));
}

#[test]
fn vector_02_destinations_of_a_three_step_move() {
    let game = game(2, &[]);
    let expected = cells(&[(0, 0), (0, 1), (1, 0), (1, 2), (2, 1), (2, 2), (3, 0), (3, 1), (4, 1)]);
    assert_eq!(destinations(&game, &board_l0(&game, 1), (2, 0)), expected);
}

#[test]
fn vector_03_the_djinn_leaves_its_cloud_and_does_not_come_back() {
    let game = game(2, &[]);
    let expected = cells(&[
        (3, 4),
        (4, 2),
        (4, 3),
        (4, 4),
        (4, 5),
        (6, 3),
        (6, 4),
        (6, 5),
        (6, 6),
        (6, 7),
        (6, 8),
        (7, 5),
        (7, 6),
    ]);
    assert_eq!(djinn_destinations(&game, &board_l0(&game, 8)), expected);
    let mut gone = board_l0(&game, 8);
    gone.djinn = Some(at((4, 5)));
    assert!(!djinn_destinations(&game, &gone).contains(&at((5, 5))));
}

/// A round in which every seat chooses `pair` and passes both tiles, strongest first or as given.
fn choose(game: &impl Game<State = State, Action = Action>, state: &mut State, pairs: &[(u8, u8)]) {
    let pairs: Vec<Action> = pairs.iter().map(|&(a, b)| Action::Choose(a.min(b), a.max(b))).collect();
    game.play_together(state, &pairs).unwrap();
}

/// Plays the first tile, then passes until the turn ends.
fn pass_turn(game: &impl Game<State = State, Action = Action>, state: &mut State, first: u8) {
    let active = state.active();
    game.play(state, active, Action::First(first)).unwrap();
    game.play(state, active, Action::Pass).unwrap();
    game.play(state, active, Action::Pass).unwrap();
}

fn first_choice(game: &dhow::games::sultans_of_wind::SultansOfWind) -> State {
    let mut state = board_l0(game, 8);
    state.resolving = 0;
    state.phase = Phase::Choice;
    for visible in &mut state.visible {
        *visible = [1, 2, 3, 4];
    }
    state
}

#[test]
fn vector_04_tiles_slide_through_the_channel_and_come_back_in_the_third_round() {
    for layout in LAYOUTS {
        let game = game(2, &[("palace_layout", word(layout)), ("pass_allowed", word("all"))]);
        let mut state = first_choice(&game);
        let hidden = |state: &State| state.hidden(seat(0)).iter().collect::<Vec<_>>();
        assert_eq!(hidden(&state), [5, 6, 7, 8]);
        choose(&game, &mut state, &[(7, 5), (7, 5)]);
        game.play(&mut state, seat(0), Action::First(7)).unwrap();
        game.play(&mut state, seat(0), Action::Pass).unwrap();
        assert_eq!((state.visible[0], hidden(&state)), ([7, 1, 2, 3], vec![4, 6, 8]));
        assert_eq!(state.resolving, 5);
        game.play(&mut state, seat(0), Action::Pass).unwrap();
        assert_eq!((state.visible[0], hidden(&state)), ([5, 7, 1, 2], vec![3, 4, 6, 8]));
        pass_turn(&game, &mut state, 7);
        assert_eq!(state.round, 2);
        choose(&game, &mut state, &[(4, 3), (4, 3)]);
        pass_turn(&game, &mut state, 4);
        assert_eq!(state.visible[0], [3, 4, 5, 7]);
        pass_turn(&game, &mut state, 4);
        choose(&game, &mut state, &[(6, 8), (6, 8)]);
        pass_turn(&game, &mut state, 6);
        assert_eq!((state.visible[0], hidden(&state)), ([8, 6, 3, 4], vec![1, 2, 5, 7]));
    }
}

#[test]
fn vector_05_a_wish_takes_a_tile_from_behind_the_screen() {
    let game = game(2, &[]);
    let mut state = first_choice(&game);
    state.djinn = Some(at((4, 4)));
    place(&mut state, 0, &[(4, 1), (0, 2), (1, 1)]);
    choose(&game, &mut state, &[(7, 5), (7, 5)]);
    game.play(&mut state, seat(0), Action::First(7)).unwrap();
    let state = after(&game, &state, step((4, 1), (4, 3)));
    assert_eq!(state.phase, Phase::Wish);
    assert_eq!(legal(&game, &state), [Action::Wish(4), Action::Wish(6), Action::Wish(8), Action::NoWish]);
    let state = after(&game, &state, Action::Wish(4));
    assert_eq!(state.resolving, 4);
    let state = after(&game, &state, Action::Pass);
    assert_eq!(state.visible[0], [4, 7, 1, 2]);
    assert_eq!(state.hidden(seat(0)), Tiles::from_iter([6, 8, 3]));
    assert_eq!(state.resolving, 5);
    let state = after(&game, &state, Action::Pass);
    assert_eq!(state.visible[0], [5, 4, 7, 1]);
    assert_eq!(state.hidden(seat(0)), Tiles::from_iter([6, 8, 3, 2]));
    assert_eq!((state.counts[0].wishes, state.counts[0].free_actions, state.counts[0].chained), (1, 1, 0));
}

const SHARA: usize = 0;
const JOHN: usize = 1;
const ANTHONY: usize = 2;
const BEN: usize = 3;

fn order(totals: &[u32], favor: usize) -> Vec<usize> {
    order_of_play(totals, seat(favor)).into_iter().map(Seat::index).collect()
}

#[test]
fn vector_06_equal_totals_go_clockwise_from_the_favor() {
    assert_eq!(order(&[11, 11, 11, 13], SHARA), [BEN, SHARA, JOHN, ANTHONY]);
    // The same through the choice itself: Shara 7 and 4, John 5 and 6, Anthony 8 and 3, Ben 8 and 5.
    let game = game(4, &[]);
    let mut state = first_choice(&game);
    state.visible = [[1, 2, 3, 5], [1, 2, 3, 4], [1, 2, 4, 5], [1, 2, 3, 4]];
    choose(&game, &mut state, &[(7, 4), (5, 6), (8, 3), (8, 5)]);
    assert_eq!(state.order.map(Seat::index), [BEN, SHARA, JOHN, ANTHONY]);
}

#[test]
fn vector_07_the_favor_elsewhere() {
    assert_eq!(order(&[11, 11, 11, 13], BEN), [BEN, SHARA, JOHN, ANTHONY]);
    assert_eq!(order(&[11, 11, 11, 11], ANTHONY), [ANTHONY, BEN, SHARA, JOHN]);
}

#[test]
fn vector_08_a_moving_favor_leaves_the_order_of_the_round() {
    for layout in LAYOUTS {
        let game = game(2, &[("palace_layout", word(layout))]);
        let mut state = first_choice(&game);
        state.favor = Some(seat(1));
        choose(&game, &mut state, &[(6, 7), (6, 7)]);
        assert_eq!(state.order[..2], [seat(1), seat(0)]);
        game.play(&mut state, seat(1), Action::First(7)).unwrap();
        game.play(&mut state, seat(1), Action::Pass).unwrap();
        let call = legal(&game, &state)[0];
        game.play(&mut state, seat(1), call).unwrap();
        assert_eq!(game.turn(&state), Turn::Decision(seat(0)));
        game.play(&mut state, seat(0), Action::First(6)).unwrap();
        let call = legal(&game, &state)[0];
        game.play(&mut state, seat(0), call).unwrap();
        assert_eq!(state.favor, Some(seat(0)));
        assert_eq!(state.order[..2], [seat(1), seat(0)]);
        game.play(&mut state, seat(0), Action::Pass).unwrap();
        // The next round is another matter.
        choose(&game, &mut state, &[(5, 8), (5, 8)]);
        assert_eq!(state.order[..2], [seat(0), seat(1)]);
    }
}

#[test]
fn vector_09_a_turn_takes_the_carpet_along() {
    let game = game(2, &[]);
    let mut state = board_l0(&game, 4);
    place(&mut state, 0, &[(3, 0), (1, 1), (0, 2)]);
    let next = after(&game, &state, Action::Turn { square: 4, quarters: 1 });
    assert_eq!(next.carpets_of(seat(0)), cells(&[(0, 2), (1, 1), (3, 2)]));
    assert_eq!(square_picture(&game, &next, 4), ["##.", "#..", "#.#"]);
    assert_eq!((next.phase, next.favor), (Phase::First, Some(seat(0))));
}

#[test]
fn vector_09_on_the_pinwheel() {
    let game = game(2, &[pinwheel()]);
    let mut state = board_l0(&game, 4);
    place(&mut state, 0, &[(4, 0), (0, 4), (0, 5)]);
    let next = after(&game, &state, Action::Turn { square: 4, quarters: 1 });
    assert_eq!(next.carpets_of(seat(0)), cells(&[(0, 4), (0, 5), (3, 1)]));
    assert_eq!(square_picture(&game, &next, 4), ["#.#", "#..", "#.#"]);
}

#[test]
fn vector_10_a_swap_takes_carpet_and_djinn_along() {
    let game = game(2, &[]);
    let mut state = board_l0(&game, 2);
    place(&mut state, 0, &[(3, 0), (1, 1), (0, 2)]);
    let next = after(&game, &state, Action::Swap(4, 5));
    assert_eq!(next.carpets_of(seat(0)), cells(&[(0, 2), (1, 1), (3, 3)]));
    assert_eq!(next.djinn, Some(at((5, 2))));
    assert_eq!(square_picture(&game, &next, 4), square_picture(&game, &state, 5));
    assert_eq!(square_picture(&game, &next, 5), square_picture(&game, &state, 4));
}

#[test]
fn vector_11_riding_along_is_no_movement() {
    for layout in LAYOUTS {
        let game = game(2, &[("palace_layout", word(layout))]);
        let mut state = board_l0(&game, 2);
        state.favor = Some(seat(1));
        let next = after(&game, &state, Action::Swap(5, 6));
        assert_eq!(next.djinn, Some(at((5, 8))));
        assert_eq!(next.favor, Some(seat(1)));
        assert_eq!(next.phase, Phase::First);
        // Not even onto a tile with the player's own carpet.
        let carpet = game.free(&state.squares).iter().find(|cell| cell.square() == 5 && *cell != at((5, 5)));
        state.carpets[0][0] = carpet.unwrap();
        state.carpets[0].sort();
        let next = after(&game, &state, Action::Swap(5, 6));
        assert_eq!((next.phase, next.favor), (Phase::First, Some(seat(1))));
    }
}

#[test]
fn vector_12_pairs_of_tiles_to_swap() {
    let corners = game(2, &[]);
    assert_eq!(corners.swaps().len(), 16);
    assert!(corners.swaps().iter().all(|&(a, b)| a != 0 && b != 0));
    assert!(corners.swaps().contains(&(1, 2)) && corners.swaps().contains(&(1, 5)));
    for layout in ["pinwheel", "pinwheel_mirrored"] {
        let game = game(2, &[("palace_layout", word(layout))]);
        assert_eq!(game.swaps().len(), 12);
        assert_eq!(legal(&game, &board_l0(&game, 2)).len(), 13);
    }
    for (layout, count) in [("corners", 30), ("pinwheel", 22), ("pinwheel_mirrored", 22)] {
        let rules = [("palace_layout", word(layout)), ("swap_adjacency", word("edge_or_corner"))];
        assert_eq!(game(2, &rules).swaps().len(), count);
    }
}

#[test]
fn vector_13_every_palace_holds_carpets_with_four_players() {
    for layout in LAYOUTS {
        let game = game(4, &[("palace_layout", word(layout))]);
        assert_eq!(legal(&game, &board_l0(&game, 6)).len(), 48);
    }
}

#[test]
fn vector_14_a_carpet_that_reaches_the_djinns_tile_has_a_wish() {
    let game = game(2, &[]);
    for tile in [1, 5, 7] {
        let mut state = board_l0(&game, tile);
        state.djinn = Some(at((4, 4)));
        place(&mut state, 0, &[(4, 1), (1, 1), (0, 2)]);
        assert_eq!(after(&game, &state, step((4, 1), (4, 3))).phase, Phase::Wish);
        assert_eq!(after(&game, &state, step((4, 1), (4, 2))).phase, Phase::First);
        place(&mut state, 0, &[(4, 3), (1, 1), (0, 2)]);
        assert!(!destinations(&game, &state, (4, 3)).contains(&at((4, 5))));
    }
    let mut state = board_l0(&game, 3);
    state.djinn = Some(at((4, 4)));
    place(&mut state, 0, &[(4, 1), (1, 1), (0, 2)]);
    assert_eq!(after(&game, &state, step((4, 1), (4, 3))).phase, Phase::Wish);
}

#[test]
fn vector_15_starting_on_the_djinns_tile_is_no_meeting() {
    let game = game(2, &[]);
    let mut state = board_l0(&game, 7);
    state.djinn = Some(at((4, 3)));
    place(&mut state, 0, &[(4, 5), (1, 1), (0, 2)]);
    assert_eq!(after(&game, &state, step((4, 5), (3, 4))).phase, Phase::First);
}

#[test]
fn vector_16_the_djinn_moves_onto_a_tile_with_an_own_carpet() {
    let game = game(2, &[]);
    let mut state = board_l0(&game, 8);
    state.favor = Some(seat(1));
    state.djinn = Some(at((4, 3)));
    place(&mut state, 0, &[(4, 1), (1, 1), (0, 2)]);
    let next = after(&game, &state, Action::Djinn(at((4, 2))));
    assert_eq!((next.phase, next.favor), (Phase::Wish, Some(seat(0))));
    // An opponent's carpet instead: Favor and no wish.
    place(&mut state, 0, &[(2, 0), (1, 1), (0, 2)]);
    place(&mut state, 1, &[(4, 1), (10, 10), (9, 11)]);
    let next = after(&game, &state, Action::Djinn(at((4, 2))));
    assert_eq!((next.phase, next.favor), (Phase::First, Some(seat(0))));
    // From and to the same square.
    let mut state = board_l0(&game, 8);
    state.djinn = Some(at((4, 2)));
    place(&mut state, 0, &[(3, 0), (1, 1), (0, 2)]);
    assert_eq!(after(&game, &state, Action::Djinn(at((4, 1)))).phase, Phase::First);
}

#[test]
fn vector_17_the_favor_needs_a_movement() {
    for layout in LAYOUTS {
        let rules = [("palace_layout", word(layout)), ("pass_allowed", word("all"))];
        let plain = game(2, &rules);
        for (tile, favor_on_null_8, expected) in [(8, false, 1), (8, true, 0), (6, false, 1), (6, true, 1)] {
            let with_null =
                [rules.as_slice(), &[("favor_on_null_8", Value::Boolean(favor_on_null_8))]].concat();
            let game = game(2, &with_null);
            let mut state = board_l0(&game, tile);
            state.favor = Some(seat(1));
            let next = after(&game, &state, Action::Pass);
            assert_eq!(next.favor, Some(seat(expected)), "tile {tile}, {favor_on_null_8}");
            assert_eq!(next.djinn, state.djinn);
        }
        let mut state = board_l0(&plain, 6);
        state.favor = Some(seat(1));
        for call in legal(&plain, &state).into_iter().filter(|&action| action != Action::Pass) {
            assert_eq!(after(&plain, &state, call).favor, Some(seat(0)));
        }
    }
}

#[test]
fn vector_18_move_through_ends_on_a_free_empty_cell() {
    let game = game(2, &[]);
    let expected = cells(&[(0, 0), (0, 1), (1, 0), (1, 2), (1, 3), (2, 1), (2, 2), (3, 1)]);
    let found = destinations(&game, &board_l0(&game, 3), (1, 1));
    assert_eq!(found, expected);
    assert!(!found.contains(&at((2, 0))) && !found.contains(&at((0, 2))));
}

/// Whether seat 0 wins by passing, with its carpets and everybody else's as given.
fn wins(rules: &[(&str, Value)], djinn: (usize, usize), players: &[&[(usize, usize)]]) -> bool {
    let game = game(players.len(), rules);
    let mut state = board_l0(&game, 1);
    state.djinn = Some(at(djinn));
    for (owner, carpets) in players.iter().enumerate() {
        place(&mut state, owner, carpets);
    }
    let next = after(&game, &state, Action::Pass);
    assert_eq!(next.phase == Phase::Over, next.winner == Some(seat(0)));
    next.winner.is_some()
}

const FAR: (usize, usize) = (5, 5);

#[test]
fn vector_19_a_blocked_target_is_reached_from_beside() {
    let opponent: &[(usize, usize)] = &[(10, 10), (0, 0), (1, 0)];
    assert!(wins(&[], FAR, &[&[(9, 11), (11, 9), (9, 10)], opponent]));
    assert!(!wins(&[], FAR, &[&[(9, 11), (11, 9), (9, 9)], opponent]));
    let diagonal = [("blocked_adjacent", word("with_diagonal"))];
    assert!(wins(&diagonal, FAR, &[&[(9, 11), (11, 9), (9, 9)], opponent]));
}

#[test]
fn vector_20_each_carpet_has_a_target_of_its_own() {
    let opponent: &[(usize, usize)] = &[(9, 11), (10, 10), (0, 0)];
    assert!(wins(&[], FAR, &[&[(11, 9), (9, 10), (10, 9)], opponent]));
}

#[test]
fn vector_21_an_open_target_must_be_reached_itself() {
    let opponent: &[(usize, usize)] = &[(10, 10), (0, 0), (1, 0)];
    assert!(!wins(&[], FAR, &[&[(11, 9), (9, 10), (10, 9)], opponent]));
}

#[test]
fn vector_22_the_djinn_blocks_as_well() {
    assert!(wins(&[], (10, 10), &[&[(9, 11), (11, 9), (9, 10)], &[(0, 0), (1, 0), (0, 1)]]));
}

#[test]
fn vector_23_an_own_carpet_does_not_block() {
    let opponent: &[(usize, usize)] = &[(0, 0), (1, 0), (0, 1)];
    assert!(wins(&[], FAR, &[&[(9, 11), (10, 10), (11, 9)], opponent]));
    assert!(!wins(&[], FAR, &[&[(9, 11), (10, 10), (9, 10)], opponent]));
}

#[test]
fn vector_24_the_dashed_space_with_two_carpets() {
    let home: &[&[(usize, usize)]] = &[&[(0, 9), (2, 11)], &[(0, 0), (1, 0)], &[(11, 2), (9, 0)]];
    let with = |carpets: &'static [(usize, usize)]| [&[carpets], home].concat();
    assert!(wins(&[], FAR, &with(&[(9, 11), (11, 9)])));
    assert!(!wins(&[], FAR, &with(&[(9, 11), (10, 10)])));
    let any = [("targets34", word("any_two_of_three"))];
    assert!(wins(&any, FAR, &with(&[(9, 11), (10, 10)])));
    assert!(wins(&any, FAR, &with(&[(9, 11), (11, 9)])));
}

#[test]
fn vectors_19_to_24_on_the_pinwheel() {
    let rules = [pinwheel()];
    let away: &[(usize, usize)] = &[(0, 3), (0, 4), (1, 3)];
    assert!(wins(&rules, FAR, &[&[(11, 6), (11, 7), (11, 8)], away]));
    assert!(!wins(&rules, FAR, &[&[(11, 6), (11, 7), (10, 8)], away]));
    let blocked: &[(usize, usize)] = &[(11, 8), (0, 4), (1, 3)];
    assert!(wins(&rules, FAR, &[&[(11, 6), (11, 7), (10, 8)], blocked]));
    // An own carpet on a neighbouring target is not the other pawn that blocks it.
    assert!(!wins(&rules, FAR, &[&[(11, 6), (11, 7), (10, 7)], blocked]));
    assert!(wins(&rules, (11, 7), &[&[(11, 6), (10, 7), (10, 8)], blocked]));
    // Beside a target may be a cloud tile: square 15 holds tile 11, `...` in its first row.
    assert!(wins(&rules, FAR, &[&[(11, 6), (11, 7), (11, 9)], blocked]));
}

#[test]
fn vector_25_three_players_and_an_empty_palace() {
    for (layout, goal) in [("corners", [(9, 0), (11, 2)]), ("pinwheel", [(6, 0), (8, 0)])] {
        let game = game(3, &[("palace_layout", word(layout))]);
        assert_eq!(
            game.targets(seat(1)).cells().iter().copied().collect::<BTreeSet<_>>(),
            cells(&goal).into_iter().collect()
        );
        let mut state = board_l0(&game, 1);
        state.order = [1, 0, 2, 0].map(seat);
        resolving(&mut state, 1);
        place(&mut state, 1, &goal);
        assert_eq!(after(&game, &state, Action::Pass).winner, Some(seat(1)));
    }
}

#[test]
fn vector_26_a_win_comes_before_its_wish() {
    let game = game(2, &[]);
    let mut state = board_l0(&game, 7);
    place(&mut state, 1, &[(0, 0), (1, 0), (0, 1)]);
    place(&mut state, 0, &[(9, 11), (11, 9), (9, 8)]);
    state.djinn = Some(at((11, 11)));
    let next = after(&game, &state, step((9, 8), (10, 10)));
    assert_eq!((next.phase, next.winner, next.counts[0].wishes), (Phase::Over, Some(seat(0)), 0));
    assert_eq!(next.visible[0][0], 7, "the last tile is in the channel already");
    // Without the race it would have been a wish.
    let mut state = board_l0(&game, 7);
    place(&mut state, 1, &[(0, 0), (1, 0), (0, 1)]);
    place(&mut state, 0, &[(9, 11), (2, 0), (9, 8)]);
    state.djinn = Some(at((11, 11)));
    assert_eq!(after(&game, &state, step((9, 8), (10, 10))).phase, Phase::Wish);
}

#[test]
fn vector_27_the_highest_visible_total_takes_the_favor() {
    for layout in LAYOUTS {
        let game = game(2, &[("palace_layout", word(layout))]);
        let mut state = board_l0(&game, 1);
        (state.djinn, state.favor, state.first_favor, state.resolving) = (None, None, None, 0);
        state.visible = [[0; 4]; 4];
        state.phase = Phase::Arrangement;
        game.play_together(&mut state, &[Action::Show([8, 6, 5, 3]), Action::Show([8, 7, 6, 5])]).unwrap();
        assert_eq!(game.turn(&state), Turn::Decision(seat(1)));
        assert_eq!((state.favor, state.first_favor), (Some(seat(1)), Some(seat(1))));
        let middle = [(5, 5), (5, 6), (6, 5), (6, 6)];
        assert_eq!(actions(&game, &state, seat(1)), middle.map(|cell| Action::Djinn(at(cell))));
        let free = game.free(&state.squares);
        assert!(middle.iter().any(|&cell| !free.contains(at(cell))), "clouds are allowed");
        game.play(&mut state, seat(1), Action::Djinn(at((6, 6)))).unwrap();
        assert!(matches!(game.turn(&state), Turn::Simultaneous(_)));
        assert_eq!((state.djinn, state.counts[1].djinn_moves), (Some(at((6, 6))), 0));
    }
}

#[test]
fn vector_28_legal_actions_on_the_pinwheel() {
    let game = game(2, &[pinwheel()]);
    for (mover, counts) in [(0, [24, 49, 92]), (1, [20, 40, 85])] {
        for (tile, count) in [1, 5, 7].into_iter().zip(counts) {
            let mut state = board_l0(&game, tile);
            state.order = [mover, 1 - mover, 0, 0].map(seat);
            resolving(&mut state, tile);
            assert_eq!(legal(&game, &state).len(), count, "seat {mover}, tile {tile}");
        }
    }
}
