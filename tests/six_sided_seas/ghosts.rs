//! Ghost ships and resurrection, with every value of S-23 to S-26.

use dhow::games::six_sided_seas::{Action::*, Move, Slot};

use crate::table::{A, B, C, D, Table, block, place, seat, setup, sorted};

#[test]
fn blocks_of_a_sunk_captain() {
    for (rule, blocks, supply) in [("true", vec![], 14), ("false", vec![C], 13)] {
        let mut twin = setup(3, &format!("ghost_lifts_blocks = {rule}"));
        twin.captains[C].hp = 1;
        twin.block(B, Slot::Plunder, C);
        // Those that lie on its own ship stay.
        twin.block(C, Slot::Fore, B);
        twin.ship(C, Slot::Plunder, &[1]);
        twin.ship(C, Slot::Hold, &[1]);
        twin.captains[C].hold_fresh = true;
        twin.captains[C].grog = 1;
        twin.ship(A, Slot::Fore, &[3]);
        let mut t = Table::order(twin, &[]);
        t.act(Activate(Move::Fore));
        t.act(Target(seat(C)));
        assert_eq!((t.blocks(B, Slot::Plunder), t.supply(C)), (blocks, supply), "{rule}");
        assert_eq!((t.blocks(C, Slot::Fore), t.hold_fresh(C), t.grog(C)), (vec![B], false, 1));
        t.act(End);
        t.roll(&[1]);
        t.act(Stop);
        t.act(End);
        t.die(4);
        t.die(3);
        assert_eq!(
            (t.grog_dice(), t.legal()),
            (vec![4], sorted([place(Slot::M2, 3), place(Slot::Grog, 3), End]))
        );
        t.act(End);
        assert!(t.blocks(C, Slot::Fore).is_empty());
    }
}

#[test]
fn dice_on_a_ghost_ship() {
    for (rule, aft, grog) in [("true", vec![5], vec![1]), ("false", vec![], vec![])] {
        let mut twin = setup(3, &format!("ghost_persist = {rule}"));
        twin.captains[A].make_ghost();
        twin.ship(A, Slot::Aft, &[5]);
        let mut t = Table::order(twin, &[1, 6]);
        t.act(place(Slot::Grog, 1));
        t.act(End);
        assert_eq!((t.dice(A, Slot::Aft), t.dice(A, Slot::Grog)), (aft, grog), "{rule}");
    }
    // A captain keeps dice in any case.
    let mut t = Table::order(setup(3, "ghost_persist = false"), &[5]);
    t.act(place(Slot::Aft, 5));
    t.act(End);
    assert_eq!(t.dice(A, Slot::Aft), [5]);
}

fn resurrecting(rules: &str) -> Table {
    let mut twin = setup(4, rules);
    twin.captains[A].make_ghost();
    twin.captains[A].doubles = 1;
    twin.captains[B].hp = 1;
    twin.ship(A, Slot::Fore, &[3]);
    twin.ship(A, Slot::M2, &[2]);
    twin.ship(A, Slot::Grog, &[2]);
    twin.block(A, Slot::Aft, D);
    twin.block(C, Slot::Plunder, A);
    let mut t = Table::order(twin, &[4, 6]);
    t.act(Activate(Move::Fore));
    t.act(Target(seat(B)));
    assert_eq!((t.winner(), t.decider(), t.luck_of()), (None, None, Some(A)));
    t.die(5);
    assert_eq!((t.hp(A), t.coin(A), t.ghost(A), t.ghost(B)), (5, 12, false, true));
    t
}

#[test]
fn a_resurrected_captain_begins_a_turn_at_once() {
    for rules in ["", "ghost_persist = false"] {
        let mut t = resurrecting(rules);
        assert_eq!((t.legal(), t.decider(), t.pool()), (vec![Roll], Some(A), vec![]));
        assert_eq!((t.dice(A, Slot::M2), t.dice(A, Slot::Grog)), (vec![2], vec![2]));
        assert_eq!((t.blocks(A, Slot::Aft), t.blocks(C, Slot::Plunder)), (vec![], vec![A]));
        assert_eq!((t.doubles(A), t.turn_no(), t.hp(C), t.hp(D)), (0, 2, 12, 12));
        t.roll(&[5]);
        t.act(Stop);
        t.act(place(Slot::Evade, 5));
        t.act(End);
        assert_eq!(t.luck_of(), Some(B));
    }
}

#[test]
fn a_resurrected_captain_plays_the_ghost_turn_to_its_end_first() {
    for (rules, dice) in [("", vec![2]), ("ghost_persist = false", vec![2])] {
        let mut t = resurrecting(&format!("resurrect_turn = 'after_ghost_turn'\n{rules}"));
        // The second shot still comes, from a living captain.
        assert_eq!(t.legal(), sorted([Target(seat(C)), Target(seat(D))]));
        t.act(Target(seat(C)));
        assert_eq!((t.hp(C), t.blocks(A, Slot::Aft)), (11, vec![D]));
        let expected =
            [place(Slot::Fore, 4), place(Slot::M1, 4), place(Slot::M1, 6), place(Slot::DoubleTime, 4)];
        let expected = [&expected[..], &[place(Slot::DoubleTime, 6), End]].concat();
        assert_eq!(t.legal(), sorted(expected));
        t.act(End);
        assert_eq!((t.dice(A, Slot::M2), t.dice(A, Slot::Grog)), (dice.clone(), dice));
        assert_eq!((t.legal(), t.decider(), t.turn_no()), (vec![Roll], Some(A), 2));
        t.roll(&[5]);
        t.act(Stop);
        assert!(t.offers(place(Slot::Evade, 5)));
        t.act(End);
        assert_eq!(t.luck_of(), Some(B));
    }
}

#[test]
fn a_second_kill_in_the_ghost_turn_is_a_living_captains() {
    let mut twin = setup(4, "resurrect_turn = 'after_ghost_turn'");
    twin.captains[A].make_ghost();
    twin.captains[A].doubles = 1;
    twin.captains[B].hp = 1;
    twin.captains[C].hp = 1;
    twin.captains[D].make_ghost();
    twin.ship(A, Slot::Fore, &[3]);
    let mut t = Table::order(twin, &[]);
    t.act(Activate(Move::Fore));
    t.act(Target(seat(B)));
    t.die(2);
    t.act(Target(seat(C)));
    assert_eq!((t.winner(), t.hp(A)), (Some(("sink", A)), 2));
}

#[test]
fn a_resurrected_captain_may_clear_the_ship() {
    for turn in ["immediate", "after_ghost_turn"] {
        let t = resurrecting(&format!("resurrect_keep_dice = 'clear'\nresurrect_turn = '{turn}'"));
        assert_eq!((t.dice(A, Slot::M2), t.dice(A, Slot::Grog)), (vec![], vec![]), "{turn}");
        assert_eq!(t.blocks(C, Slot::Plunder), [A]);
    }
}

#[test]
fn a_resurrection_in_the_last_turn_ends_in_a_draw() {
    let mut twin = setup(3, "turn_cap = 3");
    twin.turn_no = 3;
    twin.captains[C].make_ghost();
    twin.current = C;
    twin.captains[B].hp = 1;
    twin.ship(C, Slot::Aft, &[5]);
    let mut t = Table::order(twin, &[2]);
    t.act(Activate(Move::Aft));
    t.act(Target(seat(B)));
    t.die(1);
    assert!(t.outcome().capped());
    let scores: Vec<_> = t.outcome().results().iter().map(|result| result.score).collect();
    assert_eq!(scores, [12, 0, 12]);
}

#[test]
fn a_ghost_that_only_wounds_stays_a_ghost() {
    let mut twin = setup(3, "");
    twin.captains[A].make_ghost();
    twin.captains[B].hp = 2;
    twin.ship(A, Slot::Fore, &[3]);
    twin.ship(B, Slot::Evade, &[1, 2]);
    let mut t = Table::order(twin, &[5]);
    t.act(Activate(Move::Fore));
    t.act(Target(seat(B)));
    t.act(RemoveEvade(2));
    t.act(place(Slot::Aft, 5));
    t.act(Activate(Move::Aft));
    t.act(Target(seat(C)));
    assert_eq!((t.hp(B), t.hp(C), t.ghost(A)), (2, 11, true));
    t.act(End);
    assert_eq!(t.decider(), Some(B));
}

#[test]
fn a_ghost_blocks_with_its_main_cannon() {
    let mut twin = setup(3, "");
    twin.captains[A].make_ghost();
    twin.ship(A, Slot::M1, &[6]);
    twin.ship(A, Slot::M2, &[1]);
    let mut t = Table::order(twin, &[2, 2]);
    t.act(place(Slot::DoubleTime, 2));
    t.act(place(Slot::DoubleTime, 2));
    t.act(Activate(Move::DoubleTime));
    t.act(Activate(Move::Main));
    t.act(Target(seat(B)));
    t.act(block(Slot::Evade, 0));
    t.act(Target(seat(C)));
    t.act(block(Slot::Explorer, 0));
    assert_eq!((t.supply(A), t.doubles(A)), (12, 0));
}

#[test]
fn a_ghost_without_dice_rolls_none() {
    for (dice, rolls) in [(4, 0), (5, 1), (6, 2)] {
        let mut twin = setup(3, &format!("dice_per_player = {dice}"));
        twin.captains[A].make_ghost();
        twin.ship(A, Slot::Grog, &[1, 2]);
        let mut t = Table::begin(twin);
        for _ in 0..rolls {
            assert_eq!(t.luck_of(), Some(A));
            t.die(1);
        }
        assert!(t.offers(End));
    }
}

#[test]
fn a_last_die_counts_until_the_supply_is_empty() {
    // Two dice: one roll, a second, then only Stop.
    let mut t = Table::begin(setup(2, "dice_per_player = 4"));
    t.roll(&[1, 1]);
    assert_eq!((t.supply(A), t.legal()), (0, vec![Stop]));
}
