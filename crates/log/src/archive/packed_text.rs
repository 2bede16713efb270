//! A member whose text is packed while it is written.

use std::io;

use serde::Serialize;

use super::{Member, MemberBuilder};

/// How much of the text waits to be packed.
const PORTION: usize = 1 << 16;

/// Text of any length, of which only the packed form is in memory: the head of a log names every
/// case.
#[derive(Debug)]
pub(crate) struct PackedText(MemberBuilder);

impl PackedText {
    /// Plain data as JSON.
    pub(crate) fn json(data: &impl Serialize) -> Self {
        let mut packed = Self(MemberBuilder::new());
        serde_json::to_writer(&mut packed, data).expect("plain data");
        packed
    }

    /// The member.
    pub(crate) fn finish(&mut self) -> &Member {
        self.0.finish()
    }
}

impl io::Write for PackedText {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.text().extend_from_slice(bytes);
        if self.0.text().len() >= PORTION {
            self.0.cut();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
