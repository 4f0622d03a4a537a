//! `dhow games`: what can be played, and under which rules.

use dhow::games::Catalogued;
use dhow::games::registry::{self, ENTRIES, Entry, Setup, Visitor};
use dhow::games::switches::{Switch, show_value};
use dhow::text::wrap;
use serde_json::{Value, json};
use toml::Table;

use super::{Answer, Failure, terminal};

#[derive(clap::Args)]
pub struct Args {
    /// A game, to see its seats, luck, switches and rulings
    game: Option<String>,
    /// Prints JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Answer {
    match args.game {
        None if args.json => terminal::show_json(&ENTRIES.iter().map(brief_json).collect()),
        None => terminal::show(&list()),
        Some(name) => {
            let entry = registry::entry(&name)?;
            let facts = Facts::of_all(entry)?;
            if args.json {
                terminal::show_json(&full_json(entry, &facts))
            } else {
                terminal::show(&full(entry, &facts))
            }
        }
    }
}

/// What a game says of itself once it is set up for a number of seats.
struct Facts {
    seats: usize,
    luck: Vec<(&'static str, bool)>,
    endings: Vec<&'static str>,
    tallies: Vec<&'static str>,
    actions: Vec<&'static str>,
    hidden: bool,
    step_limit: u32,
}

struct Ask;

impl Visitor for Ask {
    type Output = Facts;
    fn visit<G: Catalogued>(self, game: G) -> Facts {
        Facts {
            seats: game.seats(),
            luck: game.luck().iter().map(|luck| (luck.name, luck.per_seat)).collect(),
            endings: game.endings().to_vec(),
            tallies: game.tally_names().to_vec(),
            actions: game.action_kinds().to_vec(),
            hidden: game.has_hidden(),
            step_limit: game.step_limit(),
        }
    }
}

impl Facts {
    /// For each number of seats, under the default rules.
    fn of_all(entry: &Entry) -> Result<Vec<Facts>, Failure> {
        let facts = |seats| {
            let setup = Setup { game: entry.name.to_owned(), seats, rules: Table::new() };
            Ok(registry::visit(&setup, Ask)?)
        };
        entry.seats().map(facts).collect()
    }
}

fn seats(entry: &Entry) -> String {
    let (low, high) = (*entry.seats().start(), *entry.seats().end());
    if low == high { low.to_string() } else { format!("{low} to {high}") }
}

/// `value` where it is the same for all numbers of seats, otherwise each with its number.
fn by_seats(values: Vec<(usize, String)>) -> String {
    match &values[..] {
        [(_, first), rest @ ..] if rest.iter().all(|(_, value)| value == first) => first.clone(),
        _ => {
            let parts = values.iter().map(|(seats, value)| format!("{value} ({seats} seats)"));
            parts.collect::<Vec<_>>().join("; ")
        }
    }
}

fn list() -> String {
    let wide = terminal::width();
    let widest = ENTRIES.iter().map(|entry| entry.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    let groups = [(false, "games"), (true, "yardsticks (small games with known answers)")];
    for (yardstick, title) in groups {
        let entries: Vec<&Entry> = ENTRIES.iter().filter(|entry| entry.yardstick == yardstick).collect();
        if entries.is_empty() {
            continue;
        }
        text.push_str(&format!("{title}\n"));
        for entry in entries {
            let head = format!("  {:widest$}  {:12}  ", entry.name, seats(entry) + " seats");
            text.push_str(&(wrap(&head, entry.summary, wide).join("\n") + "\n"));
        }
        text.push('\n');
    }
    text + "`dhow games NAME` shows a game's seats, luck, rule switches and rulings.\n"
}

fn list_of(items: &[&str]) -> String {
    if items.is_empty() { "none".into() } else { items.join(", ") }
}

fn full(entry: &Entry, facts: &[Facts]) -> String {
    let wide = terminal::width();
    let first = &facts[0];
    let mut lines = wrap(&format!("{}: ", entry.name), entry.summary, wide);
    lines.push(String::new());
    let luck: Vec<String> = first
        .luck
        .iter()
        .map(|(name, per_seat)| format!("{name} ({})", if *per_seat { "each seat's own" } else { "shared" }))
        .collect();
    let luck = if luck.is_empty() { "none".into() } else { luck.join(", ") };
    let length = by_seats(facts.iter().map(|facts| (facts.seats, facts.step_limit.to_string())).collect());
    let hidden = if first.hidden { "some, from some seats" } else { "nothing" };
    for (name, value) in [
        ("seats", seats(entry)),
        ("luck", luck),
        ("hidden", hidden.into()),
        ("endings", list_of(&first.endings)),
        ("tallies", list_of(&first.tallies)),
        ("actions", list_of(&first.actions)),
        ("decisions", format!("at most {length}")),
    ] {
        lines.extend(wrap(&format!("{name:9}  "), &value, wide));
    }
    lines.push(String::new());
    let switches = (entry.switches)();
    if switches.is_empty() {
        lines.push("no rule switches".into());
    } else {
        lines.push("rule switches (--rule KEY=VALUE)".into());
    }
    for switch in switches {
        lines.push(String::new());
        lines.extend(wrap(&format!("  {}: ", switch.key), switch.meaning, wide));
        lines.extend(wrap("      values:  ", &values(switch), wide));
        lines.extend(wrap("      default: ", &default(entry, switch), wide));
    }
    let rulings = (entry.rulings)();
    if !rulings.is_empty() {
        lines.push(String::new());
        lines.push("rulings (what the rulebook leaves open, and how it is played here)".into());
    }
    for ruling in rulings {
        lines.push(String::new());
        lines.extend(wrap(&format!("  {}: ", ruling.id), ruling.question, wide));
        for (at, reading) in ruling.readings.iter().enumerate() {
            let name = if at == 0 { "      default: " } else { "      or:      " };
            lines.extend(wrap(name, reading, wide));
        }
        lines.extend(wrap("      reason:  ", ruling.reason, wide));
        if let Some(key) = ruling.key {
            lines.extend(wrap("      switch:  ", key, wide));
        }
    }
    lines.join("\n") + "\n"
}

fn values(switch: &Switch) -> String {
    switch.kind.expected(None)
}

fn default(entry: &Entry, switch: &Switch) -> String {
    let value = |seats| {
        let value = entry.defaults(seats).get(switch.key).map(show_value);
        (seats, value.unwrap_or_else(|| "none".into()))
    };
    by_seats(entry.seats().map(value).collect())
}

fn brief_json(entry: &Entry) -> Value {
    json!({
        "name": entry.name,
        "summary": entry.summary,
        "fewest_seats": entry.seats().start(),
        "most_seats": entry.seats().end(),
        "yardstick": entry.yardstick,
    })
}

fn full_json(entry: &Entry, facts: &[Facts]) -> Value {
    let first = &facts[0];
    let mut value = brief_json(entry);
    let defaults = |switch: &Switch| {
        let default = |seats: usize| (seats.to_string(), json!(entry.defaults(seats).get(switch.key)));
        entry.seats().map(default).collect::<serde_json::Map<_, _>>()
    };
    let switches: Vec<Value> = (entry.switches)()
        .iter()
        .map(|switch| {
            json!({
                "key": switch.key,
                "meaning": switch.meaning,
                "values": switch.kind,
                "values_in_words": values(switch),
                "default_by_seats": defaults(switch),
            })
        })
        .collect();
    let luck: Vec<Value> =
        first.luck.iter().map(|(name, per_seat)| json!({ "name": name, "per_seat": per_seat })).collect();
    let limits: serde_json::Map<String, Value> =
        facts.iter().map(|facts| (facts.seats.to_string(), json!(facts.step_limit))).collect();
    let more = json!({
        "luck": luck,
        "hidden_information": first.hidden,
        "endings": first.endings,
        "tallies": first.tallies,
        "action_kinds": first.actions,
        "most_decisions_by_seats": limits,
        "switches": switches,
        "rulings": (entry.rulings)(),
    });
    if let (Value::Object(value), Value::Object(more)) = (&mut value, more) {
        value.extend(more);
    }
    value
}
