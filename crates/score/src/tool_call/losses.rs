//! Why a response is wrong: the causes behind the verdicts.

use std::borrow::Cow;

use serde_json::Value;
use toolgauge_core::{
    Arguments, CallOrder, Cause, ExpectedCall, Loss, ResponseKind, ToolCall, Verdict,
};

use super::classic;
use super::judgement::Judgement;
use super::scorer::Comparison;
use crate::call_loss::{at_expected, at_made, left_over, unmatched};
use crate::matching::Explainer;

/// The causes of a failure. One point is lost in all; each cause carries the same part of it.
pub(super) fn of(judgement: &Judgement<'_>) -> Vec<Loss> {
    let mut losses = Vec::new();
    if let Some(expected) = judgement.way.calls {
        let expected = match judgement.scorer.comparison {
            Comparison::ByRules => Cow::Borrowed(expected),
            Comparison::Classic => Cow::Owned(classic::written_out(expected)),
        };
        of_calls(judgement, &expected, &mut losses);
    }
    of_form(judgement, &mut losses);
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
    losses
}

fn of_calls(judgement: &Judgement<'_>, expected: &[ExpectedCall], losses: &mut Vec<Loss>) {
    let made = &judgement.response.calls;
    if expected.is_empty() {
        losses.extend(made.iter().map(|call| at_made(Cause::ShouldNotHaveCalled, call, 0.0)));
    } else if made.is_empty() {
        // A call in the text is its own cause, noted with the form.
        if judgement.response.calls_in_text.is_empty() {
            losses.extend(
                expected.iter().map(|call| at_expected(Cause::ShouldHaveCalled, call, 0.0)),
            );
        }
    } else {
        of_pairs(judgement, expected, losses);
    }
}

fn of_pairs(judgement: &Judgement<'_>, expected: &[ExpectedCall], losses: &mut Vec<Loss>) {
    let made = &judgement.response.calls;
    let pairs = judgement.pair(expected);
    for (call, at) in expected.iter().zip(&pairs) {
        losses.extend(at.map(|at| of_pair(judgement, call, made[at])).unwrap_or_default());
    }
    let missing = expected.iter().zip(&pairs).filter(|(_, at)| at.is_none());
    let mut left_over = left_over(made, &pairs);
    losses.extend(unmatched(missing.map(|(call, _)| call).collect(), &mut left_over, 0.0));
    if judgement.order != CallOrder::Subsequence {
        losses.extend(left_over.map(|call| at_made(Cause::ExtraCall, call, 0.0)));
    }
    if judgement.order != CallOrder::Any
        && judgement.is_complete(expected, &pairs)
        && !in_order(judgement, expected)
    {
        losses.push(Loss::new(Cause::WrongOrder, 0.0));
    }
}

fn in_order(judgement: &Judgement<'_>, expected: &[ExpectedCall]) -> bool {
    let mut made = judgement.response.calls.iter();
    expected.iter().all(|expected| made.any(|made| judgement.fits(expected, made)))
}

fn of_pair<'a>(
    judgement: &Judgement<'a>,
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

fn of_form(judgement: &Judgement<'_>, losses: &mut Vec<Loss>) {
    let response = judgement.response;
    for call in &response.calls {
        if response.is_undeclared(call) {
            losses.push(at_made(Cause::UndeclaredTool, call, 0.0));
        }
        if !response.is_well_formed(call) {
            losses.push(at_made(Cause::MalformedCall, call, 0.0));
        }
    }
    if judgement.scorer.comparison == Comparison::ByRules {
        losses.extend(
            response.calls_in_text.iter().map(|call| at_made(Cause::CallInText, call, 0.0)),
        );
    }
}

/// The response kind, unless the calls have said the same already.
fn of_kind(judgement: &Judgement<'_>, losses: &mut Vec<Loss>) {
    let Some(kind) = judgement.way.kind.filter(|_| judgement.response_kind == Verdict::Incorrect)
    else {
        return;
    };
    let said = |cause| losses.iter().any(|loss| loss.cause == cause);
    let made = &judgement.response.calls;
    let cause = match kind {
        ResponseKind::Action | ResponseKind::Query if made.is_empty() => {
            if said(Cause::ShouldHaveCalled) || said(Cause::CallInText) {
                return;
            }
            Cause::ShouldHaveCalled
        }
        ResponseKind::Action | ResponseKind::Query => Cause::WrongResponseKind,
        _ if made.is_empty() => Cause::MissingText,
        _ if said(Cause::ShouldNotHaveCalled) => return,
        _ => Cause::WrongResponseKind,
    };
    let mut loss = Loss::new(cause, 0.0);
    loss.expected = Some(Value::from(kind.name()));
    losses.push(loss);
}
