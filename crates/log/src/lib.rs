//! Logs that Inspect AI opens, and readers of other tools' result files.

mod archive;
mod damage;
mod error;
pub mod feedback;
mod figure;
mod folder;
mod inspect;
mod log;
mod output;
pub mod promotion;
pub mod python_json;
mod rescore;
mod source;
mod status;
mod summaries;
mod summary;
pub mod tau;
mod transcripts;
mod writer;

pub use damage::{Damage, DamagedSample};
pub use error::LogError;
pub use figure::Figure;
pub use folder::{LogEntry, is_log, list, read_entry};
pub use log::{Known, Log, file_name};
pub use output::{OutputError, OutputFile, replace_file};
pub use rescore::rescore;
pub use status::RunStatus;
pub use summaries::Summaries;
pub use summary::TrialSummary;
pub use transcripts::{TranscriptError, TranscriptLine, read_transcripts};
pub use writer::{LogWriter, Resumed};
