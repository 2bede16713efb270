//! Thermostats and humidifiers.

use serde_json::{Map, Value};

use super::matching::{Constraints, Features};
use super::refusal::ServiceRefusal;
use super::reply::{CallAnswer, CallFailure, CallOutcome, IntentAnswer};
use super::slots::Slots;
use crate::features::{climate, humidifier};
use crate::state::HomeState;

impl HomeState {
    /// Sets the target temperature of the one thermostat that is meant.
    pub(super) fn set_temperature(&mut self, intent: &str, slots: &Slots<'_>) -> CallOutcome {
        let features = Features {
            bits: climate::TARGET_TEMPERATURE,
            name: "ClimateEntityFeature.TARGET_TEMPERATURE",
        };
        let features = Some(features).filter(|_| !self.is_called_by_script(slots));
        let constraints = Constraints { features, ..one_thermostat(slots) };
        let found = self
            .find(&constraints, &slots.preferences())
            .map_err(|reason| self.unmatched(reason, &constraints, None))?;
        let at = found.entities[0];
        let temperature = slots.number("temperature").unwrap_or_default();
        let view = self.view(at);
        if view.is_available() && !self.running.is_empty() {
            let kept = Map::from_iter([("temperature".to_owned(), Value::from(temperature))]);
            self.set_temperatures(at, &kept).map_err(|refusal| self.refused(refusal, at))?;
        } else if view.is_available() {
            let limit = |name: &str, usual: f64| {
                view.remembered(name).and_then(Value::as_f64).unwrap_or(usual)
            };
            // Home Assistant's own limits hold where a thermostat has none.
            let allowed = limit("min_temp", 7.0)..=limit("max_temp", 35.0);
            if !allowed.contains(&temperature) {
                return Err(CallFailure::unexpected(intent));
            }
            self.set(at, "temperature", temperature);
        }
        let success = vec![self.entity_target(at)];
        Ok(CallAnswer::Intent(IntentAnswer { success, ..IntentAnswer::default() }))
    }

    /// Turns a thermostat on or off, which is choosing a mode.
    pub(super) fn turn_climate(&mut self, at: usize, on: bool) -> Result<(), ServiceRefusal> {
        let modes = self.view(at).remembered("hvac_modes").and_then(Value::as_array);
        let modes: Vec<&str> =
            modes.map_or(vec!["off", "heat"], |m| m.iter().filter_map(Value::as_str).collect());
        // Home Assistant's order: the only other mode, else the first of three usual ones.
        let mode = if !on {
            modes.contains(&"off").then_some("off")
        } else if modes.len() == 2 && modes.contains(&"off") {
            modes.iter().copied().find(|mode| *mode != "off")
        } else {
            ["heat_cool", "heat", "cool"].into_iter().find(|mode| modes.contains(mode))
        };
        let unable = || CallFailure::uncaught("NotImplementedError", "");
        let mode = mode.ok_or_else(|| ServiceRefusal::Raised(unable()))?.to_owned();
        self.set_state(at, &mode);
        Ok(())
    }

    /// Sets the humidity to reach, turning the humidifier on first.
    pub(super) fn humidifier_setpoint(&mut self, intent: &str, slots: &Slots<'_>) -> CallOutcome {
        let at = self.humidifier(slots)?;
        let humidity = slots.whole("humidity").unwrap_or_default();
        let name = self.view(at).entity.name.clone();
        let speech = if self.view(at).state == "off" {
            // Before the value is checked: one that is refused below leaves it on.
            self.set_state(at, "on");
            format!("Turned {name} on and set humidity to {humidity}%")
        } else {
            format!("The {name} is set to {humidity}%")
        };
        let view = self.view(at);
        if view.is_available() {
            let limit = |name: &str, usual: i64| {
                view.remembered(name).and_then(Value::as_i64).unwrap_or(usual)
            };
            if !(limit("min_humidity", 0)..=limit("max_humidity", 100)).contains(&humidity) {
                return Err(CallFailure::unexpected(intent));
            }
            self.set(at, "humidity", humidity);
        }
        Ok(spoken(speech))
    }

    /// Sets a mode the humidifier has, turning it on first.
    pub(super) fn humidifier_mode(&mut self, slots: &Slots<'_>) -> CallOutcome {
        let at = self.humidifier(slots)?;
        let mode = slots.text("mode").unwrap_or_default();
        let view = self.view(at);
        let name = view.entity.name.clone();
        if !view.entity.supports(humidifier::MODES) {
            return Err(CallFailure::handle(format!("Entity {name} does not support modes")));
        }
        let modes = view.remembered("available_modes").and_then(Value::as_array);
        if !modes.is_some_and(|modes| modes.iter().any(|known| known == mode)) {
            return Err(CallFailure::handle(format!("Entity {name} does not support {mode} mode")));
        }
        let speech = if view.state == "off" {
            self.set_state(at, "on");
            format!("Turned {name} on and set {mode} mode")
        } else {
            format!("The mode for {name} is set to {mode}")
        };
        if self.view(at).is_available() {
            self.set(at, "mode", mode);
        }
        Ok(spoken(speech))
    }

    fn humidifier(&self, slots: &Slots<'_>) -> Result<usize, CallFailure> {
        let constraints = Constraints {
            name: slots.text("name"),
            domains: Some(vec!["humidifier"]),
            domains_are_a_list: true,
            ..Constraints::default()
        };
        let found = self.find(&constraints, &super::matching::Preferences::default());
        let found = found.map_err(|reason| self.unmatched(reason, &constraints, None))?;
        Ok(found.entities[0])
    }
}

fn spoken(speech: String) -> CallAnswer {
    CallAnswer::Intent(IntentAnswer { speech: Some(speech), ..IntentAnswer::default() })
}

/// The one thermostat that is meant.
pub(super) fn one_thermostat<'a>(slots: &'a Slots<'_>) -> Constraints<'a> {
    Constraints {
        name: slots.text("name"),
        area: slots.text("area"),
        floor: slots.text("floor"),
        domains: Some(vec!["climate"]),
        domains_are_a_list: true,
        single_target: true,
        ..Constraints::default()
    }
}
