//! Parts of a run for several machines: each plays a range of the blocks of every arm.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The `index`-th of `of` parts, counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Shard {
    index: u64,
    of: u64,
}

/// More parts than any run is cut into.
const MAX_SHARDS: u64 = 100_000;

/// Text that names no shard.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is no shard: expected I/N with I from 1 to N, such as 1/3")]
pub struct ShardError(String);

impl Default for Shard {
    /// The whole.
    fn default() -> Shard {
        Shard { index: 1, of: 1 }
    }
}

impl Shard {
    /// The `index`-th of `of`, counted from 1; `None` if there is no such part.
    pub fn new(index: u64, of: u64) -> Option<Shard> {
        ((1..=of).contains(&index) && of <= MAX_SHARDS).then_some(Shard { index, of })
    }

    /// Whether it is the whole run.
    pub fn is_whole(&self) -> bool {
        self.of == 1
    }

    /// Its range of `blocks` blocks: the ranges of all shards follow each other without gap.
    pub fn of(self, blocks: u64) -> Range<u64> {
        let cut = |parts: u64| (blocks as u128 * parts as u128 / self.of as u128) as u64;
        cut(self.index - 1)..cut(self.index)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}/{}", self.index, self.of)
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> String {
        shard.to_string()
    }
}

impl TryFrom<String> for Shard {
    type Error = ShardError;
    fn try_from(text: String) -> Result<Shard, ShardError> {
        text.parse()
    }
}

impl FromStr for Shard {
    type Err = ShardError;
    fn from_str(text: &str) -> Result<Shard, ShardError> {
        let number =
            |text: &str| text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()));
        text.split_once('/')
            .and_then(|(index, of)| Shard::new(number(index)?, number(of)?))
            .ok_or_else(|| ShardError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_cover_every_block_once_and_in_order() {
        for blocks in [0, 1, 2, 7, 100, 10_007] {
            for of in [1, 2, 3, 8] {
                let mut next = 0;
                for index in 1..=of {
                    let range = Shard::new(index, of).unwrap().of(blocks);
                    assert_eq!(range.start, next);
                    next = range.end;
                }
                assert_eq!(next, blocks);
            }
        }
    }

    #[test]
    fn text_forms() {
        assert_eq!("2/3".parse::<Shard>().unwrap().to_string(), "2/3");
        for odd in ["", "0/3", "4/3", "1", "1/0", "a/b", "+1/3", "1/200000", "-1/2"] {
            assert!(odd.parse::<Shard>().is_err(), "{odd}");
        }
    }
}
