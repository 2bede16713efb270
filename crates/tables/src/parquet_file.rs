//! Files of Parquet and Arrow.

use std::io::BufWriter;
use std::path::Path;

use arrow_array::RecordBatch;
use arrow_ipc::writer::FileWriter;
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use toolgauge_log::OutputFile;

use crate::batch::schema;
use crate::column::Column;
use crate::error::TableError;

/// How many rows a group of a Parquet file has at most. A group is held in memory until it is
/// complete.
const GROUP_ROWS: usize = 1 << 16;
/// How many bytes it has at most.
const GROUP_BYTES: usize = 16 << 20;

/// A file of columns while it is written.
pub(crate) enum ColumnFile {
    Parquet(Box<ArrowWriter<BufWriter<OutputFile>>>),
    Arrow(Box<FileWriter<BufWriter<OutputFile>>>),
}

impl ColumnFile {
    pub(crate) fn parquet(
        path: &Path,
        file: OutputFile,
        columns: &[&'static Column],
    ) -> Result<Self, TableError> {
        let mut properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_max_row_group_row_count(Some(GROUP_ROWS))
            // Rows of long texts fill the memory before they are many.
            .set_max_row_group_bytes(Some(GROUP_BYTES))
            // Enough to pass over whole groups; figures for each page cost time and are rarely read.
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_created_by(concat!("toolgauge ", env!("CARGO_PKG_VERSION")).to_owned());
        for column in columns.iter().filter(|column| column.distinct) {
            properties = properties.set_column_dictionary_enabled(column.name.into(), false);
        }
        let schema = schema(columns.iter().copied());
        let writer = ArrowWriter::try_new(BufWriter::new(file), schema, Some(properties.build()));
        Ok(Self::Parquet(Box::new(writer.map_err(TableError::format(path))?)))
    }

    pub(crate) fn arrow(
        path: &Path,
        file: OutputFile,
        columns: &[&'static Column],
    ) -> Result<Self, TableError> {
        let schema = schema(columns.iter().copied());
        let writer = FileWriter::try_new(BufWriter::new(file), &schema);
        Ok(Self::Arrow(Box::new(writer.map_err(TableError::format(path))?)))
    }

    pub(crate) fn write(&mut self, path: &Path, batch: &RecordBatch) -> Result<(), TableError> {
        match self {
            Self::Parquet(writer) => writer.write(batch).map_err(TableError::format(path)),
            Self::Arrow(writer) => writer.write(batch).map_err(TableError::format(path)),
        }
    }

    pub(crate) fn close(self, path: &Path) -> Result<OutputFile, TableError> {
        let file = match self {
            Self::Parquet(writer) => writer.into_inner().map_err(TableError::format(path))?,
            Self::Arrow(mut writer) => {
                writer.finish().map_err(TableError::format(path))?;
                writer.into_inner().map_err(TableError::format(path))?
            }
        };
        let io = TableError::io(path);
        file.into_inner().map_err(|error| io(error.into_error()))
    }
}
