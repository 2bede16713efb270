//! A question in SQL and its answer.

use std::io::Write;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::csv;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::json;
use datafusion::arrow::util::display::array_value_to_string;
use datafusion::error::DataFusionError;
use datafusion::execution::context::SQLOptions;
use datafusion::prelude::{SessionConfig, SessionContext};

use crate::logs::QueriedLogs;

/// Why a question has no answer.
#[derive(Debug, thiserror::Error)]
pub enum QueryError {
    /// The query is wrong, or a log cannot be read.
    #[error("{}", first_line(.0))]
    Query(Box<DataFusionError>),
    /// The answer cannot be written.
    #[error("cannot write the answer: {0}")]
    Written(#[from] ArrowError),
}

impl From<DataFusionError> for QueryError {
    fn from(error: DataFusionError) -> Self {
        Self::Query(Box::new(error))
    }
}

fn first_line(error: &DataFusionError) -> String {
    let text = error.strip_backtrace();
    let line = text.lines().next().unwrap_or_default();
    // The parser's words, without the names of its types.
    let said = line.strip_prefix("SQL error: ParserError(\"");
    said.and_then(|said| said.strip_suffix("\")")).unwrap_or(line).to_owned()
}

/// The rows that answer a question.
#[derive(Debug)]
pub struct Answer {
    schema: SchemaRef,
    rows: Vec<RecordBatch>,
}

impl QueriedLogs {
    /// Answers a question. It may only read: no statement may write or make anything.
    pub async fn answer(&self, question: &str) -> Result<Answer, QueryError> {
        let context =
            SessionContext::new_with_config(SessionConfig::new().with_information_schema(true));
        self.register(&context)?;
        let only_reads = SQLOptions::new()
            .with_allow_ddl(false)
            .with_allow_dml(false)
            .with_allow_statements(false);
        let frame = context.sql_with_options(question, only_reads).await?;
        let schema = SchemaRef::new(frame.schema().as_arrow().clone());
        Ok(Answer { schema, rows: frame.collect().await? })
    }
}

impl Answer {
    /// How many rows it has.
    pub fn len(&self) -> usize {
        self.rows.iter().map(RecordBatch::num_rows).sum()
    }

    /// Whether it has no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The names of its columns, and whether each holds numbers.
    pub fn columns(&self) -> Vec<(&str, bool)> {
        let fields = self.schema.fields().iter();
        fields.map(|field| (field.name().as_str(), field.data_type().is_numeric())).collect()
    }

    /// Its rows in words, a text for each column; what is null is empty.
    pub fn rows(&self) -> Result<Vec<Vec<String>>, QueryError> {
        let mut rows = Vec::with_capacity(self.len());
        for batch in &self.rows {
            for row in 0..batch.num_rows() {
                let cells = batch.columns().iter().map(|column| array_value_to_string(column, row));
                rows.push(cells.collect::<Result<Vec<String>, ArrowError>>()?);
            }
        }
        Ok(rows)
    }

    /// A list with an object for each row. Nulls are written, so that all rows have the same keys.
    pub fn write_json(&self, out: impl Write) -> Result<(), QueryError> {
        let builder = json::writer::WriterBuilder::new().with_explicit_nulls(true);
        let mut writer = builder.build::<_, json::writer::JsonArray>(out);
        for batch in &self.rows {
            writer.write(batch)?;
        }
        Ok(writer.finish()?)
    }

    /// Comma-separated values, with a line of names.
    pub fn write_csv(&self, out: impl Write) -> Result<(), QueryError> {
        let mut writer = csv::Writer::new(out);
        if self.rows.is_empty() {
            writer.write(&RecordBatch::new_empty(self.schema.clone()))?;
        }
        for batch in &self.rows {
            writer.write(batch)?;
        }
        Ok(())
    }
}
