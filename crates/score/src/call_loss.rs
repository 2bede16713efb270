//! Losses of whole calls.

use serde_json::Value;
use toolgauge_core::{Arguments, Cause, ExpectedCall, Loss, ToolCall};

use crate::shown;

/// A loss at an expected call that was not made, showing the arguments it wanted.
pub(crate) fn at_expected(cause: Cause, call: &ExpectedCall, points: f64) -> Loss {
    let mut loss = Loss::new(cause, points).at_tool(&call.name);
    loss.expected = shown::expected_arguments(call);
    loss
}

/// A loss at a call that was made, showing its arguments or what was sent in their place.
pub(crate) fn at_made(cause: Cause, call: &ToolCall, points: f64) -> Loss {
    let mut loss = Loss::new(cause, points).at_tool(&call.name);
    loss.actual = Some(match &call.arguments {
        Arguments::Object(object) => shown::arguments(object),
        Arguments::Malformed { raw, .. } => Value::from(raw.as_str()),
    });
    loss
}

/// The loss of a call to another tool in the place of an expected call.
pub(crate) fn wrong_tool(expected: &ExpectedCall, made: &ToolCall, points: f64) -> Loss {
    let mut loss = Loss::new(Cause::WrongTool, points).at_tool(&expected.name);
    loss.expected = Some(Value::from(expected.name.as_str()));
    loss.actual = Some(Value::from(made.name.as_str()));
    loss
}

/// The losses of expected calls that no call to their tool stands for: each is taken to have
/// been replaced by a call that stands for nothing, in order, until those run out.
pub(crate) fn unmatched<'c>(
    missing: Vec<&ExpectedCall>,
    left_over: &mut impl Iterator<Item = &'c ToolCall>,
    points: f64,
) -> Vec<Loss> {
    let loss = |call: &ExpectedCall| match left_over.next() {
        Some(other) => wrong_tool(call, other, points),
        None => at_expected(Cause::MissingCall, call, points),
    };
    missing.into_iter().map(loss).collect()
}

/// The calls that stand for no expected one, in the order they were made.
pub(crate) fn left_over<'c>(
    made: &[&'c ToolCall],
    pairs: &[Option<usize>],
) -> impl Iterator<Item = &'c ToolCall> {
    let mut free = vec![true; made.len()];
    for at in pairs.iter().flatten() {
        free[*at] = false;
    }
    made.iter().zip(free).filter(|(_, free)| *free).map(|(call, _)| *call)
}
