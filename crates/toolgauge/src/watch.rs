//! `summary --watch`: the numbers of a run that is still going.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use anstyle::{AnsiColor, Style};
use toolgauge_report::number::counted;
use toolgauge_report::{Summary, sparkline};

use crate::ExitStatus;
use crate::failure::Failure;
use crate::followed_log::{FollowedLog, why_unfinished};
use crate::interrupt;
use crate::printer::Printer;
use crate::settings::Settings;

/// How often the log is looked at, at most.
const PAUSE: Duration = Duration::from_secs(1);
/// Reading a large unfinished log takes a while; so many times as long is waited in between.
const PATIENCE: u32 = 5;
/// How many scores the curve remembers.
const REMEMBERED: usize = 40;
/// The colour of the curve.
const CURVE: Style = AnsiColor::Cyan.on_default();

/// Shows a log's numbers until its run ends, or until Ctrl-C, which leaves the run alone. Nobody
/// writing to a log that was never closed means that its run was killed, which ends it too.
pub(crate) fn watch(
    log: &Path,
    settings: &Settings,
    printer: &mut Printer,
) -> Result<ExitStatus, Failure> {
    let interrupted = interrupt::noticed();
    let mut scores: Vec<f64> = Vec::new();
    let mut shown: Option<usize> = None;
    let mut followed: Option<FollowedLog> = None;
    loop {
        let began = Instant::now();
        // Asked first: a run that ends in between is seen as ended the next time.
        let going = is_being_written(log);
        let (summary, finished) = match look(log, settings, &mut followed) {
            Ok(found) => found,
            // A log that was begun a moment ago has no head yet.
            Err(_) if going && shown.is_none() => match interrupted.recv_timeout(PAUSE) {
                Err(RecvTimeoutError::Timeout) => continue,
                _ => return Ok(ExitStatus::Interrupted),
            },
            Err(failure) => return Err(failure),
        };
        if finished || !going {
            printer.clear();
            if !finished {
                printer.warning(why_unfinished(log));
            }
            printer.print_report(&summary)?;
            return Ok(ExitStatus::Done);
        }
        if shown != Some(summary.trials) {
            remember(&mut scores, &summary);
            show(&summary, &scores, printer)?;
            shown = Some(summary.trials);
        }
        let pause = PAUSE.max(began.elapsed() * PATIENCE);
        if !matches!(interrupted.recv_timeout(pause), Err(RecvTimeoutError::Timeout)) {
            printer.leave();
            return Ok(ExitStatus::Interrupted);
        }
    }
}

/// The numbers of the log as it is now, of which only what is new is read.
fn look(
    log: &Path,
    settings: &Settings,
    followed: &mut Option<FollowedLog>,
) -> Result<(Summary, bool), Failure> {
    match followed {
        Some(followed) => followed.read_on()?,
        None => *followed = Some(FollowedLog::open(log)?),
    }
    let followed = followed.as_ref().expect("it was opened");
    Ok((followed.summary(settings)?, followed.is_finished()))
}

/// Whether somebody holds the log open for writing.
fn is_being_written(log: &Path) -> bool {
    // Nobody holds what is in a store: a run that was killed looks like one that goes on.
    if toolgauge_log::is_address(log) {
        return true;
    }
    let Ok(file) = File::open(log) else { return false };
    // The lock is let go as soon as the file is closed, at the end of this function.
    matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))
}

fn remember(scores: &mut Vec<f64>, summary: &Summary) {
    scores.extend(summary.score.map(|score| score.mean));
    let over = scores.len().saturating_sub(REMEMBERED);
    scores.drain(..over);
}

/// The whole summary on a terminal, drawn over the one before; a line elsewhere.
fn show(summary: &Summary, scores: &[f64], printer: &mut Printer) -> Result<(), Failure> {
    let curve = sparkline(scores.iter().copied(), 1.0);
    if Printer::redraws() {
        return printer.redraw(summary, &format!("  score so far {CURVE}{curve}{CURVE:#}"));
    }
    let score = match &summary.score {
        Some(rate) => format!("score {:.3} [{:.3}, {:.3}]", rate.mean, rate.low, rate.high),
        None => "no score yet".to_owned(),
    };
    let unscored: usize = summary.unscored.values().sum();
    let (trials, planned) = (summary.trials, counted(summary.planned, "trial"));
    printer.print(&format!("{trials} of {planned}, {score}, {unscored} unscored\n"))
}
