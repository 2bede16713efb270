//! What is asked for beside a matrix's file.

use std::path::Path;

use serde_json::{Map, Value};
use toml::Table;
use toolgauge_suite::Selection;

/// What is asked for beside the file.
pub(crate) struct Demand<'a> {
    pub(crate) file: &'a Path,
    /// The flags, which win over the file.
    pub(crate) flags: Table,
    pub(crate) selection: Selection,
    pub(crate) trials: Option<u32>,
    pub(crate) scorers: &'a [String],
    pub(crate) fixes: Vec<String>,
    pub(crate) world: Map<String, Value>,
    pub(crate) body: Map<String, Value>,
    pub(crate) key_file: Option<&'a Path>,
    /// Whether cells that have a log already are kept or completed.
    pub(crate) resume: bool,
}
