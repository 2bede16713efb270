//! Scripts as tools: their fields become parameters.

use serde_json::{Map, Value, json};
use toolgauge_core::Tool;

use super::offered_tool::{OfferedAction, OfferedTool};
use crate::inventory::{Contents, Entity, Field, Inventory, Script};
use crate::profile::Profile;
use crate::python;

/// A tool for each exposed script, in the order of their names.
pub(super) fn tools(inventory: &Inventory, profile: Profile) -> Vec<OfferedTool> {
    let scripts = inventory.exposed_by_name("script");
    let tool = |(at, entity): (usize, &Entity)| match &entity.contents {
        Contents::Script(script) => Some(OfferedTool {
            tool: tool(entity, script, profile),
            action: OfferedAction::Script(at),
        }),
        _ => None,
    };
    scripts.filter_map(tool).collect()
}

fn tool(entity: &Entity, script: &Script, profile: Profile) -> Tool {
    let object = entity.object_id();
    let lead = if object.starts_with(|c: char| c.is_ascii_digit()) { "_" } else { "" };
    let prefix = if profile.is_current() { "script__" } else { "" };
    Tool {
        name: format!("{prefix}{lead}{object}"),
        description: description(entity, script, profile),
        parameters: parameters(script, profile),
    }
}

/// What the author wrote, then every name it has; before 2026.10 its friendly name was left out.
fn description(entity: &Entity, script: &Script, profile: Profile) -> String {
    let names = if profile.is_current() { &entity.names[..] } else { &entity.names[1..] };
    let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
    if profile.is_current() {
        names.sort_unstable();
    }
    let aliases = (!names.is_empty()).then(|| format!("Aliases: {}", python::list(names)));
    let parts: Vec<String> = script.description.clone().into_iter().chain(aliases).collect();
    parts.join(". ")
}

fn parameters(script: &Script, profile: Profile) -> Value {
    let mut properties = Map::new();
    for (name, field) in &script.fields {
        properties.insert(name.clone(), property(field));
    }
    let required = script.fields.iter().filter(|(_, field)| field.required);
    let required: Vec<&String> = required.map(|(name, _)| name).collect();
    let mut parameters = json!({"type": "object", "properties": properties});
    if !profile.is_current() || !required.is_empty() {
        parameters["required"] = json!(required);
    }
    if profile.is_current() {
        parameters["additionalProperties"] = json!(false);
    }
    parameters
}

fn property(field: &Field) -> Value {
    let mut property = match &field.selector {
        Some((kind, settings)) => selector(kind, settings),
        None => json!({"type": "string"}),
    };
    if let Some(description) = &field.description {
        property["description"] = json!(description);
    }
    property
}

/// The JSON Schema Home Assistant makes of a selector.
fn selector(kind: &str, settings: &Value) -> Value {
    let multiple = settings.get("multiple").and_then(Value::as_bool) == Some(true);
    match kind {
        "boolean" => json!({"type": "boolean"}),
        "number" => number(settings, &["min"], &["max"]),
        "color_temp" => number(settings, &["min", "min_mireds"], &["max", "max_mireds"]),
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
        "object" => list_if(multiple, json!({"type": "object", "additionalProperties": true})),
        _ => list_if(multiple, json!({"type": "string"})),
    }
}

fn list_if(multiple: bool, item: Value) -> Value {
    if multiple { json!({"type": "array", "items": item}) } else { item }
}

fn number(settings: &Value, least: &[&str], most: &[&str]) -> Value {
    let limit =
        |names: &[&str]| names.iter().find_map(|name| settings.get(*name)).and_then(Value::as_f64);
    let mut number = json!({"type": "number"});
    if let Some(least) = limit(least) {
        number["minimum"] = json!(least);
    }
    if let Some(most) = limit(most) {
        number["maximum"] = json!(most);
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
