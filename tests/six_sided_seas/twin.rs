//! The slow twin: the whole game a second time, written from the rules alone with lists and plain loops, so
//! that the engine has something to be held against. It shares the engine's vocabulary (actions, slots) and
//! nothing else. Speed does not matter here; being obvious does.

use dhow::game::{Seat, Turn};
use dhow::games::six_sided_seas::{Action, Move, Slot};
use serde::{Deserialize, Serialize};

/// The switches, as words and numbers.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    pub starting_coins: Vec<i32>,
    pub starting_hp: i32,
    pub dice_per_player: i32,
    pub plunder_requirement: String,
    pub plunder_gain: i32,
    pub plunder_win_at: i32,
    pub plunder_timing: String,
    pub jackpot_gain: i32,
    pub jackpot_can_win: bool,
    pub islands_to_win: usize,
    pub supply_limit: String,
    pub hp_dice: String,
    pub remove_placed: String,
    pub roll_islands: String,
    pub full_persist: String,
    pub island_scope: String,
    pub grog_targets: String,
    pub grog_stack: bool,
    pub double_targets: String,
    pub double_on_grog: String,
    pub double_double: String,
    pub double_expiry: String,
    pub obninsk_main: String,
    pub main_block_if: String,
    pub main_block_mandatory: bool,
    pub main_block_scope: String,
    pub evade_block_disables: bool,
    pub evade_removal: String,
    pub turn_cap: u32,
    pub ghost_lifts_blocks: bool,
    pub ghost_persist: bool,
    pub resurrect_turn: String,
    pub resurrect_keep_dice: String,
    pub resurrect_coins: i32,
}

pub const SLOTS: [Slot; 10] = [
    Slot::Aft,
    Slot::Fore,
    Slot::M1,
    Slot::M2,
    Slot::Grog,
    Slot::Explorer,
    Slot::DoubleTime,
    Slot::Plunder,
    Slot::Hold,
    Slot::Evade,
];

const MOVES: [Move; 7] =
    [Move::Aft, Move::Fore, Move::Main, Move::Grog, Move::Explorer, Move::DoubleTime, Move::Plunder];

pub const GHOST_SLOTS: [Slot; 6] = [Slot::Aft, Slot::Fore, Slot::M1, Slot::M2, Slot::Grog, Slot::DoubleTime];

fn slots_of(action: Move) -> Vec<Slot> {
    match action {
        Move::Aft => vec![Slot::Aft],
        Move::Fore => vec![Slot::Fore],
        Move::Main => vec![Slot::M1, Slot::M2],
        Move::Grog => vec![Slot::Grog],
        Move::Explorer => vec![Slot::Explorer],
        Move::DoubleTime => vec![Slot::DoubleTime],
        Move::Plunder => vec![Slot::Plunder],
    }
}

/// One printed space of a ship.
#[derive(Clone, Debug, PartialEq)]
pub struct Space {
    pub slot: Slot,
    pub die: Option<u8>,
    /// Whose blocking die lies here.
    pub block: Option<usize>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Captain {
    pub coin: i32,
    pub hp: i32,
    pub ghost: bool,
    /// Grogs waiting for the next turn.
    pub grog: u32,
    pub hold_fresh: bool,
    /// Doublings waiting for an action.
    pub doubles: u32,
    pub spaces: Vec<Space>,
    pub tally: Tally,
}

/// What a player did in the whole game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    pub busts: u32,
    pub jackpots: u32,
    pub islands: u32,
    pub plunders: u32,
    pub hits: u32,
    pub sinkings: u32,
    pub resurrections: u32,
    pub turns: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Phase {
    FirstRoll,
    Rolling,
    Roll,
    Over,
    Jackpot,
    JackpotRolling,
    Rerolling { die: u8, on: Option<Slot>, in_order: bool },
    EvadeFill,
    GhostRolling { left: u32 },
    Order,
    ChooseTarget,
    RemoveEvade,
    ClaimIsland,
    ChooseBlock,
    GrogTarget,
    HpRolling,
    Finished,
}

/// An activated action whose effects are being carried out.
#[derive(Clone, Debug, PartialEq)]
pub struct Pending {
    pub action: Move,
    pub dice: Vec<u8>,
    pub effects_left: u32,
    pub target: Option<usize>,
    pub island: Option<u8>,
    pub damage: i32,
    pub evaded: i32,
    pub to_remove: i32,
}

#[derive(Clone, Debug)]
pub struct Twin {
    pub rules: Rules,
    pub captains: Vec<Captain>,
    /// Owners of islands 1 to 6.
    pub islands: Vec<Option<usize>>,
    pub current: usize,
    pub turn_no: u32,
    pub phase: Phase,
    pub pool: Vec<u8>,
    pub grog_dice: Vec<u8>,
    pub grog_to_come: u32,
    /// Islands 1 to 6 used this turn.
    pub used: Vec<bool>,
    pub ghost_turn: bool,
    pub extra_turn: bool,
    pub pending: Option<Pending>,
    pub ending: Option<(&'static str, Option<usize>)>,
    /// All complete fillings of each slot, as counts of the values 1 to 6.
    fillings: Vec<(Slot, Vec<[u8; 7]>)>,
}

fn is_plunder(requirement: &str, dice: &[u8]) -> bool {
    let equal = dice.iter().all(|&die| die == dice[0]);
    let sum: u8 = dice.iter().sum();
    match requirement {
        "pair_equal_odd" => dice.len() == 2 && equal && dice[0] % 2 == 1,
        "pair_equal_any" => dice.len() == 2 && equal,
        "pair_sum_7" => dice.len() == 2 && sum == 7,
        "two_of_1_2" => dice.len() == 2 && dice.iter().all(|&die| die == 1 || die == 2),
        "two_of_5_6" => dice.len() == 2 && dice.iter().all(|&die| die == 5 || die == 6),
        "pair_sum_ge_9" => dice.len() == 2 && sum >= 9,
        "triple_equal" => dice.len() == 3 && equal,
        other => panic!("unknown plunder requirement {other}"),
    }
}

/// Whether sorted dice fill a slot completely and legally.
fn is_filling(rules: &Rules, slot: Slot, dice: &[u8]) -> bool {
    match slot {
        Slot::Aft => dice.len() == 1 && (dice[0] == 5 || dice[0] == 6),
        Slot::Fore => dice.len() == 1 && (dice[0] == 3 || dice[0] == 4),
        Slot::M1 => dice.len() == 1 && dice[0] >= 4,
        Slot::M2 | Slot::Hold => dice.len() == 1,
        Slot::Grog => dice.len() == 2 && dice.iter().all(|&die| die <= 3),
        Slot::Explorer => dice.len() == 3 && dice[1] == dice[0] + 1 && dice[2] == dice[1] + 1,
        Slot::DoubleTime => dice.len() == 2 && dice[0] == dice[1] && dice[0].is_multiple_of(2),
        Slot::Plunder => is_plunder(&rules.plunder_requirement, dice),
        Slot::Evade => dice.len() == 3 && dice[0] != dice[1] && dice[1] != dice[2],
    }
}

fn counts(dice: &[u8]) -> [u8; 7] {
    let mut counts = [0; 7];
    for &die in dice {
        counts[die as usize] += 1;
    }
    counts
}

fn all_fillings(rules: &Rules, slot: Slot) -> Vec<[u8; 7]> {
    let mut lists: Vec<Vec<u8>> = Vec::new();
    for a in 1..=6 {
        lists.push(vec![a]);
        for b in a..=6 {
            lists.push(vec![a, b]);
            for c in b..=6 {
                lists.push(vec![a, b, c]);
            }
        }
    }
    lists.retain(|dice| is_filling(rules, slot, dice));
    lists.iter().map(|dice| counts(dice)).collect()
}

pub fn empty_ship(rules: &Rules) -> Vec<Space> {
    let plunder = if rules.plunder_requirement == "triple_equal" { 3 } else { 2 };
    let sizes = [1, 1, 1, 1, 2, 3, 2, plunder, 1, 3];
    let mut spaces = Vec::new();
    for (slot, size) in SLOTS.into_iter().zip(sizes) {
        for _ in 0..size {
            spaces.push(Space { slot, die: None, block: None });
        }
    }
    spaces
}

impl Captain {
    /// Dice in a slot, ascending.
    pub fn dice(&self, slot: Slot) -> Vec<u8> {
        let mut dice: Vec<u8> =
            self.spaces.iter().filter(|space| space.slot == slot).filter_map(|space| space.die).collect();
        dice.sort();
        dice
    }

    /// Owners of the blocking dice in a slot, ascending.
    pub fn blocks(&self, slot: Slot) -> Vec<usize> {
        let mut owners: Vec<usize> =
            self.spaces.iter().filter(|space| space.slot == slot).filter_map(|space| space.block).collect();
        owners.sort();
        owners
    }

    pub fn has_free(&self, slot: Slot) -> bool {
        self.spaces.iter().any(|space| space.slot == slot && space.die.is_none() && space.block.is_none())
    }

    pub fn put(&mut self, slot: Slot, die: u8) {
        let free = |space: &&mut Space| space.slot == slot && space.die.is_none() && space.block.is_none();
        self.spaces.iter_mut().find(free).expect("a free space").die = Some(die);
    }

    pub fn take(&mut self, slot: Slot, die: u8) {
        let there = |space: &&mut Space| space.slot == slot && space.die == Some(die);
        self.spaces.iter_mut().find(there).expect("that die").die = None;
        if slot == Slot::Hold {
            self.hold_fresh = false;
        }
    }

    fn clear_dice(&mut self) {
        for space in &mut self.spaces {
            space.die = None;
        }
        self.hold_fresh = false;
    }
}

fn take_from(pool: &mut Vec<u8>, die: u8) {
    let place = pool.iter().position(|&other| other == die).expect("that die in the pool");
    pool.remove(place);
}

fn distinct(dice: &[u8]) -> Vec<u8> {
    let mut dice = dice.to_vec();
    dice.sort();
    dice.dedup();
    dice
}

impl Twin {
    /// An empty table before the first START.
    pub fn empty(rules: Rules, seats: usize) -> Twin {
        let captain = |seat: usize| Captain {
            coin: rules.starting_coins[seat],
            hp: rules.starting_hp,
            ghost: false,
            grog: 0,
            hold_fresh: false,
            doubles: 0,
            spaces: empty_ship(&rules),
            tally: Tally::default(),
        };
        Twin {
            captains: (0..seats).map(captain).collect(),
            islands: vec![None; 6],
            current: 0,
            turn_no: 1,
            phase: Phase::Finished,
            pool: vec![],
            grog_dice: vec![],
            grog_to_come: 0,
            used: vec![false; 6],
            ghost_turn: false,
            extra_turn: false,
            pending: None,
            ending: None,
            fillings: SLOTS.into_iter().map(|slot| (slot, all_fillings(&rules, slot))).collect(),
            rules,
        }
    }

    // ---- questions ----

    pub fn seats(&self) -> usize {
        self.captains.len()
    }

    fn me(&self) -> &Captain {
        &self.captains[self.current]
    }

    fn me_mut(&mut self) -> &mut Captain {
        &mut self.captains[self.current]
    }

    pub fn living(&self) -> Vec<usize> {
        (0..self.seats()).filter(|&seat| !self.captains[seat].ghost).collect()
    }

    /// Dice in a seat's supply, counted from where all the others are.
    pub fn supply(&self, seat: usize) -> i32 {
        let captain = &self.captains[seat];
        let hp_dice = match self.rules.hp_dice.as_str() {
            "reserved" => 2,
            "released" => (captain.hp + 5) / 6,
            other => panic!("hp_dice {other}"),
        };
        let on_ship = captain.spaces.iter().filter(|space| space.die.is_some()).count();
        let on_islands = self.islands.iter().filter(|owner| **owner == Some(seat)).count();
        let on_others = self
            .captains
            .iter()
            .flat_map(|other| &other.spaces)
            .filter(|space| space.block == Some(seat))
            .count();
        let in_hand = if seat == self.current { self.pool.len() + self.grog_dice.len() } else { 0 };
        self.rules.dice_per_player - hp_dice - (on_ship + on_islands + on_others + in_hand) as i32
    }

    pub fn has_die(&self, seat: usize) -> bool {
        self.rules.supply_limit == "unlimited" || self.supply(seat) > 0
    }

    pub fn total(&self) -> i32 {
        self.pool.iter().chain(&self.grog_dice).map(|&die| die as i32).sum()
    }

    /// Whether these dice could stand together in a slot and still be completed.
    pub fn fits(&self, slot: Slot, dice: &[u8]) -> bool {
        let have = counts(dice);
        let (_, fillings) = self.fillings.iter().find(|(other, _)| *other == slot).unwrap();
        fillings.iter().any(|full| (1..=6).all(|value| have[value] <= full[value]))
    }

    fn can_place(&self, slot: Slot, die: u8) -> bool {
        let mut dice = self.me().dice(slot);
        dice.push(die);
        self.me().has_free(slot) && self.fits(slot, &dice)
    }

    fn fits_instead(&self, slot: Slot, old: u8, new: u8) -> bool {
        let mut dice = self.me().dice(slot);
        take_from(&mut dice, old);
        dice.push(new);
        self.fits(slot, &dice)
    }

    fn is_filled(&self, action: Move) -> bool {
        let slots = slots_of(action);
        self.me().spaces.iter().filter(|space| slots.contains(&space.slot)).all(|space| space.die.is_some())
    }

    fn may_activate(&self, action: Move) -> bool {
        let doubles = self.me().doubles;
        let most_doubles = match self.rules.double_double.as_str() {
            "forbid" => 1,
            "next_two" => 100,
            "quadruple" => 8,
            other => panic!("double_double {other}"),
        };
        self.is_filled(action)
            && !(action == Move::DoubleTime && doubles >= most_doubles)
            && !(action == Move::Grog && doubles > 0 && self.rules.double_on_grog == "forbid")
    }

    fn controls(&self, island: usize) -> bool {
        self.islands[island - 1] == Some(self.current)
    }

    fn island_ready(&self, island: usize) -> bool {
        self.controls(island) && !self.used[island - 1] && !self.ghost_turn
    }

    /// Own ship dice that islands may touch, once each.
    fn touchable(&self) -> Vec<(Slot, u8)> {
        let mut list = Vec::new();
        if self.rules.island_scope == "pool_and_ship" {
            for slot in SLOTS {
                for die in distinct(&self.me().dice(slot)) {
                    list.push((slot, die));
                }
            }
        }
        list
    }

    fn bumps(&self, list: &mut Vec<Action>) {
        if !self.island_ready(1) {
            return;
        }
        for die in distinct(&self.pool) {
            if die < 6 || self.has_die(self.current) {
                list.push(Action::Bump { die, on: None });
            }
        }
        for (slot, die) in self.touchable() {
            let fine =
                if die < 6 { self.fits_instead(slot, die, die + 1) } else { self.has_die(self.current) };
            if fine {
                list.push(Action::Bump { die, on: Some(slot) });
            }
        }
    }

    fn reefs(&self, list: &mut Vec<Action>) {
        if !self.island_ready(3) {
            return;
        }
        for die in distinct(&self.pool) {
            list.push(Action::Reef { die, on: None });
        }
        for (slot, die) in self.touchable() {
            list.push(Action::Reef { die, on: Some(slot) });
        }
    }

    fn mitoses(&self, list: &mut Vec<Action>) {
        if self.island_ready(5) && self.has_die(self.current) {
            list.extend(distinct(&self.pool).into_iter().filter(|&die| die >= 2).map(Action::Mitosis));
        }
    }

    fn noodles(&self, list: &mut Vec<Action>) {
        if !self.island_ready(6) {
            return;
        }
        for die in distinct(&self.pool) {
            list.push(Action::Noodles { die, on: None });
        }
        for (slot, die) in self.touchable() {
            if self.fits_instead(slot, die, 7 - die) {
                list.push(Action::Noodles { die, on: Some(slot) });
            }
        }
    }

    fn block_choices(&self, target: usize) -> Vec<Action> {
        let mut list = Vec::new();
        for space in &self.captains[target].spaces {
            let in_scope = match self.rules.main_block_scope.as_str() {
                "any_ship_space" => true,
                "not_evade" => space.slot != Slot::Evade,
                "actions_only" => space.slot != Slot::Evade && space.slot != Slot::Hold,
                other => panic!("main_block_scope {other}"),
            };
            if in_scope && space.block.is_none() {
                list.push(Action::BlockSpace { slot: space.slot, die: space.die.unwrap_or(0) });
            }
        }
        list.sort();
        list.dedup();
        list
    }

    /// What happens next.
    pub fn turn(&self) -> Turn {
        let seat = Seat::new(self.current);
        match self.phase {
            Phase::Finished => Turn::Over,
            Phase::Rolling
            | Phase::JackpotRolling
            | Phase::Rerolling { .. }
            | Phase::GhostRolling { .. }
            | Phase::HpRolling => Turn::Chance(dhow::game::Source::of(0, seat)),
            Phase::RemoveEvade => Turn::Decision(Seat::new(self.pending.as_ref().unwrap().target.unwrap())),
            _ => Turn::Decision(seat),
        }
    }

    /// All legal actions of whoever decides, sorted.
    pub fn actions(&self) -> Vec<Action> {
        let mut list = Vec::new();
        match &self.phase {
            Phase::FirstRoll => list.push(Action::Roll),
            Phase::Roll => {
                if self.has_die(self.current) {
                    list.push(Action::Roll);
                }
                list.push(Action::Stop);
                if self.rules.roll_islands == "any_time" {
                    self.bumps(&mut list);
                    self.reefs(&mut list);
                    self.mitoses(&mut list);
                    self.noodles(&mut list);
                }
            }
            Phase::Over => {
                list.push(Action::AcceptOverboard);
                self.reefs(&mut list);
                self.noodles(&mut list);
                if self.rules.roll_islands == "any_time" {
                    self.bumps(&mut list);
                    self.mitoses(&mut list);
                }
            }
            Phase::Jackpot => {
                list.push(Action::JackpotCoin);
                if self.has_die(self.current) {
                    list.push(Action::JackpotDie);
                }
            }
            Phase::EvadeFill => {
                for die in distinct(&self.pool) {
                    if self.can_place(Slot::Evade, die) {
                        list.push(Action::EvadePlace(die));
                    }
                }
                list.push(Action::EvadeDone);
            }
            Phase::Order => {
                for slot in SLOTS {
                    if self.ghost_turn && !GHOST_SLOTS.contains(&slot) {
                        continue;
                    }
                    for die in distinct(&self.pool) {
                        if self.can_place(slot, die) {
                            list.push(Action::Place { slot, die });
                        }
                    }
                    if self.rules.remove_placed == "any_own" {
                        for die in distinct(&self.me().dice(slot)) {
                            list.push(Action::Remove { slot, die });
                        }
                    }
                }
                list.extend(
                    MOVES.into_iter().filter(|&action| self.may_activate(action)).map(Action::Activate),
                );
                if !self.me().dice(Slot::Hold).is_empty() && !self.me().hold_fresh {
                    list.push(Action::Unhold);
                }
                self.bumps(&mut list);
                self.reefs(&mut list);
                self.mitoses(&mut list);
                self.noodles(&mut list);
                list.push(Action::End);
            }
            Phase::ChooseTarget => {
                for seat in self.living() {
                    if seat != self.current {
                        list.push(Action::Target(Seat::new(seat)));
                    }
                }
            }
            Phase::GrogTarget => {
                for seat in 0..self.seats() {
                    if seat != self.current || self.rules.grog_targets == "any" {
                        list.push(Action::GrogTarget(Seat::new(seat)));
                    }
                }
            }
            Phase::RemoveEvade => {
                let target = self.pending.as_ref().unwrap().target.unwrap();
                list.extend(self.captains[target].dice(Slot::Evade).into_iter().map(Action::RemoveEvade));
            }
            Phase::ClaimIsland => {
                let dice = &self.pending.as_ref().unwrap().dice;
                list.extend(distinct(dice).into_iter().map(Action::ClaimIsland));
            }
            Phase::ChooseBlock => {
                list = self.block_choices(self.pending.as_ref().unwrap().target.unwrap());
                if !self.rules.main_block_mandatory {
                    list.push(Action::BlockNone);
                }
            }
            Phase::Rolling
            | Phase::JackpotRolling
            | Phase::Rerolling { .. }
            | Phase::GhostRolling { .. }
            | Phase::HpRolling
            | Phase::Finished => panic!("nobody decides now"),
        }
        list.sort();
        list
    }

    /// All outcomes of a chance node; they are equally likely.
    pub fn chance(&self) -> Vec<Action> {
        (1..=6).map(Action::Die).collect()
    }

    // ---- the turn ----

    /// START of the current seat's turn.
    pub fn start(&mut self) {
        self.me_mut().tally.turns += 1;
        let held = self.islands.iter().filter(|owner| **owner == Some(self.current)).count();
        if !self.me().ghost && held >= self.rules.islands_to_win {
            return self.finish("exploration", Some(self.current));
        }
        self.used = vec![false; 6];
        self.extra_turn = false;
        self.pool.clear();
        self.grog_dice.clear();
        if self.rules.double_expiry != "never" {
            self.me_mut().doubles = 0;
        }
        self.grog_to_come = self.me().grog;
        self.me_mut().grog = 0;
        self.me_mut().hold_fresh = false;
        self.ghost_turn = self.me().ghost;
        self.phase = if self.ghost_turn {
            self.ghost_roll(2)
        } else if self.has_die(self.current) {
            Phase::FirstRoll
        } else {
            self.grog_to_come = 0;
            Phase::Order
        };
    }

    /// A ghost that has no die left rolls no further one (possible only with few dice a player).
    fn ghost_roll(&self, left: u32) -> Phase {
        if left > 0 && self.has_die(self.current) { Phase::GhostRolling { left } } else { Phase::Order }
    }

    fn finish(&mut self, ending: &'static str, winner: Option<usize>) {
        self.ending = Some((ending, winner));
        self.phase = Phase::Finished;
    }

    pub fn check(&mut self) {
        let (total, limit) = (self.total(), self.me().coin);
        self.phase = if total < limit {
            Phase::Roll
        } else if total == limit {
            self.me_mut().tally.jackpots += 1;
            Phase::Jackpot
        } else {
            Phase::Over
        };
    }

    /// A newly rolled die joins the pool, or the grogged dice.
    pub fn join(&mut self, die: u8) {
        if self.grog_to_come > 0 {
            self.grog_to_come -= 1;
            self.grog_dice.push(die);
        } else {
            self.pool.push(die);
        }
    }

    fn gain(&mut self, coins: i32) {
        // No limit beyond 250 is counted.
        self.me_mut().coin = (self.me().coin + coins).min(250);
        if self.rules.plunder_timing == "immediate" && self.me().coin >= self.rules.plunder_win_at {
            self.finish("plunder", Some(self.current));
        }
    }

    fn end_turn(&mut self) {
        if self.rules.plunder_timing == "end_of_turn" && self.me().coin >= self.rules.plunder_win_at {
            return self.finish("plunder", Some(self.current));
        }
        self.pool.clear();
        self.grog_dice.clear();
        if self.rules.double_expiry != "never" {
            self.me_mut().doubles = 0;
        }
        for space in &mut self.me_mut().spaces {
            space.block = None;
        }
        if self.me().ghost && !self.rules.ghost_persist {
            self.me_mut().clear_dice();
        }
        if self.turn_no == self.rules.turn_cap {
            return self.finish("cap", None);
        }
        if !self.extra_turn {
            self.current = (self.current + 1) % self.seats();
        }
        self.turn_no += 1;
        self.start();
    }

    // ---- effects ----

    fn activate(&mut self, action: Move) {
        let mut dice = Vec::new();
        let slots = slots_of(action);
        for space in &mut self.me_mut().spaces {
            if slots.contains(&space.slot) {
                dice.push(space.die.take().expect("a filled action"));
            }
        }
        let quadruple = self.rules.double_double == "quadruple";
        let doubles = self.me().doubles;
        let after_use = if quadruple || doubles == 0 { 0 } else { doubles - 1 };
        let mut effects = 1;
        match action {
            Move::DoubleTime => {
                self.me_mut().doubles += 1;
                return;
            }
            Move::Grog => {
                if self.rules.double_on_grog == "wasted" {
                    self.me_mut().doubles = after_use;
                }
            }
            _ => {
                if doubles > 0 {
                    effects = if quadruple { 1 << doubles } else { 2 };
                    self.me_mut().doubles = after_use;
                }
            }
        }
        self.pending = Some(Pending {
            action,
            dice,
            effects_left: effects,
            target: None,
            island: None,
            damage: 0,
            evaded: 0,
            to_remove: 0,
        });
        self.next_effect();
    }

    fn next_effect(&mut self) {
        let pending = self.pending.as_mut().unwrap();
        if pending.effects_left == 0 {
            self.pending = None;
            self.phase = Phase::Order;
            return;
        }
        pending.effects_left -= 1;
        let pending = pending.clone();
        let same = self.rules.double_targets == "same";
        match pending.action {
            Move::Aft | Move::Fore | Move::Main => match pending.target {
                Some(target) if same && self.captains[target].ghost => self.next_effect(),
                Some(target) if same => self.fire(target),
                _ => self.phase = Phase::ChooseTarget,
            },
            Move::Explorer => {
                if !self.has_die(self.current) || same && pending.island.is_some() {
                    self.next_effect();
                } else {
                    self.phase = Phase::ClaimIsland;
                }
            }
            Move::Plunder => {
                self.me_mut().tally.plunders += 1;
                let mut coins = self.rules.plunder_gain;
                if self.island_ready(2) {
                    self.used[1] = true;
                    coins += 1;
                }
                self.gain(coins);
                if self.ending.is_none() {
                    self.next_effect();
                }
            }
            Move::Grog => self.phase = Phase::GrogTarget,
            Move::DoubleTime => unreachable!(),
        }
    }

    fn fire(&mut self, target: usize) {
        let obninsk = self.controls(4);
        let disabled =
            self.rules.evade_block_disables && !self.captains[target].blocks(Slot::Evade).is_empty();
        let evade = self.captains[target].dice(Slot::Evade);
        let pending = self.pending.as_mut().unwrap();
        let lucky = pending.dice.iter().filter(|&&die| die == 4 || die == 6).count() as i32;
        let mut damage = 1;
        if obninsk {
            damage += match self.rules.obninsk_main.as_str() {
                "once_per_fire" => lucky.min(1),
                "per_die" => lucky,
                other => panic!("obninsk_main {other}"),
            };
        }
        let usable = if disabled { 0 } else { evade.len() as i32 };
        let evaded = damage.min(usable);
        pending.target = Some(target);
        pending.damage = damage;
        pending.evaded = evaded;
        pending.to_remove = 0;
        let goes: Vec<u8> = if evaded == evade.len() as i32 {
            evade
        } else if evaded == 0 {
            vec![]
        } else {
            match self.rules.evade_removal.as_str() {
                "lowest" => evade[..evaded as usize].to_vec(),
                "highest" => evade[evade.len() - evaded as usize..].to_vec(),
                "defender_choice" => {
                    pending.to_remove = evaded;
                    self.phase = Phase::RemoveEvade;
                    return;
                }
                other => panic!("evade_removal {other}"),
            }
        };
        for die in goes {
            self.captains[target].take(Slot::Evade, die);
        }
        self.lose_hp();
    }

    /// The second half of a hit: what was not evaded.
    fn lose_hp(&mut self) {
        let pending = self.pending.clone().unwrap();
        let target = pending.target.unwrap();
        let lost = pending.damage - pending.evaded;
        if lost > 0 {
            self.me_mut().tally.hits += 1;
        }
        let victim = &mut self.captains[target];
        victim.hp = (victim.hp - lost).max(0);
        if victim.hp == 0 {
            return self.sink(target);
        }
        let blocks = match self.rules.main_block_if.as_str() {
            "any_hp_lost" => lost > 0,
            "nothing_evaded" => pending.evaded == 0,
            other => panic!("main_block_if {other}"),
        };
        if pending.action == Move::Main
            && blocks
            && self.has_die(self.current)
            && !self.block_choices(target).is_empty()
        {
            self.phase = Phase::ChooseBlock;
        } else {
            self.next_effect();
        }
    }

    fn sink(&mut self, seat: usize) {
        self.me_mut().tally.sinkings += 1;
        let victim = &mut self.captains[seat];
        victim.ghost = true;
        victim.hp = 0;
        victim.coin = 0;
        victim.clear_dice();
        for island in &mut self.islands {
            if *island == Some(seat) {
                *island = None;
            }
        }
        if self.rules.ghost_lifts_blocks {
            for space in self.captains.iter_mut().flat_map(|captain| &mut captain.spaces) {
                if space.block == Some(seat) {
                    space.block = None;
                }
            }
        }
        if self.me().ghost {
            self.phase = Phase::HpRolling;
        } else {
            self.last_living_test();
        }
    }

    fn last_living_test(&mut self) {
        if let [last] = self.living()[..] {
            return self.finish("sink", Some(last));
        }
        self.next_effect();
    }

    fn resurrect(&mut self, hp: u8) {
        let coins = self.rules.resurrect_coins;
        let clear = self.rules.resurrect_keep_dice == "clear";
        let me = self.me_mut();
        me.tally.resurrections += 1;
        me.hp = hp as i32;
        me.coin = coins;
        me.ghost = false;
        if clear {
            me.clear_dice();
        }
        self.extra_turn = true;
        if self.living().len() == 1 {
            return self.finish("sink", Some(self.current));
        }
        match self.rules.resurrect_turn.as_str() {
            "immediate" => {
                self.pending = None;
                self.end_turn();
            }
            "after_ghost_turn" => self.next_effect(),
            other => panic!("resurrect_turn {other}"),
        }
    }

    // ---- actions ----

    /// After an island: CHECK in the Roll phase, nothing in the Order phase.
    fn after_island(&mut self) {
        if self.phase != Phase::Order {
            self.check();
        }
    }

    pub fn apply(&mut self, action: Action) {
        match action {
            Action::Roll => self.phase = Phase::Rolling,
            Action::Stop => self.phase = Phase::Order,
            Action::AcceptOverboard => {
                self.me_mut().tally.busts += 1;
                self.phase = Phase::EvadeFill;
            }
            Action::EvadePlace(die) => {
                take_from(&mut self.pool, die);
                self.me_mut().put(Slot::Evade, die);
            }
            Action::EvadeDone | Action::End => self.end_turn(),
            Action::JackpotCoin => {
                self.phase = Phase::Order;
                let most = self.rules.plunder_win_at - 1 - self.me().coin;
                let coins = self.rules.jackpot_gain;
                self.gain(if self.rules.jackpot_can_win { coins } else { coins.min(most) });
            }
            Action::JackpotDie => self.phase = Phase::JackpotRolling,
            Action::Bump { die, on } => {
                self.used[0] = true;
                if die == 6 {
                    self.pool.push(1);
                } else {
                    self.change(die, on, die + 1);
                }
                self.after_island();
            }
            Action::Noodles { die, on } => {
                self.used[5] = true;
                self.change(die, on, 7 - die);
                self.after_island();
            }
            Action::Mitosis(die) => {
                self.used[4] = true;
                take_from(&mut self.pool, die);
                self.pool.push(die / 2);
                self.pool.push(die - die / 2);
                self.after_island();
            }
            Action::Reef { die, on } => {
                self.used[2] = true;
                self.phase = Phase::Rerolling { die, on, in_order: self.phase == Phase::Order };
            }
            Action::Place { slot, die } => {
                take_from(&mut self.pool, die);
                self.me_mut().put(slot, die);
                if slot == Slot::Hold {
                    self.me_mut().hold_fresh = true;
                }
                if self.rules.full_persist == "auto_activate" {
                    let action = MOVES.into_iter().find(|&action| slots_of(action).contains(&slot));
                    if let Some(action) = action
                        && self.may_activate(action)
                    {
                        self.activate(action);
                    }
                }
            }
            Action::Activate(action) => self.activate(action),
            Action::Unhold => {
                let die = self.me().dice(Slot::Hold)[0];
                self.me_mut().take(Slot::Hold, die);
                self.pool.push(die);
            }
            Action::Remove { slot, die } => self.me_mut().take(slot, die),
            Action::Target(seat) => self.fire(seat.index()),
            Action::RemoveEvade(die) => {
                let pending = self.pending.as_mut().unwrap();
                let target = pending.target.unwrap();
                pending.to_remove -= 1;
                let done = pending.to_remove == 0;
                self.captains[target].take(Slot::Evade, die);
                if done {
                    self.lose_hp();
                }
            }
            Action::ClaimIsland(island) => {
                if !self.controls(island as usize) {
                    self.me_mut().tally.islands += 1;
                }
                self.islands[island as usize - 1] = Some(self.current);
                self.pending.as_mut().unwrap().island = Some(island);
                self.next_effect();
            }
            Action::BlockSpace { slot, die } => {
                let (me, target) = (self.current, self.pending.as_ref().unwrap().target.unwrap());
                let chosen = |space: &&mut Space| {
                    space.slot == slot && space.block.is_none() && space.die.unwrap_or(0) == die
                };
                let space = self.captains[target].spaces.iter_mut().find(chosen).unwrap();
                space.die = None;
                space.block = Some(me);
                if slot == Slot::Hold {
                    self.captains[target].hold_fresh = false;
                }
                self.next_effect();
            }
            Action::BlockNone => self.next_effect(),
            Action::GrogTarget(seat) => {
                let grog = &mut self.captains[seat.index()].grog;
                *grog = if self.rules.grog_stack { *grog + 1 } else { 1 };
                self.next_effect();
            }
            Action::Die(die) => match self.phase.clone() {
                Phase::Rolling => {
                    self.join(die);
                    self.check();
                }
                Phase::JackpotRolling => {
                    self.join(die);
                    self.phase = Phase::Order;
                }
                Phase::GhostRolling { left } => {
                    self.join(die);
                    self.phase = self.ghost_roll(left - 1);
                }
                Phase::Rerolling { die: old, on, in_order } => {
                    match on {
                        Some(slot) if !self.fits_instead(slot, old, die) => self.me_mut().take(slot, old),
                        _ => self.change(old, on, die),
                    }
                    self.phase = Phase::Order;
                    if !in_order {
                        self.check();
                    }
                }
                Phase::HpRolling => self.resurrect(die),
                other => panic!("no die is rolled in {other:?}"),
            },
        }
    }

    /// Turns a die of the pool or of a slot to another value; it stays where it is.
    fn change(&mut self, old: u8, on: Option<Slot>, new: u8) {
        match on {
            None => {
                take_from(&mut self.pool, old);
                self.pool.push(new);
            }
            Some(slot) => {
                let there = |space: &&mut Space| space.slot == slot && space.die == Some(old);
                self.me_mut().spaces.iter_mut().find(there).expect("that die").die = Some(new);
            }
        }
    }
}
