//! Whether a verdict that another tool recorded is the one that its rule gives.

use indexmap::IndexMap;
use serde::Serialize;
use toolgauge_core::{Measure, Outcome, TrialId};
use toolgauge_log::TrialSummary;

use crate::case_places::CasePlaces;

/// How far apart two marks may be and still be the same.
const SAME: f64 = 1e-9;

/// Recorded and recomputed verdicts of one rule, side by side.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RecordedCheck {
    /// How many trials have both.
    pub compared: usize,
    /// The trials in which they differ.
    pub different: Vec<TrialId>,
    /// How many trials have a recorded verdict that only the tool itself can compute.
    pub recorded_only: usize,
}

impl RecordedCheck {
    /// Takes the outcomes of one trial into account.
    pub(crate) fn add_to(checks: &mut IndexMap<String, Self>, trial: &TrialSummary) {
        for (scorer, outcome) in &trial.outcomes {
            let Some(score) = Outcome::score(outcome) else { continue };
            let Some(recorded) = score.measure(Measure::Recorded) else { continue };
            let check = checks.entry(scorer.clone()).or_default();
            match score.measure(Measure::Recomputed) {
                Some(recomputed) => {
                    check.compared += 1;
                    if (recorded - recomputed).abs() > SAME {
                        check.different.push(trial.id.clone());
                    }
                }
                None => check.recorded_only += 1,
            }
        }
    }

    /// The same in the order of the plan.
    pub(crate) fn sorted(
        checks: &IndexMap<String, Self>,
        cases: &CasePlaces,
    ) -> IndexMap<String, Self> {
        let mut sorted = checks.clone();
        for check in sorted.values_mut() {
            check.different.sort_by_key(|trial| (cases.place(&trial.case), trial.trial));
        }
        sorted
    }

    /// What there is to say of the verdicts of a rule.
    pub fn words(&self, scorer: &str) -> String {
        let Self { compared, different, recorded_only } = self;
        let words = format!(
            "recorded and recomputed `{scorer}` differ in {} of {compared}",
            different.len()
        );
        match recorded_only {
            0 => words,
            only => format!("{words}; {only} recorded only"),
        }
    }
}
