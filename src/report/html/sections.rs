//! The sections of a report, in the order in which people ask.

use super::chart::{self, Point, Series, Shares};
use super::escaped;
use super::words::{self, Group};
use crate::agents::registry;
use crate::experiment::Stop;
use crate::report::book::{Book, Row, Sheet};
use crate::report::claims::{self, Meeting};
use crate::report::fair::caution;
use crate::report::terminal::{grouped, percent, trimmed};
use crate::statistics::{CONFIDENCE, Interval, effective_of, score_test, simultaneous_z};

/// More bars than this are no picture.
const MAX_LABELS: usize = 40;
/// Share of games at the cap beyond which the reader is warned.
const MANY_CAPS: f64 = 0.01;

/// Whether line-ups have different numbers of seats.
fn many_seats(book: &Book) -> bool {
    let arms = &book.manifest.result.config.arms;
    arms.iter().any(|arm| arm.seats != arms[0].seats)
}

/// The heading of a line-up, where there are several.
fn heading(book: &Book, group: &Group<'_>, several: bool) -> String {
    match (several, many_seats(book)) {
        (false, _) => String::new(),
        (true, true) => format!("<h3>{} seats, {}</h3>\n", group.seats, escaped(&group.line_up)),
        (true, false) => format!("<h3>{}</h3>\n", escaped(&group.line_up)),
    }
}

fn paragraph(text: &str) -> String {
    // A number and its % sign stay on one line.
    format!("<p>{}</p>\n", escaped(text).replace(" %", "&nbsp;%"))
}

/// The verdict in words.
pub fn answer(book: &Book) -> String {
    let groups = words::groups(book);
    let mut out = String::new();
    let own: Vec<&Group<'_>> = groups.iter().filter(|group| group.self_play).collect();
    let overall = words::overall(&own, |group| match many_seats(book) {
        true => format!("{} with {} seats", group.line_up, group.seats),
        false => group.line_up.clone(),
    });
    out += &overall.map_or(String::new(), |overall| paragraph(&overall));
    for group in &own {
        let lines: String = words::answer(book, group).iter().map(|line| paragraph(line)).collect();
        let head = heading(book, group, own.len() > 1);
        out += &format!("<div class=\"answer\">\n{head}{lines}</div>\n");
    }
    let mut told: Vec<(&str, &str)> = Vec::new();
    for row in book.sheet("agents").rows() {
        let place = (row.text("arm"), row.text("seats"));
        if told.contains(&place) {
            continue;
        }
        told.push(place);
        let lines = words::ranking(book, place.0, place.1);
        if lines.is_empty() {
            continue;
        }
        let arm = book.sheet("sweep").rows().find(|row| (row.text("arm"), row.text("seats")) == place);
        let setting = arm.map(|row| words::setting(book, row)).unwrap_or_default();
        let head = format!("{} seats{}{}", place.1, if setting.is_empty() { "" } else { ", " }, setting);
        let lines: String = lines.iter().map(|line| paragraph(line)).collect();
        out += &format!("<div class=\"answer\">\n<h3>{}</h3>\n{lines}</div>\n", escaped(&head));
    }
    out += &fair(book);
    let result = &book.manifest.result;
    let games: u64 = result.line_ups.iter().map(|line_up| line_up.games).sum();
    if result.partial {
        out += &paragraph("The run was stopped before its end: fewer games than were asked for.");
    }
    if result.config.stop == Stop::Settled {
        out += "<p class=\"note\">Each line was played until its verdict was settled; the ranges are confidence \
                sequences, which hold whenever one stops.</p>\n";
    }
    out + &format!(
        "<p class=\"note\">From {} games that programs played against each other: bots, not people. \
         &ldquo;Very likely&rdquo; means 95 of 100 such ranges hold the truth.</p>\n",
        grouped(games)
    )
}

/// The fair handicap, where the run solved for it.
fn fair(book: &Book) -> String {
    let lines: String = book
        .sheet("fair")
        .rows()
        .filter(|row| !row.text("words").is_empty())
        .map(|row| paragraph(row.text("words")))
        .collect();
    let sheet = book.sheet("fair");
    let left = sheet.rows().filter_map(|row| row.number("remaining"));
    let caution = caution(left, book.manifest.result.config.margin);
    let note = caution.map_or(String::new(), |caution| paragraph(&caution));
    match lines.is_empty() {
        true => String::new(),
        false => format!("<div class=\"answer\">\n<h3>What would make it fair</h3>\n{lines}{note}</div>\n"),
    }
}

fn point(row: Row<'_>, seat: usize) -> Option<Point> {
    let (share, ends) = words::seat(row, seat)?;
    Some(Point { share, ends })
}

/// Seats with intervals, fair share and margin; over the settings where there are several.
pub fn seats(book: &Book) -> String {
    let groups = words::groups(book);
    let margin = book.manifest.result.config.margin;
    let own: Vec<&Group<'_>> = groups.iter().filter(|group| group.self_play).collect();
    if own.is_empty() {
        return String::new();
    }
    let mut out = "<h2>Which seat is better off?</h2>\n".to_owned();
    for group in &own {
        let fair = 1.0 / group.seats as f64;
        let title = format!("Win share of each seat, {}, {} seats", group.line_up, group.seats);
        let shares = if group.arms.len() > 1 {
            let series = |seat: usize| Series {
                name: format!("seat {seat}"),
                points: group.arms.iter().map(|&row| point(row, seat)).collect(),
            };
            Shares {
                across: book.manifest.result.config.sweep.join(", "),
                labels: group.arms.iter().map(|&row| words::setting_in_short(book, row)).collect(),
                series: (1..=group.seats).map(series).collect(),
                fair,
                margin,
                joined: true,
            }
        } else {
            let points = (1..=group.seats).map(|seat| point(group.arms[0], seat)).collect();
            Shares {
                across: "seat".into(),
                labels: (1..=group.seats).map(|seat| seat.to_string()).collect(),
                series: vec![Series { name: String::new(), points }],
                fair,
                margin,
                joined: false,
            }
        };
        out += &heading(book, group, own.len() > 1);
        out += &figure(
            &chart::shares(&shares, &title),
            "Share of games won, with the range in which it very likely lies. The line is the fair share, the \
             shaded band your limit.",
        );
    }
    // With n fair seats the bars still differ: the reader gets the yardstick.
    out + &table("All numbers", book.sheet("sweep"))
}

fn figure(svg: &str, caption: &str) -> String {
    match svg.is_empty() {
        true => String::new(),
        false => format!("<figure>\n{svg}<figcaption>{}</figcaption>\n</figure>\n", escaped(caption)),
    }
}

/// A table that is folded away until it is asked for.
fn table(name: &str, sheet: &Sheet) -> String {
    if sheet.is_empty() {
        return String::new();
    }
    format!("<details><summary>{}</summary>\n{}</details>\n", escaped(name), open_table(sheet))
}

/// Whether a column holds words.
fn is_word(sheet: &Sheet, at: usize) -> bool {
    sheet.rows().any(|row| row.cells()[at].parse::<f64>().is_err() && !row.cells()[at].is_empty())
}

fn open_table(sheet: &Sheet) -> String {
    let class: Vec<&str> =
        (0..sheet.header().len()).map(|at| if is_word(sheet, at) { " class=\"word\"" } else { "" }).collect();
    let head: String = sheet
        .header()
        .iter()
        .zip(&class)
        .map(|(name, class)| format!("<th{class}>{}</th>", escaped(&name.replace('_', " "))))
        .collect();
    let body: String = sheet
        .rows()
        .map(|row| {
            let cells = row.cells().iter().zip(&class);
            let cells: String =
                cells.map(|(cell, class)| format!("<td{class}>{}</td>", escaped(&shown(cell)))).collect();
            format!("<tr>{cells}</tr>\n")
        })
        .collect();
    format!(
        "<div class=\"wide\"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody></table></div>\n"
    )
}

/// Six decimals are for machines: four are enough to read.
fn shown(cell: &str) -> String {
    match (cell.split_once('.'), cell.parse::<f64>()) {
        (Some((_, decimals)), Ok(number)) if decimals.len() == 6 => format!("{number:.4}"),
        _ => cell.to_owned(),
    }
}

/// Who is stronger: agents, ratings and the matrix of pairs.
pub fn ladder(book: &Book) -> String {
    let agents = book.sheet("agents");
    if !agents.rows().any(|row| !row.text("low").is_empty()) {
        return String::new();
    }
    let mut out = "<h2>Who plays better?</h2>\n".to_owned();
    let mut places: Vec<(&str, &str)> =
        agents.rows().map(|row| (row.text("arm"), row.text("seats"))).collect();
    places.dedup();
    for place in places {
        let here = |row: &Row<'_>| (row.text("arm"), row.text("seats")) == place;
        let mut rows: Vec<Row<'_>> = agents.rows().filter(here).collect();
        rows.sort_by(|left, right| {
            right.number("win_share").unwrap_or(0.0).total_cmp(&left.number("win_share").unwrap_or(0.0))
        });
        let seats: f64 = place.1.parse().unwrap_or(2.0);
        let point = |row: &Row<'_>| {
            Some(Point { share: row.number("win_share")?, ends: row.number("low").zip(row.number("high")) })
        };
        let chart = Shares {
            across: "agent, by its number below".into(),
            labels: (1..=rows.len()).map(|number| number.to_string()).collect(),
            series: vec![Series { name: String::new(), points: rows.iter().map(point).collect() }],
            fair: 1.0 / seats,
            margin: 0.0,
            joined: false,
        };
        if agents.rows().any(|row| !here(&row)) {
            let arm = if agents.rows().any(|row| row.text("arm") != place.0) { place.0 } else { "" };
            let arm = if arm.is_empty() { String::new() } else { format!("setting {}, ", escaped(arm)) };
            out += &format!("<h3>{arm}{} seats</h3>\n", escaped(place.1));
        }
        out += &figure(
            &chart::shares(&chart, "Win share of each agent"),
            "Share of games won by each agent over all seats; the line is what equally strong agents would win.",
        );
        let names: String =
            rows.iter().map(|row| format!("<li>{}</li>", escaped(row.text("agent")))).collect();
        out += &format!("<ol>{names}</ol>\n");
        out += &matrix(book, &rows, place);
    }
    out += &table("Ratings: differences in Elo and their errors", book.sheet("ratings"));
    out + &table("All numbers of the agents", agents)
}

/// How the row's agent did against the column's.
fn matrix(book: &Book, rows: &[Row<'_>], place: (&str, &str)) -> String {
    let pairs: Vec<Row<'_>> =
        book.sheet("pairs").rows().filter(|row| (row.text("arm"), row.text("seats")) == place).collect();
    if pairs.is_empty() || rows.len() > MAX_LABELS {
        return String::new();
    }
    let head: String = (1..=rows.len()).map(|number| format!("<th>{number}</th>")).collect();
    let body: String = rows
        .iter()
        .enumerate()
        .map(|(at, one)| {
            let cells: String = rows
                .iter()
                .map(|other| {
                    let met = pairs.iter().find(|row| {
                        row.text("agent") == one.text("agent") && row.text("opponent") == other.text("agent")
                    });
                    let score = met.and_then(|row| row.number("score"));
                    score.map_or("<td></td>".to_owned(), |score| format!("<td>{}</td>", percent(score)))
                })
                .collect();
            format!("<tr><td class=\"word\">{} {}</td>{cells}</tr>\n", at + 1, escaped(one.text("agent")))
        })
        .collect();
    let mut meetings: Vec<Meeting> = Vec::new();
    for (at, one) in rows.iter().enumerate() {
        let of = |other: &Row<'_>| {
            let mut met = pairs.iter();
            met.find(|row| {
                row.text("agent") == one.text("agent") && row.text("opponent") == other.text("agent")
            })
        };
        meetings.extend(rows[at + 1..].iter().filter_map(of).filter_map(|&row| meeting(row)));
    }
    let claims = if meetings.len() > 1 { paragraph(&claims::held(&meetings)) } else { String::new() };
    format!(
        "<p>Placed before the other in the same game (a tie counts half), row against column:</p>\n\
         <div class=\"wide\"><table>\n<thead><tr><th class=\"word\">agent</th>{head}</tr></thead>\n<tbody>\n\
         {body}</tbody></table></div>\n{claims}"
    )
}

/// A row of `pairs.csv`.
fn meeting(row: Row<'_>) -> Option<Meeting> {
    let (score, low, high) = (row.number("score")?, row.number("low")?, row.number("high")?);
    let trials = effective_of(score, Interval { low, high }, simultaneous_z(CONFIDENCE, 1))?;
    Some(Meeting { one: row.text("agent").into(), other: row.text("opponent").into(), score, trials })
}

/// Win shares by what happened in the game.
pub fn groups(book: &Book) -> String {
    let sheet = book.sheet("groups");
    if sheet.is_empty() {
        return String::new();
    }
    let tallies = book.manifest.result.config.by.join(", ").replace('_', " ");
    let shares = sheet.rows().filter_map(|row| {
        let (share, low, high) = (row.number("win_share")?, row.number("low")?, row.number("high")?);
        let trials = effective_of(share, Interval { low, high }, simultaneous_z(CONFIDENCE, 1))?;
        Some(score_test(share, 1.0 / row.number("seats")?, trials))
    });
    let screened = paragraph(&claims::screened(&shares.collect::<Vec<_>>()));
    format!(
        "<h2>Win share by {}</h2>\n<p>What is found in the same game need not be its cause.</p>\n{screened}{}",
        escaped(&tallies),
        if sheet.rows().count() <= MAX_LABELS { open_table(sheet) } else { table("All numbers", sheet) }
    )
}

/// How long games are and how they end.
pub fn lengths(book: &Book) -> String {
    let groups = words::groups(book);
    let mut out = "<h2>How long is a game, and how does it end?</h2>\n".to_owned();
    for group in &groups {
        let Some(arm) = (if group.self_play { words::nearest(group) } else { group.arms.first().copied() })
        else {
            continue;
        };
        let here = |row: &Row<'_>| {
            ["arm", "seats", "line_up"].iter().all(|column| row.text(column) == arm.text(column))
        };
        let bars: Vec<(String, u64)> = book
            .sheet("lengths")
            .rows()
            .filter(here)
            .map(|row| {
                let (from, to) = (row.text("turns_from"), row.text("turns_to"));
                let label = if from == to { from.to_owned() } else { format!("{from}-{to}") };
                (label, row.count("games"))
            })
            .collect();
        let all: u64 = bars.iter().map(|bar| bar.1).sum();
        if all == 0 {
            continue;
        }
        out += &heading(book, group, groups.len() > 1);
        let setting = words::setting(book, arm);
        if !setting.is_empty() {
            out += &format!("<p class=\"note\">Shown for {}.</p>\n", escaped(&setting));
        }
        let mean = arm.number("mean_turns").unwrap_or(0.0);
        let title = format!("Length of games, {}", group.line_up);
        // A long tail is cut off the picture, not out of the table.
        let mut shown: Vec<(String, u64)> = Vec::new();
        let mut sum = 0;
        for bar in bars {
            if shown.len() >= MAX_LABELS || sum as f64 > 0.995 * all as f64 {
                break;
            }
            sum += bar.1;
            shown.push(bar);
        }
        out += &figure(
            &chart::bars("turns", &shown, &title),
            &format!("Share of games by their number of turns; {mean:.1} turns on average."),
        );
        let endings: Vec<String> = book
            .sheet("endings")
            .rows()
            .filter(here)
            .filter(|row| row.count("games") > 0)
            .map(|row| format!("{} {}", row.text("ending"), percent(row.number("share").unwrap_or(0.0))))
            .collect();
        out += &paragraph(&format!("Endings: {}.", endings.join(", ")));
        let caps = arm.count("caps") as f64 / all as f64;
        if caps > MANY_CAPS {
            out += &paragraph(&format!(
                "{} of the games were cut off at the cap: what they would have ended in is not known.",
                percent(caps)
            ));
        }
    }
    out + &table("All lengths", book.sheet("lengths")) + &table("All endings", book.sheet("endings"))
}

/// Whether a game is over early.
pub fn shape(book: &Book) -> String {
    let sheet = book.sheet("shape");
    if sheet.is_empty() {
        return String::new();
    }
    let lines: String = sheet
        .rows()
        .filter(|row| !row.text("words").is_empty())
        .map(|row| paragraph(row.text("words")))
        .collect();
    format!("<h2>Is it over early?</h2>\n{lines}{}", table("All numbers", sheet))
}

/// An agent and what it does, in its own words.
fn described(agent: &str) -> String {
    let name = agent.split(':').next().unwrap_or_default();
    let summary = registry::entry(name).map(|entry| format!(": {}", entry.summary)).unwrap_or_default();
    format!("<code>{}</code>{}", escaped(agent), escaped(&summary))
}

/// How far the highest and the lowest share of a fair game are apart on average: the mean range of `seats` normal
/// variables (Tippett 1925) of variance 1/(seats games), which is what centred multinomial shares are.
fn range_by_chance(seats: usize, games: u64) -> f64 {
    const MEAN_RANGE: [f64; 5] = [1.128, 1.693, 2.059, 2.326, 2.534];
    MEAN_RANGE[seats.clamp(2, 6) - 2] / (seats.max(2) as f64 * games.max(1) as f64).sqrt()
}

/// What the answer rests on, and the command that repeats it.
pub fn trust(book: &Book) -> String {
    let (result, run) = (&book.manifest.result, &book.manifest.run);
    let config = &result.config;
    let sum =
        |of: fn(&crate::report::manifest::LineUpCounts) -> u64| result.line_ups.iter().map(of).sum::<u64>();
    let games = sum(|counts| counts.games);
    let mut rows: Vec<(&str, String)> = vec![
        ("Game", escaped(&config.game)),
        ("Agents", config.agents.iter().map(|agent| described(agent)).collect::<Vec<_>>().join("<br>")),
        ("Games", format!("{} in {} blocks", grouped(games), grouped(sum(|counts| counts.blocks)))),
        ("Draws", grouped(sum(|counts| counts.draws))),
        ("Cut off at the cap", grouped(sum(|counts| counts.caps))),
        ("Broken off", format!("{} blocks left out", grouped(sum(|counts| counts.faulty_blocks)))),
    ];
    let repeats: Vec<String> = book
        .sheet("repeats")
        .rows()
        .filter(|row| !row.text("words").is_empty())
        .map(|row| escaped(row.text("words")))
        .collect();
    if !repeats.is_empty() {
        rows.push(("Repeated games", repeats.join("<br>")));
    }
    rows.push(("Seed", config.seed.to_string()));
    rows.push(("dhow", format!("version {}", escaped(&result.dhow))));
    if let Some(commit) = &run.commit {
        rows.push(("Built from", format!("<code>{}</code>", escaped(commit))));
    }
    rows.push(("To repeat it", format!("<code>{}</code>", escaped(&run.command))));
    let list: String = rows.iter().map(|(name, what)| format!("<dt>{name}</dt><dd>{what}</dd>\n")).collect();
    let seats = config.arms.iter().map(|arm| arm.seats).max().unwrap_or(2);
    let spread = range_by_chance(seats, games);
    format!(
        "<h2>What this rests on</h2>\n<dl>\n{list}</dl>\n\
         <p class=\"note\">The players are programs. What is fair among them need not be fair among people, and \
         what the strongest of them finds says most. Even a fair game shows unequal bars: with {seats} seats and {} \
         games the highest and the lowest differ by about {} points by chance alone. Ranges for the seats of one \
         line-up hold jointly; all others hold one by one.</p>\n",
        grouped(games),
        trimmed(spread * 100.0)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unequal_bars_of_a_fair_game() {
        // Two seats: |2p - 1| with p of variance 1/(4N) is sqrt(2/pi)/sqrt(N) on average.
        assert!((range_by_chance(2, 10_000) - 0.00798).abs() < 1e-5);
        // The notes' figure for four.
        assert!((range_by_chance(4, 10_000) - 0.0103).abs() < 1e-5);
    }
}
