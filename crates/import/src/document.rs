//! A file that is one JSON value: its bytes in memory, and the places of its items.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::python_json::{ByteSpan, ScanStop, Scanner, parse};
use crate::{ImportError, ResultKind};

/// The largest file that is read. Its values are built one at a time.
const LARGEST: u64 = 4 << 30;

/// A file that is one JSON value.
pub(crate) struct Document {
    pub(crate) path: PathBuf,
    kind: ResultKind,
    bytes: Vec<u8>,
}

impl Document {
    pub(crate) fn read(path: &Path, kind: ResultKind) -> Result<Self, ImportError> {
        let length = fs::metadata(path).map_err(ImportError::io(path))?.len();
        if length > LARGEST {
            return Err(ImportError::unfit(path, kind, "it is larger than 4 GB"));
        }
        let bytes = fs::read(path).map_err(ImportError::io(path))?;
        Ok(Self { path: path.to_owned(), kind, bytes })
    }

    /// Says what is wrong with the file.
    pub(crate) fn wrong(&self, why: impl Into<String>) -> ImportError {
        ImportError::unfit(&self.path, self.kind, why)
    }

    fn stopped(&self, stop: &ScanStop) -> ImportError {
        if stop.ended {
            return self.wrong("it ends in the middle of a value");
        }
        self.wrong(format!("it is not JSON: {} is expected at byte {}", stop.wanted, stop.at))
    }

    /// The members of the object that the file is, by name and place.
    pub(crate) fn members(&self) -> Result<Vec<(String, ByteSpan)>, ImportError> {
        let mut members = Vec::new();
        let mut scanner = Scanner::new(&self.bytes);
        if scanner.peek() != Some(b'{') {
            return Err(self.wrong("it is no object"));
        }
        let read = scanner.members(|scanner, key| {
            members.push((key.text().into_owned(), scanner.value()?));
            Ok(())
        });
        read.map_err(|stop| self.stopped(&stop))?;
        match scanner.peek() {
            None => Ok(members),
            Some(_) => Err(self.wrong("something follows the object")),
        }
    }

    /// The places of the items of a list that stands at `span`.
    pub(crate) fn items(&self, span: &ByteSpan) -> Result<Vec<ByteSpan>, ImportError> {
        let mut items = Vec::new();
        let mut scanner = Scanner::new(&self.bytes[span.clone()]);
        if scanner.peek() != Some(b'[') {
            return Ok(items);
        }
        let read = scanner.items(|scanner| {
            let place = scanner.value()?;
            items.push(place.start + span.start..place.end + span.start);
            Ok(())
        });
        read.map_err(|stop| self.stopped(&stop))?;
        Ok(items)
    }

    /// Where the file's own value stands, without what surrounds it.
    pub(crate) fn whole(&self) -> ByteSpan {
        0..self.bytes.len()
    }

    /// Builds the value at a place.
    pub(crate) fn value(&self, span: &ByteSpan) -> Result<Value, ImportError> {
        parse(&self.bytes[span.clone()]).map_err(|stop| self.stopped(&stop))
    }
}
