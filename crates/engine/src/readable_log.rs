//! What is taken in the place of a log: results of other tools, logs of Inspect AI in JSON, and the
//! shards of a run. They are made into a log that is gone when the command ends.

use std::path::{Path, PathBuf};

use tempfile::TempDir;
use toolgauge_import::{
    ImportOptions, is_inspect_json, known_kind, unpack_inspect_json, why_no_log,
};
use toolgauge_log::{Gaps, RawLogWriter, ShardSet, UnfinishedFile, is_log, read_entry};

use crate::error::EngineError;
use crate::imports;
use crate::shard_logs;

/// A log to read: the file that was named, or the one that was made of it.
pub struct ReadableLog {
    path: PathBuf,
    /// The folder of a log that was made.
    made: Option<TempDir>,
}

impl ReadableLog {
    /// What a command that takes a log reads for this file. What may be a damaged log is left for
    /// whoever opens it to refuse.
    pub fn of(path: &Path) -> Result<Self, EngineError> {
        let as_it_is = || Self { path: path.to_owned(), made: None };
        let folder = |error| EngineError::file("create", Path::new("a temporary folder"), error);
        match shard_logs::logs_of_run(path)?.as_deref() {
            None => {}
            // A lone shard is merged too, so that it says what is missing and counts as unfinished.
            Some([one]) if read_entry(one)?.run.shard().is_none() => {
                return Ok(Self { path: one.clone(), made: None });
            }
            Some(shards) => {
                let made = tempfile::tempdir().map_err(folder)?;
                let target = made.path().join("run.eval");
                // Shards may still be at work. What is missing is told among the run's warnings.
                ShardSet::open(shards)?.merge(&target, Gaps::Allowed)?;
                return Ok(Self { path: target, made: Some(made) });
            }
        }
        if is_log(path) || !path.is_file() {
            return Ok(as_it_is());
        }
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if is_inspect_json(path) {
            let made = tempfile::tempdir().map_err(folder)?;
            let target = made.path().join(format!("{stem}.eval"));
            write_inspect_json(path, &target)?;
            return Ok(Self { path: target, made: Some(made) });
        }
        if known_kind(path).is_none() {
            return match why_no_log(path) {
                Some(seen) => Err(EngineError::NoLog { path: path.to_owned(), seen }),
                None => Ok(as_it_is()),
            };
        }
        let inputs = [path.to_owned()];
        let runs = imports::check(&inputs, &ImportOptions::default(), None, &mut |_| {})?.runs;
        let [run] = <[_; 1]>::try_from(runs)
            .map_err(|runs| EngineError::SeveralRuns { file: path.to_owned(), runs: runs.len() })?;
        let made = tempfile::tempdir().map_err(folder)?;
        let target = made.path().join(format!("{stem}.eval"));
        run.write(&target, &mut |_| {}, &mut |_| {})?;
        Ok(Self { path: target, made: Some(made) })
    }

    /// Where the log is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it was made of something else.
    pub fn is_made(&self) -> bool {
        self.made.is_some()
    }
}

/// Writes a log of Inspect AI in JSON as one in its other form. Nothing is left of one that cannot
/// be read to its end.
pub fn write_inspect_json(path: &Path, target: &Path) -> Result<(), EngineError> {
    let (mut log, unfinished) =
        UnfinishedFile::create(|| RawLogWriter::create(target), RawLogWriter::path)?;
    unpack_inspect_json(path, |name, text| log.add(name, text).map_err(EngineError::from))?;
    log.finish()?;
    unfinished.keep();
    Ok(())
}
