//! The JSON Schemas of suites and cases, by which editors complete and check while one types.
//!
//! `schemas/suite.schema.json` is written by hand; tests hold it against the fields that are
//! really read. The schema of a case, for files of lines, is made from it.

use serde_json::{Value, json};

/// The JSON Schema of a suite file, as it is published.
pub const SUITE_SCHEMA: &str = include_str!("../../../schemas/suite.schema.json");

/// The JSON Schema of a single case, as it is published.
pub fn case_schema() -> String {
    let suite: Value = serde_json::from_str(SUITE_SCHEMA).expect("the schema is JSON");
    let case = json!({
        "$schema": suite["$schema"],
        "title": "A case of a toolgauge suite",
        "$ref": "#/$defs/case",
        "$defs": suite["$defs"],
    });
    let mut text = serde_json::to_string_pretty(&case).expect("a value is JSON");
    text.push('\n');
    text
}

#[cfg(test)]
mod tests;
