//! What a searcher may ask of *Six-Sided Seas*: judgement ([`super::value`]) and the structure of a turn.

use super::SixSidedSeas;
use super::action::Action;
use super::state::{Phase, State, Tally};
use crate::game::{Game, Heuristics, Push, PushKind, Seat, state_key};

/// How many turns before the cap a searcher starts to see it.
const CAP_IN_SIGHT: u16 = 100;

impl Heuristics for SixSidedSeas {
    fn value(&self, state: &State, out: &mut [f64]) {
        match self.outcome(state) {
            Some(outcome) => {
                for (share, result) in out.iter_mut().zip(outcome.results()) {
                    *share = result.payoff;
                }
            }
            None => self.judge.shares(state, out),
        }
    }

    fn turn_id(&self, state: &State) -> u32 {
        state.turn_no as u32
    }

    fn in_compound(&self, state: &State) -> bool {
        state.phase.is_effect()
    }

    /// Leaves out what was counted along the way, and the number of the turn while the cap is far.
    fn search_key(&self, state: &State) -> u128 {
        let mut state = *state;
        state.tallies = [Tally::default(); super::state::MAX_PLAYERS];
        if state.turn_no.saturating_add(CAP_IN_SIGHT) < self.rules.turn_cap {
            state.turn_no = 1;
        }
        state_key(&state)
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
