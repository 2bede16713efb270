//! `DeepEval`'s `ToolCorrectnessMetric`: how many of the expected calls were made.

use serde_json::{Map, Value};

use super::called::{ComparedCall, expected_calls, made_calls, written_calls};
use super::python::equal;
use super::{Mark, PeerVerdict};
use crate::Evidence;

/// What `DeepEval`'s users set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct DeepEvalOptions {
    pub(super) mode: DeepEvalMode,
    /// Whether arguments are compared (`INPUT_PARAMETERS`).
    pub(super) arguments: bool,
    /// From which score on a test passes.
    pub(super) threshold: f64,
}

/// How calls are paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DeepEvalMode {
    /// Each expected call takes the best call that is left.
    Any,
    /// In order, other calls between them allowed (`should_consider_ordering`).
    Ordered,
    /// The same calls, one by one (`should_exact_match`).
    Exact,
}

impl Default for DeepEvalOptions {
    fn default() -> Self {
        Self { mode: DeepEvalMode::Any, arguments: false, threshold: 0.5 }
    }
}

pub(super) fn judge(evidence: &Evidence<'_>, options: DeepEvalOptions) -> PeerVerdict {
    let Some(expected) = expected_calls(evidence.case, "deepeval") else {
        return PeerVerdict::NothingExpected;
    };
    // What the file says of the calls is more than the transcript holds.
    let own = evidence.case.metadata.get("deepeval").and_then(|own| own.get("tools_called"));
    let called = own.and_then(written_calls).unwrap_or_else(|| made_calls(evidence.transcript));
    let Some(value) = score(&expected, &called, options) else {
        return PeerVerdict::Elsewhere(
            "DeepEval stops with an error where one side has no arguments",
        );
    };
    let reason = match value {
        value if value >= 1.0 => String::new(),
        value => format!("{value:.3} of {} expected calls", expected.len()),
    };
    let mut mark = Mark { value, reason, ..Mark::default() };
    mark.measure("passed", f64::from(u8::from(value >= options.threshold)));
    PeerVerdict::Mark(mark)
}

/// The score; `None` where `DeepEval` raises an error.
pub(super) fn score(
    expected: &[ComparedCall<'_>],
    called: &[ComparedCall<'_>],
    options: DeepEvalOptions,
) -> Option<f64> {
    match options.mode {
        DeepEvalMode::Exact => Some(f64::from(u8::from(is_exact(expected, called, options)))),
        _ if expected.is_empty() => Some(f64::from(u8::from(called.is_empty()))),
        DeepEvalMode::Any => in_any_order(expected, called, options),
        DeepEvalMode::Ordered => in_order(expected, called, options),
    }
}

fn is_exact(
    expected: &[ComparedCall<'_>],
    called: &[ComparedCall<'_>],
    options: DeepEvalOptions,
) -> bool {
    let same = |(wanted, made): (&ComparedCall<'_>, &ComparedCall<'_>)| {
        wanted.name == made.name
            && wanted.kind == made.kind
            && (!options.arguments || same_arguments(wanted, made))
    };
    expected.len() == called.len() && expected.iter().zip(called).all(same)
}

#[expect(clippy::cast_precision_loss, reason = "a test has few calls")]
fn in_any_order(
    expected: &[ComparedCall<'_>],
    called: &[ComparedCall<'_>],
    options: DeepEvalOptions,
) -> Option<f64> {
    let (mut total, mut used): (f64, Vec<&ComparedCall<'_>>) = (0.0, Vec::new());
    for wanted in expected {
        let mut best: Option<(f64, &ComparedCall<'_>)> = None;
        for made in called {
            // Used is what is equal to a used one: two equal calls count once.
            if used.iter().any(|used| is_same_call(used, made)) {
                continue;
            }
            let credit = credit(wanted, made, options)?;
            if credit > best.map_or(0.0, |(best, _)| best) {
                best = Some((credit, made));
            }
        }
        if let Some((credit, made)) = best {
            total += credit;
            used.push(made);
        }
    }
    Some(total / expected.len() as f64)
}

/// The longest common sequence, each pair weighted by its credit.
#[expect(clippy::cast_precision_loss, reason = "a test has few calls")]
#[expect(clippy::float_cmp, reason = "the same numbers are compared that were copied")]
fn in_order(
    expected: &[ComparedCall<'_>],
    called: &[ComparedCall<'_>],
    options: DeepEvalOptions,
) -> Option<f64> {
    let (rows, columns) = (expected.len(), called.len());
    let mut best = vec![vec![0.0_f64; columns + 1]; rows + 1];
    for row in 1..=rows {
        for column in 1..=columns {
            let credit = credit(&expected[row - 1], &called[column - 1], options)?;
            let with = if credit > 0.0 { best[row - 1][column - 1] + credit } else { 0.0 };
            best[row][column] = best[row - 1][column].max(best[row][column - 1]).max(with);
        }
    }
    let (mut row, mut column, mut total) = (rows, columns, 0.0);
    while row > 0 && column > 0 {
        if best[row][column] == best[row - 1][column] {
            row -= 1;
        } else if best[row][column] == best[row][column - 1] {
            column -= 1;
        } else {
            total += best[row][column] - best[row - 1][column - 1];
            (row, column) = (row - 1, column - 1);
        }
    }
    Some(total / rows as f64)
}

/// What an expected call gets for a made one; `None` where `DeepEval` raises an error.
fn credit(
    wanted: &ComparedCall<'_>,
    made: &ComparedCall<'_>,
    options: DeepEvalOptions,
) -> Option<f64> {
    if wanted.name != made.name || wanted.kind != made.kind {
        return Some(0.0);
    }
    if !options.arguments || same_arguments(wanted, made) {
        return Some(1.0);
    }
    Some(share(wanted.arguments.as_deref()?, made.arguments.as_deref()?))
}

/// The share of equal arguments among all that either side has.
#[expect(clippy::cast_precision_loss, reason = "a call has few arguments")]
fn share(a: &Map<String, Value>, b: &Map<String, Value>) -> f64 {
    let total = a.len() + b.keys().filter(|key| !a.contains_key(*key)).count();
    let points = |(key, value): (&String, &Value)| match (value, b.get(key)) {
        (value, Some(other)) if equal(value, other) => 1.0,
        (Value::Object(a), Some(Value::Object(b))) => share(a, b),
        _ => 0.0,
    };
    if total == 0 { 1.0 } else { a.iter().map(points).sum::<f64>() / total as f64 }
}

fn same_arguments(a: &ComparedCall<'_>, b: &ComparedCall<'_>) -> bool {
    match (a.arguments.as_deref(), b.arguments.as_deref()) {
        (Some(a), Some(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| equal(a, b)))
        }
        (None, None) => true,
        _ => false,
    }
}

/// Whether two calls are one to `DeepEval`: by name, arguments and output, whatever their type.
fn is_same_call(a: &ComparedCall<'_>, b: &ComparedCall<'_>) -> bool {
    a.name == b.name && same_arguments(a, b) && equal(&a.output, &b.output)
}
