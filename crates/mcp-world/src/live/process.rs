//! Processes that have only what they were given, and end with all that they started.

use std::process::Command;

use indexmap::IndexMap;

/// Takes all variables from a command but the path to programs, and gives it these.
pub(super) fn bare_environment(command: &mut Command, env: &IndexMap<String, String>) {
    command.env_clear();
    // Without it a script cannot find the program that runs it.
    if let Some(path) = std::env::var_os("PATH") {
        command.env("PATH", path);
    }
    command.envs(env);
}

/// Starts a command in a group of its own, which can be ended as a whole, and which Ctrl-C at the
/// terminal does not reach.
pub(super) fn own_group(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(not(unix))]
    let _ = command;
}

/// Ends a group of processes by the number of its first.
#[cfg(unix)]
pub(super) fn end_group(id: u32) {
    use rustix::process::{Pid, Signal, kill_process_group};
    if let Some(group) = i32::try_from(id).ok().and_then(Pid::from_raw) {
        // It fails only when nobody is left to end.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

/// Elsewhere the process itself is ended by whoever drops it.
#[cfg(not(unix))]
pub(super) fn end_group(_id: u32) {}
