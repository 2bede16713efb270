//! Writes a log while its run goes on, and picks it up again after a crash.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use serde_json::json;
use toolgauge_core::{
    Outcome, PromptReads, Run, RunEntry, Trial, TrialFailure, TrialId, UnscoredReason,
};

use crate::archive::{
    Appender, Depth, DiskFile, LOCAL, Member, MemberBuilder, MemberEntry, MemberPart, PackedPiece,
    PackedText, ReadAt, Ready, Storage, Unpacker, local_length, read_parts, scan,
};
use crate::inspect::{
    Beside, HeaderTally, Particulars, SampleWriter, SummaryRecord, plain_json, sample_member,
    write_header, write_start, write_summary,
};
use crate::source::{
    HEADER, JOURNAL, LogSource, REDUCTIONS, SAMPLE_LIMIT, START, SUMMARIES, SUMMARIES_LIMIT,
    SampleContent, TrialReader, is_known,
};
use crate::summary::message_count;
use crate::{LogError, RunStatus, Summaries, TrialSummary};

/// After so many trials their summaries are written out, so that neither memory nor the reader
/// of an unfinished log has to hold or to make them all.
pub(crate) const LIST_LENGTH: usize = 1000;

/// A log being written.
///
/// Every trial is a complete zip entry, handed to the system before [`append`](Self::append)
/// returns: killing the process loses nothing that was reported as finished. The disk has it a
/// second later, with the next trial or with the end of the log: a power cut loses at most the
/// trials of the last second before it.
#[derive(Debug)]
pub struct LogWriter {
    path: PathBuf,
    appender: Appender,
    samples: SampleWriter,
    /// Summaries not yet written, as the items of a JSON list.
    pending: Vec<u8>,
    pending_count: usize,
    /// The number of the last list of summaries.
    last_list: u64,
    /// The lists that the file has.
    lists: Vec<MemberEntry>,
    tally: HeaderTally,
    /// Whether a trial was written twice, so that lists and tally know one too many.
    repeated: bool,
    /// What the server read for the trials added here.
    prompt_reads: Option<PromptReads>,
    /// What was found to spoil the run since it began.
    warnings: Vec<String>,
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
        Self::create_on(Box::new(DiskFile::new(file, path)), path, run)
    }

    /// Starts a log where there is none: in a new file, or in one that a killed process left without
    /// a complete member. A file that holds anything is refused.
    pub fn create_anew(path: &Path, run: &Run) -> Result<Self, LogError> {
        let io = || LogError::io("create", path);
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(false).open(path);
        let file = file.map_err(io())?;
        // Looked at only under the lock: whoever made the file may be about to write to it.
        lock(&file, path)?;
        let length = file.metadata().map_err(io())?.len();
        if length > 0 {
            let found = scan(&file, length, Depth::Verified, SAMPLE_LIMIT).map_err(io())?;
            if found.end > 0 || !looks_torn(&file).map_err(io())? {
                return Err(io()(std::io::ErrorKind::AlreadyExists.into()));
            }
            file.set_len(0).map_err(io())?;
        }
        Self::create_on(Box::new(DiskFile::new(file, path)), path, run)
    }

    /// Starts a log in an empty file.
    fn create_on(storage: Box<dyn Storage>, path: &Path, run: &Run) -> Result<Self, LogError> {
        let mut writer = Self::new(path, Appender::new(storage, 0), run);
        writer.add(START, write_start(run))?;
        Ok(writer)
    }

    /// Picks up a log where it ended: crashed, interrupted or finished.
    ///
    /// What the log holds is never overwritten. New entries go behind the old ones, behind the
    /// old directory too if there is one, so that there is no instant at which a finished trial
    /// could be lost.
    pub fn resume(path: &Path) -> Result<(Self, Resumed), LogError> {
        let file = OpenOptions::new().read(true).write(true).open(path);
        let file = file.map_err(LogError::io("resume", path))?;
        lock(&file, path)?;
        Self::resume_on(Box::new(DiskFile::new(file, path)), path)
    }

    fn resume_on(storage: Box<dyn Storage>, path: &Path) -> Result<(Self, Resumed), LogError> {
        let io = || LogError::io("resume", path);
        let reading = storage.file().try_clone().map_err(io())?;
        let length = reading.metadata().map_err(io())?.len();
        let source = LogSource::verified(path, Box::new(reading))?;
        let end = source.end;
        let mut header = source.header()?;
        if !header.own {
            return Err(LogError::NotResumable { path: path.to_owned() });
        }
        if let Some(run) = source.run_so_far() {
            header.run = run;
        }
        // Only now is it certain that the file is a log of our own; before, nothing in it is
        // changed.
        storage.set_len(end).map_err(io())?;
        let mut writer = Self::new(path, Appender::new(storage, end), &header.run);
        writer.take_over(&source).map_err(io())?;
        // The head may have been found under a damaged name; without this the next reader would
        // search again.
        if !writer.has_member(START)? {
            writer.add(START, write_start(&header.run))?;
        }
        let torn = length - end;
        let resumed = writer.take_stock(&source, Arc::unwrap_or_clone(header.run), torn)?;
        Ok((writer, resumed))
    }

    fn new(path: &Path, appender: Appender, run: &Run) -> Self {
        Self {
            path: path.to_owned(),
            appender,
            samples: SampleWriter::new(run),
            pending: Vec::new(),
            pending_count: 0,
            last_list: 0,
            lists: Vec::new(),
            tally: HeaderTally::default(),
            repeated: false,
            prompt_reads: None,
            warnings: Vec::new(),
        }
    }

    /// Takes over the members of a resumed log. One under a wrong name is left out of the new
    /// directory, or the log would count as damaged for ever. Its trial is appended again, under its
    /// right name.
    fn take_over(&mut self, source: &LogSource) -> std::io::Result<()> {
        let known = |name: &str| is_known(name) || LogSource::is_sample(name);
        for (name, entry) in source.entries.iter().filter(|(name, _)| known(name)) {
            self.appender.enter(name, entry)?;
        }
        self.lists = source.journal().into_iter().map(|(_, entry)| *entry).collect();
        let numbers = source.entries.keys().filter_map(|name| list_number(name));
        self.last_list = numbers.max().map_or(0, u64::from);
        Ok(())
    }

    /// Where the member of that name begins, if there is one.
    fn place(&self, member: &str) -> Result<Option<u64>, LogError> {
        self.appender.place(member).map_err(LogError::io("read", &self.path))
    }

    fn has_member(&self, name: &str) -> Result<bool, LogError> {
        self.place(name).map(|place| place.is_some())
    }

    /// Goes through what a resumed log holds, and summarises what was not yet summarised.
    fn take_stock(&mut self, source: &LogSource, run: Run, torn: u64) -> Result<Resumed, LogError> {
        let (mut finished, mut failed) = (BTreeSet::new(), BTreeMap::new());
        let mut summaries = Summaries::new(source, true);
        while let Some(summary) = summaries.next_listed() {
            self.tally.add(&run, &summary, failure(&summary).is_some());
            sort_in(summary, &mut finished, &mut failed);
        }
        // A trial that was run again is in the lists twice, and the figures have counted both.
        self.repeated = summaries.has_stale();
        // A list that is none would have to be read again at the end, where it could only fail. Its
        // trials are summarised anew below.
        let mut useless: BTreeSet<&str> = summaries.unreadable().iter().copied().collect();
        let mut reader = TrialReader::new();
        for (name, entry) in summaries.unlisted() {
            let trial = match reader.read(source, name, entry) {
                Ok(trial) => trial,
                // A trial that cannot be read is run again, so its member must not look finished.
                Err(error) if error.is_damage() => {
                    useless.insert(name);
                    continue;
                }
                Err(error) => return Err(error),
            };
            let summary = self.summarise(&trial)?;
            sort_in(summary, &mut finished, &mut failed);
        }
        let offsets = useless.iter().filter_map(|name| Some(source.entries.get(*name)?.offset));
        let offsets: BTreeSet<u64> = offsets.collect();
        self.lists.retain(|list| !offsets.contains(&list.offset));
        self.appender.forget(useless).map_err(LogError::io("read", &self.path))?;
        // Readers compare places in the file: a summary counts if its list stands behind its sample.
        self.write_list()?;
        for summary in self.rewrite_readable(source)? {
            sort_in(summary, &mut finished, &mut failed);
        }
        Ok(Resumed { run, finished, failed, torn })
    }

    /// Writes those trials again that can be read, but whose members are damaged or stand under a
    /// wrong name, unless they were run again since.
    fn rewrite_readable(&mut self, source: &LogSource) -> Result<Vec<TrialSummary>, LogError> {
        let left_out = source.samples().chain(source.misnamed());
        let mut members: Vec<_> =
            source.damaged.iter().map(|(name, entry)| (&**name, entry)).collect();
        for (name, entry) in left_out {
            if !self.has_member(name)? {
                members.push((name, entry));
            }
        }
        // Of two records of one trial the later counts, so it must be the first to be met here.
        members.sort_by_key(|(_, entry)| Reverse(entry.offset));
        let (mut reader, mut rewritten) = (TrialReader::new(), Vec::new());
        for (name, entry) in members {
            let read = reader.read_by_content(source, name, entry);
            let Ok(SampleContent::Own(trial)) = read else { continue };
            let right = sample_member(trial.case.id.as_str(), trial.number);
            if self.place(&right)?.is_none_or(|known| known < entry.offset) {
                rewritten.push(self.append_summarised(&trial)?);
            }
        }
        Ok(rewritten)
    }

    /// The run the log is of.
    pub fn run(&self) -> &Run {
        self.samples.run()
    }

    /// Takes note of what the server read for the trials added here. It is written with the end of
    /// the log, together with what a log that was resumed says already.
    pub fn add_prompt_reads(&mut self, reads: PromptReads) {
        self.prompt_reads = Some(self.prompt_reads.unwrap_or_default().plus(reads));
    }

    /// Takes note of something that may spoil the run. It is written with the end of the log,
    /// behind the warnings that the log has from its beginning.
    pub fn add_warning(&mut self, warning: String) {
        // A log that is resumed may hold it already.
        if !self.run().warnings.contains(&warning) && !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    /// Where the log is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How long the file is up to the end of its last complete entry, now and as it grows. What is
    /// before that place never changes.
    pub fn written(&self) -> Arc<AtomicU64> {
        self.appender.written()
    }

    /// Adds a trial. Once this returns, the end of the process cannot undo it. A power cut can, as
    /// long as no trial is added a second later or the log ended.
    ///
    /// A trial that was added before is replaced.
    pub fn append(&mut self, trial: &Trial) -> Result<(), LogError> {
        self.append_summarised(trial).map(drop)
    }

    /// Adds a trial in the same way, and gives the summary that the log has of it.
    pub fn append_summarised(&mut self, trial: &Trial) -> Result<TrialSummary, LogError> {
        let particulars = Particulars::of(self.samples.run(), trial);
        let name = sample_member(trial.case.id.as_str(), trial.number);
        if self.has_member(&name)? {
            // A list tells old records from new by standing between them.
            self.write_list()?;
            self.repeated = true;
        }
        let member = self.samples.write(trial, &particulars);
        // The sample goes out before its summary is noted: a crash in between costs a summary,
        // which resuming makes again, and never a trial.
        self.appender.append(&name, member).map_err(LogError::io("write", &self.path))?;
        let summary = self.note(trial, &particulars)?;
        self.appender.sync_if_due().map_err(LogError::io("write", &self.path))?;
        Ok(summary)
    }

    fn summarise(&mut self, trial: &Trial) -> Result<TrialSummary, LogError> {
        let particulars = Particulars::of(self.samples.run(), trial);
        self.note(trial, &particulars)
    }

    /// Takes a trial into the summaries and the figures.
    fn note(&mut self, trial: &Trial, particulars: &Particulars) -> Result<TrialSummary, LogError> {
        let summary = TrialSummary::of(trial);
        list_summary(&mut self.pending, &self.samples, trial, &summary, particulars);
        self.tally.add(self.samples.run(), &summary, particulars.error.is_some());
        self.pending_count += 1;
        if self.pending_count >= LIST_LENGTH {
            self.write_list()?;
        }
        Ok(summary)
    }

    /// Adds trials that were made ready elsewhere, with the list of their summaries.
    pub(crate) fn append_ready(
        &mut self,
        samples: &mut Ready,
        list: &Member,
        summaries: &[(TrialSummary, bool)],
    ) -> Result<(), LogError> {
        self.write_list()?;
        // All samples of a batch may have been unreadable; an empty list would only be in the way.
        if summaries.is_empty() {
            return Ok(());
        }
        self.appender.append_ready(samples).map_err(LogError::io("write", &self.path))?;
        for (summary, failed) in summaries {
            self.tally.add(self.samples.run(), summary, *failed);
        }
        self.append_list(list)
    }

    fn write_list(&mut self) -> Result<(), LogError> {
        if self.pending_count == 0 {
            return Ok(());
        }
        let (mut builder, mut list) = (MemberBuilder::new(), Member::default());
        begin_list(&mut builder);
        // Swapped, not copied. The builder is dropped, and `pending` gets its empty buffer.
        std::mem::swap(builder.text(), &mut self.pending);
        end_list(&mut builder, &mut list);
        self.pending_count = 0;
        self.append_list(&list)
    }

    fn append_list(&mut self, list: &Member) -> Result<(), LogError> {
        self.last_list += 1;
        let name = format!("{JOURNAL}{}.json", self.last_list);
        let written = self.appender.append(&name, list);
        self.lists.push(written.map_err(LogError::io("write", &self.path))?);
        Ok(())
    }

    fn add(&mut self, name: &str, mut text: PackedText) -> Result<(), LogError> {
        let added = self.appender.append(name, text.finish());
        added.map(drop).map_err(LogError::io("write", &self.path))
    }

    /// Ends the log: summaries, figures, header and directory. Gives the file back.
    pub fn finish(mut self, status: &RunStatus) -> Result<PathBuf, LogError> {
        self.write_list()?;
        self.write_summaries()?;
        if let Some(reductions) = self.tally.reductions(self.samples.run()) {
            self.add(REDUCTIONS, reductions)?;
        }
        let mut run = match self.prompt_reads {
            None => self.samples.run().clone(),
            Some(reads) => with_reads(self.samples.run(), reads),
        };
        run.warnings.append(&mut self.warnings);
        let header = write_header(&run, status, &self.tally);
        self.add(HEADER, header)?;
        self.appender.close().map_err(LogError::io("write", &self.path))?;
        Ok(self.path)
    }

    /// Puts the lists of the journal together, without what was superseded. The packed lists are
    /// copied as they are, unless something in them was.
    fn write_summaries(&mut self) -> Result<(), LogError> {
        let lists = std::mem::take(&mut self.lists);
        // Replaced trials were counted twice. `current_items` counts again what is left.
        if self.repeated {
            self.tally = HeaderTally::default();
        }
        let mut pieces = Vec::new();
        let mut separator: &[u8] = b"[";
        for list in &lists {
            let items = if self.repeated { self.current_items(list)? } else { self.items(list)? };
            if let Some(items) = items {
                pieces.push(PackedPiece::of(separator));
                pieces.push(items);
                separator = b",";
            }
        }
        pieces.push(PackedPiece::of(if separator == b"[" { b"[]" } else { b"]" }));
        let written = self.appender.append_pieces(SUMMARIES, &pieces);
        written.map_err(LogError::io("write", &self.path))
    }

    /// The items of a list, as they are packed already if the list says where they are.
    fn items(&mut self, list: &MemberEntry) -> Result<Option<PackedPiece>, LogError> {
        // Enough for the header of a list: a short name and three parts.
        let mut head = [0; 256];
        let read = self.appender.file().read_at(&mut head, list.offset);
        let head = &head[..read.map_err(LogError::io("read", &self.path))?];
        let parts: Vec<MemberPart> = read_parts(head).collect();
        // What a header says of the parts has no checksum of its own. Parts that come to the
        // member, whose checksum was verified, are what they claim to be.
        if let (Some(length), [opening, items, closing]) = (local_length(head), &parts[..])
            && list.is_made_of(opening.then(*items).then(*closing))
        {
            let offset = list.offset + length as u64 + opening.packed;
            return Ok(Some(PackedPiece::in_file(offset, *items)));
        }
        let mut unpacker = Unpacker::new();
        let text = self.list_text(&mut unpacker, list)?;
        let items = text.get(1..text.len().saturating_sub(1)).unwrap_or_default();
        Ok((!items.is_empty()).then(|| PackedPiece::of(items)))
    }

    /// Those items of a list that were not superseded, counted anew.
    fn current_items(&mut self, list: &MemberEntry) -> Result<Option<PackedPiece>, LogError> {
        let mut unpacker = Unpacker::new();
        let json = || LogError::json(&self.path, JOURNAL);
        let text = plain_json(self.list_text(&mut unpacker, list)?).map_err(json())?;
        let items: Vec<&serde_json::value::RawValue> =
            serde_json::from_str(&text).map_err(json())?;
        let mut current = Vec::with_capacity(text.len());
        for item in items {
            let record: SummaryRecord = serde_json::from_str(item.get()).map_err(json())?;
            let (case, trial) = record.trial();
            let sample = self.place(&sample_member(case, trial))?;
            // The trial was run again after this list, so a later list has its summary.
            if sample.is_none_or(|sample| sample > list.offset) {
                continue;
            }
            let Some(summary) = record.into_summary() else { continue };
            let failed = failure(&summary).is_some();
            self.tally.add(self.samples.run(), &summary, failed);
            if !current.is_empty() {
                current.push(b',');
            }
            current.extend_from_slice(item.get().as_bytes());
        }
        Ok((!current.is_empty()).then(|| PackedPiece::of(&current)))
    }

    fn list_text<'a>(
        &self,
        unpacker: &'a mut Unpacker,
        list: &MemberEntry,
    ) -> Result<&'a [u8], LogError> {
        let text = unpacker.whole(self.appender.file(), list, SUMMARIES_LIMIT);
        text.map_err(|error| crate::source::damaged(&self.path, JOURNAL, error))
    }
}

/// Adds the summary of a trial to the items of a list.
pub(crate) fn list_summary(
    items: &mut Vec<u8>,
    samples: &SampleWriter,
    trial: &Trial,
    summary: &TrialSummary,
    particulars: &Particulars,
) {
    let beside = Beside {
        run: samples.run(),
        model: samples.model(),
        particulars,
        messages: message_count(trial, samples.has_system()),
    };
    if !items.is_empty() {
        items.push(b',');
    }
    write_summary(items, summary, &beside);
}

/// Begins a list of summaries, whose items can be carried over into a larger list.
pub(crate) fn begin_list(list: &mut MemberBuilder) {
    list.clear();
    list.text().push(b'[');
    list.cut();
}

/// Ends a list, and puts it in the place of another.
pub(crate) fn end_list(list: &mut MemberBuilder, member: &mut Member) {
    list.cut();
    list.text().push(b']');
    list.finish();
    list.exchange(member);
}

/// Puts a trial of a resumed log with those that need not run again, or with those that failed.
fn sort_in(
    summary: TrialSummary,
    finished: &mut BTreeSet<TrialId>,
    failed: &mut BTreeMap<TrialId, TrialFailure>,
) {
    if let Some(failure) = failure(&summary).cloned() {
        finished.remove(&summary.id);
        failed.insert(summary.id, failure);
    } else {
        failed.remove(&summary.id);
        finished.insert(summary.id);
    }
}

/// Why a trial would have to run again, if it would.
pub(crate) fn failure(summary: &TrialSummary) -> Option<&TrialFailure> {
    match summary.outcome() {
        Some(Outcome::Scored(_)) => None,
        Some(Outcome::Unscored(UnscoredReason::Failed(failure))) => Some(failure),
        _ => summary.failure.as_ref(),
    }
}

/// The number of a list. Somebody else may have given a larger one, which leaves none to count on
/// with; no number of ours meets it.
fn list_number(name: &str) -> Option<u32> {
    name.strip_prefix(JOURNAL)?.strip_suffix(".json")?.parse().ok()
}

/// A run with what its server read, added to what it says of earlier trials.
fn with_reads(run: &Run, reads: PromptReads) -> Run {
    let mut run = run.clone();
    let earlier: PromptReads = RunEntry::PromptReads.read(&run).unwrap_or_default();
    RunEntry::PromptReads.put(&mut run.settings, json!(earlier.plus(reads)));
    run
}

/// Whether some process writes a log now.
pub fn is_being_written(path: &Path) -> bool {
    let Ok(file) = File::open(path) else { return false };
    matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))
}

/// Whether a file begins as the first member of a log does, as far as it goes.
fn looks_torn(file: &File) -> std::io::Result<bool> {
    let mut head = [0; LOCAL.len()];
    let read = file.read_at(&mut head, 0)?;
    Ok(LOCAL.starts_with(&head[..read]))
}

/// How often a lock is asked for that somebody holds, and how long is waited each time.
const LOCK_TRIES: u32 = 10;
const LOCK_PAUSE: Duration = Duration::from_millis(20);

/// Two writers would tear each other's entries.
fn lock(file: &File, path: &Path) -> Result<(), LogError> {
    for _ in 0..LOCK_TRIES {
        match file.try_lock() {
            // A process that is just being started holds what its parent had open, for a moment.
            Err(TryLockError::WouldBlock) => std::thread::sleep(LOCK_PAUSE),
            // A file system without locks is no reason not to write.
            Err(TryLockError::Error(_)) | Ok(()) => return Ok(()),
        }
    }
    Err(LogError::Busy { path: path.to_owned() })
}

#[cfg(test)]
#[expect(clippy::print_stdout, reason = "the number of cuts is a result")]
mod power_cuts;
