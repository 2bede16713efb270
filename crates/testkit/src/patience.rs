//! Waiting for what may take its time on a busy machine.

use std::thread;
use std::time::{Duration, Instant};

/// How long tests wait for what must come: no test hangs for ever, and none fails for being slow.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);

/// Waits until something is so.
///
/// # Panics
///
/// When it does not come to that in a minute.
#[track_caller]
pub fn wait_until(mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < PATIENCE, "it never was so");
        thread::sleep(Duration::from_millis(5));
    }
}
