//! Sultans of Wind (2016, designer Jan Meyberg, Desyllas Games), for two to four players: a race of carpets
//! through a maze of clouds that the players swap and turn under each other.
//!
//! The state holds everything and nothing is hidden: each player owns the tiles 1 to 8 and four of them lie
//! face up, so the set behind a screen is known to all, and its order never matters because any tile there
//! may be chosen. Only the choice of two tiles and the first filling of the channels are secret, and those
//! are simultaneous nodes.

pub mod board;
pub mod channel;
pub mod clouds;
mod distances;
pub mod ending;
mod engine;
mod heuristics;
mod narrate;
pub mod rules;
pub mod state;

use std::ops::RangeInclusive;

use crate::game::Seat;
use crate::games::Catalogued;
use crate::games::switches::{Kind, RuleError, Ruling, Switch, closest};
use board::{Cell, MazeTable, SQUARES, Square};
use channel::Visible;
use clouds::CloudSet;
use ending::Targets;
use rules::{BlockedAdjacent, RULINGS, Rules, SWITCHES, SwapAdjacency, Targets34, palace_squares};
use state::MAX_PLAYERS;

pub use state::{Action, State};

/// A match of Sultans of Wind: the switches and what follows from them.
#[derive(Clone, Debug)]
pub struct SultansOfWind {
    rules: Rules,
    seats: usize,
    clouds: CloudSet,
    maze: MazeTable,
    /// Bit i: square i is a palace.
    palaces: u16,
    /// Squares with palaces laid and nothing else.
    bare: [Square; SQUARES],
    /// Per seat, where its carpets start, in ascending order.
    starts: [[Cell; 3]; MAX_PLAYERS],
    /// Per seat, where they have to go.
    targets: [Targets; MAX_PLAYERS],
    /// The pairs of squares that can be swapped, lower number first, in ascending order.
    swaps: Vec<(u8, u8)>,
    /// Per seat, the visible tiles with `arrangement = fixed`.
    fixed: Vec<Visible>,
    /// The most free actions in a row.
    chain: u8,
}

impl SultansOfWind {
    /// The cloud tiles of this match.
    pub fn clouds(&self) -> &CloudSet {
        &self.clouds
    }

    /// The free cells of a board.
    pub fn free(&self, squares: &[Square; SQUARES]) -> board::Cells {
        self.maze.free(squares)
    }

    /// Where a player's carpets have to go.
    pub fn targets(&self, seat: Seat) -> &Targets {
        &self.targets[seat.index()]
    }

    /// Whether a square is a palace.
    pub fn is_palace(&self, square: usize) -> bool {
        self.palaces >> square & 1 == 1
    }

    /// The pairs of squares that Changing Clouds may swap.
    pub fn swaps(&self) -> &[(u8, u8)] {
        &self.swaps
    }
}

/// The pairs of cloud squares that are adjacent.
fn adjacent_squares(palaces: u16, adjacency: SwapAdjacency) -> Vec<(u8, u8)> {
    let cloud = |square: &usize| palaces >> square & 1 == 0;
    let mut pairs = Vec::new();
    for first in (0..SQUARES).filter(cloud) {
        for second in (first + 1..SQUARES).filter(cloud) {
            let (rows, columns) = ((first / 4).abs_diff(second / 4), (first % 4).abs_diff(second % 4));
            let adjacent = match adjacency {
                SwapAdjacency::Edge => rows + columns == 1,
                SwapAdjacency::EdgeOrCorner => rows.max(columns) == 1,
            };
            if adjacent {
                pairs.push((first as u8, second as u8));
            }
        }
    }
    pairs
}

/// Refuses what is neither `built-in` nor looks like the path of a file, but much like `built-in` misspelt.
fn check_cloud_name(name: &str) -> Result<(), RuleError> {
    let built_in = "built-in";
    let near = (name != built_in && !name.contains(['/', '\\', '.'])).then(|| closest(name, [built_in]));
    match near.flatten() {
        None => Ok(()),
        near => Err(RuleError::Value {
            key: "cloud_set".into(),
            value: name.into(),
            expected: Kind::Path.expected(None),
            near,
        }),
    }
}

impl Catalogued for SultansOfWind {
    type Rules = Rules;
    const NAME: &'static str = "sultans-of-wind";
    const SUMMARY: &'static str = "a race of flying carpets through clouds that the players swap and turn";
    const SEATS: RangeInclusive<usize> = 2..=4;
    const YARDSTICK: bool = false;

    fn switches() -> &'static [Switch] {
        SWITCHES
    }

    fn rulings() -> &'static [Ruling] {
        RULINGS
    }

    fn default_rules(seats: usize) -> Rules {
        Rules::published(seats)
    }

    fn new(rules: Rules, seats: usize) -> Result<SultansOfWind, RuleError> {
        check_cloud_name(&rules.cloud_set)?;
        let clouds = match rules.cloud_set.as_str() {
            "built-in" => CloudSet::built_in(),
            path => CloudSet::load(path).map_err(|error| RuleError::Conflict(error.to_string()))?,
        };
        SultansOfWind::with_clouds(rules, seats, clouds)
    }

    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn loaded_data(&self) -> Option<serde_json::Value> {
        Some(self.clouds.to_json())
    }

    fn restore(
        rules: Rules,
        seats: usize,
        data: Option<&serde_json::Value>,
    ) -> Result<SultansOfWind, RuleError> {
        check_cloud_name(&rules.cloud_set)?;
        let conflict = |reason: String| Err(RuleError::Conflict(reason));
        let Some(data) = data else {
            return conflict("the patterns of the cloud tiles (`data`) are missing".into());
        };
        let clouds = match CloudSet::from_json(data) {
            Ok(clouds) => clouds,
            Err(error) => return conflict(error.to_string()),
        };
        if rules.cloud_set == "built-in" && clouds != CloudSet::built_in() {
            return conflict("the patterns of the cloud tiles (`data`) are not the built-in ones".into());
        }
        SultansOfWind::with_clouds(rules, seats, clouds)
    }
}

impl SultansOfWind {
    /// A match with these clouds, wherever they come from.
    fn with_clouds(rules: Rules, seats: usize, clouds: CloudSet) -> Result<SultansOfWind, RuleError> {
        rules.validate(seats)?;
        let squares = palace_squares(rules.palace_layout);
        let spaces = rules.starting_spaces()?;
        let diagonal = rules.blocked_adjacent == BlockedAdjacent::WithDiagonal;
        let mut starts = [[Cell::OFF; 3]; MAX_PLAYERS];
        let mut targets = [Targets::new(&[], diagonal); MAX_PLAYERS];
        for (seat, &palace) in rules.palaces(seats)?.iter().enumerate() {
            let ([plain, dashed, other], goal) = (spaces[palace], spaces[(palace + 2) % 4]);
            starts[seat] = if seats == 2 { [plain, dashed, other] } else { [plain, other, Cell::OFF] };
            state::sort_cells(&mut starts[seat]);
            let plain_only = seats > 2 && rules.targets34 == Targets34::PlainTwo;
            let goals: &[Cell] = if plain_only { &[goal[0], goal[2]] } else { &goal };
            targets[seat] = Targets::new(goals, diagonal);
        }
        let palaces = squares.iter().fold(0, |mask, square| mask | 1 << square);
        let mut bare = [Square::EMPTY; SQUARES];
        for square in squares {
            bare[square] = Square::PALACE;
        }
        let chain = match rules.wish_chain {
            rules::WishChain::Forbid => 1,
            rules::WishChain::Allow => rules.wish_chain_cap,
        };
        Ok(SultansOfWind {
            maze: MazeTable::new(&clouds.blocked()),
            swaps: adjacent_squares(palaces, rules.swap_adjacency),
            fixed: rules.fixed(seats)?,
            seats,
            clouds,
            palaces,
            bare,
            starts,
            targets,
            chain,
            rules,
        })
    }
}
