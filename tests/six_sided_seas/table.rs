//! A table at which the engine and the slow twin play the same game: every step is compared.

use std::fmt::Write;

use dhow::game::{Game, Outcome, Seat, Turn};
use dhow::games::Catalogued;
use dhow::games::six_sided_seas::{
    Action, Move, Phase as EnginePhase, SixSidedSeas, Slot, State, StateBuilder,
};
use dhow::games::switches::{self, table_of};

use crate::twin::{Captain, Phase, Rules, SLOTS, Tally, Twin};

pub const A: usize = 0;
pub const B: usize = 1;
pub const C: usize = 2;
pub const D: usize = 3;

pub fn seat(index: usize) -> Seat {
    Seat::new(index)
}

pub fn place(slot: Slot, die: u8) -> Action {
    Action::Place { slot, die }
}

pub fn block(slot: Slot, die: u8) -> Action {
    Action::BlockSpace { slot, die }
}

pub fn sorted<T: Ord>(list: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut list: Vec<T> = list.into_iter().collect();
    list.sort();
    list
}

/// Everything that lies on the table, as both sides see it.
#[derive(Clone, PartialEq, Debug)]
pub struct View {
    turn: Turn,
    turn_no: u32,
    current: usize,
    captains: Vec<CaptainView>,
    islands: Vec<Option<usize>>,
    pool: Vec<u8>,
    grog_dice: Vec<u8>,
    used: Vec<bool>,
    /// What an activated action still has to do: action, dice, effects left, Evade dice still to go.
    pending: Option<(Move, Vec<u8>, u32, u8)>,
    /// Ending, and for each seat whether it won and its score.
    outcome: Option<(String, Vec<(bool, i32)>)>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct CaptainView {
    coin: i32,
    hp: i32,
    ghost: bool,
    grog: u32,
    doubles: u32,
    hold_fresh: bool,
    supply: i32,
    dice: Vec<Vec<u8>>,
    blocks: Vec<Vec<usize>>,
    tally: Tally,
}

fn view_of_engine(game: &SixSidedSeas, state: &State) -> View {
    let seats = game.seats();
    let captain = |owner: usize| {
        let at = Seat::new(owner);
        let blocks = |slot| {
            let mut owners = Vec::new();
            for other in 0..seats {
                owners.extend((0..state.blocked_by(at, slot, Seat::new(other))).map(|_| other));
            }
            owners
        };
        CaptainView {
            coin: state.coin(at) as i32,
            hp: state.hp(at) as i32,
            ghost: state.is_ghost(at),
            grog: state.grogged(at) as u32,
            doubles: state.doublings(at) as u32,
            hold_fresh: state.hold_fresh(at),
            supply: state.supply(at),
            dice: SLOTS.iter().map(|&slot| state.dice(at, slot).iter().collect()).collect(),
            blocks: SLOTS.iter().map(|&slot| blocks(slot)).collect(),
            tally: {
                let mut counts = [0; 8];
                game.tally(state, at, &mut counts);
                let names = [
                    "busts",
                    "jackpots",
                    "islands",
                    "plunders",
                    "hits",
                    "sinkings",
                    "resurrections",
                    "own_turns",
                ];
                assert_eq!(game.tally_names(), names);
                let [busts, jackpots, islands, plunders, hits, sinkings, resurrections, turns] =
                    counts.map(|count| count as u32);
                Tally { busts, jackpots, islands, plunders, hits, sinkings, resurrections, turns }
            },
        }
    };
    View {
        turn: game.turn(state),
        turn_no: state.turn_no(),
        current: state.current().index(),
        captains: (0..seats).map(captain).collect(),
        islands: (1..=6).map(|island| state.island(island).map(Seat::index)).collect(),
        pool: state.pool().iter().collect(),
        grog_dice: state.grog_dice().iter().collect(),
        used: (1..=6).map(|island| state.used(island)).collect(),
        pending: state.pending().map(|pending| {
            (pending.action, pending.dice.iter().collect(), pending.effects as u32, pending.evade_left)
        }),
        outcome: game.outcome(state).map(|outcome| {
            let results = outcome.results().iter().map(|result| (result.rank == 1, result.score));
            (outcome.ending().to_owned(), results.collect())
        }),
    }
}

fn view_of_twin(twin: &Twin) -> View {
    let captain = |(seat, captain): (usize, &Captain)| CaptainView {
        coin: captain.coin,
        hp: captain.hp,
        ghost: captain.ghost,
        grog: captain.grog,
        doubles: captain.doubles,
        hold_fresh: captain.hold_fresh,
        supply: twin.supply(seat),
        dice: SLOTS.iter().map(|&slot| captain.dice(slot)).collect(),
        blocks: SLOTS.iter().map(|&slot| captain.blocks(slot)).collect(),
        tally: captain.tally.clone(),
    };
    View {
        turn: twin.turn(),
        turn_no: twin.turn_no,
        current: twin.current,
        captains: twin.captains.iter().enumerate().map(captain).collect(),
        islands: twin.islands.clone(),
        pool: sorted(twin.pool.iter().copied()),
        grog_dice: sorted(twin.grog_dice.iter().copied()),
        used: twin.used.clone(),
        pending: twin.pending.as_ref().filter(|_| twin.ending.is_none()).map(|pending| {
            let dice = sorted(pending.dice.iter().copied());
            (pending.action, dice, pending.effects_left + 1, pending.to_remove as u8)
        }),
        outcome: twin.ending.map(|(ending, winner)| {
            let won = |seat: usize| winner.is_none_or(|winner| winner == seat);
            let results = twin.captains.iter().enumerate().map(|(seat, captain)| (won(seat), captain.coin));
            (ending.to_owned(), results.collect())
        }),
    }
}

/// The published rules with these changes.
pub fn rules(seats: usize, changes: &toml::Table) -> Rules {
    let game: SixSidedSeas = switches::build(changes, seats).expect("valid rules");
    table_of(game.rules()).try_into().expect("the twin knows every switch")
}

/// The engine under the twin's rules.
fn engine(rules: &Rules, seats: usize) -> SixSidedSeas {
    switches::build(&table_of(rules), seats).expect("valid rules")
}

/// An empty table, to be furnished: nobody has begun yet.
pub fn setup(seats: usize, changes: &str) -> Twin {
    let rules = rules(seats, &changes.parse().expect("changes are TOML"));
    let mut twin = Twin::empty(rules, seats);
    twin.phase = Phase::Order;
    twin
}

impl Twin {
    /// Puts dice into an empty slot.
    pub fn ship(&mut self, seat: usize, slot: Slot, dice: &[u8]) {
        for &die in dice {
            self.captains[seat].put(slot, die);
        }
    }

    /// Blocks an empty space.
    pub fn block(&mut self, seat: usize, slot: Slot, owner: usize) {
        let space = self.captains[seat].spaces.iter_mut();
        let mut free =
            space.filter(|space| space.slot == slot && space.die.is_none() && space.block.is_none());
        free.next().expect("a free space").block = Some(owner);
    }
}

impl Captain {
    pub fn make_ghost(&mut self) {
        (self.ghost, self.coin, self.hp) = (true, 0, 0);
    }
}

pub struct Table {
    pub game: SixSidedSeas,
    pub state: State,
    pub twin: Twin,
    history: Vec<Action>,
}

impl Table {
    /// A fresh game.
    pub fn fresh(mut twin: Twin) -> Table {
        let game = engine(&twin.rules, twin.seats());
        twin.start();
        let state = game.initial();
        let table = Table { game, state, twin, history: vec![] };
        table.compare();
        table
    }

    /// The furnished table in the phase that the twin names, between two actions.
    pub fn of(mut twin: Twin) -> Table {
        let seats = twin.seats();
        let game = engine(&twin.rules, seats);
        let mut builder = StateBuilder::new(game.rules(), seats).current(seat(twin.current));
        for (index, captain) in twin.captains.iter().enumerate() {
            let at = seat(index);
            builder = builder.coin(at, captain.coin as u8).hp(at, captain.hp as u8);
            if captain.ghost {
                builder = builder.ghost(at);
            }
            builder = builder.grogged(at, captain.grog as u8).doublings(at, captain.doubles as u8);
            for slot in SLOTS {
                builder = builder.dice(at, slot, &captain.dice(slot));
                for owner in captain.blocks(slot) {
                    builder = builder.block(at, slot, seat(owner));
                }
            }
            builder = builder.hold_fresh(at, captain.hold_fresh);
        }
        for (index, owner) in twin.islands.iter().enumerate() {
            if let Some(owner) = *owner {
                builder = builder.island(index as u8 + 1, seat(owner));
            }
            if twin.used[index] {
                builder = builder.used(index as u8 + 1);
            }
        }
        let phase = match twin.phase {
            Phase::FirstRoll | Phase::Roll => EnginePhase::Roll,
            Phase::Over => EnginePhase::Over,
            Phase::Jackpot => EnginePhase::Jackpot,
            Phase::EvadeFill => EnginePhase::Evade,
            Phase::Order => EnginePhase::Order,
            Phase::GhostRolling { .. } => EnginePhase::GhostDie,
            ref other => panic!("{other:?} is not between two actions"),
        };
        twin.ghost_turn = twin.captains[twin.current].ghost;
        for captain in &mut twin.captains {
            captain.tally = Tally::default();
        }
        let builder = builder
            .phase(phase)
            .pool(&twin.pool)
            .grog_dice(&twin.grog_dice)
            .grog_due(twin.grog_to_come as u8)
            .turn_no(twin.turn_no as u16);
        let state = builder.build().expect("a possible position");
        let table = Table { game, state, twin, history: vec![] };
        table.compare();
        table
    }

    /// The start of the current captain's turn (the one before has just ended an empty turn).
    pub fn begin(mut twin: Twin) -> Table {
        let seats = twin.seats();
        twin.current = (twin.current + seats - 1) % seats;
        twin.phase = Phase::Order;
        let mut table = Table::of(twin);
        table.act(Action::End);
        table
    }

    /// The current captain's Order phase with these dice in the pool.
    pub fn order(mut twin: Twin, pool: &[u8]) -> Table {
        twin.phase = Phase::Order;
        twin.pool = pool.to_vec();
        Table::of(twin)
    }

    // ---- playing ----

    /// Plays an action of whoever decides, or a chance outcome, on both sides.
    pub fn act(&mut self, action: Action) {
        if let Turn::Decision(seat) = self.game.turn(&self.state) {
            let checked = self.game.check_action(&self.state, seat, action);
            assert!(checked.is_ok(), "{checked:?}\n{}", self.report());
        }
        self.step(action);
        self.compare();
    }

    /// Plays without looking whether it is legal.
    pub fn step(&mut self, action: Action) {
        self.history.push(action);
        self.game.apply(&mut self.state, action);
        self.twin.apply(action);
    }

    /// A chance outcome.
    pub fn die(&mut self, die: u8) {
        assert!(matches!(self.game.turn(&self.state), Turn::Chance(_)), "no die is due\n{}", self.report());
        self.act(Action::Die(die));
    }

    /// Rolls these dice one after the other.
    pub fn roll(&mut self, dice: &[u8]) {
        for &die in dice {
            self.act(Action::Roll);
            self.die(die);
        }
    }

    /// Holds the engine against the twin: everything visible, what is legal, what luck may do.
    pub fn compare(&self) {
        let engine = view_of_engine(&self.game, &self.state);
        let twin = view_of_twin(&self.twin);
        assert!(engine == twin, "engine and twin differ\n{}", self.report());
        match engine.turn {
            Turn::Decision(_) => {
                let legal = self.legal();
                assert!(legal == self.twin.actions(), "legal actions differ\n{}", self.report());
                self.roll_properties(&legal);
            }
            Turn::Chance(_) => {
                let dice: Vec<Action> = self.chance().into_iter().map(|(action, _)| action).collect();
                assert_eq!(dice, self.twin.chance(), "chance differs\n{}", self.report());
            }
            _ => {}
        }
        if let Some(outcome) = self.game.outcome(&self.state) {
            let winners = outcome.results().iter().filter(|result| result.rank == 1).count() as u32;
            for result in outcome.results() {
                let (rank, share) = if result.rank == 1 { (1, 60 / winners) } else { (2, 0) };
                assert_eq!((result.rank, result.share_units), (rank, share), "{}", self.report());
            }
        }
        self.properties();
    }

    /// The position written down and read again, and the texts of what may be done.
    pub fn round_trips(&self) {
        let text = serde_json::to_string(&self.state).expect("a state is plain data");
        let read: Result<State, _> = serde_json::from_str(&text);
        assert!(read.as_ref().is_ok_and(|read| *read == self.state), "{read:?}\n{text}\n{}", self.report());
        for action in self.legal() {
            assert_eq!(action.to_string().parse(), Ok(action));
        }
    }

    /// What must hold in every position, whatever the twin says.
    fn properties(&self) {
        let state = &self.state;
        for at in Seat::all(self.game.seats()) {
            if self.twin.rules.supply_limit == "hard" {
                let unlucky = self.twin.rules.double_double == "quadruple";
                assert!(state.supply(at) >= 0 || unlucky, "negative supply\n{}", self.report());
            }
            if state.is_ghost(at) {
                let barred = [Slot::Hold, Slot::Evade, Slot::Explorer, Slot::Plunder];
                let none = barred.iter().all(|&slot| state.dice(at, slot).is_empty());
                assert!(none && state.islands_of(at) == 0, "a ghost has what it cannot\n{}", self.report());
            }
        }
    }

    /// Roll is offered below the limit alone, and a turn begins with its flags reset.
    fn roll_properties(&self, legal: &[Action]) {
        if !legal.contains(&Action::Roll) {
            return;
        }
        let (state, me) = (&self.state, self.state.current());
        let below = state.total() < state.coin(me) && !state.is_ghost(me);
        assert!(below, "Roll at or beyond the limit\n{}", self.report());
        if state.pool().is_empty() && state.grog_dice().is_empty() {
            let flags = (1..=6).any(|island| state.used(island));
            assert!(!flags && !state.hold_fresh(me), "flags at the start\n{}", self.report());
        }
    }

    /// Everything that is known, for a failing test.
    pub fn report(&self) -> String {
        let mut text = String::new();
        let engine = view_of_engine(&self.game, &self.state);
        let twin = view_of_twin(&self.twin);
        let _ = writeln!(text, "rules {:?}", self.twin.rules);
        let tail = self.history.len().saturating_sub(60);
        let words: Vec<String> = self.history[tail..].iter().map(Action::to_string).collect();
        let _ = writeln!(text, "after {} steps, the last being: {}", self.history.len(), words.join(", "));
        let _ = writeln!(
            text,
            "engine {engine:?}\n  phase {:?} pending {:?}",
            self.state.phase(),
            self.state.pending()
        );
        let _ =
            writeln!(text, "twin   {twin:?}\n  phase {:?} pending {:?}", self.twin.phase, self.twin.pending);
        if let (Turn::Decision(_), Turn::Decision(_)) = (engine.turn, twin.turn) {
            let _ = writeln!(text, "engine offers {:?}", self.legal());
            let _ = writeln!(text, "twin offers   {:?}", self.twin.actions());
        }
        text
    }

    // ---- what the engine says ----

    pub fn legal(&self) -> Vec<Action> {
        let mut list = Vec::new();
        if let Turn::Decision(seat) = self.game.turn(&self.state) {
            self.game.actions(&self.state, seat, &mut list);
        }
        sorted(list)
    }

    pub fn offers(&self, action: Action) -> bool {
        self.legal().contains(&action)
    }

    pub fn chance(&self) -> Vec<(Action, f64)> {
        let mut list = Vec::new();
        self.game.chance(&self.state, &mut list);
        list
    }

    /// Who decides.
    pub fn decider(&self) -> Option<usize> {
        match self.game.turn(&self.state) {
            Turn::Decision(seat) => Some(seat.index()),
            _ => None,
        }
    }

    /// Whose die is rolled.
    pub fn luck_of(&self) -> Option<usize> {
        match self.game.turn(&self.state) {
            Turn::Chance(source) => {
                assert!(!self.game.luck().is_empty() && source.kind == 0 && self.game.luck()[0].per_seat);
                source.seat.map(Seat::index)
            }
            _ => None,
        }
    }

    pub fn outcome(&self) -> Outcome {
        self.game.outcome(&self.state).expect("the game is over")
    }

    /// How it ended and who won; nothing while it goes on. A draw fails.
    pub fn winner(&self) -> Option<(&'static str, usize)> {
        let outcome = self.game.outcome(&self.state)?;
        let won = |seat: &usize| outcome.results()[*seat].share_units == 60;
        Some((outcome.ending(), (0..self.game.seats()).find(won).expect("a winner")))
    }

    pub fn coin(&self, at: usize) -> i32 {
        self.state.coin(seat(at)) as i32
    }
    pub fn hp(&self, at: usize) -> i32 {
        self.state.hp(seat(at)) as i32
    }
    pub fn ghost(&self, at: usize) -> bool {
        self.state.is_ghost(seat(at))
    }
    pub fn grog(&self, at: usize) -> u8 {
        self.state.grogged(seat(at))
    }
    pub fn doubles(&self, at: usize) -> u8 {
        self.state.doublings(seat(at))
    }
    pub fn supply(&self, at: usize) -> i32 {
        self.state.supply(seat(at))
    }
    pub fn hold_fresh(&self, at: usize) -> bool {
        self.state.hold_fresh(seat(at))
    }
    pub fn dice(&self, at: usize, slot: Slot) -> Vec<u8> {
        self.state.dice(seat(at), slot).iter().collect()
    }
    pub fn blocks(&self, at: usize, slot: Slot) -> Vec<usize> {
        view_of_engine(&self.game, &self.state).captains[at].blocks
            [SLOTS.iter().position(|s| *s == slot).unwrap()]
        .clone()
    }
    pub fn islands(&self) -> Vec<Option<usize>> {
        (1..=6).map(|island| self.state.island(island).map(Seat::index)).collect()
    }
    pub fn pool(&self) -> Vec<u8> {
        self.state.pool().iter().collect()
    }
    pub fn grog_dice(&self) -> Vec<u8> {
        self.state.grog_dice().iter().collect()
    }
    pub fn total(&self) -> u8 {
        self.state.total()
    }
    pub fn used(&self) -> Vec<bool> {
        (1..=6).map(|island| self.state.used(island)).collect()
    }
    pub fn turn_no(&self) -> u32 {
        assert_eq!(self.game.turns(&self.state), self.state.turn_no());
        self.state.turn_no()
    }
}
