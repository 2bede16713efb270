//! Reads all trials of a log on several processors.

use std::num::NonZeroUsize;
use std::sync::mpsc;
use std::thread;

use crate::archive::MemberEntry;
use crate::source::TrialReader;
use crate::{Log, LogError, TrialRecord};

/// The most threads that read.
const MOST_THREADS: usize = 16;

impl Log {
    /// How many trials are read at once by [`Self::gather`].
    pub const AT_ONCE: usize = 1024;

    /// Reads what tables show of every trial, once and on all processors, and makes something of
    /// each [`Self::AT_ONCE`] of them: `make` begins it, `add` adds a trial or says why one cannot
    /// be read, and `take` gets it, in the order of the file. The first error of `take` ends the
    /// reading.
    pub fn gather<T: Send, E>(
        &self,
        make: impl Fn() -> T + Sync,
        add: impl Fn(&mut T, Result<TrialRecord<'_>, LogError>) + Sync,
        mut take: impl FnMut(T) -> Result<(), E>,
    ) -> Result<(), E> {
        let source = self.source();
        let samples: Vec<(&str, &MemberEntry)> = source.samples().collect();
        let chunks: Vec<&[(&str, &MemberEntry)]> = samples.chunks(Self::AT_ONCE).collect();
        let processors = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let count = chunks.len().min(processors).clamp(1, MOST_THREADS);
        let (chunks, make, add) = (&chunks, &make, &add);
        thread::scope(|scope| {
            let readers: Vec<_> = (0..count)
                .map(|first| {
                    // What a thread has ready waits for `take`, so that memory stays bounded.
                    let (sender, receiver) = mpsc::sync_channel(0);
                    scope.spawn(move || {
                        let mut reader = TrialReader::without_bodies();
                        for chunk in chunks.iter().skip(first).step_by(count) {
                            let mut made = make();
                            for (name, entry) in *chunk {
                                let take = |trial: TrialRecord<'_>| add(&mut made, Ok(trial));
                                if let Err(error) = reader.read_record(source, name, entry, take) {
                                    add(&mut made, Err(error));
                                }
                            }
                            // Nobody listens any more once taking has failed.
                            if sender.send(made).is_err() {
                                break;
                            }
                        }
                    });
                    receiver
                })
                .collect();
            for place in 0..chunks.len() {
                // Chunks were dealt out in turn, so asking the threads in turn gives the order of
                // the file. A thread that is gone has panicked, and the scope will say so.
                let Ok(made) = readers[place % count].recv() else { break };
                take(made)?;
            }
            let mut lost = source.losses(self.is_own()).peekable();
            if lost.peek().is_none() {
                return Ok(());
            }
            let mut made = make();
            lost.for_each(|error| add(&mut made, Err(error)));
            take(made)
        })
    }
}
