//! The JSON Schemas of suites and cases, by which editors complete and check while one types.
//!
//! They are written by hand; tests hold them against the fields that are really read, and the
//! schema of a case against the definition of a case in that of suites.

/// The JSON Schema of a suite file, as it is published.
pub const SUITE_SCHEMA: &str = include_str!("../../../schemas/suite.schema.json");

/// The JSON Schema of a single case, for files of cases, as it is published.
pub const CASE_SCHEMA: &str = include_str!("../../../schemas/case.schema.json");

/// The JSON Schema of a matrix file, as it is published.
pub const MATRIX_SCHEMA: &str = include_str!("../../../schemas/matrix.schema.json");

/// The JSON Schema of a chatbot's description, as it is published.
pub const CHATBOT_SCHEMA: &str = include_str!("../../../schemas/chatbot.schema.json");

#[cfg(test)]
mod tests;
