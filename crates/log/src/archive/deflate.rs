//! Packs a member out of text that changes and text that is the same in every member.
//!
//! The system prompt and the tools stand in every sample of a run and are most of its bytes.
//! They are deflated once, as a segment that refers to nothing before it and ends on a byte, and
//! the packed bytes are put between those of the changing text. A segment that stood in the
//! member before, not too far back, is not even repeated: a block of back-references, each as
//! long as deflate allows, copies it.

use crc32fast::Hasher;
use flate2::{Compress, Compression, FlushCompress};

/// The furthest a back-reference can reach.
const WINDOW: u64 = 32_768;
/// The longest piece one back-reference can copy.
const LONGEST: usize = 258;

/// A packed member, ready to be appended.
#[derive(Debug, Default)]
pub(crate) struct Member {
    /// The deflated bytes.
    pub(crate) packed: Vec<u8>,
    /// How many bytes they unpack to.
    pub(crate) size: u64,
    /// The CRC-32 of those.
    pub(crate) crc: u32,
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
        let mut compress = Compress::new(Compression::best(), false);
        deflate(&mut compress, &text, FlushCompress::Full, &mut packed);
        Self { text, packed }
    }
}

/// Packs one member after another.
#[derive(Debug)]
pub(crate) struct MemberBuilder {
    compress: Compress,
    member: Member,
    hasher: Hasher,
    /// Where in the member the segments were last, with the place they have in memory as name.
    placed: Vec<(usize, u64)>,
}

impl MemberBuilder {
    /// A builder with nothing in it. Level 1: the changing text is short, and the time it takes
    /// counts for every trial.
    pub(crate) fn new() -> Self {
        Self {
            compress: Compress::new(Compression::fast(), false),
            member: Member::default(),
            hasher: Hasher::new(),
            placed: Vec::new(),
        }
    }

    /// Adds text of this member alone.
    pub(crate) fn changing(&mut self, text: &[u8]) {
        self.account(text);
        deflate(&mut self.compress, text, FlushCompress::Full, &mut self.member.packed);
    }

    /// Adds text that may be cut anywhere: packed together with what follows.
    pub(crate) fn flowing(&mut self, text: &[u8]) {
        self.account(text);
        deflate(&mut self.compress, text, FlushCompress::None, &mut self.member.packed);
    }

    /// Adds a segment.
    pub(crate) fn same(&mut self, segment: &Segment) {
        let name = std::ptr::from_ref(segment).addr();
        let at = self.member.size;
        let before = self.placed.iter_mut().find(|(placed, _)| *placed == name);
        let distance = before.as_ref().map(|(_, place)| at - *place);
        match before {
            Some((_, place)) => *place = at,
            None => self.placed.push((name, at)),
        }
        self.account(&segment.text);
        // An empty segment stands twice in the same place.
        let back = distance.and_then(|distance| distance.checked_sub(1));
        match back.and_then(|back| u16::try_from(back).ok()) {
            Some(back) if u64::from(back) < WINDOW && segment.text.len() > LONGEST => {
                copy_back(segment.text.len(), back, &mut self.member.packed);
            }
            _ => self.member.packed.extend_from_slice(&segment.packed),
        }
    }

    /// Adds the last text of the member, and gives the member.
    ///
    /// The compressor is not told that this is the end, since starting it anew would clear its
    /// tables once more. A flush clears them as well, and the end is an empty last block.
    pub(crate) fn finish(&mut self, text: &[u8]) -> &Member {
        self.changing(text);
        self.member.packed.extend_from_slice(&[0b011, 0]);
        self.member.crc = std::mem::take(&mut self.hasher).finalize();
        &self.member
    }

    /// Makes ready for the next member.
    pub(crate) fn clear(&mut self) {
        self.hasher.reset();
        self.placed.clear();
        self.member.packed.clear();
        self.member.size = 0;
    }

    fn account(&mut self, text: &[u8]) {
        self.hasher.update(text);
        self.member.size += text.len() as u64;
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
///
/// The codes are the fixed ones of RFC 1951, section 3.2.6.
fn copy_back(mut length: usize, back: u16, out: &mut Vec<u8>) {
    let mut bits = Bits { out, pending: 0, count: 0 };
    bits.put(0b010, 3);
    while length > 0 {
        // No piece may be shorter than 3, so the last but one leaves enough for the last.
        let piece = match length {
            0..=LONGEST => length,
            259 | 260 => length - 3,
            _ => LONGEST,
        };
        bits.length(piece);
        bits.distance(back);
        length -= piece;
    }
    bits.put(0, 7);
    bits.align_with_empty_block();
}

/// Bits on their way into bytes, lowest first.
struct Bits<'a> {
    out: &'a mut Vec<u8>,
    pending: u64,
    count: u32,
}

impl Bits<'_> {
    fn put(&mut self, value: u32, count: u32) {
        self.pending |= u64::from(value) << self.count;
        self.count += count;
        while self.count >= 8 {
            self.out.push(self.pending.to_le_bytes()[0]);
            self.pending >>= 8;
            self.count -= 8;
        }
    }

    /// Huffman codes go highest bit first.
    fn code(&mut self, value: u32, count: u32) {
        self.put(value.reverse_bits() >> (32 - count), count);
    }

    fn length(&mut self, length: usize) {
        let (symbol, extra, extra_count) = length_symbol(length);
        if symbol < 280 {
            self.code(symbol - 256, 7);
        } else {
            self.code(0b1100_0000 + symbol - 280, 8);
        }
        self.put(extra, extra_count);
    }

    /// `back` is the distance less one.
    fn distance(&mut self, back: u16) {
        let back = u32::from(back);
        if back < 4 {
            self.code(back, 5);
            return;
        }
        let extra_count = back.ilog2() - 1;
        let symbol = 2 * (extra_count + 1) + (back >> extra_count & 1);
        self.code(symbol, 5);
        self.put(back & ((1 << extra_count) - 1), extra_count);
    }

    fn align_with_empty_block(&mut self) {
        self.put(0, 3);
        if self.count > 0 {
            self.put(0, 8 - self.count);
        }
        self.out.extend_from_slice(&[0, 0, 0xFF, 0xFF]);
    }
}

/// The symbol of a length, with the value and the number of its extra bits.
fn length_symbol(length: usize) -> (u32, u32, u32) {
    let length = u32::try_from(length).expect("a piece is at most 258 long");
    match length {
        258 => (285, 0, 0),
        3..=10 => (254 + length, 0, 0),
        _ => {
            let over = length - 3;
            let extra_count = over.ilog2() - 2;
            let step = over >> extra_count & 3;
            (261 + 4 * extra_count + step, over & ((1 << extra_count) - 1), extra_count)
        }
    }
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

    fn noise(length: usize, seed: u64) -> Vec<u8> {
        let mut state = seed | 1;
        let next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            state.to_le_bytes()[6]
        };
        std::iter::repeat_with(next).take(length).collect()
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
                builder.changing(&a);
                builder.same(&segment);
                builder.changing(&b);
                builder.same(&segment);
                builder.same(&segment);
                let member = builder.finish(b"end");
                let text =
                    [&a, &segment.text, &b, &segment.text, &segment.text, &b"end"[..]].concat();
                prop_assert_eq!(inflate(&member.packed), &text[..]);
                prop_assert_eq!(member.size, text.len() as u64);
                prop_assert_eq!(member.crc, crc32fast::hash(&text));
            }
        }
    }

    #[test]
    fn an_empty_segment_may_be_repeated() {
        let segment = Segment::new(Vec::new());
        let mut builder = MemberBuilder::new();
        builder.same(&segment);
        builder.same(&segment);
        assert_eq!(inflate(&builder.finish(b"end").packed), b"end");
    }

    #[test]
    fn every_length_of_a_repeated_segment_is_copied_right() {
        for length in 259..1200 {
            let segment = Segment::new(noise(length, 9));
            let mut builder = MemberBuilder::new();
            builder.same(&segment);
            builder.same(&segment);
            let packed = &builder.finish(b"").packed;
            assert_eq!(inflate(packed), [&segment.text[..], &segment.text].concat());
            assert!(packed.len() < length + 60);
        }
    }
}
