//! Files of one JSON value per line.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::python_json::{members, parse};
use crate::{ImportError, file};

/// The longest line that is read. The longest in published results has 4 MB.
const LONGEST_LINE: u64 = 256 << 20;

/// The values of a file, line by line; empty lines are passed over.
pub(crate) struct JsonLines {
    path: PathBuf,
    file: BufReader<File>,
    text: Vec<u8>,
    line: usize,
    /// The members that are asked for; `None` means all.
    members: Option<&'static [&'static str]>,
}

impl JsonLines {
    pub(crate) fn open(path: &Path) -> Result<Self, ImportError> {
        let file = file::open(path)?;
        let file = BufReader::with_capacity(1 << 16, file);
        Ok(Self { path: path.to_owned(), file, text: Vec::new(), line: 0, members: None })
    }

    /// The same with these members of each value alone. Score files have whole prompts beside what
    /// is asked for.
    pub(crate) fn open_members(
        path: &Path,
        members: &'static [&'static str],
    ) -> Result<Self, ImportError> {
        Ok(Self { members: Some(members), ..Self::open(path)? })
    }

    /// What is wrong with the line that was read last.
    pub(crate) fn wrong(&self, why: impl Into<String>) -> ImportError {
        ImportError::Line { path: self.path.clone(), line: self.line, why: why.into() }
    }

    /// The line that was read last, without white space around it.
    pub(crate) fn text(&self) -> &[u8] {
        let text = self.text.trim_ascii();
        // Some editors put a mark of the byte order in front.
        let mark = if self.line == 1 { "\u{feff}" } else { "" };
        text.strip_prefix(mark.as_bytes()).unwrap_or(text)
    }

    fn read(&mut self) -> Result<Option<Value>, ImportError> {
        loop {
            self.text.clear();
            let mut limited = (&mut self.file).take(LONGEST_LINE);
            let read = limited.read_until(b'\n', &mut self.text);
            let length = read.map_err(ImportError::io(&self.path))?;
            self.line += 1;
            if length == 0 {
                return Ok(None);
            }
            if length as u64 == LONGEST_LINE {
                return Err(self.wrong("the line is longer than 256 MB"));
            }
            let text = self.text();
            if !text.is_empty() {
                let stop = |stop: crate::python_json::ScanStop| {
                    format!("is not JSON: {} is expected at byte {}", stop.wanted, stop.at)
                };
                let value = match self.members {
                    Some(names) => members(text, names),
                    None => parse(text),
                };
                return value.map(Some).map_err(|error| self.wrong(stop(error)));
            }
        }
    }
}

/// A value with the number of its line.
impl Iterator for JsonLines {
    type Item = Result<(usize, Value), ImportError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().map(|value| value.map(|value| (self.line, value))).transpose()
    }
}
