//! How turns begin and end, and the Roll phase: the total held against the limit, islands, rolled dice.

use super::SixSidedSeas;
use super::dice::Dice;
use super::options::BITS_OF_BYTE;
use super::rules::{DoubleExpiry, PlunderTiming};
use super::ship::{Blocks, Ship, Slot};
use super::state::{Ending, Phase, State};

/// The spaces of the current player become free, and the dice go back to their owners. Rare: apart, it costs the
/// ends of all other turns no registers.
#[cold]
fn lift_blocks(state: &mut State) {
    let blocks = std::mem::take(&mut state.players[state.current as usize & 3].blocks);
    for (owner, player) in state.players.iter_mut().enumerate() {
        player.supply += Blocks::owned(blocks, owner) as i8;
    }
}

impl SixSidedSeas {
    /// Begins the turn of the current player: exploration is looked at, flags are cleared, grog takes
    /// hold. For positions that were set up by hand; play begins turns by itself.
    pub fn start_turn(&self, state: &mut State) {
        let seat = state.current as usize & 3;
        let player = &mut state.players[seat];
        state.tallies[seat].turns = state.tallies[seat].turns.saturating_add(1);
        if player.islands != 0 && BITS_OF_BYTE[player.islands as usize] >= self.rules.islands_to_win {
            return self.finish(state, Ending::Exploration, Some(state.current));
        }
        if self.rules.double_expiry == DoubleExpiry::EndOfTurn {
            player.doublings = 0;
        }
        player.hold_fresh = false;
        state.used = 0;
        state.ghost_turn = player.ghost;
        state.grog_due = std::mem::take(&mut player.grogged);
        state.phase = match (self.has_die(&state.players[seat]), state.ghost_turn) {
            (true, true) => Phase::GhostDie,
            (true, false) => Phase::Roll,
            (false, _) => {
                state.grog_due = 0;
                Phase::Order
            }
        };
    }

    /// Ends the turn of the current player and begins the next.
    pub(super) fn end_turn(&self, state: &mut State) {
        let seat = state.current as usize & 3;
        let player = &mut state.players[seat];
        if self.rules.plunder_timing == PlunderTiming::EndOfTurn && player.coin >= self.rules.plunder_win_at {
            return self.finish(state, Ending::Plunder, Some(state.current));
        }
        player.supply += state.pool.len() as i8 + state.grog_dice.len() as i8;
        (state.pool, state.grog_dice) = (Dice::NONE, Dice::NONE);
        if self.rules.double_expiry == DoubleExpiry::EndOfTurn {
            player.doublings = 0;
        }
        if player.ghost && !self.rules.ghost_persist {
            player.supply += player.ship.len() as i8;
            player.ship = Ship::default();
        }
        if !player.blocks.is_empty() {
            lift_blocks(state);
        }
        let again = std::mem::take(&mut state.again);
        if state.turn_no >= self.rules.turn_cap {
            return self.finish(state, Ending::Cap, None);
        }
        if !again {
            let next = state.current + 1;
            state.current = if next == state.seats { 0 } else { next };
        }
        state.turn_no += 1;
        self.start_turn(state);
    }

    /// Holds the total against the limit.
    #[inline]
    pub(super) fn check_total(&self, state: &mut State) {
        let seat = state.current as usize & 3;
        let (total, limit) = (state.total(), state.players[seat].coin);
        if total < limit {
            state.phase = Phase::Roll;
        } else if total == limit {
            state.phase = Phase::Jackpot;
            let jackpots = &mut state.tallies[seat].jackpots;
            *jackpots = jackpots.saturating_add(1);
        } else {
            state.phase = Phase::Over;
        }
    }

    /// After an island: in the Roll phase the total is looked at again.
    #[inline]
    fn after_island(&self, state: &mut State) {
        if state.phase != Phase::Order {
            self.check_total(state);
        }
    }

    /// A die was rolled.
    #[inline]
    pub(super) fn rolled(&self, state: &mut State, face: u8) {
        match state.phase {
            Phase::RollDie => {
                self.join_pool(state, face);
                self.check_total(state);
            }
            _ => self.rolled_elsewhere(state, face),
        }
    }

    /// A die was rolled, but not in the Roll phase's own way.
    #[inline(never)]
    fn rolled_elsewhere(&self, state: &mut State, face: u8) {
        match state.phase {
            Phase::GhostDie => {
                self.join_pool(state, face);
                let rolls = state.pool.len() + state.grog_dice.len();
                let more = rolls < 2 && self.has_die(&state.players[state.current as usize & 3]);
                state.phase = if more { Phase::GhostDie } else { Phase::Order };
            }
            Phase::JackpotDie => {
                self.join_pool(state, face);
                state.phase = Phase::Order;
            }
            Phase::RollReef | Phase::OrderReef => self.reef_rolled(state, face),
            Phase::HullDie => self.resurrect(state, face),
            _ => debug_assert!(false, "no die is rolled now"),
        }
    }

    /// A die from the supply joins the pool; grog may spoil it.
    #[inline]
    fn join_pool(&self, state: &mut State, face: u8) {
        state.players[state.current as usize & 3].supply -= 1;
        if state.grog_due > 0 {
            state.grog_due -= 1;
            state.grog_dice.add(face);
        } else {
            state.pool.add(face);
        }
    }

    fn reef_rolled(&self, state: &mut State, face: u8) {
        let die = std::mem::take(&mut state.reef_die);
        let in_order = state.phase == Phase::OrderReef;
        match state.reef_on.take() {
            None => {
                state.pool.remove(die);
                state.pool.add(face);
            }
            Some(slot) => {
                let player = &mut state.players[state.current as usize & 3];
                player.ship.remove(slot, die);
                if self.fits.faces(player.ship, slot) >> (face - 1) & 1 == 1 {
                    player.ship.add(slot, face);
                } else {
                    player.supply += 1;
                }
            }
        }
        state.phase = if in_order { Phase::Order } else { Phase::Roll };
        self.after_island(state);
    }

    /// Lucky Reef is asked to roll a die again.
    pub(super) fn reef(&self, state: &mut State, die: u8, on: Option<Slot>) {
        state.used |= 1 << 2;
        (state.reef_die, state.reef_on) = (die, on);
        state.phase = if state.phase == Phase::Order { Phase::OrderReef } else { Phase::RollReef };
    }

    /// Bump Isle.
    pub(super) fn bump(&self, state: &mut State, die: u8, on: Option<Slot>) {
        state.used |= 1;
        let player = &mut state.players[state.current as usize & 3];
        match on {
            _ if die == 6 => {
                player.supply -= 1;
                state.pool.add(1);
            }
            None => {
                state.pool.remove(die);
                state.pool.add(die + 1);
            }
            Some(slot) => {
                player.ship.remove(slot, die);
                player.ship.add(slot, die + 1);
            }
        }
        self.after_island(state);
    }

    /// Mitosis Cove.
    pub(super) fn mitosis(&self, state: &mut State, die: u8) {
        state.used |= 1 << 4;
        state.players[state.current as usize & 3].supply -= 1;
        state.pool.remove(die);
        state.pool.add(die / 2);
        state.pool.add(die.div_ceil(2));
        self.after_island(state);
    }

    /// Noodles.
    pub(super) fn noodles(&self, state: &mut State, die: u8, on: Option<Slot>) {
        state.used |= 1 << 5;
        match on {
            None => {
                state.pool.remove(die);
                state.pool.add(7 - die);
            }
            Some(slot) => {
                let ship = &mut state.players[state.current as usize & 3].ship;
                ship.remove(slot, die);
                ship.add(slot, 7 - die);
            }
        }
        self.after_island(state);
    }
}
