//! What can go wrong before the first page is shown.

use std::io;
use std::path::PathBuf;

/// Why the viewer could not start, or stopped.
#[derive(Debug, thiserror::Error)]
pub enum ViewError {
    /// The folder of logs cannot be read.
    #[error("cannot read the folder `{}`", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The server stopped.
    #[error("the server stopped")]
    Server {
        /// What the system said.
        #[source]
        source: io::Error,
    },
}
