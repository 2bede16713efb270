//! Cases as rows of a table, for people who keep them in a spreadsheet.
//!
//! The first row names the columns: `id`, `say`, `tool`, `arguments` (JSON), `calls` (JSON),
//! `no_calls`, `response`, `order`, `alternatives` (JSON), `answer` (JSON), `context` (JSON),
//! `group`, `tags` (`name=value; name=value`), and one column `tag.NAME` for each tag that has
//! its own.

use std::io::BufRead;

use csv::{ReaderBuilder, StringRecord, Trim};
use serde_json::{Map, Value, json};
use toolgauge_document::parse_json;

use crate::nearest::{enumerate, nearest};
use crate::trail::{FileNumber, FilePart, Origin, Spot, SuiteFindings, Trail};

/// The columns of a table of cases, beside `tag.NAME`.
pub(crate) const COLUMNS: &[&str] = &[
    "id",
    "say",
    "tool",
    "arguments",
    "calls",
    "no_calls",
    "response",
    "order",
    "alternatives",
    "answer",
    "context",
    "group",
    "tags",
];

/// Reads a table and hands on each row, as a case would be written, with its line.
pub(crate) fn read_table(
    reader: impl BufRead,
    file: FileNumber,
    findings: &SuiteFindings,
    take: &mut dyn FnMut(Value, usize),
) {
    // Rows of any length are let in, because our own message says what to do about one.
    let mut reader = ReaderBuilder::new().flexible(true).trim(Trim::All).from_reader(reader);
    let columns = match reader.headers() {
        Ok(columns) => columns.clone(),
        Err(error) => return note(&error, 1, file, findings),
    };
    check_columns(&columns, file, findings);
    let mut last_line = 1;
    for row in reader.into_records() {
        match row {
            Err(error) => note(&error, last_line, file, findings),
            Ok(row) => {
                let line = row.position().map_or(last_line, |position| {
                    usize::try_from(position.line()).unwrap_or(usize::MAX)
                });
                last_line = line;
                let trail = Origin { file, start: FilePart::Row(line) }.trail();
                if let Some(case) = read_row(&columns, &row, &trail, findings) {
                    take(case, line);
                }
            }
        }
    }
}

fn note(error: &csv::Error, line: usize, file: FileNumber, findings: &SuiteFindings) {
    let line = error
        .position()
        .map_or(line, |position| usize::try_from(position.line()).unwrap_or(usize::MAX));
    let message = match error.kind() {
        csv::ErrorKind::Utf8 { .. } => "this row is not UTF-8 text".to_owned(),
        _ => format!("this row cannot be read: {error}"),
    };
    findings.error_at(Spot::exact(file, line, None), message, None);
}

fn check_columns(columns: &StringRecord, file: FileNumber, findings: &SuiteFindings) {
    let trail = Origin { file, start: FilePart::Row(1) }.trail();
    for column in columns.iter().map(without_mark) {
        let is_tag = column.strip_prefix("tag.").is_some_and(|name| !name.is_empty());
        if !is_tag && !COLUMNS.contains(&column) {
            let hint = match nearest(column, COLUMNS) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("known columns: {} and `tag.NAME`", enumerate(COLUMNS)),
            };
            findings.error_with(&trail, format!("unknown column `{column}`"), hint);
        }
    }
}

/// A column's name without the mark some spreadsheets put in front of the first.
fn without_mark(column: &str) -> &str {
    column.trim_start_matches('\u{feff}')
}

fn read_row(
    columns: &StringRecord,
    row: &StringRecord,
    trail: &Trail<'_>,
    findings: &SuiteFindings,
) -> Option<Value> {
    if row.len() != columns.len() {
        let hint =
            "put a cell that holds a comma in quotes, and double the quotes in it".to_owned();
        let message = format!("this row has {} cells, not {}", row.len(), columns.len());
        findings.error_with(trail, message, hint);
        return None;
    }
    let mut case = Map::new();
    let mut expect = Map::new();
    let mut call = Map::new();
    let mut tags = Map::new();
    let cells = columns.iter().map(without_mark).zip(row.iter());
    // An empty cell is a field that is left out: a table has no other way to say so.
    for (column, cell) in cells.filter(|(_, cell)| !cell.is_empty()) {
        let value = match column {
            "arguments" | "calls" | "alternatives" | "answer" | "context" => {
                json_cell(column, cell, trail, findings)?
            }
            "no_calls" if flag_cell(cell, trail, findings)? => json!(true),
            "no_calls" => continue,
            _ => Value::String(cell.to_owned()),
        };
        match column {
            "id" | "say" | "group" | "context" => case.insert(column.to_owned(), value),
            "tool" | "arguments" => call.insert(column.to_owned(), value),
            "tags" => {
                tags.extend(tags_cell(cell, trail, findings)?);
                None
            }
            _ => match column.strip_prefix("tag.") {
                Some(name) => tags.insert(name.to_owned(), value),
                None if COLUMNS.contains(&column) => expect.insert(column.to_owned(), value),
                // The head of the table was complained about already.
                None => None,
            },
        };
    }
    if !call.is_empty() {
        expect.insert("call".to_owned(), Value::Object(call));
    }
    for (key, object) in [("expect", expect), ("tags", tags)] {
        if !object.is_empty() {
            case.insert(key.to_owned(), Value::Object(object));
        }
    }
    Some(Value::Object(case))
}

fn json_cell(
    column: &str,
    cell: &str,
    trail: &Trail<'_>,
    findings: &SuiteFindings,
) -> Option<Value> {
    parse_json(cell)
        .map_err(|problem| {
            let message = format!("`{column}` is not JSON: {}", problem.message);
            let hint =
                "in a table, quotes within a cell are doubled: \"{\"\"room\"\": \"\"hall\"\"}\"";
            findings.error_with(trail, message, hint.to_owned());
        })
        .ok()
}

fn flag_cell(cell: &str, trail: &Trail<'_>, findings: &SuiteFindings) -> Option<bool> {
    match cell.to_ascii_lowercase().as_str() {
        "true" | "yes" | "1" | "x" => Some(true),
        "false" | "no" | "0" => Some(false),
        _ => {
            let hint = "write `true`, or leave it empty".to_owned();
            findings.error_with(trail, format!("`no_calls` cannot be `{cell}`"), hint);
            None
        }
    }
}

fn tags_cell(
    cell: &str,
    trail: &Trail<'_>,
    findings: &SuiteFindings,
) -> Option<Map<String, Value>> {
    let mut tags = Map::new();
    for part in cell.split(';').map(str::trim).filter(|part| !part.is_empty()) {
        let Some((name, value)) = part.split_once('=') else {
            let hint = "write `name=value`, and `;` between several".to_owned();
            findings.error_with(trail, format!("the tag `{part}` has no value"), hint);
            return None;
        };
        tags.insert(name.trim().to_owned(), Value::String(value.trim().to_owned()));
    }
    Some(tags)
}
