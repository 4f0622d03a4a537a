//! No allocation per step: once the buffers have grown, whole games are played without one.

use std::sync::atomic::AtomicBool;

use dhow::agents::registry::Spec;
use dhow::games::Catalogued;
use dhow::games::registry::{ENTRIES, Setup, Visitor, visit};
use dhow::tournament::{GameKey, Players, play_game};
use toml::Table;

/// Plays games until their buffers have grown, then counts allocations over fresh games.
struct Count {
    agent: &'static str,
    games: u64,
}

impl Visitor for Count {
    type Output = (u64, u64);
    fn visit<G: Catalogued>(self, game: G) -> (u64, u64) {
        let seats = game.seats();
        let spec = Spec::parse(self.agent).unwrap();
        let mut players = Players::<G>::new(std::iter::repeat_n(&spec, seats)).unwrap();
        let mut play = |block: u64| {
            let seating = std::array::from_fn(|seat| seat.min(seats - 1));
            let key = GameKey { seed: 1, phase: 0, block, rotation: 0, luck_rotation: 0, seating };
            let record = play_game(&game, &mut players, &key, false, None).unwrap();
            record.seats.iter().map(|seat| seat.decisions as u64).sum::<u64>()
        };
        for block in 0..self.games {
            play(block);
        }
        let mut decisions = 0;
        let measured = allocation_counter::measure(|| {
            for block in 0..self.games {
                decisions += play(block);
            }
        });
        (measured.count_total, decisions)
    }
}

#[test]
fn whole_games_are_played_without_allocation() {
    for entry in ENTRIES {
        for seats in entry.seats() {
            for (agent, games) in [("random", 20), ("greedy", 2)] {
                let setup = Setup { game: entry.name.to_owned(), seats, rules: Table::new() };
                let (allocations, decisions) = visit(&setup, Count { agent, games }).unwrap();
                assert!(decisions > 0, "{} with {seats} seats: no decisions", entry.name);
                assert_eq!(
                    allocations, 0,
                    "{} with {seats} seats, {agent}: {decisions} decisions",
                    entry.name
                );
            }
        }
    }
}

/// The counter counts: a test of zero allocations would pass with a broken one.
#[test]
fn the_counter_sees_an_allocation() {
    let measured = allocation_counter::measure(|| {
        std::hint::black_box(vec![AtomicBool::new(true)]);
    });
    assert_eq!(measured.count_total, 1);
}
