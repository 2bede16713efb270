//! Sees to it that nothing we started outlives us, even if we are killed.
//!
//! To be told of the death of a parent takes code that we do not allow ourselves. So a small shell
//! waits on a pipe whose other end closes when we are gone, by whatever signal. It finds what is
//! left by a variable that every process inherits, so that one that left its process group or
//! started a session of its own is found as well. That needs `/proc`; elsewhere only the group is.

use std::process::{Child, ChildStdin};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

/// The variable by which descendants are found.
pub(crate) const MARK_VARIABLE: &str = "TOOLGAUGE_PARENT";

/// Stops the group `$1`, if there is one, then everything that bears the mark `$0`. More than
/// once, because a process may start another one meanwhile.
#[cfg(unix)]
const SCRIPT: &str = r#"
read -r _
if [ -n "$1" ]; then kill -s TERM -- "-$1" && sleep 5; kill -s KILL -- "-$1"; fi
for _ in 1 2 3; do
  grep -lsaF "TOOLGAUGE_PARENT=$0;" /proc/[0-9]*/environ |
    while IFS=/ read -r _ _ process _; do kill -s KILL "$process"; done
done
"#;

/// A shell that waits until this is dropped, or until we are gone.
#[derive(Debug)]
pub(crate) struct Watchdog {
    shell: Option<(Child, ChildStdin)>,
}

impl Watchdog {
    /// Watches over everything that is started with this mark, and over a process group.
    pub(crate) fn start(mark: &str, group: Option<u32>) -> Self {
        // Without a shell there is no watchdog, and everything else works as well.
        Self { shell: shell(mark.trim_end_matches(';'), group) }
    }
}

/// A mark that no other process has: the value of [`MARK_VARIABLE`].
pub(crate) fn new_mark() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let time = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let time = time.map_or(0, |time| time.as_nanos());
    // The end of the mark is part of it, so that none is the beginning of another.
    format!("{}-{number}-{time};", std::process::id())
}

#[cfg(unix)]
fn shell(mark: &str, group: Option<u32>) -> Option<(Child, ChildStdin)> {
    use std::os::unix::process::CommandExt as _;
    use std::process::{Command, Stdio};

    let mut command = Command::new("sh");
    command.args(["-c", SCRIPT, mark]).args(group.map(|group| group.to_string()));
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    // Ctrl-C at the terminal must not reach it.
    command.process_group(0);
    let mut child = command.spawn().ok()?;
    let stdin = child.stdin.take()?;
    Some((child, stdin))
}

#[cfg(not(unix))]
fn shell(_mark: &str, _group: Option<u32>) -> Option<(Child, ChildStdin)> {
    None
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        if let Some((mut child, stdin)) = self.shell.take() {
            drop(stdin);
            // It may take its time; we do not wait for it.
            thread::spawn(move || child.wait());
        }
    }
}
