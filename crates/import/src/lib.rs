//! Result files of other tools, and the JSON that Python writes.
//!
//! [`find_runs`] says which runs lie in a file or a folder, by what the files are rather than by
//! guessing. Each is an [`ImportedRun`]: a head, and its trials one after the other, each with its
//! case, what was said and called, and the verdict that the other tool recorded. Nothing here
//! judges or writes.

mod agentevals;
mod any_json;
mod atif;
mod attributes;
mod bfcl;
mod chat;
mod deepeval;
mod detect;
mod error;
mod export;
mod field;
mod file;
mod find;
mod glance;
mod ha_datasets;
mod imported;
mod inspect_json;
mod json_lines;
mod json_reader;
mod kind;
mod langfuse;
mod memory_run;
mod openai;
mod openai_evals;
mod otlp;
mod phoenix;
mod promptfoo;
pub mod python_json;
mod record_run;
mod records;
mod sharegpt;
mod spans;
pub mod tau;
mod tau2;
mod tau_bench;

pub use bfcl::BfclQuestions;
pub use detect::{describe, detect, known_kind, why_no_log};
pub use error::ImportError;
pub use export::ExportForm;
pub use find::find_runs;
pub use imported::{
    FoundRun, ImportOptions, ImportedHead, ImportedRun, ImportedTrial, ImportedTrials,
};
pub use inspect_json::{is_inspect_json, unpack_inspect_json};
pub use kind::ResultKind;
pub use spans::NAMES_ALONE;
