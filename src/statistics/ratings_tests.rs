//! Ratings against published fits, against brute force, and at their limits.

use super::*;
use crate::streams::Stream;

fn strength(ratings: &Ratings, one: usize, other: usize) -> f64 {
    ratings.difference(one, other).elo / ELO_PER_LOG
}

/// Preferences between six brands of chocolate pudding: (i, j, i preferred, j preferred, neither).
/// Davidson (1970), example 2.
const PUDDING: [(usize, usize, [u64; 3]); 15] = [
    (1, 2, [19, 22, 16]),
    (1, 3, [16, 19, 12]),
    (2, 3, [19, 19, 10]),
    (1, 4, [18, 23, 13]),
    (2, 4, [23, 19, 9]),
    (3, 4, [19, 20, 15]),
    (1, 5, [13, 19, 18]),
    (2, 5, [16, 20, 12]),
    (3, 5, [16, 15, 17]),
    (4, 5, [17, 14, 16]),
    (1, 6, [18, 21, 12]),
    (2, 6, [22, 20, 12]),
    (3, 6, [13, 18, 10]),
    (4, 6, [14, 19, 18]),
    (5, 6, [11, 21, 12]),
];

/// Half of each result with the seats changed, in doubled counts: no seat is better by design.
fn pudding() -> Finishes {
    let mut finishes = Finishes::new(6, 2);
    for (block, &(one, other, [wins, losses, ties])) in PUDDING.iter().enumerate() {
        for seats in [[one - 1, other - 1], [other - 1, one - 1]] {
            let turn = |ranks: [u8; 2]| if seats[0] == one - 1 { ranks } else { [ranks[1], ranks[0]] };
            for (games, ranks) in [(wins, [1, 2]), (losses, [2, 1]), (ties, [1, 1])] {
                finishes.add_games(block as u64, &seats, &turn(ranks), games);
            }
        }
    }
    finishes
}

#[test]
fn davidsons_pudding() {
    let ratings = rate(&pudding()).unwrap();
    // The published estimates of worth, to within the rounding of an iteration that was stopped early.
    let published = [0.1388005, 0.1729985, 0.1617420, 0.1653930, 0.1586805, 0.2023855f64];
    let worth: Vec<f64> = ratings.players.iter().map(|elo| (elo / ELO_PER_LOG).exp()).collect();
    let sum: f64 = worth.iter().sum();
    for (worth, published) in worth.iter().zip(published) {
        assert!((worth / sum - published).abs() < 2e-4, "{} {published}", worth / sum);
    }
    assert!((ratings.ties[0] - 0.7468147).abs() < 2e-3, "{}", ratings.ties[0]);
    assert!(ratings.seats.iter().all(|seat| seat.abs() < 1e-6));
    assert!(!ratings.ghosts);
    assert_eq!(ratings.ladder()[0], 5);
}

/// Home wins and losses of seven baseball teams in 1987: (home, away, home wins, away wins). Agresti,
/// "Categorical Data Analysis"; the fit is that of R's BradleyTerry2.
#[rustfmt::skip]
const BASEBALL: [(usize, usize, u64, u64); 42] = [
    (5, 4, 4, 3), (5, 7, 4, 2), (5, 6, 4, 3), (5, 2, 6, 1), (5, 3, 4, 2), (5, 1, 6, 0),
    (4, 5, 3, 3), (4, 7, 4, 2), (4, 6, 4, 3), (4, 2, 6, 0), (4, 3, 6, 1), (4, 1, 4, 3),
    (7, 5, 2, 5), (7, 4, 4, 3), (7, 6, 2, 4), (7, 2, 4, 3), (7, 3, 4, 2), (7, 1, 6, 0),
    (6, 5, 3, 3), (6, 4, 5, 1), (6, 7, 2, 5), (6, 2, 4, 3), (6, 3, 4, 2), (6, 1, 6, 1),
    (2, 5, 5, 1), (2, 4, 2, 5), (2, 7, 3, 3), (2, 6, 4, 2), (2, 3, 5, 2), (2, 1, 6, 0),
    (3, 5, 2, 5), (3, 4, 3, 3), (3, 7, 3, 4), (3, 6, 4, 3), (3, 2, 4, 2), (3, 1, 2, 4),
    (1, 5, 2, 5), (1, 4, 1, 5), (1, 7, 1, 6), (1, 6, 2, 4), (1, 2, 1, 6), (1, 3, 3, 4),
];

#[test]
fn agrestis_baseball_with_home_advantage() {
    let mut finishes = Finishes::new(7, 2);
    let mut game = 0;
    for (home, away, wins, losses) in BASEBALL {
        for at in 0..wins + losses {
            let ranks = if at < wins { [1, 2] } else { [2, 1] };
            finishes.add_game(game, &[home - 1, away - 1], &ranks);
            game += 1;
        }
    }
    let ratings = rate(&finishes).unwrap();
    // Boston, Cleveland, Detroit, Milwaukee, New York, Toronto, each less Baltimore.
    for (team, published) in [1.1438, 0.7047, 1.4754, 1.6196, 1.2813, 1.3271].into_iter().enumerate() {
        let found = strength(&ratings, team + 1, 0);
        assert!((found - published).abs() < 5e-4, "{team}: {found} {published}");
    }
    let home = ratings.seat_difference(0, 1);
    assert!((home.elo / ELO_PER_LOG - 0.3023).abs() < 5e-4, "{}", home.elo / ELO_PER_LOG);
    // Games were independent: the sandwich comes near the published standard error, 0.1309.
    assert!((home.error / ELO_PER_LOG - 0.1309).abs() < 0.02, "{}", home.error / ELO_PER_LOG);
}

/// All orders with ties of three seats.
fn orders() -> Vec<[u8; 3]> {
    let mut orders = Vec::new();
    for code in 0..27u8 {
        let ranks = [1 + code / 9, 1 + code / 3 % 3, 1 + code % 3];
        // A rank is one more than the number of those before.
        let proper = |rank: u8| ranks.iter().filter(|&&other| other < rank).count() as u8 + 1 == rank;
        if ranks.iter().all(|&rank| proper(rank)) {
            orders.push(ranks);
        }
    }
    orders
}

/// The probability of an order of three by the words of the model, one stage after another.
fn probability(worth: [f64; 3], ties: [f64; 2], ranks: [u8; 3]) -> f64 {
    let weight = |set: &[usize]| {
        let product: f64 = set.iter().map(|&seat| worth[seat]).product();
        [1.0, ties[0], ties[1]][set.len() - 1] * product.powf(1.0 / set.len() as f64)
    };
    let mut left = vec![0, 1, 2];
    let mut all = 1.0;
    while left.len() > 1 {
        let best = left.iter().map(|&seat| ranks[seat]).min().unwrap();
        let set: Vec<usize> = left.iter().copied().filter(|&seat| ranks[seat] == best).collect();
        let mut sum = 0.0;
        for bits in 1u32..1 << left.len() {
            let members: Vec<usize> =
                (0..left.len()).filter(|bit| bits >> bit & 1 == 1).map(|bit| left[bit]).collect();
            sum += weight(&members);
        }
        all *= weight(&set) / sum;
        left.retain(|seat| !set.contains(seat));
    }
    all
}

const WORTH: [f64; 4] = [1.0, 0.5, 2.0, 1.3];
const SEATS: [f64; 3] = [1.2, 1.0, 0.9];
const TIES: [f64; 2] = [0.4, 0.2];

/// Counts in exact proportion to the model come back as its parameters.
#[test]
fn recovers_a_known_model_of_three_seats_with_ties() {
    let mut finishes = Finishes::new(4, 3);
    assert_eq!(orders().len(), 13);
    for players in [[0, 1, 2], [1, 2, 0], [2, 0, 1], [3, 1, 0], [1, 0, 3], [0, 3, 1], [2, 3, 2], [3, 3, 2]] {
        let worth = [0, 1, 2].map(|seat| WORTH[players[seat]] * SEATS[seat]);
        let sum: f64 = orders().into_iter().map(|ranks| probability(worth, TIES, ranks)).sum();
        assert!((sum - 1.0).abs() < 1e-12);
        for ranks in orders() {
            let games = (probability(worth, TIES, ranks) * 1e12).round() as u64;
            finishes.add_games(0, &players, &ranks, games);
        }
    }
    let ratings = rate(&finishes).unwrap();
    for (one, other) in [(0, 1), (0, 2), (2, 3)] {
        let expected = (WORTH[one] / WORTH[other]).ln();
        assert!((strength(&ratings, one, other) - expected).abs() < 1e-6);
    }
    assert!((ratings.seat_difference(0, 2).elo / ELO_PER_LOG - (1.2f64 / 0.9).ln()).abs() < 1e-6);
    assert!((ratings.ties[0] - 0.4).abs() < 1e-6 && (ratings.ties[1] - 0.2).abs() < 1e-6);
}

/// No neighbour on a fine grid has a larger likelihood than the fit.
#[test]
fn maximum_by_brute_force() {
    let games: [([usize; 3], [u8; 3], u64); 6] = [
        ([0, 1, 2], [1, 2, 3], 5),
        ([0, 1, 2], [3, 1, 2], 3),
        ([1, 2, 0], [1, 1, 3], 2),
        ([1, 2, 0], [3, 2, 1], 4),
        ([2, 0, 1], [1, 2, 2], 2),
        ([2, 0, 1], [2, 3, 1], 3),
    ];
    let mut finishes = Finishes::new(3, 3);
    games.iter().for_each(|(players, ranks, count)| finishes.add_games(0, players, ranks, *count));
    let ratings = rate(&finishes).unwrap();
    assert!(!ratings.ghosts);
    let likelihood = |players: &[f64], seats: &[f64], tie: f64| -> f64 {
        let one = |&(at, ranks, count): &([usize; 3], [u8; 3], u64)| {
            let worth = [0, 1, 2].map(|seat| ((players[at[seat]] + seats[seat]) / ELO_PER_LOG).exp());
            count as f64 * probability(worth, [tie, 0.0], ranks).ln()
        };
        games.iter().map(one).sum()
    };
    let best = likelihood(&ratings.players, &ratings.seats, ratings.ties[0]);
    assert!((best - ratings.log_likelihood).abs() < 1e-9);
    for step in [-20.0, -1.0, 1.0, 20.0] {
        for at in 0..3 {
            let (mut players, mut seats) = (ratings.players.clone(), ratings.seats.clone());
            players[at] += step;
            assert!(likelihood(&players, &ratings.seats, ratings.ties[0]) < best);
            seats[at] += step;
            assert!(likelihood(&ratings.players, &seats, ratings.ties[0]) < best);
        }
        let tie = ratings.ties[0] * (1.0 + step / 200.0);
        assert!(likelihood(&ratings.players, &ratings.seats, tie) < best);
    }
}

#[test]
fn ghosts_where_somebody_never_loses_and_the_result_says_so() {
    let mut finishes = Finishes::new(3, 2);
    for block in 0..100u64 {
        for (one, other) in [(0, 1), (0, 2), (1, 2)] {
            // The first beats all; the others share.
            let first = one == 0 || block % 2 == 0;
            finishes.add_game(block, &[one, other], if first { &[1, 2] } else { &[2, 1] });
            finishes.add_game(block, &[other, one], if first { &[2, 1] } else { &[1, 2] });
        }
    }
    let ratings = rate(&finishes).unwrap();
    assert!(ratings.ghosts);
    let lead = ratings.difference(0, 1);
    assert!(lead.elo > 500.0 && lead.elo.is_finite() && lead.error.is_finite(), "{lead:?}");
    assert!(ratings.difference(1, 2).elo.abs() < 1e-6);
    // 200 games won by one side: half a game more or less would move the estimate by hundreds.
    assert!(lead.error > 100.0, "{lead:?}");
}

#[test]
fn a_seat_that_always_wins_and_games_that_always_tie_stay_finite() {
    let (mut first, mut tied) = (Finishes::new(2, 2), Finishes::new(2, 2));
    for block in 0..50 {
        for players in [[0, 1], [1, 0]] {
            first.add_game(block, &players, &[1, 2]);
            tied.add_game(block, &players, &[1, 1]);
        }
    }
    let (first, tied) = (rate(&first).unwrap(), rate(&tied).unwrap());
    assert!(first.ghosts && tied.ghosts);
    assert!(first.difference(0, 1).elo.abs() < 1e-6 && tied.difference(0, 1).elo.abs() < 1e-6);
    assert!(first.seat_difference(0, 1).elo > 200.0 && tied.ties[0] > 10.0);
    for number in [first.difference(0, 1).error, tied.difference(0, 1).error, tied.ties[0]] {
        assert!(number.is_finite() && number > 1.0, "{number}");
    }
}

#[test]
fn one_game_no_game_and_a_player_who_never_played() {
    assert_eq!(rate(&Finishes::new(2, 2)), None);
    let mut one = Finishes::new(3, 2);
    one.add_game(0, &[0, 1], &[1, 2]);
    let ratings = rate(&one).unwrap();
    assert!(ratings.ghosts);
    assert!(ratings.difference(0, 1).elo > 0.0 && ratings.difference(0, 2).error.is_finite());
}

/// Games that repeat their block say nothing new: errors as if each block were one game.
#[test]
fn repeated_games_do_not_shrink_the_error() {
    let mut stream = Stream::from_seed(3);
    let (mut once, mut four) = (Finishes::new(2, 2), Finishes::new(2, 2));
    for block in 0..2_000u64 {
        let seats = if block % 2 == 0 { [0, 1] } else { [1, 0] };
        let ranks = if stream.unit() < 0.5 { [1, 2] } else { [2, 1] };
        once.add_game(block, &seats, &ranks);
        four.add_games(block, &seats, &ranks, 4);
    }
    let (once, four) = (rate(&once).unwrap(), rate(&four).unwrap());
    assert!((once.difference(0, 1).elo - four.difference(0, 1).elo).abs() < 1e-6);
    assert!((once.difference(0, 1).error - four.difference(0, 1).error).abs() < 1e-6);
    // Independent games: 2 · 173.7 / sqrt(2,000) = 7.8.
    assert!((once.difference(0, 1).error - 7.77).abs() < 1.2, "{:?}", once.difference(0, 1));
}
