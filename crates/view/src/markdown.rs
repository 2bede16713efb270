//! Markdown that others wrote, as markup of ours: no HTML of theirs, no links that lead anywhere,
//! no images that are loaded.

use maud::{Markup, PreEscaped, Render, html};
use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use toolgauge_report::harmless;

/// As much of a text as is laid out, in bytes.
const MOST: usize = 20_000;
/// The most parts, so that a text of nothing but marks stays bounded.
const MOST_EVENTS: usize = 20_000;

/// A text with its headings, lists, tables and code.
pub(crate) fn markdown(text: &str) -> Markup {
    let (shown, left_out) = harmless::beginning(text, MOST);
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    let mut page = MarkdownPage::default();
    for event in Parser::new_ext(shown, options).take(MOST_EVENTS) {
        page.add(event);
    }
    html! {
        div.markdown dir="auto" { (page.finish()) }
        @if left_out > 0 { p.left-out { "… and " (harmless::size(left_out)) " more" } }
    }
}

/// Elements that were opened, and what is in them.
#[derive(Default)]
struct MarkdownPage {
    text: String,
    open: Vec<&'static str>,
    in_table_head: bool,
}

impl MarkdownPage {
    fn add(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(&tag),
            Event::End(tag) => self.end(tag),
            // What looks like HTML is what somebody wrote, and shown as that.
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => self.write(&text),
            Event::Code(code) => {
                self.text.push_str("<code>");
                self.write(&code);
                self.text.push_str("</code>");
            }
            Event::SoftBreak => self.text.push('\n'),
            Event::HardBreak => self.text.push_str("<br>"),
            Event::Rule => self.text.push_str("<hr>"),
            _ => {}
        }
    }

    fn write(&mut self, text: &str) {
        harmless::block(text).render_to(&mut self.text);
    }

    fn start(&mut self, tag: &Tag<'_>) {
        let element = match tag {
            Tag::Paragraph => "p",
            // The page has headings of its own, which these stand below.
            Tag::Heading { level: HeadingLevel::H1 | HeadingLevel::H2, .. } => "h4",
            Tag::Heading { .. } => "h5",
            Tag::BlockQuote(_) => "blockquote",
            Tag::CodeBlock(_) => "pre",
            Tag::List(Some(_)) => "ol",
            Tag::List(None) => "ul",
            Tag::Item => "li",
            Tag::Table(_) => "table",
            Tag::TableHead => {
                self.in_table_head = true;
                "tr"
            }
            Tag::TableRow => "tr",
            Tag::TableCell if self.in_table_head => "th",
            Tag::TableCell => "td",
            Tag::Emphasis => "em",
            Tag::Strong => "strong",
            Tag::Strikethrough => "s",
            // A link or an image is its words, with where it would lead behind them.
            _ => "span",
        };
        self.text.push('<');
        self.text.push_str(element);
        self.text.push('>');
        self.open.push(element);
        if let Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } = tag {
            let target = format!("[{}] ", harmless::line(dest_url));
            self.write(&target);
        }
    }

    fn end(&mut self, tag: TagEnd) {
        if tag == TagEnd::TableHead {
            self.in_table_head = false;
        }
        if let Some(element) = self.open.pop() {
            self.text.push_str("</");
            self.text.push_str(element);
            self.text.push('>');
        }
    }

    /// The markup, with everything closed that is open where the text was cut.
    fn finish(mut self) -> Markup {
        while let Some(element) = self.open.pop() {
            self.text.push_str("</");
            self.text.push_str(element);
            self.text.push('>');
        }
        PreEscaped(self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_tables_and_code_are_laid_out() {
        let page = markdown("# Rent\n\n- **one** `a<b`\n\n|a|b|\n|-|-|\n|1|2|\n").0;
        for part in [
            "<h4>Rent</h4>",
            "<li><strong>one</strong> <code>a&lt;b</code></li>",
            "<th>a</th>",
            "<td>2</td>",
        ] {
            assert!(page.contains(part), "{part}: {page}");
        }
    }

    #[test]
    fn nothing_that_others_wrote_acts() {
        let harm = "<script>alert(1)</script>\n\n[x](javascript:alert(2)) ![y](http://evil/y.png)\n\n\
                    <img src=x onerror=alert(3)> <https://evil> \u{202e}\u{1b}[2J &lt;b&gt;";
        let page = markdown(harm).0;
        for part in ["<script", "<img", "<a ", "href", "src=\"", "\u{202e}", "\u{1b}", "<b>"] {
            assert!(!page.contains(part), "{part}: {page}");
        }
        assert!(page.contains("&lt;script&gt;") && page.contains("javascript:alert(2)"), "{page}");
    }

    #[test]
    fn a_text_of_marks_alone_is_bounded() {
        let page = markdown(&"> ".repeat(50_000)).0;
        assert!(page.len() < 1_000_000, "{}", page.len());
        assert_eq!(page.matches("<blockquote>").count(), page.matches("</blockquote>").count());
    }
}
