//! Scenes for what moves: locks, covers and fans.

use super::super::effects::{Service, is_able};
use super::super::refusal::ServiceRefusal;
use super::super::reply::CallFailure;
use super::super::strict;
use super::KeptState;
use crate::state::HomeState;

impl HomeState {
    pub(super) fn restore_lock(&mut self, at: usize, state: &str) -> Result<(), ServiceRefusal> {
        match state {
            "locked" | "locking" => self.work_lock(at, "locked"),
            "unlocked" | "unlocking" => self.work_lock(at, "unlocked"),
            "open" | "opening" => {
                self.able(at, "open")?;
                self.work_lock(at, "open")
            }
            _ => Ok(()),
        }
    }

    /// A position counts before the state, where the cover can be brought to it. What a cover
    /// cannot do is left out.
    pub(super) fn restore_cover(&mut self, at: usize, kept: &KeptState<'_>) {
        let open = match kept.state {
            "open" | "opening" => true,
            "closed" | "closing" => false,
            _ => return,
        };
        let view = self.view(at);
        let is_there = ["current_position", "current_tilt_position"]
            .iter()
            .all(|position| self.shows(at, kept, position));
        if view.state == kept.state && is_there {
            return;
        }
        let entity = view.entity;
        let able = |action: &str| is_able(entity, action);
        let (ends, tilts) =
            (["open_cover", "close_cover"], ["open_cover_tilt", "close_cover_tilt"]);
        let goal = |wanted: Option<i64>, sets: &str, [opens, closes]: [&str; 2]| match wanted {
            Some(position) if able(sets) => Some(position),
            Some(100) if able(opens) => Some(100),
            Some(0) if able(closes) => Some(0),
            _ if able(if open { opens } else { closes }) || able(sets) => {
                Some(if open { 100 } else { 0 })
            }
            _ => None,
        };
        let position = goal(kept.whole("current_position"), "set_cover_position", ends);
        let tilt = goal(kept.whole("current_tilt_position"), "set_cover_tilt_position", tilts);
        if let Some(position) = position {
            self.move_to(at, position);
        }
        if let Some(tilt) = tilt {
            self.set_known(at, "current_tilt_position", tilt);
        }
    }

    /// A fan that is off is turned on with its speed, and one that is on gets another.
    pub(super) fn restore_fan(
        &mut self,
        at: usize,
        kept: &KeptState<'_>,
    ) -> Result<(), ServiceRefusal> {
        let view = self.view(at);
        if kept.state == "off" {
            let is_off = view.state == "off";
            return if is_off { Ok(()) } else { self.call_service(Service::TurnOff, at) };
        }
        let (percentage, preset) = (kept.whole("percentage"), kept.text("preset_mode"));
        if view.state == "on" {
            if percentage.is_some() && !self.shows(at, kept, "percentage") {
                self.able(at, "set_percentage")?;
                self.set_fan(at, percentage.unwrap_or_default());
            }
            if let Some(preset) = preset.filter(|_| !self.shows(at, kept, "preset_mode")) {
                self.able(at, "set_preset_mode")?;
                self.check_preset(at, Some(preset))?;
                self.set(at, "preset_mode", preset);
            }
        } else {
            self.able(at, "turn_on")?;
            self.check_preset(at, preset)?;
            match percentage {
                Some(percentage) => self.set_fan(at, percentage),
                None => self.turn(at, true)?,
            }
            if let Some(preset) = preset {
                self.set(at, "preset_mode", preset);
            }
        }
        for (attribute, action, missing) in [
            ("direction", "set_direction", "string value is None"),
            ("oscillating", "oscillate", "invalid boolean value None"),
        ] {
            if self.shows(at, kept, attribute) {
                continue;
            }
            // Home Assistant passes what is not kept, too, and its own service refuses that.
            let Some(value) = kept.get(attribute) else {
                let profile = self.setting.profile;
                let failure = strict::invalid(profile, attribute, missing, None);
                return Err(ServiceRefusal::Raised(failure));
            };
            self.able(at, action)?;
            self.set(at, attribute, value.clone());
        }
        Ok(())
    }

    fn check_preset(&self, at: usize, preset: Option<&str>) -> Result<(), ServiceRefusal> {
        let known = self.modes(at, "preset_modes").unwrap_or_default();
        let Some(preset) = preset.filter(|preset| !known.contains(preset)) else { return Ok(()) };
        let known = known.join(", ");
        let text = format!("Preset mode {preset} is not valid, valid preset modes are: {known}");
        Err(ServiceRefusal::Raised(CallFailure::raised("NotValidPresetModeError", text)))
    }
}
