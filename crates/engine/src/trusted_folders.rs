//! The folders whose suites may start commands, by the word of the user.

use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::EngineError;

/// The name of the list in the user's configuration. No suite and no project has a say in it.
const FILE: &str = "toolgauge/trusted.toml";

/// Set where an agent gives the commands: what it writes into a trusted folder must not be started.
const AGENT_VARIABLE: &str = "TOOLGAUGE_FOR_AGENT";

/// The folders that the user trusts, by their real paths.
#[derive(Debug, Default)]
pub struct TrustedFolders {
    /// Where the list is; unknown where there is no home.
    file: Option<PathBuf>,
    list: TrustedList,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TrustedList {
    folders: Vec<PathBuf>,
}

impl TrustedFolders {
    /// The folders that the user trusts.
    pub fn load() -> Result<Self, EngineError> {
        configuration().map_or_else(|| Ok(Self::default()), |folder| Self::of(folder.join(FILE)))
    }

    fn of(file: PathBuf) -> Result<Self, EngineError> {
        let list = match std::fs::read_to_string(&file) {
            Ok(text) => toml::from_str(&text).map_err(io::Error::other),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(TrustedList::default()),
            Err(error) => Err(error),
        };
        let list = list.map_err(|error| EngineError::file("read", &file, error))?;
        Ok(Self { file: Some(file), list })
    }

    /// The same for suites that are about to start something: none where an agent gives the commands.
    pub(crate) fn load_for_suites() -> Result<Self, EngineError> {
        if std::env::var_os(AGENT_VARIABLE).is_some() {
            return Ok(Self::default());
        }
        Self::load()
    }

    /// Their real paths.
    pub fn folders(&self) -> &[PathBuf] {
        &self.list.folders
    }

    /// Whether a file or folder lies in one of them, links followed.
    pub fn hold(&self, place: &Path) -> bool {
        // Not the links of the list: one that was put in the place of a folder is not trusted.
        let real = real(place);
        real.is_ok_and(|real| self.list.folders.iter().any(|folder| real.starts_with(folder)))
    }

    /// Trusts a folder from now on, and says what its real path is.
    pub fn trust(&mut self, folder: &Path) -> Result<PathBuf, EngineError> {
        let refused = |why: &str| {
            EngineError::file("trust", folder, io::Error::new(ErrorKind::InvalidInput, why))
        };
        let real = real(folder).map_err(|error| EngineError::file("trust", folder, error))?;
        if !real.is_dir() {
            return Err(refused("it is no folder"));
        }
        if real.parent().is_none() {
            return Err(refused("every suite of this machine lies in it"));
        }
        if real.to_str().is_none() {
            return Err(refused("its name is not UTF-8"));
        }
        if !self.list.folders.contains(&real) {
            self.list.folders.push(real.clone());
            self.list.folders.sort();
            self.write()?;
        }
        Ok(real)
    }

    /// Trusts a folder no more; whether it was trusted. The folder may be gone.
    pub fn untrust(&mut self, folder: &Path) -> Result<bool, EngineError> {
        let known = self.list.folders.len();
        let names = [real(folder), std::path::absolute(folder)];
        self.list.folders.retain(|it| !names.iter().flatten().any(|name| name == it));
        let was_trusted = self.list.folders.len() < known;
        if was_trusted {
            self.write()?;
        }
        Ok(was_trusted)
    }

    fn write(&self) -> Result<(), EngineError> {
        let file = self.file.as_deref().unwrap_or(Path::new(FILE));
        let written = || {
            let (Some(_), Some(folder)) = (&self.file, file.parent()) else {
                return Err(io::Error::other("there is no home folder to keep it in"));
            };
            std::fs::create_dir_all(folder)?;
            let text = toml::to_string_pretty(&self.list).map_err(io::Error::other)?;
            // In one step: a list that is cut off would trust other folders.
            let mut new = tempfile::NamedTempFile::new_in(folder)?;
            new.write_all(text.as_bytes())?;
            new.persist(file).map(drop).map_err(|error| error.error)
        };
        written().map_err(|error| EngineError::file("write", file, error))
    }
}

/// The real path of a place: absolute, without links and `..`.
fn real(place: &Path) -> io::Result<PathBuf> {
    let here = place.as_os_str().is_empty();
    if here { Path::new(".") } else { place }.canonicalize()
}

/// The folder of the user's configuration.
fn configuration() -> Option<PathBuf> {
    let variable =
        |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let folder = variable("XDG_CONFIG_HOME").filter(|folder| folder.is_absolute());
    let folder = folder.or_else(|| variable("APPDATA"));
    folder.or_else(|| Some(variable("HOME")?.join(".config")))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn of(folder: &Path) -> TrustedFolders {
        TrustedFolders::of(folder.join("config").join(FILE)).unwrap()
    }

    #[test]
    fn what_lies_in_a_trusted_folder_is_trusted_until_it_is_taken_back() {
        let temporary = tempfile::tempdir().unwrap();
        let work = temporary.path().join("work");
        fs::create_dir_all(work.join("suites/desk")).unwrap();
        fs::create_dir_all(temporary.path().join("work-of-others")).unwrap();
        let real = of(temporary.path()).trust(&work.join("suites/..")).unwrap();
        assert_eq!(real, work.canonicalize().unwrap());
        let mut trusted = of(temporary.path());
        assert_eq!(trusted.folders(), [real]);
        assert!(trusted.hold(&work) && trusted.hold(&work.join("suites/desk")));
        assert!(!trusted.hold(temporary.path()));
        assert!(!trusted.hold(&temporary.path().join("work-of-others")));
        assert!(!trusted.hold(&work.join("suites/../../work-of-others")));
        assert!(!trusted.hold(&work.join("no such folder")));
        assert!(trusted.untrust(&work).unwrap());
        assert!(!of(temporary.path()).hold(&work));
        assert!(!trusted.untrust(&work).unwrap());
    }

    #[test]
    fn a_folder_that_is_gone_can_be_taken_off_the_list() {
        let temporary = tempfile::tempdir().unwrap();
        let work = temporary.path().canonicalize().unwrap().join("work");
        fs::create_dir(&work).unwrap();
        of(temporary.path()).trust(&work).unwrap();
        fs::remove_dir(&work).unwrap();
        assert!(of(temporary.path()).untrust(&work).unwrap());
        assert_eq!(of(temporary.path()).folders(), [] as [PathBuf; 0]);
    }

    #[test]
    fn what_would_trust_everything_or_nothing_is_refused() {
        let temporary = tempfile::tempdir().unwrap();
        let file = temporary.path().join("file");
        fs::write(&file, "").unwrap();
        let mut trusted = of(temporary.path());
        for place in [Path::new("/"), &file, &temporary.path().join("nothing")] {
            assert!(trusted.trust(place).is_err(), "{}", place.display());
        }
        assert_eq!(trusted.folders(), [] as [PathBuf; 0]);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_before_anything_is_trusted() {
        use std::os::unix::fs::symlink;

        let temporary = tempfile::tempdir().unwrap();
        let [work, other, link] = ["work", "other", "link"].map(|name| temporary.path().join(name));
        fs::create_dir(&work).unwrap();
        fs::create_dir(&other).unwrap();
        symlink(&work, &link).unwrap();
        of(temporary.path()).trust(&link).unwrap();
        let trusted = of(temporary.path());
        assert!(trusted.hold(&link) && trusted.hold(&work));
        // A link in the folder leads out of it.
        symlink(&other, work.join("inside")).unwrap();
        assert!(!trusted.hold(&work.join("inside")));
        // What is put in the place of the folder, or of the link, is another one.
        fs::remove_file(&link).unwrap();
        symlink(&other, &link).unwrap();
        assert!(!trusted.hold(&link));
        fs::remove_dir_all(&work).unwrap();
        symlink(&other, &work).unwrap();
        assert!(!trusted.hold(&work));
    }
}
