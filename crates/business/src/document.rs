//! One document: its text, and the passages that are found in a search.

use std::fmt;

use super::passages::{self, Passage};
use super::{blocks, html, pdf};

/// A document of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BusinessDocument {
    /// Its path from the folder, with forward slashes.
    pub id: String,
    /// What kind of file it is.
    pub kind: DocumentKind,
    /// What it calls itself, or its name if it does not.
    pub title: String,
    /// The size of the file.
    pub bytes: usize,
    /// All its text.
    pub text: String,
    /// Its text in pieces, each short enough to be shown as a whole.
    pub passages: Vec<Passage>,
}

/// The kinds of document that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DocumentKind {
    /// Plain text.
    Text,
    /// Markdown.
    Markdown,
    /// HTML, of which only the text is taken.
    Html,
    /// PDF, of which only the text is taken.
    Pdf,
    /// A table of comma-separated values.
    Csv,
}

impl DocumentKind {
    /// All kinds.
    pub const ALL: [Self; 5] = [Self::Text, Self::Markdown, Self::Html, Self::Pdf, Self::Csv];

    /// The kind of a file by the ending of its name.
    pub fn of(name: &str) -> Option<Self> {
        let (_, ending) = name.rsplit_once('.')?;
        match ending.to_ascii_lowercase().as_str() {
            "txt" | "text" => Some(Self::Text),
            "md" | "markdown" => Some(Self::Markdown),
            "html" | "htm" | "xhtml" => Some(Self::Html),
            "pdf" => Some(Self::Pdf),
            "csv" | "tsv" => Some(Self::Csv),
            _ => None,
        }
    }

    /// Its name in tools.
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Markdown => "markdown",
            Self::Html => "html",
            Self::Pdf => "pdf",
            Self::Csv => "csv",
        }
    }
}

impl fmt::Display for DocumentKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl BusinessDocument {
    /// Reads a document; the error says why it cannot be read.
    pub fn read(id: &str, kind: DocumentKind, bytes: &[u8]) -> Result<Self, String> {
        let content = match kind {
            DocumentKind::Text => blocks::plain(utf8(bytes)?),
            DocumentKind::Markdown => blocks::markdown(utf8(bytes)?),
            DocumentKind::Csv => blocks::table(utf8(bytes)?),
            DocumentKind::Html => html::read(&String::from_utf8_lossy(bytes)),
            DocumentKind::Pdf => blocks::plain(&pdf::text(bytes)?),
        };
        if content.text.trim().is_empty() {
            return Err("there is no text in it".to_owned());
        }
        let passages = passages::cut(&content.blocks);
        // Number signs alone are headings of nothing: no search could find them.
        if passages.is_empty() {
            return Err("there is no text in it".to_owned());
        }
        let title = content.title.map(|title| one_line(&title)).filter(|title| !title.is_empty());
        Ok(Self {
            id: id.to_owned(),
            kind,
            title: title.unwrap_or_else(|| name_of(id).to_owned()),
            bytes: bytes.len(),
            passages,
            text: content.text,
        })
    }

    /// The first line that says something, shortened.
    pub fn first_line(&self) -> String {
        let line = self.text.lines().map(str::trim).find(|line| !line.is_empty());
        let line = one_line(line.unwrap_or_default());
        if line.chars().count() <= 120 {
            return line;
        }
        line.chars().take(119).collect::<String>() + "…"
    }

    /// Whether the document says these words, whatever the white space between them.
    pub fn says(&self, passage: &str) -> bool {
        let wanted = one_line(passage);
        !wanted.is_empty() && one_line(&self.text).contains(&wanted)
    }
}

/// The name of a file without its folders.
fn name_of(id: &str) -> &str {
    id.rsplit('/').next().unwrap_or(id)
}

/// Words with single spaces between them.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn utf8(bytes: &[u8]) -> Result<&str, String> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    str::from_utf8(bytes).map_err(|error| {
        let line = bytes[..error.valid_up_to()].split(|byte| *byte == b'\n').count();
        format!("line {line} is not UTF-8")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_says_what_it_says_whatever_the_line_breaks() {
        let text = b"Minutes\n\nThe members   agreed\nto buy Maple Court.\n";
        let document = BusinessDocument::read("a/minutes.txt", DocumentKind::Text, text).unwrap();
        assert!(document.says("agreed to\n buy Maple"));
        assert!(!document.says("agreed to sell"));
        assert!(!document.says("  "));
        assert_eq!((document.title.as_str(), document.bytes), ("Minutes", 50));
    }

    #[test]
    fn what_cannot_be_read_says_why() {
        let read = |kind, bytes: &[u8]| BusinessDocument::read("x", kind, bytes).unwrap_err();
        assert_eq!(read(DocumentKind::Text, b"a\n\xff"), "line 2 is not UTF-8");
        assert_eq!(read(DocumentKind::Markdown, b" \n"), "there is no text in it");
        assert_eq!(read(DocumentKind::Markdown, b"# #"), "there is no text in it");
        assert!(read(DocumentKind::Pdf, b"%PDF-1.4 and then nothing").starts_with("it is no"));
    }
}
