//! The rule switches, each under two values at least, and what is refused.

use dhow::game::{Game, Turn};
use dhow::games::Catalogued;
use dhow::games::sultans_of_wind::rules::{RULINGS, SWITCHES};
use dhow::games::sultans_of_wind::state::Phase;
use dhow::games::sultans_of_wind::{Action, State, SultansOfWind};
use dhow::games::switches::{build, parse_value, table_of};
use toml::{Table, Value};

use crate::common::*;

fn refusal(seats: usize, key: &str, value: Value) -> String {
    let table = Table::from_iter([(key.to_owned(), value)]);
    build::<SultansOfWind>(&table, seats).err().unwrap_or_else(|| panic!("{key} was let through")).to_string()
}

#[test]
fn switches_fields_and_rulings_belong_together() {
    let defaults = table_of(&SultansOfWind::default_rules(3));
    let mut fields: Vec<&str> = defaults.keys().map(String::as_str).collect();
    let mut keys: Vec<&str> = SWITCHES.iter().map(|switch| switch.key).collect();
    fields.sort_unstable();
    keys.sort_unstable();
    assert_eq!(fields, keys);
    let ids: Vec<String> = (1..=20).map(|number| format!("W-{number:02}")).collect();
    assert_eq!(RULINGS.iter().map(|ruling| ruling.id).collect::<Vec<_>>(), ids);
    assert!(RULINGS.iter().filter_map(|ruling| ruling.key).all(|key| keys.contains(&key)));
}

#[test]
fn defaults_are_the_published_game_as_ruled() {
    let expected = r#"
        palace_layout = "corners"
        start_cells = "table"
        seats3 = [0, 1, 2]
        cloud_set = "built-in"
        setup_orientation = "random"
        arrangement = "simultaneous"
        fixed_arrangement = [1234, 1234]
        favor_tie = "random"
        pass_allowed = "all_but_6"
        favor_on_null_8 = false
        call_djinn_on_palace = true
        call_djinn_same_tile = true
        swap_adjacency = "edge"
        palace_is_tile_for_wish = true
        wish_chain = "forbid"
        wish_chain_cap = 8
        targets34 = "plain_two"
        win_check = "any_player"
        blocked_adjacent = "orthogonal"
        round_cap = 200
    "#;
    assert_eq!(table_of(game(2, &[]).rules()), expected.parse::<Table>().unwrap());
}

#[test]
fn what_cannot_be_is_refused_with_the_reason() {
    let list = |numbers: &[i64]| Value::Array(numbers.iter().copied().map(Value::Integer).collect());
    for (key, value, reason) in [
        ("palace_layout", word("corner"), "did you mean `corners`"),
        ("round_cap", Value::Integer(0), "from 1 to 2000"),
        ("wish_chain_cap", Value::Integer(9), "from 1 to 8"),
        ("start_cells", word("tables"), "table or 12 whole numbers from 101 to 1212"),
        ("start_cells", list(&[301, 202]), "table or 12 whole numbers"),
        ("seats3", list(&[0, 1, 4]), "3 whole numbers from 0 to 3"),
        ("fixed_arrangement", list(&[1234]), "2 whole numbers from 1234 to 8765"),
        ("fixed_arrangement", list(&[1234, 2234]), "2234 does not name four different tiles"),
        ("fixed_arrangement", list(&[1239, 1234]), "1239 does not name four different tiles"),
        ("fixed_arrangement", list(&[2340, 1234]), "2340 does not name four different tiles"),
    ] {
        let error = refusal(2, key, value);
        assert!(error.contains(reason), "{error}\n{reason}");
    }
    let home = [301, 202, 103, 110, 211, 312, 1012, 1111, 1210, 1203, 1102, 1001];
    let with = |at: usize, space: i64| {
        let mut home = home;
        home[at] = space;
        list(&home)
    };
    assert!(build::<SultansOfWind>(&Table::from_iter([("start_cells".to_owned(), list(&home))]), 2).is_ok());
    for (value, reason) in [
        (with(0, 401), "401 does not lie on palace 0"),
        (with(5, 301), "301 does not lie on palace 1"),
        (with(1, 301), "301 is named twice"),
        (with(1, 200), "200 is no space of the board"),
        (with(1, 213), "213 is no space of the board"),
        (with(11, 1200), "1200 is no space of the board"),
    ] {
        let error = refusal(2, "start_cells", value);
        assert!(error.contains(reason), "{error}\n{reason}");
    }
    // Rules can be made without the switches' ranges.
    let mut rules = SultansOfWind::default_rules(2);
    rules.round_cap = 2001;
    assert!(SultansOfWind::new(rules.clone(), 2).is_err());
    rules.round_cap = 2000;
    assert!(SultansOfWind::new(rules.clone(), 2).is_ok());
    rules.wish_chain_cap = 0;
    assert!(SultansOfWind::new(rules.clone(), 2).is_err());
    rules.wish_chain_cap = 1;
    rules.seats3 = vec![0, 1];
    assert!(SultansOfWind::new(rules.clone(), 2).is_err());
    rules.seats3 = vec![0, 1, 4];
    assert!(SultansOfWind::new(rules.clone(), 2).is_err());
    rules.seats3 = vec![0, 1, 3];
    rules.fixed_arrangement = vec![1234];
    assert!(SultansOfWind::new(rules, 2).is_err());
}

#[test]
fn start_cells_can_be_typed() {
    let typed =
        parse_value::<SultansOfWind>("start_cells", "301,202,103,110,211,312,1012,1111,1210,1203,1102,1001");
    let game = game(2, &[("start_cells", typed.unwrap())]);
    assert_eq!(game.initial(), crate::common::game(2, &[]).initial());
    assert_eq!(parse_value::<SultansOfWind>("start_cells", "table"), Ok(word("table")));
    let moved =
        parse_value::<SultansOfWind>("start_cells", "101,102,303,110,211,312,1012,1111,1210,1203,1102,1001");
    let game = crate::common::game(3, &[("start_cells", moved.unwrap())]);
    assert_eq!(game.initial().carpets_of(seat(0)), cells(&[(0, 0), (2, 2)]));
    assert_eq!(game.targets(seat(2)).cells(), cells(&[(0, 0), (2, 2)]));
}

#[test]
fn w09_passing() {
    let may_pass = |pass: &str, tile: u8| {
        let game = game(2, &[("pass_allowed", word(pass))]);
        legal(&game, &board_l0(&game, tile)).contains(&Action::Pass)
    };
    for tile in 1..=8 {
        assert_eq!(may_pass("all_but_6", tile), tile != 6);
        assert!(may_pass("all", tile));
        assert!(!may_pass("never_if_possible", tile));
    }
    // A djinn that is shut in.
    let game = game(2, &[("pass_allowed", word("never_if_possible"))]);
    let mut state = board_l0(&game, 8);
    state.djinn = Some(at((5, 0)));
    place(&mut state, 0, &[(4, 1), (4, 2), (0, 2)]);
    place(&mut state, 1, &[(6, 0), (10, 10), (9, 11)]);
    assert!(game.free(&state.squares).contains(at((6, 0))));
    assert_eq!(legal(&game, &state), [Action::Pass]);
}

#[test]
fn w12_call_djinn() {
    let count = |rules: &[(&str, Value)]| {
        let game = game(2, rules);
        legal(&game, &board_l0(&game, 6)).len()
    };
    assert_eq!(count(&[]), 66);
    assert_eq!(count(&[("call_djinn_same_tile", Value::Boolean(false))]), 62);
    let neither =
        [("call_djinn_same_tile", Value::Boolean(false)), ("call_djinn_on_palace", Value::Boolean(false))];
    assert_eq!(count(&neither), 44);
    // Moving the djinn is another matter: it may enter a palace all the same.
    let game = game(2, &neither);
    let mut state = board_l0(&game, 8);
    state.djinn = Some(at((9, 3)));
    assert!(djinn_destinations(&game, &state).contains(&at((9, 2))));
}

#[test]
fn w15_a_meeting_on_a_palace() {
    for (counts, phase) in [(true, Phase::Wish), (false, Phase::First)] {
        let game = game(2, &[("palace_is_tile_for_wish", Value::Boolean(counts))]);
        let mut state = board_l0(&game, 7);
        state.djinn = Some(at((11, 0)));
        place(&mut state, 0, &[(9, 3), (1, 1), (0, 2)]);
        assert_eq!(after(&game, &state, step((9, 3), (9, 2))).phase, phase);
        let mut state = board_l0(&game, 8);
        state.djinn = Some(at((9, 3)));
        place(&mut state, 0, &[(10, 0), (1, 1), (0, 2)]);
        assert_eq!(after(&game, &state, Action::Djinn(at((9, 2)))).phase, phase);
        // Leaving a palace for a cloud tile counts either way.
        let mut state = board_l0(&game, 7);
        state.djinn = Some(at((9, 5)));
        place(&mut state, 0, &[(9, 2), (1, 1), (0, 2)]);
        assert_eq!(after(&game, &state, step((9, 2), (9, 3))).phase, Phase::Wish);
    }
}

/// Seat 0 meets the djinn with tile 7, takes tile 8 as its wish and brings the djinn to another carpet.
fn second_meeting(game: &SultansOfWind) -> State {
    let mut state = board_l0(game, 7);
    state.djinn = Some(at((4, 4)));
    place(&mut state, 0, &[(4, 1), (4, 10), (0, 2)]);
    let state = after(game, &state, step((4, 1), (4, 3)));
    assert_eq!(state.phase, Phase::Wish);
    let mut state = after(game, &state, Action::Wish(8));
    assert_eq!((state.free_actions, state.resolving), (1, 8));
    state.djinn = Some(at((3, 8)));
    after(game, &state, Action::Djinn(at((3, 9))))
}

#[test]
fn w16_wishes_for_more_wishes() {
    let forbid = second_meeting(&game(2, &[]));
    assert_eq!((forbid.phase, forbid.counts[0].wishes, forbid.counts[0].chained), (Phase::First, 1, 0));
    assert_eq!(forbid.free_actions, 0);
    let allow = second_meeting(&game(2, &[("wish_chain", word("allow"))]));
    assert_eq!((allow.phase, allow.counts[0].wishes, allow.counts[0].chained), (Phase::Wish, 2, 1));
    let capped = [("wish_chain", word("allow")), ("wish_chain_cap", Value::Integer(1))];
    assert_eq!(second_meeting(&game(2, &capped)).phase, Phase::First);
    let two = game(2, &[("wish_chain", word("allow")), ("wish_chain_cap", Value::Integer(2))]);
    assert_eq!(second_meeting(&two).phase, Phase::Wish);
    // Letting the wish go ends the chain.
    let over = after(&two, &second_meeting(&two), Action::NoWish);
    assert_eq!((over.phase, over.free_actions, over.active()), (Phase::First, 0, seat(1)));
}

#[test]
fn w16_the_count_starts_again_with_the_second_tile() {
    let game = game(2, &[]);
    let mut state = board_l0(&game, 5);
    state.visible[0] = [1, 2, 3, 6];
    state.hand[0] = dhow::games::sultans_of_wind::channel::Tiles::of(7);
    state.djinn = Some(at((4, 4)));
    place(&mut state, 0, &[(1, 1), (4, 2), (0, 2)]);
    let state = after(&game, &state, step((4, 2), (4, 3)));
    let state = after(&game, &state, Action::Wish(4));
    let mut state = after(&game, &state, Action::Pass);
    assert_eq!((state.phase, state.resolving, state.free_actions), (Phase::Action, 7, 0));
    state.djinn = Some(at((3, 0)));
    let state = after(&game, &state, step((4, 3), (4, 2)));
    assert_eq!((state.phase, state.counts[0].wishes, state.counts[0].chained), (Phase::Wish, 2, 0));
}

/// Seat 0 brings the djinn onto the last target of seat 1, which has a carpet beside it.
fn completed_by_another(rules: &[(&str, Value)]) -> (SultansOfWind, State) {
    let game = game(2, rules);
    let mut state = board_l0(&game, 8);
    state.djinn = Some(at((1, 2)));
    place(&mut state, 1, &[(0, 2), (2, 0), (0, 1)]);
    place(&mut state, 0, &[(9, 0), (9, 1), (9, 2)]);
    let next = after(&game, &state, Action::Djinn(at((1, 1))));
    (game, next)
}

#[test]
fn w18_a_race_completed_by_another_player() {
    let (_, any) = completed_by_another(&[]);
    assert_eq!((any.phase, any.winner), (Phase::Over, Some(seat(1))));
    let (game, only) = completed_by_another(&[("win_check", word("active_only"))]);
    assert_eq!((only.phase, only.winner), (Phase::First, None));
    // It wins after the owner's next tile.
    let mut state = only.clone();
    assert_eq!(game.turn(&state), Turn::Decision(seat(1)));
    state.hand[1] = dhow::games::sultans_of_wind::channel::Tiles::of(7).with(5);
    game.play(&mut state, seat(1), Action::First(7)).unwrap();
    game.play(&mut state, seat(1), Action::Pass).unwrap();
    assert_eq!((state.phase, state.winner), (Phase::Over, Some(seat(1))));
}

#[test]
fn w18_the_active_player_comes_first() {
    let game = game(2, &[]);
    let mut state = board_l0(&game, 1);
    place(&mut state, 0, &[(9, 11), (10, 10), (11, 9)]);
    place(&mut state, 1, &[(0, 2), (1, 1), (2, 0)]);
    assert_eq!(after(&game, &state, Action::Pass).winner, Some(seat(0)));
    state.order = [1, 0, 0, 0].map(seat);
    resolving(&mut state, 1);
    assert_eq!(after(&game, &state, Action::Pass).winner, Some(seat(1)));
    // Then clockwise.
    let game = crate::common::game(3, &[]);
    let mut state = board_l0(&game, 1);
    state.order = [1, 0, 2, 0].map(seat);
    resolving(&mut state, 1);
    place(&mut state, 0, &[(9, 11), (11, 9)]);
    place(&mut state, 2, &[(2, 0), (0, 2)]);
    place(&mut state, 1, &[(4, 0), (4, 1)]);
    assert_eq!(after(&game, &state, Action::Pass).winner, Some(seat(2)));
}

#[test]
fn w20_the_cap_falls_after_the_last_tile_and_its_wish() {
    for seats in 2..=4 {
        let game = game(seats, &[("round_cap", Value::Integer(3))]);
        let mut state = board_l0(&game, 7);
        state.round = 3;
        state.position = seats as u8 - 1;
        state.order = [1, 0, 2, 0].map(seat);
        state.order[seats - 1] = seat(0);
        state.djinn = Some(at((4, 4)));
        place(&mut state, 0, &[(4, 1), (1, 1), (0, 2)][..if seats == 2 { 3 } else { 2 }]);
        assert_eq!(after(&game, &state, Action::Pass).phase, Phase::Over);
        let wish = after(&game, &state, step((4, 1), (4, 3)));
        assert_eq!(wish.phase, Phase::Wish);
        let over = after(&game, &wish, Action::NoWish);
        let outcome = game.outcome(&over).unwrap();
        assert_eq!((outcome.ending(), outcome.capped()), ("cap", true));
        assert!(
            outcome
                .results()
                .iter()
                .all(|result| result.rank == 1 && result.share_units == 60 / seats as u32)
        );
        let free = after(&game, &wish, Action::Wish(wish.hidden(seat(0)).nth(0)));
        assert_eq!(free.phase, Phase::Action);
        // One round earlier the game goes on.
        let mut earlier = state.clone();
        earlier.round = 2;
        let next = after(&game, &earlier, Action::Pass);
        assert_eq!((next.phase, next.round), (Phase::Choice, 3));
    }
}

#[test]
fn scores_count_carpets_at_home() {
    let game = game(2, &[]);
    let mut state = board_l0(&game, 1);
    place(&mut state, 0, &[(9, 11), (10, 10), (11, 9)]);
    place(&mut state, 1, &[(0, 2), (5, 11), (2, 0)]);
    let outcome = game.outcome(&after(&game, &state, Action::Pass)).unwrap();
    assert_eq!(outcome.ending(), "race");
    assert_eq!(
        outcome.results().iter().map(|result| (result.rank, result.score)).collect::<Vec<_>>(),
        [(1, 3), (2, 2)]
    );
}
