//! The zip file a log is: written entry by entry, read by its directory or by scanning.
//!
//! Written by hand because a log is also a journal. Each entry is complete once it is written
//! (sizes in its own header, no data descriptor), so that entries can be found without a
//! directory, and the directory can be left to the end.

mod appender;
mod bits;
mod deflate;
mod deflater;
mod directory;
mod entry;
mod file;
mod member;
mod new_directory;
mod packed_text;
mod piece;
mod scan;
mod storage;
mod window;

pub(crate) use appender::{Appender, Ready};
pub(crate) use deflate::{LAST_BLOCK, Member, MemberBuilder, MemberPart, Segment};
pub(crate) use directory::read_directory;
pub(crate) use entry::{Entries, FoundMembers, LOCAL, MemberEntry, local_length, read_parts};
pub use file::ReadAt;
pub(crate) use file::open_log;
pub(crate) use member::{MemberError, Unpacker};
pub(crate) use packed_text::PackedText;
pub(crate) use piece::PackedPiece;
pub(crate) use scan::{Depth, Scan, first_entry, is_there, scan, scan_from};
pub(crate) use storage::{DiskFile, Storage};
pub(crate) use window::FileWindow;

/// Of the parts of one of toolgauge's samples, those that most trials can be read from.
pub(crate) const FIRST_PARTS: usize = 2;
