//! Groups of blocks: block b belongs to group b mod 256.
//!
//! A sandwich covariance needs the scores of each sampling unit at the fitted parameters, which are known
//! only when all games are played. Keeping every block would let memory grow with the games; keeping counts
//! for each group of blocks does not, merges in any order, and is as sound: sums over disjoint sets of
//! independent blocks are independent. With up to 256 blocks every group is one block; beyond, a standard
//! error is itself uncertain by one part in sqrt(2 · 256), 4 %. Arms that share deals share block numbers, so
//! that their groups belong together, too.

/// Groups at most: a power of two, so that halving keeps whole groups together.
pub(super) const GROUPS: usize = 256;

/// The group of a block.
pub(super) fn group_of(block: u64, groups: usize) -> usize {
    (block % groups as u64) as usize
}
