//! `toolgauge run`: puts every case of a suite to a model and leaves a log.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use toolgauge_core::{CaseId, Outcome, TrialFailure};
use toolgauge_log::Log;
use toolgauge_report::{Overview, Summary};
use toolgauge_runner::{Ending, Stop};
use toolgauge_suite::{Selection, Suite};

use crate::adaptive::Until;
use crate::aftermath::{self, Aftermath};
use crate::cell::{Cell, Finished};
use crate::failure::Failure;
use crate::flags::{
    FixFlags, Format, LimitFlags, SamplingFlags, SelectionFlags, ServerFlags, WorldFlags,
};
use crate::gates::{self, GateFlags};
use crate::grading::GradeFlags;
use crate::invocation::Invocation;
use crate::judges::{self, JudgeFlags};
use crate::layer::{Layer, log_folder};
use crate::matrix::{self, Demand};
use crate::printer::Printer;
use crate::progress::Progress;
use crate::settings::Settings;
use crate::stage::{Display, Stage};
use crate::summaries;
use crate::{ExitStatus, interrupt, suites};

/// Run suites against models and leave a log of each run.
///
/// Without arguments the small home of the shipped `home-assistant` suite is put to the built-in
/// baseline, which needs no model. Several suites, models and variants make a matrix: each cell gets a log of its own,
/// and a table at the end shows them side by side.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Suites: folders, files, or names of shipped suites [default: home-assistant].
    #[arg(value_name = "SUITE")]
    suites: Vec<String>,

    /// Models: names at the server, `baseline`, `script:FILE`, `replay:LOG` or GGUF files;
    /// chatbots: `chatbot:URL`, `chatbot:FILE.yaml` or `command:LINE`.
    #[arg(
        long = "model",
        short,
        value_name = "MODEL",
        env = "TOOLGAUGE_MODEL",
        value_delimiter = ','
    )]
    models: Vec<String>,

    /// Variants of the suite, run side by side: `--variant plain,terse`.
    #[arg(long = "variant", value_name = "NAME", value_delimiter = ',')]
    variants: Vec<String>,

    /// How often each case is executed [default: the suite's choice, else 1].
    #[arg(long, short, value_name = "N", env = "TOOLGAUGE_TRIALS")]
    trials: Option<u32>,

    /// Keep adding trials until the score is known to plus or minus this.
    ///
    /// Cases are drawn in random order, and the interval may be looked at after every trial
    /// without losing its promise. With two variants the run ends as soon as one is shown to be
    /// better.
    #[arg(long, value_name = "HALF_WIDTH", value_parser = half_width, conflicts_with = "trials")]
    until: Option<f64>,

    /// End an adaptive run after so many trials of each variant [default: 20 for each case].
    #[arg(long, value_name = "TRIALS", requires = "until")]
    budget: Option<u32>,

    /// Judge by these scorers; the first one's judgement counts [default: the suite's choice].
    #[arg(long = "scorer", value_name = "NAME", value_delimiter = ',')]
    scorers: Vec<String>,

    #[command(flatten)]
    fixes: FixFlags,

    /// Where logs are kept [default: logs].
    #[arg(long, value_name = "FOLDER", env = "TOOLGAUGE_LOG_DIR")]
    log_dir: Option<String>,

    /// Run only what is missing in this log and add it there; `last`, the default, takes the
    /// newest log. With `--matrix`, run only the cells and trials that its logs lack.
    #[arg(
        long,
        value_name = "LOG|last",
        num_args = 0..=1,
        default_missing_value = "last",
        conflicts_with_all = ["suites", "models", "variants"]
    )]
    resume: Option<PathBuf>,

    /// Run every cell of a matrix: models × quantisations × contexts × prompts × tiers.
    ///
    /// The file is described in `docs/matrix.md`. A llama-server is started for each GGUF file,
    /// each cell leaves a log, and a leaderboard is printed at the end.
    #[arg(
        long,
        value_name = "FILE",
        help_heading = "Matrix",
        conflicts_with_all = ["suites", "models", "variants", "until", "judge"]
    )]
    matrix: Option<PathBuf>,

    /// Write the leaderboard of the matrix to this file, in Markdown.
    #[arg(long, short = 'o', value_name = "FILE", help_heading = "Matrix", requires = "matrix")]
    leaderboard: Option<PathBuf>,

    /// In which form the summary is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,

    #[command(flatten)]
    selection: SelectionFlags,
    #[command(flatten)]
    world: WorldFlags,
    #[command(flatten)]
    server: ServerFlags,
    #[command(flatten)]
    sampling: SamplingFlags,
    #[command(flatten)]
    limits: LimitFlags,
    #[command(flatten)]
    judge: JudgeFlags,

    /// Compare with this log in gates [default: the run pinned for the suite].
    #[arg(long, value_name = "LOG", help_heading = "Gates")]
    against: Option<PathBuf>,
    #[command(flatten)]
    gates: GateFlags,
    #[command(flatten)]
    grades: GradeFlags,
}

fn half_width(text: &str) -> Result<f64, String> {
    let value = text.parse::<f64>().ok().filter(|value| *value > 0.0 && *value < 0.5);
    value.ok_or_else(|| "give a number between 0 and 0.5, such as 0.03".to_owned())
}

/// What is printed for programs.
#[derive(Serialize)]
struct Printed<'a> {
    log: &'a Path,
    summary: &'a Summary,
    /// How the variants compare, with the last one's summary.
    #[serde(skip_serializing_if = "Option::is_none")]
    variants: Option<&'a Aftermath>,
}

pub(super) fn exec(args: &Args, printer: &mut Printer) -> Result<ExitStatus, Failure> {
    let runtime = tokio::runtime::Runtime::new()
        .map_err(|error| Failure::RunStopped { why: error.to_string() })?;
    runtime.block_on(run(args, printer))
}

async fn run(args: &Args, printer: &mut Printer) -> Result<ExitStatus, Failure> {
    // A gate that cannot be read is better known before a night's run than after it.
    args.gates.read()?;
    let (stop, stage) = (Stop::default(), stage(printer));
    if let Some(file) = &args.matrix {
        // On the heap: it holds the futures of all cells' servers.
        return Box::pin(run_matrix(args, file, (&stop, &stage), printer)).await;
    }
    let mut results = Vec::new();
    if let Some(log) = &args.resume {
        let (cell, log) = resumed_cell(args, log)?;
        listen(&stop, &cell, &stage);
        results.push(cell.resume(&log, &stop, Progress::new(&stage)).await?);
    } else {
        for cell in cells(args)? {
            if results.is_empty() {
                listen(&stop, &cell, &stage);
            }
            results.push(cell.run(&stop, Progress::new(&stage)).await?);
            if stop.gently.is_cancelled() {
                break;
            }
        }
    }
    conclude(args, &results, printer)
}

/// Runs the cells of a matrix and prints its leaderboard.
async fn run_matrix(
    args: &Args,
    file: &Path,
    (stop, stage): (&Stop, &Stage),
    printer: &mut Printer,
) -> Result<ExitStatus, Failure> {
    let demand = Demand {
        file,
        flags: layer(args).table(),
        selection: selection(args)?,
        trials: args.trials,
        scorers: &args.scorers,
        fixes: args.fixes.names(),
        world: args.world.overrides(),
        body: args.sampling.extra(),
        key_file: args.server.key_file.as_deref(),
        resume: args.resume.is_some(),
    };
    let plan = matrix::Plan::of(&demand)?;
    let (name, size) = (plan.matrix.name.clone(), plan.size());
    interrupt::listen(stop, plan.grace(), stage);
    let ran = Box::pin(plan.run(stop, || Progress::new(stage))).await?;
    let missing = size - ran.len();
    let board = matrix::Board::of(name, &ran)?;
    match args.format {
        Format::Json => printer.print_json(&board)?,
        Format::Text => printer.print(&board.to_string())?,
    }
    if let Some(path) = &args.leaderboard {
        std::fs::write(path, board.markdown()).map_err(|e| Failure::file("write", path, e))?;
    }
    let unscored = board.has_unscored();
    let results: Vec<Finished> = ran.into_iter().map(|cell| cell.finished).collect();
    let gated = judge_gates(args, &results, Vec::new(), printer)?;
    if missing > 0 {
        let hint = format!("`toolgauge run --matrix {} --resume` goes on", file.display());
        printer.warning(format!("{missing} of {size} cells have no result\n  hint: {hint}"));
    }
    let status = ending(&results, unscored || missing > 0, printer);
    let status = if stop.gently.is_cancelled() { ExitStatus::Interrupted } else { status };
    Ok(if status == ExitStatus::Interrupted { status } else { gated.unwrap_or(status) })
}

/// The flags, as a layer of settings.
fn layer(args: &Args) -> Layer {
    Layer::default()
        .with("run", "log_dir", args.log_dir.clone())
        .with("run", "trials", args.trials.map(i64::from))
        .with("run", "until", args.until)
        .with("run", "budget", args.budget.map(i64::from))
        .with("run", "model", (!args.models.is_empty()).then(|| args.models.clone()))
        .server(&args.server)
        .sampling(&args.sampling)
        .limits(&args.limits)
}

/// Which cases, what depends on a log included.
fn selection(args: &Args) -> Result<Selection, Failure> {
    let mut selection = args.selection.selection();
    selection.only = args.selection.failed_in.as_deref().map(failed_in).transpose()?;
    Ok(selection)
}

/// Every suite on every model.
fn cells(args: &Args) -> Result<Vec<Cell>, Failure> {
    let layer = layer(args);
    let settings = Settings::resolve(&[layer.table()])?;
    let judge = args.judge.order(&settings)?;
    if judge.is_none() && args.scorers.iter().any(|name| name == judges::SCORER) {
        return Err(Failure::NoJudge);
    }
    let names = if args.suites.is_empty() { &[suites::DEFAULT.to_owned()] } else { &*args.suites };
    let mut cells = Vec::new();
    for name in names {
        let suite = Arc::new(suites::load_with(name, &args.world.overrides())?);
        for model in &settings.run.model {
            let mut settings = settings.clone();
            settings.run.trials = args.trials.unwrap_or(suite.trials.max(settings.run.trials));
            let invocation = Invocation {
                suite: name.clone(),
                model: model.clone(),
                world: args.world.overrides(),
                body: args.sampling.extra(),
                scorers: args.scorers.clone(),
                fixes: args.fixes.names(),
                matrix: None,
                judge: judge.clone(),
                settings,
            };
            cells.push(cell(args, &suite, invocation)?);
        }
    }
    Ok(cells)
}

fn cell(args: &Args, suite: &Arc<Suite>, mut invocation: Invocation) -> Result<Cell, Failure> {
    let mut selection = selection(args)?;
    if args.suites.is_empty() && selection == Selection::default() {
        selection.tags.push(("tier".to_owned(), suites::DEFAULT_TIER.to_owned()));
    }
    let variants = args.variants.iter().cloned().map(Some).collect::<Vec<_>>();
    for variant in variants.iter().flatten() {
        if !suite.variants.contains_key(variant) {
            return Err(Failure::NoSuchVariant {
                name: variant.clone(),
                known: suite.variants.keys().cloned().collect(),
            });
        }
    }
    let cases = selection.select(suite)?;
    let planned = &mut invocation.settings.run;
    if let Some(half_width) = planned.until {
        let until = Until::new(half_width, planned.budget, cases.len());
        (planned.budget, planned.trials) = (Some(until.budget), until.passes(cases.len()));
    }
    Ok(Cell {
        cases,
        suite: Arc::clone(suite),
        key: invocation.key(args.server.key_file.as_deref())?,
        invocation,
        variants: if variants.is_empty() { vec![None] } else { variants },
    })
}

/// The cell of an earlier run, as its log describes it, and the log.
fn resumed_cell(args: &Args, log: &Path) -> Result<(Cell, PathBuf), Failure> {
    let path = if log == Path::new("last") { newest_log(args)? } else { log.to_owned() };
    let run = Log::open(&path)?.run().clone();
    let cannot = |why: &str| Failure::CannotResume { log: path.clone(), why: why.to_owned() };
    let mut invocation =
        Invocation::of(&run).ok_or_else(|| cannot("it does not say how it was started"))?;
    let layer = Layer::default().server(&args.server).limits(&args.limits);
    invocation.settings = invocation.settings.overlaid(&layer.table())?;
    let suite = Arc::new(suites::load_with(&invocation.suite, &invocation.world)?);
    if suite.hash != run.suite.hash {
        return Err(cannot("the suite has changed since, so that old and new would not compare"));
    }
    let known: HashMap<_, _> = suite.cases.iter().map(|case| (&case.id, case)).collect();
    let cases: Option<Vec<_>> =
        run.cases.iter().map(|id| Some(Arc::clone(known.get(id)?))).collect();
    let cell = Cell {
        cases: cases.ok_or_else(|| cannot("the suite lacks some of its cases"))?,
        suite,
        key: invocation.key(args.server.key_file.as_deref())?,
        invocation,
        variants: vec![run.variant.clone()],
    };
    Ok((cell, path))
}

fn newest_log(args: &Args) -> Result<PathBuf, Failure> {
    let folder = log_folder(args.log_dir.as_deref())?;
    let logs = std::fs::read_dir(&folder).map_err(|error| Failure::file("read", &folder, error))?;
    // Names begin with the time of creation, so that the greatest name is the newest log.
    let logs = logs.filter_map(|entry| Some(entry.ok()?.path()));
    let newest = logs.filter(|path| path.extension().is_some_and(|end| end == "eval")).max();
    newest.ok_or(Failure::NoLogs { folder })
}

/// The cases that lost points or were unscored in a log.
fn failed_in(log: &Path) -> Result<BTreeSet<CaseId>, Failure> {
    let mut failed = BTreeSet::new();
    for trial in Log::open(log)?.summaries() {
        // What cannot be read may have been right; whoever wants it run again says so.
        let Ok(trial) = trial else { continue };
        let right = trial.outcome().and_then(Outcome::value).is_some_and(|v| v >= 1.0);
        if !right {
            failed.insert(trial.id.case);
        }
    }
    Ok(failed)
}

fn listen(stop: &Stop, cell: &Cell, stage: &Stage) {
    let grace = cell.invocation.settings.limits.grace;
    interrupt::listen(stop, Duration::try_from_secs_f64(grace).unwrap_or_default(), stage);
}

fn stage(printer: &Printer) -> Stage {
    Stage::new(match (printer.is_quiet(), printer.is_interactive()) {
        (true, _) => Display::Nothing,
        (false, true) => Display::Bar,
        (false, false) => Display::Lines,
    })
}

/// Prints what came of it and says how the program should end.
fn conclude(
    args: &Args,
    results: &[Finished],
    printer: &mut Printer,
) -> Result<ExitStatus, Failure> {
    let mut runs = Vec::new();
    for log in results.iter().flat_map(|result| &result.logs) {
        let (mut summary, _) = summaries::of_log(log)?;
        args.grades.apply(&mut summary);
        runs.push((log, summary));
    }
    args.grades.write_lines(runs.iter().map(|(_, summary)| summary))?;
    let mut aftermaths = Vec::new();
    for result in results {
        let last = result.logs.last();
        aftermaths.extend(last.cloned().zip(aftermath::of_variants(result)?));
    }
    match args.format {
        Format::Json => {
            let variants = |log: &PathBuf| {
                aftermaths.iter().find(|(last, _)| last == log).map(|(_, aftermath)| aftermath)
            };
            let printed: Vec<Printed<'_>> = runs
                .iter()
                .map(|(log, summary)| Printed { log, summary, variants: variants(log) })
                .collect();
            printer.print_json(&printed)?;
        }
        Format::Text => {
            for (log, summary) in &runs {
                printer.print_report(summary)?;
                printer.print(&format!("  log        {}\n\n", log.display()))?;
            }
            if runs.len() > 1 {
                let overview = Overview::of(runs.iter().map(|(_, summary)| summary));
                printer.print_report(&overview)?;
            }
            for (_, aftermath) in &aftermaths {
                printer.print(&format!("\n{aftermath}"))?;
            }
        }
    }
    for result in results {
        for (log, judge) in result.logs.iter().zip(std::iter::repeat(&result.judge)) {
            let words = judge.as_ref().map(|judge| judges::votes_of(log, judge)).transpose()?;
            words.flatten().into_iter().for_each(|words| printer.note(words));
        }
    }
    for stopping in results.iter().filter_map(|result| result.stopping.as_ref()) {
        printer.note(&stopping.words);
    }
    let gated = judge_gates(args, results, aftermaths, printer)?;
    let unscored = runs.iter().any(|(_, summary)| !summary.unscored.is_empty());
    let ended = ending(results, unscored, printer);
    Ok(if ended == ExitStatus::Interrupted { ended } else { gated.unwrap_or(ended) })
}

/// Holds every run to the gates; tells if one failed.
fn judge_gates(
    args: &Args,
    results: &[Finished],
    aftermaths: Vec<(PathBuf, Aftermath)>,
    printer: &mut Printer,
) -> Result<Option<ExitStatus>, Failure> {
    let folder = log_folder(args.log_dir.as_deref())?;
    let logs: Vec<&Path> =
        results.iter().flat_map(|result| &result.logs).map(|log| &**log).collect();
    let (judged, mut comparisons) =
        gates::judge_logs(&args.gates, &logs, args.against.as_deref(), &folder)?;
    comparisons.extend(aftermaths.into_iter().filter_map(|(_, aftermath)| aftermath.comparison()));
    let status = args.gates.conclude(&judged, &comparisons, printer)?;
    Ok((status == ExitStatus::GateFailed).then_some(status))
}

fn ending(results: &[Finished], unscored: bool, printer: &mut Printer) -> ExitStatus {
    let mut status = if unscored { ExitStatus::SomeUnscored } else { ExitStatus::Done };
    for result in results {
        let log = result.logs.first().map(|log| log.display().to_string()).unwrap_or_default();
        match &result.ending {
            Ending::Complete => {}
            Ending::Interrupted => {
                printer.note(format!("interrupted; go on with `toolgauge run --resume {log}`"));
                status = ExitStatus::Interrupted;
            }
            Ending::ServerGone(TrialFailure { message, .. }) => {
                printer.warning(format!(
                    "the server is gone: {message}\n  hint: when it is back, go on with \
                     `toolgauge run --resume {log}`"
                ));
                status = status.max(ExitStatus::SomeUnscored);
            }
        }
    }
    status
}
