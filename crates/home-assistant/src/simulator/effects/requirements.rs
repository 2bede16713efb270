//! What a service asks of an entity before it does anything.

use super::Service;
use crate::features::{climate, cover, fan, lawn_mower, media_player, vacuum};
use crate::inventory::Entity;

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

/// Whether an entity has the feature bits that a service asks for.
pub(super) fn is_able(service: Service, entity: &Entity) -> bool {
    match (service, entity.domain()) {
        (Service::Toggle, "fan") => entity.supports(fan::TURN_OFF) || entity.supports(fan::TURN_ON),
        (Service::Toggle, "climate") => {
            entity.supports(climate::TURN_OFF) || entity.supports(climate::TURN_ON)
        }
        (_, domain) => entity.supports(needed(service, domain)),
    }
}

/// The feature bits a service asks an entity for.
fn needed(service: Service, domain: &str) -> u64 {
    match (service, domain) {
        (Service::TurnOn, "cover" | "valve") => cover::OPEN,
        (Service::TurnOff, "cover" | "valve") => cover::CLOSE,
        (Service::Toggle, "cover" | "valve") => cover::OPEN | cover::CLOSE,
        (Service::SetPosition(_), _) => cover::SET_POSITION,
        (Service::Stop, _) => cover::STOP,
        (Service::TurnOn | Service::FanSpeed(_), "fan") => fan::TURN_ON,
        (Service::TurnOff, "fan") => fan::TURN_OFF,
        (Service::TurnOn, "climate") => climate::TURN_ON,
        (Service::TurnOff, "climate") => climate::TURN_OFF,
        (Service::TurnOn, "media_player") => media_player::TURN_ON,
        (Service::TurnOff, "media_player") => media_player::TURN_OFF,
        (Service::Toggle, "media_player") => media_player::TURN_ON | media_player::TURN_OFF,
        (Service::Play, _) => media_player::PLAY,
        (Service::Pause, _) => media_player::PAUSE,
        (Service::NextTrack, _) => media_player::NEXT_TRACK,
        (Service::PreviousTrack, _) => media_player::PREVIOUS_TRACK,
        (Service::SetVolume(_), _) => media_player::VOLUME_SET,
        (Service::Mute(_), _) => media_player::VOLUME_MUTE,
        (Service::StartVacuum, _) => vacuum::START,
        (Service::ReturnVacuum, _) => vacuum::RETURN_HOME,
        (Service::StartMowing, _) => lawn_mower::START_MOWING,
        (Service::Dock, _) => lawn_mower::DOCK,
        _ => 0,
    }
}
