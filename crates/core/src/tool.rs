//! A tool as it is offered to a subject.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A tool a subject may call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tool {
    /// The name it is called by.
    pub name: String,
    /// What the subject is told about it.
    #[serde(default)]
    pub description: String,
    /// The JSON Schema of its arguments.
    #[serde(default = "no_parameters")]
    pub parameters: Value,
}

impl Tool {
    /// About how many tokens a list of tools takes in a request: no server counts them apart.
    pub fn definition_tokens(tools: &[Self]) -> u64 {
        estimated_tokens(serde_json::to_string(tools).map_or(0, |text| text.len()))
    }
}

/// About how many tokens a text of so many bytes has, at four bytes a token. Each model counts in
/// its own way; this needs none.
pub fn estimated_tokens(bytes: usize) -> u64 {
    u64::try_from(bytes.div_ceil(4)).unwrap_or(u64::MAX)
}

fn no_parameters() -> Value {
    serde_json::json!({"type": "object", "properties": {}})
}
