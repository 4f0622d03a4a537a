//! Sentences of a report, from the tables alone.

use crate::report::book::{Book, Row};
use crate::report::terminal::{grouped, percent, trimmed};

/// The rows of `sweep.csv` of one line-up at one number of seats, and what they are called.
pub struct Group<'a> {
    /// Number of seats.
    pub seats: usize,
    /// The line-up in words.
    pub line_up: String,
    /// Whether one agent sits in all seats: only then do the seats alone differ.
    pub self_play: bool,
    /// Its arms, in order.
    pub arms: Vec<Row<'a>>,
}

/// All line-ups of a run.
pub fn groups(book: &Book) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for row in book.sheet("sweep").rows() {
        let (seats, line_up) = (row.count("seats") as usize, row.text("line_up"));
        match groups.iter_mut().find(|group| group.seats == seats && group.line_up == line_up) {
            Some(group) => group.arms.push(row),
            None => groups.push(Group {
                seats,
                line_up: line_up.to_owned(),
                self_play: book.manifest.result.config.agents.iter().any(|agent| agent == line_up),
                arms: vec![row],
            }),
        }
    }
    groups
}

/// The swept switches of an arm as people read them; empty if nothing is swept.
pub fn setting(book: &Book, row: Row<'_>) -> String {
    let switches = book.manifest.result.config.sweep.iter();
    switches.map(|key| format!("{key} = {}", row.text(key).replace(',', ", "))).collect::<Vec<_>>().join("; ")
}

/// The same in short, for the axis of a picture: values alone.
pub fn setting_in_short(book: &Book, row: Row<'_>) -> String {
    let switches = book.manifest.result.config.sweep.iter();
    switches.map(|key| row.text(key).replace(',', "/")).collect::<Vec<_>>().join(" ")
}

/// Share and interval of one seat (from 1).
pub fn seat(row: Row<'_>, seat: usize) -> Option<(f64, Option<(f64, f64)>)> {
    let share = row.number(&format!("seat_{seat}"))?;
    let ends = row.number(&format!("seat_{seat}_low")).zip(row.number(&format!("seat_{seat}_high")));
    Some((share, ends))
}

/// The greatest distance of a seat from its fair share, and that seat.
fn farthest(group: &Group<'_>, row: Row<'_>) -> Option<(usize, f64)> {
    let fair = 1.0 / group.seats as f64;
    let distance = |at: usize| Some((at, (seat(row, at)?.0 - fair).abs()));
    let all = (1..=group.seats).filter_map(distance);
    all.fold(None, |best: Option<(usize, f64)>, next| match best {
        Some(best) if best.1 >= next.1 - 1e-9 => Some(best),
        _ => Some(next),
    })
}

/// The arm that comes nearest to fair.
pub fn nearest<'a>(group: &Group<'a>) -> Option<Row<'a>> {
    let known = group.arms.iter().filter_map(|&row| Some((row, farthest(group, row)?.1)));
    known.min_by(|left, right| left.1.total_cmp(&right.1)).map(|(row, _)| row)
}

/// The verdict on one arm of self-play in a sentence or two.
pub fn verdict(book: &Book, group: &Group<'_>, row: Row<'_>) -> String {
    let Some((far, _)) = farthest(group, row) else { return "No game was counted.".into() };
    let Some((share, ends)) = seat(row, far) else { return "No game was counted.".into() };
    let fair = 1.0 / group.seats as f64;
    let mut text = format!("Seat {far} wins {} of its games (fair: {})", percent(share), percent(fair));
    if let Some((low, high)) = ends {
        text += &format!("; very likely between {} and {}", percent(low), percent(high));
    }
    let limit = trimmed(book.manifest.result.config.margin * 100.0);
    text += &match row.text("verdict") {
        "balanced" => format!(". All seats lie within your {limit}-point limit: balanced."),
        "unbalanced" => format!(". That is more than your {limit}-point limit allows: not fair."),
        _ => match row.text("more_games").parse::<u64>() {
            Ok(more) => format!(". Not settled: about {} more games would settle it.", grouped(more)),
            Err(_) => ". Not settled.".into(),
        },
    };
    text
}

/// What a whole line-up says about the seats.
pub fn answer(book: &Book, group: &Group<'_>) -> Vec<String> {
    let Some(nearest) = nearest(group) else { return vec!["No game was counted.".into()] };
    if group.arms.len() == 1 {
        return vec![verdict(book, group, nearest)];
    }
    let balanced: Vec<String> = group
        .arms
        .iter()
        .filter(|row| row.text("verdict") == "balanced")
        .map(|&row| setting(book, row))
        .collect();
    let first = match balanced.len() {
        0 => "None of the settings tried is shown to be balanced.".to_owned(),
        1 => format!("Balanced with {}.", balanced[0]),
        _ => format!("Balanced with any of: {}.", balanced.join(" | ")),
    };
    vec![first, format!("Nearest to fair is {}. {}", setting(book, nearest), verdict(book, group, nearest))]
}

/// What several line-ups say together: for which of them a balanced setting was found; `name` says what one is called.
pub fn overall(groups: &[&Group<'_>], name: impl Fn(&Group<'_>) -> String) -> Option<String> {
    let is_balanced = |group: &Group<'_>| group.arms.iter().any(|row| row.text("verdict") == "balanced");
    let (sound, other): (Vec<&Group<'_>>, Vec<&Group<'_>>) =
        groups.iter().partition(|group| is_balanced(group));
    let names = |groups: &[&Group<'_>]| groups.iter().map(|group| name(group)).collect::<Vec<_>>().join("; ");
    let settings = groups.iter().any(|group| group.arms.len() > 1);
    let (found, missed) = match settings {
        true => ("some setting is shown to be balanced for", "none is for"),
        false => ("the seats are shown to be balanced for", "they are not for"),
    };
    match (sound.is_empty(), other.is_empty()) {
        _ if groups.len() < 2 => None,
        (true, _) if settings => {
            Some(format!("In short: no setting is shown to be balanced for {}.", names(&other)))
        }
        (true, _) => Some(format!("In short: the seats are not shown to be balanced for {}.", names(&other))),
        (_, true) => Some(format!("In short: {found} {}.", names(&sound))),
        _ => Some(format!("In short: {found} {}; {missed} {}.", names(&sound), names(&other))),
    }
}

/// Who is stronger, of the agents that met in an arm; best first.
pub fn ranking(book: &Book, arm: &str, seats: &str) -> Vec<String> {
    let mut rows: Vec<Row<'_>> = book
        .sheet("agents")
        .rows()
        .filter(|row| row.text("arm") == arm && row.text("seats") == seats && !row.text("low").is_empty())
        .collect();
    rows.sort_by(|left, right| {
        right.number("win_share").unwrap_or(0.0).total_cmp(&left.number("win_share").unwrap_or(0.0))
    });
    let (Some(&first), Some(&second)) = (rows.first(), rows.get(1)) else { return Vec::new() };
    let told = |row: Row<'_>| {
        let number = |column| row.number(column).unwrap_or(0.0);
        format!(
            "{} wins {} of its games (fair: {}); very likely between {} and {}",
            row.text("agent"),
            percent(number("win_share")),
            percent(number("fair_share")),
            percent(number("low")),
            percent(number("high"))
        )
    };
    let apart = first.number("low").unwrap_or(0.0) > second.number("high").unwrap_or(1.0);
    let mut lines = vec![format!(
        "{}: {}.",
        if apart { "Strongest" } else { "Ahead, but not by more than chance may explain" },
        told(first)
    )];
    lines.extend(rows[1..].iter().map(|&row| format!("{}.", told(row))));
    lines
}
