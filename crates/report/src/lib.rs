//! What is computed from logs: summaries, comparisons, gates, and their renderings.

mod overview;
pub mod partial;
mod rate;
mod summary;

pub use overview::Overview;
pub use rate::Rate;
pub use summary::{
    Flipped, Latencies, LossCount, Percentiles, Reliability, Speed, Summary, Tally, TokenPrice,
};
