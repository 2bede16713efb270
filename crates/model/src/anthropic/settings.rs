//! What is asked of a model behind an Anthropic-style endpoint.

use serde_json::{Map, Value};

use crate::connection::Connection;

/// The protocol asks for a limit on every answer; this one when no other is given.
const USUAL_MAX_TOKENS: u64 = 4096;

/// What is asked of which model, and how.
#[derive(Clone, Debug)]
pub struct AnthropicSettings {
    /// How the server is reached.
    pub connection: Connection,
    /// The name of the model.
    pub model: String,
    /// Whether the answer is asked for piece by piece, which shows when its first token came.
    pub stream: bool,
    /// The temperature of sampling.
    pub temperature: Option<f64>,
    /// The share of likely tokens that sampling chooses from.
    pub top_p: Option<f64>,
    /// The most tokens one answer may have.
    pub max_tokens: u64,
    /// Whether, or which, tool must be called, as an object: `{"type": "any"}`.
    pub tool_choice: Option<Value>,
    /// Any other fields of the body; they win over those above.
    pub extra: Map<String, Value>,
}

impl AnthropicSettings {
    /// A model on a server, with nothing else asked for.
    pub fn new(connection: Connection, model: impl Into<String>) -> Self {
        Self {
            connection,
            model: model.into(),
            stream: false,
            temperature: None,
            top_p: None,
            max_tokens: USUAL_MAX_TOKENS,
            tool_choice: None,
            extra: Map::new(),
        }
    }
}
