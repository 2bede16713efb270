//! Feedback as other programs write it: a JSON object in each line.

use std::io::{self, BufRead, Read as _};

use jiff::Timestamp;
use serde::Deserialize;
use toolgauge_core::{CaseId, Feedback, RunId, Thumb};
use toolgauge_log::Log;

/// The longest line, in bytes. Comments and corrections of the viewer are far shorter.
const LONGEST_LINE: u64 = 1 << 20;

/// The most bytes of a file. All lines are in memory before the first is kept.
const LARGEST_FILE: u64 = 256 << 20;

/// The most lines of a file. Short lines take several times their length in memory.
const MOST_LINES: usize = 500_000;

/// One line of a file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FeedbackLine {
    run: Option<RunId>,
    suite: Option<String>,
    case: Option<CaseId>,
    question: Option<String>,
    #[serde(default = "first")]
    trial: u32,
    #[serde(default)]
    author: String,
    thumb: Option<Thumb>,
    #[serde(default)]
    comment: String,
    correction: Option<String>,
    at: Option<Timestamp>,
}

fn first() -> u32 {
    1
}

/// Why lines of feedback are not taken.
#[derive(Debug, thiserror::Error)]
pub enum FeedbackLineError {
    /// The file cannot be read to its end.
    #[error(transparent)]
    Unreadable(#[from] io::Error),
    /// A line is not feedback.
    #[error("line {line}: {why}")]
    BadLine {
        /// Its number, from 1.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
    /// The file is larger than what is taken at once.
    #[error("it has more than {MOST_LINES} lines or {} MB", LARGEST_FILE >> 20)]
    TooLarge,
}

/// Reads all lines. What a line leaves out is taken from the log, and `now` is its time.
pub fn read_lines(
    mut reader: impl BufRead,
    log: Option<&Log>,
    now: Timestamp,
) -> Result<Vec<Feedback>, FeedbackLineError> {
    let mut read = Vec::new();
    let (mut bytes, mut line) = (0, Vec::new());
    for number in 1.. {
        line.clear();
        // One byte more than allowed shows that the line is longer, without reading all of it.
        let length = reader.by_ref().take(LONGEST_LINE + 1).read_until(b'\n', &mut line)? as u64;
        bytes += length;
        let bad = |why: String| FeedbackLineError::BadLine { line: number, why };
        if length == 0 {
            break;
        } else if length > LONGEST_LINE {
            return Err(bad(format!("it is longer than {} MB", LONGEST_LINE >> 20)));
        } else if bytes > LARGEST_FILE || number > MOST_LINES {
            return Err(FeedbackLineError::TooLarge);
        }
        let text = str::from_utf8(&line).map_err(|error| bad(error.to_string()))?;
        // Windows programs begin a file with a byte order mark.
        let text = text.trim_start_matches('\u{feff}').trim();
        if !text.is_empty() {
            read.push(feedback_of(text, log, now).map_err(bad)?);
        }
    }
    Ok(read)
}

fn feedback_of(line: &str, log: Option<&Log>, now: Timestamp) -> Result<Feedback, String> {
    let line: FeedbackLine = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let run = log.map(Log::run);
    let case = match (line.case, line.question) {
        (Some(case), _) => case,
        (None, Some(question)) => asked(log, &question)?,
        (None, None) => return Err("it names neither a `case` nor a `question`".to_owned()),
    };
    let missing = |what| format!("it has no `{what}`; `--log` would say which run is meant");
    Ok(Feedback {
        run: line.run.or(run.map(|run| run.id.clone())).ok_or_else(|| missing("run"))?,
        suite: line
            .suite
            .or(run.map(|run| run.suite.name.clone()))
            .ok_or_else(|| missing("suite"))?,
        case,
        trial: line.trial,
        author: line.author,
        thumb: line.thumb,
        comment: line.comment,
        correction: line.correction,
        at: line.at.unwrap_or(now),
    })
}

/// The case of a run in which this was asked.
fn asked(log: Option<&Log>, question: &str) -> Result<CaseId, String> {
    let log = log.ok_or("a `question` can only be found with `--log`")?;
    for trial in log.summaries() {
        let Ok(trial) = trial else { continue };
        // A list of trials holds the beginning of a long sentence; the trial holds all of it.
        let may_be_cut = || !trial.sentence.is_empty() && question.starts_with(&trial.sentence);
        let is_whole = || log.trial(&trial.id).is_ok_and(|it| it.case.sentence() == question);
        if trial.sentence == question || (may_be_cut() && is_whole()) {
            return Ok(trial.id.case);
        }
    }
    Err("the run has no such question".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &[u8]) -> Result<Vec<Feedback>, String> {
        let read = read_lines(text, None, Timestamp::UNIX_EPOCH);
        read.map_err(|error| error.to_string())
    }

    #[test]
    fn lines_of_any_ending_are_read() {
        let line = r#"{"run":"r","suite":"s","case":"a","thumb":"up"}"#;
        for text in
            [line.to_owned(), format!("\u{feff}{line}\r\n\r\n{line}"), format!("\n{line}\n")]
        {
            assert_eq!(read(text.as_bytes()).unwrap()[0].case.as_str(), "a", "{text:?}");
        }
    }

    #[test]
    fn a_line_without_an_end_is_refused_early() {
        let endless = io::BufReader::new(io::repeat(b' '));
        let error = read_lines(endless, None, Timestamp::UNIX_EPOCH).unwrap_err();
        assert_eq!(error.to_string(), "line 1: it is longer than 1 MB");
    }

    #[test]
    fn very_many_lines_are_refused() {
        let many = "\n".repeat(MOST_LINES + 1);
        assert_eq!(read(many.as_bytes()).unwrap_err(), "it has more than 500000 lines or 256 MB");
        assert!(read(b"\xff").unwrap_err().starts_with("line 1: invalid utf-8"));
    }
}
