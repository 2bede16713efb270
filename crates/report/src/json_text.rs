//! JSON values as text, never more of it than a page can bear.

use std::io::{self, Write};

use serde::Serialize;

use crate::harmless;

/// A value as indented JSON, cut off after `most` bytes, and whether it was.
pub fn indented(value: &impl Serialize, most: usize) -> (String, bool) {
    let mut out = Bounded { text: Vec::new(), most };
    let cut = serde_json::to_writer_pretty(&mut out, value).is_err();
    (shown(&out.text), cut)
}

/// A value as JSON in one line, cut off after `most` bytes and marked with `…` if it was.
pub fn in_a_line(value: &impl Serialize, most: usize) -> String {
    let mut out = Bounded { text: Vec::new(), most };
    let cut = serde_json::to_writer(&mut out, value).is_err();
    let mut text = shown(&out.text);
    if cut {
        text.push('…');
    }
    text
}

/// Text without what acts on its surroundings. A cut may go through a letter; its first bytes are
/// dropped.
fn shown(text: &[u8]) -> String {
    harmless::json(String::from_utf8_lossy(text).trim_end_matches('\u{fffd}')).into_owned()
}

/// Refuses bytes beyond `most`, so that a huge value is not written out to be thrown away.
struct Bounded {
    text: Vec<u8>,
    most: usize,
}

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = self.most - self.text.len();
        // The error is what stops the serializer, however large the rest of the value is.
        if room == 0 && !bytes.is_empty() {
            return Err(io::ErrorKind::WriteZero.into());
        }
        let taken = bytes.len().min(room);
        self.text.extend_from_slice(&bytes[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};

    use super::*;

    #[test]
    fn a_huge_value_is_cut_off() {
        let many: Map<String, Value> =
            (0..100_000).map(|number| (number.to_string(), json!(number))).collect();
        let (text, cut) = indented(&many, 1000);
        assert!(cut && text.len() == 1000);
        assert_eq!(in_a_line(&json!("x".repeat(10_000_000)), 4), "\"xxx…");
        assert_eq!(in_a_line(&json!({"a": [1, "\u{202e}"]}), 99), r#"{"a":[1,"\u202e"]}"#);
    }
}
