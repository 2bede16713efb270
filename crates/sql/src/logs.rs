//! The logs that queries are about.

use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use toolgauge_core::Run;
use toolgauge_log::{Damage, Log, LogError, read_entry};
use toolgauge_tables::{Grading, LogFacts};

/// How a log is opened, when a query needs more of it than its head.
type Opener = Box<dyn Fn() -> Result<Log, LogError> + Send + Sync>;

/// A log, of which only the head was read so far.
pub struct QueriedLog {
    pub(crate) facts: LogFacts,
    open: Opener,
    damage: Mutex<(Damage, usize)>,
}

impl fmt::Debug for QueriedLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("QueriedLog").field(&self.facts.name()).finish()
    }
}

impl QueriedLog {
    /// The log in a file, by the name that rows have for it.
    pub fn of_file(
        name: impl Into<String>,
        path: &Path,
        grading: impl FnOnce(&Run) -> Grading,
    ) -> Result<Self, LogError> {
        let entry = read_entry(path)?;
        let grading = grading(&entry.run);
        let facts = LogFacts::new(name, &entry.run, entry.status.as_ref(), grading);
        let path = path.to_owned();
        Ok(Self::new(facts, move || Log::open(&path)))
    }

    /// A log whose head is known, wherever it is.
    pub fn new(
        facts: LogFacts,
        open: impl Fn() -> Result<Log, LogError> + Send + Sync + 'static,
    ) -> Self {
        Self { facts, open: Box::new(open), damage: Mutex::default() }
    }

    /// The name that rows have for it.
    pub fn name(&self) -> &str {
        self.facts.name()
    }

    /// What of it could not be read by the queries so far, beside as many trials as could.
    pub fn damage(&self) -> (Damage, usize) {
        self.damage.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn open(&self) -> Result<Log, LogError> {
        (self.open)()
    }

    /// Takes note of what was read. Several tables of a query may read the same log.
    pub(crate) fn note(&self, unreadable: &[LogError], trials: usize) {
        let mut damage = self.damage.lock().unwrap_or_else(PoisonError::into_inner);
        unreadable.iter().for_each(|error| damage.0.note(error));
        damage.1 = damage.1.max(trials);
    }
}

/// All logs that queries are about.
#[derive(Clone, Debug)]
pub struct QueriedLogs(Arc<[QueriedLog]>);

impl QueriedLogs {
    /// These logs.
    pub fn new(logs: Vec<QueriedLog>) -> Self {
        Self(logs.into())
    }

    /// The logs.
    pub fn logs(&self) -> &[QueriedLog] {
        &self.0
    }

    pub(crate) fn shared(&self) -> Arc<[QueriedLog]> {
        Arc::clone(&self.0)
    }
}
