//! What came back from one question.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::chat_log::ChatLog;

/// What came back from one question, and when.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Processed {
    pub(crate) response: Response,
    /// When the first word was said and when the last call was done, where a pipeline told.
    #[serde(skip)]
    pub(crate) first_word: Option<Duration>,
    #[serde(skip)]
    pub(crate) last_act: Option<Duration>,
    /// What was said and called, where a pipeline told.
    #[serde(skip)]
    pub(crate) chat_log: Option<ChatLog>,
}

#[derive(Debug, Default, Deserialize)]
pub(crate) struct Response {
    #[serde(default)]
    speech: Value,
    #[serde(default)]
    response_type: String,
}

impl Response {
    /// The response to a turn that broke off for this reason.
    pub(crate) fn broken(why: &str) -> Self {
        let speech = json!({"plain": {"speech": why}});
        Self { speech, response_type: "error".to_owned() }
    }
}

impl Processed {
    /// What was said.
    pub(crate) fn speech(&self) -> String {
        let text = self.response.speech.pointer("/plain/speech").and_then(Value::as_str);
        text.unwrap_or_default().to_owned()
    }

    /// Whether the turn broke off. Nothing else can be told by the type: it is `action_done` even
    /// when nothing was done.
    pub(crate) fn is_broken(&self) -> bool {
        self.response.response_type == "error"
    }
}
