//! The runner: same bytes for any number of threads, faults caught and counted apart, whole blocks kept.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use dhow::agents::registry::Spec;
use dhow::game::{Game, Heuristics, Luck, Outcome, ParseActionError, Seat, Source, Turn};
use dhow::games::Catalogued;
use dhow::games::registry::{ENTRIES, Setup, Visitor, visit};
use dhow::games::yardsticks::pig::Pig;
use dhow::statistics::Clusters;
use dhow::tournament::{
    Event, GameKey, GameRecord, Job, Listener, Mode, Played, Players, Runner, Shard, Silent, Verify,
    line_ups, play_game,
};
use serde::{Deserialize, Serialize};

/// A coin is thrown; then each seat in turn says a number. On heads three times running it misbehaves.
struct Flawed {
    flaw: Flaw,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Flaw {
    None,
    Panic,
    NeverEnds,
    UnlistedEnding,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
struct State {
    heads: u8,
    throws: u8,
    said: [Option<u8>; 2],
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Say(u8);

impl std::fmt::Display for Say {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}", self.0)
    }
}

impl std::str::FromStr for Say {
    type Err = ParseActionError;
    fn from_str(text: &str) -> Result<Say, ParseActionError> {
        text.parse().map(Say).map_err(|_| ParseActionError::new(text, "a number"))
    }
}

impl Game for Flawed {
    type State = State;
    type Action = Say;
    fn seats(&self) -> usize {
        2
    }
    fn luck(&self) -> &'static [Luck] {
        const { &[Luck::per_seat("coin")] }
    }
    fn endings(&self) -> &'static [&'static str] {
        &["said"]
    }
    fn step_limit(&self) -> u32 {
        10
    }
    fn initial(&self) -> State {
        State { heads: 0, throws: 0, said: [None; 2] }
    }
    fn turn(&self, state: &State) -> Turn {
        match state {
            State { throws: 0..3, .. } => Turn::Chance(Source::of(0, Seat::new(0))),
            State { said: [None, _], .. } => Turn::Decision(Seat::new(0)),
            State { said: [_, None], .. } => Turn::Decision(Seat::new(1)),
            _ => Turn::Over,
        }
    }
    fn actions(&self, _: &State, _: Seat, out: &mut Vec<Say>) {
        out.clear();
        out.extend((0..4).map(Say));
    }
    fn chance(&self, _: &State, out: &mut Vec<(Say, f64)>) {
        out.clear();
        out.extend([(Say(0), 0.5), (Say(1), 0.5)]);
    }
    fn apply(&self, state: &mut State, action: Say) {
        if state.throws < 3 {
            state.throws += 1;
            state.heads += action.0;
            return;
        }
        match (state.heads, self.flaw) {
            (3, Flaw::Panic) => panic!("three heads"),
            (3, Flaw::NeverEnds) => {}
            _ if state.said[0].is_none() => state.said[0] = Some(action.0),
            _ => state.said[1] = Some(action.0),
        }
    }
    fn outcome(&self, state: &State) -> Option<Outcome> {
        let [Some(first), Some(second)] = state.said else { return None };
        let ending = if state.heads == 3 && self.flaw == Flaw::UnlistedEnding { "unheard" } else { "said" };
        Some(Outcome::from_scores(ending, &[first as i32, second as i32]))
    }
    fn turns(&self, state: &State) -> u32 {
        state.throws as u32
    }
}

impl Heuristics for Flawed {
    fn value(&self, _: &State, out: &mut [f64]) {
        out.fill(0.5);
    }
    fn turn_id(&self, _: &State) -> u32 {
        0
    }
}

fn run(flaw: Flaw, threads: usize, games: u64, listener: &mut dyn Listener) -> Played {
    let stop = AtomicBool::new(false);
    let runner = Runner::new(threads, &stop, Verify::Sample).unwrap();
    let agents = [Spec::parse("random").unwrap()];
    let line_ups = line_ups(1, 2, Mode::SelfPlay, true);
    let job = Job {
        line_ups: &line_ups,
        agents: &agents,
        games,
        seed: 7,
        phase: 0,
        by: &[],
        records: true,
        shard: Shard::default(),
        ask: Default::default(),
    };
    runner.run(&Flawed { flaw }, &job, listener).unwrap().part.line_ups.remove(0)
}

#[derive(Default)]
struct Keep(Vec<GameRecord>);

impl Listener for Keep {
    fn hear(&mut self, event: Event<'_>) -> io::Result<()> {
        if let Event::Batch { records, .. } = event {
            self.0.extend_from_slice(records);
        }
        Ok(())
    }
}

#[test]
fn same_counts_and_records_for_any_number_of_threads() {
    let mut first: Option<(Played, Vec<GameRecord>)> = None;
    for threads in [1, 2, 7] {
        let mut keep = Keep::default();
        let played = run(Flaw::None, threads, 20_000, &mut keep);
        assert_eq!(played.tally.games, 20_000);
        assert_eq!(keep.0.len(), 20_000);
        assert!(keep.0.is_sorted_by_key(|game| (game.block, game.rotation)));
        match &first {
            None => first = Some((played, keep.0)),
            Some((tally, records)) => {
                assert_eq!(tally.tally, played.tally);
                assert!(*records == keep.0);
            }
        }
    }
}

#[test]
fn a_fault_leaves_its_whole_block_out_and_is_counted_apart() {
    // Three heads come in one deal of eight, for both games of the block or for neither: the thrower is
    // seat 1 in both, but its luck goes round, so a block is hit with probability 1 - (7/8)².
    let clean = run(Flaw::None, 2, 20_000, &mut Silent).tally;
    for flaw in [Flaw::Panic, Flaw::NeverEnds, Flaw::UnlistedEnding] {
        let mut keep = Keep::default();
        let played = run(flaw, 2, 20_000, &mut keep);
        let tally = &played.tally;
        assert_eq!(tally.blocks + tally.faulty_blocks, clean.blocks, "{flaw:?}");
        assert_eq!(tally.games, 2 * tally.blocks);
        assert_eq!(keep.0.len() as u64, tally.games);
        let rate = tally.faulty_blocks as f64 / clean.blocks as f64;
        assert!((rate - 15.0 / 64.0).abs() < 0.02, "{flaw:?}: {rate}");
        assert_eq!(played.faults.len(), 100, "only the first hundred are kept whole");
        let message = &played.faults[0].message;
        let expected = match flaw {
            Flaw::Panic => "three heads",
            Flaw::NeverEnds => "more than 10 decisions",
            _ => "unlisted ending",
        };
        assert!(message.contains(expected), "{message}");
    }
}

/// Blocks are played several at a time: one that breaks off takes none of the others with it.
#[test]
fn a_fault_leaves_the_blocks_around_it_as_they_are() {
    let stop = AtomicBool::new(false);
    let agents = [Spec::parse("random").unwrap()];
    let line_ups = line_ups(1, 2, Mode::SelfPlay, true);
    let job = Job {
        line_ups: &line_ups,
        agents: &agents,
        games: 40_000,
        seed: 7,
        phase: 0,
        by: &[],
        records: true,
        // Far from the first games, which are watched one by one.
        shard: Shard::new(2, 2).unwrap(),
        ask: Default::default(),
    };
    let run = |flaw, threads| {
        let mut keep = Keep::default();
        let runner = Runner::new(threads, &stop, Verify::Sample).unwrap();
        let played = runner.run(&Flawed { flaw }, &job, &mut keep).unwrap().part.line_ups.remove(0);
        (played, keep.0)
    };
    let (_, clean) = run(Flaw::None, 1);
    // Who throws three heads is known from the game alone.
    let mut players = Players::<Flawed>::new([&agents[0], &agents[0]]).unwrap();
    let mut message = |game: &GameRecord, flaw| {
        let key = job.key(&line_ups[0], game.block, game.rotation as usize);
        dhow::tournament::quietly(|| play_game(&Flawed { flaw }, &mut players, &key, false, None)).err()
    };
    for flaw in [Flaw::Panic, Flaw::NeverEnds, Flaw::UnlistedEnding] {
        let (mut sound, mut faults) = (Vec::new(), Vec::new());
        for block in clean.chunks_exact(2) {
            let broken = block.iter().find_map(|game| Some((game, message(game, flaw)?)));
            match broken {
                None => sound.extend_from_slice(block),
                Some((game, message)) => faults.push((game.block, game.rotation as usize, message)),
            }
        }
        for threads in [1, 3] {
            let (played, records) = run(flaw, threads);
            assert!(records == sound, "{flaw:?}");
            assert_eq!(played.tally.games, sound.len() as u64);
            let decisions: u64 =
                sound.iter().flat_map(|game| game.seats).map(|seat| seat.decisions as u64).sum();
            assert_eq!(played.tally.agent_total(0).decisions, decisions);
            assert_eq!(played.tally.faulty_blocks, faults.len() as u64);
            let found =
                played.faults.iter().map(|fault| (fault.block, fault.rotation, fault.message.clone()));
            assert!(found.eq(faults.iter().take(100).cloned()), "{flaw:?}");
        }
    }
}

/// Two line-ups of the same deals: counted apart, and the agent that plays in both counts a deal once.
#[test]
fn line_ups_of_one_arm_share_their_deals() {
    let stop = AtomicBool::new(false);
    let runner = Runner::new(2, &stop, Verify::Sample).unwrap();
    let agents = ["random", "greedy", "threshold:hold=20"].map(|text| Spec::parse(text).unwrap());
    let game = Pig::new(Pig::default_rules(2), 2).unwrap();
    let line_ups = line_ups(3, 2, Mode::RoundRobin, true);
    let job = Job {
        line_ups: &line_ups,
        agents: &agents,
        games: 400,
        seed: 7,
        phase: 0,
        by: &[],
        records: true,
        shard: Shard::default(),
        ask: Default::default(),
    };
    let mut keep = Keep::default();
    let played = runner.run(&game, &job, &mut keep).unwrap();
    let pooled = played.part.pooled.unwrap();
    for agent in 0..3 {
        // Recounted from the records, block by block over all line-ups.
        let mut expected = Clusters::default();
        for block in 0..200 {
            let (mut seatings, mut units) = (0, 0);
            for game in keep.0.iter().filter(|game| game.block == block) {
                for seat in &game.seats[..2] {
                    if line_ups[game.line_up as usize].roles[seat.role as usize] == agent {
                        seatings += 1;
                        units += seat.share_units as u64;
                    }
                }
            }
            expected.add_block(seatings, units);
        }
        assert_eq!(pooled.agents[agent], expected);
        assert_eq!((expected.blocks(), expected.seatings()), (200, 800));
    }
}

#[test]
fn a_stopped_run_keeps_whole_blocks() {
    struct StopAfterOne<'a>(&'a AtomicBool);
    impl Listener for StopAfterOne<'_> {
        fn hear(&mut self, event: Event<'_>) -> io::Result<()> {
            if let Event::Batch { .. } = event {
                self.0.store(true, Ordering::Relaxed);
            }
            Ok(())
        }
    }
    let stop = AtomicBool::new(false);
    let runner = Runner::new(2, &stop, Verify::Sample).unwrap();
    let agents = [Spec::parse("random").unwrap()];
    let line_ups = line_ups(1, 2, Mode::SelfPlay, true);
    let job = Job {
        line_ups: &line_ups,
        agents: &agents,
        games: 1_000_000,
        seed: 7,
        phase: 0,
        by: &[],
        records: false,
        shard: Shard::default(),
        ask: Default::default(),
    };
    let played = runner.run(&Flawed { flaw: Flaw::None }, &job, &mut StopAfterOne(&stop)).unwrap();
    assert!(played.stopped);
    let played = &played.part.line_ups[0];
    assert!(played.tally.games > 0 && played.tally.games < 1_000_000);
    assert_eq!(played.tally.games, 2 * played.tally.blocks);
}

#[test]
fn a_listener_that_fails_ends_the_run() {
    struct Full;
    impl Listener for Full {
        fn hear(&mut self, event: Event<'_>) -> io::Result<()> {
            match event {
                Event::Batch { .. } => Err(io::Error::from(io::ErrorKind::StorageFull)),
                _ => Ok(()),
            }
        }
    }
    let stop = AtomicBool::new(false);
    let runner = Runner::new(1, &stop, Verify::Sample).unwrap();
    let agents = [Spec::parse("random").unwrap()];
    let line_ups = line_ups(1, 2, Mode::SelfPlay, true);
    let job = Job {
        line_ups: &line_ups,
        agents: &agents,
        games: 10,
        seed: 7,
        phase: 0,
        by: &[],
        records: false,
        shard: Shard::default(),
        ask: Default::default(),
    };
    let error = runner.run(&Flawed { flaw: Flaw::None }, &job, &mut Full).unwrap_err();
    assert!(error.to_string().contains("cannot write results"), "{error}");
}

/// Games that are checked move by move ask every agent; games of random players alone have a loop of their
/// own, which must be the same game.
struct BothLoops;

impl Visitor for BothLoops {
    type Output = ();
    fn visit<G: Catalogued>(self, game: G) {
        let seats = game.seats();
        let spec = Spec::parse("random").unwrap();
        let mut players = Players::<G>::new(std::iter::repeat_n(&spec, seats)).unwrap();
        for block in 0..6 {
            let seating = std::array::from_fn(|seat| seat.min(seats - 1));
            let luck_rotation = block as usize % seats;
            // Players go from run to run: nothing of the last seed and phase may stay.
            let (seed, phase) = (5 + block / 2 % 2, block as u32 / 4);
            let key = GameKey { seed, phase, block, rotation: luck_rotation, luck_rotation, seating };
            let mut record = |verify| play_game(&game, &mut players, &key, verify, None).unwrap();
            let quick = record(false);
            assert!(quick.seats.iter().map(|seat| seat.decisions).sum::<u32>() > 0);
            assert_eq!(quick, record(true), "{} with {seats} seats, block {block}", G::NAME);
        }
    }
}

#[test]
fn random_players_play_the_same_games_in_their_own_loop() {
    for entry in ENTRIES {
        for seats in entry.seats() {
            let setup = Setup { game: entry.name.to_owned(), seats, rules: toml::Table::new() };
            visit(&setup, BothLoops).unwrap();
        }
    }
}
