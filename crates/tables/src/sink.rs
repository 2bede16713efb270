//! A file of one table, in one of the formats.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use toolgauge_log::OutputFile;

use crate::column::Column;
use crate::csv_rows::CsvRows;
use crate::error::TableError;
use crate::row::Row;
use crate::table::TableName;
#[cfg(feature = "files")]
use crate::{batch::BatchBuilder, parquet_file::ColumnFile};

/// The format of the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableFormat {
    /// Apache Parquet, packed with Snappy.
    Parquet,
    /// Files of Apache Arrow (Feather 2).
    Arrow,
    /// Comma-separated values.
    Csv,
}

impl TableFormat {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Parquet, Self::Arrow, Self::Csv];

    /// The name on the command line, and the ending of the files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Parquet => "parquet",
            Self::Arrow => "arrow",
            Self::Csv => "csv",
        }
    }

    /// Whether this build writes it.
    pub fn is_built(self) -> bool {
        self == Self::Csv || cfg!(feature = "files")
    }

    pub(crate) fn check(self) -> Result<(), TableError> {
        let format = match self {
            Self::Parquet => "Parquet",
            Self::Arrow => "Arrow",
            Self::Csv => "CSV",
        };
        if self.is_built() { Ok(()) } else { Err(TableError::NotBuilt { format }) }
    }
}

/// Rows of a table in the form in which they are written. Made on any thread.
pub(crate) enum Rows {
    Csv(Box<CsvRows>),
    #[cfg(feature = "files")]
    Batch(Box<BatchBuilder>),
}

impl Rows {
    pub(crate) fn new(format: TableFormat, table: TableName) -> Self {
        let columns: Vec<&Column> = table.file_columns().collect();
        match format {
            #[cfg(feature = "files")]
            TableFormat::Parquet | TableFormat::Arrow => {
                Self::Batch(Box::new(BatchBuilder::new(columns)))
            }
            _ => Self::Csv(Box::new(CsvRows::new(columns))),
        }
    }

    pub(crate) fn add(&mut self, row: &Row<'_>) {
        match self {
            Self::Csv(rows) => rows.add(row),
            #[cfg(feature = "files")]
            Self::Batch(batch) => batch.add(row),
        }
    }
}

/// The file of a table while it is written.
pub(crate) struct TableFile {
    path: PathBuf,
    form: Form,
}

enum Form {
    Csv(BufWriter<OutputFile>),
    #[cfg(feature = "files")]
    Columns(ColumnFile),
}

impl TableFile {
    pub(crate) fn create(
        path: &Path,
        format: TableFormat,
        table: TableName,
    ) -> Result<Self, TableError> {
        let file = OutputFile::create(path, &[] as &[&Path])?;
        let columns: Vec<&'static Column> = table.file_columns().collect();
        let form = match format {
            #[cfg(feature = "files")]
            TableFormat::Parquet => Form::Columns(ColumnFile::parquet(path, file, &columns)?),
            #[cfg(feature = "files")]
            TableFormat::Arrow => Form::Columns(ColumnFile::arrow(path, file, &columns)?),
            _ => {
                let mut file = BufWriter::new(file);
                file.write_all(&CsvRows::names(&columns)).map_err(TableError::io(path))?;
                Form::Csv(file)
            }
        };
        Ok(Self { path: path.to_owned(), form })
    }

    pub(crate) fn write(&mut self, rows: Rows) -> Result<(), TableError> {
        match (&mut self.form, rows) {
            (Form::Csv(file), Rows::Csv(rows)) => {
                file.write_all(&rows.finish()).map_err(TableError::io(&self.path))
            }
            #[cfg(feature = "files")]
            (Form::Columns(file), Rows::Batch(rows)) => {
                let batch = rows.finish().map_err(TableError::format(&self.path))?;
                file.write(&self.path, &batch)
            }
            #[cfg(feature = "files")]
            _ => unreachable!("rows are made in the format of their file"),
        }
    }

    /// Completes the file. The caller puts it in its place.
    pub(crate) fn close(self) -> Result<OutputFile, TableError> {
        match self.form {
            Form::Csv(file) => {
                let io = TableError::io(&self.path);
                file.into_inner().map_err(|error| io(error.into_error()))
            }
            #[cfg(feature = "files")]
            Form::Columns(file) => file.close(&self.path),
        }
    }
}
