//! Boards and matches for the tests.

use dhow::game::{Game, Seat};
use dhow::games::sultans_of_wind::board::{Cell, Square};
use dhow::games::sultans_of_wind::state::Phase;
use dhow::games::sultans_of_wind::{Action, State, SultansOfWind};
use dhow::games::switches::build;
use toml::{Table, Value};

pub const LAYOUTS: [&str; 3] = ["corners", "pinwheel", "pinwheel_mirrored"];

/// A match with some switches set.
pub fn game(seats: usize, rules: &[(&str, Value)]) -> SultansOfWind {
    let table: Table = rules.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect();
    build(&table, seats).expect("these rules go together")
}

pub fn word(text: &str) -> Value {
    Value::String(text.into())
}

pub fn seat(index: usize) -> Seat {
    Seat::new(index)
}

/// (row, column), both from 0.
pub fn at((row, column): (usize, usize)) -> Cell {
    Cell::at(row, column)
}

pub fn cells(list: &[(usize, usize)]) -> Vec<Cell> {
    list.iter().copied().map(at).collect()
}

/// Cloud tiles 0 to 11 in reading order, all unturned, the djinn on (5,5), carpets at home, seat 0 to
/// resolve `tile` as its last one this round.
pub fn board_l0(game: &SultansOfWind, tile: u8) -> State {
    let mut state = game.initial();
    let mut next = 0;
    for square in &mut state.squares {
        if *square == Square::EMPTY {
            *square = Square::cloud(next, 0);
            next += 1;
        }
    }
    assert_eq!(next, 12);
    state.djinn = Some(at((5, 5)));
    state.favor = Some(seat(0));
    state.first_favor = Some(seat(0));
    for (index, order) in state.order.iter_mut().enumerate().take(game.seats()) {
        *order = seat(index);
    }
    state.phase = Phase::Action;
    resolving(&mut state, tile);
    state
}

/// Lets the active seat resolve `tile`, with the lowest four others visible.
pub fn resolving(state: &mut State, tile: u8) {
    let mut others = (1..=8).filter(|&other| other != tile);
    for visible in &mut state.visible {
        *visible = [1, 2, 3, 4];
    }
    let active = state.active().index();
    state.visible[active] = [(); 4].map(|()| others.next().unwrap());
    state.resolving = tile;
}

pub fn place(state: &mut State, owner: usize, carpets: &[(usize, usize)]) {
    let mut list = [Cell::OFF; 3];
    for (slot, &cell) in list.iter_mut().zip(carpets) {
        *slot = at(cell);
    }
    list.sort();
    state.carpets[owner] = list;
}

pub fn actions(game: &SultansOfWind, state: &State, seat: Seat) -> Vec<Action> {
    let mut out = Vec::new();
    game.actions(state, seat, &mut out);
    out
}

/// What the active seat may do.
pub fn legal(game: &SultansOfWind, state: &State) -> Vec<Action> {
    actions(game, state, state.active())
}

/// The destinations of the carpet on `from`.
pub fn destinations(game: &SultansOfWind, state: &State, from: (usize, usize)) -> Vec<Cell> {
    let to = |action| match action {
        Action::Move { from: start, to } if start == at(from) => Some(to),
        _ => None,
    };
    legal(game, state).into_iter().filter_map(to).collect()
}

pub fn djinn_destinations(game: &SultansOfWind, state: &State) -> Vec<Cell> {
    let to = |action| match action {
        Action::Djinn(to) => Some(to),
        _ => None,
    };
    legal(game, state).into_iter().filter_map(to).collect()
}

/// Plays an action that must be legal, and gives the state after it.
pub fn after(game: &SultansOfWind, state: &State, action: Action) -> State {
    let mut next = state.clone();
    game.play(&mut next, state.active(), action).unwrap();
    next
}

pub fn step(from: (usize, usize), to: (usize, usize)) -> Action {
    Action::Move { from: at(from), to: at(to) }
}

/// The free cells of the board as twelve rows of `.` and `#`.
pub fn picture(game: &SultansOfWind, state: &State) -> Vec<String> {
    let free = game.free(&state.squares);
    (0..12)
        .map(|row| (0..12).map(|column| if free.contains(at((row, column))) { '.' } else { '#' }).collect())
        .collect()
}

/// The three rows of one square.
pub fn square_picture(game: &SultansOfWind, state: &State, square: usize) -> Vec<String> {
    let rows = picture(game, state);
    let (top, left) = (square / 4 * 3, square % 4 * 3);
    rows[top..top + 3].iter().map(|row| row[left..left + 3].to_owned()).collect()
}
