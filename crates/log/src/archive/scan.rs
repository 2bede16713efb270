//! Finds members without a directory, by going from local header to local header.

use std::io;
use std::ops::Range;

use super::entry::{
    CENTRAL, END, END_LENGTH, END64, LOCAL, LOCAL_LENGTH, LOCATOR64, Record, get16, get64,
    read_central, read_local,
};
use super::{FIRST_PARTS, FoundMembers, MemberEntry, ReadAt, Unpacker};

/// How much of the file is looked at in one read.
const PIECE: usize = 512;
/// The longest record there can be: fixed fields, name, extra fields, comment.
const LONGEST_RECORD: usize = 46 + 3 * 65_535;

/// How thoroughly a scan looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Depth {
    /// Every member is unpacked and its checksum verified.
    Verified,
    /// Only the last member is; what a killed process leaves behind is torn nowhere else.
    LastVerified,
}

/// What a scan found.
#[derive(Debug)]
pub(crate) struct Scan {
    /// The complete members, in the order of the file.
    pub(crate) members: FoundMembers,
    /// Where the last complete member or directory ends.
    pub(crate) end: u64,
    /// Stretches before that which are nothing known: from where, to where.
    pub(crate) lost: Vec<(u64, u64)>,
    /// Members that are damaged, but not in their first parts. Only a verifying scan finds them.
    pub(crate) damaged: Vec<Record>,
}

/// Finds every complete member. `limit` is the most bytes a member may unpack to.
pub(crate) fn scan(file: &dyn ReadAt, length: u64, depth: Depth, limit: u64) -> io::Result<Scan> {
    scan_from(file, 0..length, depth, limit)
}

/// Finds every complete member in a part of the file that begins where one began or ended.
pub(crate) fn scan_from(
    file: &dyn ReadAt,
    part: Range<u64>,
    depth: Depth,
    limit: u64,
) -> io::Result<Scan> {
    let Range { start, end: length } = part;
    let mut walk =
        ArchiveWalk { file, length, piece: Vec::new(), unpacker: Unpacker::new(), limit };
    let mut so_far = FoundSoFar {
        records: Vec::new(),
        damaged: Vec::new(),
        lost: Vec::new(),
        lost_since: None,
        end: start,
        patience: length - start,
    };
    let mut at = start;
    while at < length {
        at = match walk.step(at, depth)? {
            ScanStep::Member(record, next) => {
                so_far.records.push(record);
                so_far.go_on(at, next)
            }
            ScanStep::Damaged(record, next) => {
                so_far.damaged.push(record);
                so_far.go_on(at, next)
            }
            ScanStep::Directory(next) => so_far.go_on(at, next),
            ScanStep::Bad { next } => {
                if let Some(from) = so_far.take_back(&mut walk, at, depth)? {
                    // The length was wrong, so whatever follows the header of that member may be
                    // members too.
                    walk.resynchronise(from)?
                } else {
                    so_far.lost_since.get_or_insert(at);
                    next
                }
            }
        }
    }
    if depth == Depth::LastVerified {
        so_far.cut_torn_tail(&mut walk)?;
    }
    // What lies behind the end is a torn tail, which is cut off, and not damage in the middle.
    so_far.lost.retain(|(_, to)| *to <= so_far.end);
    let mut members = FoundMembers::default();
    for record in so_far.records {
        members.add(record);
    }
    Ok(Scan { members, end: so_far.end, lost: so_far.lost, damaged: so_far.damaged })
}

/// What a scan has found on its way.
struct FoundSoFar {
    records: Vec<Record>,
    damaged: Vec<Record>,
    lost: Vec<(u64, u64)>,
    /// Where the stretch began that is nothing known, while the scan is in one.
    lost_since: Option<u64>,
    /// Where the last complete member or directory ends.
    end: u64,
    /// How many bytes may still be looked at a second time. Without a budget, a hostile file in
    /// which many members overlap would make the scan quadratic.
    patience: u64,
}

impl FoundSoFar {
    /// Goes on behind something known, which ends a stretch that is not.
    fn go_on(&mut self, at: u64, next: u64) -> u64 {
        self.lost.extend(self.lost_since.take().map(|since| (since, at)));
        self.end = next;
        next
    }

    /// Takes back the member that ends where nothing begins, if it is not intact; says where it
    /// began. Its length may be wrong, and hide the members that follow it.
    fn take_back(
        &mut self,
        walk: &mut ArchiveWalk<'_>,
        at: u64,
        depth: Depth,
    ) -> io::Result<Option<u64>> {
        // Only the member that ends exactly here can be to blame, and only if nothing was lost
        // since. A verified scan has unpacked it already.
        let is_clean = depth == Depth::LastVerified && self.lost_since.is_none();
        let Some(last) = self.records.last().filter(|last| is_clean && ends(last) == at) else {
            return Ok(None);
        };
        let Some(left) = self.patience.checked_sub(last.entry.packed) else { return Ok(None) };
        self.patience = left;
        if walk.is_intact(last)? {
            return Ok(None);
        }
        let from = last.entry.offset;
        self.records.pop();
        (self.end, self.lost_since) = (from, Some(from));
        Ok(Some(from))
    }

    /// Takes back the last members until one proves whole: a power cut may leave their headers on
    /// the disk without all of their data.
    fn cut_torn_tail(&mut self, walk: &mut ArchiveWalk<'_>) -> io::Result<()> {
        while let Some(last) = self.records.last() {
            if walk.is_intact(last)? {
                break;
            }
            self.end = self.end.min(last.entry.offset);
            self.records.pop();
        }
        Ok(())
    }
}

/// Where a member ends.
fn ends(record: &Record) -> u64 {
    record.entry.offset.saturating_add(record.length as u64).saturating_add(record.entry.packed)
}

/// The first member of the file, if it is complete.
pub(crate) fn first_entry(
    file: &dyn ReadAt,
    length: u64,
    limit: u64,
) -> io::Result<Option<Record>> {
    let mut walk =
        ArchiveWalk { file, length, piece: Vec::new(), unpacker: Unpacker::new(), limit };
    match walk.step(0, Depth::Verified)? {
        ScanStep::Member(record, _) => Ok(Some(record)),
        _ => Ok(None),
    }
}

/// Whether a member still stands where it was found, by its header.
pub(crate) fn is_there(file: &dyn ReadAt, name: &str, entry: &MemberEntry) -> io::Result<bool> {
    let mut head = vec![0; PIECE + name.len()];
    let got = file.read_at(&mut head, entry.offset)?;
    let found = read_local(&head[..got], entry.offset);
    Ok(found.is_some_and(|found| *found.name == *name && found.entry == *entry))
}

enum ScanStep {
    /// A complete member, and where it ends.
    Member(Record, u64),
    /// A member that is damaged behind its first parts, and where it ends.
    Damaged(Record, u64),
    /// A piece of a directory, left behind when a finished log was resumed.
    Directory(u64),
    /// Nothing that can be used; go on there.
    Bad { next: u64 },
}

struct ArchiveWalk<'a> {
    file: &'a dyn ReadAt,
    length: u64,
    piece: Vec<u8>,
    unpacker: Unpacker,
    limit: u64,
}

impl ArchiveWalk<'_> {
    fn step(&mut self, at: u64, depth: Depth) -> io::Result<ScanStep> {
        self.load(at, PIECE)?;
        if self.piece.starts_with(&LOCAL) {
            return self.member(at, depth);
        }
        let length = if self.piece.starts_with(&CENTRAL) {
            // Nearly all records fit into the first read; a long name needs a second one.
            if read_central(&self.piece).is_none() {
                self.load(at, LONGEST_RECORD)?;
            }
            read_central(&self.piece).map(|record| record.length as u64)
        } else if self.piece.starts_with(&END) && self.piece.len() >= END_LENGTH {
            Some(END_LENGTH as u64 + u64::from(get16(&self.piece, 20)))
        } else if self.piece.starts_with(&END64) && self.piece.len() >= 12 {
            // The size that this record gives does not count its own first twelve bytes.
            get64(&self.piece, 4).checked_add(12)
        } else if self.piece.starts_with(&LOCATOR64) {
            Some(20)
        } else {
            None
        };
        match length.and_then(|length| at.checked_add(length)) {
            Some(next) if next <= self.length => Ok(ScanStep::Directory(next)),
            _ => self.bad(at),
        }
    }

    fn member(&mut self, at: u64, depth: Depth) -> io::Result<ScanStep> {
        if read_local(&self.piece, at).is_none() {
            self.load(at, LOCAL_LENGTH + 2 * 65_535)?;
        }
        // A streamed member has its sizes behind its data, so nothing here says where it ends.
        // toolgauge never writes one.
        let Some(record) = read_local(&self.piece, at).filter(|record| !record.streamed) else {
            return self.bad(at);
        };
        let next = ends(&record);
        if next > self.length {
            return self.bad(at);
        }
        if depth == Depth::Verified && !self.is_intact(&record)? {
            // Parts that add up to the member confirm its length, so its end can be believed.
            let readable = self.unpacker.start(self.file, &record.entry, FIRST_PARTS, &[]);
            return match readable {
                Ok(Some(_)) => Ok(ScanStep::Damaged(record, next)),
                _ => self.bad(at),
            };
        }
        Ok(ScanStep::Member(record, next))
    }

    fn is_intact(&mut self, record: &Record) -> io::Result<bool> {
        match self.unpacker.whole(self.file, &record.entry, self.limit) {
            // A member that lost its last bytes may still unpack to all of its text, but not for
            // other programs.
            Ok(_) => Ok(self.unpacker.is_complete(&record.entry)),
            Err(super::MemberError::Io(error))
                // These kinds come from bad data in the file. All others, such as a failing disk,
                // say nothing about the member and must not make a good one count as damaged.
                if error.kind() != io::ErrorKind::Other
                    && error.kind() != io::ErrorKind::UnexpectedEof
                    && error.kind() != io::ErrorKind::InvalidData =>
            {
                Err(error)
            }
            Err(_) => Ok(false),
        }
    }

    fn bad(&mut self, at: u64) -> io::Result<ScanStep> {
        Ok(ScanStep::Bad { next: self.resynchronise(at)? })
    }

    /// The next place after `at` where a member may begin: damage in one member must not hide
    /// those after it.
    fn resynchronise(&mut self, at: u64) -> io::Result<u64> {
        const STRIDE: usize = 1 << 16;
        let mut from = at + 1;
        while from < self.length {
            self.load(from, STRIDE)?;
            if let Some(found) = memchr::memmem::find(&self.piece, b"PK\x03\x04") {
                return Ok(from + found as u64);
            }
            if self.piece.len() < STRIDE {
                break;
            }
            // A signature may lie across the edge of two pieces.
            from += (STRIDE - 3) as u64;
        }
        Ok(self.length)
    }

    fn load(&mut self, at: u64, length: usize) -> io::Result<()> {
        self.piece.resize(length, 0);
        let got = self.file.read_at(&mut self.piece, at)?;
        self.piece.truncate(got);
        Ok(())
    }
}
