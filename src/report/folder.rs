//! The folder of a run: what may be written where, and whether a run reproduces what is already there.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::csv::{GamesWriter, bytes};
use super::manifest::{Manifest, ResultPart, RunPart};
use super::table;
use crate::experiment::{Arm, Config, Context, Results};
use crate::tournament::GameRecord;

const MANIFEST: &str = "manifest.json";
const GAMES: &str = "games.csv";

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
    /// It cannot be written or read.
    #[error("cannot write {path}: {error}")]
    Write {
        /// File or folder.
        path: String,
        /// Why.
        error: io::Error,
    },
    /// Its manifest cannot be read.
    #[error("cannot read {path}: {message}")]
    Manifest {
        /// The file.
        path: String,
        /// Why.
        message: String,
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
    GAMES,
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

/// A folder that is ready to take a run.
pub struct RunFolder {
    path: PathBuf,
    /// The manifest of an earlier run of the same configuration, which this one is held against.
    earlier: Option<ResultPart>,
    games: Option<GamesWriter<Hashing>>,
}

impl RunFolder {
    /// Makes sure that a run of `config` may be written to `path`: the folder is new or empty, or holds a
    /// run of the same configuration, or may be replaced (`force`). Everything that can fail early fails
    /// here, before a game is played.
    ///
    /// # Errors
    /// [`FolderError`].
    pub fn open(
        path: &Path,
        config: &Config,
        tallies: &[&str],
        force: bool,
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
        let mut earlier = None;
        let holds_something = fs::read_dir(path).map_err(write_error(path))?.next().is_some();
        if holds_something && !force {
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
            // A run that was stopped is begun anew by the same command.
            earlier = (!manifest.result.partial).then_some(manifest.result);
        }
        let mut folder = RunFolder { path: path.to_owned(), earlier, games: None };
        if folder.earlier.is_none() {
            folder.begin(config)?;
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

    /// Clears what an earlier run left and writes the manifest of a run that has begun: whatever happens now,
    /// no table stands beside a manifest that it does not belong to, and the same command can begin anew. A
    /// folder that takes no file is found out here, not after hours.
    fn begin(&self, config: &Config) -> Result<(), FolderError> {
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
        let nothing = Results { config: config.clone(), arms: Vec::new(), partial: true };
        let result = ResultPart::new(&nothing, BTreeMap::new());
        self.write_manifest(&Manifest { result, run: RunPart::default() })
    }

    fn write_manifest(&self, manifest: &Manifest) -> Result<(), FolderError> {
        let mut text = serde_json::to_vec_pretty(manifest).expect("a manifest is plain data");
        text.push(b'\n');
        self.write(MANIFEST, &text)
    }

    /// Takes the records of some games, where a row for each game was asked for.
    ///
    /// # Errors
    /// As the disk gives.
    pub fn add_games(&mut self, context: &Context, records: &[GameRecord]) -> io::Result<()> {
        match &mut self.games {
            Some(games) => games.write(context, records),
            None => Ok(()),
        }
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
            let hash = games.finish().and_then(Hashing::finish).map_err(write_error(&part))?;
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
        self.write("times.csv", &bytes(&table::times(results)))?;
        self.write_manifest(&Manifest { result, run })?;
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

/// The first thing in which two configurations differ, in words.
fn difference(there: &Config, asked: &Config) -> String {
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
