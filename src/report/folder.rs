//! The folder of a run: what may be written where, and whether a run reproduces what is already there.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::book::Book;
use super::checkpoint::{self, CHECKPOINT, Checkpoint, Record};
use super::csv::{GamesWriter, bytes};
use super::html::{self, REPORT};
use super::manifest::{Manifest, ResultPart, RunPart};
use super::table;
use crate::experiment::{self, Arm, Config, Context, Results, Sitting};
use crate::tournament::{GameRecord, Part, Shard};

const MANIFEST: &str = "manifest.json";
pub(super) const GAMES: &str = "games.csv";

/// A folder that cannot take a run.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// Something else stands there.
    #[error("{folder} holds {what}; name another folder with --out, or replace it with --force")]
    Occupied {
        /// The folder.
        folder: String,
        /// What it holds.
        what: String,
    },
    /// Another process writes into it.
    #[error("{folder} is being written by another dhow: wait for its end, or name another folder")]
    Locked {
        /// The folder.
        folder: String,
    },
    /// It cannot be written or read.
    #[error("cannot write {path}: {error}")]
    Write {
        /// File or folder.
        path: String,
        /// Why.
        error: io::Error,
    },
    /// There is nothing to go on with.
    #[error("cannot go on in {folder}: {why}")]
    Resume {
        /// The folder.
        folder: String,
        /// Why.
        why: String,
    },
    /// Its manifest cannot be read.
    #[error("cannot read {path}: {message}")]
    Manifest {
        /// The file.
        path: String,
        /// Why.
        message: String,
    },
    /// A file was changed after the run.
    #[error(
        "{path} is not what the manifest beside it says: bring the file back as it was, or run again with --force"
    )]
    Altered {
        /// The file.
        path: String,
    },
}

fn write_error(path: &Path) -> impl FnOnce(io::Error) -> FolderError {
    let path = path.display().to_string();
    move |error| FolderError::Write { path, error }
}

/// Every file that a run may leave in its folder.
const FILES: &[&str] = &[
    "agents.csv",
    "seats.csv",
    "pairs.csv",
    "endings.csv",
    "lengths.csv",
    "sweep.csv",
    "tallies.csv",
    "groups.csv",
    "times.csv",
    "ratings.csv",
    "fair.csv",
    "shape.csv",
    "repeats.csv",
    GAMES,
    REPORT,
    CHECKPOINT,
    MANIFEST,
];

/// How a run ends up in its folder.
#[derive(Clone, PartialEq, Debug)]
pub enum Kept {
    /// Written anew.
    Written,
    /// The folder held the same run, and it came out the same.
    Reproduced,
    /// The folder held the same run, and these files differ; they were left alone.
    Differs(Vec<String>),
    /// The folder held the same run, and this one was stopped before it could be compared.
    NotCompared,
}

/// What is to become of a folder that holds something, and what is written into it.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// Replace it.
    pub force: bool,
    /// Go on with the run that was begun there, if there is one.
    pub resume: bool,
    /// Which part of the blocks.
    pub shard: Shard,
    /// The command that goes on with the run, for the manifest of a run that was broken off.
    pub command: Option<String>,
}

/// A folder that is ready to take a run.
pub struct RunFolder {
    path: PathBuf,
    /// The manifest of an earlier run of the same configuration, which this one is held against.
    earlier: Option<ResultPart>,
    games: Option<GamesWriter<Hashing>>,
    /// What every batch gave; none while a run is held against an earlier one.
    checkpoint: Option<Checkpoint>,
    /// What was played before.
    sitting: Sitting,
    /// Held while the run writes; see [`lock`].
    lock: Option<Lock>,
}

impl RunFolder {
    /// Makes sure that a run of `config` may be written to `path`: the folder is new or empty, or holds a
    /// run of the same configuration, or may be replaced. Everything that can fail early fails here, before
    /// a game is played.
    ///
    /// # Errors
    /// [`FolderError`].
    pub fn open(
        path: &Path,
        config: &Config,
        tallies: &[&str],
        plan: &Plan,
    ) -> Result<RunFolder, FolderError> {
        let occupied =
            |what: &str| FolderError::Occupied { folder: path.display().to_string(), what: what.to_owned() };
        if path.exists() && !path.is_dir() {
            return Err(FolderError::Write {
                path: path.display().to_string(),
                error: io::Error::new(io::ErrorKind::NotADirectory, "it is a file, not a folder"),
            });
        }
        fs::create_dir_all(path).map_err(write_error(path))?;
        let shard = plan.shard;
        let sitting = Sitting { shard, ..Sitting::default() };
        let mut folder = RunFolder {
            path: path.to_owned(),
            earlier: None,
            games: None,
            checkpoint: None,
            sitting,
            lock: lock(path)?,
        };
        let holds_something = fs::read_dir(path).map_err(write_error(path))?.next().is_some();
        if holds_something && !plan.force {
            if !path.join(MANIFEST).is_file() {
                return Err(occupied("files that are no run of dhow"));
            }
            let manifest = read(path)?;
            if manifest.result.config != *config {
                return Err(occupied(&format!(
                    "a run with another configuration ({})",
                    difference(&manifest.result.config, config)
                )));
            }
            if manifest.result.shard != shard {
                return Err(occupied(&format!(
                    "another part of the run (shard {} there, {shard} asked)",
                    manifest.result.shard
                )));
            }
            if !manifest.result.partial {
                folder.earlier = Some(manifest.result);
            } else if plan.resume {
                folder.go_on(&manifest.result, config, tallies)?;
                return Ok(folder);
            }
            // Without --resume a run that was stopped is begun anew.
        }
        if folder.earlier.is_none() {
            folder.begin(config, plan)?;
        } else {
            // Nothing is written.
            drop(folder.lock.take());
        }
        if config.per_game {
            let target = folder.path.join(format!("{GAMES}.part"));
            let file = match folder.earlier {
                Some(_) => None,
                None => Some(File::create(&target).map_err(write_error(&target))?),
            };
            let games = GamesWriter::new(Hashing::new(file), tallies).map_err(write_error(&target))?;
            folder.games = Some(games);
        }
        Ok(folder)
    }

    /// What was played before, for [`crate::experiment::resume`].
    pub fn sitting(&mut self) -> Sitting {
        let shard = self.sitting.shard;
        std::mem::replace(&mut self.sitting, Sitting { shard, ..Sitting::default() })
    }

    /// Clears what an earlier run left and writes the manifest of a run that has begun: whatever happens now,
    /// no table stands beside a manifest that it does not belong to, and the run can go on or begin anew. A
    /// folder that takes no file is found out here, not after hours.
    fn begin(&mut self, config: &Config, plan: &Plan) -> Result<(), FolderError> {
        for name in FILES {
            for name in [(*name).to_owned(), format!("{name}.part")] {
                let file = self.path.join(name);
                match fs::remove_file(&file) {
                    Err(error) if error.kind() != io::ErrorKind::NotFound => {
                        return Err(write_error(&file)(error));
                    }
                    _ => {}
                }
            }
        }
        let nothing = Results {
            config: config.clone(),
            shard: plan.shard,
            arms: Vec::new(),
            fair: Vec::new(),
            partial: true,
        };
        let result = ResultPart::new(&nothing, BTreeMap::new());
        let run = RunPart { resume: plan.command.clone(), ..RunPart::default() };
        self.write_manifest(&Manifest { result, run })?;
        let file = self.path.join(CHECKPOINT);
        self.checkpoint = Some(Checkpoint::create(&file, config, plan.shard).map_err(write_error(&file))?);
        Ok(())
    }

    /// Takes up a run that was broken off: reads its checkpoint and cuts torn tails back to the last whole
    /// batch.
    fn go_on(&mut self, there: &ResultPart, config: &Config, tallies: &[&str]) -> Result<(), FolderError> {
        let refuse = |why: String| FolderError::Resume { folder: self.path.display().to_string(), why };
        if there.dhow != env!("CARGO_PKG_VERSION") {
            let own = env!("CARGO_PKG_VERSION");
            return Err(refuse(format!("dhow {} began it, this is dhow {own}", there.dhow)));
        }
        let shard = self.sitting.shard;
        let blocks = experiment::blocks(config).map_err(|error| refuse(error.to_string()))?;
        let mut ranges: Vec<_> = blocks.into_iter().map(|blocks| shard.of(blocks)).collect();
        if shard.is_whole() {
            let fresh = experiment::fresh_blocks(config).map_err(|error| refuse(error.to_string()))?;
            ranges.extend(fresh.into_iter().map(|blocks| 0..blocks));
        }
        let (rows, part) = (self.path.join(GAMES), self.path.join(format!("{GAMES}.part")));
        if config.per_game && rows.is_file() && !part.exists() {
            // A run that was stopped in good order has its rows under their final name.
            fs::rename(&rows, &part).map_err(write_error(&part))?;
        }
        let games_there = fs::metadata(&part).map_or(0, |about| about.len());
        let file = self.path.join(CHECKPOINT);
        let standing = checkpoint::standing(&file, config, shard, &ranges, games_there)
            .map_err(|error| refuse(format!("{CHECKPOINT}: {error}; --force begins anew")))?;
        if config.per_game {
            let games = if standing.games_bytes == 0 {
                let file = File::create(&part).map_err(write_error(&part))?;
                GamesWriter::new(Hashing::new(Some(file)), tallies).map_err(write_error(&part))?
            } else {
                let out = Hashing::go_on(&part, standing.games_bytes).map_err(write_error(&part))?;
                GamesWriter::go_on(out, tallies, standing.games_bytes)
            };
            self.games = Some(games);
        }
        self.checkpoint = Some(Checkpoint::go_on(&file, standing.length).map_err(write_error(&file))?);
        self.sitting.begun = standing.begun;
        Ok(())
    }

    fn write_manifest(&self, manifest: &Manifest) -> Result<(), FolderError> {
        let mut text = serde_json::to_vec_pretty(manifest).expect("a manifest is plain data");
        text.push(b'\n');
        self.write(MANIFEST, &text)
    }

    /// Takes a batch: what it gave, and the records of its games where a row for each was asked for. When
    /// this returns, the run can go on after the batch.
    ///
    /// # Errors
    /// As the disk gives.
    pub fn add_batch(
        &mut self,
        context: &Context,
        blocks: Range<u64>,
        part: &Part,
        records: &[GameRecord],
    ) -> io::Result<()> {
        if let Some(games) = &mut self.games {
            games.write(context, records)?;
        }
        if let Some(checkpoint) = &mut self.checkpoint {
            // The rows first: the checkpoint never counts a batch whose rows could still be lost.
            let games_bytes = self.games.as_mut().map_or(Ok(0), GamesWriter::flush)?;
            checkpoint.append(&Record { arm: context.index, blocks, games_bytes, part: part.clone() })?;
        }
        Ok(())
    }

    /// Takes rows of `games.csv` as they are.
    ///
    /// # Errors
    /// As the disk gives.
    pub fn add_rows(&mut self, rows: &[u8]) -> io::Result<()> {
        self.games.as_mut().map_or(Ok(()), |games| games.raw(rows))
    }

    /// Writes everything, or holds it against what is there.
    ///
    /// # Errors
    /// [`FolderError`]; files that were already written stay.
    pub fn finish(mut self, results: &Results, run: RunPart) -> Result<Kept, FolderError> {
        if self.earlier.is_some() && results.partial {
            return Ok(Kept::NotCompared);
        }
        let tables = table::tables(results);
        let mut files = BTreeMap::new();
        let mut contents = Vec::new();
        for table in &tables {
            let name = format!("{}.csv", table.name);
            let bytes = bytes(table);
            files.insert(name.clone(), hex(Sha256::digest(&bytes).as_slice()));
            contents.push((name, bytes));
        }
        if let Some(games) = self.games.take() {
            let part = self.path.join(format!("{GAMES}.part"));
            let hash = games.finish().finish().map_err(write_error(&part))?;
            if self.earlier.is_none() {
                fs::rename(&part, self.path.join(GAMES)).map_err(write_error(&part))?;
            }
            files.insert(GAMES.to_owned(), hash);
        }
        let result = ResultPart::new(results, files);
        if let Some(earlier) = &self.earlier {
            return Ok(self.compare(earlier, &result));
        }
        for (name, bytes) in &contents {
            self.write(name, bytes)?;
        }
        let times = table::times(results);
        self.write("times.csv", &bytes(&times))?;
        let manifest = Manifest { result, run };
        let book = Book::new(manifest.clone(), tables.iter().chain([&times]));
        self.write(REPORT, html::page(&book).as_bytes())?;
        // A shard keeps its checkpoint: merging needs it.
        let done = !results.partial && results.shard.is_whole();
        self.write_manifest(&manifest)?;
        if done {
            let file = self.path.join(CHECKPOINT);
            self.checkpoint = None;
            fs::remove_file(&file).map_err(write_error(&file))?;
        }
        Ok(Kept::Written)
    }

    /// Names what differs from the files on disk and from the earlier manifest.
    fn compare(&self, earlier: &ResultPart, now: &ResultPart) -> Kept {
        let mut differing = Vec::new();
        for (name, hash) in &now.files {
            let on_disk = fs::read(self.path.join(name)).ok();
            let same = on_disk.is_some_and(|bytes| hex(Sha256::digest(&bytes).as_slice()) == *hash);
            if !same {
                differing.push(name.clone());
            }
        }
        if earlier != now {
            differing.push(MANIFEST.to_owned());
        }
        if differing.is_empty() { Kept::Reproduced } else { Kept::Differs(differing) }
    }

    /// Writes a file whole or not at all.
    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), FolderError> {
        let target = self.path.join(name);
        let part = self.path.join(format!("{name}.part"));
        let written = File::create(&part)
            .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
            .and_then(|()| fs::rename(&part, &target));
        written.map_err(|error| {
            let _ = fs::remove_file(&part);
            write_error(&target)(error)
        })
    }
}

/// A lock on a folder, held until this is dropped or the process ends, however it ends.
struct Lock(File);

impl Drop for Lock {
    fn drop(&mut self) {
        // Closing alone would not let go while a child that is just being started still has a copy of the file.
        let _ = self.0.unlock();
    }
}

/// Keeps everybody else from writing into a folder: a lock on the folder itself, which leaves no file behind. None
/// where the file system has no such locks.
#[cfg(unix)]
fn lock(path: &Path) -> Result<Option<Lock>, FolderError> {
    let folder = File::open(path).map_err(write_error(path))?;
    match folder.try_lock() {
        Ok(()) => Ok(Some(Lock(folder))),
        Err(fs::TryLockError::WouldBlock) => Err(FolderError::Locked { folder: path.display().to_string() }),
        Err(fs::TryLockError::Error(_)) => Ok(None),
    }
}

/// Elsewhere a folder cannot be opened as a file.
#[cfg(not(unix))]
fn lock(_path: &Path) -> Result<Option<Lock>, FolderError> {
    Ok(None)
}

/// Reads the manifest of a folder.
///
/// # Errors
/// [`FolderError::Manifest`].
pub fn read(folder: &Path) -> Result<Manifest, FolderError> {
    let path = folder.join(MANIFEST);
    let broken = |message: String| FolderError::Manifest { path: path.display().to_string(), message };
    let text = fs::read_to_string(&path).map_err(|error| broken(error.to_string()))?;
    serde_json::from_str(&text).map_err(|error| broken(error.to_string()))
}

/// Makes sure that `bytes`, read from the file `name` of a run's folder, are those that its manifest speaks of.
pub(super) fn same_as_told(
    folder: &Path,
    there: &ResultPart,
    name: &str,
    mut bytes: impl io::Read,
) -> Result<(), FolderError> {
    let path = || folder.join(name).display().to_string();
    let mut hashing = Hashing::new(None);
    let hash = io::copy(&mut bytes, &mut hashing).and_then(|_| hashing.finish());
    let hash = hash.map_err(|error| FolderError::Manifest { path: path(), message: error.to_string() })?;
    if there.files.get(name) == Some(&hash) { Ok(()) } else { Err(FolderError::Altered { path: path() }) }
}

/// The first thing in which two configurations differ, in words.
pub(super) fn difference(there: &Config, asked: &Config) -> String {
    let mut arms = there.arms.iter().zip(&asked.arms);
    if let Some((arm, _)) = arms.find(|(there, asked)| loads_other_data(there, asked)) {
        let (number, seats) = (arm.arm, arm.seats);
        return format!("the file that a switch of arm {number}, {seats} seats, names has changed");
    }
    let [there, asked] = [there, asked].map(|config| {
        serde_json::to_value(config).ok().and_then(|value| value.as_object().cloned()).unwrap_or_default()
    });
    for (key, value) in &there {
        let other = asked.get(key).unwrap_or(&serde_json::Value::Null);
        if value != other {
            let (value, other) = (value.to_string(), other.to_string());
            return match value.len() + other.len() < 100 {
                true => format!("{key}: {value} there, {other} asked"),
                false => format!("{key} differs"),
            };
        }
    }
    "it differs".into()
}

/// Whether two arms have the same switches, but these loaded different data.
fn loads_other_data(there: &Arm, asked: &Arm) -> bool {
    (there.arm, there.seats, &there.rules) == (asked.arm, asked.seats, &asked.rules)
        && there.data != asked.data
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Hashes what is written, and passes it on to a file if there is one.
struct Hashing {
    hash: Sha256,
    file: Option<BufWriter<File>>,
}

impl Hashing {
    fn new(file: Option<File>) -> Hashing {
        Hashing { hash: Sha256::new(), file: file.map(BufWriter::new) }
    }

    /// Goes on after the first `bytes` bytes of a file, which are read again; the rest is cut off.
    fn go_on(path: &Path, bytes: u64) -> io::Result<Hashing> {
        let mut file = OpenOptions::new().read(true).write(true).open(path)?;
        file.set_len(bytes)?;
        // Read through the writer's own hashing, with nowhere to pass it on to.
        let mut hashing = Hashing::new(None);
        io::copy(&mut file, &mut hashing)?;
        hashing.file = Some(BufWriter::new(file));
        Ok(hashing)
    }

    fn finish(mut self) -> io::Result<String> {
        self.flush()?;
        Ok(hex(self.hash.finalize().as_slice()))
    }
}

impl Write for Hashing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = match &mut self.file {
            Some(file) => file.write(bytes)?,
            None => bytes.len(),
        };
        self.hash.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), BufWriter::flush)
    }
}
