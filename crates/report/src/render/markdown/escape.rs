//! What others wrote, so that neither Markdown nor GitHub reads anything in it.

use crate::harmless;

/// Text as code, in which nothing but bars and backticks means anything.
pub(super) fn code(text: &str) -> String {
    if text.trim().is_empty() {
        // Two backticks with nothing between them are the beginning of a longer code span.
        return String::new();
    }
    // Whoever shows Markdown without knowing code spans must not find markup either.
    if looks_like_markup(text) {
        return format!("<code>{}</code>", cell(text));
    }
    let text = harmless::line(text).replace(['\n', '\r', '\t'], " ").replace('`', "'");
    // In a table `\\|` is an escaped backslash and the end of the cell, so the two are parted.
    format!("`{}`", text.replace("\\|", "\\ |").replace('|', "\\|"))
}

/// Whether something in a text has the form of an element of HTML, or of a link.
fn looks_like_markup(text: &str) -> bool {
    let opens =
        |rest: &str| rest.starts_with(|c: char| c.is_ascii_alphabetic() || "/!?".contains(c));
    text.split('<').skip(1).any(opens) || text.contains("](")
}

/// Text that can stand in a cell: on one line, and with nothing that Markdown or HTML would act on.
pub(super) fn cell(text: &str) -> String {
    let text = text.replace(['\n', '\r', '\t'], " ");
    let text = harmless::line(&text);
    // What could be a link or an image loses its brackets; an interval keeps them.
    let link = text.contains("](") || text.contains("][") || text.contains("]:");
    let mut cell = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    let mut before = ' ';
    while let Some(character) = characters.next() {
        let next = characters.peek().copied().unwrap_or(' ');
        match character {
            '&' => cell.push_str("&amp;"),
            '\\' => cell.push_str("\\\\"),
            '[' if link => cell.push_str("\\["),
            '<' => cell.push_str("&lt;"),
            '>' => cell.push_str("&gt;"),
            '|' => cell.push_str("\\|"),
            '`' => cell.push('\''),
            '*' | '~' | '$' => cell.extend(['\\', character]),
            // Within a word an underscore means nothing, and tools are often named with one.
            '_' if !(before.is_alphanumeric() && next.is_alphanumeric()) => cell.push_str("\\_"),
            // An address would become a link, and a name behind `@` a mention: GitHub looks for
            // mentions in the finished page, where a comment still parts the two.
            ':' if next == '/' => cell.push_str("&#58;"),
            '@' => cell.push_str("@<!-- -->"),
            _ => cell.push(character),
        }
        before = character;
    }
    cell.replace("www.", "www&#46;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_cell_becomes_a_link_an_image_or_a_mention() {
        let text = "![x](http://a.b/c) @somebody **bold** __init__ set_light $x$ www.a.b <b>";
        assert_eq!(
            cell(text),
            "!\\[x](http&#58;//a.b/c) @<!-- -->somebody \\*\\*bold\\*\\* \\_\\_init\\_\\_ set_light \\$x\\$ \
             www&#46;a.b &lt;b&gt;"
        );
    }

    #[test]
    fn code_stays_in_its_cell() {
        assert_eq!(code("a | b ` c"), "`a \\| b ' c`");
        assert_eq!(code("a\\|b"), "`a\\ \\|b`");
        assert_eq!(code("<b>"), "<code>&lt;b&gt;</code>");
        assert_eq!(code("broken<=0"), "`broken<=0`");
        assert_eq!((code(""), code(" ")), (String::new(), String::new()));
    }
}
