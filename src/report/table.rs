//! The tables of a run: built once from the results, written as CSV, JSON or text.
//!
//! Every table starts with the columns `arm, game, seats`. An empty cell means unknown.

use super::closer;
use crate::experiment::{ArmResult, LineUpResult, Results};
use crate::statistics::{CONFIDENCE, Clusters, Interval, Verdict, judge, simultaneous_z};
use crate::tournament::{AgentCell, PairCell, Settled};

/// A cell.
#[derive(Clone, PartialEq, Debug)]
pub enum Cell {
    /// Words.
    Text(String),
    /// A whole number.
    Int(i64),
    /// A number, shown with six decimals.
    Real(f64),
    /// Unknown.
    Empty,
}

impl From<&str> for Cell {
    fn from(text: &str) -> Cell {
        Cell::Text(text.to_owned())
    }
}

impl From<u64> for Cell {
    fn from(number: u64) -> Cell {
        Cell::Int(number as i64)
    }
}

impl From<usize> for Cell {
    fn from(number: usize) -> Cell {
        Cell::Int(number as i64)
    }
}

impl From<Option<f64>> for Cell {
    fn from(number: Option<f64>) -> Cell {
        number.filter(|number| number.is_finite()).map_or(Cell::Empty, Cell::Real)
    }
}

impl std::fmt::Display for Cell {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Cell::Text(text) => write!(out, "{text}"),
            Cell::Int(number) => write!(out, "{number}"),
            // What rounds to nothing has no sign.
            Cell::Real(number) if number.abs() < 5e-7 => write!(out, "{:.6}", 0.0),
            Cell::Real(number) => write!(out, "{number:.6}"),
            Cell::Empty => Ok(()),
        }
    }
}

/// A table with a name (that of its file, without the ending).
#[derive(Clone, PartialEq, Debug)]
pub struct Table {
    /// Its name.
    pub name: &'static str,
    /// Column names in snake_case.
    pub header: Vec<String>,
    /// Rows as long as the header.
    pub rows: Vec<Vec<Cell>>,
}

impl Table {
    pub(super) fn new(name: &'static str, columns: &[&str]) -> Table {
        let header =
            ["arm", "game", "seats"].iter().chain(columns).map(|&column| column.to_owned()).collect();
        Table { name, header, rows: Vec::new() }
    }

    pub(super) fn push(&mut self, results: &Results, arm: &ArmResult, cells: impl IntoIterator<Item = Cell>) {
        let mut row: Vec<Cell> =
            vec![arm.arm.arm.into(), results.config.game.as_str().into(), arm.arm.seats.into()];
        row.extend(cells);
        debug_assert_eq!(row.len(), self.header.len(), "{}", self.name);
        self.rows.push(row);
    }
}

/// Lower and upper end as cells.
pub(super) fn ends(interval: Option<Interval>) -> [Cell; 2] {
    [interval.map(|interval| interval.low).into(), interval.map(|interval| interval.high).into()]
}

fn z() -> f64 {
    simultaneous_z(CONFIDENCE, 1)
}

/// The verdict on the seats of a line-up: only where one agent sits in all of them do the seats alone differ.
pub fn verdict(results: &Results, line_up: &LineUpResult) -> Option<Verdict> {
    if let Some(settled) = &line_up.settled {
        return Some(settled.verdict);
    }
    let seats = &line_up.played.tally.seat_totals;
    line_up.self_play.then(|| judge(seats, results.config.margin, CONFIDENCE)).flatten()
}

/// The interval of a seat's share, joint over the seats: the confidence sequence of a line-up that was played
/// until it was settled, of others the interval for a number of games that was fixed beforehand.
pub fn seat_interval(line_up: &LineUpResult, seat: usize) -> Option<Interval> {
    let seats = &line_up.played.tally.seat_totals;
    match &line_up.settled {
        Some(settled) => settled.intervals.get(seat).copied(),
        None => seats.get(seat)?.interval(simultaneous_z(CONFIDENCE, seats.len())),
    }
}

/// One agent's counts in one arm, over all line-ups it takes part in.
pub struct AgentSum {
    /// The agent.
    pub agent: String,
    /// Over all seats.
    pub total: AgentCell,
    /// By seat.
    pub seats: Vec<AgentCell>,
    /// Against each other agent met.
    pub pairs: Vec<(String, PairCell)>,
    /// Whether it played itself.
    pub self_play: bool,
    /// How its seats stand, where it was played until that was settled.
    pub settled: Option<Settled>,
}

/// The agents of an arm in the order of the configuration, those without a game left out.
pub fn agent_sums(results: &Results, arm: &ArmResult) -> Vec<AgentSum> {
    let sum = |(index, agent): (usize, &String)| {
        let mut sum = AgentSum {
            agent: agent.clone(),
            total: AgentCell::default(),
            seats: vec![AgentCell::default(); arm.arm.seats],
            pairs: Vec::new(),
            self_play: false,
            settled: None,
        };
        for line_up in &arm.line_ups {
            let Some(at) = line_up.agents.iter().position(|other| other == agent) else { continue };
            let tally = &line_up.played.tally;
            sum.total.merge(&tally.agent_total(at));
            for (own, cell) in sum.seats.iter_mut().zip(&tally.agent_seats[at]) {
                own.merge(cell);
            }
            for (rival, pair) in line_up.agents.iter().zip(&tally.pairs[at]) {
                if rival == agent {
                    continue;
                }
                match sum.pairs.iter_mut().find(|(other, _)| other == rival) {
                    Some((_, known)) => known.merge(pair),
                    None => sum.pairs.push((rival.clone(), *pair)),
                }
            }
            sum.self_play = line_up.self_play;
            sum.settled.clone_from(&line_up.settled);
        }
        // Line-ups share their deals: over several of them, the deal is the sampling unit.
        if let Some(pooled) = &arm.pooled {
            sum.total.clusters = pooled.agents[index];
            for (cell, clusters) in sum.seats.iter_mut().zip(&pooled.seats[index]) {
                cell.clusters = *clusters;
            }
            for (rival, pair) in &mut sum.pairs {
                let rival = results.config.agents.iter().position(|agent| agent == rival);
                pair.clusters = pooled.pairs[index][rival.expect("a rival is an agent of the run")];
            }
        }
        sum
    };
    let sums = results.config.agents.iter().enumerate().map(sum);
    sums.filter(|sum| sum.total.seatings() > 0).collect()
}

/// Every table of a run that is inside the promise of same bytes, `games` (a row a game) apart.
pub fn tables(results: &Results) -> Vec<Table> {
    let mut tables = vec![
        agents(results),
        seats(results),
        pairs(results),
        endings(results),
        lengths(results),
        sweep(results),
        tallies(results),
    ];
    if !results.config.by.is_empty() {
        tables.push(groups(results));
    }
    tables.extend([closer::ratings(results), closer::shape(results), closer::repeats(results)]);
    if results.config.fair.is_some() {
        tables.push(super::fair::table(results));
    }
    tables
}

fn agents(results: &Results) -> Table {
    let mut table = Table::new(
        "agents",
        &[
            "agent",
            "seatings",
            "wins",
            "ties",
            "losses",
            "win_share",
            "low",
            "high",
            "fair_share",
            "mean_rank",
            "mean_score",
            "decisions_per_game",
        ],
    );
    for arm in &results.arms {
        for sum in agent_sums(results, arm) {
            let total = &sum.total;
            let mut row: Vec<Cell> = vec![
                sum.agent.as_str().into(),
                total.seatings().into(),
                total.wins.into(),
                total.ties.into(),
                total.losses.into(),
                total.clusters.share().into(),
            ];
            // Playing itself, an agent's share is 1/n in every game: there is nothing to estimate.
            let interval = total.clusters.interval(z()).filter(|_| !sum.self_play);
            row.extend(ends(interval));
            row.push(Some(1.0 / arm.arm.seats as f64).into());
            row.push(total.mean(total.ranks as i64).into());
            row.push(total.mean(total.scores).into());
            row.push(total.mean(total.decisions as i64).into());
            table.push(results, arm, row);
        }
    }
    table
}

fn seats(results: &Results) -> Table {
    let mut table = Table::new(
        "seats",
        &[
            "agent",
            "seat",
            "games",
            "wins",
            "ties",
            "losses",
            "win_share",
            "low",
            "high",
            "mean_score",
            "verdict",
        ],
    );
    for arm in &results.arms {
        let fair = 1.0 / arm.arm.seats as f64;
        let z = simultaneous_z(CONFIDENCE, arm.arm.seats);
        for sum in agent_sums(results, arm) {
            for (at, cell) in sum.seats.iter().enumerate() {
                let settled = sum.settled.as_ref().and_then(|settled| settled.intervals.get(at));
                let interval = settled.copied().or_else(|| cell.clusters.interval(z));
                let margin = results.config.margin;
                let verdict = match interval {
                    Some(interval) if sum.self_play => {
                        if interval.within(fair - margin, fair + margin) {
                            Cell::from("inside")
                        } else if interval.outside(fair - margin, fair + margin) {
                            Cell::from("outside")
                        } else {
                            Cell::from("not settled")
                        }
                    }
                    _ => Cell::Empty,
                };
                let mut row: Vec<Cell> = vec![
                    sum.agent.as_str().into(),
                    (at + 1).into(),
                    cell.seatings().into(),
                    cell.wins.into(),
                    cell.ties.into(),
                    cell.losses.into(),
                    cell.clusters.share().into(),
                ];
                row.extend(ends(interval));
                row.push(cell.mean(cell.scores).into());
                row.push(verdict);
                table.push(results, arm, row);
            }
        }
    }
    table
}

fn pairs(results: &Results) -> Table {
    let columns = ["agent", "opponent", "meetings", "wins", "ties", "losses", "score", "low", "high"];
    let mut table = Table::new("pairs", &columns);
    for arm in &results.arms {
        for sum in agent_sums(results, arm) {
            for (rival, pair) in &sum.pairs {
                let mut row: Vec<Cell> = vec![
                    sum.agent.as_str().into(),
                    rival.as_str().into(),
                    pair.clusters.seatings().into(),
                    pair.wins.into(),
                    pair.ties.into(),
                    pair.losses.into(),
                    pair.clusters.share().into(),
                ];
                row.extend(ends(pair.clusters.interval(z())));
                table.push(results, arm, row);
            }
        }
    }
    table
}

fn endings(results: &Results) -> Table {
    let mut table = Table::new("endings", &["line_up", "ending", "games", "share"]);
    for arm in &results.arms {
        for line_up in &arm.line_ups {
            let tally = &line_up.played.tally;
            for (ending, &games) in arm.endings.iter().zip(&tally.endings) {
                let share = (tally.games > 0).then(|| games as f64 / tally.games as f64);
                let row = [line_up.name.as_str().into(), (*ending).into(), games.into(), share.into()];
                table.push(results, arm, row);
            }
        }
    }
    table
}

/// About so many bars in a histogram of lengths.
const BARS: u32 = 40;

fn lengths(results: &Results) -> Table {
    let mut table = Table::new("lengths", &["line_up", "turns_from", "turns_to", "games"]);
    for arm in &results.arms {
        for line_up in &arm.line_ups {
            let lengths = &line_up.played.tally.lengths;
            let (Some((&first, _)), Some((&last, _))) = (lengths.first_key_value(), lengths.last_key_value())
            else {
                continue;
            };
            let width = round_width((last - first) / BARS + 1);
            let mut from = first - first % width;
            while from <= last {
                let games: u64 = lengths.range(from..from + width).map(|(_, games)| games).sum();
                let row = [
                    line_up.name.as_str().into(),
                    (from as usize).into(),
                    ((from + width - 1) as usize).into(),
                    games.into(),
                ];
                table.push(results, arm, row);
                from += width;
            }
        }
    }
    table
}

/// The next width of the kind 1, 2, 5, 10, 20, 50, ...
fn round_width(least: u32) -> u32 {
    let mut power = 1;
    loop {
        for step in [1, 2, 5] {
            if step * power >= least {
                return step * power;
            }
        }
        power *= 10;
    }
}

fn sweep(results: &Results) -> Table {
    let most = results.config.arms.iter().map(|arm| arm.seats).max().unwrap_or(0);
    let mut table = Table::new("sweep", &["line_up"]);
    table.header.extend(results.config.sweep.iter().cloned());
    table.header.extend(["games", "draws", "caps", "faulty_blocks", "mean_turns"].map(str::to_owned));
    for seat in 1..=most {
        table.header.extend([
            format!("seat_{seat}"),
            format!("seat_{seat}_low"),
            format!("seat_{seat}_high"),
        ]);
    }
    table.header.extend(["design_effect", "margin", "verdict", "more_games"].map(str::to_owned));
    for arm in &results.arms {
        for line_up in &arm.line_ups {
            let tally = &line_up.played.tally;
            let mut row: Vec<Cell> = vec![line_up.name.as_str().into()];
            row.extend(results.config.sweep.iter().map(|key| Cell::Text(arm.arm.swept_value(key))));
            row.extend([tally.games, tally.draws, tally.capped, tally.faulty_blocks].map(Cell::from));
            row.push(tally.mean_turns().into());
            for seat in 0..most {
                let clusters = tally.seat_totals.get(seat).copied().unwrap_or_default();
                row.push(clusters.share().into());
                row.extend(ends(seat_interval(line_up, seat).filter(|_| clusters.seatings() > 0)));
            }
            let effect = |seat: &Clusters| (seat.seatings() > 0).then(|| seat.design_effect());
            row.push(tally.seat_totals.iter().filter_map(effect).reduce(f64::max).into());
            row.push(Cell::Real(results.config.margin));
            let verdict = verdict(results, line_up);
            row.push(verdict.map_or(Cell::Empty, |verdict| Cell::Text(verdict.to_string())));
            row.push(match verdict {
                Some(Verdict::NotSettled(Some(more))) => more.into(),
                _ => Cell::Empty,
            });
            table.push(results, arm, row);
        }
    }
    table
}

fn tallies(results: &Results) -> Table {
    let mut table = Table::new("tallies", &["agent", "seat", "tally", "mean"]);
    for arm in &results.arms {
        for sum in agent_sums(results, arm) {
            for (at, cell) in sum.seats.iter().enumerate() {
                for (tally, &count) in arm.tallies.iter().zip(&cell.tallies) {
                    let mean = cell.mean(count).into();
                    let row = [sum.agent.as_str().into(), (at + 1).into(), (*tally).into(), mean];
                    table.push(results, arm, row);
                }
            }
        }
    }
    table
}

fn groups(results: &Results) -> Table {
    let columns = ["line_up", "agent", "tally", "value", "seatings", "win_share", "low", "high"];
    let mut table = Table::new("groups", &columns);
    for arm in &results.arms {
        for line_up in &arm.line_ups {
            for (tally, groups) in results.config.by.iter().zip(&line_up.played.tally.groups) {
                for (&(agent, value), clusters) in groups {
                    let mut row: Vec<Cell> = vec![
                        line_up.name.as_str().into(),
                        line_up.agents[agent].as_str().into(),
                        tally.as_str().into(),
                        Cell::Int(value as i64),
                        clusters.seatings().into(),
                        clusters.share().into(),
                    ];
                    row.extend(ends(clusters.interval(z())));
                    table.push(results, arm, row);
                }
            }
        }
    }
    table
}

/// Times per decision: not reproducible, and never among [`tables`].
pub fn times(results: &Results) -> Table {
    let columns = ["line_up", "agent", "decisions_timed", "mean_microseconds"];
    let mut table = Table::new("times", &columns);
    for arm in &results.arms {
        for line_up in &arm.line_ups {
            for (agent, clocked) in line_up.agents.iter().zip(&line_up.played.timing.agents) {
                let mean = clocked.time.as_secs_f64() * 1e6 / clocked.decisions.max(1) as f64;
                let row = [
                    line_up.name.as_str().into(),
                    agent.as_str().into(),
                    clocked.decisions.into(),
                    (clocked.decisions > 0).then_some(mean).into(),
                ];
                table.push(results, arm, row);
            }
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_round() {
        assert_eq!([1, 2, 3, 5, 6, 11, 21, 51].map(round_width), [1, 2, 5, 5, 10, 20, 50, 100]);
    }

    #[test]
    fn nothing_infinite_is_shown() {
        assert_eq!(Cell::from(Some(f64::NAN)), Cell::Empty);
        assert_eq!(Cell::from(Some(f64::INFINITY)), Cell::Empty);
        assert_eq!(Cell::Real(0.5).to_string(), "0.500000");
    }
}
