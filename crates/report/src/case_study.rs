//! Cases over several runs: how hard each is, whether it tells good subjects from bad ones, and
//! which are probably wrong themselves.
//!
//! The figures are those of classical test theory: the difficulty of an item, and its
//! discrimination as the correlation with the rest of the test (the corrected item-total
//! correlation; Lord & Novick 1968, Henrysson 1963).

use indexmap::IndexMap;
use serde::Serialize;
use toolgauge_core::{CaseId, Outcome, Run};
use toolgauge_log::TrialSummary;
use toolgauge_stats::{Confidence, correlation};

use crate::near_duplicates::{AskedCase, NearDuplicates, near_duplicates};

/// A run that scores at least this on the other cases does well.
const CAPABLE: f64 = 0.5;
/// A subject is good if its score is at least this share of the way from the worst to the best.
const GOOD: f64 = 0.5;
/// From this share of trials on, disagreement between scorers makes a case suspect.
const DISAGREES: f64 = 0.5;
/// At most this discrimination makes a case suspect, if there are enough subjects to tell.
const AGAINST: f64 = -0.3;
/// As many subjects must have run a case before its discrimination is told.
const ENOUGH: usize = 3;
/// And as many before it is held against the case: three points correlate easily.
const ENOUGH_TO_SUSPECT: usize = 5;

/// Cases over all runs, the suspects first.
#[derive(Clone, Debug, Serialize)]
pub struct CaseStudy {
    /// The version of this form.
    pub version: u32,
    /// The runs, with their scores.
    pub subjects: Vec<StudiedRun>,
    /// The scorer whose judgement is studied, and those it is held against.
    pub scorers: Vec<String>,
    /// The cases: suspects first, the most suspicious before the others; then the hardest.
    pub cases: Vec<CaseFigures>,
    /// Cases that ask nearly the same.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub near_duplicates: Vec<NearDuplicates>,
}

/// One of the runs.
#[derive(Clone, Debug, Serialize)]
pub struct StudiedRun {
    /// The name it is shown by.
    pub label: String,
    /// Who was measured.
    pub subject: String,
    /// Its mean over cases.
    pub score: f64,
    /// The cases it has a score for.
    pub cases: usize,
}

/// What is known of one case.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CaseFigures {
    /// The case, by its id.
    pub case: CaseId,
    /// What was asked.
    pub sentence: String,
    /// Why it deserves a look, if it does.
    pub suspicions: Vec<Suspicion>,
    /// The runs that have a score for it.
    pub runs: usize,
    /// Its scored trials over all runs.
    pub trials: usize,
    /// One less its mean score over runs: 0 is easy, 1 is hard.
    pub difficulty: f64,
    /// The share of its trials that passed.
    pub passed: f64,
    /// The correlation of its scores with those of the rest of the suite, over runs; absent
    /// below three runs, or where all runs agree on it.
    pub discrimination: Option<f64>,
    /// The share of runs, among those with several trials of it, in which trials disagree.
    pub flakiness: Option<f64>,
    /// The share of trials on which scorers disagree whether it passed; absent with one scorer.
    pub disagreement: Option<f64>,
}

/// Why a case deserves a look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Suspicion {
    /// Every good subject fails and some weak one passes.
    OnlyWeakPass,
    /// Scorers disagree about it, such as the calls being right and the end state wrong.
    ScorersDisagree,
    /// The better the subject, the worse it does here.
    Backwards,
    /// No trial of any subject passed.
    NeverPasses,
    /// Trials of one and the same subject disagree.
    Flaky,
    /// Every trial of every subject passed: it tells nobody apart.
    AlwaysPasses,
}

impl Suspicion {
    /// The words shown to people.
    pub fn words(self) -> &'static str {
        match self {
            Self::OnlyWeakPass => "good subjects fail, weak ones pass",
            Self::ScorersDisagree => "scorers disagree",
            Self::Backwards => "the better the subject, the worse",
            Self::NeverPasses => "never passes",
            Self::Flaky => "flaky",
            Self::AlwaysPasses => "always passes",
        }
    }
}

/// Adds runs up to a [`CaseStudy`].
#[derive(Clone, Debug, Default)]
pub struct CaseTally {
    runs: Vec<(String, String)>,
    scorers: Vec<String>,
    cases: IndexMap<CaseId, CaseRecord>,
}

#[derive(Clone, Debug, Default)]
struct CaseRecord {
    sentence: String,
    gold: Option<String>,
    group: Option<String>,
    /// One entry for each run that has a score.
    runs: Vec<RunRecord>,
    compared: usize,
    disagreed: usize,
}

#[derive(Clone, Copy, Debug, Default)]
struct RunRecord {
    run: usize,
    trials: usize,
    passed: usize,
    sum: f64,
}

impl RunRecord {
    fn mean(&self) -> f64 {
        self.sum / count(self.trials)
    }
}

impl CaseTally {
    /// Begins a further run; the trials added from now on are its own.
    pub fn begin(&mut self, label: impl Into<String>, run: &Run) {
        self.runs.push((label.into(), run.subject.name.clone()));
        for scorer in &run.scorers {
            if !self.scorers.contains(scorer) {
                self.scorers.push(scorer.clone());
            }
        }
    }

    /// Takes in a trial of the run begun last.
    pub fn add(&mut self, trial: &TrialSummary) {
        let run = self.runs.len().saturating_sub(1);
        let Some(value) = trial.outcome().and_then(Outcome::value) else { return };
        let record = self.cases.entry(trial.id.case.clone()).or_default();
        if record.sentence.is_empty() {
            record.sentence.clone_from(&trial.sentence);
            record.gold.clone_from(&trial.gold);
            record.group.clone_from(&trial.group);
        }
        let passed = value >= 1.0;
        // The first outcome is the one that counts; an unscored other one is no opinion.
        let others = trial.outcomes.values().skip(1).filter_map(Outcome::value);
        let mut others = others.map(|other| (other >= 1.0) != passed).peekable();
        if others.peek().is_some() {
            record.compared += 1;
            record.disagreed += usize::from(others.any(|disagrees| disagrees));
        }
        // Runs are added one after another, so that only the last record can be of this run.
        match record.runs.last_mut() {
            Some(last) if last.run == run => {
                last.trials += 1;
                last.passed += usize::from(passed);
                last.sum += value;
            }
            _ => record.runs.push(RunRecord {
                run,
                trials: 1,
                passed: usize::from(passed),
                sum: value,
            }),
        }
    }

    /// What all runs together say.
    pub fn study(self) -> CaseStudy {
        let totals = totals(&self);
        let mut cases: Vec<CaseFigures> =
            self.cases.iter().map(|(case, record)| figures(case, record, &totals)).collect();
        cases.sort_by(|one, other| {
            let worst = |case: &CaseFigures| {
                // The variants stand in the order of their gravity, so that the least is the worst.
                let worst = case.suspicions.iter().min().copied();
                // Without suspicion comes last, and those that always pass just before.
                (worst.is_none(), worst)
            };
            worst(one)
                .cmp(&worst(other))
                .then(other.difficulty.total_cmp(&one.difficulty))
                .then_with(|| one.case.cmp(&other.case))
        });
        let asked: Vec<AskedCase<'_>> = self
            .cases
            .iter()
            .map(|(case, record)| AskedCase {
                case,
                sentence: &record.sentence,
                gold: record.gold.as_deref(),
                group: record.group.as_deref(),
            })
            .collect();
        let near_duplicates = near_duplicates(&asked);
        let subjects = self.runs.into_iter().zip(&totals);
        let subjects = subjects.map(|((label, subject), total)| StudiedRun {
            label,
            subject,
            score: total.mean(),
            cases: total.cases,
        });
        let subjects = subjects.collect();
        CaseStudy { version: 1, subjects, scorers: self.scorers, cases, near_duplicates }
    }
}

/// One run's sum over cases.
#[derive(Clone, Copy, Debug, Default)]
struct Total {
    sum: f64,
    cases: usize,
}

impl Total {
    fn mean(&self) -> f64 {
        if self.cases == 0 { 0.0 } else { self.sum / count(self.cases) }
    }

    /// The mean over all other cases.
    fn without(&self, value: f64) -> Option<f64> {
        // A case that is part of the total it is held against would always correlate with it a
        // little.
        (self.cases > 1).then(|| (self.sum - value) / count(self.cases - 1))
    }
}

fn totals(tally: &CaseTally) -> Vec<Total> {
    let mut totals = vec![Total::default(); tally.runs.len()];
    for run in tally.cases.values().flat_map(|case| &case.runs) {
        totals[run.run].sum += run.mean();
        totals[run.run].cases += 1;
    }
    totals
}

fn figures(case: &CaseId, record: &CaseRecord, totals: &[Total]) -> CaseFigures {
    let trials: usize = record.runs.iter().map(|run| run.trials).sum();
    let passed: usize = record.runs.iter().map(|run| run.passed).sum();
    let mean = record.runs.iter().map(RunRecord::mean).sum::<f64>() / count(record.runs.len());
    let repeated: Vec<&RunRecord> = record.runs.iter().filter(|run| run.trials > 1).collect();
    let flipped = repeated.iter().filter(|run| run.passed > 0 && run.passed < run.trials).count();
    let mut figures = CaseFigures {
        case: case.clone(),
        sentence: record.sentence.clone(),
        suspicions: Vec::new(),
        runs: record.runs.len(),
        trials,
        difficulty: 1.0 - mean,
        passed: count(passed) / count(trials),
        discrimination: discrimination(record, totals),
        flakiness: (!repeated.is_empty()).then(|| count(flipped) / count(repeated.len())),
        disagreement: (record.compared > 0)
            .then(|| count(record.disagreed) / count(record.compared)),
    };
    figures.suspicions = suspicions(&figures, record, totals);
    figures
}

/// The correlation of the case's scores with the runs' scores on all other cases: the
/// point-biserial one where the case is passed or failed.
fn discrimination(record: &CaseRecord, totals: &[Total]) -> Option<f64> {
    let pairs = record.runs.iter().filter_map(|run| {
        let value = run.mean();
        // Values that agree but for rounding have to agree: they correlate with nothing.
        let rounded = |value: f64| (value * 1e9).round() / 1e9;
        Some((rounded(value), rounded(totals[run.run].without(value)?)))
    });
    let pairs: Vec<(f64, f64)> = pairs.collect();
    let found = (pairs.len() >= ENOUGH).then(|| correlation(&pairs, Confidence::P95));
    found.flatten().map(|found| found.r)
}

fn suspicions(figures: &CaseFigures, record: &CaseRecord, totals: &[Total]) -> Vec<Suspicion> {
    let mut found = Vec::new();
    if only_weak_pass(record, totals) {
        found.push(Suspicion::OnlyWeakPass);
    }
    if figures.disagreement.is_some_and(|share| share >= DISAGREES) {
        found.push(Suspicion::ScorersDisagree);
    }
    let backwards = figures.discrimination.is_some_and(|found| found <= AGAINST);
    if backwards && figures.runs >= ENOUGH_TO_SUSPECT {
        found.push(Suspicion::Backwards);
    }
    if record.runs.iter().all(|run| run.passed == 0) && a_capable_run_fails(record, totals) {
        found.push(Suspicion::NeverPasses);
    }
    if figures.flakiness.is_some_and(|share| share > 0.5) {
        found.push(Suspicion::Flaky);
    }
    if record.runs.iter().all(|run| run.passed == run.trials) {
        found.push(Suspicion::AlwaysPasses);
    }
    found
}

/// Whether some run that does well on the other cases has no success with this one. That weak
/// subjects alone fail a case says nothing against the case.
fn a_capable_run_fails(record: &CaseRecord, totals: &[Total]) -> bool {
    let elsewhere = |run: &RunRecord| totals[run.run].without(run.mean());
    let capable = |run: &RunRecord| elsewhere(run).is_some_and(|score| score >= CAPABLE);
    record.runs.iter().any(|run| run.passed == 0 && capable(run))
}

/// Whether every good subject fails and some weak one passes. Good and weak are the upper and
/// the lower half of the range of scores, so that it takes two subjects that differ.
fn only_weak_pass(record: &CaseRecord, totals: &[Total]) -> bool {
    let scores = || record.runs.iter().map(|run| totals[run.run].mean());
    let low = scores().fold(f64::INFINITY, f64::min);
    let high = scores().fold(f64::NEG_INFINITY, f64::max);
    // Subjects that score alike cannot be divided into good and weak ones.
    if high - low < 0.02 {
        return false;
    }
    let good = |run: &RunRecord| totals[run.run].mean() >= low + GOOD * (high - low);
    let (good, weak): (Vec<&RunRecord>, Vec<&RunRecord>) =
        record.runs.iter().partition(|r| good(r));
    good.iter().all(|run| run.passed == 0) && weak.iter().any(|run| run.passed > 0)
}

#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^52")]
fn count(items: usize) -> f64 {
    items as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn study(runs: &[&[(&str, f64)]]) -> IndexMap<String, CaseFigures> {
        let mut tally = CaseTally::default();
        for (run, values) in runs.iter().enumerate() {
            tally.runs.push((format!("run {run}"), String::new()));
            for (case, value) in *values {
                let record = tally.cases.entry(CaseId::from(*case)).or_default();
                let passed = usize::from(*value >= 1.0);
                record.runs.push(RunRecord { run, trials: 1, passed, sum: *value });
            }
        }
        let cases = tally.study().cases.into_iter();
        cases.map(|figures| (figures.case.to_string(), figures)).collect()
    }

    #[test]
    fn discrimination_is_the_correlation_with_the_rest() {
        // numpy.corrcoef([1, 1, 0, 0], [0.5, 1.0, 0.5, 0.0])[0, 1] = 0.7071067811865475
        let cases = study(&[
            &[("a", 1.0), ("b", 1.0), ("c", 0.0)],
            &[("a", 1.0), ("b", 1.0), ("c", 1.0)],
            &[("a", 0.0), ("b", 1.0), ("c", 0.0)],
            &[("a", 0.0), ("b", 0.0), ("c", 0.0)],
        ]);
        let found = cases["a"].discrimination.unwrap();
        assert!((found - std::f64::consts::FRAC_1_SQRT_2).abs() < 1e-12, "{found}");
    }

    #[test]
    fn a_case_that_only_weak_subjects_pass_comes_first() {
        let strong = [("easy", 1.0), ("fair", 1.0), ("hard", 0.0), ("wrong", 0.0), ("solid", 1.0)];
        let weak = [("easy", 1.0), ("fair", 0.0), ("hard", 0.0), ("wrong", 1.0), ("solid", 0.0)];
        let cases = study(&[&strong, &strong, &weak]);
        let order: Vec<&str> = cases.keys().map(String::as_str).collect();
        assert_eq!(order, ["wrong", "hard", "easy", "fair", "solid"]);
        assert_eq!(cases["wrong"].suspicions, [Suspicion::OnlyWeakPass]);
        assert_eq!(cases["hard"].suspicions, [Suspicion::NeverPasses]);
        assert_eq!(cases["easy"].suspicions, [Suspicion::AlwaysPasses]);
        assert_eq!(cases["fair"].suspicions, []);
    }

    #[test]
    fn what_weak_subjects_alone_fail_is_not_suspect() {
        let weak = [("a", 1.0), ("b", 0.0), ("c", 0.0), ("d", 0.0)];
        let cases = study(&[&weak]);
        assert!(["b", "c", "d"].iter().all(|case| cases[*case].suspicions.is_empty()));
        let strong = [("a", 1.0), ("b", 1.0), ("c", 1.0), ("d", 0.0)];
        let cases = study(&[&weak, &strong]);
        assert_eq!(cases["d"].suspicions, [Suspicion::NeverPasses]);
        assert_eq!(cases["b"].suspicions, []);
    }

    #[test]
    fn two_subjects_say_nothing_about_discrimination() {
        let cases = study(&[&[("a", 1.0), ("b", 0.0)], &[("a", 0.0), ("b", 1.0)]]);
        assert_eq!(cases["a"].discrimination, None);
    }
}
