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
/// been replaced by a call that stands for nothing, in order, until those run out. Such a
/// replacement is noted among the pairs.
pub(crate) fn unmatched(
    expected: &[ExpectedCall],
    made: &[&ToolCall],
    pairs: &mut [Option<usize>],
    left_over: &mut impl Iterator<Item = usize>,
    points: f64,
) -> Vec<Loss> {
    let mut losses = Vec::new();
    for (at, (call, pair)) in expected.iter().zip(pairs).enumerate() {
        if pair.is_some() {
            continue;
        }
        // A wrong tool in its place says more than one call missing and another too many.
        *pair = left_over.next();
        let loss = match *pair {
            Some(other) => wrong_tool(call, made[other], points),
            None => at_expected(Cause::MissingCall, call, points),
        };
        losses.push(loss.at_calls(Some(at), *pair));
    }
    losses
}

/// The places of the calls that stand for no expected one, in the order they were made.
pub(crate) fn left_over(
    made: usize,
    pairs: &[Option<usize>],
) -> impl Iterator<Item = usize> + use<> {
    let mut free = vec![true; made];
    for at in pairs.iter().flatten() {
        free[*at] = false;
    }
    free.into_iter().enumerate().filter(|(_, free)| *free).map(|(at, _)| at)
}
