//! What Inspect moves out of events to save space: messages of requests into a pool, and long
//! texts into attachments.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::Value;

use super::lenient::LenientNumber;

/// The request and the answer of one model event, as far as they stand in it.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Bodies {
    #[serde(default)]
    request: Option<Value>,
    #[serde(default)]
    response: Option<Value>,
    /// Which items of the pool belong into the request, from and up to.
    #[serde(default)]
    call_refs: Option<Vec<(usize, usize)>>,
    /// Under which key of the request.
    #[serde(default)]
    call_key: Option<String>,
    #[serde(default)]
    pub(crate) time: LenientNumber,
}

/// What events of one sample refer to.
#[derive(Debug, Default)]
pub(crate) struct Pool {
    pub(crate) data: EventsData,
    pub(crate) attachments: HashMap<String, String>,
}

#[derive(Debug, Default, Deserialize)]
pub(crate) struct EventsData {
    #[serde(default)]
    calls: Vec<Value>,
}

impl Pool {
    /// Request and answer as they were sent.
    pub(crate) fn restore(&self, bodies: Bodies) -> (Option<Value>, Option<Value>) {
        let Bodies { mut request, mut response, call_refs, call_key, .. } = bodies;
        if let (Some(Value::Object(request)), Some(refs), Some(key)) =
            (&mut request, call_refs, call_key)
        {
            // `get` and not an index: a range beyond the pool comes from a damaged or hostile log.
            let pooled = refs.iter().filter_map(|(from, to)| self.data.calls.get(*from..*to));
            request.insert(key, Value::Array(pooled.flatten().cloned().collect()));
        }
        if !self.attachments.is_empty() {
            for body in [&mut request, &mut response].into_iter().flatten() {
                self.resolve_in(body);
            }
        }
        (request, response)
    }

    /// The text itself, where it is only referred to.
    pub(crate) fn resolve(&self, text: String) -> String {
        match text.strip_prefix("attachment://") {
            Some(name) => self.attachments.get(name).cloned().unwrap_or(text),
            None => text,
        }
    }

    fn resolve_in(&self, value: &mut Value) {
        match value {
            Value::String(text) => *text = self.resolve(std::mem::take(text)),
            Value::Array(items) => items.iter_mut().for_each(|item| self.resolve_in(item)),
            Value::Object(fields) => fields.values_mut().for_each(|item| self.resolve_in(item)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}
