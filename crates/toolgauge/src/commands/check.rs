//! `toolgauge check`: lints suites without running them.

use serde::Serialize;
use toolgauge_suite::{Problems, Severity};

use crate::ExitStatus;
use crate::failure::Failure;
use crate::flags::Format;
use crate::printer::Printer;
use crate::suites;

/// Check suites without running them, and report every problem at once.
///
/// Looks for unknown fields, duplicate ids, expected calls to tools that are not offered,
/// arguments that violate a tool's own schema, alternatives that can never score and
/// expectations that contradict themselves. A suite that does not check does not run.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Suites: folders, files, or names of shipped suites.
    #[arg(value_name = "SUITE", required_unless_present = "schema")]
    suites: Vec<String>,

    /// Print the JSON Schema of suite files instead, for editors.
    #[arg(long)]
    schema: bool,

    /// In which form problems are printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

#[derive(Serialize)]
struct Checked<'a> {
    suite: &'a str,
    cases: usize,
    problems: Problems,
}

pub(super) fn exec(args: &Args, printer: &mut Printer) -> Result<ExitStatus, Failure> {
    if args.schema {
        printer.print(toolgauge_suite::SUITE_SCHEMA)?;
        return Ok(ExitStatus::Done);
    }
    let mut checked = Vec::new();
    for name in &args.suites {
        let (suite, problems) = suites::examine(name)?;
        let cases = suite.map_or(0, |suite| suite.cases.len());
        checked.push(Checked { suite: name, cases, problems });
    }
    match args.format {
        Format::Json => printer.print_json(&checked)?,
        Format::Text => {
            for suite in &checked {
                printer.print(&describe(suite))?;
            }
        }
    }
    let bad = checked.iter().any(|suite| suite.problems.has_errors());
    Ok(if bad { ExitStatus::NothingRan } else { ExitStatus::Done })
}

fn describe(checked: &Checked<'_>) -> String {
    let mut text = String::new();
    for problem in &checked.problems {
        text = text + &problem.to_string() + "\n";
    }
    let errors = checked.problems.count(Severity::Error);
    let warnings = checked.problems.count(Severity::Warning);
    let Checked { suite, cases, .. } = checked;
    let verdict = match (errors, warnings) {
        (0, 0) => format!("{suite}: {cases} cases, no problem\n"),
        (errors, warnings) => format!("{suite}: {errors} errors, {warnings} warnings\n"),
    };
    text + &verdict
}
