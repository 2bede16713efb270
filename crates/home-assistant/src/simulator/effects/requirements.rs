//! What an action asks of an entity before it does anything.

use super::Service;
use crate::inventory::Entity;

/// An action and the sets of feature bits it asks for: an entity needs all bits of one set.
type ActionNeeds = (&'static str, &'static [u64]);

/// The actions of each domain that ask for features, as Home Assistant registers them.
const NEEDED: &[(&str, &[ActionNeeds])] = &[
    (
        "alarm_control_panel",
        &[
            ("alarm_arm_home", &[1]),
            ("alarm_arm_away", &[2]),
            ("alarm_arm_night", &[4]),
            ("alarm_trigger", &[8]),
            ("alarm_arm_custom_bypass", &[16]),
            ("alarm_arm_vacation", &[32]),
        ],
    ),
    (
        "climate",
        &[
            ("set_temperature", &[1, 2]),
            ("set_humidity", &[4]),
            ("set_fan_mode", &[8]),
            ("set_preset_mode", &[16]),
            ("set_swing_mode", &[32]),
            ("turn_off", &[128]),
            ("turn_on", &[256]),
            ("toggle", &[128, 256]),
            ("set_swing_horizontal_mode", &[512]),
        ],
    ),
    (
        "cover",
        &[
            ("open_cover", &[1]),
            ("close_cover", &[2]),
            ("toggle", &[1 | 2]),
            ("set_cover_position", &[4]),
            ("stop_cover", &[8]),
            ("open_cover_tilt", &[16]),
            ("close_cover_tilt", &[32]),
            ("set_cover_tilt_position", &[128]),
        ],
    ),
    (
        "fan",
        &[
            ("set_percentage", &[1]),
            ("oscillate", &[2]),
            ("set_direction", &[4]),
            ("set_preset_mode", &[1, 8]),
            ("turn_off", &[16]),
            ("turn_on", &[32]),
            ("toggle", &[16, 32]),
        ],
    ),
    ("humidifier", &[("set_mode", &[1])]),
    ("lawn_mower", &[("start_mowing", &[1]), ("dock", &[4])]),
    ("lock", &[("open", &[1])]),
    (
        "media_player",
        &[
            ("media_pause", &[1]),
            ("volume_set", &[4]),
            ("volume_mute", &[8]),
            ("media_previous_track", &[16]),
            ("media_next_track", &[32]),
            ("turn_on", &[128]),
            ("turn_off", &[256]),
            ("toggle", &[128 | 256]),
            ("play_media", &[512]),
            ("select_source", &[2048]),
            ("media_stop", &[4096]),
            ("media_play", &[16384]),
            ("select_sound_mode", &[65536]),
        ],
    ),
    ("siren", &[("turn_on", &[1]), ("turn_off", &[2]), ("toggle", &[1 | 2])]),
    (
        "vacuum",
        &[
            ("pause", &[4]),
            ("stop", &[8]),
            ("return_to_base", &[16]),
            ("set_fan_speed", &[32]),
            ("start", &[8192]),
        ],
    ),
    (
        "valve",
        &[
            ("open_valve", &[1]),
            ("close_valve", &[2]),
            ("toggle", &[1 | 2]),
            ("set_valve_position", &[4]),
            ("stop_valve", &[8]),
        ],
    ),
    (
        "water_heater",
        &[
            ("set_temperature", &[1]),
            ("set_operation_mode", &[2]),
            ("set_away_mode", &[4]),
            ("turn_on", &[8]),
            ("turn_off", &[8]),
        ],
    ),
];

/// Whether an entity has the features that an action of its domain asks for.
pub(in super::super) fn is_able(entity: &Entity, action: &str) -> bool {
    let domain = NEEDED.iter().find(|(domain, _)| *domain == entity.domain());
    let needed = domain.and_then(|(_, actions)| actions.iter().find(|(name, _)| *name == action));
    needed.is_none_or(|(_, sets)| sets.iter().any(|bits| entity.supports(*bits)))
}

/// Whether a domain has the service at all.
pub(super) fn is_served(service: Service, domain: &str) -> bool {
    match service {
        Service::TurnOn => {
            matches!(domain, "button" | "input_button" | "scene") || is_switchable(domain)
        }
        Service::TurnOff => is_switchable(domain),
        _ => true,
    }
}

/// Whether things of a domain can be turned both on and off.
fn is_switchable(domain: &str) -> bool {
    matches!(
        domain,
        "automation"
            | "camera"
            | "climate"
            | "cover"
            | "fan"
            | "humidifier"
            | "input_boolean"
            | "light"
            | "lock"
            | "media_player"
            | "remote"
            | "script"
            | "siren"
            | "switch"
            | "valve"
            | "water_heater"
    )
}

/// Whether things of a domain have a service that toggles them.
pub(super) fn is_toggled(domain: &str) -> bool {
    is_switchable(domain) && !matches!(domain, "camera" | "lock" | "water_heater")
}
