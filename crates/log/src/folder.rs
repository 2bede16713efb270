//! Lists the logs of a folder, reading no more of each than its head.

use std::fs;
use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use toolgauge_core::Run;

use crate::archive::{ReadAt, Unpacker, first_entry, open_log, read_directory};
use crate::inspect::{Header, plain_json, read_header};
use crate::source::{HEADER, HEADER_LIMIT, LogSource, START};
use crate::stores;
use crate::{HeaderFigure, LogError, RunStatus};

/// How many logs of a store are asked for at once.
const AT_ONCE: NonZeroUsize = NonZeroUsize::new(32).expect("32 is not 0");

/// What a list says about a log.
#[derive(Clone, Debug)]
pub struct LogEntry {
    /// Where it is.
    pub path: PathBuf,
    /// How large it is, in bytes.
    pub bytes: u64,
    /// The run, as the header describes it.
    pub run: Run,
    /// Whether toolgauge wrote it.
    pub own: bool,
    /// How the run ended; `None` if it never did.
    pub status: Option<RunStatus>,
    /// The figures in the header.
    pub figures: Vec<HeaderFigure>,
    /// How many trials ended without an error, if the header says so.
    pub completed: Option<usize>,
}

/// The logs of a folder, by name. One that cannot be read is an error in its place.
pub fn list(folder: &Path) -> Result<impl Iterator<Item = Result<LogEntry, LogError>>, LogError> {
    let paths = log_paths(folder).map_err(LogError::io("list", folder))?;
    Ok(read_entries(paths))
}

/// The logs of a folder or of a place in a store, by name.
pub fn log_paths(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    if stores::is_address(folder) {
        paths.extend(stores::stored_logs(folder)?.into_iter().map(|log| log.path));
    } else {
        for entry in fs::read_dir(folder)? {
            paths.push(entry?.path());
        }
    }
    paths.retain(|path| is_log(path));
    paths.sort();
    Ok(paths)
}

/// What a list would say about each of these logs, in their order. Those in a store are asked for
/// several at a time, since each answer is waited for.
pub fn read_entries(paths: Vec<PathBuf>) -> impl Iterator<Item = Result<LogEntry, LogError>> {
    let stored = paths.iter().any(|path| stores::is_address(path));
    let at_once = if stored { AT_ONCE } else { NonZeroUsize::MIN };
    let mut paths = paths.into_iter().peekable();
    std::iter::from_fn(move || {
        paths.peek()?;
        let batch: Vec<PathBuf> = paths.by_ref().take(at_once.get()).collect();
        Some(read_batch(&batch))
    })
    .flatten()
}

/// Reads the heads of a few logs, each on a thread of its own.
fn read_batch(batch: &[PathBuf]) -> Vec<Result<LogEntry, LogError>> {
    if let [one] = batch {
        return vec![read_entry(one)];
    }
    let lost = |path: &Path| LogError::io("read", path)(io::ErrorKind::Interrupted.into());
    thread::scope(|scope| {
        let threads: Vec<_> =
            batch.iter().map(|path| (path, scope.spawn(|| read_entry(path)))).collect();
        let read = threads
            .into_iter()
            .map(|(path, thread)| thread.join().unwrap_or_else(|_| Err(lost(path))));
        read.collect()
    })
}

/// Whether a file is a log by its name.
pub fn is_log(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "eval")
}

/// What a list would say about one log.
pub fn read_entry(path: &Path) -> Result<LogEntry, LogError> {
    let io = || LogError::io("read", path);
    let file = open_log(path).map_err(io())?;
    let bytes = file.size().map_err(io())?;
    let header = match read_directory(&*file, bytes).map_err(io())? {
        Some(found) => LogSource::closed(path, file, found).header()?,
        None => first_header(path, &*file, bytes)?,
    };
    Ok(LogEntry {
        path: path.to_owned(),
        bytes,
        run: Arc::unwrap_or_clone(header.run),
        own: header.own,
        status: header.status,
        figures: header.figures,
        completed: header.completed,
    })
}

/// The head of a log without a directory: its first member, or else what a scan finds.
fn first_header(path: &Path, file: &dyn ReadAt, bytes: u64) -> Result<Header, LogError> {
    let first = first_entry(file, bytes, HEADER_LIMIT).map_err(LogError::io("read", path))?;
    let Some(record) = first.filter(|record| &*record.name == START || &*record.name == HEADER)
    else {
        return LogSource::open(path)?.header();
    };
    let mut unpacker = Unpacker::new();
    let text = unpacker.whole(file, &record.entry, HEADER_LIMIT).map_err(|error| {
        let (path, member) = (path.to_owned(), record.name.to_string());
        LogError::Damaged { path, member, why: error.to_string() }
    })?;
    let header = plain_json(text).and_then(|text| read_header(&text));
    let mut header = header.map_err(LogError::json(path, &record.name))?;
    // Without a directory the run goes on or was killed, whatever an old header in the file says.
    header.status = None;
    Ok(header)
}
