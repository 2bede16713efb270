//! Python's JSON made into JSON proper.

use std::borrow::Cow;

use serde::de::Error;
use toolgauge_core::json::STAND_IN;

/// The text with `NaN`, `Infinity` and `-Infinity` outside strings turned into their stand-ins,
/// which are strings. Nearly always there are none, and the text is given back as it is.
pub(crate) fn plain_json(text: &[u8]) -> serde_json::Result<Cow<'_, str>> {
    let text = std::str::from_utf8(text).map_err(serde_json::Error::custom)?;
    let suspicious = |word| memchr::memmem::find(text.as_bytes(), word).is_some();
    if !suspicious(b"NaN") && !suspicious(b"Infinity") {
        return Ok(Cow::Borrowed(text));
    }
    let mut plain = String::with_capacity(text.len() + 64);
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let token =
            ["-Infinity", "Infinity", "NaN"].into_iter().find(|token| rest.starts_with(token));
        let taken = match (letter, token) {
            // Inside a string these words are text, so strings are copied whole.
            ('"', _) => {
                let length = string_length(rest.as_bytes());
                plain.push_str(&rest[..length]);
                length
            }
            (_, Some(token)) => {
                plain.extend(['"', STAND_IN]);
                plain.push_str(token);
                plain.push('"');
                token.len()
            }
            (letter, None) => {
                plain.push(letter);
                letter.len_utf8()
            }
        };
        rest = &rest[taken..];
    }
    Ok(Cow::Owned(plain))
}

/// As much of a text as is UTF-8. A text that was cut may end in half a letter; what stands behind
/// one that is damaged is as if it were not there.
pub(crate) fn readable(text: &[u8]) -> &str {
    std::str::from_utf8(text).unwrap_or_else(|error| {
        std::str::from_utf8(&text[..error.valid_up_to()]).unwrap_or_default()
    })
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
        let value: serde_json::Value = serde_json::from_str(&plain_json(text).unwrap()).unwrap();
        assert_eq!(value["NaN"], "\u{10FFFF}NaN");
        assert_eq!(value["a"][0], "\u{10FFFF}-Infinity");
        assert_eq!(value["s"], "NaN \" Infinity\\");
    }

    #[test]
    fn an_unterminated_string_does_no_harm() {
        assert_eq!(plain_json(b"NaN\"ab\\").unwrap(), "\"\u{10FFFF}NaN\"\"ab\\");
    }

    #[test]
    fn a_text_that_was_cut_inside_a_letter_is_read_up_to_it() {
        assert_eq!(readable("aé".as_bytes()), "aé");
        assert_eq!(readable(&"aé".as_bytes()[..2]), "a");
        assert!(plain_json(b"\"\xff\"").is_err());
    }
}
