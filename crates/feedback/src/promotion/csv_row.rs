//! A case as a row of a table of cases.

use serde_json::Value;

use super::refusal::{CaseRefusal, ended, id};

/// The columns that a new table gets.
const COLUMNS: [&str; 3] = ["id", "say", "answer"];

/// The text of a table with a row for a case. Columns that the case needs and the table lacks are
/// added to all rows.
pub(super) fn with_row(text: &str, case: &Value) -> Result<String, CaseRefusal> {
    let bad = |error: csv::Error| CaseRefusal::NoList(error.to_string());
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(text.as_bytes());
    let mut header: Vec<String> =
        reader.headers().map_err(bad)?.iter().map(str::to_owned).collect();
    let rows: Result<Vec<csv::StringRecord>, csv::Error> = reader.records().collect();
    let rows = rows.map_err(bad)?;
    if header.iter().all(String::is_empty) {
        header = COLUMNS.map(str::to_owned).into();
    }
    let place = header.iter().position(|name| name == "id");
    let place = place.ok_or_else(|| CaseRefusal::NoList("it has no column `id`".to_owned()))?;
    if rows.iter().any(|row| row.get(place) == Some(id(case))) {
        return Err(CaseRefusal::Taken(id(case).to_owned()));
    }
    let cells = cells(case, &header);
    let missing: Vec<String> =
        cells.iter().map(|(name, _)| name.clone()).filter(|name| !header.contains(name)).collect();
    let is_same_table = missing.is_empty() && !rows.is_empty();
    header.extend(missing);
    let value = |column: &String| {
        cells.iter().find(|(name, _)| name == column).map_or("", |(_, value)| value.as_str())
    };
    let row: Vec<&str> = header.iter().map(value).collect();
    let mut writer = csv::Writer::from_writer(Vec::new());
    if !is_same_table {
        writer.write_record(&header).map_err(bad)?;
        for row in &rows {
            let filled = (0..header.len()).map(|at| row.get(at).unwrap_or_default());
            writer.write_record(filled).map_err(bad)?;
        }
    }
    writer.write_record(row).map_err(bad)?;
    let written = writer.into_inner().map_err(|error| CaseRefusal::NoList(error.to_string()))?;
    let written = String::from_utf8_lossy(&written).into_owned();
    // What is there stays as somebody wrote it, unless columns are added.
    Ok(if is_same_table { ended(text) + &written } else { written })
}

/// The cells of a case, by column.
fn cells(case: &Value, header: &[String]) -> Vec<(String, String)> {
    let mut cells = Vec::new();
    let mut add = |column: &str, value: &Value| {
        let text = match value {
            Value::String(text) => text.clone(),
            value => value.to_string(),
        };
        cells.push((column.to_owned(), text));
    };
    for column in ["id", "say", "context", "group"] {
        case.get(column).into_iter().for_each(|value| add(column, value));
    }
    for (tag, value) in case.get("tags").and_then(Value::as_object).into_iter().flatten() {
        add(&format!("tag.{tag}"), value);
    }
    for (field, value) in case.get("expect").and_then(Value::as_object).into_iter().flatten() {
        match (field.as_str(), value) {
            ("call", Value::Object(call)) if header.iter().any(|name| name == "tool") => {
                call.get("tool").into_iter().for_each(|tool| add("tool", tool));
                call.get("arguments").into_iter().for_each(|found| add("arguments", found));
            }
            ("call", call) => add("calls", &Value::Array(vec![call.clone()])),
            (field, value) => add(field, value),
        }
    }
    cells
}
