//! The tools a model is offered: which ones depends on what is exposed and on the satellite.

mod file;
mod offered_tool;
mod script;
mod selector;

use serde_json::Value;
use toolgauge_core::Tool;

pub use file::{ToolsError, tools_from_json};
pub(crate) use offered_tool::{OfferedAction, OfferedTool};

use super::catalogue::{CatalogueTool, ToolCondition, ToolKind, catalogue};
use super::features::media_player::{PLAY_MEDIA, SEARCH_MEDIA};
use super::inventory::{Inventory, Satellite};
use super::profile::Profile;

/// The tools offered to a model that answers a satellite, in the order they are sent.
pub(crate) fn offered(
    inventory: &Inventory,
    profile: Profile,
    satellite: Option<&Satellite>,
) -> Vec<OfferedTool> {
    let mut tools = Vec::new();
    let mut scripts = Some(script::tools(inventory, profile));
    for (at, entry) in catalogue(profile).iter().enumerate() {
        // Tools of 2026.10 go by their names; before, scripts stood before the live context.
        let script_place = if profile.is_current() {
            entry.tool.name.as_str() > "script__"
        } else {
            profile == Profile::V2026_2 && entry.kind == ToolKind::LiveContext
        };
        if script_place && let Some(scripts) = scripts.take() {
            tools.extend(scripts);
        }
        if is_open(entry.kind.gate(profile), inventory, satellite) {
            let tool = filled_in(entry, inventory, profile);
            tools.push(OfferedTool { tool, action: OfferedAction::BuiltIn(entry.kind, at) });
        }
    }
    tools
}

fn is_open(gate: ToolCondition, inventory: &Inventory, satellite: Option<&Satellite>) -> bool {
    let mut exposed = inventory.entities().iter().filter(|entity| entity.exposed);
    match gate {
        ToolCondition::Always => true,
        ToolCondition::Listed => inventory.listed().next().is_some(),
        ToolCondition::Timers => satellite.is_some_and(|satellite| satellite.supports_timers),
        ToolCondition::Domains(domains) => exposed.any(|entity| domains.contains(&entity.domain())),
        ToolCondition::Named(domain) => {
            exposed.any(|entity| entity.domain() == domain && !entity.names.is_empty())
        }
        ToolCondition::MediaSearch => exposed.any(|entity| {
            entity.domain() == "media_player" && entity.supports(SEARCH_MEDIA | PLAY_MEDIA)
        }),
    }
}

/// The tool with the home's own names in its enums.
fn filled_in(entry: &CatalogueTool, inventory: &Inventory, profile: Profile) -> Tool {
    let mut tool = entry.tool.clone();
    if let Some((parameter, domain)) = entry.kind.names_in() {
        // Things that share a name are one choice; 2026.2 still listed it once for each of them.
        let mut names: Vec<Value> = Vec::new();
        for name in inventory.exposed_names(domain).into_iter().map(Value::String) {
            if !profile.is_current() || !names.contains(&name) {
                names.push(name);
            }
        }
        if let Some(property) = tool.parameters.pointer_mut(&format!("/properties/{parameter}")) {
            property["enum"] = Value::Array(names);
        }
    }
    tool
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calendars_and_lists_that_answer_to_no_name_have_no_tools() {
        let tools = |names: &str| {
            let text = format!(
                "entities:\n\
                 - {{entity_id: calendar.a, names: {names}}}\n\
                 - {{entity_id: todo.a, names: {names}}}\n"
            );
            let inventory = Inventory::from_files(&[("home.yaml", &text)]).unwrap();
            let offered = offered(&inventory, Profile::V2026_10, None);
            let of_them = |name: &str| name.starts_with("calendar__") || name.starts_with("todo__");
            offered.iter().filter(|offer| of_them(&offer.tool.name)).count()
        };
        assert_eq!((tools("[Mine]"), tools("[]")), (5, 0));
    }

    #[test]
    fn two_calendars_of_one_name_are_one_choice_since_2026_10() {
        let calendar = |id| format!("- {{entity_id: calendar.{id}, name: Family}}\n");
        let text = format!("entities:\n{}{}", calendar("a"), calendar("b"));
        let inventory = Inventory::from_files(&[("home.yaml", &text)]).unwrap();
        for (profile, tool, names) in [
            (Profile::V2026_10, "calendar__get_events", vec!["Family"]),
            (Profile::V2026_2, "calendar_get_events", vec!["Family", "Family"]),
        ] {
            let offered = offered(&inventory, profile, None);
            let tool = offered.iter().find(|offer| offer.tool.name == tool).unwrap();
            assert_eq!(
                tool.tool.parameters["properties"]["calendar"]["enum"],
                serde_json::json!(names)
            );
        }
    }
}
