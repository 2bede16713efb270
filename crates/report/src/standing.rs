//! Whether a case passes: one vocabulary for terminal, viewer, report and test results.

use serde::{Deserialize, Serialize};
use toolgauge_core::Trial;

/// The scorer that grades are given on.
pub const GRADED_SCORER: &str = "chatbot";

/// What arithmetic leaves behind must not cost a standing.
pub(crate) const ROUNDING: f64 = 1e-9;

/// Less than any share of a point that a scorer gives.
const SOMETHING: f64 = 1e-6;

/// Whether a case passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CaseStanding {
    /// Good enough.
    Pass,
    /// Some of it is right.
    Partial,
    /// Not good enough.
    Fail,
    /// There is no score.
    Unscored,
}

impl CaseStanding {
    /// Every standing, in the order lists show them.
    pub const ALL: [Self; 4] = [Self::Pass, Self::Partial, Self::Fail, Self::Unscored];

    /// The word shown to people and used in addresses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Partial => "partial",
            Self::Fail => "fail",
            Self::Unscored => "unscored",
        }
    }
}

/// From which score on a case passes, and from which it is partial.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Thresholds {
    /// It passes from here on.
    pub pass: f64,
    /// It is partial from here on, and fails below.
    pub partial: f64,
}

impl Default for Thresholds {
    /// Those of graded questions.
    fn default() -> Self {
        Self { pass: 0.7, partial: 0.4 }
    }
}

impl Thresholds {
    /// What calls are held to: a case passes if nothing was lost, and fails if everything was.
    pub const ALL_OR_NOTHING: Self = Self { pass: 1.0, partial: SOMETHING };

    /// The thresholds for the scores of a scorer. `graded` are those for questions that are
    /// graded; every other score is held to all or nothing.
    pub fn of_scorer(scorer: &str, graded: Self) -> Self {
        if scorer == GRADED_SCORER { graded } else { Self::ALL_OR_NOTHING }
    }

    /// Where the judgement of a trial that counts stands, by these thresholds for graded questions.
    pub fn standing_of(self, trial: &Trial) -> CaseStanding {
        let counted = trial.outcomes.first();
        let scorer = counted.map_or("", |(scorer, _)| scorer.as_str());
        let value = counted.and_then(|(_, outcome)| outcome.value());
        Self::of_scorer(scorer, self).standing(value)
    }

    /// Where a score stands.
    pub fn standing(self, score: Option<f64>) -> CaseStanding {
        match score.map(|score| score + ROUNDING) {
            None => CaseStanding::Unscored,
            Some(score) if score >= self.pass => CaseStanding::Pass,
            Some(score) if score >= self.partial => CaseStanding::Partial,
            Some(_) => CaseStanding::Fail,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_pass_whole_and_answers_pass_from_a_threshold_on() {
        let scores = [None, Some(0.0), Some(0.001), Some(0.5), Some(0.92), Some(1.0)];
        let names = |scorer| {
            let thresholds = Thresholds::of_scorer(scorer, Thresholds::default());
            scores.map(|score| thresholds.standing(score).name())
        };
        assert_eq!(
            names("tool_calls"),
            ["unscored", "fail", "partial", "partial", "partial", "pass"]
        );
        assert_eq!(names(GRADED_SCORER), ["unscored", "fail", "fail", "partial", "pass", "pass"]);
    }
}
