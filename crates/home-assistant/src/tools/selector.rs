//! The JSON Schema that Home Assistant makes of a selector.

use serde_json::{Map, Value, json};

use crate::profile::Profile;

/// The JSON Schema of what a selector of a kind takes.
pub(super) fn schema(kind: &str, settings: &Value, profile: Profile) -> Value {
    let multiple = is_set(settings, "multiple");
    match kind {
        "boolean" => json!({"type": "boolean"}),
        "number" => number(settings),
        "color_temp" => color_temperature(settings),
        "color_rgb" => json!({
            "type": "array", "items": {"type": "number"}, "minItems": 3, "maxItems": 3,
            "format": "RGB",
        }),
        "date" => json!({"type": "string", "format": "date"}),
        "datetime" => json!({"type": "string", "format": "date-time"}),
        "time" => json!({"type": "string", "format": "time"}),
        "template" => json!({"type": "string", "format": "jinja2"}),
        "entity" => list_if(multiple, json!({"type": "string", "format": "entity_id"})),
        "select" => select(settings, multiple),
        "country" => choice(settings, "countries", "ISO 3166-1 alpha-2"),
        "language" => choice(settings, "languages", "RFC 5646"),
        "object" => list_if(multiple, object(settings, profile)),
        "backup_location" => json!({"type": "string", "pattern": r"^(?:\/backup|\w+)$"}),
        "constant" => constant(settings.get("value").unwrap_or(&Value::Null)),
        "trigger" => list_if(true, json!({"type": "string"})),
        "condition" if profile.is_current() => list_if(true, json!({})),
        "condition" => list_if(true, json!({"nullable": true, "type": "string"})),
        "media" => list_if(multiple, fixed(MEDIA, profile)),
        "duration" => fixed(DURATION, profile),
        "location" => fixed(LOCATION, profile),
        "target" => fixed(TARGET, profile),
        _ => list_if(multiple, json!({"type": "string"})),
    }
}

/// An object whose keys are always the same: each with its type, and whether it is required.
type Fixed = &'static [(&'static str, SelectorKind, bool)];

#[derive(Clone, Copy)]
enum SelectorKind {
    Text,
    Texts,
    Number,
    Mapping,
}

const MEDIA: Fixed = &[
    ("entity_id", SelectorKind::Text, false),
    ("media_content_id", SelectorKind::Text, true),
    ("media_content_type", SelectorKind::Text, true),
    ("metadata", SelectorKind::Mapping, false),
];
const DURATION: Fixed = &[
    ("days", SelectorKind::Number, false),
    ("hours", SelectorKind::Number, false),
    ("minutes", SelectorKind::Number, false),
    ("seconds", SelectorKind::Number, false),
    ("milliseconds", SelectorKind::Number, false),
];
const LOCATION: Fixed = &[
    ("latitude", SelectorKind::Number, true),
    ("longitude", SelectorKind::Number, true),
    ("radius", SelectorKind::Number, false),
];
const TARGET: Fixed = &[
    ("entity_id", SelectorKind::Texts, false),
    ("device_id", SelectorKind::Texts, false),
    ("area_id", SelectorKind::Texts, false),
    ("floor_id", SelectorKind::Texts, false),
    ("label_id", SelectorKind::Texts, false),
];

fn fixed(keys: Fixed, profile: Profile) -> Value {
    let schema = |kind| match kind {
        SelectorKind::Text => json!({"type": "string"}),
        SelectorKind::Texts => json!({"type": "array", "items": {"type": "string"}}),
        SelectorKind::Number => json!({"type": "number"}),
        SelectorKind::Mapping => json!({"type": "object", "additionalProperties": true}),
    };
    let properties = keys.iter().map(|(name, kind, _)| ((*name).to_owned(), schema(*kind)));
    let required: Vec<&str> =
        keys.iter().filter(|(_, _, required)| *required).map(|(name, _, _)| *name).collect();
    closed(&properties.collect(), &required, profile)
}

/// An object that takes these properties and no others.
pub(super) fn closed(
    properties: &Map<String, Value>,
    required: &[&str],
    profile: Profile,
) -> Value {
    let mut object = json!({"type": "object", "properties": properties});
    if !profile.is_current() || !required.is_empty() {
        object["required"] = json!(required);
    }
    if profile.is_current() {
        object["additionalProperties"] = json!(false);
    }
    object
}

/// An object with the fields its author gives it, or any object.
fn object(settings: &Value, profile: Profile) -> Value {
    let fields = settings.get("fields").and_then(Value::as_object);
    let Some(fields) = fields.filter(|fields| !fields.is_empty()) else {
        return json!({"type": "object", "additionalProperties": true});
    };
    let of_field = |field: &Value| {
        let selector = field.get("selector").and_then(Value::as_object)?.iter().next()?;
        Some(schema(selector.0, selector.1, profile))
    };
    let properties = fields.iter().map(|(name, field)| (name, of_field(field)));
    let properties: Map<String, Value> = properties
        .map(|(name, schema)| (name.clone(), schema.unwrap_or(json!({"type": "string"}))))
        .collect();
    let required: Vec<&String> = fields
        .iter()
        .filter(|(_, field)| is_set(field, "required"))
        .map(|(name, _)| name)
        .collect();
    let mut object = json!({"type": "object", "properties": properties});
    if !required.is_empty() {
        object["required"] = json!(required);
    }
    object
}

fn is_set(settings: &Value, name: &str) -> bool {
    settings.get(name).and_then(Value::as_bool) == Some(true)
}

fn list_if(multiple: bool, item: Value) -> Value {
    if multiple { json!({"type": "array", "items": item}) } else { item }
}

fn constant(value: &Value) -> Value {
    let kind = match value {
        Value::Bool(_) => "boolean",
        Value::Number(_) => "integer",
        _ => "string",
    };
    json!({"type": kind, "enum": [value]})
}

/// A number, with its limits as fractions.
fn number(settings: &Value) -> Value {
    let limit = |name: &str| settings.get(name).and_then(Value::as_f64).map(Value::from);
    limited(limit("min"), limit("max"))
}

/// A colour temperature, with its limits as whole numbers.
fn color_temperature(settings: &Value) -> Value {
    #[expect(clippy::cast_possible_truncation, reason = "Home Assistant truncates here")]
    let whole = |number: f64| Value::from(number as i64);
    let limit = |names: [&str; 2]| {
        names.iter().find_map(|name| settings.get(*name)).and_then(Value::as_f64).map(whole)
    };
    limited(limit(["min", "min_mireds"]), limit(["max", "max_mireds"]))
}

fn limited(least: Option<Value>, most: Option<Value>) -> Value {
    let mut number = json!({"type": "number"});
    if let Some(least) = least {
        number["minimum"] = least;
    }
    if let Some(most) = most {
        number["maximum"] = most;
    }
    number
}

fn select(settings: &Value, multiple: bool) -> Value {
    let options = settings.get("options").and_then(Value::as_array).cloned().unwrap_or_default();
    let value = |option: Value| match option {
        Value::Object(mut option) => option.remove("value").unwrap_or_default(),
        plain => plain,
    };
    let options: Vec<Value> = options.into_iter().map(value).collect();
    if multiple {
        let items = json!({"type": "string", "enum": options});
        return json!({"type": "array", "items": items, "uniqueItems": true});
    }
    json!({"type": "string", "enum": options})
}

fn choice(settings: &Value, list: &str, format: &str) -> Value {
    match settings.get(list) {
        Some(values) => json!({"type": "string", "enum": values}),
        None => json!({"type": "string", "format": format}),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(selector: &Value, profile: Profile) -> String {
        let (kind, settings) = selector.as_object().unwrap().iter().next().unwrap();
        schema(kind, settings, profile).to_string()
    }

    /// Expected: `homeassistant.helpers.llm.selector_serializer` of 2026.10.4, as its
    /// `llama_cpp` integration sends it.
    #[test]
    fn selectors_become_the_schemas_of_home_assistant() {
        for (selector, expected) in [
            (json!({"constant": {"value": true}}), r#"{"type":"boolean","enum":[true]}"#),
            (json!({"constant": {"value": 5}}), r#"{"type":"integer","enum":[5]}"#),
            (json!({"constant": {"value": "x"}}), r#"{"type":"string","enum":["x"]}"#),
            (json!({"condition": {}}), r#"{"type":"array","items":{}}"#),
            (json!({"trigger": {}}), r#"{"type":"array","items":{"type":"string"}}"#),
            (
                json!({"color_temp": {"unit": "kelvin", "min": 2000, "max": 6500}}),
                r#"{"type":"number","minimum":2000,"maximum":6500}"#,
            ),
            (
                json!({"number": {"min": 1, "max": 3}}),
                r#"{"type":"number","minimum":1.0,"maximum":3.0}"#,
            ),
            (
                json!({"location": {}}),
                r#"{"type":"object","properties":{"latitude":{"type":"number"},"longitude":{"type":"number"},"radius":{"type":"number"}},"required":["latitude","longitude"],"additionalProperties":false}"#,
            ),
            (
                json!({"object": {"fields": {"a": {"selector": {"text": {}}, "required": true}}}}),
                r#"{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}"#,
            ),
            (
                json!({"object": {"multiple": true}}),
                r#"{"type":"array","items":{"type":"object","additionalProperties":true}}"#,
            ),
        ] {
            assert_eq!(written(&selector, Profile::V2026_10), expected, "{selector}");
        }
    }

    #[test]
    fn objects_of_2026_2_are_open_and_list_what_they_require() {
        let duration = written(&json!({"duration": {}}), Profile::V2026_2);
        assert!(duration.ends_with(r#""milliseconds":{"type":"number"}},"required":[]}"#));
    }
}
