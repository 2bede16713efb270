//! Rows as CSV. Null is nothing between two commas, a map is JSON.

use jiff::Timestamp;
use serde_json::{Map, Value as Json};

use crate::column::{Column, Value};
use crate::row::Row;

/// Rows of a table as CSV, without the line of names.
pub(crate) struct CsvRows {
    columns: Vec<&'static Column>,
    writer: csv::Writer<Vec<u8>>,
}

impl CsvRows {
    pub(crate) fn new(columns: Vec<&'static Column>) -> Self {
        Self { columns, writer: csv::Writer::from_writer(Vec::new()) }
    }

    /// The line that names the columns.
    pub(crate) fn names(columns: &[&Column]) -> Vec<u8> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let written = writer.write_record(columns.iter().map(|column| column.name));
        written.expect("memory takes all that is written");
        writer.into_inner().expect("memory takes all that is written")
    }

    pub(crate) fn add(&mut self, row: &Row<'_>) {
        for column in &self.columns {
            let written = match column.value(row) {
                Value::Text(text) => self.writer.write_field(text.unwrap_or_default().as_ref()),
                value => self.writer.write_field(plain(&value)),
            };
            written.expect("memory takes all that is written");
        }
        let ended = self.writer.write_record(None::<&[u8]>);
        ended.expect("memory takes all that is written");
    }

    pub(crate) fn finish(self) -> Vec<u8> {
        self.writer.into_inner().expect("memory takes all that is written")
    }
}

fn plain(value: &Value<'_>) -> String {
    let shown = match value {
        Value::Text(text) => text.as_ref().map(ToString::to_string),
        // The shortest digits that give the same number when read.
        Value::Number(number) => number.as_ref().map(ToString::to_string),
        Value::Count(count) => count.as_ref().map(ToString::to_string),
        Value::Flag(flag) => flag.as_ref().map(ToString::to_string),
        Value::Time(time) => time.map(|time| format!("{:.6}", micros(time))),
        Value::Date(date) => date.as_ref().map(ToString::to_string),
        Value::Texts(pairs) => Some(json(pairs, |text| (*text).into())),
        Value::Numbers(pairs) => Some(json(pairs, |number| (*number).into())),
        Value::Flags(pairs) => Some(json(pairs, |flag| (*flag).into())),
    };
    shown.unwrap_or_default()
}

/// The time to the microsecond, as files of other formats have it.
fn micros(time: Timestamp) -> Timestamp {
    Timestamp::from_microsecond(time.as_microsecond()).unwrap_or(time)
}

fn json<T>(pairs: &[(&str, T)], value: impl Fn(&T) -> Json) -> String {
    let pairs = pairs.iter().map(|(name, it)| ((*name).to_owned(), value(it)));
    Json::Object(pairs.collect::<Map<_, _>>()).to_string()
}
