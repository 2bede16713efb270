//! Text that a model or a suite wrote, made fit to be shown: it stays text.
//!
//! A terminal acts on escape sequences, and every screen on marks that turn the direction of
//! writing, so that text could hide, repaint or reorder what stands around it. Such characters
//! are written out as escapes wherever text is shown, and one line never grows beyond measure.

use std::borrow::Cow;
use std::fmt::Write;

/// How many characters of a name or another text of one line are shown.
const LONGEST_LINE: usize = 160;

/// Whether a character acts on what stands around it, or hides, instead of being shown.
///
/// Those are control characters, marks of direction, separators of lines that only some programs
/// know, invisible characters without a use in ordinary writing (the joiners of emoji and of
/// several scripts stay), tags, and what Unicode will never assign.
pub fn is_harmful(character: char) -> bool {
    matches!(
        character,
        '\u{0}'..='\u{1f}'
            | '\u{7f}'..='\u{9f}'
            | '\u{ad}'
            | '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'
            | '\u{200e}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{fdd0}'..='\u{fdef}'
            | '\u{e0000}'..='\u{e0fff}'
    ) || (u32::from(character) & 0xfffe) == 0xfffe
}

/// Text as one line: line breaks and tabs are written out too, and what is very long is cut off.
pub fn line(text: &str) -> Cow<'_, str> {
    line_within(text, LONGEST_LINE)
}

/// Text as one line of at most so many characters.
pub fn line_within(text: &str, most: usize) -> Cow<'_, str> {
    let end = text.char_indices().nth(most).map(|(end, _)| end);
    match end {
        None => escaped(text, is_harmful),
        Some(end) => {
            let shown = escaped(&text[..end], is_harmful);
            Cow::Owned(format!("{shown}… ({} more)", size(text.len() - end)))
        }
    }
}

/// Text of several lines: line breaks and tabs stay.
pub fn block(text: &str) -> Cow<'_, str> {
    escaped(text, |character| is_harmful(character) && !matches!(character, '\n' | '\t'))
}

/// Text of several lines that is in colour: sequences that set a colour stay too.
pub fn colored_block(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        shown.push_str(&block(before));
        let digits = after.find(|c: char| !c.is_ascii_digit() && c != ';').unwrap_or(after.len());
        let (code, next) = after.split_at(digits);
        // Of all sequences only those that end in `m` set colours; the others move and erase.
        if let Some(next) = next.strip_prefix('m') {
            let _ = write!(shown, "\u{1b}[{code}m");
            rest = next;
        } else {
            shown.push_str(&block("\u{1b}["));
            rest = after;
        }
    }
    shown.push_str(&block(rest));
    shown
}

/// JSON whose strings hold nothing harmful: what JSON leaves as it is becomes `\u` escapes,
/// which mean the same.
pub fn json(text: &str) -> Cow<'_, str> {
    let harmful = |c: char| is_harmful(c) && !matches!(c, '\n' | '\t');
    if !text.contains(harmful) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if harmful(character) {
            // JSON knows only escapes of 16 bits: what lies beyond takes two.
            for unit in character.encode_utf16(&mut [0; 2]) {
                let _ = write!(escaped, "\\u{unit:04x}");
            }
        } else {
            escaped.push(character);
        }
    }
    Cow::Owned(escaped)
}

/// The first part of a text, at most so many bytes of it, and how many bytes are left out.
pub fn beginning(text: &str, most: usize) -> (&str, usize) {
    if text.len() <= most {
        return (text, 0);
    }
    let end = (0..=most).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    (&text[..end], text.len() - end)
}

/// A number of bytes for people.
#[expect(clippy::cast_precision_loss, reason = "shown with one digit")]
pub fn size(bytes: usize) -> String {
    match bytes {
        0..1_000 => format!("{bytes} bytes"),
        1_000..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}

fn escaped(text: &str, harmful: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&harmful) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if harmful(character) {
            write_escape(&mut escaped, character);
        } else {
            escaped.push(character);
        }
    }
    Cow::Owned(escaped)
}

/// The character as Rust and most languages write it.
pub(crate) fn write_escape(text: &mut String, character: char) {
    let _ = match character {
        '\n' => text.write_str("\\n"),
        '\r' => text.write_str("\\r"),
        '\t' => text.write_str("\\t"),
        '\0'..='\u{7f}' => write!(text, "\\x{:02x}", u32::from(character)),
        _ => write!(text, "\\u{{{:x}}}", u32::from(character)),
    };
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn only_colors_of_colored_text_stay() {
        let text = "\u{1b}[32mgood\u{1b}[0m\n\u{1b}[2J\u{1b}]0;x\u{7}\u{1b}[1;3";
        let shown = colored_block(text);
        assert_eq!(shown, "\u{1b}[32mgood\u{1b}[0m\n\\x1b[2J\\x1b]0;x\\x07\\x1b[1;3");
    }

    #[test]
    fn what_acts_on_its_surroundings_is_written_out() {
        assert_eq!(line("\u{1b}[2Jgone\u{7}"), "\\x1b[2Jgone\\x07");
        assert_eq!(line("abc\u{202e}cba\u{2066}"), "abc\\u{202e}cba\\u{2066}");
        assert_eq!(line("one\r\ntwo\tthree"), "one\\r\\ntwo\\tthree");
        assert_eq!(block("one\r\ntwo\tthree"), "one\\r\ntwo\tthree");
        assert_eq!(line("\u{9b}31m"), "\\u{9b}31m");
    }

    #[test]
    fn ordinary_writing_stays_as_it_is() {
        for text in ["naïve café", "شغّل ضوء المطبخ", "👩‍👩‍👧 family", "می‌خواهم", "−0.03 → 7 °C"]
        {
            assert!(matches!(line(text), Cow::Borrowed(same) if same == text), "{text}");
        }
    }

    #[test]
    fn a_line_never_grows_beyond_measure() {
        let long = "x".repeat(10_000_000);
        let shown = line(&long);
        assert!(shown.len() < 200, "{}", shown.len());
        assert!(shown.ends_with("(10.0 MB more)"), "{shown}");
    }

    #[test]
    fn a_beginning_ends_between_characters() {
        assert_eq!(beginning("aä", 2), ("a", 2));
        assert_eq!(beginning("aä", 3), ("aä", 0));
    }

    proptest! {
        #[test]
        fn json_means_the_same_once_it_is_harmless(text in any::<String>()) {
            let written = serde_json::to_string(&text).unwrap();
            let shown = json(&written);
            prop_assert!(!shown.contains(is_harmful));
            prop_assert_eq!(serde_json::from_str::<String>(&shown).unwrap(), text);
        }

        #[test]
        fn nothing_harmful_is_left_in_a_line(text in any::<String>()) {
            prop_assert!(!line(&text).contains(is_harmful));
        }
    }
}
