//! What is asked for beside a matrix's file.

use std::path::Path;

use serde_json::{Map, Value};
use toml::Table;
use toolgauge_core::Fix;
use toolgauge_suite::Selection;

use crate::settings::ProjectSettings;

/// What is asked for beside the file.
pub struct MatrixRequest<'a> {
    /// The file of the matrix.
    pub file: &'a Path,
    /// The settings of the project, over which the file wins.
    pub project: &'a ProjectSettings,
    /// The flags, which win over the file.
    pub flags: Table,
    /// The cases to run.
    pub selection: Selection,
    /// How many trials each case gets, in place of what the file says.
    pub trials: Option<u32>,
    /// The scorers, in place of those of the file.
    pub scorers: &'a [String],
    /// The faults of the classic scorer that are mended.
    pub fixes: Vec<Fix>,
    /// What is changed about the world of the suite.
    pub world: Map<String, Value>,
    /// Fields of the request body that have no setting of their own.
    pub body: Map<String, Value>,
    /// A file that holds the key.
    pub key_file: Option<&'a Path>,
    /// Whether cells that have a log already are kept or completed.
    pub resume: bool,
}
