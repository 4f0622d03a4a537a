//! Alhambra with the Power of the Sultan, held against worked examples, an independent slow twin and
//! properties of random play.

mod agents;
mod deck;
mod examples;
mod properties;
mod telling;
mod twin;
mod versus;

use dhow::game::{Game, Seat, Turn};
use dhow::games::Catalogued;
use dhow::games::alhambra::Alhambra;
use dhow::games::alhambra::rules::Rules;
use dhow::games::alhambra::state::{Action, Cells, Currency, FewCards, Phase, Purse, State, TileSet};
use dhow::games::alhambra::tiles::Tile;
use dhow::streams::Stream;

/// A match with some switches changed.
fn game(seats: usize, change: impl FnOnce(&mut Rules)) -> Alhambra {
    let mut rules = Alhambra::default_rules(seats);
    change(&mut rules);
    Alhambra::new(rules, seats).expect("rules that go together")
}

/// Plays a line of actions in text form through the checked entries.
#[track_caller]
fn play(game: &Alhambra, state: &mut State, lines: &[&str]) {
    for text in lines {
        let action: Action = text.parse().expect("a text that is an action");
        assert_eq!(action.to_string(), *text);
        let done = match game.turn(state) {
            Turn::Chance(_) => game.play_chance(state, action),
            Turn::Decision(seat) => game.play(state, seat, action),
            other => panic!("{other:?} at `{text}`"),
        };
        done.unwrap_or_else(|error| panic!("{error}"));
    }
}

/// The legal actions in text form.
fn legal(game: &Alhambra, state: &State) -> Vec<String> {
    let Turn::Decision(seat) = game.turn(state) else { panic!("nobody decides now") };
    let mut actions = Vec::new();
    game.actions(state, seat, &mut actions);
    actions.iter().map(Action::to_string).collect()
}

/// The first turn of seat 1, after a random set-up.
fn begun(game: &Alhambra, seed: u64) -> State {
    let mut luck = Stream::from_seed(seed);
    let mut state = game.initial();
    while let Turn::Chance(_) = game.turn(&state) {
        let action = game.sample_chance(&state, luck.word());
        game.apply(&mut state, action);
    }
    // Rotate nothing, only let seat 1 begin: hands differ little.
    state.active = Seat::new(0);
    state.start = Seat::new(0);
    state.asked_first = Seat::new(1);
    state
}

fn purses(cards: [&[u8]; 4]) -> [Purse; 4] {
    cards.map(|values| values.iter().copied().collect())
}

fn tiles(numbers: &[usize]) -> TileSet {
    numbers.iter().map(|&number| Tile::new(number)).collect()
}

fn cards(list: &[(Currency, u8)]) -> FewCards {
    list.iter().map(|&card| card.try_into().expect("a card")).collect()
}

/// Lays tiles out in a seat's Alhambra without asking the rules, and takes them from the bag.
fn lay_out(state: &mut State, seat: usize, placed: &[(usize, i8, i8)]) {
    let mut all: Vec<(Tile, i8, i8)> = state.cells.into();
    for &(number, x, y) in placed {
        all.push((Tile::new(number), x, y));
        state.alhambras[seat].insert(Tile::new(number));
        state.bag.remove(Tile::new(number));
    }
    state.cells = Cells::try_from(all).expect("cells within reach");
}

/// One random game; `look` sees every state and the action chosen in it (none in the last).
fn random_game(game: &Alhambra, seed: u64, mut look: impl FnMut(&State, Option<Action>)) -> State {
    let (mut luck, mut choice) = (Stream::from_seed(seed), Stream::from_seed(seed + 1_000_000));
    let (mut state, mut buffer) = (game.initial(), Vec::new());
    loop {
        let action = match game.turn(&state) {
            Turn::Over => break,
            Turn::Chance(_) => game.sample_chance(&state, luck.word()),
            Turn::Decision(seat) => game.random_action(&state, seat, &mut choice, &mut buffer),
            Turn::Simultaneous(_) => unreachable!("nobody chooses in secret"),
        };
        look(&state, Some(action));
        game.apply(&mut state, action);
    }
    look(&state, None);
    assert_eq!(state.phase, Phase::Over);
    state
}
