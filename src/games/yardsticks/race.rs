//! What the race games share: an estimate of who is ahead, from the points that each seat still needs.

/// exp(x) for x <= 0 within 1 % where it matters, by multiplication alone: the same bits on every machine.
fn exp(x: f64) -> f64 {
    let mut power = 1.0 + x.max(-1024.0) / 1024.0;
    for _ in 0..10 {
        power *= power;
    }
    power
}

/// How a race is judged: win shares fall off as a logistic of the points still needed, whose width grows with
/// the square root of the way to go.
pub(super) struct Pace {
    /// Points that being about to begin a turn is worth.
    pub tempo: f64,
    /// Width of the logistic at the finish, in points.
    pub width: f64,
    /// How it grows with the square root of the mean of the points needed.
    pub spread: f64,
}

impl Pace {
    /// Turns points needed, in `out`, into win shares; `begins` is the seat that begins the next turn.
    pub fn shares(&self, out: &mut [f64], begins: usize) {
        let mean = out.iter().sum::<f64>() / out.len() as f64;
        let width = self.width + self.spread * mean.max(0.0).sqrt();
        out[begins] -= self.tempo;
        let least = out.iter().copied().fold(f64::INFINITY, f64::min);
        let mut sum = 0.0;
        for value in out.iter_mut() {
            *value = exp((least - *value) / width);
            sum += *value;
        }
        for value in out.iter_mut() {
            *value /= sum;
        }
    }
}

/// A table of where best play holds: a row for each score of the other seats (all the same), a column for each
/// own score, in steps so that at most 20 fit. `holds_at` gives the least total of a turn at which to hold.
pub(super) fn picture(target: u16, what: &str, holds_at: impl Fn(u16, u16) -> Option<u16>) -> String {
    let step = target.div_ceil(20).max(1);
    let scores = || (0..target).step_by(step as usize);
    let mut lines = vec![format!("{what}, by own score (across) and the others' score (down)")];
    let cell = |text: String| format!("{text:>4}");
    lines.push(cell(String::new()) + &scores().map(|own| cell(own.to_string())).collect::<String>());
    for other in scores() {
        let row =
            scores().map(|own| cell(holds_at(own, other).map_or("-".into(), |total| total.to_string())));
        lines.push(cell(other.to_string()) + &row.collect::<String>());
    }
    lines.join("\n")
}
