//! Who sits where: line-ups of agents over the seats, and the games of a block.
//!
//! A block is one deal with all rotations of one line-up. How many games that is, and who sits where in
//! each, follows from the line-up and the block's number alone.

use crate::game::{MAX_SEATS, Seat};
use crate::streams::{Phase, Purpose, Stream, key};

/// Whether agents meet each other or themselves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// Each agent alone, in all seats.
    #[serde(rename = "self")]
    SelfPlay,
    /// Agents against each other.
    #[default]
    RoundRobin,
}

/// One set of players for a table and the way they change seats.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineUp {
    /// An index into the list of agents for each role; roles are dealt over the seats.
    pub roles: Vec<usize>,
    schedule: Schedule,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Schedule {
    /// One agent in all seats; the luck of per-seat sources goes round, if there is any.
    SelfPlay { luck_goes_round: bool },
    /// Every order of the roles.
    AllOrders,
    /// The rotations of an order drawn from the block's key.
    DrawnRotations,
    /// Role 0 in every seat, the others (all alike) in the rest.
    OneAgainstTheRest,
}

/// The most line-ups of one table: a game's record numbers its line-up with 16 bits.
pub const MAX_LINE_UPS: usize = 1 << 16;

/// How many line-ups [`line_ups`] gives, without making them.
pub fn count_line_ups(agents: usize, seats: usize, mode: Mode) -> u128 {
    let count = agents as u128;
    if mode == Mode::SelfPlay || agents == 1 {
        count
    } else if agents >= seats {
        // The binomial coefficient; every product is divided without a rest.
        (0..seats as u128)
            .try_fold(1_u128, |all, at| Some(all.checked_mul(count - at)? / (at + 1)))
            .unwrap_or(u128::MAX)
    } else {
        count * count.saturating_sub(1)
    }
}

/// All line-ups of `agents` agents at a table of `seats`: [`count_line_ups`] of them, which a caller with agents
/// from outside holds against [`MAX_LINE_UPS`] first.
///
/// Self-play: one line-up an agent. Otherwise, with at least as many agents as seats, every subset; with
/// fewer, each agent against copies of each other one. A single agent plays itself in either mode.
pub fn line_ups(agents: usize, seats: usize, mode: Mode, luck_goes_round: bool) -> Vec<LineUp> {
    if mode == Mode::SelfPlay || agents == 1 {
        let schedule = Schedule::SelfPlay { luck_goes_round };
        return (0..agents).map(|agent| LineUp { roles: vec![agent; seats], schedule }).collect();
    }
    if agents >= seats {
        let schedule = if seats <= 3 { Schedule::AllOrders } else { Schedule::DrawnRotations };
        return subsets(agents, seats).into_iter().map(|roles| LineUp { roles, schedule }).collect();
    }
    let pairs = (0..agents).flat_map(|one| (0..agents).map(move |rest| (one, rest)));
    pairs
        .filter(|(one, rest)| one != rest)
        .map(|(one, rest)| {
            let mut roles = vec![rest; seats];
            roles[0] = one;
            LineUp { roles, schedule: Schedule::OneAgainstTheRest }
        })
        .collect()
}

/// All ascending choices of `size` out of `0..of`.
fn subsets(of: usize, size: usize) -> Vec<Vec<usize>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    let with_last = |last: usize| {
        let rest = subsets(last, size - 1).into_iter();
        rest.map(move |mut subset| {
            subset.push(last);
            subset
        })
    };
    let mut all: Vec<Vec<usize>> = (size - 1..of).flat_map(with_last).collect();
    all.sort_unstable();
    all
}

impl LineUp {
    /// Number of seats.
    pub fn seats(&self) -> usize {
        self.roles.len()
    }

    /// Whether one agent sits in all seats.
    pub fn is_self_play(&self) -> bool {
        matches!(self.schedule, Schedule::SelfPlay { .. })
    }

    /// The agents that take part, ascending, each once.
    pub fn agents(&self) -> Vec<usize> {
        let mut agents = self.roles.clone();
        agents.sort_unstable();
        agents.dedup();
        agents
    }

    /// How many games a block has.
    pub fn games_per_block(&self) -> usize {
        let seats = self.seats();
        match self.schedule {
            Schedule::SelfPlay { luck_goes_round: false } => 1,
            Schedule::AllOrders => (1..=seats).product(),
            _ => seats,
        }
    }

    /// The role in each seat, in game `rotation` of a block.
    pub fn seating(&self, seed: u64, phase: Phase, block: u64, rotation: usize) -> [usize; MAX_SEATS] {
        let seats = self.seats();
        let mut roles = [0; MAX_SEATS];
        match self.schedule {
            Schedule::SelfPlay { .. } => roles.iter_mut().enumerate().for_each(|(at, role)| *role = at),
            Schedule::AllOrders => {
                // The rotation-th order in lexicographic order: factorial number system.
                let mut left: [usize; MAX_SEATS] = std::array::from_fn(|role| role);
                let mut number = rotation;
                for (at, role) in roles[..seats].iter_mut().enumerate() {
                    let block: usize = (1..seats - at).product();
                    let taken = number / block;
                    *role = left[taken];
                    left.copy_within(taken + 1.., taken);
                    number %= block;
                }
            }
            Schedule::DrawnRotations => {
                let mut order = [0; MAX_SEATS];
                order.iter_mut().enumerate().for_each(|(at, role)| *role = at);
                Stream::new(key(seed, phase, block, Purpose::Seating, 0)).shuffle(&mut order[..seats]);
                for seat in 0..seats {
                    roles[(seat + rotation) % seats] = order[seat];
                }
            }
            Schedule::OneAgainstTheRest => {
                for (seat, role) in roles[..seats].iter_mut().enumerate() {
                    *role = match seat.cmp(&rotation) {
                        std::cmp::Ordering::Less => seat + 1,
                        std::cmp::Ordering::Equal => 0,
                        std::cmp::Ordering::Greater => seat,
                    };
                }
            }
        }
        roles
    }

    /// Whether who sits where is the same in game `rotation` of every block.
    pub fn seats_alike(&self) -> bool {
        self.schedule != Schedule::DrawnRotations
    }

    /// By how many seats per-seat luck is handed on in game `rotation`: in self-play the luck goes round
    /// instead of the agents.
    pub fn luck_rotation(&self, rotation: usize) -> usize {
        if self.is_self_play() { rotation } else { 0 }
    }

    /// The line-up in words, from the agents' names.
    pub fn name(&self, agents: &[String]) -> String {
        if self.is_self_play() {
            return agents[self.roles[0]].clone();
        }
        self.roles.iter().map(|&agent| agents[agent].as_str()).collect::<Vec<_>>().join(" + ")
    }

    /// How often each role sits in each seat over one block with rotations in order.
    pub fn counts_in_block(&self, seed: u64, phase: Phase, block: u64) -> Vec<Vec<usize>> {
        let mut counts = vec![vec![0; self.seats()]; self.seats()];
        for rotation in 0..self.games_per_block() {
            let roles = self.seating(seed, phase, block, rotation);
            for seat in Seat::all(self.seats()) {
                counts[roles[seat.index()]][seat.index()] += 1;
            }
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_role_sits_equally_often_in_every_seat() {
        for seats in 2..=6 {
            for agents in 2..=6 {
                for line_up in line_ups(agents, seats, Mode::RoundRobin, true) {
                    for block in 0..3 {
                        let counts = line_up.counts_in_block(1, 0, block);
                        if line_up.schedule == Schedule::OneAgainstTheRest {
                            assert!(counts[0].iter().all(|&count| count == 1));
                            continue;
                        }
                        let first = counts[0][0];
                        assert!(first > 0 && counts.iter().flatten().all(|&count| count == first));
                    }
                }
            }
        }
    }

    #[test]
    fn three_seats_play_all_six_orders() {
        let line_up = &line_ups(3, 3, Mode::RoundRobin, true)[0];
        let mut orders: Vec<Vec<usize>> =
            (0..6).map(|rotation| line_up.seating(1, 0, 0, rotation)[..3].to_vec()).collect();
        orders.sort();
        orders.dedup();
        assert_eq!((line_up.games_per_block(), orders.len()), (6, 6));
    }

    #[test]
    fn four_seats_vary_the_neighbours_between_blocks() {
        let line_up = &line_ups(4, 4, Mode::RoundRobin, true)[0];
        let mut orders: Vec<Vec<usize>> =
            (0..500).map(|block| line_up.seating(1, 0, block, 0)[..4].to_vec()).collect();
        orders.sort();
        orders.dedup();
        assert_eq!(orders.len(), 24);
    }

    #[test]
    fn only_drawn_orders_change_from_block_to_block() {
        for (agents, seats) in [(1, 3), (2, 2), (3, 3), (4, 4), (2, 4)] {
            let line_up = &line_ups(agents, seats, Mode::RoundRobin, true)[0];
            let same = |block| line_up.seating(1, 0, block, 0) == line_up.seating(1, 0, 0, 0);
            assert_eq!(line_up.seats_alike(), (1..100).all(same), "{agents} agents, {seats} seats");
        }
    }

    #[test]
    fn numbers_of_line_ups() {
        assert_eq!(line_ups(5, 2, Mode::RoundRobin, true).len(), 10);
        assert_eq!(line_ups(2, 4, Mode::RoundRobin, true).len(), 2);
        assert_eq!(line_ups(3, 4, Mode::RoundRobin, true).len(), 6);
        assert_eq!(line_ups(3, 2, Mode::SelfPlay, true).len(), 3);
        assert_eq!(line_ups(1, 2, Mode::RoundRobin, false)[0].games_per_block(), 1);
        assert_eq!(line_ups(1, 2, Mode::RoundRobin, true)[0].games_per_block(), 2);
    }

    #[test]
    fn line_ups_are_counted_without_making_them() {
        for mode in [Mode::RoundRobin, Mode::SelfPlay] {
            for (agents, seats) in (1..=9).flat_map(|agents| (2..=6).map(move |seats| (agents, seats))) {
                let made = line_ups(agents, seats, mode, true).len() as u128;
                assert_eq!(
                    count_line_ups(agents, seats, mode),
                    made,
                    "{agents} agents, {seats} seats, {mode:?}"
                );
            }
        }
        assert_eq!(count_line_ups(24, 6, Mode::RoundRobin), 134_596);
        assert_eq!(count_line_ups(usize::MAX, 6, Mode::RoundRobin), u128::MAX);
    }

    #[test]
    fn one_against_copies_keeps_the_one_apart() {
        let line_up = &line_ups(2, 3, Mode::RoundRobin, true)[0];
        let seats: Vec<usize> = (0..3)
            .map(|rotation| {
                let roles = line_up.seating(1, 0, 0, rotation);
                roles[..3].iter().position(|&role| role == 0).unwrap()
            })
            .collect();
        assert_eq!(seats, [0, 1, 2]);
    }
}
