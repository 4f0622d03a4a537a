//! What happens next, what is legal, and what an action does.

use super::SultansOfWind;
use super::board::{Cell, Cells, SQUARES, Square, turned_place};
use super::channel::{ARRANGEMENTS, Tiles, arrangement, order_of_play, pair, slide};
use super::clouds::CLOUDS;
use super::ending::clockwise_from;
use super::rules::{Arrangement, FavorTie, PassAllowed, SetupOrientation, WinCheck};
use super::state::{Action, MAX_PLAYERS, Phase, State, sort_cells};
use crate::game::{Game, Luck, Outcome, Seat, SeatSet, Source, Turn};
use crate::streams::{Stream, below};

/// Sources of luck, each by itself, so that deals stay aligned between settings that use different ones.
const LUCK: [Luck; 4] = [
    Luck::shared("cloud tiles"),
    Luck::shared("cloud orientations"),
    Luck::shared("arrangements"),
    Luck::shared("favor tie"),
];
const CLOUD_LUCK: Source = Source::shared(0);
const FACING_LUCK: Source = Source::shared(1);
const ARRANGEMENT_LUCK: Source = Source::shared(2);
const FAVOR_LUCK: Source = Source::shared(3);

/// The four middle cells, where the djinn may begin.
pub const MIDDLE: [Cell; 4] = [Cell::at(5, 5), Cell::at(5, 6), Cell::at(6, 5), Cell::at(6, 6)];

/// How many steps a carpet may go with tile 1, 5 or 7.
const fn steps(tile: u8) -> usize {
    match tile {
        1 => 3,
        5 => 6,
        _ => 12,
    }
}

/// How many steps the djinn may go with tile 8.
const DJINN_STEPS: usize = 4;

/// Every effect that a tile can have, as sets of bits.
#[derive(Clone, Copy)]
enum Options {
    /// For each carpet, where it may go.
    Carpets([Cells; 3]),
    /// One of the swaps.
    Swaps,
    /// For each square, bit k - 1: a turn by k quarters.
    Turns([u8; SQUARES]),
    /// Where the djinn may go.
    Djinn(Cells),
}

impl Options {
    fn count(&self, swaps: usize) -> usize {
        match self {
            Options::Carpets(reach) => reach.iter().map(|cells| cells.len()).sum(),
            Options::Swaps => swaps,
            Options::Turns(turns) => turns.iter().map(|turns| turns.count_ones() as usize).sum(),
            Options::Djinn(cells) => cells.len(),
        }
    }
}

impl SultansOfWind {
    /// What the tile being resolved can do, and whether it may be passed.
    #[inline]
    fn options(&self, state: &State) -> (Options, bool) {
        let seat = state.active();
        let tile = state.resolving;
        let options = match tile {
            2 => Options::Swaps,
            4 => Options::Turns(self.turns(state)),
            6 => Options::Djinn(self.calls(state)),
            8 => Options::Djinn(match state.djinn {
                Some(djinn) => Cells::reach(djinn, self.open(state), DJINN_STEPS),
                None => Cells::EMPTY,
            }),
            _ => {
                let open = self.open(state);
                let mut reach = [Cells::EMPTY; 3];
                for (cells, &carpet) in reach.iter_mut().zip(state.carpets_of(seat)) {
                    *cells = match tile {
                        3 => Cells::within_two(carpet) & open,
                        _ => Cells::reach(carpet, open, steps(tile)),
                    };
                }
                Options::Carpets(reach)
            }
        };
        let pass = match self.rules.pass_allowed {
            PassAllowed::AllBut6 => tile != 6,
            PassAllowed::All => true,
            PassAllowed::NeverIfPossible => options.count(self.swaps.len()) == 0,
        };
        (options, pass)
    }

    /// The cells that a pawn may enter.
    #[inline]
    fn open(&self, state: &State) -> Cells {
        self.maze.free(&state.squares).minus(state.occupied())
    }

    /// Where tile 6 may put the djinn.
    fn calls(&self, state: &State) -> Cells {
        let mut barred = 0u16;
        for seat in Seat::all(self.seats) {
            for carpet in state.carpets_of(seat) {
                barred |= 1 << carpet.square();
            }
        }
        if !self.rules.call_djinn_on_palace {
            barred |= self.palaces;
        }
        if let Some(djinn) = state.djinn.filter(|_| !self.rules.call_djinn_same_tile) {
            barred |= 1 << djinn.square();
        }
        let mut cells = self.open(state);
        for square in (0..SQUARES).filter(|square| barred >> square & 1 == 1) {
            cells = cells.minus(Cells::of_square(square));
        }
        cells
    }

    /// For each square, which turns change the position, each result once (bit k - 1: k quarters).
    fn turns(&self, state: &State) -> [u8; SQUARES] {
        let mut turns = [0; SQUARES];
        for (square, turns) in turns.iter_mut().enumerate() {
            let Some((tile, _)) = state.squares[square].tile() else { continue };
            *turns = match self.clouds.tiles()[tile as usize].orientations {
                4 => 0b111,
                orientations => self.turns_of_symmetric(state, square, orientations as usize),
            };
        }
        turns
    }

    /// The turns of a tile that looks the same after `orientations` quarters: those that give a position
    /// (pattern and pawns) that neither the start nor a smaller turn gives.
    fn turns_of_symmetric(&self, state: &State, square: usize, orientations: usize) -> u8 {
        let position = |quarters: usize| {
            let places = |cells: &[Cell]| {
                let here = cells.iter().filter(|cell| cell.square() == square);
                here.fold(0u16, |places, cell| places | 1 << turned_place(cell.place(), quarters))
            };
            let carpets = [0, 1, 2, 3].map(|seat| places(state.carpets_of(Seat::new(seat))));
            (quarters % orientations, carpets, places(state.djinn.as_slice()))
        };
        let is_new = |&quarters: &usize| (0..quarters).all(|less| position(less) != position(quarters));
        (1..4).filter(is_new).fold(0, |turns, quarters| turns | 1 << (quarters - 1))
    }

    /// Plays the effect of the tile being resolved; gives whether the djinn grants a wish.
    #[inline]
    pub(super) fn effect(&self, state: &mut State, action: Action) -> bool {
        let seat = state.active();
        let tile = state.resolving;
        match action {
            Action::Move { from, to } => {
                move_carpet(&mut state.carpets[seat.index()], from, to);
                let met = state.djinn.is_some_and(|djinn| djinn.square() == to.square());
                met && from.square() != to.square() && self.grants(to)
            }
            Action::Djinn(to) => {
                let from = state.djinn.replace(to);
                state.favor = Some(seat);
                state.counts[seat.index()].djinn_moves += 1;
                let elsewhere = from.is_some_and(|from| from.square() != to.square());
                tile == 8
                    && elsewhere
                    && self.grants(to)
                    && state.carpets_of(seat).iter().any(|carpet| carpet.square() == to.square())
            }
            Action::Swap(first, second) => {
                let (first, second) = (first as usize, second as usize);
                state.squares.swap(first, second);
                self.carry(state, |cell| match cell.square() {
                    square if square == first => Cell::in_square(second, cell.place()),
                    square if square == second => Cell::in_square(first, cell.place()),
                    _ => cell,
                });
                false
            }
            Action::Turn { square, quarters } => {
                let (square, quarters) = (square as usize, quarters as usize);
                if let Some((tile, before)) = state.squares[square].tile() {
                    let orientations = self.clouds.tiles()[tile as usize].orientations as usize;
                    let after = (before as usize + quarters) % orientations;
                    state.squares[square] = Square::cloud(tile, after as u8);
                }
                self.carry(state, |cell| match cell.square() == square {
                    true => Cell::in_square(square, turned_place(cell.place(), quarters)),
                    false => cell,
                });
                false
            }
            _ => {
                state.counts[seat.index()].passes += 1;
                if tile == 8 && self.rules.favor_on_null_8 {
                    state.favor = Some(seat);
                }
                false
            }
        }
    }

    /// Whether a meeting with the djinn on the square of `cell` can grant a wish.
    #[inline]
    fn grants(&self, cell: Cell) -> bool {
        self.rules.palace_is_tile_for_wish || !self.is_palace(cell.square())
    }

    /// Takes all pawns along with what they stand on.
    fn carry(&self, state: &mut State, to: impl Fn(Cell) -> Cell) {
        for carpets in &mut state.carpets[..self.seats] {
            let before = *carpets;
            for cell in carpets.iter_mut().filter(|cell| cell.on_board()) {
                *cell = to(*cell);
            }
            if before != *carpets {
                sort_cells(carpets);
            }
        }
        state.djinn = state.djinn.map(to);
    }

    /// Resolves the tile: effect, channel, race, wish (Action Phase; End of Game).
    fn resolve(&self, state: &mut State, action: Action) {
        let seat = state.active();
        let wish = self.effect(state, action);
        slide(&mut state.visible[seat.index()], state.resolving);
        state.resolving = 0;
        if let Some(winner) = self.arrived(state, seat) {
            state.winner = Some(winner);
            state.phase = Phase::Over;
        } else if wish && state.free_actions < self.chain {
            let counts = &mut state.counts[seat.index()];
            counts.wishes += 1;
            counts.chained += u16::from(state.free_actions > 0);
            state.phase = Phase::Wish;
        } else {
            self.next_tile(state);
        }
    }

    /// Whose race is over after a tile of `active`.
    #[inline]
    fn arrived(&self, state: &State, active: Seat) -> Option<Seat> {
        let watched = match self.rules.win_check {
            WinCheck::AnyPlayer => self.seats,
            WinCheck::ActiveOnly => 1,
        };
        clockwise_from(active, self.seats).take(watched).find(|&seat| {
            let targets = &self.targets[seat.index()];
            targets.won(state.carpets_of(seat), || state.blocked(seat, targets.slots()))
        })
    }

    /// The second tile of the hand, the next player, or the next round.
    #[inline]
    fn next_tile(&self, state: &mut State) {
        let hand = &mut state.hand[state.active().index()];
        state.free_actions = 0;
        if !hand.is_empty() {
            state.resolving = hand.nth(0);
            *hand = Tiles::NONE;
            state.phase = Phase::Action;
        } else if usize::from(state.position) + 1 < self.seats {
            state.position += 1;
            state.phase = Phase::First;
        } else if state.round == self.rules.round_cap {
            state.phase = Phase::Over;
        } else {
            state.round += 1;
            state.position = 0;
            state.phase = Phase::Choice;
        }
    }

    /// The first square without a tile.
    fn empty_square(&self, state: &State) -> Option<usize> {
        state.squares.iter().position(|&square| square == Square::EMPTY)
    }

    /// The cloud tiles that have not been laid, as bits.
    fn cloud_stock(&self, state: &State) -> u16 {
        let laid = state.squares.iter().filter_map(|square| square.tile());
        laid.fold((1 << CLOUDS) - 1, |stock, (tile, _)| stock & !(1 << tile))
    }

    /// The cloud tile that was laid last: its square, its number, how many orientations it has.
    fn laid_last(&self, state: &State) -> Option<(usize, u8, u8)> {
        let end = self.empty_square(state).unwrap_or(SQUARES);
        let tile = |square: usize| state.squares[square].tile().map(|(tile, _)| (square, tile));
        let (square, tile) = (0..end).rev().find_map(tile)?;
        Some((square, tile, self.clouds.tiles()[tile as usize].orientations))
    }

    /// After a cloud tile lies as it should.
    fn next_cloud(&self, state: &mut State) {
        if self.empty_square(state).is_some() {
            state.phase = Phase::Cloud;
            return;
        }
        state.phase = Phase::Arrangement;
        if self.rules.arrangement == Arrangement::Fixed {
            for (visible, &fixed) in state.visible.iter_mut().zip(&self.fixed) {
                *visible = fixed;
            }
            self.give_first_favor(state);
        }
    }

    /// The first seat whose channel is not filled.
    fn unarranged(&self, state: &State) -> Option<Seat> {
        Seat::all(self.seats).find(|seat| state.visible[seat.index()][0] == 0)
    }

    /// The seats with the highest visible total.
    fn highest(&self, state: &State) -> SeatSet {
        let total = |seat: Seat| state.visible[seat.index()].iter().map(|&tile| u32::from(tile)).sum::<u32>();
        let highest = Seat::all(self.seats).map(total).max();
        Seat::all(self.seats).filter(|&seat| Some(total(seat)) == highest).collect()
    }

    /// When all channels are filled: the Favor to the highest visible total, or luck among equals.
    fn give_first_favor(&self, state: &mut State) {
        let highest = self.highest(state);
        match highest.iter().next() {
            Some(seat) if highest.len() == 1 || self.rules.favor_tie == FavorTie::LowestSeat => {
                self.take_first_favor(state, seat);
            }
            _ => state.phase = Phase::FavorTie,
        }
    }

    fn take_first_favor(&self, state: &mut State, seat: Seat) {
        state.favor = Some(seat);
        state.first_favor = Some(seat);
        state.phase = Phase::Djinn;
    }
}

/// Moves one of three carpets and puts them in order again.
#[inline]
fn move_carpet(carpets: &mut [Cell; 3], from: Cell, to: Cell) {
    for cell in carpets.iter_mut() {
        if *cell == from {
            *cell = to;
        }
    }
    sort_cells(carpets);
}

/// The `index`-th set bit.
fn nth_bit(mut bits: u16, index: usize) -> u8 {
    for _ in 0..index {
        bits &= bits - 1;
    }
    bits.trailing_zeros() as u8
}

impl Game for SultansOfWind {
    type State = State;
    type Action = Action;

    fn seats(&self) -> usize {
        self.seats
    }

    fn luck(&self) -> &'static [Luck] {
        &LUCK
    }

    fn action_kinds(&self) -> &'static [&'static str] {
        &["show", "choose", "first", "move", "swap", "turn", "djinn", "pass", "wish", "no"]
    }

    fn endings(&self) -> &'static [&'static str] {
        &["race", "cap"]
    }

    fn step_limit(&self) -> u32 {
        // A round: the choice, the first tile, two tiles, and after each a chain of wish and free action
        // that may end in one more wish (declined).
        let a_tile = 2 + 2 * u32::from(self.chain);
        let a_round = 2 + 2 * a_tile;
        self.seats as u32 * (1 + u32::from(self.rules.round_cap) * a_round) + 1
    }

    fn initial(&self) -> State {
        State {
            squares: self.bare,
            carpets: self.starts,
            djinn: None,
            favor: None,
            first_favor: None,
            visible: [[0; 4]; MAX_PLAYERS],
            hand: [Tiles::NONE; MAX_PLAYERS],
            resolving: 0,
            order: [Seat::new(0); MAX_PLAYERS],
            position: 0,
            free_actions: 0,
            round: 1,
            phase: Phase::Cloud,
            winner: None,
            counts: Default::default(),
        }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        let all = SeatSet::all(self.seats);
        match state.phase {
            Phase::Cloud => Turn::Chance(CLOUD_LUCK),
            Phase::Facing => Turn::Chance(FACING_LUCK),
            Phase::Arrangement => match (self.rules.arrangement, self.unarranged(state)) {
                (Arrangement::Random, _) => Turn::Chance(ARRANGEMENT_LUCK),
                (Arrangement::SequentialFromSeat0, Some(seat)) => Turn::Decision(seat),
                _ => Turn::Simultaneous(all),
            },
            Phase::FavorTie => Turn::Chance(FAVOR_LUCK),
            Phase::Djinn => Turn::Decision(state.favor.unwrap_or(Seat::new(0))),
            Phase::Choice => Turn::Simultaneous(all),
            Phase::First | Phase::Action | Phase::Wish => Turn::Decision(state.active()),
            Phase::Over => Turn::Over,
        }
    }

    fn actions(&self, state: &State, seat: Seat, out: &mut Vec<Action>) {
        out.clear();
        match state.phase {
            Phase::Arrangement => out.extend((0..ARRANGEMENTS).map(|index| Action::Show(arrangement(index)))),
            Phase::Djinn => out.extend(MIDDLE.map(Action::Djinn)),
            Phase::Choice => {
                let hidden = state.hidden(seat);
                out.extend((0..6).map(|index| {
                    let (first, second) = pair(hidden, index);
                    Action::Choose(first, second)
                }));
            }
            Phase::First => out.extend(state.hand[seat.index()].iter().map(Action::First)),
            Phase::Wish => {
                out.extend(state.hidden(seat).iter().map(Action::Wish));
                out.push(Action::NoWish);
            }
            Phase::Action => {
                let (options, pass) = self.options(state);
                match options {
                    Options::Carpets(reach) => {
                        for (&from, cells) in state.carpets_of(seat).iter().zip(reach) {
                            out.extend(cells.iter().map(|to| Action::Move { from, to }));
                        }
                    }
                    Options::Swaps => {
                        out.extend(self.swaps.iter().map(|&(first, second)| Action::Swap(first, second)));
                    }
                    Options::Turns(turns) => {
                        for (square, turns) in (0..).zip(turns) {
                            let allowed = (1..4).filter(|quarters| turns >> (quarters - 1) & 1 == 1);
                            out.extend(allowed.map(|quarters| Action::Turn { square, quarters }));
                        }
                    }
                    Options::Djinn(cells) => out.extend(cells.iter().map(Action::Djinn)),
                }
                if pass {
                    out.push(Action::Pass);
                }
            }
            Phase::Cloud | Phase::Facing | Phase::FavorTie | Phase::Over => {}
        }
    }

    /// The same action as an index into [`Game::actions`] would give, without the list.
    fn random_action(
        &self,
        state: &State,
        seat: Seat,
        stream: &mut Stream,
        _buffer: &mut Vec<Action>,
    ) -> Action {
        match state.phase {
            Phase::Arrangement => Action::Show(arrangement(stream.below(ARRANGEMENTS))),
            Phase::Djinn => Action::Djinn(MIDDLE[stream.below(4)]),
            Phase::Choice => {
                let (first, second) = pair(state.hidden(seat), stream.below(6));
                Action::Choose(first, second)
            }
            Phase::First => Action::First(state.hand[seat.index()].nth(stream.below(2))),
            Phase::Wish => {
                let hidden = state.hidden(seat);
                let index = stream.below(hidden.len() + 1);
                if index == hidden.len() { Action::NoWish } else { Action::Wish(hidden.nth(index)) }
            }
            _ => {
                let (options, pass) = self.options(state);
                let count = options.count(self.swaps.len());
                let mut index = stream.below(count + usize::from(pass));
                if index == count {
                    return Action::Pass;
                }
                match options {
                    Options::Carpets(reach) => {
                        let mut carpet = 0;
                        while index >= reach[carpet].len() {
                            index -= reach[carpet].len();
                            carpet += 1;
                        }
                        Action::Move { from: state.carpets_of(seat)[carpet], to: reach[carpet].nth(index) }
                    }
                    Options::Swaps => Action::Swap(self.swaps[index].0, self.swaps[index].1),
                    Options::Turns(turns) => {
                        let mut square = 0;
                        while index >= turns[square].count_ones() as usize {
                            index -= turns[square].count_ones() as usize;
                            square += 1;
                        }
                        let quarters = nth_bit(turns[square].into(), index) + 1;
                        Action::Turn { square: square as u8, quarters }
                    }
                    Options::Djinn(cells) => Action::Djinn(cells.nth(index)),
                }
            }
        }
    }

    fn chance(&self, state: &State, out: &mut Vec<(Action, f64)>) {
        out.clear();
        match state.phase {
            Phase::Cloud => {
                let stock = self.cloud_stock(state);
                out.extend(
                    (0..CLOUDS as u8)
                        .filter(|tile| stock >> tile & 1 == 1)
                        .map(|tile| (Action::Cloud(tile), 1.0)),
                );
            }
            Phase::Facing => {
                let orientations = self.laid_last(state).map_or(1, |(_, _, orientations)| orientations);
                out.extend((0..orientations).map(|quarters| (Action::Facing(quarters), 1.0)));
            }
            Phase::Arrangement => {
                out.extend((0..ARRANGEMENTS).map(|index| (Action::Show(arrangement(index)), 1.0)));
            }
            Phase::FavorTie => out.extend(self.highest(state).iter().map(|seat| (Action::Favor(seat), 1.0))),
            _ => {}
        }
        let each = 1.0 / out.len() as f64;
        for (_, probability) in out {
            *probability = each;
        }
    }

    fn sample_chance(&self, state: &State, word: u64) -> Action {
        let pick = |count: usize| below(word, count as u64) as usize;
        match state.phase {
            Phase::Facing => {
                let orientations = self.laid_last(state).map_or(1, |(_, _, orientations)| orientations);
                Action::Facing(pick(orientations.into()) as u8)
            }
            Phase::Arrangement => Action::Show(arrangement(pick(ARRANGEMENTS))),
            Phase::FavorTie => {
                let highest = self.highest(state);
                let seat = highest.iter().nth(pick(highest.len()));
                Action::Favor(seat.unwrap_or(Seat::new(0)))
            }
            _ => {
                let stock = self.cloud_stock(state);
                Action::Cloud(nth_bit(stock, pick(stock.count_ones() as usize)))
            }
        }
    }

    #[inline]
    fn apply(&self, state: &mut State, action: Action) {
        match (state.phase, action) {
            (Phase::Action, _) => self.resolve(state, action),
            (_, Action::First(tile)) => {
                let hand = &mut state.hand[state.active().index()];
                *hand = hand.without(tile);
                state.resolving = tile;
                state.phase = Phase::Action;
            }
            (_, Action::Wish(tile)) => {
                state.counts[state.active().index()].free_actions += 1;
                state.free_actions += 1;
                state.resolving = tile;
                state.phase = Phase::Action;
            }
            (_, Action::NoWish) => self.next_tile(state),
            (_, Action::Cloud(tile)) => {
                if let Some(square) = self.empty_square(state) {
                    state.squares[square] = Square::cloud(tile, 0);
                }
                match self.rules.setup_orientation {
                    SetupOrientation::Random => state.phase = Phase::Facing,
                    SetupOrientation::Zero => self.next_cloud(state),
                }
            }
            (_, Action::Facing(quarters)) => {
                if let Some((square, tile, _)) = self.laid_last(state) {
                    state.squares[square] = Square::cloud(tile, quarters);
                }
                self.next_cloud(state);
            }
            (_, Action::Show(visible)) => {
                if let Some(seat) = self.unarranged(state) {
                    state.visible[seat.index()] = visible;
                }
                if self.unarranged(state).is_none() {
                    self.give_first_favor(state);
                }
            }
            (_, Action::Favor(seat)) => self.take_first_favor(state, seat),
            (_, Action::Djinn(cell)) => {
                state.djinn = Some(cell);
                state.phase = Phase::Choice;
            }
            _ => {}
        }
    }

    fn apply_together(&self, state: &mut State, actions: &[Action]) {
        let mut totals = [0; MAX_PLAYERS];
        for (seat, &action) in actions.iter().enumerate() {
            match action {
                Action::Choose(first, second) => {
                    let hand = Tiles::of(first).with(second);
                    state.hand[seat] = hand;
                    totals[seat] = hand.total();
                }
                other => self.apply(state, other),
            }
        }
        if state.phase == Phase::Choice {
            let favor = state.favor.unwrap_or(Seat::new(0));
            state.order = order_of_play(&totals[..self.seats], favor);
            state.position = 0;
            state.phase = Phase::First;
        }
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        if state.phase != Phase::Over {
            return None;
        }
        let mut scores = [0; MAX_PLAYERS];
        for seat in Seat::all(self.seats) {
            scores[seat.index()] = self.carpets_home(state, seat) as i32;
        }
        let scores = &scores[..self.seats];
        Some(match state.winner {
            Some(winner) => Outcome::winner("race", winner, scores),
            None => Outcome::winners("cap", SeatSet::all(self.seats), scores),
        })
    }

    fn payoff_limit(&self) -> f64 {
        1.0
    }
    fn turns(&self, state: &State) -> u32 {
        state.round.into()
    }

    fn tally_names(&self) -> &'static [&'static str] {
        &["first_favor", "carpets_home", "wishes", "chained_wishes", "free_actions", "djinn_moves", "passes"]
    }

    fn tally(&self, state: &State, seat: Seat, out: &mut [i64]) {
        let counts = state.counts[seat.index()];
        out.copy_from_slice(&[
            i64::from(state.first_favor == Some(seat)),
            self.carpets_home(state, seat) as i64,
            counts.wishes.into(),
            counts.chained.into(),
            counts.free_actions.into(),
            counts.djinn_moves.into(),
            counts.passes.into(),
        ]);
    }
}

impl SultansOfWind {
    /// How many of a player's carpets can be matched to targets.
    pub fn carpets_home(&self, state: &State, seat: Seat) -> usize {
        let targets = &self.targets[seat.index()];
        let matching = targets.matching(state.carpets_of(seat), || state.blocked(seat, targets.slots()));
        matching.carpets.count_ones() as usize
    }
}
