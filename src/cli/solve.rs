//! `dhow solve`: exact values of a small game, how it is played best, and what comes of an agent.

use dhow::agents::registry::Spec;
use dhow::game::{Ink, Seat};
use dhow::games::Catalogued;
use dhow::games::registry::{self, Visitor};
use dhow::solve::{self, Against, Choice, HiddenSolution, Solution, SolveError};
use dhow::text::{columns, wrap};
use serde_json::{Value, json};

use super::common::{GameArgs, number};
use super::{Answer, Failure, terminal};

/// Arguments of `dhow solve`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Also evaluates this agent, and the best answer to it, exactly; may be repeated
    #[arg(long, value_name = "AGENT")]
    against: Vec<String>,
    /// Gives up beyond so many states
    #[arg(long, value_name = "N", value_parser = number, default_value_t = solve::DEFAULT_LIMIT as u64)]
    states: u64,
    /// Shows so many rows of the best policy, nearest to the start first
    #[arg(long, value_name = "N", value_parser = number, default_value = "12")]
    rows: u64,
    /// Prints JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Answer {
    let setup = args.game.setup()?;
    let work = Work {
        game: &args.game.game,
        against: &args.against,
        limit: usize::try_from(args.states).unwrap_or(usize::MAX),
        rows: usize::try_from(args.rows).unwrap_or(usize::MAX),
    };
    let found = registry::visit(&setup, work)??;
    if args.json { terminal::show_json(&found.json()) } else { terminal::show(&found.text()) }
}

struct Work<'a> {
    game: &'a str,
    against: &'a [String],
    limit: usize,
    rows: usize,
}

/// What is printed.
struct Found {
    game: String,
    seats: usize,
    values: Vec<f64>,
    method: String,
    /// Numbers about the solution, with their names.
    facts: Vec<(&'static str, Value)>,
    exploitability: Option<f64>,
    picture: Option<String>,
    rows: Vec<Row>,
    /// Rows that are not shown.
    more: usize,
    against: Vec<(String, Against)>,
}

/// A row of the policy.
struct Row {
    state: Value,
    text: String,
    seat: Seat,
    actions: Vec<(String, f64)>,
    value: Option<f64>,
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

impl Visitor for Work<'_> {
    type Output = Result<Found, Failure>;
    fn visit<G: Catalogued>(self, game: G) -> Self::Output {
        let agents = self.against.iter().map(|text| {
            let spec = Spec::parse(text)?.resolve(&game, G::NAME)?;
            Ok((spec.to_string(), spec.build_for::<G>()?))
        });
        let agents = agents.collect::<Result<Vec<_>, Failure>>()?;
        if game.has_hidden() {
            let solution = solve::solve_hidden(&game, self.limit).map_err(|error| self.explain(error))?;
            let against = agents.into_iter().map(|(name, mut agent)| {
                let found = solution.against(&game, &mut *agent, &name)?;
                Ok((name, found))
            });
            let against = against.collect::<Result<_, SolveError>>()?;
            Ok(self.hidden(&game, &solution, against))
        } else {
            let solution = solve::solve(&game, self.limit).map_err(|error| self.explain(error))?;
            let against = agents.into_iter().map(|(name, mut agent)| {
                let found = solution.against(&game, &mut *agent, &name)?;
                Ok((name, found))
            });
            let against = against.collect::<Result<_, SolveError>>()?;
            self.open(&game, &solution, against)
        }
    }
}

impl Work<'_> {
    /// An error with what can be done about it.
    fn explain(&self, error: SolveError) -> Failure {
        match error {
            SolveError::TooLarge { .. } => {
                Failure::new(format!("{}: {error} (set smaller rules, or raise --states)", self.game))
            }
            error => Failure::new(format!("{}: {error}", self.game)),
        }
    }

    fn open<G: Catalogued>(
        &self,
        game: &G,
        solution: &Solution<G>,
        against: Vec<(String, Against)>,
    ) -> Result<Found, Failure> {
        let method = match solution.loops() {
            0 => "backward induction".to_owned(),
            loops => format!("value iteration in {loops} loops"),
        };
        let kind = if solution.is_constant_sum() { "" } else { ", each seat for itself (one equilibrium)" };
        let open = |choice: &Choice<'_, G>| choice.actions.len() > 1;
        let mut choices = solution.choices(game).filter(open);
        let rows: Vec<Row> = choices.by_ref().take(self.rows).map(|choice| Row::new(game, choice)).collect();
        Ok(Found {
            game: self.game.to_owned(),
            seats: game.seats(),
            values: solution.values().to_vec(),
            method: method + kind,
            facts: vec![("states", json!(solution.states())), ("residual", json!(solution.residual()))],
            exploitability: solution.exploitability()?,
            picture: game.picture(&|state| solution.best(game, state)),
            more: choices.count(),
            rows,
            against,
        })
    }

    fn hidden<G: Catalogued>(
        &self,
        game: &G,
        solution: &HiddenSolution<G>,
        against: Vec<(String, Against)>,
    ) -> Found {
        let open = |choice: &Choice<'_, G>| choice.actions.len() > 1;
        let mut choices = solution.choices().filter(open);
        let rows: Vec<Row> = choices.by_ref().take(self.rows).map(|choice| Row::new(game, choice)).collect();
        Found {
            game: self.game.to_owned(),
            seats: game.seats(),
            values: solution.values().to_vec(),
            method: "linear program over the sequence form".into(),
            facts: vec![
                ("information_sets", json!(solution.information_sets())),
                ("courses", json!(solution.courses())),
            ],
            exploitability: Some(solution.exploitability()),
            picture: None,
            more: choices.count(),
            rows,
            against,
        }
    }
}

/// Six decimals; what rounds to nothing has no sign.
fn six(value: f64) -> String {
    let text = format!("{value:.6}");
    if text == "-0.000000" { "0.000000".into() } else { text }
}

/// A probability in a row: whole numbers short.
fn short(weight: f64) -> String {
    let text = format!("{weight:.4}");
    match text.as_str() {
        "0.0000" => "0".into(),
        "1.0000" => "1".into(),
        _ => text,
    }
}

impl Found {
    fn text(&self) -> String {
        let wide = terminal::width();
        let facts: Vec<String> = self
            .facts
            .iter()
            .map(|(name, value)| match value.as_u64() {
                Some(count) => format!("{} {count}", name.replace('_', " ")),
                None => format!("{} {:.1e}", name.replace('_', " "), value.as_f64().unwrap_or(0.0)),
            })
            .collect();
        let head = format!("{}; {}", self.method, facts.join(", "));
        let mut lines = wrap(&format!("{}, {} seats: ", self.game, self.seats), &head, wide);
        if let Some(gain) = self.exploitability {
            lines.push(format!("a best answer to the policy found here gains {gain:.1e}"));
        }
        lines.push(String::new());
        let mut rows = vec![vec!["seat".to_owned(), "value".to_owned()]];
        rows.extend(
            self.values.iter().enumerate().map(|(seat, &value)| vec![(seat + 1).to_string(), six(value)]),
        );
        lines.extend(columns(&rows));
        for (name, found) in &self.against {
            lines.push(String::new());
            lines.push(format!("against {name} in all other seats"));
            let heads = ["seat", "the agent itself", "best play of the game", "best answer"];
            let mut rows = vec![heads.map(str::to_owned).to_vec()];
            for seat in 0..self.seats {
                let cells = [found.agent[seat], found.optimal[seat], found.answer[seat]].map(six);
                rows.push([vec![(seat + 1).to_string()], cells.to_vec()].concat());
            }
            lines.extend(columns(&rows));
            if let Some(gain) = found.exploitability {
                lines.push(format!("exploitability {}", six(gain)));
            }
        }
        if let Some(picture) = &self.picture {
            lines.push(String::new());
            lines.extend(picture.lines().map(str::to_owned));
        }
        if !self.rows.is_empty() {
            lines.push(String::new());
            lines.push("best play, nearest to the start first".into());
        }
        for row in &self.rows {
            let played = row.actions.iter().filter(|(_, weight)| *weight > 0.0);
            let played: Vec<String> = played
                .map(|(action, weight)| match *weight == 1.0 {
                    true => action.clone(),
                    false => format!("{action} {}", short(*weight)),
                })
                .collect();
            let value = row.value.map(|value| format!(" (worth {})", six(value))).unwrap_or_default();
            lines.extend(wrap("  ", &row.text, wide));
            lines.extend(wrap(&format!("    seat {}: ", row.seat), &(played.join(", ") + &value), wide));
        }
        if self.more > 0 {
            lines.push(format!("  and {} more (--rows)", self.more));
        }
        lines.join("\n") + "\n"
    }

    fn json(&self) -> Value {
        let rows = self.rows.iter().map(|row| {
            let actions = row.actions.iter().map(|(action, weight)| json!([action, weight]));
            json!({
                "state": row.state,
                "text": row.text,
                "seat": row.seat.number(),
                "actions": actions.collect::<Vec<_>>(),
                "value": row.value,
            })
        });
        let against = self.against.iter().map(|(name, found)| {
            json!({
                "agent": name,
                "agent_values": found.agent,
                "optimal_values": found.optimal,
                "answer_values": found.answer,
                "exploitability": found.exploitability,
            })
        });
        let mut value = json!({
            "game": self.game,
            "seats": self.seats,
            "method": self.method,
            "values": self.values,
            "exploitability": self.exploitability,
            "picture": self.picture,
            "policy": rows.collect::<Vec<_>>(),
            "more_rows": self.more,
            "against": against.collect::<Vec<_>>(),
        });
        if let Value::Object(map) = &mut value {
            map.extend(self.facts.iter().map(|(name, fact)| ((*name).to_owned(), fact.clone())));
        }
        value
    }
}
