//! Logs that Inspect AI opens, and readers of other tools' result files.
