//! Logs that Inspect AI opens: written, read, recovered and judged again.

mod archive;
mod damage;
mod error;
mod figure;
mod folder;
mod gather;
mod inspect;
mod log;
mod merge;
mod message_record;
mod output;
mod raw_log;
mod rescore;
mod rescore_foreign;
mod source;
mod status;
mod stores;
mod summaries;
mod summary;
mod transcripts;
mod trial_record;
mod world_words;
mod writer;

pub use archive::ReadAt;
pub use damage::{Damage, DamagedSample};
pub use error::LogError;
pub use figure::HeaderFigure;
pub use folder::{LogEntry, is_log, list, log_paths, read_entries, read_entry};
pub use inspect::{TurnRecord, inspect_messages};
pub use log::{Log, ReadSoFar, file_name, shard_file_name, shard_pattern};
pub use merge::{Gaps, MergeError, ShardSet};
pub use message_record::{AnswerRecord, AssistantRecord, CallRecord, MessageRecord};
pub use output::{OutputError, OutputFile, UnfinishedFile, remove_unfinished, replace_file};
pub use raw_log::RawLogWriter;
pub use rescore::rescore;
pub use rescore_foreign::rescore_foreign;
pub use status::RunStatus;
pub use stores::{
    ObjectStores, StoredLog, address, install_stores, is_address, is_folder, local_path,
    stored_logs, stores,
};
pub use summaries::Summaries;
pub use summary::TrialSummary;
pub use transcripts::{TranscriptError, TranscriptLine, read_transcripts};
pub use trial_record::{NamedRecords, OutcomeRecord, ScoredRecord, TrialRecord};
pub use world_words::world_words;
pub use writer::{LogWriter, Resumed, is_being_written};
