//! What happens when a tool is called: Home Assistant's own rules, played on an inventory.
//!
//! A call is validated, its target is matched, services act on the matched entities, and the
//! answer takes the shape of the profile. Nothing here waits, reads a clock or calls out.

mod classic;
mod climate;
mod color;
mod command;
mod effects;
mod intents;
mod light;
mod lists;
mod live_context;
mod matching;
mod media;
mod reads;
mod refusal;
mod reply;
mod scene;
mod script;
mod slots;
mod strict;
mod timers;
mod unmatched;

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::catalogue::{PREFERRED_AREA, PREFERRED_FLOOR, ToolKind, catalogue};
use super::state::HomeState;
use super::tools::OfferedAction;
use reply::{CallFailure, CallOutcome};
use slots::Slots;
use toolgauge_world::ToolReply;

impl HomeState {
    /// Calls a tool and answers as Home Assistant would.
    pub fn execute(&mut self, name: &str, arguments: &Map<String, Value>) -> ToolReply {
        self.begin_call();
        let profile = self.setting.profile;
        let outcome = match self.setting.action(name) {
            None => Err(CallFailure::tool_not_found(name)),
            Some(OfferedAction::Script(at)) => self.run_script(at, arguments),
            Some(OfferedAction::BuiltIn(kind, at)) => self.run(kind, at, name, arguments),
        };
        reply::render(outcome, profile)
    }

    fn run(
        &mut self,
        kind: ToolKind,
        at: usize,
        name: &str,
        arguments: &Map<String, Value>,
    ) -> CallOutcome {
        match kind {
            ToolKind::LiveContext => self.live_context(arguments),
            ToolKind::DateTime => Ok(self.date_time()),
            ToolKind::CalendarEvents => self.calendar_events(arguments),
            ToolKind::ListItems => self.list_items(arguments),
            ToolKind::SearchMedia => self.search_media(name, arguments),
            ToolKind::PlayMedia => self.play_media(arguments),
            _ => {
                let entry = &catalogue(self.setting.profile)[at];
                let intent = entry.intent();
                let drop_blank = self.setting.profile.is_current();
                let arguments = self.with_preferences(kind, arguments);
                let slots = Slots::read(&entry.rules, &arguments, drop_blank)
                    .map_err(|fault| CallFailure::slots(fault, intent))?;
                self.run_intent(kind, intent, &slots)
            }
        }
    }

    /// The arguments of an intent, with where the satellite is in place of what a model says.
    fn with_preferences<'a>(
        &self,
        kind: ToolKind,
        arguments: &'a Map<String, Value>,
    ) -> Cow<'a, Map<String, Value>> {
        let mut arguments = Cow::Borrowed(arguments);
        if kind.takes_preferences() {
            let here = self.preferences();
            for (name, id) in [(PREFERRED_AREA, here.area), (PREFERRED_FLOOR, here.floor)] {
                if let Some(id) = id {
                    arguments.to_mut().insert(name.to_owned(), Value::String(id));
                }
            }
        }
        arguments
    }

    fn run_intent(
        &mut self,
        kind: ToolKind,
        intent: &'static str,
        slots: &Slots<'_>,
    ) -> CallOutcome {
        match kind {
            ToolKind::SetTemperature => self.set_temperature(intent, slots),
            ToolKind::HumidifierSetpoint => self.humidifier_setpoint(intent, slots),
            ToolKind::HumidifierMode => self.humidifier_mode(slots),
            ToolKind::SetVolumeRelative => self.set_volume_relative(intent, slots),
            ToolKind::SearchAndPlay => self.search_and_play(slots),
            ToolKind::Broadcast => Ok(self.broadcast(slots)),
            ToolKind::VacuumCleanArea => self.clean_area(slots),
            ToolKind::ListAdd | ToolKind::ListComplete | ToolKind::ListRemove => {
                self.change_list(kind, slots)
            }
            ToolKind::GetState
            | ToolKind::GetTemperature
            | ToolKind::GetWeather
            | ToolKind::CurrentTime
            | ToolKind::CurrentDate
            | ToolKind::Nevermind
            | ToolKind::Respond
            | ToolKind::ShoppingListAdd
            | ToolKind::ShoppingListComplete => self.run_classic(kind, slots),
            timer if timer.is_timer() => self.run_timer(kind, intent, slots),
            _ => self.run_service(kind, intent, slots),
        }
    }
}
