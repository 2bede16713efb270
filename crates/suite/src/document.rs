//! The formats of a suite's files.

use serde_json::Value;
use toolgauge_document::{SyntaxProblem, parse_json, parse_yaml};

/// How a file is written, told by the ending of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileFormat {
    Yaml,
    Json,
    /// One JSON value a line.
    Lines,
    /// Rows of cells.
    Table,
}

impl FileFormat {
    /// The endings that are understood, for messages.
    pub(crate) const ENDINGS: &'static str = ".yaml, .yml, .json, .ndjson, .jsonl or .csv";

    /// The format of a file of this name.
    pub(crate) fn of(path: &str) -> Option<Self> {
        let (_, ending) = path.rsplit_once('.')?;
        match ending.to_ascii_lowercase().as_str() {
            "yaml" | "yml" => Some(Self::Yaml),
            "json" => Some(Self::Json),
            "ndjson" | "jsonl" => Some(Self::Lines),
            "csv" => Some(Self::Table),
            _ => None,
        }
    }
}

/// Parses a whole file of YAML or JSON.
pub(crate) fn parse(text: &str, format: FileFormat) -> Result<Value, SyntaxProblem> {
    match format {
        FileFormat::Json => parse_json(text),
        _ => parse_yaml(text),
    }
}
