//! Every value of the rule switches S-02 to S-21, and of the plain numbers of the rulebook.

use dhow::games::six_sided_seas::{Action::*, Move, Slot};

use crate::table::{A, B, C, Table, block, place, seat, setup, sorted};
use crate::twin::SLOTS;

// ---- S-02 to S-04 ----

#[test]
fn an_unlimited_supply_may_fall_below_nothing() {
    let mut twin = setup(2, "supply_limit = 'unlimited'\ndice_per_player = 4");
    twin.captains[A].coin = 10;
    twin.ship(A, Slot::Evade, &[1, 2]);
    twin.islands[0] = Some(A);
    twin.islands[4] = Some(A);
    let mut t = Table::begin(twin);
    assert_eq!((t.supply(A), t.legal()), (-2, vec![Roll]));
    t.roll(&[6]);
    assert!(t.offers(Roll) && t.offers(Mitosis(6)));
    t.act(Bump { die: 6, on: None });
    t.roll(&[3]);
    assert_eq!(t.legal(), sorted([JackpotCoin, JackpotDie]));
    t.act(JackpotDie);
    t.die(5);
    t.act(Mitosis(5));
    assert_eq!(t.supply(A), -7);
}

#[test]
fn released_hull_dice_join_the_supply() {
    for (rule, supplies) in [("reserved", [14, 14, 14, 14]), ("released", [14, 15, 16, 15])] {
        let mut twin = setup(3, &format!("hp_dice = '{rule}'"));
        twin.captains[B].hp = 7;
        twin.ship(A, Slot::Fore, &[3]);
        twin.ship(A, Slot::Aft, &[5]);
        let mut t = Table::order(twin, &[]);
        assert_eq!(t.supply(B), supplies[0]);
        t.act(Activate(Move::Fore));
        t.act(Target(seat(B)));
        assert_eq!((t.hp(B), t.supply(B)), (6, supplies[1]));

        let mut twin = setup(3, &format!("hp_dice = '{rule}'"));
        twin.captains[B].make_ghost();
        twin.captains[A].hp = 1;
        twin.current = B;
        twin.ship(B, Slot::Fore, &[3]);
        let mut t = Table::order(twin, &[]);
        t.act(Activate(Move::Fore));
        t.act(Target(seat(A)));
        assert_eq!((t.supply(A), t.supply(B)), (supplies[2], supplies[2]));
        t.die(6);
        assert_eq!(t.supply(B), supplies[3]);
    }
}

#[test]
fn placed_dice_may_go_to_the_supply_under_any_own() {
    let mut twin = setup(2, "remove_placed = 'any_own'\nisland_scope = 'pool_and_ship'");
    twin.ship(A, Slot::Aft, &[5]);
    twin.ship(A, Slot::M1, &[4]);
    twin.ship(A, Slot::M2, &[2]);
    twin.ship(A, Slot::Grog, &[2, 2]);
    twin.ship(A, Slot::Explorer, &[4, 5]);
    twin.ship(A, Slot::Hold, &[6]);
    twin.ship(A, Slot::Evade, &[3]);
    twin.ship(B, Slot::Fore, &[3]);
    twin.block(A, Slot::Plunder, B);
    let remove = |slot, die| Remove { slot, die };
    let mut t = Table::begin(twin);
    t.roll(&[1]);
    assert!(!t.offers(remove(Slot::Aft, 5)));
    t.act(Stop);
    let removals = [
        remove(Slot::Aft, 5),
        remove(Slot::M1, 4),
        remove(Slot::M2, 2),
        remove(Slot::Grog, 2),
        remove(Slot::Explorer, 4),
        remove(Slot::Explorer, 5),
        remove(Slot::Hold, 6),
        remove(Slot::Evade, 3),
    ];
    let offered: Vec<_> = t.legal().into_iter().filter(|action| matches!(action, Remove { .. })).collect();
    assert_eq!(offered, sorted(removals));
    let supply = t.supply(A);
    for (count, action) in removals.into_iter().enumerate() {
        t.act(action);
        assert_eq!((t.supply(A), t.pool()), (supply + 1 + count as i32, vec![1]));
    }
    assert!(t.offers(remove(Slot::Grog, 2)));
    t.act(place(Slot::Hold, 1));
    assert!(t.hold_fresh(A));
    t.act(remove(Slot::Hold, 1));
    assert!(!t.hold_fresh(A));
}

#[test]
fn a_ghost_too_may_give_dice_up_under_any_own() {
    let mut twin = setup(3, "remove_placed = 'any_own'");
    twin.captains[A].make_ghost();
    twin.ship(A, Slot::Aft, &[5]);
    let mut t = Table::order(twin, &[1]);
    t.act(Remove { slot: Slot::Aft, die: 5 });
    assert!(t.dice(A, Slot::Aft).is_empty());
}

#[test]
fn placed_dice_stay_by_default() {
    let mut twin = setup(2, "");
    twin.ship(A, Slot::Aft, &[5]);
    twin.ship(A, Slot::Hold, &[5]);
    let t = Table::order(twin, &[]);
    assert_eq!(t.legal(), sorted([Activate(Move::Aft), Unhold, End]));
}

// ---- S-05, S-06 ----

#[test]
fn islands_between_rolls_and_overboard() {
    let all =
        [Bump { die: 5, on: None }, Mitosis(5), Reef { die: 5, on: None }, Noodles { die: 5, on: None }];
    for (rule, between, over) in [("any_time", &all[..], &all[..]), ("avert_only", &[], &all[2..])] {
        let mut twin = setup(2, &format!("roll_islands = '{rule}'\nislands_to_win = 7"));
        twin.islands = vec![Some(A); 6];
        let mut t = Table::begin(twin);
        assert_eq!(t.legal(), [Roll]);
        t.roll(&[5, 5]);
        assert_eq!(t.legal(), sorted([&[Roll, Stop], between].concat()));
        t.roll(&[5]);
        assert_eq!(t.legal(), sorted([&[AcceptOverboard], over].concat()));
        t.act(Noodles { die: 5, on: None });
        assert_eq!(t.legal(), sorted([JackpotCoin, JackpotDie]));
        t.act(JackpotCoin);
        assert!(t.offers(Bump { die: 5, on: None }) && t.offers(Mitosis(5)));
    }
}

#[test]
fn overboard_stays_overboard_until_the_total_falls() {
    let mut twin = setup(2, "islands_to_win = 7");
    twin.islands = vec![Some(A); 6];
    let mut t = Table::begin(twin);
    t.roll(&[6, 5, 4]);
    t.act(Mitosis(6));
    assert_eq!(t.pool(), [3, 3, 4, 5]);
    assert!(t.offers(AcceptOverboard) && !t.offers(Stop));
    t.act(Bump { die: 4, on: None });
    assert!(t.offers(AcceptOverboard));
    t.act(Noodles { die: 5, on: None });
    assert_eq!(t.total(), 13);
    assert!(t.offers(AcceptOverboard));
    t.act(Reef { die: 5, on: None });
    t.die(1);
    assert_eq!(t.legal(), sorted([Roll, Stop]));
}

#[test]
fn a_jackpot_that_cannot_win_stops_short() {
    for (more, dice, gained) in [
        ("", [6, 6, 6, 3], 21),
        ("jackpot_gain = 3", [6, 6, 6, 2], 21),
        ("jackpot_gain = 3", [6, 6, 5, 1], 21),
        ("jackpot_gain = 2", [6, 6, 5, 1], 20),
        ("", [6, 6, 6, 2], 21),
    ] {
        let mut twin = setup(2, &format!("jackpot_can_win = false\n{more}"));
        twin.captains[A].coin = dice.iter().sum::<u8>() as i32;
        let mut t = Table::begin(twin);
        t.roll(&dice);
        assert!(t.offers(JackpotCoin));
        t.act(JackpotCoin);
        assert_eq!((t.coin(A), t.winner()), (gained, None));
        assert!(t.offers(End));
    }
}

// ---- S-08, S-09 ----

#[test]
fn auto_activation_fires_with_the_last_die() {
    let auto = "full_persist = 'auto_activate'";
    let mut t = Table::order(setup(2, auto), &[5, 3, 4]);
    t.act(place(Slot::Aft, 5));
    t.act(Target(seat(B)));
    t.act(place(Slot::Fore, 3));
    t.act(Target(seat(B)));
    assert_eq!((t.hp(B), t.dice(A, Slot::Fore)), (10, vec![]));
    t.act(place(Slot::M2, 4));
    assert!(t.offers(End) && !t.offers(Activate(Move::Main)));

    let mut twin = setup(2, auto);
    twin.ship(A, Slot::M2, &[1]);
    twin.ship(A, Slot::Explorer, &[1, 2]);
    twin.ship(A, Slot::Grog, &[1]);
    twin.ship(A, Slot::Plunder, &[3]);
    twin.ship(A, Slot::Evade, &[1, 2]);
    let mut t = Table::order(twin, &[5, 3, 3, 2, 6, 4]);
    t.act(place(Slot::M1, 5));
    t.act(Target(seat(B)));
    t.act(block(Slot::Hold, 0));
    t.act(place(Slot::Explorer, 3));
    t.act(ClaimIsland(2));
    t.act(place(Slot::Grog, 2));
    t.act(GrogTarget(seat(B)));
    t.act(place(Slot::Plunder, 3));
    assert_eq!(t.coin(A), 15);
    // Hold and Evade are not activated.
    t.act(place(Slot::Evade, 6));
    t.act(place(Slot::Hold, 4));
    assert_eq!((t.dice(A, Slot::Evade), t.dice(A, Slot::Hold)), (vec![1, 2, 6], vec![4]));
}

#[test]
fn auto_activation_waits_where_it_is_not_allowed() {
    let mut twin = setup(2, "full_persist = 'auto_activate'\ndouble_on_grog = 'forbid'");
    twin.ship(A, Slot::DoubleTime, &[2]);
    twin.ship(A, Slot::Grog, &[2]);
    let mut t = Table::order(twin, &[2, 4, 4, 1, 5]);
    t.act(place(Slot::DoubleTime, 2));
    assert_eq!((t.doubles(A), t.dice(A, Slot::DoubleTime)), (1, vec![]));
    t.act(place(Slot::DoubleTime, 4));
    t.act(place(Slot::DoubleTime, 4));
    t.act(place(Slot::Grog, 1));
    assert_eq!(t.dice(A, Slot::DoubleTime), [4, 4]);
    assert!(!t.offers(Activate(Move::DoubleTime)) && !t.offers(Activate(Move::Grog)));
    t.act(place(Slot::Aft, 5));
    t.act(Target(seat(B)));
    t.act(Target(seat(B)));
    assert!(t.offers(Activate(Move::DoubleTime)) && t.offers(Activate(Move::Grog)));
}

fn ship_islands() -> Table {
    let mut twin = setup(2, "island_scope = 'pool_and_ship'\nislands_to_win = 7\ndice_per_player = 30");
    twin.islands = vec![Some(A); 6];
    twin.ship(A, Slot::Fore, &[3]);
    twin.ship(A, Slot::Aft, &[6]);
    twin.ship(A, Slot::M1, &[4]);
    twin.ship(A, Slot::M2, &[6]);
    twin.ship(A, Slot::Grog, &[2, 3]);
    twin.ship(A, Slot::Explorer, &[3, 5]);
    twin.ship(A, Slot::DoubleTime, &[2]);
    twin.ship(A, Slot::Plunder, &[1, 1]);
    twin.ship(A, Slot::Hold, &[5]);
    twin.ship(A, Slot::Evade, &[1, 2, 4]);
    twin.ship(B, Slot::Aft, &[5]);
    Table::order(twin, &[])
}

#[test]
fn islands_reach_the_ship_under_pool_and_ship() {
    let t = ship_islands();
    let bump = |slot, die| Bump { die, on: Some(slot) };
    let noodles = |slot, die| Noodles { die, on: Some(slot) };
    let offered = |wanted: fn(&_) -> bool| t.legal().into_iter().filter(wanted).collect::<Vec<_>>();
    assert_eq!(
        offered(|action| matches!(action, Bump { .. })),
        sorted([
            bump(Slot::Fore, 3),
            bump(Slot::Aft, 6),
            bump(Slot::M1, 4),
            bump(Slot::M2, 6),
            bump(Slot::Grog, 2),
            bump(Slot::Explorer, 3),
            bump(Slot::Hold, 5),
            bump(Slot::Evade, 2),
            bump(Slot::Evade, 4),
        ])
    );
    assert_eq!(
        offered(|action| matches!(action, Noodles { .. })),
        sorted([
            noodles(Slot::Fore, 3),
            noodles(Slot::M2, 6),
            noodles(Slot::Hold, 5),
            noodles(Slot::Explorer, 3),
            noodles(Slot::Explorer, 5),
            noodles(Slot::Evade, 1),
            noodles(Slot::Evade, 2),
            noodles(Slot::Evade, 4),
        ])
    );
    assert_eq!(offered(|action| matches!(action, Reef { .. })).len(), 14);
    assert!(!t.legal().iter().any(|action| matches!(action, Mitosis(_))));
}

#[test]
fn islands_change_ship_dice_where_they_lie() {
    let mut t = ship_islands();
    t.act(Bump { die: 3, on: Some(Slot::Explorer) });
    assert_eq!(t.dice(A, Slot::Explorer), [4, 5]);
    t.act(Noodles { die: 2, on: Some(Slot::Evade) });
    assert_eq!((t.dice(A, Slot::Evade), t.pool()), (vec![1, 4, 5], vec![]));
}

#[test]
fn a_bumped_explorer_die_must_leave_a_run() {
    // 3 and 6 are no part of a run.
    let mut twin = setup(2, "island_scope = 'pool_and_ship'");
    twin.islands[0] = Some(A);
    twin.ship(A, Slot::Explorer, &[3, 5]);
    let t = Table::order(twin, &[]);
    assert_eq!(t.legal(), sorted([Bump { die: 3, on: Some(Slot::Explorer) }, End]));
}

#[test]
fn a_bumped_six_of_the_ship_stays_and_a_one_joins_the_pool() {
    let mut t = ship_islands();
    let supply = t.supply(A);
    t.act(Bump { die: 6, on: Some(Slot::M2) });
    assert_eq!((t.dice(A, Slot::M2), t.pool(), t.supply(A)), (vec![6], vec![1], supply - 1));
}

#[test]
fn a_rerolled_ship_die_goes_to_the_supply_if_it_does_not_fit() {
    for (die, dice, back) in [(4, vec![4], 0), (3, vec![3], 0), (5, vec![], 1)] {
        let mut t = ship_islands();
        let supply = t.supply(A);
        t.act(Reef { die: 3, on: Some(Slot::Fore) });
        assert_eq!(t.dice(A, Slot::Fore), [3]);
        t.die(die);
        assert_eq!((t.dice(A, Slot::Fore), t.supply(A), t.pool()), (dice, supply + back, vec![]));
        assert!(t.offers(End));
    }
    for (die, dice) in [(4, vec![2, 4]), (2, vec![2, 4]), (5, vec![2, 4, 5]), (1, vec![1, 2, 4])] {
        let mut t = ship_islands();
        t.act(Reef { die: 1, on: Some(Slot::Evade) });
        t.die(die);
        assert_eq!(t.dice(A, Slot::Evade), dice);
    }
}

#[test]
fn ship_dice_may_be_touched_in_the_roll_phase_too() {
    let mut twin = setup(2, "island_scope = 'pool_and_ship'");
    twin.islands[0] = Some(A);
    twin.islands[2] = Some(A);
    twin.islands[5] = Some(A);
    twin.ship(A, Slot::Hold, &[6]);
    let mut t = Table::begin(twin);
    assert_eq!(t.legal(), [Roll]);
    t.roll(&[6, 5]);
    assert!(t.offers(Noodles { die: 6, on: Some(Slot::Hold) }));
    t.act(Bump { die: 6, on: Some(Slot::Hold) });
    assert_eq!(t.pool(), [1, 5, 6]);
    assert_eq!(t.legal(), sorted([JackpotCoin, JackpotDie]));
}

#[test]
fn the_pool_alone_is_touched_by_default() {
    let mut twin = setup(2, "islands_to_win = 7");
    twin.islands = vec![Some(A); 6];
    twin.ship(A, Slot::Hold, &[4]);
    let t = Table::order(twin, &[]);
    assert_eq!(t.legal(), sorted([Unhold, End]));
}

// ---- S-10, S-11 ----

#[test]
fn grog_may_go_to_oneself_under_any() {
    let mut twin = setup(3, "grog_targets = 'any'");
    twin.ship(A, Slot::Grog, &[1, 2]);
    let mut t = Table::order(twin, &[]);
    t.act(Activate(Move::Grog));
    assert_eq!(t.legal(), [A, B, C].map(|target| GrogTarget(seat(target))));
    t.act(GrogTarget(seat(A)));
    assert_eq!(t.grog(A), 1);
    t.act(End);
    for _ in [B, C] {
        t.roll(&[1]);
        t.act(Stop);
        t.act(End);
    }
    t.roll(&[4, 5]);
    assert_eq!((t.grog_dice(), t.pool()), (vec![4], vec![5]));
}

#[test]
fn stacked_grogs_spoil_as_many_dice() {
    let mut twin = setup(2, "grog_stack = true");
    twin.captains[B].grog = 1;
    twin.captains[B].coin = 12;
    twin.ship(A, Slot::Grog, &[1, 2]);
    let mut t = Table::order(twin, &[1, 1]);
    t.act(Activate(Move::Grog));
    t.act(GrogTarget(seat(B)));
    t.act(place(Slot::Grog, 1));
    t.act(place(Slot::Grog, 1));
    t.act(Activate(Move::Grog));
    t.act(GrogTarget(seat(B)));
    assert_eq!(t.grog(B), 3);
    t.act(End);
    t.roll(&[6, 6]);
    assert_eq!((t.grog_dice(), t.pool()), (vec![6, 6], vec![]));
    t.act(JackpotDie);
    t.die(3);
    assert_eq!((t.grog_dice(), t.pool()), (vec![3, 6, 6], vec![]));
    assert_eq!((t.legal(), t.supply(B)), (vec![End], 11));
    t.act(End);
    assert_eq!(t.supply(B), 14);

    // What is not used lapses.
    let mut twin = setup(2, "grog_stack = true");
    twin.captains[A].grog = 3;
    let mut t = Table::begin(twin);
    t.roll(&[5]);
    t.act(Stop);
    t.act(End);
    t.roll(&[1]);
    t.act(Stop);
    t.act(End);
    t.roll(&[5]);
    assert_eq!((t.grog_dice(), t.pool(), t.grog(A)), (vec![], vec![5], 0));
}

#[test]
fn a_ghost_rolls_stacked_grog_dice_too() {
    let mut twin = setup(3, "grog_stack = true");
    twin.captains[A].make_ghost();
    twin.captains[A].grog = 2;
    let mut t = Table::begin(twin);
    t.die(5);
    t.die(3);
    assert_eq!((t.grog_dice(), t.legal()), (vec![3, 5], vec![End]));
}

#[test]
fn a_grog_is_spent_by_a_turn_without_a_roll() {
    let mut twin = setup(2, "dice_per_player = 4");
    twin.captains[A].grog = 1;
    twin.ship(A, Slot::Evade, &[1, 2]);
    let mut t = Table::begin(twin);
    assert_eq!((t.supply(A), t.grog(A), t.legal()), (0, 0, vec![End]));
    t.act(End);
    assert_eq!(t.decider(), Some(B));
}

// ---- S-12, S-13 ----

fn doubled(seats: usize, rules: &str) -> crate::twin::Twin {
    let mut twin = setup(seats, rules);
    twin.captains[A].doubles = 1;
    twin
}

#[test]
fn both_shots_of_a_doubled_cannon_are_aimed_apart_by_default() {
    let mut twin = doubled(3, "");
    twin.ship(A, Slot::Aft, &[5]);
    let mut t = Table::order(twin, &[]);
    t.act(Activate(Move::Aft));
    t.act(Target(seat(C)));
    t.act(Target(seat(B)));
    assert_eq!((t.hp(B), t.hp(C)), (11, 11));
}

#[test]
fn the_same_target_is_hit_twice_under_same() {
    let mut twin = doubled(3, "double_targets = 'same'");
    twin.ship(A, Slot::Aft, &[5]);
    let mut t = Table::order(twin, &[]);
    t.act(Activate(Move::Aft));
    t.act(Target(seat(C)));
    assert_eq!((t.hp(B), t.hp(C), t.legal()), (12, 10, vec![End]));

    // The block is chosen afresh.
    let mut twin = doubled(3, "double_targets = 'same'");
    twin.ship(A, Slot::M1, &[5]);
    twin.ship(A, Slot::M2, &[5]);
    let mut t = Table::order(twin, &[]);
    t.act(Activate(Move::Main));
    t.act(Target(seat(C)));
    t.act(block(Slot::Aft, 0));
    assert!(!t.offers(block(Slot::Aft, 0)) && t.offers(block(Slot::Fore, 0)));
    t.act(block(Slot::Evade, 0));
    assert_eq!((t.hp(C), t.supply(A), t.legal()), (10, 12, vec![End]));

    // A sunk target drops the second shot.
    let mut twin = doubled(3, "double_targets = 'same'");
    twin.captains[C].hp = 1;
    twin.ship(A, Slot::Fore, &[4]);
    let mut t = Table::order(twin, &[]);
    t.act(Activate(Move::Fore));
    t.act(Target(seat(C)));
    assert_eq!((t.ghost(C), t.legal()), (true, vec![End]));

    let mut twin = doubled(2, "double_targets = 'same'");
    twin.ship(A, Slot::Explorer, &[1, 2, 3]);
    let mut t = Table::order(twin, &[]);
    t.act(Activate(Move::Explorer));
    t.act(ClaimIsland(3));
    assert_eq!((t.islands()[2], t.legal(), t.supply(A)), (Some(A), vec![End], 13));
}

#[test]
fn same_target_asks_the_defender_twice() {
    let mut twin = doubled(2, "double_targets = 'same'");
    twin.ship(A, Slot::Fore, &[3]);
    twin.ship(B, Slot::Evade, &[1, 2, 3]);
    let mut t = Table::order(twin, &[]);
    t.act(Activate(Move::Fore));
    t.act(Target(seat(B)));
    t.act(RemoveEvade(1));
    assert_eq!((t.decider(), t.legal()), (Some(B), vec![RemoveEvade(2), RemoveEvade(3)]));
    t.act(RemoveEvade(3));
    assert_eq!((t.decider(), t.dice(B, Slot::Evade)), (Some(A), vec![2]));
}

#[test]
fn grog_while_a_doubling_waits() {
    for (rule, offered, left) in [("persist", true, 1), ("wasted", true, 0), ("forbid", false, 1)] {
        let mut twin = doubled(2, &format!("double_on_grog = '{rule}'"));
        twin.ship(A, Slot::Grog, &[1, 2]);
        let mut t = Table::order(twin, &[]);
        assert_eq!(t.offers(Activate(Move::Grog)), offered, "{rule}");
        if offered {
            t.act(Activate(Move::Grog));
            t.act(GrogTarget(seat(B)));
        }
        assert_eq!((t.doubles(A), t.offers(End)), (left, true), "{rule}");
    }
    for (rule, left) in [("next_two", 2), ("quadruple", 0)] {
        let mut twin = setup(2, &format!("double_on_grog = 'wasted'\ndouble_double = '{rule}'"));
        twin.captains[A].doubles = 3;
        twin.ship(A, Slot::Grog, &[1, 2]);
        let mut t = Table::order(twin, &[]);
        t.act(Activate(Move::Grog));
        t.act(GrogTarget(seat(B)));
        assert_eq!(t.doubles(A), left, "{rule}");
    }
    // Without a doubling nothing is forbidden or wasted.
    for rule in ["forbid", "wasted"] {
        let mut twin = setup(2, &format!("double_on_grog = '{rule}'"));
        twin.ship(A, Slot::Grog, &[1, 2]);
        let mut t = Table::order(twin, &[]);
        t.act(Activate(Move::Grog));
        t.act(GrogTarget(seat(B)));
        assert_eq!((t.doubles(A), t.grog(B)), (0, 1));
    }
}

#[test]
fn a_second_double_time_under_next_two_doubles_two_actions() {
    let mut twin = doubled(2, "double_double = 'next_two'");
    twin.ship(A, Slot::DoubleTime, &[2, 2]);
    twin.ship(A, Slot::Plunder, &[1, 1]);
    twin.ship(A, Slot::Fore, &[3]);
    twin.ship(A, Slot::Aft, &[5]);
    let mut t = Table::order(twin, &[]);
    t.act(Activate(Move::DoubleTime));
    assert_eq!(t.doubles(A), 2);
    t.act(Activate(Move::Plunder));
    assert_eq!((t.coin(A), t.doubles(A)), (16, 1));
    t.act(Activate(Move::Fore));
    t.act(Target(seat(B)));
    t.act(Target(seat(B)));
    assert_eq!(t.doubles(A), 0);
    t.act(Activate(Move::Aft));
    t.act(Target(seat(B)));
    assert_eq!((t.hp(B), t.legal()), (9, vec![End]));
}

#[test]
fn a_second_double_time_under_quadruple_makes_four() {
    let mut twin = doubled(2, "double_double = 'quadruple'");
    twin.ship(A, Slot::DoubleTime, &[2, 2]);
    twin.ship(A, Slot::Plunder, &[1, 1]);
    let mut t = Table::order(twin, &[]);
    t.act(Activate(Move::DoubleTime));
    t.act(Activate(Move::Plunder));
    assert_eq!((t.coin(A), t.doubles(A)), (20, 0));

    let mut twin = setup(2, "double_double = 'quadruple'");
    twin.captains[A].doubles = 3;
    twin.ship(A, Slot::Fore, &[3]);
    let mut t = Table::order(twin, &[]);
    t.act(Activate(Move::Fore));
    for _ in 0..8 {
        t.act(Target(seat(B)));
    }
    assert_eq!((t.hp(B), t.legal()), (4, vec![End]));
}

#[test]
fn doublings_that_wait_are_bounded() {
    for (rule, most) in [("forbid", 1), ("next_two", 100), ("quadruple", 8)] {
        for (waiting, offered) in [(most - 1, true), (most, false)] {
            let mut twin = setup(2, &format!("double_double = '{rule}'"));
            twin.captains[A].doubles = waiting;
            twin.ship(A, Slot::DoubleTime, &[2, 2]);
            let t = Table::order(twin, &[]);
            assert_eq!(t.offers(Activate(Move::DoubleTime)), offered, "{rule} {waiting}");
        }
    }
}

#[test]
fn an_effect_without_a_die_in_the_supply_does_nothing() {
    // Four effects of the Main Cannon, but only its own two dice come back.
    let mut twin = setup(2, "double_double = 'quadruple'\ndice_per_player = 4");
    twin.captains[A].doubles = 2;
    twin.ship(A, Slot::M1, &[5]);
    twin.ship(A, Slot::M2, &[5]);
    let mut t = Table::order(twin, &[]);
    t.act(Activate(Move::Main));
    t.act(Target(seat(B)));
    t.act(block(Slot::Aft, 0));
    t.act(Target(seat(B)));
    t.act(block(Slot::Fore, 0));
    assert_eq!(t.supply(A), 0);
    t.act(Target(seat(B)));
    t.act(Target(seat(B)));
    assert_eq!((t.hp(B), t.legal()), (8, vec![End]));

    // Unlimited: there is always one.
    let mut twin = setup(2, "double_double = 'quadruple'\ndice_per_player = 4\nsupply_limit = 'unlimited'");
    twin.captains[A].doubles = 2;
    twin.ship(A, Slot::M1, &[5]);
    twin.ship(A, Slot::M2, &[5]);
    let mut t = Table::order(twin, &[]);
    t.act(Activate(Move::Main));
    for slot in [Slot::Aft, Slot::Fore, Slot::M1, Slot::M2] {
        t.act(Target(seat(B)));
        t.act(block(slot, 0));
    }
    assert_eq!((t.supply(A), t.legal()), (-2, vec![End]));
}

#[test]
fn a_doubling_waits_for_the_end_of_the_turn_or_for_ever() {
    for (rule, left) in [("end_of_turn", 0), ("never", 1)] {
        let mut t = Table::order(doubled(2, &format!("double_expiry = '{rule}'")), &[]);
        t.act(End);
        assert_eq!((t.doubles(A), t.doubles(B)), (left, 0));
        t.roll(&[1]);
        t.act(Stop);
        t.act(End);
        t.roll(&[1]);
        t.act(Stop);
        assert_eq!(t.doubles(A), left);
    }
    // Kept by a sunk captain.
    let mut twin = setup(3, "double_expiry = 'never'");
    twin.captains[B].doubles = 1;
    twin.captains[B].hp = 1;
    twin.ship(A, Slot::Fore, &[3]);
    let mut t = Table::order(twin, &[]);
    t.act(Activate(Move::Fore));
    t.act(Target(seat(B)));
    t.act(End);
    t.die(3);
    t.die(5);
    t.act(place(Slot::Fore, 3));
    t.act(Activate(Move::Fore));
    t.act(Target(seat(A)));
    t.act(Target(seat(C)));
    assert_eq!((t.hp(A), t.hp(C), t.doubles(B)), (11, 11, 0));
}

#[test]
fn hold_and_evade_use_no_doubling_up() {
    let mut t = Table::order(doubled(2, ""), &[1, 2]);
    t.act(place(Slot::Hold, 1));
    t.act(place(Slot::Evade, 2));
    assert_eq!(t.doubles(A), 1);
}

// ---- S-14 to S-18 ----

#[test]
fn obninsk_and_the_dice_of_cannons() {
    for (rule, first, second, damage) in [
        ("once_per_fire", 5, 1, 1),
        ("once_per_fire", 5, 4, 2),
        ("once_per_fire", 6, 3, 2),
        ("once_per_fire", 4, 6, 2),
        ("per_die", 5, 5, 1),
        ("per_die", 5, 6, 2),
        ("per_die", 4, 2, 2),
        ("per_die", 6, 6, 3),
    ] {
        for owner in [A, B] {
            let mut twin = setup(2, &format!("obninsk_main = '{rule}'"));
            twin.islands[3] = Some(owner);
            twin.ship(A, Slot::M1, &[first]);
            twin.ship(A, Slot::M2, &[second]);
            let mut t = Table::order(twin, &[]);
            t.act(Activate(Move::Main));
            t.act(Target(seat(B)));
            let damage = if owner == A { damage } else { 1 };
            assert_eq!(t.hp(B), 12 - damage, "{rule} {first} {second}");
        }
    }
    for (rule, slot, action, die, damage) in [
        ("once_per_fire", Slot::Aft, Move::Aft, 6, 2),
        ("once_per_fire", Slot::Aft, Move::Aft, 5, 1),
        ("per_die", Slot::Aft, Move::Aft, 6, 2),
        ("per_die", Slot::Fore, Move::Fore, 4, 2),
        ("per_die", Slot::Fore, Move::Fore, 3, 1),
    ] {
        let mut twin = setup(2, &format!("obninsk_main = '{rule}'"));
        twin.islands[3] = Some(A);
        twin.ship(A, slot, &[die]);
        let mut t = Table::order(twin, &[]);
        t.act(Activate(action));
        t.act(Target(seat(B)));
        assert_eq!(t.hp(B), 12 - damage);
    }
}

#[test]
fn a_main_cannon_that_hits_blocks_under_either_reading() {
    for rule in ["any_hp_lost", "nothing_evaded"] {
        let mut twin = setup(2, &format!("main_block_if = '{rule}'"));
        twin.ship(A, Slot::M1, &[5]);
        twin.ship(A, Slot::M2, &[5]);
        let mut t = Table::order(twin, &[]);
        t.act(Activate(Move::Main));
        t.act(Target(seat(B)));
        assert!(t.offers(block(Slot::Evade, 0)), "{rule}");
    }
}

#[test]
fn the_block_may_be_declined_where_it_is_not_mandatory() {
    let mut twin = setup(2, "main_block_mandatory = false");
    twin.ship(A, Slot::M1, &[5]);
    twin.ship(A, Slot::M2, &[5]);
    let mut t = Table::order(twin, &[]);
    t.act(Activate(Move::Main));
    t.act(Target(seat(B)));
    assert!(t.offers(BlockNone) && t.offers(block(Slot::Aft, 0)));
    t.act(BlockNone);
    assert_eq!((t.legal(), t.supply(A), t.hp(B)), (vec![End], 14, 11));
}

#[test]
fn where_the_main_cannon_may_block() {
    let slots = |count: usize| SLOTS[..count].to_vec();
    for (rule, allowed) in
        [("any_ship_space", slots(10)), ("not_evade", slots(9)), ("actions_only", slots(8))]
    {
        let mut twin = setup(2, &format!("main_block_scope = '{rule}'"));
        twin.ship(A, Slot::M1, &[5]);
        twin.ship(A, Slot::M2, &[5]);
        let mut t = Table::order(twin, &[]);
        t.act(Activate(Move::Main));
        t.act(Target(seat(B)));
        let expected: Vec<_> = allowed.into_iter().map(|slot| block(slot, 0)).collect();
        assert_eq!(t.legal(), sorted(expected), "{rule}");
    }
    // With dice and blocks about.
    let mut twin = setup(2, "");
    twin.ship(A, Slot::M1, &[5]);
    twin.ship(A, Slot::M2, &[5]);
    twin.ship(B, Slot::Grog, &[2, 2]);
    twin.ship(B, Slot::Explorer, &[4, 5]);
    twin.block(B, Slot::Explorer, A);
    twin.block(B, Slot::M1, A);
    twin.block(B, Slot::Plunder, A);
    twin.ship(B, Slot::M2, &[6]);
    let mut t = Table::order(twin, &[]);
    t.act(Activate(Move::Main));
    t.act(Target(seat(B)));
    let expected = [
        block(Slot::Aft, 0),
        block(Slot::Fore, 0),
        block(Slot::M2, 6),
        block(Slot::Grog, 2),
        block(Slot::Explorer, 4),
        block(Slot::Explorer, 5),
        block(Slot::DoubleTime, 0),
        block(Slot::Plunder, 0),
        block(Slot::Hold, 0),
        block(Slot::Evade, 0),
    ];
    assert_eq!(t.legal(), sorted(expected));
    t.act(block(Slot::Grog, 2));
    assert_eq!((t.dice(B, Slot::Grog), t.blocks(B, Slot::Grog)), (vec![2], vec![A]));
}

#[test]
fn a_blocked_evade_is_of_no_use_for_the_rest_of_the_turn() {
    for (rule, hp, dice) in [("true", 9, vec![2]), ("false", 11, vec![])] {
        let mut twin = setup(2, &format!("evade_block_disables = {rule}"));
        twin.captains[B].hp = 12;
        twin.ship(A, Slot::M1, &[5]);
        twin.ship(A, Slot::M2, &[5]);
        twin.ship(A, Slot::Fore, &[3]);
        twin.ship(A, Slot::Aft, &[5]);
        twin.ship(B, Slot::Evade, &[2]);
        twin.block(B, Slot::Evade, A);
        let mut t = Table::order(twin, &[]);
        for action in [Move::Fore, Move::Aft] {
            t.act(Activate(action));
            t.act(Target(seat(B)));
        }
        if rule == "true" {
            t.act(Activate(Move::Main));
            t.act(Target(seat(B)));
            t.act(block(Slot::Hold, 0));
        }
        assert_eq!((t.hp(B), t.dice(B, Slot::Evade)), (hp, dice));
    }
}

// ---- S-19 to S-21 ----

#[test]
fn plunder_at_the_end_of_the_turn() {
    let mut twin = setup(2, "plunder_timing = 'end_of_turn'\nturn_cap = 1");
    twin.captains[A].coin = 20;
    twin.ship(A, Slot::Plunder, &[1, 1]);
    twin.block(A, Slot::Hold, B);
    let mut t = Table::order(twin, &[3, 3]);
    t.act(Activate(Move::Plunder));
    assert_eq!((t.coin(A), t.winner()), (22, None));
    t.act(place(Slot::Plunder, 3));
    t.act(place(Slot::Plunder, 3));
    t.act(Activate(Move::Plunder));
    assert_eq!((t.coin(A), t.winner()), (24, None));
    t.act(End);
    assert_eq!(t.winner(), Some(("plunder", A)));
    // A win runs no clean-up.
    assert_eq!(t.blocks(A, Slot::Hold), [B]);

    // The coin of a Jackpot too.
    let mut twin = setup(2, "plunder_timing = 'end_of_turn'");
    twin.captains[A].coin = 21;
    let mut t = Table::begin(twin);
    t.roll(&[6, 6, 6, 3]);
    t.act(JackpotCoin);
    assert_eq!((t.coin(A), t.winner(), t.decider()), (22, None, Some(A)));
    t.act(End);
    assert_eq!((t.winner(), t.pool()), (Some(("plunder", A)), vec![3, 6, 6, 6]));
}

#[test]
fn no_limit_beyond_250_is_counted() {
    let mut twin = setup(2, "plunder_timing = 'end_of_turn'");
    twin.captains[A].coin = 249;
    twin.ship(A, Slot::Plunder, &[1, 1]);
    let mut t = Table::order(twin, &[]);
    t.act(Activate(Move::Plunder));
    assert_eq!(t.coin(A), 250);
}

#[test]
fn a_gain_in_mid_turn_below_the_winning_limit_lets_the_turn_end() {
    let mut twin = setup(2, "plunder_timing = 'end_of_turn'");
    twin.captains[A].coin = 19;
    twin.ship(A, Slot::Plunder, &[1, 1]);
    let mut t = Table::order(twin, &[]);
    t.act(Activate(Move::Plunder));
    t.act(End);
    assert_eq!((t.coin(A), t.winner(), t.decider()), (21, None, Some(B)));
}

#[test]
fn which_evade_dice_go() {
    for (rule, left) in [("lowest", vec![5, 6]), ("highest", vec![2, 5])] {
        let mut twin = setup(2, &format!("evade_removal = '{rule}'"));
        twin.ship(A, Slot::Fore, &[3]);
        twin.ship(B, Slot::Evade, &[2, 5, 6]);
        let mut t = Table::order(twin, &[]);
        t.act(Activate(Move::Fore));
        t.act(Target(seat(B)));
        assert_eq!((t.dice(B, Slot::Evade), t.decider(), t.hp(B)), (left, Some(A), 12), "{rule}");
    }
    for (rule, left) in [("lowest", vec![6]), ("highest", vec![2])] {
        let mut twin = setup(2, &format!("evade_removal = '{rule}'"));
        twin.islands[3] = Some(A);
        twin.ship(A, Slot::Fore, &[4]);
        twin.ship(B, Slot::Evade, &[2, 5, 6]);
        let mut t = Table::order(twin, &[]);
        t.act(Activate(Move::Fore));
        t.act(Target(seat(B)));
        assert_eq!((t.dice(B, Slot::Evade), t.hp(B)), (left, 12), "{rule}");
    }
}

#[test]
fn the_game_is_drawn_at_the_end_of_the_last_turn() {
    let mut twin = setup(3, "turn_cap = 5");
    twin.turn_no = 5;
    twin.captains[B].make_ghost();
    twin.captains[A].coin = 15;
    twin.captains[A].doubles = 1;
    twin.block(A, Slot::Hold, C);
    let mut t = Table::order(twin, &[6]);
    t.act(End);
    let outcome = t.outcome();
    assert!(outcome.capped());
    let results: Vec<_> =
        outcome.results().iter().map(|result| (result.rank, result.share_units, result.score)).collect();
    assert_eq!(results, [(1, 20, 15), (1, 20, 0), (1, 20, 13)]);
    assert_eq!((t.supply(A), t.supply(C), t.doubles(A), t.turn_no()), (14, 14, 0, 5));

    // Not a turn earlier, and not where the last turn is won.
    let mut twin = setup(2, "turn_cap = 5");
    twin.turn_no = 4;
    let mut t = Table::order(twin, &[]);
    t.act(End);
    assert_eq!((t.winner(), t.turn_no()), (None, 5));
    // Four islands at the start of a turn that is not played any more do not win.
    let mut twin = setup(2, "turn_cap = 5");
    twin.turn_no = 5;
    twin.islands = vec![Some(B); 6];
    let mut t = Table::order(twin, &[]);
    t.act(End);
    assert!(t.outcome().capped());
}

// ---- the plain numbers ----

#[test]
fn the_published_start() {
    for (seats, coins) in [(2, vec![12, 13]), (3, vec![12, 13, 13]), (4, vec![12, 12, 13, 13])] {
        let t = Table::fresh(setup(seats, ""));
        let found: Vec<i32> = (0..seats).map(|seat| t.coin(seat)).collect();
        assert_eq!((found, t.turn_no(), t.decider()), (coins, 1, Some(A)));
        assert!((0..seats).all(|seat| t.hp(seat) == 12 && t.supply(seat) == 14 && !t.ghost(seat)));
        assert_eq!((t.legal(), t.islands()), (vec![Roll], vec![None; 6]));
    }
}

#[test]
fn every_number_of_the_rulebook_can_be_set() {
    let t = Table::fresh(setup(2, "starting_coins = [9, 17]\nstarting_hp = 7\ndice_per_player = 10"));
    assert_eq!((t.coin(A), t.coin(B), t.hp(A), t.hp(B), t.supply(A)), (9, 17, 7, 7, 8));

    // The coin limit is what a total is held against.
    let mut t = Table::begin(setup(2, "starting_coins = [9, 17]"));
    t.roll(&[6, 3]);
    assert_eq!(t.legal(), sorted([JackpotCoin, JackpotDie]));

    let mut twin = setup(2, "plunder_gain = 5\nplunder_win_at = 30");
    twin.captains[A].coin = 19;
    twin.islands[1] = Some(A);
    twin.ship(A, Slot::Plunder, &[1, 1]);
    let mut t = Table::order(twin, &[3, 3]);
    t.act(Activate(Move::Plunder));
    assert_eq!((t.coin(A), t.winner()), (25, None));
    t.act(place(Slot::Plunder, 3));
    t.act(place(Slot::Plunder, 3));
    t.act(Activate(Move::Plunder));
    assert_eq!((t.coin(A), t.winner()), (30, Some(("plunder", A))));

    let mut t = Table::begin(setup(2, "jackpot_gain = 4"));
    t.roll(&[6, 6]);
    t.act(JackpotCoin);
    assert_eq!(t.coin(A), 16);

    let mut t = Table::begin(setup(2, "jackpot_gain = 0"));
    t.roll(&[6, 6]);
    t.act(JackpotCoin);
    assert_eq!(t.coin(A), 12);

    let mut twin = setup(3, "resurrect_coins = 5");
    twin.captains[A].make_ghost();
    twin.captains[B].hp = 1;
    twin.ship(A, Slot::Aft, &[5]);
    let mut t = Table::order(twin, &[]);
    t.act(Activate(Move::Aft));
    t.act(Target(seat(B)));
    t.die(6);
    assert_eq!((t.coin(A), t.hp(A)), (5, 6));

    for (islands, wins) in [(2, true), (3, true), (4, false), (7, false)] {
        let mut twin = setup(2, &format!("islands_to_win = {islands}"));
        for island in [1, 4, 6] {
            twin.islands[island - 1] = Some(A);
        }
        let t = Table::begin(twin);
        assert_eq!(t.winner(), wins.then_some(("exploration", A)));
    }
    let mut twin = setup(2, "islands_to_win = 7");
    twin.islands = vec![Some(A); 6];
    assert_eq!(Table::begin(twin).winner(), None);
}
