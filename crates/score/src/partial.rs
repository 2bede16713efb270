//! The partial scorer: how near the calls that were made come to the expected ones.

mod assigned;
mod judge;
mod tau;

use serde::{Deserialize, Serialize};
use toolgauge_core::{ArgumentRules, ExpectedCall, Score, ToolCall};

use self::judge::CallJudge;
use crate::matching::Matcher;

/// Gives partial credit: per expected call a share for the tool's name and the rest for its
/// arguments, compared recursively.
///
/// The value is the mean over the expected calls. Where no call is expected it is 1 if none was
/// made and 0 otherwise. The points of the losses add up to what the value lacks of 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PartialScorer {
    /// What calling the right tool is worth; its arguments are worth the rest of 1.
    pub name_weight: f64,
    /// Which call is held against which.
    pub pairing: CallPairing,
}

/// Which call is held against which expected one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallPairing {
    /// Each expected call takes the best call that was made; a call may be taken twice, and
    /// extra calls cost nothing. The rule of the first tau-bench post-processors.
    Tau,
    /// Each call is taken once, so that the sum of credits is as large as can be. Extra calls
    /// are reported, and lower the `precision` and `f1` beside the value.
    #[default]
    Assignment,
}

impl Default for PartialScorer {
    fn default() -> Self {
        Self::assignment()
    }
}

impl PartialScorer {
    /// What the name of the right tool is worth unless told otherwise.
    pub const NAME_WEIGHT: f64 = 0.4;

    /// The scorer that pairs as tau-bench post-processors do.
    pub fn tau() -> Self {
        Self { name_weight: Self::NAME_WEIGHT, pairing: CallPairing::Tau }
    }

    /// The scorer that pairs one to one.
    pub fn assignment() -> Self {
        Self { name_weight: Self::NAME_WEIGHT, pairing: CallPairing::Assignment }
    }

    /// Holds the calls that were made against the expected ones.
    pub fn score(
        &self,
        expected: &[ExpectedCall],
        rules: &ArgumentRules,
        made: &[ToolCall],
    ) -> Score {
        let made: Vec<&ToolCall> = made.iter().collect();
        self.score_calls(expected, rules, &made)
    }

    pub(crate) fn score_calls(
        &self,
        expected: &[ExpectedCall],
        rules: &ArgumentRules,
        made: &[&ToolCall],
    ) -> Score {
        let judge = CallJudge { matcher: Matcher::graded(rules), name_weight: self.name_weight };
        match self.pairing {
            CallPairing::Tau => tau::score(&judge, expected, made),
            CallPairing::Assignment => assigned::score(&judge, expected, made),
        }
    }
}
