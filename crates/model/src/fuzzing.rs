//! The readers of what a server or a chatbot sends, open to fuzz targets and to properties. Nothing
//! here makes a connection; whoever measures a model has no use for it.

use std::time::Duration;

use serde_json::{Value, json};
use toolgauge_core::{Reply, Tool};

use crate::chatbot::{AnswerPlaces, read_answer};
use crate::client::ReplyReading;
use crate::cut::Cut;
use crate::draft::MOST_CALLS;
use crate::exchange::HttpExchange;
use crate::loose::{Loose, without_huge_numbers, without_lone_surrogates};
use crate::oddities::Oddities;
use crate::redactor::Redactor;
use crate::secret::Secret;
use crate::{anthropic, arguments, openai, preflight, sse, text_calls};

/// What came back from a server.
#[derive(Clone, Copy, Debug)]
pub struct Sent<'a> {
    /// The status of the answer.
    pub status: u16,
    /// Whether a stream was asked for.
    pub streamed: bool,
    /// Whether the connection broke.
    pub cut: bool,
    /// The bytes of the body.
    pub body: &'a [u8],
}

impl Sent<'_> {
    fn exchange(&self) -> HttpExchange {
        HttpExchange {
            status: self.status,
            content_type: None,
            location: None,
            retry_after: None,
            body: self.body.to_vec(),
            cut: self.cut.then(|| Cut::Broken("cut".to_owned())),
            first_token: None,
            total: Duration::ZERO,
        }
    }
}

/// Two tools, to recognise calls in a text by.
pub fn tools() -> Vec<Tool> {
    let parameters = json!({"type": "object", "properties": {"a": {}, "b": {}}});
    ["f", "turn_on"]
        .map(|name| Tool {
            name: name.into(),
            description: String::new(),
            parameters: parameters.clone(),
        })
        .to_vec()
}

/// Reads an OpenAI-style answer; `None` where it is refused.
pub fn read_openai(sent: Sent<'_>) -> Option<Reply> {
    read(sent, |exchange, reading| openai::read(exchange, reading).ok())
}

/// Reads an Anthropic-style answer; `None` where it is refused.
pub fn read_anthropic(sent: Sent<'_>) -> Option<Reply> {
    read(sent, |exchange, reading| anthropic::read(exchange, reading).ok())
}

fn read(
    sent: Sent<'_>,
    by: impl Fn(&HttpExchange, ReplyReading<'_>) -> Option<Reply>,
) -> Option<Reply> {
    let tools = tools();
    let reading = ReplyReading { tools: &tools, streamed: sent.streamed, keep: true };
    let reply = by(&sent.exchange(), reading)?;
    assert!(reply.message.calls.len() <= MOST_CALLS, "more calls than a reply may have");
    Some(reply)
}

/// Takes a stream apart twice, once cut at a place: the events are the same.
///
/// # Panics
///
/// If that does not hold.
pub fn check_events(body: &[u8], at: usize) {
    let (head, tail) = body.split_at(at.min(body.len()));
    assert_eq!(sse::decode(&[head, tail]), sse::decode(&[body]));
}

/// Searches a text for calls. The rest is no longer than the text, and all of it without a call.
///
/// # Panics
///
/// If that does not hold.
pub fn check_text_calls(text: &str) {
    let tools = tools();
    let calls = text_calls::calls(text, &tools);
    let rest = text_calls::without_calls(text, &tools);
    assert!(rest.len() <= text.len(), "what is left of a text is longer than the text");
    if calls.is_empty() {
        assert_eq!(rest, text.trim());
    }
}

/// Reads the arguments of a call.
pub fn read_arguments(text: &str) {
    let _ = arguments::from_text(text, &mut Oddities::default());
}

/// Reads JSON leniently, and repairs it. What needs no repair is left as it is.
///
/// # Panics
///
/// If that does not hold.
pub fn check_loose_json(text: &str) {
    let repaired = without_huge_numbers(&without_lone_surrogates(text));
    if let Ok(json) = Loose::parse(text) {
        let again = Loose::parse(&repaired);
        assert_eq!(again.ok().map(|json| json.to_value()), Some(json.to_value()));
    }
}

/// Reads the answer of a chatbot; tells whether it could be read.
pub fn read_chatbot(answer: &Value) -> bool {
    read_answer(&AnswerPlaces::reference(), answer)
}

/// Reads what a server says of itself: its list of models, and the properties of llama.cpp.
pub fn read_server(text: &str) {
    let Ok(json) = Loose::parse(text) else { return };
    let mut found = preflight::of_list(&json, "m");
    preflight::learn_properties(&mut found.facts, &json);
    let _ = found.warnings("m").iter().map(ToString::to_string).collect::<String>();
}

/// Takes a secret out of the body of a failure: it is not there any more, and a second time
/// changes nothing.
///
/// # Panics
///
/// If that does not hold.
pub fn check_redaction(secret: &str, body: &[u8]) {
    let redactor = Redactor::new(&[Secret::new(secret)]);
    let mut clean = body.to_vec();
    redactor.body(&mut clean, false);
    let holds = clean.windows(secret.len().max(1)).any(|part| part == secret.as_bytes());
    assert!(!holds, "the secret is still there");
    let once = clean.clone();
    redactor.body(&mut clean, false);
    assert_eq!(once, clean, "a second time changes something");
}
