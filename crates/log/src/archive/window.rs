//! Reads a file from its beginning to its end, a large piece at a time.

use std::io;

use super::{MemberEntry, ReadAt};

/// How much of the file is read at once.
const WINDOW: u64 = 1 << 20;

/// A piece of a file in memory, moved on as the file is gone through.
#[derive(Debug)]
pub(crate) struct FileWindow<'a> {
    file: &'a dyn ReadAt,
    bytes: Vec<u8>,
    start: u64,
}

impl<'a> FileWindow<'a> {
    pub(crate) fn new(file: &'a dyn ReadAt) -> Self {
        Self { file, bytes: Vec::new(), start: 0 }
    }

    /// The bytes from a member's local header on, to its end if nothing is wrong with it.
    pub(crate) fn get(&mut self, entry: &MemberEntry, name_length: usize) -> io::Result<&[u8]> {
        // Fixed fields, the name, and more than the extra fields of toolgauge's own samples.
        let length = 30 + name_length as u64 + 100 + entry.packed;
        let end = self.start + self.bytes.len() as u64;
        if entry.offset < self.start || entry.offset.saturating_add(length) > end {
            let length = usize::try_from(length.max(WINDOW)).unwrap_or(usize::MAX);
            let available = self.file.size()?.saturating_sub(entry.offset);
            let length = length.min(usize::try_from(available).unwrap_or(usize::MAX));
            self.bytes.resize(length, 0);
            let got = self.file.read_at(&mut self.bytes, entry.offset)?;
            self.bytes.truncate(got);
            self.start = entry.offset;
        }
        let from = usize::try_from(entry.offset - self.start).unwrap_or(usize::MAX);
        Ok(self.bytes.get(from..).unwrap_or_default())
    }
}
