//! What services do to entities.

mod requirements;

use serde_json::{Map, Value};

use super::light::LightSettings;
use super::refusal::ServiceRefusal;
use super::reply::CallFailure;
use super::slots::Slots;
use crate::catalogue::ToolKind;
use crate::features::{cover, fan};
use crate::python;
use crate::state::HomeState;
pub(super) use requirements::is_able;
use requirements::{is_served, is_toggled};

/// A service, with what it is told to do.
#[derive(Clone, Copy, Debug)]
pub(super) enum Service {
    TurnOn,
    TurnOff,
    Toggle,
    LightSet(LightSettings),
    SetPosition(i64),
    Stop,
    FanSpeed(i64),
    StartMowing,
    Dock,
    StartVacuum,
    ReturnVacuum,
    Play,
    Pause,
    NextTrack,
    PreviousTrack,
    SetVolume(f64),
    Mute(bool),
}

impl Service {
    /// The service an intent calls on an entity of a domain.
    #[expect(clippy::cast_precision_loss, reason = "the volume is at most 100")]
    pub(super) fn of(kind: ToolKind, slots: &Slots<'_>, domain: &str) -> Result<Self, CallFailure> {
        let percent = |name: &str| slots.whole(name).unwrap_or_default();
        let movable = || match domain {
            "cover" | "valve" => Ok(()),
            other => Err(CallFailure::handle(format!("Domain not supported: {other}"))),
        };
        Ok(match kind {
            ToolKind::TurnOn => Self::TurnOn,
            ToolKind::TurnOff => Self::TurnOff,
            ToolKind::LightSet => Self::LightSet(LightSettings::from_slots(slots)),
            ToolKind::SetPosition => movable().map(|()| Self::SetPosition(percent("position")))?,
            ToolKind::StopMoving => movable().map(|()| Self::Stop)?,
            ToolKind::FanSetSpeed => Self::FanSpeed(percent("percentage")),
            ToolKind::StartMowing => Self::StartMowing,
            ToolKind::DockMower => Self::Dock,
            ToolKind::VacuumStart => Self::StartVacuum,
            ToolKind::VacuumReturn => Self::ReturnVacuum,
            ToolKind::MediaUnpause => Self::Play,
            ToolKind::MediaPause => Self::Pause,
            ToolKind::MediaNext => Self::NextTrack,
            ToolKind::MediaPrevious => Self::PreviousTrack,
            ToolKind::SetVolume => Self::SetVolume(percent("volume_level") as f64 / 100.0),
            ToolKind::Mute => Self::Mute(true),
            ToolKind::Unmute => Self::Mute(false),
            _ => Self::Toggle,
        })
    }

    /// The name Home Assistant calls it by when it fails on things of a domain.
    pub(super) fn name(self, domain: &str) -> &'static str {
        match self {
            Self::SetPosition(_) if domain == "valve" => "set_valve_position",
            Self::Stop if domain == "valve" => "stop_valve",
            Self::TurnOn | Self::LightSet(_) | Self::FanSpeed(_) => "turn_on",
            Self::TurnOff => "turn_off",
            Self::Toggle => "toggle",
            Self::SetPosition(_) => "set_cover_position",
            Self::Stop => "stop_cover",
            Self::StartMowing => "start_mowing",
            Self::Dock => "dock",
            Self::StartVacuum => "start",
            Self::ReturnVacuum => "return_to_base",
            Self::Play => "media_play",
            Self::Pause => "media_pause",
            Self::NextTrack => "media_next_track",
            Self::PreviousTrack => "media_previous_track",
            Self::SetVolume(_) => "volume_set",
            Self::Mute(_) => "volume_mute",
        }
    }

    /// The name by which a script calls it on things of a domain.
    fn action(self, domain: &str) -> &'static str {
        match (self, domain) {
            (Self::TurnOn, "cover") => "open_cover",
            (Self::TurnOff, "cover") => "close_cover",
            (Self::TurnOn, "valve") => "open_valve",
            (Self::TurnOff, "valve") => "close_valve",
            (Self::TurnOn, "lock") => "lock",
            (Self::TurnOff, "lock") => "unlock",
            _ => self.name(domain),
        }
    }

    /// The only domain whose entities the service touches; others let it pass without effect.
    fn domain(self) -> Option<&'static str> {
        match self {
            Self::LightSet(_) => Some("light"),
            Self::FanSpeed(_) => Some("fan"),
            Self::StartMowing | Self::Dock => Some("lawn_mower"),
            Self::StartVacuum | Self::ReturnVacuum => Some("vacuum"),
            Self::Play
            | Self::Pause
            | Self::NextTrack
            | Self::PreviousTrack
            | Self::SetVolume(_)
            | Self::Mute(_) => Some("media_player"),
            Self::TurnOn | Self::TurnOff | Self::Toggle | Self::SetPosition(_) | Self::Stop => None,
        }
    }
}

impl HomeState {
    /// Calls a service on one entity.
    ///
    /// An entity that is unavailable lets everything pass: Home Assistant reports a success and
    /// nothing happens.
    pub(super) fn call_service(
        &mut self,
        service: Service,
        at: usize,
    ) -> Result<(), ServiceRefusal> {
        let view = self.view(at);
        let entity = view.entity;
        if !is_served(service, entity.domain()) {
            return Err(ServiceRefusal::AtOnce);
        }
        let profile = self.setting.profile;
        // Arguments are checked before entities are looked at: a wrong setting fails even where it
        // would not be used.
        if matches!(service, Service::LightSet(settings) if settings.is_invalid(profile)) {
            return Err(ServiceRefusal::ByService);
        }
        let other_domain = service.domain().is_some_and(|domain| domain != entity.domain());
        if other_domain || !view.is_available() {
            return Ok(());
        }
        self.able(at, service.action(entity.domain()))?;
        self.serve_entity(service, at)
    }

    /// Refuses an action whose features an entity lacks.
    pub(super) fn able(&self, at: usize, action: &'static str) -> Result<(), ServiceRefusal> {
        let able = is_able(self.view(at).entity, action);
        if able { Ok(()) } else { Err(ServiceRefusal::Unsupported(action)) }
    }

    fn serve_entity(&mut self, service: Service, at: usize) -> Result<(), ServiceRefusal> {
        match service {
            Service::TurnOn => return self.turn(at, true),
            Service::TurnOff => return self.turn(at, false),
            Service::Toggle => return self.toggle(at),
            Service::LightSet(settings) => return self.set_light(at, settings),
            Service::SetPosition(position) => self.move_to(at, position),
            Service::Stop => self.stop(at),
            Service::FanSpeed(percentage) => self.set_fan(at, percentage),
            Service::StartMowing => self.set_state(at, "mowing"),
            Service::Dock => self.set_state(at, "docked"),
            Service::StartVacuum => self.set_state(at, "cleaning"),
            Service::ReturnVacuum => self.set_state(at, "returning"),
            Service::Play => self.set_state(at, "playing"),
            Service::Pause => self.set_state(at, "paused"),
            Service::NextTrack => self.set(at, "media_title", "Next"),
            Service::PreviousTrack => self.set(at, "media_title", "Previous"),
            Service::SetVolume(level) => self.set(at, "volume_level", level),
            Service::Mute(muted) => self.set(at, "is_volume_muted", muted),
        }
        Ok(())
    }

    /// Turns something on or off, which is opening, closing, locking, pressing or running for
    /// some.
    pub(super) fn turn(&mut self, at: usize, on: bool) -> Result<(), ServiceRefusal> {
        let domain = self.inventory().entities()[at].domain().to_owned();
        match domain.as_str() {
            "light" if on => return self.set_light(at, LightSettings::default()),
            "cover" | "valve" => self.move_to(at, if on { 100 } else { 0 }),
            "lock" => return self.work_lock(at, if on { "locked" } else { "unlocked" }),
            "button" | "input_button" => self.stamp_state(at),
            "scene" => {
                self.stamp_state(at);
                return self.take_effect(at, &Map::new()).map_err(ServiceRefusal::Raised);
            }
            "script" if on => {
                self.stamp_run(at);
                // Home Assistant starts it and does not wait, so that nobody hears of a failure.
                drop(self.take_effect(at, &Map::new()));
            }
            // A script is over as soon as it was started, so that there is none to stop.
            "script" => {}
            "fan" => {
                let remembered = self.view(at).remembered("percentage").and_then(Value::as_i64);
                let speed = remembered.filter(|speed| *speed > 0).unwrap_or(100);
                self.set_fan(at, if on { speed } else { 0 });
            }
            "climate" => return self.turn_climate(at, on),
            "water_heater" => self.turn_water_heater(at, on),
            "camera" => self.set_state(at, if on { "idle" } else { "off" }),
            _ => self.set_state(at, if on { "on" } else { "off" }),
        }
        Ok(())
    }

    fn toggle(&mut self, at: usize) -> Result<(), ServiceRefusal> {
        let view = self.view(at);
        let on = match view.entity.domain() {
            // Home Assistant passes over kinds that have no such service.
            domain if !is_toggled(domain) => return Ok(()),
            "cover" => view.state == "closed",
            // Home Assistant does not see that a valve which tells its position is closed.
            "valve" => view.state == "closed" && !view.has("current_position"),
            "media_player" => matches!(view.state, "off" | "standby"),
            "script" => true,
            _ => view.state == "off",
        };
        self.turn(at, on)
    }

    /// Brings a lock into a state, unless it asks for a code.
    pub(super) fn work_lock(&mut self, at: usize, state: &str) -> Result<(), ServiceRefusal> {
        let view = self.view(at);
        if let Some(code) = view.remembered("code_format") {
            let (id, code) = (&view.entity.id, python::str(code));
            let text = format!("The code for {id} doesn't match pattern {code}");
            return Err(ServiceRefusal::invalid(text));
        }
        self.set_state(at, state);
        Ok(())
    }

    /// Moves a cover or a valve; one that knows no positions is just open or closed.
    pub(super) fn move_to(&mut self, at: usize, position: i64) {
        let view = self.view(at);
        // A cover that tells its features but no position does not know where it is.
        let has_positions =
            view.entity.supports(cover::SET_POSITION) && !view.has("supported_features");
        if has_positions || view.has("current_position") {
            self.set(at, "current_position", position);
        }
        self.set_known(at, "is_closed", position == 0);
        self.set_state(at, if position == 0 { "closed" } else { "open" });
    }

    fn stop(&mut self, at: usize) {
        let view = self.view(at);
        if !matches!(view.state, "opening" | "closing") {
            return;
        }
        let position = view.remembered("current_position").and_then(Value::as_i64);
        self.set_state(at, if position == Some(0) { "closed" } else { "open" });
    }

    pub(super) fn set_fan(&mut self, at: usize, percentage: i64) {
        let view = self.view(at);
        if view.entity.supports(fan::SET_SPEED) || view.has("percentage") {
            self.set(at, "percentage", percentage);
        }
        // A fan runs at a speed or by a preset.
        self.set_known(at, "preset_mode", Value::Null);
        self.set_state(at, if percentage == 0 { "off" } else { "on" });
    }

    fn turn_water_heater(&mut self, at: usize, on: bool) {
        let modes = self.view(at).remembered("operation_list").and_then(Value::as_array);
        let first = modes.and_then(|modes| {
            modes.iter().filter_map(Value::as_str).find(|mode| *mode != "off").map(str::to_owned)
        });
        let state = if on { first.unwrap_or_else(|| "on".to_owned()) } else { "off".to_owned() };
        self.set_known(at, "operation_mode", state.clone());
        self.set_state(at, &state);
    }

    /// The state of a button and of a scene is when it was last used.
    fn stamp_state(&mut self, at: usize) {
        let presses = self.press(at);
        let moment = self.clock.stamp(presses, 'T');
        self.set_state(at, &moment);
    }

    /// A script shows when it was last run.
    pub(super) fn stamp_run(&mut self, at: usize) {
        let presses = self.press(at);
        let moment = self.clock.stamp(presses, ' ');
        self.set(at, "last_triggered", moment);
    }
}
