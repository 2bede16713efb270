//! The files a command leaves: whole or not at all, and never in the place of what it reads.

mod destination;
mod unfinished;

use std::fs::{File, Metadata, OpenOptions, Permissions};
use std::io::{self, IoSlice, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use self::destination::Destination;
pub use self::unfinished::{UnfinishedFile, remove_unfinished};

/// Why an output file could not be written.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// The file is one that the command reads.
    #[error("cannot write to `{}`: it is the same file as the input `{}`", path.display(), input.display())]
    Input {
        /// Where the output should go.
        path: PathBuf,
        /// The input, as it was named.
        input: PathBuf,
    },
    /// The file holds a log, which something else would replace.
    #[error("cannot write to `{}`: it holds a log", path.display())]
    Log {
        /// Where the output should go.
        path: PathBuf,
    },
    /// The name is that of a log, and what would be written is none.
    #[error("cannot write to `{}`: only logs end in `.eval`", path.display())]
    LogName {
        /// Where the output should go.
        path: PathBuf,
    },
    /// The system refused.
    #[error("cannot write `{}`", path.display())]
    Io {
        /// Where the output should go.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// A file that is being written.
///
/// A regular file is replaced in one step when the new one is complete. Until then, and if
/// writing fails, the old one stays as it was. Links are followed. Pipes, devices and open
/// descriptors such as `/dev/stdout` are written to directly.
#[derive(Debug)]
pub struct OutputFile(Sink);

enum Sink {
    Replacing {
        temporary: NamedTempFile,
        target: PathBuf,
        exists: bool,
        unfinished: UnfinishedFile,
    },
    Direct(Box<dyn Write + Send>),
}

impl std::fmt::Debug for Sink {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Replacing { target, .. } => write!(f, "Replacing({})", target.display()),
            Self::Direct(_) => f.write_str("Direct"),
        }
    }
}

impl OutputFile {
    /// Says whether `path` may be written, without touching it. Commands that work for long ask
    /// before they begin.
    pub fn check(path: &Path, inputs: &[impl AsRef<Path>]) -> Result<(), OutputError> {
        Destination::find(path, inputs).map(drop)
    }

    /// Begins to write. `inputs` are the files the command reads.
    pub fn create(path: &Path, inputs: &[impl AsRef<Path>]) -> Result<Self, OutputError> {
        let destination = Destination::find(path, inputs)?;
        let io = |source| OutputError::Io { path: path.to_owned(), source };
        let sink = match destination {
            Destination::Stdout => Sink::Direct(Box::new(io::stdout())),
            Destination::Stderr => Sink::Direct(Box::new(io::stderr())),
            Destination::Stream(path) => {
                // A file that a shell opened for us keeps what it holds already.
                let file = OpenOptions::new().append(true).open(path).map_err(io)?;
                Sink::Direct(Box::new(file))
            }
            Destination::File(path) => replacing(path).map_err(io)?,
        };
        Ok(Self(sink))
    }

    /// Stdout, which needs no care.
    pub fn stdout() -> Self {
        Self(Sink::Direct(Box::new(io::stdout())))
    }

    /// The temporary file, if there is one, for whoever must remove it without the writer.
    pub fn temporary(&self) -> Option<&Path> {
        match &self.0 {
            Sink::Replacing { temporary, .. } => Some(temporary.path()),
            Sink::Direct(_) => None,
        }
    }

    /// Puts the file in its place. Dropped without this, nothing is left of it.
    pub fn finish(self) -> io::Result<()> {
        match self.0 {
            Sink::Replacing { temporary, target, exists, unfinished } => {
                if exists {
                    // The new bytes reach the disk before the old ones go, so that a power cut
                    // leaves one or the other.
                    temporary.as_file().sync_all()?;
                }
                temporary.persist(target).map_err(|error| error.error)?;
                unfinished.keep();
                Ok(())
            }
            Sink::Direct(mut writer) => writer.flush(),
        }
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Sink::Replacing { temporary, .. } => temporary.as_file_mut().write(bytes),
            Sink::Direct(writer) => writer.write(bytes),
        }
    }

    fn write_vectored(&mut self, pieces: &[IoSlice<'_>]) -> io::Result<usize> {
        match &mut self.0 {
            Sink::Replacing { temporary, .. } => temporary.as_file_mut().write_vectored(pieces),
            Sink::Direct(writer) => writer.write_vectored(pieces),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Sink::Replacing { temporary, .. } => temporary.as_file_mut().flush(),
            Sink::Direct(writer) => writer.flush(),
        }
    }
}

/// Writes a whole file at once, as [`OutputFile`] does.
pub fn replace_file(path: &Path, bytes: impl AsRef<[u8]>) -> Result<(), OutputError> {
    let io = |source| OutputError::Io { path: path.to_owned(), source };
    let mut file = OutputFile::create(path, &[] as &[&Path])?;
    file.write_all(bytes.as_ref()).map_err(io)?;
    file.finish().map_err(io)
}

fn replacing(target: PathBuf) -> io::Result<Sink> {
    let existing = target.metadata().ok();
    if existing.is_some() {
        // A file that may not be written to may not be replaced either.
        drop(OpenOptions::new().append(true).open(&target)?);
    }
    // In the folder of the target: a file can be renamed in one step only within its file system.
    let folder = target.parent().unwrap_or(Path::new("/"));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".toolgauge-").suffix(".tmp");
    if let Some(permissions) = usual_permissions() {
        builder.permissions(permissions);
    }
    let made = UnfinishedFile::create(|| builder.tempfile_in(folder), NamedTempFile::path);
    let (temporary, unfinished) = made.map_err(|error| without_path(&error))?;
    if let Some(existing) = &existing {
        // The owner first, because the system takes special permissions away when the owner
        // changes.
        keep_owner(temporary.as_file(), existing);
        temporary.as_file().set_permissions(existing.permissions())?;
    }
    Ok(Sink::Replacing { temporary, target, exists: existing.is_some(), unfinished })
}

/// What the system said, without the name of a temporary file that nobody knows.
fn without_path(error: &io::Error) -> io::Error {
    let cause = error.get_ref().and_then(|inner| inner.source());
    let code = cause.and_then(|cause| cause.downcast_ref::<io::Error>()?.raw_os_error());
    code.map_or_else(|| error.kind().into(), io::Error::from_raw_os_error)
}

/// What may usually be done with new files; the system takes its mask off.
#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "other systems have none")]
fn usual_permissions() -> Option<Permissions> {
    use std::os::unix::fs::PermissionsExt;
    Some(Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
fn usual_permissions() -> Option<Permissions> {
    None
}

/// Gives the new file to the owner of the old one. Only the superuser may, and nobody else
/// would expect it.
#[cfg(unix)]
fn keep_owner(file: &File, old: &Metadata) {
    use std::os::unix::fs::{MetadataExt, fchown};
    let _ = fchown(file, Some(old.uid()), Some(old.gid()));
}

#[cfg(not(unix))]
fn keep_owner(_: &File, _: &Metadata) {}

#[cfg(all(test, unix))]
mod tests;
