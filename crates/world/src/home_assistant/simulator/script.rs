//! Running a script through its own tool.

use serde_json::{Map, Value, json};

use super::reply::{Answer, Failure};
use super::{HomeState, Outcome};
use crate::home_assistant::inventory::{Contents, Field};
use crate::home_assistant::state::Happening;

impl HomeState {
    /// Runs a script. What is passed is not checked, but names of areas and floors are turned
    /// into ids where a field asks for one.
    pub(super) fn run_script(&mut self, at: usize, arguments: &Map<String, Value>) -> Outcome {
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
            self.happenings.push(Happening::Script { script, arguments: passed });
        }
        Ok(Answer::found("result", json!({})))
    }

    fn resolved(&self, field: &Field, value: &Value) -> Result<Value, Failure> {
        let inventory = self.inventory();
        let ids = |name: &str| -> Option<Vec<String>> {
            match field.selector.as_ref()?.0.as_str() {
                "area" => {
                    let areas = inventory.index.areas_named(name).into_iter();
                    Some(areas.map(|at| inventory.areas()[at].id.clone()).collect())
                }
                "floor" => {
                    let floors = inventory.index.floors_named(name).into_iter();
                    Some(floors.map(|at| inventory.floors()[at].id.clone()).collect())
                }
                _ => None,
            }
        };
        match value {
            Value::String(name) => match ids(name) {
                None => Ok(value.clone()),
                Some(ids) => ids
                    .into_iter()
                    .next()
                    .map(Value::String)
                    .ok_or_else(|| Failure::raised("IndexError", "list index out of range")),
            },
            Value::Array(names) => {
                let texts: Option<Vec<&str>> = names.iter().map(Value::as_str).collect();
                let resolved = texts.and_then(|texts| {
                    texts.into_iter().map(ids).collect::<Option<Vec<Vec<String>>>>()
                });
                Ok(resolved.map_or_else(|| value.clone(), |ids| json!(ids.concat())))
            }
            other => Ok(other.clone()),
        }
    }
}
