//! What a scene does: Home Assistant calls the services that bring each entity into the state the
//! scene keeps of it.

use serde_json::{Map, Value};

use super::effects::Service;
use super::refusal::ServiceRefusal;
use super::reply::CallFailure;
use crate::features::{cover, media_player};
use crate::inventory::state_text;
use crate::state::HomeState;

/// The modes thermostats may have; any other state is passed over.
const HVAC_MODES: [&str; 7] = ["off", "heat", "cool", "heat_cool", "auto", "dry", "fan_only"];

impl HomeState {
    /// Brings entities into states. What is not in the home or unavailable stays as it is, and so
    /// do things of kinds that Home Assistant cannot bring into a state, such as sensors. All are
    /// tried, also when one refuses.
    pub(super) fn restore(&mut self, states: &Map<String, Value>) -> Result<(), CallFailure> {
        let mut outcome = Ok(());
        for (id, kept) in states {
            let Some(at) = self.inventory().index.entity(id) else { continue };
            let nothing = Map::new();
            let kept_attributes = kept.as_object().unwrap_or(&nothing);
            let state = kept.get("state").unwrap_or(kept);
            let Some(state) = state_text(state) else { continue };
            if self.view(at).is_available() {
                let restored = match self.lacking_mode(at, &state) {
                    Some(failure) => Err(failure),
                    None => self
                        .restore_entity(at, &state, kept_attributes)
                        .map_err(|refusal| self.refused(refusal, at, &state)),
                };
                outcome = outcome.and(restored);
            }
        }
        outcome
    }

    /// Why an entity was not brought into a state.
    fn refused(&self, refusal: ServiceRefusal, at: usize, state: &str) -> CallFailure {
        let entity = self.view(at).entity;
        match refusal {
            ServiceRefusal::Unsupported(action) => CallFailure::unsupported(entity, action),
            ServiceRefusal::Raised(failure) => failure,
            ServiceRefusal::AtOnce | ServiceRefusal::ByService => {
                let text = format!("Entity {} does not support state {state}", entity.id);
                CallFailure::raised("ServiceNotSupported", text)
            }
        }
    }

    fn restore_entity(
        &mut self,
        at: usize,
        state: &str,
        kept: &Map<String, Value>,
    ) -> Result<(), ServiceRefusal> {
        let domain = self.inventory().entities()[at].domain().to_owned();
        match (domain.as_str(), state) {
            ("light", "on") => self.restore_light(at, kept),
            ("light" | "switch" | "remote" | "input_boolean" | "automation", "on" | "off") => {
                self.turn(at, state == "on")
            }
            ("lock", "locked" | "locking") => self.turn(at, true),
            ("lock", "unlocked" | "unlocking") => self.turn(at, false),
            ("cover", "open" | "opening" | "closed" | "closing") => {
                self.restore_cover(at, state.starts_with("open"), kept)
            }
            ("fan", "on" | "off") => self.restore_fan(at, state == "on", kept),
            ("climate", _) => {
                if HVAC_MODES.contains(&state) {
                    self.set_state(at, state);
                }
                self.keep(at, kept, &["temperature", "target_temp_high", "target_temp_low"]);
                Ok(())
            }
            ("humidifier", "on" | "off") => self.restore_humidifier(at, state == "on", kept),
            ("water_heater", _) => self.restore_water_heater(at, state, kept),
            ("media_player", _) => self.restore_player(at, state, kept),
            ("vacuum", "cleaning") => self.call_service(Service::StartVacuum, at),
            ("vacuum", "docked" | "returning") if self.view(at).state != state => {
                self.call_service(Service::ReturnVacuum, at)
            }
            (
                "alarm_control_panel"
                | "counter"
                | "input_datetime"
                | "input_number"
                | "input_select"
                | "input_text"
                | "number"
                | "select"
                | "text",
                _,
            ) => {
                self.set_state(at, state);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// A position counts before the state, where the cover can be brought to it.
    fn restore_cover(
        &mut self,
        at: usize,
        open: bool,
        kept: &Map<String, Value>,
    ) -> Result<(), ServiceRefusal> {
        let entity = self.view(at).entity;
        let wanted = kept.get("current_position").and_then(Value::as_i64);
        if let Some(position) = wanted
            && entity.supports(cover::SET_POSITION)
        {
            return self.call_service(Service::SetPosition(position), at);
        }
        let open = match wanted {
            Some(0) => false,
            Some(100) => true,
            _ => open,
        };
        self.call_service(if open { Service::TurnOn } else { Service::TurnOff }, at)
    }

    fn restore_fan(
        &mut self,
        at: usize,
        on: bool,
        kept: &Map<String, Value>,
    ) -> Result<(), ServiceRefusal> {
        let is_on = self.view(at).state == "on";
        match kept.get("percentage").and_then(Value::as_i64) {
            Some(percentage) if on => self.call_service(Service::FanSpeed(percentage), at),
            _ if on == is_on => Ok(()),
            _ => self.call_service(if on { Service::TurnOn } else { Service::TurnOff }, at),
        }
    }

    /// Why a thermostat cannot be brought into a mode that it does not have.
    fn lacking_mode(&self, at: usize, state: &str) -> Option<CallFailure> {
        let view = self.view(at);
        let modes = view.remembered("hvac_modes").and_then(Value::as_array)?;
        let modes: Vec<&str> = modes.iter().filter_map(Value::as_str).collect();
        let is_mode = view.entity.domain() == "climate" && HVAC_MODES.contains(&state);
        if !is_mode || modes.contains(&state) {
            return None;
        }
        let known = modes.join(", ");
        let text = format!("HVAC mode {state} is not valid. Valid HVAC modes are: {known}");
        Some(CallFailure::raised("ServiceValidationError", text))
    }

    fn restore_humidifier(
        &mut self,
        at: usize,
        on: bool,
        kept: &Map<String, Value>,
    ) -> Result<(), ServiceRefusal> {
        self.turn(at, on)?;
        if on {
            self.keep(at, kept, &["mode", "humidity"]);
        }
        Ok(())
    }

    fn restore_water_heater(
        &mut self,
        at: usize,
        state: &str,
        kept: &Map<String, Value>,
    ) -> Result<(), ServiceRefusal> {
        match state {
            "on" | "off" => self.turn(at, state == "on")?,
            mode => {
                self.set_known(at, "operation_mode", mode);
                self.set_state(at, mode);
            }
        }
        self.keep(at, kept, &["temperature", "away_mode"]);
        Ok(())
    }

    /// A player is turned on first; what it played is not found again.
    fn restore_player(
        &mut self,
        at: usize,
        state: &str,
        kept: &Map<String, Value>,
    ) -> Result<(), ServiceRefusal> {
        let entity = self.view(at).entity;
        let able = |feature| entity.supports(feature);
        let (turn_on, turn_off) = (able(media_player::TURN_ON), able(media_player::TURN_OFF));
        let (play, pause) = (able(media_player::PLAY), able(media_player::PAUSE));
        let (volume, mute) = (able(media_player::VOLUME_SET), able(media_player::VOLUME_MUTE));
        if state == "off" {
            return if turn_off { self.turn(at, false) } else { Ok(()) };
        }
        if turn_on && matches!(state, "buffering" | "idle" | "on" | "paused" | "playing") {
            self.turn(at, true)?;
        }
        if volume {
            self.keep(at, kept, &["volume_level"]);
        }
        if mute {
            self.keep(at, kept, &["is_volume_muted"]);
        }
        match state {
            "playing" | "buffering" if play => self.set_state(at, "playing"),
            "paused" if pause => self.set_state(at, "paused"),
            _ => {}
        }
        Ok(())
    }

    /// Sets what is kept of these attributes.
    fn keep(&mut self, at: usize, kept: &Map<String, Value>, names: &[&str]) {
        for name in names {
            if let Some(value) = kept.get(*name).filter(|value| !value.is_null()) {
                // Temperatures are never whole numbers in Home Assistant.
                let degrees = value.as_f64().filter(|_| name.contains("temp"));
                self.set(at, name, degrees.map_or_else(|| value.clone(), Value::from));
            }
        }
    }
}
