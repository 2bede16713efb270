//! What `toolgauge score` is told.

use std::path::PathBuf;

use crate::embedding_flags::EmbeddingFlags;
use crate::flags::FixFlags;
use crate::judge_flags::JudgeFlags;

/// Judge logs or transcripts again, without calling a model.
///
/// A model is called only where `--judge` names one, and only for answers it has not judged yet, or
/// where `--embeddings` names a server that compares keywords and answers.
/// A log is judged by its own scorers or those named, and a new log is written beside it. Samples
/// that are damaged are named and left out of it, and the exit status is 3.
/// Transcripts from anywhere are scored against a suite: one JSON object per line, with the `id`
/// of the case and its `messages` in OpenAI's form.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The logs to judge again; `last` is the newest one.
    #[arg(value_name = "LOG", required_unless_present = "transcripts")]
    pub(super) logs: Vec<PathBuf>,

    /// Judge by these scorers; the first one's judgement counts [default: the log's own].
    #[arg(long = "scorer", value_name = "NAME", value_delimiter = ',')]
    pub(super) scorers: Vec<String>,

    /// Set an option of a scorer that judges as another tool does, such as
    /// `deepeval.mode=exact`.
    #[arg(long = "option", value_name = "SCORER.NAME=VALUE")]
    pub(super) options: Vec<String>,

    #[command(flatten)]
    pub(super) fixes: FixFlags,

    /// The suite the transcripts belong to.
    #[arg(long, value_name = "SUITE", requires = "transcripts")]
    pub(super) suite: Option<String>,

    /// A file of transcripts to judge.
    #[arg(long, value_name = "FILE", requires = "suite", conflicts_with = "logs")]
    pub(super) transcripts: Option<PathBuf>,

    /// The folder the new logs go to [default: beside the old one; `logs` for transcripts].
    #[arg(long, short, alias = "log-dir", value_name = "FOLDER")]
    pub(super) output: Option<PathBuf>,

    #[command(flatten)]
    pub(super) judge: JudgeFlags,
    #[command(flatten)]
    pub(super) embeddings: EmbeddingFlags,
}
