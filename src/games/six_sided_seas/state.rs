//! A position of *Six-Sided Seas*: everything on the table and whose step it is; how it is written down,
//! and a builder that sets one up.
//!
//! # Written form
//!
//! Seats count from 0 inside a state. `players` holds for each seat `coin`, `hp`, `ghost`, `grogged` (dice
//! of the next turn that grog spoils), `supply`, `doublings` (Double Times that wait), `hold_fresh` (the held
//! die was put there this turn), the dice of each slot under the slot's name (`aft`, `fore`, `m1`, `m2`,
//! `grog`, `explorer`, `double_time`, `plunder`, `hold`, `evade`), `islands` (numbers of those controlled),
//! `blocks` (blocked spaces: `slot`, `owner` of the blocking die, `count`) and `tally`. Then `current`,
//! `phase`, `turn_no`, `pool`, `grog_dice` (rolled this turn, spoiled), `grog_due` (dice of this turn still
//! to be spoiled), `islands_used` (numbers), `ghost_turn`, `again` (the current player takes another turn
//! after this one), `pending` (what an activated action still has to do), `reef` (the die that is being
//! rolled again) and, when the game is over, `ending` and `winner`.

use serde::{Deserialize, Serialize};

pub use super::action::Action;
pub use super::dice::Dice;
use super::rules::{MAX_COIN, MAX_NEXT_TWO, Rules};
pub use super::ship::{Blocks, Move, Ship, Slot};
use crate::game::Seat;

/// The most players.
pub const MAX_PLAYERS: usize = 4;

/// What happens next.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Phase {
    /// Roll or stop.
    #[default]
    Roll,
    /// The total passed the limit.
    Over,
    /// The total met the limit: coin or die.
    Jackpot,
    /// After Overboard: dice into Evade.
    Evade,
    /// The Order phase.
    Order,
    /// A cannon's target is to be named.
    Target,
    /// The player who gets grog is to be named.
    GrogTarget,
    /// The island is to be named.
    Claim,
    /// The space to be blocked is to be named.
    Block,
    /// The defender names an Evade die that goes.
    RemoveEvade,
    /// A die is rolled in the Roll phase.
    RollDie,
    /// A ghost's die is rolled.
    GhostDie,
    /// The Jackpot die is rolled.
    JackpotDie,
    /// Lucky Reef rolls a die again, in the Roll phase.
    RollReef,
    /// Lucky Reef rolls a die again, in the Order phase.
    OrderReef,
    /// A resurrected captain rolls its hull.
    HullDie,
    /// The game is over.
    Done,
}

impl Phase {
    /// Whether an activated action is being carried out.
    pub const fn is_effect(self) -> bool {
        matches!(
            self,
            Phase::Target
                | Phase::GrogTarget
                | Phase::Claim
                | Phase::Block
                | Phase::RemoveEvade
                | Phase::HullDie
        )
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// All rivals were sunk.
    Sink,
    /// The coin limit reached the winning one.
    Plunder,
    /// Enough islands at the start of a turn.
    Exploration,
    /// Too many turns: a draw.
    Cap,
}

impl Ending {
    /// As tables show them.
    pub const NAMES: [&'static str; 4] = ["sink", "plunder", "exploration", "cap"];

    /// The name.
    pub const fn name(self) -> &'static str {
        Ending::NAMES[self as usize]
    }
}

/// What one player did in the whole game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tally {
    /// Times overboard.
    pub busts: u16,
    /// Jackpots.
    pub jackpots: u16,
    /// Islands claimed that the player did not hold.
    pub islands: u16,
    /// Plunder effects.
    pub plunders: u16,
    /// Shots that cost an enemy hull.
    pub hits: u16,
    /// Enemies sunk.
    pub sinkings: u16,
    /// Returns from the dead.
    pub resurrections: u16,
    /// Turns begun.
    pub turns: u16,
}

impl Tally {
    /// Names, in the order of [`Tally::counts`].
    pub const NAMES: [&'static str; 8] =
        ["busts", "jackpots", "islands", "plunders", "hits", "sinkings", "resurrections", "own_turns"];

    /// All counts.
    pub const fn counts(&self) -> [u16; 8] {
        [
            self.busts,
            self.jackpots,
            self.islands,
            self.plunders,
            self.hits,
            self.sinkings,
            self.resurrections,
            self.turns,
        ]
    }
}

/// One player's side of the table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(super) struct Player {
    pub ship: Ship,
    pub blocks: Blocks,
    pub coin: u8,
    pub hp: u8,
    pub grogged: u8,
    pub supply: i8,
    pub doublings: u8,
    /// Islands as a mask: bit n - 1 is island n.
    pub islands: u8,
    pub ghost: bool,
    pub hold_fresh: bool,
}

/// What an activated action still has to do. All zero when nothing is pending.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(super) struct PendingEffect {
    /// Effects left, the one under way included.
    pub effects: u16,
    pub action: Option<Move>,
    /// The dice it was activated with, ascending; 0 is none.
    pub dice: [u8; 3],
    /// Its target as seat + 1; 0 is none.
    pub target: u8,
    /// The island that was claimed, where both effects must claim the same (S-12).
    pub island: u8,
    /// Evade dice that the target still has to give up.
    pub evade_left: u8,
    /// Evade dice that this effect takes in all.
    pub evaded: u8,
    /// Hull that this effect takes.
    pub hull: u8,
}

impl PendingEffect {
    /// The target, which has been named, as an index; always below [`MAX_PLAYERS`].
    #[inline]
    pub const fn target_index(&self) -> usize {
        (self.target.wrapping_sub(1) & 3) as usize
    }
}

/// A position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(into = "Form", try_from = "Form")]
pub struct State {
    pub(super) players: [Player; MAX_PLAYERS],
    pub(super) pool: Dice,
    pub(super) grog_dice: Dice,
    pub(super) pending: PendingEffect,
    pub(super) turn_no: u16,
    pub(super) seats: u8,
    pub(super) current: u8,
    pub(super) phase: Phase,
    /// Islands used this turn, as a mask.
    pub(super) used: u8,
    pub(super) grog_due: u8,
    pub(super) ghost_turn: bool,
    pub(super) again: bool,
    /// The die that Lucky Reef rolls again; 0 is none.
    pub(super) reef_die: u8,
    pub(super) reef_on: Option<Slot>,
    pub(super) ending: Option<Ending>,
    pub(super) winner: Option<u8>,
    pub(super) tallies: [Tally; MAX_PLAYERS],
}

/// What an activated action still has to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pending {
    /// The action.
    pub action: Move,
    /// The dice it was activated with.
    pub dice: Dice,
    /// Effects left, the one under way included.
    pub effects: u16,
    /// Its target, once named.
    pub target: Option<Seat>,
    /// Evade dice that the target still has to give up.
    pub evade_left: u8,
    /// Hull that the effect under way takes.
    pub hull: u8,
}

impl State {
    /// Number of players.
    #[inline]
    pub fn seats(&self) -> usize {
        self.seats as usize
    }
    /// Whose turn it is.
    #[inline]
    pub fn current(&self) -> Seat {
        Seat::new(self.current as usize)
    }
    /// What happens next.
    #[inline]
    pub fn phase(&self) -> Phase {
        self.phase
    }
    /// Number of the turn, from 1.
    pub fn turn_no(&self) -> u32 {
        self.turn_no as u32
    }
    /// The dice of the pool that may be used.
    pub fn pool(&self) -> Dice {
        self.pool
    }
    /// The dice of the pool that grog spoiled: they count, and nothing else.
    pub fn grog_dice(&self) -> Dice {
        self.grog_dice
    }
    /// The first of [`State::grog_dice`].
    pub fn grog_die(&self) -> Option<u8> {
        self.grog_dice.iter().next()
    }
    /// Dice of this turn that grog still spoils.
    pub fn grog_due(&self) -> u8 {
        self.grog_due
    }
    /// The sum of the pool, spoiled dice included: what is held against the limit in the Roll phase.
    #[inline]
    pub fn total(&self) -> u8 {
        self.pool.total() + self.grog_dice.total()
    }
    /// A player's coin limit; 0 for a ghost.
    pub fn coin(&self, seat: Seat) -> u8 {
        self.player(seat).coin
    }
    /// A player's hull; 0 for a ghost.
    pub fn hp(&self, seat: Seat) -> u8 {
        self.player(seat).hp
    }
    /// Whether a player is a ghost.
    pub fn is_ghost(&self, seat: Seat) -> bool {
        self.player(seat).ghost
    }
    /// How many dice of a player's next turn grog spoils.
    pub fn grogged(&self, seat: Seat) -> u8 {
        self.player(seat).grogged
    }
    /// Dice in a player's supply. May be negative where it is unlimited.
    pub fn supply(&self, seat: Seat) -> i32 {
        self.player(seat).supply as i32
    }
    /// Double Times of a player that wait.
    pub fn doublings(&self, seat: Seat) -> u8 {
        self.player(seat).doublings
    }
    /// Double Times of the current player that wait.
    pub fn double_pending(&self) -> u8 {
        self.player(self.current()).doublings
    }
    /// Whether the held die was put there this turn.
    pub fn hold_fresh(&self, seat: Seat) -> bool {
        self.player(seat).hold_fresh
    }
    /// The dice on a slot of a player's ship.
    pub fn dice(&self, seat: Seat, slot: Slot) -> Dice {
        self.player(seat).ship.dice(slot)
    }
    /// How many dice lie on a player's ship, without blocking dice.
    pub fn dice_on_ship(&self, seat: Seat) -> u8 {
        self.player(seat).ship.len()
    }
    /// Blocked spaces of a slot of a player's ship.
    pub fn blocked(&self, seat: Seat, slot: Slot) -> u8 {
        self.player(seat).blocks.count(slot)
    }
    /// Those of them that `owner` blocks.
    pub fn blocked_by(&self, seat: Seat, slot: Slot, owner: Seat) -> u8 {
        self.player(seat).blocks.of(owner.index(), slot)
    }
    /// Blocking dice of `owner` on all ships.
    pub fn blocking_dice(&self, owner: Seat) -> u8 {
        self.players.iter().map(|player| player.blocks.owned(owner.index())).sum()
    }
    /// Who controls an island (1 to 6).
    pub fn island(&self, island: u8) -> Option<Seat> {
        Seat::all(self.seats()).find(|&seat| self.player(seat).islands >> (island - 1) & 1 == 1)
    }
    /// How many islands a player controls.
    pub fn islands_of(&self, seat: Seat) -> u8 {
        self.player(seat).islands.count_ones() as u8
    }
    /// Whether the current player has used an island (1 to 6) this turn.
    pub fn used(&self, island: u8) -> bool {
        self.used >> (island - 1) & 1 == 1
    }
    /// Whether this turn began as a ghost's.
    pub fn ghost_turn(&self) -> bool {
        self.ghost_turn
    }
    /// Whether the current player takes another turn after this one.
    pub fn again(&self) -> bool {
        self.again
    }
    /// What an activated action still has to do.
    pub fn pending(&self) -> Option<Pending> {
        let pending = &self.pending;
        Some(Pending {
            action: pending.action?,
            dice: pending.dice.into_iter().filter(|&face| face > 0).collect(),
            effects: pending.effects,
            target: (pending.target > 0).then(|| Seat::new(pending.target as usize - 1)),
            evade_left: pending.evade_left,
            hull: pending.hull,
        })
    }
    /// The die that Lucky Reef is rolling again, and where it lies if not in the pool.
    pub fn reef(&self) -> Option<(u8, Option<Slot>)> {
        (self.reef_die > 0).then_some((self.reef_die, self.reef_on))
    }
    /// How the game ended.
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }
    /// Who won.
    pub fn winner(&self) -> Option<Seat> {
        self.winner.map(|seat| Seat::new(seat as usize))
    }
    /// What a player did so far.
    pub fn tally_of(&self, seat: Seat) -> &Tally {
        &self.tallies[seat.index()]
    }

    #[inline]
    pub(super) fn player(&self, seat: Seat) -> &Player {
        &self.players[seat.index()]
    }

    /// A table before the first turn, with nothing on it.
    pub(super) fn empty(rules: &Rules, seats: usize) -> State {
        let mut players = [Player::default(); MAX_PLAYERS];
        for (player, &coin) in players.iter_mut().zip(&rules.starting_coins) {
            player.coin = coin;
            player.hp = rules.starting_hp;
            player.supply = rules.supply_base(player.hp, false);
        }
        State {
            players,
            pool: Dice::NONE,
            grog_dice: Dice::NONE,
            pending: PendingEffect::default(),
            turn_no: 1,
            seats: seats as u8,
            current: 0,
            phase: Phase::Roll,
            used: 0,
            grog_due: 0,
            ghost_turn: false,
            again: false,
            reef_die: 0,
            reef_on: None,
            ending: None,
            winner: None,
            tallies: [Tally::default(); MAX_PLAYERS],
        }
    }

    /// A player's dice that are neither in the supply nor on the hull.
    pub fn dice_in_use(&self, seat: Seat) -> i32 {
        let player = self.player(seat);
        let placed = player.ship.len() + self.islands_of(seat) + self.blocking_dice(seat);
        let rolled = if seat == self.current() { self.pool.len() + self.grog_dice.len() } else { 0 };
        placed as i32 + rolled as i32
    }

    /// The supply that a player must have: what the rules give less what is in use.
    pub fn supply_by_count(&self, rules: &Rules, seat: Seat) -> i32 {
        let player = self.player(seat);
        rules.supply_base(player.hp, player.ghost) as i32 - self.dice_in_use(seat)
    }
}

/// Sets a position up for a test or an analysis. What is not named is as at the start of a game, with
/// seat 1 to act. The supply is counted from what is in use.
///
/// ```
/// use dhow::game::Seat;
/// use dhow::games::six_sided_seas::{Phase, Rules, Slot, StateBuilder};
///
/// let (a, b) = (Seat::new(0), Seat::new(1));
/// let rules = Rules::published(2);
/// let state = StateBuilder::new(&rules, 2)
///     .coin(a, 12)
///     .dice(a, Slot::DoubleTime, &[2, 2])
///     .island(2, a)
///     .hp(b, 3)
///     .phase(Phase::Order)
///     .pool(&[5, 5])
///     .build()
///     .unwrap();
/// assert_eq!(state.supply(a), 14 - 2 - 1 - 2);
/// ```
#[derive(Clone, Debug)]
pub struct StateBuilder {
    rules: Rules,
    state: State,
    /// The first thing that was wrong.
    fault: Option<String>,
}

/// A position that cannot be.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct PositionError(pub String);

impl StateBuilder {
    /// The start of a game. `rules` must be valid for `seats`.
    pub fn new(rules: &Rules, seats: usize) -> StateBuilder {
        StateBuilder { rules: rules.clone(), state: State::empty(rules, seats), fault: None }
    }

    fn player(&mut self, seat: Seat) -> &mut Player {
        &mut self.state.players[seat.index()]
    }

    fn blame(&mut self, fault: String) {
        self.fault.get_or_insert(fault);
    }

    /// A coin limit.
    #[must_use]
    pub fn coin(mut self, seat: Seat, coin: u8) -> Self {
        self.player(seat).coin = coin;
        self
    }
    /// Hull points.
    #[must_use]
    pub fn hp(mut self, seat: Seat, hp: u8) -> Self {
        self.player(seat).hp = hp;
        self
    }
    /// Makes a player a ghost: no coins, no hull.
    #[must_use]
    pub fn ghost(mut self, seat: Seat) -> Self {
        let player = self.player(seat);
        (player.ghost, player.coin, player.hp) = (true, 0, 0);
        self
    }
    /// How many dice of the player's next turn grog spoils.
    #[must_use]
    pub fn grogged(mut self, seat: Seat, dice: u8) -> Self {
        self.player(seat).grogged = dice;
        self
    }
    /// Double Times that wait.
    #[must_use]
    pub fn doublings(mut self, seat: Seat, count: u8) -> Self {
        self.player(seat).doublings = count;
        self
    }
    /// Dice on an empty slot of the player's ship.
    #[must_use]
    pub fn dice(mut self, seat: Seat, slot: Slot, faces: &[u8]) -> Self {
        let placed = Dice::try_from(faces.to_vec()).and_then(|dice| {
            let possible = super::ship::Fits::new(&self.rules).possible(slot, dice);
            if !possible {
                return Err(format!("{dice} cannot lie in {slot} under these rules"));
            }
            self.player(seat).ship.fill(slot, dice)
        });
        if let Err(fault) = placed {
            self.blame(fault);
        }
        self
    }
    /// Whether the held die was put there this turn.
    #[must_use]
    pub fn hold_fresh(mut self, seat: Seat, fresh: bool) -> Self {
        self.player(seat).hold_fresh = fresh;
        self
    }
    /// One more blocked space on the ship of `seat`, by a die of `owner`.
    #[must_use]
    pub fn block(mut self, seat: Seat, slot: Slot, owner: Seat) -> Self {
        if self.state.blocked(seat, slot) >= slot.spaces(&self.rules) {
            self.blame(format!("{slot} has no space left to block"));
        } else {
            self.player(seat).blocks.add(owner.index(), slot);
        }
        self
    }
    /// Gives an island (1 to 6) to a player.
    #[must_use]
    pub fn island(mut self, island: u8, seat: Seat) -> Self {
        for other in 0..MAX_PLAYERS {
            self.state.players[other].islands &= !(1 << (island - 1));
        }
        self.player(seat).islands |= 1 << (island - 1);
        self
    }
    /// Whose turn it is.
    #[must_use]
    pub fn current(mut self, seat: Seat) -> Self {
        self.state.current = seat.index() as u8;
        self
    }
    /// What happens next; a phase without a pending effect.
    #[must_use]
    pub fn phase(mut self, phase: Phase) -> Self {
        self.state.phase = phase;
        self
    }
    /// The usable dice of the pool.
    #[must_use]
    pub fn pool(mut self, faces: &[u8]) -> Self {
        match Dice::try_from(faces.to_vec()) {
            Ok(dice) => self.state.pool = dice,
            Err(fault) => self.blame(fault),
        }
        self
    }
    /// The spoiled dice of the pool.
    #[must_use]
    pub fn grog_dice(mut self, faces: &[u8]) -> Self {
        match Dice::try_from(faces.to_vec()) {
            Ok(dice) => self.state.grog_dice = dice,
            Err(fault) => self.blame(fault),
        }
        self
    }
    /// Dice of this turn that grog still spoils.
    #[must_use]
    pub fn grog_due(mut self, dice: u8) -> Self {
        self.state.grog_due = dice;
        self
    }
    /// Marks an island (1 to 6) as used this turn.
    #[must_use]
    pub fn used(mut self, island: u8) -> Self {
        self.state.used |= 1 << (island - 1);
        self
    }
    /// Number of the turn.
    #[must_use]
    pub fn turn_no(mut self, turn: u16) -> Self {
        self.state.turn_no = turn;
        self
    }

    /// The position.
    ///
    /// # Errors
    /// [`PositionError`] if it cannot be: dice that do not fit, more dice than spaces, a ghost with dice
    /// where it can have none, a living captain without hull, a phase that needs a pending effect.
    pub fn build(mut self) -> Result<State, PositionError> {
        if let Some(fault) = self.fault {
            return Err(PositionError(fault));
        }
        self.state.ghost_turn = self.state.players[self.state.current as usize].ghost;
        for seat in 0..self.state.seats() {
            self.state.players[seat].supply = self.state.supply_by_count(&self.rules, Seat::new(seat)) as i8;
        }
        if self.state.phase.is_effect()
            || matches!(self.state.phase, Phase::RollReef | Phase::OrderReef | Phase::Done)
        {
            return Err(PositionError("a built position stands between two actions".into()));
        }
        let spaces = |slot: Slot| slot.spaces(&self.rules);
        check(&self.state, &spaces).map_err(PositionError)?;
        Ok(self.state)
    }
}

/// What must hold of every position, whatever the rules.
fn check(state: &State, spaces: &dyn Fn(Slot) -> u8) -> Result<(), String> {
    let seats = state.seats();
    if !(2..=MAX_PLAYERS).contains(&seats) {
        return Err(format!("2 to 4 play, not {seats}"));
    }
    if state.current() >= Seat::new(seats) || state.winner.is_some_and(|seat| seat as usize >= seats) {
        return Err("a seat is named that nobody has".into());
    }
    // Far above what play can reach, and low enough that no count overflows.
    let sum = |dice: Dice| dice.iter().map(u32::from).sum::<u32>();
    if sum(state.pool) > 110 || sum(state.grog_dice) > 110 {
        return Err("a pool has more pips than can be rolled".into());
    }
    if !(1..=10_000).contains(&state.turn_no) {
        return Err("turns are counted from 1 to 10000".into());
    }
    for (index, player) in state.players[..seats].iter().enumerate() {
        if !(0..=40).contains(&(player.supply as i32 + state.dice_in_use(Seat::new(index)))) {
            return Err(format!("player {} has more or fewer dice than there are", index + 1));
        }
        let fail = |what: &str| Err(format!("player {} {what}", index + 1));
        if player.ghost && (player.coin > 0 || player.hp > 0 || player.islands != 0) {
            return fail("is a ghost and has no coins, hull or islands");
        }
        let barred = [Slot::Explorer, Slot::Plunder, Slot::Hold, Slot::Evade];
        if player.ghost && barred.iter().any(|&slot| player.ship.count(slot) > 0) {
            return fail("is a ghost and has dice only in cannons, Send Grog and Double Time");
        }
        if !player.ghost && player.hp == 0 && state.phase != Phase::Done {
            return fail("has no hull left and is no ghost");
        }
        if player.hp > 12 || player.coin > MAX_COIN || player.doublings > MAX_NEXT_TWO {
            return fail("has more hull, coins or doublings than there can be");
        }
        if player.hold_fresh && player.ship.count(Slot::Hold) == 0 {
            return fail("has no held die that could be fresh");
        }
        if player.blocks.owned(index) > 0 || (seats..MAX_PLAYERS).any(|owner| player.blocks.owned(owner) > 0)
        {
            return fail("has spaces blocked by nobody who could");
        }
        for slot in Slot::ALL {
            if player.ship.count(slot) + player.blocks.count(slot) > spaces(slot) {
                return fail(&format!("has more dice than spaces in {slot}"));
            }
        }
    }
    let pending = &state.pending;
    let target_needed = matches!(state.phase, Phase::Block | Phase::RemoveEvade | Phase::HullDie);
    if state.phase.is_effect() != pending.action.is_some()
        || (pending.action.is_some() && pending.effects == 0)
        || pending.target as usize > seats
        || (target_needed && pending.target == 0)
    {
        return Err("the phase and what is pending do not agree".into());
    }
    if matches!(state.phase, Phase::RollReef | Phase::OrderReef) != (state.reef_die > 0) {
        return Err("Lucky Reef needs the die that it rolls again".into());
    }
    if (state.phase == Phase::Done) != state.ending.is_some()
        || state.winner.is_some() != state.ending.is_some_and(|ending| ending != Ending::Cap)
    {
        return Err("a game that is over has an ending, and a winner unless it was cut off".into());
    }
    Ok(())
}

/// The written form of a [`State`].
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Form {
    players: Vec<PlayerForm>,
    current: Seat,
    phase: Phase,
    turn_no: u16,
    pool: Dice,
    grog_dice: Dice,
    grog_due: u8,
    islands_used: Vec<u8>,
    ghost_turn: bool,
    again: bool,
    pending: Option<PendingForm>,
    reef: Option<ReefForm>,
    ending: Option<Ending>,
    winner: Option<Seat>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlayerForm {
    coin: u8,
    hp: u8,
    ghost: bool,
    grogged: u8,
    supply: i8,
    doublings: u8,
    hold_fresh: bool,
    aft: Dice,
    fore: Dice,
    m1: Dice,
    m2: Dice,
    grog: Dice,
    explorer: Dice,
    double_time: Dice,
    plunder: Dice,
    hold: Dice,
    evade: Dice,
    islands: Vec<u8>,
    blocks: Vec<BlockForm>,
    tally: Tally,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BlockForm {
    slot: Slot,
    owner: Seat,
    count: u8,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PendingForm {
    action: Move,
    dice: Dice,
    effects: u16,
    target: Option<Seat>,
    island: Option<u8>,
    evade_left: u8,
    evaded: u8,
    hull: u8,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ReefForm {
    die: u8,
    on: Option<Slot>,
}

/// The numbers of the islands in a mask.
fn islands(mask: u8) -> Vec<u8> {
    (1..=6).filter(|island| mask >> (island - 1) & 1 == 1).collect()
}

fn mask(islands: &[u8]) -> Result<u8, String> {
    islands.iter().try_fold(0, |mask, island| match island {
        1..=6 => Ok(mask | 1 << (island - 1)),
        _ => Err(format!("there is no island {island}")),
    })
}

impl From<State> for Form {
    fn from(state: State) -> Form {
        let player = |(player, tally): (&Player, &Tally)| {
            let dice = |slot| player.ship.dice(slot);
            let mut blocks = Vec::new();
            for slot in Slot::ALL {
                for owner in Seat::all(MAX_PLAYERS) {
                    let count = player.blocks.of(owner.index(), slot);
                    if count > 0 {
                        blocks.push(BlockForm { slot, owner, count });
                    }
                }
            }
            PlayerForm {
                coin: player.coin,
                hp: player.hp,
                ghost: player.ghost,
                grogged: player.grogged,
                supply: player.supply,
                doublings: player.doublings,
                hold_fresh: player.hold_fresh,
                aft: dice(Slot::Aft),
                fore: dice(Slot::Fore),
                m1: dice(Slot::M1),
                m2: dice(Slot::M2),
                grog: dice(Slot::Grog),
                explorer: dice(Slot::Explorer),
                double_time: dice(Slot::DoubleTime),
                plunder: dice(Slot::Plunder),
                hold: dice(Slot::Hold),
                evade: dice(Slot::Evade),
                islands: islands(player.islands),
                blocks,
                tally: *tally,
            }
        };
        let pending = state.pending;
        Form {
            players: state.players.iter().zip(&state.tallies).take(state.seats()).map(player).collect(),
            current: state.current(),
            phase: state.phase,
            turn_no: state.turn_no,
            pool: state.pool,
            grog_dice: state.grog_dice,
            grog_due: state.grog_due,
            islands_used: islands(state.used),
            ghost_turn: state.ghost_turn,
            again: state.again,
            pending: state.pending().map(|view| PendingForm {
                action: view.action,
                dice: view.dice,
                effects: view.effects,
                target: view.target,
                island: (pending.island > 0).then_some(pending.island),
                evade_left: pending.evade_left,
                evaded: pending.evaded,
                hull: pending.hull,
            }),
            reef: state.reef().map(|(die, on)| ReefForm { die, on }),
            ending: state.ending,
            winner: state.winner(),
        }
    }
}

impl TryFrom<Form> for State {
    type Error = String;
    fn try_from(form: Form) -> Result<State, String> {
        let seats = form.players.len();
        if !(2..=MAX_PLAYERS).contains(&seats) {
            return Err(format!("2 to 4 play, not {seats}"));
        }
        let mut players = [Player::default(); MAX_PLAYERS];
        let mut tallies = [Tally::default(); MAX_PLAYERS];
        let mut taken = 0;
        for (index, from) in form.players.into_iter().enumerate() {
            let mut ship = Ship::default();
            for (slot, dice) in [
                (Slot::Aft, from.aft),
                (Slot::Fore, from.fore),
                (Slot::M1, from.m1),
                (Slot::M2, from.m2),
                (Slot::Grog, from.grog),
                (Slot::Explorer, from.explorer),
                (Slot::DoubleTime, from.double_time),
                (Slot::Plunder, from.plunder),
                (Slot::Hold, from.hold),
                (Slot::Evade, from.evade),
            ] {
                ship.fill(slot, dice)?;
            }
            let mut blocks = Blocks::default();
            for block in from.blocks {
                if block.owner.index() >= seats
                    || blocks.count(block.slot) as usize + block.count as usize
                        > block.slot.most_spaces() as usize
                {
                    return Err(format!("{} cannot be blocked like this", block.slot));
                }
                (0..block.count).for_each(|_| blocks.add(block.owner.index(), block.slot));
            }
            let islands = mask(&from.islands)?;
            if islands & taken != 0 {
                return Err("an island has two owners".into());
            }
            taken |= islands;
            tallies[index] = from.tally;
            players[index] = Player {
                ship,
                blocks,
                coin: from.coin,
                hp: from.hp,
                grogged: from.grogged,
                supply: from.supply,
                doublings: from.doublings,
                islands,
                ghost: from.ghost,
                hold_fresh: from.hold_fresh,
            };
        }
        let seat_plus_one = |seat: Option<Seat>| seat.map_or(0, |seat| seat.number() as u8);
        let mut pending = PendingEffect::default();
        if let Some(from) = form.pending {
            if from.dice.len() > 3 {
                return Err("an action has at most three dice".into());
            }
            if from.island.is_some_and(|island| !(1..=6).contains(&island)) {
                return Err("islands are numbered 1 to 6".into());
            }
            from.dice.iter().zip(&mut pending.dice).for_each(|(face, place)| *place = face);
            pending.effects = from.effects;
            pending.action = Some(from.action);
            pending.target = seat_plus_one(from.target);
            pending.island = from.island.unwrap_or(0);
            pending.evade_left = from.evade_left;
            pending.evaded = from.evaded;
            pending.hull = from.hull;
        }
        if form.reef.as_ref().is_some_and(|reef| !(1..=6).contains(&reef.die)) {
            return Err("a die shows 1 to 6".into());
        }
        let state = State {
            players,
            pool: form.pool,
            grog_dice: form.grog_dice,
            pending,
            turn_no: form.turn_no,
            seats: seats as u8,
            current: form.current.index() as u8,
            phase: form.phase,
            used: mask(&form.islands_used)?,
            grog_due: form.grog_due,
            ghost_turn: form.ghost_turn,
            again: form.again,
            reef_die: form.reef.as_ref().map_or(0, |reef| reef.die),
            reef_on: form.reef.and_then(|reef| reef.on),
            ending: form.ending,
            winner: form.winner.map(|seat| seat.index() as u8),
            tallies,
        };
        check(&state, &Slot::most_spaces)?;
        Ok(state)
    }
}
