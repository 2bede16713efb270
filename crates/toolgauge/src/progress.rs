//! What a person sees while a run is going: a bar on a terminal, a line now and then elsewhere.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{FormattedDuration, HumanDuration};
use tokio::task::JoinHandle;
use toolgauge_core::{CaseId, Outcome, Trial, TrialId};
use toolgauge_report::harmless;
use toolgauge_report::number::counted;
use toolgauge_runner::{EventSink, RunEvent, SinkError};
use toolgauge_stats::{Cluster, ClusteredMean, Confidence, Range, mean_interval};

use crate::status_line::{Display, StatusLine};

/// How often the figures beside the bar are computed anew.
const REDRAW: Duration = Duration::from_millis(200);
/// How often a line is written where there is no terminal.
const LINE: Duration = Duration::from_secs(10);
/// How long a trial must have been under way to be worth a word.
const SLOW: Duration = Duration::from_secs(2);

/// How wide the bar itself is, and from how many columns on it is drawn.
const BAR: (usize, usize) = (24, 100);
/// From how many columns on times are told.
const TIMES: usize = 60;
/// How many columns are left free: the `^C` of an interrupt is written there, and would otherwise
/// break the line that is to be drawn over.
const MARGIN: usize = 4;

/// Shows the progress of a run, whether or not anything happens in it.
pub(crate) struct RunProgress {
    state: Arc<Mutex<ProgressState>>,
    ticker: Option<JoinHandle<()>>,
}

/// What is shown.
struct ProgressState {
    status_line: StatusLine,
    total: usize,
    tally: TrialCounts,
    under_way: BTreeMap<(usize, TrialId), Instant>,
    started: Instant,
    over: bool,
}

/// What has come of the trials so far.
#[derive(Default)]
struct TrialCounts {
    done: usize,
    unscored: usize,
    failed: usize,
    by_case: HashMap<(usize, CaseId), Cluster>,
}

impl TrialCounts {
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
        let cases: Vec<Cluster> = self.by_case.values().map(Cluster::averaged).collect();
        let interval = mean_interval(&cases, Range::SCORE, Confidence::default());
        if let Some((mean, interval)) = ClusteredMean::of(&cases).zip(interval) {
            let (low, high) = (interval.low, interval.high);
            words.push(format!("score {:.3} [{low:.3}, {high:.3}]", mean.mean));
        }
        words.join(", ")
    }
}

impl RunProgress {
    /// A display for a run that begins now.
    pub(crate) fn new(status_line: &StatusLine) -> Self {
        let state = Arc::new(Mutex::new(ProgressState::new(status_line, Instant::now())));
        let pause = match status_line.display() {
            Display::Bar => Some(REDRAW),
            Display::Lines => Some(LINE),
            Display::Nothing => None,
        };
        // By a clock and not by what happens: a run that hangs is when people look.
        let ticker = pause.map(|pause| {
            let state = Arc::clone(&state);
            tokio::spawn(async move {
                loop {
                    tokio::time::sleep(pause).await;
                    lock(&state).show(Instant::now());
                }
            })
        });
        Self { state, ticker }
    }
}

impl Drop for RunProgress {
    fn drop(&mut self) {
        if let Some(ticker) = &self.ticker {
            ticker.abort();
        }
        lock(&self.state).end();
    }
}

fn lock(state: &Mutex<ProgressState>) -> std::sync::MutexGuard<'_, ProgressState> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ProgressState {
    fn new(status_line: &StatusLine, now: Instant) -> Self {
        Self {
            status_line: status_line.clone(),
            total: 0,
            tally: TrialCounts::default(),
            under_way: BTreeMap::new(),
            started: now,
            over: false,
        }
    }

    fn take(&mut self, event: &RunEvent, now: Instant) {
        match event {
            RunEvent::Started { trials } => {
                (self.total, self.started) = (*trials, now);
                if self.status_line.display() == Display::Bar {
                    self.show(now);
                }
            }
            RunEvent::TrialStarted { arm, id } => {
                self.under_way.insert((*arm, id.clone()), now);
            }
            RunEvent::TrialFinished { arm, trial } => {
                self.under_way.remove(&(*arm, trial.id()));
                self.tally.add(*arm, trial);
            }
            RunEvent::Finished => {
                self.under_way.clear();
                let lines = self.status_line.display() == Display::Lines;
                if lines && now.duration_since(self.started) >= LINE {
                    self.show(now);
                }
                self.end();
            }
            RunEvent::Waiting { pause, failure } => self.status_line.tell(&format!(
                "nobody answers ({}); trying again in {} s",
                failure.message,
                pause.as_secs().max(1)
            )),
        }
    }

    fn show(&mut self, now: Instant) {
        // Before the first trial, servers are started and looked at.
        if self.over || self.total == 0 {
            return;
        }
        match self.status_line.display() {
            Display::Bar => {
                let size = terminal_size::terminal_size_of(std::io::stderr());
                let width = size.map_or(80, |size| usize::from(size.0.0));
                self.status_line.draw(&self.bar(now, width));
            }
            Display::Lines => self.status_line.tell(&self.line(now)),
            Display::Nothing => {}
        }
    }

    /// The line with the bar, as much of it as a terminal of this width has place for.
    fn bar(&self, now: Instant, width: usize) -> String {
        let (done, total) = (self.tally.done, self.total);
        let elapsed = now.duration_since(self.started);
        let mut line = String::new();
        // Writing to a string cannot fail.
        if width >= TIMES {
            let _ = write!(line, "{} ", FormattedDuration(elapsed));
        }
        if width >= BAR.1 {
            let full = BAR.0 * done / total.max(1);
            let _ = write!(line, "{}{} ", "█".repeat(full), "░".repeat(BAR.0 - full));
        }
        let _ = write!(line, "{done}/{total} ");
        if width >= TIMES && done > 0 {
            let _ = write!(line, "({}) ", pace(elapsed, done, total - done));
        }
        let _ = write!(line, "{}{}", self.tally.words(), self.slowest(now));
        console::truncate_str(&line, width.saturating_sub(MARGIN), "…").into_owned()
    }

    fn line(&self, now: Instant) -> String {
        let seconds = now.duration_since(self.started).as_secs();
        let (done, total, words) = (self.tally.done, self.total, self.tally.words());
        let total = counted(total, "trial");
        format!("{seconds} s: {done} of {total}, {words}{}", self.slowest(now))
    }

    /// The trial that has been under way the longest, once it is worth a word.
    fn slowest(&self, now: Instant) -> String {
        let slowest = self.under_way.iter().min_by_key(|(_, started)| **started);
        match slowest {
            Some(((_, id), started)) if now.duration_since(*started) > SLOW => {
                let id = id.to_string();
                let id = harmless::line(&id);
                format!(", {id} for {} s", now.duration_since(*started).as_secs())
            }
            _ => String::new(),
        }
    }

    /// Leaves nothing behind on the terminal.
    fn end(&mut self) {
        if !std::mem::replace(&mut self.over, true) {
            self.status_line.clear();
        }
    }
}

/// How fast trials end, and how long the rest will take at that pace.
#[expect(clippy::cast_precision_loss, reason = "told to one digit")]
fn pace(elapsed: Duration, done: usize, left: usize) -> String {
    let each = elapsed.as_secs_f64().max(1e-3) / done as f64;
    let rest = Duration::try_from_secs_f64(each * left as f64).unwrap_or(Duration::MAX);
    let rate =
        if each < 1.0 { format!("{:.1}/s", 1.0 / each) } else { format!("{:.1}/min", 60.0 / each) };
    format!("{rate}, {:#} left", HumanDuration(rest))
}

impl EventSink for RunProgress {
    fn on_event(&mut self, event: &RunEvent) -> Result<(), SinkError> {
        // Without a clock nobody looks.
        if self.ticker.is_some() {
            lock(&self.state).take(event, Instant::now());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use toolgauge_core::{Case, Transcript};

    use super::*;

    fn started(id: &str) -> RunEvent {
        RunEvent::TrialStarted { arm: 0, id: TrialId { case: id.into(), trial: 1 } }
    }

    fn finished(id: &str) -> RunEvent {
        let now = jiff::Timestamp::UNIX_EPOCH;
        let trial = Trial {
            case: Arc::new(Case::new(id, "x")),
            number: 1,
            started: now,
            ended: now,
            transcript: Transcript::default(),
            outcomes: indexmap::IndexMap::new(),
        };
        RunEvent::TrialFinished { arm: 0, trial: Box::new(trial) }
    }

    #[test]
    fn the_slowest_is_the_one_that_has_been_under_way_the_longest() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let mut state = ProgressState::new(&StatusLine::new(Display::Lines), start);
        for (event, seconds) in [
            (RunEvent::Started { trials: 3 }, 0),
            (started("first"), 0),
            (started("second"), 4),
            (started("third"), 5),
        ] {
            state.take(&event, at(seconds));
        }
        let line = |state: &ProgressState, seconds| state.line(at(seconds));
        assert_eq!(line(&state, 9), "9 s: 0 of 3 trials, 0 lost points, first#1 for 9 s");
        state.take(&finished("first"), at(9));
        let second = "9 s: 1 of 3 trials, 0 lost points, 1 unscored, second#1 for 5 s";
        assert_eq!(line(&state, 9), second);
        state.take(&finished("second"), at(9));
        let none = "7 s: 2 of 3 trials, 0 lost points, 2 unscored";
        assert_eq!(line(&state, 7), none, "two seconds are not worth a word");
        state.take(&finished("third"), at(10));
        assert_eq!(line(&state, 99), "99 s: 3 of 3 trials, 0 lost points, 3 unscored");
    }

    #[test]
    fn a_bar_is_as_long_as_the_terminal_is_wide() {
        let start = Instant::now();
        let mut state = ProgressState::new(&StatusLine::new(Display::Lines), start);
        state.take(&RunEvent::Started { trials: 4 }, start);
        state.take(&started("first"), start);
        state.take(&finished("first"), start);
        let at = |width| state.bar(start + Duration::from_secs(6), width);
        let wide =
            "00:00:06 ██████░░░░░░░░░░░░░░░░░░ 1/4 (10.0/min, 18s left) 0 lost points, 1 unscored";
        assert_eq!(at(120), wide);
        assert_eq!(at(80), "00:00:06 1/4 (10.0/min, 18s left) 0 lost points, 1 unscored");
        assert_eq!(at(40), "1/4 0 lost points, 1 unscored");
        assert_eq!(at(20), "1/4 0 lost poin…");
        for width in MARGIN + 1..200 {
            let line = at(width);
            assert!(console::measure_text_width(&line) <= width.saturating_sub(MARGIN), "{line}");
        }
    }
}
