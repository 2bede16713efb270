//! What trials that failed might have brought to a gate.
//!
//! A failure says nothing about the subject, so that a gate may rest on no guess about it. Every
//! figure is monotone: if a gate passes with the worst value in the place of each failed trial, it
//! passes with any other.

use indexmap::IndexMap;
use toolgauge_core::Better;
use toolgauge_stats::Range;

use super::{Bound, GateFigure, GateMatter, GateSubject, Rule};
use crate::compare::{ComparedColumn, FailedTrial, RunSide};
use crate::number::counted;

/// Beyond every time, number of tokens and cost, and yet small enough to be added up and squared.
const BEYOND: f64 = 1e100;

/// What stands in a column for trials that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StandIn {
    /// Nothing: they are left out.
    None,
    Lowest,
    Highest,
}

impl StandIn {
    /// The worst value of the run that a figure's side is demanded of.
    pub(super) fn worst_for(side: Bound) -> Self {
        match side {
            Bound::AtLeast => Self::Lowest,
            Bound::AtMost => Self::Highest,
        }
    }

    /// The worst values for a run that must not be worse than another: in the other run, and in
    /// itself.
    pub(super) fn worst_change(better: Better) -> (Self, Self) {
        match better {
            Better::More => (Self::Highest, Self::Lowest),
            Better::Less => (Self::Lowest, Self::Highest),
        }
    }

    /// The column with this value for each trial that failed.
    pub(super) fn fill(
        self,
        subject: &GateSubject,
        side: &RunSide,
        column: ComparedColumn,
    ) -> ComparedColumn {
        let failed = failed_trials(subject, side);
        if failed.is_empty() {
            return column;
        }
        let is_score = !is_amount(subject)
            && is_bounded(subject, side)
            && column.values().all(|value| Range::SCORE.contains(value));
        let value = match self {
            Self::None => return column,
            Self::Lowest if is_score || is_amount(subject) => 0.0,
            Self::Lowest => -BEYOND,
            Self::Highest if is_score => 1.0,
            Self::Highest => BEYOND,
        };
        column.with(failed.iter().map(|failed| (failed.key, value)))
    }
}

/// Whether a figure is a score from 0 to 1 by what it is. Its values cannot tell: seconds may all
/// be below 1, and a run that gets faster must not be judged by another rule.
pub(super) fn is_bounded(subject: &GateSubject, side: &RunSide) -> bool {
    match &subject.figure {
        GateFigure::Latency => false,
        // Measures are seconds, counts and shares alike.
        GateFigure::Named(name) => {
            side.dimensions.contains_key(name)
                || side.scorers.contains_key(name)
                || *name == side.scorer
        }
        _ => true,
    }
}

/// Whether a figure is an amount, which is never below 0.
fn is_amount(subject: &GateSubject) -> bool {
    matches!(
        subject.figure,
        GateFigure::Percentile(_) | GateFigure::Latency | GateFigure::Tokens | GateFigure::Cost
    )
}

/// The trials that lack a figure because they failed.
fn failed_trials<'a>(subject: &GateSubject, side: &'a RunSide) -> &'a [FailedTrial] {
    match &subject.figure {
        // These count failures themselves.
        GateFigure::Unscored | GateFigure::Errors => &[],
        // A time or a number of tokens is not known either where a scorer counts the failure.
        _ if is_amount(subject) => &side.failed,
        GateFigure::Named(name) if side.scorers.contains_key(name) => side.failed_for(name),
        _ => side.failed_for(&side.scorer),
    }
}

/// The failures that a gate may hang on, in words; `None` without any.
pub(super) fn words(rule: &Rule, matter: &GateMatter<'_>) -> Option<String> {
    let (Rule::Bound { subject, .. } | Rule::NoRegression { subject, .. }) = rule;
    let of = |side: &RunSide, which: &str| {
        let mut kinds: IndexMap<&str, usize> = IndexMap::new();
        for failed in failed_trials(subject, side) {
            if side.is_in(failed.key.case, subject.slice.as_ref()) {
                *kinds.entry(failed.kind.name()).or_default() += 1;
            }
        }
        kinds.sort_unstable_keys();
        let all: usize = kinds.values().sum();
        let kinds: Vec<String> = kinds.iter().map(|(kind, n)| format!("{n} {kind}")).collect();
        let (trials, kinds) = (counted(all, "trial"), kinds.join(", "));
        (all > 0).then(|| format!("{trials}{which} failed ({kinds})"))
    };
    // A case that broke by a failure is broken.
    let own = of(matter.run, "").filter(|_| subject.figure != GateFigure::Broken);
    let compares =
        matches!(rule, Rule::NoRegression { .. }) || subject.figure == GateFigure::Broken;
    let other = matter.against.filter(|_| compares);
    let other = other.and_then(|side| of(side, " of the other run"));
    let parts: Vec<String> = own.into_iter().chain(other).collect();
    (!parts.is_empty()).then(|| parts.join(" and "))
}
