//! Requests as Home Assistant's `llama_cpp` integration sends them.

use serde_json::{Map, Value, json};
use toolgauge_core::{Arguments, Message, Tool, ToolCall};

/// What a request says beside the conversation and the tools.
#[derive(Clone, Debug, PartialEq)]
pub struct RequestSettings {
    /// The model's name.
    pub model: String,
    /// The conversation's id.
    pub user: String,
    /// The most tokens to generate.
    pub max_tokens: u32,
    /// The sampling temperature.
    pub temperature: f64,
    /// The share of probability that is sampled from.
    pub top_p: f64,
    /// Whether the reply is streamed.
    pub stream: bool,
}

impl RequestSettings {
    /// The integration's defaults for a model and a conversation.
    pub fn new(model: impl Into<String>, user: impl Into<String>) -> Self {
        Self {
            model: model.into(),
            user: user.into(),
            max_tokens: 3000,
            temperature: 0.7,
            top_p: 1.0,
            stream: false,
        }
    }
}

/// The body of a chat completion request, keys in the order they go over the wire.
pub fn request_body(
    system: &str,
    conversation: &[Message],
    tools: &[Tool],
    settings: &RequestSettings,
) -> Value {
    let mut messages = vec![json!({"role": "system", "content": system})];
    messages.extend(conversation.iter().map(message));
    json!({
        "messages": messages,
        "model": settings.model,
        "max_tokens": settings.max_tokens,
        "stream": settings.stream,
        "temperature": settings.temperature,
        "tools": tools.iter().map(tool).collect::<Vec<_>>(),
        "top_p": settings.top_p,
        "user": settings.user,
    })
}

/// A tool as it is sent: parameters before the description.
fn tool(tool: &Tool) -> Value {
    let mut function = Map::new();
    function.insert("name".to_owned(), json!(tool.name));
    function.insert("parameters".to_owned(), tool.parameters.clone());
    if !tool.description.is_empty() {
        function.insert("description".to_owned(), json!(tool.description));
    }
    json!({"type": "function", "function": function})
}

fn message(message: &Message) -> Value {
    match message {
        Message::System { content } => json!({"role": "system", "content": content}),
        Message::User { content } => json!({"role": "user", "content": content}),
        Message::Assistant(said) if said.calls.is_empty() => {
            json!({"role": "assistant", "content": said.content})
        }
        Message::Assistant(said) => {
            let content = (!said.content.is_empty()).then_some(&said.content);
            let calls: Vec<Value> = said.calls.iter().map(call).collect();
            json!({"role": "assistant", "content": content, "tool_calls": calls})
        }
        Message::Tool(answer) => {
            json!({"role": "tool", "tool_call_id": answer.call_id, "content": answer.content})
        }
    }
}

/// A call as it is repeated to the model: its arguments written anew, without spaces.
fn call(call: &ToolCall) -> Value {
    let arguments = match &call.arguments {
        Arguments::Object(arguments) => Value::Object(arguments.clone()).to_string(),
        Arguments::Malformed { raw, .. } => raw.clone(),
    };
    json!({
        "type": "function",
        "id": call.id,
        "function": {"arguments": arguments, "name": call.name},
    })
}
