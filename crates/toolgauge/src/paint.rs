//! Colour for reports: laid over finished text, so that no meaning ever hangs on it.
//!
//! A report is plain text that reads well without colour. What is painted is known by its shape:
//! bars by their blocks, headings of tables by the empty line above them, verdicts by their
//! words. Whether colour reaches the terminal is the printer's business.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};

const HEADING: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();
const GOOD: Style = AnsiColor::Green.on_default();
const FAIR: Style = AnsiColor::Yellow.on_default();
const BAD: Style = AnsiColor::Red.on_default();
const CURVE: Style = AnsiColor::Cyan.on_default();

/// Words at the end of a row that judge it.
const JUDGED: [(&str, Style); 4] =
    [("better", GOOD), ("worse", BAD), ("less", GOOD), ("more", FAIR)];

/// The report in colour.
pub(crate) fn paint(text: &str) -> String {
    let mut painted = String::with_capacity(text.len() + text.len() / 4);
    let mut above_is_empty = true;
    let mut first = true;
    for line in text.split_inclusive('\n') {
        let (body, end) = line.strip_suffix('\n').map_or((line, ""), |body| (body, "\n"));
        if first && !body.is_empty() && !body.starts_with(' ') {
            styled(&mut painted, HEADING, body);
        } else if above_is_empty && is_table_heading(body) {
            styled(&mut painted, FAINT, body);
        } else if body.starts_with("  ! ") {
            styled(&mut painted, FAIR, body);
        } else {
            row(&mut painted, body);
        }
        painted.push_str(end);
        above_is_empty = body.is_empty();
        first &= body.is_empty();
    }
    painted
}

fn styled(painted: &mut String, style: Style, text: &str) {
    let _ = write!(painted, "{style}{text}{style:#}");
}

/// A table's heading names at least two columns, far apart, and holds no figure.
fn is_table_heading(line: &str) -> bool {
    let columns = line.trim().split("  ").filter(|column| !column.trim().is_empty()).count();
    columns > 1 && !line.replace("95 %", "").contains(|c: char| c.is_ascii_digit())
}

fn row(painted: &mut String, line: &str) {
    if let Some(verdict) = line.strip_prefix("  verdict    ") {
        let style = match verdict {
            verdict if verdict.starts_with("B is better") => GOOD,
            verdict if verdict.starts_with("B is worse") => BAD,
            verdict if verdict.starts_with("equivalent") => GOOD,
            _ => FAIR,
        };
        let _ = write!(painted, "  verdict    {style}{verdict}{style:#}");
        return;
    }
    for (word, style) in JUDGED {
        if let Some(before) = line.strip_suffix(word).filter(|before| before.ends_with("  ")) {
            bars(painted, before);
            styled(painted, style, word);
            return;
        }
    }
    bars(painted, line);
}

/// Paints runs of blocks: a bar by how full it is, a curve in one colour.
fn bars(painted: &mut String, line: &str) {
    let mut rest = line;
    while let Some(start) = rest.find(is_block) {
        let (before, from) = rest.split_at(start);
        painted.push_str(before);
        let end = from.find(|c| !is_block(c)).unwrap_or(from.len());
        let (blocks, after) = from.split_at(end);
        paint_blocks(painted, blocks);
        rest = after;
    }
    painted.push_str(rest);
}

fn paint_blocks(painted: &mut String, blocks: &str) {
    let full = blocks.chars().filter(|c| *c == '█').count();
    let empty = blocks.chars().filter(|c| *c == '░').count();
    if full + empty < blocks.chars().count() {
        styled(painted, CURVE, blocks);
        return;
    }
    let style = match 10 * full / (full + empty).max(1) {
        8.. => GOOD,
        5..8 => FAIR,
        _ => BAD,
    };
    styled(painted, style, &"█".repeat(full));
    styled(painted, FAINT, &"░".repeat(empty));
}

fn is_block(character: char) -> bool {
    ('▁'..='█').contains(&character) || character == '░'
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = "lights 1 · m · 4 trials\n\n  score      0.500 [0.1, 0.9]\n\n  dimension  \
                          trials  rate\n  arguments       4  0.5  ██████████░░░░░░░░░░\n  ! \
                          caution\n  verdict    B is worse\n  kitchen  +0.1  better\n  ▁▃█ curve\n";

    fn without_color(text: &str) -> String {
        anstream::adapter::strip_str(text).to_string()
    }

    #[test]
    fn paint_leaves_the_text_as_it_is() {
        let painted = paint(REPORT);
        assert_ne!(painted, REPORT);
        assert_eq!(without_color(&painted), REPORT);
    }

    #[test]
    fn shapes_are_known() {
        let painted = paint(REPORT);
        for (style, text) in [
            (HEADING, "lights 1 · m · 4 trials"),
            (FAIR, "██████████"),
            (FAINT, "░░░░░░░░░░"),
            (BAD, "B is worse"),
            (GOOD, "better"),
            (CURVE, "▁▃█"),
        ] {
            assert!(painted.contains(&format!("{style}{text}{style:#}")), "{text}: {painted:?}");
        }
        assert!(painted.contains("\n  score      0.500"), "figures are no heading: {painted:?}");
    }
}
