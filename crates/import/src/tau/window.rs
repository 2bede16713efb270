//! A window that moves over a file: bytes that are read, known to be UTF-8, and not yet used.

use std::io::{self, Read};

use memchr::{memchr_iter, memrchr};

use super::error::{TauError, TextPosition};

/// How much is read at a time: enough for few system calls, little enough to stay in a core's
/// own cache until it is used.
const CHUNK: usize = 512 * 1024;

/// The bytes of `source` that are at hand.
pub(super) struct Window<R> {
    source: R,
    bytes: Vec<u8>,
    /// The first byte that is not used yet.
    head: usize,
    /// Up to here the bytes are UTF-8.
    checked: usize,
    /// Up to here there are bytes.
    filled: usize,
    ended: bool,
    /// The place of the first byte of `bytes`.
    place: TextPosition,
}

impl<R: Read> Window<R> {
    pub(super) fn new(source: R) -> Self {
        let place = TextPosition { line: 1, column: 1 };
        Self { source, bytes: Vec::new(), head: 0, checked: 0, filled: 0, ended: false, place }
    }

    /// The bytes at hand.
    pub(super) fn rest(&self) -> &[u8] {
        &self.bytes[self.head..self.checked]
    }

    /// How many bytes are used.
    pub(super) fn used(&self) -> usize {
        self.head
    }

    /// Marks the next `length` bytes as used.
    pub(super) fn take(&mut self, length: usize) {
        self.head += length;
        assert!(self.head <= self.checked, "no more is used than there is");
    }

    /// The place of the byte at `offset` in [`Window::rest`].
    pub(super) fn place(&self, offset: usize) -> TextPosition {
        advance(self.place, &self.bytes[..self.head + offset])
    }

    /// Gets more bytes at hand; gives `false` when there are no more.
    ///
    /// What is at hand doubles at least, so that looking at a large task again and again while
    /// it grows takes no more than twice the time of looking once.
    pub(super) fn more(&mut self) -> Result<bool, TauError> {
        let before = self.checked - self.head;
        if !self.ended {
            self.fill(self.head + CHUNK.max(before * 2)).map_err(TauError::Read)?;
            self.check();
        }
        if self.checked - self.head > before {
            return Ok(true);
        }
        if self.checked < self.filled {
            return Err(TauError::NotUtf8 { place: self.place(self.checked - self.head) });
        }
        Ok(false)
    }

    /// Hands over the bytes so far, used and unused, and goes on with the unused ones in a
    /// buffer whose contents no longer matter.
    pub(super) fn hand_over(&mut self, mut buffer: Vec<u8>) -> Vec<u8> {
        self.place = advance(self.place, &self.bytes[..self.head]);
        let unused = &self.bytes[self.head..self.filled];
        if buffer.len() < unused.len() {
            buffer.resize(unused.len(), 0);
        }
        buffer[..unused.len()].copy_from_slice(unused);
        self.checked -= self.head;
        self.filled -= self.head;
        self.head = 0;
        std::mem::replace(&mut self.bytes, buffer)
    }

    fn fill(&mut self, wanted: usize) -> io::Result<()> {
        if self.bytes.len() < wanted {
            self.bytes.resize(wanted, 0);
        }
        while self.filled < wanted {
            match self.source.read(&mut self.bytes[self.filled..wanted]) {
                Ok(0) => {
                    self.ended = true;
                    break;
                }
                Ok(count) => self.filled += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Checks what is new. A character that is cut off by the end of the bytes waits for the
    /// next time, unless there is none.
    fn check(&mut self) {
        let new = &self.bytes[self.checked..self.filled];
        // Python escapes all else unless told otherwise, and this look is the faster one.
        if new.is_ascii() {
            self.checked = self.filled;
            return;
        }
        match std::str::from_utf8(new) {
            Ok(_) => self.checked = self.filled,
            Err(error) => {
                self.checked += error.valid_up_to();
                // Nothing behind a wrong byte is of use.
                self.ended |= error.error_len().is_some();
            }
        }
    }
}

/// The place after `bytes` that begin at `place`.
fn advance(place: TextPosition, bytes: &[u8]) -> TextPosition {
    let characters = |bytes: &[u8]| {
        let first_bytes = bytes.iter().filter(|byte| (**byte & 0xc0) != 0x80);
        first_bytes.count() as u64
    };
    match memrchr(b'\n', bytes) {
        None => TextPosition { column: place.column + characters(bytes), ..place },
        Some(last) => TextPosition {
            line: place.line + memchr_iter(b'\n', bytes).count() as u64,
            column: 1 + characters(&bytes[last + 1..]),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives one byte at a time, as the slowest pipe would.
    struct Drip<'a>(&'a [u8]);

    impl Read for Drip<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let Some((first, rest)) = self.0.split_first() else { return Ok(0) };
            into[0] = *first;
            self.0 = rest;
            Ok(1)
        }
    }

    #[test]
    fn characters_split_between_reads_are_whole() {
        let text = "\u{1f600}\u{e9}\n".repeat(3);
        let mut window = Window::new(Drip(text.as_bytes()));
        while window.more().unwrap() {}
        assert_eq!(window.rest(), text.as_bytes());
        assert_eq!(window.place(7 + 4), TextPosition { line: 2, column: 2 });
    }

    #[test]
    fn bytes_that_are_no_text_are_named_by_their_place() {
        for bytes in [&b"ab\ncd\xffef"[..], b"ab\ncd\xf0\x9f"] {
            let mut window = Window::new(bytes);
            assert!(window.more().unwrap());
            assert_eq!(window.rest(), b"ab\ncd");
            let error = window.more().unwrap_err();
            assert_eq!(error.to_string(), "line 2, column 3: not UTF-8 text");
        }
    }
}
