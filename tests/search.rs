//! `mcts` and `flat`: traps that searchers fall into, each a test, and known answers.

#[path = "search/tree_game.rs"]
mod tree_game;

use assert_cmd::Command;
use dhow::agents::Agent;
use dhow::agents::flat::{self, Flat};
use dhow::agents::mcts::{self, Mcts};
use dhow::agents::parameters::{Parameter, Parameters, Settings};
use dhow::agents::registry::Spec;
use dhow::game::{Game, Heuristics, Seat, Turn, state_key};
use dhow::games::Catalogued;
use dhow::games::alhambra::Alhambra;
use dhow::games::six_sided_seas::SixSidedSeas;
use dhow::games::sultans_of_wind::SultansOfWind;
use dhow::games::yardsticks::connect_four::{ConnectFour, Drop};
use dhow::games::yardsticks::goofspiel::{Goofspiel, Order, Payoff, Rules as Auction, State as Bids};
use dhow::games::yardsticks::kuhn_poker::{Action as Bet, Card, KuhnPoker, Line as Bets, State as Hand};
use dhow::games::yardsticks::pig::{self, Pig};
use dhow::games::yardsticks::rock_paper_scissors::{RockPaperScissors, Throw};
use dhow::games::yardsticks::tic_tac_toe::{Mark, State as Board, TicTacToe};
use dhow::streams::{Deal, Stream, agent_stream};
use dhow::tournament::{GameKey, Players, play_game};
use tree_game::{Pick, Shape, State as At, TreeGame};

/// Parameters from their text form, `key=value` with `:` between.
fn parameters(known: &'static [Parameter], text: &str) -> Parameters {
    let mut parameters = Parameters::default();
    for part in text.split(':').filter(|part| !part.is_empty()) {
        let (key, value) = part.split_once('=').unwrap();
        let parameter = known.iter().find(|parameter| parameter.key == key).unwrap();
        parameters.set(parameter.key, parameter.domain.read(value).unwrap());
    }
    parameters
}

fn mcts<G: Heuristics>(text: &str) -> Mcts<G> {
    let (known, set) = (mcts::ENTRY.parameters, parameters(mcts::ENTRY.parameters, text));
    Mcts::new(mcts::Config::from_settings(Settings { known, set: &set }))
}

fn flat<G: Heuristics>(text: &str) -> Flat<G> {
    let (known, set) = (flat::ENTRY.parameters, parameters(flat::ENTRY.parameters, text));
    Flat::new(flat::Config::from_settings(Settings { known, set: &set }))
}

fn game<G: Catalogued>(seats: usize) -> G {
    G::new(G::default_rules(seats), seats).unwrap()
}

fn first() -> Seat {
    Seat::new(0)
}

/// The move of a fresh agent with a fixed seed.
fn moved<G: Heuristics>(mut agent: impl Agent<G>, game: &G, state: &G::State, seed: u64) -> G::Action {
    let seat = match game.turn(state) {
        Turn::Decision(seat) => seat,
        _ => first(),
    };
    agent.begin(game, seat);
    agent.choose(game, state, seat, &mut Stream::from_seed(seed))
}

/// A state some way into a random game, with a decision of several actions.
fn midgame<G: Game>(game: &G, seed: u64, decisions: u32) -> (G::State, Seat) {
    let (mut deal, mut stream) = (Deal::new(seed, 0, 0, 0, game.seats()), Stream::from_seed(seed));
    let (mut state, mut buffer, mut count) = (game.initial(), Vec::new(), 0);
    loop {
        match game.turn(&state) {
            Turn::Over => panic!("the game ended before"),
            Turn::Chance(source) => {
                let outcome = game.sample_chance(&state, deal.word(source));
                game.apply(&mut state, outcome);
            }
            Turn::Decision(seat) => {
                game.actions(&state, seat, &mut buffer);
                if count >= decisions && buffer.len() > 1 {
                    return (state, seat);
                }
                count += 1;
                let action = game.random_action(&state, seat, &mut stream, &mut buffer);
                game.apply(&mut state, action);
            }
            Turn::Simultaneous(seats) => {
                let mut joint = Vec::new();
                for seat in seats.iter() {
                    joint.push(game.random_action(&state, seat, &mut stream, &mut buffer));
                }
                count += 1;
                game.apply_together(&mut state, &joint);
            }
        }
    }
}

// Tactics.

/// Every kind of search, each with enough iterations for tic-tac-toe.
const WAYS: [&str; 9] = [
    "iterations=2000:cut=game",
    "iterations=2000:cut=turn",
    "iterations=2000:cut=depth:depth=2",
    "iterations=500:cut=game:playout=greedy",
    "iterations=2000:solver=false:cut=game",
    "iterations=2000:bias=1:widening=0.5",
    "iterations=2000:untried=0.5:final=value",
    "iterations=3000:luck=open:cut=game",
    "iterations=4000:trees=4",
];

#[test]
fn wins_in_one() {
    let (game, state) = (game::<TicTacToe>(2), Board { marks: [0b000_000_011, 0b000_011_000] });
    for way in WAYS {
        assert_eq!(moved(mcts(way), &game, &state, 1), Mark(2), "{way}");
    }
    assert_eq!(moved(flat("iterations=200"), &game, &state, 1), Mark(2));
    assert_eq!(moved(flat("iterations=500:cut=game"), &game, &state, 1), Mark(2));
}

#[test]
fn blocks_what_it_must() {
    let (game, state) = (game::<TicTacToe>(2), Board { marks: [0b000_010_001, 0b000_000_010] });
    for way in WAYS {
        assert_eq!(moved(mcts(way), &game, &state, 1), Mark(8), "{way}");
    }
    assert_eq!(moved(flat("iterations=2000:cut=game"), &game, &state, 1), Mark(8));
}

#[test]
fn finds_the_only_drawing_move() {
    let (game, state) = (game::<TicTacToe>(2), Board { marks: [1, 0] });
    for way in WAYS {
        let way = format!("{way}:exploration=1");
        assert_eq!(moved(mcts(&way), &game, &state, 1), Mark(4), "{way}");
    }
}

#[test]
fn a_proven_draw_is_a_draw() {
    let (game, state) = (game::<TicTacToe>(2), Board { marks: [0b000_000_001, 0b000_010_000] });
    let mut agent = mcts::<TicTacToe>("iterations=30000:cut=game");
    agent.choose(&game, &state, first(), &mut Stream::from_seed(3));
    let lines = agent.search(first()).unwrap().lines();
    assert!(lines.iter().all(|line| line.proven && line.mean == 0.5), "{lines:?}");
}

// Whose payoff counts.

/// Brute force says 0; who takes others for enemies, or for friends, says 1.
fn three_players() -> TreeGame {
    TreeGame::open(
        3,
        vec![
            Shape::Decide(0, vec![1, 2]),
            Shape::Decide(1, vec![3, 4]),
            Shape::Decide(2, vec![5, 6]),
            Shape::End(vec![0.6, 0.4, 0.0]),
            Shape::End(vec![0.2, 0.3, 0.5]),
            Shape::End(vec![0.4, 0.1, 0.5]),
            Shape::End(vec![0.9, 0.05, 0.05]),
        ],
    )
}

#[test]
fn three_players_each_play_for_themselves() {
    let game = three_players();
    assert_eq!(game.solve(0), [0.6, 0.4, 0.0]);
    for way in ["solver=true", "solver=false", "luck=open", "bias=1", "trees=3"] {
        let agent = mcts(&format!("iterations=3000:cut=game:{way}"));
        assert_eq!(moved(agent, &game, &game.initial(), 1), Pick(0), "{way}");
    }
}

#[test]
fn a_player_who_moves_twice_keeps_their_sign() {
    let twice = |seat: usize, second: [f64; 2], other: f64| {
        let end = |own: f64| Shape::End(vec![own, 1.0 - own]);
        let last = Shape::Decide(seat, vec![3, 4]);
        TreeGame::open(
            2,
            vec![Shape::Decide(0, vec![1, 2]), last, end(other), end(second[0]), end(second[1])],
        )
    };
    for way in ["solver=true", "solver=false", "luck=open"] {
        let way = format!("iterations=500:cut=game:{way}");
        // Seat 1 (index 0) goes on itself and takes the better end; or the other takes what is worse for it.
        let (own, others) = (twice(0, [0.1, 0.9], 0.7), twice(1, [0.1, 0.9], 0.7));
        assert_eq!(moved(mcts(&way), &own, &own.initial(), 1), Pick(0), "{way}");
        assert_eq!(moved(mcts(&way), &others, &others.initial(), 1), Pick(1), "{way}");
    }
}

#[test]
fn equals_brute_force_on_random_trees() {
    let mut stream = Stream::from_seed(11);
    for (seats, low, high) in
        [(1, 0.0, 1.0), (2, 0.0, 1.0), (3, -5.0, 20.0), (4, 0.0, 0.001), (2, 90.0, 100.0)]
    {
        for _ in 0..8 {
            let game = TreeGame::random(seats, 5, low, high, &mut stream);
            let Turn::Decision(seat) = game.turn(&game.initial()) else { unreachable!("the root decides") };
            // With much exploration the whole tree is proven.
            let mut agent = mcts::<TreeGame>("iterations=20000:cut=game:exploration=10");
            let action = agent.choose(&game, &game.initial(), seat, &mut stream);
            let exact = game.solve(0);
            let line =
                *agent.search(seat).unwrap().lines().iter().find(|line| line.action == action).unwrap();
            assert!(line.proven, "{game:?}");
            for (mean, exact) in line.means.iter().zip(&exact) {
                assert!((mean - exact).abs() < 1e-9 * high, "{exact} {mean} {game:?}");
            }
            // With less exploration, and without exact values, it comes near. Not so where others have
            // interests of their own: what they are all but indifferent to may be worth anything to us.
            let game = match seats {
                1 => game,
                2 => game.constant_sum(low + high),
                _ => continue,
            };
            let exact = game.solve(0);
            for way in ["solver=true", "solver=false", "solver=false:luck=open"] {
                let mut agent = mcts::<TreeGame>(&format!("iterations=20000:cut=game:exploration=2:{way}"));
                let action = agent.choose(&game, &game.initial(), seat, &mut stream);
                let mut after = game.initial();
                game.apply(&mut after, action);
                let loss = exact[seat.index()] - game.solve(after.at)[seat.index()];
                let open = way.ends_with("open") && game.has_luck();
                assert!(open || loss < 0.05 * (high - low), "{way} loses {loss}: {game:?}");
            }
        }
    }
}

#[test]
fn a_dominated_secret_choice_is_dropped() {
    // Rows against columns; the second row and the first column are better whatever the other does.
    let end = |own: f64| Shape::End(vec![own, 1.0 - own]);
    let nodes = vec![Shape::Together(vec![vec![1, 2], vec![3, 4]]), end(0.2), end(0.4), end(0.5), end(0.9)];
    let game = TreeGame::open(2, nodes);
    for way in ["secret=regret", "secret=ucb", "secret=regret:luck=open", "secret=ucb:luck=open"] {
        let way = format!("iterations=3000:cut=game:{way}");
        for (seat, best) in [(0, Pick(1)), (1, Pick(0))] {
            let mut agent = mcts::<TreeGame>(&way);
            let seat = Seat::new(seat);
            agent.choose(&game, &game.initial(), seat, &mut Stream::from_seed(1));
            let search = agent.search(seat).unwrap();
            let line = search.lines().iter().find(|line| line.action == best).unwrap();
            let share = if search.mixed() { line.strategy } else { line.visits as f64 / 3000.0 };
            assert!(share > 0.9, "{way}: {share}");
        }
    }
}

// Luck and hidden things.

#[test]
fn closed_loop_uses_what_luck_shows_and_open_loop_averages() {
    let end = |own: f64| Shape::End(vec![own, 1.0 - own]);
    // A gamble whose result is seen before the choice that it decides: worth 1. Safe: .7.
    let nodes = vec![
        Shape::Decide(0, vec![1, 2]),
        Shape::Chance(vec![(0.5, 3), (0.5, 4)]),
        end(0.7),
        Shape::Decide(0, vec![5, 6]),
        Shape::Decide(0, vec![6, 5]),
        end(1.0),
        end(0.0),
    ];
    let game = TreeGame::open(2, nodes);
    for way in ["solver=true", "solver=false"] {
        let agent = mcts(&format!("iterations=2000:cut=game:{way}"));
        assert_eq!(moved(agent, &game, &game.initial(), 1), Pick(0));
    }
    let mut open = mcts::<TreeGame>("iterations=2000:cut=game:luck=open");
    open.choose(&game, &game.initial(), first(), &mut Stream::from_seed(1));
    let gamble = open.search(first()).unwrap().lines()[0].mean;
    assert!((gamble - 0.5).abs() < 0.1, "an open loop cannot know better than .5: {gamble}");
}

/// Seat 1 dares or not, and if so names a coin that it has not seen. Whoever plays as if every sample were
/// open believes that daring is worth 1; it is worth .5.
#[test]
fn no_strategy_fusion() {
    let end = |own: f64| Shape::End(vec![own, 1.0 - own]);
    let nodes = vec![
        Shape::Chance(vec![(0.5, 1), (0.5, 2)]),
        Shape::Decide(0, vec![3, 5]),
        Shape::Decide(0, vec![4, 5]),
        Shape::Decide(0, vec![6, 7]),
        Shape::Decide(0, vec![7, 6]),
        end(0.7),
        end(1.0),
        end(0.0),
    ];
    let game = TreeGame { seats: 2, nodes, looks: vec![0, 1, 1, 2, 2, 0, 0, 0] };
    for way in ["secret=ucb", "secret=regret", "secret=ucb:eyes=all", "luck=open:secret=ucb"] {
        for at in [1, 2] {
            let agent = mcts(&format!("iterations=4000:cut=game:{way}"));
            assert_eq!(moved(agent, &game, &At { at, steps: 1 }, 1), Pick(1), "{way}");
        }
    }
}

/// All pairs of positions of Kuhn poker that the mover cannot tell apart.
fn kuhn_twins() -> Vec<(Hand, Hand, Seat)> {
    let cards = [Card::Jack, Card::Queen, Card::King];
    let mut twins = Vec::new();
    for (line, mover) in [(Bets::Start, 0), (Bets::Pass, 1), (Bets::Bet, 1), (Bets::PassBet, 0)] {
        for own in cards {
            let others: Vec<Card> = cards.into_iter().filter(|&card| card != own).collect();
            let hand = |other: Card| {
                let mut dealt = [Some(other); 2];
                dealt[mover] = Some(own);
                Hand { cards: dealt, line }
            };
            twins.push((hand(others[0]), hand(others[1]), Seat::new(mover)));
        }
    }
    twins
}

#[test]
fn a_hidden_card_does_not_change_the_move() {
    let game = game::<KuhnPoker>(2);
    for (one, other, seat) in kuhn_twins() {
        for seed in 0..5 {
            for way in ["", "secret=ucb", "eyes=all", "luck=open", "trees=2", "cut=game"] {
                let way = format!("iterations=60:{way}");
                let choose = |state: &Hand| {
                    mcts::<KuhnPoker>(&way).choose(&game, state, seat, &mut Stream::from_seed(seed))
                };
                assert_eq!(choose(&one), choose(&other), "{way} {one:?}");
            }
            let choose = |state: &Hand| {
                flat::<KuhnPoker>("iterations=20").choose(&game, state, seat, &mut Stream::from_seed(seed))
            };
            assert_eq!(choose(&one), choose(&other), "flat {one:?}");
        }
    }
}

/// Plays fixed actions.
struct Fixed<A>(A);

impl<G: Game> Agent<G> for Fixed<G::Action> {
    fn choose(&mut self, _game: &G, _state: &G::State, _seat: Seat, _stream: &mut Stream) -> G::Action {
        self.0
    }
}

#[test]
fn a_secret_choice_stays_secret() {
    let game = game::<RockPaperScissors>(2);
    let key =
        GameKey { seed: 4, phase: 0, block: 0, rotation: 0, luck_rotation: 0, seating: [0, 1, 0, 0, 0, 0] };
    let scores = |throw: Throw| {
        let searcher = mcts::<RockPaperScissors>("iterations=300");
        let agents: Vec<Box<dyn Agent<RockPaperScissors>>> = vec![Box::new(Fixed(throw)), Box::new(searcher)];
        let mut players = Players::of(agents);
        play_game(&game, &mut players, &key, true, None).unwrap().seats[1].score
    };
    let answers = [Throw::Rock, Throw::Paper, Throw::Scissors].map(scores);
    // Whatever is thrown, the answer is one and the same throw: it wins, loses and ties once each.
    let signs: Vec<i32> = answers.iter().map(|score| score.signum()).collect();
    assert_eq!(signs.iter().sum::<i32>(), 0, "{answers:?}");
    assert!(signs.contains(&0) && signs.contains(&1) && signs.contains(&-1), "{answers:?}");
}

/// Thinks, then holds at 20 whatever it thought.
struct Thinker(Option<Mcts<Pig>>);

impl Agent<Pig> for Thinker {
    fn choose(&mut self, game: &Pig, state: &pig::State, seat: Seat, stream: &mut Stream) -> pig::Action {
        if let Some(agent) = &mut self.0 {
            agent.choose(game, state, seat, stream);
        }
        match game.push(state) {
            Some(push) if push.total < 20 => push.roll,
            _ => pig::Action::Hold,
        }
    }
}

#[test]
fn dice_are_the_same_whatever_the_budget() {
    let game = game::<Pig>(2);
    let play = |budget: Option<u32>| {
        let agent = || Thinker(budget.map(|budget| mcts(&format!("iterations={budget}"))));
        let agents: Vec<Box<dyn Agent<Pig>>> = vec![Box::new(agent()), Box::new(agent())];
        let mut players = Players::of(agents);
        let seating = [0, 1, 0, 0, 0, 0];
        let key = GameKey { seed: 9, phase: 0, block: 3, rotation: 0, luck_rotation: 0, seating };
        play_game(&game, &mut players, &key, true, None).unwrap()
    };
    let plain = play(None);
    for budget in [1, 10, 100] {
        assert_eq!(play(Some(budget)), plain, "{budget} iterations");
    }
}

// Book-keeping.

fn counts_visits<G: Catalogued>(seats: usize, decisions: u32) {
    let game = game::<G>(seats);
    for (seed, budget) in [1, 2, 7, 150].into_iter().enumerate() {
        let (state, seat) = midgame(&game, seed as u64, decisions);
        let mut buffer = Vec::new();
        for way in ["", "trees=3", "luck=open", "solver=false", "widening=0.4:bias=0.5", "untried=0.6"] {
            let mut agent = mcts::<G>(&format!("iterations={budget}:{way}"));
            let before = state.clone();
            let action = agent.choose(&game, &state, seat, &mut Stream::from_seed(seed as u64));
            assert_eq!(state_key(&before), state_key(&state), "the search changed the state");
            game.actions(&state, seat, &mut buffer);
            assert!(buffer.contains(&action), "{}: {action} is not legal", G::NAME);
            // Nothing is searched where one action is left after pruning.
            if let Some(search) = agent.search(seat) {
                assert_eq!(search.visits(), (budget, 0), "{} {way}", G::NAME);
                let sum: u64 = search.lines().iter().map(|line| line.visits).sum();
                assert_eq!(sum, budget, "{} {way}", G::NAME);
            }
        }
        let mut agent = flat::<G>(&format!("iterations={budget}"));
        let action = agent.choose(&game, &state, seat, &mut Stream::from_seed(seed as u64));
        assert!(buffer.contains(&action));
        let sum: u64 = agent.arms().iter().map(|arm| arm.visits).sum();
        assert!(sum == budget || sum == 0, "{}: {sum} playouts", G::NAME);
    }
}

#[test]
fn root_visits_equal_the_budget_and_the_state_stays() {
    counts_visits::<TicTacToe>(2, 2);
    counts_visits::<Pig>(3, 12);
    counts_visits::<KuhnPoker>(2, 0);
    counts_visits::<SixSidedSeas>(2, 60);
    counts_visits::<SixSidedSeas>(4, 90);
    counts_visits::<SultansOfWind>(3, 12);
    counts_visits::<Alhambra>(3, 20);
}

/// Open loop finds the edges of a menu by their actions, of a long menu by the table: each stands in it once.
#[test]
fn an_open_loop_lists_each_action_once_however_many_there_are() {
    let game = game::<Alhambra>(2);
    let mut longest = 0;
    for seed in 0..30 {
        let (state, seat) = midgame(&game, seed, 70);
        let mut actions = Vec::new();
        game.actions(&state, seat, &mut actions);
        longest = longest.max(actions.len());
        let mut agent = mcts::<Alhambra>("iterations=300:luck=open:prune=false");
        agent.choose(&game, &state, seat, &mut Stream::from_seed(seed));
        let Some(search) = agent.search(seat) else { continue };
        let mut listed: Vec<_> = search.lines().iter().map(|line| line.action.to_string()).collect();
        let mut expected: Vec<String> = actions.iter().map(|action| action.to_string()).collect();
        listed.sort();
        expected.sort();
        assert_eq!(listed, expected, "seed {seed}");
        assert_eq!(search.lines().iter().map(|line| line.visits).sum::<u64>(), 300);
    }
    assert!(longest > 20, "{longest}");
}

#[test]
fn simultaneous_roots_count_too() {
    let game = game::<RockPaperScissors>(2);
    for way in ["secret=ucb", "secret=regret", "secret=regret:luck=open", "secret=regret:trees=2"] {
        for budget in [1, 5, 100] {
            let mut agent = mcts::<RockPaperScissors>(&format!("iterations={budget}:{way}"));
            agent.choose(&game, &game.initial(), Seat::new(1), &mut Stream::from_seed(1));
            let search = agent.search(Seat::new(1)).unwrap();
            assert_eq!(search.visits(), (budget, 0));
            assert_eq!(search.lines().iter().map(|line| line.visits).sum::<u64>(), budget, "{way}");
        }
    }
}

/// Plays a game with an agent in each seat and lists what was decided; one step at a time.
struct Match<'a, G: Game> {
    game: &'a G,
    agents: Vec<Mcts<G>>,
    streams: Vec<Stream>,
    deal: Deal,
    state: G::State,
    log: Vec<String>,
}

impl<'a, G: Heuristics> Match<'a, G> {
    fn new(game: &'a G, seed: u64, way: &str) -> Match<'a, G> {
        let seats = game.seats();
        let agents = (0..seats).map(|_| mcts(way)).collect();
        let streams = Seat::all(seats).map(|seat| agent_stream(seed, 0, 0, 0, seat)).collect();
        let deal = Deal::new(seed, 0, 0, 0, seats);
        Match { game, agents, streams, deal, state: game.initial(), log: Vec::new() }
    }

    fn step(&mut self) -> bool {
        let game = self.game;
        let mut choose = |seat: Seat| {
            let at = seat.index();
            let action = self.agents[at].choose(game, &self.state, seat, &mut self.streams[at]);
            self.log.push(action.to_string());
            action
        };
        match game.turn(&self.state) {
            Turn::Over => return false,
            Turn::Decision(seat) => {
                let action = choose(seat);
                game.apply(&mut self.state, action);
            }
            Turn::Simultaneous(seats) => {
                let joint: Vec<G::Action> = seats.iter().map(choose).collect();
                game.apply_together(&mut self.state, &joint);
            }
            Turn::Chance(source) => {
                let outcome = game.sample_chance(&self.state, self.deal.word(source));
                game.apply(&mut self.state, outcome);
            }
        }
        true
    }
}

#[test]
fn interleaved_games_do_not_touch_each_other() {
    let game = game::<Pig>(2);
    let alone = |seed: u64| {
        let mut table = Match::new(&game, seed, "iterations=30");
        while table.step() {}
        table.log
    };
    let (mut one, mut other) = (Match::new(&game, 1, "iterations=30"), Match::new(&game, 2, "iterations=30"));
    while one.step() | other.step() {}
    assert_eq!((one.log, other.log), (alone(1), alone(2)));
}

/// One agent in both seats plays as two would: what it keeps of its trees, it keeps for each seat apart.
#[test]
fn one_agent_in_two_seats_plays_as_two() {
    let game = game::<Pig>(2);
    let play = |roles: usize| {
        let agents =
            (0..roles).map(|_| Box::new(mcts::<Pig>("iterations=40")) as Box<dyn Agent<Pig>>).collect();
        let seating = [0, roles - 1, 0, 0, 0, 0];
        let key = GameKey { seed: 5, phase: 0, block: 1, rotation: 0, luck_rotation: 0, seating };
        let mut players = Players::of(agents);
        // Twice: nothing is left of an earlier game either.
        play_game(&game, &mut players, &GameKey { block: 7, ..key }, true, None).unwrap();
        let mut record = play_game(&game, &mut players, &key, true, None).unwrap();
        record.seats.iter_mut().for_each(|seat| seat.role = 0);
        record
    };
    assert_eq!(play(1), play(2));
}

#[test]
fn only_the_tree_of_the_very_position_is_kept() {
    let game = game::<Pig>(2);
    let mut agent = mcts::<Pig>("iterations=500");
    let mut stream = Stream::from_seed(2);
    let mut state = game.initial();
    state.total = 4;
    let action = agent.choose(&game, &state, first(), &mut stream);
    assert_eq!(action, pig::Action::Roll);
    game.apply(&mut state, action);
    game.apply(&mut state, pig::Action::Die(3));
    agent.choose(&game, &state, first(), &mut stream);
    let (all, kept) = agent.search(first()).unwrap().visits();
    assert!(kept > 10 && all == kept + 500, "{kept} of {all}");
    // A throw that the tree did not see: the same action, another position.
    game.apply(&mut state, pig::Action::Roll);
    game.apply(&mut state, pig::Action::Die(2));
    state.scores[1] = 60;
    agent.choose(&game, &state, first(), &mut stream);
    assert_eq!(agent.search(first()).unwrap().visits(), (500, 0));
}

#[test]
fn an_explanation_changes_no_move() {
    let game = game::<Pig>(2);
    let start = game.initial();
    let choose = |explained: bool| {
        let (mut agent, mut stream) = (mcts::<Pig>("iterations=50"), Stream::from_seed(6));
        let mut moves = Vec::new();
        for total in [2, 11, 18, 21] {
            let mut state = start;
            state.total = total;
            if explained {
                let reasons = agent.explain(&game, &state, first(), &mut Stream::from_seed(0)).unwrap();
                assert_eq!(reasons.options.len(), 2);
                assert!(reasons.remarks[1].contains("visits"), "{:?}", reasons.remarks);
            }
            moves.push(agent.choose(&game, &state, first(), &mut stream));
        }
        moves
    };
    assert_eq!(choose(true), choose(false));
}

#[test]
fn iterations_allocate_nothing_once_the_arena_has_grown() {
    fn measure<G: Catalogued>(seats: usize, decisions: u32, ways: &[&str]) {
        let game = game::<G>(seats);
        let (state, seat) = midgame(&game, 1, decisions);
        for way in ways {
            let mut agent = mcts::<G>(&format!("iterations=300:reuse=false:{way}"));
            let choose = |agent: &mut Mcts<G>| agent.choose(&game, &state, seat, &mut Stream::from_seed(1));
            choose(&mut agent);
            let count = allocation_counter::measure(|| {
                choose(&mut agent);
            });
            assert_eq!(count.count_total, 0, "{} {way}", G::NAME);
        }
        let mut agent = flat::<G>("iterations=300");
        agent.choose(&game, &state, seat, &mut Stream::from_seed(1));
        let count = allocation_counter::measure(|| {
            agent.choose(&game, &state, seat, &mut Stream::from_seed(1));
        });
        assert_eq!(count.count_total, 0, "{} flat", G::NAME);
    }
    const ALL: &[&str] = &["", "cut=game", "luck=open", "trees=3", "bias=1:widening=0.5", "playout=greedy"];
    measure::<TicTacToe>(2, 1, ALL);
    measure::<Pig>(2, 5, ALL);
    measure::<KuhnPoker>(2, 0, ALL);
    measure::<SixSidedSeas>(3, 60, ALL);
    // Their priors allocate, which bias, widening and greedy play ask for.
    measure::<Alhambra>(2, 20, &["", "luck=open"]);
}

#[test]
fn the_same_seed_in_cold_processes_plays_the_same() {
    let run = |game: &str, agents: &str| {
        let mut command = Command::cargo_bin("dhow").unwrap();
        command.args([
            "tournament",
            game,
            "--agents",
            agents,
            "--games",
            "4",
            "--seed",
            "3",
            "--json",
            "--quiet",
        ]);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    };
    for (game, agents) in [
        ("pig", "mcts:iterations=20,mcts:iterations=20:luck=open"),
        ("kuhn-poker", "mcts:iterations=50,flat:iterations=20"),
        ("rock-paper-scissors", "mcts:iterations=50,mcts:iterations=50:secret=ucb"),
        ("six-sided-seas", "mcts:iterations=5,flat:iterations=5"),
    ] {
        assert_eq!(run(game, agents), run(game, agents), "{game}");
    }
}

#[test]
fn a_clock_is_no_promise() {
    let spec = |text: &str| Spec::parse(text).unwrap();
    assert!(!spec("mcts:milliseconds=5").is_reproducible());
    assert!(spec("mcts:iterations=5").is_reproducible());
    let both = spec("mcts:milliseconds=5:iterations=7").resolve(&game::<Pig>(2), "pig").unwrap_err();
    assert!(both.to_string().contains("not both"));
    let (game, state) = (game::<TicTacToe>(2), Board { marks: [0b000_000_011, 0b000_011_000] });
    assert_eq!(moved(mcts("milliseconds=20"), &game, &state, 1), Mark(2));
}

// Known answers.

/// What the best answer wins from a mix, in points a round.
fn exploited(mix: [f64; 3]) -> f64 {
    // Rows: own throw; a win with rock pays 25, with paper 50, with scissors 100.
    let pays = [[0.0, -50.0, 25.0], [50.0, 0.0, -100.0], [-25.0, 100.0, 0.0]];
    let answer = |row: &[f64; 3]| row.iter().zip(mix).map(|(pay, part)| pay * part).sum::<f64>();
    pays.iter().map(answer).fold(f64::NEG_INFINITY, f64::max)
}

fn mix_of(way: &str, seed: u64) -> [f64; 3] {
    let game = game::<RockPaperScissors>(2);
    let mut agent = mcts::<RockPaperScissors>(way);
    agent.choose(&game, &game.initial(), first(), &mut Stream::from_seed(seed));
    let search = agent.search(first()).unwrap();
    let share = |line: &dhow::agents::search::Line<Throw>| match search.mixed() {
        true => line.strategy,
        false => line.visits as f64 / search.visits().0 as f64,
    };
    let mut mix = [0.0; 3];
    for line in search.lines() {
        mix[line.action as usize] = share(line);
    }
    mix
}

#[test]
fn regret_matching_finds_the_mix_where_bounds_do_not() {
    for seed in 0..4 {
        let short = exploited(mix_of("iterations=1000", seed));
        let long = exploited(mix_of("iterations=30000", seed));
        assert!(short < 10.0, "regret matching, 1,000 iterations: {short}");
        assert!(long < 1.8, "regret matching, 30,000 iterations: {long}");
        // The move played is the answer of bounds: a single throw, which loses up to 100.
        let bounds = exploited(mix_of("iterations=30000:secret=ucb", seed));
        println!("seed {seed}: {short:.2} {long:.3}, bounds {bounds:.2}");
        assert!(bounds > 2.0 * long, "bounds: {bounds}, regret matching: {long}");
    }
}

/// The first player's three hands, each searched at its first decision: -1/18 on average.
#[test]
fn the_value_of_kuhn_poker() {
    let game = game::<KuhnPoker>(2);
    for way in ["eyes=all", "eyes=all:secret=ucb"] {
        let mut sum = 0.0;
        for (seed, own) in [Card::Jack, Card::Queen, Card::King].into_iter().enumerate() {
            let other = if own == Card::King { Card::Jack } else { Card::King };
            let hand = Hand { cards: [Some(own), Some(other)], line: Bets::Start };
            let mut agent = mcts::<KuhnPoker>(&format!("iterations=60000:cut=game:{way}"));
            agent.choose(&game, &hand, first(), &mut Stream::from_seed(seed as u64));
            let search = agent.search(first()).unwrap();
            let visits: u64 = search.lines().iter().map(|line| line.visits).sum();
            let worth: f64 = search.lines().iter().map(|line| line.mean * line.visits as f64).sum();
            sum += worth / visits as f64;
            println!("{way} {own:?}: {:?}", search.lines());
        }
        let value = sum / 3.0;
        assert!((value + 1.0 / 18.0).abs() < 0.03, "{way}: {value}, exactly {}", -1.0 / 18.0);
    }
    let fold = Hand { cards: [Some(Card::King), Some(Card::Jack)], line: Bets::Bet };
    assert_eq!(
        mcts::<KuhnPoker>("iterations=500").choose(&game, &fold, Seat::new(1), &mut Stream::from_seed(0)),
        Bet::Pass,
        "a jack does not call"
    );
}

/// UCT with random playouts and weight 1: the centre column at the empty board, for so many seeds of 100.
fn centres(iterations: u32) -> usize {
    let game = game::<ConnectFour>(2);
    let way = format!("iterations={iterations}:exploration=1:cut=game:reuse=false");
    (0..100).filter(|&seed| moved(mcts(&way), &game, &game.initial(), seed) == Drop(3)).count()
}

#[test]
fn connect_four_begins_in_the_centre() {
    let (short, long) = (centres(1_000), centres(3_000));
    println!("centre column: {short} of 100 at 1,000 iterations, {long} at 3,000");
    assert!(short >= 80, "{short} of 100 at 1,000 iterations");
    assert!(long >= 98, "{long} of 100 at 3,000 iterations");
}

/// What seat 1's best answer wins in points from the mixes that a search finds, each position searched anew.
fn goofspiel_exploited(game: &Goofspiel, state: &Bids, way: &str) -> f64 {
    match game.turn(state) {
        Turn::Over => game.outcome(state).unwrap().payoff(Seat::new(1)),
        Turn::Decision(_) => unreachable!("everybody bids at once"),
        Turn::Chance(_) => {
            let (mut prizes, mut after) = (Vec::new(), *state);
            game.chance(state, &mut prizes);
            assert_eq!(prizes.len(), 1, "the order of prizes is fixed");
            game.apply(&mut after, prizes[0].0);
            goofspiel_exploited(game, &after, way)
        }
        Turn::Simultaneous(_) => {
            let (mut own, mut other) = (Vec::new(), Vec::new());
            game.actions(state, first(), &mut own);
            game.actions(state, Seat::new(1), &mut other);
            let mix: Vec<f64> = if own.len() == 1 {
                vec![1.0]
            } else {
                let mut agent = mcts::<Goofspiel>(way);
                agent.choose(game, state, first(), &mut Stream::from_seed(8));
                let search = agent.search(first()).unwrap();
                let visits = search.visits().0 as f64;
                let part = |line: &dhow::agents::search::Line<_>| match search.mixed() {
                    true => line.strategy,
                    false => line.visits as f64 / visits,
                };
                search.lines().iter().map(part).collect()
            };
            let answers = other.iter().map(|&answer| {
                let worth = own.iter().zip(&mix).filter(|&(_, &part)| part > 1e-3).map(|(&bid, &part)| {
                    let mut after = *state;
                    game.apply_together(&mut after, &[bid, answer]);
                    part * goofspiel_exploited(game, &after, way)
                });
                worth.sum::<f64>()
            });
            answers.fold(f64::NEG_INFINITY, f64::max)
        }
    }
}

/// Four cards, prizes from the least on; in points of difference, of 10 in all. The game is even.
#[test]
fn goofspiel_is_played_as_a_mix() {
    let rules = Auction { cards: 4, prizes: Order::Ascending, payoff: Payoff::Points };
    let game = Goofspiel::new(rules, 2).unwrap();
    let exploited =
        |way: &str| goofspiel_exploited(&game, &game.initial(), &format!("cut=game:reuse=false:{way}"));
    let short = exploited("iterations=300");
    let long = exploited("iterations=5000");
    let bounds = exploited("iterations=5000:secret=ucb");
    println!("exploited: {short:.3} at 300 iterations, {long:.3} at 5,000, bounds {bounds:.3}");
    assert!(long < short && long < 0.4, "{short} {long}");
    assert!(bounds > 1.5 * long, "bounds {bounds}, regret matching {long}");
}
