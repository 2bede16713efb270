//! `toolgauge list`: what there is to run, judge by and measure.

use serde::Serialize;
use toolgauge_report::number::counted;
use toolgauge_score::Scorer;

use crate::ExitStatus;
use crate::failure::Failure;
use crate::flags::OutputFormat;
use crate::printer::Printer;
use crate::suites;

/// List the shipped suites and the scorers.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// In which form the result is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: OutputFormat,
}

#[derive(Serialize)]
struct SuiteList {
    suites: Vec<ListedSuite>,
    scorers: Vec<String>,
}

#[derive(Serialize)]
struct ListedSuite {
    name: String,
    version: Option<String>,
    cases: usize,
    variants: Vec<String>,
    description: String,
}

pub(super) fn exec(args: &Args, printer: &mut Printer) -> Result<ExitStatus, Failure> {
    let suites: Result<Vec<ListedSuite>, Failure> =
        suites::shipped().iter().map(|name| listed(name)).collect();
    let scorers = Scorer::names().iter().map(|name| (*name).to_owned()).collect();
    let listed = SuiteList { suites: suites?, scorers };
    match args.format {
        OutputFormat::Json => printer.print_json(&listed)?,
        OutputFormat::Text => printer.print_text(&describe(&listed))?,
    }
    Ok(ExitStatus::Done)
}

fn listed(name: &str) -> Result<ListedSuite, Failure> {
    let suite = suites::load(name)?;
    Ok(ListedSuite {
        name: name.to_owned(),
        version: suite.version,
        cases: suite.cases.len(),
        variants: suite.variants.keys().cloned().collect(),
        description: suite.description,
    })
}

fn describe(listed: &SuiteList) -> String {
    let suites: String = listed.suites.iter().map(describe_suite).collect();
    format!("suites:\n{suites}scorers:\n  {}\n", listed.scorers.join(", "))
}

fn describe_suite(suite: &ListedSuite) -> String {
    let first_line = suite.description.lines().next().unwrap_or_default();
    let line = format!("  {} ({})  {first_line}\n", suite.name, counted(suite.cases, "case"));
    if suite.variants.is_empty() {
        return line;
    }
    format!("{line}    variants: {}\n", suite.variants.join(", "))
}
