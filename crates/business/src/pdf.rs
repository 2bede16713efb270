//! The text of a PDF file.

use std::panic::{self, AssertUnwindSafe};

/// How much a page may unpack to, in bytes: a small file can hold gigabytes of nothing.
const LARGEST_PAGE: usize = 16 << 20;

/// Letters that are drawn as one and meant as several.
const LIGATURES: [(char, &str); 7] = [
    ('\u{fb00}', "ff"),
    ('\u{fb01}', "fi"),
    ('\u{fb02}', "fl"),
    ('\u{fb03}', "ffi"),
    ('\u{fb04}', "ffl"),
    ('\u{fb05}', "st"),
    ('\u{fb06}', "st"),
];

/// The text of all pages; the error says why there is none.
pub(super) fn text(bytes: &[u8]) -> Result<String, String> {
    // Parsers of this format meet files that their authors did not dream of.
    let read = panic::catch_unwind(AssertUnwindSafe(|| pages(bytes)));
    read.unwrap_or_else(|_| Err("it is no PDF that can be read".to_owned()))
}

fn pages(bytes: &[u8]) -> Result<String, String> {
    let wrong = |error: lopdf::Error| format!("it is no PDF that can be read: {error}");
    let document = lopdf::Document::load_mem(bytes).map_err(wrong)?;
    if document.is_encrypted() {
        return Err("it is encrypted".to_owned());
    }
    let numbers: Vec<u32> = document.get_pages().into_keys().collect();
    let mut text = String::new();
    for number in numbers {
        let page = document.extract_text_with_limit(&[number], LARGEST_PAGE).map_err(wrong)?;
        text += page.trim_end();
        text += "\n\n";
    }
    Ok(spelled_out(&text))
}

fn spelled_out(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match LIGATURES.iter().find(|(ligature, _)| *ligature == character) {
            Some((_, letters)) => out += letters,
            None => out.push(character),
        }
    }
    out
}
