//! The few lines that a run ends with.

use std::path::Path;

use toolgauge_engine::ReadableLog;
use toolgauge_log::Log;
use toolgauge_report::{
    CaseResults, ChangeSince, Comparison, FailedCase, GateResult, ShortSummary, Summary, Terms,
    Thresholds,
};

use super::ResolvedArgs;
use super::args::Args;
use crate::earlier_run::earlier_run;
use crate::failure::Failure;
use crate::sides;

/// How many cases that do not pass are shown.
const SHOWN: usize = 4;

/// What a run came to.
pub(super) struct RunOutcome<'a> {
    pub(super) log: &'a Path,
    pub(super) summary: Summary,
    pub(super) gates: Vec<GateResult>,
}

/// The decision about a run, from its log.
pub(super) fn short_summary<'a>(
    outcome: &'a RunOutcome<'_>,
    resolved: &ResolvedArgs<'_>,
) -> Result<ShortSummary<'a>, Failure> {
    let readable = ReadableLog::of(outcome.log)?;
    let log = Log::open(readable.path())?;
    let mut cases = CaseResults::default();
    log.summaries().for_each_ahead(|trial| {
        if let Ok(trial) = &trial {
            cases.add(trial);
        }
    });
    let graded = resolved.settings.grades;
    let thresholds = Thresholds::of_scorer(&outcome.summary.scorer, graded);
    let worst = cases.not_passing(thresholds, &log.run().cases).into_iter().take(SHOWN);
    let failed = worst.map(|result| {
        let trial = log.trial(&result.worst).ok();
        FailedCase::new(result, trial.as_ref())
    });
    Ok(ShortSummary {
        counts: cases.counts(thresholds),
        failed: failed.collect(),
        change: change(outcome.log, &log, resolved)?,
        summary: &outcome.summary,
        gates: &outcome.gates,
        next: next_commands(resolved.args),
    })
}

/// What changed since an earlier run that shares cases with this one.
fn change(
    path: &Path,
    log: &Log,
    resolved: &ResolvedArgs<'_>,
) -> Result<Option<ChangeSince>, Failure> {
    let ResolvedArgs { settings, against, .. } = resolved;
    let against = against.as_deref();
    let Some(earlier) = earlier_run((path, log.run()), against, settings)? else { return Ok(None) };
    // What is wrong with an earlier log is no failure of this run.
    let Ok(a) = sides::read(&earlier.log, None, settings) else { return Ok(None) };
    let b = sides::read(path, None, settings)?;
    let terms = Terms { flips_shown: Some(SHOWN), ..Terms::default() };
    let comparison = Comparison::of(&a, &b, &terms);
    let shared = comparison.shared.cases;
    let run = match shared {
        shared if shared == comparison.b.cases => earlier.name,
        shared => format!("{}, on {shared} shared cases", earlier.name),
    };
    Ok((shared > 0).then_some(ChangeSince { run, comparison }))
}

/// What to type next.
pub(super) fn next_commands(args: &Args) -> String {
    let view = match &args.log_dir {
        Some(folder) if folder.contains(char::is_whitespace) => {
            format!("toolgauge view '{folder}'")
        }
        Some(folder) => format!("toolgauge view {folder}"),
        None => "toolgauge view".to_owned(),
    };
    let view = format!("{view} (browser)");
    // `last` looks into the usual folder, where neither of these needs to be.
    if args.log_dir.is_some() || args.resume.is_some() {
        return view;
    }
    format!("{view}, toolgauge summary last (every figure)")
}
