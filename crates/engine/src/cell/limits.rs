//! How the trials of a cell are put, judged and bounded.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread::available_parallelism;

use toolgauge_runner::{Allowance, Arm, Patience, Plan, Procedure, RunLimits, Solver};
use toolgauge_score::Scorer;
use toolgauge_suite::SolverSpec;

use super::Cell;
use crate::error::EngineError;
use crate::invocation::Invocation;
use crate::observer::Observer;
use crate::settings::Seconds;
use crate::subjects::is_at_server;
use crate::{file_handles, judges, likeness, scorers};

/// How many trials are under way at once for each core where none of them waits for anybody.
const TRIALS_PER_CORE: NonZeroUsize = NonZeroUsize::new(16).expect("16 is not 0");

impl Cell {
    pub(super) fn procedure(&self) -> Result<Procedure, EngineError> {
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
        let likeness = likeness::needed_by(&self.cases, settings)?.map(Arc::new);
        Ok(Procedure { solver, scorers: self.scorers()?, judge, likeness, trials })
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
    pub(super) fn concurrency(&self, runs_commands: bool, observer: &dyn Observer) -> NonZeroUsize {
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

    pub(super) fn limits(&self) -> RunLimits {
        let settings = &self.invocation.settings;
        // As many at each server.
        let at_server = is_at_server(&self.invocation.model);
        let servers = if at_server { settings.server.base_url.count() } else { 1 };
        let concurrency = settings.run.concurrency.saturating_mul(servers);
        RunLimits {
            concurrency: NonZeroUsize::new(concurrency).unwrap_or(NonZeroUsize::MIN),
            trial_timeout: settings.limits.trial_timeout.limit(),
            patience: Patience {
                total: settings.limits.patience.duration(),
                ..Patience::default()
            },
            seed: settings.sampling.seed.or(self.suite.sampling.seed),
            same_failures: settings.limits.same_failures,
            is_part: self.invocation.shard.is_some(),
            spread: false,
        }
    }

    /// Spreads the trials over all cores where none of them waits for anybody: what answers is this
    /// program, and so is the world. An adaptive run counts trials as they end, and keeps to its
    /// order.
    pub(super) fn spread(&self, plan: &Plan, limits: RunLimits) -> RunLimits {
        let Procedure { judge, likeness, .. } = &plan.procedure;
        let asks_nobody = |arm: &Arm| {
            let provider = arm.subject.identity().provider;
            ["baseline", "replay"].contains(&&*provider) && !arm.world.may_take_long()
        };
        let asks = judge.is_some() || likeness.is_some() || !plan.arms.iter().all(asks_nobody);
        if asks || self.invocation.settings.run.until.is_some() {
            return limits;
        }
        // Many for each core, so that none waits while another trial is being written down.
        let cores = available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let concurrency = limits.concurrency.max(cores.saturating_mul(TRIALS_PER_CORE));
        RunLimits { concurrency, spread: true, ..limits }
    }
}
