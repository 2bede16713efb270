//! Partial credit for a file of results: reading, scoring and writing at once, and watching it.

mod output;
mod watch;
mod work;
mod work_failure;

pub(crate) use output::{Output, Target};
pub(crate) use watch::watch;
pub(crate) use work::Work;
