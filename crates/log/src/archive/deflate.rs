//! Packs a member out of text that changes and text that is the same in every member.
//!
//! The system prompt and the tools stand in every sample of a run and are most of its bytes.
//! They are deflated once, as a segment that refers to nothing before it and ends on a byte, and
//! the packed bytes are put between those of the changing text. A segment that stood in the
//! member before, not too far back, is not even repeated: a block of back-references, each as
//! long as deflate allows, copies it.
//!
//! A member is made of parts that refer to nothing outside themselves, so that the packed bytes
//! of one part can be carried over into another member as they are.

use crc32fast::Hasher;
use flate2::{Compress, Compression, FlushCompress};

use super::bits::{Bits, LONGEST};
use super::deflater::{Deflater, WINDOW};

/// The end of deflated data: an empty last block.
pub(crate) const LAST_BLOCK: [u8; 2] = [0b011, 0];
/// A part that is wanted plain is left so up to this length: beyond it, the room it takes weighs
/// more than the time to unpack it.
const LONGEST_PLAIN: u16 = 4096;

/// One part of a member: how long it is, and its checksum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct MemberPart {
    /// How many bytes it takes in the file.
    pub(crate) packed: u64,
    /// How many bytes they unpack to.
    pub(crate) size: u64,
    /// The CRC-32 of those.
    pub(crate) crc: u32,
}

impl MemberPart {
    /// This part followed by another.
    #[must_use]
    pub(crate) fn then(self, next: Self) -> Self {
        if self.size == 0 {
            // Combining with an empty part would cost as much as with any other.
            return Self { packed: self.packed + next.packed, ..next };
        }
        let mut hasher = Hasher::new_with_initial_len(self.crc, self.size);
        hasher.combine(&Hasher::new_with_initial_len(next.crc, next.size));
        Self {
            packed: self.packed + next.packed,
            size: self.size + next.size,
            crc: hasher.finalize(),
        }
    }
}

/// A packed member, ready to be appended.
#[derive(Debug, Default)]
pub(crate) struct Member {
    /// The deflated bytes.
    pub(crate) packed: Vec<u8>,
    /// How many bytes they unpack to.
    pub(crate) size: u64,
    /// The CRC-32 of those.
    pub(crate) crc: u32,
    /// What it is made of.
    pub(crate) parts: Vec<MemberPart>,
}

/// The first byte of a block that is left as it is and is not the last one.
const STORED: u8 = 0;

/// The text of a part that was left as it is.
pub(super) fn plain(packed: &[u8]) -> Option<&[u8]> {
    let [STORED, a, b, c, d, text @ ..] = packed else { return None };
    let (length, check) = (u16::from_le_bytes([*a, *b]), u16::from_le_bytes([*c, *d]));
    (length == !check && text.len() == usize::from(length)).then_some(text)
}

/// Text that is the same in every member.
#[derive(Debug)]
pub(crate) struct Segment {
    text: Vec<u8>,
    packed: Vec<u8>,
}

impl Segment {
    /// Packs `text` once, as small as it gets.
    pub(crate) fn new(text: Vec<u8>) -> Self {
        let mut packed = Vec::new();
        // Done once for a run, so the best level costs no time that is felt. A full flush ends on a
        // byte and forgets what came before.
        let mut compress = Compress::new(Compression::best(), false);
        deflate(&mut compress, &text, FlushCompress::Full, &mut packed);
        Self { text, packed }
    }
}

/// Packs one member after another.
#[derive(Debug)]
pub(crate) struct MemberBuilder {
    deflater: Deflater,
    member: Member,
    /// The parts so far, as one.
    whole: MemberPart,
    /// The text of the part that is being built.
    text: Vec<u8>,
    /// How much of it is packed already.
    done: usize,
    /// Where the packed bytes of the part begin.
    start: usize,
    /// Where in the part the segments were last, with the place they have in memory as name.
    placed: Vec<(usize, usize)>,
}

impl MemberBuilder {
    /// A builder with nothing in it.
    pub(crate) fn new() -> Self {
        Self {
            deflater: Deflater::new(),
            member: Member::default(),
            whole: MemberPart::default(),
            text: Vec::new(),
            done: 0,
            start: 0,
            placed: Vec::new(),
        }
    }

    /// Where text of this member alone is added.
    pub(crate) fn text(&mut self) -> &mut Vec<u8> {
        &mut self.text
    }

    /// Adds a segment.
    pub(crate) fn same(&mut self, segment: &Segment) {
        self.pack();
        // No segment moves while a part is built, so its address identifies it without hashing it.
        let name = std::ptr::from_ref(segment).addr();
        let at = self.text.len();
        let before = self.placed.iter_mut().find(|(placed, _)| *placed == name);
        let distance = before.as_ref().map(|(_, place)| at - *place);
        match before {
            Some((_, place)) => *place = at,
            None => self.placed.push((name, at)),
        }
        self.text.extend_from_slice(&segment.text);
        self.done = self.text.len();
        // The distance is zero where an empty segment is added twice, and no code exists for that.
        let back = distance.and_then(|distance| distance.checked_sub(1));
        match back.and_then(|back| u16::try_from(back).ok()) {
            // Less than three bytes cannot be copied, and only long segments, such as prompts and
            // tools, are worth a block of their own.
            Some(back) if usize::from(back) < WINDOW && segment.text.len() > LONGEST => {
                copy_back(segment.text.len(), back, &mut self.member.packed);
            }
            _ => self.member.packed.extend_from_slice(&segment.packed),
        }
    }

    /// Ends the part. What follows refers to nothing in it.
    pub(crate) fn cut(&mut self) {
        self.pack();
        let part = MemberPart {
            packed: (self.member.packed.len() - self.start) as u64,
            size: self.text.len() as u64,
            crc: crc32fast::hash(&self.text),
        };
        // Going through a short text once more takes less time than putting checksums together.
        let mut hasher = Hasher::new_with_initial_len(self.whole.crc, self.whole.size);
        hasher.update(&self.text);
        self.whole = MemberPart {
            packed: self.whole.packed + part.packed,
            size: self.whole.size + part.size,
            crc: hasher.finalize(),
        };
        self.member.parts.push(part);
        self.start_part();
    }

    /// Ends the part and leaves it as it is if it is short, so that it is read at no cost.
    pub(crate) fn cut_plain(&mut self) {
        let length = u16::try_from(self.text.len()).ok();
        let length = length.filter(|length| (1..=LONGEST_PLAIN).contains(length));
        // Once something of the part is packed, a stored block could only hold the rest of it.
        if let Some(length) = length.filter(|_| self.done == 0) {
            let packed = &mut self.member.packed;
            packed.push(STORED);
            packed.extend_from_slice(&length.to_le_bytes());
            packed.extend_from_slice(&(!length).to_le_bytes());
            packed.extend_from_slice(&self.text);
            self.done = self.text.len();
        }
        self.cut();
    }

    /// Adds a part that was packed for another member.
    pub(crate) fn adopt(&mut self, packed: &[u8], part: MemberPart) {
        self.member.packed.extend_from_slice(packed);
        self.member.parts.push(part);
        self.whole = self.whole.then(part);
        self.start_part();
    }

    /// Ends the member, and the part that is being built if there is one.
    pub(crate) fn finish(&mut self) -> &Member {
        // A member without text still gets one part, which carries the checksum of nothing.
        if !self.text.is_empty() || self.member.parts.is_empty() {
            self.cut();
        }
        (self.member.size, self.member.crc) = (self.whole.size, self.whole.crc);
        self.member.packed.extend_from_slice(&LAST_BLOCK);
        &self.member
    }

    /// Gives the member that was ended last for another, whose room is used again.
    pub(crate) fn exchange(&mut self, member: &mut Member) {
        std::mem::swap(&mut self.member, member);
        self.clear();
    }

    /// The packed bytes of the only part, without an end.
    pub(super) fn into_part(mut self) -> (Vec<u8>, MemberPart) {
        self.cut();
        (self.member.packed, self.member.parts[0])
    }

    /// Makes ready for the next member.
    pub(crate) fn clear(&mut self) {
        self.member.packed.clear();
        self.member.parts.clear();
        self.whole = MemberPart::default();
        self.start_part();
    }

    fn start_part(&mut self) {
        // A part may be copied into another member, so no back-reference may reach behind its
        // start.
        self.deflater.forget(self.text.len());
        self.text.clear();
        self.done = 0;
        self.start = self.member.packed.len();
        self.placed.clear();
    }

    fn pack(&mut self) {
        self.deflater.deflate(&self.text, self.done, &mut self.member.packed);
        self.done = self.text.len();
    }
}

/// Deflates all of `text` onto the end of `out`.
fn deflate(compress: &mut Compress, mut text: &[u8], flush: FlushCompress, out: &mut Vec<u8>) {
    loop {
        // Room for the worst case, so that one call does it.
        out.reserve(text.len() + text.len() / 8 + 64);
        let before = compress.total_in();
        let status = compress.compress_vec(text, out, flush);
        status.expect("deflate fails only when it is misused");
        let taken = usize::try_from(compress.total_in() - before).expect("no more than `text`");
        text = &text[taken..];
        // Room left over is how zlib says that it has nothing more to write.
        if text.is_empty() && out.len() < out.capacity() {
            return;
        }
    }
}

/// Appends a block that copies `length` bytes from `back + 1` bytes before, and ends on a byte.
fn copy_back(mut length: usize, back: u16, out: &mut Vec<u8>) {
    let mut bits = Bits::new(out);
    bits.begin_block();
    while length > 0 {
        // No piece may be shorter than 3, so the last but one leaves enough for the last.
        let piece = match length {
            0..=LONGEST => length,
            259 | 260 => length - 3,
            _ => LONGEST,
        };
        bits.copy(piece, back);
        length -= piece;
    }
    bits.end_block();
}

/// Bytes without a pattern, the same for the same seed.
#[cfg(test)]
pub(super) fn noise(length: usize, seed: u64) -> Vec<u8> {
    let mut state = seed | 1;
    let next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        state.to_le_bytes()[6]
    };
    std::iter::repeat_with(next).take(length).collect()
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use proptest::prelude::*;

    use super::*;

    fn inflate(packed: &[u8]) -> Vec<u8> {
        let mut text = Vec::new();
        flate2::read::DeflateDecoder::new(packed).read_to_end(&mut text).unwrap();
        text
    }

    proptest! {
        #[test]
        fn whatever_is_put_together_comes_out_again(
            first in 0..4000_usize, between in 0..40_000_usize, segment in 0..5000_usize,
        ) {
            let (a, b) = (noise(first, 1), noise(between, 2));
            let segment = Segment::new(noise(segment, 3));
            let mut builder = MemberBuilder::new();
            for _ in 0..2 {
                builder.clear();
                builder.text().extend_from_slice(&a);
                builder.same(&segment);
                builder.text().extend_from_slice(&b);
                builder.same(&segment);
                builder.same(&segment);
                builder.text().extend_from_slice(b"end");
                let member = builder.finish();
                let text =
                    [&a, &segment.text, &b, &segment.text, &segment.text, &b"end"[..]].concat();
                prop_assert_eq!(inflate(&member.packed), &text[..]);
                prop_assert_eq!(member.size, text.len() as u64);
                prop_assert_eq!(member.crc, crc32fast::hash(&text));
            }
        }

        #[test]
        fn a_part_may_be_carried_over_into_another_member(
            kept in 0..4000_usize, old in 0..900_usize, new in 0..900_usize, shared in 0..900_usize,
        ) {
            let segment = Segment::new(noise(shared, 3));
            let (kept, old, new) = (noise(kept, 1), noise(old, 2), noise(new, 4));
            let mut builder = MemberBuilder::new();
            builder.text().extend_from_slice(&old);
            builder.cut();
            builder.text().extend_from_slice(&kept);
            builder.same(&segment);
            builder.text().extend_from_slice(&kept);
            builder.same(&segment);
            let member = builder.finish();
            let (first, part) = (member.parts[0], member.parts[1]);
            let start = usize::try_from(first.packed).unwrap();
            let packed = member.packed[start..member.packed.len() - LAST_BLOCK.len()].to_vec();
            builder.clear();
            builder.text().extend_from_slice(&new);
            builder.cut();
            builder.adopt(&packed, part);
            builder.text().extend_from_slice(b"end");
            let member = builder.finish();
            let text = [&new, &kept, &segment.text, &kept, &segment.text, &b"end"[..]].concat();
            prop_assert_eq!(inflate(&member.packed), &text[..]);
            prop_assert_eq!(member.size, text.len() as u64);
            prop_assert_eq!(member.crc, crc32fast::hash(&text));
        }
    }

    #[test]
    fn a_short_part_can_be_left_as_it_is() {
        for length in [0, 1, 700, 4096, 4097, 70_000] {
            let (first, second) = (noise(length, 5), noise(300, 6));
            let mut builder = MemberBuilder::new();
            builder.text().extend_from_slice(&first);
            builder.cut_plain();
            builder.text().extend_from_slice(&second);
            let member = builder.finish();
            assert_eq!(inflate(&member.packed), [&first[..], &second].concat());
            let packed = usize::try_from(member.parts[0].packed).unwrap();
            let found = plain(&member.packed[..packed]);
            assert_eq!(found.is_some(), (1..=4096).contains(&length), "{length}");
            assert!(found.is_none_or(|found| found == first));
        }
    }

    #[test]
    fn an_empty_segment_may_be_repeated() {
        let segment = Segment::new(Vec::new());
        let mut builder = MemberBuilder::new();
        builder.same(&segment);
        builder.same(&segment);
        builder.text().extend_from_slice(b"end");
        assert_eq!(inflate(&builder.finish().packed), b"end");
    }

    #[test]
    fn every_length_of_a_repeated_segment_is_copied_right() {
        for length in 259..1200 {
            let segment = Segment::new(noise(length, 9));
            let mut builder = MemberBuilder::new();
            builder.same(&segment);
            builder.same(&segment);
            let packed = &builder.finish().packed;
            assert_eq!(inflate(packed), [&segment.text[..], &segment.text].concat());
            assert!(packed.len() < length + 60);
        }
    }
}
