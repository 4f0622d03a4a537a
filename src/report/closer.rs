//! Tables of a closer look: ratings of agents that met, the shape of a game, and games that repeat each other.

use super::table::{Cell, Table};
use super::terminal::{grouped, percent};
use crate::experiment::Results;
use crate::statistics::{CONFIDENCE, Ratings, rate, simultaneous_z};
use crate::text::count;
use crate::tournament::Watched;

/// Share of repeated games beyond which the reader is warned.
pub const MANY_REPEATS: f64 = 0.1;

/// `ratings.csv`: every agent against every other it was rated with, then every seat against every other.
/// Plackett-Luce with Davidson's ties; seats as an additive log-strength.
pub fn ratings(results: &Results) -> Table {
    let columns =
        ["kind", "name", "rating", "against", "difference", "error", "low", "high", "rated_games", "ghosts"];
    let mut table = Table::new("ratings", &columns);
    let z = simultaneous_z(CONFIDENCE, 1);
    for arm in &results.arms {
        let Some(ratings) = arm.finishes.as_ref().and_then(rate) else { continue };
        let agents: Vec<String> = results.config.agents.clone();
        let seats: Vec<String> = (1..=arm.arm.seats).map(|seat| seat.to_string()).collect();
        let mut rows = |kind: &str, names: &[String], order: &[usize], of: &[f64], apart: &Apart<'_>| {
            for &one in order {
                for &other in order.iter().filter(|&&other| other != one) {
                    let (elo, error) = apart(one, other);
                    let row: [Cell; 10] = [
                        kind.into(),
                        names[one].as_str().into(),
                        Some(of[one]).into(),
                        names[other].as_str().into(),
                        Some(elo).into(),
                        Some(error).into(),
                        Some(elo - z * error).into(),
                        Some(elo + z * error).into(),
                        ratings.games.into(),
                        if ratings.ghosts { "yes" } else { "no" }.into(),
                    ];
                    table.push(results, arm, row);
                }
            }
        };
        let agents_apart = |one: usize, other: usize| {
            let apart = ratings.difference(one, other);
            (apart.elo, apart.error)
        };
        let seats_apart = |one: usize, other: usize| {
            let apart = ratings.seat_difference(one, other);
            (apart.elo, apart.error)
        };
        rows("agent", &agents, &ratings.ladder(), &ratings.players, &agents_apart);
        let order: Vec<usize> = (0..arm.arm.seats).collect();
        rows("seat", &seats, &order, &ratings.seats, &seats_apart);
    }
    table
}

type Apart<'a> = dyn Fn(usize, usize) -> (f64, f64) + 'a;

/// The ladder of an arm in words: each agent over the next.
pub fn ladder(ratings: &Ratings, agents: &[String]) -> Vec<String> {
    let order = ratings.ladder();
    let z = simultaneous_z(CONFIDENCE, 1);
    let mut lines: Vec<String> = order
        .windows(2)
        .map(|pair| {
            let apart = ratings.difference(pair[0], pair[1]);
            let (one, other) = (&agents[pair[0]], &agents[pair[1]]);
            format!("{one} over {other}: {:+.0} Elo, give or take {:.0}", apart.elo, z * apart.error)
        })
        .collect();
    if ratings.ghosts {
        lines.push(
            "Somebody never lost or never won, or agents and seats cannot be told apart: half a game won and half \
             a game lost were added, and a distance that rests on them is neither an estimate nor a bound."
                .into(),
        );
    }
    lines
}

/// `shape.csv`: who leads when, by the game's own estimate at the end of each turn of the first games.
pub fn shape(results: &Results) -> Table {
    let parts = (1..10).map(|tenth| format!("leader_wins_{}", tenth * 10));
    let columns: Vec<String> =
        ["line_up", "watched_games", "estimate", "lead_changes", "lead_changes_per_turn"]
            .into_iter()
            .map(str::to_owned)
            .chain(["drama", "decisiveness", "last_behind"].map(str::to_owned))
            .chain(parts)
            .chain(["words".to_owned()])
            .collect();
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let mut table = Table::new("shape", &columns);
    for arm in &results.arms {
        for line_up in &arm.line_ups {
            let shapes = &line_up.played.watched.shapes;
            let snowball = shapes.snowball();
            let wins = |at: usize| {
                let part = snowball[at];
                (part.games > 0).then(|| part.won as f64 / part.games as f64)
            };
            let mut row: Vec<Cell> = vec![
                line_up.name.as_str().into(),
                shapes.games().into(),
                "the game's own value".into(),
                shapes.lead_changes().into(),
                shapes.lead_changes_per_move().into(),
                shapes.drama().into(),
                shapes.decisiveness().into(),
                shapes.last_behind().into(),
            ];
            row.extend((0..snowball.len()).map(|at| Cell::from(wins(at))));
            let told = wins(4).zip(wins(8)).zip(shapes.lead_changes()).zip(shapes.last_behind());
            // Up to one drawn game in twenty the plain words are near enough; more would make "of the games" untrue.
            let (decided, games) = (shapes.decided(), count(shapes.games(), "game"));
            let of_which = match decided * 20 >= shapes.games() * 19 {
                true => "of the games".to_owned(),
                false => format!("of the {decided} games that had one winner"),
            };
            row.push(told.map_or(Cell::Empty, |(((half, late), changes), behind)| {
                Cell::Text(format!(
                    "{}: whoever leads half-way through wins {} {of_which}, near the end (nine tenths) {}. The \
                     lead changes {changes:.1} times a game, and the winner was last behind after {} of it. \
                     (The first {games}; who leads is the program's own estimate at the end of each turn.)",
                    line_up.name,
                    percent(half),
                    percent(late),
                    percent(behind),
                ))
            }));
            table.push(results, arm, row);
        }
    }
    table
}

/// What repeats among the games that were watched, in words.
fn repeats_in_words(watched: &Watched) -> String {
    let (games, different) = (watched.count(), watched.games.len() as u64);
    let most = watched.games.values().copied().max().unwrap_or(0);
    match games - different {
        0 => format!("none among the first {}", grouped(games)),
        again if (again as f64) < MANY_REPEATS * games as f64 => {
            format!("{} of the first {}, move for move", grouped(again), grouped(games))
        }
        again => format!(
            "{} of the first {} games repeat another move for move ({} different games, one of them {} times): \
             the game is small or its players draw no lots, and more games say less than the ranges claim",
            grouped(again),
            grouped(games),
            grouped(different),
            grouped(most)
        ),
    }
}

/// `repeats.csv`: games among the first of a line-up that went move for move like another.
pub fn repeats(results: &Results) -> Table {
    let columns = ["line_up", "watched_games", "different_games", "most_often", "words"];
    let mut table = Table::new("repeats", &columns);
    for arm in &results.arms {
        for line_up in &arm.line_ups {
            let watched = &line_up.played.watched;
            let row: [Cell; 5] = [
                line_up.name.as_str().into(),
                watched.count().into(),
                watched.games.len().into(),
                watched.games.values().copied().max().unwrap_or(0).into(),
                Cell::Text(repeats_in_words(watched)),
            ];
            table.push(results, arm, row);
        }
    }
    table
}

/// Line-ups whose games repeat each other so much that the reader is warned.
pub fn warnings(results: &Results) -> Vec<String> {
    let line_ups = results.arms.iter().flat_map(|arm| arm.line_ups.iter().map(move |line_up| (arm, line_up)));
    let warned = line_ups.filter(|(_, line_up)| {
        let watched = &line_up.played.watched;
        let again = watched.count() - watched.games.len() as u64;
        again as f64 >= MANY_REPEATS * watched.count().max(1) as f64
    });
    warned
        .map(|(arm, line_up)| {
            let place = format!("arm {}, {} seats, {}", arm.arm.arm, arm.arm.seats, line_up.name);
            format!("{place}: {}", repeats_in_words(&line_up.played.watched))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeats_are_told_and_warned_of_when_they_are_many() {
        let watched =
            |games: &[(u64, u64)]| Watched { games: games.iter().copied().collect(), ..Watched::default() };
        assert_eq!(repeats_in_words(&watched(&[(1, 1), (2, 1)])), "none among the first 2");
        let many = repeats_in_words(&watched(&[(1, 39), (2, 1)]));
        assert!(many.contains("38 of the first 40 games") && many.contains("2 different games"), "{many}");
    }
}
