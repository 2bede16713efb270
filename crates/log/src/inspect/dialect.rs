//! Python's JSON made into JSON proper.

use std::borrow::Cow;

use toolgauge_core::json::STAND_IN;

/// The text with `NaN`, `Infinity` and `-Infinity` outside strings turned into their stand-ins,
/// which are strings. Nearly always there are none, and the text is given back as it is.
pub(crate) fn plain_json(text: &[u8]) -> Cow<'_, [u8]> {
    let suspicious = |word: &[u8]| memchr::memmem::find(text, word).is_some();
    if !suspicious(b"NaN") && !suspicious(b"Infinity") {
        return Cow::Borrowed(text);
    }
    let mut plain = Vec::with_capacity(text.len() + 64);
    let mut rest = text;
    while let Some(&byte) = rest.first() {
        let token = [&b"-Infinity"[..], b"Infinity", b"NaN"]
            .into_iter()
            .find(|token| rest.starts_with(token));
        let taken = match (byte, token) {
            // Inside a string these words are text, so strings are copied whole.
            (b'"', _) => {
                let length = string_length(rest);
                plain.extend_from_slice(&rest[..length]);
                length
            }
            (_, Some(token)) => {
                let mut mark = [0; 4];
                plain.push(b'"');
                plain.extend_from_slice(STAND_IN.encode_utf8(&mut mark).as_bytes());
                plain.extend_from_slice(token);
                plain.push(b'"');
                token.len()
            }
            (byte, None) => {
                plain.push(byte);
                1
            }
        };
        rest = &rest[taken..];
    }
    Cow::Owned(plain)
}

/// The length of the string that `text` begins with, quotes included.
fn string_length(text: &[u8]) -> usize {
    let mut at = 1;
    while let Some(found) = memchr::memchr2(b'"', b'\\', &text[at.min(text.len())..]) {
        at += found;
        if text[at] == b'"' {
            return at + 1;
        }
        // A backslash and what it escapes, which may be a quote.
        at += 2;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_bare_tokens_are_replaced() {
        let text = br#"{"NaN":NaN,"a":[-Infinity,Infinity],"s":"NaN \" Infinity\\","n":1}"#;
        let value: serde_json::Value = serde_json::from_slice(&plain_json(text)).unwrap();
        assert_eq!(value["NaN"], "\u{10FFFF}NaN");
        assert_eq!(value["a"][0], "\u{10FFFF}-Infinity");
        assert_eq!(value["s"], "NaN \" Infinity\\");
    }

    #[test]
    fn an_unterminated_string_does_no_harm() {
        assert_eq!(&plain_json(b"NaN\"ab\\")[..], "\"\u{10FFFF}NaN\"\"ab\\".as_bytes());
    }
}
