//! Power cuts after every operation of a writer, and a disk that refuses every one of them: no
//! trial is missing that was to be kept, and nothing is read that was never written.

mod disk;
#[expect(dead_code, reason = "the tests of whole logs use the rest")]
#[path = "../../tests/log/trials.rs"]
mod trials;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use toolgauge_core::{Trial, TrialId};
use toolgauge_testkit::{long_or, some_of};

use self::disk::{Disk, Fault, FaultKind, Operation, Survival, Timeline, durable, image};
use super::LogWriter;
use crate::{Damage, Log, LogError, RunStatus, TrialSummary};

/// After so many operations a trial is acknowledged whose writing failed.
const NEVER: usize = usize::MAX;

/// What was acknowledged: after how many operations, and the trial.
type Acknowledged = Vec<(usize, Trial)>;

/// A disk, what was done to it, and what was acknowledged.
struct History {
    operations: Vec<Operation>,
    acknowledged: Acknowledged,
}

/// A log that is created, killed, resumed, finished, resumed again and finished again. The trials
/// that fail in the first part are run again in the last.
fn write_history(path: &Path, count: usize, patience: Duration, fault: Option<Fault>) -> History {
    let timeline = Timeline::default();
    let attempts = Arc::new(Mutex::new(0));
    let mut acknowledged = Vec::new();
    let open = || Box::new(Disk::open(path, &timeline).with_fault(fault, &attempts));
    let mut append = |writer: &mut LogWriter, trial: &Trial| -> Result<(), LogError> {
        writer.appender.sync_every(patience);
        let appended = writer.append(trial);
        let after = if appended.is_ok() { timeline.lock().unwrap().len() } else { NEVER };
        acknowledged.push((after, trial.clone()));
        appended
    };
    let mut write = || -> Result<(), LogError> {
        let (first, second) = (count.div_ceil(2), count);
        let mut writer = LogWriter::create_on(open(), path, &run(count))?;
        for number in 0..first {
            append(&mut writer, &if number == 1 { failed(number) } else { plain(number) })?;
        }
        drop(writer);
        let (mut writer, _) = LogWriter::resume_on(open(), path)?;
        for number in first..second {
            append(&mut writer, &plain(number))?;
        }
        writer.finish(&RunStatus::Cancelled)?;
        let (mut writer, _) = LogWriter::resume_on(open(), path)?;
        append(&mut writer, &plain(1))?;
        writer.finish(&RunStatus::Success).map(drop)
    };
    let written = write();
    assert!(written.is_ok() || fault.is_some(), "{written:?}");
    History { operations: std::mem::take(&mut timeline.lock().unwrap()), acknowledged }
}

fn plain(number: usize) -> Trial {
    trials::plain_trial(number)
}

/// A trial that a resumed run runs again.
fn failed(number: usize) -> Trial {
    let failed = trials::odd_trials().into_iter().find(|trial| trial.case.id.as_str() == "failed");
    Trial { case: plain(number).case, ..failed.unwrap() }
}

fn run(count: usize) -> toolgauge_core::Run {
    let trials: Vec<Trial> = (0..count).map(plain).collect();
    let mut run = trials::run(&trials, 1);
    run.system_prompt = Some("Be brief.".into());
    run.tools.clear();
    run
}

/// What may be read for each trial: the record that must be there and those after it, or any of
/// them if none must be.
fn allowed(acknowledged: &[(usize, Trial)], kept: usize) -> BTreeMap<TrialId, (bool, Vec<&Trial>)> {
    let mut allowed: BTreeMap<TrialId, (bool, Vec<&Trial>)> = BTreeMap::new();
    for (after, trial) in acknowledged {
        let (must, records) = allowed.entry(trial.id()).or_default();
        if *after <= kept {
            *must = true;
            records.clear();
        }
        records.push(trial);
    }
    allowed
}

/// Looks at a file as any command would, then resumes and finishes it.
fn check(path: &Path, bytes: &[u8], history: &History, kept: usize, what: &str) {
    let count = history.acknowledged.len();
    let allowed = allowed(&history.acknowledged, kept);
    let must = allowed.values().filter(|(must, _)| *must).count();
    fs::write(path, bytes).unwrap();
    match Log::open(path) {
        Ok(log) => {
            for trial in log.trials().flatten() {
                assert!(allowed[&trial.id()].1.contains(&&trial), "{what}: {}", trial.id());
            }
            for summary in log.summaries().flatten() {
                let records = &allowed[&summary.id].1;
                assert!(records.iter().any(|trial| TrialSummary::of(trial) == summary), "{what}");
            }
            for (id, (_, records)) in allowed.iter().filter(|(_, (must, _))| *must) {
                let trial = log.trial(id).unwrap_or_else(|error| panic!("{what}: {id}: {error}"));
                assert!(records.contains(&&trial), "{what}: {id}");
            }
        }
        Err(error) => assert_eq!(must, 0, "{what}: {error}"),
    }
    let storage = Box::new(Disk::open(path, &Timeline::default()));
    let (mut writer, resumed) = match LogWriter::resume_on(storage, path) {
        Ok(resumed) => resumed,
        Err(error) => return assert_eq!(must, 0, "{what}: {error}"),
    };
    for (id, (must, _)) in &allowed {
        let known = resumed.finished.contains(id) || resumed.failed.contains_key(id);
        assert!(known || !must, "{what}: {id} would be run again");
    }
    let all: Vec<Trial> = (0..count).map(plain).collect();
    let all = all.into_iter().filter(|trial| allowed.contains_key(&trial.id()));
    for trial in all.clone().filter(|trial| !resumed.finished.contains(&trial.id())) {
        writer.append(&trial).unwrap();
    }
    writer.finish(&RunStatus::Success).unwrap();
    let mut want: Vec<_> = all.map(|trial| TrialSummary::of(&trial)).collect();
    want.sort_by(|a, b| a.id.cmp(&b.id));
    let (mut found, damage) = Log::open(path).unwrap().sorted_summaries();
    found.sort_by(|a, b| a.id.cmp(&b.id));
    assert_eq!((found, damage), (want, Damage::default()), "{what}");
}

/// What may be left of operations that the disk was not made to keep, beside what is left where
/// the power was cut earlier.
fn survivals(pending: &[Operation]) -> Vec<Vec<Survival>> {
    let count = pending.len();
    let mut ways = vec![vec![Survival::Whole; count]];
    for lost in [Survival::Nothing, Survival::Zeros] {
        ways.push(vec![lost; count]);
        for one in 0..count {
            let chosen = |choose: &dyn Fn(usize) -> bool| -> Vec<Survival> {
                let fate = |index| if choose(index) { Survival::Whole } else { lost };
                (0..count).map(fate).collect()
            };
            ways.push(chosen(&|index| index != one));
            ways.push(chosen(&|index| index == one));
        }
    }
    for (one, operation) in pending.iter().enumerate() {
        let Operation::Write { bytes, .. } = operation else { continue };
        let length = bytes.len();
        let parts = [29, length / 2].map(Survival::Beginning);
        for part in parts.into_iter().chain([Survival::Sectors(0), Survival::Sectors(1)]) {
            let mut way = vec![Survival::Whole; count];
            way[one] = part;
            ways.push(way);
        }
    }
    ways
}

/// Cuts the power after so many operations, in one way.
fn cut(path: &Path, history: &History, after: usize, way: &[Survival], what: &str) {
    let done = &history.operations[..after];
    let synced = after - way.len();
    let fates = std::iter::repeat_n(Survival::Whole, synced).chain(way.iter().copied());
    let bytes = image(done.iter().zip(fates));
    check(path, &bytes, history, durable(done), what);
}

fn pending(operations: &[Operation]) -> &[Operation] {
    let synced = operations.iter().rposition(|done| matches!(done, Operation::Sync));
    &operations[synced.map_or(0, |synced| synced + 1)..]
}

#[test]
fn a_power_cut_after_any_operation_loses_nothing_that_was_to_be_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cut.eval");
    let (mut operations, mut cuts) = (0, 0);
    for (name, patience) in [("always", Duration::ZERO), ("at the end", Duration::MAX)] {
        let history = write_history(&folder.path().join(name), 4, patience, None);
        operations += history.operations.len();
        let ways = (0..=history.operations.len()).flat_map(|after| {
            let ways = survivals(pending(&history.operations[..after]));
            ways.into_iter().map(move |way| (after, way))
        });
        for (after, way) in some_of(ways, 80) {
            cut(&path, &history, after, &way, &format!("sync {name}, {after}, {way:?}"));
            cuts += 1;
        }
    }
    println!("{cuts} power cuts after {operations} operations");
    assert!(cuts > long_or(500, 100), "{cuts}");
}

#[test]
fn a_power_cut_in_a_longer_run_loses_nothing_that_was_to_be_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cut.eval");
    let cuts = std::env::var("TOOLGAUGE_POWER_CUTS").ok().and_then(|cuts| cuts.parse().ok());
    let cuts: usize = cuts.unwrap_or_else(|| long_or(6, 2));
    // More than a list of summaries holds, on a disk that is slow enough to leave some pending.
    let history = write_history(&folder.path().join("log"), 1_020, Duration::from_millis(40), None);
    let mut random: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut draw = |below: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        usize::try_from(random % u64::try_from(below.max(1)).unwrap()).unwrap()
    };
    for number in 0..cuts {
        let after = draw(history.operations.len() + 1);
        let pending = pending(&history.operations[..after]).len();
        let way: Vec<Survival> = (0..pending)
            .map(|_| match draw(6) {
                0 => Survival::Nothing,
                1 => Survival::Zeros,
                2 => Survival::Sectors(draw(2)),
                3 => Survival::Beginning(draw(3_000)),
                _ => Survival::Whole,
            })
            .collect();
        cut(&path, &history, after, &way, &format!("cut {number} after {after}"));
    }
    println!("{cuts} power cuts in {} operations", history.operations.len());
}

#[test]
fn an_operation_that_fails_costs_no_trial_that_was_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("check.eval");
    let patience = Duration::ZERO;
    let attempts = write_history(&folder.path().join("whole"), 4, patience, None).operations.len();
    let kinds = [FaultKind::Once, FaultKind::FromHere, FaultKind::HalfThenFull, FaultKind::Half];
    let mut faults = 0;
    for kind in kinds {
        for at in some_of(0..attempts, 10) {
            let what = format!("{kind:?} at {at}");
            let log = folder.path().join(&what);
            let history = write_history(&log, 4, patience, Some(Fault { at, kind }));
            let done = history.operations.len();
            // The process ends, and the system has everything it took.
            let every = done + 1;
            check(&path, &fs::read(&log).unwrap(), &history, every, &what);
            // The power goes as well.
            let pending = pending(&history.operations);
            for survival in [Survival::Nothing, Survival::Sectors(0)] {
                cut(&path, &history, done, &vec![survival; pending.len()], &what);
            }
            fs::remove_file(&log).unwrap();
            faults += 3;
        }
    }
    println!("{faults} endings after faults at {attempts} operations");
}

#[test]
fn a_disk_that_once_could_not_keep_what_it_had_is_not_believed_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.eval");
    let timeline = Timeline::default();
    let fault = Fault { at: 2, kind: FaultKind::Once };
    let disk = Disk::open(&path, &timeline).with_fault(Some(fault), &Arc::default());
    let mut writer = LogWriter::create_on(Box::new(disk), &path, &run(3)).unwrap();
    writer.appender.sync_every(Duration::ZERO);
    assert!(writer.append(&plain(0)).is_err());
    assert!(writer.append(&plain(1)).is_err());
    assert!(writer.finish(&RunStatus::Success).is_err());
}
