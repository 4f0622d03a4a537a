//! The same rules once more, as plainly as possible: lists of cards, maps of cells, a list of tasks to be
//! done, every set and every map tried out. Slow, and written apart from the engine; actions are texts.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use dhow::games::alhambra::rules::{
    ClosedRing, EndTrigger, MarkTime, OfferOrder, PaymentSets, ReplenishOrder, Rules, StartTie,
};

const MONEY: [&str; 4] = ["denar", "dirham", "ducat", "florin"];
const TYPES: [&str; 6] = ["pavilion", "seraglio", "arcades", "chambers", "garden", "tower"];
/// North, east, south, west.
const SIDES: [(i32, i32); 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];

type Card = (usize, u8);
type Cell = (i32, i32);
type Map = BTreeMap<Cell, usize>;

#[derive(Clone, Debug)]
struct Tile {
    kind: usize,
    price: u8,
    wall: [bool; 4],
}

fn table() -> Vec<Tile> {
    let lines = include_str!("../../src/games/alhambra/tiles.csv").lines().skip(1);
    lines
        .map(|line| {
            let fields: Vec<&str> = line.split(',').collect();
            Tile {
                kind: TYPES.iter().position(|name| *name == fields[1]).unwrap(),
                price: fields[2].parse().unwrap(),
                wall: [3, 4, 5, 6].map(|at| fields[at] == "1"),
            }
        })
        .collect()
}

fn opposite(kind: usize) -> usize {
    match TYPES[kind] {
        "pavilion" => 5,
        "tower" => 0,
        "arcades" => 4,
        "garden" => 2,
        "seraglio" => 3,
        _ => 1,
    }
}

/// What is to be done, one after another.
#[derive(Clone, Debug)]
enum Task {
    DirkDraws(usize),
    FirstYard,
    Deal(usize),
    PickStart,
    FirstDisplay,
    MakePiles,
    BeginTurn(usize),
    SettleMarks(bool),
    LayBought,
    FillDisplay,
    HoldScorings,
    FillYard,
    Finish,
    FinalOffer(usize),
    Distribute,
    LayWon,
    LastScoring,
}

/// What the game waits for.
#[derive(Clone, PartialEq, Debug)]
enum Wait {
    Nothing,
    DealtTo(usize),
    DisplayCard,
    DirkTile,
    YardTile,
    ClaimableTile,
    Lot,
    Main { extra: bool },
    Mark { mark: usize, rolled: bool, rolls: u8, extra: bool },
    BuyersDie { rolls: u8, extra: bool },
    RevealDie(usize),
    Lay,
    Offer { tile: usize, askable: VecDeque<usize> },
    LayClaimed { tile: usize, seat: usize },
    OfferAtEnd { slot: usize, askable: VecDeque<usize> },
    LayAtEnd { slot: usize, tile: usize, seat: usize },
    LayWon(usize),
    End,
}

#[derive(Clone, Debug)]
pub struct Twin {
    rules: Rules,
    players: usize,
    tiles: Vec<Tile>,
    tasks: VecDeque<Task>,
    wait: Wait,
    turn: usize,
    active: usize,
    start: usize,
    due: VecDeque<usize>,
    held: usize,
    ending: Option<&'static str>,
    yard: [Option<usize>; 4],
    won: [Option<usize>; 4],
    display: Vec<Card>,
    hands: Vec<Vec<Card>>,
    deck: Vec<Card>,
    discards: Vec<Card>,
    /// Money, sultan and scoring cards of each pile that is left.
    piles: VecDeque<[usize; 3]>,
    bag: BTreeSet<usize>,
    bought: BTreeSet<usize>,
    dirk: BTreeSet<usize>,
    maps: Vec<Map>,
    reserves: Vec<BTreeSet<usize>>,
    sultan_deck: Vec<usize>,
    open: Vec<(usize, usize)>,
    /// Mark and turn of purchase.
    owned: Vec<Vec<(usize, usize)>>,
    unsettled: VecDeque<usize>,
    uses: Vec<usize>,
    first_asked: usize,
    scores: Vec<usize>,
    /// Exact payments, tiles bought, sultan cards bought, used, redesigns.
    counts: Vec<[usize; 5]>,
}

impl Twin {
    pub fn new(rules: &Rules, players: usize) -> Twin {
        let copies = if players == 2 { 2 } else { 3 };
        let mut deck = Vec::new();
        for currency in 0..4 {
            for value in 1..=9 {
                deck.extend(std::iter::repeat_n((currency, value), copies));
            }
        }
        let mut tasks = VecDeque::new();
        if players == 2 {
            tasks.push_back(Task::DirkDraws(6));
        }
        tasks.push_back(Task::FirstYard);
        tasks.extend((0..players).map(Task::Deal));
        tasks.extend([Task::PickStart, Task::FirstDisplay, Task::MakePiles]);
        let mut twin = Twin {
            rules: rules.clone(),
            players,
            tiles: table(),
            tasks,
            wait: Wait::Nothing,
            turn: 0,
            active: 0,
            start: 0,
            due: VecDeque::new(),
            held: 0,
            ending: None,
            yard: [None; 4],
            won: [None; 4],
            display: Vec::new(),
            hands: vec![Vec::new(); players],
            piles: VecDeque::from([[deck.len(), 0, 0]]),
            deck,
            discards: Vec::new(),
            bag: (0..54).collect(),
            bought: BTreeSet::new(),
            dirk: BTreeSet::new(),
            maps: vec![Map::new(); players],
            reserves: vec![BTreeSet::new(); players],
            sultan_deck: Vec::new(),
            open: Vec::new(),
            owned: vec![Vec::new(); players],
            unsettled: VecDeque::new(),
            uses: vec![0; players],
            first_asked: 0,
            scores: vec![0; players],
            counts: vec![[0; 5]; players],
        };
        twin.run();
        twin
    }

    fn next(&self, seat: usize) -> usize {
        (seat + 1) % self.players
    }

    fn total(&self, seat: usize) -> u32 {
        self.hands[seat].iter().map(|card| card.1 as u32).sum()
    }

    /// Does what is to be done until luck or a player is needed.
    fn run(&mut self) {
        while self.wait == Wait::Nothing {
            let task = self.tasks.pop_front().expect("something to do until the end");
            self.work(task);
        }
    }

    fn again(&mut self, task: Task, wait: Wait) {
        self.tasks.push_front(task);
        self.wait = wait;
    }

    fn work(&mut self, task: Task) {
        match task {
            Task::DirkDraws(left) => {
                if left > 0 && !self.bag.is_empty() {
                    self.again(Task::DirkDraws(left - 1), Wait::DirkTile);
                }
            }
            Task::FirstYard => {
                if self.yard.contains(&None) {
                    self.again(Task::FirstYard, Wait::YardTile);
                }
            }
            Task::Deal(seat) => {
                if self.total(seat) < 20 {
                    self.again(Task::Deal(seat), Wait::DealtTo(seat));
                }
            }
            Task::PickStart => match self.first_candidates()[..] {
                [first, _, ..] if self.rules.start_tie == StartTie::LowestSeat => self.start = first,
                [only] => self.start = only,
                _ => self.wait = Wait::Lot,
            },
            Task::FirstDisplay => {
                self.active = self.start;
                if self.display.len() < 4 {
                    self.again(Task::FirstDisplay, Wait::DisplayCard);
                }
            }
            Task::MakePiles => {
                let money = self.deck.len();
                self.piles.clear();
                for pile in 0..5 {
                    let sultan = if self.rules.sultan { self.rules.sultan_piles[pile] as usize } else { 0 };
                    let cards = (pile + 1) * money / 5 - pile * money / 5;
                    self.piles.push_back([cards, sultan, usize::from(pile == 1 || pile == 3)]);
                }
                if self.rules.sultan {
                    for (currency, &count) in self.rules.sultan_currencies.iter().enumerate() {
                        self.sultan_deck.extend(vec![currency; count as usize]);
                    }
                }
                self.tasks.push_back(Task::BeginTurn(self.start));
            }
            Task::BeginTurn(seat) => {
                self.active = seat;
                self.turn += 1;
                self.first_asked = self.next(seat);
                self.uses = vec![0; self.players];
                self.wait = Wait::Main { extra: false };
            }
            Task::SettleMarks(extra) => {
                if let Some(mark) = self.unsettled.pop_front() {
                    let rolls = self.rules.sultan_rerolls;
                    if rolls > 0 || self.rules.sultan_flip_without_roll {
                        self.again(
                            Task::SettleMarks(extra),
                            Wait::Mark { mark, rolled: false, rolls, extra },
                        );
                    } else {
                        self.owned[self.active].push((mark, self.turn));
                        self.tasks.push_front(Task::SettleMarks(extra));
                    }
                } else if extra {
                    self.wait = Wait::Main { extra: true };
                } else {
                    self.tasks.push_back(Task::LayBought);
                    self.tasks.push_back(Task::FillDisplay);
                    if self.rules.replenish_order == ReplenishOrder::MoneyScoreTiles {
                        self.tasks.extend([Task::HoldScorings, Task::FillYard]);
                    } else {
                        self.tasks.extend([Task::FillYard, Task::HoldScorings]);
                    }
                    self.tasks.push_back(Task::Finish);
                }
            }
            Task::LayBought => {
                if !self.bought.is_empty() {
                    self.again(Task::LayBought, Wait::Lay);
                }
            }
            Task::FillDisplay => {
                if self.display.len() < 4 {
                    if self.piles.is_empty() && !self.discards.is_empty() {
                        self.deck = std::mem::take(&mut self.discards);
                        self.piles.push_back([self.deck.len(), 0, 0]);
                    }
                    if !self.piles.is_empty() {
                        self.again(Task::FillDisplay, Wait::DisplayCard);
                    }
                }
            }
            Task::HoldScorings => {
                if let Some(scoring) = self.due.pop_front() {
                    self.score(scoring);
                    self.tasks.push_front(Task::HoldScorings);
                    if self.players == 2 {
                        let count = if scoring == 1 { 6 } else { self.bag.len() / 3 };
                        self.tasks.push_front(Task::DirkDraws(count));
                    }
                }
            }
            Task::FillYard => {
                if self.yard.contains(&None) {
                    if self.bag.is_empty() {
                        self.ending = Some("tiles");
                    } else {
                        self.again(Task::FillYard, Wait::ClaimableTile);
                    }
                }
            }
            Task::Finish => {
                if self.rules.end_trigger == EndTrigger::BagEmpty && self.bag.is_empty() {
                    self.ending = Some("tiles");
                }
                if self.ending.is_none() && self.turn == self.rules.max_turns as usize {
                    self.ending = Some("cap");
                }
                if self.ending.is_none() {
                    self.tasks.push_back(Task::BeginTurn(self.next(self.active)));
                    return;
                }
                if self.rules.sultan && self.rules.sultan_final_distribution {
                    self.uses = vec![0; self.players];
                    self.first_asked = self.next(self.active);
                    self.tasks.extend((0..4).map(Task::FinalOffer));
                }
                self.tasks.extend([Task::Distribute, Task::LayWon, Task::LastScoring]);
            }
            Task::FinalOffer(slot) => {
                if let Some(tile) = self.yard[slot] {
                    let askable = self.askable(tile);
                    if !askable.is_empty() {
                        self.wait = Wait::OfferAtEnd { slot, askable };
                    }
                }
            }
            Task::Distribute => {
                for slot in 0..4 {
                    if self.yard[slot].is_none() {
                        continue;
                    }
                    let money = |seat: usize| -> u32 {
                        self.hands[seat].iter().filter(|card| card.0 == slot).map(|card| card.1 as u32).sum()
                    };
                    let strictly_most = |seat: &usize| {
                        money(*seat) > 0
                            && (0..self.players).all(|other| other == *seat || money(other) < money(*seat))
                    };
                    self.won[slot] = (0..self.players).find(strictly_most);
                }
            }
            Task::LayWon => {
                let mut seat = self.active;
                for _ in 0..self.players {
                    seat = self.next(seat);
                    if self.won.contains(&Some(seat)) {
                        self.again(Task::LayWon, Wait::LayWon(seat));
                        return;
                    }
                }
            }
            Task::LastScoring => {
                self.score(3);
                self.wait = Wait::End;
            }
        }
    }

    fn first_candidates(&self) -> Vec<usize> {
        let fewest = self.hands.iter().map(Vec::len).min().unwrap();
        let few: Vec<usize> = (0..self.players).filter(|&seat| self.hands[seat].len() == fewest).collect();
        let poorest = few.iter().map(|&seat| self.total(seat)).min().unwrap();
        few.into_iter().filter(|&seat| self.total(seat) == poorest).collect()
    }

    /// Who is asked about a tile, in order.
    fn askable(&self, tile: usize) -> VecDeque<usize> {
        let kind = self.tiles[tile].kind;
        let mut askable = VecDeque::new();
        let mut seat = self.first_asked;
        for _ in 0..self.players {
            let usable = self.owned[seat].iter().any(|&card| self.usable(card, kind));
            let limit = self.rules.sultan_max_uses_per_refill as usize;
            if usable && (limit == 0 || self.uses[seat] < limit) {
                askable.push_back(seat);
            }
            seat = self.next(seat);
        }
        askable
    }

    fn usable(&self, (mark, bought): (usize, usize), kind: usize) -> bool {
        mark == kind && (self.rules.sultan_same_turn_use || bought < self.turn)
    }

    fn use_card(&mut self, seat: usize, tile: usize) {
        let kind = self.tiles[tile].kind;
        let at = (0..self.owned[seat].len()).find(|&at| self.usable(self.owned[seat][at], kind)).unwrap();
        self.owned[seat].remove(at);
        self.uses[seat] += 1;
        self.counts[seat][3] += 1;
        if self.rules.sultan_offer_order == OfferOrder::Continue {
            self.first_asked = self.next(seat);
        }
    }

    fn score(&mut self, scoring: usize) {
        self.held = scoring;
        for kind in 0..6 {
            let of =
                |tiles: Vec<usize>| tiles.into_iter().filter(|&tile| self.tiles[tile].kind == kind).count();
            let mut counts: Vec<usize> =
                self.maps.iter().map(|map| of(map.values().copied().collect())).collect();
            if self.players == 2 {
                counts.push(of(self.dirk.iter().copied().collect()));
            }
            // Third, second, first place of the last scoring, and so on.
            let low = kind + 1;
            let mut prizes: VecDeque<usize> = match scoring {
                1 => [low].into(),
                2 => [low + 7, low].into(),
                _ => [low + 15, low + 7, low].into(),
            };
            for level in (1..=54).rev() {
                let here: Vec<usize> = (0..counts.len()).filter(|&party| counts[party] == level).collect();
                let pot: usize = here.iter().map(|_| prizes.pop_front().unwrap_or(0)).sum();
                for party in &here {
                    if *party < self.players {
                        self.scores[*party] += pot / here.len();
                    }
                }
            }
        }
        for seat in 0..self.players {
            self.scores[seat] += self.wall(seat);
        }
    }

    pub fn wall(&self, seat: usize) -> usize {
        let map = &self.maps[seat];
        let mut segments: Vec<[Cell; 2]> = Vec::new();
        for (&(x, y), &tile) in map {
            for (side, (dx, dy)) in SIDES.into_iter().enumerate() {
                let beyond = (x + dx, y + dy);
                if self.tiles[tile].wall[side] && beyond != (0, 0) && !map.contains_key(&beyond) {
                    let corners = [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)];
                    segments.push([corners[side], corners[(side + 1) % 4]]);
                }
            }
        }
        // Segments that touch get one name.
        let mut name: Vec<usize> = (0..segments.len()).collect();
        for one in 0..segments.len() {
            for two in 0..one {
                if segments[one].iter().any(|end| segments[two].contains(end)) && name[one] != name[two] {
                    let (old, new) = (name[one], name[two]);
                    name.iter_mut().filter(|name| **name == old).for_each(|name| *name = new);
                }
            }
        }
        let length = |which: usize| {
            let chain: Vec<[Cell; 2]> =
                (0..segments.len()).filter(|&at| name[at] == which).map(|at| segments[at]).collect();
            let ends: Vec<Cell> = chain.iter().flatten().copied().collect();
            let ring = ends.iter().all(|end| ends.iter().filter(|other| *other == end).count() == 2);
            let less = ring && !chain.is_empty() && self.rules.closed_ring == ClosedRing::MinusOne;
            chain.len() - usize::from(less)
        };
        (0..segments.len()).map(length).max().unwrap_or(0)
    }

    fn wall_at(&self, seat: usize, cell: Cell, side: usize) -> bool {
        self.maps[seat].get(&cell).is_some_and(|&tile| self.tiles[tile].wall[side])
    }

    fn filled(&self, seat: usize, cell: Cell) -> bool {
        cell == (0, 0) || self.maps[seat].contains_key(&cell)
    }

    /// Flood fill over empty cells, with one more cell taken as filled or as empty.
    fn hole(&self, seat: usize, changed: Cell, filled: bool) -> bool {
        let cells: Vec<Cell> = self.maps[seat].keys().copied().chain([(0, 0), changed]).collect();
        let left = cells.iter().map(|cell| cell.0).min().unwrap() - 1;
        let top = cells.iter().map(|cell| cell.1).min().unwrap() - 1;
        let width = cells.iter().map(|cell| cell.0).max().unwrap() + 2 - left;
        let height = cells.iter().map(|cell| cell.1).max().unwrap() + 2 - top;
        let mut grid = vec![false; (width * height) as usize];
        let at = |(x, y): Cell| ((y - top) * width + x - left) as usize;
        cells.iter().for_each(|&cell| grid[at(cell)] = true);
        grid[at(changed)] = filled;
        let mut next = vec![(left, top)];
        grid[0] = true;
        while let Some((x, y)) = next.pop() {
            for dy in -1..=1 {
                for dx in -1..=1 {
                    let near = dx * dy == 0 || self.rules.hole_connectivity == 8;
                    let cell = (x + dx, y + dy);
                    let inside =
                        (left..left + width).contains(&cell.0) && (top..top + height).contains(&cell.1);
                    if near && inside && !grid[at(cell)] {
                        grid[at(cell)] = true;
                        next.push(cell);
                    }
                }
            }
        }
        grid.contains(&false)
    }

    /// Everything that borders on the map, with whether it can be filled.
    fn border(&self, seat: usize) -> Vec<Cell> {
        let mut border = BTreeSet::new();
        for (x, y) in self.maps[seat].keys().copied().chain([(0, 0)]) {
            border.extend(SIDES.map(|(dx, dy)| (x + dx, y + dy)));
        }
        border.into_iter().filter(|&cell| !self.filled(seat, cell) && !self.hole(seat, cell, true)).collect()
    }

    fn matches(&self, seat: usize, (x, y): Cell, tile: usize) -> bool {
        (0..4).all(|side| {
            let other = (x + SIDES[side].0, y + SIDES[side].1);
            !self.filled(seat, other)
                || self.tiles[tile].wall[side] == self.wall_at(seat, other, (side + 2) % 4)
        })
    }

    fn fits(&self, seat: usize, (x, y): Cell, tile: usize) -> bool {
        let path = (0..4).any(|side| {
            let other = (x + SIDES[side].0, y + SIDES[side].1);
            self.filled(seat, other) && !self.tiles[tile].wall[side]
        });
        path && self.matches(seat, (x, y), tile)
    }

    fn all_reached_without(&self, seat: usize, gone: Cell) -> bool {
        let mut seen = BTreeSet::from([(0, 0)]);
        let mut next = vec![(0, 0)];
        while let Some((x, y)) = next.pop() {
            for (side, (dx, dy)) in SIDES.into_iter().enumerate() {
                let other = (x + dx, y + dy);
                let open = !self.wall_at(seat, (x, y), side);
                if other != gone && open && self.filled(seat, other) && seen.insert(other) {
                    next.push(other);
                }
            }
        }
        seen.len() == self.maps[seat].len()
    }

    /// Every set of values of one currency, as texts with their sums and smallest cards.
    fn payments(&self, currency: usize, price: u8) -> Vec<(String, u32)> {
        let mut sets: Vec<Vec<u8>> = vec![Vec::new()];
        for value in (1..=9).rev() {
            let copies = self.hands[self.active].iter().filter(|card| **card == (currency, value)).count();
            sets = sets
                .into_iter()
                .flat_map(|set| (0..=copies).map(move |count| [set.clone(), vec![value; count]].concat()))
                .collect();
        }
        let sum = |set: &[u8]| set.iter().map(|&value| value as u32).sum::<u32>();
        sets.retain(|set| sum(set) >= price as u32);
        if self.rules.payment_sets == PaymentSets::Minimal {
            sets.retain(|set| set.iter().all(|&value| sum(set) - (value as u32) < price as u32));
        }
        let text = |set: &[u8]| set.iter().map(u8::to_string).collect::<Vec<_>>().join("+");
        sets.iter().map(|set| (text(set), sum(set))).collect()
    }

    fn main_actions(&self, extra: bool) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        let seat = self.active;
        for set in 1..1 << self.display.len() {
            let mut cards: Vec<Card> =
                (0..self.display.len()).filter(|at| set >> at & 1 == 1).map(|at| self.display[at]).collect();
            if cards.len() == 1 || cards.iter().map(|card| card.1).sum::<u8>() <= 5 {
                cards.sort();
                let texts = cards.iter().map(|card| format!("{} {}", MONEY[card.0], card.1));
                found.insert(format!("take {}", texts.collect::<Vec<_>>().join(" + ")));
            }
        }
        for (slot, name) in MONEY.iter().enumerate() {
            if let Some(tile) = self.yard[slot] {
                for (set, _) in self.payments(slot, self.tiles[tile].price) {
                    found.insert(format!("buy {name} {set}"));
                }
            }
        }
        for &(currency, mark) in &self.open {
            for (set, _) in self.payments(currency, self.rules.sultan_price) {
                found.insert(format!("sultan {} {} {set}", MONEY[currency], TYPES[mark]));
            }
        }
        if !self.reserves[seat].is_empty() {
            for cell in self.border(seat) {
                for &tile in &self.reserves[seat] {
                    if self.fits(seat, cell, tile) {
                        found.insert(format!("add {tile} at {},{}", cell.0, cell.1));
                    }
                }
            }
        }
        for (&cell, &old) in &self.maps[seat] {
            if self.all_reached_without(seat, cell) && !self.hole(seat, cell, false) {
                found.insert(format!("remove {old}"));
            }
            for &new in &self.reserves[seat] {
                if self.matches(seat, cell, new) {
                    found.insert(format!("exchange {old} for {new}"));
                }
            }
        }
        if found.is_empty() || (extra && self.rules.allow_decline_extra_action) {
            found.insert("pass".into());
        }
        found
    }

    fn destinations(&self, seat: usize, tile: usize, dirk: bool, found: &mut BTreeSet<String>) {
        for cell in self.border(seat) {
            if self.fits(seat, cell, tile) {
                found.insert(format!("place {tile} at {},{}", cell.0, cell.1));
            }
        }
        found.insert(format!("reserve {tile}"));
        if dirk && self.players == 2 {
            found.insert(format!("dirk {tile}"));
        }
    }

    /// What the player to decide may do.
    pub fn actions(&self) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        match &self.wait {
            Wait::Main { extra } => found = self.main_actions(*extra),
            Wait::Mark { mark, rolled, rolls, .. } => {
                if *rolled {
                    found.insert(format!("mark {}", TYPES[*mark]));
                    found.insert(format!("mark {}", TYPES[opposite(*mark)]));
                } else {
                    found.insert("keep".into());
                    if self.rules.sultan_flip_without_roll {
                        found.insert("flip".into());
                    }
                }
                if *rolls > 0 {
                    found.insert("roll".into());
                }
            }
            Wait::Lay => {
                self.bought.iter().for_each(|&tile| self.destinations(self.active, tile, true, &mut found))
            }
            Wait::Offer { .. } | Wait::OfferAtEnd { .. } => {
                found.extend(["claim".to_owned(), "decline".to_owned()]);
            }
            Wait::LayClaimed { tile, seat } | Wait::LayAtEnd { tile, seat, .. } => {
                self.destinations(*seat, *tile, true, &mut found);
            }
            Wait::LayWon(seat) => {
                for slot in 0..4 {
                    if self.won[slot] == Some(*seat) {
                        let dirk = self.rules.dirk_gets_final_tiles;
                        self.destinations(*seat, self.yard[slot].unwrap(), dirk, &mut found);
                    }
                }
            }
            _ => {}
        }
        found
    }

    /// The odds of luck.
    pub fn chance(&self) -> BTreeMap<String, f64> {
        let mut odds: BTreeMap<String, f64> = BTreeMap::new();
        let mut add = |text: String, share: f64| *odds.entry(text).or_default() += share;
        match self.wait {
            Wait::DealtTo(_) | Wait::DisplayCard => {
                let [money, sultan, scoring] = self.piles[0];
                let all = (money + sultan + scoring) as f64;
                if scoring > 0 {
                    add("scoring card".into(), scoring as f64 / all);
                }
                if sultan > 0 {
                    for &currency in &self.sultan_deck {
                        let share = sultan as f64 / all / self.sultan_deck.len() as f64;
                        add(format!("sultan card {}", MONEY[currency]), share);
                    }
                }
                if money > 0 {
                    for card in &self.deck {
                        let share = money as f64 / all / self.deck.len() as f64;
                        add(format!("card {} {}", MONEY[card.0], card.1), share);
                    }
                }
            }
            Wait::DirkTile | Wait::YardTile | Wait::ClaimableTile => {
                self.bag.iter().for_each(|tile| add(format!("tile {tile}"), 1.0 / self.bag.len() as f64));
            }
            Wait::BuyersDie { .. } | Wait::RevealDie(_) => {
                TYPES.iter().for_each(|name| add(format!("die {name}"), 1.0 / 6.0));
            }
            Wait::Lot => {
                let tied = self.first_candidates();
                tied.iter().for_each(|seat| add(format!("start {}", seat + 1), 1.0 / tied.len() as f64));
            }
            _ => {}
        }
        odds
    }

    /// Whose turn it is, in words.
    pub fn to_move(&self) -> String {
        match &self.wait {
            Wait::End => "over".into(),
            Wait::DealtTo(_) | Wait::DisplayCard => "money deck".into(),
            Wait::DirkTile | Wait::YardTile | Wait::ClaimableTile => "tile bag".into(),
            Wait::BuyersDie { .. } | Wait::RevealDie(_) => "sultan die".into(),
            Wait::Lot => "start player".into(),
            Wait::Main { .. } | Wait::Mark { .. } | Wait::Lay => format!("seat {}", self.active),
            Wait::Offer { askable, .. } | Wait::OfferAtEnd { askable, .. } => format!("seat {}", askable[0]),
            Wait::LayClaimed { seat, .. } | Wait::LayAtEnd { seat, .. } | Wait::LayWon(seat) => {
                format!("seat {seat}")
            }
            Wait::Nothing => unreachable!(),
        }
    }

    fn pay(&mut self, currency: usize, set: &str, price: u8) -> bool {
        let mut sum = 0;
        for value in set.split('+') {
            let value: u8 = value.parse().unwrap();
            sum += value as u32;
            let at = self.hands[self.active].iter().position(|card| *card == (currency, value)).unwrap();
            let card = self.hands[self.active].remove(at);
            self.discards.push(card);
        }
        let exact = sum == price as u32;
        self.counts[self.active][0] += usize::from(exact);
        exact && self.rules.extra_action
    }

    fn put(&mut self, seat: usize, words: &[&str]) -> usize {
        let tile: usize = words[1].parse().unwrap();
        match words[0] {
            "place" => {
                self.maps[seat].insert(cell(words[3]), tile);
            }
            "reserve" => {
                self.reserves[seat].insert(tile);
            }
            "dirk" => {
                self.dirk.insert(tile);
            }
            other => panic!("{other}"),
        }
        tile
    }

    fn main_action(&mut self, text: &str, words: &[&str]) {
        let seat = self.active;
        let money = |name: &str| MONEY.iter().position(|other| *other == name).unwrap();
        let mut extra = false;
        match words[0] {
            "take" => {
                for card in text["take ".len()..].split(" + ") {
                    let (currency, value) = card.split_once(' ').unwrap();
                    let card = (money(currency), value.parse().unwrap());
                    let at = self.display.iter().position(|other| *other == card).unwrap();
                    self.display.remove(at);
                    self.hands[seat].push(card);
                }
            }
            "buy" => {
                let slot = money(words[1]);
                let tile = self.yard[slot].take().unwrap();
                extra = self.pay(slot, words[2], self.tiles[tile].price);
                self.bought.insert(tile);
                self.counts[seat][1] += 1;
            }
            "sultan" => {
                let (currency, mark) = (money(words[1]), kind(words[2]));
                let at = self.open.iter().position(|card| *card == (currency, mark)).unwrap();
                self.open.remove(at);
                extra = self.pay(currency, words[3], self.rules.sultan_price);
                self.unsettled.push_back(mark);
                self.counts[seat][2] += 1;
                if extra && self.rules.sultan_mark_time == MarkTime::EndOfTurn {
                    self.wait = Wait::Main { extra: true };
                    return;
                }
                self.tasks.push_front(Task::SettleMarks(extra));
                return;
            }
            "add" => {
                let tile = words[1].parse().unwrap();
                self.reserves[seat].remove(&tile);
                self.maps[seat].insert(cell(words[3]), tile);
                self.counts[seat][4] += 1;
            }
            "remove" => {
                let tile = words[1].parse().unwrap();
                self.maps[seat].retain(|_, other| *other != tile);
                self.reserves[seat].insert(tile);
                self.counts[seat][4] += 1;
            }
            "exchange" => {
                let (old, new) = (words[1].parse().unwrap(), words[3].parse().unwrap());
                let at = *self.maps[seat].iter().find(|(_, tile)| **tile == old).unwrap().0;
                self.maps[seat].insert(at, new);
                self.reserves[seat].remove(&new);
                self.reserves[seat].insert(old);
                self.counts[seat][4] += 1;
            }
            "pass" => {}
            other => panic!("{other}"),
        }
        if extra {
            self.wait = Wait::Main { extra: true };
        } else {
            self.tasks.push_front(Task::SettleMarks(false));
        }
    }

    /// Plays an action or an outcome of luck.
    pub fn apply(&mut self, text: &str) {
        let words: Vec<&str> = text.split(' ').collect();
        let wait = std::mem::replace(&mut self.wait, Wait::Nothing);
        match wait {
            Wait::DealtTo(_) | Wait::DisplayCard => match words[0] {
                "card" => {
                    let currency = MONEY.iter().position(|name| *name == words[1]).unwrap();
                    let card = (currency, words[2].parse().unwrap());
                    let at = self.deck.iter().position(|other| *other == card).unwrap();
                    self.deck.remove(at);
                    self.off_pile(0);
                    match wait {
                        Wait::DealtTo(seat) => self.hands[seat].push(card),
                        _ => self.display.push(card),
                    }
                }
                "sultan" => {
                    let currency = MONEY.iter().position(|name| *name == words[2]).unwrap();
                    let at = self.sultan_deck.iter().position(|other| *other == currency).unwrap();
                    self.sultan_deck.remove(at);
                    self.off_pile(1);
                    self.wait = Wait::RevealDie(currency);
                }
                _ => {
                    self.off_pile(2);
                    self.due.push_back(self.held + self.due.len() + 1);
                }
            },
            Wait::DirkTile | Wait::YardTile | Wait::ClaimableTile => {
                let tile = words[1].parse().unwrap();
                self.bag.remove(&tile);
                match wait {
                    Wait::DirkTile => {
                        self.dirk.insert(tile);
                    }
                    Wait::ClaimableTile if !self.askable(tile).is_empty() => {
                        self.wait = Wait::Offer { tile, askable: self.askable(tile) };
                    }
                    _ => self.lay_on_yard(tile),
                }
            }
            Wait::Lot => self.start = words[1].parse::<usize>().unwrap() - 1,
            Wait::RevealDie(currency) => self.open.push((currency, kind(words[1]))),
            Wait::BuyersDie { rolls, extra } => {
                self.wait = Wait::Mark { mark: kind(words[1]), rolled: true, rolls, extra };
            }
            Wait::Main { .. } => self.main_action(text, &words),
            Wait::Mark { mark, rolls, extra, .. } => {
                let settled = match words[0] {
                    "keep" => mark,
                    "flip" => opposite(mark),
                    "mark" => kind(words[1]),
                    _ => {
                        self.wait = Wait::BuyersDie { rolls: rolls - 1, extra };
                        return;
                    }
                };
                self.owned[self.active].push((settled, self.turn));
            }
            Wait::Lay => {
                let tile = self.put(self.active, &words);
                self.bought.remove(&tile);
            }
            Wait::Offer { tile, mut askable } => {
                let seat = askable.pop_front().unwrap();
                if words[0] == "claim" {
                    self.use_card(seat, tile);
                    self.wait = Wait::LayClaimed { tile, seat };
                } else if askable.is_empty() {
                    self.lay_on_yard(tile);
                } else {
                    self.wait = Wait::Offer { tile, askable };
                }
            }
            Wait::OfferAtEnd { slot, mut askable } => {
                let seat = askable.pop_front().unwrap();
                if words[0] == "claim" {
                    let tile = self.yard[slot].take().unwrap();
                    self.use_card(seat, tile);
                    self.wait = Wait::LayAtEnd { slot, tile, seat };
                } else if !askable.is_empty() {
                    self.wait = Wait::OfferAtEnd { slot, askable };
                }
            }
            Wait::LayClaimed { seat, .. } | Wait::LayAtEnd { seat, .. } => {
                self.put(seat, &words);
            }
            Wait::LayWon(seat) => {
                let tile = self.put(seat, &words);
                let slot = self.yard.iter().position(|other| *other == Some(tile)).unwrap();
                self.yard[slot] = None;
                self.won[slot] = None;
            }
            Wait::End | Wait::Nothing => panic!("nothing can happen"),
        }
        self.run();
    }

    fn lay_on_yard(&mut self, tile: usize) {
        let slot = self.yard.iter().position(Option::is_none).unwrap();
        self.yard[slot] = Some(tile);
    }

    fn off_pile(&mut self, kind: usize) {
        self.piles[0][kind] -= 1;
        while self.piles.front().is_some_and(|pile| *pile == [0; 3]) {
            self.piles.pop_front();
        }
    }

    /// Ending, scores and ranks.
    pub fn outcome(&self) -> Option<(String, Vec<usize>, Vec<usize>)> {
        if self.wait != Wait::End {
            return None;
        }
        let ranks = self.scores.iter().map(|own| 1 + self.scores.iter().filter(|other| *other > own).count());
        Some((self.ending.unwrap().into(), self.scores.clone(), ranks.collect()))
    }

    /// Everything that can be seen, in words.
    pub fn seen(&self) -> Vec<String> {
        let cards = |cards: &[Card]| {
            let mut cards = cards.to_vec();
            cards.sort();
            format!("{cards:?}")
        };
        let mut open = self.open.clone();
        open.sort();
        let mut all = vec![
            format!("turn {} of {}, started by {}", self.turn, self.active, self.start),
            format!("yard {:?} won {:?} bag {:?}", self.yard, self.won, self.bag),
            format!("bought {:?} dirk {:?}", self.bought, self.dirk),
            format!(
                "display {} deck {} discards {}",
                cards(&self.display),
                cards(&self.deck),
                cards(&self.discards)
            ),
            format!("piles {:?} scorings {}", self.piles, self.held),
            format!("sultan deck {:?} open {open:?} unsettled {:?}", self.sultan_deck, self.unsettled),
            format!("uses {:?} ending {:?}", self.uses, self.ending),
        ];
        for seat in 0..self.players {
            let mut placed: Vec<_> = self.maps[seat].iter().map(|(&(x, y), &tile)| (tile, x, y)).collect();
            placed.sort();
            let mut owned: Vec<usize> = self.owned[seat].iter().map(|card| card.0).collect();
            owned.sort();
            all.push(format!(
                "seat {seat}: {} points, hand {}, map {placed:?}, reserve {:?}, cards {owned:?}, counts {:?}",
                self.scores[seat],
                cards(&self.hands[seat]),
                self.reserves[seat],
                self.counts[seat],
            ));
        }
        all
    }
}

fn cell(text: &str) -> Cell {
    let (x, y) = text.split_once(',').unwrap();
    (x.parse().unwrap(), y.parse().unwrap())
}

fn kind(name: &str) -> usize {
    TYPES.iter().position(|other| *other == name).unwrap()
}
