//! Unpacks members, within limits that a hostile file cannot talk its way around.

use std::fs::File;
use std::io::{self, Read};

use flate2::{Decompress, FlushDecompress, Status};

use super::entry::{LOCAL_LENGTH, local_length};
use super::{Entry, Part, read_at};

/// Deflate cannot pack tighter than this; who claims more lies.
const TIGHTEST: u64 = 1100;
/// No log of this size or above is packed tighter than so many to one: it is made to burst.
const LARGE: u64 = 64 << 20;
const BELIEVABLE: u64 = 400;
/// The window of a zstd frame that is still unpacked: 128 MiB.
const ZSTD_WINDOW: u32 = 27;

/// Why a member could not be unpacked.
#[derive(Debug, thiserror::Error)]
pub(crate) enum MemberError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("{0}")]
    Damaged(&'static str),
    #[error("it unpacks to {size} bytes, and {limit} is the limit")]
    TooLarge { size: u64, limit: u64 },
    #[error("compression method {0} is not known")]
    Method(u16),
}

const TOO_TIGHT: &str = "no deflated data unpacks to as much as it claims";

/// Unpacks members, keeping its buffers from one to the next.
#[derive(Debug)]
pub(crate) struct Unpacker {
    packed: Vec<u8>,
    inflate: Decompress,
    text: Vec<u8>,
}

impl Unpacker {
    pub(crate) fn new() -> Self {
        Self { packed: Vec::new(), inflate: Decompress::new(false), text: Vec::new() }
    }

    /// All of a member, its checksum verified.
    pub(crate) fn whole(
        &mut self,
        file: &File,
        entry: &Entry,
        limit: u64,
    ) -> Result<&[u8], MemberError> {
        if entry.size > limit {
            return Err(MemberError::TooLarge { size: entry.size, limit });
        }
        self.load(file, entry)?;
        let text = match entry.method {
            0 => &self.packed[..],
            8 => self.inflate(entry, entry.size)?,
            93 => self.unpack_zstd(entry.size)?,
            method => return Err(MemberError::Method(method)),
        };
        if text.len() as u64 != entry.size {
            return Err(MemberError::Damaged("its length is not what its header says"));
        }
        if crc32fast::hash(text) != entry.crc {
            return Err(MemberError::Damaged("its checksum does not match"));
        }
        Ok(text)
    }

    /// The first `wanted` bytes of a deflated member if it has as many. Nothing is verified.
    pub(crate) fn start(
        &mut self,
        file: &File,
        entry: &Entry,
        wanted: u64,
    ) -> Result<&[u8], MemberError> {
        self.load(file, entry)?;
        self.inflate(entry, wanted.min(entry.size))
    }

    /// The text of a part whose packed bytes are at hand. It stays valid until the next call,
    /// and may be added to.
    pub(crate) fn part(&mut self, packed: &[u8], part: Part) -> Result<&mut Vec<u8>, MemberError> {
        if part.size > part.packed.saturating_mul(TIGHTEST).saturating_add(TIGHTEST) {
            return Err(MemberError::Damaged(TOO_TIGHT));
        }
        let size = usize::try_from(part.size).unwrap_or(usize::MAX);
        let filled = inflate(&mut self.inflate, packed, &mut self.text, size)?;
        self.text.truncate(filled);
        if filled != size {
            return Err(MemberError::Damaged("its length is not what its header says"));
        }
        if crc32fast::hash(&self.text) != part.crc {
            return Err(MemberError::Damaged("its checksum does not match"));
        }
        Ok(&mut self.text)
    }

    /// Reads the packed bytes. The name is in the way: the local header says how long it is.
    fn load(&mut self, file: &File, entry: &Entry) -> Result<(), MemberError> {
        if entry.size > LARGE && entry.size / entry.packed.max(1) > BELIEVABLE {
            return Err(MemberError::Damaged("it is packed too tightly to be a log"));
        }
        // One read gets header, name and data of nearly every member.
        let guess = LOCAL_LENGTH as u64 + 200 + entry.packed;
        let length = file.metadata()?.len().saturating_sub(entry.offset);
        if entry.packed > length {
            return Err(MemberError::Damaged("it reaches beyond the end of the file"));
        }
        let guess = usize::try_from(guess.min(length)).unwrap_or(usize::MAX);
        self.packed.resize(guess, 0);
        let got = read_at(file, &mut self.packed, entry.offset)?;
        self.packed.truncate(got);
        let Some(start) = local_length(&self.packed) else {
            return Err(MemberError::Damaged("its header is not where the directory says"));
        };
        let size = usize::try_from(entry.packed).unwrap_or(usize::MAX);
        if start + size > self.packed.len() {
            self.packed.resize(size, 0);
            let got = read_at(file, &mut self.packed, entry.offset + start as u64)?;
            if got < size {
                return Err(MemberError::Damaged("it reaches beyond the end of the file"));
            }
        } else {
            self.packed.truncate(start + size);
            self.packed.drain(..start);
        }
        Ok(())
    }

    fn inflate(&mut self, entry: &Entry, wanted: u64) -> Result<&[u8], MemberError> {
        if entry.size > entry.packed.saturating_mul(TIGHTEST).saturating_add(TIGHTEST) {
            return Err(MemberError::Damaged(TOO_TIGHT));
        }
        let wanted = usize::try_from(wanted).unwrap_or(usize::MAX);
        let filled = inflate(&mut self.inflate, &self.packed, &mut self.text, wanted)?;
        Ok(&self.text[..filled])
    }

    fn unpack_zstd(&mut self, size: u64) -> Result<&[u8], MemberError> {
        let mut decoder = zstd::stream::read::Decoder::with_buffer(&self.packed[..])?;
        decoder.window_log_max(ZSTD_WINDOW)?;
        self.text.clear();
        // One byte more than announced is enough to know that the announcement is wrong.
        decoder.take(size.saturating_add(1)).read_to_end(&mut self.text)?;
        Ok(&self.text)
    }
}

/// Fills the beginning of `text` with as much as `packed` gives, up to `wanted` bytes.
fn inflate(
    inflate: &mut Decompress,
    packed: &[u8],
    text: &mut Vec<u8>,
    wanted: usize,
) -> Result<usize, MemberError> {
    if text.len() < wanted {
        text.resize(wanted, 0);
    }
    inflate.reset(false);
    let (mut read, mut filled) = (0, 0);
    while filled < wanted {
        let before = (read, filled);
        let status = inflate
            .decompress(&packed[read..], &mut text[filled..wanted], FlushDecompress::None)
            .map_err(|_| MemberError::Damaged("its data is not deflated"))?;
        read = usize::try_from(inflate.total_in()).unwrap_or(usize::MAX);
        filled = usize::try_from(inflate.total_out()).unwrap_or(usize::MAX);
        if status == Status::StreamEnd || before == (read, filled) {
            break;
        }
    }
    Ok(filled)
}
