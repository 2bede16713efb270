//! From an expectation to calls that can be made.
//!
//! An expected call may leave room: any of several names, a number give or take. What was made
//! within that room is what was expected, so it is played as it was made; where nothing fits, the
//! first of what is accepted stands for all.

use serde_json::{Map, Number, Value};
use toolgauge_core::{ArgumentRules, Case, ExpectedCall, Pattern, ToolCall, Transcript};

use crate::matching::Matcher;

/// The calls of one accepted way, as they can be made.
pub type Rehearsal = Vec<ToolCall>;

/// Every accepted way of a case, in the order of [`EndStates::expected`](crate::EndStates): the
/// expectation's own, where it has calls, then its alternatives.
pub fn rehearsals(case: &Case, transcript: &Transcript) -> Vec<Rehearsal> {
    let expectation = &case.expectation;
    let own = expectation.calls.iter();
    let ways = own.chain(expectation.alternatives.iter().map(|other| &other.calls));
    let made: Vec<&ToolCall> = transcript.calls().collect();
    ways.map(|calls| way(calls, &expectation.rules, &made)).collect()
}

/// How many further ends of one way are tried at most.
const MOST_ALLOWANCES: usize = 24;

/// What each accepted way of a case allows beside its first example, in the order of
/// [`rehearsals`]: a number at the lower and the upper end of its tolerance, and every value that
/// is accepted in place of another. An end between the first two is as good, whichever call led
/// there.
pub fn allowances(case: &Case) -> Vec<Vec<Rehearsal>> {
    let expectation = &case.expectation;
    let own = expectation.calls.iter();
    let ways = own.chain(expectation.alternatives.iter().map(|other| &other.calls));
    ways.map(|calls| allowed(calls)).collect()
}

/// The lower end, the upper end, and each single choice; nothing where a way leaves no room.
fn allowed(calls: &[ExpectedCall]) -> Vec<Rehearsal> {
    let made = |of: &dyn Fn(&Pattern) -> Option<Value>| -> Rehearsal {
        let call = |expected: &ExpectedCall| {
            let arguments = expected.arguments.iter();
            let arguments = arguments.filter_map(|(name, pattern)| {
                Some((name.clone(), within_scale(name, of(pattern)?)))
            });
            ToolCall::new(expected.name.clone(), arguments.collect::<Map<_, _>>())
        };
        calls.iter().map(call).collect()
    };
    let patterns = || calls.iter().flat_map(|call| call.arguments.values());
    let mut ways = Vec::new();
    if patterns().any(has_tolerance) {
        ways.push(made(&|pattern| at_end(pattern, -1.0)));
        ways.push(made(&|pattern| at_end(pattern, 1.0)));
    }
    for choice in patterns().filter_map(choices) {
        // An expression names no value of its own; without one, a call would lack its argument.
        for value in choice.iter().skip(1).filter(|value| value.example().is_some()) {
            let chosen = |pattern: &Pattern| match choices(pattern) {
                // Compared by address: two arguments may have equal choices, and only this one is
                // varied.
                Some(own) if std::ptr::eq(own, choice) => value.example(),
                _ => pattern.example(),
            };
            ways.push(made(&chosen));
        }
    }
    ways.truncate(MOST_ALLOWANCES);
    ways
}

/// Arguments on a scale up to a hundred: a tolerance may reach past its end, a tool does not.
const SCALES: [&str; 6] =
    ["brightness", "percentage", "position", "volume_level", "volume", "humidity"];

fn within_scale(name: &str, value: Value) -> Value {
    match value.as_f64() {
        Some(number) if SCALES.contains(&name) && !(0.0..=100.0).contains(&number) => {
            Value::from(if number < 0.0 { 0 } else { 100 })
        }
        _ => value,
    }
}

fn has_tolerance(pattern: &Pattern) -> bool {
    match pattern {
        Pattern::Number { tolerance, .. } => *tolerance > 0.0,
        Pattern::AnyOf(patterns) => patterns.iter().any(has_tolerance),
        _ => false,
    }
}

fn choices(pattern: &Pattern) -> Option<&[Pattern]> {
    match pattern {
        Pattern::AnyOf(patterns) if patterns.len() > 1 => Some(patterns),
        _ => None,
    }
}

/// A number at one end of its tolerance; anything else as its example.
fn at_end(pattern: &Pattern, side: f64) -> Option<Value> {
    match pattern {
        Pattern::Number { number, tolerance, .. } => {
            let value = number.as_f64()? + side * *tolerance;
            let number = Number::from_f64(value)?;
            Pattern::Number { number, tolerance: 0.0 }.example()
        }
        Pattern::AnyOf(patterns) => patterns.iter().find_map(|pattern| at_end(pattern, side)),
        other => other.example(),
    }
}

fn way(calls: &[ExpectedCall], rules: &ArgumentRules, made: &[&ToolCall]) -> Rehearsal {
    let mut free: Vec<&ToolCall> = made.to_vec();
    let matcher = Matcher::strict(rules);
    let concrete = |expected: &ExpectedCall| {
        let fits = |call: &&ToolCall| {
            call.name == expected.name
                && call
                    .arguments
                    .as_object()
                    .is_some_and(|arguments| matcher.object(&expected.arguments, arguments).full)
        };
        // A made call stands for one expected call only.
        let found = free.iter().position(fits).map(|at| free.remove(at));
        let arguments = found.and_then(|call| call.arguments.as_object());
        ToolCall::new(expected.name.clone(), arguments_of(expected, arguments))
    };
    calls.iter().map(concrete).collect()
}

/// What is asked for, in the words of a call that fits. What a call says beyond that is its own.
fn arguments_of(expected: &ExpectedCall, made: Option<&Map<String, Value>>) -> Map<String, Value> {
    let argument = |(name, pattern): (&String, &Pattern)| {
        let value = match made {
            Some(made) => made.get(name).cloned(),
            None => pattern.example(),
        };
        value.map(|value| (name.clone(), value))
    };
    expected.arguments.iter().filter_map(argument).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use toolgauge_core::{AssistantMessage, Expectation};

    use super::*;

    fn case(arguments: Value) -> Case {
        let arguments = serde_json::from_value(arguments).unwrap();
        let call = ExpectedCall { name: "set".into(), arguments };
        let expectation = Expectation { calls: Some(vec![call]), ..Expectation::default() };
        Case { expectation, ..Case::new("c", "set it") }
    }

    fn played(case: &Case, made: Value) -> Value {
        let Value::Object(made) = made else { unreachable!("tests pass objects") };
        let calls = vec![ToolCall::new("set", made)];
        let transcript = Transcript::of(AssistantMessage { calls, ..AssistantMessage::default() });
        let mut ways = rehearsals(case, &transcript);
        Value::Object(ways.remove(0).remove(0).arguments.as_object().unwrap().clone())
    }

    #[test]
    fn room_is_filled_by_what_was_made_within_it() {
        let case = case(
            json!({"name": {"$any_of": ["A", "B"]}, "level": {"$number": 50, "tolerance": 10}}),
        );
        assert_eq!(
            played(&case, json!({"name": "B", "level": 55, "area": "x"})),
            json!({"name": "B", "level": 55})
        );
    }

    #[test]
    fn what_does_not_fit_changes_nothing_of_what_is_expected() {
        let case = case(
            json!({"name": {"$any_of": ["A", "B"]}, "level": {"$number": 50, "tolerance": 10}}),
        );
        assert_eq!(
            played(&case, json!({"name": "B", "level": 80})),
            json!({"name": "A", "level": 50})
        );
    }

    #[test]
    fn a_choice_without_a_value_allows_no_call_without_its_argument() {
        let case = case(json!({"message": {"$any_of": ["Dinner", {"$regex": "(?i)dinner"}]}}));
        assert_eq!(allowances(&case), [Vec::<Rehearsal>::new()]);
    }
}
