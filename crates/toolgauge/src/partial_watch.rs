//! Watches over the work: shows how far it is, and ends it when the user has had enough.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use toolgauge_engine::partial_credit::{PartialCreditError, PartialCreditWork, WorkProgress};
use toolgauge_report::partial::PartialReport;

use crate::interrupt;

/// Work that takes less shows no bar.
const PATIENCE: Duration = Duration::from_secs(1);
/// How long the worker may take to stop before it is left behind.
const GRACE: Duration = Duration::from_secs(2);
const TICK: Duration = Duration::from_millis(100);

type WorkOutcome = Result<PartialReport, PartialCreditError>;

enum Event {
    Finished(Box<WorkOutcome>),
    Interrupted,
}

/// Does the work on a thread of its own; gives nothing when the user interrupted it.
///
/// `length` is what a bar is drawn against; without it there is none. `unfinished` is the file
/// to remove should the worker hang in a read or a write when it is interrupted.
pub(crate) fn watch(
    work: PartialCreditWork,
    length: Option<u64>,
    unfinished: Option<PathBuf>,
) -> Option<WorkOutcome> {
    let progress = work.progress();
    let (sender, events) = channel();
    listen(sender.clone());
    thread::spawn(move || sender.send(Event::Finished(Box::new(work.run()))));
    if let Event::Finished(outcome) = wait(&events, &progress, length) {
        return Some(*outcome);
    }
    progress.stop.store(true, Ordering::Relaxed);
    match events.recv_timeout(GRACE) {
        // It may have been done just in time.
        Ok(Event::Finished(outcome)) => return outcome.ok().map(Ok),
        Ok(Event::Interrupted) | Err(_) => {
            if let Some(file) = unfinished {
                // What cannot be removed now was never made, or is gone.
                let _ = fs::remove_file(file);
            }
        }
    }
    None
}

fn wait(events: &Receiver<Event>, progress: &WorkProgress, length: Option<u64>) -> Event {
    let start = Instant::now();
    let mut bar: Option<ProgressBar> = None;
    let event = loop {
        match events.recv_timeout(TICK) {
            Ok(event) => break event,
            // Both senders are gone only when the worker panicked, which it reports by itself.
            Err(RecvTimeoutError::Disconnected) => break Event::Interrupted,
            Err(RecvTimeoutError::Timeout) => {}
        }
        if let Some(length) = length.filter(|_| start.elapsed() > PATIENCE) {
            let bar = bar.get_or_insert_with(|| new_bar(length));
            bar.set_position(progress.bytes.load(Ordering::Relaxed));
        }
    };
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    event
}

fn new_bar(length: u64) -> ProgressBar {
    let style =
        ProgressStyle::with_template("{bar:40} {bytes}/{total_bytes} {bytes_per_sec} {eta}");
    let bar = ProgressBar::new(length);
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

/// Sends an event when the process is asked to stop. Without a way to listen, the system's own
/// way of stopping stays in force.
fn listen(sender: Sender<Event>) {
    interrupt::enforce();
    thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build();
        if let Ok(runtime) = runtime {
            runtime.block_on(interrupted());
            let _ = sender.send(Event::Interrupted);
        }
    });
}

#[cfg(unix)]
async fn interrupted() {
    use tokio::signal::unix::{SignalKind, signal};
    let listen = |kind| signal(kind).ok();
    let (Some(mut interrupt), Some(mut terminate), Some(mut hangup)) = (
        listen(SignalKind::interrupt()),
        listen(SignalKind::terminate()),
        listen(SignalKind::hangup()),
    ) else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
        _ = hangup.recv() => {}
    }
}

#[cfg(not(unix))]
async fn interrupted() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
