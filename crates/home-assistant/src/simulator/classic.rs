//! Tools of the older benchmark that Home Assistant has but no longer offers to models.

use serde_json::{Value, json};

use super::climate::one_thermostat;
use super::matching::{Constraints, Match, Preferences, Reason};
use super::reply::{CallAnswer, CallFailure, CallOutcome, IntentAnswer, ResponseType, Target};
use super::slots::Slots;
use crate::catalogue::ToolKind;
use crate::python;
use crate::state::HomeState;

impl HomeState {
    pub(super) fn run_classic(&mut self, kind: ToolKind, slots: &Slots<'_>) -> CallOutcome {
        match kind {
            ToolKind::GetState => self.get_state(slots),
            ToolKind::GetTemperature => self.get_temperature(slots),
            ToolKind::GetWeather => self.get_weather(slots),
            ToolKind::CurrentTime => Ok(speech_answer(json!({"time": self.clock.time()}))),
            ToolKind::CurrentDate => Ok(speech_answer(json!({"date": self.clock.date()}))),
            ToolKind::ShoppingListAdd | ToolKind::ShoppingListComplete => {
                self.change_shopping_list(kind, slots)
            }
            ToolKind::Respond => Ok(CallAnswer::Intent(IntentAnswer {
                speech: slots.text("response").map(str::to_owned),
                ..IntentAnswer::default()
            })),
            _ => Ok(CallAnswer::done()),
        }
    }

    /// Names what matches and tells its state. Only an unknown place or a name shared by several
    /// is an error.
    fn get_state(&self, slots: &Slots<'_>) -> CallOutcome {
        let constraints = Constraints {
            name: slots.filled("name"),
            area: slots.filled("area"),
            floor: slots.filled("floor"),
            domains: slots.texts("domain"),
            device_classes: slots.texts("device_class"),
            ..Constraints::default()
        };
        let found = match self.find(&constraints, &slots.preferences()) {
            Ok(found) => found,
            Err(reason @ (Reason::InvalidArea | Reason::InvalidFloor | Reason::DuplicateName)) => {
                return Err(self.unmatched(reason, &constraints, None));
            }
            Err(reason) => self.empty_place(reason, &constraints),
        };
        let asked = slots.texts("state").unwrap_or_default();
        let fits = |at: &usize| asked.is_empty() || asked.contains(&self.view(*at).state);
        let told: Vec<usize> = found.entities.iter().copied().filter(fits).collect();
        // Home Assistant lists all that matched, and tells only what is in the state that was asked
        // for.
        let mut success: Vec<Target> = found.areas.iter().map(|&at| self.area_target(at)).collect();
        success.extend(found.floors.iter().map(|&at| self.floor_target(at)));
        success.extend(found.entities.iter().map(|&at| self.entity_target(at)));
        Ok(self.answer(&told, success, "state"))
    }

    /// The area or the floor in which nothing matched, which is told all the same.
    fn empty_place(&self, reason: Reason, asked: &Constraints<'_>) -> Match {
        let index = &self.inventory().index;
        match (reason, asked.area, asked.floor) {
            (Reason::Area, Some(area), _) => {
                Match { areas: index.areas_named(area), ..Match::default() }
            }
            (Reason::Floor, _, Some(floor)) => {
                Match { floors: index.floors_named(floor), ..Match::default() }
            }
            _ => Match::default(),
        }
    }

    fn get_temperature(&self, slots: &Slots<'_>) -> CallOutcome {
        let constraints = one_thermostat(slots);
        let preferences = slots.preferences();
        if let Some(sensor) = self.only_sensor(&constraints, &preferences) {
            return Ok(self.answer(&[sensor], vec![], "state"));
        }
        let found = self.find(&constraints, &preferences);
        let found = found.map_err(|reason| self.unmatched(reason, &constraints, None))?;
        Ok(self.answer(&found.entities, vec![], "current_temperature"))
    }

    /// The only sensor of temperature in a home, which counts before thermostats for someone who
    /// speaks from an area and names no place.
    fn only_sensor(&self, asked: &Constraints<'_>, preferences: &Preferences) -> Option<usize> {
        let names_any = asked.name.is_some() || asked.area.is_some() || asked.floor.is_some();
        let sensors = Constraints {
            domains: Some(vec!["sensor"]),
            device_classes: Some(vec!["temperature"]),
            single_target: true,
            ..Constraints::default()
        };
        let here = preferences.area.as_ref().filter(|_| !names_any);
        let found = here.and_then(|_| self.find(&sensors, &Preferences::default()).ok())?;
        found.entities.first().copied()
    }

    fn get_weather(&self, slots: &Slots<'_>) -> CallOutcome {
        let constraints = Constraints {
            name: slots.filled("name"),
            domains: Some(vec!["weather"]),
            domains_are_a_list: true,
            ..Constraints::default()
        };
        let found = self.find(&constraints, &Preferences::default());
        let found = found.map_err(|reason| self.unmatched(reason, &constraints, None))?;
        let success = vec![self.entity_target(found.entities[0])];
        Ok(self.answer(&found.entities[..1], success, "state"))
    }

    /// What was asked for, in words: `Kitchen Temperature: 72.1 °F`.
    fn answer(&self, told: &[usize], success: Vec<Target>, attribute: &str) -> CallAnswer {
        let line = |&at: &usize| {
            let view = self.view(at);
            let unit = view.shown("unit_of_measurement").and_then(Value::as_str);
            let value = match view.shown(attribute) {
                Some(value) if attribute != "state" => python::str(value),
                _ => view.state.to_owned(),
            };
            let unit = unit.map(|unit| format!(" {unit}")).unwrap_or_default();
            format!("{}: {value}{unit}", view.entity.name)
        };
        CallAnswer::Intent(IntentAnswer {
            kind: ResponseType::QueryAnswer,
            speech: Some(told.iter().map(line).collect::<Vec<_>>().join("\n")),
            success,
            ..IntentAnswer::default()
        })
    }

    /// The shopping list is the to-do list of that name, or the first one there is.
    fn change_shopping_list(&mut self, kind: ToolKind, slots: &Slots<'_>) -> CallOutcome {
        let lists = self.inventory().index.domain("todo");
        let named = |at: &&usize| self.inventory().entities()[**at].object_id() == "shopping_list";
        let Some(&at) = lists.iter().find(named).or(lists.first()) else {
            return Err(CallFailure::handle("No to-do list: Shopping list"));
        };
        self.change_item(kind, at, slots.text("item").unwrap_or_default())?;
        let success = vec![self.entity_target(at)];
        Ok(CallAnswer::Intent(IntentAnswer { success, ..IntentAnswer::default() }))
    }
}

fn speech_answer(speech_slots: Value) -> CallAnswer {
    let speech_slots = Some(speech_slots);
    CallAnswer::Intent(IntentAnswer { speech_slots, ..IntentAnswer::default() })
}
