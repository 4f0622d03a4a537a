//! The board in text: it keeps within its width however full the pool is.

use dhow::game::{Game, Ink, Narrate};
use dhow::games::six_sided_seas::{Rules, SixSidedSeas};

#[test]
fn a_full_pool_keeps_the_board_within_its_width() {
    let game = SixSidedSeas::with_rules(Rules { dice_per_player: 40, ..Rules::published(2) }, 2).unwrap();
    let mut state = serde_json::to_value(game.initial()).unwrap();
    state["players"][0]["coin"] = 40.into();
    state["players"][0]["supply"] = (state["players"][0]["supply"].as_i64().unwrap() - 31).into();
    state["phase"] = "roll".into();
    state["turn_no"] = 157.into();
    state["pool"] = vec![1; 30].into();
    state["grog_dice"] = vec![2].into();
    let state = serde_json::from_value(state).unwrap();
    let board = game.draw(&state, Ink::Plain);
    assert!(board.lines().all(|line| line.len() <= 100), "{board}");
    let head: Vec<&str> = board.lines().take(2).collect();
    // Every die is there; the others are those of turn 157 and seat 1.
    assert_eq!(head[0].matches('1').count() + head[1].matches('1').count(), 30 + 2, "{board}");
    assert!(head[1].starts_with("    ") && head[1].ends_with("total 32 against a limit of 40"), "{board}");
}
