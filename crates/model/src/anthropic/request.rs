//! The body of an Anthropic-style request: the part that never changes, and the conversation.

use serde_json::{Map, Value, json};
use toolgauge_core::{Arguments, AssistantMessage, Message, Tool};

use super::settings::AnthropicSettings;
use super::thoughts::Thoughts;
use crate::openai::{call_id, spoken_text};
use toolgauge_core::Briefing;

/// Everything of a body up to the first message, written once.
pub(super) fn prefix(settings: &AnthropicSettings, briefing: &Briefing) -> Vec<u8> {
    let mut fields = Map::new();
    fields.insert("model".into(), settings.model.as_str().into());
    fields.insert("max_tokens".into(), settings.max_tokens.into());
    let options = [
        ("stream", settings.stream.then_some(Value::Bool(true))),
        ("temperature", settings.temperature.map(Value::from)),
        ("top_p", settings.top_p.map(Value::from)),
        ("system", briefing.system.as_deref().map(Value::from)),
    ];
    let options = options.into_iter().filter_map(|(name, value)| Some((name.into(), value?)));
    fields.extend(options);
    if !briefing.tools.is_empty() {
        fields.insert("tools".into(), briefing.tools.iter().map(tool).collect());
        if let Some(choice) = &settings.tool_choice {
            fields.insert("tool_choice".into(), choice.clone());
        }
    }
    fields.extend(settings.extra.clone());
    // The conversation is appended behind the prefix, and a second key would contradict it.
    fields.shift_remove("messages");
    let mut bytes = Value::Object(fields).to_string().into_bytes();
    // The closing bracket, which `body` writes behind the conversation.
    bytes.pop();
    bytes.extend_from_slice(b",\"messages\":");
    bytes
}

fn tool(tool: &Tool) -> Value {
    json!({
        "name": tool.name,
        "description": tool.description,
        "input_schema": tool.parameters,
    })
}

/// The whole body: the prefix and the conversation.
pub(super) fn body(
    prefix: &[u8],
    tools: &[Tool],
    conversation: &[Message],
    thoughts: &Thoughts,
) -> Vec<u8> {
    let mut messages: Vec<(&str, Vec<Value>)> = Vec::new();
    for (at, message) in conversation.iter().enumerate() {
        let (role, blocks) = match message {
            // The protocol knows no system messages inside a conversation.
            Message::System { content } | Message::User { content } => ("user", text(content)),
            Message::Assistant(message) => {
                let mut blocks = thoughts_before(message, thoughts);
                blocks.extend(content_blocks(message, &conversation[at + 1..], tools));
                ("assistant", blocks)
            }
            Message::Tool(answer) => {
                let block = json!({
                    "type": "tool_result",
                    "tool_use_id": answer.call_id,
                    "content": answer.content,
                    "is_error": answer.failed,
                });
                ("user", vec![block])
            }
        };
        // The answers to several calls must come in one message.
        match messages.last_mut() {
            Some((last, before)) if *last == role => before.extend(blocks),
            _ if blocks.is_empty() => {}
            _ => messages.push((role, blocks)),
        }
    }
    let message = |(role, blocks)| json!({"role": role, "content": Value::Array(blocks)});
    let messages: Value = messages.into_iter().map(message).collect();
    let mut bytes = prefix.to_vec();
    bytes.extend_from_slice(messages.to_string().as_bytes());
    bytes.push(b'}');
    bytes
}

/// A block of text; the protocol refuses empty ones.
fn text(content: &str) -> Vec<Value> {
    if content.trim().is_empty() {
        return Vec::new();
    }
    vec![json!({"type": "text", "text": content})]
}

/// The signed thinking that led to a message's calls.
fn thoughts_before(message: &AssistantMessage, thoughts: &Thoughts) -> Vec<Value> {
    let first = message.calls.first().and_then(|call| call.id.as_deref());
    first.map(|id| thoughts.before(id)).unwrap_or_default()
}

fn content_blocks(message: &AssistantMessage, answers: &[Message], tools: &[Tool]) -> Vec<Value> {
    let mut blocks = text(&spoken_text(message, tools));
    for (at, call) in message.calls.iter().enumerate() {
        let input = match &call.arguments {
            Arguments::Object(object) => Value::Object(object.clone()),
            // The protocol takes nothing but an object here, and would refuse the whole
            // conversation.
            Arguments::Malformed { .. } => json!({}),
        };
        let id = call_id(call, at, answers);
        blocks.push(json!({"type": "tool_use", "id": id, "name": call.name, "input": input}));
    }
    blocks
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use toolgauge_core::{ToolCall, ToolMessage};

    use super::*;
    use crate::{Connection, Endpoint};

    fn settings() -> AnthropicSettings {
        AnthropicSettings::new(Connection::to(Endpoint::parse("http://localhost:1").unwrap()), "m")
    }

    fn answer(id: &str, failed: bool) -> Message {
        Message::Tool(ToolMessage {
            call_id: id.into(),
            name: "f".into(),
            content: "ok".into(),
            failed,
        })
    }

    #[test]
    fn a_conversation_is_written_in_blocks() {
        let tool = Tool {
            name: "f".into(),
            description: "d".into(),
            parameters: json!({"type": "object"}),
        };
        let briefing = Briefing { system: Some("be kind".into()), tools: Arc::new([tool]) };
        let call = ToolCall { id: Some("a".into()), ..ToolCall::new("f", Map::new()) };
        let conversation = [
            Message::user("hi"),
            Message::Assistant(AssistantMessage {
                content: "sure".into(),
                calls: vec![call, ToolCall::new("f", Map::new())],
                ..AssistantMessage::default()
            }),
            answer("a", false),
            answer("b", true),
            Message::user("more"),
        ];
        let thoughts = Thoughts::default();
        let thought = json!({"type": "thinking", "thinking": "hm", "signature": "s"});
        thoughts.keep("a", vec![thought.clone()]);
        let prefix = prefix(&settings(), &briefing);
        let bytes = body(&prefix, &briefing.tools, &conversation, &thoughts);
        let body: Value = serde_json::from_slice(&bytes).unwrap();
        let result = |id: &str, failed: bool| json!({"type": "tool_result", "tool_use_id": id, "content": "ok", "is_error": failed});
        let expected = json!({
            "model": "m",
            "max_tokens": 4096,
            "system": "be kind",
            "tools": [{"name": "f", "description": "d", "input_schema": {"type": "object"}}],
            "messages": [
                {"role": "user", "content": [{"type": "text", "text": "hi"}]},
                {"role": "assistant", "content": [
                    thought,
                    {"type": "text", "text": "sure"},
                    {"type": "tool_use", "id": "a", "name": "f", "input": {}},
                    {"type": "tool_use", "id": "b", "name": "f", "input": {}},
                ]},
                {"role": "user", "content": [
                    result("a", false), result("b", true), {"type": "text", "text": "more"},
                ]},
            ],
        });
        assert_eq!(body, expected);
    }
}
