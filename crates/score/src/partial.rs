//! The partial scorer: how near the calls that were made come to the expected ones.

mod assigned;
mod tau;

use serde::{Deserialize, Serialize};
use serde_json::Map;
use toolgauge_core::{
    ArgumentRules, Arguments, Cause, ExpectedCall, Loss, Malformation, Score, ToolCall,
};

use crate::call_loss::at_made;
use crate::matching::{Explainer, Matcher};

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
    pub pairing: Pairing,
}

/// Which call is held against which expected one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pairing {
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
        Self { name_weight: Self::NAME_WEIGHT, pairing: Pairing::Tau }
    }

    /// The scorer that pairs one to one.
    pub fn assignment() -> Self {
        Self { name_weight: Self::NAME_WEIGHT, pairing: Pairing::Assignment }
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
        let judge = Judge { matcher: Matcher::graded(rules), name_weight: self.name_weight };
        match self.pairing {
            Pairing::Tau => tau::score(&judge, expected, made),
            Pairing::Assignment => assigned::score(&judge, expected, made),
        }
    }
}

/// Judges one made call against one expected call.
struct Judge<'r> {
    matcher: Matcher<'r>,
    name_weight: f64,
}

impl Judge<'_> {
    /// The credit of a call to the expected tool.
    fn credit(&self, expected: &ExpectedCall, made: &ToolCall) -> f64 {
        let arguments = self.argument_credit(expected, &made.arguments);
        // Not every weight and its rest add up to 1 in binary; a right call is worth 1 anyway.
        if arguments >= 1.0 { 1.0 } else { self.name_weight + (1.0 - self.name_weight) * arguments }
    }

    fn argument_credit(&self, expected: &ExpectedCall, arguments: &Arguments) -> f64 {
        match arguments {
            Arguments::Object(object) => self.matcher.object(&expected.arguments, object).credit,
            Arguments::Malformed { why: Malformation::NotJson(_), .. } => {
                self.matcher.object(&expected.arguments, &Map::new()).credit
            }
            Arguments::Malformed { .. } => 0.0,
        }
    }

    /// The losses of a call to the expected tool that did not get full credit, when a full
    /// credit is worth so many points.
    fn losses(&self, expected: &ExpectedCall, made: &ToolCall, points: f64) -> Vec<Loss> {
        let points = points * (1.0 - self.name_weight);
        match &made.arguments {
            Arguments::Object(object) => Explainer::new(self.matcher, &expected.name).arguments(
                &expected.arguments,
                object,
                points,
            ),
            Arguments::Malformed { .. } => vec![at_made(Cause::MalformedCall, made, points)],
        }
    }
}

/// Malformed calls that cost nothing, reported all the same. `cost` tells those that did.
fn harmless_malformed_calls(made: &[&ToolCall], cost: &[usize]) -> impl Iterator<Item = Loss> {
    made.iter()
        .enumerate()
        .filter(|(at, call)| call.arguments.as_object().is_none() && !cost.contains(at))
        .map(|(_, call)| at_made(Cause::MalformedCall, call, 0.0))
}

/// What one of so many expected calls is worth.
fn share(count: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "no list in memory has 2^53 items")]
    let count = count as f64;
    1.0 / count
}
