//! The rule switches of Sultans of Wind, what they answer, and which of them go together.
//!
//! The rulebook leaves twenty questions open (W-01 to W-20). Where the board or the tiles are only printed
//! and not described, tables stand here instead.

use serde::{Deserialize, Serialize};

use super::board::Cell;
use super::channel::Visible;
use crate::games::switches::{Kind, RuleError, Ruling, Switch};

macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($(#[$meaning:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
        pub enum $name {
            $($(#[$meaning])* #[serde(rename = $word)] $variant),+
        }
        impl $name {
            /// The words, the default first.
            pub const WORDS: &'static [&'static str] = &[$($word),+];
        }
    };
}

words! {
    /// Which squares are palaces (W-01).
    PalaceLayout {
        /// The four corners.
        Corners = "corners",
        /// One on each side, turned clockwise from the middle.
        Pinwheel = "pinwheel",
        /// Its mirror image.
        PinwheelMirrored = "pinwheel_mirrored",
    }
}
words! {
    /// How cloud tiles face at the start (W-06).
    SetupOrientation {
        /// Each in a random direction.
        Random = "random",
        /// All as printed.
        Zero = "zero",
    }
}
words! {
    /// How the channels are filled at the start (W-07).
    Arrangement {
        /// Everybody at once, in secret.
        Simultaneous = "simultaneous",
        /// One after another, seeing those before.
        SequentialFromSeat0 = "sequential_from_seat0",
        /// By luck.
        Random = "random",
        /// As `fixed_arrangement` says.
        Fixed = "fixed",
    }
}
words! {
    /// Who gets the first Favor among equal visible totals (W-08).
    FavorTie {
        /// Luck decides.
        Random = "random",
        /// The lowest seat.
        LowestSeat = "lowest_seat",
    }
}
words! {
    /// Which tiles may be played without effect (W-09).
    PassAllowed {
        /// All except Call Djinn.
        AllBut6 = "all_but_6",
        /// All.
        All = "all",
        /// None, unless the tile has no other action.
        NeverIfPossible = "never_if_possible",
    }
}
words! {
    /// Which cloud tiles are adjacent for a swap (W-13).
    SwapAdjacency {
        /// Those with a common edge.
        Edge = "edge",
        /// Those with a common edge or corner.
        EdgeOrCorner = "edge_or_corner",
    }
}
words! {
    /// Whether a free action may grant a further wish (W-16).
    WishChain {
        /// No.
        Forbid = "forbid",
        /// Yes, up to `wish_chain_cap` free actions in a row.
        Allow = "allow",
    }
}
words! {
    /// The targets with two carpets a player (W-17).
    Targets34 {
        /// The two plain starting spaces.
        PlainTwo = "plain_two",
        /// Any two of the three.
        AnyTwoOfThree = "any_two_of_three",
    }
}
words! {
    /// Whose race is looked at after a tile (W-18).
    WinCheck {
        /// Everybody's, the player in turn first, then clockwise.
        AnyPlayer = "any_player",
        /// That of the player in turn.
        ActiveOnly = "active_only",
    }
}
words! {
    /// What counts as adjacent to a blocked target (W-19).
    BlockedAdjacent {
        /// One orthogonal step.
        Orthogonal = "orthogonal",
        /// Diagonal steps too.
        WithDiagonal = "with_diagonal",
    }
}

/// Where the starting spaces are: the table of the layout, or a list of twelve cells.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum StartCells {
    /// The word `table`.
    Table(TableWord),
    /// For each palace clockwise: a plain space, the dashed one, the other plain one; a space is
    /// 100 * row + column, both from 1.
    List(Vec<i64>),
}

/// The word that asks for the table of the layout.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum TableWord {
    /// `table`
    #[serde(rename = "table")]
    Table,
}

/// The switches of Sultans of Wind; [`SWITCHES`] says what each means.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Rules {
    pub palace_layout: PalaceLayout,
    pub start_cells: StartCells,
    pub seats3: Vec<usize>,
    pub cloud_set: String,
    pub setup_orientation: SetupOrientation,
    pub arrangement: Arrangement,
    pub fixed_arrangement: Vec<u32>,
    pub favor_tie: FavorTie,
    pub pass_allowed: PassAllowed,
    pub favor_on_null_8: bool,
    pub call_djinn_on_palace: bool,
    pub call_djinn_same_tile: bool,
    pub swap_adjacency: SwapAdjacency,
    pub palace_is_tile_for_wish: bool,
    pub wish_chain: WishChain,
    pub wish_chain_cap: u8,
    pub targets34: Targets34,
    pub win_check: WinCheck,
    pub blocked_adjacent: BlockedAdjacent,
    pub round_cap: u16,
}

/// The longest game that may be asked for, in rounds.
const LONGEST: i64 = 2000;
/// The most free actions in a row that may be asked for.
const LONGEST_CHAIN: i64 = 8;

/// Every switch, in the order of [`Rules`].
pub const SWITCHES: &[Switch] = &[
    Switch {
        key: "palace_layout",
        kind: Kind::Choice(PalaceLayout::WORDS),
        meaning: "which four squares are palaces",
    },
    Switch {
        key: "start_cells",
        kind: Kind::WordOrList("table", 12, 101, 1212),
        meaning: "starting spaces, three a palace with the dashed one in the middle, as 100 * row + column",
    },
    Switch {
        key: "seats3",
        kind: Kind::List(3, 0, 3),
        meaning: "the palaces of three players, clockwise (palaces count from 0)",
    },
    Switch { key: "cloud_set", kind: Kind::Path, meaning: "the patterns of the twelve cloud tiles" },
    Switch {
        key: "setup_orientation",
        kind: Kind::Choice(SetupOrientation::WORDS),
        meaning: "how cloud tiles face at the start",
    },
    Switch {
        key: "arrangement",
        kind: Kind::Choice(Arrangement::WORDS),
        meaning: "how the wind channels are filled at the start",
    },
    Switch {
        key: "fixed_arrangement",
        kind: Kind::PerSeat(1234, 8765),
        meaning: "the visible tiles for `arrangement = fixed`, leftmost first, as one number",
    },
    Switch {
        key: "favor_tie",
        kind: Kind::Choice(FavorTie::WORDS),
        meaning: "who gets the first Favor among equal totals",
    },
    Switch {
        key: "pass_allowed",
        kind: Kind::Choice(PassAllowed::WORDS),
        meaning: "which tiles may be played without effect",
    },
    Switch {
        key: "favor_on_null_8",
        kind: Kind::Bool,
        meaning: "Move Djinn wins the Favor also when the djinn stays",
    },
    Switch {
        key: "call_djinn_on_palace",
        kind: Kind::Bool,
        meaning: "Call Djinn may put the djinn on a palace",
    },
    Switch {
        key: "call_djinn_same_tile",
        kind: Kind::Bool,
        meaning: "Call Djinn may put the djinn on another cell of its tile",
    },
    Switch {
        key: "swap_adjacency",
        kind: Kind::Choice(SwapAdjacency::WORDS),
        meaning: "which cloud tiles are adjacent for a swap",
    },
    Switch {
        key: "palace_is_tile_for_wish",
        kind: Kind::Bool,
        meaning: "a meeting with the djinn on a palace grants a wish",
    },
    Switch {
        key: "wish_chain",
        kind: Kind::Choice(WishChain::WORDS),
        meaning: "whether a free action may grant a further wish",
    },
    Switch {
        key: "wish_chain_cap",
        kind: Kind::Int(1, LONGEST_CHAIN),
        meaning: "the most free actions in a row with `wish_chain = allow`",
    },
    Switch {
        key: "targets34",
        kind: Kind::Choice(Targets34::WORDS),
        meaning: "the targets with two carpets a player",
    },
    Switch {
        key: "win_check",
        kind: Kind::Choice(WinCheck::WORDS),
        meaning: "whose race is looked at after each tile",
    },
    Switch {
        key: "blocked_adjacent",
        kind: Kind::Choice(BlockedAdjacent::WORDS),
        meaning: "what counts as adjacent to a blocked target",
    },
    Switch {
        key: "round_cap",
        kind: Kind::Int(1, LONGEST),
        meaning: "the game is a draw after so many rounds",
    },
];

/// The palace squares of a layout, clockwise from the north (west).
pub const fn palace_squares(layout: PalaceLayout) -> [usize; 4] {
    match layout {
        PalaceLayout::Corners => [0, 3, 15, 12],
        PalaceLayout::Pinwheel => [1, 7, 14, 8],
        PalaceLayout::PinwheelMirrored => [2, 11, 13, 4],
    }
}

/// The starting spaces of a layout, as (row, column) from 0: for each palace a plain one, the dashed one,
/// the other plain one.
const fn start_table(layout: PalaceLayout) -> [[(usize, usize); 3]; 4] {
    match layout {
        PalaceLayout::Corners => [
            [(2, 0), (1, 1), (0, 2)],
            [(0, 9), (1, 10), (2, 11)],
            [(9, 11), (10, 10), (11, 9)],
            [(11, 2), (10, 1), (9, 0)],
        ],
        PalaceLayout::Pinwheel => [
            [(0, 3), (0, 4), (0, 5)],
            [(3, 11), (4, 11), (5, 11)],
            [(11, 8), (11, 7), (11, 6)],
            [(8, 0), (7, 0), (6, 0)],
        ],
        PalaceLayout::PinwheelMirrored => [
            [(0, 8), (0, 7), (0, 6)],
            [(6, 11), (7, 11), (8, 11)],
            [(11, 3), (11, 4), (11, 5)],
            [(5, 0), (4, 0), (3, 0)],
        ],
    }
}

fn conflict(reason: impl Into<String>) -> RuleError {
    RuleError::Conflict(reason.into())
}

impl Rules {
    /// The published game as ruled.
    pub fn published(seats: usize) -> Rules {
        Rules {
            palace_layout: PalaceLayout::Corners,
            start_cells: StartCells::Table(TableWord::Table),
            seats3: vec![0, 1, 2],
            cloud_set: "built-in".into(),
            setup_orientation: SetupOrientation::Random,
            arrangement: Arrangement::Simultaneous,
            fixed_arrangement: vec![1234; seats],
            favor_tie: FavorTie::Random,
            pass_allowed: PassAllowed::AllBut6,
            favor_on_null_8: false,
            call_djinn_on_palace: true,
            call_djinn_same_tile: true,
            swap_adjacency: SwapAdjacency::Edge,
            palace_is_tile_for_wish: true,
            wish_chain: WishChain::Forbid,
            wish_chain_cap: 8,
            targets34: Targets34::PlainTwo,
            win_check: WinCheck::AnyPlayer,
            blocked_adjacent: BlockedAdjacent::Orthogonal,
            round_cap: 200,
        }
    }

    /// Refuses switches that do not go together. The ranges of [`SWITCHES`] are looked at as well, since
    /// rules can be made without them.
    ///
    /// # Errors
    /// [`RuleError::Conflict`], saying which switch and why.
    pub fn validate(&self, seats: usize) -> Result<(), RuleError> {
        self.starting_spaces()?;
        self.palaces(seats)?;
        self.fixed(seats)?;
        if !(1..=LONGEST).contains(&self.round_cap.into()) {
            return Err(conflict(format!("round_cap must lie between 1 and {LONGEST}")));
        }
        if !(1..=LONGEST_CHAIN).contains(&self.wish_chain_cap.into()) {
            return Err(conflict(format!("wish_chain_cap must lie between 1 and {LONGEST_CHAIN}")));
        }
        Ok(())
    }

    /// The starting spaces of each palace, the dashed one in the middle.
    ///
    /// # Errors
    /// [`RuleError::Conflict`] if a listed space is not on its palace or is named twice.
    pub fn starting_spaces(&self) -> Result<[[Cell; 3]; 4], RuleError> {
        let list = match &self.start_cells {
            StartCells::Table(_) => {
                let table = start_table(self.palace_layout);
                return Ok(table.map(|palace| palace.map(|(row, column)| Cell::at(row, column))));
            }
            StartCells::List(list) => list,
        };
        if list.len() != 12 {
            return Err(conflict(format!("start_cells names {} spaces, expected 12", list.len())));
        }
        let mut spaces = [[Cell::OFF; 3]; 4];
        for (at, &space) in list.iter().enumerate() {
            let (row, column) = (space / 100, space % 100);
            if !(1..=12).contains(&row) || !(1..=12).contains(&column) {
                return Err(conflict(format!("start_cells: {space} is no space of the board")));
            }
            let cell = Cell::at(row as usize - 1, column as usize - 1);
            let (palace, place) = (at / 3, at % 3);
            // Only palace cells are free on every board.
            if cell.square() != palace_squares(self.palace_layout)[palace] {
                return Err(conflict(format!("start_cells: {space} does not lie on palace {palace}")));
            }
            if spaces[palace].contains(&cell) {
                return Err(conflict(format!("start_cells: {space} is named twice")));
            }
            spaces[palace][place] = cell;
        }
        Ok(spaces)
    }

    /// The palace of each seat.
    ///
    /// # Errors
    /// [`RuleError::Conflict`] if `seats3` does not name three palaces in clockwise order.
    pub fn palaces(&self, seats: usize) -> Result<Vec<usize>, RuleError> {
        let clockwise = match *self.seats3.as_slice() {
            [a, b, c] if a.max(b).max(c) < 4 => {
                let (second, third) = ((b + 4 - a) % 4, (c + 4 - a) % 4);
                0 < second && second < third
            }
            _ => false,
        };
        if !clockwise {
            return Err(conflict("seats3 must name three different palaces (0 to 3) in clockwise order"));
        }
        Ok(match seats {
            2 => vec![0, 2],
            3 => self.seats3.clone(),
            _ => vec![0, 1, 2, 3],
        })
    }

    /// The visible tiles of each seat with `arrangement = fixed`.
    ///
    /// # Errors
    /// [`RuleError::Conflict`] if there is none for a seat, or it does not name four different tiles.
    pub fn fixed(&self, seats: usize) -> Result<Vec<Visible>, RuleError> {
        if self.fixed_arrangement.len() != seats {
            let found = self.fixed_arrangement.len();
            return Err(conflict(format!("fixed_arrangement has {found} entries for {seats} players")));
        }
        let visible = |&number: &u32| {
            let tiles = [number / 1000, number / 100 % 10, number / 10 % 10, number % 10];
            let different = (0..4).all(|at| !tiles[..at].contains(&tiles[at]));
            if different && tiles.iter().all(|tile| (1..=8).contains(tile)) {
                Ok(tiles.map(|tile| tile as u8))
            } else {
                Err(conflict(format!("fixed_arrangement: {number} does not name four different tiles")))
            }
        };
        self.fixed_arrangement.iter().map(visible).collect()
    }
}

/// What the rulebook leaves open, and how it was decided.
pub const RULINGS: &[Ruling] = &[
    Ruling {
        id: "W-01",
        key: Some("palace_layout"),
        question: "Which four of the sixteen squares hold the palaces?",
        readings: &["the corners", "one on each side, like a pinwheel", "its mirror image"],
        reason: "A side of four squares has no middle, so only corners are fully symmetric; seen from seats \
                 along the sides, the opposite side is then the diagonal corner; and from pinwheel palaces one \
                 strong tile nearly crosses the board.",
    },
    Ruling {
        id: "W-02",
        key: None,
        question: "Which cells of a palace can be entered?",
        readings: &["all nine"],
        reason: "Clouds are spoken of on cloud tiles only.",
    },
    Ruling {
        id: "W-03",
        key: Some("start_cells"),
        question: "Where on a palace are the starting spaces, and which one is dashed?",
        readings: &["a symmetric line of three with the dashed one in the middle", "a table of one's own"],
        reason: "All three can be reached from inside the palace in any order, so two arrived carpets never \
                 seal the third space.",
    },
    Ruling {
        id: "W-04",
        key: Some("seats3"),
        question: "Which palaces do three players take?",
        readings: &["the first three clockwise", "any three, in clockwise order"],
        reason: "One player then faces an empty palace, as the questions and answers foresee.",
    },
    Ruling {
        id: "W-05",
        key: Some("cloud_set"),
        question: "Which five cells are blocked on each cloud tile?",
        readings: &["a constructed set", "a file"],
        reason: "The patterns are only printed. Exactly eleven patterns, up to turning, have a free passage \
                 between opposite sides; with the corner block, the only other one whose free cells hang \
                 together, they are twelve.",
    },
    Ruling {
        id: "W-06",
        key: Some("setup_orientation"),
        question: "How do the cloud tiles face at the start?",
        readings: &["each at random", "as printed"],
        reason: "Tiles that are spread at random have no common direction.",
    },
    Ruling {
        id: "W-07",
        key: Some("arrangement"),
        question: "In which order do players fill their channels?",
        readings: &["all at once", "one after another", "at random", "as given"],
        reason: "No order is named, and nobody has the Favor yet.",
    },
    Ruling {
        id: "W-08",
        key: Some("favor_tie"),
        question: "Who gets the first Favor when the highest visible totals are equal?",
        readings: &["luck decides", "the lowest seat"],
        reason: "The rulebook asks about the players' travels; to a program that is luck.",
    },
    Ruling {
        id: "W-09",
        key: Some("pass_allowed"),
        question: "May a tile be played without effect?",
        readings: &["all but Call Djinn", "all", "only when nothing else is possible"],
        reason: "Every tile but Call Djinn is worded as a permission.",
    },
    Ruling {
        id: "W-10",
        key: Some("favor_on_null_8"),
        question: "Does Move Djinn win the Favor when the djinn stays where it is?",
        readings: &["no", "yes"],
        reason: "The Favor is won by moving the pawn.",
    },
    Ruling {
        id: "W-11",
        key: None,
        question: "How does the djinn move?",
        readings: &["like a carpet: orthogonally, around clouds and pawns"],
        reason: "The ban on clouds and occupied spaces speaks of pawns. It may stand on a cloud from the \
                 set-up; it can leave that cell and not come back, and may be stuck.",
    },
    Ruling {
        id: "W-12",
        key: Some("call_djinn_on_palace"),
        question: "May Call Djinn put the djinn on a palace?",
        readings: &["yes, if no carpet is there", "no"],
        reason: "Palaces count as cloud tiles except for swaps and turns. `call_djinn_same_tile` says whether \
                 another cell of its own tile will do; the cell where it stands is occupied and never will.",
    },
    Ruling {
        id: "W-13",
        key: Some("swap_adjacency"),
        question: "Which cloud tiles are adjacent?",
        readings: &["those with a common edge", "those with a common edge or corner"],
        reason: "Adjacent spaces are orthogonal everywhere else in the rules.",
    },
    Ruling {
        id: "W-14",
        key: None,
        question: "Is a turn that changes nothing an action?",
        readings: &["no: it is the same as passing, and turns with equal results count once"],
        reason: "It keeps the list of actions free of doubles.",
    },
    Ruling {
        id: "W-15",
        key: Some("palace_is_tile_for_wish"),
        question: "Does meeting the djinn on a palace grant a wish?",
        readings: &["yes", "no"],
        reason: "Palaces count as cloud tiles; only the square where the movement ends matters.",
    },
    Ruling {
        id: "W-16",
        key: Some("wish_chain"),
        question: "Can the free action of a wish grant another wish?",
        readings: &["no", "yes, up to `wish_chain_cap` in a row"],
        reason: "The djinn says that one cannot wish for more wishes.",
    },
    Ruling {
        id: "W-17",
        key: Some("targets34"),
        question: "Is the dashed space a target for three and four players?",
        readings: &["no", "yes: any two of the three"],
        reason: "It stays empty at the start, so it is no starting space of these games.",
    },
    Ruling {
        id: "W-18",
        key: Some("win_check"),
        question: "Does a race end that another player's tile completes?",
        readings: &["yes, at once", "only after a tile of one's own"],
        reason: "A swap, a turn or the djinn can complete it, and the state of the board counts. The player in \
                 turn is looked at first, then clockwise.",
    },
    Ruling {
        id: "W-19",
        key: Some("blocked_adjacent"),
        question: "From where is a blocked target reached?",
        readings: &["from one orthogonal step away", "also diagonally"],
        reason: "Steps are orthogonal. One's own carpet on a target does not block it, and a cell beside a \
                 target may lie on a cloud tile.",
    },
    Ruling {
        id: "W-20",
        key: Some("round_cap"),
        question: "Does a game end that nobody can win?",
        readings: &["as a draw after 200 rounds", "after another number"],
        reason: "The rulebook has no such end, and careless players may never arrive.",
    },
];
