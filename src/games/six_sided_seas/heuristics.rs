//! What a searcher may ask of *Six-Sided Seas*: judgement ([`super::value`]) and the structure of a turn.

use super::SixSidedSeas;
use super::action::Action;
use super::state::{Phase, State};
use super::value::Judge;
use crate::game::{Game, Heuristics, Push, PushKind, Seat};

/// How many turns before the cap a searcher starts to see it.
const CAP_IN_SIGHT: u16 = 100;

impl Heuristics for SixSidedSeas {
    fn value(&self, state: &State, out: &mut [f64]) {
        self.judged(&self.judge, state, out);
    }

    fn value_planned(&self, state: &State, out: &mut [f64]) {
        self.judged(&self.planned, state, out);
    }

    fn turn_id(&self, state: &State) -> u32 {
        state.turn_no as u32
    }

    fn in_compound(&self, state: &State) -> bool {
        state.phase.is_effect()
    }

    /// Leaves out what was counted along the way, and the number of the turn while the cap is far. A
    /// search asks for it at every step: the state is packed into words, and those are mixed.
    fn search_key(&self, state: &State) -> u128 {
        let far = state.turn_no.saturating_add(CAP_IN_SIGHT) < self.rules.turn_cap;
        let turn_no = if far { 1 } else { state.turn_no };
        let mut key = Mixer::new();
        for player in &state.players[..self.seats()] {
            key.add(player.ship.word());
            key.add(player.blocks.word());
            key.add(bytes([
                player.coin,
                player.hp,
                player.grogged,
                player.supply as u8,
                player.doublings,
                player.islands,
                player.ghost as u8,
                player.hold_fresh as u8,
            ]));
        }
        key.add(state.pool.word());
        key.add(state.grog_dice.word());
        let number = |option: Option<u8>| option.map_or(0, |number| number + 1);
        let [turn_low, turn_high] = turn_no.to_le_bytes();
        key.add(bytes([
            turn_low,
            turn_high,
            state.current,
            state.phase as u8,
            state.used,
            state.grog_due,
            state.ghost_turn as u8 | (state.again as u8) << 1,
            state.reef_die,
        ]));
        let pending = &state.pending;
        let [effects_low, effects_high] = pending.effects.to_le_bytes();
        key.add(bytes([
            number(state.reef_on.map(|slot| slot as u8)),
            number(state.ending.map(|ending| ending as u8)),
            number(state.winner),
            number(pending.action.map(|action| action as u8)),
            effects_low,
            effects_high,
            pending.target,
            pending.island,
        ]));
        let [die_1, die_2, die_3] = pending.dice;
        key.add(bytes([die_1, die_2, die_3, pending.evade_left, pending.evaded, pending.hull, 0, 0]));
        key.finish()
    }

    /// Drops what is never better: dice given up, no blocking die, an island that is held already, fewer
    /// Evade dice than could be had.
    fn prune(&self, state: &State, actions: &mut Vec<Action>) {
        let own = state.players[state.current as usize].islands;
        let held = |action: &Action| matches!(*action, Action::ClaimIsland(n) if own >> (n - 1) & 1 == 1);
        match state.phase {
            Phase::Claim if !actions.iter().all(held) => actions.retain(|action| !held(action)),
            Phase::Evade if actions.len() > 1 => actions.retain(|action| *action != Action::EvadeDone),
            Phase::Block if actions.len() > 1 => actions.retain(|action| *action != Action::BlockNone),
            Phase::Order => actions.retain(|action| !matches!(action, Action::Remove { .. })),
            _ => {}
        }
    }

    fn prior(&self, state: &State, _seat: Seat, actions: &[Action], out: &mut Vec<f32>) {
        out.clear();
        let player = &state.players[state.current as usize];
        let room = player.coin as f32 - state.total() as f32;
        out.extend(actions.iter().map(|action| match *action {
            Action::Roll => (room / 6.0).clamp(0.05, 4.0),
            Action::Stop => (2.0 - room / 3.0).clamp(0.02, 2.0),
            Action::Activate(_) => 8.0,
            Action::Place { slot, .. } => match slot.action() {
                Some(action) if action.is_cannon() => 4.0,
                Some(_) => 3.0,
                None => 1.0,
            },
            Action::Unhold => 2.0,
            Action::End if state.pool.is_empty() => 4.0,
            Action::End => 0.2,
            Action::EvadeDone => 0.1,
            Action::AcceptOverboard => 0.5,
            Action::ClaimIsland(island) if player.islands >> (island - 1) & 1 == 1 => 0.02,
            Action::BlockSpace { die: 0, .. } => 0.5,
            Action::BlockNone | Action::Remove { .. } => 0.02,
            _ => 1.0,
        }));
    }

    fn push_kind(&self) -> PushKind {
        PushKind::Limited
    }

    fn pushing(&self, state: &State) -> bool {
        use Phase::{Jackpot, JackpotDie, Over, Roll, RollDie, RollReef};
        matches!(state.phase, Roll | RollDie | RollReef | Over | Jackpot | JackpotDie)
    }

    fn push(&self, state: &State) -> Option<Push<Action>> {
        let player = &state.players[state.current as usize];
        let rolled = !(state.pool.is_empty() && state.grog_dice.is_empty());
        (state.phase == Phase::Roll && rolled && self.has_die(player)).then(|| Push {
            roll: Action::Roll,
            stop: Action::Stop,
            total: state.total() as u32,
            limit: Some(player.coin as u32),
        })
    }
}

impl SixSidedSeas {
    fn judged(&self, judge: &Judge, state: &State, out: &mut [f64]) {
        match self.outcome(state) {
            Some(outcome) => {
                for (share, result) in out.iter_mut().zip(outcome.results()) {
                    *share = result.payoff;
                }
            }
            None => judge.shares(state, out),
        }
    }
}

const fn bytes(bytes: [u8; 8]) -> u64 {
    u64::from_le_bytes(bytes)
}

/// Mixes words into 128 bits: two lanes, each multiplied to 128 bits and folded at every word (as wyhash
/// does, Wang Yi 2019), with different constants.
struct Mixer {
    lanes: [u64; 2],
}

impl Mixer {
    const START: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0xd1b5_4a32_d192_ed03];
    const FACTORS: [u64; 2] = [0xa076_1d64_78bd_642f, 0xe703_7ed1_a0b4_28db];

    fn new() -> Mixer {
        Mixer { lanes: Mixer::START }
    }

    #[inline]
    fn add(&mut self, word: u64) {
        for (lane, factor) in self.lanes.iter_mut().zip(Mixer::FACTORS) {
            let product = (*lane ^ word) as u128 * factor as u128;
            *lane = product as u64 ^ (product >> 64) as u64 ^ lane.rotate_left(23);
        }
    }

    fn finish(mut self) -> u128 {
        self.add(0);
        (self.lanes[0] as u128) << 64 | self.lanes[1] as u128
    }
}
