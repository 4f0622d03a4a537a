//! What a run is written down as. One file a format; tables are built once and written in each.

pub mod book;
pub mod checkpoint;
pub mod claims;
pub mod closer;
pub mod csv;
pub mod fair;
pub mod folder;
pub mod html;
pub mod json;
pub mod manifest;
pub mod merge;
pub mod table;
pub mod terminal;
pub mod verdict;
