//! What is asked of a model behind an OpenAI-style endpoint.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::connection::Connection;
use crate::prompt_slots::PromptSlots;

/// What is asked of which model, and how.
#[derive(Clone, Debug)]
pub struct OpenAiSettings {
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
    pub max_tokens: Option<u64>,
    /// The seed of sampling, for requests that bring none of their own.
    pub seed: Option<u64>,
    /// Whether, or which, tool must be called: `"auto"`, `"required"`, `"none"`, or an object.
    pub tool_choice: Option<Value>,
    /// Whether several calls may be made in one answer.
    pub parallel_tool_calls: Option<bool>,
    /// Any other fields of the body; they win over those above.
    pub extra: Map<String, Value>,
    /// The slots of the server, shared by all who ask it.
    pub slots: Arc<PromptSlots>,
}

impl OpenAiSettings {
    /// A model on a server, with nothing else asked for.
    pub fn new(connection: Connection, model: impl Into<String>) -> Self {
        Self {
            connection,
            model: model.into(),
            stream: false,
            temperature: None,
            top_p: None,
            max_tokens: None,
            seed: None,
            tool_choice: None,
            parallel_tool_calls: None,
            extra: Map::new(),
            slots: Arc::default(),
        }
    }
}
