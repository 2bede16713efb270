//! Runs foreign parsers whose panics are results like any other.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;
use std::thread;

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Runs `parse` and catches its panic, without the message and the backtrace that usually go to
/// stderr. Panics of other threads stay as loud as they were.
pub(super) fn catch<T>(parse: impl FnOnce() -> T) -> thread::Result<T> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if !QUIET.get() {
                usual(panic);
            }
        }));
    });
    let before = QUIET.replace(true);
    let result = panic::catch_unwind(AssertUnwindSafe(parse));
    QUIET.set(before);
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_result_and_quiet_only_while_it_is_caught() {
        let caught = catch(|| {
            assert!(QUIET.get());
            panic!("from a parser");
        });
        assert!(caught.is_err() && !QUIET.get());
        assert!(catch(|| 7).is_ok_and(|seven| seven == 7));
        let loud = thread::spawn(|| QUIET.get()).join();
        assert!(loud.is_ok_and(|quiet| !quiet));
    }
}
