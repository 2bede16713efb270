//! What is computed from logs: summaries, comparisons, gates, and their renderings.

mod case_study;
pub mod chart;
mod compare;
mod gate;
pub mod harmless;
pub mod html;
mod junit;
mod markdown;
pub mod number;
mod overview;
pub mod partial;
mod rate;
mod summary;
mod table;

pub use case_study::{CaseFigures, CaseStudy, CaseTally, StudiedRun, Suspicion};
pub use compare::{
    AmountChange, Caution, Comparison, Contender, ContestReport, Difference, Duel, Flip, Flips,
    LossChange, Noise, Shared, Side, SideFacts, Terms, Test, Typical, Unit, UnscoredRule, Verdict,
};
pub use gate::{Gate, GateError, GateMatter, GateResult, judge};
pub use junit::junit;
pub use markdown::comment;
pub use overview::Overview;
pub use rate::Rate;
pub use summary::{
    Flipped, Latencies, LossCount, Percentiles, Reliability, Speed, Summary, Tally, TokenPrice,
};
