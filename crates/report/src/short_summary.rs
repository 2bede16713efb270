//! What a run ends with: the few lines that a person decides by.

use crate::case_results::StandingCounts;
use crate::compare::Comparison;
use crate::failed_case::FailedCase;
use crate::gate::GateResult;
use crate::summary::Summary;

/// The decision about a run in about fifteen lines; [`Summary`] has all figures.
#[derive(Clone, Debug)]
pub struct ShortSummary<'a> {
    /// The figures.
    pub summary: &'a Summary,
    /// How many cases pass.
    pub counts: StandingCounts,
    /// The first of the cases that do not pass, the worst first.
    pub failed: Vec<FailedCase>,
    /// What changed since an earlier run, where there is one.
    pub change: Option<ChangeSince>,
    /// What came of the gates.
    pub gates: &'a [GateResult],
    /// The commands to type next.
    pub next: String,
}

/// What changed since an earlier run.
#[derive(Clone, Debug)]
pub struct ChangeSince {
    /// Which run that is: `the last run, of 2026-11-16 14:40`.
    pub run: String,
    /// That run as A, and this one as B.
    pub comparison: Comparison,
}
