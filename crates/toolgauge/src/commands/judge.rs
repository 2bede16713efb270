//! `toolgauge judge`: a model says which of two runs answered better, case by case.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use indexmap::IndexMap;
use serde::Serialize;
use toolgauge_core::{Case, Transcript, TrialId};
use toolgauge_log::Log;
use toolgauge_report::{Pairwise, PairwiseReport};
use toolgauge_runner::{Judge, Preference, Trace};

use crate::ExitStatus;
use crate::failure::Failure;
use crate::flags::{LimitFlags, LogDirFlag, OutputFormat, WithFlags as _};
use crate::judge_flags::JudgeFlags;
use crate::last_log::named_log;
use crate::printer::Printer;
use crate::settings::Settings;
use toolgauge_engine::{ReadableLog, public_name};

/// Have a model say which of two runs answered better.
///
/// Every trial that both logs hold is judged twice, with the answers in either order, because
/// judges favour a place. Only where both orders agree does a side win; what changes with the
/// order is counted apart. Judgements are kept, so that judging again costs nothing.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The first log, A; `last` is the newest one.
    #[arg(value_name = "A")]
    first: PathBuf,

    /// The second log, B; `last` is the newest one.
    #[arg(value_name = "B")]
    second: PathBuf,

    /// In which form the result is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: OutputFormat,

    #[command(flatten)]
    log_dir: LogDirFlag,
    #[command(flatten)]
    judge: JudgeFlags,
    #[command(flatten)]
    limits: LimitFlags,
}

/// What is printed for programs.
#[derive(Serialize)]
struct PrintedPreferences<'a> {
    judge: String,
    report: &'a PairwiseReport,
    trials: Vec<PrintedTrial>,
}

#[derive(Serialize)]
struct PrintedTrial {
    trial: String,
    trace: Trace,
}

pub(super) fn exec(args: &Args, printer: &mut Printer) -> Result<ExitStatus, Failure> {
    let settings = Settings::resolve(&[args.log_dir.layer().limits(&args.limits).table()])?;
    let order = args.judge.order(&settings)?.ok_or(Failure::NoJudge)?;
    let (a, b) = (named_log(&args.first, &settings)?, named_log(&args.second, &settings)?);
    let (first, second) = (ReadableLog::of(&a)?, ReadableLog::of(&b)?);
    let pairs = pairs(first.path(), second.path())?;
    if pairs.is_empty() {
        return Err(Failure::NothingShared);
    }
    let runtime = tokio::runtime::Runtime::new()?;
    let judge =
        order.build(&runtime.block_on(crate::judge_flags::reached(&order, &settings, printer)))?;
    let judged = runtime.block_on(judge_all(Arc::new(judge), pairs, settings.run.concurrency));
    let report = counted(&judged).report();
    match args.format {
        OutputFormat::Json => {
            printer.print_json(&PrintedPreferences {
                judge: public_name(&order.model),
                report: &report,
                trials: judged,
            })?;
        }
        OutputFormat::Text => {
            let (a, b) = (a.display(), b.display());
            let all = judged.len();
            let head = format!(
                "{} of {all} trials judged by `{}`\n  A  {a}\n  B  {b}\n\n",
                all as u64 - report.pairwise.unjudged,
                public_name(&order.model)
            );
            printer.print_text(&format!("{head}{report}"))?;
        }
    }
    let unjudged = report.pairwise.unjudged > 0;
    Ok(if unjudged { ExitStatus::SomeUnscored } else { ExitStatus::Done })
}

struct AnswerPair {
    trial: TrialId,
    case: Arc<Case>,
    answers: [Transcript; 2],
}

/// The trials that both logs hold and neither lost to a broken server.
fn pairs(first: &Path, second: &Path) -> Result<Vec<AnswerPair>, Failure> {
    let sound = |transcript: &Transcript| {
        !transcript.failure.as_ref().is_some_and(|failure| failure.kind.is_infrastructure())
    };
    let mut others: IndexMap<TrialId, Transcript> = IndexMap::new();
    for trial in Log::open(second)?.trials() {
        let trial = trial?;
        others.insert(trial.id(), trial.transcript);
    }
    let mut pairs = Vec::new();
    for trial in Log::open(first)?.trials() {
        let trial = trial?;
        let id = trial.id();
        if let Some(other) = others.swap_remove(&id)
            && sound(&trial.transcript)
            && sound(&other)
        {
            pairs.push(AnswerPair {
                trial: id,
                case: trial.case,
                answers: [trial.transcript, other],
            });
        }
    }
    pairs.sort_by(|one, other| one.trial.cmp(&other.trial));
    Ok(pairs)
}

/// Judges all pairs, so many at once, in their order.
async fn judge_all(judge: Arc<Judge>, pairs: Vec<AnswerPair>, at_once: usize) -> Vec<PrintedTrial> {
    let places = Arc::new(tokio::sync::Semaphore::new(at_once.max(1)));
    let tasks: Vec<_> = pairs
        .into_iter()
        .map(|pair| {
            let (judge, places) = (Arc::clone(&judge), Arc::clone(&places));
            tokio::spawn(async move {
                let _place = places.acquire().await;
                let [first, second] = &pair.answers;
                let trace = judge.compare(&pair.case, first, second).await;
                PrintedTrial { trial: pair.trial.to_string(), trace }
            })
        })
        .collect();
    let mut judged = Vec::with_capacity(tasks.len());
    for task in tasks {
        judged.extend(task.await.ok());
    }
    judged
}

fn counted(judged: &[PrintedTrial]) -> Pairwise {
    let mut counts = Pairwise::default();
    for PrintedTrial { trace, .. } in judged {
        let count = match (trace.agreed(), trace.is_judged()) {
            (Some(Preference::First), _) => &mut counts.first,
            (Some(Preference::Second), _) => &mut counts.second,
            (Some(Preference::Neither), _) => &mut counts.ties,
            (None, true) => &mut counts.inconsistent,
            (None, false) => &mut counts.unjudged,
        };
        *count += 1;
    }
    counts
}
