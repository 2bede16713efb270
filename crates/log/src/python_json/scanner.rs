//! Reads JSON text without building anything.

use std::borrow::Cow;
use std::ops::Range;

use super::text::decode;

/// Where in the scanned bytes something stands.
pub type Span = Range<usize>;

/// Why scanning stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stumble {
    /// The offset of the byte that does not fit.
    pub at: usize,
    /// What should have stood there.
    pub wanted: &'static str,
    /// Whether the bytes ended there, so that more of them might have helped.
    pub ended: bool,
}

/// A key of an object, as it is written.
#[derive(Clone, Copy, Debug)]
pub struct Key<'a> {
    quoted: &'a [u8],
    escaped: bool,
    /// Where its opening quote stands.
    pub start: usize,
}

impl<'a> Key<'a> {
    /// The bytes of the key, so that it can be matched against those looked for.
    #[inline]
    pub fn bytes(&self) -> Cow<'a, [u8]> {
        if self.escaped {
            return Cow::Owned(self.text().into_owned().into_bytes());
        }
        Cow::Borrowed(&self.quoted[1..self.quoted.len() - 1])
    }

    /// The key itself.
    pub fn text(&self) -> Cow<'a, str> {
        decode(self.quoted)
    }
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
            // Indentation comes in long runs of spaces.
            while let Some(word) = self.bytes[self.at..].first_chunk::<8>()
                && *word == [b' '; 8]
            {
                self.at += 8;
            }
        }
    }

    /// Moves past the next byte, which the caller has peeked at.
    pub fn bump(&mut self) {
        self.at += 1;
    }

    /// Says that something else should stand here.
    pub fn stumble(&self, wanted: &'static str) -> Stumble {
        Stumble { at: self.at, wanted, ended: self.at >= self.bytes.len() }
    }

    /// Walks through the members of an object, calling `each` with the scanner before a value;
    /// `each` must move past it. The scanner must stand at the opening brace.
    pub fn members(
        &mut self,
        mut each: impl FnMut(&mut Self, Key<'a>) -> Result<(), Stumble>,
    ) -> Result<(), Stumble> {
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
                _ => return Err(self.stumble(WANT_NEXT_MEMBER)),
            }
        }
    }

    /// Walks through the items of a list, like [`Scanner::members`].
    pub fn items(
        &mut self,
        mut each: impl FnMut(&mut Self) -> Result<(), Stumble>,
    ) -> Result<(), Stumble> {
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
                _ => return Err(self.stumble(WANT_NEXT_ITEM)),
            }
        }
    }

    /// Moves past a key and its colon.
    #[inline]
    pub fn key(&mut self) -> Result<Key<'a>, Stumble> {
        if self.peek() != Some(b'"') {
            return Err(self.stumble(WANT_KEY));
        }
        let start = self.at;
        let escaped = self.string()?;
        let quoted = &self.bytes[start..self.at];
        self.colon()?;
        Ok(Key { quoted, escaped, start })
    }

    #[inline]
    fn colon(&mut self) -> Result<(), Stumble> {
        if self.peek() != Some(b':') {
            return Err(self.stumble(WANT_COLON));
        }
        self.at += 1;
        Ok(())
    }

    /// Moves past a whole value, however deep, and says where it stood.
    pub fn value(&mut self) -> Result<Span, Stumble> {
        self.peek();
        let start = self.at;
        let mut nesting = Nesting::default();
        loop {
            if self.scalar_or_opening(&mut nesting)? {
                continue;
            }
            if self.after_value(&mut nesting)? {
                return Ok(start..self.at);
            }
        }
    }

    /// Moves past a scalar, an empty container, or the opening of a container up to its first
    /// value; in the last case gives `true`.
    #[inline]
    fn scalar_or_opening(&mut self, nesting: &mut Nesting) -> Result<bool, Stumble> {
        match self.peek() {
            Some(b'"') => {
                self.string()?;
            }
            Some(b'{') => {
                self.at += 1;
                if self.peek() != Some(b'}') {
                    self.key()?;
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
    fn after_value(&mut self, nesting: &mut Nesting) -> Result<bool, Stumble> {
        while let Some(in_object) = nesting.top() {
            match (self.peek(), in_object) {
                (Some(b','), true) => {
                    self.at += 1;
                    self.key()?;
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
                (_, true) => return Err(self.stumble(WANT_NEXT_MEMBER)),
                (_, false) => return Err(self.stumble(WANT_NEXT_ITEM)),
            }
        }
        Ok(true)
    }

    /// Moves past a value that is neither an object nor a list, and gives it as it is written.
    pub fn scalar(&mut self) -> Result<&'a [u8], Stumble> {
        let first = self.peek();
        let start = self.at;
        if first == Some(b'"') {
            self.string()?;
        } else {
            self.bare_word()?;
        }
        Ok(&self.bytes[start..self.at])
    }

    /// Moves past a number or one of the words that stand for a value.
    fn bare_word(&mut self) -> Result<(), Stumble> {
        match self.bytes.get(self.at) {
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.word(b"true"),
            Some(b'f') => self.word(b"false"),
            Some(b'n') => self.word(b"null"),
            Some(b'N') => self.word(b"NaN"),
            Some(b'I') => self.word(b"Infinity"),
            _ => Err(self.stumble(WANT_VALUE)),
        }
    }

    fn word(&mut self, word: &[u8]) -> Result<(), Stumble> {
        let rest = &self.bytes[self.at..];
        if rest.starts_with(word) {
            self.at += word.len();
            return Ok(());
        }
        let ended = word.starts_with(rest);
        Err(Stumble { at: self.at, wanted: WANT_VALUE, ended })
    }

    fn number(&mut self) -> Result<(), Stumble> {
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

    fn digits(&mut self) -> Result<(), Stumble> {
        let start = self.at;
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_digit) {
            self.at += 1;
        }
        if self.at == start { Err(self.stumble(WANT_DIGIT)) } else { Ok(()) }
    }

    /// Moves past a string, from quote to quote, and says whether it holds an escape.
    #[inline]
    pub fn string(&mut self) -> Result<bool, Stumble> {
        let mut escaped = false;
        self.at += 1;
        loop {
            self.at = next_special(self.bytes, self.at);
            match self.bytes.get(self.at) {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(escaped);
                }
                Some(b'\\') => {
                    escaped = true;
                    self.escape()?;
                }
                Some(_) => return Err(self.stumble(WANT_NO_CONTROL)),
                None => return Err(self.stumble(WANT_QUOTE)),
            }
        }
    }

    #[inline]
    fn escape(&mut self) -> Result<(), Stumble> {
        match self.bytes.get(self.at + 1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {
                self.at += 2;
                Ok(())
            }
            Some(b'u') => {
                let digits = self.bytes[self.at + 2..].iter().take(4);
                let good = digits.clone().take_while(|byte| byte.is_ascii_hexdigit()).count();
                if good == 4 {
                    self.at += 6;
                    return Ok(());
                }
                let ended = good == digits.len();
                Err(Stumble { at: self.at, wanted: WANT_HEX, ended })
            }
            other => Err(Stumble { at: self.at, wanted: WANT_ESCAPE, ended: other.is_none() }),
        }
    }
}

const ONES: u64 = 0x0101_0101_0101_0101;
const TOPS: u64 = 0x8080_8080_8080_8080;

/// The offset of the first quote, backslash or control character from `at` on, or the end.
///
/// Looks at eight bytes at a time, by the well-known trick of finding a zero byte in a word:
/// subtracting one from every byte borrows from the top bit of a byte that is zero. A borrow
/// may run on into higher bytes, so that only the lowest mark is sure; it is the only one used.
#[inline]
fn next_special(bytes: &[u8], mut at: usize) -> usize {
    let mut words = 0;
    while let Some(word) = bytes.get(at..).and_then(<[u8]>::first_chunk::<8>) {
        let word = u64::from_le_bytes(*word);
        let quote = word ^ (ONES * u64::from(b'"'));
        let slash = word ^ (ONES * u64::from(b'\\'));
        let marks = (quote.wrapping_sub(ONES) & !quote)
            | (slash.wrapping_sub(ONES) & !slash)
            | (word.wrapping_sub(ONES * 0x20) & !word);
        let marks = marks & TOPS;
        if marks != 0 {
            return at + (marks.trailing_zeros() / 8) as usize;
        }
        at += 8;
        words += 1;
        // Text that has been plain for a while tends to stay so.
        if words == 3 {
            at = skip_plain(bytes, at);
            words = 0;
        }
    }
    while bytes.get(at).is_some_and(|byte| *byte >= 0x20 && *byte != b'"' && *byte != b'\\') {
        at += 1;
    }
    at
}

/// Moves past 32 bytes at a time while none of them is special. The compiler makes vector
/// instructions of the inner loop.
#[inline]
fn skip_plain(bytes: &[u8], mut at: usize) -> usize {
    while let Some(chunk) = bytes.get(at..).and_then(<[u8]>::first_chunk::<32>) {
        let special = |byte: &u8| *byte < 0x20 || *byte == b'"' || *byte == b'\\';
        if chunk.iter().fold(false, |any, byte| any | special(byte)) {
            break;
        }
        at += 32;
    }
    at
}

/// Which kind of container each open level is: a stack of bits, so that even a text nested a
/// hundred thousand deep costs a few kilobytes.
#[derive(Default)]
struct Nesting {
    bits: u64,
    depth: usize,
    full: Vec<u64>,
}

impl Nesting {
    #[inline]
    fn push(&mut self, object: bool) {
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.full.push(self.bits);
        }
        self.bits = self.bits << 1 | u64::from(object);
        self.depth += 1;
    }

    #[inline]
    fn top(&self) -> Option<bool> {
        (self.depth > 0).then_some(self.bits & 1 == 1)
    }

    #[inline]
    fn pop(&mut self) {
        self.bits >>= 1;
        self.depth -= 1;
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.bits = self.full.pop().expect("a word was put away for every 64 levels");
        }
    }
}
