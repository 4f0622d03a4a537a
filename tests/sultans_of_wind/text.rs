//! What people read and type.

use dhow::game::{Game, Ink, Narrate, Turn};
use dhow::games::sultans_of_wind::board::{Cell, Square};
use dhow::games::sultans_of_wind::channel::Tiles;
use dhow::games::sultans_of_wind::state::Phase;
use dhow::games::sultans_of_wind::{Action, State, SultansOfWind};
use toml::Value;

use crate::common::*;

#[test]
fn actions_are_read_as_they_are_shown() {
    for (text, action) in [
        ("cloud 0", Action::Cloud(0)),
        ("cloud 11", Action::Cloud(11)),
        ("facing 0", Action::Facing(0)),
        ("facing 270", Action::Facing(3)),
        ("show 8 5 3 1", Action::Show([8, 5, 3, 1])),
        ("favor 4", Action::Favor(seat(3))),
        ("choose 5 7", Action::Choose(5, 7)),
        ("first 8", Action::First(8)),
        ("move c5 l12", step((4, 2), (11, 11))),
        ("swap 6 16", Action::Swap(5, 15)),
        ("turn 1 180", Action::Turn { square: 0, quarters: 2 }),
        ("djinn a1", Action::Djinn(at((0, 0)))),
        ("pass", Action::Pass),
        ("wish 1", Action::Wish(1)),
        ("no wish", Action::NoWish),
    ] {
        assert_eq!(action.to_string(), text);
        assert_eq!(text.parse(), Ok(action));
    }
    // What a hand may type.
    assert_eq!(" choose  7 5 ".parse(), Ok(Action::Choose(5, 7)));
    assert_eq!("swap 7 6".parse(), Ok(Action::Swap(5, 6)));
    assert_eq!("move C5 E7".parse(), Ok(step((4, 2), (6, 4))));
}

#[test]
fn what_is_no_action_is_refused_with_an_example() {
    for (text, example) in [
        ("", "`pass`"),
        ("fly a1", "`move c5 e7`"),
        ("pass 1", "`pass`"),
        ("cloud 12", "tiles 0 to 11"),
        ("facing 45", "0, 90, 180 or 270"),
        ("show 1 2 3", "`show 8 5 3 1`"),
        ("show 1 2 3 9", "four tiles from 1 to 8"),
        ("favor 5", "a seat from 1 to 4"),
        ("favor 0", "a seat from 1 to 4"),
        ("choose 0 1", "two tiles from 1 to 8"),
        ("first 9", "a tile from 1 to 8"),
        ("move c5", "`move c5 e7`"),
        ("move c5 m1", "from a1 (top left) to l12 (bottom right)"),
        ("move c13 a1", "from a1"),
        ("move c0 a1", "from a1"),
        ("move c+5 a1", "from a1"),
        ("move é a1", "from a1"),
        ("swap 0 1", "two squares from 1 to 16"),
        ("swap 1 17", "two squares from 1 to 16"),
        ("turn 6 0", "90, 180 or 270"),
        ("turn 17 90", "a square from 1 to 16"),
        ("djinn 5", "from a1"),
        ("wish x", "a tile from 1 to 8"),
        ("no", "`no wish`"),
    ] {
        let error = text.parse::<Action>().expect_err(text).to_string();
        assert!(error.contains(example), "{error}\n{example}");
    }
}

#[test]
fn parts_of_states_are_read_as_they_are_written() {
    let json = |text: &str| serde_json::from_str::<Square>(text).ok();
    assert_eq!(json("\"palace\""), Some(Square::PALACE));
    assert_eq!(json("\"empty\""), Some(Square::EMPTY));
    assert_eq!(json("\"7:90\""), Some(Square::cloud(7, 1)));
    assert_eq!(serde_json::to_string(&Square::cloud(11, 3)).unwrap(), "\"11:270\"");
    for wrong in ["\"7\"", "\"12:0\"", "\"7:45\"", "\"x:0\"", "7"] {
        assert_eq!(json(wrong), None, "{wrong}");
    }
    assert_eq!(serde_json::from_str::<Cell>("\"-\"").unwrap(), Cell::OFF);
    assert!(serde_json::from_str::<Cell>("\"m1\"").is_err());
    assert_eq!(serde_json::from_str::<Tiles>("[3, 1]").unwrap(), Tiles::of(1).with(3));
    // A set holds each once.
    assert_eq!(serde_json::from_str::<Tiles>("[3, 1, 3]").unwrap(), Tiles::of(1).with(3));
    assert_eq!(Tiles::of(3).with(3), Tiles::of(3));
    assert!(serde_json::from_str::<Tiles>("[0]").is_err());
    assert!(serde_json::from_str::<Tiles>("[9]").is_err());
}

#[test]
fn a_state_is_written_in_words() {
    let game = game(2, &[]);
    let json = serde_json::to_value(board_l0(&game, 7)).unwrap();
    assert_eq!(json["squares"][1], "0:0");
    assert_eq!(json["squares"][15], "palace");
    assert_eq!(json["carpets"][0], serde_json::json!(["c1", "b2", "a3"]));
    assert_eq!(json["carpets"][2], serde_json::json!(["-", "-", "-"]));
    assert_eq!(json["djinn"], "f6");
    assert_eq!(json["phase"], "action");
    assert_eq!(json["resolving"], 7);
    assert_eq!(json["visible"][1], serde_json::json!([1, 2, 3, 4]));
    assert_eq!(json["favor"], 0);
    assert_eq!(json["winner"], serde_json::Value::Null);
}

fn home(state: &mut State, game: &SultansOfWind) {
    if game.seats() == 2 {
        place(state, 0, &[(4, 1), (1, 1), (0, 2)]);
    }
}

#[test]
fn the_board_is_drawn_without_colour() {
    let game = game(2, &[]);
    let mut state = board_l0(&game, 7);
    home(&mut state, &game);
    state.hand[1] = Tiles::of(5).with(8);
    let expected = "\
Round 1: order of play 1, 2; seat 1's turn
      a b c    d e f    g h i    j k l
    +1-------+2-------+3-------+4-------+
  1 | . . A  | . . #  | . # #  | . . .  |
  2 | . A .  | . . #  | . . #  | . . .  |
  3 | b . .  | # # #  | # . #  | . . .  |
    +5-------+6-------+7-------+8-------+
  4 | . . #  | # . #  | . . .  | . # #  |
  5 | # A .  | . . .  | # . #  | . . .  |
  6 | # # #  | # # @  | # # #  | # # #  |
    +9-------+10------+11------+12------+
  7 | . . #  | . . .  | . . .  | . . .  |
  8 | # . #  | # # .  | . # #  | # # #  |
  9 | # . #  | # # #  | # # #  | # # .  |
    +13------+14------+15------+16------+
 10 | . . .  | . . .  | . . .  | . . B  |
 11 | . . .  | # # #  | # # #  | . B .  |
 12 | . . .  | # . #  | . # #  | B . .  |
    +--------+--------+--------+--------+
    . free  # cloud  A B C D carpets of seats 1 to 4  a b c d their targets  @ djinn
    palaces: squares 1, 4, 16, 13
Seat 1 A  channel 1 2 3 4 | screen 5 6 8 | plays 7 (Move 12) | home 0 of 3 | Favor
Seat 2 B  channel 1 2 3 4 | screen 6 7 | in hand 5 8 | home 0 of 3";
    assert_eq!(game.draw(&state, Ink::Plain), expected);
    let colour = game.draw(&state, Ink::Colour);
    assert!(colour.contains("\u{1b}[") && !expected.contains('\u{1b}'));
    assert!(expected.lines().all(|line| line.len() <= 100));
}

#[test]
fn every_stage_of_the_game_is_drawn() {
    let game = game(3, &[("round_cap", Value::Integer(1))]);
    let head = |state: &State| game.draw(state, Ink::Plain).lines().next().unwrap().to_owned();
    let mut state = game.initial();
    assert_eq!(head(&state), "Round 1: the clouds are being laid");
    assert!(game.draw(&state, Ink::Plain).contains("Seat 3 C  channel not filled yet"));
    assert!(game.draw(&state, Ink::Plain).contains("  1 | . . A  |"));
    assert!(game.draw(&state, Ink::Plain).contains("  4 |        |"));
    state = board_l0(&game, 1);
    for (phase, text) in [
        (Phase::Arrangement, "the wind channels are being filled"),
        (Phase::FavorTie, "luck decides who gets the Favor"),
        (Phase::Djinn, "the player with the Favor places the djinn"),
        (Phase::Choice, "all choose two tiles in secret"),
        (Phase::Over, "the game is cut off, a draw"),
    ] {
        state.phase = phase;
        assert_eq!(head(&state), format!("Round 1: {text}"));
    }
    state.winner = Some(seat(1));
    assert_eq!(head(&state), "Round 1: seat 2 has won the race");
}

/// What is told of an action of the active seat.
fn told(game: &SultansOfWind, state: &State, action: Action) -> String {
    game.tell(state, Some(state.active()), action, &after(game, state, action))
}

#[test]
fn actions_are_told_with_what_came_of_them() {
    let game = game(2, &[]);
    let with = |tile: u8, djinn: (usize, usize)| {
        let mut state = board_l0(&game, tile);
        state.djinn = Some(at(djinn));
        state.favor = Some(seat(1));
        home(&mut state, &game);
        state
    };
    assert_eq!(
        told(&game, &with(7, (4, 4)), step((4, 1), (4, 3))),
        "Seat 1 plays 7 (Move 12): moves the carpet from b5 to d5 (2 steps); the djinn grants a wish."
    );
    assert_eq!(
        told(&game, &with(5, (4, 4)), step((1, 1), (0, 1))),
        "Seat 1 plays 5 (Move 6): moves the carpet from b2 to b1 (1 step)."
    );
    assert_eq!(
        told(&game, &with(3, (4, 4)), step((0, 2), (0, 4))),
        "Seat 1 plays 3 (Move Through 2): moves the carpet from c1 to e1 (2 steps)."
    );
    assert_eq!(
        told(&game, &with(8, (4, 3)), Action::Djinn(at((4, 2)))),
        "Seat 1 plays 8 (Move Djinn 4): moves the djinn from d5 to c5 (1 step); seat 1 has the Favor; the djinn grants a wish."
    );
    assert_eq!(
        told(&game, &with(6, (4, 3)), Action::Djinn(at((6, 6)))),
        "Seat 1 plays 6 (Call Djinn): calls the djinn to g7; seat 1 has the Favor."
    );
    assert_eq!(
        told(&game, &with(2, (4, 3)), Action::Swap(4, 5)),
        "Seat 1 plays 2 (Changing Clouds): swaps square 5 (cloud tile 2) and square 6 (cloud tile 3); \
         seat 1's carpets ride to c1, b2, e5; the djinn rides to a5."
    );
    assert_eq!(
        told(&game, &with(4, (4, 3)), Action::Turn { square: 4, quarters: 3 }),
        "Seat 1 plays 4 (Turbulence): turns square 5 (cloud tile 2) by 270 degrees clockwise."
    );
    let mut wish = with(4, (4, 3));
    wish.free_actions = 1;
    assert_eq!(told(&game, &wish, Action::Pass), "Seat 1 plays 4 (Turbulence) as a free action: passes.");
    wish.phase = Phase::Wish;
    wish.resolving = 0;
    assert_eq!(told(&game, &wish, Action::NoWish), "Seat 1 lets the wish go.");
    assert_eq!(told(&game, &wish, Action::Wish(7)), "Seat 1 takes 7 (Move 12) as a free action.");
    let mut won = with(1, (4, 3));
    place(&mut won, 0, &[(9, 11), (10, 10), (11, 10)]);
    place(&mut won, 1, &[(0, 2), (1, 1), (2, 1)]);
    assert_eq!(
        told(&game, &won, step((11, 10), (11, 9))),
        "Seat 1 plays 1 (Move 3): moves the carpet from k12 to j12 (1 step); all carpets of seat 1 are home: the race is won."
    );
    let short = crate::common::game(2, &[("round_cap", Value::Integer(1))]);
    let mut last = with(1, (4, 3));
    last.position = 1;
    last.order = [1, 0, 0, 0].map(seat);
    assert_eq!(
        told(&short, &last, Action::Pass),
        "Seat 1 plays 1 (Move 3): passes; the last round is over: a draw."
    );
}

#[test]
fn set_up_and_choices_are_told() {
    let game = game(2, &[]);
    let mut state = game.initial();
    let mut lines = Vec::new();
    while let Turn::Chance(_) = game.turn(&state) {
        let (before, action) = (state.clone(), game.sample_chance(&state, u64::MAX));
        game.apply(&mut state, action);
        lines.push(game.tell(&before, None, action, &state));
    }
    assert_eq!(lines[..2], ["Luck lays cloud tile 11 on square 2.", "Luck turns it 270 degrees clockwise."]);
    assert_eq!(lines[22], "Luck lays cloud tile 0 on square 15.");
    let joint = |state: &mut State, actions: [Action; 2]| {
        let before = state.clone();
        game.play_together(state, &actions).unwrap();
        [0, 1].map(|index| game.tell(&before, Some(seat(index)), actions[index], state))
    };
    let [first, second] = joint(&mut state, [Action::Show([8, 7, 6, 5]), Action::Show([1, 2, 3, 4])]);
    assert_eq!(first, "Seat 1 shows 8 7 6 5 (total 26), with 1 2 3 4 behind the screen.");
    assert_eq!(
        second,
        "Seat 2 shows 1 2 3 4 (total 10), with 5 6 7 8 behind the screen; seat 1 has the Favor."
    );
    let place = Action::Djinn(at((5, 6)));
    let before = state.clone();
    game.play(&mut state, seat(0), place).unwrap();
    assert_eq!(game.tell(&before, Some(seat(0)), place, &state), "Seat 1 places the djinn on g6.");
    let [first, second] = joint(&mut state, [Action::Choose(3, 4), Action::Choose(7, 8)]);
    assert_eq!(first, "Seat 1 chooses 3 (Move Through 2) and 4 (Turbulence), total 7.");
    assert_eq!(second, "Seat 2 chooses 7 (Move 12) and 8 (Move Djinn 4), total 15; order of play 2, 1.");
    let before = state.clone();
    game.play(&mut state, seat(1), Action::First(8)).unwrap();
    assert_eq!(
        game.tell(&before, Some(seat(1)), Action::First(8), &state),
        "Seat 2 plays 8 (Move Djinn 4) first."
    );
    let tied = Action::Favor(seat(1));
    let mut state = board_l0(&game, 1);
    (state.phase, state.favor) = (Phase::FavorTie, None);
    let before = state.clone();
    game.apply(&mut state, tied);
    assert_eq!(
        game.tell(&before, None, tied, &state),
        "Luck gives the Favor to seat 2; seat 2 has the Favor."
    );
}

#[test]
fn a_menu_says_which_actions_grant_a_wish() {
    let game = game(2, &[]);
    let mut state = board_l0(&game, 7);
    state.djinn = Some(at((4, 4)));
    home(&mut state, &game);
    let told = |state: &State, action| game.describe(state, seat(0), action);
    assert_eq!(
        told(&state, step((4, 1), (4, 3))),
        "move the carpet from b5 to d5 (2 steps), which grants a wish"
    );
    assert_eq!(told(&state, step((4, 1), (4, 2))), "move the carpet from b5 to c5 (1 step)");
    state.free_actions = 1;
    assert_eq!(told(&state, step((4, 1), (4, 3))), "move the carpet from b5 to d5 (2 steps)");
    assert_eq!(told(&state, Action::Pass), "pass");
    assert_eq!(told(&state, Action::Swap(1, 2)), "swap square 2 (cloud tile 0) and square 3 (cloud tile 1)");
}
