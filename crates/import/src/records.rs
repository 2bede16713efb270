//! The records of a file: the items of a list, wherever in the file it is, or one value a line.

use std::path::Path;

use serde_json::{Map, Value};

use crate::json_reader::JsonReader;
use crate::{ImportError, ResultKind};

/// Records one after the other.
pub(crate) struct Records {
    reader: JsonReader,
    place: RecordPlace,
    /// What stands beside the list in the objects around it, as far as it was asked for.
    pub(crate) beside: Map<String, Value>,
    keep: &'static [&'static str],
    over: bool,
}

/// Where the records are.
enum RecordPlace {
    /// Values one after the other, mostly one a line.
    Values,
    /// A list within as many objects.
    List { within: usize },
}

impl Records {
    /// The records of a file. `within` are the keys that lead to their list if the file is an
    /// object with the first of these keys; what is to be kept of the members beside is in `keep`.
    pub(crate) fn open(
        path: &Path,
        kind: ResultKind,
        within: Option<&[&str]>,
        keep: &'static [&'static str],
    ) -> Result<Self, ImportError> {
        let mut reader = JsonReader::open(path, kind)?;
        let mut place = RecordPlace::Values;
        let mut beside = Map::new();
        if let (Some(keys), Some(b'{')) = (within, reader.peek()?) {
            for wanted in keys {
                descend(&mut reader, wanted, keep, &mut beside)?;
            }
            reader.begin(b'[')?;
            place = RecordPlace::List { within: keys.len() };
        } else if reader.peek()? == Some(b'[') {
            reader.begin(b'[')?;
            place = RecordPlace::List { within: 0 };
        }
        Ok(Self { reader, place, beside, keep, over: false })
    }

    fn read(&mut self) -> Result<Option<Value>, ImportError> {
        match self.place {
            RecordPlace::Values => {
                if self.reader.peek()?.is_none() {
                    return Ok(None);
                }
            }
            RecordPlace::List { within } => {
                if !self.reader.item()? {
                    for _ in 0..within {
                        pass(&mut self.reader, self.keep, &mut self.beside)?;
                    }
                    self.reader.end()?;
                    return Ok(None);
                }
            }
        }
        self.reader.value().map(Some)
    }

    /// Says what is wrong with the record that was read last.
    pub(crate) fn wrong_here(&self, why: impl Into<String>) -> ImportError {
        self.reader.wrong_here(why)
    }
}

/// Goes into the member of that name of the object that stands here.
fn descend(
    reader: &mut JsonReader,
    wanted: &str,
    keep: &[&str],
    beside: &mut Map<String, Value>,
) -> Result<(), ImportError> {
    reader.begin(b'{')?;
    while let Some(key) = reader.key()? {
        if key == wanted {
            return Ok(());
        }
        member(reader, key, keep, beside)?;
    }
    Err(reader.wrong(format!("it has no `{wanted}`")))
}

/// Reads the rest of an object.
fn pass(
    reader: &mut JsonReader,
    keep: &[&str],
    beside: &mut Map<String, Value>,
) -> Result<(), ImportError> {
    while let Some(key) = reader.key()? {
        member(reader, key, keep, beside)?;
    }
    Ok(())
}

fn member(
    reader: &mut JsonReader,
    key: String,
    keep: &[&str],
    beside: &mut Map<String, Value>,
) -> Result<(), ImportError> {
    if !keep.contains(&key.as_str()) {
        return reader.skip();
    }
    let value = reader.value()?;
    beside.insert(key, value);
    Ok(())
}

impl Iterator for Records {
    type Item = Result<Value, ImportError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.over {
            return None;
        }
        let read = self.read();
        self.over = !matches!(read, Ok(Some(_)));
        read.transpose()
    }
}
