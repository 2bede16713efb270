//! Partial credit for a file of results: reading, scoring and writing at once, and watching it.

mod watch;
mod work;
mod work_failure;

pub(crate) use watch::watch;
pub(crate) use work::Work;
