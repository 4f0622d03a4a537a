//! The one-move searcher on this game: it arrives, it wins, and it cannot see what others choose.

use dhow::agents::Agent;
use dhow::agents::greedy::Greedy;
use dhow::agents::random::Random;
use dhow::game::{Game, Heuristics, Seat, Turn};
use dhow::games::sultans_of_wind::{Action, State, SultansOfWind};
use dhow::streams::{Deal, Stream, agent_stream};

use crate::common::*;

/// One game; seats for which `greedy` says so are greedy, the others random. `look` sees every joint choice.
fn play(
    game: &SultansOfWind,
    block: u64,
    greedy: impl Fn(Seat) -> bool,
    mut look: impl FnMut(&State, &[Action]),
) -> State {
    let mut deal = Deal::new(3, 0, block, 0, game.seats());
    let mut seats: Vec<(Box<dyn Agent<SultansOfWind>>, Stream)> = Seat::all(game.seats())
        .map(|seat| {
            let agent: Box<dyn Agent<SultansOfWind>> =
                if greedy(seat) { Box::new(Greedy::new()) } else { Box::new(Random::default()) };
            (agent, agent_stream(3, 0, block, 0, seat))
        })
        .collect();
    let mut state = game.initial();
    loop {
        match game.turn(&state) {
            Turn::Over => return state,
            Turn::Chance(source) => {
                let action = game.sample_chance(&state, deal.word(source));
                game.apply(&mut state, action);
            }
            Turn::Decision(seat) => {
                let (agent, stream) = &mut seats[seat.index()];
                let action = agent.choose(game, &state, seat, stream);
                game.apply(&mut state, action);
            }
            Turn::Simultaneous(choosing) => {
                let joint: Vec<Action> = choosing
                    .iter()
                    .map(|seat| {
                        let (agent, stream) = &mut seats[seat.index()];
                        agent.choose(game, &state, seat, stream)
                    })
                    .collect();
                look(&state, &joint);
                game.apply_together(&mut state, &joint);
            }
        }
    }
}

#[test]
fn greedy_arrives_long_before_the_cap() {
    for layout in ["corners", "pinwheel"] {
        for seats in 2..=4 {
            let game = game(seats, &[("palace_layout", word(layout))]);
            for block in 0..6 {
                let end = play(&game, block, |_| true, |_, _| {});
                assert_eq!(game.outcome(&end).unwrap().ending(), "race");
                assert!(end.round < 40, "{layout}, {seats} players, block {block}: {} rounds", end.round);
            }
        }
    }
}

#[test]
fn greedy_beats_random_players() {
    for seats in 2..=4 {
        let game = game(seats, &[]);
        for block in 0..6 {
            let mine = seat(block as usize % seats);
            let end = play(&game, block, |seat| seat == mine, |_, _| {});
            assert_eq!(end.winner, Some(mine), "{seats} players, block {block}");
        }
    }
}

/// At each joint choice the greedy seat is asked again after the others have chosen, and after they have
/// chosen otherwise: its choice is the same.
#[test]
fn a_choice_does_not_depend_on_the_secret_choices_of_others() {
    for seats in 2..=4 {
        let game = game(seats, &[]);
        let mut asked = 0;
        play(
            &game,
            9,
            |seat| seat.index() == 0,
            |state, joint| {
                let (mut before, mut stream) = (Greedy::new(), Stream::from_seed(asked));
                let alone = before.choose(&game, state, seat(0), &mut stream);
                let mut others = Stream::from_seed(asked + 1000);
                for _ in 0..3 {
                    for other in (1..seats).map(seat) {
                        game.random_action(state, other, &mut others, &mut Vec::new());
                    }
                    let mut stream = Stream::from_seed(asked);
                    assert_eq!(before.choose(&game, state, seat(0), &mut stream), alone);
                }
                assert_eq!(joint.len(), seats);
                asked += 1;
            },
        );
        assert!(asked > 2);
    }
}

/// What is promising at the choice: a pair that wins at once, and strong tiles kept behind the screen.
#[test]
fn priors_know_what_is_good() {
    let game = game(2, &[]);
    let mut state = board_l0(&game, 1);
    state.resolving = 0;
    state.phase = dhow::games::sultans_of_wind::state::Phase::Choice;
    state.visible = [[2, 4, 6, 8]; 4];
    place(&mut state, 1, &[(0, 0), (1, 0), (4, 0)]);
    // One step and eleven steps from home.
    place(&mut state, 0, &[(9, 11), (10, 11), (9, 2)]);
    let menu = actions(&game, &state, seat(0));
    let mut weights = Vec::new();
    game.prior(&state, seat(0), &menu, &mut weights);
    let best = menu.iter().zip(&weights).max_by(|a, b| a.1.total_cmp(b.1)).unwrap().0;
    assert!(matches!(best, Action::Choose(_, 7)), "{best}");
    state.phase = dhow::games::sultans_of_wind::state::Phase::Arrangement;
    let menu = [Action::Show([8, 6, 1, 3]), Action::Show([7, 5, 4, 2]), Action::Show([7, 8, 6, 5])];
    game.prior(&state, seat(0), &menu, &mut weights);
    assert!(weights[0] > weights[1] && weights[0] > weights[2], "{weights:?}");
}
