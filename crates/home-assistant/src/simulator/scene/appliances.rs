//! Scenes for what heats, dampens and cleans.

use serde_json::{Map, Value};

use super::super::refusal::ServiceRefusal;
use super::super::reply::CallFailure;
use super::KeptState;
use crate::python;
use crate::state::HomeState;

/// The modes thermostats may have; any other state is passed over.
const HVAC_MODES: [&str; 7] = ["off", "heat", "cool", "heat_cool", "auto", "dry", "fan_only"];

/// The modes water heaters may have.
const HEATER_MODES: [&str; 6] =
    ["eco", "electric", "gas", "heat_pump", "high_demand", "performance"];

/// What else a scene keeps of a thermostat: the attribute, the list of what it may be, the action,
/// and what errors call it.
const CLIMATE_MODES: [(&str, &str, &str, &str); 4] = [
    ("preset_mode", "preset_modes", "set_preset_mode", "preset"),
    ("swing_mode", "swing_modes", "set_swing_mode", "swing"),
    (
        "swing_horizontal_mode",
        "swing_horizontal_modes",
        "set_swing_horizontal_mode",
        "horizontal swing",
    ),
    ("fan_mode", "fan_modes", "set_fan_mode", "fan"),
];

impl HomeState {
    pub(super) fn restore_climate(
        &mut self,
        at: usize,
        kept: &KeptState<'_>,
    ) -> Result<(), ServiceRefusal> {
        if HVAC_MODES.contains(&kept.state) {
            self.check_mode(at, "hvac_modes", kept.state, |modes| {
                let mode = kept.state;
                let text = format!("HVAC mode {mode} is not valid. Valid HVAC modes are: {modes}");
                ServiceRefusal::invalid(text)
            })?;
            self.set_state(at, kept.state);
        }
        self.set_temperatures(at, kept.attributes)?;
        for (attribute, list, action, name) in CLIMATE_MODES {
            let Some(mode) = kept.text(attribute) else { continue };
            self.able(at, action)?;
            self.check_mode(at, list, mode, |modes| {
                let title = name[..1].to_uppercase() + &name[1..];
                let text = format!("{title} mode {mode} is not valid. Valid {name} modes are: ");
                ServiceRefusal::invalid(text + modes)
            })?;
            self.set(at, attribute, mode);
        }
        if let Some(humidity) = kept.whole("humidity") {
            self.able(at, "set_humidity")?;
            self.set_humidity(at, humidity, [30, 99])?;
        }
        Ok(())
    }

    /// Sets the temperatures that there are of those to reach.
    pub(in super::super) fn set_temperatures(
        &mut self,
        at: usize,
        kept: &Map<String, Value>,
    ) -> Result<(), ServiceRefusal> {
        let names = ["temperature", "target_temp_high", "target_temp_low"];
        let wanted = names.map(|name| Some((name, kept.get(name)?.as_f64()?)));
        if wanted.iter().all(Option::is_none) {
            return Ok(());
        }
        self.able(at, "set_temperature")?;
        let entity = self.view(at).entity;
        for (is_wanted, bit, name) in [
            (wanted[0].is_some(), 1, "Target temperature"),
            (wanted[2].is_some(), 2, "Lower/Upper target temperature"),
        ] {
            if is_wanted && !entity.supports(bit) {
                return Err(ServiceRefusal::invalid(format!(
                    "Set temperature action was used with the '{name}' parameter but the entity \
                     does not support it"
                )));
            }
        }
        if let [_, Some((_, high)), Some((_, low))] = wanted
            && low > high
        {
            let cannot = if self.setting.profile.is_current() { "cannot" } else { "can not" };
            return Err(ServiceRefusal::invalid(format!(
                "'Lower target temperature' {cannot} be higher than 'Upper target temperature'"
            )));
        }
        let (least, most) = (self.limit(at, "min_temp", 7), self.limit(at, "max_temp", 35));
        for (_, degrees) in wanted.iter().flatten() {
            check_range("temperature", &Value::from(*degrees), &least, &most)?;
        }
        for (name, degrees) in wanted.into_iter().flatten() {
            // Temperatures are never whole numbers in Home Assistant.
            self.set(at, name, degrees);
        }
        Ok(())
    }

    pub(super) fn restore_humidifier(
        &mut self,
        at: usize,
        kept: &KeptState<'_>,
    ) -> Result<(), ServiceRefusal> {
        self.turn(at, kept.state == "on")?;
        if kept.state == "off" {
            return Ok(());
        }
        if let Some(mode) = kept.get("mode").filter(|_| !self.shows(at, kept, "mode")) {
            self.able(at, "set_mode")?;
            self.set(at, "mode", mode.clone());
        }
        match kept.whole("humidity").filter(|_| !self.shows(at, kept, "humidity")) {
            Some(humidity) => self.set_humidity(at, humidity, [0, 100]),
            None => Ok(()),
        }
    }

    fn set_humidity(
        &mut self,
        at: usize,
        humidity: i64,
        [least, most]: [i64; 2],
    ) -> Result<(), ServiceRefusal> {
        let least = self.limit(at, "min_humidity", least);
        let most = self.limit(at, "max_humidity", most);
        check_range("humidity", &Value::from(humidity), &least, &most)?;
        self.set(at, "humidity", humidity);
        Ok(())
    }

    pub(super) fn restore_water_heater(
        &mut self,
        at: usize,
        kept: &KeptState<'_>,
    ) -> Result<(), ServiceRefusal> {
        let mode = kept.state;
        let is_mode = HEATER_MODES.contains(&mode);
        if !is_mode && !matches!(mode, "on" | "off") {
            return Ok(());
        }
        if self.view(at).state != mode {
            if is_mode {
                self.able(at, "set_operation_mode")?;
                self.check_mode(at, "operation_list", mode, |modes| {
                    let id = &self.view(at).entity.id;
                    ServiceRefusal::invalid(format!(
                        "Operation mode {mode} is not valid for {id}. Valid operation modes are: \
                         {modes}"
                    ))
                })?;
                self.set_known(at, "operation_mode", mode);
                self.set_state(at, mode);
            } else {
                self.able(at, if mode == "on" { "turn_on" } else { "turn_off" })?;
                self.turn(at, mode == "on")?;
            }
        }
        if let Some(degrees) = kept.get("temperature").and_then(Value::as_f64)
            && !self.shows(at, kept, "temperature")
        {
            self.able(at, "set_temperature")?;
            self.set(at, "temperature", degrees);
        }
        if let Some(away) = kept.get("away_mode").filter(|_| !self.shows(at, kept, "away_mode")) {
            self.able(at, "set_away_mode")?;
            self.set(at, "away_mode", away.clone());
        }
        Ok(())
    }

    pub(super) fn restore_vacuum(
        &mut self,
        at: usize,
        kept: &KeptState<'_>,
    ) -> Result<(), ServiceRefusal> {
        let (action, state) = match kept.state {
            "cleaning" => ("start", "cleaning"),
            "docked" | "returning" => ("return_to_base", "returning"),
            "idle" => ("stop", "idle"),
            "paused" => ("pause", "paused"),
            // Home Assistant calls services that vacuums once had.
            switch @ ("on" | "off") => {
                let text = format!("Action vacuum.turn_{switch} not found");
                let failure = CallFailure::raised("ServiceNotFound", text);
                return Err(ServiceRefusal::Raised(failure));
            }
            _ => return Ok(()),
        };
        if self.view(at).state != kept.state {
            self.able(at, action)?;
            self.set_state(at, state);
        }
        if self.shows(at, kept, "fan_speed") {
            return Ok(());
        }
        // Home Assistant looks for the speed without asking whether it is kept.
        let Some(speed) = kept.get("fan_speed") else {
            return Err(ServiceRefusal::Raised(CallFailure::uncaught("KeyError", "fan_speed")));
        };
        self.able(at, "set_fan_speed")?;
        self.set(at, "fan_speed", speed.clone());
        Ok(())
    }
}

/// Refuses a value beyond what an entity takes.
fn check_range(
    name: &str,
    value: &Value,
    least: &Value,
    most: &Value,
) -> Result<(), ServiceRefusal> {
    let number = |value: &Value| value.as_f64().unwrap_or_default();
    if (number(least)..=number(most)).contains(&number(value)) {
        return Ok(());
    }
    let (value, least, most) = (python::str(value), python::str(least), python::str(most));
    Err(ServiceRefusal::invalid(format!(
        "Provided {name} {value} is not valid. Accepted range is {least} to {most}"
    )))
}
