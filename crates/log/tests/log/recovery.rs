//! Crashes, damage and hostility: what was finished is kept, and nothing panics.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use toolgauge_core::{Trial, TrialId};
use toolgauge_log::{Damage, Log, LogError, LogWriter, RunStatus, TrialSummary, list};
use toolgauge_testkit::some_of;

use crate::{round_trip, trials};

fn plain(count: usize) -> Vec<Trial> {
    (0..count).map(trials::plain_trial).collect()
}

fn names(log: &Log) -> BTreeSet<TrialId> {
    log.summaries().map(|summary| summary.unwrap().id).collect()
}

#[test]
fn cutting_a_log_anywhere_loses_only_the_torn_entry() {
    let folder = tempfile::tempdir().unwrap();
    let trials = plain(2);
    let path = folder.path().join("whole.eval");
    let mut run = trials::run(&trials, 1);
    run.system_prompt = Some("Be brief.".into());
    run.tools.clear();
    let mut writer = LogWriter::create(&path, &run).unwrap();
    let mut ends = Vec::new();
    for trial in &trials {
        writer.append(trial).unwrap();
        ends.push(fs::metadata(&path).unwrap().len());
    }
    writer.finish(&RunStatus::Success).unwrap();
    let whole = fs::read(&path).unwrap();
    let cut = folder.path().join("cut.eval");
    let edges = ends.iter().flat_map(|end| {
        let end = usize::try_from(*end).unwrap();
        [end - 1, end, end + 1]
    });
    for length in some_of(0..whole.len(), 300).into_iter().chain(edges) {
        fs::write(&cut, &whole[..length]).unwrap();
        let complete = ends.iter().filter(|end| **end <= length as u64).count();
        match Log::open(&cut) {
            Ok(log) => {
                assert!(!log.is_finished(), "cut at {length}");
                let read: Vec<_> = log.trials().map(Result::unwrap).collect();
                assert_eq!(read, trials[..complete], "cut at {length}");
                assert_eq!(names(&log).len(), complete);
            }
            Err(LogError::NotALog { .. }) => assert_eq!(complete, 0, "cut at {length}"),
            Err(error) => panic!("cut at {length}: {error}"),
        }
    }
}

/// A power cut may keep the sector in which the last record begins and lose the one in which it ends.
#[test]
fn a_log_whose_last_record_is_torn_keeps_every_trial() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.eval");
    let trials = plain(2);
    let mut writer = LogWriter::create(&path, &trials::run(&trials, 1)).unwrap();
    for trial in &trials {
        writer.append(trial).unwrap();
    }
    writer.finish(&RunStatus::Success).unwrap();
    let whole = fs::read(&path).unwrap();
    for lost in 1..=64 {
        let mut torn = whole.clone();
        let kept = torn.len() - lost;
        torn[kept..].fill(0);
        fs::write(&path, &torn).unwrap();
        let log = Log::open(&path).unwrap_or_else(|error| panic!("{lost} bytes lost: {error}"));
        assert_eq!(names(&log).len(), 2, "{lost} bytes lost");
    }
}

#[test]
fn a_log_cut_anywhere_is_resumed_and_ends_like_one_that_was_not() {
    let folder = tempfile::tempdir().unwrap();
    let trials = plain(5);
    let whole = fs::read(round_trip::write(folder.path(), &trials)).unwrap();
    let path = folder.path().join("cut.eval");
    for length in some_of((0..whole.len()).step_by(97).chain([whole.len()]), 40) {
        fs::write(&path, &whole[..length]).unwrap();
        let Ok((mut writer, resumed)) = LogWriter::resume(&path) else { continue };
        for trial in trials.iter().filter(|trial| !resumed.finished.contains(&trial.id())) {
            writer.append(trial).unwrap();
        }
        writer.finish(&RunStatus::Success).unwrap();
        let log = Log::open(&path).unwrap();
        assert!(log.is_finished());
        let want: Vec<_> = trials.iter().map(TrialSummary::of).collect();
        assert_eq!(log.sorted_summaries(), (want, Damage::default()), "cut at {length}");
        let figures = log.figures().to_vec();
        drop(log);
        fs::write(&path, &whole).unwrap();
        assert_eq!(Log::open(&path).unwrap().figures(), figures);
    }
}

#[test]
fn a_damaged_entry_does_not_hide_those_after_it() {
    let folder = tempfile::tempdir().unwrap();
    let trials = plain(6);
    let path = folder.path().join("log.eval");
    let mut writer = LogWriter::create(&path, &trials::run(&trials, 1)).unwrap();
    let mut ends = vec![fs::metadata(&path).unwrap().len()];
    for trial in &trials {
        writer.append(trial).unwrap();
        ends.push(fs::metadata(&path).unwrap().len());
    }
    drop(writer);
    let mut bytes = fs::read(&path).unwrap();
    // In its first part, without which a trial cannot be read.
    let first = usize::try_from(ends[2]).unwrap() + 200;
    bytes[first..first + 8].fill(0xAA);
    fs::write(&path, &bytes).unwrap();
    let (writer, resumed) = LogWriter::resume(&path).unwrap();
    drop(writer);
    let lost: Vec<_> = trials.iter().filter(|t| !resumed.finished.contains(&t.id())).collect();
    assert_eq!(lost.len(), 1);
    assert_eq!(lost[0].id(), trials[2].id());
}

#[test]
fn a_trial_that_is_run_again_replaces_its_first_record() {
    let folder = tempfile::tempdir().unwrap();
    let mut trials = trials::odd_trials();
    let path = round_trip::write(folder.path(), &trials);
    let (mut writer, resumed) = LogWriter::resume(&path).unwrap();
    assert_eq!(resumed.run, trials::run(&trials, 2));
    assert_eq!(resumed.failed.len(), 1);
    let failed = resumed.failed.keys().next().unwrap();
    assert_eq!(failed.case.as_str(), "failed");
    let place = trials.iter().position(|trial| trial.id() == *failed).unwrap();
    let mut again = trials::plain_trial(1);
    again.case = trials[place].case.clone();
    writer.append(&again).unwrap();
    trials[place] = again;

    let unfinished = Log::open(&path).unwrap();
    assert!(!unfinished.is_finished());
    assert_eq!(unfinished.trial(failed).unwrap(), trials[place]);
    assert_eq!(names(&unfinished).len(), trials.len());

    writer.finish(&RunStatus::Cancelled).unwrap();
    let log = Log::open(&path).unwrap();
    assert_eq!(log.status(), Some(&RunStatus::Cancelled));
    let mut want: Vec<_> = trials.iter().map(TrialSummary::of).collect();
    let mut found: Vec<_> = log.summaries().map(Result::unwrap).collect();
    want.sort_by(|a, b| a.id.cmp(&b.id));
    found.sort_by(|a, b| a.id.cmp(&b.id));
    assert_eq!(found, want);
    let fresh = tempfile::tempdir().unwrap();
    let once = Log::open(&round_trip::write(fresh.path(), &trials)).unwrap();
    for figure in once.figures() {
        let same =
            log.figures().iter().find(|f| f.score == figure.score && f.metric == figure.metric);
        assert!((same.unwrap().value - figure.value).abs() < 1e-12, "{figure:?}");
    }
}

#[test]
fn a_log_that_is_being_written_cannot_be_resumed_by_another() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.eval");
    let _writer = LogWriter::create(&path, &trials::run(&[], 1)).unwrap();
    assert!(matches!(LogWriter::resume(&path), Err(LogError::Busy { .. })));
    assert!(matches!(
        LogWriter::create(&path, &trials::run(&[], 1)),
        Err(LogError::Io { doing: "create", .. })
    ));
}

/// The child of the next test: appends trials for ever and names each one once it is written.
#[test]
fn child_that_writes_until_it_is_killed() {
    let Ok(path) = std::env::var("TOOLGAUGE_TEST_CHILD_LOG") else { return };
    let path = Path::new(&path);
    let (mut writer, from) = match LogWriter::resume(path) {
        Ok((writer, resumed)) => (writer, resumed.finished.len()),
        Err(_) => (LogWriter::create(path, &trials::run(&[], 1)).unwrap(), 0),
    };
    let mut out = std::io::stderr();
    for number in from.. {
        writer.append(&trials::plain_trial(number)).unwrap();
        writeln!(out, "finished {number}").unwrap();
        if number % 50 == 49 {
            writer.finish(&RunStatus::Cancelled).unwrap();
            writer = LogWriter::resume(path).unwrap().0;
        }
    }
}

#[test]
fn killing_the_writer_loses_nothing_that_was_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.eval");
    let mut reported = 0;
    for round in 0..12_u64 {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "--nocapture", "recovery::child_that_writes_until_it_is_killed"])
            .env("TOOLGAUGE_TEST_CHILD_LOG", &path)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_micros(60_000 + round * 7_919 % 50_000));
        child.kill().unwrap();
        let said = child.wait_with_output().unwrap().stderr;
        let said = String::from_utf8_lossy(&said);
        // The last line may be cut off in front of its number.
        let number = |line: &str| line.strip_prefix("finished ")?.parse::<usize>().ok();
        reported = said.lines().filter_map(number).next_back().map_or(reported, |last| last + 1);
        if let Ok(log) = Log::open(&path) {
            assert!(log.len() >= reported, "{} of {reported}", log.len());
            assert_eq!(names(&log).len(), log.len());
        }
    }
    assert!(reported > 0, "the child never came to write");
    let (writer, resumed) = LogWriter::resume(&path).unwrap();
    for number in 0..reported {
        assert!(resumed.finished.contains(&trials::plain_trial(number).id()), "{number} is lost");
    }
    writer.finish(&RunStatus::Success).unwrap();
    let log = Log::open(&path).unwrap();
    for (number, trial) in log.sorted_summaries().0.into_iter().enumerate() {
        let id = trial.id.clone();
        assert_eq!(TrialSummary::of(&log.trial(&id).unwrap()), trial, "{number}");
    }
}

#[test]
fn a_list_names_what_it_cannot_read_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    round_trip::write(folder.path(), &plain(2));
    fs::write(folder.path().join("bad.eval"), b"not a zip").unwrap();
    fs::write(folder.path().join("other.txt"), b"ignored").unwrap();
    let mut unfinished =
        LogWriter::create(&folder.path().join("open.eval"), &trials::run(&plain(1), 1)).unwrap();
    unfinished.append(&trials::plain_trial(0)).unwrap();
    let listed: Vec<_> = list(folder.path()).unwrap().collect();
    assert_eq!(listed.len(), 3);
    assert!(listed[0].as_ref().unwrap_err().to_string().contains("bad.eval"));
    let (finished, open) = (listed[1].as_ref().unwrap(), listed[2].as_ref().unwrap());
    assert_eq!(finished.status, Some(RunStatus::Success));
    assert_eq!(finished.completed, Some(2));
    assert_eq!(open.status, None);
    assert_eq!(open.run.suite.name, "home");
}

#[test]
fn no_secret_word_of_the_environment_is_in_a_log() {
    // Nothing of the process gets into a log but what the run and the trials say.
    let folder = tempfile::tempdir().unwrap();
    let path = round_trip::write(folder.path(), &trials::odd_trials());
    let log = Log::open(&path).unwrap();
    let everything = format!("{:?}{:?}", log.run(), log.trials().collect::<Vec<_>>());
    for (name, value) in std::env::vars().filter(|(name, _)| name.contains("KEY")) {
        assert!(value.len() < 8 || !everything.contains(&value), "{name} is in the log");
    }
}
