//! A log that grows is read on from where it ended, and comes to what reading it anew comes to.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use proptest::prelude::*;
use toolgauge_core::{Trial, TrialId};
use toolgauge_log::{Log, LogWriter, RunStatus, Summaries, TrialSummary};
use toolgauge_testkit::long_or;

use crate::trials;

type Read = BTreeMap<TrialId, TrialSummary>;

fn collect(summaries: Summaries<'_>, into: &mut Read) {
    for summary in summaries {
        let summary = summary.unwrap();
        let known = into.insert(summary.id.clone(), summary);
        assert_eq!(known, None, "no trial is told twice");
    }
}

fn all(log: &Log) -> Read {
    let mut read = Read::new();
    collect(log.summaries(), &mut read);
    read
}

static WHOLE: OnceLock<Vec<u8>> = OnceLock::new();

/// The bytes of a log of so many trials, from its beginning to its end.
fn whole(folder: &Path, count: usize) -> Vec<u8> {
    let trials: Vec<Trial> = (0..count).map(trials::plain_trial).collect();
    let path = folder.join("whole.eval");
    let mut run = trials::run(&trials, 1);
    run.tools.clear();
    let mut writer = LogWriter::create(&path, &run).unwrap();
    for trial in &trials {
        writer.append(trial).unwrap();
    }
    writer.finish(&RunStatus::Success).unwrap();
    let bytes = fs::read(&path).unwrap();
    fs::remove_file(path).unwrap();
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(long_or(6, 2)))]

    #[test]
    fn reading_on_comes_to_what_reading_anew_comes_to(
        mut cuts in proptest::collection::vec(any::<prop::sample::Index>(), 1..8),
    ) {
        let folder = tempfile::tempdir().unwrap();
        // More than a list holds, so that lists come after the samples they list.
        let bytes = WHOLE.get_or_init(|| whole(folder.path(), 1030));
        let path = folder.path().join("growing.eval");
        let mut lengths: Vec<usize> = cuts.drain(..).map(|cut| cut.index(bytes.len())).collect();
        lengths.extend([bytes.len() / 2, bytes.len()]);
        lengths.sort_unstable();
        let (mut read, mut log) = (Read::new(), None::<Log>);
        for length in lengths {
            fs::write(&path, &bytes[..length]).unwrap();
            let Ok(anew) = Log::open(&path) else { continue };
            let grown = if let Some(mut log) = log.take() {
                let known = log.read_on().unwrap().expect("it only grew");
                collect(log.summaries_since(known), &mut read);
                log
            } else {
                let log = Log::open(&path).unwrap();
                collect(log.summaries(), &mut read);
                log
            };
            prop_assert_eq!(&read, &all(&anew));
            prop_assert_eq!(grown.status(), anew.status());
            prop_assert_eq!(grown.len(), anew.len());
            log = Some(grown);
        }
        let log = log.unwrap();
        prop_assert!(log.is_finished());
        prop_assert_eq!(read.len(), 1030);
        let last = log.trial(&trials::plain_trial(1029).id()).unwrap();
        prop_assert_eq!(last, trials::plain_trial(1029));
    }
}

#[test]
fn what_was_read_is_not_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.eval");
    let trials: Vec<Trial> = (0..30).map(trials::plain_trial).collect();
    let mut writer = LogWriter::create(&path, &trials::run(&trials, 1)).unwrap();
    for trial in &trials[..20] {
        writer.append(trial).unwrap();
    }
    let mut log = Log::open(&path).unwrap();
    let length = usize::try_from(fs::metadata(&path).unwrap().len()).unwrap();
    for trial in &trials[20..] {
        writer.append(trial).unwrap();
    }
    drop(writer);
    // Whoever looked at the old part would stumble.
    let mut bytes = fs::read(&path).unwrap();
    bytes[length / 4..length / 2].fill(0x55);
    fs::write(&path, bytes).unwrap();
    let known = log.read_on().unwrap().unwrap();
    let mut read = Read::new();
    collect(log.summaries_since(known), &mut read);
    let mut want: Vec<TrialId> = trials[20..].iter().map(Trial::id).collect();
    want.sort();
    assert_eq!(read.into_keys().collect::<Vec<_>>(), want);
    assert_eq!(log.len(), 30);
}

#[test]
fn a_log_that_did_not_only_grow_is_opened_anew() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.eval");
    let trials: Vec<Trial> = (0..5).map(trials::plain_trial).collect();
    let run = trials::run(&trials, 1);
    let mut writer = LogWriter::create(&path, &run).unwrap();
    for trial in &trials {
        writer.append(trial).unwrap();
    }
    let mut log = Log::open(&path).unwrap();
    let known = log.read_on().unwrap().unwrap();
    assert_eq!(log.summaries_since(known).count(), 0);

    writer.append(&trials[2]).unwrap();
    assert!(log.read_on().unwrap().is_none(), "a trial was run again");
    assert_eq!(log.len(), 5, "and what was known stays as it is");
    let mut finished = Log::open(&writer.finish(&RunStatus::Success).unwrap()).unwrap();
    assert!(finished.read_on().unwrap().is_none(), "it is at its end");

    fs::remove_file(&path).unwrap();
    let mut other = run.clone();
    other.suite.name = "another".into();
    let mut writer = LogWriter::create(&path, &other).unwrap();
    for number in 0..9 {
        writer.append(&trials::plain_trial(number)).unwrap();
    }
    assert!(log.read_on().unwrap().is_none(), "it is another log");
    drop(writer);
    fs::write(&path, b"PK").unwrap();
    assert!(log.read_on().unwrap().is_none(), "it was cut off");
}
