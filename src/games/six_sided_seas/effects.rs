//! What activated actions do: shots, Evade, blocking dice, sinking and resurrection, islands, plunder.

use super::SixSidedSeas;
use super::rules::{
    DoubleDouble, DoubleOnGrog, DoubleTargets, EvadeRemoval, HpDice, MAX_COIN, MainBlockIf, ObninskMain,
    PlunderTiming, ResurrectKeepDice, ResurrectTurn,
};
use super::ship::{Move, Ship, Slot};
use super::state::{Ending, PendingEffect, Phase, Player, State};

/// Faces 4 and 6, which Obninsk strengthens, as a mask.
const OBNINSK_FACES: u8 = 0b10_1000;

impl SixSidedSeas {
    /// Empties a filled action and starts what it does.
    #[inline(never)]
    pub(super) fn activate(&self, state: &mut State, action: Move) {
        let player = &mut state.players[state.current as usize & 3];
        let (dice, count) = player.ship.take(action);
        player.supply += count;
        match action {
            Move::DoubleTime => player.doublings += 1,
            Move::Grog => {
                if player.doublings > 0 && self.rules.double_on_grog == DoubleOnGrog::Wasted {
                    self.spend_doubling(player);
                }
                state.pending =
                    PendingEffect { action: Some(action), dice, effects: 1, ..PendingEffect::default() };
                state.phase = Phase::GrogTarget;
            }
            Move::Plunder => {
                let effects = self.spend_doubling(player);
                self.plunder(state, effects);
            }
            _ => {
                let effects = self.spend_doubling(player);
                state.pending =
                    PendingEffect { action: Some(action), dice, effects, ..PendingEffect::default() };
                self.run_effects(state);
            }
        }
    }

    /// Uses up what waits of Double Time; how many times the next action takes place.
    #[inline]
    fn spend_doubling(&self, player: &mut Player) -> u16 {
        if player.doublings == 0 {
            return 1;
        }
        match self.rules.double_double {
            DoubleDouble::Forbid | DoubleDouble::NextTwo => {
                player.doublings -= 1;
                2
            }
            DoubleDouble::Quadruple => 1 << std::mem::take(&mut player.doublings).min(15),
        }
    }

    fn plunder(&self, state: &mut State, effects: u16) {
        let seat = state.current as usize & 3;
        for _ in 0..effects {
            let player = &mut state.players[seat];
            let treasure = player.islands & !state.used & 1 << 1;
            state.used |= treasure;
            let gain = self.rules.plunder_gain + (treasure != 0) as u8;
            player.coin = player.coin.saturating_add(gain).min(MAX_COIN);
            state.tallies[seat].plunders = state.tallies[seat].plunders.saturating_add(1);
            if self.wins_by_coins(state) {
                return self.finish(state, Ending::Plunder, Some(state.current));
            }
        }
    }

    /// Whether the current player's coin limit wins at a gain.
    #[inline]
    pub(super) fn wins_by_coins(&self, state: &State) -> bool {
        state.players[state.current as usize & 3].coin >= self.rules.plunder_win_at
            && self.rules.plunder_timing == PlunderTiming::Immediate
    }

    /// Carries effects out until somebody has to decide, a die has to be rolled, or all are done.
    pub(super) fn run_effects(&self, state: &mut State) {
        while state.pending.effects > 0 {
            match state.pending.action {
                Some(Move::Explorer) => {
                    let can_claim = self.has_die(&state.players[state.current as usize & 3]);
                    if can_claim && state.pending.island == 0 {
                        state.phase = Phase::Claim;
                        return;
                    }
                    // No die for the island, or the same island again: nothing changes.
                    state.pending.effects -= 1;
                }
                _ if state.pending.target == 0 => {
                    state.phase = Phase::Target;
                    return;
                }
                _ if state.players[state.pending.target_index()].ghost => state.pending.effects -= 1,
                _ => {
                    if !self.fire(state) {
                        return;
                    }
                }
            }
        }
        state.pending = PendingEffect::default();
        state.phase = Phase::Order;
    }

    /// One effect is done.
    fn effect_done(&self, state: &mut State) {
        let pending = &mut state.pending;
        pending.effects -= 1;
        (pending.evade_left, pending.evaded, pending.hull) = (0, 0, 0);
        if self.rules.double_targets == DoubleTargets::Independent {
            pending.target = 0;
        }
    }

    /// The current player names an island.
    pub(super) fn claim(&self, state: &mut State, island: u8) {
        let (seat, bit) = (state.current as usize & 3, 1 << (island - 1));
        if state.players[seat].islands & bit == 0 {
            for player in &mut state.players {
                if player.islands & bit != 0 {
                    player.islands &= !bit;
                    player.supply += 1;
                }
            }
            let player = &mut state.players[seat];
            player.islands |= bit;
            player.supply -= 1;
            state.tallies[seat].islands = state.tallies[seat].islands.saturating_add(1);
        }
        if self.rules.double_targets == DoubleTargets::Same {
            state.pending.island = island;
        }
        state.pending.effects -= 1;
        self.run_effects(state);
    }

    /// How much a shot with the pending dice costs.
    fn shot(&self, state: &State) -> u8 {
        if state.players[state.current as usize & 3].islands & 1 << 3 == 0 {
            return 1;
        }
        let strong = |face: u8| (face > 0 && OBNINSK_FACES >> (face - 1) & 1 == 1) as u8;
        let count: u8 = state.pending.dice.into_iter().map(strong).sum();
        let per_die =
            state.pending.action == Some(Move::Main) && self.rules.obninsk_main == ObninskMain::PerDie;
        1 + if per_die { count } else { count.min(1) }
    }

    /// Shoots at the pending target. Whether the effect came to its end.
    #[inline(never)]
    fn fire(&self, state: &mut State) -> bool {
        let shot = self.shot(state);
        let target = &mut state.players[state.pending.target_index()];
        let lying = target.ship.count(Slot::Evade);
        let disabled = self.rules.evade_block_disables && target.blocks.count(Slot::Evade) > 0;
        let evaded = if disabled { 0 } else { lying.min(shot) };
        state.pending.evaded = evaded;
        state.pending.hull = shot - evaded;
        if evaded == lying {
            if evaded > 0 {
                target.ship.clear(Slot::Evade);
                target.supply += evaded as i8;
            }
        } else if evaded > 0 {
            match self.rules.evade_removal {
                EvadeRemoval::DefenderChoice => {
                    state.pending.evade_left = evaded;
                    state.phase = Phase::RemoveEvade;
                    return false;
                }
                rule => {
                    for _ in 0..evaded {
                        let faces = target.ship.faces(Slot::Evade);
                        let bit =
                            if rule == EvadeRemoval::Lowest { faces.trailing_zeros() } else { faces.ilog2() };
                        target.ship.remove(Slot::Evade, bit as u8 + 1);
                        target.supply += 1;
                    }
                }
            }
        }
        self.strike(state)
    }

    /// The target gives up an Evade die.
    pub(super) fn discard(&self, state: &mut State, die: u8) {
        let target = &mut state.players[state.pending.target_index()];
        target.ship.remove(Slot::Evade, die);
        target.supply += 1;
        state.pending.evade_left -= 1;
        if state.pending.evade_left == 0 && self.strike(state) {
            self.run_effects(state);
        }
    }

    /// The hull pays for what was not evaded. Whether the effect came to its end.
    fn strike(&self, state: &mut State) -> bool {
        let (seat, victim) = (state.current as usize & 3, state.pending.target_index());
        let hull = state.pending.hull;
        if hull > 0 {
            state.tallies[seat].hits = state.tallies[seat].hits.saturating_add(1);
            let target = &mut state.players[victim];
            let before = target.hp;
            target.hp = before.saturating_sub(hull);
            if self.rules.hp_dice == HpDice::Released {
                target.supply +=
                    self.rules.supply_base(target.hp, false) - self.rules.supply_base(before, false);
            }
            if target.hp == 0 {
                return self.sink(state, victim);
            }
        }
        if state.pending.action == Some(Move::Main) {
            let through = match self.rules.main_block_if {
                MainBlockIf::AnyHpLost => hull > 0,
                MainBlockIf::NothingEvaded => state.pending.evaded == 0,
            };
            if through && self.has_die(&state.players[seat]) && self.can_block(&state.players[victim]) {
                state.phase = Phase::Block;
                return false;
            }
        }
        self.effect_done(state);
        true
    }

    /// Puts a blocking die on the target's ship; a die of face `die` leaves it, 0 is an empty space.
    pub(super) fn block(&self, state: &mut State, slot: Slot, die: u8) {
        let target = &mut state.players[state.pending.target_index()];
        if die > 0 {
            target.ship.remove(slot, die);
            target.supply += 1;
            target.hold_fresh &= target.ship.count(Slot::Hold) > 0;
        }
        target.blocks.add(state.current as usize, slot);
        state.players[state.current as usize & 3].supply -= 1;
        self.block_done(state);
    }

    /// The Main Cannon's effect ends.
    pub(super) fn block_done(&self, state: &mut State) {
        self.effect_done(state);
        self.run_effects(state);
    }

    /// A captain becomes a ghost. Whether the effect came to its end.
    fn sink(&self, state: &mut State, victim: usize) -> bool {
        let seat = state.current as usize & 3;
        state.tallies[seat].sinkings = state.tallies[seat].sinkings.saturating_add(1);
        if self.rules.ghost_lifts_blocks {
            state.players.iter_mut().for_each(|player| player.blocks.lift(victim));
        }
        let blocking: u8 = state.players.iter().map(|player| player.blocks.owned(victim)).sum();
        let target = &mut state.players[victim];
        target.ship = Ship::default();
        (target.coin, target.hp, target.islands) = (0, 0, 0);
        (target.ghost, target.hold_fresh) = (true, false);
        target.supply = self.rules.supply_base(0, true) - blocking as i8;
        if state.players[seat].ghost {
            state.phase = Phase::HullDie;
            return false;
        }
        if self.last_living(state) {
            self.finish(state, Ending::Sink, Some(state.current));
            return false;
        }
        self.effect_done(state);
        true
    }

    fn last_living(&self, state: &State) -> bool {
        let players = &state.players[..state.seats as usize & 7];
        players.iter().filter(|player| !player.ghost).count() == 1
    }

    /// A ghost that sank a captain comes back to life with the hull that it rolled.
    pub(super) fn resurrect(&self, state: &mut State, hull: u8) {
        let seat = state.current as usize & 3;
        state.tallies[seat].resurrections = state.tallies[seat].resurrections.saturating_add(1);
        let player = &mut state.players[seat];
        player.ghost = false;
        player.hp = hull;
        player.coin = self.rules.resurrect_coins;
        player.supply += self.rules.supply_base(hull, false) - self.rules.supply_base(0, true);
        if self.rules.resurrect_keep_dice == ResurrectKeepDice::Clear {
            player.supply += player.ship.len() as i8;
            player.ship = Ship::default();
        }
        if self.last_living(state) {
            return self.finish(state, Ending::Sink, Some(state.current));
        }
        state.again = true;
        match self.rules.resurrect_turn {
            ResurrectTurn::Immediate => {
                state.pending = PendingEffect::default();
                self.end_turn(state);
            }
            ResurrectTurn::AfterGhostTurn => {
                self.effect_done(state);
                self.run_effects(state);
            }
        }
    }

    /// Ends the game.
    pub(super) fn finish(&self, state: &mut State, ending: Ending, winner: Option<u8>) {
        state.pending = PendingEffect::default();
        state.phase = Phase::Done;
        state.ending = Some(ending);
        state.winner = winner;
    }
}
