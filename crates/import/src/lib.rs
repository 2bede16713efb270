//! Result files of other tools, and the JSON that Python writes.

pub mod python_json;
pub mod tau;
