//! How the conversation before a case's sentence is written.
//!
//! The short form names the speaker: `user: …`, `assistant: …`, or `call: …` with its `reply`.
//! Messages as chat completions have them (`role`, `content`, `tool_calls`) are read as well.

use serde_json::{Map, Value};
use toolgauge_core::{Arguments, AssistantMessage, Message, ToolCall, ToolMessage};

use crate::fields::{FieldNames, ObjectFields};
use crate::trail::{SuiteFindings, Trail};

pub(crate) static SHORT_MESSAGE: FieldNames = FieldNames {
    noun: "a message",
    fields: &["user", "assistant", "system", "call", "reply"],
    synonyms: &[("tool", "call"), ("result", "reply")],
};

pub(crate) static MADE_CALL: FieldNames = FieldNames {
    noun: "a call",
    fields: &["tool", "arguments"],
    synonyms: &[("name", "tool"), ("args", "arguments"), ("parameters", "arguments")],
};

static WIRE_MESSAGE: FieldNames = FieldNames {
    noun: "a message",
    fields: &["role", "content", "tool_calls", "tool_call_id", "name"],
    synonyms: &[],
};

static WIRE_CALL: FieldNames =
    FieldNames { noun: "a tool call", fields: &["id", "type", "function"], synonyms: &[] };

static WIRE_FUNCTION: FieldNames =
    FieldNames { noun: "a tool call's function", fields: &["name", "arguments"], synonyms: &[] };

/// Reads the messages of a conversation.
pub(crate) fn read_conversation(
    items: Vec<Value>,
    trail: &Trail<'_>,
    findings: &SuiteFindings,
) -> Vec<Message> {
    let mut messages = Vec::with_capacity(items.len() + 1);
    for (index, item) in items.into_iter().enumerate() {
        let trail = trail.index(index);
        if item.get("role").is_some() {
            messages.extend(read_wire_message(item, &trail, findings, &messages));
        } else {
            read_short_message(item, &trail, findings, &mut messages);
        }
    }
    messages
}

fn read_short_message(
    item: Value,
    trail: &Trail<'_>,
    findings: &SuiteFindings,
    messages: &mut Vec<Message>,
) {
    let Some(mut fields) = ObjectFields::open(item, &SHORT_MESSAGE, trail, findings) else {
        return;
    };
    let speakers = ["user", "assistant", "system", "call"];
    if speakers.iter().filter(|key| fields.has(key)).count() != 1 {
        let hint = "write `user: …`, `assistant: …`, or `call: …` with its `reply`".to_owned();
        findings.error_with(trail, "a message has exactly one speaker", hint);
        return;
    }
    if fields.has("reply") && !fields.has("call") {
        findings.error(&trail.key("reply"), "a `reply` belongs to a `call`");
    }
    if let Some(call) = fields.take("call") {
        let reply = fields.take("reply").map_or_else(String::new, |reply| match reply {
            Value::String(text) => text,
            other => other.to_string(),
        });
        if let Some(call) = read_made_call(call, &trail.key("call"), findings, messages.len()) {
            messages.extend(call.answered(reply));
        }
    } else if let Some(content) = fields.text("user") {
        messages.push(Message::User { content });
    } else if let Some(content) = fields.text("system") {
        messages.push(Message::System { content });
    } else if let Some(content) = fields.text("assistant") {
        messages.push(Message::Assistant(AssistantMessage { content, ..Default::default() }));
    }
}

/// A call that was made, and its identifier.
struct MadeCall {
    name: String,
    arguments: Map<String, Value>,
    id: String,
}

impl MadeCall {
    /// The call and what the tool answered, as two messages.
    fn answered(self, reply: String) -> [Message; 2] {
        let mut call = ToolCall::new(self.name.clone(), self.arguments);
        call.id = Some(self.id.clone());
        let message = AssistantMessage { calls: vec![call], ..Default::default() };
        let answer =
            ToolMessage { call_id: self.id, name: self.name, content: reply, failed: false };
        [Message::Assistant(message), Message::Tool(answer)]
    }
}

fn read_made_call(
    call: Value,
    trail: &Trail<'_>,
    findings: &SuiteFindings,
    position: usize,
) -> Option<MadeCall> {
    let mut fields = ObjectFields::open(call, &MADE_CALL, trail, findings)?;
    let name = fields.required_text("tool", "a call names its tool")?;
    let arguments = fields.object("arguments").unwrap_or_default();
    Some(MadeCall { name, arguments, id: format!("call_{}", position + 1) })
}

fn read_wire_message(
    item: Value,
    trail: &Trail<'_>,
    findings: &SuiteFindings,
    before: &[Message],
) -> Option<Message> {
    let mut fields = ObjectFields::open(item, &WIRE_MESSAGE, trail, findings)?;
    let role = fields.text("role")?;
    let content = fields.text("content").unwrap_or_default();
    match role.as_str() {
        "system" | "developer" => Some(Message::System { content }),
        "user" => Some(Message::User { content }),
        "assistant" => {
            let items = fields.list("tool_calls").unwrap_or_default();
            let here = trail.key("tool_calls");
            let calls = items.into_iter().enumerate();
            let calls = calls
                .filter_map(|(index, call)| read_wire_call(call, &here.index(index), findings))
                .collect();
            Some(Message::Assistant(AssistantMessage { content, reasoning: None, calls }))
        }
        "tool" => {
            let call_id = fields.required_text("tool_call_id", "a reply names its call")?;
            // The protocol leaves the name out of a reply; the call before it has it.
            let name = fields.text("name").or_else(|| called_name(before, &call_id));
            let name = name.unwrap_or_default();
            Some(Message::Tool(ToolMessage { call_id, name, content, failed: false }))
        }
        other => {
            let hint = "it takes `system`, `user`, `assistant`, `tool`".to_owned();
            findings.error_with(&trail.key("role"), format!("unknown role `{other}`"), hint);
            None
        }
    }
}

fn read_wire_call(call: Value, trail: &Trail<'_>, findings: &SuiteFindings) -> Option<ToolCall> {
    let mut fields = ObjectFields::open(call, &WIRE_CALL, trail, findings)?;
    let id = fields.text("id");
    let Some(function) = fields.take("function") else {
        fields.missing("function", "a tool call holds a function with `name` and `arguments`");
        return None;
    };
    let here = trail.key("function");
    let mut fields = ObjectFields::open(function, &WIRE_FUNCTION, &here, findings)?;
    let name = fields.required_text("name", "a call names its tool")?;
    let arguments = match fields.take("arguments") {
        None => Arguments::from_text(""),
        Some(Value::String(text)) => Arguments::from_text(&text),
        Some(Value::Object(object)) => Arguments::Object(object),
        Some(other) => Arguments::from_text(&other.to_string()),
    };
    if let Arguments::Malformed { why, .. } = &arguments {
        findings.error(&here.key("arguments"), format!("these arguments are {why}"));
    }
    Some(ToolCall { id, arguments, ..ToolCall::new(name, Map::new()) })
}

/// The tool that an earlier call with this identifier named.
fn called_name(before: &[Message], call_id: &str) -> Option<String> {
    before.iter().rev().find_map(|message| match message {
        Message::Assistant(message) => {
            let call = message.calls.iter().find(|call| call.id.as_deref() == Some(call_id))?;
            Some(call.name.clone())
        }
        _ => None,
    })
}
