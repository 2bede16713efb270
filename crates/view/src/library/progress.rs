//! How far the reading of a log has come.

use std::sync::atomic::{AtomicUsize, Ordering};

/// How far a long piece of work has come.
#[derive(Debug, Default)]
pub(crate) struct LoadProgress {
    done: AtomicUsize,
    total: AtomicUsize,
}

impl LoadProgress {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// So much more is to be done.
    pub(crate) fn expect(&self, more: usize) {
        self.total.fetch_add(more, Ordering::Relaxed);
    }

    /// One more is done.
    pub(crate) fn advance(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    /// How much is done, of how much; nothing is known before the work has begun.
    pub(crate) fn read(&self) -> Option<(usize, usize)> {
        let total = self.total.load(Ordering::Relaxed);
        (total > 0).then(|| (self.done.load(Ordering::Relaxed).min(total), total))
    }
}
