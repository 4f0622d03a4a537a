//! stub while building
use super::Alhambra;
use super::state::{Action, State};
use crate::game::{Ink, Narrate, Seat};
impl Narrate for Alhambra {
    fn draw(&self, _state: &State, _ink: Ink) -> String {
        String::new()
    }
    fn tell(&self, _before: &State, _seat: Option<Seat>, _action: Action, _after: &State) -> String {
        String::new()
    }
    fn describe(&self, _state: &State, _seat: Seat, action: Action) -> String {
        action.to_string()
    }
}
