//! `checkpoint.bin`: what each batch of a run gave, so that a run can go on after it was broken off, and
//! shards can be merged.
//!
//! Append-only. After a head (eight letters, then the SHA-256 of version, configuration and shard) stands a
//! record for each batch: length (32 bits), CRC-32 (32 bits, both little-endian), then a [`Record`] in
//! postcard's format. Batches are whole blocks. A tail that was torn off in the middle of a record is cut
//! back to the last whole one.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::experiment::Config;
use crate::tournament::{Begun, Part, Shard};

/// Name of the file in a run's folder.
pub const CHECKPOINT: &str = "checkpoint.bin";

const LETTERS: &[u8; 8] = b"dhowcp01";
const HEAD: usize = LETTERS.len() + 32;

/// What one batch gave.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Record {
    /// Index into the configuration's arms; those measured again on fresh deals are counted on.
    pub arm: usize,
    /// Its blocks.
    pub blocks: Range<u64>,
    /// Bytes of `games.csv` after it; 0 where none is written.
    pub games_bytes: u64,
    /// What was counted.
    pub part: Part,
}

/// The head of a checkpoint of this run.
fn head(config: &Config, shard: Shard) -> [u8; HEAD] {
    let mut hash = Sha256::new();
    hash.update(env!("CARGO_PKG_VERSION"));
    hash.update(serde_json::to_vec(config).expect("a configuration is plain data"));
    hash.update(shard.to_string());
    let mut head = [0; HEAD];
    head[..LETTERS.len()].copy_from_slice(LETTERS);
    head[LETTERS.len()..].copy_from_slice(&hash.finalize());
    head
}

/// The file while a run writes it.
pub struct Checkpoint {
    file: File,
}

impl Checkpoint {
    /// A new one; an old one is replaced.
    ///
    /// # Errors
    /// As the disk gives.
    pub fn create(path: &Path, config: &Config, shard: Shard) -> io::Result<Checkpoint> {
        let mut file = File::create(path)?;
        file.write_all(&head(config, shard))?;
        Ok(Checkpoint { file })
    }

    /// Goes on after the first `length` bytes; what comes after them is cut off.
    ///
    /// # Errors
    /// As the disk gives.
    pub fn go_on(path: &Path, length: u64) -> io::Result<Checkpoint> {
        let mut file = OpenOptions::new().write(true).open(path)?;
        file.set_len(length)?;
        file.seek(SeekFrom::End(0))?;
        Ok(Checkpoint { file })
    }

    /// Appends a batch; when this returns it is on the disk.
    ///
    /// # Errors
    /// As the disk gives.
    pub fn append(&mut self, record: &Record) -> io::Result<()> {
        let payload = postcard::to_stdvec(record).map_err(io::Error::other)?;
        let length = u32::try_from(payload.len()).map_err(io::Error::other)?;
        let mut bytes = Vec::with_capacity(payload.len() + 8);
        bytes.extend(length.to_le_bytes());
        bytes.extend(crc32fast::hash(&payload).to_le_bytes());
        bytes.extend(payload);
        self.file.write_all(&bytes)?;
        self.file.sync_data()
    }
}

/// Why a checkpoint cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// It cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is of another run.
    #[error("it belongs to another run")]
    Foreign,
}

/// Reads the records of a checkpoint in order, up to a torn tail.
pub struct Records {
    input: BufReader<File>,
    /// Bytes up to the end of the last whole record.
    pub length: u64,
}

impl Records {
    /// Opens the checkpoint of this run.
    ///
    /// # Errors
    /// [`CheckpointError`].
    pub fn open(path: &Path, config: &Config, shard: Shard) -> Result<Records, CheckpointError> {
        let mut input = BufReader::new(File::open(path)?);
        let mut found = [0; HEAD];
        match input.read_exact(&mut found) {
            Ok(()) if found == head(config, shard) => Ok(Records { input, length: HEAD as u64 }),
            Err(error) if error.kind() != io::ErrorKind::UnexpectedEof => Err(error.into()),
            _ => Err(CheckpointError::Foreign),
        }
    }

    fn read(&mut self) -> Option<Record> {
        let mut sizes = [0; 8];
        self.input.read_exact(&mut sizes).ok()?;
        let [length, crc] =
            [&sizes[..4], &sizes[4..]].map(|bytes| u32::from_le_bytes(bytes.try_into().unwrap()));
        // Not allocated in advance: a damaged length must not ask for gigabytes.
        let mut payload = Vec::new();
        self.input.by_ref().take(length as u64).read_to_end(&mut payload).ok()?;
        if payload.len() != length as usize || crc32fast::hash(&payload) != crc {
            return None;
        }
        let record = postcard::from_bytes(&payload).ok()?;
        self.length += 8 + length as u64;
        Some(record)
    }
}

impl Iterator for Records {
    type Item = Record;
    fn next(&mut self) -> Option<Record> {
        self.read()
    }
}

/// Where a run stands after its checkpoint.
#[derive(Debug, Default)]
pub struct Standing {
    /// What the arms that were begun gave so far, by index.
    pub begun: BTreeMap<usize, Begun>,
    /// Bytes of the checkpoint that count.
    pub length: u64,
    /// Bytes of `games.csv` that count.
    pub games_bytes: u64,
}

/// Folds the records of a checkpoint. `ranges` are the blocks of each arm, `games_there` the bytes of
/// `games.csv` that are on the disk: records whose rows were lost do not count, nor does anything out of
/// order.
///
/// # Errors
/// [`CheckpointError`].
///
/// Arms that are played until they are settled may end before their last block, and of the fresh measurements
/// some may be left out: there the order of the records says that an arm is done.
pub fn standing(
    path: &Path,
    config: &Config,
    shard: Shard,
    ranges: &[Range<u64>],
    games_there: u64,
) -> Result<Standing, CheckpointError> {
    let mut records = Records::open(path, config, shard)?;
    let mut standing = Standing { length: records.length, ..Standing::default() };
    while let Some(record) = records.next() {
        let next = |arm: usize| standing.begun.get(&arm).map_or(ranges[arm].start, |begun| begun.next);
        let last = standing.begun.last_key_value().map_or(0, |(&arm, _)| arm);
        let whole = if config.stop.is_fixed() { record.arm.min(config.arms.len()) } else { 0 };
        let follows = (last..ranges.len()).contains(&record.arm)
            && (0..whole).all(|arm| next(arm) == ranges[arm].end)
            && record.blocks.start == next(record.arm)
            && record.blocks.end <= ranges[record.arm].end;
        if !follows || record.games_bytes > games_there {
            break;
        }
        let next = record.blocks.end;
        match standing.begun.get_mut(&record.arm) {
            Some(begun) => {
                begun.part.merge(&record.part);
                begun.next = next;
            }
            None => {
                standing.begun.insert(record.arm, Begun { next, part: record.part });
            }
        }
        (standing.length, standing.games_bytes) = (records.length, record.games_bytes);
    }
    Ok(standing)
}
