//! Feedback from a file.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::time::SystemTime;

use toolgauge_core::timestamp;
use toolgauge_engine::EngineError;
use toolgauge_feedback::{FeedbackLineError, FeedbackStore, read_lines};
use toolgauge_log::Log;

use crate::failure::Failure;

/// Keeps every line of a file, or none if one of them cannot be read.
pub(super) fn import(file: &Path, log: Option<&Path>, folder: &Path) -> Result<usize, Failure> {
    let log = log.map(Log::open).transpose()?;
    let lines = File::open(file).map_err(|error| Failure::file("read", file, error))?;
    let now = timestamp(SystemTime::now());
    let read = read_lines(BufReader::new(lines), log.as_ref(), now);
    let read = read.map_err(|error| match error {
        FeedbackLineError::Unreadable(error) => Failure::file("read", file, error),
        other => EngineError::BadResults { path: file.to_owned(), why: other.to_string() }.into(),
    })?;
    FeedbackStore::open(folder)?.add_all(&read)?;
    Ok(read.len())
}
