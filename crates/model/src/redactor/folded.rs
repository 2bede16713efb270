//! A text with one layer of everything undone that may stand between a secret and its plain form:
//! escapes of JSON, HTML and URLs, and characters that nobody sees.

use std::ops::Range;

/// Whether there may be something to undo.
pub(super) fn is_folded(text: &[u8]) -> bool {
    memchr::memchr3(b'\\', b'%', b'&', text).is_some()
        || text.iter().any(|byte| byte.is_ascii_control() || is_invisible_lead(*byte))
}

/// The text with one layer undone.
pub(super) fn fold(text: &[u8]) -> Vec<u8> {
    let mut folded = Vec::with_capacity(text.len());
    each_unit(text, |unit, _| folded.extend_from_slice(unit));
    folded
}

/// Where in the text each byte comes from once so many layers are undone.
pub(super) fn places(text: &[u8], depth: usize) -> Vec<Range<usize>> {
    let mut view = text.to_vec();
    let mut known: Vec<Range<usize>> = (0..text.len()).map(|at| at..at + 1).collect();
    for _ in 0..depth {
        let mut places = Vec::with_capacity(view.len());
        each_unit(&view, |unit, place| {
            // Layers add up: what one letter stands for now may have been written with many before.
            let outside = known[place.start].start..known[place.end - 1].end;
            places.extend(unit.iter().map(|_| outside.clone()));
        });
        (view, known) = (fold(&view), places);
    }
    known
}

/// Tells each piece of the folded text with the place it comes from.
fn each_unit(text: &[u8], mut tell: impl FnMut(&[u8], Range<usize>)) {
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let (unit, length) = match rest[0] {
            b'\\' => unescaped(rest),
            b'%' => percent_decoded(rest),
            b'&' => entity(rest),
            byte if byte.is_ascii_control() => (FoldedUnit::Nothing, 1),
            byte if is_invisible_lead(byte) => match invisible(rest) {
                Some(length) => (FoldedUnit::Nothing, length),
                None => (FoldedUnit::Byte(byte), 1),
            },
            byte => (FoldedUnit::Byte(byte), 1),
        };
        let place = at..at + length;
        match unit {
            FoldedUnit::Nothing => {}
            FoldedUnit::Byte(byte) => tell(&[byte], place),
            FoldedUnit::Letter(letter) => tell(letter.encode_utf8(&mut [0; 4]).as_bytes(), place),
        }
        at += length;
    }
}

enum FoldedUnit {
    Nothing,
    Byte(u8),
    Letter(char),
}

impl FoldedUnit {
    /// A letter that an escape stands for; control characters are dropped as everywhere.
    fn of(code: u32) -> Self {
        match char::from_u32(code) {
            Some(letter) if letter.is_control() => Self::Nothing,
            Some(letter) => Self::Letter(letter),
            None => Self::Nothing,
        }
    }
}

/// An escape as JSON has them; a backslash that begins none is one.
fn unescaped(text: &[u8]) -> (FoldedUnit, usize) {
    match text.get(1) {
        // A secret that was broken over lines is still that secret.
        Some(b'b' | b'f' | b'n' | b'r' | b't') => (FoldedUnit::Nothing, 2),
        Some(byte @ (b'"' | b'/' | b'\\')) => (FoldedUnit::Byte(*byte), 2),
        Some(b'u') => match (hex(text, 2, 4), low_surrogate(text)) {
            (Some(high @ 0xD800..0xDC00), Some(low)) => {
                (FoldedUnit::of(0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00)), 12)
            }
            (Some(code), _) => (FoldedUnit::of(code), 6),
            (None, _) => (FoldedUnit::Byte(b'\\'), 1),
        },
        _ => (FoldedUnit::Byte(b'\\'), 1),
    }
}

/// The second half of a letter beyond U+FFFF, behind `\uXXXX`.
fn low_surrogate(text: &[u8]) -> Option<u32> {
    let is_escape = text.get(6..8) == Some(br"\u");
    hex(text, 8, 4).filter(|code| is_escape && (0xDC00..0xE000).contains(code))
}

/// A byte as URLs write it.
fn percent_decoded(text: &[u8]) -> (FoldedUnit, usize) {
    match hex(text, 1, 2).and_then(|code| u8::try_from(code).ok()) {
        Some(byte) if byte.is_ascii_control() => (FoldedUnit::Nothing, 3),
        Some(byte) => (FoldedUnit::Byte(byte), 3),
        None => (FoldedUnit::Byte(b'%'), 1),
    }
}

/// A letter as HTML writes it.
fn entity(text: &[u8]) -> (FoldedUnit, usize) {
    let named: [(&[u8], char); 6] = [
        (b"&amp;", '&'),
        (b"&lt;", '<'),
        (b"&gt;", '>'),
        (b"&quot;", '"'),
        (b"&apos;", '\''),
        (b"&nbsp;", ' '),
    ];
    if let Some((name, letter)) = named.iter().find(|(name, _)| text.starts_with(name)) {
        return (FoldedUnit::Letter(*letter), name.len());
    }
    // No number of a letter is longer. Without a bound, a text of `&` alone would be searched to
    // its end again and again.
    let end = text.iter().take(10).position(|byte| *byte == b';');
    let number = end.and_then(|end| std::str::from_utf8(&text[1..end]).ok());
    let code = number.and_then(|text| text.strip_prefix('#')).and_then(|digits| {
        match digits.strip_prefix(['x', 'X']) {
            Some(digits) => u32::from_str_radix(digits, 16).ok(),
            None => digits.parse().ok(),
        }
    });
    match (code, end) {
        (Some(code), Some(end)) => (FoldedUnit::of(code), end + 1),
        _ => (FoldedUnit::Byte(b'&'), 1),
    }
}

fn hex(text: &[u8], from: usize, digits: usize) -> Option<u32> {
    let digits = std::str::from_utf8(text.get(from..from + digits)?).ok()?;
    let is_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    is_hex.then(|| u32::from_str_radix(digits, 16).ok()).flatten()
}

/// Whether an invisible character may begin with this byte.
fn is_invisible_lead(byte: u8) -> bool {
    matches!(byte, 0xC2 | 0xE2 | 0xEF)
}

/// The length of an invisible character: C1 controls, soft hyphens, zero-width spaces and joiners.
fn invisible(text: &[u8]) -> Option<usize> {
    match text {
        [0xC2, 0x80..=0x9F | 0xAD, ..] => Some(2),
        [0xE2, 0x80, 0x8B..=0x8F | 0xAA..=0xAE, ..]
        | [0xE2, 0x81, 0xA0..=0xA4, ..]
        | [0xEF, 0xBB, 0xBF, ..] => Some(3),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_of_every_kind_are_undone() {
        for (text, folded) in [
            (r"a\u0062c", "abc"),
            (r"a\\u0062c", r"a\u0062c"),
            (r#"a\"b\/c\x"#, r#"a"b/c\x"#),
            (r"a\ud83d\ude00b", "a😀b"),
            ("a%62c %2562 %25", "abc %62 %"),
            ("a&amp;b&#98;&#x62;&x", "a&bbb&x"),
            ("a\u{0}b\n\u{7f}c\u{200b}d\u{85}é", "abcdé"),
            (r"a\", r"a\"),
            (r"\u12", r"\u12"),
            ("%", "%"),
            ("&#", "&#"),
        ] {
            let bytes = fold(text.as_bytes());
            assert_eq!(String::from_utf8_lossy(&bytes), folded, "{text}");
            assert_eq!(places(text.as_bytes(), 1).len(), bytes.len());
        }
    }

    #[test]
    fn places_lead_through_every_layer() {
        let text = r"x\\u0062y";
        assert_eq!(fold(&fold(text.as_bytes())), b"xby");
        assert_eq!(places(text.as_bytes(), 2), [0..1, 1..8, 8..9]);
    }
}
