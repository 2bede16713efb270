//! Logs of which some bytes are wrong: what can be read is read as it was, and what cannot is
//! named. Nothing is ever read as something that was never written.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use proptest::prelude::*;
use toolgauge_core::{Run, RunId, Trial};
use toolgauge_log::{Damage, Log, LogWriter, RunStatus, TrialSummary, rescore};
use toolgauge_testkit::some_of;

use crate::{round_trip, trials};

/// A log, what stands in it, and where its samples are.
struct Whole {
    bytes: Vec<u8>,
    trials: Vec<Trial>,
    samples: Vec<Range<usize>>,
    folder: tempfile::TempDir,
}

impl Whole {
    fn new(trials: Vec<Trial>, finished: bool) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("whole.eval");
        let mut run = trials::run(&trials, 1);
        run.system_prompt = Some("Be brief.".into());
        run.tools.clear();
        let mut writer = LogWriter::create(&path, &run).unwrap();
        let length = || usize::try_from(fs::metadata(&path).unwrap().len()).unwrap();
        let mut samples = Vec::new();
        for trial in &trials {
            let start = length();
            writer.append(trial).unwrap();
            samples.push(start..length());
        }
        if finished {
            writer.finish(&RunStatus::Success).unwrap();
        }
        let bytes = fs::read(&path).unwrap();
        Self { bytes, trials, samples, folder }
    }

    /// The log with these bytes changed.
    fn damaged(&self, changes: &[(usize, u8)]) -> PathBuf {
        let mut bytes = self.bytes.clone();
        for (place, change) in changes {
            bytes[*place] ^= change;
        }
        let path = self.folder.path().join("damaged.eval");
        fs::write(&path, bytes).unwrap();
        path
    }

    /// What can be read of a damaged log is as it was, and what cannot is told. Gives the number
    /// of trials that could be read, or nothing if the log could not be opened.
    fn check(&self, path: &Path) -> Option<usize> {
        let log = Log::open(path).ok()?;
        let (summaries, damage) = log.sorted_summaries();
        for summary in &summaries {
            let trial = self.trials.iter().find(|trial| trial.id() == summary.id).unwrap();
            assert_eq!(summary, &TrialSummary::of(trial));
        }
        let mut read = 0;
        let mut unread = Damage::default();
        for trial in log.trials() {
            match trial {
                Ok(trial) => {
                    assert_eq!(
                        self.trials.iter().find(|known| known.id() == trial.id()),
                        Some(&trial)
                    );
                    read += 1;
                }
                Err(error) => unread.note(&error),
            }
        }
        if read < self.trials.len() {
            // What cannot be read is told, unless it is the end that a killed process leaves torn.
            let torn = !log.is_finished() && read + 1 == self.trials.len();
            assert!(!unread.is_none() || torn || log.len() < self.trials.len());
        }
        assert!(summaries.len() >= read);
        assert!(damage.samples <= unread.samples);
        Some(read)
    }
}

fn some_trials() -> Vec<Trial> {
    // One of several turns, which is read from all of its parts, among those of one.
    let mut trials: Vec<Trial> = (0..4).map(trials::plain_trial).collect();
    let odd = trials::odd_trials();
    let long = odd.iter().max_by_key(|trial| trial.transcript.turns.len()).unwrap();
    trials.insert(2, long.clone());
    trials
}

#[test]
fn a_wrong_byte_in_an_unfinished_log_costs_one_trial_at_most() {
    let whole = Whole::new(some_trials(), false);
    let samples = whole.samples.first().unwrap().start..whole.bytes.len();
    // A header has its sizes and its name in its first bytes: a wrong length hides what follows.
    let heads = whole.samples.iter().flat_map(|sample| sample.start..sample.start + 34);
    for place in some_of(heads, 90).into_iter().chain(some_of(samples.step_by(23), 60)) {
        for change in [1, 0x40, 0x80] {
            let path = whole.damaged(&[(place, change)]);
            let read = whole.check(&path).expect("the head is as it was");
            assert!(read + 1 >= whole.trials.len(), "byte {place}: {read} were read");
            let log = Log::open(&path).unwrap();
            let (summaries, damage) = log.sorted_summaries();
            let last = whole.samples.last().unwrap().contains(&place);
            assert!(last || summaries.len() + damage.samples == 5, "byte {place}: {damage:?}");
        }
    }
}

#[test]
fn a_wrong_byte_in_a_sample_of_a_finished_log_costs_no_number() {
    let whole = Whole::new(some_trials(), true);
    for (number, sample) in whole.samples.iter().enumerate() {
        for place in some_of(sample.clone().step_by(31), 16) {
            let path = whole.damaged(&[(place, 0x10)]);
            let read = whole.check(&path).expect("the head is as it was");
            assert!(read + 1 >= whole.trials.len(), "byte {place}");
            let log = Log::open(&path).unwrap();
            // Its summary stands in a list as well.
            let (summaries, damage) = log.sorted_summaries();
            assert_eq!((summaries.len(), damage.samples), (5, 0), "byte {place}");
            for (other, trial) in whole.trials.iter().enumerate().filter(|(o, _)| *o != number) {
                assert_eq!(&log.trial(&trial.id()).unwrap(), trial, "{other} with byte {place}");
            }
        }
    }
}

#[test]
fn a_damaged_head_is_stood_in_for_by_the_other() {
    let whole = Whole::new(some_trials(), true);
    let name = b"header.json";
    let place = whole.bytes.windows(name.len()).position(|bytes| bytes == name).unwrap();
    let path = whole.damaged(&[(place + name.len() + 60, 0xff)]);
    let log = Log::open(&path).unwrap();
    assert_eq!(log.run().cases.len(), 5);
    assert_eq!(log.status(), None);
    assert_eq!(whole.check(&path), Some(5));
}

#[test]
fn a_member_of_wrong_length_does_not_hide_those_after_it() {
    let whole = Whole::new(some_trials(), false);
    // The packed length stands 18 bytes into the header.
    let place = whole.samples[1].start + 18;
    for change in [0x01, 0x10, 0x80] {
        let path = whole.damaged(&[(place, change), (place + 1, change)]);
        assert_eq!(whole.check(&path), Some(4), "{change}");
        let (_, damage) = Log::open(&path).unwrap().sorted_summaries();
        assert_eq!(damage.samples, 1, "{damage:?}");
    }
}

#[test]
fn damaged_samples_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let trials: Vec<Trial> = (0..40).map(trials::plain_trial).collect();
    let path = round_trip::write(folder.path(), &trials);
    let mut bytes = fs::read(&path).unwrap();
    // Lists are named before samples in the journal; both a list and a sample of it are hit.
    for name in ["_journal/summaries/1.json", "samples/case-7_epoch_1.json"] {
        let place = bytes.windows(name.len()).position(|part| part == name.as_bytes()).unwrap();
        let hit = place + name.len() + 90;
        bytes[hit..hit + 20].fill(0x55);
    }
    let place = |name: &str| {
        bytes.windows(name.len()).position(|part| part == name.as_bytes()).unwrap() + name.len()
    };
    let hit = place("summaries.json");
    bytes[hit + 60] ^= 0xff;
    fs::write(&path, &bytes).unwrap();
    let log = Log::open(&path).unwrap();
    let (summaries, damage) = log.sorted_summaries();
    assert_eq!((summaries.len(), damage.samples), (39, 1));
    let told = damage.describe(summaries.len()).unwrap();
    assert!(told.starts_with("1 of 40 samples cannot be read: `case-7_epoch_1` ("), "{told}");
}

#[test]
fn judging_again_leaves_out_what_cannot_be_read() {
    let whole = Whole::new(some_trials(), true);
    let hit = whole.samples[1].start + 120;
    let path = whole.damaged(&[(hit, 0x7f), (hit + 1, 0x7f), (hit + 2, 0x7f)]);
    let log = Log::open(&path).unwrap();
    let run = Run { id: RunId::new("again"), ..log.run().clone() };
    let target = whole.folder.path().join("again.eval");
    let mut writer = LogWriter::create(&target, &run).unwrap();
    let mut noted = 0;
    let damage = rescore(&log, &mut writer, |_| IndexMap::new(), |_| noted += 1).unwrap();
    writer.finish(&RunStatus::Success).unwrap();
    assert_eq!((noted, damage.samples), (4, 1));
    let again = Log::open(&target).unwrap();
    assert_eq!(again.trials().filter_map(Result::ok).count(), 4);
    assert_eq!(again.summaries().filter_map(Result::ok).count(), 4);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn whatever_bytes_are_wrong_nothing_is_misread(
        finished in any::<bool>(),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), 1_u8..), 1..6),
    ) {
        let whole = Whole::new(some_trials(), finished);
        let changes: Vec<(usize, u8)> =
            changes.iter().map(|(at, change)| (at.index(whole.bytes.len()), *change)).collect();
        whole.check(&whole.damaged(&changes));
    }
}
