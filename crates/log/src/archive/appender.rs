//! Adds complete members to the end of a zip file.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};

use super::entry::{END, END64, LOCATOR64, put16, put32, put64};
use super::{Entries, Entry, LAST_BLOCK, Member, Part, Piece};

/// The number of the compression method.
const DEFLATED: u16 = 8;

/// A zip file without its directory, growing at its end.
#[derive(Debug)]
pub(crate) struct Appender {
    file: File,
    /// A second handle to read by. Opened at the start: when a run ends there may be none left.
    reading: File,
    /// Where the next entry begins.
    position: u64,
    entries: Entries,
    scratch: Vec<u8>,
}

impl Appender {
    /// Continues `file` at `position`, which is the end of its last complete entry.
    pub(crate) fn new(mut file: File, position: u64, entries: Entries) -> io::Result<Self> {
        file.seek(SeekFrom::Start(position))?;
        let reading = file.try_clone()?;
        Ok(Self { file, reading, position, entries, scratch: Vec::new() })
    }

    /// Adds a member, and hands it to the system before returning.
    ///
    /// The entry goes out in one piece: once this returns, the end of the process cannot undo
    /// it, and if the process ends before, what was written of it is a torn tail.
    pub(crate) fn append(&mut self, name: &str, member: &Member) -> io::Result<()> {
        self.scratch.clear();
        let entry = write_entry(name, member, self.position, &mut self.scratch)?;
        self.write_scratch()?;
        self.entries.insert(name.into(), entry);
        Ok(())
    }

    /// Adds members that were made ready elsewhere, with their places counted from the first.
    pub(crate) fn append_ready(&mut self, ready: &mut Ready) -> io::Result<()> {
        let start = self.position;
        if let Err(error) = self.file.write_all(&ready.bytes) {
            self.cut_off();
            return Err(error);
        }
        self.position += ready.bytes.len() as u64;
        self.entries.extend(ready.entries.drain(..).map(|(name, entry)| {
            let offset = start + entry.offset;
            (name, Entry { offset, ..entry })
        }));
        Ok(())
    }

    /// Adds a member made of pieces, one after the other, without holding them all in memory.
    pub(crate) fn append_pieces(&mut self, name: &str, pieces: &[Piece]) -> io::Result<()> {
        let whole = pieces.iter().map(|piece| piece.part).reduce(Part::then).unwrap_or_default();
        let start = self.position;
        let packed = whole.packed + LAST_BLOCK.len() as u64;
        let entry =
            Entry { offset: start, packed, size: whole.size, crc: whole.crc, method: DEFLATED };
        self.scratch.clear();
        entry.write_local(name, &[], &mut self.scratch);
        let written = self.write_pieces(pieces);
        if let Err(error) = written {
            self.position = start;
            self.cut_off();
            return Err(error);
        }
        self.entries.insert(name.into(), entry);
        Ok(())
    }

    fn write_pieces(&mut self, pieces: &[Piece]) -> io::Result<()> {
        self.write_scratch()?;
        for piece in pieces {
            piece.for_each(&self.reading, |bytes| {
                self.file.write_all(bytes)?;
                self.position += bytes.len() as u64;
                Ok(())
            })?;
        }
        self.scratch.clear();
        self.scratch.extend_from_slice(&LAST_BLOCK);
        self.write_scratch()
    }

    /// Writes the directory, and waits until the disk has everything.
    pub(crate) fn close(mut self) -> io::Result<()> {
        let start = self.position;
        self.scratch.clear();
        for (name, entry) in &self.entries {
            entry.write_central(name, &mut self.scratch);
        }
        let length = self.scratch.len() as u64;
        write_end(self.entries.len() as u64, start, length, &mut self.scratch);
        self.write_scratch()?;
        self.file.sync_all()
    }

    /// Leaves a member out of the directory.
    pub(crate) fn forget(&mut self, name: &str) {
        self.entries.shift_remove(name);
    }

    /// The members so far.
    pub(crate) fn entries(&self) -> &Entries {
        &self.entries
    }

    /// The file itself, to read from.
    pub(crate) fn file(&self) -> &File {
        &self.file
    }

    fn write_scratch(&mut self) -> io::Result<()> {
        let written = self.file.write_all(&self.scratch);
        if let Err(error) = written {
            self.cut_off();
            return Err(error);
        }
        self.position += self.scratch.len() as u64;
        Ok(())
    }

    /// A full disk leaves half an entry. Cutting it off is a courtesy: recovery would do it as
    /// well.
    fn cut_off(&mut self) {
        let _ = self.file.set_len(self.position);
        let _ = self.file.seek(SeekFrom::Start(self.position));
    }
}

/// Members made ready to be appended together.
#[derive(Debug, Default)]
pub(crate) struct Ready {
    bytes: Vec<u8>,
    entries: Vec<(Box<str>, Entry)>,
}

impl Ready {
    /// Makes it empty, but for its room.
    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
        self.entries.clear();
    }

    /// Adds a member.
    pub(crate) fn add(&mut self, name: &str, member: &Member) -> io::Result<()> {
        let entry = write_entry(name, member, self.bytes.len() as u64, &mut self.bytes)?;
        self.entries.push((name.into(), entry));
        Ok(())
    }
}

/// Appends the entry of a member that begins at `offset`.
fn write_entry(name: &str, member: &Member, offset: u64, out: &mut Vec<u8>) -> io::Result<Entry> {
    if name.len() > usize::from(u16::MAX) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the name is too long"));
    }
    let packed = member.packed.len() as u64;
    let entry = Entry { offset, packed, size: member.size, crc: member.crc, method: DEFLATED };
    let parts: &[Part] = if member.parts.len() > 1 { &member.parts } else { &[] };
    entry.write_local(name, parts, out);
    out.extend_from_slice(&member.packed);
    Ok(entry)
}

/// Appends what comes after the directory's records, with the 64-bit form where it is needed.
fn write_end(count: u64, start: u64, length: u64, out: &mut Vec<u8>) {
    let short = u16::try_from(count).ok().filter(|count| *count < u16::MAX);
    let far = u32::try_from(start + length).ok().filter(|end| *end < u32::MAX);
    if short.is_none() || far.is_none() {
        out.extend_from_slice(&END64);
        put64(out, 44);
        put16(out, 45);
        put16(out, 45);
        put64(out, 0);
        put64(out, count);
        put64(out, count);
        put64(out, length);
        put64(out, start);
        out.extend_from_slice(&LOCATOR64);
        put32(out, 0);
        put64(out, start + length);
        put32(out, 1);
    }
    out.extend_from_slice(&END);
    put32(out, 0);
    put16(out, short.unwrap_or(u16::MAX));
    put16(out, short.unwrap_or(u16::MAX));
    put32(out, u32::try_from(length).unwrap_or(u32::MAX));
    put32(out, far.map_or(u32::MAX, |_| u32::try_from(start).unwrap_or(u32::MAX)));
    put16(out, 0);
}
