//! Pairing one to one, as well as can be.

use std::collections::HashMap;

use indexmap::IndexMap;
use serde_json::Value;
use toolgauge_core::{Cause, ExpectedCall, Loss, Score, ToolCall};

use super::{Judge, harmless_malformed_calls, missing, share};
use crate::{assignment, shown};

pub(super) fn score(judge: &Judge<'_>, expected: &[ExpectedCall], made: &[&ToolCall]) -> Score {
    let pairs = pair(judge, expected, made);
    let mut total = 0.0;
    let mut losses = Vec::new();
    let mut cost = Vec::new();
    let mut unmatched = Vec::new();
    let points = share(expected.len());
    for (call, at) in expected.iter().zip(&pairs) {
        let Some(at) = *at else {
            unmatched.push(call);
            continue;
        };
        let credit = judge.credit(call, made[at]);
        total += credit;
        if credit < 1.0 {
            cost.push(at);
            losses.extend(judge.losses(call, made[at], points));
        }
    }
    let mut left_over = left_over(made, &pairs);
    losses.extend(unmatched.into_iter().map(|call| match left_over.next() {
        Some(other) => wrong_tool(call, other, points),
        None => missing(call, points),
    }));
    losses.extend(left_over.map(|call| extra(call, expected.is_empty(), made.len())));
    losses.extend(harmless_malformed_calls(made, &cost));
    let measures = measures(total, expected.len(), made.len());
    let value = if expected.is_empty() { measures["f1"] } else { measures["recall"] };
    Score { value, measures, losses, ..Score::default() }
}

/// Which made call each expected one is paired with. Calls to different tools earn nothing
/// together, so each tool's calls are paired among themselves.
fn pair(judge: &Judge<'_>, expected: &[ExpectedCall], made: &[&ToolCall]) -> Vec<Option<usize>> {
    let mut groups: IndexMap<&str, Vec<usize>> = IndexMap::new();
    for (at, call) in expected.iter().enumerate() {
        groups.entry(&call.name).or_default().push(at);
    }
    let mut called: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, call) in made.iter().enumerate() {
        called.entry(&call.name).or_default().push(at);
    }
    let mut pairs = vec![None; expected.len()];
    for (name, rows) in &groups {
        let Some(columns) = called.get(name) else { continue };
        if let ([row], [column]) = (rows.as_slice(), columns.as_slice()) {
            pairs[*row] = Some(*column);
            continue;
        }
        let credit =
            |row: usize, column: usize| judge.credit(&expected[rows[row]], made[columns[column]]);
        let found = assignment::pair(rows.len(), columns.len(), credit);
        for (row, column) in rows.iter().zip(found) {
            pairs[*row] = column.map(|column| columns[column]);
        }
    }
    pairs
}

/// The calls that stand for no expected one, in the order they were made.
fn left_over<'c>(
    made: &[&'c ToolCall],
    pairs: &[Option<usize>],
) -> impl Iterator<Item = &'c ToolCall> {
    let mut free = vec![true; made.len()];
    for at in pairs.iter().flatten() {
        free[*at] = false;
    }
    made.iter().zip(free).filter(|(_, free)| *free).map(|(call, _)| *call)
}

fn wrong_tool(expected: &ExpectedCall, made: &ToolCall, points: f64) -> Loss {
    let mut loss = Loss::new(Cause::WrongTool, points).at_tool(&expected.name);
    loss.expected = Some(Value::from(expected.name.as_str()));
    loss.actual = Some(Value::from(made.name.as_str()));
    loss
}

/// The loss of a call that nobody expected. It costs only where no call was expected at all.
fn extra(made: &ToolCall, none_expected: bool, count: usize) -> Loss {
    let (cause, points) = if none_expected {
        (Cause::ShouldNotHaveCalled, share(count))
    } else {
        (Cause::ExtraCall, 0.0)
    };
    let mut loss = Loss::new(cause, points).at_tool(&made.name);
    loss.actual = made.arguments.as_object().map(shown::arguments);
    loss
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
