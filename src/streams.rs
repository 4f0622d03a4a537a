//! Named random streams: (master seed, phase, block, purpose, index) gives a key, a key gives a stream of words.
//!
//! Nothing in the library draws from anywhere else: no thread generator, no clock, no hash-map order.
//! The word that decides a chance event depends on the seed, the block and the physical source of luck
//! alone, never on what the players did before, so that games of one deal stay comparable after play
//! diverges. Agents have streams of their own and cannot disturb the dice.

use rand::Rng;
use rand_pcg::Pcg64Mcg;

use crate::game::{Luck, MAX_SEATS, Seat, Source};

/// What a stream is for. The discriminants are part of the promise of same results: never renumber.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u64)]
pub enum Purpose {
    /// A source of luck inside the game; the index names the source.
    Luck = 1,
    /// An agent's own choices; the index holds rotation and seat.
    Agent = 2,
    /// Sampling what an observer cannot see; the index holds rotation and seat.
    Hidden = 3,
    /// The seating order of a block.
    Seating = 4,
    /// Tests and checks.
    Check = 5,
}

/// Phase of a run: 0 is the run itself, 1 a re-measurement on fresh deals.
pub type Phase = u32;

/// The finaliser of SplitMix64 (Steele, Lea & Flood 2014; constants of Stafford's variant 13).
#[inline]
const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// What the keys of all streams of one deal have in common: both lanes after the master seed, the phase and
/// the block. Kept for a game, since every stream of it starts from here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Root {
    low: u64,
    high: u64,
}

impl Root {
    /// The root of a deal.
    #[inline]
    pub const fn new(master: u64, phase: Phase, block: u64) -> Root {
        Root::of_run(master, phase).of_block(block)
    }

    /// What the roots of all deals of a run have in common.
    #[inline]
    pub(crate) const fn of_run(master: u64, phase: Phase) -> Root {
        let start = Root { low: 0x9e37_79b9_7f4a_7c15, high: 0xd1b5_4a32_d192_ed03 };
        start.absorb(master).absorb(phase as u64)
    }

    /// The root of a deal, from [`Root::of_run`].
    #[inline]
    pub(crate) const fn of_block(self, block: u64) -> Root {
        self.absorb(block)
    }

    #[inline]
    const fn absorb(self, word: u64) -> Root {
        let low = mix(self.low.wrapping_add(word).wrapping_add(0x9e37_79b9_7f4a_7c15));
        let high = mix((self.high ^ word).wrapping_add(0x8cb9_2ba7_2f3d_8dd7)).wrapping_add(low);
        Root { low, high }
    }

    /// The key of one of its streams.
    // Inline, so that the streams of all seats share what the purpose makes of the root.
    #[inline]
    pub const fn key(self, purpose: Purpose, index: u64) -> u128 {
        self.of_purpose(purpose).indexed(index)
    }

    /// What the keys of all streams of one purpose have in common.
    #[inline]
    const fn of_purpose(self, purpose: Purpose) -> Root {
        self.absorb(purpose as u64)
    }

    /// The key of one of its streams, from [`Root::of_purpose`].
    #[inline]
    const fn indexed(self, index: u64) -> u128 {
        let Root { low, high } = self.absorb(index);
        ((mix(high) as u128) << 64) | mix(low) as u128
    }

    /// A stream for each of the first `seats` seats, and blanks for the places that nobody sits in: a key takes
    /// longer than a move of a small game.
    #[inline]
    pub fn for_seats(self, seats: usize, stream: impl Fn(Root, Seat) -> Stream) -> [Stream; MAX_SEATS] {
        let mut streams = std::array::from_fn(|_| Stream::blank());
        for (place, seat) in streams.iter_mut().zip(Seat::all(seats)) {
            *place = stream(self, seat);
        }
        streams
    }

    /// The streams of the agents of the first `seats` seats, into places that are there already.
    #[inline]
    pub(crate) fn agents(self, rotation: usize, seats: usize, streams: &mut [Stream; MAX_SEATS]) {
        for (place, seat) in streams.iter_mut().zip(Seat::all(seats)) {
            *place = self.agent(rotation, seat);
        }
    }

    /// The stream of an agent: its choices depend on the deal and its own seat alone.
    #[inline]
    pub fn agent(self, rotation: usize, seat: Seat) -> Stream {
        Stream::new(self.key(Purpose::Agent, (rotation as u64) << 8 | seat.index() as u64))
    }

    /// The stream that a seat's view of hidden things is sampled from.
    #[inline]
    pub fn hidden(self, rotation: usize, seat: Seat) -> Stream {
        Stream::new(self.key(Purpose::Hidden, (rotation as u64) << 8 | seat.index() as u64))
    }
}

/// Derives the 128-bit key of one stream. Two lanes absorb the five words in order, so that keys which
/// differ in any word share neither half except by a 1 in 2^64 chance each.
pub const fn key(master: u64, phase: Phase, block: u64, purpose: Purpose, index: u64) -> u128 {
    Root::new(master, phase, block).key(purpose, index)
}

/// A stream of 64-bit words: `rand_pcg::Pcg64Mcg` seeded by a [`key`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stream {
    generator: Pcg64Mcg,
    /// The next word, made one ahead: a branch on it then waits for a load, not for the multiplications.
    next: u64,
}

impl Stream {
    /// Fills a place until its stream is made.
    #[inline]
    pub(crate) fn blank() -> Stream {
        Stream { generator: Pcg64Mcg::new(0), next: 0 }
    }

    /// The stream of a key.
    #[inline]
    pub fn new(key: u128) -> Stream {
        // What `from_seed` makes of the bytes of the key, without a call.
        let mut generator = Pcg64Mcg::new(key);
        let next = generator.next_u64();
        Stream { generator, next }
    }

    /// A stream for tests and examples: purpose [`Purpose::Check`], block 0, index 0.
    pub fn from_seed(seed: u64) -> Stream {
        Stream::new(key(seed, 0, 0, Purpose::Check, 0))
    }

    /// The next word, uniform over all 2^64.
    #[inline]
    pub fn word(&mut self) -> u64 {
        std::mem::replace(&mut self.next, self.generator.next_u64())
    }

    /// Uniform in `0..bound` (`bound` at least 1), by multiply-shift: see [`below`].
    #[inline]
    pub fn below(&mut self, bound: usize) -> usize {
        below(self.word(), bound as u64) as usize
    }

    /// Uniform in [0, 1), a multiple of 2^-53.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        unit(self.word())
    }

    /// A uniformly random order of `items` (Fisher and Yates), the same on every platform and release.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// Maps one word to `0..bound` by the high half of the product (Lemire 2019, without the rejection step:
/// the bias is below `bound` / 2^64). Monotone in `word`, which makes it the inverse of a uniform
/// cumulative distribution.
#[inline]
pub const fn below(word: u64, bound: u64) -> u64 {
    ((word as u128 * bound as u128) >> 64) as u64
}

/// Maps one word to [0, 1) with 53 bits.
#[inline]
pub const fn unit(word: u64) -> f64 {
    (word >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
}

/// How many sources of luck a game may name.
pub const MAX_SOURCES: usize = 4;

/// The luck of one deal: a stream for each source (and seat), made when it is first asked.
///
/// The k-th word of a source is the k-th word of its stream, so it depends on (seed, phase, block,
/// source, k) alone. `rotation` hands the luck of per-seat sources on by that many seats: seat s then
/// throws the dice that seat s + rotation (mod seats) throws in rotation 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deal {
    root: Root,
    rotation: usize,
    seats: usize,
    /// The stream of each source (and seat); what stands in the place of one that is not made means nothing.
    streams: [Stream; SOURCES],
    /// Which of them are made, a bit each: a new game writes no other.
    made: u32,
}

/// Sources of luck, counted with their seats.
const SOURCES: usize = MAX_SOURCES * (MAX_SEATS + 1);
const _: () = assert!(SOURCES <= u32::BITS as usize);

impl Deal {
    /// The deal of a block, with per-seat luck handed on by `rotation` seats.
    pub fn new(seed: u64, phase: Phase, block: u64, rotation: usize, seats: usize) -> Deal {
        let mut deal = Deal::blank();
        deal.begin(Root::new(seed, phase, block), rotation, seats);
        deal
    }

    /// Room for deals: [`Deal::begin`] makes it one.
    pub(crate) fn blank() -> Deal {
        let root = Root { low: 0, high: 0 };
        let streams = std::array::from_fn(|_| Stream::blank());
        Deal { root, rotation: 0, seats: 1, streams, made: 0 }
    }

    /// Forgets the deal so far and begins that of a root of keys.
    #[inline]
    pub(crate) fn begin(&mut self, root: Root, rotation: usize, seats: usize) {
        let rotation = if rotation < seats { rotation } else { rotation % seats };
        (self.root, self.rotation, self.seats, self.made) = (root, rotation, seats, 0);
    }

    /// Makes the streams of all the sources of a game at once. Their keys are made side by side here; made at
    /// first use, each would be waited for.
    #[inline]
    pub(crate) fn make_all(&mut self, luck: &[Luck]) {
        let root = self.root.of_purpose(Purpose::Luck);
        for (kind, luck) in (0..).zip(luck) {
            match luck.per_seat {
                true => Seat::all(self.seats).for_each(|seat| self.make(root, Source::of(kind, seat))),
                false => self.make(root, Source::shared(kind)),
            }
        }
    }

    /// The next word of a source.
    #[inline]
    pub fn word(&mut self, source: Source) -> u64 {
        let place = place(source);
        if self.made >> place & 1 == 0 {
            self.make_late(source);
        }
        self.streams[place].word()
    }

    /// The next word of a source, after [`Deal::make_all`] for the same list: where the source is named in the
    /// code of the game, nothing is left to check while it is played.
    #[inline]
    pub(crate) fn word_of(&mut self, luck: &[Luck], source: Source) -> u64 {
        match luck.get(source.kind as usize) {
            Some(luck) if luck.per_seat == source.seat.is_some() => {
                let place = place(source);
                debug_assert!(self.made >> place & 1 == 1, "luck for a seat that nobody sits in");
                self.streams[place].word()
            }
            _ => self.word(source),
        }
    }

    #[inline]
    fn make(&mut self, root: Root, source: Source) {
        // In the key the table comes before the seats.
        let slot = source.seat.map_or(0, |seat| {
            let turned = seat.index() + self.rotation;
            1 + if turned < self.seats { turned } else { turned - self.seats }
        });
        let index = source.kind as usize * (MAX_SEATS + 1) + slot;
        let place = place(source);
        self.streams[place] = Stream::new(root.indexed(index as u64));
        self.made |= 1 << place;
    }

    #[cold]
    #[inline(never)]
    fn make_late(&mut self, source: Source) {
        self.make(self.root.of_purpose(Purpose::Luck), source);
    }
}

/// The place of a source among all of them.
#[inline]
const fn place(source: Source) -> usize {
    let slot = match source.seat {
        Some(seat) => seat.index(),
        None => MAX_SEATS,
    };
    source.kind as usize * (MAX_SEATS + 1) + slot
}

/// The stream of an agent, from the words of its key.
pub fn agent_stream(seed: u64, phase: Phase, block: u64, rotation: usize, seat: Seat) -> Stream {
    Root::new(seed, phase, block).agent(rotation, seat)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Frozen: a change here changes every published result.
    #[test]
    fn test_vectors_of_the_key() {
        let all = [
            key(0, 0, 0, Purpose::Luck, 0),
            key(1, 0, 0, Purpose::Luck, 0),
            key(1, 1, 0, Purpose::Luck, 0),
            key(1, 0, 1, Purpose::Agent, 0),
            key(u64::MAX, 0, u64::MAX, Purpose::Seating, 7),
        ];
        let text: Vec<String> = all.iter().map(|key| format!("{key:032x}")).collect();
        let frozen = [
            "e53e471309983d8fb83be32d741bfd8a",
            "ad098119532c2347c01a45cd4583fa08",
            "8a900a5fd5e5708db9f668379f41f49d",
            "17cd9e62688ffd7542983f2cbd5a8154",
            "a4fdbd484be9522f632d3d82bf718d2e",
        ];
        assert_eq!(text, frozen);
    }

    #[test]
    fn test_vectors_of_the_stream() {
        let mut stream = Stream::new(key(1, 0, 0, Purpose::Luck, 0));
        let words: Vec<String> = (0..4).map(|_| format!("{:016x}", stream.word())).collect();
        let frozen = ["6280f47ace7e1f01", "889ca70b4b9c7489", "1b56cde5aad8b926", "f098e05b9cbfc8ec"];
        assert_eq!(words, frozen);
    }

    #[test]
    fn keys_of_near_inputs_differ_in_both_halves() {
        let mut low = std::collections::BTreeSet::new();
        let mut high = std::collections::BTreeSet::new();
        let mut count = 0;
        for master in 0..8 {
            for phase in 0..2 {
                for block in 0..64 {
                    for index in 0..16 {
                        for purpose in [Purpose::Luck, Purpose::Agent] {
                            let key = key(master, phase, block, purpose, index);
                            low.insert(key as u64);
                            high.insert((key >> 64) as u64);
                            count += 1;
                        }
                    }
                }
            }
        }
        assert_eq!((low.len(), high.len()), (count, count));
    }

    #[test]
    fn below_is_the_inverse_of_the_cumulative_distribution() {
        assert_eq!(below(0, 6), 0);
        assert_eq!(below(u64::MAX, 6), 5);
        let edge = (u64::MAX / 6) + 1;
        assert_eq!((below(edge - 1, 6), below(edge, 6)), (0, 1));
    }

    #[test]
    fn unit_lies_below_one() {
        assert_eq!(unit(0), 0.0);
        assert!(unit(u64::MAX) < 1.0);
    }

    /// The first die of many deals is fair: chi-squared of 600,000 dice on 5 degrees of freedom
    /// (fixed seeds, so the test is no lottery; 40 would be p = 1e-7).
    #[test]
    fn first_die_over_many_blocks_is_fair() {
        let mut counts = [0u32; 6];
        for block in 0..600_000 {
            let mut deal = Deal::new(1, 0, block, 0, 2);
            counts[below(deal.word(Source::of(0, Seat::new(0))), 6) as usize] += 1;
        }
        let chi: f64 = counts.iter().map(|&count| (count as f64 - 100_000.0).powi(2) / 100_000.0).sum();
        assert!(chi < 40.0, "{counts:?}");
    }

    #[test]
    fn rotation_hands_the_luck_of_seats_on_and_leaves_shared_luck() {
        let (dice, deck) = (|seat| Source::of(0, Seat::new(seat)), Source::shared(1));
        let mut plain = Deal::new(9, 0, 5, 0, 3);
        let mut turned = Deal::new(9, 0, 5, 1, 3);
        let before: Vec<u64> = (0..3).map(|seat| plain.word(dice(seat))).collect();
        let after: Vec<u64> = (0..3).map(|seat| turned.word(dice(seat))).collect();
        assert_eq!(after, [before[1], before[2], before[0]]);
        assert_eq!(plain.word(deck), turned.word(deck));
    }

    #[test]
    fn sources_made_at_once_give_the_words_of_those_made_when_asked() {
        let luck = [Luck::per_seat("dice"), Luck::shared("deck"), Luck::per_seat("coin")];
        let sources =
            [0, 2].into_iter().flat_map(|kind| Seat::all(3).map(move |seat| Source::of(kind, seat)));
        let sources: Vec<Source> = sources.chain([Source::shared(1)]).collect();
        // The same room for one deal after another, with some sources of the last deal never asked.
        let (mut at_once, mut words) = (Deal::blank(), std::collections::BTreeSet::new());
        for block in 0..4 {
            let rotation = block as usize;
            let mut when_asked = Deal::new(9, 1, block, rotation, 3);
            at_once.begin(Root::new(9, 1, block), rotation, 3);
            at_once.make_all(&luck[..2 + rotation % 2]);
            for &source in &sources {
                let word = when_asked.word(source);
                assert_eq!(at_once.word(source), word);
                words.insert(word);
            }
        }
        assert_eq!(words.len(), 4 * sources.len());
    }

    #[test]
    fn words_of_a_source_do_not_depend_on_other_sources() {
        let (first, second) = (Source::of(0, Seat::new(0)), Source::of(0, Seat::new(1)));
        let mut alone = Deal::new(3, 0, 0, 0, 2);
        let mut mixed = Deal::new(3, 0, 0, 0, 2);
        let expected: Vec<u64> = (0..5).map(|_| alone.word(first)).collect();
        let found: Vec<u64> = (0..5)
            .map(|_| {
                mixed.word(second);
                mixed.word(first)
            })
            .collect();
        assert_eq!(expected, found);
    }
}
