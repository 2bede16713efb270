//! The trials of logs as tables, for engines that ask questions over many runs.
//!
//! [`TableName::columns`] is the only definition of the tables. Files, the Python package and SQL
//! take their columns, types and values from it.

#[cfg(feature = "arrow")]
mod batch;
mod column;
mod columns;
mod csv_rows;
mod error;
mod facts;
mod folder;
#[cfg(feature = "files")]
mod parquet_file;
mod row;
mod sink;
mod table;

#[cfg(feature = "arrow")]
pub use batch::{BatchBuilder, field, schema};
pub use column::{Column, ColumnKind, Named, Source, Value};
pub use error::TableError;
pub use facts::{Grading, LogFacts, TrialFacts};
pub use folder::TableFolder;
pub use row::Row;
pub use sink::TableFormat;
pub use table::TableName;
