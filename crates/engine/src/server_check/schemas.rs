//! What makes the arguments of a tool hard to give.

use serde_json::Value;

/// How deep a schema may be nested before models lose their way.
const DEEPEST: usize = 5;
/// How many arguments a tool may have before they are hard to tell apart.
const MOST_ARGUMENTS: usize = 15;

/// The arguments that a schema requires.
pub(super) fn required(schema: &Value) -> impl Iterator<Item = &str> {
    let names = schema.get("required").and_then(Value::as_array);
    names.into_iter().flatten().filter_map(Value::as_str)
}

/// The arguments that a schema describes.
pub(super) fn properties(schema: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let properties = schema.get("properties").and_then(Value::as_object);
    properties.into_iter().flatten().map(|(name, value)| (name.as_str(), value))
}

/// Whether anything says what a value may be.
fn is_typed(schema: &Value) -> bool {
    const SAY: [&str; 8] =
        ["type", "enum", "const", "$ref", "anyOf", "oneOf", "allOf", "properties"];
    SAY.iter().any(|key| schema.get(key).is_some())
}

/// What some providers refuse, with all other tools of the request.
pub(super) fn refused(schema: &Value) -> Option<String> {
    let found = ["oneOf", "anyOf", "allOf"].into_iter().find(|key| schema.get(key).is_some());
    if let Some(key) = found {
        return Some(format!("`{key}` stands at the top of its arguments"));
    }
    let mut remote = None;
    each(schema, &mut |part: &Value| {
        let to = part.get("$ref").and_then(Value::as_str);
        if let Some(to) = to.filter(|to| !to.starts_with('#')) {
            remote.get_or_insert_with(|| format!("`$ref` points to `{to}`, outside the schema"));
        }
    });
    remote
}

/// What leaves a model to guess.
pub(super) fn vague(schema: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let names = |is_such: &dyn Fn(&Value) -> bool| {
        let such = properties(schema).filter(|(_, value)| is_such(value));
        such.map(|(name, _)| format!("`{name}`")).collect::<Vec<_>>().join(", ")
    };
    let mut tell = |names: String, what: &str| {
        if !names.is_empty() {
            found.push(format!("{what}: {names}"));
        }
    };
    let kind = |value: &Value, kind: &str| value.get("type").and_then(Value::as_str) == Some(kind);
    let is_described = |value: &Value| {
        let text = value.get("description").and_then(Value::as_str);
        text.is_some_and(|text| !text.trim().is_empty()) || value.get("enum").is_some()
    };
    tell(names(&|value| !is_typed(value)), "arguments of any type");
    tell(names(&|value| !is_described(value)), "arguments without a description");
    tell(
        names(&|value| kind(value, "array") && value.get("items").is_none()),
        "lists of nobody knows what",
    );
    let is_open = |value: &Value| {
        kind(value, "object")
            && value.get("properties").is_none()
            && value.get("additionalProperties").is_none_or(Value::is_boolean)
    };
    tell(names(&is_open), "objects of nobody knows what");
    let count = properties(schema).count();
    if count > MOST_ARGUMENTS {
        found.push(format!("it has {count} arguments"));
    }
    let depth = depth(schema);
    if depth > DEEPEST {
        found.push(format!("its arguments are nested {depth} deep"));
    }
    found
}

/// Choices among nothing, which no value meets.
pub(super) fn impossible(schema: &Value) -> bool {
    let mut found = false;
    each(schema, &mut |part: &Value| {
        found |= part.get("enum").and_then(Value::as_array).is_some_and(Vec::is_empty);
    });
    found
}

fn each(value: &Value, look: &mut impl FnMut(&Value)) {
    look(value);
    match value {
        Value::Array(items) => items.iter().for_each(|item| each(item, look)),
        Value::Object(map) => map.values().for_each(|part| each(part, look)),
        _ => {}
    }
}

/// How many objects and lists lie within each other.
fn depth(schema: &Value) -> usize {
    let inner = properties(schema).map(|(_, value)| value).chain(schema.get("items"));
    let deepest = inner.map(depth).max();
    deepest.map_or(0, |deepest| deepest + 1)
}
