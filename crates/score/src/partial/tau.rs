//! Pairing as tau-bench post-processors do it: the best call for each expected one.

use toolgauge_core::{Cause, ExpectedCall, Score, ToolCall};

use super::judge::{CallJudge, harmless_malformed_calls, share};
use crate::call_loss::{at_expected, at_made};

pub(super) fn score(judge: &CallJudge<'_>, expected: &[ExpectedCall], made: &[&ToolCall]) -> Score {
    if expected.is_empty() {
        return nothing_expected(made);
    }
    let points = share(expected.len());
    let mut total = 0.0;
    let mut losses = Vec::new();
    let mut cost = Vec::new();
    let mut pairing = Vec::with_capacity(expected.len());
    for (place, call) in expected.iter().enumerate() {
        let best = best(judge, call, made);
        pairing.push(best.map(|(at, _)| at));
        let Some((at, credit)) = best else {
            let missing = at_expected(Cause::MissingCall, call, points);
            losses.push(missing.at_calls(Some(place), None));
            continue;
        };
        total += credit;
        if credit < 1.0 {
            cost.push(at);
            let lost = judge.losses(call, made[at], points).into_iter();
            losses.extend(lost.map(|loss| loss.at_calls(Some(place), Some(at))));
        }
    }
    losses.extend(harmless_malformed_calls(made, &cost));
    #[expect(clippy::cast_precision_loss, reason = "no list in memory has 2^53 items")]
    let value = total / expected.len() as f64;
    Score { value, losses, pairing, ..Score::default() }
}

/// The best call to the expected tool and its credit; the first one where several are as good.
fn best(
    judge: &CallJudge<'_>,
    expected: &ExpectedCall,
    made: &[&ToolCall],
) -> Option<(usize, f64)> {
    let mut best: Option<(usize, f64)> = None;
    for (at, call) in made.iter().enumerate().filter(|(_, call)| call.name == expected.name) {
        let credit = judge.credit(expected, call);
        if best.is_none_or(|(_, most)| credit > most) {
            best = Some((at, credit));
        }
        if credit >= 1.0 {
            break;
        }
    }
    best
}

fn nothing_expected(made: &[&ToolCall]) -> Score {
    let mut losses = Vec::new();
    if let Some(first) = made.first() {
        losses.push(at_made(Cause::ShouldNotHaveCalled, first, 1.0).at_calls(None, Some(0)));
    }
    losses.extend(harmless_malformed_calls(made, &[]));
    let value = if made.is_empty() { 1.0 } else { 0.0 };
    Score { value, losses, ..Score::default() }
}
