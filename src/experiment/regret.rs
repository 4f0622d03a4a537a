//! How much does an agent's choice give away? Regret on positions of its own games, judged by a deeper search.
//!
//! Regret is what the deeper search expects of its own choice less what it expects of the agent's. The deeper
//! search runs twice: one run chooses, the other says what both choices are worth. By the numbers it chose by, a
//! search's own choice looks better than it is, and every agent would seem to give something away. A second
//! choice of the agent with other luck tells noise (it would often choose something else) from bias (it would
//! choose the same again, and the deeper search disagrees).

use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use siphasher::sip::SipHasher13;
use thiserror::Error;

use crate::agents::registry::{AgentError, Spec};
use crate::agents::{Agent, Explanation};
use crate::game::{Game, Heuristics, Seat, Turn};
use crate::games::Catalogued;
use crate::games::registry::{self, Setup, SetupError, Visitor};
use crate::streams::{Phase, Purpose, Stream, key};
use crate::tournament::{GameKey, Players, play_game, quietly};

/// How much deeper the search that judges is, unless another one is named.
pub const DEEPER: i64 = 100;

/// What is to be judged, and by whom.
#[derive(Clone, PartialEq, Debug)]
pub struct RegretRequest {
    /// The game with its seats and switches.
    pub setup: Setup,
    /// The agent, in text form; it plays itself.
    pub agent: String,
    /// Who judges; `None`: the same agent with [`DEEPER`] times the budget.
    pub reference: Option<String>,
    /// How many games.
    pub games: u64,
    /// One real choice (of at least two actions) in so many is judged; 0 counts as 1.
    pub every: u64,
    /// Master seed.
    pub seed: u64,
    /// Threads; 0 for one a core. They change no number.
    pub threads: usize,
}

/// What was found.
#[derive(Clone, PartialEq, Debug)]
pub struct Regret {
    /// The agent, resolved.
    pub agent: String,
    /// Who judged, resolved.
    pub reference: String,
    /// Number of seats.
    pub seats: usize,
    /// What the numbers are, in the words of who judged.
    pub measure: &'static str,
    /// Games played.
    pub games: u64,
    /// Those that did not go move for move like an earlier one; the others say nothing new and are left out.
    pub different: u64,
    /// Positions judged.
    pub positions: u64,
    /// Positions of which the search said nothing, or nothing about one of the actions chosen.
    pub unjudged: u64,
    /// Mean regret a judged position, in payoff; below 0 is possible, since the search errs both ways.
    pub regret: f64,
    /// Its standard error; a game is the unit, as positions of one game are alike. NaN with one game.
    pub error: f64,
    /// How often agent and search chose the same, in [0, 1].
    pub agreed: f64,
    /// How often the agent chose the same again with other luck, in [0, 1].
    pub repeated: f64,
    /// How often the two runs of the search chose the same, in [0, 1]: no agent can agree with it more often than
    /// it does itself.
    pub settled: f64,
}

/// Why there is no answer.
#[derive(Debug, Error)]
pub enum RegretError {
    /// The game or its rules are refused.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// An agent is refused.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// The agent has no budget to multiply.
    #[error("agent {0} has no budget that could be made larger; name the agent that is to judge")]
    NoBudget(String),
    /// Nothing could be judged.
    #[error("agent {0} says nothing of payoffs that a choice could be judged by (tried on {1} positions)")]
    Silent(String, u64),
    /// There was nothing to judge.
    #[error("no position was judged: play more games or judge more often")]
    Nothing,
    /// The threads could not be started.
    #[error("cannot start the threads: {0}")]
    Threads(String),
    /// A game broke off.
    #[error("game {0} broke off: {1}")]
    Fault(u64, String),
}

/// Plays and judges.
///
/// # Errors
/// [`RegretError`].
pub fn regret(request: &RegretRequest) -> Result<Regret, RegretError> {
    let agent = Spec::parse(&request.agent)?;
    let reference = match &request.reference {
        Some(text) => Spec::parse(text)?,
        None => agent.deeper(DEEPER).ok_or_else(|| RegretError::NoBudget(agent.to_string()))?,
    };
    registry::visit(&request.setup, Measure { request, agent, reference })?
}

struct Measure<'a> {
    request: &'a RegretRequest,
    agent: Spec,
    reference: Spec,
}

impl Visitor for Measure<'_> {
    type Output = Result<Regret, RegretError>;
    fn visit<G: Catalogued>(self, game: G) -> Self::Output {
        let request = self.request;
        let agent = self.agent.resolve(&game, G::NAME)?;
        let reference = self.reference.resolve(&game, G::NAME)?;
        // What cannot be built is refused before the first game.
        agent.build::<G>()?;
        reference.build::<G>()?;
        let pool = ThreadPoolBuilder::new().num_threads(request.threads).build();
        let pool = pool.map_err(|error| RegretError::Threads(error.to_string()))?;
        let game_of = |number: u64| {
            quietly(|| judge(&game, [&agent, &reference], request, number))
                .map_err(|reason| RegretError::Fault(number, reason))
        };
        let played: Result<Vec<Sums>, RegretError> =
            pool.install(|| (0..request.games).into_par_iter().map(game_of).collect());
        summed(&played?, agent.to_string(), reference.to_string(), game.seats())
    }
}

fn summed(played: &[Sums], agent: String, reference: String, seats: usize) -> Result<Regret, RegretError> {
    let mut seen = BTreeSet::new();
    let games: Vec<&Sums> = played.iter().filter(|game| seen.insert(game.course)).collect();
    let count = |of: fn(&Sums) -> u64| games.iter().map(|game| of(game)).sum::<u64>();
    let (positions, unjudged) = (count(|game| game.positions), count(|game| game.unjudged));
    if positions == 0 {
        return Err(if unjudged > 0 {
            RegretError::Silent(reference, unjudged)
        } else {
            RegretError::Nothing
        });
    }
    let share = |part: u64| part as f64 / positions as f64;
    let regret = games.iter().map(|game| game.regret).sum::<f64>() / positions as f64;
    // The ratio estimator's residuals, a game each.
    let squares: f64 = games.iter().map(|game| (game.regret - regret * game.positions as f64).powi(2)).sum();
    let n = games.len() as f64;
    Ok(Regret {
        agent,
        reference,
        seats,
        measure: games.iter().find_map(|game| game.measure).unwrap_or(""),
        games: played.len() as u64,
        different: games.len() as u64,
        positions,
        unjudged,
        regret,
        error: (squares * n / (n - 1.0)).sqrt() / positions as f64,
        agreed: share(count(|game| game.agreed)),
        repeated: share(count(|game| game.repeated)),
        settled: share(count(|game| game.settled)),
    })
}

/// What one game gave.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Sums {
    measure: Option<&'static str>,
    positions: u64,
    unjudged: u64,
    regret: f64,
    agreed: u64,
    repeated: u64,
    settled: u64,
    /// Hash of the states in which somebody chose, and of the choices.
    course: u64,
}

fn judge<G: Heuristics>(
    game: &G,
    specs: [&Spec; 2],
    request: &RegretRequest,
    number: u64,
) -> Result<Sums, String> {
    let sums = Arc::new(Mutex::new(Sums::default()));
    let every = request.every.max(1);
    let build = |spec: &Spec| spec.build::<G>().map_err(|error| error.to_string());
    let mut players: Vec<Box<dyn Agent<G>>> = Vec::new();
    for seat in 0..game.seats() {
        let luck = |of: u64| Stream::new(key(request.seed, of as Phase, number, Purpose::Check, seat as u64));
        players.push(Box::new(Judged {
            agent: build(specs[0])?,
            again: build(specs[0])?,
            reference: build(specs[1])?,
            every,
            // Not the same choices of every game.
            choices: number % every,
            luck: luck(0),
            judging: luck(1),
            actions: Vec::new(),
            sums: Arc::clone(&sums),
        }));
    }
    let seating = std::array::from_fn(|seat| seat);
    let key = GameKey { seed: request.seed, phase: 0, block: number, rotation: 0, luck_rotation: 0, seating };
    play_game(game, &mut Players::of(players), &key, true, None)?;
    let sums = sums.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(*sums)
}

/// An agent that is looked at while it plays.
struct Judged<G: Game> {
    agent: Box<dyn Agent<G>>,
    /// The same agent, asked once more with luck of its own.
    again: Box<dyn Agent<G>>,
    reference: Box<dyn Agent<G>>,
    every: u64,
    choices: u64,
    luck: Stream,
    /// What the search that judges draws from.
    judging: Stream,
    actions: Vec<G::Action>,
    sums: Arc<Mutex<Sums>>,
}

impl<G: Heuristics> Agent<G> for Judged<G> {
    fn begin(&mut self, game: &G, seat: Seat) {
        self.agent.begin(game, seat);
        self.again.begin(game, seat);
        self.reference.begin(game, seat);
    }

    fn choose(&mut self, game: &G, state: &G::State, seat: Seat, stream: &mut Stream) -> G::Action {
        let action = self.agent.choose(game, state, seat, stream);
        self.sums.lock().unwrap_or_else(PoisonError::into_inner).follow(&(state, action));
        // At a joint choice the worth of an action depends on what the others mix.
        if !matches!(game.turn(state), Turn::Decision(_)) {
            return action;
        }
        game.actions(state, seat, &mut self.actions);
        if self.actions.len() < 2 {
            return action;
        }
        self.choices += 1;
        if self.choices.is_multiple_of(self.every) {
            let mut why = || self.reference.explain(game, state, seat, &mut self.judging);
            let (chosen, worth) = (why(), why());
            let repeated = self.again.choose(game, state, seat, &mut self.luck) == action;
            let mut sums = self.sums.lock().unwrap_or_else(PoisonError::into_inner);
            sums.add(chosen.as_ref(), worth.as_ref(), action, repeated);
        }
        action
    }
}

impl Sums {
    /// Notes a choice of the game that is played.
    fn follow(&mut self, choice: &impl Hash) {
        let mut hasher = SipHasher13::new();
        (self.course, choice).hash(&mut hasher);
        self.course = hasher.finish();
    }

    /// Adds a position: by the run of the search that `chosen` tells of the best action, by the run of `worth` what
    /// that and the agent's action are worth.
    fn add<A: Copy + PartialEq>(
        &mut self,
        chosen: Option<&Explanation<A>>,
        worth: Option<&Explanation<A>>,
        action: A,
        repeated: bool,
    ) {
        let best = chosen.and_then(|why| why.options.first()).map(|option| option.0);
        let worth = worth.filter(|why| why.in_payoffs());
        let of = |action| worth?.options.iter().find(|option| option.0 == action).map(|option| option.1);
        let (Some(worth), Some(best), Some(mine)) = (worth, best, of(action)) else {
            self.unjudged += 1;
            return;
        };
        let Some(highest) = of(best) else {
            self.unjudged += 1;
            return;
        };
        self.measure = Some(worth.measure);
        self.positions += 1;
        self.regret += highest - mine;
        self.agreed += u64::from(best == action);
        self.repeated += u64::from(repeated);
        self.settled += u64::from(worth.options[0].0 == best);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(game: &str, agent: &str, reference: Option<&str>, threads: usize) -> Result<Regret, RegretError> {
        regret(&RegretRequest {
            setup: Setup { game: game.into(), seats: 2, rules: toml::Table::new() },
            agent: agent.into(),
            reference: reference.map(str::to_owned),
            games: 30,
            every: 2,
            seed: 5,
            threads,
        })
    }

    #[test]
    fn exact_play_gives_nothing_away_and_random_play_does() {
        let exact = "expectimax:method=plies:depth=9";
        let found = of("tic-tac-toe", exact, Some(exact), 1).unwrap();
        assert!(found.positions > 2, "{found:?}");
        assert_eq!((found.regret, found.agreed, found.repeated, found.settled), (0.0, 1.0, 1.0, 1.0));
        // It plays one game over and over, which is one piece of evidence.
        assert!(found.games == 30 && found.different < 10, "{found:?}");
        let random = of("tic-tac-toe", "random", Some(exact), 1).unwrap();
        assert!(random.regret - 4.0 * random.error > 0.0, "{random:?}");
        assert!(random.agreed < 0.8 && random.repeated < 0.6, "{random:?}");
    }

    #[test]
    fn threads_change_nothing_and_a_larger_budget_judges() {
        let found = of("tic-tac-toe", "mcts:iterations=20", None, 1).unwrap();
        assert_eq!(found.reference, "mcts:iterations=2000");
        assert_eq!(found, of("tic-tac-toe", "mcts:iterations=20", None, 3).unwrap());
        assert!(found.regret > 0.0 && found.error > 0.0, "{found:?}");
    }

    /// A search gives away nothing to itself: by the numbers that the judge chose by, it seemed to.
    #[test]
    fn a_noisy_judge_blames_nobody() {
        let noisy = of("pig", "mcts:iterations=300", Some("mcts:iterations=300"), 1).unwrap();
        assert!(noisy.regret.abs() < 4.0 * noisy.error, "{noisy:?}");
        assert!(noisy.settled < 1.0 && noisy.different == noisy.games, "{noisy:?}");
    }

    #[test]
    fn what_cannot_be_judged_says_so() {
        let told = |agent, reference| of("pig", agent, reference, 1).unwrap_err().to_string();
        assert!(told("random", None).contains("no budget"));
        assert!(told("greedy", Some("random")).contains("says nothing of payoffs"));
        assert!(told("greedy", Some("threshold")).contains("says nothing of payoffs"));
        assert!(told("greedy", Some("human")).contains("human"));
    }
}
