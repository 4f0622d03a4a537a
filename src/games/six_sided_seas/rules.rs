//! The switches of *Six-Sided Seas*, their ranges, and how every open question of the rulebook was decided.
//!
//! The rulebook leaves twenty-seven things open (S-01 to S-27). Each has a default and, where another answer
//! makes sense, a switch. The plain numbers of the rulebook are switches too.

use serde::{Deserialize, Serialize};

use crate::games::switches::{Kind, RuleError, Ruling, Switch};

/// Declares a switch with named answers; the first is the default.
macro_rules! choice {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
        pub enum $name { $($(#[$variant_doc])* #[serde(rename = $word)] $variant,)+ }

        impl $name {
            /// The answers as they are typed, the default first.
            pub const WORDS: &'static [&'static str] = &[$($word),+];
        }
    };
}

choice! {
    /// S-01: which dice fill Plunder.
    PlunderDice {
        /// Two equal odd dice.
        PairEqualOdd = "pair_equal_odd",
        /// Two equal dice.
        PairEqualAny = "pair_equal_any",
        /// Two dice that add to 7.
        PairSum7 = "pair_sum_7",
        /// Two dice, each a 1 or a 2.
        TwoOf12 = "two_of_1_2",
        /// Two dice, each a 5 or a 6.
        TwoOf56 = "two_of_5_6",
        /// Two dice that add to 9 or more.
        PairSumGe9 = "pair_sum_ge_9",
        /// Three equal dice; Plunder then has three spaces.
        TripleEqual = "triple_equal",
    }
}
choice! {
    /// S-02: whether a player can run out of dice.
    SupplyLimit {
        /// What needs a die from an empty supply is not possible.
        Hard = "hard",
        /// There is always another die.
        Unlimited = "unlimited",
    }
}
choice! {
    /// S-03: whether a hull die that is no longer needed joins the supply.
    HpDice {
        /// Both stay where they are.
        Reserved = "reserved",
        /// The hull is shown with as few dice as will do; the others are supply.
        Released = "released",
    }
}
choice! {
    /// S-04: whether dice on the own ship may be given up.
    RemovePlaced {
        /// No.
        Never = "never",
        /// In the Order phase any of them may go back to the supply.
        AnyOwn = "any_own",
    }
}
choice! {
    /// S-05: what islands may do in the Roll phase.
    RollIslands {
        /// All four that touch dice, between rolls and when overboard.
        AnyTime = "any_time",
        /// Lucky Reef and Noodles alone, and only when overboard.
        AvertOnly = "avert_only",
    }
}
choice! {
    /// S-08: whether a filled action waits.
    FullPersist {
        /// It waits until its owner activates it.
        Persist = "persist",
        /// The die that fills it activates it.
        AutoActivate = "auto_activate",
    }
}
choice! {
    /// S-09: which dice islands may touch.
    IslandScope {
        /// Those in the pool.
        PoolOnly = "pool_only",
        /// Also those on the own ship, if the result still fits.
        PoolAndShip = "pool_and_ship",
    }
}
choice! {
    /// S-10: who may be sent grog.
    GrogTargets {
        /// Everybody else.
        Others = "others",
        /// The sender too.
        Any = "any",
    }
}
choice! {
    /// S-12: whether the two effects of a doubled action are aimed apart.
    DoubleTargets {
        /// Each is aimed afresh.
        Independent = "independent",
        /// The second hits the same ship, or claims the same island.
        Same = "same",
    }
}
choice! {
    /// S-13a: what Send Grog does to a pending doubling.
    DoubleOnGrog {
        /// Nothing: the doubling waits for the next action.
        Persist = "persist",
        /// It uses the doubling up for nothing.
        Wasted = "wasted",
        /// It may not be activated meanwhile.
        Forbid = "forbid",
    }
}
choice! {
    /// S-13b: Double Time while a doubling is pending.
    DoubleDouble {
        /// Not allowed.
        Forbid = "forbid",
        /// The next two actions are doubled.
        NextTwo = "next_two",
        /// The next action takes place four times (eight times after a third, and so on).
        Quadruple = "quadruple",
    }
}
choice! {
    /// S-13c: how long a doubling waits.
    DoubleExpiry {
        /// Until the end of the turn.
        EndOfTurn = "end_of_turn",
        /// Until it is used.
        Never = "never",
    }
}
choice! {
    /// S-14: Obninsk and the two dice of the Main Cannon.
    ObninskMain {
        /// One more damage if either is a 4 or a 6.
        OncePerFire = "once_per_fire",
        /// One more damage for each 4 or 6.
        PerDie = "per_die",
    }
}
choice! {
    /// S-15: when a shot of the Main Cannon that is evaded in part still blocks a space.
    MainBlockIf {
        /// If the hull lost anything.
        AnyHpLost = "any_hp_lost",
        /// If no Evade die was used.
        NothingEvaded = "nothing_evaded",
    }
}
choice! {
    /// S-17: which spaces the Main Cannon may block.
    MainBlockScope {
        /// All.
        AnyShipSpace = "any_ship_space",
        /// All but Evade.
        NotEvade = "not_evade",
        /// Neither Hold nor Evade.
        ActionsOnly = "actions_only",
    }
}
choice! {
    /// S-19: when a coin limit is held against the winning limit.
    PlunderTiming {
        /// At every gain.
        Immediate = "immediate",
        /// At the end of the turn.
        EndOfTurn = "end_of_turn",
    }
}
choice! {
    /// S-20: which Evade dice go when not all have to.
    EvadeRemoval {
        /// Their owner says.
        DefenderChoice = "defender_choice",
        /// The lowest.
        Lowest = "lowest",
        /// The highest.
        Highest = "highest",
    }
}
choice! {
    /// S-25: when a resurrected captain takes the new turn.
    ResurrectTurn {
        /// At once: the ghost's turn ends there.
        Immediate = "immediate",
        /// After the rest of the ghost's turn.
        AfterGhostTurn = "after_ghost_turn",
    }
}
choice! {
    /// S-26: the dice on the ship of a resurrected captain.
    ResurrectKeepDice {
        /// They stay.
        Keep = "keep",
        /// They return to the supply.
        Clear = "clear",
    }
}

/// All switches. The defaults ([`Rules::published`]) are the published game as ruled.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// Coin limit of each seat at the start; below `plunder_win_at`.
    pub starting_coins: Vec<u8>,
    /// Hull points at the start, 1 to 12.
    pub starting_hp: u8,
    /// Coins of one Plunder without Treasure Island.
    pub plunder_gain: u8,
    /// The coin limit that wins.
    pub plunder_win_at: u8,
    /// Islands that win at the start of a turn; 7 is never.
    pub islands_to_win: u8,
    /// Coins of a Jackpot.
    pub jackpot_gain: u8,
    /// Coin limit of a resurrected captain; below `plunder_win_at`.
    pub resurrect_coins: u8,
    /// Dice of one colour, the two for the hull included.
    pub dice_per_player: u8,
    /// S-21: turns after which the game is drawn.
    pub turn_cap: u16,
    /// S-01.
    pub plunder_requirement: PlunderDice,
    /// S-02.
    pub supply_limit: SupplyLimit,
    /// S-03.
    pub hp_dice: HpDice,
    /// S-04.
    pub remove_placed: RemovePlaced,
    /// S-05.
    pub roll_islands: RollIslands,
    /// S-06: whether the coin of a Jackpot may win.
    pub jackpot_can_win: bool,
    /// S-08.
    pub full_persist: FullPersist,
    /// S-09.
    pub island_scope: IslandScope,
    /// S-10.
    pub grog_targets: GrogTargets,
    /// S-11: whether a second grog spoils a second die.
    pub grog_stack: bool,
    /// S-12.
    pub double_targets: DoubleTargets,
    /// S-13a.
    pub double_on_grog: DoubleOnGrog,
    /// S-13b.
    pub double_double: DoubleDouble,
    /// S-13c.
    pub double_expiry: DoubleExpiry,
    /// S-14.
    pub obninsk_main: ObninskMain,
    /// S-15.
    pub main_block_if: MainBlockIf,
    /// S-16: whether a space must be blocked.
    pub main_block_mandatory: bool,
    /// S-17.
    pub main_block_scope: MainBlockScope,
    /// S-18: whether Evade does nothing while one of its spaces is blocked.
    pub evade_block_disables: bool,
    /// S-19.
    pub plunder_timing: PlunderTiming,
    /// S-20.
    pub evade_removal: EvadeRemoval,
    /// S-23: whether the blocking dice of a sunk captain are lifted.
    pub ghost_lifts_blocks: bool,
    /// S-24: whether dice on a ghost ship stay from turn to turn.
    pub ghost_persist: bool,
    /// S-25.
    pub resurrect_turn: ResurrectTurn,
    /// S-26.
    pub resurrect_keep_dice: ResurrectKeepDice,
}

/// How many dice show a hull.
pub const HP_DICE: u8 = 2;
/// The most Double Times that may wait under `quadruple`: 2^8 effects. A further one is not offered.
pub const MAX_QUADRUPLE: u8 = 8;
/// The most Double Times that may wait under `next_two`.
pub const MAX_NEXT_TWO: u8 = 100;
/// The highest coin limit that is counted (reached only under `plunder_timing = end_of_turn`).
pub const MAX_COIN: u8 = 250;

/// Starting coins as printed: the later a seat, the higher.
const PUBLISHED_COINS: [&[u8]; 3] = [&[12, 13], &[12, 13, 13], &[12, 12, 13, 13]];

impl Rules {
    /// The published game for `seats` players (2 to 4).
    pub fn published(seats: usize) -> Rules {
        Rules {
            starting_coins: PUBLISHED_COINS[seats.clamp(2, 4) - 2].to_vec(),
            starting_hp: 12,
            plunder_gain: 2,
            plunder_win_at: 22,
            islands_to_win: 4,
            jackpot_gain: 1,
            resurrect_coins: 12,
            dice_per_player: 16,
            turn_cap: 1000,
            plunder_requirement: PlunderDice::PairEqualOdd,
            supply_limit: SupplyLimit::Hard,
            hp_dice: HpDice::Reserved,
            remove_placed: RemovePlaced::Never,
            roll_islands: RollIslands::AnyTime,
            jackpot_can_win: true,
            full_persist: FullPersist::Persist,
            island_scope: IslandScope::PoolOnly,
            grog_targets: GrogTargets::Others,
            grog_stack: false,
            double_targets: DoubleTargets::Independent,
            double_on_grog: DoubleOnGrog::Persist,
            double_double: DoubleDouble::Forbid,
            double_expiry: DoubleExpiry::EndOfTurn,
            obninsk_main: ObninskMain::OncePerFire,
            main_block_if: MainBlockIf::AnyHpLost,
            main_block_mandatory: true,
            main_block_scope: MainBlockScope::AnyShipSpace,
            evade_block_disables: true,
            plunder_timing: PlunderTiming::Immediate,
            evade_removal: EvadeRemoval::DefenderChoice,
            ghost_lifts_blocks: true,
            ghost_persist: true,
            resurrect_turn: ResurrectTurn::Immediate,
            resurrect_keep_dice: ResurrectKeepDice::Keep,
        }
    }

    /// Checks what the single ranges of [`SWITCHES`] cannot say, and those ranges too for rules that were
    /// not read through them.
    ///
    /// # Errors
    /// [`RuleError::Conflict`] with one sentence.
    pub fn validate(&self, seats: usize) -> Result<(), RuleError> {
        let conflict = |text: String| Err(RuleError::Conflict(text));
        if self.starting_coins.len() != seats {
            let count = self.starting_coins.len();
            return conflict(format!("starting_coins names {count} seats, but {seats} play"));
        }
        let ranges = [
            ("starting_hp", self.starting_hp as i64, STARTING_HP),
            ("plunder_gain", self.plunder_gain as i64, GAIN),
            ("plunder_win_at", self.plunder_win_at as i64, WIN_AT),
            ("islands_to_win", self.islands_to_win as i64, ISLANDS),
            ("jackpot_gain", self.jackpot_gain as i64, GAIN),
            ("dice_per_player", self.dice_per_player as i64, DICE),
            ("turn_cap", self.turn_cap as i64, TURNS),
        ];
        for (key, value, (low, high)) in ranges {
            if !(low..=high).contains(&value) {
                return conflict(format!("{key} cannot be {value}: expected {low} to {high}"));
            }
        }
        let win_at = self.plunder_win_at;
        let coins = self.starting_coins.iter().map(|&coin| ("a starting coin", coin));
        for (what, coin) in coins.chain([("resurrect_coins", self.resurrect_coins)]) {
            if coin == 0 || coin >= win_at {
                return conflict(format!(
                    "{what} cannot be {coin}: it must lie from 1 to {}, below plunder_win_at",
                    win_at - 1
                ));
            }
        }
        Ok(())
    }

    /// Spaces of Plunder.
    pub fn plunder_spaces(&self) -> u8 {
        if self.plunder_requirement == PlunderDice::TripleEqual { 3 } else { 2 }
    }

    /// The dice that a player's supply starts from, before those in use are taken away.
    pub fn supply_base(&self, hp: u8, ghost: bool) -> i8 {
        let hull = match (self.hp_dice, ghost) {
            (HpDice::Reserved, _) => HP_DICE,
            (HpDice::Released, true) => 0,
            (HpDice::Released, false) => hp.div_ceil(6),
        };
        self.dice_per_player as i8 - hull as i8
    }
}

const STARTING_HP: (i64, i64) = (1, 12);
const GAIN: (i64, i64) = (0, 9);
const WIN_AT: (i64, i64) = (8, 32);
const ISLANDS: (i64, i64) = (1, 7);
const DICE: (i64, i64) = (4, 40);
const TURNS: (i64, i64) = (1, 10_000);
const COINS: (i64, i64) = (1, WIN_AT.1 - 1);

const fn int(key: &'static str, range: (i64, i64), meaning: &'static str) -> Switch {
    Switch { key, kind: Kind::Int(range.0, range.1), meaning }
}
const fn word(key: &'static str, words: &'static [&'static str], meaning: &'static str) -> Switch {
    Switch { key, kind: Kind::Choice(words), meaning }
}
const fn flag(key: &'static str, meaning: &'static str) -> Switch {
    Switch { key, kind: Kind::Bool, meaning }
}

/// Every switch, in the order of the fields of [`Rules`].
pub const SWITCHES: &[Switch] = &[
    Switch {
        key: "starting_coins",
        kind: Kind::PerSeat(COINS.0, COINS.1),
        meaning: "coin limit of each seat at the start, below plunder_win_at",
    },
    int("starting_hp", STARTING_HP, "hull points at the start"),
    int("plunder_gain", GAIN, "coins of one Plunder without Treasure Island"),
    int("plunder_win_at", WIN_AT, "the coin limit that wins"),
    int("islands_to_win", ISLANDS, "islands that win at the start of a turn; 7 is never"),
    int("jackpot_gain", GAIN, "coins of a Jackpot"),
    int("resurrect_coins", COINS, "coin limit of a resurrected captain, below plunder_win_at"),
    int("dice_per_player", DICE, "dice of one colour, the two for the hull included"),
    int("turn_cap", TURNS, "turns of all players together after which the game is drawn (S-21)"),
    word("plunder_requirement", PlunderDice::WORDS, "which dice fill Plunder (S-01)"),
    word("supply_limit", SupplyLimit::WORDS, "whether a player can run out of dice (S-02)"),
    word("hp_dice", HpDice::WORDS, "whether a hull die that is not needed joins the supply (S-03)"),
    word("remove_placed", RemovePlaced::WORDS, "whether dice on the own ship may be given up (S-04)"),
    word("roll_islands", RollIslands::WORDS, "what islands may do in the Roll phase (S-05)"),
    flag("jackpot_can_win", "whether the coin of a Jackpot may win (S-06)"),
    word("full_persist", FullPersist::WORDS, "whether a filled action waits to be activated (S-08)"),
    word("island_scope", IslandScope::WORDS, "which dice islands may touch (S-09)"),
    word("grog_targets", GrogTargets::WORDS, "who may be sent grog (S-10)"),
    flag("grog_stack", "whether a second grog spoils a second die (S-11)"),
    word("double_targets", DoubleTargets::WORDS, "whether both effects are aimed apart (S-12)"),
    word("double_on_grog", DoubleOnGrog::WORDS, "what Send Grog does to a pending doubling (S-13a)"),
    word("double_double", DoubleDouble::WORDS, "Double Time while a doubling is pending (S-13b)"),
    word("double_expiry", DoubleExpiry::WORDS, "how long a doubling waits (S-13c)"),
    word("obninsk_main", ObninskMain::WORDS, "Obninsk and the two dice of the Main Cannon (S-14)"),
    word("main_block_if", MainBlockIf::WORDS, "when a partly evaded Main Cannon still blocks (S-15)"),
    flag("main_block_mandatory", "whether the Main Cannon must block a space (S-16)"),
    word("main_block_scope", MainBlockScope::WORDS, "which spaces the Main Cannon may block (S-17)"),
    flag("evade_block_disables", "whether Evade is of no use while one of its spaces is blocked (S-18)"),
    word(
        "plunder_timing",
        PlunderTiming::WORDS,
        "when the coin limit is held against the winning one (S-19)",
    ),
    word("evade_removal", EvadeRemoval::WORDS, "which Evade dice go when not all have to (S-20)"),
    flag("ghost_lifts_blocks", "whether the blocking dice of a sunk captain are lifted (S-23)"),
    flag("ghost_persist", "whether dice on a ghost ship stay from turn to turn (S-24)"),
    word("resurrect_turn", ResurrectTurn::WORDS, "when a resurrected captain takes the new turn (S-25)"),
    word("resurrect_keep_dice", ResurrectKeepDice::WORDS, "the dice on a resurrected captain's ship (S-26)"),
];

const BOOL_TRUE: &[&str] = &["true", "false"];
const BOOL_FALSE: &[&str] = &["false", "true"];

const fn ruling(
    id: &'static str,
    key: Option<&'static str>,
    question: &'static str,
    readings: &'static [&'static str],
    reason: &'static str,
) -> Ruling {
    Ruling { id, key, question, readings, reason }
}

/// Every open question of the rulebook, S-01 to S-27.
pub const RULINGS: &[Ruling] = &[
    ruling(
        "S-01",
        Some("plunder_requirement"),
        "Plunder is named, doubled and counted, but the table of actions does not give its dice.",
        PlunderDice::WORDS,
        "Two equal odd dice mirror Double Time's two equal even ones, overlap no other action and give low \
         odd dice a use. The other readings change the length of games little, so this can be put right \
         later without harm.",
    ),
    ruling(
        "S-02",
        Some("supply_limit"),
        "What happens when all dice of a colour are in use?",
        SupplyLimit::WORDS,
        "The dice are physical. An empty supply means no roll, no Jackpot die, no Mitosis and no bump of a 6; \
         who cannot even roll once goes straight to the Order phase, and a grog that waited is spent. A \
         ghost whose supply is empty rolls no further die.",
    ),
    ruling(
        "S-03",
        Some("hp_dice"),
        "Is a hull die free for other use once 6 hull points or fewer are left?",
        HpDice::WORDS,
        "The two dice are set aside for the hull at the start and nothing gives them back.",
    ),
    ruling(
        "S-04",
        Some("remove_placed"),
        "May a player take a placed die off the own ship?",
        RemovePlaced::WORDS,
        "Only Hold is said to give a die back. Under any_own the die goes to the supply, not to the pool, \
         or the Order phase would have no end.",
    ),
    ruling(
        "S-05",
        Some("roll_islands"),
        "Which islands work in the Roll phase?",
        RollIslands::WORDS,
        "Islands may be used at any time in a turn, and the leave to pass the limit with them in the Order \
         phase would be empty if they could not be used before. The total is looked at again after each \
         use, so a Jackpot can be made with them.",
    ),
    ruling(
        "S-06",
        Some("jackpot_can_win"),
        "Does the coin of a Jackpot win at the winning limit?",
        BOOL_TRUE,
        "The victory asks for the limit, not for where it came from. Under false such a gain stops one coin \
         short of the winning limit.",
    ),
    ruling(
        "S-07",
        None,
        "When can a held die be taken back, and does it count?",
        &["in a later turn's Order phase, without counting"],
        "It says a future Order phase; the die never counts against the limit, and Hold may be filled again \
         at once.",
    ),
    ruling(
        "S-08",
        Some("full_persist"),
        "Must a filled action be activated in the same turn?",
        FullPersist::WORDS,
        "Activation is a step of its own that the player takes; nothing makes a filled action go off or \
         empties it.",
    ),
    ruling(
        "S-09",
        Some("island_scope"),
        "Which dice may Bump Isle, Lucky Reef, Mitosis Cove and Noodles touch?",
        IslandScope::WORDS,
        "All four speak of rolled dice, and a placed die is no longer looked at. The grog die is exempt by \
         the rules. Under pool_and_ship the result must fit its action; a rerolled die that does not fit \
         returns to the supply, and Mitosis Cove still splits pool dice alone.",
    ),
    ruling(
        "S-10",
        Some("grog_targets"),
        "May grog be sent to oneself?",
        GrogTargets::WORDS,
        "It is a hindrance; choosing a player means another one. Ghosts may be chosen.",
    ),
    ruling(
        "S-11",
        Some("grog_stack"),
        "Do two grogs on one player add up?",
        BOOL_FALSE,
        "The effect names the first die, and there is only one first die. Under true the first k dice are \
         spoiled, a Jackpot die among them; what is left at the end of the turn lapses.",
    ),
    ruling(
        "S-12",
        Some("double_targets"),
        "Are both effects of a doubled action aimed at the same thing?",
        DoubleTargets::WORDS,
        "The effect is performed twice, and choosing is part of it. The blocked space is chosen afresh in \
         any case.",
    ),
    ruling(
        "S-13a",
        Some("double_on_grog"),
        "What becomes of a pending doubling when Send Grog, which cannot be doubled, comes next?",
        DoubleOnGrog::WORDS,
        "What cannot be doubled does not use a doubling up; the same holds for Hold and Evade.",
    ),
    ruling(
        "S-13b",
        Some("double_double"),
        "May Double Time be activated while a doubling is pending?",
        DoubleDouble::WORDS,
        "Doubling a doubling is not described. For the sake of a finite game at most 8 may wait under \
         quadruple and at most 100 under next_two.",
    ),
    ruling(
        "S-13c",
        Some("double_expiry"),
        "How long does a doubling wait?",
        DoubleExpiry::WORDS,
        "It speaks of the next action, and actions belong to a turn's Order phase.",
    ),
    ruling(
        "S-14",
        Some("obninsk_main"),
        "Does Obninsk count both dice of the Main Cannon?",
        ObninskMain::WORDS,
        "It adds one damage when a cannon is fired with such a die; a cannon is fired once.",
    ),
    ruling(
        "S-15",
        Some("main_block_if"),
        "Is a shot of two damage, one of them evaded, evaded?",
        MainBlockIf::WORDS,
        "Each Evade die evades one point; a shot that still costs hull has come through.",
    ),
    ruling(
        "S-16",
        Some("main_block_mandatory"),
        "May the shooter do without the blocking die?",
        BOOL_TRUE,
        "The effect says what is done, not what may be done.",
    ),
    ruling(
        "S-17",
        Some("main_block_scope"),
        "Which spaces may be blocked?",
        MainBlockScope::WORDS,
        "Hold and Evade are called actions and have spaces. Hull dice and the coin track are neither. A \
         blocked space is not blocked again.",
    ),
    ruling(
        "S-18",
        Some("evade_block_disables"),
        "Does a blocked Evade space put the other two out of use?",
        BOOL_TRUE,
        "The action with a blocked space cannot be used, and Evade is an action. Its other dice stay and do \
         nothing until the block is lifted.",
    ),
    ruling(
        "S-19",
        Some("plunder_timing"),
        "When is the coin limit held against the winning one?",
        PlunderTiming::WORDS,
        "The other two victories say when they are looked at; this one does not, so it holds as soon as it \
         is true.",
    ),
    ruling(
        "S-20",
        Some("evade_removal"),
        "Who says which Evade dice go when some stay?",
        EvadeRemoval::WORDS,
        "The owner removes them. It matters only for what may be added later; nobody is asked when all go.",
    ),
    ruling(
        "S-21",
        Some("turn_cap"),
        "Can a game go on for ever?",
        &["1000 turns of all players together, then a draw"],
        "Nothing forces progress. The draw is called at the end of that turn; ghosts share it.",
    ),
    ruling(
        "S-22",
        None,
        "Can a ghost be shot at, or be sent grog?",
        &["no cannon can aim at a ghost; grog can be sent to one"],
        "A ghost has no hull to lose, but it rolls dice.",
    ),
    ruling(
        "S-23",
        Some("ghost_lifts_blocks"),
        "Do the blocking dice of a sunk captain leave other ships?",
        BOOL_TRUE,
        "All dice of that captain leave play. Blocks that lie on the sunk ship stay until its next turn ends.",
    ),
    ruling(
        "S-24",
        Some("ghost_persist"),
        "Do dice on a ghost ship stay until its next turn?",
        BOOL_TRUE,
        "Partly filled actions stay, and a ghost's actions are the same actions.",
    ),
    ruling(
        "S-25",
        Some("resurrect_turn"),
        "Does the new turn of a resurrected captain begin at once?",
        ResurrectTurn::WORDS,
        "It says immediately: the ghost's turn ends with its clean-up, and a second effect that was pending \
         is dropped. Play then goes on clockwise.",
    ),
    ruling(
        "S-26",
        Some("resurrect_keep_dice"),
        "Does the ship of a resurrected captain keep its dice?",
        ResurrectKeepDice::WORDS,
        "Nothing tells the captain to remove them.",
    ),
    ruling(
        "S-27",
        None,
        "Who wins when a ghost sinks the last living captain?",
        &["the ghost: it comes back to life before the last living captain is looked for"],
        "The victim becomes a ghost, the killer is resurrected, and only then is there one living captain.",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::switches::table_of;

    #[test]
    fn every_field_has_its_switch_in_the_same_order() {
        let fields: Vec<String> = table_of(&Rules::published(3)).keys().cloned().collect();
        let keys: Vec<&str> = SWITCHES.iter().map(|switch| switch.key).collect();
        let (mut sorted_fields, mut sorted_keys) = (fields.clone(), keys.clone());
        sorted_fields.sort();
        sorted_keys.sort();
        assert_eq!(sorted_fields, sorted_keys);
    }

    #[test]
    fn the_default_of_a_switch_is_the_first_reading_of_its_ruling() {
        let table = table_of(&Rules::published(2));
        for ruling in RULINGS.iter().filter(|ruling| ruling.id != "S-21") {
            let Some(key) = ruling.key else { continue };
            let value = crate::games::switches::show_value(&table[key]);
            assert_eq!(value, ruling.readings[0], "{key}");
        }
    }

    #[test]
    fn the_rulings_are_complete() {
        for number in 1..=27 {
            let id = format!("S-{number:02}");
            assert!(RULINGS.iter().any(|ruling| ruling.id.starts_with(&id)), "{id}");
        }
    }

    #[test]
    fn coins_must_lie_below_the_winning_limit() {
        let mut rules = Rules::published(2);
        rules.starting_coins = vec![12, 22];
        assert!(rules.validate(2).unwrap_err().to_string().contains("plunder_win_at"));
        rules.starting_coins = vec![12, 21];
        assert!(rules.validate(2).is_ok());
        assert!(rules.validate(3).unwrap_err().to_string().contains("starting_coins"));
        rules.plunder_win_at = 12;
        assert!(rules.validate(2).is_err());
    }
}
