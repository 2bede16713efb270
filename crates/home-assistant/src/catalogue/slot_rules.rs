//! What an intent takes, read from its tool's JSON Schema.

use serde_json::Value;

use super::kind::ToolKind;

/// The slot that tells an intent the id of the satellite's area.
pub(crate) const PREFERRED_AREA: &str = "preferred_area_id";
/// The slot that tells an intent the id of the satellite's floor.
pub(crate) const PREFERRED_FLOOR: &str = "preferred_floor_id";

/// What an intent takes: what its tool's JSON Schema says, and what it looks at although no
/// schema says so.
#[derive(Debug)]
pub(crate) struct SlotRules {
    pub(crate) rules: Vec<SlotRule>,
    /// One of these must be there.
    pub(crate) any_of: &'static [&'static str],
}

/// What one slot takes.
#[derive(Debug)]
pub(crate) struct SlotRule {
    pub(crate) name: String,
    pub(crate) takes: SlotTakes,
    /// What is wrong when it is missing; nothing for what may be left out.
    pub(crate) if_missing: Option<SlotError>,
}

/// The values a slot takes.
#[derive(Debug)]
pub(crate) enum SlotTakes {
    /// Text; anything but a list, a mapping or null is turned into text.
    Text { blank: bool },
    /// Text and nothing but text.
    TextAlone,
    /// One text or several.
    Texts { choices: Option<Vec<String>> },
    /// One of these texts.
    Choice(Vec<String>),
    /// A whole number within limits.
    Whole { least: i64, most: i64 },
    /// Any number.
    Number,
    /// The name of a colour.
    Color,
    /// `up`, `down` or percent.
    VolumeStep,
    /// Whatever it is, it is not looked at.
    Anything,
    /// What Python's `set()` takes. Nothing checks it beforehand.
    PythonSet,
    /// What Python's `str.strip` takes. Nothing checks it beforehand.
    Strippable,
    /// What Python's `int()` takes. Nothing checks it beforehand.
    PythonInt,
}

/// Why slots are refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SlotError {
    /// A slot is missing or does not fit.
    Invalid,
    /// The check itself broke on a value it does not expect.
    Unexpected,
}

impl SlotRules {
    /// Reads what a tool of a kind takes.
    pub(crate) fn new(kind: ToolKind, schema: &Value) -> Self {
        let required = |name: &str| {
            let required = schema.get("required").and_then(Value::as_array);
            required.is_some_and(|names| names.iter().any(|required| required == name))
        };
        let properties = schema.get("properties").and_then(Value::as_object);
        // A broadcast looks for its message without checking that there is one.
        let missing =
            if kind == ToolKind::Broadcast { SlotError::Unexpected } else { SlotError::Invalid };
        let rule = |(name, property): (&String, &Value)| SlotRule {
            takes: takes(kind, name, property),
            if_missing: required(name).then_some(missing),
            name: name.clone(),
        };
        let any_of: &[&str] = match kind {
            ToolKind::StartTimer | ToolKind::DecreaseTimer => &["hours", "minutes", "seconds"],
            _ => &[],
        };
        let mut rules: Vec<SlotRule> = properties.into_iter().flatten().map(rule).collect();
        for (name, takes) in undeclared(kind) {
            if !rules.iter().any(|rule| rule.name == name) {
                rules.push(SlotRule { name: name.to_owned(), takes, if_missing: None });
            }
        }
        Self { rules, any_of }
    }
}

/// What an intent looks at although its tool does not offer it: slots that Home Assistant fills
/// in itself, and slots that its handler reads without having declared them.
fn undeclared(kind: ToolKind) -> Vec<(&'static str, SlotTakes)> {
    let mut found = Vec::new();
    if kind.takes_preferences() {
        let text = || SlotTakes::Text { blank: true };
        found.extend([(PREFERRED_AREA, text()), (PREFERRED_FLOOR, text())]);
    }
    if kind.is_service() {
        found.push(("device_class", SlotTakes::PythonSet));
    }
    if kind == ToolKind::CancelAllTimers {
        found.push(("name", SlotTakes::Strippable));
        let starts = ["start_hours", "start_minutes", "start_seconds"];
        found.extend(starts.map(|name| (name, SlotTakes::PythonInt)));
    }
    found
}

fn takes(kind: ToolKind, name: &str, property: &Value) -> SlotTakes {
    match (kind, name) {
        (ToolKind::LightSet, "color") => return SlotTakes::Color,
        (ToolKind::Broadcast, "message") => return SlotTakes::TextAlone,
        (_, "volume_step") => return SlotTakes::VolumeStep,
        (_, "is_volume_muted") => return SlotTakes::Anything,
        (ToolKind::HumidifierMode, "mode") => return SlotTakes::Text { blank: true },
        _ => {}
    }
    match property.get("type").and_then(Value::as_str) {
        Some("array") => SlotTakes::Texts { choices: property.get("items").and_then(choices) },
        Some("integer") => whole(kind, name, property),
        Some("number") => SlotTakes::Number,
        _ => match choices(property) {
            Some(choices) => SlotTakes::Choice(choices),
            None => SlotTakes::Text { blank: takes_blank(kind) },
        },
    }
}

/// The limits of a whole number. The older benchmark's schemas leave them out; Home Assistant
/// has them all the same.
fn whole(kind: ToolKind, name: &str, property: &Value) -> SlotTakes {
    let limit = |key: &str| property.get(key).and_then(Value::as_i64);
    let percent = matches!(name, "brightness" | "position" | "percentage" | "volume_level");
    let most = if percent { 100 } else { i64::MAX };
    let least = if kind == ToolKind::SetTemperature { i64::MIN } else { 0 };
    SlotTakes::Whole {
        least: limit("minimum").unwrap_or(least),
        most: limit("maximum").unwrap_or(most),
    }
}

fn choices(property: &Value) -> Option<Vec<String>> {
    let choices = property.get("enum")?.as_array()?;
    Some(choices.iter().filter_map(|choice| choice.as_str().map(str::to_owned)).collect())
}

/// Intents whose texts may be blank, where blank ones are not dropped beforehand.
fn takes_blank(kind: ToolKind) -> bool {
    kind.is_timer()
        || matches!(
            kind,
            ToolKind::SetVolumeRelative
                | ToolKind::SearchAndPlay
                | ToolKind::VacuumCleanArea
                | ToolKind::GetState
                | ToolKind::Respond
        )
}
