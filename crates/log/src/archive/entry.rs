//! One member of a zip file: its local header and its record in the directory.

use indexmap::IndexMap;
use indexmap::map::Entry as Slot;

use super::{LAST_BLOCK, MemberPart};

/// Every member by name; of several with one name the last counts.
pub(crate) type Entries = IndexMap<Box<str>, MemberEntry, foldhash::fast::RandomState>;

/// Members as they were found.
#[derive(Debug, Default)]
pub(crate) struct FoundMembers {
    /// By name; of several with one name the last.
    pub(crate) entries: Entries,
    /// Those before it, in the order of the file.
    pub(crate) superseded: Vec<(Box<str>, MemberEntry)>,
}

impl FoundMembers {
    pub(crate) fn add(&mut self, record: Record) {
        match self.entries.entry(record.name) {
            Slot::Occupied(mut known) => {
                let older = known.insert(record.entry);
                self.superseded.push((known.key().clone(), older));
            }
            Slot::Vacant(new) => drop(new.insert(record.entry)),
        }
    }
}

/// Where a member is and how it is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MemberEntry {
    /// Where its local header begins.
    pub(crate) offset: u64,
    /// How many bytes it takes in the file.
    pub(crate) packed: u64,
    /// How many bytes it is unpacked.
    pub(crate) size: u64,
    /// The CRC-32 of the unpacked bytes.
    pub(crate) crc: u32,
    /// 0 stored, 8 deflate, 93 zstd.
    pub(crate) method: u16,
}

pub(crate) const LOCAL: [u8; 4] = *b"PK\x03\x04";
pub(crate) const CENTRAL: [u8; 4] = *b"PK\x01\x02";
pub(crate) const END: [u8; 4] = *b"PK\x05\x06";
pub(crate) const END64: [u8; 4] = *b"PK\x06\x06";
pub(crate) const LOCATOR64: [u8; 4] = *b"PK\x06\x07";

pub(crate) const LOCAL_LENGTH: usize = 30;
pub(crate) const CENTRAL_LENGTH: usize = 46;
pub(crate) const END_LENGTH: usize = 22;

/// Names are UTF-8 (bit 11); bit 3, sizes after the data, is never set.
const FLAGS: u16 = 1 << 11;
/// 1 January 1980, midnight: a log says when things happened where it can say it exactly.
const DATE: u16 = 0x21;
const MAX32: u64 = u32::MAX as u64;
/// The extra field that tells of what parts a member is made: `TG`.
const PARTS: u16 = 0x4754;
/// How many bytes it takes for each part.
const PART_LENGTH: usize = 12;

/// More parts than any member of a log has.
const MOST_PARTS: usize = 8;

fn low16(value: usize) -> u16 {
    u16::try_from(value).unwrap_or(u16::MAX)
}

fn low32(value: u64) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

impl MemberEntry {
    /// Whether all parts together, as `whole`, are this member.
    pub(crate) fn is_made_of(&self, whole: MemberPart) -> bool {
        let packed = whole.packed + LAST_BLOCK.len() as u64;
        (packed, whole.size, whole.crc) == (self.packed, self.size, self.crc)
    }

    /// Appends the local header to `out`. What parts a member is made of stands in an extra field
    /// that other programs pass over; a large member does without.
    pub(crate) fn write_local(&self, name: &str, parts: &[MemberPart], out: &mut Vec<u8>) {
        let large = self.size >= MAX32 || self.packed >= MAX32;
        let parts = if large || parts.len() > MOST_PARTS { &[] } else { parts };
        let parts_length = PART_LENGTH * parts.len();
        let extra =
            // The format wants both sizes in the local header, even if only one of them is too
            // large.
            if large { 20 } else { 0 } + if parts.is_empty() { 0 } else { 4 + parts_length };
        out.extend_from_slice(&LOCAL);
        self.write_shared(large, large, out);
        put16(out, name_length(name));
        put16(out, low16(extra));
        out.extend_from_slice(name.as_bytes());
        if large {
            put16(out, 1);
            put16(out, 16);
            put64(out, self.size);
            put64(out, self.packed);
        }
        if !parts.is_empty() {
            put16(out, PARTS);
            put16(out, low16(parts_length));
            for part in parts {
                put32(out, low32(part.packed));
                put32(out, low32(part.size));
                put32(out, part.crc);
            }
        }
    }

    /// Appends the record of the directory to `out`.
    pub(crate) fn write_central(&self, name: &str, out: &mut Vec<u8>) {
        let large = self.size >= MAX32 || self.packed >= MAX32;
        let far = self.offset >= MAX32;
        let extra = if large { 16 } else { 0 } + if far { 8 } else { 0 };
        out.extend_from_slice(&CENTRAL);
        // Made by version 4.5 of the format, the first with 64-bit sizes.
        put16(out, 45);
        self.write_shared(large || far, large, out);
        put16(out, name_length(name));
        // Four bytes more than the values: the extra field begins with its number and its length.
        put16(out, if extra > 0 { extra + 4 } else { 0 });
        // No comment, the first disk, no attributes.
        out.extend_from_slice(&[0; 10]);
        put32(out, low32(self.offset));
        out.extend_from_slice(name.as_bytes());
        if extra > 0 {
            put16(out, 1);
            put16(out, extra);
        }
        if large {
            put64(out, self.size);
            put64(out, self.packed);
        }
        if far {
            put64(out, self.offset);
        }
    }

    /// The fields that the local header and the directory have in common.
    fn write_shared(&self, zip64: bool, large: bool, out: &mut Vec<u8>) {
        // The version a reader needs: 2.0 for deflate, 4.5 for 64-bit fields.
        put16(out, if zip64 { 45 } else { 20 });
        put16(out, FLAGS);
        put16(out, self.method);
        put16(out, 0);
        put16(out, DATE);
        put32(out, self.crc);
        put32(out, if large { u32::MAX } else { low32(self.packed) });
        put32(out, if large { u32::MAX } else { low32(self.size) });
    }
}

/// A record as read, with the length of its variable parts.
#[derive(Debug)]
pub(crate) struct Record {
    pub(crate) name: Box<str>,
    pub(crate) entry: MemberEntry,
    /// The length of the whole record.
    pub(crate) length: usize,
    /// Whether the sizes come after the data, so that the header does not know them.
    pub(crate) streamed: bool,
}

/// Reads the record of the directory at the start of `bytes`.
pub(crate) fn read_central(bytes: &[u8]) -> Option<Record> {
    let head = bytes.get(..CENTRAL_LENGTH).filter(|head| head.starts_with(&CENTRAL))?;
    let (name, extra, comment) = (get16(head, 28), get16(head, 30), get16(head, 32));
    let name_end = CENTRAL_LENGTH + usize::from(name);
    let extra_end = name_end + usize::from(extra);
    let mut entry = MemberEntry {
        offset: u64::from(get32(head, 42)),
        packed: u64::from(get32(head, 20)),
        size: u64::from(get32(head, 24)),
        crc: get32(head, 16),
        method: get16(head, 10),
    };
    read_zip64(bytes.get(name_end..extra_end)?, &mut entry);
    Some(Record {
        name: text(bytes.get(CENTRAL_LENGTH..name_end)?),
        entry,
        length: extra_end + usize::from(comment),
        streamed: false,
    })
}

/// Reads the local header at the start of `bytes`, which stand at `offset` in the file.
pub(crate) fn read_local(bytes: &[u8], offset: u64) -> Option<Record> {
    let head = bytes.get(..LOCAL_LENGTH).filter(|head| head.starts_with(&LOCAL))?;
    let name_end = LOCAL_LENGTH + usize::from(get16(head, 26));
    let extra_end = name_end + usize::from(get16(head, 28));
    let mut entry = MemberEntry {
        offset,
        packed: u64::from(get32(head, 18)),
        size: u64::from(get32(head, 22)),
        crc: get32(head, 14),
        method: get16(head, 8),
    };
    read_zip64(bytes.get(name_end..extra_end)?, &mut entry);
    // Where the header was found is where it is, whatever an extra field claims.
    entry.offset = offset;
    Some(Record {
        name: text(bytes.get(LOCAL_LENGTH..name_end)?),
        entry,
        length: extra_end,
        streamed: get16(head, 6) & 8 != 0,
    })
}

/// How long the local header at the start of `head` is, name and extra fields included.
pub(crate) fn local_length(head: &[u8]) -> Option<usize> {
    let head = head.get(..LOCAL_LENGTH).filter(|head| head.starts_with(&LOCAL))?;
    Some(LOCAL_LENGTH + usize::from(get16(head, 26)) + usize::from(get16(head, 28)))
}

/// What parts a member is made of, by its local header at the start of `bytes`; none if it does
/// not say.
pub(crate) fn read_parts(bytes: &[u8]) -> impl ExactSizeIterator<Item = MemberPart> {
    let data = parts_field(bytes).unwrap_or_default();
    data.chunks_exact(PART_LENGTH).map(|data| MemberPart {
        packed: u64::from(get32(data, 0)),
        size: u64::from(get32(data, 4)),
        crc: get32(data, 8),
    })
}

fn parts_field(bytes: &[u8]) -> Option<&[u8]> {
    let end = local_length(bytes)?;
    let name_end = LOCAL_LENGTH + usize::from(get16(bytes, 26));
    let mut extra = bytes.get(name_end..end)?;
    while extra.len() >= 4 {
        let (id, length) = (get16(extra, 0), usize::from(get16(extra, 2)));
        let data = extra.get(4..4 + length)?;
        if id == PARTS {
            return Some(data);
        }
        extra = &extra[4 + length..];
    }
    None
}

/// Replaces those fields that are too large for 32 bits by what the extra fields say.
fn read_zip64(mut extra: &[u8], entry: &mut MemberEntry) {
    while extra.len() >= 4 {
        let (id, length) = (get16(extra, 0), usize::from(get16(extra, 2)));
        let Some(mut data) = extra.get(4..4 + length) else { return };
        if id == 1 {
            for field in [&mut entry.size, &mut entry.packed, &mut entry.offset] {
                // The extra field holds only those values that did not fit, in this order.
                if *field == MAX32 && data.len() >= 8 {
                    *field = get64(data, 0);
                    data = &data[8..];
                }
            }
        }
        extra = &extra[4 + length..];
    }
}

fn text(bytes: &[u8]) -> Box<str> {
    String::from_utf8_lossy(bytes).into()
}

fn name_length(name: &str) -> u16 {
    u16::try_from(name.len()).expect("the appender refuses longer names")
}

pub(crate) fn put16(out: &mut Vec<u8>, value: u16) {
    out.extend_from_slice(&value.to_le_bytes());
}

pub(crate) fn put32(out: &mut Vec<u8>, value: u32) {
    out.extend_from_slice(&value.to_le_bytes());
}

pub(crate) fn put64(out: &mut Vec<u8>, value: u64) {
    out.extend_from_slice(&value.to_le_bytes());
}

pub(crate) fn get16(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

pub(crate) fn get32(bytes: &[u8], at: usize) -> u32 {
    u32::from(get16(bytes, at)) | u32::from(get16(bytes, at + 2)) << 16
}

pub(crate) fn get64(bytes: &[u8], at: usize) -> u64 {
    u64::from(get32(bytes, at)) | u64::from(get32(bytes, at + 4)) << 32
}
