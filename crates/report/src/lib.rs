//! What is computed from logs: summaries, comparisons, gates, and their renderings.
//!
//! What computes figures knows nothing of how they are shown: nothing outside the module `render`
//! imports from it.

mod agreement;
mod atlas;
mod case_places;
mod case_results;
mod case_stream;
mod case_study;
mod choice;
mod compare;
mod confusions;
mod distribution;
mod document;
mod doubts;
mod failed_case;
mod failures;
mod feedback;
mod gate;
mod grades;
pub mod harmless;
mod history;
pub mod json_text;
mod judged;
mod leaderboard;
mod near_duplicates;
pub mod number;
mod pairwise;
pub mod partial;
mod rate;
mod recorded_check;
mod recorded_figure;
mod render;
mod repeats;
mod second_opinion;
mod short_summary;
mod standing;
mod summary;
mod tally;
mod themes;
mod tiers;
mod times;
mod trend;
mod unscored;
mod violations;

pub use agreement::ValueAgreement;
pub use atlas::{Atlas, AtlasRun, GoldContradiction, WrongVerdict};
pub use case_results::{CaseResult, CaseResults, StandingCounts};
pub use case_study::{CaseFigures, CaseStudy, CaseTally, StudiedRun, Suspicion};
pub use choice::{
    ChoiceRival, ChoiceTally, Contestant, ExposureEffect, FailedCommand, ModelChoice,
};
pub use compare::{
    AmountChange, AmountUnit, Caution, Comparison, Contender, ContestReport, Difference,
    DifferenceVerdict, Duel, Flip, Flips, LossChange, Needed, Noise, RunSide, SharedTrials,
    SideFacts, Terms, TestMethod, Typical, Unpaired, UnscoredRule,
};
pub use confusions::ToolConfusion;
pub use document::{ReportDocument, ReportedRun, RunTally};
pub use failed_case::{FailedCase, call_in_words, response};
pub use failures::FailureCount;
pub use feedback::{FeedbackStats, FeedbackTally, Satisfaction, ScoreAgreement, ScoreCorrelation};
pub use gate::{GateCondition, GateError, GateMatter, GateResult, judge};
pub use grades::{CATEGORY, Grade, GradeBook, Grades, Marks, QuestionMark};
pub use history::{History, PastRun};
pub use leaderboard::{Leaderboard, LeaderboardPlace};
pub use near_duplicates::NearDuplicates;
pub use pairwise::{Pairwise, PairwiseReport};
pub use rate::Rate;
pub use recorded_check::RecordedCheck;
pub use recorded_figure::RecordedFigure;
pub use render::{
    Columns, FullComparison, JunitReport, JunitRun, Overview, QuestionAndAnswer, TextTable,
    TrialTable, chart, csv_cell, fitted, html, markdown_page, sparkline,
};
pub use repeats::RepeatCount;
pub use second_opinion::SecondOpinion;
pub use short_summary::{ChangeSince, ShortSummary};
pub use standing::{CaseStanding, GRADED_SCORER, Thresholds};
pub use summary::{
    CutOff, Flipped, InTime, LossCount, Reliability, Summary, TokenPrice, ToolTokens,
};
pub use tally::SummaryTally;
pub use themes::{Comment, Theme, ThemeKind, themes};
pub use tiers::{AccuracyCurve, Contradictions, CurvePoint, PatternCount, Safety, Tier, Tiers};
pub use times::{Latencies, Percentiles, PersonWaits, Speed};
pub use unscored::advice;
pub use violations::KeywordViolations;
