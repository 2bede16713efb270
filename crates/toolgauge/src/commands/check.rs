//! `toolgauge check`: lints suites without running them.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use serde::Serialize;
use toolgauge_engine::floors::SuiteFloors;
use toolgauge_engine::labelled::{self, ErrorRates, JudgedReply, UnjudgedReply};
use toolgauge_report::number::counted;
use toolgauge_suite::{Problems, Severity};

use crate::ExitStatus;
use crate::failure::Failure;
use crate::flags::{McpFlags, OutputFormat};
use crate::printer::Printer;
use crate::{suites, worlds};

/// Check suites without running them, and report every problem at once.
///
/// Looks for unknown fields, duplicate ids, expected calls to tools that are not offered,
/// arguments that violate a tool's own schema, alternatives that can never score and
/// expectations that contradict themselves. A suite that fails this check
/// will not run.
///
/// Also searches the floors of a suite: what the best subject scores that says the same thing to
/// every case, without a call and with the expected calls, over all cases and for each kind.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Suites: folders, files, or names of shipped suites.
    #[arg(value_name = "SUITE", required_unless_present_any = ["schema", "judges"])]
    suites: Vec<String>,

    /// Print the JSON Schema of suite files instead, for editors.
    #[arg(long)]
    schema: bool,

    /// Judge the labelled replies in this folder of `.jsonl` files, or in one file, and print how
    /// often the scorers are wrong about them.
    ///
    /// Each reply was judged by a person. Replies marked `unseen` are counted apart and never
    /// shown. With --verbose, the others that are misjudged are listed; with `--format json` too,
    /// an object then holds the `rates` and the `misjudged` replies. Replies to cases that their
    /// suite does not have are left out, with a warning.
    #[arg(long, value_name = "PATH", conflicts_with_all = ["suites", "schema"])]
    judges: Option<PathBuf>,

    /// Scorers that judge the labelled replies, in place of the first one of each suite.
    #[arg(long = "scorer", value_name = "NAME", value_delimiter = ',', requires = "judges")]
    scorers: Vec<String>,

    /// List the labelled replies that are misjudged.
    #[arg(long, short, requires = "judges")]
    verbose: bool,

    #[command(flatten)]
    servers: McpFlags,

    /// In which form the result is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: OutputFormat,
}

#[derive(Serialize)]
struct Checked<'a> {
    suite: &'a str,
    cases: usize,
    problems: Problems,
    #[serde(skip_serializing_if = "Option::is_none")]
    floors: Option<SuiteFloors>,
}

pub(super) fn exec(args: &Args, printer: &mut Printer) -> Result<ExitStatus, Failure> {
    if args.schema {
        printer.print(toolgauge_suite::SUITE_SCHEMA)?;
        return Ok(ExitStatus::Done);
    }
    if let Some(folder) = &args.judges {
        return check_judges(folder, args, printer);
    }
    let mut checked = Vec::new();
    for name in &args.suites {
        let (suite, problems) = suites::examine(name, &args.servers.overrides())?;
        let cases = suite.as_ref().map_or(0, |suite| suite.cases.len());
        let floors = match suite {
            Some(suite) if !problems.has_errors() => {
                SuiteFloors::search(&suite, worlds::build(&suite, None)?.as_ref())
            }
            _ => None,
        };
        checked.push(Checked { suite: name, cases, problems, floors });
    }
    match args.format {
        OutputFormat::Json => printer.print_json(&checked)?,
        OutputFormat::Text => {
            for suite in &checked {
                printer.print_text(&describe(suite))?;
            }
        }
    }
    let bad = checked.iter().any(|suite| suite.problems.has_errors());
    Ok(if bad { ExitStatus::NothingRan } else { ExitStatus::Done })
}

/// What `--judges` prints with `--verbose`.
#[derive(Serialize)]
struct CheckedJudges<'a> {
    rates: &'a [ErrorRates],
    misjudged: Vec<&'a JudgedReply>,
}

/// Holds the verdicts of scorers against those of people.
fn check_judges(place: &Path, args: &Args, printer: &mut Printer) -> Result<ExitStatus, Failure> {
    let (judged, unjudged) = labelled::judge(labelled::read(place)?, &args.scorers)?;
    if let Some((first, others)) = unjudged.split_first() {
        // Several scorers may leave out the same reply.
        let left_out: HashSet<&str> = unjudged.iter().map(|reply| reply.id.as_str()).collect();
        let replies = counted(left_out.len(), "labelled reply");
        let (are, such_as) = if others.is_empty() { ("is", "") } else { ("are", "such as ") };
        let UnjudgedReply { id, why } = first;
        let text = format!("{replies} cannot be judged and {are} left out, {such_as}`{id}`: {why}");
        printer.warning(text);
    }
    let rates = ErrorRates::of(&judged);
    match args.format {
        OutputFormat::Json if args.verbose => {
            let misjudged = judged.iter().filter(|reply| reply.is_shown()).collect();
            printer.print_json(&CheckedJudges { rates: &rates, misjudged })?;
        }
        OutputFormat::Json => printer.print_json(&rates)?,
        OutputFormat::Text => {
            if args.verbose {
                for line in judged.iter().filter_map(JudgedReply::describe) {
                    printer.print_text(&line)?;
                }
            }
            printer.print_report(&ErrorRates::table(&rates))?;
        }
    }
    Ok(ExitStatus::Done)
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
        (0, 0) => format!("{suite}: {}, no problem\n", counted(*cases, "case")),
        (errors, warnings) => {
            format!("{suite}: {}, {}\n", counted(errors, "error"), counted(warnings, "warning"))
        }
    };
    let floors = checked.floors.as_ref().map(ToString::to_string).unwrap_or_default();
    text + &verdict + &floors
}
