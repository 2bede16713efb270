//! The words of others, as far as they are repeated in a message.

/// How much of a text is repeated.
const LONGEST_QUOTE: usize = 300;

/// The beginning of a text, on one line, without control characters.
pub(crate) fn quote(text: &str) -> String {
    let mut quoted = String::new();
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()) {
        if word.is_empty() {
            continue;
        }
        if !quoted.is_empty() {
            quoted.push(' ');
        }
        // One letter more than is kept, which shows that something was cut; a word may be megabytes
        // long.
        quoted.extend(word.chars().take(LONGEST_QUOTE + 1));
        if let Some((cut, _)) = quoted.char_indices().nth(LONGEST_QUOTE) {
            quoted.truncate(cut);
            quoted.push('…');
            break;
        }
    }
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_are_short_and_on_one_line() {
        assert_eq!(quote(" a\n\tb\u{0}c "), "a b c");
        assert_eq!(quote(&"é".repeat(10_000)).chars().count(), LONGEST_QUOTE + 1);
        assert_eq!(quote(&"x y ".repeat(10_000)).chars().count(), LONGEST_QUOTE + 1);
    }
}
