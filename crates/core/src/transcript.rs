//! Everything said and called in a trial.

use serde::{Deserialize, Serialize};

use crate::{Background, Message, ToolCall, TrialFailure, Turn, Usage};

/// Everything that happened in one trial after the case was put to the subject.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Transcript {
    /// What was said after the case's own input: the subject's messages and the tools' answers.
    pub messages: Vec<Message>,
    /// One entry for each request that was answered, in order.
    #[serde(default)]
    pub turns: Vec<Turn>,
    /// Why the trial ended before the subject was done, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<TrialFailure>,
    /// What stood behind the answers, where that is known.
    #[serde(default, skip_serializing_if = "Background::is_empty")]
    pub background: Background,
}

impl Transcript {
    /// A transcript of one message, as a captured single turn leaves it.
    pub fn of(message: crate::AssistantMessage) -> Self {
        Self { messages: vec![Message::Assistant(message)], ..Self::default() }
    }

    /// Every call the subject made, in order.
    pub fn calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.messages.iter().flat_map(|message| match message {
            Message::Assistant(message) => message.calls.as_slice(),
            _ => &[],
        })
    }

    /// The text of the subject's last message; empty when it said nothing.
    pub fn final_text(&self) -> &str {
        let said = self.messages.iter().rev().find_map(|message| match message {
            Message::Assistant(message) => Some(message.content.as_str()),
            _ => None,
        });
        said.unwrap_or_default()
    }

    /// The tokens of all turns together.
    pub fn usage(&self) -> Usage {
        self.turns.iter().fold(Usage::default(), |sum, turn| sum.plus(turn.usage))
    }
}
