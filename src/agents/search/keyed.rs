//! Iterations that find their nodes by key.
//!
//! Where something is hidden, every iteration samples anew what the searching seat cannot see, and a menu
//! belongs to an information set of its chooser (Cowling, Powley & Whitehouse 2012): no seat's choice may
//! depend on what it does not know. With `public`, what is hidden is sampled with the eyes of one seat after
//! another (a Gibbs sampler): the others then cannot know what the searching seat holds either, and the tree
//! holds its other hands too.
//!
//! In an open loop a menu belongs to the sequence of actions that led to it, whatever luck did between them:
//! fewer nodes, but an average over what luck may have brought.

use super::arena::{Kind, Payoffs};
use super::options::Mixing;
use super::playout;
use super::select;
use super::tree::{NONE, Step, Tree};
use crate::game::{Heuristics, Seat, SeatSet, Turn, state_key};
use crate::streams::Stream;

/// Where an iteration stands.
struct Place {
    /// Key of the actions so far, in an open loop.
    history: u128,
    /// The turn before the last action.
    before: u32,
    /// Whether anything was chosen yet.
    moved: bool,
}

/// Mixes something into a key.
fn mix(key: u128, more: u128) -> u128 {
    const ODD: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;
    let mixed = (key ^ more).wrapping_mul(ODD);
    mixed ^ mixed >> 67
}

impl<G: Heuristics> Tree<G> {
    /// The key of a seat's menu in `state`.
    pub(super) fn menu_key(&self, game: &G, state: &G::State, seat: Seat, history: u128) -> u128 {
        let key = if game.has_hidden() { game.information_key(state, seat) } else { history };
        mix(key, seat.index() as u128 + 1)
    }

    /// One iteration from `state`, which is a sample of the root and is played on.
    pub(super) fn keyed_iteration(&mut self, game: &G, state: &mut G::State, stream: &mut Stream) {
        self.path.clear();
        let mut place = Place { history: 0, before: self.playouts.turn_before(game, state), moved: false };
        let payoffs = loop {
            match game.turn(state) {
                Turn::Over => break playout::payoffs(game, state),
                Turn::Chance(_) => {
                    let outcome = game.sample_chance(state, stream.word());
                    game.apply(state, outcome);
                }
                Turn::Decision(seat) => {
                    let seats = SeatSet::default().with(seat);
                    if let Some(payoffs) = self.choose_keyed(game, state, seats, &mut place, stream) {
                        break payoffs;
                    }
                    game.apply(state, self.joint[0]);
                }
                Turn::Simultaneous(seats) => {
                    if let Some(payoffs) = self.choose_keyed(game, state, seats, &mut place, stream) {
                        break payoffs;
                    }
                    game.apply_together(state, &self.joint);
                }
            }
        };
        self.back_up(&payoffs);
    }

    /// The choices of `seats`, into `joint`. A menu that is met for the first time below the root ends the
    /// iteration: the payoffs of a playout.
    fn choose_keyed(
        &mut self,
        game: &G,
        state: &mut G::State,
        seats: SeatSet,
        place: &mut Place,
        stream: &mut Stream,
    ) -> Option<Payoffs> {
        let mut new = false;
        let mut menus = [NONE; crate::game::MAX_SEATS];
        for (menu, seat) in menus.iter_mut().zip(seats.iter()) {
            let key = self.menu_key(game, state, seat, place.history);
            *menu = match self.arena.table.get(&key) {
                Some(&menu) => menu,
                None if self.arena.is_full() => {
                    return Some(self.playouts.run(game, state, place.before, stream));
                }
                None => {
                    new = true;
                    let menu = self.add_menu(game, state, seat, self.menu_kind(seats), 0, stream);
                    self.arena.enter(key, menu);
                    menu
                }
            };
        }
        if new && place.moved {
            return Some(self.playouts.run(game, state, place.before, stream));
        }
        self.joint.clear();
        let secret = seats.len() > 1 || game.has_hidden();
        let mixed = secret && self.options.mixing == Mixing::Regret;
        for (&menu, seat) in menus.iter().zip(seats.iter()) {
            let (slot, mixed) = self.slot(game, state, menu, seat, mixed, stream);
            let action = self.arena.action(menu, slot);
            self.path.push(Step { node: menu, slot, cell: NONE, mixed });
            self.joint.push(action);
            if self.options.open_loop && !game.has_hidden() {
                place.history = mix(place.history, state_key(&(seat, action)));
            }
        }
        place.moved = true;
        place.before = self.playouts.turn_before(game, state);
        None
    }

    fn menu_kind(&self, seats: SeatSet) -> Kind {
        if seats.len() > 1 { Kind::Together } else { Kind::Decision }
    }

    /// What a seat chooses at its menu, and whether regret matching chose.
    fn slot(
        &mut self,
        game: &G,
        state: &G::State,
        menu: u32,
        seat: Seat,
        mixed: bool,
        stream: &mut Stream,
    ) -> (u32, bool) {
        if game.has_hidden() {
            if mixed {
                return (self.draw(menu, stream), true);
            }
            let head = self.arena.nodes[menu as usize];
            return (select::ucb(&self.arena, &mut self.numbers, &head, &self.bounds, &self.options), false);
        }
        // In an open loop, what is legal depends on luck.
        game.actions(state, seat, &mut self.actions);
        if self.options.prune && self.arena.nodes[menu as usize].kind == Kind::Decision {
            game.prune(state, &mut self.actions);
            if self.actions.is_empty() {
                game.actions(state, seat, &mut self.actions);
            }
        }
        self.slots.clear();
        for at in 0..self.actions.len() {
            let slot = self.arena.slot_of(menu, self.actions[at]);
            self.slots.push(slot);
        }
        // Regret matching wants the same menu every time; where luck changes it, bounds choose.
        if mixed && self.slots.len() == self.arena.nodes[menu as usize].len as usize {
            return (self.draw(menu, stream), true);
        }
        (select::ucb_among(&self.arena, menu, &self.slots, &self.bounds, &self.options), false)
    }
}
