//! Spans of Phoenix, in the words of `OpenInference`.

use std::collections::HashMap;
use std::path::Path;

use serde_json::Value;

use crate::attributes::Attributes;
use crate::field::{name, start, text};
use crate::records::Records;
use crate::spans::{Span, trials};
use crate::{ImportError, ImportOptions, ImportedRun, ResultKind, memory_run};

/// The runs in a file: one for each model.
pub(crate) fn find_runs(
    path: &Path,
    options: &ImportOptions,
) -> Result<Vec<Box<dyn ImportedRun>>, ImportError> {
    let mut spans = Vec::new();
    for record in Records::open(path, ResultKind::Phoenix, None, &[])? {
        spans.push(span(&record?, options));
    }
    memory_run::by_model(path, ResultKind::Phoenix, trials(spans, &HashMap::new()))
}

fn span(record: &Value, options: &ImportOptions) -> Span {
    let none = Value::Null;
    let mut attributes = Attributes::flatten(record.get("attributes").unwrap_or(&none));
    if let Some(kind) = record.get("span_kind") {
        attributes.0.insert("span_kind".into(), kind.clone());
    }
    let failed = text(record, "status_code") == Some("ERROR");
    Span {
        trace: name(record.pointer("/context/trace_id")),
        id: name(record.pointer("/context/span_id")),
        parent: text(record, "parent_id").map(str::to_owned),
        start: start(record.get("start_time")),
        role: attributes.role(text(record, "name").unwrap_or_default(), failed),
        case: options.case_key.as_deref().and_then(|key| attributes.text(&[key])),
        group: attributes.text(&["session.id"]),
    }
}
