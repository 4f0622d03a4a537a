//! The game told in words and boards.
//!
//! A map is drawn cell by cell: three letters of the type and the price, below them the number of the tile;
//! `#` is a wall. Columns are x, rows y, the fountain at 0,0. Wide maps are drawn in bands.

use std::fmt::Write;

use super::Alhambra;
use super::state::{Action, Cell, Currency, Ending, Phase, Purses, State, TileSet};
use super::tiles::{Building, EAST, NORTH, SOUTH, Tile, WEST};
use crate::game::{Ink, Narrate, Seat};

/// Lines are not longer than this.
const WIDTH: usize = 100;
/// Columns of a map side by side: each takes six characters, the label four and the last edge one.
const BAND: i8 = 15;

/// A tile in words: `17 arcades 6 [ES]`.
fn named(tile: Tile) -> String {
    let walls = tile.walls();
    let sides: String = [(NORTH, 'N'), (EAST, 'E'), (SOUTH, 'S'), (WEST, 'W')]
        .into_iter()
        .filter(|&(side, _)| walls & side != 0)
        .map(|(_, letter)| letter)
        .collect();
    let sides = if sides.is_empty() { "-".into() } else { sides };
    format!("{tile} {} {} [{sides}]", tile.building(), tile.price())
}

fn joined(items: impl IntoIterator<Item = String>) -> String {
    let list: Vec<String> = items.into_iter().collect();
    if list.is_empty() { "none".into() } else { list.join(", ") }
}

fn purses(purses: &Purses) -> String {
    joined(
        Currency::ALL
            .into_iter()
            .filter(|&currency| !purses[currency as usize].is_empty())
            .map(|currency| format!("{currency} {}", purses[currency as usize])),
    )
}

/// Counts by type, such as `garden 2, tower 1`.
fn types(tiles: TileSet) -> String {
    joined(
        Building::ALL
            .into_iter()
            .filter(|&building| tiles.of(building) > 0)
            .map(|building| format!("{building} {}", tiles.of(building))),
    )
}

/// Adds a line, broken at spaces where it would be too long; what follows is indented.
fn line(out: &mut String, text: &str) {
    let mut length = 0;
    for word in text.split(' ') {
        let chars = word.chars().count();
        if length > 0 && length + 1 + chars > WIDTH {
            out.push_str("\n     ");
            length = 5;
        } else if length > 0 {
            out.push(' ');
            length += 1;
        }
        out.push_str(word);
        length += chars;
    }
    out.push('\n');
}

impl Alhambra {
    fn draw_map(&self, state: &State, seat: Seat, out: &mut String) {
        let tiles = state.alhambras[seat.index()];
        let at = |cell: Cell| tiles.iter().find(|&tile| state.cells.of(tile) == cell);
        let cells = || tiles.iter().map(|tile| state.cells.of(tile)).chain([Cell::default()]);
        let range =
            |get: fn(Cell) -> i8| (cells().map(get).min().unwrap_or(0), cells().map(get).max().unwrap_or(0));
        let ((left, right), (top, bottom)) = (range(|cell| cell.x), range(|cell| cell.y));
        let mut from = left;
        while from <= right {
            let to = right.min(from + BAND - 1);
            let occupied = |cell: Cell| cell == Cell::default() || at(cell).is_some();
            let walled = |cell: Cell, side: u8| at(cell).is_some_and(|tile| tile.walls() & side != 0);
            let mut row = "    ".to_owned();
            for x in from..=to {
                let _ = write!(row, " {x:^5}");
            }
            line_as_is(out, &row);
            for y in top..=bottom + 1 {
                let mut edge = "    ".to_owned();
                let mut inside = [format!("{y:>3} "), "    ".to_owned()];
                for x in from..=to + 1 {
                    let (cell, above, before) = (Cell::new(x, y), Cell::new(x, y - 1), Cell::new(x - 1, y));
                    let corner = [cell, above, before, Cell::new(x - 1, y - 1)].into_iter().any(occupied);
                    edge.push(if corner { '+' } else { ' ' });
                    let wall = walled(cell, NORTH) || walled(above, SOUTH);
                    edge.push_str(if x <= to && wall { "#####" } else { "     " });
                    let side = if walled(cell, WEST) || walled(before, EAST) { '#' } else { ' ' };
                    inside.iter_mut().for_each(|text| text.push(side));
                    if x <= to {
                        let (type_and_price, number) = match at(cell) {
                            Some(tile) => (
                                format!("{:.3}{:>2}", tile.building().name(), tile.price()),
                                format!("{tile:>5}"),
                            ),
                            None if cell == Cell::default() => ("foun-".into(), " tain".into()),
                            None => ("     ".into(), "     ".into()),
                        };
                        inside[0].push_str(&type_and_price);
                        inside[1].push_str(&number);
                    }
                }
                line_as_is(out, &edge);
                if y <= bottom {
                    inside.iter().for_each(|text| line_as_is(out, text));
                }
            }
            from += BAND;
        }
    }

    fn heading(&self, state: &State) -> String {
        let active = state.active;
        match state.phase {
            Phase::DirkStart | Phase::YardStart => "Set-up: tiles are drawn.".into(),
            Phase::StartMoney { seat } => format!("Set-up: seat {seat} is dealt money up to 20."),
            Phase::StartPlayer => "Set-up: equal hands, the lot decides who starts.".into(),
            Phase::StartDisplay => {
                format!("Set-up: seat {} starts; the money display is dealt.", state.start)
            }
            Phase::Main { extra: false } => format!("Turn {}: seat {active} acts.", state.turn),
            Phase::Main { extra: true } => {
                format!("Turn {}: seat {active} paid exactly and acts again.", state.turn)
            }
            Phase::Mark { mark, rolled, .. } => {
                let what = if rolled { "rolled" } else { "bought a sultan card marked" };
                format!("Turn {}: seat {active} {what} {mark}.", state.turn)
            }
            Phase::MarkRoll { .. } => format!("Turn {}: seat {active} rolls for a mark.", state.turn),
            Phase::Place => {
                let tiles = joined(state.bought.iter().map(named));
                format!("Turn {}: seat {active} lays what it bought: {tiles}.", state.turn)
            }
            Phase::Money => format!("End of turn {}: the money display is filled.", state.turn),
            Phase::Reveal { currency } => {
                format!("A sultan card ({currency}) has turned up: its mark is rolled.")
            }
            Phase::DirkTile { left } => format!("After the scoring Dirk draws {left} more tiles."),
            Phase::Yard => format!("End of turn {}: the yard is filled.", state.turn),
            Phase::Offer { tile, seat } => {
                format!("Drawn: {}. Seat {seat} may claim it with a {} card.", named(tile), tile.building())
            }
            Phase::Claimed { tile, seat } | Phase::FinalClaimed { tile, seat, .. } => {
                format!("Seat {seat} has claimed {} and lays it.", named(tile))
            }
            Phase::FinalOffer { slot, seat } => {
                format!("The game ends: seat {seat} may claim the tile on the {slot} slot.")
            }
            Phase::Won { seat } => format!("The game ends: seat {seat} lays what its money won."),
            Phase::Over if state.ending == Some(Ending::Cap) => {
                "The game was cut off at its last turn.".into()
            }
            Phase::Over => "The game is over.".into(),
        }
    }

    /// Who was asked about a tile and who was not: from the state before the question to the seat asked.
    fn why_offered(&self, before: &State, after: &State, building: Building) -> String {
        let asked = match after.phase {
            Phase::Offer { seat, .. } | Phase::FinalOffer { seat, .. } => Some(seat),
            _ => None,
        };
        let passed_over = match before.phase {
            Phase::Offer { seat, .. } | Phase::FinalOffer { seat, .. } => Some(seat),
            _ => None,
        };
        let order = (0..self.seats).map(|at| (before.asked_first.index() + at) % self.seats).map(Seat::new);
        let order: Vec<Seat> = order.collect();
        let from = passed_over.and_then(|seat| order.iter().position(|&other| other == seat));
        let mut text = String::new();
        for &seat in &order[from.map_or(0, |at| at + 1)..] {
            if Some(seat) == asked {
                let place = order.iter().position(|&other| other == seat).unwrap_or(0) + 1;
                let _ = write!(
                    text,
                    " Seat {seat} is asked: it owns a {building} card and stands at place {place} in the order."
                );
                return text;
            }
            let why = if before.sultan.owned[seat.index()][building as usize] == 0 {
                format!("has no {building} card")
            } else {
                "may not use its card in this refill".into()
            };
            let _ = write!(text, " Seat {seat} {why}.");
        }
        text
    }

    /// What came of an action beyond itself: scorings, the end.
    fn consequences(&self, before: &State, after: &State) -> String {
        let mut text = String::new();
        if after.scorings > before.scorings {
            let gains = Seat::all(self.seats).map(|seat| {
                let (old, new) = (before.scores[seat.index()], after.scores[seat.index()]);
                format!("seat {seat} +{} = {new}", new - old)
            });
            let _ = write!(text, " Scoring {}: {}.", after.scorings, joined(gains));
        }
        if after.ending.is_some() && before.ending.is_none() {
            text.push_str(match after.ending {
                Some(Ending::Cap) => " That was the last turn allowed: the game ends.",
                _ => " The bag cannot fill the yard: the game ends.",
            });
        }
        if after.winners.iter().flatten().count() > before.winners.iter().flatten().count() {
            for slot in Currency::ALL {
                if let (Some(winner), Some(tile)) = (after.winners[slot as usize], after.yard[slot as usize])
                {
                    let _ = write!(text, " Most {slot}: seat {winner} wins {}.", named(tile));
                }
            }
        }
        text
    }

    /// What an action is, without who does it.
    fn act(&self, state: &State, action: Action) -> String {
        let with = |cards: super::state::Purse, price: u32| match cards.total() {
            total if total == price => "exactly: another action".to_owned(),
            total => format!("{} too much", total - price),
        };
        match action {
            Action::Take(cards) => format!("takes {cards}"),
            Action::Buy(slot, cards) => match state.yard[slot as usize] {
                Some(tile) => {
                    let how = with(cards, tile.price() as u32);
                    format!("buys {} with {slot} {cards} ({how})", named(tile))
                }
                None => format!("buys from the empty {slot} slot"),
            },
            Action::BuySultan(currency, mark, cards) => {
                let how = with(cards, self.rules.sultan_price as u32);
                format!("buys the {currency} sultan card marked {mark} with {cards} ({how})")
            }
            Action::Add(tile, cell) => format!("redesigns: adds {} at {cell} from the reserve", named(tile)),
            Action::Remove(tile) => format!("redesigns: removes {} to the reserve", named(tile)),
            Action::Exchange { old, new } => {
                format!("redesigns: {} takes the place of {}", named(new), named(old))
            }
            Action::Pass => "has no action or wants none: passes".into(),
            Action::Place(tile, cell) => format!("lays {} at {cell}", named(tile)),
            Action::Reserve(tile) => format!("puts {} in the reserve", named(tile)),
            Action::Dirk(tile) => format!("gives {} to Dirk", named(tile)),
            Action::Keep => "keeps the mark".into(),
            Action::Flip => match state.phase {
                Phase::Mark { mark, .. } => format!("turns the mark to {}", mark.opposite()),
                _ => "turns the mark".into(),
            },
            Action::Roll => "takes the mark off to roll the die".into(),
            Action::Mark(building) => format!("marks {building}"),
            Action::Claim => match state.phase {
                Phase::Offer { tile, .. } => {
                    format!("uses a {} card and claims {}", tile.building(), named(tile))
                }
                Phase::FinalOffer { slot, .. } => {
                    format!("uses a card and claims the tile of the {slot} slot")
                }
                _ => "claims the tile".into(),
            },
            Action::Decline => "declines the tile".into(),
            Action::Card(card) => format!("card {card}"),
            Action::SultanCard(currency) => format!("sultan card ({currency})"),
            Action::ScoringCard => "scoring card".into(),
            Action::Tile(tile) => format!("tile {}", named(tile)),
            Action::Die(building) => format!("the die shows {building}"),
            Action::Start(seat) => format!("seat {seat} starts"),
        }
    }
}

fn line_as_is(out: &mut String, text: &str) {
    out.push_str(text.trim_end());
    out.push('\n');
}

impl Narrate for Alhambra {
    fn draw(&self, state: &State, ink: Ink) -> String {
        let mut out = String::new();
        line(&mut out, &self.heading(state));
        let cards: u32 = state.piles.iter().map(|pile| pile.len() as u32).sum();
        let paid: u32 = state.discards.iter().map(|purse| purse.len()).sum();
        let bag = state.bag.len();
        line(&mut out, &format!("Bag: {bag} tiles. Deck: {cards} cards. Discards: {paid} cards."));
        let yard = Currency::ALL.map(|slot| match state.yard[slot as usize] {
            Some(tile) => format!("{slot}: {}", named(tile)),
            None => format!("{slot}: empty"),
        });
        line(&mut out, &format!("Yard: {}", yard.join("; ")));
        line(&mut out, &format!("Display: {}", joined(state.display.iter().map(|card| card.to_string()))));
        if self.rules.sultan {
            let open = Currency::ALL.into_iter().flat_map(|currency| {
                let cards =
                    Building::ALL.map(|mark| (mark, state.sultan.open[currency as usize][mark as usize]));
                cards.into_iter().flat_map(move |(mark, count)| {
                    std::iter::repeat_n(format!("{currency} {mark}"), count as usize)
                })
            });
            let price = self.rules.sultan_price;
            line(&mut out, &format!("Open sultan cards (price {price}): {}", joined(open)));
        }
        if self.with_dirk() {
            line(&mut out, &format!("Dirk: {}", types(state.dirk)));
        }
        for seat in Seat::all(self.seats) {
            let index = seat.index();
            let points = state.scores[index];
            let wall = self.longest_wall(state, seat);
            let name = ink.seat(seat, &format!("Seat {seat}"));
            out.push('\n');
            line_as_is(&mut out, &format!("{name}: {points} points, longest wall {wall}"));
            line(&mut out, &format!("  tiles: {}", types(state.alhambras[index])));
            line(&mut out, &format!("  hand: {}", purses(&state.hands[index])));
            if self.rules.sultan {
                let owned = Building::ALL.into_iter().flat_map(|mark| {
                    let count = state.sultan.owned[index][mark as usize] as usize;
                    std::iter::repeat_n(mark.to_string(), count)
                });
                line(&mut out, &format!("  sultan cards: {}", joined(owned)));
            }
            line(&mut out, &format!("  reserve: {}", joined(state.reserves[index].iter().map(named))));
            self.draw_map(state, seat, &mut out);
        }
        out.truncate(out.trim_end().len());
        out
    }

    fn tell(&self, before: &State, seat: Option<Seat>, action: Action, after: &State) -> String {
        let what = self.act(before, action);
        let mut text = match (seat, action) {
            (Some(seat), _) => format!("Seat {seat} {what}."),
            (None, Action::Card(_)) => match before.phase {
                Phase::StartMoney { seat } => format!("Seat {seat} is dealt {what}."),
                _ => format!("The display gets {what}."),
            },
            (None, Action::Tile(_)) => match before.phase {
                Phase::DirkStart | Phase::DirkTile { .. } => format!("Dirk draws {what}."),
                _ => {
                    let slot = before.yard.iter().position(Option::is_none).unwrap_or(0);
                    format!("For the {} slot the bag gives {what}.", Currency::ALL[slot])
                }
            },
            (None, Action::ScoringCard) => "A scoring card turns up and is set aside.".into(),
            (None, Action::SultanCard(currency)) => {
                format!("A sultan card ({currency}) turns up and is laid beside the yard.")
            }
            (None, _) => {
                let mut letters = what.chars();
                let first = letters.next().map(|letter| letter.to_ascii_uppercase());
                format!("{}{}.", first.map(String::from).unwrap_or_default(), letters.as_str())
            }
        };
        let asks = matches!(after.phase, Phase::Offer { .. } | Phase::FinalOffer { .. });
        match (before.phase, action) {
            (Phase::Yard, Action::Tile(tile)) if asks => {
                text.push_str(&self.why_offered(before, after, tile.building()));
            }
            (Phase::Offer { tile, .. }, Action::Decline) => {
                if asks {
                    text.push_str(&self.why_offered(before, after, tile.building()));
                } else {
                    text.push_str(" Nobody else may claim it: it lies on the yard.");
                }
            }
            (_, Action::Card(_)) if before.turn == 0 && after.turn == 1 => {
                let _ = write!(text, " Seat {} has the first turn.", after.active);
            }
            _ => {}
        }
        if let (Phase::FinalOffer { slot, seat }, false) = (after.phase, before.phase == after.phase) {
            let building = after.yard[slot as usize].map(Tile::building);
            let _ = write!(
                text,
                " The {slot} slot: seat {seat} is the first in order with a {} card.",
                building.map_or("matching", Building::name)
            );
        }
        text.push_str(&self.consequences(before, after));
        text
    }

    fn describe(&self, state: &State, _seat: Seat, action: Action) -> String {
        self.act(state, action)
    }
}
