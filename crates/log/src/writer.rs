//! Writes a log while its run goes on, and picks it up again after a crash.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

use toolgauge_core::{Outcome, Run, Trial, TrialFailure, TrialId, UnscoredReason};

use crate::archive::{Appender, Depth, Entries, MemberBuilder, Unpacker, scan};
use crate::inspect::{
    Beside, Particulars, SampleWriter, SummaryRecord, Tally, plain_json, sample_member,
    write_header, write_start, write_summary,
};
use crate::source::{
    HEADER, JOURNAL, REDUCTIONS, SAMPLE_LIMIT, START, SUMMARIES, SUMMARIES_LIMIT, Source,
    TrialReader,
};
use crate::summary::message_count;
use crate::{LogError, RunStatus, Summaries, TrialSummary};

/// After so many trials their summaries are written out, so that neither memory nor the reader
/// of an unfinished log has to hold or to make them all.
const LIST_LENGTH: usize = 1000;

/// A log being written.
///
/// Every trial is a complete zip entry, handed to the system before [`append`](Self::append)
/// returns: killing the process loses nothing that was reported as finished.
#[derive(Debug)]
pub struct LogWriter {
    path: PathBuf,
    appender: Appender,
    samples: SampleWriter,
    /// Summaries not yet written, as the items of a JSON list.
    pending: Vec<u8>,
    pending_count: usize,
    /// How many lists of summaries the file has.
    lists: usize,
    tally: Tally,
    /// Whether a trial was written twice, so that lists and tally know one too many.
    repeated: bool,
}

/// What a resumed log already holds.
#[derive(Clone, Debug)]
pub struct Resumed {
    /// The run, as it was started.
    pub run: Run,
    /// The trials that were judged, or that have nothing to judge: they need not run again.
    pub finished: BTreeSet<TrialId>,
    /// The trials that failed for a reason that says nothing about the subject. If they are
    /// run and appended again, the new record replaces the old.
    pub failed: BTreeMap<TrialId, TrialFailure>,
    /// How many bytes of a torn entry were cut off.
    pub torn: u64,
}

impl LogWriter {
    /// Starts a log. The file must not exist.
    pub fn create(path: &Path, run: &Run) -> Result<Self, LogError> {
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create_new(true).open(path);
        let file = file.map_err(LogError::io("create", path))?;
        lock(&file, path)?;
        let appender =
            Appender::new(file, 0, Entries::new()).map_err(LogError::io("create", path))?;
        let mut writer = Self::new(path, appender, run);
        writer.add(START, &write_start(run))?;
        Ok(writer)
    }

    /// Picks up a log where it ended: crashed, interrupted or finished.
    ///
    /// What the log holds is never overwritten. New entries go behind the old ones, behind the
    /// old directory too if there is one, so that there is no instant at which a finished trial
    /// could be lost.
    pub fn resume(path: &Path) -> Result<(Self, Resumed), LogError> {
        let io = || LogError::io("resume", path);
        let file = OpenOptions::new().read(true).write(true).open(path).map_err(io())?;
        lock(&file, path)?;
        let length = file.metadata().map_err(io())?.len();
        let found = scan(&file, length, Depth::Verified, SAMPLE_LIMIT).map_err(io())?;
        let reading = file.try_clone().map_err(io())?;
        let entries = found.entries;
        let source = Source { path: path.to_owned(), file: reading, entries, closed: false };
        let header = source.header()?;
        if !header.own {
            return Err(LogError::NotResumable { path: path.to_owned() });
        }
        file.set_len(found.end).map_err(io())?;
        let appender = Appender::new(file, found.end, source.entries.clone()).map_err(io())?;
        let mut writer = Self::new(path, appender, &header.run);
        // Which trials are counted twice is for `finish` to find out.
        writer.repeated = true;
        let torn = length - found.end;
        let resumed = writer.take_stock(&source, header.run, torn)?;
        Ok((writer, resumed))
    }

    fn new(path: &Path, appender: Appender, run: &Run) -> Self {
        let lists = appender.entries().keys().filter_map(|name| list_number(name)).max();
        Self {
            path: path.to_owned(),
            appender,
            samples: SampleWriter::new(run),
            pending: Vec::new(),
            pending_count: 0,
            lists: lists.unwrap_or(0),
            tally: Tally::default(),
            repeated: false,
        }
    }

    /// Goes through what a resumed log holds, and summarises what was not yet summarised.
    fn take_stock(&mut self, source: &Source, run: Run, torn: u64) -> Result<Resumed, LogError> {
        let (mut finished, mut failed) = (BTreeSet::new(), BTreeMap::new());
        let mut summaries = Summaries::new(source, true);
        for summary in summaries.by_ref() {
            let summary = summary?;
            if let Some(failure) = failure(&summary).cloned() {
                failed.insert(summary.id, failure);
            } else {
                finished.insert(summary.id);
            }
        }
        let mut reader = TrialReader::new();
        for (name, entry) in summaries.unlisted() {
            let trial = reader.read(source, name, entry)?;
            self.summarise(&trial)?;
        }
        Ok(Resumed { run, finished, failed, torn })
    }

    /// The run the log is of.
    pub fn run(&self) -> &Run {
        self.samples.run()
    }

    /// Where the log is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a trial. Once this returns, the end of the process cannot undo it.
    ///
    /// A trial that was added before is replaced.
    pub fn append(&mut self, trial: &Trial) -> Result<(), LogError> {
        let particulars = Particulars::of(self.samples.run(), trial);
        let name = sample_member(trial.case.id.as_str(), trial.number);
        self.repeated |= self.appender.entries().contains_key(name.as_str());
        let member = self.samples.write(trial, &particulars);
        self.appender.append(&name, member).map_err(LogError::io("write", &self.path))?;
        self.note(trial, &particulars)
    }

    fn summarise(&mut self, trial: &Trial) -> Result<(), LogError> {
        let particulars = Particulars::of(self.samples.run(), trial);
        self.note(trial, &particulars)
    }

    /// Takes a trial into the summaries and the figures.
    fn note(&mut self, trial: &Trial, particulars: &Particulars) -> Result<(), LogError> {
        let summary = TrialSummary::of(trial);
        let run = self.samples.run();
        self.tally.add(run, &summary, particulars.error.is_some());
        let beside = Beside {
            run,
            model: self.samples.model(),
            particulars,
            messages: message_count(trial, self.samples.has_system()),
        };
        if !self.pending.is_empty() {
            self.pending.push(b',');
        }
        write_summary(&mut self.pending, &summary, &beside);
        self.pending_count += 1;
        if self.pending_count >= LIST_LENGTH { self.write_list() } else { Ok(()) }
    }

    fn write_list(&mut self) -> Result<(), LogError> {
        if self.pending_count == 0 {
            return Ok(());
        }
        self.lists += 1;
        let items = std::mem::take(&mut self.pending);
        self.pending_count = 0;
        let list = [b"[", &items[..], b"]"].concat();
        self.add(&format!("{JOURNAL}{}.json", self.lists), &list)?;
        self.pending = items;
        self.pending.clear();
        Ok(())
    }

    fn add(&mut self, name: &str, text: &[u8]) -> Result<(), LogError> {
        let mut builder = MemberBuilder::new();
        let member = builder.finish(text);
        self.appender.append(name, member).map_err(LogError::io("write", &self.path))
    }

    /// Ends the log: summaries, figures, header and directory. Gives the file back.
    pub fn finish(mut self, status: &RunStatus) -> Result<PathBuf, LogError> {
        self.write_list()?;
        self.write_summaries()?;
        let run = self.samples.run().clone();
        if let Some(reductions) = self.tally.reductions(&run) {
            self.add(REDUCTIONS, &reductions)?;
        }
        let header = write_header(&run, status, &self.tally);
        self.add(HEADER, &header)?;
        self.appender.close().map_err(LogError::io("write", &self.path))?;
        Ok(self.path)
    }

    /// Puts the lists of the journal together, without what was superseded.
    fn write_summaries(&mut self) -> Result<(), LogError> {
        let source = Source {
            path: self.path.clone(),
            file: self.appender.file().try_clone().map_err(LogError::io("read", &self.path))?,
            entries: self.appender.entries().clone(),
            closed: false,
        };
        if self.repeated {
            self.tally = Tally::default();
        }
        let mut builder = MemberBuilder::new();
        let mut unpacker = Unpacker::new();
        let mut opening: &[u8] = b"[";
        for (name, entry) in source.journal() {
            let text = source.unpack(&mut unpacker, name, entry, SUMMARIES_LIMIT)?;
            if !self.repeated {
                builder.flowing(opening);
                builder.flowing(&text[1..text.len() - 1]);
                opening = b",";
                continue;
            }
            let json = || LogError::json(&self.path, name);
            let items: Vec<&serde_json::value::RawValue> =
                serde_json::from_slice(text).map_err(json())?;
            for item in items {
                let record: SummaryRecord =
                    serde_json::from_slice(&plain_json(item.get().as_bytes())).map_err(json())?;
                let (case, trial) = record.trial();
                let current = source.place(case, trial).and_then(|p| source.entries.get_index(p));
                if current.is_none_or(|(_, sample)| sample.offset > entry.offset) {
                    continue;
                }
                let Some(summary) = record.into_summary() else { continue };
                let failed = failure(&summary).is_some();
                self.tally.add(self.samples.run(), &summary, failed);
                builder.flowing(opening);
                builder.flowing(item.get().as_bytes());
                opening = b",";
            }
        }
        let closing: &[u8] = if opening == b"[" { b"[]" } else { b"]" };
        let member = builder.finish(closing);
        self.appender.append(SUMMARIES, member).map_err(LogError::io("write", &self.path))
    }
}

/// Why a trial would have to run again, if it would.
fn failure(summary: &TrialSummary) -> Option<&TrialFailure> {
    match summary.outcome() {
        Some(Outcome::Scored(_)) => None,
        Some(Outcome::Unscored(UnscoredReason::Failed(failure))) => Some(failure),
        _ => summary.failure.as_ref(),
    }
}

fn list_number(name: &str) -> Option<usize> {
    name.strip_prefix(JOURNAL)?.strip_suffix(".json")?.parse().ok()
}

/// Two writers would tear each other's entries.
fn lock(file: &File, path: &Path) -> Result<(), LogError> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(LogError::Busy { path: path.to_owned() }),
        // A file system without locks is no reason not to write.
        Err(TryLockError::Error(_)) | Ok(()) => Ok(()),
    }
}
