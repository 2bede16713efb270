//! The prompt of the older benchmark: every entity with its id, state and attributes.

use std::fmt::Write as _;

use serde_json::Value;

use crate::inventory::{Entity, Inventory};
use crate::profile::PromptOptions;
use crate::python;

/// Home Assistant's sentences of that time, a line each.
pub(super) const INSTRUCTIONS: &str = "\
You are a voice assistant for Home Assistant.
Answer questions about the world truthfully.
Answer in plain text. Keep it simple and to the point.
When controlling Home Assistant always call the intent tools.
Use HassTurnOn to lock and HassTurnOff to unlock a lock.
When controlling a device, prefer passing just name and domain.
When controlling an area, prefer passing just area name and domain.
When a user asks to turn on all devices of a specific type, ask user to specify an area, unless \
there is only one device of that type.";

/// The home, entity by entity, set off by blank lines.
pub(super) fn overview(inventory: &Inventory, options: &PromptOptions) -> String {
    let opening = "\nAn overview of the areas and the devices in this smart home:\n";
    let mut overview = String::from(opening);
    let exposed = |at: &usize| inventory.entities()[*at].exposed;
    let listed = (0..inventory.entities().len()).filter(exposed).collect();
    for at in options.entities.arrange(listed, &inventory.index.by_name) {
        entity(&mut overview, inventory, &inventory.entities()[at]);
    }
    overview
}

fn entity(out: &mut String, inventory: &Inventory, entity: &Entity) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{}:\n  names: {}", entity.id, entity.names.join(", "));
    let _ = writeln!(out, "  state: '{}'", entity.state);
    if let Some(area) = inventory.area_of(entity) {
        let _ = writeln!(out, "  areas: {}", area.name);
    }
    if entity.attributes.is_empty() {
        return;
    }
    out.push_str("  attributes:\n");
    for (name, value) in &entity.attributes {
        let _ = match value {
            Value::Null => writeln!(out, "    {name}:"),
            value => writeln!(out, "    {name}: {}", python::str(value)),
        };
    }
}
