//! Logs that are judged again.

use std::path::Path;
use std::time::{Duration, Instant};

use toolgauge_core::{Case, Transcript};
use toolgauge_engine::ReadableLog;
use toolgauge_engine::rescoring::{Rescored, RescoringRequest};
use toolgauge_log::Log;

use super::args::Args;
use super::log_judge::LogJudge;
use crate::failure::Failure;
use crate::printer::Printer;
use crate::settings::Settings;

/// How long a judge may be silent before a person is told how far it is.
const BETWEEN_WORDS: Duration = Duration::from_secs(5);

/// Judges every trial of a log again and writes a new one.
pub(super) fn score_log(
    path: &Path,
    args: &Args,
    settings: &Settings,
    printer: &mut Printer,
) -> Result<Rescored, Failure> {
    // A file that is no log is refused before a judge is looked for.
    let readable = ReadableLog::of(path)?;
    Log::open(readable.path())?;
    let judge = LogJudge::of_log(args, path, settings, printer)?;
    let vote = |case: &Case, transcript: &mut Transcript| judge.judge(case, transcript);
    let fixes = args.fixes.rules();
    let request = RescoringRequest {
        scorers: &args.scorers,
        options: &args.options,
        fixes: &fixes,
        vote: if judge.is_empty() { None } else { Some(&vote) },
        votes: judge.votes(),
        // A log that was made of something else is gone soon, and the new one stands beside that.
        log_dir: args.output.as_deref().or(path.parent().filter(|_| readable.is_made())),
        settings,
    };
    let mut told = Instant::now();
    let mut progress = |done: usize, log: &Log| {
        if told.elapsed() > BETWEEN_WORDS {
            printer.note(format!("{done} of {} trials judged", log.len()));
            told = Instant::now();
        }
    };
    Ok(request.judge(readable.path(), &mut progress)?)
}
