//! Limits on requests and tokens per minute, shared by everything that asks the same server.

use std::num::NonZeroU32;

use governor::clock::Clock;
use governor::middleware::NoOpMiddleware;
use governor::nanos::Nanos;
use governor::state::{InMemoryState, NotKeyed};
use governor::{Quota, RateLimiter};
use tokio::sync::Mutex;
use tokio::time::Instant;
use toolgauge_core::Usage;

/// Limits on how much is asked of a server; without any, everything passes at once.
#[derive(Debug, Default)]
pub struct RequestLimits {
    requests: Option<RateLimit>,
    tokens: Option<RateLimit>,
}

impl RequestLimits {
    /// Limits in requests and tokens per minute, each optional.
    pub fn per_minute(requests: Option<NonZeroU32>, tokens: Option<NonZeroU32>) -> Self {
        // A second's worth of requests may go at once; a minute's worth of tokens, because a
        // single request may need that many.
        let requests = requests.map(|limit| {
            let at_once = NonZeroU32::new(limit.get() / 60).unwrap_or(NonZeroU32::MIN);
            RateLimit::new(Quota::per_minute(limit).allow_burst(at_once), at_once)
        });
        let tokens = tokens.map(|limit| RateLimit::new(Quota::per_minute(limit), limit));
        Self { requests, tokens }
    }

    /// Waits until one request of about so many tokens may be sent.
    pub(crate) async fn admit(&self, tokens: u64) {
        if let Some(gate) = &self.tokens {
            gate.pass(tokens).await;
        }
        if let Some(gate) = &self.requests {
            gate.pass(1).await;
        }
    }

    /// Corrects the estimate a request was admitted with, if the server says how large it was.
    pub(crate) async fn settle_usage(&self, estimated: u64, usage: Usage) {
        if let (Some(input), Some(output)) = (usage.input, usage.output) {
            self.settle(estimated, input.saturating_add(output)).await;
        }
    }

    async fn settle(&self, estimated: u64, real: u64) {
        if let Some(gate) = &self.tokens {
            gate.owe(estimated, real).await;
        }
    }
}

/// One limit. Those who wait stand in line behind the lock, so that they pass in the order they
/// came and only the first of them watches the clock.
#[derive(Debug)]
struct RateLimit {
    limiter: RateLimiter<NotKeyed, InMemoryState, TokioClock, NoOpMiddleware<Nanos>>,
    largest: NonZeroU32,
    /// What earlier requests took beyond their estimate; the next one pays for it.
    debt: Mutex<i64>,
}

impl RateLimit {
    fn new(quota: Quota, largest: NonZeroU32) -> Self {
        let limiter = RateLimiter::direct_with_clock(quota, TokioClock::default());
        Self { limiter, largest, debt: Mutex::new(0) }
    }

    async fn pass(&self, amount: u64) {
        let mut debt = self.debt.lock().await;
        let largest = i64::from(self.largest.get());
        let wanted = i64::try_from(amount).unwrap_or(i64::MAX).saturating_add(*debt);
        let taken = wanted.clamp(0, largest);
        // A request beyond the limit would otherwise hold up the others for ever.
        *debt = (wanted - taken).clamp(-largest, largest);
        let Some(taken) = u32::try_from(taken).ok().and_then(NonZeroU32::new) else { return };
        while let Ok(Err(not_until)) = self.limiter.check_n(taken) {
            let wait = not_until.wait_time_from(self.limiter.clock().now());
            tokio::time::sleep(wait).await;
        }
    }

    async fn owe(&self, estimated: u64, real: u64) {
        let difference = i128::from(real) - i128::from(estimated);
        let mut debt = self.debt.lock().await;
        *debt = debt.saturating_add(i64::try_from(difference).unwrap_or(i64::MAX));
    }
}

/// The runtime's clock, so that limits and waits agree on the time, in tests too.
#[derive(Clone, Debug)]
struct TokioClock {
    start: std::sync::OnceLock<Instant>,
}

impl Default for TokioClock {
    fn default() -> Self {
        Self { start: std::sync::OnceLock::new() }
    }
}

impl Clock for TokioClock {
    type Instant = Nanos;

    fn now(&self) -> Nanos {
        self.start.get_or_init(Instant::now).elapsed().into()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use super::*;

    fn limit(count: u32) -> Option<NonZeroU32> {
        NonZeroU32::new(count)
    }

    async fn time_for(limits: &RequestLimits, requests: usize, tokens: u64) -> Duration {
        let start = Instant::now();
        for _ in 0..requests {
            limits.admit(tokens).await;
        }
        start.elapsed()
    }

    #[tokio::test(start_paused = true)]
    async fn without_limits_nobody_waits() {
        assert_eq!(time_for(&RequestLimits::default(), 1000, 1000).await, Duration::ZERO);
    }

    #[tokio::test(start_paused = true)]
    async fn requests_are_spread_over_the_minute() {
        let limits = RequestLimits::per_minute(limit(60), None);
        let took = time_for(&limits, 31, 5).await.as_secs_f64();
        assert!((29.9..30.2).contains(&took), "{took}");
    }

    #[tokio::test(start_paused = true)]
    async fn tokens_are_spread_over_the_minute() {
        let limits = RequestLimits::per_minute(None, limit(6000));
        // The first 6000 go at once, the next 3000 take half a minute.
        let took = time_for(&limits, 9, 1000).await.as_secs_f64();
        assert!((29.9..30.2).contains(&took), "{took}");
    }

    #[tokio::test(start_paused = true)]
    async fn what_a_request_took_beyond_its_estimate_is_paid_by_the_next() {
        let limits = RequestLimits::per_minute(None, limit(6000));
        limits.admit(1000).await;
        limits.settle(1000, 6000).await;
        let took = time_for(&limits, 1, 1000).await.as_secs_f64();
        assert!((9.9..10.2).contains(&took), "{took}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_request_larger_than_the_limit_waits_but_passes() {
        let limits = RequestLimits::per_minute(None, limit(600));
        let took = time_for(&limits, 2, 1_000_000).await;
        assert!(took <= Duration::from_secs(61), "{took:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn those_who_wait_pass_in_the_order_they_came() {
        let limits = Arc::new(RequestLimits::per_minute(limit(60), None));
        let order = Arc::new(std::sync::Mutex::new(Vec::new()));
        let mut tasks = Vec::new();
        for number in 0..20 {
            let (limits, order) = (limits.clone(), order.clone());
            tasks.push(tokio::spawn(async move {
                limits.admit(1).await;
                order.lock().unwrap().push(number);
            }));
            tokio::task::yield_now().await;
        }
        for task in tasks {
            task.await.unwrap();
        }
        assert_eq!(*order.lock().unwrap(), (0..20).collect::<Vec<_>>());
    }
}
