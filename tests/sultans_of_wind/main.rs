//! Sultans of Wind held against its rules: vectors, properties, and a slow twin that knows nothing of the
//! engine's representation.

mod common;
mod greedy;
mod properties;
mod setup;
mod switches;
mod text;
mod twin;
mod twin_play;
mod vectors;
