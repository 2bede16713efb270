//! The words of a trial: of what was said, called and answered.

use serde_json::Value;
use toolgauge_core::{Arguments, Message, Trial};

/// As much of one trial as is read, in bytes.
const MOST_OF_TRIAL: usize = 256 << 10;

/// A longer word is known by its beginning.
const LONGEST: usize = 64;

/// Gives every word of a trial, in small letters.
pub(super) fn trial_words(trial: &Trial, mut word: impl FnMut(&str)) {
    let mut room = MOST_OF_TRIAL;
    let mut text = |text: &str| {
        let (taken, _) = toolgauge_report::harmless::beginning(text, room);
        room -= taken.len();
        split_words(&taken.to_lowercase(), &mut word);
    };
    for message in trial.case.input.iter().chain(&trial.transcript.messages) {
        match message {
            Message::System { content } | Message::User { content } => text(content),
            Message::Tool(message) => {
                text(&message.name);
                text(&message.content);
            }
            Message::Assistant(message) => {
                text(&message.content);
                message.reasoning.iter().for_each(|reasoning| text(reasoning));
                for call in &message.calls {
                    text(&call.name);
                    match &call.arguments {
                        Arguments::Object(object) => object.iter().for_each(|(name, value)| {
                            text(name);
                            value_text(value, &mut text);
                        }),
                        Arguments::Malformed { raw, .. } => text(raw),
                    }
                }
            }
        }
    }
    if let Some(failure) = &trial.transcript.failure {
        text(&failure.message);
    }
}

/// Gives the texts of a JSON value: strings as they are, not as JSON writes them.
fn value_text(value: &Value, text: &mut impl FnMut(&str)) {
    match value {
        Value::Null => {}
        Value::Bool(_) | Value::Number(_) => text(&value.to_string()),
        Value::String(value) => text(value),
        Value::Array(values) => values.iter().for_each(|value| value_text(value, text)),
        Value::Object(fields) => fields.iter().for_each(|(name, value)| {
            text(name);
            value_text(value, text);
        }),
    }
}

/// Splits a text where JSON, code and sentences have their marks. What is within words and
/// numbers, as in `light.hall`, `12:30` or `$2,999`, stays.
pub(super) fn split_words(text: &str, mut word: impl FnMut(&str)) {
    let is_between =
        |c: char| c.is_whitespace() || c.is_control() || "\"{}[]()<>|\\`“”„«»".contains(c);
    for part in text.split(is_between) {
        let part = part.trim_matches(|c: char| ",.;:!?'*=/&".contains(c));
        if !part.is_empty() {
            let end = part.char_indices().nth(LONGEST).map_or(part.len(), |(end, _)| end);
            word(&part[..end]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_split_at_their_marks() {
        let mut found = Vec::new();
        split_words(r#"{"at":"12:30","n":[1,"light.hall"]} it’s "$2,999", café!"#, |word| {
            found.push(word.to_owned());
        });
        assert_eq!(found, ["at", "12:30", "n", "1", "light.hall", "it’s", "$2,999", "café"]);
    }
}
