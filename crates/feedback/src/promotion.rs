//! Makes a case of what somebody said an answer should have been, and adds it to a suite.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};
use toolgauge_core::{Case, Expectation, Feedback, Message};
use toolgauge_log::{OutputError, replace_file};

/// Why a case could not be added to a suite.
#[derive(Debug, thiserror::Error)]
pub enum PromotionError {
    /// Nobody said what the answer should have been.
    #[error("the feedback holds no correction, so that nothing is known to expect")]
    NoCorrection,
    /// The file is of a kind that cases are not added to.
    #[error("`{}` is not a file of cases: name one that ends in .yaml, .ndjson or .jsonl", path.display())]
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

/// Adds a case at the end of a file of cases. The file is replaced in one step, so that it is
/// never half written.
pub fn append(path: &Path, case: &Value) -> Result<(), PromotionError> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        // Reading a pipe would wait for ever.
        return Err(PromotionError::NotCases { path: path.to_owned() });
    }
    let mut text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(source) => return Err(PromotionError::Read { path: path.to_owned(), source }),
    };
    let not_a_list = |why: String| PromotionError::NotAList { path: path.to_owned(), why };
    let (known, addition) = match ending {
        "yaml" | "yml" => (yaml_cases(&text).map_err(not_a_list)?, yaml_item(case)),
        "ndjson" | "jsonl" => (json_lines(&text).map_err(not_a_list)?, format!("{case}\n")),
        _ => return Err(PromotionError::NotCases { path: path.to_owned() }),
    };
    let id = case.get("id").and_then(Value::as_str).unwrap_or_default();
    if known.iter().any(|known| known.get("id").and_then(Value::as_str) == Some(id)) {
        return Err(PromotionError::Taken { path: path.to_owned(), id: id.to_owned() });
    }
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text.push_str(&addition);
    if ending.starts_with('y') {
        yaml_cases(&text).map_err(not_a_list)?;
    }
    Ok(replace_file(path, &text)?)
}

fn yaml_cases(text: &str) -> Result<Vec<Value>, String> {
    let read: Option<Vec<Value>> = yaml_serde::from_str(text).map_err(|error| error.to_string())?;
    Ok(read.unwrap_or_default())
}

fn json_lines(text: &str) -> Result<Vec<Value>, String> {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines.map(|line| serde_json::from_str(line).map_err(|error| error.to_string())).collect()
}

fn yaml_item(case: &Value) -> String {
    let item = yaml_serde::to_string(&[case]).expect("a case is plain data");
    format!("\n{item}")
}

#[cfg(test)]
mod tests;
