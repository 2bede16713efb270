//! Whether a schema of few and plain words allows a value, without compiling it.
//!
//! To compile a schema takes a hundred times as long as to apply it, and most schemas of tools say
//! no more than which types their arguments have.

use serde_json::{Map, Value};

/// Words that forbid nothing.
const REMARKS: [&str; 5] = ["description", "title", "default", "examples", "optional"];

/// Whether the schema surely allows the value. `false` says nothing: the value may be wrong, or
/// the schema may have words that only a validator knows.
pub(super) fn plainly_allows(schema: &Value, value: &Value) -> bool {
    let Value::Object(schema) = schema else { return false };
    schema.iter().all(|(word, says)| match word.as_str() {
        "type" => is_of(says, value),
        "enum" => says.as_array().is_some_and(|values| values.contains(value)),
        "properties" => match (says, value) {
            (Value::Object(known), Value::Object(given)) => allows_members(known, given),
            (Value::Object(_), _) => true,
            _ => false,
        },
        "required" => match (says, value) {
            (Value::Array(names), Value::Object(given)) => {
                names.iter().all(|name| name.as_str().is_some_and(|name| given.contains_key(name)))
            }
            _ => false,
        },
        "items" => match value {
            Value::Array(items) => items.iter().all(|item| plainly_allows(says, item)),
            _ => says.is_object(),
        },
        // What is not described is left to the validator.
        "additionalProperties" => match (schema.get("properties"), value) {
            (Some(Value::Object(known)), Value::Object(given)) => {
                given.keys().all(|key| known.contains_key(key))
            }
            _ => false,
        },
        word => REMARKS.contains(&word),
    })
}

fn allows_members(known: &Map<String, Value>, given: &Map<String, Value>) -> bool {
    given.iter().all(|(key, value)| known.get(key).is_none_or(|known| plainly_allows(known, value)))
}

/// Whether a value is surely of a type. A number such as 1.0 may or may not be an integer.
fn is_of(kind: &Value, value: &Value) -> bool {
    kind.as_str().is_some_and(|kind| match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn plain_words_are_enough_for_most_tools() {
        let schema = json!({
            "type": "object",
            "properties": {
                "city": {"type": "string", "description": "where"},
                "days": {"type": "array", "items": {"type": "integer"}, "default": []},
                "unit": {"type": "string", "enum": ["C", "F"]},
            },
            "required": ["city"],
        });
        assert!(plainly_allows(&schema, &json!({"city": "Rome", "days": [1, 2], "unit": "C"})));
        for wrong in [json!({}), json!({"city": 1}), json!({"city": "Rome", "unit": "K"})] {
            assert!(!plainly_allows(&schema, &wrong), "{wrong}");
        }
    }

    /// Schemas of a few words, right and wrong ones.
    fn schemas() -> impl Strategy<Value = Value> {
        let kinds = ["object", "array", "string", "integer", "number", "boolean", "null", "word"];
        let leaf = prop_oneof![
            proptest::sample::select(kinds.to_vec()).prop_map(|kind| json!({"type": kind})),
            values().prop_map(|value| json!({"enum": [value, 1, "a"]})),
            Just(json!({"minimum": 1, "description": "a number"})),
            Just(json!({"pattern": "^a"})),
            Just(json!(true)),
        ];
        leaf.prop_recursive(3, 12, 3, |inner| {
            let members = proptest::collection::btree_map("[ab]", inner.clone(), 0..3);
            prop_oneof![
                (members.clone(), proptest::collection::btree_set("[ab]", 0..2)).prop_map(
                    |(members, required)| json!({"properties": members, "required": required})
                ),
                members.prop_map(
                    |members| json!({"properties": members, "additionalProperties": false})
                ),
                inner.prop_map(|inner| json!({"type": "array", "items": inner})),
            ]
        })
    }

    fn values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(json!(null)),
            Just(json!(1)),
            Just(json!(1.0)),
            Just(json!(2.5)),
            Just(json!("a")),
            Just(json!(true)),
        ];
        leaf.prop_recursive(3, 12, 3, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
                proptest::collection::btree_map("[abc]", inner, 0..3)
                    .prop_map(|members| members.into_iter().collect()),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_is_plainly_allowed_is_allowed_by_the_validator(schema in schemas(), value in values()) {
            if let Ok(validator) = jsonschema::options().build(&schema)
                && plainly_allows(&schema, &value)
            {
                prop_assert!(validator.is_valid(&value), "{schema} refuses {value}");
            }
        }
    }
}
