//! What a chatbot answered: the text, the tools it used, its sources, and whether it failed.

use std::time::Duration;

use serde_json::{Map, Value};
use toolgauge_core::{
    Arguments, AssistantMessage, Background, CallOrigin, FailureKind, Message, Oddity, ToolCall,
    ToolMessage, ToolTime, TrialFailure,
};

use super::place::Place;
use crate::failure::AttemptFailure;
use crate::quote::quote;

/// Where in a chatbot's JSON answer everything is, by JSON pointers (RFC 6901).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerPlaces {
    /// The text; it must be there.
    pub text: String,
    /// The tools that were used: names, or objects with name, arguments and result.
    pub tools: Option<String>,
    /// The documents the answer was taken from: names, or objects with an identifier.
    pub sources: Option<String>,
    /// What went wrong; null, false or empty when nothing did.
    pub error: Option<String>,
    /// The session that the chatbot opened, which further questions go into.
    pub session: Option<String>,
}

impl AnswerPlaces {
    /// The places of the reference form.
    pub fn reference() -> Self {
        let at = |pointer: &str| Some(pointer.to_owned());
        Self {
            text: "/answer".to_owned(),
            tools: at("/tools_used"),
            sources: at("/sources"),
            error: at("/error"),
            session: None,
        }
    }
}

/// How the text and the rest are found in what a chatbot sends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnswerForm {
    /// The whole answer is the text.
    Text,
    /// JSON, with everything at these places.
    Json(AnswerPlaces),
    /// JSON if it is an object that has the text at its place, and else plain text.
    Either(AnswerPlaces),
}

/// What a chatbot told in one answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ChatbotReply {
    pub(super) text: String,
    /// The calls it made and what they were answered.
    pub(super) behind: Vec<Message>,
    pub(super) background: Background,
    /// The error it reports.
    pub(super) failure: Option<TrialFailure>,
    pub(super) session: Option<String>,
    pub(super) oddities: Vec<Oddity>,
    /// Where in the answer all this was looked for.
    pub(super) places: Vec<Place>,
}

impl ChatbotReply {
    /// An answer that is nothing but text.
    pub(super) fn plain(text: &str) -> Self {
        Self { text: text.trim_end().to_owned(), ..Self::default() }
    }
}

impl AnswerPlaces {
    /// Reads an answer that is an object with the text at its place; none for any other, which is
    /// plain text: it may happen to be JSON, such as a bare number or a list.
    pub(super) fn read_object(&self, answer: &str) -> Option<Result<ChatbotReply, AttemptFailure>> {
        let answer = serde_json::from_str::<Value>(answer).ok().filter(Value::is_object)?;
        answer.pointer(&self.text).is_some().then(|| self.read(&answer))
    }

    /// Reads an answer.
    pub(super) fn read(&self, answer: &Value) -> Result<ChatbotReply, AttemptFailure> {
        let at = |pointer: &Option<String>| pointer.as_ref().and_then(|p| answer.pointer(p));
        let mut told =
            ChatbotReply { failure: reported(at(&self.error)), ..ChatbotReply::default() };
        match (answer.pointer(&self.text), &told.failure) {
            (Some(Value::Null), None) => told.failure = Some(failed("the answer is null")),
            (None, None) => return Err(self.nothing_there(answer)),
            // Whoever reports an error need not give an answer.
            (None | Some(Value::Null), Some(_)) => {}
            (Some(value), _) => told.text = text(value),
        }
        read_tools(at(&self.tools), &mut told);
        told.background.add_sources(list(at(&self.sources)).filter_map(source));
        // An empty list says that no tool was used; a missing one says nothing.
        told.background.says_no_tools = told.background.sources.is_empty()
            && at(&self.tools).and_then(Value::as_array).is_some_and(Vec::is_empty);
        told.session = at(&self.session).and_then(word);
        told.places = self.looked_at(answer);
        Ok(told)
    }

    /// The places beside the text.
    fn looked_at(&self, answer: &Value) -> Vec<Place> {
        // Those of the reference form may be left out.
        let is_named = *self != Self::reference();
        let places = [
            ("tools", &self.tools, is_named),
            ("sources", &self.sources, is_named),
            ("error", &self.error, false),
            ("session", &self.session, is_named),
        ];
        let place = |(name, pointer, is_expected): (_, &Option<String>, _)| {
            Some(Place::of(name, pointer.as_ref()?, is_expected, answer))
        };
        places.into_iter().filter_map(place).collect()
    }

    fn nothing_there(&self, answer: &Value) -> AttemptFailure {
        let mut texts = Vec::new();
        find_texts(answer, &mut String::new(), &mut texts);
        let quoted = |places: &[String]| {
            places.iter().map(|place| format!("`{place}`")).collect::<Vec<_>>().join(", ")
        };
        let has = match answer {
            _ if !texts.is_empty() => format!("it has text at {}", quoted(&texts)),
            Value::Object(object) if object.is_empty() => "it has nothing".to_owned(),
            Value::Object(object) => {
                let keys: Vec<String> = object.keys().map(|key| format!("/{key}")).collect();
                format!("it has {}", quoted(&keys))
            }
            other => format!("it is {}", quote(&other.to_string())),
        };
        let message = format!("the answer has no text at `{}`; {has}", self.text);
        // The next answer would look the same: the pointer is wrong, or the chatbot is another.
        AttemptFailure::lasting(FailureKind::UnreadableAnswer, quote(&message))
    }
}

/// How many texts of an answer are named.
const TEXTS: usize = 8;
/// How deep they are looked for.
const DEPTH: usize = 6;

/// The first places in an answer that hold a text, as JSON pointers.
fn find_texts(value: &Value, place: &mut String, found: &mut Vec<String>) {
    if found.len() >= TEXTS || place.matches('/').count() > DEPTH {
        return;
    }
    let length = place.len();
    let mut go_on = |key: &str, inner: &Value| {
        place.push('/');
        place.push_str(&key.replace('~', "~0").replace('/', "~1"));
        find_texts(inner, place, found);
        place.truncate(length);
    };
    match value {
        Value::String(text) if !text.trim().is_empty() => found.push(place.clone()),
        Value::Object(object) => object.iter().for_each(|(key, inner)| go_on(key, inner)),
        Value::Array(items) => {
            // The other items look like the first.
            if let Some(first) = items.first() {
                go_on("0", first);
            }
        }
        _ => {}
    }
}

/// Reads an answer and tells whether it could be read, for the properties of any answer.
pub(crate) fn read_answer(places: &AnswerPlaces, answer: &Value) -> bool {
    places.read(answer).is_ok()
}

fn failed(message: impl Into<String>) -> TrialFailure {
    TrialFailure { kind: FailureKind::Reported, message: message.into() }
}

/// The error a value reports, if it reports one.
fn reported(value: Option<&Value>) -> Option<TrialFailure> {
    let message = match value? {
        Value::Null | Value::Bool(false) => return None,
        Value::String(text) if text.trim().is_empty() => return None,
        Value::Array(items) if items.is_empty() => return None,
        Value::Object(object) if object.is_empty() => return None,
        Value::Bool(true) => "the chatbot reports an error".to_owned(),
        Value::String(text) => quote(text),
        Value::Object(object) => {
            let words = first(object, &["message", "detail", "error"]).and_then(word);
            quote(&words.unwrap_or_else(|| Value::Object(object.clone()).to_string()))
        }
        other => quote(&other.to_string()),
    };
    Some(failed(message))
}

/// The text of an answer: itself, that of its parts, or else as JSON has it.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().map(text).collect::<Vec<_>>().join("\n"),
        Value::Object(object) => match first(object, &["text", "content"]) {
            Some(inner) => text(inner),
            None => value.to_string(),
        },
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

/// Notes the tools that were used: the calls in one message, what they were answered behind it.
fn read_tools(value: Option<&Value>, told: &mut ChatbotReply) {
    let (mut calls, mut answers) = (Vec::new(), Vec::new());
    for used in list(value) {
        let Some(mut call) = call(used) else {
            told.oddities.push(Oddity::UnreadableTool);
            continue;
        };
        // Chatbots give no identifiers, and an answer must name the call it belongs to.
        let id = format!("call_{}", calls.len() + 1);
        if let Value::Object(used) = used {
            answers.extend(answer(used, &id, &call.name));
            told.background.tool_times.extend(time(used, &call.name));
        }
        call.id = Some(id);
        calls.push(call);
    }
    if !calls.is_empty() {
        let message = AssistantMessage { calls, ..AssistantMessage::default() };
        told.behind.push(Message::Assistant(message));
        told.behind.extend(answers.into_iter().map(Message::Tool));
    }
}

fn call(used: &Value) -> Option<ToolCall> {
    let object = match used {
        Value::String(name) if !name.trim().is_empty() => {
            return Some(ToolCall::new(name.trim(), Map::new()));
        }
        Value::Object(object) => object,
        _ => return None,
    };
    // OpenAI's own form has the name and the arguments one level down.
    let object = object.get("function").and_then(Value::as_object).unwrap_or(object);
    let name = first(object, &["name", "tool", "tool_name"])?.as_str()?;
    let arguments = match first(object, &["arguments", "args", "input", "parameters"]) {
        None => Arguments::Object(Map::new()),
        Some(Value::String(text)) => Arguments::from_text(text),
        Some(Value::Object(arguments)) => Arguments::Object(arguments.clone()),
        Some(other) => Arguments::from_text(&other.to_string()),
    };
    Some(ToolCall { id: None, name: name.to_owned(), arguments, origin: CallOrigin::Structured })
}

fn answer(used: &Map<String, Value>, id: &str, name: &str) -> Option<ToolMessage> {
    let error = first(used, &["error"]).filter(|error| **error != Value::Bool(false));
    let result = first(used, &["result", "output", "response", "content"]);
    let failed = error.is_some() || used.get("failed") == Some(&Value::Bool(true));
    let content = match result.or(error)? {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    Some(ToolMessage { call_id: id.to_owned(), name: name.to_owned(), content, failed })
}

fn time(used: &Map<String, Value>, name: &str) -> Option<ToolTime> {
    let seconds = first(used, &["seconds", "duration_seconds"]).and_then(Value::as_f64);
    let milliseconds = || first(used, &["duration_ms", "latency_ms"])?.as_f64();
    let seconds = seconds.or_else(|| milliseconds().map(|ms| ms / 1000.0))?;
    let time = Duration::try_from_secs_f64(seconds).ok()?;
    Some(ToolTime { tool: name.to_owned(), time, within_turn: true })
}

fn source(value: &Value) -> Option<String> {
    const NAMES: [&str; 8] =
        ["id", "document_id", "document", "source", "name", "title", "path", "url"];
    match value {
        Value::Object(object) => first(object, &NAMES).and_then(word),
        other => word(other),
    }
}

/// The items of a list; a single value is a list of one.
fn list(value: Option<&Value>) -> impl Iterator<Item = &Value> {
    let items = match value {
        None | Some(Value::Null) => &[],
        Some(Value::Array(items)) => items.as_slice(),
        Some(one) => std::slice::from_ref(one),
    };
    items.iter()
}

/// The first of these entries that is there and not null.
fn first<'a>(object: &'a Map<String, Value>, keys: &[&str]) -> Option<&'a Value> {
    keys.iter().filter_map(|key| object.get(*key)).find(|value| !value.is_null())
}

fn word(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(answer: &Value) -> ChatbotReply {
        AnswerPlaces::reference().read(answer).unwrap()
    }

    fn calls(told: &ChatbotReply) -> Vec<(String, Arguments)> {
        let Some(Message::Assistant(message)) = told.behind.first() else { return Vec::new() };
        message.calls.iter().map(|call| (call.name.clone(), call.arguments.clone())).collect()
    }

    #[test]
    fn tools_are_names_or_objects() {
        let told = read(&json!({
            "answer": "42",
            "tools_used": [
                "search",
                {"name": "query", "arguments": {"sql": "select 1"}, "result": [[1]], "seconds": 0.5},
                {"function": {"name": "list", "arguments": "{\"n\": 2}"}},
                {"tool": "broken", "input": "not json", "error": "boom"},
                {"arguments": {}},
            ],
        }));
        let arguments = |text: &str| Arguments::from_text(text);
        assert_eq!(
            calls(&told),
            [
                ("search".into(), arguments("")),
                ("query".into(), arguments(r#"{"sql": "select 1"}"#)),
                ("list".into(), arguments(r#"{"n": 2}"#)),
                ("broken".into(), arguments("not json")),
            ]
        );
        let answers: Vec<_> = told.behind[1..].iter().collect();
        let [Message::Tool(query), Message::Tool(broken)] = answers.as_slice() else {
            panic!("{answers:?}")
        };
        assert_eq!((query.call_id.as_str(), query.content.as_str()), ("call_2", "[[1]]"));
        assert_eq!((broken.content.as_str(), broken.failed), ("boom", true));
        assert_eq!(told.background.tool_times[0].time, Duration::from_millis(500));
        assert_eq!(told.oddities, [Oddity::UnreadableTool]);
    }

    #[test]
    fn sources_are_names_or_objects_and_each_stands_once() {
        let sources = json!(["lease.md", {"document_id": 7}, {"title": "lease.md"}, null, {}]);
        let told = read(&json!({"answer": "", "sources": sources}));
        assert_eq!(told.background.sources, ["lease.md", "7"]);
        let told = read(&json!({"answer": "", "sources": "one.md"}));
        assert_eq!(told.background.sources, ["one.md"]);
    }

    #[test]
    fn an_error_in_its_place_is_a_failure_and_the_rest_is_kept() {
        for (error, message) in [
            (json!("no database"), "no database"),
            (json!({"message": "no database"}), "no database"),
            (json!(true), "the chatbot reports an error"),
            (json!({"code": 3}), r#"{"code":3}"#),
        ] {
            let told = read(&json!({"answer": null, "error": error, "tools_used": ["query"]}));
            let failure = told.failure.clone().unwrap();
            assert_eq!((failure.kind, failure.message.as_str()), (FailureKind::Reported, message));
            assert_eq!(calls(&told).len(), 1);
        }
        for nothing in [json!(null), json!(false), json!(""), json!([]), json!({})] {
            assert_eq!(read(&json!({"answer": "x", "error": nothing})).failure, None);
        }
    }

    #[test]
    fn a_null_answer_is_a_failure_of_the_chatbot() {
        let told = read(&json!({"answer": null}));
        assert_eq!(told.failure.unwrap().message, "the answer is null");
    }

    #[test]
    fn a_place_without_a_text_is_named_with_the_places_there_are() {
        for (answer, has) in [
            (json!({"reply": 1, "ok": 2}), "it has `/reply`, `/ok`"),
            (
                json!({"data": {"a/b": [{"text": "hi"}]}, "ok": 2}),
                "it has text at `/data/a~1b/0/text`",
            ),
            (json!({}), "it has nothing"),
        ] {
            let failure = AnswerPlaces::reference().read(&answer).unwrap_err();
            assert_eq!(failure.kind, FailureKind::UnreadableAnswer);
            assert_eq!(failure.message, format!("the answer has no text at `/answer`; {has}"));
        }
    }

    #[test]
    fn a_text_may_come_in_parts() {
        let places = AnswerPlaces { text: "/0/parts".into(), ..AnswerPlaces::reference() };
        let told = places.read(&json!([{"parts": [{"text": "a"}, "b", {"content": "c"}]}]));
        assert_eq!(told.unwrap().text, "a\nb\nc");
    }
}
