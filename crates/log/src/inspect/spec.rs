//! Tools and sampling settings, cut to what Inspect's models accept.
//!
//! The run's own record keeps tools and settings as they are. What is made here is for
//! Inspect's eyes, and one key of an unforeseen type would make it refuse the whole log.

use serde::Serialize;
use serde_json::{Map, Value};
use toolgauge_core::{Run, RunEntry, Tool};

const TYPES: [&str; 7] = ["string", "integer", "number", "boolean", "array", "object", "null"];

/// A tool as Inspect shows it.
#[derive(Serialize)]
pub(crate) struct ToolInfo<'a> {
    name: &'a str,
    description: &'a str,
    parameters: Value,
}

impl<'a> ToolInfo<'a> {
    pub(crate) fn of(tool: &'a Tool) -> Self {
        let mut parameters = Map::new();
        parameters.insert("type".into(), "object".into());
        let given = |key| tool.parameters.get(key);
        parameters.insert("properties".into(), properties(given("properties")));
        parameters.insert("required".into(), texts(given("required")).into());
        let additional = given("additionalProperties").and_then(flag_or_schema);
        // Inspect's model has `false` as its default, unlike JSON Schema.
        parameters.insert("additionalProperties".into(), additional.unwrap_or(Value::Bool(false)));
        let parameters = Value::Object(parameters);
        Self { name: &tool.name, description: &tool.description, parameters }
    }
}

fn properties(value: Option<&Value>) -> Value {
    let Some(Value::Object(properties)) = value else { return Value::Object(Map::new()) };
    properties.iter().map(|(name, value)| (name.clone(), schema(value))).collect()
}

fn texts(value: Option<&Value>) -> Vec<Value> {
    let items = value.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    items.iter().filter(|item| item.is_string()).cloned().collect()
}

fn flag_or_schema(value: &Value) -> Option<Value> {
    match value {
        Value::Bool(_) => Some(value.clone()),
        Value::Object(_) => Some(schema(value)),
        _ => None,
    }
}

/// A JSON Schema, cut to the keys and types that every version of Inspect reads.
fn schema(value: &Value) -> Value {
    let mut cut = Map::new();
    let Value::Object(given) = value else { return Value::Object(cut) };
    for (key, value) in given {
        let kept = match key.as_str() {
            "type" => {
                put_type(value, &mut cut);
                continue;
            }
            "format" | "description" | "pattern" => value.is_string().then(|| value.clone()),
            "default" => Some(value.clone()),
            "enum" | "examples" => value.is_array().then(|| value.clone()),
            "minLength" | "maxLength" => value.is_u64().then(|| value.clone()),
            "minimum" | "maximum" => value.is_number().then(|| value.clone()),
            "items" => value.is_object().then(|| schema(value)),
            "properties" => value.is_object().then(|| properties(Some(value))),
            "additionalProperties" => flag_or_schema(value),
            "required" => Some(texts(Some(value)).into()),
            // Older versions have no `const`; a choice of one value means the same to a reader.
            "const" => {
                cut.insert("enum".into(), vec![value.clone()].into());
                continue;
            }
            "anyOf" | "oneOf" => {
                let options = value.as_array().map(Vec::as_slice).unwrap_or_default();
                cut.insert("anyOf".into(), options.iter().map(schema).collect());
                continue;
            }
            _ => None,
        };
        if let Some(kept) = kept {
            cut.insert(key.clone(), kept);
        }
    }
    Value::Object(cut)
}

/// A single type as it is; several as alternatives, since only newer versions read a list.
fn put_type(value: &Value, cut: &mut Map<String, Value>) {
    let known = |value: &Value| value.as_str().is_some_and(|name| TYPES.contains(&name));
    match value {
        Value::Array(types) => {
            let options = types.iter().filter(|name| known(name));
            let options: Value = options.map(|name| serde_json::json!({"type": name})).collect();
            cut.insert("anyOf".into(), options);
        }
        name if known(name) => {
            cut.insert("type".into(), name.clone());
        }
        _ => {}
    }
}

/// The sampling settings that Inspect has a name for.
#[derive(Debug, Serialize)]
pub(crate) struct GenerateConfig(Map<String, Value>);

impl GenerateConfig {
    pub(crate) fn of(run: &Run) -> Self {
        let mut config = Map::new();
        // Both may name a setting; that of the sampling comes later and wins.
        let places = [Some(&run.settings), RunEntry::Sampling.of(run).and_then(Value::as_object)];
        for settings in places.into_iter().flatten() {
            for (key, value) in settings {
                let fits = match key.as_str() {
                    "temperature" | "top_p" => value.is_number(),
                    "max_tokens" | "seed" => value.is_u64(),
                    "parallel_tool_calls" => value.is_boolean(),
                    _ => false,
                };
                if fits {
                    config.insert(key.clone(), value.clone());
                }
            }
        }
        Self(config)
    }
}
