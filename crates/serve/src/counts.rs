//! What a server did, counted.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use super::plan::Fault;

/// What a server did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServedCounts {
    /// How many requests for completions came in.
    pub requests: u64,
    /// How many of them were answered as the subject would have them.
    pub answered: u64,
    /// How many the subject itself failed.
    pub refused: u64,
    /// How many met a fault of the plan, by its name.
    pub faults: BTreeMap<&'static str, u64>,
}

impl fmt::Display for ServedCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { requests, answered, refused, faults } = self;
        let plural = if *requests == 1 { "" } else { "s" };
        write!(f, "{requests} request{plural}, {answered} answered")?;
        if *refused > 0 {
            write!(f, ", {refused} refused")?;
        }
        for (name, count) in faults {
            write!(f, ", {count} {name}")?;
        }
        Ok(())
    }
}

/// A counts that many connections keep at once.
#[derive(Debug, Default)]
pub(super) struct Counters {
    requests: AtomicU64,
    answered: AtomicU64,
    refused: AtomicU64,
    faults: Mutex<BTreeMap<&'static str, u64>>,
}

impl Counters {
    /// Counts a request and says how many came before it.
    pub(super) fn request(&self) -> u64 {
        self.requests.fetch_add(1, Ordering::Relaxed)
    }

    pub(super) fn answered(&self) {
        self.answered.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn refused(&self) {
        self.refused.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn fault(&self, fault: Fault) {
        let mut faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
        *faults.entry(fault.name()).or_default() += 1;
    }

    pub(super) fn counts(&self) -> ServedCounts {
        ServedCounts {
            requests: self.requests.load(Ordering::Relaxed),
            answered: self.answered.load(Ordering::Relaxed),
            refused: self.refused.load(Ordering::Relaxed),
            faults: self.faults.lock().unwrap_or_else(PoisonError::into_inner).clone(),
        }
    }
}
