//! Scripts as tools: their fields become parameters.

use serde_json::{Map, Value, json};
use toolgauge_core::Tool;

use super::offered_tool::{OfferedAction, OfferedTool};
use super::selector;
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
    let told = |name: &&String| profile.is_current() || **name != entity.name;
    let mut names: Vec<&str> = entity.names.iter().filter(told).map(String::as_str).collect();
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
        properties.insert(name.clone(), property(field, profile));
    }
    let required = script.fields.iter().filter(|(_, field)| field.required);
    let required: Vec<&str> = required.map(|(name, _)| name.as_str()).collect();
    selector::closed(&properties, &required, profile)
}

fn property(field: &Field, profile: Profile) -> Value {
    let mut property = match &field.selector {
        Some((kind, settings)) => selector::schema(kind, settings, profile),
        None => json!({"type": "string"}),
    };
    if let Some(description) = &field.description {
        property["description"] = json!(description);
    }
    property
}
