//! What a run is written down as. One file a format; tables are built once and written in each.

pub mod csv;
pub mod folder;
pub mod json;
pub mod manifest;
pub mod table;
pub mod terminal;
