//! The solution of a match that is named by plain data, in plain data. Compiled here once for all games, so that
//! whoever solves by name (the command line) compiles it no second time.

use serde_json::Value;

use super::{Against, Choice, HiddenSolution, Solution, SolveError, solve, solve_hidden};
use crate::agents::registry::{AgentError, Spec};
use crate::game::{Ink, Seat};
use crate::games::Catalogued;
use crate::games::registry::{self, Setup, SetupError, Visitor};

/// What is asked of a match.
#[derive(Clone, PartialEq, Debug)]
pub struct Wanted {
    /// Agents to evaluate, as they are typed.
    pub against: Vec<String>,
    /// States after which to give up.
    pub limit: usize,
    /// Rows of the best policy to list.
    pub rows: usize,
}

/// The solution of a match.
#[derive(Clone, PartialEq, Debug)]
pub struct Found {
    /// What each seat gets when all play best, between 0 and 1 where shares of wins are played for.
    pub values: Vec<f64>,
    /// How it was found, in words.
    pub method: String,
    /// What was counted on the way (`states`, or `information_sets` and `courses`), with its name.
    pub sizes: Vec<(&'static str, usize)>,
    /// How far the values still moved in the last round; `None` where they are exact.
    pub residual: Option<f64>,
    /// What a best answer gains against the policy found, where that can be said.
    pub exploitability: Option<f64>,
    /// The policy as a picture in text, where the game has one.
    pub picture: Option<String>,
    /// The policy where something is to be chosen, nearest to the start first.
    pub rows: Vec<Row>,
    /// Rows beyond those.
    pub more: usize,
    /// What each agent asked for gets, under its full name.
    pub against: Vec<(String, Against)>,
}

/// A row of the policy.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// The state as JSON; null where something is hidden from who chooses.
    pub state: Value,
    /// The state in one line, as who chooses sees it.
    pub text: String,
    /// Who chooses.
    pub seat: Seat,
    /// The actions with the probability of each.
    pub actions: Vec<(String, f64)>,
    /// What the seat expects from here.
    pub value: Option<f64>,
}

/// A match that was not solved.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum SolveByNameError {
    /// There is no such match.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// There is no such agent.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// The match cannot be solved.
    #[error(transparent)]
    Solve(SolveError),
    /// An agent cannot be evaluated.
    #[error(transparent)]
    Against(SolveError),
}

/// Solves the match that `setup` names.
///
/// # Errors
/// [`SolveByNameError`] for an unknown match or agent, and where [`solve`] or [`solve_hidden`] gives up.
pub fn solve_by_name(setup: &Setup, wanted: &Wanted) -> Result<Found, SolveByNameError> {
    registry::visit(setup, Work(wanted))?
}

struct Work<'a>(&'a Wanted);

impl Visitor for Work<'_> {
    type Output = Result<Found, SolveByNameError>;
    fn visit<G: Catalogued>(self, game: G) -> Self::Output {
        let agents = self.0.against.iter().map(|text| {
            let spec = Spec::parse(text)?.resolve(&game, G::NAME)?;
            Ok((spec.to_string(), spec.build_for::<G>()?))
        });
        let agents = agents.collect::<Result<Vec<_>, AgentError>>()?;
        let mut against = Vec::new();
        if game.has_hidden() {
            let solution = solve_hidden(&game, self.0.limit).map_err(SolveByNameError::Solve)?;
            for (name, mut agent) in agents {
                let found = solution.against(&game, &mut *agent, &name).map_err(SolveByNameError::Against)?;
                against.push((name, found));
            }
            Ok(self.hidden(&game, &solution, against))
        } else {
            let solution = solve(&game, self.0.limit).map_err(SolveByNameError::Solve)?;
            for (name, mut agent) in agents {
                let found = solution.against(&game, &mut *agent, &name).map_err(SolveByNameError::Against)?;
                against.push((name, found));
            }
            self.open(&game, &solution, against).map_err(SolveByNameError::Against)
        }
    }
}

impl Work<'_> {
    fn open<G: Catalogued>(
        &self,
        game: &G,
        solution: &Solution<G>,
        against: Vec<(String, Against)>,
    ) -> Result<Found, SolveError> {
        let method = match solution.loops() {
            0 => "backward induction".to_owned(),
            loops => format!("value iteration in {loops} loops"),
        };
        let kind = if solution.is_constant_sum() { "" } else { ", each seat for itself (one equilibrium)" };
        let (rows, more) = self.rows(game, &mut solution.choices(game));
        Ok(Found {
            values: solution.values().to_vec(),
            method: method + kind,
            sizes: vec![("states", solution.states())],
            residual: Some(solution.residual()),
            exploitability: solution.exploitability()?,
            picture: game.picture(&|state| solution.best(game, state)),
            rows,
            more,
            against,
        })
    }

    fn hidden<G: Catalogued>(
        &self,
        game: &G,
        solution: &HiddenSolution<G>,
        against: Vec<(String, Against)>,
    ) -> Found {
        let (rows, more) = self.rows(game, &mut solution.choices());
        Found {
            values: solution.values().to_vec(),
            method: "linear program over the sequence form".into(),
            sizes: vec![("information_sets", solution.information_sets()), ("courses", solution.courses())],
            residual: None,
            exploitability: Some(solution.exploitability()),
            picture: None,
            rows,
            more,
            against,
        }
    }

    /// The first rows of a policy where something is to be chosen, and how many are left.
    fn rows<G: Catalogued>(
        &self,
        game: &G,
        choices: &mut dyn Iterator<Item = Choice<'_, G>>,
    ) -> (Vec<Row>, usize) {
        let mut open = choices.filter(|choice| choice.actions.len() > 1);
        let rows = open.by_ref().take(self.0.rows).map(|choice| Row::new(game, choice)).collect();
        (rows, open.count())
    }
}

impl Row {
    fn new<G: Catalogued>(game: &G, choice: Choice<'_, G>) -> Row {
        let Choice { state, seat, actions, value } = choice;
        let drawn = match game.has_hidden() {
            true => game.draw_seen(state, seat, Ink::Plain).unwrap_or_default(),
            false => game.draw(state, Ink::Plain),
        };
        // Who may not see the whole state is not shown it here either.
        let state =
            if game.has_hidden() { Value::Null } else { serde_json::to_value(state).unwrap_or_default() };
        let lines: Vec<&str> = drawn.lines().map(str::trim).collect();
        let actions = actions.into_iter().map(|(action, weight)| (action.to_string(), weight)).collect();
        Row { state, text: lines.join(" / "), seat, actions, value }
    }
}
