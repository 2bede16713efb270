//! Home Assistant's feature bits, and what an entity is taken to support when its inventory
//! does not say.

use serde_json::{Map, Value};

pub(crate) mod climate {
    //! Bits of a climate entity.
    pub(crate) const TARGET_TEMPERATURE: u64 = 1;
    pub(crate) const TURN_OFF: u64 = 128;
    pub(crate) const TURN_ON: u64 = 256;
}

pub(crate) mod cover {
    //! Bits of a cover; a valve has the same ones.
    pub(crate) const SET_POSITION: u64 = 4;
}

pub(crate) mod fan {
    //! Bits of a fan.
    pub(crate) const SET_SPEED: u64 = 1;
    pub(crate) const TURN_OFF: u64 = 16;
    pub(crate) const TURN_ON: u64 = 32;
}

pub(crate) mod humidifier {
    //! Bits of a humidifier.
    pub(crate) const MODES: u64 = 1;
}

pub(crate) mod lawn_mower {
    //! Bits of a lawn mower.
    pub(crate) const START_MOWING: u64 = 1;
    pub(crate) const DOCK: u64 = 4;
}

pub(crate) mod light {
    //! Bits of a light.
    pub(crate) const EFFECT: u64 = 4;
}

pub(crate) mod media_player {
    //! Bits of a media player.
    pub(crate) const PAUSE: u64 = 1;
    pub(crate) const VOLUME_SET: u64 = 4;
    pub(crate) const VOLUME_MUTE: u64 = 8;
    pub(crate) const PREVIOUS_TRACK: u64 = 16;
    pub(crate) const NEXT_TRACK: u64 = 32;
    pub(crate) const PLAY_MEDIA: u64 = 512;
    pub(crate) const SEARCH_MEDIA: u64 = 4_194_304;
}

pub(crate) mod vacuum {
    //! Bits of a vacuum.
    pub(crate) const RETURN_HOME: u64 = 16;
    pub(crate) const START: u64 = 8192;
    pub(crate) const CLEAN_AREA: u64 = 16384;
}

/// The bit of an `assist_satellite` that can announce.
pub(crate) const ANNOUNCE: u64 = 1;

/// What an entity supports.
///
/// An inventory that gives no `supported_features` describes a device that can do what its kind
/// usually can, rather than one that can do nothing.
pub(crate) fn of(domain: &str, attributes: &Map<String, Value>) -> u64 {
    match attributes.get("supported_features").and_then(Value::as_u64) {
        Some(features) => features,
        None => usual(domain, attributes),
    }
}

/// What a device of this kind usually supports: the values of the recorded home.
fn usual(domain: &str, attributes: &Map<String, Value>) -> u64 {
    match domain {
        "climate" => climate::TARGET_TEMPERATURE | climate::TURN_OFF | climate::TURN_ON,
        "alarm_control_panel" => 63,
        "cover" | "valve" => 15,
        "fan" => 49,
        "humidifier" if attributes.contains_key("available_modes") => humidifier::MODES,
        "lawn_mower" | "todo" => 7,
        "media_player" => 4_212_669,
        "siren" => 3,
        "water_heater" => 11,
        "vacuum" => 12_312,
        "assist_satellite" => ANNOUNCE,
        _ => 0,
    }
}

/// What every fan and thermostat could do before Home Assistant had bits for turning on and off;
/// inventories of that time do not set them.
pub(crate) fn implied(domain: &str) -> u64 {
    match domain {
        "climate" => climate::TURN_OFF | climate::TURN_ON,
        "fan" => fan::TURN_OFF | fan::TURN_ON,
        _ => 0,
    }
}
