//! What a searcher may ask: who is how far ahead, and which actions look good.
//!
//! The value estimates each player's points at the end of the game: what is scored already, majorities and
//! walls at the scorings to come, money (most of all money that pays exactly), sultan cards, and open sides
//! to build on. The estimates become chances to win by a curve that is flat early and steep late.

use super::Alhambra;
use super::drawing::Drawing;
use super::map::{Map, Outline, outline};
use super::outline::Outlines;
use super::rules::ClosedRing;
use super::scoring::{MAX_PARTIES, ahead_and_tied, places};
use super::state::{Action, Phase, Purse, Purses, State};
use super::tiles::{Building, Tile};
use crate::game::{Game, Heuristics, MAX_SEATS, Memo, Outcome, Seat, state_key};

/// Points that a unit of money is worth while there is much to buy.
const COIN: f64 = 0.45;
/// Worth of being able to pay a tile of the yard exactly, and of being able to pay it at all.
const EXACT: f64 = 1.2;
const AFFORDABLE: f64 = 0.3;
/// Worth of each further price that can be paid exactly.
const FLEXIBLE: f64 = 0.06;
/// Worth of an action that is still due.
const ACTION: f64 = 2.5;
/// A tile in the reserve or not laid yet, in tiles of the Alhambra.
const RESERVED: f64 = 0.5;
const UNLAID: f64 = 0.9;
/// Worth of an open side to build on, up to so many.
const OPEN_SIDE: f64 = 0.08;
const OPEN_SIDES: u32 = 12;
/// How much the present order counts at the next scoring, the one after, the third.
const NEARNESS: [f64; 3] = [0.75, 0.4, 0.2];
/// With more tiles than this in the bag, money keeps its full worth.
const MARKET: f64 = 12.0;
/// Turns before the cap within which the number of the turn is part of a position.
const CAP_HORIZON: u16 = 400;

/// What the scorings to come pay for one type: by place as things stand, and in all to be shared by
/// strength.
#[derive(Clone, Copy, Default)]
struct Stakes {
    /// For every place that a party can have; only the first three pay.
    by_place: [f64; MAX_PARTIES + 2],
    shared: f64,
}

impl Stakes {
    /// What each of some who tie behind so many others gets.
    #[inline]
    fn share(&self, ahead: usize, tied: usize) -> f64 {
        let place = |next: usize| if next < tied { self.by_place[ahead + next] } else { 0.0 };
        (place(0) + place(1) + place(2)) / tied as f64
    }
}

/// How far the game is, as the number of tiles in the bag and the scorings held tell it.
#[derive(Clone, Copy, Default)]
struct Stage {
    /// Scorings to come.
    to_come: f64,
    /// What is left of the worth of money.
    market: f64,
    /// How far apart estimates must be to tell who wins.
    spread: f64,
    /// By type: what its scorings pay, what a tile of it is worth.
    stakes: [Stakes; 6],
    tile_worth: [f64; 6],
}

impl Stage {
    fn of(state: &State) -> Stage {
        let bag = state.bag.len() as f64;
        let mut stage = Stage {
            to_come: 3.0 - state.scorings as f64,
            market: (bag / MARKET).min(1.0),
            spread: 6.0 + 14.0 * bag / 54.0,
            ..Stage::default()
        };
        let nearness = nearness(state);
        for building in Building::ALL {
            let (at, stakes) = (building as usize, stakes(state, building, &nearness));
            let pot = stakes.shared + stakes.by_place[..3].iter().sum::<f64>();
            stage.tile_worth[at] = pot / building.tiles().count_ones() as f64;
            stage.stakes[at] = stakes;
        }
        stage
    }
}

/// The chance that a tile of the bag is drawn for a card with its mark.
fn chance(state: &State, mark: Building) -> f64 {
    let left = state.bag.of(mark) as f64;
    // A single tile left may be claimed by others or go to Dirk; many will hardly all.
    left / (left + 1.0)
}

/// How much the present order counts at each scoring; nothing at those that were held.
fn nearness(state: &State) -> [f64; 3] {
    let late = 1.0 - state.bag.len() as f64 / 54.0;
    let mut near = [0.0; 3];
    for (ahead, scoring) in (state.scorings as usize..3).enumerate() {
        near[scoring] = if scoring == 2 { NEARNESS[ahead].max(late * late) } else { NEARNESS[ahead] };
    }
    near
}

fn stakes(state: &State, building: Building, nearness: &[f64; 3]) -> Stakes {
    let mut stakes = Stakes::default();
    for (scoring, &near) in nearness.iter().enumerate().skip(state.scorings as usize) {
        for (stake, points) in stakes.by_place.iter_mut().zip(places(scoring, building)) {
            *stake += near * points as f64;
            stakes.shared += (1.0 - near) * points as f64;
        }
    }
    stakes
}

/// Something for each seat.
type BySeat = [f64; MAX_SEATS];

/// The state that was judged last and the parts of its value. Positions of one search are much alike: a part
/// is made anew only where something that it is made of has changed. The sums over the parts are taken anew
/// each time and in the same order, so that nothing can be told from the numbers.
struct Judged {
    /// Of this state those fields are kept up that parts are made of.
    last: State,
    /// The maps of the seats as their outlines were taken from them.
    drawings: [Drawing; MAX_SEATS],
    ruled: Ruled,
    stage: Stage,
    /// By type: see [`chance`].
    chance: [f64; 6],
    /// By type: what strength brings, what place brings.
    majorities: [[BySeat; 2]; 6],
    /// All of that, summed up.
    tiles: BySeat,
    /// Segments of the longest wall, open sides.
    walls: BySeat,
    open_sides: BySeat,
    /// See [`Alhambra::prices`].
    prices: [[u8; 2]; 4],
    /// By seat and slot: money as such, what it can pay of the yard, of the sultan cards.
    money: [[[f64; 3]; 4]; MAX_SEATS],
    /// All of that, summed up.
    hands: BySeat,
    /// Sultan cards that lie before the seats.
    cards: BySeat,
}

/// What is kept between the values of one search.
#[derive(Default)]
struct Kept {
    judged: Option<Judged>,
    outlines: Outlines,
}

impl Judged {
    /// Worth of cards with a mark.
    fn card_worth(&self, state: &State, mark: Building, cards: u8) -> f64 {
        let drawn = (self.chance[mark as usize] * cards as f64).min(state.bag.of(mark) as f64);
        self.stage.tile_worth[mark as usize] * drawn
    }

    /// Worth of the sultan cards before a seat.
    fn cards_worth(&self, state: &State, seat: Seat) -> f64 {
        Building::ALL
            .into_iter()
            .map(|mark| (mark, state.sultan.owned[seat.index()][mark as usize]))
            .filter(|&(_, cards)| cards > 0)
            .map(|(mark, cards)| self.card_worth(state, mark, cards))
            .sum()
    }

    /// Whether cards of the active seat are still to be settled.
    #[inline]
    fn unsettled(&self, state: &State) -> bool {
        matches!(state.phase, Phase::Mark { .. } | Phase::MarkRoll { .. })
            || !state.sultan.unsettled.is_empty()
    }

    /// Adds the cards of the active seat that are still to be settled to the worth of those before it.
    fn with_unsettled(&self, state: &State, mut sum: f64) -> f64 {
        let worth = |mark: Building| self.card_worth(state, mark, 1);
        let best = |mark: Building| worth(mark).max(worth(mark.opposite()));
        sum += match state.phase {
            Phase::Mark { mark, rolled: true, .. } => best(mark),
            Phase::Mark { mark, .. } => worth(mark),
            Phase::MarkRoll { .. } => Building::ALL.map(best).iter().sum::<f64>() / 6.0,
            _ => 0.0,
        };
        let mut unsettled = state.sultan.unsettled;
        while let Some(mark) = unsettled.pop() {
            sum += worth(mark);
        }
        sum
    }
}

/// All that the parts of a value take from the match: seats, `sultan`, `sultan_price`, holes by corners,
/// whether a closed wall loses a segment.
type Ruled = (usize, bool, u8, bool, bool);

/// A claimed tile that is to be laid, and who lays it.
fn claimed(state: &State) -> Option<(Tile, Seat)> {
    match state.phase {
        Phase::Claimed { tile, seat } | Phase::FinalClaimed { tile, seat, .. } => Some((tile, seat)),
        _ => None,
    }
}

/// Tiles that count otherwise for somebody's majorities than they did in `last`.
#[inline]
fn tiles_elsewhere(seats: usize, state: &State, last: &State) -> u64 {
    let mut tiles = (state.bought.0 ^ last.bought.0) | (state.dirk.0 ^ last.dirk.0);
    for seat in 0..seats {
        tiles |= state.alhambras[seat].0 ^ last.alhambras[seat].0;
        tiles |= state.reserves[seat].0 ^ last.reserves[seat].0;
    }
    if state.active != last.active {
        tiles |= state.bought.0 | last.bought.0;
    }
    let (now, before) = (claimed(state), claimed(last));
    if now != before {
        [now, before].into_iter().flatten().for_each(|(tile, _)| tiles |= 1 << tile.index());
    }
    tiles
}

/// Worth of the money of one currency in points: as such, for the tile on the yard and for the sultan cards at
/// these prices.
#[inline]
fn money_worth(prices: [u8; 2], purse: Purse) -> [f64; 3] {
    let (total, sums) = (purse.total(), Sums::of(purse));
    // No branch on what nobody can foresee; 0 is the price of nothing.
    let gain = |price: u8| {
        let affordable = if total >= price as u32 { AFFORDABLE } else { 0.0 };
        let gain = if sums.contains(price) { EXACT } else { affordable };
        if price > 0 { gain } else { 0.0 }
    };
    let money = COIN * total as f64 + FLEXIBLE * sums.prices() as f64;
    [money, gain(prices[0]), gain(prices[1])]
}

/// Whether two hands are the same: without a branch for each currency.
#[inline]
fn same_purses(one: &Purses, other: &Purses) -> bool {
    (0..4).fold(0, |any, slot| any | (one[slot].bits() ^ other[slot].bits())) == 0
}

impl Alhambra {
    fn ruled(&self) -> Ruled {
        let rules = &self.rules;
        let minus_one = rules.closed_ring == ClosedRing::MinusOne;
        (self.seats, rules.sultan, rules.sultan_price, self.corners(), minus_one)
    }

    /// All parts of a value.
    fn parts(&self, state: &State) -> Judged {
        let none = [0.0; MAX_SEATS];
        let mut judged = Judged {
            last: *state,
            drawings: [Drawing::EMPTY; MAX_SEATS],
            ruled: self.ruled(),
            stage: Stage::default(),
            chance: [0.0; 6],
            majorities: [[none; 2]; 6],
            tiles: none,
            walls: none,
            open_sides: none,
            prices: [[0; 2]; 4],
            money: [[[0.0; 3]; 4]; MAX_SEATS],
            hands: none,
            cards: none,
        };
        self.renew::<true>(state, &mut judged, outline);
        judged
    }

    /// Makes those parts of a value anew that have changed, or all.
    #[inline]
    fn renew<const ALL: bool>(
        &self,
        state: &State,
        judged: &mut Judged,
        mut outline: impl FnMut(Map<'_>, bool) -> Outline,
    ) {
        // Copied field by field where they differ: a whole state for each value took 5 % of a greedy game.
        let last = &mut judged.last;
        let drawn = ALL || state.bag != last.bag;
        let staged = ALL || state.scorings != last.scorings || (drawn && state.bag.len() != last.bag.len());
        if staged {
            judged.stage = Stage::of(state);
        }
        if drawn {
            judged.chance = Building::ALL.map(|mark| chance(state, mark));
        }
        let elsewhere = if staged { u64::MAX } else { tiles_elsewhere(self.seats, state, last) };
        (last.bag, last.scorings, last.phase) = (state.bag, state.scorings, state.phase);
        (last.active, last.bought, last.dirk) = (state.active, state.bought, state.dirk);
        if elsewhere != 0 {
            (last.alhambras, last.reserves) = (state.alhambras, state.reserves);
            for building in Building::ALL {
                if elsewhere & building.tiles() != 0 {
                    self.majorities(
                        state,
                        building,
                        &judged.stage,
                        &mut judged.majorities[building as usize],
                    );
                }
            }
            judged.tiles = [0.0; MAX_SEATS];
            for parts in judged.majorities.as_flattened() {
                judged.tiles.iter_mut().zip(parts).for_each(|(sum, part)| *sum += part);
            }
        }
        let prices = self.prices(state);
        let any_goods = ALL || prices != judged.prices;
        let goods: [bool; 4] = std::array::from_fn(|slot| ALL || prices[slot] != judged.prices[slot]);
        judged.prices = prices;
        for seat in 0..self.seats {
            let paid = any_goods || !same_purses(&state.hands[seat], &last.hands[seat]);
            if paid {
                for (slot, goods) in goods.into_iter().enumerate() {
                    let purse = state.hands[seat][slot];
                    if goods || purse != last.hands[seat][slot] {
                        judged.money[seat][slot] = money_worth(prices[slot], purse);
                    }
                }
                last.hands[seat] = state.hands[seat];
            }
            if paid || staged {
                let mut worth = 0.0;
                judged.money[seat].iter().flatten().for_each(|part| worth += part);
                judged.hands[seat] = worth * judged.stage.market;
            }
        }
        for at in 0..self.seats {
            let seat = Seat::new(at);
            let map = self.map(state, seat);
            if ALL || !map.is_drawn_as(&judged.drawings[at]) {
                judged.drawings[at] = map.drawing();
                let outline = match self.corners() {
                    true => Outline { wall: self.longest_wall(state, seat), open: 0 },
                    false => outline(map, judged.ruled.4),
                };
                judged.walls[at] = outline.wall as f64;
                judged.open_sides[at] = outline.open.min(OPEN_SIDES) as f64;
            }
        }
        // All seats at once: seldom have any of them other cards.
        let owned = |state: &State| state.sultan.owned;
        if staged || drawn || owned(state).as_flattened() != owned(&judged.last).as_flattened() {
            for at in 0..self.seats {
                if staged || drawn || state.sultan.owned[at] != judged.last.sultan.owned[at] {
                    judged.cards[at] = judged.cards_worth(state, Seat::new(at));
                }
            }
            judged.last.sultan.owned = state.sultan.owned;
        }
    }

    /// The points that each seat may expect for one type: by its strength and by its place.
    fn majorities(&self, state: &State, building: Building, stage: &Stage, points: &mut [BySeat; 2]) {
        let (mut counts, mut strength) = ([0; 8], [0.0; MAX_PARTIES]);
        let mut parties = self.seats;
        for seat in 0..self.seats {
            counts[seat] = state.alhambras[seat].of(building) as u8;
            strength[seat] = counts[seat] as f64 + RESERVED * state.reserves[seat].of(building) as f64;
        }
        strength[state.active.index()] += UNLAID * state.bought.of(building) as f64;
        if let Some((tile, seat)) = claimed(state)
            && tile.building() == building
        {
            strength[seat.index()] += UNLAID;
        }
        if self.with_dirk() {
            counts[parties] = state.dirk.of(building) as u8;
            strength[parties] = counts[parties] as f64;
            parties += 1;
        }
        let stakes = &stage.stakes[building as usize];
        let whole: f64 = 0.5 + strength[..parties].iter().map(|own| own * own).sum::<f64>();
        let share = stakes.shared / whole;
        for seat in 0..self.seats {
            points[0][seat] = share * strength[seat] * strength[seat];
            points[1][seat] = 0.0;
            let own = counts[seat];
            if own > 0 {
                let (ahead, tied) = ahead_and_tied(counts, own);
                points[1][seat] = stakes.share(ahead, tied);
            }
        }
    }

    /// What the tile and the sultan cards on each slot cost, 0 where there is none.
    #[inline]
    fn prices(&self, state: &State) -> [[u8; 2]; 4] {
        let mut prices = [[0; 2]; 4];
        for (slot, [tile, card]) in prices.iter_mut().enumerate() {
            *tile = state.yard[slot].map_or(0, Tile::price);
            *card = if state.sultan.open[slot] == [0; 6] { 0 } else { self.rules.sultan_price };
        }
        prices
    }

    /// Points that each seat may expect to have in the end, from the parts.
    // Loops over all seats that there can be, which have no points where nobody sits: several at once.
    #[inline]
    fn expected_points(&self, state: &State, judged: &Judged) -> BySeat {
        let (stage, active) = (&judged.stage, state.active.index());
        let extra = matches!(
            state.phase,
            Phase::Main { extra: true }
                | Phase::Mark { extra: true, .. }
                | Phase::MarkRoll { extra: true, .. }
        );
        let due = if extra { ACTION * stage.market } else { 0.0 };
        let mut points = judged.tiles;
        for (seat, points) in points.iter_mut().enumerate() {
            *points += if seat < self.seats { state.scores[seat] as f64 } else { 0.0 };
            *points += stage.to_come * judged.walls[seat];
            *points += stage.market * OPEN_SIDE * judged.open_sides[seat];
            *points += judged.hands[seat];
        }
        if self.rules.sultan {
            let mut own = judged.cards[active];
            if judged.unsettled(state) {
                own = judged.with_unsettled(state, own);
            }
            for (seat, points) in points.iter_mut().enumerate() {
                *points += if seat == active { own } else { judged.cards[seat] };
            }
        }
        for (seat, points) in points.iter_mut().enumerate() {
            *points += if seat == active { due } else { 0.0 };
        }
        // Whoever holds most of a currency wins the last tile of its slot.
        if stage.market < 0.5 {
            for slot in 0..4 {
                if let Some(tile) = state.yard[slot] {
                    let total = |seat: Seat| state.hands[seat.index()][slot].total();
                    let most = Seat::all(self.seats).map(total).max().unwrap_or(0);
                    let mut first = Seat::all(self.seats).filter(|&seat| total(seat) == most);
                    if let (Some(seat), None) = (first.next(), first.next()) {
                        let worth = stage.tile_worth[tile.building() as usize] * (0.5 - stage.market);
                        points[seat.index()] += if most > 0 { worth } else { 0.0 };
                    }
                }
            }
        }
        points
    }

    /// The value of a game that is not over, from the parts of it.
    #[inline]
    fn judge(&self, state: &State, judged: &Judged, out: &mut [f64]) {
        let points = self.expected_points(state, judged);
        // Nobody has less than those who are not there. By twos, so that less waits for what comes before it.
        let more = |one: f64, other: f64| if other > one { other } else { one };
        let [a, b, c, d, e, f] = points;
        let best = more(more(more(a, b), more(c, d)), more(e, f));
        let mut behind = points;
        behind.iter_mut().for_each(|own| *own = (*own - best) / judged.stage.spread);
        let mut powers = exp(behind);
        for (seat, power) in powers.iter_mut().enumerate() {
            *power = if seat < self.seats { *power } else { 0.0 };
        }
        let mut sum = 0.0;
        powers.iter().for_each(|power| sum += power);
        powers.iter_mut().for_each(|power| *power /= sum);
        for (seat, &power) in powers.iter().enumerate() {
            if let Some(value) = out.get_mut(seat) {
                *value = power;
            }
        }
    }

    /// The value of a game that is over.
    fn judge_end(outcome: &Outcome, out: &mut [f64]) {
        for (value, result) in out.iter_mut().zip(outcome.results()) {
            *value = result.payoff;
        }
    }

    /// Whether the turn's own decisions are over and the routine at its end is under way.
    fn in_routine(state: &State) -> bool {
        !matches!(
            state.phase,
            Phase::Main { .. } | Phase::Mark { .. } | Phase::MarkRoll { .. } | Phase::Place
        )
    }
}

/// Sums up to 15 that some of the cards of a purse make: bit 4s for sum s.
#[derive(Clone, Copy)]
struct Sums(u64);

impl Sums {
    #[inline]
    fn of(purse: Purse) -> Sums {
        let (low, high) = (purse.bits() as usize % LOW_SUMS.len(), purse.bits() as usize / LOW_SUMS.len());
        // Every four bits of the product count the ways to add a sum of low cards and one of high cards; there
        // are at most nine sums of high cards. Sums above 15 leave the word.
        let ways = LOW_SUMS[low].wrapping_mul(HIGH_SUMS[high % HIGH_SUMS.len()]);
        Sums((ways | ways >> 1 | ways >> 2 | ways >> 3) & ONE_EACH)
    }

    #[inline]
    fn contains(self, sum: u8) -> bool {
        self.0 >> (4 * sum) & 1 == 1
    }

    /// How many prices of tiles, 2 to 13, are among them.
    #[inline]
    fn prices(self) -> u64 {
        (self.0 & 0x0011_1111_1111_1100).wrapping_mul(ONE_EACH) >> 60
    }
}

const ONE_EACH: u64 = 0x1111_1111_1111_1111;

/// The sums of values 1 to 5 and of values 6 to 9, by bit pattern.
const LOW_SUMS: [u64; 1024] = sums(1);
const HIGH_SUMS: [u64; 256] = sums(6);

const fn sums<const N: usize>(first: u32) -> [u64; N] {
    let (mut table, mut pattern) = ([1; N], 0);
    while pattern < N {
        let mut at = 0;
        while at < 5 {
            let mut copies = pattern >> (2 * at) & 3;
            while copies > 0 {
                table[pattern] |= table[pattern] << (4 * (first + at));
                copies -= 1;
            }
            at += 1;
        }
        pattern += 1;
    }
    table
}

/// e to the power x for every x, at most 0, by squaring: the same bits on every machine. All of them step by step,
/// so that they are squared several at once.
#[inline]
fn exp(x: BySeat) -> BySeat {
    let mut powers = x;
    for power in &mut powers {
        let x = if *power > -200.0 { *power } else { -200.0 };
        *power = 1.0 + x / 1024.0;
    }
    for _ in 0..10 {
        for power in &mut powers {
            *power *= *power;
        }
    }
    powers
}

impl Heuristics for Alhambra {
    fn value(&self, state: &State, out: &mut [f64]) {
        match self.outcome(state) {
            Some(outcome) => Alhambra::judge_end(&outcome, out),
            None => self.judge(state, &self.parts(state), out),
        }
    }

    fn value_near(&self, state: &State, memo: &mut Memo, out: &mut [f64]) {
        if let Some(outcome) = self.outcome(state) {
            return Alhambra::judge_end(&outcome, out);
        }
        let Kept { judged, outlines } = memo.of::<Kept>();
        let judged = match judged {
            Some(judged) if judged.ruled == self.ruled() => {
                self.renew::<false>(state, judged, |map, minus_one| {
                    outlines.of(map, minus_one).unwrap_or_else(|| outline(map, minus_one))
                });
                judged
            }
            _ => {
                *outlines = Outlines::default();
                judged.insert(self.parts(state))
            }
        };
        self.judge(state, judged, out);
    }

    /// Of a rolled mark and its opposite the buyer takes the better, whichever the die shows.
    #[inline]
    fn twin(&self, state: &State, outcome: Action) -> Option<Action> {
        match (state.phase, outcome) {
            (Phase::MarkRoll { .. }, Action::Die(mark)) if mark.opposite() < mark => {
                Some(Action::Die(mark.opposite()))
            }
            _ => None,
        }
    }

    /// Two numbers a turn: its own decisions, and the routine that ends it. Searchers stop before the draws
    /// of the routine, which the value need not see.
    fn turn_id(&self, state: &State) -> u32 {
        2 * state.turn as u32 + u32::from(Alhambra::in_routine(state))
    }

    /// Laying the last bought tile or a claimed one, settling a mark before the roll: after it, the value
    /// knows that the better face will be taken. While several tiles wait to be laid, each is looked at by
    /// itself: all orders together would be too many.
    fn in_compound(&self, state: &State) -> bool {
        match state.phase {
            Phase::Place => state.bought.len() == 1,
            Phase::Mark { rolled, .. } => !rolled,
            Phase::Claimed { .. } | Phase::FinalClaimed { .. } => true,
            Phase::Won { seat } => state.winners.iter().filter(|&&winner| winner == Some(seat)).count() == 1,
            _ => false,
        }
    }

    /// Leaves out what was only counted, and the number of the turn while the cap is far.
    fn search_key(&self, state: &State) -> u128 {
        let mut key = *state;
        key.counters = Default::default();
        key.start = Seat::new(0);
        if state.turn < self.rules.max_turns.saturating_sub(CAP_HORIZON) {
            key.turn = key.turn.min(1);
        }
        state_key(&key)
    }

    /// Drops payments that give away more than another for the same thing when neither is exact, and takes
    /// that leave a card which could be taken along.
    fn prune(&self, state: &State, actions: &mut Vec<Action>) {
        if !matches!(state.phase, Phase::Main { .. }) {
            return;
        }
        // Lowest inexact payment for each thing, by slot and for sultan cards by currency.
        let mut lowest = [[u32::MAX; 4]; 2];
        let inexact = |action: Action| match action {
            Action::Buy(slot, cards) => {
                let price = state.yard[slot as usize].map_or(0, Tile::price) as u32;
                (cards.total() > price).then_some((0, slot as usize, cards.total()))
            }
            Action::BuySultan(currency, _, cards) => (cards.total() > self.rules.sultan_price as u32)
                .then_some((1, currency as usize, cards.total())),
            _ => None,
        };
        for &action in actions.iter() {
            if let Some((thing, slot, total)) = inexact(action) {
                lowest[thing][slot] = lowest[thing][slot].min(total);
            }
        }
        let mut takes = [super::state::FewCards::NONE; 15];
        let mut count = 0;
        super::money::each_take(state.display, |cards| {
            takes[count] = cards;
            count += 1;
        });
        actions.retain(|&action| match action {
            Action::Take(cards) => !takes[..count].iter().any(|&more| {
                more.len() == cards.len() + 1 && {
                    let extra: super::state::FewCards = more.without(cards);
                    extra.len() == 1
                }
            }),
            _ => inexact(action).is_none_or(|(thing, slot, total)| total <= lowest[thing][slot]),
        });
    }

    fn prior(&self, state: &State, _seat: Seat, actions: &[Action], out: &mut Vec<f32>) {
        out.clear();
        out.extend(actions.iter().map(|&action| match action {
            Action::Buy(slot, cards) => {
                let price = state.yard[slot as usize].map_or(0, Tile::price) as u32;
                if cards.total() == price { 8.0 } else { 3.0 / (1 + cards.total() - price) as f32 + 0.5 }
            }
            Action::BuySultan(_, _, cards) => {
                let price = self.rules.sultan_price as u32;
                if cards.total() == price {
                    4.0
                } else {
                    1.0 / (1 + cards.total().saturating_sub(price)) as f32
                }
            }
            Action::Take(cards) => 0.25 * cards.iter().map(|card| card.value() as f32).sum::<f32>() + 0.25,
            Action::Add(..) => 1.0,
            Action::Exchange { .. } => 0.25,
            Action::Remove(_) => 0.05,
            Action::Place(..) => 2.0,
            Action::Reserve(_) | Action::Dirk(_) => 0.5,
            Action::Claim => 8.0,
            _ => 1.0,
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Turn;
    use crate::games::Catalogued;
    use crate::streams::Stream;

    /// In every state of some games and in all states that one step leads to, whatever was judged before: a
    /// single memo goes through matches of all kinds.
    #[test]
    fn a_value_with_parts_kept_is_the_value() {
        let (mut memo, mut states) = (Memo::default(), 0);
        for seed in 0..6 {
            let seats = 2 + seed as usize % 3;
            let mut rules = Alhambra::default_rules(seats);
            rules.sultan = seed != 3;
            rules.sultan_same_turn_use = seed != 4;
            rules.hole_connectivity = if seed == 5 { 8 } else { 4 };
            let game = Alhambra::new(rules, seats).unwrap();
            let (mut luck, mut choice) = (Stream::from_seed(seed), Stream::from_seed(300 + seed));
            let (mut state, mut buffer, mut outcomes) = (game.initial(), Vec::new(), Vec::new());
            let mut compare = |state: &State| {
                let (mut kept, mut fresh) = ([0.0; MAX_SEATS], [0.0; MAX_SEATS]);
                game.value_near(state, &mut memo, &mut kept[..seats]);
                game.value(state, &mut fresh[..seats]);
                assert_eq!(kept.map(f64::to_bits), fresh.map(f64::to_bits));
                states += 1;
            };
            loop {
                compare(&state);
                let action = match game.turn(&state) {
                    Turn::Over => break,
                    Turn::Chance(_) => {
                        game.chance(&state, &mut outcomes);
                        buffer.clear();
                        buffer.extend(outcomes.iter().map(|&(outcome, _)| outcome));
                        game.sample_chance(&state, luck.word())
                    }
                    Turn::Decision(seat) => game.pick_from_list(&state, seat, &mut choice, &mut buffer),
                    Turn::Simultaneous(_) => unreachable!(),
                };
                for &next in &buffer {
                    let mut child = state;
                    game.apply(&mut child, next);
                    compare(&child);
                }
                game.apply(&mut state, action);
            }
        }
        assert!(states > 10_000, "{states}");
    }
}
