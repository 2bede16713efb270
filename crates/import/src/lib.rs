//! Result files of other tools, and the JSON that Python writes.
//!
//! [`find_runs`] says which runs lie in a file or a folder, by what the files are rather than by
//! guessing. Each is an [`ImportedRun`]: a head, and its trials one after the other, each with its
//! case, what was said and called, and the verdict that the other tool recorded. Nothing here
//! judges or writes.

mod bfcl;
mod detect;
mod document;
mod error;
mod find;
mod imported;
mod json_lines;
mod kind;
pub mod python_json;
pub mod tau;
mod tau2;

pub use detect::{describe, detect};
pub use error::ImportError;
pub use find::find_runs;
pub use imported::{ImportOptions, ImportedHead, ImportedRun, ImportedTrial, ImportedTrials};
pub use kind::ResultKind;
