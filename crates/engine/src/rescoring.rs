//! Logs that are judged again, without calling the model that was measured.

mod offered;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use indexmap::IndexMap;
use toolgauge_core::{Books, Case, Fix, Outcome, Run, RunEntry, Transcript, Trial, timestamp};
use toolgauge_log::{
    Damage, Log, LogWriter, RawLogWriter, RunStatus, TrialSummary, UnfinishedFile, is_address,
    rescore, rescore_foreign,
};
use toolgauge_report::{Summary, SummaryTally};
use toolgauge_runner::end_states;
use toolgauge_score::{EndStates, Evidence, Scorer};

use self::offered::Offered;
use crate::cell::new_run_id;
use crate::error::EngineError;
use crate::log_target::LogTarget;
use crate::scorers;
use crate::settings::Settings;

/// Has a model look at what was said in a case, and write what it finds into the transcript.
pub type Vote<'a> = &'a dyn Fn(&Case, &mut Transcript);

/// How a log is to be judged again.
#[derive(Clone, Copy)]
pub struct RescoringRequest<'a> {
    /// The scorers asked for; none means those of the log.
    pub scorers: &'a [String],
    /// Options of these scorers, as `SCORER.NAME=VALUE`.
    pub options: &'a [String],
    /// The faults of the classic scorer to put right; none means those of the log.
    pub fixes: &'a [Fix],
    /// Has a model look at a transcript before the scorers see it.
    pub vote: Option<Vote<'a>>,
    /// Whether it votes, so that the scorer that reads votes has something to say.
    pub votes: bool,
    /// Where the new log goes; beside the old one unless named.
    pub log_dir: Option<&'a Path>,
    /// The settings, for what tokens cost.
    pub settings: &'a Settings,
}

/// A log that was judged again.
#[derive(Clone, Debug)]
pub struct Rescored {
    /// The new log.
    pub log: PathBuf,
    /// Its numbers.
    pub summary: Summary,
    /// Why answers could not be held against what the suite's world has written down.
    pub without_books: Option<String>,
}

impl RescoringRequest<'_> {
    /// Judges every trial of a log again and writes a new one, on as many threads as there are
    /// processors. Its numbers are added up on the way. Where a model votes, `progress` is told how
    /// many trials are done before each.
    pub fn judge(
        &self,
        path: &Path,
        progress: &mut dyn FnMut(usize, &Log),
    ) -> Result<Rescored, EngineError> {
        let log = Log::open(path)?;
        let (scorers, fixes) = self.judges(log.run())?;
        let mut run = head(log.run(), &scorers, &fixes);
        if !self.options.is_empty() {
            RunEntry::ScorerOptions.put(&mut run.settings, self.options);
        }
        let panel = Panel::new(scorers, log.run())?;
        let beside = path.parent().unwrap_or(Path::new(""));
        let folder = self.log_dir.unwrap_or(beside);
        let place = LogTarget::new(&folder.join(toolgauge_log::file_name(&run)))?;
        if !is_address(folder) {
            std::fs::create_dir_all(folder)
                .map_err(|error| EngineError::file("create", folder, error))?;
        }
        if !log.is_own() {
            let copy = ScoredCopy { log: &log, run: &run, panel: &panel, target: place.path() };
            let summary = self.add_scores(&copy, progress)?;
            return Ok(panel.rescored(place.keep()?, summary));
        }
        let (writer, unfinished) =
            UnfinishedFile::create(|| LogWriter::create(place.path(), &run), LogWriter::path)?;
        let mut new = NewLog { writer, tally: SummaryTally::of(&run) };
        let damage = match self.vote {
            None => {
                let judged = |trial: &Trial| panel.outcomes(trial, panel.states(trial).as_ref());
                rescore(&log, &mut new.writer, judged, |summary| new.tally.add(summary))?
            }
            Some(vote) => panel.judge_with(vote, &log, &mut new, progress)?,
        };
        something_read(path, &damage, new.tally.trials())?;
        let NewLog { writer, tally } = new;
        // A log that was never finished stays an incomplete run, though its trials were judged
        // again.
        writer.finish(log.status().unwrap_or(&RunStatus::Cancelled))?;
        unfinished.keep();
        let price = self.settings.price_of(&run);
        let summary = Summary { damage, ..tally.summary(&run, price) };
        Ok(panel.rescored(place.keep()?, summary))
    }

    /// Adds the scores to a copy of a log that another program wrote, and keeps all that is in it.
    fn add_scores(
        &self,
        copy: &ScoredCopy<'_>,
        progress: &mut dyn FnMut(usize, &Log),
    ) -> Result<Summary, EngineError> {
        let ScoredCopy { log, run, panel, target } = copy;
        let (mut writer, unfinished) =
            UnfinishedFile::create(|| RawLogWriter::create(target), RawLogWriter::path)?;
        let mut tally = SummaryTally::of(run);
        let mut done = 0;
        let judged = |trial: &mut Trial| {
            if let Some(vote) = self.vote {
                progress(done, log);
                vote(&trial.case, &mut trial.transcript);
            }
            done += 1;
            panel.outcomes(trial, panel.states(trial).as_ref())
        };
        let damage = rescore_foreign(log, &mut writer, judged, |summary| tally.add(summary))?;
        something_read(log.path(), &damage, tally.trials())?;
        writer.finish()?;
        unfinished.keep();
        Ok(Summary { damage, ..tally.summary(run, self.settings.price_of(run)) })
    }

    /// The scorers asked for, else those of the log; a log of another program is judged by the
    /// usual one. With them the faults to put right: those asked for, else those of the log.
    fn judges(&self, run: &Run) -> Result<(Vec<Scorer>, Vec<Fix>), EngineError> {
        let own = run.scorers.iter().map(String::as_str);
        // Scores of other programs have names that no scorer here goes by.
        let own: Vec<&str> = own.filter(|name| Scorer::by_name(name).is_some()).collect();
        let mut names = match (self.scorers, own.as_slice()) {
            ([], []) => vec![scorers::DEFAULT],
            ([], own) => own.to_vec(),
            (asked_for, _) => asked_for.iter().map(String::as_str).collect(),
        };
        // Votes that no scorer reads would be cast in vain.
        if self.votes && !names.contains(&crate::judges::SCORER) {
            names.push(crate::judges::SCORER);
        }
        let mut fixes = self.fixes.to_vec();
        if fixes.is_empty() && names.contains(&scorers::CLASSIC) {
            fixes = run.fixes();
        }
        Ok((scorers::with_options(scorers::named(&names, &fixes)?, self.options)?, fixes))
    }
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
    // Another scorer is not judged by what was put right in the classic one.
    if fixes != old.fixes() {
        run.set_fixes(fixes);
    }
    // Floors are scores of the first scorer, and mean nothing beside those of another.
    if run.scorers.first() != old.scorers.first() {
        run.forget_floors();
    }
    run
}

/// Refuses a log of which nothing can be read.
pub fn something_read(log: &Path, damage: &Damage, readable: usize) -> Result<(), EngineError> {
    match damage.describe(readable).filter(|_| readable == 0) {
        Some(why) => Err(EngineError::UnreadableLog { path: log.to_owned(), why }),
        None => Ok(()),
    }
}

/// A log of another program, and the copy of it that gets scores.
struct ScoredCopy<'a> {
    log: &'a Log,
    /// The run as the scores of the copy judge it.
    run: &'a Run,
    panel: &'a Panel,
    target: &'a Path,
}

/// A log that is being written, and its numbers so far.
struct NewLog {
    writer: LogWriter,
    tally: SummaryTally,
}

/// All who judge the trials of a log, and what they need to know of its suite.
struct Panel {
    scorers: Vec<Scorer>,
    offered: Offered,
    by_state: bool,
    books: Result<Option<Arc<Books>>, EngineError>,
}

impl Panel {
    fn new(scorers: Vec<Scorer>, run: &Run) -> Result<Self, EngineError> {
        let by_state = scorers.iter().any(Scorer::needs_states);
        let offered = Offered::of(run, by_state)?;
        let reads_books = scorers.iter().any(Scorer::reads_books);
        let books = if reads_books { offered.books(run) } else { Ok(None) };
        Ok(Self { scorers, offered, by_state, books })
    }

    fn rescored(&self, log: PathBuf, summary: Summary) -> Rescored {
        let without_books = self.books.as_ref().err().map(EngineError::to_string);
        Rescored { log, summary, without_books }
    }

    /// What the calls of a trial led to, if anybody judges by that.
    fn states(&self, trial: &Trial) -> Option<EndStates> {
        let world = self.offered.world().filter(|_| self.by_state)?;
        end_states(world, &trial.case, &trial.transcript)
    }

    fn outcomes(&self, trial: &Trial, states: Option<&EndStates>) -> IndexMap<String, Outcome> {
        let tools = self.offered.tools(&trial.case);
        let evidence = Evidence::new(&trial.case, &tools, &trial.transcript)
            .with_states(states)
            .with_books(self.books.as_ref().ok().and_then(Option::as_ref));
        scorers::judge(&self.scorers, &evidence)
    }

    /// Has new votes cast. They are part of the transcript, which is then written anew as well.
    fn judge_with(
        &self,
        vote: Vote<'_>,
        log: &Log,
        new: &mut NewLog,
        progress: &mut dyn FnMut(usize, &Log),
    ) -> Result<Damage, EngineError> {
        let mut damage = Damage::default();
        for (done, trial) in log.trials().enumerate() {
            progress(done, log);
            let mut trial = match trial {
                Ok(trial) => trial,
                Err(error) => {
                    damage.note(&error);
                    continue;
                }
            };
            vote(&trial.case, &mut trial.transcript);
            let states = self.states(&trial);
            trial.outcomes = self.outcomes(&trial, states.as_ref());
            if let Some(states) = states {
                trial.transcript.background.changes = states.changes();
            }
            new.tally.add(&TrialSummary::of(&trial));
            new.writer.append(&trial)?;
        }
        Ok(damage)
    }
}
