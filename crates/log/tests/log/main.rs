//! Logs as a whole: written, killed, recovered, read back, and opened by Inspect itself.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod damage;
mod fixture;
mod foreign;
mod growth;
mod hostile;
mod inspect_ai;
mod merging;
mod names;
mod records;
mod recovery;
mod rescoring;
mod resuming;
mod round_trip;
mod sequences;
mod trials;
