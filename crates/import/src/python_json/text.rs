//! Strings: from their written form to text and back.

use std::borrow::Cow;
use std::fmt::Write;

use memchr::memchr;
use toolgauge_core::json::STAND_IN;

/// The text of a string that a [`Scanner`](super::Scanner) has moved past, quotes included.
///
/// A text with a lone surrogate, which Rust's strings cannot hold, becomes a stand-in: two
/// [`STAND_IN`]s, then the text with each lone surrogate written as `\udxxx` and each backslash
/// doubled. So does a text that begins with [`STAND_IN`] itself, so that nothing a file holds
/// can pass for a stand-in.
pub fn decode(quoted: &[u8]) -> Cow<'_, str> {
    let inner = &quoted[1..quoted.len() - 1];
    if memchr(b'\\', inner).is_none() {
        return decode_plain(inner);
    }
    match plain(inner) {
        Some(text) if !text.starts_with(STAND_IN) => Cow::Owned(text),
        Some(text) => Cow::Owned(stand_in(&units(&text))),
        None => Cow::Owned(stand_in(&all_units(inner))),
    }
}

/// The same for what stands between the quotes, if it holds no escape.
pub(super) fn decode_plain(inner: &[u8]) -> Cow<'_, str> {
    let text = lossy(inner);
    if text.starts_with(STAND_IN) { Cow::Owned(stand_in(&units(&text))) } else { text }
}

/// The text of a string that holds a JSON document of its own.
///
/// Lone surrogates stay escapes, which inside the document mean the same.
pub(crate) fn decode_document(quoted: &[u8]) -> Cow<'_, str> {
    let inner = &quoted[1..quoted.len() - 1];
    if memchr(b'\\', inner).is_none() {
        return lossy(inner);
    }
    let text = plain(inner).unwrap_or_else(|| {
        let units = all_units(inner).into_iter();
        let spelled = units.map(|unit| match char::from_u32(unit) {
            Some(character) => character.to_string(),
            None => format!("\\u{unit:04x}"),
        });
        spelled.collect()
    });
    Cow::Owned(text)
}

/// The bytes as text. They are UTF-8 unless a caller broke the scanner's only rule; checking
/// that outright is faster than looking for what to replace.
pub(super) fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

/// The text of a written string, if it holds no lone surrogate.
fn plain(mut rest: &[u8]) -> Option<String> {
    let mut text = Vec::with_capacity(rest.len());
    while let Some(at) = memchr(b'\\', rest) {
        text.extend_from_slice(&rest[..at]);
        let (unit, used) = escape(&rest[at..]);
        rest = &rest[at + used..];
        match u8::try_from(unit) {
            Ok(byte) if byte.is_ascii() => text.push(byte),
            _ => {
                let character = char::from_u32(unit)?;
                text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            }
        }
    }
    text.extend_from_slice(rest);
    let text = String::from_utf8(text);
    Some(text.unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
}

/// All code points of a written string, lone surrogates included.
fn all_units(mut rest: &[u8]) -> Vec<u32> {
    let mut all = Vec::with_capacity(rest.len());
    while let Some(at) = memchr(b'\\', rest) {
        all.extend(units(&lossy(&rest[..at])));
        let (unit, used) = escape(&rest[at..]);
        all.push(unit);
        rest = &rest[at + used..];
    }
    all.extend(units(&lossy(rest)));
    all
}

fn units(text: &str) -> Vec<u32> {
    text.chars().map(u32::from).collect()
}

fn stand_in(units: &[u32]) -> String {
    let mut text = String::from_iter([STAND_IN, STAND_IN]);
    for unit in units {
        match char::from_u32(*unit) {
            Some('\\') => text.push_str("\\\\"),
            Some(character) => text.push(character),
            None => write!(text, "\\u{unit:04x}").expect("a string takes any text"),
        }
    }
    text
}

/// The code point of the escape that `bytes` begin with, and how many bytes it takes. A pair of
/// surrogate escapes is one code point; one alone is itself.
fn escape(bytes: &[u8]) -> (u32, usize) {
    let simple = |character: u8| (u32::from(character), 2);
    match bytes.get(1) {
        Some(b'b') => simple(0x08),
        Some(b'f') => simple(0x0c),
        Some(b'n') => simple(b'\n'),
        Some(b'r') => simple(b'\r'),
        Some(b't') => simple(b'\t'),
        Some(b'u') => {
            let first = hex(bytes, 2);
            if !(0xd800..0xdc00).contains(&first) || bytes.get(6..8) != Some(b"\\u") {
                return (first, 6);
            }
            let second = hex(bytes, 8);
            if !(0xdc00..0xe000).contains(&second) {
                return (first, 6);
            }
            (0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00), 12)
        }
        Some(other) => simple(*other),
        None => (u32::from(b'\\'), 1),
    }
}

/// The four hexadecimal digits at `at`, which the scanner has checked.
fn hex(bytes: &[u8], at: usize) -> u32 {
    let digits = bytes.get(at..at + 4).unwrap_or_default();
    digits.iter().fold(0, |sum, digit| sum * 16 + char::from(*digit).to_digit(16).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_undone() {
        assert_eq!(decode(br#""a\"\\\/\b\f\n\r\t\u0041""#), "a\"\\/\u{8}\u{c}\n\r\tA");
        assert_eq!(decode(br#""\ud83d\ude00""#), "\u{1f600}");
        assert_eq!(decode("\"caf\u{e9}\"".as_bytes()), "caf\u{e9}");
    }

    #[test]
    fn lone_surrogates_become_stand_ins_that_differ_from_all_else() {
        let lone = decode(br#""a\ud83d""#);
        assert_eq!(lone, "\u{10ffff}\u{10ffff}a\\ud83d");
        assert_ne!(lone, decode(br#""a\ud83e""#));
        let lookalike = "\"\u{10ffff}\u{10ffff}a\\\\ud83d\"";
        assert_ne!(lone, decode(lookalike.as_bytes()));
        assert_ne!(decode("\"\u{10ffff}NaN\"".as_bytes()), "\u{10ffff}NaN");
    }

    #[test]
    fn a_surrogate_pair_in_the_wrong_order_is_two_lone_ones() {
        assert_eq!(decode(br#""\ude00\ud83d""#), "\u{10ffff}\u{10ffff}\\ude00\\ud83d");
        assert_eq!(decode(br#""\ud83d\ud83d\ude00""#), "\u{10ffff}\u{10ffff}\\ud83d\u{1f600}");
    }
}
