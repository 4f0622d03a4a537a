//! What is counted over many games: integers alone, so that the order of adding never matters.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::game_loop::{Clocked, GameRecord, MAX_TALLIES, SeatRecord};
use super::line_up::LineUp;
use crate::game::{MAX_SEATS, SHARE_UNITS};
use crate::statistics::Clusters;

/// Counts of one agent, in one seat or in all.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct AgentCell {
    /// Seatings and shares, by block.
    pub clusters: Clusters,
    /// Games won alone.
    pub wins: u64,
    /// Games with a shared first place.
    pub ties: u64,
    /// All other games.
    pub losses: u64,
    /// Sum of ranks.
    pub ranks: u64,
    /// Sum of scores.
    pub scores: i64,
    /// Decisions made.
    pub decisions: u64,
    /// Sums of the game's tallies.
    pub tallies: [i64; MAX_TALLIES],
}

impl AgentCell {
    /// Counts one seating, but for the clusters.
    fn add(&mut self, seat: &SeatRecord, tallies: usize) {
        // Who wins is as good as drawn: a branch on it would be guessed wrongly in every other game.
        let (won, lost) = (seat.share_units as u32 == SHARE_UNITS, seat.share_units == 0);
        self.wins += won as u64;
        self.losses += lost as u64;
        self.ties += (!won & !lost) as u64;
        self.ranks += seat.rank as u64;
        self.scores += seat.score as i64;
        self.decisions += seat.decisions as u64;
        for (sum, &count) in self.tallies.iter_mut().zip(&seat.tallies[..tallies]) {
            *sum += count as i64;
        }
    }

    /// Counts seat `at` of the games of whole blocks, but for the clusters, for which it gives the units. The sums
    /// run over all games before they are added to the cell, and stay in registers: half the instructions.
    #[inline(always)]
    fn add_games(&mut self, games: &[GameRecord], per_block: usize, at: usize, tallies: usize) -> Units {
        let mut units = Units::default();
        let (mut wins, mut losses, mut ranks, mut scores, mut decisions) = (0, 0, 0, 0, 0);
        for block in games.chunks_exact(per_block) {
            let mut won = 0;
            for seat in block.iter().map(|game| &game.seats[at]) {
                won += seat.share_units as u64;
                wins += (seat.share_units as u32 == SHARE_UNITS) as u64;
                losses += (seat.share_units == 0) as u64;
                ranks += seat.rank as u64;
                scores += seat.score as i64;
                decisions += seat.decisions as u64;
            }
            units.add(won);
        }
        self.wins += wins;
        self.ties += games.len() as u64 - wins - losses;
        self.losses += losses;
        self.ranks += ranks;
        self.scores += scores;
        self.decisions += decisions;
        for (which, sum) in self.tallies[..tallies].iter_mut().enumerate() {
            *sum += games.iter().map(|game| game.seats[at].tallies[which] as i64).sum::<i64>();
        }
        units
    }

    /// Adds all games of another.
    pub fn merge(&mut self, other: &AgentCell) {
        self.clusters.merge(&other.clusters);
        self.wins += other.wins;
        self.ties += other.ties;
        self.losses += other.losses;
        self.ranks += other.ranks;
        self.scores += other.scores;
        self.decisions += other.decisions;
        for (sum, &count) in self.tallies.iter_mut().zip(&other.tallies) {
            *sum += count;
        }
    }

    /// Games in which the agent sat here.
    pub fn seatings(&self) -> u64 {
        self.clusters.seatings()
    }

    /// A sum per seating, `None` without one.
    pub fn mean(&self, sum: i64) -> Option<f64> {
        (self.seatings() > 0).then(|| sum as f64 / self.seatings() as f64)
    }
}

/// One agent against another: by rank in the same game, a tie counting half.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct PairCell {
    /// Meetings and score, by block.
    pub clusters: Clusters,
    /// Ranked before the other.
    pub wins: u64,
    /// Same rank.
    pub ties: u64,
    /// Ranked behind.
    pub losses: u64,
}

impl PairCell {
    /// Adds all meetings of another.
    pub fn merge(&mut self, other: &PairCell) {
        self.clusters.merge(&other.clusters);
        self.wins += other.wins;
        self.ties += other.ties;
        self.losses += other.losses;
    }
}

/// Units of win share of block after block.
#[derive(Default)]
struct Units {
    sum: u64,
    squares: u64,
}

impl Units {
    fn add(&mut self, units: u64) {
        self.sum += units;
        self.squares += units * units;
    }
}

/// Win shares by (agent, value of a tally).
pub type Groups = BTreeMap<(usize, i32), Clusters>;

/// Everything counted of one line-up in one arm. Agents are numbered as in [`LineUp::agents`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Tally {
    seats: usize,
    /// For each role, its agent.
    agent_of_role: Vec<usize>,
    /// Index of the tallies to group by.
    by: Vec<usize>,
    /// Whole blocks counted.
    pub blocks: u64,
    /// Games counted.
    pub games: u64,
    /// Games that ended at the cap.
    pub capped: u64,
    /// Games without a sole winner that did not end at the cap.
    pub draws: u64,
    /// Blocks left out because a game of theirs broke off.
    pub faulty_blocks: u64,
    /// Shares by agent, over all its seats.
    pub agents: Vec<Clusters>,
    /// By agent and seat.
    pub agent_seats: Vec<Vec<AgentCell>>,
    /// By seat, whoever sat there.
    pub seat_totals: Vec<Clusters>,
    /// By agent and agent.
    pub pairs: Vec<Vec<PairCell>>,
    /// By ending, in the game's order.
    pub endings: Vec<u64>,
    /// Games by number of turns.
    pub lengths: BTreeMap<u32, u64>,
    /// For each tally to group by.
    pub groups: Vec<Groups>,
}

impl Tally {
    /// An empty one for a line-up of a game with so many endings, grouped by the tallies `by`.
    pub fn new(line_up: &LineUp, endings: usize, by: &[usize]) -> Tally {
        let agents = line_up.agents();
        let place = |agent| agents.iter().position(|&other| other == agent).expect("a role has an agent");
        let (count, seats) = (agents.len(), line_up.seats());
        Tally {
            seats,
            agent_of_role: line_up.roles.iter().map(|&agent| place(agent)).collect(),
            by: by.to_vec(),
            blocks: 0,
            games: 0,
            capped: 0,
            draws: 0,
            faulty_blocks: 0,
            agents: vec![Clusters::default(); count],
            agent_seats: vec![vec![AgentCell::default(); seats]; count],
            seat_totals: vec![Clusters::default(); seats],
            pairs: vec![vec![PairCell::default(); count]; count],
            endings: vec![0; endings],
            lengths: BTreeMap::new(),
            groups: vec![Groups::new(); by.len()],
        }
    }

    /// Counts the games of whole blocks of `per_block` games each, of a game with so many tallies; but not their
    /// lengths, which [`Lengths`] adds.
    pub(super) fn add_blocks(&mut self, games: &[GameRecord], per_block: usize, tallies: usize) {
        let whole = self.add_ends(games, per_block);
        if self.agents.len() == 1 {
            self.add_self_play(games, per_block, tallies, &whole);
        } else {
            for block in games.chunks_exact(per_block) {
                self.add_seats(block, tallies);
                self.add_pairs(block);
            }
        }
        for which in 0..self.by.len() {
            games.chunks_exact(per_block).for_each(|block| self.add_groups(which, block));
        }
    }

    /// How many games there were and how they ended. Gives the units of all seats together.
    fn add_ends(&mut self, games: &[GameRecord], per_block: usize) -> Units {
        let (mut capped, mut draws, mut units) = (0, 0, Units::default());
        for block in games.chunks_exact(per_block) {
            let mut shared = 0;
            for game in block {
                let mut won = false;
                for seat in &game.seats[..self.seats] {
                    won |= seat.share_units as u32 == SHARE_UNITS;
                    shared += seat.share_units as u64;
                }
                self.endings[game.ending as usize] += 1;
                capped += game.capped as u64;
                draws += (!game.capped & !won) as u64;
            }
            units.add(shared);
        }
        self.blocks += (games.len() / per_block) as u64;
        self.games += games.len() as u64;
        self.capped += capped;
        self.draws += draws;
        units
    }

    /// Blocks in which one agent has all seats: seat by seat, all games at once.
    fn add_self_play(&mut self, games: &[GameRecord], per_block: usize, tallies: usize, whole: &Units) {
        let blocks = (games.len() / per_block) as u64;
        for (at, cell) in self.agent_seats[0].iter_mut().enumerate() {
            let units = match per_block {
                // A loop over one game is no loop: an eighth of what counting such a game takes.
                1 => cell.add_games(games, 1, at, tallies),
                _ => cell.add_games(games, per_block, at, tallies),
            };
            cell.clusters.add_blocks(blocks, per_block as u64, units.sum, units.squares);
            // The seat's whole count is that of the one agent.
            self.seat_totals[at] = cell.clusters;
        }
        self.agents[0].add_blocks(blocks, (per_block * self.seats) as u64, whole.sum, whole.squares);
    }

    /// One block of several agents.
    fn add_seats(&mut self, games: &[GameRecord], tallies: usize) {
        // Small numbers, since all of them are set to 0 for every block, which may be two short games.
        let mut seatings = [[0u16; MAX_SEATS]; MAX_SEATS];
        let mut units = [[0u16; MAX_SEATS]; MAX_SEATS];
        for game in games {
            for (at, seat) in game.seats[..self.seats].iter().enumerate() {
                let agent = self.agent_of_role[seat.role as usize];
                seatings[agent][at] += 1;
                units[agent][at] += seat.share_units as u16;
                self.agent_seats[agent][at].add(seat, tallies);
            }
        }
        let agents = self.agents.len();
        for agent in 0..agents {
            let (seatings, units) = (&seatings[agent], &units[agent]);
            let places = seatings.iter().zip(units).zip(&mut self.agent_seats[agent]);
            for ((&seatings, &units), cell) in places {
                cell.clusters.add_block(seatings as u64, units as u64);
            }
            let sum = |counts: &[u16; MAX_SEATS]| counts.iter().map(|&count| count as u64).sum();
            self.agents[agent].add_block(sum(seatings), sum(units));
        }
        for (at, total) in self.seat_totals.iter_mut().enumerate() {
            let units = units[..agents].iter().map(|units| units[at] as u64).sum();
            total.add_block(games.len() as u64, units);
        }
    }

    fn add_pairs(&mut self, games: &[GameRecord]) {
        let mut meetings = [[(0u64, 0u64); MAX_SEATS]; MAX_SEATS];
        for game in games {
            let seats = &game.seats[..self.seats];
            for one in seats {
                for other in seats {
                    let agent = self.agent_of_role[one.role as usize];
                    let rival = self.agent_of_role[other.role as usize];
                    if agent == rival {
                        continue;
                    }
                    let pair = &mut self.pairs[agent][rival];
                    let counted = match one.rank.cmp(&other.rank) {
                        Ordering::Less => &mut pair.wins,
                        Ordering::Equal => &mut pair.ties,
                        Ordering::Greater => &mut pair.losses,
                    };
                    *counted += 1;
                    let (count, sum) = &mut meetings[agent][rival];
                    *count += 1;
                    *sum += rank_units(one, other) as u64;
                }
            }
        }
        for (row, meetings) in self.pairs.iter_mut().zip(&meetings) {
            for (pair, &(count, sum)) in row.iter_mut().zip(meetings) {
                pair.clusters.add_block(count, sum);
            }
        }
    }

    fn add_groups(&mut self, which: usize, games: &[GameRecord]) {
        // The few (agent, value) pairs of one block, gathered before they count as one block each.
        let mut found: Vec<((usize, i32), u64, u64)> = Vec::new();
        for game in games {
            for seat in &game.seats[..self.seats] {
                let place = (self.agent_of_role[seat.role as usize], seat.tallies[self.by[which]]);
                let at = found.iter().position(|&(other, ..)| other == place).unwrap_or_else(|| {
                    found.push((place, 0, 0));
                    found.len() - 1
                });
                found[at].1 += 1;
                found[at].2 += seat.share_units as u64;
            }
        }
        for (place, seatings, units) in found {
            self.groups[which].entry(place).or_default().add_block(seatings, units);
        }
    }

    /// Adds everything of another tally of the same line-up.
    pub fn merge(&mut self, other: &Tally) {
        self.blocks += other.blocks;
        self.games += other.games;
        self.capped += other.capped;
        self.draws += other.draws;
        self.faulty_blocks += other.faulty_blocks;
        for (own, theirs) in self.agents.iter_mut().zip(&other.agents) {
            own.merge(theirs);
        }
        for (own, theirs) in self.agent_seats.iter_mut().flatten().zip(other.agent_seats.iter().flatten()) {
            own.merge(theirs);
        }
        for (own, theirs) in self.seat_totals.iter_mut().zip(&other.seat_totals) {
            own.merge(theirs);
        }
        for (own, theirs) in self.pairs.iter_mut().flatten().zip(other.pairs.iter().flatten()) {
            own.merge(theirs);
        }
        for (own, theirs) in self.endings.iter_mut().zip(&other.endings) {
            *own += theirs;
        }
        for (&turns, &games) in &other.lengths {
            *self.lengths.entry(turns).or_default() += games;
        }
        for (own, theirs) in self.groups.iter_mut().zip(&other.groups) {
            for (&place, clusters) in theirs {
                own.entry(place).or_default().merge(clusters);
            }
        }
    }

    /// An agent's counts over all seats: its clusters by whole blocks, the rest summed over its seats.
    pub fn agent_total(&self, agent: usize) -> AgentCell {
        let mut total = AgentCell::default();
        self.agent_seats[agent].iter().for_each(|cell| total.merge(cell));
        total.clusters = self.agents[agent];
        total
    }

    /// Mean number of turns, `None` without a game.
    pub fn mean_turns(&self) -> Option<f64> {
        let turns: u64 = self.lengths.iter().map(|(&turns, &games)| turns as u64 * games).sum();
        (self.games > 0).then(|| turns as f64 / self.games as f64)
    }
}

/// Games by number of turns, for many blocks: short games by index instead of a search in the tally's map.
#[derive(Clone, Debug)]
pub(super) struct Lengths(Vec<u64>);

impl Lengths {
    /// Longer games are counted in the map.
    const SHORT: usize = 256;

    /// An empty one.
    pub(super) fn new() -> Lengths {
        Lengths(vec![0; Lengths::SHORT])
    }

    /// Counts a game.
    #[inline]
    pub(super) fn add(&mut self, turns: u32, tally: &mut Tally) {
        match self.0.get_mut(turns as usize) {
            Some(games) => *games += 1,
            None => *tally.lengths.entry(turns).or_default() += 1,
        }
    }

    /// Adds all that was counted to a tally.
    pub(super) fn hand_over(self, tally: &mut Tally) {
        for (turns, games) in (0..).zip(self.0).filter(|&(_, games)| games > 0) {
            *tally.lengths.entry(turns).or_default() += games;
        }
    }
}

/// One seat against another of the same game by rank, in units: a tie counts half.
pub(super) fn rank_units(one: &SeatRecord, other: &SeatRecord) -> u32 {
    match one.rank.cmp(&other.rank) {
        Ordering::Less => SHARE_UNITS,
        Ordering::Equal => SHARE_UNITS / 2,
        Ordering::Greater => 0,
    }
}

/// Time per decision by agent of the line-up. Not reproducible, and kept apart for that reason.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Timing {
    /// By agent.
    pub agents: Vec<Clocked>,
}

impl Timing {
    /// Adds what was clocked by role.
    pub fn add(&mut self, tally: &Tally, roles: &[Clocked]) {
        self.agents.resize(tally.agents.len(), Clocked::default());
        for (clocked, &agent) in roles.iter().zip(&tally.agent_of_role) {
            self.agents[agent].decisions += clocked.decisions;
            self.agents[agent].time += clocked.time;
        }
    }

    /// Adds another's.
    pub fn merge(&mut self, other: &Timing) {
        self.agents.resize(self.agents.len().max(other.agents.len()), Clocked::default());
        for (own, theirs) in self.agents.iter_mut().zip(&other.agents) {
            own.decisions += theirs.decisions;
            own.time += theirs.time;
        }
    }
}

#[cfg(test)]
#[path = "tally_tests.rs"]
mod tests;
