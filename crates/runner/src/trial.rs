//! One trial, from the first request to its outcomes.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use futures_util::FutureExt;
use jiff::Timestamp;
use tokio::sync::mpsc::UnboundedSender;
use toolgauge_core::{
    FailureKind, Outcome, Transcript, Trial, TrialFailure, TrialId, UnscoredReason,
};
use toolgauge_score::{EndStates, Evidence, Scorer};

use crate::breaker::{Advice, Breaker};
use crate::event::RunEvent;
use crate::plan::{Arm, Job, Procedure};
use crate::play::end_states;
use crate::solver::Conversation;

/// What all trials of a run share.
pub(crate) struct Bench<'a> {
    pub(crate) arms: &'a [Arm],
    pub(crate) procedure: &'a Procedure,
    pub(crate) trial_timeout: Option<Duration>,
    pub(crate) seed: Option<u64>,
    pub(crate) breaker: Breaker,
    pub(crate) notices: UnboundedSender<RunEvent>,
}

/// The server is gone for good, and this is what the last trial ran into.
pub(crate) struct Gone(pub(crate) TrialFailure);

impl Bench<'_> {
    /// Runs one trial to its end, again if need be when nobody answers.
    pub(crate) async fn run_trial(&self, job: &Job) -> Result<Trial, Gone> {
        let id = job.id();
        self.notify(RunEvent::TrialStarted { arm: job.arm, id: id.clone() });
        loop {
            let started = Timestamp::now();
            let transcript = self.transcript(job, &id).await;
            match self.breaker.advise(transcript.failure.as_ref()) {
                Advice::Keep => {
                    let time = started..Timestamp::now();
                    let transcript = self.voted(job, transcript).await;
                    return Ok(self.judge(job, time, transcript));
                }
                Advice::Again(pause) => self.wait(pause, transcript.failure).await,
                Advice::GiveUp => return Err(Gone(transcript.failure.unwrap_or_else(no_failure))),
            }
        }
    }

    /// What happens in the trial; a panic in a subject or a world is a failure of that trial.
    async fn transcript(&self, job: &Job, id: &TrialId) -> Transcript {
        let arm = &self.arms[job.arm];
        let conversation = Conversation {
            subject: arm.subject.as_ref(),
            briefing: &job.briefing,
            case: &job.case,
            trial: id,
            seed: self.seed.map(|seed| seed.wrapping_add(u64::from(job.number) - 1)),
        };
        let mut transcript = Transcript::default();
        let solving = self.procedure.solver.solve(
            &conversation,
            || arm.world.enter(&job.case),
            &mut transcript,
        );
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

    /// The transcript with the votes of the judge, if there is one. What goes wrong with it
    /// costs a vote, never the trial.
    async fn voted(&self, job: &Job, mut transcript: Transcript) -> Transcript {
        if let Some(judge) = &self.procedure.judge {
            let voting = AssertUnwindSafe(judge.judge(&job.case, &mut transcript));
            let _ = voting.catch_unwind().await;
        }
        transcript
    }

    fn judge(&self, job: &Job, time: Range<Timestamp>, mut transcript: Transcript) -> Trial {
        let states = self.end_states(job, &transcript);
        transcript.background.changes = states.as_ref().map(EndStates::changes).unwrap_or_default();
        let evidence =
            Evidence::new(&job.case, &job.briefing.tools, &transcript).with_states(states.as_ref());
        let judgement = |scorer: &Scorer| {
            let judged = catch_unwind(AssertUnwindSafe(|| scorer.judge(&evidence)));
            let outcome = judged.unwrap_or_else(|_panic| {
                Outcome::Unscored(UnscoredReason::Failed(internal("the scorer panicked")))
            });
            (scorer.name().to_owned(), outcome)
        };
        let outcomes = self.procedure.scorers.iter().map(judgement).collect();
        Trial {
            case: job.case.clone(),
            number: job.number,
            started: time.start,
            ended: time.end,
            transcript,
            outcomes,
        }
    }

    /// What the calls led to, if the world has a state and there is something to judge.
    fn end_states(&self, job: &Job, transcript: &Transcript) -> Option<EndStates> {
        let failed = transcript.failure.as_ref().is_some_and(|f| f.kind.is_infrastructure());
        let world = self.arms[job.arm].world.as_ref();
        if failed || !world.has_state() {
            return None;
        }
        catch_unwind(AssertUnwindSafe(|| end_states(world, &job.case, transcript))).ok().flatten()
    }

    async fn wait(&self, pause: Duration, failure: Option<TrialFailure>) {
        let failure = failure.unwrap_or_else(no_failure);
        self.notify(RunEvent::Waiting { pause, failure });
        tokio::time::sleep(pause).await;
    }

    fn notify(&self, event: RunEvent) {
        // The receiver lives as long as the run; a notice that comes later interests nobody.
        let _ = self.notices.send(event);
    }

    fn took_too_long(&self) -> TrialFailure {
        let seconds = self.trial_timeout.unwrap_or_default().as_secs_f64();
        let message = format!("the trial took longer than {seconds} s");
        TrialFailure { kind: FailureKind::Timeout, message }
    }
}

fn internal(message: &str) -> TrialFailure {
    TrialFailure { kind: FailureKind::Internal, message: message.to_owned() }
}

fn no_failure() -> TrialFailure {
    internal("the breaker opened without a failure")
}
