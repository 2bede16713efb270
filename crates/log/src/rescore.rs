//! Copies the trials of a log into a new log, judged anew.
//!
//! Nothing but the judgements changes, so nothing else is packed again: of each sample only the
//! part that a scorer looks at is unpacked, and the parts that stay as they are are copied as
//! they are packed. Samples that do not say what parts they have (those of other programs, and of
//! logs made before there were parts) are read and written whole.

use std::num::NonZeroUsize;
use std::sync::mpsc;
use std::thread;

use indexmap::IndexMap;
use toolgauge_core::{Outcome, Trial};

use crate::archive::{
    FileWindow, LAST_BLOCK, Member, MemberBuilder, MemberEntry, MemberPart, Ready, Unpacker,
    local_length, read_parts,
};
use crate::inspect::{HEAD_END, Particulars, SampleWriter, Unchanged, read_unjudged, readable};
use crate::source::{LogSource, TrialReader};
use crate::writer::{LIST_LENGTH, begin_list, end_list, list_summary};
use crate::{Damage, Log, LogError, LogWriter, TrialSummary};

/// The most threads that judge.
const MOST_THREADS: usize = 16;

/// Judges every trial of a log again and adds it to a new one, in the order of the old log.
///
/// `judge` is called on several threads; it gets a trial without its outcomes and without the
/// bodies of requests and responses. `note` is told every summary, in order. Samples that cannot
/// be read are left out of the new log and told at the end.
pub fn rescore(
    log: &Log,
    writer: &mut LogWriter,
    judge: impl Fn(&Trial) -> IndexMap<String, Outcome> + Sync,
    mut note: impl FnMut(&TrialSummary),
) -> Result<Damage, LogError> {
    let source = log.source();
    let mut damage = Damage::default();
    let samples: Vec<(&str, &MemberEntry)> = source.samples().collect();
    let batches: Vec<&[(&str, &MemberEntry)]> = samples.chunks(LIST_LENGTH).collect();
    let processors = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let count = batches.len().min(processors).clamp(1, MOST_THREADS);
    let run = writer.run().clone();
    let (batches, judge, run) = (&batches, &judge, &run);
    thread::scope(|scope| {
        let judges: Vec<_> = (0..count)
            .map(|first| {
                // A thread may be one batch ahead of the writer. More would only take memory.
                let (sender, receiver) = mpsc::sync_channel(1);
                // Written batches go back to their thread, which fills them again.
                let (empties, empty) = mpsc::channel();
                scope.spawn(move || {
                    let mut worker = RescoreWorker::new(source, SampleWriter::new(run), judge);
                    // Batches are dealt out in turn rather than fetched, so that the writer knows
                    // from which thread the next one comes and writes them in the order of the log.
                    for samples in batches.iter().skip(first).step_by(count) {
                        let batch =
                            worker.judge_batch(samples, empty.try_recv().unwrap_or_default());
                        // Nobody listens any more once writing has failed.
                        if sender.send(batch).is_err() {
                            break;
                        }
                    }
                });
                (receiver, empties)
            })
            .collect();
        for place in 0..batches.len() {
            let (judged, empties) = &judges[place % count];
            let Ok(batch) = judged.recv() else {
                // The thread has panicked, and the scope will say so.
                break;
            };
            let mut batch = batch?;
            writer.append_ready(&mut batch.samples, &batch.list, &batch.summaries)?;
            batch.summaries.iter().for_each(|(summary, _)| note(summary));
            batch.unreadable.iter().for_each(|error| damage.note(error));
            // The thread may have come to its end.
            let _ = empties.send(batch);
        }
        source.losses(log.is_own()).for_each(|error| damage.note(&error));
        Ok(damage)
    })
}

/// Samples made ready for the new log. Once they are written it goes back to be filled again,
/// since several megabytes of fresh memory for each would cost as much as the judging.
#[derive(Default)]
struct RescoredBatch {
    samples: Ready,
    /// The list of their summaries, packed.
    list: Member,
    /// The summaries, each with whether its sample has an error.
    summaries: Vec<(TrialSummary, bool)>,
    /// What was wrong with the samples that could not be read.
    unreadable: Vec<LogError>,
}

/// What one thread judges with.
struct RescoreWorker<'a, J> {
    source: &'a LogSource,
    window: FileWindow<'a>,
    unpacker: Unpacker,
    reader: TrialReader,
    samples: SampleWriter,
    list: MemberBuilder,
    judge: &'a J,
}

impl<'a, J: Fn(&Trial) -> IndexMap<String, Outcome>> RescoreWorker<'a, J> {
    fn new(source: &'a LogSource, samples: SampleWriter, judge: &'a J) -> Self {
        Self {
            source,
            window: FileWindow::new(&*source.file),
            unpacker: Unpacker::new(),
            reader: TrialReader::new(),
            samples,
            list: MemberBuilder::new(),
            judge,
        }
    }

    fn judge_batch(
        &mut self,
        samples: &[(&str, &MemberEntry)],
        mut batch: RescoredBatch,
    ) -> Result<RescoredBatch, LogError> {
        batch.samples.clear();
        batch.summaries.clear();
        batch.unreadable.clear();
        begin_list(&mut self.list);
        for (name, entry) in samples {
            let judged = self.judge_sample(name, entry, &mut batch.samples);
            let (mut trial, particulars) = match judged {
                Ok(judged) => judged,
                Err(error) if error.is_damage() => {
                    batch.unreadable.push(error);
                    continue;
                }
                Err(error) => return Err(error),
            };
            let summary = TrialSummary::taking(&mut trial);
            list_summary(self.list.text(), &self.samples, &trial, &summary, &particulars);
            batch.summaries.push((summary, particulars.error.is_some()));
        }
        end_list(&mut self.list, &mut batch.list);
        Ok(batch)
    }

    fn judge_sample(
        &mut self,
        name: &str,
        entry: &MemberEntry,
        ready: &mut Ready,
    ) -> Result<(Trial, Particulars), LogError> {
        let io = |error| LogError::io("read", &self.source.path)(error);
        let bytes = self.window.get(entry, name.len()).map_err(io)?;
        if let Some(unchanged) = unchanged(bytes, entry)
            && let Some((mut trial, uuid)) = unjudged(&mut self.unpacker, unchanged)
        {
            self.source.check_name(name, trial.case.id.as_str(), trial.number)?;
            trial.outcomes = (self.judge)(&trial);
            // The part that holds the identifier is copied, so the new summary must repeat the same
            // one.
            let particulars = Particulars::named(uuid, &trial);
            let member = self.samples.rewrite(&trial, &particulars, unchanged);
            ready.add(name, member).map_err(io)?;
            return Ok((trial, particulars));
        }
        let mut trial = self.reader.read(self.source, name, entry)?;
        trial.outcomes = (self.judge)(&trial);
        let particulars = Particulars::of(self.samples.run(), &trial);
        let member = self.samples.write(&trial, &particulars);
        ready.add(name, member).map_err(io)?;
        Ok((trial, particulars))
    }
}

/// The parts of a sample that stay as they are, if it says what parts it has and they make it up.
fn unchanged<'a>(bytes: &'a [u8], entry: &MemberEntry) -> Option<Unchanged<'a>> {
    let mut parts = read_parts(bytes);
    let parts @ [head, judgement, story, _] =
        [parts.next()?, parts.next()?, parts.next()?, parts.next()?];
    let packed: u64 = parts.iter().map(|part| part.packed).sum();
    let size: u64 = parts.iter().map(|part| part.size).sum();
    if (packed + LAST_BLOCK.len() as u64, size) != (entry.packed, entry.size) {
        return None;
    }
    let piece = |start: usize, part: MemberPart| {
        Some((bytes.get(start..start + usize::try_from(part.packed).ok()?)?, part))
    };
    let start = local_length(bytes)?;
    let after = start + usize::try_from(head.packed + judgement.packed).ok()?;
    Some(Unchanged { head: piece(start, head)?, story: piece(after, story)? })
}

/// The trial in a sample, without what scorers said of it, and the sample's name. Whatever is
/// wrong is for the ordinary reader to tell.
fn unjudged(unpacker: &mut Unpacker, unchanged: Unchanged<'_>) -> Option<(Trial, String)> {
    let (packed, part) = unchanged.head;
    let text = unpacker.part(packed, part).ok()?;
    text.extend_from_slice(HEAD_END);
    if let Some(found) = read_unjudged(readable(text)).ok()? {
        return Some(found);
    }
    // What was said in several turns stands further behind.
    // The last bracket would close the sample; without it the third part continues the object.
    let mut whole = text[..text.len() - 1].to_vec();
    let (packed, part) = unchanged.story;
    whole.extend_from_slice(unpacker.part(packed, part).ok()?);
    read_unjudged(readable(&whole)).ok()?
}
