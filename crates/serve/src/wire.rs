//! OpenAI chat completions on the wire: requests read leniently, answers written plainly.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use toolgauge_core::Reply;
use toolgauge_core::{Arguments, AssistantMessage, Message, StopReason, Tool, ToolMessage};

/// A request for a completion, as far as it matters here.
#[derive(Deserialize)]
pub(super) struct CompletionRequest<'a> {
    #[serde(default)]
    pub(super) model: Option<String>,
    #[serde(default)]
    messages: Vec<Value>,
    /// Kept as text: the same tools come with every request and are read once.
    #[serde(borrow, default)]
    pub(super) tools: Option<&'a RawValue>,
    #[serde(default)]
    pub(super) stream: Option<bool>,
    #[serde(default)]
    pub(super) seed: Option<u64>,
    #[serde(default)]
    stream_options: Option<StreamOptions>,
}

#[derive(Clone, Copy, Deserialize)]
struct StreamOptions {
    #[serde(default)]
    include_usage: bool,
}

impl CompletionRequest<'_> {
    /// The system prompt and the rest of the conversation.
    pub(super) fn conversation(&self) -> (Option<String>, Vec<Message>) {
        let mut system: Option<String> = None;
        let mut said: Vec<Message> = Vec::with_capacity(self.messages.len());
        for message in &self.messages {
            match Message::from_openai(message) {
                Some(Message::System { content }) if said.is_empty() => {
                    system = Some(match system {
                        Some(before) => before + "\n" + &content,
                        None => content,
                    });
                }
                Some(Message::Tool(answer)) => {
                    let answer = named(answer, &said);
                    said.push(Message::Tool(answer));
                }
                Some(message) => said.push(message),
                // Whoever speaks in a role nobody knows is taken for a person.
                None => {
                    let content = message.get("content").and_then(Value::as_str);
                    said.push(Message::user(content.unwrap_or_default()));
                }
            }
        }
        (system, said)
    }

    pub(super) fn wants_usage(&self) -> bool {
        self.stream_options.is_some_and(|options| options.include_usage)
    }
}

/// A tool's answer with the name of the tool, which clients often leave out.
fn named(mut answer: ToolMessage, said: &[Message]) -> ToolMessage {
    if answer.name.is_empty() {
        let calls = said.iter().rev().filter_map(|message| match message {
            Message::Assistant(message) => Some(&message.calls),
            _ => None,
        });
        let called = calls.flatten().find(|call| call.id.as_deref() == Some(&*answer.call_id));
        answer.name = called.map(|call| call.name.clone()).unwrap_or_default();
    }
    answer
}

/// The tools of a request; what is no function is left out.
pub(super) fn tools(sent: Option<&RawValue>) -> Arc<[Tool]> {
    let sent: Vec<Value> =
        sent.and_then(|sent| serde_json::from_str(sent.get()).ok()).unwrap_or_default();
    let tool = |sent: &Value| {
        let function = sent.get("function").unwrap_or(sent);
        let description = function.get("description").and_then(Value::as_str).unwrap_or_default();
        Some(Tool {
            name: function.get("name")?.as_str()?.to_owned(),
            description: description.to_owned(),
            parameters: function.get("parameters").cloned().unwrap_or_default(),
        })
    };
    sent.iter().filter_map(tool).collect()
}

/// Reads the body of a request, for fuzz targets.
#[doc(hidden)]
pub fn read_request(body: &[u8]) {
    if let Ok(asked) = serde_json::from_slice::<CompletionRequest<'_>>(body) {
        let _ = (asked.conversation(), tools(asked.tools), asked.wants_usage());
    }
}

/// What an answer says about itself beside the message.
pub(super) struct Labels<'a> {
    pub(super) number: u64,
    pub(super) created: i64,
    pub(super) model: &'a str,
    /// How long the request was, to estimate its tokens by.
    pub(super) asked_bytes: usize,
}

#[derive(Serialize)]
struct Completion<'a> {
    id: String,
    object: &'static str,
    created: i64,
    model: &'a str,
    choices: [WireChoice<'a>; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    usage: Option<UsageOut>,
}

#[derive(Serialize)]
struct WireChoice<'a> {
    index: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<WireMessage<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    delta: Option<WireMessage<'a>>,
    finish_reason: Option<&'static str>,
}

#[derive(Default, Serialize)]
struct WireMessage<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<WireContent<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_content: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<CallOut<'a>>,
}

/// A text, or null where only calls were made.
#[derive(Serialize)]
#[serde(transparent)]
struct WireContent<'a>(Option<&'a str>);

#[derive(Serialize)]
struct CallOut<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<usize>,
    id: String,
    r#type: &'static str,
    function: FunctionOut<'a>,
}

#[derive(Serialize)]
struct FunctionOut<'a> {
    name: &'a str,
    arguments: String,
}

#[derive(Clone, Copy, Serialize)]
#[expect(clippy::struct_field_names, reason = "the protocol's names")]
struct UsageOut {
    prompt_tokens: u64,
    completion_tokens: u64,
    total_tokens: u64,
}

/// An answer in one piece.
pub(super) fn completion(reply: &Reply, labels: &Labels<'_>) -> Vec<u8> {
    let message = &reply.message;
    let tool_calls = calls(message, false);
    let says = tool_calls.is_empty() || !message.content.is_empty();
    let said = WireMessage {
        role: Some("assistant"),
        content: Some(WireContent(says.then_some(&*message.content))),
        reasoning_content: message.reasoning.as_deref(),
        tool_calls,
    };
    let choice = WireChoice {
        index: 0,
        message: Some(said),
        delta: None,
        finish_reason: Some(finish(reply)),
    };
    let completion = labels.around("chat.completion", choice, Some(usage(reply, labels)));
    serde_json::to_vec(&completion).expect("completions are plain data")
}

/// An answer as the events of a stream, each with its closing blank line.
pub(super) fn events(reply: &Reply, labels: &Labels<'_>, wants_usage: bool) -> Vec<Vec<u8>> {
    let message = &reply.message;
    let mut deltas = vec![WireMessage { role: Some("assistant"), ..WireMessage::default() }];
    if let Some(reasoning) = message.reasoning.as_deref() {
        deltas.push(WireMessage { reasoning_content: Some(reasoning), ..WireMessage::default() });
    }
    let texts = pieces(&message.content);
    deltas.extend(texts.map(|text| WireMessage {
        content: Some(WireContent(Some(text))),
        ..WireMessage::default()
    }));
    let calls = calls(message, true).into_iter();
    deltas
        .extend(calls.map(|call| WireMessage { tool_calls: vec![call], ..WireMessage::default() }));
    let mut events: Vec<Vec<u8>> = Vec::with_capacity(deltas.len() + 3);
    let mut tell = |delta, finish_reason| {
        let choice = WireChoice { index: 0, message: None, delta: Some(delta), finish_reason };
        events.push(event(&labels.around("chat.completion.chunk", choice, None)));
    };
    for delta in deltas {
        tell(delta, None);
    }
    tell(WireMessage::default(), Some(finish(reply)));
    if wants_usage {
        let last = serde_json::json!({
            "id": labels.id(), "object": "chat.completion.chunk", "created": labels.created,
            "model": labels.model, "choices": [], "usage": usage(reply, labels),
        });
        events.push(event(&last));
    }
    events.push(b"data: [DONE]\n\n".to_vec());
    events
}

fn event(data: &impl Serialize) -> Vec<u8> {
    let mut event = b"data: ".to_vec();
    serde_json::to_writer(&mut event, data).expect("chunks are plain data");
    event.extend_from_slice(b"\n\n");
    event
}

/// A text in pieces of about a word each, as models write it.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(' ').filter(|piece| !piece.is_empty())
}

/// The calls where calls belong. Those that stood in the text stand there still.
fn calls(message: &AssistantMessage, numbered: bool) -> Vec<CallOut<'_>> {
    let calls = message.calls.iter().filter(|call| call.origin.is_structured()).enumerate();
    calls
        .map(|(at, call)| CallOut {
            index: numbered.then_some(at),
            id: call.id.clone().unwrap_or_else(|| format!("call_{}", at + 1)),
            r#type: "function",
            function: FunctionOut { name: &call.name, arguments: written(&call.arguments) },
        })
        .collect()
}

fn written(arguments: &Arguments) -> String {
    match arguments {
        Arguments::Object(object) => {
            serde_json::to_string(object).expect("arguments are plain data")
        }
        Arguments::Malformed { raw, .. } => raw.clone(),
    }
}

fn finish(reply: &Reply) -> &'static str {
    match reply.turn.stop {
        StopReason::MaxTokens | StopReason::ContextFull => "length",
        StopReason::ContentFilter => "content_filter",
        _ if reply.message.calls.iter().any(|call| call.origin.is_structured()) => "tool_calls",
        _ => "stop",
    }
}

/// The recorded token counts, or an estimate of four bytes each where none were recorded.
fn usage(reply: &Reply, labels: &Labels<'_>) -> UsageOut {
    let estimate = |bytes: usize| u64::try_from(bytes.div_ceil(4)).unwrap_or(u64::MAX);
    let calls = reply.message.calls.iter().map(|call| call.name.len() + 24).sum::<usize>();
    let input = reply.turn.usage.input.unwrap_or_else(|| estimate(labels.asked_bytes));
    let output =
        reply.turn.usage.output.unwrap_or_else(|| estimate(reply.message.content.len() + calls));
    UsageOut {
        prompt_tokens: input,
        completion_tokens: output,
        total_tokens: input.saturating_add(output),
    }
}

impl Labels<'_> {
    fn id(&self) -> String {
        format!("chatcmpl-{}", self.number)
    }

    fn around<'a>(
        &'a self,
        object: &'static str,
        choice: WireChoice<'a>,
        usage: Option<UsageOut>,
    ) -> Completion<'a> {
        let Self { created, model, .. } = *self;
        Completion { id: self.id(), object, created, model, choices: [choice], usage }
    }
}

/// An error as the protocol words it.
pub(super) fn error(message: &str, kind: &str, code: Option<&str>) -> Vec<u8> {
    let error = serde_json::json!({"error": {"message": message, "type": kind, "code": code}});
    error.to_string().into_bytes()
}
