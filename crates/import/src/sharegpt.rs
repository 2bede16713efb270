//! Conversations in the form of `ShareGPT` and of Hermes, whose calls stand in the text.

use std::path::Path;
use std::sync::Arc;

use serde_json::Value;
use toolgauge_core::{AssistantMessage, CallOrigin, Message, ToolCall, ToolMessage};

use crate::field::{digest, name, split, text, unwrapped};
use crate::python_json::{Scanner, parse};
use crate::record_run::{ReadTrial, RecordFormat, RunName, RunOf, find_runs as find_record_runs};
use crate::{ImportError, ImportedRun, ImportedTrial, ResultKind, chat};

/// The marks before a call, each with the one behind it.
const MARKS: [(&str, &str); 2] = [("<tool_call>", "</tool_call>"), ("<functioncall>", "")];

/// The run in a file. Nobody judged it.
pub(crate) fn find_runs(path: &Path) -> Result<Vec<Box<dyn ImportedRun>>, ImportError> {
    let format = RecordFormat {
        kind: ResultKind::ShareGpt,
        suite: "sharegpt",
        scorer: "tool_calls",
        further: &[],
        within: None,
        beside: &[],
        run: RunOf::Record(&["model"], |record| {
            RunName::of(text(record, "model").unwrap_or("sharegpt"))
        }),
        trial: ReadTrial::value(trial),
    };
    find_record_runs(path, format)
}

fn trial(record: &Value) -> Result<ImportedTrial, String> {
    let conversations = record.get("conversations").and_then(Value::as_array);
    let conversations = conversations.ok_or("holds a record without `conversations`")?;
    let mut messages: Vec<Message> = Vec::new();
    messages.extend(text(record, "system").map(Message::system));
    messages.extend(conversations.iter().filter_map(message));
    let id = match name(record.get("id")) {
        id if id.is_empty() => digest(&record.to_string()),
        id => id,
    };
    let (mut case, transcript) = split(&id, messages);
    let tools = record.get("tools").map(chat::tools).filter(|tools| !tools.is_empty());
    case.tools = tools.map(Into::into);
    Ok(ImportedTrial { case: Arc::new(case), number: 0, transcript })
}

fn message(said: &Value) -> Option<Message> {
    let content = name(said.get("value"));
    Some(match text(said, "from")? {
        "system" => Message::System { content },
        "human" | "user" => Message::User { content },
        "gpt" | "assistant" | "model" => {
            let (content, calls) = calls_in(&content);
            Message::Assistant(AssistantMessage { content, reasoning: None, calls })
        }
        "function_call" => {
            let calls = call(&content).into_iter().collect();
            Message::Assistant(AssistantMessage { calls, ..AssistantMessage::default() })
        }
        "tool" | "observation" | "function_response" => Message::Tool(ToolMessage {
            call_id: String::new(),
            name: String::new(),
            content,
            failed: false,
        }),
        _ => return None,
    })
}

/// The words of a text without its calls, and the calls.
fn calls_in(content: &str) -> (String, Vec<ToolCall>) {
    let mut calls = Vec::new();
    let mut words = String::new();
    let mut rest = content;
    while let Some((place, (mark, end))) =
        MARKS.iter().filter_map(|mark| Some((rest.find(mark.0)?, *mark))).min()
    {
        words.push_str(&rest[..place]);
        let after = &rest[place + mark.len()..];
        let length = if end.is_empty() { object_length(after) } else { after.find(end) };
        let length = length.unwrap_or(after.len());
        let written = Value::from(after[..length].trim());
        let found = unwrapped(&written);
        match found.as_array() {
            Some(several) => {
                calls.extend(several.iter().filter_map(|one| call(&one.to_string())));
            }
            None => calls.extend(call(&after[..length])),
        }
        rest = after[length..].strip_prefix(end).unwrap_or(&after[length..]);
    }
    words.push_str(rest);
    (words.trim().to_owned(), calls)
}

/// How long the object is that a text begins with. Glaive quotes arguments with `'`, within which
/// braces are balanced too.
fn object_length(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (place, letter) in text.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(place + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// A call written as text. What cannot be read is a malformed call, not none.
fn call(written: &str) -> Option<ToolCall> {
    let written = written.trim();
    // Glaive: `{"name": "f", "arguments": '{"a": 1}'}`.
    let unquoted = written.replace("'{", "{").replace("}'", "}");
    let value = parse(written.as_bytes()).or_else(|_| parse(unquoted.as_bytes()));
    let mut call = match value {
        Ok(value) => chat::call(&value)?,
        Err(_) if Scanner::new(written.as_bytes()).peek().is_none() => return None,
        Err(_) => ToolCall {
            id: None,
            name: String::new(),
            arguments: toolgauge_core::Arguments::from_text(written),
            origin: CallOrigin::Text,
        },
    };
    call.origin = CallOrigin::Text;
    Some(call)
}
