//! Messages as OpenAI's protocol writes them, which is how most files of transcripts do too.

use serde_json::Value;

use crate::{Arguments, AssistantMessage, CallOrigin, Message, ToolCall, ToolMessage};

impl Message {
    /// Reads one message in OpenAI's form, forgivingly: content may be text, parts or nothing,
    /// and arguments text or an object. `None` if it is no object with a known role.
    pub fn from_openai(sent: &Value) -> Option<Self> {
        let content = sent.get("content").map(text_of).unwrap_or_default();
        match sent.get("role")?.as_str()? {
            "system" | "developer" => Some(Self::System { content }),
            "user" => Some(Self::User { content }),
            "assistant" => {
                let calls = sent.get("tool_calls").and_then(Value::as_array);
                let calls = calls.into_iter().flatten().filter_map(ToolCall::from_openai);
                let reasoning = string(sent, "reasoning_content");
                let calls = calls.collect();
                let content = spoken(content, sent.get("refusal").and_then(Value::as_str));
                Some(Self::Assistant(AssistantMessage { content, reasoning, calls }))
            }
            "tool" | "function" => Some(Self::Tool(ToolMessage {
                call_id: string(sent, "tool_call_id").unwrap_or_default(),
                name: string(sent, "name").unwrap_or_default(),
                content,
                failed: false,
            })),
            _ => None,
        }
    }

    /// The message in OpenAI's form.
    pub fn to_openai(&self) -> Value {
        self.clone().into_openai(|arguments| arguments.to_openai())
    }

    /// The message in OpenAI's form, except that the arguments of its calls are objects as far as
    /// they can be read, so that nobody must read them again.
    pub fn into_openai_parsed(self) -> Value {
        self.into_openai(|arguments| match arguments {
            Arguments::Object(object) => Value::Object(object),
            malformed @ Arguments::Malformed { .. } => malformed.to_openai(),
        })
    }

    fn into_openai(self, arguments: impl Fn(Arguments) -> Value) -> Value {
        let said = |role: &str, content: String| {
            object([("role", role.into()), ("content", content.into())])
        };
        match self {
            Self::System { content } => said("system", content),
            Self::User { content } => said("user", content),
            Self::Assistant(message) if message.calls.is_empty() => {
                said("assistant", message.content)
            }
            Self::Assistant(message) => {
                // Servers refuse an empty text beside calls, and take none at all.
                let content = Some(message.content).filter(|content| !content.is_empty());
                let call = |call: ToolCall| {
                    let given = arguments(call.arguments);
                    written_call(call.id, call.name, given)
                };
                let calls: Vec<Value> = message.calls.into_iter().map(call).collect();
                object([
                    ("role", "assistant".into()),
                    ("content", content.into()),
                    ("tool_calls", calls.into()),
                ])
            }
            Self::Tool(answer) => object([
                ("role", "tool".into()),
                ("tool_call_id", answer.call_id.into()),
                ("name", answer.name.into()),
                ("content", answer.content.into()),
            ]),
        }
    }
}

/// An object of these members. Values move into it; `json!` would copy each of them.
fn object<const COUNT: usize>(members: [(&str, Value); COUNT]) -> Value {
    Value::Object(members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
}

impl Arguments {
    /// The arguments as the text that OpenAI's protocol has for them.
    fn to_openai(&self) -> Value {
        match self {
            Self::Object(object) => {
                serde_json::to_string(object).expect("an object can be written").into()
            }
            Self::Malformed { raw, .. } => raw.as_str().into(),
        }
    }
}

impl ToolCall {
    /// The call in OpenAI's form, with its arguments as text. What cannot be read stays as it is.
    pub fn to_openai(&self) -> Value {
        written_call(self.id.clone(), self.name.clone(), self.arguments.to_openai())
    }

    /// Reads one call in OpenAI's form; one without a name is malformed, and still a call. `None`
    /// if it is no object.
    pub fn from_openai(sent: &Value) -> Option<Self> {
        // Some files write the call without the object around name and arguments.
        let function = sent.as_object()?.get("function").unwrap_or(sent);
        let arguments = match function.get("arguments") {
            Some(Value::String(text)) => Arguments::from_text(text),
            Some(Value::Object(object)) => Arguments::Object(object.clone()),
            None | Some(Value::Null) => Arguments::from_text(""),
            Some(other) => Arguments::from_text(&other.to_string()),
        };
        Some(Self {
            id: string(sent, "id"),
            name: string(function, "name").unwrap_or_default(),
            arguments,
            origin: CallOrigin::Structured,
        })
    }
}

fn written_call(id: Option<String>, name: String, arguments: Value) -> Value {
    let function = object([("name", name.into()), ("arguments", arguments)]);
    object([("id", id.into()), ("type", "function".into()), ("function", function)])
}

/// What an assistant said: the text of its content, or the refusal that stands beside an empty one.
pub fn spoken(content: String, refusal: Option<&str>) -> String {
    match refusal {
        Some(refusal) if content.trim().is_empty() => refusal.to_owned(),
        _ => content,
    }
}

/// The text of a part of a content, which may be that of a refusal.
fn part_text(part: &Value) -> Option<&str> {
    part.get("text").or_else(|| part.get("refusal"))?.as_str()
}

/// The text of a content: a string, or the texts of a list of parts.
fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let texts = parts.iter().filter_map(part_text);
            texts.collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    }
}

fn string(object: &Value, key: &str) -> Option<String> {
    object.get(key).and_then(Value::as_str).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let call = json!({"id": "1", "type": "function", "function": {"name": "f", "arguments": "{\"a\":1}"}});
        let broken =
            json!({"id": "2", "type": "function", "function": {"name": "g", "arguments": "{"}});
        let messages = [
            json!({"role": "system", "content": "Be brief."}),
            json!({"role": "user", "content": "Go."}),
            json!({"role": "assistant", "content": null, "tool_calls": [call, broken]}),
            json!({"role": "tool", "tool_call_id": "1", "name": "f", "content": "done"}),
            json!({"role": "assistant", "content": "Done."}),
        ];
        for message in messages {
            assert_eq!(Message::from_openai(&message).unwrap().to_openai(), message);
        }
    }

    #[test]
    fn calls_are_read_whether_arguments_are_text_or_an_object() {
        let call =
            |arguments| json!({"id": "1", "function": {"name": "f", "arguments": arguments}});
        let text = ToolCall::from_openai(&call(json!("{\"a\":1}"))).unwrap();
        assert_eq!(ToolCall::from_openai(&call(json!({"a": 1}))).unwrap(), text);
        let list = ToolCall::from_openai(&call(json!([1]))).unwrap();
        assert!(list.arguments.as_object().is_none(), "a list is malformed, not absent");
        assert_eq!(ToolCall::from_openai(&json!({"function": {}})).unwrap().name, "");
        assert_eq!(ToolCall::from_openai(&json!("f")), None);
    }

    #[test]
    fn a_refusal_is_what_was_said() {
        let said = |message: &Value| match Message::from_openai(message) {
            Some(Message::Assistant(said)) => said.content,
            other => panic!("{other:?}"),
        };
        let refusal = "I can't help with that.";
        for message in [
            json!({"role": "assistant", "content": null, "refusal": refusal}),
            json!({"role": "assistant", "content": "", "refusal": refusal}),
            json!({"role": "assistant", "content": [{"type": "refusal", "refusal": refusal}]}),
        ] {
            assert_eq!(said(&message), refusal, "{message}");
        }
        let both = json!({"role": "assistant", "content": "Done.", "refusal": null});
        assert_eq!(said(&both), "Done.");
    }

    #[test]
    fn content_may_come_in_parts_or_not_at_all() {
        let said = |content| Message::from_openai(&json!({"role": "user", "content": content}));
        let parts = json!([{"type": "text", "text": "a"}, {"type": "image"}, {"text": "b"}]);
        assert_eq!(said(parts), Some(Message::user("a\nb")));
        assert_eq!(said(json!(null)), Some(Message::user("")));
        assert_eq!(Message::from_openai(&json!({"role": "robot"})), None);
    }
}
