//! What a model answered, and how long it took.

use std::time::Duration;

use serde_json::Value;
use toolgauge_core::{FailureKind, Message, Timings, Transcript, TrialFailure, Turn, Usage};

use super::call::message;

/// What BFCL writes in the place of an answer that did not come.
const NO_ANSWER: &str = "Error during inference:";

/// The transcript of one row. `questions` are those of later turns, where there are any.
pub(super) fn transcript(entry: &Value, questions: &[Value]) -> Transcript {
    let result = entry.get("result").unwrap_or(&Value::Null);
    if let Some(failure) = failure(result) {
        return Transcript { failure: Some(failure), ..Transcript::default() };
    }
    let mut messages = Vec::new();
    match result {
        Value::Array(turns) if turns.iter().any(Value::is_array) => {
            for (place, turn) in turns.iter().enumerate() {
                // The first question is the case's own input.
                let asked = place.checked_sub(1).and_then(|place| questions.get(place));
                messages.extend(asked.into_iter().flat_map(user_messages));
                let steps = turn.as_array().map_or(std::slice::from_ref(turn), Vec::as_slice);
                messages.extend(steps.iter().map(|step| Message::Assistant(message(step))));
            }
        }
        single => messages.push(Message::Assistant(message(single))),
    }
    Transcript { messages, turns: vec![turn(entry)], ..Transcript::default() }
}

/// The messages of one turn of a question.
pub(super) fn user_messages(turn: &Value) -> Vec<Message> {
    let messages = turn.as_array().map(Vec::as_slice).unwrap_or_default();
    messages.iter().filter_map(Message::from_openai).collect()
}

fn failure(result: &Value) -> Option<TrialFailure> {
    let text = result.as_str().filter(|text| text.starts_with(NO_ANSWER))?;
    let message: String = text.chars().take(500).collect();
    Some(TrialFailure { kind: FailureKind::Server, message })
}

/// The tokens and the time of all turns together.
fn turn(entry: &Value) -> Turn {
    let count = |key: &str| {
        let sum = entry.get(key).map(sum).filter(|sum| *sum > 0.0);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
        sum.map(|sum| sum as u64)
    };
    let seconds = entry.get("latency").map(sum).unwrap_or_default();
    let total = Duration::try_from_secs_f64(seconds).unwrap_or_default();
    let usage = Usage {
        input: count("input_token_count"),
        output: count("output_token_count"),
        ..Usage::default()
    };
    let timings = Timings { total, ..Timings::default() };
    Turn { timings, usage, attempts: 1, ..Turn::default() }
}

/// The sum of numbers in lists of lists.
fn sum(value: &Value) -> f64 {
    match value {
        Value::Array(items) => items.iter().map(sum).sum(),
        other => other.as_f64().unwrap_or_default(),
    }
}
