//! Text as headings and paragraphs: plain text, Markdown and tables.

use super::content::{DocumentBlock, FileContent, first_heading};

/// Plain text: paragraphs between empty lines. A line in capitals on its own is a heading.
pub(super) fn plain(text: &str) -> FileContent {
    let mut blocks = Vec::new();
    for paragraph in paragraphs(text) {
        let capitals = paragraph.chars().any(char::is_alphabetic)
            && !paragraph.chars().any(char::is_lowercase);
        if capitals && !paragraph.contains('\n') && paragraph.len() <= 80 {
            blocks.push(DocumentBlock::Heading(1, paragraph));
        } else {
            blocks.push(DocumentBlock::Paragraph(paragraph));
        }
    }
    let title = text.lines().map(str::trim).find(|line| !line.is_empty()).map(shortened);
    FileContent { title, text: text.to_owned(), blocks }
}

/// A line that may turn out to be a whole paragraph.
fn shortened(line: &str) -> String {
    if line.chars().count() <= 100 {
        return line.to_owned();
    }
    line.chars().take(99).collect::<String>() + "…"
}

/// Groups of lines without an empty one among them.
fn paragraphs(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let groups = lines.split(|line| line.is_empty());
    groups.filter(|group| !group.is_empty()).map(|group| group.join("\n")).collect()
}

/// Markdown: headings of both kinds, paragraphs as they are written.
pub(super) fn markdown(text: &str) -> FileContent {
    let mut blocks = Vec::new();
    let mut lines: Vec<&str> = Vec::new();
    let mut fenced = false;
    for line in text.lines().map(str::trim_end) {
        let is_fence = line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~");
        // Within a fence a number sign begins a comment of code and no heading.
        fenced ^= is_fence;
        if fenced || is_fence {
            lines.push(line);
        } else if let Some((level, heading)) = marked_heading(line) {
            finish(&mut lines, &mut blocks);
            blocks.push(DocumentBlock::Heading(level, heading.to_owned()));
        } else if let Some(level) = underline(line)
            // Only a single line above it: under a paragraph the line is a rule.
            && let [heading] = lines[..]
        {
            lines.clear();
            blocks.push(DocumentBlock::Heading(level, heading.trim().to_owned()));
        } else if line.is_empty() {
            finish(&mut lines, &mut blocks);
        } else {
            lines.push(line);
        }
    }
    finish(&mut lines, &mut blocks);
    FileContent { title: first_heading(&blocks), text: text.to_owned(), blocks }
}

fn finish(lines: &mut Vec<&str>, blocks: &mut Vec<DocumentBlock>) {
    if !lines.is_empty() {
        blocks.push(DocumentBlock::Paragraph(lines.join("\n")));
        lines.clear();
    }
}

/// A heading that is marked by its number signs.
fn marked_heading(line: &str) -> Option<(usize, &str)> {
    let rest = line.trim_start_matches('#');
    let level = line.len() - rest.len();
    let is_heading = (1..=6).contains(&level) && rest.starts_with([' ', '\t']);
    is_heading.then(|| (level, rest.trim().trim_end_matches('#').trim_end()))
}

/// The level of the heading above, if the line does nothing but underline it.
fn underline(line: &str) -> Option<usize> {
    let all = |mark: char| line.len() >= 2 && line.chars().all(|character| character == mark);
    if all('=') {
        Some(1)
    } else if all('-') {
        Some(2)
    } else {
        None
    }
}

/// A table: its first row names the columns of all others.
pub(super) fn table(text: &str) -> FileContent {
    let mut records = records(text).into_iter();
    let header = records.next().unwrap_or_default();
    let rows: Vec<String> = records.collect();
    let block = if rows.is_empty() {
        DocumentBlock::Paragraph(header)
    } else {
        DocumentBlock::Rows { header, rows }
    };
    FileContent { title: None, text: text.to_owned(), blocks: vec![block] }
}

/// The rows of a table as they are written; a quoted cell may go over several lines.
fn records(text: &str) -> Vec<String> {
    let mut records: Vec<String> = Vec::new();
    let mut open = false;
    for line in text.lines() {
        match records.last_mut() {
            Some(record) if open => {
                record.push('\n');
                record.push_str(line);
            }
            _ if line.trim().is_empty() => continue,
            _ => records.push(line.to_owned()),
        }
        // A quote within a quoted cell is doubled, so pairs leave the cell as it was.
        open ^= line.matches('"').count() % 2 == 1;
    }
    records
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heading(level: usize, text: &str) -> DocumentBlock {
        DocumentBlock::Heading(level, text.into())
    }

    fn paragraph(text: &str) -> DocumentBlock {
        DocumentBlock::Paragraph(text.into())
    }

    #[test]
    fn markdown_has_headings_of_both_kinds_and_code_has_none() {
        let text = "# One #\ntext\nmore\n\nTwo\n---\n\n- a\n- b\n\n```\n# no heading\n```\n#no\n";
        let content = markdown(text);
        let wanted = [
            heading(1, "One"),
            paragraph("text\nmore"),
            heading(2, "Two"),
            paragraph("- a\n- b"),
            paragraph("```\n# no heading\n```\n#no"),
        ];
        assert_eq!(content.blocks, wanted);
        assert_eq!(content.title.as_deref(), Some("One"));
    }

    #[test]
    fn a_line_of_capitals_is_a_heading_of_plain_text() {
        let content = plain("ARTICLE IV\n\nThe managers\nmeet monthly.\n\n1024\n");
        let wanted =
            [heading(1, "ARTICLE IV"), paragraph("The managers\nmeet monthly."), paragraph("1024")];
        assert_eq!(content.blocks, wanted);
    }

    #[test]
    fn a_quote_that_is_never_closed_takes_no_time() {
        let start = std::time::Instant::now();
        let text = "name,inches\npipe,12\"\n".to_owned() + &"pipe,12\n".repeat(300_000);
        let content = table(&text);
        let [DocumentBlock::Rows { rows, .. }] = &content.blocks[..] else { panic!() };
        assert_eq!(rows.len(), 1);
        // Copying the record for each line took a minute.
        assert!(start.elapsed() < std::time::Duration::from_secs(10), "{:?}", start.elapsed());
    }

    #[test]
    fn a_quoted_cell_may_go_over_lines() {
        let content = table("name,note\nA,\"two\nlines\"\n\nB,\"one \"\"word\"\"\"\n");
        let rows = vec!["A,\"two\nlines\"".to_owned(), "B,\"one \"\"word\"\"\"".to_owned()];
        assert_eq!(content.blocks, [DocumentBlock::Rows { header: "name,note".into(), rows }]);
    }
}
