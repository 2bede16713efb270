//! How many files and connections this process may have open.

use std::num::NonZeroUsize;

/// What is open beside trials: logs, settings, the terminal, whatever finds hosts by name.
const BESIDE_TRIALS: u64 = 64;

/// How many trials that take `each` handles may run at once, at most as many as are wanted, and
/// how many handles there are. The limit of this process is raised where that is allowed.
pub(crate) fn at_once(wanted: NonZeroUsize, each: u64) -> (NonZeroUsize, u64) {
    let needed = (wanted.get() as u64).saturating_mul(each).saturating_add(BESIDE_TRIALS);
    let limit = raised(needed);
    (within(limit, wanted, each), limit)
}

fn within(limit: u64, wanted: NonZeroUsize, each: u64) -> NonZeroUsize {
    // With next to none left, half of them must do for trials.
    let available = limit.saturating_sub(BESIDE_TRIALS).max(limit / 2);
    let most = usize::try_from(available / each).unwrap_or(usize::MAX);
    NonZeroUsize::new(most).unwrap_or(NonZeroUsize::MIN).min(wanted)
}

/// How many handles this process may have, after asking for as many as are needed. No more than
/// that: programs it starts inherit the limit, and some look at every handle below it.
#[cfg(unix)]
fn raised(needed: u64) -> u64 {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let current = limit.current.unwrap_or(u64::MAX);
    if current >= needed {
        return current;
    }
    // Only root may go beyond the hard limit; asking for more would fail altogether.
    let wanted = needed.min(limit.maximum.unwrap_or(u64::MAX));
    let raised = Rlimit { current: Some(wanted), maximum: limit.maximum };
    if setrlimit(Resource::Nofile, raised).is_ok() { wanted } else { current }
}

#[cfg(not(unix))]
fn raised(_: u64) -> u64 {
    u64::MAX
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trials_leave_handles_for_what_is_beside_them() {
        let most =
            |limit, wanted, each| within(limit, NonZeroUsize::new(wanted).unwrap(), each).get();
        assert_eq!(most(1024, 1024, 1), 960);
        assert_eq!(most(1024, 100, 1), 100);
        assert_eq!(most(1024, 1024, 4), 240);
        assert_eq!(most(u64::MAX, 4096, 1), 4096);
        assert_eq!(most(32, 1024, 1), 16);
        assert_eq!(most(0, 8, 4), 1);
    }
}
