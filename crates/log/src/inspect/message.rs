//! Messages, as Inspect tells them and back.

use std::borrow::Cow;
use std::fmt::{self, Write};

use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use toolgauge_core::{
    Arguments, AssistantMessage, Malformation, Message, Run, ToolCall, ToolMessage,
};

use super::lenient::{LentName, LentText};
use super::wording::model_name;
use crate::message_record::is_plain_object;
use crate::{AnswerRecord, AssistantRecord, CallRecord, MessageRecord, TrialRecord};

/// A message on its way out.
#[derive(Clone, Copy)]
pub(crate) struct ChatMessage<'a> {
    pub(crate) message: &'a Message,
    /// The name of the sample and the message's place in it, which make its identifier.
    pub(crate) id: (&'a str, usize),
    /// Inspect's name of the subject.
    pub(crate) model: &'a str,
}

impl Serialize for ChatMessage<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        let (sample, place) = self.id;
        map.serialize_entry("id", &Joined(sample, 'm', place))?;
        match self.message {
            Message::System { content } => {
                map.serialize_entry("role", "system")?;
                map.serialize_entry("content", content)?;
            }
            Message::User { content } => {
                map.serialize_entry("role", "user")?;
                map.serialize_entry("content", content)?;
            }
            Message::Assistant(message) => {
                map.serialize_entry("role", "assistant")?;
                write_assistant(message, self.model, &mut map)?;
            }
            Message::Tool(message) => {
                map.serialize_entry("role", "tool")?;
                map.serialize_entry("content", &message.content)?;
                map.serialize_entry("tool_call_id", &message.call_id)?;
                map.serialize_entry("function", &message.name)?;
                if message.failed {
                    map.serialize_entry("error", &ToolCallError::of(message))?;
                }
            }
        }
        map.end()
    }
}

/// The conversation of a trial as JSON: a list of messages in Inspect AI's form. The prompt of the
/// run comes first, then the input of the case, then what was said.
///
/// # Panics
///
/// Never: messages are plain data.
pub fn inspect_messages(run: &Run, trial: &TrialRecord<'_>) -> String {
    let system = run.system_prompt.as_ref().map(Message::system);
    let said = trial.input.iter().chain(&trial.messages).map(Message::from);
    let messages = system.into_iter().chain(said);
    let sample = format!("{}-{}-{}", run.id, trial.case, trial.number);
    let model = model_name(&run.subject);
    let messages = messages.enumerate().map(|(place, message)| {
        let id = (sample.as_str(), place);
        serde_json::to_string(&ChatMessage { message: &message, id, model: &model })
            .expect("a message is plain data")
    });
    format!("[{}]", messages.collect::<Vec<_>>().join(","))
}

/// The subject's message in an output, where Inspect gives it no identifier of its own.
pub(crate) struct OutputMessage<'a> {
    pub(crate) message: &'a AssistantMessage,
    pub(crate) model: &'a str,
}

impl Serialize for OutputMessage<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("role", "assistant")?;
        write_assistant(self.message, self.model, &mut map)?;
        map.end()
    }
}

fn write_assistant<M: SerializeMap>(
    message: &AssistantMessage,
    model: &str,
    map: &mut M,
) -> Result<(), M::Error> {
    match &message.reasoning {
        Some(reasoning) => {
            map.serialize_entry("content", &Thought { reasoning, text: &message.content })?;
        }
        None => map.serialize_entry("content", &message.content)?,
    }
    map.serialize_entry("source", "generate")?;
    map.serialize_entry("model", model)?;
    if !message.calls.is_empty() {
        map.serialize_entry("tool_calls", &CallList(&message.calls))?;
        // Written twice only where Inspect's form loses something.
        if !message.calls.iter().all(is_plain) {
            let extras = MessageExtras { calls: &message.calls };
            map.serialize_entry("metadata", &Extras { toolgauge: extras })?;
        }
    }
    Ok(())
}

/// Whether Inspect's form of a call says all there is to say about it.
fn is_plain(call: &ToolCall) -> bool {
    let named = call.id.as_ref().is_some_and(|id| !id.is_empty());
    named && call.arguments.as_object().is_some() && call.origin.is_structured()
}

/// A name made of a sample's, a letter and a number.
pub(crate) struct Joined<'a>(pub(crate) &'a str, pub(crate) char, pub(crate) usize);

impl Serialize for Joined<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut name = String::with_capacity(self.0.len() + 8);
        name.extend([self.0, "-"]);
        name.push(self.1);
        // Pieces that go through a formatter one by one are escaped one by one.
        write!(name, "{}", self.2).expect("a string takes all that is written");
        to.serialize_str(&name)
    }
}

struct Thought<'a> {
    reasoning: &'a str,
    text: &'a str,
}

impl Serialize for Thought<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        #[serde(tag = "type", rename_all = "snake_case")]
        enum Part<'a> {
            Reasoning { reasoning: &'a str },
            Text { text: &'a str },
        }
        let mut parts = to.serialize_seq(Some(2))?;
        parts.serialize_element(&Part::Reasoning { reasoning: self.reasoning })?;
        parts.serialize_element(&Part::Text { text: self.text })?;
        parts.end()
    }
}

struct CallList<'a>(&'a [ToolCall]);

impl Serialize for CallList<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.0.iter().enumerate().map(|(place, call)| ToolCallOut { call, place }))
    }
}

/// A call on its way out; its place stands in for an identifier it does not have.
pub(crate) struct ToolCallOut<'a> {
    pub(crate) call: &'a ToolCall,
    pub(crate) place: usize,
}

impl Serialize for ToolCallOut<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        match &self.call.id {
            Some(id) => map.serialize_entry("id", id)?,
            None => map.serialize_entry("id", &Joined("unnamed", 'c', self.place))?,
        }
        map.serialize_entry("function", &self.call.name)?;
        match &self.call.arguments {
            Arguments::Object(object) => map.serialize_entry("arguments", object)?,
            Arguments::Malformed { raw, why } => {
                // Inspect refuses arguments that are no object, so the text goes into the error.
                map.serialize_entry("arguments", &Map::new())?;
                map.serialize_entry("parse_error", &format_args!("{why}: {raw}"))?;
            }
        }
        map.serialize_entry("type", "function")?;
        map.end()
    }
}

/// Inspect's word for a tool that failed.
#[derive(Serialize)]
pub(crate) struct ToolCallError<'a> {
    r#type: &'static str,
    message: &'a str,
}

impl<'a> ToolCallError<'a> {
    pub(crate) fn of(message: &'a ToolMessage) -> Self {
        Self { r#type: "unknown", message: crate::summary::shortened(&message.content) }
    }
}

#[derive(Serialize)]
struct Extras<'a> {
    toolgauge: MessageExtras<'a>,
}

/// What Inspect's form of a message cannot hold: calls without identifier, malformed calls, and
/// calls found in the text.
#[derive(Serialize)]
struct MessageExtras<'a> {
    calls: &'a [ToolCall],
}

/// A message as read.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct ChatMessageRecord<'a> {
    #[serde(default, borrow)]
    role: Cow<'a, str>,
    #[serde(default, borrow)]
    content: MessageContent<'a>,
    #[serde(default, borrow)]
    tool_calls: Option<Vec<ToolCallRecord<'a>>>,
    #[serde(default, borrow)]
    tool_call_id: Option<LentText<'a>>,
    #[serde(default, borrow)]
    function: Option<LentName<'a>>,
    #[serde(default)]
    error: Option<serde::de::IgnoredAny>,
    #[serde(default)]
    metadata: Option<MessageMetadataRecord>,
}

#[derive(Clone, Debug, Default, Deserialize)]
struct MessageMetadataRecord {
    #[serde(default)]
    toolgauge: Option<MessageExtrasRecord>,
}

#[derive(Clone, Debug, Default, Deserialize)]
struct MessageExtrasRecord {
    #[serde(default)]
    calls: Vec<ToolCall>,
}

#[derive(Clone, Debug, Default, Deserialize)]
struct ToolCallRecord<'a> {
    #[serde(default, borrow)]
    id: Option<LentText<'a>>,
    #[serde(default, borrow)]
    function: Cow<'a, str>,
    /// Left as text, since a message that tells its calls exactly does not need them.
    #[serde(default, borrow)]
    arguments: Option<&'a RawValue>,
    #[serde(default)]
    parse_error: Option<String>,
}

/// What a message says: a text, or parts of which the text and the reasoning are kept.
#[derive(Clone, Debug, Default)]
struct MessageContent<'a> {
    text: Cow<'a, str>,
    reasoning: Option<Cow<'a, str>>,
}

impl<'a> ChatMessageRecord<'a> {
    /// What a person says.
    pub(crate) fn user(text: Cow<'a, str>) -> Self {
        let content = MessageContent { text, reasoning: None };
        Self { role: "user".into(), content, ..Self::default() }
    }

    /// The message as the subject's, whatever role it claims.
    pub(crate) fn by_subject(self) -> Self {
        Self { role: "assistant".into(), ..self }
    }

    /// The message, with its texts borrowed.
    pub(crate) fn into_record(self) -> MessageRecord<'a> {
        let content = self.content.text;
        match &*self.role {
            "user" => MessageRecord::User { content },
            "tool" => MessageRecord::Tool(AnswerRecord {
                call_id: self.tool_call_id.unwrap_or_default().0,
                name: self.function.unwrap_or_default().0,
                content,
                failed: self.error.is_some(),
            }),
            "assistant" => {
                let exact = self.metadata.and_then(|metadata| metadata.toolgauge);
                let calls = if let Some(exact) = exact {
                    exact.calls.into_iter().map(CallRecord::from).collect()
                } else {
                    let calls = self.tool_calls.unwrap_or_default();
                    calls.into_iter().map(ToolCallRecord::into_record).collect()
                };
                let reasoning = self.content.reasoning;
                MessageRecord::Assistant(AssistantRecord { content, reasoning, calls })
            }
            _ => MessageRecord::System { content },
        }
    }

    /// The message, with `resolve` applied to its texts.
    pub(crate) fn into_message(self, resolve: impl Fn(String) -> String) -> Message {
        let content = resolve(self.content.text.into_owned());
        match &*self.role {
            "user" => Message::User { content },
            "tool" => Message::Tool(ToolMessage {
                call_id: self.tool_call_id.unwrap_or_default().0.into_owned(),
                name: self.function.unwrap_or_default().0.into_owned(),
                content,
                failed: self.error.is_some(),
            }),
            "assistant" => {
                // What toolgauge wrote beside Inspect's form is complete, so it wins.
                let exact = self.metadata.and_then(|metadata| metadata.toolgauge);
                let calls = if let Some(exact) = exact {
                    exact.calls
                } else {
                    let calls = self.tool_calls.unwrap_or_default();
                    calls.into_iter().map(ToolCallRecord::into_call).collect()
                };
                let reasoning = self.content.reasoning.map(|text| resolve(text.into_owned()));
                Message::Assistant(AssistantMessage { content, reasoning, calls })
            }
            // Newer APIs call the system's role `developer`.
            _ => Message::System { content },
        }
    }

    /// The subject's message, whatever role it claims.
    pub(crate) fn into_assistant(self, resolve: impl Fn(String) -> String) -> AssistantMessage {
        match self.by_subject().into_message(resolve) {
            Message::Assistant(message) => message,
            _ => unreachable!("the role was just set"),
        }
    }
}

impl<'a> ToolCallRecord<'a> {
    /// The call, with its arguments as they stand there where nobody would write them otherwise.
    fn into_record(self) -> CallRecord<'a> {
        let plain = self.arguments.map(RawValue::get).filter(|json| is_plain_object(json));
        match (plain, &self.parse_error) {
            (Some(json), None) => {
                let id = self.id.map(|id| id.0).filter(|id| !id.is_empty());
                CallRecord::plain(id, self.function, json)
            }
            _ => self.into_call().into(),
        }
    }

    fn into_call(self) -> ToolCall {
        let given = self.arguments.as_ref().map_or("null", |arguments| arguments.get());
        let arguments = match (self.parse_error, serde_json::from_str(given)) {
            (Some(why), _) => Arguments::malformed("", Malformation::NotJson(why)),
            (None, Ok(Value::Object(object))) => Arguments::Object(object),
            // Some programs leave the arguments as the text they came in.
            (None, Ok(Value::String(text))) => Arguments::from_text(&text),
            (None, _) => Arguments::from_text(given),
        };
        let id = self.id.map(|id| id.0.into_owned()).filter(|id| !id.is_empty());
        ToolCall { id, ..ToolCall { arguments, ..ToolCall::new(self.function, Map::new()) } }
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for MessageContent<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct TextOrParts;
        impl<'de> Visitor<'de> for TextOrParts {
            type Value = MessageContent<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text or a list of parts")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(MessageContent { text: Cow::Borrowed(text), reasoning: None })
            }

            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(MessageContent { text: Cow::Owned(text.to_owned()), reasoning: None })
            }

            fn visit_unit<E>(self) -> Result<Self::Value, E> {
                Ok(MessageContent::default())
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                while map.next_entry::<serde::de::IgnoredAny, serde::de::IgnoredAny>()?.is_some() {}
                Ok(MessageContent::default())
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Self::Value, A::Error> {
                let mut content = MessageContent::default();
                while let Some(part) = parts.next_element::<PartRecord>()? {
                    content.text.to_mut().push_str(part.text.as_deref().unwrap_or_default());
                    if let Some(more) = part.reasoning {
                        // Thoughts may come in parts between the text; both are put together in
                        // their order.
                        content.reasoning.get_or_insert_default().to_mut().push_str(&more);
                    }
                }
                Ok(content)
            }
        }

        #[derive(Deserialize)]
        struct PartRecord {
            #[serde(default)]
            text: Option<String>,
            #[serde(default)]
            reasoning: Option<String>,
        }
        from.deserialize_any(TextOrParts)
    }
}
