//! What OpenAI's services keep: stored completions, responses, batches, and chats for fine-tuning.

use std::path::Path;
use std::sync::Arc;

use serde_json::Value;
use toolgauge_core::{
    Case, Expectation, ExpectedCall, FailureKind, Message, StopReason, Transcript, TrialFailure,
    Turn,
};

use crate::field::{digest, first_text, list, name, text, usage};
use crate::glance::Glance;
use crate::record_run::{ReadTrial, RecordFormat, RunName, RunOf, find_runs as find_record_runs};
use crate::{ImportError, ImportOptions, ImportedRun, ImportedTrial, ResultKind, chat};

/// The runs in a file: one for each model.
pub(crate) fn find_runs(
    path: &Path,
    options: &ImportOptions,
) -> Result<Vec<Box<dyn ImportedRun>>, ImportError> {
    let is_page = Glance::at(path)?.text("object") == "list";
    let key = options.case_key.clone().unwrap_or_else(|| "case".into());
    let format = RecordFormat {
        kind: ResultKind::OpenAi,
        suite: "openai",
        scorer: "tool_calls",
        further: &[],
        within: is_page.then_some(&["data"]),
        beside: &[],
        run: RunOf::Record(&["messages", "object", "model", "response"], |record| {
            let body = body(record);
            let is_chat = record.get("messages").is_some() && record.get("object").is_none();
            // A chat for fine-tuning is nobody's answer, but the right one.
            let default = if is_chat { "reference" } else { "" };
            RunName::of(text(body, "model").unwrap_or(default))
        }),
        trial: ReadTrial::value(move |record| trial(record, &key)),
    };
    find_record_runs(path, format)
}

/// The answer itself, which a batch wraps.
fn body(record: &Value) -> &Value {
    record.pointer("/response/body").unwrap_or(record)
}

fn trial(record: &Value, key: &str) -> Result<ImportedTrial, String> {
    let body = body(record);
    let is_batch = record.get("custom_id").is_some();
    let is_answer = body.get("choices").is_some() || body.get("output").is_some();
    let messages = list(record, "messages");
    if !is_answer && !is_batch && messages.is_empty() {
        return Err("holds neither an answer nor messages".into());
    }
    let named = body.get("metadata").and_then(|it| it.get(key)).map(|it| name(Some(it)));
    let own = first_text(record, &["custom_id", "id"]).map(str::to_owned);
    let id = named.or(own).unwrap_or_else(|| digest(&record.to_string()));
    if !is_answer && !is_batch {
        return Ok(gold(&id, record, messages));
    }
    let asked = record.get("messages").or_else(|| record.get("input"));
    let mut case =
        Case { input: asked.map(question).unwrap_or_default(), ..Case::new(id.as_str(), "") };
    case.tools = offered(body.get("tools").or_else(|| record.get("tools")));
    let failure = failure(record);
    let messages = if failure.is_some() { Vec::new() } else { chat::messages(body) };
    let transcript =
        Transcript { messages, turns: vec![turn(body)], failure, ..Transcript::default() };
    Ok(ImportedTrial { case: Arc::new(case), number: 0, transcript })
}

fn question(asked: &Value) -> Vec<Message> {
    match asked {
        Value::String(text) => vec![Message::user(text)],
        other => chat::messages(other),
    }
}

fn offered(tools: Option<&Value>) -> Option<Arc<[toolgauge_core::Tool]>> {
    tools.map(chat::tools).filter(|tools| !tools.is_empty()).map(Into::into)
}

/// A chat for fine-tuning: its last answer is the right one.
fn gold(id: &str, record: &Value, messages: &[Value]) -> ImportedTrial {
    let counts = |message: &Value| {
        text(message, "role") == Some("assistant")
            && message.get("weight").and_then(Value::as_f64) != Some(0.0)
    };
    let last = messages.iter().rposition(counts);
    let (before, answer) = messages.split_at(last.unwrap_or(messages.len()));
    let mut case = Case { input: read(before), ..Case::new(id, "") };
    case.tools = offered(record.get("tools"));
    let answer = read(answer.get(..1).unwrap_or_default());
    let transcript = Transcript { messages: answer, ..Transcript::default() };
    if last.is_some() {
        let calls = transcript
            .calls()
            .map(|call| ExpectedCall::plain(call.name.as_str(), call.arguments.as_object()));
        case.expectation = Expectation { calls: Some(calls.collect()), ..Expectation::default() };
    }
    ImportedTrial { case: Arc::new(case), number: 0, transcript }
}

fn read(messages: &[Value]) -> Vec<Message> {
    messages.iter().flat_map(chat::from_message).collect()
}

fn turn(body: &Value) -> Turn {
    let stop = body.pointer("/choices/0/finish_reason").and_then(Value::as_str);
    Turn {
        model: text(body, "model").map(str::to_owned),
        usage: usage(body.get("usage")),
        stop: match stop {
            Some("stop") => StopReason::Stop,
            Some("tool_calls" | "function_call") => StopReason::ToolCalls,
            Some("length") => StopReason::MaxTokens,
            Some("content_filter") => StopReason::ContentFilter,
            _ => StopReason::Unknown,
        },
        attempts: 1,
        ..Turn::default()
    }
}

/// What went wrong with a request of a batch, by its status.
fn failure(record: &Value) -> Option<TrialFailure> {
    let status = record.pointer("/response/status_code").and_then(Value::as_u64).unwrap_or(0);
    let error = record.get("error").filter(|error| !error.is_null());
    let kind = match status {
        401 | 403 => FailureKind::Unauthorized,
        429 => FailureKind::RateLimited,
        400..500 => FailureKind::Refused,
        500.. => FailureKind::Server,
        _ => error.map(|_| FailureKind::Server)?,
    };
    let said = error.or_else(|| record.pointer("/response/body/error"));
    let said =
        said.map(|said| text(said, "message").map_or_else(|| said.to_string(), str::to_owned));
    let message = said.unwrap_or_else(|| format!("status {status}"));
    Some(TrialFailure { kind, message: message.chars().take(500).collect() })
}
