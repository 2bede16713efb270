//! Running scripts, and what scenes and scripts do where the inventory says so.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::reply::{CallAnswer, CallFailure, CallOutcome};
use crate::catalogue::by_bare_name;
use crate::inventory::{Contents, Effect, Field};
use crate::python;
use crate::state::Happening;
use crate::state::HomeState;

impl HomeState {
    /// Runs a script. What is passed is not checked, but names of areas and floors are turned
    /// into ids where a field asks for one.
    pub(super) fn run_script(&mut self, at: usize, arguments: &Map<String, Value>) -> CallOutcome {
        let entity = &self.inventory().entities()[at];
        let mut passed = arguments.clone();
        if let Contents::Script(script) = &entity.contents {
            for (name, field) in &script.fields {
                if let Some(value) = passed.get_mut(name) {
                    *value = self.resolved(field, value)?;
                }
            }
        }
        let script = entity.id.clone();
        if self.view(at).is_available() {
            self.stamp_run(at);
            self.happenings.push(Happening::Script { script, arguments: passed.clone() });
            self.take_effect(at, &passed)?;
        }
        Ok(CallAnswer::found("result", json!({})))
    }

    /// Plays what a scene or a script does. One that is running is not started again, and a step
    /// that fails ends it, as in Home Assistant.
    pub(super) fn take_effect(
        &mut self,
        at: usize,
        passed: &Map<String, Value>,
    ) -> Result<(), CallFailure> {
        if self.running.contains(&at) {
            return Ok(());
        }
        // The steps change `self`, so that they cannot be borrowed from it.
        let setting = Arc::clone(&self.setting);
        let steps = match &setting.inventory.entities()[at].contents {
            Contents::Scene(effect) => std::slice::from_ref(effect),
            Contents::Script(script) => script.sequence.as_slice(),
            _ => return Ok(()),
        };
        self.running.push(at);
        let outcome = steps.iter().try_for_each(|step| self.take_step(step, passed));
        self.running.pop();
        outcome
    }

    fn take_step(&mut self, step: &Effect, passed: &Map<String, Value>) -> Result<(), CallFailure> {
        match step {
            Effect::Set(states) => self.restore(states),
            Effect::Call { tool, arguments } => {
                // A step that needs a field which was not passed is left out.
                let Some(arguments) = filled(arguments, passed) else { return Ok(()) };
                let found = by_bare_name(self.setting.profile, tool);
                let (entry, kind) = found.ok_or_else(|| CallFailure::tool_not_found(tool))?;
                match self.run(kind, entry, tool, &arguments) {
                    // A service that finds nothing does nothing, and the script goes on.
                    Ok(_) | Err(CallFailure::Raised { error: "MatchFailedError", .. }) => Ok(()),
                    Err(failure) => Err(failure),
                }
            }
        }
    }

    /// What a field is passed: names of areas and floors become ids where the field asks for one.
    ///
    /// Home Assistant checks nothing here and catches nothing. A name that nothing answers to
    /// breaks a field for one place; a field for several places walks through whatever it gets.
    fn resolved(&self, field: &Field, value: &Value) -> Result<Value, CallFailure> {
        let Some((kind, settings)) = &field.selector else { return Ok(value.clone()) };
        if !matches!(kind.as_str(), "area" | "floor") {
            return Ok(value.clone());
        }
        if settings.get("multiple").and_then(Value::as_bool) != Some(true) {
            let first = self.place_ids(kind, value)?.into_iter().next();
            let none = || CallFailure::uncaught("IndexError", "list index out of range");
            return first.map(Value::String).ok_or_else(none);
        }
        let names: Vec<Value> = match value {
            Value::Array(names) => names.clone(),
            Value::String(text) => text.chars().map(|letter| json!(letter.to_string())).collect(),
            Value::Object(entries) => entries.keys().map(|key| json!(key)).collect(),
            other => {
                let text = format!("'{}' object is not iterable", python::type_name(other));
                return Err(CallFailure::uncaught("TypeError", text));
            }
        };
        let mut ids = Vec::new();
        for name in &names {
            for id in self.place_ids(kind, name)? {
                if !ids.contains(&id) {
                    ids.push(id);
                }
            }
        }
        Ok(json!(ids))
    }

    /// The ids of the areas or floors that answer to a name.
    fn place_ids(&self, kind: &str, name: &Value) -> Result<Vec<String>, CallFailure> {
        let Value::String(text) = name else {
            let text = format!("'{}' object has no attribute 'strip'", python::type_name(name));
            return Err(CallFailure::uncaught("AttributeError", text));
        };
        let inventory = self.inventory();
        Ok(if kind == "area" {
            let areas = inventory.index.areas_named(text).into_iter();
            areas.map(|at| inventory.areas()[at].id.clone()).collect()
        } else {
            let floors = inventory.index.floors_named(text).into_iter();
            floors.map(|at| inventory.floors()[at].id.clone()).collect()
        })
    }
}

/// Arguments with what was passed in place of `{field}`; none if that was not passed, since a
/// call with a filter less would reach further than anybody meant.
fn filled(
    arguments: &Map<String, Value>,
    passed: &Map<String, Value>,
) -> Option<Map<String, Value>> {
    let value = |value: &Value| {
        let text = value.as_str();
        match text.and_then(|text| text.strip_prefix('{')?.strip_suffix('}')) {
            Some(field) => passed.get(field.trim()).cloned(),
            None => Some(value.clone()),
        }
    };
    arguments.iter().map(|(name, argument)| Some((name.clone(), value(argument)?))).collect()
}
