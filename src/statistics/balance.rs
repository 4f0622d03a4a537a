//! Is it balanced? An equivalence test against a margin, with three verdicts.

use std::fmt;

use super::blocks::{Clusters, FEW_BLOCKS};
use super::interval::simultaneous_z;

/// What can be said of the seats of a game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Verdict {
    /// Every seat's simultaneous interval lies within fair share plus or minus the margin.
    Balanced,
    /// Some seat's interval lies wholly outside.
    Unbalanced,
    /// Neither; about so many more games would settle it, to two digits (`None` where that cannot be said:
    /// too few blocks, or a share on the margin itself).
    NotSettled(Option<u64>),
}

impl fmt::Display for Verdict {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(match self {
            Verdict::Balanced => "balanced",
            Verdict::Unbalanced => "unbalanced",
            Verdict::NotSettled(_) => "not settled",
        })
    }
}

/// Judges seats against the fair share 1/n ± `margin` with simultaneous Wilson intervals at joint
/// confidence `confidence`. `None` without a seat, or with a seat without a game.
pub fn judge(seats: &[Clusters], margin: f64, confidence: f64) -> Option<Verdict> {
    let fair = 1.0 / seats.len() as f64;
    let (low, high) = (fair - margin, fair + margin);
    let z = simultaneous_z(confidence, seats.len());
    let intervals = seats.iter().map(|seat| seat.interval(z)).collect::<Option<Vec<_>>>()?;
    if intervals.is_empty() {
        return None;
    }
    if intervals.iter().all(|interval| interval.within(low, high)) {
        return Some(Verdict::Balanced);
    }
    if intervals.iter().any(|interval| interval.outside(low, high)) {
        return Some(Verdict::Unbalanced);
    }
    // The width of an interval falls with the root of the games. A seat outside the margin settles the
    // matter as soon as its own interval clears the edge; otherwise all seats must come to lie inside.
    let wanted: Option<Vec<(bool, f64)>> = seats
        .iter()
        .map(|seat| {
            let share = seat.share()?;
            let distance = margin - (share - fair).abs();
            let room = distance.abs();
            let games = z * z * share * (1.0 - share) / (room * room) * seat.design_effect();
            Some((distance < 0.0, games))
        })
        .collect();
    let wanted = wanted?;
    let outside = wanted.iter().filter(|(out, _)| *out).map(|&(_, games)| games).reduce(f64::min);
    let games = outside.or_else(|| wanted.iter().map(|&(_, games)| games).reduce(f64::max))?;
    let played = seats[0].seatings() as f64;
    let more = games - played;
    let known = seats.iter().all(|seat| seat.blocks() >= FEW_BLOCKS) && (1.0..1e15).contains(&more);
    Some(Verdict::NotSettled(known.then(|| two_digits(more as u64))))
}

/// Rounded up to two leading digits: it is an estimate, and should look like one.
fn two_digits(number: u64) -> u64 {
    let mut unit = 1;
    while number / unit >= 100 {
        unit *= 10;
    }
    number.div_ceil(unit) * unit
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::SHARE_UNITS;

    fn seats(wins: [u64; 2], games: u64) -> [Clusters; 2] {
        wins.map(|wins| {
            let mut clusters = Clusters::default();
            for game in 0..games {
                // Wins spread evenly over the blocks.
                let won = (game + 1) * wins / games - game * wins / games;
                clusters.add_block(1, won * SHARE_UNITS as u64);
            }
            clusters
        })
    }

    #[test]
    fn three_verdicts() {
        let judge = |wins, games| judge(&seats(wins, games), 0.02, 0.95).unwrap();
        assert_eq!(judge([10_000, 10_000], 20_000), Verdict::Balanced);
        assert_eq!(judge([11_000, 9_000], 20_000), Verdict::Unbalanced);
        assert!(matches!(judge([50, 50], 100), Verdict::NotSettled(Some(_))));
    }

    /// Half of 100 games: the joint half-width at z = 2.2414 comes to 0.02 at z²/4/0.02² = 3,140 games.
    #[test]
    fn games_still_needed() {
        let Some(Verdict::NotSettled(Some(more))) = judge(&seats([50, 50], 100), 0.02, 0.95) else {
            panic!("not settled")
        };
        assert!((2_800..3_200).contains(&more), "{more}");
    }

    #[test]
    fn too_few_blocks_say_nothing_of_what_is_missing() {
        assert_eq!(judge(&seats([10, 10], 20), 0.02, 0.95), Some(Verdict::NotSettled(None)));
        assert_eq!(judge(&seats([1, 0], 1), 0.02, 0.95), Some(Verdict::NotSettled(None)));
        assert_eq!([7, 99, 101, 27_974].map(two_digits), [7, 99, 110, 28_000]);
    }

    #[test]
    fn a_share_on_the_margin_is_never_settled() {
        assert_eq!(judge(&seats([52, 48], 100), 0.02, 0.95), Some(Verdict::NotSettled(None)));
    }
}
