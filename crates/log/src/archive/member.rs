//! Unpacks members, within limits that a hostile file cannot talk its way around.

use std::io::{self, Read};
use std::ops::Range;

use flate2::{Decompress, FlushDecompress, Status};
use ruzstd::decoding::StreamingDecoder;

use super::deflate::plain;
use super::entry::{LOCAL_LENGTH, local_length, read_parts};
use super::{LAST_BLOCK, MemberEntry, MemberPart, ReadAt};

/// Deflate cannot pack tighter than 1,032 to one, so a header that claims more than this is wrong.
const TIGHTEST: u64 = 1100;
/// A member of this size or above that is packed tighter than `BELIEVABLE` to one was made to fill
/// the memory.
const LARGE: u64 = 64 << 20;
const BELIEVABLE: u64 = 400;

/// How much of a file is read ahead. It stays in the processor's cache until it is used.
const AHEAD: u64 = 256 << 10;

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
const NOT_DEFLATED: &str = "its data is not deflated";
const WRONG_LENGTH: &str = "its length is not what its header says";
const BEYOND_END: &str = "it reaches beyond the end of the file";
const WRONG_CHECKSUM: &str = "its checksum does not match";

/// Unpacks members, keeping its buffers from one to the next.
#[derive(Debug)]
pub(crate) struct Unpacker {
    /// What was read of the file last, and where in the file it begins.
    bytes: Vec<u8>,
    start: u64,
    /// How much is read at least, where members lie one behind the other.
    ahead: u64,
    /// Where the packed data of the member is among those bytes.
    packed: Range<usize>,
    /// What parts the packed bytes say they are made of.
    parts: Vec<MemberPart>,
    inflate: Decompress,
    text: Vec<u8>,
}

impl Unpacker {
    pub(crate) fn new() -> Self {
        Self {
            bytes: Vec::new(),
            start: 0,
            ahead: 0,
            packed: 0..0,
            parts: Vec::new(),
            inflate: Decompress::new(false),
            text: Vec::new(),
        }
    }

    /// For members of one file that are read one after another: many of them come with one call
    /// of the system. Such an unpacker must not be used for another file.
    pub(crate) fn reading_ahead() -> Self {
        Self { ahead: AHEAD, ..Self::new() }
    }

    /// All of a member, its checksum verified.
    pub(crate) fn whole(
        &mut self,
        file: &dyn ReadAt,
        entry: &MemberEntry,
        limit: u64,
    ) -> Result<&[u8], MemberError> {
        if entry.size > limit {
            return Err(MemberError::TooLarge { size: entry.size, limit });
        }
        self.load(file, entry)?;
        let text = match entry.method {
            0 => &self.bytes[self.packed.clone()],
            8 => self.inflate(entry, entry.size)?,
            93 => self.unpack_zstd(entry.size)?,
            method => return Err(MemberError::Method(method)),
        };
        if text.len() as u64 != entry.size {
            return Err(MemberError::Damaged(WRONG_LENGTH));
        }
        if crc32fast::hash(text) != entry.crc {
            return Err(MemberError::Damaged(WRONG_CHECKSUM));
        }
        Ok(text)
    }

    /// The first parts of a deflated member, each verified by its own checksum, and `end` behind
    /// them. `None` where the member does not say what parts it has, or where they do not check:
    /// then all of it must be looked at.
    pub(crate) fn start(
        &mut self,
        file: &dyn ReadAt,
        entry: &MemberEntry,
        count: usize,
        end: &[u8],
    ) -> Result<Option<&[u8]>, MemberError> {
        self.load(file, entry)?;
        if !has_parts(entry, &self.parts) {
            return Ok(None);
        }
        let (mut read, mut filled) = (0, 0);
        for part in self.parts.iter().take(count) {
            // Parts refer to nothing outside themselves, so each can be unpacked on its own.
            let packed = read..read + usize::try_from(part.packed).unwrap_or(usize::MAX);
            let text = filled..filled + usize::try_from(part.size).unwrap_or(usize::MAX);
            (read, filled) = (packed.end, text.end);
            lengthen(&mut self.text, filled);
            let text = &mut self.text[text];
            let member = &self.bytes[self.packed.clone()];
            let Some(packed) = member.get(packed) else { return Ok(None) };
            let whole = inflate(&mut self.inflate, packed, text);
            if whole.ok() != Some(text.len()) || crc32fast::hash(text) != part.crc {
                return Ok(None);
            }
        }
        lengthen(&mut self.text, filled + end.len());
        self.text[filled..filled + end.len()].copy_from_slice(end);
        Ok(Some(&self.text[..filled + end.len()]))
    }

    /// Unpacks the first bytes of the deflated member that was loaded last, and says how many
    /// [`Self::text`] has then. Nothing is verified.
    pub(crate) fn beginning(
        &mut self,
        entry: &MemberEntry,
        wanted: u64,
    ) -> Result<usize, MemberError> {
        Ok(self.inflate(entry, wanted.min(entry.size))?.len())
    }

    /// So much of the text that was unpacked last.
    pub(crate) fn text(&self, length: usize) -> &[u8] {
        &self.text[..length]
    }

    /// Verifies the deflated member that was loaded last, without keeping its text. Says how many
    /// of its packed bytes that took.
    pub(crate) fn verify(&self, entry: &MemberEntry) -> Result<u64, MemberError> {
        let packed = &self.bytes[self.packed.clone()];
        // One byte more than announced is enough to see that the announcement is wrong.
        let mut text = flate2::read::DeflateDecoder::new(packed).take(entry.size + 1);
        let (mut crc, mut size) = (crc32fast::Hasher::new(), 0);
        let mut piece = vec![0; 1 << 16];
        loop {
            let got = text.read(&mut piece).map_err(|_| MemberError::Damaged(NOT_DEFLATED))?;
            if got == 0 {
                break;
            }
            crc.update(&piece[..got]);
            size += got as u64;
        }
        match (size == entry.size, crc.finalize() == entry.crc) {
            (true, true) => Ok(text.get_ref().total_in()),
            (true, false) => Err(MemberError::Damaged(WRONG_CHECKSUM)),
            (false, _) => Err(MemberError::Damaged(WRONG_LENGTH)),
        }
    }

    /// Whether the packed bytes of the member that was loaded last end where its header says.
    pub(crate) fn is_complete(&self, entry: &MemberEntry) -> bool {
        // Parts that add up to the member need not be unpacked a second time.
        entry.method != 8
            || has_parts(entry, &self.parts)
            || self.verify(entry).is_ok_and(|taken| taken == entry.packed)
    }

    /// The text of a part whose packed bytes are at hand. It stays valid until the next call,
    /// and may be added to.
    pub(crate) fn part(
        &mut self,
        packed: &[u8],
        part: MemberPart,
    ) -> Result<&mut Vec<u8>, MemberError> {
        if part.size > part.packed.saturating_mul(TIGHTEST).saturating_add(TIGHTEST) {
            return Err(MemberError::Damaged(TOO_TIGHT));
        }
        let size = usize::try_from(part.size).unwrap_or(usize::MAX);
        self.text.resize(size, 0);
        let filled = inflate(&mut self.inflate, packed, &mut self.text)?;
        if filled != size {
            return Err(MemberError::Damaged(WRONG_LENGTH));
        }
        if crc32fast::hash(&self.text) != part.crc {
            return Err(MemberError::Damaged(WRONG_CHECKSUM));
        }
        Ok(&mut self.text)
    }

    /// Reads the packed bytes. The name is in the way: the local header says how long it is.
    fn load(&mut self, file: &dyn ReadAt, entry: &MemberEntry) -> Result<(), MemberError> {
        if entry.size > LARGE && entry.size / entry.packed.max(1) > BELIEVABLE {
            return Err(MemberError::Damaged("it is packed too tightly to be a log"));
        }
        // One read gets header, name and data of nearly every member.
        let guess = LOCAL_LENGTH as u64 + 200 + entry.packed;
        let mut at = self.read_already(entry.offset, guess);
        if at.is_none() {
            self.read(file, entry, entry.offset, guess.max(self.ahead))?;
            at = Some(0);
        }
        let at = at.unwrap_or_default();
        let Some(header) = local_length(&self.bytes[at..]) else {
            return Err(MemberError::Damaged("its header is not where the directory says"));
        };
        self.parts.clear();
        self.parts.extend(read_parts(&self.bytes[at..]));
        let size = usize::try_from(entry.packed).unwrap_or(usize::MAX);
        let mut start = at + header;
        // A very long name pushed the data out of the first read.
        if self.bytes.len() - at < header.saturating_add(size) {
            self.read(file, entry, entry.offset + header as u64, entry.packed)?;
            start = 0;
            if self.bytes.len() < size {
                return Err(MemberError::Damaged(BEYOND_END));
            }
        }
        self.packed = start..start + size;
        Ok(())
    }

    /// The place of so many bytes of the file among those that were read ahead, if they are there.
    fn read_already(&self, offset: u64, length: u64) -> Option<usize> {
        let from = usize::try_from(offset.checked_sub(self.start)?).ok()?;
        let end = from.checked_add(usize::try_from(length).ok()?)?;
        (self.ahead > 0 && end <= self.bytes.len()).then_some(from)
    }

    /// Reads bytes that a member begins with, as many as the file has.
    fn read(
        &mut self,
        file: &dyn ReadAt,
        entry: &MemberEntry,
        offset: u64,
        length: u64,
    ) -> Result<(), MemberError> {
        let left = file.size()?.saturating_sub(offset);
        // Checked before the buffer is made: a wrong header must not cost gigabytes of memory.
        if entry.packed > left {
            return Err(MemberError::Damaged(BEYOND_END));
        }
        self.bytes.resize(usize::try_from(length.min(left)).unwrap_or(usize::MAX), 0);
        let got = file.read_at(&mut self.bytes, offset);
        // What a failed read left behind must not be taken for the file.
        self.bytes.truncate(*got.as_ref().unwrap_or(&0));
        self.start = offset;
        got?;
        Ok(())
    }

    fn inflate(&mut self, entry: &MemberEntry, wanted: u64) -> Result<&[u8], MemberError> {
        if entry.size > entry.packed.saturating_mul(TIGHTEST).saturating_add(TIGHTEST) {
            return Err(MemberError::Damaged(TOO_TIGHT));
        }
        let wanted = usize::try_from(wanted).unwrap_or(usize::MAX);
        lengthen(&mut self.text, wanted);
        let packed = &self.bytes[self.packed.clone()];
        let filled = inflate(&mut self.inflate, packed, &mut self.text[..wanted])?;
        Ok(&self.text[..filled])
    }

    fn unpack_zstd(&mut self, size: u64) -> Result<&[u8], MemberError> {
        const NOT_ZSTD: MemberError = MemberError::Damaged("its data is not packed with zstd");
        let mut packed = &self.bytes[self.packed.clone()];
        self.text.clear();
        // One byte more than announced is enough to know that the announcement is wrong.
        let most = size.saturating_add(1);
        // The format allows several frames in a row, and the decoder reads one.
        while !packed.is_empty() && (self.text.len() as u64) < most {
            // Windows above 100 MiB are refused by the library itself.
            let frame = StreamingDecoder::new(&mut packed).map_err(|_| NOT_ZSTD)?;
            let left = most - self.text.len() as u64;
            // Reading from memory fails for no other reason than the data.
            frame.take(left).read_to_end(&mut self.text).map_err(|_| NOT_ZSTD)?;
        }
        Ok(&self.text)
    }
}

/// Whether the parts that a member says it has make it up, and could be what they claim.
fn has_parts(entry: &MemberEntry, parts: &[MemberPart]) -> bool {
    let packed: u64 = parts.iter().map(|part| part.packed).sum();
    let size: u64 = parts.iter().map(|part| part.size).sum();
    let tight = |part: &MemberPart| {
        part.size > part.packed.saturating_mul(TIGHTEST).saturating_add(TIGHTEST)
    };
    entry.method == 8
        && !parts.is_empty()
        && (packed + LAST_BLOCK.len() as u64, size) == (entry.packed, entry.size)
        && !parts.iter().any(tight)
}

/// Makes a text so long at least, and no longer: room to grow would double a large one.
fn lengthen(text: &mut Vec<u8>, length: usize) {
    if length > text.len() {
        text.reserve_exact(length - text.len());
        text.resize(length, 0);
    }
}

/// Fills `text` with as much as `packed` gives, and says how much that is.
fn inflate(inflate: &mut Decompress, packed: &[u8], text: &mut [u8]) -> Result<usize, MemberError> {
    // Parts that are read most are stored, and copying them skips setting up zlib.
    if let Some(plain) = plain(packed).filter(|plain| plain.len() == text.len()) {
        text.copy_from_slice(plain);
        return Ok(plain.len());
    }
    inflate.reset(false);
    let (mut read, mut filled) = (0, 0);
    while filled < text.len() {
        let before = (read, filled);
        let status = inflate
            .decompress(&packed[read..], &mut text[filled..], FlushDecompress::None)
            .map_err(|_| MemberError::Damaged(NOT_DEFLATED))?;
        read = usize::try_from(inflate.total_in()).unwrap_or(usize::MAX);
        filled = usize::try_from(inflate.total_out()).unwrap_or(usize::MAX);
        // Without progress the data is cut off; going on would loop for ever.
        if status == Status::StreamEnd || before == (read, filled) {
            break;
        }
    }
    Ok(filled)
}
