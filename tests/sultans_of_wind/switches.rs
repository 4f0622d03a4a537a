//! switches
