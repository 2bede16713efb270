//! One cell of a run's matrix: one suite on one model, in one or more variants.

mod claimed;
mod head;
mod limits;
mod open_log;
mod shard_part;
mod variant_setup;

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use toolgauge_core::{Case, CaseId, TrialId, public_address};
use toolgauge_log::{Log, LogWriter, RunStatus};
use toolgauge_model::{LlamaServer, Secret};
use toolgauge_report::number::counted;
use toolgauge_runner::{Arm, Ending, Plan, RunLimits, SameFailures, StopSignal};
use toolgauge_suite::Suite;

pub use self::head::new_run_id;
use self::open_log::OpenLog;
use self::shard_part::CellPart;
use self::variant_setup::VariantSetup;
use crate::adaptive::{self, AdaptiveJournal, Stopping, StoppingRule, Until};
use crate::error::EngineError;
use crate::invocation::Invocation;
use crate::journal::Journal;
use crate::judges::JudgeOrder;
use crate::likeness;
use crate::log_home::{LogHome, Uploads};
use crate::observer::Observer;
use crate::prompt_order;
use crate::settings::Settings;
use crate::subjects::{Servers, llama};
use crate::waiting::Waiting;

/// One suite on one model.
pub struct Cell {
    /// The suite.
    pub suite: Arc<Suite>,
    /// Its cases that are run.
    pub cases: Vec<Arc<Case>>,
    /// What was asked for.
    pub invocation: Invocation,
    /// The variants to run side by side; `None` is the suite as it is.
    pub variants: Vec<Option<String>>,
    /// The key for the server.
    pub key: Option<Secret>,
}

/// How the run of a cell ended, and where its logs are, one for each variant.
pub struct Finished {
    /// How the run ended.
    pub ending: Ending,
    /// Where the logs are.
    pub logs: Vec<PathBuf>,
    /// Who judged the answers.
    pub judge: Option<JudgeOrder>,
    /// What an adaptive run came to.
    pub stopping: Option<Stopping>,
    /// Whether it was a shard, which goes on by the same command.
    pub is_shard: bool,
}

impl Finished {
    /// What chunks of one plan came to together. Their logs are taken as one for each variant, by
    /// the pattern of their names.
    pub fn of_chunks(chunks: Vec<Self>) -> Option<Self> {
        let worst = |ending: &Ending| match ending {
            Ending::Complete => 0,
            Ending::EveryTrialFails(_) | Ending::ServerGone(_) => 1,
            Ending::Interrupted => 2,
        };
        let logs: Vec<Vec<PathBuf>> = chunks.iter().map(|chunk| chunk.logs.clone()).collect();
        let mut patterns = Vec::new();
        for log in logs.into_iter().flatten() {
            let pattern = toolgauge_log::shard_pattern(&log).unwrap_or(log);
            if !patterns.contains(&pattern) {
                patterns.push(pattern);
            }
        }
        let last = chunks.into_iter().max_by_key(|chunk| worst(&chunk.ending))?;
        Some(Self { logs: patterns, ..last })
    }
}

impl Cell {
    /// Runs every variant, each into a new log: in turns, or one after the other where the server
    /// would have to read its prompt anew at every turn. A shard goes on with the log that it left
    /// before, if it did.
    pub async fn run(
        &self,
        stop: &StopSignal,
        observer: &dyn Observer,
    ) -> Result<Finished, EngineError> {
        let home = self.home()?;
        let part = self.part()?;
        let logs = self.earlier_logs(part.as_ref(), &home)?;
        if logs.iter().all(|log| self.is_complete(log.as_ref(), part.as_ref())) {
            return self.close(logs.into_iter().flatten(), &home, stop, observer).await;
        }
        let (served, llama) = self.serve(&Waiting::new(stop, observer)).await?;
        let run = self.run_part(part.as_ref(), logs, &home, (&served, stop, observer));
        let ended = Box::pin(run).await;
        llama::stop(llama).await;
        ended
    }

    /// The same where the model is served already.
    pub async fn run_on(
        &self,
        served: &Invocation,
        stop: &StopSignal,
        observer: &dyn Observer,
    ) -> Result<Finished, EngineError> {
        let home = self.home()?;
        let part = self.part()?;
        let logs = self.earlier_logs(part.as_ref(), &home)?;
        // On the heap, here and below: a run's future is large, and others hold it.
        Box::pin(self.run_part(part.as_ref(), logs, &home, (served, stop, observer))).await
    }

    /// Runs what earlier logs lack. Where a variant has none, one is begun.
    async fn run_part(
        &self,
        part: Option<&CellPart>,
        earlier: Vec<Option<OpenLog>>,
        home: &LogHome,
        (served, stop, observer): (&Invocation, &StopSignal, &dyn Observer),
    ) -> Result<Finished, EngineError> {
        let sides = self.sides(served, part, &Waiting::new(stop, observer)).await?;
        let folder = home.folder();
        std::fs::create_dir_all(folder)
            .map_err(|error| EngineError::file("create", folder, error))?;
        let (mut logs, mut finished, mut begun) = (Vec::new(), Vec::new(), Vec::new());
        for (side, earlier) in sides.iter().zip(earlier) {
            let path = folder.join(toolgauge_log::file_name(&side.run));
            if earlier.is_none() {
                begun.push(path.clone());
            }
            let log = match earlier {
                Some(log) => log,
                None if part.is_some() => OpenLog::new(LogWriter::create_anew(&path, &side.run)?),
                None => OpenLog::new(LogWriter::create(&path, &side.run)?),
            };
            logs.push(log.writer);
            finished.push(log.finished);
        }
        let uploads = match home.upload(&logs, (&served.settings, stop)) {
            Ok(uploads) => uploads,
            Err(refused) => {
                // Nothing was measured, so nothing stays. Windows removes no open file.
                drop(logs);
                for log in &begun {
                    let _ = std::fs::remove_file(log);
                }
                return Err(refused);
            }
        };
        let paths: Vec<PathBuf> = logs.iter().map(|log| log.path().to_owned()).collect();
        let went_on = finished.iter().any(|finished| !finished.is_empty());
        let finished = if went_on { &*finished } else { &[] };
        let ended = self.go(sides, finished, Journal::new(logs, observer), stop).await;
        let paths = uploaded(uploads, paths, (&served.settings, stop, observer)).await;
        let (ending, stopping) = ended?;
        Ok(self.finished(ending, paths?, stopping))
    }

    /// Runs what is missing in a log, and adds it there.
    pub async fn resume(
        &self,
        path: &Path,
        stop: &StopSignal,
        observer: &dyn Observer,
    ) -> Result<Finished, EngineError> {
        // Before the server is asked: a log that another process writes is refused at once, and one
        // that lacks nothing needs no server.
        let (home, log) = open(path)?;
        if self.is_complete(Some(&log), None) {
            return self.close([log], &home, stop, observer).await;
        }
        let (served, llama) = self.serve(&Waiting::new(stop, observer)).await?;
        let ended = Box::pin(self.go_on(log, &home, (&served, stop, observer))).await;
        llama::stop(llama).await;
        ended
    }

    /// The same where the model is served already.
    pub async fn resume_on(
        &self,
        path: &Path,
        served: &Invocation,
        stop: &StopSignal,
        observer: &dyn Observer,
    ) -> Result<Finished, EngineError> {
        let (home, log) = open(path)?;
        Box::pin(self.go_on(log, &home, (served, stop, observer))).await
    }

    async fn go_on(
        &self,
        log: OpenLog,
        home: &LogHome,
        (served, stop, observer): (&Invocation, &StopSignal, &dyn Observer),
    ) -> Result<Finished, EngineError> {
        let sides = self.sides(served, None, &Waiting::new(stop, observer)).await?;
        let path = log.writer.path().to_owned();
        let logs = vec![log.writer];
        let uploads = home.upload(&logs, (&served.settings, stop))?;
        let journal = Journal::new(logs, observer);
        let ended = self.go(sides, &[log.finished], journal, stop).await;
        let paths = uploaded(uploads, vec![path], (&served.settings, stop, observer)).await;
        let (ending, stopping) = ended?;
        Ok(self.finished(ending, paths?, stopping))
    }

    /// Where the logs are written. A store that cannot be asked is refused.
    fn home(&self) -> Result<LogHome, EngineError> {
        let home = LogHome::new(Path::new(&self.invocation.settings.run.log_dir));
        home.check().map(|()| home)
    }

    fn finished(&self, ending: Ending, logs: Vec<PathBuf>, stopping: Option<Stopping>) -> Finished {
        let judge = self.invocation.judge.clone();
        Finished { ending, logs, judge, stopping, is_shard: self.invocation.shard.is_some() }
    }

    /// Whether a log has every trial, so that nobody need be asked. How long an adaptive run goes on
    /// is not known before.
    fn is_complete(&self, log: Option<&OpenLog>, part: Option<&CellPart>) -> bool {
        let Some(log) = log.filter(|_| self.invocation.settings.run.until.is_none()) else {
            return false;
        };
        let has_case = |case: &Arc<Case>| {
            let trials = 1..=self.invocation.settings.run.trials;
            trials
                .into_iter()
                .all(|trial| log.finished.contains(&TrialId { case: case.id.clone(), trial }))
        };
        match part {
            None => self.cases.iter().all(has_case),
            Some(part) => part.pick(&self.cases).iter().all(has_case),
        }
    }

    /// Ends with logs that lack nothing.
    async fn close(
        &self,
        logs: impl IntoIterator<Item = OpenLog>,
        home: &LogHome,
        stop: &StopSignal,
        observer: &dyn Observer,
    ) -> Result<Finished, EngineError> {
        observer.note("nothing was missing: every trial of the log is finished");
        let logs: Vec<LogWriter> = logs.into_iter().map(|log| log.writer).collect();
        let settings = &self.invocation.settings;
        let uploads = home.upload(&logs, (settings, stop))?;
        // Ended anew even if it was ended before: what was damaged in it is mended thereby.
        let ended = logs.into_iter().map(|log| log.finish(&RunStatus::Success));
        let logs = ended.collect::<Result<_, _>>()?;
        let logs = uploaded(uploads, logs, (settings, stop, observer)).await?;
        Ok(self.finished(Ending::Complete, logs, None))
    }

    /// Refuses a subject that cannot be asked: a model that its server does not have, a server that
    /// does not answer, a file that is not there. For cells whose turn comes later.
    pub async fn check_subject(
        &self,
        stop: &StopSignal,
        observer: &dyn Observer,
    ) -> Result<(), EngineError> {
        // Its server is started when its turn comes: two models may not fit into memory.
        if llama::is_file(Path::new(&self.invocation.model)) {
            return Ok(());
        }
        let variant = self.variants.first().and_then(Option::as_deref);
        let side = self.side(variant, &self.invocation, &Arc::default())?;
        let patience = self.invocation.settings.limits.patience.duration();
        // Warnings are for the run itself, which looks again.
        side.host.greet(None, patience, &Waiting::new(stop, observer)).await?;
        Ok(())
    }

    /// Where the model is to be asked: a GGUF file is given a server of its own.
    async fn serve(
        &self,
        waiting: &Waiting<'_>,
    ) -> Result<(Invocation, Option<LlamaServer>), EngineError> {
        let mut served = self.invocation.clone();
        if let Some(judge) = &served.judge {
            judge.greet(&served.settings, waiting).await?;
        }
        if let Some(gauge) = likeness::needed_by(&self.cases, &served.settings)? {
            likeness::check(&gauge).await?;
        }
        let llama = llama::start(&mut served.model, &mut served.settings, waiting).await?;
        Ok((served, llama))
    }

    async fn go(
        &self,
        sides: Vec<VariantSetup>,
        finished: &[HashSet<TrialId>],
        mut journal: Journal<'_>,
        stop: &StopSignal,
    ) -> Result<(Ending, Option<Stopping>), EngineError> {
        let runs_commands = sides.iter().any(|side| &*side.run.subject.provider == "command");
        let servers = sides.first().map(|side| Arc::clone(&side.servers)).unwrap_or_default();
        // A recording names the model of its time, and a server of our own may call a file anything.
        if sides.iter().all(|side| !side.host.has_server())
            || llama::is_file(Path::new(&self.invocation.model))
        {
            journal = journal.in_any_name();
        }
        let (arms, cases): (Vec<Arm>, Vec<Vec<Arc<Case>>>) =
            sides.into_iter().map(|side| (side.arm, side.cases)).unzip();
        let planned = cases.first().map_or(&*self.cases, |cases| cases);
        let mut plan = Plan::new(arms, planned, self.procedure()?, finished);
        put(&mut plan, &cases);
        if let Some(slots) = servers.slots() {
            prompt_order::arrange(&mut plan, slots, self.limits().concurrency);
        }
        if plan.jobs.is_empty() && !finished.is_empty() {
            journal.observer.note("nothing was missing: every trial of the log is finished");
        }
        let mut rule = self.rule(&mut plan, &journal, finished)?;
        // A child of the user's signal: having seen enough stops this run and no other cell of a
        // matrix.
        let enough = StopSignal { gently: stop.gently.child_token(), now: stop.now.clone() };
        if rule.as_ref().is_some_and(StoppingRule::is_decided) {
            enough.gently.cancel();
        }
        let mut limits = RunLimits {
            concurrency: self.concurrency(runs_commands, journal.observer),
            ..self.limits()
        };
        if finished.iter().any(|finished| !finished.is_empty()) {
            // What could be scored once shows that the set-up is right.
            limits.same_failures = 0;
        }
        let limits = self.spread(&plan, limits);
        let ended = match &mut rule {
            None => toolgauge_runner::run(&plan, &limits, stop, &mut journal).await,
            Some(rule) => {
                let mut watched = AdaptiveJournal { journal: &mut journal, rule, stop: &enough };
                toolgauge_runner::run(&plan, &limits, &enough, &mut watched).await
            }
        };
        let mut ending = ended.map_err(|error| EngineError::run_stopped(&*error))?;
        // Whoever has seen enough was not interrupted.
        if rule.as_ref().is_some_and(StoppingRule::is_decided) && !stop.gently.is_cancelled() {
            ending = Ending::Complete;
        }
        if let Ending::EveryTrialFails(same) = ending {
            return Err(self.nothing_measured(journal, same));
        }
        let status = match &ending {
            Ending::Complete => RunStatus::Success,
            Ending::Interrupted => RunStatus::Cancelled,
            Ending::ServerGone(failure) | Ending::EveryTrialFails(SameFailures { failure, .. }) => {
                RunStatus::Error { message: failure.message.clone() }
            }
        };
        self.note_shares(&servers, journal.observer);
        for (arm, planned) in plan.arms.iter().enumerate() {
            journal.warn_of(arm, planned.subject.doubts());
        }
        if let Some(reads) = servers.prompt_reads() {
            // All variants share the server, and each log may be the only one that is looked at.
            for log in &mut journal.logs {
                log.add_prompt_reads(reads);
            }
        }
        // One log that cannot be finished is no reason to leave the others open.
        let finished: Vec<_> = journal.logs.into_iter().map(|log| log.finish(&status)).collect();
        let failed = finished.into_iter().find_map(Result::err);
        failed.map_or(Ok(()), |error| Err(EngineError::run_stopped(&error)))?;
        Ok((ending, rule.map(|rule| rule.stopping())))
    }

    /// Says what each of several servers did.
    fn note_shares(&self, servers: &Servers, observer: &dyn Observer) {
        let addresses = self.invocation.settings.server.base_url.iter();
        let shares = servers.shares();
        if shares.len() < 2 {
            return;
        }
        for (address, share) in addresses.zip(shares) {
            let address = public_address(address);
            let answered = usize::try_from(share.answered).unwrap_or(usize::MAX);
            observer.note(&format!("{address} answered {}", counted(answered, "request")));
            if share.absences > 0 {
                let times = counted(share.absences as usize, "time");
                observer.warning(&format!("{address} stopped answering {times}"));
            }
        }
    }

    /// The failure of a run whose first trials all failed alike. Logs that hold nothing yet are
    /// removed: a run that measured nothing has no place beside those that did.
    fn nothing_measured(&self, journal: Journal<'_>, same: SameFailures) -> EngineError {
        for log in journal.logs {
            let path = log.path().to_owned();
            // The writer holds the lock, and Windows removes no open file.
            drop(log);
            if Log::open(&path).is_ok_and(|log| log.summaries().next().is_none()) {
                // A log that stays behind is empty, and does no harm.
                let _ = std::fs::remove_file(path);
            }
        }
        EngineError::EveryTrialFails { model: self.invocation.model.clone(), same }
    }

    /// Who says when an adaptive run has seen enough. What a resumed log holds is told first.
    fn rule(
        &self,
        plan: &mut Plan,
        journal: &Journal<'_>,
        finished: &[HashSet<TrialId>],
    ) -> Result<Option<StoppingRule>, EngineError> {
        let settings = &self.invocation.settings;
        let Some(half_width) = settings.run.until else { return Ok(None) };
        let until = Until::new(half_width, settings.run.budget, self.cases.len());
        let cases: Vec<CaseId> = self.cases.iter().map(|case| case.id.clone()).collect();
        let order = until.order(&cases, self.limits().seed.unwrap_or(0));
        adaptive::arrange(plan, &order);
        let mut rule = StoppingRule::new(until, order, plan.arms.len());
        for (arm, (log, finished)) in journal.logs.iter().zip(finished).enumerate() {
            for trial in Log::open(log.path())?.summaries() {
                // What failed or cannot be read is run again, and only then judged.
                let Ok(trial) = trial else { continue };
                if finished.contains(&trial.id) {
                    rule.note(arm, &trial.id, trial.outcome());
                }
            }
        }
        Ok(Some(rule))
    }
}

/// A log to go on with, and where it belongs.
fn open(path: &Path) -> Result<(LogHome, OpenLog), EngineError> {
    let home = LogHome::new(path.parent().unwrap_or(Path::new("")));
    let name = path.file_name().map(PathBuf::from).unwrap_or_default();
    let found = if home.is_stored() { home.find(&name)? } else { None };
    // A file that is not there is refused by whoever opens it.
    let log = OpenLog::open(found.as_deref().unwrap_or(path))?;
    Ok((home, log))
}

/// Where the logs of a run that ended are.
async fn uploaded(
    uploads: Option<Uploads>,
    paths: Vec<PathBuf>,
    (settings, stop, observer): (&Settings, &StopSignal, &dyn Observer),
) -> Result<Vec<PathBuf>, EngineError> {
    match uploads {
        Some(uploads) => uploads.finish((settings, stop), observer).await,
        None => Ok(paths),
    }
}

/// Gives every trial the case as its arm puts it.
fn put(plan: &mut Plan, cases: &[Vec<Arc<Case>>]) {
    let by_id = |cases: &Vec<Arc<Case>>| {
        cases.iter().map(|case| (case.id.clone(), Arc::clone(case))).collect()
    };
    let by_id: Vec<HashMap<CaseId, Arc<Case>>> = cases.iter().map(by_id).collect();
    for job in &mut plan.jobs {
        if let Some(case) = by_id.get(job.arm).and_then(|cases| cases.get(&job.case.id)) {
            job.case = Arc::clone(case);
        }
    }
}
