//! Messages and calls as a sample holds them, for whoever goes through many trials.

use std::borrow::Cow;

use toolgauge_core::{
    Arguments, AssistantMessage, CallOrigin, Malformation, Message, ToolCall, ToolMessage,
};

/// A message as its sample holds it. Texts are borrowed from the log where they can be.
#[derive(Clone, Debug, PartialEq)]
pub enum MessageRecord<'a> {
    /// What the subject is told before the conversation starts.
    System {
        /// The text.
        content: Cow<'a, str>,
    },
    /// What a person says.
    User {
        /// The text.
        content: Cow<'a, str>,
    },
    /// What the subject says and calls.
    Assistant(AssistantRecord<'a>),
    /// What a tool answered.
    Tool(AnswerRecord<'a>),
}

/// What the subject says and calls in one message.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AssistantRecord<'a> {
    /// The text; empty when the message holds calls alone.
    pub content: Cow<'a, str>,
    /// The thinking a server reports apart from the text.
    pub reasoning: Option<Cow<'a, str>>,
    /// The calls, in the order they were made.
    pub calls: Vec<CallRecord<'a>>,
}

/// What a tool answered to one call.
#[derive(Clone, Debug, PartialEq)]
pub struct AnswerRecord<'a> {
    /// The identifier of the call that is answered.
    pub call_id: Cow<'a, str>,
    /// The tool's name.
    pub name: Cow<'a, str>,
    /// The answer, as the subject sees it.
    pub content: Cow<'a, str>,
    /// Whether the tool refused or failed.
    pub failed: bool,
}

/// One call of a tool.
#[derive(Clone, Debug, PartialEq)]
pub struct CallRecord<'a> {
    /// The identifier the subject gave the call; some servers give none.
    pub id: Option<Cow<'a, str>>,
    /// The tool's name, as called.
    pub name: Cow<'a, str>,
    /// The arguments as JSON, or what was sent in their place.
    pub arguments: Cow<'a, str>,
    /// Why the arguments are no JSON object, if they are none.
    pub malformed: Option<Malformation>,
    /// Where in the reply the call stood.
    pub origin: CallOrigin,
}

impl MessageRecord<'_> {
    /// The text.
    pub fn content(&self) -> &str {
        match self {
            Self::System { content } | Self::User { content } => content,
            Self::Assistant(message) => &message.content,
            Self::Tool(message) => &message.content,
        }
    }
}

impl From<Message> for MessageRecord<'_> {
    fn from(message: Message) -> Self {
        match message {
            Message::System { content } => Self::System { content: content.into() },
            Message::User { content } => Self::User { content: content.into() },
            Message::Assistant(message) => Self::Assistant(AssistantRecord {
                content: message.content.into(),
                reasoning: message.reasoning.map(Cow::Owned),
                calls: message.calls.into_iter().map(CallRecord::from).collect(),
            }),
            Message::Tool(message) => Self::Tool(AnswerRecord {
                call_id: message.call_id.into(),
                name: message.name.into(),
                content: message.content.into(),
                failed: message.failed,
            }),
        }
    }
}

impl From<&MessageRecord<'_>> for Message {
    fn from(record: &MessageRecord<'_>) -> Self {
        let text = |text: &Cow<'_, str>| text.clone().into_owned();
        match record {
            MessageRecord::System { content } => Self::System { content: text(content) },
            MessageRecord::User { content } => Self::User { content: text(content) },
            MessageRecord::Assistant(message) => Self::Assistant(AssistantMessage {
                content: text(&message.content),
                reasoning: message.reasoning.as_ref().map(text),
                calls: message.calls.iter().map(ToolCall::from).collect(),
            }),
            MessageRecord::Tool(message) => Self::Tool(ToolMessage {
                call_id: text(&message.call_id),
                name: text(&message.name),
                content: text(&message.content),
                failed: message.failed,
            }),
        }
    }
}

impl<'a> CallRecord<'a> {
    /// A call where calls belong, with an object as its arguments.
    pub(crate) fn plain(id: Option<Cow<'a, str>>, name: Cow<'a, str>, arguments: &'a str) -> Self {
        let (arguments, origin) = (Cow::Borrowed(arguments), CallOrigin::Structured);
        Self { id, name, arguments, malformed: None, origin }
    }
}

impl From<ToolCall> for CallRecord<'_> {
    fn from(call: ToolCall) -> Self {
        let (arguments, malformed) = match call.arguments {
            Arguments::Object(object) => {
                (serde_json::to_string(&object).expect("JSON values can be written"), None)
            }
            Arguments::Malformed { raw, why } => (raw, Some(why)),
        };
        let (arguments, origin) = (arguments.into(), call.origin);
        Self { id: call.id.map(Cow::Owned), name: call.name.into(), arguments, malformed, origin }
    }
}

impl From<&CallRecord<'_>> for ToolCall {
    fn from(record: &CallRecord<'_>) -> Self {
        let arguments = match &record.malformed {
            Some(why) => Arguments::malformed(&*record.arguments, why.clone()),
            None => Arguments::from_text(&record.arguments),
        };
        let (id, name) = (record.id.as_deref().map(str::to_owned), record.name.to_string());
        Self { id, name, arguments, origin: record.origin }
    }
}

/// The most keys that are compared with each other to see that none stands there twice.
const MOST_KEYS: usize = 16;
/// Far below what the reader of JSON takes.
const DEEPEST: usize = 16;
/// No number of so many digits is too large for an integer.
const MOST_DIGITS: usize = 18;

/// Whether JSON, which must be valid, is an object and stands there as it would be written, so that
/// it need not be read to be shown. `false` as well where that takes a closer look: with fractions,
/// escapes, or many keys.
pub(crate) fn is_plain_object(json: &str) -> bool {
    let bytes = json.as_bytes();
    let (mut keys, mut count) = ([&b""[..]; MOST_KEYS], 0);
    let (mut at, mut depth) = (0, 0);
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'"' => {
                let rest = &bytes[at..];
                let Some(length) = memchr::memchr2(b'"', b'\\', rest) else { return false };
                at += length + 1;
                let is_key = bytes.get(at) == Some(&b':');
                if rest[length] == b'\\' {
                    return false;
                }
                if is_key {
                    let key = &rest[..length];
                    // Names that begin with `$` mean something to the reader of JSON.
                    let strange = keys[..count].contains(&key) || key.starts_with(b"$");
                    if strange || count == MOST_KEYS {
                        return false;
                    }
                    keys[count] = key;
                    count += 1;
                }
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            b'0'..=b'9' | b'-' => {
                let rest = &bytes[at - usize::from(byte != b'-')..];
                let digits = rest.iter().take_while(|digit| digit.is_ascii_digit()).count();
                let is_float = matches!(rest.get(digits), Some(b'.' | b'e' | b'E'))
                    || (byte == b'-' && rest.first() == Some(&b'0'));
                if is_float || digits > MOST_DIGITS {
                    return false;
                }
                at += digits - usize::from(byte != b'-');
            }
            // The letters are those of `true`, `false` and `null`.
            b',' | b':' | b'a'..=b'z' => {}
            _ => return false,
        }
        if depth > DEEPEST {
            return false;
        }
    }
    bytes.first() == Some(&b'{')
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value};

    use super::*;

    #[test]
    fn ordinary_arguments_are_shown_as_they_stand() {
        for json in [
            "{}",
            r#"{"n":7}"#,
            r#"{"a":"é ☃","b":[true,false,null,-12,0],"c":{"d":[],"e":{"f":"{"}}}"#,
            r#"{"a":123456789012345678}"#,
        ] {
            assert!(is_plain_object(json), "{json}");
            let object: Map<String, Value> = serde_json::from_str(json).unwrap();
            assert_eq!(serde_json::to_string(&object).unwrap(), json);
        }
    }

    #[test]
    fn arguments_that_would_be_written_otherwise_are_not_shown_as_they_stand() {
        let deep = format!("{{\"a\":{}1{}}}", "[".repeat(200), "]".repeat(200));
        for json in [
            r#"{ "n":7}"#,
            r#"{"n": 7}"#,
            "{\"n\":7\n}",
            r#"{"a":1,"a":2}"#,
            r#"{"a":"\u0041"}"#,
            r#"{"\u0041":1}"#,
            r#"{"a":1.50}"#,
            r#"{"a":1e5}"#,
            r#"{"a":1E5}"#,
            r#"{"a":-0}"#,
            r#"{"a":100000000000000000000}"#,
            r#"{"$serde_json::private::RawValue":"1"}"#,
            "[1]",
            "\"{}\"",
            "7",
            "null",
            &deep,
        ] {
            assert!(!is_plain_object(json), "{json}");
        }
    }
}
