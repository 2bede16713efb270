//! Copies samples and their summaries from several logs into one.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;

use serde_json::value::RawValue;
use toolgauge_core::Run;

use super::MergeError;
use crate::archive::{FileWindow, Member, MemberBuilder, MemberEntry, Ready, Unpacker};
use crate::inspect::{Particulars, SampleWriter, SummaryRecord, plain_json};
use crate::source::{LogSource, SUMMARIES_LIMIT, TrialReader};
use crate::writer::{LIST_LENGTH, begin_list, end_list, failure, list_summary};
use crate::{Log, LogWriter, TrialSummary};

/// The most threads that read: each takes about ten megabytes.
const MOST_THREADS: usize = 4;

/// Samples of one list of summaries, made ready for the new log. Each thread has one: once it is
/// written it goes back to be filled again.
#[derive(Default)]
struct CopiedBatch {
    samples: Ready,
    list: Member,
    summaries: Vec<(TrialSummary, bool)>,
}

/// One list of summaries of one log: the unit of work.
#[derive(Clone, Copy)]
struct SummaryList<'a> {
    log: &'a Log,
    given: &'a [AtomicBool],
    name: &'a str,
    entry: &'a MemberEntry,
}

/// Copies every sample that is not `given` yet, log by log.
pub(super) fn copy(
    logs: &[Log],
    given: &[Vec<AtomicBool>],
    writer: &mut LogWriter,
) -> Result<(), MergeError> {
    let lists: Vec<SummaryList<'_>> = logs
        .iter()
        .zip(given)
        .flat_map(|(log, given)| {
            let lists = log.source().journal().into_iter();
            lists.map(move |(name, entry)| SummaryList { log, given, name, entry })
        })
        .collect();
    let processors = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let count = lists.len().min(processors).clamp(1, MOST_THREADS);
    let lists = &lists;
    thread::scope(|scope| {
        let readers: Vec<_> = (0..count)
            .map(|first| {
                let (sender, receiver) = mpsc::sync_channel(0);
                let (empties, empty) = mpsc::channel();
                scope.spawn(move || {
                    let (mut copier, mut batch) = (ListCopier::new(), CopiedBatch::default());
                    for list in lists.iter().skip(first).step_by(count) {
                        // Nobody listens any more once writing has failed.
                        if sender.send(copier.copy(list, batch)).is_err() {
                            break;
                        }
                        let Ok(written) = empty.recv() else { break };
                        batch = written;
                    }
                });
                (receiver, empties)
            })
            .collect();
        for place in 0..lists.len() {
            let (copied, empties) = &readers[place % count];
            // A thread that is gone has panicked, and the scope will say so.
            let Ok(batch) = copied.recv() else { break };
            let mut batch = batch?;
            writer.append_ready(&mut batch.samples, &batch.list, &batch.summaries)?;
            // The thread may have come to its end.
            let _ = empties.send(batch);
        }
        Ok::<(), MergeError>(())
    })?;
    // A shard that was killed has samples that no list names yet.
    for (log, given) in logs.iter().zip(given) {
        let source = log.source();
        let loose: Vec<(&str, &MemberEntry)> =
            source.samples().filter(|(name, _)| !is_given(source, given, name)).collect();
        for samples in loose.chunks(LIST_LENGTH) {
            let mut batch = copy_loose(source, writer.run(), samples)?;
            writer.append_ready(&mut batch.samples, &batch.list, &batch.summaries)?;
        }
    }
    Ok(())
}

fn is_given(source: &LogSource, given: &[AtomicBool], name: &str) -> bool {
    let place = source.entries.get_index_of(name);
    place.and_then(|place| given.get(place)).is_none_or(|given| given.load(Ordering::Relaxed))
}

/// What one thread copies with.
struct ListCopier<'a> {
    unpacker: Unpacker,
    list: MemberBuilder,
    /// What was read of the file of the list before, beside the place of its log in memory.
    window: Option<(&'a Log, FileWindow<'a>)>,
}

impl<'a> ListCopier<'a> {
    fn new() -> Self {
        Self { unpacker: Unpacker::new(), list: MemberBuilder::new(), window: None }
    }

    /// The samples that a list names and that are as it says, with their summaries. What is not
    /// among them is copied from the sample itself.
    fn copy(
        &mut self,
        from: &SummaryList<'a>,
        mut batch: CopiedBatch,
    ) -> Result<CopiedBatch, MergeError> {
        let source = from.log.source();
        batch.samples.clear();
        batch.summaries.clear();
        let text = source.unpack(&mut self.unpacker, from.name, from.entry, SUMMARIES_LIMIT);
        // A damaged list is no loss: its samples are summarised anew.
        let Ok(Ok(text)) = text.map(plain_json) else { return Ok(batch) };
        let items: Vec<&RawValue> = serde_json::from_str(&text).unwrap_or_default();
        let window = match self.window.take() {
            Some((log, window)) if std::ptr::eq(log, from.log) => window,
            _ => FileWindow::new(&*source.file),
        };
        let (_, window) = self.window.insert((from.log, window));
        begin_list(&mut self.list);
        for item in items {
            let Ok(record) = serde_json::from_str::<SummaryRecord>(item.get()) else { continue };
            let (case, trial) = record.trial();
            let Some(place) = source.place(case, trial) else { continue };
            let Some((name, entry)) = source.entries.get_index(place) else { continue };
            // A sample behind the list was run again since, and a later list has its summary.
            if entry.offset > from.entry.offset {
                continue;
            }
            let Some(summary) = record.into_summary() else { continue };
            if from.given[place].swap(true, Ordering::Relaxed) {
                continue;
            }
            copy_sample(source, window, (name, entry), &mut batch.samples)?;
            if !batch.summaries.is_empty() {
                self.list.text().push(b',');
            }
            self.list.text().extend_from_slice(item.get().as_bytes());
            let failed = failure(&summary).is_some();
            batch.summaries.push((summary, failed));
        }
        end_list(&mut self.list, &mut batch.list);
        Ok(batch)
    }
}

/// Samples that no list names, with summaries made of themselves.
fn copy_loose(
    source: &LogSource,
    run: &Run,
    samples: &[(&str, &MemberEntry)],
) -> Result<CopiedBatch, MergeError> {
    let mut batch = CopiedBatch::default();
    let (writer, mut reader) = (SampleWriter::new(run), TrialReader::new());
    let mut window = FileWindow::new(&*source.file);
    let (mut list, mut items) = (MemberBuilder::new(), Vec::new());
    begin_list(&mut list);
    for (name, entry) in samples {
        let trial = reader.read(source, name, entry)?;
        let particulars = Particulars::of(run, &trial);
        let summary = TrialSummary::of(&trial);
        list_summary(&mut items, &writer, &trial, &summary, &particulars);
        copy_sample(source, &mut window, (name, entry), &mut batch.samples)?;
        batch.summaries.push((summary, particulars.error.is_some()));
    }
    list.text().extend_from_slice(&items);
    end_list(&mut list, &mut batch.list);
    Ok(batch)
}

fn copy_sample(
    source: &LogSource,
    window: &mut FileWindow<'_>,
    (name, entry): (&str, &MemberEntry),
    samples: &mut Ready,
) -> Result<(), MergeError> {
    let io = |error| crate::LogError::io("read", &source.path)(error);
    let bytes = window.get(entry, name.len()).map_err(io)?;
    if samples.add_copy(name, entry, bytes) {
        return Ok(());
    }
    Err(MergeError::Damaged { path: source.path.clone(), member: name.to_owned() })
}
