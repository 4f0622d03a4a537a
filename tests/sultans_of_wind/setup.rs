//! Setting up: clouds, channels, the first Favor, three players, cloud files.

use std::collections::BTreeSet;
use std::io::Write;

use dhow::game::{Game, Turn};
use dhow::games::Catalogued;
use dhow::games::sultans_of_wind::clouds::CloudSet;
use dhow::games::sultans_of_wind::state::Phase;
use dhow::games::sultans_of_wind::{Action, State, SultansOfWind};
use dhow::games::switches::build;
use dhow::streams::Stream;
use toml::{Table, Value};

use crate::common::*;

/// Plays luck until somebody decides.
fn laid(game: &SultansOfWind, seed: u64) -> State {
    let (mut state, mut stream) = (game.initial(), Stream::from_seed(seed));
    while let Turn::Chance(_) = game.turn(&state) {
        let action = game.sample_chance(&state, stream.word());
        game.play_chance(&mut state, action).unwrap();
    }
    state
}

#[test]
fn carpets_start_on_their_palaces() {
    let two = game(2, &[]).initial();
    assert_eq!(two.carpets_of(seat(0)), cells(&[(0, 2), (1, 1), (2, 0)]));
    assert_eq!(two.carpets_of(seat(1)), cells(&[(9, 11), (10, 10), (11, 9)]));
    let four = game(4, &[("palace_layout", word("pinwheel"))]).initial();
    let expected = [[(0, 3), (0, 5)], [(3, 11), (5, 11)], [(11, 6), (11, 8)], [(6, 0), (8, 0)]];
    for (index, carpets) in expected.iter().enumerate() {
        assert_eq!(four.carpets_of(seat(index)), cells(carpets));
    }
    let mirrored = game(4, &[("palace_layout", word("pinwheel_mirrored"))]).initial();
    let expected = [[(0, 6), (0, 8)], [(6, 11), (8, 11)], [(11, 3), (11, 5)], [(3, 0), (5, 0)]];
    for (index, carpets) in expected.iter().enumerate() {
        assert_eq!(mirrored.carpets_of(seat(index)), cells(carpets));
    }
}

#[test]
fn three_players_may_leave_any_palace_empty() {
    let list = |seats: [i64; 3]| Value::Array(seats.map(Value::Integer).into());
    for (seats3, first) in
        [([0, 1, 2], (0, 2)), ([1, 2, 3], (0, 9)), ([3, 0, 1], (9, 0)), ([0, 1, 3], (0, 2))]
    {
        let game = game(3, &[("seats3", list(seats3))]);
        assert_eq!(game.initial().carpets_of(seat(0))[0], at(first));
    }
    for wrong in [[0, 2, 1], [0, 0, 1], [0, 1, 1], [3, 2, 1]] {
        let table = Table::from_iter([("seats3".to_owned(), list(wrong))]);
        let error = build::<SultansOfWind>(&table, 3).unwrap_err().to_string();
        assert!(error.contains("clockwise"), "{error}");
    }
}

#[test]
fn each_tile_is_laid_once_and_every_orientation_is_as_likely() {
    let game = game(2, &[]);
    let mut facings = [0u32; 4];
    let mut first_tiles = BTreeSet::new();
    for seed in 0..200 {
        let state = laid(&game, seed);
        let laid: Vec<(u8, u8)> = state.squares.iter().filter_map(|square| square.tile()).collect();
        assert_eq!(laid.iter().map(|(tile, _)| *tile).collect::<BTreeSet<_>>(), (0..12).collect());
        first_tiles.insert(laid[0].0);
        laid.iter().for_each(|(_, quarters)| facings[*quarters as usize] += 1);
        assert_eq!(game.turn(&state), Turn::Simultaneous(dhow::game::SeatSet::all(2)));
        assert_eq!(actions(&game, &state, seat(1)).len(), 1680);
    }
    assert_eq!(first_tiles.len(), 12);
    // 2,400 tiles: 600 each, give or take five standard deviations.
    assert!(facings.iter().all(|count| (494..=706).contains(count)), "{facings:?}");
}

#[test]
fn clouds_may_face_as_printed() {
    let game = game(2, &[("setup_orientation", word("zero"))]);
    let mut state = game.initial();
    let mut steps = 0;
    while let Turn::Chance(source) = game.turn(&state) {
        assert_eq!(source.kind, 0);
        let action = game.sample_chance(&state, 0);
        game.apply(&mut state, action);
        steps += 1;
    }
    assert_eq!(steps, 12);
    assert_eq!(picture(&game, &state), picture(&game, &board_l0(&game, 1)));
}

#[test]
fn channels_may_be_filled_in_four_ways() {
    let show = Action::Show([8, 7, 6, 5]);
    let sequential = game(3, &[("arrangement", word("sequential_from_seat0"))]);
    let mut state = laid(&sequential, 1);
    for index in 0..3 {
        assert_eq!(sequential.turn(&state), Turn::Decision(seat(index)));
        assert_eq!(state.visible[..index], vec![[8, 7, 6, 5]; index]);
        sequential.play(&mut state, seat(index), show).unwrap();
    }
    assert_eq!(state.phase, Phase::FavorTie);

    let random = game(3, &[("arrangement", word("random"))]);
    let state = laid(&random, 1);
    assert_eq!(state.phase, Phase::Djinn);
    assert_ne!(state.visible[0], state.visible[1]);
    let mut outcomes = Vec::new();
    let mut open = laid(&game(3, &[]), 1);
    open.visible[0] = [1, 2, 3, 4];
    random.chance(&open, &mut outcomes);
    assert_eq!(outcomes.len(), 1680);

    let fixed = game(3, &[("arrangement", word("fixed"))]);
    let state = laid(&fixed, 1);
    assert_eq!(state.visible[..3], [[1, 2, 3, 4]; 3]);
    assert_eq!(state.phase, Phase::Djinn);
    let given = Value::Array([1234, 8531, 4321].map(Value::Integer).into());
    let fixed = game(3, &[("arrangement", word("fixed")), ("fixed_arrangement", given)]);
    let state = laid(&fixed, 1);
    assert_eq!(state.visible[..3], [[1, 2, 3, 4], [8, 5, 3, 1], [4, 3, 2, 1]]);
    assert_eq!(state.favor, Some(seat(1)));
}

#[test]
fn equal_totals_are_decided_by_luck_or_by_seat() {
    let game_of = |tie: &str| game(3, &[("arrangement", word("fixed")), ("favor_tie", word(tie))]);
    assert_eq!(laid(&game_of("lowest_seat"), 5).favor, Some(seat(0)));
    let luck = game_of("random");
    let favored: BTreeSet<_> = (0..40).map(|seed| laid(&luck, seed).favor.unwrap().index()).collect();
    assert_eq!(favored, (0..3).collect());
    // Only those who are tied.
    let mut state = laid(&game(3, &[]), 1);
    let low = Action::Show([1, 2, 3, 4]);
    let high = Action::Show([5, 6, 7, 8]);
    game(3, &[]).play_together(&mut state, &[high, low, high]).unwrap();
    let mut outcomes = Vec::new();
    luck.chance(&state, &mut outcomes);
    assert_eq!(outcomes, [(Action::Favor(seat(0)), 0.5), (Action::Favor(seat(2)), 0.5)]);
}

fn with_file(text: &str) -> Result<SultansOfWind, String> {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    let path = Value::String(file.path().to_str().unwrap().into());
    build(&Table::from_iter([("cloud_set".to_owned(), path)]), 2).map_err(|error| error.to_string())
}

const BUILT_IN: &str = include_str!("../../src/games/sultans_of_wind/clouds.csv");

#[test]
fn the_built_in_clouds_are_twelve_patterns_none_a_turn_of_another() {
    let clouds = CloudSet::built_in();
    let mut seen = BTreeSet::new();
    for tile in 0..12 {
        assert_eq!(clouds.tiles()[tile as usize].orientations, 4);
        for quarters in 0..4 {
            let rows = clouds.rows(tile, quarters);
            assert_eq!(rows.concat().matches('#').count(), 5);
            assert!(seen.insert(rows), "tile {tile}");
        }
    }
    // Closed under mirroring.
    let mirrored = |rows: &[String; 3]| rows.clone().map(|row| row.chars().rev().collect::<String>());
    assert!(seen.iter().all(|rows| seen.contains(&mirrored(rows))));
}

#[test]
fn another_cloud_file_is_loaded_and_recorded() {
    let swapped: Vec<&str> = BUILT_IN.lines().collect();
    assert!(with_file(BUILT_IN).is_ok());
    let other = swapped[..12].join("\n") + "\n11,#.#,.#.,#.#,341,170,edges,N,0,1\n";
    let game = with_file(&other).unwrap();
    assert_eq!(game.clouds().rows(11, 3), ["#.#", ".#.", "#.#"]);
    assert_eq!(game.clouds().tiles()[11].orientations, 1);
    let data = game.loaded_data().unwrap();
    assert_eq!(data[11], serde_json::json!(["#.#", ".#.", "#.#"]));
    assert_eq!(data[1], serde_json::json!([".##", "..#", "#.#"]));
    assert_eq!(data.as_array().unwrap().len(), 12);
    // The built-in patterns are recorded as well.
    let built_in = crate::common::game(2, &[]).loaded_data().unwrap();
    assert_eq!(built_in[0], serde_json::json!(["..#", "..#", "###"]));
}

#[test]
fn a_wrong_cloud_file_is_refused_with_the_reason() {
    let lines: Vec<&str> = BUILT_IN.lines().collect();
    let last = |line: &str| lines[..12].join("\n") + "\n" + line + "\n";
    for (text, reason) in [
        (String::new(), "the columns are"),
        (BUILT_IN.replace("row1", "row_1"), "the columns are"),
        (lines[..12].join("\n"), "it has 11 tiles, expected 12"),
        (last(lines[12]) + lines[12] + "\n", "it has 13 tiles, expected 12"),
        (last("11,...,###,.#.,184,327,edge,NEW,1,4"), "tile 11: 4 cells are blocked, expected 5"),
        (last("11,...,###,###,504,7,edge,NEW,1,4"), "tile 11: 6 cells are blocked, expected 5"),
        (last("11,...,####,.#,440,71,edge,NEW,1,4"), "tile 11: row1 is `####`, expected three cells"),
        (last("11,...,###,.#x,440,71,edge,NEW,1,4"), "tile 11: `x` in row2 is neither"),
        (last("10,...,###,.##,440,71,edge,NEW,1,4"), "tile 11: its tile_id is 10"),
        (last("11,...,###,.##,441,71,edge,NEW,1,4"), "blocked_mask is 441, but the rows say 440"),
        (last("11,...,###,.##,440,72,edge,NEW,1,4"), "free_mask is 72, but the rows say 71"),
        (
            last("11,...,###,.##,440,71,edge,NESW,1,4"),
            "sides_of_main_component is NESW, but the rows say NEW",
        ),
        (last("11,...,###,.##,440,71,edge,NEW,0,4"), "joins_opposite_sides is 0, but the rows say 1"),
        (last("11,...,###,.##,440,71,edge,NEW,1,2"), "distinct_orientations is 2, but the rows say 4"),
        (last("11,...,###,.##,x,71,edge,NEW,1,4"), "cloud file"),
    ] {
        let error = with_file(&text).err().unwrap_or_else(|| panic!("{reason} was let through"));
        assert!(error.contains(reason), "{error}\n{reason}");
    }
    let missing = Table::from_iter([("cloud_set".to_owned(), word("no/such/file.csv"))]);
    let error = build::<SultansOfWind>(&missing, 2).unwrap_err().to_string();
    assert!(error.contains("cannot read the cloud file no/such/file.csv"), "{error}");
}

/// A record is set up again from the patterns that it holds, not from the file that its rules name.
#[test]
fn a_record_brings_its_own_patterns() {
    let restore = |cloud_set: &str, data: Option<&serde_json::Value>| {
        let mut rules = SultansOfWind::default_rules(2);
        rules.cloud_set = cloud_set.into();
        SultansOfWind::restore(rules, 2, data).map_err(|error| error.to_string())
    };
    let mut lines: Vec<&str> = BUILT_IN.lines().collect();
    lines[12] = "11,#.#,.#.,#.#,341,170,edges,N,0,1";
    let (other, built_in) = (with_file(&lines.join("\n")).unwrap(), game(2, &[]));
    let (data, published) = (other.loaded_data(), built_in.loaded_data());
    let restored = restore("gone.csv", data.as_ref()).unwrap();
    assert_eq!(restored.clouds(), other.clouds());
    assert_ne!(restored.clouds(), built_in.clouds());
    // A file may hold the built-in patterns; the built-in word names no others.
    assert_eq!(restore("gone.csv", published.as_ref()).unwrap().clouds(), built_in.clouds());
    assert_eq!(restore("built-in", published.as_ref()).unwrap().clouds(), built_in.clouds());
    for (cloud_set, data, reason) in [
        ("built-in", data.as_ref(), "are not the built-in ones"),
        ("gone.csv", None, "are missing"),
        ("built-in", None, "are missing"),
        ("gone.csv", Some(&serde_json::json!([["..#", "..#", "###"]])), "it has 1 tiles, expected 12"),
        ("built_in", published.as_ref(), "built-in"),
    ] {
        let error = restore(cloud_set, data).err().unwrap_or_else(|| panic!("{reason} was let through"));
        assert!(error.contains(reason), "{error}\n{reason}");
    }
}
