//! Tables as text, without lines: columns side by side, in colour where that is wanted.

use std::fmt::{self, Formatter};

use anstyle::Style;
use unicode_width::UnicodeWidthStr;

use super::style::{FAINT, bar_style, is_colored, paint, style};
use crate::harmless;
use crate::render::bar::bar;
use crate::render::table::{CellContent, ColumnKind, FigureCell, FigureTable};

/// Bars need more columns of the terminal than this.
const NARROW: usize = 76;

/// How wide a bar for the value 1 is.
const BAR: usize = 20;

/// What is left free between columns.
const GAP: &str = "  ";

/// Text in one style.
type Span = (String, Style);

/// Writes a table under an empty line; nothing if it has no rows. A width of the formatter, as in
/// `{summary:80}`, is that of the terminal: what does not fit is wrapped within its column.
pub(super) fn write(f: &mut Formatter<'_>, table: &FigureTable) -> fmt::Result {
    if table.rows.is_empty() {
        return Ok(());
    }
    writeln!(f)?;
    write_rows(f, table)
}

/// Writes the heading and the rows of a table.
pub(super) fn write_rows(f: &mut Formatter<'_>, table: &FigureTable) -> fmt::Result {
    let narrow = f.width().is_some_and(|width| width < NARROW);
    let drawn = table
        .columns_in(|column| column.forms.text && !(narrow && column.kind == ColumnKind::Bars));
    let heading = drawn.iter().map(|place| {
        let column = &table.columns[*place];
        let words = column.short.unwrap_or(&column.heading);
        vec![(harmless::line(words).into_owned(), FAINT)]
    });
    let mut lines: Vec<Vec<Vec<Span>>> = vec![heading.collect()];
    lines.extend(
        table.rows.iter().map(|row| drawn.iter().map(|place| spans(&row[*place])).collect()),
    );
    let indent = if table.indented { GAP } else { "" };
    let space = f.width().map(|width| width.saturating_sub(indent.len() + GAP.len() * drawn.len()));
    let widths = widths(&lines, space);
    for (number, line) in lines.iter().enumerate() {
        let at_right = |at: usize| {
            let column = &table.columns[drawn[at]];
            column.kind == ColumnKind::Numbers && (number > 0 || column.heading_at_right)
        };
        write_row(f, line, &widths, indent, at_right)?;
    }
    Ok(())
}

/// What a cell shows, without lines or characters that act on a terminal.
fn spans(cell: &FigureCell) -> Vec<Span> {
    let style = style(cell.tone);
    match &cell.content {
        CellContent::Words(words) => vec![(words.clone(), style)],
        CellContent::Name(name) => vec![(harmless::line(name).into_owned(), style)],
        CellContent::Labelled(label, words) => {
            vec![(harmless::line(&format!("{label:<3} {words}")).into_owned(), style)]
        }
        CellContent::Lettered(letter, _) => vec![(letter.clone(), style)],
        CellContent::RateBar(rate) => share_bar(rate.mean),
        CellContent::ShareBar(share) => share_bar(*share),
        CellContent::DifferenceBar { .. } => Vec::new(),
    }
}

fn share_bar(share: f64) -> Vec<Span> {
    let drawn = bar(BAR, share);
    let empty = drawn.find('░').unwrap_or(drawn.len());
    let (full, empty) = drawn.split_at(empty);
    vec![(full.to_owned(), bar_style(share)), (empty.to_owned(), FAINT)]
}

fn width(cell: &[Span]) -> usize {
    cell.iter().map(|(text, _)| text.width()).sum()
}

/// How wide each column is. Where there is too little space, columns that are narrower than an
/// equal part of it keep their width, and the others share what is left.
fn widths(lines: &[Vec<Vec<Span>>], space: Option<usize>) -> Vec<usize> {
    let columns = lines.first().map_or(0, Vec::len);
    // A column that is empty but for a row further down the report keeps its place.
    let wanted = |column: usize| lines.iter().map(|line| width(&line[column])).fold(1, usize::max);
    let mut widths: Vec<usize> = (0..columns).map(wanted).collect();
    let Some(space) = space.filter(|space| widths.iter().sum::<usize>() > *space) else {
        return widths;
    };
    let mut open: Vec<usize> = (0..columns).collect();
    let mut left = space;
    loop {
        let part = left / open.len().max(1);
        let (fits, wide): (Vec<usize>, Vec<usize>) =
            open.iter().partition(|at| widths[**at] <= part);
        left -= fits.iter().map(|at| widths[*at]).sum::<usize>();
        open = wide;
        if fits.is_empty() || open.is_empty() {
            break;
        }
    }
    for (number, column) in open.iter().enumerate() {
        let more = usize::from(number < left % open.len());
        widths[*column] = (left / open.len() + more).max(1);
    }
    widths
}

fn write_row(
    f: &mut Formatter<'_>,
    cells: &[Vec<Span>],
    widths: &[usize],
    indent: &str,
    at_right: impl Fn(usize) -> bool,
) -> fmt::Result {
    let wrapped: Vec<Vec<Vec<Span>>> =
        cells.iter().zip(widths).map(|(cell, width)| wrap(cell, *width)).collect();
    let height = wrapped.iter().map(Vec::len).max().unwrap_or(0);
    for number in 0..height {
        let mut line = indent.to_owned();
        // Spaces at the end of a line are left out.
        let mut owed = 0;
        for (at, cell) in wrapped.iter().enumerate() {
            let shown = cell.get(number).map_or(&[][..], Vec::as_slice);
            let free = widths[at].saturating_sub(width(shown));
            owed += if at_right(at) { free } else { 0 };
            for (text, style) in shown.iter().filter(|(text, _)| !text.trim().is_empty()) {
                line.extend(std::iter::repeat_n(' ', std::mem::take(&mut owed)));
                line.push_str(&paint(is_colored(f), *style, text));
            }
            owed += if at_right(at) { 0 } else { free } + GAP.len();
        }
        writeln!(f, "{}", line.trim_end())?;
    }
    Ok(())
}

/// A cell in lines of at most such a width.
fn wrap(cell: &[Span], most: usize) -> Vec<Vec<Span>> {
    if width(cell) <= most {
        return vec![cell.to_vec()];
    }
    let text: String = cell.iter().map(|(text, _)| text.as_str()).collect();
    let style = cell.first().map_or(Style::new(), |(_, style)| *style);
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last().map_or(0, |line| line.width());
        if line > 0 && line + 1 + word.width() > most {
            lines.push(String::new());
        } else if line > 0 {
            add(&mut lines, " ", usize::MAX);
        }
        add(&mut lines, word, most);
    }
    lines.into_iter().map(|line| vec![(line, style)]).collect()
}

/// Adds a word to the last line, and goes on in the next where a single word is too long.
fn add(lines: &mut Vec<String>, word: &str, most: usize) {
    for letter in word.chars() {
        let mut buffer = [0; 4];
        let letter: &str = letter.encode_utf8(&mut buffer);
        if lines.last().is_some_and(|line| !line.is_empty() && line.width() + letter.width() > most)
        {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            line.push_str(letter);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Display;

    use super::*;
    use crate::rate::Rate;
    use crate::render::table::FigureColumn;
    use crate::render::tone::Tone;

    struct Shown(FigureTable);

    impl Display for Shown {
        fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
            write(f, &self.0)
        }
    }

    fn table() -> Shown {
        let rate = Rate { mean: 0.5, low: 0.4, high: 0.6, trials: 4, cases: 4 };
        let columns = [
            FigureColumn::names("lamp"),
            FigureColumn::numbers("watts"),
            FigureColumn::words(""),
            FigureColumn::bars("as a bar"),
        ];
        let row = |name: &str, watts: u32, word: &str, tone| {
            [
                FigureCell::name(name),
                FigureCell::words(watts),
                FigureCell::words(word).toned(tone),
                FigureCell::of(CellContent::RateBar(rate)),
            ]
        };
        let rows = [
            row("the hall\u{1b}[31m", 5, "better", Tone::Good),
            row("attic", 1000, "", Tone::Plain),
        ];
        Shown(FigureTable::new("Lamps", columns).rows(rows))
    }

    #[test]
    fn numbers_are_one_below_the_other() {
        let bar = "██████████░░░░░░░░░░";
        let expected = format!(
            "\n  lamp              watts\n  the hall\\x1b[31m      5  better  {bar}\n  attic              \
             1000          {bar}\n"
        );
        assert_eq!(table().to_string(), expected);
    }

    #[test]
    fn color_is_added_to_the_same_text() {
        let colored = format!("{:#}", table());
        assert!(colored.contains("\u{1b}[32mbetter\u{1b}[0m"), "{colored:?}");
        assert!(colored.contains("\u{1b}[33m██████████\u{1b}[0m"), "{colored:?}");
        assert_eq!(anstream::adapter::strip_str(&colored).to_string(), table().to_string());
    }

    #[test]
    fn what_does_not_fit_is_wrapped_within_its_column() {
        let narrow = format!("{:30}", table());
        assert!(narrow.lines().all(|line| line.width() <= 30), "{narrow}");
        assert!(narrow.contains("1000") && !narrow.contains('█'), "{narrow}");
        assert!(narrow.contains("  the  ") && narrow.contains("5  better"), "{narrow}");
    }
}
