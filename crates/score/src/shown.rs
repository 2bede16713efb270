//! Copies of values for losses to show.

use serde_json::{Map, Value};
use toolgauge_core::{ExpectedCall, Pattern};

/// How deep a value may be nested to be shown. Nobody reads deeper ones, and copying, writing
/// and dropping a value takes stack for each level.
const DEEPEST: usize = 64;

/// What is shown of a value that is nested deeper.
const TOO_DEEP: &str = "(nested too deeply to be shown)";

/// A pattern as it is written, for a loss to show.
pub(crate) fn pattern(pattern: &Pattern) -> Value {
    if can_show(pattern) { Value::from(pattern.clone()) } else { Value::from(TOO_DEEP) }
}

/// A value, for a loss to show.
pub(crate) fn value(value: &Value) -> Value {
    if value_fits(value, DEEPEST) { value.clone() } else { Value::from(TOO_DEEP) }
}

/// The arguments of a call, for a loss to show.
pub(crate) fn arguments(arguments: &Map<String, Value>) -> Value {
    arguments.iter().map(|(key, argument)| (key.clone(), value(argument))).collect()
}

/// The arguments of an expected call, if it has any, for a loss to show.
pub(crate) fn expected_arguments(call: &ExpectedCall) -> Option<Value> {
    let arguments = call.arguments.iter();
    let shown = || arguments.map(|(key, argument)| (key.clone(), pattern(argument))).collect();
    (!call.arguments.is_empty()).then(shown)
}

/// Whether a pattern is nested no deeper than can be shown.
pub(crate) fn can_show(pattern: &Pattern) -> bool {
    pattern_fits(pattern, DEEPEST)
}

fn pattern_fits(pattern: &Pattern, levels: usize) -> bool {
    let Some(below) = levels.checked_sub(1) else { return false };
    match pattern {
        Pattern::Object(object) => object.values().all(|pattern| pattern_fits(pattern, below)),
        Pattern::List(items) | Pattern::Items { items, .. } | Pattern::AnyOf(items) => {
            items.iter().all(|pattern| pattern_fits(pattern, below))
        }
        Pattern::Optional(pattern) => pattern_fits(pattern, below),
        Pattern::Scalar(value) | Pattern::Exact(value) => value_fits(value, below),
        _ => true,
    }
}

fn value_fits(value: &Value, levels: usize) -> bool {
    match value {
        Value::Object(object) => levels > 0 && object.values().all(|v| value_fits(v, levels - 1)),
        Value::Array(items) => levels > 0 && items.iter().all(|v| value_fits(v, levels - 1)),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_what_is_nested_deeply_is_left_out() {
        let nest = |levels| (0..levels).fold(json!(1), |inner, _| json!([inner]));
        assert_eq!(value(&nest(60)), nest(60));
        assert_eq!(value(&nest(70)), json!(TOO_DEEP));
        assert_eq!(pattern(&Pattern::plain(&nest(60))), nest(60));
        assert_eq!(pattern(&Pattern::plain(&nest(70))), json!(TOO_DEEP));
    }
}
