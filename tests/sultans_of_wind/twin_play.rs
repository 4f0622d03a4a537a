//! twin_play
