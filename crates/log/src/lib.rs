//! Logs that Inspect AI opens, and readers of other tools' result files.

pub mod python_json;
pub mod tau;
