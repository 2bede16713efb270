//! Logs and transcripts.

use std::collections::BTreeSet;
use std::fs;
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use toolgauge_core::{Case, TrialId};
use toolgauge_log::{Log, LogWriter, RunStatus, read_entry, read_transcripts};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::parts;

/// More is not read of a log that claims to have more.
const MOST_TRIALS: usize = 64;

/// A file of these bytes, in a folder that goes with the first value.
pub(crate) fn file(name: &str, bytes: &[u8]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join(name);
    fs::write(&path, bytes).expect("a file can be written");
    (folder, path)
}

/// The bytes of a whole log.
pub(crate) fn log(input: &[u8]) {
    let (_folder, path) = file("a.eval", input);
    check_log(&path);
}

/// The members of a log, put into a container that is right in itself: the head, then samples,
/// then summaries. The first byte says which names they bear.
pub(crate) fn log_members(input: &[u8]) {
    let (kind, members) = input.split_first().unwrap_or((&0, &[]));
    let [head, first, second, summaries] = parts(members);
    let head_name = if kind & 1 == 0 { "_journal/start.json" } else { "header.json" };
    let list_name = if kind & 2 == 0 { "_journal/summaries/1.json" } else { "summaries.json" };
    let members = [
        (head_name, head),
        ("samples/a_epoch_1.json", first),
        ("samples/b_epoch_1.json", second),
        (list_name, summaries),
    ];
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let plain = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for (name, bytes) in members.into_iter().filter(|(_, bytes)| !bytes.is_empty()) {
        zip.start_file(name, plain).expect("a member can be begun in memory");
        zip.write_all(bytes).expect("a member can be written to memory");
    }
    let archive = zip.finish().expect("an archive can be finished in memory").into_inner();
    let (_folder, path) = file("a.eval", &archive);
    check_log(&path);
}

/// A log is read or refused. Every trial that a resumed log counts as finished is known when the
/// log was finished, and still is when that was done twice.
pub(crate) fn check_log(path: &Path) {
    let _ = read_entry(path);
    if let Ok(log) = Log::open(path) {
        let _ = known(&log);
    }
    let Some(first) = resumed_and_finished(path) else { return };
    let second = resumed_and_finished(path).expect("a log that was finished can be resumed");
    assert!(first.is_subset(&second), "{first:?} were there, and now {second:?}");
}

/// The trials that are known after a log was resumed and finished.
fn resumed_and_finished(path: &Path) -> Option<BTreeSet<TrialId>> {
    let (writer, resumed) = LogWriter::resume(path).ok()?;
    writer.finish(&RunStatus::Cancelled).expect("a log that was resumed can be finished");
    let log = Log::open(path).expect("a log that was finished can be opened");
    assert!(log.is_finished());
    let found = known(&log);
    if found.len() < MOST_TRIALS {
        let lost: Vec<_> = resumed.finished.difference(&found).collect();
        assert!(lost.is_empty(), "counted as finished and not there: {lost:?}");
    }
    Some(found)
}

/// The trials of a log that are known: by themselves, or by a list that has their numbers. Lists
/// are believed where the checksum of the sample is right, so that resuming does not read it all.
fn known(log: &Log) -> BTreeSet<TrialId> {
    let (summaries, _) = log.sorted_summaries();
    for summary in summaries.iter().take(2) {
        let _ = log.trial(&summary.id);
    }
    let _ = (log.status(), log.figures(), log.len());
    // What tables show is read by a reader of its own.
    let _ = log.gather(|| (), |(), trial| drop(trial), |()| Ok::<(), ()>(()));
    let read = log.trials().take(MOST_TRIALS).filter_map(|trial| Some(trial.ok()?.id()));
    read.chain(summaries.iter().take(MOST_TRIALS).map(|summary| summary.id.clone())).collect()
}

pub(crate) fn transcripts(input: &[u8]) {
    let case = Case::new("a", "turn on the light");
    for line in read_transcripts(input).flatten() {
        let transcript = line.transcript(&case);
        for scorer in ["tool_calls", "wire", "latency"] {
            crate::scores::check_outcome(scorer, &case, &transcript);
        }
    }
}
