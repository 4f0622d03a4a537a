//! `fair.csv`: the handicap that makes a table fair, its best whole numbers and what a fresh measurement of
//! them gave, with a sentence that says it.

use toml::Value;

use super::table::{Cell, Table, ends};
use super::terminal::{grouped, percent, trimmed};
use crate::experiment::{ArmResult, FairResult, Results};
use crate::games::switches::show_value;
use crate::statistics::{CONFIDENCE, Clusters, FairHandicap, Interval, SeatSetting, simultaneous_z};
use crate::text::{and_list, count};

/// A fit that misses an arm by more than this, and by more than chance explains, is no law to go by.
const MISFIT: f64 = 0.01;

/// The table: a row for each seat of each fit. The sentence stands in the first row of its fit.
pub(super) fn table(results: &Results) -> Table {
    let mut table = Table::new("fair", &["line_up"]);
    let switch = switch(results);
    let others: Vec<&String> = results.config.sweep.iter().filter(|&key| key != switch).collect();
    table.header.extend(others.iter().map(|&key| key.clone()));
    table.header.extend(
        [
            "seat",
            "fair_handicap",
            "low",
            "high",
            "best_setting",
            "expected_share",
            "remaining",
            "misfit",
            "remeasured_games",
            "remeasured_share",
            "remeasured_low",
            "remeasured_high",
            "words",
        ]
        .map(str::to_owned),
    );
    for fair in &results.fair {
        let words = sentence(results, fair);
        let seats = if fair.fit.is_ok() { fair.question.seats } else { 1 };
        for seat in 0..seats {
            let mut row: Vec<Cell> = vec![
                fresh(fair)
                    .filter(|fresh| fresh.arm.arm > 0)
                    .map_or(Cell::Empty, |fresh| fresh.arm.arm.into()),
                results.config.game.as_str().into(),
                fair.question.seats.into(),
                results.config.agents[fair.question.agent].as_str().into(),
            ];
            row.extend(
                others.iter().map(|&key| {
                    Cell::Text(fair.question.others.get(key).map(show_value).unwrap_or_default())
                }),
            );
            match &fair.fit {
                Ok(fit) => row.extend(fitted(results, fair, fit, seat)),
                Err(_) => row.extend(std::iter::repeat_n(Cell::Empty, 12)),
            }
            row.push(if seat == 0 { words.as_str().into() } else { Cell::Empty });
            table.rows.push(row);
        }
    }
    table
}

/// The twelve cells of one seat.
fn fitted(results: &Results, fair: &FairResult, fit: &FairHandicap, seat: usize) -> Vec<Cell> {
    let setting = &fit.seats[seat];
    // A single number is the second seat's: the first has none.
    let has_own = seat > 0 || is_list(results, fair);
    let solved = setting.error > 0.0;
    let interval = Interval { low: setting.low, high: setting.high };
    let clusters = remeasured(fair).and_then(|seats| seats.get(seat)).copied().unwrap_or_default();
    let mut cells: Vec<Cell> = vec![(seat + 1).into(), Some(setting.exact).filter(|_| has_own).into()];
    cells.extend(ends(solved.then_some(interval)));
    cells.push(if has_own { Cell::Int(setting.integer) } else { Cell::Empty });
    cells.extend(
        [setting.share, fit.unfairness * 100.0, fit.misfit * 100.0].map(|number| Some(number).into()),
    );
    cells.push(remeasured(fair).map_or(Cell::Empty, |_| clusters.seatings().into()));
    cells.push(clusters.share().into());
    cells.extend(ends(clusters.interval(simultaneous_z(CONFIDENCE, fair.question.seats))));
    cells
}

fn switch(results: &Results) -> &str {
    results.config.fair.as_ref().map_or("", |fair| &fair.switch)
}

fn fresh(fair: &FairResult) -> Option<&ArmResult> {
    fair.fresh.as_ref()?.as_ref().ok()
}

/// The seats of the fresh measurement.
fn remeasured(fair: &FairResult) -> Option<&[Clusters]> {
    Some(&fresh(fair)?.line_ups.first()?.played.tally.seat_totals)
}

/// Whether the switch has a number for each seat.
fn is_list(results: &Results, fair: &FairResult) -> bool {
    let arm = fair.question.arms.first().and_then(|&arm| results.config.arms.get(arm));
    arm.is_some_and(|arm| matches!(arm.rules.get(switch(results)), Some(Value::Array(_))))
}

/// What to change, in words, for every fit of a run.
pub fn words(results: &Results) -> String {
    let mut text: String = results.fair.iter().map(|fair| sentence(results, fair) + "\n").collect();
    let fits = results.fair.iter().filter_map(|fair| fair.fit.as_ref().ok());
    if let Some(caution) = caution(fits.map(|fit| fit.unfairness * 100.0), results.config.margin) {
        text += &(caution + "\n");
    }
    text
}

/// What the sentences do not say themselves: that the best whole numbers of some fits, which leave so many
/// percentage points, are not within the margin (a share). `None` if all are.
pub fn caution(left: impl Iterator<Item = f64>, margin: f64) -> Option<String> {
    let limit = margin * 100.0;
    let worst = left.filter(|&left| left > limit).fold(0.0, f64::max);
    (worst > 0.0).then(|| {
        format!(
            "Where a setting leaves a seat more than {} points off, no whole number keeps everybody within your \
             limit (at worst {} points remain): it is the least bad, not a fair one.",
            trimmed(limit),
            trimmed(worst)
        )
    })
}

fn sentence(results: &Results, fair: &FairResult) -> String {
    let agent = &results.config.agents[fair.question.agent];
    let others = fair.question.others.iter().map(|(key, value)| format!(", {key} = {}", show_value(value)));
    let whose = format!("{agent}, {} seats{}", fair.question.seats, others.collect::<String>());
    let fit = match &fair.fit {
        Ok(fit) => fit,
        Err(error) => return format!("{whose}: no fair setting can be given: {error}."),
    };
    let mut text = format!("{whose}: {}", advice(results, fair, fit));
    text += &match best_fit(results, fit) {
        // Arms that came out alike to the last game leave nothing to doubt.
        best if best.is_empty() => ".".to_owned(),
        best => format!(" ({best})."),
    };
    match &fair.fresh {
        Some(Ok(_)) => text += &measured(fair, fit),
        Some(Err(refused)) => text += &format!(" This cannot be played: {refused}."),
        None => {}
    }
    if fit.extrapolated {
        text += " That lies beyond the settings that were tried: widen the sweep.";
    }
    // Three standard errors of an arm's share.
    let share = 1.0 / fair.question.seats as f64;
    let chance = 3.0 * (share * (1.0 - share) / results.config.games as f64).sqrt();
    if fit.misfit > MISFIT.max(chance) {
        text += &format!(" The fit misses what was played by up to {:.1} points.", fit.misfit * 100.0);
    }
    text
}

/// The solved seats of a fit with their indices.
fn solved(fit: &FairHandicap) -> impl Iterator<Item = (usize, &SeatSetting)> {
    fit.seats.iter().enumerate().filter(|(_, seat)| seat.error > 0.0)
}

/// What is given, one and many, from the name of a switch: `starting_coins` gives coins.
fn unit(results: &Results) -> Option<(&str, &str)> {
    let many = switch(results).rsplit('_').next()?;
    many.strip_suffix('s').filter(|one| one.len() > 2).map(|one| (one, many))
}

fn advice(results: &Results, fair: &FairResult, fit: &FairHandicap) -> String {
    let integers: Vec<String> = fit.seats.iter().map(|seat| seat.integer.to_string()).collect();
    let all: Vec<(usize, &SeatSetting)> = solved(fit).collect();
    let standard = fit.seats.iter().position(|seat| seat.error <= 0.0);
    let (Some((one, many)), true) = (unit(results), is_list(results, fair)) else {
        let value = if is_list(results, fair) { integers.join(", ") } else { integers[1..].join(", ") };
        return format!("set {} to {value}", switch(results));
    };
    match (&all[..], standard) {
        (&[(seat, setting)], Some(standard)) => {
            let more = setting.integer - fit.seats[standard].integer;
            let number = in_words(more.unsigned_abs());
            let noun = if more.abs() == 1 { one } else { many };
            let than = format!("{} {noun} {} than", number, if more > 0 { "more" } else { "fewer" });
            let amount = if more == 0 { format!("as many {many} as") } else { than };
            format!("give seat {} {amount} seat {}, {}", seat + 1, standard + 1, setting.integer)
        }
        _ => format!("give the seats {} {many}", and_list(&integers)),
    }
}

/// Numbers up to ten as words.
fn in_words(number: u64) -> String {
    const WORDS: [&str; 11] =
        ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    WORDS.get(number as usize).map_or_else(|| number.to_string(), |&word| word.to_owned())
}

fn best_fit(results: &Results, fit: &FairHandicap) -> String {
    let several = solved(fit).count() > 1;
    let many = unit(results).map_or(String::new(), |(_, many)| format!(" {many}"));
    let one = |(seat, setting): (usize, &SeatSetting)| {
        // As many digits as the interval bears.
        let digits = if setting.high - setting.low < 0.1 { 2 } else { 1 };
        let whose = if several { format!(" for seat {}", seat + 1) } else { String::new() };
        format!(
            "best fit{whose} {:.digits$}{many}, very likely between {:.digits$} and {:.digits$}",
            setting.exact, setting.low, setting.high
        )
    };
    solved(fit).map(one).collect::<Vec<_>>().join("; ")
}

/// What the fresh measurement gave.
fn measured(fair: &FairResult, fit: &FairHandicap) -> String {
    let (Some(seats), Some(arm)) = (remeasured(fair), fresh(fair)) else { return String::new() };
    let share = 1.0 / fair.question.seats as f64;
    let distance = |at: usize| seats[at].share().map_or(0.0, |found| (found - share).abs());
    // Of two seats that are equally far the one is named that the advice is about.
    let order = solved(fit).map(|(seat, _)| seat).chain(0..seats.len());
    let far = order.reduce(|best, at| if distance(at) > distance(best) + 1e-9 { at } else { best });
    let z = simultaneous_z(CONFIDENCE, seats.len());
    let Some((far, found, interval)) =
        far.and_then(|far| Some((far, seats[far].share()?, seats[far].interval(z)?)))
    else {
        return " No game of the fresh measurement was counted.".into();
    };
    let best: Vec<String> = solved(fit).map(|(_, seat)| seat.integer.to_string()).collect();
    let best = match &best[..] {
        [only] => format!("the best whole number, {only}"),
        _ => "these, the best whole numbers".to_owned(),
    };
    let mut text = format!(
        " With {best}, seat {} wins {} [{:.1}, {:.1}] in a fresh measurement of {} games: {:.1} points from fair.",
        far + 1,
        percent(found),
        interval.low * 100.0,
        interval.high * 100.0,
        grouped(seats[far].seatings()),
        distance(far) * 100.0,
    );
    let faulty: u64 = arm.line_ups.iter().map(|line_up| line_up.played.tally.faulty_blocks).sum();
    if faulty > 0 {
        text += &format!(" Left out: {} in which a game broke off.", count(faulty, "block"));
    }
    text
}
