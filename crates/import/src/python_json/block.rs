//! What stands where in a stretch of text, found for many bytes at once.
//!
//! A mask has a bit for each byte, the first byte's lowest. Walking over the bits of a mask is
//! much cheaper than starting a new search behind each escape, of which prose in JSON has one in
//! every line.

use wide::u8x16;

/// How many bytes a [`StringBlock`] tells of.
pub(super) const BLOCK: usize = 64;
/// How many bytes one vector holds.
pub(super) const LANES: usize = 16;

const EVEN: u64 = 0x5555_5555_5555_5555;

/// The bytes that matter within a string, in 64 bytes of text that begin within one.
pub(super) struct StringBlock {
    quotes: u64,
    slashes: u64,
    controls: u64,
    /// The letter n: with quotes and backslashes, what nearly all escapes are made of.
    newlines: u64,
}

/// How far a string goes in a block.
pub(super) struct StringPrefix {
    /// How many bytes of the block belong to the string, its closing quote not counted.
    pub(super) length: usize,
    /// Whether the closing quote comes next.
    pub(super) closed: bool,
    /// Whether there is an escape.
    pub(super) escaped: bool,
    /// Bytes that need a closer look: bare control characters, and escaped bytes other than the
    /// usual ones.
    pub(super) rare: u64,
    /// Which bytes come after a backslash that is not itself escaped.
    pub(super) escapes: u64,
}

impl StringBlock {
    #[inline]
    pub(super) fn of(bytes: &[u8; BLOCK]) -> Self {
        let (vectors, _) = bytes.as_chunks::<LANES>();
        let mut block = Self { quotes: 0, slashes: 0, controls: 0, newlines: 0 };
        for (place, vector) in vectors.iter().enumerate() {
            let vector = u8x16::new(*vector);
            let shift = place * LANES;
            block.quotes |= u64::from(mask(vector, b'"')) << shift;
            block.slashes |= u64::from(mask(vector, b'\\')) << shift;
            block.newlines |= u64::from(mask(vector, b'n')) << shift;
            block.controls |= u64::from(controls(vector)) << shift;
        }
        block
    }

    /// How far the string goes that the block begins in. The first byte must not be escaped.
    #[inline]
    pub(super) fn stretch(&self) -> StringPrefix {
        let escapes = self.escapes();
        let closing = self.quotes & !escapes;
        // All bits below the lowest one that is set; all bits if none is.
        let inside = closing.wrapping_sub(1) & !closing;
        let rare = (escapes & !(self.quotes | self.newlines)) | self.controls;
        let length = if closing == 0 {
            // A backslash at the end whose partner is in the next block is left to it.
            BLOCK - (self.slashes.leading_ones() & 1) as usize
        } else {
            closing.trailing_zeros() as usize
        };
        StringPrefix {
            length,
            closed: closing != 0,
            escaped: self.slashes & inside != 0,
            rare: rare & inside,
            escapes,
        }
    }

    /// The bytes behind a run of backslashes of odd length; an even run escapes itself.
    ///
    /// Adding the first bit of a run to the run carries to the bit behind it. Whether that is
    /// an odd number of bits away shows in the parity of the two places; so runs that begin at
    /// even places and those that begin at odd ones are added apart.
    #[inline]
    fn escapes(&self) -> u64 {
        let slashes = self.slashes;
        let starts = slashes & !(slashes << 1);
        let behind = |starts: u64| slashes.wrapping_add(starts) & !slashes;
        (behind(starts & EVEN) & !EVEN) | (behind(starts & !EVEN) & EVEN)
    }
}

/// Where in a vector's worth of text a string might end or go wrong.
#[inline]
pub(super) fn specials(bytes: &[u8; LANES]) -> u32 {
    let vector = u8x16::new(*bytes);
    mask(vector, b'"') | mask(vector, b'\\') | controls(vector)
}

/// How many spaces a vector's worth of text begins with.
#[inline]
pub(super) fn spaces(bytes: &[u8; LANES]) -> usize {
    mask(u8x16::new(*bytes), b' ').trailing_ones() as usize
}

#[inline]
fn mask(vector: u8x16, byte: u8) -> u32 {
    vector.simd_eq(u8x16::splat(byte)).to_bitmask()
}

/// The bytes below 0x20.
#[inline]
fn controls(vector: u8x16) -> u32 {
    vector.min(u8x16::splat(0x1f)).simd_eq(vector).to_bitmask()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What a reader that takes one byte after the other finds.
    fn one_by_one(bytes: &[u8; BLOCK]) -> (usize, bool, u64) {
        let (mut at, mut rare) = (0, 0);
        while at < BLOCK {
            match (bytes[at], bytes.get(at + 1)) {
                (b'"', _) => return (at, true, rare),
                (b'\\', None) => return (at, false, rare),
                (b'\\', Some(next)) => {
                    let usual = matches!(next, b'"' | b'\\' | b'n');
                    rare |= u64::from(!usual) << (at + 1);
                    at += 2;
                }
                (byte, _) => {
                    rare |= u64::from(byte < 0x20) << at;
                    at += 1;
                }
            }
        }
        (BLOCK, false, rare)
    }

    proptest! {
        #[test]
        fn masks_find_what_a_walk_finds(
            bytes in prop::collection::vec(
                prop_oneof![
                    8 => Just(b'\\'), 2 => Just(b'n'), 1 => Just(b'u'), 1 => Just(b'"'),
                    1 => Just(b'\n'), 6 => any::<u8>(),
                ],
                BLOCK,
            ),
        ) {
            let bytes: [u8; BLOCK] = bytes.try_into().unwrap();
            let found = StringBlock::of(&bytes).stretch();
            prop_assert_eq!((found.length, found.closed, found.rare), one_by_one(&bytes));
            if found.closed {
                prop_assert_eq!(found.escaped, bytes[..found.length].contains(&b'\\'));
            }
        }
    }

    #[test]
    fn a_block_of_backslashes_escapes_itself() {
        let found = StringBlock::of(&[b'\\'; BLOCK]).stretch();
        assert_eq!((found.length, found.closed, found.rare), (BLOCK, false, 0));
    }

    #[test]
    fn specials_and_spaces_are_found_in_vectors() {
        assert_eq!(specials(b"plain text 0123."), 0);
        assert_eq!(specials(b"ab\"c\\d\x1fe f~\x7f\xff!!!"), 0b101_0100);
        assert_eq!(spaces(b"   \n            "), 3);
        assert_eq!(spaces(&[b' '; LANES]), LANES);
    }
}
