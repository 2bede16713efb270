//! `toolgauge score`: judges again, without calling a model.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use indexmap::IndexMap;
use jiff::Timestamp;
use toolgauge_core::{Case, CaseId, Outcome, Run, RunId, SubjectIdentity, Tool, Transcript, Trial};
use toolgauge_log::{
    Damage, Log, LogWriter, RunStatus, TranscriptLine, TrialSummary, read_transcripts, rescore,
};
use toolgauge_model::Briefing;
use toolgauge_report::{Overview, Summary, Tally};
use toolgauge_runner::{Judge, end_states};
use toolgauge_score::{EndStates, Evidence, Fix, Scorer};
use toolgauge_suite::Selection;
use toolgauge_world::World;
use uuid::Uuid;

use crate::cell::Cell;
use crate::failure::Failure;
use crate::flags::FixFlags;
use crate::invocation::Invocation;
use crate::judges::{self, JudgeFlags};
use crate::layer::Layer;
use crate::printer::Printer;
use crate::settings::Settings;
use crate::{ExitStatus, scorers, suites, summaries, worlds};

/// How long a judge may be silent before a person is told how far it is.
const BETWEEN_WORDS: Duration = Duration::from_secs(5);

/// Judge logs or transcripts again, without calling a model.
///
/// A model is called only where `--judge` names one, and only for answers it has not judged yet.
/// A log is judged by its own scorers or those named, and a new log is written beside it. Samples
/// that are damaged are named and left out of it, and the exit status is 3.
/// Transcripts from anywhere are held against a suite: one JSON object a line, with the `id` of
/// the case and its `messages` in OpenAI's form.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The logs to judge again.
    #[arg(value_name = "LOG", required_unless_present = "transcripts")]
    logs: Vec<PathBuf>,

    /// Judge by these scorers; the first one's judgement counts [default: the log's own].
    #[arg(long = "scorer", value_name = "NAME", value_delimiter = ',')]
    scorers: Vec<String>,

    #[command(flatten)]
    fixes: FixFlags,

    /// The suite the transcripts belong to.
    #[arg(long, value_name = "SUITE", requires = "transcripts")]
    suite: Option<String>,

    /// A file of transcripts to judge.
    #[arg(long, value_name = "FILE", requires = "suite", conflicts_with = "logs")]
    transcripts: Option<PathBuf>,

    #[command(flatten)]
    judge: JudgeFlags,

    /// Where the new logs go [default: beside the old one; `logs` for transcripts].
    #[arg(long, value_name = "FOLDER")]
    log_dir: Option<PathBuf>,
}

pub(super) fn exec(args: &Args, printer: &mut Printer) -> Result<ExitStatus, Failure> {
    // A name that no scorer has is better known before the first log than after it.
    for name in &args.scorers {
        scorers::by_name(name)?;
    }
    let mut written = Vec::new();
    for log in &args.logs {
        written.push(score_log(log, args, printer)?);
    }
    if let (Some(file), Some(suite)) = (&args.transcripts, &args.suite) {
        let log = score_transcripts(args, file, suite, printer)?;
        let (summary, _) = summaries::of_log(&log)?;
        written.push((log, summary));
    }
    for (log, summary) in &written {
        printer.print_report(summary)?;
        printer.print(&format!("  log        {}\n\n", log.display()))?;
    }
    if written.len() > 1 {
        printer.print_report(&Overview::of(written.iter().map(|(_, summary)| summary)))?;
    }
    // Transcripts come from no log, and none of them is damaged.
    let judged = args.logs.iter().zip(&written);
    let damage = judged.map(|(log, (_, judged))| (log.as_path(), &judged.damage, judged.trials));
    Ok(summaries::tell_damage(damage, printer))
}

/// Judges every trial of a log again and writes a new one, on as many threads as there are
/// processors. Its numbers are added up on the way.
fn score_log(
    path: &Path,
    args: &Args,
    printer: &mut Printer,
) -> Result<(PathBuf, Summary), Failure> {
    let log = Log::open(path)?;
    let bench = Bench::of(args, path, printer)?;
    let (mut scorers, fixes) = judges(args, log.run())?;
    bench.see_to(&mut scorers);
    let offered = Offered::of(log.run(), scorers.iter().any(Scorer::needs_states))?;
    let mut run = Run {
        id: RunId::new(Uuid::now_v7().simple().to_string()),
        created: Timestamp::now(),
        scorers: scorers.iter().map(|scorer| scorer.name().to_owned()).collect(),
        ..log.run().clone()
    };
    if !fixes.is_empty() {
        run.settings.insert("fixes".to_owned(), fixes.into());
    }
    let beside = path.parent().unwrap_or(Path::new(""));
    let folder = args.log_dir.as_deref().unwrap_or(beside);
    let target = folder.join(toolgauge_log::file_name(&run));
    let mut writer = LogWriter::create(&target, &run)?;
    let mut tally = Tally::of(&run);
    let mut damage = Damage::default();
    let by_state = scorers.iter().any(Scorer::needs_states);
    let states = |trial: &Trial| {
        let world = offered.world().filter(|_| by_state);
        world.and_then(|world| end_states(world, &trial.case, &trial.transcript))
    };
    let judged = |trial: &Trial, states: Option<&EndStates>| {
        judge(&trial.case, &trial.transcript, &offered.tools(&trial.case), states, &scorers)
    };
    if bench.is_empty() {
        let judged = |trial: &Trial| judged(trial, states(trial).as_ref());
        damage = rescore(&log, &mut writer, judged, |summary| tally.add(summary))?;
    } else {
        // New votes are part of the transcript, which is then written anew as well.
        let mut told = Instant::now();
        for (done, trial) in log.trials().enumerate() {
            if told.elapsed() > BETWEEN_WORDS {
                printer.note(format!("{done} of {} trials judged", log.len()));
                told = Instant::now();
            }
            let mut trial = match trial {
                Ok(trial) => trial,
                Err(error) => {
                    damage.note(&error);
                    continue;
                }
            };
            bench.judge(&trial.case, &mut trial.transcript);
            let states = states(&trial);
            trial.outcomes = judged(&trial, states.as_ref());
            if let Some(states) = states {
                trial.transcript.background.changes = states.changes();
            }
            tally.add(&TrialSummary::of(&trial));
            writer.append(&trial)?;
        }
    }
    let judged = tally.trials();
    if let Err(failure) = summaries::something_read(path, &damage, judged) {
        drop(writer);
        // An empty log would only be in the way.
        let _ = std::fs::remove_file(&target);
        return Err(failure);
    }
    writer.finish(log.status().unwrap_or(&RunStatus::Cancelled))?;
    let price = summaries::price(&Settings::resolve(&[])?, &run);
    let summary = Summary { damage, ..tally.summary(&run, price) };
    Ok((target, summary))
}

/// The model that judges before the scorers do, if one was asked for.
struct Bench(Option<(Judge, tokio::runtime::Runtime)>);

impl Bench {
    /// The judge that was asked for; its memory is beside the log unless said otherwise.
    fn of(args: &Args, log: &Path, printer: &mut Printer) -> Result<Self, Failure> {
        let beside = log.parent().unwrap_or(Path::new("")).display().to_string();
        let layer = Layer::default().with("run", "log_dir", Some(beside));
        let settings = Settings::resolve(&[layer.table()])?;
        let Some(order) = args.judge.order(&settings)? else { return Ok(Self(None)) };
        let runtime = tokio::runtime::Runtime::new()?;
        let settings = runtime.block_on(order.reached(&settings, printer));
        Ok(Self(Some((order.build(&settings)?, runtime))))
    }

    /// Adds the scorer that reads the votes.
    fn see_to(&self, scorers: &mut Vec<Scorer>) {
        let missing = scorers.iter().all(|scorer| scorer.name() != judges::SCORER);
        if self.0.is_some() && missing {
            scorers.extend(Scorer::by_name(judges::SCORER));
        }
    }

    fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    fn judge(&self, case: &Case, transcript: &mut Transcript) {
        if let Some((judge, runtime)) = &self.0 {
            runtime.block_on(judge.judge(case, transcript));
        }
    }
}

/// The scorers asked for, else those a log was judged by; a log of another program is judged by
/// the usual one. With them the faults to put right: those asked for, else the log's.
fn judges(args: &Args, run: &Run) -> Result<(Vec<Scorer>, Vec<String>), Failure> {
    let own = run.scorers.iter().map(String::as_str);
    let own: Vec<&str> = own.filter(|name| Scorer::by_name(name).is_some()).collect();
    let names = match (args.scorers.as_slice(), own.as_slice()) {
        ([], []) => vec![scorers::DEFAULT],
        ([], own) => own.to_vec(),
        (asked_for, _) => asked_for.iter().map(String::as_str).collect(),
    };
    let mut fixes = args.fixes.names();
    if fixes.is_empty() && names.contains(&scorers::CLASSIC) {
        fixes = Invocation::of(run).map(|invocation| invocation.fixes).unwrap_or_default();
    }
    let rules: Vec<Fix> = fixes.iter().filter_map(|name| Fix::by_name(name)).collect();
    Ok((scorers::named(&names, &rules)?, fixes))
}

fn judge(
    case: &Case,
    transcript: &Transcript,
    tools: &[Tool],
    states: Option<&EndStates>,
    scorers: &[Scorer],
) -> IndexMap<String, Outcome> {
    let evidence = Evidence::new(case, tools, transcript).with_states(states);
    let judgement = |scorer: &Scorer| (scorer.name().to_owned(), scorer.judge(&evidence));
    scorers.iter().map(judgement).collect()
}

/// The tools that were offered, as far as a log or its suite can tell.
enum Offered {
    /// The same to all cases.
    All(Arc<[Tool]>),
    /// As the suite's world offers them.
    ByWorld(Arc<dyn World>),
}

impl Offered {
    fn of(run: &Run, judged_by_state: bool) -> Result<Self, Failure> {
        if !run.tools.is_empty() && !judged_by_state {
            return Ok(Self::All(run.tools.clone().into()));
        }
        let Some(invocation) = Invocation::of(run) else { return Ok(Self::All(Arc::new([]))) };
        let suite = suites::load_with(&invocation.suite, &invocation.world)?;
        Ok(Self::ByWorld(worlds::build(&suite, run.variant.as_deref())?))
    }

    fn world(&self) -> Option<&dyn World> {
        match self {
            Self::All(_) => None,
            Self::ByWorld(world) => Some(world.as_ref()),
        }
    }

    fn tools(&self, case: &Case) -> Arc<[Tool]> {
        match self {
            Self::All(tools) => Arc::clone(tools),
            Self::ByWorld(world) => world.tools(case),
        }
    }
}

/// Holds a file of transcripts against a suite and writes a log.
fn score_transcripts(
    args: &Args,
    file: &Path,
    suite: &str,
    printer: &mut Printer,
) -> Result<PathBuf, Failure> {
    let cannot_read = |error| Failure::file("read", file, error);
    let opened = BufReader::new(File::open(file).map_err(cannot_read)?);
    let lines: Result<Vec<TranscriptLine>, _> = read_transcripts(opened).collect();
    let lines = lines.map_err(|error| Failure::Transcripts { file: file.to_owned(), error })?;
    let cell = cell_for(args, suite, &lines)?;
    let world = worlds::build(&cell.suite, None)?;
    let briefings = cell.briefings(None, world.as_ref())?;
    let name = file.file_stem().map(|name| name.to_string_lossy().into_owned());
    let subject = SubjectIdentity {
        name: name.unwrap_or_default(),
        provider: "transcripts".into(),
        base_url: None,
    };
    let run = cell.head(None, subject, world.as_ref(), &briefings)?;
    let folder = PathBuf::from(&cell.invocation.settings.run.log_dir);
    std::fs::create_dir_all(&folder).map_err(|error| Failure::file("create", &folder, error))?;
    let target = folder.join(toolgauge_log::file_name(&run));
    let mut writer = LogWriter::create(&target, &run)?;
    let scorers = cell.scorers()?;
    let bench = Bench::of(args, &target, printer)?;
    let told: HashMap<&CaseId, (&Arc<Case>, &Arc<Briefing>)> =
        cell.cases.iter().zip(&briefings).map(|(case, b)| (&case.id, (case, b))).collect();
    for line in lines {
        let (case, briefing) = told[&line.case];
        let now = Timestamp::now();
        let (number, mut transcript) = (line.trial, line.transcript(case));
        bench.judge(case, &mut transcript);
        let world = world.as_ref();
        let states = world.has_state().then(|| end_states(world, case, &transcript)).flatten();
        let outcomes = judge(case, &transcript, &briefing.tools, states.as_ref(), &scorers);
        transcript.background.changes = states.map(|states| states.changes()).unwrap_or_default();
        let (started, ended, case) = (now, now, Arc::clone(case));
        writer.append(&Trial { case, number, started, ended, transcript, outcomes })?;
    }
    Ok(writer.finish(&RunStatus::Success)?)
}

/// The suite, and of its cases those that have a transcript.
fn cell_for(args: &Args, suite: &str, lines: &[TranscriptLine]) -> Result<Cell, Failure> {
    let log_dir = args.log_dir.as_ref().map(|folder| folder.display().to_string());
    let layer = Layer::default().with("run", "log_dir", log_dir);
    let mut settings = Settings::resolve(&[layer.table()])?;
    settings.run.trials = lines.iter().map(|line| line.trial).max().unwrap_or(1);
    let loaded = Arc::new(suites::load(suite)?);
    let known: HashSet<&CaseId> = loaded.cases.iter().map(|case| &case.id).collect();
    if let Some(line) = lines.iter().find(|line| !known.contains(&line.case)) {
        return Err(Failure::UnknownCase { case: line.case.clone(), suite: suite.to_owned() });
    }
    let judge = args.judge.order(&settings)?;
    let only = Some(lines.iter().map(|line| line.case.clone()).collect());
    Ok(Cell {
        cases: Selection { only, ..Selection::default() }.select(&loaded)?,
        suite: loaded,
        invocation: Invocation {
            suite: suite.to_owned(),
            model: "transcripts".to_owned(),
            settings,
            world: serde_json::Map::new(),
            body: serde_json::Map::new(),
            scorers: args.scorers.clone(),
            fixes: args.fixes.names(),
            matrix: None,
            judge,
        },
        variants: vec![None],
        key: None,
    })
}
