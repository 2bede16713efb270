//! Shards put together are the log that one process would have left.

use std::collections::BTreeSet;
use std::path::PathBuf;

use proptest::prelude::*;
use serde_json::json;
use tempfile::TempDir;
use toolgauge_core::{CaseId, Run, RunEntry, RunId, Shard, ShardNumber, Trial};
use toolgauge_log::{Gaps, Log, LogWriter, MergeError, RunStatus, ShardSet, TrialSummary};
use toolgauge_testkit::long_or;

use crate::trials;

/// A folder of shards of one plan.
struct Shards {
    folder: TempDir,
    run: Run,
    trials: Vec<Trial>,
}

impl Shards {
    fn new() -> Self {
        let mut trials = trials::odd_trials();
        // Each case is planned once.
        let mut known = BTreeSet::new();
        trials.retain(|trial| trial.number == 1 && known.insert(trial.case.id.clone()));
        let run = trials::run(&trials, 1);
        Self { folder: tempfile::tempdir().unwrap(), run, trials }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The head of the shard that has the cases at these places.
    fn head(&self, index: u32, of: u32, places: &[usize]) -> Run {
        let mut run = self.run.clone();
        let number = ShardNumber { index, of };
        let (cases, places) = (run.cases.len(), places.to_vec());
        run.cases = places.iter().map(|place| self.run.cases[*place].clone()).collect();
        run.id = RunId::new(format!("shard{index}"));
        let shard = Shard { plan: "0123456789abcdef0123456789".into(), number, cases, places };
        RunEntry::Shard.put(&mut run.settings, json!(shard));
        run
    }

    /// Writes a shard. One that was killed has no end; a trial that failed first is there twice.
    fn write(&self, run: &Run, is_closed: bool, runs_twice: bool) -> PathBuf {
        let path = self.path(&format!("{}.eval", run.id));
        let mut writer = LogWriter::create(&path, run).unwrap();
        let own = |trial: &&Trial| run.cases.contains(&trial.case.id);
        for trial in self.trials.iter().filter(own) {
            if runs_twice {
                let mut first = trial.clone();
                first.outcomes.clear();
                writer.append(&first).unwrap();
            }
            writer.append(trial).unwrap();
        }
        if is_closed {
            writer.finish(&RunStatus::Success).unwrap();
        }
        path
    }

    fn whole(&self) -> Log {
        let path = self.path("whole.eval");
        let mut writer = LogWriter::create(&path, &self.run).unwrap();
        self.trials.iter().for_each(|trial| writer.append(trial).unwrap());
        writer.finish(&RunStatus::Success).unwrap();
        Log::open(&path).unwrap()
    }
}

fn sorted(log: &Log) -> (Vec<Trial>, Vec<TrialSummary>) {
    let (summaries, damage) = log.sorted_summaries();
    assert!(damage.is_none());
    let trials = summaries.iter().map(|summary| log.trial(&summary.id).unwrap()).collect();
    (trials, summaries)
}

fn merged(paths: &[PathBuf], target: &std::path::Path) -> Result<Log, MergeError> {
    ShardSet::open(paths)?.merge(target, Gaps::Refused)?;
    Ok(Log::open(target)?)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(long_or(40, 12)))]
    #[test]
    fn merged_shards_hold_what_one_log_holds(
        owners in prop::collection::vec(0_u32..4, 30),
        closed in prop::collection::vec(any::<bool>(), 4),
        twice in prop::collection::vec(any::<bool>(), 4),
    ) {
        let shards = Shards::new();
        let cases = shards.run.cases.len();
        let paths: Vec<PathBuf> = (0..4)
            .map(|index| {
                let places: Vec<usize> =
                    (0..cases).filter(|case| owners[case % owners.len()] == index).collect();
                let head = shards.head(index + 1, 4, &places);
                shards.write(&head, closed[index as usize], twice[index as usize])
            })
            .collect();
        let (merged, whole) = (merged(&paths, &shards.path("run.eval")).unwrap(), shards.whole());
        prop_assert_eq!(sorted(&merged), sorted(&whole));
        prop_assert_eq!(merged.status(), whole.status());
        prop_assert_eq!(&merged.run().cases, &whole.run().cases);
        let count = |log: &Log| log.summaries().count();
        prop_assert_eq!(count(&merged), count(&whole));
        for (found, expected) in merged.figures().iter().zip(whole.figures()) {
            prop_assert_eq!((&found.score, &found.metric), (&expected.score, &expected.metric));
            // Added up in another order.
            prop_assert!((found.value - expected.value).abs() < 1e-12);
        }
    }
}

#[test]
fn a_trial_that_is_not_there_is_counted() {
    let mut shards = Shards::new();
    let all: Vec<usize> = (0..shards.run.cases.len()).collect();
    let (first, rest) = all.split_at(1);
    let last = shards.trials.pop().unwrap();
    let paths = [
        shards.write(&shards.head(1, 2, first), true, false),
        shards.write(&shards.head(2, 2, rest), true, false),
    ];
    let set = ShardSet::open(&paths).unwrap();
    assert_eq!((set.merged().missing_trials, set.merged().missing.len()), (1, 0));
    let target = shards.path("run.eval");
    let refused = set.merge(&target, Gaps::Refused).unwrap_err().to_string();
    let set = ShardSet::open(&paths).unwrap();
    assert!(refused.starts_with("1 planned trial is not there"), "{refused}");
    assert!(!target.exists(), "{}", last.id());
    set.merge(&target, Gaps::Allowed).unwrap();
    assert_eq!(Log::open(&target).unwrap().run().merged().unwrap().missing_trials, 1);
}

#[test]
fn a_log_that_is_no_shard_is_named() {
    let shards = Shards::new();
    shards.whole();
    let refused = ShardSet::open(&[shards.path("whole.eval")]).unwrap_err().to_string();
    assert!(refused.ends_with("whole.eval` is no shard of a run"), "{refused}");
    let mut wrong = shards.head(1, 1, &[0]);
    wrong.cases = wrong.cases.iter().cloned().chain([CaseId::new("unknown")]).collect();
    let path = shards.write(&wrong, true, false);
    let refused = ShardSet::open(&[path]).unwrap_err().to_string();
    assert!(refused.contains("does not say rightly"), "{refused}");
}
