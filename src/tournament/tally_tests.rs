//! Blocks counted many at a time against the same blocks counted one by one, and against plain sums.

use proptest::prelude::*;

use super::super::line_up::{Mode, line_ups};
use super::*;

/// Games of `line_up` from what was drawn for each seat: place, score, decisions, a tally.
fn games(line_up: &LineUp, drawn: &[[(u8, i32, u32, i32); MAX_SEATS]]) -> Vec<GameRecord> {
    let (seats, per_block) = (line_up.seats(), line_up.games_per_block());
    let whole = drawn.len() / per_block * per_block;
    let game = |(at, drawn): (usize, &[(u8, i32, u32, i32); MAX_SEATS])| {
        let (block, rotation) = ((at / per_block) as u64, at % per_block);
        let seating = line_up.seating(1, 0, block, rotation);
        let mut record = GameRecord {
            block,
            rotation: rotation as u16,
            ending: drawn[0].0 % 2,
            capped: drawn[0].0 % 2 == 1,
            turns: drawn[0].2,
            ..GameRecord::default()
        };
        let first = drawn[..seats].iter().filter(|seat| seat.0 == 0).count() as u32;
        for (at, (place, score, decisions, tally)) in drawn[..seats].iter().copied().enumerate() {
            let share_units = if place == 0 { (SHARE_UNITS / first) as u8 } else { 0 };
            let mut tallies = [0; MAX_TALLIES];
            tallies[3] = tally;
            let role = seating[at] as u8;
            record.seats[at] = SeatRecord { role, share_units, rank: place + 1, score, decisions, tallies };
        }
        record
    };
    drawn[..whole].iter().enumerate().map(game).collect()
}

proptest! {
    #[test]
    fn many_blocks_at_a_time_count_as_block_by_block(
        (agents, seats) in (1usize..=4, 2usize..=6),
        luck_goes_round in any::<bool>(),
        drawn in prop::collection::vec(
            prop::array::uniform6((0u8..3, any::<i32>(), 0u32..400, -2i32..3)),
            1..60,
        ),
        cut in 0usize..60,
    ) {
        for line_up in line_ups(agents, seats, Mode::RoundRobin, luck_goes_round) {
            let games = games(&line_up, &drawn);
            let per_block = line_up.games_per_block();
            let new = || Tally::new(&line_up, 2, &[3]);
            let (mut one_by_one, mut two_runs) = (new(), new());
            games.chunks_exact(per_block).for_each(|block| one_by_one.add_blocks(block, per_block, 4));
            let cut = (cut * per_block).min(games.len());
            two_runs.add_blocks(&games[..cut], per_block, 4);
            two_runs.add_blocks(&games[cut..], per_block, 4);
            prop_assert_eq!(&one_by_one, &two_runs);

            // Against sums that know nothing of agents and blocks.
            prop_assert_eq!(one_by_one.games, games.len() as u64);
            for at in 0..seats {
                let seat = |of: fn(&SeatRecord) -> i64| games.iter().map(|game| of(&game.seats[at])).sum::<i64>();
                let cell = |of: fn(&AgentCell) -> i64| {
                    one_by_one.agent_seats.iter().map(|seats| of(&seats[at])).sum::<i64>()
                };
                prop_assert_eq!(cell(|cell| cell.seatings() as i64), games.len() as i64);
                prop_assert_eq!(cell(|cell| cell.scores), seat(|seat| seat.score as i64));
                prop_assert_eq!(cell(|cell| cell.ranks as i64), seat(|seat| seat.rank as i64));
                prop_assert_eq!(cell(|cell| cell.decisions as i64), seat(|seat| seat.decisions as i64));
                prop_assert_eq!(cell(|cell| cell.tallies[3]), seat(|seat| seat.tallies[3] as i64));
                let won = |seat: &SeatRecord| (seat.share_units == 60) as i64;
                prop_assert_eq!(cell(|cell| cell.wins as i64), seat(won));
                let lost = |seat: &SeatRecord| (seat.share_units == 0) as i64;
                prop_assert_eq!(cell(|cell| cell.losses as i64), seat(lost));
                prop_assert_eq!(
                    cell(|cell| (cell.wins + cell.ties + cell.losses) as i64),
                    games.len() as i64
                );
            }
        }
    }

    #[test]
    fn one_agent_counts_as_an_agent_among_several(
        drawn in prop::collection::vec(prop::array::uniform6((0u8..3, -9i32..9, 0u32..9, 0i32..3)), 1..40),
    ) {
        // A line-up of one agent, whose blocks have a way of their own, and that way for several agents.
        for luck_goes_round in [false, true] {
            let line_up = &line_ups(1, 3, Mode::SelfPlay, luck_goes_round)[0];
            let games = games(line_up, &drawn);
            let per_block = line_up.games_per_block();
            let (mut own, mut general) = (Tally::new(line_up, 2, &[]), Tally::new(line_up, 2, &[]));
            own.add_blocks(&games, per_block, 4);
            general.add_ends(&games, per_block);
            games.chunks_exact(per_block).for_each(|block| general.add_seats(block, 4));
            prop_assert_eq!(own, general);
        }
    }
}
