//! The system message: instructions, what is in the home, and hints on the tools.
//!
//! The sentences are Home Assistant's own, word for word: they are what a model is told, and a
//! measurement with other words would measure something else. NOTICE names their source.

mod classic;

use serde_json::Value;

use super::clock::Clock;
use super::inventory::{Area, Entity, Inventory, Satellite};
use super::profile::{Profile, PromptOptions, TimePlace};
use super::yaml;

const INSTRUCTIONS_2026_10: &str = "\
You are a voice assistant for Home Assistant.
Answer questions about the world truthfully.
Respond simply and to the point in plain text.";

const INSTRUCTIONS_2026_2: &str = "\
You are a voice assistant for Home Assistant.
Answer questions about the world truthfully.
Answer in plain text. Keep it simple and to the point.";

/// Said when nothing is exposed; also the error of a live context without entities.
pub(crate) const NOTHING_EXPOSED: &str = "Only if the user wants to control a device, tell them \
     to expose entities to their voice assistant in Home Assistant.";

const AREA_HINT: &str =
    "and all generic commands like 'turn on the lights' should target this area.";

/// The system message for a request that comes from a satellite or from no device.
pub(crate) fn system(
    inventory: &Inventory,
    profile: Profile,
    options: &PromptOptions,
    satellite: Option<&Satellite>,
    clock: &Clock,
) -> String {
    let own = match profile {
        Profile::V2026_10 => INSTRUCTIONS_2026_10,
        Profile::V2026_2 => INSTRUCTIONS_2026_2,
        Profile::Classic => classic::INSTRUCTIONS,
    };
    let instructions = options.instructions.as_deref().unwrap_or(own).trim_end();
    let mut parts = vec![instructions.to_owned()];
    match profile {
        Profile::V2026_10 => parts.extend(current(inventory, options, satellite)),
        Profile::V2026_2 => parts.extend(earlier(inventory, options, satellite)),
        Profile::Classic => parts.push(classic::overview(inventory, options)),
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

/// 2026.10: the live-context paragraph and the entities first, hints on control last.
fn current(
    inventory: &Inventory,
    options: &PromptOptions,
    satellite: Option<&Satellite>,
) -> Vec<String> {
    let mut parts = match static_context(inventory, options) {
        Some(context) => vec![live_context_paragraph(Profile::V2026_10), context],
        None => vec![NOTHING_EXPOSED.to_owned()],
    };
    if inventory.entities().iter().any(|entity| entity.exposed) {
        parts.extend(hints(inventory, Profile::V2026_10, satellite));
    }
    parts
}

/// 2026.2: hints on control first, then the live-context paragraph and the entities.
fn earlier(
    inventory: &Inventory,
    options: &PromptOptions,
    satellite: Option<&Satellite>,
) -> Vec<String> {
    let Some(context) = static_context(inventory, options) else {
        return vec![NOTHING_EXPOSED.to_owned()];
    };
    let mut parts = hints(inventory, Profile::V2026_2, satellite);
    parts.push(live_context_paragraph(Profile::V2026_2));
    parts.push(context);
    parts
}

fn live_context_paragraph(profile: Profile) -> String {
    let (equipped, must) = if profile.is_current() {
        ("by retrieving live context", "use the provided tool to retrieve live context")
    } else {
        ("using the `GetLiveContext` tool", "call `GetLiveContext`")
    };
    format!(
        "You ARE equipped to answer questions about the current state of\n\
         the home {equipped}. This is a primary function. Do not state you lack the\n\
         functionality if the question requires live data.\n\
         If the user asks about device existence/type \
         (e.g., \"Do I have lights in the bedroom?\"): Answer\n\
         from the static context below.\n\
         If the user asks about the CURRENT state, value, or mode \
         (e.g., \"Is the lock locked?\",\n\
         \"Is the fan on?\", \"What mode is the thermostat in?\", \
         \"What is the temperature outside?\"):\n    \
         1.  Recognize this requires live data.\n    \
         2.  You MUST {must}. This tool will provide the needed real-time information \
         (like temperature from the local weather, lock status, etc.).\n    \
         3.  Use the tool's response** to answer the user accurately \
         (e.g., \"The temperature outside is [value from tool].\").\n\
         For general knowledge questions not about the home: \
         Answer truthfully from internal knowledge.\n"
    )
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

fn hints(inventory: &Inventory, profile: Profile, satellite: Option<&Satellite>) -> Vec<String> {
    let prefix = if profile.is_current() { "intent__" } else { "" };
    let mut hints = vec![format!(
        "When controlling Home Assistant always call the intent tools. \
         Use {prefix}HassTurnOn to lock and {prefix}HassTurnOff to unlock a lock. \
         When controlling a device, prefer passing just name and domain. \
         When controlling an area, prefer passing just area name and domain."
    )];
    let area = satellite.and_then(|satellite| satellite.area).map(|at| &inventory.areas()[at]);
    hints.push(match area.map(|area| (area, inventory.floor_of(area))) {
        Some((area, Some(floor))) => {
            format!("You are in area {} (floor {}) {AREA_HINT}", area.name, floor.name)
        }
        Some((area, None)) => format!("You are in area {} {AREA_HINT}", area.name),
        None => {
            let user = if profile.is_current() { "the user" } else { "user" };
            format!(
                "When a user asks to turn on all devices of a specific type, ask {user} to \
                 specify an area, unless there is only one device of that type."
            )
        }
    });
    if !satellite.is_some_and(|satellite| satellite.supports_timers) {
        hints.push("This device is not able to start timers.".to_owned());
    }
    hints
}
