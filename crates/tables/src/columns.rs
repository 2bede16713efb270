//! The columns of each table.

mod calls;
mod losses;
mod runs;
mod shared;
mod transcripts;
mod trials;
mod turns;

pub(crate) use calls::CALLS;
pub(crate) use losses::LOSSES;
pub(crate) use runs::RUNS;
pub(crate) use transcripts::TRANSCRIPTS;
pub(crate) use trials::TRIALS;
pub(crate) use turns::TURNS;
