//! What a run waits for before its first trial: shown while it lasts, dropped when it is stopped.

use std::future::Future;
use std::time::{Duration, Instant};

use toolgauge_runner::StopSignal;

use crate::error::EngineError;
use crate::observer::Observer;

/// How often the observer hears of it. What takes less is not worth a word.
const TICK: Duration = Duration::from_secs(1);

/// Who hears of a wait, and what ends it.
#[derive(Clone, Copy)]
pub struct Waiting<'a> {
    stop: &'a StopSignal,
    observer: &'a dyn Observer,
}

impl<'a> Waiting<'a> {
    /// Waiting that ends when the run is asked to stop.
    pub fn new(stop: &'a StopSignal, observer: &'a dyn Observer) -> Self {
        Self { stop, observer }
    }

    /// Who hears of it.
    pub fn observer(&self) -> &'a dyn Observer {
        self.observer
    }

    /// Waits for some work.
    ///
    /// Nothing is under way yet that could end gently, so that the first Ctrl-C ends it.
    pub async fn wait_for<T>(
        &self,
        what: &str,
        work: impl Future<Output = T>,
    ) -> Result<T, EngineError> {
        let _over = WaitEndNotice(self.observer);
        let started = Instant::now();
        let mut work = std::pin::pin!(work);
        loop {
            tokio::select! {
                // The signal first: work that is ready at the same moment must not hide it.
                biased;
                () = self.stop.gently.cancelled() => return Err(EngineError::Interrupted),
                done = &mut work => return Ok(done),
                () = tokio::time::sleep(TICK) => self.observer.waiting(what, started.elapsed()),
            }
        }
    }
}

/// Says that the wait is over, in whatever way it ends.
struct WaitEndNotice<'a>(&'a dyn Observer);

impl Drop for WaitEndNotice<'_> {
    fn drop(&mut self) {
        self.0.waited();
    }
}
