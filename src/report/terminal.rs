//! The answer on the terminal: a verdict in words first, then compact tables.

use std::fmt::Write;

use super::claims::{self, Meeting};
use super::closer;
use super::table::{agent_sums, seat_interval, verdict};
use super::verdict::{Answer, Fate, Finding};
use crate::experiment::{ArmResult, LineUpResult, Results, Stop};
use crate::statistics::{CONFIDENCE, Clusters, Verdict, rate, simultaneous_z};

/// Everything that is printed at the end of a run.
pub fn summary(results: &Results) -> String {
    let mut out = String::new();
    if let Some(question) = &results.config.question {
        let _ = writeln!(out, "{question}\n");
    }
    let self_play = results.arms.iter().flat_map(|arm| &arm.line_ups).any(|line_up| line_up.self_play);
    let meeting = results.arms.iter().flat_map(|arm| &arm.line_ups).any(|line_up| !line_up.self_play);
    if meeting {
        out.push_str(&agents_table(results));
        out.push_str(&ladders(results));
    }
    if self_play {
        out.push_str(&verdicts(results));
        let fair = super::fair::words(results);
        if !fair.is_empty() {
            let _ = write!(out, "\nWhat would make it fair\n\n{fair}");
        }
        out.push_str(&verdict_table(results));
    }
    out.push_str(&endings_table(results));
    for warning in closer::warnings(results) {
        let _ = writeln!(out, "\nRepeated games, {warning}.");
    }
    if results.partial {
        let _ = writeln!(
            out,
            "\nThe run was stopped before its end: whole blocks only, and fewer games than asked."
        );
    }
    let faulty = results.faulty_blocks();
    if faulty > 0 {
        let _ = writeln!(out, "\n{faulty} blocks are left out because a game of theirs broke off:");
        for at in results.faults().take(5) {
            let (seats, name, fault) = (at.arm.arm.seats, &at.line_up.name, at.fault);
            let arm = match at.fresh {
                true => "on fresh deals".to_owned(),
                false => format!("arm {}", at.arm.arm.arm),
            };
            let (block, rotation, message) = (fault.block, fault.rotation, &fault.message);
            let _ = writeln!(
                out,
                "  {arm}, {seats} seats, {name}, block {block}, rotation {rotation}: {message}"
            );
        }
    }
    out
}

/// Each agent over the next one, in Elo.
fn ladders(results: &Results) -> String {
    let mut out = String::new();
    for arm in &results.arms {
        let Some(ratings) = arm.finishes.as_ref().and_then(rate) else { continue };
        let lines = closer::ladder(&ratings, &results.config.agents);
        if !lines.is_empty() {
            let _ = writeln!(
                out,
                "\nRatings, arm {}, {} seats (Plackett-Luce, 95 %):",
                arm.arm.arm, arm.arm.seats
            );
            lines.iter().for_each(|line| {
                let _ = writeln!(out, "  {line}");
            });
        }
    }
    out
}

/// The answer in words: for each agent and number of seats, which settings are balanced and which comes
/// nearest.
fn verdicts(results: &Results) -> String {
    let mut out = String::new();
    for seats in seat_counts(results) {
        for agent in &results.config.agents {
            let played: Vec<(&ArmResult, &LineUpResult)> = results
                .arms
                .iter()
                .filter(|arm| arm.arm.seats == seats)
                .flat_map(|arm| arm.line_ups.iter().map(move |line_up| (arm, line_up)))
                .filter(|(_, line_up)| line_up.self_play && line_up.agents[0] == *agent)
                .collect();
            let unfairness = |(arm, line_up): &(&ArmResult, &LineUpResult)| {
                farthest(arm, line_up).map_or(0.0, |(_, distance)| distance)
            };
            let nearest = played
                .iter()
                .filter(|(_, line_up)| line_up.played.tally.games > 0)
                .min_by(|left, right| unfairness(left).total_cmp(&unfairness(right)));
            let Some(&(arm, line_up)) = nearest else { continue };
            let balanced =
                played.iter().filter(|(_, line_up)| verdict(results, line_up) == Some(Verdict::Balanced));
            let answer = Answer {
                tried: played.len(),
                balanced: balanced.map(|(arm, _)| setting(results, arm)).collect(),
                nearest: finding(results, arm, line_up).map(|found| (setting(results, arm), found)),
            };
            let _ = writeln!(out, "{agent}, {seats} seats: {}", answer.on_terminal());
        }
    }
    out
}

/// The swept switches of an arm, as they are typed.
fn setting(results: &Results, arm: &ArmResult) -> String {
    let switches = results.config.sweep.iter();
    switches.map(|key| format!("{key}={}", arm.arm.swept_value(key))).collect::<Vec<_>>().join(" ")
}

/// The numbers of seats of a run, ascending, each once.
fn seat_counts(results: &Results) -> Vec<usize> {
    let mut counts: Vec<usize> = results.arms.iter().map(|arm| arm.arm.seats).collect();
    counts.sort_unstable();
    counts.dedup();
    counts
}

/// The seat of a line-up that is farthest from its fair share, and how far.
fn farthest(arm: &ArmResult, line_up: &LineUpResult) -> Option<(usize, f64)> {
    let shares = line_up.played.tally.seat_totals.iter().map(Clusters::share);
    super::verdict::farthest(shares, 1.0 / arm.arm.seats as f64)
}

/// What was found in one line-up; `None` if no game was counted.
fn finding(results: &Results, arm: &ArmResult, line_up: &LineUpResult) -> Option<Finding> {
    let (far, _) = farthest(arm, line_up)?;
    let interval = seat_interval(line_up, far - 1)?;
    Some(Finding {
        seat: far,
        share: line_up.played.tally.seat_totals[far - 1].share()?,
        range: Some((interval.low, interval.high)),
        fair: 1.0 / arm.arm.seats as f64,
        margin: results.config.margin,
        fate: match verdict(results, line_up) {
            Some(Verdict::Balanced) => Fate::Balanced,
            Some(Verdict::Unbalanced) => Fate::Unbalanced,
            Some(Verdict::NotSettled(None)) if line_up.settled.is_some() => {
                Fate::Exhausted(results.config.games)
            }
            Some(Verdict::NotSettled(more)) => Fate::Open(more),
            None => Fate::Unjudged,
        },
    })
}

/// At most two decimals.
pub fn trimmed(number: f64) -> String {
    let text = format!("{number:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A share as a percentage with one decimal.
pub fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// A number with its thousands apart.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Rows of text in columns: the first column to the left, numbers to the right.
fn columns(rows: &[Vec<String>], left: usize) -> String {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |at: usize| rows.iter().filter_map(|row| row.get(at)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..count).map(|at| width(at).unwrap_or(0)).collect();
    let mut out = String::new();
    for row in rows {
        let mut line = String::new();
        for (at, cell) in row.iter().enumerate() {
            let gap = if at == 0 { "" } else { "  " };
            match at < left {
                true => write!(line, "{gap}{cell:<width$}", width = widths[at]),
                false => write!(line, "{gap}{cell:>width$}", width = widths[at]),
            }
            .expect("a string takes every byte");
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

fn swept(results: &Results, arm: &ArmResult) -> Vec<String> {
    results.config.sweep.iter().map(|key| arm.arm.swept_value(key)).collect()
}

fn sharing(share: Option<f64>, interval: Option<crate::statistics::Interval>) -> String {
    match (share, interval) {
        (Some(share), Some(interval)) => {
            format!("{} [{:.1}, {:.1}]", percent(share), interval.low * 100.0, interval.high * 100.0)
        }
        (Some(share), None) => percent(share),
        _ => "-".into(),
    }
}

/// Seats and verdicts of the line-ups in which one agent plays itself.
fn verdict_table(results: &Results) -> String {
    let mut out = String::new();
    let margin = trimmed(results.config.margin * 100.0);
    let intervals = match results.config.stop {
        Stop::Games => "intervals",
        Stop::Settled => "confidence sequences, which hold whenever a run stops",
    };
    for seats in seat_counts(results) {
        let fair = percent(1.0 / seats as f64);
        let _ = writeln!(
            out,
            "\n{seats} seats: win share of each seat in self-play, with joint 95 % {intervals} (fair: {fair}; balanced: within {margin} points)\n"
        );
        let mut head = vec!["agent".to_owned()];
        head.extend(results.config.sweep.iter().cloned());
        let left = head.len();
        head.extend((1..=seats).map(|seat| format!("seat {seat}")));
        head.extend(["games", "turns", "verdict"].map(str::to_owned));
        let mut rows = vec![head];
        let agents = &results.config.agents;
        for agent in agents {
            for arm in results.arms.iter().filter(|arm| arm.arm.seats == seats) {
                for line_up in arm.line_ups.iter().filter(|line_up| line_up.self_play) {
                    if line_up.agents[0] != *agent {
                        continue;
                    }
                    let tally = &line_up.played.tally;
                    let mut row = vec![line_up.name.clone()];
                    row.extend(swept(results, arm));
                    let sharing =
                        |(at, seat): (usize, &Clusters)| sharing(seat.share(), seat_interval(line_up, at));
                    row.extend(tally.seat_totals.iter().enumerate().map(sharing));
                    row.push(grouped(tally.games));
                    row.push(tally.mean_turns().map_or("-".into(), |turns| format!("{turns:.1}")));
                    row.push(verdict(results, line_up).map_or("-".into(), |verdict| verdict.to_string()));
                    rows.push(row);
                }
            }
        }
        out.push_str(&columns(&rows, left));
    }
    out
}

/// Agents that met each other.
fn agents_table(results: &Results) -> String {
    let mut out = String::new();
    let z = simultaneous_z(CONFIDENCE, 1);
    for arm in &results.arms {
        let seats = arm.arm.seats;
        let setting = match results.config.sweep.is_empty() {
            true => String::new(),
            false => format!(", {}", setting(results, arm)),
        };
        let fair = percent(1.0 / seats as f64);
        let _ = writeln!(
            out,
            "\n{seats} seats{setting}: win share of each agent, with 95 % intervals (fair: {fair})\n"
        );
        let mut head: Vec<String> =
            ["agent", "win share", "wins", "ties", "losses", "mean rank", "mean score"]
                .map(str::to_owned)
                .to_vec();
        head.extend((1..=seats).map(|seat| format!("in seat {seat}")));
        let mut rows = vec![head];
        let mut sums = agent_sums(results, arm);
        sums.retain(|sum| !sum.self_play);
        sums.sort_by(|left, right| {
            let share = |sum: &super::table::AgentSum| sum.total.clusters.share().unwrap_or(0.0);
            share(right).total_cmp(&share(left))
        });
        for sum in &sums {
            let total = &sum.total;
            let mean = |value: Option<f64>| value.map_or("-".into(), |value| format!("{value:.2}"));
            let mut row = vec![
                sum.agent.clone(),
                sharing(total.clusters.share(), total.clusters.interval(z)),
                grouped(total.wins),
                grouped(total.ties),
                grouped(total.losses),
                mean(total.mean(total.ranks as i64)),
                mean(total.mean(total.scores)),
            ];
            row.extend(sum.seats.iter().map(|cell| sharing(cell.clusters.share(), None)));
            rows.push(row);
        }
        out.push_str(&columns(&rows, 1));
        out.push_str(&seatings(&sums));
        if sums.len() > 2 {
            out.push_str(&pair_matrix(&sums));
        }
    }
    out
}

/// How often each agent really sat in each seat.
fn seatings(sums: &[super::table::AgentSum]) -> String {
    let counts = |sum: &super::table::AgentSum| -> Vec<u64> {
        sum.seats.iter().map(|cell| cell.wins + cell.ties + cell.losses).collect()
    };
    let all: Vec<u64> = sums.iter().flat_map(counts).collect();
    match all.first() {
        Some(first) if all.iter().all(|count| count == first) => {
            format!("\nEach agent played {} games in each seat.\n", grouped(*first))
        }
        _ => {
            let line = |sum: &super::table::AgentSum| {
                let counts: Vec<String> = counts(sum).into_iter().map(grouped).collect();
                format!("{} played by seat: {} games.\n", sum.agent, counts.join(", "))
            };
            format!("\n{}", sums.iter().map(line).collect::<String>())
        }
    }
}

/// Who beats whom: the row's score against the column, by rank in the same game.
fn pair_matrix(sums: &[super::table::AgentSum]) -> String {
    let mut head = vec!["score against".to_owned()];
    head.extend(sums.iter().map(|sum| sum.agent.clone()));
    let mut rows = vec![head];
    for sum in sums {
        let mut row = vec![sum.agent.clone()];
        row.extend(sums.iter().map(|other| {
            let pair = sum.pairs.iter().find(|(rival, _)| *rival == other.agent);
            pair.and_then(|(_, pair)| pair.clusters.share()).map_or("-".into(), percent)
        }));
        rows.push(row);
    }
    format!("\n{}\n{}\n", columns(&rows, 1), claims::held(&pairs(sums)))
}

/// Every two agents that met, the one named first first.
fn pairs(sums: &[super::table::AgentSum]) -> Vec<Meeting> {
    let mut pairs = Vec::new();
    for (at, sum) in sums.iter().enumerate() {
        for other in &sums[at + 1..] {
            let Some((_, pair)) = sum.pairs.iter().find(|(rival, _)| *rival == other.agent) else { continue };
            let Some(score) = pair.clusters.share() else { continue };
            let (one, other) = (sum.agent.clone(), other.agent.clone());
            pairs.push(Meeting { one, other, score, trials: pair.clusters.effective() });
        }
    }
    pairs
}

/// How games end: ways, draws, caps and faults are different things.
fn endings_table(results: &Results) -> String {
    let Some(first) = results.arms.first() else { return String::new() };
    let mut head = vec!["line-up".to_owned(), "seats".to_owned()];
    head.extend(results.config.sweep.iter().cloned());
    let left = head.len();
    head.extend(first.endings.iter().map(|&ending| ending.to_owned()));
    head.extend(["draws", "caps", "faulty blocks"].map(str::to_owned));
    let mut rows = vec![head];
    for arm in &results.arms {
        for line_up in &arm.line_ups {
            let tally = &line_up.played.tally;
            let mut row = vec![line_up.name.clone(), arm.arm.seats.to_string()];
            row.extend(swept(results, arm));
            let share = |&games: &u64| match tally.games {
                0 => "-".to_owned(),
                total => percent(games as f64 / total as f64),
            };
            row.extend(tally.endings.iter().map(share));
            row.extend([tally.draws, tally.capped, tally.faulty_blocks].map(grouped));
            rows.push(row);
        }
    }
    format!("\nHow games end\n\n{}", columns(&rows, left))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_for_people() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(percent(0.27431), "27.4 %");
        assert_eq!(trimmed(2.0), "2");
        assert_eq!(trimmed(1.25), "1.25");
    }

    #[test]
    fn columns_line_up() {
        let rows = [vec!["a".into(), "1".into()], vec!["long".into(), "22".into()]];
        assert_eq!(columns(&rows, 1), "a      1\nlong  22\n");
    }
}
