//! `matrix` and `two-turn` on positions with known answers, and the faults that such agents ship.

use std::fmt::{self, Display};
use std::str::FromStr;
use std::sync::{Arc, Mutex};

use dhow::agents::Agent;
use dhow::agents::registry::Spec;
use dhow::battery::chi_squared::goodness_of_fit;
use dhow::game::{Game, Heuristics, Luck, Outcome, ParseActionError, Seat, Source, Turn, state_key};
use dhow::games::Catalogued;
use dhow::games::registry::{self, Setup, Visitor};
use dhow::games::yardsticks::rock_paper_scissors::{RockPaperScissors, Throw};
use dhow::games::yardsticks::tic_tac_toe::{Mark, State as Marks, TicTacToe};
use dhow::streams::Stream;
use dhow::tournament::{GameKey, Players, play_game};
use serde::{Deserialize, Serialize};

fn agent<G: Heuristics>(text: &str) -> Box<dyn Agent<G>> {
    Spec::parse(text).unwrap().build().unwrap()
}

fn standard<G: Catalogued>() -> G {
    G::new(G::default_rules(2), 2).unwrap()
}

fn choose<G: Heuristics>(text: &str, game: &G, state: &G::State, seat: usize) -> G::Action {
    agent(text).choose(game, state, Seat::new(seat), &mut Stream::from_seed(1))
}

/// A game written as a tree.
struct Tree {
    seats: usize,
    nodes: Vec<Node>,
}

enum Node {
    /// A seat chooses one of these nodes.
    Decision(usize, Vec<usize>),
    /// Luck chooses one of these nodes.
    Chance(Vec<(f64, usize)>),
    /// Two seats choose at once: rows of nodes.
    Both([usize; 2], Vec<Vec<usize>>),
    /// The payoffs.
    End(Vec<f64>),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
struct At {
    node: usize,
    moves: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Pick(usize);

impl Display for Pick {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        write!(out, "{}", self.0)
    }
}

impl FromStr for Pick {
    type Err = ParseActionError;
    fn from_str(text: &str) -> Result<Pick, ParseActionError> {
        text.parse().map(Pick).map_err(|_| ParseActionError::new(text, "a number"))
    }
}

impl Game for Tree {
    type State = At;
    type Action = Pick;
    fn seats(&self) -> usize {
        self.seats
    }
    fn luck(&self) -> &'static [Luck] {
        const { &[Luck::shared("coin")] }
    }
    fn endings(&self) -> &'static [&'static str] {
        &["end"]
    }
    fn step_limit(&self) -> u32 {
        100
    }
    fn initial(&self) -> At {
        At { node: 0, moves: 0 }
    }
    fn turn(&self, state: &At) -> Turn {
        match &self.nodes[state.node] {
            Node::Decision(seat, _) => Turn::Decision(Seat::new(*seat)),
            Node::Chance(_) => Turn::Chance(Source::shared(0)),
            Node::Both(seats, _) => Turn::Simultaneous(seats.iter().map(|&seat| Seat::new(seat)).collect()),
            Node::End(_) => Turn::Over,
        }
    }
    fn actions(&self, state: &At, seat: Seat, out: &mut Vec<Pick>) {
        out.clear();
        out.extend(match &self.nodes[state.node] {
            Node::Decision(_, next) => (0..next.len()).map(Pick),
            Node::Both([first, _], rows) if *first == seat.index() => (0..rows.len()).map(Pick),
            Node::Both(_, rows) => (0..rows[0].len()).map(Pick),
            _ => (0..0).map(Pick),
        });
    }
    fn chance(&self, state: &At, out: &mut Vec<(Pick, f64)>) {
        out.clear();
        if let Node::Chance(next) = &self.nodes[state.node] {
            out.extend(next.iter().enumerate().map(|(at, &(odds, _))| (Pick(at), odds)));
        }
    }
    fn apply(&self, state: &mut At, action: Pick) {
        state.node = match &self.nodes[state.node] {
            Node::Decision(_, next) => next[action.0],
            Node::Chance(next) => next[action.0].1,
            _ => unreachable!(),
        };
        state.moves += 1;
    }
    fn apply_together(&self, state: &mut At, actions: &[Pick]) {
        let Node::Both(_, rows) = &self.nodes[state.node] else { unreachable!() };
        state.node = rows[actions[0].0][actions[1].0];
        state.moves += 1;
    }
    fn outcome(&self, state: &At) -> Option<Outcome> {
        let Node::End(payoffs) = &self.nodes[state.node] else { return None };
        let scores: Vec<i32> = payoffs.iter().map(|payoff| (payoff * 1000.0) as i32).collect();
        Some(Outcome::from_scores("end", &scores).with_payoffs(payoffs))
    }
    fn turns(&self, state: &At) -> u32 {
        state.moves
    }
}

impl Heuristics for Tree {
    /// Knows the end alone.
    fn value(&self, state: &At, out: &mut [f64]) {
        match &self.nodes[state.node] {
            Node::End(payoffs) => out.copy_from_slice(payoffs),
            _ => out.fill(1.0 / self.seats as f64),
        }
    }
    fn turn_id(&self, state: &At) -> u32 {
        state.moves
    }
}

const PLANNERS: [&str; 2] = ["matrix", "two-turn:samples=200"];

#[test]
fn stakes_are_played_at_equilibrium() {
    let game: RockPaperScissors = standard();
    let exact = [(Throw::Rock, 4.0 / 7.0), (Throw::Paper, 1.0 / 7.0), (Throw::Scissors, 2.0 / 7.0)];
    for seat in [0, 1] {
        let policy = agent("matrix").policy(&game, &game.initial(), Seat::new(seat)).unwrap();
        assert_eq!(policy.len(), 3);
        for ((found, probability), (throw, expected)) in policy.into_iter().zip(exact) {
            assert!(found == throw && (probability - expected).abs() < 1e-12, "{found} {probability}");
        }
    }
}

/// Two rounds ahead the game is worth 0 from every lead, so the mix is the same.
#[test]
fn looking_through_a_second_choice_keeps_the_equilibrium() {
    let rules = dhow::games::yardsticks::rock_paper_scissors::Rules {
        rounds: 2,
        ..RockPaperScissors::default_rules(2)
    };
    let game = RockPaperScissors::new(rules, 2).unwrap();
    let policy = agent("matrix:depth=2").policy(&game, &game.initial(), Seat::new(1)).unwrap();
    for ((_, probability), expected) in policy.into_iter().zip([4.0 / 7.0, 1.0 / 7.0, 2.0 / 7.0]) {
        assert!((probability - expected).abs() < 1e-9, "{probability}");
    }
}

#[test]
fn throws_are_drawn_from_the_mix() {
    let game: RockPaperScissors = standard();
    let mut counts = [0u64; 3];
    let mut matrix = agent("matrix");
    for seed in 0..7_000 {
        let throw = matrix.choose(&game, &game.initial(), Seat::new(0), &mut Stream::from_seed(seed));
        counts[throw as usize] += 1;
    }
    assert!(goodness_of_fit(&counts, [4.0 / 7.0, 1.0 / 7.0, 2.0 / 7.0]) > 1e-3, "{counts:?}");
}

/// Two seats of three choose at once; the third gets the rest. Matching pennies with a double stake on heads:
/// each shows heads with probability 1/3.
#[test]
fn two_of_three_seats_choose_at_once() {
    let end = |first: f64| Node::End(vec![0.1, first, 0.9 - first]);
    let nodes = vec![Node::Both([1, 2], vec![vec![1, 2], vec![2, 3]]), end(0.8), end(0.2), end(0.5)];
    let game = Tree { seats: 3, nodes };
    for seat in [1, 2] {
        let policy = agent("matrix").policy(&game, &game.initial(), Seat::new(seat)).unwrap();
        assert!((policy[0].1 - 1.0 / 3.0).abs() < 1e-9, "{policy:?}");
    }
}

#[test]
fn a_win_in_one_is_taken_and_a_threat_is_met() {
    let game: TicTacToe = standard();
    // X on 1 and 2, O on 4 and 5: X wins on 3.
    let win = Marks { marks: [0b000_000_011, 0b000_011_000] };
    // X on 1 and 2, O on 5: O must take 3.
    let threat = Marks { marks: [0b000_000_011, 0b000_010_000] };
    for planner in PLANNERS {
        assert_eq!(choose(planner, &game, &win, 0), Mark(2), "{planner}");
        assert_eq!(choose(planner, &game, &threat, 1), Mark(2), "{planner}");
    }
    assert_eq!(choose("matrix:nodes=1:width=1", &game, &win, 0), Mark(2));
    assert_eq!(choose("two-turn:nodes=1:width=1:samples=1", &game, &win, 0), Mark(2));
}

/// The third seat takes what is best for itself, not what is worst for the second, nor what is best for it.
#[test]
fn each_of_three_seats_looks_after_itself() {
    let nodes = vec![
        Node::Decision(1, vec![1, 2, 3]),
        Node::End(vec![0.7, 0.2, 0.1]),
        Node::Decision(2, vec![4, 5, 6]),
        Node::End(vec![0.3, 0.4, 0.3]),
        Node::End(vec![0.0, 0.5, 0.5]),
        Node::End(vec![0.6, 0.0, 0.4]),
        Node::End(vec![0.2, 0.8, 0.0]),
    ];
    let game = Tree { seats: 3, nodes };
    for planner in PLANNERS {
        assert_eq!(choose(planner, &game, &game.initial(), 1), Pick(1), "{planner}");
    }
}

/// After its own move the same seat moves again, in a turn of its own.
#[test]
fn a_second_move_in_a_row_is_ones_own() {
    let nodes = vec![
        Node::Decision(0, vec![1, 2]),
        Node::End(vec![0.6, 0.4]),
        Node::Decision(0, vec![3, 4]),
        Node::End(vec![0.0, 1.0]),
        Node::End(vec![0.9, 0.1]),
    ];
    let game = Tree { seats: 2, nodes };
    for planner in PLANNERS {
        assert_eq!(choose(planner, &game, &game.initial(), 0), Pick(1), "{planner}");
    }
}

/// A quarter of 1 is less than 0.4; nine tenths of 0.6 are more. The most likely outcome alone, or the best
/// one, or an unweighted mean would choose otherwise.
#[test]
fn luck_is_averaged_by_its_odds() {
    let nodes = vec![
        Node::Decision(0, vec![1, 2, 3]),
        Node::Chance(vec![(0.25, 4), (0.75, 5)]),
        Node::End(vec![0.4, 0.6]),
        Node::Chance(vec![(0.1, 5), (0.9, 6)]),
        Node::End(vec![1.0, 0.0]),
        Node::End(vec![0.0, 1.0]),
        Node::End(vec![0.6, 0.4]),
    ];
    let game = Tree { seats: 2, nodes };
    for planner in PLANNERS {
        assert_eq!(choose(planner, &game, &game.initial(), 0), Pick(2), "{planner}");
        let explanation = agent::<Tree>(planner)
            .explain(&game, &game.initial(), Seat::new(0), &mut Stream::from_seed(0))
            .unwrap();
        assert!((explanation.options[0].1 - 0.54).abs() < 0.06, "{planner}: {explanation:?}");
    }
    let exact = agent::<Tree>("matrix")
        .explain(&game, &game.initial(), Seat::new(0), &mut Stream::from_seed(0))
        .unwrap();
    let worths: Vec<f64> = exact.options.iter().map(|&(_, worth)| worth).collect();
    for (found, expected) in worths.iter().zip([0.54, 0.4, 0.25]) {
        assert!((found - expected).abs() < 1e-12, "{worths:?}");
    }
}

/// Plays a fixed throw.
struct Fixed(Throw);

impl Agent<RockPaperScissors> for Fixed {
    fn choose(
        &mut self,
        _: &RockPaperScissors,
        _: &<RockPaperScissors as Game>::State,
        _: Seat,
        _: &mut Stream,
    ) -> Throw {
        self.0
    }
}

/// Writes down what another agent chooses.
struct Watched(Box<dyn Agent<RockPaperScissors>>, Arc<Mutex<Vec<Throw>>>);

impl Agent<RockPaperScissors> for Watched {
    fn choose(
        &mut self,
        game: &RockPaperScissors,
        state: &<RockPaperScissors as Game>::State,
        seat: Seat,
        stream: &mut Stream,
    ) -> Throw {
        let throw = self.0.choose(game, state, seat, stream);
        self.1.lock().unwrap().push(throw);
        throw
    }
}

fn key(block: u64) -> GameKey {
    let seating = [0, 1, 2, 3, 4, 5];
    GameKey { seed: 1, phase: 0, block, rotation: 0, luck_rotation: 0, seating }
}

#[test]
fn another_seats_choice_is_not_seen() {
    let game: RockPaperScissors = standard();
    for planner in ["matrix", "two-turn"] {
        for block in 0..20 {
            let throws = [Throw::Rock, Throw::Paper, Throw::Scissors].map(|other| {
                let seen = Arc::new(Mutex::new(Vec::new()));
                let watched = Box::new(Watched(agent(planner), seen.clone()));
                let mut players = Players::of(vec![Box::new(Fixed(other)), watched]);
                play_game(&game, &mut players, &key(block), true, None).unwrap();
                seen.lock().unwrap()[0]
            });
            assert!(throws.iter().all(|&throw| throw == throws[0]), "{planner}: {throws:?}");
        }
    }
}

/// A game that every planner plays to its end, each move held against the rules, and twice alike.
struct PlaysAlike(&'static str);

impl Visitor for PlaysAlike {
    type Output = ();
    fn visit<G: Catalogued>(self, game: G) {
        let play = || {
            let players = (0..game.seats()).map(|_| agent(self.0)).collect();
            play_game(&game, &mut Players::of(players), &key(5), true, None).unwrap()
        };
        assert_eq!(play(), play(), "{} {}", G::NAME, self.0);
    }
}

#[test]
fn every_game_is_played_legally_and_twice_alike() {
    for entry in registry::ENTRIES {
        for seats in [*entry.seats().start(), *entry.seats().end()] {
            for planner in ["matrix:nodes=100:width=2", "two-turn:width=2:samples=1"] {
                let rules = Default::default();
                let setup = Setup { game: entry.name.into(), seats, rules };
                registry::visit(&setup, PlaysAlike(planner)).unwrap();
            }
        }
    }
}

/// Two games played in turns by one agent go as they go by themselves, and no search changes what it is shown.
struct Interleaved(&'static str);

impl Visitor for Interleaved {
    type Output = ();
    fn visit<G: Catalogued>(self, game: G) {
        let positions = |seed: u64| {
            let (mut stream, mut buffer) = (Stream::from_seed(seed), Vec::new());
            let (mut state, mut found) = (game.initial(), Vec::new());
            while found.len() < 6 {
                match game.turn(&state) {
                    Turn::Over => break,
                    Turn::Chance(_) => {
                        let outcome = game.sample_chance(&state, stream.word());
                        game.apply(&mut state, outcome);
                    }
                    Turn::Decision(seat) => {
                        found.push((state.clone(), seat));
                        let action = game.random_action(&state, seat, &mut stream, &mut buffer);
                        game.apply(&mut state, action);
                    }
                    Turn::Simultaneous(seats) => {
                        found.push((state.clone(), seats.iter().next().unwrap()));
                        let actions: Vec<G::Action> = seats
                            .iter()
                            .map(|seat| game.random_action(&state, seat, &mut stream, &mut buffer))
                            .collect();
                        game.apply_together(&mut state, &actions);
                    }
                }
            }
            found
        };
        let games = [positions(1), positions(2)];
        let alone = games.each_ref().map(|positions| {
            let (mut planner, mut stream) = (agent::<G>(self.0), Stream::from_seed(9));
            let choices =
                positions.iter().map(|(state, seat)| planner.choose(&game, state, *seat, &mut stream));
            choices.collect::<Vec<_>>()
        });
        let mut planner = agent::<G>(self.0);
        let mut streams = [Stream::from_seed(9), Stream::from_seed(9)];
        for at in 0..games[0].len().min(games[1].len()) {
            for which in [0, 1] {
                let (state, seat) = &games[which][at];
                let before = state_key(state);
                let action = planner.choose(&game, state, *seat, &mut streams[which]);
                assert_eq!(action, alone[which][at], "{} {}", G::NAME, self.0);
                assert_eq!(before, state_key(state));
            }
        }
    }
}

#[test]
fn interleaved_games_do_not_touch_each_other() {
    for entry in registry::ENTRIES {
        for planner in ["matrix:nodes=300:width=3", "two-turn:width=4:samples=2"] {
            let seats = *entry.seats().start();
            let setup = Setup { game: entry.name.into(), seats, rules: Default::default() };
            registry::visit(&setup, Interleaved(planner)).unwrap();
        }
    }
}

/// What is spent stays within the budget, up to one turn and one reply.
#[test]
fn budgets_are_kept() {
    use dhow::agents::matrix::search::{Limits, Search};
    let game: TicTacToe = standard();
    for nodes in [1, 10, 100, 1_000, 10_000] {
        let limits = Limits { nodes, width: 9, choices: 16, cells: 256, depth: 1, turns: 9, rounds: 10 };
        let mut search = Search::new(limits);
        search.decision(&game, &game.initial(), Seat::new(0));
        // One turn and one reply to it are always played: 9 + 8 squares.
        assert!(search.spent() <= nodes + 17, "{nodes}: {}", search.spent());
    }
}
