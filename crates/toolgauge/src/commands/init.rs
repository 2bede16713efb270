//! `toolgauge init`: a small working suite to start from.

use std::path::PathBuf;

use clap::ValueEnum;
use toolgauge_suite::Starter;

use crate::ExitStatus;
use crate::failure::Failure;
use crate::printer::Printer;

/// Write a small working suite with comments, to start from.
///
/// Then `toolgauge check FOLDER` lints it and `toolgauge run FOLDER` runs it. The comments in its
/// files say what to change.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The folder to write it to; it must not exist yet, or be empty.
    #[arg(value_name = "FOLDER", default_value = "my-suite")]
    folder: PathBuf,

    /// What the suite is about.
    #[arg(long, value_name = "NAME", default_value = "calls")]
    template: Template,
}

/// The templates there are.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Template {
    /// Tool calls of a model
    Calls,
    /// Questions to a chatbot, and what its answers must say
    Chatbot,
    /// Voice commands to a home of Home Assistant
    Home,
    /// Tool calls as rows of a CSV table, for a spreadsheet
    Table,
}

impl From<Template> for Starter {
    fn from(template: Template) -> Self {
        match template {
            Template::Calls => Self::Calls,
            Template::Chatbot => Self::Chatbot,
            Template::Home => Self::Home,
            Template::Table => Self::Table,
        }
    }
}

pub(super) fn exec(args: &Args, printer: &mut Printer) -> Result<ExitStatus, Failure> {
    let folder = &args.folder;
    let occupied = std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some());
    if occupied || folder.is_file() {
        return Err(Failure::NotEmpty { folder: folder.clone() });
    }
    let suite = folder.file_name().map(|name| name.to_string_lossy());
    let starter = Starter::from(args.template);
    for (file, text) in starter.files(suite.as_deref().unwrap_or("my-suite")) {
        let path = folder.join(file);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)
                .map_err(|error| Failure::file("create", parent, error))?;
        }
        toolgauge_log::replace_file(&path, text)?;
    }
    let shown = folder.display();
    // A subject that is a file of the template is named by where that file now is.
    let subject = starter.first_subject().and_then(|subject| subject.split_once(':'));
    let subject = subject
        .map(|(kind, file)| format!(" -m {kind}:{}", folder.join(file).display()))
        .unwrap_or_default();
    printer.note(format!("wrote a suite to {shown}; try `toolgauge run {shown}{subject}`"));
    Ok(ExitStatus::Done)
}
