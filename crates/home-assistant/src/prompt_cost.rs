//! How much of what a model is sent each exposed entity costs.

use serde_json::Value;
use toolgauge_core::Tool;

use crate::inventory::{Entity, Inventory};
use crate::prompt;

/// What a model is sent before anybody speaks, and what each entity adds to it. All in characters:
/// how many tokens they are, only the model knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PromptCost {
    /// The system message.
    pub system: usize,
    /// The tools.
    pub tools: usize,
    /// Each exposed entity, the dearest first.
    pub entities: Vec<EntityCost>,
}

/// What one entity adds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntityCost {
    /// Its id.
    pub entity_id: String,
    /// Its name.
    pub name: String,
    /// How many characters are sent because it is exposed.
    pub characters: usize,
}

impl PromptCost {
    /// What a home costs, with the system message and the tools at one of its satellites.
    pub fn of(inventory: &Inventory, system: &str, tools: &[Tool]) -> Self {
        let length = |tool: &Tool| serde_json::to_string(tool).map_or(0, |text| count(&text));
        let cost = |entity: &Entity| EntityCost {
            entity_id: entity.id.clone(),
            name: entity.name.clone(),
            characters: match entity.domain() {
                // A script is a tool of its own, and a calendar a choice of one.
                "script" => tools.iter().find(|tool| is_of(tool, entity)).map_or(0, length),
                "calendar" => choices(entity),
                _ => listed(inventory, entity),
            },
        };
        let exposed = inventory.entities().iter().filter(|entity| entity.exposed);
        let mut entities: Vec<EntityCost> = exposed.map(cost).collect();
        // Entities that cost the same stay in the order of the home.
        entities.sort_by_key(|entity| std::cmp::Reverse(entity.characters));
        Self { system: count(system), tools: tools.iter().map(length).sum(), entities }
    }

    /// What all entities add together.
    pub fn of_entities(&self) -> usize {
        self.entities.iter().map(|entity| entity.characters).sum()
    }
}

fn count(text: &str) -> usize {
    text.chars().count()
}

/// The lines of the prompt that list an entity.
fn listed(inventory: &Inventory, entity: &Entity) -> usize {
    let mut lines = String::new();
    prompt::identity(&mut lines, entity);
    prompt::areas(&mut lines, inventory, entity);
    count(&lines)
}

/// Its names among the choices of a parameter, each with a comma.
fn choices(entity: &Entity) -> usize {
    entity.names.iter().map(|name| count(&Value::from(name.as_str()).to_string()) + 1).sum()
}

fn is_of(tool: &Tool, script: &Entity) -> bool {
    let object = script.id.split_once('.').map_or("", |(_, object)| object);
    tool.name == object || tool.name.strip_prefix("script__") == Some(object)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::HomeAssistantWorld;

    const HOME: &str = "\
areas: [{id: hall, name: Hall, aliases: [entrance]}]
entities:
- {entity_id: light.lamp, name: Lamp, area: Hall}
- {entity_id: switch.plug, name: Plug, aliases: [the big grey plug behind the shelf]}
- {entity_id: sensor.hidden, name: Hidden, exposed: false}
- {entity_id: script.leave, name: Leave, description: Turns everything off}
";

    fn cost(text: &str) -> (PromptCost, String) {
        let inventory = Inventory::from_files(&[("home.yaml", text)]).unwrap();
        let world = HomeAssistantWorld::builder(Arc::clone(&inventory)).build().unwrap();
        let (system, tools) = world.at(None).unwrap();
        (PromptCost::of(&inventory, &system, &tools), system.to_string())
    }

    #[test]
    fn an_entity_costs_what_the_prompt_loses_without_it() {
        let (with, long) = cost(HOME);
        let (without, short) =
            cost(&HOME.replace("behind the shelf]}", "behind the shelf], exposed: false}"));
        let plug = with.entities.iter().find(|entity| entity.entity_id == "switch.plug").unwrap();
        assert_eq!(plug.characters, count(&long) - count(&short));
        assert_eq!(with.of_entities() - without.of_entities(), plug.characters);
    }

    #[test]
    fn a_script_costs_its_tool_and_what_is_not_exposed_costs_nothing() {
        let (cost, _) = cost(HOME);
        let ids: Vec<&str> = cost.entities.iter().map(|e| e.entity_id.as_str()).collect();
        assert_eq!(ids, ["script.leave", "switch.plug", "light.lamp"]);
        assert!(cost.entities[0].characters > 100, "{cost:?}");
    }
}
