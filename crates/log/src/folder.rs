//! Lists the logs of a folder, reading no more of each than its head.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use toolgauge_core::Run;

use crate::archive::{Unpacker, first_entry, open_regular, read_directory};
use crate::inspect::{Header, plain_json, read_header};
use crate::source::{HEADER, HEADER_LIMIT, LogSource, START};
use crate::{HeaderFigure, LogError, RunStatus};

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
    let io = || LogError::io("list", folder);
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(io())? {
        let path = entry.map_err(io())?.path();
        if is_log(&path) {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths.into_iter().map(|path| read_entry(&path)))
}

/// Whether a file is a log by its name.
pub fn is_log(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "eval")
}

/// What a list would say about one log.
pub fn read_entry(path: &Path) -> Result<LogEntry, LogError> {
    let io = || LogError::io("read", path);
    let file = open_regular(path).map_err(io())?;
    let bytes = file.metadata().map_err(io())?.len();
    let header = match read_directory(&file, bytes).map_err(io())? {
        Some(found) => LogSource::closed(path, file, found).header()?,
        None => first_header(path, &file, bytes)?,
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
fn first_header(path: &Path, file: &File, bytes: u64) -> Result<Header, LogError> {
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
    let mut header = read_header(&plain_json(text)).map_err(LogError::json(path, &record.name))?;
    // Without a directory the run goes on or was killed, whatever an old header in the file says.
    header.status = None;
    Ok(header)
}
