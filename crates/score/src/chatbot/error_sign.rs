//! Signs that something failed where an answer should be.
//!
//! An answer that merely speaks of errors is an answer. So a text counts as an error only if it
//! is empty or null, if a program's own report of a failure stands at its beginning (`Error: …`,
//! `sqlite3.OperationalError: …`, a stack trace, an error page, an object with an `error` in it),
//! or if every sentence of it says that something went wrong or what to do about it.

mod apology;
mod report;
mod trace;
mod words;

use serde_json::json;
use toolgauge_core::{Cause, FailureKind, Loss, Message, Transcript};

use apology::says_nothing_but_failure;
use report::{is_error_object, is_report};
use trace::is_trace;

/// Something that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ErrorSign {
    /// The system: it could not be reached, took too long, broke down, or said so itself.
    System {
        /// What kind of failure it was.
        kind: FailureKind,
        /// What is known of it.
        message: String,
    },
    /// A tool, and no later call of it went well.
    Tool {
        /// The tool that failed.
        name: String,
        /// What its last call was answered.
        answer: String,
    },
    /// There is no answer.
    Empty,
    /// The answer is a program's word for nothing: `null`, `None`, `{}`.
    Null,
    /// A stack trace stands in place of an answer.
    Trace,
    /// An error message does.
    Message,
}

/// The losses of these signs; an error costs so many points, however many signs it leaves.
pub(super) fn losses(signs: &[ErrorSign], points: f64) -> Vec<Loss> {
    #[expect(clippy::cast_precision_loss, reason = "a handful of signs")]
    let each = points / signs.len().max(1) as f64;
    let loss = |sign: &ErrorSign| match sign {
        ErrorSign::System { kind, message } => {
            let mut loss = Loss::new(Cause::SystemFailure, each);
            loss.actual = Some(json!(format!("{}: {message}", kind.name())));
            loss
        }
        ErrorSign::Tool { name, answer } => {
            let mut loss = Loss::new(Cause::ToolFailure, each).at_tool(name);
            loss.actual = Some(json!(answer));
            loss
        }
        ErrorSign::Empty => Loss::new(Cause::MissingText, each),
        ErrorSign::Null | ErrorSign::Trace | ErrorSign::Message => {
            Loss::new(Cause::ErrorAnswered, each)
        }
    };
    signs.iter().map(loss).collect()
}

/// Every sign of failure in a transcript.
pub(super) fn signs(transcript: &Transcript) -> Vec<ErrorSign> {
    let mut signs = Vec::new();
    if let Some(failure) = &transcript.failure {
        signs.push(ErrorSign::System { kind: failure.kind, message: failure.message.clone() });
    }
    signs.extend(failed_tools(transcript));
    signs.extend(answer_sign(transcript));
    signs
}

/// What stands in the place of an answer, if it is none.
fn answer_sign(transcript: &Transcript) -> Option<ErrorSign> {
    // Where the system failed nobody expects an answer, and a captured turn ends with its calls.
    let sign = error_in_answer(transcript.final_text());
    let excused = transcript.failure.is_some() || ends_with_calls(transcript);
    sign.filter(|sign| *sign != ErrorSign::Empty || !excused)
}

/// The same as a loss that costs nothing, for scorers that take points for other things.
pub(crate) fn answer_loss(transcript: &Transcript) -> Option<Loss> {
    losses(&Vec::from_iter(answer_sign(transcript)), 0.0).pop()
}

/// Tools whose last answer is a failure. One that was called again with success was got over.
fn failed_tools(transcript: &Transcript) -> Vec<ErrorSign> {
    let mut last: Vec<(&str, &str, bool)> = Vec::new();
    for message in &transcript.messages {
        let Message::Tool(answer) = message else { continue };
        // Removed and pushed again, so that tools stand in the order of their last answer.
        last.retain(|(name, ..)| *name != answer.name);
        last.push((&answer.name, &answer.content, answer.failed));
    }
    let failed = last.into_iter().filter(|(.., failed)| *failed);
    failed
        .map(|(name, answer, _)| ErrorSign::Tool { name: name.into(), answer: answer.into() })
        .collect()
}

fn ends_with_calls(transcript: &Transcript) -> bool {
    matches!(transcript.messages.last(), Some(Message::Assistant(last)) if !last.calls.is_empty())
}

/// Words that programs write for nothing.
const NOTHING: [&str; 11] =
    ["null", "none", "undefined", "nil", "nan", "{}", "[]", "\"\"", "''", "[object object]", "()"];

/// Whether a text is nothing but the word that people answer `How many?` with, and Python writes
/// for nothing.
pub(super) fn is_none(text: &str) -> bool {
    text.trim().trim_end_matches('.').eq_ignore_ascii_case("none")
}

/// What is wrong with a text that should be an answer, if anything is.
pub fn error_in_answer(text: &str) -> Option<ErrorSign> {
    let text = text.trim().trim_matches(['\u{feff}', '\u{200b}']).trim();
    if text.is_empty() {
        return Some(ErrorSign::Empty);
    }
    // `None.` is a sentence; a program writes no full stop behind its word for nothing.
    let literal = if is_none(text) { text } else { text.trim_end_matches('.') };
    if NOTHING.contains(&literal.to_lowercase().as_str()) {
        return Some(ErrorSign::Null);
    }
    // Before the reports, since a trace often ends in a line that reads as one.
    if is_trace(text) {
        return Some(ErrorSign::Trace);
    }
    (is_report(text) || is_error_object(text) || says_nothing_but_failure(text))
        .then_some(ErrorSign::Message)
}
