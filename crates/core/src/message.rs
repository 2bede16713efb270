//! What is said in a conversation, by whom.

use serde::{Deserialize, Serialize};

use crate::ToolCall;

/// One message of a conversation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "role", rename_all = "snake_case")]
pub enum Message {
    /// What the subject is told before the conversation starts.
    System {
        /// The text.
        content: String,
    },
    /// What a person says.
    User {
        /// The text.
        content: String,
    },
    /// What the subject says and calls.
    Assistant(AssistantMessage),
    /// What a tool answered.
    Tool(ToolMessage),
}

impl Message {
    /// A message from a person.
    pub fn user(content: impl Into<String>) -> Self {
        Self::User { content: content.into() }
    }

    /// Instructions to the subject.
    pub fn system(content: impl Into<String>) -> Self {
        Self::System { content: content.into() }
    }
}

/// What the subject says and calls in one message.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AssistantMessage {
    /// The text; empty when the message holds calls alone.
    #[serde(default)]
    pub content: String,
    /// The thinking a server reports apart from the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
    /// The calls, in the order they were made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<ToolCall>,
}

/// What a tool answered to one call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolMessage {
    /// The identifier of the call that is answered.
    pub call_id: String,
    /// The tool's name.
    pub name: String,
    /// The answer, as the subject sees it.
    pub content: String,
    /// Whether the tool refused or failed.
    #[serde(default)]
    pub failed: bool,
}
