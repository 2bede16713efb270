//! Transcripts from anywhere: one JSON object a line, messages in OpenAI's form.
//!
//! `{"id": "case-1", "trial": 1, "messages": […], "seconds": 0.8, "error": "…"}`; all but `id`
//! and `messages` may be left out. Messages may begin with the case's own input or with what the
//! subject said to it.

use std::io::BufRead;
use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;
use toolgauge_core::{
    Case, CaseId, FailureKind, Message, Timings, Transcript, TrialFailure, Turn, Usage,
};

/// One line of a file of transcripts.
#[derive(Clone, Debug, PartialEq)]
pub struct TranscriptLine {
    /// The case it belongs to.
    pub case: CaseId,
    /// Which execution of the case it is, counted from 1.
    pub trial: u32,
    messages: Vec<Message>,
    turn: Turn,
    failure: Option<TrialFailure>,
}

impl TranscriptLine {
    /// The transcript of the case: what was said after the case's own input.
    pub fn transcript(self, case: &Case) -> Transcript {
        let said = without_input(&self.messages, case);
        // Without a word of the subject there was no turn that times or tokens could belong to.
        let turns = if said.is_empty() { Vec::new() } else { vec![self.turn] };
        Transcript { messages: said, turns, failure: self.failure, ..Transcript::default() }
    }
}

/// Why a line could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {why}")]
pub struct TranscriptError {
    /// Which line, counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub why: String,
}

#[derive(Deserialize)]
struct TranscriptRecord {
    id: CaseId,
    #[serde(default = "first")]
    trial: u32,
    messages: Vec<Value>,
    #[serde(default)]
    seconds: Option<f64>,
    #[serde(default)]
    usage: Option<WrittenUsage>,
    #[serde(default)]
    error: Option<Value>,
}

#[derive(Deserialize)]
struct WrittenUsage {
    #[serde(default)]
    prompt_tokens: Option<u64>,
    #[serde(default)]
    completion_tokens: Option<u64>,
}

fn first() -> u32 {
    1
}

/// Reads a file of transcripts line by line; empty lines are passed over.
pub fn read_transcripts(
    file: impl BufRead,
) -> impl Iterator<Item = Result<TranscriptLine, TranscriptError>> {
    let numbered = file.lines().zip(1..);
    numbered.filter_map(|(text, line)| {
        let fail = |why: String| Err(TranscriptError { line, why });
        match text {
            Err(error) => Some(fail(error.to_string())),
            Ok(text) if text.trim().is_empty() => None,
            Ok(text) => Some(read_line(&text).or_else(fail)),
        }
    })
}

fn read_line(text: &str) -> Result<TranscriptLine, String> {
    let written: TranscriptRecord =
        serde_json::from_str(text).map_err(|error| error.to_string())?;
    let read = |(message, number): (&Value, usize)| {
        Message::from_openai(message)
            .ok_or_else(|| format!("message {number} is not a message in OpenAI's form"))
    };
    let messages = written.messages.iter().zip(1..).map(read).collect::<Result<_, _>>()?;
    let total = Duration::try_from_secs_f64(written.seconds.unwrap_or_default());
    let total = total.map_err(|_| "`seconds` is not a length of time".to_owned())?;
    let usage = written.usage.map(|usage| Usage {
        input: usage.prompt_tokens,
        output: usage.completion_tokens,
        ..Usage::default()
    });
    let timings = Timings { total, ..Timings::default() };
    let turn = Turn { timings, usage: usage.unwrap_or_default(), attempts: 1, ..Turn::default() };
    let failure = written.error.filter(|error| !error.is_null()).map(|error| failure(&error));
    Ok(TranscriptLine { case: written.id, trial: written.trial, messages, turn, failure })
}

/// An error is text, or an object with a `kind` of ours and a `message`.
fn failure(error: &Value) -> TrialFailure {
    if let Ok(failure) = serde_json::from_value::<TrialFailure>(error.clone()) {
        return failure;
    }
    let message = error.as_str().map_or_else(|| error.to_string(), str::to_owned);
    TrialFailure { kind: FailureKind::Server, message }
}

/// Leaves out the case's own input, if the messages begin with it, or else whatever comes before
/// the subject's first word.
fn without_input(messages: &[Message], case: &Case) -> Vec<Message> {
    // Programs add system prompts of their own, so they are left out of the comparison.
    let spoken = |message: &&Message| !matches!(message, Message::System { .. });
    let mut said: Vec<Message> = messages.iter().filter(spoken).cloned().collect();
    let input: Vec<&Message> = case.input.iter().filter(spoken).collect();
    let repeats = said.len() >= input.len() && said.iter().zip(&input).all(|(a, b)| a == *b);
    if repeats {
        return said.split_off(input.len());
    }
    let first = said.iter().position(|message| matches!(message, Message::Assistant(_)));
    first.map(|first| said.split_off(first)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn transcript(line: &str) -> Transcript {
        let case = Case::new("a", "turn on the light");
        let read = read_transcripts(line.as_bytes()).next().unwrap().unwrap();
        read.transcript(&case)
    }

    #[test]
    fn the_input_may_be_repeated_or_left_out() {
        let answer = r#"{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"on","arguments":"{}"}}]}"#;
        let asked = r#"{"role":"user","content":"turn on the light"}"#;
        let whole = format!(r#"{{"id":"a","messages":[{asked},{answer}]}}"#);
        let short = format!(r#"{{"id":"a","messages":[{answer}]}}"#);
        assert_eq!(transcript(&whole), transcript(&short));
        assert_eq!(transcript(&short).calls().count(), 1);
    }

    #[test]
    fn an_error_makes_a_failure() {
        let line = r#"{"id":"a","messages":[],"error":{"kind":"timeout","message":"30 s"}}"#;
        assert_eq!(transcript(line).failure.unwrap().kind, FailureKind::Timeout);
        let line = r#"{"id":"a","messages":[],"error":"boom"}"#;
        assert_eq!(transcript(line).failure.unwrap().message, "boom");
    }

    #[test]
    fn a_bad_line_is_named() {
        let mut lines = read_transcripts("\n{\"id\":1}\n".as_bytes());
        assert_eq!(lines.next().unwrap().unwrap_err().line, 2);
    }
}
