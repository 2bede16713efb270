//! The one loop around every request: limits, attempts, back-off.

use std::future::Future;
use std::time::Duration;

use backon::{BackoffBuilder, ExponentialBuilder};
use tokio::time::Instant;
use toolgauge_core::{FailedAttempt, TrialFailure};

use crate::failure::{AttemptFailure, Retry};
use crate::limits::RequestLimits;

/// How often, and after which pauses, a request is tried again.
///
/// The pause doubles from `first_pause` up to `longest_pause`, and as much again at most is
/// added by chance, so that requests which failed together do not come back together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryPolicy {
    /// How many times a request is tried again after it failed.
    pub retries: u32,
    /// The pause before the first of these.
    pub first_pause: Duration,
    /// The longest pause, before chance is added.
    pub longest_pause: Duration,
    /// The longest pause a server can ask for with `Retry-After`; it is cut down to this.
    pub longest_asked_pause: Duration,
    /// Where chance starts from; `None` for a different one in each run.
    pub seed: Option<u64>,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self {
            retries: 4,
            first_pause: Duration::from_millis(500),
            longest_pause: Duration::from_secs(30),
            longest_asked_pause: Duration::from_mins(2),
            seed: None,
        }
    }
}

impl RetryPolicy {
    /// A policy that never tries again.
    pub fn never() -> Self {
        Self { retries: 0, ..Self::default() }
    }

    /// The pauses before each retry of the request with this number.
    fn pauses(&self, request: u64) -> impl Iterator<Item = Duration> + Send + use<> {
        let builder = ExponentialBuilder::new()
            .with_min_delay(self.first_pause)
            .with_max_delay(self.longest_pause)
            .with_max_times(usize::try_from(self.retries).unwrap_or(usize::MAX))
            .with_jitter();
        match self.seed {
            // Another seed for each request, or all of them would come back at the same moment.
            Some(seed) => builder.with_jitter_seed(seed.wrapping_add(request)).build(),
            None => builder.build(),
        }
    }
}

/// One request to be made: its place in the order of requests, and its size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RequestInfo {
    /// The number of the request, so that each has its own chance.
    pub(crate) number: u64,
    /// How many tokens it will take, as far as one can guess.
    pub(crate) tokens: u64,
}

/// What came of a request that succeeded in the end.
#[derive(Debug, PartialEq)]
pub(crate) struct Attempted<T> {
    pub(crate) value: T,
    /// How many attempts it took.
    pub(crate) attempts: u32,
    /// Everything before the last attempt was sent: limits, pauses, failed attempts.
    pub(crate) queued: Duration,
    /// The failed attempts.
    pub(crate) repeated: Vec<FailedAttempt>,
}

/// Tries until it succeeds, the failure is a lasting one, or the retries are used up.
pub(crate) async fn persist<T, F, Fut>(
    policy: &RetryPolicy,
    limits: &RequestLimits,
    request: RequestInfo,
    mut attempt: F,
) -> Result<Attempted<T>, TrialFailure>
where
    F: FnMut() -> Fut,
    Fut: Future<Output = Result<T, AttemptFailure>>,
{
    let asked = Instant::now();
    let mut pauses = policy.pauses(request.number);
    let mut repeated = Vec::new();
    let mut attempts = 0;
    loop {
        // Every attempt is admitted, not only the first: the server counts retries as well.
        limits.admit(request.tokens).await;
        // Taken before each attempt, so that the latency reported is that of the answer alone.
        let queued = asked.elapsed();
        attempts += 1;
        let failure = match attempt().await {
            Ok(value) => return Ok(Attempted { value, attempts, queued, repeated }),
            Err(failure) => failure,
        };
        let pause = match (failure.retry, pauses.next()) {
            (Retry::Never, _) | (_, None) => return Err(failure.into_trial_failure(attempts)),
            // A server that asks for no pause at all still gets the usual one.
            (Retry::Soon | Retry::After(Duration::ZERO), Some(pause)) => pause,
            (Retry::After(asked), Some(_)) => asked.min(policy.longest_asked_pause),
        };
        let time = asked.elapsed().saturating_sub(queued);
        repeated.push(FailedAttempt { reason: failure.reason(), time });
        tokio::time::sleep(pause).await;
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use toolgauge_core::FailureKind;

    use super::*;

    const ERRAND: RequestInfo = RequestInfo { number: 0, tokens: 0 };

    fn policy() -> RetryPolicy {
        RetryPolicy { retries: 3, seed: Some(7), ..RetryPolicy::default() }
    }

    fn failing(retry: Retry) -> AttemptFailure {
        AttemptFailure { kind: FailureKind::Server, message: "down".into(), retry }
    }

    /// Runs an attempt that fails with each of these in turn and then succeeds; says at which
    /// second each attempt was made.
    async fn run(failures: Vec<AttemptFailure>) -> (Result<Attempted<()>, TrialFailure>, Vec<f64>) {
        let start = Instant::now();
        let times = RefCell::new(Vec::new());
        let failures = RefCell::new(failures.into_iter());
        let (policy, limits) = (policy(), RequestLimits::default());
        let result = persist(&policy, &limits, ERRAND, || {
            times.borrow_mut().push(start.elapsed().as_secs_f64());
            std::future::ready(failures.borrow_mut().next().map_or(Ok(()), Err))
        });
        (result.await, times.into_inner())
    }

    #[tokio::test(start_paused = true)]
    async fn the_first_success_ends_the_loop() {
        let (result, times) = run(vec![]).await;
        let expected =
            Attempted { value: (), attempts: 1, queued: Duration::ZERO, repeated: vec![] };
        assert_eq!((result, times), (Ok(expected), vec![0.0]));
    }

    #[tokio::test(start_paused = true)]
    async fn pauses_grow_and_chance_at_most_doubles_them() {
        let (result, times) = run(vec![failing(Retry::Soon); 3]).await;
        let result = result.unwrap();
        assert_eq!(result.attempts, 4);
        let repeated = FailedAttempt { reason: "down".into(), time: Duration::ZERO };
        assert_eq!(result.repeated, vec![repeated; 3]);
        assert!((result.queued.as_secs_f64() - times[3]).abs() < 0.002);
        for (at, base) in [0.5, 1.0, 2.0].into_iter().enumerate() {
            let pause = times[at + 1] - times[at];
            assert!((base..=2.0 * base + 0.002).contains(&pause), "{pause} after {base}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn the_same_seed_gives_the_same_pauses() {
        let (_, first) = run(vec![failing(Retry::Soon); 3]).await;
        let (_, second) = run(vec![failing(Retry::Soon); 3]).await;
        assert_eq!(first, second);
        let pauses = |request| policy().pauses(request).collect::<Vec<_>>();
        assert_ne!(pauses(1), pauses(2));
    }

    #[tokio::test(start_paused = true)]
    async fn when_the_retries_are_used_up_the_last_failure_stands() {
        let (result, times) = run(vec![failing(Retry::Soon); 9]).await;
        assert_eq!(times.len(), 4);
        let failure = result.unwrap_err();
        assert_eq!(failure.kind, FailureKind::Server);
        assert_eq!(failure.message, "down (after 4 attempts)");
    }

    #[tokio::test(start_paused = true)]
    async fn a_lasting_failure_is_not_tried_again() {
        let (result, times) = run(vec![failing(Retry::Never)]).await;
        assert_eq!((result.unwrap_err().message.as_str(), times.len()), ("down", 1));
    }

    #[tokio::test(start_paused = true)]
    async fn what_the_server_asks_for_is_honoured_up_to_the_limit() {
        let asked = |seconds| failing(Retry::After(Duration::from_secs(seconds)));
        let (_, times) = run(vec![asked(7), asked(100_000), asked(0)]).await;
        assert!((times[1] - 7.0).abs() < 0.002);
        assert!((times[2] - times[1] - 120.0).abs() < 0.002);
        assert!(times[3] - times[2] >= 2.0, "a pause of zero is not taken at its word");
    }

    #[tokio::test(start_paused = true)]
    async fn every_attempt_counts_towards_the_limits() {
        let limits = RequestLimits::per_minute(std::num::NonZeroU32::new(6), None);
        let failures = RefCell::new(vec![failing(Retry::Soon); 2].into_iter());
        let policy = policy();
        let result = persist(&policy, &limits, ERRAND, || {
            std::future::ready(failures.borrow_mut().next().map_or(Ok(()), Err))
        });
        let queued = result.await.unwrap().queued.as_secs_f64();
        assert!((19.9..20.2).contains(&queued), "{queued}");
    }
}
