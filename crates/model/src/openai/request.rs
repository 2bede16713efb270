//! The body of an OpenAI-style request: the part that never changes, and the conversation.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::{Map, Value};
use toolgauge_core::{Arguments, AssistantMessage, CallOrigin, Message, Tool, ToolCall};

use super::settings::OpenAiSettings;
use crate::text_calls;
use toolgauge_core::Briefing;

/// Everything of a body up to the first message of the conversation, written once.
pub(crate) fn prefix(settings: &OpenAiSettings, briefing: &Briefing) -> Vec<u8> {
    let mut fields = options(settings);
    if !briefing.tools.is_empty() {
        fields.insert("tools".into(), briefing.tools.iter().map(tool).collect());
        if let Some(choice) = &settings.tool_choice {
            fields.insert("tool_choice".into(), choice.clone());
        }
        if let Some(parallel) = settings.parallel_tool_calls {
            fields.insert("parallel_tool_calls".into(), parallel.into());
        }
    }
    fields.extend(settings.extra.clone());
    // The conversation is appended behind the prefix, and a second key would contradict it.
    fields.shift_remove("messages");
    let mut bytes = json(&fields);
    bytes.pop();
    bytes.extend_from_slice(b",\"messages\":[");
    if let Some(system) = &briefing.system {
        bytes.extend_from_slice(&json(&OutgoingMessage { role: "system", content: system }));
    }
    bytes
}

fn options(settings: &OpenAiSettings) -> Map<String, Value> {
    let mut fields = Map::new();
    fields.insert("model".into(), settings.model.as_str().into());
    if settings.stream {
        fields.insert("stream".into(), true.into());
        // Without this a stream does not say how many tokens it took.
        fields.insert("stream_options".into(), serde_json::json!({"include_usage": true}));
    }
    let sampling = [
        ("temperature", settings.temperature.map(Value::from)),
        ("top_p", settings.top_p.map(Value::from)),
        ("max_tokens", settings.max_tokens.map(Value::from)),
    ];
    for (name, value) in sampling {
        if let Some(value) = value {
            fields.insert(name.into(), value);
        }
    }
    fields
}

/// A tool with its keys in the order in which Home Assistant sends them: a server that shows the
/// model the JSON as it came shows the same either way.
fn tool(tool: &Tool) -> Value {
    let mut function = Map::new();
    function.insert("name".into(), tool.name.as_str().into());
    function.insert("parameters".into(), tool.parameters.clone());
    if !tool.description.is_empty() {
        function.insert("description".into(), tool.description.as_str().into());
    }
    serde_json::json!({"type": "function", "function": function})
}

/// The whole body: the prefix, the conversation, the seed.
pub(crate) fn body(
    prefix: &[u8],
    tools: &[Tool],
    conversation: &[Message],
    seed: Option<u64>,
) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(prefix.len() + 256 * (conversation.len() + 1));
    bytes.extend_from_slice(prefix);
    for (at, message) in conversation.iter().enumerate() {
        // The prefix may end with the system message or with the bracket that opens the list.
        if bytes.last() != Some(&b'[') {
            bytes.push(b',');
        }
        let said = OutgoingTurn { message, answers: &conversation[at + 1..], tools };
        serde_json::to_writer(&mut bytes, &said).expect("messages are always valid JSON");
    }
    bytes.push(b']');
    if let Some(seed) = seed {
        bytes.extend_from_slice(format!(",\"seed\":{seed}").as_bytes());
    }
    bytes.push(b'}');
    bytes
}

fn json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("maps with text keys are always valid JSON")
}

#[derive(Serialize)]
struct OutgoingMessage<'a> {
    role: &'a str,
    content: &'a str,
}

/// A message on its way out, with what follows it.
struct OutgoingTurn<'a> {
    message: &'a Message,
    answers: &'a [Message],
    tools: &'a [Tool],
}

impl Serialize for OutgoingTurn<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.message {
            Message::System { content } => {
                OutgoingMessage { role: "system", content }.serialize(to)
            }
            Message::User { content } => OutgoingMessage { role: "user", content }.serialize(to),
            Message::Tool(answer) => {
                let mut map = to.serialize_map(Some(3))?;
                map.serialize_entry("role", "tool")?;
                map.serialize_entry("tool_call_id", &answer.call_id)?;
                map.serialize_entry("content", &answer.content)?;
                map.end()
            }
            Message::Assistant(message) => {
                let mut map = to.serialize_map(None)?;
                map.serialize_entry("role", "assistant")?;
                map.serialize_entry("content", &spoken_text(message, self.tools))?;
                if !message.calls.is_empty() {
                    map.serialize_entry("tool_calls", &self.calls(message))?;
                }
                map.end()
            }
        }
    }
}

/// The text of a message. Calls that stood in it are sent in the field for calls, from which the
/// model's own template writes them again, so they are taken out of the text.
pub(crate) fn spoken_text(message: &AssistantMessage, tools: &[Tool]) -> String {
    if message.calls.iter().any(|call| call.origin == CallOrigin::Text) {
        return text_calls::without_calls(&message.content, tools);
    }
    message.content.clone()
}

impl OutgoingTurn<'_> {
    fn calls(&self, message: &AssistantMessage) -> Vec<Value> {
        let call = |(at, call): (usize, &ToolCall)| {
            let id = call_id(call, at, self.answers);
            let function = serde_json::json!({
                "name": call.name,
                "arguments": arguments_text(&call.arguments),
            });
            serde_json::json!({"id": id, "type": "function", "function": function})
        };
        message.calls.iter().enumerate().map(call).collect()
    }
}

/// The identifier of a call; one that came without is known by the answer to it.
pub(crate) fn call_id(call: &ToolCall, at: usize, answers: &[Message]) -> String {
    let answer = || match answers.get(at) {
        Some(Message::Tool(answer)) => Some(answer.call_id.clone()),
        _ => None,
    };
    call.id.clone().or_else(answer).unwrap_or_else(|| format!("call_{at}"))
}

/// Arguments as the protocol wants them. Malformed ones go out as none at all: llama.cpp refuses
/// a conversation in which a call's arguments do not parse, and the tool's answer says what was
/// wrong with them.
fn arguments_text(arguments: &Arguments) -> String {
    match arguments {
        Arguments::Object(object) => {
            serde_json::to_string(object).expect("maps with text keys are always valid JSON")
        }
        Arguments::Malformed { .. } => "{}".into(),
    }
}
