//! Random play with the engine and the slow twin side by side: whole games and constructed positions, two
//! to four players, random rule switches, with choices biased towards what is rare.

use std::collections::BTreeMap;

use dhow::game::{Game, Turn};
use dhow::games::six_sided_seas::{Action, SixSidedSeas, Slot};
use dhow::games::switches;
use dhow::streams::Stream;

use rand::TryRng;

use crate::table::{Table, rules};
use crate::twin::{Phase, Rules, SLOTS, Twin};

/// Names the seed of a run that fails.
struct Seed(u64);

impl Drop for Seed {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("seed {}", self.0);
        }
    }
}

fn kind(action: Action) -> &'static str {
    match action {
        Action::Roll => "roll",
        Action::Stop => "stop",
        Action::AcceptOverboard => "accept",
        Action::EvadePlace(_) => "evade",
        Action::EvadeDone => "evade done",
        Action::JackpotCoin => "jackpot coin",
        Action::JackpotDie => "jackpot die",
        Action::Bump { on: None, .. } => "bump",
        Action::Bump { .. } => "bump ship",
        Action::Reef { on: None, .. } => "reef",
        Action::Reef { .. } => "reef ship",
        Action::Mitosis(_) => "mitosis",
        Action::Noodles { on: None, .. } => "noodles",
        Action::Noodles { .. } => "noodles ship",
        Action::Place { slot: Slot::Explorer, .. } => "place explorer",
        Action::Place { slot: Slot::DoubleTime, .. } => "place double time",
        Action::Place { slot: Slot::M1 | Slot::M2, .. } => "place main",
        Action::Place { .. } => "place",
        Action::Activate(_) => "activate",
        Action::Unhold => "unhold",
        Action::Remove { .. } => "remove",
        Action::End => "end",
        Action::Target(_) => "target",
        Action::ClaimIsland(_) => "claim",
        Action::BlockSpace { die: 0, .. } => "block empty",
        Action::BlockSpace { .. } => "block",
        Action::BlockNone => "block none",
        Action::RemoveEvade(_) => "discard",
        Action::GrogTarget(_) => "grog",
        Action::Die(_) => "die",
    }
}

/// How often each kind of thing happened, over all runs.
#[derive(Default)]
struct Seen(BTreeMap<String, usize>);

impl Seen {
    fn note(&mut self, what: impl Into<String>) {
        *self.0.entry(what.into()).or_default() += 1;
    }
}

/// A player's taste in one run: a weight for each kind of action.
struct Taste(BTreeMap<&'static str, usize>);

impl Taste {
    fn weight(&mut self, action: Action, stream: &mut Stream) -> usize {
        let kind = kind(action);
        *self.0.entry(kind).or_insert_with(|| match kind {
            "remove" => 1,
            "end" => [1, 1, 4][stream.below(3)],
            "activate" => [4, 20, 60][stream.below(3)],
            _ => [1, 5, 5, 25][stream.below(4)],
        })
    }

    fn choose(&mut self, list: &[Action], stream: &mut Stream) -> Action {
        let weights: Vec<usize> = list.iter().map(|&action| self.weight(action, stream)).collect();
        let mut at = stream.below(weights.iter().sum());
        for (&action, weight) in list.iter().zip(weights) {
            if at < weight {
                return action;
            }
            at -= weight;
        }
        unreachable!()
    }
}

/// Plays on with random choices, comparing at every step.
fn play(table: &mut Table, steps: usize, stream: &mut Stream, seen: &mut Seen) {
    let mut taste = Taste(BTreeMap::new());
    let mut buffer = Vec::new();
    let mut decisions = 0;
    for step in 0..steps {
        if step % 16 == 0 {
            table.round_trips();
        }
        let action = match table.game.turn(&table.state) {
            Turn::Over => {
                seen.note(table.outcome().ending());
                return;
            }
            Turn::Chance(_) => {
                if table.twin.phase == Phase::HpRolling {
                    seen.note("resurrection");
                }
                table.game.sample_chance(&table.state, stream.word())
            }
            Turn::Decision(seat) => {
                decisions += 1;
                assert!(decisions <= table.game.step_limit());
                let list = table.legal();
                let random = table.game.random_action(&table.state, seat, stream, &mut buffer);
                assert!(list.contains(&random), "{random} is not legal\n{}", table.report());
                taste.choose(&list, stream)
            }
            Turn::Simultaneous(_) => unreachable!(),
        };
        seen.note(kind(action));
        table.step(action);
        table.compare();
    }
}

/// The published rules now and then, else random switches.
fn random_rules(seats: usize, stream: &mut Stream) -> Rules {
    let changes = match stream.below(4) {
        0 => toml::Table::new(),
        _ => switches::random_overrides::<SixSidedSeas>(seats, stream),
    };
    rules(seats, &changes)
}

/// A position that play need not reach, with much on the table.
fn random_position(mut twin: Twin, stream: &mut Stream) -> Table {
    let seats = twin.seats();
    let win_at = twin.rules.plunder_win_at as usize;
    let chance = |percent: usize, stream: &mut Stream| stream.below(100) < percent;
    twin.current = stream.below(seats);
    if chance(10, stream) {
        twin.turn_no = twin.rules.turn_cap.saturating_sub(stream.below(3) as u32).max(1);
    }
    for seat in 0..seats {
        let ghost = chance(30, stream) && twin.living().len() > 2;
        let doubles = match twin.rules.double_double.as_str() {
            "forbid" => stream.below(2),
            _ => stream.below(4),
        };
        let captain = &mut twin.captains[seat];
        captain.coin = (1 + stream.below(win_at - 1)).max(1 + stream.below(win_at - 1)) as i32;
        captain.hp = (1 + stream.below(12)).min(1 + stream.below(6)) as i32;
        captain.grog = if !chance(30, stream) {
            0
        } else if twin.rules.grog_stack {
            1 + stream.below(3) as u32
        } else {
            1
        };
        let waits = twin.rules.double_expiry == "never" || seat == twin.current;
        if waits && chance(50, stream) {
            captain.doubles = doubles as u32;
        }
        if ghost {
            captain.make_ghost();
        }
    }
    for island in 0..6 {
        let owner = stream.below(seats);
        if chance(60, stream) && !twin.captains[owner].ghost && twin.has_die(owner) {
            twin.islands[island] = Some(owner);
        }
    }
    let fullness = 20 + stream.below(80);
    for seat in 0..seats {
        for slot in SLOTS {
            if twin.captains[seat].ghost && !crate::twin::GHOST_SLOTS.contains(&slot) {
                continue;
            }
            for _ in 0..3 {
                let owner = stream.below(seats);
                if chance(8, stream)
                    && owner != seat
                    && twin.captains[seat].has_free(slot)
                    && twin.has_die(owner)
                {
                    twin.block(seat, slot, owner);
                }
                let die = 1 + stream.below(6) as u8;
                let mut dice = twin.captains[seat].dice(slot);
                dice.push(die);
                if chance(fullness, stream)
                    && twin.captains[seat].has_free(slot)
                    && twin.fits(slot, &dice)
                    && twin.has_die(seat)
                {
                    twin.captains[seat].put(slot, die);
                }
            }
        }
    }
    let me = twin.current;
    let ghost = twin.captains[me].ghost;
    match stream.below(3) {
        0 => {
            if twin.rules.double_expiry != "never" {
                twin.captains[me].doubles = 0;
            }
            return Table::begin(twin);
        }
        1 => {
            for _ in 0..if ghost { stream.below(3) } else { stream.below(6) } {
                if twin.has_die(me) {
                    twin.pool.push(1 + stream.below(6) as u8);
                }
            }
            twin.captains[me].hold_fresh =
                !twin.captains[me].dice(Slot::Hold).is_empty() && chance(30, stream);
            twin.phase = Phase::Order;
        }
        _ if ghost || !twin.has_die(me) => {
            twin.phase = Phase::Order;
        }
        _ => {
            twin.grog_to_come = stream.below(2) as u32;
            while twin.has_die(me) && (twin.total() < twin.captains[me].coin) {
                twin.join(1 + stream.below(6) as u8);
                if chance(30, stream) {
                    break;
                }
            }
            twin.check();
            if twin.phase == Phase::Over && chance(30, stream) {
                twin.phase = Phase::EvadeFill;
            }
        }
    }
    for used in &mut twin.used {
        *used = stream.below(5) == 0;
    }
    Table::of(twin)
}

/// One whole game of random play.
fn whole_game(seed: u64, seen: &mut Seen) {
    let named = Seed(seed);
    let mut stream = Stream::from_seed(seed);
    let seats = 2 + seed as usize % 3;
    let twin = Twin::empty(random_rules(seats, &mut stream), seats);
    let mut table = Table::fresh(twin);
    play(&mut table, 3000, &mut stream, seen);
    drop(named);
}

/// Sixty steps from a constructed position.
fn constructed_position(seed: u64, seen: &mut Seen) {
    let named = Seed(seed);
    let mut stream = Stream::from_seed(seed);
    let seats = 2 + seed as usize % 3;
    let twin = Twin::empty(random_rules(seats, &mut stream), seats);
    let mut table = random_position(twin, &mut stream);
    play(&mut table, 60, &mut stream, seen);
    drop(named);
}

/// Everything that the runs are to have met.
const ALL_KINDS: [&str; 35] = [
    "roll",
    "stop",
    "accept",
    "evade",
    "evade done",
    "jackpot coin",
    "jackpot die",
    "bump",
    "bump ship",
    "reef",
    "reef ship",
    "mitosis",
    "noodles",
    "noodles ship",
    "place explorer",
    "place double time",
    "place main",
    "place",
    "activate",
    "unhold",
    "remove",
    "end",
    "target",
    "claim",
    "block empty",
    "block",
    "block none",
    "discard",
    "grog",
    "die",
    "resurrection",
    "sink",
    "plunder",
    "exploration",
    "cap",
];

fn expect_all(seen: &Seen) {
    for what in ALL_KINDS {
        let count = seen.0.get(what).copied().unwrap_or(0);
        assert!(count >= 3, "{what} happened {count} times only: {:?}", seen.0);
    }
}

#[test]
fn whole_games_agree() {
    for seed in 0..40 {
        whole_game(seed, &mut Seen::default());
    }
}

/// Plays from many constructed positions, and makes sure that they lead everywhere.
fn constructed_positions(seeds: std::ops::Range<u64>) {
    let mut seen = Seen::default();
    seeds.for_each(|seed| constructed_position(seed, &mut seen));
    expect_all(&seen);
}

#[test]
fn constructed_positions_agree() {
    constructed_positions(1_000..2_200);
}

#[test]
fn more_constructed_positions_agree() {
    constructed_positions(2_200..3_400);
}

/// Other games in every run of the tests. A failure names its seed: give that to the functions above.
#[test]
fn fresh_games_agree() {
    let mut stream = Stream::from_seed(rand::rngs::SysRng.try_next_u64().expect("the system has randomness"));
    for _ in 0..5 {
        whole_game(stream.word(), &mut Seen::default());
    }
    for _ in 0..500 {
        constructed_position(stream.word(), &mut Seen::default());
    }
}

/// The long run: minutes rather than seconds.
#[test]
#[ignore = "takes minutes"]
fn very_many_games_agree() {
    let mut stream = Stream::from_seed(rand::rngs::SysRng.try_next_u64().expect("the system has randomness"));
    for _ in 0..1_000 {
        whole_game(stream.word(), &mut Seen::default());
    }
    for _ in 0..100_000 {
        constructed_position(stream.word(), &mut Seen::default());
    }
}

/// The engine's own uniform choice draws every legal action, each as often.
#[test]
fn random_actions_are_uniform() {
    let mut buffer = Vec::new();
    let mut tried = 0;
    for seed in 0..600 {
        let _named = Seed(seed);
        let mut stream = Stream::from_seed(seed);
        let seats = 2 + seed as usize % 3;
        let twin = Twin::empty(random_rules(seats, &mut stream), seats);
        let table = random_position(twin, &mut stream);
        let Turn::Decision(seat) = table.game.turn(&table.state) else { continue };
        let list = table.legal();
        if list.len() < 2 {
            continue;
        }
        tried += 1;
        let mut counts = vec![0u32; list.len()];
        let draws = 40 * list.len() as u32;
        for _ in 0..draws {
            let action = table.game.random_action(&table.state, seat, &mut stream, &mut buffer);
            counts[list.binary_search(&action).expect("a legal action")] += 1;
        }
        // Chi-squared with k degrees of freedom has mean k and variance 2k: this is far out in its tail,
        // and a missing or doubled action lies far beyond.
        let chi: f64 = counts.iter().map(|&count| (count as f64 - 40.0).powi(2) / 40.0).sum();
        let freedom = (list.len() - 1) as f64;
        assert!(chi < freedom + 5.5 * (2.0 * freedom).sqrt() + 10.0, "chi {chi}: {list:?} {counts:?}");
    }
    assert!(tried > 300);
}
