//! The rules as a [`Game`]: what happens next, what may be done, what comes of it. The parts stand in
//! files of their own: money, map, market (the end of a turn), sultan, scoring.

use super::Alhambra;
use super::map::{self, on_board};
use super::random::nth;
use super::state::{
    Action, Cell, Cells, Counters, Ending, FewCards, Phase, Pile, Purse, State, SultanCards, TileSet,
};
use super::tiles::{Building, TILES, Tile};
use crate::game::{Game, Luck, MAX_SEATS, Outcome, Seat, Source, Turn};
use crate::streams::{Stream, below};

/// Index of the money deck among the sources of luck.
pub const MONEY_DECK: u8 = 0;
/// Index of the tile bag.
pub const TILE_BAG: u8 = 1;
/// Index of the sultan die.
pub const SULTAN_DIE: u8 = 2;
/// Index of the lot for the start player.
pub const START_LOT: u8 = 3;

const LUCK: [Luck; 4] = [
    Luck::shared("money deck"),
    Luck::shared("tile bag"),
    Luck::shared("sultan die"),
    Luck::shared("start player"),
];

const TALLIES: [&str; 10] = [
    "turn_order",
    "sultan_most",
    "sultan_bought",
    "sultan_used",
    "exact_payments",
    "redesigns",
    "tiles_bought",
    "tiles_placed",
    "tiles_in_reserve",
    "wall",
];

impl Alhambra {
    /// Whether the third party of the game for two takes part.
    #[inline]
    pub fn with_dirk(&self) -> bool {
        self.seats == 2
    }

    /// Whether empty cells are connected by corners too.
    #[inline]
    pub(super) fn corners(&self) -> bool {
        self.rules.hole_connectivity == 8
    }

    /// Redesigns: add, remove, exchange.
    fn redesign_actions(&self, state: &State, out: &mut Vec<Action>) {
        let seat = state.active;
        let (own, reserve) = (state.alhambras[seat.index()], state.reserves[seat.index()]);
        if own.is_empty() && reserve.is_empty() {
            return;
        }
        let corners = self.corners();
        on_board!(self.map(state, seat), |board| {
            if !reserve.is_empty() {
                let sites = board.sites(corners);
                for tile in reserve.iter() {
                    sites.for_each(&board, tile.walls(), |cell| out.push(Action::Add(tile, cell)));
                }
            }
            out.extend(map::removable(self.map(state, seat), corners).iter().map(Action::Remove));
            for old in own.iter() {
                let joined = board.joined(state.cells.of(old));
                for new in reserve.iter() {
                    if (old.walls() ^ new.walls()) & joined == 0 {
                        out.push(Action::Exchange { old, new });
                    }
                }
            }
        });
    }

    /// Where a seat may put a tile that is newly its own.
    fn destinations(&self, state: &State, seat: Seat, tile: Tile, dirk: bool, out: &mut Vec<Action>) {
        map::each_place(self.map(state, seat), self.corners(), tile, |cell| {
            out.push(Action::Place(tile, cell));
        });
        out.push(Action::Reserve(tile));
        if dirk {
            out.push(Action::Dirk(tile));
        }
    }

    /// A tile comes to lie in a seat's Alhambra.
    #[inline]
    fn lay(state: &mut State, seat: Seat, tile: Tile, cell: Cell) {
        state.cells.lay(seat.index(), state.alhambras[seat.index()], tile, cell);
        state.alhambras[seat.index()].insert(tile);
    }

    /// A tile of a seat's Alhambra goes to its reserve.
    #[inline]
    fn lift(state: &mut State, seat: Seat, tile: Tile) {
        state.alhambras[seat.index()].remove(tile);
        state.cells.lift(seat.index(), state.alhambras[seat.index()], tile);
        state.reserves[seat.index()].insert(tile);
    }

    /// A tile of a seat's reserve comes to lie in the place of one of its Alhambra.
    #[inline]
    fn exchange(state: &mut State, seat: Seat, old: Tile, new: Tile) {
        let (own, reserve) = (&mut state.alhambras[seat.index()], &mut state.reserves[seat.index()]);
        state.cells.exchange(seat.index(), *own, old, new);
        own.remove(old);
        own.insert(new);
        reserve.remove(new);
        reserve.insert(old);
    }

    /// A newly owned tile goes where its owner wants it.
    fn put(&self, state: &mut State, seat: Seat, action: Action) {
        match action {
            Action::Place(tile, cell) => Alhambra::lay(state, seat, tile, cell),
            Action::Reserve(tile) => state.reserves[seat.index()].insert(tile),
            Action::Dirk(tile) => state.dirk.insert(tile),
            _ => unreachable!("a tile goes to the Alhambra, the reserve or Dirk, not `{action}`"),
        }
    }

    fn main_action(&self, state: &mut State, action: Action) {
        let seat = state.active;
        let mut extra = false;
        match action {
            Action::Take(cards) => self.take(state, cards),
            Action::Buy(slot, cards) => {
                if let Some(tile) = state.yard[slot as usize].take() {
                    let exact = self.pay(state, slot, cards, tile.price());
                    state.bought.insert(tile);
                    state.counters[seat.index()].tiles_bought += 1;
                    extra = exact && self.rules.extra_action;
                }
            }
            Action::BuySultan(currency, mark, cards) => {
                let exact = self.pay(state, currency, cards, self.rules.sultan_price);
                self.lay_out(state, currency, mark, exact && self.rules.extra_action);
                return;
            }
            Action::Add(tile, cell) => {
                state.reserves[seat.index()].remove(tile);
                Alhambra::lay(state, seat, tile, cell);
                state.counters[seat.index()].redesigns += 1;
            }
            Action::Remove(tile) => {
                Alhambra::lift(state, seat, tile);
                state.counters[seat.index()].redesigns += 1;
            }
            Action::Exchange { old, new } => {
                Alhambra::exchange(state, seat, old, new);
                state.counters[seat.index()].redesigns += 1;
            }
            Action::Pass => {}
            _ => unreachable!("`{action}` is no action of a turn"),
        }
        self.go_on(state, extra);
    }

    /// The tile of a placing action.
    fn tile_of(action: Action) -> Tile {
        match action {
            Action::Place(tile, _) | Action::Reserve(tile) | Action::Dirk(tile) => tile,
            _ => unreachable!("`{action}` puts no tile anywhere"),
        }
    }

    /// A tile that luck drew from the bag.
    fn drawn(&self, state: &mut State, tile: Tile) {
        state.bag.remove(tile);
        match state.phase {
            Phase::DirkStart => {
                state.dirk.insert(tile);
                if state.dirk.len() == DIRK_AT_START {
                    state.phase = Phase::YardStart;
                }
            }
            Phase::YardStart => {
                self.lay_on_yard(state, tile);
                if state.yard.iter().all(Option::is_some) {
                    state.phase = Phase::StartMoney { seat: Seat::new(0) };
                }
            }
            Phase::DirkTile { left } => {
                state.dirk.insert(tile);
                if left > 1 {
                    state.phase = Phase::DirkTile { left: left - 1 };
                } else {
                    self.hold_scorings(state);
                }
            }
            _ => self.offer(state, tile, 0),
        }
    }

    /// A money card that luck drew from the deck.
    fn dealt(&self, state: &mut State, card: super::state::Card) {
        self.draw(state, card);
        match state.phase {
            Phase::StartMoney { seat } => {
                self.give(state, seat, card);
                self.after_starting_card(state, seat);
            }
            Phase::StartDisplay => {
                state.display = state.display.with(card);
                if state.display.is_full() {
                    self.make_piles(state);
                    self.begin_turn(state, state.start);
                }
            }
            _ => {
                state.display = state.display.with(card);
                self.fill_display(state);
            }
        }
    }

    /// What the die shows.
    fn rolled(&self, state: &mut State, mark: Building) {
        match state.phase {
            Phase::Reveal { currency } => {
                state.sultan.open[currency as usize][mark as usize] += 1;
                self.fill_display(state);
            }
            Phase::MarkRoll { rolls, extra } => {
                state.phase = Phase::Mark { mark, rolled: true, rolls, extra };
            }
            _ => unreachable!("nobody rolls now"),
        }
    }

    fn mark_action(&self, state: &mut State, action: Action) {
        let Phase::Mark { mark, rolls, extra, .. } = state.phase else {
            unreachable!("no mark is to be settled")
        };
        match action {
            Action::Keep => self.settle(state, mark, extra),
            Action::Flip => self.settle(state, mark.opposite(), extra),
            Action::Mark(mark) => self.settle(state, mark, extra),
            _ => state.phase = Phase::MarkRoll { rolls: rolls - 1, extra },
        }
    }
}

/// Dirk's tiles at set-up.
const DIRK_AT_START: u32 = 6;

impl Game for Alhambra {
    type State = State;
    type Action = Action;

    fn seats(&self) -> usize {
        self.seats
    }

    fn luck(&self) -> &'static [Luck] {
        &LUCK
    }

    fn action_kinds(&self) -> &'static [&'static str] {
        &[
            "take", "buy", "sultan", "add", "remove", "exchange", "pass", "place", "reserve", "dirk", "keep",
            "flip", "roll", "mark", "claim", "decline",
        ]
    }

    fn endings(&self) -> &'static [&'static str] {
        &["tiles", "cap"]
    }

    /// A main action each turn and after each of at most 54 + 20 purchases; a sultan card is settled in at
    /// most 6 decisions; a tile is offered to everybody once and laid once, in the end once more.
    fn step_limit(&self) -> u32 {
        let purchases = TILES as u32 + 20;
        let marks = 20 * 7;
        let offers = (TILES as u32 + 4) * (self.seats as u32 + 1);
        self.rules.max_turns as u32 + purchases + marks + TILES as u32 + offers
    }

    fn initial(&self) -> State {
        let copies = if self.with_dirk() { 2 } else { 3 };
        let mut piles = [Pile::default(); 5];
        piles[4].money = 36 * copies as u8;
        State {
            phase: if self.with_dirk() { Phase::DirkStart } else { Phase::YardStart },
            turn: 0,
            active: Seat::new(0),
            start: Seat::new(0),
            scoring_cards: 0,
            scorings: 0,
            ending: None,
            yard: [None; 4],
            winners: [None; 4],
            asked_first: Seat::new(0),
            display: FewCards::NONE,
            hands: [[Purse::default(); 4]; MAX_SEATS],
            deck: [Purse::full(copies); 4],
            discards: [Purse::default(); 4],
            piles,
            bag: TileSet::ALL,
            bought: TileSet::default(),
            dirk: TileSet::default(),
            alhambras: [TileSet::default(); MAX_SEATS],
            reserves: [TileSet::default(); MAX_SEATS],
            cells: Cells::default(),
            sultan: SultanCards::default(),
            scores: [0; MAX_SEATS],
            counters: [Counters::default(); MAX_SEATS],
        }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match state.phase {
            Phase::Main { .. } | Phase::Mark { .. } | Phase::Place => Turn::Decision(state.active),
            Phase::Offer { seat, .. }
            | Phase::Claimed { seat, .. }
            | Phase::FinalOffer { seat, .. }
            | Phase::FinalClaimed { seat, .. }
            | Phase::Won { seat } => Turn::Decision(seat),
            Phase::StartMoney { .. } | Phase::StartDisplay | Phase::Money => {
                Turn::Chance(Source::shared(MONEY_DECK))
            }
            Phase::DirkStart | Phase::YardStart | Phase::DirkTile { .. } | Phase::Yard => {
                Turn::Chance(Source::shared(TILE_BAG))
            }
            Phase::MarkRoll { .. } | Phase::Reveal { .. } => Turn::Chance(Source::shared(SULTAN_DIE)),
            Phase::StartPlayer => Turn::Chance(Source::shared(START_LOT)),
            Phase::Over => Turn::Over,
        }
    }

    fn actions(&self, state: &State, _seat: Seat, out: &mut Vec<Action>) {
        out.clear();
        match state.phase {
            Phase::Main { extra } => {
                self.money_actions(state, out);
                self.redesign_actions(state, out);
                if out.is_empty() || (extra && self.rules.allow_decline_extra_action) {
                    out.push(Action::Pass);
                }
            }
            Phase::Mark { mark, rolled, rolls, .. } => self.mark_actions(mark, rolled, rolls, out),
            Phase::Place => {
                for tile in state.bought.iter() {
                    self.destinations(state, state.active, tile, self.with_dirk(), out);
                }
            }
            Phase::Offer { .. } | Phase::FinalOffer { .. } => out.extend([Action::Claim, Action::Decline]),
            Phase::Claimed { tile, seat } | Phase::FinalClaimed { tile, seat, .. } => {
                self.destinations(state, seat, tile, self.with_dirk(), out);
            }
            Phase::Won { seat } => {
                let dirk = self.with_dirk() && self.rules.dirk_gets_final_tiles;
                for slot in 0..4 {
                    if let (Some(tile), true) = (state.yard[slot], state.winners[slot] == Some(seat)) {
                        self.destinations(state, seat, tile, dirk, out);
                    }
                }
            }
            _ => {}
        }
    }

    fn chance(&self, state: &State, out: &mut Vec<(Action, f64)>) {
        out.clear();
        match self.turn(state) {
            Turn::Chance(Source { kind: MONEY_DECK, .. }) => self.money_chance(state, out),
            Turn::Chance(Source { kind: TILE_BAG, .. }) => {
                let each = 1.0 / state.bag.len() as f64;
                out.extend(state.bag.iter().map(|tile| (Action::Tile(tile), each)));
            }
            Turn::Chance(Source { kind: SULTAN_DIE, .. }) => {
                out.extend(Building::ALL.map(|building| (Action::Die(building), 1.0 / 6.0)));
            }
            Turn::Chance(_) => {
                let tied = self.first_by_cards(state);
                let each = 1.0 / tied.len() as f64;
                out.extend(tied.iter().map(|seat| (Action::Start(seat), each)));
            }
            _ => {}
        }
    }

    fn sample_chance(&self, state: &State, word: u64) -> Action {
        match state.phase {
            Phase::StartMoney { .. } | Phase::StartDisplay | Phase::Money => self.sample_money(state, word),
            Phase::MarkRoll { .. } | Phase::Reveal { .. } => {
                Action::Die(Building::ALL[below(word, 6) as usize])
            }
            Phase::StartPlayer => {
                let tied = self.first_by_cards(state);
                let at = below(word, tied.len() as u64) as usize;
                Action::Start(tied.iter().nth(at).unwrap_or(Seat::new(0)))
            }
            _ => Action::Tile(nth(state.bag, below(word, state.bag.len() as u64) as usize)),
        }
    }

    fn apply(&self, state: &mut State, action: Action) {
        match action {
            Action::Card(card) => return self.dealt(state, card),
            Action::Tile(tile) => return self.drawn(state, tile),
            Action::Die(mark) => return self.rolled(state, mark),
            Action::ScoringCard => {
                if let Some(pile) = self.top_pile(state) {
                    state.piles[pile].scoring -= 1;
                }
                state.scoring_cards += 1;
                return self.fill_display(state);
            }
            Action::SultanCard(currency) => {
                if let Some(pile) = self.top_pile(state) {
                    state.piles[pile].sultan -= 1;
                }
                state.sultan.deck[currency as usize] -= 1;
                state.phase = Phase::Reveal { currency };
                return;
            }
            Action::Start(seat) => return self.start_with(state, seat),
            _ => {}
        }
        match state.phase {
            Phase::Main { .. } => self.main_action(state, action),
            Phase::Mark { .. } => self.mark_action(state, action),
            Phase::Place => {
                state.bought.remove(Alhambra::tile_of(action));
                self.put(state, state.active, action);
                self.place_bought(state);
            }
            Phase::Offer { tile, seat } => {
                if action == Action::Claim {
                    self.use_card(state, seat, tile.building());
                    state.phase = Phase::Claimed { tile, seat };
                } else {
                    self.decline(state, tile, seat);
                }
            }
            Phase::Claimed { seat, .. } => {
                self.put(state, seat, action);
                self.fill_yard(state);
            }
            Phase::FinalOffer { slot, seat } => match state.yard[slot as usize] {
                Some(tile) if action == Action::Claim => {
                    state.yard[slot as usize] = None;
                    self.use_card(state, seat, tile.building());
                    state.phase = Phase::FinalClaimed { slot, tile, seat };
                }
                _ => self.decline_final(state, slot, seat),
            },
            Phase::FinalClaimed { slot, seat, .. } => {
                self.put(state, seat, action);
                self.offer_final(state, slot as usize + 1);
            }
            Phase::Won { seat } => {
                let tile = Alhambra::tile_of(action);
                for slot in 0..4 {
                    if state.yard[slot] == Some(tile) {
                        state.yard[slot] = None;
                        state.winners[slot] = None;
                    }
                }
                self.put(state, seat, action);
                self.lay_won(state);
            }
            _ => unreachable!("`{action}` is nothing that can happen now"),
        }
    }

    fn random_action(
        &self,
        state: &State,
        seat: Seat,
        stream: &mut Stream,
        buffer: &mut Vec<Action>,
    ) -> Action {
        if let Phase::Main { extra } = state.phase {
            return self.random_main_action(state, extra, stream, buffer);
        }
        match self.draw_action(state, seat, stream) {
            Some(action) => action,
            None => self.pick_from_list(state, seat, stream, buffer),
        }
    }

    #[inline]
    fn apply_random(&self, state: &mut State, seat: Seat, stream: &mut Stream, buffer: &mut Vec<Action>) {
        match state.phase {
            // Most decisions are of this kind, and both `random_action` and `apply` ask about others.
            Phase::Main { extra } => {
                let action = self.random_main_action(state, extra, stream, buffer);
                self.main_action(state, action);
            }
            _ => {
                let action = self.random_action(state, seat, stream, buffer);
                self.apply(state, action);
            }
        }
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        if state.phase != Phase::Over {
            return None;
        }
        let ending = if state.ending == Some(Ending::Cap) { "cap" } else { "tiles" };
        let mut scores = [0; MAX_SEATS];
        for (score, &points) in scores.iter_mut().zip(&state.scores) {
            *score = points as i32;
        }
        Some(Outcome::from_scores(ending, &scores[..self.seats]))
    }

    fn payoff_limit(&self) -> f64 {
        1.0
    }
    fn turns(&self, state: &State) -> u32 {
        state.turn as u32
    }

    fn tally_names(&self) -> &'static [&'static str] {
        &TALLIES
    }

    fn tally(&self, state: &State, seat: Seat, out: &mut [i64]) {
        let own = &state.counters[seat.index()];
        let others = Seat::all(self.seats).filter(|&other| other != seat);
        let most = others.map(|other| state.counters[other.index()].sultan_bought).max().unwrap_or(0);
        let order = (seat.index() + self.seats - state.start.index()) % self.seats;
        let values = [
            order as i64 + 1,
            i64::from(own.sultan_bought > most),
            own.sultan_bought as i64,
            own.sultan_used as i64,
            own.exact_payments as i64,
            own.redesigns as i64,
            own.tiles_bought as i64,
            state.alhambras[seat.index()].len() as i64,
            state.reserves[seat.index()].len() as i64,
            self.longest_wall(state, seat) as i64,
        ];
        out.copy_from_slice(&values);
    }
}
