//! Tools that only tell something: the time, and what is in a calendar.

use serde_json::{Map, Value, json};

use super::matching::{Constraints, Preferences};
use super::reply::{CallAnswer, CallFailure, CallOutcome};
use super::strict::{self, Parameter, ParameterTakes};
use crate::inventory::{CalendarEvent, Contents};
use crate::state::HomeState;

impl HomeState {
    pub(super) fn date_time(&self) -> CallAnswer {
        let clock = &self.clock;
        CallAnswer::plain(json!({
            "date": clock.date(),
            "time": clock.time(),
            "timezone": clock.zone(),
            "weekday": clock.weekday(),
        }))
    }

    /// The events of a calendar from now to the end of the day, or of the week.
    pub(super) fn calendar_events(&self, arguments: &Map<String, Value>) -> CallOutcome {
        let calendars = self.inventory().exposed_names("calendar");
        let ranges = ["today", "week"].map(str::to_owned);
        let texts = strict::check(
            self.setting.profile,
            &[
                Parameter::required("calendar", ParameterTakes::Choice(&calendars)),
                Parameter::required("range", ParameterTakes::Choice(&ranges)),
            ],
            arguments,
        )?;
        let constraints = Constraints {
            name: texts.get("calendar"),
            domains: Some(vec!["calendar"]),
            ..Constraints::default()
        };
        let Ok(found) = self.find(&constraints, &Preferences::default()) else {
            return Err(CallFailure::NotFound("Calendar not found".to_owned()));
        };
        self.answers(found.entities[0])?;
        let days = if texts.get("range") == Some("today") { 1 } else { 7 };
        let Contents::Calendar(events) = &self.view(found.entities[0]).entity.contents else {
            return Ok(CallAnswer::found("events", json!([])));
        };
        let within = |event: &&CalendarEvent| self.is_within(event, days);
        let mut events: Vec<&CalendarEvent> = events.iter().filter(within).collect();
        events.sort_by_key(|event| self.clock.instant(&event.start));
        let events: Vec<Value> = events.into_iter().map(event_value).collect();
        Ok(CallAnswer::found("events", json!(events)))
    }

    /// Fails as Home Assistant does when it asks something that is unavailable for its contents.
    pub(super) fn answers(&self, at: usize) -> Result<(), CallFailure> {
        if self.view(at).is_available() {
            return Ok(());
        }
        let text = "Service call requested response data but did not match any entities";
        Err(CallFailure::raised("HomeAssistantError", text))
    }

    /// Whether an event is under way at some time from now until some days have begun.
    fn is_within(&self, event: &CalendarEvent, days: i64) -> bool {
        let start = self.clock.instant(&event.start);
        let end = self.clock.instant(&event.end).or(start);
        let (Some(start), Some(end)) = (start, end) else { return false };
        start < self.clock.start_of_day(days) && end.max(start) > self.clock.timestamp()
    }
}

fn event_value(event: &CalendarEvent) -> Value {
    let mut value = json!({"start": event.start, "end": event.end, "summary": event.summary});
    for (name, text) in [("description", &event.description), ("location", &event.location)] {
        if let Some(text) = text {
            value[name] = json!(text);
        }
    }
    if !event.start.contains('T') {
        value["all_day"] = json!(true);
    }
    value
}
