//! The folder that an agent may name files of.

use std::path::{Path, PathBuf};

use crate::error::McpServerError;

/// A folder that was resolved once: links in its own path are followed.
#[derive(Clone, Debug)]
pub(crate) struct AllowedFolder(PathBuf);

impl AllowedFolder {
    pub(crate) fn new(folder: &Path) -> Result<Self, McpServerError> {
        let resolved = folder.canonicalize();
        let resolved = resolved
            .map_err(|source| McpServerError::Folder { folder: folder.to_owned(), source })?;
        Ok(Self(resolved))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// The file that a name stands for, if it exists; an error if it lies outside.
    ///
    /// Links are followed first, so that one inside the folder does not lead out of it. Whether a
    /// file outside exists is not told.
    pub(crate) fn find(&self, name: &str) -> Result<Option<PathBuf>, McpServerError> {
        let path = self.0.join(name);
        match path.canonicalize() {
            Ok(path) if path.starts_with(&self.0) => Ok(Some(path)),
            // An address leads to an object store, wherever the folder is.
            Err(_) if is_plain(Path::new(name)) && !name.contains("://") => Ok(None),
            Ok(_) | Err(_) => Err(McpServerError::Outside(name.to_owned())),
        }
    }
}

/// Whether a path can lead only downwards.
fn is_plain(path: &Path) -> bool {
    path.components().all(|component| matches!(component, std::path::Component::Normal(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_below_the_folder_are_found() {
        let outer = tempfile::tempdir().unwrap();
        let inner = outer.path().join("project");
        std::fs::create_dir(&inner).unwrap();
        std::fs::write(inner.join("suite.yaml"), "").unwrap();
        std::fs::write(outer.path().join("secret.yaml"), "").unwrap();
        let folder = AllowedFolder::new(&inner).unwrap();
        assert!(folder.find("suite.yaml").unwrap().is_some());
        assert!(folder.find("everyday").unwrap().is_none());
        for outside in
            ["../secret.yaml", "/etc/passwd", "../nowhere", "/nowhere/at/all", "s3://b/a.eval"]
        {
            assert!(matches!(folder.find(outside), Err(McpServerError::Outside(_))), "{outside}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_does_not_lead_out_of_the_folder() {
        let outer = tempfile::tempdir().unwrap();
        let inner = outer.path().join("project");
        std::fs::create_dir(&inner).unwrap();
        std::fs::write(outer.path().join("secret.yaml"), "").unwrap();
        std::os::unix::fs::symlink("../secret.yaml", inner.join("link.yaml")).unwrap();
        let folder = AllowedFolder::new(&inner).unwrap();
        assert!(matches!(folder.find("link.yaml"), Err(McpServerError::Outside(_))));
    }
}
