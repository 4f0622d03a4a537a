//! Hidden information: a sample keeps what the observer knows, varies what it does not, and depends on
//! nothing else.

use super::inspector::{Checked, Inspector, Shared};
use super::{Report, demand};
use crate::game::{Seat, Turn};
use crate::games::Catalogued;
use crate::streams::Stream;

/// Samples after which an observer who does not know everything must have seen two different ones: even an
/// alternative of one in a hundred stays away with probability 10^-18 only.
const SAMPLES: usize = 4096;
/// Information sets that are remembered over the games of a check.
const KNOWN: usize = 2048;
/// Outcomes of one chance node that are compared.
const COMPARED: usize = 16;

impl<G: Catalogued> Inspector<'_, G> {
    fn sample(&self, state: &G::State, observer: Seat, word: u64) -> G::State {
        let mut sample = state.clone();
        self.game.resample_hidden(&mut sample, observer, &mut Stream::from_seed(word));
        sample
    }

    /// What every seat may know of the present state.
    pub fn check_hidden(&mut self, turn: Turn, shared: &mut Shared<G>) -> Checked {
        for observer in Seat::all(self.game.seats()) {
            let word = self.stream.word();
            if !self.game.has_hidden() {
                let sample = self.sample(&self.state, observer, word);
                let same = sample == self.state;
                demand!(shared.report, NothingHidden, same, "seat {observer} gets the sample {sample:?}");
                continue;
            }
            self.check_sample_of(observer, turn, &mut shared.report)?;
            if matches!(turn, Turn::Chance(_)) {
                self.check_outcomes_seen(observer, &mut shared.report)?;
            }
            self.check_known(observer, shared)?;
        }
        Ok(())
    }

    fn check_sample_of(&mut self, observer: Seat, turn: Turn, report: &mut Report) -> Checked {
        let (game, word) = (self.game, self.stream.word());
        let sample = self.sample(&self.state, observer, word);
        let known = game.information_key(&self.state, observer);
        let kept = game.information_key(&sample, observer) == known;
        demand!(report, HiddenKept, kept, "seat {observer} can tell the sample {sample:?} from the truth");
        let chooses = match turn {
            Turn::Decision(seat) => seat == observer,
            Turn::Simultaneous(seats) => seats.contains(observer),
            Turn::Chance(_) | Turn::Over => false,
        };
        if chooses {
            let same = game.turn(&sample) == turn;
            demand!(report, HiddenKept, same, "in the sample {sample:?} seat {observer} has another turn");
            game.actions(&self.state, observer, &mut self.actions);
            game.actions(&sample, observer, &mut self.scratch);
            let same = self.actions == self.scratch;
            demand!(report, HiddenKept, same, "in the sample {sample:?} seat {observer} has other actions");
        }
        let word = self.stream.word();
        self.check_alike(&self.state, &sample, observer, word, report)?;
        if sample != self.state {
            self.check_varied(&self.state, observer, report)?;
        }
        Ok(())
    }

    /// Two states of one information set: the same stream gives the same sample of both.
    fn check_alike(
        &self,
        one: &G::State,
        other: &G::State,
        observer: Seat,
        word: u64,
        report: &mut Report,
    ) -> Checked {
        let (first, second) = (self.sample(one, observer, word), self.sample(other, observer, word));
        demand!(
            report,
            HiddenOwn,
            first == second,
            "seat {observer} cannot tell {one:?} from {other:?}, and the same stream gives {first:?} and \
             {second:?}"
        );
        Ok(())
    }

    /// A state of an information set that holds others as well: samples must differ.
    fn check_varied(&self, state: &G::State, observer: Seat, report: &mut Report) -> Checked {
        let mut stream = Stream::from_seed(self.seed_of_samples());
        let mut sample = state.clone();
        self.game.resample_hidden(&mut sample, observer, &mut stream);
        let varied = (1..SAMPLES).any(|_| {
            let mut other = state.clone();
            self.game.resample_hidden(&mut other, observer, &mut stream);
            other != sample
        });
        demand!(
            report,
            HiddenVaried,
            varied,
            "seat {observer} does not know {state:?}, and is shown {sample:?} always"
        );
        Ok(())
    }

    /// Outcomes of luck that the observer cannot tell apart.
    fn check_outcomes_seen(&mut self, observer: Seat, report: &mut Report) -> Checked {
        let compared = self.outcomes.iter().take(COMPARED);
        let after = compared.map(|&(outcome, _)| {
            let mut after = self.state.clone();
            self.game.apply(&mut after, outcome);
            (self.game.information_key(&after, observer), after)
        });
        let mut after: Vec<(u128, G::State)> = after.collect();
        after.sort_by_key(|(key, _)| *key);
        let word = self.stream.word();
        for pair in after.windows(2) {
            let ((one_key, one), (other_key, other)) = (&pair[0], &pair[1]);
            if one_key == other_key && one != other {
                self.check_varied(one, observer, report)?;
                self.check_alike(one, other, observer, word, report)?;
            }
        }
        Ok(())
    }

    /// The state that was seen before in the same information set, perhaps in an earlier game.
    fn check_known(&mut self, observer: Seat, shared: &mut Shared<G>) -> Checked {
        let place = (observer, self.game.information_key(&self.state, observer));
        // Drawn in any case: a game goes the same way whatever was seen before it.
        let word = self.stream.word();
        let Some(known) = shared.known.get(&place) else {
            if shared.known.len() < KNOWN {
                shared.known.insert(place, self.state.clone());
            }
            return Ok(());
        };
        if *known == self.state {
            return Ok(());
        }
        let checked = self
            .check_varied(&self.state, observer, &mut shared.report)
            .and_then(|()| self.check_alike(known, &self.state, observer, word, &mut shared.report));
        checked.map_err(|mut fault| {
            fault.earlier = true;
            fault
        })
    }

    fn seed_of_samples(&self) -> u64 {
        self.stream.clone().word()
    }
}
