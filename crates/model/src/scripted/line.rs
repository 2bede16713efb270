//! One line of a script.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use toolgauge_core::{
    Arguments, AssistantMessage, CallOrigin, CaseId, FailureKind, StopReason, ToolCall,
    TrialFailure, Turn,
};

use super::error::ScriptError;
use crate::{Recording, openai};
use toolgauge_core::Reply;

/// What one line of a script answers, and how.
pub(super) struct ScriptEntry {
    pub(super) key: ConversationKey,
    pub(super) recording: Recording,
}

/// Which conversation a line answers.
pub(super) enum ConversationKey {
    /// That of a case, and of one trial only if its number is given.
    Trial(CaseId, Option<u32>),
    /// One that was asked this.
    Request(String),
    /// The next one.
    Next,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ScriptLine {
    id: Option<CaseId>,
    trial: Option<u32>,
    request: Option<String>,
    turns: Option<Vec<TurnLine>>,
    text: Option<String>,
    calls: Option<Vec<CallLine>>,
    response: Option<Box<RawValue>>,
    fail: Option<FailureKind>,
    message: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct TurnLine {
    text: Option<String>,
    calls: Option<Vec<CallLine>>,
    response: Option<Box<RawValue>>,
    fail: Option<FailureKind>,
    message: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CallLine {
    id: Option<String>,
    name: String,
    #[serde(default)]
    arguments: Value,
}

/// The entries of a script with the lines they begin on.
pub(super) fn entries(text: &str) -> Result<Vec<(usize, ScriptEntry)>, ScriptError> {
    let mut found = Vec::new();
    // A list of objects, which may go over several lines, or else one object a line.
    if text.trim_start().starts_with('[') {
        let items: Vec<&RawValue> =
            serde_json::from_str(text).map_err(|error| unreadable(error.line(), &error))?;
        let mut from = 0;
        for item in items {
            // Items come in the order of the text, so each is found behind the one before it.
            let at = from + text[from..].find(item.get()).unwrap_or(0);
            from = at + item.get().len();
            let line = text[..at].matches('\n').count() + 1;
            found.push((line, entry(item.get(), line)?));
        }
        return Ok(found);
    }
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        found.push((at + 1, entry(line, at + 1)?));
    }
    Ok(found)
}

fn entry(text: &str, first: usize) -> Result<ScriptEntry, ScriptError> {
    let line: ScriptLine = serde_json::from_str(text)
        .map_err(|error| unreadable(first + error.line().saturating_sub(1), &error))?;
    let key = match (line.id, line.request) {
        (Some(id), None) => ConversationKey::Trial(id, line.trial),
        (None, Some(request)) => ConversationKey::Request(request),
        (None, None) => ConversationKey::Next,
        (Some(_), Some(_)) => {
            let reason = "give `id` or `request`, not both".into();
            return Err(ScriptError::Unreadable { line: first, reason });
        }
    };
    let own = TurnLine {
        text: line.text,
        calls: line.calls,
        response: line.response,
        fail: line.fail,
        message: line.message,
    };
    let turns = match (line.turns, own.ways()) {
        (Some(turns), 0) => turns,
        (None, 1) => vec![own],
        _ => return Err(ScriptError::Undecided { line: first }),
    };
    Ok(ScriptEntry { key, recording: recording(turns, first)? })
}

fn recording(turns: Vec<TurnLine>, line: usize) -> Result<Recording, ScriptError> {
    let mut recording = Recording::default();
    for turn in turns {
        // Nothing comes after a failure.
        if turn.ways() != 1 || recording.failure.is_some() {
            return Err(ScriptError::Undecided { line });
        }
        match turn.fail {
            Some(kind) => {
                let message = turn.message.unwrap_or_else(|| format!("scripted: {}", kind.name()));
                recording.failure = Some(TrialFailure { kind, message });
            }
            None => recording.replies.push(turn.reply(line)?),
        }
    }
    Ok(recording)
}

impl TurnLine {
    /// In how many ways the line answers; it should be one.
    fn ways(&self) -> usize {
        usize::from(self.text.is_some() || self.calls.is_some())
            + usize::from(self.response.is_some())
            + usize::from(self.fail.is_some())
    }

    fn reply(self, line: usize) -> Result<Reply, ScriptError> {
        if let Some(response) = self.response {
            return openai::read_recorded(response.get().as_bytes())
                .map_err(|failure| ScriptError::Response { line, reason: failure.message });
        }
        let calls: Vec<ToolCall> =
            self.calls.unwrap_or_default().into_iter().map(CallLine::call).collect();
        let stop = if calls.is_empty() { StopReason::Stop } else { StopReason::ToolCalls };
        let content = self.text.unwrap_or_default();
        let message = AssistantMessage { content, reasoning: None, calls };
        Ok(Reply::new(message, Turn { stop, attempts: 1, ..Turn::default() }))
    }
}

impl CallLine {
    fn call(self) -> ToolCall {
        // A string stands for what a model wrote, so that malformed arguments can be scripted.
        let arguments = match self.arguments {
            Value::Null => Arguments::from_text(""),
            Value::String(text) => Arguments::from_text(&text),
            other => Arguments::from_text(&other.to_string()),
        };
        ToolCall { id: self.id, name: self.name, arguments, origin: CallOrigin::Structured }
    }
}

fn unreadable(line: usize, error: &serde_json::Error) -> ScriptError {
    // The position is given apart; serde_json's own counts from the start of the entry.
    let text = error.to_string();
    let reason = text.split(" at line ").next().unwrap_or(&text).to_owned();
    ScriptError::Unreadable { line, reason }
}
