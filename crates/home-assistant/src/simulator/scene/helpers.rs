//! Scenes for alarms, for what is chosen or written down, and for helpers.

use serde_json::Value;

use super::super::refusal::ServiceRefusal;
use super::super::reply::CallFailure;
use super::KeptState;
use crate::python;
use crate::state::HomeState;

impl HomeState {
    /// Brings an entity into a state that it is not in.
    pub(super) fn restore_helper(
        &mut self,
        at: usize,
        domain: &str,
        kept: &KeptState<'_>,
    ) -> Result<(), ServiceRefusal> {
        let state = kept.state;
        let fits = match domain {
            "alarm_control_panel" => return self.restore_alarm(at, state),
            "number" => return self.restore_number(at, state),
            "input_number" => state.parse().is_ok_and(|number| self.is_in_range(at, number)),
            "counter" => !state.is_empty() && state.chars().all(|digit| digit.is_ascii_digit()),
            "select" => self.modes(at, "options").is_none_or(|known| known.contains(&state)),
            "input_select" => {
                if let Some(options) = kept.get("options") {
                    self.set(at, "options", options.clone());
                }
                self.check_mode(at, "options", state, |options| {
                    let text = format!("Invalid option: {state} (possible options: {options})");
                    ServiceRefusal::Raised(CallFailure::raised("HomeAssistantError", text))
                })?;
                true
            }
            "timer" => {
                matches!(state, "active" | "idle")
                    || (state == "paused" && self.view(at).state == "active")
            }
            "input_datetime" | "input_text" | "text" => true,
            _ => false,
        };
        if fits {
            self.set_state(at, state);
        }
        Ok(())
    }

    fn restore_alarm(&mut self, at: usize, state: &str) -> Result<(), ServiceRefusal> {
        let action = match state {
            "armed_away" => "alarm_arm_away",
            "armed_custom_bypass" => "alarm_arm_custom_bypass",
            "armed_home" => "alarm_arm_home",
            "armed_night" => "alarm_arm_night",
            "armed_vacation" => "alarm_arm_vacation",
            "disarmed" => "alarm_disarm",
            "triggered" => "alarm_trigger",
            _ => return Ok(()),
        };
        self.able(at, action)?;
        let view = self.view(at);
        let asks = view.remembered("code_arm_required") == Some(&Value::Bool(true));
        if asks && state.starts_with("armed") {
            let id = &view.entity.id;
            let text = format!("Arming requires a code but none was given for {id}");
            return Err(ServiceRefusal::invalid(text));
        }
        self.set_state(at, state);
        Ok(())
    }

    fn restore_number(&mut self, at: usize, state: &str) -> Result<(), ServiceRefusal> {
        let Ok(number) = state.parse::<f64>() else { return Ok(()) };
        if !self.is_in_range(at, number) {
            let (least, most) = (self.limit(at, "min", 0), self.limit(at, "max", 100));
            let (least, most) = (python::str(&least), python::str(&most));
            let (value, id) = (python::str(&number.into()), &self.view(at).entity.id);
            let text = format!("Value {value} for {id} is outside valid range {least} - {most}");
            return Err(ServiceRefusal::invalid(text));
        }
        self.set_state(at, &python::str(&number.into()));
        Ok(())
    }

    /// Whether a number is within the limits of an entity, as far as it has any.
    fn is_in_range(&self, at: usize, number: f64) -> bool {
        let limit = |name: &str| self.view(at).remembered(name).and_then(Value::as_f64);
        limit("min").is_none_or(|least| least <= number)
            && limit("max").is_none_or(|most| number <= most)
    }
}
