//! How a turn and its actions go under the published rules: what is asked, what luck does, in which order
//! things happen.

use dhow::games::six_sided_seas::{Action::*, Move, Slot};

use crate::table::{A, B, C, D, Table, block, place, seat, setup, sorted};
use crate::twin::SLOTS;

#[test]
fn decisions_with_one_option_are_still_asked() {
    let mut twin = setup(2, "");
    twin.ship(A, Slot::Fore, &[3]);
    twin.ship(A, Slot::Grog, &[3, 3]);
    twin.ship(A, Slot::Evade, &[1, 2, 3]);
    let mut t = Table::begin(twin);
    assert_eq!(t.legal(), [Roll]);
    t.roll(&[4]);
    t.act(Stop);
    t.act(Activate(Move::Fore));
    assert_eq!(t.legal(), [Target(seat(B))]);
    t.act(Target(seat(B)));
    t.act(Activate(Move::Grog));
    assert_eq!(t.legal(), [GrogTarget(seat(B))]);
}

#[test]
fn every_chance_node_is_one_fair_die_of_the_player_to_move() {
    let mut twin = setup(3, "");
    twin.current = C;
    twin.captains[C].make_ghost();
    twin.captains[A].hp = 1;
    let mut t = Table::begin(twin);
    let fair: Vec<_> = (1..=6).map(|die| (Die(die), 1.0 / 6.0)).collect();
    for die in [4, 1] {
        assert_eq!((t.chance(), t.luck_of()), (fair.clone(), Some(C)));
        t.die(die);
    }
    t.act(place(Slot::Fore, 4));
    t.act(Activate(Move::Fore));
    t.act(Target(seat(A)));
    assert_eq!((t.chance(), t.luck_of()), (fair.clone(), Some(C)));
    t.die(6);
    t.act(Roll);
    assert_eq!((t.chance(), t.luck_of()), (fair.clone(), Some(C)));
}

#[test]
fn words_of_luck_pick_each_face_in_turn() {
    use dhow::game::Game;
    let mut t = Table::begin(setup(2, ""));
    t.act(Roll);
    for face in 0..6u64 {
        let middle = (u64::MAX / 12) * (2 * face + 1);
        assert_eq!(t.game.sample_chance(&t.state, middle), Die(face as u8 + 1));
    }
    assert_eq!(t.game.sample_chance(&t.state, 0), Die(1));
    assert_eq!(t.game.sample_chance(&t.state, u64::MAX), Die(6));
}

#[test]
fn a_rerolled_die_stays_in_the_pool_until_the_result() {
    let mut twin = setup(2, "");
    twin.islands[2] = Some(A);
    let mut t = Table::begin(twin);
    t.roll(&[2, 2]);
    t.act(Reef { die: 2, on: None });
    assert_eq!((t.pool(), t.supply(A)), (vec![2, 2], 11));
    t.die(5);
    assert_eq!(t.pool(), [2, 5]);
    assert_eq!(t.legal(), sorted([Roll, Stop]));
    t.act(Stop);
    assert!(!t.offers(Reef { die: 2, on: None }));
}

#[test]
fn a_reroll_into_a_total_at_the_limit_is_a_jackpot_and_beyond_it_overboard() {
    for (die, next) in [(5, vec![Roll, Stop]), (6, vec![JackpotCoin, JackpotDie])] {
        let mut twin = setup(2, "");
        twin.islands[2] = Some(A);
        let mut t = Table::begin(twin);
        t.roll(&[6, 3]);
        t.act(Reef { die: 3, on: None });
        t.die(die);
        assert_eq!(t.legal(), sorted(next));
    }
    let mut twin = setup(2, "");
    twin.islands[2] = Some(A);
    twin.captains[A].coin = 11;
    let mut t = Table::begin(twin);
    t.roll(&[6, 3]);
    t.act(Reef { die: 3, on: None });
    t.die(6);
    assert_eq!(t.legal(), [AcceptOverboard]);
}

#[test]
fn islands_in_the_order_phase_may_pass_the_limit() {
    let mut twin = setup(2, "islands_to_win = 6");
    for island in [1, 3, 5, 6] {
        twin.islands[island - 1] = Some(A);
    }
    let mut t = Table::begin(twin);
    t.roll(&[5, 5, 1]);
    t.act(Stop);
    t.act(Noodles { die: 1, on: None });
    assert_eq!((t.total(), t.decider()), (16, Some(A)));
    t.act(Bump { die: 5, on: None });
    t.act(Reef { die: 5, on: None });
    t.die(6);
    assert_eq!(t.pool(), [6, 6, 6]);
    t.act(Mitosis(6));
    assert_eq!(t.pool(), [3, 3, 6, 6]);
    // Each once a turn, and again in the next.
    assert!(!t.legal().iter().any(|action| matches!(action, Bump { .. } | Reef { .. } | Noodles { .. })));
    assert!(!t.offers(Mitosis(6)));
    assert_eq!(t.used(), [true, false, true, false, true, true]);
    t.act(End);
    assert_eq!(t.used(), [false; 6]);
    t.roll(&[1]);
    t.act(Stop);
    t.act(End);
    t.roll(&[2]);
    t.act(Stop);
    assert!(t.offers(Bump { die: 2, on: None }) && t.offers(Mitosis(2)));
    assert!(t.offers(Reef { die: 2, on: None }) && t.offers(Noodles { die: 2, on: None }));
}

#[test]
fn islands_serve_their_owner_alone() {
    let mut twin = setup(2, "islands_to_win = 7");
    twin.islands = vec![Some(B); 6];
    let mut t = Table::begin(twin);
    t.roll(&[5, 6]);
    assert_eq!(t.legal(), sorted([Roll, Stop]));
    t.act(Stop);
    assert!(
        !t.legal()
            .iter()
            .any(|action| { matches!(action, Bump { .. } | Reef { .. } | Noodles { .. } | Mitosis(_)) })
    );
}

#[test]
fn no_island_in_a_jackpot_nor_while_evade_is_filled() {
    let mut twin = setup(2, "islands_to_win = 7");
    twin.islands = vec![Some(A); 6];
    let mut t = Table::begin(twin.clone());
    t.roll(&[6, 6]);
    assert_eq!(t.legal(), sorted([JackpotCoin, JackpotDie]));
    let mut t = Table::begin(twin);
    t.roll(&[6, 5, 4]);
    t.act(AcceptOverboard);
    assert_eq!(t.legal(), sorted([EvadePlace(4), EvadePlace(5), EvadePlace(6), EvadeDone]));
}

#[test]
fn an_island_claimed_this_turn_is_of_use_at_once_but_its_flag_is_not_refreshed() {
    let mut twin = setup(2, "");
    twin.ship(A, Slot::Explorer, &[1, 2, 3]);
    let mut t = Table::order(twin, &[4, 5]);
    assert!(!t.offers(Bump { die: 4, on: None }));
    t.act(Activate(Move::Explorer));
    t.act(ClaimIsland(1));
    t.act(Bump { die: 4, on: None });
    assert_eq!(t.pool(), [5, 5]);
    assert!(!t.offers(Bump { die: 5, on: None }));
}

#[test]
fn claiming_an_own_island_changes_nothing() {
    let mut twin = setup(2, "");
    twin.ship(A, Slot::Explorer, &[1, 2, 3]);
    twin.islands[1] = Some(A);
    let mut t = Table::order(twin, &[]);
    t.act(Activate(Move::Explorer));
    t.act(ClaimIsland(2));
    assert_eq!(t.islands(), [None, Some(A), None, None, None, None]);
    assert_eq!(t.supply(A), 13);
}

#[test]
fn treasure_island_counts_from_when_it_is_held() {
    // A Plunder before the island is claimed does not use it up.
    let mut twin = setup(2, "");
    twin.ship(A, Slot::Plunder, &[1, 1]);
    twin.ship(A, Slot::Explorer, &[1, 2, 3]);
    let mut t = Table::order(twin, &[5, 5, 3, 3]);
    t.act(Activate(Move::Plunder));
    assert_eq!(t.coin(A), 14);
    t.act(Activate(Move::Explorer));
    t.act(ClaimIsland(2));
    for (die, coin) in [(5, 17), (3, 19)] {
        t.act(place(Slot::Plunder, die));
        t.act(place(Slot::Plunder, die));
        t.act(Activate(Move::Plunder));
        assert_eq!(t.coin(A), coin);
    }
}

#[test]
fn the_total_counts_the_grogged_die() {
    let mut twin = setup(2, "");
    twin.captains[A].grog = 1;
    let mut t = Table::begin(twin);
    t.roll(&[6, 6]);
    assert_eq!(t.legal(), sorted([JackpotCoin, JackpotDie]));
    assert_eq!((t.grog_dice(), t.pool()), (vec![6], vec![6]));
    t.act(JackpotDie);
    t.die(2);
    assert_eq!(t.pool(), [2, 6]);
}

#[test]
fn grog_does_nothing_twice_to_the_next_turn() {
    let mut twin = setup(2, "");
    twin.ship(A, Slot::Grog, &[1, 2]);
    twin.captains[B].grog = 1;
    let mut t = Table::order(twin, &[]);
    t.act(Activate(Move::Grog));
    t.act(GrogTarget(seat(B)));
    assert_eq!(t.grog(B), 1);
    t.act(End);
    t.roll(&[2, 3]);
    assert_eq!((t.grog_dice(), t.pool()), (vec![2], vec![3]));
    t.act(Stop);
    assert!(t.offers(place(Slot::Grog, 3)) && !t.offers(place(Slot::Grog, 2)));
}

#[test]
fn placements_of_each_space() {
    let fits = [
        (Slot::Aft, vec![5, 6]),
        (Slot::Fore, vec![3, 4]),
        (Slot::M1, vec![4, 5, 6]),
        (Slot::M2, vec![1, 2, 3, 4, 5, 6]),
        (Slot::Grog, vec![1, 2, 3]),
        (Slot::Explorer, vec![1, 2, 3, 4, 5, 6]),
        (Slot::DoubleTime, vec![2, 4, 6]),
        (Slot::Plunder, vec![1, 3, 5]),
        (Slot::Hold, vec![1, 2, 3, 4, 5, 6]),
        (Slot::Evade, vec![1, 2, 3, 4, 5, 6]),
    ];
    for (slot, dice) in fits {
        let t = Table::order(setup(2, ""), &[1, 2, 3, 4, 5, 6]);
        let offered: Vec<u8> = (1..=6).filter(|&die| t.offers(place(slot, die))).collect();
        assert_eq!(offered, dice, "{slot:?}");
    }
    for (slot, there, dice) in [
        (Slot::DoubleTime, vec![4], vec![4]),
        (Slot::DoubleTime, vec![4, 4], vec![]),
        (Slot::Grog, vec![1], vec![1, 2, 3]),
        (Slot::Grog, vec![1, 3], vec![]),
        (Slot::Evade, vec![1, 4], vec![2, 3, 5, 6]),
        (Slot::Evade, vec![1, 4, 5], vec![]),
        (Slot::Explorer, vec![6], vec![4, 5]),
        (Slot::Explorer, vec![1], vec![2, 3]),
        (Slot::Explorer, vec![1, 3], vec![2]),
        (Slot::Explorer, vec![3, 4], vec![2, 5]),
        (Slot::Explorer, vec![2, 3, 4], vec![]),
        (Slot::Hold, vec![1], vec![]),
        (Slot::M1, vec![4], vec![]),
        (Slot::M2, vec![4], vec![]),
    ] {
        let mut twin = setup(2, "dice_per_player = 20");
        twin.ship(A, slot, &there);
        let t = Table::order(twin, &[1, 2, 3, 4, 5, 6]);
        let offered: Vec<u8> = (1..=6).filter(|&die| t.offers(place(slot, die))).collect();
        assert_eq!(offered, dice, "{slot:?} beside {there:?}");
    }
}

#[test]
fn both_spaces_of_the_main_cannon_fill_it() {
    let mut t = Table::order(setup(2, ""), &[1, 5]);
    t.act(place(Slot::M2, 1));
    assert!(!t.offers(Activate(Move::Main)));
    t.act(place(Slot::M1, 5));
    assert!(t.offers(Activate(Move::Main)));
    t.act(Activate(Move::Main));
    assert_eq!((t.dice(A, Slot::M1), t.dice(A, Slot::M2), t.supply(A)), (vec![], vec![], 14));
}

#[test]
fn a_blocked_space_takes_no_die_but_the_others_of_its_action_do() {
    let mut twin = setup(2, "");
    for slot in SLOTS {
        twin.block(A, slot, B);
    }
    let t = Table::order(twin, &[1, 2, 3, 4, 5, 6]);
    for slot in [Slot::Aft, Slot::Fore, Slot::M1, Slot::M2, Slot::Hold] {
        assert!((1..=6).all(|die| !t.offers(place(slot, die))), "{slot:?}");
    }
    assert!(t.offers(place(Slot::Grog, 1)) && t.offers(place(Slot::Explorer, 1)));
    assert!(t.offers(place(Slot::DoubleTime, 2)) && t.offers(place(Slot::Plunder, 3)));
    assert!(t.offers(place(Slot::Evade, 6)));
    assert_eq!(t.supply(B), 14 - SLOTS.len() as i32);
    let mut t = t;
    t.act(place(Slot::Grog, 1));
    assert!(!t.offers(place(Slot::Grog, 2)) && !t.offers(Activate(Move::Grog)));
    t.act(End);
    assert!(SLOTS.iter().all(|&slot| t.blocks(A, slot).is_empty()));
    assert_eq!(t.supply(B), 14);
}

#[test]
fn a_block_on_hold_lifts_its_die() {
    let mut twin = setup(2, "");
    twin.ship(A, Slot::M1, &[4]);
    twin.ship(A, Slot::M2, &[1]);
    twin.ship(B, Slot::Hold, &[6]);
    twin.captains[B].hold_fresh = true;
    let mut t = Table::order(twin, &[]);
    t.act(Activate(Move::Main));
    t.act(Target(seat(B)));
    t.act(block(Slot::Hold, 6));
    assert_eq!((t.dice(B, Slot::Hold), t.hold_fresh(B), t.supply(B)), (vec![], false, 14));
    t.act(End);
    t.roll(&[1]);
    t.act(Stop);
    assert!(!t.offers(Unhold) && !t.offers(place(Slot::Hold, 1)));
}

#[test]
fn blocks_of_several_rivals_go_home_together() {
    let mut twin = setup(3, "");
    twin.current = C;
    twin.block(C, Slot::Evade, A);
    twin.block(C, Slot::Evade, B);
    twin.block(C, Slot::M1, B);
    twin.block(A, Slot::Plunder, B);
    let mut t = Table::order(twin, &[]);
    assert_eq!((t.supply(A), t.supply(B)), (13, 11));
    t.act(End);
    assert_eq!((t.supply(A), t.supply(B)), (14, 13));
    assert_eq!(t.blocks(A, Slot::Plunder), [B]);
}

#[test]
fn overboard_ends_with_the_usual_clean_up() {
    let mut twin = setup(2, "");
    twin.block(A, Slot::Evade, B);
    twin.block(A, Slot::Grog, B);
    let mut t = Table::begin(twin);
    t.roll(&[6, 5, 4]);
    t.act(AcceptOverboard);
    t.act(EvadePlace(6));
    t.act(EvadePlace(4));
    assert_eq!(t.legal(), [EvadeDone]);
    t.act(EvadeDone);
    assert_eq!((t.supply(A), t.supply(B), t.decider(), t.turn_no()), (12, 14, Some(B), 3));
}

#[test]
fn nothing_need_be_placed_overboard() {
    let mut t = Table::begin(setup(2, ""));
    t.roll(&[6, 5, 4]);
    t.act(AcceptOverboard);
    t.act(EvadeDone);
    assert_eq!((t.dice(A, Slot::Evade), t.supply(A)), (vec![], 14));
}

#[test]
fn a_sinking_with_two_players_ends_the_game() {
    let mut twin = setup(2, "");
    twin.captains[B].hp = 1;
    twin.captains[A].doubles = 1;
    twin.islands[4] = Some(B);
    twin.ship(B, Slot::Grog, &[1, 1]);
    twin.ship(A, Slot::Aft, &[5]);
    twin.block(A, Slot::Hold, B);
    let mut t = Table::order(twin, &[3]);
    t.act(Activate(Move::Aft));
    t.act(Target(seat(B)));
    assert_eq!(t.winner(), Some(("sink", A)));
    assert_eq!((t.ghost(B), t.coin(B), t.supply(B)), (true, 0, 14));
    assert_eq!((t.pool(), t.islands()), (vec![3], vec![None; 6]));
    let outcome = t.outcome();
    let ranks: Vec<_> = outcome.results().iter().map(|result| (result.rank, result.score)).collect();
    assert_eq!(ranks, [(1, 12), (2, 0)]);
}

#[test]
fn hull_points_do_not_fall_below_nothing() {
    let mut twin = setup(3, "");
    twin.captains[B].hp = 1;
    twin.islands[3] = Some(A);
    twin.ship(A, Slot::Aft, &[6]);
    let mut t = Table::order(twin, &[]);
    t.act(Activate(Move::Aft));
    t.act(Target(seat(B)));
    assert_eq!((t.hp(B), t.ghost(B), t.winner()), (0, true, None));
}

#[test]
fn a_doubled_shot_goes_on_after_a_sinking() {
    let mut twin = setup(4, "");
    twin.captains[A].doubles = 1;
    twin.captains[C].hp = 1;
    twin.ship(A, Slot::M1, &[4]);
    twin.ship(A, Slot::M2, &[4]);
    let mut t = Table::order(twin, &[]);
    t.act(Activate(Move::Main));
    t.act(Target(seat(C)));
    // A ghost takes no block.
    assert_eq!(t.legal(), sorted([Target(seat(B)), Target(seat(D))]));
    t.act(Target(seat(D)));
    assert!(t.offers(block(Slot::Aft, 0)));
}

#[test]
fn a_doubled_plunder_stops_at_the_win() {
    let mut twin = setup(2, "");
    twin.captains[A].coin = 20;
    twin.captains[A].doubles = 1;
    twin.ship(A, Slot::Plunder, &[5, 5]);
    let mut t = Table::order(twin, &[2]);
    t.act(Activate(Move::Plunder));
    assert_eq!((t.coin(A), t.winner(), t.pool()), (22, Some(("plunder", A)), vec![2]));
    let outcome = t.outcome();
    let ranks: Vec<_> = outcome.results().iter().map(|result| (result.rank, result.score)).collect();
    assert_eq!(ranks, [(1, 22), (2, 13)]);
}

#[test]
fn turns_are_counted_from_one_and_extra_turns_count() {
    let mut twin = setup(3, "");
    twin.captains[A].make_ghost();
    twin.captains[B].hp = 1;
    twin.ship(A, Slot::Aft, &[5]);
    let mut t = Table::begin(twin);
    assert_eq!((t.turn_no(), Table::fresh(setup(3, "")).turn_no()), (2, 1));
    t.die(1);
    t.die(2);
    t.act(Activate(Move::Aft));
    t.act(Target(seat(B)));
    t.die(3);
    assert_eq!((t.turn_no(), t.decider()), (3, Some(A)));
    t.roll(&[3]);
    t.act(Stop);
    t.act(End);
    // B is a ghost now, and its turn comes.
    assert_eq!((t.turn_no(), t.luck_of()), (4, Some(B)));
}
