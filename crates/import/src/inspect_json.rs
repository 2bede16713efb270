//! Logs of Inspect AI in JSON: one object, whose samples are what a log in its other form keeps as
//! members of an archive.

use std::path::Path;

use serde_json::{Map, Value};

use crate::field::{list, name, text as text_at};
use crate::glance::{Beginning, Glance};
use crate::json_reader::JsonReader;
use crate::python_json::{parse, write};
use crate::{ImportError, ResultKind};

/// What the list of summaries has of a sample as it is.
const SUMMARISED: &[&str] = &[
    "id",
    "epoch",
    "input",
    "choices",
    "target",
    "description",
    "metadata",
    "scores",
    "model_usage",
    "role_usage",
    "model_fallbacks",
    "started_at",
    "completed_at",
    "total_time",
    "working_time",
    "uuid",
    "turn_count",
    "token_limit",
    "token_limit_type",
    "token_limit_usage",
    "message_limit",
    "time_limit",
];

/// The longest text in a summary. Inspect shows less of it.
const LONGEST: usize = 8 << 10;

/// The longest member of a summary. The list is in memory as a whole.
const LONGEST_MEMBER: usize = 64 << 10;

/// Whether a file is such a log.
pub fn is_inspect_json(path: &Path) -> bool {
    Glance::at(path).is_ok_and(|glance| {
        glance.beginning == Beginning::Object && glance.has_all(&["version", "status", "eval"])
    })
}

/// Hands out the members that the same log has in its other form, each with its text. Only one
/// sample is in memory.
pub fn unpack_inspect_json<E: From<ImportError>>(
    path: &Path,
    mut give: impl FnMut(&str, &[u8]) -> Result<(), E>,
) -> Result<(), E> {
    let mut reader = JsonReader::open(path, ResultKind::InspectJson)?;
    let mut header: Vec<u8> = b"{".to_vec();
    let mut summaries = String::from("[");
    reader.begin(b'{')?;
    while let Some(key) = reader.key()? {
        match key.as_str() {
            "samples" if reader.peek()? == Some(b'[') => {
                reader.begin(b'[')?;
                while reader.item()? {
                    let sample = parse(reader.raw()?)
                        .map_err(|_| reader.wrong_here("holds a sample that is nested too deep"))?;
                    let member = member(&sample).map_err(|why| reader.wrong_here(why))?;
                    if summaries.len() > 1 {
                        summaries.push(',');
                    }
                    write(&summary(sample), &mut summaries);
                    give(&member, reader.text())?;
                }
            }
            "samples" => reader.skip()?,
            "reductions" => give("reductions.json", reader.raw()?)?,
            _ => {
                if header.len() > 1 {
                    header.push(b',');
                }
                header.extend_from_slice(Value::from(key).to_string().as_bytes());
                header.push(b':');
                header.extend_from_slice(reader.raw()?);
            }
        }
    }
    reader.end()?;
    header.push(b'}');
    summaries.push(']');
    // Inspect finds the samples of a log by this list.
    give("summaries.json", summaries.as_bytes())?;
    give("header.json", &header)
}

/// The name of a sample's member.
fn member(sample: &Value) -> Result<String, String> {
    let id = name(sample.get("id"));
    let epoch = sample.get("epoch").and_then(Value::as_u64).unwrap_or(1);
    if id.is_empty() {
        return Err("holds a sample without an `id`".to_owned());
    }
    Ok(format!("samples/{id}_epoch_{epoch}.json"))
}

/// What the list of summaries says of a sample.
fn summary(mut sample: Value) -> Value {
    let retries = sample.get("error_retries").and_then(Value::as_array).map(Vec::len);
    let messages = list(&sample, "messages").len();
    let of = |key: &str, inner: &str| sample.get(key).and_then(|it| text_at(it, inner)).into();
    let mut summary: Map<String, Value> = [
        // Where it is not said.
        ("epoch", 1.into()),
        ("error", of("error", "message")),
        ("limit", of("limit", "type")),
        ("limit_reason", of("limit", "reason")),
        ("retries", retries.into()),
        ("completed", true.into()),
        ("message_count", messages.into()),
    ]
    .map(|(key, value): (&str, Value)| (key.to_owned(), value))
    .into_iter()
    .collect();
    for key in SUMMARISED {
        if let Some(value) = sample.get_mut(key) {
            let mut value = value.take();
            shorten(&mut value);
            if value.to_string().len() > LONGEST_MEMBER {
                // Some members must be there.
                value = if matches!(*key, "input" | "target") { "".into() } else { continue };
            }
            summary.insert((*key).to_owned(), value);
        }
    }
    Value::Object(summary)
}

/// Cuts long texts off: an input may hold whole pictures.
fn shorten(value: &mut Value) {
    match value {
        Value::String(text) => text.truncate(text.floor_char_boundary(LONGEST)),
        Value::Array(items) => items.iter_mut().for_each(shorten),
        Value::Object(members) => members.values_mut().for_each(shorten),
        _ => {}
    }
}
