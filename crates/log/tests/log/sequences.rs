//! Random sequences of running, killing, resuming, judging again and damage, held against a model
//! of what must be known after each step.
//!
//! `TOOLGAUGE_SEQUENCES` sets how many are tried (1,000 in the long form of the tests), and
//! `TOOLGAUGE_SEQUENCE` repeats the one of a seed that failed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use toolgauge_core::{Outcome, Run, RunId, Score, Trial, TrialId};
use toolgauge_log::{Log, LogWriter, RunStatus, TrialSummary, rescore};
use toolgauge_testkit::long_or;

use crate::trials;

/// How many cases a run has.
const CASES: usize = 9;

/// What is known of a trial.
#[derive(Debug, Default)]
struct Known {
    /// What was written, the last one last.
    records: Vec<Trial>,
    /// Whether something of it was damaged since: then any record may count, or none.
    uncertain: bool,
}

/// A log, and what it must hold.
struct Sequence {
    random: u64,
    folder: PathBuf,
    path: PathBuf,
    run: Run,
    writer: Option<LogWriter>,
    known: BTreeMap<TrialId, Known>,
    steps: Vec<String>,
}

impl Sequence {
    fn new(seed: u64, folder: &Path) -> Self {
        let cases: Vec<Trial> = (0..CASES).map(trials::plain_trial).collect();
        let mut run = trials::run(&cases, 1);
        run.system_prompt = Some("Be brief.".into());
        run.tools.clear();
        let path = folder.join(format!("{seed}.eval"));
        let writer = Some(LogWriter::create(&path, &run).unwrap());
        // Seeds that follow each other would begin alike.
        let random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let (folder, known, steps) = (folder.to_owned(), BTreeMap::new(), Vec::new());
        Self { random, folder, path, run, writer, known, steps }
    }

    fn draw(&mut self, below: usize) -> usize {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        usize::try_from((self.random >> 11) % u64::try_from(below.max(1)).unwrap()).unwrap()
    }

    fn step(&mut self) {
        let step = match (self.draw(10), self.writer.is_some()) {
            (0..=4, true) => self.run_trials(),
            (5..=6, true) => self.finish(),
            (_, true) => self.kill(),
            (0..=4, false) => self.resume(),
            (5, false) => self.judge_again(),
            (6, false) => self.cut_end(),
            (_, false) => self.damage(),
        };
        self.steps.push(step);
        self.look();
    }

    /// Runs some trials that are not known, or that failed.
    fn run_trials(&mut self) -> String {
        let count = 1 + self.draw(3);
        for _ in 0..count {
            let number = self.draw(CASES);
            let mut trial = trials::plain_trial(number);
            if self.draw(4) == 0 {
                let odd = trials::odd_trials().into_iter();
                let failed = odd.into_iter().find(|odd| odd.case.id.as_str() == "failed").unwrap();
                trial = Trial { case: trial.case, ..failed };
            }
            let known = self.known.entry(trial.id()).or_default();
            self.writer.as_mut().unwrap().append(&trial).unwrap();
            known.records.push(trial);
            known.uncertain = false;
        }
        format!("run {count}")
    }

    fn finish(&mut self) -> String {
        self.writer.take().unwrap().finish(&RunStatus::Success).unwrap();
        "finish".to_owned()
    }

    /// Ends the process, perhaps in the midst of a write.
    fn kill(&mut self) -> String {
        self.writer = None;
        let mut bytes = fs::read(&self.path).unwrap();
        let torn = match self.samples(&bytes).last() {
            Some((_, start, end)) if self.draw(2) == 0 => {
                bytes[*start..start + self.draw(end - start)].to_vec()
            }
            _ => Vec::new(),
        };
        bytes.extend(&torn);
        fs::write(&self.path, bytes).unwrap();
        format!("kill with {} bytes torn", torn.len())
    }

    fn resume(&mut self) -> String {
        let before = Log::open(&self.path).unwrap();
        let readable: BTreeSet<TrialId> =
            before.trials().flatten().map(|trial| trial.id()).collect();
        let (writer, resumed) = LogWriter::resume(&self.path).unwrap();
        self.writer = Some(writer);
        let log = Log::open(&self.path).unwrap();
        let count = resumed.finished.len() + resumed.failed.len();
        let mut found = 0;
        for (id, known) in &mut self.known {
            if !resumed.finished.contains(id) && !resumed.failed.contains_key(id) {
                assert!(known.uncertain, "{id} would be run again");
                assert!(!readable.contains(id), "{id} can be read, and would be run again");
                continue;
            }
            found += 1;
            // What need not run again can be read, at the latest when the log is finished: the old
            // directory may name a damaged record.
            let trial = match log.trial(id) {
                Err(_) if known.uncertain => continue,
                trial => trial.unwrap(),
            };
            assert!(known.records.iter().any(|record| same(record, &trial)), "{id} is another");
            // A damaged record may be left out here and still be read in part by others.
            let failed = trial.transcript.failure.is_some();
            assert!(known.uncertain || resumed.failed.contains_key(id) == failed, "{id}");
        }
        assert_eq!(count, found, "a trial is known that was never written");
        format!("resume {count}")
    }

    /// Judges everything again into another log, and goes on with that.
    fn judge_again(&mut self) -> String {
        let log = Log::open(&self.path).unwrap();
        let number = self.steps.len();
        let value = 1.0 / f64::from(u32::try_from(number + 1).unwrap());
        let judge = |trial: &Trial| {
            if trial.transcript.failure.is_some() {
                return IndexMap::new();
            }
            let score = Score { value, ..Score::default() };
            IndexMap::from([("calls".to_owned(), Outcome::Scored(score))])
        };
        let run = Run { id: RunId::new(format!("again-{number}")), ..self.run.clone() };
        let path = self.folder.join(format!("{}-{number}.eval", self.random));
        let mut writer = LogWriter::create(&path, &run).unwrap();
        let damage = rescore(&log, &mut writer, judge, |_| {}).unwrap();
        writer.finish(&RunStatus::Success).unwrap();
        // Where only the old judgement was damaged, the trial is whole again.
        for known in self.known.values_mut() {
            for record in &mut known.records {
                record.outcomes = judge(record);
            }
        }
        self.path = path;
        format!("judge again, damage: {}", !damage.is_none())
    }

    /// Cuts off some of what stands behind the last sample, as of a finished log.
    fn cut_end(&mut self) -> String {
        let mut bytes = fs::read(&self.path).unwrap();
        let end = self.samples(&bytes).iter().map(|(_, _, end)| *end).max();
        let Some(end) = end.filter(|end| *end < bytes.len()) else { return "nothing".to_owned() };
        let cut = end + self.draw(bytes.len() - end);
        bytes.truncate(cut);
        fs::write(&self.path, bytes).unwrap();
        format!("cut at {cut}")
    }

    /// Turns a bit of a sample, or makes a stretch of it zero.
    fn damage(&mut self) -> String {
        let mut bytes = fs::read(&self.path).unwrap();
        let samples = self.samples(&bytes);
        let chosen = self.draw(samples.len());
        let Some((id, start, end)) = samples.into_iter().nth(chosen) else {
            return "nothing".to_owned();
        };
        let at = start + self.draw(end - start);
        if self.draw(2) == 0 {
            bytes[at] ^= 1 << self.draw(8);
        } else {
            bytes[at..end.min(at + 40)].fill(0);
        }
        fs::write(&self.path, bytes).unwrap();
        if let Some(known) = self.known.get_mut(&id) {
            known.uncertain = true;
        }
        format!("damage {id} at {at}")
    }

    /// The samples in a file, by their own headers: trial, start and end.
    fn samples(&self, bytes: &[u8]) -> Vec<(TrialId, usize, usize)> {
        let number = |at: usize, count: usize| {
            let digits = bytes[at..at + count].iter().rev();
            digits.fold(0, |sum, digit| sum << 8 | usize::from(*digit))
        };
        let starts = (0..bytes.len().saturating_sub(30)).filter(|at| {
            bytes[*at..].starts_with(b"PK\x03\x04")
                && bytes[at + 30..].starts_with(b"samples/case-")
        });
        let sample = |start: usize| {
            let (packed, name, extra) =
                (number(start + 18, 4), number(start + 26, 2), number(start + 28, 2));
            let end = start + 30 + name + extra + packed;
            let name = str::from_utf8(bytes.get(start + 38..start + 30 + name)?).ok()?;
            let (case, _) = name.split_once("_epoch_")?;
            let id = self.known.keys().find(|id| id.case.as_str() == case)?;
            (end <= bytes.len()).then(|| (id.clone(), start, end))
        };
        starts.filter_map(sample).collect()
    }

    /// Reads the log as any command does.
    fn look(&self) {
        let log = Log::open(&self.path).unwrap();
        for trial in log.trials().flatten() {
            let known = self.known.get(&trial.id()).expect("it was written");
            let counts = if known.uncertain {
                known.records.iter().any(|record| same(record, &trial))
            } else {
                known.records.last().is_some_and(|last| same(last, &trial))
            };
            assert!(counts, "{} is another", trial.id());
        }
        for (id, known) in self.known.iter().filter(|(_, known)| !known.uncertain) {
            let trial = log.trial(id).unwrap();
            assert!(same(known.records.last().unwrap(), &trial), "{id} is another");
        }
        for summary in log.summaries().flatten() {
            let known = self.known.get(&summary.id).expect("it was written");
            let mut records = known.records.iter().map(TrialSummary::of);
            assert!(records.any(|record| record.id == summary.id), "{} is another", summary.id);
        }
    }
}

/// Whether a record is what was read. A failed trial that is judged again has its failure for an
/// outcome, by whatever scorers.
fn same(record: &Trial, read: &Trial) -> bool {
    if record.outcomes.is_empty() {
        return Trial { outcomes: IndexMap::new(), ..read.clone() } == *record;
    }
    record == read
}

fn try_sequence(seed: u64) {
    // In memory where there is such a folder: the disk is waited for at each end of a log.
    let memory = Path::new("/dev/shm");
    let folder =
        if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }.unwrap();
    let mut sequence = Sequence::new(seed, folder.path());
    let steps = 3 + sequence.draw(10);
    let attempt = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        (0..steps).for_each(|_| sequence.step());
    }));
    assert!(
        attempt.is_ok(),
        "the sequence of seed {seed} failed; repeat it with TOOLGAUGE_SEQUENCE={seed}. Done \
         before: {:?}",
        sequence.steps
    );
}

#[test]
#[expect(clippy::print_stdout, reason = "the number of sequences is a result")]
fn whatever_happens_to_a_log_what_must_be_known_is_known() {
    let number = |name: &str| std::env::var(name).ok()?.parse::<u64>().ok();
    if let Some(seed) = number("TOOLGAUGE_SEQUENCE") {
        return try_sequence(seed);
    }
    let count = number("TOOLGAUGE_SEQUENCES").unwrap_or_else(|| long_or(1_000, 120));
    (0..count).for_each(try_sequence);
    println!("{count} sequences");
}
