//! Rows as record batches of Arrow.

use std::sync::Arc;

use arrow_array::builder::{
    ArrayBuilder, BooleanBuilder, Date32Builder, Float64Builder, Int64Builder, MapBuilder,
    MapFieldNames, StringBuilder, TimestampMicrosecondBuilder,
};
use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_schema::{ArrowError, DataType, Field, Fields, Schema, SchemaRef, TimeUnit};
use jiff::civil::Date;

use crate::column::{Column, ColumnKind, Getter};
use crate::row::Row;

/// The time zone of all times.
const UTC: &str = "UTC";

/// The schema of columns.
pub fn schema<'a>(columns: impl IntoIterator<Item = &'a Column>) -> SchemaRef {
    Arc::new(Schema::new(columns.into_iter().map(field).collect::<Fields>()))
}

/// A column as Arrow describes it. Every column may hold nulls.
pub fn field(column: &Column) -> Field {
    let kind = match column.kind() {
        ColumnKind::Text => DataType::Utf8,
        ColumnKind::Number => DataType::Float64,
        ColumnKind::Count => DataType::Int64,
        ColumnKind::Flag => DataType::Boolean,
        ColumnKind::Time => DataType::Timestamp(TimeUnit::Microsecond, Some(UTC.into())),
        ColumnKind::Date => DataType::Date32,
        ColumnKind::Texts => map_of(DataType::Utf8),
        ColumnKind::Numbers => map_of(DataType::Float64),
        ColumnKind::Flags => map_of(DataType::Boolean),
    };
    Field::new(column.name, kind, true)
}

fn map_of(value: DataType) -> DataType {
    let key = Field::new("key", DataType::Utf8, false);
    let entries = Fields::from(vec![key, Field::new("value", value, true)]);
    let entry = Field::new("key_value", DataType::Struct(entries), false);
    DataType::Map(Arc::new(entry), false)
}

/// The names that Parquet has for the parts of a map.
fn map_names() -> MapFieldNames {
    MapFieldNames { entry: "key_value".into(), key: "key".into(), value: "value".into() }
}

/// Room for so many rows, and so many bytes of a text in each, is made at once: as many as Arrow makes
/// room for by itself, and as few as cost nothing where a column has no texts.
const ROWS: usize = 1024;
const TEXT: usize = 16;

/// The values of a column while rows are added.
#[derive(Debug)]
enum Cells {
    Text(StringBuilder),
    Number(Float64Builder),
    Count(Int64Builder),
    Flag(BooleanBuilder),
    Time(TimestampMicrosecondBuilder),
    Date(Date32Builder),
    Texts(MapBuilder<StringBuilder, StringBuilder>),
    Numbers(MapBuilder<StringBuilder, Float64Builder>),
    Flags(MapBuilder<StringBuilder, BooleanBuilder>),
}

impl Cells {
    fn new(kind: ColumnKind) -> Self {
        fn texts() -> StringBuilder {
            StringBuilder::with_capacity(ROWS, ROWS * TEXT)
        }
        fn map<V: ArrayBuilder>(values: V) -> MapBuilder<StringBuilder, V> {
            MapBuilder::new(Some(map_names()), texts(), values)
        }
        match kind {
            ColumnKind::Text => Self::Text(texts()),
            ColumnKind::Number => Self::Number(Float64Builder::new()),
            ColumnKind::Count => Self::Count(Int64Builder::new()),
            ColumnKind::Flag => Self::Flag(BooleanBuilder::new()),
            ColumnKind::Time => Self::Time(TimestampMicrosecondBuilder::new().with_timezone(UTC)),
            ColumnKind::Date => Self::Date(Date32Builder::new()),
            ColumnKind::Texts => Self::Texts(map(texts())),
            ColumnKind::Numbers => Self::Numbers(map(Float64Builder::new())),
            ColumnKind::Flags => Self::Flags(map(BooleanBuilder::new())),
        }
    }

    /// Adds the value that a row has in the column.
    fn add(&mut self, column: &Column, row: &Row<'_>) -> Result<(), ArrowError> {
        match (self, &column.get) {
            (Self::Text(cells), Getter::Text(get)) => cells.append_option(get(row)),
            (Self::Number(cells), Getter::Number(get)) => cells.append_option(get(row)),
            (Self::Count(cells), Getter::Count(get)) => {
                cells.append_option(get(row).map(|count| i64::try_from(count).unwrap_or(i64::MAX)));
            }
            (Self::Flag(cells), Getter::Flag(get)) => cells.append_option(get(row)),
            (Self::Time(cells), Getter::Time(get)) => {
                cells.append_option(get(row).map(jiff::Timestamp::as_microsecond));
            }
            (Self::Date(cells), Getter::Date(get)) => cells.append_option(get(row).map(days)),
            (Self::Texts(cells), Getter::Texts(get)) => {
                for (name, text) in get(row) {
                    cells.keys().append_value(name);
                    cells.values().append_value(text);
                }
                cells.append(true)?;
            }
            (Self::Numbers(cells), Getter::Numbers(get)) => {
                for (name, number) in get(row) {
                    cells.keys().append_value(name);
                    cells.values().append_option(number);
                }
                cells.append(true)?;
            }
            (Self::Flags(cells), Getter::Flags(get)) => {
                for (name, flag) in get(row) {
                    cells.keys().append_value(name);
                    cells.values().append_option(flag);
                }
                cells.append(true)?;
            }
            _ => unreachable!("a column has cells of its own kind"),
        }
        Ok(())
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            Self::Text(cells) => ArrayBuilder::finish(cells),
            Self::Number(cells) => ArrayBuilder::finish(cells),
            Self::Count(cells) => ArrayBuilder::finish(cells),
            Self::Flag(cells) => ArrayBuilder::finish(cells),
            Self::Time(cells) => ArrayBuilder::finish(cells),
            Self::Date(cells) => ArrayBuilder::finish(cells),
            Self::Texts(cells) => ArrayBuilder::finish(cells),
            Self::Numbers(cells) => ArrayBuilder::finish(cells),
            Self::Flags(cells) => ArrayBuilder::finish(cells),
        }
    }
}

/// Days since 1970.
fn days(date: Date) -> i32 {
    Date::constant(1970, 1, 1).until(date).map_or(0, |span| span.get_days())
}

/// A record batch while rows are added.
#[derive(Debug)]
pub struct BatchBuilder {
    schema: SchemaRef,
    columns: Vec<&'static Column>,
    cells: Vec<Cells>,
    rows: usize,
}

impl BatchBuilder {
    /// A batch of these columns.
    pub fn new(columns: Vec<&'static Column>) -> Self {
        let schema = schema(columns.iter().copied());
        let cells = columns.iter().map(|column| Cells::new(column.kind())).collect();
        Self { schema, columns, cells, rows: 0 }
    }

    /// Adds a row.
    ///
    /// # Panics
    ///
    /// Never: keys and values of a map are added in pairs.
    pub fn add(&mut self, row: &Row<'_>) {
        for (column, cells) in self.columns.iter().zip(&mut self.cells) {
            cells.add(column, row).expect("a map has as many keys as values");
        }
        self.rows += 1;
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// The batch.
    pub fn finish(mut self) -> Result<RecordBatch, ArrowError> {
        let options = RecordBatchOptions::new().with_row_count(Some(self.rows));
        let arrays = self.cells.iter_mut().map(Cells::finish).collect();
        RecordBatch::try_new_with_options(self.schema, arrays, &options)
    }
}
