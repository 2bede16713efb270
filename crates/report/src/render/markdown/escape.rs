//! What others wrote, so that Markdown reads nothing in it.

use crate::harmless;

/// Text as code, in which Markdown reads nothing but bars and backticks.
pub(super) fn code(text: &str) -> String {
    format!("`{}`", harmless::line(text).replace('`', "'").replace('|', "\\|"))
}

/// Text that can stand in a cell: on one line, and with nothing that Markdown or HTML would act on.
pub(super) fn cell(text: &str) -> String {
    let text = text.replace(['\n', '\r', '\t'], " ");
    let text = harmless::line(&text);
    // What could be a link or an image loses its brackets; an interval keeps them.
    let link = text.contains("](") || text.contains("][") || text.contains("]:");
    let mut cell = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => cell.push_str("&amp;"),
            '\\' => cell.push_str("\\\\"),
            '[' if link => cell.push_str("\\["),
            '<' => cell.push_str("&lt;"),
            '>' => cell.push_str("&gt;"),
            '|' => cell.push_str("\\|"),
            '`' => cell.push('\''),
            '@' => cell.push_str("&#64;"),
            _ => cell.push(character),
        }
    }
    cell
}
