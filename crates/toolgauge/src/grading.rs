//! Grades as flags: from where on a question passes, and where a build reads the result.

use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use toolgauge_log::OutputFile;
use toolgauge_report::Summary;

use crate::failure::Failure;
use crate::layer::Layer;

/// How answers are graded.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Grades")]
pub(crate) struct GradeFlags {
    /// A question passes from this score on [default: 0.7].
    #[arg(long, value_name = "SCORE", value_parser = share, hide_short_help = true)]
    pass_at: Option<f64>,

    /// A question is partial from this score on, and fails below [default: 0.4].
    #[arg(long, alias = "warn-at", value_name = "SCORE", value_parser = share, hide_short_help = true)]
    partial_at: Option<f64>,

    /// Append one line for each run to this file, such as a build server's summary page.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    line: Option<PathBuf>,
}

impl GradeFlags {
    /// What questions are held to, laid over other settings.
    pub(crate) fn over(&self, layer: Layer) -> Layer {
        layer.with("grades", "pass", self.pass_at).with("grades", "partial", self.partial_at)
    }

    /// Refuses to write where the command reads. Asked before anything is run.
    pub(crate) fn check_output(&self, inputs: &[impl AsRef<Path>]) -> Result<(), Failure> {
        Ok(self.line.as_ref().map_or(Ok(()), |path| OutputFile::check(path, inputs))?)
    }

    /// Appends a line for each run, where one is asked for.
    pub(crate) fn write_lines<'a>(
        &self,
        summaries: impl Iterator<Item = &'a Summary>,
    ) -> Result<(), Failure> {
        let Some(path) = &self.line else { return Ok(()) };
        let mut lines = String::new();
        for summary in summaries {
            // Writing to a string cannot fail.
            let _ = writeln!(lines, "{}", summary.line());
        }
        let file = OpenOptions::new().create(true).append(true).open(path);
        let written = file.and_then(|mut file| file.write_all(lines.as_bytes()));
        written.map_err(|error| Failure::file("write", path, error))
    }
}

fn share(text: &str) -> Result<f64, String> {
    let (digits, scale) = match text.strip_suffix('%') {
        Some(digits) => (digits, 0.01),
        None => (text, 1.0),
    };
    let value = digits.trim().parse::<f64>().ok().map(|value| value * scale);
    let value = value.filter(|value| (0.0..=1.0).contains(value));
    value.ok_or_else(|| "give a share such as `0.7` or `70%`".to_owned())
}
