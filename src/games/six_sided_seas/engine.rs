//! The rules in motion: [`Game`] for *Six-Sided Seas*. Legal actions are found in `options`, turns and the
//! Roll phase in `turns`, activated actions in `effects`.

use super::action::Action;
use super::rules::{DoubleDouble, IslandScope, MAX_QUADRUPLE, RemovePlaced, Rules, SupplyLimit};
use super::ship::{Fits, Ship, Slot};
use super::state::{Ending, Phase, State, Tally};
use super::value::{Judge, Weights};
use crate::game::{Game, Luck, Outcome, RandomPlay, Seat, SeatSet, Source, Turn};
use crate::games::switches::RuleError;
use crate::streams::{Stream, below};

/// A match of *Six-Sided Seas*.
#[derive(Clone, Debug)]
pub struct SixSidedSeas {
    pub(super) rules: Rules,
    pub(super) fits: Fits,
    /// S-02, looked at often.
    pub(super) unlimited: bool,
    /// Whether actions exist that the published game does not know.
    pub(super) rare: bool,
    pub(super) judge: Judge,
    /// Judges for who plans whole turns.
    pub(super) planned: Box<Judge>,
    /// S-08, looked at often.
    auto_activate: bool,
    seats: usize,
}

impl SixSidedSeas {
    /// A match with these rules, for 2 to 4 seats.
    ///
    /// # Errors
    /// [`RuleError`] as [`Rules::validate`] gives it.
    pub fn with_rules(rules: Rules, seats: usize) -> Result<SixSidedSeas, RuleError> {
        rules.validate(seats)?;
        let fits = Fits::new(&rules);
        Ok(SixSidedSeas {
            judge: Judge::new(&rules, &fits, Weights::TUNED),
            planned: Box::new(Judge::new(&rules, &fits, Weights::planned(seats))),
            fits,
            unlimited: rules.supply_limit == SupplyLimit::Unlimited,
            rare: rules.island_scope == IslandScope::PoolAndShip
                || rules.remove_placed == RemovePlaced::AnyOwn,
            auto_activate: rules.full_persist == super::rules::FullPersist::AutoActivate,
            rules,
            seats,
        })
    }

    /// `bit` is [`Ship::bit`] of the slot and the die.
    #[inline]
    pub(super) fn place(&self, state: &mut State, slot: Slot, die: u8, bit: usize) {
        state.pool.remove(die);
        let player = &mut state.players[state.current as usize & 3];
        player.ship.add_bit(bit);
        player.hold_fresh |= slot == Slot::Hold;
        if self.auto_activate {
            self.activate_full(state, slot);
        }
    }

    /// S-08: an action that is full is activated at once.
    #[cold]
    fn activate_full(&self, state: &mut State, slot: Slot) {
        if let Some(action) = slot.action() {
            let player = &state.players[state.current as usize & 3];
            let full = action.slots().iter().all(|&slot| self.fits.full(player.ship, slot));
            if full && self.may_activate(player, action) {
                self.activate(state, action);
            }
        }
    }

    /// [`Game::apply`] for what does not happen several times in every turn.
    #[inline(never)]
    pub(super) fn apply_detail(&self, state: &mut State, action: Action) {
        match action {
            Action::EvadeDone => self.end_turn(state),
            Action::AcceptOverboard => {
                let tally = &mut state.tallies[state.current as usize & 3];
                tally.busts = tally.busts.saturating_add(1);
                state.phase = Phase::Evade;
            }
            Action::EvadePlace(die) => {
                state.pool.remove(die);
                state.players[state.current as usize & 3].ship.add(Slot::Evade, die);
            }
            Action::JackpotCoin => self.jackpot_coin(state),
            Action::JackpotDie => state.phase = Phase::JackpotDie,
            Action::Bump { die, on } => self.bump(state, die, on),
            Action::Reef { die, on } => self.reef(state, die, on),
            Action::Mitosis(die) => self.mitosis(state, die),
            Action::Noodles { die, on } => self.noodles(state, die, on),
            Action::Remove { slot, die } => self.give_up(state, slot, die),
            Action::ClaimIsland(island) => self.claim(state, island),
            Action::BlockSpace { slot, die } => self.block(state, slot, die),
            Action::BlockNone => self.block_done(state),
            Action::RemoveEvade(die) => self.discard(state, die),
            Action::GrogTarget(seat) => self.send_grog(state, seat),
            Action::Die(_)
            | Action::Roll
            | Action::Stop
            | Action::Place { .. }
            | Action::Activate(_)
            | Action::End
            | Action::Target(_)
            | Action::Unhold => {
                debug_assert!(false, "`apply` does these");
            }
        }
    }

    fn jackpot_coin(&self, state: &mut State) {
        let player = &mut state.players[state.current as usize & 3];
        player.coin += self.rules.jackpot_gain;
        if !self.rules.jackpot_can_win {
            player.coin = player.coin.min(self.rules.plunder_win_at - 1);
        }
        state.phase = Phase::Order;
        if self.wins_by_coins(state) {
            self.finish(state, Ending::Plunder, Some(state.current));
        }
    }

    #[inline]
    fn target(&self, state: &mut State, seat: Seat) {
        state.pending.target = seat.number() as u8;
        self.run_effects(state);
    }

    #[inline]
    fn unhold(&self, state: &mut State) {
        let ship = &mut state.players[state.current as usize & 3].ship;
        let die = ship.single(Slot::Hold);
        ship.clear(Slot::Hold);
        state.pool.add(die);
    }

    fn give_up(&self, state: &mut State, slot: Slot, die: u8) {
        let player = &mut state.players[state.current as usize & 3];
        player.ship.remove(slot, die);
        player.supply += 1;
        player.hold_fresh &= player.ship.count(Slot::Hold) > 0;
    }

    fn send_grog(&self, state: &mut State, seat: Seat) {
        let grogged = &mut state.players[seat.index() & 3].grogged;
        *grogged = if self.rules.grog_stack { grogged.saturating_add(1) } else { 1 };
        state.pending.effects = 0;
        self.run_effects(state);
    }
}

impl Game for SixSidedSeas {
    type State = State;
    type Action = Action;
    const RANDOM_PLAY: RandomPlay = RandomPlay::Turns;

    fn seats(&self) -> usize {
        self.seats
    }

    /// All dice belong to who rolls them: pool, Lucky Reef, Jackpot, a ghost's two, a resurrected hull.
    fn luck(&self) -> &'static [Luck] {
        const { &[Luck::per_seat("dice")] }
    }

    fn action_kinds(&self) -> &'static [&'static str] {
        &[
            "roll", "stop", "accept", "evade", "jackpot", "bump", "reef", "mitosis", "noodles", "place",
            "activate", "unhold", "remove", "end", "target", "claim", "block", "discard", "grog",
        ]
    }

    fn endings(&self) -> &'static [&'static str] {
        &Ending::NAMES
    }

    fn step_limit(&self) -> u32 {
        // A roll adds at least 1 to a total that stays below the limit before it, and islands lower it by at
        // most 10; four more dice can join (Bump, Mitosis, Jackpot, Hold).
        let rolls = self.rules.plunder_win_at as u32 + 10;
        let pool = rolls + 4;
        let lying = 18;
        let effects = match self.rules.double_double {
            DoubleDouble::Quadruple => 1 << MAX_QUADRUPLE,
            _ => 2,
        };
        // Each effect asks for a target or an island, and for a space to block. Rolls, placements, dice given
        // up, and some thirty single decisions (islands, Evade, stop, end) come on top.
        let activations = pool + lying;
        let turn = rolls + pool + (pool + lying) + activations * (1 + 2 * effects) + 30;
        self.rules.turn_cap as u32 * turn
    }

    fn initial(&self) -> State {
        let mut state = State::empty(&self.rules, self.seats);
        self.start_turn(&mut state);
        state
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match state.phase {
            // One comparison for three decisions in four: `Phase` lists them first.
            phase if phase < Phase::RemoveEvade => Turn::Decision(state.current()),
            Phase::RemoveEvade => Turn::Decision(Seat::new(state.pending.target as usize - 1)),
            Phase::Done => Turn::Over,
            _ => Turn::Chance(Source::of(0, state.current())),
        }
    }

    fn actions(&self, state: &State, _seat: Seat, out: &mut Vec<Action>) {
        self.list(state, out);
    }

    fn chance(&self, _state: &State, out: &mut Vec<(Action, f64)>) {
        out.clear();
        out.extend((1..=6).map(|face| (Action::Die(face), 1.0 / 6.0)));
    }

    #[inline]
    fn sample_chance(&self, _state: &State, word: u64) -> Action {
        Action::Die(below(word, 6) as u8 + 1)
    }

    #[inline(always)]
    fn random_action(
        &self,
        state: &State,
        _seat: Seat,
        stream: &mut Stream,
        buffer: &mut Vec<Action>,
    ) -> Action {
        if self.rare {
            self.list(state, buffer);
            return buffer[stream.below(buffer.len())];
        }
        self.pick(state, stream)
    }

    #[inline(always)]
    fn apply_random(&self, state: &mut State, seat: Seat, stream: &mut Stream, buffer: &mut Vec<Action>) {
        if self.rare {
            let action = self.random_action(state, seat, stream, buffer);
            return self.apply(state, action);
        }
        self.pick(state, stream);
    }

    #[inline(always)]
    fn apply(&self, state: &mut State, action: Action) {
        match action {
            Action::Die(face) => self.rolled(state, face),
            Action::Roll => state.phase = Phase::RollDie,
            Action::Stop => state.phase = Phase::Order,
            Action::Place { slot, die } => self.place(state, slot, die, Ship::bit(slot, die)),
            // What a random choice knows to be chosen goes there at once, past the long list of what is left.
            Action::Activate(action) => self.activate(state, action),
            Action::End => self.end_turn(state),
            Action::Target(seat) => self.target(state, seat),
            Action::Unhold => self.unhold(state),
            // The rest is a call away: what every turn is made of stays small enough to become a part of loops.
            _ => self.apply_detail(state, action),
        }
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        let ending = state.ending?.name();
        let mut scores = [0; super::state::MAX_PLAYERS];
        for (score, player) in scores.iter_mut().zip(&state.players) {
            *score = player.coin as i32;
        }
        let scores = &scores[..self.seats];
        Some(match state.winner() {
            Some(winner) => Outcome::winner(ending, winner, scores),
            None => Outcome::winners(ending, SeatSet::all(self.seats), scores),
        })
    }

    fn payoff_limit(&self) -> f64 {
        1.0
    }
    fn turns(&self, state: &State) -> u32 {
        state.turn_no as u32
    }

    fn tally_names(&self) -> &'static [&'static str] {
        &Tally::NAMES
    }

    fn tally(&self, state: &State, seat: Seat, out: &mut [i64]) {
        for (place, count) in out.iter_mut().zip(state.tally_of(seat).counts()) {
            *place = count as i64;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::six_sided_seas::StateBuilder;

    fn game(seats: usize) -> SixSidedSeas {
        SixSidedSeas::with_rules(Rules::published(seats), seats).unwrap()
    }

    /// Plays at random; calls `look` after every step with the state and whether luck decided.
    fn play(game: &SixSidedSeas, seed: u64, mut look: impl FnMut(&State, bool)) -> State {
        let (mut luck, mut choice) = (Stream::from_seed(seed), Stream::from_seed(!seed));
        let (mut state, mut buffer) = (game.initial(), Vec::new());
        loop {
            let turn = game.turn(&state);
            let action = match turn {
                Turn::Over => return state,
                Turn::Chance(_) => game.sample_chance(&state, luck.word()),
                Turn::Decision(seat) => game.random_action(&state, seat, &mut choice, &mut buffer),
                Turn::Simultaneous(_) => unreachable!(),
            };
            game.apply(&mut state, action);
            look(&state, matches!(turn, Turn::Chance(_)));
        }
    }

    #[test]
    fn a_random_choice_is_the_one_at_its_place_in_the_list() {
        for seed in 0..40 {
            let game = game(2 + seed as usize % 3);
            let (mut listed, mut buffer) = (Vec::new(), Vec::new());
            let mut choice = Stream::from_seed(seed + 1000);
            play(&game, seed, |state, _| {
                if let Turn::Decision(seat) = game.turn(state) {
                    let mut twin = choice.clone();
                    game.actions(state, seat, &mut listed);
                    let picked = game.random_action(state, seat, &mut choice, &mut buffer);
                    assert_eq!(picked, listed[twin.below(listed.len())]);
                    assert_eq!(choice, twin);
                }
            });
        }
    }

    #[test]
    fn a_random_choice_that_is_played_at_once_is_the_one_that_is_made() {
        for seed in 0..60 {
            let mut rules = Rules::published(2 + seed as usize % 3);
            if seed % 5 == 0 {
                rules.roll_islands = super::super::rules::RollIslands::AvertOnly;
            }
            if seed % 7 == 0 {
                rules.remove_placed = RemovePlaced::AnyOwn;
                rules.turn_cap = 40;
            }
            let game = SixSidedSeas::with_rules(rules, 2 + seed as usize % 3).unwrap();
            let mut buffer = Vec::new();
            let mut choice = Stream::from_seed(seed + 1000);
            play(&game, seed, |state, _| {
                if let Turn::Decision(seat) = game.turn(state) {
                    let (mut at_once, mut after, mut twin) = (*state, *state, choice.clone());
                    game.apply_random(&mut at_once, seat, &mut choice, &mut buffer);
                    let action = game.random_action(state, seat, &mut twin, &mut buffer);
                    game.apply(&mut after, action);
                    assert_eq!((at_once, &choice), (after, &twin), "{action} in {state:?}");
                }
            });
        }
    }

    #[test]
    fn dice_are_conserved() {
        for seed in 0..60 {
            let seats = 2 + seed as usize % 3;
            let game = game(seats);
            play(&game, seed, |state, _| {
                for seat in Seat::all(seats) {
                    assert_eq!(state.supply(seat), state.supply_by_count(&game.rules, seat), "{state:?}");
                    assert!(state.supply(seat) >= 0);
                }
            });
        }
    }

    #[test]
    fn written_states_read_back() {
        let game = game(3);
        let mut step = 0;
        play(&game, 5, |state, _| {
            step += 1;
            if step % 7 == 0 {
                let text = serde_json::to_string(state).unwrap();
                assert_eq!(&serde_json::from_str::<State>(&text).unwrap(), state, "{text}");
            }
        });
    }

    #[test]
    fn two_plunders_with_treasure_island_gain_three_and_two() {
        let (game, a) = (game(2), Seat::new(0));
        let mut state = StateBuilder::new(&game.rules, 2)
            .coin(a, 12)
            .dice(a, Slot::DoubleTime, &[2, 2])
            .dice(a, Slot::Plunder, &[1, 1])
            .island(2, a)
            .phase(Phase::Order)
            .build()
            .unwrap();
        for action in ["activate double-time", "activate plunder"] {
            game.play(&mut state, a, action.parse().unwrap()).unwrap();
        }
        assert_eq!((state.coin(a), state.double_pending(), state.used(2)), (17, 0, true));
    }

    /// A planner keeps a Double Time more gladly; among more than two it fires at one of its rivals less gladly.
    #[test]
    fn planners_judge_by_themselves() {
        use crate::game::Heuristics;
        let shares = |seats: usize, slot: Slot, dice: &[u8]| {
            let game = game(seats);
            let builder = StateBuilder::new(&game.rules, seats);
            let state = builder.dice(Seat::new(1), slot, dice).build().unwrap();
            let (mut value, mut planned) = ([0.0; 4], [0.0; 4]);
            game.value(&state, &mut value[..seats]);
            game.value_planned(&state, &mut planned[..seats]);
            (value[1], planned[1])
        };
        for seats in [2, 3, 4] {
            let (value, planned) = shares(seats, Slot::DoubleTime, &[2, 2]);
            assert!(planned > value);
            let (value, planned) = shares(seats, Slot::Aft, &[5]);
            match seats {
                2 => assert_eq!(planned.to_bits(), value.to_bits()),
                _ => assert!(planned < value),
            }
        }
    }
}
