//! `toolgauge init`: a small working suite to start from.

use std::path::PathBuf;

use crate::ExitStatus;
use crate::failure::Failure;
use crate::printer::Printer;

/// Write a small working suite with comments, to start from.
///
/// Then `toolgauge check FOLDER` lints it and `toolgauge run FOLDER` runs it.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The folder to write it to; it must not exist yet, or be empty.
    #[arg(value_name = "FOLDER", default_value = "my-suite")]
    folder: PathBuf,
}

pub(super) fn exec(args: &Args, printer: &mut Printer) -> Result<ExitStatus, Failure> {
    let folder = &args.folder;
    let occupied = std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some());
    if occupied || folder.is_file() {
        return Err(Failure::NotEmpty { folder: folder.clone() });
    }
    let suite = folder.file_name().map(|name| name.to_string_lossy());
    for (file, text) in toolgauge_suite::starter(suite.as_deref().unwrap_or("my-suite")) {
        let path = folder.join(file);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)
                .map_err(|error| Failure::file("create", parent, error))?;
        }
        toolgauge_log::replace_file(&path, text)?;
    }
    let shown = folder.display();
    printer.note(format!("wrote a suite to {shown}; try `toolgauge run {shown}`"));
    Ok(ExitStatus::Done)
}
