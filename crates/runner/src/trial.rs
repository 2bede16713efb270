//! One trial, from the first request to its outcomes.

use std::ops::Range;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use futures_util::FutureExt;
use jiff::Timestamp;
use tokio::sync::mpsc::UnboundedSender;
use toolgauge_core::{FailureKind, Transcript, Trial, TrialFailure, TrialId, timestamp};
use toolgauge_score::Scorer;

use crate::breaker::{Advice, Breaker};
use crate::event::RunEvent;
use crate::first_trials::FirstTrialsGate;
use crate::judging::{Judging, internal};
use crate::plan::{Arm, Job, Procedure};
use crate::play::proved;
use crate::solver::OngoingTrial;
use crate::tool_schemas::ToolSchemas;

/// What all trials of a run share.
pub(crate) struct TrialSetup {
    pub(crate) arms: Vec<Arm>,
    pub(crate) procedure: Procedure,
    pub(crate) scorers: Arc<[Scorer]>,
    pub(crate) schemas: Arc<ToolSchemas>,
    pub(crate) trial_timeout: Option<Duration>,
    pub(crate) seed: Option<u64>,
    pub(crate) breaker: Breaker,
    pub(crate) notices: UnboundedSender<RunEvent>,
    pub(crate) gate: FirstTrialsGate,
}

/// The server is gone for good, and this is what the last trial ran into.
pub(crate) struct Gone(pub(crate) TrialFailure);

impl TrialSetup {
    /// Runs one trial that was started to its end, again if need be when nobody answers.
    pub(crate) async fn run_trial(&self, job: &Job) -> Result<Trial, Gone> {
        let id = job.id();
        let mut waited = Duration::ZERO;
        loop {
            let started = timestamp(SystemTime::now());
            let transcript = self.transcript(job, &id).await;
            match self.breaker.advise(transcript.failure.as_ref(), waited) {
                Advice::Keep => {
                    let time = started..timestamp(SystemTime::now());
                    // The time of the trial ends before the judge is asked: its latency is not the
                    // subject's.
                    let mut transcript = self.voted(job, transcript).await;
                    transcript.background.proved = self.proved(job).await;
                    return Ok(self.judged(job, time, transcript).await);
                }
                Advice::Again(pause) => {
                    self.wait(pause, transcript.failure).await;
                    waited += pause;
                }
                Advice::GiveUp => return Err(Gone(transcript.failure.unwrap_or_else(no_failure))),
            }
        }
    }

    /// What happens in the trial; a panic in a subject or a world is a failure of that trial.
    async fn transcript(&self, job: &Job, id: &TrialId) -> Transcript {
        let arm = &self.arms[job.arm];
        let conversation = OngoingTrial {
            subject: arm.subject.as_ref(),
            briefing: &job.briefing,
            case: &job.case,
            trial: id,
            // Every trial of a case gets another seed, or a server that honours seeds would repeat
            // itself; every case gets the same ones, so that the order of cases does not matter.
            seed: self.seed.map(|seed| seed.wrapping_add(u64::from(job.number) - 1)),
        };
        let mut transcript = Transcript::default();
        let solving = self.procedure.solver.solve(
            &conversation,
            || arm.world.enter(&job.case),
            &mut transcript,
        );
        // What a panic leaves half done is this trial's alone: the transcript so far, which is
        // still true, and a state of the world that is dropped.
        let solving = AssertUnwindSafe(solving).catch_unwind();
        let ended = match self.trial_timeout {
            Some(limit) => tokio::time::timeout(limit, solving).await,
            None => Ok(solving.await),
        };
        match ended {
            Ok(Ok(())) => {}
            Ok(Err(_panic)) => transcript.failure = Some(internal("the trial panicked")),
            Err(_elapsed) => transcript.failure = Some(self.took_too_long()),
        }
        transcript
    }

    /// The transcript with the votes of the judge, if there is one, and with what is measured of its
    /// keywords. What goes wrong with a judge costs a vote, never the trial.
    async fn voted(&self, job: &Job, mut transcript: Transcript) -> Transcript {
        if let Some(judge) = &self.procedure.judge {
            let voting = AssertUnwindSafe(judge.judge(&job.case, &mut transcript));
            let _ = voting.catch_unwind().await;
        }
        if let Some(gauge) = &self.procedure.likeness {
            gauge.measure(&job.case, &mut transcript).await;
        }
        transcript
    }

    /// What proves the expected answer, by the world's data as they are now.
    async fn proved(&self, job: &Job) -> Vec<String> {
        let has_proof = job.case.expectation.answer.as_ref().is_some_and(|it| !it.proof.is_empty());
        if !has_proof {
            return Vec::new();
        }
        let (world, case) = (Arc::clone(&self.arms[job.arm].world), Arc::clone(&job.case));
        // Beside the task that drives all trials: a query may take seconds.
        let looking = tokio::task::spawn_blocking(move || proved(world.as_ref(), &case));
        looking.await.unwrap_or_default()
    }

    /// The trial with what its scorers say. Large transcripts are judged beside the task that
    /// drives all trials, within the time one trial may take.
    async fn judged(&self, job: &Job, time: Range<Timestamp>, transcript: Transcript) -> Trial {
        let transcript = Arc::new(transcript);
        let judging = Judging {
            world: Arc::clone(&self.arms[job.arm].world),
            scorers: Arc::clone(&self.scorers),
            case: Arc::clone(&job.case),
            briefing: Arc::clone(&job.briefing),
            schemas: Arc::clone(&self.schemas),
            transcript: Arc::clone(&transcript),
        };
        // Another thread costs more than a short answer takes to judge.
        let judged = if judging.is_quick() {
            judging.judge()
        } else {
            judging.judge_beside(self.trial_timeout.unwrap_or(Duration::MAX)).await
        };
        // A copy is made only if a judge that took too long still holds the other reference.
        let mut transcript = Arc::unwrap_or_clone(transcript);
        transcript.background.changes = judged.changes;
        transcript.background.violations = judged.violations;
        Trial {
            case: job.case.clone(),
            number: job.number,
            started: time.start,
            ended: time.end,
            transcript,
            outcomes: judged.outcomes,
        }
    }

    async fn wait(&self, pause: Duration, failure: Option<TrialFailure>) {
        let failure = failure.unwrap_or_else(no_failure);
        self.notify(RunEvent::Waiting { pause, failure });
        tokio::time::sleep(pause).await;
    }

    /// Has an event told to the sink.
    pub(crate) fn notify(&self, event: RunEvent) {
        // The receiver lives as long as the run; a notice that comes later interests nobody.
        let _ = self.notices.send(event);
    }

    fn took_too_long(&self) -> TrialFailure {
        let seconds = self.trial_timeout.unwrap_or_default().as_secs_f64();
        let message = format!("the trial took longer than {seconds} s");
        TrialFailure { kind: FailureKind::Timeout, message }
    }
}

fn no_failure() -> TrialFailure {
    internal("the breaker opened without a failure")
}
