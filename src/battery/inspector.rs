//! One game under inspection: plays it, looks at every state briefly and at some of them closely, and plays
//! it again to see whether it is the same.

use std::collections::{BTreeMap, BTreeSet};

use toml::{Table, Value};

use super::drive::{Driver, quick_key};
use super::fairness::Fairness;
use super::{Failure, Fault, Property, Report, demand, in_text};
use crate::game::{Game, MAX_SEATS, Memo, Outcome, RandomPlay, SHARE_UNITS, Seat, SeatSet, Source, Turn};
use crate::games::Catalogued;
use crate::games::switches::{build, random_overrides, table_of};
use crate::streams::{Deal, MAX_SOURCES, Purpose, Stream, key, unit};

/// So many states at the start of a game are inspected closely, and about as many again each time the game
/// grows by half.
const CLOSE: usize = 6;
/// Past states that are all kept; after them, one in sixteen.
const PAST: usize = 4096;
/// Outcomes of luck in a row that no game needs.
const LUCK_IN_A_ROW: u32 = 100_000;
/// How near to an edge of the cumulative distribution either side is right.
const EDGE: f64 = 1.0 / (1_u64 << 40) as f64;
/// Random draws at a state that is inspected closely.
const DRAWS: usize = 8;

pub(super) type Checked = Result<(), Box<Fault>>;

/// What the games of one check have in common.
pub(super) struct Shared<G: Game> {
    pub report: Report,
    pub fairness: Fairness<G::Action>,
    /// One state for each information set that was seen.
    pub known: BTreeMap<(Seat, u128), G::State>,
}

impl<G: Game> Shared<G> {
    pub fn new(report: Report) -> Shared<G> {
        Shared { report, fairness: Fairness::default(), known: BTreeMap::new() }
    }
}

/// One game under inspection.
pub(super) struct Inspector<'g, G: Catalogued> {
    pub game: &'g G,
    seed: u64,
    /// The first game of a check also looks at the switches.
    first: bool,
    driver: Driver,
    /// The inspector's own randomness: the game goes the same way with and without inspection.
    pub stream: Stream,
    pub state: G::State,
    pub before: G::State,
    /// Where a clone that plays on has come to.
    pub wanderer: Option<G::State>,
    /// The action that is being tried, for the report of a panic.
    pub action: Option<G::Action>,
    pub step: u32,
    decisions: u32,
    luck_in_a_row: u32,
    turns: u32,
    /// Every action and outcome that was listed anywhere in this game, up to a bound.
    pub pool: BTreeSet<G::Action>,
    past: Vec<(u32, G::State, u64)>,
    log: Vec<u64>,
    lengths: BTreeSet<usize>,
    /// The first state whose values do not look like win shares.
    odd_value: Option<Box<Fault>>,
    /// Names of the fields of a state's JSON.
    pub fields: Option<Vec<String>>,
    pub actions: Vec<G::Action>,
    pub outcomes: Vec<(G::Action, f64)>,
    pub scratch: Vec<G::Action>,
    pub joint: Vec<G::Action>,
    /// What the game keeps from one value to the next.
    pub memo: Memo,
}

impl<'g, G: Catalogued> Inspector<'g, G> {
    pub fn new(game: &'g G, seed: u64, first: bool) -> Inspector<'g, G> {
        let state = game.initial();
        Inspector {
            game,
            seed,
            first,
            driver: Driver::new(seed, 0, game.seats()),
            stream: Stream::new(key(seed, 0, 0, Purpose::Check, 2)),
            before: state.clone(),
            state,
            wanderer: None,
            action: None,
            step: 0,
            decisions: 0,
            luck_in_a_row: 0,
            turns: 0,
            pool: BTreeSet::new(),
            past: Vec::new(),
            log: Vec::new(),
            lengths: BTreeSet::new(),
            odd_value: None,
            fields: None,
            actions: Vec::new(),
            outcomes: Vec::new(),
            scratch: Vec::new(),
            joint: Vec::new(),
            memo: Memo::default(),
        }
    }

    /// The failure for a fault in game `number` of a check that began with `seed`.
    pub fn failure(&self, fault: Fault, seed: u64, number: u64) -> Failure {
        let (step, state) = fault
            .place
            .unwrap_or_else(|| (self.step, in_text(self.wanderer.as_ref().unwrap_or(&self.state))));
        let (seed, games) = if fault.earlier { (seed, number + 1) } else { (self.seed, 1) };
        let action = fault.action.or_else(|| self.action.map(|action| action.to_string()));
        Failure { property: fault.property, seed, games, step, state, action, message: fault.message }
    }

    /// The whole inspection.
    pub fn run(&mut self, shared: &mut Shared<G>) -> Checked {
        if self.first || self.seed.is_multiple_of(8) {
            self.check_table(&mut shared.report)?;
            self.check_rules(&mut shared.report)?;
        }
        loop {
            let key = quick_key(&self.state);
            self.log.push(key);
            if self.past.len() < PAST || self.step.is_multiple_of(16) {
                self.past.push((self.step, self.state.clone(), key));
            }
            self.action = None;
            let turn = self.game.turn(&self.state);
            self.glance(turn, &mut shared.report)?;
            let close = self.is_close(turn);
            if close {
                shared.report.states += 1;
                self.inspect(turn, shared)?;
            }
            self.before.clone_from(&self.state);
            match turn {
                Turn::Over => break,
                Turn::Chance(source) => self.luck(source, shared)?,
                Turn::Decision(seat) => self.decision(seat, shared)?,
                Turn::Simultaneous(seats) => self.together(seats, shared)?,
            }
            shared.report.steps += 1;
            self.step += 1;
            if close {
                self.check_telling(turn, &mut shared.report)?;
            }
        }
        self.check_ending(&mut shared.report)?;
        self.check_refusals(&mut shared.report)?;
        self.check_past(&mut shared.report)?;
        self.check_again(&mut shared.report)?;
        shared.report.games += 1;
        shared.report.count(Property::NoPanic, 1);
        shared.report.longest = shared.report.longest.max(self.decisions);
        Ok(())
    }

    /// Whether this state is inspected closely: the first ones, the last, those with a list of a new length,
    /// and ever fewer of the others.
    fn is_close(&mut self, turn: Turn) -> bool {
        let drawn = self.stream.below(self.step as usize + 1) < CLOSE;
        let length = match turn {
            Turn::Over => return true,
            Turn::Chance(_) => self.outcomes.len(),
            Turn::Decision(_) | Turn::Simultaneous(_) => self.actions.len(),
        };
        self.lengths.insert(length) || drawn
    }

    /// What never changes in a match.
    fn check_table(&mut self, report: &mut Report) -> Checked {
        let (game, seats) = (self.game, self.game.seats());
        demand!(report, Table, G::SEATS.contains(&seats), "{seats} seats, and {:?} are possible", G::SEATS);
        let kinds = game.luck().len();
        demand!(report, Table, kinds <= MAX_SOURCES, "{kinds} sources of luck are too many");
        let endings: BTreeSet<_> = game.endings().iter().collect();
        let distinct = !endings.is_empty() && endings.len() == game.endings().len();
        demand!(report, Table, distinct, "the endings {:?} are not different words", game.endings());
        let names = game.tally_names();
        let plain = |name: &&str| {
            !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
        };
        let distinct = names.iter().collect::<BTreeSet<_>>().len() == names.len();
        demand!(
            report,
            Table,
            distinct && names.iter().all(plain),
            "tally names {names:?} are no column names"
        );
        Ok(())
    }

    /// The switches: the match's own, and one random setting.
    fn check_rules(&mut self, report: &mut Report) -> Checked {
        let seats = self.game.seats();
        let table = table_of(self.game.rules());
        let switches: BTreeSet<&str> = G::switches().iter().map(|switch| switch.key).collect();
        let fields: BTreeSet<&str> = table.keys().map(String::as_str).collect();
        demand!(report, Rules, switches == fields, "switches {switches:?}, fields of the rules {fields:?}");
        let again = build::<G>(&table, seats).map(|twin| twin.rules().clone());
        let same = again.as_ref() == Ok(self.game.rules());
        demand!(report, Rules, same, "the same rules again give {again:?}, not {:?}", self.game.rules());
        let mut unknown = table.clone();
        unknown.insert("no_such_switch".into(), Value::Boolean(true));
        let refused = unknown.try_into::<G::Rules>().is_err();
        demand!(report, Rules, refused, "an unknown field is not refused");
        let mut stream = Stream::new(key(self.seed, 0, 0, Purpose::Check, 3));
        let overrides: Table = random_overrides::<G>(seats, &mut stream);
        let drawn = match build::<G>(&overrides, seats) {
            Ok(drawn) => drawn,
            Err(error) => {
                let message = format!("the random setting {overrides} is refused: {error}");
                return Err(Fault::new(Property::Rules, message));
            }
        };
        let table = table_of(drawn.rules());
        let kept = overrides.iter().all(|(key, value)| table.get(key) == Some(value));
        demand!(report, Rules, kept, "the random setting {overrides} became {table}");
        // Each of them alone, on top of this match's own rules, where they go together.
        for (key, value) in &overrides {
            let mut changed = table_of(self.game.rules());
            changed.insert(key.clone(), value.clone());
            if let Ok(neighbour) = build::<G>(&changed, seats) {
                let table = table_of(neighbour.rules());
                demand!(report, Rules, table == changed, "the setting {changed} became {table}");
            }
        }
        let begun = drawn.turn(&drawn.initial()) != Turn::Over;
        demand!(report, Rules, begun, "with {overrides} the game is over before it begins");
        Ok(())
    }

    /// What is asked of every state.
    fn glance(&mut self, turn: Turn, report: &mut Report) -> Checked {
        let seats = self.game.seats();
        let choosers = match turn {
            Turn::Over => SeatSet::default(),
            Turn::Decision(seat) => {
                demand!(report, Turn, seat.index() < seats, "seat {seat} decides, and there are {seats}");
                SeatSet::default().with(seat)
            }
            Turn::Simultaneous(choosers) => {
                let there = !choosers.is_empty() && choosers.iter().all(|seat| seat.index() < seats);
                demand!(report, Turn, there, "{choosers:?} choose at once at a table of {seats}");
                choosers
            }
            Turn::Chance(source) => {
                let declared = self.game.luck().get(source.kind as usize);
                let owner = source.seat.is_none_or(|seat| seat.index() < seats);
                let fits = declared.is_some_and(|luck| luck.per_seat == source.seat.is_some()) && owner;
                demand!(report, Turn, fits, "{source:?} is not what {:?} declares", self.game.luck());
                self.game.chance(&self.state, &mut self.outcomes);
                demand!(report, SomethingLegal, !self.outcomes.is_empty(), "luck has nothing to give");
                SeatSet::default()
            }
        };
        for seat in choosers.iter() {
            self.game.actions(&self.state, seat, &mut self.actions);
            demand!(report, SomethingLegal, !self.actions.is_empty(), "seat {seat} can do nothing");
        }
        let turns = self.game.turns(&self.state);
        demand!(report, Turn, turns >= self.turns, "the count of turns falls from {} to {turns}", self.turns);
        self.turns = turns;
        let outcome = self.game.outcome(&self.state);
        let fits = outcome.is_some() == (turn == Turn::Over);
        let ending = outcome.as_ref().map(Outcome::ending);
        demand!(report, Outcome, fits, "the turn is {turn:?} and the ending {ending:?}");
        if let Some(outcome) = &outcome {
            self.check_outcome(outcome, report)?;
        }
        self.check_value(outcome.as_ref(), report)?;
        if let Turn::Chance(_) = turn { self.check_twins(report) } else { Ok(()) }
    }

    /// Outcomes of luck that are said to come to the same do.
    fn check_twins(&self, report: &mut Report) -> Checked {
        let game = self.game;
        let after = |outcome: G::Action| {
            let (mut state, mut values) = (self.state.clone(), [0.0; MAX_SEATS]);
            game.apply(&mut state, outcome);
            game.value(&state, &mut values[..game.seats()]);
            let goes_on = game.in_compound(&state) || matches!(game.turn(&state), Turn::Chance(_));
            (values.map(f64::to_bits), goes_on)
        };
        for (at, &(outcome, _)) in self.outcomes.iter().enumerate() {
            if let Some(twin) = game.twin(&self.state, outcome) {
                let earlier = self.outcomes[..at].iter().any(|&(earlier, _)| earlier == twin);
                let ((value, goes_on), (twin_value, twin_goes_on)) = (after(outcome), after(twin));
                let same = value == twin_value && !goes_on && !twin_goes_on;
                demand!(report, Value, earlier && same, "`{outcome}` is not worth what its twin `{twin}` is");
            }
        }
        Ok(())
    }

    fn check_outcome(&self, outcome: &Outcome, report: &mut Report) -> Checked {
        let (ending, declared) = (outcome.ending(), self.game.endings());
        demand!(report, Outcome, declared.contains(&ending), "`{ending}` is none of {declared:?}");
        let results = outcome.results();
        let seats = self.game.seats();
        demand!(report, Outcome, results.len() == seats, "{} results at a table of {seats}", results.len());
        let sum: u32 = results.iter().map(|result| result.share_units).sum();
        demand!(report, Shares, sum == SHARE_UNITS, "the win shares add to {sum} of {SHARE_UNITS} parts");
        let winners = results.iter().filter(|result| result.rank == 1).count() as u32;
        let fair = winners > 0
            && results.iter().all(|result| {
                let share = if result.rank == 1 { SHARE_UNITS / winners } else { 0 };
                result.share_units == share && (1..=seats).contains(&(result.rank as usize))
            });
        demand!(report, Shares, fair, "ranks and win shares do not fit: {results:?}");
        let finite = results.iter().all(|result| result.payoff.is_finite());
        demand!(report, Payoffs, finite, "payoffs are not all finite: {results:?}");
        Ok(())
    }

    fn check_value(&mut self, outcome: Option<&Outcome>, report: &mut Report) -> Checked {
        let mut values = [f64::NAN; MAX_SEATS];
        let values = &mut values[..self.game.seats()];
        self.game.value(&self.state, values);
        let finite = values.iter().all(|value| value.is_finite());
        demand!(report, Value, finite, "the values {values:?} are not all finite");
        let mut near = [f64::NAN; MAX_SEATS];
        let near = &mut near[..self.game.seats()];
        self.game.value_near(&self.state, &mut self.memo, near);
        let same = values.iter().zip(near.iter()).all(|(value, near)| value.to_bits() == near.to_bits());
        demand!(report, Value, same, "the values are {values:?}, and {near:?} with what was kept");
        let mut planned = [f64::NAN; MAX_SEATS];
        let planned = &mut planned[..self.game.seats()];
        self.game.value_planned(&self.state, planned);
        let finite = planned.iter().all(|value| value.is_finite());
        demand!(report, Value, finite, "the values for a planner, {planned:?}, are not all finite");
        for values in [values, planned] {
            if let Some(outcome) = outcome {
                let payoffs = outcome.results().iter().map(|result| result.payoff);
                let exact = values.iter().zip(payoffs).all(|(value, payoff)| (value - payoff).abs() < 1e-9);
                let results = outcome.results();
                demand!(
                    report,
                    Value,
                    exact,
                    "the game is over with {results:?} and its value is {values:?}"
                );
            }
            let sum: f64 = values.iter().sum();
            let like_shares =
                (sum - 1.0).abs() < 1e-6 && values.iter().all(|value| (-1e-9..=1.0 + 1e-9).contains(value));
            if !like_shares && self.odd_value.is_none() {
                let message = format!("payoffs are win shares, and the values {values:?} are not");
                self.odd_value = Some(Fault::new(Property::Value, message).at(self.step, &self.state));
            }
        }
        Ok(())
    }

    fn luck(&mut self, source: Source, shared: &mut Shared<G>) -> Checked {
        let report = &mut shared.report;
        report.chance_nodes += 1;
        self.luck_in_a_row += 1;
        demand!(report, Ends, self.luck_in_a_row < LUCK_IN_A_ROW, "luck never stops");
        let word = self.driver.word(source);
        let outcome = self.game.sample_chance(&self.state, word);
        self.action = Some(outcome);
        let index = check_sample(&self.outcomes, word, outcome, report)?;
        shared.fairness.luck(source.kind, &self.outcomes, index, self.stream.unit());
        self.game.apply(&mut self.state, outcome);
        Ok(())
    }

    fn decision(&mut self, seat: Seat, shared: &mut Shared<G>) -> Checked {
        let action = self.choice(seat, true, shared)?;
        self.game.apply(&mut self.state, action);
        Ok(())
    }

    fn together(&mut self, seats: SeatSet, shared: &mut Shared<G>) -> Checked {
        let mut joint = std::mem::take(&mut self.joint);
        joint.clear();
        for seat in seats.iter() {
            self.game.actions(&self.state, seat, &mut self.actions);
            joint.push(self.choice(seat, false, shared)?);
        }
        self.game.apply_together(&mut self.state, &joint);
        self.joint = joint;
        Ok(())
    }

    /// The driver's choice, out of the list in `self.actions`.
    fn choice(&mut self, seat: Seat, alone: bool, shared: &mut Shared<G>) -> Result<G::Action, Box<Fault>> {
        let report = &mut shared.report;
        self.luck_in_a_row = 0;
        self.decisions += 1;
        let limit = self.game.step_limit();
        demand!(report, Ends, self.decisions <= limit, "the limit of {limit} decisions is passed");
        let choice = self.driver.choose(self.game, &self.state, seat, alone, &mut self.scratch);
        self.action = Some(choice.action);
        let index = self.actions.iter().position(|action| *action == choice.action);
        demand!(report, RandomAction, index.is_some(), "`{}` is not on the list", choice.action);
        if let (true, Some(index)) = (choice.random, index) {
            shared.fairness.choice(self.actions.len(), index);
        }
        Ok(choice.action)
    }

    fn check_ending(&mut self, report: &mut Report) -> Checked {
        let Some(outcome) = self.game.outcome(&self.state) else {
            return Err(Fault::new(Property::Outcome, "the outcome is gone when it is asked again".into()));
        };
        for (ending, count) in &mut report.endings {
            *count += (*ending == outcome.ending()) as u64;
        }
        let seats = self.game.seats();
        let shares_pay = Seat::all(seats).all(|seat| outcome.payoff(seat) == outcome.win_share(seat));
        if let (true, Some(fault)) = (shares_pay, self.odd_value.take()) {
            return Err(fault);
        }
        let mut tally = vec![0; self.game.tally_names().len()];
        for seat in Seat::all(seats) {
            tally.fill(i64::MIN);
            self.game.tally(&self.state, seat, &mut tally);
            let filled = !tally.contains(&i64::MIN);
            demand!(report, Payoffs, filled, "the tally of seat {seat} is not filled: {tally:?}");
        }
        Ok(())
    }

    /// Actions seen elsewhere in the game, tried where they are not listed.
    fn check_refusals(&mut self, report: &mut Report) -> Checked {
        let pool: Vec<G::Action> = self.pool.iter().copied().collect();
        for _ in 0..8 {
            let (step, state, _) = self.past[self.stream.below(self.past.len())].clone();
            for _ in 0..4 {
                if pool.is_empty() {
                    return Ok(());
                }
                let action = pool[self.stream.below(pool.len())];
                self.action = Some(action);
                let tried = self.check_refused(&state, action, report);
                tried.map_err(|fault| fault.with(action).at(step, &state))?;
            }
        }
        self.action = None;
        Ok(())
    }

    fn check_refused(&mut self, state: &G::State, action: G::Action, report: &mut Report) -> Checked {
        let game = self.game;
        let mut copy = state.clone();
        let mut choosers = SeatSet::default();
        match game.turn(state) {
            Turn::Over => {}
            Turn::Chance(_) => {
                game.chance(state, &mut self.outcomes);
                if !self.outcomes.iter().any(|(outcome, _)| *outcome == action) {
                    let answer = game.play_chance(&mut copy, action);
                    demand!(
                        report,
                        Refused,
                        answer.is_err(),
                        "luck may give `{action}`, which is not listed"
                    );
                }
            }
            Turn::Decision(seat) => choosers = choosers.with(seat),
            Turn::Simultaneous(seats) => choosers = seats,
        }
        let luck = matches!(game.turn(state), Turn::Chance(_));
        if !luck {
            let answer = game.play_chance(&mut copy, action);
            demand!(report, Refused, answer.is_err(), "luck may give `{action}` where it decides nothing");
        }
        let together = matches!(game.turn(state), Turn::Simultaneous(_));
        for seat in Seat::all(game.seats()) {
            let legal = choosers.contains(seat) && {
                game.actions(state, seat, &mut self.scratch);
                self.scratch.contains(&action)
            };
            if !legal {
                let answer = game.check_action(state, seat, action);
                demand!(
                    report,
                    Refused,
                    answer.is_err(),
                    "seat {seat} may do `{action}`, which is not listed"
                );
            }
            if !legal || together {
                let answer = game.play(&mut copy, seat, action);
                let reason = answer.err().map(|refusal| refusal.reason);
                let refused = reason.as_ref().is_some_and(|reason| !reason.trim().is_empty());
                demand!(report, Refused, refused, "seat {seat} playing `{action}` is answered {reason:?}");
            }
            if !legal && together && choosers.contains(seat) {
                let mut joint = Vec::new();
                for other in choosers.iter() {
                    game.actions(state, other, &mut self.scratch);
                    joint.push(if other == seat { action } else { self.scratch[0] });
                }
                let answer = game.play_together(&mut copy, &joint);
                demand!(
                    report,
                    Refused,
                    answer.is_err(),
                    "seat {seat} may do `{action}` together with others"
                );
            }
        }
        if !together {
            let answer = game.play_together(&mut copy, &[action]);
            demand!(report, Refused, answer.is_err(), "`{action}` passes as a joint choice of one");
        }
        demand!(report, Refused, copy == *state, "refusing `{action}` changed the state to {copy:?}");
        Ok(())
    }

    fn check_past(&mut self, report: &mut Report) -> Checked {
        for (step, state, key) in &self.past {
            report.count(Property::Past, 1);
            if quick_key(state) != *key {
                let message = "a state left behind has another hash than when it was reached".into();
                return Err(Fault::new(Property::Past, message).at(*step, state));
            }
        }
        Ok(())
    }

    /// Plays the game again, with a new match from the same rules and without looking.
    fn check_again(&mut self, report: &mut Report) -> Checked {
        let seats = self.game.seats();
        let twin = match build::<G>(&table_of(self.game.rules()), seats) {
            Ok(twin) => twin,
            Err(error) => {
                return Err(Fault::new(Property::Rules, format!("the same rules are refused: {error}")));
            }
        };
        let mut driver = Driver::new(self.seed, 0, seats);
        self.state = twin.initial();
        for (step, logged) in self.log.iter().enumerate() {
            self.step = step as u32;
            let same = quick_key(&self.state) == *logged;
            demand!(report, SameSeed, same, "the second game from the same seed has come to another state");
            match twin.turn(&self.state) {
                Turn::Over => {
                    let ended = step + 1 == self.log.len();
                    demand!(report, SameSeed, ended, "the second game is over sooner");
                }
                Turn::Chance(source) => {
                    let outcome = twin.sample_chance(&self.state, driver.word(source));
                    twin.apply(&mut self.state, outcome);
                }
                Turn::Decision(seat) => {
                    let choice = driver.choose(&twin, &self.state, seat, true, &mut self.scratch);
                    twin.apply(&mut self.state, choice.action);
                }
                Turn::Simultaneous(seats) => {
                    self.joint.clear();
                    for seat in seats.iter() {
                        let choice = driver.choose(&twin, &self.state, seat, false, &mut self.scratch);
                        self.joint.push(choice.action);
                    }
                    twin.apply_together(&mut self.state, &self.joint);
                }
            }
        }
        Ok(())
    }

    /// Draws random actions of `seat`, out of the list in `self.actions`.
    pub fn check_draws(&mut self, seat: Seat, shared: &mut Shared<G>) -> Checked {
        let mut taken = [self.actions[0]; DRAWS];
        if let Turn::Decision(_) = self.game.turn(&self.state) {
            // A choice that is played at once is the one that is made, by the same draws.
            let (mut twin, mut at_once, mut after) =
                (self.stream.clone(), self.state.clone(), self.state.clone());
            self.game.apply_random(&mut at_once, seat, &mut twin, &mut self.scratch);
            let mut stream = self.stream.clone();
            let action = self.game.random_action(&after, seat, &mut stream, &mut self.scratch);
            self.game.apply(&mut after, action);
            let same = at_once == after && twin == stream;
            demand!(
                shared.report,
                RandomAction,
                same,
                "`{action}` is drawn, and another state follows at once"
            );
            if G::RANDOM_PLAY != RandomPlay::Choices {
                self.check_turn(seat, shared)?;
            }
        }
        for slot in &mut taken {
            let action = self.game.random_action(&self.state, seat, &mut self.stream, &mut self.scratch);
            let index = self.actions.iter().position(|listed| *listed == action);
            demand!(shared.report, RandomAction, index.is_some(), "`{action}` is not on the list");
            if let Some(index) = index {
                shared.fairness.choice(self.actions.len(), index);
            }
            *slot = action;
        }
        shared.fairness.choices(&self.actions, &taken);
        Ok(())
    }

    /// A turn that is played at once is the one that is made step by step, by the same words.
    fn check_turn(&mut self, seat: Seat, shared: &mut Shared<G>) -> Checked {
        let game = self.game;
        let (mut state, mut stream) = (self.state.clone(), self.stream.clone());
        let mut luck = Deal::new(self.seed, 0, self.step as u64, 0, game.seats());
        luck.make_all(game.luck());
        let (mut at_once, mut twin, mut same_luck) = (state.clone(), stream.clone(), luck.clone());
        let made = game.random_turn(&mut at_once, seat, &mut twin, &mut same_luck, &mut self.scratch);
        let mut decisions = 0;
        while game.turn(&state) == Turn::Decision(seat) {
            let action = game.random_action(&state, seat, &mut stream, &mut self.scratch);
            game.apply(&mut state, action);
            decisions += 1;
            while let Turn::Chance(source) = game.turn(&state) {
                let outcome = game.sample_chance(&state, luck.word(source));
                game.apply(&mut state, outcome);
            }
        }
        let same = at_once == state && made == decisions && twin == stream && luck == same_luck;
        demand!(
            shared.report,
            RandomAction,
            same,
            "a turn of {decisions} decisions goes another way when it is played at once"
        );
        Ok(())
    }
}

/// Finds the place of a sampled outcome in its distribution, and whether `word` falls there.
pub(super) fn check_sample<A: crate::game::GameAction>(
    outcomes: &[(A, f64)],
    word: u64,
    outcome: A,
    report: &mut Report,
) -> Result<usize, Box<Fault>> {
    let mut before = 0.0;
    for (index, &(listed, probability)) in outcomes.iter().enumerate() {
        if listed == outcome {
            let part = before - EDGE..before + probability + EDGE;
            let inside = part.contains(&unit(word));
            demand!(report, Sampling, inside, "{} gives `{outcome}`, whose part is {part:?}", unit(word));
            return Ok(index);
        }
        before += probability;
    }
    Err(Fault::new(Property::Sampling, format!("`{outcome}` is no outcome that the rules list")))
}

/// Plays one game on fresh luck for its draws alone.
pub(super) fn gather<G: Catalogued>(game: &G, seed: u64, fairness: &mut Fairness<G::Action>) {
    const PHASE: u32 = 1;
    let mut driver = Driver::new(seed, PHASE, game.seats());
    let mut stream = Stream::new(key(seed, PHASE, 0, Purpose::Check, 2));
    let (mut actions, mut outcomes, mut scratch, mut joint) = (vec![], vec![], vec![], vec![]);
    let mut state = game.initial();
    for step in 0_usize.. {
        let close = stream.below(step + 1) < CLOSE;
        let mut choose = |seat, alone, state: &G::State, fairness: &mut Fairness<G::Action>| {
            game.actions(state, seat, &mut actions);
            let place = |action| actions.iter().position(|listed| *listed == action);
            if close {
                let taken: [G::Action; DRAWS] =
                    std::array::from_fn(|_| game.random_action(state, seat, &mut stream, &mut scratch));
                for index in taken.iter().filter_map(|action| place(*action)) {
                    fairness.choice(actions.len(), index);
                }
                fairness.choices(&actions, &taken);
            }
            let choice = driver.choose(game, state, seat, alone, &mut scratch);
            if let (true, Some(index)) = (choice.random, place(choice.action)) {
                fairness.choice(actions.len(), index);
            }
            choice.action
        };
        match game.turn(&state) {
            Turn::Over => break,
            Turn::Decision(seat) => {
                let action = choose(seat, true, &state, fairness);
                game.apply(&mut state, action);
            }
            Turn::Simultaneous(seats) => {
                joint.clear();
                joint.extend(seats.iter().map(|seat| choose(seat, false, &state, fairness)));
                game.apply_together(&mut state, &joint);
            }
            Turn::Chance(source) => {
                game.chance(&state, &mut outcomes);
                let outcome = game.sample_chance(&state, driver.word(source));
                if let Some(index) = outcomes.iter().position(|(listed, _)| *listed == outcome) {
                    fairness.luck(source.kind, &outcomes, index, stream.unit());
                }
                game.apply(&mut state, outcome);
            }
        }
    }
}
