//! Win shares over all line-ups of an arm.

use serde::{Deserialize, Serialize};

use super::game_loop::GameRecord;
use super::line_up::LineUp;
use super::tally::rank_units;
use crate::game::MAX_SEATS;
use crate::statistics::Clusters;

/// Win shares of the agents of an arm over all its line-ups, by block. Line-ups share their deals: a block is
/// one sampling unit, however many line-ups played it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Pooled {
    /// By agent, numbered as in the job.
    pub agents: Vec<Clusters>,
    /// By agent and seat.
    pub seats: Vec<Vec<Clusters>>,
    /// By agent and agent.
    pub pairs: Vec<Vec<Clusters>>,
}

impl Pooled {
    /// An empty one.
    pub fn new(agents: usize, seats: usize) -> Pooled {
        Pooled {
            agents: vec![Clusters::default(); agents],
            seats: vec![vec![Clusters::default(); seats]; agents],
            pairs: vec![vec![Clusters::default(); agents]; agents],
        }
    }

    /// Counts one block: the games of each line-up that played it to the end.
    pub(super) fn add_block<'g>(
        &mut self,
        line_ups: &[LineUp],
        games: impl Iterator<Item = &'g GameRecord>,
        block: &mut Block,
    ) {
        let (agents, seats) = (self.agents.len(), self.seats.first().map_or(0, Vec::len));
        for game in games {
            let line_up = &line_ups[game.line_up as usize];
            for (at, seat) in game.seats[..seats].iter().enumerate() {
                let agent = line_up.roles[seat.role as usize];
                block.seated[agent][at].add(seat.share_units as u32);
                if line_up.is_self_play() {
                    continue;
                }
                for other in &game.seats[..seats] {
                    let rival = line_up.roles[other.role as usize];
                    if rival != agent {
                        block.met[agent * agents + rival].add(rank_units(seat, other));
                    }
                }
            }
        }
        for (agent, seated) in block.seated.iter_mut().enumerate() {
            let mut all = Cell::default();
            for (clusters, cell) in self.seats[agent].iter_mut().zip(seated) {
                all.count += cell.count;
                all.units += cell.units;
                cell.hand_over(clusters);
            }
            all.hand_over(&mut self.agents[agent]);
        }
        self.pairs.iter_mut().flatten().zip(&mut block.met).for_each(|(pair, cell)| cell.hand_over(pair));
    }

    /// Adds all blocks of another.
    pub fn merge(&mut self, other: &Pooled) {
        let own = self.agents.iter_mut().chain(self.seats.iter_mut().flatten());
        let theirs = other.agents.iter().chain(other.seats.iter().flatten());
        own.chain(self.pairs.iter_mut().flatten())
            .zip(theirs.chain(other.pairs.iter().flatten()))
            .for_each(|(own, theirs)| own.merge(theirs));
    }
}

/// The counts of one block: made once for many blocks, and empty after each.
pub(super) struct Block {
    /// Seatings and shares by agent and seat.
    seated: Vec<[Cell; MAX_SEATS]>,
    /// Meetings and their units by agent and agent.
    met: Vec<Cell>,
}

impl Block {
    /// For so many agents.
    pub(super) fn new(agents: usize) -> Block {
        Block { seated: vec![Default::default(); agents], met: vec![Cell::default(); agents * agents] }
    }
}

#[derive(Clone, Copy, Default)]
struct Cell {
    count: u32,
    units: u32,
}

impl Cell {
    fn add(&mut self, units: u32) {
        self.count += 1;
        self.units += units;
    }

    /// Adds the block where it has anything, and empties the cell.
    fn hand_over(&mut self, clusters: &mut Clusters) {
        let Cell { count, units } = std::mem::take(self);
        if count > 0 {
            clusters.add_block(count as u64, units as u64);
        }
    }
}
