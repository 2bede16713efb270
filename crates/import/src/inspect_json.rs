//! Logs of Inspect AI in JSON: one object, whose samples are what a log in its other form keeps as
//! members of an archive.

use std::path::Path;

use serde_json::Value;

use crate::field::name;
use crate::glance::{Beginning, Glance};
use crate::json_reader::JsonReader;
use crate::python_json::parse;
use crate::{ImportError, ResultKind};

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
    reader.begin(b'{')?;
    while let Some(key) = reader.key()? {
        match key.as_str() {
            "samples" if reader.peek()? == Some(b'[') => {
                reader.begin(b'[')?;
                while reader.item()? {
                    let text = reader.raw()?;
                    let member = member(text).map_err(|why| reader.wrong_here(why))?;
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
    give("header.json", &header)
}

/// The name of a sample's member.
fn member(text: &[u8]) -> Result<String, String> {
    let sample = parse(text).map_err(|_| "holds a sample that is nested too deep".to_owned())?;
    let id = name(sample.get("id"));
    let epoch = sample.get("epoch").and_then(Value::as_u64).unwrap_or(1);
    if id.is_empty() {
        return Err("holds a sample without an `id`".to_owned());
    }
    Ok(format!("samples/{id}_epoch_{epoch}.json"))
}
