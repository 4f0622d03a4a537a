//! The numbered vectors of the rules specification, each a test. The engine and the slow twin play them
//! side by side, under two readings of Plunder's dice.

use dhow::game::Seat;
use dhow::games::six_sided_seas::{Action::*, Move, Slot};

use crate::table::{A, B, C, Table, place, seat, setup, sorted};

/// Two readings of Plunder's missing requirement, each with a pair that fills it.
fn both_plunders(test: impl Fn(&str, [u8; 2])) {
    test("pair_equal_odd", [1, 1]);
    test("pair_sum_7", [3, 4]);
}

fn rules(plunder: &str, more: &str) -> String {
    format!("plunder_requirement = '{plunder}'\n{more}")
}

#[test]
fn vector_01_overboard_fills_evade_with_different_dice() {
    both_plunders(|plunder, _| {
        let mut t = Table::begin(setup(2, &rules(plunder, "")));
        t.roll(&[4, 5, 5]);
        assert_eq!(t.legal(), [AcceptOverboard]);
        t.act(AcceptOverboard);
        assert_eq!(t.legal(), sorted([EvadePlace(4), EvadePlace(5), EvadeDone]));
        t.act(EvadePlace(5));
        t.act(EvadePlace(4));
        assert_eq!(t.legal(), [EvadeDone]);
        t.act(EvadeDone);
        assert_eq!(t.dice(A, Slot::Evade), [4, 5]);
        assert_eq!((t.supply(A), t.pool()), (12, vec![]));
        assert_eq!(t.decider(), Some(B));
    });
}

#[test]
fn vector_02_jackpot_coin_then_three_shots_at_evade() {
    both_plunders(|plunder, _| {
        let mut twin = setup(2, &rules(plunder, ""));
        twin.captains[A].coin = 13;
        twin.captains[B].coin = 12;
        twin.ship(B, Slot::Evade, &[4, 5]);
        let mut t = Table::begin(twin);
        t.roll(&[4, 4, 5]);
        assert_eq!(t.legal(), sorted([JackpotCoin, JackpotDie]));
        t.act(JackpotCoin);
        assert_eq!(t.coin(A), 14);
        t.act(place(Slot::Fore, 4));
        t.act(Activate(Move::Fore));
        assert_eq!(t.legal(), [Target(seat(B))]);
        t.act(Target(seat(B)));
        assert_eq!(t.decider(), Some(B));
        assert_eq!(t.legal(), sorted([RemoveEvade(4), RemoveEvade(5)]));
        t.act(RemoveEvade(5));
        t.act(place(Slot::Fore, 4));
        t.act(Activate(Move::Fore));
        t.act(Target(seat(B)));
        assert_eq!(t.decider(), Some(A));
        assert_eq!((t.dice(B, Slot::Evade), t.hp(B)), (vec![], 12));
        t.act(place(Slot::Aft, 5));
        t.act(Activate(Move::Aft));
        t.act(Target(seat(B)));
        assert_eq!((t.hp(B), t.supply(A)), (11, 14));
    });
}

#[test]
fn vector_03_doubled_plunder_with_treasure_island() {
    both_plunders(|plunder, pair| {
        let mut twin = setup(2, &rules(plunder, ""));
        twin.ship(A, Slot::DoubleTime, &[2, 2]);
        twin.ship(A, Slot::Plunder, &pair);
        twin.islands[2 - 1] = Some(A);
        let mut t = Table::order(twin, &[pair[0], pair[1]]);
        t.act(Activate(Move::DoubleTime));
        t.act(Activate(Move::Plunder));
        assert_eq!(t.coin(A), 17);
        assert_eq!(t.doubles(A), 0);
        t.act(place(Slot::Plunder, pair[0]));
        t.act(place(Slot::Plunder, pair[1]));
        t.act(Activate(Move::Plunder));
        assert_eq!(t.coin(A), 19);
    });
}

#[test]
fn vector_04_mitosis_splits_evenly() {
    both_plunders(|plunder, _| {
        for (die, halves) in [(5, [2, 3]), (6, [3, 3]), (4, [2, 2]), (3, [1, 2]), (2, [1, 1])] {
            let mut twin = setup(2, &rules(plunder, ""));
            twin.islands[5 - 1] = Some(A);
            let mut t = Table::order(twin, &[1, die]);
            assert!(!t.offers(Mitosis(1)));
            t.act(Mitosis(die));
            assert_eq!(t.pool(), sorted([1, halves[0], halves[1]]));
            assert_eq!(t.supply(A), 14 - 1 - 3);
            assert!(!t.legal().iter().any(|action| matches!(action, Mitosis(_))));
        }
    });
}

#[test]
fn vector_05_bump_on_six_gains_a_one() {
    both_plunders(|plunder, _| {
        let mut twin = setup(2, &rules(plunder, ""));
        twin.islands[1 - 1] = Some(A);
        let mut t = Table::order(twin, &[6]);
        assert_eq!(t.supply(A), 12);
        t.act(Bump { die: 6, on: None });
        assert_eq!((t.pool(), t.supply(A)), (vec![1, 6], 11));
        assert!(!t.offers(Bump { die: 6, on: None }) && !t.offers(Bump { die: 1, on: None }));
    });
}

#[test]
fn vector_06_plunder_wins_beyond_21() {
    both_plunders(|plunder, pair| {
        for (coin, after, wins) in [(19, 21, false), (20, 22, true)] {
            let mut twin = setup(2, &rules(plunder, ""));
            twin.captains[A].coin = coin;
            twin.ship(A, Slot::Plunder, &pair);
            let mut t = Table::order(twin, &[]);
            t.act(Activate(Move::Plunder));
            assert_eq!(t.coin(A), after);
            assert_eq!(t.winner(), wins.then_some(("plunder", A)));
        }
    });
}

#[test]
fn vector_07_jackpot_at_21() {
    both_plunders(|plunder, _| {
        let start = || {
            let mut twin = setup(2, &rules(plunder, ""));
            twin.captains[A].coin = 21;
            let mut t = Table::begin(twin);
            t.roll(&[6, 6, 6, 3]);
            assert_eq!(t.legal(), sorted([JackpotCoin, JackpotDie]));
            t
        };
        let mut t = start();
        t.act(JackpotCoin);
        assert_eq!(t.winner(), Some(("plunder", A)));
        let mut t = start();
        t.act(JackpotDie);
        t.die(5);
        assert_eq!(t.pool(), [3, 5, 6, 6, 6]);
        assert!(t.offers(End) && !t.offers(AcceptOverboard) && !t.offers(Roll));
    });
}

#[test]
fn vector_08_reef_averts_overboard() {
    both_plunders(|plunder, _| {
        let mut twin = setup(2, &rules(plunder, ""));
        twin.islands[3 - 1] = Some(A);
        let mut t = Table::begin(twin);
        t.roll(&[5, 4, 6]);
        assert!(t.offers(AcceptOverboard));
        t.act(Reef { die: 6, on: None });
        assert_eq!(t.pool(), [4, 5, 6]);
        t.die(2);
        assert_eq!(t.pool(), [2, 4, 5]);
        assert_eq!(t.legal(), sorted([Roll, Stop]));
    });
}

#[test]
fn vector_09_noodles_reaches_jackpot() {
    both_plunders(|plunder, _| {
        let mut twin = setup(2, &rules(plunder, ""));
        twin.islands[6 - 1] = Some(A);
        let mut t = Table::begin(twin);
        t.roll(&[4, 5, 6]);
        t.act(Noodles { die: 5, on: None });
        assert_eq!(t.pool(), [2, 4, 6]);
        assert_eq!(t.legal(), sorted([JackpotCoin, JackpotDie]));
    });
}

#[test]
fn vector_10_bump_reaches_jackpot() {
    both_plunders(|plunder, _| {
        for (die, pool) in [(5, vec![6, 6]), (6, vec![1, 5, 6])] {
            let mut twin = setup(2, &rules(plunder, ""));
            twin.islands[1 - 1] = Some(A);
            let mut t = Table::begin(twin);
            t.roll(&[6, 5]);
            t.act(Bump { die, on: None });
            assert_eq!(t.pool(), pool);
            assert_eq!(t.legal(), sorted([JackpotCoin, JackpotDie]));
        }
        let mut twin = setup(2, &rules(plunder, "roll_islands = 'avert_only'"));
        twin.islands[1 - 1] = Some(A);
        let mut t = Table::begin(twin);
        t.roll(&[6, 5]);
        assert_eq!(t.legal(), sorted([Roll, Stop]));
    });
}

#[test]
fn vector_11_overboard_beside_evade_dice() {
    both_plunders(|plunder, _| {
        let mut twin = setup(2, &rules(plunder, ""));
        twin.ship(A, Slot::Evade, &[2, 5]);
        let mut t = Table::begin(twin);
        t.roll(&[2, 5, 6]);
        t.act(AcceptOverboard);
        assert_eq!(t.legal(), sorted([EvadePlace(6), EvadeDone]));
        t.act(EvadePlace(6));
        assert_eq!(t.dice(A, Slot::Evade), [2, 5, 6]);

        let mut twin = setup(2, &rules(plunder, ""));
        twin.ship(A, Slot::Evade, &[1, 2, 3]);
        let mut t = Table::begin(twin);
        t.roll(&[2, 5, 6]);
        t.act(AcceptOverboard);
        assert_eq!(t.legal(), [EvadeDone]);
    });
}

#[test]
fn vector_12_grogged_die_counts_but_goes_nowhere() {
    both_plunders(|plunder, _| {
        let mut twin = setup(2, &rules(plunder, ""));
        twin.captains[A].grog = 1;
        for island in [1, 3, 5, 6] {
            twin.islands[island - 1] = Some(A);
        }
        // Islands to win would end the game at once.
        twin.rules.islands_to_win = 6;
        let mut t = Table::begin(twin);
        assert_eq!(t.grog(A), 0);
        t.roll(&[6]);
        assert_eq!(t.legal(), sorted([Roll, Stop]));
        t.roll(&[5]);
        let islands =
            [Bump { die: 5, on: None }, Reef { die: 5, on: None }, Mitosis(5), Noodles { die: 5, on: None }];
        assert_eq!(t.legal(), sorted([&[Roll, Stop][..], &islands].concat()));
        t.act(Stop);
        let places = [Slot::Aft, Slot::M1, Slot::M2, Slot::Explorer, Slot::Plunder, Slot::Hold, Slot::Evade]
            .map(|slot| place(slot, 5));
        let mut expected = [&places[..], &islands, &[End]].concat();
        if plunder == "pair_sum_7" {
            assert!(expected.contains(&place(Slot::Plunder, 5)));
        }
        expected.sort();
        assert_eq!(t.legal(), expected);
        assert_eq!((t.grog_dice(), t.supply(A)), (vec![6], 14 - 4 - 2));
        t.act(End);
        assert_eq!((t.supply(A), t.grog(A), t.grog_dice()), (10, 0, vec![]));
    });
}

#[test]
fn vector_13_grogged_die_never_evades() {
    both_plunders(|plunder, _| {
        let mut twin = setup(2, &rules(plunder, ""));
        twin.captains[A].grog = 1;
        let mut t = Table::begin(twin);
        t.roll(&[6, 5, 4]);
        t.act(AcceptOverboard);
        assert_eq!(t.legal(), sorted([EvadePlace(4), EvadePlace(5), EvadeDone]));
    });
}

#[test]
fn vector_14_obninsk_strengthens_a_four() {
    both_plunders(|plunder, _| {
        for (die, hp) in [(4, 11), (3, 12)] {
            let mut twin = setup(2, &rules(plunder, ""));
            twin.islands[4 - 1] = Some(A);
            twin.ship(B, Slot::Evade, &[6]);
            twin.ship(A, Slot::Fore, &[die]);
            let mut t = Table::order(twin, &[]);
            t.act(Activate(Move::Fore));
            t.act(Target(seat(B)));
            assert_eq!((t.hp(B), t.dice(B, Slot::Evade)), (hp, vec![]));
            assert_eq!(t.decider(), Some(A));
        }
    });
}

#[test]
fn vector_15_doubled_aft_with_obninsk() {
    both_plunders(|plunder, _| {
        let mut twin = setup(2, &rules(plunder, ""));
        twin.islands[4 - 1] = Some(A);
        twin.captains[A].doubles = 1;
        twin.ship(B, Slot::Evade, &[1, 2, 3]);
        twin.ship(A, Slot::Aft, &[6]);
        let mut t = Table::order(twin, &[]);
        t.act(Activate(Move::Aft));
        t.act(Target(seat(B)));
        assert_eq!(t.legal(), [RemoveEvade(1), RemoveEvade(2), RemoveEvade(3)]);
        t.act(RemoveEvade(3));
        assert_eq!(t.legal(), [RemoveEvade(1), RemoveEvade(2)]);
        t.act(RemoveEvade(1));
        assert_eq!((t.decider(), t.hp(B)), (Some(A), 12));
        t.act(Target(seat(B)));
        assert_eq!((t.hp(B), t.dice(B, Slot::Evade), t.doubles(A)), (11, vec![], 0));
    });
}

#[test]
fn vector_16_main_cannon_blocks_until_the_end_of_the_next_turn() {
    both_plunders(|plunder, _| {
        let mut twin = setup(2, &rules(plunder, ""));
        twin.ship(A, Slot::M1, &[4]);
        twin.ship(A, Slot::M2, &[1]);
        twin.ship(B, Slot::Explorer, &[2, 3]);
        let mut t = Table::order(twin, &[]);
        let supply = t.supply(B);
        t.act(Activate(Move::Main));
        t.act(Target(seat(B)));
        assert_eq!(t.hp(B), 11);
        let block = |slot, die| BlockSpace { slot, die };
        let mut choices = vec![block(Slot::Explorer, 2), block(Slot::Explorer, 3)];
        choices.extend(crate::twin::SLOTS.map(|slot| block(slot, 0)));
        assert_eq!(t.legal(), sorted(choices));
        t.act(block(Slot::Explorer, 3));
        assert_eq!((t.dice(B, Slot::Explorer), t.supply(B), t.supply(A)), (vec![2], supply + 1, 13));
        t.act(End);
        t.roll(&[3, 4]);
        t.act(Stop);
        t.act(place(Slot::Explorer, 3));
        assert!(!t.offers(place(Slot::Explorer, 4)) && !t.offers(Activate(Move::Explorer)));
        assert_eq!(t.supply(A), 13);
        t.act(End);
        assert_eq!((t.supply(A), t.blocks(B, Slot::Explorer)), (14, vec![]));
        assert_eq!(t.dice(B, Slot::Explorer), [2, 3]);
    });
}

#[test]
fn vector_17_an_evaded_main_cannon_blocks_nothing() {
    both_plunders(|plunder, _| {
        let mut twin = setup(2, &rules(plunder, ""));
        twin.ship(A, Slot::M1, &[4]);
        twin.ship(A, Slot::M2, &[1]);
        twin.ship(B, Slot::Evade, &[1]);
        let mut t = Table::order(twin, &[]);
        t.act(Activate(Move::Main));
        t.act(Target(seat(B)));
        assert_eq!((t.hp(B), t.dice(B, Slot::Evade)), (12, vec![]));
        assert_eq!(t.legal(), [End]);
    });
}

#[test]
fn vector_18_doubled_main_cannon_against_one_evade_die() {
    both_plunders(|plunder, _| {
        let mut twin = setup(2, &rules(plunder, ""));
        twin.captains[A].doubles = 1;
        twin.ship(A, Slot::M1, &[5]);
        twin.ship(A, Slot::M2, &[1]);
        twin.ship(B, Slot::Evade, &[1]);
        let mut t = Table::order(twin, &[]);
        t.act(Activate(Move::Main));
        t.act(Target(seat(B)));
        assert_eq!((t.hp(B), t.legal()), (12, vec![Target(seat(B))]));
        t.act(Target(seat(B)));
        assert_eq!(t.hp(B), 11);
        t.act(BlockSpace { slot: Slot::M2, die: 0 });
        assert_eq!((t.legal(), t.blocks(B, Slot::M2), t.supply(A)), (vec![End], vec![A], 13));
    });
}

#[test]
fn vector_19_blocked_evade_does_not_evade() {
    both_plunders(|plunder, _| {
        for (switch, dice, hp) in [("true", vec![2, 3], 11), ("false", vec![2], 12)] {
            let mut twin = setup(2, &rules(plunder, &format!("evade_block_disables = {switch}")));
            twin.ship(B, Slot::Evade, &[2, 3]);
            twin.block(B, Slot::Evade, A);
            twin.ship(A, Slot::M1, &[5]);
            twin.ship(A, Slot::M2, &[1]);
            let mut t = Table::order(twin, &[]);
            t.act(Activate(Move::Main));
            t.act(Target(seat(B)));
            if switch == "false" {
                t.act(RemoveEvade(3));
                assert_eq!(t.legal(), [End]);
            } else {
                assert!(!t.offers(BlockSpace { slot: Slot::Evade, die: 0 }));
                assert!(t.offers(BlockSpace { slot: Slot::Evade, die: 2 }));
            }
            assert_eq!((t.dice(B, Slot::Evade), t.hp(B)), (dice, hp));
        }
    });
}

#[test]
fn vector_20_partly_evaded_main_cannon() {
    both_plunders(|plunder, _| {
        for (more, hp, blocks) in [
            ("", 11, true),
            ("main_block_if = 'nothing_evaded'", 11, false),
            ("obninsk_main = 'per_die'", 10, true),
        ] {
            let mut twin = setup(2, &rules(plunder, more));
            twin.islands[4 - 1] = Some(A);
            twin.ship(A, Slot::M1, &[6]);
            twin.ship(A, Slot::M2, &[4]);
            twin.ship(B, Slot::Evade, &[2]);
            let mut t = Table::order(twin, &[]);
            t.act(Activate(Move::Main));
            t.act(Target(seat(B)));
            assert_eq!((t.hp(B), t.dice(B, Slot::Evade)), (hp, vec![]));
            assert_eq!(t.offers(BlockSpace { slot: Slot::Hold, die: 0 }), blocks);
        }
    });
}

#[test]
fn vector_21_grog_does_not_use_the_doubling_up() {
    both_plunders(|plunder, _| {
        for (switch, shots) in [("persist", 2), ("wasted", 1)] {
            let mut twin = setup(2, &rules(plunder, &format!("double_on_grog = '{switch}'")));
            twin.ship(A, Slot::DoubleTime, &[2, 2]);
            twin.ship(A, Slot::Grog, &[1, 3]);
            twin.ship(A, Slot::Fore, &[3]);
            let mut t = Table::order(twin, &[]);
            t.act(Activate(Move::DoubleTime));
            t.act(Activate(Move::Grog));
            assert_eq!(t.legal(), [GrogTarget(seat(B))]);
            t.act(GrogTarget(seat(B)));
            assert_eq!(t.grog(B), 1);
            t.act(Activate(Move::Fore));
            for _ in 0..shots {
                t.act(Target(seat(B)));
            }
            assert_eq!((t.hp(B), t.legal()), (12 - shots, vec![End]));
        }
    });
}

#[test]
fn vector_22_double_time_is_not_doubled() {
    both_plunders(|plunder, _| {
        let mut twin = setup(2, &rules(plunder, ""));
        twin.captains[A].doubles = 1;
        twin.ship(A, Slot::DoubleTime, &[6, 6]);
        let t = Table::order(twin, &[]);
        assert_eq!(t.legal(), [End]);
    });
}

#[test]
fn vector_23_explorer_takes_an_island_from_another() {
    both_plunders(|plunder, _| {
        let mut twin = setup(2, &rules(plunder, ""));
        twin.ship(A, Slot::Explorer, &[2, 3, 4]);
        twin.islands[3 - 1] = Some(B);
        let mut t = Table::order(twin, &[]);
        let (own, other) = (t.supply(A), t.supply(B));
        t.act(Activate(Move::Explorer));
        assert_eq!(t.legal(), [ClaimIsland(2), ClaimIsland(3), ClaimIsland(4)]);
        t.act(ClaimIsland(3));
        assert_eq!(t.islands()[3 - 1], Some(A));
        assert_eq!((t.supply(A), t.supply(B)), (own + 2, other + 1));
    });
}

#[test]
fn vector_24_doubled_explorer_claims_two() {
    both_plunders(|plunder, _| {
        let mut twin = setup(2, &rules(plunder, ""));
        twin.captains[A].doubles = 1;
        twin.ship(A, Slot::Explorer, &[4, 5, 6]);
        let mut t = Table::order(twin, &[]);
        t.act(Activate(Move::Explorer));
        t.act(ClaimIsland(4));
        assert_eq!(t.legal(), [ClaimIsland(4), ClaimIsland(5), ClaimIsland(6)]);
        t.act(ClaimIsland(6));
        assert_eq!(t.islands(), [None, None, None, Some(A), None, Some(A)]);
    });
}

#[test]
fn vector_25_four_islands_win_at_the_start_of_a_turn() {
    both_plunders(|plunder, _| {
        for lost in [false, true] {
            let mut twin = setup(2, &rules(plunder, ""));
            for island in [1, 2, 3, 5] {
                twin.islands[island - 1] = Some(A);
            }
            twin.current = B;
            twin.ship(B, Slot::Explorer, &[1, 2, 3]);
            let mut t = Table::order(twin, &[]);
            if lost {
                t.act(Activate(Move::Explorer));
                t.act(ClaimIsland(2));
            }
            t.act(End);
            assert_eq!(t.winner(), (!lost).then_some(("exploration", A)));
            assert_eq!(t.decider(), lost.then_some(A));
        }
    });
}

#[test]
fn vector_26_a_fourth_island_does_not_win_yet() {
    both_plunders(|plunder, _| {
        let mut twin = setup(2, &rules(plunder, ""));
        for island in [1, 2, 3] {
            twin.islands[island - 1] = Some(A);
        }
        twin.ship(A, Slot::Explorer, &[4, 5, 6]);
        let mut t = Table::order(twin, &[]);
        t.act(Activate(Move::Explorer));
        t.act(ClaimIsland(5));
        assert_eq!((t.winner(), t.decider()), (None, Some(A)));
        t.act(End);
        assert_eq!((t.winner(), t.decider()), (None, Some(B)));
    });
}

#[test]
fn vector_27_explorer_placements_must_stay_completable() {
    both_plunders(|plunder, _| {
        for (there, legal) in [(vec![2, 4], vec![3]), (vec![3], vec![1, 2, 4, 5]), (vec![1, 2], vec![3])] {
            let mut twin = setup(2, &rules(plunder, ""));
            twin.ship(A, Slot::Explorer, &there);
            let t = Table::order(twin, &[1, 2, 3, 4, 5, 6]);
            let offered: Vec<u8> = (1..=6).filter(|&die| t.offers(place(Slot::Explorer, die))).collect();
            assert_eq!(offered, legal);
        }
    });
}

#[test]
fn vector_28_hold_waits_for_a_later_turn() {
    both_plunders(|plunder, _| {
        let mut twin = setup(2, &rules(plunder, ""));
        twin.ship(A, Slot::Hold, &[4]);
        let mut t = Table::begin(twin);
        t.roll(&[4]);
        assert!(!t.offers(Unhold));
        t.act(Stop);
        t.act(Unhold);
        assert_eq!(t.pool(), [4, 4]);
        t.act(place(Slot::DoubleTime, 4));
        t.act(place(Slot::DoubleTime, 4));
        t.act(Activate(Move::DoubleTime));
        assert_eq!(t.doubles(A), 1);

        let mut t = Table::order(setup(2, &rules(plunder, "")), &[3]);
        t.act(place(Slot::Hold, 3));
        assert!(t.hold_fresh(A) && !t.offers(Unhold));
        t.act(End);
        t.roll(&[1]);
        t.act(Stop);
        t.act(End);
        t.roll(&[1]);
        assert!(!t.hold_fresh(A));
        t.act(Stop);
        t.act(Unhold);
        t.act(place(Slot::Hold, 1));
        assert!(!t.offers(Unhold));
    });
}

#[test]
fn vector_29_a_filled_action_waits() {
    both_plunders(|plunder, _| {
        let mut twin = setup(2, &rules(plunder, ""));
        twin.ship(A, Slot::Aft, &[5]);
        let mut t = Table::order(twin, &[5]);
        assert!(t.offers(Activate(Move::Aft)) && !t.offers(place(Slot::Aft, 5)));
        t.act(End);
        t.roll(&[1]);
        t.act(Stop);
        t.act(End);
        t.roll(&[1]);
        assert!(!t.offers(Activate(Move::Aft)));
        t.act(Stop);
        t.act(Activate(Move::Aft));
        t.act(Target(seat(B)));
        assert_eq!(t.hp(B), 11);
    });
}

#[test]
fn vector_30_an_empty_supply_gives_no_die() {
    both_plunders(|plunder, pair| {
        let full = || {
            let mut twin = setup(2, &rules(plunder, ""));
            twin.ship(A, Slot::Aft, &[5]);
            twin.ship(A, Slot::Fore, &[3]);
            twin.ship(A, Slot::M1, &[5]);
            twin.ship(A, Slot::M2, &[5]);
            twin.ship(A, Slot::Plunder, &pair);
            twin.ship(A, Slot::Hold, &[5]);
            twin.ship(A, Slot::Evade, &[1, 2]);
            twin.islands[1 - 1] = Some(A);
            twin.islands[5 - 1] = Some(A);
            twin
        };
        // Eleven on ship and islands, three rolled: nothing left.
        let mut twin = full();
        twin.captains[A].coin = 20;
        let mut t = Table::begin(twin);
        t.roll(&[6, 3]);
        assert!(t.offers(Mitosis(3)) && t.offers(Bump { die: 6, on: None }));
        t.roll(&[3]);
        assert_eq!(t.supply(A), 0);
        assert_eq!(t.legal(), sorted([Stop, Bump { die: 3, on: None }]));
        t.act(Stop);
        assert!(!t.offers(Mitosis(3)) && !t.offers(Bump { die: 6, on: None }));
        assert!(t.offers(Bump { die: 3, on: None }));
        // A jackpot with an empty supply.
        let mut twin = full();
        twin.captains[A].coin = 12;
        twin.ship(A, Slot::Grog, &[2]);
        let mut t = Table::begin(twin);
        t.roll(&[6, 6]);
        assert_eq!((t.supply(A), t.legal()), (0, vec![JackpotCoin]));
        // Nothing to roll at all: straight to the Order phase.
        let mut twin = full();
        twin.captains[A].grog = 1;
        twin.ship(A, Slot::Grog, &[2, 2]);
        twin.ship(A, Slot::Explorer, &[2]);
        let t = Table::begin(twin);
        assert_eq!((t.supply(A), t.grog(A)), (0, 0));
        assert!(t.offers(End) && t.offers(Activate(Move::Grog)) && t.offers(Unhold));
    });
}

#[test]
fn vector_31_a_sunk_captain_takes_all_dice_along() {
    both_plunders(|plunder, _| {
        let mut twin = setup(3, &rules(plunder, ""));
        twin.captains[C].hp = 1;
        twin.ship(C, Slot::Grog, &[1]);
        twin.islands[2 - 1] = Some(C);
        twin.islands[5 - 1] = Some(C);
        twin.block(A, Slot::Hold, C);
        twin.ship(A, Slot::Fore, &[3]);
        let mut t = Table::order(twin, &[2]);
        assert!(!t.offers(place(Slot::Hold, 2)));
        t.act(Activate(Move::Fore));
        t.act(Target(seat(C)));
        assert!(t.ghost(C));
        assert_eq!((t.coin(C), t.hp(C), t.supply(C)), (0, 0, 14));
        assert_eq!(t.islands(), [None; 6]);
        assert!(t.blocks(A, Slot::Hold).is_empty());
        assert!(t.offers(place(Slot::Hold, 2)));
        t.act(End);
        assert_eq!(t.decider(), Some(B));
    });
}

#[test]
fn vector_32_a_ghost_that_kills_lives_again() {
    both_plunders(|plunder, _| {
        let mut twin = setup(3, &rules(plunder, ""));
        twin.current = C;
        twin.captains[C].make_ghost();
        twin.captains[B].hp = 1;
        let mut t = Table::begin(twin);
        t.die(3);
        t.die(5);
        t.act(place(Slot::Fore, 3));
        t.act(Activate(Move::Fore));
        assert_eq!(t.legal(), sorted([Target(seat(A)), Target(seat(B))]));
        t.act(Target(seat(B)));
        assert_eq!((t.decider(), t.winner()), (None, None));
        assert!(t.ghost(B));
        t.die(4);
        assert_eq!((t.coin(C), t.hp(C), t.ghost(C)), (12, 4, false));
        assert_eq!((t.pool(), t.supply(C), t.decider()), (vec![], 14, Some(C)));
        assert_eq!(t.legal(), [Roll]);
        t.roll(&[5]);
        t.act(Stop);
        assert!(t.offers(place(Slot::Evade, 5)));
        t.act(End);
        assert_eq!(t.decider(), Some(A));
    });
}

#[test]
fn vector_33_a_ghost_that_sinks_the_only_living_wins() {
    both_plunders(|plunder, _| {
        let mut twin = setup(3, &rules(plunder, ""));
        twin.current = B;
        twin.captains[A].hp = 1;
        twin.captains[B].make_ghost();
        twin.captains[C].make_ghost();
        twin.ship(B, Slot::Aft, &[5]);
        let mut t = Table::order(twin, &[]);
        t.act(Activate(Move::Aft));
        t.act(Target(seat(A)));
        assert_eq!(t.winner(), None);
        t.die(2);
        assert_eq!(t.winner(), Some(("sink", B)));
        assert_eq!((t.hp(B), t.coin(B), t.ghost(A)), (2, 12, true));
    });
}

#[test]
fn vector_34_what_a_ghost_may_do() {
    both_plunders(|plunder, _| {
        let mut twin = setup(3, &rules(plunder, ""));
        twin.captains[A].make_ghost();
        let mut t = Table::begin(twin);
        t.die(6);
        t.die(6);
        let expected = [Slot::Aft, Slot::M1, Slot::M2, Slot::DoubleTime].map(|slot| place(slot, 6));
        assert_eq!(t.legal(), sorted([&expected[..], &[End]].concat()));
        t.act(End);
        t.roll(&[1]);
        t.act(Stop);
        t.act(End);
        t.roll(&[1]);
        t.act(Stop);
        t.act(End);
        t.die(3);
        t.die(1);
        let expected = [
            place(Slot::Fore, 3),
            place(Slot::M2, 1),
            place(Slot::M2, 3),
            place(Slot::Grog, 1),
            place(Slot::Grog, 3),
            End,
        ];
        assert_eq!(t.legal(), sorted(expected));
    });
}

#[test]
fn vector_35_ghosts_are_no_targets_but_drink() {
    both_plunders(|plunder, _| {
        let mut twin = setup(3, &rules(plunder, ""));
        twin.captains[B].make_ghost();
        twin.ship(A, Slot::Fore, &[3]);
        twin.ship(A, Slot::Grog, &[1, 2]);
        let mut t = Table::order(twin, &[]);
        t.act(Activate(Move::Fore));
        assert_eq!(t.legal(), [Target(seat(C))]);
        t.act(Target(seat(C)));
        t.act(Activate(Move::Grog));
        assert_eq!(t.legal(), sorted([GrogTarget(seat(B)), GrogTarget(seat(C))]));
        t.act(GrogTarget(Seat::new(B)));
        t.act(End);
        t.die(6);
        t.die(5);
        assert_eq!((t.grog_dice(), t.pool()), (vec![6], vec![5]));
    });
}

#[test]
fn vector_36_plunder_placements() {
    for (plunder, there, legal) in [
        ("pair_equal_odd", vec![3], vec![3]),
        ("pair_equal_odd", vec![], vec![1, 3, 5]),
        ("pair_equal_any", vec![4], vec![4]),
        ("pair_equal_any", vec![], vec![1, 2, 3, 4, 5, 6]),
        ("pair_sum_7", vec![3], vec![4]),
        ("pair_sum_7", vec![6], vec![1]),
        ("pair_sum_7", vec![], vec![1, 2, 3, 4, 5, 6]),
        ("two_of_1_2", vec![1], vec![1, 2]),
        ("two_of_1_2", vec![], vec![1, 2]),
        ("two_of_5_6", vec![5], vec![5, 6]),
        ("two_of_5_6", vec![], vec![5, 6]),
        ("pair_sum_ge_9", vec![], vec![3, 4, 5, 6]),
        ("pair_sum_ge_9", vec![3], vec![6]),
        ("pair_sum_ge_9", vec![4], vec![5, 6]),
        ("pair_sum_ge_9", vec![6], vec![3, 4, 5, 6]),
        ("triple_equal", vec![], vec![1, 2, 3, 4, 5, 6]),
        ("triple_equal", vec![2], vec![2]),
        ("triple_equal", vec![5, 5], vec![5]),
    ] {
        let mut twin = setup(2, &rules(plunder, ""));
        twin.ship(A, Slot::Plunder, &there);
        let t = Table::order(twin, &[1, 2, 3, 4, 5, 6]);
        let offered: Vec<u8> = (1..=6).filter(|&die| t.offers(place(Slot::Plunder, die))).collect();
        assert_eq!(offered, legal, "{plunder} beside {there:?}");
    }
    // What fills it: two dice, or three equal ones.
    for (plunder, dice) in [
        ("pair_equal_odd", vec![5, 5]),
        ("pair_equal_any", vec![4, 4]),
        ("pair_sum_7", vec![1, 6]),
        ("two_of_1_2", vec![1, 2]),
        ("two_of_5_6", vec![5, 6]),
        ("pair_sum_ge_9", vec![3, 6]),
        ("triple_equal", vec![4, 4, 4]),
    ] {
        let mut t = Table::order(setup(2, &rules(plunder, "")), &dice);
        for &die in &dice {
            assert!(!t.offers(Activate(Move::Plunder)));
            t.act(place(Slot::Plunder, die));
        }
        t.act(Activate(Move::Plunder));
        assert_eq!((t.coin(A), t.supply(A)), (14, 14));
    }
}
