//! Perft: counts of everything that the rules allow, to hold against published counts. For small games, or
//! few events deep; works on any game.

use std::collections::HashSet;

use crate::game::{Game, Turn};

/// Calls `next` with every state that one event away from `state` can give: one for each action, each
/// outcome of luck, each joint choice.
fn successors<G: Game>(game: &G, state: &G::State, mut next: impl FnMut(G::State)) {
    let mut one = |action| {
        let mut after = state.clone();
        game.apply(&mut after, action);
        next(after);
    };
    match game.turn(state) {
        Turn::Over => {}
        Turn::Decision(seat) => {
            let mut actions = Vec::new();
            game.actions(state, seat, &mut actions);
            actions.into_iter().for_each(&mut one);
        }
        Turn::Chance(_) => {
            let mut outcomes = Vec::new();
            game.chance(state, &mut outcomes);
            outcomes.into_iter().for_each(|(outcome, _)| one(outcome));
        }
        Turn::Simultaneous(seats) => {
            let mut joints = vec![Vec::new()];
            for seat in seats.iter() {
                let mut actions = Vec::new();
                game.actions(state, seat, &mut actions);
                let longer = |joint: &Vec<G::Action>| {
                    let joint = joint.clone();
                    actions.clone().into_iter().map(move |action| [joint.as_slice(), &[action]].concat())
                };
                joints = joints.iter().flat_map(longer).collect();
            }
            for joint in joints {
                let mut after = state.clone();
                game.apply_together(&mut after, &joint);
                next(after);
            }
        }
    }
}

/// The number of ways to play on from `state` for `depth` events, games that end earlier counted once. With
/// `u32::MAX`, the number of different games.
pub fn perft<G: Game>(game: &G, state: &G::State, depth: u32) -> u64 {
    if depth == 0 || game.turn(state) == Turn::Over {
        return 1;
    }
    let mut count = 0;
    successors(game, state, |after| count += perft(game, &after, depth - 1));
    count
}

/// The number of different states that can come from `state`, itself included.
pub fn positions<G: Game>(game: &G, state: &G::State) -> usize {
    let mut seen = HashSet::from([state.clone()]);
    let mut open = vec![state.clone()];
    while let Some(state) = open.pop() {
        successors(game, &state, |after| {
            if seen.insert(after.clone()) {
                open.push(after);
            }
        });
    }
    seen.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{SHARE_UNITS, Seat};
    use crate::games::Catalogued;
    use crate::games::yardsticks::{
        kuhn_poker::KuhnPoker, pig::Pig, rock_paper_scissors::RockPaperScissors, tic_tac_toe::TicTacToe,
    };

    fn standard<G: Catalogued>() -> G {
        G::new(G::default_rules(2), 2).unwrap()
    }

    #[test]
    fn tic_tac_toe_has_255168_games_and_5478_positions() {
        let game = standard::<TicTacToe>();
        let start = game.initial();
        let counts: Vec<u64> = (1..=6).map(|depth| perft(&game, &start, depth)).collect();
        // 1,440 games are over after five marks: each counts once in the sixth column, not four times.
        assert_eq!(counts, [9, 72, 504, 3_024, 15_120, 60_480 - 1_440 * 3]);
        assert_eq!(perft(&game, &start, u32::MAX), 255_168);
        assert_eq!(positions(&game, &start), 5_478);
    }

    /// Adds to `parts` what each seat, and a draw, gets of `units`, when every legal action is as likely as
    /// any other: exact as long as the numbers of actions divide the units.
    fn split(game: &TicTacToe, state: &<TicTacToe as Game>::State, units: u64, parts: &mut [u64; 3]) {
        if let Some(outcome) = game.outcome(state) {
            let sole = Seat::all(2).find(|seat| outcome.results()[seat.index()].share_units == SHARE_UNITS);
            parts[sole.map_or(2, Seat::index)] += units;
            return;
        }
        let mut after = Vec::new();
        successors(game, state, |state| after.push(state));
        assert_eq!(units % after.len() as u64, 0);
        after.iter().for_each(|state| split(game, state, units / after.len() as u64, parts));
    }

    #[test]
    fn random_tic_tac_toe_gives_737_of_1260_121_of_420_and_8_of_63() {
        const NINE_FACTORIAL: u64 = 362_880;
        let game = standard::<TicTacToe>();
        let mut parts = [0; 3];
        split(&game, &game.initial(), NINE_FACTORIAL, &mut parts);
        let exact = [(737, 1260), (121, 420), (8, 63)];
        assert_eq!(parts, exact.map(|(part, whole)| NINE_FACTORIAL / whole * part));
    }

    #[test]
    fn counts_of_the_other_kinds_of_node() {
        let kuhn = standard::<KuhnPoker>();
        assert_eq!(perft(&kuhn, &kuhn.initial(), u32::MAX), 30);
        // Before, during and after the deal 1 + 3 + 6, then eight lines of play for each of six deals.
        assert_eq!(positions(&kuhn, &kuhn.initial()), 58);
        let throws = standard::<RockPaperScissors>();
        assert_eq!(perft(&throws, &throws.initial(), u32::MAX), 9);
        assert_eq!(positions(&throws, &throws.initial()), 8);
        let pig = standard::<Pig>();
        // Roll or hold; a throw's six faces or the other's choice; and so on.
        let counts: Vec<u64> = (1..=3).map(|depth| perft(&pig, &pig.initial(), depth)).collect();
        assert_eq!(counts, [2, 8, 20]);
    }
}
