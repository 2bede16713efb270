//! The live context: every exposed entity with its state, as YAML in a sentence's clothes.

use serde_json::{Map, Value};

use super::reply::{CallAnswer, CallFailure, CallOutcome};
use super::strict::{self, Parameter, ParameterTakes, TextArguments};
use crate::precision;
use crate::prompt;
use crate::python;
use crate::state::EntityView;
use crate::state::HomeState;
use crate::wording::wording;
use crate::yaml;

/// The attributes a model gets to see.
const SHOWN: &[&str] = &[
    "temperature",
    "current_temperature",
    "temperature_unit",
    "brightness",
    "humidity",
    "unit_of_measurement",
    "device_class",
    "current_position",
    "percentage",
    "volume_level",
    "media_title",
    "media_artist",
    "media_album_name",
];

impl HomeState {
    /// Tells the state of everything exposed, or of what the filters leave of it.
    pub(super) fn live_context(&self, arguments: &Map<String, Value>) -> CallOutcome {
        // Before 2026.10 the tool took no arguments and looked at none.
        let current = self.setting.profile.is_current();
        let filters = if current {
            strict::check(
                self.setting.profile,
                &[
                    Parameter::optional("name", ParameterTakes::Text),
                    Parameter::optional("domain", ParameterTakes::TextOrTexts),
                    Parameter::optional("area", ParameterTakes::Text),
                ],
                arguments,
            )?
        } else {
            TextArguments::default()
        };
        let mut listed: Vec<usize> = self.inventory().listed().collect();
        if listed.is_empty() {
            let nothing = &wording(self.setting.profile).nothing_exposed;
            return Err(CallFailure::NotFound(nothing.clone()));
        }
        self.filter(&mut listed, &filters)?;
        let mut context = String::from(
            "Live Context: An overview of the areas and the devices in this smart home:\n",
        );
        for at in listed {
            self.tell(&mut context, &self.view(at), current);
        }
        Ok(CallAnswer::found("result", Value::String(context)))
    }

    /// Domain, name and area, in this order: the first that leaves nothing is the one to blame.
    fn filter(&self, listed: &mut Vec<usize>, filters: &TextArguments) -> Result<(), CallFailure> {
        let inventory = self.inventory();
        let entities = inventory.entities();
        let domains: Vec<String> = filters
            .all("domain")
            .unwrap_or_default()
            .iter()
            .map(|domain| domain.trim().to_lowercase())
            .filter(|domain| !domain.is_empty())
            .collect();
        let blame = |listed: &[usize], words: String| {
            if listed.is_empty() { Err(CallFailure::NotFound(words)) } else { Ok(()) }
        };
        if !domains.is_empty() {
            listed.retain(|&at| domains.iter().any(|domain| domain == entities[at].domain()));
            let names = domains.join(", ");
            blame(listed, format!("No exposed entities found in domain(s): {names}"))?;
        }
        if let Some(name) = filters.get("name").filter(|name| !name.is_empty()) {
            let named = inventory.index.entities_named(name);
            listed.retain(|at| named.contains(at));
            blame(listed, format!("No exposed entities matched name '{name}'"))?;
        }
        if let Some(name) = filters.get("area").filter(|name| !name.is_empty()) {
            let areas = inventory.index.areas_named(name);
            blame(&areas, format!("Area '{name}' does not exist"))?;
            listed.retain(|&at| entities[at].area.is_some_and(|area| areas.contains(&area)));
            blame(listed, format!("No exposed entities found in area '{name}'"))?;
        }
        Ok(())
    }

    fn tell(&self, out: &mut String, view: &EntityView<'_>, current: bool) {
        let entity = view.entity;
        prompt::identity(out, entity);
        yaml::entry(out, "  ", "state", &Value::String(self.told_state(view, current)));
        prompt::areas(out, self.inventory(), entity);
        let mut attributes = told_attributes(view);
        if current && entity.domain() == "light" {
            let brightness = view.shown("brightness").and_then(Value::as_f64);
            // A light that is lit is never told to be at 0 %.
            let least = |level: f64| i64::from(level > 0.0);
            let percent =
                brightness.map(|level| python::round(level / 255.0 * 100.0).max(least(level)));
            attributes
                .extend(percent.map(|percent| ("brightness_pct", percent.to_string().into())));
        }
        if attributes.is_empty() {
            return;
        }
        out.push_str("  attributes:\n");
        for (name, value) in attributes {
            yaml::entry(out, "    ", name, &value);
        }
    }

    fn told_state(&self, view: &EntityView<'_>, current: bool) -> String {
        let is_time = view.shown("device_class").and_then(Value::as_str) == Some("timestamp");
        if is_time && let Some(local) = self.clock.local(view.state) {
            return local;
        }
        let digits = (current && view.entity.domain() == "sensor")
            .then(|| precision::of(view.entity))
            .flatten();
        match digits.zip(view.state.parse::<f64>().ok()) {
            Some((digits, number)) if number.is_finite() => precision::rounded(number, digits),
            _ => view.state.to_owned(),
        }
    }
}

/// The attributes a model gets to see, in the order in which Home Assistant puts a state
/// together: what the component tells, what the integration adds, the unit, the device class.
/// What is unavailable has only the last two.
fn told_attributes<'v>(view: &EntityView<'v>) -> Vec<(&'v str, Value)> {
    let own = told_by_component(view.entity.domain());
    let place = |name: &str| match name {
        "unit_of_measurement" => own.len() + 1,
        "device_class" => own.len() + 2,
        other => own.iter().position(|known| *known == other).unwrap_or(own.len()),
    };
    let mut names: Vec<&str> = view
        .attribute_names()
        .map(String::as_str)
        .filter(|name| SHOWN.contains(name))
        .filter(|name| view.is_available() || place(name) > own.len())
        .collect();
    names.sort_by_key(|name| place(name));
    let told = |name: &'v str| match (name, view.shown(name)?) {
        ("unit_of_measurement", Value::String(unit))
            if matches!(view.entity.domain(), "sensor" | "number") =>
        {
            Some((name, precision::canonical_unit(unit).into()))
        }
        (_, value) => Some((name, as_told(value))),
    };
    names.into_iter().filter_map(told).collect()
}

/// What the component of a domain tells of its entities, in its order.
fn told_by_component(domain: &str) -> &'static [&'static str] {
    match domain {
        "climate" => &["current_temperature", "temperature", "humidity"],
        "weather" => &["temperature", "temperature_unit", "humidity"],
        "water_heater" => &["current_temperature", "temperature"],
        "humidifier" => &["humidity"],
        "light" => &["brightness"],
        "cover" | "valve" => &["current_position"],
        "fan" => &["percentage"],
        "media_player" => &["volume_level", "media_title", "media_artist", "media_album_name"],
        _ => &[],
    }
}

/// Whole numbers and booleans are told as text.
fn as_told(value: &Value) -> Value {
    match value {
        Value::Number(number) if !number.is_f64() => Value::String(number.to_string()),
        Value::Bool(_) | Value::Array(_) | Value::Object(_) => Value::String(python::str(value)),
        other => other.clone(),
    }
}
