//! The arguments of a call, taken one by one. What is wrong with one is told to the model.

use serde_json::{Map, Value};

/// A text that must be there.
pub(super) fn text<'a>(arguments: &'a Map<String, Value>, name: &str) -> Result<&'a str, String> {
    optional_text(arguments, name)?
        .ok_or_else(|| format!("the argument `{name}` is missing; it must be a text"))
}

/// A text that may be left out.
pub(super) fn optional_text<'a>(
    arguments: &'a Map<String, Value>,
    name: &str,
) -> Result<Option<&'a str>, String> {
    match arguments.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if text.trim().is_empty() => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(other) => Err(format!("the argument `{name}` must be a text, not {other}")),
    }
}

/// A number from 1, or the one that is meant if it is left out; at most `most`.
pub(super) fn count(
    arguments: &Map<String, Value>,
    name: &str,
    usual: usize,
    most: usize,
) -> Result<usize, String> {
    let wrong = |value: &Value| {
        Err(format!("the argument `{name}` must be a whole number from 1 to {most}, not {value}"))
    };
    let number = match arguments.get(name) {
        None | Some(Value::Null) => return Ok(usual),
        Some(Value::Number(number)) => number.as_f64(),
        // Some models write every number as a text.
        Some(Value::String(text)) => text.trim().parse().ok(),
        Some(other) => return wrong(other),
    };
    match number {
        #[expect(clippy::cast_sign_loss, clippy::cast_possible_truncation, reason = "in range")]
        #[expect(clippy::cast_precision_loss, reason = "limits are small")]
        Some(number) if number >= 1.0 && number.fract() == 0.0 => {
            // Too many is cut down and not refused: a model that asks for all means as many as
            // there are.
            Ok(number.min(most as f64) as usize)
        }
        _ => wrong(&arguments[name]),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn map(value: Value) -> Map<String, Value> {
        let Value::Object(map) = value else { unreachable!("tests pass objects") };
        map
    }

    #[test]
    fn arguments_are_taken_as_models_write_them() {
        let arguments = map(json!({"a": "x", "n": 3, "t": "4", "f": 2.0, "big": 99, "no": null}));
        assert_eq!(text(&arguments, "a"), Ok("x"));
        assert_eq!(optional_text(&arguments, "no"), Ok(None));
        let counts = ["n", "t", "f", "big", "no"].map(|name| count(&arguments, name, 5, 20));
        assert_eq!(counts, [Ok(3), Ok(4), Ok(2), Ok(20), Ok(5)]);
    }

    #[test]
    fn what_is_wrong_with_an_argument_is_said() {
        let arguments = map(json!({"a": 1, "n": 0, "h": 1.5, "l": [], "w": "many"}));
        assert!(text(&arguments, "sql").unwrap_err().contains("`sql` is missing"));
        assert!(text(&arguments, "a").unwrap_err().contains("must be a text, not 1"));
        for name in ["n", "h", "l", "w"] {
            assert!(count(&arguments, name, 5, 20).is_err(), "{name}");
        }
    }
}
