//! A child process that never outlives us, and the last lines it wrote.

use std::collections::VecDeque;
use std::io;
use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};
use tokio::process::{Child, Command};
use tokio::task::JoinHandle;

use crate::watchdog::{MARK_VARIABLE, Watchdog, new_mark};

/// How many lines of output are remembered.
const REMEMBERED: usize = 30;
/// How long a process that was asked to stop may take, before it is made to.
const GRACE: Duration = Duration::from_secs(5);

type Tail = Arc<Mutex<VecDeque<String>>>;

/// A child process in a process group of its own.
#[derive(Debug)]
pub(super) struct ServerProcess {
    child: Child,
    tail: Tail,
    reader: Option<JoinHandle<()>>,
    /// Let go last: we may be killed while we wait for the process.
    _watchdog: Watchdog,
}

impl ServerProcess {
    /// Starts a program. Its output is read all the time, so that it never has to wait.
    pub(super) fn start(program: &Path, arguments: &[String]) -> io::Result<Self> {
        let mut command = Command::new(program);
        // A server that shares our terminal could take the input that is meant for us.
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mark = new_mark();
        command.env(MARK_VARIABLE, &mark).kill_on_drop(true);
        // A group of its own, so that all of it can be stopped, and so that Ctrl-C at the
        // terminal reaches it only through us, after the last trials are done.
        #[cfg(unix)]
        command.process_group(0);
        let mut child = command.spawn()?;
        let tail = Tail::default();
        let errors = child.stderr.take();
        let reader = errors.map(|errors| tokio::spawn(remember(errors, tail.clone())));
        let watchdog = Watchdog::start(&mark, child.id());
        Ok(Self { child, tail, reader, _watchdog: watchdog })
    }

    /// How the process ended, if it did.
    pub(super) fn ended(&mut self) -> Option<String> {
        self.child.try_wait().ok().flatten().map(|status| status.to_string())
    }

    /// Waits for the rest of the output of a process that has ended.
    pub(super) async fn drain(&mut self) {
        if let Some(reader) = self.reader.take() {
            // A grandchild may hold the pipe open; its words are not worth waiting for.
            let _ = tokio::time::timeout(Duration::from_secs(1), reader).await;
        }
    }

    /// The last lines of its output.
    pub(super) fn output(&self) -> String {
        let tail = self.tail.lock().unwrap_or_else(PoisonError::into_inner);
        tail.iter().map(String::as_str).collect::<Vec<_>>().join("\n")
    }

    /// Stops the process and everything it started.
    pub(super) async fn stop(mut self) {
        self.signal(StopMethod::Politely);
        if tokio::time::timeout(GRACE, self.child.wait()).await.is_err() {
            self.signal(StopMethod::ForGood);
            let _ = self.child.wait().await;
        }
    }

    #[cfg(unix)]
    fn signal(&self, how: StopMethod) {
        use rustix::process::{Pid, Signal, kill_process_group};
        let signal = match how {
            StopMethod::Politely => Signal::TERM,
            StopMethod::ForGood => Signal::KILL,
        };
        let group = self.child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
        if let Some(group) = group {
            // It fails only when nobody is left to stop.
            let _ = kill_process_group(group, signal);
        }
    }

    #[cfg(not(unix))]
    fn signal(&mut self, _how: StopMethod) {
        let _ = self.child.start_kill();
    }
}

#[derive(Clone, Copy, Debug)]
enum StopMethod {
    Politely,
    ForGood,
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        self.signal(StopMethod::Politely);
        if !self.ends_within(GRACE) {
            self.signal(StopMethod::ForGood);
            self.ends_within(GRACE);
        }
    }
}

impl ServerProcess {
    /// Waits for the end without a runtime, which may be gone when this is dropped.
    fn ends_within(&mut self, limit: Duration) -> bool {
        let start = Instant::now();
        while matches!(self.child.try_wait(), Ok(None)) {
            if start.elapsed() > limit {
                return false;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        true
    }
}

/// Reads lines for as long as they come, and keeps the last ones.
async fn remember(errors: impl AsyncRead + Unpin, tail: Tail) {
    let mut lines = BufReader::new(errors).split(b'\n');
    while let Ok(Some(line)) = lines.next_segment().await {
        let line = String::from_utf8_lossy(&line).trim_end().to_owned();
        let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
        if tail.len() == REMEMBERED {
            tail.pop_front();
        }
        tail.push_back(line);
    }
}
