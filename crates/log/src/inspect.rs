//! Inspect AI's shapes: how a run and its trials are told in its words, and read back.
//!
//! What Inspect knows stands where Inspect looks for it. What it does not know stands in the
//! dictionaries it leaves open (`metadata` of the eval, of a sample, of a score, of a message),
//! under `toolgauge`, so that it survives when Inspect writes the log again.
//!
//! All records are read by `serde_json::from_str`, never by `from_slice` or `from_reader`: each
//! further kind of reader would compile every record once more, and this one need not ask of each
//! text by itself whether it is UTF-8.

mod dialect;
mod event;
mod foreign;
mod header;
mod header_text;
mod lenient;
mod message;
mod own;
mod pool;
mod record;
mod results;
mod sample;
mod score;
mod spec;
mod store;
mod summary;
mod target;
mod wording;
mod written;

pub(crate) use dialect::{plain_json, readable};
pub(crate) use foreign::{ForeignSample, ForeignSummary};
pub(crate) use header::{Header, read_header};
pub(crate) use header_text::{write_header, write_start};
pub use message::inspect_messages;
pub(crate) use own::{
    OwnParts, OwnSample, WantedParts, read_first_parts, read_trial, read_unjudged,
};
pub use record::TurnRecord;
pub(crate) use results::HeaderTally;
pub(crate) use sample::{FIRST_PARTS_END, HEAD_END, Particulars, SampleWriter, Unchanged};
pub(crate) use score::score_records;
pub(crate) use summary::{Beside, SummaryRecord, write_summary};
pub(crate) use wording::{is_sample_member, sample_member};
pub(crate) use written::read_written;
