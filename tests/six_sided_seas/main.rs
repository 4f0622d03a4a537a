//! The rules of *Six-Sided Seas*: every vector of the specification, every switch, and a slow twin of the
//! whole game that the engine is held against over many random games.

mod boards;
mod flow;
mod ghosts;
mod positions;
mod random_games;
mod switches;
mod table;
mod twin;
mod vectors;
