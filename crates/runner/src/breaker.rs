//! The circuit breaker: when nothing answers any more, the run waits, and then stops.
//!
//! A server that is gone says nothing about a case, so a trial that meets it is tried again
//! rather than written down; if the server does not come back, the trial stays to be run and a
//! resumed run picks it up.

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
struct State {
    in_a_row: u32,
    open: Option<Open>,
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
    state: Mutex<State>,
}

impl Breaker {
    pub(crate) fn new(patience: Patience) -> Self {
        Self { patience, state: Mutex::default() }
    }

    /// Takes note of how a trial ended and says what to do with it.
    pub(crate) fn advise(&self, failure: Option<&TrialFailure>) -> Advice {
        let mut state = self.state.lock().expect("no holder of the lock panics");
        if failure.is_none_or(|failure| failure.kind != FailureKind::Connection) {
            *state = State::default();
            return Advice::Keep;
        }
        state.in_a_row += 1;
        if state.in_a_row < self.patience.threshold {
            return Advice::Keep;
        }
        let now = Instant::now();
        let open = state.open.get_or_insert(Open { since: now, pause: Duration::ZERO, until: now });
        let left = self.patience.total.saturating_sub(now.duration_since(open.since));
        if left.is_zero() {
            return Advice::GiveUp;
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
        assert_eq!(breaker.advise(Some(&refused())), Advice::Keep);
        assert_eq!(breaker.advise(None), Advice::Keep);
        assert_eq!(breaker.advise(Some(&refused())), Advice::Keep);
    }

    #[tokio::test(start_paused = true)]
    async fn a_server_that_is_gone_is_waited_for_and_then_given_up() {
        let breaker = breaker();
        breaker.advise(Some(&refused()));
        breaker.advise(Some(&refused()));
        let mut waited = Duration::ZERO;
        while let Advice::Again(pause) = breaker.advise(Some(&refused())) {
            waited += pause;
            tokio::time::sleep(pause).await;
        }
        assert_eq!(breaker.advise(Some(&refused())), Advice::GiveUp);
        assert_eq!(waited, Duration::from_secs(10));
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_closes_the_circuit() {
        let breaker = breaker();
        for _ in 0..3 {
            breaker.advise(Some(&refused()));
        }
        breaker.advise(None);
        assert_eq!(breaker.advise(Some(&refused())), Advice::Keep);
    }
}
