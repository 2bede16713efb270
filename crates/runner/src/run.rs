//! The run itself: trials side by side, events one after the other.

use std::num::NonZeroUsize;
use std::time::Duration;

use futures_util::{StreamExt, stream};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use toolgauge_core::TrialFailure;

use crate::breaker::{Breaker, Patience};
use crate::event::{EventSink, RunEvent, SinkError};
use crate::plan::{Job, Plan};
use crate::trial::{Bench, Gone};

/// What bounds a run.
#[derive(Clone, Debug)]
pub struct Limits {
    /// How many trials are under way at once.
    pub concurrency: NonZeroUsize,
    /// How long one trial may take.
    pub trial_timeout: Option<Duration>,
    /// How long to wait for a server that is gone.
    pub patience: Patience,
    /// The seed for sampling; each further trial of a case gets the next one.
    pub seed: Option<u64>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            concurrency: NonZeroUsize::MIN,
            trial_timeout: None,
            patience: Patience::default(),
            seed: None,
        }
    }
}

/// How a run is asked to stop.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    /// Start nothing more; what is under way may end.
    pub gently: CancellationToken,
    /// Drop what is under way: it counts as never run.
    pub now: CancellationToken,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Every trial was run.
    Complete,
    /// It was asked to stop.
    Interrupted,
    /// Nobody answered any more, and this is what the last trial ran into.
    ServerGone(TrialFailure),
}

/// Runs a plan and tells the sink what happens. Fails only when the sink does.
pub async fn run(
    plan: &Plan,
    limits: &Limits,
    stop: &Stop,
    sink: &mut dyn EventSink,
) -> Result<Ending, SinkError> {
    let (notices, mut noticed) = mpsc::unbounded_channel();
    let bench = Bench {
        arms: &plan.arms,
        procedure: &plan.procedure,
        scorers: plan.procedure.scorers.clone().into(),
        trial_timeout: limits.trial_timeout,
        seed: limits.seed,
        breaker: Breaker::new(limits.patience),
        notices,
    };
    sink.on_event(&RunEvent::Started { trials: plan.jobs.len() })?;
    let bench = &bench;
    let finished = stream::iter(&plan.jobs)
        .take_until(stop.gently.cancelled())
        .map(|job: &Job| async move { (job.arm, bench.run_trial(job).await) })
        .buffer_unordered(limits.concurrency.get());
    let mut finished = std::pin::pin!(finished);
    let mut left = plan.jobs.len();
    let ending = loop {
        tokio::select! {
            biased;
            () = stop.now.cancelled() => break Ending::Interrupted,
            Some(notice) = noticed.recv() => sink.on_event(&notice)?,
            next = finished.next() => match next {
                Some((arm, Ok(trial))) => {
                    left -= 1;
                    // A trial that never had to wait ends in the very step it started in; whoever
                    // listens must hear of its start first, or will wait for its end for ever.
                    while let Ok(notice) = noticed.try_recv() {
                        sink.on_event(&notice)?;
                    }
                    sink.on_event(&RunEvent::TrialFinished { arm, trial: Box::new(trial) })?;
                }
                Some((_, Err(Gone(failure)))) => break Ending::ServerGone(failure),
                None if left > 0 => break Ending::Interrupted,
                None => break Ending::Complete,
            },
        }
    };
    sink.on_event(&RunEvent::Finished)?;
    Ok(ending)
}
