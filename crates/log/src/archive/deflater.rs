//! Deflates short texts, one after another.
//!
//! What changes from sample to sample is a few hundred bytes at a time, and each time has to end
//! on a byte and refer to nothing before it. A general deflater clears its tables of 128 KiB
//! whenever that is asked of it, which takes several times as long as the text itself: for 200 to
//! 800 bytes `zlib-rs` at its fastest level took 12 to 16 µs where this takes 1 to 4, for the same
//! packed size. A sample has about five such texts, so a third of the 150 µs that a sample may
//! cost would go into clearing tables. This deflater has a small table that is never cleared, looks
//! for one match at each place, and uses the fixed codes, which such short texts are best served
//! by.

use super::bits::{Bits, LONGEST};

/// The furthest a back-reference can reach.
pub(super) const WINDOW: usize = 32_768;
const SLOTS: usize = 1 << 12;
/// How many bytes are looked at together.
const WORD: usize = 8;
/// How many of them must stand further before as well to be worth a back-reference.
const MATCH: u32 = 4;

/// Deflates text after text.
#[derive(Debug)]
pub(super) struct Deflater {
    /// The last place of each word, counted over all texts so that places in earlier texts are
    /// told apart from those in this one.
    places: Box<[u32; SLOTS]>,
    /// The place of the first byte of the text.
    origin: u32,
}

impl Deflater {
    pub(super) fn new() -> Self {
        Self { places: Box::new([0; SLOTS]), origin: 1 }
    }

    /// Forgets a text of so many bytes.
    pub(super) fn forget(&mut self, length: usize) {
        // Raising the origin makes all noted places belong to earlier texts, without touching the
        // table. It is cleared only when the count overflows, after 4 GiB of text.
        let next = u32::try_from(length).ok().and_then(|length| self.origin.checked_add(length));
        self.origin = next.unwrap_or_else(|| {
            self.places.fill(0);
            1
        });
    }

    /// Deflates `text[from..]` onto the end of `out`, up to a whole byte. Refers to what comes
    /// before `from` as well, which must be what the reader has unpacked just before.
    pub(super) fn deflate(&mut self, text: &[u8], from: usize, out: &mut Vec<u8>) {
        if from == text.len() {
            return;
        }
        // Short texts pack to about a half, and growing the vector would cost more than the room.
        out.reserve((text.len() - from) / 2 + 16);
        let mut bits = Bits::new(out);
        bits.begin_block();
        let mut at = from;
        while let Some(word) = word_at(text, at) {
            if let Some((length, back)) = self.match_at(text, at, word) {
                bits.copy(length, back);
                at += length;
                // One place inside the match is noted, near its end, since texts that follow each
                // other often overlap there. Noting all of them would cost more time than it saves
                // bytes.
                self.note(text, at - 2);
            } else {
                bits.literal(text[at]);
                at += 1;
            }
        }
        for byte in &text[at..] {
            bits.literal(*byte);
        }
        bits.end_block();
    }

    /// How many bytes at `at` stand further before as well, and how far before, less one.
    #[inline]
    fn match_at(&mut self, text: &[u8], at: usize, word: u64) -> Option<(usize, u16)> {
        let place = self.place(at);
        // The place is noted whether or not the match is used: the nearest one has the shortest
        // code.
        let before = std::mem::replace(&mut self.places[slot(word)], place);
        let back = place.wrapping_sub(before).wrapping_sub(1);
        // The table is never cleared, so a slot may still hold a place in an earlier text.
        if before < self.origin || back as usize >= WINDOW {
            return None;
        }
        let before = at - back as usize - 1;
        // Slots are shared, so the words are compared. The lowest bit that differs is in the first
        // byte that differs, because words are read little-endian.
        let same = (word ^ word_at(text, before)?).trailing_zeros() / 8;
        if same < MATCH {
            return None;
        }
        let mut length = same as usize;
        if length == WORD {
            let rest = &text[at + WORD..text.len().min(at + LONGEST)];
            length += common_length(&text[before + WORD..], rest);
        }
        Some((length, u16::try_from(back).ok()?))
    }

    fn note(&mut self, text: &[u8], at: usize) {
        if let Some(word) = word_at(text, at) {
            self.places[slot(word)] = self.place(at);
        }
    }

    /// The count of places may go round within a text. Those after that are then taken for places
    /// in earlier texts, and what they hold is not referred to.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "it counts round")]
    fn place(&self, at: usize) -> u32 {
        self.origin.wrapping_add(at as u32)
    }
}

#[inline]
fn word_at(text: &[u8], at: usize) -> Option<u64> {
    let bytes = text.get(at..at + WORD)?;
    Some(u64::from_le_bytes(bytes.try_into().expect("a word has eight bytes")))
}

#[inline]
fn slot(word: u64) -> usize {
    // Only the bytes that a match needs are hashed. The constant is 2^64 divided by the golden
    // ratio, as in Fibonacci hashing; the highest twelve bits are the best mixed.
    let first = word << (64 - 8 * MATCH);
    (first.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 52) as usize
}

/// How many bytes two texts begin with in common.
#[inline]
fn common_length(a: &[u8], b: &[u8]) -> usize {
    const STEP: usize = 8;
    let mut length = 0;
    for (a, b) in a.chunks_exact(STEP).zip(b.chunks_exact(STEP)) {
        let a = u64::from_le_bytes(a.try_into().expect("eight bytes"));
        let b = u64::from_le_bytes(b.try_into().expect("eight bytes"));
        if a != b {
            return length + ((a ^ b).trailing_zeros() / 8) as usize;
        }
        length += STEP;
    }
    let rest = a[length..].iter().zip(&b[length..]);
    length + rest.take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use proptest::prelude::*;

    use super::*;

    fn inflate(packed: &[u8], size: usize) -> Vec<u8> {
        let mut text = vec![0; size];
        let whole = [packed, &[0b011, 0]].concat();
        flate2::read::DeflateDecoder::new(&whole[..]).read_exact(&mut text).unwrap();
        text
    }

    proptest! {
        #[test]
        fn whatever_is_deflated_comes_out_again(
            texts in proptest::collection::vec((any::<u8>(), 0..6000_usize, 1..9_u64), 1..6),
            cut in 0.0..1.0_f64,
        ) {
            let mut deflater = Deflater::new();
            for (mask, length, seed) in texts {
                let text = super::super::deflate::noise(length, seed);
                let text: Vec<u8> = text.into_iter().map(|byte| byte & mask).collect();
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss,
                    clippy::cast_precision_loss, reason = "a place in the text")]
                let middle = (length as f64 * cut) as usize;
                let mut packed = Vec::new();
                deflater.deflate(&text[..middle], 0, &mut packed);
                deflater.deflate(&text, middle, &mut packed);
                prop_assert_eq!(inflate(&packed, length), &text[..]);
                deflater.forget(length);
            }
        }
    }

    #[test]
    fn a_text_is_packed_the_same_whatever_was_packed_before() {
        let text = b"the same words, the same words, the same words".repeat(9);
        let alone = packed(&mut Deflater::new(), &text);
        let mut deflater = Deflater::new();
        packed(&mut deflater, b"the same words in another place");
        assert_eq!(packed(&mut deflater, &text), alone);
        deflater.origin = u32::MAX - 10;
        deflater.forget(100);
        assert_eq!(packed(&mut deflater, &text), alone);
        assert!(alone.len() < text.len() / 4);
    }

    #[test]
    fn a_text_in_which_the_count_of_places_goes_round_comes_out_again() {
        let text = b"the same words, the same words, the same words".repeat(9);
        for left in [0, 1, 9, 60, 200] {
            let mut deflater = Deflater::new();
            deflater.origin = u32::MAX - left;
            for _ in 0..2 {
                let packed = packed(&mut deflater, &text);
                assert_eq!(inflate(&packed, text.len()), text, "{left}");
            }
        }
    }

    fn packed(deflater: &mut Deflater, text: &[u8]) -> Vec<u8> {
        let mut packed = Vec::new();
        deflater.deflate(text, 0, &mut packed);
        deflater.forget(text.len());
        packed
    }
}
