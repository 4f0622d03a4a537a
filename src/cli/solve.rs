//! `dhow solve`: exact values of a small game, how it is played best, and what comes of an agent.

use dhow::solve::{self, Found, SolveByNameError, SolveError, Wanted};
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
    let wanted = Wanted {
        against: args.against,
        limit: usize::try_from(args.states).unwrap_or(usize::MAX),
        rows: usize::try_from(args.rows).unwrap_or(usize::MAX),
    };
    let game = &args.game.game;
    let found = solve::solve_by_name(&setup, &wanted).map_err(|error| match error {
        SolveByNameError::Solve(error @ SolveError::TooLarge { .. }) => {
            Failure::new(format!("{game}: {error} (set smaller rules, or raise --states)"))
        }
        SolveByNameError::Solve(error) => Failure::new(format!("{game}: {error}")),
        other => Failure::from(other),
    })?;
    if args.json { terminal::show_json(&json(game, &found)) } else { terminal::show(&text(game, &found)) }
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

/// The solution for a reader.
fn text(game: &str, found: &Found) -> String {
    let wide = terminal::width();
    let seats = found.values.len();
    let mut facts: Vec<String> =
        found.sizes.iter().map(|(name, count)| format!("{} {count}", name.replace('_', " "))).collect();
    facts.extend(found.residual.map(|residual| format!("residual {residual:.1e}")));
    let head = format!("{}; {}", found.method, facts.join(", "));
    let mut lines = wrap(&format!("{game}, {seats} seats: "), &head, wide);
    if let Some(gain) = found.exploitability {
        lines.push(format!("a best answer to the policy found here gains {gain:.1e}"));
    }
    lines.push(String::new());
    let mut rows = vec![vec!["seat".to_owned(), "value".to_owned()]];
    rows.extend(
        found.values.iter().enumerate().map(|(seat, &value)| vec![(seat + 1).to_string(), six(value)]),
    );
    lines.extend(columns(&rows));
    for (name, of) in &found.against {
        lines.push(String::new());
        lines.push(format!("against {name} in all other seats"));
        let heads = ["seat", "the agent itself", "best play of the game", "best answer"];
        let mut rows = vec![heads.map(str::to_owned).to_vec()];
        for seat in 0..seats {
            let cells = [of.agent[seat], of.optimal[seat], of.answer[seat]].map(six);
            rows.push([vec![(seat + 1).to_string()], cells.to_vec()].concat());
        }
        lines.extend(columns(&rows));
        if let Some(gain) = of.exploitability {
            lines.push(format!("exploitability {}", six(gain)));
        }
    }
    if let Some(picture) = &found.picture {
        lines.push(String::new());
        lines.extend(picture.lines().map(str::to_owned));
    }
    if !found.rows.is_empty() {
        lines.push(String::new());
        lines.push("best play, nearest to the start first".into());
    }
    for row in &found.rows {
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
    if found.more > 0 {
        lines.push(format!("  and {} more (--rows)", found.more));
    }
    lines.join("\n") + "\n"
}

/// The solution for a program.
fn json(game: &str, found: &Found) -> Value {
    let rows = found.rows.iter().map(|row| {
        let actions = row.actions.iter().map(|(action, weight)| json!([action, weight]));
        json!({
            "state": row.state,
            "text": row.text,
            "seat": row.seat.number(),
            "actions": actions.collect::<Vec<_>>(),
            "value": row.value,
        })
    });
    let against = found.against.iter().map(|(name, found)| {
        json!({
            "agent": name,
            "agent_values": found.agent,
            "optimal_values": found.optimal,
            "answer_values": found.answer,
            "exploitability": found.exploitability,
        })
    });
    let mut value = json!({
        "game": game,
        "seats": found.values.len(),
        "method": found.method,
        "values": found.values,
        "exploitability": found.exploitability,
        "picture": found.picture,
        "policy": rows.collect::<Vec<_>>(),
        "more_rows": found.more,
        "against": against.collect::<Vec<_>>(),
    });
    if let Value::Object(map) = &mut value {
        map.extend(found.sizes.iter().map(|(name, count)| ((*name).to_owned(), json!(count))));
        map.extend(found.residual.map(|residual| ("residual".to_owned(), json!(residual))));
    }
    value
}
