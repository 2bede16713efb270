//! The recorded call that is nearest to one that was not recorded.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::recording::RecordedCall;

/// What the same state counts for, beside how alike the arguments are (from 0 to 1): of calls that
/// are about equally near, the one that was made in this state.
const SAME_STATE: f64 = 0.02;

/// The nearest of these calls; the first of several that are equally near.
pub(crate) fn nearest<'c>(
    calls: &'c [Arc<RecordedCall>],
    state: &str,
    arguments: &Map<String, Value>,
) -> Option<&'c Arc<RecordedCall>> {
    let mut best: Option<(f64, &Arc<RecordedCall>)> = None;
    for call in calls {
        let here = if &*call.state == state { SAME_STATE } else { 0.0 };
        let likeness = likeness(&call.arguments, arguments) + here;
        if best.is_none_or(|(most, _)| likeness > most) {
            best = Some((likeness, call));
        }
    }
    best.map(|(_, call)| call)
}

#[expect(clippy::cast_precision_loss, reason = "a call has few arguments")]
fn likeness(one: &Map<String, Value>, other: &Map<String, Value>) -> f64 {
    let names: std::collections::BTreeSet<&String> = one.keys().chain(other.keys()).collect();
    if names.is_empty() {
        return 1.0;
    }
    let each = names.iter().map(|name| match (one.get(*name), other.get(*name)) {
        (Some(one), Some(other)) if one == other => 1.0,
        (Some(one), Some(other)) => strsim::normalized_levenshtein(&text(one), &text(other)),
        _ => 0.0,
    });
    each.sum::<f64>() / names.len() as f64
}

/// Long texts are compared by their beginnings: the time grows with the square of their length.
fn text(value: &Value) -> String {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    text.chars().take(400).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn arguments_count_more_than_the_state() {
        let call = |state: &str, path: &str| {
            Arc::new(RecordedCall {
                state: state.into(),
                tool: "read".to_owned(),
                arguments: json!({ "path": path }).as_object().unwrap().clone(),
                reply: String::new(),
                failed: false,
                to: None,
            })
        };
        let calls = [
            call("a", "/workspace/notes.txt"),
            call("b", "/workspace/bill.txt"),
            call("b", "/workspace/notes.txt"),
        ];
        let asked = |state: &str, path: &str| {
            let arguments = json!({ "path": path });
            let near = nearest(&calls, state, arguments.as_object().unwrap()).unwrap();
            format!("{} {}", near.state, near.arguments["path"].as_str().unwrap())
        };
        assert_eq!(asked("a", "/workspace/bills.txt"), "b /workspace/bill.txt");
        assert_eq!(asked("a", "/workspace/notes.tx"), "a /workspace/notes.txt");
        assert_eq!(asked("b", "/workspace/notes.tx"), "b /workspace/notes.txt");
    }
}
