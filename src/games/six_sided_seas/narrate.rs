//! *Six-Sided Seas* in words and boards, so that a person with the rulebook can follow and check a game.

use super::SixSidedSeas;
use super::action::Action;
use super::dice::Dice;
use super::rules::{PlunderDice, Rules};
use super::ship::{Move, Slot};
use super::state::{Ending, MAX_PLAYERS, Phase, State};
use crate::game::{Game, Ink, Narrate, Seat};
use crate::text::wrap;

/// No line of the board is wider, in characters.
const BOARD_WIDTH: usize = 100;

/// Names of the islands.
const ISLANDS: [&str; 6] =
    ["Bump Isle", "Treasure Island", "Lucky Reef", "Obninsk", "Mitosis Cove", "Noodles"];

fn island_name(island: u8) -> &'static str {
    ISLANDS[island as usize - 1]
}

/// A slot as the rulebook calls it.
fn slot_name(slot: Slot) -> &'static str {
    match slot {
        Slot::Aft => "Aft Cannon",
        Slot::Fore => "Fore Cannon",
        Slot::M1 => "Main Cannon (first space)",
        Slot::M2 => "Main Cannon (second space)",
        Slot::Grog => "Send Grog",
        Slot::Explorer => "Send Explorer",
        Slot::DoubleTime => "Double Time",
        Slot::Plunder => "Plunder",
        Slot::Hold => "Hold",
        Slot::Evade => "Evade",
    }
}

fn move_name(action: Move) -> &'static str {
    match action {
        Move::Main => "Main Cannon",
        _ => slot_name(action.slots()[0]),
    }
}

/// Which dice a slot takes.
fn takes(slot: Slot, rules: &Rules) -> &'static str {
    match slot {
        Slot::Aft => "takes a 5 or 6",
        Slot::Fore => "takes a 3 or 4",
        Slot::M1 => "takes a 4, 5 or 6",
        Slot::M2 => "takes any die",
        Slot::Grog => "takes two dice of 1 to 3",
        Slot::Explorer => "takes three consecutive dice",
        Slot::DoubleTime => "takes two equal even dice",
        Slot::Plunder => match rules.plunder_requirement {
            PlunderDice::PairEqualOdd => "takes two equal odd dice",
            PlunderDice::PairEqualAny => "takes two equal dice",
            PlunderDice::PairSum7 => "takes two dice that add to 7",
            PlunderDice::TwoOf12 => "takes two dice of 1 or 2",
            PlunderDice::TwoOf56 => "takes two dice of 5 or 6",
            PlunderDice::PairSumGe9 => "takes two dice that add to 9 or more",
            PlunderDice::TripleEqual => "takes three equal dice",
        },
        Slot::Hold => "takes any die",
        Slot::Evade => "takes three different dice",
    }
}

/// What an activated action does.
fn effect(action: Move, rules: &Rules) -> String {
    match action {
        Move::Aft | Move::Fore => "one damage to an enemy".into(),
        Move::Main => "one damage to an enemy, and a blocked space if it comes through".into(),
        Move::Grog => "spoils a player's first die of the next turn".into(),
        Move::Explorer => "claims an island with one of the three numbers".into(),
        Move::DoubleTime => "the next action takes effect twice".into(),
        Move::Plunder => format!("coin limit +{}", rules.plunder_gain),
    }
}

fn plural(count: u32, one: &str, more: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { more })
}

/// Items as a list in words.
fn join(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

impl SixSidedSeas {
    /// A slot with its dice, free spaces (`_`) and blocked ones (`x` and the owner's number).
    fn draw_slots(&self, state: &State, seat: Seat, label: &str, slots: &[Slot]) -> String {
        let mut cells = Vec::new();
        for &slot in slots {
            let mut inner: Vec<String> = state.dice(seat, slot).iter().map(|face| face.to_string()).collect();
            for owner in Seat::all(MAX_PLAYERS) {
                (0..state.blocked_by(seat, slot, owner)).for_each(|_| inner.push(format!("x{owner}")));
            }
            while inner.len() < self.fits.spaces(slot) as usize {
                inner.push("_".into());
            }
            cells.push(inner.join(" "));
        }
        format!("{label} [{}]", cells.join(" | "))
    }

    fn draw_ship(&self, state: &State, seat: Seat, ink: Ink) -> Vec<String> {
        let name = ink.seat(seat, &format!("Seat {seat}"));
        let mut head = if state.is_ghost(seat) {
            format!("{name}  GHOST")
        } else {
            format!(
                "{name}  coin limit {} (wins at {})  hull {}",
                state.coin(seat),
                self.rules.plunder_win_at,
                state.hp(seat)
            )
        };
        head += &format!("  supply {}", state.supply(seat));
        if state.grogged(seat) > 0 {
            head += &format!("  grog next turn: {}", plural(state.grogged(seat) as u32, "die", "dice"));
        }
        if state.doublings(seat) > 0 {
            head += "  Double Time waits";
        }
        let ship = |label: &str, slots: &[Slot]| self.draw_slots(state, seat, label, slots);
        let first = [
            ship("Aft", &[Slot::Aft]),
            ship("Fore", &[Slot::Fore]),
            ship("Main", &[Slot::M1, Slot::M2]),
            ship("Hold", &[Slot::Hold]),
            ship("Evade", &[Slot::Evade]),
        ];
        let second = [
            ship("Grog", &[Slot::Grog]),
            ship("Explorer", &[Slot::Explorer]),
            ship("Double Time", &[Slot::DoubleTime]),
            ship("Plunder", &[Slot::Plunder]),
        ];
        vec![head, format!("    {}", first.join("  ")), format!("    {}", second.join("  "))]
    }

    /// The pool with what counts against the limit.
    fn pool_line(&self, state: &State) -> String {
        let seat = state.current();
        let mut line = format!("Turn {}, seat {seat}", state.turn_no());
        line += match state.phase() {
            Phase::Roll | Phase::RollDie | Phase::RollReef => ", Roll phase",
            Phase::Over | Phase::Evade => ", overboard",
            Phase::Jackpot | Phase::JackpotDie => ", Jackpot",
            Phase::GhostDie => ", a ghost rolls two dice",
            Phase::HullDie => ", resurrection",
            Phase::Done => ", the game is over",
            _ => ", Order phase",
        };
        line += &format!(".  Pool: {}", state.pool());
        if !state.grog_dice().is_empty() {
            line += &format!("  spoiled by grog: {}", state.grog_dice());
        }
        if matches!(
            state.phase(),
            Phase::Roll | Phase::RollDie | Phase::RollReef | Phase::Over | Phase::Jackpot
        ) {
            line += &format!("  total {} against a limit of {}", state.total(), state.coin(seat));
        }
        if line.len() <= BOARD_WIDTH {
            return line;
        }
        // Only high coin limits make so full a pool.
        let mut lines = wrap("", &line, BOARD_WIDTH - 4);
        lines[1..].iter_mut().for_each(|more| more.insert_str(0, "    "));
        lines.join("\n")
    }

    /// What one seat is called: its number, and that it is a ghost.
    fn who(&self, state: &State, seat: Seat) -> String {
        if state.is_ghost(seat) { format!("Seat {seat} (ghost)") } else { format!("Seat {seat}") }
    }

    /// Everything that changed besides what the action itself says.
    fn changes(&self, before: &State, after: &State, action: Action) -> Vec<String> {
        let mut changes = Vec::new();
        for seat in Seat::all(self.seats()) {
            let lost_evade: Vec<String> = (1..=6)
                .filter(|&face| {
                    before.dice(seat, Slot::Evade).count(face) > after.dice(seat, Slot::Evade).count(face)
                })
                .map(|face| face.to_string())
                .collect();
            let sunk = after.is_ghost(seat) && !before.is_ghost(seat);
            let blocked = matches!(action, Action::BlockSpace { .. } | Action::Remove { .. });
            if !lost_evade.is_empty() && !sunk && !blocked && !matches!(action, Action::RemoveEvade(_)) {
                changes.push(format!("seat {seat} evades with {}", join(&lost_evade)));
            }
            if sunk {
                changes.push(format!("seat {seat} has no hull left: a ghost ship, its dice leave play"));
            } else if before.is_ghost(seat) && !after.is_ghost(seat) {
                changes.push(format!(
                    "seat {seat} lives again with hull {} and coin limit {}",
                    after.hp(seat),
                    after.coin(seat)
                ));
            } else {
                if before.hp(seat) != after.hp(seat) {
                    changes.push(format!("seat {seat}'s hull {} -> {}", before.hp(seat), after.hp(seat)));
                }
                if before.coin(seat) != after.coin(seat) {
                    changes.push(format!(
                        "seat {seat}'s coin limit {} -> {}",
                        before.coin(seat),
                        after.coin(seat)
                    ));
                }
            }
        }
        let lifted: u8 = Slot::ALL
            .into_iter()
            .map(|slot| {
                before.blocked(before.current(), slot).saturating_sub(after.blocked(before.current(), slot))
            })
            .sum();
        if lifted > 0 {
            changes.push(format!(
                "{} on seat {}'s ship lifted",
                plural(lifted as u32, "block", "blocks"),
                before.current()
            ));
        }
        match after.phase() {
            Phase::RemoveEvade if before.phase() != Phase::RemoveEvade => {
                if let Some(pending) = after.pending() {
                    let target = pending.target.map_or(String::new(), |seat| format!("seat {seat} "));
                    changes.push(format!(
                        "{target}must give up {}",
                        plural(pending.evade_left as u32, "Evade die", "Evade dice")
                    ));
                }
            }
            Phase::Block => changes.push("the shot came through: a space may be blocked".into()),
            Phase::HullDie => changes.push("the ghost rolls for its hull".into()),
            _ => {}
        }
        if before.phase().is_effect() && after.phase().is_effect() && after.phase() != before.phase() {
            // Told above.
        } else if let (Some(earlier), Some(later)) = (before.pending(), after.pending())
            && later.effects < earlier.effects
        {
            changes.push("the effect takes place once more".into());
        }
        if let Some(ending) = after.ending() {
            changes.push(self.told_ending(after, ending));
        } else if after.turn_no() != before.turn_no() {
            let again = if after.current() == before.current() { " again" } else { "" };
            changes.push(format!("turn {} is{again} seat {}'s", after.turn_no(), after.current()));
            if after.phase() == Phase::Order {
                changes.push("its supply is empty, so it goes straight to the Order phase".into());
            }
            if after.grog_due() > 0 {
                changes.push("its first die will be spoiled by grog".into());
            }
        }
        changes
    }

    fn told_ending(&self, state: &State, ending: Ending) -> String {
        let winner = state.winner().map_or(String::new(), |seat| format!("seat {seat} "));
        match ending {
            Ending::Sink => format!("{winner}is the last living captain and WINS"),
            Ending::Plunder => {
                format!("{winner}reaches a coin limit of {} and WINS by plunder", self.rules.plunder_win_at)
            }
            Ending::Exploration => {
                format!("{winner}begins a turn with {} or more islands and WINS", self.rules.islands_to_win)
            }
            Ending::Cap => format!("turn {} is over: the game is drawn", self.rules.turn_cap),
        }
    }

    /// What a rolled die did.
    fn told_die(&self, before: &State, after: &State, face: u8) -> String {
        let seat = before.current();
        let who = self.who(before, seat);
        let spoiled = after.grog_dice().len() > before.grog_dice().len();
        let grog = if spoiled { " (grog: it counts but cannot be used)" } else { "" };
        let against = format!("total {} against a limit of {}", after.total(), before.coin(seat));
        let verdict = match after.phase() {
            Phase::Over => "; that is overboard",
            Phase::Jackpot => "; that is a Jackpot",
            _ => "",
        };
        match before.phase() {
            Phase::RollDie => format!("{who} rolls a {face}{grog}: {against}{verdict}"),
            Phase::GhostDie => format!("{who} rolls a {face}{grog}"),
            Phase::JackpotDie => format!("{who} rolls a {face} as the Jackpot die{grog}"),
            Phase::HullDie => format!("{who} rolls a {face} for its hull"),
            _ => {
                let (die, on) = before.reef().unwrap_or((0, None));
                let place = on.map_or(String::new(), |slot| format!(" on {}", slot_name(slot)));
                let check = if before.phase() == Phase::RollReef {
                    format!(": {against}{verdict}")
                } else {
                    String::new()
                };
                format!("{who}'s {die}{place}, rolled again at Lucky Reef, is a {face}{check}")
            }
        }
    }

    /// The dice of an action that is about to be activated.
    fn dice_of(&self, state: &State, action: Move) -> Dice {
        action.slots().iter().flat_map(|&slot| state.dice(state.current(), slot).iter()).collect()
    }
}

impl Narrate for SixSidedSeas {
    fn draw(&self, state: &State, ink: Ink) -> String {
        let mut lines = vec![self.pool_line(state)];
        for seat in Seat::all(self.seats()) {
            lines.extend(self.draw_ship(state, seat, ink));
        }
        let islands: Vec<String> = (1..=6)
            .map(|island| {
                let owner = state.island(island).map_or("-".to_owned(), |seat| {
                    let used = seat == state.current() && state.used(island);
                    ink.seat(seat, &format!("seat {seat}{}", if used { " (used)" } else { "" }))
                });
                format!("{island} {}: {owner}", island_name(island))
            })
            .collect();
        lines.push(format!("Islands  {}", islands[..3].join("   ")));
        lines.push(format!("         {}", islands[3..].join("   ")));
        lines.join("\n")
    }

    fn tell(&self, before: &State, seat: Option<Seat>, action: Action, after: &State) -> String {
        let seat = seat.unwrap_or(before.current());
        let who = self.who(before, seat);
        let limit = before.coin(before.current());
        let head = match action {
            Action::Die(face) => self.told_die(before, after, face),
            Action::Roll if before.pool().is_empty() && before.grog_dice().is_empty() => {
                format!("{who} rolls the first die")
            }
            Action::Roll => format!("{who} rolls on at {} against a limit of {limit}", before.total()),
            Action::Stop => {
                format!(
                    "{who} stops at {} against a limit of {limit}; pool {}",
                    before.total(),
                    before.pool()
                )
            }
            Action::AcceptOverboard => format!("{who} is overboard: Evade dice, then the turn ends"),
            Action::EvadePlace(die) => format!("{who} puts a {die} into Evade"),
            Action::EvadeDone => format!("{who} has no more Evade dice to place"),
            Action::JackpotCoin => format!("{who} takes the Jackpot in coins"),
            Action::JackpotDie => format!("{who} takes another die for the Jackpot"),
            Action::Bump { .. } | Action::Mitosis(_) | Action::Noodles { .. } => {
                let mut head = format!("{who}: {}", self.describe(before, seat, action));
                if before.phase() != Phase::Order {
                    let verdict = match after.phase() {
                        Phase::Jackpot => "; that is a Jackpot",
                        Phase::Over => "; that is overboard",
                        _ => "",
                    };
                    head += &format!("; total {} against {limit}{verdict}", after.total());
                }
                head
            }
            Action::Reef { .. } => format!("{who}: {}", self.describe(before, seat, action)),
            Action::Place { slot, .. } => {
                let full = slot.action().is_some_and(|action| {
                    action.slots().iter().all(|&slot| self.fits.full(after.player(seat).ship, slot))
                });
                let full = if full { "; it is filled" } else { "" };
                format!("{who}: {}{full}", self.describe(before, seat, action))
            }
            Action::Activate(action) => {
                format!("{who} activates {} with {}", move_name(action), self.dice_of(before, action))
            }
            Action::Unhold => format!("{who} takes the {} out of Hold", before.dice(seat, Slot::Hold)),
            Action::Remove { .. } => format!("{who}: {}", self.describe(before, seat, action)),
            Action::End => {
                let left = before.pool().len() + before.grog_dice().len();
                let dice = if left == 0 {
                    String::new()
                } else {
                    format!("; {} unplaced return", plural(left as u32, "die", "dice"))
                };
                format!("{who} ends the turn{dice}")
            }
            Action::Target(target) => {
                let action = before.pending().map_or("the cannon", |pending| move_name(pending.action));
                let obninsk = before.pending().is_some_and(|pending| {
                    before.island(4) == Some(seat) && pending.dice.faces() & 0b10_1000 != 0
                });
                let more = if obninsk { ", with Obninsk for a 4 or 6" } else { "" };
                format!("{who} fires {action} at seat {target}{more}")
            }
            Action::ClaimIsland(_)
            | Action::BlockSpace { .. }
            | Action::BlockNone
            | Action::GrogTarget(_) => {
                format!("{who}: {}", self.describe(before, seat, action))
            }
            Action::RemoveEvade(die) => format!("{who} gives up the Evade die {die}"),
        };
        let changes = self.changes(before, after, action);
        if changes.is_empty() { format!("{head}.") } else { format!("{head}; {}.", changes.join("; ")) }
    }

    fn describe(&self, state: &State, _seat: Seat, action: Action) -> String {
        let limit = state.coin(state.current());
        let on_ship =
            |on: Option<Slot>| on.map_or("in the pool".to_owned(), |slot| format!("on {}", slot_name(slot)));
        match action {
            Action::Roll => {
                let room = limit.saturating_sub(state.total());
                match room {
                    6.. => format!(
                        "roll a die; no die passes the limit (total {}, limit {limit})",
                        state.total()
                    ),
                    _ => format!(
                        "roll a die; {} of 6 faces pass the limit (total {}, limit {limit})",
                        6 - room,
                        state.total()
                    ),
                }
            }
            Action::Stop => format!("stop at {} and use the pool {}", state.total(), state.pool()),
            Action::AcceptOverboard => "accept: only Evade dice, then the turn ends".into(),
            Action::EvadePlace(die) => format!("put a {die} into Evade (takes different dice)"),
            Action::EvadeDone => "no more Evade dice; the turn ends".into(),
            Action::JackpotCoin => format!("coin limit +{}", self.rules.jackpot_gain),
            Action::JackpotDie => "one more die, which does not count".into(),
            Action::Bump { die: 6, on } => {
                format!("Bump Isle on the 6 {}: it stays, and a new 1 joins the pool", on_ship(on))
            }
            Action::Bump { die, on } => {
                format!("Bump Isle turns the {die} {} into a {}", on_ship(on), die + 1)
            }
            Action::Reef { die, on } => format!("Lucky Reef rolls the {die} {} again", on_ship(on)),
            Action::Mitosis(die) => {
                format!("Mitosis Cove splits the {die} into {} and {}", die / 2, die.div_ceil(2))
            }
            Action::Noodles { die, on } => {
                format!("Noodles turns the {die} {} into a {}", on_ship(on), 7 - die)
            }
            Action::Place { slot, die } => {
                let held = state.dice(state.current(), slot);
                let with = if held.is_empty() { String::new() } else { format!(", which holds {held}") };
                format!("put a {die} on {}{with} ({})", slot_name(slot), takes(slot, &self.rules))
            }
            Action::Activate(action) => {
                let twice = state.double_pending() > 0 && !matches!(action, Move::Grog | Move::DoubleTime);
                let times = if twice { ", doubled" } else { "" };
                format!("activate {}: {}{times}", move_name(action), effect(action, &self.rules))
            }
            Action::Unhold => {
                format!("take the {} out of Hold into the pool", state.dice(state.current(), Slot::Hold))
            }
            Action::Remove { slot, die } => format!("give up the {die} on {}", slot_name(slot)),
            Action::End => match state.pool().len() {
                0 => "end the turn".into(),
                left => format!("end the turn; {} go unused", plural(left as u32, "die", "dice")),
            },
            Action::Target(target) => {
                let evade = state.dice(target, Slot::Evade);
                format!("at seat {target}: hull {}, Evade {evade}", state.hp(target))
            }
            Action::ClaimIsland(island) => {
                let owner = match state.island(island) {
                    None => "free".to_owned(),
                    Some(owner) if owner == state.current() => "held already".to_owned(),
                    Some(owner) => format!("from seat {owner}"),
                };
                format!("claims island {island}, {} ({owner})", island_name(island))
            }
            Action::BlockSpace { slot, die: 0 } => format!("blocks an empty space of {}", slot_name(slot)),
            Action::BlockSpace { slot, die } => format!("blocks {}, where the {die} leaves", slot_name(slot)),
            Action::BlockNone => "blocks nothing".into(),
            Action::RemoveEvade(die) => format!("give up the Evade die {die}"),
            Action::GrogTarget(target) => format!("sends grog to {}", self.who(state, target).to_lowercase()),
            Action::Die(face) => format!("the die shows {face}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Turn;
    use crate::games::six_sided_seas::StateBuilder;
    use crate::streams::Stream;

    #[test]
    fn boards_are_narrow_and_every_line_tells_something() {
        for seats in 2..=4 {
            let game = SixSidedSeas::with_rules(Rules::published(seats), seats).unwrap();
            let (mut stream, mut buffer) = (Stream::from_seed(seats as u64), Vec::new());
            let mut state = game.initial();
            loop {
                let (seat, action) = match game.turn(&state) {
                    Turn::Over => break,
                    Turn::Chance(source) => (source.seat, game.sample_chance(&state, stream.word())),
                    Turn::Decision(seat) => {
                        game.actions(&state, seat, &mut buffer);
                        for &action in &buffer {
                            assert!(!game.describe(&state, seat, action).contains('\n'));
                        }
                        (Some(seat), buffer[stream.below(buffer.len())])
                    }
                    Turn::Simultaneous(_) => unreachable!(),
                };
                let before = state;
                game.apply(&mut state, action);
                let told = game.tell(&before, seat, action, &state);
                assert!(told.ends_with('.') && !told.contains('\n') && told.len() > 10, "{told}");
                for line in game.draw(&state, Ink::Plain).lines() {
                    assert!(line.chars().count() <= 100, "{line}");
                }
            }
        }
    }

    #[test]
    fn a_shot_is_told_with_what_it_costs() {
        let (a, b) = (Seat::new(0), Seat::new(1));
        let rules = Rules::published(2);
        let game = SixSidedSeas::with_rules(rules.clone(), 2).unwrap();
        let mut state = StateBuilder::new(&rules, 2)
            .dice(a, Slot::Fore, &[4])
            .island(4, a)
            .dice(b, Slot::Evade, &[6])
            .phase(Phase::Order)
            .build()
            .unwrap();
        game.apply(&mut state, Action::Activate(Move::Fore));
        let before = state;
        game.apply(&mut state, Action::Target(b));
        assert_eq!(
            game.tell(&before, Some(a), Action::Target(b), &state),
            "Seat 1 fires Fore Cannon at seat 2, with Obninsk for a 4 or 6; seat 2 evades with 6; \
             seat 2's hull 12 -> 11."
        );
    }
}
