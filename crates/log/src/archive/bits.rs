//! Bits on their way into deflated data, and the fixed codes of RFC 1951, section 3.2.6.

/// The longest piece one back-reference can copy.
pub(super) const LONGEST: usize = 258;
/// The shortest one.
const SHORTEST: usize = 3;

/// A code ready to be put: its bits in the order they are written, and how many they are.
#[derive(Clone, Copy)]
struct Code {
    bits: u16,
    count: u8,
}

static LITERALS: [Code; 256] = literals();
/// The codes of lengths, extra bits included, by length.
static LENGTHS: [Code; LONGEST + 1] = lengths();

/// Bits on their way into bytes, lowest first.
pub(super) struct Bits<'a> {
    out: &'a mut Vec<u8>,
    pending: u64,
    /// How many bits are pending: fewer than 32.
    count: u32,
}

impl<'a> Bits<'a> {
    pub(super) fn new(out: &'a mut Vec<u8>) -> Self {
        Self { out, pending: 0, count: 0 }
    }

    /// Puts up to 32 bits.
    #[inline]
    fn put(&mut self, value: u32, count: u32) {
        self.pending |= u64::from(value) << self.count;
        self.count += count;
        // Four bytes at a time: one test per code is cheaper than a loop over bytes, and 32 pending
        // bits leave room for the longest code in 64.
        if self.count >= 32 {
            let [a, b, c, d, ..] = self.pending.to_le_bytes();
            self.out.extend_from_slice(&[a, b, c, d]);
            self.pending >>= 32;
            self.count -= 32;
        }
    }

    /// Begins a block of fixed codes that is not the last one.
    pub(super) fn begin_block(&mut self) {
        self.put(0b010, 3);
    }

    /// One byte as it is.
    #[inline]
    pub(super) fn literal(&mut self, byte: u8) {
        let code = LITERALS[usize::from(byte)];
        self.put(u32::from(code.bits), u32::from(code.count));
    }

    /// A copy of `length` bytes from `back + 1` bytes before.
    #[inline]
    pub(super) fn copy(&mut self, length: usize, back: u16) {
        let code = LENGTHS[length];
        self.put(u32::from(code.bits), u32::from(code.count));
        self.distance(u32::from(back));
    }

    #[inline]
    fn distance(&mut self, back: u32) {
        let (symbol, extra, extra_count) = if back < 4 {
            (back, 0, 0)
        } else {
            // The distance codes of RFC 1951 come in pairs of one length: the highest bits choose
            // the pair, the next one chooses within it, the rest are extra bits.
            let extra_count = back.ilog2() - 1;
            let symbol = 2 * (extra_count + 1) + (back >> extra_count & 1);
            (symbol, back & ((1 << extra_count) - 1), extra_count)
        };
        // Distance codes are five bits, highest first, while extra bits go lowest first.
        let code = symbol.reverse_bits() >> 27;
        self.put(code | extra << 5, 5 + extra_count);
    }

    /// Ends the block, and goes on to the next whole byte by way of an empty stored block.
    pub(super) fn end_block(mut self) {
        // Symbol 256, which ends a block, is seven zeros; then comes a stored block that is not the
        // last.
        self.put(0, 7);
        self.put(0, 3);
        // The header of a stored block is padded to a whole byte; then come its length, 0, and the
        // complement of that.
        let bytes = self.count.div_ceil(8) as usize;
        self.out.extend_from_slice(&self.pending.to_le_bytes()[..bytes]);
        self.out.extend_from_slice(&[0, 0, 0xFF, 0xFF]);
    }
}

/// Huffman codes go highest bit first.
#[expect(clippy::cast_possible_truncation, reason = "no code has more than 16 bits")]
const fn reversed(code: u32, count: u32) -> u16 {
    (code.reverse_bits() >> (32 - count)) as u16
}

#[expect(clippy::cast_possible_truncation, reason = "a byte has 256 values")]
const fn literals() -> [Code; 256] {
    let mut codes = [Code { bits: 0, count: 8 }; 256];
    let mut byte = 0;
    while byte < 256 {
        // Section 3.2.6: the first 144 literals have codes of 8 bits, the others of 9.
        codes[byte] = if byte < 144 {
            Code { bits: reversed(0b0011_0000 + byte as u32, 8), count: 8 }
        } else {
            Code { bits: reversed(0b1_1001_0000 + byte as u32 - 144, 9), count: 9 }
        };
        byte += 1;
    }
    codes
}

#[expect(clippy::cast_possible_truncation, reason = "lengths and their bits are small")]
const fn lengths() -> [Code; LONGEST + 1] {
    let mut codes = [Code { bits: 0, count: 0 }; LONGEST + 1];
    let mut length = SHORTEST;
    while length <= LONGEST {
        let (symbol, extra, extra_count) = length_symbol(length as u32);
        // The fixed codes have two ranges of lengths: 7 bits up to symbol 279, 8 bits from 280 on.
        let (bits, count) = if symbol < 280 {
            (reversed(symbol - 256, 7), 7)
        } else {
            (reversed(0b1100_0000 + symbol - 280, 8), 8)
        };
        codes[length] =
            Code { bits: bits | (extra << count) as u16, count: (count + extra_count) as u8 };
        length += 1;
    }
    codes
}

/// The symbol of a length, with the value and the number of its extra bits.
const fn length_symbol(length: u32) -> (u32, u32, u32) {
    match length {
        // The longest length has a code of its own without extra bits.
        258 => (285, 0, 0),
        3..=10 => (254 + length, 0, 0),
        _ => {
            // As for distances, but with four codes for each number of extra bits.
            let over = length - 3;
            let extra_count = over.ilog2() - 2;
            let step = over >> extra_count & 3;
            (261 + 4 * extra_count + step, over & ((1 << extra_count) - 1), extra_count)
        }
    }
}
