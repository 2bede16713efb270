//! Tables as text, without lines: columns side by side, in colour where that is wanted.

use std::fmt::{self, Formatter};

use anstyle::Style;
use unicode_width::UnicodeWidthStr;

use super::cut::{cut_apart, cut_middle};
use super::layout::{MeasuredColumn, blocks, least, widths};
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
/// `{summary:80}`, is that of the terminal: words that do not fit are wrapped within their column
/// and numbers never are. Columns for which there is no room follow below, beside the names of
/// the rows again. Names that differ look different, however narrow their column is.
pub(super) fn write(f: &mut Formatter<'_>, table: &FigureTable) -> fmt::Result {
    if table.rows.is_empty() {
        return Ok(());
    }
    writeln!(f)?;
    write_rows(f, table)
}

/// Writes the heading and the rows of a table.
pub(super) fn write_rows(f: &mut Formatter<'_>, table: &FigureTable) -> fmt::Result {
    let indent = if table.indented { GAP } else { "" };
    let space = f.width().map(|width| width.saturating_sub(indent.len()));
    let narrow = f.width().is_some_and(|width| width < NARROW);
    let mut drawn = table
        .columns_in(|column| column.forms.text && !(narrow && column.kind == ColumnKind::Bars));
    let mut lines = lines(table, &drawn);
    let mut columns = measured(table, &drawn, &lines);
    // A bar repeats a number, so that it goes before any word is wrapped.
    let bars = |place: &usize| table.columns[*place].kind == ColumnKind::Bars;
    if space.is_some_and(|space| least(&columns) > space) && drawn.iter().any(bars) {
        drawn.retain(|place| !bars(place));
        lines = self::lines(table, &drawn);
        columns = measured(table, &drawn, &lines);
    }
    let is_empty = |at: &usize| lines.iter().all(|line| width(&line[*at]) == 0);
    // The columns up to the one with their names tell the rows apart.
    let named = drawn.iter().rposition(|place| table.columns[*place].names_rows);
    let names = named.map_or(1, |last| last + 1);
    for (number, block) in blocks(&columns, names, space).iter().enumerate() {
        // The names of the rows alone say nothing again.
        if number > 0 && block.iter().skip(names).all(is_empty) {
            continue;
        }
        if number > 0 {
            writeln!(f)?;
        }
        let measured: Vec<MeasuredColumn> = block.iter().map(|at| columns[*at]).collect();
        let widths = widths(&measured, space);
        let columns = block.iter().zip(&widths).map(|(at, width)| column(&lines, *at, *width));
        let columns: Vec<Vec<Vec<Span>>> = columns.collect();
        for number in 0..lines.len() {
            let at_right = |at: usize| {
                let column = &table.columns[drawn[block[at]]];
                column.kind == ColumnKind::Numbers && (number > 0 || column.heading_at_right)
            };
            let cells = columns.iter().zip(&widths);
            let cells = cells.map(|(column, width)| wrap(&column[number], *width));
            let cells: Vec<Vec<Vec<Span>>> = cells.collect();
            write_row(f, &cells, &widths, indent, at_right)?;
        }
    }
    Ok(())
}

/// The heading and the rows, of these columns.
fn lines(table: &FigureTable, drawn: &[usize]) -> Vec<Vec<Vec<Span>>> {
    let heading = drawn.iter().map(|place| {
        let column = &table.columns[*place];
        let words = column.short.unwrap_or(&column.heading);
        vec![(harmless::line(words).into_owned(), FAINT)]
    });
    let mut lines: Vec<Vec<Vec<Span>>> = vec![heading.collect()];
    lines.extend(
        table.rows.iter().map(|row| drawn.iter().map(|place| spans(&row[*place])).collect()),
    );
    lines
}

fn measured(table: &FigureTable, drawn: &[usize], lines: &[Vec<Vec<Span>>]) -> Vec<MeasuredColumn> {
    let column = |(at, place): (usize, &usize)| MeasuredColumn {
        // A column that is empty but for a row further down the report keeps its place.
        wanted: lines.iter().map(|line| width(&line[at])).fold(1, usize::max),
        bends: table.columns[*place].kind == ColumnKind::Words,
    };
    drawn.iter().enumerate().map(column).collect()
}

/// The cells of a column, its heading first. Those that are one word, such as a name, are cut
/// together, so that names that differ still look different.
fn column(lines: &[Vec<Vec<Span>>], at: usize, most: usize) -> Vec<Vec<Span>> {
    let mut cells: Vec<Vec<Span>> = lines.iter().map(|line| line[at].clone()).collect();
    let is_name = |cell: &&mut Vec<Span>| match cell.as_slice() {
        [(text, _)] => text.width() > most && !text.contains(' '),
        _ => false,
    };
    let mut names: Vec<&mut Vec<Span>> = cells.iter_mut().skip(1).filter(is_name).collect();
    let texts: Vec<String> = names.iter().map(|cell| cell[0].0.clone()).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    for (cell, shown) in names.iter_mut().zip(cut_apart(&texts, most, cut_middle)) {
        cell[0].0 = shown;
    }
    cells
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

fn write_row(
    f: &mut Formatter<'_>,
    cells: &[Vec<Vec<Span>>],
    widths: &[usize],
    indent: &str,
    at_right: impl Fn(usize) -> bool,
) -> fmt::Result {
    let height = cells.iter().map(Vec::len).max().unwrap_or(0);
    for number in 0..height {
        let mut line = indent.to_owned();
        // Spaces at the end of a line are left out.
        let mut owed = 0;
        for (at, cell) in cells.iter().enumerate() {
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

/// A cell in lines of at most such a width, broken at spaces. A single word that is too long, such
/// as a name, is cut in its middle: names often differ at their ends.
fn wrap(cell: &[Span], most: usize) -> Vec<Vec<Span>> {
    if width(cell) <= most {
        return vec![cell.to_vec()];
    }
    let text: String = cell.iter().map(|(text, _)| text.as_str()).collect();
    let style = cell.first().map_or(Style::new(), |(_, style)| *style);
    let words = text.trim_start_matches(' ');
    let indent = text.len() - words.len();
    let most = most.saturating_sub(indent).max(1);
    let mut lines = vec![String::new()];
    for word in words.split(' ') {
        let word = cut_middle(word, most);
        let taken = lines.last().map_or(0, |line| line.width());
        if taken > 0 && taken + 1 + word.width() > most {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(&word);
        }
    }
    lines.into_iter().map(|line| vec![(" ".repeat(indent) + &line, style)]).collect()
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
    fn words_that_do_not_fit_are_wrapped_and_numbers_are_not() {
        let narrow = format!("{:30}", table());
        assert!(narrow.lines().all(|line| line.width() <= 30), "{narrow}");
        assert!(narrow.contains("1000") && !narrow.contains('█'), "{narrow}");
        assert!(narrow.contains("  the hall\n") || narrow.contains("  the  "), "{narrow}");
        assert!(narrow.contains("5  better"), "{narrow}");
    }

    #[test]
    fn a_name_that_is_cut_keeps_its_indentation() {
        let columns = [FigureColumn::names("lamp"), FigureColumn::numbers("watts")];
        let row = |name: &str| [FigureCell::name(name), FigureCell::words(5)];
        let rows = [row("lamps"), row("  a-lamp-with-a-very-long-name")];
        let shown = Shown(FigureTable::new("Lamps", columns).rows(rows));
        let text = format!("{shown:24}");
        assert!(text.contains("\n    a-la") && text.contains('…'), "{text}");
    }

    #[test]
    fn every_block_of_columns_begins_with_all_that_names_its_rows() {
        let columns = [FigureColumn::numbers("rank"), FigureColumn::names("lamp")];
        let columns = columns.into_iter();
        let columns = columns.chain((0..4).map(|n| FigureColumn::numbers(format!("watts-{n}"))));
        let row = |name: &str| {
            let cells = [FigureCell::words(1), FigureCell::name(name)].into_iter();
            cells.chain((0..4).map(FigureCell::words)).collect::<Vec<_>>()
        };
        let rows = [row("attic"), row("cellar")];
        let shown = Shown(FigureTable::new("Lamps", columns).rows(rows));
        for width in 24..44 {
            let text = format!("{shown:width$}");
            let blocks = text.matches("rank").count();
            assert_eq!(text.matches("1  attic").count(), blocks, "{width}: {text}");
        }
    }

    #[test]
    fn long_names_that_differ_look_different() {
        let columns = [FigureColumn::names("lamp"), FigureColumn::numbers("watts")];
        let row = |n: usize| {
            let name = format!("a-lamp-in-the-hall-{n}-with-a-very-long-name");
            [FigureCell::name(&name), FigureCell::words(5)]
        };
        let shown = Shown(FigureTable::new("Lamps", columns).rows([row(1), row(2)]));
        let text = format!("{shown:24}");
        assert!(text.contains("-1-") && text.contains("-2-"), "{text}");
    }

    #[test]
    fn names_are_not_repeated_beside_nothing() {
        let columns = std::iter::once(FigureColumn::names("lamp"))
            .chain((0..4).map(|number| FigureColumn::numbers(format!("watts-{number}"))))
            .chain([FigureColumn::words("")]);
        let row = std::iter::once(FigureCell::name("attic"))
            .chain((0..4).map(FigureCell::words))
            .chain([FigureCell::words("")]);
        let shown = Shown(FigureTable::new("Lamps", columns).rows([row.collect::<Vec<_>>()]));
        for width in 20..50 {
            let text = format!("{shown:width$}");
            let alone = text.lines().filter(|line| line.trim() == "attic").count();
            assert_eq!(alone, 0, "{width}: {text}");
        }
    }

    #[test]
    fn columns_without_room_follow_below_beside_the_names_of_the_rows() {
        let columns = std::iter::once(FigureColumn::names("lamp"))
            .chain((0..9).map(|number| FigureColumn::numbers(format!("watts-{number}"))));
        let row = std::iter::once(FigureCell::name("a-lamp-with-a-very-long-name-17"))
            .chain((0..9).map(|number| FigureCell::words(10_000 + number)));
        let shown = Shown(FigureTable::new("Lamps", columns).rows([row.collect::<Vec<_>>()]));
        for width in [40, 60, 80] {
            let text = format!("{shown:width$}");
            assert!(text.lines().all(|line| line.width() <= width), "{text}");
            assert!((0..9).all(|number| text.contains(&(10_000 + number).to_string())), "{text}");
            assert!(text.matches("a-l").count() > 1 && text.contains("17"), "{text}");
        }
    }
}
