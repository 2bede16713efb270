//! What each case of a run came to: its mean score, its standing and its worst trial.

use indexmap::IndexMap;
use serde::Serialize;
use toolgauge_core::{CaseId, Outcome, TrialId};
use toolgauge_log::TrialSummary;

use crate::number::{count, plural};
use crate::standing::{CaseStanding, Thresholds};

/// What one case came to.
#[derive(Clone, Debug, PartialEq)]
pub struct CaseResult {
    /// The case, by its id.
    pub case: CaseId,
    /// What was asked, or its first part; empty where that is read from the trial.
    pub sentence: String,
    /// The mean of its scored trials.
    pub score: Option<f64>,
    /// Whether it passes.
    pub standing: CaseStanding,
    /// The trial with the lowest score; any one where none has a score.
    pub worst: TrialId,
}

/// How many cases have which standing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct StandingCounts {
    /// Cases that pass.
    pub pass: usize,
    /// Cases that are right in part.
    pub partial: usize,
    /// Cases that fail.
    pub fail: usize,
    /// Cases without a score.
    pub unscored: usize,
}

impl StandingCounts {
    /// Counts one more.
    pub fn add(&mut self, standing: CaseStanding) {
        *match standing {
            CaseStanding::Pass => &mut self.pass,
            CaseStanding::Partial => &mut self.partial,
            CaseStanding::Fail => &mut self.fail,
            CaseStanding::Unscored => &mut self.unscored,
        } += 1;
    }

    /// How many of these things pass, and what became of the others: `8 of 12 cases pass, 4 fail`.
    pub fn words(self, thing: &str) -> String {
        let Self { pass, partial, fail, unscored } = self;
        let all = pass + partial + fail + unscored;
        if pass == all && all > 1 {
            return format!("all {} {} pass", count(all as u64), plural(all, thing));
        }
        let word = if pass == 1 { "passes" } else { "pass" };
        let (passed, things) = (count(pass as u64), plural(all, thing));
        let mut words = vec![format!("{passed} of {} {things} {word}", count(all as u64))];
        let failing = if fail == 1 { "fails" } else { "fail" };
        let others = [(partial, "partial"), (fail, failing), (unscored, "unscored")];
        let others = others.iter().filter(|(number, _)| *number > 0);
        words.extend(others.map(|(number, word)| format!("{} {word}", count(*number as u64))));
        words.join(", ")
    }
}

/// The cases of a run, as trials come in.
#[derive(Clone, Debug, Default)]
pub struct CaseResults {
    cases: IndexMap<CaseId, CaseScores>,
}

/// A few dozen bytes: a log may have hundreds of thousands of cases.
#[derive(Clone, Copy, Debug)]
struct CaseScores {
    sum: f64,
    scored: u32,
    /// The number of the trial with the lowest score.
    worst: u32,
    lowest: f64,
}

impl CaseResults {
    /// Adds a trial by the judgement that counts.
    pub fn add(&mut self, trial: &TrialSummary) {
        let number = trial.id.trial;
        let unknown = CaseScores { sum: 0.0, scored: 0, worst: number, lowest: f64::INFINITY };
        let case = self.cases.entry(trial.id.case.clone()).or_insert(unknown);
        let Some(value) = trial.outcome().and_then(Outcome::value) else { return };
        case.sum += value;
        case.scored += 1;
        // Trials end in any order: of equal ones the first by its number is shown.
        let is_first = number < case.worst;
        if value < case.lowest || (value <= case.lowest && is_first) {
            (case.lowest, case.worst) = (value, number);
        }
    }

    /// How many cases have which standing.
    pub fn counts(&self, thresholds: Thresholds) -> StandingCounts {
        let mut counts = StandingCounts::default();
        for case in self.cases.values() {
            counts.add(thresholds.standing(case.score()));
        }
        counts
    }

    /// The cases of one standing.
    pub(crate) fn with_standing(
        &self,
        standing: CaseStanding,
        thresholds: Thresholds,
    ) -> impl Iterator<Item = &CaseId> {
        let is_one = move |scores: &CaseScores| thresholds.standing(scores.score()) == standing;
        self.cases.iter().filter(move |(_, scores)| is_one(scores)).map(|(case, _)| case)
    }

    /// The scored cases that do not pass, the worst first; equal ones in this order.
    pub fn not_passing(&self, thresholds: Thresholds, order: &[CaseId]) -> Vec<CaseResult> {
        let places: IndexMap<&CaseId, usize> = order.iter().zip(0..).collect();
        let result = |(case, scores): (&CaseId, &CaseScores)| CaseResult {
            case: case.clone(),
            sentence: String::new(),
            score: scores.score(),
            standing: thresholds.standing(scores.score()),
            worst: TrialId { case: case.clone(), trial: scores.worst },
        };
        let lost = |found: &CaseResult| {
            matches!(found.standing, CaseStanding::Partial | CaseStanding::Fail)
        };
        let mut found: Vec<CaseResult> = self.cases.iter().map(result).filter(lost).collect();
        found.sort_by(|one, other| {
            let place = |result: &CaseResult| places.get(&result.case).copied();
            let by_score = one.score.unwrap_or(0.0).total_cmp(&other.score.unwrap_or(0.0));
            by_score.then_with(|| place(one).cmp(&place(other)))
        });
        found
    }
}

impl CaseScores {
    fn score(self) -> Option<f64> {
        (self.scored > 0).then(|| self.sum / f64::from(self.scored))
    }
}
