//! Partial credit for a results file of tau-bench: read, score, add up, write, each on a thread of
//! its own.
//!
//! Reading checks every byte, scoring builds and compares values, and writing is mostly the
//! system's work; a large file keeps all three busy. What passes between them is bounded, comes
//! in the order of the file, and is used again, so that memory does not grow with the file.

use std::io::{self, IoSlice, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread::{self, JoinHandle};

use toolgauge_core::{ArgumentRules, Cause, Loss, Score};
use toolgauge_import::tau::{
    Additions, Batch, BatchPart, Edits, KnownActions, TauError, TauEvidence, TauReader, TauTask,
};
use toolgauge_log::OutputFile;
use toolgauge_report::partial::{PartialReport, PartialTally, ScoredTask};
use toolgauge_score::PartialScorer;

/// How many batches may wait for the next thread.
const WAITING: usize = 2;

/// Why the copy could not be made, before it is known which file is to blame.
#[derive(Debug, thiserror::Error)]
pub enum PartialCreditError {
    /// The results cannot be read.
    #[error(transparent)]
    Results(#[from] TauError),
    /// The copy cannot be written.
    #[error(transparent)]
    Write(#[from] io::Error),
    /// Somebody asked for it to stop.
    #[error("stopped")]
    Stopped,
}

/// What the worker and those who watch it tell each other.
#[derive(Debug, Default)]
pub struct WorkProgress {
    /// How many bytes of the results are done.
    pub bytes: AtomicU64,
    /// Whether the worker should stop.
    pub stop: AtomicBool,
}

/// All that is needed to copy a results file with partial scores.
pub struct PartialCreditWork {
    source: Box<dyn Read + Send>,
    output: OutputFile,
    losses: bool,
    progress: Arc<WorkProgress>,
}

impl PartialCreditWork {
    /// The results to read, where the copy goes, and whether losses go into it.
    pub fn new(source: Box<dyn Read + Send>, output: OutputFile, losses: bool) -> Self {
        Self { source, output, losses, progress: Arc::default() }
    }

    /// How far it is, for whoever watches.
    pub fn progress(&self) -> Arc<WorkProgress> {
        Arc::clone(&self.progress)
    }

    /// Does the work; on failure, nothing is left of the copy.
    pub fn run(self) -> Result<PartialReport, PartialCreditError> {
        let reader = ReadAhead::start(self.source);
        let mut writer = WriteBehind::start(self.output, reader.used.clone());
        let mut scoring = Scoring { losses: self.losses, ..Scoring::default() };
        while let Some(batch) = reader.next() {
            let batch = batch?;
            let mut edits = writer.edits();
            for part in batch.parts() {
                if let BatchPart::Task(task) = part {
                    scoring.take(&task, &mut edits);
                }
            }
            self.progress.bytes.fetch_add(batch.length() as u64, Ordering::Relaxed);
            if self.progress.stop.load(Ordering::Relaxed) {
                return Err(PartialCreditError::Stopped);
            }
            if !writer.write(batch, edits) {
                break;
            }
        }
        // A file of something else gets no copy: scores of 0 would be taken for a finding.
        if scoring.objects > 0 && !scoring.has_tasks {
            return Err(TauError::NoTasks { objects: scoring.objects }.into());
        }
        writer.finish()?;
        Ok(scoring.tally.finish())
    }
}

/// Scores the tasks, one after the other.
#[derive(Default)]
struct Scoring {
    /// Whether the losses go into the copy.
    losses: bool,
    tally: PartialTally,
    known: KnownActions,
    /// How many objects the list holds.
    objects: u64,
    /// Whether some of them look like tasks.
    has_tasks: bool,
}

impl Scoring {
    /// Scores one task, adds it to the tally and notes what its copy changes.
    fn take(&mut self, task: &TauTask<'_>, edits: &mut Edits) {
        self.objects += 1;
        self.has_tasks |= task.looks_like_one();
        let trial = task.trial_with(&mut self.known);
        let score = match &trial.evidence {
            TauEvidence::Calls { expected, made } => {
                PartialScorer::tau().score(expected, &ArgumentRules::default(), made)
            }
            TauEvidence::Failed | TauEvidence::NoActions | TauEvidence::NoTrajectory => Score {
                value: 0.0,
                losses: vec![Loss::new(Cause::BrokenTrial, 1.0)],
                ..Score::default()
            },
        };
        self.tally.add(&ScoredTask { index: task.index, trial: &trial, score: &score });
        let losses = self.losses.then_some(score.losses.as_slice());
        task.add(&Additions { score: score.value, losses }, edits);
    }
}

/// Reads batches on a thread of its own.
struct ReadAhead {
    batches: Receiver<Result<Batch, TauError>>,
    used: Sender<Batch>,
}

impl ReadAhead {
    fn start(source: Box<dyn Read + Send>) -> Self {
        let (send, batches) = sync_channel(WAITING);
        let (used, spare) = channel::<Batch>();
        // The thread ends with its source, or when nobody takes its batches any more.
        thread::spawn(move || {
            let mut reader = TauReader::new(source);
            loop {
                let mut batch = spare.try_recv().unwrap_or_default();
                let result = match reader.read(&mut batch) {
                    Ok(true) => Ok(batch),
                    Ok(false) => return,
                    Err(error) => Err(error),
                };
                let last = result.is_err();
                if send.send(result).is_err() || last {
                    return;
                }
            }
        });
        Self { batches, used }
    }

    fn next(&self) -> Option<Result<Batch, TauError>> {
        self.batches.recv().ok()
    }
}

/// Writes batches on a thread of its own. Dropped before it is finished, it leaves nothing of
/// the copy behind.
struct WriteBehind {
    batches: Option<SyncSender<(Batch, Edits)>>,
    spare: Receiver<Edits>,
    thread: Option<JoinHandle<io::Result<OutputFile>>>,
}

impl WriteBehind {
    /// Starts with nothing written; batches that are written go to `used`.
    fn start(mut output: OutputFile, used: Sender<Batch>) -> Self {
        let (batches, receive) = sync_channel::<(Batch, Edits)>(WAITING);
        let (used_edits, spare) = channel();
        let thread = thread::spawn(move || {
            for (batch, mut edits) in receive {
                write_pieces(&mut output, &batch.pieces(&edits))?;
                edits.clear();
                // At the end of the file nobody needs them any more.
                let _ = used.send(batch);
                let _ = used_edits.send(edits);
            }
            Ok(output)
        });
        Self { batches: Some(batches), spare, thread: Some(thread) }
    }

    /// Edits to fill, still none.
    fn edits(&self) -> Edits {
        self.spare.try_recv().unwrap_or_default()
    }

    /// Passes on a batch; gives `false` when writing has failed, which finishing explains.
    fn write(&mut self, batch: Batch, edits: Edits) -> bool {
        self.batches.as_ref().is_some_and(|batches| batches.send((batch, edits)).is_ok())
    }

    /// Waits for the last batch and puts the copy in its place.
    fn finish(mut self) -> io::Result<()> {
        match self.join() {
            Some(output) => output?.finish(),
            None => Ok(()),
        }
    }

    fn join(&mut self) -> Option<io::Result<OutputFile>> {
        self.batches = None;
        let joined = self.thread.take()?.join();
        Some(joined.unwrap_or_else(|_| Err(io::Error::other("the writing thread panicked"))))
    }
}

impl Drop for WriteBehind {
    fn drop(&mut self) {
        // The output must be gone before anybody is told of the failure.
        drop(self.join());
    }
}

/// Writes all pieces, one after the other, with few calls of the system; none may be empty.
fn write_pieces(output: &mut impl Write, pieces: &[&[u8]]) -> io::Result<()> {
    let mut slices: Vec<IoSlice<'_>> = pieces.iter().map(|piece| IoSlice::new(piece)).collect();
    let mut left = slices.as_mut_slice();
    while !left.is_empty() {
        match output.write_vectored(left) {
            Ok(0) => return Err(io::Error::from(io::ErrorKind::WriteZero)),
            Ok(count) => IoSlice::advance_slices(&mut left, count),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
