//! Known answers, and what a planner must never do.

use super::plies::Plies;
use super::rest::Rest;
use super::table::Values;
use super::trunk::{Kind, Trunk};
use super::turn::Planner;
use super::*;
use crate::agents::registry::Spec;
use crate::game::{MAX_SEATS, Turn};
use crate::games::Catalogued;
use crate::games::six_sided_seas::rules::SupplyLimit;
use crate::games::six_sided_seas::{Action, Phase, Rules, SixSidedSeas, State as SeasState, StateBuilder};
use crate::games::yardsticks::pig::Pig;
use crate::games::yardsticks::tic_tac_toe::TicTacToe;

fn seas(seats: usize) -> SixSidedSeas {
    SixSidedSeas::with_rules(Rules::published(seats), seats).unwrap()
}

/// The graph of the Roll phase of a fresh captain with this coin limit and dice enough.
fn roll_phase(limit: u8) -> Trunk<SixSidedSeas> {
    let rules = Rules { supply_limit: SupplyLimit::Unlimited, ..Rules::published(2) };
    let game = SixSidedSeas::with_rules(rules.clone(), 2).unwrap();
    let root = StateBuilder::new(&rules, 2).coin(Seat::new(0), limit).build().unwrap();
    let mut rest = Rest::new();
    rest.begin(&game, &root);
    let mut trunk = Trunk::new();
    trunk.build(&game, &rest, &root, u64::MAX);
    trunk
}

#[test]
fn the_roll_phase_is_listed_by_multisets_of_dice() {
    let counts = [227, 298, 388, 498, 634, 797, 996, 1231, 1513, 1844];
    for (limit, expected) in (12..=21).zip(counts) {
        let trunk = roll_phase(limit);
        // Within the limit: where one may roll or stop, and the jackpots.
        let within = |phase| matches!(phase, Phase::Roll | Phase::Jackpot);
        let found = trunk.items.iter().filter(|item| within(item.state.phase())).count();
        assert_eq!(found, expected, "limit {limit}");
        assert_eq!(trunk.order.len(), trunk.items.len());
    }
}

/// Rolling until the total is 8 or more, the total as reward and nothing after going overboard: known from
/// an independent computation.
#[test]
fn the_roll_phase_has_the_known_odds() {
    let trunk = roll_phase(12);
    let (mut overboard, mut jackpot) = (0.0, 0.0);
    let mut flow = vec![0.0; trunk.items.len()];
    flow[0] = 1.0;
    let mut value = 0.0;
    for &index in &trunk.order {
        let index = index as usize;
        let state = trunk.items[index].state;
        let wanted = match state.phase() {
            Phase::Roll if state.total() >= 8 => {
                value += flow[index] * state.total() as f64;
                continue;
            }
            Phase::Jackpot => {
                jackpot += flow[index];
                value += flow[index] * state.total() as f64;
                continue;
            }
            Phase::Over => {
                overboard += flow[index];
                continue;
            }
            _ => Action::Roll,
        };
        let chance = trunk.items[index].kind == Kind::Chance;
        for edge in trunk.steps(index) {
            if chance || edge.action == wanted {
                flow[edge.to as usize] += flow[index] * edge.probability;
            }
        }
    }
    assert!((value - 9.163831).abs() < 5e-7, "{value}");
    assert!((overboard - 0.0423).abs() < 5e-5, "{overboard}");
    assert!((jackpot - 0.1023).abs() < 5e-5, "{jackpot}");
}

/// Plain expectimax to the end of the turn, every seat for itself, no memory and no limit.
fn plain<G: Heuristics>(game: &G, state: &G::State, turn_id: u32) -> Values {
    let mut values = [0.0; MAX_SEATS];
    let turn = game.turn(state);
    if turn == Turn::Over || game.turn_id(state) != turn_id {
        game.value_planned(state, &mut values[..game.seats()]);
        return values;
    }
    let child = |action| {
        let mut child = state.clone();
        game.apply(&mut child, action);
        plain(game, &child, turn_id)
    };
    match turn {
        Turn::Chance(_) => {
            let mut outcomes = Vec::new();
            game.chance(state, &mut outcomes);
            for &(outcome, probability) in &outcomes {
                for (sum, value) in values.iter_mut().zip(child(outcome)) {
                    *sum += probability * value;
                }
            }
        }
        Turn::Decision(seat) => {
            let mut actions = Vec::new();
            game.actions(state, seat, &mut actions);
            game.prune(state, &mut actions);
            values = [f64::NEG_INFINITY; MAX_SEATS];
            for &action in &actions {
                let found = child(action);
                if found[seat.index()] > values[seat.index()] {
                    values = found;
                }
            }
        }
        _ => unreachable!(),
    }
    values
}

/// Positions of greedy games of Six-Sided Seas, with who decides.
fn positions(
    game: &SixSidedSeas,
    seed: u64,
    mut wanted: impl FnMut(&SeasState) -> bool,
) -> Vec<(SeasState, Seat)> {
    let (mut luck, mut choice) = (Stream::from_seed(seed), Stream::from_seed(!seed));
    let (mut state, mut greedy, mut found) = (game.initial(), Greedy::new(), Vec::new());
    loop {
        let action = match game.turn(&state) {
            Turn::Over => return found,
            Turn::Chance(_) => game.sample_chance(&state, luck.word()),
            Turn::Decision(seat) => {
                if wanted(&state) {
                    found.push((state, seat));
                }
                greedy.choose(game, &state, seat, &mut choice)
            }
            Turn::Simultaneous(_) => unreachable!(),
        };
        game.apply(&mut state, action);
    }
}

#[test]
fn without_limit_the_plan_is_plain_expectimax() {
    for seats in [2, 3] {
        let game = seas(seats);
        let mut planner = Planner::new(None);
        let small = |state: &SeasState| {
            matches!(
                state.phase(),
                Phase::Order | Phase::Over | Phase::Evade | Phase::Claim | Phase::RemoveEvade
            ) && state.pool().len() <= 1
        };
        let found = positions(&game, 7 + seats as u64, small);
        assert!(found.len() > 30);
        for (state, seat) in found {
            planner.forget();
            planner.plan(&game, &state);
            assert!(planner.exact());
            let expected = plain(&game, &state, game.turn_id(&state))[seat.index()];
            let best = planner.options(seat).map(|option| option.1).fold(f64::NEG_INFINITY, f64::max);
            assert!((best - expected).abs() < 1e-9, "{best} {expected} {state:?}");
        }
    }
}

#[test]
fn a_small_budget_is_kept_and_still_plays() {
    let game = seas(2);
    for nodes in [1, 2, 10, 100, 1000] {
        let mut planner = Planner::new(Some(nodes));
        for (state, seat) in positions(&game, 3, |state| state.turn_no() < 9) {
            let before = state;
            planner.plan(&game, &state);
            assert!(planner.spent() <= nodes, "{} of {nodes}", planner.spent());
            assert_eq!(state, before);
            game.check_action(&state, seat, planner.action(seat)).unwrap();
        }
    }
}

/// Two agents in two games, asked in turns, choose as if each were alone; so does one that is asked for
/// reasons and policies in between.
#[test]
fn interleaved_games_and_questions_change_nothing() {
    let game = seas(2);
    let spec = Spec::parse("expectimax:nodes=300").unwrap().resolve(&game, "six-sided-seas").unwrap();
    let lines = [1, 2].map(|seed| positions(&game, seed, |state| state.turn_no() < 7));
    let mut stream = Stream::from_seed(1);
    let alone: Vec<Vec<Action>> = lines
        .iter()
        .map(|line| {
            let mut agent = spec.build::<SixSidedSeas>().unwrap();
            agent.begin(&game, Seat::new(0));
            line.iter().map(|(state, seat)| agent.choose(&game, state, *seat, &mut stream)).collect()
        })
        .collect();
    let mut agents = [(); 2].map(|()| spec.build::<SixSidedSeas>().unwrap());
    for step in 0..lines[0].len().min(lines[1].len()) {
        for (game_no, agent) in agents.iter_mut().enumerate() {
            let (state, seat) = &lines[game_no][step];
            let (other, other_seat) = &lines[1 - game_no][step];
            agent.policy(&game, other, *other_seat).unwrap();
            agent.explain(&game, state, *seat, &mut Stream::from_seed(0)).unwrap();
            assert_eq!(agent.choose(&game, state, *seat, &mut stream), alone[game_no][step]);
        }
    }
}

#[test]
fn search_keys_tell_states_apart() {
    let game = seas(4);
    let mut seen = std::collections::BTreeMap::new();
    for seed in 0..6 {
        for (state, _) in positions(&game, seed, |_| true) {
            // What the key leaves out: tallies, and the number of a turn far from the cap.
            let text = serde_json::to_value(state).unwrap();
            let mut text = text.as_object().unwrap().clone();
            text.remove("turn_no");
            for player in text["players"].as_array_mut().unwrap() {
                player.as_object_mut().unwrap().remove("tally");
            }
            let text = serde_json::to_string(&text).unwrap();
            let known = seen.entry(game.search_key(&state)).or_insert_with(|| text.clone());
            assert_eq!(*known, text);
        }
    }
    let texts: std::collections::BTreeSet<&String> = seen.values().collect();
    assert_eq!(texts.len(), seen.len(), "equal states have one key");
}

#[test]
fn the_method_follows_the_game() {
    let show = |text: &str| {
        let (seas, noughts) = (seas(2), TicTacToe::new(Default::default(), 2).unwrap());
        let spec = Spec::parse(text).unwrap();
        let of = |result: Result<Spec, _>| {
            result.map_or_else(
                |error: crate::agents::registry::AgentError| error.to_string(),
                |spec| spec.to_string(),
            )
        };
        (of(spec.resolve(&seas, "six-sided-seas")), of(spec.resolve(&noughts, "tic-tac-toe")))
    };
    assert_eq!(show("expectimax"), ("expectimax:method=turn".into(), "expectimax:method=plies".into()));
    let (turn, plies) = show("expectimax:method=auto:depth=3");
    assert!(turn.contains("method turn has no parameter `depth`"), "{turn}");
    assert_eq!(plies, "expectimax:depth=3:method=plies");
}

#[test]
fn tic_tac_toe_is_a_draw_and_forced_moves_are_found() {
    let game = TicTacToe::new(Default::default(), 2).unwrap();
    let first = Seat::new(0);
    let mut plies = Plies::new(9, 1_000_000, false);
    plies.search(&game, &game.initial(), first, true);
    for (_, value) in plies.explain().options {
        assert_eq!(value, 0.5);
    }
    // Every answer keeps the draw against every play of the other side.
    fn hold(game: &TicTacToe, plies: &mut Plies<TicTacToe>, state: &<TicTacToe as Game>::State, us: Seat) {
        match game.turn(state) {
            Turn::Over => assert!(game.outcome(state).unwrap().payoff(us) >= 0.5),
            Turn::Decision(seat) if seat == us => {
                plies.search(game, state, us, false);
                let mut child = *state;
                game.apply(&mut child, plies.action());
                hold(game, plies, &child, us);
            }
            Turn::Decision(seat) => {
                let mut actions = Vec::new();
                game.actions(state, seat, &mut actions);
                for action in actions {
                    let mut child = *state;
                    game.apply(&mut child, action);
                    hold(game, plies, &child, us);
                }
            }
            _ => unreachable!(),
        }
    }
    for seat in Seat::all(2) {
        hold(&game, &mut Plies::new(9, 1_000_000, false), &game.initial(), seat);
    }
}

/// A cut search finds what the one without windows finds, luck included; two seats through max^n as well.
#[test]
fn cuts_change_no_value() {
    let game = Pig::new(crate::games::yardsticks::pig::Rules { target: 12, turn_cap: 6 }, 2).unwrap();
    let root = game.initial();
    for depth in 1..=3 {
        let mut cut = Plies::new(depth, u64::MAX, false);
        cut.search(&game, &root, Seat::new(0), false);
        let mut full = Plies::new(depth, u64::MAX, false);
        full.search(&game, &root, Seat::new(0), true);
        let expected = full.explain().options[0];
        let found = cut.explain().options[0];
        assert!((found.1 - expected.1).abs() < 1e-12);
        assert_eq!(cut.action(), full.action());
        let plain = ahead(&game, &root, game.turn_id(&root), depth);
        assert!((plain[0] - expected.1).abs() < 1e-12, "{depth}: {} {}", plain[0], expected.1);
    }
}

/// Plain expectimax some turns ahead.
fn ahead(game: &Pig, state: &<Pig as Game>::State, turn_id: u32, mut turns: u32) -> Values {
    let mut values = [0.0; MAX_SEATS];
    let turn = game.turn(state);
    turns -= (game.turn_id(state) != turn_id) as u32;
    if turn == Turn::Over || turns == 0 {
        game.value(state, &mut values[..game.seats()]);
        return values;
    }
    let child = |action| {
        let mut child = *state;
        game.apply(&mut child, action);
        ahead(game, &child, game.turn_id(state), turns)
    };
    match turn {
        Turn::Chance(_) => {
            let mut outcomes = Vec::new();
            game.chance(state, &mut outcomes);
            for &(outcome, probability) in &outcomes {
                let found = child(outcome);
                for (sum, value) in values.iter_mut().zip(found) {
                    *sum += probability * value;
                }
            }
        }
        Turn::Decision(seat) => {
            let mut actions = Vec::new();
            game.actions(state, seat, &mut actions);
            values = [f64::NEG_INFINITY; MAX_SEATS];
            for &action in &actions {
                let found = child(action);
                if found[seat.index()] > values[seat.index()] {
                    values = found;
                }
            }
        }
        _ => unreachable!(),
    }
    values
}
