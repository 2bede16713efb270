//! The run itself: trials side by side, events one after the other.

use std::num::NonZeroUsize;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::{Stream, StreamExt, stream};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use toolgauge_core::{Trial, TrialFailure};

use crate::breaker::{Breaker, Patience};
use crate::event::{EventSink, RunEvent, SinkError};
use crate::first_trials::{FirstTrials, FirstTrialsGate, Next, SameFailures};
use crate::plan::{Job, Plan};
use crate::trial::{Gone, TrialSetup};

/// What bounds a run.
#[derive(Clone, Debug)]
pub struct RunLimits {
    /// How many trials are under way at once.
    pub concurrency: NonZeroUsize,
    /// How long one trial may take.
    pub trial_timeout: Option<Duration>,
    /// How long to wait for a server that is gone.
    pub patience: Patience,
    /// The seed for sampling; each further trial of a case gets the next one.
    pub seed: Option<u64>,
    /// After how many first trials that all fail alike the run stops; 0 never stops it.
    pub same_failures: usize,
    /// Whether others run more trials of the same run, as those of shards do.
    pub is_part: bool,
    /// Whether trials are spread over the threads of the runtime, which pays where none of them
    /// waits for anybody. They are then reported in the order of the plan.
    pub spread: bool,
}

impl Default for RunLimits {
    fn default() -> Self {
        Self {
            concurrency: NonZeroUsize::MIN,
            trial_timeout: None,
            patience: Patience::default(),
            seed: None,
            same_failures: 0,
            is_part: false,
            spread: false,
        }
    }
}

/// How a run is asked to stop.
#[derive(Clone, Debug, Default)]
pub struct StopSignal {
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
    /// Every one of the first trials failed in this way. None of them was reported to the sink.
    EveryTrialFails(SameFailures),
}

/// Runs a plan and tells the sink what happens. Fails only when the sink does.
pub async fn run(
    plan: &Plan,
    limits: &RunLimits,
    stop: &StopSignal,
    sink: &mut dyn EventSink,
) -> Result<Ending, SinkError> {
    // Trials run inside the stream and cannot reach the sink, which takes one caller at a time.
    let (notices, mut noticed) = mpsc::unbounded_channel();
    let setup = &Arc::new(setup(plan, limits, notices));
    sink.on_event(&RunEvent::Started { trials: plan.jobs.len() })?;
    let finished = trials(plan, limits, stop, setup);
    let mut finished = std::pin::pin!(finished);
    let mut left = plan.jobs.len();
    let mut first = FirstTrials::of(plan, limits.same_failures, limits.is_part, &setup.gate);
    let ending = loop {
        tokio::select! {
            // In this order: a second Ctrl-C wins over everything, and notices over trials, so that
            // a trial is never reported as finished before it was reported as started.
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
                    match first.note(arm, Box::new(trial)) {
                        Next::Report(trials) => report(arm, trials, sink)?,
                        Next::Stop(same) => {
                            sink.on_event(&RunEvent::Finished)?;
                            return Ok(Ending::EveryTrialFails(same));
                        }
                    }
                }
                Some((_, Err(Gone(failure)))) => break Ending::ServerGone(failure),
                // The stream ends early only when the run was asked to stop.
                None if left > 0 => break Ending::Interrupted,
                None => break Ending::Complete,
            },
        }
    };
    // Whatever made the run end, these trials did run, and a resumed run need not repeat them.
    for (arm, trial) in first.into_held() {
        report(arm, vec![trial], sink)?;
    }
    sink.on_event(&RunEvent::Finished)?;
    Ok(ending)
}

/// The trials of a plan with their arms, as they end.
fn trials<'a>(
    plan: &'a Plan,
    limits: &RunLimits,
    stop: &'a StopSignal,
    setup: &'a Arc<TrialSetup>,
) -> impl Stream<Item = (usize, Result<Trial, Gone>)> + 'a {
    // Ends the stream of jobs but not those already taken from it, which may come to their end.
    let jobs = stream::iter(&plan.jobs).take_until(stop.gently.cancelled());
    let at_once = limits.concurrency.get();
    if limits.spread {
        // Started as soon as there is room, and not at the first look at its end: nobody looks at new
        // trials while those that have ended are reported.
        let started = jobs.then(move |job: &Job| async move {
            announce(setup, job).await;
            let (setup, job, arm) = (Arc::clone(setup), job.clone(), job.arm);
            let trial = tokio::spawn(async move { setup.run_trial(&job).await });
            (arm, SpreadTrial(trial))
        });
        let trials = started.map(async |(arm, trial)| (arm, trial.await));
        trials.buffered(at_once).left_stream()
    } else {
        let trials = jobs.map(move |job: &Job| async move {
            announce(setup, job).await;
            (job.arm, setup.run_trial(job).await)
        });
        trials.buffer_unordered(at_once).right_stream()
    }
}

/// Waits until a trial may start, and tells that it does. In this order: trials that wait have not
/// begun, and a run that stops must not leave them behind as started.
async fn announce(setup: &TrialSetup, job: &Job) {
    setup.gate.pass(job.arm).await;
    setup.notify(RunEvent::TrialStarted { arm: job.arm, id: job.id() });
}

/// A trial on another thread, which ends when nobody waits for it any more.
struct SpreadTrial<T>(JoinHandle<T>);

impl<T> Future for SpreadTrial<T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T> {
        // It is cancelled only when dropped, so that an error is a panic.
        let ended = Pin::new(&mut self.0).poll(context);
        ended.map(|it| it.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic())))
    }
}

impl<T> Drop for SpreadTrial<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

fn setup(plan: &Plan, limits: &RunLimits, notices: mpsc::UnboundedSender<RunEvent>) -> TrialSetup {
    TrialSetup {
        arms: plan.arms.clone(),
        procedure: plan.procedure.clone(),
        scorers: plan.procedure.scorers.clone().into(),
        schemas: Arc::default(),
        trial_timeout: limits.trial_timeout,
        seed: limits.seed,
        breaker: Breaker::new(limits.patience),
        notices,
        gate: FirstTrialsGate::new(plan.arms.len()),
    }
}

#[expect(clippy::vec_box, reason = "events hold trials in boxes; these are passed on")]
fn report(arm: usize, trials: Vec<Box<Trial>>, sink: &mut dyn EventSink) -> Result<(), SinkError> {
    for trial in trials {
        sink.on_event(&RunEvent::TrialFinished { arm, trial })?;
    }
    Ok(())
}
