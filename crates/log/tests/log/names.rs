//! Names in a log have no checksum. A wrong bit in one is found, and costs no other trial.

use std::collections::BTreeSet;
use std::fs;
use std::ops::Range;
use std::path::Path;

use toolgauge_core::{Trial, TrialId};
use toolgauge_log::{Damage, Log, LogWriter, RunStatus, TrialSummary};
use toolgauge_testkit::long_or;

use crate::trials;

/// A small log, and the places of all names and of its directory.
struct Small {
    bytes: Vec<u8>,
    trials: Vec<Trial>,
    names: Vec<Range<usize>>,
    directory: Range<usize>,
    folder: tempfile::TempDir,
}

impl Small {
    fn new(finished: bool) -> Self {
        let folder = folder_in_memory();
        let path = folder.path().join("small.eval");
        // Two trials, so that there is another one that a wrong bit must not cost. The log is read
        // and resumed thousands of times, so nothing else in it is larger than it must be.
        let trials: Vec<Trial> = (0..2).map(trials::plain_trial).collect();
        let mut run = trials::run(&trials, 1);
        run.tools.clear();
        run.system_prompt = None;
        let mut writer = LogWriter::create(&path, &run).unwrap();
        for trial in &trials {
            writer.append(trial).unwrap();
        }
        if finished {
            writer.finish(&RunStatus::Success).unwrap();
        }
        let bytes = fs::read(&path).unwrap();
        let places = |mark: &[u8]| -> Vec<usize> {
            let found = bytes.windows(4).enumerate().filter(|(_, bytes)| *bytes == mark);
            found.map(|(place, _)| place).collect()
        };
        let length = |at: usize| usize::from(bytes[at]) + 256 * usize::from(bytes[at + 1]);
        let names = places(b"PK\x03\x04").into_iter();
        let names = names.map(|at| at + 30..at + 30 + length(at + 26)).collect();
        let directory = places(b"PK\x01\x02").first().map_or(bytes.len(), |first| *first);
        let directory = directory..bytes.len();
        Self { bytes, trials, names, directory, folder }
    }

    fn expected(&self) -> Vec<TrialSummary> {
        self.trials.iter().map(TrialSummary::of).collect()
    }

    /// Writes the log with one bit changed and holds what is read against what was written.
    fn flip(&self, place: usize, bit: u8) {
        let told = format!("bit {bit} of byte {place}");
        let mut bytes = self.bytes.clone();
        bytes[place] ^= 1 << bit;
        let path = self.folder.path().join("flipped.eval");
        fs::write(&path, &bytes).unwrap();
        let log = Log::open(&path).unwrap_or_else(|error| panic!("{told}: {error}"));
        let (summaries, damage) = log.sorted_summaries();
        let expected = self.expected();
        assert!(summaries.iter().all(|summary| expected.contains(summary)), "{told}");
        assert!(summaries == expected || !damage.is_none(), "{told}: {} read", summaries.len());
        assert!(summaries.len() + 1 >= expected.len(), "{told}: {damage:?}");
        let mut read = 0;
        for trial in log.trials().flatten() {
            assert!(self.trials.contains(&trial), "{told}");
            read += 1;
        }
        assert!(read + 1 >= self.trials.len(), "{told}: {read} trials");
    }

    /// Resumes the log with one bit changed, which must come to what it would have been.
    fn resume(&self, place: usize, bit: u8) {
        let told = format!("bit {bit} of byte {place}");
        let path = self.folder.path().join("flipped.eval");
        let again = resume(&path, &self.trials);
        let names = self.names.iter().any(|name| name.contains(&place));
        assert!(!names || again.is_empty(), "{told}: {again:?} ran again, and was whole");
        let log = Log::open(&path).unwrap();
        assert_eq!(log.sorted_summaries(), (self.expected(), Damage::default()), "{told}");
        assert_eq!(log.len(), self.trials.len(), "{told}");
        let read: Vec<Trial> = log.trials().map(Result::unwrap).collect();
        assert!(self.trials.iter().all(|trial| read.contains(trial)), "{told}");
        let right = ["samples/", "_journal/", "header.json", "summaries.json", "reductions.json"];
        for name in zip_names(&path) {
            assert!(right.iter().any(|right| name.starts_with(right)), "{told}: {name}");
        }
    }
}

/// A folder where flushing a file to the disk takes no time, if this system has one. Every resumed
/// log is flushed, and what is tested here is what its bytes say.
fn folder_in_memory() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()
}

/// The bits to change of a byte: each, or one, another one in each of eight bytes that follow each other.
fn bits(place: usize) -> Range<u8> {
    let one = u8::try_from(place % 8).unwrap();
    long_or(0..8, one..one + 1)
}

/// Resumes a log and appends what it lacks; gives what that was.
fn resume(path: &Path, trials: &[Trial]) -> BTreeSet<TrialId> {
    let (mut writer, resumed) = LogWriter::resume(path).unwrap();
    let lacking: Vec<&Trial> =
        trials.iter().filter(|trial| !resumed.finished.contains(&trial.id())).collect();
    for trial in &lacking {
        writer.append(trial).unwrap();
    }
    writer.finish(&RunStatus::Success).unwrap();
    lacking.iter().map(|trial| trial.id()).collect()
}

/// The names in the last directory of a file.
fn zip_names(path: &Path) -> Vec<String> {
    let bytes = fs::read(path).unwrap();
    let end = bytes.len() - 22;
    let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let (mut at, mut names) = (number(end + 16), Vec::new());
    while at < end {
        let length = number(at + 28) & 0xffff;
        names.push(String::from_utf8_lossy(&bytes[at + 46..at + 46 + length]).into_owned());
        at += 46 + length + (number(at + 28) >> 16) + (number(at + 32) & 0xffff);
    }
    names
}

#[test]
fn a_wrong_bit_in_a_name_of_an_unfinished_log_is_found_and_mended() {
    let small = Small::new(false);
    for place in small.names.iter().flat_map(Clone::clone) {
        for bit in bits(place) {
            small.flip(place, bit);
            small.resume(place, bit);
        }
    }
}

#[test]
fn a_wrong_bit_in_a_name_of_a_finished_log_is_found_and_mended() {
    let small = Small::new(true);
    for place in small.names.iter().flat_map(Clone::clone) {
        for bit in bits(place) {
            small.flip(place, bit);
            small.resume(place, bit);
        }
    }
}

#[test]
fn a_wrong_bit_in_the_directory_is_found_and_mended() {
    let small = Small::new(true);
    for place in small.directory.clone() {
        for bit in bits(place) {
            small.flip(place, bit);
            // Resuming does not look at the directory, so that a sample of the bits will do.
            if (place + usize::from(bit)) % 64 == 0 {
                small.resume(place, bit);
            }
        }
    }
}

#[test]
fn a_trial_that_was_run_again_keeps_its_last_record_by_whatever_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("again.eval");
    let trials: Vec<Trial> = (0..2).map(trials::plain_trial).collect();
    let run = trials::run(&trials, 1);
    let mut writer = LogWriter::create(&path, &run).unwrap();
    let mut first = trials[1].clone();
    first.outcomes.clear();
    for trial in [&trials[0], &first, &trials[1]] {
        writer.append(trial).unwrap();
    }
    drop(writer);
    // The second record of the trial gets the name of a trial that does not exist.
    let mut bytes = fs::read(&path).unwrap();
    let name = format!("samples/{}_epoch_1.json", trials[1].case.id);
    let last = bytes.windows(name.len()).rposition(|bytes| bytes == name.as_bytes()).unwrap();
    bytes[last + name.len() - 6] ^= 8;
    fs::write(&path, &bytes).unwrap();
    assert!(resume(&path, &trials).is_empty());
    let log = Log::open(&path).unwrap();
    let (summaries, damage) = log.sorted_summaries();
    assert_eq!(summaries, trials.iter().map(TrialSummary::of).collect::<Vec<_>>());
    assert!(damage.is_none(), "{damage:?}");
    assert_eq!(log.trial(&trials[1].id()).unwrap(), trials[1]);
}
