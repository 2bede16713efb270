//! What `toolgauge report` tells of runs, whatever the form it is written in.

use std::collections::BTreeSet;

use jiff::Timestamp;
use maud::Markup;
use serde::Serialize;
use toolgauge_core::{CaseId, Outcome, Run, TrialId};
use toolgauge_log::{Log, LogError, TrialSummary};

use crate::case_results::{CaseResult, CaseResults, StandingCounts};
use crate::compare::{Comparison, ContestReport};
use crate::distribution::Distribution;
use crate::failed_case::FailedCase;
use crate::gate::GateResult;
use crate::short_summary::ChangeSince;
use crate::standing::{CaseStanding, Thresholds};
use crate::summary::{Summary, TokenPrice};
use crate::tally::SummaryTally;
use crate::trend::TrendPoint;

/// Runs, and how they compare.
#[derive(Clone, Debug, Serialize)]
pub struct ReportDocument {
    /// The version of this form; it changes when a field changes its meaning or goes away.
    pub version: u32,
    /// The runs, in the order they were named.
    pub runs: Vec<ReportedRun>,
    /// Each further run against the first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub comparisons: Vec<Comparison>,
    /// All of them together, if there are more than two.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contest: Option<ContestReport>,
}

/// One run of a report.
#[derive(Clone, Debug, Serialize)]
pub struct ReportedRun {
    /// The name it is shown by, usually its log.
    pub label: String,
    /// When it was started.
    pub created: Timestamp,
    /// Whether it came to its end.
    pub finished: bool,
    /// Its numbers.
    pub summary: Summary,
    /// How many trials lost points.
    pub lost: usize,
    /// How trials' times are spread.
    #[serde(skip)]
    pub times: Option<Distribution>,
    /// The trials that lost most, the worst first.
    #[serde(skip)]
    pub worst: Vec<TrialId>,
    /// Those trials as a page shows them, as many as could be opened.
    #[serde(skip)]
    pub exhibits: Vec<Markup>,
    /// What each of its cases came to.
    #[serde(skip)]
    cases: CaseResults,
    /// The failing cases that are shown; [`ReportedRun::show_failing`] opens them.
    #[serde(skip)]
    pub failing: Vec<FailedCase>,
    /// What changed since another run, where it was compared with one.
    #[serde(skip)]
    pub change: Option<ChangeSince>,
    /// The gates it was held to.
    #[serde(skip)]
    pub gates: Vec<GateResult>,
    #[serde(skip)]
    run: Run,
}

impl ReportedRun {
    /// How many cases pass.
    pub fn counts(&self) -> StandingCounts {
        self.cases.counts(self.thresholds())
    }

    /// The cases that pass, in the order they were first met.
    pub(crate) fn passing(&self) -> impl Iterator<Item = &CaseId> {
        self.cases.with_standing(CaseStanding::Pass, self.thresholds())
    }

    /// Opens at most so many of the cases that do not pass: first those that broke since the other
    /// run, then the worst.
    pub fn show_failing(&mut self, log: &Log, most: usize) {
        let mut results = self.cases.not_passing(self.thresholds(), &log.run().cases);
        // The sort is stable, so that both groups keep the worst first.
        results.sort_by_key(|result| !self.is_broken(&result.case));
        let open = |result: CaseResult| {
            let trial = log.trial(&result.worst).ok();
            FailedCase::new(result, trial.as_ref())
        };
        self.failing = results.into_iter().take(most).map(open).collect();
    }

    /// Whether a case passed in the other run and fails in this one.
    pub(crate) fn is_broken(&self, case: &CaseId) -> bool {
        let flips = self.change.as_ref().map(|change| &change.comparison.flips);
        flips.is_some_and(|flips| flips.broken_cases.iter().any(|flip| flip.case == *case))
    }

    fn thresholds(&self) -> Thresholds {
        let graded = self.summary.grades.as_ref().map(|grades| grades.thresholds);
        Thresholds::of_scorer(&self.summary.scorer, graded.unwrap_or_default())
    }
}

impl ReportDocument {
    /// A report of these runs, without comparisons.
    pub fn of(runs: Vec<ReportedRun>) -> Self {
        Self { version: 1, runs, comparisons: Vec::new(), contest: None }
    }

    /// The comparisons, each with the number of the run that is compared with the first.
    pub(crate) fn compared(&self) -> impl Iterator<Item = (&Comparison, usize)> {
        let number = |label: &str| {
            let place = self.runs.iter().skip(1).position(|run| run.label == label);
            place.map_or(0, |place| place + 2)
        };
        self.comparisons.iter().map(move |found| (found, number(&found.b.label)))
    }

    /// The runs of the first one's suite over time.
    pub(crate) fn trend(&self) -> Vec<TrendPoint> {
        let Some(first) = self.runs.first() else { return Vec::new() };
        let same = self.runs.iter().filter(|run| run.run.suite.name == first.run.suite.name);
        TrendPoint::series(same.filter_map(|run| Some((&run.run, run.summary.score?))))
    }
}

/// Adds the trials of a run up to a [`ReportedRun`]. Of each trial a few dozen bytes are kept.
#[derive(Clone, Debug)]
pub struct RunTally {
    run: Run,
    tally: SummaryTally,
    times: Vec<f64>,
    lost: usize,
    cases: CaseResults,
    /// The trials that lost most so far, by what they kept.
    worst: BTreeSet<(i64, TrialId)>,
    most: usize,
}

impl RunTally {
    /// A tally for the trials of a run that names at most so many that lost points.
    pub fn of(run: &Run, most: usize) -> Self {
        let tally = SummaryTally::of(run);
        Self {
            run: run.without_cases(),
            tally,
            times: Vec::new(),
            lost: 0,
            cases: CaseResults::default(),
            worst: BTreeSet::new(),
            most,
        }
    }

    /// Takes one trial into account.
    pub fn add(&mut self, trial: &TrialSummary) {
        self.tally.add(trial);
        self.cases.add(trial);
        self.times.extend(trial.latency().map(|total| total.as_secs_f64()));
        let Some(value) = trial.outcome().and_then(Outcome::value).filter(|value| *value < 1.0)
        else {
            return;
        };
        self.lost += 1;
        let kept = billionths(value);
        // Most trials are no worse than the worst known, and their names need not be copied.
        if self.worst.len() >= self.most && self.worst.last().is_none_or(|last| kept > last.0) {
            return;
        }
        self.worst.insert((kept, trial.id.clone()));
        if self.worst.len() > self.most {
            self.worst.pop_last();
        }
    }

    /// Takes note of a sample that cannot be read.
    pub fn add_damaged(&mut self, error: &LogError) {
        self.tally.add_damaged(error);
    }

    /// The run, once all its trials are in. `planned` is the run with the list of its cases.
    pub fn finish(
        self,
        planned: &Run,
        label: impl Into<String>,
        finished: bool,
        price: Option<TokenPrice>,
    ) -> ReportedRun {
        let summary = self.tally.summary(planned, price);
        ReportedRun {
            label: label.into(),
            created: self.run.created,
            finished,
            times: Distribution::of(summary.subject.name.clone(), self.times),
            summary,
            lost: self.lost,
            worst: self.worst.into_iter().map(|(_, id)| id).collect(),
            exhibits: Vec::new(),
            cases: self.cases,
            failing: Vec::new(),
            change: None,
            gates: Vec::new(),
            run: self.run,
        }
    }
}

/// A score as a whole number, which has an order.
#[expect(clippy::cast_possible_truncation, reason = "a score, scaled; what is beyond is cut off")]
fn billionths(value: f64) -> i64 {
    (value * 1e9).round() as i64
}
