//! Words that say what kind of thing something is.

/// Words, and the domains whose entities may be called so.
const KINDS: &[(&[&str], &[&str])] = &[
    (
        &["light", "lights", "lamp", "lamps", "spotlight", "chandelier", "licht", "lampe"],
        // A lamp behind a smart plug is a switch, but a model looks for a light.
        &["light", "scene", "script", "automation"],
    ),
    (&["fan", "ventilator"], &["fan", "climate", "scene", "script"]),
    (
        &["blind", "blinds", "curtain", "curtains", "shutter", "shutters", "shade", "rollladen"],
        &["cover", "scene", "script"],
    ),
    (&["thermostat", "radiator", "heizung"], &["climate", "water_heater", "script"]),
    // A child lock is a switch.
    (&["lock"], &["lock", "switch", "binary_sensor", "script"]),
    (&["vacuum", "robot"], &["vacuum", "lawn_mower", "script"]),
    (&["speaker", "tv", "television", "radio"], &["media_player", "remote", "scene", "script"]),
    (&["thermometer"], &["sensor", "weather", "climate"]),
    (&["scene"], &["scene", "script"]),
];

/// The word that says what a name names, and the domains it fits. The last word decides: a "fan
/// light" is a light.
pub(super) fn kind_named(name: &str) -> Option<(&'static str, &'static [&'static str])> {
    let last = name.split_whitespace().rfind(|word| word.chars().any(char::is_alphabetic))?;
    let last = last.to_lowercase();
    let kind = |(words, domains): &(&'static [&'static str], &'static [&'static str])| {
        words.iter().find(|word| **word == last).map(|word| (*word, *domains))
    };
    KINDS.iter().find_map(kind)
}
