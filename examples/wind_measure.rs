use dhow::game::*;
use dhow::games::sultans_of_wind::*;
use dhow::games::switches::build;
use dhow::streams::*;
use std::time::Instant;
use toml::{Table, Value};

fn eval(game: &SultansOfWind, state: &State, seat: Seat, evals: &mut u64, depth: u32) -> f64 {
    let mut v = [0.0; 4];
    match game.turn(state) {
        Turn::Decision(s) if game.in_compound(state) && depth < 3 => {
            let mut list = Vec::new();
            game.actions(state, s, &mut list);
            let mut best = f64::MIN;
            for a in list {
                let mut n = state.clone();
                game.apply(&mut n, a);
                best = best.max(eval(game, &n, seat, evals, depth + 1));
            }
            best
        }
        _ => {
            *evals += 1;
            game.value(state, &mut v[..game.seats()]);
            v[seat.index()]
        }
    }
}
fn greedy(
    game: &SultansOfWind,
    state: &State,
    seat: Seat,
    stream: &mut Stream,
    buf: &mut Vec<Action>,
    evals: &mut u64,
    simultaneous: bool,
) -> Action {
    game.actions(state, seat, buf);
    let mut best = vec![];
    let mut top = f64::MIN;
    if simultaneous {
        let mut w = vec![];
        game.prior(state, seat, buf, &mut w);
        for (a, p) in buf.iter().zip(w) {
            let p = p as f64;
            if p > top {
                top = p;
                best.clear();
            }
            if p == top {
                best.push(*a);
            }
        }
    } else {
        for &a in buf.iter() {
            let mut n = state.clone();
            game.apply(&mut n, a);
            let p = eval(game, &n, seat, evals, 0);
            if p > top {
                top = p;
                best.clear();
            }
            if p == top {
                best.push(a);
            }
        }
    }
    best[stream.below(best.len())]
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let mode = &args[1];
    let seats: usize = args[2].parse().unwrap();
    let games: u64 = args[3].parse().unwrap();
    let mut table = Table::new();
    for kv in &args[4..] {
        let (k, v) = kv.split_once('=').unwrap();
        let v = if let Ok(i) = v.parse::<i64>() {
            Value::Integer(i)
        } else if let Ok(b) = v.parse::<bool>() {
            Value::Boolean(b)
        } else {
            Value::String(v.into())
        };
        table.insert(k.into(), v);
    }
    let game: SultansOfWind = build(&table, seats).unwrap();
    let t = Instant::now();
    let (mut steps, mut rounds, mut caps, mut evals, mut wishes, mut chained) =
        (0u64, 0u64, 0u64, 0u64, 0i64, 0i64);
    let mut wins = vec![0.0; seats];
    let mut ff = 0.0;
    let mut hist = vec![];
    for block in 0..games {
        let mut deal = Deal::new(7, 0, block, 0, seats);
        let mut streams: Vec<Stream> = Seat::all(seats).map(|s| agent_stream(7, 0, block, 0, s)).collect();
        let mut state = game.initial();
        let mut buf = vec![];
        // which seats are greedy: "greedy" all, "mixed" seat block%seats only
        let is_greedy = |s: Seat| match mode.as_str() {
            "greedy" => true,
            "mixed" => s.index() as u64 == block % seats as u64,
            _ => false,
        };
        loop {
            steps += 1;
            match game.turn(&state) {
                Turn::Over => break,
                Turn::Chance(s) => {
                    let a = game.sample_chance(&state, deal.word(s));
                    game.apply(&mut state, a);
                }
                Turn::Decision(s) => {
                    let a = if is_greedy(s) {
                        greedy(&game, &state, s, &mut streams[s.index()], &mut buf, &mut evals, false)
                    } else {
                        game.random_action(&state, s, &mut streams[s.index()], &mut buf)
                    };
                    game.apply(&mut state, a);
                }
                Turn::Simultaneous(set) => {
                    let mut all = [Action::Pass; 4];
                    for s in set.iter() {
                        all[s.index()] = if is_greedy(s) {
                            greedy(&game, &state, s, &mut streams[s.index()], &mut buf, &mut evals, true)
                        } else {
                            game.random_action(&state, s, &mut streams[s.index()], &mut buf)
                        };
                    }
                    game.apply_together(&mut state, &all[..seats]);
                }
            }
        }
        let o = game.outcome(&state).unwrap();
        if o.capped() {
            caps += 1;
        }
        rounds += state.round as u64;
        hist.push(state.round);
        for s in Seat::all(seats) {
            let who = if mode == "mixed" {
                (s.index() as u64 + seats as u64 - block % seats as u64) as usize % seats
            } else {
                s.index()
            };
            wins[who] += o.win_share(s);
            if state.first_favor == Some(s) {
                ff += o.win_share(s);
            }
            wishes += state.counts[s.index()].wishes as i64;
            chained += state.counts[s.index()].chained as i64;
        }
    }
    let e = t.elapsed().as_secs_f64();
    hist.sort();
    println!(
        "{mode} {seats}p {games} games {e:.2}s: {:.0} games/s, {:.2} M steps/s, rounds {:.2} p5 {} p50 {} p95 {} max {}, capped {caps}, evals/game {:.0}, wishes/seat {:.2} chained {:.2}, wins {:?}, first favor {:.3}",
        games as f64 / e,
        steps as f64 / e / 1e6,
        rounds as f64 / games as f64,
        hist[hist.len() / 20],
        hist[hist.len() / 2],
        hist[hist.len() * 19 / 20],
        hist[hist.len() - 1],
        evals as f64 / games as f64,
        wishes as f64 / games as f64 / seats as f64,
        chained as f64 / games as f64 / seats as f64,
        wins.iter().map(|w| (w / games as f64 * 1000.0).round() / 1000.0).collect::<Vec<_>>(),
        ff / games as f64
    );
}
