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

fn no_parameters() -> Value {
    serde_json::json!({"type": "object", "properties": {}})
}
