//! What a copy changes in a text, so that all the rest need not be copied.

use std::ops::Range;

/// Replacements in the text of a [`Batch`](super::Batch), in its order.
#[derive(Debug, Default)]
pub struct Edits {
    /// What is replaced, and where in `text` its replacement ends; it begins where the one before
    /// ended.
    edits: Vec<(Range<usize>, usize)>,
    text: Vec<u8>,
}

impl Edits {
    /// Forgets all edits, but not the room they took.
    pub fn clear(&mut self) {
        self.edits.clear();
        self.text.clear();
    }

    /// Puts what `write` appends in the place of `replaced`, which lies behind all before.
    pub(super) fn push(&mut self, replaced: Range<usize>, write: impl FnOnce(&mut Vec<u8>)) {
        let before = self.edits.last().map_or(0, |(replaced, _)| replaced.end);
        assert!(before <= replaced.start, "edits come in the order of the text");
        write(&mut self.text);
        self.edits.push((replaced, self.text.len()));
    }

    /// The pieces of `bytes[span]` with the edits made, none of them empty. The edits must lie
    /// within the span.
    pub(super) fn pieces<'a>(&'a self, bytes: &'a [u8], span: Range<usize>) -> Vec<&'a [u8]> {
        let mut pieces = Vec::with_capacity(2 * self.edits.len() + 1);
        let (mut at, mut written) = (span.start, 0);
        for (replaced, end) in &self.edits {
            pieces.push(&bytes[at..replaced.start]);
            pieces.push(&self.text[written..*end]);
            (at, written) = (replaced.end, *end);
        }
        pieces.push(&bytes[at..span.end]);
        pieces.retain(|piece| !piece.is_empty());
        pieces
    }
}
