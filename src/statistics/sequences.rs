//! Confidence sequences: intervals that may be looked at as often as one likes.
//!
//! An ordinary 95 % interval that is looked at again and again excludes the truth at some time far more often
//! than in 5 % of runs. A confidence sequence holds the truth *at all times at once* with its confidence, so
//! that a live screen may show it and a run may stop by it. Both kinds here keep a running intersection: the
//! interval never widens.

use super::interval::Interval;

/// ln B(a, b).
fn log_beta(a: f64, b: f64) -> f64 {
    libm::lgamma(a) + libm::lgamma(b) - libm::lgamma(a + b)
}

/// The end of a set of p in which `inside` holds next to `from`, seen towards `to`, rounded outward.
fn edge(from: f64, to: f64, inside: impl Fn(f64) -> bool) -> f64 {
    if inside(to) {
        return to;
    }
    let (mut inner, mut outer) = (from, to);
    for _ in 0..60 {
        let middle = inner + (outer - inner) / 2.0;
        match inside(middle) {
            true => inner = middle,
            false => outer = middle,
        }
    }
    outer
}

/// A confidence sequence for the rate of independent 0/1 outcomes: the beta-binomial mixture of Robbins (1970)
/// with the Jeffreys mixture, {p : B(s+½, n-s+½)/B(½,½) <= p^s (1-p)^(n-s) / α}.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BetaBinomial {
    alpha: f64,
    interval: Interval,
}

impl BetaBinomial {
    /// A sequence that holds the truth at all times with probability 1 - `alpha`, `alpha` in (0, 1).
    pub fn new(alpha: f64) -> BetaBinomial {
        BetaBinomial { alpha, interval: Interval { low: 0.0, high: 1.0 } }
    }

    /// Takes a look after `wins` wins in `games` games and gives the intersection of all looks so far. If the
    /// looks contradict each other (the chance of which is at most α where the model holds) the interval
    /// shrinks to the point nearest to the last.
    pub fn look(&mut self, wins: u64, games: u64) -> Interval {
        self.interval = intersect(self.interval, beta_binomial(wins, games, self.alpha));
        self.interval
    }

    /// The intersection of all looks so far.
    pub fn interval(&self) -> Interval {
        self.interval
    }
}

/// One look at a [`BetaBinomial`] sequence, without the intersection; `wins` above `games` counts as `games`.
pub fn beta_binomial(wins: u64, games: u64, alpha: f64) -> Interval {
    if games == 0 {
        return Interval { low: 0.0, high: 1.0 };
    }
    let (won, lost) = (wins.min(games) as f64, games.saturating_sub(wins) as f64);
    let mixture = log_beta(won + 0.5, lost + 0.5) - log_beta(0.5, 0.5) + libm::log(alpha);
    // 0 ln 0 = 0: a rate of 0 is possible as long as nothing is won.
    let part = |count: f64, p: f64| if count == 0.0 { 0.0 } else { count * libm::log(p) };
    let inside = |p: f64| mixture <= part(won, p) + part(lost, 1.0 - p);
    let p = won / (won + lost);
    Interval { low: edge(p, 0.0, inside), high: edge(p, 1.0, inside) }
}

/// The common part of two intervals; where there is none, the end of `old` nearest to `new`.
fn intersect(old: Interval, new: Interval) -> Interval {
    let low = new.low.clamp(old.low, old.high);
    let high = new.high.clamp(old.low, old.high);
    Interval { low, high }
}

/// Points of the grid on [0, 1]: one for each hundredth of a percentage point.
const GRID: usize = 10_000;
/// The largest part of the capital put on one batch.
const BOLDNESS: f64 = 0.5;

/// Blocks in a batch unless said otherwise.
///
/// A bet may lose at most BOLDNESS of the capital on a batch of any outcome, but the mean of many blocks
/// hardly strays, so that large batches waste the first thousands of blocks; bets on single blocks spread
/// thinly over the far future. On a fair coin the mean half-width of 20 runs after 1,024 and after 16,384
/// blocks was 6.0 and 1.9 points with batches of one, 4.5 and 1.3 with eight, 17.2 and 1.6 with 64
/// (`cargo test --test coverage -- --ignored --nocapture widths`).
pub const BATCH: u32 = 8;

/// A confidence sequence for the mean of block scores in [0, 1], whatever their distribution: hedged betting
/// (Waudby-Smith and Ramdas 2024, "Estimating means of bounded random variables by betting"). For every
/// possible mean m two gamblers bet that the truth lies above and below it,
/// K_t(m) = max(½ Π(1 + λ⁺_i (X_i - m)), ½ Π(1 - λ⁻_i (X_i - m))); a mean at which either has multiplied the
/// stakes by 1/α is excluded for good. X_i are means of fixed batches of blocks, in block order, and
/// λ_t = sqrt(2 ln(2/α) / (σ̂²_{t-1} t ln(t+1))), cut at c/m and c/(1-m).
///
/// Wealth is monotone in m, so the set is an interval; it is kept on a grid of hundredths of a point and
/// rounded outward. Memory does not grow with the number of blocks, and it depends on the blocks' order and
/// on nothing else.
#[derive(Clone, PartialEq, Debug)]
pub struct Betting {
    limit: f64,
    log_limit: f64,
    batch: u32,
    // Wealth of the gambler who bets that the truth lies above the point, and of the one who bets below.
    above: Vec<f64>,
    below: Vec<f64>,
    // Points low..=high are not excluded.
    low: usize,
    high: usize,
    batches: u64,
    sum: f64,
    squares: f64,
    open: (u32, f64),
}

impl Betting {
    /// A sequence that holds the truth at all times with probability 1 - `alpha`, fed in batches of `batch`
    /// blocks (at least 1; [`BATCH`] is a good choice).
    pub fn new(alpha: f64, batch: u32) -> Betting {
        Betting {
            limit: 2.0 / alpha,
            log_limit: libm::log(2.0 / alpha),
            batch: batch.max(1),
            above: vec![1.0; GRID + 1],
            below: vec![1.0; GRID + 1],
            low: 0,
            high: GRID,
            batches: 0,
            sum: 0.0,
            squares: 0.0,
            open: (0, 0.0),
        }
    }

    /// Adds the score of the next block, in [0, 1]. The interval changes where a batch becomes full.
    pub fn add_block(&mut self, score: f64) {
        self.open.0 += 1;
        self.open.1 += score.clamp(0.0, 1.0);
        if self.open.0 == self.batch {
            let mean = self.open.1 / self.batch as f64;
            self.open = (0, 0.0);
            self.bet(mean);
        }
    }

    fn bet(&mut self, outcome: f64) {
        // The bet depends on what was seen before alone. The variance begins at the largest that a mean of so
        // many independent blocks can have, counted as one batch.
        let t = (self.batches + 1) as f64;
        let variance = (0.25 / self.batch as f64 + self.squares) / t;
        let lambda = (2.0 * self.log_limit / (variance * t * libm::log(t + 1.0))).sqrt();
        for at in self.low..=self.high {
            let m = at as f64 / GRID as f64;
            // At the ends one of the cuts has no bound, and the other gambler cannot lose there.
            let up = if at == 0 { lambda } else { lambda.min(BOLDNESS / m) };
            let down = if at == GRID { lambda } else { lambda.min(BOLDNESS / (1.0 - m)) };
            self.above[at] *= 1.0 + up * (outcome - m);
            self.below[at] *= 1.0 - down * (outcome - m);
        }
        // Wealth above falls with m and wealth below rises: each excludes from its own end. One point always
        // stays, though the truth may lie to either side of it by less than a step.
        while self.low < self.high && self.above[self.low] >= self.limit {
            self.low += 1;
        }
        while self.low < self.high && self.below[self.high] >= self.limit {
            self.high -= 1;
        }
        self.batches += 1;
        self.sum += outcome;
        let mean = (0.5 + self.sum) / (self.batches as f64 + 1.0);
        self.squares += (outcome - mean) * (outcome - mean);
    }

    /// The interval after all whole batches so far, rounded outward to hundredths of a point.
    pub fn interval(&self) -> Interval {
        Interval {
            low: self.low.saturating_sub(1) as f64 / GRID as f64,
            high: (self.high + 1).min(GRID) as f64 / GRID as f64,
        }
    }

    /// Whole batches so far.
    pub fn batches(&self) -> u64 {
        self.batches
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::streams::Stream;
    use proptest::prelude::*;

    /// With 0 of 1 the set is {p : B(½, 3/2)/B(½,½) <= (1-p)/α}: 1 - p >= α/2.
    #[test]
    fn one_game_by_hand() {
        let interval = beta_binomial(0, 1, 0.05);
        assert_eq!(interval.low, 0.0);
        assert!((interval.high - 0.975).abs() < 1e-12, "{interval:?}");
        let won = beta_binomial(1, 1, 0.05);
        assert!((won.low - 0.025).abs() < 1e-12 && won.high == 1.0, "{won:?}");
    }

    /// 0 of n: 1 - p >= (α B(½, n+½)/B(½,½))^(1/n).
    #[test]
    fn no_win_by_hand() {
        let n = 50;
        let ratio: f64 = (0..n).map(|k| (k as f64 + 0.5) / (k as f64 + 1.0)).product();
        let expected = 1.0 - (0.05 * ratio).powf(1.0 / n as f64);
        assert!((beta_binomial(0, n, 0.05).high - expected).abs() < 1e-12);
    }

    #[test]
    fn looks_intersect() {
        let mut sequence = BetaBinomial::new(0.05);
        assert_eq!(sequence.look(0, 0), Interval { low: 0.0, high: 1.0 });
        let first = sequence.look(60, 100);
        let second = sequence.look(100, 200);
        assert!(second.low >= first.low && second.high <= first.high);
        // Looks that contradict each other leave a point, not an interval turned round.
        let torn = sequence.look(2_000, 2_000);
        assert!(torn.low <= torn.high && (torn.high - first.high.min(second.high)).abs() < 1e-12);
    }

    fn coin(p: f64, seed: u128) -> impl FnMut() -> f64 {
        let mut stream = Stream::new(seed);
        move || (stream.unit() < p) as u8 as f64
    }

    #[test]
    fn betting_closes_in_on_the_mean() {
        let (mut sequence, mut coin) = (Betting::new(0.05, BATCH), coin(0.3, 7));
        let mut width = 1.0;
        for block in 1..=16_384u32 {
            sequence.add_block(coin());
            if block.is_power_of_two() {
                let interval = sequence.interval();
                assert!(interval.low <= 0.3 && 0.3 <= interval.high, "{block} {interval:?}");
                assert!(interval.high - interval.low <= width + 1e-12);
                width = interval.high - interval.low;
            }
        }
        assert!(width < 0.04, "{width}");
    }

    /// Blocks that vary little are used as such: no assumption of a binomial.
    #[test]
    fn quiet_blocks_give_narrow_intervals() {
        let mut sequence = Betting::new(0.05, BATCH);
        (0..4_096).for_each(|block| sequence.add_block(0.5 + 0.05 * ((block % 3) as f64 - 1.0)));
        let interval = sequence.interval();
        assert!(
            interval.low <= 0.5 && 0.5 <= interval.high && interval.high - interval.low < 0.02,
            "{interval:?}"
        );
    }

    #[test]
    fn limits_stay_in_order() {
        for score in [0.0, 1.0] {
            let mut sequence = Betting::new(0.05, 4);
            sequence.add_block(score);
            assert_eq!(sequence.interval(), Interval { low: 0.0, high: 1.0 });
            (0..100_000).for_each(|_| sequence.add_block(score));
            let interval = sequence.interval();
            assert!(interval.low <= score && score <= interval.high, "{interval:?}");
            assert!(interval.high - interval.low < 0.01, "{interval:?}");
        }
    }

    proptest! {
        #[test]
        fn holds_the_estimate_and_is_symmetric(games in 1u64..100_000, part in 0.0..=1.0f64) {
            let wins = (games as f64 * part) as u64;
            let (here, there) = (beta_binomial(wins, games, 0.05), beta_binomial(games - wins, games, 0.05));
            let p = wins as f64 / games as f64;
            prop_assert!(here.low <= p && p <= here.high && here.low < here.high);
            prop_assert!((here.low - (1.0 - there.high)).abs() < 1e-9);
            // Wider than an interval for a single look.
            let once = super::super::interval::wilson(p, games as f64, 1.96);
            prop_assert!(here.high - here.low >= once.high - once.low);
        }
    }
}
