//! `dhow agents`: what can play, and with which parameters.

use dhow::agents::parameters::Domain;
use dhow::agents::registry::{self, ENTRIES, Entry, PROFILES, Spec};
use dhow::text::{columns, one_line, wrap};
use serde_json::{Value, json};

use super::{Answer, terminal};

#[derive(clap::Args)]
pub struct Args {
    /// An agent or a profile, to see its parameters
    agent: Option<String>,
    /// Prints JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Answer {
    match args.agent {
        None if args.json => terminal::show_json(&json!({
            "agents": ENTRIES.iter().map(entry_json).collect::<Vec<_>>(),
            "profiles": PROFILES.iter().map(|&(name, text)| profile_json(name, text)).collect::<Vec<_>>(),
        })),
        None => terminal::show(&list()),
        Some(name) => match PROFILES.iter().find(|(profile, _)| *profile == name) {
            Some(&(name, text)) if args.json => terminal::show_json(&profile_json(name, text)),
            Some(&(name, text)) => terminal::show(&format!("{name}: {}\n\n{text}", resolved(name))),
            None if Spec::is_path(&name) => {
                Spec::parse(&name)?;
                let text = std::fs::read_to_string(Spec::split(&name).0)?;
                if args.json {
                    return terminal::show_json(&profile_json(&name, &text));
                }
                let lines: Vec<String> = text.lines().map(one_line).collect();
                terminal::show(&format!("{name}: {}\n\n{}\n", resolved(&name), lines.join("\n")))
            }
            None => {
                let agent = if name.contains(':') {
                    // What is wrong with its parameters is said as for an agent that plays.
                    Spec::parse(&name)?.name()
                } else {
                    &name
                };
                let entry = registry::entry(agent)?;
                if args.json { terminal::show_json(&entry_json(entry)) } else { terminal::show(&one(entry)) }
            }
        },
    }
}

/// What the comment at the head of a profile says.
fn remark(text: &str) -> String {
    let lines = text.lines().map_while(|line| line.strip_prefix('#')).map(str::trim);
    lines.collect::<Vec<_>>().join(" ")
}

fn resolved(profile: &str) -> String {
    Spec::parse(profile).map_or_else(|error| error.to_string(), |spec| spec.to_string())
}

fn entry_json(entry: &Entry) -> Value {
    let parameters = entry.parameters.iter().map(|parameter| {
        let mut about = json!({
            "key": parameter.key,
            "values": parameter.domain.to_string(),
            "default": parameter.default,
            "meaning": parameter.meaning,
        });
        match parameter.domain {
            Domain::Whole(low, high) => (about["low"], about["high"]) = (low.into(), high.into()),
            Domain::Real(low, high) => (about["low"], about["high"]) = (low.into(), high.into()),
            Domain::Choice(words) => about["words"] = words.into(),
            Domain::Flag => {}
        }
        about
    });
    json!({
        "name": entry.name,
        "summary": entry.summary,
        "parameters": parameters.collect::<Vec<_>>(),
    })
}

fn profile_json(name: &str, text: &str) -> Value {
    json!({ "name": name, "agent": resolved(name), "summary": remark(text) })
}

fn list() -> String {
    let wide = terminal::width();
    let names = ENTRIES.iter().map(|entry| entry.name).chain(PROFILES.iter().map(|&(name, _)| name));
    let widest = names.map(str::len).max().unwrap_or(0);
    let lines = |name: &str, summary: &str| wrap(&format!("  {name:widest$}  "), summary, wide);
    let agents: Vec<String> = ENTRIES.iter().flat_map(|entry| lines(entry.name, entry.summary)).collect();
    let profiles: Vec<String> = PROFILES
        .iter()
        .flat_map(|&(name, text)| lines(name, &format!("{}: {}", resolved(name), remark(text))))
        .collect();
    format!(
        "agents\n{}\n\nprofiles\n{}\n\n\
         Parameters follow the name: threshold:margin=4. `dhow agents NAME` explains them.\n\
         A profile of your own is named by its path.\n\
         Every agent takes forbid=KIND+KIND: kinds of action that it leaves alone unless\n\
         nothing else is legal (`dhow games GAME` lists them).\n",
        agents.join("\n"),
        profiles.join("\n")
    )
}

fn one(entry: &Entry) -> String {
    let wide = terminal::width();
    let mut lines = wrap(&format!("{}: ", entry.name), entry.summary, wide);
    if entry.parameters.is_empty() {
        lines.push(String::new());
        lines.push("no parameters".into());
    }
    for parameter in entry.parameters {
        lines.push(String::new());
        lines.push(parameter.key.to_owned());
        let rows = [
            vec!["    values".into(), parameter.domain.to_string()],
            vec!["    default".into(), parameter.default.into()],
        ];
        lines.extend(wrap("    ", parameter.meaning, wide));
        lines.extend(columns(&rows));
    }
    lines.join("\n") + "\n"
}
