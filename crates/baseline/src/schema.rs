//! A tool's JSON Schema, read down to what can be filled from a request.

use serde_json::Value;

use super::words::{content_stems, identifier_stems};

/// How deep objects in objects are followed.
const MAX_DEPTH: usize = 4;

/// One parameter of a tool.
#[derive(Clone, Debug)]
pub(super) struct ToolParameter {
    /// Its name, as calls spell it.
    pub(super) name: String,
    /// The stems of its name's words.
    pub(super) stems: Vec<String>,
    /// The stems of its description's words.
    pub(super) hints: Vec<String>,
    /// Whether a call must have it.
    pub(super) required: bool,
    /// What may stand in it.
    pub(super) kind: ParameterKind,
}

impl ToolParameter {
    /// Whether the parameter's name has a word with one of these stems.
    pub(super) fn is_named(&self, stems: &[&str]) -> bool {
        self.stems.iter().any(|own| stems.contains(&own.as_str()))
    }

    /// Whether its name or description has a word with one of these stems.
    pub(super) fn mentions(&self, stems: &[&str]) -> bool {
        self.is_named(stems) || self.hints.iter().any(|own| stems.contains(&own.as_str()))
    }
}

/// What may stand in a parameter.
#[derive(Clone, Debug)]
pub(super) enum ParameterKind {
    /// One of a list of values.
    Choice(Vec<EnumValue>),
    /// A whole number.
    Integer(Bounds),
    /// Any number.
    Number(Bounds),
    /// Yes or no.
    Boolean,
    /// A string.
    Text,
    /// A list of such values.
    List(Box<ParameterKind>),
    Object(Vec<ToolParameter>),
    /// Any one of several kinds.
    Either(Vec<ParameterKind>),
    /// Nothing that is understood here; never filled.
    Opaque,
}

/// One value of an enumeration.
#[derive(Clone, Debug)]
pub(super) struct EnumValue {
    pub(super) value: Value,
    /// The stems of its words.
    pub(super) stems: Vec<String>,
}

/// Between what a number must lie.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// The smallest number allowed.
    pub(super) least: f64,
    /// The largest.
    pub(super) most: f64,
}

impl Bounds {
    /// Whether a number lies between them.
    pub(super) fn allow(self, value: f64) -> bool {
        value >= self.least && value <= self.most
    }
}

/// The parameters a schema of arguments describes, in its order.
pub(super) fn parameters(schema: &Value) -> Vec<ToolParameter> {
    parameters_at(schema, schema, 0)
}

fn parameters_at(schema: &Value, root: &Value, depth: usize) -> Vec<ToolParameter> {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        return Vec::new();
    };
    let required: Vec<&str> = list(schema, "required").filter_map(Value::as_str).collect();
    let read = |(name, property): (&String, &Value)| ToolParameter {
        name: name.clone(),
        stems: identifier_stems(name),
        hints: content_stems(text(property, "description")),
        required: required.contains(&name.as_str()),
        kind: kind(property, root, depth),
    };
    properties.iter().map(read).collect()
}

fn kind(schema: &Value, root: &Value, depth: usize) -> ParameterKind {
    if depth >= MAX_DEPTH {
        return ParameterKind::Opaque;
    }
    if let Some(target) = reference(schema, root) {
        // A reference counts as a level, or one to itself would never end.
        return kind(target, root, depth + 1);
    }
    if let Some(value) = schema.get("const") {
        return ParameterKind::Choice(vec![choice(value)]);
    }
    if schema.get("enum").is_some() {
        return ParameterKind::Choice(
            list(schema, "enum").filter(|v| !v.is_null()).map(choice).collect(),
        );
    }
    for either in ["anyOf", "oneOf"] {
        if schema.get(either).is_some_and(Value::is_array) {
            return ParameterKind::Either(
                list(schema, either).map(|s| kind(s, root, depth + 1)).collect(),
            );
        }
    }
    match type_name(schema) {
        "integer" => ParameterKind::Integer(bounds(schema)),
        "number" => ParameterKind::Number(bounds(schema)),
        "boolean" => ParameterKind::Boolean,
        "string" => ParameterKind::Text,
        "array" => {
            let items =
                schema.get("items").map_or(ParameterKind::Opaque, |s| kind(s, root, depth + 1));
            ParameterKind::List(Box::new(items))
        }
        "object" => ParameterKind::Object(parameters_at(schema, root, depth + 1)),
        _ => ParameterKind::Opaque,
    }
}

/// The schema a local `$ref` points to.
fn reference<'a>(schema: &Value, root: &'a Value) -> Option<&'a Value> {
    let pointer = schema.get("$ref")?.as_str()?.strip_prefix('#')?;
    root.pointer(pointer)
}

/// The type a schema names; of several, the first that is not `null`.
fn type_name(schema: &Value) -> &str {
    match schema.get("type") {
        Some(Value::String(name)) => name,
        Some(Value::Array(names)) => {
            names.iter().filter_map(Value::as_str).find(|name| *name != "null").unwrap_or_default()
        }
        _ => "",
    }
}

fn bounds(schema: &Value) -> Bounds {
    let limit = |name: &str| schema.get(name).and_then(Value::as_f64);
    let least = limit("minimum").or_else(|| limit("exclusiveMinimum").map(f64::next_up));
    let most = limit("maximum").or_else(|| limit("exclusiveMaximum").map(f64::next_down));
    Bounds { least: least.unwrap_or(f64::NEG_INFINITY), most: most.unwrap_or(f64::INFINITY) }
}

fn choice(value: &Value) -> EnumValue {
    let stems = match value {
        Value::String(text) => identifier_stems(text),
        other => identifier_stems(&other.to_string()),
    };
    EnumValue { value: value.clone(), stems }
}

fn list<'a>(schema: &'a Value, name: &str) -> impl Iterator<Item = &'a Value> {
    schema.get(name).and_then(Value::as_array).into_iter().flatten()
}

fn text<'a>(schema: &'a Value, name: &str) -> &'a str {
    schema.get(name).and_then(Value::as_str).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn kinds_are_read_from_a_schema() {
        let found = parameters(&json!({
            "type": "object",
            "properties": {
                "mode": {"enum": ["heat", "fan_only", null]},
                "level": {"type": ["integer", "null"], "minimum": 0, "exclusiveMaximum": 11},
                "tags": {"type": "array", "items": {"type": "string"}},
                "step": {"anyOf": [{"enum": ["up", "down"]}, {"type": "number"}]},
                "place": {"$ref": "#/$defs/place"},
                "odd": {"type": "tuple"},
            },
            "required": ["mode"],
            "$defs": {"place": {"type": "object", "properties": {"city": {"type": "string"}}}},
        }));
        let [mode, level, tags, step, place, odd] = found.as_slice() else {
            panic!("{found:?}");
        };
        assert!(mode.required && matches!(&mode.kind, ParameterKind::Choice(c) if c.len() == 2));
        let ParameterKind::Integer(bounds) = level.kind else { panic!("{level:?}") };
        assert!(bounds.allow(10.0) && !bounds.allow(11.0) && !bounds.allow(-1.0));
        assert!(
            matches!(&tags.kind, ParameterKind::List(items) if matches!(**items, ParameterKind::Text))
        );
        assert!(matches!(&step.kind, ParameterKind::Either(kinds) if kinds.len() == 2));
        assert!(matches!(&place.kind, ParameterKind::Object(p) if p[0].name == "city"));
        assert!(matches!(odd.kind, ParameterKind::Opaque));
    }

    #[test]
    fn a_schema_that_contains_itself_comes_to_an_end() {
        let schema = json!({
            "properties": {"next": {"$ref": "#/properties/next"}},
        });
        assert!(matches!(parameters(&schema)[0].kind, ParameterKind::Opaque));
    }
}
