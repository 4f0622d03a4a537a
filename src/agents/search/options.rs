//! What a tree search may be told: everything that is a parameter of `mcts` and `flat`.

use std::time::Duration;

use crate::agents::parameters::{Domain, Parameter, Settings};

/// How long a decision may take.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Budget {
    /// Exactly so many iterations.
    Iterations(u64),
    /// As many as fit; at least one. What comes out is not reproducible.
    Time(Duration),
}

/// Who plays on from a leaf.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Player {
    /// Uniformly random actions.
    Random,
    /// [`crate::agents::greedy`].
    Greedy,
}

/// Where a playout ends and the value function is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cut {
    /// At the end of the game.
    Game,
    /// Where a player's turn ends.
    Turn,
    /// After so many steps (actions and outcomes of luck).
    Depth(u32),
}

/// The playout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Playout {
    /// Who plays.
    pub player: Player,
    /// Where it ends.
    pub cut: Cut,
}

/// How an action is picked where others choose in secret.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mixing {
    /// As elsewhere: the upper confidence bound of each seat's own actions.
    Ucb,
    /// Regret matching; the move is drawn from the average strategy.
    Regret,
}

/// How a tree is searched.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Options {
    /// Weight of exploration, in units of the range of payoffs seen.
    pub exploration: f64,
    /// Weight of the prior: added to an action's score as bias * weight / (visits + 1).
    pub bias: f64,
    /// What an untried action is taken to be worth, from the least (0) to the greatest (1) payoff seen;
    /// `None`: every action is tried once first.
    pub untried: Option<f64>,
    /// Exponent of the visits in the number of actions that are considered; 0: all are.
    pub widening: f64,
    /// Selection where others choose in secret.
    pub mixing: Mixing,
    /// Whether outcomes of luck share one node.
    pub open_loop: bool,
    /// Whether dominated actions are dropped.
    pub prune: bool,
    /// Whether exact values are backed up.
    pub solver: bool,
    /// Whether hidden information is sampled with everybody's eyes in turn.
    pub public: bool,
    /// The playout.
    pub playout: Playout,
}

/// Parameters of the budget and of playouts, which `mcts` and `flat` share.
pub const ITERATIONS: Parameter = Parameter {
    key: "iterations",
    domain: Domain::Whole(1, 10_000_000),
    default: "1000",
    meaning: "playouts for each decision, exactly",
};
/// See [`Budget::Time`].
pub const MILLISECONDS: Parameter = Parameter {
    key: "milliseconds",
    domain: Domain::Whole(1, 3_600_000),
    default: "no limit: iterations count",
    meaning: "time for each decision instead of iterations; results are then not reproducible",
};
/// See [`Player`].
pub const PLAYOUT: Parameter = Parameter {
    key: "playout",
    domain: Domain::Choice(&["random", "greedy"]),
    default: "random",
    meaning: "who plays on from a leaf of the search",
};
/// See [`Cut`].
pub const CUT: Parameter = Parameter {
    key: "cut",
    domain: Domain::Choice(&["turn", "depth", "game"]),
    default: "turn",
    meaning: "where a playout stops and the value is asked: a turn's end, a depth, the end of the game",
};
/// See [`Cut::Depth`].
pub const DEPTH: Parameter = Parameter {
    key: "depth",
    domain: Domain::Whole(0, 100_000),
    default: "0",
    meaning: "with cut=depth: steps of a playout, outcomes of luck included",
};
/// See [`Options::prune`].
pub const PRUNE: Parameter = Parameter {
    key: "prune",
    domain: Domain::Flag,
    default: "true",
    meaning: "whether actions that the game calls dominated are left out",
};

impl Playout {
    /// The playout of resolved parameters.
    pub fn from_settings(settings: Settings<'_>) -> Playout {
        Playout {
            player: if settings.choice("playout") == "greedy" { Player::Greedy } else { Player::Random },
            cut: match settings.choice("cut") {
                "game" => Cut::Game,
                "depth" => Cut::Depth(settings.whole("depth") as u32),
                _ => Cut::Turn,
            },
        }
    }
}
