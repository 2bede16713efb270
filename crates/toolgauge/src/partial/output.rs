//! Where the copy goes: a file that is there only when it is complete.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, IoSlice, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::failure::{Failure, PartialFailure};

/// Where the copy is wanted.
#[derive(Debug)]
pub(crate) enum Target {
    File(PathBuf),
    Stdout,
}

/// What the copy is written to. Dropping it unfinished leaves nothing behind.
pub(crate) enum Output {
    /// A temporary file beside the place it is for.
    Pending(NamedTempFile, PathBuf),
    /// Something that cannot be put in place afterwards: a pipe, a device, stdout.
    Direct(Box<dyn Write + Send>),
}

impl Output {
    /// Makes ready to write to `target`, unless that would overwrite `results`.
    pub(crate) fn create(target: &Target, results: Option<&Path>) -> Result<Self, Failure> {
        let Target::File(path) = target else {
            return Ok(Self::Direct(Box::new(io::stdout())));
        };
        if results.is_some_and(|results| is_same_file(path, results)) {
            return Err(PartialFailure::SameFile { path: path.clone() }.into());
        }
        Self::beside(path).map_err(|error| Failure::file("write", path, error))
    }

    fn beside(path: &Path) -> io::Result<Self> {
        // A link stays a link, to the file that changes.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let existing = fs::metadata(&path).ok();
        match &existing {
            Some(metadata) if metadata.is_dir() => {
                return Err(io::Error::from(io::ErrorKind::IsADirectory));
            }
            // Renaming onto a device or a pipe would replace it.
            Some(metadata) if !metadata.is_file() => {
                return Ok(Self::Direct(Box::new(OpenOptions::new().write(true).open(&path)?)));
            }
            // A file nobody may write to is not to be replaced either.
            Some(_) => drop(OpenOptions::new().append(true).open(&path)?),
            None => {}
        }
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let mut builder = tempfile::Builder::new();
        builder.prefix(".toolgauge-").suffix(".tmp");
        let permissions =
            existing.map(|metadata| metadata.permissions()).or_else(usual_permissions);
        if let Some(permissions) = permissions {
            builder.permissions(permissions);
        }
        // A missing folder is named by the system; the rest would name the temporary file.
        fs::metadata(folder)?;
        let file = builder.tempfile_in(folder).map_err(|error| io::Error::from(error.kind()))?;
        Ok(Self::Pending(file, path))
    }

    /// The temporary file, if there is one, to be removed by whoever cannot wait for the writer.
    pub(crate) fn unfinished(&self) -> Option<PathBuf> {
        match self {
            Self::Pending(file, _) => Some(file.path().to_owned()),
            Self::Direct(_) => None,
        }
    }

    /// Writes all pieces, one after the other; none may be empty.
    pub(crate) fn write(&mut self, pieces: &[&[u8]]) -> io::Result<()> {
        let mut slices: Vec<IoSlice<'_>> = pieces.iter().map(|piece| IoSlice::new(piece)).collect();
        let mut left = slices.as_mut_slice();
        while !left.is_empty() {
            let written = match self {
                Self::Pending(file, _) => file.as_file_mut().write_vectored(left),
                Self::Direct(writer) => writer.write_vectored(left),
            };
            match written {
                Ok(0) => return Err(io::Error::from(io::ErrorKind::WriteZero)),
                Ok(count) => IoSlice::advance_slices(&mut left, count),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Puts the copy in its place.
    pub(crate) fn finish(self) -> io::Result<()> {
        match self {
            Self::Pending(file, path) => {
                file.persist(path).map(|_: File| ()).map_err(|error| error.error)
            }
            Self::Direct(mut writer) => writer.flush(),
        }
    }
}

/// What a program's new files usually may be done with; the system takes its mask off.
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

/// Whether two paths lead to one file, whatever they are called and linked through.
fn is_same_file(one: &Path, other: &Path) -> bool {
    let canonical = |path: &Path| fs::canonicalize(path).ok();
    canonical(one).is_some_and(|path| canonical(other) == Some(path)) || is_same_inode(one, other)
}

#[cfg(unix)]
fn is_same_inode(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |path: &Path| fs::metadata(path).ok().map(|found| (found.dev(), found.ino()));
    identity(one).is_some_and(|file| identity(other) == Some(file))
}

#[cfg(not(unix))]
fn is_same_inode(_: &Path, _: &Path) -> bool {
    false
}
