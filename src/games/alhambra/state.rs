//! What a position is made of: cards, tiles, maps, sultan cards, the phase of play. And what can be done.
//!
//! # In files
//!
//! A hand, deck or discard pile is four lists of card values, ascending, in the order denar, dirham, ducat,
//! florin. A set of tiles is a list of tile numbers (`tiles.csv`). `cells` lists `[tile, x, y]` for every
//! tile that lies in an Alhambra, x to the east, y to the south, the fountain at 0,0. The other fields have
//! the names below; lists that go by seat always have six entries, those of empty seats unused.

use std::fmt::{self, Display};
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::drawing::Drawing;
use super::tiles::{Building, TILES, Tile};
use crate::game::{MAX_SEATS, ParseActionError, Seat};

/// A currency, and with it a slot of the yard.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Currency {
    /// Blue.
    Denar,
    /// Green.
    Dirham,
    /// Orange.
    Ducat,
    /// Yellow.
    Florin,
}

impl Currency {
    /// All, in the order of the slots.
    pub const ALL: [Currency; 4] = [Currency::Denar, Currency::Dirham, Currency::Ducat, Currency::Florin];

    /// The name that people type.
    pub const fn name(self) -> &'static str {
        ["denar", "dirham", "ducat", "florin"][self as usize]
    }
}

impl Display for Currency {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.name())
    }
}

impl FromStr for Currency {
    type Err = ParseActionError;
    fn from_str(text: &str) -> Result<Currency, ParseActionError> {
        Currency::ALL
            .into_iter()
            .find(|currency| currency.name() == text)
            .ok_or_else(|| ParseActionError::new(text, "denar, dirham, ducat or florin"))
    }
}

/// How many different money cards there are.
pub const CARDS: usize = 36;

/// A money card: its currency and value. Cards alike in both are the same card.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "(Currency, u8)", into = "(Currency, u8)")]
pub struct Card(u8);

impl Card {
    /// The card of a value, 1 to 9.
    #[inline]
    pub const fn new(currency: Currency, value: u8) -> Card {
        debug_assert!(value >= 1 && value <= 9);
        Card(currency as u8 * 9 + value - 1)
    }

    /// Its currency.
    #[inline]
    pub const fn currency(self) -> Currency {
        Currency::ALL[self.0 as usize / 9]
    }

    /// Its value, 1 to 9.
    #[inline]
    pub const fn value(self) -> u8 {
        self.0 % 9 + 1
    }
}

impl From<Card> for (Currency, u8) {
    fn from(card: Card) -> (Currency, u8) {
        (card.currency(), card.value())
    }
}

impl TryFrom<(Currency, u8)> for Card {
    type Error = String;
    fn try_from((currency, value): (Currency, u8)) -> Result<Card, String> {
        if (1..=9).contains(&value) {
            Ok(Card::new(currency, value))
        } else {
            Err(format!("there is no {currency} {value}"))
        }
    }
}

impl Display for Card {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} {}", self.currency(), self.value())
    }
}

impl FromStr for Card {
    type Err = ParseActionError;
    fn from_str(text: &str) -> Result<Card, ParseActionError> {
        let unknown = || ParseActionError::new(text, "a money card, such as `denar 5`");
        let (currency, value) = text.trim().split_once(' ').ok_or_else(unknown)?;
        let currency = currency.parse().map_err(|_| unknown())?;
        let value = value.trim().parse::<u8>().map_err(|_| unknown())?;
        Card::try_from((currency, value)).map_err(|_| unknown())
    }
}

/// Up to four money cards that lie together, ascending: the display, or what is taken from it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "Vec<Card>", into = "Vec<Card>")]
pub struct FewCards([u8; 4]);

const NO_CARD: u8 = u8::MAX;

impl FewCards {
    /// No card.
    pub const NONE: FewCards = FewCards([NO_CARD; 4]);

    /// How many.
    #[inline]
    pub fn len(self) -> usize {
        // No card has the highest bit of its byte.
        4 - u32::from_le_bytes(self.0).leading_ones() as usize / 8
    }

    /// Whether there are none.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0[0] == NO_CARD
    }

    /// The sum of all values.
    #[inline]
    pub fn total(self) -> u8 {
        self.0.iter().map(|&card| if card == NO_CARD { 0 } else { Card(card).value() }).sum()
    }

    /// Whether there are four.
    #[inline]
    pub fn is_full(self) -> bool {
        self.0[3] != NO_CARD
    }

    /// The cards, ascending.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Card> + Clone {
        self.0.into_iter().take_while(|&card| card != NO_CARD).map(Card)
    }

    /// With a card added; there must be room.
    #[inline]
    #[must_use]
    pub fn with(self, card: Card) -> FewCards {
        debug_assert!(!self.is_full());
        let [first, second, third, fourth] = self.0;
        // The lower cards stay, the higher ones move up by a place: without a branch on which they are.
        let place = |before: u8, here: u8| here.min(before.max(card.0));
        FewCards([first.min(card.0), place(first, second), place(second, third), place(third, fourth)])
    }

    /// What a table says of the card at each place, by card and place; its last row is for no card.
    #[inline]
    pub(super) fn shares(self, table: &[[u64; 4]; 256]) -> [u64; 4] {
        let share = |at: usize| table[self.0[at] as usize][at];
        // Written out: of an array's `map` compilers make a call.
        [share(0), share(1), share(2), share(3)]
    }

    /// Whether the cards at two places are the same.
    #[inline]
    pub(super) fn same(self, one: usize, other: usize) -> bool {
        self.0[one] == self.0[other]
    }

    /// Those whose places the bits of `set` name, all of which are taken. Without a branch for every card: `set`
    /// may be drawn at random.
    #[inline]
    pub(super) fn named(self, set: u32) -> FewCards {
        let (cards, mut named, mut room) = (!u32::from_le_bytes(self.0), 0, 0);
        for at in 0..4 {
            // All ones if the card is named. In `cards` and `named` a place without a card is 0.
            let picked = 0u32.wrapping_sub(set >> at & 1);
            named |= (cards >> (8 * at) & 0xff & picked) << room;
            room = (room + (8 & picked)) % 32;
        }
        FewCards((!named).to_le_bytes())
    }

    /// With those cards taken out, which must be there.
    #[inline]
    #[must_use]
    pub fn without(self, taken: FewCards) -> FewCards {
        let (mut left, mut count, mut next) = ([NO_CARD; 4], 0, 0);
        for card in self.0 {
            // No card is all ones, and none after the last that is left is taken as well: no branch for each card.
            let gone = taken.0[next] == card;
            left[count] = card | 0u8.wrapping_sub(u8::from(gone));
            (next, count) = (next + usize::from(gone), count + usize::from(!gone));
        }
        FewCards(left)
    }
}

impl FromIterator<Card> for FewCards {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> FewCards {
        cards.into_iter().fold(FewCards::NONE, FewCards::with)
    }
}

impl From<FewCards> for Vec<Card> {
    fn from(cards: FewCards) -> Vec<Card> {
        cards.iter().collect()
    }
}

impl TryFrom<Vec<Card>> for FewCards {
    type Error = String;
    fn try_from(cards: Vec<Card>) -> Result<FewCards, String> {
        if cards.len() <= 4 { Ok(cards.into_iter().collect()) } else { Err("more than four cards".into()) }
    }
}

impl Display for FewCards {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, card) in self.iter().enumerate() {
            let joint = if at == 0 { "" } else { " + " };
            write!(out, "{joint}{card}")?;
        }
        Ok(())
    }
}

/// Money cards of one currency: how often each value 1 to 9 is there (0 to 3), two bits a value, the
/// lowest value in the lowest bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(try_from = "Vec<u8>", into = "Vec<u8>")]
pub struct Purse(u32);

impl Purse {
    /// The purse of a bit pattern (see the type).
    #[inline]
    pub(super) const fn from_bits(bits: u32) -> Purse {
        Purse(bits)
    }

    /// Its bit pattern.
    #[inline]
    pub(super) const fn bits(self) -> u32 {
        self.0
    }

    /// `copies` (0 to 3) of every value.
    pub const fn full(copies: u32) -> Purse {
        Purse(copies * 0b01_01_01_01_01_01_01_01_01)
    }

    /// How many cards of a value.
    #[inline]
    pub const fn count(self, value: u8) -> u8 {
        (self.0 >> (2 * (value - 1)) & 3) as u8
    }

    /// With one more card of a value, of which there are at most two.
    #[inline]
    #[must_use]
    pub const fn with(self, value: u8) -> Purse {
        Purse(self.0 + (1 << (2 * (value - 1))))
    }

    /// With one card less of a value that is there.
    #[inline]
    #[must_use]
    pub const fn without(self, value: u8) -> Purse {
        Purse(self.0 - (1 << (2 * (value - 1))))
    }

    /// All cards of two purses.
    #[inline]
    #[must_use]
    pub const fn and(self, other: Purse) -> Purse {
        Purse(self.0 + other.0)
    }

    /// Without the cards of another, all of which are there.
    #[inline]
    #[must_use]
    pub const fn less(self, other: Purse) -> Purse {
        Purse(self.0 - other.0)
    }

    /// Whether all cards of another are there.
    pub fn holds(self, other: Purse) -> bool {
        (1..=9).all(|value| self.count(value) >= other.count(value))
    }

    /// Whether there is no card.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many cards.
    #[inline]
    pub const fn len(self) -> u32 {
        self.sums() as u32 >> 8
    }

    /// The sum of all values.
    #[inline]
    pub const fn total(self) -> u32 {
        self.sums() as u32 & 0xff
    }

    /// The sum of all values and, from the ninth bit on, the number of cards.
    #[inline]
    const fn sums(self) -> u16 {
        LOW_SUMS[(self.0 & 0x3ff) as usize] + HIGH_SUMS[(self.0 >> 10 & 0xff) as usize]
    }

    /// The lowest value, if there is a card.
    #[inline]
    pub const fn lowest(self) -> Option<u8> {
        if self.0 == 0 { None } else { Some(self.0.trailing_zeros() as u8 / 2 + 1) }
    }

    /// The value of the n-th card from the lowest on, from 0; there must be more than n.
    #[inline]
    pub(super) fn nth(self, n: u32) -> u8 {
        const EACH: u64 = 0x0101_0101_0101_0101;
        // The counts of values 1 to 8, a byte each. One by one they took 0.5 % more of a random game.
        let mut counts = (self.0 & 0xffff) as u64;
        counts = (counts | counts << 24) & 0x0000_00ff_0000_00ff;
        counts = (counts | counts << 12) & 0x000f_000f_000f_000f;
        counts = (counts | counts << 6) & 0x0303_0303_0303_0303;
        // Values of which all cards, and all of the lower ones, come before the n-th.
        let passed = (((n as u64 * EACH) | (EACH << 7)) - counts.wrapping_mul(EACH)) >> 7 & EACH;
        1 + (passed.wrapping_mul(EACH) >> 56) as u8
    }

    /// The values, the highest first, four bits each from the lowest bits on, 0 after the last: of at most five cards.
    #[inline]
    pub(super) const fn few_values(self) -> u32 {
        let high = HIGH_VALUES[(self.0 >> 10 & 0xff) as usize];
        high & 0xfffff | LOW_VALUES[(self.0 & 0x3ff) as usize] << (high >> 20)
    }

    /// The values, the highest first, each as often as it is there.
    pub fn values(self) -> impl Iterator<Item = u8> {
        (1..=9).rev().flat_map(move |value| std::iter::repeat_n(value, self.count(value) as usize))
    }
}

/// [`Purse::sums`] of values 1 to 5 and of values 6 to 9, by bit pattern.
const LOW_SUMS: [u16; 1024] = sums(1);
const HIGH_SUMS: [u16; 256] = sums(6);

const fn sums<const N: usize>(first: usize) -> [u16; N] {
    let mut table = [0; N];
    let mut pattern = 0;
    while pattern < N {
        let mut at = 0;
        while at < 5 {
            let copies = pattern >> (2 * at) & 3;
            table[pattern] += (copies * (first + at) + (copies << 8)) as u16;
            at += 1;
        }
        pattern += 1;
    }
    table
}

/// [`Purse::few_values`] of values 1 to 5 and of values 6 to 9, by bit pattern, and from bit 20 on how many bits they
/// take; 0 of more than five cards.
const LOW_VALUES: [u32; 1024] = few_values(1);
const HIGH_VALUES: [u32; 256] = few_values(6);

const fn few_values<const N: usize>(first: u32) -> [u32; N] {
    let mut table = [0; N];
    let mut pattern = 0;
    while pattern < N {
        let (mut list, mut length, mut at) = (0, 0, 5);
        while at > 0 {
            at -= 1;
            let mut copies = pattern >> (2 * at) & 3;
            while copies > 0 {
                if length < 20 {
                    list |= (first + at) << length;
                }
                (copies, length) = (copies - 1, length + 4);
            }
        }
        // How long the low values are, nobody asks.
        if length <= 20 {
            table[pattern] = if first == 1 { list } else { list | length << 20 };
        }
        pattern += 1;
    }
    table
}

impl FromIterator<u8> for Purse {
    fn from_iter<I: IntoIterator<Item = u8>>(values: I) -> Purse {
        values.into_iter().fold(Purse::default(), Purse::with)
    }
}

impl From<Purse> for Vec<u8> {
    fn from(purse: Purse) -> Vec<u8> {
        let mut values: Vec<u8> = purse.values().collect();
        values.reverse();
        values
    }
}

impl TryFrom<Vec<u8>> for Purse {
    type Error = String;
    fn try_from(values: Vec<u8>) -> Result<Purse, String> {
        values.into_iter().try_fold(Purse::default(), |purse, value| match value {
            1..=9 if purse.count(value) < 3 => Ok(purse.with(value)),
            1..=9 => Err(format!("a value {value} more often than three times")),
            _ => Err(format!("a money card of value {value}")),
        })
    }
}

impl Display for Purse {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, value) in self.values().enumerate() {
            let joint = if at == 0 { "" } else { "+" };
            write!(out, "{joint}{value}")?;
        }
        Ok(())
    }
}

impl FromStr for Purse {
    type Err = ParseActionError;
    fn from_str(text: &str) -> Result<Purse, ParseActionError> {
        let unknown = || ParseActionError::new(text, "card values, such as `4+3`");
        let values: Option<Vec<u8>> = text.split('+').map(|value| value.trim().parse().ok()).collect();
        Purse::try_from(values.ok_or_else(unknown)?).map_err(|_| unknown())
    }
}

/// Money cards of all currencies, a purse each.
pub type Purses = [Purse; 4];

/// A set of tiles; bit i is tile i.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(try_from = "Vec<Tile>", into = "Vec<Tile>")]
pub struct TileSet(pub(super) u64);

impl TileSet {
    /// All 54.
    pub const ALL: TileSet = TileSet((1 << TILES) - 1);

    /// Whether a tile is in it.
    #[inline]
    pub const fn contains(self, tile: Tile) -> bool {
        self.0 >> tile.index() & 1 == 1
    }

    /// How many.
    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether there are none.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many of a type.
    #[inline]
    pub const fn of(self, building: Building) -> u32 {
        let tiles = building.tiles();
        ONES[((self.0 & tiles) >> tiles.trailing_zeros()) as usize % ONES.len()] as u32
    }

    /// Puts a tile in.
    #[inline]
    pub const fn insert(&mut self, tile: Tile) {
        self.0 |= 1 << tile.index();
    }

    /// Takes a tile out.
    #[inline]
    pub const fn remove(&mut self, tile: Tile) {
        self.0 &= !(1 << tile.index());
    }

    /// The tiles, ascending.
    #[inline]
    pub fn iter(self) -> Tiles {
        Tiles(self.0)
    }
}

/// How many bits are set in a number of eleven: the tiles of a type stand together, at most so many. A
/// plain x86-64 has no instruction that counts.
const ONES: [u8; 1 << 11] = {
    let (mut table, mut bits) = ([0; 1 << 11], 0);
    while bits < table.len() {
        table[bits] = bits.count_ones() as u8;
        bits += 1;
    }
    let mut at = 0;
    while at < Building::ALL.len() {
        let tiles = Building::ALL[at].tiles();
        assert!(((tiles >> tiles.trailing_zeros()) as usize) < table.len());
        at += 1;
    }
    table
};

/// Goes through a [`TileSet`].
#[derive(Clone, Copy, Debug)]
pub struct Tiles(u64);

impl Iterator for Tiles {
    type Item = Tile;
    #[inline]
    fn next(&mut self) -> Option<Tile> {
        if self.0 == 0 {
            return None;
        }
        let tile = Tile::new(self.0.trailing_zeros() as usize);
        self.0 &= self.0 - 1;
        Some(tile)
    }
}

impl FromIterator<Tile> for TileSet {
    fn from_iter<I: IntoIterator<Item = Tile>>(tiles: I) -> TileSet {
        let mut set = TileSet::default();
        tiles.into_iter().for_each(|tile| set.insert(tile));
        set
    }
}

impl From<TileSet> for Vec<Tile> {
    fn from(set: TileSet) -> Vec<Tile> {
        set.iter().collect()
    }
}

impl TryFrom<Vec<Tile>> for TileSet {
    type Error = String;
    fn try_from(tiles: Vec<Tile>) -> Result<TileSet, String> {
        let set: TileSet = tiles.iter().copied().collect();
        if set.len() as usize == tiles.len() { Ok(set) } else { Err("a tile twice in one place".into()) }
    }
}

/// A place in an Alhambra: x to the east, y to the south, the fountain at 0,0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Cell {
    /// East is positive.
    pub x: i8,
    /// South is positive.
    pub y: i8,
}

impl Cell {
    /// The cell at x, y.
    #[inline]
    pub const fn new(x: i8, y: i8) -> Cell {
        Cell { x, y }
    }

    /// The next cell to the north, east, south, west (0 to 3).
    #[inline]
    pub const fn beside(self, side: usize) -> Cell {
        let (right, down) = [(0, -1), (1, 0), (0, 1), (-1, 0)][side];
        Cell { x: self.x + right, y: self.y + down }
    }
}

impl Display for Cell {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{},{}", self.x, self.y)
    }
}

impl FromStr for Cell {
    type Err = ParseActionError;
    fn from_str(text: &str) -> Result<Cell, ParseActionError> {
        let unknown = || ParseActionError::new(text, "a cell, such as `2,-1`");
        let (x, y) = text.split_once(',').ok_or_else(unknown)?;
        let number = |text: &str| text.trim().parse::<i8>().map_err(|_| unknown());
        Ok(Cell::new(number(x)?, number(y)?))
    }
}

/// Where each tile lies that lies in an Alhambra; (0,0), the fountain's cell, for all others.
#[derive(Clone, Copy, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "Vec<(Tile, i8, i8)>", into = "Vec<(Tile, i8, i8)>")]
pub struct Cells {
    of: [Cell; TILES],
    /// By seat, tiles that it laid drawn where they lie: no part of what is compared or written, since the rest
    /// tells it. Whoever asks sees whether they are all of the seat's.
    drawings: [Drawing; MAX_SEATS],
}

impl Default for Cells {
    fn default() -> Cells {
        Cells { of: [Cell::new(0, 0); TILES], drawings: [Drawing::EMPTY; MAX_SEATS] }
    }
}

impl PartialEq for Cells {
    fn eq(&self, other: &Cells) -> bool {
        self.of == other.of
    }
}

impl Hash for Cells {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.of.hash(hasher);
    }
}

impl Cells {
    /// Where a tile lies.
    #[inline]
    pub const fn of(&self, tile: Tile) -> Cell {
        self.of[tile.index()]
    }

    /// A seat's map, its tiles being these.
    // Drawn already but for maps that come from elsewhere.
    #[inline]
    pub(super) fn drawing(&self, seat: usize, tiles: TileSet) -> Drawing {
        self.drawn(seat, tiles).copied().unwrap_or_else(|| self.draw(tiles))
    }

    /// The same if it is drawn: looked at where it lies.
    #[inline]
    pub(super) fn drawn(&self, seat: usize, tiles: TileSet) -> Option<&Drawing> {
        let drawing = &self.drawings[seat];
        (drawing.set() == tiles).then_some(drawing)
    }

    /// Whether a seat's map, its tiles being these, is known to look like this drawing.
    #[inline]
    pub(super) fn is_drawn_as(&self, seat: usize, tiles: TileSet, drawing: &Drawing) -> bool {
        drawing.set() == tiles && drawing.is_like(&self.drawings[seat])
    }

    #[cold]
    pub(super) fn draw(&self, tiles: TileSet) -> Drawing {
        Drawing::of(tiles, |tile| self.of(tile))
    }

    /// Lays a tile in a seat's Alhambra, in which these are so far.
    #[inline]
    pub(super) fn lay(&mut self, seat: usize, tiles: TileSet, tile: Tile, cell: Cell) {
        self.redraw(seat, tiles);
        self.drawings[seat].put(tile, cell);
        self.of[tile.index()] = cell;
    }

    /// Takes a tile out of a seat's Alhambra, in which these are left.
    #[inline]
    pub(super) fn lift(&mut self, seat: usize, left: TileSet, tile: Tile) {
        let mut before = left;
        before.insert(tile);
        self.redraw(seat, before);
        if !self.drawings[seat].take(tile, self.of(tile)) {
            self.drawings[seat] = self.draw(left);
        }
        self.of[tile.index()] = Cell::default();
    }

    /// Puts a tile in the place of one in a seat's Alhambra, in which these are so far: 1 % of a random game less than to
    /// lift the one and lay the other.
    #[inline]
    pub(super) fn exchange(&mut self, seat: usize, tiles: TileSet, old: Tile, new: Tile) {
        let cell = self.of(old);
        self.redraw(seat, tiles);
        self.drawings[seat].exchange(old, new, cell);
        self.of[old.index()] = Cell::default();
        self.of[new.index()] = cell;
    }

    /// Draws a seat's map, its tiles being these, if it is not drawn.
    #[inline]
    fn redraw(&mut self, seat: usize, tiles: TileSet) {
        if self.drawings[seat].set() != tiles {
            self.drawings[seat] = self.draw(tiles);
        }
    }
}

impl From<Cells> for Vec<(Tile, i8, i8)> {
    fn from(cells: Cells) -> Vec<(Tile, i8, i8)> {
        let placed = (0..TILES).map(Tile::new).filter(|&tile| cells.of(tile) != Cell::default());
        placed.map(|tile| (tile, cells.of(tile).x, cells.of(tile).y)).collect()
    }
}

impl TryFrom<Vec<(Tile, i8, i8)>> for Cells {
    type Error = String;
    fn try_from(placed: Vec<(Tile, i8, i8)>) -> Result<Cells, String> {
        let mut cells = Cells::default();
        for (tile, x, y) in placed {
            if x.unsigned_abs() > TILES as u8 || y.unsigned_abs() > TILES as u8 {
                return Err(format!("no path leads to the cell {x},{y}"));
            }
            if (x, y) == (0, 0) {
                return Err(format!("tile {tile} cannot lie at 0,0, where the fountain is"));
            }
            cells.of[tile.index()] = Cell::new(x, y);
        }
        Ok(cells)
    }
}

/// One of the five piles of the money deck: what is left in it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Pile {
    /// Money cards.
    pub money: u8,
    /// Sultan cards.
    pub sultan: u8,
    /// Scoring cards, 0 or 1.
    pub scoring: u8,
}

impl Pile {
    /// All cards of the pile.
    #[inline]
    pub const fn len(self) -> u8 {
        self.money + self.sultan + self.scoring
    }

    /// Whether nothing is left.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }
}

/// Where the sultan cards are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct SultanCards {
    /// In the deck, by currency.
    pub deck: [u8; 4],
    /// Open beside the yard, by currency and mark.
    pub open: [[u8; 6]; 4],
    /// In front of each seat, by mark.
    pub owned: [[u8; 6]; MAX_SEATS],
    /// Those of the active seat that cannot be used yet, by mark (only with `sultan_same_turn_use` off).
    pub fresh: [u8; 6],
    /// Bought this turn with the mark not settled yet, by the mark they had, in order of purchase.
    pub unsettled: Marks,
    /// Used by each seat in this refill.
    pub uses: [u8; MAX_SEATS],
}

/// A queue of up to 20 marks, three bits each, the first in the lowest bits; 0 ends it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(try_from = "Vec<Building>", into = "Vec<Building>")]
pub struct Marks(u64);

impl Marks {
    /// Whether there are none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Adds a mark behind the others.
    pub const fn push(&mut self, mark: Building) {
        let used = 64 - self.0.leading_zeros();
        self.0 |= (mark as u64 + 1) << (3 * used.div_ceil(3));
    }

    /// Takes the first.
    pub const fn pop(&mut self) -> Option<Building> {
        if self.0 == 0 {
            return None;
        }
        let mark = Building::ALL[(self.0 & 7) as usize - 1];
        self.0 >>= 3;
        Some(mark)
    }
}

impl From<Marks> for Vec<Building> {
    fn from(mut marks: Marks) -> Vec<Building> {
        std::iter::from_fn(|| marks.pop()).collect()
    }
}

impl TryFrom<Vec<Building>> for Marks {
    type Error = String;
    fn try_from(list: Vec<Building>) -> Result<Marks, String> {
        if list.len() > 20 {
            return Err("more than 20 marks".into());
        }
        let mut marks = Marks::default();
        list.into_iter().for_each(|mark| marks.push(mark));
        Ok(marks)
    }
}

/// What was counted for a seat. Without effect on the game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Counters {
    /// Purchases paid exactly.
    pub exact_payments: u8,
    /// Tiles bought.
    pub tiles_bought: u8,
    /// Sultan cards bought.
    pub sultan_bought: u8,
    /// Sultan cards used.
    pub sultan_used: u8,
    /// Redesigns.
    pub redesigns: u16,
}

/// Where in the sequence of play the game stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Luck: one of Dirk's first six tiles (two players).
    DirkStart,
    /// Luck: one of the first four tiles of the yard.
    YardStart,
    /// Luck: a card of a seat's starting money.
    StartMoney {
        /// Who gets it.
        seat: Seat,
    },
    /// Luck: who starts, among equals.
    StartPlayer,
    /// Luck: a card of the first display.
    StartDisplay,
    /// The active seat's action.
    Main {
        /// Whether an exact payment gave it.
        extra: bool,
    },
    /// The active seat settles the mark of a sultan card that it bought.
    Mark {
        /// The mark so far: the card's own or the type rolled last.
        mark: Building,
        /// Whether the buyer has rolled.
        rolled: bool,
        /// Rolls left.
        rolls: u8,
        /// Whether another action is due.
        extra: bool,
    },
    /// Luck: the buyer's roll.
    MarkRoll {
        /// Rolls left after this one.
        rolls: u8,
        /// Whether another action is due.
        extra: bool,
    },
    /// The active seat lays a tile that it bought.
    Place,
    /// Luck: the next card of the money deck.
    Money,
    /// Luck: the mark of a sultan card that has turned up.
    Reveal {
        /// Its currency.
        currency: Currency,
    },
    /// Luck: one of Dirk's tiles after a scoring.
    DirkTile {
        /// How many are still to come, this one included.
        left: u8,
    },
    /// Luck: a tile for the first empty slot of the yard.
    Yard,
    /// A seat may claim the tile just drawn.
    Offer {
        /// The tile.
        tile: Tile,
        /// Who is asked.
        seat: Seat,
    },
    /// A seat lays the tile that it claimed.
    Claimed {
        /// The tile.
        tile: Tile,
        /// Who claimed it.
        seat: Seat,
    },
    /// End of the game: a seat may claim the tile on a slot (only with `sultan_final_distribution`).
    FinalOffer {
        /// The slot.
        slot: Currency,
        /// Who is asked.
        seat: Seat,
    },
    /// A seat lays the tile that it claimed so.
    FinalClaimed {
        /// The slot on which the tile lay.
        slot: Currency,
        /// The tile.
        tile: Tile,
        /// Who claimed it.
        seat: Seat,
    },
    /// End of the game: a seat lays one of the tiles that it won by money.
    Won {
        /// The seat.
        seat: Seat,
    },
    /// The game is over.
    Over,
}

/// How the game came to its end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// The bag could not fill the yard (or was empty, as `end_trigger` says).
    Tiles,
    /// `max_turns` was reached.
    Cap,
}

/// A position, everything open.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    /// What happens now.
    pub phase: Phase,
    /// Turns of single players begun, 0 in set-up.
    pub turn: u16,
    /// Whose turn it is.
    pub active: Seat,
    /// Who had the first turn.
    pub start: Seat,
    /// Scoring cards drawn so far, 0 to 2.
    pub scoring_cards: u8,
    /// Scorings held so far, 0 to 3. One is due when a card was drawn for it.
    pub scorings: u8,
    /// Set when the end has come.
    pub ending: Option<Ending>,
    /// The tile on each slot of the yard.
    pub yard: [Option<Tile>; 4],
    /// At the end of the game: who won the tile of each slot and has not laid it yet.
    pub winners: [Option<Seat>; 4],
    /// Who is asked first about a tile drawn in this refill.
    pub asked_first: Seat,
    /// The open money cards.
    pub display: FewCards,
    /// Money by seat.
    pub hands: [Purses; MAX_SEATS],
    /// Money cards not seen yet.
    pub deck: Purses,
    /// Money cards paid.
    pub discards: Purses,
    /// How the deck is piled, the top pile first. Before the piles are made, and after discards were
    /// shuffled, all is in the last.
    pub piles: [Pile; 5],
    /// Tiles in the bag.
    pub bag: TileSet,
    /// Tiles bought this turn and not laid yet.
    pub bought: TileSet,
    /// Dirk's tiles.
    pub dirk: TileSet,
    /// Tiles in each seat's Alhambra, the fountain not counted.
    pub alhambras: [TileSet; MAX_SEATS],
    /// Tiles in each seat's reserve.
    pub reserves: [TileSet; MAX_SEATS],
    /// Where the tiles of all Alhambras lie.
    pub cells: Cells,
    /// The sultan cards.
    pub sultan: SultanCards,
    /// Points by seat.
    pub scores: [u16; MAX_SEATS],
    /// Counted for tables.
    pub counters: [Counters; MAX_SEATS],
}

/// One decision, or one outcome of luck.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// `take denar 5`, `take denar 1 + ducat 3`: takes cards from the display.
    Take(FewCards),
    /// `buy denar 4+3`: buys the tile on a slot with those cards of its currency.
    Buy(Currency, Purse),
    /// `sultan denar garden 4+3`: buys an open sultan card of that currency and mark.
    BuySultan(Currency, Building, Purse),
    /// `add 17 at 2,-1`: lays a tile from the reserve.
    Add(Tile, Cell),
    /// `remove 17`: moves a tile from the Alhambra to the reserve.
    Remove(Tile),
    /// `exchange 12 for 17`: puts tile 17 of the reserve in the place of tile 12.
    Exchange {
        /// The tile that leaves the Alhambra.
        old: Tile,
        /// The tile of the reserve that takes its place.
        new: Tile,
    },
    /// `pass`: no action.
    Pass,
    /// `place 17 at 2,-1`: lays a bought, claimed or won tile.
    Place(Tile, Cell),
    /// `reserve 17`: puts it in the reserve.
    Reserve(Tile),
    /// `dirk 17`: gives it to Dirk.
    Dirk(Tile),
    /// `keep`: leaves the mark of a sultan card as it is.
    Keep,
    /// `flip`: turns it to the opposite face.
    Flip,
    /// `roll`: rolls the die.
    Roll,
    /// `mark garden`: marks the type rolled or its opposite.
    Mark(Building),
    /// `claim`: uses a sultan card for the tile offered.
    Claim,
    /// `decline`: does not.
    Decline,
    /// `card denar 5`: luck gives a money card.
    Card(Card),
    /// `sultan card denar`: a sultan card turns up.
    SultanCard(Currency),
    /// `scoring card`: a scoring card turns up.
    ScoringCard,
    /// `tile 17`: luck draws a tile.
    Tile(Tile),
    /// `die garden`: the die shows a type.
    Die(Building),
    /// `start 2`: the lot gives the first turn to a seat.
    Start(Seat),
}

impl Display for Action {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Take(cards) => write!(out, "take {cards}"),
            Action::Buy(slot, cards) => write!(out, "buy {slot} {cards}"),
            Action::BuySultan(currency, mark, cards) => write!(out, "sultan {currency} {mark} {cards}"),
            Action::Add(tile, cell) => write!(out, "add {tile} at {cell}"),
            Action::Remove(tile) => write!(out, "remove {tile}"),
            Action::Exchange { old, new } => write!(out, "exchange {old} for {new}"),
            Action::Pass => out.write_str("pass"),
            Action::Place(tile, cell) => write!(out, "place {tile} at {cell}"),
            Action::Reserve(tile) => write!(out, "reserve {tile}"),
            Action::Dirk(tile) => write!(out, "dirk {tile}"),
            Action::Keep => out.write_str("keep"),
            Action::Flip => out.write_str("flip"),
            Action::Roll => out.write_str("roll"),
            Action::Mark(building) => write!(out, "mark {building}"),
            Action::Claim => out.write_str("claim"),
            Action::Decline => out.write_str("decline"),
            Action::Card(card) => write!(out, "card {card}"),
            Action::SultanCard(currency) => write!(out, "sultan card {currency}"),
            Action::ScoringCard => out.write_str("scoring card"),
            Action::Tile(tile) => write!(out, "tile {tile}"),
            Action::Die(building) => write!(out, "die {building}"),
            Action::Start(seat) => write!(out, "start {seat}"),
        }
    }
}

impl FromStr for Action {
    type Err = ParseActionError;
    fn from_str(text: &str) -> Result<Action, ParseActionError> {
        parse(text.trim()).ok_or_else(|| {
            ParseActionError::new(
                text,
                "something like `take denar 5`, `take denar 1 + ducat 3`, `buy denar 4+3`, \
                 `sultan denar garden 4+3`, `add 17 at 2,-1`, `remove 17`, `exchange 12 for 17`, `pass`, \
                 `place 17 at 2,-1`, `reserve 17`, `dirk 17`, `keep`, `flip`, `roll`, `mark garden`, \
                 `claim` or `decline`",
            )
        })
    }
}

fn parse(text: &str) -> Option<Action> {
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    let rest = rest.trim();
    let tile_at = |rest: &str| {
        let (tile, cell) = rest.split_once(" at ")?;
        Some((tile.trim().parse().ok()?, cell.trim().parse().ok()?))
    };
    Some(match (word, rest) {
        ("pass", "") => Action::Pass,
        ("keep", "") => Action::Keep,
        ("flip", "") => Action::Flip,
        ("roll", "") => Action::Roll,
        ("claim", "") => Action::Claim,
        ("decline", "") => Action::Decline,
        ("scoring", "card") => Action::ScoringCard,
        ("take", _) => {
            let cards: Option<Vec<Card>> = rest.split('+').map(|card| card.trim().parse().ok()).collect();
            Action::Take(FewCards::try_from(cards?).ok()?)
        }
        ("buy", _) => {
            let (slot, cards) = rest.split_once(' ')?;
            Action::Buy(slot.parse().ok()?, cards.trim().parse().ok()?)
        }
        ("sultan", _) => {
            let (first, rest) = rest.split_once(' ')?;
            if first == "card" {
                return Some(Action::SultanCard(rest.trim().parse().ok()?));
            }
            let (mark, cards) = rest.trim().split_once(' ')?;
            Action::BuySultan(first.parse().ok()?, mark.parse().ok()?, cards.trim().parse().ok()?)
        }
        ("add", _) => {
            let (tile, cell) = tile_at(rest)?;
            Action::Add(tile, cell)
        }
        ("place", _) => {
            let (tile, cell) = tile_at(rest)?;
            Action::Place(tile, cell)
        }
        ("exchange", _) => {
            let (old, new) = rest.split_once(" for ")?;
            Action::Exchange { old: old.trim().parse().ok()?, new: new.trim().parse().ok()? }
        }
        ("remove", _) => Action::Remove(rest.parse().ok()?),
        ("reserve", _) => Action::Reserve(rest.parse().ok()?),
        ("dirk", _) => Action::Dirk(rest.parse().ok()?),
        ("mark", _) => Action::Mark(rest.parse().ok()?),
        ("card", _) => Action::Card(rest.parse().ok()?),
        ("tile", _) => Action::Tile(rest.parse().ok()?),
        ("die", _) => Action::Die(rest.parse().ok()?),
        ("start", _) => match rest.parse::<usize>() {
            Ok(number) if (1..=MAX_SEATS).contains(&number) => Action::Start(Seat::new(number - 1)),
            _ => return None,
        },
        _ => return None,
    })
}
