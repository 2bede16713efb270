//! Result files of tau-bench: read task by task, and written back with members added.
//!
//! A file is one JSON list with an object for each (task, trial). [`TauReader`] goes through
//! it in one pass with a buffer as large as the largest task, and hands out every byte, batch by
//! batch: the text between tasks, and each task with what scoring needs of it. So a copy with members
//! added to the tasks differs from the file in these members alone.

mod actions;
mod batch;
mod edits;
mod error;
mod evidence;
mod reader;
mod skim;
mod splice;
mod task;
mod window;

pub use actions::KnownActions;
pub(crate) use actions::expected_call;
pub use batch::{Batch, BatchPart};
pub use edits::Edits;
pub use error::{TauError, TextPosition};
pub use evidence::{TauEvidence, TauOddity, TauTrial};
pub use reader::TauReader;
pub use splice::Additions;
pub use task::TauTask;
