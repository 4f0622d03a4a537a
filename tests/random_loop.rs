//! Random games in a loop of their own, however a game lets them be played: the same games as those of agents that
//! are asked, and none without an end.

use dhow::agents::registry::Spec;
use dhow::game::{
    Game, Heuristics, Luck, Outcome, ParseActionError, RandomPlay, Seat, SeatSet, Source, Turn,
};
use dhow::tournament::{GameKey, GameRecord, Players, play_game};
use serde::{Deserialize, Serialize};

/// In each of several rounds a seat adds numbers until it says 0, a coin of its own is thrown, and then all seats say a
/// number at once. `PLAY` is the way of playing it at random: 0 choice by choice, 1 by turns, 2 by short turns.
struct Rounds<const PLAY: u8> {
    end: End,
}

/// How the game goes on.
#[derive(Clone, Copy, PartialEq, Debug)]
enum End {
    /// To its end.
    Comes,
    /// The first seat decides again and again.
    NeverInATurn,
    /// One seat after the other, again and again.
    NeverInRounds,
    /// All seats at once, again and again.
    NeverTogether,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
enum Phase {
    Add,
    Throw,
    Together,
}

#[derive(Clone, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
struct State {
    round: u8,
    phase: Phase,
    sums: [u32; 3],
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

impl State {
    fn at(&self) -> usize {
        self.round as usize % 3
    }
}

impl<const PLAY: u8> Game for Rounds<PLAY> {
    type State = State;
    type Action = Say;
    const RANDOM_PLAY: RandomPlay = match PLAY {
        0 => RandomPlay::Choices,
        1 => RandomPlay::Turns,
        _ => RandomPlay::ShortTurns,
    };

    fn seats(&self) -> usize {
        3
    }
    fn luck(&self) -> &'static [Luck] {
        const { &[Luck::per_seat("coin")] }
    }
    fn endings(&self) -> &'static [&'static str] {
        &["said"]
    }
    fn step_limit(&self) -> u32 {
        1000
    }
    fn initial(&self) -> State {
        State { round: 0, phase: Phase::Add, sums: [0; 3] }
    }
    fn turn(&self, state: &State) -> Turn {
        match state.phase {
            _ if state.round == 20 => Turn::Over,
            Phase::Add => Turn::Decision(Seat::new(state.at())),
            Phase::Throw => Turn::Chance(Source::of(0, Seat::new(state.at()))),
            Phase::Together => Turn::Simultaneous(SeatSet::all(3)),
        }
    }
    fn actions(&self, _: &State, _: Seat, out: &mut Vec<Say>) {
        out.clear();
        out.extend((0..5).map(Say));
    }
    fn chance(&self, _: &State, out: &mut Vec<(Say, f64)>) {
        out.clear();
        out.extend([(Say(0), 0.5), (Say(1), 0.5)]);
    }
    fn apply(&self, state: &mut State, Say(number): Say) {
        let at = state.at();
        state.sums[at] = state.sums[at].wrapping_mul(5).wrapping_add(number.into());
        match (self.end, state.phase) {
            (End::NeverInATurn, _) => {}
            (End::NeverInRounds, _) => state.round = (state.round + 1) % 3,
            (_, Phase::Add) if number == 0 => state.phase = Phase::Throw,
            (_, Phase::Add) => {}
            (_, Phase::Throw) => state.phase = Phase::Together,
            (_, Phase::Together) => unreachable!("all choose at once"),
        }
    }
    fn apply_together(&self, state: &mut State, said: &[Say]) {
        for (sum, &Say(number)) in state.sums.iter_mut().zip(said) {
            *sum = sum.wrapping_mul(5).wrapping_add(number.into());
        }
        if self.end != End::NeverTogether {
            (state.round, state.phase) = (state.round + 1, Phase::Add);
        }
    }
    fn outcome(&self, state: &State) -> Option<Outcome> {
        (state.round == 20).then(|| Outcome::from_scores("said", &state.sums.map(|sum| (sum >> 1) as i32)))
    }
    fn turns(&self, state: &State) -> u32 {
        state.round.into()
    }
}

impl<const PLAY: u8> Heuristics for Rounds<PLAY> {
    fn value(&self, _: &State, out: &mut [f64]) {
        out.fill(1.0 / 3.0);
    }
    fn turn_id(&self, state: &State) -> u32 {
        state.round.into()
    }
}

/// One random game: in the loop of its own, or with every choice checked, which that loop leaves to the other.
fn game<const PLAY: u8>(end: End, block: u64, checked: bool) -> Result<GameRecord, String> {
    let random = Spec::parse("random").unwrap();
    let mut players = Players::<Rounds<PLAY>>::new([&random, &random, &random]).unwrap();
    let seating = [0, 1, 2, 0, 0, 0];
    let key = GameKey { seed: 3, phase: 0, block, rotation: 1, luck_rotation: 1, seating };
    play_game(&Rounds::<PLAY> { end }, &mut players, &key, checked, None)
}

#[test]
fn every_way_of_playing_gives_the_same_games() {
    for block in 0..50 {
        let expected = game::<0>(End::Comes, block, true).unwrap();
        // Twenty at once with all others, and at least one in each of six or seven turns.
        assert!(expected.seats[..3].iter().all(|seat| seat.decisions >= 26), "{expected:?}");
        assert_eq!(game::<0>(End::Comes, block, false).unwrap(), expected);
        assert_eq!(game::<1>(End::Comes, block, false).unwrap(), expected);
        assert_eq!(game::<2>(End::Comes, block, false).unwrap(), expected);
    }
}

#[test]
fn no_way_of_playing_goes_on_without_an_end() {
    for end in [End::NeverInATurn, End::NeverInRounds, End::NeverTogether] {
        for message in [
            game::<0>(end, 0, true),
            game::<0>(end, 0, false),
            game::<1>(end, 0, false),
            game::<2>(end, 0, false),
        ] {
            assert_eq!(message.unwrap_err(), "more than 1000 decisions: the game does not end", "{end:?}");
        }
    }
}
