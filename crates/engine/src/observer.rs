//! Whoever watches a run.

use std::time::Duration;

use toolgauge_runner::RunEvent;

/// Hears what happens in a run, as it happens. Everything is optional: a program that only wants
/// the log takes [`Unobserved`].
pub trait Observer: Send + Sync {
    /// Something happened in the run. A finished trial is in its log by then.
    fn event(&self, _event: &RunEvent) {}

    /// Something may spoil the run.
    fn warning(&self, _text: &str) {}

    /// Something worth knowing, such as which cell of a matrix begins.
    fn note(&self, _text: &str) {}

    /// Something takes its time before the first trial. Called about once a second.
    fn waiting(&self, _what: &str, _passed: Duration) {}

    /// The wait is over.
    fn waited(&self) {}
}

/// Nobody watches.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unobserved;

impl Observer for Unobserved {}
