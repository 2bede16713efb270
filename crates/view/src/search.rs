//! Finds words in everything that was said, called and answered.
//!
//! The transcripts of a large log do not fit into memory, and to read them takes long. They are
//! read once, in the background, into pieces of an index: every word of some thousand trials, and
//! the trials it is in. A search looks through the words, of which there are far fewer than text.
//! What is not read yet is not found, and the page says how far the index is.

mod piece;
mod words;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use memchr::memmem::Finder;
use tokio::sync::watch;

use crate::index::TrialRow;
use crate::library::OpenedLog;
use piece::{PIECE_ROWS, PieceBuilder, WordPiece};
use words::{split_words, trial_words};

/// How many bytes the index of one log may take. Trials behind that are found by their name and
/// their request alone.
const MOST_BYTES: usize = 48 << 20;

/// How long a page waits for an index that is nearly there.
const PATIENCE: Duration = Duration::from_millis(400);

/// How long to wait before looking again whether everything is read.
const PAUSE: Duration = Duration::from_millis(50);

/// The words of a log's transcripts, as far as they were read.
#[derive(Debug)]
pub(crate) struct TranscriptSearch {
    state: Mutex<SearchState>,
    changed: watch::Sender<u64>,
}

#[derive(Debug, Default)]
struct SearchState {
    pieces: Vec<Arc<WordPiece>>,
    /// How many trials the pieces hold, from the first row on.
    rows: usize,
    bytes: usize,
    is_working: bool,
}

impl Default for TranscriptSearch {
    fn default() -> Self {
        Self { state: Mutex::default(), changed: watch::Sender::new(0) }
    }
}

impl TranscriptSearch {
    /// Reads on in the background, unless that is going on or everything is read.
    pub(crate) fn start(opened: &Arc<OpenedLog>) {
        let search = &opened.search;
        let mut state = search.lock();
        if state.is_working || state.is_done(opened.index.len()) {
            return;
        }
        state.is_working = true;
        drop(state);
        let opened = opened.clone();
        thread::spawn(move || {
            let working = StopsWorking(&opened.search);
            while opened.search.read_a_piece(&opened) {}
            drop(working);
        });
    }

    /// Starts to read and waits a moment for the end.
    pub(crate) async fn wait(opened: &Arc<OpenedLog>) {
        Self::start(opened);
        let mut changed = opened.search.changed.subscribe();
        let deadline = tokio::time::Instant::now() + PATIENCE;
        while opened.search.lock().is_working {
            if tokio::time::timeout_at(deadline, changed.changed()).await.is_err() {
                return;
            }
        }
    }

    /// Reads everything, on a thread that may wait: what is kept as a file must be whole.
    pub(crate) fn finish(opened: &Arc<OpenedLog>) {
        Self::start(opened);
        while opened.search.lock().is_working {
            thread::sleep(PAUSE);
        }
    }

    /// How many of so many trials are read, unless all are.
    pub(crate) fn progress(&self, all: usize) -> Option<SearchProgress> {
        let state = self.lock();
        let (read, is_full) = (state.rows, state.bytes >= MOST_BYTES);
        (read < all).then_some(SearchProgress { read, is_full })
    }

    /// How many bytes it takes, about.
    pub(crate) fn bytes(&self) -> usize {
        self.lock().bytes
    }

    /// Which of so many trials hold a word, or all words that it consists of. `None` if it has
    /// nothing to look for.
    pub(crate) fn rows_with(&self, word: &str, all: usize) -> Option<Vec<bool>> {
        let pieces = self.lock().pieces.clone();
        let mut found: Option<Vec<bool>> = None;
        split_words(word, |part| {
            let finder = Finder::new(part);
            let mut rows = vec![false; all];
            for piece in &pieces {
                piece.mark(&finder, &mut rows);
            }
            match &mut found {
                None => found = Some(rows),
                Some(before) => before.iter_mut().zip(rows).for_each(|(one, other)| *one &= other),
            }
        });
        found
    }

    /// Reads the next trials; whether more may follow.
    fn read_a_piece(&self, opened: &OpenedLog) -> bool {
        let first = {
            let state = self.lock();
            if state.is_done(opened.index.len()) {
                return false;
            }
            state.rows
        };
        let end = opened.index.len().min(first + PIECE_ROWS);
        let mut builder = PieceBuilder::default();
        for row in first..end {
            // A trial that cannot be read has no words; its page says why.
            if let Ok(trial) = opened.trial(TrialRow::try_from(row).unwrap_or(TrialRow::MAX)) {
                trial_words(&trial, |word| builder.add(row - first, word));
            }
        }
        let piece = builder.finish(first);
        let mut state = self.lock();
        state.rows = end;
        state.bytes += piece.bytes();
        state.pieces.push(Arc::new(piece));
        drop(state);
        self.changed.send_modify(|count| *count += 1);
        true
    }

    fn lock(&self) -> MutexGuard<'_, SearchState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SearchState {
    fn is_done(&self, all: usize) -> bool {
        self.rows >= all || self.bytes >= MOST_BYTES
    }
}

/// How far the index is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SearchProgress {
    /// So many trials are read.
    pub(crate) read: usize,
    /// Whether no more will be.
    pub(crate) is_full: bool,
}

/// Says that nobody reads any more, also when reading panicked.
struct StopsWorking<'a>(&'a TranscriptSearch);

impl Drop for StopsWorking<'_> {
    fn drop(&mut self) {
        self.0.lock().is_working = false;
        self.0.changed.send_modify(|count| *count += 1);
    }
}
