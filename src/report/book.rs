//! A run's folder as it can be read back: the manifest and every CSV table, for reports that are made again.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::folder::{FolderError, read, same_as_told};
use super::manifest::Manifest;
use super::table::Table;

/// A manifest and its tables by name.
#[derive(Clone, PartialEq, Debug)]
pub struct Book {
    /// What was run.
    pub manifest: Manifest,
    sheets: BTreeMap<String, Sheet>,
}

/// A table as text.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Sheet {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// A row of a sheet.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    header: &'a [String],
    cells: &'a [String],
}

impl Book {
    /// From tables in memory.
    pub fn new<'a>(manifest: Manifest, tables: impl IntoIterator<Item = &'a Table>) -> Book {
        let sheet = |table: &Table| Sheet {
            header: table.header.clone(),
            rows: table.rows.iter().map(|row| row.iter().map(ToString::to_string).collect()).collect(),
        };
        Book {
            manifest,
            sheets: tables.into_iter().map(|table| (table.name.to_owned(), sheet(table))).collect(),
        }
    }

    /// Reads a run's folder; a row for each game is not taken in.
    ///
    /// # Errors
    /// [`FolderError`]: no manifest, a table that is no CSV, or one that was changed after the run.
    pub fn read(folder: &Path) -> Result<Book, FolderError> {
        let manifest = read(folder)?;
        let mut sheets = BTreeMap::new();
        let names = manifest.result.files.keys().filter_map(|file| file.strip_suffix(".csv"));
        for name in names.filter(|&name| name != "games").chain(["times"]) {
            let path = folder.join(format!("{name}.csv"));
            let broken =
                |message: String| FolderError::Manifest { path: path.display().to_string(), message };
            let text = fs::read_to_string(&path).map_err(|error| broken(error.to_string()))?;
            // The times are outside the promise, and the manifest does not speak of them.
            if name != "times" {
                same_as_told(folder, &manifest.result, &format!("{name}.csv"), text.as_bytes())?;
            }
            let mut reader = ::csv::Reader::from_reader(text.as_bytes());
            let header = reader.headers().map_err(|error| broken(error.to_string()))?;
            let header = header.iter().map(str::to_owned).collect();
            let rows = reader.records().map(|record| Ok(record?.iter().map(str::to_owned).collect()));
            let rows =
                rows.collect::<Result<_, ::csv::Error>>().map_err(|error| broken(error.to_string()))?;
            sheets.insert(name.to_owned(), Sheet { header, rows });
        }
        Ok(Book { manifest, sheets })
    }

    /// A table; empty if the run has none of that name.
    pub fn sheet(&self, name: &str) -> &Sheet {
        static NONE: Sheet = Sheet { header: Vec::new(), rows: Vec::new() };
        self.sheets.get(name).unwrap_or(&NONE)
    }
}

impl Sheet {
    /// Column names.
    pub fn header(&self) -> &[String] {
        &self.header
    }

    /// All rows.
    pub fn rows(&self) -> impl Iterator<Item = Row<'_>> + Clone {
        self.rows.iter().map(|cells| Row { header: &self.header, cells })
    }

    /// Whether it has no row.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

impl<'a> Row<'a> {
    /// A cell as text; empty if unknown.
    pub fn text(&self, column: &str) -> &'a str {
        let at = self.header.iter().position(|name| name == column);
        at.and_then(|at| self.cells.get(at)).map_or("", String::as_str)
    }

    /// A cell as a number; `None` if unknown.
    pub fn number(&self, column: &str) -> Option<f64> {
        self.text(column).parse().ok()
    }

    /// A cell as a count; 0 if unknown.
    pub fn count(&self, column: &str) -> u64 {
        self.text(column).parse().unwrap_or(0)
    }

    /// All cells.
    pub fn cells(&self) -> &'a [String] {
        self.cells
    }
}
