//! Pairing one to one, as well as can be.

use indexmap::IndexMap;
use toolgauge_core::{Cause, ExpectedCall, Score, ToolCall};

use super::judge::{CallJudge, harmless_malformed_calls, share};
use crate::assignment;
use crate::call_loss::{at_made, left_over, unmatched};

pub(super) fn score(judge: &CallJudge<'_>, expected: &[ExpectedCall], made: &[&ToolCall]) -> Score {
    let credit = |expected: &ExpectedCall, made: &ToolCall| judge.credit(expected, made);
    let mut pairs = assignment::pair_calls(expected, made, credit);
    let mut total = 0.0;
    let mut losses = Vec::new();
    let mut cost = Vec::new();
    let points = share(expected.len());
    for (place, (call, at)) in expected.iter().zip(&pairs).enumerate() {
        let Some(at) = *at else { continue };
        let credit = judge.credit(call, made[at]);
        total += credit;
        if credit < 1.0 {
            cost.push(at);
            let lost = judge.losses(call, made[at], points).into_iter();
            losses.extend(lost.map(|loss| loss.at_calls(Some(place), Some(at))));
        }
    }
    let mut left_over = left_over(made.len(), &pairs);
    losses.extend(unmatched(expected, made, &mut pairs, &mut left_over, points));
    let surplus = |at: usize| match expected {
        [] => at_made(Cause::ShouldNotHaveCalled, made[at], share(made.len())),
        _ => at_made(Cause::ExtraCall, made[at], 0.0),
    };
    losses.extend(left_over.map(|at| surplus(at).at_calls(None, Some(at))));
    losses.extend(harmless_malformed_calls(made, &cost));
    let measures = measures(total, expected.len(), made.len());
    // Recall would be 1 whatever was called where nothing is expected.
    let value = if expected.is_empty() { measures["f1"] } else { measures["recall"] };
    Score { value, measures, losses, pairing: pairs, ..Score::default() }
}

/// Precision, recall and F1 with credits in the place of hits; all 1 when nothing was expected
/// and nothing done.
fn measures(total: f64, expected: usize, made: usize) -> IndexMap<String, f64> {
    #[expect(clippy::cast_precision_loss, reason = "no list in memory has 2^53 items")]
    let over = |count: usize| total / count as f64;
    let (precision, recall, f1) = match (expected, made) {
        (0, 0) => (1.0, 1.0, 1.0),
        (0, _) => (0.0, 1.0, 0.0),
        (_, 0) => (0.0, 0.0, 0.0),
        _ => (over(made), over(expected), 2.0 * over(expected + made)),
    };
    IndexMap::from([
        ("precision".to_owned(), precision),
        ("recall".to_owned(), recall),
        ("f1".to_owned(), f1),
    ])
}
