//! Resuming logs that are damaged: what can be read does not run again, and what was resumed can
//! be finished.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use toolgauge_core::{Trial, TrialId};
use toolgauge_log::{Damage, Log, LogWriter, RunStatus, TrialSummary};
use toolgauge_testkit::some_of;

use crate::trials;

/// Four trials in a small log, finished or not; gives where each sample is.
fn write(path: &Path, trials: &[Trial], finished: bool) -> Vec<Range<usize>> {
    let mut run = trials::run(trials, 1);
    run.system_prompt = None;
    run.tools.clear();
    let mut writer = LogWriter::create(path, &run).unwrap();
    let length = || usize::try_from(fs::metadata(path).unwrap().len()).unwrap();
    let mut samples = Vec::new();
    for trial in trials {
        let start = length();
        writer.append(trial).unwrap();
        samples.push(start..length());
    }
    if finished {
        writer.finish(&RunStatus::Success).unwrap();
    }
    samples
}

fn small_trials() -> Vec<Trial> {
    (0..4).map(trials::plain_trial).collect()
}

/// Flushing takes no time in memory, and each of these logs is flushed.
fn folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
    let path = folder.path().join("a.eval");
    (folder, path)
}

fn readable(path: &Path) -> BTreeSet<TrialId> {
    Log::open(path).unwrap().trials().flatten().map(|trial| trial.id()).collect()
}

/// Adds a member that is not compressed and whose checksum is right.
fn add_member(path: &Path, name: &str, text: &[u8]) {
    let number = |value: usize| u32::try_from(value).unwrap().to_le_bytes();
    let mut member = b"PK\x03\x04\x14\0\0\x08\0\0\0\0\x21\0".to_vec();
    member.extend(crc32fast::hash(text).to_le_bytes());
    member.extend(number(text.len()));
    member.extend(number(text.len()));
    member.extend(&number(name.len())[..2]);
    member.extend(b"\0\0");
    member.extend(name.as_bytes());
    member.extend(text);
    OpenOptions::new().append(true).open(path).unwrap().write_all(&member).unwrap();
}

/// Every member of a finished log unpacks to what its checksum says, for another program too.
fn assert_valid_zip(path: &Path) {
    let mut zip = zip::ZipArchive::new(File::open(path).unwrap()).unwrap();
    for place in 0..zip.len() {
        let mut member = zip.by_index(place).unwrap();
        let name = member.name().unwrap().into_owned();
        io::copy(&mut member, &mut io::sink()).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

#[test]
fn lists_that_are_no_json_do_not_keep_a_resumed_log_from_its_end() {
    let trials = small_trials();
    let expected: Vec<TrialSummary> = trials.iter().map(TrialSummary::of).collect();
    for list in ["{\"broken", "[{\"id\":\"case-0\"}]", "[NaN]", "", "[1,2", "\u{0}"] {
        let (_folder, path) = folder();
        write(&path, &trials, false);
        add_member(&path, "_journal/summaries/1.json", list.as_bytes());
        // The largest number leaves no next one.
        let last = format!("_journal/summaries/{}.json", u64::MAX);
        add_member(&path, &last, list.as_bytes());
        let (writer, resumed) = LogWriter::resume(&path).unwrap();
        assert_eq!(resumed.finished.len(), trials.len(), "{list}");
        writer.finish(&RunStatus::Success).unwrap_or_else(|error| panic!("{list}: {error}"));
        let log = Log::open(&path).unwrap();
        assert_eq!(log.sorted_summaries(), (expected.clone(), Damage::default()), "{list}");
        assert_valid_zip(&path);
    }
}

#[test]
fn a_wrong_bit_in_a_list_does_not_spoil_the_end_of_a_resumed_log() {
    let trials = small_trials();
    let (_folder, path) = folder();
    write(&path, &trials, true);
    let bytes = fs::read(&path).unwrap();
    let name = b"_journal/summaries/1.json";
    let header = bytes.windows(name.len()).position(|part| part == name).unwrap() - 30;
    // The header, the name, and the lengths and checksums of the three parts.
    for place in header..header + 30 + name.len() + 4 + 3 * 12 {
        let mut damaged = bytes.clone();
        damaged[place] ^= 4;
        fs::write(&path, damaged).unwrap();
        let (writer, resumed) = LogWriter::resume(&path).unwrap();
        assert_eq!(resumed.finished.len(), trials.len(), "byte {place}");
        writer.finish(&RunStatus::Success).unwrap_or_else(|error| panic!("{place}: {error}"));
        assert_valid_zip(&path);
    }
}

#[test]
fn a_lock_that_is_held_for_a_moment_only_is_waited_for() {
    let (_folder, path) = folder();
    write(&path, &small_trials(), false);
    let held = fs::File::open(&path).unwrap();
    held.lock().unwrap();
    let holder = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(60));
        drop(held);
    });
    assert!(LogWriter::resume(&path).is_ok());
    holder.join().unwrap();
}

#[test]
fn a_trial_that_can_be_read_does_not_run_again_whichever_byte_of_it_is_wrong() {
    let trials = small_trials();
    for finished in [false, true] {
        let (_folder, path) = folder();
        let samples = write(&path, &trials, finished);
        let bytes = fs::read(&path).unwrap();
        let mut kept = 0;
        let places = some_of(samples[1].clone().step_by(7), 50);
        for &place in &places {
            let mut damaged = bytes.clone();
            damaged[place] ^= 0x20;
            fs::write(&path, damaged).unwrap();
            let before = readable(&path);
            let (writer, resumed) = LogWriter::resume(&path).unwrap();
            let again: Vec<_> = before.difference(&resumed.finished).collect();
            assert!(again.is_empty(), "byte {place}: {again:?} can be read");
            kept += usize::from(resumed.finished.len() == trials.len());
            writer.finish(&RunStatus::Success).unwrap();
            assert_eq!(readable(&path), resumed.finished, "byte {place}");
            assert_valid_zip(&path);
        }
        // Most of a sample is its third part, which a trial is not read from.
        assert!(kept > places.len() / 2, "{kept} were kept");
    }
}
