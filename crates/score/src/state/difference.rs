//! What two end states do not share.

use std::collections::BTreeSet;

use serde_json::{Map, Value};
use toolgauge_core::{ArgumentPath, Cause, Loss, PathStep};

/// How far apart two numbers may be and still be the same: volumes are sums of tenths.
const TOLERANCE: f64 = 1e-6;

/// Three ends of one world: with nothing done, with what was expected, with what was made.
#[derive(Clone, Copy)]
struct Ends<'v> {
    start: Option<&'v Value>,
    expected: Option<&'v Value>,
    actual: Option<&'v Value>,
}

/// One loss for every thing that ended otherwise than expected.
pub(super) fn losses(start: &Value, expected: &Value, actual: &Value) -> Vec<Loss> {
    let mut losses = Vec::new();
    // Ways that lead to one state of a recording share its end.
    if std::ptr::eq(expected, actual) {
        return losses;
    }
    let ends = Ends { start: Some(start), expected: Some(expected), actual: Some(actual) };
    for kind in ends.keys() {
        let ends = ends.at(kind);
        if ends.are_lists() {
            losses.extend(ends.items(kind));
            continue;
        }
        for thing in ends.keys() {
            let ends = ends.at(thing);
            let loss = if ends.are_lists() { ends.items(thing) } else { ends.properties(thing) };
            losses.extend(loss);
        }
    }
    losses
}

impl<'v> Ends<'v> {
    fn each(self) -> impl Iterator<Item = &'v Value> {
        [self.start, self.expected, self.actual].into_iter().flatten()
    }

    fn keys(self) -> BTreeSet<&'v str> {
        let keys = self.each().filter_map(Value::as_object).flat_map(Map::keys);
        keys.map(String::as_str).collect()
    }

    fn at(self, key: &str) -> Self {
        let get = |end: Option<&'v Value>| end.and_then(|end| end.get(key));
        Self { start: get(self.start), expected: get(self.expected), actual: get(self.actual) }
    }

    fn are_lists(self) -> bool {
        self.each().any(Value::is_array)
    }

    /// What was made of a thing that is not as expected: nothing at all, something where nothing
    /// was to be, or something else.
    fn cause(self) -> Cause {
        if same(self.actual, self.start) {
            Cause::MissingChange
        } else if same(self.expected, self.start) {
            Cause::SideEffect
        } else {
            Cause::WrongChange
        }
    }

    fn properties(self, thing: &str) -> Option<Loss> {
        let differs = |name: &&&str| {
            let ends = self.at(name);
            !same(after(ends.expected), after(ends.actual))
        };
        let names = self.keys();
        // One loss per thing, and its state says more than any attribute.
        let first = names.iter().filter(differs).min_by_key(|name| **name != "state")?;
        let mut loss = at(self.cause(), &[thing, first]);
        loss.expected = after(self.at(first).expected).cloned();
        loss.actual = after(self.at(first).actual).cloned();
        Some(loss)
    }

    /// What one list has that the other has not, whatever the order.
    fn items(self, thing: &str) -> Option<Loss> {
        let items = |end: Option<&'v Value>| end.and_then(Value::as_array).map_or(&[][..], |v| v);
        let mut left: Vec<&Value> = items(self.actual).iter().collect();
        let mut missing: Vec<&Value> = Vec::new();
        for item in items(self.expected) {
            match left.iter().position(|other| same(Some(item), Some(other))) {
                Some(at) => drop(left.remove(at)),
                None => missing.push(item),
            }
        }
        if missing.is_empty() && left.is_empty() {
            return None;
        }
        let mut loss = at(self.cause(), &[thing]);
        loss.expected = missing.first().map(|item| (*item).clone());
        loss.actual = left.first().map(|item| (*item).clone());
        Some(loss)
    }
}

/// Whether an end is the same as two others but for numbers, and these lie between theirs.
pub(super) fn is_between(low: &Value, high: &Value, actual: &Value) -> bool {
    match (low, high, actual) {
        (Value::Number(low), Value::Number(high), Value::Number(actual)) => {
            let (Some(low), Some(high), Some(actual)) =
                (low.as_f64(), high.as_f64(), actual.as_f64())
            else {
                return false;
            };
            (low.min(high) - TOLERANCE..=low.max(high) + TOLERANCE).contains(&actual)
        }
        (Value::Array(low), Value::Array(high), Value::Array(actual)) => {
            low.len() == actual.len()
                && high.len() == actual.len()
                && actual.iter().enumerate().all(|(at, item)| is_between(&low[at], &high[at], item))
        }
        (Value::Object(low), Value::Object(high), Value::Object(actual)) => {
            let at =
                |end: &Map<String, Value>, key: &str| end.get(key).cloned().unwrap_or_default();
            // Keys of all three, so that something created by the calls is not passed over.
            let keys: BTreeSet<&String> =
                low.keys().chain(high.keys()).chain(actual.keys()).collect();
            keys.into_iter().all(|key| is_between(&at(low, key), &at(high, key), &at(actual, key)))
        }
        _ => same(Some(low), Some(actual)) || same(Some(high), Some(actual)),
    }
}

/// The value after a change of `[before, after]`.
fn after(change: Option<&Value>) -> Option<&Value> {
    match change {
        Some(Value::Array(pair)) if pair.len() == 2 => pair.get(1),
        other => other,
    }
}

fn at(cause: Cause, path: &[&str]) -> Loss {
    let mut loss = Loss::new(cause, 0.0);
    loss.path = ArgumentPath(path.iter().map(|step| PathStep::Key((*step).to_owned())).collect());
    loss
}

/// Whether there is nothing: a list that was never touched and an empty one are the same.
fn is_nothing(value: Option<&Value>) -> bool {
    match value {
        None | Some(Value::Null) => true,
        Some(Value::Array(items)) => items.is_empty(),
        Some(Value::Object(map)) => map.is_empty(),
        Some(_) => false,
    }
}

/// Whether two values are the same: numbers nearly, texts whatever their case.
pub(super) fn same(a: Option<&Value>, b: Option<&Value>) -> bool {
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
        (None | Some(Value::Null), other) | (other, None | Some(Value::Null)) => is_nothing(other),
        (a, b) => a == b,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn causes(start: &Value, expected: &Value, actual: &Value) -> Vec<(Cause, String)> {
        let losses = losses(start, expected, actual);
        losses.into_iter().map(|loss| (loss.cause, loss.path.to_string())).collect()
    }

    #[test]
    fn equal_ends_lose_nothing_whatever_the_order_of_items() {
        let one = json!({
            "things": {"lamp": {"state": ["off", "on"], "level": [null, 0.300_000_000_000_000_04]}},
            "said": ["a", "b"],
        });
        let other = json!({
            "things": {"lamp": {"level": [null, 0.3], "state": ["off", "on"]}},
            "said": ["B", "a"],
        });
        assert_eq!(causes(&json!({}), &one, &other), []);
    }

    #[test]
    fn a_missing_a_wrong_and_an_extra_change_are_told_apart() {
        let expected = json!({
            "things": {"lamp": {"state": ["off", "on"]}, "fan": {"state": ["off", "on"]}},
        });
        let actual = json!({
            "things": {
                "fan": {"state": ["off", "on"], "speed": [0, 50]},
                "door": {"state": ["locked", "unlocked"]},
            },
        });
        assert_eq!(
            causes(&json!({}), &expected, &actual),
            [
                (Cause::SideEffect, "door.state".to_owned()),
                (Cause::WrongChange, "fan.speed".to_owned()),
                (Cause::MissingChange, "lamp.state".to_owned()),
            ]
        );
    }

    #[test]
    fn what_was_there_before_and_should_have_gone_is_a_missing_change() {
        let start = json!({"things": {"heating": {"state": ["heat", "off"]}}, "timers": [1]});
        let expected = json!({"things": {}, "timers": []});
        assert_eq!(
            causes(&start, &expected, &start),
            [
                (Cause::MissingChange, "heating.state".to_owned()),
                (Cause::MissingChange, "timers".to_owned()),
            ]
        );
    }

    #[test]
    fn lists_are_held_against_each_other_item_by_item() {
        let expected =
            json!({"timers": [{"seconds": 60}], "lists": {"shopping": [["milk", "open"]]}});
        let actual = json!({"timers": [{"seconds": 90}], "lists": {}});
        assert_eq!(
            causes(&json!({"timers": []}), &expected, &actual),
            [
                (Cause::MissingChange, "shopping".to_owned()),
                (Cause::WrongChange, "timers".to_owned()),
            ]
        );
    }
}
