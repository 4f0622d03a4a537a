//! Pig and Connect Four for two players who choose at random, written by hand: what the generic loops are held
//! against.

use dhow::game::Seat;
use dhow::streams::{Purpose, Root, Stream};

/// What came of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Played {
    /// Who won.
    pub winner: usize,
    /// Decisions of both players.
    pub decisions: u32,
    /// Turns begun.
    pub turns: u32,
    /// How often each player threw a 1.
    pub busts: [u32; 2],
}

const TARGET: u16 = 100;
/// Turns after which a game is cut off.
const CAP: u32 = 10_000;

/// With the branches of the rules: the same streams as `play_game`, so the same games.
pub fn pig_with_branches(seed: u64, block: u64) -> Played {
    let root = Root::new(seed, 0, block);
    let mut choices = [0, 1].map(|seat| root.agent(0, Seat::new(seat)));
    let mut dice = [1, 2].map(|slot| Stream::new(root.key(Purpose::Luck, slot)));
    let (mut scores, mut busts) = ([0; 2], [0; 2]);
    let (mut mover, mut decisions, mut turns) = (0, 0, 1);
    loop {
        let mut total = 0;
        loop {
            decisions += 1;
            let reached = scores[mover] + total >= TARGET;
            if reached || choices[mover].below(2) == 1 {
                if reached {
                    return Played { winner: mover, decisions, turns, busts };
                }
                scores[mover] += total;
                break;
            }
            match dice[mover].below(6) as u16 + 1 {
                1 => {
                    busts[mover] += 1;
                    break;
                }
                face => total += face,
            }
        }
        if turns == CAP {
            return Played { winner: mover, decisions, turns, busts };
        }
        mover = 1 - mover;
        turns += 1;
    }
}

/// One player of [`pig_seat_by_seat`].
struct Side {
    choices: Stream,
    dice: Stream,
    score: u16,
    busts: u32,
}

/// One turn; whether it wins.
#[inline(always)]
fn turn(side: &mut Side, decisions: &mut u32) -> bool {
    let mut total = 0;
    loop {
        *decisions += 1;
        if side.score + total >= TARGET {
            return true;
        }
        if side.choices.below(2) == 1 {
            side.score += total;
            return false;
        }
        match side.dice.below(6) as u16 + 1 {
            1 => {
                side.busts += 1;
                return false;
            }
            face => total += face,
        }
    }
}

/// The same games with the code of a turn written out for each player, so that nothing is looked up by player: the
/// fastest form by hand that keeps the branches of the rules.
pub fn pig_seat_by_seat(seed: u64, block: u64) -> Played {
    let root = Root::new(seed, 0, block);
    let side = |seat: usize| Side {
        choices: root.agent(0, Seat::new(seat)),
        dice: Stream::new(root.key(Purpose::Luck, 1 + seat as u64)),
        score: 0,
        busts: 0,
    };
    let (mut first, mut second) = (side(0), side(1));
    let (mut decisions, mut turns) = (0, 1);
    let winner = loop {
        if turn(&mut first, &mut decisions) || turns == CAP {
            break 0;
        }
        turns += 1;
        if turn(&mut second, &mut decisions) || turns == CAP {
            break 1;
        }
        turns += 1;
    };
    Played { winner, decisions, turns, busts: [first.busts, second.busts] }
}

/// Without a branch but the one that ends the game: every step throws coin and die and selects what they
/// change. The ceiling: no loop that follows the rules step by step is as fast. Gives the turns.
pub fn pig_with_selects(seed: u64, block: u64) -> u32 {
    let mut stream = Root::new(seed, 0, block).agent(0, Seat::new(0));
    // The player to move first, then the other.
    let (mut score, mut rival, mut total, mut turns) = (0u32, 0u32, 0u32, 1u32);
    loop {
        if score + total >= TARGET as u32 {
            return turns;
        }
        let word = stream.word();
        let hold = (word & 1) as u32;
        let face = (((word >> 32) * 6) >> 32) as u32 + 1;
        let bust = (face == 1) as u32 & !hold & 1;
        // All ones where the turn goes on, or where the points are banked.
        let (goes_on, banks) = ((hold | bust).wrapping_sub(1), hold.wrapping_neg());
        let banked = score + (total & banks);
        (score, rival) = (banked & goes_on | rival & !goes_on, rival & goes_on | banked & !goes_on);
        total = (total + face) & goes_on;
        turns += hold | bust;
    }
}

/// Connect Four on seven columns and six rows: the same words of one stream as the game's own steps, so the same
/// games. Knows the size of the board, needs no mask against lines that run over an edge, and keeps both
/// sides' stones in locals. Gives the moves, and whether the last of them made a line.
pub fn connect_four(stream: &mut Stream) -> (u32, bool) {
    const TOP: u64 = 0x0020_2020_2020_2020;
    let (mut mover, mut waiter, mut moves) = (0_u64, 0_u64, 0);
    loop {
        let filled = mover | waiter;
        let mut word = stream.word();
        let mut shift = 64;
        for _ in 0..4 {
            let product = word as u128 * 7;
            let column = 8 * (product >> 64) as u32;
            if filled & TOP & 0xff << column == 0 {
                shift = column;
                break;
            }
            word = product as u64;
        }
        if shift == 64 {
            let open = |&column: &u32| filled & TOP & 0xff << (8 * column) == 0;
            let count = (0..7).filter(open).count();
            shift = 8 * (0..7).filter(open).nth(stream.below(count)).expect("the board is not full");
        }
        let stones = mover | ((filled + (1 << shift)) & !filled);
        moves += 1;
        let pairs = [1, 8, 9, 7].map(|step| (stones & stones >> step, step));
        // Six rows of eight bits: the two bits above a column are empty and part it from the next.
        let lines = pairs.map(|(pairs, step)| pairs & pairs >> (2 * step));
        if lines[0] | lines[1] | lines[2] | lines[3] != 0 {
            return (moves, true);
        }
        if moves == 42 {
            return (moves, false);
        }
        (mover, waiter) = (waiter, stones);
    }
}
