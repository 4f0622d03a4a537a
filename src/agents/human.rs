//! `human`: numbered choices at the terminal.
