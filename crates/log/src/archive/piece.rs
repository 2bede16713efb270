//! Packed text that becomes part of a larger member.

use std::fs::File;
use std::io;

use super::{MemberBuilder, MemberPart, ReadAt};

/// How much is copied from one place of the file to another at a time.
const COPIED_AT_ONCE: u64 = 1 << 20;

/// Packed text that refers to nothing outside itself.
#[derive(Debug)]
pub(crate) struct PackedPiece {
    pub(crate) part: MemberPart,
    packed: Packed,
}

#[derive(Debug)]
enum Packed {
    Here(Vec<u8>),
    InFile { offset: u64 },
}

impl PackedPiece {
    /// Text that is packed now.
    pub(crate) fn of(text: &[u8]) -> Self {
        let mut builder = MemberBuilder::new();
        builder.text().extend_from_slice(text);
        let (packed, part) = builder.into_part();
        Self { part, packed: Packed::Here(packed) }
    }

    /// A part of a member that is in the file already.
    pub(crate) fn in_file(offset: u64, part: MemberPart) -> Self {
        Self { part, packed: Packed::InFile { offset } }
    }

    /// Hands out the packed bytes, a portion at a time.
    pub(super) fn for_each(
        &self,
        file: &File,
        mut take: impl FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        let offset = match &self.packed {
            Packed::Here(packed) => return take(packed),
            Packed::InFile { offset } => *offset,
        };
        let mut portion = Vec::new();
        let mut copied = 0;
        while copied < self.part.packed {
            let length = COPIED_AT_ONCE.min(self.part.packed - copied);
            portion.resize(usize::try_from(length).expect("a portion is small"), 0);
            if file.read_at(&mut portion, offset + copied)? < portion.len() {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            take(&portion)?;
            copied += length;
        }
        Ok(())
    }
}
