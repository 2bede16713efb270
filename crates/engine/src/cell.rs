//! One cell of a run's matrix: one suite on one model, in one or more variants.

use std::collections::{HashMap, HashSet};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use jiff::Timestamp;
use serde_json::{Map, json};
use toolgauge_core::{
    Briefing, Case, CaseId, Program, Run, RunEntry, RunId, ServerFacts, Shard, ShardNumber,
    SubjectIdentity, Tool, TrialFailure, TrialId, timestamp,
};
use toolgauge_log::{Log, LogError, LogWriter, RunStatus};
use toolgauge_model::{LlamaServer, PromptSlots, Secret};
use toolgauge_runner::{
    Allowance, Arm, Briefings, Ending, Patience, Plan, Procedure, RunLimits, Solver, StopSignal,
};
use toolgauge_score::Scorer;
use toolgauge_suite::{Sampling, SolverSpec, Suite};
use toolgauge_world::World;
use uuid::Uuid;

use crate::adaptive::{self, AdaptiveJournal, Stopping, StoppingRule, Until};
use crate::error::EngineError;
use crate::floors::{self, BestPolicies, TRIED_PER_KIND};
use crate::invocation::Invocation;
use crate::journal::Journal;
use crate::judges::JudgeOrder;
use crate::observer::Observer;
use crate::settings::{Seconds, Settings, public_flags};
use crate::subjects::{self, FirstPrompt, Host, PlayedCases, ServerCheck, SubjectOptions, llama};
use crate::waiting::Waiting;
use crate::{file_handles, judges, prompt_order, scorers, shards, worlds};

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

/// One variant made ready: the arm to run, the cases as it puts them, and the head of its log.
struct VariantSetup {
    host: Host,
    arm: Arm,
    cases: Vec<Arc<Case>>,
    run: Run,
    /// The slots of the server, the same for all variants.
    slots: Arc<PromptSlots>,
}

/// The cases of a shard.
struct CellPart {
    number: ShardNumber,
    /// Their places among all cases.
    places: Vec<usize>,
}

impl CellPart {
    fn pick<T: Clone>(&self, all: &[T]) -> Vec<T> {
        self.places.iter().filter_map(|place| all.get(*place).cloned()).collect()
    }

    /// The entry that the head of a variant's log gets.
    fn entry(&self, cell: &Cell, variant: Option<&str>) -> Result<Shard, EngineError> {
        Ok(Shard {
            plan: cell.plan_hash(variant)?,
            number: self.number,
            cases: cell.cases.len(),
            places: self.places.clone(),
        })
    }

    /// The name of the log of a variant.
    fn file_name(&self, cell: &Cell, variant: Option<&str>) -> Result<PathBuf, EngineError> {
        let entry = self.entry(cell, variant)?;
        let id = shards::shard_id(&entry.plan, self.number);
        Ok(toolgauge_log::shard_file_name(&cell.suite.name, &id, self.number))
    }

    /// Leaves only these cases in a variant. What its head says of floors and prompts stays that of
    /// the whole plan, as the merged log will have it.
    fn cut(
        &self,
        cell: &Cell,
        variant: Option<&str>,
        side: &mut VariantSetup,
    ) -> Result<(), EngineError> {
        let entry = self.entry(cell, variant)?;
        side.run.id = shards::shard_id(&entry.plan, self.number);
        RunEntry::Shard.put(&mut side.run.settings, json!(entry));
        side.run.cases = self.pick(&side.run.cases);
        side.cases = self.pick(&side.cases);
        side.arm.briefings = self.pick(&side.arm.briefings);
        Ok(())
    }
}

/// A log to add to, and the trials in it that need not run again.
struct OpenLog {
    writer: LogWriter,
    finished: HashSet<TrialId>,
}

impl OpenLog {
    fn new(writer: LogWriter) -> Self {
        Self { writer, finished: HashSet::new() }
    }

    fn open(path: &Path) -> Result<Self, EngineError> {
        let (writer, resumed) = LogWriter::resume(path)?;
        Ok(Self { writer, finished: resumed.finished.into_iter().collect() })
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
        let part = self.part()?;
        let logs = self.earlier_logs(part.as_ref())?;
        if logs.iter().all(|log| self.is_complete(log.as_ref(), part.as_ref())) {
            return self.close(logs.into_iter().flatten(), observer);
        }
        let (served, llama) = self.serve(&Waiting::new(stop, observer)).await?;
        let run = self.run_part(part.as_ref(), logs, (&served, stop, observer));
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
        let part = self.part()?;
        let logs = self.earlier_logs(part.as_ref())?;
        // On the heap, here and below: a run's future is large, and others hold it.
        Box::pin(self.run_part(part.as_ref(), logs, (served, stop, observer))).await
    }

    /// Runs what earlier logs lack. Where a variant has none, one is begun.
    async fn run_part(
        &self,
        part: Option<&CellPart>,
        earlier: Vec<Option<OpenLog>>,
        (served, stop, observer): (&Invocation, &StopSignal, &dyn Observer),
    ) -> Result<Finished, EngineError> {
        let sides = self.sides(served, part, &Waiting::new(stop, observer)).await?;
        let folder = self.log_folder();
        std::fs::create_dir_all(folder)
            .map_err(|error| EngineError::file("create", folder, error))?;
        let (mut logs, mut finished) = (Vec::new(), Vec::new());
        for (side, earlier) in sides.iter().zip(earlier) {
            let path = folder.join(toolgauge_log::file_name(&side.run));
            let log = match earlier {
                Some(log) => log,
                None if part.is_some() => OpenLog::new(LogWriter::create_anew(&path, &side.run)?),
                None => OpenLog::new(LogWriter::create(&path, &side.run)?),
            };
            logs.push(log.writer);
            finished.push(log.finished);
        }
        let paths = logs.iter().map(|log| log.path().to_owned()).collect();
        let went_on = finished.iter().any(|finished| !finished.is_empty());
        let finished = if went_on { &*finished } else { &[] };
        let (ending, stopping) =
            self.go(sides, finished, Journal::new(logs, observer), stop).await?;
        Ok(self.finished(ending, paths, stopping))
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
        let log = OpenLog::open(path)?;
        if self.is_complete(Some(&log), None) {
            return self.close([log], observer);
        }
        let (served, llama) = self.serve(&Waiting::new(stop, observer)).await?;
        let ended = Box::pin(self.go_on(log, &served, stop, observer)).await;
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
        Box::pin(self.go_on(OpenLog::open(path)?, served, stop, observer)).await
    }

    async fn go_on(
        &self,
        log: OpenLog,
        served: &Invocation,
        stop: &StopSignal,
        observer: &dyn Observer,
    ) -> Result<Finished, EngineError> {
        let sides = self.sides(served, None, &Waiting::new(stop, observer)).await?;
        let path = log.writer.path().to_owned();
        let journal = Journal::new(vec![log.writer], observer);
        let (ending, stopping) = self.go(sides, &[log.finished], journal, stop).await?;
        Ok(self.finished(ending, vec![path], stopping))
    }

    fn finished(&self, ending: Ending, logs: Vec<PathBuf>, stopping: Option<Stopping>) -> Finished {
        let judge = self.invocation.judge.clone();
        Finished { ending, logs, judge, stopping, is_shard: self.invocation.shard.is_some() }
    }

    fn log_folder(&self) -> &Path {
        Path::new(&self.invocation.settings.run.log_dir)
    }

    /// The part of the plan that is run, if not the whole.
    fn part(&self) -> Result<Option<CellPart>, EngineError> {
        let Some(number) = self.invocation.shard else { return Ok(None) };
        if number.of as usize > self.cases.len() {
            let cases = self.cases.len();
            return Err(EngineError::TooManyShards { of: number.of, cases });
        }
        // By the prompts of the first variant, so that all variants of a shard have the same cases.
        let variant = self.variants.first().and_then(Option::as_deref);
        let world = worlds::build(&self.suite, variant)?;
        let briefings = self.briefings(variant, world.as_ref())?;
        let cases: Vec<CaseId> = self.cases.iter().map(|case| case.id.clone()).collect();
        let places = shards::split(&cases, &briefings, number);
        Ok(Some(CellPart { number, places }))
    }

    /// The logs that a shard left before, one for each variant that has one.
    fn earlier_logs(&self, part: Option<&CellPart>) -> Result<Vec<Option<OpenLog>>, EngineError> {
        let Some(part) = part else { return Ok(self.variants.iter().map(|_| None).collect()) };
        let mut logs = Vec::new();
        for variant in &self.variants {
            let name = part.file_name(self, variant.as_deref())?;
            let path = self.log_folder().join(name);
            logs.push(match path.exists().then(|| OpenLog::open(&path)) {
                // Killed before its first member was written.
                None | Some(Err(EngineError::Log(LogError::NotALog { .. }))) => None,
                Some(opened) => Some(opened?),
            });
        }
        Ok(logs)
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
    fn close(
        &self,
        logs: impl IntoIterator<Item = OpenLog>,
        observer: &dyn Observer,
    ) -> Result<Finished, EngineError> {
        observer.note("nothing was missing: every trial of the log is finished");
        // Ended anew even if it was ended before: what was damaged in it is mended thereby.
        let ended = logs.into_iter().map(|log| log.writer.finish(&RunStatus::Success));
        let logs = ended.collect::<Result<_, _>>()?;
        Ok(self.finished(Ending::Complete, logs, None))
    }

    /// What makes the plan of a variant what it is, as a hash. Where the server is, how many trials
    /// run at once and where logs go may differ between shards.
    fn plan_hash(&self, variant: Option<&str>) -> Result<String, EngineError> {
        let asked = self.invocation.for_log()?;
        let scorers = self.scorers()?;
        let judge = self.invocation.judge.as_ref();
        let cases: Vec<&CaseId> = self.cases.iter().map(|case| &case.id).collect();
        let entries = ["model", "world", "body", "fixes", RunEntry::Chatbot.name()];
        let entries: Vec<_> = entries.into_iter().map(|name| asked.get(name)).collect();
        let Settings { server, limits, run, .. } = self.invocation.settings.without_secrets();
        Ok(shards::plan_hash(&json!({
            "suite": self.suite.identity(),
            "variant": variant,
            "cases": cases,
            "trials": run.trials,
            "scorers": scorers.iter().map(Scorer::name).collect::<Vec<_>>(),
            "asked": entries,
            "judge": judge.map(|judge| (&judge.model, judge.votes, &judge.rubric)),
            "sampling": Sampling { extra: Map::new(), ..self.sampling(variant) },
            "server": (server.protocol, server.stream, &server.llama_flags),
            "max_turns": limits.max_turns,
            "program": crate::VERSION,
        })))
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
        let slots = sides.first().map(|side| Arc::clone(&side.slots)).unwrap_or_default();
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
        if let Some(slots) = slots.count() {
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
        if let Ending::EveryTrialFails { trials, failure } = ending {
            return Err(self.nothing_measured(journal, trials, failure));
        }
        let status = match &ending {
            Ending::Complete => RunStatus::Success,
            Ending::Interrupted => RunStatus::Cancelled,
            Ending::ServerGone(failure) | Ending::EveryTrialFails { failure, .. } => {
                RunStatus::Error { message: failure.message.clone() }
            }
        };
        if let Some(reads) = slots.reads() {
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

    /// The failure of a run whose first trials all failed alike. Logs that hold nothing yet are
    /// removed: a run that measured nothing has no place beside those that did.
    fn nothing_measured(
        &self,
        journal: Journal<'_>,
        trials: usize,
        failure: TrialFailure,
    ) -> EngineError {
        for log in journal.logs {
            let path = log.path().to_owned();
            // The writer holds the lock, and Windows removes no open file.
            drop(log);
            if Log::open(&path).is_ok_and(|log| log.summaries().next().is_none()) {
                // A log that stays behind is empty, and does no harm.
                let _ = std::fs::remove_file(path);
            }
        }
        EngineError::EveryTrialFails { model: self.invocation.model.clone(), trials, failure }
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

    /// Every variant made ready, and its server looked at.
    async fn sides(
        &self,
        served: &Invocation,
        part: Option<&CellPart>,
        waiting: &Waiting<'_>,
    ) -> Result<Vec<VariantSetup>, EngineError> {
        let patience = served.settings.limits.patience.duration();
        let at_once = served.settings.run.concurrency;
        let slots = Arc::<PromptSlots>::default();
        let mut sides = Vec::new();
        // A suite from elsewhere may name any file of this machine, and its content goes to a
        // server.
        for file in self.suite.outside_files() {
            let file = file.display();
            waiting
                .observer()
                .warning(&format!("the suite reads `{file}`, which is outside its folder"));
        }
        for variant in &self.variants {
            let mut side = self.side(variant.as_deref(), served, &slots)?;
            if let Some(part) = part {
                part.cut(self, variant.as_deref(), &mut side)?;
            }
            // Only what is run first: a server of one slot would have forgotten it by the time the
            // others are read.
            let first = side.arm.briefings.iter().min_by(|a, b| prompt_order::compare(a, b));
            let first = first.filter(|_| sides.is_empty());
            let first = first.map(|briefing| FirstPrompt { briefing, at_once });
            let ServerCheck { facts, warnings } = side.host.greet(first, patience, waiting).await?;
            for warning in &warnings {
                waiting.observer().warning(warning);
            }
            side.run.server = facts.map(|facts| self.with_flags(facts));
            side.run.warnings = warnings;
            sides.push(side);
        }
        Ok(sides)
    }

    /// What a server says of itself, with the flags of one that was started for this run.
    fn with_flags(&self, mut facts: ServerFacts) -> ServerFacts {
        if llama::is_file(Path::new(&self.invocation.model)) {
            facts.flags = public_flags(&self.invocation.settings.server.llama_flags);
        }
        facts
    }

    fn side(
        &self,
        variant: Option<&str>,
        served: &Invocation,
        slots: &Arc<PromptSlots>,
    ) -> Result<VariantSetup, EngineError> {
        let world = worlds::build(&self.suite, variant)?;
        let host = self.host(variant, served, slots, &world)?;
        let briefings = self.briefings(variant, world.as_ref())?;
        let subject = Arc::clone(&host.subject);
        let run = self.head(variant, subject.identity(), world.as_ref(), &briefings)?;
        let cases = worlds::cases_of(&self.suite, variant, &self.cases, world.as_ref());
        let slots = Arc::clone(slots);
        Ok(VariantSetup { host, arm: Arm { subject, world, briefings }, cases, run, slots })
    }

    /// How answers are sampled: by the suite, its variant, and what was asked for.
    pub fn sampling(&self, variant: Option<&str>) -> Sampling {
        let variant = variant.and_then(|name| self.suite.variants.get(name));
        let sampling = variant.map(|variant| &variant.sampling);
        self.invocation.sampling(&self.suite.sampling, sampling)
    }

    fn host(
        &self,
        variant: Option<&str>,
        served: &Invocation,
        slots: &Arc<PromptSlots>,
        world: &Arc<dyn World>,
    ) -> Result<Host, EngineError> {
        let cases = worlds::cases_of(&self.suite, variant, &self.cases, world.as_ref());
        subjects::build(SubjectOptions {
            played: Some(PlayedCases { world: Arc::clone(world), cases }),
            slots: Arc::clone(slots),
            model: &served.model,
            settings: &served.settings,
            sampling: self.sampling(variant),
            key: self.key.clone(),
        })
    }

    /// What the subject is told before each case; what is the same for all is made once.
    pub fn briefings(
        &self,
        variant: Option<&str>,
        world: &dyn World,
    ) -> Result<Vec<Arc<Briefing>>, EngineError> {
        let each = toolgauge_suite::system_depends_on_case(&self.suite, variant)?;
        let render = |case: Option<&Case>, tools: &[Tool]| {
            let system = toolgauge_suite::render_system(&self.suite, variant, case, tools)?;
            Ok::<_, EngineError>(system.map(Arc::<str>::from))
        };
        let mut shared = Briefings::default();
        let mut same_for_all = None;
        let mut briefings = Vec::with_capacity(self.cases.len());
        for case in &self.cases {
            let tools = world.tools(case);
            let system = match world.briefing(case) {
                Some(system) => Some(system),
                None if each => render(Some(case), &tools)?,
                None => match &same_for_all {
                    Some(system) => Clone::clone(system),
                    None => same_for_all.insert(render(None, &tools)?).clone(),
                },
            };
            briefings.push(shared.share(system, tools));
        }
        Ok(briefings)
    }

    fn procedure(&self) -> Result<Procedure, EngineError> {
        let solver = match self.suite.solver {
            SolverSpec::Capture => Solver::Capture,
            SolverSpec::Loop(limits) => Solver::Loop(Allowance {
                turns: self.invocation.settings.limits.max_turns.unwrap_or(limits.max_turns),
                tokens: limits.max_tokens,
                time: limits.max_seconds.and_then(|most| Seconds::try_from(most).ok()?.limit()),
            }),
        };
        let trials = self.invocation.settings.run.trials;
        let Invocation { judge, settings, .. } = &self.invocation;
        let judge = judges::shared(judge.as_ref(), settings)?;
        Ok(Procedure { solver, scorers: self.scorers()?, judge, trials })
    }

    /// The scorers that judge: those asked for, else those of the suite.
    pub fn scorers(&self) -> Result<Vec<Scorer>, EngineError> {
        let asked_for = &self.invocation.scorers;
        let mut names: Vec<&str> = match asked_for.as_slice() {
            [] => scorers::names_for(&self.suite),
            names => names.iter().map(String::as_str).collect(),
        };
        // Whoever asks for a judge wants to see what it says.
        if self.invocation.judge.is_some() && !names.contains(&judges::SCORER) {
            names.push(judges::SCORER);
        }
        scorers::named(&names, &self.invocation.fixes)
    }

    /// How many trials run at once: as many as were asked for, if so many files may be open.
    fn concurrency(&self, runs_commands: bool, observer: &dyn Observer) -> NonZeroUsize {
        let wanted = self.limits().concurrency;
        let judged = u64::from(self.invocation.judge.is_some());
        // A command takes three pipes and a moment of a fourth, a server one connection.
        let each = judged + if runs_commands { 4 } else { 1 };
        let (most, limit) = file_handles::at_once(wanted, each);
        if most < wanted {
            observer.warning(&format!(
                "{most} trials run at once rather than {wanted}: this process may have \
                 {limit} files and connections open"
            ));
        }
        most
    }

    fn limits(&self) -> RunLimits {
        let settings = &self.invocation.settings;
        RunLimits {
            concurrency: NonZeroUsize::new(settings.run.concurrency).unwrap_or(NonZeroUsize::MIN),
            trial_timeout: settings.limits.trial_timeout.limit(),
            patience: Patience {
                total: settings.limits.patience.duration(),
                ..Patience::default()
            },
            seed: settings.sampling.seed.or(self.suite.sampling.seed),
            same_failures: settings.limits.same_failures,
        }
    }

    /// The head of a variant's log.
    pub fn head(
        &self,
        variant: Option<&str>,
        subject: SubjectIdentity,
        world: &dyn World,
        briefings: &[Arc<Briefing>],
    ) -> Result<Run, EngineError> {
        let scorers = self.scorers()?;
        // Where cases are told different things, the head has nothing to say for all of them.
        let first = briefings.first();
        let common = first.filter(|first| briefings.iter().all(|other| Arc::ptr_eq(first, other)));
        let cases = worlds::cases_of(&self.suite, variant, &self.cases, world);
        let mut settings = self.invocation.for_log()?;
        let each: Vec<&Case> = cases.iter().map(|case| &**case).collect();
        let first = scorers.first();
        let best =
            first.and_then(|first| BestPolicies::search(&each, world, first, TRIED_PER_KIND));
        let floors = best.as_ref().and_then(|best| best.floors(|_| true));
        if let Some(floors) = &floors {
            RunEntry::Floors.put(&mut settings, json!(floors));
        }
        let tiers = floors::tiers(&cases, world, best.as_ref());
        if !tiers.is_empty() {
            RunEntry::Tiers.put(&mut settings, tiers);
        }
        // A world with a state has measures of its own, which reports read by these words.
        if world.has_state() {
            RunEntry::WorldWords.put(&mut settings, json!(world.words()));
        }
        if let Some(seconds) = self.suite.latency_budget {
            RunEntry::LatencyBudget.put(&mut settings, seconds);
        }
        if self.invocation.settings.run.until.is_some() {
            RunEntry::Adaptive.put(&mut settings, true);
        }
        // Fields of the request body may be secrets; they stand with the settings, redacted.
        let sampling = Sampling { extra: Map::new(), ..self.sampling(variant) };
        RunEntry::Sampling.put(&mut settings, json!(sampling));
        let created = timestamp(SystemTime::now());
        Ok(Run {
            id: new_run_id(created),
            created,
            suite: self.suite.identity(),
            subject,
            server: None,
            warnings: Vec::new(),
            max_tokens: self.sampling(variant).max_tokens,
            variant: variant.map(str::to_owned),
            cases: self.cases.iter().map(|case| case.id.clone()).collect::<Vec<CaseId>>(),
            trials: self.invocation.settings.run.trials,
            scorers: scorers.iter().map(|scorer| scorer.name().to_owned()).collect(),
            system_prompt: common.and_then(|common| common.system.as_deref().map(str::to_owned)),
            tools: common.map(|common| common.tools.to_vec()).unwrap_or_default(),
            floor: floors.map(|floors| floors.without_calls.score),
            settings,
            program: Program {
                version: env!("CARGO_PKG_VERSION").to_owned(),
                revision: crate::REVISION.to_owned(),
            },
        })
    }
}

/// A name for a run, by which runs sort in the order they were started.
pub fn new_run_id(created: Timestamp) -> RunId {
    // Not by the clock itself: before 1970 that would panic.
    let seconds = u64::try_from(created.as_second()).unwrap_or(0);
    let nanoseconds = u32::try_from(created.subsec_nanosecond()).unwrap_or(0);
    let time = uuid::Timestamp::from_unix(uuid::NoContext, seconds, nanoseconds);
    RunId::new(Uuid::new_v7(time).simple().to_string())
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
