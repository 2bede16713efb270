//! The circuit breaker: when nothing answers any more, the run waits, and then stops.
//!
//! A server that is gone or still loading its model says nothing about a case, so a trial that
//! meets it is tried again rather than written down; if the server does not come back, the trial
//! stays to be run and a resumed run picks it up.

use std::sync::Mutex;
use std::time::Duration;

use tokio::time::Instant;
use toolgauge_core::{FailureKind, TrialFailure};

/// How long a run waits for a server that has gone.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// How many trials in a row must find nobody answering before the server counts as gone.
    pub threshold: u32,
    /// The first pause; each further one is twice as long.
    pub first_pause: Duration,
    /// After how long without an answer the run stops.
    pub total: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self { threshold: 5, first_pause: Duration::from_secs(1), total: Duration::from_mins(2) }
    }
}

/// What to do with a trial that has ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Advice {
    /// Write it down.
    Keep,
    /// Nobody answered: wait this long, then run it again.
    Again(Duration),
    /// Nobody has answered for too long: stop the run.
    GiveUp,
}

#[derive(Debug, Default)]
struct BreakerState {
    in_a_row: u32,
    open: Option<Open>,
    /// Whether a trial was written down that had waited in vain for a server that is not ready.
    gave_up_one: bool,
}

#[derive(Clone, Copy, Debug)]
struct Open {
    since: Instant,
    pause: Duration,
    until: Instant,
}

/// Counts trials that found nobody answering, over all trials of a run.
#[derive(Debug)]
pub(crate) struct Breaker {
    patience: Patience,
    state: Mutex<BreakerState>,
}

impl Breaker {
    pub(crate) fn new(patience: Patience) -> Self {
        Self { patience, state: Mutex::default() }
    }

    /// Takes note of how a trial ended that has `waited` so long for the server, and says what to
    /// do with it.
    ///
    /// A broken connection may be the doing of one case, so that a few are written down before the
    /// server counts as gone. A server that says it is not ready is waited for at once.
    pub(crate) fn advise(&self, failure: Option<&TrialFailure>, waited: Duration) -> Advice {
        let mut state = self.state.lock().expect("no holder of the lock panics");
        // Only these two kinds mean that nobody answered.
        let unready = match failure.map(|failure| failure.kind) {
            Some(FailureKind::Unavailable) => true,
            Some(FailureKind::Connection) => false,
            _ => {
                // Somebody answered, be it with an error: the server is there.
                *state = BreakerState::default();
                return Advice::Keep;
            }
        };
        state.in_a_row += 1;
        // Once the server counts as gone, every further broken connection waits as well.
        if !unready && state.open.is_none() && state.in_a_row < self.patience.threshold {
            return Advice::Keep;
        }
        let now = Instant::now();
        let open = state.open.get_or_insert(Open { since: now, pause: Duration::ZERO, until: now });
        let left = self.patience.total.saturating_sub(now.duration_since(open.since));
        if left.is_zero() {
            // Should one case be what the server cannot bear, those behind it are run all the same.
            let first = unready && !std::mem::replace(&mut state.gave_up_one, true);
            return if first { Advice::Keep } else { Advice::GiveUp };
        }
        // Others were answered meanwhile, so that it is this trial that is not.
        if waited >= self.patience.total {
            return Advice::Keep;
        }
        // Trials that fail during one pause share it; only the next round waits longer.
        if now >= open.until {
            open.pause = (open.pause * 2).max(self.patience.first_pause).min(left);
            open.until = now + open.pause;
        }
        Advice::Again(open.until.duration_since(now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused() -> TrialFailure {
        TrialFailure { kind: FailureKind::Connection, message: "refused".into() }
    }

    fn breaker() -> Breaker {
        let second = Duration::from_secs(1);
        Breaker::new(Patience { threshold: 3, first_pause: second, total: second * 10 })
    }

    #[tokio::test(start_paused = true)]
    async fn a_single_refusal_is_written_down() {
        let breaker = breaker();
        assert_eq!(breaker.advise(Some(&refused()), Duration::ZERO), Advice::Keep);
        assert_eq!(breaker.advise(None, Duration::ZERO), Advice::Keep);
        assert_eq!(breaker.advise(Some(&refused()), Duration::ZERO), Advice::Keep);
    }

    #[tokio::test(start_paused = true)]
    async fn a_server_that_is_not_ready_is_waited_for_at_once_and_costs_one_trial_at_most() {
        let breaker = breaker();
        let loading = TrialFailure { kind: FailureKind::Unavailable, message: "loading".into() };
        let mut waited = Duration::ZERO;
        while let Advice::Again(pause) = breaker.advise(Some(&loading), Duration::ZERO) {
            waited += pause;
            tokio::time::sleep(pause).await;
        }
        assert_eq!(waited, Duration::from_secs(10), "the last advice was to keep that trial");
        assert_eq!(breaker.advise(Some(&loading), Duration::ZERO), Advice::GiveUp);
        breaker.advise(None, Duration::ZERO);
        let first = Advice::Again(Duration::from_secs(1));
        assert_eq!(breaker.advise(Some(&loading), Duration::ZERO), first);
        assert_eq!(breaker.advise(Some(&refused()), Duration::ZERO), first, "a restart");
    }

    #[tokio::test(start_paused = true)]
    async fn a_case_that_alone_is_never_answered_is_written_down() {
        let breaker = breaker();
        let loading = TrialFailure { kind: FailureKind::Unavailable, message: "loading".into() };
        let long = Duration::from_secs(10);
        assert_eq!(breaker.advise(Some(&loading), long), Advice::Keep);
    }

    #[tokio::test(start_paused = true)]
    async fn a_server_that_is_gone_is_waited_for_and_then_given_up() {
        let breaker = breaker();
        breaker.advise(Some(&refused()), Duration::ZERO);
        breaker.advise(Some(&refused()), Duration::ZERO);
        let mut waited = Duration::ZERO;
        while let Advice::Again(pause) = breaker.advise(Some(&refused()), Duration::ZERO) {
            waited += pause;
            tokio::time::sleep(pause).await;
        }
        assert_eq!(breaker.advise(Some(&refused()), Duration::ZERO), Advice::GiveUp);
        assert_eq!(waited, Duration::from_secs(10));
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_closes_the_circuit() {
        let breaker = breaker();
        for _ in 0..3 {
            breaker.advise(Some(&refused()), Duration::ZERO);
        }
        breaker.advise(None, Duration::ZERO);
        assert_eq!(breaker.advise(Some(&refused()), Duration::ZERO), Advice::Keep);
    }
}
