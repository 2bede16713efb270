//! Runs a case again for a visitor, where the viewer was started so that they may.

use std::path::PathBuf;
use std::process::Stdio;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use jiff::Timestamp;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::Command;
use toolgauge_core::timestamp;

/// As much of what a run prints as is kept, in bytes.
const OUTPUT: usize = 16_000;

/// How a case is run again.
#[derive(Clone, Debug)]
pub struct RerunCommand {
    /// The arguments of `toolgauge`.
    pub arguments: Vec<String>,
    /// Why a visitor may not start it: who made the log would choose what is done.
    pub refusal: Option<String>,
}

/// The runs that visitors start, one after another.
#[derive(Debug)]
pub(crate) struct Reruns {
    program: PathBuf,
    last: Mutex<Option<Rerun>>,
}

/// A run that a visitor started.
#[derive(Clone, Debug)]
pub(crate) struct Rerun {
    /// The log that the case was found in.
    pub(crate) log: String,
    /// The case.
    pub(crate) case: String,
    /// When it was started.
    pub(crate) started: Timestamp,
    /// What it printed so far, or its last part.
    pub(crate) output: String,
    /// How it ended: its status, or why it has none. `None` while it goes on.
    pub(crate) ended: Option<Result<i32, String>>,
}

impl Reruns {
    /// Runs are made by this program.
    pub(crate) fn new(program: PathBuf) -> Self {
        Self { program, last: Mutex::default() }
    }

    /// The run that was started last.
    pub(crate) fn last(&self) -> Option<Rerun> {
        self.lock().clone()
    }

    /// Notes a run; whether it may be made, because no other goes on.
    pub(crate) fn begin(&self, log: &str, case: &str) -> bool {
        let mut last = self.lock();
        if last.as_ref().is_some_and(|run| run.ended.is_none()) {
            return false;
        }
        *last = Some(Rerun {
            log: log.to_owned(),
            case: case.to_owned(),
            started: timestamp(SystemTime::now()),
            output: String::new(),
            ended: None,
        });
        true
    }

    /// Makes the run that was noted.
    pub(crate) async fn run(&self, arguments: Vec<String>) {
        let ended = self.wait_for(arguments).await.map_err(|error| error.to_string());
        if let Some(run) = self.lock().as_mut() {
            run.ended = Some(ended);
        }
    }

    async fn wait_for(&self, arguments: Vec<String>) -> std::io::Result<i32> {
        let mut child = Command::new(&self.program)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            // The viewer ends within seconds, and so does what it started.
            .kill_on_drop(true)
            .spawn()?;
        let (out, err) = (child.stdout.take(), child.stderr.take());
        tokio::join!(self.keep(out), self.keep(err));
        Ok(child.wait().await?.code().unwrap_or(-1))
    }

    /// Keeps what is printed, as it comes.
    async fn keep(&self, from: Option<impl AsyncRead + Unpin>) {
        let Some(mut from) = from else { return };
        let mut piece = [0; 4_096];
        while let Ok(count @ 1..) = from.read(&mut piece).await {
            let mut last = self.lock();
            let Some(run) = last.as_mut() else { return };
            run.output.push_str(&String::from_utf8_lossy(&piece[..count]));
            if run.output.len() > OUTPUT {
                let cut = run.output.len() - OUTPUT;
                let cut = (cut..=run.output.len()).find(|at| run.output.is_char_boundary(*at));
                let cut = cut.unwrap_or_default();
                run.output.drain(..cut);
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Rerun>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
