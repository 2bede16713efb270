//! Adds complete members to the end of a zip file.

use std::fs::File;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::entry::{END, END64, LOCATOR64, local_length, put16, put32, put64, read_parts};
use super::new_directory::NewDirectory;
use super::{LAST_BLOCK, Member, MemberEntry, MemberPart, PackedPiece, Storage};

/// The number of the compression method.
const DEFLATED: u16 = 8;

/// How long a trial may wait for the disk while others follow. A disk needs some milliseconds to
/// confirm, too many for each trial and few for each second.
const SYNC_EVERY: Duration = Duration::from_secs(1);

/// A directory of so many bytes is written in several steps.
const DIRECTORY_PORTION: usize = 1 << 20;

/// A zip file without its directory, growing at its end.
#[derive(Debug)]
pub(crate) struct Appender {
    storage: Box<dyn Storage>,
    /// Where the next entry begins.
    position: u64,
    /// Where the last complete entry ends, for others to see.
    written: Arc<AtomicU64>,
    directory: NewDirectory,
    scratch: Vec<u8>,
    durability: Durability,
}

/// How much of the file the disk surely has.
#[derive(Debug)]
struct Durability {
    /// How long entries may wait for the disk.
    patience: Duration,
    /// When the disk last had everything, or the first entry could be written.
    synced: Instant,
    /// Whether the disk has the name of the file.
    named: bool,
    /// Whether the disk once refused. What was handed over before may be gone since, although a
    /// later attempt succeeds, so there is none.
    failed: bool,
}

impl Appender {
    /// Continues a file at `position`, which is the end of its last complete entry.
    pub(crate) fn new(storage: Box<dyn Storage>, position: u64) -> Self {
        let durability = Durability {
            patience: SYNC_EVERY,
            synced: Instant::now(),
            named: false,
            failed: false,
        };
        let written = Arc::new(AtomicU64::new(position));
        let directory = NewDirectory::default();
        Self { storage, position, written, directory, scratch: Vec::new(), durability }
    }

    /// Where the last complete entry ends, now and later.
    pub(crate) fn written(&self) -> Arc<AtomicU64> {
        self.written.clone()
    }

    /// Enters a member that stands in the file already.
    pub(crate) fn enter(&mut self, name: &str, entry: &MemberEntry) -> io::Result<()> {
        self.directory.insert(name, entry, self.storage.file())
    }

    /// Enters a member that was just written.
    fn enter_last(&mut self, name: &str, entry: &MemberEntry) -> io::Result<()> {
        self.enter(name, entry)?;
        self.written.store(self.position, Ordering::Release);
        Ok(())
    }

    /// Lets entries wait so long for the disk.
    #[cfg(test)]
    pub(crate) fn sync_every(&mut self, patience: Duration) {
        self.durability.patience = patience;
    }

    /// Adds a member, and hands it to the system before returning.
    ///
    /// The entry goes out in one piece: once this returns, the end of the process cannot undo
    /// it, and if the process ends before, what was written of it is a torn tail.
    pub(crate) fn append(&mut self, name: &str, member: &Member) -> io::Result<MemberEntry> {
        self.scratch.clear();
        let entry = write_entry(name, member, self.position, &mut self.scratch)?;
        self.write_scratch()?;
        self.enter_last(name, &entry)?;
        Ok(entry)
    }

    /// Adds members that were made ready elsewhere, with their places counted from the first.
    pub(crate) fn append_ready(&mut self, ready: &mut Ready) -> io::Result<()> {
        let start = self.position;
        self.write(&ready.bytes)?;
        // Nothing is entered before all bytes are out: an entry without its bytes would make the
        // directory wrong.
        for (name, entry) in ready.entries.drain(..) {
            let offset = start + entry.offset;
            self.enter(&name, &MemberEntry { offset, ..entry })?;
        }
        self.written.store(self.position, Ordering::Release);
        Ok(())
    }

    /// Adds a member made of pieces, one after the other, without holding them all in memory.
    pub(crate) fn append_pieces(&mut self, name: &str, pieces: &[PackedPiece]) -> io::Result<()> {
        let whole =
            pieces.iter().map(|piece| piece.part).reduce(MemberPart::then).unwrap_or_default();
        let start = self.position;
        // The header comes before the data, so sizes and checksum are added up before anything is
        // written.
        let packed = whole.packed + LAST_BLOCK.len() as u64;
        let entry = MemberEntry {
            offset: start,
            packed,
            size: whole.size,
            crc: whole.crc,
            method: DEFLATED,
        };
        self.scratch.clear();
        entry.write_local(name, &[], &mut self.scratch);
        let written = self.write_pieces(pieces);
        if let Err(error) = written {
            // The next entry must overwrite the whole half-written one, not only its last piece.
            self.position = start;
            self.cut_off();
            return Err(error);
        }
        self.enter_last(name, &entry)
    }

    fn write_pieces(&mut self, pieces: &[PackedPiece]) -> io::Result<()> {
        self.write_scratch()?;
        let mut position = self.position;
        for piece in pieces {
            piece.for_each(self.storage.file(), |bytes| {
                write_all_at(&*self.storage, bytes, position)?;
                position += bytes.len() as u64;
                Ok(())
            })?;
        }
        self.position = position;
        self.write(&LAST_BLOCK)
    }

    /// Writes the directory, and waits until the disk has everything.
    pub(crate) fn close(mut self) -> io::Result<()> {
        // A directory says that the file is complete, so it must not reach the disk before the
        // rest does.
        self.sync()?;
        let start = self.position;
        if let Err(error) = self.write_directory() {
            self.position = start;
            self.cut_off();
            return Err(error);
        }
        self.written.store(self.position, Ordering::Release);
        self.sync()
    }

    fn write_directory(&mut self) -> io::Result<()> {
        let start = self.position;
        let directory = std::mem::take(&mut self.directory);
        self.scratch.clear();
        let count = directory.write(|records| {
            self.scratch.extend_from_slice(records);
            if self.scratch.len() >= DIRECTORY_PORTION { self.write_scratch() } else { Ok(()) }
        })?;
        if self.position > start {
            // What ends the directory must not reach the disk before the rest of it does.
            self.write_scratch()?;
            self.sync()?;
        }
        let length = self.position - start + self.scratch.len() as u64;
        write_end(count, start, length, &mut self.scratch);
        self.write_scratch()
    }

    /// Waits for the disk if it has been waiting for longer than entries may.
    pub(crate) fn sync_if_due(&mut self) -> io::Result<()> {
        if self.durability.synced.elapsed() < self.durability.patience {
            return Ok(());
        }
        self.sync()
    }

    fn sync(&mut self) -> io::Result<()> {
        self.check_disk()?;
        let storage = &self.storage;
        let named = self.durability.named;
        let synced =
            // A new file can be lost with its folder's entry although its data is on the disk. One
            // sync of the folder is enough, since the name does not change.
            storage.sync().and_then(|()| if named { Ok(()) } else { storage.sync_folder() });
        self.durability.failed = synced.is_err();
        self.durability.named = synced.is_ok();
        self.durability.synced = Instant::now();
        synced
    }

    fn check_disk(&self) -> io::Result<()> {
        if self.durability.failed {
            return Err(io::Error::other("the disk could not keep what was written before"));
        }
        Ok(())
    }

    /// Leaves members out of the directory.
    pub(crate) fn forget<'n>(
        &mut self,
        names: impl IntoIterator<Item = &'n str>,
    ) -> io::Result<()> {
        names.into_iter().try_for_each(|name| self.directory.remove(name, self.storage.file()))
    }

    /// Where the member of that name begins, if there is one.
    pub(crate) fn place(&self, name: &str) -> io::Result<Option<u64>> {
        self.directory.place(name, self.storage.file())
    }

    /// The file itself, to read from.
    pub(crate) fn file(&self) -> &File {
        self.storage.file()
    }

    /// Writes the scratch and makes it empty.
    fn write_scratch(&mut self) -> io::Result<()> {
        // Taken out and put back, so that its room is kept for the next entry.
        let mut scratch = std::mem::take(&mut self.scratch);
        let written = self.write(&scratch);
        scratch.clear();
        self.scratch = scratch;
        written
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.check_disk()?;
        if let Err(error) = write_all_at(&*self.storage, bytes, self.position) {
            self.cut_off();
            return Err(error);
        }
        self.position += bytes.len() as u64;
        Ok(())
    }

    /// A full disk leaves half an entry. Cutting it off is a courtesy: recovery would do it as
    /// well, and the next entry goes to its own place whatever is there.
    fn cut_off(&mut self) {
        let _ = self.storage.set_len(self.position);
    }
}

fn write_all_at(storage: &dyn Storage, mut bytes: &[u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match storage.write_at(bytes, offset) {
            // Trying again would loop for ever.
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => {
                bytes = &bytes[written..];
                offset += written as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Members made ready to be appended together.
#[derive(Debug, Default)]
pub(crate) struct Ready {
    bytes: Vec<u8>,
    entries: Vec<(Box<str>, MemberEntry)>,
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

    /// Adds a member of another file as it is packed there; `member` is its bytes, from its local
    /// header on. `false`, and nothing is added, if they are not such a member.
    pub(crate) fn add_copy(&mut self, name: &str, entry: &MemberEntry, member: &[u8]) -> bool {
        let length = usize::try_from(entry.packed).ok();
        let packed = local_length(member)
            .zip(length)
            .and_then(|(start, length)| member.get(start..start.checked_add(length)?));
        let Some(packed) = packed else { return false };
        let parts: Vec<MemberPart> = read_parts(member).collect();
        let entry = MemberEntry { offset: self.bytes.len() as u64, ..*entry };
        // The header is written anew: what the other file's says beside the directory is not known.
        entry.write_local(name, &parts, &mut self.bytes);
        self.bytes.extend_from_slice(packed);
        self.entries.push((name.into(), entry));
        true
    }
}

/// Appends the entry of a member that begins at `offset`.
fn write_entry(
    name: &str,
    member: &Member,
    offset: u64,
    out: &mut Vec<u8>,
) -> io::Result<MemberEntry> {
    if name.len() > usize::from(u16::MAX) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the name is too long"));
    }
    let packed = member.packed.len() as u64;
    let entry =
        MemberEntry { offset, packed, size: member.size, crc: member.crc, method: DEFLATED };
    // A single part says nothing that the header does not.
    let parts: &[MemberPart] = if member.parts.len() > 1 { &member.parts } else { &[] };
    entry.write_local(name, parts, out);
    out.extend_from_slice(&member.packed);
    Ok(entry)
}

/// Appends what comes after the directory's records, with the 64-bit form where it is needed.
fn write_end(count: u64, start: u64, length: u64, out: &mut Vec<u8>) {
    // The largest value of each field means "see the 64-bit record", so it cannot stand for itself.
    let short = u16::try_from(count).ok().filter(|count| *count < u16::MAX);
    let far = u32::try_from(start + length).ok().filter(|end| *end < u32::MAX);
    if short.is_none() || far.is_none() {
        out.extend_from_slice(&END64);
        // The size of the rest of this record, and twice the version of the format (4.5) that is
        // needed to read it.
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
