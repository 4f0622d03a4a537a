//! How good a position looks: every captain's strength, in points of about one die each, turned into win
//! shares.
//!
//! A strength adds coins, hull with Evade, islands, and half-filled actions by how near they are to being
//! filled and what they would do here. Who is in the middle of a turn is credited with what the pool will
//! buy; in the Roll phase also with what further rolls may bring, against the risk of going overboard.

use super::rules::Rules;
use super::ship::{Fits, Move, SLOTS, Ship, Slot};
use super::state::{MAX_PLAYERS, Phase, Player, State};

/// Declares the weights as a structure of numbers with their defaults.
macro_rules! weights {
    ($($(#[$doc:meta])* $name:ident = $value:literal,)+) => {
        /// What the parts of a position are worth, in points.
        #[derive(Clone, Copy, Debug)]
        pub(super) struct Weights { $($(#[$doc])* pub $name: f32,)+ }

        impl Weights {
            /// Found by self-play.
            pub const TUNED: Weights = Weights { $($name: $value,)+ };
            #[cfg(test)]
            #[allow(dead_code)]
            pub fn fields(&mut self) -> Vec<(&'static str, &mut f32)> {
                vec![$((stringify!($name), &mut self.$name),)+]
            }
        }
    };
}

weights! {
    /// Share per point: how sure a lead is.
    scale = 0.22,
    /// A coin.
    coin = 1.377,
    /// What a coin limit just below the winning one adds.
    coin_near = 14.896,
    /// In how many coins that fades by half.
    coin_fade = 4.6,
    /// A hull point.
    hull = 1.0,
    /// What is lost when the hull is nearly gone.
    hull_low = 6.0,
    /// In how many hull points that fades by half.
    hull_fade = 1.6,
    /// An Evade die as a part of a hull point.
    evade = 0.85,
    /// An Evade die that cannot be used because a space is blocked.
    evade_blocked = 0.399,
    /// A ghost.
    ghost = -14.0,
    /// An island, by number.
    island_1 = 0.87,
    island_2 = 1.0,
    island_3 = 1.0,
    island_4 = 2.2,
    island_5 = 1.0,
    island_6 = 1.2,
    /// One island short of victory.
    island_near = 2.3,
    /// Enough islands, if nobody takes one before the next turn.
    island_win = 21.28,
    /// By how much each die in a rival's Send Explorer spoils that (the part that stays).
    island_spoil = 0.7,
    /// What a shot counts, against the hull that it costs a rival.
    harm = 1.0,
    /// An activated Main Cannon beyond its shot.
    block = 1.2,
    /// Sent grog.
    grog = 1.2,
    /// Being due to drink grog.
    grogged = -0.87,
    /// A filled Double Time.
    double = 1.61,
    /// An island through Send Explorer, beyond what the island is worth on average.
    explore = 0.2,
    /// A filled action against the effect itself.
    filled = 0.93,
    /// Parts of an action's worth.
    half_m1 = 0.55,
    half_m2 = 0.38,
    half_grog = 0.24,
    half_double = 0.35,
    half_plunder = 0.3,
    explorer_one = 0.2,
    explorer_two = 0.8,
    /// What a gap in the middle adds or takes.
    explorer_gap = -0.16,
    /// A held die.
    hold = 0.45,
    /// A pool die against its best place.
    pool = 0.86,
    /// A second die of the same face where the best place is taken.
    again = 0.35,
    /// The part of a doubling that will be used.
    pending = 0.85,
    /// A die that may still be rolled.
    roll = 0.9,
    /// An effect under way.
    effect = 0.9,
    /// Being next to move.
    tempo = 0.522,
}

impl Weights {
    /// For who plans whole turns; found by play of one planner among greedy players.
    ///
    /// A planner fires in one go whatever pays at once, and asks only what is worth keeping for the next turn: above
    /// all a filled Double Time, which is as good as one more Plunder. And harm to one of several rivals is to the
    /// good of all others too: it counts by one in as many as there are rivals.
    pub fn planned(seats: usize) -> Weights {
        let tuned = Weights::TUNED;
        let harm = 1.0 / (seats as f32 - 1.0);
        Weights { harm, block: tuned.block * harm, grog: tuned.grog * harm, double: 4.5, ..tuned }
    }
}

/// The weights worked out for a set of rules.
#[derive(Clone, Debug)]
pub(super) struct Judge {
    weights: Weights,
    /// Worth of a coin limit.
    coins: [f32; 256],
    /// Worth of a hull with usable Evade dice.
    hull: [[f32; 4]; 16],
    /// Worth of a set of islands.
    islands: [f32; 64],
    /// Part of an action's worth that a filling is, by slot and filling.
    part: Box<[[f32; 256]]>,
    /// What a die of each face would add to that, where it fits.
    gain: Box<[[[f32; 8]; 256]]>,
    /// What further rolls bring, by room below the limit and dice rolled so far, in dice.
    prospect: Box<[[f32; ROLLED]; ROOM]>,
    plunder_gain: u8,
    islands_to_win: u32,
    evade_disabled: bool,
    plunder_spaces: u8,
}

const ROOM: usize = 40;
const ROLLED: usize = 16;

/// `2^(-x)` for x >= 0 by squaring: the same on every platform, and near enough.
fn fade(x: f32) -> f32 {
    power(-x * std::f32::consts::LN_2)
}

/// About `e^x` for x <= 0, from multiplications alone.
#[inline]
fn power(x: f32) -> f32 {
    let mut value = (1.0 + x * (1.0 / 32.0)).max(0.0);
    for _ in 0..5 {
        value *= value;
    }
    value
}

/// The part of its worth that a filling of a slot is.
fn part(weights: &Weights, slot: Slot, faces: u8, count: u8, spaces: u8) -> f32 {
    if count == 0 {
        return 0.0;
    }
    let full = weights.filled;
    match slot {
        Slot::Aft | Slot::Fore => full,
        Slot::M1 => full * weights.half_m1,
        Slot::M2 => full * (1.0 - weights.half_m1).min(weights.half_m2 + 0.1),
        Slot::Hold => 1.0,
        Slot::Evade => 0.0,
        Slot::Grog if count == 1 => weights.half_grog,
        Slot::DoubleTime if count == 1 => weights.half_double,
        Slot::Plunder if count == 1 => weights.half_plunder,
        Slot::Plunder if count < spaces => 0.5 * (weights.half_plunder + full),
        Slot::Explorer if count == 1 => {
            // The ends of the scale can be completed in fewer ways.
            let end = faces & 0b10_0001 != 0;
            weights.explorer_one * if end { 0.7 } else { 1.0 }
        }
        Slot::Explorer if count == 2 => {
            let gap = faces & faces >> 1 == 0;
            weights.explorer_two + if gap { weights.explorer_gap } else { 0.0 }
        }
        _ => full,
    }
}

impl Judge {
    /// Works the weights out.
    pub fn new(rules: &Rules, fits: &Fits, weights: Weights) -> Judge {
        let win_at = rules.plunder_win_at;
        let mut coins = [0.0; 256];
        for (coin, worth) in coins.iter_mut().enumerate() {
            let missing = (win_at as f32 - coin as f32).max(0.0);
            *worth = weights.coin * (coin as f32 - win_at as f32).min(0.0)
                + weights.coin_near * fade(missing / weights.coin_fade);
            if missing == 0.0 {
                *worth += 20.0;
            }
        }
        let hull_of = |hull: f32| weights.hull * hull - weights.hull_low * fade(hull / weights.hull_fade);
        let mut hull = [[weights.ghost; 4]; 16];
        for (points, row) in hull.iter_mut().enumerate().skip(1) {
            for (evade, worth) in row.iter_mut().enumerate() {
                *worth = hull_of(points as f32 + weights.evade * evade as f32);
            }
        }
        let each = [
            weights.island_1,
            weights.island_2,
            weights.island_3,
            weights.island_4,
            weights.island_5,
            weights.island_6,
        ];
        let mut islands = [0.0; 64];
        for (set, worth) in islands.iter_mut().enumerate() {
            *worth = (0..6).filter(|island| set >> island & 1 == 1).map(|island| each[island]).sum();
            if set.count_ones() + 1 == rules.islands_to_win as u32 {
                *worth += weights.island_near;
            }
        }
        let mut parts = vec![[0.0; 256]; SLOTS].into_boxed_slice();
        let mut gain = vec![[[0.0; 8]; 256]; SLOTS].into_boxed_slice();
        for slot in Slot::ALL {
            let spaces = fits.spaces(slot);
            // Every filling that can come about, from the empty slot.
            let mut open = vec![Ship::default()];
            while let Some(ship) = open.pop() {
                let held = part(&weights, slot, ship.faces(slot), ship.count(slot), spaces);
                let filling = ship.filling(slot);
                parts[slot.index()][filling] = held;
                for face in (1..=6).filter(|face| fits.faces(ship, slot) >> (face - 1) & 1 == 1) {
                    let mut next = ship;
                    next.add(slot, face);
                    let more = part(&weights, slot, next.faces(slot), next.count(slot), spaces);
                    gain[slot.index()][filling][face as usize - 1] =
                        if slot == Slot::Evade { 1.0 } else { more - held };
                    open.push(next);
                }
            }
        }
        Judge {
            coins,
            hull,
            islands,
            part: parts,
            gain,
            prospect: prospect(&weights),
            plunder_gain: rules.plunder_gain,
            islands_to_win: rules.islands_to_win as u32,
            evade_disabled: rules.evade_block_disables,
            plunder_spaces: rules.plunder_spaces(),
            weights,
        }
    }

    /// Win shares of all seats.
    #[inline]
    pub fn shares(&self, state: &State, out: &mut [f64]) {
        let seats = out.len().min(MAX_PLAYERS);
        let mut strength = [0.0f32; MAX_PLAYERS];
        let mut hurt = [0.0f32; MAX_PLAYERS];
        let mut total_worth = [0.0f32; MAX_PLAYERS];
        for seat in 0..seats {
            let player = &state.players[seat];
            let lying = player.ship.count(Slot::Evade);
            let disabled = self.evade_disabled && player.blocks.count(Slot::Evade) > 0;
            let evade = if disabled { 0 } else { lying.min(3) } as usize;
            let row = &self.hull[(player.hp & 15) as usize];
            total_worth[seat] =
                row[evade] + if disabled { lying as f32 * self.weights.evade_blocked } else { 0.0 };
            hurt[seat] = if player.ghost {
                0.0
            } else if evade > 0 {
                row[evade] - row[evade - 1]
            } else {
                row[0] - self.hull[player.hp.saturating_sub(1) as usize & 15][0]
            };
        }
        for seat in 0..seats {
            strength[seat] = total_worth[seat] + self.strength(state, seat, seats, &hurt);
        }
        let best = strength[..seats].iter().fold(f32::MIN, |best, &next| best.max(next));
        let mut sum = 0.0;
        for (share, &points) in out.iter_mut().zip(&strength) {
            let weight = power((points - best) * self.weights.scale) as f64 + 1e-9;
            *share = weight;
            sum += weight;
        }
        out.iter_mut().for_each(|share| *share /= sum);
    }

    /// A captain's strength without the hull.
    #[inline]
    fn strength(&self, state: &State, seat: usize, seats: usize, hurt: &[f32; MAX_PLAYERS]) -> f32 {
        let weights = &self.weights;
        let player = &state.players[seat];
        let rivals = (0..seats).filter(|&other| other != seat);
        let shot = weights.harm * rivals.fold(0.0f32, |most, other| most.max(hurt[other]));
        let mut worth = [0.0f32; SLOTS];
        worth[Slot::Aft.index()] = shot;
        worth[Slot::Fore.index()] = shot;
        worth[Slot::M1.index()] = shot + weights.block;
        worth[Slot::M2.index()] = shot + weights.block;
        worth[Slot::Grog.index()] = weights.grog;
        worth[Slot::DoubleTime.index()] = weights.double;
        let mut points = 0.0;
        if !player.ghost {
            let treasure = player.islands >> 1 & 1;
            let after = player.coin.saturating_add(self.plunder_gain + treasure);
            worth[Slot::Plunder.index()] = self.coins[after as usize] - self.coins[player.coin as usize];
            worth[Slot::Explorer.index()] = self.exploring(player);
            worth[Slot::Hold.index()] = weights.hold;
            let evade = player.ship.count(Slot::Evade).min(3) as usize;
            let row = &self.hull[(player.hp & 15) as usize];
            worth[Slot::Evade.index()] = if evade < 3 { row[evade + 1] - row[evade] } else { 0.0 };
            points += self.coins[player.coin as usize] + self.islands[player.islands as usize & 63];
            if player.islands.count_ones() >= self.islands_to_win {
                points += self.nearly_explored(state, seat, seats);
            }
        }
        for slot in &Slot::ALL[..9] {
            points += self.part[slot.index()][player.ship.filling(*slot)] * worth[slot.index()];
        }
        let obninsk = player.islands >> 3 & 1 == 1;
        if obninsk {
            let strong = |slot: Slot| (player.ship.faces(slot) & 0b10_1000 != 0) as u8 as f32;
            points += shot * weights.filled * (strong(Slot::Aft) + strong(Slot::Fore));
        }
        points += weights.grogged * (player.grogged.min(3) as f32);
        // Whose whole turn comes next: the player whose turn begins, or else the one after it.
        let begins = state.phase == Phase::Roll && state.pool.is_empty() && state.grog_dice.is_empty();
        if seat == (state.current as usize + !begins as usize) % seats {
            points += weights.tempo;
        }
        if seat == state.current as usize && !begins {
            points += self.turn(state, player, shot, &worth, obninsk);
        }
        points
    }

    /// What an island is worth to a player who claims one.
    fn exploring(&self, player: &Player) -> f32 {
        let held = player.islands.count_ones();
        let weights = &self.weights;
        let lead = match self.islands_to_win.saturating_sub(held) {
            0 => 0.0,
            1 => weights.island_win * 0.5,
            2 => weights.island_near,
            _ => 0.0,
        };
        weights.explore + 1.3 + lead
    }

    /// Enough islands: the victory waits for the next turn.
    fn nearly_explored(&self, state: &State, seat: usize, seats: usize) -> f32 {
        let weights = &self.weights;
        let mut chance = weights.island_win;
        // Only who moves before that can take an island away.
        let mut other = state.current as usize;
        if other == seat {
            other = (other + 1) % seats;
        }
        while other != seat {
            let rival = &state.players[other];
            if !rival.ghost {
                let mut dice = rival.ship.count(Slot::Explorer);
                if other == state.current as usize && state.phase == Phase::Order {
                    // What the pool adds is seen when it is placed.
                    dice = if dice == 3 { 3 } else { dice.saturating_sub(1) };
                }
                let spoil = if dice >= 3 {
                    0.05
                } else {
                    1.0 - (1.0 - weights.island_spoil) * (1 + dice) as f32 * 0.6
                };
                chance *= spoil.max(0.05);
            }
            other = (other + 1) % seats;
        }
        chance
    }

    /// What the turn under way will still bring.
    #[inline]
    fn turn(&self, state: &State, player: &Player, shot: f32, worth: &[f32; SLOTS], obninsk: bool) -> f32 {
        let weights = &self.weights;
        let mut points = 0.0;
        if player.doublings > 0 {
            let mut best = 0.0f32;
            for action in [Move::Aft, Move::Main, Move::Plunder, Move::Explorer] {
                let slot = action.slots()[0];
                let part = self.part[slot.index()][player.ship.filling(slot)];
                best = best.max(part.max(0.3) * worth[slot.index()]);
            }
            points += best * weights.pending;
        }
        match state.phase {
            Phase::Over | Phase::Evade | Phase::RollReef => {
                let overboard = self.saved_by_evade(state, player, worth[Slot::Evade.index()]);
                if state.phase == Phase::Over {
                    let averted = self.avert(state, player);
                    if averted > 0.0 {
                        let bought = self.buys(state, player, shot, worth, obninsk);
                        return points + overboard.max(overboard + (bought - overboard) * averted);
                    }
                }
                points + overboard
            }
            Phase::Target | Phase::Block | Phase::RemoveEvade | Phase::HullDie => {
                let left = state.pending.effects as f32;
                points
                    + left.min(4.0) * worth[Slot::Aft.index()] * weights.effect
                    + self.buys(state, player, shot, worth, obninsk)
            }
            Phase::Claim => {
                let left = state.pending.effects as f32;
                points
                    + left.min(4.0) * worth[Slot::Explorer.index()] * weights.effect
                    + self.buys(state, player, shot, worth, obninsk)
            }
            Phase::GrogTarget => {
                points + weights.grog * weights.effect + self.buys(state, player, shot, worth, obninsk)
            }
            Phase::Roll | Phase::RollDie => {
                let room = player.coin.saturating_sub(state.total()) as usize;
                let rolled = state.pool.len() as usize;
                points
                    + self.buys(state, player, shot, worth, obninsk)
                    + self.prospect[room.min(ROOM - 1)][rolled.min(ROLLED - 1)]
            }
            Phase::Jackpot | Phase::JackpotDie => {
                points + self.buys(state, player, shot, worth, obninsk) + weights.coin
            }
            _ => points + self.buys(state, player, shot, worth, obninsk),
        }
    }

    /// What the pool will buy.
    #[inline]
    fn buys(&self, state: &State, player: &Player, shot: f32, worth: &[f32; SLOTS], obninsk: bool) -> f32 {
        let pool = state.pool;
        if pool.is_empty() {
            return 0.0;
        }
        let weights = &self.weights;
        let slots: &[Slot] = if state.ghost_turn { &GHOST } else { &Slot::ALL };
        let mut best = [0.0f32; 8];
        for &slot in slots {
            if !player.blocks.is_empty()
                && player.ship.count(slot) + player.blocks.count(slot)
                    >= slot.most_spaces().min(self.spaces(slot))
            {
                continue;
            }
            let row = &self.gain[slot.index()][player.ship.filling(slot)];
            let worth = worth[slot.index()];
            for face in 0..8 {
                best[face] = best[face].max(row[face] * worth);
            }
        }
        // A cannon is fired and filled again.
        let fire = shot * weights.filled;
        let cannon = |slot: Slot| player.blocks.is_empty() || player.blocks.count(slot) == 0;
        let (aft, fore) = (cannon(Slot::Aft), cannon(Slot::Fore));
        let strong = if obninsk { 2.0 * fire } else { fire };
        let repeat = [
            0.0,
            0.0,
            if fore { fire } else { 0.0 },
            if fore { strong } else { 0.0 },
            if aft { fire } else { 0.0 },
            if aft { strong } else { 0.0 },
        ];
        let mut points = 0.0;
        for face in 1..=6u8 {
            let count = pool.count(face);
            if count == 0 {
                continue;
            }
            let index = face as usize - 1;
            let first = best[index].max(repeat[index]);
            points += first;
            if count > 1 {
                let more = repeat[index].max(weights.again * first);
                points += (count - 1) as f32 * more;
                // Two equal dice fill an action that takes pairs.
                let slot = if face % 2 == 0 { Slot::DoubleTime } else { Slot::Plunder };
                let row = &self.gain[slot.index()][0];
                if player.ship.faces(slot) == 0 && row[index] > 0.0 && !state.ghost_turn {
                    points += (worth[slot.index()] * weights.filled - first - more).max(0.0);
                }
            }
        }
        points * weights.pool
    }

    fn spaces(&self, slot: Slot) -> u8 {
        if slot == Slot::Plunder { self.plunder_spaces } else { slot.most_spaces() }
    }

    /// What an overboard pool brings into Evade.
    fn saved_by_evade(&self, state: &State, player: &Player, worth: f32) -> f32 {
        let held = player.ship.faces(Slot::Evade);
        let room = 3u32.saturating_sub(held.count_ones() + player.blocks.count(Slot::Evade) as u32);
        let new = (state.pool.faces() & !held).count_ones().min(room);
        new as f32 * worth * 0.9
    }

    /// The chance that an island still brings the total down to the limit.
    fn avert(&self, state: &State, player: &Player) -> f32 {
        let ready = player.islands & !state.used;
        if ready & (1 << 2 | 1 << 5) == 0 || state.pool.is_empty() {
            return 0.0;
        }
        let excess = state.total() as i32 - player.coin as i32;
        let highest = 8 - state.pool.faces().leading_zeros() as i32;
        let mut chance = 0.0f32;
        if ready & 1 << 5 != 0 && 2 * highest - 7 >= excess {
            chance = 0.9;
        }
        if ready & 1 << 2 != 0 {
            chance = chance.max((highest - excess).max(0) as f32 / 6.0);
        }
        chance
    }
}

/// Where a ghost may put dice.
const GHOST: [Slot; 6] = [Slot::Aft, Slot::Fore, Slot::M1, Slot::M2, Slot::Grog, Slot::DoubleTime];

/// What further rolls bring under the best stopping rule, a die being worth `roll` and going overboard
/// costing all dice but some Evade.
fn prospect(weights: &Weights) -> Box<[[f32; ROLLED]; ROOM]> {
    let mut table = vec![[0.0; ROLLED]; ROOM];
    for room in 0..ROOM {
        for rolled in (0..ROLLED).rev() {
            let dice = rolled as f32 * weights.roll;
            let mut sum = 0.0;
            for face in 1..=6 {
                sum += if face > room {
                    (rolled as f32 + 1.0).min(3.0) * 0.35 - dice
                } else if face == room {
                    weights.roll + weights.coin
                } else {
                    weights.roll + table[room - face][(rolled + 1).min(ROLLED - 1)]
                };
            }
            table[room][rolled] = (sum / 6.0).max(0.0);
        }
    }
    table.try_into().expect("it has as many rows")
}
