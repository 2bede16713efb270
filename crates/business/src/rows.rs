//! The rows a query finds, as a model sees them.

use std::fmt::Write as _;

use rusqlite::types::ValueRef;
use serde_json::{Number, Value};

/// The rows a query found, up to the limits.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rows {
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The cells, row by row.
    pub rows: Vec<Vec<Value>>,
    /// Why there are more rows than these, if there are.
    pub cut: Option<String>,
}

impl Rows {
    /// The rows as compact JSON: columns, rows, how many, and a note if some were cut.
    pub fn to_json(&self) -> String {
        let columns = Value::from(self.columns.clone());
        let mut text = format!("{{\"columns\":{columns},\"rows\":[");
        for (at, row) in self.rows.iter().enumerate() {
            if at > 0 {
                text.push(',');
            }
            text += &row_text(row);
        }
        write!(text, "],\"row_count\":{}", self.rows.len()).expect("text takes all");
        if let Some(cut) = &self.cut {
            write!(text, ",\"cut\":{}", Value::from(cut.as_str())).expect("text takes all");
        }
        text + "}"
    }
}

/// One row as JSON.
pub(super) fn row_text(row: &[Value]) -> String {
    let cells: Vec<String> = row.iter().map(Value::to_string).collect();
    format!("[{}]", cells.join(","))
}

/// A cell as JSON. Bytes are only told of.
pub(super) fn cell(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => Value::from(number),
        ValueRef::Real(number) => real(number),
        ValueRef::Text(text) => Value::from(String::from_utf8_lossy(text)),
        ValueRef::Blob(bytes) => Value::from(format!("<{} bytes>", bytes.len())),
    }
}

/// A number to 15 significant digits, as SQLite itself shows numbers: sums of cents would
/// otherwise end in the noise of binary fractions.
fn real(number: f64) -> Value {
    let shown = format!("{number:.14e}").parse().unwrap_or(number);
    Number::from_f64(shown).map_or_else(|| Value::from(number.to_string()), Value::Number)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_sum_of_cents_is_shown_without_noise() {
        assert_eq!(real(0.1 + 0.2), json!(0.3));
        assert_eq!(real(442_300.0), json!(442_300.0));
        assert_eq!(real(f64::INFINITY), json!("inf"));
    }

    #[test]
    fn rows_are_compact_and_counted() {
        let rows = Rows {
            columns: vec!["name".into(), "rent".into()],
            rows: vec![
                vec![json!("A \"quoted\" name"), json!(1200)],
                vec![Value::Null, json!(0.5)],
            ],
            cut: None,
        };
        let text = rows.to_json();
        assert_eq!(
            text,
            r#"{"columns":["name","rent"],"rows":[["A \"quoted\" name",1200],[null,0.5]],"row_count":2}"#
        );
        let cut = Rows { cut: Some("more".into()), ..rows };
        let read: Value = serde_json::from_str(&cut.to_json()).unwrap();
        assert_eq!(read["cut"], "more");
    }
}
