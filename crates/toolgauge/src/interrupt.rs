//! Ctrl-C: once to stop gently, twice to stop now. What has nothing to end in order stops at once.
//!
//! Stopping now is a promise that no work may break: a thread of its own ends the process when the
//! orderly way takes too long after the second Ctrl-C. A log is then as it is after a kill, so that
//! it can be resumed.

use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Duration;

use toolgauge_runner::StopSignal;

use crate::status_line::StatusLine;

/// How long the work may take to end in order after the second Ctrl-C.
const LAST_GRACE: Duration = Duration::from_millis(700);
/// The exit status of what was interrupted.
const INTERRUPTED: i32 = 130;

/// Listens for Ctrl-C (and a polite kill) for as long as the returned task lives. The first one
/// stops the run from starting trials and gives those under way `grace` to end; the second one
/// ends it at once.
pub(crate) fn listen(stop: &StopSignal, grace: Duration, status_line: &StatusLine) {
    let (stop, status_line) = (stop.clone(), status_line.clone());
    enforce();
    let Some(mut interrupts) = Interrupts::new() else { return };
    tokio::spawn(async move {
        interrupts.next().await;
        // Said first: a run that has nothing under way ends the process at once.
        status_line.tell("stopping: trials under way may end; press Ctrl-C again to stop now");
        stop.gently.cancel();
        tokio::select! {
            () = interrupts.next() => {}
            () = tokio::time::sleep(grace) => status_line.tell("trials under way took too long and are dropped"),
        }
        stop.now.cancel();
    });
}

/// Says so when Ctrl-C or a polite kill comes, to work that does not wait for anything else. When
/// there is no way to listen, the system's own way of stopping stays in force.
pub(crate) fn noticed() -> Receiver<()> {
    enforce();
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build();
        match runtime {
            Ok(runtime) => runtime.block_on(interrupted()),
            // The receiver would take a sender that is gone for an interrupt.
            Err(_) => loop {
                thread::park();
            },
        }
        let _ = sender.send(());
    });
    receiver
}

/// Waits for Ctrl-C or a polite kill.
pub(crate) async fn interrupted() {
    enforce();
    match Interrupts::new() {
        Some(mut interrupts) => interrupts.next().await,
        None => std::future::pending().await,
    }
}

/// Whether the command ends in order after the first Ctrl-C.
static ORDERLY: AtomicBool = AtomicBool::new(false);

/// Lets the first Ctrl-C be obeyed by the command itself, and makes sure that a second one ends the
/// process soon, whatever its other threads are doing.
pub(crate) fn enforce() {
    watch();
    ORDERLY.store(true, Ordering::Release);
}

/// Makes Ctrl-C end the process at once, with nothing left of what it was writing, until somebody
/// ends it in order.
pub(crate) fn watch() {
    static STARTED: Once = Once::new();
    STARTED.call_once(|| {
        let (listening, ready) = mpsc::channel();
        thread::spawn(move || end_process(listening));
        // A Ctrl-C that comes before the thread listens would not be counted. Nothing is sent when
        // it cannot listen at all.
        let _ = ready.recv();
    });
}

#[expect(clippy::exit, reason = "the way through `main` is what may be blocked")]
fn end_process(listening: Sender<()>) {
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_io().build() else {
        return;
    };
    runtime.block_on(async {
        let Some(mut interrupts) = Interrupts::new() else { return };
        let_writes_fail();
        let _ = listening.send(());
        drop(listening);
        interrupts.next().await;
        if ORDERLY.load(Ordering::Acquire) {
            interrupts.next().await;
            thread::sleep(LAST_GRACE);
        }
        toolgauge_log::remove_unfinished();
        std::process::exit(INTERRUPTED);
    });
}

/// Lets a write beyond the limit on the size of files fail with its cause. By itself the system would
/// end the process, with whatever it was writing left behind.
fn let_writes_fail() {
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    {
        /// `SIGXFSZ`, of which tokio has no name.
        const FILE_TOO_LARGE: i32 = 25;
        // It stays listened to until the process ends, whoever drops the listener.
        let kind = tokio::signal::unix::SignalKind::from_raw(FILE_TOO_LARGE);
        let _ = tokio::signal::unix::signal(kind);
    }
}

/// Ctrl-C and polite kills. One that comes while another is being obeyed is not missed.
#[cfg(unix)]
struct Interrupts {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Interrupts {
    fn new() -> Option<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        let interrupt = signal(SignalKind::interrupt()).ok()?;
        Some(Self { interrupt, terminate: signal(SignalKind::terminate()).ok()? })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}

#[cfg(not(unix))]
struct Interrupts;

#[cfg(not(unix))]
impl Interrupts {
    #[expect(clippy::unnecessary_wraps, reason = "elsewhere signals may not be had")]
    fn new() -> Option<Self> {
        Some(Self)
    }

    async fn next(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
