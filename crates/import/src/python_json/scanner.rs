//! Reads JSON text without building anything.

use std::ops::Range;

use super::nesting::Nesting;
use super::token::{ObjectKey, Quoted, Scalar};

/// Where in the scanned bytes something stands.
pub type ByteSpan = Range<usize>;

/// Why scanning stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScanStop {
    /// The offset of the byte that does not fit.
    pub at: usize,
    /// What should have stood there.
    pub wanted: &'static str,
    /// Whether the bytes ended there, so that more of them might have helped.
    pub ended: bool,
}

/// A position in JSON text that moves forward one token, or one whole value, at a time.
///
/// The bytes must be UTF-8 as far as they go; the scanner looks at syntax alone.
#[derive(Clone, Debug)]
pub struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
}

const WANT_VALUE: &str = "a value";
const WANT_KEY: &str = "a key in double quotes";
const WANT_COLON: &str = "`:` after the key";
const WANT_NEXT_MEMBER: &str = "`,` or `}` after the member";
const WANT_NEXT_ITEM: &str = "`,` or `]` after the item";
const WANT_QUOTE: &str = "`\"` at the end of the string";
const WANT_ESCAPE: &str = "an escape that JSON knows";
const WANT_HEX: &str = "four hexadecimal digits after `\\u`";
const WANT_NO_CONTROL: &str = "no bare control character in a string";
const WANT_DIGIT: &str = "a digit";

impl<'a> Scanner<'a> {
    /// A scanner at the beginning of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// The offset of the next byte.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// Moves past white space and gives the byte after it, if there is one.
    #[inline]
    pub fn peek(&mut self) -> Option<u8> {
        loop {
            match self.bytes.get(self.at) {
                Some(b' ' | b'\n' | b'\r' | b'\t') => self.at += 1,
                other => return other.copied(),
            }
        }
    }

    /// Says that something else should stand here.
    pub fn stop(&self, wanted: &'static str) -> ScanStop {
        ScanStop { at: self.at, wanted, ended: self.at >= self.bytes.len() }
    }

    /// Walks through the members of an object, calling `each` with the scanner before a value;
    /// `each` must move past it. The scanner must stand at the opening brace.
    pub fn members(
        &mut self,
        mut each: impl FnMut(&mut Self, ObjectKey<'a>) -> Result<(), ScanStop>,
    ) -> Result<(), ScanStop> {
        self.at += 1;
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(());
        }
        loop {
            let key = self.key()?;
            each(self, key)?;
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    return Ok(());
                }
                _ => return Err(self.stop(WANT_NEXT_MEMBER)),
            }
        }
    }

    /// Walks through the items of a list, like [`Scanner::members`].
    pub fn items(
        &mut self,
        mut each: impl FnMut(&mut Self) -> Result<(), ScanStop>,
    ) -> Result<(), ScanStop> {
        self.at += 1;
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(());
        }
        loop {
            each(self)?;
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.at += 1;
                    return Ok(());
                }
                _ => return Err(self.stop(WANT_NEXT_ITEM)),
            }
        }
    }

    /// Moves past a key and its colon.
    #[inline]
    pub fn key(&mut self) -> Result<ObjectKey<'a>, ScanStop> {
        if self.peek() != Some(b'"') {
            return Err(self.stop(WANT_KEY));
        }
        let start = self.at;
        let escaped = self.string()?;
        let quoted = Quoted { bytes: &self.bytes[start..self.at], escaped };
        self.colon()?;
        Ok(ObjectKey { quoted, start })
    }

    /// Moves past a key and its colon whatever the key is.
    #[inline]
    fn skip_key(&mut self) -> Result<(), ScanStop> {
        if self.peek() != Some(b'"') {
            return Err(self.stop(WANT_KEY));
        }
        self.string()?;
        self.colon()
    }

    #[inline]
    fn colon(&mut self) -> Result<(), ScanStop> {
        if self.peek() != Some(b':') {
            return Err(self.stop(WANT_COLON));
        }
        self.at += 1;
        Ok(())
    }

    /// Moves past a whole value, however deep, and says where it stood.
    #[inline]
    pub fn value(&mut self) -> Result<ByteSpan, ScanStop> {
        let first = self.peek();
        let start = self.at;
        match first {
            Some(b'"') => {
                self.string()?;
            }
            Some(b'{' | b'[') => self.container()?,
            _ => self.bare_word()?,
        }
        Ok(start..self.at)
    }

    fn container(&mut self) -> Result<(), ScanStop> {
        let mut nesting = Nesting::default();
        loop {
            if self.scalar_or_opening(&mut nesting)? {
                continue;
            }
            if self.after_value(&mut nesting)? {
                return Ok(());
            }
        }
    }

    /// Moves past a scalar, an empty container, or the opening of a container up to its first
    /// value; in the last case gives `true`.
    #[inline]
    fn scalar_or_opening(&mut self, nesting: &mut Nesting) -> Result<bool, ScanStop> {
        match self.peek() {
            Some(b'"') => {
                self.string()?;
            }
            Some(b'{') => {
                self.at += 1;
                if self.peek() != Some(b'}') {
                    self.skip_key()?;
                    nesting.push(true);
                    return Ok(true);
                }
                self.at += 1;
            }
            Some(b'[') => {
                self.at += 1;
                if self.peek() != Some(b']') {
                    nesting.push(false);
                    return Ok(true);
                }
                self.at += 1;
            }
            _ => self.bare_word()?,
        }
        Ok(false)
    }

    /// Moves past whatever follows a value, up to the next one; gives `true` when the outermost
    /// value is complete.
    #[inline]
    fn after_value(&mut self, nesting: &mut Nesting) -> Result<bool, ScanStop> {
        while let Some(in_object) = nesting.top() {
            match (self.peek(), in_object) {
                (Some(b','), true) => {
                    self.at += 1;
                    self.skip_key()?;
                    return Ok(false);
                }
                (Some(b','), false) => {
                    self.at += 1;
                    return Ok(false);
                }
                (Some(b'}'), true) | (Some(b']'), false) => {
                    self.at += 1;
                    nesting.pop();
                }
                (_, true) => return Err(self.stop(WANT_NEXT_MEMBER)),
                (_, false) => return Err(self.stop(WANT_NEXT_ITEM)),
            }
        }
        Ok(true)
    }

    /// Moves past a value that is neither an object nor a list.
    pub(super) fn scalar(&mut self) -> Result<Scalar<'a>, ScanStop> {
        let first = self.peek();
        let start = self.at;
        if first == Some(b'"') {
            let escaped = self.string()?;
            return Ok(Scalar::Text(Quoted { bytes: &self.bytes[start..self.at], escaped }));
        }
        self.bare_word()?;
        Ok(Scalar::Word(&self.bytes[start..self.at]))
    }

    /// Moves past a number or one of the words that stand for a value.
    fn bare_word(&mut self) -> Result<(), ScanStop> {
        match self.bytes.get(self.at) {
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.word(b"true"),
            Some(b'f') => self.word(b"false"),
            Some(b'n') => self.word(b"null"),
            Some(b'N') => self.word(b"NaN"),
            Some(b'I') => self.word(b"Infinity"),
            _ => Err(self.stop(WANT_VALUE)),
        }
    }

    fn word(&mut self, word: &[u8]) -> Result<(), ScanStop> {
        let rest = &self.bytes[self.at..];
        if rest.starts_with(word) {
            self.at += word.len();
            return Ok(());
        }
        let ended = word.starts_with(rest);
        Err(ScanStop { at: self.at, wanted: WANT_VALUE, ended })
    }

    fn number(&mut self) -> Result<(), ScanStop> {
        if self.bytes[self.at] == b'-' {
            self.at += 1;
        }
        match self.bytes.get(self.at) {
            Some(b'0') => self.at += 1,
            Some(b'I') if self.bytes[self.at - 1] == b'-' => return self.word(b"Infinity"),
            _ => self.digits()?,
        }
        if self.bytes.get(self.at) == Some(&b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.bytes.get(self.at) {
            self.at += 1;
            if let Some(b'+' | b'-') = self.bytes.get(self.at) {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(())
    }

    fn digits(&mut self) -> Result<(), ScanStop> {
        let start = self.at;
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_digit) {
            self.at += 1;
        }
        if self.at == start { Err(self.stop(WANT_DIGIT)) } else { Ok(()) }
    }

    /// Moves past a string, from quote to quote, and says whether it holds an escape.
    #[inline]
    pub fn string(&mut self) -> Result<bool, ScanStop> {
        self.at += 1;
        let mut escaped = false;
        loop {
            self.at = next_special(self.bytes, self.at);
            match self.bytes.get(self.at) {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(escaped);
                }
                Some(b'\\') => {
                    escaped = true;
                    self.at += self.escape(self.at)?;
                }
                Some(_) => return Err(self.stop(WANT_NO_CONTROL)),
                None => return Err(self.stop(WANT_QUOTE)),
            }
        }
    }

    /// Checks the escape at `at`, and gives its length.
    #[inline]
    fn escape(&self, at: usize) -> Result<usize, ScanStop> {
        match self.bytes.get(at + 1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(2),
            Some(b'u') => {
                let digits = self.bytes[at + 2..].iter().take(4);
                let good = digits.clone().take_while(|byte| byte.is_ascii_hexdigit()).count();
                if good == 4 {
                    return Ok(6);
                }
                let ended = good == digits.len();
                Err(ScanStop { at, wanted: WANT_HEX, ended })
            }
            other => Err(ScanStop { at, wanted: WANT_ESCAPE, ended: other.is_none() }),
        }
    }
}

/// The offset of the first quote, backslash or control character from `at` on, or the end.
#[inline]
fn next_special(bytes: &[u8], mut at: usize) -> usize {
    while let Some(eight) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
        let found = specials(u64::from_le_bytes(*eight));
        if found != 0 {
            return at + found.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    while bytes.get(at).is_some_and(|byte| *byte >= 0x20 && *byte != b'"' && *byte != b'\\') {
        at += 1;
    }
    at
}

/// Marks quotes, backslashes and control characters among eight bytes by the highest bit of each.
///
/// The lowest mark is exact, which is all that is asked for. A subtraction can borrow from the
/// bytes above a byte that is marked, so higher marks may be wrong.
#[inline]
fn specials(eight: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let below = |word: u64, bound: u8| word.wrapping_sub(ONES * u64::from(bound)) & !word;
    let equal = |byte: u8| below(eight ^ (ONES * u64::from(byte)), 1);
    (below(eight, 0x20) | equal(b'"') | equal(b'\\')) & (ONES << 7)
}

#[cfg(test)]
mod tests;
