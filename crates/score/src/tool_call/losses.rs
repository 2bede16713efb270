//! Why a response is wrong: the causes behind the verdicts.

use std::borrow::Cow;

use serde_json::Value;
use toolgauge_core::{
    Arguments, CallOrder, Cause, ExpectedCall, Loss, ResponseKind, ToolCall, Verdict,
};

use super::classic;
use super::judgement::{CallVerdicts, subsequence};
use super::scorer::CallComparison;
use crate::call_loss::{at_expected, at_made, left_over, unmatched};
use crate::matching::Explainer;

/// The causes of a failure, and which call was held against each expected one. One point is lost
/// in all; each cause carries the same part of it.
pub(super) fn of(judgement: &CallVerdicts<'_>) -> (Vec<Loss>, Vec<Option<usize>>) {
    let (mut losses, mut pairs) = (Vec::new(), Vec::new());
    if let Some(expected) = judgement.way.calls {
        let expected = match judgement.scorer.comparison {
            CallComparison::ByRules => Cow::Borrowed(expected),
            CallComparison::Classic => Cow::Owned(classic::written_out(expected)),
        };
        pairs = of_calls(judgement, &expected, &mut losses);
    }
    of_form(judgement, &mut losses);
    // Before the calls in the text are added: those are numbered among all calls already.
    judgement.response.made.number_among_all(&mut losses, &mut pairs);
    of_text(judgement, &mut losses);
    of_kind(judgement, &mut losses);
    if losses.is_empty() {
        // The classic comparison can fail where ours finds nothing amiss.
        losses.push(Loss::new(Cause::WrongValue, 1.0));
    }
    #[expect(clippy::cast_precision_loss, reason = "no list in memory has 2^53 items")]
    let points = 1.0 / losses.len() as f64;
    for loss in &mut losses {
        loss.points = points;
    }
    (losses, pairs)
}

/// The losses of calls, and which call was held against each expected one.
fn of_calls(
    judgement: &CallVerdicts<'_>,
    expected: &[ExpectedCall],
    losses: &mut Vec<Loss>,
) -> Vec<Option<usize>> {
    let made = judgement.response.calls();
    if expected.is_empty() {
        losses.extend(made.iter().enumerate().map(|(at, call)| {
            at_made(Cause::ShouldNotHaveCalled, call, 0.0).at_calls(None, Some(at))
        }));
        return Vec::new();
    }
    if !made.is_empty() {
        return of_pairs(judgement, expected, losses);
    }
    // A call in the text is its own cause, noted with the form.
    if judgement.response.made.in_text.is_empty() {
        losses.extend(expected.iter().enumerate().map(|(at, call)| {
            at_expected(Cause::ShouldHaveCalled, call, 0.0).at_calls(Some(at), None)
        }));
    }
    vec![None; expected.len()]
}

fn of_pairs(
    judgement: &CallVerdicts<'_>,
    expected: &[ExpectedCall],
    losses: &mut Vec<Loss>,
) -> Vec<Option<usize>> {
    let made = judgement.response.calls();
    let mut pairs = judgement.pair(expected);
    for (place, (call, at)) in expected.iter().zip(&pairs).enumerate() {
        let lost = at.map(|at| of_pair(judgement, call, made[at])).unwrap_or_default();
        losses.extend(lost.into_iter().map(|loss| loss.at_calls(Some(place), *at)));
    }
    let mut left_over = left_over(made.len(), &pairs);
    let complete = judgement.is_complete(expected, &pairs);
    losses.extend(unmatched(expected, made, &mut pairs, &mut left_over, 0.0));
    if judgement.order != CallOrder::Subsequence {
        losses.extend(
            left_over.map(|at| at_made(Cause::ExtraCall, made[at], 0.0).at_calls(None, Some(at))),
        );
    }
    // The order is named only if every call is right, since a wrong call changes the order by
    // itself.
    if judgement.order != CallOrder::Any && complete && !in_order(judgement, expected) {
        losses.push(Loss::new(Cause::WrongOrder, 0.0));
    }
    pairs
}

fn in_order(judgement: &CallVerdicts<'_>, expected: &[ExpectedCall]) -> bool {
    let fits = |expected: &ExpectedCall, made: &&ToolCall| judgement.fits(expected, made);
    subsequence(expected, judgement.response.calls(), fits).is_some()
}

fn of_pair<'a>(
    judgement: &CallVerdicts<'a>,
    expected: &'a ExpectedCall,
    made: &'a ToolCall,
) -> Vec<Loss> {
    match &made.arguments {
        Arguments::Object(object) if !judgement.fits(expected, made) => {
            let explainer = Explainer::new(judgement.matcher, &expected.name);
            explainer.arguments(&expected.arguments, object, 1.0)
        }
        // Malformed calls are noted with the form.
        _ => Vec::new(),
    }
}

fn of_form(judgement: &CallVerdicts<'_>, losses: &mut Vec<Loss>) {
    let response = judgement.response;
    for (at, call) in response.calls().iter().enumerate() {
        let lost = |cause| at_made(cause, call, 0.0).at_calls(None, Some(at));
        if response.is_undeclared(call) {
            losses.push(lost(Cause::UndeclaredTool));
        }
        if !response.is_well_formed(call) {
            losses.push(lost(Cause::MalformedCall));
        }
    }
}

/// The calls written into the text.
fn of_text(judgement: &CallVerdicts<'_>, losses: &mut Vec<Loss>) {
    if judgement.scorer.comparison == CallComparison::ByRules {
        losses.extend(
            judgement
                .response
                .made
                .in_text
                .iter()
                .map(|(at, call)| at_made(Cause::CallInText, call, 0.0).at_calls(None, Some(*at))),
        );
    }
}

/// The response kind, unless the calls have said the same already.
fn of_kind(judgement: &CallVerdicts<'_>, losses: &mut Vec<Loss>) {
    let Some(kind) = judgement.way.kind.filter(|_| judgement.response_kind == Verdict::Incorrect)
    else {
        return;
    };
    let said = |cause| losses.iter().any(|loss| loss.cause == cause);
    let made = judgement.response.calls();
    let cause = match kind {
        ResponseKind::Action | ResponseKind::Query if made.is_empty() => {
            if said(Cause::ShouldHaveCalled) || said(Cause::CallInText) {
                return;
            }
            Cause::ShouldHaveCalled
        }
        ResponseKind::Action | ResponseKind::Query => {
            if let Some(loss) = judgement.response.wrong_words(kind) {
                losses.push(loss);
                return;
            }
            Cause::WrongResponseKind
        }
        kind if made.is_empty() && judgement.response.has_text => {
            losses.extend(judgement.response.wrong_words(kind));
            return;
        }
        _ if made.is_empty() => Cause::MissingText,
        _ if said(Cause::ShouldNotHaveCalled) => return,
        _ => Cause::WrongResponseKind,
    };
    let mut loss = Loss::new(cause, 0.0);
    loss.expected = Some(Value::from(kind.name()));
    losses.push(loss);
}
