//! Transcripts from anywhere, held against a suite.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use toolgauge_core::{Briefing, Case, CaseId, SubjectIdentity, Trial, timestamp};
use toolgauge_engine::LogTarget;
use toolgauge_log::{
    LogWriter, RunStatus, TranscriptLine, UnfinishedFile, is_address, read_transcripts,
};
use toolgauge_model::recognize;
use toolgauge_runner::{ToolSchemas, end_states, proved};
use toolgauge_score::{Evidence, Scorer};
use toolgauge_suite::Selection;

use super::args::Args;
use super::log_judge::LogJudge;
use crate::cell::Cell;
use crate::failure::Failure;
use crate::invocation::Invocation;
use crate::printer::Printer;
use crate::settings::Settings;
use crate::{scorers, suites, worlds};

/// Holds a file of transcripts against a suite and writes a log.
pub(super) fn score_transcripts(
    args: &Args,
    file: &Path,
    suite: &str,
    settings: &Settings,
    printer: &mut Printer,
) -> Result<PathBuf, Failure> {
    let cannot_read = |error| Failure::file("read", file, error);
    let opened = BufReader::new(File::open(file).map_err(cannot_read)?);
    let lines: Result<Vec<TranscriptLine>, _> = read_transcripts(opened).collect();
    let mut lines = lines.map_err(|error| Failure::Transcripts { file: file.to_owned(), error })?;
    number_apart(&mut lines);
    let cell = cell_for(args, suite, settings, &lines)?;
    let (told, all) = (cell.cases.len(), cell.suite.cases.len());
    if told < all {
        printer.note(format!("{told} of {all} cases of the suite have a transcript"));
    }
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
    let place = LogTarget::new(&folder.join(toolgauge_log::file_name(&run)))?;
    if !is_address(&folder) {
        std::fs::create_dir_all(&folder)
            .map_err(|error| Failure::file("create", &folder, error))?;
    }
    let target = place.path();
    let (mut writer, unfinished) =
        UnfinishedFile::create(|| LogWriter::create(target, &run), LogWriter::path)?;
    let scorers = cell.scorers()?;
    let bench = LogJudge::of_cases(args, &cell.cases, target, settings, printer)?;
    let told: HashMap<&CaseId, (&Arc<Case>, &Arc<Briefing>)> =
        cell.cases.iter().zip(&briefings).map(|(case, b)| (&case.id, (case, b))).collect();
    let schemas = ToolSchemas::default();
    let books = scorers.iter().any(Scorer::reads_books).then(|| world.books()).flatten();
    for line in lines {
        let (case, briefing) = told[&line.case];
        let now = timestamp(SystemTime::now());
        let (number, mut transcript) = (line.trial, line.transcript(case));
        recognize(&mut transcript, &briefing.tools);
        bench.judge(case, &mut transcript);
        let world = world.as_ref();
        transcript.background.proved = proved(world, case);
        let states = world.has_state().then(|| end_states(world, case, &transcript)).flatten();
        let evidence = Evidence::new(case, &briefing.tools, &transcript).with_books(books.as_ref());
        let outcomes = scorers::judge(&scorers, &evidence.with_states(states.as_ref()));
        transcript.background.violations = schemas.violations(&briefing.tools, &transcript);
        transcript.background.changes = states.map(|states| states.changes()).unwrap_or_default();
        let (started, ended, case) = (now, now, Arc::clone(case));
        writer.append(&Trial { case, number, started, ended, transcript, outcomes })?;
    }
    writer.finish(&RunStatus::Success)?;
    unfinished.keep();
    Ok(place.keep()?)
}

/// Gives conversations of one case different numbers: a line without one is trial 1, and people
/// record several.
fn number_apart(lines: &mut [TranscriptLine]) {
    let mut taken: HashMap<CaseId, BTreeSet<u32>> = HashMap::new();
    for line in lines {
        let numbers = taken.entry(line.case.clone()).or_default();
        if !numbers.insert(line.trial) {
            line.trial = numbers.last().map_or(1, |last| last.saturating_add(1));
            numbers.insert(line.trial);
        }
    }
}

/// The suite, and of its cases those that have a transcript.
fn cell_for(
    args: &Args,
    suite: &str,
    settings: &Settings,
    lines: &[TranscriptLine],
) -> Result<Cell, Failure> {
    let mut settings = settings.clone();
    if let Some(folder) = &args.output {
        settings.run.log_dir = folder.display().to_string();
    }
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
            scorers: args.scorers.clone(),
            fixes: args.fixes.rules(),
            judge,
            ..Invocation::new(suite, "transcripts", settings)
        },
        variants: vec![None],
        key: None,
    })
}
