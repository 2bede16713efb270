//! Makes a case of what somebody said an answer should have been, and adds it to a suite.

mod csv_row;
mod file;
mod json_item;
mod refusal;

use std::io;
use std::path::PathBuf;

use serde_json::{Map, Value, json};
use toolgauge_core::{Case, Expectation, Feedback, Message};
use toolgauge_log::OutputError;

pub use file::append;

/// Why a case could not be added to a suite.
#[derive(Debug, thiserror::Error)]
pub enum PromotionError {
    /// Nobody said what the answer should have been.
    #[error("the feedback holds no correction, so that nothing is known to expect")]
    NoCorrection,
    /// The file is of a kind that cases are not added to.
    #[error("`{}` is not a file of cases: name one that ends in .yaml, .json, .ndjson, .jsonl or .csv", path.display())]
    NotCases {
        /// The file.
        path: PathBuf,
    },
    /// The file is no list of cases.
    #[error("`{}` is not a list of cases: {why}", path.display())]
    NotAList {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// A case of this name is there already.
    #[error("`{}` has a case `{id}` already", path.display())]
    Taken {
        /// The file.
        path: PathBuf,
        /// The name.
        id: String,
    },
    /// The file could not be read.
    #[error("cannot read `{}`", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file could not be written.
    #[error(transparent)]
    Write(#[from] OutputError),
}

/// The case that a correction asks for, in the form of a suite's file of cases.
///
/// A correction that is a JSON object is the expectation itself. Any other text is a right
/// answer in words: it becomes the reference, and the figures in it become the keywords; tools
/// and documents stay those of the old case.
pub fn promoted(case: &Case, feedback: &Feedback, id: &str) -> Result<Value, PromotionError> {
    let correction = feedback.correction.as_deref().map(str::trim).filter(|text| !text.is_empty());
    let correction = correction.ok_or(PromotionError::NoCorrection)?;
    let expect = match serde_json::from_str(correction) {
        Ok(Value::Object(expectation)) => Value::Object(expectation),
        _ => json!({ "answer": expected_answer(&case.expectation, correction) }),
    };
    let mut written = Map::new();
    written.insert("id".into(), id.into());
    let context = &case.input[..case.input.len().saturating_sub(1)];
    if !context.is_empty() {
        written.insert("context".into(), context.iter().map(spoken).collect());
    }
    written.insert("say".into(), case.sentence().into());
    if !case.tags.is_empty() {
        written.insert("tags".into(), json!(case.tags));
    }
    written.insert("expect".into(), expect);
    written.insert("metadata".into(), json!({ "promoted_from": feedback.trial_id().to_string() }));
    Ok(Value::Object(written))
}

fn expected_answer(old: &Expectation, correction: &str) -> Value {
    let old = old.answer.as_deref();
    let mut answer = Map::new();
    if let Some(tools) = old.and_then(|old| old.tools.as_ref()) {
        answer.insert("tools".into(), json!(tools));
    }
    answer.insert("keywords".into(), json!(keywords(correction)));
    if let Some(old) = old.filter(|old| !old.documents.is_empty()) {
        answer.insert("documents".into(), json!(old.documents));
    }
    answer.insert("reference".into(), correction.into());
    Value::Object(answer)
}

/// The figures of a text: words with a digit in them; the whole text where it has none.
fn keywords(text: &str) -> Vec<&str> {
    let figures: Vec<&str> = text
        .split_whitespace()
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric() && !"$€£%".contains(c)))
        .filter(|word| word.chars().any(|c| c.is_ascii_digit()))
        .collect();
    if figures.is_empty() { vec![text] } else { figures }
}

/// A message in the form of a chat completion, which suites read as well as their own.
fn spoken(message: &Message) -> Value {
    match message {
        Message::System { content } => json!({ "role": "system", "content": content }),
        Message::User { content } => json!({ "role": "user", "content": content }),
        Message::Assistant(said) => json!({ "role": "assistant", "content": said.content }),
        Message::Tool(answer) => json!({
            "role": "tool",
            "tool_call_id": answer.call_id,
            "name": answer.name,
            "content": answer.content,
        }),
    }
}

#[cfg(test)]
mod tests;
