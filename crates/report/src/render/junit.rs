//! Gates and cases as `JUnit` reports, which every build server can show.
//!
//! A test is named by its suite and its case, or by its suite and the gate: the same on every run,
//! so that a build server can follow it over time.

use std::io;
use std::time::Duration;

use indexmap::IndexMap;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use serde_json::Value;
use toolgauge_core::{CaseId, Loss, Outcome, Run, Trial, TrialFailure, UnscoredReason};
use toolgauge_log::TrialSummary;

use crate::gate::GateResult;
use crate::harmless::{self, line};
use crate::json_text::in_a_line;
use crate::number::counted;
use crate::standing::{CaseStanding, Thresholds};

/// How much of an answer and of a value is shown.
const SHOWN: usize = 400;
/// How many lost points of a case are told.
const LOSSES: usize = 20;

/// A report of runs and of the gates they were held to.
#[derive(Debug)]
pub struct JunitReport {
    report: Report,
}

impl JunitReport {
    /// A test for each case of each run, and one for each gate. Runs come with the labels by which
    /// gates name them.
    pub fn of(runs: &[(String, JunitRun)], gates: &[GateResult]) -> Self {
        // Runs of one suite are told apart by what was measured: all of them, so that no name goes
        // to another run when their order changes.
        let name_of = |run: &JunitRun| {
            let same = runs.iter().filter(|(_, other)| other.name == run.name).count();
            let name = &run.name;
            if same > 1 { format!("{name} ({})", run.subject) } else { name.clone() }
        };
        let mut report = Report::new("toolgauge");
        for (_, run) in runs {
            let name = name_of(run);
            let mut suite = TestSuite::new(name.as_str());
            let cases = run.cases.iter();
            let tests = cases.map(|(case, found)| found.test(&name, case, run.thresholds));
            suite.add_test_cases(tests);
            report.add_test_suite(suite);
        }
        if !gates.is_empty() {
            let mut suite = TestSuite::new("gates");
            suite.add_test_cases(gates.iter().map(|result| {
                let run = runs.iter().find(|(label, _)| *label == result.run);
                let name = run.map_or_else(|| result.suite.clone(), |(_, run)| name_of(run));
                gate_test(result, &name)
            }));
            report.add_test_suite(suite);
        }
        Self { report }
    }

    /// Writes the report.
    pub fn write(&self, writer: &mut dyn io::Write) -> io::Result<()> {
        self.report.serialize(writer).map_err(io::Error::other)
    }
}

fn gate_test(result: &GateResult, run: &str) -> TestCase {
    let status = if result.passed {
        TestCaseStatus::success()
    } else {
        let kind = if result.undecided { result.word() } else { "gate" };
        failure(kind, &result.message, &result.to_string())
    };
    let mut test = TestCase::new(line(&result.gate).as_ref(), status);
    test.set_classname(line(run).as_ref());
    test
}

/// A trial that ended for a technical reason: neither passed nor merely left out.
fn error(failure: &TrialFailure) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
    let message = format!("unscored: {}: {}", failure.kind.name(), failure.message);
    status.set_type(failure.kind.name()).set_message(line(&message).as_ref());
    status
}

fn failure(kind: &str, message: &str, description: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    status.set_type(kind).set_message(message).set_description(description);
    status
}

/// The cases of one run, as trials come in.
#[derive(Debug)]
pub struct JunitRun {
    thresholds: Thresholds,
    name: String,
    subject: String,
    cases: IndexMap<CaseId, CaseTrials>,
}

/// What the trials of one case came to.
#[derive(Debug, Default)]
struct CaseTrials {
    trials: u32,
    passed: usize,
    sum: f64,
    time: Duration,
    /// Why the first trial that lost points did.
    lost: Option<String>,
    /// Why a trial has no score.
    unscored: Option<String>,
    /// The first failure for which a trial has no score.
    failed: Option<TrialFailure>,
}

impl JunitRun {
    /// A run without trials yet, named by its suite and its variant. Graded questions are held to
    /// `graded`.
    pub fn new(run: &Run, graded: Thresholds) -> Self {
        let suite = line(&run.suite.name).into_owned();
        let name = match &run.variant {
            Some(variant) => format!("{suite}.{}", line(variant)),
            None => suite,
        };
        let scorer = run.scorers.first().map_or("", String::as_str);
        let thresholds = Thresholds::of_scorer(scorer, graded);
        let subject = line(&run.subject.name).into_owned();
        Self { thresholds, name, subject, cases: IndexMap::new() }
    }

    /// Whether a trial has a score that does not pass.
    pub fn is_lost(&self, trial: &TrialSummary) -> bool {
        let standing = self.thresholds.standing(trial.outcome().and_then(Outcome::value));
        matches!(standing, CaseStanding::Partial | CaseStanding::Fail)
    }

    /// Adds a trial. The whole trial, where it is at hand, says what was expected and answered.
    pub fn add(&mut self, trial: &TrialSummary, whole: Option<&Trial>) {
        let is_lost = self.is_lost(trial);
        let case = self.cases.entry(trial.id.case.clone()).or_default();
        case.time += trial.timings.total;
        match trial.outcome() {
            Some(Outcome::Scored(score)) => {
                case.trials += 1;
                case.passed += usize::from(!is_lost);
                case.sum += score.value;
                if is_lost && case.lost.is_none() {
                    // The losses of a summary are without what was expected and what came instead.
                    let full = whole.and_then(Trial::outcome).and_then(Outcome::score);
                    let losses = full.unwrap_or(score).losses.iter().take(LOSSES).map(reason);
                    let told = [line(&trial.sentence).into_owned()].into_iter();
                    let told: Vec<String> =
                        told.chain(whole.and_then(answered)).chain(losses).collect();
                    case.lost = Some(told.join("\n"));
                }
            }
            Some(Outcome::Unscored(UnscoredReason::Failed(failure))) => {
                case.failed.get_or_insert_with(|| failure.clone());
            }
            Some(Outcome::Unscored(why)) => case.unscored = Some(why.to_string()),
            None => case.unscored = Some("not scored".to_owned()),
        }
    }

    /// Whether the reasons of a case's lost points are still wanted.
    pub fn wants_losses_of(&self, case: &CaseId) -> bool {
        self.cases.get(case).is_none_or(|found| found.lost.is_none())
    }
}

impl CaseTrials {
    fn test(&self, suite: &str, case: &CaseId, thresholds: Thresholds) -> TestCase {
        let mut test = TestCase::new(line(case.as_str()).as_ref(), self.status(thresholds));
        test.set_classname(suite).set_time(self.time);
        test
    }

    /// Passed if the mean of its trials passes, as everywhere else; if none has a score, an error
    /// where trials failed, and otherwise skipped. A failure's type is the standing of the case:
    /// `partial` or `fail`.
    fn status(&self, thresholds: Thresholds) -> TestCaseStatus {
        let mean = (self.trials > 0).then(|| self.sum / f64::from(self.trials));
        let standing = thresholds.standing(mean);
        let (word, lost) = (standing.name(), self.lost.as_deref().unwrap_or_default());
        match standing {
            CaseStanding::Pass => TestCaseStatus::success(),
            CaseStanding::Unscored => {
                if let Some(failure) = &self.failed {
                    return error(failure);
                }
                let mut status = TestCaseStatus::skipped();
                status.set_message(line(self.unscored.as_deref().unwrap_or_default()).as_ref());
                status
            }
            CaseStanding::Partial | CaseStanding::Fail if self.trials == 1 => {
                failure(word, &format!("{word}: scored {:.3}", self.sum), lost)
            }
            CaseStanding::Partial | CaseStanding::Fail => {
                let (passed, all) = (self.passed, counted(self.trials as usize, "trial"));
                failure(word, &format!("{word}: {passed} of {all} pass"), lost)
            }
        }
    }
}

/// What was answered, where the case is about that.
fn answered(trial: &Trial) -> Option<String> {
    trial.case.expectation.answer.as_ref()?;
    let text = trial.transcript.final_text().trim();
    Some(match text {
        "" => "no answer".to_owned(),
        text => format!("answer: {}", harmless::line_within(text, SHOWN)),
    })
}

fn reason(loss: &Loss) -> String {
    let (words, points) = (loss.cause.words(), loss.points);
    let place = format!("{} {}", loss.tool.as_deref().unwrap_or_default(), loss.path);
    let told = |word: &str, value: &Option<Value>| {
        value.as_ref().map(|value| format!("{word} {}", in_a_line(value, SHOWN)))
    };
    let place = Some(line(place.trim()).into_owned()).filter(|place| !place.is_empty());
    let parts = [place, told("expected", &loss.expected), told("got", &loss.actual)];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() {
        return format!("{words} ({points:.3})");
    }
    format!("{words}: {} ({points:.3})", parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_passes_by_the_mean_of_its_trials_as_in_a_summary() {
        let status = |trials, passed, sum, thresholds: Thresholds| {
            let lost = Some("because".to_owned());
            CaseTrials { trials, passed, sum, lost, ..CaseTrials::default() }.status(thresholds)
        };
        let word = |status: TestCaseStatus| match status {
            TestCaseStatus::NonSuccess { message, .. } => message.unwrap().to_string(),
            _ => "passed".to_owned(),
        };
        let graded = Thresholds::default();
        assert_eq!(word(status(2, 1, 1.6, graded)), "passed");
        assert_eq!(word(status(2, 1, 1.2, graded)), "partial: 1 of 2 trials pass");
        let whole = Thresholds::ALL_OR_NOTHING;
        assert_eq!(word(status(2, 1, 1.6, whole)), "partial: 1 of 2 trials pass");
    }

    #[test]
    fn nothing_in_a_name_can_break_the_report() {
        let mut run = JunitRun {
            thresholds: Thresholds::default(),
            name: "s<1>".to_owned(),
            subject: "bot".to_owned(),
            cases: IndexMap::new(),
        };
        let lost = Some("a & b \u{1}]]>".to_owned());
        let found = CaseTrials { trials: 1, lost, ..CaseTrials::default() };
        run.cases.insert(CaseId::from("a<b & \"c\""), found);
        let report = JunitReport::of(&[("log".to_owned(), run)], &[]);
        let mut bytes = Vec::new();
        report.write(&mut bytes).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        assert!(
            text.contains("name=\"a&lt;b &amp; &quot;c&quot;\" classname=\"s&lt;1&gt;\""),
            "{text}"
        );
        assert!(!text.contains('\u{1}') && text.contains("failures=\"1\""), "{text}");
    }
}
