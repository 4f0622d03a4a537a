//! Which actions are legal, as bit masks: one word of dice on spaces, one word of everything else. Lists,
//! counts and random choices all come from the same masks.

use super::SixSidedSeas;
use super::action::Action;
use super::rules::{
    DoubleDouble, DoubleOnGrog, GrogTargets, IslandScope, MAX_NEXT_TWO, MAX_QUADRUPLE, MainBlockScope,
    RemovePlaced, RollIslands,
};
use super::ship::{LANE, LANES, Move, SLOTS, Slot};
use super::state::{Phase, Player, State};
use crate::game::{Game, Seat};
use crate::streams::Stream;

/// The legal actions of most decisions, in order: bits of `lanes` (a face on a slot), then bits of `plain`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Options {
    lanes: u64,
    plain: u64,
    /// Which tables name the bits.
    lane_table: usize,
    plain_table: usize,
}

/// Bits of the table of a turn.
const ROLL: u64 = 1;
const STOP: u64 = 1 << 1;
const JACKPOT_COIN: u64 = 1 << 2;
const JACKPOT_DIE: u64 = 1 << 3;
const ACTIVATE: u32 = 4;
const UNHOLD: u64 = 1 << 11;
const BUMP: u32 = 12;
const REEF: u32 = 18;
const MITOSIS: u32 = 24;
const NOODLES: u32 = 30;
const ACCEPT: u64 = 1 << 36;
const END: u64 = 1 << 37;
const EVADE_PLACE: u32 = 38;
const EVADE_DONE: u64 = 1 << 44;

/// Bits of the table of details.
const TARGET: u32 = 0;
const GROG_TARGET: u32 = 4;
const CLAIM: u32 = 8;
const DISCARD: u32 = 14;
const BLOCK_EMPTY: u32 = 20;
const BLOCK_NONE: u64 = 1 << 30;

/// Tables of actions by bit.
const IN_TURN: usize = 0;
const DETAIL: usize = 1;
const PLACE: usize = 2;
const BLOCK: usize = 3;
/// Actions that only some rules know: islands on the ship, and giving dice up.
const RARE: usize = 4;
const RARE_TABLES: usize = 4;

static TABLES: [[Action; 64]; RARE + RARE_TABLES] = tables();

/// The dice and slots of table `PLACE`.
static PLACES: [(Slot, u8); 64] = places();

const fn places() -> [(Slot, u8); 64] {
    let (mut places, mut bit) = ([(Slot::Aft, 0); 64], 0);
    while bit < SLOTS * LANE as usize {
        places[bit] = (Slot::ALL[bit / LANE as usize], (bit % LANE as usize) as u8 + 1);
        bit += 1;
    }
    places
}

const fn tables() -> [[Action; 64]; RARE + RARE_TABLES] {
    let mut tables = [[Action::End; 64]; RARE + RARE_TABLES];
    let turn = &mut tables[IN_TURN];
    turn[ROLL.trailing_zeros() as usize] = Action::Roll;
    turn[STOP.trailing_zeros() as usize] = Action::Stop;
    turn[JACKPOT_COIN.trailing_zeros() as usize] = Action::JackpotCoin;
    turn[JACKPOT_DIE.trailing_zeros() as usize] = Action::JackpotDie;
    turn[UNHOLD.trailing_zeros() as usize] = Action::Unhold;
    turn[ACCEPT.trailing_zeros() as usize] = Action::AcceptOverboard;
    turn[END.trailing_zeros() as usize] = Action::End;
    turn[EVADE_DONE.trailing_zeros() as usize] = Action::EvadeDone;
    let mut at = 0;
    while at < Move::ALL.len() {
        turn[ACTIVATE as usize + at] = Action::Activate(Move::ALL[at]);
        at += 1;
    }
    at = 0;
    while at < 6 {
        let die = at as u8 + 1;
        turn[BUMP as usize + at] = Action::Bump { die, on: None };
        turn[REEF as usize + at] = Action::Reef { die, on: None };
        turn[MITOSIS as usize + at] = Action::Mitosis(die);
        turn[NOODLES as usize + at] = Action::Noodles { die, on: None };
        turn[EVADE_PLACE as usize + at] = Action::EvadePlace(die);
        at += 1;
    }
    let detail = &mut tables[DETAIL];
    at = 0;
    while at < 4 {
        detail[TARGET as usize + at] = Action::Target(Seat::new(at));
        detail[GROG_TARGET as usize + at] = Action::GrogTarget(Seat::new(at));
        at += 1;
    }
    at = 0;
    while at < 6 {
        detail[CLAIM as usize + at] = Action::ClaimIsland(at as u8 + 1);
        detail[DISCARD as usize + at] = Action::RemoveEvade(at as u8 + 1);
        at += 1;
    }
    detail[BLOCK_NONE.trailing_zeros() as usize] = Action::BlockNone;
    at = 0;
    while at < SLOTS {
        let slot = Slot::ALL[at];
        tables[DETAIL][BLOCK_EMPTY as usize + at] = Action::BlockSpace { slot, die: 0 };
        let mut face = 0;
        while face < 6 {
            let die = face as u8 + 1;
            let bit = at * LANE as usize + face;
            tables[PLACE][bit] = Action::Place { slot, die };
            tables[BLOCK][bit] = Action::BlockSpace { slot, die };
            tables[RARE][bit] = Action::Bump { die, on: Some(slot) };
            tables[RARE + 1][bit] = Action::Reef { die, on: Some(slot) };
            tables[RARE + 2][bit] = Action::Noodles { die, on: Some(slot) };
            tables[RARE + 3][bit] = Action::Remove { slot, die };
            face += 1;
        }
        at += 1;
    }
    tables
}

/// Bit 0 of the lanes where a ghost may put dice.
const GHOST: u64 =
    LANES & lanes_of(&[Slot::Aft, Slot::Fore, Slot::M1, Slot::M2, Slot::Grog, Slot::DoubleTime]);

/// The lanes of some slots.
const fn lanes_of(slots: &[Slot]) -> u64 {
    let (mut lanes, mut at) = (0, 0);
    while at < slots.len() {
        lanes |= 63 << (LANE * slots[at] as u32);
        at += 1;
    }
    lanes
}

/// The islands that touch dice, as a mask of island numbers.
const TOUCHING: u8 = 1 | 1 << 2 | 1 << 4 | 1 << 5;

const BYTES: u64 = 0x0101_0101_0101_0101;
const TOPS: u64 = BYTES << 7;

/// Set bits of each byte and of all bytes below it.
#[inline]
const fn running_counts(word: u64) -> u64 {
    let pairs = word - ((word >> 1) & 0x5555_5555_5555_5555);
    let nibbles = (pairs & 0x3333_3333_3333_3333) + ((pairs >> 2) & 0x3333_3333_3333_3333);
    ((nibbles + (nibbles >> 4)) & 0x0f0f_0f0f_0f0f_0f0f).wrapping_mul(BYTES)
}

/// Place of the `nth` set bit of a byte, by byte and `nth`.
static BIT_OF_BYTE: [[u8; 8]; 256] = bit_of_byte();

const fn bit_of_byte() -> [[u8; 8]; 256] {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut seen) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte][seen] = bit as u8;
                seen += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
}

/// How many bits of a byte are set.
pub(super) static BITS_OF_BYTE: [u8; 256] = bits_of_byte();

const fn bits_of_byte() -> [u8; 256] {
    let (mut table, mut byte) = ([0; 256], 0);
    while byte < 256 {
        table[byte] = (byte as u8).count_ones() as u8;
        byte += 1;
    }
    table
}

/// Place of the `nth` set bit (from 0) of a word, which has more than `nth`; `counts` are its running counts.
#[inline]
fn nth_bit(word: u64, counts: u64, nth: usize) -> usize {
    // A byte's top bit says that `nth` lies before its end: the first such byte has it. Counts are at most 64. (Its
    // place is counted in zeros rather than multiplied: what is placed next waits for it.)
    let within = !(((nth as u64 * BYTES) | TOPS) - counts) & TOPS;
    let shift = within.trailing_zeros() & 56;
    let before = (counts << 8 >> shift) & 0xff;
    let byte = (word >> shift) & 0xff;
    shift as usize + BIT_OF_BYTE[byte as usize][(nth - before as usize) & 7] as usize
}

impl Options {
    #[inline]
    fn plain(plain: u64) -> Options {
        Options { lanes: 0, plain, lane_table: PLACE, plain_table: IN_TURN }
    }

    #[inline]
    fn detail(plain: u64) -> Options {
        Options { lanes: 0, plain, lane_table: BLOCK, plain_table: DETAIL }
    }

    /// Writes the actions down.
    pub fn list(self, out: &mut Vec<Action>) {
        list_bits(self.lanes, self.lane_table, out);
        list_bits(self.plain, self.plain_table, out);
    }

    /// Whether there is nothing to choose from.
    pub fn is_empty(self) -> bool {
        self.lanes | self.plain == 0
    }

    /// A uniformly random one: its table and its bit there.
    #[inline(always)]
    fn draw(self, stream: &mut Stream) -> (usize, usize) {
        // Without islands and dice to place, all bits lie within a byte: its counts are looked up, a third of the
        // instructions.
        let low = self.plain.trailing_zeros();
        let few = self.plain.wrapping_shr(low);
        if self.lanes == 0 && few < 256 {
            let nth = stream.below(BITS_OF_BYTE[few as usize] as usize);
            return (self.plain_table, (low as usize + BIT_OF_BYTE[few as usize][nth & 7] as usize) & 63);
        }
        let plain = running_counts(self.plain);
        let more = (plain >> 56) as usize;
        if self.lanes == 0 {
            return (self.plain_table, nth_bit(self.plain, plain, stream.below(more)) & 63);
        }
        let lanes = running_counts(self.lanes);
        let first = (lanes >> 56) as usize;
        let nth = stream.below(first + more);
        if nth < first {
            (self.lane_table, nth_bit(self.lanes, lanes, nth) & 63)
        } else {
            (self.plain_table, nth_bit(self.plain, plain, nth - first) & 63)
        }
    }
}

fn list_bits(mut word: u64, table: usize, out: &mut Vec<Action>) {
    while word != 0 {
        out.push(TABLES[table][word.trailing_zeros() as usize]);
        word &= word - 1;
    }
}

/// A position in which something is chosen at random: one to look at is told the action, in one to change it is played
/// there and then. Where the kind of the action is known, nothing asks for it again: a fifth fewer mispredicted
/// branches a game than choosing and applying one after the other.
pub(super) trait Position {
    /// What becomes of the choice.
    type Chosen;
    /// The position before the choice.
    fn state(&self) -> &State;
    /// Chooses an action.
    fn choose(self, game: &SixSidedSeas, action: Action) -> Self::Chosen;
    /// Chooses one of the actions of [`SixSidedSeas::apply_detail`], which saves asking whether it is one.
    fn detail(self, game: &SixSidedSeas, action: Action) -> Self::Chosen;
    /// Chooses to place a die, by [`super::ship::Ship::bit`]: the next choice waits for where it lies, and a bit is
    /// known sooner than a slot and a face.
    fn place(self, game: &SixSidedSeas, bit: usize) -> Self::Chosen;
}

impl Position for &State {
    type Chosen = Action;
    #[inline(always)]
    fn state(&self) -> &State {
        self
    }
    #[inline(always)]
    fn choose(self, _: &SixSidedSeas, action: Action) -> Action {
        action
    }
    #[inline(always)]
    fn detail(self, _: &SixSidedSeas, action: Action) -> Action {
        action
    }
    #[inline(always)]
    fn place(self, _: &SixSidedSeas, bit: usize) -> Action {
        let (slot, die) = PLACES[bit];
        Action::Place { slot, die }
    }
}

impl Position for &mut State {
    type Chosen = ();
    #[inline(always)]
    fn state(&self) -> &State {
        self
    }
    #[inline(always)]
    fn choose(self, game: &SixSidedSeas, action: Action) {
        game.apply(self, action);
    }
    #[inline(always)]
    fn detail(self, game: &SixSidedSeas, action: Action) {
        game.apply_detail(self, action);
    }
    #[inline(always)]
    fn place(self, game: &SixSidedSeas, bit: usize) {
        let (slot, die) = PLACES[bit];
        game.place(self, slot, die, bit);
    }
}

impl SixSidedSeas {
    /// The legal actions of the decision at hand, without those of [`SixSidedSeas::rare_options`].
    #[inline(always)]
    pub(super) fn options(&self, state: &State) -> Options {
        let player = &state.players[state.current as usize & 3];
        match state.phase {
            Phase::Order => {
                let plain =
                    END | (self.order_few(player) as u64) << ACTIVATE | self.island_options(state, player);
                Options { lanes: self.order_lanes(state, player), ..Options::plain(plain) }
            }
            Phase::Roll => {
                let rolled = !(state.pool.is_empty() && state.grog_dice.is_empty());
                let can_roll = self.has_die(player);
                let mut plain = if can_roll { ROLL } else { 0 };
                if rolled || !can_roll {
                    plain |= STOP;
                }
                if player.islands & TOUCHING != 0 && self.rules.roll_islands == RollIslands::AnyTime {
                    plain |= self.island_options(state, player);
                }
                Options::plain(plain)
            }
            Phase::Over => {
                let mut plain = ACCEPT;
                if player.islands & TOUCHING != 0 {
                    plain |= self.island_options(state, player);
                    if self.rules.roll_islands == RollIslands::AvertOnly {
                        plain &= ACCEPT | 63 << REEF | 63 << NOODLES;
                    }
                }
                Options::plain(plain)
            }
            Phase::Jackpot => {
                Options::plain(JACKPOT_COIN | if self.has_die(player) { JACKPOT_DIE } else { 0 })
            }
            Phase::Evade => {
                let fits = self.fits.faces(player.ship, Slot::Evade);
                let room = player.ship.count(Slot::Evade) + player.blocks.count(Slot::Evade)
                    < self.fits.spaces(Slot::Evade);
                let faces = if room { fits & state.pool.faces() } else { 0 };
                Options::plain(EVADE_DONE | (faces as u64) << EVADE_PLACE)
            }
            Phase::Target => {
                let mut seats = 0;
                for seat in 0..state.seats as usize & 7 {
                    let enemy = !state.players[seat & 3].ghost && seat != state.current as usize;
                    seats |= (enemy as u64) << seat;
                }
                Options::detail(seats << TARGET)
            }
            Phase::GrogTarget => {
                let mut seats = (1 << state.seats) - 1;
                if self.rules.grog_targets == GrogTargets::Others {
                    seats &= !(1u64 << state.current);
                }
                Options::detail(seats << GROG_TARGET)
            }
            Phase::Claim => {
                let faces = state.pending.dice.iter().fold(0, |mask, &face| mask | (1u64 << face));
                Options::detail((faces >> 1) << CLAIM)
            }
            Phase::RemoveEvade => {
                let target = &state.players[state.pending.target_index()];
                Options::detail((target.ship.faces(Slot::Evade) as u64) << DISCARD)
            }
            Phase::Block => self.block_options(&state.players[state.pending.target_index()]),
            _ => Options::plain(0),
        }
    }

    /// Where pool dice may be placed.
    #[inline(always)]
    fn order_lanes(&self, state: &State, player: &Player) -> u64 {
        let slots = if state.ghost_turn { GHOST } else { LANES };
        self.fits.open(player.ship, player.blocks) & (state.pool.faces() as u64).wrapping_mul(slots)
    }

    /// The actions that can be activated, and whether the held die can be taken: bits from [`ACTIVATE`] on.
    #[inline(always)]
    fn order_few(&self, player: &Player) -> u8 {
        let mut few = self.fits.full_actions(player.ship);
        if player.doublings > 0 {
            for action in [Move::DoubleTime, Move::Grog] {
                if !self.may_activate(player, action) {
                    few &= !(1 << action as u32);
                }
            }
        }
        let held = player.ship.faces(Slot::Hold) != 0 && !player.hold_fresh;
        few | (held as u8) << (UNHOLD.trailing_zeros() - ACTIVATE)
    }

    /// What the player's unused islands can do to pool dice. Products instead of branches, which were mispredicted:
    /// who holds which island changes from turn to turn.
    fn island_options(&self, state: &State, player: &Player) -> u64 {
        let ready = (player.islands & !state.used) as u64;
        let faces = state.pool.faces() as u64;
        let has_die = self.has_die(player) as u64;
        let of = |island: u32, faces: u64| (ready >> (island - 1) & 1) * faces;
        of(1, faces & (0b01_1111 | has_die << 5)) << BUMP
            | of(3, faces) << REEF
            | (of(5, faces & 0b11_1110) * has_die) << MITOSIS
            | of(6, faces) << NOODLES
    }

    /// The spaces of `target` that the Main Cannon may block.
    fn block_options(&self, target: &Player) -> Options {
        let scope = match self.rules.main_block_scope {
            MainBlockScope::AnyShipSpace => u64::MAX,
            MainBlockScope::NotEvade => !lanes_of(&[Slot::Evade]),
            MainBlockScope::ActionsOnly => !lanes_of(&[Slot::Evade, Slot::Hold]),
        };
        let mut plain = if self.rules.main_block_mandatory { 0 } else { BLOCK_NONE };
        for slot in Slot::ALL {
            let taken = target.ship.count(slot) + target.blocks.count(slot);
            let in_scope = scope >> (LANE * slot as u32) & 1 == 1;
            if in_scope && taken < self.fits.spaces(slot) {
                plain |= 1 << (BLOCK_EMPTY + slot as u32);
            }
        }
        Options { lanes: target.ship.lanes() & scope, ..Options::detail(plain) }
    }

    /// Whether the Main Cannon finds a space to block, or may decline.
    pub(super) fn can_block(&self, target: &Player) -> bool {
        !self.block_options(target).is_empty()
    }

    /// Actions that only some rules know, one word for each of their tables.
    pub(super) fn rare_options(&self, state: &State) -> [u64; RARE_TABLES] {
        let mut words = [0; RARE_TABLES];
        let player = &state.players[state.current as usize];
        let islands_work = match state.phase {
            Phase::Order => !state.ghost_turn,
            Phase::Over => true,
            Phase::Roll => {
                let rolled = !(state.pool.is_empty() && state.grog_dice.is_empty());
                rolled && self.rules.roll_islands == RollIslands::AnyTime
            }
            _ => false,
        };
        if self.rules.island_scope == IslandScope::PoolAndShip && islands_work {
            let ready = player.islands & !state.used;
            let bump = state.phase != Phase::Over || self.rules.roll_islands == RollIslands::AnyTime;
            for slot in Slot::ALL {
                let faces = player.ship.faces(slot);
                for die in (1..=6).filter(|die| faces >> (die - 1) & 1 == 1) {
                    let bit = 1 << (LANE * slot as u32 + die as u32 - 1);
                    let mut rest = player.ship;
                    rest.remove(slot, die);
                    let fits = |face: u8| self.fits.faces(rest, slot) >> (face - 1) & 1 == 1;
                    let bumps = if die == 6 { self.has_die(player) } else { fits(die + 1) };
                    if ready & 1 != 0 && bump && bumps {
                        words[0] |= bit;
                    }
                    if ready & 1 << 2 != 0 {
                        words[1] |= bit;
                    }
                    if ready & 1 << 5 != 0 && fits(7 - die) {
                        words[2] |= bit;
                    }
                }
            }
        }
        if self.rules.remove_placed == RemovePlaced::AnyOwn && state.phase == Phase::Order {
            words[3] = player.ship.lanes();
        }
        words
    }

    /// A uniformly random choice, for rules without rare options. Every choice takes one word, also where there
    /// is but one action.
    #[inline(always)]
    pub(super) fn pick<P: Position>(&self, position: P, stream: &mut Stream) -> P::Chosen {
        let state = position.state();
        match state.phase {
            Phase::Order => self.pick_order(position, stream),
            Phase::Roll => self.pick_roll(position, stream),
            // Forced between two players, and the commonest of what is left: here it need not be looked up.
            Phase::Target if state.seats == 2 => {
                let enemy = Seat::new(1 - (state.current as usize & 1));
                stream.word();
                position.choose(self, Action::Target(enemy))
            }
            _ => self.pick_detail(position, stream),
        }
    }

    /// [`SixSidedSeas::pick`] in the Order phase.
    #[inline(always)]
    fn pick_order<P: Position>(&self, position: P, stream: &mut Stream) -> P::Chosen {
        let state = position.state();
        let player = &state.players[state.current as usize & 3];
        // With an empty pool, a third of all cases, there is nothing to place and nothing that islands touch: not
        // looking saves 17,000 instructions a game.
        if state.pool.is_empty() {
            let few = self.order_few(player);
            return self.pick_among(position, 0, few, 0, stream);
        }
        let lanes = self.order_lanes(state, player);
        let few = self.order_few(player);
        if player.islands & TOUCHING & !state.used != 0 {
            return self.pick_with_islands(position, lanes, few, stream);
        }
        self.pick_among(position, lanes, few, 0, stream)
    }

    /// [`SixSidedSeas::pick_order`] where islands may have something to offer: rare, and apart it leaves the registers
    /// of the loop to what is not.
    #[inline(never)]
    fn pick_with_islands<P: Position>(
        &self,
        position: P,
        lanes: u64,
        few: u8,
        stream: &mut Stream,
    ) -> P::Chosen {
        let state = position.state();
        let islands = self.island_options(state, &state.players[state.current as usize & 3]);
        self.pick_among(position, lanes, few, islands, stream)
    }

    /// One of the places for a die, then of the byte from [`ACTIVATE`] on, then of what islands can do; or the end.
    #[inline(always)]
    fn pick_among<P: Position>(
        &self,
        position: P,
        lanes: u64,
        few: u8,
        islands: u64,
        stream: &mut Stream,
    ) -> P::Chosen {
        let (lane_counts, island_counts) = (running_counts(lanes), running_counts(islands));
        let first = (lane_counts >> 56) as usize;
        let then = BITS_OF_BYTE[few as usize] as usize;
        let last = first + then + (island_counts >> 56) as usize;
        let nth = stream.below(last + 1);
        if nth < first {
            return position.place(self, nth_bit(lanes, lane_counts, nth) & 63);
        }
        if nth == last {
            return position.choose(self, Action::End);
        }
        let nth = nth - first;
        if nth >= then {
            let bit = nth_bit(islands, island_counts, nth - then);
            return position.detail(self, TABLES[IN_TURN][bit & 63]);
        }
        match Move::ALL.get(BIT_OF_BYTE[few as usize][nth & 7] as usize) {
            Some(&action) => position.choose(self, Action::Activate(action)),
            None => position.choose(self, Action::Unhold),
        }
    }

    /// [`SixSidedSeas::pick`] in the Roll phase.
    #[inline(always)]
    fn pick_roll<P: Position>(&self, position: P, stream: &mut Stream) -> P::Chosen {
        let state = position.state();
        let player = &state.players[state.current as usize & 3];
        // Islands need dice to touch: the first roll of a turn is the same with them and without.
        if !state.pool.is_empty() && player.islands & TOUCHING & !state.used != 0 {
            return self.pick_roll_or_island(position, stream);
        }
        let rolled = !(state.pool.is_empty() && state.grog_dice.is_empty());
        let can_roll = self.has_die(player);
        let first = stream.below(1 + (rolled && can_roll) as usize) == 0;
        if can_roll && first {
            position.choose(self, Action::Roll)
        } else {
            position.choose(self, Action::Stop)
        }
    }

    /// [`SixSidedSeas::pick_roll`] where islands may have something to offer: apart for the same reason.
    #[inline(never)]
    fn pick_roll_or_island<P: Position>(&self, position: P, stream: &mut Stream) -> P::Chosen {
        let state = position.state();
        let player = &state.players[state.current as usize & 3];
        let islands = match self.rules.roll_islands {
            RollIslands::AnyTime => self.island_options(state, player),
            RollIslands::AvertOnly => 0,
        };
        let can_roll = self.has_die(player);
        let (counts, first) = (running_counts(islands), 1 + can_roll as usize);
        let nth = stream.below(first + (counts >> 56) as usize);
        if nth >= first {
            let bit = nth_bit(islands, counts, nth - first);
            position.detail(self, TABLES[IN_TURN][bit & 63])
        } else if can_roll && nth == 0 {
            position.choose(self, Action::Roll)
        } else {
            position.choose(self, Action::Stop)
        }
    }

    /// [`SixSidedSeas::pick`] where it is rarely asked: kept apart so that the rest is small enough to become a
    /// part of the loop that calls it.
    #[inline(never)]
    fn pick_detail<P: Position>(&self, position: P, stream: &mut Stream) -> P::Chosen {
        let (table, bit) = self.options(position.state()).draw(stream);
        position.choose(self, TABLES[table][bit])
    }

    /// Writes all legal actions down.
    pub(super) fn list(&self, state: &State, out: &mut Vec<Action>) {
        out.clear();
        self.options(state).list(out);
        if self.rare {
            for (table, word) in self.rare_options(state).into_iter().enumerate() {
                list_bits(word, RARE + table, out);
            }
        }
    }

    /// Whether the player can take a die from the supply.
    #[inline]
    pub(super) fn has_die(&self, player: &Player) -> bool {
        player.supply > 0 || self.unlimited
    }

    /// Whether a filled action may be activated now.
    #[inline]
    pub(super) fn may_activate(&self, player: &Player, action: Move) -> bool {
        let waiting = player.doublings;
        match action {
            Move::DoubleTime => match self.rules.double_double {
                DoubleDouble::Forbid => waiting == 0,
                DoubleDouble::NextTwo => waiting < MAX_NEXT_TWO,
                DoubleDouble::Quadruple => waiting < MAX_QUADRUPLE,
            },
            Move::Grog => waiting == 0 || self.rules.double_on_grog != DoubleOnGrog::Forbid,
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_nth_bit_is_that_of_the_list(word in any::<u64>(), thin in any::<u64>()) {
            for word in [word, word & thin, word | thin, word & 0xff00_0000_0000_00ff] {
                let bits: Vec<usize> = (0..64).filter(|bit| word >> bit & 1 == 1).collect();
                let counts = running_counts(word);
                prop_assert_eq!((counts >> 56) as usize, bits.len());
                for (nth, &bit) in bits.iter().enumerate() {
                    prop_assert_eq!(nth_bit(word, counts, nth), bit);
                }
            }
        }
    }
}
