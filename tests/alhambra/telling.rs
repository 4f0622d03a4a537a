//! The game in words: lines that fit, reasons for every offer.

use dhow::game::{Game, Ink, Narrate, Seat, Turn};
use dhow::games::alhambra::state::{Action, Phase};
use dhow::games::alhambra::tiles::Tile;

use crate::{begun, game, lay_out, play, random_game, tiles};

#[test]
fn every_state_and_step_of_a_game_can_be_told() {
    for seats in [2, 5] {
        let game = game(seats, |rules| rules.sultan_final_distribution = seats == 5);
        let mut last: Option<(dhow::games::alhambra::state::State, Option<Seat>, Action)> = None;
        let mut count = 0;
        random_game(&game, 30 + seats as u64, |state, action| {
            count += 1;
            if count % 5 == 0 || action.is_none() {
                for ink in [Ink::Plain, Ink::Colour] {
                    let text = game.draw(state, ink);
                    assert!(
                        ink == Ink::Colour || text.lines().all(|line| line.chars().count() <= 100),
                        "{text}"
                    );
                    assert!(text.contains("Seat 1") && text.contains("Yard") && text.contains("Display"));
                }
            }
            if let Some((before, seat, action)) = last {
                let text = game.tell(&before, seat, action, state);
                assert!(text.ends_with('.') && !text.contains('\n'), "{text}");
                if state.scorings > before.scorings {
                    assert!(text.contains(&format!("Scoring {}", state.scorings)), "{text}");
                }
                if let Phase::Offer { seat, .. } = state.phase {
                    assert!(text.contains(&format!("Seat {seat} is asked")), "{text}");
                }
            }
            let seat = match game.turn(state) {
                Turn::Decision(seat) => Some(seat),
                _ => None,
            };
            if let (Some(seat), Some(action)) = (seat, action) {
                assert!(!game.describe(state, seat, action).is_empty());
            }
            last = action.map(|action| (*state, seat, action));
        });
    }
}

#[test]
fn an_offer_says_who_was_passed_over_and_why() {
    let game = game(4, |_| {});
    let mut state = begun(&game, 1);
    state.active = Seat::new(2);
    state.asked_first = Seat::new(3);
    state.bag = tiles(&[40, 41]);
    state.yard[1] = None;
    state.phase = Phase::Yard;
    state.sultan.owned = Default::default();
    state.sultan.owned[0][4] = 1;
    state.sultan.owned[1][4] = 1;
    let before = state;
    play(&game, &mut state, &["tile 40"]);
    let text = game.tell(&before, None, Action::Tile(Tile::new(40)), &state);
    assert_eq!(
        text,
        "For the dirham slot the bag gives tile 40 garden 10 [-]. Seat 4 has no garden card. \
         Seat 1 is asked: it owns a garden card and stands at place 2 in the order."
    );
    let before = state;
    play(&game, &mut state, &["decline"]);
    let text = game.tell(&before, Some(Seat::new(0)), Action::Decline, &state);
    assert_eq!(
        text,
        "Seat 1 declines the tile. \
         Seat 2 is asked: it owns a garden card and stands at place 3 in the order."
    );
}

#[test]
fn a_map_is_drawn_with_walls_types_prices_and_numbers() {
    let game = game(3, |_| {});
    let mut state = begun(&game, 1);
    lay_out(&mut state, 0, &[(4, 0, -1), (8, 1, -1), (5, 1, 0)]);
    let text = game.draw(&state, Ink::Plain);
    let from = text.find("       0").unwrap_or_else(|| panic!("{text}"));
    let drawn: Vec<&str> = text[from..].lines().take(8).collect();
    let expected = [
        "       0     1",
        "    +#####+#####+",
        " -1  pav 6 ser 4#",
        "         4     8#",
        "    +     +     +",
        "  0  foun- pav 7#",
        "      tain     5#",
        "    +     +     +",
    ];
    assert_eq!(drawn, expected, "\n{}", text);
}
