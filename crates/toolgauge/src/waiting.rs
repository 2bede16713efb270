//! What a run waits for before its first trial: shown while it lasts, dropped when it is stopped.

use std::future::Future;
use std::time::{Duration, Instant};

use toolgauge_runner::Stop;

use crate::failure::Failure;
use crate::stage::{Display, Stage};

/// How often the line with the seconds is drawn. What takes less is not worth a word.
const REDRAW: Duration = Duration::from_secs(1);
/// How many columns are left free for the `^C` of an interrupt.
const MARGIN: usize = 4;

/// How waiting is shown, and how it is ended.
#[derive(Clone)]
pub(crate) struct Waiting {
    stop: Stop,
    stage: Stage,
}

impl Waiting {
    /// Waiting that ends when the run is asked to stop, and is shown where its progress is.
    pub(crate) fn new(stop: &Stop, stage: &Stage) -> Self {
        Self { stop: stop.clone(), stage: stage.clone() }
    }

    /// Waiting that nobody is told of.
    pub(crate) fn silent() -> Self {
        Self { stop: Stop::default(), stage: Stage::new(Display::Nothing) }
    }

    /// Waits for some work, with these words and the seconds it has taken so far on a terminal, and
    /// with the words alone elsewhere.
    ///
    /// Nothing is under way yet that could end gently, so that the first Ctrl-C ends it.
    pub(crate) async fn wait_for<T>(
        &self,
        words: &str,
        work: impl Future<Output = T>,
    ) -> Result<T, Failure> {
        let _cleared = Cleared(&self.stage);
        let started = Instant::now();
        let mut work = std::pin::pin!(work);
        let mut shown = false;
        loop {
            tokio::select! {
                biased;
                () = self.stop.gently.cancelled() => return Err(Failure::Interrupted),
                done = &mut work => return Ok(done),
                () = tokio::time::sleep(REDRAW) => {
                    self.show(words, started.elapsed(), shown);
                    shown = true;
                }
            }
        }
    }

    fn show(&self, words: &str, passed: Duration, shown: bool) {
        match self.stage.display() {
            Display::Bar => {
                let size = terminal_size::terminal_size_of(std::io::stderr());
                let width = size.map_or(80, |size| usize::from(size.0.0));
                let line = format!("{words} … {} s", passed.as_secs());
                let line = console::truncate_str(&line, width.saturating_sub(MARGIN), "…");
                self.stage.draw(&line);
            }
            Display::Lines if !shown => self.stage.tell(words),
            Display::Lines | Display::Nothing => {}
        }
    }
}

/// Takes the line away when the waiting ends, in whatever way.
struct Cleared<'a>(&'a Stage);

impl Drop for Cleared<'_> {
    fn drop(&mut self) {
        self.0.clear();
    }
}
