//! The records of a file: the items of a list, wherever in the file it is, or one value a line.

use std::path::Path;

use serde_json::{Map, Value};

use crate::json_reader::JsonReader;
use crate::python_json::Node;
use crate::{ImportError, ResultKind};

/// Records one after the other.
pub(crate) struct Records {
    reader: JsonReader,
    place: RecordPlace,
    /// What stands beside the list in the objects around it, as far as it was asked for.
    pub(crate) beside: Map<String, Value>,
    keep: &'static [&'static str],
    /// The names under which the innermost object may have a list of records.
    lists: Vec<String>,
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
        let within = within.and_then(<[&str]>::split_last);
        let Some((last, outer)) = within else { return Self::open_lists(path, kind, None, keep) };
        Self::open_lists(path, kind, Some((outer, std::slice::from_ref(last))), keep)
    }

    /// The same, where the innermost object may have several lists, one of them at least.
    pub(crate) fn open_lists(
        path: &Path,
        kind: ResultKind,
        within: Option<(&[&str], &[&str])>,
        keep: &'static [&'static str],
    ) -> Result<Self, ImportError> {
        let reader = JsonReader::open(path, kind)?;
        let (place, beside, lists) = (RecordPlace::Values, Map::new(), Vec::new());
        let mut records = Self { reader, place, beside, keep, lists, over: false };
        if let (Some((outer, lists)), Some(b'{')) = (within, records.reader.peek()?) {
            for wanted in outer {
                descend(&mut records.reader, wanted, keep, &mut records.beside)?;
            }
            records.lists = lists.iter().map(|&name| name.to_owned()).collect();
            records.place = RecordPlace::List { within: outer.len() + 1 };
            records.reader.begin(b'{')?;
            if !records.next_list()? {
                let wanted = lists.first().copied().unwrap_or_default();
                return Err(records.reader.wrong(format!("it has no `{wanted}`")));
            }
        } else if records.reader.peek()? == Some(b'[') {
            records.reader.begin(b'[')?;
            records.place = RecordPlace::List { within: 0 };
        }
        Ok(records)
    }

    /// Goes on to the next list of records in the innermost object. If there is none, the object
    /// is left.
    fn next_list(&mut self) -> Result<bool, ImportError> {
        while let Some(key) = self.reader.key()? {
            let is_list = self.lists.contains(&key);
            // Where there may be several lists, one of them may be left out as `null`.
            if is_list && (self.lists.len() == 1 || self.reader.peek()? == Some(b'[')) {
                self.reader.begin(b'[')?;
                return Ok(true);
            }
            member(&mut self.reader, key, self.keep, &mut self.beside)?;
        }
        Ok(false)
    }

    /// Goes to the next record. False at the end of the file.
    fn advance(&mut self) -> Result<bool, ImportError> {
        let RecordPlace::List { within } = self.place else {
            return Ok(self.reader.peek()?.is_some());
        };
        while !self.reader.item()? {
            if within > 0 && self.next_list()? {
                continue;
            }
            for _ in 1..within {
                pass(&mut self.reader, self.keep, &mut self.beside)?;
            }
            self.reader.end()?;
            return Ok(false);
        }
        Ok(true)
    }

    /// Of the next record the members of these names.
    pub(crate) fn next_members(&mut self, names: &[&str]) -> Option<Result<Value, ImportError>> {
        self.next_by(|reader| reader.members(names))
    }

    /// What is made of the next record.
    pub(crate) fn next_made<T>(
        &mut self,
        make: impl FnMut(&Node<'_>) -> T,
    ) -> Option<Result<T, ImportError>> {
        self.next_by(|reader| reader.made(make))
    }

    fn next_by<T>(
        &mut self,
        read: impl FnOnce(&mut JsonReader) -> Result<T, ImportError>,
    ) -> Option<Result<T, ImportError>> {
        if self.over {
            return None;
        }
        let value = match self.advance() {
            Ok(true) => Some(read(&mut self.reader)),
            Ok(false) => None,
            Err(error) => Some(Err(error)),
        };
        self.over = !matches!(value, Some(Ok(_)));
        value
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
        self.next_by(JsonReader::value)
    }
}
