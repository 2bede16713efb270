//! The runs that lie in a file or a folder.

use std::path::Path;

use crate::{ImportError, ImportOptions, ImportedRun, ResultKind, bfcl, detect, tau2};

/// The runs in a file or a folder, one for each run and model.
pub fn find_runs(
    path: &Path,
    options: &ImportOptions,
) -> Result<Vec<Box<dyn ImportedRun>>, ImportError> {
    let kind = match options.kind {
        Some(kind) => kind,
        None => detect(path)?,
    };
    match kind {
        ResultKind::Bfcl => bfcl::find_runs(path, options),
        ResultKind::Tau2 => tau2::find_runs(path),
    }
}
