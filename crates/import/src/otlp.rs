//! Spans of OpenTelemetry: as the Collector writes them, as Tempo and as Jaeger export them.

use std::collections::HashMap;
use std::path::Path;

use serde_json::{Map, Value};

use crate::attributes::Attributes;
use crate::field::{list, name, start, text, unwrapped};
use crate::records::Records;
use crate::spans::{Span, trials};
use crate::{ImportError, ImportOptions, ImportedRun, ResultKind, memory_run};

/// The attributes that name what a trace is a part of.
const GROUPS: [&str; 3] = ["gen_ai.conversation.id", "session.id", "traceloop.association.id"];

/// The runs in a file: one for each model.
pub(crate) fn find_runs(
    path: &Path,
    options: &ImportOptions,
) -> Result<Vec<Box<dyn ImportedRun>>, ImportError> {
    let mut spans = Vec::new();
    for record in Records::open(path, ResultKind::Otlp, None, &[])? {
        let record = record?;
        for key in ["resourceSpans", "batches"] {
            for resource in list(&record, key) {
                of_resource(resource, options, &mut spans);
            }
        }
        for trace in list(&record, "data") {
            spans.extend(list(trace, "spans").iter().map(|span| jaeger(span, options)));
        }
    }
    memory_run::by_model(path, ResultKind::Otlp, trials(spans, &HashMap::new()))
}

fn of_resource(resource: &Value, options: &ImportOptions, spans: &mut Vec<Span>) {
    let shared = resource.pointer("/resource/attributes").unwrap_or(&Value::Null);
    let shared = read(shared);
    for scope in ["scopeSpans", "instrumentationLibrarySpans"] {
        for scope in list(resource, scope) {
            spans.extend(list(scope, "spans").iter().map(|span| otlp(span, &shared, options)));
        }
    }
}

fn otlp(span: &Value, shared: &Map<String, Value>, options: &ImportOptions) -> Span {
    let mut own = read(span.get("attributes").unwrap_or(&Value::Null));
    add_events(list(span, "events"), &mut own);
    let attributes = Attributes(own);
    let status = span.pointer("/status/code").unwrap_or(&Value::Null);
    let failed = status == 2 || status == "STATUS_CODE_ERROR";
    let case = options.case_key.as_deref().and_then(|key| {
        attributes.text(&[key]).or_else(|| shared.get(key).map(|value| name(Some(value))))
    });
    Span {
        trace: name(span.get("traceId")),
        id: name(span.get("spanId")),
        parent: text(span, "parentSpanId").filter(|id| !id.is_empty()).map(str::to_owned),
        start: start(span.get("startTimeUnixNano")),
        role: attributes.role(text(span, "name").unwrap_or_default(), failed),
        case,
        group: attributes.text(&GROUPS),
    }
}

/// Adds the messages that older conventions put into events: all of them as an attribute of one
/// event, or each as an event of its own, such as `gen_ai.user.message` and `gen_ai.choice`.
fn add_events(events: &[Value], attributes: &mut Map<String, Value>) {
    const INPUT: &str = "gen_ai.input.messages";
    const OUTPUT: &str = "gen_ai.output.messages";
    let (mut asked, mut said) = (Vec::new(), Vec::new());
    for event in events {
        let given = read(event.get("attributes").unwrap_or(&Value::Null));
        let name = text(event, "name").unwrap_or_default();
        if let Some(role) = name.strip_prefix("gen_ai.").and_then(|n| n.strip_suffix(".message")) {
            asked.push(event_message(given, role));
        } else if name == "gen_ai.choice" {
            said.push(event_message(given, "assistant"));
        } else {
            let keys = [INPUT, OUTPUT];
            attributes.extend(given.into_iter().filter(|(key, _)| keys.contains(&key.as_str())));
        }
    }
    for (key, messages) in [(INPUT, asked), (OUTPUT, said)] {
        if !messages.is_empty() && !attributes.contains_key(key) {
            attributes.insert(key.to_owned(), messages.into());
        }
    }
}

/// A message whose parts are the attributes of an event, or one of them as JSON.
fn event_message(given: Map<String, Value>, role: &str) -> Value {
    let body = ["gen_ai.event.content", "body", "message"];
    let body = body.iter().find_map(|key| given.get(*key));
    let body = body.map(|body| unwrapped(body).into_owned());
    let mut message = match body {
        Some(Value::Object(body)) => match body.get("message") {
            Some(Value::Object(inner)) => inner.clone(),
            _ => body,
        },
        _ => given,
    };
    let calls = message.get("tool_calls").map(|calls| unwrapped(calls).into_owned());
    if let Some(calls) = calls {
        message.insert("tool_calls".into(), calls);
    }
    // The answer of a tool names its call by `id`.
    if role == "tool"
        && let Some(id) = message.get("id").cloned()
    {
        message.entry("tool_call_id").or_insert(id);
    }
    message.entry("role").or_insert_with(|| role.into());
    Value::Object(message)
}

fn jaeger(span: &Value, options: &ImportOptions) -> Span {
    let mut attributes = Map::new();
    for tag in list(span, "tags") {
        if let (Some(key), Some(value)) = (text(tag, "key"), tag.get("value")) {
            attributes.insert(key.to_owned(), value.clone());
        }
    }
    let attributes = Attributes(attributes);
    let is_parent = |reference: &&Value| text(*reference, "refType") == Some("CHILD_OF");
    let parent = list(span, "references").iter().find(is_parent);
    let failed = attributes.text(&["error", "otel.status_code"]);
    let failed = failed.is_some_and(|it| it == "true" || it == "ERROR");
    Span {
        trace: name(span.get("traceID")),
        id: name(span.get("spanID")),
        parent: parent.and_then(|parent| text(parent, "spanID")).map(str::to_owned),
        start: start(span.get("startTime")),
        role: attributes.role(text(span, "operationName").unwrap_or_default(), failed),
        case: options.case_key.as_deref().and_then(|key| attributes.text(&[key])),
        group: attributes.text(&GROUPS),
    }
}

/// Attributes of OTLP: `[{"key": "a", "value": {"stringValue": "b"}}]`.
fn read(attributes: &Value) -> Map<String, Value> {
    let pairs = attributes.as_array().into_iter().flatten();
    let pairs = pairs
        .filter_map(|pair| Some((text(pair, "key")?.to_owned(), any_value(pair.get("value")?, 0))));
    pairs.collect()
}

fn any_value(value: &Value, depth: usize) -> Value {
    let Some((kind, inner)) = value.as_object().and_then(|members| members.iter().next()) else {
        return Value::Null;
    };
    match kind.as_str() {
        // Whole numbers come as text, because JavaScript has none of 64 bits.
        "intValue" => name(Some(inner)).parse::<i64>().map_or(Value::Null, Into::into),
        "arrayValue" if depth < 32 => {
            list(inner, "values").iter().map(|item| any_value(item, depth + 1)).collect()
        }
        "kvlistValue" if depth < 32 => {
            let pairs = list(inner, "values").iter().filter_map(|pair| {
                Some((text(pair, "key")?.to_owned(), any_value(pair.get("value")?, depth + 1)))
            });
            Value::Object(pairs.collect())
        }
        _ => inner.clone(),
    }
}
