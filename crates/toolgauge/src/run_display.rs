//! What a person sees of runs while they go on.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use toolgauge_engine::Observer;
use toolgauge_runner::{EventSink as _, RunEvent};

use crate::progress::RunProgress;
use crate::status_line::{Display, StatusLine};

/// How many columns are left free for the `^C` of an interrupt.
const MARGIN: usize = 4;

/// Shows runs one after the other: warnings, what is waited for, and the progress of each.
pub(crate) struct RunDisplay {
    status_line: StatusLine,
    progress: Mutex<Option<RunProgress>>,
    /// Whether the present wait was named already, where it cannot be drawn over.
    named: AtomicBool,
}

impl RunDisplay {
    /// A display that writes through this status line.
    pub(crate) fn new(status_line: &StatusLine) -> Self {
        Self {
            status_line: status_line.clone(),
            progress: Mutex::default(),
            named: AtomicBool::new(false),
        }
    }
}

impl Observer for RunDisplay {
    fn event(&self, event: &RunEvent) {
        let mut progress = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(event, RunEvent::Started { .. }) {
            *progress = Some(RunProgress::new(&self.status_line));
        }
        if let Some(progress) = &mut *progress {
            // What cannot be shown does not matter to the run.
            let _ = progress.on_event(event);
        }
        if matches!(event, RunEvent::Finished) {
            *progress = None;
        }
    }

    fn warning(&self, text: &str) {
        self.status_line.tell(&format!("warning: {text}"));
    }

    fn note(&self, text: &str) {
        self.status_line.tell(text);
    }

    /// With the seconds so far on a terminal, and named once elsewhere.
    fn waiting(&self, what: &str, passed: Duration) {
        match self.status_line.display() {
            Display::Bar => {
                let size = terminal_size::terminal_size_of(std::io::stderr());
                let width = size.map_or(80, |size| usize::from(size.0.0));
                let line = format!("{what} … {} s", passed.as_secs());
                let line = console::truncate_str(&line, width.saturating_sub(MARGIN), "…");
                self.status_line.draw(&line);
            }
            Display::Lines if !self.named.swap(true, Ordering::Relaxed) => {
                self.status_line.tell(what);
            }
            Display::Lines | Display::Nothing => {}
        }
    }

    fn waited(&self) {
        self.named.store(false, Ordering::Relaxed);
        self.status_line.clear();
    }
}
