//! Random games under random rules, played by the engine and by the slow twin side by side.

use std::collections::BTreeSet;
use std::io::Write;

use dhow::game::{Game, Heuristics, Seat, Turn};
use dhow::games::Catalogued;
use dhow::games::sultans_of_wind::board::Cell;
use dhow::games::sultans_of_wind::{Action, State, SultansOfWind};
use dhow::games::switches::{build, random_overrides, table_of};
use dhow::streams::Stream;
use toml::{Table, Value};

use crate::common::*;
use crate::twin::{Node, Pattern, Spot, Twin, rotate, spot_text};

/// The built-in cloud tiles, typed once more.
const BUILT_IN: [&str; 12] = [
    "..#..####",
    ".##..##.#",
    "..##..###",
    "#.#...###",
    "...#.####",
    ".##...###",
    "..##.##.#",
    "...##.###",
    "....#####",
    "...#####.",
    "...####.#",
    "...###.##",
];

fn pattern_of(text: &str) -> Pattern {
    let blocked: Vec<bool> = text.chars().map(|cell| cell == '#').collect();
    [
        [blocked[0], blocked[1], blocked[2]],
        [blocked[3], blocked[4], blocked[5]],
        [blocked[6], blocked[7], blocked[8]],
    ]
}

/// A pattern with five blocked cells; every third one looks the same after a half or a quarter turn.
fn random_pattern(stream: &mut Stream) -> Pattern {
    const SYMMETRIC: [&str; 6] =
        ["#.#.#.#.#", ".#.###.#.", "#...#.#.#", "##..#..##", ".#.###.#.", "#..###..#"];
    loop {
        let mut cells = [true, true, true, true, true, false, false, false, false];
        stream.shuffle(&mut cells);
        let pattern = match stream.below(3) {
            0 => pattern_of(SYMMETRIC[stream.below(6)]),
            _ => [
                [cells[0], cells[1], cells[2]],
                [cells[3], cells[4], cells[5]],
                [cells[6], cells[7], cells[8]],
            ],
        };
        if pattern.as_flattened().iter().filter(|&&blocked| blocked).count() == 5 {
            return pattern;
        }
    }
}

/// The connected groups of free cells, in reading order of their first cells.
fn groups(pattern: &Pattern) -> Vec<BTreeSet<(usize, usize)>> {
    let mut groups: Vec<BTreeSet<(usize, usize)>> = Vec::new();
    for (i, row) in pattern.iter().enumerate() {
        for (j, &blocked) in row.iter().enumerate() {
            if blocked {
                continue;
            }
            // Joins every group that it touches.
            let touches = |group: &BTreeSet<(usize, usize)>| {
                group.iter().any(|&(k, l)| k.abs_diff(i) + l.abs_diff(j) == 1)
            };
            let (near, mut far): (Vec<_>, Vec<_>) = groups.into_iter().partition(touches);
            let mut joined: BTreeSet<(usize, usize)> = near.into_iter().flatten().collect();
            joined.insert((i, j));
            far.push(joined);
            groups = far;
        }
    }
    groups.sort_by_key(|group| *group.first().unwrap());
    groups
}

fn sides(group: &BTreeSet<(usize, usize)>) -> String {
    let mut out = String::new();
    let mut touch = |name, yes| {
        if yes {
            out.push(name)
        }
    };
    touch('N', group.iter().any(|cell| cell.0 == 0));
    touch('E', group.iter().any(|cell| cell.1 == 2));
    touch('S', group.iter().any(|cell| cell.0 == 2));
    touch('W', group.iter().any(|cell| cell.1 == 0));
    out
}

/// A cloud file of these patterns, with all derived columns.
pub fn cloud_file(patterns: &[Pattern]) -> String {
    let mut text = "tile_id,row0,row1,row2,blocked_mask,free_mask,shape,sides_of_main_component,\
                    joins_opposite_sides,distinct_orientations\n"
        .to_owned();
    for (tile, pattern) in patterns.iter().enumerate() {
        let row =
            |at: usize| pattern[at].map(|blocked| if blocked { '#' } else { '.' }).iter().collect::<String>();
        let mask: u32 =
            pattern.as_flattened().iter().enumerate().map(|(at, &blocked)| u32::from(blocked) << at).sum();
        let groups = groups(pattern);
        let largest = groups.iter().map(BTreeSet::len).max().unwrap();
        let main = groups.iter().find(|group| group.len() == largest).unwrap();
        let joins = groups.iter().map(sides).any(|sides| {
            sides.contains('N') && sides.contains('S') || sides.contains('E') && sides.contains('W')
        });
        let mut seen = BTreeSet::new();
        let mut turned = *pattern;
        for _ in 0..4 {
            seen.insert(turned);
            turned = rotate(&turned);
        }
        text += &format!(
            "{tile},{},{},{},{mask},{},any,{},{},{}\n",
            row(0),
            row(1),
            row(2),
            511 - mask,
            sides(main),
            u8::from(joins),
            seen.len()
        );
    }
    text
}

/// Random rules with everything that random switches leave out: cloud files, start cells, arrangements,
/// and short games.
fn random_match(stream: &mut Stream) -> (SultansOfWind, Twin) {
    let seats = 2 + stream.below(3);
    let mut table: Table = random_overrides::<SultansOfWind>(seats, stream);
    if stream.below(3) > 0 {
        table.insert("round_cap".into(), Value::Integer(1 + stream.below(4) as i64));
    } else {
        table.remove("round_cap");
    }
    if stream.below(2) == 0 {
        table.insert("wish_chain".into(), word("allow"));
        table.insert("wish_chain_cap".into(), Value::Integer(1 + stream.below(4) as i64));
    }
    if stream.below(3) == 0 {
        let layout = table.get("palace_layout").and_then(Value::as_str).unwrap_or("corners");
        let palaces = match layout {
            "corners" => [0, 3, 15, 12],
            "pinwheel" => [1, 7, 14, 8],
            _ => [2, 11, 13, 4],
        };
        let mut list = Vec::new();
        for palace in palaces {
            let mut places: Vec<i64> = (0..9).collect();
            stream.shuffle(&mut places);
            for place in &places[..3] {
                list.push(Value::Integer(
                    (palace / 4 * 3 + place / 3 + 1) * 100 + palace % 4 * 3 + place % 3 + 1,
                ));
            }
        }
        table.insert("start_cells".into(), Value::Array(list));
    }
    if stream.below(3) == 0 {
        let mut number = || {
            let mut tiles: Vec<i64> = (1..=8).collect();
            stream.shuffle(&mut tiles);
            Value::Integer(tiles[..4].iter().fold(0, |number, tile| 10 * number + tile))
        };
        let mut list: Vec<Value> = (0..seats).map(|_| number()).collect();
        if stream.below(2) == 0 {
            list[seats - 1] = list[0].clone();
        }
        table.insert("fixed_arrangement".into(), Value::Array(list));
    }
    let mut patterns: Vec<Pattern> = BUILT_IN.iter().map(|text| pattern_of(text)).collect();
    let game = if stream.below(2) == 0 {
        patterns = (0..12).map(|_| random_pattern(stream)).collect();
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(cloud_file(&patterns).as_bytes()).unwrap();
        table.insert("cloud_set".into(), Value::String(file.path().to_str().unwrap().into()));
        build::<SultansOfWind>(&table, seats).unwrap()
    } else {
        build::<SultansOfWind>(&table, seats).unwrap()
    };
    let twin = Twin::new(&table_of(game.rules()), seats, patterns);
    (game, twin)
}

fn spot(cell: Cell) -> Spot {
    (cell.row() as i32, cell.column() as i32)
}

fn turn_text(turn: Turn) -> String {
    match turn {
        Turn::Decision(seat) => format!("seat {}", seat.index()),
        Turn::Simultaneous(seats) => format!("all {}", seats.len()),
        Turn::Chance(source) => {
            assert_eq!(source.seat, None);
            format!("luck {}", source.kind)
        }
        Turn::Over => "over".into(),
    }
}

/// Everything that can be compared of two positions.
fn compare(game: &SultansOfWind, state: &State, twin: &Twin) {
    assert_eq!(turn_text(game.turn(state)), twin.turn_text());
    assert_eq!(i64::from(game.turns(state)), twin.round);
    let free = game.free(&state.squares);
    for cell in Cell::all() {
        assert_eq!(free.contains(cell), twin.is_free(spot(cell)), "{cell}");
    }
    for (square, lies) in state.squares.iter().enumerate() {
        assert_eq!(
            lies.tile().map(|(tile, _)| tile as usize),
            twin.board.get(&square).map(|(tile, _)| *tile)
        );
        if let Some((tile, quarters)) = lies.tile() {
            // The turning is kept modulo the symmetry of the tile.
            assert!(quarters < game.clouds().tiles()[tile as usize].orientations);
        }
    }
    assert_eq!(state.djinn.map(spot), twin.djinn);
    assert_eq!(state.favor.map(Seat::index), twin.favor);
    for seat in Seat::all(twin.seats) {
        let index = seat.index();
        let carpets = state.carpets_of(seat);
        assert!(carpets.is_sorted());
        assert_eq!(carpets.iter().map(|&cell| spot(cell)).collect::<BTreeSet<_>>(), twin.carpets[index]);
        let mut visible = twin.visible[index].clone();
        visible.resize(4, 0);
        assert_eq!(state.visible[index].to_vec(), visible);
        assert_eq!(state.hand[index].iter().collect::<BTreeSet<_>>(), twin.hand[index]);
        assert_eq!(state.hidden(seat).iter().collect::<BTreeSet<_>>(), twin.hidden(index));
        assert_eq!(game.carpets_home(state, seat), twin.score(index));
        let mut tally = [0; 7];
        game.tally(state, seat, &mut tally);
        let [wishes, chained, free_actions, djinn_moves, passes] = twin.counts[index];
        let first = i64::from(twin.first_favor == Some(index));
        let home = twin.score(index) as i64;
        assert_eq!(tally, [first, home, wishes, chained, free_actions, djinn_moves, passes]);
    }
    match (&twin.node, game.outcome(state)) {
        (Node::Over(winner), Some(outcome)) => {
            assert_eq!(outcome.ending(), if winner.is_some() { "race" } else { "cap" });
            for (seat, result) in outcome.results().iter().enumerate() {
                let share = match *winner {
                    Some(winner) => f64::from(u8::from(winner == seat)),
                    None => 1.0 / twin.seats as f64,
                };
                assert_eq!(result.payoff, share);
                assert_eq!(result.rank, if share > 0.0 { 1 } else { 2 });
                assert_eq!(result.score as usize, twin.score(seat));
            }
        }
        (Node::Over(_), None) | (_, Some(_)) => panic!("one of the two is over"),
        _ => {}
    }
}

/// The legal actions, after holding them against the twin's.
fn compared_actions(game: &SultansOfWind, state: &State, twin: &Twin, seat: Seat) -> Vec<Action> {
    let list = actions(game, state, seat);
    let mut found: Vec<String> = list.iter().map(Action::to_string).collect();
    let mut expected = twin.legal(seat.index());
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
    list
}

/// An action, more often than not one that comes near a target or the djinn.
fn pick(game: &SultansOfWind, state: &State, seat: Seat, list: &[Action], stream: &mut Stream) -> Action {
    if stream.below(3) == 0 {
        // The engine's own choice is the one that its list would give.
        let (mut own, mut plain) = (stream.clone(), stream.clone());
        let action = game.random_action(state, seat, &mut own, &mut Vec::new());
        assert_eq!(action, list[plain.below(list.len())]);
        assert_eq!(own, plain);
        *stream = own;
        return action;
    }
    let good: Vec<Action> = list
        .iter()
        .copied()
        .filter(|action| match *action {
            Action::Move { to, .. } => {
                game.targets(seat).cells().contains(&to)
                    || state.djinn.is_some_and(|djinn| djinn.square() == to.square())
            }
            Action::Djinn(to) => {
                state.carpets_of(seat).iter().any(|carpet| carpet.square() == to.square())
                    || Seat::all(game.seats()).any(|other| game.targets(other).cells().contains(&to))
            }
            Action::Choose(first, second) => {
                [first, second].iter().all(|tile| [1, 3, 5, 7, 8].contains(tile))
            }
            Action::Wish(tile) => [1, 3, 5, 7, 8].contains(&tile),
            _ => false,
        })
        .collect();
    match good.is_empty() {
        true => list[stream.below(list.len())],
        false => good[stream.below(good.len())],
    }
}

/// Puts all pawns elsewhere, many of them near the targets of their owners.
fn scramble(game: &SultansOfWind, state: &mut State, twin: &mut Twin, stream: &mut Stream) {
    let free = game.free(&state.squares);
    let mut taken = BTreeSet::new();
    for seat in Seat::all(twin.seats) {
        let count = state.carpets_of(seat).len();
        let palace = game.targets(seat).cells()[0].square();
        let mut list = Vec::new();
        while list.len() < count {
            let cell = match stream.below(3) {
                0 => free.nth(stream.below(free.len())),
                _ => Cell::in_square(palace, stream.below(9)),
            };
            if taken.insert(cell) {
                list.push(cell);
            }
        }
        // Not yet all at home.
        twin.carpets[seat.index()] = list.iter().map(|&cell| spot(cell)).collect();
        list.sort();
        state.carpets[seat.index()][..count].copy_from_slice(&list);
    }
    let djinn = loop {
        // Half of the time within a few steps of a carpet.
        let cell = free.nth(stream.below(free.len()));
        let distance =
            |carpet: &Cell| carpet.row().abs_diff(cell.row()) + carpet.column().abs_diff(cell.column());
        let near = stream.below(2) == 0 || taken.iter().any(|carpet| distance(carpet) < 4);
        if near && !taken.contains(&cell) {
            break cell;
        }
    };
    state.djinn = Some(djinn);
    twin.djinn = Some(spot(djinn));
}

#[derive(Default, Debug)]
struct Seen {
    races: u32,
    by_others: u32,
    caps: u32,
    /// The most chained wishes of one player.
    chained: u32,
    odd_orientations: u32,
}

/// One game side by side.
fn play(seed: u64, steps: u32, seen: &mut Seen) {
    let mut stream = Stream::from_seed(seed);
    let (game, mut twin) = random_match(&mut stream);
    seen.odd_orientations += u32::from(game.clouds().tiles().iter().any(|cloud| cloud.orientations < 4));
    let mut state = game.initial();
    let mut decisions = 0;
    let mut scrambled = stream.below(4) == 0;
    for _ in 0..steps {
        if !scrambled && twin.node == Node::Choice {
            scrambled = true;
            scramble(&game, &mut state, &mut twin, &mut stream);
        }
        compare(&game, &state, &twin);
        let mut values = [0.0; 4];
        game.value(&state, &mut values[..twin.seats]);
        assert!(values.iter().all(|value| (0.0..=1.0).contains(value)));
        assert!((values.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        match game.turn(&state) {
            Turn::Over => {
                match (&twin.node, twin.order[twin.turn]) {
                    (Node::Over(Some(winner)), active) => {
                        seen.races += 1;
                        seen.by_others += u32::from(*winner != active);
                    }
                    _ => seen.caps += 1,
                }
                assert!(decisions <= game.step_limit());
                return;
            }
            Turn::Chance(_) => {
                let word = stream.word();
                let mut outcomes = Vec::new();
                game.chance(&state, &mut outcomes);
                let expected = twin.luck();
                assert_eq!(
                    outcomes.iter().map(|(action, _)| action.to_string()).collect::<Vec<_>>(),
                    expected
                );
                for (_, probability) in &outcomes {
                    assert!((probability - 1.0 / expected.len() as f64).abs() < 1e-12);
                }
                let action = game.sample_chance(&state, word);
                let index = ((u128::from(word) * expected.len() as u128) >> 64) as usize;
                assert_eq!(action.to_string(), expected[index]);
                game.apply(&mut state, action);
                twin.apply(&action.to_string());
            }
            Turn::Decision(seat) => {
                decisions += 1;
                let list = compared_actions(&game, &state, &twin, seat);
                let action = pick(&game, &state, seat, &list, &mut stream);
                assert_eq!(action.to_string().parse::<Action>(), Ok(action));
                game.apply(&mut state, action);
                twin.apply(&action.to_string());
            }
            Turn::Simultaneous(seats) => {
                decisions += seats.len() as u32;
                let joint: Vec<Action> = seats
                    .iter()
                    .map(|seat| {
                        let list = compared_actions(&game, &state, &twin, seat);
                        pick(&game, &state, seat, &list, &mut stream)
                    })
                    .collect();
                game.apply_together(&mut state, &joint);
                twin.apply_together(&joint.iter().map(Action::to_string).collect::<Vec<_>>());
            }
        }
        seen.chained = seen.chained.max(twin.counts.iter().map(|counts| counts[1] as u32).max().unwrap());
    }
}

fn play_many(first: u64, games: u64) {
    let mut seen = Seen::default();
    for seed in first..first + games {
        play(seed, 130, &mut seen);
    }
    // What the comparison is worth depends on what it has seen.
    assert!(seen.races > games as u32 / 6 && seen.caps > games as u32 / 8, "{seen:?}");
    assert!(seen.by_others > 0 && seen.chained > 0 && seen.odd_orientations > games as u32 / 4, "{seen:?}");
}

#[test]
fn engine_and_twin_agree_first_part() {
    play_many(1000, 300);
}

#[test]
fn engine_and_twin_agree_second_part() {
    play_many(2000, 300);
}

/// Long games at home squares, under the published rules.
#[test]
fn engine_and_twin_agree_on_the_published_game() {
    for seats in 2..=4 {
        let game = game(seats, &[]);
        let patterns = BUILT_IN.iter().map(|text| pattern_of(text)).collect();
        let mut twin = Twin::new(&table_of(game.rules()), seats, patterns);
        let mut state = game.initial();
        let mut stream = Stream::from_seed(seats as u64);
        for _ in 0..250 {
            compare(&game, &state, &twin);
            match game.turn(&state) {
                Turn::Over => break,
                Turn::Chance(_) => {
                    let action = game.sample_chance(&state, stream.word());
                    game.apply(&mut state, action);
                    twin.apply(&action.to_string());
                }
                Turn::Decision(seat) => {
                    let list = compared_actions(&game, &state, &twin, seat);
                    let action = pick(&game, &state, seat, &list, &mut stream);
                    game.apply(&mut state, action);
                    twin.apply(&action.to_string());
                }
                Turn::Simultaneous(seats) => {
                    let mut choose =
                        |seat| pick(&game, &state, seat, &actions(&game, &state, seat), &mut stream);
                    let joint: Vec<Action> = seats.iter().map(&mut choose).collect();
                    game.apply_together(&mut state, &joint);
                    twin.apply_together(&joint.iter().map(Action::to_string).collect::<Vec<_>>());
                }
            }
        }
    }
}

#[test]
fn spots_and_cells_have_the_same_text() {
    for cell in Cell::all() {
        assert_eq!(cell.to_string(), spot_text(spot(cell)));
    }
}
