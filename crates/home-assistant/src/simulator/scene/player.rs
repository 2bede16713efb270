//! Scenes for media players.

use std::sync::Arc;

use super::super::effects::is_able;
use super::super::refusal::ServiceRefusal;
use super::KeptState;
use crate::state::HomeState;

impl HomeState {
    /// A player is turned on first; what it cannot do is left out.
    pub(super) fn restore_player(
        &mut self,
        at: usize,
        kept: &KeptState<'_>,
    ) -> Result<(), ServiceRefusal> {
        let setting = Arc::clone(&self.setting);
        let able = |action: &str| is_able(&setting.inventory.entities()[at], action);
        if kept.state == "off" {
            return if able("turn_off") { self.turn(at, false) } else { Ok(()) };
        }
        let is_on = matches!(kept.state, "buffering" | "idle" | "on" | "paused" | "playing");
        if is_on && able("turn_on") {
            self.turn(at, true)?;
        }
        for (attribute, action) in [
            ("source", "select_source"),
            ("sound_mode", "select_sound_mode"),
            ("volume_level", "volume_set"),
            ("is_volume_muted", "volume_mute"),
        ] {
            if let Some(value) = kept.get(attribute).filter(|_| able(action)) {
                self.set(at, attribute, value.clone());
            }
        }
        // What was played counts as playing even if the player cannot be told to play it.
        let media =
            kept.text("media_content_id").filter(|_| kept.get("media_content_type").is_some());
        if let Some(id) = media.filter(|_| able("play_media")) {
            self.play(at, id);
        }
        match kept.state {
            "playing" | "buffering" if media.is_none() && able("media_play") => {
                self.set_state(at, "playing");
            }
            "idle" if able("media_stop") => self.set_state(at, "idle"),
            "paused" if able("media_pause") => self.set_state(at, "paused"),
            _ => {}
        }
        Ok(())
    }
}
