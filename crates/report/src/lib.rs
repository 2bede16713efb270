//! What is computed from logs: summaries, comparisons, gates, and their renderings.

mod agreement;
mod bar;
mod case_study;
pub mod chart;
mod compare;
mod csv;
mod document;
mod failures;
mod feedback;
mod gate;
mod grades;
pub mod harmless;
mod history;
pub mod html;
pub mod json_text;
mod judged;
mod junit;
mod leaderboard;
mod markdown;
pub mod number;
mod overview;
mod pairwise;
pub mod partial;
mod rate;
mod spark;
mod summary;
mod table;
mod tally;
mod tiers;
mod times;
mod unscored;

pub use agreement::Agreement;
pub use case_study::{CaseFigures, CaseStudy, CaseTally, StudiedRun, Suspicion};
pub use compare::{
    AmountChange, Caution, Comparison, Contender, ContestReport, Difference, Duel, Flip, Flips,
    LossChange, Noise, Shared, Side, SideFacts, Terms, Test, Typical, Unit, UnscoredRule, Verdict,
};
pub use csv::{Columns, TrialTable};
pub use document::{Document, ReportedRun, RunTally};
pub use failures::FailureCount;
pub use feedback::{FeedbackStats, FeedbackTally, Satisfaction, ScoreAgreement, ScoreCorrelation};
pub use gate::{Gate, GateError, GateMatter, GateResult, judge};
pub use grades::{
    CATEGORY, Exchange, GRADED_SCORER, Grade, GradeBook, Grades, Marks, QuestionMark, Standing,
    Thresholds,
};
pub use history::{History, PastRun};
pub use junit::{JunitReport, JunitRun};
pub use leaderboard::{CellName, Leaderboard, Place};
pub use markdown::{comment, page as markdown_page};
pub use overview::Overview;
pub use pairwise::{Pairwise, PairwiseReport};
pub use rate::Rate;
pub use spark::sparkline;
pub use summary::{CutOff, Flipped, LossCount, Reliability, Summary, TokenPrice};
pub use tally::Tally;
pub use tiers::{AccuracyCurve, Contradictions, CurvePoint, PatternCount, Safety, Tier, Tiers};
pub use times::{Latencies, Percentiles, Speed};
pub use unscored::advice;
