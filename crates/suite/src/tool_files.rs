//! Reads the tools of a suite, wherever they are written.

use serde_json::Value;
use toolgauge_core::Tool;

use crate::fields::{FieldNames, ObjectFields, kind};
use crate::suite_reader::SuiteReader;
use crate::tool_form::read_tool;
use crate::trail::{FilePart, Origin, Trail};

static TOOL_FILE: FieldNames =
    FieldNames { noun: "a file of tools", fields: &["tools", "$schema"], synonyms: &[] };

/// Reads the tools, and where each of them stands.
pub(crate) fn read_tools(
    reader: &SuiteReader,
    value: Option<Value>,
    trail: &Trail<'_>,
) -> (Vec<Tool>, Vec<Origin>) {
    let mut found = (Vec::new(), Vec::new());
    match value {
        None => {}
        Some(Value::String(path)) => read_tool_file(reader, &path, trail, &mut found),
        Some(Value::Array(items)) => {
            for (index, item) in items.into_iter().enumerate() {
                let here = trail.index(index);
                if let Value::String(path) = item {
                    read_tool_file(reader, &path, &here, &mut found);
                } else if let Some(tool) = read_tool(item, &here, &reader.findings) {
                    found.0.push(tool);
                    found.1.push(Origin { file: 0, start: FilePart::Tool(index) });
                }
            }
        }
        Some(other) => {
            let hint = "write a list of tools, or the name of a file".to_owned();
            let message = format!("`tools` is {}", kind(&other));
            reader.findings.error_with(trail, message, hint);
        }
    }
    found
}

fn read_tool_file(
    reader: &SuiteReader,
    path: &str,
    trail: &Trail<'_>,
    found: &mut (Vec<Tool>, Vec<Origin>),
) {
    let Some((file, value)) = reader.document(path, trail) else { return };
    let document = Origin::document(file).trail();
    let (items, start): (_, fn(usize) -> FilePart) = match value {
        Value::Array(items) => (items, FilePart::Item),
        Value::Object(_) => {
            let fields = ObjectFields::open(value, &TOOL_FILE, &document, &reader.findings);
            (fields.and_then(|mut fields| fields.list("tools")).unwrap_or_default(), FilePart::Tool)
        }
        other => {
            let message = format!("a file of tools holds a list, but this is {}", kind(&other));
            reader.findings.error(&document, message);
            return;
        }
    };
    for (index, item) in items.into_iter().enumerate() {
        let origin = Origin { file, start: start(index) };
        if let Some(tool) = read_tool(item, &origin.trail(), &reader.findings) {
            found.0.push(tool);
            found.1.push(origin);
        }
    }
}
