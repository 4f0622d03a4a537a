//! `[fair]`: which whole handicap makes a table fair? A fit over the arms of a sweep, and its winner measured
//! again on fresh deals: the setting that looks best among many owes a part of its looks to luck.

use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use super::config::{Arm, Config, ConfigError};
use super::place::{Place, Refusal};
use super::run::ArmResult;
use crate::games::switches::closest;
use crate::statistics::{CONFIDENCE, FairHandicap, HandicapArm, HandicapError, fair_handicap};
use crate::tournament::Mode;

/// What is to be solved for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Fair {
    /// A swept switch: a whole number for each seat, or at a table of two a single one.
    pub switch: String,
}

/// One fit: an agent in all seats, over the arms that differ in nothing but the handicap.
#[derive(Clone, PartialEq, Debug)]
pub struct FairQuestion {
    /// Number of seats.
    pub seats: usize,
    /// Index of the agent.
    pub agent: usize,
    /// Swept switches other than the handicap, and their values.
    pub others: Table,
    /// Indices of the arms.
    pub arms: Vec<usize>,
}

/// What came of one fit.
#[derive(Clone, Debug)]
pub struct FairResult {
    /// What was fitted.
    pub question: FairQuestion,
    /// The fit.
    pub fit: Result<FairHandicap, HandicapError>,
    /// The best whole setting on fresh deals; `None` where the fit gives none.
    pub fresh: Option<Result<ArmResult, ConfigError>>,
}

/// The handicap of each seat in an arm: as listed; a single number counts as the second seat's.
pub fn handicaps(arm: &Arm, switch: &str) -> Option<Vec<i64>> {
    match arm.rules.get(switch)? {
        Value::Integer(number) if arm.seats == 2 => Some(vec![0, *number]),
        Value::Array(items) if items.len() == arm.seats => items.iter().map(Value::as_integer).collect(),
        _ => None,
    }
}

/// An arm like `arm`, with the handicap at the best whole setting. Its number is that of the arm of the sweep
/// with the same switches, 0 if there is none.
pub(super) fn best_arm(config: &Config, switch: &str, arm: &Arm, fit: &FairHandicap) -> Arm {
    let setting: Vec<i64> = fit.seats.iter().map(|seat| seat.integer).collect();
    let value = match arm.rules.get(switch) {
        Some(Value::Array(_)) => Value::Array(setting.into_iter().map(Value::Integer).collect()),
        _ => Value::Integer(setting.last().copied().unwrap_or_default()),
    };
    let mut best = arm.clone();
    best.swept.insert(switch.to_owned(), value.clone());
    best.rules.insert(switch.to_owned(), value);
    let same = |other: &&Arm| other.seats == best.seats && other.rules == best.rules;
    best.arm = config.arms.iter().find(same).map_or(0, |arm| arm.arm);
    best
}

impl Fair {
    /// Makes sure that the arms of a configuration can be fitted.
    pub(super) fn check(&self, config: &Config) -> Result<(), Refusal> {
        let refuse = |path: &[&str], message: String| Err(Place::of(path).say(format!("[fair]: {message}")));
        let switch = &self.switch;
        if !config.sweep.contains(switch) {
            let near = closest(switch, config.sweep.iter().map(String::as_str));
            let near = near.map(|near| format!(" (did you mean `{near}`?)")).unwrap_or_default();
            return refuse(&["fair", "switch"], format!("the sweep does not vary `{switch}`{near}"));
        }
        if config.play != Mode::SelfPlay && config.agents.len() > 1 {
            return refuse(&["fair"], "it compares seats, which needs play = \"self\"".into());
        }
        for arm in &config.arms {
            if handicaps(arm, switch).is_none() {
                let value = arm.swept_value(switch);
                let message = match arm.seats {
                    2 => format!("`{switch}` is {value}: expected whole numbers, one or one for each seat"),
                    seats => {
                        format!("`{switch}` is {value}: expected a whole number for each of {seats} seats")
                    }
                };
                return refuse(&["sweep", switch], message);
            }
        }
        for question in questions(config, switch) {
            let mut values = question.arms.iter().map(|&arm| handicaps(&config.arms[arm], switch));
            let first = values.next();
            if values.all(|value| Some(value) == first) {
                let seats = question.seats;
                let message = format!("it needs at least two values of `{switch}` with {seats} seats");
                return refuse(&["sweep", switch], message);
            }
        }
        Ok(())
    }
}

/// Every fit of a run, by seats, by what else is swept, by agent; empty if none is asked for.
pub fn fair_questions(config: &Config) -> Vec<FairQuestion> {
    config.fair.as_ref().map_or(Vec::new(), |fair| questions(config, &fair.switch))
}

fn questions(config: &Config, switch: &str) -> Vec<FairQuestion> {
    let mut tables: Vec<(usize, Table, Vec<usize>)> = Vec::new();
    for (index, arm) in config.arms.iter().enumerate() {
        let mut others = arm.swept.clone();
        others.remove(switch);
        match tables.iter_mut().find(|(seats, known, _)| *seats == arm.seats && *known == others) {
            Some((.., arms)) => arms.push(index),
            None => tables.push((arm.seats, others, vec![index])),
        }
    }
    tables.sort_by_key(|(seats, ..)| *seats);
    let agents = 0..config.agents.len();
    let of_table = |(seats, others, arms): (usize, Table, Vec<usize>)| {
        agents.clone().map(move |agent| FairQuestion {
            seats,
            agent,
            others: others.clone(),
            arms: arms.clone(),
        })
    };
    tables.into_iter().flat_map(of_table).collect()
}

/// Fits one question to the arms that were played.
pub(super) fn fit(question: &FairQuestion, arms: &[ArmResult]) -> Result<FairHandicap, HandicapError> {
    let of = |&arm: &usize| arms.get(arm)?.asked.handicaps.get(question.agent).cloned();
    let arms: Vec<HandicapArm> = question.arms.iter().filter_map(of).collect();
    fair_handicap(&arms, CONFIDENCE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::{Request, Sweep, SweepMode};

    fn config(game: &str, agents: &[&str], sweep: &[(&str, Vec<Value>)], switch: &str) -> Config {
        let switches = sweep.iter().map(|(key, values)| (key.to_string(), values.clone())).collect();
        Config::new(&Request {
            game: game.into(),
            agents: agents.iter().map(|&agent| agent.to_owned()).collect(),
            mode: Mode::SelfPlay,
            games: 10,
            margin: 0.02,
            sweep: Sweep { switches, mode: SweepMode::Grid },
            fair: Some(Fair { switch: switch.into() }),
            ..Request::default()
        })
        .unwrap()
    }

    fn whole(numbers: &[i64]) -> Vec<Value> {
        numbers.iter().map(|&number| Value::Integer(number)).collect()
    }

    #[test]
    fn a_fit_runs_over_the_arms_that_differ_in_the_handicap_alone() {
        let coins = [[12, 10], [12, 14]].map(|coins| Value::Array(whole(&coins))).to_vec();
        let sweep = [("starting_coins", coins), ("starting_hp", whole(&[10, 12]))];
        let config = config("six-sided-seas", &["random", "greedy"], &sweep, "starting_coins");
        let questions = fair_questions(&config);
        let found: Vec<(usize, Vec<usize>)> =
            questions.iter().map(|question| (question.agent, question.arms.clone())).collect();
        assert_eq!(found, [(0, vec![0, 2]), (1, vec![0, 2]), (0, vec![1, 3]), (1, vec![1, 3])]);
        assert_eq!(questions[2].others["starting_hp"].as_integer(), Some(12));
        assert_eq!(handicaps(&config.arms[2], "starting_coins"), Some(vec![12, 14]));
    }

    #[test]
    fn a_single_number_is_the_second_seats() {
        let config = config("pig", &["random"], &[("target", whole(&[20, 30]))], "target");
        assert_eq!(handicaps(&config.arms[1], "target"), Some(vec![0, 30]));
        assert_eq!(fair_questions(&config).len(), 1);
        let mut fit = fair_handicap(&arms(), CONFIDENCE).unwrap();
        fit.seats[1].integer = 30;
        let best = best_arm(&config, "target", &config.arms[0], &fit);
        assert_eq!((best.arm, best.rules["target"].as_integer()), (2, Some(30)));
        fit.seats[1].integer = 27;
        assert_eq!(best_arm(&config, "target", &config.arms[0], &fit).arm, 0);
    }

    /// Two arms in which the second seat wins 40 and 60 games of 100.
    fn arms() -> [HandicapArm; 2] {
        [(0, 40), (1, 60)].map(|(handicap, wins)| {
            let mut arm = HandicapArm::new(&[0, handicap]);
            (0..100).for_each(|block| arm.add_block(block, 100, &[60 * (100 - wins), 60 * wins]));
            arm
        })
    }
}
