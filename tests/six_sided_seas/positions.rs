//! How a position is built, written down and read: its readable form, and what is refused.

use dhow::game::{Game, Seat, Turn};
use dhow::games::six_sided_seas::ship::Ship;
use dhow::games::six_sided_seas::{
    Action, Dice, Move, Phase, PositionError, Rules, Slot, State, StateBuilder,
};
use serde_json::{Value, json};

use crate::table::{A, B, C, Table, seat, setup};

fn builder(seats: usize) -> StateBuilder {
    StateBuilder::new(&Rules::published(seats), seats)
}

fn refused(builder: StateBuilder) -> String {
    let PositionError(text) = builder.build().expect_err("an impossible position");
    assert!(!text.is_empty() && !text.contains('\n'));
    text
}

#[test]
fn a_position_is_written_in_words() {
    let mut twin = setup(3, "");
    twin.current = B;
    twin.turn_no = 7;
    twin.ship(B, Slot::Explorer, &[4, 5]);
    twin.ship(B, Slot::Hold, &[3]);
    twin.captains[B].hold_fresh = true;
    twin.captains[B].coin = 15;
    twin.captains[B].doubles = 1;
    twin.ship(B, Slot::M1, &[6]);
    twin.ship(B, Slot::M2, &[2]);
    twin.ship(C, Slot::Evade, &[1, 6]);
    twin.block(B, Slot::Grog, C);
    twin.block(B, Slot::Grog, A);
    twin.islands[4] = Some(B);
    twin.captains[C].grog = 1;
    twin.captains[A].make_ghost();
    twin.used[4] = true;
    let mut t = Table::order(twin, &[5, 1, 5]);
    let form = |t: &Table| serde_json::to_value(t.state).unwrap();
    let first = form(&t);
    assert_eq!(first["current"], 1);
    assert_eq!(first["phase"], "order");
    assert_eq!(first["turn_no"], 7);
    assert_eq!(first["pool"], json!([1, 5, 5]));
    assert_eq!(first["grog_dice"], json!([]));
    assert_eq!(first["islands_used"], json!([5]));
    assert_eq!(
        (&first["ending"], &first["winner"], &first["pending"]),
        (&Value::Null, &Value::Null, &Value::Null)
    );
    let player = &first["players"][1];
    assert_eq!((&player["coin"], &player["hp"], &player["ghost"]), (&json!(15), &json!(12), &json!(false)));
    assert_eq!((&player["explorer"], &player["hold"]), (&json!([4, 5]), &json!([3])));
    assert_eq!((&player["hold_fresh"], &player["doublings"]), (&json!(true), &json!(1)));
    assert_eq!((&player["islands"], &player["supply"]), (&json!([5]), &json!(14 - 5 - 1 - 3)));
    let blocks = json!([{"slot": "grog", "owner": 0, "count": 1}, {"slot": "grog", "owner": 2, "count": 1}]);
    assert_eq!(player["blocks"], blocks);
    assert_eq!(first["players"][2]["grogged"], 1);
    assert_eq!(first["players"][0]["ghost"], true);

    t.act(Action::Activate(Move::Main));
    let pending = &form(&t)["pending"];
    assert_eq!(
        (&pending["action"], &pending["dice"], &pending["effects"]),
        (&json!("main"), &json!([2, 6]), &json!(2))
    );
    assert_eq!(pending["target"], Value::Null);
    t.act(Action::Target(seat(C)));
    t.round_trips();
    t.act(Action::RemoveEvade(6));
    t.act(Action::Target(seat(C)));
    t.round_trips();
}

#[test]
fn what_an_activated_action_still_has_to_do_can_be_asked() {
    let mut twin = setup(2, "");
    twin.captains[A].doubles = 1;
    twin.islands[3] = Some(A);
    twin.islands[2] = Some(A);
    twin.ship(A, Slot::Aft, &[6]);
    twin.ship(B, Slot::Evade, &[1, 2, 3]);
    let mut t = Table::order(twin, &[4]);
    assert_eq!(t.state.pending(), None);
    t.act(Action::Activate(Move::Aft));
    let pending = t.state.pending().unwrap();
    assert_eq!((pending.action, pending.effects, pending.target), (Move::Aft, 2, None));
    assert_eq!(pending.dice, Dice::of(&[6]));
    t.act(Action::Target(seat(B)));
    let pending = t.state.pending().unwrap();
    assert_eq!((pending.target, pending.evade_left, pending.hull), (Some(seat(B)), 2, 0));
    t.act(Action::RemoveEvade(1));
    assert_eq!(t.state.pending().unwrap().evade_left, 1);
    t.act(Action::RemoveEvade(2));
    assert_eq!(t.state.pending().unwrap().effects, 1);
    t.act(Action::Target(seat(B)));
    assert_eq!((t.state.pending(), t.hp(B)), (None, 11));
    t.act(Action::Reef { die: 4, on: None });
    assert_eq!(t.state.reef(), Some((4, None)));
    t.round_trips();
}

#[test]
fn what_can_be_asked_of_a_position() {
    let mut twin = setup(3, "");
    twin.ship(A, Slot::Grog, &[2, 2]);
    twin.ship(A, Slot::Evade, &[1, 6]);
    twin.captains[A].grog = 0;
    twin.captains[A].doubles = 1;
    twin.block(A, Slot::Evade, B);
    twin.block(C, Slot::Evade, B);
    twin.islands[0] = Some(A);
    twin.islands[5] = Some(A);
    let mut t = Table::order(twin, &[4]);
    let state = &t.state;
    assert_eq!((state.seats(), state.dice_on_ship(seat(A)), state.islands_of(seat(A))), (3, 4, 2));
    assert_eq!((state.blocked(seat(A), Slot::Evade), state.blocking_dice(seat(B))), (1, 2));
    assert_eq!((state.double_pending(), state.grog_die(), state.total()), (1, None, 4));
    assert_eq!((state.dice_in_use(seat(A)), state.ghost_turn(), state.again()), (7, false, false));
    assert_eq!((state.tally_of(seat(A)).counts(), state.reef(), state.grog_due()), ([0; 8], None, 0));
    t.act(Action::Activate(Move::Grog));
    t.act(Action::GrogTarget(seat(B)));
    t.act(Action::End);
    assert_eq!(t.state.grog_due(), 1);
    t.roll(&[5, 1]);
    assert_eq!((t.state.grog_due(), t.state.grog_die(), t.state.total()), (0, Some(5), 6));
}

#[test]
fn phases_that_stand_between_two_actions_can_be_built() {
    let cases = [
        (Phase::Roll, &[3][..], Turn::Decision(seat(0))),
        (Phase::Over, &[6, 6, 6], Turn::Decision(seat(0))),
        (Phase::Jackpot, &[6, 6], Turn::Decision(seat(0))),
        (Phase::Evade, &[6, 6, 6], Turn::Decision(seat(0))),
        (Phase::Order, &[], Turn::Decision(seat(0))),
    ];
    let t = Table::fresh(setup(2, ""));
    for (phase, pool, turn) in cases {
        let state = builder(2).phase(phase).pool(pool).build().unwrap();
        assert_eq!(t.game.turn(&state), turn);
    }
    for phase in [Phase::Target, Phase::GrogTarget, Phase::Claim, Phase::Block, Phase::RemoveEvade] {
        assert!(refused(builder(2).phase(phase)).contains("between two actions"));
    }
    for phase in [Phase::HullDie, Phase::RollReef, Phase::OrderReef, Phase::Done] {
        assert!(refused(builder(2).phase(phase)).contains("between two actions"));
    }
}

#[test]
fn impossible_positions_are_refused() {
    let (a, b) = (seat(A), seat(B));
    let cases = [
        builder(2).dice(a, Slot::Aft, &[4]),
        builder(2).dice(a, Slot::Aft, &[5, 6]),
        builder(2).dice(a, Slot::Explorer, &[1, 4]),
        builder(2).dice(a, Slot::Explorer, &[2, 2]),
        builder(2).dice(a, Slot::Evade, &[2, 2]),
        builder(2).dice(a, Slot::Plunder, &[1, 3]),
        builder(2).dice(a, Slot::Hold, &[7]),
        builder(2).dice(a, Slot::Hold, &[0]),
        builder(2).pool(&[0]),
        builder(2).pool(&[7]),
        builder(2).grog_dice(&[7]),
        builder(2).pool(&[6; 19]),
        builder(2).grog_dice(&[6; 19]),
        builder(2).turn_no(0),
        builder(2).turn_no(10_001),
        builder(2).hp(a, 0),
        builder(2).hp(b, 13),
        builder(2).coin(a, 251),
        builder(2).doublings(a, 101),
        builder(2).hold_fresh(a, true),
        builder(2).block(a, Slot::Aft, a),
        builder(2).block(a, Slot::Aft, b).block(a, Slot::Aft, b),
        builder(2).block(a, Slot::Aft, b).dice(a, Slot::Aft, &[5]),
        builder(2).block(a, Slot::Evade, b).dice(a, Slot::Evade, &[1, 2, 3]),
        builder(2).block(a, Slot::Aft, seat(2)),
        builder(2).current(seat(2)),
        builder(3).ghost(a).island(3, a),
        builder(3).ghost(a).dice(a, Slot::Hold, &[1]),
        builder(3).ghost(a).dice(a, Slot::Evade, &[1]),
        builder(3).ghost(a).dice(a, Slot::Explorer, &[1]),
        builder(3).ghost(a).dice(a, Slot::Plunder, &[1]),
        builder(3).ghost(a).coin(a, 1),
        builder(3).ghost(a).hp(a, 1),
    ];
    for case in cases {
        refused(case.clone());
    }
    // Their neighbours are fine.
    let cases = [
        builder(2).dice(a, Slot::Explorer, &[1, 3]),
        builder(2).dice(a, Slot::Grog, &[2, 2]),
        builder(2).dice(a, Slot::Evade, &[2, 3, 6]),
        builder(2).pool(&[6; 18]),
        builder(2).turn_no(10_000),
        builder(2).hp(a, 12).coin(a, 250).doublings(a, 100),
        builder(2).hold_fresh(a, true).dice(a, Slot::Hold, &[1]),
        builder(2).block(a, Slot::Evade, b).dice(a, Slot::Evade, &[1, 2]),
        builder(3).ghost(a).dice(a, Slot::Grog, &[1, 3]).dice(a, Slot::M1, &[4]),
    ];
    for case in cases {
        let state = case.build().expect("a possible position");
        let read: State = serde_json::from_value(serde_json::to_value(state).unwrap()).unwrap();
        assert_eq!(read, state);
    }
}

#[test]
fn an_island_has_one_owner() {
    let state = builder(2).island(3, seat(A)).island(3, seat(B)).build().unwrap();
    assert_eq!((state.island(3), state.islands_of(seat(A))), (Some(seat(B)), 0));
}

/// A written position with one thing changed.
fn changed(change: impl Fn(&mut Value)) -> Result<State, serde_json::Error> {
    let state = builder(3)
        .dice(seat(A), Slot::Hold, &[3])
        .block(seat(B), Slot::Grog, seat(A))
        .island(2, seat(B))
        .phase(Phase::Order)
        .pool(&[2, 3])
        .build()
        .unwrap();
    let mut form = serde_json::to_value(state).unwrap();
    change(&mut form);
    serde_json::from_value(form)
}

#[test]
fn broken_written_positions_are_refused() {
    assert!(changed(|_| {}).is_ok());
    type Change = fn(&mut Value);
    let changes: [Change; 30] = [
        |form| form["pool"] = json!([7]),
        |form| form["pool"] = json!(vec![1; 128]),
        |form| form["players"] = json!([]),
        |form| form["current"] = json!(3),
        |form| form["phase"] = json!("nonsense"),
        |form| form["phase"] = json!("target"),
        |form| form["phase"] = json!("order_reef"),
        |form| form["phase"] = json!("done"),
        |form| form["ending"] = json!("cap"),
        |form| form["winner"] = json!(1),
        |form| form["islands_used"] = json!([7]),
        |form| form["islands_used"] = json!([0]),
        |form| form["extra"] = json!(1),
        |form| form["reef"] = json!({"die": 7, "on": null}),
        |form| form["reef"] = json!({"die": 3, "on": null}),
        |form| form["players"][0]["aft"] = json!([5, 6]),
        |form| form["players"][0]["evade"] = json!([5, 5]),
        |form| form["players"][0]["grog"] = json!([1, 2, 3]),
        |form| form["players"][0]["supply"] = json!(100),
        |form| form["players"][0]["supply"] = json!(-100),
        |form| form["players"][0]["ghost"] = json!(true),
        |form| form["players"][0]["hp"] = json!(13),
        |form| form["players"][0]["islands"] = json!([2]),
        |form| form["players"][0]["hold"] = json!([]),
        |form| form["players"][1]["blocks"][0]["owner"] = json!(1),
        |form| form["players"][1]["blocks"][0]["owner"] = json!(3),
        |form| form["players"][1]["blocks"][0]["count"] = json!(3),
        |form| form["turn_no"] = json!(0),
        |form| {
            form["phase"] = json!("target");
            form["pending"] = json!({"action": "aft", "dice": [1, 2, 3, 4], "effects": 1, "target": null,
                "island": null, "evade_left": 0, "evaded": 0, "hull": 0});
        },
        |form| {
            form["phase"] = json!("target");
            form["pending"] = json!({"action": "aft", "dice": [5], "effects": 0, "target": null,
                "island": null, "evade_left": 0, "evaded": 0, "hull": 0});
        },
    ];
    for (at, change) in changes.into_iter().enumerate() {
        // An empty Hold alone is no fault: it makes one with the flag that says its die is fresh.
        let extra = |form: &mut Value| {
            if at == 23 {
                form["players"][0]["hold_fresh"] = json!(true);
            }
            change(form);
        };
        assert!(changed(extra).is_err(), "change {at}");
    }
    let fine = changed(|form| {
        form["phase"] = json!("target");
        form["pending"] = json!({"action": "aft", "dice": [5], "effects": 1, "target": null,
            "island": null, "evade_left": 0, "evaded": 0, "hull": 0});
    });
    assert!(fine.is_ok(), "{fine:?}");
}

#[test]
fn dice_are_multisets() {
    let dice = Dice::of(&[5, 1, 5, 6]);
    assert_eq!((dice.len(), dice.total(), dice.count(5), dice.count(2)), (4, 17, 2, 0));
    assert_eq!(dice.iter().collect::<Vec<_>>(), [1, 5, 5, 6]);
    assert_eq!(dice.faces(), 0b11_0001);
    assert_eq!((dice.to_string(), Dice::NONE.to_string()), ("1 5 5 6".into(), "-".into()));
    assert!(Dice::NONE.is_empty() && !dice.is_empty());
    let mut dice = dice;
    dice.remove(5);
    dice.add(2);
    assert_eq!(Vec::<u8>::from(dice), [1, 2, 5, 6]);
    assert_eq!(Dice::try_from(vec![1; 127]).map(Dice::len), Ok(127));
    assert!(Dice::try_from(vec![1; 128]).is_err());
}

#[test]
fn ships_count_their_dice() {
    let mut ship = Ship::default();
    assert_eq!((ship.is_empty(), ship.len()), (true, 0));
    for slot in Slot::ALL {
        ship.add(slot, 3);
        assert!(!ship.is_empty());
        assert_eq!((ship.count(slot), ship.dice(slot)), (1, Dice::of(&[3])));
        ship.remove(slot, 3);
        assert!(ship.is_empty());
    }
    for slot in [Slot::Grog, Slot::DoubleTime, Slot::Plunder] {
        ship.fill(slot, Dice::of(&[2, 2])).unwrap();
        assert_eq!((ship.count(slot), ship.dice(slot), ship.faces(slot)), (2, Dice::of(&[2, 2]), 0b10));
        ship.remove(slot, 2);
        assert_eq!((ship.count(slot), ship.len()), (1, 1));
        ship.clear(slot);
        assert!(ship.is_empty());
    }
    ship.fill(Slot::Explorer, Dice::of(&[4, 5, 6])).unwrap();
    ship.add(Slot::Hold, 1);
    assert_eq!((ship.len(), ship.single(Slot::Hold), ship.single(Slot::Aft)), (4, 1, 0));
    assert!(ship.fill(Slot::Evade, Dice::of(&[4, 4])).is_err());
    assert!(ship.fill(Slot::M1, Dice::of(&[4, 5])).is_err());
    assert!(ship.fill(Slot::Plunder, Dice::of(&[4, 4, 4])).is_ok());
}

#[test]
fn the_game_says_what_it_is_made_of() {
    let t = Table::fresh(setup(4, ""));
    assert_eq!((t.game.seats(), t.game.has_hidden()), (4, false));
    assert_eq!(t.game.luck().len(), 1);
    assert!(t.game.luck()[0].per_seat);
    assert_eq!(t.game.endings(), ["sink", "plunder", "exploration", "cap"]);
    // Frozen: the bound is a formula of the switches, and a change of it should be meant.
    assert_eq!(t.game.step_limit(), 422_000);
    let turns = |cap: u32| Table::fresh(setup(2, &format!("turn_cap = {cap}"))).game.step_limit();
    assert_eq!(turns(10_000), 10_000 * turns(1));
    assert_eq!(Seat::all(4).map(|seat| t.state.supply(seat)).collect::<Vec<_>>(), [14; 4]);
    for slot in Slot::ALL {
        assert_eq!(slot.to_string().parse(), Ok(slot));
        let belongs = Move::ALL.into_iter().find(|action| action.slots().contains(&slot));
        assert_eq!(slot.action(), belongs);
    }
    for action in Move::ALL {
        assert_eq!(action.to_string().parse(), Ok(action));
        let cannon = [Move::Aft, Move::Fore, Move::Main].contains(&action);
        assert_eq!(action.is_cannon(), cannon);
    }
    assert!("nothing".parse::<Slot>().is_err() && "nothing".parse::<Move>().is_err());
}
