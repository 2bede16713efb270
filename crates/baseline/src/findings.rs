//! What a tool found, told in a few words: the first rows of a table, the best passage of a text.

use serde_json::Value;
use toolgauge_core::ToolMessage;

use super::words::stems;

/// How many rows, and how many items of a list, are told.
const ROWS: usize = 5;

/// How long a passage may be when it is quoted.
const LONGEST_PASSAGE: usize = 400;

/// The share of what was asked for that a passage must speak of.
const LEAST_SHARED: f64 = 0.34;

/// What a result says that has something to do with these stems.
pub(super) fn relevant_text(content: &str, wanted: &[String]) -> Option<String> {
    let Ok(json) = serde_json::from_str::<Value>(content) else {
        let text = content.trim();
        return (!text.is_empty()).then(|| beginning(text));
    };
    let columns = json.get("columns").and_then(Value::as_array);
    if let (Some(columns), Some(rows)) = (columns, json.get("rows").and_then(Value::as_array)) {
        return told_rows(columns, rows);
    }
    let list = match &json {
        Value::Array(items) => Some(items),
        Value::Object(object) => object.values().find_map(Value::as_array),
        _ => None,
    };
    match list {
        Some(items) => told_items(items, wanted),
        None => Some(beginning(content)),
    }
}

fn told_rows(columns: &[Value], rows: &[Value]) -> Option<String> {
    let row = |row: &Value| -> String {
        let cells = row.as_array().into_iter().flatten().zip(columns);
        let cells = cells.filter(|(cell, _)| !cell.is_null());
        cells
            .map(|(cell, column)| format!("{}: {}", plain(column), plain(cell)))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let told: Vec<String> = rows.iter().take(ROWS).map(row).filter(|row| !row.is_empty()).collect();
    let more = rows.len().saturating_sub(ROWS);
    let rest = if more > 0 { format!("\n(and {more} more)") } else { String::new() };
    (!told.is_empty()).then(|| told.join("\n") + &rest)
}

/// The best passage of a list of passages, or the names of a list of things.
fn told_items(items: &[Value], wanted: &[String]) -> Option<String> {
    let passages = items.iter().filter_map(|item| Some((item, text(item)?)));
    let mut best: Option<(f64, String)> = None;
    for (item, text) in passages {
        let shared = shared(text, wanted);
        if shared >= LEAST_SHARED && best.as_ref().is_none_or(|(other, _)| shared > *other) {
            let quote = quote(text, wanted);
            best = Some((
                shared,
                match label(item) {
                    Some(label) => format!("According to {label}: {quote}"),
                    None => quote,
                },
            ));
        }
    }
    if best.is_some() || items.iter().any(|item| text(item).is_some()) {
        return best.map(|(_, told)| told);
    }
    let names: Vec<String> = items.iter().filter_map(label).collect();
    let more = names.len().saturating_sub(4 * ROWS);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    let count = names.len();
    let shown = names.into_iter().take(4 * ROWS).collect::<Vec<_>>().join(", ");
    (count > 0).then(|| format!("There are {count}: {shown}{rest}"))
}

fn text(item: &Value) -> Option<&str> {
    ["text", "passage", "content", "snippet"].iter().find_map(|key| item.get(key)?.as_str())
}

fn label(item: &Value) -> Option<String> {
    let named = ["document", "id", "title", "name"].iter().find_map(|key| item.get(key));
    match named.unwrap_or(item) {
        Value::String(text) => Some(text.clone()),
        _ => None,
    }
}

/// The share of the wanted stems that a text has.
#[expect(clippy::cast_precision_loss, reason = "questions are short")]
fn shared(text: &str, wanted: &[String]) -> f64 {
    let own = stems(text);
    let known = wanted.iter().filter(|stem| own.contains(stem)).count();
    known as f64 / wanted.len().max(1) as f64
}

/// The sentences of a passage around the one that shares the most.
fn quote(text: &str, wanted: &[String]) -> String {
    let sentences: Vec<&str> = text.split_inclusive(['.', '\n', ';']).collect();
    let most = |&(_, sentence): &(usize, &&str)| {
        let own = stems(sentence);
        wanted.iter().filter(|stem| own.contains(stem)).count()
    };
    let best = sentences.iter().enumerate().rev().max_by_key(most).map_or(0, |(at, _)| at);
    beginning(sentences[best.saturating_sub(1)..].concat().trim())
}

fn beginning(text: &str) -> String {
    match text.char_indices().nth(LONGEST_PASSAGE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Whether a tool says that it failed, by its own words: `{"error": …}`. The mark beside them is not
/// looked at, because chat completions do not carry it, and a served baseline must answer as the
/// built-in one does.
pub(super) fn reports_error(message: &ToolMessage) -> bool {
    let Ok(Value::Object(fields)) = serde_json::from_str(&message.content) else { return false };
    fields.get("error").is_some_and(|error| !matches!(error, Value::Null | Value::Bool(false)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told_about(content: &str, question: &str) -> Option<String> {
        relevant_text(content, &super::super::words::content_stems(question))
    }

    #[test]
    fn rows_are_told_with_their_columns() {
        let rows = r#"{"columns": ["name", "rent"], "rows": [["Elm 4", 1450], ["Oak 1", null]]}"#;
        assert_eq!(told_about(rows, "rents").unwrap(), "name: Elm 4, rent: 1450\nname: Oak 1");
        assert_eq!(told_about(r#"{"columns": ["n"], "rows": []}"#, "x"), None);
        assert_eq!(told_about(r#"{"columns": ["SUM(x)"], "rows": [[null]]}"#, "x"), None);
    }

    #[test]
    fn the_passage_that_fits_is_quoted_and_what_does_not_fit_is_not() {
        let found = r#"{"results": [
            {"document": "a.md", "text": "The roof was mended."},
            {"document": "b.md", "text": "General words. Notice must be given 60 days before the end."}]}"#;
        let told = told_about(found, "How many days of notice before the end?").unwrap();
        assert_eq!(
            told,
            "According to b.md: General words. Notice must be given 60 days before the end."
        );
        assert_eq!(told_about(found, "Who is the mayor of Springfield?"), None);
    }

    #[test]
    fn a_list_is_told_by_its_names() {
        let listed = r#"{"documents": [{"id": "a.md"}, {"id": "b.md"}], "count": 2}"#;
        assert_eq!(told_about(listed, "which documents").unwrap(), "There are 2: a.md, b.md");
        assert_eq!(told_about("[]", "x"), None);
    }
}
