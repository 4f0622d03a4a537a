//! The rule switches of Alhambra with the Power of the Sultan, and how each open question was decided.

use serde::{Deserialize, Serialize};

use crate::games::switches::{Kind, RuleError, Ruling, Switch};

/// The switches of one match. Defaults are the published game as ruled.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// Who starts when fewest cards and lowest total leave several.
    pub start_tie: StartTie,
    /// Whether an exact payment gives another action.
    pub extra_action: bool,
    /// Whether that action may be declined.
    pub allow_decline_extra_action: bool,
    /// Which sets of cards may pay.
    pub payment_sets: PaymentSets,
    /// Steps by which empty cells are connected to the outside: 4 (sides) or 8 (corners too).
    pub hole_connectivity: u8,
    /// Order of the routine at the end of a turn.
    pub replenish_order: ReplenishOrder,
    /// What a wall all the way round counts.
    pub closed_ring: ClosedRing,
    /// When the bag ends the game.
    pub end_trigger: EndTrigger,
    /// Whether a tile won at the end of the game may go to Dirk.
    pub dirk_gets_final_tiles: bool,
    /// Turns of single players after which the game is ended and scored, 1 to 10,000.
    pub max_turns: u16,
    /// Whether the module Power of the Sultan is played.
    pub sultan: bool,
    /// Sultan cards of each currency: denar, dirham, ducat, florin.
    pub sultan_currencies: [u8; 4],
    /// Sultan cards shuffled into each of the five piles.
    pub sultan_piles: [u8; 5],
    /// Price of a sultan card, 1 to 15.
    pub sultan_price: u8,
    /// When the mark of a bought card is settled.
    pub sultan_mark_time: MarkTime,
    /// How often the buyer of a card may roll, 0 to 5.
    pub sultan_rerolls: u8,
    /// Whether the buyer may turn the mark to the opposite face without a roll.
    pub sultan_flip_without_roll: bool,
    /// Who is asked first after a claim.
    pub sultan_offer_order: OfferOrder,
    /// Whether a card may be used in the refill that ends the turn in which it was bought.
    pub sultan_same_turn_use: bool,
    /// Whether tiles left on the yard at the end of the game may be claimed.
    pub sultan_final_distribution: bool,
    /// Cards that one player may use in one refill; 0 is no limit.
    pub sultan_max_uses_per_refill: u8,
}

/// See [`Rules::start_tie`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StartTie {
    /// The first of them at the table.
    LowestSeat,
    /// One of them by lot.
    Random,
}

/// See [`Rules::payment_sets`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PaymentSets {
    /// Sets from which no card can be left out.
    Minimal,
    /// Every set that is worth enough.
    Any,
}

/// See [`Rules::replenish_order`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReplenishOrder {
    /// Money cards, scoring, tiles.
    MoneyScoreTiles,
    /// Money cards, tiles, scoring.
    MoneyTilesScore,
}

/// See [`Rules::closed_ring`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClosedRing {
    /// Every segment.
    Full,
    /// One less.
    MinusOne,
}

/// See [`Rules::end_trigger`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EndTrigger {
    /// A slot of the yard cannot be filled.
    CannotRefill,
    /// The bag is empty at the end of a turn.
    BagEmpty,
}

/// See [`Rules::sultan_mark_time`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MarkTime {
    /// At once.
    Purchase,
    /// After the last action of the turn, before tiles are laid.
    EndOfTurn,
}

/// See [`Rules::sultan_offer_order`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OfferOrder {
    /// Again the player whose turn is next.
    Restart,
    /// The player behind the one who claimed.
    Continue,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules {
            start_tie: StartTie::LowestSeat,
            extra_action: true,
            allow_decline_extra_action: false,
            payment_sets: PaymentSets::Minimal,
            hole_connectivity: 4,
            replenish_order: ReplenishOrder::MoneyScoreTiles,
            closed_ring: ClosedRing::Full,
            end_trigger: EndTrigger::CannotRefill,
            dirk_gets_final_tiles: false,
            max_turns: 1000,
            sultan: true,
            sultan_currencies: [2; 4],
            sultan_piles: [3, 2, 3, 0, 0],
            sultan_price: 7,
            sultan_mark_time: MarkTime::Purchase,
            sultan_rerolls: 1,
            sultan_flip_without_roll: false,
            sultan_offer_order: OfferOrder::Restart,
            sultan_same_turn_use: true,
            sultan_final_distribution: false,
            sultan_max_uses_per_refill: 0,
        }
    }
}

/// The most sultan cards of a currency that [`Rules::sultan_currencies`] allows.
pub const MAX_SULTAN_OF_CURRENCY: u8 = 5;
/// The most sultan cards in a pile that [`Rules::sultan_piles`] allows.
pub const MAX_SULTAN_IN_PILE: u8 = 4;

impl Rules {
    /// Refuses values out of range and switches that do not go together.
    ///
    /// # Errors
    /// [`RuleError::Conflict`], saying which and why.
    pub fn validate(&self) -> Result<(), RuleError> {
        let refuse = |text: String| Err(RuleError::Conflict(text));
        if !matches!(self.hole_connectivity, 4 | 8) {
            return refuse(format!("hole_connectivity is 4 or 8, not {}", self.hole_connectivity));
        }
        if !(1..=10_000).contains(&self.max_turns) {
            return refuse(format!("max_turns is 1 to 10000, not {}", self.max_turns));
        }
        if !(1..=15).contains(&self.sultan_price) {
            return refuse(format!("sultan_price is 1 to 15, not {}", self.sultan_price));
        }
        if self.sultan_rerolls > 5 {
            return refuse(format!("sultan_rerolls is 0 to 5, not {}", self.sultan_rerolls));
        }
        if self.sultan_max_uses_per_refill > 8 {
            let limit = self.sultan_max_uses_per_refill;
            return refuse(format!("sultan_max_uses_per_refill is 0 to 8, not {limit}"));
        }
        if self.sultan_currencies.iter().any(|&count| count > MAX_SULTAN_OF_CURRENCY)
            || self.sultan_piles.iter().any(|&count| count > MAX_SULTAN_IN_PILE)
        {
            return refuse(format!(
                "sultan_currencies go up to {MAX_SULTAN_OF_CURRENCY} each, sultan_piles up to {MAX_SULTAN_IN_PILE}"
            ));
        }
        let (cards, places): (u8, u8) = (self.sultan_currencies.iter().sum(), self.sultan_piles.iter().sum());
        if cards != places {
            return refuse(format!(
                "sultan_currencies make {cards} sultan cards and sultan_piles hold {places}: the sums must agree"
            ));
        }
        if self.sultan && self.replenish_order == ReplenishOrder::MoneyTilesScore {
            return refuse(
                "with sultan = true the scoring comes before the tiles (the module's sheet says so): \
                 replenish_order = money_tiles_score needs sultan = false"
                    .into(),
            );
        }
        Ok(())
    }
}

const fn switch(key: &'static str, kind: Kind, meaning: &'static str) -> Switch {
    Switch { key, kind, meaning }
}

/// Every switch, the base game first.
pub const SWITCHES: &[Switch] = &[
    switch(
        "start_tie",
        Kind::Choice(&["lowest_seat", "random"]),
        "who starts if fewest cards and lowest total leave several",
    ),
    switch("extra_action", Kind::Bool, "an exact payment gives another action"),
    switch("allow_decline_extra_action", Kind::Bool, "that action may be declined"),
    switch(
        "payment_sets",
        Kind::Choice(&["minimal", "any"]),
        "cards that may pay: sets without a superfluous card, or all that suffice",
    ),
    switch("hole_connectivity", Kind::Int(4, 8), "empty cells connect over sides (4) or corners too (8)"),
    switch(
        "replenish_order",
        Kind::Choice(&["money_score_tiles", "money_tiles_score"]),
        "order of the routine that ends a turn",
    ),
    switch("closed_ring", Kind::Choice(&["full", "minus_one"]), "what a wall all the way round counts"),
    switch(
        "end_trigger",
        Kind::Choice(&["cannot_refill", "bag_empty"]),
        "the game ends when the yard cannot be filled, or as soon as the bag is empty",
    ),
    switch("dirk_gets_final_tiles", Kind::Bool, "tiles won at the end of the game may go to Dirk"),
    switch(
        "max_turns",
        Kind::Int(1, 10_000),
        "turns of single players after which the game is ended and scored",
    ),
    switch("sultan", Kind::Bool, "the module Power of the Sultan"),
    switch(
        "sultan_currencies",
        Kind::List(4, 0, MAX_SULTAN_OF_CURRENCY as i64),
        "sultan cards in denar, dirham, ducat, florin",
    ),
    switch(
        "sultan_piles",
        Kind::List(5, 0, MAX_SULTAN_IN_PILE as i64),
        "sultan cards shuffled into each pile",
    ),
    switch("sultan_price", Kind::Int(1, 15), "price of a sultan card"),
    switch(
        "sultan_mark_time",
        Kind::Choice(&["purchase", "end_of_turn"]),
        "when the buyer of a sultan card settles its mark",
    ),
    switch("sultan_rerolls", Kind::Int(0, 5), "how often the buyer of a sultan card may roll"),
    switch(
        "sultan_flip_without_roll",
        Kind::Bool,
        "the buyer may turn the mark to the opposite face unrolled",
    ),
    switch(
        "sultan_offer_order",
        Kind::Choice(&["restart", "continue"]),
        "after a claim, ask from the next player again or from behind the claimer",
    ),
    switch(
        "sultan_same_turn_use",
        Kind::Bool,
        "a card may be used in the refill that ends the turn of its purchase",
    ),
    switch("sultan_final_distribution", Kind::Bool, "tiles left on the yard at the end may be claimed"),
    switch(
        "sultan_max_uses_per_refill",
        Kind::Int(0, 8),
        "cards a player may use in one refill; 0 is no limit",
    ),
];

const fn ruling(
    id: &'static str,
    key: Option<&'static str>,
    question: &'static str,
    readings: &'static [&'static str],
    reason: &'static str,
) -> Ruling {
    Ruling { id, key, question, readings, reason }
}

/// Every open question: `B` for the base game, `A` for the module.
pub const RULINGS: &[Ruling] = &[
    ruling(
        "B-01",
        Some("start_tie"),
        "Who starts if several hold equally few cards and equally little money?",
        &["the first of them at the table", "one of them by lot"],
        "the rulebook asks for the youngest, which seats do not tell",
    ),
    ruling(
        "B-02",
        None,
        "How are money cards that do not divide by five spread over the piles?",
        &["pile i ends at card floor((i + 1) N / 5)"],
        "the rulebook asks for about equal piles",
    ),
    ruling(
        "B-03",
        None,
        "Where in its pile does a scoring card lie?",
        &["every place alike, top and bottom included"],
        "it is shuffled in",
    ),
    ruling(
        "B-04",
        Some("allow_decline_extra_action"),
        "May the action after an exact payment be declined?",
        &["no", "yes"],
        "no action may be skipped; an online edition offers no pass either",
    ),
    ruling(
        "B-05",
        None,
        "What if a player has no legal action at all?",
        &["an explicit pass, which ends the chain"],
        "the rulebook does not meet the case; the end of the turn follows as usual",
    ),
    ruling(
        "B-06",
        Some("payment_sets"),
        "May one pay with more cards than needed?",
        &["no: no card of the set may be superfluous", "yes: every set that suffices"],
        "nothing forbids it, but it gains next to nothing and multiplies the choices",
    ),
    ruling(
        "B-07",
        Some("hole_connectivity"),
        "Does an empty cell that touches the outside by a corner alone count as enclosed?",
        &["yes", "no"],
        "an online edition decides so",
    ),
    ruling(
        "B-08",
        None,
        "What if neither deck nor discards can fill the money display?",
        &["it stays short"],
        "nothing else can be done",
    ),
    ruling(
        "B-09",
        Some("replenish_order"),
        "Does a scoring come before the yard is filled?",
        &["money, scoring, tiles", "money, tiles, scoring"],
        "the sheet of the Sultan asks for this order; the base rulebook leaves it open",
    ),
    ruling(
        "B-10",
        None,
        "What if both scoring cards come in one refill?",
        &["first scoring, Dirk's tiles, second scoring, Dirk's tiles"],
        "it cannot happen with piles of the usual size",
    ),
    ruling(
        "B-11",
        None,
        "Does a player without a tile of a type take a place?",
        &["no, and gets nothing"],
        "a majority of nothing is none",
    ),
    ruling(
        "B-12",
        Some("closed_ring"),
        "What does a wall count that closes all the way round?",
        &["every segment", "one segment less"],
        "the rulebook counts segments; an online edition counts a path that may not close",
    ),
    ruling(
        "B-13",
        Some("end_trigger"),
        "Does the game end when the bag is emptied or when it falls short?",
        &["when a slot cannot be filled", "when the bag is empty at the end of a turn, Dirk's tiles drawn"],
        "the English rulebook says so; another edition is said to differ",
    ),
    ruling(
        "B-14",
        None,
        "What about a tile won at the end that fits nowhere?",
        &["it goes to the reserve and counts nothing; the winner may also choose so"],
        "building rules hold to the end; all winners are fixed before anything is laid",
    ),
    ruling(
        "B-15",
        Some("dirk_gets_final_tiles"),
        "May a tile won at the end go to Dirk?",
        &["no", "yes"],
        "the rulebook speaks of newly bought tiles",
    ),
    ruling(
        "B-16",
        None,
        "What if a scoring card never turns up?",
        &["that scoring is lost; the last one is always held"],
        "scorings hang on their cards",
    ),
    ruling(
        "B-17",
        Some("max_turns"),
        "What if nobody ever empties the bag?",
        &["the game is ended and scored after that many turns, and counted as cut off"],
        "never met in sensible play",
    ),
    ruling(
        "B-18",
        None,
        "May Dirk be given tiles from the reserve, or only all tiles of a turn together?",
        &["newly bought or claimed tiles alone, each by itself"],
        "the rulebook gives the choice for a tile when it is laid",
    ),
    ruling(
        "A-00",
        None,
        "Which faces of the die are opposite? The sheet's example names a pair that its table does not.",
        &["pavilion and tower, arcades and garden, seraglio and chambers"],
        "only the table pairs all six faces; the example's picture agrees with it",
    ),
    ruling(
        "A-01",
        Some("sultan_currencies"),
        "Which currencies do the eight cards ask for?",
        &["two each", "an uneven split"],
        "the sheet does not say; other modules split evenly",
    ),
    ruling(
        "A-02",
        Some("sultan_mark_time"),
        "When is the mark of a bought card settled?",
        &[
            "at the purchase",
            "after the last action, card by card in order of purchase, before tiles are laid",
        ],
        "the sheet tells laying out and rolling in one go with buying",
    ),
    ruling(
        "A-03",
        Some("sultan_rerolls"),
        "How often may the buyer roll?",
        &["once", "never", "several times; the old mark is lost at the first roll"],
        "free rolling would make the rule of opposite faces pointless",
    ),
    ruling(
        "A-04",
        Some("sultan_flip_without_roll"),
        "May the buyer choose the opposite of the mark without rolling?",
        &["no", "yes, in place of a roll"],
        "the sentence about choosing follows the buyer's own roll",
    ),
    ruling(
        "A-05",
        None,
        "May a mark be rolled again later?",
        &["no"],
        "the sheet lets the buyer decide, and nobody else",
    ),
    ruling(
        "A-06",
        Some("sultan_offer_order"),
        "Who is asked first about the tile drawn after a claim?",
        &[
            "again the player whose turn is next",
            "in the rest of the refill, the player behind the last claimer; once round the table",
        ],
        "each tile is a draw of its own",
    ),
    ruling(
        "A-07",
        Some("sultan_same_turn_use"),
        "May a card be used in the refill after its own purchase?",
        &["yes; the buyer is asked last", "no; an older card with the same mark may"],
        "the sheet asks only that the player has the card",
    ),
    ruling(
        "A-08",
        Some("sultan_final_distribution"),
        "May tiles be claimed that are handed out at the end of the game?",
        &["no", "yes: each is offered before the majorities decide, limits counted anew"],
        "the sheet speaks of tiles drawn in filling up",
    ),
    ruling(
        "A-09",
        Some("sultan_max_uses_per_refill"),
        "How many cards may one player use in one refill?",
        &["any number, one for a tile", "up to a limit; at the limit the player is not asked"],
        "the sheet sets no limit",
    ),
    ruling(
        "A-10",
        None,
        "What are cards worth that nobody used or bought by the end?",
        &["nothing"],
        "they are bought like buildings but are none",
    ),
    ruling(
        "A-11",
        Some("replenish_order"),
        "Does a scoring that falls due come before the tiles may be claimed?",
        &["yes; the other order is refused with the module"],
        "the sheet's remark on the end of a move",
    ),
    ruling(
        "A-12",
        None,
        "When is a claimed tile laid?",
        &["at once, in the middle of the refill, by whoever claimed it"],
        "the sheet lets it be used immediately",
    ),
    ruling(
        "A-13",
        None,
        "Two players: do Dirk's tiles come before or after the yard is filled?",
        &["before, straight after the scoring"],
        "the base game gives them directly after a scoring; they cannot be claimed",
    ),
    ruling(
        "A-14",
        None,
        "Two players: may the claimer give the tile to Dirk out of turn?",
        &["yes"],
        "the sheet knows no such limit",
    ),
    ruling(
        "A-15",
        None,
        "Is a player asked who cannot lay the tile?",
        &["yes"],
        "the reserve always has room",
    ),
    ruling(
        "A-16",
        None,
        "Superfluous cards, an exhausted deck, no legal action: anything new with the module?",
        &["as in the base game (B-05, B-06, B-08)"],
        "the sheet changes nothing there",
    ),
];
