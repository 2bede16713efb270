//! What a person sees while a run is going: a bar on a terminal, a line now and then elsewhere.

use std::collections::{BTreeMap, HashMap};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use toolgauge_core::{CaseId, Outcome, Trial, TrialId};
use toolgauge_report::harmless;
use toolgauge_runner::{EventSink, RunEvent, SinkError};
use toolgauge_stats::{Cluster, ClusteredMean, Confidence};

/// How often the figures beside the bar are computed anew.
const REDRAW: Duration = Duration::from_millis(200);
/// How often a line is written where there is no terminal.
const LINE: Duration = Duration::from_secs(10);

/// How much is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Display {
    /// A moving bar.
    Bar,
    /// A plain line from time to time.
    Lines,
    /// Nothing.
    Nothing,
}

/// Shows the progress of a run.
pub(crate) struct Progress {
    display: Display,
    bar: ProgressBar,
    total: usize,
    tally: Tally,
    under_way: BTreeMap<(usize, TrialId), Instant>,
    started: Instant,
    shown: Instant,
}

/// What has come of the trials so far.
#[derive(Default)]
struct Tally {
    done: usize,
    unscored: usize,
    failed: usize,
    by_case: HashMap<(usize, CaseId), Cluster>,
}

impl Tally {
    fn add(&mut self, arm: usize, trial: &Trial) {
        self.done += 1;
        match trial.outcome() {
            Some(Outcome::Scored(score)) => {
                if score.value < 1.0 {
                    self.failed += 1;
                }
                let cluster = self.by_case.entry((arm, trial.case.id.clone())).or_default();
                cluster.add(score.value);
            }
            _ => self.unscored += 1,
        }
    }

    fn words(&self) -> String {
        let mut words = vec![format!("{} lost points", self.failed)];
        if self.unscored > 0 {
            words.push(format!("{} unscored", self.unscored));
        }
        if let Some(mean) = ClusteredMean::of(self.by_case.values()) {
            let interval = mean.rate_interval(Confidence::default());
            let (low, high) = (interval.low, interval.high);
            words.push(format!("score {:.3} [{low:.3}, {high:.3}]", mean.mean));
        }
        words.join(", ")
    }
}

impl Progress {
    /// A display for a run that begins now.
    pub(crate) fn new(display: Display) -> Self {
        let target = match display {
            Display::Bar => ProgressDrawTarget::stderr_with_hz(10),
            Display::Lines | Display::Nothing => ProgressDrawTarget::hidden(),
        };
        let bar = ProgressBar::with_draw_target(None, target);
        let style = ProgressStyle::with_template(
            "{elapsed_precise} {bar:24} {pos}/{len} ({per_sec}, {eta} left) {msg}",
        );
        bar.set_style(style.expect("the template is well formed"));
        let now = Instant::now();
        Self {
            display,
            bar,
            total: 0,
            tally: Tally::default(),
            under_way: BTreeMap::new(),
            started: now,
            shown: now,
        }
    }

    fn show(&mut self, at_last: bool) {
        let now = Instant::now();
        let pause = if self.display == Display::Bar { REDRAW } else { LINE };
        if !at_last && now.duration_since(self.shown) < pause {
            return;
        }
        self.shown = now;
        match self.display {
            Display::Bar => {
                self.bar.set_position(self.tally.done as u64);
                self.bar.set_message(format!("{}{}", self.tally.words(), self.slowest(now)));
            }
            Display::Lines => tell(&self.line(now)),
            Display::Nothing => {}
        }
    }

    fn line(&self, now: Instant) -> String {
        let seconds = now.duration_since(self.started).as_secs();
        let (done, total, words) = (self.tally.done, self.total, self.tally.words());
        format!("{seconds} s: {done} of {total} trials, {words}{}", self.slowest(now))
    }

    /// The trial that has been under way the longest, once it is worth a word.
    fn slowest(&self, now: Instant) -> String {
        let slowest = self.under_way.iter().min_by_key(|(_, started)| **started);
        match slowest {
            Some(((_, id), started)) if now.duration_since(*started) > Duration::from_secs(2) => {
                let id = id.to_string();
                let id = harmless::line(&id);
                format!(", {id} for {} s", now.duration_since(*started).as_secs())
            }
            _ => String::new(),
        }
    }

    fn tell(&self, text: &str) {
        match self.display {
            Display::Bar => self.bar.println(harmless::block(text)),
            Display::Lines => tell(text),
            Display::Nothing => {}
        }
    }
}

impl EventSink for Progress {
    fn on_event(&mut self, event: &RunEvent) -> Result<(), SinkError> {
        if self.display == Display::Nothing {
            return Ok(());
        }
        match event {
            RunEvent::Started { trials } => {
                self.total = *trials;
                self.bar.set_length(*trials as u64);
            }
            RunEvent::TrialStarted { arm, id } => {
                self.under_way.insert((*arm, id.clone()), Instant::now());
            }
            RunEvent::TrialFinished { arm, trial } => {
                self.under_way.remove(&(*arm, trial.id()));
                self.tally.add(*arm, trial);
                self.show(false);
            }
            RunEvent::Waiting { pause, failure } => self.tell(&format!(
                "nobody answers ({}); trying again in {} s",
                failure.message,
                pause.as_secs().max(1)
            )),
            RunEvent::Finished => {
                if self.display == Display::Lines && self.started.elapsed() >= LINE {
                    self.show(true);
                }
                self.bar.finish_and_clear();
            }
        }
        Ok(())
    }
}

/// Tells a person something while a run is going.
#[expect(clippy::print_stderr, reason = "the display is the second place that speaks to people")]
pub(crate) fn tell(text: &str) {
    eprintln!("{}", harmless::block(text));
}
