//! Logs that are judged again.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use indexmap::IndexMap;
use toolgauge_core::{Fix, Outcome, Run, Trial, timestamp};
use toolgauge_log::{Damage, Log, LogWriter, RunStatus, TrialSummary, UnfinishedFile, rescore};
use toolgauge_report::{Summary, SummaryTally};
use toolgauge_runner::end_states;
use toolgauge_score::{EndStates, Evidence, Scorer};

use super::args::Args;
use super::log_judge::LogJudge;
use super::offered::Offered;
use crate::cell::new_run_id;
use crate::failure::Failure;
use crate::printer::Printer;
use crate::settings::Settings;
use crate::{scorers, summaries};

/// How long a judge may be silent before a person is told how far it is.
const BETWEEN_WORDS: Duration = Duration::from_secs(5);

/// Judges every trial of a log again and writes a new one, on as many threads as there are
/// processors. Its numbers are added up on the way.
pub(super) fn score_log(
    path: &Path,
    args: &Args,
    settings: &Settings,
    printer: &mut Printer,
) -> Result<(PathBuf, Summary), Failure> {
    let log = Log::open(path)?;
    let bench = LogJudge::of(args, path, settings, printer)?;
    let (mut scorers, fixes) = judges(args, log.run())?;
    bench.see_to(&mut scorers);
    let run = head(log.run(), &scorers, &fixes);
    let panel = LogScoring::new(bench, scorers, log.run())?;
    let beside = path.parent().unwrap_or(Path::new(""));
    let folder = args.log_dir.as_deref().unwrap_or(beside);
    let target = folder.join(toolgauge_log::file_name(&run));
    std::fs::create_dir_all(folder).map_err(|error| Failure::file("create", folder, error))?;
    let (mut writer, unfinished) =
        UnfinishedFile::create(|| LogWriter::create(&target, &run), LogWriter::path)?;
    let mut tally = SummaryTally::of(&run);
    let damage = if panel.bench.is_empty() {
        let judged = |trial: &Trial| panel.outcomes(trial, panel.states(trial).as_ref());
        rescore(&log, &mut writer, judged, |summary| tally.add(summary))?
    } else {
        panel.vote(&log, &mut writer, &mut tally, printer)?
    };
    summaries::something_read(path, &damage, tally.trials())?;
    writer.finish(log.status().unwrap_or(&RunStatus::Cancelled))?;
    unfinished.keep();
    let price = summaries::price(settings, &run);
    let summary = Summary { damage, ..tally.summary(&run, price) };
    Ok((target, summary))
}

/// The scorers asked for, else those a log was judged by; a log of another program is judged by
/// the usual one. With them the faults to put right: those asked for, else the log's.
fn judges(args: &Args, run: &Run) -> Result<(Vec<Scorer>, Vec<Fix>), Failure> {
    let own = run.scorers.iter().map(String::as_str);
    let own: Vec<&str> = own.filter(|name| Scorer::by_name(name).is_some()).collect();
    let names = match (args.scorers.as_slice(), own.as_slice()) {
        ([], []) => vec![scorers::DEFAULT],
        ([], own) => own.to_vec(),
        (asked_for, _) => asked_for.iter().map(String::as_str).collect(),
    };
    let mut fixes = args.fixes.rules();
    if fixes.is_empty() && names.contains(&scorers::CLASSIC) {
        fixes = run.fixes();
    }
    Ok((scorers::named(&names, &fixes)?, fixes))
}

/// The head of the new log.
fn head(old: &Run, scorers: &[Scorer], fixes: &[Fix]) -> Run {
    let created = timestamp(SystemTime::now());
    let mut run = Run {
        id: new_run_id(created),
        created,
        scorers: scorers.iter().map(|scorer| scorer.name().to_owned()).collect(),
        ..old.clone()
    };
    if !fixes.is_empty() {
        run.set_fixes(fixes);
    }
    if run.scorers.first() != old.scorers.first() {
        run.forget_floors();
    }
    run
}

/// All who judge the trials of a log, and what they need to know of its suite.
struct LogScoring {
    bench: LogJudge,
    scorers: Vec<Scorer>,
    offered: Offered,
    by_state: bool,
}

impl LogScoring {
    fn new(bench: LogJudge, scorers: Vec<Scorer>, run: &Run) -> Result<Self, Failure> {
        let by_state = scorers.iter().any(Scorer::needs_states);
        let offered = Offered::of(run, by_state)?;
        Ok(Self { bench, scorers, offered, by_state })
    }

    /// What the calls of a trial led to, if anybody judges by that.
    fn states(&self, trial: &Trial) -> Option<EndStates> {
        let world = self.offered.world().filter(|_| self.by_state)?;
        end_states(world, &trial.case, &trial.transcript)
    }

    fn outcomes(&self, trial: &Trial, states: Option<&EndStates>) -> IndexMap<String, Outcome> {
        let tools = self.offered.tools(&trial.case);
        let evidence = Evidence::new(&trial.case, &tools, &trial.transcript).with_states(states);
        scorers::judge(&self.scorers, &evidence)
    }

    /// Has new votes cast. They are part of the transcript, which is then written anew as well.
    fn vote(
        &self,
        log: &Log,
        writer: &mut LogWriter,
        tally: &mut SummaryTally,
        printer: &mut Printer,
    ) -> Result<Damage, Failure> {
        let mut damage = Damage::default();
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
            self.bench.judge(&trial.case, &mut trial.transcript);
            let states = self.states(&trial);
            trial.outcomes = self.outcomes(&trial, states.as_ref());
            if let Some(states) = states {
                trial.transcript.background.changes = states.changes();
            }
            tally.add(&TrialSummary::of(&trial));
            writer.append(&trial)?;
        }
        Ok(damage)
    }
}
