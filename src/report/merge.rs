//! Shards of one run, folded to the same bytes as the run in one go.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::checkpoint::{CHECKPOINT, Record, Records};
use super::folder::{FolderError, GAMES, RunFolder, difference, read, same_as_told};
use super::manifest::ResultPart;
use crate::experiment::{self, Config, ConfigError, Results};
use crate::tournament::Part;

/// Shards that make no run.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// A folder cannot be read or written.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The configuration does not hold.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A file of a shard cannot be read.
    #[error("cannot read {path}: {error}")]
    Read {
        /// The file.
        path: String,
        /// Why.
        error: io::Error,
    },
    /// The shards do not fit together, in words.
    #[error("{0}")]
    Mismatch(String),
}

/// One batch of a shard, and where its rows stand.
struct Piece {
    shard: usize,
    record: Record,
    rows: Range<u64>,
}

/// Shards that fit together.
pub struct Shards {
    /// What they are the parts of.
    pub config: Config,
    folders: Vec<PathBuf>,
    pieces: Vec<Piece>,
}

impl Shards {
    /// Reads shards and makes sure that together they are one whole run.
    ///
    /// # Errors
    /// [`MergeError`]: a folder that is no complete shard or was changed since, shards of different runs, an overlap
    /// or a gap.
    pub fn read(folders: &[PathBuf]) -> Result<Shards, MergeError> {
        let mismatch = |message: String| Err(MergeError::Mismatch(message));
        let Some(first) = folders.first() else { return mismatch("no folder was named".into()) };
        let first_result = read(first)?.result;
        let config = first_result.config;
        let mut pieces: Vec<Piece> = Vec::new();
        for (shard, folder) in folders.iter().enumerate() {
            let there = read(folder)?.result;
            let name = folder.display();
            if there.config != config {
                let what = difference(&config, &there.config);
                return mismatch(format!("{name} is part of another run than {} ({what})", first.display()));
            }
            if there.dhow != first_result.dhow {
                return mismatch(format!(
                    "{name} was played by dhow {}, {} by dhow {}",
                    there.dhow,
                    first.display(),
                    first_result.dhow
                ));
            }
            if there.partial {
                return mismatch(format!(
                    "{name} (shard {}) was stopped before its end; finish it with --resume",
                    there.shard
                ));
            }
            if there.shard.is_whole() {
                return mismatch(format!("{name} is a whole run, not a shard"));
            }
            let path = folder.join(CHECKPOINT);
            let records = Records::open(&path, &config, there.shard)
                .map_err(|error| MergeError::Mismatch(format!("cannot read {}: {error}", path.display())))?;
            // Rows begin after the header of the file; its length follows from the first rows.
            let mut from = if config.per_game { header_length(&folder.join(GAMES))? } else { 0 };
            for record in records {
                let rows = from..record.games_bytes.max(from);
                from = rows.end;
                pieces.push(Piece { shard, record, rows });
            }
            if config.per_game {
                check_rows(folder, &there, from)?;
            }
        }
        pieces.sort_by_key(|piece| (piece.record.arm, piece.record.blocks.start, piece.record.blocks.end));
        let shards = Shards { config, folders: folders.to_vec(), pieces };
        shards.check()?;
        Ok(shards)
    }

    /// Every block of every arm once.
    fn check(&self) -> Result<(), MergeError> {
        let mismatch = |message: String| Err(MergeError::Mismatch(message));
        for (index, blocks) in experiment::blocks(&self.config)?.into_iter().enumerate() {
            let arm = &self.config.arms[index];
            let place = format!("arm {} with {} seats", arm.arm, arm.seats);
            let (mut next, mut last) = (0, None);
            for piece in self.pieces.iter().filter(|piece| piece.record.arm == index) {
                let Range { start, end } = piece.record.blocks;
                let name = self.folders[piece.shard].display();
                if start > next {
                    return mismatch(format!("{place}: blocks {next} to {} are missing", start - 1));
                }
                if start < next {
                    let other: &PathBuf = &self.folders[last.unwrap_or(piece.shard)];
                    return mismatch(format!(
                        "{place}: blocks {start} to {} are in both {} and {name}",
                        next.min(end) - 1,
                        other.display()
                    ));
                }
                (next, last) = (end, Some(piece.shard));
            }
            if next < blocks {
                return mismatch(format!("{place}: blocks {next} to {} are missing", blocks - 1));
            }
        }
        Ok(())
    }

    /// Folds the shards into a folder that was opened for the whole run.
    ///
    /// # Errors
    /// As the disk gives.
    pub fn fold(self, mut folder: Option<&mut RunFolder>) -> Result<Results, MergeError> {
        let mut parts: Vec<Option<Part>> = vec![None; self.config.arms.len()];
        for piece in &self.pieces {
            match &mut parts[piece.record.arm] {
                Some(part) => part.merge(&piece.record.part),
                empty => *empty = Some(piece.record.part.clone()),
            }
            if let (Some(folder), true) = (&mut folder, self.config.per_game) {
                let path = self.folders[piece.shard].join(GAMES);
                let rows = rows(&path, piece.rows.clone());
                rows.and_then(|rows| folder.add_rows(&rows))
                    .map_err(|error| MergeError::Read { path: path.display().to_string(), error })?;
            }
        }
        // Every arm has a block, so every arm has a part.
        let parts = parts.into_iter().flatten().collect();
        Ok(experiment::assemble(&self.config, parts)?)
    }
}

/// Bytes of the first line.
fn header_length(path: &Path) -> Result<u64, MergeError> {
    let failed = |error| MergeError::Read { path: path.display().to_string(), error };
    let mut line = Vec::new();
    let file = File::open(path).map_err(failed)?;
    io::BufRead::read_until(&mut io::BufReader::new(file), b'\n', &mut line).map_err(failed)?;
    Ok(line.len() as u64)
}

/// Makes sure that the rows of a shard are those it wrote: `length` bytes by its checkpoint, of the hash that its
/// manifest tells.
fn check_rows(folder: &Path, there: &ResultPart, length: u64) -> Result<(), MergeError> {
    let path = folder.join(GAMES);
    let failed = |error| MergeError::Read { path: path.display().to_string(), error };
    let file = File::open(&path).map_err(failed)?;
    if file.metadata().map_err(failed)?.len() < length {
        let path = path.display();
        return Err(MergeError::Mismatch(format!(
            "{path} is shorter than its checkpoint says: bring the file back as it was, or play the shard again"
        )));
    }
    Ok(same_as_told(folder, there, GAMES, file)?)
}

fn rows(path: &Path, range: Range<u64>) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(range.start))?;
    let mut rows = vec![0; (range.end - range.start) as usize];
    file.read_exact(&mut rows)?;
    Ok(rows)
}
