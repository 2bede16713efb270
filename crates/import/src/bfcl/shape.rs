//! What the answers of a model look like as a whole, which no single one of them tells.

use std::path::Path;

use serde_json::Value;

use super::Edition;
use super::data::QuestionData;
use super::files::ResultFile;
use crate::ImportError;
use crate::json_lines::JsonLines;

/// What the answers of a model have in common.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct AnswerShape {
    /// Some are lists of calls, so that a text is an answer without calls.
    pub(super) has_calls: bool,
    /// Some called function is named with a dot, so that the model was told names as they are. A
    /// dot in a name that no function has says nothing: broken answers have any.
    pub(super) has_dots: bool,
    /// Some are lists of something else, which only BFCL's code for this model reads.
    pub(super) is_odd: bool,
}

impl AnswerShape {
    /// Looks at every answer of a run.
    pub(super) fn of(files: &[ResultFile], data: Option<&Path>) -> Result<Self, ImportError> {
        let mut shape = Self::default();
        for file in files {
            let mut dotted: Vec<(String, String)> = Vec::new();
            for line in JsonLines::open_members(&file.path, &["id", "result"])? {
                let (_, entry) = line?;
                let id = entry.get("id").and_then(Value::as_str).unwrap_or_default();
                let mut note = |name: &str| dotted.push((id.to_owned(), name.to_owned()));
                shape.add(entry.get("result").unwrap_or(&Value::Null), &mut note);
            }
            // Most runs have no such name, and the questions need not be read for it.
            if !shape.has_dots && !dotted.is_empty() {
                let data = QuestionData::read(data, file)?;
                for (id, name) in &dotted {
                    shape.has_dots |= data.has_function(id, name)?;
                }
            }
        }
        Ok(shape)
    }

    /// Looks at one answer, and tells the names in it that have a dot.
    fn add(&mut self, result: &Value, dotted: &mut dyn FnMut(&str)) {
        let Value::Array(items) = result else { return };
        for item in items {
            match item {
                Value::Object(call) => {
                    self.has_calls = true;
                    if let Some(name) = call.keys().next().filter(|name| name.contains('.')) {
                        dotted(name);
                    }
                    self.is_odd |= !call.values().all(Value::is_string);
                }
                // The turns of a dialogue.
                Value::Array(_) => self.add(item, dotted),
                _ => self.is_odd = true,
            }
        }
        self.has_calls |= items.is_empty();
    }

    /// Why verdicts on these answers cannot be computed, if so.
    pub(super) fn obstacle(self, edition: Edition, result: &Value) -> Option<String> {
        let has_objects = |result: &Value| {
            result.as_array().into_iter().flatten().any(|item| {
                item.as_object().is_some_and(|call| !call.values().all(Value::is_string))
            })
        };
        if (edition == Edition::V1 && self.is_odd) || has_objects(result) {
            return Some("the answers of this model are read by code of its own in BFCL".into());
        }
        (!self.has_calls && result.is_string())
            .then(|| "the model writes its calls as text, and how is not stated".into())
    }
}
