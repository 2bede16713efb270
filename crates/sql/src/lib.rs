//! Logs as tables of DataFusion, so that it and all that is built on it ask questions of logs
//! without an export.
//!
//! ```text
//! let log = QueriedLog::of_file("run.eval", Path::new("logs/run.eval"), |_| Grading::default())?;
//! let context = SessionContext::new();
//! QueriedLogs::new(vec![log]).register(&context)?;
//! context.sql("SELECT model, avg(value) FROM trials GROUP BY model").await?.show().await?;
//! ```
//!
//! Only what a query needs is read. A log whose head does not meet the conditions on suite, date,
//! model and so on is not opened. Columns that summaries know are taken from them, and samples are
//! read for the others alone.
#![cfg(feature = "datafusion")]

mod logs;
mod partition;
mod provider;
mod query;

pub use logs::{QueriedLog, QueriedLogs};
pub use provider::LogTable;
pub use query::{Answer, QueryError};
