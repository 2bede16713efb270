//! What the table of runs says about a log, small enough to keep for every log of a folder and to
//! write down for the next start.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use toolgauge_core::Run;
use toolgauge_log::{Log, MergeError, RunStatus, replace_file};
use toolgauge_report::{Rate, Summary, SummaryTally};

use crate::log_folder::{FileStamp, LogFile};

/// The form of what is written down; another one is not read.
const FORM: u32 = 2;

/// What the table of runs says about a log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct LogBrief {
    /// The run.
    pub(crate) run: String,
    /// When it was started.
    pub(crate) created: Timestamp,
    /// The suite's name.
    pub(crate) suite: String,
    /// The suite's hash.
    pub(crate) suite_hash: String,
    /// What was measured.
    pub(crate) subject: String,
    /// The variant, if there is one.
    pub(crate) variant: Option<String>,
    /// A hash of the system prompt, to see when it changed.
    pub(crate) prompt: u64,
    /// How it ended.
    pub(crate) status: Status,
    /// How many trials it has.
    pub(crate) trials: usize,
    /// How many it should have.
    pub(crate) planned: usize,
    /// How many could not be scored.
    pub(crate) unscored: usize,
    /// How many samples cannot be read.
    pub(crate) damaged: usize,
    /// The mean score.
    pub(crate) score: Option<MeanWithInterval>,
    /// The score of doing nothing.
    pub(crate) floor: Option<f64>,
    /// The share of right verdicts by dimension.
    pub(crate) dimensions: IndexMap<String, f64>,
    /// The median time of a trial, in seconds.
    pub(crate) p50: Option<f64>,
    /// The time that nineteen in twenty trials stay below.
    pub(crate) p95: Option<f64>,
    /// Tokens read.
    pub(crate) input: Option<u64>,
    /// Tokens written.
    pub(crate) output: Option<u64>,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Status {
    /// It came to its end.
    Finished,
    /// It was interrupted.
    Cancelled,
    /// It was stopped by an error.
    Failed(String),
    /// It goes on, or was killed.
    Unfinished,
}

impl Status {
    /// In a word.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            Self::Finished => "finished",
            Self::Cancelled => "interrupted",
            Self::Failed(_) => "failed",
            Self::Unfinished => "unfinished",
        }
    }
}

/// A mean with its interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct MeanWithInterval {
    /// The mean.
    pub(crate) mean: f64,
    /// The lower end of its interval.
    pub(crate) low: f64,
    /// The upper end.
    pub(crate) high: f64,
}

impl From<Rate> for MeanWithInterval {
    fn from(rate: Rate) -> Self {
        Self { mean: rate.mean, low: rate.low, high: rate.high }
    }
}

impl From<MeanWithInterval> for Rate {
    fn from(score: MeanWithInterval) -> Self {
        let MeanWithInterval { mean, low, high } = score;
        Self { mean, low, high, trials: 0, cases: 0 }
    }
}

impl LogBrief {
    /// The brief of a log that is read for nothing else. `None` if its run may still be going on:
    /// such a log is better kept open, to be read on.
    pub(crate) fn read(file: &LogFile) -> Result<Option<Self>, MergeError> {
        let (log, _made) = file.open()?;
        if !log.is_finished() {
            return Ok(None);
        }
        let mut tally = SummaryTally::of(log.run());
        tally.add_all(log.summaries());
        let brief = Self::of(&log, file, &tally.summary(log.run(), None));
        Ok(Some(brief).filter(|brief| !brief.is_unfinished()))
    }

    /// The brief of a log and its numbers.
    pub(crate) fn of(log: &Log, file: &LogFile, summary: &Summary) -> Self {
        let run = log.run();
        Self {
            run: run.id.to_string(),
            created: run.created,
            suite: run.suite.name.clone(),
            suite_hash: run.suite.hash.clone(),
            subject: run.subject.name.clone(),
            variant: run.variant.clone(),
            prompt: prompt(run),
            status: match log.status() {
                Some(RunStatus::Success) => Status::Finished,
                // What is missing of a run in shards may still come.
                Some(RunStatus::Cancelled) if !file.shards.is_empty() => Status::Unfinished,
                Some(RunStatus::Cancelled) => Status::Cancelled,
                Some(RunStatus::Error { message }) => Status::Failed(message.clone()),
                None => Status::Unfinished,
            },
            trials: summary.trials,
            planned: summary.planned,
            unscored: summary.unscored.values().sum(),
            damaged: summary.damage.samples,
            score: summary.score.map(MeanWithInterval::from),
            floor: summary.floor,
            dimensions: summary.dimensions.iter().map(|(d, r)| (d.clone(), r.mean)).collect(),
            p50: summary.latency.total.map(|total| total.p50),
            p95: summary.latency.total.map(|total| total.p95),
            input: summary.usage.input,
            output: summary.usage.output,
        }
    }

    /// Whether the run may still be going on.
    pub(crate) fn is_unfinished(&self) -> bool {
        self.status == Status::Unfinished
    }
}

fn prompt(run: &Run) -> u64 {
    let mut hasher = DefaultHasher::new();
    run.system_prompt.hash(&mut hasher);
    hasher.finish()
}

/// Briefs written down, so that a folder of thousands of logs is shown at once after a restart.
#[derive(Debug)]
pub(crate) struct BriefCache {
    folder: PathBuf,
}

#[derive(Serialize, Deserialize)]
struct StoredBrief {
    form: u32,
    bytes: u64,
    modified: u64,
    brief: LogBrief,
}

impl BriefCache {
    /// Briefs are kept in this folder, which is made if it is not there.
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// The brief of a log in this state, if it was written down.
    pub(crate) fn read(&self, log: &Path, stamp: FileStamp) -> Option<LogBrief> {
        let text = std::fs::read(self.file(log)).ok()?;
        let written: StoredBrief = serde_json::from_slice(&text).ok()?;
        let same = written.form == FORM
            && written.bytes == stamp.bytes
            && written.modified == stamp.nanoseconds();
        same.then_some(written.brief)
    }

    /// Writes a brief down. Whether that works makes no difference but to the next start.
    pub(crate) fn write(&self, log: &Path, stamp: FileStamp, brief: &LogBrief) {
        let written = StoredBrief {
            form: FORM,
            bytes: stamp.bytes,
            modified: stamp.nanoseconds(),
            brief: brief.clone(),
        };
        let Ok(text) = serde_json::to_vec(&written) else { return };
        if std::fs::create_dir_all(&self.folder).is_ok() {
            let _ = replace_file(&self.file(log), text);
        }
    }

    fn file(&self, log: &Path) -> PathBuf {
        let mut hasher = DefaultHasher::new();
        log.hash(&mut hasher);
        self.folder.join(format!("{:016x}.json", hasher.finish()))
    }
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use super::*;

    fn brief() -> LogBrief {
        LogBrief {
            run: "r".into(),
            created: Timestamp::UNIX_EPOCH,
            suite: "s".into(),
            suite_hash: "h".into(),
            subject: "m".into(),
            variant: None,
            prompt: u64::MAX,
            status: Status::Failed("why".into()),
            trials: 3,
            planned: 4,
            unscored: 1,
            damaged: 0,
            score: Some(MeanWithInterval { mean: 0.5, low: 0.25, high: 0.75 }),
            floor: None,
            dimensions: IndexMap::from([("arguments".into(), 0.5)]),
            p50: Some(0.1),
            p95: None,
            input: Some(7),
            output: None,
        }
    }

    #[test]
    fn a_brief_is_kept_for_as_long_as_its_log_stays_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let cache = BriefCache::new(folder.path().join("made/when/needed"));
        let stamp = FileStamp { bytes: 9, modified: SystemTime::UNIX_EPOCH };
        let log = Path::new("/logs/a.eval");
        assert_eq!(cache.read(log, stamp), None);
        cache.write(log, stamp, &brief());
        assert_eq!(cache.read(log, stamp), Some(brief()));
        assert_eq!(cache.read(log, FileStamp { bytes: 10, ..stamp }), None);
        assert_eq!(cache.read(Path::new("/logs/b.eval"), stamp), None);
        std::fs::write(cache.file(log), "{").unwrap();
        assert_eq!(cache.read(log, stamp), None);
    }
}
