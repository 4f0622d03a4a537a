//! `mcts`: Monte Carlo tree search (UCT, Kocsis & Szepesvari 2006) over decisions, luck, simultaneous choices
//! and hidden information, with a payoff for each seat (every seat maximises its own: max^n).
//!
//! The machinery stands in [`super::search`]. What it would play with which probability is not known exactly,
//! so there is no [`Agent::policy`].

use std::time::Duration;

use super::parameters::{Domain, Parameter, Settings};
use super::ranking::best_first;
use super::registry::Entry;
use super::search::options::{self, Budget, Mixing, Options, Playout};
use super::search::{Line, Search};
use super::{Agent, Explanation};
use crate::game::{Game, Heuristics, MAX_SEATS, Seat, Turn};
use crate::streams::Stream;

/// What [`super::registry`] shows.
pub const ENTRY: Entry = Entry {
    name: "mcts",
    summary: "Monte Carlo tree search: samples what may come, and looks deeper where it looks good",
    parameters: &[
        options::ITERATIONS,
        options::MILLISECONDS,
        Parameter {
            key: "exploration",
            domain: Domain::Real(0.0, 100.0),
            default: "0.7",
            meaning: "weight of trying what was tried little, in units of the range of payoffs seen",
        },
        options::PLAYOUT,
        options::CUT,
        options::DEPTH,
        Parameter {
            key: "bias",
            domain: Domain::Real(0.0, 100.0),
            default: "0",
            meaning: "weight of how promising an action looks before any search (progressive bias)",
        },
        Parameter {
            key: "untried",
            domain: Domain::Real(0.0, 1.0),
            default: "every action is tried once first",
            meaning: "what an untried action is taken to be worth: 0 the least payoff seen, 1 the greatest",
        },
        Parameter {
            key: "widening",
            domain: Domain::Real(0.0, 1.0),
            default: "0",
            meaning: "considers visits^this + 1 actions, the most promising first; 0 considers all",
        },
        Parameter {
            key: "luck",
            domain: Domain::Choice(&["closed", "open"]),
            default: "closed",
            meaning: "a node for each outcome of luck, or one for all of them; what is hidden is always open",
        },
        Parameter {
            key: "secret",
            domain: Domain::Choice(&["ucb", "regret"]),
            default: "regret",
            meaning: "selection where others choose in secret or hide something; regret plays a mix",
        },
        Parameter {
            key: "eyes",
            domain: Domain::Choice(&["own", "all"]),
            default: "own",
            meaning: "samples what is hidden from the agent alone, or from everybody in turn",
        },
        options::PRUNE,
        Parameter {
            key: "solver",
            domain: Domain::Flag,
            default: "true",
            meaning: "whether exact values are passed up the tree",
        },
        Parameter {
            key: "reuse",
            domain: Domain::Flag,
            default: "true",
            meaning: "whether the next decision keeps the subtree of the position that was reached",
        },
        Parameter {
            key: "trees",
            domain: Domain::Whole(1, 64),
            default: "1",
            meaning: "trees that share the budget and are summed up at the root",
        },
        Parameter {
            key: "final",
            domain: Domain::Choice(&["visits", "value"]),
            default: "visits",
            meaning: "plays the most visited action, or the one of the best mean",
        },
    ],
};

/// All that is a parameter.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Config {
    /// The tree.
    pub options: Options,
    /// The budget of a decision.
    pub budget: Budget,
    /// Trees that share it.
    pub trees: usize,
    /// Whether the next decision keeps what is still true.
    pub reuse: bool,
    /// Whether the best mean is played instead of the most visited action.
    pub by_value: bool,
}

impl Config {
    /// Of resolved parameters.
    pub fn from_settings(settings: Settings<'_>) -> Config {
        let budget = match settings.set.has("milliseconds") {
            true => Budget::Time(Duration::from_millis(settings.whole("milliseconds") as u64)),
            false => Budget::Iterations(settings.whole("iterations") as u64),
        };
        let options = Options {
            exploration: settings.real("exploration"),
            bias: settings.real("bias"),
            untried: settings.set.has("untried").then(|| settings.real("untried")),
            widening: settings.real("widening"),
            mixing: if settings.choice("secret") == "regret" { Mixing::Regret } else { Mixing::Ucb },
            open_loop: settings.choice("luck") == "open",
            prune: settings.flag("prune"),
            solver: settings.flag("solver"),
            public: settings.choice("eyes") == "all",
            playout: Playout::from_settings(settings),
        };
        let trees = settings.whole("trees") as usize;
        let (reuse, by_value) = (settings.flag("reuse"), settings.choice("final") == "value");
        Config { options, budget, trees, reuse, by_value }
    }
}

/// A tree searcher. What it keeps between decisions, it keeps for each seat apart: one that plays for several
/// seats plays as several would.
pub struct Mcts<G: Game> {
    config: Config,
    seats: [Option<Box<Search<G>>>; MAX_SEATS],
    /// For [`Agent::explain`], which must not change what is played.
    apart: Option<Box<Search<G>>>,
    actions: Vec<G::Action>,
}

impl<G: Heuristics> Mcts<G> {
    /// One that searches as `config` says.
    pub fn new(config: Config) -> Mcts<G> {
        Mcts { config, seats: [const { None }; MAX_SEATS], apart: None, actions: Vec::new() }
    }

    /// The last search of a seat.
    pub fn search(&self, seat: Seat) -> Option<&Search<G>> {
        self.seats[seat.index()].as_deref()
    }

    fn fresh(config: &Config) -> Box<Search<G>> {
        Box::new(Search::new(config.options, config.budget, config.trees, config.reuse))
    }

    /// Fills `actions` with what is worth searching.
    fn list(&mut self, game: &G, state: &G::State, seat: Seat) {
        game.actions(state, seat, &mut self.actions);
        if self.config.options.prune && matches!(game.turn(state), Turn::Decision(_)) {
            game.prune(state, &mut self.actions);
            if self.actions.is_empty() {
                game.actions(state, seat, &mut self.actions);
            }
        }
    }
}

impl<G: Heuristics> Agent<G> for Mcts<G> {
    fn begin(&mut self, _game: &G, seat: Seat) {
        if let Some(search) = &mut self.seats[seat.index()] {
            search.clear();
        }
    }

    fn choose(&mut self, game: &G, state: &G::State, seat: Seat, stream: &mut Stream) -> G::Action {
        self.list(game, state, seat);
        // An only action is played unsearched; what was kept stays for the decision after it.
        if let [only] = self.actions[..] {
            return only;
        }
        let config = &self.config;
        let search = self.seats[seat.index()].get_or_insert_with(|| Mcts::fresh(config));
        search.run(game, state, seat, stream);
        let action = search.recommend(config.by_value, stream);
        search.chose(action);
        action
    }

    fn explain(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
        luck: &mut Stream,
    ) -> Option<Explanation<G::Action>> {
        self.list(game, state, seat);
        if let [only] = self.actions[..] {
            let remarks = vec!["the only action worth a search".to_owned()];
            return Some(Explanation { measure: "mean payoff", options: vec![(only, 0.0)], remarks });
        }
        let config = &self.config;
        let search = self.apart.get_or_insert_with(|| Mcts::fresh(config));
        search.clear();
        search.run(game, state, seat, luck);
        let mut lines: Vec<Line<G::Action>> =
            search.lines().iter().copied().filter(|line| line.visits > 0).collect();
        if search.mixed() {
            best_first(&mut lines, |line| line.strategy);
        } else {
            best_first(&mut lines, |line| line.mean);
            best_first(&mut lines, |line| line.visits as f64);
        }
        let (visits, _) = search.visits();
        let (nodes, bytes) = search.size();
        let kept = if config.reuse { " and without what a game's earlier decisions leave" } else { "" };
        let mut remarks = vec![format!(
            "a search of {visits} iterations with luck of its own{kept}: {nodes} nodes, {} KiB",
            bytes.div_ceil(1024)
        )];
        remarks.extend(lines.iter().map(|line| remark(line, game.seats(), search.mixed())));
        let options = lines.iter().map(|line| (line.action, line.mean)).collect();
        Some(Explanation { measure: "mean payoff, most visited first", options, remarks })
    }
}

/// Visits and everybody's mean in words.
fn remark<A: std::fmt::Display>(line: &Line<A>, seats: usize, mixed: bool) -> String {
    let means: Vec<String> = line.means[..seats].iter().map(|mean| format!("{mean:.3}")).collect();
    let exact = if line.proven { ", exact" } else { "" };
    let share =
        if mixed { format!(", played {:.0} % of the time", 100.0 * line.strategy) } else { String::new() };
    format!("{}: {} visits{share}, mean of each seat {}{exact}", line.action, line.visits, means.join(" / "))
}
