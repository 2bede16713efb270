//! The logs that are open: read in the background, kept within a bound, read again when they
//! grow.

mod opened;
mod progress;

pub(crate) use opened::{LogTerms, OpenedLog};
pub(crate) use progress::LoadProgress;

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use indexmap::IndexMap;
use tokio::sync::watch;
use toolgauge_log::MergeError;
use toolgauge_report::Thresholds;

use crate::brief::{BriefCache, LogBrief};
use crate::log_folder::{FileStamp, LogFile, LogFolder};

/// How long a page waits for a log before it says that the log is being read.
pub(crate) const PATIENCE: Duration = Duration::from_millis(60);
/// How many bytes of columns and directories are kept.
const MOST_BYTES: usize = 120 << 20;
/// From this size on, logs are read one after another, so that memory stays bounded.
const HEAVY: u64 = 64 << 20;

/// How many logs of a store are read at once for the table of runs.
const STORED_AT_ONCE: usize = 8;

/// What came of asking for a log.
#[derive(Clone, Debug)]
pub(crate) enum Lookup {
    /// Here it is; perhaps as it was a moment ago.
    Ready(Arc<OpenedLog>),
    /// It is being read.
    Building(Arc<LoadProgress>),
    /// It cannot be read.
    Failed(String),
    /// There is no such log.
    Missing,
}

/// A line of the table of runs.
#[derive(Clone, Debug)]
pub(crate) struct ListedLog {
    /// The log's name.
    pub(crate) name: String,
    /// What it says, once that is known, or why it says nothing.
    pub(crate) brief: Option<Result<Arc<LogBrief>, String>>,
}

/// The logs of a folder.
#[derive(Debug)]
pub(crate) struct Library {
    logs: LogFolder,
    cache: Option<BriefCache>,
    state: Mutex<LibraryState>,
    changed: watch::Sender<u64>,
    heavy: Mutex<()>,
    terms: LogTerms,
}

#[derive(Debug, Default)]
struct LibraryState {
    /// The open logs, the one asked for last at the end.
    opened: IndexMap<String, Arc<OpenedLog>>,
    briefs: BTreeMap<String, (FileStamp, Arc<LogBrief>)>,
    failed: BTreeMap<String, (FileStamp, String)>,
    building: BTreeMap<String, Arc<LoadProgress>>,
    /// Logs whose brief is wanted and that nobody waits for.
    wanted: BTreeSet<String>,
    /// How many threads work on them.
    working: usize,
}

impl Library {
    /// The logs of a folder; briefs are kept in `cache` if there is one.
    pub(crate) fn new(logs: LogFolder, cache: Option<PathBuf>, terms: LogTerms) -> Self {
        Self {
            logs,
            cache: cache.map(BriefCache::new),
            state: Mutex::default(),
            changed: watch::Sender::new(0),
            heavy: Mutex::default(),
            terms,
        }
    }

    /// What graded questions are held to.
    pub(crate) fn graded(&self) -> Thresholds {
        self.terms.graded
    }

    /// The folder.
    pub(crate) fn logs(&self) -> &LogFolder {
        &self.logs
    }

    /// A log. Waits a moment if it has to be read first.
    pub(crate) async fn open(self: &Arc<Self>, name: &str) -> Lookup {
        self.open_within(name, PATIENCE).await
    }

    /// A log, for which `patience` is waited.
    pub(crate) async fn open_within(self: &Arc<Self>, name: &str, patience: Duration) -> Lookup {
        let Some(file) = self.logs.find(name) else { return Lookup::Missing };
        let mut changed = self.changed.subscribe();
        let deadline = tokio::time::Instant::now() + patience;
        loop {
            let found = self.look(name, &file);
            if !matches!(found, Lookup::Building(_))
                || tokio::time::timeout_at(deadline, changed.changed()).await.is_err()
            {
                return found;
            }
        }
    }

    /// What is there of a log now; starts reading it if that is needed.
    fn look(self: &Arc<Self>, name: &str, file: &LogFile) -> Lookup {
        let mut state = self.lock();
        if let Some(at) = state.opened.get_index_of(name) {
            let last = state.opened.len() - 1;
            state.opened.move_index(at, last);
            let opened = state.opened[last].clone();
            if opened.stamp != file.stamp && opened.may_be_read_again() {
                self.start(&mut state, name, file);
            }
            return Lookup::Ready(opened);
        }
        if let Some((_, why)) = state.failed.get(name).filter(|(at, _)| *at == file.stamp) {
            return Lookup::Failed(why.clone());
        }
        Lookup::Building(self.start(&mut state, name, file))
    }

    /// Starts to read a log, unless that is going on already.
    fn start(
        self: &Arc<Self>,
        state: &mut LibraryState,
        name: &str,
        file: &LogFile,
    ) -> Arc<LoadProgress> {
        if let Some(progress) = state.building.get(name) {
            return progress.clone();
        }
        let progress = Arc::new(LoadProgress::new());
        state.building.insert(name.to_owned(), progress.clone());
        let (library, name, file) = (self.clone(), name.to_owned(), file.clone());
        let shared = progress.clone();
        thread::spawn(move || library.build(&name, &file, &shared));
        progress
    }

    /// Reads a log and takes it in.
    fn build(&self, name: &str, file: &LogFile, progress: &LoadProgress) {
        let alone = (file.stamp.bytes >= HEAVY).then(|| self.one_at_a_time());
        let read = catch_unwind(AssertUnwindSafe(|| self.read(name, file, progress)));
        drop(alone);
        let mut state = self.lock();
        state.building.remove(name);
        match read {
            Ok(Ok(opened)) => {
                self.learn(&mut state, name, file, opened.brief.clone());
                state.take_in(name, opened);
            }
            Ok(Err(error)) => {
                let why = error_chain(&error);
                state.opened.shift_remove(name);
                state.failed.insert(name.to_owned(), (file.stamp, why));
            }
            Err(_) => {
                let why = "reading it failed; that is a defect worth reporting".to_owned();
                state.failed.insert(name.to_owned(), (file.stamp, why));
            }
        }
        drop(state);
        self.changed.send_modify(|count| *count += 1);
    }

    /// Reads a log only for its brief and does not keep it open. Whether that was possible.
    fn skim(&self, name: &str, file: &LogFile) -> bool {
        let alone = self.one_at_a_time();
        let read = catch_unwind(AssertUnwindSafe(|| LogBrief::read(file)));
        drop(alone);
        let Ok(Ok(Some(brief))) = read else { return false };
        let mut state = self.lock();
        state.building.remove(name);
        self.learn(&mut state, name, file, Arc::new(brief));
        drop(state);
        self.changed.send_modify(|count| *count += 1);
        true
    }

    /// Keeps what the table of runs says of a log.
    fn learn(&self, state: &mut LibraryState, name: &str, file: &LogFile, brief: Arc<LogBrief>) {
        if let Some(cache) = self.cache.as_ref().filter(|_| !brief.is_unfinished()) {
            cache.write(&file.path, file.stamp, &brief);
        }
        state.failed.remove(name);
        state.briefs.insert(name.to_owned(), (file.stamp, brief));
    }

    /// Reads a log, and of one that has grown only what is new.
    fn read(
        &self,
        name: &str,
        file: &LogFile,
        progress: &LoadProgress,
    ) -> Result<OpenedLog, MergeError> {
        let Some(before) = self.at_hand(name) else {
            return OpenedLog::read(name, file, &self.terms, progress);
        };
        let began = Instant::now();
        let opened = match before.read_on(file) {
            Ok(Some(grown)) => grown,
            _ => OpenedLog::read(name, file, &self.terms, progress)?,
        };
        Ok(opened.rested(since(began)))
    }

    /// Every log, with what is known of it after a moment.
    pub(crate) async fn list(self: &Arc<Self>) -> Vec<ListedLog> {
        let mut changed = self.changed.subscribe();
        let deadline = tokio::time::Instant::now() + PATIENCE;
        loop {
            let listed = self.list_now();
            if listed.iter().all(|log| log.brief.is_some())
                || tokio::time::timeout_at(deadline, changed.changed()).await.is_err()
            {
                return listed;
            }
        }
    }

    /// Every log, with what is known of it now.
    pub(crate) fn list_now(self: &Arc<Self>) -> Vec<ListedLog> {
        let files = self.logs.files();
        let mut state = self.lock();
        let listed = files.iter().map(|(name, file)| {
            let brief = self.known(&mut state, name, file);
            ListedLog { name: name.clone(), brief }
        });
        let mut listed: Vec<ListedLog> = listed.collect();
        leave_out_merged(&mut listed, &files);
        // Files are read one after another. A store is waited for, so that several are asked for.
        let at_once = if self.logs.is_stored() { STORED_AT_ONCE } else { 1 };
        for _ in state.working..state.wanted.len().min(at_once) {
            state.working += 1;
            let library = self.clone();
            thread::spawn(move || library.work());
        }
        listed
    }

    /// What is known of a log. What is not known, or not any longer, is asked for.
    fn known(
        &self,
        state: &mut LibraryState,
        name: &str,
        file: &LogFile,
    ) -> Option<Result<Arc<LogBrief>, String>> {
        if let Some((_, why)) = state.failed.get(name).filter(|(at, _)| *at == file.stamp) {
            return Some(Err(why.clone()));
        }
        let known = state.briefs.get(name).cloned();
        if let Some((_, brief)) = known.as_ref().filter(|(stamp, _)| *stamp == file.stamp) {
            return Some(Ok(brief.clone()));
        }
        if let Some(brief) =
            self.cache.as_ref().and_then(|cache| cache.read(&file.path, file.stamp))
        {
            let brief = Arc::new(brief);
            state.briefs.insert(name.to_owned(), (file.stamp, brief.clone()));
            return Some(Ok(brief));
        }
        state.wanted.insert(name.to_owned());
        known.map(|(_, brief)| Ok(brief))
    }

    /// Reads what is wanted, one log after another.
    fn work(self: &Arc<Self>) {
        loop {
            let mut state = self.lock();
            let Some(name) = state.wanted.pop_first() else {
                state.working -= 1;
                return;
            };
            let fresh = state.opened.get(&name).is_some_and(|log| !log.may_be_read_again());
            if fresh || state.building.contains_key(&name) {
                continue;
            }
            let progress = Arc::new(LoadProgress::new());
            state.building.insert(name.clone(), progress.clone());
            let others_open = !state.opened.is_empty() && !state.opened.contains_key(&name);
            drop(state);
            let Some(file) = self.logs.find(&name) else {
                self.lock().building.remove(&name);
                continue;
            };
            // A large log that nobody looks at must not take the room of those that are open.
            let aside = file.stamp.bytes >= HEAVY && others_open;
            if !(aside && self.skim(&name, &file)) {
                self.build(&name, &file, &progress);
            }
        }
    }

    /// A log that is open already.
    pub(crate) fn at_hand(&self, name: &str) -> Option<Arc<OpenedLog>> {
        self.lock().opened.get(name).cloned()
    }

    fn lock(&self) -> MutexGuard<'_, LibraryState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has one large piece of work done at a time.
    pub(crate) fn one_at_a_time(&self) -> MutexGuard<'_, ()> {
        self.heavy.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Leaves out the shards that a log beside them was merged from: it says the same.
fn leave_out_merged(listed: &mut Vec<ListedLog>, files: &BTreeMap<String, LogFile>) {
    let brief = |log: &ListedLog| log.brief.as_ref()?.as_ref().ok().cloned();
    let in_shards = |log: &ListedLog| files.get(&log.name).is_some_and(|f| !f.shards.is_empty());
    let whole = listed.iter().filter(|log| !in_shards(log)).filter_map(brief);
    let whole: BTreeSet<(String, usize)> =
        whole.map(|brief| (brief.run.clone(), brief.trials)).collect();
    let is_merged = |log: &ListedLog| {
        brief(log).is_some_and(|brief| whole.contains(&(brief.run.clone(), brief.trials)))
    };
    listed.retain(|log| !(in_shards(log) && is_merged(log)));
}

impl LibraryState {
    /// Keeps a log, and lets go of those that were not asked for in the longest time.
    fn take_in(&mut self, name: &str, opened: OpenedLog) {
        self.opened.shift_remove(name);
        self.opened.insert(name.to_owned(), Arc::new(opened));
        let mut bytes: usize = self.opened.values().map(|log| log.bytes()).sum();
        while bytes > MOST_BYTES && self.opened.len() > 1 {
            let Some((_, oldest)) = self.opened.shift_remove_index(0) else { break };
            bytes -= oldest.bytes();
        }
    }
}

/// An error with its causes, in a line.
pub(crate) fn error_chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    text
}

/// How long ago something happened.
fn since(then: Instant) -> Duration {
    Instant::now().saturating_duration_since(then)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn a_log_that_is_not_kept_open_has_the_same_brief() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/demo");
        let library = Library::new(LogFolder::new(&folder).unwrap(), None, LogTerms::default());
        for (name, file) in library.logs.files() {
            library.build(&name, &file, &LoadProgress::new());
            let opened = library.lock().briefs.remove(&name).unwrap();
            assert!(library.skim(&name, &file), "{name}");
            assert_eq!(library.lock().briefs.remove(&name).unwrap(), opened);
        }
    }
}
