//! The verdict on the seats in sentences: what was found, and how the terminal and the page say it.
//!
//! What was found is plain data, whether it comes from results in memory or from tables that were read back. Both
//! voices stand side by side, so that a new verdict or a new number cannot be told by one and missed by the other.

use super::terminal::{grouped, percent, trimmed};

/// What can be said of one line-up, by the seat that is farthest from its fair share.
pub struct Finding {
    /// That seat, from 1.
    pub seat: usize,
    /// Its share of games won.
    pub share: f64,
    /// The range in which the share very likely lies, if it is known.
    pub range: Option<(f64, f64)>,
    /// What every seat would win in a fair game.
    pub fair: f64,
    /// What counts as balanced: the fair share plus or minus this.
    pub margin: f64,
    /// The verdict.
    pub fate: Fate,
}

/// A verdict, and what is left open.
pub enum Fate {
    /// All seats lie within the margin.
    Balanced,
    /// Some seat lies outside.
    Unbalanced,
    /// Neither is shown; about so many more games would show it, if that can be said.
    Open(Option<u64>),
    /// Neither was shown when this number of games, all that were allowed, had been played.
    Exhausted(u64),
    /// There was nothing to judge: not one agent in all seats.
    Unjudged,
}

impl Finding {
    /// On the terminal: the verdict first.
    pub fn on_terminal(&self) -> String {
        let found = format!("seat {}.", self.found(""));
        match self.fate {
            Fate::Balanced => format!("balanced: {found} All seats lie within the {} limit.", self.limit()),
            Fate::Unbalanced => format!("unbalanced: {found} More than the {} limit allows.", self.limit()),
            Fate::Open(Some(more)) => {
                format!("not settled: {found} About {} more games would settle it.", grouped(more))
            }
            Fate::Open(None) => {
                format!("not settled: {found} How many more games would settle it cannot be said.")
            }
            Fate::Exhausted(games) => {
                format!("not settled by the {} games allowed: {found}", grouped(games))
            }
            Fate::Unjudged => found,
        }
    }

    /// On the page: the verdict last, and spoken to whoever set the limit.
    pub fn on_page(&self) -> String {
        let found = format!("Seat {}.", self.found(" of its games"));
        match self.fate {
            Fate::Balanced => format!("{found} All seats lie within your {} limit: balanced.", self.limit()),
            Fate::Unbalanced => {
                format!("{found} That is more than your {} limit allows: not fair.", self.limit())
            }
            Fate::Open(Some(more)) => {
                format!("{found} Not settled: about {} more games would settle it.", grouped(more))
            }
            Fate::Open(None) | Fate::Exhausted(_) | Fate::Unjudged => format!("{found} Not settled."),
        }
    }

    fn limit(&self) -> String {
        format!("{}-point", trimmed(self.margin * 100.0))
    }

    fn found(&self, of_what: &str) -> String {
        let range = self.range.map_or(String::new(), |(low, high)| {
            format!("; very likely between {} and {}", percent(low), percent(high))
        });
        let (share, fair) = (percent(self.share), percent(self.fair));
        format!("{} wins {share}{of_what} (fair: {fair}){range}", self.seat)
    }
}

/// What one agent playing itself says about the seats, over all settings that were tried.
pub struct Answer {
    /// How many settings there were.
    pub tried: usize,
    /// Those that are balanced.
    pub balanced: Vec<String>,
    /// The one that comes nearest to fair, and what was found there; none if no game was counted.
    pub nearest: Option<(String, Finding)>,
}

impl Answer {
    /// On the terminal: one line.
    pub fn on_terminal(&self) -> String {
        let Some((setting, finding)) = &self.nearest else { return "no game was counted.".into() };
        let found = finding.on_terminal();
        if self.tried == 1 {
            return found;
        }
        let balanced = match self.balanced.is_empty() {
            true => "no setting is shown to be balanced".to_owned(),
            false => format!("balanced with {}", self.balanced.join("; ")),
        };
        format!("{balanced}. Nearest to fair: {setting}: {found}")
    }

    /// On the page: a paragraph each.
    pub fn on_page(&self) -> Vec<String> {
        let Some((setting, finding)) = &self.nearest else { return vec!["No game was counted.".into()] };
        let found = finding.on_page();
        if self.tried == 1 {
            return vec![found];
        }
        let balanced = match &self.balanced[..] {
            [] => "None of the settings tried is shown to be balanced.".to_owned(),
            [only] => format!("Balanced with {only}."),
            several => format!("Balanced with any of: {}.", several.join(" | ")),
        };
        vec![balanced, format!("Nearest to fair is {setting}. {found}")]
    }
}

/// The seat, from 1, that is farthest from the fair share, and how far; of seats that are equally far the first.
pub fn farthest(shares: impl Iterator<Item = Option<f64>>, fair: f64) -> Option<(usize, f64)> {
    let known = shares.zip(1..).filter_map(|(share, seat)| Some((seat, (share? - fair).abs())));
    // Two seats are always equally far, but for the rounding of their shares.
    known.reduce(|best, next| if next.1 > best.1 + 1e-9 { next } else { best })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(fate: Fate) -> Finding {
        Finding { seat: 2, share: 0.544, range: Some((0.541, 0.547)), fair: 0.5, margin: 0.02, fate }
    }

    /// Every verdict in both voices: they differ in order and address, not in what they say.
    #[test]
    fn both_voices_say_the_same() {
        let told = "eat 2 wins 54.4 %";
        let range = "(fair: 50.0 %); very likely between 54.1 % and 54.7 %.";
        for (fate, terminal, page) in [
            (Fate::Balanced, "balanced: s", "limit: balanced."),
            (Fate::Unbalanced, "unbalanced: s", "more than your 2-point limit allows: not fair."),
            (Fate::Open(Some(1_200)), "not settled: s", "Not settled: about 1,200 more games"),
            (Fate::Open(None), "not settled: s", "Not settled."),
            (Fate::Exhausted(5_000), "not settled by the 5,000 games allowed: s", "Not settled."),
            (Fate::Unjudged, "s", "Not settled."),
        ] {
            let finding = finding(fate);
            let (on_terminal, on_page) = (finding.on_terminal(), finding.on_page());
            assert!(on_terminal.starts_with(terminal) && on_page.contains(page), "{on_terminal} {on_page}");
            for text in [on_terminal, on_page] {
                assert!(text.contains(told) && text.contains(range), "{text}");
            }
        }
    }

    #[test]
    fn an_answer_over_settings_names_the_balanced_and_the_nearest() {
        let answer = |tried, balanced: &[&str]| Answer {
            tried,
            balanced: balanced.iter().map(|&setting| setting.to_owned()).collect(),
            nearest: Some(("x=1".into(), finding(Fate::Balanced))),
        };
        assert!(answer(1, &[]).on_terminal().starts_with("balanced: seat 2"));
        assert_eq!(answer(1, &[]).on_page().len(), 1);
        let none = answer(3, &[]);
        assert!(
            none.on_terminal().starts_with("no setting is shown to be balanced. Nearest to fair: x=1: b")
        );
        assert_eq!(none.on_page()[0], "None of the settings tried is shown to be balanced.");
        let two = answer(3, &["x=1", "x=2"]);
        assert!(two.on_terminal().starts_with("balanced with x=1; x=2. Nearest"));
        assert_eq!(two.on_page()[0], "Balanced with any of: x=1 | x=2.");
        assert!(two.on_page()[1].starts_with("Nearest to fair is x=1. Seat 2 wins"));
        let nothing = Answer { tried: 1, balanced: Vec::new(), nearest: None };
        assert_eq!(nothing.on_terminal(), "no game was counted.");
        assert_eq!(nothing.on_page(), ["No game was counted."]);
    }

    #[test]
    fn of_two_seats_that_are_equally_far_the_first_is_told() {
        assert_eq!(farthest([Some(0.54447), Some(0.45553)].into_iter(), 0.5).unwrap().0, 1);
        assert_eq!(farthest([None, Some(0.3), Some(0.45)].into_iter(), 1.0 / 3.0).unwrap().0, 3);
        assert_eq!(farthest([None, None].into_iter(), 0.5), None);
    }
}
