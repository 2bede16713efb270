//! Small steps into values whose shape others decide.

use std::borrow::Cow;
use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use serde_json::Value;
use toolgauge_core::{Case, Message, RecordedVerdict, Transcript, Usage};

use crate::any_json::AnyJson;
use crate::python_json::parse;

/// What an object has under a key. Others decide the shape, so that many keys are tried.
pub(crate) fn get<'a, J: AnyJson>(value: &'a J, key: &str) -> Option<&'a J> {
    value.member(key)
}

/// The text under a key.
pub(crate) fn text<'a, J: AnyJson>(value: &'a J, key: &str) -> Option<&'a str> {
    value.member(key)?.as_text()
}

/// The first text under one of these keys that is not empty.
pub(crate) fn first_text<'a, J: AnyJson>(value: &'a J, keys: &[&str]) -> Option<&'a str> {
    keys.iter().filter_map(|key| text(value, key)).find(|text| !text.is_empty())
}

/// The list under a key; an empty one where there is none.
pub(crate) fn list<'a, J: AnyJson>(value: &'a J, key: &str) -> &'a [J] {
    value.member(key).and_then(J::as_items).unwrap_or_default()
}

/// A name or a text, which may be written as a number.
pub(crate) fn name<J: AnyJson>(value: Option<&J>) -> String {
    match value {
        Some(value) if !value.is_nothing() => match value.as_text() {
            Some(text) => text.to_owned(),
            None => value.to_value().to_string(),
        },
        _ => String::new(),
    }
}

/// The count under a key.
fn count(value: &Value, keys: &[&str]) -> Option<u64> {
    keys.iter().find_map(|key| match value.get(key)? {
        Value::String(text) => text.parse().ok(),
        other => other.as_u64(),
    })
}

/// The tokens of a request, by the names that servers and tools have for their counts.
pub(crate) fn usage(value: Option<&Value>) -> Usage {
    let value = value.unwrap_or(&Value::Null);
    Usage {
        input: count(value, &["prompt_tokens", "input_tokens", "prompt", "input"]),
        output: count(value, &["completion_tokens", "output_tokens", "completion", "output"]),
        cached: count(value, &["cached_tokens", "cached"]),
        ..Usage::default()
    }
}

/// When something began, as a text of a date and time or as a number, in nanoseconds or in the
/// unit of the number: only the order counts. What has no time comes first.
#[expect(clippy::cast_possible_truncation, reason = "a fraction of a microsecond is no order")]
pub(crate) fn start(value: Option<&Value>) -> i128 {
    let written = match value {
        Some(Value::String(text)) => text.as_str(),
        Some(Value::Number(number)) => {
            let whole = number.as_i64().map(i128::from);
            return whole.unwrap_or_else(|| number.as_f64().unwrap_or_default() as i128);
        }
        _ => return 0,
    };
    if let Ok(number) = written.parse() {
        return number;
    }
    let time = written.parse::<Timestamp>().or_else(|_| {
        // Python leaves the zone of UTC out.
        written.parse::<DateTime>().and_then(|time| Ok(time.to_zoned(TimeZone::UTC)?.timestamp()))
    });
    time.map_or(0, Timestamp::as_nanosecond)
}

/// So many seconds, as far as they are a time.
pub(crate) fn seconds(seconds: Option<f64>) -> Duration {
    Duration::try_from_secs_f64(seconds.unwrap_or_default()).unwrap_or_default()
}

/// A value that may be written as text, or as the text of a text.
pub(crate) fn unwrapped(value: &Value) -> Cow<'_, Value> {
    value.as_str().and_then(within_text).map_or(Cow::Borrowed(value), Cow::Owned)
}

/// The value that is written in a text, or in the text of a text.
pub(crate) fn within_text(text: &str) -> Option<Value> {
    let read = |text: &str| {
        let may_be_json = text.trim_start().starts_with(['{', '[', '"']);
        may_be_json.then(|| parse(text.as_bytes()).ok())?
    };
    let within = read(text)?;
    Some(within.as_str().and_then(read).unwrap_or(within))
}

/// A name for something that has none: the same for the same content on every machine.
pub(crate) fn digest(content: &str) -> String {
    // FNV-1a of 64 bits.
    let hash = content.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}

/// What a tool noted under a name: a mark where it is one from 0 to 1, else a number beside.
pub(crate) fn recorded(scorer: &str, value: &Value, reason: &str) -> RecordedVerdict {
    let number = match value {
        Value::Bool(right) => Some(f64::from(u8::from(*right))),
        other => other.as_f64(),
    };
    let mut verdict = RecordedVerdict { scorer: scorer.to_owned(), ..RecordedVerdict::default() };
    verdict.reason = reason.chars().take(500).collect();
    match number {
        Some(mark) if (0.0..=1.0).contains(&mark) => verdict.value = Some(mark),
        Some(other) => drop(verdict.measures.insert(scorer.to_owned(), other)),
        // A word is worth keeping too.
        None if value.is_null() => {}
        None => verdict.reason = format!("{}: {}", name(Some(value)), verdict.reason),
    }
    verdict
}

/// A case and a transcript out of one conversation: what comes before the first answer of the
/// subject is what it was asked.
pub(crate) fn split(id: &str, mut messages: Vec<Message>) -> (Case, Transcript) {
    let is_answer = |message: &Message| matches!(message, Message::Assistant(_));
    let asked = messages.iter().position(is_answer).unwrap_or(messages.len());
    let said = messages.split_off(asked);
    let case = Case { input: messages, ..Case::new(id, "") };
    (case, Transcript { messages: said, ..Transcript::default() })
}
