//! The system message: instructions, what is in the home, and hints on the tools.

mod classic;

use serde_json::Value;

use super::clock::Clock;
use super::inventory::{Area, Entity, Inventory, Satellite};
use super::profile::{Profile, PromptOptions, TimePlace};
use super::wording::{Wording, wording};
use super::yaml;

/// The system message for a request that comes from a satellite or from no device.
pub(crate) fn system(
    inventory: &Inventory,
    profile: Profile,
    options: &PromptOptions,
    satellite: Option<&Satellite>,
    clock: &Clock,
) -> String {
    let own = match profile {
        Profile::Classic => classic::INSTRUCTIONS,
        _ => &wording(profile).instructions,
    };
    let instructions = options.instructions.as_deref().unwrap_or(own).trim_end();
    let mut parts = vec![instructions.to_owned()];
    match profile {
        Profile::Classic => parts.push(classic::overview(inventory, options)),
        _ => parts.extend(assist(inventory, wording(profile), options, satellite)),
    }
    let time = time_line(profile, clock);
    match (options.time, profile) {
        (TimePlace::First, _) => parts.insert(0, time),
        (TimePlace::Last, _) | (TimePlace::AsProfile, Profile::Classic) => parts.push(time),
        (TimePlace::AsProfile, _) => {}
    }
    parts.extend(options.suffix.clone());
    parts.join("\n")
}

fn time_line(profile: Profile, clock: &Clock) -> String {
    let opening = if profile == Profile::Classic { "The current" } else { "Current" };
    format!("{opening} time is {}. Today's date is {}.", clock.time(), clock.date())
}

/// What Assist adds: entities with what to know of them, and hints on control.
fn assist(
    inventory: &Inventory,
    wording: &Wording,
    options: &PromptOptions,
    satellite: Option<&Satellite>,
) -> Vec<String> {
    let hints = hints(inventory, wording, satellite);
    match static_context(inventory, options) {
        Some(context) if wording.hints_first => {
            hints.into_iter().chain([wording.live_context.clone(), context]).collect()
        }
        Some(context) => [wording.live_context.clone(), context].into_iter().chain(hints).collect(),
        // Calendars and scripts are controlled, too, though no list names them.
        None if !wording.hints_first && inventory.entities().iter().any(|e| e.exposed) => {
            std::iter::once(wording.nothing_exposed.clone()).chain(hints).collect()
        }
        None => vec![wording.nothing_exposed.clone()],
    }
}

fn static_context(inventory: &Inventory, options: &PromptOptions) -> Option<String> {
    let listed: Vec<usize> = inventory.listed().collect();
    if listed.is_empty() {
        return None;
    }
    let opening = "Static Context: An overview of the areas and the devices in this smart home:\n";
    let mut context = String::from(opening);
    for at in options.entities.arrange(listed, &inventory.index.by_name) {
        identity(&mut context, &inventory.entities()[at]);
        areas(&mut context, inventory, &inventory.entities()[at]);
    }
    Some(context)
}

/// The lines that say what an entity is called and what it is.
pub(crate) fn identity(out: &mut String, entity: &Entity) {
    yaml::entry(out, "- ", "names", &Value::String(entity.names.join(", ")));
    yaml::entry(out, "  ", "domain", &Value::String(entity.domain().to_owned()));
}

/// The line that says where an entity is, where it is anywhere.
pub(crate) fn areas(out: &mut String, inventory: &Inventory, entity: &Entity) {
    if let Some(area) = inventory.area_of(entity) {
        yaml::entry(out, "  ", "areas", &Value::String(area_names(area)));
    }
}

fn area_names(area: &Area) -> String {
    let mut aliases: Vec<&str> = area.aliases.iter().map(String::as_str).collect();
    aliases.sort_unstable();
    std::iter::once(area.name.as_str()).chain(aliases).collect::<Vec<_>>().join(", ")
}

fn hints(inventory: &Inventory, wording: &Wording, satellite: Option<&Satellite>) -> Vec<String> {
    let area = satellite.and_then(|satellite| satellite.area).map(|at| &inventory.areas()[at]);
    let place = match area.map(|area| (area, inventory.floor_of(area))) {
        Some((area, Some(floor))) => wording
            .in_area_on_floor
            // The floor first: an area may be called `{floor}`.
            .replace("{floor}", &floor.name)
            .replacen("{area}", &area.name, 1),
        Some((area, None)) => wording.in_area.replacen("{area}", &area.name, 1),
        None => wording.nowhere.clone(),
    };
    let mut hints = vec![wording.control.clone(), place];
    if !satellite.is_some_and(|satellite| satellite.supports_timers) {
        hints.push(wording.no_timers.clone());
    }
    hints
}
