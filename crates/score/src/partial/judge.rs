//! One call held against another: its credit, and what it loses.

use serde_json::Map;
use toolgauge_core::{Arguments, Cause, ExpectedCall, Loss, Malformation, ToolCall};

use crate::call_loss::at_made;
use crate::matching::{Explainer, Matcher};

/// Judges one made call against one expected call.
pub(super) struct CallJudge<'r> {
    pub(super) matcher: Matcher<'r>,
    pub(super) name_weight: f64,
}

impl CallJudge<'_> {
    /// The credit of a call to the expected tool.
    pub(super) fn credit(&self, expected: &ExpectedCall, made: &ToolCall) -> f64 {
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
    pub(super) fn losses(
        &self,
        expected: &ExpectedCall,
        made: &ToolCall,
        points: f64,
    ) -> Vec<Loss> {
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
pub(super) fn harmless_malformed_calls(
    made: &[&ToolCall],
    cost: &[usize],
) -> impl Iterator<Item = Loss> {
    made.iter()
        .enumerate()
        .filter(|(at, call)| call.arguments.as_object().is_none() && !cost.contains(at))
        .map(|(at, call)| at_made(Cause::MalformedCall, call, 0.0).at_calls(None, Some(at)))
}

/// What one of so many expected calls is worth.
pub(super) fn share(count: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "no list in memory has 2^53 items")]
    let count = count as f64;
    1.0 / count
}
