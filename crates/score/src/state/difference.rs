//! What two end states do not share.

use std::collections::BTreeSet;

use serde_json::{Map, Value};
use toolgauge_core::{ArgumentPath, Cause, Loss, PathStep};

/// How far apart two numbers may be and still be the same: volumes are sums of tenths.
const TOLERANCE: f64 = 1e-6;

/// One loss for every thing that ended otherwise than expected.
pub(super) fn losses(expected: &Value, actual: &Value) -> Vec<Loss> {
    let mut losses = Vec::new();
    for kind in keys(expected, actual) {
        let (expected, actual) = (expected.get(&kind), actual.get(&kind));
        match (expected, actual) {
            (Some(Value::Array(expected)), Some(Value::Array(actual))) => {
                losses.extend(items(&[&kind], expected, actual));
            }
            _ => things(expected, actual, &mut losses),
        }
    }
    losses
}

fn keys(a: &Value, b: &Value) -> BTreeSet<String> {
    let of = |value: &Value| value.as_object().map(|map| map.keys().cloned().collect::<Vec<_>>());
    of(a).into_iter().chain(of(b)).flatten().collect()
}

fn things(expected: Option<&Value>, actual: Option<&Value>, losses: &mut Vec<Loss>) {
    let nothing = Value::Object(Map::new());
    let (expected, actual) = (expected.unwrap_or(&nothing), actual.unwrap_or(&nothing));
    for thing in keys(expected, actual) {
        match (expected.get(&thing), actual.get(&thing)) {
            (Some(Value::Array(expected)), Some(Value::Array(actual))) => {
                losses.extend(items(&[&thing], expected, actual));
            }
            (Some(Value::Array(expected)), None) => losses.extend(items(&[&thing], expected, &[])),
            (None, Some(Value::Array(actual))) => losses.extend(items(&[&thing], &[], actual)),
            (expected, actual) => losses.extend(properties(&thing, expected, actual)),
        }
    }
}

/// The worst difference of one thing: what should not have changed at all is a side effect, what
/// should have and did not is missing, and the rest is wrong.
fn properties(thing: &str, expected: Option<&Value>, actual: Option<&Value>) -> Option<Loss> {
    let nothing = Value::Object(Map::new());
    let cause = match (expected, actual) {
        (None, Some(_)) => Cause::SideEffect,
        (Some(_), None) => Cause::MissingChange,
        _ => Cause::WrongChange,
    };
    let (expected, actual) = (expected.unwrap_or(&nothing), actual.unwrap_or(&nothing));
    let differs = |name: &&String| {
        !same(after(expected.get(name.as_str())), after(actual.get(name.as_str())))
    };
    let names = keys(expected, actual);
    let first = names.iter().filter(differs).min_by_key(|name| *name != "state")?;
    let mut loss = at(cause, &[thing, first]);
    loss.expected = after(expected.get(first)).cloned();
    loss.actual = after(actual.get(first)).cloned();
    Some(loss)
}

/// The value after a change of `[before, after]`.
fn after(change: Option<&Value>) -> Option<&Value> {
    match change {
        Some(Value::Array(pair)) if pair.len() == 2 => pair.get(1),
        other => other,
    }
}

/// What one list has that the other has not, whatever the order.
fn items(path: &[&str], expected: &[Value], actual: &[Value]) -> Option<Loss> {
    let mut left: Vec<&Value> = actual.iter().collect();
    let mut missing: Vec<&Value> = Vec::new();
    for item in expected {
        match left.iter().position(|other| same(Some(item), Some(other))) {
            Some(at) => drop(left.remove(at)),
            None => missing.push(item),
        }
    }
    let cause = match (missing.is_empty(), left.is_empty()) {
        (true, true) => return None,
        (false, true) => Cause::MissingChange,
        (true, false) => Cause::SideEffect,
        (false, false) => Cause::WrongChange,
    };
    let mut loss = at(cause, path);
    loss.expected = missing.first().map(|item| (*item).clone());
    loss.actual = left.first().map(|item| (*item).clone());
    Some(loss)
}

fn at(cause: Cause, path: &[&str]) -> Loss {
    let mut loss = Loss::new(cause, 0.0);
    loss.path = ArgumentPath(path.iter().map(|step| PathStep::Key((*step).to_owned())).collect());
    loss
}

/// Whether two values are the same: numbers nearly, texts whatever their case.
fn same(a: Option<&Value>, b: Option<&Value>) -> bool {
    match (a, b) {
        (Some(Value::Number(a)), Some(Value::Number(b))) => match (a.as_f64(), b.as_f64()) {
            (Some(a), Some(b)) => (a - b).abs() <= TOLERANCE,
            _ => a == b,
        },
        (Some(Value::String(a)), Some(Value::String(b))) => crate::text::loosely_equal(a, b),
        (Some(Value::Array(a)), Some(Value::Array(b))) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(Some(a), Some(b)))
        }
        (Some(Value::Object(a)), Some(Value::Object(b))) => {
            a.len() == b.len() && a.iter().all(|(key, value)| same(Some(value), b.get(key)))
        }
        (None | Some(Value::Null), None | Some(Value::Null)) => true,
        (a, b) => a == b,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn causes(expected: &Value, actual: &Value) -> Vec<(Cause, String)> {
        let losses = losses(expected, actual);
        losses.into_iter().map(|loss| (loss.cause, loss.path.to_string())).collect()
    }

    #[test]
    fn equal_ends_lose_nothing_whatever_the_order_of_items() {
        let one = json!({"things": {"lamp": {"state": ["off", "on"], "level": [null, 0.300_000_000_000_000_04]}}, "said": ["a", "b"]});
        let other = json!({"things": {"lamp": {"level": [null, 0.3], "state": ["off", "on"]}}, "said": ["B", "a"]});
        assert_eq!(causes(&one, &other), []);
    }

    #[test]
    fn a_missing_a_wrong_and_an_extra_change_are_told_apart() {
        let expected =
            json!({"things": {"lamp": {"state": ["off", "on"]}, "fan": {"state": ["off", "on"]}}});
        let actual = json!({"things": {"fan": {"state": ["off", "on"], "speed": [0, 50]}, "door": {"state": ["locked", "unlocked"]}}});
        assert_eq!(
            causes(&expected, &actual),
            [
                (Cause::SideEffect, "door.state".to_owned()),
                (Cause::WrongChange, "fan.speed".to_owned()),
                (Cause::MissingChange, "lamp.state".to_owned()),
            ]
        );
    }

    #[test]
    fn lists_are_held_against_each_other_item_by_item() {
        let expected =
            json!({"timers": [{"seconds": 60}], "lists": {"shopping": [["milk", "open"]]}});
        let actual = json!({"timers": [{"seconds": 90}], "lists": {}});
        assert_eq!(
            causes(&expected, &actual),
            [
                (Cause::MissingChange, "shopping".to_owned()),
                (Cause::WrongChange, "timers".to_owned()),
            ]
        );
    }
}
