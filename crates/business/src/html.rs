//! The text of an HTML page: what a reader would see, as headings and paragraphs.

use std::convert::Infallible;

use html5gum::emitters::default::DefaultEmitter;
use html5gum::{Token, Tokenizer};

use super::content::{DocumentBlock, FileContent, first_heading};

/// Elements whose content nobody sees.
const UNSEEN: [&[u8]; 6] = [b"script", b"style", b"template", b"noscript", b"head", b"svg"];

/// Elements within a line of text.
const INLINE: [&[u8]; 22] = [
    b"a", b"abbr", b"b", b"big", b"cite", b"code", b"em", b"font", b"i", b"kbd", b"label", b"mark",
    b"q", b"s", b"small", b"span", b"strong", b"sub", b"sup", b"time", b"u", b"var",
];

/// Reads a page. Anything can be read: browsers make something of everything, too.
pub(super) fn read(page: &str) -> FileContent {
    let mut emitter = DefaultEmitter::default();
    // Markup within scripts, styles and titles is text.
    emitter.naively_switch_states(true);
    let mut reader = HtmlReader::default();
    for token in Tokenizer::new_with_emitter(page, emitter) {
        let token = match token {
            Ok(token) => token,
            Err(never) => never_fails(never),
        };
        match token {
            Token::StartTag(tag) => reader.open(&tag.name),
            Token::EndTag(tag) => reader.close(&tag.name),
            Token::String(text) => reader.say(&String::from_utf8_lossy(&text)),
            _ => {}
        }
    }
    reader.finish()
}

fn never_fails<T>(never: Infallible) -> T {
    match never {}
}

#[derive(Default)]
struct HtmlReader {
    /// The unseen element that is open, and how often.
    unseen: Option<(Vec<u8>, usize)>,
    is_title: bool,
    is_exact: bool,
    heading: Option<usize>,
    title: String,
    line: String,
    blocks: Vec<DocumentBlock>,
}

impl HtmlReader {
    fn open(&mut self, name: &[u8]) {
        if name == b"title" {
            self.is_title = true;
        } else if name == b"body" {
            // A head need not be closed.
            self.unseen = None;
        }
        if let Some((unseen, depth)) = &mut self.unseen {
            // Counted, so that the end of an inner element does not show the rest of the outer one.
            *depth += usize::from(unseen == name);
            return;
        }
        if UNSEEN.contains(&name) {
            self.unseen = Some((name.to_vec(), 1));
            return;
        }
        match name {
            // Cells of a row stay on one line, as a reader sees them.
            b"td" | b"th" if !self.line.trim().is_empty() => self.line += " | ",
            b"td" | b"th" => {}
            b"br" => self.line.push('\n'),
            b"li" => {
                self.end_block();
                self.line += "- ";
            }
            _ if INLINE.contains(&name) => {}
            _ => self.end_block(),
        }
        self.is_exact |= name == b"pre";
        if let [b'h', level @ b'1'..=b'6'] = name {
            self.heading = Some(usize::from(level - b'0'));
        }
    }

    fn close(&mut self, name: &[u8]) {
        if name == b"title" {
            self.is_title = false;
        }
        if let Some((unseen, depth)) = &mut self.unseen {
            *depth -= usize::from(unseen == name);
            if *depth == 0 {
                self.unseen = None;
            }
            return;
        }
        if matches!(name, b"td" | b"th") || INLINE.contains(&name) {
            return;
        }
        self.end_block();
        self.is_exact &= name != b"pre";
    }

    fn say(&mut self, text: &str) {
        if self.is_title {
            self.title += text;
        }
        if self.unseen.is_some() || self.is_title {
            return;
        }
        if self.is_exact {
            self.line += text;
            return;
        }
        if text.starts_with(char::is_whitespace) {
            self.space();
        }
        for (at, word) in text.split_whitespace().enumerate() {
            if at > 0 {
                self.space();
            }
            self.line += word;
        }
        if text.ends_with(char::is_whitespace) {
            self.space();
        }
    }

    fn space(&mut self) {
        if !self.line.is_empty() && !self.line.ends_with(char::is_whitespace) {
            self.line.push(' ');
        }
    }

    fn end_block(&mut self) {
        let text = std::mem::take(&mut self.line);
        let text = text.trim();
        if text.is_empty() || text == "-" {
            return;
        }
        self.blocks.push(match self.heading.take() {
            Some(level) => DocumentBlock::Heading(level, text.to_owned()),
            None => DocumentBlock::Paragraph(text.to_owned()),
        });
    }

    fn finish(mut self) -> FileContent {
        self.end_block();
        let title = Some(self.title).filter(|title| !title.trim().is_empty());
        let title = title.or_else(|| first_heading(&self.blocks));
        let mut text = String::new();
        for block in &self.blocks {
            let (DocumentBlock::Heading(_, said) | DocumentBlock::Paragraph(said)) = block else {
                continue;
            };
            let row = said.contains(" | ") || said.starts_with("- ");
            text += said;
            text += if row { "\n" } else { "\n\n" };
        }
        FileContent { title, text, blocks: self.blocks }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn only_what_a_reader_sees_is_taken() {
        let page = "<!doctype html><html><head><title>Notice &amp; terms</title>\
                    <style>p > b { color: red }</style><body><h1>Notice</h1>\
                    <p>Rent is <b>$1,200</b>&nbsp;a&#32;month.<br>Due on the 1<sup>st</sup>.</p>\
                    <script>if (a < b) { document.write('<p>no</p>') }</script>\
                    <ul><li>one<li>two</ul><table><tr><th>Unit<th>Rent<tr><td>1A</td><td>900</td>\
                    </table><!-- hidden --><noscript>no</noscript>";
        let content = read(page);
        assert_eq!(content.title.as_deref(), Some("Notice & terms"));
        assert_eq!(
            content.text,
            "Notice\n\nRent is $1,200 a month.\nDue on the 1st.\n\n- one\n- two\n\
             Unit | Rent\n1A | 900\n"
        );
    }

    #[test]
    fn a_fragment_is_a_page_too() {
        assert_eq!(read("just words").text, "just words\n\n");
        assert_eq!(read("<h2>A</h2>b").title.as_deref(), Some("A"));
    }

    proptest! {
        #[test]
        fn any_text_is_read(page in "(<|>|/|p|h1|head|script|&|amp;|!--|\"|=| |.){0,60}") {
            read(&page);
        }
    }
}
