//! Sentences of a report, from the tables alone.

use crate::report::book::{Book, Row};
use crate::report::terminal::percent;
use crate::report::verdict::{self, Answer, Fate, Finding};
use crate::text::and_list;

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
    let shares = (1..=group.seats).map(|at| Some(seat(row, at)?.0));
    verdict::farthest(shares, 1.0 / group.seats as f64)
}

/// The arm that comes nearest to fair.
pub fn nearest<'a>(group: &Group<'a>) -> Option<Row<'a>> {
    let known = group.arms.iter().filter_map(|&row| Some((row, farthest(group, row)?.1)));
    known.min_by(|left, right| left.1.total_cmp(&right.1)).map(|(row, _)| row)
}

/// What was found in one arm of self-play.
fn finding(book: &Book, group: &Group<'_>, row: Row<'_>) -> Option<Finding> {
    let (far, _) = farthest(group, row)?;
    let (share, range) = seat(row, far)?;
    let fate = match row.text("verdict") {
        "balanced" => Fate::Balanced,
        "unbalanced" => Fate::Unbalanced,
        _ => Fate::Open(row.text("more_games").parse().ok()),
    };
    let margin = book.manifest.result.config.margin;
    Some(Finding { seat: far, share, range, fair: 1.0 / group.seats as f64, margin, fate })
}

/// What a whole line-up says about the seats, a paragraph each.
pub fn answer(book: &Book, group: &Group<'_>) -> Vec<String> {
    let balanced = group.arms.iter().filter(|row| row.text("verdict") == "balanced");
    let nearest = nearest(group).and_then(|row| Some((setting(book, row), finding(book, group, row)?)));
    let balanced = balanced.map(|&row| setting(book, row)).collect();
    Answer { tried: group.arms.len(), balanced, nearest }.on_page()
}

/// What several line-ups say together; `name` says what one is called within a sentence.
pub fn overall(groups: &[&Group<'_>], name: impl Fn(&Group<'_>) -> String) -> Option<String> {
    if groups.len() < 2 {
        return None;
    }
    let is = |row: &Row<'_>, verdict: &str| row.text("verdict") == verdict;
    let (mut balanced, mut unbalanced, mut open) = (Vec::new(), Vec::new(), Vec::new());
    for group in groups {
        let fate = match &group.arms {
            arms if arms.iter().any(|row| is(row, "balanced")) => &mut balanced,
            arms if arms.iter().all(|row| is(row, "unbalanced")) => &mut unbalanced,
            _ => &mut open,
        };
        fate.push(name(group));
    }
    let (fair, unfair) = match groups.iter().any(|group| group.arms.len() > 1) {
        true => ("at least one setting tried is balanced for", "every setting tried is unbalanced for"),
        false => ("the seats are balanced for", "the seats are unbalanced for"),
    };
    let clauses = [(fair, balanced), (unfair, unbalanced), ("it is not settled for", open)];
    let told = clauses.iter().filter(|(_, names)| !names.is_empty());
    let told: Vec<String> = told.map(|(clause, names)| format!("{clause} {}", and_list(names))).collect();
    Some(format!("In short: {}.", told.join("; ")))
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
