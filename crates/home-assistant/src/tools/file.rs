//! Tools that a suite brings along in a file.

use serde::Deserialize;
use serde_json::Value;
use toolgauge_core::Tool;

/// Why a file holds no tools.
#[derive(Debug, thiserror::Error)]
pub enum ToolsError {
    /// It is not JSON.
    #[error("not JSON: {0}")]
    NotJson(#[source] serde_json::Error),
    /// It is something else than a list of tools.
    #[error("tool {position} is not a tool: {source}")]
    NotATool {
        /// Which one, from 1.
        position: usize,
        /// What is wrong with it.
        source: serde_json::Error,
    },
}

/// Reads a list of tools: each with a name, a description and parameters, or wrapped as in a
/// request (`{"type": "function", "function": {…}}`).
pub fn tools_from_json(text: &str) -> Result<Vec<Tool>, ToolsError> {
    let entries: Vec<Value> = serde_json::from_str(text).map_err(ToolsError::NotJson)?;
    let tool = |(at, entry): (usize, Value)| {
        let function = match entry {
            Value::Object(mut wrapped) if wrapped.contains_key("function") => {
                wrapped.remove("function").unwrap_or_default()
            }
            bare => bare,
        };
        Tool::deserialize(function)
            .map_err(|source| ToolsError::NotATool { position: at + 1, source })
    };
    entries.into_iter().enumerate().map(tool).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapped_and_bare_tools_are_read() {
        let text = r#"[{"type":"function","function":{"name":"a"}},{"name":"b"}]"#;
        let names: Vec<String> =
            tools_from_json(text).unwrap().into_iter().map(|tool| tool.name).collect();
        assert_eq!(names, ["a", "b"]);
    }

    #[test]
    fn what_is_no_tool_is_named_by_its_place() {
        let error = tools_from_json(r#"[{"name":"a"},{"title":"b"}]"#).unwrap_err();
        assert!(error.to_string().starts_with("tool 2 is not a tool"), "{error}");
    }
}
